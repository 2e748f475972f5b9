"""What a game says of its people, so that they can sit at a simulated table: the seam between ``games`` and hands."""

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
    """When people decide.

    Attributes:
        dice: What they decide by; the same entry of the log gives the same dice.
        now_s: Seconds of the film.
        lying: What lies on the table, and in which place, whatever the log says; seen or not.
        visited: The seats that visitors play: nobody else decides for them.
    """

    dice: random.Random
    now_s: float
    lying: Mapping[Token, Zone]
    visited: frozenset[int] = frozenset()


class People(ABC):
    """Everybody around the table in one match of one game: what they hold, and what comes to their minds.

    They say what they want to do as deeds. Whose hand moves how, how long they wait for the referee's word, that a
    refused thing is taken back and a shown command card is put away again, is the same for every game and not theirs
    (``companion.simulation.live_players``).

    Attributes:
        seats: How many there are.
        places: Where things go on the drawn table.
        measures: What things measure that are no cards of the common size, by their stickers.
        view: The match as they saw it last.
    """

    seats: int
    places: Places
    measures: Mapping[Token, Measures] = {}  # nobody writes to it
    view: LiveView

    def follow(self, view: LiveView) -> None:
        """Look at the scoreboard; called before anything else is asked for, and whenever it may have changed."""
        self.view = view

    @abstractmethod
    def act(self, now: DecisionMoment) -> Deed | None:
        """What somebody does next, decided anew each time; ``None`` = everybody waits."""

    def wanted(self) -> Mapping[str, str]:
        """Where every thing should lie, so that people put right what does not."""
        return self.view.lying

    def unnamed(self, lying: Mapping[Token, Zone]) -> frozenset[str]:  # noqa: ARG002  # most games have none
        """What may lie there although the log does not have it: it is about to be named."""
        return frozenset()

    def things(self, seat: int) -> SeatThings:  # noqa: ARG002  # a game without visitors shows nothing
        """What somebody sees who plays a seat himself; what he laid astray is added to it."""
        return SeatThings()

    def gesture(self, seat: int, gesture: Gesture) -> Deed | None:  # noqa: ARG002  # likewise
        """What a visitor's gesture is that is not the same in every game; ``None`` = nothing."""
        return None
