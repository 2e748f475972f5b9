"""The deck file: what the rule books say about cards, and what a faulty file is told."""

from __future__ import annotations

import copy
import random
import tomllib
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from companion.errors import Fault, InputError
from companion.games import registry
from companion.games.discovery import deck as decks
from companion.games.discovery.deck import FAMILIES, Deck, check, is_entered, read
from companion.games.discovery.module import labels
from companion.public.i18n import Names, Translations
from companion.public.table import CardId
from companion.public.text import Text

pytestmark = pytest.mark.core

DEMO = tomllib.loads((files("companion.games.discovery") / "demo_deck.toml").read_text("utf-8"))
EN_X1 = tomllib.loads((Path(__file__).parent / "decks" / "en-x1.toml").read_text("utf-8"))


def card(deck: Deck, name: str) -> decks.Card:
    return next(card for card in deck.cards.values() if name in card.names.values())


def names(deck: Deck, ids: frozenset[CardId] | None) -> set[str]:
    assert ids is not None
    return {deck.cards[id_].names["en"] for id_ in ids}


@pytest.fixture
def demo() -> Deck:
    return read(DEMO)


@pytest.fixture
def faulty() -> dict[str, Any]:
    return copy.deepcopy(DEMO)


# What the rule books say


def test_54_cards_in_six_eras_of_nine_with_a_name_in_both_languages(demo: Deck) -> None:
    """ "Il y a 54 cartes découverte", "regroupées par ère (de 1 à 6) [...] 9 cartes par ère" (F:34-35, F:101)."""
    assert sorted(demo.cards) == [f"{era}-{n}" for era in range(1, 7) for n in range(1, 10)]
    assert all(set(card.names) == {"en", "fr"} for card in demo.cards.values())
    for language in ("en", "fr"):
        assert len({card.names[language] for card in demo.cards.values()}) == 54


def test_there_are_seven_families_and_all_are_used(demo: Deck) -> None:
    """ "Famille : il y a 7 familles" (F:105)."""
    assert {card.family for card in demo.cards.values()} == set(FAMILIES)


@pytest.mark.parametrize(
    ("name", "era", "needs"),
    [
        ("Cueillette", 1, ""),  # "Certaines cartes n'ont aucun prérequis, comme la Cueillette" (F:20)
        ("Chasse", 1, "Band, Scavenging"),  # E:83-86, F:22-23
        ("Nomadisme", 1, "Band"),  # F:150-151
        ("Galet taillé", 1, "Australopithecus"),  # F:148, F:215
        ("Homo erectus", 2, "Nomadism, Scavenging"),  # F:143-146; it opens era 2 (F:227)
        ("Cuisson", 2, "Fire"),  # "dont le prérequis est le Feu" (F:20-21)
        ("Feu", 2, "Homo erectus"),  # E:122-123
    ],
)
def test_a_card_is_of_the_era_and_has_the_prerequisites_that_the_rule_books_name(
    demo: Deck, name: str, era: int, needs: str
) -> None:
    found = card(demo, name)
    assert found.era == era
    assert names(demo, found.prerequisites) == {need for need in needs.split(", ") if need}


def test_families_eras_and_numbers_are_those_that_the_rule_books_name(demo: Deck) -> None:
    australopithecus, band, pebble = (card(demo, n) for n in ("Australopithecus", "Bande", "Galet taillé"))
    assert australopithecus.family == band.family not in ("movement", pebble.family)  # F:91, F:215-217
    assert not {australopithecus.id, pebble.id} & (band.prerequisites or set())
    assert {card(demo, name).family for name in ("Nomadisme", "Homo erectus")} == {"movement"}  # F:141-142
    assert (card(demo, "Chasse").number, card(demo, "Chasse").family) == (8, "food")  # E:85-86
    assert {card(demo, name).era for name in ("Australopithecus", "Bande", "Charognage")} == {1}
    assert card(demo, "Fil et corde").era == 3  # "3 Fil et corde" (F:476)
    assert "Fire" in names(demo, card(demo, "Métal").prerequisites)  # "le métal ont besoin du feu" (F:12)


