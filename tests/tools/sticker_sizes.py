"""What the eye reads of stickers of each size, in the fast and in the full picture, and of blurred ones, all drawn.

    python -m tests.tools.sticker_sizes                     all sizes, then blur (some minutes)
    python -m tests.tools.sticker_sizes --mm 25 --fast      stickers of 25 mm in the fast picture alone
    python -m tests.tools.sticker_sizes --blur 1.3 1.6 2.0  20 mm in the full picture, blurred so
    python -m tests.tools.sticker_sizes --dim               20 and 25 mm in the fast picture, in little light

Each line is one table of 54 cards that are turned anyhow, 0.95 m under the lens, which the eye sees for ten seconds,
eight looks a second, in pictures with different noise: how wide a module is, how wide an edge (sigma), how many codes
are read after two and after ten seconds, how many of the others are marked, and how many were named wrongly. Light is
soft and even, sleeves and lamps are not drawn: path-traced pictures with those belong to ``tests.tools.photoreal``.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.public.codes import StickerCodes
from companion.public.print_sizes import STICKER_MODULES
from companion.public.table import Token
from tests.support.card_table import spread
from vision.camera.frame import make_frame
from vision.synthetic.camera_model import CameraModel
from vision.synthetic.films import CAMERA_MODES, DECK, LAYOUT
from vision.synthetic.scene import Scene
from vision.synthetic.textures import CardPrint
from vision.tracking.observer import Observer

FAST, FULL = "2304x1296", "4608x2592"
SIZES_MM = (15, 18, 20, 22, 25, 30)
BLURS_PX = (1.3, 1.5, 1.6, 1.8, 2.0, 2.4)
BLURRED_MM = 20
HEIGHT_MM = 950.0
RATE_HZ, EARLY_S, LATE_S = 8.0, 2.0, 10.0
PICTURES = 8
"""Pictures with different noise, shown in turns."""

DIM_MM = (20, 25)
DIM = ((0.25, 4.0), (0.8, 16.0), (0.25, 8.0))
"""How bright white paper is, of 1, and the noise on it, of 255: a dark picture, one that a camera has amplified, and
one that is both."""


@dataclass(frozen=True, slots=True)
class Read:
    """What was made of one table; all are numbers of codes but the first two."""

    module_px: float
    edge_px: float
    codes: int
    early: int
    late: int
    marked: int
    wrong: int


def read(
    mode: str,
    sticker_mm: float,
    seed: int,
    blur_px: float | None = None,
    light: tuple[float, float] | None = None,
) -> Read:
    """What the eye makes of one table; ``light``: as in ``DIM``."""
    camera: CameraModel = replace(CAMERA_MODES[mode][0], distance_mm=HEIGHT_MM)
    if light is not None:
        camera = replace(camera, exposure=light[0], paper_noise_dn=light[1])
    if blur_px is not None:
        camera = replace(camera, psf_px=blur_px)
    cards = spread(seed)
    scene = Scene(LAYOUT, camera, printed=CardPrint(sticker_mm=sticker_mm), seed=seed)
    pictures = [np.asarray(scene.render(cards), np.uint8) for _ in range(PICTURES)]
    whole = [seen for seen in scene.truth(cards) if seen.visible == 1]
    observer, lying = Observer(LAYOUT, StickerCodes.of(DECK)), {seen.token for seen in whole}
    held: list[set[Token]] = []
    for number in range(round(LATE_S * RATE_HZ)):
        look = observer.observe(make_frame(pictures[number % PICTURES], number / RATE_HZ))
        held.append({placement.token for placement in look.table.placements})
    unread = [one for one in cards if one.token in lying - held[-1]]
    reach_mm = sticker_mm
    marked = sum(
        any(math.dist((one.x_mm, one.y_mm), (at.x_mm, at.y_mm)) < reach_mm for at in look.unread) for one in unread
    )
    module_px = sticker_mm / STICKER_MODULES * camera.focal_px / camera.distance_mm
    early = held[round(EARLY_S * RATE_HZ) - 1]
    wrong = len(held[-1] - {card.token for card in cards})
    return Read(module_px, camera.psf_px, len(lying), len(lying & early), len(lying & held[-1]), marked, wrong)


def print_line(
    name: str,
    mode: str,
    sticker_mm: float,
    seed: int,
    blur_px: float | None = None,
    light: tuple[float, float] | None = None,
) -> None:
    found = read(mode, sticker_mm, seed, blur_px, light)
    print(
        f"{name:24}{found.module_px:9.2f}{found.edge_px:9.2f}{found.codes:9}{found.early:9}{found.late:9}"
        f"{found.marked:9}{found.codes - found.late - found.marked:9}{found.wrong:9}",
        flush=True,
    )


def asked_lines(asked: argparse.Namespace) -> Iterator[tuple[str, str, float, float | None]]:
    """Name, mode, size and blur of each table."""
    modes = [FAST] if asked.fast else [FULL] if asked.full else [FAST, FULL]
    if not asked.blur or asked.mm:
        for mode in modes:
            for size_mm in asked.mm or SIZES_MM:
                yield f"{size_mm:g} mm, {mode.split('x')[0]} wide", mode, size_mm, None
    if asked.blur or not (asked.mm or asked.fast):
        for blur_px in asked.blur or BLURS_PX:
            yield f"{BLURRED_MM} mm, blurred", FULL, BLURRED_MM, blur_px


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.tools.sticker_sizes", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--mm", type=float, nargs="+", help="sizes of stickers")
    parser.add_argument("--fast", action="store_true", help="in the fast picture alone, 2304 pixels wide")
    parser.add_argument("--full", action="store_true", help="in the full picture alone, 4608 pixels wide")
    parser.add_argument("--blur", type=float, nargs="+", help="widths of edges (sigma, pixels) in the full picture")
    parser.add_argument("--dim", action="store_true", help="in little light alone")
    parser.add_argument("--seed", type=int, default=4, help="how the cards lie")
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    heads = ("module", "edge", "codes", "2 s", "10 s", "marked", "silent", "wrong")
    print(f"{'':24}" + "".join(f"{head:>9}" for head in heads))
    for light in DIM if asked.dim else ():
        for size_mm in asked.mm or DIM_MM:
            name = f"{size_mm:g} mm, paper {light[0]:g}, {light[1]:g}"
            print_line(name, FAST, size_mm, asked.seed, light=light)
    for name, mode, size_mm, blur_px in () if asked.dim else asked_lines(asked):
        print_line(name, mode, size_mm, asked.seed, blur_px)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
