"""What a table's eye shows to people."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion.app import eye
from companion.app.eye import TableEye
from companion.public.drawn_picture import DrawnPicture
from companion.storage.settings import Settings


def test_however_many_look_a_drawn_table_is_drawn_once_a_second(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    now_s = [100.0]
    drawn: list[DrawnPicture] = []

    def colour_picture() -> DrawnPicture:
        drawn.append(DrawnPicture(bytes(len(drawn)), (4, 3), {}))
        return drawn[-1]

    monkeypatch.setattr(eye, "time", SimpleNamespace(monotonic=lambda: now_s[0]))
    table: Any = SimpleNamespace(name="simulated", simulated=True)
    options: Any = SimpleNamespace(data=tmp_path, recording=None)
    nobody: Any = None
    process: Any = SimpleNamespace(colour_picture=colour_picture)
    watching = TableEye(nobody, table, nobody, Settings(), options, nobody, lambda look: None)
    watching.process = process
    looks = []
    for later_s in (0.0, 0.4, 0.5, 0.9, 1.2):
        now_s[0] = 100.0 + later_s
        looks.append(watching.colour_picture())
    assert [None if look is None else len(look.jpeg) for look in looks] == [0, 0, 0, 0, 1]
