"""What is known of a match: a public half, and a hidden one with what a Stop would bring out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import FrozenInstanceError, dataclass, field, fields
from functools import cache
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar

from companion.errors import ImpossibleMove
from companion.games.discovery.deck import EVERY_ERA, PER_ERA
from companion.games.discovery.setup import Setup
from companion.games.protocol import Objection
from companion.public.table import TABLE, CardId, Seat
from companion.public.text import JSON, Text


@cache
def _shape(kind: type[Any]) -> tuple[Callable[[Any], tuple[Any, ...]], Mapping[str, int]]:
    """How to read all facts of a value at once, and the place of each among them."""
    names = [facts.name for facts in fields(kind)]
    return attrgetter(*names), {name: place for place, name in enumerate(names)}


if TYPE_CHECKING:
    from dataclasses import replace as replace  # in which a type checker finds a misspelt field
else:

    def replace(value: Any, **facts: Any) -> Any:
        """``dataclasses.replace`` in half its time: changing a turn is the commonest step of all."""
        read, places = _shape(type(value))
        values = [*read(value)]
        for name, fact in facts.items():
            values[places[name]] = fact
        return type(value)(*values)


@dataclass(frozen=True, slots=True)
class TreeCard:
    """A card in the tree.

    Attributes:
        card: What lies there, a discovery card or a joker.
        counts_as: The discovery card that it is or stands for.
        by: Who laid it; 0 when it lay there from the start.
        index: Its place in its series, from 1; 0 when it lay there from the start.
        number: The log entry that laid it; 0 when it came otherwise.
    """

    card: CardId
    counts_as: CardId
    by: Seat = TABLE
    index: int = 0
    number: int = 0


@dataclass(frozen=True, slots=True)
class LinkBase:
    """A card that the next one may be linked to, and its place in its series (C4)."""

    card: CardId
    index: int
    joker: bool = False


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn, normal or extra.

    Attributes:
        serial: Counts the turns of a match.
        placed: Cards laid in the tree in it.
        chains: The cards that the next one may link to are the last of each; two after an interruption (O3). Those
            before them count again when a Stop takes the last one out of the tree.
        trumps: Unspent.
        acted: Something was done in it.
        discarded: The discard of a turn without placement is done (D3).
        asked: An asked card is in hand, neither placed nor discarded (I2).
        called: The called card, which must be placed before anything else (G4).
        holder: Who had the called card.
        ended: Over as soon as nothing is owed.
        index: A bot's running place in its series (J7).
        under: Cards that a bot still flips under a trump (J3).
        held: Cards that it flipped under it and not yet placed.
        lucky: One of them was placed, or was a joker.
    """

    seat: Seat
    serial: int
    extra: bool = False
    placed: int = 0
    chains: tuple[tuple[LinkBase, ...], ...] = ()
    trumps: int = 0
    acted: bool = False
    discarded: bool = False
    asked: bool = False
    called: CardId | None = None
    holder: Seat = TABLE
    ended: bool = False
    index: int = 0
    under: int = 0
    held: tuple[CardId, ...] = ()
    lucky: bool = False

    @property
    def bases(self) -> tuple[LinkBase, ...]:
        """What the next card may link to."""
        return tuple([chain[-1] for chain in self.chains])

    @property
    def laid(self) -> tuple[LinkBase, ...]:
        """All that the series could go on from, in the order in which it was laid."""
        return tuple(chain.from_iterable(self.chains))


def keep_bases(turn: Turn, keeps: Callable[[LinkBase], bool]) -> Turn:
    """A turn whose series goes on only from some of its cards; the others no longer lie there."""
    kept = tuple(tuple(base for base in chain if keeps(base)) for chain in turn.chains)
    return replace(turn, chains=tuple(chain for chain in kept if chain))


@dataclass(frozen=True, slots=True)
class OwedAct:
    """An act that must come next.

    Attributes:
        draws: A draw follows it.
        asked: It is the asked card that was not placed (I2).
    """

    seat: Seat
    do: str
    draws: bool = False
    asked: bool = False


