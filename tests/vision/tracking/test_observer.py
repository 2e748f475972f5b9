"""What lies on the table, and what does not, looked at picture by picture."""

from __future__ import annotations

import math
import weakref

import pytest
from support.flat_table import ACCEPTED, LAYOUT, Arm, Camera, Laid, draw, zones
from support.long_cases import rest_long

from companion.public.table import Token, ViewLost
from vision.camera.frame import make_frame
from vision.codes.decoder import second_reader
from vision.codes.patches import likenesses
from vision.geometry.quads import Corners
from vision.geometry.tags import find_tags
from vision.tracking import camera_shift, recognition
from vision.tracking.observer import Observer
from vision.tracking.search import Search

POOL = (Laid("C14", 860, 120), Laid("C17", 960, 120, 4), Laid("C18", 1050, 118, -3))
CARD = Laid("C12", 400, 300, 10)


def test_cards_at_rest_are_there_in_the_second_look_where_and_how_their_stickers_lie():
    camera = Camera()
    things = (*POOL, CARD, Laid("C29", 600, 200, 117), Laid("C33", 80, 200))
    assert zones(camera.show(*things)) == {}, "one look is not enough"
    look = camera.show(*things)
    assert zones(look) == {"C14": "pool", "C17": "pool", "C18": "pool", "C12": "tree", "C29": "tree", "C33": None}
    look = camera.show(*things, times=2)
    poses = {p.token: (p.x_mm, p.y_mm, p.rotation_deg) for p in look.table.placements}
    assert poses[Token("C12")] == pytest.approx((400, 300, 10), abs=0.8)
    assert poses[Token("C29")] == pytest.approx((600, 200, 117), abs=0.8)
    assert [(look.number, look.taken_s) for look in camera.looks] == [(n + 1, n / 6) for n in range(4)]
    assert Camera().show(*POOL, tags=(0, 1, 2)).lost is ViewLost.TABLE, "without tags there is no table"


@pytest.mark.parametrize("lay_there", [True, False])
def test_a_card_that_is_taken_away_is_gone_once_its_place_was_seen_empty(lay_there: bool):
    """One that lay there from the first picture, and one that was laid later, with another one."""
    camera, other = Camera(), Laid("C13", 600, 400, -80)
    camera.show(*POOL, *([CARD, other] if lay_there else []), times=8)
    assert {"C12", "C13"} <= set(zones(camera.show(*POOL, CARD, other, times=4)))
    assert "C12" in zones(camera.show(*POOL, other))
    assert "C12" not in zones(camera.show(*POOL, other, times=5))


def test_nothing_of_a_picture_is_kept_after_its_look_for_a_camera_takes_its_memory_back():
    camera = Camera()
    for number in range(30):
        unreadable = [Laid("C18", 600, 200, 30, sticker_mm=13)] if number > 9 else []
        frame = camera.frame(*POOL, CARD, *unreadable)
        memory = [
            weakref.ref(picture if picture.base is None else picture.base) for picture in (frame.gray, frame.lores)
        ]
        camera.observer.observe(frame)
        del frame
        assert all(one() is None for one in memory), number


def test_a_hand_in_view_is_said_while_it_is_there_and_cards_are_none():
    camera = Camera()
    assert not camera.show(*POOL, times=8).hand_in_view
    assert camera.show(*POOL, Arm(400, 250), times=2).hand_in_view
    assert not camera.show(*POOL, times=3).hand_in_view
    assert not camera.show(*POOL, CARD, Laid("C13", 480, 300, 10), Laid("C15", 560, 300), times=12).hand_in_view


@pytest.mark.parametrize("away", rest_long([8, 5, 12, 20]))
def test_a_card_laid_elsewhere_and_put_back_at_once_is_seen_at_once(away: int):
    """Its old place looks as it usually does again, as if nothing had happened there."""
    camera = Camera(rate_hz=30.0)
    camera.show(*POOL, CARD, times=60)
    elsewhere = Laid("C12", 600, 200, 10)
    camera.show(*POOL, times=2)
    moved = camera.show(*POOL, elsewhere, times=away)
    assert zones(moved)["C12"] == "tree"
    camera.show(*POOL, times=2)
    back = camera.show(*POOL, CARD, times=4)
    place = next(p for p in back.table.placements if p.token == Token("C12"))
    assert (place.x_mm, place.y_mm) == pytest.approx((CARD.x_mm, CARD.y_mm), abs=1.0)


