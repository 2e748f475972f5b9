"""What you must do is the first thing you see: whole matches of every game are walked, and every new kind of moment is
looked at on the phone of each seat that has something to do.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from support.random_corrections import GAMES, NAMES, LiveTable, played_on
from support.spoken_table import SpokenTable

from companion.games.registry import GAMES as MODULES, demo_deck, demo_match
from companion.simulation.visitors import SeatThings
from web.server import Server

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]


OUT_OF_SIGHT = """(wanted) => {
  const seen = (one) => {
    const { left, top, right, bottom, width, height } = one.getBoundingClientRect();
    if (!width || top < 0 || left < 0 || bottom > innerHeight || right > innerWidth) return false;
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return width >= 44 && height >= 44 && (one === hit || one.contains(hit));
  };
  return wanted.filter((selector) => ![...document.querySelectorAll(selector)].some(seen));
}"""
"""Which of these have nothing in the first screen that a thumb can touch."""


TOO_LOUD = """() => {
  const sample = document.createElement("i");
  sample.style.color = "var(--accent)";
  document.body.append(sample);
  const accent = getComputedStyle(sample).color;
  const loud = [...document.querySelectorAll("main .button")].filter(
    (one) => one.offsetHeight && getComputedStyle(one).backgroundColor === accent);
  const refused = document.querySelector(".verdict.mine");
  const wrong = refused ? loud.filter((one) => one.closest(".bar")) : [];
  return (loud.length > 1 ? loud : wrong).map((one) => "too loud: " + one.textContent);
}"""
"""More than one loud button, or one that goes on while this seat's card is refused."""


def due(seat: dict[str, Any], told: dict[str, Any]) -> list[str]:
    """What a seat has to do now, and what it usually does, as the server says it: the selectors of its buttons."""
    number, standing, refused = seat["seat"], told["standing"], told["alert"] == "refused"
    offered = [one["do"] for one in seat["offers"] if one["by"] == number]
    owed = {one["do"] for one in standing["owed"] if one["seat"] == number}
    first = [act for act in offered if act in owed or act in ("verify", "concede", "stop")]
    usual = [act for act in offered if act in ("end_turn", "pass")] if standing["turn"] == number and not owed else []
    answers = [".answers button"] if any(_may_answer(one, number) for one in told["asked"]) else []
    backs = ["[data-correction='undo']"] if refused and "undo" in (one["do"] for one in seat["corrections"]) else []
    return sorted({f"[data-act='{act}']" for act in (*first, *usual)}) + answers + backs


def _may_answer(question: dict[str, Any], seat: int) -> bool:
    return any(not one.get("seats") or seat in one["seats"] for one in question["answers"])


def plays(table: SpokenTable, seat: int) -> None:
    """A visitor plays this seat, with a full hand."""
    match = table.runner.match
    assert match is not None
    lying = match.game.table.expected(match.public).cards
    hand = [card["id"] for card in demo_deck(MODULES[match.game.name])["card"] if card["id"] not in lying][:5]
    table.visitors.play(seat, True)
    table.visitors.show(seat, SeatThings(tuple(hand), {"called": None}, places=("tree", f"discard-{seat}")))


def moments(
    game: str, profile: str, seed: int, length: int, *, simulated: bool = False
) -> Iterator[tuple[SpokenTable, int, list[str]]]:
    """A match played at random: the table, and a seat that has something to do that was not seen before."""
    seen: set[tuple[str, ...]] = set()
    with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as folder:
        table = SpokenTable(Path(folder), simulated=simulated)
        try:
            seats = len(demo_match(MODULES[game])["seat"])
            table.opens({"game": game, "profile": profile, "seat": [{"name": one} for one in NAMES[:seats]]})
            dice = Random(seed)
            for live in played_on(LiveTable(table), dice, length):
                told = table.client.get("/api/v1/standing").json
                if told["standing"]["over"]:
                    return
                for seat in range(1, live.game.seats + 1):
                    answer = table.client.get(
                        "/api/v1/seat", headers={"Authorization": f"Bearer {table.codes[seat]}"}
                    ).json
                    wanted = due(answer, told)
                    kind = (told["alert"], *wanted)
                    if wanted and kind not in seen:
                        seen.add(kind)
                        if simulated:
                            plays(table, seat)
                        yield table, seat, wanted
        finally:
            table.close()


WALKS = [
    *((game, profile, False) for game, profile in GAMES),
    *((game, profile, True) for game, profile in GAMES if MODULES[game].demonstration.has_visitors),
]
USUAL = (("discovery", "fr-explore", True), ("discovery", "fr-bluff", True))
"""A walk of these and of each other game in every run; the rest takes its time."""


def _walk(game: str, profile: str, simulated: bool) -> Any:
    usual = (game, profile, simulated) in USUAL or (game != "discovery" and profile == MODULES[game].usual_profile)
    return pytest.param(game, profile, simulated, marks=() if usual else pytest.mark.long)


@pytest.mark.parametrize(("game", "profile", "simulated"), [_walk(*one) for one in WALKS])
def test_what_a_seat_has_to_do_is_in_the_first_screen(game: str, profile: str, simulated: bool, visit: Visit):
    """« Is every act that the rules demand, and the one that is usual now, in the first screen? »"""
    looked, faults = 0, []
    for table, seat, wanted in moments(game, profile, seed=1, length=250, simulated=simulated):
        server = Server(table.app, 0, "127.0.0.1")
        page = visit(f"http://127.0.0.1:{server.port}/seat", code=table.codes[seat], size="phone", expected=("",))
        page.set_viewport_size({"width": 390, "height": 844})
        for one in wanted:
            expect(page.locator(one).first).to_be_attached()
        if simulated:
            expect(page.locator("#play [data-hand] [data-touch]")).to_have_count(5)
        if looked == 0:
            finds_a_hidden_button(page, wanted[0])
        faults += [(seat, wrong) for wrong in (*page.evaluate(OUT_OF_SIGHT, wanted), *page.evaluate(TOO_LOUD))]
        looked += 1
        if "[data-act='steal']" in wanted:
            names_people_by_their_shapes(page)
        page.context.close()
        server.close()
    assert faults == []
    assert looked > 2


def names_people_by_their_shapes(page: Page) -> None:
    """« steal picker without shapes »"""
    page.locator("[data-act='steal']").click()
    people = page.locator("#picker .choice-any")
    expect(people.first).to_be_visible()
    assert people.locator("svg.mark").count() == people.count()


def finds_a_hidden_button(page: Page, wanted: str) -> None:
    """Pushed below the first screen it is missed."""
    pushed = page.evaluate(
        """([wanted, look]) => {
          const main = document.querySelector(wanted).parentElement;
          main.style.paddingTop = "200vh";
          main.style.position = "static";
          const found = eval(look)([wanted]);
          main.style.cssText = "";
          return found;
        }""",
        [wanted, OUT_OF_SIGHT],
    )
    assert pushed == [wanted]
