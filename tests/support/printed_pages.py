"""Printed pages as a printer draws them, as scissors cut them and as the camera over the table sees them."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import zxingcpp

from companion.public.print_sizes import STICKER_MODULES
from vision.codes.decoder import attempts_for, read_codes
from vision.synthetic.camera_model import CameraModel, CameraView

DPI = 300
PX_PER_MM = DPI / 25.4
MODES = {2304: CameraModel(), 4608: CameraModel(size_px=(4608, 2592), psf_px=0.9)}
Box = tuple[float, float, float, float]
"""Left, top, width and height in millimetres."""
INK = 160
"""Darker than this is printed."""


@dataclass(frozen=True)
class Printed:
    """A PDF file and its pages at 300 dpi, grey."""

    file: Path
    pages: tuple[np.ndarray, ...]

    def words(self, page: int, box_mm: Box) -> str:
        """The words of a page, from 0, that lie wholly inside a rectangle: left, top, width and height."""
        left, top, wide, high = box_mm
        done = subprocess.run(
            ["pdftotext", "-f", str(page + 1), "-l", str(page + 1), "-bbox", str(self.file), "-"],
            check=True,
            timeout=60,
            capture_output=True,
        )
        box = " ".join(rf'{side}="([\d.]+)"' for side in ("xMin", "yMin", "xMax", "yMax"))
        found = re.findall(rf"{box}>([^<]*)<", done.stdout.decode())
        inside = []
        for *sides, word in found:
            x0, y0, x1, y1 = (float(side) / 72 * 25.4 for side in sides)
            if x0 >= left and x1 <= left + wide and y0 >= top - 0.3 and y1 <= top + high + 0.3:
                inside.append(word)
        return " ".join(inside)


def printed(pdf: bytes, folder: Path, *, pages: tuple[int, int] | None = None) -> Printed:
    """A file as a printer at 300 dpi draws it; ``pages``: the first and the last, from 1."""
    file = folder / "printed.pdf"
    file.write_bytes(pdf)
    some = () if pages is None else ("-f", str(pages[0]), "-l", str(pages[1]))
    for old in folder.glob("page*.png"):
        old.unlink()
    draw = ["pdftoppm", *some, "-r", str(DPI), "-gray", "-png", str(file), "page"]
    subprocess.run(draw, cwd=folder, check=True, timeout=240)
    drawn = (cv2.imread(str(page), cv2.IMREAD_GRAYSCALE) for page in sorted(folder.glob("page*.png")))
    return Printed(file, tuple(drawn))


def codes_mm(page: np.ndarray) -> dict[str, tuple[float, float, float]]:
    """What each code of a page says, with its left, its top and its side."""
    found = {}
    for code in zxingcpp.read_barcodes(page, formats=zxingcpp.BarcodeFormat.QRCode):
        at = code.position
        corners = (
            np.array([(p.x, p.y) for p in (at.top_left, at.top_right, at.bottom_right, at.bottom_left)]) / PX_PER_MM
        )
        side = float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean())
        found[code.text] = (*map(float, corners.min(axis=0)), side)
    return found


def tags_mm(page: np.ndarray) -> dict[int, np.ndarray]:
    """The corners of the tags of a page, ``(4, 2)``, by their numbers."""
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    corners, ids, _ = detector.detectMarkers(page)
    numbers = [] if ids is None else ids.ravel().tolist()
    return {number: found[0] / PX_PER_MM for number, found in zip(numbers, corners, strict=True)}


def cut_along_marks(page: np.ndarray, left_mm: float, top_mm: float, side_mm: float) -> Box:
    """The rectangle that a code's crop marks bound, found in the picture of the page: left, top, width, height."""
    rim = 2 * side_mm / 21
    x0, y0 = left_mm - rim, top_mm - rim
    x1 = left_mm + side_mm + rim
    strip = page[_px(y0 - 1) :, _px(x0 - 1.8) : _px(x0 - 0.8)]
    marks = np.flatnonzero((strip < INK).mean(axis=1) > 0.8)
    rows = [run.mean() / PX_PER_MM + y0 - 1 for run in np.split(marks, np.flatnonzero(np.diff(marks) > 3) + 1)]
    across = page[_px(y0 - 1.8) : _px(y0 - 0.8), _px(x0 - 1) : _px(x1 + 1)]
    ticks = np.flatnonzero((across < INK).mean(axis=0) > 0.8)
    columns = [run.mean() / PX_PER_MM + x0 - 1 for run in np.split(ticks, np.flatnonzero(np.diff(ticks) > 3) + 1)]
    return columns[0], rows[0], columns[-1] - columns[0], rows[1] - rows[0]


def through_the_camera(page: np.ndarray, width_px: int) -> np.ndarray:
    """A page in the middle of the table, as the drawn camera shows it in the mode with so wide a picture."""
    camera = replace(MODES[width_px])
    high_mm, wide_mm = (side / PX_PER_MM for side in page.shape)
    view = CameraView(camera, (wide_mm / 2, high_mm / 2))
    corners = view.to_px(np.array([(0.0, 0.0), (wide_mm, 0.0), (wide_mm, high_mm), (0.0, high_mm)]))
    (left, top), (right, low) = np.floor(corners.min(axis=0)) - 4, np.ceil(corners.max(axis=0)) + 4
    grid = np.stack(np.meshgrid(np.arange(left, right), np.arange(top, low)), axis=-1)
    places = (view.to_mm(grid) * PX_PER_MM - 0.5).astype(np.float32)
    fine = cv2.GaussianBlur(page, (0, 0), PX_PER_MM / view.px_per_mm / 2.5)  # a pixel sees an area, not a point
    seen = cv2.remap(fine, places[..., 0], places[..., 1], cv2.INTER_LINEAR, borderValue=120).astype(np.float32)
    seen = cv2.GaussianBlur(seen, (0, 0), camera.psf_px)
    noise = np.random.default_rng(7).normal(0, camera.paper_noise_dn, seen.shape)
    return np.clip(seen * camera.exposure + noise, 0, 255).astype(np.uint8)


def read_through_the_camera(page: np.ndarray, width_px: int, sticker_mm: float) -> set[str]:
    """What the eye reads of a page at the first look: each code's text."""
    picture = through_the_camera(page, width_px)
    module_px = sticker_mm / STICKER_MODULES * MODES[width_px].focal_px / MODES[width_px].distance_mm
    texts: set[str] = set()
    read_codes(picture, attempts_for(module_px), parse=lambda text: texts.add(text))  # type: ignore[func-returns-value]
    return texts


def _px(mm: float) -> int:
    return round(mm * PX_PER_MM)
