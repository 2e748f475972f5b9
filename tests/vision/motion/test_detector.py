"""What the small picture tells of hands, tile by tile."""

from __future__ import annotations

import numpy as np
import pytest

from vision.camera.frame import TILE_PX, Gray
from vision.geometry.tile_grid import Mask
from vision.motion.background import Background
from vision.motion.change_maps import ChangeMaps
from vision.motion.detector import HAND_GAP_TILES, ChangeDetector

pytestmark = pytest.mark.core

ROWS, COLUMNS = 27, 48
RATE_HZ = 14.0
ARM = np.s_[12:ROWS, 20:24]


def small_picture(seed: int) -> Gray:
    noise = np.random.default_rng(seed).normal(0, 1.0, (ROWS * TILE_PX, COLUMNS * TILE_PX))
    return np.asarray(np.clip(np.rint(70 + noise), 0, 255), np.uint8)


def laid(
    *things: tuple[slice, slice],
    seconds: float = 5 / RATE_HZ,
    known: tuple[slice, slice] | None = None,
    inside: Mask | None = None,
) -> ChangeMaps:
    """The last of some looks at an empty table on which things have come to lie, in tiles.

    Args:
        known: Where cards are seen that have come; the rest nobody explains.
        inside: The tiles of the table; the whole picture by default.
    """
    inside = np.ones((ROWS, COLUMNS), np.bool_) if inside is None else inside
    motion = ChangeDetector(inside, 29.0)
    background: Background | None = None
    cards = np.zeros((ROWS, COLUMNS), np.bool_)
    if known is not None:
        cards[known] = True
    for number in range(16 + round(seconds * RATE_HZ)):
        picture = small_picture(number)
        for rows, columns in things if number >= 15 else ():
            picture[rows.start * TILE_PX : rows.stop * TILE_PX, columns.start * TILE_PX : columns.stop * TILE_PX] = 110
        background = background or Background(picture, number / RATE_HZ, inside)
        stir = motion.detect(picture, number / RATE_HZ, background, lambda _: cards)
    return stir


def table() -> Mask:
    """A table with two tiles of floor around it."""
    inside = np.zeros((ROWS, COLUMNS), np.bool_)
    inside[2:-2, 2:-2] = True
    return inside


@pytest.mark.parametrize("strange", [np.s_[21:22, 20:27], np.s_[22:25, 27:29]])
def test_a_card_laid_half_over_others_at_the_rim_is_no_hand_though_a_fifth_is_unexplained(
    strange: tuple[slice, slice],
):
    """ "27 tiles, at the rim, known share .81: a hand for 16 s". What is unexplained lies apart from the rim, or is
    too small for a hand."""
    cards = np.s_[22:25, 20:27]
    things = {"known": cards, "inside": table()}
    assert laid(cards, strange, seconds=0.1, **things).hand.any(), "it may be the hand that laid them"
    assert not laid(cards, strange, seconds=0.5, **things).hand.any()


def test_a_telephone_laid_at_the_rim_is_a_hand_no_longer_than_one_in_the_middle():
    phone = np.s_[19:25, 20:24]
    assert laid(phone, seconds=1.5, inside=table()).hand.any()
    assert not laid(phone, seconds=2.5, inside=table()).hand.any()


def test_an_arm_that_rests_comes_from_beyond_the_rim_and_stays_a_hand():
    arm = np.s_[15:ROWS, 20:24]
    assert laid(arm, seconds=15, inside=table()).hand[15:25, 20:24].all()
    assert not laid(arm, seconds=21, inside=table()).hand.any()


def test_a_small_thing_alone_is_no_hand_and_cards_do_not_explain_what_lies_beside_them():
    assert not laid(np.s_[8:11, 20:23]).hand.any()
    assert laid(np.s_[5:ROWS, 20:24], seconds=5, known=np.s_[8:20, 20:24], inside=table()).hand.any()


def idle_after(*looks: list[tuple[Mask, float]]) -> Mask:
    """Which tiles are idle after looks at these hands: tiles, and for how long each has rested. Pieces that noise joins
    or widens between two looks cannot be drawn."""
    motion = ChangeDetector(table(), 29.0)
    for hands in looks:
        motion._note_idle(hands)  # noqa: SLF001  # no picture can show it, see above
    return motion._idle  # noqa: SLF001


def test_an_idle_hand_stays_so_though_noise_widens_it_but_not_one_that_just_stirred_or_that_an_arm_joins():
    """At four looks a second the last stir is a quarter of a second old."""
    cup, other, wider, both = (np.zeros((ROWS, COLUMNS), np.bool_) for _ in range(4))
    cup[20:25, 10:14] = wider[20:25, 10:15] = both[20:25, 10:14] = both[15:25, 14:22] = True
    other[2:12, 30:34] = True
    for since_s, is_idle in ((0.0, True), (0.25, True), (0.35, False)):
        assert idle_after([(cup, 2.0), (other, since_s)])[cup].all() == is_idle
    assert idle_after([(cup, 2.0), (other, 0.0)], [(wider, 2.0)])[cup].all()
    assert not idle_after([(cup, 2.0), (other, 0.0)], [(both, 2.0)]).any()


