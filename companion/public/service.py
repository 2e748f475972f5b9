"""The services behind pages and scripts: what a user may see, ask and do. They deal with matches, never with HTTP.

Permissions are checked in two places:

- ``web.middleware.access``: each route names the least role that it requires. Methods that only the host's routes use
  and that change nothing check no role again.
- The services check what depends on more than the role: whose seat it is, whether the match is silent, whether an
  entry is the last one. As defence in depth, in case a route is given the wrong role, every method that changes
  something checks the role once more, in one place for each service.

Every method may be called from any thread.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Generic, Protocol, TypeAlias, TypeVar

from companion.errors import InputError
from companion.public.standing import AvailableMove
from companion.public.table import Seat
from companion.public.text import JSON, Text, fault_text
from companion.public.updates import OfferedCorrection, Update

if TYPE_CHECKING:  # msgspec is loaded where something is sent
    from companion.public.results import (
        AnsweredSeat,
        Asked,
        CardsRead,
        CheckedBox,
        DeckCard,
        DeckLine,
        EntryJson,
        Figures,
        Looked,
        MatchId,
        Noted,
        PictureShown,
        PlannedRecording,
        ReadCards,
        ReadDeck,
        ReadingGone,
        RecordingState,
        SavedDeck,
        SeatCode,
        SeatMode,
        SeenPieces,
        StoredMatchLine,
        StoredRecord,
        TableHealth,
        TakenSeat,
        Visit,
        Waiting,
        WithoutPicture,
        ZonesInUse,
    )


class Role(Enum):
    """A user's role at the table. A hub sees what a spectator sees, and answers questions if the host allows it."""

    SPECTATOR = "spectator"
    HUB = "hub"
    SEAT = "seat"
    HOST = "host"


@dataclass(frozen=True, slots=True)
class User:
    """The user behind a request. A host who also plays has a seat; ``outside``: the host does not play."""

    role: Role
    seat: Seat | None = None
    outside: bool = False


SPECTATOR = User(Role.SPECTATOR)


@dataclass(frozen=True, slots=True)
class RequestKey:
    """What makes a request that is repeated act once, even if the table was started anew in between.

    Attributes:
        key: A hash of who asks, of what is asked for, and of the key that came with it.
        body: A hash of the body: the same key with another body is a mistake.
    """

    key: str
    body: str


# -- results of requests ------------------------------------------------------------------------


T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Done(Generic[T_co]):
    """It was done; ``value`` is the result, as JSON in a form of ``companion.public.results``."""

    value: T_co


@dataclass(frozen=True, slots=True)
class Denied:
    reason: Text


@dataclass(frozen=True, slots=True)
class NotFound:
    reason: Text = Text("desk.no_such")  # noqa: RUF009 - a value that never changes


@dataclass(frozen=True, slots=True)
class Stale:
    """It does not fit the present state; without a reason, something happened since the user last looked."""

    reason: Text | None = None


@dataclass(frozen=True, slots=True)
class Invalid:
    """The input cannot be used.

    Attributes:
        faults: Everything that is wrong with it.
        zones: The names of the zones concerned, if zones are wrong.
    """

    faults: tuple[Text | str, ...]
    zones: tuple[str, ...] = ()

    @classmethod
    def of(cls, error: InputError) -> Invalid:
        """From the faults that a reader found."""
        return cls(tuple(fault_text(fault) for fault in error.faults))


@dataclass(frozen=True, slots=True)
class Unavailable:
    """It cannot be done now: the disk is full, or the referee does not answer in time."""

    reason: Text | str


Refusal: TypeAlias = Denied | NotFound | Stale | Invalid | Unavailable
"""Why it was not done."""

Result: TypeAlias = Done[T_co] | Refusal
"""A reason is a ``Text`` wherever a person may read it, so that it can be translated for each reader."""


# -- the services -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class JoinCode:
    """A code for joining as this user: ``code`` of 128 bits for links, ``short`` of six characters to type."""

    user: User
    code: str
    short: str


