"""Memory and Bluff tell nothing: evenings that differ only in what is hidden look, sound and read alike.

"The app gives no sign of whether a card was legal" is a promise about every channel at once, so whole matches are
played twice, act by act: with the same cards on the table and the same words, but with other cards further down the
pile, or with other facts on the cards, so that what is lawful in one is unlawful in the other. What leaves the house
is compared byte by byte: news, events, pages, answers, broker, lamp, buzzer, journal and log.
"""

from __future__ import annotations

import gc
import itertools
import json
import math
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from reference.matches import Evening as Played, random_match
from support.conserved import count_things
from support.live_match import LiveMatch
from support.long_cases import rest_long
from support.pixel_eye import PixelEye
from support.silent_pair import (
    DECK,
    PROFILES,
    REVEALED,
    ROUTES,
    House,
    Journal,
    apart,
    both,
    guesses,
    lay,
    position,
    same_pages,
    seen,
    upside_down,
)

import companion.history.corrections
import companion.service.runner
import companion.storage.join_codes
from companion.cli.main import main
from companion.games import registry
from companion.games.discovery.moves import Place
from companion.games.protocol import MoveContext
from companion.history.codec import encode_line
from companion.history.events import Origin
from companion.public.standing import encode_standing
from companion.public.table import CardId, Observation, Seat
from companion.public.updates import Signal, Update
from companion.referee.commands import MakeMove
from companion.referee.match import Match
from companion.service.requests import from_button
from vision.synthetic.camera_model import CameraModel

JSON = Any


def silent_match(profile: str, seed: int) -> JSON:
    """A match with bots, jokers and teams as they come."""
    dice = random.Random(f"{profile} {seed}")
    while True:
        match = random_match(dice)
        if match["profile"] == profile and 2 <= len(match["seat"]) <= 5:
            return match


class Spoken(Played):
    """An evening at which nobody shows what lay below: whoever would fail concedes (as dear: K6, K7), and whoever
    looks through the pile says himself that all is there."""

    def say(self, move: JSON, origin: str | None = None) -> JSON:
        if move["do"] == "verify" and self.oracle.stopped:
            stopped = self.oracle.stopped["act"]
            fails = stopped["objections"] and stopped["by"] not in self.oracle.bots
            move = {"do": "concede", "by": stopped["by"]} if fails else move | {"found": not stopped["objections"]}
        return super().say(move, origin)


def whole_evening(match: JSON, seed: int) -> list[JSON]:
    """What people do and say from the deal to the end."""
    return Spoken(match, DECK, seed).play()


def is_seen(told: JSON) -> bool:
    """Whether the camera sees an act: cards that come to lie where they should."""
    return told["move"]["do"] == "deal" or bool(told["event"] == "played" and seen(told["move"]))


def seen_evening(profile: str, seed: int) -> tuple[JSON, list[JSON]]:
    """A match, and an evening of it at which the camera sees enough: now and then a bot wins in its first turns."""
    for again in itertools.count(seed, 100):
        match = silent_match(profile, again)
        story = whole_evening(match, again)
        if sum(map(is_seen, story)) > 20:
            return match, story
    raise AssertionError


def evenings(first: str, seeds: int) -> list[Any]:
    """Pairs of profile and seed; all but the very first take longer than a developer waits for."""
    pairs = [(profile, seed) for seed in range(1, seeds + 1) for profile in PROFILES]
    return [(first, 1), *(pytest.param(*pair, marks=pytest.mark.long) for pair in pairs if pair != (first, 1))]


def test_upside_down_means_the_same_links_and_other_duties() -> None:
    turned = {card["id"]: set(card["prerequisites"]) for card in upside_down(1)["card"]}
    plain = {card["id"]: set(card.get("prerequisites", ())) for card in DECK["card"]}
    links = [{frozenset((a, b)) for a, known in needs.items() for b in known} for needs in (turned, plain)]
    assert links[0] == links[1]
    assert sum(turned[card] != plain[card] for card in plain) > 20
    registry.open_match(silent_match("fr-bluff", 1), upside_down(1))


@pytest.mark.slow
@pytest.mark.parametrize(("profile", "seed"), evenings("en-memory", 12))
def test_a_whole_match_looks_the_same_whatever_its_cards_require(
    profile: str, seed: int, pair: Any, journal: Journal
) -> None:
    """ "the others must be vigilant" (E:218-221): from the deal to the last word nothing tells who was not."""
    match = silent_match(profile, seed)
    houses = pair((match, DECK), (match, upside_down(seed)))
    both(houses, journal, lambda house: None, "the beginning")
    same_pages(houses, ROUTES, "the beginning")
    differed = 0
    dice = random.Random(seed)
    for number, told in enumerate(whole_evening(match, seed)):
        where = (number, told)
        both(houses, journal, lambda house, told=told: house.say(told["move"], told["time_s"]), where)
        differed += houses[0].faults.keys() != houses[1].faults.keys()
        standing = houses[0].host.match.standing
        if told["move"].get("found") is False and told["event"] == "played":
            break  # a bot cannot concede: what somebody finds for it is shown to all
        if standing.over and not standing.provisional:
            break
        same_pages(houses, dice.sample(ROUTES, 1), where)
    assert differed > 10, "the pair must differ in what is hidden, or the proof proves nothing"
    final = houses[0].host.match.standing.final
    same_pages(houses, [route for route in ROUTES[:-1] if not final or route not in REVEALED], "the end")


