"""What ``companion doctor`` says of camera, tags, focus, light, stickers and pins."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any, Self

import cv2
import pytest
from support.faulty_table import LAID, POOL
from support.flat_table import Laid, draw

import vision.tracking.view_quality
from companion.cli.main import main
from companion.games.registry import locale_folders
from companion.public.findings import Finding, Level
from companion.public.i18n import LANGUAGES, Translations
from companion.public.table import Observation, TableState, ViewLost
from companion.public.text import Text
from companion.system import camera_check, doctor
from companion.system.camera_check import (
    camera_checks,
    examination,
    in_english,
    in_time,
    measured_finding,
    pins,
    seen_finding,
)
from vision.camera.trouble import Trouble
from vision.process import supervisor

SAID = Translations(locale_folders())
SEEN = ["camera", "tags", "focus", "light", "stickers"]
GOOD = [
    {"name": "module_px", "value": 3.1, "good": True, "about": "tree", "advice": ""},
    {"name": "module_px", "value": 2.2, "good": True, "about": "pool", "advice": ""},
    {"name": "sharpness", "value": 1.1, "good": True, "about": "", "advice": ""},
    {"name": "exposure", "value": 200.0, "good": True, "about": "", "advice": ""},
    {"name": "glare", "value": 0.0, "good": True, "about": "", "advice": ""},
]


def said(findings: Iterable[Finding]) -> list[tuple[str, str]]:
    return [(finding.level.value, finding.name) for finding in findings]


def bad(name: str, value: float, advice: str, about: str = "") -> list[dict[str, Any]]:
    others = [one for one in GOOD if (one["name"], one["about"]) != (name, about)]
    return [*others, {"name": name, "value": value, "good": False, "about": about, "advice": advice}]


@pytest.mark.parametrize(
    "health",
    [
        {"camera": "ok", "sight": GOOD},
        {"camera": "ok"},
        {"camera": "none"},
        {"camera": "camera"},
        {"camera": "tags"},
        None,
    ],
)
def test_every_thing_that_a_look_tells_has_a_line_whatever_is_wrong(
    health: dict[str, Any] | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hardware.pins.MODEL", tmp_path / "no model")
    ((_, check),) = camera_checks(None, tmp_path, health)
    found = list(check())
    assert [finding.name for finding in found] == SEEN
    assert all(finding.what for finding in found)


def test_a_table_that_is_seen_well_leaves_nothing_to_do() -> None:
    found = list(measured_finding({"source": "usb:0", "camera": "ok", "sight": GOOD}))
    assert said(found) == [("ok", name) for name in SEEN]
    assert not any(finding.to_do for finding in found)
    assert in_english()(found[-1].what) == "a square of their codes is 2.2 pixels wide in the zone pool"


@pytest.mark.parametrize(
    ("found", "name", "to_do"),
    [
        (bad("sharpness", 4.0, "clean-lens-or-focus"), "focus", "wipe the lens"),
        (bad("exposure", 60.0, "more-light"), "light", "bring a lamp nearer"),
        (bad("glare", 0.02, "move-lamp"), "light", "move the lamp to the side"),
        (bad("flicker", 0.05, "other-lamp-or-mains-frequency"), "light", "this one flickers"),
        (bad("module_px", 1.2, "lower-camera-or-larger-stickers", "pool"), "stickers", "hang the camera lower"),
        (bad("reads", 0.4, "clean-or-reprint-sticker", "C18"), "stickers", "print it again"),
    ],
)
def test_one_thing_that_is_wrong_is_one_warning_with_one_thing_to_do(
    found: list[dict[str, Any]], name: str, to_do: str
) -> None:
    (wrong,) = [finding for finding in seen_finding(found) if finding.level is not Level.OK]
    assert (wrong.level, wrong.name) == (Level.WARNING, name)
    assert wrong.to_do is not None
    assert to_do in in_english()(wrong.to_do)


def test_an_empty_table_asks_for_sleeved_cards_before_it_says_that_no_lamp_is_mirrored() -> None:
    """Wood and cloth are no mirrors: the lamp that ends an evening shows in a sleeve alone."""
    empty = [one for one in GOOD if one["name"] != "module_px"]
    (asked,) = [finding for finding in seen_finding(empty) if finding.to_do is not None]
    assert (asked.level, asked.name) == (Level.INFO, "light")
    assert in_english()(asked.to_do or asked.what) == (
        "lay a card in its sleeve at four places and on the zone commands, and check again"
    )


def test_a_mirrored_lamp_is_said_with_where_it_must_not_hang() -> None:
    """The camera is above the middle: the lamp hangs beyond its mirror image, seen from there."""
    wrong = {**bad("glare", 0.7, "move-lamp", "tree")[-1], "side": "near"}
    (found,) = [one for one in seen_finding([*GOOD, wrong]) if one.level is not Level.OK]
    assert in_english()(found.what).startswith("a lamp is mirrored in the zone tree, ")
    assert found.to_do is not None
    assert "in the direction of that place, two to three times as far out" in in_english()(found.to_do)


def advices() -> set[str]:
    """What the eye advises: the hyphened words of its module."""
    source = Path(vision.tracking.view_quality.__file__).read_text(encoding="utf-8")
    return set(re.findall(r'"([a-z]+(?:-[a-z]+)+)"', source))


def test_pins_are_tried_only_where_there_are_some_and_nobody_plays() -> None:
    assert said(pins(lambda: (), busy=False, library="lgpio")) == [("ok", "pins")]
    stuck = pins(lambda: ("the button undo (pin 6) is pressed all the time",), busy=False, library="lgpio")
    assert said(stuck) == [("warning", "pins")]

    def never() -> tuple[str, ...]:
        raise AssertionError("a running match would have lost its lamp, and mock pins show nobody anything")

    assert said(pins(never, busy=True, library="lgpio")) == [("info", "pins")]
    assert said(pins(never, busy=False, library="mock")) == [("info", "pins")]


def test_a_companion_that_is_in_trouble_still_holds_its_camera_and_pins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its camera was pulled: the doctor does not open a second one beside it, and says what is wrong."""
    health = {"ok": False, "version": "1", "source": "picamera", "camera": "camera", "last_look_s": 9.0}
    monkeypatch.setattr(doctor, "health", lambda port: health)
    monkeypatch.setattr("hardware.pins.on_a_pi", lambda: True)
    assert main(["doctor", "--json", "--data", str(tmp_path)]) == 1
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    by_name = {line["name"]: line for line in lines}
    assert by_name["pins"]["what"] == "in use by the running companion"
    assert by_name["camera"] == {
        "name": "camera",
        "level": "trouble",
        "what": "picamera gives no pictures",
        "to_do": "check its cable",
    }
    items = {*SEEN, "pins", "clock", "disk", "disk wear", "power", "heat", "wifi", "last look", "matches", "libzbar"}
    assert items <= set(by_name)


