"""What was taken away is gone on every table, and what something lies upon is not: no earlier picture tells."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from support import photographs
from support.card_table import FAR_MM, NEAR_MM, RATE_HZ, CardTable, held, spread
from support.clutter import clutter
from support.long_cases import rest_long

from companion.public.codes import StickerCodes
from companion.public.table import Observation, Token
from vision.synthetic.compositing import DrawnCard
from vision.synthetic.films import DECK, LAYOUT
from vision.synthetic.hands import HandPose
from vision.tracking.observer import Observer

pytestmark = pytest.mark.slow
CODES = StickerCodes.of(DECK)
SURFACES = ["gravel", "brick", *sorted(set(photographs.WIDE_MM) - {"gravel", "brick"})]
WITHIN_S = 2.0


def table_of(surface: str, seed: int) -> CardTable:
    """Sixteen cards lie there in the first picture."""
    photographed = {"surface": photographs.surface(surface), "hands": photographs.hands()}
    return CardTable(spread(seed, 16), seed, 10, cutouts=clutter(), **photographed)


def takes(table: CardTable, card: DrawnCard) -> None:
    """A hand takes a card away."""
    hand = HandPose(card.x_mm, card.y_mm + 10, 90.0, z_mm=15, person=2)
    for away_mm in (FAR_MM, NEAR_MM, 0.0):
        table.look((), replace(hand, y_mm=hand.y_mm + away_mm))
    table.lying.remove(card)
    for away_mm in (30.0, NEAR_MM, FAR_MM):
        lifted = replace(card, y_mm=card.y_mm + away_mm, z_mm=40.0)
        table.look([lifted], replace(hand, y_mm=hand.y_mm + away_mm))


def looks(table: CardTable, seconds: float) -> Observation:
    """The last of the looks at a table where nothing happens for so long."""
    return [table.look() for _ in range(round(seconds * RATE_HZ))][-1]


@pytest.mark.parametrize("surface", rest_long(SURFACES))
def test_cards_that_lay_there_first_are_gone_two_seconds_after_they_were_taken_up(surface: str) -> None:
    """On rough tables they stayed for ever: their places resembled nothing that had been seen before."""
    table = table_of(surface, 3)
    for card in list(table.lying[:9]):
        takes(table, card)
    assert held(looks(table, WITHIN_S)) == {card.token for card in table.lying}


@pytest.mark.parametrize("surface", rest_long(sorted(SURFACES, key="parquet".__ne__)))
def test_a_card_is_gone_that_is_taken_up_after_the_eye_was_opened_anew(surface: str) -> None:
    """The box lost its power; what lay there is remembered, but no picture of the bare table.

    On parquet one lies over a tag, which looks afterwards as it did before.
    """
    table = table_of(surface, 4)
    before = table.observer
    table.observer = Observer(LAYOUT, CODES, before.tracker.table())
    looks(table, 3.0)
    for card in list(table.lying[:2]):
        takes(table, card)
    assert held(looks(table, WITHIN_S)) == {card.token for card in table.lying}


@pytest.mark.parametrize(
    ("surface", "thing"),
    rest_long([(surface, str(thing)) for surface in ("gravel", "grass", "wood") for thing in clutter()]),
)
def test_what_something_without_a_sticker_lies_upon_is_not_gone(surface: str, thing: str) -> None:
    """A cup, a phone, dice, a card face down: on gravel some of them look much like gravel."""
    table = table_of(surface, 3)
    under = {card.token for card in table.lying}
    for card, aside_mm in zip(table.lying[:4], (0.0, 12.0, -12.0, 6.0), strict=True):
        turned_deg = float(table.dice.uniform(0, 360))
        cover = DrawnCard(Token(thing), card.x_mm + aside_mm, card.y_mm + 5, turned_deg, z_mm=5.0)
        hand = HandPose(card.x_mm, card.y_mm + 30, 90.0, z_mm=25, person=2)
        for away_mm in (FAR_MM, NEAR_MM, 0.0):
            brought = replace(cover, y_mm=cover.y_mm + away_mm)
            table.look([brought], replace(hand, y_mm=hand.y_mm + away_mm))
        table.lying.append(cover)
        for away_mm in (NEAR_MM, FAR_MM):
            table.look((), replace(hand, y_mm=hand.y_mm + away_mm))
    for _ in range(round(4 * RATE_HZ)):
        assert held(table.look()) == under


@pytest.mark.parametrize("surface", rest_long(["gravel", "brick", "grass", "wood"]))
def test_what_something_lay_upon_when_the_eye_was_opened_anew_is_not_gone(surface: str) -> None:
    """The cover is in every picture since, so its place can only be compared with the table around it."""
    table = table_of(surface, 3)
    before = table.observer.tracker.table()
    for card, thing in zip(table.lying[:8], clutter(), strict=False):
        aside_mm, turned_deg = float(table.dice.uniform(-12, 12)), float(table.dice.uniform(0, 360))
        table.lying.append(DrawnCard(thing, card.x_mm + aside_mm, card.y_mm + 5, turned_deg, z_mm=5.0))
    table.observer = Observer(LAYOUT, CODES, before)
    pictures = [table.drawn() for _ in range(2)]
    for number in range(round(3 * RATE_HZ)):
        assert held(table.sees(pictures[number % 2])) == {one.token for one in before.placements}


@pytest.mark.parametrize("surface", rest_long(["denim", "gravel", "cloth"]))
def test_a_lens_that_seeks_its_focus_takes_nothing_away(surface: str) -> None:
    """For a second nothing is sharp: where no code could be read, none is missing."""
    table = table_of(surface, 5)
    there = held(table.look())
    for _ in range(round(1.5 * RATE_HZ)):
        soft = cv2.GaussianBlur(table.drawn(), (0, 0), 3.5)
        assert held(table.sees(np.asarray(soft, np.uint8))) == there
    assert held(looks(table, 1.0)) == there