def test_each_card_says_whether_it_is_from_the_rule_book(demo: Deck) -> None:
    told = {card.names["fr"] for card in demo.cards.values() if card.source == "rule book"}
    assert told == {
        *("Australopithecus", "Bande", "Cueillette", "Galet taillé", "Charognage", "Nomadisme", "Chasse"),
        *("Homo erectus", "Feu", "Cuisson", "Fil et corde", "Métal"),
    }
    assert {card.source for card in demo.cards.values()} == {"rule book", "authored"}


def test_in_the_english_example_nomadism_may_follow_homo_erectus() -> None:
    """ "if you place Homo erectus, you can then place [...] Nomadism in series (if Band has already been placed)
    because both are from the Movement family" (E:122-124): Nomadism cannot have had to be there first."""
    variant = read(EN_X1)
    erectus, nomadism = card(variant, "Homo erectus"), card(variant, "Nomadism")
    assert nomadism.id not in (erectus.prerequisites or ())
    assert erectus.family == nomadism.family == "movement"
    demo = read(DEMO)
    assert [id_ for id_ in demo.cards if demo.cards[id_] != variant.cards[id_]] == [erectus.id]


def test_most_cards_have_two_or_three_prerequisites_none_of_a_later_era(demo: Deck) -> None:
    """ "la plupart des cartes ont 2 ou 3 prérequis" (F:22)."""
    counts = [len(card.prerequisites or ()) for card in demo.cards.values()]
    assert sum(count in (2, 3) for count in counts) > 40
    assert check(DEMO) == ((), ())


@given(st.randoms(use_true_random=False))
def test_the_whole_tree_can_be_discovered_in_any_order_that_the_prerequisites_allow(dice: random.Random) -> None:
    deck = read(DEMO)
    tree: set[CardId] = set()
    while len(tree) < 54:
        ready = sorted(c.id for c in deck.cards.values() if c.id not in tree and (c.prerequisites or set()) <= tree)
        assert ready, "nobody could place anything"
        tree.add(dice.choice(ready))


# Reading


@pytest.mark.parametrize("document", [DEMO, EN_X1])
def test_every_card_is_read_with_all_that_its_row_says(document: dict[str, Any]) -> None:
    deck = read(document)
    assert (deck.name, deck.edition) == (document["deck"]["name"], document["deck"]["edition"])
    assert list(deck.cards) == [row["id"] for row in document["card"]]
    for row in document["card"]:
        card = deck.cards[row["id"]]
        assert (card.names, card.family) == (row["name"], row["family"])
        assert (card.prerequisites, card.source) == (set(row["prerequisites"]), row.get("source", ""))


def test_a_half_entered_deck_can_be_played_with_and_says_what_is_unknown(faulty: dict[str, Any]) -> None:
    del faulty["card"][12]["family"]
    del faulty["card"][13]["prerequisites"]
    faults, warnings = check(faulty)
    assert faults == ()
    assert [fault.where for fault in warnings] == [("card", 12, "family"), ("card", 13, "prerequisites")]
    deck = read(faulty)
    assert deck.cards[CardId("2-4")].family is None
    assert deck.cards[CardId("2-5")].prerequisites is None


def test_an_unknown_card_may_be_the_one_to_begin_with(faulty: dict[str, Any]) -> None:
    for row in faulty["card"][:9]:
        row["prerequisites"] = row["prerequisites"] or ["6-9"]
    assert any("No card of era 1" in fault.what for fault in check(faulty)[0])
    del faulty["card"][0]["prerequisites"]
    assert not any("No card of era 1" in fault.what for fault in check(faulty)[0])


def test_stickers_say_era_and_number(demo: Deck) -> None:
    assert demo.tokens["C18"] == "1-8"  # type: ignore[index]
    assert len(demo.tokens) == 54


# Faults


def test_every_fault_is_named_at_once_with_its_place(faulty: dict[str, Any]) -> None:
    cards = faulty["card"]
    faulty["deck"]["edition"] = " "
    cards[0]["famly"] = "food"
    cards[7]["family"] = "fodo"
    cards[12]["prerequisites"] = ["1-1", "1-2", "1-3", "1-4"]
    cards[20]["prerequisites"] = ["9-9", "1-1", "1-1"]
    cards[30]["prerequisites"] = "2-3"
    cards[31]["name"] = "Village"
    cards[40]["id"] = "5-6"
    orphans = [
        ("card", index, "prerequisites", row["prerequisites"].index("5-5"))
        for index, row in enumerate(cards)
        if "5-5" in row["prerequisites"]
    ]
    faults, _ = check(faulty)
    assert {fault.where for fault in faults} == {
        ("deck", "edition"),
        ("card", 0, "famly"),
        ("card", 7, "family"),
        ("card", 12, "prerequisites"),
        ("card", 20, "prerequisites", 0),
        ("card", 20, "prerequisites", 2),
        ("card", 30, "prerequisites"),
        ("card", 31, "name"),
        ("card", 41, "id"),  # the second 5-6
        ("card",),  # 5-5 is missing
        *orphans,
    }
    with pytest.raises(InputError) as raised:
        read(faulty)
    assert raised.value.faults == faults


