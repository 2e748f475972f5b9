"""A game that comes through the door as an installed one does."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace

import pytest

from companion.games.game_module import GameModule
from companion.games.registry import GROUP
from companion.public.entry_points import entry_points_of


@dataclass(frozen=True, eq=False)
class Door:
    """An entry point of a package called ``strange-NAME``."""

    name: str
    found: object
    value: str = "strange:GAME"

    @property
    def module(self) -> str:
        return self.value.partition(":")[0]

    @property
    def dist(self) -> SimpleNamespace:
        return SimpleNamespace(name=f"strange-{self.name}")

    def load(self) -> object:
        if isinstance(self.found, Exception):
            raise self.found
        return self.found


def come_in(monkeypatch: pytest.MonkeyPatch, found: GameModule | object, name: str = "", group: str = GROUP) -> None:
    """Until the test ends this game is there; an exception is what its package raises."""
    name = found.name if isinstance(found, GameModule) else name
    monkeypatch.setitem(entry_points_of(group), name, Door(name, found))  # type: ignore[arg-type]
