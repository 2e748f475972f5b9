"""Cameras that hang askew or see very wide: "25 mm stickers at 4608 are read in every corner, or a warning appears"."""

from __future__ import annotations

import numpy as np
import pytest

from companion.public.codes import StickerCodes
from companion.public.layout import Layout, ZoneShape
from companion.public.table import Token, Zone
from vision.camera.frame import make_frame
from vision.synthetic.camera_model import CameraModel
from vision.synthetic.compositing import DrawnCard
from vision.synthetic.films import SIZE_MM
from vision.synthetic.scene import Scene
from vision.synthetic.textures import CardPrint
from vision.tracking.observer import Observer

WIDE, HIGH = SIZE_MM
CORNERS = {
    f"{across}-{down}": ((x, y), Token(f"C{1 + n}{1 + m}"))
    for n, (across, x) in enumerate((("left", 0.0), ("middle", WIDE / 3), ("right", 2 * WIDE / 3)))
    for m, (down, y) in enumerate((("far", 0.0), ("near", HIGH / 2)))
}
"""Sixths of the table: a zone each, by its top left corner, and the card that lies in its outermost corner."""
LAYOUT = Layout(
    SIZE_MM,
    tuple(
        ZoneShape(Zone(name), ((x, y), (x + WIDE / 3, y), (x + WIDE / 3, y + HIGH / 2), (x, y + HIGH / 2)))
        for name, ((x, y), _) in CORNERS.items()
    ),
)
LOOKS = 14
FULL = {"size_px": (4608, 2592), "psf_px": 0.9}
MOUNTS = {
    "standard-tilted-30": CameraModel(tilt_deg=30.0, azimuth_deg=90.0, distance_mm=1150.0, **FULL),
    "standard-tilted-30-from-the-right": CameraModel(tilt_deg=30.0, azimuth_deg=0.0, distance_mm=1300.0, **FULL),
    "wide-600": CameraModel(hfov_deg=102.0, tilt_deg=5.0, distance_mm=600.0, **FULL),
    "wide-tilted-30": CameraModel(hfov_deg=102.0, tilt_deg=30.0, azimuth_deg=90.0, distance_mm=700.0, **FULL),
    "wide-tilted-35": CameraModel(hfov_deg=102.0, tilt_deg=35.0, azimuth_deg=90.0, distance_mm=700.0, **FULL),
}


def lies(name: str, at_mm: tuple[float, float], token: Token) -> DrawnCard:
    """A card whose sticker is as far out in its zone as cards lie, clear of the tags."""
    x, y = at_mm
    across = {"left": 70.0, "middle": WIDE / 6, "right": WIDE / 3 - 70.0}[name.split("-")[0]]
    return DrawnCard(token, x + across, y + (85.0 if name.endswith("far") else HIGH / 2 - 85.0), 7.0)


@pytest.mark.long
@pytest.mark.parametrize(
    "mount",
    [name if name == "wide-tilted-35" else pytest.param(name, marks=pytest.mark.long) for name in MOUNTS],
)
def test_every_corner_is_read_or_warned_about(mount: str) -> None:
    scene = Scene(LAYOUT, MOUNTS[mount], printed=CardPrint(sticker_mm=25.0), seed=3)
    cards = [lies(name, at_mm, token) for name, (at_mm, token) in CORNERS.items()]
    observer = Observer(LAYOUT, StickerCodes.of(card.token for card in cards))
    for number in range(LOOKS):
        frame = make_frame(np.asarray(scene.render(cards), np.uint8), number / 8)
        look = observer.observe(frame)
    assert look.lost is None
    seen = {placed.token for placed in look.table.placements}
    view = observer.health(frame)
    assert view is not None
    warned = {finding.about for finding in view.findings if finding.name == "module_px" and not finding.good}
    assert {name for name, (_, token) in CORNERS.items() if token not in seen} <= warned
    assert seen, "a table of which nothing is read would prove nothing"
