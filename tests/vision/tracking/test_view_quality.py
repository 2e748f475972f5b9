"""What is said of how well the table can be seen: each warning where something is wrong, and not where nothing is."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.public.findings import Level
from companion.public.layout import Layout, ZoneShape
from companion.public.print_sizes import TAG_MM
from companion.public.table import Zone
from companion.system.camera_check import seen_finding
from vision.camera.frame import Gray, make_frame
from vision.geometry.homography import Geometry, fit
from vision.geometry.tags import TAG_AREA
from vision.messages import Measurement
from vision.synthetic.camera_model import CameraModel, CameraView
from vision.tracking.view_quality import BlurredPlace, measure_view

FULL_SIZE_PX = CameraModel(size_px=(4608, 2592), psf_px=0.9)
SIZE_MM = (1100.0, 650.0)
LAYOUT = Layout(
    SIZE_MM,
    (
        ZoneShape(Zone("tree"), ((160, 20), (820, 20), (820, 630), (160, 630))),
        ZoneShape(Zone("discard-1"), ((10, 20), (150, 20), (150, 220), (10, 220))),
    ),
)
STRAIGHT = CameraModel(tilt_deg=10.0)
TILTED = CameraModel(tilt_deg=30.0, azimuth_deg=90.0, distance_mm=1150.0)
WIDE = CameraModel(hfov_deg=102.0, tilt_deg=35.0, azimuth_deg=90.0, distance_mm=700.0)
HALF = TAG_MM / 2 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])


def set_up(camera: CameraModel) -> Geometry:
    """The table as this camera sees it."""
    view = CameraView(camera, (SIZE_MM[0] / 2, SIZE_MM[1] / 2))
    tags = {tag: view.to_px(HALF + np.array(share) * SIZE_MM) for tag, share in TAG_AREA.items()}
    geometry = fit(tags, SIZE_MM, camera.size_px)
    assert geometry is not None
    return geometry


def tags_drawn(camera: CameraModel, geometry: Geometry, psf_px: float) -> Gray:
    """A grey table with a black square on white paper wherever a tag lies."""
    width, height = camera.size_px
    picture = np.full((height, width), 90, np.uint8)
    for quad in geometry.tags_px.values():
        middle = quad.mean(0)
        for share, level in ((1.33, 210), (1.0, 30)):
            corners = np.rint((middle + share * (quad - middle)) * 16).astype(np.int32)
            cv2.fillConvexPoly(picture, corners, level, cv2.LINE_AA, 4)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), psf_px), np.uint8)


def said(
    camera: CameraModel, sticker_mm: float | None, psf_px: float = 0.7, name: str = "module_px"
) -> dict[str, Measurement]:
    geometry = set_up(camera)
    frame = make_frame(tags_drawn(camera, geometry, psf_px), 0.0)
    view = measure_view(frame, geometry, LAYOUT, {}, sticker_mm and sticker_mm / 25, {})
    return {finding.about: finding for finding in view.findings if finding.name == name}


@pytest.mark.parametrize(
    ("camera", "width_px", "sticker_mm", "good"),
    [
        (STRAIGHT, 2304, 30.0, True),
        (STRAIGHT, 2304, 20.0, False),
        (STRAIGHT, 4608, 20.0, True),
        (TILTED, 4608, 25.0, True),
        (TILTED, 2304, 25.0, False),
        (WIDE, 4608, 25.0, False),
        (WIDE, 4608, 30.0, False),
    ],
)
def test_pixels_per_module_are_those_of_the_worst_corner_in_the_worst_direction(
    camera: CameraModel, width_px: int, sticker_mm: float, good: bool
):
    """ "wide, 35 degrees, 4608, 25 / 30 mm: 47 / 51 of 54 read, no warning"."""
    findings = said(replace(camera, size_px=(width_px, width_px * 9 // 16)), sticker_mm)
    assert set(findings) == {"tree", "discard-1"}
    assert all(finding.good for finding in findings.values()) is good
    assert all(bool(finding.advice) is not finding.good for finding in findings.values())


def test_the_worst_direction_is_never_better_than_the_mean_and_the_same_straight_from_above():
    tilted, straight = set_up(TILTED), set_up(CameraModel(tilt_deg=0.0, k1=0.0))
    for at in ((60.0, 60.0), (550.0, 325.0), (1000.0, 600.0)):
        assert tilted.least_px_per_mm(*at) < 0.95 * tilted.px_per_mm(*at)
        assert straight.least_px_per_mm(*at) == pytest.approx(straight.px_per_mm(*at), rel=0.005)


def test_nobody_is_told_to_lower_the_camera_while_no_sticker_was_read():
    """ "lower the camera" was said of 30 mm stickers that were out of focus."""
    assert said(STRAIGHT, None) == {}
    (sharpness,) = said(STRAIGHT, None, 2.5, "sharpness").values()
    assert (sharpness.good, sharpness.advice) == (False, "clean-lens-or-focus")


@pytest.mark.parametrize(("camera", "sticker_mm"), [(STRAIGHT, 30.0), (FULL_SIZE_PX, 20.0)])
def test_sharpness_is_the_lens_s_own_and_not_that_of_the_samples(camera: CameraModel, sticker_mm: float):
    """ "4608, 20 mm: 48 samples a tag set a floor of 0.53 px per px/mm"."""
    for psf_px in (0.7, 0.9):
        (sharpness,) = said(camera, sticker_mm, psf_px, "sharpness").values()
        assert sharpness.good
        assert sharpness.value == pytest.approx(psf_px, abs=0.35)
    (sharpness,) = said(camera, sticker_mm, 3.5, "sharpness").values()
    assert (sharpness.good, sharpness.advice) == (False, "clean-lens-or-focus")


def test_a_soft_corner_is_named_by_its_side_though_the_other_tags_are_sharp():
    """The outer stickers were neither read nor marked, and the check said that all was well."""
    geometry = set_up(STRAIGHT)
    picture = tags_drawn(STRAIGHT, geometry, 0.7)
    corner = picture[: picture.shape[0] // 4, -picture.shape[1] // 4 :]
    corner[:] = cv2.GaussianBlur(corner, (0, 0), 3.0)
    view = measure_view(make_frame(picture, 0.0), geometry, LAYOUT, {}, 30 / 25, {})
    found = [finding for finding in view.findings if finding.name == "sharpness"]
    assert [(one.good, one.about, one.side) for one in found] == [(True, "", ""), (False, "", "far-right")]
    keys = ("name", "value", "good", "about", "advice", "side")
    seen = seen_finding([{key: getattr(one, key) for key in keys} for one in found])
    (said_once,) = (one for one in seen if one.level is Level.WARNING)
    assert said_once.what.key == "doctor.focus.side"
    assert said_once.to_do is not None
    assert said_once.to_do.key == "doctor.advice.wipe-lens-or-larger-stickers"


def test_a_smudge_is_named_by_its_side_of_the_zone_though_the_tags_are_sharp():
    """ "finger print: health found nothing in 15 of 15 looks": all tags were sharp."""
    geometry = set_up(STRAIGHT)
    frame = make_frame(tags_drawn(STRAIGHT, geometry, 0.7), 0.0)
    smudged = [BlurredPlace(Zone("tree"), (210.0, 320.0), 4.0), BlurredPlace(Zone("tree"), (220.0, 300.0), 5.0)]
    view = measure_view(frame, geometry, LAYOUT, {}, 30 / 25, {}, blurred=smudged)
    found = [finding for finding in view.findings if finding.name == "sharpness"]
    assert [(one.good, one.about, one.side, one.advice) for one in found] == [
        (True, "", "", ""),
        (False, "tree", "left", "wipe-lens"),
    ]
    keys = ("name", "value", "good", "about", "advice", "side")
    seen = seen_finding([{key: getattr(one, key) for key in keys} for one in found])
    (said_once,) = (one for one in seen if one.level is Level.WARNING)
    assert (said_once.what.key, said_once.what.params["zone"]) == ("doctor.focus.place", "tree")
    assert said_once.to_do is not None
    assert said_once.to_do.key == "doctor.advice.wipe-lens"


def mirrored(at_mm: tuple[float, float], wide_mm: float) -> list[Measurement]:
    """What is said of lamps where one is mirrored as a white disc."""
    geometry = set_up(STRAIGHT)
    picture = tags_drawn(STRAIGHT, geometry, 0.7)
    (x, y), per_mm = geometry.to_px([at_mm])[0], geometry.px_per_mm(*at_mm)
    cv2.circle(picture, (round(x), round(y)), round(wide_mm / 2 * per_mm), 255, -1)
    view = measure_view(make_frame(picture, 0.0), geometry, LAYOUT, {}, 0.8, {})
    return [finding for finding in view.findings if finding.name == "glare"]


def test_a_lamp_s_mirror_image_counts_where_things_are_laid_and_its_place_is_named():
    (there,) = mirrored((700.0, 560.0), 20.0)
    assert (there.good, there.about, there.side, there.advice) == (False, "tree", "near-right", "move-lamp")
    said_, empty = [one for one in seen_finding([as_json(there)]) if one.name == "light"]
    assert said_.level is Level.WARNING
    assert (empty.level, empty.what.key) == (Level.INFO, "doctor.light.empty"), "no card lies there that mirrors more"
    (beside,) = mirrored((1000.0, 300.0), 120.0)
    assert beside.good, "nothing is laid beside the zones"
    (small,) = mirrored((700.0, 560.0), 3.0)
    assert small.good, "a code can spare that"


def as_json(one: Measurement) -> dict[str, object]:
    return {"name": one.name, "value": one.value, "good": one.good, "about": one.about} | {
        "advice": one.advice,
        "side": one.side,
    }