def test_a_circle_of_prerequisites_is_named(faulty: dict[str, Any]) -> None:
    faulty["card"][1]["prerequisites"] = ["2-1"]  # Band needs Homo erectus, which needs Nomadism, which needs Band
    faults, warnings = check(faulty)
    assert [fault.what for fault in faults] == [
        "These wait for each other and can never be placed: 1-2 needs 2-1 needs 1-6 needs 1-2."
    ]
    assert [fault.where for fault in warnings] == [("card", 1, "prerequisites")]


def test_a_circle_is_named_once_also_where_an_earlier_card_leads_into_it(faulty: dict[str, Any]) -> None:
    faulty["card"][1]["prerequisites"] = ["2-1"]
    faulty["card"][0]["prerequisites"] = ["2-1"]
    faults, _ = check(faulty)
    assert len([fault for fault in faults if fault.key == "deck.fault.circle"]) == 1


def test_a_card_that_waits_for_itself_is_a_circle(faulty: dict[str, Any]) -> None:
    faulty["card"][0]["prerequisites"] = ["1-1"]
    assert "1-1 needs 1-1" in check(faulty)[0][0].what


def test_a_prerequisite_of_a_later_era_is_only_odd(faulty: dict[str, Any]) -> None:
    faulty["card"][8]["prerequisites"] = ["2-3"]
    faults, warnings = check(faulty)
    assert faults == ()
    assert warnings == (Fault("2-3 is of a later era than 1-9; is that so?", ("card", 8, "prerequisites")),)


def test_somebody_must_be_able_to_begin_and_only_a_card_of_era_1_can(faulty: dict[str, Any]) -> None:
    """ "cards without prerequisites" (F:20) of a later era are not dealt at the start."""
    for row in faulty["card"]:
        if row["id"].startswith("1-"):
            row["prerequisites"] = row["prerequisites"] or ["2-9"]
    faulty["card"][17]["prerequisites"] = []
    assert faulty["card"][17]["id"] == "2-9"
    faults, _ = check(faulty)
    assert faults == (Fault("No card of era 1 can be placed first: at least one has no prerequisites.", ("card",)),)
    faulty["card"][4]["prerequisites"] = []
    assert check(faulty)[0] == ()


def test_a_missing_card_is_named_by_its_number(faulty: dict[str, Any]) -> None:
    del faulty["card"][53]
    assert check(faulty)[0] == (Fault("Era 6 has 9 cards; missing: 6-9.", ("card",)),)


JSONISH = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4) | st.sampled_from(["1-1", "6-9", "food", "id"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["deck", "card", "id", "name", "family", "prerequisites", "x"]), inner, max_size=4
        )
    ),
    max_leaves=12,
)


@given(JSONISH, st.integers(0, 53), st.sampled_from([*decks.KEYS, "x"]))
def test_whatever_the_file_holds_it_is_a_deck_or_an_input_error(junk: Any, index: int, key: str) -> None:
    mended = copy.deepcopy(DEMO)
    mended["card"][index][key] = junk
    for document in (junk, {"deck": {"name": "n", "edition": "e"}, "card": junk}, mended):
        faults, _ = check(document)
        if faults:
            with pytest.raises(InputError):
                read(document)
        else:
            assert list(read(document).cards) == [row["id"] for row in document["card"]]


SAID = Translations(registry.locale_folders())