def test_a_card_laid_on_a_mat_that_came_before_it_and_taken_away_is_gone():
    """Its pose is known better after a while; how its place looked before it came is not forgotten by that."""
    camera = Camera(rate_hz=2.0)
    camera.show(*POOL, times=10)
    spots = [(120 + 120.7 * n, 150 + 130.4 * row) for row in range(4) for n in range(6)]
    mats = [Laid("", x, y, gray=120, text="A", sticker_mm=1.0) for x, y in spots]
    camera.show(*POOL, *mats, times=12)
    tokens = [f"C{era}{n}" for era in range(2, 6) for n in range(1, 7)]
    cards = [Laid(token, x - 18, y - 20) for token, (x, y) in zip(tokens, spots, strict=True)]
    assert set(tokens) <= set(zones(camera.show(*POOL, *mats, *cards, times=50)))
    assert set(zones(camera.show(*POOL, *mats, times=6))) == {"C14", "C17", "C18"}


FANS = [(27.0, 0.0), (27.0, 22.0), (27.0, 45.0), (30.0, 0.0), (33.0, 0.0), (27.0, 15.0), (27.0, 135.0), (30.0, 60.0)]


@pytest.mark.parametrize(("apart_mm", "turned_deg"), rest_long(FANS, 3))
def test_stickers_of_fanned_cards_are_read_although_they_nearly_touch(apart_mm: float, turned_deg: float):
    """At 27 mm each card hides a column of the next one's code; a fan that did not lie straight was not read at all."""
    camera = Camera(rate_hz=2.0)
    along_mm = apart_mm * math.cos(math.radians(turned_deg)), apart_mm * math.sin(math.radians(turned_deg))
    fan = [Laid(f"C2{n}", 340 + along_mm[0] * (n - 4), 300 + along_mm[1] * (n - 4), turned_deg) for n in range(1, 9)]
    camera.show(*POOL, fan[0], times=10)
    for lie in range(2, 9):  # each new one half under those that lie there
        look = camera.show(*POOL, *reversed(fan[:lie]), times=4)
        assert set(zones(look)) == {"C14", "C17", "C18"} | {card.token for card in fan[:lie]}


def test_a_card_carried_slowly_never_comes_to_rest():
    camera = Camera(rate_hz=14)
    camera.show(*POOL, times=6)
    for step in range(25):
        look = camera.show(*POOL, Laid("C12", 300 + 2.5 * step, 300), Arm(300 + 2.5 * step, 330))
        assert "C12" not in zones(look)
    assert zones(camera.show(*POOL, Laid("C12", 362, 300), times=4))["C12"] == "tree"


def test_the_edge_of_a_hands_shadow_on_a_card_does_not_keep_it_from_being_held():
    camera = Camera(rate_hz=30)
    camera.show(*POOL, times=12)
    for number in range(12, 15):
        picture = draw((*POOL, CARD), seed=number)
        picture[500:760, 760 : 820 + 6 * (number - 12)] //= 2  # in the third look it has not passed yet
        look = camera.observer.observe(make_frame(picture, number / 30))
    assert not look.settled
    assert zones(look)["C12"] == "tree"


def test_a_card_pushed_along_the_table_moves_once_and_is_never_gone():
    camera = Camera()
    camera.show(*POOL, CARD, times=8)
    for step in range(1, 12):
        look = camera.show(*POOL, Laid("C12", 400 + 2 * step, 300, 10))
        assert zones(look)["C12"] == "tree"
    look = camera.show(*POOL, Laid("C12", 422, 300, 10), times=5)
    (placed,) = (p for p in look.table.placements if p.token == "C12")
    assert placed.x_mm == pytest.approx(422, abs=1)


def test_a_command_card_shown_for_one_second_at_six_pictures_a_second_is_seen_and_gone_again():
    camera = Camera()
    camera.show(*POOL, times=8)
    shown = Laid("KEND", 80, 520)
    looks = [camera.show(*POOL, shown) for _ in range(6)]
    assert zones(looks[-1])["KEND"] == "commands"
    assert "KEND" not in zones(camera.show(*POOL, times=5))


def test_a_card_covered_by_another_lies_under_it_and_is_back_when_that_is_lifted():
    camera = Camera()
    camera.show(*POOL, CARD, times=10)
    upon = Laid("C25", 408, 306, 13)
    look = camera.show(*POOL, CARD, upon, times=10)
    under = {p.token: p.under for p in look.table.placements}
    assert under[Token("C12")] == "C25"
    assert under[Token("C25")] is None
    look = camera.show(*POOL, CARD, times=6)
    assert {p.token: p.under for p in look.table.placements}[Token("C12")] is None
    assert "C25" not in zones(look)


