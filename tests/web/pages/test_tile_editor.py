"""The tiles of a box entered on the page, in a real browser: a pattern, its terrains, its cities, each a tap."""

from __future__ import annotations

import copy
import tomllib
from collections.abc import Callable, Collection, Mapping
from typing import Any

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect
from support.browser import AXE, SCREENS, violations
from support.own_tiles import SIDE, enter, enter_carcassonne, kind
from support.real_desk import HOST_CODE, WORDS, RealDesk

from companion.app.services import box_pieces
from companion.cli.main import main
from companion.games.carcassonne.module import CARCASSONNE
from companion.games.registry import demo_deck
from companion.public.box_reading import BoxReading
from companion.public.codes import sticker_text
from companion.public.service import Role, User
from companion.public.table import Token
from companion.service.box_checker import BoxChecker
from companion.storage.decks import deck_toml
from vision.codes.box_reading import read_box
from vision.codes.qr_code import modules

Serve = Callable[..., str]
Visit = Callable[..., Page]
DEMO: list[dict[str, Any]] = demo_deck(CARCASSONNE)["tile"]
MOST_TAPS = 3
HOST = User(Role.HOST)


def own(rows: list[dict[str, Any]]) -> dict[str, Any]:
    return {"deck": {"game": "carcassonne", "name": "Ours", "edition": "own"}, "tile": rows}


def kinds() -> list[dict[str, Any]]:
    """A tile of each kind of the demo deck, numbered anew."""
    firsts = list({kind(row): row for row in reversed(DEMO)}.values())[::-1]
    return [{**row, "id": f"T{number:02}"} for number, row in enumerate(firsts, 1)]


@pytest.mark.browser
@pytest.mark.parametrize(
    "tiles",
    [pytest.param(kinds(), id="kinds"), pytest.param(DEMO, id="box", marks=pytest.mark.long)],
)
def test_a_tile_is_entered_with_three_taps_and_the_deck_is_accepted(
    tiles: list[dict[str, Any]], serve: Serve, visit: Visit
):
    """ "Editor: pattern, terrains, cities, three taps a tile." """
    desk = RealDesk(running=False)
    page = visit(f"{serve(desk, WORDS)}/decks/box?game=carcassonne", code=HOST_CODE)
    expect(page.locator("#which")).to_have_text("T01")
    expect(page.locator("#sound")).to_have_text("Nothing is entered yet.")  # and nobody is blamed for it
    expect(page.locator("#faults li")).to_have_count(0)
    start, *rest = enter_carcassonne(page, tiles)
    taps = [start - 2, *rest]
    expect(page.locator("#count")).to_have_text(f"{len(tiles)} of 84 tiles")
    for _ in range(300):  # what was typed last is kept after half a second
        kept = desk.decks.deck("box")
        if [kind(row) for row in kept["tile"]] == [kind(row) for row in tiles]:
            break
        page.wait_for_timeout(100)
    assert [kind(row) for row in kept["tile"]] == [kind(row) for row in tiles]
    assert [row["id"] for row in kept["tile"]] == [row["id"] for row in tiles]
    four_sided = [len(row["segment"]) > 3 for row in tiles]
    assert max(count for count, four in zip(taps, four_sided, strict=True) if not four) <= MOST_TAPS
    assert sum(taps) / len(taps) <= MOST_TAPS
    print(
        f"{sum(taps) + 2} taps for {len(tiles)} tiles: {(sum(taps) + 2) / len(tiles):.2f} a tile, {max(taps)} at most"
    )
    assert main(["deck", "check", f"{desk.folder}/decks/box.toml"]) == 0


@pytest.mark.browser
def test_all_faults_are_told_at_once_lead_to_their_tile_and_are_undone(serve: Serve, visit: Visit):
    """ "Faults: an edge in no or two segments; a city not between land and sea that meet; like terrains that meet;
    no or two starts; doubles. Not 84 tiles: warning." """
    desk = RealDesk(running=False)
    rows = copy.deepcopy(DEMO[:6])
    rows[0]["city"] = [[3, 1]]
    rows[1]["segment"][0]["edges"] = ""
    rows[2]["segment"][1]["edges"] = "ENW"
    rows[3]["segment"][1]["terrain"] = "mountain"
    rows[4]["start"] = True
    rows[5]["id"] = "T05"
    desk.decks.save_deck(HOST, "box", own(rows))
    page = visit(f"{serve(desk, WORDS)}/decks/box", code=HOST_CODE)
    expect(page.locator("#faults li")).to_contain_text(
        [
            "T01: a city stands on land and faces the sea",
            "T02: no segment reaches the side N",
            "T03: the side N is given 2 times",
            "T04: segments 1 and 2 are both mountain",
            "T05: T05 is tile 5 already",
            "T05: tile 1 is the start tile already",
        ],
        use_inner_text=True,
    )
    expect(page.locator("#odd li")).to_contain_text(["number of tiles: 6; the box has 84"])
    page.get_by_role("button", name="T02: no segment reaches the side N").click()
    expect(page.locator("#which")).to_have_text("T02")
    page.get_by_text("By hand", exact=True).click()
    page.get_by_role("group", name="Segment 1").get_by_label("north", exact=True).check()
    expect(page.locator("#faults li")).to_have_count(5)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#faults li")).to_have_count(6)
    page.get_by_role("button", name="Redo").click()
    expect(page.locator("#faults li")).to_have_count(5)
    page.get_by_role("button", name="T05: T05 is tile 5 already").click()
    page.get_by_role("button", name="Delete it").click()
    expect(page.locator("#faults li")).to_have_count(4)
    page.get_by_role("button", name="T05: tile 1 is the start tile already").click()
    page.get_by_label("This is the start tile").uncheck()
    expect(page.locator("#faults li")).to_have_count(3)
    page.get_by_role("button", name="T04: segments").click()
    page.get_by_role("button", name="Enter it again").click()
    enter(page, DEMO[3])
    expect(page.locator("#faults li")).to_have_count(2)


