"""Matches of Lands Unknown for tests: a table that plays, with figures and tokens where a sentence needs them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from importlib import resources
from typing import Any

from companion.games.lands import moves as act
from companion.games.lands.game import Lands
from companion.games.lands.module import LANDS
from companion.games.lands.setup import stand
from companion.games.lands.state import Island
from companion.games.protocol import Effect, Move, MoveContext

NAMES = ("Ana", "Ben", "Cléo", "Dora")
CAMP = "M01-1"
ROW: dict[str, list[dict[str, Any]]] = {
    "M01": [{}, {}, {"landmark": True}, {}, {}, {}],
    "M02": [{}, {"cost": 3}, {}],
    "M03": [{}],
}
"""A straight way of six spaces, another tile of three behind it, the middle one hard; a third beside space 6."""


def demo_deck() -> Any:
    text = (resources.files(LANDS.package) / "demo_deck.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def deck() -> Any:
    """The demo island's cards, on a map that is one straight way; the camp, with a fire, is its first space."""
    document = demo_deck()
    document["tile"] = []
    for name, spaces in ROW.items():
        row = []
        for at, space in enumerate(spaces, 1):
            beside = [other for other in (at - 1, at + 1) if 1 <= other <= len(spaces)]
            row.append({"at": [12 * at - 40, 20], "neighbours": beside, "exits": [[50, 0]], **space})
        document["tile"].append({"id": name, "space": row})
    document["tile"][0]["space"][0]["fire"] = True
    return document


def game(seats: int = 4, **match: Any) -> Lands:
    return LANDS.open_match({"seat": [{"name": name} for name in NAMES[:seats]], **match}, deck())


class Table:
    """The first day has begun with seat ``first``; every figure stands in the camp."""

    def __init__(self, seats: int = 4, first: int = 1, *, begun: bool = True) -> None:
        self.game = game(seats)
        self.state: Island = self.game.rules.start
        self.number = 0
        self.does(act.SetOut(0, ("M01",), (), (CAMP,) * seats))
        if begun:
            numbers = iter(range(1, 12))
            for seat in self.game.setup.seats:
                for _ in range(self.game.setup.projects):
                    self.does(act.GainItem(seat, f"P{next(numbers):02}"))
            self.does(act.BeginDay(0, first))

    @property
    def at(self) -> MoveContext:
        return MoveContext(self.number + 1, float(self.number))

    def judge(self, move: Move) -> list[str]:
        return [objection.rule for objection in self.game.rules.judge(self.state, move, self.at)]

    def does(self, move: Move, *, anyway: bool = False) -> Effect[Island]:
        """Plays a move, which must be lawful unless it is let stand."""
        if not anyway:
            assert self.game.rules.judge(self.state, move, self.at) == (), move
        step = self.game.rules.apply(self.state, move, self.at)
        self.number += 1
        self.state = step.state
        return step

    def told(self, move: Move, *, anyway: bool = False) -> list[str]:
        """The keys of what is said of a move, which is played."""
        before = self.state
        step = self.does(move, anyway=anyway)
        return [text.key.removeprefix("lands.caption.") for text in self.game.words.caption(before, move, step)]

    def sets(self, **changes: Any) -> None:
        self.state = replace(self.state, **changes)

    def _by_seat(self, name: str, seat: int, value: Any) -> None:
        row = list(getattr(self.state, name))
        row[seat - 1] = value
        self.sets(**{name: tuple(row)})

    def owns(self, seat: int, tokens: Mapping[str, int], *cards: str) -> None:
        """All that a seat has: tokens, which are told, and cards beside its projects."""
        self.sets(told=True)
        self._by_seat("resources", seat, dict(tokens))
        projects = tuple(card for card in self.state.packs[seat - 1] if card[0] == "P")
        self._by_seat("packs", seat, (*projects, *cards))

    def suffers(self, seat: int, damage: Mapping[str, int]) -> None:
        self._by_seat("damage", seat, dict(damage))

    def stands(self, seat: int, space: str) -> None:
        self._by_seat("stands", seat, space)

    def has_left(self, seat: int, points: int) -> None:
        self._by_seat("stamina", seat, points)

    def left(self, seat: int = 1) -> int:
        return self.state.stamina[seat - 1]

    def tokens(self, seat: int = 1) -> dict[str, int]:
        return dict(self.state.resources[seat - 1])

    def travel(self, seat: int, to: str, cost: int | None = None) -> act.Travel:
        return act.Travel(seat, stand(seat), to, cost)

    def opens(self, tile: str, *joins: tuple[str, str]) -> None:
        """A tile lies open, whoever turned it up."""
        self.does(act.ScoutTile(self.state.turn, tile, joins), anyway=True)
        self.has_left(self.state.turn, self.game.setup.stamina)

    def fights(self, card: str = "E01", seat: int = 0, grey: int = 0, red: int = 0) -> None:
        """A fight has begun whose dice are told, perhaps with some."""
        by = seat or self.state.turn
        self.sets(told=True)
        self.does(act.BeginFight(by, card), anyway=True)
        if grey:
            self.does(act.RollDice(by, grey, red))

    def falls_night(self) -> None:
        while not self.state.night:
            self.does(act.EndActs(self.state.turn))


AT = MoveContext(1)
