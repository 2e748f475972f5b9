"""Butted tiles and counters on them: the eye is told how large they are, and takes nothing for gone that lies there."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np
import pytest
from support.idle_looks import IdleTable, still_pictures, times_as_dear
from support.long_cases import rest_long
from support.tile_table import (
    CALM,
    COUNTER,
    COUNTER_Z_MM,
    COUNTERS,
    FAST,
    FULL,
    SHAPES,
    TILE,
    TILES,
    Mount,
    TileTable,
    WatchedTable,
    layout,
    turned,
)

from companion.games.carcassonne.setup import COUNTER as PRINTED
from companion.public.codes import StickerCodes
from companion.public.shapes import GreyArea, Shape
from companion.public.table import Point, Token
from tests.bench.resolution import spread
from vision.camera.frame import make_frame
from vision.synthetic.camera_model import CameraModel
from vision.synthetic.compositing import DrawnCard
from vision.synthetic.films import CAMERA_MODES, DECK, LAYOUT
from vision.synthetic.hands import HandPose
from vision.synthetic.scene import Scene
from vision.synthetic.textures import CardPrint
from vision.tracking.observer import Observer

GONE_S = 1.0
FIGURE = Shape.disc(16, sticker_mm=1, face=(GreyArea(0.35, COUNTER.outline_mm),))
"""What may stand on a counter, seen from above."""

SEEDS = [pytest.param(1, id="1"), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(2, 6))]


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_84_butted_tiles_are_all_read_by_the_third_look(seed: int) -> None:
    table = TileTable(FULL, seed)
    for _ in range(3):
        table.show()
    assert table.held == set(TILES)


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_a_small_field_in_the_fast_mode_holds_all_84(seed: int) -> None:
    """720 by 410 mm, seen from 0.66 m."""
    table = TileTable(FAST, seed)
    table.settled(1.0, set(TILES))
    assert table.held == set(TILES)
    assert table.observer.outlines.card is None  # seams are no card
    for placement in table.looks[-1].table.placements:
        piece = table.pieces[placement.token]
        assert math.dist((placement.x_mm, placement.y_mm), (piece.x_mm, piece.y_mm)) < 1.5
        assert abs((placement.rotation_deg - piece.rotation_deg + 180) % 360 - 180) < 3


LIFTED = [
    pytest.param(8, 2, 1, id="sample", marks=pytest.mark.slow),
    pytest.param(84, 20, 1, id="all", marks=(pytest.mark.long, pytest.mark.timeout(1800))),
]


@pytest.mark.parametrize(("tiles", "counters", "seed"), LIFTED)
def test_counters_that_a_hand_lifts_off_tiles_are_gone_within_a_second_and_nothing_else_is(
    tiles: int, counters: int, seed: int
) -> None:
    """Round, 18 mm, seen with 4608 pixels."""
    table = TileTable(FULL, seed, tiles=tiles)
    table.settled(1.0, set(table.pieces))
    table.rest(1.0)
    table.lay_counters(COUNTERS[:counters])
    for token in COUNTERS[:counters]:
        table.lift(token, from_deg=float(table.dice.choice([0.0, 90.0, 180.0, 270.0])))
        looks = round(GONE_S * table.mount.rate_hz)
        while token in table.held and looks:
            table.show()
            looks -= 1
        assert token not in table.held
    assert table.false_gone == set()
    assert table.held == set(table.pieces)


MOUNTS = [pytest.param(CALM, id="small"), pytest.param(FULL, id="full", marks=pytest.mark.long)]
CUT_MM = [0.0, 1.0, pytest.param(0.3, marks=pytest.mark.long), pytest.param(0.6, marks=pytest.mark.long)]


@pytest.mark.slow
@pytest.mark.parametrize("too_far_mm", CUT_MM)
@pytest.mark.parametrize("mount", MOUNTS)
def test_twenty_counters_that_were_cut_out_too_far_are_all_read(mount: Mount, too_far_mm: float) -> None:
    """On a line through the code's corners 15 of 20 were read that were cut 1 mm too far."""
    width_mm = PRINTED.size_mm[0] - 2 * too_far_mm
    cut = Shape.disc(width_mm, sticker_mm=PRINTED.sticker_mm, face=(GreyArea(0.9, PRINTED.outline_mm),))
    told = dict.fromkeys(COUNTERS, PRINTED)
    width, height = mount.size_mm
    table = WatchedTable(
        mount,
        layout(width, height),
        told,
        StickerCodes.of(told, "CD"),
        7,
        foreign=dict.fromkeys(COUNTERS, cut),
    )
    for number, token in enumerate(COUNTERS):
        x_mm, y_mm = width * (number % 5 + 0.7) / 5.4, height * (number // 5 + 0.7) / 4.4
        table.pieces[token] = DrawnCard(token, x_mm, y_mm, float(table.dice.uniform(0, 360)), 1.5)
    assert table.settled(4.8, set(COUNTERS)) == set(COUNTERS)
    table.rest(1.0)
    assert table.held == set(COUNTERS)


@pytest.fixture
def nine(request: pytest.FixtureRequest) -> TileTable:
    """Sixteen tiles that the eye has seen lie there for a while."""
    table = TileTable(getattr(request, "param", CALM), 3, tiles=16)
    table.settled(1.0, set(table.pieces))
    table.rest(1.0)
    assert table.held == set(table.pieces)
    return table


@pytest.mark.slow
def test_the_size_of_the_smallest_thing_in_use_is_told_not_that_of_the_tiles() -> None:
    """ "1.75, good", where counters had squares of 1.46 pixels."""
    table = TileTable(CALM, tiles=6)
    table.rest(2.0)
    tiles_px = module_px(table)
    table.lay_counters(COUNTERS[:1])
    assert module_px(table) / tiles_px == pytest.approx(COUNTER.code_mm / TILE.code_mm, rel=0.03)


def module_px(table: TileTable) -> float:
    frame = make_frame(
        np.asarray(table.scene.render([*table.pieces.values()]), np.uint8), table.looks[-1].taken_s + 0.1
    )
    view = table.observer.health(frame)
    assert view is not None
    return min(finding.value for finding in view.findings if finding.name == "module_px")


@pytest.mark.slow
@pytest.mark.parametrize("nine", MOUNTS, indirect=True)
def test_a_tile_turned_in_place_is_seen_with_its_new_angle(nine: TileTable) -> None:
    token = TILES[6]
    before = nine.pieces[token]
    middle = np.add((before.x_mm, before.y_mm), turned(12, 12, before.rotation_deg))
    turn_deg = before.rotation_deg + 90
    x, y = middle + turned(-12, -12, turn_deg)
    after = replace(before, x_mm=float(x), y_mm=float(y), rotation_deg=turn_deg)
    nine.move(HandPose(float(middle[0]) + 20, float(middle[1]), 0.0), {token: after})
    nine.rest(GONE_S)
    seen = {placement.token: placement for placement in nine.looks[-1].table.placements}
    assert abs((seen[token].rotation_deg - turn_deg + 180) % 360 - 180) < 3
    assert math.dist((seen[token].x_mm, seen[token].y_mm), (x, y)) < 1.5
    assert set(seen) == set(nine.pieces)
    assert nine.false_gone <= {token}


@pytest.mark.slow
@pytest.mark.parametrize("nine", MOUNTS, indirect=True)
def test_a_sleeve_that_shoves_nine_tiles_six_millimetres_takes_none_away(nine: TileTable) -> None:
    shoved = [token for number, token in enumerate(TILES[:16]) if number % 6 < 3 and number < 18][:9]
    moved = {token: replace(nine.pieces[token], x_mm=nine.pieces[token].x_mm - 6) for token in shoved}
    middle = np.mean([(piece.x_mm, piece.y_mm) for piece in moved.values()], axis=0)
    # The hand is beyond the tiles, so that the sleeve lies over them.
    nine.move(HandPose(float(middle[0]) - 330, float(middle[1]), 5.0), moved, seconds=0.6)
    nine.rest(GONE_S)
    assert nine.false_gone == set()
    seen = {placement.token: placement for placement in nine.looks[-1].table.placements}
    assert set(seen) == set(nine.pieces)
    for token, placement in seen.items():
        piece = nine.pieces[token]
        assert math.dist((placement.x_mm, placement.y_mm), (piece.x_mm, piece.y_mm)) < 2.6


# What lies beneath is asked for before relief


def checks() -> tuple[GreyArea, ...]:
    """A tile's face with more relief than a code: black and white squares of 3 mm."""
    ground = GreyArea(0.9, TILE.outline_mm)
    steps = np.arange(-22.5, 22.5, 3.0).tolist()
    squares = [
        GreyArea(0.08, ((x, y), (x + 3, y), (x + 3, y + 3), (x, y + 3)))
        for column, x in enumerate(steps)
        for row, y in enumerate(steps)
        if (column + row) % 2
    ]
    return ground, *squares


@pytest.mark.slow
def test_a_counter_lifted_off_busy_art_is_gone_though_the_art_has_the_relief_of_a_code() -> None:
    busy = dict.fromkeys(TILES, replace(TILE, face=checks()))
    table = TileTable(CALM, 3, tiles=6, shapes={**SHAPES, **busy})
    table.settled(1.0, set(table.pieces))
    table.rest(1.0)
    token = COUNTERS[0]
    tile = table.pieces[TILES[2]]
    dx, dy = turned(24, 24, tile.rotation_deg)
    table.pieces[token] = DrawnCard(token, tile.x_mm + dx, tile.y_mm + dy, 10.0, COUNTER_Z_MM)
    table.rest(1.5)
    assert token in table.held
    table.lift(token)
    table.rest(GONE_S)
    assert table.held == set(table.pieces)
    assert table.false_gone == set()


@pytest.mark.slow
def test_a_counter_under_something_that_stands_on_it_is_covered_until_its_place_is_seen_bare() -> None:
    """A meeple may stand on its counter."""
    figure = Token("M1")
    table = TileTable(CALM, 4, tiles=6, shapes={**SHAPES, figure: FIGURE})
    table.settled(1.0, set(table.pieces))
    table.rest(1.0)
    table.lay_counters(COUNTERS[:1])
    token = COUNTERS[0]
    counter = table.pieces[token]
    table.pieces[figure] = replace(counter, token=figure, z_mm=10.0, says="X")
    table.rest(3.0)
    assert token in table.held
    del table.pieces[figure]
    table.lift(token)
    table.rest(GONE_S)
    assert token not in table.held


@pytest.mark.long
@pytest.mark.slow
def test_a_counter_that_lay_there_unread_for_a_while_is_seen_to_go_nevertheless() -> None:
    """By then the place usually looks like that; a wet thumb, a shadow or a reflection kept it from being read."""
    table = TileTable(CALM, 4, tiles=6)
    table.settled(1.0, set(table.pieces))
    table.rest(1.0)
    token, tile = COUNTERS[0], table.pieces[TILES[2]]
    dx, dy = turned(24, 24, tile.rotation_deg)
    clean = DrawnCard(token, tile.x_mm + dx, tile.y_mm + dy, 10.0, COUNTER_Z_MM)
    table.pieces[token] = replace(clean, says="SMUDGE")
    table.rest(4.0)
    assert token not in table.held
    table.pieces[token] = clean
    table.settled(6.0, {token})
    assert token in table.held
    table.lift(token)
    table.rest(GONE_S)
    assert token not in table.held
    assert table.false_gone == set()
    assert table.held == set(table.pieces)


OVER_MM = [pytest.param(over_mm, id=f"{over_mm:g} mm") for over_mm in (0.0, 2.0, 4.0)]


def at_the_edge(tile: DrawnCard, other: DrawnCard, token: Token, over_mm: float, turned_deg: float) -> DrawnCard:
    """A counter whose code sticks out so far over the middle between a tile and the other beside it, away from the
    stickers of both."""
    between_x, between_y = ((a + b) / 2 for a, b in zip(middle_of(tile), middle_of(other), strict=True))
    x = between_x + over_mm - COUNTER.code_mm / 2

    def apart(along_mm: float) -> float:
        return min(math.dist((x, between_y + along_mm), (lies.x_mm, lies.y_mm)) for lies in (tile, other))

    return DrawnCard(token, x, between_y + max((-13.0, -7.0, 0.0, 7.0, 13.0), key=apart), turned_deg, COUNTER_Z_MM)


def middle_of(tile: DrawnCard) -> tuple[float, float]:
    """Where a tile's middle lies."""
    dx, dy = turned(*TILE.sticker_at_mm, tile.rotation_deg)
    return tile.x_mm - dx, tile.y_mm - dy


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize("over_mm", rest_long(OVER_MM))
def test_a_counter_that_stuck_out_is_seen_to_go_though_a_tile_has_come_beside_its_own(over_mm: float) -> None:
    """Before it came the bare table was seen there; now another tile lies there, and will never look like that."""
    figures = {Token(f"M{number}"): FIGURE for number in range(1, 9)}
    table = TileTable(SMALL, 5, tiles=16, shapes={**SHAPES, **figures})
    later = {token: table.pieces.pop(token) for token in TILES[1:16:2]}
    table.settled(1.5, set(table.pieces))
    table.rest(1.0)
    laid = {
        token: at_the_edge(table.pieces[tile], other, token, over_mm, float(table.dice.uniform(0, 360)))
        for token, tile, other in zip(COUNTERS, TILES[:16:2], later.values(), strict=False)
    }
    table.pieces.update(laid)
    read = set(laid) & table.settled(3.0, set(laid))
    assert len(read) >= 6
    table.rest(1.0)
    table.pieces.update(later)
    table.settled(3.0, set(later))
    table.rest(3.0)
    assert read | set(later) <= table.held
    for figure, token in zip(figures, laid, strict=True):
        table.pieces[figure] = replace(laid[token], token=figure, z_mm=10.0, says="X")
    table.rest(2.0)
    assert read <= table.held  # what stands on them hides them
    for figure, token in zip(figures, laid, strict=True):
        del table.pieces[figure]
        table.lift(token)
    table.rest(GONE_S)
    assert read & table.held == set()
    assert table.false_gone == set()
    assert table.held == set(table.pieces)


def counter_on(table: TileTable, token: Token, tile: Token, aside: Point, turned_deg: float) -> DrawnCard:
    """A counter on a tile, so far to the right of its middle and below it, as the tile lies."""
    lies = table.pieces[tile]
    dx, dy = turned(*aside, lies.rotation_deg)
    return DrawnCard(token, lies.x_mm + dx, lies.y_mm + dy, turned_deg, COUNTER_Z_MM)


def upon(table: TileTable, tiles: Sequence[Token]) -> dict[Token, DrawnCard]:
    """A counter for each of these tiles, in the corner across from its sticker."""
    return {
        token: counter_on(table, token, tile, (22, 22), float(table.dice.uniform(0, 360)))
        for token, tile in zip(COUNTERS, tiles, strict=False)
    }


def batches(poses: int) -> Iterator[list[tuple[Token, Token]]]:
    """So many counters, eight at a time, each with a tile of its own."""
    for batch in range(poses // 8):
        yield list(zip(COUNTERS[8 * (batch % 2) :][:8], TILES[:16:2], strict=True))


def close_beside(dice: np.random.Generator) -> tuple[Point, float]:
    """Where a counter lies that nearly touches its tile's own sticker, and how it is turned."""
    gap_mm, along_mm, turned_deg = dice.uniform((17.2, -4, 0), (20, 6, 360)).tolist()
    return ((gap_mm, along_mm) if dice.integers(2) else (along_mm, gap_mm)), turned_deg


def clear_of_the_sticker(dice: np.random.Generator) -> Point:
    """Where a counter lies on its tile, though not on the tile's own sticker."""
    aside = (0.0, 0.0)
    while math.hypot(*aside) < 18.5:
        aside = float(dice.uniform(-1, 25)), float(dice.uniform(-1, 25))
    return aside


def unread_after(table: TileTable, counters: Iterable[Token], lasts_s: float, rests_s: float) -> int:
    """How many of these are not read by then; they are taken away after it."""
    table.settled(lasts_s, set(counters))
    unread = len(set(counters) - table.held)
    for token in counters:
        del table.pieces[token]
    table.rest(rests_s)
    return unread


@pytest.mark.slow
@pytest.mark.parametrize("after_s", rest_long([0.0, 0.25]))
@pytest.mark.parametrize("plain", rest_long([True, False]), ids=["plain", "busy"])
def test_a_counter_that_comes_with_its_tile_is_seen_to_go(after_s: float, plain: bool) -> None:
    """Nobody has seen its place without it: what lay there before was the bare table."""
    figures = {Token(f"M{number}"): FIGURE for number in range(1, 9)}
    tile = replace(TILE, face=(GreyArea(0.55, TILE.outline_mm),)) if plain else TILE
    table = TileTable(SMALL, 5, tiles=16, shapes={**SHAPES, **dict.fromkeys(TILES, tile), **figures})
    later = {token: table.pieces.pop(token) for token in TILES[1:16:2]}
    table.settled(1.5, set(table.pieces))
    table.rest(1.0)
    table.pieces.update(later)
    laid = upon(table, list(later))
    if after_s:
        table.rest(after_s)
    table.pieces.update(laid)
    assert set(laid) <= table.settled(3.0, set(laid))
    table.rest(1.5)
    for figure, token in zip(figures, laid, strict=True):
        table.pieces[figure] = replace(laid[token], token=figure, z_mm=10.0, says="X")
    table.rest(2.0)
    assert table.false_gone == set()  # what stands on them hides them
    for figure, token in zip(figures, laid, strict=True):
        del table.pieces[figure], table.pieces[token]
    table.rest(GONE_S)
    assert set(laid) & table.held == set()
    assert table.held == set(table.pieces)


@pytest.mark.long
def test_counters_on_a_map_that_was_shoved_are_seen_to_go() -> None:
    """Where they lie now lay other tiles before, or none."""
    table = TileTable(SMALL, 5, tiles=16)
    table.settled(1.5, set(table.pieces))
    table.rest(1.0)
    laid = upon(table, TILES[:16:2])
    table.pieces.update(laid)
    assert set(laid) <= table.settled(3.0, set(laid))
    table.rest(1.0)
    hand = HandPose(SMALL.size_mm[0] / 2, SMALL.size_mm[1] / 2, 90.0, person=2)
    shoved = {token: replace(one, x_mm=one.x_mm + 30, y_mm=one.y_mm + 20) for token, one in table.pieces.items()}
    table.move(hand, shoved, 1.0)
    assert table.settled(3.0, set(table.pieces)) == set(table.pieces)
    table.rest(1.0)
    for token in laid:
        table.lift(token)
    table.rest(GONE_S)
    assert set(laid) & table.held == set()
    assert table.held == set(table.pieces)


BESIDE = [
    pytest.param(16, id="sample", marks=pytest.mark.slow),
    pytest.param(72, id="all", marks=pytest.mark.long),
]


@pytest.mark.long
@pytest.mark.parametrize("poses", BESIDE)
def test_a_counter_close_beside_its_tiles_own_sticker_is_read(poses: int) -> None:
    """The codes of both stand in one piece of the picture: what is read there explains nothing of the other."""
    table = TileTable(CALM, 3, tiles=16)
    table.settled(1.0, set(table.pieces))
    table.rest(1.0)
    dice, unread = np.random.default_rng(13), 0
    for laid in batches(poses):
        for token, tile in laid:
            table.pieces[token] = counter_on(table, token, tile, *close_beside(dice))
        unread += unread_after(table, [token for token, _ in laid], 3.0, 2.0)
    print(f"{unread} of {poses} unread after 3 s")
    assert unread <= poses // 72


SMALL = Mount(CameraModel(distance_mm=640.0, tilt_deg=5.0), (720.0, 410.0), 8.0)
"""As the simulated table is drawn: 8 pictures a second, a counter's modules 1.67 pixels wide."""

DRAWN = Mount(CameraModel(size_px=(3136, 1764), distance_mm=847.0, tilt_deg=5.0), (900.0, 530.0), 8.0)
"""As the table of Carcassonne is drawn: a counter's modules are 1.7 pixels wide."""

UNDER_AN_ARM = [
    pytest.param(48, id="sample", marks=pytest.mark.long),
    pytest.param(144, id="all", marks=pytest.mark.long),
]


@pytest.mark.parametrize("poses", UNDER_AN_ARM)
def test_counters_are_read_though_an_arm_has_stirred_all_around_them(poses: int) -> None:
    """All that the arm passed hangs together in one piece: how often one place was tried says nothing of another."""
    table = TileTable(SMALL, 3, tiles=16)
    table.settled(1.5, set(table.pieces))
    table.rest(1.0)
    dice, unread = np.random.default_rng(13), 0
    width, height = SMALL.size_mm
    hand = HandPose(width / 2, height / 2, 90.0, person=2)
    for laid in batches(poses):
        for place in table.reach(hand, 0.6, inwards=True):
            table.show(place)
        for token, tile in laid:
            table.pieces[token] = counter_on(table, token, tile, *close_beside(dice))
        for place in table.reach(hand, 0.6, inwards=False):
            table.show(place)
        unread += unread_after(table, [token for token, _ in laid], 3.0, 2.0)
    print(f"{unread} of {poses} unread after 3 s")
    assert unread == 0
    assert table.false_gone == set()


STRAIGHT = [
    pytest.param(0.75, 32, id="sample", marks=pytest.mark.slow),
    *(pytest.param(grey, 96, id=f"grey {grey}", marks=pytest.mark.long) for grey in (0.35, 0.55, 0.75)),
]


@pytest.mark.long
@pytest.mark.parametrize(("grey", "poses"), STRAIGHT)
def test_counters_laid_straight_on_plain_tiles_are_read_within_one_and_a_half_seconds(grey: float, poses: int) -> None:
    """Where all lies straight, stickers show most; what is sought must be no more than a search of the picture sees."""
    plain = dict.fromkeys(TILES, replace(TILE, face=(GreyArea(grey, TILE.outline_mm),)))
    table = TileTable(DRAWN, 7, tiles=16, shapes={**SHAPES, **plain})
    table.settled(1.5, set(table.pieces))
    table.rest(1.0)
    unread = 0
    for laid in batches(poses):
        for token, tile in laid:
            aside = clear_of_the_sticker(table.dice)
            turned_deg = 90.0 * int(table.dice.integers(4)) + float(table.dice.normal(0, 2))
            table.pieces[token] = counter_on(table, token, tile, aside, turned_deg)
        unread += unread_after(table, [token for token, _ in laid], 1.5, 1.5)
    print(f"{unread} of {poses} unread after 1.5 s")
    assert unread == 0


AGAIN = [
    pytest.param(16, 1, id="sample", marks=pytest.mark.long),
    pytest.param(48, 1, id="one", marks=pytest.mark.long),
    pytest.param(48, 3, id="other", marks=pytest.mark.long),
]


@pytest.mark.parametrize(("poses", "seed"), AGAIN)
def test_counters_that_were_read_late_are_seen_to_go_wherever_they_lay_on_their_tiles(poses: int, seed: int) -> None:
    """Some tiles of the small picture showed but a corner of the counter: their usual look took it in unnoticed."""
    table = TileTable(SMALL, seed, tiles=16)
    table.settled(1.5, set(table.pieces))
    table.rest(1.0)
    dice, stayed, lifted = np.random.default_rng(seed), 0, 0
    width, height = SMALL.size_mm
    hand = HandPose(width / 2, height / 2, 90.0, person=2)
    for pairs in batches(poses):
        laid = {
            token: counter_on(table, token, tile, clear_of_the_sticker(dice), float(dice.uniform(0, 360)))
            for token, tile in pairs
        }
        for place in table.reach(hand, 0.6, inwards=True):
            table.show(place)
        table.pieces.update({token: replace(piece, says="SMUDGE") for token, piece in laid.items()})
        for place in table.reach(hand, 0.6, inwards=False):
            table.show(place)
        table.rest(5.0)
        table.pieces.update(laid)
        read = set(laid) & table.settled(6.0, set(laid))
        table.rest(1.0)
        for place in table.reach(hand, 0.6, inwards=True):
            table.show(place)
        for token in laid:
            del table.pieces[token]
        for place in table.reach(hand, 0.6, inwards=False):
            table.show(place)
        table.rest(1.5)
        lifted += len(read)
        stayed += len(read & table.held)
        for token in read & table.held:  # the next ones come to the same tiles
            table.observer.tracker.remove(token)
    print(f"{stayed} of {lifted} counters that were read late were not seen to go")
    assert lifted >= poses * 0.9
    assert stayed <= lifted / 24
    assert table.false_gone == set()


# Playing cards are learned as ever


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_where_a_playing_card_is_around_its_sticker_is_learned_from_the_cards(seed: int) -> None:
    camera, sticker_mm, rate_hz = CAMERA_MODES["2304x1296"]
    printed = CardPrint(sticker_mm=sticker_mm)
    scene, lying = Scene(LAYOUT, camera, printed=printed, seed=seed), spread(seed, 44)
    observer = Observer(LAYOUT, StickerCodes.of(DECK))
    for number in range(30):
        observer.observe(make_frame(scene.render(lying), number / rate_hz))
        if observer.outlines.card:
            break
    assert observer.outlines.card is not None
    x, y = printed.sticker_at_mm
    truth = np.array([(-x, -y), (63 - x, -y), (63 - x, 88 - y), (-x, 88 - y)])
    assert np.abs(observer.outlines.card.around_mm() - truth).max() <= 4


# What it costs


@pytest.mark.parametrize(
    ("mount", "camera", "sticker_mm"),
    [
        pytest.param(FAST, *CAMERA_MODES["2304x1296"][:2], id="fast", marks=pytest.mark.long),
        pytest.param(FULL, *CAMERA_MODES["4608x2592"][:2], id="full", marks=pytest.mark.long),
    ],
)
def test_an_idle_look_at_84_tiles_costs_at_most_twice_one_at_54_cards(
    mount: Mount, camera: CameraModel, sticker_mm: float
) -> None:
    tiles = TileTable(mount, 1)
    cards = Scene(LAYOUT, camera, printed=CardPrint(sticker_mm=sticker_mm), seed=1)
    lying = spread(1, 54)
    drawn = still_pictures(tiles.scene, list(tiles.pieces.values()))
    usual = still_pictures(cards, lying)
    dear = times_as_dear(
        IdleTable(tiles.observer, drawn, FULL.rate_hz),
        IdleTable(Observer(LAYOUT, StickerCodes.of(DECK)), usual, FULL.rate_hz),
    )
    print(f"84 tiles cost {dear:.2f} times 54 cards")
    assert dear <= 2
