"""« What do I do now? » At each of these moments one sentence on the page answers.

My turn, a refused card, a lost connection and a bid of Darwinci are in the tests of their pages; a hub before the first
round is in its own.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from support.real_desk import HOST_CODE, RealDesk, code_of

from companion.games.registry import demo_deck

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]


def played() -> RealDesk:
    desk = RealDesk(3, deck=demo_deck())
    desk.lay(3)
    return desk


def over() -> RealDesk:
    desk = played()
    desk.win()
    return desk


def stopped() -> RealDesk:
    """Cy doubts what Ben has laid."""
    deck = demo_deck()
    tree = [card["id"] for card in deck["card"] if card["id"][0] in "12"]
    position = {"turn": 2, "tree": tree, "pool": ["6-5"], "hands": [5, 4, 5], "stack": 21}
    desk = RealDesk(3, "fr-bluff", deck=deck, position=position)
    desk.put("3-5", "pile")
    desk.say({"do": "stop", "by": 3})
    return desk


MOMENTS = {
    "the first page": (played, "/", None, "It sees every card that is laid, keeps the score and explains the rules."),
    "stopped": (stopped, "/seat", code_of(2), "Cy: Stop! Ben verifies."),
    "the end": (over, "/seat", code_of(1), "The host can begin a rematch with the same seats."),
    "a new match": (over, "/host", HOST_CODE, "Rematch: same seats, next dealer"),
    "an empty wizard": (played, "/setup", HOST_CODE, "The whole field and its corner tags fill the picture."),
}


@pytest.mark.parametrize("moment", MOMENTS)
def test_one_sentence_says_what_to_do(moment: str, serve: Callable[..., str], visit: Visit):
    make, path, code, sentence = MOMENTS[moment]
    page = visit(serve(make()) + path, code=code, expected=("404", "409"))
    expect(page.locator("main").get_by_text(sentence).filter(visible=True)).to_have_count(1)


def test_a_stop_that_waits_for_me_is_the_only_thing_to_do(serve: Callable[..., str], visit: Visit):
    """« Lay a card, or discard one » stood above a Stop! that had to be answered first."""
    page = visit(f"{serve(stopped())}/seat", code=code_of(2))
    expect(page.get_by_role("button", name="Verify")).to_be_visible()
    expect(page.locator("#now")).to_be_empty()


def test_after_the_end_undo_names_the_move_and_not_the_winner(serve: Callable[..., str], visit: Visit):
    page = visit(f"{serve(over())}/host", code=HOST_CODE)
    expect(page.get_by_role("button", name="Undo: the end of the turn", exact=True)).to_be_attached()
