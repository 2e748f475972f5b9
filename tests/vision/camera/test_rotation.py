"""A camera may hang either way round: two flips are half a turn, and the corner tags say which side is where."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby

import numpy as np
import pytest
from support.film_report import Film, table_match

from companion.games.registry import sticker_codes
from companion.public.table import Observation, ViewLost
from vision.camera.frame import Gray, make_frame
from vision.synthetic.source import draw
from vision.tracking.observer import observe_frames

FILM = Film(table_match(2), seed=2)


@pytest.fixture(scope="module")
def pictures() -> list[tuple[float, Gray]]:
    scene = FILM.scene()
    return [(shown.time_s, draw(scene, shown)) for shown in FILM.pictures(14.0, 3.0)]


def observed(pictures: list[tuple[float, Gray]], turned: Callable[[Gray], Gray]) -> list[Observation]:
    frames = (make_frame(np.ascontiguousarray(turned(gray)), time_s) for time_s, gray in pictures)
    return list(observe_frames(frames, FILM.opened.layout, sticker_codes(FILM.opened.game)))


def test_a_picture_flipped_both_ways_shows_the_same_table(pictures: list[tuple[float, Gray]]) -> None:
    upright = observed(pictures, lambda gray: gray)[-1]
    turned = observed(pictures, lambda gray: gray[::-1, ::-1])[-1]
    assert upright.table.zones()
    assert (turned.lost, turned.table.zones()) == (upright.lost, upright.table.zones())


def test_a_mirrored_picture_is_no_table(pictures: list[tuple[float, Gray]]) -> None:
    """Ours never flips one way alone, but the app of another camera may."""
    assert {look.lost for look in observed(pictures[:9], lambda gray: gray[:, ::-1])} == {ViewLost.TABLE}


def test_a_table_that_stays_unfound_in_mirrored_pictures_is_told_as_mirrored(
    pictures: list[tuple[float, Gray]],
) -> None:
    """Also in the middle of play, when an app turns to its other camera; and all is well once it is switched off."""
    _, gray = pictures[-1]
    upright = [(at / 10, gray) for at in range(20)]
    over = [(2.0 + at / 10, np.ascontiguousarray(gray[:, ::-1])) for at in range(60)]
    again = [(8.0 + at / 10, gray) for at in range(20)]
    looks = observed([*upright, *over, *again], lambda gray: gray)
    told = [lost for lost, _ in groupby(look.lost for look in looks)]
    assert told[-3:] == [ViewLost.TABLE, ViewLost.MIRRORED, None]
    assert told.count(ViewLost.MIRRORED) == 1
    assert looks[-1].table.zones() == looks[19].table.zones() != {}


def test_pictures_without_a_table_are_not_called_mirrored(pictures: list[tuple[float, Gray]]) -> None:
    _, gray = pictures[-1]
    bare = np.full_like(gray, 128) + np.arange(gray.shape[1], dtype=np.uint8) % 32
    looks = observed([(at / 10, bare) for at in range(100)], lambda gray: gray)
    assert {look.lost for look in looks} == {ViewLost.TABLE}
