"""The Wi-Fi of the house on the host's page, in a browser; root's helper is another test's."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from support.browser import picture_panel, violations
from support.real_desk import HOST_CODE, WORDS, RealDesk

from companion.box.home_wifi import INBOX, ORDER
from companion.box.wifi import HostWifi
from companion.public.machine import SystemActions
from web.app import create_app
from web.server import Server

if TYPE_CHECKING:
    from playwright.sync_api import Page


class Box:
    """A box that makes a Wi-Fi of its own, and what was in reach before."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.status = folder, folder / "status"
        self.own, self.lines = False, [" :70:WPA2:Home", " :40:WPA2:Next door", " :20::Café"]
        self.wifi = HostWifi(folder, self.ask, status_file=self.status)

    def ask(self, *command: str) -> str:
        if command[-2:] == ("device", "status"):
            return "companion-hotspot" if self.own else "--"
        return "\n".join(self.lines)

    def order(self) -> dict[str, object]:
        return dict(json.loads((self.folder / INBOX / ORDER).read_text("utf-8")))


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Box]:
    box = Box(tmp_path)
    box.wifi.look_around()
    yield box
    box.wifi.close()


@pytest.mark.slow
@pytest.mark.usefixtures("axe")
def test_the_host_names_the_wifi_of_the_house_and_hears_how_it_went(visit: Callable[..., Page], box: Box) -> None:
    app = create_app(RealDesk(), WORDS, system=SystemActions(wifi=box.wifi))
    with Server(app, 0, "127.0.0.1") as server:
        page = visit(f"http://127.0.0.1:{server.port}/host#more", code=HOST_CODE, expected=("422",))
        box.own, box.lines = True, ["*:100:WPA2:companion-3fa9"]
        page.locator("#wifi summary").click()
        page.get_by_text("The box makes a Wi-Fi of its own.").wait_for()
        chosen = page.get_by_label("Which Wi-Fi")
        assert chosen.locator("option").all_inner_texts() == ["Home", "Next door", "Café (no password)", "Another one…"]
        picture_panel(page, "wifi", "own")
        password = page.get_by_label("Its password")
        join = page.get_by_role("button", name="Join this Wi-Fi")
        password.fill("short")
        join.click()
        page.locator("#wifi").get_by_text("A Wi-Fi’s password has 8 to 63 signs").wait_for()
        picture_panel(page, "wifi", "short")
        password.fill("mistyped word")
        assert password.get_attribute("type") == "password"
        page.get_by_label("Show the password").check()
        assert password.get_attribute("type") == "text"
        join.click()
        page.get_by_text("Join Home with this phone too, then open http://").wait_for()
        assert box.order() == {"name": "Home", "password": "mistyped word", "hidden": False}  # pragma: allowlist secret
        assert password.input_value() == ""
        picture_panel(page, "wifi", "going")
        box.status.write_text("working Home\n", "utf-8")
        box.status.write_text("failed Home\n", "utf-8")
        page.get_by_text("The box could not join Home").wait_for()
        picture_panel(page, "wifi", "failed")
        assert violations(page, "#wifi") == []
        chosen.select_option("Café (no password)")
        assert not password.is_visible()
        chosen.select_option("Another one…")
        page.get_by_label("Its name").fill(" Attic ")  # phones put a space behind a word
        password.fill("12345678")
        join.click()
        page.get_by_text("Join Attic with this phone too").wait_for()
        assert box.order() == {"name": "Attic", "password": "12345678", "hidden": True}
        box.own, box.lines = False, ["*:80:WPA2:Attic"]
        box.status.write_text("done Attic\n", "utf-8")
        page.get_by_text("The box is in the Wi-Fi Attic now.").wait_for()
        picture_panel(page, "wifi", "done")
        page.close()
