"""The players of a simulated table of Discovery: their cards, decisions and places.

They decide by the scoreboard (``live``). Nothing else in the game depends on them.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.discovery.game import Discovery
from companion.games.discovery.people.live import LivePeople
from companion.public.layout import Layout
from companion.public.text import JSON
from companion.simulation.people import People


def people(_game: Discovery, header: Mapping[str, JSON], layout: Layout, seed: int) -> People:
    """The players of a simulated table.

    Raises:
        InputError: The table lacks a zone.
    """
    return LivePeople(header["match"], header["deck"], layout, seed)
