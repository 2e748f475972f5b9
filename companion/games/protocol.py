"""A game as a frozen value with a part for each of its users.

``rules`` judges and carries out moves, ``table`` interprets the things on the table, ``words`` describes, ``board``
shows, ``hidden`` keeps what a silent game must not reveal. Each part has defaults for what a simple game does not need.
States are frozen and functions pure: no clock, no random numbers, no disk. Judging (is it allowed?) is separate from
carrying out (what is its effect?), because the card is on the table either way.
"""

from __future__ import annotations

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
    """One reason against a move: the rule's name and the cards that are involved."""

    rule: str
    cards: tuple[CardId, ...] = ()


@dataclass(frozen=True, slots=True)
class MoveContext:
    """The log entry of a move, and its time in seconds of play, if known."""

    number: int
    time_s: float | None = None


class Move(Protocol):
    """One act by one seat: a frozen dataclass of JSON scalars and tuples of them.

    ``do`` is its name in the record. A field with another name in the record (``from``, ``as``) states it in its
    metadata: ``field(metadata={"key": "from"})``. A field with a default is optional there and left out while it has
    its default.
    """

    do: ClassVar[str]

    @property
    def by(self) -> Seat:
        """The seat; 0 = the table itself."""

    @property
    def subject(self) -> CardId | None:
        """The card of the deck that it is about, placed or only named; ``None`` for plain commands and for jokers."""

    @property
    def laid(self) -> CardId | None:
        """The card, joker or not, that it places where a camera can see it."""

    @property
    def origin_zone(self) -> Zone | None:
        """The card's earlier zone on the table; ``None`` if it was in none."""

    @property
    def is_deal(self) -> bool:
        """Whether it sets up the table before the first turn; the record calls it ``dealt``."""


class PlainMove:
    """A move without cards. A game's moves may inherit it and override what differs."""

    __slots__ = ()

    @property
    def subject(self) -> CardId | None:
        return None

    @property
    def laid(self) -> CardId | None:
        return None

    @property
    def origin_zone(self) -> Zone | None:
        return None

    @property
    def is_deal(self) -> bool:
        return False


class CardMove(PlainMove):
    """A move about one thing of the game, its field ``card``."""

    __slots__ = ()
    card: CardId

    @property
    def subject(self) -> CardId:
        return self.card


class LayingMove(CardMove):
    """A move that places its ``card`` where a camera can see it."""

    __slots__ = ()

    @property
    def laid(self) -> CardId:
        return self.card


def zones_of(cards: Mapping[Token, CardId], table: TableState) -> dict[CardId, Zone]:
    """The zone of each of these cards that is in one: enough for a game whose places are zones."""
    return {cards[token]: zone for token, zone in table.zones().items() if token in cards}


def misplaced(expected: Expected, lying: Mapping[CardId, Zone]) -> dict[CardId, Zone]:
    """The misplaced things and their places; command cards are ignored in their own zone."""
    return {c: zone for c, zone in lying.items() if zone not in (COMMAND_ZONE, expected.cards.get(c))}


S = TypeVar("S")
P = TypeVar("P")


@dataclass(frozen=True, slots=True)
class Effect(Generic[S]):
    """The effect of a move.

    Attributes:
        state: The state after all consequences of the move.
        points: All points for the seat that made it, including bonuses. What other seats win or lose by it is in the
            state alone: scoreboards show it, and the record's entry does not name it.
        extras: Additional keys of the record's entry (``failed``, ``held``).
        score_reasons: One line for each part of the points, with its rule.
        milestone: Whether something special was won publicly (a trump), for a fanfare.
        objections: The objections to a move that stands anyway until a player says Stop. Private in silent profiles
            until it is revealed; empty until sealed.
    """

    state: S
    points: int = 0
    extras: Mapping[str, JSON] = field(default_factory=dict)
    score_reasons: tuple[Text, ...] = ()
    milestone: bool = False
    objections: tuple[Objection, ...] = ()


@dataclass(frozen=True, slots=True)
class Countable:
    """A counter that people may correct.

    Attributes:
        by_seat: Whether there is one for each seat; else one for the table.
        may_be_negative: Whether it may be below 0, such as a debt.
    """

    by_seat: bool
    may_be_negative: bool = False


def _not_counted(*_asked: Any) -> Any:
    message = "in this game nothing is counted by hand; put the table right, then say so"
    raise InputError(fault("count.fault.none", message))


