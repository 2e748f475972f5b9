"""The button "record a minute" on the host's page, pressed: its recording is refereed again to the same entries."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import pytest
from support.browser import SCREENS
from support.real_table import simulated_table

from companion.cli.main import main

if TYPE_CHECKING:
    from playwright.sync_api import Page

STANDING = "'/api/v1/standing'"


@pytest.fixture
def lively(tmp_path: Path) -> Iterator[tuple[str, str]]:
    yield from simulated_table(tmp_path / "data", 3.0)


def story(path: Path) -> list[Any]:
    """A record without its times."""
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return [{key: value for key, value in line.items() if key not in ("time_s", "waited_s")} for line in lines[1:]]


@pytest.mark.long
def test_a_pressed_button_records_the_table_and_it_is_refereed_again_to_the_same_entries(
    lively: tuple[str, str], visit: Callable[..., Page], tmp_path: Path
) -> None:
    """Its size is said beforehand, its progress meanwhile; it is taken away as one file, and deleted."""
    address, code = lively
    page = visit(f"{address}/host#more", code=code, expected=("503",))
    # The game is held on: a recording that begins while a hand lays a card begins like a companion that was restarted.
    page.wait_for_function(f"async () => (await (await fetch({STANDING})).json()).number >= 3")
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="Go on").wait_for()
    page.wait_for_timeout(2000)  # a hand that was on its way has gone
    page.locator("#record summary").click()
    # A table whose tags are not found yet cannot be planned for; then it is asked again.
    plan = page.locator("[data-plan]")
    plan.get_by_text("MB (").or_(plan.get_by_text("does not see the table")).first.wait_for()
    while "MB (" not in plan.inner_text():
        page.wait_for_timeout(500)
        page.locator("select[name=long]").dispatch_event("change")
        page.wait_for_timeout(500)
    page.get_by_role("button", name="Record", exact=True).click()
    page.get_by_text(" of 60 s, ").wait_for()
    shots(page, "recording")
    page.get_by_role("button", name="Go on").click()
    bar = page.locator("#record progress")
    page.wait_for_function("() => document.querySelector('#record progress').value >= 12")
    assert bar.get_attribute("max") == "60"
    page.get_by_role("button", name="Stop recording").click()
    page.get_by_text("Ready: ").wait_for()
    shots(page, "recorded")
    with page.expect_download() as taken:
        page.get_by_role("link", name="Download").click()
    assert taken.value.suggested_filename.startswith("recording-")
    with zipfile.ZipFile(taken.value.path()) as box:
        assert box.testzip() is None
        (folder,) = {name.split("/")[0] for name in box.namelist()}
        box.extractall(tmp_path)
    recorded = tmp_path / folder
    assert main(["referee", str(recorded), "--record", str(tmp_path / "again.jsonl")]) == 0
    assert story(recorded / "record.jsonl")
    assert story(tmp_path / "again.jsonl") == story(recorded / "record.jsonl")
    first = cv2.imread(str(min(recorded.glob("*.??g"))), cv2.IMREAD_GRAYSCALE)
    assert first[:5].max() == first[:, :5].max() == 0, "what is farther than 60 mm from the table is black"
    page.get_by_role("button", name="Delete").click()
    page.get_by_text("Ready: ").wait_for(state="hidden")
    assert not (tmp_path / "data" / "recording").exists()


def shots(page: Page, name: str) -> None:
    """Leave a picture for people."""
    SCREENS.mkdir(parents=True, exist_ok=True)
    page.locator("#record").screenshot(path=SCREENS / f"{name}.png")
