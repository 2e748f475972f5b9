"""Stickers read, foreign codes counted, and nothing that breaks the reader."""

from __future__ import annotations

import builtins
import json
import logging
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from support.flat_table import Laid, code, draw

from companion.errors import InputError
from companion.public import codes
from companion.public.codes import StickerCodes
from companion.public.table import Token
from vision.codes import decoder
from vision.codes.decoder import PATIENT, PYZBAR, ZXING, ZXING_SHARPENED, ZXING_TURNED, attempts_for, read_codes
from vision.codes.scan import scan
from vision.geometry.quads import meet

pytestmark = pytest.mark.core

EVERY_RUNG = (ZXING[1], ZXING[2], ZXING[3], ZXING_SHARPENED[3], PYZBAR)


def turned(text: str, turn_deg: float, module_px: float = 4.0) -> np.ndarray:
    """One code on grey, turned clockwise about the middle of the picture."""
    side = round(25 * module_px)
    face = cv2.resize(code(text), (side, side), interpolation=cv2.INTER_NEAREST)
    picture = np.full((3 * side, 3 * side), 120, np.uint8)
    picture[side : 2 * side, side : 2 * side] = face
    middle = (3 * side - 1) / 2
    return cv2.warpAffine(
        picture, cv2.getRotationMatrix2D((middle, middle), -turn_deg, 1), picture.shape[::-1], borderValue=120
    )


@given(st.text("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", min_size=1, max_size=7), st.integers(0, 20), st.integers(1, 35))
def test_one_wrong_character_is_always_found(token: str, place: int, step: int):
    text = codes.sticker_text(Token(token))
    assert codes.sticker_text(Token("C18")) == "DXC18Y", "as the contract prints it"
    at = place % len(text)
    wrong = codes.ALPHABET[(codes.ALPHABET.index(text[at]) + step) % 36]
    assert codes.sticker_token(text) == token
    assert codes.sticker_token(text[:at] + wrong + text[at + 1 :]) is None


@pytest.mark.parametrize("turn_deg", [0, 30, 90, 135, 180, 250, 270, 359])
@pytest.mark.parametrize("attempt", [ZXING[1], ZXING_TURNED[2, 22.5], ZXING_TURNED[2, 45], PYZBAR])
def test_corners_begin_at_the_code_s_own_top_left_and_go_clockwise(turn_deg: float, attempt: decoder.DecodeAttempt):
    (seen,) = read_codes(turned("DXC18Y", turn_deg), (attempt,)).detections
    assert abs((seen.rotation_deg - turn_deg + 180) % 360 - 180) < 2.0
    (ax, ay), (bx, by), (cx, cy), _ = seen.corners_px
    assert (bx - ax) * (cy - by) - (by - ay) * (cx - bx) > 0
    assert seen.center_px == pytest.approx((149.5, 149.5), abs=1)
    assert seen.module_px == pytest.approx(4.0, abs=0.15)


def test_foreign_codes_and_right_stickers_of_another_game_are_counted_and_never_seen():
    picture = np.hstack([turned("HELLO", 0), turned("DXC18Z", 0), turned("DXC18Y", 0)])
    reading = read_codes(picture)
    assert [seen.token for seen in reading.detections] == ["C18"]
    assert len(reading.unknown) == 2
    reading = read_codes(picture, accepted=StickerCodes.of({Token("C17")}))
    assert (reading.detections, len(reading.unknown)) == ((), 3)


def test_a_code_that_is_found_and_cannot_be_read_is_counted():
    worn, ours = turned("DXC18Y", 0), StickerCodes.of({Token("C18"), Token("C17")})
    assert read_codes(worn, accepted=ours).unread == ()
    worn[140:240, 100:240] = 255 - worn[140:240, 100:240]  # neither the finder patterns nor all of the timing
    reading = read_codes(worn, (ZXING[1],), accepted=ours)
    assert (reading.detections, reading.unknown, len(reading.unread)) == ((), (), 1)


def test_a_code_under_a_veil_of_light_is_read_by_patient_attempts_alone():
    """A lamp's mirror image adds light that grows toward its middle; what is left of the print is a few grey levels."""
    dice = np.random.default_rng(4)
    soft = cv2.GaussianBlur(turned("DXC18Y", 12, 2.0), (0, 0), 0.8).astype(np.float32)
    across = np.mgrid[: soft.shape[0], : soft.shape[1]][1]
    veiled = np.clip(40 + 0.06 * soft + 1.3 * across + dice.normal(0, 0.8, soft.shape), 0, 255).astype(np.uint8)
    ours = StickerCodes.of({Token("C18"), Token("C17")})
    assert not read_codes(veiled, attempts_for(2.0), accepted=ours).detections
    assert {seen.token for seen in read_codes(veiled, PATIENT, accepted=ours).detections} == {"C18"}


def test_a_code_read_by_two_rungs_is_one_code():
    reading = read_codes(np.hstack([turned("DXC18Y", 10), turned("DXC18Y", 80), turned("HELLO", 5)]), EVERY_RUNG)
    assert [seen.token for seen in reading.detections] == ["C18", "C18"]
    assert len(reading.unknown) == 1