def test_fingertips_at_the_nearest_row_are_a_hand_though_they_cover_less_than_a_card():
    fingers = np.s_[21:ROWS, 20:24]
    assert laid(fingers, seconds=15, inside=table()).hand.any()
    assert not laid(np.s_[21:25, 20:24], seconds=1, inside=table()).hand.any(), "it does not come from beyond"


@pytest.mark.parametrize(("columns", "is_hand"), [((25, 27), True), ((25, 26), False)])
def test_what_crosses_the_rim_beside_a_card_is_a_hand_unless_it_is_as_narrow_as_an_edge(
    columns: tuple[int, int], is_hand: bool
):
    """Two fingertips hold a card at the near edge; or its shadow falls over the rim."""
    card, strange = np.s_[21:25, 20:25], np.s_[23:ROWS, slice(*columns)]
    assert bool(laid(card, strange, seconds=1, known=card, inside=table()).hand.any()) is is_hand


@pytest.mark.parametrize(("gap", "is_hand"), [(1, True), (HAND_GAP_TILES - 1, True), (HAND_GAP_TILES + 1, False)])
def test_what_lies_before_a_hand_that_seems_to_break_off_is_the_hand(gap: int, is_hand: bool):
    """In the middle a dark sleeve may look like the dark table."""
    fingers = np.s_[12 - gap - 3 : 12 - gap, 20:23]
    stir = laid(ARM, fingers)
    assert stir.hand[ARM].all()
    assert bool(stir.hand[fingers].all()) is is_hand


def visited(seconds: float, *, beside: bool = True, stirs: bool = False) -> tuple[bool, ...]:
    """An arm rests over the rim for two seconds, then another comes and goes; whether a hand is in view at each look
    from when it has gone, for some seconds.

    Args:
        beside: The other comes at another place; otherwise it is the same arm's own fingers that move.
        stirs: The arm that rests moves a second after the other has gone.
    """
    inside = table()
    motion = ChangeDetector(inside, 29.0)
    nothing = np.zeros((ROWS, COLUMNS), np.bool_)
    arrives, leaves = 15 + round(2 * RATE_HZ), 15 + round(3.5 * RATE_HZ)
    background: Background | None = None
    looks = []
    for number in range(leaves + round(seconds * RATE_HZ)):
        picture = small_picture(number)
        if number >= 15:
            picture[15 * TILE_PX :, 20 * TILE_PX : 24 * TILE_PX] = (
                118 if stirs and number == leaves + round(RATE_HZ) else 110
            )
        if arrives <= number < leaves:
            reaches = 12 + number % 3
            at = (
                np.s_[: reaches * TILE_PX, 36 * TILE_PX : 40 * TILE_PX]
                if beside
                else np.s_[reaches * TILE_PX : 15 * TILE_PX, 20 * TILE_PX : 24 * TILE_PX]
            )
            picture[at] = 110
        background = background or Background(picture, number / RATE_HZ, inside)
        stir = motion.detect(picture, number / RATE_HZ, background, lambda _: nothing)
        if number >= leaves:
            assert stir.hand[16:25, 20:24].all(), "what it covers is not judged meanwhile"
            looks.append(stir.hand_in_view)
        elif number >= arrives:
            assert stir.hand_in_view
    return tuple(looks)


def test_an_arm_that_rested_all_the_while_another_came_and_went_keeps_nobody_waiting():
    """An unread thing at the rim looks like an arm: "may be taken for a hand for 20 s"."""
    assert visited(5) == (False,) * round(5 * RATE_HZ)


def test_an_arm_of_which_only_the_fingers_move_is_still_there_when_they_rest():
    assert all(visited(5, beside=False))


def test_an_arm_that_stirs_again_may_do_something_again():
    looks = visited(5, stirs=True)
    assert not any(looks[: round(RATE_HZ)])
    assert all(looks[round(RATE_HZ) :])


def test_a_place_that_is_noisier_than_what_lay_upon_it_comes_to_rest() -> None:
    """Where a dark book had lain one tile flickered for seconds, and all around it nothing was gone."""
    bare, spot = np.s_[9:14, 20:28], np.s_[11:12, 23:24]
    inside = np.ones((ROWS, COLUMNS), np.bool_)
    motion, moved = ChangeDetector(inside, 29.0), []
    background: Background | None = None
    for number in range(40):
        picture = small_picture(number)
        lies = number < 20
        for (rows, columns), level, noise in (bare, 30, 1.0), (spot, 30, 1.0) if lies else (spot, 70, 10.0):
            here = np.s_[rows.start * TILE_PX : rows.stop * TILE_PX, columns.start * TILE_PX : columns.stop * TILE_PX]
            if lies or noise > 1:
                shape = picture[here].shape
                picture[here] = level + np.random.default_rng((number, 5)).normal(0, noise, shape)
        background = background or Background(picture, number / RATE_HZ, inside)
        moved.append(motion.detect(picture, number / RATE_HZ, background, lambda _: ~inside).moving)
    assert moved[20][bare].all(), "the book has gone"
    assert any(moving[spot].any() for moving in moved[21:24])
    assert not any(moving.any() for moving in moved[28:])
