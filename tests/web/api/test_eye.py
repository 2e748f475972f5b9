"""A phone's pictures over HTTP: who may send them, what is taken, and what the page says."""

from __future__ import annotations

import re
from socket import gethostname
from typing import Any

import cv2
import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient
from support.real_desk import HOST_CODE, WORDS, RealDesk, code_of

from companion.public.i18n import Translations
from companion.service.phone_camera import PhoneCamera
from web.api.eye import EYE_LIMIT
from web.app import close, create_app
from web.middleware.hosts import Addresses

JPEG = cv2.imencode(".jpg", np.full((90, 160), 200, np.uint8))[1].tobytes()
AS_HOST = {"Authorization": f"Bearer {HOST_CODE}"}
ROUTE = "/api/v1/eye?phone=phone-of-ana"


@pytest.fixture
def words() -> Translations:
    return WORDS


@pytest.fixture
def desk() -> RealDesk:
    now_s = iter(range(100, 10_000))
    desk = RealDesk()
    desk.phone = PhoneCamera(lambda: float(next(now_s)))  # type: ignore[assignment]
    return desk


def post(client: FlaskClient, address: str = ROUTE, data: bytes = JPEG, **more: Any) -> Any:
    return client.post(address, data=data, **{"headers": AS_HOST, "content_type": "image/jpeg", **more})


def test_the_host_s_phone_sends_a_picture_and_hears_what_arrived(client: FlaskClient) -> None:
    answer = post(client)
    assert (answer.status_code, answer.json) == (200, {"size_px": [160, 90], "rate_hz": 0.0})


def test_nobody_else_may_be_the_camera(client: FlaskClient) -> None:
    assert post(client, headers={}).status_code == 403
    assert post(client, headers={"Authorization": f"Bearer {code_of(2)}"}).status_code == 403


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"address": "/api/v1/eye"}, 422),
        ({"address": "/api/v1/eye?phone=a"}, 422),
        ({"address": "/api/v1/eye?phone=" + "a" * 65}, 422),
        ({"address": "/api/v1/eye?phone=<script>aaa"}, 422),
        ({"content_type": "image/png"}, 415),
        ({"data": b"not a picture"}, 422),
        ({"data": JPEG + b"\0" * EYE_LIMIT}, 413),
    ],
)
def test_what_cannot_be_used_is_refused_in_a_sentence(client: FlaskClient, change: Any, status: int) -> None:
    answer = post(client, **change)
    assert answer.status_code == status
    assert answer.json["detail"].endswith((".", ")."))


def test_a_second_phone_hears_that_there_is_one_and_may_take_its_place(client: FlaskClient) -> None:
    post(client)
    other = "/api/v1/eye?phone=phone-of-ben"
    assert post(client, other).status_code == 409
    assert post(client, other).json["detail"] == "Another phone is the camera now."
    assert post(client, f"{other}&instead=1").status_code == 200
    assert post(client).status_code == 409


def test_a_table_with_another_camera_says_how_to_look_through_a_phone(words: Translations) -> None:
    app = create_app(RealDesk(), words)
    answer = post(app.test_client())
    assert answer.status_code == 404
    assert "--source phone" in answer.json["detail"]
    close(app)


# -- the page --------------------------------------------------------------------------------------


def eye_page(words: Translations, source: str, https: str | None) -> tuple[Flask, str]:
    desk = RealDesk()
    desk.setup.health = lambda: {"source": source, "simulated": False, "camera": "ok"}  # type: ignore[method-assign]
    app = create_app(desk, words, addresses=Addresses(https=https))
    return app, app.test_client().get("/eye", headers=AS_HOST).get_data(as_text=True)


def test_the_page_names_the_app_for_whoever_has_no_https_and_the_way_for_whoever_has(words: Translations) -> None:
    app, html = eye_page(words, "phone", None)
    assert "IP Webcam" in html
    assert "apt-get install caddy" in html
    assert "/qr/eye.svg" not in html
    assert app.test_client().get("/qr/eye.svg", headers=AS_HOST).status_code == 404
    close(app)
    app, html = eye_page(words, "phone", "https://companion.local:8443")
    link = re.search(r'href="(https://companion.local:8443/join/[^"]+)"', html)
    assert link is not None
    assert app.test_client().get("/qr/eye.svg", headers=AS_HOST).mimetype == "image/svg+xml"
    assert app.test_client().get("/qr/eye.svg").status_code == 403
    followed = app.test_client().get(link[1].removeprefix("https://companion.local:8443"))
    assert (followed.status_code, followed.location) == (303, "/eye")
    close(app)


@pytest.mark.parametrize(
    ("reached", "leads"),
    [
        (f"{gethostname().lower()}.local:8080", f"https://{gethostname().lower()}.local:8443"),
        ("192.168.1.7:8080", "https://192.168.1.7:8443"),
        ("kitchen.lan:8080", "https://192.168.1.20:8443"),
        ("localhost:8080", "https://192.168.1.20:8443"),
    ],
)
def test_the_page_leads_to_the_table_s_own_https_by_a_name_that_its_certificate_holds(
    reached: str, leads: str, words: Translations
) -> None:
    desk = RealDesk()
    desk.setup.health = lambda: {"source": "phone", "simulated": False, "camera": "ok"}  # type: ignore[method-assign]
    app = create_app(desk, words, addresses=Addresses("http://192.168.1.20:8080", tls_port=8443))
    html = app.test_client().get("/eye", headers=AS_HOST, base_url=f"http://{reached}").get_data(as_text=True)
    assert set(re.findall(r'href="(https://[^"/]+)/join/', html)) == {leads}
    close(app)


def test_whoever_types_the_host_s_code_at_the_page_comes_back_to_it_and_a_seat_does_not(client: FlaskClient) -> None:
    asked = client.get("/eye")
    assert asked.status_code == 403
    assert 'name="to" value="eye"' in asked.get_data(as_text=True)
    assert client.post("/join", data={"code": HOST_CODE, "to": "eye"}).location == "/eye"
    assert client.post("/join", data={"code": code_of(2), "to": "eye"}).location == "/seat"
    assert client.post("/join", data={"code": HOST_CODE, "to": "https://elsewhere.example"}).location == "/host"


def test_a_table_with_another_camera_shows_no_button(words: Translations) -> None:
    app, html = eye_page(words, "usb:0", None)
    assert "usb:0" in html
    assert 'id="go"' not in html
    close(app)


def test_links_that_are_shown_over_https_lead_there_too(words: Translations) -> None:
    """Behind an encryption that hands on plain requests, the table is asked by HTTP and reached by HTTPS."""
    desk = RealDesk()
    desk.lay(2)
    app = create_app(desk, words, addresses=Addresses(https="https://companion.local:8443"))
    for base, start in (
        ("http://companion.local:8443", "https://companion.local:8443"),
        ("http://companion.local:8080", "http://companion.local:8080"),
    ):
        html = app.test_client().get("/host", headers=AS_HOST, base_url=base).get_data(as_text=True)
        links = re.findall(r'href="(http[^"]+)/join/', html)
        assert links
        assert set(links) == {start}
    close(app)