@pytest.mark.parametrize("module_px", [None, 1.5, 2.2, 3.0, 6.0])
def test_no_rung_sharpens_large_codes(module_px: float | None):
    attempts = decoder.attempts_for(module_px)
    assert attempts
    assert module_px is None or module_px < 4.0 or not any(attempt.sharpened for attempt in attempts)


def test_without_libzbar_the_eye_works_and_says_so_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    plain = builtins.__import__

    def no_zbar(name: str, *rest: object, **more: object) -> object:
        if name.startswith("pyzbar"):
            raise ImportError("Unable to find zbar shared library")
        return plain(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", no_zbar)
    decoder.second_reader.cache_clear()
    try:
        with caplog.at_level(logging.WARNING):
            for _ in range(3):
                reading = read_codes(turned("DXC18Y", 0), (ZXING[1], PYZBAR))
    finally:
        decoder.second_reader.cache_clear()
    assert [seen.token for seen in reading.detections] == ["C18"]
    assert [record.message for record in caplog.records] == [
        "libzbar is not installed: stickers are read without a second opinion (apt install libzbar0)"
    ]


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 2**32 - 1), st.floats(0, 0.5))
def test_a_damaged_sticker_is_read_right_or_not_at_all(seed: int, share: float):
    dice = np.random.default_rng(seed)
    picture = turned("DXC18Y", float(dice.uniform(0, 360)))
    for _ in range(int(share * 60)):
        x, y = dice.integers(90, 210, 2).tolist()
        cv2.circle(picture, (x, y), int(dice.integers(2, 8)), int(dice.integers(0, 255)), -1)
    assert {seen.token for seen in read_codes(picture, EVERY_RUNG).detections} <= {"C18"}


def test_scan_answers_as_the_contract_says(tmp_path: Path):
    picture = draw([Laid("C18", 400, 300, 30), Laid("C12", 700, 200), Laid("", 900, 300, text="HELLO")])
    cv2.imwrite(str(tmp_path / "t.png"), picture)
    found = json.loads(json.dumps(scan(tmp_path / "t.png")))
    assert list(found) == ["image", "size_px", "sightings", "foreign"]
    assert found["image"] == str(tmp_path / "t.png")
    assert found["size_px"] == [2304, 1296]
    assert found["foreign"] == 1
    assert [seen["token"] for seen in found["sightings"]] == ["C12", "C18"]
    assert found["sightings"][1]["rotation_deg"] == pytest.approx(30, abs=2)
    corners = [tuple(corner) for corner in found["sightings"][1]["corners_px"]]
    assert meet((corners[0], corners[1], corners[2], corners[3])) == pytest.approx(
        (400 * 1.9 + 107, 300 * 1.9 + 78), abs=2
    )


def test_scan_says_whose_letters_a_sticker_of_another_game_has(tmp_path: Path):
    laid = [Laid("T07", 400, 300, text="CDT07Y"), Laid("C12", 700, 200), Laid("T07", 900, 300, text="LUT07Z")]
    cv2.imwrite(str(tmp_path / "t.png"), draw(laid))
    found = scan(tmp_path / "t.png", ("DX", "CD"))
    assert [(seen["token"], seen.get("letters")) for seen in found["sightings"]] == [("C12", None), ("T07", "CD")]
    assert found["foreign"] == 1
    assert [seen["token"] for seen in scan(tmp_path / "t.png")["sightings"]] == ["C12"]


@pytest.mark.parametrize(
    "content", [b"", b"no picture", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff\xe0\x00\x10JFIF", b"BM" + b"\xff" * 60]
)
def test_what_is_no_picture_is_said_in_one_sentence(tmp_path: Path, content: bytes):
    (tmp_path / "t.png").write_bytes(content)
    with pytest.raises(InputError, match=r"t\.png: this is not a picture that can be read"):
        scan(tmp_path / "t.png")
    with pytest.raises(InputError, match="cannot be opened"):
        scan(tmp_path / "nowhere.png")


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_damaged_picture_file_is_an_answer_or_a_sentence(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
):
    kind = data.draw(st.sampled_from([".png", ".jpg"]))
    _, packed = cv2.imencode(kind, turned("DXC18Y", 0))
    content = bytearray(packed.tobytes()[: data.draw(st.integers(0, packed.size))])
    for place in data.draw(st.lists(st.integers(0, 10_000), max_size=6)):
        if content:
            content[place % len(content)] ^= 0x5A
    file = tmp_path_factory.getbasetemp() / f"fuzz{kind}"
    file.write_bytes(content)
    read, said = set[str](), str(file)
    try:
        read = {seen["token"] for seen in scan(file)["sightings"]}
    except InputError as error:
        said = str(error)
    assert said.startswith(str(file))
    assert read <= {"C18"}


def test_a_picture_of_a_hundred_megapixels_is_an_answer(tmp_path: Path):
    picture = np.full((10_000, 10_000), 120, np.uint8)
    picture[5000:5300, 5000:5300] = turned("DXC18Y", 0)
    cv2.imwrite(str(tmp_path / "t.png"), picture, [cv2.IMWRITE_PNG_COMPRESSION, 1])
    assert [seen["token"] for seen in scan(tmp_path / "t.png")["sightings"]] == ["C18"]
