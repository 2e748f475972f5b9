"""What every game promises the referee.

A game is a frozen value that holds its deck, its profile and its seats. Its states are frozen,
its functions pure: no clock, no dice, no disk. It judges (may this be done?) apart from
playing (what if it is done?), because the card lies on the table either way.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, Protocol, TypeVar

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


class Game(Protocol[S, P]):
    """One match of one game. ``S``: its whole states; ``P``: their public half.

    What takes ``P`` cannot tell what is hidden, and needs no test for it.
    """

    @property
    def name(self) -> str:
        """The game's name in match files."""

    @property
    def silent(self) -> bool:
        """Nobody may be told whether a card was legal, until somebody says Stop."""

    @property
    def scored(self) -> bool:
        """Points are counted; without, no page shows any."""

    @property
    def seats(self) -> int:
        """How many seats there are."""

    @property
    def cards(self) -> Mapping[Token, CardId]:
        """Every sticker that stands for a thing of the game; the eye accepts these and no others."""

    @property
    def shapes(self) -> Mapping[Token, Shape]:
        """How large the things are that are no playing cards, by their stickers; the eye and drawn tables use it.

        Raises:
            InputError: One is smaller than its sticker.
        """

    @property
    def moves(self) -> Mapping[str, type[Move]]:
        """Every move by its name in the record."""

    @property
    def countable(self) -> Mapping[str, bool]:
        """The counters that people may count again, by name: whether there is one a seat (else one for the table)."""

    @property
    def debts(self) -> frozenset[str]:
        """Those of them that may be below 0."""

    @property
    def infers_turns(self) -> bool:
        """Whether ``implied_moves`` may be carried out without asking."""

    @property
    def unlaid(self) -> frozenset[str]:
        """The rules that a move breaks because its seat should have laid something first, by their names: nobody is
        accused by them while a thing lies there that cannot be read."""

    def layout(self) -> Layout:
        """Where things lie when the match file does not say it."""

    def start(self) -> S:
        """The state before the first entry."""

    def public(self, state: S) -> P:
        """What everybody at the table may know."""

    def as_spoken(self, move: Move) -> Move:
        """The move as somebody says it who cannot know what is hidden."""

    def empty_seats(self, public: P) -> frozenset[Seat]:
        """The seats that somebody left and nobody has taken since."""

    def lying(self, public: P, table: TableState) -> Mapping[CardId, Zone]:
        """In which place each thing of the game lies.

        A place is a drawn zone, or what a game makes of one from where things lie in it and how they are turned: a cell
        of a grid, the tile that a counter lies on. A thing stays where it should lie until it is clearly elsewhere, so
        that nothing follows from a nudge; what fits nowhere is in a place that the game can object to.
        """

    def place_name(self, place: Zone) -> Text:
        """What people call a place, as in "put it back …"."""

    def same_place(self, one: Zone, other: Zone) -> bool:
        """Whether two zones are one place of the table that goes by another name in another profile."""

    def deserves_snapshot(self, move: Move) -> bool:
        """Whether the pictures before this move are kept, because people argue about it."""

    def may_take_back(self, public: P, move: Move) -> Seat:
        """The seat that may take this move back without the host; ``public`` is from before it."""

    def judge(self, public: P, move: Move, at: MoveContext) -> tuple[Objection, ...]:
        """All objections to a move that public facts allow; none = lawful."""

    def apply(self, state: S, move: Move, at: MoveContext) -> Effect[S]:
        """Carry a move out, lawful or not; in silent profiles the hidden half waits for ``apply_hidden``.

        Raises:
            ImpossibleMove: The table cannot hold it.
        """

    def apply_hidden(self, before: S, move: Move, at: MoveContext, step: Effect[S]) -> Effect[S]:
        """Bring the hidden half up to date after the public half was told."""

    @property
    def deals_anew(self) -> bool:
        """Whether each match has a deal of its own, so that what an older one left there is none."""

    def deal(self, public: P, lying: Mapping[CardId, Zone]) -> Move | None:
        """The deal that the cards lying there show; ``None`` when none is due, or not all of it lies there yet."""

    def in_the_way(self, public: P, table: TableState) -> Mapping[CardId, Zone]:
        """Asked before the first act: what lies there that must not when a match begins, and where. A part of the deal
        is not in the way."""

    def correct(self, state: S, counts: Mapping[str, Count], at: MoveContext) -> S:
        """The players counted: these are the true counters, all of them ``countable``; the others stay.

        Raises:
            InputError: The things of the game would no longer add up.
        """

    def adopt(self, state: S, lying: Mapping[CardId, Zone], at: MoveContext) -> S:
        """The table is right: what lies there becomes the position, and no card is lost.

        Raises:
            InputError: It cannot be.
        """

    def seat(self, state: S, seat: Seat, here: bool, at: MoveContext) -> S:
        """Somebody sat down in an empty seat, or left his.

        Raises:
            InputError: That cannot be, or not now.
        """

    def may_stay(self) -> Text:
        """Public words for what people clear away before a match, and what of it may stay."""

    def interpretations(self, public: P, change: Change) -> tuple[Move, ...]:
        """What a change of the table could mean, likeliest first, legal or not.

        Asked for a thing that was taken off the table as well (it went to ``None``), after it was clear that its move
        was not taken back.
        """

    def is_laid_anew(self, public: P, change: Change) -> bool:
        """Whether the thing that was laid last, and that lies elsewhere now, was laid once more by people who thought
        again: its move is taken back, and where it lies now is judged."""

    def implied_moves(self, public: P, move: Move, at: MoveContext) -> tuple[Move, ...]:
        """The acts that make an unlawful move lawful when somebody only forgot to say something:
        an end of turn, then the same card by the next seat. Empty when that is not it."""

    def is_early(self, public: P, move: Move) -> bool:
        """Whether nothing is wrong with a move but that something has to come first: the turn of its seat, or the first
        half of that turn. What was laid may stay where it lies, what was taken away need not go back, and either counts
        when that has come."""

    def clears_up(self, public: P, change: Change) -> Move | None:
        """What it could mean besides that the thing of the last act was taken up again: that people clear up, because
        all turns are over. Where that is lawful, what comes next tells. ``None`` = it was taken back."""

    def expected(self, public: P) -> Expected:
        """What should lie face up now."""

    def standing(self, public: P) -> Standing:
        """The scoreboard."""

    def offers(self, public: P, at: MoveContext) -> tuple[AvailableMove, ...]:
        """Every spoken move that is lawful now, for every seat."""

    def caption(self, public: P, move: Move, step: Effect[S]) -> tuple[Text, ...]:
        """Public words for a move just played; ``public`` is from before it."""

    def reason(self, public: P, move: Move, objection: Objection) -> Text:
        """Public words for an objection, with what to do about it."""

    def counted(self, state: S) -> int:
        """All cards of the match, wherever they are: the same number after every entry."""

    def view(self, state: S, seat: Seat | None) -> JSON:
        """The table as a seat, or a spectator (``None``), may see it; what pages draw from."""

    def timer(self, public: P) -> tuple[float, Move] | None:
        """Seconds of play at which to propose a move, if nothing comes before."""

    def must_lie(self, public: P, move: Move) -> frozenset[CardId]:
        """What must be on the table for this move to be carried out: it waits for what people were told is missing."""

    def rest_s(self, change: Change) -> float:
        """For how many seconds a thing must lie where it was laid before anything follows from it, because people carry
        it on from there. Whatever its seat does next shows at once that it was set down."""