def last_card(profile: str) -> tuple[str, JSON, JSON]:
    """Ana's last card, with an empty stack, and two matches with the same on the table in which she lays it: in one of
    them it is lawful, in the other a card that it needs is in somebody's hand and not in the pile."""
    needs = {card["id"]: card.get("prerequisites", ()) for card in DECK["card"]}
    held = ["1-1", "2-1", "2-2", "2-4", "2-5", "2-6", "2-7", "2-8", "2-9"]
    pool, top = ["3-2", "3-3", "3-4", "3-5", "3-6"], "1-2"
    card, missing, other = next(
        (card, need, other)
        for card in held
        for need in needs[card]
        for other in held
        if need not in (*held, *pool, top)
        and other not in (card, need)
        and set(needs[card]) <= set(needs) - set(held) - set(pool)
    )
    match: JSON = {"game": "discovery", "profile": profile, "seat": [{"name": name} for name in ("Ana", "Ben", "Cléo")]}
    below = [one for one in needs if one not in (*held, *pool, top)]
    start: JSON = {"turn": 1, "pool": pool, "discards": [[], [], []], "hands": [1, 4, 4], "stack": 0}
    return card, *(
        {**match, "position": {**start, "tree": [*(other if lacks and one == missing else one for one in below), top]}}
        for lacks in (False, True)
    )


@pytest.mark.parametrize("profile", PROFILES)
def test_the_record_opens_to_all_alike_once_the_end_stands_and_not_before(
    profile: str, pair: Any, journal: Journal
) -> None:
    """L7: "This record opens when the match is over"; nobody reads it and then plays on."""
    card, lawful, unlawful = last_card(profile)
    houses = pair((lawful, DECK), (unlawful, DECK))
    record = REVEALED[0]

    def statuses() -> set[int]:
        return {house.request("get", record, who)[0] for house in houses for who in (None, *range(4))}

    place = {"do": "place", "by": 1, "card": card, "from": "hand"}
    both(houses, journal, lambda house: house.say(place, 5.0), "the last card")
    assert houses[0].faults.keys() != houses[1].faults.keys(), "the pair must differ in what is hidden"
    assert all(house.host.match.standing.over and not house.host.match.standing.final for house in houses)
    same_pages(houses, ROUTES, "a win that can be contested")
    assert statuses() == {403}

    def wait(house: House, until_s: float) -> None:
        house.now_s = 1000.0 + until_s
        with house.listening():
            house.host.match.wake(house.now_s)
            house.host.ask(lambda: None)

    for until_s in (7.5, 14.9, 15.1):  # "at least 10 seconds" (F 2.5), as nobody has set them otherwise
        assert not any(house.host.match.standing.final for house in houses)
        both(houses, journal, lambda house, until_s=until_s: wait(house, until_s), f"nobody has said stop {until_s}")
    assert all(house.host.match.standing.final for house in houses)
    assert statuses() == {200}
    same_pages(houses, [route for route in ROUTES if route not in REVEALED], "a win that stands")
    records = [house.request("get", record, None)[2] for house in houses]
    assert records[0] != records[1], "what was hidden is told"
    for do in ("undo", "claim"):
        for who in (1, 2, 3):
            answer = both(houses, journal, lambda house, who=who: house.correct(who, {"do": do}, 70.0), (do, who))  # noqa: B023
            assert answer[0] == 403
    for _ in range(3):
        if houses[0].host.match.over:
            both(houses, journal, lambda house: house.correct(0, {"do": "undo"}, 80.0), "the host takes the end back")
    assert not houses[0].host.match.over
    assert statuses() == {403}


