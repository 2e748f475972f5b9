"""What a game is: a frozen value with a part for each of those who ask.

``rules`` judge and carry out, ``table`` reads what lies there, ``words`` say it, ``board`` shows it, ``hidden`` keeps
what a silent game must not tell. Each part has an answer ready for what a simple game does not need. States are frozen
and functions pure: no clock, no dice, no disk. Judging (may this be done?) is apart from carrying out (what if it is
done?), because the card lies on the table either way.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, Protocol, TypeVar, cast

from companion.errors import InputError, fault
from companion.public.layout import Layout
from companion.public.shapes import Shape
from companion.public.standing import AvailableMove, Count, Standing
from companion.public.table import COMMAND_ZONE, CardId, Change, Expected, Seat, TableState, Token, Zone
from companion.public.text import JSON, Text


@dataclass(frozen=True, slots=True)
class Objection:
    """One reason against a move: the rule's name and the cards that it speaks of."""

    rule: str
    cards: tuple[CardId, ...] = ()


@dataclass(frozen=True, slots=True)
class MoveContext:
    """When a move is made: the log entry that it becomes, and seconds of play where known."""

    number: int
    time_s: float | None = None


class Move(Protocol):
    """One act by one seat: a frozen dataclass of JSON scalars and tuples of them.

    ``do`` is its name in the record. A field whose name in the record differs (``from``, ``as``) says
    so in its metadata: ``field(metadata={"key": "from"})``. A field with a default is optional there and
    left out while it has its default.
    """

    do: ClassVar[str]

    @property
    def by(self) -> Seat:
        """Who did it; 0 = the table itself."""

    @property
    def subject(self) -> CardId | None:
        """The card of the deck that it is about, laid or only named; ``None`` for plain words and for jokers."""

    @property
    def laid(self) -> CardId | None:
        """The card, joker or not, that it lays where a camera can see it."""

    @property
    def origin_zone(self) -> Zone | None:
        """Where that card had come from on the table; ``None`` when it lay in no zone."""

    @property
    def is_deal(self) -> bool:
        """It lays the table before anybody's turn; the record calls it ``dealt``."""


class PlainMove:
    """What most moves say of cards: nothing. A game's moves may inherit it and answer what differs."""

    __slots__ = ()

    @property
    def subject(self) -> CardId | None:
        """It is about no card."""
        return None

    @property
    def laid(self) -> CardId | None:
        """It lays none."""
        return None

    @property
    def origin_zone(self) -> Zone | None:
        """Nothing comes from anywhere."""
        return None

    @property
    def is_deal(self) -> bool:
        """It is no deal."""
        return False


class CardMove(PlainMove):
    """A move about one thing of the game, which its field ``card`` names."""

    __slots__ = ()
    card: CardId

    @property
    def subject(self) -> CardId:
        """It."""
        return self.card


class LayingMove(CardMove):
    """A move that lays its ``card`` where a camera can see it."""

    __slots__ = ()

    @property
    def laid(self) -> CardId:
        """It."""
        return self.card


def zones_of(cards: Mapping[Token, CardId], table: TableState) -> dict[CardId, Zone]:
    """The drawn zone of each of these cards that lies in one: all that a game needs whose places are drawn zones."""
    return {cards[token]: zone for token, zone in table.zones().items() if token in cards}


def misplaced(expected: Expected, lying: Mapping[CardId, Zone]) -> dict[CardId, Zone]:
    """What lies where it should not, and where; command cards lie where they are shown."""
    return {c: zone for c, zone in lying.items() if zone not in (COMMAND_ZONE, expected.cards.get(c))}


S = TypeVar("S")
P = TypeVar("P")


@dataclass(frozen=True, slots=True)
class Effect(Generic[S]):
    """What a move brought about.

    Attributes:
        state: The state after every consequence of the move.
        points: All that it brought to the seat that made it, bonuses included.
        extras: Further keys of the record's entry (``failed``, ``held``).
        score_reasons: One line for each part of the points, with the paragraph behind it.
        milestone: Something worth a fanfare was won before everybody's eyes (a trump).
        objections: What was wrong with a move that stands all the same until somebody says Stop.
            Private in silent profiles until it is brought out; empty until sealed.
    """

    state: S
    points: int = 0
    extras: Mapping[str, JSON] = field(default_factory=dict)
    score_reasons: tuple[Text, ...] = ()
    milestone: bool = False
    objections: tuple[Objection, ...] = ()


@dataclass(frozen=True, slots=True)
class Countable:
    """A counter that people may count again.

    Attributes:
        by_seat: There is one a seat; else one for the table.
        may_be_negative: It may be below 0, such as a debt.
    """

    by_seat: bool
    may_be_negative: bool = False


