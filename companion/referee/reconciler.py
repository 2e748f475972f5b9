"""What the looks at the table lead to: each difference is matched against what it could be, and spoken about once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.games.protocol import Game, Move, MoveContext
from companion.history.corrections import (
    TakenBackCard,
    cards_of_this_turn,
    is_taken_back,
    last_undoable,
    source_zone,
    undo_events,
)
from companion.history.events import Origin, Played, Refused, Settled, Struck, Unexplained
from companion.history.record import Record
from companion.public.table import TABLE, CardId, Change, Observation, Zone
from companion.public.text import Text
from companion.public.updates import Signal
from companion.referee.command_cards import CommandCards
from companion.referee.referee import COMMAND_ZONE, Decision, Referee, put_right

Interpretation = tuple[Change, Move]


def legal_interpretations(
    game: Game[Any, Any], record: Record[Any], change: Change, at: MoveContext
) -> tuple[Move, ...]:
    """The lawful ones of a change's readings."""
    shown = game.public(record.state)
    return tuple(move for move in game.readings(shown, change) if not game.judge(shown, move, at))


def refused_too_early(game: Game[Any, Any], record: Record[Any], number: int, refused: Refused) -> bool:
    """Refused only because somebody had not yet said that his turn was over."""
    before = game.public(record.states[number - 1])
    return bool(game.mend(before, refused.move, MoveContext(number)))


def public_after(game: Game[Any, Any], state: Any, moves: Sequence[Move], at: MoveContext) -> Any | None:
    """The state after these moves, one after the other; ``None`` when one of them would be unlawful."""
    for number, move in enumerate(moves, at.number):
        then = MoveContext(number, at.time_s)
        if game.judge(game.public(state), move, then):
            return None
        state = game.play(state, move, then).state
    return state


def depends_on_open_question(
    game: Game[Any, Any],
    record: Record[Any],
    proposals: Sequence[Sequence[Move]],
    laid: Sequence[Change],
    at: MoveContext,
) -> frozenset[Change]:
    """Those of some changes that would be lawful, one after the other, if one of these proposals came true."""
    found: set[Change] = set()
    for moves in proposals:
        state, left = public_after(game, record.state, moves, at), list(laid)
        while state is not None:
            shown = game.public(state)
            meant = next(((c, m) for c in left for m in game.readings(shown, c) if not game.judge(shown, m, at)), None)
            if meant is None:
                break
            found.add(meant[0])
            left.remove(meant[0])
            state = game.play(state, meant[1], at).state
    return frozenset(found)


def most_plausible(
    game: Game[Any, Any], record: Record[Any], readings: list[Interpretation], at: MoveContext
) -> Interpretation:
    """Of several cards laid between two looks, the one after which most of the others are lawful."""
    if len(readings) == 1:
        return readings[0]

    def others_after(option: Interpretation) -> int:
        shown = game.public(game.play(record.state, option[1], at).state)
        later = MoveContext(at.number + 1, at.time_s)
        return sum(
            any(not game.judge(shown, move, later) for move in game.readings(shown, change))
            for change, _ in readings
            if change != option[0]
        )

    return max(readings, key=others_after)


def already_reported(record: Record[Any], differences: tuple[Change, ...]) -> set[Change]:
    """After a restart: the differences that were spoken about before, or that an undo left lying, are not news; what
    was only asked is asked again."""
    events = [line.entry.event for line in record.lines]
    told = {e.change for e in events if isinstance(e, Unexplained) or (isinstance(e, Refused) and not e.asks)}
    undone = {getattr(events[event.number - 1], "move", None) for event in events if isinstance(event, Struck)}
    cards = {getattr(move, "card", None) for move in undone}
    return {change for change in differences if change in told or change.card in cards}


