"""Drawn tables: what is drawn is where the truth says it is, and can be read as on a real table."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
import zxingcpp
from hypothesis import given, settings, strategies as st

from companion.errors import InputError
from companion.public import codes
from companion.public.layout import Layout
from companion.public.shapes import GreyArea, Shape
from companion.public.table import Token
from vision.codes.decoder import attempts_for, read_codes
from vision.synthetic.camera_model import CameraModel, CameraView
from vision.synthetic.compositing import DrawnCard, placed
from vision.synthetic.hands import HandPose
from vision.synthetic.lighting import Glare, RoomLight
from vision.synthetic.scene import Scene, VisibleCard

TABLE = Layout((1100.0, 650.0), ())
SMALL = CameraModel(size_px=(768, 432))
STILL = RoomLight(drift=0.0, flicker=0.0)


def tree(rotation_deg: float = 0.0) -> list[DrawnCard]:
    """All 54 cards in rows by era."""
    dice = np.random.default_rng(1)
    return [
        DrawnCard(Token(f"C{era}{n}"), 60 + 100 * n, 690 - 100 * era, rotation_deg + float(dice.normal(0, 3)))
        for era in range(1, 7)
        for n in range(1, 10)
    ]


def read(picture: np.ndarray, enlarged: int = 1) -> dict[Token, np.ndarray]:
    """Every sticker that zxing-cpp reads, with its corners."""
    large = cv2.resize(picture, None, fx=enlarged, fy=enlarged, interpolation=cv2.INTER_LINEAR)
    found = {}
    for code in zxingcpp.read_barcodes(large, formats=zxingcpp.BarcodeFormat.QRCode):
        token, at = codes.sticker_token(code.text), code.position
        assert token is not None, code.text
        corners = [(p.x, p.y) for p in (at.top_left, at.top_right, at.bottom_right, at.bottom_left)]
        found[token] = (np.array(corners) + 0.5) / enlarged - 0.5
    return found


def in_sight(truth: tuple[VisibleCard, ...]) -> set[Token]:
    return {seen.token for seen in truth if seen.visible == 1.0}


@pytest.fixture(scope="module")
def table() -> Scene:
    return Scene(TABLE, seed=7)


# Geometry


@pytest.mark.parametrize("turn_deg", [0, 90, 137, 180, 270])
def test_every_sticker_of_a_full_table_is_read_where_the_truth_says(table: Scene, turn_deg: float) -> None:
    pieces = tree(turn_deg)
    found = read(table.render(pieces), enlarged=2)
    truth = {seen.token: seen for seen in table.truth(pieces)}
    expected = in_sight(tuple(truth.values()))
    assert len(expected) >= 40  # turned cards lie on one another's corners
    assert len(expected - set(found)) <= 4  # zxing-cpp alone, at one look: now and then some are missed
    off = [found[token] - truth[token].corners_px for token in found]
    assert np.abs(np.mean(off, axis=(0, 1))).max() < 0.5
    assert np.abs(off).max() < 2.5  # zxing-cpp's corners are whole pixels of a rough guess


def test_the_tags_lie_where_the_contract_puts_them(table: Scene) -> None:
    """ "ids 0 (far left), 1 (far right), 2 (near right), 3 (near left) at the corners [...] ids 4 (far), 5 (right),
    6 (near), 7 (left) at the middles of the edges", 36 mm (contract, section 4)."""
    picture = table.render([])
    settings_ = cv2.aruco.DetectorParameters()
    settings_.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary, settings_).detectMarkers(picture)
    view = CameraView(CameraModel(), (550, 325))
    spots = [(0, 0), (1100, 0), (1100, 650), (0, 650), (550, 0), (1100, 325), (550, 650), (0, 325)]
    assert sorted(ids.ravel().tolist()) == list(range(8))
    for number, found in zip(ids.ravel(), corners, strict=True):
        on_table = view.to_mm(found[0].astype(float))
        assert np.abs(on_table.mean(axis=0) - spots[number]).max() < 0.4
        edges = np.linalg.norm(on_table - np.roll(on_table, 1, axis=0), axis=1)
        assert np.abs(edges - 36).max() < 0.8
        assert on_table[0][0] < on_table[1][0]
        assert on_table[0][1] < on_table[3][1]  # upright: its first corner is far left


XYZ = st.floats(-200, 1300), st.floats(-100, 750), st.floats(0, 60)