@pytest.mark.long
@pytest.mark.parametrize("profile", PROFILES)
def test_ten_seconds_that_are_shorter_where_the_card_was_lawful_are_found(
    profile: str, pair: Any, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    def hasty(match: Match, time_s: float) -> None:
        act(match, time_s + (0.0 if any(match.record.state.hidden_objections.values()) else 1.0))

    act = Match._let_clock_act  # noqa: SLF001  # a leak is inside
    monkeypatch.setattr(Match, "_let_clock_act", hasty)
    with pytest.raises(AssertionError, match="news differs after nobody has said stop"):
        test_the_record_opens_to_all_alike_once_the_end_stands_and_not_before(profile, pair, journal)


@pytest.mark.parametrize(("profile", "seed"), evenings("fr-bluff", 6))
def test_what_the_camera_sees_is_told_the_same_whatever_its_cards_require(
    profile: str, seed: int, pair: Any, journal: Journal
) -> None:
    match, story = seen_evening(profile, seed)
    houses = pair((match, DECK), (match, upside_down(seed)))
    lying: dict[str, str] = {}
    looks = differed = 0
    for number, told in enumerate(story):
        move, time_s = told["move"], told["time_s"] + 3 * number
        if move["do"] == "deal":
            lying = {"C" + card.replace("-", ""): "pool" for card in move["pool"]}
        elif told["event"] == "played" and seen(move):
            lying = lay(lying, move)
        else:
            both(houses, journal, lambda house, move=move, at=time_s: house.say(move, at), (number, move))
            continue
        both(houses, journal, lambda house, now=lying, at=time_s: house.look(now, at), (number, move))
        looks += 1
        differed += houses[0].faults.keys() != houses[1].faults.keys()
    assert looks > 20
    assert differed > 5


class Filmed:
    """An eye over a film: what it reads in the pixels is told to two houses as well."""

    def __init__(self, match: JSON, deck: JSON, tell: Callable[[Observation], None]) -> None:
        self._eye, self._tell = PixelEye(registry.open_match(match, deck), CameraModel()), tell

    def look(self, picture: Any) -> Observation:
        seen = self._eye.look(picture)
        self._tell(seen)
        return seen


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("leaky", [False, True])
@pytest.mark.parametrize("profile", PROFILES)
def test_a_film_that_is_really_decoded_is_told_the_same_whatever_its_cards_require(
    profile: str, leaky: bool, pair: Any, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = {"game": "discovery", "profile": profile, "seat": [{"name": name} for name in ("Ana", "Ben", "Cléo")]}
    houses = pair((match, DECK), (match, upside_down(1)))
    differed = 0
    if leaky:
        looked = House.seen

        def later(house: House, seen: Observation) -> None:
            """A light that comes on with the camera's look, where a card lies unlawfully."""
            looked(house, seen)
            if house.faults:
                house.panel(Update(None, Signal.PRIZE))

        monkeypatch.setattr(House, "seen", later)

    def tell(seen: Observation) -> None:
        nonlocal differed
        both(houses, journal, lambda house: house.seen(seen), f"the look at {seen.taken_s}")
        differed += houses[0].faults.keys() != houses[1].faults.keys()

    live = LiveMatch(match, DECK, 1, speed=3.0, eye=Filmed(match, DECK, tell))
    with pytest.raises(AssertionError, match="lamp and buzzer differs") if leaky else nullcontext():
        live.play(45.0)
    played = [line for line in houses[0].paper.entries(houses[0].host.stored.id) if line["event"] == "played"]
    assert leaky or (len(played) > 10 and differed > 10)


@pytest.mark.parametrize("profile", rest_long(PROFILES))
@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=pytest.mark.long) for n in range(1, 5))])
def test_nothing_tells_what_lies_below_the_top_card_nor_which_eras_are_open(
    profile: str, seed: int, pair: Any, journal: Journal
) -> None:
    """Only "hand counts, stack count, pool, discards, top card are public" (rules.md L)."""
    hidden = (("1-1", "1-2", "2-1"), ("1-6", "1-9", "2-6"))  # the same eras, for what a position opens is announced
    matches = [
        {
            "game": "discovery",
            "profile": profile,
            "seat": [{"name": name} for name in ("Ana", "Ben", "Cléo")],
            "jokers": 2,
            "position": position(below, "1-5") | {"stack": 54 - 10 - 15 + 2},
        }
        for below in hidden
    ]
    houses = pair((matches[0], DECK), (matches[1], DECK))
    dice = random.Random(seed)
    unseen = [
        c["id"] for c in DECK["card"] if c["id"] not in {*sum(hidden, ()), "1-5", "1-7", *position((), "")["pool"]}
    ]
    time_s = 0.0
    for number in range(40):
        moves = guesses(houses[0], unseen, dice, {*itertools.chain(*hidden)})
        if not moves:
            break
        move = dice.choice(moves)
        time_s += dice.uniform(1, 8)
        status, _, _ = both(houses, journal, lambda house, m=move, at=time_s: house.say(m, at), (number, move))
        if status == 200 and move.get("card") in unseen and move["do"] in ("place", "discard"):
            unseen.remove(move["card"])
        same_pages(houses, ["/api/v1/seat", dice.choice(ROUTES)], (number, move))
    assert houses[0].faults != houses[1].faults