@dataclass(frozen=True, slots=True)
class ContestableAct:
    """An entry that can be contested, and what undoing it takes.

    Attributes:
        number: The log entry.
        turn: The serial of its turn.
        do: ``place``, ``joker``, ``call``, ``announce`` or ``flip``.
        card: The card placed or called.
        points: What it brought, to be given back.
        credits: The openings and closings that it was credited with.
        recovered: The joker that its player took back into his hand.
        holder: Who had the called card.
        time_s: Seconds of play.
        failed: A call that failed by itself: no card waits for its placement.
        paid: Its card was discarded then, which is all that a penalty's discard asks for.
        placed: The placement of the card that was called: a Stop against the call undoes both (T3).
    """

    number: int
    by: Seat
    turn: int
    do: str
    card: CardId | None = None
    points: int = 0
    credits: frozenset[tuple[int, str]] = frozenset()
    recovered: CardId | None = None
    holder: Seat = TABLE
    time_s: float | None = None
    failed: bool = False
    paid: bool = False
    placed: ContestableAct | None = None


@dataclass(frozen=True, slots=True)
class Contest:
    """Somebody said Stop; the stopped player has not answered yet."""

    act: ContestableAct
    stopper: Seat


@dataclass(slots=True)
class PositionFields:
    """What everybody at the table may know, or saw when it happened.

    Attributes:
        tree: What lies in the tree or pile, in order.
        present: The discovery cards that count as lying there.
        eras: How many of each era are among them.
        pool: The cards face up; ``None`` for one that nobody has named yet.
        discards: Each seat's own.
        hands: Counted, never known.
        gone: Jokers that left the game; ``None`` for one that left before a position began.
        points: Without the penalty at the end.
        credits: Openings and closings that were paid for (K11).
        turns: The turn in progress is the last; those before it were interrupted.
        owed: In the order in which it arose.
        acts: What can still be contested; empty where there is no Stop.
        latest_act: The number of the latest act of a seat.
        contest: The Stop that waits for its answer.
        deciding_act: The last act that a win can still fall with; 0 = none, the win stands.
        closing: The serial of the turn with which the match ends, for a hand is empty; 0 = of none yet.
        halting: The match ends with the act in progress (E8).
        quiet: Turns in a row without a placement.
        serial: Turns begun so far.
        dealt: The pool of the start is known, or was never asked for.
        begun: A card was placed, whatever became of it: nobody passes any more (A8).
        passes: Passes so far.
        judged: Entries that can no longer be contested.
        away: Empty seats: kept for somebody who comes late, or left.
    """

    tree: tuple[TreeCard, ...]
    present: frozenset[CardId]
    eras: tuple[int, ...]
    pool: tuple[CardId | None, ...]
    discards: tuple[tuple[CardId, ...], ...]
    hands: tuple[int, ...]
    stack: int
    gone: tuple[CardId | None, ...]
    points: tuple[int, ...]
    credits: frozenset[tuple[int, str]]
    turns: tuple[Turn, ...]
    owed: tuple[OwedAct, ...]
    acts: tuple[ContestableAct, ...]
    latest_act: int
    contest: Contest | None
    deciding_act: int
    over: bool
    winners: tuple[Seat, ...]
    closing: int
    halting: bool
    quiet: int
    serial: int
    dealt: bool
    begun: bool
    passes: int
    judged: frozenset[int]
    away: frozenset[Seat] = frozenset()

    @property
    def turn(self) -> Turn:
        """The turn in progress."""
        return self.turns[-1]

    def held(self, seat: Seat) -> int:
        """How many cards a seat has in hand."""
        return self.hands[seat - 1]

    def discard(self, seat: Seat) -> tuple[CardId, ...]:
        """What lies in a seat's own discard."""
        return self.discards[seat - 1]