@pytest.mark.browser
def test_by_hand_a_tile_that_no_picture_shows_is_entered(serve: Serve, visit: Visit):
    desk = RealDesk(running=False)
    page = visit(f"{serve(desk, WORDS)}/decks", code=HOST_CODE)
    page.get_by_label("Name", exact=True).fill("box")
    page.get_by_label("Game").select_option("Carcassonne: The Discovery")
    page.get_by_role("button", name="Type them in").click()
    expect(page.locator("#which")).to_have_text("T01")
    page.get_by_text("By hand", exact=True).click()
    for _ in range(3):
        page.get_by_role("button", name="Add a segment").click()
    first, second, third = (page.get_by_role("group", name=f"Segment {number}") for number in (1, 2, 3))
    for part, terrain, sides in ((first, "mountain", "N"), (second, "sea", "ESW"), (third, "grassland", "")):
        part.get_by_label("Terrain").select_option(terrain)
        for side in sides:
            part.get_by_label(SIDE[side], exact=True).check()
    third.get_by_label("Follower: east").fill("62.5")
    for pair in ("1 – 2", "2 – 3"):
        page.get_by_label(pair).check()
    page.get_by_label("Cities of segment 3 on segment 2").fill("2")
    page.get_by_label("Cities of segment 3 on segment 2").press("Tab")
    expect(page.locator("#large polygon")).to_have_count(3)
    expect(page.locator("#large .city")).to_have_count(2)
    expect(page.locator("#odd")).to_contain_text("T01: 2 cities stand between the same two segments")
    [row] = desk.decks.deck("box")["tile"]
    assert [(one["terrain"], one["edges"]) for one in row["segment"]] == [
        ("mountain", "N"),
        ("sea", "ESW"),
        ("grassland", ""),
    ]
    assert row["segment"][2]["spot"] == [0.625, 0.6]
    assert (row["meets"], row["city"]) == ([[1, 2], [2, 3]], [[3, 2], [3, 2]])
    page.get_by_role("link", name="Our own cards").click()
    page.get_by_role("link", name="Carcassonne: The Discovery · 1/84").click()
    expect(page.locator("#count")).to_have_text("1 of 84 tiles")


def under_the_camera(lying: Mapping[str, tuple[int, int, float]]) -> bytes:
    """Tiles of 270 pixels with their stickers in the north-west, by their middles and how far they are turned."""
    table = np.full((900, 1400), 120, np.uint8)
    for token, (x, y, turned_deg) in lying.items():
        tile = np.full((270, 270), 190, np.uint8)
        code = np.kron(np.where(modules(sticker_text(Token(token), "CD")), 0, 255), np.ones((4, 4))).astype(np.uint8)
        tile[9:117, 9:117] = 255
        tile[21 : 21 + code.shape[0], 21 : 21 + code.shape[1]] = code
        turn = cv2.getRotationMatrix2D((135, 135), -turned_deg, 1.0)
        turn[:, 2] += (x - 135, y - 135)
        lies = cv2.warpAffine(tile, turn, (1400, 900), borderValue=0)
        there = cv2.warpAffine(np.full((270, 270), 255, np.uint8), turn, (1400, 900), borderValue=0) > 127
        table[there] = lies[there]
    return cv2.imencode(".png", table)[1].tobytes()