class MatchService(Protocol):
    """The match in play, and its participants.

    With a ``request``, what writes an entry or begins a match does so once: a repetition gets the first answer again,
    made from the record, also after the table was started anew; the same key with another body is ``Invalid``.
    """

    def user(self, code: str) -> User | None:
        """The user with this long or short code, in the form of ``companion.public.join_code``; ``None`` = no user."""

    def join_codes(self, user: User) -> tuple[JoinCode, ...]:
        """The codes that this user may hand out: all for the host, their own for a seat."""

    def announce(self, user: User) -> None:
        """Tell all phones that a further phone has joined as this user."""

    def renew_join_codes(self, user: User, whose: User | None) -> Result[Noted]:
        """Host: make new codes for a seat, for the host, or with ``None`` for all. The old ones stop
        working, so phones that joined with them have to join again.
        """

    def hub_code(self, user: User) -> str | None:
        """Host: the code to type at a hub; ``None`` = there is none, or this user may not see it."""

    def hub_long_code(self) -> str | None:
        """The code of 128 bits that a hub uses after the short one was typed there; ``None`` = there is none."""

    def hub_answers(self) -> bool:
        """Whether a referee at a hub may answer this table's questions."""

    def set_hub(self, user: User, do: str) -> Result[Noted]:
        """Host: change the hub's access.

        Args:
            do: ``open``: draw a new code for a hub; ``close``: withdraw it; ``allow`` and ``forbid``: whether a referee
                may answer from there. With a new code, answers are forbidden.
        """

    def newest(self) -> Update | None:
        """The last update; ``None`` before anything happened."""

    def since(self, number: int) -> tuple[Update, ...]:
        """Updates of the running match with a greater entry number, oldest first."""

    def subscribe(self, subscriber: Callable[[Update], None]) -> Callable[[], None]:
        """Call ``subscriber`` with every later update; returns the function that stops it."""

    def current(self) -> JSON | None:
        """The running match as pages need it, or ``None``.

        ``{"id", "generation", "went_back", "game", "profile", "silent", "scored", "host", "simulated", "seats":
        [{"number", "name", "team", "bot"}], "options", "deck", "pictures"}``. ``deck`` is the deck file as JSON, and
        ``pictures`` the name of the table's own deck that may have pictures of its cards. Also ``things`` if the
        game's pages need more than the deck file to draw cards.

        ``generation`` changes when a backup is brought back or a damaged end is set aside: then entry numbers that
        were told may be given again, and ``went_back`` is true.
        """

    def available_moves(self, user: User) -> tuple[AvailableMove, ...]:
        """The moves without a card that this user may make now."""

    def corrections(self, user: User) -> tuple[OfferedCorrection, ...]:
        """What this user can correct now, of all that ``Update.corrections`` tells everybody: a seat what is its own to
        correct, the host everything. Pages, the undo button and the command card act by the same answer.
        """

    def view(self, user: User) -> JSON:
        """The table as this user may see it."""

    def move(
        self,
        user: User,
        move: Mapping[str, JSON],
        after: int | None,
        meant: str | None = None,
        *,
        request: RequestKey | None = None,
    ) -> Result[EntryJson | None]:
        """Make a move; the result is the public entry.

        Args:
            after: The last entry that the user knows.
            meant: The id of the match that the move is for; another match makes it stale.
        """

    def correct(
        self, user: User, correction: Mapping[str, JSON], *, request: RequestKey | None = None
    ) -> Result[EntryJson | None]:
        """Contract section 8, ``/corrections``."""

    def answer(
        self, user: User, question: int, answer: int, meant: str | None = None, *, request: RequestKey | None = None
    ) -> Result[EntryJson | None]:
        """Answer an open question of the match ``meant``."""

    def seats(self, user: User) -> tuple[JSON, ...]:
        """Host: the changes that are possible for each seat of the running match.

        ``{"seat", "name", "bot", "here", "why", "cards", "next"}``. ``why`` is the reason, as a ``Text``, why its
        player cannot leave (or, for an empty seat, why a player cannot sit down). If it is ``None``, ``cards`` is the
        number of cards that would move between the hand and the stack, and ``next`` the seat whose turn it would be.
        """

    def start(self, user: User, match: Mapping[str, JSON], *, request: RequestKey | None = None) -> Result[MatchId]:
        """Host: close the running match, if any, and begin this one (a match file as JSON)."""

    def rematch(self, user: User, *, request: RequestKey | None = None) -> Result[MatchId]:
        """Host: the last match's seats, game and cards again, with the next dealer."""

    def go_on(self, user: User, match: str, *, request: RequestKey | None = None) -> Result[MatchId]:
        """Host: continue an interrupted match of this kind of table; the running one is interrupted.

        A player who sits in both under the same name stays connected.
        """


