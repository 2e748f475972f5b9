"""The shapes of what services give back: the API sends them as they are.

Where a service gives sentences that are translated for each reader, its own shape stands at the end of this module, and
``web/api`` has the one with words.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from msgspec import Meta

from companion.public.text import Text

SEAT_MODES = ("open", "ask", "closed")
SeatModeWord = Annotated[str, Meta(extra_json_schema={"enum": list(SEAT_MODES)})]

_MARKS = "By entry the ``picture`` (from 1) that shows its card best, its ``size`` in pixels, the ``card``'s corners."


class OwedJson(TypedDict):
    """An act that this seat must do next."""

    seat: int
    do: str


class StandingJson(TypedDict):
    """The public standing as in the record; lists are by seat, seat 1 first. A game may add counters."""

    turn: int | None
    points: list[int]
    hands: NotRequired[list[int]]
    stack: NotRequired[int]
    trumps: NotRequired[int]
    owed: list[OwedJson]
    over: bool
    winners: list[int]
    provisional: NotRequired[bool]


class EntryJson(TypedDict):
    """An entry as in the record; further keys depend on its event."""

    number: int
    event: str
    origin: NotRequired[str]
    time_s: NotRequired[float]
    move: NotRequired[dict[str, Any]]
    points: NotRequired[int]
    objections: NotRequired[list[dict[str, Any]]]
    standing: NotRequired[StandingJson]


class MatchId(TypedDict):
    """The match that was changed."""

    match: str


class Noted(TypedDict):
    """Nothing more is to say."""


class PictureShown(TypedDict):
    """Whether everybody may see the table now."""

    shown: bool


class WithoutPicture(TypedDict):
    """Whether the host goes on without a picture."""

    without: bool


class GameBug(TypedDict):
    """A bug in a game, for which a match stands still or cannot be followed."""

    game: str
    function: str
    place: Annotated[str, Meta(description="File and line.")]


class CheckedPiece(TypedDict):
    """A piece of the box, and whether its sticker was read."""

    token: str
    number: str
    name: str
    read: bool
    wrong: list[Literal["doubled", "small", "smudged"]]


class UnreadStickers(TypedDict):
    """The number of stickers that could not be read, by reason."""

    small: int
    smudged: int


class CheckedBox(TypedDict):
    """The progress of the check of a box."""

    pieces: list[CheckedPiece]
    missing: int
    lying: int
    fresh: Annotated[list[str], Meta(description="Tokens that were read for the first time.")]
    unread: UnreadStickers
    foreign: int


class SeenPiece(TypedDict):
    """The position of a piece in the camera's picture, in pixels, and its clockwise rotation."""

    token: str
    x: int
    y: int
    turned_deg: float


class SeenPieces(TypedDict):
    """The pieces on the table; none is checked off."""

    seen: list[SeenPiece]
    unread: int


class DrawnZone(TypedDict):
    """A zone and its corners, in millimetres."""

    name: str
    polygon: Annotated[list[Annotated[list[float], Meta(min_length=2, max_length=2)]], Meta(min_length=3)]


class WifiNetwork(TypedDict):
    """A Wi-Fi in range."""

    name: str
    secured: bool
    signal: Annotated[int, Meta(ge=0, le=100)]


class FinishedRecording(TypedDict):
    """The recording that is ready for download."""

    match: str
    frames: int
    seconds: float
    pictures: list[str]
    bytes: int


class RecordingState(TypedDict):
    """The progress of the recording; the last four keys only while it runs."""

    recording: bool
    ready: FinishedRecording | None
    broken_off: Annotated[str | None, Meta(description="Why it ended early.")]
    seconds: NotRequired[float]
    of: NotRequired[float | None]
    ring: NotRequired[bool]
    bytes: NotRequired[int]


class PlannedRecording(TypedDict):
    """The estimated size of a recording."""

    kind: str
    rate_hz: float
    bytes: int


