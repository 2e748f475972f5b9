"""The demonstration: people at a simulated table play to the end, and go on from whatever a phone says."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest
from reference.referee import Referee
from support.film_report import DECK, table_match
from support.live_match import LiveMatch

from companion.app.live_table import check_simulated
from companion.errors import InputError
from companion.history.events import Origin, Played, Refused
from companion.public.table import Seat
from companion.referee.commands import Allow, ChangeSeat, Command, CorrectCounts, MakeMove, Pause, Resume, Undo

PROFILES = ("fr-explore", "en-explore", "en-intro", "en-memory", "fr-bluff")
LONGEST_S = 1500.0
AGREES_AFTER_S = 20.0
STILL_S = 10.0


def seated(
    profile: str, seats: int = 3, *, bots: int = 0, jokers: int = 0, teams: bool = False, **options: Any
) -> dict[str, Any]:
    match = table_match(seats, profile, **options)
    for seat in match["seat"][seats - bots :]:
        seat["bot"] = True
    for number, seat in enumerate(match["seat"] if teams else ()):
        seat["team"] = ("red", "blue")[number % 2]
    return match | ({"jokers": jokers} if jokers else {})


def judged_by_the_second_judge(live: LiveMatch) -> None:
    """Every entry's standing, winners included, is the second judge's."""
    referee = Referee({"match": live.file, "deck": DECK})
    for line in live.lines:
        assert referee.entry(line)["standing"] == line["standing"], line


def played_to_its_end(match: dict[str, Any], seed: int) -> LiveMatch:
    """Nobody touches it: it ends, with table and log never long apart and the picture never long still."""
    apart_s = [0.0]
    live = LiveMatch(match, DECK, seed, looked=lambda now: apart_s.append(max(apart_s.pop(), now.differs_s)))
    live.play(LONGEST_S)
    assert live.ended, live.lines[-3:]
    assert live.match.over
    assert apart_s[0] < AGREES_AFTER_S
    assert live.longest_frozen_s < STILL_S
    judged_by_the_second_judge(live)
    return live


@pytest.mark.slow
def test_the_newcomer_s_match_is_played_to_its_winners() -> None:
    """ "la partie se termine lorsque plus aucun joueur n'a de cartes en main" (F:291-292), steals included."""
    live = played_to_its_end(table_match(2), 3)
    assert live.match.standing.winners
    acts = {line["move"]["do"] for line in live.lines if line["event"] == "played"}
    assert acts >= {"place", "refill", "end_turn", "steal"}


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1, 6))
@pytest.mark.parametrize("profile", PROFILES)
def test_every_profile_is_played_to_its_winners(profile: str, seed: int) -> None:
    assert played_to_its_end(table_match(3, profile), seed).match.standing.winners


@pytest.mark.long
@pytest.mark.parametrize(
    "match",
    [
        seated("fr-explore", 4, jokers=4, teams=True),
        seated("fr-explore", 4, bots=2, jokers=2),
        seated("fr-explore", 2, turn_end="inferred"),
        seated("fr-explore", 1),
        seated("fr-explore", 9),
        seated("en-explore", 3, bots=1, jokers=2, stop=True),
        seated("en-explore", 5, en_explore_steal_when_empty=True, series_plus=True),
        seated("en-explore", 4, teams=True, jokers=4),
        seated("en-intro", 2, jokers=4, stop=True),
        seated("en-intro", 4, bots=3),
        seated("en-memory", 3, bots=1, jokers=2),
        seated("fr-bluff", 4, teams=True, jokers=2),
        seated("fr-bluff", 3, bots=1, jokers=2),
    ],
    ids=lambda match: f"{match['profile']}-{len(match['seat'])}-{match.get('jokers', 0)}",
)
def test_whatever_may_be_combined_is_played_to_its_end(match: dict[str, Any]) -> None:
    played_to_its_end(match, 7)


def longest_silence_s(live: LiveMatch) -> float:
    """The longest time between two entries."""
    told_s = [line["time_s"] for line in live.lines if "time_s" in line]
    return max(later - earlier for earlier, later in itertools.pairwise(told_s))


def test_people_who_undo_a_card_wait_until_a_slow_eye_has_seen_it_go() -> None:
    """Laid again before the eye saw it gone, the card was no news, and the demonstration stood still for minutes."""
    live = LiveMatch(table_match(3), DECK, 2, speed=3.0, looks_at=8)
    live.play(LONGEST_S)
    assert sum(line["event"] == "struck" for line in live.lines) >= 3
    assert live.match.over
    assert longest_silence_s(live) < 5.0


# -- what phones say -----------------------------------------------------------------------------------


def until(live: LiveMatch, done: Callable[[LiveMatch], object], lasts_s: float = 400.0) -> None:
    """Let them play until something is so."""

    def looked(now: LiveMatch) -> None:
        now.ended = bool(done(now))

    live.looked, live.ended = looked, False
    live.go_on(lasts_s)
    assert live.ended, live.lines[-3:]
    live.looked, live.ended = (lambda _: None), False


def say(live: LiveMatch, command: Command) -> None:
    live.match.handle(command, live.now_s)


def agree_again(live: LiveMatch) -> None:
    """Within 20 seconds, and people go on."""
    began_s, number = live.now_s, len(live.match.record.lines)
    until(live, lambda now: not now.differences, AGREES_AFTER_S)
    assert live.now_s - began_s < AGREES_AFTER_S
    until(live, lambda now: len(now.match.record.lines) > number, 60.0)


def held_as_counted(live: LiveMatch) -> None:
    """Everybody holds as many cards as the log says, and no card is in two hands, as soon as somebody looks."""

    def counted(now: LiveMatch) -> bool:
        return tuple(map(len, now.hands.values())) == now.match.standing.counters["hands"]

    until(live, counted, 10.0)
    held = [card for hand in live.hands.values() for card in hand]
    assert len(set(held)) == len(held)
    assert not set(held) & set(live.expected)


def last_card(live: LiveMatch) -> tuple[int, Any]:
    """The number and the move of the last entry, where that is a card from a hand; else 0."""
    line = live.match.record.lines[-1] if live.match.record.lines else None
    event = None if line is None else line.entry.event
    if isinstance(event, Played) and event.move.do == "place" and event.move.source == "hand":
        return line.entry.number, event.move
    return 0, None


def test_an_undo_has_the_hand_take_the_card_back() -> None:
    live = LiveMatch(table_match(3), DECK, 1)
    until(live, lambda now: last_card(now)[0])
    number, move = last_card(live)
    say(live, Undo(number))
    assert move.card in {change.card for change in live.differences}
    agree_again(live)


def test_a_stop_that_takes_a_card_out_has_it_taken_off() -> None:
    """The stopped card goes into its player's own discard (K8)."""
    live = LiveMatch(table_match(3, "fr-bluff"), DECK, 2)
    until(live, lambda now: last_card(now)[0] and now.match.public.acts)
    _, move = last_card(live)
    other = Seat(move.by % 3 + 1)
    say(live, MakeMove(live.decoded({"do": "stop", "by": other}), Origin.PHONE))
    say(live, MakeMove(live.decoded({"do": "verify", "by": move.by, "found": True}), Origin.PHONE))
    agree_again(live)
    assert live.match.issues.lying[move.card] == "pile"


