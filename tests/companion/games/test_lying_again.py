"""What should lie on the table is what is seen there, wherever people have laid it; in every game, in random stories.

The stories come from each game's own random player, the poses from the places of its simulated table.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from typing import Any

import pytest
from support.conserved import count_things

from companion.games.carcassonne.module import CARCASSONNE
from companion.games.darwinci.module import DARWINCI
from companion.games.discovery.module import DISCOVERY
from companion.games.game_module import GameModule
from companion.games.lands.module import LANDS
from companion.games.noughts.module import NOUGHTS
from companion.games.protocol import MoveContext
from companion.games.registry import demo_deck, demo_match
from companion.public.table import Placement, TableState, Token, Zone, changes
from companion.simulation.stage import UNEVEN_DEG, UNEVEN_MM, Kept

pytestmark = pytest.mark.slow

GAMES = (DISCOVERY, CARCASSONNE, DARWINCI, LANDS, NOUGHTS)
GRIDS = (CARCASSONNE,)
PITCH_MM = 45.5
"""About what people who lay tiles side by side make of 45 mm."""
STEPS = 40


def named(module: GameModule) -> str:
    return module.name


def opened(module: GameModule) -> tuple[Any, dict[str, Any]]:
    header = {"match": demo_match(module), "deck": demo_deck(module)}
    return module.open_match(header["match"], header["deck"]), header


def story(module: GameModule, game: Any, seed: int) -> Iterator[Any]:
    """States of a random match, each after a move that the game's own player thought of first."""
    dice, player, state = random.Random(seed), module.demonstration.random_player(game), game.rules.start
    for number in range(1, STEPS):
        at = MoveContext(number)
        public = game.public(state)
        move = next((m for m in player(public, dice, at) if not game.rules.judge(public, m, at)), None)
        if move is None:
            return
        state = game.hidden.apply(state, move, at, game.rules.apply(state, move, at)).state
        yield state


def drawn(module: GameModule, game: Any, header: Any, public: Any) -> list[tuple[Token, Kept]]:
    """Where everything lies that should: as exactly as a ruler would lay it."""
    places = module.people(game, header, game.table.layout, 0).places
    tokens = {card: token for token, card in game.table.cards.items()}
    kept: dict[Token, Kept] = {}
    for card, place in game.table.expected(public).cards.items():
        kept[tokens[card]] = (place, places.pose(tokens[card], place, kept, None))
    return list(kept.items())


def table(
    game: Any,
    things: list[tuple[Token, Kept]],
    *,
    turned_deg: float = 0.0,
    moved_mm: tuple[float, float] = (0.0, 0.0),
    pitch_mm: float = PITCH_MM,
    uneven: random.Random | None = None,
) -> TableState:
    """The look at it; what lies in the field is turned, stretched and moved as a whole, about the table's middle."""
    layout = game.table.layout
    middle_x, middle_y = (side / 2 for side in layout.size_mm)
    cos, sin = math.cos(math.radians(turned_deg)), math.sin(math.radians(turned_deg))
    found = set()
    for token, (_, pose) in things:
        zone = layout.zone_at(pose.x_mm, pose.y_mm)
        x, y, rotation = pose.x_mm, pose.y_mm, pose.rotation_deg
        if zone == Zone("field"):
            dx, dy = ((at - half) * pitch_mm / PITCH_MM for at, half in ((x, middle_x), (y, middle_y)))
            x = middle_x + dx * cos - dy * sin + moved_mm[0]
            y = middle_y + dx * sin + dy * cos + moved_mm[1]
            rotation += turned_deg
        if uneven is not None:
            x, y = uneven.gauss(x, UNEVEN_MM), uneven.gauss(y, UNEVEN_MM)
            rotation = uneven.gauss(rotation, UNEVEN_DEG)
        found.add(Placement(token, zone, x, y, rotation))
    return TableState(frozenset(found))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("module", GAMES, ids=named)
def test_a_table_drawn_from_what_is_expected_is_lying_again_however_unevenly(module: GameModule, seed: int) -> None:
    game, header = opened(module)
    states = list(story(module, game, seed))
    assert len(states) > 9
    dice = random.Random(seed)
    for state in states:
        public = game.public(state)
        things = drawn(module, game, header, public)
        for uneven in (None, dice):
            seen = game.table.lying(public, table(game, things, uneven=uneven))
            assert changes(game.table.expected(public), seen) == ()


@pytest.mark.parametrize(
    "laid",
    [
        {"moved_mm": (60.0, 0.0)},
        {"moved_mm": (0.0, -60.0)},
        {"turned_deg": 5.0},
        {"turned_deg": -5.0},
        {"pitch_mm": 44.5},
        {"pitch_mm": 47.0},
        {"moved_mm": (-40.0, 40.0), "turned_deg": 5.0, "pitch_mm": 46.0},
    ],
    ids=str,
)
@pytest.mark.parametrize("module", GRIDS, ids=named)
def test_nothing_changes_when_a_whole_map_is_moved_turned_or_stretched(module: GameModule, laid: Any) -> None:
    game, header = opened(module)
    dice = random.Random(7)
    for state in story(module, game, 7):
        public = game.public(state)
        things = drawn(module, game, header, public)
        for uneven in (None, dice):
            seen = game.table.lying(public, table(game, things, uneven=uneven, **laid))
            assert changes(game.table.expected(public), seen) == ()


@pytest.mark.parametrize("module", [DISCOVERY, CARCASSONNE, DARWINCI], ids=named)
def test_things_are_conserved(module: GameModule) -> None:
    game, _ = opened(module)
    assert {count_things(game, state) for state in story(module, game, 5)} == {count_things(game, game.rules.start)}
