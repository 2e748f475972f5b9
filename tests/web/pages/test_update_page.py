"""A newer version sent from the host's page: told, and refused, in a browser; root's helper is another test's."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from support.browser import picture_panel
from support.real_desk import HOST_CODE, WORDS, RealDesk
from support.signed_updates import Box, Maker

from companion.public.machine import SystemActions
from web.app import create_app
from web.server import Server

if TYPE_CHECKING:
    from playwright.sync_api import Page


pytestmark = pytest.mark.skipif(
    not all(map(shutil.which, ("minisign", "dpkg-deb", "dpkg"))), reason="minisign or dpkg is not here"
)


@pytest.mark.slow
def test_the_host_sends_an_update_is_told_its_version_and_hears_what_came_of_it(
    visit: Callable[..., Page], tmp_path: Path
) -> None:
    ours, theirs = Maker(tmp_path / "ours"), Maker(tmp_path / "theirs")
    box = Box(tmp_path, ours.public)
    app = create_app(RealDesk(), WORDS, system=SystemActions(update=box.page))
    with Server(app, 0, "127.0.0.1") as server:
        page = visit(f"http://127.0.0.1:{server.port}/host#more", code=HOST_CODE)
        page.locator("#update summary").click()
        page.get_by_text("Version 1.2.0 runs here.").wait_for()
        page.get_by_label("An update file").set_input_files(theirs.update("1.3.0"))
        page.get_by_text("it is not signed by the makers of this companion").wait_for()
        picture_panel(page, "update", "refused")
        page.get_by_label("An update file").set_input_files(ours.update("1.3.0"))
        page.get_by_text("Version 1.3.0 is signed, and newer.").wait_for()
        picture_panel(page, "update", "ready")
        take = page.get_by_role("button", name="Install it")
        take.focus()
        page.keyboard.press("Enter")  # who cannot hold presses twice
        page.get_by_role("button", name="again").press("Enter")
        page.get_by_text("It is being installed.").wait_for()
        picture_panel(page, "update", "installing")
        (box.run / "status").write_text("failed 1.3.0\n", "utf-8")
        page.get_by_text("the version before is back").wait_for()
        picture_panel(page, "update", "failed")
        page.close()
