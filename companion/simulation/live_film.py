"""The film of a live table: drawn from what its people decide at every moment, and without end."""

from __future__ import annotations

from collections.abc import Iterator

from companion.public.layout import Layout
from companion.public.text import JSON
from companion.simulation.behaviour import Behaviour
from companion.simulation.card_places import CardPlaces, Measures
from companion.simulation.live_players import LIVE_HABITS, LivePlayers
from companion.simulation.scoreboard import Scoreboard
from companion.simulation.script import MatchScript, ScriptedPicture
from companion.simulation.visitors import Visitors


class LiveFilm:
    """A match as it goes on; a film that is begun anew finds the table as the log has it.

    Attributes:
        players: Everybody around the table.

    Args:
        match, deck: The two files as JSON.
        layout: The table, with all zones that so many seats need.
        speed: 2 = everything that people do takes half as long.
        visitors: Who plays a seat himself.

    Raises:
        InputError: The match or the table is more than these people know, or less than they need.
    """

    def __init__(
        self,
        match: JSON,
        deck: JSON,
        layout: Layout,
        scoreboard: Scoreboard,
        seed: int,
        speed: float = 1.0,
        habits: Behaviour = LIVE_HABITS,
        visitors: Visitors | None = None,
    ) -> None:
        stage = CardPlaces(layout, len(match["seat"]), Measures(), seed)
        self.players = LivePlayers(match, deck, scoreboard, stage, seed, lambda: self._now_s, habits, visitors)
        self._script = MatchScript(self.players.errands(), stage, seed, speed=speed)
        self._now_s = 0.0

    def pictures(self, rate_hz: float) -> Iterator[ScriptedPicture]:
        """So many pictures a second, without end."""
        for picture in self._script.pictures(rate_hz):
            self._now_s = picture.time_s
            yield picture
