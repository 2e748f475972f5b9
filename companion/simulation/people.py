"""What a game defines for its simulated people: the interface between ``games`` and hands."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass

from companion.public.table import Token, Zone
from companion.simulation.deeds import Deed
from companion.simulation.scoreboard import LiveView
from companion.simulation.stage import Measures, Places
from companion.simulation.visitors import Gesture, SeatThings


@dataclass(frozen=True, slots=True)
class DecisionMoment:
    """The moment of a decision.

    Attributes:
        dice: For the decision; the same entry of the log gives the same random numbers.
        now_s: Seconds of the film.
        lying: What lies on the table, and where, whatever the log says; seen or not.
        visited: The seats that visitors play: nothing is decided for them.
    """

    dice: random.Random
    now_s: float
    lying: Mapping[Token, Zone]
    visited: frozenset[int] = frozenset()


class People(ABC):
    """The people around the table in one match of one game: their cards and their decisions.

    They express what they want to do as deeds. The movements of hands, waiting for the referee, taking refused pieces
    back and removing command cards are the same in every game (``companion.simulation.live_players``).

    Attributes:
        seats: Their number.
        places: The places on the drawn table.
        measures: The sizes of pieces that are not cards of the common size, by sticker.
        view: The match as they last saw it.
    """

    seats: int
    places: Places
    measures: Mapping[Token, Measures] = {}  # never written to
    view: LiveView

    def follow(self, view: LiveView) -> None:
        """Look at the scoreboard; called first, and whenever it may have changed."""
        self.view = view

    @abstractmethod
    def act(self, now: DecisionMoment) -> Deed | None:
        """The next deed; decided again each time. ``None`` = wait."""

    def wanted(self) -> Mapping[str, str]:
        """Where every piece should lie; people correct the others."""
        return self.view.lying

    def unnamed(self, lying: Mapping[Token, Zone]) -> frozenset[str]:  # noqa: ARG002  # most games have no such pieces
        """Pieces that may lie there although the log does not have them: they are about to be named."""
        return frozenset()

    def things(self, seat: int) -> SeatThings:  # noqa: ARG002  # a game without visitors shows nothing
        """What a visitor in this seat sees, apart from their misplaced pieces, which are added."""
        return SeatThings()

    def gesture(self, seat: int, gesture: Gesture) -> Deed | None:  # noqa: ARG002  # likewise
        """The deed of a visitor's gesture that depends on the game; ``None`` = none."""
        return None
