"""The box's own Wi-Fi on the television page: a code for the next phone, and only for those who are in it already."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from ipaddress import IPv4Network
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
import zxingcpp
from flask.testing import FlaskClient
from support.long_cases import rest_long
from support.real_desk import HOST_CODE, WORDS, RealDesk

from companion.public.machine import OwnWifi, SystemActions
from web.app import create_app

if TYPE_CHECKING:
    from playwright.sync_api import Page

WIFI = OwnWifi(f"companion-{'w' * 17}-3fa9", "bcdf;g7hjk2")
"""With the longest name."""


def asked(path: str, address: str, host: str, wifi: OwnWifi | None = WIFI) -> tuple[int, str]:
    app = create_app(RealDesk(running=False), WORDS, system=SystemActions(own_wifi=lambda: wifi))
    client: FlaskClient = app.test_client()
    answer = client.get(path, base_url=f"http://{host}", environ_overrides={"REMOTE_ADDR": address})
    return answer.status_code, answer.get_data(as_text=True)


ASKED_FROM = {
    "in that Wi-Fi": ("10.42.0.17", "10.42.0.1:8080", True),
    "in it, by the box's name": ("10.42.0.17", "companion.local:8080", True),
    "the box itself": ("10.42.0.1", "10.42.0.1:8080", True),
    "by a server that asks for localhost": ("127.0.0.1", "localhost:8080", False),
    "by a cable": ("192.168.1.20", "192.168.1.5:8080", False),
    "in another network": ("10.43.0.2", "10.42.0.1:8080", False),
    "by a cable that the box shares": ("10.42.1.17", "10.42.1.1:8080", False),
    "of no known network": ("fe80::1", "companion.local:8080", False),
    "by a server for HTTPS": ("127.0.0.1", "companion.local", False),
    "nobody knows where": ("", "localhost:8080", False),
}


@pytest.mark.parametrize(("address", "host", "may"), ASKED_FROM.values(), ids=ASKED_FROM)
def test_nobody_learns_the_password_of_the_boxs_own_wifi_who_has_it_not(address: str, host: str, may: bool) -> None:
    status, page = asked("/tv", address, host)
    assert status == 200
    assert (WIFI.password in page, WIFI.name in page, "/qr/wifi.svg" in page) == (may, may, may)
    assert asked("/qr/wifi.svg", address, host)[0] == (200 if may else 404)


def test_without_a_wifi_of_its_own_the_television_shows_where_to_join_and_no_more() -> None:
    assert "/qr/wifi.svg" not in asked("/tv", "10.42.0.17", "10.42.0.1:8080", None)[1]
    assert asked("/qr/wifi.svg", "10.42.0.17", "10.42.0.1:8080", None)[0] == 404


@pytest.mark.parametrize("code", ["", HOST_CODE], ids=["guest", "host"])
def test_no_other_page_has_the_password(code: str) -> None:
    app = create_app(RealDesk(), WORDS, system=SystemActions(own_wifi=lambda: WIFI))
    client: FlaskClient = app.test_client()
    client.set_cookie("companion-8080", code, domain="10.42.0.1")
    shown = []
    for rule in app.url_map.iter_rules():
        if "GET" in (rule.methods or ()) and not rule.arguments and rule.rule != "/api/v1/events":  # which never ends
            answer = client.get(
                rule.rule, base_url="http://10.42.0.1:8080", environ_overrides={"REMOTE_ADDR": "10.42.0.17"}
            )
            if answer.status_code == 200:
                shown.append(rule.rule)
                assert WIFI.password.encode() not in answer.get_data() or rule.rule == "/tv", rule
    assert {"/", "/tv", "/overlay", "/join", "/api/v1/match"} <= set(shown)
    assert ("/host" in shown) == bool(code)


@pytest.mark.slow
@pytest.mark.parametrize("running", [False, True], ids=["no match", "a match"])
@pytest.mark.parametrize("locale", rest_long(["fr-FR", "en-GB"]))
@pytest.mark.parametrize(("width", "height"), rest_long([(800, 480), (1920, 1080), (1280, 720)]))
def test_a_phone_scans_the_wifi_and_then_the_page_off_the_television(
    serve: Callable[..., str],
    visit: Callable[..., Page],
    running: bool,
    locale: str,
    width: int,
    height: int,
) -> None:
    here = replace(WIFI, network=IPv4Network("127.0.0.0/8"))
    address = serve(RealDesk(running=running), system=SystemActions(own_wifi=lambda: here))
    page = visit(f"{address}/tv", size="television", locale=locale)
    page.set_viewport_size({"width": width, "height": height})
    codes = page.locator("img[src^='/qr/']:visible")
    for place in range(codes.count()):
        codes.nth(place).evaluate("image => image.decode()")
    seen = cv2.imdecode(np.frombuffer(page.screenshot(), np.uint8), cv2.IMREAD_GRAYSCALE)
    assert seen is not None
    found = zxingcpp.read_barcodes(cv2.resize(seen, None, fx=2, fy=2))
    texts = [one.text for one in sorted(found, key=lambda one: one.position.top_left.x)]
    assert texts == [WIFI.code, f"{address}/join"]
    size = page.evaluate("[document.body.scrollWidth, document.body.scrollHeight, innerWidth, innerHeight]")
    assert size[0] <= size[2], f"it reaches beyond the edge: {size}"
    assert size[1] <= size[3], f"it reaches beyond the edge: {size}"