def _not_counted(*_asked: Any) -> Any:
    message = "in this game nothing is counted by hand; put the table right, and say that it is"
    raise InputError(fault("count.fault.none", message))


def _seats_stay(*_asked: Any) -> Any:
    message = "in this game every seat stays in play: somebody else may play for it, or the match ends"
    raise InputError(fault("seat.fault.stays", message))


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRules(Generic[S, P]):
    """What may be done, and what comes of it.

    Attributes:
        moves: Every move by its name in the record.
        start: The state before the first entry.
        judge: All objections to a move that public facts allow; none = lawful.
        apply: Carry a move out, lawful or not; what is hidden waits for ``HiddenHalf.apply``. Raises ``ImpossibleMove``
            where the table cannot hold it.
        adopt: The table is right: what lies there becomes the position, and no card is lost. Raises ``InputError``
            where it cannot be.
        countable: The counters that people may count again, by name.
        correct: The players counted: these are the true counters, all of them ``countable``; the others stay. Raises
            ``InputError`` where the things of the game would no longer add up.
        seat: Somebody sat down in an empty seat (``True``), or left it. Raises ``InputError`` where that cannot be.
        empty_seats: The seats that somebody left and nobody has taken since.
        may_take_back: The seat that may take a move back without the host; the state is from before it.
        infers_turns: ``implied_moves`` may be carried out without asking.
        implied_moves: The moves that make an unlawful one lawful when people only forgot to say something: an end of
            turn, then the same card by the next seat. Empty when that is not it.
        is_early: Nothing is wrong with a move but that something has to come first: the turn of its seat, or the first
            half of that turn. What was laid may stay where it lies, what was taken away need not go back, and either
            counts when that has come.
        unlaid: The rules that a move breaks because its seat should have laid something first, by their names: nobody
            is accused by them while a thing lies there that cannot be read.
        timer: Seconds of play at which to propose a move, if nothing comes before.
    """

    moves: Mapping[str, type[Move]]
    start: S
    judge: Callable[[P, Move, MoveContext], tuple[Objection, ...]]
    apply: Callable[[S, Move, MoveContext], Effect[S]]
    adopt: Callable[[S, Mapping[CardId, Zone], MoveContext], S]
    countable: Mapping[str, Countable] = field(default_factory=dict)
    correct: Callable[[S, Mapping[str, Count], MoveContext], S] = _not_counted
    seat: Callable[[S, Seat, bool, MoveContext], S] = _seats_stay
    empty_seats: Callable[[P], frozenset[Seat]] = lambda _public: frozenset()
    may_take_back: Callable[[P, Move], Seat] = lambda _public, move: move.by
    infers_turns: bool = False
    implied_moves: Callable[[P, Move, MoveContext], tuple[Move, ...]] = lambda _public, _move, _at: ()
    is_early: Callable[[P, Move], bool] = lambda _public, _move: False
    unlaid: frozenset[str] = frozenset()
    timer: Callable[[P], tuple[float, Move] | None] = lambda _public: None


