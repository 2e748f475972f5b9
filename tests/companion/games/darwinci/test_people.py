"""People at a simulated table of Darwinci, without pixels: they deal, bid and lay until somebody has won."""

from __future__ import annotations

from typing import Any

import pytest
from support.live_match import LiveMatch

from companion.cli.live_table import check_simulated
from companion.errors import InputError
from companion.games.darwinci.module import DARWINCI
from companion.games.darwinci.view import SMALL_TABLE, USUAL_TABLE, SeatedTable, layout
from companion.games.registry import demo_deck
from companion.public.layout import overlapping_zones, read_layout
from companion.public.print_sizes import TAG_MM
from companion.public.table import Seat

LONGEST_S = 2500.0
EVERYDAY = {"dealt", "played", "refused", "settled", "struck"}


def played(seed: int, until_s: float, **match: Any) -> LiveMatch:
    live = LiveMatch({**DARWINCI.demo_match, **match}, demo_deck(DARWINCI), seed)
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


def test_a_table_without_a_reserve_is_said_at_once() -> None:
    zones = [zone for zone in DARWINCI.demo_match["table"]["zone"] if zone["name"] != "reserve-2"]
    match = dict(DARWINCI.demo_match) | {"table": {"size_mm": [672, 470], "zone": zones}}
    with pytest.raises(InputError, match="no zone reserve-2"):
        check_simulated({"match": match, "deck": demo_deck(DARWINCI)})


def test_the_small_table_of_the_demonstration_has_no_zone_on_another() -> None:
    assert overlapping_zones(read_layout(DARWINCI.demo_match["table"])) is None


@pytest.mark.parametrize("table", [SMALL_TABLE, USUAL_TABLE])
def test_no_zone_reaches_under_a_tag_of_the_near_or_far_edge(table: SeatedTable) -> None:
    """A chip that lies half under a tag is never read, and the deal waits for it."""
    height = table.size_mm[1]
    seats = [Seat(number) for number in range(1, table.near + table.columns)]
    for zone in layout(seats, table).zones:
        for _, y in zone.polygon_mm:
            assert TAG_MM / 2 < y < height - TAG_MM / 2, zone
