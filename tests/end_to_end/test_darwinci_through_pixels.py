"""Darwinci through pixels: some forty tiles and chips on a drawn table and the real eye; nothing asked or missed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from support.darwinci_match import NAMES
from support.idle_looks import IdleTable, still_pictures, times_as_dear
from support.live_match import LiveMatch
from support.pixel_eye import PixelEye
from support.tile_table import FULL, Mount, WatchedTable

from companion.app.frames import camera_over
from companion.games.darwinci.module import DARWINCI
from companion.games.darwinci.people import PlotPlaces
from companion.games.darwinci.setup import DARWIN_TILE
from companion.games.registry import demo_deck, open_match, sticker_codes
from companion.history.codec import encode_line
from companion.public.codes import StickerCodes
from companion.public.table import Token, Zone
from companion.simulation.stage import Measures, TableStage
from tests.bench.resolution import spread
from vision.synthetic.camera_model import CameraModel
from vision.synthetic.compositing import DrawnCard
from vision.synthetic.films import CAMERA_MODES, DECK, LAYOUT
from vision.synthetic.scene import Scene
from vision.synthetic.textures import CardPrint
from vision.tracking.observer import Observer

EVERYDAY = {"dealt", "played", "refused", "settled", "struck"}
"""No question, nothing unexplained: whatever people did was seen as what it was."""
WHOLE = [(1, "base"), (2, "base"), (3, "experts"), (4, "experts"), (5, "base"), (6, "experts")]
LONGEST_S = 2500.0


def match_file(profile: str) -> dict[str, Any]:
    return {**DARWINCI.demonstration.match, "profile": profile}


def played(seed: int, profile: str, count: int) -> tuple[Any, ...]:
    """The first entries of a match that was played without pixels."""
    live = LiveMatch(match_file(profile), demo_deck(DARWINCI), seed)
    while len(live.match.record.lines) < count:
        live.go_on(5.0)
    return tuple(line.entry for line in live.match.record.lines)[:count]


def pixel_match(seed: int, profile: str, entries: tuple[Any, ...]) -> LiveMatch:
    """The same match from there on, as the simulated table is drawn and watched."""
    opened = open_match(match_file(profile), demo_deck(DARWINCI))
    eye = PixelEye(opened, camera_over(opened.layout, opened.game.table.shapes, CameraModel()), seed)
    return LiveMatch(
        match_file(profile), demo_deck(DARWINCI), seed, eye=eye, entries=entries, looked=NothingFalse(len(entries))
    )


@dataclass
class NothingFalse:
    """Whatever is refused lies where it was said to lie when that is said, be it by the name of another chip of its
    colour. Later looks do not count: whoever is refused takes the stone up again. Each entry is printed as it is
    written: ``-s`` shows how far a whole match has come.

    Attributes:
        heard: So many lines of the record were looked at.
    """

    heard: int

    def __call__(self, live: LiveMatch) -> None:
        lines = live.match.record.lines[self.heard :]
        self.heard += len(lines)
        for line in lines:
            print(f"{live.now_s:8.1f} s  {encode_line(line)}", flush=True)
            told = getattr(line.entry.event, "change", None)
            if told is not None and told.went_to is not None:
                alike = {token for token in live.match.game.table.shapes if token[0] == told.card[0]}
                assert any(live.film.stage.place(token) == told.went_to for token in alike), told


def events(live: LiveMatch, since: int) -> set[str]:
    return {line["event"] for line in live.lines[since:]}


@pytest.mark.long
@pytest.mark.timeout(7200)
@pytest.mark.parametrize(("seed", "profile"), WHOLE)
def test_a_whole_match_is_played_to_its_winners_without_a_false_alarm(seed: int, profile: str) -> None:
    """« Six seeded matches, 0 false alarms, questions only for income and ties. »"""
    live = pixel_match(seed, profile, ())
    live.play(LONGEST_S)
    assert live.match.over
    assert live.match.standing.winners
    assert not live.differences
    assert events(live, 0) <= EVERYDAY
    said = {line["move"]["do"] for line in live.lines if line.get("origin") == "phone" and "move" in line}
    assert said <= {"income", "creature", "agree_end"}


@pytest.mark.long
@pytest.mark.parametrize(("seed", "count"), [(2, 194)])
def test_the_last_round_is_played_to_the_winners(seed: int, count: int) -> None:
    live = pixel_match(seed, "base", played(seed, "base", count))
    live.play(240.0)
    assert live.match.over
    assert live.match.standing.winners
    assert not live.differences
    assert events(live, count) <= EVERYDAY


def full_table(seed: int) -> WatchedTable:
    """All that five seats can have lying there: twelve tiles in each plot, five for sale, all stones, and five tags."""
    tiles = iter(f"T{number:02}" for number in range(1, 66))
    position = {
        "plots": [[f"{next(tiles)}@{x},{y}/0" for y in (-1, 0, 1) for x in (-1, 0, 1, 2)] for _ in NAMES],
        "offers": [next(tiles) for _ in NAMES],
        "bids": [["R1", "B1"], ["G1", "Y1", "W1"], [], ["R2"], ["B2", "G2"]],
        "darwin": [9] * len(NAMES),
        "bidding": 2,
        "round": 9,
    }
    opened = open_match(
        {"game": "darwinci", "seat": [{"name": name} for name in NAMES], "position": position}, demo_deck(DARWINCI)
    )
    game: Any = opened.game
    assert opened.layout.size_mm is not None
    table = WatchedTable(
        Mount(CAMERA_MODES["4608x2592"][0], opened.layout.size_mm, FULL.rate_hz),
        opened.layout,
        game.table.shapes,
        sticker_codes(game),
        seed,
    )
    measures = {token: Measures.of(shape) for token, shape in game.table.shapes.items()}
    stage = TableStage(opened.layout, len(NAMES), PlotPlaces(game, opened.layout), seed, measures)
    things = {**game.table.expected(game.rules.start).cards, DARWIN_TILE: f"reserve-{game.rules.start.holder}"}
    for thing, place in things.items():
        pose = stage.put(Token(thing), Zone(place))
        table.pieces[Token(thing)] = DrawnCard(Token(thing), pose.x_mm, pose.y_mm, pose.rotation_deg, 1.2)
    for seat in game.setup.seats:
        tag = Token(f"S{seat}")
        table.pieces[tag] = DrawnCard(tag, 335.0 + 75.0 * seat, 351.0, 0.0, 0.3)  # side by side between the seats
    return table


@pytest.mark.long
def test_an_idle_look_at_116_codes_costs_at_most_two_and_a_half_times_one_at_54_cards() -> None:
    """« 116 codes in view: eye ≤ 2.5 times 54 cards », in full pictures and in the same run."""
    table = full_table(1)
    assert len(table.pieces) == 116
    table.settled(5.0, set(table.pieces))
    assert table.held == set(table.pieces)
    table.rest(5.0)  # all are held within a second; how noisy a still table is, an eye learns from more pictures
    camera, sticker_mm, rate_hz = CAMERA_MODES["4608x2592"]
    cards = Scene(LAYOUT, camera, printed=CardPrint(sticker_mm=sticker_mm), seed=1)
    lying = spread(1, 54)
    drawn = still_pictures(table.scene, list(table.pieces.values()))
    usual = still_pictures(cards, lying)
    dear = times_as_dear(
        IdleTable(table.observer, drawn, rate_hz),
        IdleTable(Observer(LAYOUT, StickerCodes.of(DECK)), usual, rate_hz),
    )
    print(f"116 codes cost {dear:.2f} times 54 cards")
    assert dear <= 2.5
