"""Cards read from photographs, in a real browser: proposed, looked at, and kept when somebody says so."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Collection
from importlib.resources import files
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from support.real_desk import HOST_CODE, RealDesk

from companion.errors import InputError, fault
from companion.public.card_reading import CardLayout, CardReading
from companion.public.codes import sticker_text
from companion.public.service import NotFound, Role, User
from companion.public.table import Token
from companion.service.card_photos import CardPhotos

Serve = Callable[..., str]
Visit = Callable[..., Page]
DEMO = tomllib.loads((files("companion.games.discovery") / "demo_deck.toml").read_text("utf-8"))["card"]
NAMES = {card["id"]: card["name"]["en"] for card in DEMO}
MOST_TAPS = 6
PIXEL = bytes.fromhex("ffd8ffe000104a46494600010100000100010000ffd9")
HOST = User(Role.HOST)


def text_of(card: str) -> str:
    return sticker_text(Token(f"C{card[0]}{card[2]}"))


def read_perfectly(picture: bytes, texts: Collection[str], layout: CardLayout) -> tuple[CardReading, ...]:
    """An era a photograph, which its last byte names, read without a mistake, as the real cards say it."""
    if not picture.startswith(b"\xff\xd8"):
        raise InputError(fault("picture.fault.kind", "this is no JPEG, PNG or WebP picture"))
    return tuple(
        CardReading(
            text_of(card["id"]),
            (card["name"]["en"],),
            tuple(f"{need[0]} {NAMES[need]}" for need in card["prerequisites"]) or ("nothing",),
            *(PIXEL,) * 3,
        )
        for card in DEMO
        if card["id"][0] == chr(picture[-1]) and text_of(card["id"]) in texts
    )


def desk_that_reads(read: Any = read_perfectly, can_read: bool = True) -> RealDesk:
    desk = RealDesk(running=False)
    desk.photos = CardPhotos(
        desk.runner, simulated=True, picture=lambda: PIXEL + b"1", read=read, can_read=lambda: can_read
    )
    return desk


def photos(*eras: int) -> list[Any]:
    return [{"name": f"{era}.jpg", "mimeType": "image/jpeg", "buffer": PIXEL + str(era).encode()} for era in eras]


@pytest.mark.browser
def test_photographs_are_the_first_way_to_a_new_deck(serve: Serve, visit: Visit):
    page = visit(f"{serve(desk_that_reads())}/decks", code=HOST_CODE)
    expect(page.locator("#fresh button")).to_have_text(
        ["Photograph the cards", "Type them in", "Start from a copy of the demo deck"]
    )
    page.get_by_label("Name").fill("Our box")
    page.get_by_role("button", name="Photograph the cards").click()
    page.wait_for_url("**/decks/our-box/read")


@pytest.mark.browser
@pytest.mark.parametrize("eras", [(1,), pytest.param((1, 2, 3, 4, 5, 6), marks=pytest.mark.long)])
def test_a_deck_is_entered_from_photographs_with_few_taps_a_card(eras: tuple[int, ...], serve: Serve, visit: Visit):
    desk = desk_that_reads()
    page = visit(f"{serve(desk)}/decks/ours/read", code=HOST_CODE)
    taps = 2  # the button and the pictures in the phone's own gallery
    page.locator("#photo").set_input_files(photos(*eras))
    cards = [card for card in DEMO if int(card["id"][0]) in eras]
    expect(page.locator("#count")).to_contain_text(f"{len(cards)} cards to look at")
    assert desk.decks.deck("ours") is None, "nothing is kept before somebody says that it is right"
    for left, card in zip(range(len(cards), 0, -1), cards, strict=True):
        expect(page.locator("#count")).to_contain_text(f"{left} card")
        expect(page.get_by_label("Name on the card")).to_have_value(card["name"]["en"])
        page.locator(f"input[name=family][value={card['family']}]").check()
        page.get_by_role("button", name="That is right").click()
        taps += 2
    expect(page.locator("#count")).to_have_text(f"{len(cards)} of 54 cards")
    kept = {row["id"]: row for row in desk.decks.deck("ours")["card"]}
    for card in cards:
        wanted = {"id": card["id"], "name": {"en": card["name"]["en"]}, "family": card["family"]}
        assert kept[card["id"]] == {**wanted, "prerequisites": card["prerequisites"]}
    assert taps / len(cards) <= MOST_TAPS
    print(f"{taps} taps for {len(cards)} cards: {taps / len(cards):.1f} a card")


@pytest.mark.browser
def test_what_was_read_wrong_is_put_right_and_what_lacks_is_asked_for(serve: Serve, visit: Visit):
    def read(_picture: bytes, _texts: Collection[str], _layout: CardLayout) -> tuple[CardReading, ...]:
        return (
            CardReading(text_of("1-2"), ("Bamd",), (), *(PIXEL,) * 3, edged=False),
            CardReading(text_of("1-8"), ("Hunting",), ("1 Band", "1 Scavenqing"), *(PIXEL,) * 3),
        )

    desk = desk_that_reads(read)
    page = visit(f"{serve(desk)}/decks/ours/read", code=HOST_CODE)
    page.locator("#camera").click()
    confirm = page.get_by_role("button", name="That is right")
    expect(page.locator("#edge")).to_be_visible()
    confirm.click()
    expect(page.locator("#note")).to_contain_text("one of them is missing")
    assert desk.decks.deck("ours") is None
    page.get_by_label("Name on the card").fill("Band")
    page.get_by_label("No prerequisites").check()
    page.get_by_label("Society").check()
    confirm.click()
    expect(page.locator("#which")).to_have_text("Era 1, card 8")
    expect(page.locator("#needs")).to_have_text("1-2 Band −")
    expect(page.locator("#unknown")).to_have_text("Not found among the names: 1 Scavenqing")
    page.get_by_label("Add a card that it needs").select_option("1-5")
    page.get_by_label("Food").check()
    confirm.click()
    expect(page.locator("#card")).to_be_hidden()
    kept = {row["id"]: row for row in desk.decks.deck("ours")["card"]}
    assert kept["1-8"]["prerequisites"] == ["1-2", "1-5"]
    assert kept["1-2"] == {"id": "1-2", "name": {"en": "Band"}, "family": "society", "prerequisites": []}


@pytest.mark.browser
def test_a_prerequisite_that_no_card_is_called_yet_names_the_card_that_somebody_picks(serve: Serve, visit: Visit):
    def read(_picture: bytes, _texts: Collection[str], _layout: CardLayout) -> tuple[CardReading, ...]:
        return (
            CardReading(text_of("1-8"), ("Hunting",), ("1 Scavenging",), *(PIXEL,) * 3),
            CardReading(text_of("2-1"), ("Trapping",), ("1 Scavenging", "1 Hunting"), *(PIXEL,) * 3),
        )

    desk = desk_that_reads(read)
    page = visit(f"{serve(desk)}/decks/ours/read", code=HOST_CODE)
    page.locator("#camera").click()
    expect(page.locator("#unknown")).to_have_text("Not found among the names: 1 Scavenging")
    choice = page.get_by_label("“Scavenging” is a card that is not entered yet. Which one?")
    offered = choice.locator("option").all_inner_texts()
    assert offered == ["…", *(f"1-{number}" for number in (1, 2, 3, 4, 5, 6, 7, 9))], "of its era, without a name"
    choice.select_option("1-3")
    choice.select_option("1-5")  # somebody thinks again
    expect(page.locator("#needs")).to_have_text("1-5 Scavenging −")
    page.get_by_label("Food").check()
    assert desk.decks.deck("ours") is None, "nothing is kept unconfirmed"
    page.get_by_role("button", name="That is right").click()
    expect(page.locator("#which")).to_have_text("Era 2, card 1")
    expect(page.locator("#needs li")).to_have_text(["1-5 Scavenging −", "1-8 Hunting −"])
    kept = {row["id"]: row for row in desk.decks.deck("ours")["card"]}
    assert kept["1-5"] == {"id": "1-5", "name": {"en": "Scavenging"}}
    assert kept["1-8"]["prerequisites"] == ["1-5"]
    assert "name" not in kept["1-3"]


@pytest.mark.browser
def test_without_tesseract_the_page_says_how_to_get_it_and_goes_on(serve: Serve, visit: Visit):
    def cut(*_: Any) -> tuple[CardReading, ...]:
        return (CardReading(text_of("1-1"), (), (), *(PIXEL,) * 3),)

    page = visit(f"{serve(desk_that_reads(cut, can_read=False))}/decks/ours/read", code=HOST_CODE)
    expect(page.locator("#missing")).to_contain_text("sudo apt install tesseract-ocr tesseract-ocr-fra")
    page.locator("#photo").set_input_files(photos(1))
    expect(page.get_by_label("Name on the card")).to_have_value("")
    expect(page.locator("#title-piece")).to_be_visible()


def test_what_was_read_goes_when_it_is_let_go() -> None:
    photos_of = desk_that_reads().photos
    assert photos_of.take(HOST, "ours", PIXEL + b"1", "box").value["read"][0] == "1-1"
    assert photos_of.piece(HOST, "ours", "1-1", "title") == PIXEL
    assert photos_of.piece(HOST, "ours", "1-1", "../title") is None
    assert photos_of.piece(HOST, "other", "1-1", "title") is None
    assert photos_of.forget(HOST, "ours", "1-1").value == {"card": "1-1"}
    assert isinstance(photos_of.forget(HOST, "ours", "1-1"), NotFound)
    for deck in ("a", "b", "c"):
        photos_of.take(HOST, deck, PIXEL + b"2", "box")
    assert photos_of.proposals(HOST, "ours", None) == {"reads": True, "cards": []}, "only the last decks are held"