def test_why_a_running_companion_has_no_pictures_is_what_the_doctor_says() -> None:
    health = {"source": "usb:C920", "camera": "camera", "pictures": {"trouble": "frozen"}}
    camera, *_ = measured_finding(health)
    assert camera.what == Text("doctor.camera.frozen", {"source": "usb:C920"})
    assert camera.to_do == Text("doctor.camera.frozen.do")


def test_a_source_that_is_refused_is_tried_once_and_answered_with_its_sentence(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    ((_, check),) = camera_checks("picamerax", tmp_path, None)
    camera, *others = check()
    assert (camera.level, in_english()(camera.what)[:44]) == (
        Level.TROUBLE,
        "picamerax: there is no such folder or film; ",
    )
    assert {one.level for one in others} == {Level.INFO}
    assert caplog.text == "", "no second try is announced"


@pytest.mark.parametrize("opens_for_s", [0.0, 3.0])
def test_a_camera_that_gives_no_pictures_is_waited_for_until_it_says_why(
    opens_for_s: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It opens for as long as a camera may, or gives nothing afterwards; meanwhile the eye says that it is blind."""

    class Blind:
        """As much of the eye as the doctor calls."""

        def __init__(self, *given: Any, on_end: Callable[[str], None], **others: Any) -> None:
            self._look, self._on_end = given[3], on_end

        def __enter__(self) -> Self:
            if not opens_for_s:
                self._look(Observation(1, 0.0, TableState(), lost=ViewLost.CAMERA))
            self._end = threading.Timer(opens_for_s or 1.0, self._on_end, ["usb:0: the camera sleeps; wake it."])
            self._end.start()
            return self

        def __exit__(self, *_: object) -> None:
            self._end.join()

        def health(self) -> None:
            return None

    monkeypatch.setattr(supervisor, "VisionProcess", Blind)
    monkeypatch.setattr(supervisor, "OPENING_S", (4.0,))
    monkeypatch.setattr(camera_check, "LOOKING_S", 0.1)
    ((_, check),) = camera_checks("usb:0", tmp_path, None)
    camera, *_ = check()
    assert in_english()(camera.what) == "usb:0: the camera sleeps; wake it"


def test_nobody_brings_a_lamp_to_a_drawn_table() -> None:
    """Whatever the eye makes of drawn pictures, nothing is to be done about them, by cable or by systemctl."""
    for sight in (bad("exposure", 60.0, "more-light"), []):
        health = {"source": "simulated", "simulated": True, "camera": "ok", "last_look_s": 60.0, "sight": sight}
        found = list(measured_finding(health))
        assert said(found) == [("ok", "camera")]
        assert [one.to_do for one in found] == [None]
        for camera in ("ok", "camera", "table"):
            health["camera"] = camera
            late = list(doctor.running(partial(dict, health)))[-1]
            assert late.to_do == Text("doctor.look.drawn.do")


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_that_the_doctor_can_say_has_words(language: str) -> None:
    code = "".join(Path(str(module.__file__)).read_text(encoding="utf-8") for module in (camera_check, doctor))
    keys = set(re.findall(r'(?:in_words|say)\("([a-z_.]+)"', code))
    keys |= {f"look.{why}" for why in doctor.LOST} | {f"light.{name}" for name in camera_check._LIGHT}  # noqa: SLF001  # whatever it may measure must have words
    keys |= {f"camera.{trouble.value}{do}" for trouble in Trouble for do in ("", ".do")}
    keys |= {"camera.blind", "camera.blind.do"}  # of a running companion, where the trouble has no name
    keys |= {"companion.ok", "companion.simulated", "look.lost", *(f"advice.{one}" for one in advices())}
    assert {f"doctor.{key}" for key in keys} == {key for key in SAID.keys(language) if key.startswith("doctor.")}


def test_a_check_that_hangs_says_so_and_keeps_no_other_waiting() -> None:
    hung = threading.Event()
    quick = Finding("disk", Level.OK, Text("doctor.zbar.ok"))
    try:
        found = in_time([("wifi", lambda: iter([hung.wait(60)])), ("disk", lambda: [quick])], 0.2)  # type: ignore[list-item]
        assert said(found) == [("warning", "wifi"), ("ok", "disk")]
        assert found[0].to_do is not None
    finally:
        hung.set()


def test_the_hosts_page_is_told_what_the_command_line_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.pins.on_a_pi", lambda: True)
    health = {"ok": True, "version": "1", "source": "picamera", "camera": "ok", "last_look_s": 0.2, "sight": GOOD}
    told_page = examination(tmp_path, lambda: health)()
    by_name = {one["name"]: one for one in told_page}
    items = {*SEEN, "companion", "pins", "clock", "disk", "disk wear", "power", "heat", "wifi", "last look", "matches"}
    assert items <= set(by_name)
    assert by_name["pins"]["what"] == Text("doctor.pins.busy")
    assert all(isinstance(one["what"], Text) for one in told_page)
    assert [one for one in told_page if one["level"] in ("warning", "trouble") and not one["to_do"]] == []


@pytest.mark.long
def test_a_look_of_the_doctors_own_measures_the_table(tmp_path: Path) -> None:
    frames = tmp_path / "frames"
    frames.mkdir()
    cards = [Laid(token, x_mm, y_mm) for token, x_mm, y_mm in (*LAID, *POOL)]
    for number in range(40):
        cv2.imwrite(str(frames / f"{number:03}.png"), draw(cards, seed=number), [cv2.IMWRITE_PNG_COMPRESSION, 1])
    ((_, check),) = camera_checks(str(frames), tmp_path, None)
    found = list(check())
    assert {name for _, name in said(found)} == set(SEEN)
    assert ("ok", "camera") in said(found)
    assert ("ok", "tags") in said(found)
    assert not any(finding.level is Level.TROUBLE for finding in found)
