"""From pixels to millimetres, under lenses that bend, with four to eight tags."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from support.flat_table import AT_PX, PX_PER_MM, SIZE_MM, draw

from companion.public.print_sizes import TAG_MM
from vision.camera.frame import Gray
from vision.geometry import tags
from vision.geometry.homography import Geometry, fit, locate
from vision.geometry.tags import TAG_AREA, find_tags
from vision.process.recorder import PX_PER_MM as RECORDED_PX_PER_MM, RIM_MM, top_view, top_view_jpeg

pytestmark = pytest.mark.core

PICTURE = (4608, 2592)
FOCAL_PX = 3548.0
ALL = tuple(TAG_AREA)


def seen(points_mm: np.ndarray, k1: float, tilt_deg: float = 10.0) -> np.ndarray:
    """Where a tilted pinhole camera with one radial term, 1035 mm away, draws points of the table."""
    tilt = math.radians(tilt_deg)
    away = np.column_stack([points_mm - np.array(SIZE_MM) / 2, np.zeros(len(points_mm))])
    turn = np.array([[1, 0, 0], [0, math.cos(tilt), -math.sin(tilt)], [0, math.sin(tilt), math.cos(tilt)]])
    placed = away @ turn.T + np.array([0, 0, 1035.0])
    flat = placed[:, :2] / placed[:, 2:]
    bent = flat * (1 + k1 * (flat**2).sum(1, keepdims=True))
    return bent * FOCAL_PX + (np.array(PICTURE) - 1) / 2


def tags_seen(tags: tuple[int, ...], k1: float, seed: int, jitter_px: float = 0.1) -> dict[int, np.ndarray]:
    dice = np.random.default_rng(seed)
    half = TAG_MM / 2
    square = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
    found = {}
    for tag in tags:
        angle = math.radians(dice.normal(0, 3))
        spin = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
        corners = square @ spin.T + np.array(TAG_AREA[tag]) * SIZE_MM
        found[tag] = seen(corners, k1) + dice.normal(0, jitter_px, (4, 2))
    return found


def errors_mm(geometry: Geometry, k1: float) -> np.ndarray:
    """At interior points, never at the fitted tags."""
    x, y = np.meshgrid(np.linspace(60, SIZE_MM[0] - 60, 9), np.linspace(60, SIZE_MM[1] - 60, 6))
    points = np.column_stack([x.ravel(), y.ravel()])
    return np.asarray(np.linalg.norm(geometry.to_mm(seen(points, k1)) - points, axis=1))


@pytest.mark.parametrize("tags", [ALL, (0, 1, 2, 3), (0, 1, 2, 3, 5), (0, 2, 4, 5, 6, 7)])
@pytest.mark.parametrize("k1", [0.0, -0.03, -0.1])
def test_interior_points_are_right_to_half_a_millimetre(tags: tuple[int, ...], k1: float):
    for seed in range(3):
        geometry = fit(tags_seen(tags, k1, seed), SIZE_MM, PICTURE)
        assert geometry is not None
        assert math.sqrt(float((errors_mm(geometry, k1) ** 2).mean())) <= 0.5


@settings(deadline=None, max_examples=20)
@given(st.floats(0, SIZE_MM[0]), st.floats(0, SIZE_MM[1]), st.floats(-0.1, 0.0))
def test_there_and_back_is_where_it_began(x_mm: float, y_mm: float, k1: float):
    geometry = fit(tags_seen(ALL, k1, 2), SIZE_MM, PICTURE)
    assert geometry is not None
    assert geometry.to_mm(geometry.to_px([(x_mm, y_mm)]))[0] == pytest.approx((x_mm, y_mm), abs=0.01)


def test_four_tags_where_they_should_lie_are_needed_and_without_a_size_the_corners():
    for few in ((), (0,), (0, 1, 2)):
        assert fit(tags_seen(few, 0.0, 1), SIZE_MM, PICTURE) is None
    elsewhere = tags_seen(ALL, 0.0, 1)
    elsewhere[0], elsewhere[2] = elsewhere[2], elsewhere[0]
    assert fit(elsewhere, SIZE_MM, PICTURE) is None
    assert fit(tags_seen((0, 1, 2, 4, 5), 0.0, 1), None, PICTURE) is None
    geometry = fit(tags_seen(ALL, -0.03, 1), None, PICTURE)
    assert geometry is not None
    assert geometry.size_mm == pytest.approx(SIZE_MM, rel=0.01), "from the tags' own 36 mm"


@pytest.mark.parametrize(("hidden", "searched"), [((), [1152]), ((0, 1), [1152]), ((0, 1, 2), [1152, 2304])])
def test_the_larger_picture_is_searched_only_where_the_smaller_shows_too_few_tags(
    monkeypatch: pytest.MonkeyPatch, hidden: tuple[int, ...], searched: list[int]
):
    picture = draw(tags=[tag for tag in ALL if tag not in hidden])
    widths: list[int] = []
    detector = tags._detector  # noqa: SLF001  # which pictures OpenCV is asked to search

    class Watched:
        def __init__(self, least_px: int) -> None:
            self._least_px = least_px

        def detectMarkers(self, small: Gray) -> object:
            widths.append(small.shape[1])
            return detector(self._least_px).detectMarkers(small)

    monkeypatch.setattr(tags, "_detector", Watched)
    assert sorted(find_tags(picture)) == [tag for tag in ALL if tag not in hidden]
    assert widths == searched


def test_drawn_tags_are_found_and_measured():
    picture = draw()
    assert sorted(find_tags(picture)) == sorted(ALL)
    geometry = locate(picture, SIZE_MM)
    assert geometry is not None
    assert geometry.px_per_mm(500, 300) == pytest.approx(PX_PER_MM, rel=0.01)
    at_px = [(AT_PX[0] + 300 * PX_PER_MM, AT_PX[1] + 200 * PX_PER_MM)]
    assert geometry.to_mm(at_px)[0] == pytest.approx((300, 200), abs=0.6)
    assert locate(np.full((300, 500), 90, np.uint8), SIZE_MM) is None


@pytest.mark.parametrize("k1", [0.0, -0.1])
def test_the_view_from_above_is_right_to_a_quarter_of_a_pixel_under_a_lens_that_bends(k1: float):
    geometry = fit(tags_seen(ALL, k1, 1), SIZE_MM, PICTURE)
    assert geometry is not None
    places = top_view(geometry)
    rows, columns = np.mgrid[0 : places.shape[0] : 7, 0 : places.shape[1] : 7]
    wanted = geometry.to_px(np.column_stack([columns.ravel(), rows.ravel()]) / RECORDED_PX_PER_MM - RIM_MM)
    errors = np.linalg.norm(places[rows.ravel(), columns.ravel()] - wanted, axis=1)
    assert errors.max() < 0.25


def test_in_the_view_from_above_a_pixel_is_a_millimetre_and_the_tags_lie_where_they_should():
    gray = draw()
    geometry = locate(gray, SIZE_MM)
    assert geometry is not None
    above = cv2.imdecode(np.frombuffer(top_view_jpeg(gray, geometry), np.uint8), cv2.IMREAD_GRAYSCALE)
    assert above.shape == (SIZE_MM[1] + 2 * RIM_MM, SIZE_MM[0] + 2 * RIM_MM)
    large = np.asarray(cv2.resize(above, None, fx=3, fy=3, interpolation=cv2.INTER_CUBIC), np.uint8)
    middles = {tag: quad.mean(0) / 3 - RIM_MM for tag, quad in find_tags(large).items()}
    assert len(middles) >= 4
    for tag, middle in middles.items():
        assert np.linalg.norm(middle - np.array(TAG_AREA[tag]) * SIZE_MM) < 1.0
