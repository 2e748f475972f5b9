"""The services behind pages and scripts: what a user may see, ask and do. They speak of matches, never of HTTP.

Who may do what is decided in two places:

- The door is ``web.middleware.access``: each route says the least role that it asks for, and nobody gets past it with
  less. Methods that only the host's routes use and that change nothing check no role again.
- The services decide what depends on more than the role: whose seat it is, whether the match is silent, whether an
  entry is the last one. As defence in depth, in case a route is given the wrong role, every method that changes
  something checks the role once more, in one place for each service.

Every method may be called from any thread.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from ipaddress import IPv4Network, ip_address
from typing import BinaryIO, Protocol, TypeAlias

from companion.errors import InputError
from companion.public.standing import AvailableMove
from companion.public.table import Seat
from companion.public.text import JSON, Text, fault_text
from companion.public.updates import Update


@dataclass(frozen=True, slots=True)
class PrintOrder:
    """What somebody wants printed.

    Attributes:
        what: ``stickers`` and the tags of the mat; ``cards`` to play with, or a game's tiles and tokens, with command
            cards and seat tags; ``commands``: these alone; ``mat``: tags and zones in their places.
        size_mm: Outer edge of a sticker; ``None`` = as the game needs it.
        paper: ``a4`` or ``letter``; for the mat also ``a3`` and ``whole``.
        labels: A bought sheet of labels, or a grid of one's own, for stickers; empty = plain paper.
        only: These pieces alone, each by its token, its card's number or its sticker's text; none = all.
        deck: A deck file as JSON; ``None`` = the built-in one.
        game: The game whose built-in deck is meant; ``None`` = the usual one.
        mark: Up to three letters or digits for people, on every piece, so that two boxes are told apart; empty = none.
        table: The zones for the mat as a match file's ``[table]``; ``None`` = the game's usual ones.
    """

    what: str = "stickers"
    size_mm: float | None = None
    paper: str = "a4"
    labels: str = ""
    language: str = "en"
    only: tuple[str, ...] = ()
    deck: JSON | None = None
    game: str | None = None
    mark: str = ""
    table: JSON | None = None


PRINTABLE = ("stickers", "cards", "commands", "mat")


_SPECIAL = str.maketrans({sign: f"\\{sign}" for sign in '\\;,:"'})


_FIRST_SHARED = IPv4Network("10.42.0.0/24")


@dataclass(frozen=True, slots=True)
class OwnWifi:
    """The Wi-Fi that a box makes where it knows none.

    Attributes:
        network: Its addresses; the usual ones are those that NetworkManager gives to the first network it shares.
    """

    name: str
    password: str
    network: IPv4Network = _FIRST_SHARED

    def holds(self, address: str) -> bool:
        """Whether somebody with this address is in it.

        >>> OwnWifi("companion-3fa9", "abc").holds("10.42.0.17"), OwnWifi("companion-3fa9", "abc").holds("10.42.1.17")
        (True, False)
        """
        try:
            return ip_address(address) in self.network
        except ValueError:
            return False

    @property
    def code(self) -> str:
        r"""What a phone's camera takes for it (the notation of the ZXing project, as phones read it).

        >>> OwnWifi("companion-3fa9", "ab;c").code
        'WIFI:T:WPA;S:companion-3fa9;P:ab\\;c;;'
        """
        return f"WIFI:T:WPA;S:{self.name.translate(_SPECIAL)};P:{self.password.translate(_SPECIAL)};;"


@dataclass(slots=True)
class SystemActions:
    """What there is to ask for; ``None`` where this box cannot.

    Attributes:
        sheets: Whatever can be printed, as a PDF file. Raises InputError.
        set_quiet: Makes the panel quiet: night, mute.
        lamp: Shows the lamp's and the buzzer's best once.
        shut_down: Switches the box off in good order.
        examine: Looks at everything as ``companion doctor`` does, which takes some seconds: ``{"name", "level", "what",
            "to_do"}``, the last two as ``Text``.
        id: What no other table has (``companion.storage.box``); empty = this is no table of its own.
        backup: Everything of this table in one file, opened. Raises InputError, LogError, or OSError for a full disk.
        restore: Who takes such a file from a page; it is loaded when somebody asks for it.
        update: Takes a newer version of the program from a page.
        wifi: Takes the box into the Wi-Fi of the house.
        own_wifi: The Wi-Fi that the box makes now; ``None`` = it makes none.
        rename: Keeps another name of this table, and whether its broker may be told who sits where. Raises InputError
            when nobody could read the name, OSError when it cannot be kept.
        night, muted: As was set last.
        name: What people call this table; empty = nobody has named it.
        names_players: Whether the broker is told who sits where; ``None`` = there is no broker.
    """

    sheets: Callable[[PrintOrder], bytes] | None = None
    set_quiet: Callable[[bool, bool], None] | None = None
    lamp: Callable[[], None] | None = None
    shut_down: Callable[[], None] | None = None
    examine: Callable[[], tuple[JSON, ...]] | None = None
    backup: Callable[[], BinaryIO] | None = None
    restore: Callable[[], UploadService] | None = None
    update: UploadService | None = None
    wifi: WifiService | None = None
    own_wifi: Callable[[], OwnWifi | None] = lambda: None
    rename: Callable[[str, bool], None] | None = None
    id: str = ""
    night: bool = False
    muted: bool = False
    name: str = ""
    names_players: bool | None = None


class Role(Enum):
    """Who somebody is at the table. A hub sees what a spectator sees, and answers questions if the host allows it."""

    SPECTATOR = "spectator"
    HUB = "hub"
    SEAT = "seat"
    HOST = "host"


@dataclass(frozen=True, slots=True)
class User:
    """Somebody who asks for something. A host who also plays has a seat; ``outside``: he does not play."""

    role: Role
    seat: Seat | None = None
    outside: bool = False


SPECTATOR = User(Role.SPECTATOR)


# -- what comes of asking for a change ----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Done:
    """It was done; ``value`` is what came of it, as JSON."""

    value: JSON = None


@dataclass(frozen=True, slots=True)
class Denied:
    """This user may not do it, for this reason."""

    reason: Text


@dataclass(frozen=True, slots=True)
class NotFound:
    """There is no such thing."""

    reason: Text = Text("desk.no_such")  # noqa: RUF009 - a value that never changes


@dataclass(frozen=True, slots=True)
class Stale:
    """It does not fit how things stand now; without a reason something happened since the user last looked."""

    reason: Text | None = None


@dataclass(frozen=True, slots=True)
class Invalid:
    """What was sent cannot be used.

    Attributes:
        faults: Everything that is wrong with it.
        zones: The names of the zones that are meant, where zones are wrong.
    """

    faults: tuple[Text | str, ...]
    zones: tuple[str, ...] = ()

    @classmethod
    def of(cls, error: InputError) -> Invalid:
        """With the faults that a reader found."""
        return cls(tuple(fault_text(fault) for fault in error.faults))


@dataclass(frozen=True, slots=True)
class Unavailable:
    """It cannot be done at this moment: the disk takes nothing, or the referee does not answer in time."""

    reason: Text | str


Result: TypeAlias = Done | Denied | NotFound | Stale | Invalid | Unavailable
"""A reason is a ``Text`` wherever a person may read it, so that it can be said in the language of each reader."""


# -- the services -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class JoinCode:
    """How to become a seat or the host: ``code`` of 128 bits for links, ``short`` of six characters to type."""

    user: User
    code: str
    short: str


class UploadService(Protocol):
    """A file that the host sends from a page in pieces; it is looked at whole, told, and taken.

    Each answer is the state as JSON. ``why`` and ``last`` are texts or sentences. Of a backup ``changes`` are texts,
    too; of an update ``now`` is the version that runs, and ``version`` its own.
    """

    def state(self, user: User) -> Result:
        """Host: ``state``: ``idle``, ``coming``, ``checking``, ``ready``, ``refused`` or ``taken``."""

    def begin(self, user: User, name: str, size: int) -> Result:
        """Host: a file of so many bytes is about to come."""

    def add(self, user: User, at: int, piece: bytes) -> Result:
        """Host: the piece that begins at this byte."""

    def take(self, user: User) -> Result:
        """Host: start anew with the backup (``code`` is the host's from then on, ``None`` = as before), or install."""

    def drop(self, user: User) -> Result:
        """Host: forget what came."""


class WifiService(Protocol):
    """The Wi-Fi that the box is in: the host may take it into another one."""

    def state(self, user: User) -> Result:
        """Host: ``state`` (``idle`` or ``working``), ``own``: it makes a Wi-Fi of its own, ``now``: the name of the one
        it is in or ``None``, ``networks``: those in reach as ``name``, ``secured`` and ``signal``, ``last``: what came
        of the last time as a text or ``None``, ``address``: where its pages are in any network."""

    def join(self, user: User, name: str, password: str) -> Result:
        """Host: join this Wi-Fi, as soon as the page has its answer; an empty password = it wants none. Where that
        fails all is as before. The answer is the state."""


class MatchService(Protocol):
    """The match that is being played, and who takes part in it."""

    def user(self, code: str) -> User | None:
        """Whose long or short code this is, in its form of ``companion.public.join_code``; ``None`` = nobody's."""

    def join_codes(self, user: User) -> tuple[JoinCode, ...]:
        """The codes that this user may hand out: all for the host, his own for a seat."""

    def announce(self, user: User) -> None:
        """Tell everybody that a further phone has become this user."""

    def renew_join_codes(self, user: User, whose: User | None) -> Result:
        """Host: make new codes for a seat, for the host, or with ``None`` for everybody. The old ones open nothing from
        then on, so that whoever joined with them joins again."""

    def hub_code(self, user: User) -> str | None:
        """Host: the code to type at a hub; ``None`` = there is none, or it is not for this user."""

    def hub_long_code(self) -> str | None:
        """The code of 128 bits that a hub shows once the short one was typed there; ``None`` = there is none."""

    def hub_answers(self) -> bool:
        """Whether a referee may answer this table's questions from a hub."""

    def set_hub(self, user: User, do: str) -> Result:
        """Host: ``open`` draws a code for a hub, instead of the last one, ``close`` takes it back; ``allow`` and
        ``forbid``: whether a referee may answer from there. A new code allows nothing."""

    def newest(self) -> Update | None:
        """The last update; ``None`` before anything happened."""

    def since(self, number: int) -> tuple[Update, ...]:
        """Updates of the running match with a greater entry number, oldest first."""

    def subscribe(self, subscriber: Callable[[Update], None]) -> Callable[[], None]:
        """Get all further updates; returns how to stop."""

    def current(self) -> JSON | None:
        """The running match as pages need it, or ``None``: ``{"id", "game", "profile", "silent", "scored", "host",
        "simulated", "seats": [{"number", "name", "team", "bot"}], "options", "deck": {the deck file as JSON},
        "pictures": the name of the table's own deck in which pictures of its cards may be}``, and "things" where a
        game's pages draw its things by more than the deck file says."""

    def available_moves(self, user: User) -> tuple[AvailableMove, ...]:
        """The spoken moves that this user may make now."""

    def view(self, user: User) -> JSON:
        """The table as this user may see it."""

    def move(self, user: User, move: Mapping[str, JSON], after: int | None, meant: str | None = None) -> Result:
        """Make a move; done with the public entry. ``meant``: for which match; another one makes it stale."""

    def correct(self, user: User, correction: Mapping[str, JSON]) -> Result:
        """Contract section 8, ``/corrections``."""

    def answer(self, user: User, question: int, answer: int, meant: str | None = None) -> Result:
        """Answer an open question of the match that is ``meant``."""

    def seats(self, user: User) -> tuple[JSON, ...]:
        """Host: what may be said about each seat of the running match now: ``{"seat", "name", "bot", "here", "why",
        "cards", "next"}``. ``why`` nobody may leave it (or, when it stands empty, sit down), as a ``Text``; without a
        reason ``cards`` would change between that hand and the stack, and it would be the turn of ``next``."""

    def start(self, user: User, match: Mapping[str, JSON]) -> Result:
        """Host: close the running match, if any, and begin this one (a match file as JSON)."""

    def rematch(self, user: User) -> Result:
        """Host: the last match's seats, game and cards again, with the next dealer."""

    def go_on(self, user: User, match: str) -> Result:
        """Host: go on with an interrupted match of this kind of table; the one that is played is interrupted in turn.
        Whoever sits in both under one name keeps his phone."""


@dataclass(frozen=True, slots=True)
class RetoldMatch:
    """A stored match in words.

    Attributes:
        told: By entry, what everybody was told then, points and their reasons included.
        things: What it was played with, as pages draw it, each with its ``id``; ``None`` = its deck file says enough.
    """

    told: Mapping[int, tuple[Text, ...]]
    things: tuple[JSON, ...] | None


class ArchiveService(Protocol):
    """The stored matches. What is hidden in a match that still goes on is shown as ``may_read`` says.

    ``record``, ``retold``, ``pictures`` and ``statistics`` raise PermissionError: not for this user, or not now.
    """

    def matches(self, user: User) -> tuple[JSON, ...]:
        """Stored matches, newest first: ``{"id", "profile", "seats", "began", "over", "running", "points", "winners",
        "entries"}``. One that is neither over nor running was interrupted; ``"ended"``: the running one has, and may
        still be corrected."""

    def is_silent(self, match: str) -> bool:
        """Whether nobody was told in this match what was unlawful; ``False`` when there is no such match."""

    def record(self, user: User, match: str) -> Iterator[str] | None:
        """The lines of a match's record, or ``None`` when it does not exist."""

    def retold(self, user: User, match: str) -> RetoldMatch | None:
        """What people were told in a match, or ``None`` when there is no such match."""

    def pictures(self, user: User, match: str, number: int) -> tuple[bytes, ...] | None:
        """The pictures (JPEG, oldest first) that were kept of an entry, or ``None`` when there is no such match."""

    def statistics(self, user: User, match: str) -> JSON | None:
        """How well a match was refereed (contract, section 8: figures), or ``None`` when there is no such match.
        ``"pictures"``: how many were kept, by entry number as text; ``"marks"``: where the card lies in one of them."""

    def delete(self, user: User, match: str) -> Result:
        """Host: delete a stored match."""

    def close(self, user: User, match: str) -> Result:
        """Host: close an interrupted match, which is then over without a winner."""

    def restore(self, user: User, match: str) -> Result:
        """Host: get a match back that was deleted since this program began."""

    def import_record(self, user: User, record: str) -> Result:
        """Host: store the text of a record as a finished match."""


class DeckService(Protocol):
    """The table's own decks, and the pictures of their cards."""

    def form(self, game: str | None = None) -> JSON:
        """What a deck of this game has to be filled in with, of the usual one where none is named: ``{"families": their
        names, "cards": the ids of all cards in printed order, "things": what a deck file calls their list, "patterns":
        what somebody picks from who enters one}``.

        Raises:
            KeyError: There is no such game.
        """

    def check(self, deck: JSON) -> JSON:
        """What is to be said of a deck as typed: ``{"faults", "open"}`` as ``save_deck`` has them, and ``"drawn"``.

        Raises:
            InputError: It names no game that there is.
        """

    def summaries(self) -> tuple[JSON, ...]:
        """All of them: ``{"name", "file", "title", "entered"}``."""

    def deck(self, name: str) -> JSON | None:
        """One of them as JSON, or ``None``."""

    def demo(self) -> JSON:
        """The usual game's built-in deck as JSON."""

    def spreadsheet(self, name: str, language: str) -> bytes | None:
        """One of them as a spreadsheet (CSV), or ``None``."""

    def read_spreadsheet(self, user: User, name: str, content: bytes) -> Result:
        """Host: the deck that a spreadsheet (CSV) holds: ``{"deck"}``. Nothing is kept."""

    def graph(self, name: str, language: str) -> str | None:
        """Which card of one of them needs which, as the text of an SVG file; ``None`` = there is no such deck, or
        nothing to draw."""

    def save_deck(self, user: User, name: str, deck: JSON) -> Result:
        """Host: keep a deck as typed: ``{"name", "file", "entered", "faults", "open"}``; each fault is ``{"what",
        "where"}``, and what is wrong is a ``Text`` or a sentence. Where the game draws what is entered also
        ``"drawn"``: each thing of the deck as pages draw it, ``None`` for one that lacks something."""

    def pictured_cards(self, user: User, deck: str) -> tuple[str, ...]:
        """Which cards of one of the decks have a picture; none for spectators."""

    def card_picture(self, deck: str, card: str) -> bytes | None:
        """A card's picture as JPEG; ``None`` when there is none."""

    def keep_card_picture(self, user: User, deck: str, card: str, picture: bytes) -> Result:
        """Host: keep a picture of a card (JPEG, PNG or WebP), made small: ``{"name", "card"}``."""

    def delete_card_picture(self, user: User, deck: str, card: str) -> Result:
        """Host: delete a card's picture: ``{"name", "card"}``."""


class TableSetup(Protocol):
    """The table itself: its zones, the camera over it, and signs of life."""

    def zones(self) -> JSON | None:
        """The zones that the eye goes by, in the form of a match file's ``[table]``; ``None`` = there are none.
        Also ``"movable"``: whether they may be moved now, and else ``"why"`` not, as a ``Text``."""

    def set_zones(self, user: User, table: JSON) -> Result:
        """Host: keep these zones (as ``zones`` gives them) for this table; ``None`` = the usual ones again. Stale
        once cards lie in the running match."""

    def camera_picture(self, user: User, straight: bool = False) -> bytes | None:
        """The camera's last picture as JPEG, ``straight``: the field seen straight from above, a pixel for a millimetre
        and 30 mm around it; ``None`` when there is none.

        Raises:
            PermissionError: Not for this user, or not now.
        """

    def health(self) -> JSON:
        """``{"ok", "version", "source", "simulated", "camera": "ok"|"lost"|…, "last_look_s", "entries"}``."""


class BoxCheckService(Protocol):
    """The check of a box of cards under the camera (``companion.public.box_check``). It never tells the referee
    anything. On a real table, nothing is looked at while a match is played and not paused."""

    def begin(self, user: User, deck: JSON | None, game: str | None, language: str) -> Result:
        """Host: begin with the pieces of a deck file as JSON, or of a game's built-in deck; done with what ``look``
        is done with."""

    def look(self, user: User, language: str) -> Result:
        """Host: look once; done with ``{"pieces": [{"token", "number", "name", "read", "wrong"}], "missing", "lying",
        "fresh", "unread": {"small", "smudged"}, "foreign"}``."""

    def see(self, user: User, game: str | None) -> Result:
        """Host: what lies there of a game, whatever was ticked off: ``{"seen": [{"token", "x", "y", "turned_deg"}],
        "unread"}``. ``x`` and ``y`` are pixels of the camera's picture, ``turned_deg`` degrees clockwise from a sticker
        that stands upright in it; ``unread`` codes can be seen and not be read."""


class PhoneCameraService(Protocol):
    """A phone as the table's camera; ``NotFound`` where the table looks through something else. What it answers depends
    on the pictures' form alone, never on what they show."""

    def take(self, user: User, phone: str, jpeg: bytes, *, instead: bool) -> Result:
        """Host: look at this picture, sent by the phone that calls itself so: ``{"size_px", "rate_hz"}`` of what came
        lately. Stale while another phone is the camera, unless it shall be this one ``instead``; unavailable when
        pictures come too fast."""


class RecordingService(Protocol):
    """The recording that the host begins on a page: one at a time, of the match at the table, as ``companion record``
    makes it. ``NotFound`` where nothing can be recorded; ``Denied`` to who may not see the camera's picture now."""

    def state(self, user: User) -> Result:
        """Host: ``{"recording", "ready", "broken_off"}``; while it records also ``{"seconds", "of", "ring", "bytes"}``.
        ``ready`` is ``{"match", "frames", "seconds", "pictures", "bytes"}`` of the one that is finished."""

    def plan(self, user: User, seconds: float) -> Result:
        """Host: how large one of so many seconds would be: ``{"kind": "png" or "jpg", "rate_hz", "bytes"}``."""

    def begin(self, user: User, seconds: float | None, ring_s: float | None) -> Result:
        """Host: begin one of so many seconds, or one that keeps the last ``ring_s`` until it is stopped; what was
        recorded before is deleted. Done as ``state``."""

    def stop(self, user: User) -> Result:
        """Host: end it now; done as ``state``, in which it may take a moment to be over."""

    def delete(self, user: User) -> Result:
        """Host: delete what was recorded; done as ``state``."""

    def file(self, user: User) -> tuple[str, Iterator[bytes]] | None:
        """The finished recording as a zip file, piece by piece, with its name; ``None`` = there is none. The pieces
        must be closed by who does not want all.

        Raises:
            PermissionError: Not for this user, or not now.
        """


class CardPhotoService(Protocol):
    """Cards read from photographs and held until somebody confirms them (``companion.public.card_reading``). Nothing
    of it is in a deck by itself."""

    def take(self, user: User, deck: str, picture: bytes | None, layout: str) -> Result:
        """Host: read the cards of a photograph (JPEG, PNG or WebP), or of the camera's picture (``None``): ``{"read":
        their ids}``."""

    def proposals(self, user: User, deck: str, document: JSON) -> JSON | None:
        """Host: ``{"reads": whether words are read here, "cards": [{"card", "title", "needs", "nothing", "unknown",
        "edged"}]}`` for a deck as it is typed so far; ``None`` for anybody else, and where nothing can be read."""

    def piece(self, user: User, deck: str, card: str, piece: str) -> bytes | None:
        """Host: the ``title``, the ``needs`` or the ``symbol`` of a card that was read, as JPEG."""

    def forget(self, user: User, deck: str, card: str) -> Result:
        """Host: let a card's reading go: ``{"card"}``."""


class VisitingService(Protocol):
    """A seat of the simulated table in the hands of whoever joined it: its cards are laid by touch, drawn, and seen by
    the eye. Everywhere else each of these answers ``NotFound``; a user without a seat is ``Denied``."""

    def seat(self, user: User) -> Result:
        """Done with ``{"match", "playing"}``, and while he plays ``{"hand", "called", "astray", "zones", "waiting"}``:
        the cards that he alone sees, those of his that lie where they do not belong, the zones in which a card can be
        laid, and how many gestures wait for the hand."""

    def play(self, user: User, playing: bool) -> Result:
        """Take the seat into one's own hands, or give it back to the dice; done as ``seat``."""

    def act(self, user: User, act: Mapping[str, JSON]) -> Result:
        """Have the hand do something: ``{"do": "lay", "card", "to": zone}`` with an optional ``beside``: a card that
        lies there, ``{"do": "take", "card"}`` back, ``{"do": "show", "card": a command card}``, ``{"do": "call",
        "card"}``. Done with ``{"waiting"}``; what comes of it, the referee says when the camera has seen it."""


class Services(Protocol):
    """Everything that pages and scripts are handed."""

    @property
    def match(self) -> MatchService:
        """The match that is being played."""

    @property
    def archive(self) -> ArchiveService:
        """The stored matches."""

    @property
    def decks(self) -> DeckService:
        """The table's own decks."""

    @property
    def setup(self) -> TableSetup:
        """The table itself."""

    @property
    def photos(self) -> CardPhotoService:
        """Cards read from photographs."""

    @property
    def box(self) -> BoxCheckService:
        """The check of a box of cards."""

    @property
    def phone(self) -> PhoneCameraService:
        """A phone as the camera."""

    @property
    def recording(self) -> RecordingService:
        """The recording of the table."""

    @property
    def visiting(self) -> VisitingService:
        """Seats of the simulated table that visitors play."""