@dataclass(frozen=True, slots=True, kw_only=True)
class GameTable(Generic[P]):
    """The things of the game, where they lie, and what it means when they are laid elsewhere.

    A place is a drawn zone, or what a game makes of one from where things lie in it and how they are turned: a cell of
    a grid, the tile that a counter lies on.

    Attributes:
        cards: Every sticker that stands for a thing of the game; the eye accepts these and no others.
        shapes: How large the things are that are no playing cards, by their stickers.
        layout: Where things lie when the match file does not say it.
        lying: In which place each thing lies. A thing stays where it should lie until it is clearly elsewhere, so that
            nothing follows from a nudge; what fits nowhere is in a place that the game can object to.
        expected: What should lie face up now.
        deal: The deal that the cards lying there show; ``None`` when none is due, or not all of it lies there yet.
        deals_anew: Each match has a deal of its own, so that what an older one left there is none.
        in_the_way: Asked before the first move: what lies there that must not when a match begins, and where. A part of
            the deal is not in the way. ``None`` = whatever lies otherwise than expected and makes up no whole deal.
        interpretations: What a change of the table could mean, likeliest first, legal or not. Asked for a thing that
            was taken off the table too (it went to ``None``), once it is clear that its move was not taken back.
        is_laid_anew: Whether the thing that was laid last, and that lies elsewhere now, was laid once more by people
            who thought again: its move is taken back, and where it lies now is judged.
        clears_up: What it could mean besides a move taken back that the thing of the last move was taken up: that
            people clear up, because all turns are over. Where that is lawful, what comes next tells.
        must_lie: What must be on the table for a move to be carried out: it waits for what people were told is missing.
        rest_s: For how many seconds a thing must lie where it was laid before anything follows from it, because people
            carry it on from there. Whatever its seat does next shows at once that it was set down.
        same_place: Whether two zones are one place of the table that goes by another name in another profile.
        disputed: The moves that people argue about: the pictures from before them are kept.
    """

    cards: Mapping[Token, CardId]
    shapes: Mapping[Token, Shape] = field(default_factory=dict)
    layout: Layout
    lying: Callable[[P, TableState], Mapping[CardId, Zone]]
    expected: Callable[[P], Expected]
    deal: Callable[[P, Mapping[CardId, Zone]], Move | None] = lambda _public, _lying: None
    deals_anew: bool = True
    in_the_way: Callable[[P, Mapping[CardId, Zone], TableState], Mapping[CardId, Zone]] | None = None
    interpretations: Callable[[P, Change], tuple[Move, ...]]
    is_laid_anew: Callable[[P, Change], bool] = lambda _public, _change: False
    clears_up: Callable[[P, Change], Move | None] = lambda _public, _change: None
    must_lie: Callable[[P, Move], frozenset[CardId]] = lambda _public, _move: frozenset()
    rest_s: Callable[[Change], float] = lambda _change: 0.0
    same_place: Callable[[Zone, Zone], bool] = operator.eq
    disputed: tuple[type[Move], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GameWords(Generic[S, P]):
    """What is said of the game, as ids of its catalogs.

    Attributes:
        caption: Public words for a move just played; the public state is from before it.
        reason: Public words for an objection, with what to do about it.
        place_name: What people call a place, as in "put it back …".
    """

    caption: Callable[[P, Move, Effect[S]], tuple[Text, ...]]
    reason: Callable[[P, Move, Objection], Text]
    place_name: Callable[[Zone], Text]


def plain_words(name: str) -> GameWords[Any, Any]:
    """One sentence for each kind of move (``NAME.did.…``, with its ``points``), rule (``NAME.objection.…``) and place
    (``NAME.zone.…``): enough where no word depends on more."""
    return GameWords(
        caption=lambda _public, move, step: (Text(f"{name}.did.{move.do}", {"points": step.points}),),
        reason=lambda _public, _move, objection: Text(f"{name}.objection.{objection.rule}"),
        place_name=lambda place: Text(f"{name}.zone.{place.split(' ', maxsplit=1)[0]}"),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class GameBoard(Generic[S, P]):
    """What phones and screens show.

    Attributes:
        standing: The scoreboard.
        view: The table as a seat, or a spectator (``None``), may see it; what pages draw from.
        offers: Every spoken move that is lawful now, for every seat.
        scored: Points are counted; without, no page shows any.
    """

    standing: Callable[[P], Standing]
    view: Callable[[S, Seat | None], JSON]
    offers: Callable[[P, MoveContext], tuple[AvailableMove, ...]] = lambda _public, _at: ()
    scored: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class HiddenHalf(Generic[S, P]):
    """What not everybody at the table may know. As it stands: nothing, and a state is its own public half.

    Attributes:
        silent: Nobody may be told whether a card was legal, until Stop is said.
        public: What everybody at the table may know of a state.
        as_spoken: The move as it is said by people who cannot know what is hidden.
        apply: Bring the hidden half up to date after the public half was told: the state before, the move, when, and
            what the public half brought.
    """

    silent: bool = False
    public: Callable[[S], P] = lambda state: cast(P, state)
    as_spoken: Callable[[Move], Move] = lambda move: move
    apply: Callable[[S, Move, MoveContext, Effect[S]], Effect[S]] = lambda _before, _move, _at, step: step


NOTHING_HIDDEN: HiddenHalf[Any, Any] = HiddenHalf()


@dataclass(frozen=True, slots=True, kw_only=True)
class Game(Generic[S, P]):
    """One match of one game, as a value that holds a part for each of those who ask.

    ``S`` are its whole states, ``P`` their public half: what takes ``P`` cannot tell what is hidden, and needs no test
    for it. A game may inherit this to keep what its own people and pages ask for.

    Attributes:
        name: The game's name in match files.
        seats: How many seats there are.
    """

    name: str
    seats: int
    rules: GameRules[S, P] = field(compare=False)
    table: GameTable[P] = field(compare=False)
    words: GameWords[S, P] = field(compare=False)
    board: GameBoard[S, P] = field(compare=False)
    hidden: HiddenHalf[S, P] = field(default=NOTHING_HIDDEN, compare=False)

    @property
    def silent(self) -> bool:
        """Nobody may be told whether a card was legal, until Stop is said."""
        return self.hidden.silent

    def public(self, state: S) -> P:
        """What everybody at the table may know of a state."""
        return self.hidden.public(state)
