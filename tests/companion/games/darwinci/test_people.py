"""People at a simulated table of Darwinci, without pixels: they deal, bid and lay until somebody has won."""

from __future__ import annotations

import math
from typing import Any

import cv2
import numpy as np
import pytest
from support.live_match import LiveMatch

from companion.app.live_table import check_simulated
from companion.errors import InputError
from companion.games.darwinci.module import DARWINCI
from companion.games.darwinci.view import SMALL_TABLE, USUAL_TABLE, SeatedTable, layout
from companion.games.registry import demo_deck
from companion.public.layout import overlapping_zones, read_layout
from companion.public.print_sizes import CARD_MM, TAG_MM
from companion.public.table import COMMAND_ZONE, Seat

LONGEST_S = 2500.0
AIR_MM = 4.0
MOST_UPON_MM2 = 9.0
MOST_UNEVEN_MM = 4.0
"""People lay a card 2 mm beside where they mean to, on either side."""
EVERYDAY = {"dealt", "played", "refused", "settled", "struck"}


def played(seed: int, until_s: float, **match: Any) -> LiveMatch:
    live = LiveMatch({**DARWINCI.demonstration.match, **match}, demo_deck(DARWINCI), seed)
    live.play(until_s)
    return live


@pytest.mark.slow
def test_people_deal_offer_bid_and_lay_and_nobody_is_asked_anything() -> None:
    live = played(1, 180.0)
    assert {line["event"] for line in live.lines} <= EVERYDAY
    acts = {line["move"]["do"] for line in live.lines if line["event"] in ("dealt", "played")}
    assert acts >= {"deal", "offer", "bid", "end_turn", "lay"}
    awards = [line["awards"] for line in live.lines if "awards" in line]
    assert [len(one) for one in awards] == [3] * len(awards) != []


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1, 6))
def test_a_match_is_played_to_its_winners_and_nothing_lies_where_the_log_does_not_have_it(seed: int) -> None:
    live = played(seed, LONGEST_S, profile=("base", "experts")[seed % 2])
    assert live.match.over
    assert live.match.standing.winners
    assert not live.differences
    assert {line["event"] for line in live.lines} <= EVERYDAY


@pytest.mark.slow
def test_the_darwin_tile_is_handed_on_at_the_drawn_table() -> None:
    """The rules say who holds it; people who watch see it there."""
    live = played(1, 180.0)
    kept = live.film.stage.kept("D1")
    assert kept is not None
    assert kept[0] == f"reserve-{live.match.public.holder}"


def sticking_out(live: LiveMatch) -> set[str]:
    """What is meant to lie partly beyond the zone that holds it, or upon another thing."""
    game: Any = live.match.game
    zones = {zone.name: np.array(zone.polygon_mm) for zone in read_layout(DARWINCI.demonstration.match["table"]).zones}
    found: set[str] = set()
    seen: dict[str, Any] = {}
    kept = {token: live.film.stage.kept(token) for token in game.table.shapes}
    for token, (place, pose) in ((token, there) for token, there in kept.items() if there is not None):
        turn = math.radians(pose.rotation_deg)
        ahead = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
        around = np.array(game.table.shapes[token].outline_around_sticker_mm) @ ahead + (pose.x_mm, pose.y_mm)
        (left, top), (right, low) = (edge(zones[place.split(" ")[0]], axis=0) for edge in (np.min, np.max))
        if ((around < (left - AIR_MM, top - AIR_MM)) | (around > (right + AIR_MM, low + AIR_MM))).any():
            found.add(f"{token} in {place} {around.min(0).round()} {around.max(0).round()} {left, top, right, low}")
        hull = np.asarray(around, np.float32)
        found |= {f"{token} on {other}" for other, taken in seen.items() if upon(hull, taken)}
        seen[token] = hull
    return found


def upon(one: Any, other: Any) -> bool:
    """Whether two things overlap by more than the edge of a sticker."""
    return cv2.intersectConvexConvex(one, other)[0] > MOST_UPON_MM2


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.long), pytest.param(5, marks=pytest.mark.long)])
def test_whatever_lies_in_a_plot_or_a_reserve_lies_on_nothing_else(seed: int) -> None:
    """A tile at the edge of a plot lay on a chip of the reserve beside it, and the award waited for it for ever."""
    wrong: set[str] = set()
    live = LiveMatch(dict(DARWINCI.demonstration.match), demo_deck(DARWINCI), seed)
    while not live.match.over and live.now_s < (300 if seed == 1 else LONGEST_S):
        live.go_on(10.0)
        wrong |= sticking_out(live)
    assert wrong == set()
    again = LiveMatch(
        dict(DARWINCI.demonstration.match),
        demo_deck(DARWINCI),
        seed,
        entries=tuple(line.entry for line in live.match.record.lines),
    )
    again.go_on(5.0)
    assert sticking_out(again) == set()


def test_a_table_without_a_reserve_is_said_at_once() -> None:
    zones = [zone for zone in DARWINCI.demonstration.match["table"]["zone"] if zone["name"] != "reserve-2"]
    match = dict(DARWINCI.demonstration.match) | {"table": {"size_mm": [672, 494], "zone": zones}}
    with pytest.raises(InputError, match="no zone reserve-2"):
        check_simulated({"match": match, "deck": demo_deck(DARWINCI)})


def test_the_small_table_of_the_demonstration_has_no_zone_on_another() -> None:
    assert overlapping_zones(read_layout(DARWINCI.demonstration.match["table"])) is None


@pytest.mark.parametrize("table", [SMALL_TABLE, USUAL_TABLE])
def test_a_command_card_and_a_seat_tag_fit_where_they_are_shown_and_cover_no_stone(table: SeatedTable) -> None:
    """A stone half under a shown card, or a card half over one, is neither seen to lie nor to go."""
    there = layout([Seat(number) for number in range(1, table.near + table.columns)], table)
    ((left, top), _, (right, bottom), _) = next(zone.polygon_mm for zone in there.zones if zone.name == COMMAND_ZONE)
    assert right - left >= 2 * CARD_MM[0] + MOST_UNEVEN_MM
    assert bottom - top >= CARD_MM[1] + MOST_UNEVEN_MM


@pytest.mark.parametrize("table", [SMALL_TABLE, USUAL_TABLE])
def test_no_zone_reaches_under_a_tag_of_the_near_or_far_edge(table: SeatedTable) -> None:
    """A chip that lies half under a tag is never read, and the deal waits for it."""
    height = table.size_mm[1]
    seats = [Seat(number) for number in range(1, table.near + table.columns)]
    for zone in layout(seats, table).zones:
        for _, y in zone.polygon_mm:
            assert TAG_MM / 2 < y < height - TAG_MM / 2, zone
