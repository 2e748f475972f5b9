"""A second, plain judge of Carcassonne: The Discovery, written from the rule book alone; it shares no code with the
companion.

It works on the JSON forms of deck and moves, floods edges on a grid of points, and favours the straight way over the
quick one: everything is worked out afresh for every question. Letters and numbers in brackets (C9) are the ids of
docs/carcassonne.md.
"""

from __future__ import annotations

from typing import Any

JSON = Any
COMPASS = "NESW"
AWAY = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
BACK = {"N": "S", "S": "N", "E": "W", "W": "E"}


def turned(letter: str, quarters: int) -> str:
    """Where a tile's own side points once the tile is turned clockwise."""
    return COMPASS[(COMPASS.index(letter) + quarters) % 4]


class Umpire:
    """One match."""

    def __init__(self, match: JSON, deck: JSON) -> None:
        self.tiles = {row["id"]: row for row in deck["tile"]}
        self.n = len(match["seat"])
        self.turn = match.get("first", 1)
        self.remove_first = (len(self.tiles) - 1) % self.n if match.get("equal_turns") else 0
        self.grid: dict[tuple[int, int], tuple[str, int]] = {}
        self.out: dict[str, tuple[str, int]] = {}
        self.points = [0] * (self.n + 1)
        self.box: list[str] = []
        self.removed = 0
        self.new: str | None = None  # the tile of this turn
        self.done = 0  # who ended the last turn with a follower, until a tile comes
        self.over = False
        self.begun = False

    # -- looking at the map

    def where(self, name: str) -> tuple[int, int] | None:
        return next((place for place, (lying, _) in self.grid.items() if lying == name), None)

    def side(self, place: tuple[int, int], letter: str) -> tuple[str, int, str] | None:
        """Tile, segment and terrain that a place shows on one side of the map."""
        if place not in self.grid:
            return None
        name, quarters = self.grid[place]
        own = COMPASS[(COMPASS.index(letter) - quarters) % 4]
        for number, segment in enumerate(self.tiles[name]["segment"], 1):
            if own in segment["edges"]:
                return name, number, segment["terrain"]
        raise AssertionError(f"{name} has no segment on a side")

    def flood(self, name: str, number: int) -> tuple[set[tuple[str, int]], int]:
        """All segments that hang together with this one, and how many of their edges are open."""
        joined: dict[tuple[str, int], list[tuple[str, int]]] = {}
        open_edges: dict[tuple[str, int], int] = {}
        for place in self.grid:
            for letter in COMPASS:
                mine = self.side(place, letter)
                across = self.side((place[0] + AWAY[letter][0], place[1] + AWAY[letter][1]), BACK[letter])
                if mine and across is None:
                    open_edges[mine[:2]] = open_edges.get(mine[:2], 0) + 1
                elif mine and across and mine[2] == across[2]:
                    joined.setdefault(mine[:2], []).append(across[:2])
        wet = {(name, number)}
        wave = wet
        while wave:
            wave = {far for near in wave for far in joined.get(near, [])} - wet
            wet = wet | wave
        edges = sum(open_edges.get(segment, 0) for segment in wet)
        return wet, edges

    def terrain(self, name: str, number: int) -> str:
        return str(self.tiles[name]["segment"][number - 1]["terrain"])

    def value(self, name: str, number: int, *, at_end: bool = False) -> int:
        """The tables of the rule book (C17 to C19), and of its final scoring (C23)."""
        wet, edges = self.flood(name, number)
        tiles = {one for one, _ in wet}
        complete = edges == 0 and not at_end
        kind = self.terrain(name, number)
        if kind == "grassland":
            if not complete:
                return len(tiles)
            return 2 if len(tiles) == 2 else 2 * len(tiles)
        cities = set()
        if kind == "mountain":
            land = set(wet)
            for one, segment in wet:
                for pair in self.tiles[one].get("meets", []):
                    if segment in pair:
                        other = pair[1] if pair[0] == segment else pair[0]
                        if self.terrain(one, other) == "grassland":
                            land |= self.flood(one, other)[0]
            for one in self.tiles:
                for place, (ground, _) in enumerate(self.tiles[one].get("city", [])):
                    if (one, ground) in land:
                        cities.add((one, place))
            if not complete or len(tiles) == 2:
                return len(cities)
            return 2 * len(cities)
        for one in self.tiles:
            for place, (_, sea) in enumerate(self.tiles[one].get("city", [])):
                if (one, sea) in wet:
                    cities.add((one, place))
        if not complete or len(tiles) == 2:
            return len(cities)
        return len(cities) + len(tiles)

    def undrawn(self, name: str) -> bool:
        return name in self.tiles and self.where(name) is None and name not in self.box

    def left(self) -> int:
        return len(self.tiles) - len(self.grid) - len(self.box)

    def misfits(self, name: str, place: tuple[int, int], quarters: int) -> tuple[bool, list[str]]:
        """Whether a side touches (C8), and the neighbours that disagree (C9)."""
        neighbours, wrong = 0, []
        for letter in COMPASS:
            across = self.side((place[0] + AWAY[letter][0], place[1] + AWAY[letter][1]), BACK[letter])
            if across is None:
                continue
            neighbours += 1
            own = next(
                s["terrain"] for s in self.tiles[name]["segment"] for e in s["edges"] if turned(e, quarters) == letter
            )
            if own != across[2]:
                wrong.append(across[0])
        return neighbours > 0, wrong

    def fits_somewhere(self, name: str) -> bool:
        for x, y in list(self.grid):
            for dx, dy in AWAY.values():
                place = (x + dx, y + dy)
                if place in self.grid:
                    continue
                for quarters in range(4):
                    touches, wrong = self.misfits(name, place, quarters)
                    if touches and not wrong:
                        return True
        return False

    # -- judging

    def judge(self, move: JSON) -> list[tuple[str, tuple[str, ...]]]:
        if self.over:
            return [("game-over", ())]
        do, by = move["do"], move["by"]
        after_this = self.turn % self.n + 1
        if do == "start":
            if by != 0:
                return [("turn", ())]
            if not self.undrawn(move["card"]):
                return [("not-there", ())]
            return [] if self.tiles[move["card"]].get("start") else [("start", ())]
        if do in ("place", "discard"):
            if not self.undrawn(move["card"]):
                return [("not-there", ())]
            if not self.grid:
                return [("start", ())]
            if do == "place" and not self.begun and self.removed < self.remove_first:
                return [("remove", ())]
            found: list[tuple[str, tuple[str, ...]]] = []
            if do == "place":
                place = (move["x"], move["y"])
                if place in self.grid:
                    return [("not-there", ())]
                touches, wrong = self.misfits(move["card"], place, move["turn"])
                if not touches:
                    found.append(("touch", ()))
                if wrong:
                    found.append(("edge", tuple(wrong)))
            elif self.fits_somewhere(move["card"]):
                found.append(("placeable", ()))
            if by == self.turn and self.new is None:
                return found
            if found and self.new is not None and by == after_this:
                return found  # the turn before it is over; its place is what is wrong
            return [("turn", ())]
        if do == "remove":
            if by != 0:
                return [("turn", ())]
            if not self.undrawn(move["card"]) or self.tiles[move["card"]].get("start"):
                return [("not-there", ())]
            return [("not-offered", ())] if self.begun or self.removed >= self.remove_first else []
        if do == "end_turn":
            if not self.grid:
                return [("start", ())]
            if by != self.turn:
                return [("turn", ())]
            return [("order", ())] if self.new is None and self.left() else []
        if do == "agree_end":
            return [("turn", ())] if by else [] if self.grid else [("start", ())]
        return self.judge_follower(move)

    def judge_follower(self, move: JSON) -> list[tuple[str, tuple[str, ...]]]:
        card, by = move["card"], move["by"]
        known = card[0] == "F" and 1 <= int(card[1]) <= self.n and 1 <= int(card[2]) <= 4
        laying = move["do"] == "deploy"
        if laying:
            tile, number = move["tile"], move["segment"]
            there = tile in self.tiles and self.where(tile) is not None
            if not known or not there or not 1 <= number <= len(self.tiles[tile]["segment"]):
                return [("not-there", ())]
        elif card not in self.out:
            return [("not-there", ())]
        if int(card[1]) != by:
            return [("own", ())]
        if by == self.turn and self.new is None:
            return [("order", ())]
        if by == self.done:
            return [("once", ())]
        if by != self.turn:
            return [("turn", ())]
        if not laying:
            return []
        found: list[tuple[str, tuple[str, ...]]] = []
        if card in self.out:
            found.append(("supply", ()))
        if tile != self.new:
            found.append(("tile", (self.new,) if self.new else ()))
        wet, _ = self.flood(tile, number)
        others = tuple(sorted(one for one, stands in self.out.items() if stands in wet and one != card))
        if others:
            found.append(("taken", others))
        return found

    # -- playing

    def play(self, move: JSON) -> int:
        """Carries a lawful move out; the points that it brings to its seat."""
        do, by = move["do"], move["by"]
        before = list(self.points)
        ends = None
        if do == "start":
            self.grid[(0, 0)] = (move["card"], 0)
        elif do == "place":
            self.grid[(move["x"], move["y"])] = (move["card"], move["turn"])
            self.new, self.done, self.begun = move["card"], 0, True
        elif do == "discard":
            self.box.append(move["card"])
        elif do == "remove":
            self.box.append(move["card"])
            self.removed += 1
        elif do == "deploy":
            self.out[move["card"]] = (move["tile"], move["segment"])
            ends = by
        elif do == "score":
            self.points[by] += self.value(*self.out.pop(move["card"]))
            ends = by
        elif do == "end_turn":
            ends = 0
        if do == "agree_end" or (ends is not None and not self.left()):
            for card, stands in self.out.items():
                self.points[int(card[1])] += self.value(*stands, at_end=True)
            self.over = True
        elif ends is not None:
            self.turn, self.new, self.done = self.turn % self.n + 1, None, ends
        return self.points[by] - before[by] if by else 0

    def winners(self) -> list[int]:
        best = max(self.points[1:])
        return [seat for seat in range(1, self.n + 1) if self.points[seat] == best] if self.over else []

    def supply(self) -> list[int]:
        return [4 - sum(card[1] == str(seat) for card in self.out) for seat in range(1, self.n + 1)]
