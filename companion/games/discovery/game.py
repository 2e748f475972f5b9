"""Discovery: the evolution game, as the referee plays it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from companion.errors import ImpossibleMove, InputError, fault
from companion.games.discovery import interpretation, texts, view
from companion.games.discovery.effects import adopt_table, seats
from companion.games.discovery.effects.apply import carry_out
from companion.games.discovery.effects.contest import conclude
from companion.games.discovery.effects.scoring import penalty, standing, totals
from companion.games.discovery.effects.turns import opening
from companion.games.discovery.moves import HIDEABLE, MOVES, Call, Concede, Deal, Stop, Uncontested, Verify
from companion.games.discovery.rules import calls, legality
from companion.games.discovery.rules.placement import true_objections
from companion.games.discovery.setup import POOL, Setup
from companion.games.discovery.state import Position, State, builder_of, built, counted, lying_twice, replace
from companion.games.protocol import Effect, Move, MoveContext, Objection, misplaced, zones_of
from companion.public.layout import Layout
from companion.public.shapes import NO_SHAPES, Shape
from companion.public.standing import AvailableMove, Count, Standing
from companion.public.table import COMMAND_ZONE, TABLE, CardId, Change, Expected, Seat, TableState, Token, Zone
from companion.public.text import JSON, Text

COUNTABLE: Mapping[str, bool] = MappingProxyType({"hands": True, "stack": False})


@dataclass(frozen=True, slots=True)
class Discovery:
    """One match. ``position``: where it starts when that is not the deal."""

    setup: Setup
    position: Position | None = None

    @property
    def name(self) -> str:
        """What match files call it."""
        return "discovery"

    @property
    def silent(self) -> bool:
        """Memory and Bluff tell nothing until somebody says Stop."""
        return self.setup.profile.silent

    @property
    def scored(self) -> bool:
        """Only in Explore; in the others the first empty hand wins."""
        return self.setup.profile.points

    @property
    def seats(self) -> int:
        """Players and bots."""
        return len(self.setup.players)

    @property
    def cards(self) -> Mapping[Token, CardId]:
        """The stickers of the deck and of jokers, also where none are in play: one that is laid is spoken about."""
        jokers = (*self.setup.jokers, *(f"J{number}" for number in range(1, 10)))
        return {**self.setup.deck.tokens, **{Token(joker): CardId(joker) for joker in jokers}}

    @property
    def shapes(self) -> Mapping[Token, Shape]:
        """All things of it are playing cards."""
        return NO_SHAPES

    @property
    def moves(self) -> Mapping[str, type[Move]]:
        """Every act by its name in the record."""
        return MOVES

    @property
    def infers_turns(self) -> bool:
        """Option ``turn_end = "inferred"``."""
        return self.setup.options.inferred

    @property
    def unlaid(self) -> frozenset[str]:
        """A card to discard or to place: it may lie there unread."""
        return frozenset({"must-discard", "must-place"})

    def layout(self) -> Layout:
        """A table of 1100 by 650 mm."""
        return view.layout(self.setup)

    def start(self) -> State:
        """After the deal, or where the position says."""
        return State(self.position or opening(self.setup))

    def public(self, state: State) -> Position:
        """Without what a Stop would bring out."""
        return state.position

    def as_spoken(self, move: Move) -> Move:
        """In a silent game nobody who speaks of a card knows whether it lies in the pile (L)."""
        if self.silent and isinstance(move, HIDEABLE):
            return replace(move, unseen=True)
        return move

    def empty_seats(self, public: Position) -> frozenset[Seat]:
        """The seats that somebody left."""
        return public.away

    @property
    def countable(self) -> Mapping[str, bool]:
        """Cards in hands, and the stack."""
        return COUNTABLE

    @property
    def debts(self) -> frozenset[str]:
        """None: cards are counted."""
        return frozenset()

    def lying(self, public: Position, table: TableState) -> Mapping[CardId, Zone]:  # noqa: ARG002  # zones say it all
        """Every place is a drawn zone."""
        return zones_of(self.cards, table)

    def place_name(self, place: Zone) -> Text:
        """A zone, with its player where it is somebody's."""
        zone, _, seat = place.partition("-")
        return Text(f"{self.name}.zone.{zone}", {"seat": int(seat)} if seat else {})

    def is_laid_anew(self, public: Position, change: Change) -> bool:  # noqa: ARG002  # the cards may be hidden
        """Never: a card stays where its move laid it, or goes back to where it came from."""
        return False

    def same_place(self, one: Zone, other: Zone) -> bool:
        """The tree of an open game is the pile of a silent one (B5)."""
        return one == other or {one, other} == {"tree", "pile"}

    def deserves_snapshot(self, move: Move) -> bool:
        """Somebody said Stop."""
        return isinstance(move, Stop)

    def may_take_back(self, public: Position, move: Move) -> Seat:
        """Whoever made it; the verdict of a Stop is the stopper's, for whom it may have gone well."""
        if isinstance(move, (Verify, Concede)) and public.contest is not None:
            return public.contest.stopper
        return move.by

    def judge(self, public: Position, move: Move, at: MoveContext) -> tuple[Objection, ...]:
        """All objections that public facts allow; none = lawful."""
        return legality.judge(self.setup, public, move, at)

    def apply(self, state: State, move: Move, at: MoveContext) -> Effect[State]:
        """Carry a move out with all its consequences.

        Raises:
            ImpossibleMove: The table cannot hold it.
        """
        builder = carry_out(self.setup, state, move, at)
        after = State(built(builder), state.hidden_objections)
        # What somebody only spoke of may lie in the pile all the same, until a Stop brings it out (C7).
        twice = lying_twice(after.position) if not getattr(move, "unseen", False) else frozenset()
        if twice and twice - lying_twice(state.position):
            raise ImpossibleMove("a card would lie in two places")
        points = 0
        if self.setup.profile.points and move.by:
            before, now = totals(self.setup, state.position), totals(self.setup, after.position)
            points = now[move.by - 1] - before[move.by - 1]
        reasons = builder.score_reasons
        if after.position.over and not state.position.over and move.by:
            reasons = (*reasons, *penalty(self.setup, after.position, move.by))
        return Effect(after, points, builder.extras, reasons, builder.milestone)

    def apply_hidden(self, before: State, move: Move, at: MoveContext, step: Effect[State]) -> Effect[State]:
        """Note what a Stop would bring out against a move that stands all the same (K4)."""
        if not self.setup.stoppable:
            return step
        if isinstance(move, Call):
            hidden = calls.fault(self.setup, before.position, move)
        else:
            hidden = true_objections(self.setup, before.position, move)
        # Noted also when there are none: work that only an unlawful card makes could be heard by a stopwatch.
        hidden_objections = {**step.state.hidden_objections, at.number: hidden}
        objections = () if "failed" in step.extras else hidden  # ``failed`` has said it
        return replace(step, state=State(step.state.position, hidden_objections), objections=objections)

    def correct(self, state: State, counts: Mapping[str, Count], at: MoveContext) -> State:
        """The players counted. What is owed and cannot be paid any more lapses, and the turn goes on.

        Raises:
            InputError: The cards would no longer add up.
        """
        position = state.position
        builder = builder_of(position)
        hands, stack = counts.get("hands", position.hands), counts.get("stack", position.stack)
        assert isinstance(hands, tuple)  # as ``countable`` says
        assert isinstance(stack, int)
        builder.hands, builder.stack = hands, stack
        if len(builder.hands) != self.seats:
            raise InputError(fault("count.fault.hands", "a count for each of the {n} hands is needed", n=self.seats))
        if min(builder.hands) < 0 or builder.stack < 0:
            raise InputError(fault("count.fault.less", "nobody can hold fewer than 0 cards; please count again"))
        wanted, counts_to = counted(position), counted(builder)
        if wanted != counts_to:
            sentence = "these counts make {found} cards in all, but there are {wanted}; please count again"
            raise InputError(fault("count.fault.sum", sentence, found=counts_to, wanted=wanted))
        conclude(self.setup, position, builder, at)
        return replace(state, position=built(builder))

    def adopt(self, state: State, lying: Mapping[CardId, Zone], at: MoveContext) -> State:
        """The table is right: what lies there is the position.

        Raises:
            InputError: There are more cards on the table than the match has to give.
        """
        adopted = adopt_table.adopt(self.setup, state.position, lying)
        if adopted.stack < 0:
            sentence = "more cards lie there than hands and stack could have given: put some of them away"
            raise InputError(fault("count.fault.more", sentence))
        builder = builder_of(adopted)
        conclude(self.setup, state.position, builder, at)
        return replace(state, position=built(builder))

    def seat(self, state: State, seat: Seat, here: bool, at: MoveContext) -> State:
        """Somebody sat down in an empty seat, or left his.

        Raises:
            InputError: That cannot be, or not now.
        """
        public = state.position
        position = seats.take_seat(public, seat) if here else seats.leave_seat(self.setup, public, seat, at)
        return replace(state, position=position)

    def counted(self, state: State) -> int:
        """All cards of the match wherever they are: 54 and the jokers, always."""
        return counted(state.position)

    def deal(self, public: Position, lying: Mapping[CardId, Zone]) -> Move | None:
        """The pool that lies there before anything else; a first card in the tree shows that no more will come (A3).

        A joker that somebody left there is none of it (A7).
        """
        if not legality.awaits_deal(public):
            return None
        pool = tuple(sorted(card for card, zone in lying.items() if zone == "pool" and card in self.setup.facts))
        begun = any(zone not in {"pool", COMMAND_ZONE} for zone in lying.values())
        return Deal(TABLE, pool[:POOL]) if len(pool) >= POOL or (pool and begun) else None

    @property
    def deals_anew(self) -> bool:
        """Another pool each time."""
        return True

    def in_the_way(self, public: Position, table: TableState) -> Mapping[CardId, Zone]:
        """What lies otherwise than it should, but a pool that is being dealt: no more cards than it has, and no joker
        (A3, A7)."""
        there = misplaced(self.expected(public), self.lying(public, table))
        if not legality.awaits_deal(public):
            return there
        pool = sorted(card for card, zone in there.items() if zone == "pool" and card in self.setup.facts)[:POOL]
        return {card: zone for card, zone in there.items() if card not in pool}

    def may_stay(self) -> Text:
        """Nothing but a new pool."""
        return Text("discovery.start.stays")

    def interpretations(self, public: Position, change: Change) -> tuple[Move, ...]:
        """What a change of the table could mean, likeliest first."""
        return interpretation.interpretations(self.setup, public, change)

    def implied_moves(self, public: Position, move: Move, at: MoveContext) -> tuple[Move, ...]:
        """An end of turn that somebody forgot to say, then the same card by the next seat."""
        return interpretation.implied_moves(self.setup, public, move, at)

    def is_early(self, public: Position, move: Move) -> bool:  # noqa: ARG002
        """Never: whose a card is says the turn in which it is laid."""
        return False

    def clears_up(self, public: Position, change: Change) -> Move | None:  # noqa: ARG002  # nothing goes home
        """Never: a card that is taken up was taken back."""
        return None

    def expected(self, public: Position) -> Expected:
        """What should lie face up now."""
        return view.expected(self.setup, public)

    def standing(self, public: Position) -> Standing:
        """The scoreboard."""
        return standing(self.setup, public)

    def offers(self, public: Position, at: MoveContext) -> tuple[AvailableMove, ...]:
        """Every spoken move that is lawful now, for every seat."""
        return view.offers(self.setup, public, at)

    def caption(self, public: Position, move: Move, step: Effect[State]) -> tuple[Text, ...]:
        """Public words for a move just played."""
        return texts.caption(self.setup, public, move, step)

    def reason(self, public: Position, move: Move, objection: Objection) -> Text:
        """Public words for an objection, with what to do about it."""
        return texts.reason(self.setup, public, move, objection)

    def view(self, state: State, seat: Seat | None) -> JSON:
        """The table as a seat or a spectator may see it."""
        return view.view(self.setup, state.position, seat)

    def must_lie(self, public: Position, move: Move) -> frozenset[CardId]:  # noqa: ARG002
        """Nothing: what is missing is asked for, and play goes on."""
        return frozenset()

    def rest_s(self, change: Change) -> float:  # noqa: ARG002
        """What is laid stays: no time at all."""
        return 0.0

    def timer(self, public: Position) -> tuple[float, Move] | None:
        """A win that can still be contested stands when its seconds have passed (K2)."""
        if not (public.over and public.deciding_act) or public.contest:
            return None
        for act in public.acts:
            if act.number == public.deciding_act and act.time_s is not None:
                return act.time_s + self.setup.options.contest_s, Uncontested(TABLE, act.number)
        return None