@dataclass(frozen=True, slots=True)
class RetoldMatch:
    """A stored match, played again and in words.

    Attributes:
        record: The lines of its record.
        told: By entry, what was announced at the time, with points and their reasons.
        things: The pieces it was played with, as pages draw them, each with its ``id``; ``None`` = the deck file
            suffices.
        statistics: As ``ArchiveService.statistics``.
    """

    record: tuple[str, ...]
    told: Mapping[int, tuple[Text, ...]]
    things: tuple[JSON, ...] | None
    statistics: Figures


class ArchiveService(Protocol):
    """The stored matches. Secrets of a match in play are shown as ``may_read`` allows.

    ``record``, ``retold``, ``pictures``, ``kept`` and ``statistics`` raise PermissionError: not for this user, or not
    now; and ``GameFault``: a bug in its game.
    """

    def matches(self, user: User) -> tuple[StoredMatchLine, ...]:
        """Stored matches, newest first.

        ``{"id", "profile", "seats", "began", "over", "running", "points", "winners", "entries"}``. A match that is
        neither over nor running was interrupted. ``ended``: the running match has ended, and may still be corrected;
        ``asked``: its points hang on an open question; ``provisional``: its end may still change, and there are no
        winners yet; ``stopped``: a bug in its game has stopped it. ``bug``: ``{"game", "function", "place"}`` of the
        bug for which a match cannot be followed.
        ``pending``: its line is still being worked out; all but ``id``, ``began`` and ``over`` is empty.
        """

    def match(self, user: User, match: str) -> StoredMatchLine | None:
        """One line of ``matches``, never a pending one; ``None`` if there is no such match."""

    def kept(self, user: User, match: str, name: str, make: Callable[[], bytes]) -> bytes | None:
        """What ``make`` works out about a match; of a match that is over it is worked out once and kept, until the
        match, the companion or a game changes. ``None`` if there is no such match.

        Args:
            name: What it is, with the reader's language and all else that it depends on.

        Raises:
            PermissionError: Not for this user, or not now.
        """

    def is_silent(self, match: str) -> bool:
        """Whether unlawful moves were kept secret in this match; ``False`` if there is no such match."""

    def record(self, user: User, match: str) -> Iterator[str] | None:
        """The lines of a match's record; ``None`` if there is no such match."""

    def retold(self, user: User, match: str) -> RetoldMatch | None:
        """What was announced in a match; ``None`` if there is no such match."""

    def pictures(self, user: User, match: str, number: int) -> tuple[bytes, ...] | None:
        """The pictures (JPEG, oldest first) of an entry; ``None`` if there is no such match."""

    def statistics(self, user: User, match: str) -> Figures | None:
        """How well a match was refereed (contract, section 8: figures); ``None`` if there is no such match.

        ``pictures``: the number of pictures, by entry number as text; ``marks``: where the card lies in one of them.
        """

    def delete(self, user: User, match: str, *, request: RequestKey | None = None) -> Result[MatchId]:
        """Host only."""

    def close(self, user: User, match: str, *, request: RequestKey | None = None) -> Result[MatchId]:
        """Host: close an interrupted match, which then ends without a winner."""

    def undelete(self, user: User, match: str, *, request: RequestKey | None = None) -> Result[MatchId]:
        """Host: bring back a match that was deleted since the program started."""

    def import_record(self, user: User, record: str, *, request: RequestKey | None = None) -> Result[StoredRecord]:
        """Host: store the text of a record as a finished match; the result has ``already`` if it was here before."""