@given(*XYZ, st.floats(0, 40), st.floats(0, 360), st.floats(-0.1, 0))
def test_the_view_maps_both_ways(x: float, y: float, z: float, tilt: float, azimuth: float, k1: float) -> None:
    view = CameraView(CameraModel(tilt_deg=tilt, azimuth_deg=azimuth, k1=k1, distance_mm=1300), (550, 325))
    point = np.array([[x, y]])
    assert np.abs(view.to_mm(view.to_px(point, z), z) - point).max() < 0.05
    on_table = view.to_mm(view.to_px(point, z))
    assert np.abs(view.lift(on_table, z) - point).max() < 0.05


def test_what_lies_higher_is_drawn_further_out_and_larger(table: Scene) -> None:
    low, high = (table.truth([DrawnCard(Token("C11"), 1000, 600, z_mm=z)])[0].corners_px for z in (0.3, 30))
    assert np.linalg.norm(high.mean(axis=0) - (1152, 648)) > np.linalg.norm(low.mean(axis=0) - (1152, 648)) + 20
    assert np.linalg.norm(high[0] - high[1]) > np.linalg.norm(low[0] - low[1])


# What hides what


def test_a_card_laid_on_another_hides_it_and_the_upper_one_is_read(table: Scene) -> None:
    lower, upper = DrawnCard(Token("C11"), 500, 300), DrawnCard(Token("C12"), 503, 301, 5, z_mm=0.7)
    assert [seen.visible for seen in table.truth([lower, upper])] == [0.0, 1.0]
    assert set(read(table.render([lower, upper]), 2)) == {"C12"}
    assert set(read(table.render([upper, lower]), 2)) == {"C12"}
    aside = DrawnCard(Token("C12"), 500 - 17.5, 300, z_mm=0.7)  # half the sticker's side
    assert table.truth([lower, aside])[0].visible == pytest.approx(0.5, abs=0.1)
    assert table.truth([DrawnCard(Token("C11"), 3000, 300)])[0].visible == 0.0, "outside the picture"
    assert table.render([DrawnCard(Token("C11"), 3000, 300)], [HandPose(-900, -900, 180)]).shape == (1296, 2304)


def test_a_hand_hides_what_it_lies_on_and_no_more(table: Scene) -> None:
    pieces = tree()
    hand = HandPose(460, 330, 90, spread=1.0)
    truth = table.truth(pieces, [hand])
    hidden = {seen.token for seen in truth if seen.visible < 0.2}
    assert 2 <= len(hidden) <= 8
    found = set(read(table.render(pieces, [hand]), 2))
    assert not found & hidden
    assert len(in_sight(truth) - found) <= 1
    assert len(set(read(table.render(pieces), 2))) >= 51  # and the table is whole when it is gone


# Light, lens and movement


def test_glare_takes_the_code_below_it_and_leaves_the_others(table: Scene) -> None:
    pieces = tree()
    at = pieces[20]
    found = read(table.render(pieces, light=RoomLight(glare=(Glare(at.x_mm, at.y_mm, 20, 2.0),))), 2)
    assert at.token not in found
    assert len(found) >= 48
    table.render([], light=RoomLight())


def test_in_the_dark_the_noise_stays_and_the_picture_goes(table: Scene) -> None:
    day, night = table.render([], light=RoomLight()), table.render([], light=RoomLight(level=0.05))
    assert night.mean() < day.mean() / 10
    assert not read(table.render(tree(), light=RoomLight(level=0.01)), 2)
    table.render([], light=RoomLight())


def test_noise_on_white_paper_is_that_of_a_real_camera() -> None:
    """About 3.5 to 4.5 steps at paper white, less in the dark."""
    scene = Scene(TABLE, SMALL, seed=3)
    card = [DrawnCard(Token("C11"), 550, 325)]
    pictures = np.array([scene.render(card, light=STILL) for _ in range(30)], float)
    spread, level = pictures.std(axis=0), pictures.mean(axis=0)
    assert 2.0 < spread[level > 130].mean() < 4.5
    assert spread[level < 40].mean() < 2.5


def test_a_card_in_flight_is_smeared_and_cannot_be_read(table: Scene) -> None:
    still, moving = DrawnCard(Token("C11"), 500, 300), DrawnCard(Token("C11"), 500, 300, z_mm=0.3, blur_mm=(12.0, 5.0))
    assert set(read(table.render([still]), 2)) == {"C11"}
    assert not read(table.render([moving]), 2)


# The same again


def test_the_same_seed_draws_the_same_film_of_a_table_with_a_size() -> None:
    pieces = tree()[:5]
    films = [
        [s.render(pieces[:n]) for n in range(5)] for s in (Scene(TABLE, SMALL, seed=9), Scene(TABLE, SMALL, seed=9))
    ]
    assert np.array_equal(films[0], films[1])
    assert not np.array_equal(films[0][4], Scene(TABLE, SMALL, seed=10).render(pieces[:4]))
    with pytest.raises(InputError, match="size_mm"):
        Scene(Layout(None, ()))