IN_FLIGHT_S = 4.0
"""A lifted card is on its way somewhere until its place was empty this long with no hand in view."""
CONFIRMED_AFTER_S = 0.3
"""An unlawful card must have lain still this long, the hand gone, before anybody hears of it."""
HAND_PATIENCE_S = 3.0
"""... or this long under a hand that does not go away."""
READING_PATIENCE_S = 2.5
"""A command card waits this long for the eye to read what lies there."""
COMMAND_PATIENCE_S = 1.5
"""A command that may not be said now waits this long for a card that explains it."""
TAKEN_BACK_S = 2.0
"""The last card of the turn in play was taken back when its place was empty this long with no hand in view."""
LAID_BACK_S = 10.0
"""Laid back within this time, it is as if nothing had happened."""
CHORE_S = 15.0
"""What an act asks of people's hands (put a stopped card away) may take this long, no hand in view, unreminded."""
DISAGREEMENT_CARDS = 3
"""So many cards gone at once are no move: the table and the log disagree."""


@dataclass
class Reconciler:
    """Watches the table for a referee.

    Attributes:
        showings: Command cards and seat tags in view.
        quiet_since_s: Since when a difference has been seen with no hand in view.
        suspected_s: Since when an unlawful card has been seen, not yet confirmed.
        taken_back: The card that was taken back last, while it may still be laid back.
        accounted: Where each card lay when its lying there was last right, or was explained by an act.
    """

    referee: Referee
    showings: CommandCards = field(default_factory=CommandCards)
    quiet_since_s: dict[Change, float] = field(default_factory=dict)
    suspected_s: dict[Change, float] = field(default_factory=dict)
    taken_back: TakenBackCard | None = None
    accounted: dict[CardId, Zone] = field(default_factory=dict)
    _resumes_s: float | None = None

    def look(self, look: Observation, time_s: float | None) -> Iterator[Decision]:
        """What one look leads to; each decision is to be written down before the next is asked for."""
        referee = self.referee
        if look.lost is not referee.lost:
            referee.lost = look.lost
            lost = look.lost
            signal, key = (
                (Signal.FOUND, "referee.found") if lost is None else (Signal.LOST, f"referee.lost.{lost.value}")
            )
            yield Decision(signal=signal, texts=(Text(key),))
        if look.lost is not None:
            return
        yield from self._see(look, time_s)
        if referee.record.paused:
            yield from self._vanished()
        else:
            yield from self._cards(look, time_s)
        yield from self._commands(look, time_s)

    def _cards(self, look: Observation, time_s: float | None) -> Iterator[Decision]:
        """What lies where leads to this."""
        referee = self.referee
        if referee.game.standing(referee.public).over:
            yield from self._vanished()
            return
        resuming = self._is_resuming(look)
        if (deal := referee.game.deal(referee.public, referee.lying)) is not None:
            if look.hand_in_view:
                return  # more cards may lie under it
            yield Decision((Played(deal),))
        if resuming:
            referee.spoken |= already_reported(referee.record, referee.differences)
        yield from self._vanished(resuming)
        self._time(look)
        if referee.guiding:
            return
        while (decision := self._next(look, time_s)) is not None:
            yield decision
            self._account(decision)
            referee.asked.outgrow(len(referee.record.lines))
        if not resuming:
            yield from self._taken_off(look, time_s)
        self._account()

    def _is_resuming(self, look: Observation) -> bool:
        """The eye has just been opened: it has not read all yet, and nothing is gone because it was not read."""
        if self._resumes_s is None:
            self._resumes_s = look.taken_s + (IN_FLIGHT_S if self.referee.record.lines else 0.0)
        if look.hand_in_view and look.taken_s < self._resumes_s:
            self._resumes_s = look.taken_s + IN_FLIGHT_S
        return look.taken_s < self._resumes_s

    def _see(self, look: Observation, time_s: float | None) -> Iterator[Decision]:
        """Take in what lies where."""
        names = self.referee.game.cards
        zones = {names.get(token, CardId(token)): zone for token, zone in look.table.zones().items()}
        known = frozenset(names.values())
        self.referee.lying = {card: zone for card, zone in zones.items() if card in known and zone != COMMAND_ZONE}
        shown = frozenset(card for card, zone in zones.items() if zone == COMMAND_ZONE)
        claim = self.showings.look(shown, look.taken_s)
        if claim is not None:
            yield from self.referee.hear(claim, time_s)

    def _commands(self, look: Observation, time_s: float | None) -> Iterator[Decision]:
        """Command cards speak when every card that lies there has spoken; one that may not be said waits a little
        longer, for a card that explains it."""
        for card, since_s in tuple(self.showings.waiting.items()):
            waited_s = look.taken_s - since_s
            if look.pending and waited_s < READING_PATIENCE_S:
                continue
            if not self.referee.may_say(card, self.showings.by, time_s) and waited_s < COMMAND_PATIENCE_S:
                continue
            yield from self.referee.hear(self.showings.act(card), time_s)

    def _vanished(self, resuming: bool = False) -> Iterator[Decision]:
        """Differences that are no more: a refused card taken back is settled, a question falls away."""
        referee = self.referee
        now = set(referee.differences)
        for number, refused in referee.record.open_refusals.items() if not resuming else ():
            if refused.change is not None and refused.change not in now:
                self._drop(refused.change)
                yield Decision((Settled(number),))
        gone = (referee.spoken - now) | (self.suspected_s.keys() - now)
        if referee.guiding:
            gone |= self.quiet_since_s.keys() - now
            referee.guiding = bool(now)
        for change in gone:
            self._drop(change)
        if gone:
            yield Decision(signal=Signal.SETTLED)

    def _drop(self, change: Change) -> None:
        self.referee.spoken.discard(change)
        self.referee.asked.drop(change)
        self.suspected_s.pop(change, None)

    def _time(self, look: Observation) -> None:
        self.quiet_since_s = {
            change: look.taken_s if look.hand_in_view else self.quiet_since_s.get(change, look.taken_s)
            for change in self.referee.differences
        }

    def _quiet_s(self, change: Change, look: Observation) -> float:
        return look.taken_s - self.quiet_since_s.get(change, look.taken_s)

    def _next(self, look: Observation, time_s: float | None) -> Decision | None:
        """The next thing to say about the cards that lie where nobody has spoken about them; lawful readings first."""
        referee, at = self.referee, self.referee.at(time_s)
        fresh = [c for c in referee.differences if c not in referee.spoken and not self._is_chore(c, look)]
        laid = [change for change in fresh if change.went_to is not None and not self._being_dealt(change)]
        if (back := self._laid_back(laid, look)) is not None:
            return back
        found = [(change, moves[0]) for change in laid if len(moves := self._lawful(change, at)) == 1]
        found += [
            (refused.change, moves[0])
            for number, refused in referee.record.open_refusals.items()
            if refused.change and refused_too_early(referee.game, referee.record, number, refused)
            if len(moves := self._lawful(refused.change, at)) == 1
        ]
        if found:
            change, move = most_plausible(referee.game, referee.record, found, at)
            self._drop(change)
            return Decision((Played(move),))
        if self._outgrown(at):
            return Decision(signal=Signal.SETTLED)
        in_flight = {c.came_from for c in fresh if c.went_to is None and self._quiet_s(c, look) < IN_FLIGHT_S}
        asked = [moves for question in referee.asked.open.values() for moves in question.proposals]
        waiting = depends_on_open_question(referee.game, referee.record, asked, laid, at) if asked else frozenset()
        for change in laid:
            if change.went_to in in_flight or change in waiting or is_taken_back(self.referee.record, change):
                continue
            if (decision := self._doubt(change, look, at)) is not None:
                return decision
        return None

    def _outgrown(self, at: MoveContext) -> bool:
        """A question that no lawful answer is left to; its card is judged anew."""
        referee = self.referee
        for number, question in referee.asked.open.items():
            moves = question.proposals
            if moves and all(public_after(referee.game, referee.record.state, some, at) is None for some in moves):
                referee.asked.close(number)
                if question.change is not None:
                    self._drop(question.change)
                return True
        return False

    def _being_dealt(self, change: Change) -> bool:
        """Before the first move, a card that the table would have laid by itself is a part of the deal."""
        referee = self.referee
        readings = () if referee.record.acts else referee.game.readings(referee.public, change)
        return bool(readings) and all(move.by == TABLE for move in readings)

    def _account(self, decision: Decision | None = None) -> None:
        """Remember which cards lie where they should, or where an act that was just played had them lie."""
        played = [event.move for event in (decision.events if decision else ()) if isinstance(event, Played)]
        wrong = {change.card for change in self.referee.differences} - {getattr(move, "card", None) for move in played}
        known, lying = self.accounted, self.referee.lying
        self.accounted = {card: z for card, z in lying.items() if card not in wrong or known.get(card) == z}

    def _is_chore(self, change: Change, look: Observation) -> bool:
        """Nobody moved this card; an act wants it elsewhere now, and hands may still be busy with it."""
        lay = self.accounted.get(change.card, change.came_from)
        return lay == change.went_to and self._quiet_s(change, look) < CHORE_S

    def _lawful(self, change: Change, at: MoveContext) -> tuple[Move, ...]:
        return legal_interpretations(self.referee.game, self.referee.record, change, at)

    def _doubt(self, change: Change, look: Observation, at: MoveContext) -> Decision | None:
        """A card that may not lie there, or about which only people know: suspected first, then said."""
        referee = self.referee
        since = self.suspected_s.get(change)
        if since is None:
            self.suspected_s[change] = look.taken_s
            quiet = referee.game.silent or bool(self._lawful(change, at))
            return None if quiet else Decision(signal=Signal.SUSPECTED)
        rested_s = look.taken_s - since
        if rested_s < CONFIRMED_AFTER_S or (look.hand_in_view and rested_s < HAND_PATIENCE_S):
            return None
        del self.suspected_s[change]
        referee.spoken.add(change)
        readings = referee.game.readings(referee.public, change)
        if not readings:
            return Decision((Unexplained(change),), texts=(put_right(referee.game, change),))
        if several := self._lawful(change, at):
            return referee.ask(change, several)
        return referee.refuse(readings[0], change, Origin.CAMERA, at)

    # -- cards taken off the table ---------------------------------------------------------------

    def _taken_off(self, look: Observation, time_s: float | None) -> Iterator[Decision]:
        """Cards that are gone: the newest of the turn are undone, any other should be put back."""
        referee = self.referee
        fresh = [change for change in referee.differences if change not in referee.spoken]
        gone = [change for change in fresh if change.went_to is None]
        cleared = len({change.card for change in gone} - cards_of_this_turn(referee.record)) >= DISAGREEMENT_CARDS
        for change in fresh:
            if (
                not cleared
                and is_taken_back(self.referee.record, change)
                and self._quiet_s(change, look) >= TAKEN_BACK_S
            ):
                yield from self._undo(change, look, time_s)
                return
        gone = [change for change in gone if self._quiet_s(change, look) >= IN_FLIGHT_S]
        if len(gone) >= DISAGREEMENT_CARDS:
            referee.guiding = True
            yield Decision(signal=Signal.MISPLACED, texts=(Text("referee.disagree"),))
            return
        for change in gone:
            referee.spoken.add(change)
            yield Decision((Unexplained(change),), texts=(put_right(referee.game, change),))

    def _undo(self, change: Change, look: Observation, time_s: float | None) -> Iterator[Decision]:
        number = last_undoable(self.referee.record)
        assert number is not None
        events = undo_events(self.referee.game, self.referee.record, number, None, time_s)
        strike = self.referee.record.next_number + len(events) - 1
        yield from self.referee.correct(events, Origin.CAMERA, time_s)
        laid = Change(change.card, source_zone(self.referee.game, self.referee.record, number), change.came_from)
        self.taken_back = TakenBackCard(strike, laid, look.taken_s + LAID_BACK_S)

    def _laid_back(self, laid: list[Change], look: Observation) -> Decision | None:
        """The card taken back a moment ago lies there again."""
        back = self.taken_back
        if back is None:
            return None
        if look.taken_s > back.until_s or len(self.referee.record.lines) != back.strike:
            self.taken_back = None
            return None
        if not any(c.card == back.laid.card and c.went_to == back.laid.went_to for c in laid):
            return None
        self.taken_back = None
        return Decision((Struck(back.strike),))