def test_a_refused_card_is_taken_back_after_a_few_seconds_and_an_allowed_one_stays() -> None:
    live = LiveMatch(table_match(3), DECK, 2)

    def refused(now: LiveMatch) -> bool:
        return bool(now.match.record.open_refusals)

    until(live, refused, 900.0)
    began_s = live.now_s
    until(live, lambda now: not refused(now))
    assert 2.0 < live.now_s - began_s < 10.0
    until(live, lambda now: refused(now) and isinstance(now.match.record.lines[-1].entry.event, Refused), 900.0)
    number, kept = next(iter(live.match.record.open_refusals.items()))
    say(live, Allow(number))
    agree_again(live)
    assert kept.move.subject in live.match.issues.lying


def test_cards_that_a_phone_lays_are_laid_on_the_table_wherever_they_were() -> None:
    """A phone names any card that it likes; on the table it lies, and everybody holds as many as the log says."""
    live = LiveMatch(table_match(3), DECK, 4)
    until(live, lambda now: now.match.standing.turn == 2)
    hidden = next(card for card in ("1-1", "1-2", "1-3", "1-4", "1-5", "1-6") if card not in live.expected)
    say(live, MakeMove(live.decoded({"do": "place", "by": 2, "card": hidden, "from": "hand"}), Origin.PHONE))
    agree_again(live)
    held_as_counted(live)


