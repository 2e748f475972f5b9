"""Films in which not all can be seen: nobody is accused, and no wrong score goes without a word.

A smudge on the lens, a sticker half under another thing, ten seconds of dark or of dim, a head over the table; and an
hour of things that have no sticker at all, of which none is taken for one.
"""

from __future__ import annotations

import numpy as np
import pytest
from support.card_film import FINGERS_MM, CardFilm, Head, dimmed, token_of
from support.clutter import clutter
from support.long_cases import rest_long
from support.tile_table import clear

from companion.public.table import Token
from vision.synthetic.compositing import DrawnCard
from vision.synthetic.hands import HandPose

pytestmark = pytest.mark.slow
FILMS = 10
TREE_MM = (240.0, 90.0), (740.0, 360.0)
"""Where in the tree things are laid, from and to."""


def films(everyday: int) -> list[object]:
    """Seeds; one film of each kind is seen every day, and the others in long runs."""
    return rest_long([everyday, *(seed for seed in range(FILMS) if seed != everyday)])


def film(seed: int) -> CardFilm:
    shown = CardFilm(seed)
    shown.rest(1.0)
    return shown


def somewhere(shown: CardFilm) -> tuple[float, float]:
    """A place in the tree where nothing lies."""
    while True:
        x, y = (float(at) for at in shown.dice.uniform(*TREE_MM))
        if all(np.hypot(x - one.x_mm, y - one.y_mm) > 110 for one in shown.pieces.values()):
            return x, y


def is_said(shown: CardFilm) -> bool:
    """Whether people are told that something could not be seen."""
    newest = shown.updates[-1]
    return bool(newest.unread or newest.questions)


def rests_until_told(shown: CardFilm) -> None:
    """Nothing happens until 1-3 is read, or marked as something that cannot be read; some seconds at most."""
    for _ in range(int(4 * shown.mount.rate_hz)):
        if token_of("1-3") in shown.held or shown.looks[-1].unread:
            return
        shown.show()
    raise AssertionError("1-3 was neither read nor marked")


def check(shown: CardFilm, points: tuple[int, ...]) -> None:
    """No accusation, and no wrong score without a word; ``points`` are those of the truth."""
    assert [update.texts[0].key for update in shown.accusations] == []
    assert shown.points == points or is_said(shown)


@pytest.mark.parametrize("seed", films(0))
def test_a_card_under_a_smudge_is_marked_and_its_seat_is_not_accused(seed: int) -> None:
    """A finger print on the lens blurs a hand's breadth of the field. Cy lays 1-3 there and says that he is done."""
    shown = film(seed)
    x, y = somewhere(shown)
    shown.lens = shown.smudge(x, y, 4.0 if seed % 2 else 2.0)
    shown.lays("1-3", x, y, float(shown.dice.uniform(0, 360)), rests_s=3.6)
    rests_until_told(shown)
    shown.says("KEND")
    check(shown, (0, 0, 1))


@pytest.mark.parametrize("seed", films(0))
def test_a_sticker_half_under_another_thing_is_marked(seed: int) -> None:
    """Cy pushes 1-3 half under a card that lies there face down, or under a phone, from any side."""
    shown = film(seed)
    x, y = somewhere(shown)
    cover = DrawnCard(Token("PHONE" if seed % 3 == 0 else f"BACK{seed % 4}"), x, y, 0.0, z_mm=6.0)
    shown.puts(cover, beside_mm=FINGERS_MM)
    half = clutter()[cover.token].size_mm[0] / 2
    shown.lays("1-3", x + half + float(shown.dice.uniform(-1.5, 1.5)), y, float(shown.dice.uniform(0, 360)), 3.6)
    rests_until_told(shown)
    shown.says("KEND")
    check(shown, (0, 0, 1))


@pytest.mark.parametrize("seed", rest_long([4, 0, 1, 2, 5]))
def test_a_card_that_lay_under_a_smudge_from_the_beginning_is_marked_within_a_minute(seed: int) -> None:
    """The companion was switched off and on again; nobody touches anything."""
    before = film(seed)
    x, y = somewhere(before)
    shown = CardFilm(seed)
    shown.lens = before.smudge(x, y, 4.0 if seed % 4 > 1 else 2.0)
    shown.pieces[token_of("1-3")] = DrawnCard(token_of("1-3"), x, y, 33.0 * seed)
    while not shown.looks or not shown.looks[-1].unread:
        shown.show()
        assert len(shown.looks) <= 60 * shown.mount.rate_hz
    (place,) = shown.looks[-1].unread
    assert np.hypot(place.x_mm - x, place.y_mm - y) < 10