class DeckService(Protocol):
    """The table's own decks, and the pictures of their cards."""

    def form(self, game: str | None = None) -> JSON:
        """What a deck of this game consists of; ``None`` = the default game.

        Returns:
            ``{"families", "cards", "things", "patterns"}``: the families' names, the ids of all cards in printed order,
            the deck file's word for their list, and what people choose from when they enter a card.

        Raises:
            KeyError: There is no such game.
        """

    def check(self, deck: JSON) -> JSON:
        """Check a deck as typed: ``{"faults", "open"}`` as in ``save_deck``, and ``"drawn"``.

        Raises:
            InputError: It names an unknown game.
        """

    def summaries(self) -> tuple[DeckLine, ...]:
        """All of them: ``{"name", "file", "title", "entered"}``."""

    def newest(self, game: str) -> str | None:
        """The file of the full deck of a game that was saved last; ``None`` if there is none."""

    def deck(self, name: str) -> JSON | None:
        """One of them as JSON, or ``None``."""

    def demo(self, game: str | None = None) -> JSON:
        """The demo deck of a game; without one, of the default game."""

    def spreadsheet(self, name: str, language: str) -> bytes | None:
        """One of them as CSV, or ``None``."""

    def read_spreadsheet(self, user: User, name: str, content: bytes, encoding: str = "") -> Result[ReadDeck]:
        """Host: read a deck from CSV: ``{"deck"}``. Nothing is saved.

        If its alphabet must be asked for: ``{"readings"}``, each with its ``encoding`` and the first ``words`` in it.
        """

    def save_deck(self, user: User, name: str, deck: JSON) -> Result[SavedDeck]:
        """Host: save a deck as typed: ``{"name", "file", "entered", "faults", "open"}``.

        Each fault is ``{"what", "where"}``; ``what`` is a ``Text`` or a sentence. If the game draws what is entered,
        also ``"drawn"``: each card as pages draw it, ``None`` for an incomplete one.
        """

    def pictured_cards(self, user: User, deck: str) -> tuple[str, ...]:
        """The cards of a deck that have a picture; empty for spectators."""

    def card_picture(self, deck: str, card: str) -> bytes | None:
        """A card's picture as JPEG; ``None`` if there is none."""

    def keep_card_picture(self, user: User, deck: str, card: str, picture: bytes) -> Result[DeckCard]:
        """Host: save a card's picture (JPEG, PNG or WebP), scaled down: ``{"name", "card"}``."""

    def delete_card_picture(self, user: User, deck: str, card: str) -> Result[DeckCard]:
        """Host: delete a card's picture: ``{"name", "card"}``."""


class TableSetup(Protocol):
    """The table itself: its zones, its camera, and its health."""

    def zones(self) -> ZonesInUse | None:
        """The zones in use, in the form of a match file's ``[table]``; ``None`` = there are none.

        Also ``movable``: whether they may be changed now, and if not, ``why``, as a ``Text``.
        """

    def set_zones(self, user: User, table: JSON) -> Result[ZonesInUse]:
        """Host: save zones (in the form of ``zones``) for this table; ``None`` = back to the default. Stale once
        cards lie in the running match.
        """

    def camera_picture(self, user: User, straight: bool = False) -> bytes | None:
        """The camera's last picture as JPEG, if any.

        Args:
            straight: Rectified: the field seen from straight above, a pixel for a millimetre, with a margin of 30 mm.

        Raises:
            PermissionError: Not for this user, or not now.
        """

    @property
    def shown(self) -> ShownPicture:
        """The picture of the table that everybody may see."""

    @property
    def without_picture(self) -> bool:
        """Whether the host goes on setting up although the camera does not see the table."""

    def go_without_picture(self, user: User, without: bool) -> Result[WithoutPicture]:
        """Host: go on without a picture, or not; kept in the data folder: ``{"without"}``."""

    def health(self) -> TableHealth:
        """``{"ok", "version", "source", "simulated", "camera": "ok"|"lost"|…, "last_look_s", "entries"}``."""


class ShownPicture(Protocol):
    """The picture of the table that everybody may see: of a drawn table, or where the host shows a real one
    (``companion.service.shown_picture``). In a silent game there is none.
    """

    @property
    def allowed(self) -> bool:
        """Whether the host shows it; a drawn table is always shown."""

    @property
    def shown(self) -> bool:
        """Whether everybody may see it now."""

    def allow(self, user: User, allowed: bool) -> Result[PictureShown]:
        """Host: show it or not: ``{"shown"}``."""

    def now(self) -> bytes | None:
        """A small JPEG picture, with the cards' corners in a comment; ``None`` while the table is not found.

        Raises:
            PermissionError: It is not shown.
        """


