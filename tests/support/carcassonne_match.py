"""Matches of Carcassonne: The Discovery for tests: tiles by the letters of their patterns, and a table that plays.

``A+@0,-1/2`` is a tile of pattern A with a port city, one row north of the first tile, turned by two quarters. The
first tile of a map is its start tile, whatever its pattern.
"""

from __future__ import annotations

from typing import Any

from support.conserved import count_things

from companion.games.carcassonne.game import Carcassonne
from companion.games.carcassonne.module import CARCASSONNE
from companion.games.carcassonne.moves import (
    DeployFollower,
    DiscardTile,
    FinishTurn,
    LayStart,
    LayTile,
    ScoreFollower,
)
from companion.games.carcassonne.state import Progress, ground
from companion.games.carcassonne.territory import territory, worth
from companion.games.protocol import Effect, Move, MoveContext

TERRAINS = {"M": "mountain", "G": "grassland", "S": "sea"}
PATTERNS = {
    "A": "G:N|S:ESW", "B": "M:N|G:ESW", "C": "M:N|S:ESW", "D": "S:N|G:EW|S:S", "E": "S:N|M:EW|S:S", "F": "G:NE|S:SW",
    "H": "G:N|G:E|S:SW", "J": "G:N|G:E|M:SW", "K": "G:N|S:EW|G:S", "L": "G:N|M:EW|G:S", "Q": "S:N|G:ESW",
    "R": "M:NE|G:SW", "U": "G:N|G:E|M:S|M:W|S:", "X": "S:NESW", "Y": "G:NESW", "Z": "M:N|S:EW|G:S",
}  # fmt: skip
SPOTS = {"N": (0.5, 0.1), "E": (0.9, 0.5), "S": (0.5, 0.9), "W": (0.1, 0.5), "": (0.5, 0.5)}


def borders(name: str, count: int) -> list[list[int]]:
    """Two segments meet; of three, the last of H and J, and the middle one elsewhere, meets both; U's sea all four."""
    if name == "U":
        return [[number, 5] for number in range(1, 5)]
    if count == 3:
        middle = 3 if name in "HJ" else 2
        return [sorted((middle, number)) for number in range(1, 4) if number != middle]
    return [[1, 2]] if count == 2 else []


def tile(pattern: str, name: str, *, start: bool = False) -> dict[str, Any]:
    """A tile as a deck file says it; with ``+`` it has one city, where land and sea meet.

    Where that is so twice, it is what the vectors say: E+ the northern sea, Z+ the mountain; else the first border.
    """
    letter = pattern[0]
    segments = []
    for piece in PATTERNS[letter].split("|"):
        terrain, _, edges = piece.partition(":")
        spots = [SPOTS[edge] for edge in edges] or [SPOTS[""]]
        spot = [round(sum(axis) / len(spots), 3) for axis in zip(*spots, strict=True)]
        segments.append({"terrain": TERRAINS[terrain], "edges": edges, "spot": spot})
    row: dict[str, Any] = {"id": name, "segment": segments, "source": "authored"}
    if meets := borders(letter, len(segments)):
        row["meets"] = meets
    if start:
        row["start"] = True
    if pattern.endswith("+"):
        one, two = next(pair for pair in meets if "sea" in [segments[number - 1]["terrain"] for number in pair])
        row["city"] = [[two, one] if segments[one - 1]["terrain"] == "sea" else [one, two]]
    return row


def deck(patterns: list[str]) -> dict[str, Any]:
    """A deck of these tiles, ``T01`` and on; the first is the start tile."""
    rows = [tile(pattern, f"T{number:02}", start=number == 1) for number, pattern in enumerate(patterns, 1)]
    return {"deck": {"game": "carcassonne", "name": "Test", "edition": "test"}, "tile": rows}


def game(patterns: list[str], seats: int = 2, **match: Any) -> Carcassonne:
    """A match with these tiles."""
    return CARCASSONNE.open_match(
        {"seat": [{"name": name} for name in ("Ana", "Ben", "Cy", "Dora", "Eve")[:seats]], **match}, deck(patterns)
    )


class Table:
    """A match that goes on: ``map_`` is laid at once, lawfully, one tile a turn; ``more`` tiles are undrawn."""

    def __init__(self, map_: str = "", *more: str, seats: int = 2, **match: Any) -> None:
        laid = [word.partition("@") for word in map_.split()]
        self.patterns = [*(pattern for pattern, _, _ in laid), *more]
        self.game = game(self.patterns, seats, **match)
        self.state: Progress = self.game.rules.start
        self.number = 0
        self.steps: list[Effect[Progress]] = []
        self.next_tile = 1
        for _, _, where in laid:
            self.lay(where)

    @property
    def at(self) -> MoveContext:
        return MoveContext(self.number + 1, float(self.number))

    def judge(self, move: Move) -> list[str]:
        return [objection.rule for objection in self.game.rules.judge(self.state, move, self.at)]

    def does(self, move: Move, *, anyway: bool = False) -> Effect[Progress]:
        """Plays a move, which must be lawful unless it is let stand."""
        if not anyway:
            assert self.game.rules.judge(self.state, move, self.at) == (), move
        step = self.game.rules.apply(self.state, move, self.at)
        assert count_things(self.game, step.state) == count_things(self.game, self.state)
        self.number += 1
        self.state = step.state
        self.steps.append(step)
        return step

    def lay(self, where: str) -> None:
        """The next tile, by the seat whose turn it is; the turn before it is ended first."""
        name = f"T{self.next_tile:02}"
        self.next_tile += 1
        if not self.state.laid:
            assert where == "0,0/0"
            self.does(LayStart(0, name))
            return
        if self.state.tile is not None:
            self.ends()
        self.does(self.tile(name, where))

    def tile(self, name: str, where: str, by: int | None = None) -> LayTile:
        place, _, turn = where.partition("/")
        x, _, y = place.partition(",")
        return LayTile(self.state.turn if by is None else by, name, int(x), int(y), int(turn))

    def deploys(self, card: str, name: str, terrain: str) -> Effect[Progress]:
        return self.does(self.deploy(card, name, terrain))

    def deploy(self, card: str, name: str, terrain: str) -> DeployFollower:
        return DeployFollower(int(card[1]), card, name, self.segment(name, terrain))

    def scores(self, card: str) -> Effect[Progress]:
        return self.does(ScoreFollower(int(card[1]), card))

    def discards(self, name: str) -> Effect[Progress]:
        return self.does(DiscardTile(self.state.turn, name))

    def ends(self) -> Effect[Progress]:
        return self.does(FinishTurn(self.state.turn))

    def segment(self, name: str, terrain: str) -> int:
        """The first segment of a terrain on a tile."""
        segments = self.game.setup.deck.tiles[name].segments
        return next(number for number, one in enumerate(segments, 1) if one.terrain == terrain)

    def worth(self, name: str, terrain: str) -> tuple[int, int]:
        """What the territory of a tile's terrain is worth now, and at the end."""
        found = territory(ground(self.game.setup, self.state), (name, self.segment(name, terrain)))
        return worth(found), worth(found, final=True)