def test_a_mark_stays_when_a_hand_has_passed_over_it() -> None:
    """Whoever ends his turn just then is not accused either."""
    shown = film(1)
    x, y = somewhere(shown)
    shown.lens = shown.smudge(x, y, 4.0)
    shown.lays("1-3", x, y, 20.0, rests_s=3.6)
    rests_until_told(shown)
    before = len(shown.looks)
    shown.move(HandPose(x, y + 30, 90.0), {})
    shown.rest(3.0)
    assert all(look.unread for look in shown.looks[before - 1 :])


@pytest.mark.parametrize(
    ("seed", "left"),
    rest_long([(2, 0.0), *((seed, left) for left in (0.0, 0.1) for seed in range(FILMS) if (seed, left) != (2, 0.0))]),
)
def test_what_is_played_in_the_dark_is_asked_about(seed: int, left: float) -> None:
    """For ten seconds the lamp is off, or has a tenth of its light, and they play on: Cy is done, Ana lays 1-2."""
    shown = film(seed)
    shown.lays("1-3", *somewhere(shown), 10.0)
    shown.lens = dimmed(left, seed)
    shown.says("KEND")
    shown.lays("1-2", *somewhere(shown), 20.0)
    shown.waits(4.0)
    shown.lens = clear
    shown.rest(3.5)
    assert any(look.lost is not None for look in shown.looks)
    assert "referee.missed" in shown.said
    check(shown, (1, 0, 1))


@pytest.mark.parametrize("seed", films(3))
def test_what_happens_under_a_head_is_asked_about(seed: int) -> None:
    """Somebody bends over the table for some seconds; meanwhile Cy is done and Ana lays 1-2."""
    shown = film(seed)
    shown.lays("1-3", *somewhere(shown), 10.0)
    laid = DrawnCard(token_of("1-2"), *somewhere(shown), 20.0, z_mm=9.0)
    shown.lens = head = Head(shown.mount.camera.size_px, seed)
    for number in range(int(4.5 * shown.mount.rate_hz)):
        if number == int(2.5 * shown.mount.rate_hz):
            shown.pieces[laid.token] = laid
        head.away = max(0.0, 0.75 - 0.25 * number)
        shown.show()
    for away in (0.3, 0.7):
        head.away = away
        shown.show()
    shown.lens = clear
    shown.rest(3.5)
    assert any(look.lost is not None for look in shown.looks)
    check(shown, (1, 0, 1))


def clutter_for(seconds: float, seed: int) -> CardFilm:
    """So long hands bring cups, dice, cards face down, sleeves and phones, five at a time, and take them away again.

    Between two acts, a minute apart, a picture comes every 15 seconds.
    """
    shown = film(seed)
    things = list(clutter())
    for act in range(int(seconds / 60)):
        five = [things[(5 * act + number) % len(things)] for number in range(5)]
        for token in set(five) & set(shown.pieces):
            del shown.pieces[token]
        for number, token in enumerate(five):
            x, y = somewhere(shown)
            thing = DrawnCard(token, x, y, float(shown.dice.uniform(0, 360)), z_mm=2.0 + 0.5 * number)
            shown.pieces[token] = thing
        shown.puts(thing, beside_mm=FINGERS_MM, rests_s=3.0)
        if act % 4 == 1:  # an arm in its sleeve rests over the rim
            arm = HandPose(float(shown.dice.uniform(200, 800)), 520.0, 80.0, 20.0, person=act % 6)
            for _ in range(int(shown.mount.rate_hz)):
                shown.show(arm)
        for _ in range(3):
            shown.waits(15.0)
    return shown


@pytest.mark.timeout(1200)
@pytest.mark.parametrize(("seconds", "seed"), rest_long([(120.0, 4), (3600.0, 1), (1800.0, 7)]))
def test_things_without_a_sticker_are_never_marked(seconds: float, seed: int) -> None:
    shown = clutter_for(seconds, seed)
    marked = [(look.taken_s, look.unread) for look in shown.looks if look.unread]
    assert marked == []
    assert shown.accusations == []
