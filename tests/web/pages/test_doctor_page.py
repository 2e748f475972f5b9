"""The doctor's page: what it shows, whom it keeps waiting (nobody), and what it must not tell."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from support.real_desk import HOST_CODE, WORDS, Evening, RealDesk, evening_in

from companion.public.machine import SystemActions
from companion.public.text import Text
from companion.system.camera_check import examination
from web.app import create_app

Visit = Callable[..., Page]
FOUND = (
    {"name": "power", "level": "ok", "what": Text("doctor.power.ok"), "to_do": ""},
    {"name": "light", "level": "warning", "what": Text("doctor.light.exposure", {"value": "60"})}
    | {"to_do": Text("doctor.advice.more-light")},
    {"name": "disk wear", "level": "info", "what": Text("doctor.wear.unknown"), "to_do": ""},
    {"name": "camera", "level": "trouble", "what": Text("doctor.camera.blind", {"source": "usb:0"})}
    | {"to_do": Text("doctor.camera.blind.do")},
)
LEVELS = {"trouble": "needs attention", "warning": "could be better", "info": "good to know", "ok": "fine"}


@pytest.fixture
def table(desk: RealDesk) -> Iterator[str]:
    from web.server import Server

    with Server(create_app(desk, WORDS, system=SystemActions(examine=lambda: FOUND)), 0, "127.0.0.1") as server:
        yield f"http://127.0.0.1:{server.port}"


@pytest.mark.browser
def test_the_host_finds_what_needs_somebody_first_with_a_sign_a_word_and_the_one_thing_to_do(table: str, visit: Visit):
    page = visit(f"{table}/host#more", code=HOST_CODE)
    page.get_by_role("link", name="Check-up").click()
    lines = page.locator(".findings li")
    expect(lines).to_have_count(4)
    shown = [line.get_attribute("data-level") for line in lines.all()]
    assert shown == list(LEVELS)
    for line, word in zip(lines.all(), LEVELS.values(), strict=True):
        expect(line.locator(".level")).to_have_text(word)
        expect(line.locator(".sign")).to_be_visible()
    signs = lines.locator(".sign use").evaluate_all("all => all.map((one) => one.getAttribute('href'))")
    assert len(set(signs)) == 4
    expect(lines.nth(0)).to_contain_text("usb:0 gives no pictures")
    expect(lines.nth(0).locator(".todo")).to_have_text("check its cable")
    expect(lines.nth(3).locator(".todo")).to_have_count(0)


@pytest.mark.browser
def test_it_speaks_the_readers_language_to_the_last_word(table: str, visit: Visit):
    page = visit(f"{table}/doctor", code=HOST_CODE, locale="fr-FR")
    line = page.locator("[data-check='light']")
    expect(line.get_by_role("heading")).to_have_text("Lumière à améliorer")
    expect(line).to_contain_text("le papier blanc a une clarté de 60 sur 255")
    expect(line.locator(".todo")).to_have_text("approchez une lampe, de côté")


def test_scripts_get_the_same_and_only_the_hosts(desk: RealDesk, bearer: Any):
    app = create_app(desk, WORDS, system=SystemActions(examine=lambda: FOUND))
    client = app.test_client()
    assert client.get("/api/v1/doctor").status_code == 403
    assert client.get("/api/v1/doctor", headers=bearer(1)).status_code == 403
    told = client.get("/api/v1/doctor", headers=bearer(HOST_CODE)).json["findings"]
    assert [one["name"] for one in told] == [one["name"] for one in FOUND]
    assert told[3] == {
        "name": "camera",
        "level": "trouble",
        "what": "usb:0 gives no pictures",
        "to_do": "check its cable",
    }
    app.extensions["context"].streams.close()


def test_a_box_without_a_doctor_says_so(client: Any, bearer: Any):
    assert client.get("/api/v1/doctor", headers=bearer(HOST_CODE)).status_code == 404


def ask(evening: Evening, box: SystemActions) -> Any:
    """What the doctor tells this evening's host."""
    app = create_app(evening.desk, WORDS, system=box)
    try:
        return app.test_client().get("/api/v1/doctor", headers={"Authorization": f"Bearer {evening.code(None)}"})
    finally:
        app.extensions["context"].streams.close()


def test_while_the_doctor_looks_the_referee_goes_on(evening: Evening):
    looking, over = threading.Event(), threading.Event()

    def slow() -> tuple[Any, ...]:
        looking.set()
        over.wait(60)
        return FOUND

    answers: list[Any] = []
    waiting = threading.Thread(target=lambda: answers.append(ask(evening, SystemActions(examine=slow))))
    waiting.start()
    try:
        assert looking.wait(30)
        evening.say({"do": "place", "by": 1, "card": "1-1", "from": "hand"})
        assert answers == []
    finally:
        over.set()
        waiting.join(timeout=30)
    assert answers[0].status_code == 200


def test_in_a_silent_game_the_doctor_tells_the_same_whatever_the_cards_hide(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The same evening with a lawful card and with one that may not lie there: not a byte differs."""
    monkeypatch.setattr("shutil.disk_usage", lambda path: type("", (), {"free": 5_000_000_000}))
    told = []
    for card in ("1-1", "6-9"):
        (tmp_path / card).mkdir()
        with ExitStack() as stack:
            made = evening_in(tmp_path / card)
            evening = next(made)
            stack.callback(lambda made=made: next(made, None))
            evening.begin("fr-bluff")
            evening.say({"do": "place", "by": 1, "card": card, "from": "hand"})
            examine = examination(tmp_path / card, evening.desk.setup.health)
            told.append(
                ask(evening, SystemActions(examine=examine)).get_data(as_text=True).replace(str(tmp_path / card), "")
            )
    assert told[0] == told[1]
    assert "doctor." not in told[0]
    assert '"matches"' in told[0]


@pytest.mark.browser
def test_the_simulated_table_is_well(simulated: tuple[str, str], visit: Visit):
    address, code = simulated
    page = visit(f"{address}/doctor", code=code)
    expect(page.locator("[data-check='companion']")).to_contain_text("SIMULATED")
    expect(page.locator("[data-check='matches'] .level")).to_have_text("fine")
    expect(page.locator("[data-check='camera']")).to_contain_text("the pictures are drawn")
    expect(page.locator("[data-check='light']")).to_have_count(0)
    assert page.locator(".findings li").count() >= 10