def test_counts_names_and_a_pause_are_followed() -> None:
    live = LiveMatch(table_match(3), DECK, 5)
    until(live, lambda now: len(now.match.record.lines) > 8)
    hands = list(live.match.standing.counters["hands"])
    hands[0], hands[1] = hands[0] - 1, hands[1] + 1
    say(live, CorrectCounts((("hands", tuple(hands)),)))
    say(live, ChangeSeat(Seat(1), name="Zoé"))
    say(live, Pause())
    number = len(live.match.record.lines)
    until(live, lambda now, until_s=live.now_s + 30: now.now_s > until_s)
    assert len(live.match.record.lines) == number
    held_as_counted(live)
    assert live.match.standing.counters["hands"] == tuple(hands)
    say(live, Resume())
    agree_again(live)


# -- where a match begins and goes on -----------------------------------------------------------------


def test_the_same_seed_plays_the_same_match_and_a_restart_goes_on_with_it() -> None:
    def acts(live: LiveMatch) -> list[Any]:
        return [line["move"] for line in live.lines if "move" in line]

    whole, again = (LiveMatch(table_match(3), DECK, 6) for _ in range(2))
    whole.play(120.0)
    again.play(60.0)
    assert acts(again) == acts(whole)[: len(acts(again))]
    restarted = LiveMatch(table_match(3), DECK, 6, entries=tuple(line.entry for line in again.match.record.lines))
    restarted.play(50.0)
    assert acts(restarted) == acts(whole)[: len(acts(restarted))]
    assert len(acts(restarted)) > len(acts(again)) + 5
    assert acts(whole) != acts(again)


POSITION = {
    "turn": 2,
    "tree": ["1-1", "1-2", "1-3", "1-4"],
    "pool": ["1-5", "1-6", "2-1", "2-2", "2-3"],
    "discards": [[], ["2-4"], []],
    "hands": [3, 4, 2],
    "stack": 35,
    "points": [4, 2, 0],
}


def test_a_position_is_played_from() -> None:
    live = LiveMatch(table_match(3) | {"position": POSITION}, DECK, 1)
    live.play(40.0)
    assert len(live.lines) >= 4
    assert live.lines[0]["move"]["by"] in (0, 2)
    assert not [line for line in live.lines if line["event"] in ("question", "unexplained")]
    check_simulated({"match": live.file, "deck": DECK})


def test_a_seat_that_is_kept_free_is_played_around_until_somebody_sits_down() -> None:
    match = table_match(3)
    match["seat"][2]["late"] = True
    live = LiveMatch(match, DECK, 3)
    until(live, lambda now: len(now.match.record.lines) > 8)
    assert not live.hands[3]
    say(live, ChangeSeat(Seat(3), name="Zoé", here=True))
    until(live, lambda now: now.match.standing.turn == 3)
    agree_again(live)
    held_as_counted(live)


def test_a_table_that_simulated_people_cannot_use_is_said_at_once() -> None:
    table = {"size_mm": [1100, 650], "zone": [{"name": "pool", "polygon": [[0, 0], [300, 0], [300, 300], [0, 300]]}]}
    with pytest.raises(InputError, match="no zone tree"):
        check_simulated({"match": table_match(2) | {"table": table}, "deck": DECK})