@pytest.mark.browser
def test_held_under_the_camera_a_tile_is_drawn_as_it_lies(serve: Serve, visit: Visit):
    """ "Hold it under the camera: the phone draws it as it lies, which shows a sticker pasted a quarter wrong." """
    desk = RealDesk(running=False)
    lying = {"T01": (250, 250, 30.0), "T07": (700, 260, 90.0), "T50": (450, 650, -120.0)}

    def read(picture: bytes, texts: Collection[str]) -> BoxReading:
        return read_box(picture, texts)

    desk.box = BoxChecker(  # type: ignore[assignment]
        desk.runner, simulated=True, picture=lambda: under_the_camera(lying), read=read, pieces_of=box_pieces
    )
    desk.decks.save_deck(HOST, "box", own(DEMO[:10]))
    page = visit(f"{serve(desk, WORDS)}/decks/box", code=HOST_CODE)
    page.get_by_role("button", name="Look", exact=True).click()
    expect(page.locator("#seen-count")).to_have_text("3 tiles read.")
    seen = page.locator("#seen button")
    for token, (_, _, turned_deg) in lying.items():
        button = seen.filter(has_text=token)
        drawn = button.locator("svg > g").get_attribute("transform") or ""
        if token == "T50":
            expect(button).to_have_attribute("aria-label", "T50 is not entered yet")
            continue
        angle = float(drawn.removeprefix("rotate(").split()[0])
        assert abs(angle - turned_deg) < 3, (token, drawn)
    SCREENS.mkdir(parents=True, exist_ok=True)
    page.locator("#seen").scroll_into_view_if_needed()
    page.screenshot(path=SCREENS / "editor-camera.png")
    page.get_by_role("button", name="Stop looking").click()
    # The sticker of T07 was pasted a quarter wrong: its data are turned, once, and it is drawn so from then on.
    seen.filter(has_text="T07").click()
    expect(page.locator("#which")).to_have_text("T07")
    page.locator("#quarter").click()
    for _ in range(300):  # it is kept a moment later
        kept = {row["id"]: row for row in desk.decks.deck("box")["tile"]}["T07"]
        if [one["edges"] for one in kept["segment"]] == ["E", "NSW"]:
            break
        page.wait_for_timeout(100)
    assert [one["edges"] for one in kept["segment"]] == ["E", "NSW"]


@pytest.mark.browser
@pytest.mark.parametrize(("size", "locale"), [((390, 844), "fr-FR"), ((1440, 900), "en-GB")])
def test_the_page_suits_thumbs_and_everybody(size: tuple[int, int], locale: str, serve: Serve, visit: Visit):
    desk = RealDesk(running=False)
    rows = [*copy.deepcopy(DEMO[:12]), {"id": "T90", "segment": []}]
    desk.decks.save_deck(HOST, "box", own(rows))
    page = visit(f"{serve(desk, WORDS)}/decks/box", code=HOST_CODE, locale=locale, bypass_csp=True)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    folder = SCREENS / f"editor-{size[0]}"
    folder.mkdir(parents=True, exist_ok=True)
    small = """() => [...document.querySelectorAll('main button, main summary, main label:has(input), main a.button')]
        .filter((one) => one.offsetParent)
        .filter((one) => Math.min(one.getBoundingClientRect().height, one.getBoundingClientRect().width) < 44)
        .map((one) => one.outerHTML.slice(0, 90))"""

    def good(name: str) -> None:
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0], name
        assert page.evaluate(small) == [], name
        page.screenshot(path=folder / f"{name}.png", full_page=True)
        if AXE.exists():
            assert violations(page) == [], name

    good("pattern")
    page.locator("#patterns button").nth(2).click()
    good("terrains")
    page.locator("#terrains button").nth(3).click()  # a mountain, a sea, grassland
    good("cities")
    page.locator("#cities button").nth(1).click()
    good("next")
    page.locator("#grid button").nth(0).click()
    page.locator("#by-hand summary").click()
    good("entered")


def test_only_the_host_enters_tiles_and_other_games_are_refused(
    client: FlaskClient, bearer: Callable[..., dict[str, str]]
):
    assert client.get("/decks/box?game=carcassonne", headers=bearer(1)).status_code == 403
    assert client.get("/decks/box?game=carcassonne").status_code == 403
    assert client.get("/decks/box?game=carcassonne", headers=bearer(HOST_CODE)).status_code == 200
    for game in ("lands", "noughts"):
        assert client.get(f"/decks/box?game={game}", headers=bearer(HOST_CODE)).status_code == 404
    typed = {"name": "box", "deck": own(DEMO[:1])}
    assert client.post("/api/v1/decks", json=typed, headers=bearer(1)).status_code == 403
    answer = client.post("/api/v1/decks", json=typed, headers=bearer(HOST_CODE))
    assert answer.status_code == 200
    assert answer.json["drawn"][0]["segments"][0]["terrain"] == "mountain"


def test_a_deck_file_that_the_page_wrote_is_read_again_word_for_word() -> None:
    assert tomllib.loads(deck_toml(demo_deck(CARCASSONNE))) == demo_deck(CARCASSONNE)
