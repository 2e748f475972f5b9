"""Looks come several times a second: one that shows nothing new asks the game for next to nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from support.unspoken_table import Step, UnspokenTable

from companion.games.protocol import Game
from companion.public.table import Placement, TableState
from companion.referee.match import Match


def counting(game: Game[Any, Any], asked: Counter[str]) -> Game[Any, Any]:
    """The same game, which counts how often it is asked where things should lie, and where they lie."""

    def counted(name: str) -> Callable[..., Any]:
        function = getattr(game.table, name)

        def call(*arguments: Any) -> Any:
            asked[name] += 1
            return function(*arguments)

        return call

    return replace(game, table=replace(game.table, **{name: counted(name) for name in ("expected", "lying")}))


@pytest.mark.parametrize("name", ["carcassonne", "darwinci", "discovery", "lands"])
def test_while_nothing_changes_the_game_is_not_asked_again_where_things_lie(name: str) -> None:
    """A position of the island took 3 ms each time, and each look asked for it ten times. A look from the camera's
    process is another object each time."""
    asked = Counter[str]()
    table = UnspokenTable(name, 3, {"discovery": "fr-explore"}.get(name, "base"))
    table.match = Match(counting(table.game, asked), lambda _: None, table.updates.append)
    table.looks_on(0.5)
    dice = Random(3)
    for _ in range(12):
        table.does(Step(dice.randrange(10**6), aloud=True))
    table.looks_on(20.0)
    asked.clear()
    for _ in range(40):
        table._last = TableState(frozenset(replace(one) for one in table._last.placements))  # noqa: SLF001
        table.looks_on(0.25)
    assert asked == Counter()


def test_what_is_moved_within_its_zone_is_looked_at_again() -> None:
    """Two looks that differ in millimetres alone are equal by their zones."""
    asked = Counter[str]()
    table = UnspokenTable("carcassonne", 3, "base")
    table.match = Match(counting(table.game, asked), lambda _: None, table.updates.append)
    table.looks_on(0.5)
    table.does(Step(1))
    table.looks_on(20.0)
    asked.clear()
    token, one = next(iter(table.placed.items()))
    table.placed[token] = Placement(token, one.zone, one.x_mm + 1.0, one.y_mm, one.rotation_deg)
    table.looks_on(0.25)
    assert asked["lying"] == 1
