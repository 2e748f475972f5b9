"""A card's picture is made small and plain, and a small file that holds a huge picture is refused unopened."""

from __future__ import annotations

import contextlib
import io
import re
import struct
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given, strategies as st
from PIL import Image

from companion.errors import InputError
from companion.public.card_reading import LAYOUTS
from companion.public.service import Invalid, Role, User
from companion.reading.pictures import MOST_PICTURE_PX, MOST_SCANS, check_picture
from companion.service import phone_camera
from companion.service.phone_camera import PhoneCamera
from companion.storage.bundle import read_bundle
from vision.camera import packed
from vision.camera.packed import unpack
from vision.camera.sources import read_gray
from vision.card_photo import MOST_PX, MOST_WHOLE_PX, SIDE_PX, card_photo
from vision.codes import card_reading
from vision.codes.card_reading import straight_cards
from vision.picture_file import decoded

ROOT = Path(__file__).parents[2]
WHERE = b"GPS 48.8584 N 2.2945 E"


def photo(width: int, height: int, ending: str = ".jpg", *more: int) -> bytes:
    """A picture whose left half is dark and whose right half is bright."""
    drawn = np.full((height, width, 3), 30, np.uint8)
    drawn[:, width // 2 :] = 220
    return cv2.imencode(ending, drawn, list(more))[1].tobytes()


def turned(jpeg: bytes, orientation: int) -> bytes:
    """The same file as a phone writes it that was held upright: with EXIF, and where it was."""
    tags = struct.pack(">2sHIHHHIHHI", b"MM", 42, 8, 1, 0x0112, 3, 1, orientation, 0, 0)
    body = b"Exif\0\0" + tags + WHERE
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + jpeg[2:]


def opened(jpeg: bytes) -> Any:
    assert jpeg[:3] == b"\xff\xd8\xff"
    picture = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)
    assert picture is not None
    return picture


