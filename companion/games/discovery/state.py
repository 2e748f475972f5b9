"""The state of a match: a public half, and a hidden one with what a Stop would reveal."""

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
    """A function that reads all fields of a value at once, and the index of each field."""
    names = [facts.name for facts in fields(kind)]
    return attrgetter(*names), {name: place for place, name in enumerate(names)}


if TYPE_CHECKING:
    from dataclasses import replace as replace  # lets the type checker find a misspelt field
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
        card: A discovery card or a joker.
        counts_as: The discovery card that it is or stands for.
        by: The seat that placed it; 0 if it was there from the start.
        index: Its place in its series, from 1; 0 if it was there from the start.
        number: The log entry that placed it; 0 if it came otherwise.
    """

    card: CardId
    counts_as: CardId
    by: Seat = TABLE
    index: int = 0
    number: int = 0


@dataclass(frozen=True, slots=True)
class LinkBase:
    """A card that the next one may link to, and its place in its series (C4)."""

    card: CardId
    index: int
    joker: bool = False


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn, normal or extra.

    Attributes:
        serial: Number of the turn in the match.
        placed: Cards placed in the tree in it.
        chains: The last card of each is one that the next may link to; there are two after an interruption (O3). The
            earlier ones count again when a Stop removes the last one from the tree.
        trumps: Unspent.
        acted: Whether the seat has acted.
        discarded: The discard of a turn without placement is done (D3).
        asked: An asked card is in hand, neither placed nor discarded (I2).
        called: The called card, which must be placed before anything else (G4).
        holder: Who had the called card.
        ended: Over as soon as nothing is owed.
        index: A bot's current place in its series (J7).
        under: Cards that a bot still flips under a trump (J3).
        held: Cards that it flipped under a trump and has not placed yet.
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
        """The cards that the next one may link to."""
        return tuple([chain[-1] for chain in self.chains])

    @property
    def laid(self) -> tuple[LinkBase, ...]:
        """All cards that the series could continue from, in the order of placement."""
        return tuple(chain.from_iterable(self.chains))


def keep_bases(turn: Turn, keeps: Callable[[LinkBase], bool]) -> Turn:
    """A turn whose series continues only from some of its cards; the others are gone."""
    kept = tuple(tuple(base for base in chain if keeps(base)) for chain in turn.chains)
    return replace(turn, chains=tuple(chain for chain in kept if chain))


@dataclass(frozen=True, slots=True)
class OwedAct:
    """An act that must come next.

    Attributes:
        draws: Whether a draw follows it.
        asked: Whether it is the asked card that was not placed (I2).
    """

    seat: Seat
    do: str
    draws: bool = False
    asked: bool = False


@dataclass(frozen=True, slots=True)
class ContestableAct:
    """An entry that can be contested, with what is needed to undo it.

    Attributes:
        number: The log entry.
        turn: The serial of its turn.
        do: ``place``, ``joker``, ``call``, ``announce`` or ``flip``.
        card: The card placed or called.
        points: Its points, to be taken back.
        credits: The openings and closings that it was credited with.
        recovered: The joker that its player took back in hand.
        holder: Who had the called card.
        time_s: Seconds of play.
        failed: A call that failed by itself: no card waits for its placement.
        paid: Its card was discarded then, which is all that a penalty's discard requires.
        placed: The placement of the called card: a Stop against the call undoes both (T3).
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
    """An open Stop: the stopped player has not answered yet."""

    act: ContestableAct
    stopper: Seat


@dataclass(slots=True)
class PositionFields:
    """Facts that are public at the table, or were when they happened.

    Attributes:
        tree: The cards in the tree or pile, in order.
        present: The discovery cards that count as being there.
        eras: Number of them in each era.
        pool: The face-up cards; ``None`` for an unknown one.
        discards: Each seat's own.
        hands: Numbers of cards; the cards are unknown.
        gone: Jokers that left the game; ``None`` for one that left before a position began.
        points: Without the penalty at the end.
        credits: Openings and closings that were credited (K11).
        turns: The last is the current turn; those before it were interrupted.
        owed: In the order in which it arose.
        acts: Acts that can still be contested; empty without Stop.
        latest_act: The number of the latest act of a seat.
        contest: The open Stop.
        deciding_act: The last act that can still cancel a win; 0 = none, the win is final.
        closing: The serial of the turn with which the match ends, because a hand is empty; 0 = none yet.
        halting: The match ends with the current act (E8).
        quiet: Successive turns without a placement.
        serial: Number of turns begun so far.
        dealt: The first pool is known, or was never needed.
        begun: A card was placed, even if it was removed later: passing is no longer possible (A8).
        passes: Passes so far.
        judged: Entries that can no longer be contested.
        away: Empty seats: reserved for later, or left.
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
        """The current turn."""
        return self.turns[-1]

    def held(self, seat: Seat) -> int:
        """Number of cards in a seat's hand."""
        return self.hands[seat - 1]

    def discard(self, seat: Seat) -> tuple[CardId, ...]:
        """The cards in a seat's own discard."""
        return self.discards[seat - 1]


