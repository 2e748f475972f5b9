"""People at a simulated table of Lands Unknown, without pixels: some days on the demo island, until all are home."""

from __future__ import annotations

import pytest
from support.live_match import LiveMatch

from companion.app.live_table import check_simulated
from companion.errors import InputError
from companion.games.lands.module import LANDS
from companion.games.lands.people import covered
from companion.games.lands.setup import FIRST_PLAYER
from companion.games.lattice import Pose
from companion.games.registry import demo_deck, open_match
from companion.public.table import Token, Zone
from companion.simulation.stage import Kept

LONGEST_S = 900.0
NAMES = ("Ana", "Ben", "Cléo", "Dora")


def played(seed: int, seats: int = 2, until_s: float = LONGEST_S) -> LiveMatch:
    match = (
        dict(LANDS.demonstration.match)
        if seats == 2
        else {"game": "lands", "seat": [{"name": n} for n in NAMES[:seats]]}
    )
    live = LiveMatch(match, demo_deck(LANDS), seed)
    live.play(until_s)
    return live


def test_people_lay_the_map_draw_projects_and_begin_the_first_day() -> None:
    live = played(1, until_s=40.0)
    acts = [line["move"]["do"] for line in live.lines]
    assert acts[:5] == ["deal", "gain", "gain", "gain", "gain"]
    assert live.match.public.day == 1
    assert str(live.match.game.table.expected(live.match.public).cards[FIRST_PLAYER]).startswith("pack-")


@pytest.mark.long
@pytest.mark.parametrize(("seed", "seats"), [(1, 1), (2, 2), (3, 3), (4, 4)])
def test_a_match_of_several_days_ends_and_only_what_may_not_be_done_is_refused(seed: int, seats: int) -> None:
    """Four seeded matches: 0 false alarms. A refusal is one that people provoke: too far, or what they cannot pay."""
    live = played(seed, seats)
    assert live.match.over
    assert not live.differences
    assert live.longest_frozen_s < 30.0
    events = {line["event"] for line in live.lines}
    assert events <= {"dealt", "played", "refused", "settled"}
    refused = [(line["move"]["do"], one["rule"]) for line in live.lines if line["event"] == "refused"
               for one in line["objections"]]  # fmt: skip
    assert set(refused) <= {("travel", "stamina"), ("trade", "space")}
    days = live.match.public.day
    taps = sum(line["event"] == "played" and line["origin"] == "phone" for line in live.lines)
    seen = sum(line["event"] == "played" and line["origin"] == "camera" for line in live.lines)
    print(f"{seats} seats, {days} days: {taps} taps, {seen} seen, {len(refused)} refused")
    assert days >= 2
    assert taps <= days * seats  # an old evening took 28 to 52: test_not_asked.py


def test_a_stand_that_would_cover_a_sticker_is_known_to() -> None:
    """The stand reaches 30 mm beyond its sticker's middle, to the figure's foot and past it."""
    there = Pose(100.0, 100.0, 0.0)
    assert covered(there, Pose(100.0, 125.0, 0.0)) > 0
    assert covered(there, Pose(100.0, 75.0, 0.0)) == 0
    assert covered(Pose(100.0, 100.0, 180.0), Pose(100.0, 75.0, 0.0)) > 0


def test_four_figures_on_one_space_cover_none_of_each_others_stickers() -> None:
    game = open_match({"game": "lands", "seat": [{"name": name} for name in NAMES]}, demo_deck(LANDS)).game
    places = LANDS.people(game, {}, game.table.layout, 0).places
    kept: dict[Token, Kept] = {}
    for thing, place in (("M01", "new"), *((f"F{seat}", "on M01-1") for seat in range(1, 5))):
        kept[Token(thing)] = (Zone(place), places.pose(Token(thing), Zone(place), kept, None))
    poses = {token: Pose(one.x_mm, one.y_mm, one.rotation_deg) for token, (_, one) in kept.items()}
    pairs = [(one, other) for one in poses for other in poses if one[0] == "F" and one != other]
    assert [(one, other) for one, other in pairs if covered(poses[one], poses[other])] == []


def test_a_table_without_a_map_is_said_at_once() -> None:
    table = {"size_mm": [672, 480], "zone": [{"name": "night", "polygon": [[0, 0], [300, 0], [300, 300], [0, 300]]}]}
    with pytest.raises(InputError, match="no zone map"):
        check_simulated({"match": dict(LANDS.demonstration.match) | {"table": table}, "deck": demo_deck(LANDS)})