class Asked(TypedDict):
    """A request for a seat."""

    key: Annotated[str, Meta(description="For `/seats/join`.")]
    left_s: int


class AnsweredSeat(TypedDict):
    """The seat that was asked for."""

    seat: int


class SeatMode(TypedDict):
    """Who may take a seat without its code: anybody, whom the host lets in, or nobody."""

    mode: SeatModeWord


class Visit(TypedDict):
    """Whether I play my simulated seat; all keys but ``match`` and ``playing`` only while I do."""

    match: str | None
    playing: bool
    hand: NotRequired[list[str]]
    called: NotRequired[
        Annotated[str | None, Meta(description="The card that I called and hold, before it is placed in the tree.")]
    ]
    astray: NotRequired[Annotated[list[str], Meta(description="Cards that I placed where they do not belong.")]]
    zones: NotRequired[Annotated[list[str], Meta(description="Zones for cards.")]]
    waiting: NotRequired[Annotated[int, Meta(description="Queued actions of the hand.")]]
    gains: NotRequired[
        Annotated[
            dict[str, int],
            Meta(
                description="The cards within reach that would be lawful now, with their points. Not in silent games."
            ),
        ]
    ]


class Waiting(TypedDict):
    """The queue of the hand."""

    waiting: int


class Looked(TypedDict):
    """The size of the picture, and the recent rate of pictures."""

    size_px: Annotated[list[int], Meta(min_length=2, max_length=2)]
    rate_hz: float


class RecordDamage(TypedDict):
    """How many entries of a damaged record can be followed (null: none), and how many are lost."""

    kept: int | None
    lost: int


class StoredMatchLine(TypedDict):
    """A stored match; if it is neither running nor over, it was interrupted."""

    id: str
    game: NotRequired[Annotated[str, Meta(description="Not of a record that cannot be read.")]]
    profile: str
    seats: list[str]
    began: str
    over: bool
    running: bool
    entries: int
    points: NotRequired[list[int]]
    winners: NotRequired[list[int]]
    missing: NotRequired[Annotated[bool, Meta(description="Its game is not installed here, or does not load.")]]
    ended: NotRequired[Annotated[bool, Meta(description="It runs, has ended, and may still be corrected.")]]
    damage: NotRequired[Annotated[RecordDamage, Meta(description="A part of its record cannot be read.")]]
    asked: NotRequired[Annotated[bool, Meta(description="It runs, and its points hang on an open question.")]]
    provisional: NotRequired[
        Annotated[bool, Meta(description="It seems to have ended, which may still change: it has no winners yet.")]
    ]
    stopped: NotRequired[Annotated[bool, Meta(description="It runs, and stands still for a bug in its game.")]]
    bug: NotRequired[Annotated[GameBug, Meta(description="Its game has a bug: it cannot be followed.")]]
    pending: NotRequired[Annotated[bool, Meta(description="Still being worked out: names and points come later.")]]


class Figures(TypedDict):
    """How well a match was refereed; unknown values are null."""

    placements: float | None
    corrections: Annotated[float | None, Meta(description="Struck, claimed, allowed, counted or misread by people.")]
    corrections_per_100: Annotated[float | None, Meta(description="For each 100 placements.")]
    taken_back: Annotated[float | None, Meta(description="Cards that players took off the table.")]
    refusals: Annotated[float | None, Meta(description="Of what the camera saw.")]
    overruled: Annotated[float | None, Meta(description="Refusals that people overruled.")]
    false_alarms: Annotated[float | None, Meta(description="Refusals that were allowed, or the camera was wrong.")]
    questions: float | None
    unexplained: float | None
    play_s: float | None
    waited_s: Annotated[float | None, Meta(description="From the hand's leaving to the verdict; the median.")]
    waits: Annotated[float | None, Meta(description="Verdicts that ``waited_s`` is of.")]
    pictures: Annotated[dict[str, int], Meta(description="Number of stored pictures, by entry.")]
    marks: NotRequired[Annotated[dict[str, Any], Meta(description=_MARKS)]]


