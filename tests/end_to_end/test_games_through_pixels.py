"""Whole matches of the other games through pixels, and a second match while the first one's things lie there."""

from __future__ import annotations

from typing import Any

import pytest
from support.live_match import RATE_HZ, LiveMatch
from support.pixel_eye import PixelEye

from companion.games.registry import GAMES, demo_deck, open_match
from companion.history.codec import encode_line
from companion.public.updates import Alert, Signal
from companion.simulation.deeds import Carry
from companion.simulation.script import ScriptedPicture
from companion.simulation.trajectories import MovingThing

pytestmark = [pytest.mark.slow, pytest.mark.long, pytest.mark.timeout(7200)]
EVERYDAY = {"dealt", "played", "refused", "settled", "struck"}
"""No question, nothing unexplained: whatever people did was seen as what it was."""
FALSE_ALARMS = {Signal.ASKS, Signal.MISPLACED, Signal.LOST, Signal.TROUBLE}
PROVOKED = {("travel", "stamina"), ("trade", "space")}
"""What the people of Lands try now and then although it may not be done."""
OLD_S, NEW_LINES = 45.0, 7


def pixel_match(name: str, seed: int, **how: Any) -> LiveMatch:
    """A match of the demonstration's people, as the simulated table is drawn and watched."""
    file, deck = dict(GAMES[name].demonstration.match) | how.pop("match", {}), demo_deck(GAMES[name])
    return LiveMatch(file, deck, seed, eye=PixelEye(open_match(file, deck), seed=seed), **how)


def carried(live: LiveMatch) -> list[tuple[str, str | None]]:
    """Which thing the people carried where, one after the other; ``None`` = off the table."""
    tokens = live.match.game.table.cards
    steps = (step for deed in live.deeds for step in deed.steps)
    return [(tokens[step.token], step.place) for step in steps if isinstance(step, Carry) and step.token in tokens]


def place_of(move: dict[str, Any]) -> str | None:
    """Where a tile or counter of Carcassonne lies after a move, lawful or refused."""
    match move["do"]:
        case "start":
            return "field 0 0 0"
        case "place":
            return f"field {move['x']} {move['y']} {move['turn']}"
        case "deploy":
            return f"on {move['tile']} {move['segment']}"
        case "discard" | "remove":
            return "aside"
    return None


@pytest.mark.parametrize("seed", range(1, 7))
def test_a_match_of_carcassonne_is_told_as_it_was_played(seed: int) -> None:
    """A whole match needs no tap: no question and no false alarm, and what is refused was unlawful."""
    live = pixel_match("carcassonne", seed)
    live.play(900.0)
    assert live.ended
    assert live.match.over
    moves = [line["move"] for line in live.lines if line.get("move", {}).get("card")]
    assert [(move["card"], place_of(move)) for move in moves] == carried(live)
    assert FALSE_ALARMS.isdisjoint(live.signals)


class NothingFalse:
    """Whatever is refused lies where it was said to lie when that is said, be it by the name of another chip of its
    colour. Later looks do not count: people who are refused take the stone up again. Each entry is printed as it is
    written: ``-s`` shows how far a whole match has come."""

    seen = 0

    def __call__(self, live: LiveMatch) -> None:
        lines = live.match.record.lines[self.seen :]
        self.seen += len(lines)
        for line in lines:
            print(f"{live.now_s:8.1f} s  {encode_line(line)}", flush=True)
            change = getattr(line.entry.event, "change", None)
            if change is not None and change.went_to is not None:
                alike = {token for token in live.match.game.table.shapes if token[0] == change.card[0]}
                assert any(live.film.stage.place(token) == change.went_to for token in alike), change


@pytest.mark.parametrize(("seed", "profile"), [(1, "base"), (2, "base"), (3, "experts"), (4, "experts")])
def test_a_match_of_darwinci_is_played_to_its_winners_without_a_false_alarm(seed: int, profile: str) -> None:
    """« 0 false alarms, questions only for income and ties. »"""
    live = pixel_match("darwinci", seed, match={"profile": profile}, looked=NothingFalse())
    live.play(2500.0)
    assert live.match.over
    assert live.match.standing.winners
    assert not live.differences
    assert {line["event"] for line in live.lines} <= EVERYDAY
    said = {line["move"]["do"] for line in live.lines if line.get("origin") == "phone" and "move" in line}
    assert said <= {"income", "creature", "agree_end"}


def test_a_match_of_lands_ends_without_a_question_and_only_what_may_not_be_done_is_refused() -> None:
    live = pixel_match("lands", 1)
    live.play(900.0)
    assert [line["move"]["do"] for line in live.lines[:5]] == ["deal", "gain", "gain", "gain", "gain"]
    assert live.match.over
    assert not live.differences
    assert {line["event"] for line in live.lines} <= EVERYDAY - {"struck"}
    refused = [line for line in live.lines if line["event"] == "refused"]
    assert {(line["move"]["do"], one["rule"]) for line in refused for one in line["objections"]} <= PROVOKED


@pytest.mark.parametrize("share", [1, 2], ids=["everything", "half"])
@pytest.mark.parametrize("name", GAMES)
def test_nothing_of_the_first_match_is_a_move_of_the_second(name: str, share: int) -> None:
    file, deck = dict(GAMES[name].demonstration.match), demo_deck(GAMES[name])
    before = LiveMatch(file, deck, 1)
    before.play(OLD_S)
    while before.match.standing.turn is None or len(before.match.record.lines) < 12:  # more than a deal lies there
        before.go_on(15.0)
    there = [MovingThing(token, pose) for token, pose in sorted(before.film.stage.lying.items())][::share]
    second = pixel_match(name, 2)
    now_s = -300.0

    def shows(things: list[MovingThing], lasts_s: float) -> None:
        nonlocal now_s
        for _ in range(round(lasts_s * RATE_HZ)):
            now_s += 1 / RATE_HZ
            second.match.handle(second.eye.look(ScriptedPicture(now_s, tuple(things), ())), now_s)
            second.match.wake(now_s)

    shows(there, 4.0)
    assert (second.lines, second.match.latest().alert) == ([], Alert.DISAGREES)
    left = [len(second.match.latest().instructions)]
    while there:
        del there[-3:]
        shows(there, 1.0)
        left.append(len(second.match.latest().instructions))
    shows([], 3.0)  # without a hand the eye looks at empty places for longer
    left.append(len(second.match.latest().instructions))
    assert (second.lines, left[-1], left) == ([], 0, sorted(left, reverse=True))
    assert not {Signal.REFUSED, Signal.ASKS, Signal.MISPLACED, Signal.SUSPECTED} & set(second.signals)
    alone = LiveMatch(file, deck, 2)
    while len(alone.lines) < NEW_LINES:
        alone.go_on(5.0)
    second.play(alone.now_s)
    assert second.lines[0]["event"] == "dealt"
    assert {line["event"] for line in second.lines} <= EVERYDAY - {"struck"}
    moves = [line["move"] for line in second.lines if "move" in line]
    assert moves[:4] == [line["move"] for line in alone.lines if "move" in line][:4]