positions = st.tuples(st.floats(0, 1100), st.floats(0, 650), st.floats(0, 360), st.sampled_from([0.3, 0.7, 20.0]))
tables = st.lists(
    st.tuples(st.sampled_from(["C11", "C12", "C13", "KEND"]), positions), max_size=4, unique_by=lambda p: p[0]
)
arms = st.lists(st.tuples(st.floats(-100, 1200), st.floats(-100, 750), st.floats(0, 360)), max_size=2)


@settings(max_examples=12, deadline=None)
@given(st.lists(st.tuples(tables, arms), min_size=2, max_size=5))
def test_drawing_only_what_changed_gives_the_picture_of_drawing_all(
    film: list[tuple[list[tuple[str, tuple[float, float, float, float]]], list[tuple[float, float, float]]]],
) -> None:
    stepwise, fresh = Scene(TABLE, SMALL, seed=2), Scene(TABLE, SMALL, seed=2)
    for names, hands in film:
        pieces = [DrawnCard(Token(name), x, y, turn, z) for name, (x, y, turn, z) in names]
        limbs = [HandPose(x, y, angle) for x, y, angle in hands]
        picture = stepwise.render(pieces, limbs)
    for _ in film[1:]:
        fresh.render([])
    assert np.abs(picture.astype(int) - fresh.render(pieces, limbs)).max() <= 1


# Things with a shape of their own

TILE = Shape.rectangle(45, 45, sticker_mm=18, sticker_at_mm=(-12, -12))
WHITE = Shape.disc(18, sticker_mm=15, face=(GreyArea(0.9, ((-9, -9), (9, -9), (9, 9), (-9, 9))),))
NEAR = CameraModel(size_px=(1920, 1080), distance_mm=450.0)
FIELD = Layout((500.0, 280.0), ())


@pytest.mark.parametrize("turn", range(4))
def test_a_tile_lies_around_its_sticker_as_its_shape_says_and_nowhere_else(turn: int) -> None:
    shape = Shape.rectangle(45, 45, sticker_mm=18, sticker_at_mm=(-12, -12), sticker_turn=turn)
    shape = Shape(shape.outline_mm, 18, (-12, -12), turn, face=(GreyArea(1.0, shape.outline_mm),))
    token = Token("T07")
    scene = Scene(FIELD, NEAR, seed=3, shapes={token: shape})
    bare = scene.render([], light=STILL).astype(int)
    laid = scene.render([DrawnCard(token, 250, 140, 30)], light=STILL).astype(int)
    view = CameraView(NEAR, (250, 140))
    tile_mm = np.array(shape.around_sticker([(x, y) for x in (-21, 0, 21) for y in (-21, 0, 21)]))
    beyond_mm = np.array(shape.around_sticker([(x, y) for x in (-29, 29) for y in (-29, 0, 29)]))
    turned = placed(DrawnCard(token, 250, 140, 30), np.concatenate([tile_mm, beyond_mm]))
    columns, rows = np.rint(view.to_px(turned, 0.3)).astype(int).T
    brighter = (laid - bare)[rows, columns]
    assert (brighter[1:9] > 40).all()  # the first lies on the sticker's rim or in its code
    assert (np.abs(brighter[9:]) < 40).all()


def test_a_sticker_says_the_letters_of_its_game_and_reads_where_the_truth_has_it() -> None:
    tiles = {Token(f"T{number:02}"): TILE for number in range(1, 9)}
    game = codes.StickerCodes.of([*tiles, Token("F11")], "CD") | codes.StickerCodes.of([Token("KEND")])
    scene = Scene(FIELD, NEAR, seed=3, shapes={**tiles, Token("F11"): WHITE}, codes=game)
    lying = [DrawnCard(token, 90 + 80 * (n % 4), 80 + 90 * (n // 4), 90.0 * n) for n, token in enumerate(tiles)]
    lying += [DrawnCard(Token("F11"), 130, 225, 33), DrawnCard(Token("KEND"), 450, 100)]
    picture = scene.render(lying, light=STILL)
    detections = {seen.token: seen for seen in read_codes(picture, attempts_for(2.0), accepted=game).detections}
    assert set(detections) == {piece.token for piece in lying}
    for seen in scene.truth(lying):
        assert np.abs(np.array(detections[seen.token].corners_px) - seen.corners_px).max() < 2.5