class Position(PositionFields):
    """The public half, which nobody changes: a field is set once, when it is made."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> None:
        """Set a field for the first time.

        Raises:
            FrozenInstanceError: It has been set.
        """
        if hasattr(self, name):
            raise FrozenInstanceError(f"a position is never changed, and {name} is part of one")
        object.__setattr__(self, name, value)


@dataclass(frozen=True, slots=True)
class State:
    """Both halves. ``hidden_objections``: entry number to what was wrong with it, hidden until a Stop or the end."""

    position: Position
    hidden_objections: Mapping[int, tuple[Objection, ...]] = field(default_factory=dict)


def whereabouts(position: PositionFields, card: CardId, *, unseen: bool = False) -> str | None:
    """Where a card publicly lies: ``tree``, ``pool``, ``discard-N``, ``gone``, ``called``, ``row``; or ``None``.

    ``unseen``: as somebody knows who sees only the last card of the tree.
    """
    if lies(position, card) and (not unseen or position.tree[-1].card == card):
        return "tree"
    if card in position.pool:
        return "pool"
    for place, lying in enumerate(position.discards, 1):
        if card in lying:
            return f"discard-{place}"
    if card in position.gone:
        return "gone"
    for turn in position.turns:
        if turn.called == card:
            return "called"
        if card in turn.held:
            return "row"
    return None


def lies(position: PositionFields, card: CardId) -> bool:
    """Whether a card lies in the tree or pile, be it for all to see or not."""
    if card not in position.present and not card.startswith("J"):  # a joker lies there under another card's name
        return False
    return any(laid.card == card for laid in position.tree)


def counted(position: PositionFields) -> int:
    """All cards of the match: 54 and the jokers, after every entry."""
    limbo = sum(turn.called is not None for turn in position.turns)
    lying = len(position.tree) + len(position.pool) + sum(len(lying) for lying in position.discards)
    return lying + sum(position.hands) + position.stack + limbo + len(position.gone)


def lying_twice(position: Position) -> frozenset[CardId]:
    """Cards that are in two places at once, which no table can hold."""
    places = [laid.card for laid in position.tree]
    places += [card for card in (*position.pool, *position.gone) if card is not None]
    places += [card for lying in position.discards for card in lying]
    for turn in position.turns:
        places += turn.held if turn.called is None else (*turn.held, turn.called)
    if len(places) == len(set(places)):
        return frozenset()
    return frozenset(card for card, times in Counter(places).items() if times > 1)


def by_era(setup: Setup, present: frozenset[CardId]) -> tuple[int, ...]:
    """How many cards of each era are among these."""
    counts = Counter(setup.facts[card].era for card in present)
    return tuple(counts[era] for era in EVERY_ERA)


def shown_credits(eras: tuple[int, ...]) -> frozenset[tuple[int, str]]:
    """The openings and closings that such a tree shows (contract section 6)."""
    counts = tuple(zip(EVERY_ERA, eras, strict=True))
    opened = {(era, "open") for era, count in counts if count or era == 1}
    return frozenset(opened | {(era, "closed") for era, count in counts if count == PER_ERA})


@dataclass(slots=True)
class PositionBuilder(PositionFields):
    """The public half while one move is carried out, and what the move brings. It never leaves ``GameRules.apply``."""

    score_reasons: tuple[Text, ...] = ()
    extras: dict[str, JSON] = field(default_factory=dict)
    milestone: bool = False

    @property
    def turn(self) -> Turn:
        """The turn in progress."""
        return self.turns[-1]

    @turn.setter
    def turn(self, turn: Turn) -> None:
        self.turns = (*self.turns[:-1], turn)

    def give(self, seat: Seat, count: int) -> None:
        """Change a seat's hand count."""
        held = self.held(seat) + count
        if held < 0:
            raise ImpossibleMove(f"seat {seat} has no card that it could give")
        self.hands = _put(self.hands, seat, held)

    def pay(self, seat: Seat, points: int) -> None:
        """Change a seat's points; the bank is never empty (M5)."""
        self.points = _put(self.points, seat, self.points[seat - 1] + points)

    def put_away(self, seat: Seat, card: CardId) -> None:
        """Add a card to a seat's discard."""
        self.discards = _put(self.discards, seat, (*self.discard(seat), card))

    def take_up(self, seat: Seat, card: CardId) -> None:
        """Remove a card from a seat's discard."""
        self.discards = _put(self.discards, seat, tuple(lying for lying in self.discard(seat) if lying != card))

    def appear(self, card: CardId, era: int) -> int:
        """A card counts as lying in the tree from now on; how many of its era do."""
        count = self.eras[era - 1] + 1
        self.present |= {card}
        self.eras = _put(self.eras, era, count)
        return count

    def vanish(self, card: CardId, era: int) -> None:
        """A card no longer counts as lying in the tree."""
        self.present -= {card}
        self.eras = _put(self.eras, era, self.eras[era - 1] - 1)


T = TypeVar("T")


def _put(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    """A tuple with another value in a place; places are counted from 1, as seats and eras are."""
    return (*values[: place - 1], value, *values[place:])


_NAMES = tuple(one.name for one in fields(PositionFields))
_read: Callable[[Any], tuple[Any, ...]] = attrgetter(*_NAMES)


def builder_of(position: Position) -> PositionBuilder:
    """A builder to carry a move out on."""
    return PositionBuilder(*_read(position))


def built(builder: PositionBuilder) -> Position:
    """The public half that a builder has made."""
    position = Position.__new__(Position)
    for name, value in zip(_NAMES, _read(builder), strict=True):
        object.__setattr__(position, name, value)  # past the guard: each is set for the first time
    return position