def test_a_pile_is_a_stack_of_known_order():
    camera = Camera()
    pile = [Laid(token, 400 + 2 * n, 300 - 3 * n, 4 * n) for n, token in enumerate(("C11", "C12", "C13", "C16"))]
    camera.show(*POOL, times=8)
    for height in range(1, 5):
        look = camera.show(*POOL, *pile[:height], times=6)
    under = {str(p.token): p.under for p in look.table.placements if p.zone == "tree"}
    assert under == {"C11": "C12", "C12": "C13", "C13": "C16", "C16": None}


def test_something_that_is_no_card_on_a_card_does_not_take_it_away():
    camera = Camera()
    camera.show(*POOL, CARD, times=10)
    cup = Laid("", 400, 300, 0, gray=190, text="A")
    for _ in range(30):
        assert zones(camera.show(*POOL, CARD, cup))["C12"] == "tree"


def test_the_same_sticker_in_two_places_is_said_and_changes_nothing():
    camera = Camera()
    camera.show(*POOL, CARD, times=8)
    look = camera.show(*POOL, CARD, Laid("C12", 700, 400), times=6)
    assert look.duplicates == {"C12"}
    (placed,) = (p for p in look.table.placements if p.token == "C12")
    assert placed.x_mm == pytest.approx(400, abs=1)
    assert not camera.show(*POOL, CARD, times=6).duplicates


def test_foreign_codes_and_wrong_check_characters_are_counted_and_nothing_else():
    camera = Camera()
    foreign = Laid("", 300, 200, text="HELLO"), Laid("", 500, 200, text="DXC18Z"), Laid("C99", 700, 200)
    look = camera.show(*POOL, *foreign, times=4)
    assert set(zones(look)) == {"C14", "C17", "C18"}
    assert look.unknown_codes == 3
    assert camera.show(*POOL, *foreign[1:], times=3).unknown_codes == 2, "it has left the table"


@pytest.mark.parametrize("light", [0.96, 1.04])
def test_a_drift_of_the_light_says_nothing(light: float):
    camera = Camera()
    before = zones(camera.show(*POOL, CARD, times=6))
    for step in range(30):
        look = camera.show(*POOL, CARD, light=1 + (light - 1) * step / 30)
        assert zones(look) == before
        assert not look.hand_in_view


@pytest.mark.parametrize("light", [1.4, 0.7])
def test_a_card_taken_away_in_the_moment_a_lamp_is_switched_is_gone(light: float):
    camera = Camera()
    camera.show(*POOL, times=8)
    camera.show(*POOL, CARD, times=6)
    look = camera.show(*POOL, light=light, times=10)
    assert set(zones(look)) == {"C14", "C17", "C18"}


def test_a_knocked_camera_is_lost_within_a_second_and_finds_itself_again():
    camera = Camera()
    before = zones(camera.show(*POOL, CARD, times=12))
    knocked = [camera.show(*POOL, CARD, shift_px=(28, -12)) for _ in range(24)]
    assert any(look.lost is ViewLost.TABLE for look in knocked[:7])
    assert knocked[-1].lost is None
    for look in knocked:
        assert zones(look) == before
    (placed,) = (p for p in knocked[-1].table.placements if p.token == "C12")
    assert (placed.x_mm, placed.y_mm) == pytest.approx((400, 300), abs=1)


def test_a_camera_that_is_turned_away_until_no_tag_is_left_has_lost_the_table():
    """It went on saying that all was well, with the cards where they had been."""
    camera = Camera()
    camera.show(*POOL, CARD, times=12)
    turned = [camera.show(tags=(), shift_px=(0, -120)) for _ in range(30)]
    assert turned[-1].lost is ViewLost.TABLE
    assert set(zones(turned[-1])) == {"C12", "C14", "C17", "C18"}


def test_a_hand_on_a_tag_is_no_knock():
    camera = Camera()
    camera.show(*POOL, times=8)
    assert all(camera.show(*POOL, Arm(550, 500, wide_mm=220)).lost is None for _ in range(12))