@pytest.mark.long
@pytest.mark.parametrize(("profile", "seed"), evenings("fr-bluff", 8))
def test_who_speaks_of_a_card_does_not_learn_whether_it_lies_in_the_pile(
    profile: str, seed: int, pair: Any, journal: Journal
) -> None:
    """A phone that says "I lay 1-2" got "it lies there already", or did not."""
    hidden = (("1-1", "1-2", "2-1"), ("1-6", "1-9", "2-6"))
    match = {
        "game": "discovery",
        "profile": profile,
        "seat": [{"name": name} for name in ("Ana", "Ben", "Cléo")],
        "jokers": 2,
    }
    matches = [{**match, "position": position(below, "1-5") | {"stack": 54 - 10 - 15 + 2}} for below in hidden]
    houses = pair((matches[0], DECK), (matches[1], DECK))
    dice = random.Random(seed)
    doubtful = [*itertools.chain(*hidden)]
    probes: list[JSON] = []
    time_s = 0.0
    for number in range(40):
        public = houses[0].host.match.public
        if houses[0].host.match.standing.over:
            break
        seat, card = public.turn.seat, dice.choice(doubtful)
        moves: list[JSON] = [
            {"do": "place", "by": seat, "card": card, "from": "hand"},
            {"do": "place", "by": seat, "card": card, "from": "pool"},
            {"do": "place", "by": seat, "card": dice.choice(["1-3", "1-4", "2-5"]), "from": "pool"},
            {"do": "discard", "by": seat, "card": card},
            {"do": "refill", "by": 0, "card": card},
            {"do": "place", "by": seat, "card": card, "from": f"discard-{dice.randint(1, 3)}"},
            {"do": "end_turn", "by": seat},
        ]
        move = dice.choice(moves)
        time_s += dice.uniform(1, 8)
        status, _, body = both(houses, journal, lambda house, m=move, at=time_s: house.say(m, at), (number, move))
        if status == 200 and json.loads(body)["event"] == "played" and move.get("card") in doubtful:
            probes.append(move)
        same_pages(houses, ["/api/v1/seat", dice.choice(ROUTES)], (number, move))
        both(houses, journal, lambda house, at=time_s: house.look({"C15": "pile"}, at + 0.1), (number, "a look"))
    assert len(probes) > 5
    assert houses[0].faults != houses[1].faults


def test_a_card_that_lay_in_the_pile_already_is_found_when_somebody_says_stop(pair: Any, journal: Journal) -> None:
    match = {"game": "discovery", "profile": "fr-bluff", "seat": [{"name": name} for name in ("Ana", "Ben", "Cléo")]}
    hidden = (("1-1", "1-2", "1-8"), ("1-1", "1-6", "1-9"))
    houses = pair(*(({**match, "position": position(below, "1-5")}, DECK) for below in hidden))
    for number, move in enumerate(
        [{"do": "place", "by": 1, "card": "1-2", "from": "hand"}, {"do": "stop", "by": 2, "number": 1}]
    ):
        both(houses, journal, lambda house, m=move, at=2.0 * number: house.say(m, at), move)
        same_pages(houses, ROUTES, move)
    for house in houses:
        house.say({"do": "verify", "by": 1}, 6.0)
    faults = [{wrong.rule for found in house.faults.values() for wrong in found} for house in houses]
    assert faults[0] == {"already-placed"}
    assert "already-placed" not in faults[1]
    for house in houses:
        game, state = house.host.match.game, house.host.match.record.state
        assert count_things(game, state) == 54


@pytest.mark.parametrize("profile", ["fr-explore", "en-intro"])
def test_in_an_open_profile_nobody_lays_a_card_twice_by_calling_it_unseen(profile: str) -> None:
    match = {"game": "discovery", "profile": profile, "seat": [{"name": name} for name in ("Ana", "Ben", "Cléo")]}
    game = registry.open_match({**match, "position": position(("1-1", "1-2"), "1-5")}, DECK).game
    found = game.rules.judge(
        game.public(game.rules.start), Place(Seat(1), CardId("1-2"), "hand", unseen=True), MoveContext(1)
    )
    assert "already-placed" in {objection.rule for objection in found}


@pytest.mark.parametrize("profile", rest_long(PROFILES))
def test_going_on_without_a_link_tells_nothing(profile: str, pair: Any, journal: Journal) -> None:
    """ "continuing a series without a link" is one of the things to be caught at (F:543-547)."""
    turned = deepcopy(DECK)
    for card in turned["card"]:
        if card["id"] == "1-5":
            card["family"] = "science"  # in the other deck 1-3 and 1-5 are both food
    match = {"game": "discovery", "profile": profile, "seat": [{"name": "Ana"}, {"name": "Ben"}]}
    houses = pair((match, DECK), (match, turned))
    pool = ["1-1", "1-2", "1-4", "1-6", "1-7"]
    moves = [{"do": "deal", "by": 0, "pool": pool}]
    moves += [{"do": "place", "by": 1, "card": card, "from": "hand"} for card in ("1-3", "1-5", "1-8")]
    moves += [{"do": "end_turn", "by": 1}]
    for number, move in enumerate(moves):
        both(houses, journal, lambda house, m=move, at=2.0 * number: house.say(m, at), move)
        same_pages(houses, ROUTES, move)
    assert houses[0].faults.keys() == {4}
    assert houses[1].faults.keys() == {3, 4}