class StoredRecord(TypedDict):
    """The match that a record is stored as."""

    match: str
    already: NotRequired[Annotated[bool, Meta(description="It was here before: nothing was stored again.")]]


class DeckLine(TypedDict):
    """One of the table's own decks; for games other than the default one with ``game``, and ``of``, the number of
    things."""

    name: str
    file: str
    title: str
    entered: int
    game: NotRequired[str]
    of: NotRequired[int]


class SpreadsheetReading(TypedDict):
    """A possible encoding of a spreadsheet, and its first words with other letters than English has."""

    encoding: str
    words: list[str]


class ReadDeck(TypedDict, total=False):
    """The deck file from a spreadsheet, as JSON; or, if its alphabet must be asked for, the possible ones."""

    deck: dict[str, Any]
    readings: list[SpreadsheetReading]


class DeckCard(TypedDict):
    """The card that was changed."""

    name: str
    card: str


class ReadCard(TypedDict):
    """The proposal for a card that was read from a photograph."""

    card: str
    title: str
    needs: list[str]
    nothing: Annotated[bool, Meta(description="The card says that it has no prerequisites.")]
    unknown: Annotated[list[str], Meta(description="Words that are not the name of a card.")]
    edged: Annotated[bool, Meta(description="The card's edge was seen.")]


class ReadCards(TypedDict):
    """Proposals for cards read from photographs, and whether text recognition is available."""

    reads: bool
    cards: list[ReadCard]


class CardsRead(TypedDict):
    """The cards whose stickers were read."""

    read: list[str]


class ReadingGone(TypedDict):
    """The card whose reading was deleted."""

    card: str


class TableHealth(TypedDict):
    """How the table and its camera are."""

    ok: bool
    version: str
    source: str
    simulated: bool
    camera: Annotated[str, Meta(description="ok, none, or what is wrong with it.")]
    last_look_s: float | None
    entries: int
    sight: Any
    pictures: Any
    bug: GameBug | None


class TakenSeat(TypedDict):
    """The seat of the simulated table that was taken."""

    seat: int


class SeatCode(TypedDict):
    """What became of a request for a seat: the seat's long code, ``None`` while it waits."""

    code: str | None
    left_s: int


# -- with sentences that are not translated yet ---------------------------------------------------


class ZonesInUse(TypedDict):
    """The zones of the table, and why they may not be changed now."""

    size_mm: NotRequired[list[float]]
    zone: list[DrawnZone]
    movable: bool
    why: Text | None


class DeckRemark(TypedDict):
    """An error or a gap in a deck, and its place."""

    what: Text | str
    where: list[str | int]


class SavedDeck(TypedDict):
    """A deck as entered, with its errors and gaps; ``drawn`` if its game draws what is entered: each card as pages draw
    it, ``None`` for an incomplete one."""

    name: str
    file: str
    entered: int
    faults: list[DeckRemark]
    open: list[DeckRemark]
    drawn: NotRequired[list[dict[str, Any] | None]]


class UploadProgress(TypedDict):
    """The progress of a file that the host sends in pieces; of a backup also ``made``, ``changes`` and ``code``, of an
    update ``now`` and ``version``."""

    state: str
    last: NotRequired[Text | str | None]
    name: NotRequired[str]
    bytes: NotRequired[int]
    received: NotRequired[int]
    why: NotRequired[Text | str | None]
    made: NotRequired[str]
    changes: NotRequired[list[Text]]
    code: NotRequired[str | None]
    now: NotRequired[str]
    version: NotRequired[str]


class TakenUpload(TypedDict, total=False):
    """What is told besides when an upload is used: of a backup the new host code, ``None`` = unchanged."""

    code: str | None


class WifiConnection(TypedDict):
    """The Wi-Fi that the machine uses, and those in range."""

    state: Literal["idle", "working"]
    own: bool
    now: str | None
    networks: list[WifiNetwork]
    last: Text | None
    address: str
