"""A visitor at a seat of a desk: what its drawn hand holds is said here, instead of by simulated people."""

from __future__ import annotations

from functools import partial

from support.real_desk import RealDesk

from companion.service.visiting import SimulatedSeats, sitting
from companion.simulation.visitors import SeatThings, Visitors


class PlayedSeat:
    """A seat that a visitor plays. Its gestures are queued, and nobody carries them out.

    Args:
        hand: The cards in its hand.
    """

    def __init__(self, desk: RealDesk, seat: int, hand: tuple[str, ...]) -> None:
        self._desk, self._seat = desk, seat
        self.visitors = Visitors(partial(sitting, desk.runner))
        self.visitors.play(seat, True)
        desk.visiting = SimulatedSeats(desk.runner, self.visitors)
        self.holds(hand)

    def holds(self, hand: tuple[str, ...], astray: tuple[str, ...] = ()) -> None:
        """These cards are in its hand, and these lie where they do not belong."""
        lying = self._desk.game_match.game.table.expected(self._desk.game_match.public).cards
        open_ = frozenset(card for card, zone in lying.items() if zone == "pool" or zone.startswith("discard-"))
        places = (
            self._desk.tree,
            "pool",
            *(f"discard-{seat}" for seat in range(1, self._desk.game_match.game.seats + 1)),
        )
        self.visitors.show(self._seat, SeatThings(hand, {"called": None}, open_, astray, places))

    def asked(self) -> list[tuple[str, str, str | None]]:
        """The gestures that wait for its hand: what to do, the card, and where."""
        things = self.visitors.things(self._seat)
        return [(one.do, one.card, one.to) for one in (things[1] if things else ())]