@pytest.mark.parametrize("profile", PROFILES)
def test_the_table_is_right_opens_no_era_before_it_is_announced(profile: str, pair: Any, journal: Journal) -> None:
    """ "no score change may reveal ... that an era opened" (L): under the same top card one pile has opened era 2."""
    match = {"game": "discovery", "profile": profile, "seat": [{"name": "Ana"}, {"name": "Ben"}]}
    houses = pair((match, DECK), (match, DECK))
    pool = ["1-1", "1-2", "1-3", "1-4", "1-6"]
    for house, below in zip(houses, ("2-1", "1-9"), strict=True):
        house.say({"do": "deal", "by": 0, "pool": pool}, 0.0)
        for number, card in enumerate((below, "1-5")):
            house.say({"do": "place", "by": 1, "card": card, "from": "hand"}, 2.0 + number)
        house.heard()
    journal.said.clear()
    lying = {"C15": "pile", **{"C" + card.replace("-", ""): "pool" for card in pool}}
    for house in houses:
        house.look(lying, 6.0)
        house.heard()
    told = []
    for house in houses:
        with house.listening():
            answer = house.request("post", "/api/v1/corrections", 0, json={"do": "table-is-right"})
        heard = {channel: said for channel, said in house.heard().items() if channel != "log"}
        told.append((answer, heard, house.shown(("/api/v1/standing", "/api/v1/seat"))))
        assert house.host.match.game.board.view(house.host.match.record.state, None)["eras"]["opened"] in ([], [1])
    assert answer[0] == 200
    assert told[0] == told[1], apart(repr(told[0]), repr(told[1]))
    announced = {"do": "announce", "by": 1, "era": 2, "what": "open"}
    trumps = []
    for house in houses:
        house.say(announced, 12.0)
        trumps.append(house.host.match.standing.counters["trumps"])
    assert trumps == [1, 1], "its trump still waits for whoever announces it, true or not (K11)"


