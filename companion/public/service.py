"""The desk: what a visitor may see, ask and do. One place checks roles; pages and scripts go through it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from companion.errors import InputError
from companion.public.standing import AvailableMove
from companion.public.table import Seat
from companion.public.text import JSON, fault_text
from companion.public.updates import Update


@dataclass(slots=True)
class SystemActions:
    """What there is to ask for; ``None`` where this box cannot.

    Attributes:
        sheets: The stickers and tags as a PDF file: size in mm, paper, language, and the deck file as JSON whose names
            they bear (``None``: the built-in one). Raises InputError.
        rest: Makes the panel quiet: night, mute.
        lamp: Shows the lamp's and the buzzer's best once.
        shut_down: Switches the box off in good order.
        examine: Looks at everything as ``companion doctor`` does, which takes some seconds: ``{"name", "level", "what",
            "to_do"}``, the last two as ``Text``.
        night, muted: As was said last.
    """

    sheets: Callable[[float, str, str, JSON | None], bytes] | None = None
    rest: Callable[[bool, bool], None] | None = None
    lamp: Callable[[], None] | None = None
    shut_down: Callable[[], None] | None = None
    examine: Callable[[], tuple[JSON, ...]] | None = None
    night: bool = False
    muted: bool = False


class Role(Enum):
    """Who somebody is at the table."""

    SPECTATOR = "spectator"
    SEAT = "seat"
    HOST = "host"


@dataclass(frozen=True, slots=True)
class User:
    """Somebody at the door. A host who also plays has a seat; ``outside``: he does not play."""

    role: Role
    seat: Seat | None = None
    outside: bool = False


SPECTATOR = User(Role.SPECTATOR)


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer in HTTP's terms: 200 done, 403 not yours, 404 no such thing, 409 stale, 422 unreadable.

    Attributes:
        body: What came of it; for a refusal a ``Text`` (or a mapping with one under ``detail``), said to each
            reader in his language. What a file's reader found wrong is under ``faults``, each a ``Text`` or a sentence.
    """

    status: int
    body: JSON


def unusable(wrong: InputError) -> Reply:
    """What somebody sent cannot be used: everything that is wrong with it."""
    return Reply(422, {"detail": str(wrong), "faults": [fault_text(fault) for fault in wrong.faults]})


@dataclass(frozen=True, slots=True)
class JoinCode:
    """How to become a seat or the host: ``code`` of 128 bits for links, ``short`` of six characters to type."""

    visitor: User
    code: str
    short: str


