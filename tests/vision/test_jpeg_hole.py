"""On a Raspberry Pi with Bookworm OpenCV must not decode JPEGs (CVE-2025-53644): Pillow does, and sees the same."""

from __future__ import annotations

import ast
import io
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from companion.errors import InputError
from vision import picture_file
from vision.card_photo import card_photo
from vision.picture_file import LESS, decoded, imdecode

ROOT = Path(__file__).parents[2]
FLAGS = [cv2.IMREAD_GRAYSCALE, cv2.IMREAD_COLOR, cv2.IMREAD_UNCHANGED, *LESS]


@pytest.fixture
def bookworm(monkeypatch: pytest.MonkeyPatch) -> None:
    """The OpenCV of packaging/locks/3.11-pi.txt; its decoder may not be called."""
    real = cv2.imdecode

    def guarded(packed: np.ndarray, flags: int) -> object:
        assert packed[:3].tobytes() != b"\xff\xd8\xff", "OpenCV was given a JPEG"
        return real(packed, flags)

    monkeypatch.setattr(cv2, "__version__", "4.10.0")
    monkeypatch.setattr(cv2, "imdecode", guarded)


def photograph(mode: str = "RGB", *, turned: int = 1, progressive: bool = False, size: tuple[int, int] = (333, 201)):
    """A smooth picture, whose four sides differ, as a JPEG."""
    wide, high = size
    x, y = np.meshgrid(np.linspace(0, 255, wide), np.linspace(0, 255, high))
    rgb = np.stack([x, y, 255 - (x + y) / 2], axis=2).astype(np.uint8)
    exif = Image.Exif()
    exif[0x0112] = turned
    out = io.BytesIO()
    Image.fromarray(rgb).convert(mode).save(out, "JPEG", quality=95, exif=exif, progressive=progressive)
    return out.getvalue()


PHOTOGRAPHS = {
    "colour": photograph(),
    "grey": photograph("L"),
    "CMYK": photograph("CMYK"),
    "progressive": photograph(progressive=True),
    "a few pixels": photograph(size=(17, 9)),
    **{f"turned {turned}": photograph(turned=turned) for turned in range(2, 9)},
}


@pytest.mark.parametrize("name", PHOTOGRAPHS)
@pytest.mark.parametrize("flags", FLAGS)
def test_both_decoders_see_the_same(name: str, flags: int, monkeypatch: pytest.MonkeyPatch) -> None:
    packed = np.frombuffer(PHOTOGRAPHS[name], np.uint8)
    before = cv2.imdecode(packed, flags)
    monkeypatch.setattr(cv2, "__version__", "4.10.0")
    monkeypatch.setattr(cv2, "imdecode", None)
    now = imdecode(packed, flags)
    assert isinstance(now, np.ndarray)
    if before.ndim == 2 and now.ndim == 3:  # a grey file, unchanged
        now = cv2.cvtColor(now, cv2.COLOR_BGR2GRAY)
    assert now.shape == before.shape
    assert now.dtype == np.uint8
    assert now.flags.c_contiguous
    most = 24 if name == "CMYK" else 6
    assert np.abs(now.astype(int) - before.astype(int)).mean() < most / 3
    assert np.quantile(np.abs(now.astype(int) - before.astype(int)), 0.99) <= most


@pytest.mark.usefixtures("bookworm")
def test_every_way_in_goes_by_pillow_there() -> None:
    assert card_photo(photograph(size=(2000, 1500)))
    assert decoded(photograph(), cv2.IMREAD_COLOR, 1_000_000).shape == (201, 333, 3)
    with pytest.raises(InputError):
        decoded(photograph()[:400], cv2.IMREAD_COLOR, 1_000_000)


def test_no_module_calls_opencv_s_decoder_itself() -> None:
    calls = {
        path.relative_to(ROOT).as_posix()
        for wing in ("vision", "companion", "web", "hardware")
        for path in (ROOT / wing).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute) and node.attr in ("imdecode", "imread", "imreadmulti", "imdecodemulti")
        if isinstance(node.value, ast.Name) and node.value.id == "cv2"
    }
    assert calls == {"vision/picture_file.py"}


@pytest.mark.parametrize(
    ("version", "safe"), [("4.10.0", False), ("4.11.0.86", False), ("4.12.0", True), ("5.0.0-dev", True)]
)
def test_which_versions_have_the_hole(version: str, safe: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cv2, "__version__", version)
    asked: list[str] = []
    monkeypatch.setattr(cv2, "imdecode", lambda *_: asked.append("OpenCV"))
    monkeypatch.setattr(picture_file, "_with_pillow", lambda *_: asked.append("Pillow"))
    imdecode(np.frombuffer(photograph(), np.uint8), cv2.IMREAD_COLOR)
    assert asked == ["OpenCV" if safe else "Pillow"]