@pytest.mark.parametrize("ending", [".jpg", ".png", ".webp"])
@pytest.mark.parametrize("size", [(1500, 2000), (801, 10), (640, 480), (1, 1)])
def test_whatever_a_phone_took_becomes_a_small_jpeg_of_the_same_shape(ending: str, size: tuple[int, int]):
    width, height = size
    made = opened(card_photo(photo(width, height, ending)))
    scale = min(1.0, SIDE_PX / max(size))
    assert made.shape[:2] == (round(height * scale), round(width * scale))
    if width > 2:
        assert made[:, : made.shape[1] // 3].mean() < 50
        assert made[:, -made.shape[1] // 3 :].mean() > 200


def test_a_phone_held_upright_gives_an_upright_picture_and_tells_nothing_else():
    sent = turned(photo(2000, 1000), 6)
    assert WHERE in sent
    kept = card_photo(sent)
    assert opened(kept).shape[:2] == (800, 400)
    assert opened(kept)[:250].mean() < 50, "its left is its top now"
    assert WHERE not in kept
    assert b"Exif" not in kept


def png(width: int, height: int) -> bytes:
    head = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + head + struct.pack(">I", zlib.crc32(head))


def jpeg(width: int, height: int, marker: int) -> bytes:
    frame = struct.pack(">HBHHB", 17, 8, height, width, 3) + b"\1\x11\0\2\x11\1\3\x11\1"
    harmless = struct.pack(">BBHBHHB", 0xFF, 0xE0, 8, 8, 9, 9, 3)  # looks like a frame, inside of what is skipped
    return b"\xff\xd8" + harmless + b"\xff\xff" + bytes([marker]) + frame


def webp(kind: bytes, width: int, height: int) -> bytes:
    if kind == b"VP8X":
        size = b"\0" * 4 + (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    elif kind == b"VP8L":
        size = b"\x2f" + struct.pack("<I", (width - 1) | (height - 1) << 14)
    else:
        size = b"\0\0\0\x9d\x01\x2a" + struct.pack("<HH", width, height)
    body = kind + struct.pack("<I", len(size)) + size
    return b"RIFF" + struct.pack("<I", len(body) + 4) + b"WEBP" + body


BOMBS = {
    "PNG of 400 megapixels": png(20_000, 20_000),
    "PNG of 30.2 megapixels": png(7550, 4000),
    "JPEG of 260 megapixels": jpeg(20_000, 13_000, 0xC0),
    "JPEG of 4295 megapixels": jpeg(65_535, 65_535, 0xC1),
    "progressive JPEG of 35 megapixels": jpeg(7000, 5000, 0xC2),
    "JPEG of 268 megapixels in what a mark of no length seems to skip": (
        b"\xff\xd8\xff\xd0\0\x20" + jpeg(16_384, 16_384, 0xC0)[12:] + bytes(10) + jpeg(9, 9, 0xC0)[12:]
    ),
    "JPEG of 35 megapixels in two scans": photo(7000, 5000)[:-2] + b"\xff\xda\0\2" + b"\xff\xd9",
    "WebP of 268 megapixels": webp(b"VP8L", 16_384, 16_384),
    "WebP of 100 megapixels": webp(b"VP8 ", 10_000, 10_000),
    "WebP with a canvas of 281 terapixels": webp(b"VP8X", 2**24, 2**24),
}


@pytest.fixture
def undecoded(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> None:
        raise AssertionError("it was decoded")

    monkeypatch.setattr(cv2, "imdecode", never)


@pytest.mark.usefixtures("undecoded")
@pytest.mark.parametrize("what", BOMBS)
def test_a_small_file_with_a_huge_picture_is_refused_before_it_is_opened(what: str):
    with pytest.raises(InputError, match="million pixels") as refused:
        card_photo(BOMBS[what])
    assert refused.value.faults[0].key == "picture.fault.large"


def scanned(times: int, *more: int) -> bytes:
    """A picture whose last scan comes so many times."""
    made = photo(320, 240, ".jpg", *more)
    at = made.rindex(b"\xff\xda")
    return made[:at] + made[at:-2] * times + b"\xff\xd9"


PROGRESSIVE = (cv2.IMWRITE_JPEG_PROGRESSIVE, 1)
SLOW = {
    "a progressive JPEG of 400 scans": scanned(400, *PROGRESSIVE),
    "a progressive JPEG of 31 scans too many": scanned(MOST_SCANS, *PROGRESSIVE),
    "a plain JPEG of 400 scans": scanned(400),
    "scans behind marks of no length": scanned(400, *PROGRESSIVE).replace(b"\xff\xda", b"\xff\xd0\xff\x01\xff\xff\xda"),
    "20,000 tables": photo(9, 9)[:2] + b"\xff\xfe\0\2" * 20_000 + photo(9, 9)[2:],
}
"""Small files, of few pixels, that take a decoder long."""


def bundled(data: bytes, folder: Path) -> None:
    head = '{"record": 1, "match": {"profile": "fr-explore", "seat": [{"name": "Ana"}, {"name": "Ben"}]}}\n'
    with zipfile.ZipFile(folder / "it.zip", "w") as paper:
        paper.writestr("record.jsonl", head)
        paper.writestr("pictures/1-1.jpg", data)
    read_bundle(folder / "it.zip")


def filed(data: bytes, folder: Path) -> None:
    (folder / "it.jpg").write_bytes(data)
    read_gray(folder / "it.jpg")


def sent_by_a_phone(data: bytes, _: Path) -> None:
    if isinstance(PhoneCamera().take(User(Role.HOST), "phone", data, instead=False), Invalid):
        raise InputError("refused")


def seen_by_the_eye(data: bytes, _: Path) -> None:
    if unpack(data) is None:
        raise InputError("no picture")


WAYS: dict[str, Callable[[bytes, Path], object]] = {
    "a deck's picture": lambda data, _: card_photo(data),
    "cards to be read": lambda data, _: straight_cards(data, (), LAYOUTS["box"]),
    "a phone": sent_by_a_phone,
    "the eye": seen_by_the_eye,
    "a bundle": bundled,
    "a file": filed,
}


@pytest.mark.usefixtures("undecoded")
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("what", SLOW)
def test_a_picture_that_takes_long_is_refused_before_it_is_opened_whichever_way_it_comes(
    what: str, way: str, tmp_path: Path
):
    with pytest.raises(InputError):
        WAYS[way](SLOW[what], tmp_path)


@pytest.mark.parametrize("way", WAYS)
def test_what_cameras_write_is_opened_whichever_way_it_comes(way: str, tmp_path: Path):
    for data in (photo(320, 240), photo(320, 240, ".jpg", *PROGRESSIVE), turned(photo(320, 240), 6)):
        WAYS[way](data, tmp_path)
    WAYS[way](photo(320, 240)[:-2] + b"\xff\xd9" + b"\xff\xd9", tmp_path)


def test_pictures_are_decoded_in_few_places():
    """Whoever adds one has to think of whose pictures they are: those from outside go through ``decoded``."""
    places = {
        str(path.relative_to(ROOT))
        for package in ("companion", "hardware", "vision", "web")
        for path in (ROOT / package).rglob("*.py")
        if re.search(r"\bimdecode\(|\bimread\(|\bPIL\b", path.read_text("utf-8"))
    }
    own = "vision/codes/box_reading.py"  # the table's own camera
    assert places == {"vision/picture_file.py", "vision/camera/sources.py", own}


def test_the_headers_above_are_those_of_real_pictures(monkeypatch: pytest.MonkeyPatch):
    """A picture of one pixel more than the bound is refused by its own header, one of fewer is not."""
    monkeypatch.setattr("vision.card_photo.MOST_WHOLE_PX", 40 * 30)
    monkeypatch.setattr("vision.card_photo.MOST_PX", 40 * 30)
    lossless = (cv2.IMWRITE_WEBP_QUALITY, 101)
    for ending, more in ((".png", ()), (".jpg", ()), (".webp", (cv2.IMWRITE_WEBP_QUALITY, 80)), (".webp", lossless)):
        assert opened(card_photo(photo(40, 30, ending, *more))).shape[:2] == (30, 40)
        with pytest.raises(InputError, match="million pixels"):
            card_photo(photo(41, 30, ending, *more))
    assert MOST_WHOLE_PX < MOST_PX


SOLD = {
    "64 million pixels, by a hair": (9248, 6936),
    "108 million pixels": (12_032, 9024),
    "200 million pixels": (16_384, 12_288),
}


@pytest.mark.parametrize("size", SOLD.values(), ids=SOLD)
def test_the_largest_pictures_of_phones_that_are_sold_are_taken_on_every_way_in(size: tuple[int, int]):
    header = jpeg(*size, 0xC0)
    for most_px, most_whole_px in ((MOST_PX, MOST_WHOLE_PX), (MOST_PICTURE_PX, card_reading.MOST_WHOLE_PX)):
        assert check_picture(header, most_px, most_whole_px) == size
    assert 1.2 * size[0] * size[1] < MOST_PICTURE_PX


def test_the_largest_picture_of_a_camera_that_sends_films_is_taken():
    """Arducam's with 16 million pixels has 4656 × 3496: by a hair more than sixteen."""
    for most_px in (packed.MOST_PX, phone_camera.MOST_PX):
        assert most_px > 1.2 * 4656 * 3496


def test_a_refusal_for_its_size_shows_numbers_that_differ():
    with pytest.raises(InputError, match=r"has 16384 × 16384 pixels, 250 million pixels at most can be taken"):
        check_picture(jpeg(16_384, 16_384, 0xC0), MOST_PICTURE_PX)


KINDS = {
    b"heic": "HEIC picture, which cannot be read: have the phone make JPEGs",
    b"mif1": "HEIC picture, which cannot be read: have the phone make JPEGs",
    b"avif": "AVIF picture, which cannot be read: save it as JPEG or PNG",
}


@pytest.mark.parametrize("brand", KINDS)
def test_what_phones_write_instead_of_jpeg_is_named_with_the_setting_on_every_way_in(tmp_path: Path, brand: bytes):
    data = b"\0\0\0\x18ftyp" + brand + b"\0\0\0\0" + brand + b"miaf" + bytes(2000)
    (tmp_path / "it.heic").write_bytes(data)
    for way in (
        lambda: card_photo(data),
        lambda: straight_cards(data, (), next(iter(LAYOUTS.values()))),
        lambda: read_gray(tmp_path / "it.heic"),
    ):
        with pytest.raises(InputError) as refused:
            way()
        assert KINDS[brand] in str(refused.value)


def test_an_avif_picture_that_could_be_read_on_some_machines_is_read_on_none(tmp_path: Path):
    there, data = cv2.imencode(".avif", np.full((64, 64, 3), 90, np.uint8)) if AVIF else (False, None)
    if not there:
        pytest.skip("this OpenCV writes no AVIF")
    (tmp_path / "it.avif").write_bytes(data.tobytes())
    with pytest.raises(InputError, match=r"it\.avif: This is an AVIF picture"):
        read_gray(tmp_path / "it.avif")


AVIF = cv2.haveImageWriter(".avif")


def see_through() -> dict[str, bytes]:
    """A black square on nothing, in every form in which PNG and WebP can be transparent."""
    square = np.zeros((60, 60), np.uint8)
    square[20:40, 20:40] = 255
    alpha = Image.fromarray(square)
    made = {}

    def keep(name: str, picture: Image.Image, form: str, **more: Any) -> None:
        paper = io.BytesIO()
        picture.save(paper, form, **more)
        made[name] = paper.getvalue()

    black = Image.new("RGB", (60, 60))
    rgba = black.copy()
    rgba.putalpha(alpha)
    gray = Image.new("LA", (60, 60))
    gray.putalpha(alpha)
    palette = Image.fromarray(255 - square).point(lambda level: level // 255).convert("P")
    palette.putpalette([0, 0, 0, 1, 1, 1])
    marked = Image.fromarray(np.where(square[..., None] == 255, 0, 1).astype(np.uint8).repeat(3, 2))
    keep("32 bit", rgba, "PNG")
    keep("grey with alpha", gray, "PNG")
    keep("palette with alpha", palette, "PNG", transparency=1)
    keep("palette of 256 with alpha", rgba.quantize(8), "PNG")
    keep("one colour is nothing", marked, "PNG", transparency=(1, 1, 1))
    keep("one grey is nothing", Image.fromarray(np.where(square == 255, 0, 1).astype(np.uint8)), "PNG", transparency=1)
    keep("interlaced", rgba, "PNG", interlace=1)
    keep("webp", rgba, "WEBP", lossless=True)
    keep("webp with losses", rgba, "WEBP", quality=90)
    deep = np.zeros((60, 60, 4), np.uint16)
    deep[..., 3] = square.astype(np.uint16) * 257
    made["64 bit"] = cv2.imencode(".png", deep)[1].tobytes()
    return made


SEE_THROUGH = see_through()


@pytest.mark.parametrize("form", SEE_THROUGH)
def test_what_is_transparent_is_white_as_on_paper_in_every_form_on_every_way_in(tmp_path: Path, form: str):
    data = SEE_THROUGH[form]
    (tmp_path / "it").write_bytes(data)
    ways = [
        read_gray(tmp_path / "it"),
        decoded(data, cv2.IMREAD_COLOR, MOST_PX)[..., 1],
        decoded(data, cv2.IMREAD_GRAYSCALE, MOST_PX),
        cv2.cvtColor(opened(card_photo(data)), cv2.COLOR_BGR2GRAY),
    ]
    for picture in ways:
        assert picture[30, 30] < 20
        assert picture[5, 5] > 235
        assert picture.mean() > 200


SEEDS = [photo(60, 40), photo(60, 40, ".png"), photo(60, 40, ".webp"), turned(photo(60, 40), 6)]


@given(seed=st.sampled_from(SEEDS), cut=st.integers(0, 400), at=st.integers(0, 400), byte=st.integers(0, 255))
def test_damage_is_said_in_one_sentence_and_nothing_else_happens(seed: bytes, cut: int, at: int, byte: int):
    damaged = bytearray(seed[: max(0, len(seed) - cut)])
    if at < len(damaged):
        damaged[at] = byte
    with contextlib.suppress(InputError):
        assert max(opened(card_photo(bytes(damaged))).shape[:2]) <= SIDE_PX


def test_a_transparent_photograph_takes_little_more_memory_than_its_pictures() -> None:
    """On a Pi with a gigabyte, floats of a whole one with 30 million pixels would end the table."""
    height, width = 1000, 1500
    png = cv2.imencode(".png", np.zeros((height, width, 4), np.uint8))[1].tobytes()
    decoded(png, cv2.IMREAD_COLOR, MOST_PX)
    tracemalloc.start()
    try:
        assert decoded(png, cv2.IMREAD_COLOR, MOST_PX).min() == 255
        assert tracemalloc.get_traced_memory()[1] < 16 * height * width
    finally:
        tracemalloc.stop()