class BoxCheckService(Protocol):
    """Checks a box of cards under the camera (``companion.service.box_check``).

    It never affects the referee. On a real table, it does not look while a match is in play and not paused.
    """

    def begin(self, user: User, deck: JSON | None, game: str | None, language: str) -> Result[CheckedBox]:
        """Host: begin with the pieces of a deck file as JSON, or of a game's built-in deck; the result is that of
        ``look``.
        """

    def look(self, user: User, language: str) -> Result[CheckedBox]:
        """Host: look once; the result is ``{"pieces": [{"token", "number", "name", "read", "wrong"}], "missing",
        "lying", "fresh", "unread": {"small", "smudged"}, "foreign"}``.
        """

    def see(self, user: User, game: str | None) -> Result[SeenPieces]:
        """Host: all pieces of a game in view, whether checked off or not.

        ``{"seen": [{"token", "x", "y", "turned_deg"}], "unread"}``. ``x`` and ``y`` are pixels of the camera's picture,
        ``turned_deg`` degrees clockwise from upright in it; ``unread`` are codes that are visible but cannot be read.
        """


class PhoneCameraService(Protocol):
    """A phone as the table's camera; ``NotFound`` if the table uses another camera.

    Its answers depend only on the form of the pictures, never on their content.
    """

    def take(self, user: User, phone: str, jpeg: bytes, *, instead: bool) -> Result[Looked]:
        """Host: take this picture from the phone with this id: ``{"size_px", "rate_hz"}`` of recent pictures.

        Stale while another phone is the camera, unless this one is to replace it (``instead``). Unavailable if pictures
        come too fast.
        """


class RecordingService(Protocol):
    """The recording that the host starts on a page: one at a time, of the match at the table.

    It is made as by ``companion record``. ``NotFound`` if nothing can be recorded; ``Denied`` for users who may not see
    the camera's picture now.
    """

    def state(self, user: User) -> Result[RecordingState]:
        """Host: ``{"recording", "ready", "broken_off"}``; while recording also ``{"seconds", "of", "ring",
        "bytes"}``. ``ready`` is ``{"match", "frames", "seconds", "pictures", "bytes"}`` of the finished recording.
        """

    def plan(self, user: User, seconds: float) -> Result[PlannedRecording]:
        """Host: the size of a recording of this length: ``{"kind": "png" or "jpg", "rate_hz", "bytes"}``."""

    def begin(self, user: User, seconds: float | None, ring_s: float | None) -> Result[RecordingState]:
        """Host: start a recording of this length, or one that keeps the last ``ring_s`` until it is stopped. The
        earlier recording is deleted. The result is that of ``state``.
        """

    def stop(self, user: User) -> Result[RecordingState]:
        """Host: stop it; the result is that of ``state``, which may take a moment to change."""

    def delete(self, user: User) -> Result[RecordingState]:
        """Host: delete the recording; the result is that of ``state``."""

    def file(self, user: User) -> tuple[str, Iterator[bytes]] | None:
        """The finished recording as a zip file, in pieces, with its name; ``None`` if there is none.

        A caller that does not read all pieces must close the iterator.

        Raises:
            PermissionError: Not for this user, or not now.
        """


class CardPhotoService(Protocol):
    """Cards read from photographs, kept until the host confirms them (``companion.public.card_reading``).

    No deck changes without confirmation.
    """

    def take(self, user: User, deck: str, picture: bytes | None, layout: str) -> Result[CardsRead]:
        """Host: read the cards in a photograph (JPEG, PNG or WebP), or in the camera's picture (``None``):
        ``{"read": their ids}``.
        """

    def proposals(self, user: User, deck: str, document: JSON) -> ReadCards | None:
        """Host: the cards read so far, compared with a deck as typed so far.

        ``{"reads": whether words can be read here, "cards": [{"card", "title", "needs", "nothing", "unknown",
        "edged"}]}``; ``None`` for other users, and if nothing can be read.
        """

    def piece(self, user: User, deck: str, card: str, piece: str) -> bytes | None:
        """Host: the ``title``, ``needs`` or ``symbol`` of a card that was read, as JPEG."""

    def forget(self, user: User, deck: str, card: str) -> Result[ReadingGone]:
        """Host: discard a card's reading: ``{"card"}``."""