def _seats_stay(*_asked: Any) -> Any:
    message = "in this game every seat stays in play: somebody else may play for it, or the match ends"
    raise InputError(fault("seat.fault.stays", message))


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRules(Generic[S, P]):
    """Which moves are allowed, and their effects.

    Attributes:
        moves: Every move by its name in the record.
        start: The state before the first entry.
        judge: All objections to a move from public facts; none = legal.
        apply: Carry a move out, legal or not; hidden facts are left to ``HiddenHalf.apply``. Raises ``ImpossibleMove``
            if it is physically impossible.
        adopt: Make the table the position, without losing a card. Raises ``InputError`` if that is not possible.
        countable: The counters that people may correct, by name.
        correct: Set the players' counts, all of them ``countable``; the others stay. Raises ``InputError`` if the
            things of the game would no longer add up.
        seat: A player joined an empty seat (``True``), or left it. Raises ``InputError`` if that is not possible.
        empty_seats: The seats without a player.
        may_take_back: The seat that may undo a move without the host; the state is from before it.
        infers_turns: Whether ``implied_moves`` may be carried out without asking.
        implied_moves: The moves that make an illegal one legal if players only forgot to announce something: an end of
            turn, then the same card by the next seat. Empty if there are none.
        is_early: Whether the only objection is that something must come first: the turn of its seat, or the first half
            of that turn. A placed card may stay, a removed one need not return, and either counts when that has come.
        unlaid: The rules that a move breaks because its seat should have placed something first, by name: they cause no
            refusal while an unreadable thing is on the table.
        timer: Seconds of play at which to propose a move, unless another comes before.
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
    """The things of the game, their places, and the meaning of changes.

    A place is a zone, or a position in one that the game derives from how things lie: a cell of a grid, the tile under
    a counter.

    Attributes:
        cards: Every sticker of a thing of the game; the camera accepts these and no others.
        shapes: The sizes of things that are not playing cards, by their stickers.
        layout: The zones, unless the match file has its own.
        lying: The place of each thing. A thing keeps its expected place until it is clearly elsewhere, so that a nudge
            has no consequences; things that fit nowhere get a place that the game can object to.
        expected: What should be face up now.
        deal: The deal that the cards on the table show; ``None`` if none is due, or it is incomplete.
        deals_anew: Whether each match has its own deal, so that the cards of an earlier match are not one.
        in_the_way: Before the first move: things that must be cleared for a match to begin, with their places. A part
            of the deal is not in the way. ``None`` = everything misplaced that is not a complete deal.
        interpretations: The possible meanings of a change of the table, likeliest first, legal or not. Also for a thing
            that was taken off the table (it went to ``None``), once it is clear that its move was not taken back.
        is_laid_anew: Whether the last placed thing, now elsewhere, was moved by players who changed their minds: its
            move is undone, and its new place is judged.
        clears_up: What lifting the thing of the last move could mean besides undoing it: that the players clear up,
            because all turns are over. If that is legal, the next change decides.
        must_lie: What must be on the table for a move to be carried out: it waits until missing things are back.
        rest_s: For how many seconds a thing must stay where it was placed before it counts, because players may move it
            on. The seat's next action shows at once that it was final.
        disputed: The moves that players argue about: pictures from before them are kept.
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
    disputed: tuple[type[Move], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GameWords(Generic[S, P]):
    """The texts of the game, as keys of its catalogs.

    Attributes:
        caption: The public text of a move; the public state is from before it.
        reason: The public text of an objection, with what to do about it.
        place_name: The name of a place, as in "put it back …".
    """

    caption: Callable[[P, Move, Effect[S]], tuple[Text, ...]]
    reason: Callable[[P, Move, Objection], Text]
    place_name: Callable[[Zone], Text]


def plain_words(name: str) -> GameWords[Any, Any]:
    """One text for each kind of move (``NAME.did.…``, with its ``points``), rule (``NAME.objection.…``) and place
    (``NAME.zone.…``): enough if no text depends on more."""
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
        view: The table as a seat, or a spectator (``None``), may see it: what its pages draw.
        offers: Every legal move that can be made on a phone, for every seat.
        scored: Whether points are counted; else pages show none.
    """

    standing: Callable[[P], Standing]
    view: Callable[[S, Seat | None], JSON] = lambda _state, _seat: {}
    offers: Callable[[P, MoveContext], tuple[AvailableMove, ...]] = lambda _public, _at: ()
    scored: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class HiddenHalf(Generic[S, P]):
    """What must not be public at the table. The default: nothing, and a state is its own public half.

    Attributes:
        silent: Whether no player may learn if a card was legal, until Stop is said.
        public: The public half of a state.
        as_spoken: The move as players announce it, who cannot know what is hidden.
        apply: Update the hidden half after the public half: the state before, the move, its context, and the effect of
            the public half.
    """

    silent: bool = False
    public: Callable[[S], P] = lambda state: cast(P, state)
    as_spoken: Callable[[Move], Move] = lambda move: move
    apply: Callable[[S, Move, MoveContext, Effect[S]], Effect[S]] = lambda _before, _move, _at, step: step


NOTHING_HIDDEN: HiddenHalf[Any, Any] = HiddenHalf()


@dataclass(frozen=True, slots=True, kw_only=True)
class Game(Generic[S, P]):
    """One match of one game, as a value with a part for each of its users.

    ``S`` is the type of its whole states, ``P`` of their public half: a function of ``P`` cannot reveal what is hidden,
    which needs no test. A game may inherit this to keep data for its own people and pages.

    Attributes:
        name: The game's name in match files.
        seats: The number of seats.
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
        """Whether no player may learn if a card was legal, until Stop is said."""
        return self.hidden.silent

    def public(self, state: S) -> P:
        """The public half of a state."""
        return self.hidden.public(state)
