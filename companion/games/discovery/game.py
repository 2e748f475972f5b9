"""Discovery: the evolution game, as the referee plays it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from companion.errors import InputError, fault
from companion.games.discovery import interpretation, texts, view
from companion.games.discovery.effects import adopt_table, seats
from companion.games.discovery.effects.apply import carry_out
from companion.games.discovery.effects.scoring import penalty, standing, totals
from companion.games.discovery.effects.turns import opening
from companion.games.discovery.moves import MOVES, Call, Deal, Uncontested
from companion.games.discovery.rules import calls, legality
from companion.games.discovery.rules.placement import true_objections
from companion.games.discovery.setup import POOL, Setup
from companion.games.discovery.state import Position, State, built, counted
from companion.games.protocol import Effect, Move, MoveContext, Objection
from companion.public.layout import Layout
from companion.public.standing import AvailableMove, Standing
from companion.public.table import TABLE, CardId, Change, Expected, Seat, Token, Zone
from companion.public.text import JSON, Text


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
    def seats(self) -> int:
        """Players and bots."""
        return len(self.setup.players)

    @property
    def cards(self) -> Mapping[Token, CardId]:
        """The stickers of the deck and of jokers, also where none are in play: one that is laid is spoken about."""
        jokers = (*self.setup.jokers, *(f"J{number}" for number in range(1, 10)))
        return {**self.setup.deck.tokens, **{Token(joker): CardId(joker) for joker in jokers}}

    @property
    def moves(self) -> Mapping[str, type[Move]]:
        """Every act by its name in the record."""
        return MOVES

    @property
    def infers_turns(self) -> bool:
        """Option ``turn_end = "inferred"``."""
        return self.setup.options.inferred

    def layout(self) -> Layout:
        """A table of 1100 by 650 mm."""
        return view.layout(self.setup)

    def start(self) -> State:
        """After the deal, or where the position says."""
        return State(self.position or opening(self.setup))

    def public(self, state: State) -> Position:
        """Without what a Stop would bring out."""
        return state.open

    def judge(self, shown: Position, move: Move, at: MoveContext) -> tuple[Objection, ...]:
        """All objections that public facts allow; none = lawful."""
        return legality.judge(self.setup, shown, move, at)

    def play(self, state: State, move: Move, at: MoveContext) -> Effect[State]:
        """Carry a move out with all its consequences.

        Raises:
            ImpossibleMove: The table cannot hold it.
        """
        draft = carry_out(self.setup, state, move, at)
        after = State(built(draft), state.faults)
        points = 0
        if self.setup.profile.points and move.by:
            before, now = totals(self.setup, state.open), totals(self.setup, after.open)
            points = now[move.by - 1] - before[move.by - 1]
        why = draft.why
        if after.open.over and not state.open.over and move.by:
            why = (*why, *penalty(self.setup, after.open, move.by))
        return Effect(after, points, draft.notes, why, draft.prize)

    def seal(self, before: State, move: Move, at: MoveContext, step: Effect[State]) -> Effect[State]:
        """Note what a Stop would bring out against a move that stands all the same (K4)."""
        if not self.setup.stoppable:
            return step
        if isinstance(move, Call):
            found = () if "failed" in step.notes else calls.fault(self.setup, before.open, move)
        else:
            found = true_objections(self.setup, before.open, move)
        # Noted also when there are none: work that only an unlawful card makes could be heard by a stopwatch.
        faults = {**step.state.faults, at.number: found}
        return Effect(State(step.state.open, faults), step.points, step.notes, step.why, step.prize, found)

    def correct(self, state: State, hands: tuple[int, ...] | None, stack: int | None) -> State:
        """The players counted.

        Raises:
            InputError: The cards would no longer add up.
        """
        known = state.open
        told = replace(
            known,
            hands=known.hands if hands is None else tuple(hands),
            stack=known.stack if stack is None else stack,
        )
        if len(told.hands) != self.seats:
            raise InputError(fault("count.fault.hands", "a count for each of the {n} hands is needed", n=self.seats))
        if min(told.hands) < 0 or told.stack < 0:
            raise InputError(fault("count.fault.less", "nobody can hold fewer than 0 cards; please count again"))
        wanted, found = counted(known), counted(told)
        if wanted != found:
            said = "these counts make {found} cards in all, but there are {wanted}; please count again"
            raise InputError(fault("count.fault.sum", said, found=found, wanted=wanted))
        return replace(state, open=told)

    def adopt(self, state: State, lying: Mapping[CardId, Zone]) -> State:
        """The table is right: what lies there is the position.

        Raises:
            InputError: There are more cards on the table than the match has to give.
        """
        told = adopt_table.adopt(self.setup, state.open, lying)
        if told.stack < 0:
            said = "more cards lie there than hands and stack could have given: put some of them away"
            raise InputError(fault("count.fault.more", said))
        return replace(state, open=told)

    def seat(self, state: State, seat: Seat, here: bool, at: MoveContext) -> State:
        """Somebody sat down in an empty seat, or left his.

        Raises:
            InputError: That cannot be, or not now.
        """
        shown = state.open
        told = seats.take_seat(shown, seat) if here else seats.leave_seat(self.setup, shown, seat, at)
        return replace(state, open=told)

    def counted(self, state: State) -> int:
        """All cards of the match wherever they are: 54 and the jokers, always."""
        return counted(state.open)

    def deal(self, shown: Position, lying: Mapping[CardId, Zone]) -> Move | None:
        """The pool that lies there before anything else; a first card in the tree shows that no more will come (A3).

        A joker that somebody left there is none of it (A7).
        """
        if not legality.awaits_deal(shown):
            return None
        pool = tuple(sorted(card for card, zone in lying.items() if zone == "pool" and card in self.setup.facts))
        begun = any(zone not in {"pool", "commands"} for zone in lying.values())
        return Deal(TABLE, pool[:POOL]) if len(pool) >= POOL or (pool and begun) else None

    def readings(self, shown: Position, change: Change) -> tuple[Move, ...]:
        """What a change of the table could mean, likeliest first."""
        return interpretation.interpretations(self.setup, shown, change)

    def mend(self, shown: Position, move: Move, at: MoveContext) -> tuple[Move, ...]:
        """An end of turn that somebody forgot to say, then the same card by the next seat."""
        return interpretation.implied_moves(self.setup, shown, move, at)

    def expected(self, shown: Position) -> Expected:
        """What should lie face up now."""
        return view.expected(self.setup, shown)

    def standing(self, shown: Position) -> Standing:
        """The scoreboard."""
        return standing(self.setup, shown)

    def offers(self, shown: Position, at: MoveContext) -> tuple[AvailableMove, ...]:
        """Every spoken move that is lawful now, for every seat."""
        return view.offers(self.setup, shown, at)

    def prompts(self, shown: Position) -> tuple[tuple[Seat, Text], ...]:
        """What somebody must do or answer next."""
        return texts.prompts(self.setup, shown)

    def caption(self, shown: Position, move: Move, step: Effect[State]) -> tuple[Text, ...]:
        """Public words for a move just played."""
        return texts.caption(self.setup, shown, move, step)

    def reason(self, shown: Position, move: Move, objection: Objection) -> Text:
        """Public words for an objection, with what to do about it."""
        return texts.reason(self.setup, shown, move, objection)

    def view(self, state: State, seat: Seat | None) -> JSON:
        """The table as a seat or a spectator may see it."""
        return view.view(self.setup, state.open, seat)

    def timer(self, shown: Position) -> tuple[float, Move] | None:
        """A win that can still be contested stands when its seconds have passed (K2)."""
        if not (shown.over and shown.deciding_act) or shown.contest:
            return None
        for act in shown.acts:
            if act.number == shown.deciding_act and act.time_s is not None:
                return act.time_s + self.setup.options.contest_s, Uncontested(TABLE, act.number)
        return None
