"""Pictures of every page, kept in ``build/screens`` to be looked at: three sizes, light and dark, both languages.

Every run draws each page once, in one size and look after the other; a long run draws each in all of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

import cv2
import pytest
from playwright.sync_api import Browser, Page, expect
from support.browser import PATIENCE_MS, SCREENS
from support.real_table import SIZES, simulated_table

from web.middleware.access import cookie_name

pytestmark = pytest.mark.browser
PLAYED = Path(__file__).parents[2] / "vectors" / "evening-fr-explore.jsonl"
SILENT = Path(__file__).parents[2] / "vectors" / "evening-fr-bluff.jsonl"
LOOKS = [("light", "en-GB"), ("dark", "fr-FR")]
STEPS = ("stick", "see", "play")
CHROMELESS = ("/tv", "/overlay")


QUICK, LASTING = 4.0, 1.0
"""How fast the simulated evening is played: soon under way, or lasting while every page is drawn in every look."""


@pytest.fixture(scope="module")
def table(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, chromium: Browser
) -> Iterator[dict[str, str]]:
    with contextmanager(simulated_table)(tmp_path_factory.mktemp("screens"), request.param) as (address, code):
        yield from prepared(address, code, chromium)


def prepared(address: str, code: str, chromium: Browser) -> Iterator[dict[str, str]]:
    """A simulated table with an evening under way, two finished ones on its shelf and a deck half typed in."""
    context = chromium.new_context(extra_http_headers={"Authorization": f"Bearer {code}"})
    ask = context.request
    kept = []
    for record in (PLAYED, SILENT):
        answer = ask.post(f"{address}/api/v1/records", data={"record": record.read_text(encoding="utf-8")})
        assert answer.ok, answer.text()
        kept.append(answer.json()["match"])
    deck = {
        "deck": {"name": "Notre jeu", "edition": "own"},
        "card": [
            {"id": "1-1", "name": {"en": "Fire", "fr": "Feu"}, "family": "tools", "prerequisites": []},
            {"id": "1-2", "name": {"en": "Band", "fr": "Bande"}, "family": "society", "prerequisites": ["2-1"]},
        ],
    }
    assert ask.post(f"{address}/api/v1/decks", data={"name": "ours", "deck": deck}).ok
    page = context.new_page()
    page.goto(f"{address}/")
    page.goto(f"{address}/watch")
    expect(page.locator("[data-slot][data-state='laid']").nth(3)).to_be_attached(timeout=90_000)
    seats = ask.get(f"{address}/api/v1/invitations").json()["invitations"]
    yield {"address": address, "code": code, "seat": seats[1]["code"], "over": kept[0], "silent": kept[1]}
    context.close()


def pages(table: dict[str, str]) -> dict[str, tuple[str, str | None]]:
    """Every page by the name of its picture: where it is, and who sees it."""
    host, seat = table["code"], table["seat"]
    steps = {f"setup-{number}-{step}": (f"/setup#{step}", host) for number, step in enumerate(STEPS, 1)}
    return {
        "scoreboard": ("/", None),
        "scoreboard-teach": ("/?teach", None),
        "television": ("/tv", None),
        "overlay": ("/overlay", None),
        "seat": ("/seat", seat),
        "host": ("/host", host),
        "join": ("/join", None),
        "join-wrong": ("/join/NOBODY", None),
        **steps,
        "doctor": ("/doctor", host),
        "print": ("/print", host),
        "check": ("/check", host),
        "decks": ("/decks", host),
        "deck": ("/decks/ours", host),
        "deck-read": ("/decks/ours/read", host),
        "deck-compare": ("/decks/ours/compare", host),
        "deck-new": ("/decks/fresh", host),
        "deck-tiles": ("/decks/box?game=carcassonne", host),
        "matches": ("/matches", host),
        "report": (f"/matches/{table['over']}", host),
        "report-silent": (f"/matches/{table['silent']}", None),
        "nothing": ("/nowhere", None),
    }


Look = tuple[str, Literal["light", "dark"], str]
ALL: list[Look] = [(size, scheme, locale) for size in SIZES for scheme, locale in LOOKS]


def rounds(table: dict[str, str]) -> dict[Look, list[str]]:
    """Which pages are drawn how in a short run: each once, the looks in turn; what has no chrome on the television."""
    told: dict[Look, list[str]] = {look: [] for look in ALL}
    for number, (name, (path, _)) in enumerate(pages(table).items()):
        look = ALL[number % len(ALL)]
        told[("television", *look[1:]) if path in CHROMELESS else look].append(name)
    return told


@pytest.mark.parametrize("table", [QUICK], indirect=True)
def test_every_page_is_drawn_once_and_kept(table: dict[str, str], chromium: Browser):
    for look, names in rounds(table).items():
        draw(look, names, table, chromium)


@pytest.mark.long
@pytest.mark.parametrize("table", [LASTING], indirect=True)
@pytest.mark.parametrize("look", ALL, ids="-".join)
def test_every_page_is_drawn_in_every_look_and_kept(look: Look, table: dict[str, str], chromium: Browser):
    names = [name for name, (path, _) in pages(table).items() if path not in CHROMELESS or look[0] == "television"]
    draw(look, names, table, chromium)


def draw(look: Look, names: list[str], table: dict[str, str], chromium: Browser) -> None:
    """Draws these pages and keeps the pictures; fails where one sticks out, is blank or says nothing."""
    size, scheme, locale = look
    folder = SCREENS / f"{size}-{scheme}-{locale[:2]}"
    folder.mkdir(parents=True, exist_ok=True)
    width, height = SIZES[size]
    told: dict[str, Any] = {}
    context = chromium.new_context(
        viewport={"width": width, "height": height}, color_scheme=scheme, locale=locale, reduced_motion="reduce"
    )
    page = context.new_page()
    for name in names:
        path, code = pages(table)[name]
        context.clear_cookies()
        if code:
            context.add_cookies(
                [{"name": cookie_name(urlsplit(table["address"]).netloc), "value": code, "url": table["address"]}]
            )
        page.goto("about:blank")  # else the wizard's next step is no page of its own
        page.goto(table["address"] + path)
        expect(page.locator("html")).to_have_attribute("data-link", "live")
        _settle(page, name)
        page.screenshot(path=folder / f"{name}.png", full_page=path not in CHROMELESS)
        told[name] = page.evaluate("[document.documentElement.scrollWidth, innerWidth, document.body.innerText.length]")
    context.close()
    wide = {name: one for name, one in told.items() if one[0] > one[1]}
    assert not wide, f"sticks out sideways: {json.dumps(wide)}"
    for name in told:
        picture = cv2.imread(str(folder / f"{name}.png"))
        assert picture is not None, name
        assert picture.std() > 2, f"{name} is blank"
        assert name == "overlay" or told[name][2] > 20, f"{name} says nothing"


def _settle(page: Page, name: str) -> None:
    """What is folded is part of the page; the camera's picture is waited for."""
    if name.startswith(("host", "seat", "report")):
        page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
    if name in ("host", "setup-2-see"):
        page.locator("#camera img").wait_for(state="visible", timeout=PATIENCE_MS)
    page.evaluate("document.querySelectorAll('img[loading]').forEach((one) => (one.loading = 'eager'))")
    page.evaluate("Promise.all([...document.images].map((one) => one.currentSrc && one.decode().catch(() => {})))")
    page.wait_for_timeout(250)