class OpenGame:
    """What a game answers that hides nothing from its referee. Its states are their own public half.

    >>> OpenGame().silent, OpenGame().public("all of it")
    (False, 'all of it')
    """

    __slots__ = ()

    @property
    def silent(self) -> bool:
        """Everybody may know everything."""
        return False

    @property
    def scored(self) -> bool:
        """Points are counted."""
        return True

    @property
    def debts(self) -> frozenset[str]:
        """None: what is counted are things."""
        return frozenset()

    @property
    def unlaid(self) -> frozenset[str]:
        """None: nothing has to be laid before something else."""
        return frozenset()

    def public(self, state: S) -> S:
        """All of it."""
        return state

    def as_spoken(self, move: Move) -> Move:
        """The move itself: nobody who speaks knows less than the table."""
        return move

    def apply_hidden(self, before: S, move: Move, at: MoveContext, step: Effect[S]) -> Effect[S]:  # noqa: ARG002
        """There is no hidden half."""
        return step

    def same_place(self, one: Zone, other: Zone) -> bool:
        """Each place has one name."""
        return one == other

    @property
    def deals_anew(self) -> bool:
        """It does."""
        return True

    def in_the_way(self, public: Any, table: TableState) -> Mapping[CardId, Zone]:
        """Whatever lies otherwise than it should, unless it makes up a deal that lies there whole."""
        game: Any = self
        lying = game.lying(public, table)
        deal = game.deal(public, lying)

        def is_dealt(card: CardId) -> bool:
            return deal is not None and game.deal(public, {one: at for one, at in lying.items() if one != card}) != deal

        return {card: zone for card, zone in misplaced(game.expected(public), lying).items() if not is_dealt(card)}

    def may_stay(self) -> Text:
        """In the game's own catalog."""
        game: Any = self
        return Text(f"{game.name}.start.stays")

    def is_laid_anew(self, public: Any, change: Change) -> bool:  # noqa: ARG002
        """Never: it should go back."""
        return False

    def is_early(self, public: Any, move: Move) -> bool:  # noqa: ARG002
        """Never: it is taken back, and made when its turn has come."""
        return False

    def clears_up(self, public: Any, change: Change) -> Move | None:  # noqa: ARG002
        """Never: it was taken back."""
        return None

    def may_take_back(self, public: Any, move: Move) -> Seat:  # noqa: ARG002
        """Whoever made it."""
        return move.by

    def must_lie(self, public: Any, move: Move) -> frozenset[CardId]:  # noqa: ARG002
        """Nothing: what is missing is asked for, and play goes on."""
        return frozenset()

    def rest_s(self, change: Change) -> float:  # noqa: ARG002
        """What is laid stays: no time at all."""
        return 0.0
