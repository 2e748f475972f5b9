"""People who play a seat of the simulated table by touching cards on their phones: what they may see and do.

Gestures are only carried out by the simulated hand, lawful or not: the referee judges them when the camera has seen
them. Nothing here depends on what is hidden from a player, and in a silent game nothing depends on the rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from companion.errors import InputError, fault
from companion.games import registry
from companion.public.results import TakenSeat, Visit, Waiting
from companion.public.service import Denied, Done, Invalid, NotFound, Result, Stale, User
from companion.public.table import CardId, Change, Seat, Zone
from companion.public.text import JSON, Text
from companion.referee.reconciler import legal_interpretations
from companion.service.runner import MatchRunner
from companion.simulation.visitors import Gesture, SeatThings, Sitting, Visitors

SHOWABLE = ("KEND", "KPASS", "KUNDO", "KSTOP")
"""The command cards in a visitor's hand."""


def sitting(runner: MatchRunner) -> Sitting | None:
    """The people in the match at the table whose seats visitors may play; empty if the game has no hand for them."""
    if (at_table := runner.at_table()) is None:
        return None
    stored, match, people = at_table
    if not registry.GAMES[match.game.name].demonstration.has_visitors:
        return stored.id, ()
    return stored.id, tuple((int(person.invited), person.name) for person in people)


class SimulatedSeats:
    """A ``VisitingService`` over the visitors of the simulated table.

    Args:
        visitors: ``None`` for a real table.
    """

    def __init__(self, runner: MatchRunner, visitors: Visitors | None) -> None:
        self._runner = runner
        self._visitors = visitors

    def seat(self, user: User) -> Result[Visit]:
        visitors = self._visitors
        if (no := self._refusal(user)) is not None or visitors is None or user.seat is None:
            return no or NotFound(Text("visit.real"))
        visitors.note_activity(user.seat)
        mine = visitors.things(user.seat)
        stored = self._runner.stored
        about: Visit = {"match": None if stored is None else stored.id, "playing": mine is not None}
        if mine is None:
            return Done(about)
        things, waiting = mine
        under_way = {gesture.card for gesture in waiting}
        shown: dict[str, JSON] = {
            **about,
            "hand": [thing for thing in things.hand if thing not in under_way],
            **{name: None if thing in under_way else thing for name, thing in things.named.items()},
            "astray": [thing for thing in things.astray if thing not in under_way],
            "zones": list(things.places),
            "waiting": len(waiting),
            **self._gains(user.seat, things),
        }
        return Done(cast(Visit, shown))

    def _gains(self, seat: Seat, things: SeatThings) -> dict[str, JSON]:
        """The cards that would be lawful now, with their points; in a silent game not even the key."""
        match = self._runner.match
        if match is None or match.game.silent or not things.places:
            return {}
        game, record = match.game, match.record
        at = record.next_context(match.play_s(self._runner.clock()))
        lying = game.table.expected(record.public).cards
        gains: dict[str, JSON] = {}
        for card in (CardId(thing) for thing in (*things.hand, *sorted(things.open))):
            moves = legal_interpretations(game, record, Change(card, lying.get(card), Zone(things.places[0])), at)
            if (move := next((move for move in moves if move.by == seat), None)) is not None:
                gains[card] = game.rules.apply(record.state, move, at).points
        return {"gains": gains}

    def play(self, user: User, playing: bool) -> Result[Visit]:
        if (no := self._refusal(user)) is not None or self._visitors is None or user.seat is None:
            return no or NotFound(Text("visit.real"))
        if playing and not self._has_visitors():
            return Stale(Text("visit.none"))  # the seat would never lay a card, and the match would stop
        self._visitors.play(user.seat, playing)
        return self.seat(user)

    def can_take(self) -> bool:
        visitors, seats = self._visitors, self._next_seats()
        return visitors is not None and bool(set(seats) - visitors.seats())

    def take(self) -> Result[TakenSeat]:
        if self._visitors is None:
            return NotFound(Text("visit.real"))
        seat = self._visitors.take(self._next_seats())
        return Stale(Text("visit.full")) if seat is None else Done({"seat": seat})

    def _next_seats(self) -> list[int]:
        """The seats of people who are there, the one whose turn comes next first; none if a visitor cannot play."""
        match = self._runner.match
        if match is None or not self._has_visitors() or match.standing.final:
            return []
        seats, turn = len(match.standing.points), match.standing.turn or 0
        order = [(turn + step) % seats + 1 for step in range(seats)]
        away = match.game.rules.empty_seats(match.record.public)
        return [seat for seat in order if seat not in away]

    def act(self, user: User, act: Mapping[str, JSON]) -> Result[Waiting]:
        visitors = self._visitors
        if (no := self._refusal(user)) is not None or visitors is None or user.seat is None:
            return no or NotFound(Text("visit.real"))
        if act.get("match") is not None and not self._runner.is_at_table(str(act["match"])):
            return Stale()
        mine = visitors.things(user.seat)
        if mine is None:
            return Stale(Text("visit.dice"))
        things, waiting = mine
        try:
            gesture = _gesture(act, things.places)
        except InputError as wrong:
            return Invalid.of(wrong)
        if any(one.card == gesture.card and one.do == gesture.do for one in waiting):
            return Done({"waiting": len(waiting)})
        if gesture.do == "take" and gesture.card in things.hand:
            return Done({"waiting": len(waiting)})  # it was taken back meanwhile
        if gesture.do == "take" and gesture.card not in things.astray:
            return Stale(Text("visit.belongs", {"card": gesture.card}))
        if gesture.do == "lay" and not things.within_reach(gesture.card):
            return Stale(Text("visit.elsewhere", {"card": gesture.card}))
        if not visitors.ask(user.seat, gesture):
            return Stale(Text("visit.busy"))
        return Done({"waiting": len(waiting) + 1})

    def _has_visitors(self) -> bool:
        match = self._runner.match
        return match is not None and registry.GAMES[match.game.name].demonstration.has_visitors

    def _refusal(self, user: User) -> Denied | NotFound | Stale | None:
        if self._visitors is None:
            return NotFound(Text("visit.real"))
        if user.seat is None:
            return Denied(Text("desk.join_first"))
        if self._runner.match is None:
            return Stale(Text("desk.no_match"))
        return None


def _gesture(act: Mapping[str, JSON], places: tuple[str, ...]) -> Gesture:
    """Read the gesture in a request's body.

    Raises:
        InputError: The hand cannot do that.
    """
    do, card, to, beside = (act.get(key) for key in ("do", "card", "to", "beside"))
    if do not in ("lay", "take", "show", "call"):
        raise InputError(fault("visit.fault.do", "should be lay, take, show or call", "do"))
    if not isinstance(card, str) or not 0 < len(card) <= 8:
        raise InputError(fault("visit.fault.card", "should be the id of a card", "card"))
    if do == "show" and card not in SHOWABLE:
        commands = ", ".join(SHOWABLE)
        raise InputError(fault("visit.fault.command", "should be one of {known}", "card", known=commands))
    if do != "lay":
        return Gesture(do, card)
    if to not in places:
        raise InputError(fault("visit.fault.to", "should be one of {known}", "to", known=", ".join(places)))
    return Gesture(do, card, to, beside if isinstance(beside, str) else None)
