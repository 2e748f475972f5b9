"""The film of a live table: drawn from what its people decide at every moment, and without end."""

from __future__ import annotations

from collections.abc import Iterator

from companion.public.layout import Layout
from companion.simulation.live_players import LivePlayers
from companion.simulation.people import People
from companion.simulation.scoreboard import Scoreboard
from companion.simulation.script import MatchScript, ScriptedPicture
from companion.simulation.stage import TableStage
from companion.simulation.visitors import Visitors


class LiveFilm:
    """A match as it goes on; a film that is begun anew finds the table as the log has it.

    Attributes:
        people: Everybody around the table, as their game has them.
        players: ... and how they go about it.
        stage: What lies on the table.

    Args:
        layout: The table, with its size.
        speed: 2 = everything that people do takes half as long.
        visitors: Who plays a seat himself.

    Raises:
        InputError: The layout lacks its size.
    """

    def __init__(
        self,
        people: People,
        layout: Layout,
        scoreboard: Scoreboard,
        seed: int,
        speed: float = 1.0,
        visitors: Visitors | None = None,
    ) -> None:
        self.people = people
        self.stage = TableStage(layout, people.seats, people.places, seed, people.measures)
        self.players = LivePlayers(people, scoreboard, self.stage, seed, lambda: self._now_s, visitors)
        self._script = MatchScript(self.players.errands(), self.stage, seed, speed=speed)
        self._now_s = 0.0

    def pictures(self, rate_hz: float) -> Iterator[ScriptedPicture]:
        """So many pictures a second, without end."""
        for picture in self._script.pictures(rate_hz):
            self._now_s = picture.time_s
            yield picture