@pytest.mark.parametrize("gray", [64, 66, 74, 76])
def test_a_sleeve_of_the_table_s_own_tone_is_a_hand(gray: int):
    """It was taken for the bare table after half a second, and what it covered for gone."""
    camera = Camera(rate_hz=14)
    camera.show(*POOL, CARD, times=30)
    looks = [camera.show(*POOL, CARD, Arm(400, 290, wide_mm=120, gray=gray)) for _ in range(26)]
    assert all(look.hand_in_view for look in looks)
    assert all("C12" in zones(look) for look in looks)


@pytest.mark.parametrize(("shown", "least", "most"), rest_long([(range(8), 0, 0), (range(4), 1, 8)]))
def test_a_card_on_a_tag_is_no_knock_and_a_knock_is_still_noticed_within_a_second(
    monkeypatch: pytest.MonkeyPatch, shown: range, least: int, most: int
):
    """While most tags lie where they lay none is sought; fewer are sought ever more seldom, for that costs much."""
    sought: list[object] = []
    monkeypatch.setattr(camera_shift, "find_tags", lambda gray, few: sought.append(gray) or find_tags(gray, few))
    camera, on_a_tag = Camera(), Laid("C12", 550, 0)
    camera.show(*POOL, times=12)
    assert all(camera.show(*POOL, on_a_tag, tags=shown).lost is None for _ in range(180))
    assert least <= len(sought) <= most
    knocked = [camera.show(*POOL, on_a_tag, tags=shown, shift_px=(28, -12)) for _ in range(7)]
    assert any(look.lost is ViewLost.TABLE for look in knocked)


@pytest.mark.parametrize("rate_hz", [2.0, 6.0, 30.0])
def test_every_known_sticker_is_looked_at_every_two_seconds_though_nothing_stirs(
    monkeypatch: pytest.MonkeyPatch, rate_hz: float
):
    camera = Camera(rate_hz=rate_hz)
    camera.show(*POOL, CARD, times=8)
    looked_at: list[Corners] = []

    def watched(gray, stickers):
        looked_at.extend(place for place, _ in stickers)
        return likenesses(gray, stickers)

    monkeypatch.setattr(recognition, "likenesses", watched)
    camera.show(*POOL, CARD, times=round(2 * rate_hz))
    for track in camera.observer.tracker.tracks.values():
        assert any(math.dist(track.corners_px[0], place[0]) < 3 for place in looked_at), track.token


def test_a_sticker_that_touches_a_known_one_is_read():
    camera = Camera(rate_hz=14)
    camera.show(*POOL, CARD, times=12)
    beside = Laid("C29", CARD.x_mm + 30, CARD.y_mm + 5, CARD.rotation_deg + 180)
    assert "C29" in zones(camera.show(*POOL, CARD, beside, times=4))


@pytest.mark.parametrize(("x_mm", "within_s"), [(600, 2.5), (380, 8.5)])
def test_what_no_look_has_read_the_heartbeat_finds_on_the_table_and_later_on_another_card(
    monkeypatch: pytest.MonkeyPatch, x_mm: float, within_s: float
):
    camera = Camera(rate_hz=6)
    others = [Laid(f"C2{n}", 250 + 150 * (n % 3), 110 + 120 * (n // 3)) for n in range(1, 7)]
    camera.show(*POOL, CARD, *others, times=16)
    monkeypatch.setattr(Search, "_changed", lambda *_: [])
    late = Laid("C13", x_mm, 240, 180) if x_mm < 500 else Laid("C13", x_mm, 500)
    looks = [camera.show(*POOL, CARD, *others, late) for _ in range(round(within_s * 6))]
    assert "C13" in zones(looks[-1])


def test_a_dark_room_is_said_and_forgets_nothing():
    camera = Camera()
    before = zones(camera.show(*POOL, times=6))
    look = camera.show(*POOL, light=0.02, times=2)
    assert look.lost is ViewLost.DARK
    assert zones(look) == before


def test_an_eye_that_takes_over_remembers_what_it_cannot_see():
    camera = Camera()
    look = camera.show(*POOL, CARD, times=8)
    second = Camera(observer=Observer(LAYOUT, ACCEPTED, look.table))
    for _ in range(12):
        assert zones(second.show(*POOL, CARD, Arm(400, 250))) == zones(look)
    assert zones(second.show(*POOL, times=8)) == {"C14": "pool", "C17": "pool", "C18": "pool"}


def test_the_second_reader_is_loaded_before_the_first_look():
    """Loading it in the middle of a look would cost as much as forty looks."""
    second_reader.cache_clear()
    Camera()
    assert second_reader.cache_info().currsize == 1
