"""Filmed matches: laid out so that a camera can read them, and shown in their own time."""

from __future__ import annotations

import itertools
import math
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from importlib.resources import files
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from reference.judge import Oracle
from support.scripted_players import Players, card_stage

from companion.errors import InputError
from companion.games.discovery.people.behaviour import Behaviour
from companion.public.layout import Layout, ZoneShape
from companion.public.table import Token, Zone
from companion.simulation.script import MatchScript, ScriptedAct, ScriptedPicture
from companion.simulation.stage import CARD, TableStage, ThingPose
from vision.synthetic.camera_model import CameraModel
from vision.synthetic.scene import Scene
from vision.synthetic.source import SimulatedTable

DECK_TOML = (files("companion.games.discovery") / "demo_deck.toml").read_text("utf-8")
DECK = tomllib.loads(DECK_TOML)
CLUMSY = Behaviour(errs=0.5, forgets=0.3, rues=0.3, passes=0.6, abstains=0.2)


def match(seats: int, profile: str = "fr-explore") -> dict[str, Any]:
    return {
        "game": "discovery",
        "profile": profile,
        "dealer": seats,
        "seat": [{"name": f"P{n}"} for n in range(seats)],
    }


def rectangle(name: str, left: float, top: float, right: float, bottom: float) -> ZoneShape:
    return ZoneShape(Zone(name), ((left, top), (right, top), (right, bottom), (left, bottom)))


def table(seats: int = 3) -> Layout:
    """As in the contract, section 4; the discards share the left side."""
    high = 520 / seats
    discards = [rectangle(f"discard-{n + 1}", 10, 20 + n * high, 150, 10 + (n + 1) * high) for n in range(seats)]
    tree, pool = rectangle("tree", 160, 20, 820, 630), rectangle("pool", 840, 20, 1080, 630)
    return Layout((1100.0, 650.0), (tree, pool, *discards, rectangle("commands", 10, 550, 150, 640)))


def film(seed: int = 0, seats: int = 3, speed: float = 1.0, **how: Any) -> tuple[MatchScript, TableStage]:
    stage, rules = card_stage(table(seats), seats, seed), match(seats)
    players = Players(rules, DECK, lambda: Oracle(rules, DECK), seed, CLUMSY)
    return MatchScript(players.deeds(), stage, seed, speed=speed, **how), stage


def truth(pictures: Iterator[ScriptedPicture]) -> list[ScriptedAct]:
    return [act for picture in pictures for act in picture.done]


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 9), st.sampled_from(["fr-explore", "en-explore"]), st.integers(0, 10_000))
def test_nobody_ever_holds_a_card_that_lies_elsewhere(seats: int, profile: str, seed: int) -> None:
    rules = match(seats, profile)
    people = Players(rules, DECK, lambda: Oracle(rules, DECK), seed, replace(CLUMSY, speaks=True))
    tree: list[str] = []
    for deed in people.deeds():
        if deed.strikes:
            tree.remove(deed.move["card"])
        elif deed.move["do"] == "place" and not deed.rules:
            tree.append(deed.move["card"])
        limbo = [people.cards.called] if people.cards.called else []
        held = [*people.hands.values(), limbo, people.pool, *people.discards.values(), people.stack, tree]
        assert Counter(itertools.chain(*held)) == Counter(card["id"] for card in DECK["card"])


# Where things lie


def corners(pose: ThingPose) -> np.ndarray:
    x, y = CARD.middle(pose)
    w, h = CARD.size_mm
    return cv2.boxPoints(((x, y), (w, h), pose.rotation_deg))


def test_all_54_cards_lie_in_rows_by_era_and_none_on_another() -> None:
    stage = card_stage(table(), 3, 1)
    poses = {f"{era}{n}": stage.put(Token(f"C{era}{n}"), Zone("tree")) for era in range(1, 7) for n in range(1, 10)}
    for one, other in itertools.combinations(poses.values(), 2):
        area, _ = cv2.intersectConvexConvex(corners(one), corners(other))
        assert area < 30  # a corner may touch
    for name, pose in poses.items():
        assert table().zone_at(pose.x_mm, pose.y_mm) == "tree"
        assert all(name[0] <= lower[0] or pose.y_mm < poses[lower].y_mm for lower in poses)


def test_things_move_steadily_and_hands_are_where_cards_move() -> None:
    reel, _ = film(seed=6, lively=1.0)
    before: dict[str, ThingPose] = {}
    for picture in itertools.islice(reel.pictures(50), 4000):
        now = {card.token: card.pose for card in picture.things}
        for token in now.keys() & before.keys():
            step = math.dist((now[token].x_mm, now[token].y_mm), (before[token].x_mm, before[token].y_mm))
            assert step < 80  # 4 m/s is as fast as a hand goes
        for card in picture.things:
            if card.speed_mm_s != (0.0, 0.0):
                middle = CARD.middle(card.pose)
                assert any(math.dist((arm.x_mm, arm.y_mm), middle) < 60 for arm in picture.arms)
        before = now


def test_the_same_seed_tells_the_same_film_and_speed_only_shortens_it() -> None:
    one, again, fast = (film(seed=4, speed=speed)[0] for speed in (1.0, 1.0, 4.0))
    pictures = list(one.pictures(6))
    assert pictures == list(again.pictures(6))
    quick = list(fast.pictures(6))
    assert [act.deed for act in truth(iter(quick))] == [act.deed for act in truth(iter(pictures))]
    assert quick[-1].time_s == pytest.approx(pictures[-1].time_s / 4, rel=0.05)
    assert [act.deed for act in truth(film(seed=5)[0].pictures(6))] != [act.deed for act in truth(iter(pictures))]


def test_a_table_without_a_zone_that_is_needed_is_named() -> None:
    layout = Layout((1100, 650), table().zones[:-1])
    with pytest.raises(InputError, match="commands"):
        card_stage(layout, 3, 0)


# Filmed


def test_a_live_table_keeps_to_the_clock_and_leaves_out_what_is_late() -> None:
    now = [100.0]

    def sleep(seconds: float) -> None:
        now[0] += seconds

    class SlowScene(Scene):
        def render(self, *args: Any, **kwargs: Any) -> Any:
            now[0] += 0.25  # slower than the film's ten pictures a second
            return super().render(*args, **kwargs)

    for scene_of, least, most in ((Scene, 100, 100), (SlowScene, 30, 60)):
        now[0] = 100.0
        shown = itertools.islice(film(seed=1)[0].pictures(10), 100)
        small = scene_of(table(), CameraModel(size_px=(192, 108)))
        with SimulatedTable(shown, small, live=True, clock=lambda: now[0], sleep=sleep) as source:
            times = [frame.taken_s for frame in source]
        assert least <= len(times) <= most
        assert times == sorted(times)
        assert now[0] == pytest.approx(109.9, abs=0.5)


def test_a_live_table_is_seen_now_and_then_where_even_leaving_out_takes_too_long() -> None:
    """On a machine with ten times its work the eye was opened again and again, and never saw another picture."""
    now = [100.0]

    def slowly() -> Iterator[Any]:
        for picture in itertools.islice(film(seed=1)[0].pictures(10), 100):
            now[0] += 0.3
            yield picture

    small = Scene(table(), CameraModel(size_px=(192, 108)))
    with SimulatedTable(slowly(), small, live=True, clock=lambda: now[0], sleep=lambda _: None) as source:
        times = [frame.taken_s for frame in source]
    assert len(times) >= 10
    assert max(later - sooner for sooner, later in itertools.pairwise(times)) < 3.0
    assert times[-1] == pytest.approx(now[0], abs=3.0)
