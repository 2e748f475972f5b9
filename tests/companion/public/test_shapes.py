"""A thing's shape: its outline around its sticker, and the sentence when the sticker is too large for it."""

from __future__ import annotations

import math

import pytest

from companion.errors import InputError
from companion.public.shapes import Shape


@pytest.mark.parametrize(
    ("turn", "corner"), [(0, (34.5, 4.5)), (1, (4.5, -34.5)), (2, (-34.5, -4.5)), (3, (-4.5, 34.5)), (5, (4.5, -34.5))]
)
def test_a_sticker_that_sits_turned_has_the_thing_turned_the_other_way_around_it(
    turn: int, corner: tuple[float, float]
) -> None:
    """The thing's right edge, half way down, of a 45 mm tile whose sticker is in its corner."""
    tile = Shape.rectangle(45, 45, sticker_mm=18, sticker_at_mm=(-12, -4.5), sticker_turn=turn)
    assert tile.around_sticker([(22.5, 0)]) == (pytest.approx(corner),)


def test_no_part_of_a_thing_is_farther_from_its_sticker_than_its_reach() -> None:
    tile = Shape.rectangle(45, 45, sticker_mm=18, sticker_at_mm=(-12, -12))
    assert tile.reach_mm == pytest.approx(math.hypot(34.5, 34.5))
    assert Shape.disc(18, sticker_mm=15).reach_mm == pytest.approx(9)


@pytest.mark.parametrize(
    "too_small",
    [
        lambda: Shape.rectangle(20, 20, sticker_mm=30),
        lambda: Shape.rectangle(45, 45, sticker_mm=18, sticker_at_mm=(-16, 0)),  # it hangs over the edge
        lambda: Shape.disc(18, sticker_mm=18),  # the code's corners do
    ],
)
def test_a_thing_smaller_than_its_sticker_is_one_sentence(too_small) -> None:
    with pytest.raises(InputError, match=r"^A sticker of \d+ mm is too large for a thing of \d+ × \d+ mm: print it"):
        too_small()


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Shape(((0, 0), (1, 1)), sticker_mm=0.1),
        lambda: Shape(((-20, -20), (-20, 20), (20, 20), (20, -20)), sticker_mm=10),  # anticlockwise
        lambda: Shape(((-20, -20), (20, -20), (0, 0), (20, 20), (-20, 20)), sticker_mm=5),  # with a dent
        lambda: Shape.rectangle(math.nan, 20, sticker_mm=10),
        lambda: Shape.rectangle(20, 20, sticker_mm=0),
        lambda: Shape.rectangle(0, 0, sticker_mm=10),
    ],
)
def test_what_is_no_outline_is_one_sentence(wrong) -> None:
    with pytest.raises(InputError, match=r"^An outline has three corners or more"):
        wrong()