@given(JSONISH, st.integers(0, 53), st.sampled_from([*decks.KEYS, "x"]))
def test_pages_say_a_fault_in_both_languages_and_in_english_as_the_command_line_does(junk: Any, index: int, key: str):
    mended = copy.deepcopy(DEMO)
    mended["card"][index][key] = junk
    for document in (junk, {"deck": {"name": "n", "edition": "e"}, "card": junk}, mended):
        for fault in [*check(document)[0], *check(document)[1]]:
            english, french = (SAID.say(Text(fault.key, dict(fault.params)), lang, Names()) for lang in ("en", "fr"))
            assert fault.key.startswith("deck.fault.")
            assert french != english
            if fault.key != "deck.fault.circle":  # arrows on pages, words on the command line
                assert english.replace("\u2019", "'") == fault.what.replace("\u2019", "'")


def test_a_card_that_is_there_twice_is_named_with_the_place_of_the_first() -> None:
    """Cards are counted from 1, as people count the rows of a file."""
    twice = copy.deepcopy(DEMO)
    twice["card"][20]["id"] = twice["card"][3]["id"]
    said = [fault.what for fault in check(twice)[0] if fault.where == ("card", 20, "id")]
    assert said == [f"{twice['card'][3]['id']} is card 4 already; each number is there once."]
    places = [fault.params["place"] for fault in check(twice)[0] if fault.where == ("card", 20, "id")]
    assert places == [4], "pages say it in their own language"


def test_a_stranger_is_named_wherever_it_stands_among_a_cards_prerequisites() -> None:
    """Three are on a card; a file may hold more by mistake, and then its other faults are told as well."""
    many = copy.deepcopy(DEMO)
    del many["card"][53]
    many["card"][50]["prerequisites"] = [*(f"{era}-{n}" for era in (1, 2, 3) for n in range(1, 10)), "6-9"]
    strangers = [fault.where for fault in check(many)[0] if fault.key == "deck.fault.stranger"]
    assert strangers == [("card", 50, "prerequisites", 27)]


@pytest.mark.parametrize(
    ("count", "fault"), [(200, "deck.fault.again"), (201, "deck.fault.many"), (5000, "deck.fault.many")]
)
def test_a_file_with_hundreds_of_cards_is_no_deck_and_is_said_to_be_none(count: int, fault: str) -> None:
    many = copy.deepcopy(DEMO)
    many["card"] = (many["card"] * 100)[:count]
    faults = check(many)[0]
    assert fault in [one.key for one in faults]
    assert (len(faults) == 1) == (fault == "deck.fault.many")
    if len(faults) == 1:
        assert faults[0].what == f"{count} cards are too many: a deck has 54."
        assert faults[0].params == {"count": count, "cards_wanted": 54}


def test_the_sheet_has_a_sticker_for_each_card_in_the_colour_of_its_era_and_four_jokers() -> None:
    cards, jokers = labels(read(DEMO))
    assert {label.prefix: label.colour for label in cards} == {
        card.id: decks.ERA_COLOURS[card.era - 1] for card in read(DEMO).cards.values()
    }
    assert [label.token for label in jokers] == ["J1", "J2", "J3", "J4"]


@pytest.mark.parametrize("lacks", ["name", "family", "prerequisites"])
def test_a_card_is_entered_when_it_has_a_name_a_family_and_prerequisites_even_if_it_needs_none(lacks: str) -> None:
    row = {"id": "1-1", "name": {"en": "Band"}, "family": "society", "prerequisites": []}
    assert is_entered(row)
    assert not is_entered({key: value for key, value in row.items() if key != lacks})


@pytest.mark.parametrize(("count", "places"), [(50, range(50)), (54, range(54)), (55, ()), (5000, ())])
def test_of_a_list_longer_than_a_deck_it_is_said_only_that_it_is_too_long(count: int, places: Sequence[int]) -> None:
    long = copy.deepcopy(DEMO)
    long["card"][50]["prerequisites"] = [f"x-{number}" for number in range(count)]
    where = [fault.where for fault in check(long)[0] if fault.where[:2] == ("card", 50)]
    assert where == [("card", 50, "prerequisites"), *(("card", 50, "prerequisites", place) for place in places)]


@pytest.mark.parametrize("upside_down", [False, True])
def test_two_cards_of_one_name_are_odd_in_whichever_order_the_file_has_them(upside_down: bool) -> None:
    same = copy.deepcopy(DEMO)
    same["card"][30]["name"] = dict(same["card"][3]["name"])
    if upside_down:
        same["card"].reverse()
    odd = [fault.params["other_card"] for fault in check(same)[1] if fault.key == "deck.fault.same_name"]
    assert set(odd) == {same["card"][23 if upside_down else 3]["id"]}
