"""How soon a card that may not be laid is refused: counted in pictures, from the moment every hand is gone."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from itertools import count, takewhile

import pytest
from reference.judge import Oracle
from support.film_report import DECK, table_match

from companion.games.discovery.people.behaviour import Behaviour
from companion.games.discovery.people.places import card_stage
from companion.games.discovery.people.scripted import Players
from companion.games.registry import open_match, sticker_codes
from companion.public.updates import Update
from companion.referee.match import Match
from companion.simulation.script import MatchScript, ScriptedAct, ScriptedPicture
from vision.camera.frame import make_frame
from vision.synthetic.scene import Scene
from vision.synthetic.source import draw
from vision.tracking.observer import Observer

RATE_HZ = 8.0
STILL_HZ = 2.0
"""A table on which nothing moves and nothing is awaited is drawn so often."""
BUSY_S = 2.0
"""After a hand is gone everything is drawn so long."""
MOST_PICTURES = 5
ACTS = 300
FILM_S = 240.0
CARELESS = Behaviour(goes_on=1.0, abstains=0.0, errs=0.9, forgets=0.0, rues=0.0)
PROFILES = ("fr-explore", "en-explore", "en-intro")
"""Where every card is judged at once."""


@dataclass(slots=True)
class Verdict:
    """A card that may not be laid.

    Attributes:
        pictures: Without a hand in view, from its laying to its refusal; infinite if it was never refused.
    """

    seed: int
    act: ScriptedAct
    pictures: float = 0.0
    came: bool = False
    laid: bool = False

    @property
    def card(self) -> str:
        return str(self.act.deed.move["card"])

    def see(self, picture: ScriptedPicture, refused: set[str]) -> None:
        """One more picture, and what was refused in it or earlier."""
        if self.laid or self.act.begins_s > picture.time_s:
            return
        self.came |= bool(picture.arms)
        self.pictures += self.came and not picture.arms
        if self.card in refused:
            self.laid = True
        elif self.act.ends_s < picture.time_s:
            self.laid, self.pictures = True, math.inf


def verdicts(seed: int, lasts_s: float) -> list[Verdict]:
    """Each unlawful card of a film and how long its verdict took."""
    match = table_match(3 + seed % 3, PROFILES[seed % len(PROFILES)])
    opened = open_match(match, DECK)

    def film() -> MatchScript:
        players = Players(match, DECK, lambda: Oracle(match, DECK), seed, CARELESS)
        return MatchScript(players.deeds(), card_stage(opened.layout, opened.game.seats, seed), seed, lively=0.3)

    acts = [
        act for picture in takewhile(lambda one: one.time_s < lasts_s, film().pictures(1.0)) for act in picture.done
    ]
    awaited = [Verdict(seed, act) for act in acts if act.deed.rules and not act.deed.stands and "card" in act.deed.move]
    scene, eye = Scene(opened.layout, seed=seed), Observer(opened.layout, sticker_codes(opened.game))
    news: list[Update] = []
    evening = Match(opened.game, write=lambda _: None, publish=news.append)
    busy_s = drawn_s = -math.inf
    for picture in takewhile(lambda one: one.time_s < acts[-1].ends_s + 1, film().pictures(RATE_HZ)):
        busy_s = picture.time_s if picture.arms or picture.done else busy_s
        if picture.time_s - busy_s > BUSY_S and picture.time_s - drawn_s < 1 / STILL_HZ:
            continue
        drawn_s, before = picture.time_s, len(news)
        look = eye.observe(make_frame(draw(scene, picture), picture.time_s))
        evening.handle(look, look.taken_s)
        said = [one.entry for one in news[before:] if one.entry is not None and one.entry["event"] == "refused"]
        refused = {entry["move"].get("card", "") for entry in said}
        for verdict in awaited:
            verdict.see(picture, refused)
    return awaited


def check(found: list[Verdict]) -> None:
    """Ninety-nine of a hundred come within five pictures, and every one comes."""
    told = Counter(verdict.pictures for verdict in found)
    slow = [
        f"seed {one.seed}, {one.act.begins_s:.1f} s: {one.act.deed.move}"
        for one in found
        if one.pictures > MOST_PICTURES
    ]
    print(f"{len(found)} cards, by pictures: {dict(sorted(told.items()))}; slow: {slow}")
    assert sum(verdict.pictures <= MOST_PICTURES for verdict in found) >= 0.99 * len(found), slow
    assert math.inf not in told, slow


@pytest.mark.pixels
def test_a_card_that_may_not_be_laid_is_refused_within_five_pictures_of_the_last_hand() -> None:
    found = verdicts(1, 60.0)
    assert len(found) > 3, "some cards were laid that may not be"
    check(found)


@pytest.mark.long
@pytest.mark.timeout(7200)
def test_ninety_nine_of_a_hundred_verdicts_come_within_five_pictures_of_the_last_hand() -> None:
    """At 8 pictures a second, in at least 300 acts of all profiles that judge at once."""
    found: list[Verdict] = []
    for seed in count(10):
        found += verdicts(seed, FILM_S)
        print(f"seed {seed}: {len(found)} cards", flush=True)
        if len(found) >= ACTS:
            break
    check(found)