class Position(PositionFields):
    """The public half, immutable: each field is set once."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> None:
        """Set a field for the first time.

        Raises:
            FrozenInstanceError: It is already set.
        """
        if hasattr(self, name):
            raise FrozenInstanceError(f"a position is never changed, and {name} is part of one")
        object.__setattr__(self, name, value)


@dataclass(frozen=True, slots=True)
class State:
    """Both halves. ``hidden_objections``: by entry number, the objections that are hidden until a Stop or the end."""

    position: Position
    hidden_objections: Mapping[int, tuple[Objection, ...]] = field(default_factory=dict)


def whereabouts(position: PositionFields, card: CardId, *, unseen: bool = False) -> str | None:
    """The public place of a card: ``tree``, ``pool``, ``discard-N``, ``gone``, ``called``, ``row``; or ``None``.

    ``unseen``: from the view of a player who only sees the last card of the tree.
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
    """Whether a card is in the tree or pile, visible or not."""
    if card not in position.present and not card.startswith("J"):  # a joker is there under another card's name
        return False
    return any(laid.card == card for laid in position.tree)


def counted(position: PositionFields) -> int:
    """All cards of the match: 54 and the jokers, after every entry."""
    limbo = sum(turn.called is not None for turn in position.turns)
    lying = len(position.tree) + len(position.pool) + sum(len(lying) for lying in position.discards)
    return lying + sum(position.hands) + position.stack + limbo + len(position.gone)


_card_of: Callable[[TreeCard], CardId] = attrgetter("card")


def lying_twice(position: Position) -> frozenset[CardId]:
    """Cards that are in two places at once, which is impossible."""
    places = [*map(_card_of, position.tree), *chain.from_iterable(position.discards)]
    places += [card for card in (*position.pool, *position.gone) if card is not None]
    for turn in position.turns:
        places += turn.held if turn.called is None else (*turn.held, turn.called)
    if len(places) == len(set(places)):
        return frozenset()
    return frozenset(card for card, times in Counter(places).items() if times > 1)


def by_era(setup: Setup, present: frozenset[CardId]) -> tuple[int, ...]:
    """Number of these cards in each era."""
    counts = Counter(setup.facts[card].era for card in present)
    return tuple(counts[era] for era in EVERY_ERA)


def shown_credits(eras: tuple[int, ...]) -> frozenset[tuple[int, str]]:
    """The openings and closings in such a tree (contract section 6)."""
    counts = tuple(zip(EVERY_ERA, eras, strict=True))
    opened = {(era, "open") for era, count in counts if count or era == 1}
    return frozenset(opened | {(era, "closed") for era, count in counts if count == PER_ERA})


@dataclass(slots=True)
class PositionBuilder(PositionFields):
    """The public half while one move is carried out, with the move's effects. It never leaves ``GameRules.apply``."""

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
        """Change the number of cards in a seat's hand."""
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
        """Count a card as being in the tree; returns the number in its era."""
        count = self.eras[era - 1] + 1
        self.present |= {card}
        self.eras = _put(self.eras, era, count)
        return count

    def vanish(self, card: CardId, era: int) -> None:
        """No longer count a card as being in the tree."""
        self.present -= {card}
        self.eras = _put(self.eras, era, self.eras[era - 1] - 1)


T = TypeVar("T")


def _put(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    """A tuple with another value at a place; places are numbered from 1, as seats and eras are."""
    return (*values[: place - 1], value, *values[place:])


_NAMES = tuple(one.name for one in fields(PositionFields))
_read: Callable[[Any], tuple[Any, ...]] = attrgetter(*_NAMES)
_FIELD_SETTERS = tuple(getattr(Position, name).__set__ for name in _NAMES)


def builder_of(position: Position) -> PositionBuilder:
    """A builder for carrying out a move."""
    return PositionBuilder(*_read(position))


def built(builder: PositionBuilder) -> Position:
    """The public half from a builder."""
    position = Position.__new__(Position)
    for set_field, value in zip(_FIELD_SETTERS, _read(builder), strict=True):
        set_field(position, value)  # bypasses the check: each is set for the first time
    return position
