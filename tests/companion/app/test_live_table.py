"""The door of a live table: the eye's process asks for one picture after the other, and may come back."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import closing
from itertools import count, islice
from pathlib import Path
from typing import Any, cast

import pytest

from companion.app.frames import live_pictures
from companion.app.live_table import LiveTable
from companion.simulation.script import ScriptedPicture


class Film:
    """A second for each picture; at ``stumbles_s`` its people fail."""

    def __init__(self, stumbles_s: float = float("inf")) -> None:
        self.stumbles_s = stumbles_s
        self.begun = 0

    def __call__(self) -> Any:
        self.begun += 1
        return self

    def pictures(self, rate_hz: float) -> Iterator[ScriptedPicture]:
        for number in count():
            if number / rate_hz >= self.stumbles_s:
                raise ZeroDivisionError
            yield ScriptedPicture(number / rate_hz, (), ())


def shown(table: LiveTable, number: int, *, paced: bool = False) -> list[float]:
    pictures = live_pictures(table.address, paced=paced)
    with closing(cast("Any", pictures)):
        return [picture.time_s for picture in islice(pictures, number)]


def test_an_eye_that_comes_back_sees_the_table_go_on_and_in_real_time_from_now() -> None:
    with closing(LiveTable(Film(), 2.0)) as table:
        assert shown(table, 4) == [0.0, 0.5, 1.0, 1.5]
        assert shown(table, 2)[0] >= 2.0
        assert shown(table, 3, paced=True) == [0.0, 0.5, 1.0]


def test_people_who_stumble_sit_down_anew_before_the_table_as_it_is(caplog: pytest.LogCaptureFixture) -> None:
    film, now_s = Film(stumbles_s=1.0), count(0, 100)
    with closing(LiveTable(film, 1.0, clock=lambda: float(next(now_s)))) as table:
        assert shown(table, 3) == [0.0, 1.0, 0.0], "time goes on while they wait"
    assert film.begun == 2
    assert caplog.text.count("stumbled") == 1


def test_a_table_that_is_closed_shows_nothing_and_nobody_waits_for_it() -> None:
    table = LiveTable(Film(), 1.0)
    pictures = live_pictures(table.address, paced=True)
    assert next(pictures).time_s == 0.0
    table.close()
    assert len(list(islice(pictures, 5))) <= 1
    assert list(live_pictures(table.address, paced=True)) == []


def test_a_long_path_to_the_temporary_folder_is_in_nobodys_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A socket's file may have 107 characters; a build server's folders, and a Nix shell's, have more."""
    folder = tmp_path / ("deep" * 30)
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    with closing(LiveTable(Film(), 2.0)) as table:
        assert shown(table, 2) == [0.0, 0.5]
    assert not list(folder.iterdir())