@pytest.mark.parametrize("profile", PROFILES)
def test_the_command_line_tells_no_more_of_a_match_in_play_than_the_table_does(
    profile: str, pair: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """ "nothing ... (exports and bundles; the host plays too unless the match says `outside`) depends on anything
    hidden"."""
    match = {"game": "discovery", "profile": profile, "seat": [{"name": "Ana"}, {"name": "Ben"}, {"name": "Cléo"}]}
    hidden = (("1-1", "1-2", "2-1"), ("1-6", "1-9", "2-6"))
    told = []
    for who in ("seat", "outside"):
        matches = [{**match, "host": who, "position": position(below, "1-5")} for below in hidden]
        houses = pair((matches[0], DECK), (matches[1], DECK))
        for house in houses:
            house.say({"do": "place", "by": 1, "card": "1-8", "from": "hand"}, 2.0)
            folder, name = house.paper.file.path.parent, house.host.stored.id
            out = tmp_path / "out.zip"
            for command in (("export", name), ("export", name, "--bundle", str(out)), ("matches", "--figures", name)):
                status = main([*command, "--data", str(folder)])
                written = out.read_bytes() if out.exists() else b""
                out.unlink(missing_ok=True)
                told.append((who, command[:1], status, *capsys.readouterr(), written))
    players, outsiders = told[:6], told[6:]
    assert players[:3] == players[3:], "byte for byte"
    assert [status for _, _, status, *_ in players] == [2, 2, 0, 2, 2, 0]
    assert [status for _, _, status, *_ in outsiders] == [0] * 6, "who does not play may see it"
    assert outsiders[0] != outsiders[3]


@pytest.mark.long
@pytest.mark.parametrize("told_by", ["companion.storage.record_file.is_secret", "companion.storage.bundle.is_secret"])
def test_a_command_that_gives_a_record_away_is_found(
    told_by: str, pair: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(told_by, lambda *_: False)
    with pytest.raises(AssertionError, match="byte for byte"):
        test_the_command_line_tells_no_more_of_a_match_in_play_than_the_table_does("fr-bluff", pair, tmp_path, capsys)


def test_somebody_who_says_stop_and_verifies_brings_it_out(pair: Any, journal: Journal) -> None:
    """The proof is not blind: what may be told at last is told, and differs."""
    match = {"game": "discovery", "profile": "en-memory", "seat": [{"name": "Ana"}, {"name": "Ben"}]}
    match["position"] = position(("1-1", "1-2"), "1-5") | {"discards": [[], ["1-7"]], "hands": [5, 5], "stack": 35}
    other = {**match, "position": {**match["position"], "tree": ["1-6", "1-9", "1-5"]}}
    houses = pair((match, DECK), (other, DECK))
    moves = [
        {"do": "place", "by": 1, "card": "1-8", "from": "hand"},
        {"do": "stop", "by": 2},
    ]
    for number, move in enumerate(moves):
        both(houses, journal, lambda house, m=move, at=2.0 * number: house.say(m, at), move)
        same_pages(houses, ROUTES, move)
    bodies = [house.say({"do": "verify", "by": 1}, 8.0)[2] for house in houses]
    assert bodies[0] != bodies[1]
    assert [json.loads(body)["standing"]["hands"] for body in bodies] == [[4, 6], [6, 4]]


# The order of things


@pytest.mark.parametrize("profile", PROFILES)
def test_the_public_half_is_written_and_sent_before_the_hidden_half_is_computed(profile: str) -> None:
    steps: list[str] = []

    def watched(*given: Any) -> Any:
        steps.append("hidden half")
        return opened.hidden.apply(*given)

    match = {"game": "discovery", "profile": profile, "seat": [{"name": "Ana"}, {"name": "Ben"}]}
    opened = registry.open_match(match, DECK).game
    game = replace(opened, hidden=replace(opened.hidden, apply=watched))
    table = Match(game, lambda entries: steps.append("written"), lambda news: steps.append(f"told {news.number}"))
    for number, move in enumerate(
        [
            game.rules.moves["deal"](Seat(0), ()),
            Place(Seat(1), CardId("2-9"), "hand"),
            game.rules.moves["stop"](Seat(2)),
            game.rules.moves["concede"](Seat(1)),
        ]
    ):
        table.handle(MakeMove(move, Origin.PHONE), float(number))
    assert steps == [step for n in range(1, 5) for step in ("written", f"told {n}", "hidden half")]
    placed = table.record.lines[1]
    assert placed.objections, "the card was not lawful, and that is known by now"


# Timing

PAIRS = 2000
FALSE_ALARM = 1e-4
"""A difference this unlikely is called a leak. Two samples are compared (news and answer), and under equal houses each
is called different with a chance of at most 1e-4: one run in 5,000 fails by chance. With 2,000 pairs the distributions
must then be 0.070 apart at their widest: sqrt(ln(2 / 1e-4) / 2) * sqrt(2 / 2000), by the limiting distribution."""
TICK_S = 1e-4
"""The clock of a page that is not cross-origin isolated, as ours are (W3C High Resolution Time, "coarsen time")."""


def match_with(below: Sequence[str], profile: str) -> JSON:
    match = {"game": "discovery", "profile": profile, "seat": [{"name": name} for name in ("Ana", "Ben", "Cléo")]}
    return registry.open_match({**match, "position": position(below, "1-5")}, DECK).game


class Answering:
    """A fresh table at which 1-8 is laid, lawfully or not, and what it answers to everybody and to the phone."""

    def __init__(self, below: Sequence[str], profile: str, leak_s: float = 0.0, leak: str = "") -> None:
        self.game = match_with(below, profile)
        self.leak_s, self.leak = leak_s, leak

    def answer(self, send: Callable[[bytes], object]) -> Match:
        """Send the public news, then the phone's own answer; what is hidden is left to be worked out."""

        def tell(news: Update) -> None:
            if self.leak_s and reveals(self.game, news):
                until_s = time.perf_counter() + self.leak_s
                while time.perf_counter() < until_s:
                    pass
            text = json.dumps([news.entry, news.view, encode_standing(news.standing), news.signal.value])
            if self.leak and reveals(self.game, news):
                text += self.leak
            send(text.encode() + b"\n")

        table = Match(self.game, lambda entries: None, tell)
        table.answer(MakeMove(Place(Seat(1), CardId("1-8"), "hand"), Origin.PHONE), 1.0)
        send(json.dumps(encode_line(table.record.lines[-1], private=False)).encode() + b"\n")
        return table

    def once(self) -> tuple[list[float], bytes]:
        """Seconds to the public news and to the phone's own answer, and the bytes of both."""
        sent: list[tuple[float, bytes]] = []
        began_s = time.perf_counter()
        self.answer(lambda text: sent.append((time.perf_counter() - began_s, text))).go_on()
        return [after_s for after_s, _ in sent], b"".join(text for _, text in sent)

    def steps(self) -> Counter[tuple[str, int]]:
        """How often each line of the program ran until everybody was answered. Nothing is collected meanwhile: what
        other tests have left behind would be ended here, line by line."""
        ran: Counter[tuple[str, int]] = Counter()

        def step(frame: FrameType, event: str, _given: object) -> Any:
            if event == "line":
                ran[frame.f_code.co_filename, frame.f_lineno] += 1
            return step

        before = sys.gettrace()
        gc.collect()
        gc.disable()
        sys.settrace(step)
        try:
            self.answer(lambda text: None)
        finally:
            sys.settrace(before)
            gc.enable()
        return ran


def reveals(game: Any, news: Update) -> bool:
    """What a leaky house would know: whether the card was unlawful."""
    return "1-1" not in {laid.card for laid in game.rules.start.position.tree}


def waits(one: Answering, other: Answering, seed: int) -> tuple[list[list[float]], list[list[float]], set[bytes]]:
    """Both houses in turn, by lot: seconds to the news and to the answer, as a page could stop them."""
    dice = random.Random(seed)
    news: list[list[float]] = [[], []]
    answers: list[list[float]] = [[], []]
    written = set()
    order = [0, 1] * PAIRS
    dice.shuffle(order)  # not pair by pair: what one house leaves behind in the machine is then felt by both alike
    for k in order:
        waited_s, text = (one, other)[k].once()
        told, answered = (math.floor(after_s / TICK_S + dice.random()) * TICK_S for after_s in waited_s)
        news[k].append(told)
        answers[k].append(answered)
        written.add(text)
    return news, answers, written


def kolmogorov_smirnov(one: Sequence[float], other: Sequence[float]) -> float:
    """The chance that two samples of one thing differ so much: the two-sample test, by its limiting distribution."""
    both_sorted = sorted([(value, 0) for value in one] + [(value, 1) for value in other])
    shares = [0.0, 0.0]
    widest = 0.0
    for i, (value, which) in enumerate(both_sorted):
        shares[which] += 1 / (len(one), len(other))[which]
        if i + 1 == len(both_sorted) or both_sorted[i + 1][0] != value:
            widest = max(widest, abs(shares[0] - shares[1]))
    size = math.sqrt(len(one) * len(other) / (len(one) + len(other)))
    strength = (size + 0.12 + 0.11 / size) * widest  # Stephens 1970
    if strength < 0.3:
        return 1.0
    return min(1.0, 2 * sum((-1) ** (k - 1) * math.exp(-2 * (k * strength) ** 2) for k in range(1, 101)))


def test_the_measure_itself_tells_apart_what_differs_and_nothing_else() -> None:
    dice = random.Random(7)
    alike = [kolmogorov_smirnov(*([dice.gauss(0, 1) for _ in range(300)] for _ in range(2))) for _ in range(200)]
    assert sum(p < 0.1 for p in alike) < 40
    assert kolmogorov_smirnov([dice.gauss(0, 1) for _ in range(300)], [dice.gauss(0.5, 1) for _ in range(300)]) < 0.001
    assert kolmogorov_smirnov([1.0, 2.0, 3.0], [1.0, 2.0, 3.0]) == 1.0


@pytest.mark.parametrize("profile", PROFILES)
def test_until_everybody_is_answered_the_same_lines_run_equally_often(profile: str) -> None:
    lawful, unlawful = Answering(("1-1", "1-2"), profile), Answering(("1-6", "1-9"), profile)
    for house in (lawful, unlawful):
        house.answer(lambda text: None).go_on()  # what is worked out once, is
    assert lawful.steps() == unlawful.steps()
    assert lawful.steps() != Answering(("1-6", "1-9"), profile, leak=" ").steps(), "and one line more is found"


@pytest.mark.long
@pytest.mark.parametrize("profile", PROFILES)
def test_a_watch_cannot_tell_a_lawful_card_from_an_unlawful_one_but_finds_a_leak_of_half_a_millisecond(
    profile: str,
) -> None:
    lawful, unlawful = Answering(("1-1", "1-2"), profile), Answering(("1-6", "1-9"), profile)
    news, answers, written = waits(lawful, unlawful, 0)
    assert len(written) == 1, "not a single byte differs"
    chances = kolmogorov_smirnov(*news), kolmogorov_smirnov(*answers)
    assert min(chances) > FALSE_ALARM, chances
    leaky = Answering(("1-6", "1-9"), profile, leak_s=0.0005, leak=" ")
    news, answers, written = waits(lawful, leaky, 9)
    assert kolmogorov_smirnov(*news) < FALSE_ALARM, "a planted leak of 0.5 ms is found"
    assert kolmogorov_smirnov(*answers) < FALSE_ALARM
    shorter, longer = sorted(len(text) for text in written)
    assert longer - shorter == 1, "and one of one byte"


# -- corrections: what may be taken back, claimed or allowed says nothing either ---------------------------------


def corrections(house: House, dice: random.Random) -> list[tuple[int, JSON]]:
    """Corrections that somebody could ask for now: who (0 = the playing host), and the body of the request."""
    last = len(house.host.match.record.lines)
    seats = house.host.match.game.seats
    number = dice.choice([None, None, last, dice.randint(1, max(1, last))])
    named = {} if number is None else {"number": number}
    by = dice.randint(1, seats)
    return [
        *((seat, {"do": "claim", **named}) for seat in range(1, seats + 1)),
        (0, {"do": "claim", "by": by, **named}),
        (0, {"do": "claim", "by": by, "anyway": True, **named}),
        (by, {"do": "undo"}),
        (0, {"do": "undo", **named}),
        (0, {"do": "undo", "anyway": True, **named}),
        (0, {"do": "allow", **named}),
        (0, {"do": "camera-was-wrong", **named}),
    ]


def presses(house: House, dice: random.Random) -> list[Any]:
    """Ways to say the same without a phone: a seat's own button, the undo button, a seat's tag under the camera."""
    seat = Seat(dice.randint(1, house.host.match.game.seats))

    def button(name: str, whose: Seat | None) -> Callable[[House, float], None]:
        def press(at: House, time_s: float) -> None:
            at.now_s = 1000.0 + time_s
            with at.listening():
                for said in from_button(at.host, name, whose):
                    at.host.post(said)

        return press

    def tag(at: House, time_s: float) -> None:
        for lying in ({}, {f"S{seat}": "commands"}, {f"S{seat}": "commands"}, {}):
            at.look(lying, time_s)
            time_s += 2.0

    return [button("seat", seat), button("undo", None), tag]


@pytest.mark.parametrize(
    ("profile", "seed"),
    [
        # Every run says each correction in Bluff in test_silence_of_every_request.py.
        *rest_long([(profile, seed) for seed in (1, 2, *range(3, 30)) for profile in PROFILES]),
    ],
)
def test_no_correction_tells_whether_a_card_was_lawful(profile: str, seed: int, pair: Any, journal: Journal) -> None:
    """ "That was me" about somebody else's last card was refused when the card was lawful, and taken when not."""
    dice = random.Random(f"corrections {profile} {seed}")
    match = {"game": "discovery", "profile": profile, "seat": [{"name": name} for name in ("Ana", "Ben", "Cléo")]}
    houses = pair((match, DECK), (match, upside_down(seed)))
    pool = ["1-1", "1-2", "1-4", "2-6", "2-7"]
    unseen = [card["id"] for card in DECK["card"] if card["id"] not in pool]
    time_s, taken, differed = 0.0, Counter[str](), 0
    both(houses, journal, lambda house: house.say({"do": "deal", "by": 0, "pool": pool}, 0.0), "the deal")
    for number in range(60):
        time_s += dice.uniform(1, 8)
        if dice.random() < 0.5:
            moves = guesses(houses[0], unseen, dice, set())
            if not moves:
                break
            move = dice.choice([*[m for m in moves if m["do"] == "place"] * 2, *moves])
            both(houses, journal, lambda house, m=move, at=time_s: house.say(m, at), (number, move))
        elif dice.random() < 0.3:
            press = dice.choice(presses(houses[0], dice))
            time_s += 6.0
            both(houses, journal, lambda house, p=press, at=time_s: p(house, at), (number, "a button or a tag"))
            time_s += 9.0
        else:
            who, body = dice.choice(corrections(houses[0], dice))
            status, _, _ = both(
                houses,
                journal,
                lambda house, w=who, b=body, at=time_s: house.correct(w, b, at),
                (number, who, body),
            )
            taken[body["do"]] += status == 200
        differed += houses[0].faults != houses[1].faults
        final = houses[0].host.match.standing.final  # then everybody may read the record, until the host takes it back
        route = dice.choice(ROUTES)
        same_pages(houses, ["/api/v1/seat", *([] if final and route in REVEALED else [route])], number)
    assert differed > 10, "the pair must differ in what is hidden, or the proof proves nothing"
    assert taken["undo"], "a correction that nobody may ever make proves nothing"


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("who", rest_long([0, 1, 3]))
@pytest.mark.parametrize("card", rest_long(["1-1", "1-8"]))
def test_who_says_that_was_me_of_anothers_card_hears_the_same_of_every_card(
    profile: str, who: int, card: str, pair: Any, journal: Journal
) -> None:
    """1-1 asks for nothing and is lawful in one deck; in the other it asks for a card that lies nowhere."""
    turned = deepcopy(DECK)
    for each in turned["card"]:
        if each["id"] == card:
            each["prerequisites"] = [] if each.get("prerequisites") else ["1-9"]
    match = {"game": "discovery", "profile": profile, "seat": [{"name": name} for name in ("Ana", "Ben", "Cléo")]}
    houses = pair((match, DECK), (match, turned))
    pool = ["1-2", "1-3", "1-4", "1-6", "1-7"]
    for number, move in enumerate(
        [
            {"do": "deal", "by": 0, "pool": pool},
            {"do": "place", "by": 1, "card": card, "from": "hand"},
            {"do": "end_turn", "by": 1},
            {"do": "place", "by": 2, "card": "1-5", "from": "hand"},
        ]
    ):
        both(houses, journal, lambda house, m=move, at=2.0 * number: house.say(m, at), move)
    for body in ({"do": "claim", "number": 2}, {"do": "claim"}):
        body = body if who else {**body, "by": 3}
        both(houses, journal, lambda house, b=body: house.correct(who, b, 9.0), body)
        same_pages(houses, ROUTES, body)
    assert houses[0].faults != houses[1].faults


def test_the_old_leak_planted_again_is_found(pair: Any, journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    """Corrections once asked whether a card would still be lawful, hidden facts included."""

    def broken(record: Any) -> tuple[Any, ...]:
        return tuple(act for act in record.acts.values() if act.counts and act.all_objections and not act.allowed)

    monkeypatch.setattr(companion.history.corrections, "unlawful_moves", broken)
    with pytest.raises(AssertionError, match="answer differs"):
        test_who_says_that_was_me_of_anothers_card_hears_the_same_of_every_card("fr-bluff", 3, "1-1", pair, journal)
