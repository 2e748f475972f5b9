"""The film of a live table: drawn from its people's decisions at each moment, and without end."""

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
    """A match in progress; a film that starts again finds the table as in the log.

    Attributes:
        people: The people around the table, as defined by their game.
        players: ... and their behaviour.
        stage: What lies on the table.

    Args:
        layout: The table, with its size.
        speed: 2 = people take half as long for everything.
        visitors: The seats played by real people.

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
        """Pictures at this rate, without end."""
        for picture in self._script.pictures(rate_hz):
            self._now_s = picture.time_s
            yield picture