class Desk(Protocol):
    """What the host hands to pages and scripts. Every method may be called from any thread."""

    def visitor(self, code: str) -> User | None:
        """Whose long or short code this is; ``None`` = nobody's."""

    def invitations(self, visitor: User) -> tuple[JoinCode, ...]:
        """The codes that this visitor may hand out: all for the host, his own for a seat."""

    def newest(self) -> Update | None:
        """The last news; ``None`` before anything happened."""

    def since(self, number: int) -> tuple[Update, ...]:
        """News of the running match with a greater entry number, oldest first."""

    def listen(self, outlet: Callable[[Update], None]) -> Callable[[], None]:
        """Hear all further news; returns how to stop."""

    def match(self) -> JSON | None:
        """The running match as pages need it, or ``None``: ``{"id", "game", "profile", "silent", "host",
        "simulated", "seats": [{"number", "name", "team", "bot"}], "options", "deck": {the deck file as JSON},
        "pictures": the name of the table's own deck in which pictures of its cards may be}``."""

    def offers(self, visitor: User) -> tuple[AvailableMove, ...]:
        """The spoken moves that this visitor may make now."""

    def view(self, visitor: User) -> JSON:
        """The table as this visitor may see it."""

    def move(self, visitor: User, move: Mapping[str, JSON], after: int | None) -> Reply:
        """Speak a move; 200 with the public entry."""

    def correct(self, visitor: User, correction: Mapping[str, JSON]) -> Reply:
        """Contract section 8, ``/corrections``."""

    def seats(self, visitor: User) -> tuple[JSON, ...]:
        """Host: what may be said about each seat of the running match now: ``{"seat", "name", "bot", "here", "why",
        "cards", "next"}``. ``why`` nobody may leave it (or, when it stands empty, sit down), as a ``Text``; without a
        reason ``cards`` would change between that hand and the stack, and it would be the turn of ``next``."""

    def answer(self, visitor: User, question: int, answer: int) -> Reply:
        """Answer an open question."""

    def start(self, visitor: User, match: Mapping[str, JSON]) -> Reply:
        """Host: close the running match, if any, and begin this one (a match file as JSON)."""

    def matches(self, visitor: User) -> tuple[JSON, ...]:
        """Stored matches, newest first: ``{"id", "profile", "seats", "began", "over", "points", "winners",
        "entries"}``."""

    def record(self, visitor: User, match: str) -> Iterator[str] | None:
        """The lines of a match's record, or ``None`` when it does not exist.

        Raises:
            PermissionError: Not for this visitor, or not now.
        """

    def pictures(self, visitor: User, match: str, number: int) -> tuple[bytes, ...] | None:
        """The pictures (JPEG, oldest first) that were kept of an entry, or ``None`` when there is no such match.

        Raises:
            PermissionError: As for ``record``.
        """

    def figures(self, visitor: User, match: str) -> JSON | None:
        """A match's honest figures (contract, section 8), or ``None`` when there is no such match. ``"pictures"``:
        how many were kept, by entry number as text.

        Raises:
            PermissionError: As for ``record``.
        """

    def rematch(self, visitor: User) -> Reply:
        """Host: the last match's seats, game and cards again, with the next dealer."""

    def forget(self, visitor: User, match: str) -> Reply:
        """Host: delete a stored match."""

    def restore(self, visitor: User, match: str) -> Reply:
        """Host: get a match back that was deleted since this program began."""

    def take_in(self, visitor: User, record: str) -> Reply:
        """Host: store the text of a record as a finished match."""

    def decks(self, visitor: User) -> tuple[JSON, ...]:
        """The table's own decks: ``{"name", "file", "title", "entered"}``."""

    def deck(self, visitor: User, name: str) -> JSON | None:
        """One of them as JSON, or ``None``."""

    def save_deck(self, visitor: User, name: str, deck: JSON) -> Reply:
        """Host: keep a deck as typed: ``{"name", "file", "entered", "faults", "open"}``; each fault is ``{"what",
        "where"}``, and what is wrong is a ``Text`` or a sentence."""

    def portraits(self, visitor: User, deck: str) -> tuple[str, ...]:
        """Which cards of one of the table's own decks have a picture."""

    def portrait(self, visitor: User, deck: str, card: str) -> bytes | None:
        """A card's picture as JPEG, for the host and the seats; ``None`` when there is none."""

    def keep_portrait(self, visitor: User, deck: str, card: str, picture: bytes) -> Reply:
        """Host: keep a picture of a card (JPEG, PNG or WebP), made small: ``{"name", "card"}``."""

    def forget_portrait(self, visitor: User, deck: str, card: str) -> Reply:
        """Host: delete a card's picture: ``{"name", "card"}``."""

    def layout(self, visitor: User) -> JSON | None:
        """Host: the zones that the eye goes by, in the form of a match file's ``[table]``; ``None`` = nothing to tell.
        Also ``"movable"``: whether they may be moved now, and else ``"why"`` not, as a ``Text``."""

    def settle_zones(self, visitor: User, table: JSON) -> Reply:
        """Host: keep these zones (as ``layout`` gives them) for this table; ``None`` = the usual ones again. 409 once
        cards lie in the running match."""

    def picture(self, visitor: User, straight: bool = False) -> bytes | None:
        """The camera's last picture as JPEG, ``straight``: the field seen straight from above, a pixel for a millimetre
        and 30 mm around it; ``None`` when there is none.

        Raises:
            PermissionError: Not for this visitor, or not now.
        """

    def health(self) -> JSON:
        """``{"ok", "version", "source", "simulated", "camera": "ok"|"lost"|…, "last_look_s", "entries"}``."""
