"""Pictures that an app has mirrored are named as mirrored, wherever somebody looks for advice."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from support.flat_table import Laid, draw
from support.mjpeg_server import MjpegServer

from companion.cli.main import main
from companion.errors import InputError
from companion.public.card_reading import LAYOUTS
from companion.system.camera_check import camera_checks
from vision.codes.card_reading import straight_cards
from vision.codes.mirrored import shows_a_mirrored_table
from vision.codes.scan import scan

CARDS = (Laid("C14", 860, 120), Laid("C12", 400, 300, 10), Laid("C16", 500, 200, 200))


def shown(path: Path, *, mirrored: bool, turned: int = 0) -> Path:
    picture = np.rot90(draw(CARDS), turned)
    if mirrored:
        picture = picture[:, ::-1]
    cv2.imwrite(str(path), np.ascontiguousarray(picture))
    return path


@pytest.mark.parametrize("turned", range(4))
def test_a_mirrored_picture_is_told_from_one_that_is_turned(tmp_path: Path, turned: int):
    """Mirrored upside down it is another of these four."""
    path = tmp_path / "t.png"
    straight = scan(shown(path, mirrored=False, turned=turned))
    assert "mirrored" not in straight
    mirrored = scan(shown(path, mirrored=True, turned=turned))
    assert mirrored["mirrored"] is True
    assert [one["token"] for one in mirrored["sightings"]] == [one["token"] for one in straight["sightings"]]


def test_scan_says_it_on_standard_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["scan", str(shown(tmp_path / "t.png", mirrored=True))]) == 0
    said = capsys.readouterr()
    assert "C12 C14 C16" in said.out
    assert "t.png: this picture is mirrored; switch that off in the app that took it" in said.err
    assert main(["scan", str(shown(tmp_path / "t.png", mirrored=False))]) == 0
    assert capsys.readouterr().err == ""


def test_the_reader_of_cards_refuses_it_instead_of_proposing_what_nobody_wrote(tmp_path: Path):
    data = shown(tmp_path / "t.png", mirrored=True).read_bytes()
    with pytest.raises(InputError, match="The picture is mirrored: switch that off in the app that took it"):
        straight_cards(data, ("DXC129", "DXC161"), LAYOUTS["box"])
    assert straight_cards(shown(tmp_path / "t.png", mirrored=False).read_bytes(), ("DXC129",), LAYOUTS["box"])


def test_a_table_without_tags_is_no_mirrored_table():
    assert not shows_a_mirrored_table(draw(CARDS, tags=()))
    assert not shows_a_mirrored_table(draw(CARDS))
    assert shows_a_mirrored_table(np.ascontiguousarray(draw(CARDS)[:, ::-1]))


class MirroredCamera(MjpegServer):
    """A phone's app that mirrors its pictures."""

    def _pictures(self) -> list[bytes]:
        straight = (cv2.imdecode(np.frombuffer(one, np.uint8), cv2.IMREAD_GRAYSCALE) for one in super()._pictures())
        return [cv2.imencode(".jpg", cv2.flip(one, 1))[1].tobytes() for one in straight]


def test_the_doctor_says_it_instead_of_asking_for_light(tmp_path: Path):
    with MirroredCamera(CARDS) as camera:
        findings = [finding for _, check in camera_checks(camera.address, tmp_path, None) for finding in check()]
    tags = next(finding for finding in findings if finding.name == "tags")
    assert tags.what.key == "doctor.tags.mirrored"
    assert tags.to_do is not None
    assert tags.to_do.key == "doctor.tags.mirrored.do"
