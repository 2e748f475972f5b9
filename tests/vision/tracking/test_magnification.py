"""A lens that seeks its focus: "magnification by ±1 % (breathing): the table is followed, not lost"."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from support.card_table import CAMERA, KEND, RATE_HZ, CardTable, held, spread
from support.long_cases import rest_long

from companion.public.layout import Layout, ZoneShape
from companion.public.table import Zone
from vision.camera.frame import make_frame
from vision.geometry.homography import fit
from vision.geometry.tags import find_tags
from vision.synthetic.compositing import DrawnCard
from vision.synthetic.films import SIZE_MM
from vision.synthetic.scene import Scene
from vision.tracking import camera_shift
from vision.tracking.magnification import MagnificationMeter

COMMANDS = (10.0, 540.0), (170.0, 540.0), (170.0, 640.0), (10.0, 640.0)
LAYOUT = Layout(SIZE_MM, (ZoneShape(Zone("commands"), COMMANDS),))


@pytest.fixture
def table() -> CardTable:
    """Twelve cards under a lens of which each picture says how much it magnifies."""
    cards = [card for card in spread(2, 20) if not (card.x_mm < 260 and card.y_mm > 440)][:12]
    return CardTable(cards, 2, 8, layout=LAYOUT)


@pytest.mark.parametrize("magnified", rest_long([0.9965, 0.99, 1.003, 1.01]))
def test_the_magnification_is_measured_to_a_fraction_of_a_pixel_at_the_rim(magnified: float) -> None:
    scene = Scene(LAYOUT, CAMERA, seed=2)
    first, later = (np.asarray(scene.render([], (), None, by), np.uint8) for by in (1.0, magnified))
    fit = MagnificationMeter(first, find_tags(first)).measure(later)
    assert fit is not None
    assert fit.scale == pytest.approx(magnified, abs=0.0002)
    rim = np.array([(30.0, 30.0), (2270.0, 1260.0)])
    middle = np.array([(2304 - 1) / 2, (1296 - 1) / 2])
    assert np.abs(fit.place(rim) - (middle + magnified * (rim - middle))).max() < 0.4


def test_a_tag_that_was_pushed_is_left_out() -> None:
    scene = Scene(LAYOUT, CAMERA, seed=2)
    first, later = (np.array(scene.render([], (), None, by), np.uint8) for by in (1.0, 0.99))
    x, y = find_tags(later)[0].mean(0).astype(int)
    box = np.s_[y - 55 : y + 55, x - 55 : x + 55]
    later[box] = np.roll(later[box], 4, axis=1)
    fit = MagnificationMeter(first, find_tags(first)).measure(later)
    assert fit is not None
    assert fit.scale == pytest.approx(0.99, abs=0.0002)


def test_a_camera_that_was_moved_is_no_lens_that_breathes() -> None:
    first = np.asarray(Scene(LAYOUT, CAMERA, seed=2).render([]), np.uint8)
    meter = MagnificationMeter(first, find_tags(first))
    assert meter.measure(np.roll(first, 12, axis=1)) is None
    assert meter.measure(np.full_like(first, 90)) is None


def test_a_lens_that_seeks_its_focus_loses_no_card_and_a_command_shown_meanwhile_is_seen(table: CardTable) -> None:
    """A second KEND is a new showing."""
    cards = {card.token for card in table.lying}
    before = {placed.token: (placed.x_mm, placed.y_mm) for placed in table.look().table.placements}
    assert set(before) == cards
    command = DrawnCard(KEND, 90.0, 585.0, 8.0)
    for magnified, shows in ((1.01, True), (1.006, False), (0.996, True)):
        looks = [table.look([command] if shows else [], magnified=magnified) for _ in range(8)]
        assert all(one.lost is None and cards <= held(one) for one in looks)
        assert not any(one.hand_in_view for one in looks[1:])
        assert (KEND in held(looks[3 if shows else -1])) == shows, "shown, seen within four pictures"
    for placed in looks[-1].table.placements:
        if placed.token in before:
            assert np.hypot(placed.x_mm - before[placed.token][0], placed.y_mm - before[placed.token][1]) < 1.0


def test_a_lens_that_has_found_another_focus_is_drawn_back_no_longer(
    table: CardTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(camera_shift, "SETTLED_S", 1.0)
    cards, first = held(table.look()), table.observer.geometry
    looks = [table.look(magnified=1.008) for _ in range(16)]
    assert all(look.lost is None and cards <= held(look) for look in looks)
    later = table.observer.geometry
    assert first is not None
    assert later is not None
    assert later is not first, "the table was located anew"
    wide = [float(np.ptp(geometry.to_px([(0, 0), SIZE_MM])[:, 0])) for geometry in (first, later)]
    assert wide[1] / wide[0] == pytest.approx(1.008, abs=0.0005)


@pytest.mark.parametrize("magnified", [1.001, 1.006])
def test_a_tag_nearer_to_the_middle_of_the_picture_does_not_tell_that_the_lens_is_still(magnified: float) -> None:
    """There a lens that breathes moves less; of a camera that looks past the table one tag lies there."""
    drawn = np.asarray(Scene(LAYOUT, CAMERA, seed=2).render([]), np.uint8)
    height, width = drawn.shape
    nearest = find_tags(drawn)[2].mean(0)  # the tag at the lower right
    aside, down = (2 * nearest - (width, height)).round().astype(int).tolist()
    first = np.pad(drawn, ((0, max(0, down)), (0, max(0, aside))), mode="edge")
    tall, wide = first.shape
    breath = cv2.getRotationMatrix2D(((wide - 1) / 2, (tall - 1) / 2), 0, magnified)
    later = np.asarray(cv2.warpAffine(first, breath, (wide, tall), borderMode=cv2.BORDER_REPLICATE), np.uint8)
    geometry = fit(find_tags(first), LAYOUT.size_mm, (wide, tall))
    assert geometry is not None
    detector = camera_shift.CameraShiftDetector(make_frame(first, 0.0), geometry)
    looks = [detector.steadied(make_frame(later, 1 + look / RATE_HZ)) for look in range(8)]
    assert np.abs(looks[-1].gray.astype(int) - first).mean() < 0.5 * np.abs(later.astype(int) - first).mean()