class VisitingService(Protocol):
    """A seat of the simulated table, played by the person who joined it.

    Its cards are laid by touch, drawn, and seen by the simulated camera. On a real table, each method answers
    ``NotFound``; a user without a seat is ``Denied``.
    """

    def seat(self, user: User) -> Result[Visit]:
        """``{"match", "playing"}``, and while the person plays ``{"hand", "called", "astray", "zones", "waiting"}``.

        These are the cards that only this person sees, their misplaced cards, the zones in which a card can be laid,
        and the number of gestures waiting for the hand.
        """

    def play(self, user: User, playing: bool) -> Result[Visit]:
        """Play the seat, or give it back to the simulation; the result is that of ``seat``."""

    def can_take(self) -> bool:
        """Whether there is a seat that nobody plays."""

    def take(self) -> Result[TakenSeat]:
        """Play such a seat, the one whose turn comes next: ``{"seat"}``. Stale if there is none."""

    def act(self, user: User, act: Mapping[str, JSON]) -> Result[Waiting]:
        """Queue a gesture of the hand: ``{"waiting"}``. The referee responds when the camera has seen it.

        Args:
            act: ``{"do": "lay", "card", "to": zone}`` with an optional ``beside``: a card that lies there; ``{"do":
                "take", "card"}`` back; ``{"do": "show", "card": a command card}``; or ``{"do": "call", "card"}``.
        """


@dataclass(frozen=True, slots=True)
class SeatRequest:
    """A phone that waits to be let in.

    Attributes:
        number: What it is answered by.
        name: As typed; the seat is called so when the phone is let in.
        left_s: Whole seconds until it is over; unanswered is no.
    """

    number: int
    seat: Seat
    name: str
    left_s: int


@dataclass(frozen=True, slots=True)
class SeatRequests:
    """Who may take a seat without its code.

    Attributes:
        mode: ``open``: anybody, but in a silent match whom the host lets in; ``ask``: whom the host lets in;
            ``closed``: nobody.
        free: The seats of people for whom no phone speaks yet.
        waiting: For whoever may answer: who waits to be let in.
    """

    mode: str
    free: tuple[Seat, ...]
    waiting: tuple[SeatRequest, ...]


class SeatRequestService(Protocol):
    """People sit down from the television's code: they ask for a free seat of the match at the table.

    The host answers; at a table where no phone has been the host since the program started, any seat does. Until then
    the phone sees what a spectator sees.
    """

    def state(self, user: User) -> SeatRequests:
        """What is free, and for whoever may answer, who waits."""

    def set_mode(self, user: User, mode: str) -> Result[SeatMode]:
        """Host: ``open``, ``ask`` or ``closed``, kept in the data folder: ``{"mode"}``."""

    def ask(self, address: str, seat: int, name: str, instead: str | None) -> Result[Asked]:
        """Ask for a free seat: ``{"key", "left_s"}``; where ``mode`` is ``open`` the phone is let in at once.

        Stale if a phone speaks for the seat, or another asks for it.

        Args:
            address: Whose requests come to nothing three times in ten minutes has to wait.
            name: What the person is called.
            instead: The key of an earlier request, which is taken back, and came to nothing.
        """

    def answer(self, user: User, number: int, yes: bool) -> Result[AnsweredSeat]:
        """Let a phone in, or not: ``{"seat"}``. The seat gets the name that was typed."""

    def joined(self, key: str) -> Result[SeatCode]:
        """What became of the request with this key: ``{"code", "left_s"}``; ``code`` is the seat's long code, ``None``
        while the request waits. Stale if it was refused, or nobody answered.
        """

    def left(self, user: User) -> None:
        """This user's phone has left its seat, which is free again; it has to ask anew."""


class FirstPhoneService(Protocol):
    """Makes the first phone that asks the host, while the machine has no host (``companion.service.first_phone``)."""

    def is_open(self) -> bool:
        """Whether the next phone that asks becomes host."""

    def claim(self) -> str | None:
        """The host's code for the phone that asks, once; ``None`` = not now."""


class Services(Protocol):
    """All services that pages and scripts use."""

    @property
    def match(self) -> MatchService: ...

    @property
    def archive(self) -> ArchiveService: ...

    @property
    def decks(self) -> DeckService: ...

    @property
    def setup(self) -> TableSetup: ...

    @property
    def photos(self) -> CardPhotoService: ...

    @property
    def box(self) -> BoxCheckService: ...

    @property
    def phone(self) -> PhoneCameraService: ...

    @property
    def recording(self) -> RecordingService: ...

    @property
    def visiting(self) -> VisitingService: ...

    @property
    def seat_requests(self) -> SeatRequestService: ...
