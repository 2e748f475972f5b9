"""A file of tiles is read, or all that is wrong with it is said at once."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, strategies as st
from support.carcassonne_match import deck as deck_of

from companion.errors import InputError, path_of
from companion.games.carcassonne import deck
from companion.games.carcassonne.module import CARCASSONNE
from companion.games.carcassonne.tiles import SIDES
from companion.games.registry import demo_deck, locale_folders
from companion.public.i18n import LANGUAGES, Names, Translations
from companion.public.text import Text, fault_text

pytestmark = pytest.mark.core
DEMO = demo_deck(CARCASSONNE)
WORDS = Translations(locale_folders())


def faults(document: Any) -> list[tuple[str, str]]:
    """Key and place of every fault."""
    return [(fault.key.rpartition(".")[2], path_of(fault)) for fault in deck.check(document)[0]]


def changed(change: Callable[[Any], Any]) -> Any:
    """The demo deck with something done to it; its second tile is ``Z``: mountain N, sea EW, grassland S."""
    document = copy.deepcopy(DEMO)
    change(document)
    return document


def test_the_demo_deck_has_84_authored_tiles_and_nothing_odd():
    assert deck.check(DEMO) == ((), ())
    read = deck.read(DEMO)
    assert (len(read.tiles), read.start) == (84, "T01")
    assert {tile.source for tile in read.tiles.values()} == {"authored"}
    assert list(read.tiles) == [f"T{number:02}" for number in range(1, 85)]


def test_the_start_tile_is_a_mountain_with_a_city_a_sea_and_a_grassland():
    start = deck.read(DEMO).tiles["T01"]
    assert start.terrains == ("mountain", "sea", "grassland", "sea")
    assert start.cities == ((1, 2),)


def test_no_follower_of_the_demo_deck_stands_on_a_sticker():
    """The sticker of 18 mm is 1.5 mm from the north-west corner; the code of a counter reaches 9 mm."""
    for tile in deck.read(DEMO).tiles.values():
        for segment in tile.segments:
            east, south = (45 * part for part in segment.spot)
            away = ((max(0, east - 19.5)) ** 2 + (max(0, south - 19.5)) ** 2) ** 0.5
            assert away >= 9, (tile.id, segment)


ONE_FAULT: list[tuple[str, Callable[[Any], Any], list[tuple[str, str]]]] = [
    ("an edge in no segment", lambda d: d["tile"][1]["segment"][0].update(edges=""), [("edge_none", "tile.2.segment")]),
    ("an edge in two", lambda d: d["tile"][1]["segment"][0].update(edges="NE"), [("edge_twice", "tile.2.segment")]),
    (
        "an edge twice in one",
        lambda d: d["tile"][1]["segment"][0].update(edges="NN"),
        [("edge_twice", "tile.2.segment")],
    ),
    (
        "no edge at all",
        lambda d: d["tile"][1]["segment"][0].update(edges="P"),
        [("edges", "tile.2.segment.1.edges"), ("edge_none", "tile.2.segment")],
    ),
    ("a city between two lands", lambda d: d["tile"][1].update(city=[[1, 3]]), [("city", "tile.2.city.1")]),
    ("a city with the sea first", lambda d: d["tile"][1].update(city=[[2, 1]]), [("city", "tile.2.city.1")]),
    (
        "a city where nothing meets",
        lambda d: d["tile"][1].update(city=[[1, 2]], meets=[[2, 3]]),
        [("city_apart", "tile.2.city.1")],
    ),
    (
        "like terrains that meet",
        lambda d: d["tile"][1]["segment"][2].update(terrain="sea"),
        [("alike", "tile.2.meets.2")],
    ),
    (
        "a segment that meets itself",
        lambda d: d["tile"][1].update(meets=[[1, 1], [2, 3]]),
        [("itself", "tile.2.meets.1")],
    ),
    ("a border twice", lambda d: d["tile"][1]["meets"].append([2, 1]), [("border_twice", "tile.2.meets.3")]),
    ("a border with nobody", lambda d: d["tile"][1]["meets"].append([2, 4]), [("pair", "tile.2.meets.3")]),
    ("a border of three", lambda d: d["tile"][1]["meets"].append([1, 2, 3]), [("pair", "tile.2.meets.3")]),
    ("a border of truths", lambda d: d["tile"][1]["meets"].append([True, 2]), [("pair", "tile.2.meets.3")]),
    ("no start", lambda d: d["tile"][0].pop("start"), [("no_start", "tile")]),
    ("two starts", lambda d: d["tile"][7].update(start=True), [("two_starts", "tile.8.start")]),
    ("a tile twice", lambda d: d["tile"][5].update(id="T02"), [("again", "tile.6.id")]),
    ("another id", lambda d: d["tile"][5].update(id="T0"), [("id", "tile.6.id")]),
    ("an unknown key", lambda d: d["tile"][5].update(colour="red"), [("key", "tile.6.colour")]),
    (
        "an unknown key of a segment",
        lambda d: d["tile"][1]["segment"][0].update(size=3),
        [("key", "tile.2.segment.1.size")],
    ),
    ("an unknown key of the deck", lambda d: d["deck"].update(author="me"), [("key", "deck.author")]),
    ("an unknown table", lambda d: d.update(card=[]), [("key", "card")]),
    (
        "another terrain",
        lambda d: d["tile"][1]["segment"][0].update(terrain="swamp"),
        [("terrain", "tile.2.segment.1.terrain")],
    ),
    (
        "a spot off the tile",
        lambda d: d["tile"][1]["segment"][0].update(spot=[0.5, 1.5]),
        [("spot", "tile.2.segment.1.spot")],
    ),
    ("no spot", lambda d: d["tile"][1]["segment"][0].pop("spot"), [("spot", "tile.2.segment.1.spot")]),
    (
        "a spot that is no number",
        lambda d: d["tile"][1]["segment"][0].update(spot=[0.5, float("nan")]),
        [("spot", "tile.2.segment.1.spot")],
    ),
    (
        "a spot beyond all numbers",
        lambda d: d["tile"][1]["segment"][0].update(spot=[0.5, 10**400]),
        [("spot", "tile.2.segment.1.spot")],
    ),
    ("no segments", lambda d: d["tile"][1].pop("segment"), [("segments", "tile.2.segment")]),
    ("a segment that is none", lambda d: d["tile"][1]["segment"].append(3), [("segment", "tile.2.segment.4")]),
    (
        "nine segments",
        lambda d: d["tile"][1].update(segment=d["tile"][1]["segment"] * 3),
        [("too_many", "tile.2.segment")],
    ),
    ("a tile that is none", lambda d: d["tile"].append("T85"), [("tile", "tile.85")]),
    ("a start that is no switch", lambda d: d["tile"][1].update(start="yes"), [("switch", "tile.2.start")]),
    ("a source that is no word", lambda d: d["tile"][1].update(source=3), [("source", "tile.2.source")]),
    ("borders that are no list", lambda d: d["tile"][1].update(meets="1-2"), [("pairs", "tile.2.meets")]),
    ("no name", lambda d: d["deck"].update(name=" "), [("says", "deck.name")]),
    ("no head", lambda d: d.pop("deck"), [("head", "deck")]),
    ("no tiles", lambda d: d.update(tile=[]), [("no_tiles", "tile")]),
    ("tiles that are no list", lambda d: d.update(tile={"id": "T01"}), [("no_tiles", "tile")]),
    ("a hundred tiles", lambda d: d.update(tile=d["tile"][:1] * 100), [("many", "tile")]),
]


@pytest.mark.parametrize(("change", "expected"), [row[1:] for row in ONE_FAULT], ids=[row[0] for row in ONE_FAULT])
def test_each_fault_is_named_where_it_is_and_no_other(change, expected):
    assert faults(changed(change)) == expected


@pytest.mark.parametrize("change", [row[1] for row in ONE_FAULT], ids=[row[0] for row in ONE_FAULT])
def test_the_catalogs_say_a_fault_as_the_code_does(change):
    """Catalog and code say one sentence, but for apostrophe and full stop; French has no gaps."""
    for fault in deck.check(changed(change))[0]:
        text = fault_text(fault)
        assert isinstance(text, Text)
        english, french = (WORDS.say(text, language, Names()) for language in LANGUAGES)
        told = english.removeprefix(f"{text.params['where']}: ")
        assert told.replace("’", "'").removesuffix(".") == fault.what
        assert french != english
        assert not re.search(r"\{\w+\}", french)


def test_all_faults_of_a_file_are_told_at_once():
    document = copy.deepcopy(DEMO)
    changes = [
        change
        for name, change, _ in ONE_FAULT
        if name in ("two starts", "another id", "an unknown key of the deck", "a border twice")
    ]
    for change in changes:
        change(document)
    found = {key for key, _ in faults(document)}
    assert found == {"two_starts", "id", "key", "border_twice"}
    with pytest.raises(InputError) as raised:
        deck.read(document)
    assert len(raised.value.faults) == 4


@pytest.mark.parametrize(("count", "warned"), [(84, False), (83, True), (2, True)])
def test_another_number_of_tiles_is_only_warned_of(count: int, warned: bool):
    document = changed(lambda d: d.update(tile=d["tile"][:count]))
    found, odd = deck.check(document)
    assert found == ()
    assert [fault.key for fault in odd] == ["carcassonne.fault.count"] * warned
    assert len(deck.read(document).tiles) == count


def test_two_cities_on_one_shore_are_asked_about():
    document = changed(lambda d: d["tile"][0].update(city=[[1, 2], [1, 2]]))
    assert [fault.key for fault in deck.check(document)[1]] == ["carcassonne.fault.cities"]


def test_a_segment_may_have_no_edge():
    """An inner sea."""
    read = deck.read(deck_of(["U"])).tiles["T01"]
    assert read.segments[4].edges == ()
    assert read.neighbours[5] == (1, 2, 3, 4)


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(JSON_VALUES)
def test_whatever_a_file_holds_it_is_told_in_sentences(document: Any):
    found, odd = deck.check(document)
    assert all(fault.what for fault in (*found, *odd))
    if found:
        with pytest.raises(InputError):
            deck.read(document)


@given(st.data())
def test_whatever_stands_in_place_of_a_value_it_is_told_in_sentences(data: st.DataObject):
    """A value anywhere in a deck of two tiles is replaced by anything."""
    document = deck_of(["Z+", "U"])
    here: Any = document
    while True:
        key = data.draw(st.sampled_from(list(here) if isinstance(here, dict) else range(len(here))))
        if not isinstance(here[key], dict | list) or not here[key] or data.draw(st.booleans()):
            here[key] = data.draw(JSON_VALUES)
            break
        here = here[key]
    found, _ = deck.check(document)
    if not found:
        assert deck.read(document).tiles
    for row in document["tile"] if isinstance(document["tile"], list) else ():
        if isinstance(row, dict):
            assert deck.is_entered(row) in (True, False)


def test_every_tile_shows_each_side_of_the_map_however_it_is_turned():
    for tile in deck.read(DEMO).tiles.values():
        assert len(tile.by_side) == len(tile.terrains) == len(SIDES)


def test_a_deck_is_read_to_people_a_tile_a_line_and_printed_with_its_counters():
    lines = CARCASSONNE.decks.read(DEMO)
    assert lines[:2] == ("Demo tiles (demo)", "T01  mountain:N  sea:EW  grassland:S  city 1-2  start")
    assert len(lines) == 85
    printed = CARCASSONNE.decks.stickers(DEMO)
    assert len(printed.cards) == 84
    assert [label.token for label in printed.others[:5]] == ["F11", "F12", "F13", "F14", "F21"]
    assert len(printed.others) == 20
