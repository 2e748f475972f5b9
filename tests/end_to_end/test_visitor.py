"""A visitor plays a seat of the simulated table: what the page sends is laid by the drawn hand, seen, and judged."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from reference.referee import Referee
from support.film_report import DECK, table_match
from support.live_house import LiveHouse, live_house
from support.live_match import RATE_HZ

from companion.games.carcassonne.module import CARCASSONNE
from companion.games.discovery.people.live import LivePeople
from companion.games.discovery.people.places import card_token
from companion.games.registry import demo_deck
from companion.history.codec import encode_line
from companion.simulation.visitors import ABSENT_S, Gesture, SeatThings, Visitors

JSON = Any
ME = 2


START = {
    "turn": 2,
    "tree": [f"1-{n}" for n in range(1, 8)],
    "pool": ["1-8", "2-1", "2-2", "2-3", "2-5"],
    "discards": [[], ["2-4"], []],
    "hands": [3, 4, 2],
    "stack": 32,
}


@pytest.fixture
def house(tmp_path: Path) -> Iterator[LiveHouse]:
    with live_house(tmp_path) as house:
        yield house


def until(house: LiveHouse, done: Callable[[], object], lasts_s: float = 120.0, *, there: bool = True) -> None:
    """The table goes on until something is so; the visitor's page looks now and then, while it is there."""
    end_s, ticks = house.now_s + lasts_s, 0
    while not done():
        assert house.now_s < end_s, [encode_line(line) for line in house.match.record.lines][-3:]
        house.tick()
        ticks += 1
        if there and ticks % 80 == 0:
            house.held(ME)


def events(house: LiveHouse) -> list[tuple[str, JSON]]:
    lines = [encode_line(line) for line in house.match.record.lines]
    return [(line["event"], line.get("move")) for line in lines]


def visit(house: LiveHouse, match: JSON | None = None, seed: int = 1) -> None:
    """The visitor's turn has come, in the middle of a match where none is given."""
    house.begin(match or table_match(3) | {"position": START}, DECK, seed)
    assert house.held(ME) == {"match": house.runner.stored.id, "playing": False}  # type: ignore[union-attr]
    assert house.post("simulated/seat", ME, playing=True) == 200
    until(house, lambda: house.match.standing.turn == ME and not busy(house), 400.0)


def my_turn(house: LiveHouse) -> bool:
    return house.match.standing.turn == ME and not house.match.standing.owed and not busy(house)


def people_of(house: LiveHouse) -> LivePeople:
    assert isinstance(house.film.people, LivePeople)
    return house.film.people


def busy(house: LiveHouse) -> bool:
    """Something is under way, or has not been judged yet."""
    if house.differences or house.film.players._waiting is not None:  # noqa: SLF001  # the people say nothing of it
        return True
    held = house.held(ME)
    return bool(not held["hand"] and house.match.standing.by_seat("hands")[ME - 1]) or bool(
        held["waiting"] or held["astray"]
    )


def place(card: str, source: str = "hand") -> JSON:
    return {"do": "place", "by": ME, "card": card, "from": source}


def cards(house: LiveHouse, lawful: bool) -> list[str]:
    """Of the visitor's hand; the test knows the rules, the visitor's page does not."""
    people = people_of(house)
    return [card for card in house.held(ME)["hand"] if (not people.objections(place(card))) == lawful]


def test_a_visitor_s_card_is_laid_by_the_hand_seen_and_scored(house: LiveHouse) -> None:
    visit(house)
    card, played = cards(house, True)[0], house.runner.stored
    assert played is not None
    assert house.post("simulated/acts", ME, do="lay", card=card, to="tree", match="2026-11-20-9") == 409, "another's"
    assert house.post("simulated/acts", ME, do="lay", card=card, to="tree", match=played.id) == 200
    until(house, lambda: ("played", place(card)) in events(house), 15.0)
    until(house, lambda: card not in house.held(ME)["hand"], 2.0)


def test_nobody_lays_anything_in_a_seat_that_a_visitor_plays(house: LiveHouse) -> None:
    visit(house)
    entries = len(house.match.record.lines)
    for _ in range(int(60 * RATE_HZ)):
        house.tick()
    assert len(house.match.record.lines) == entries
    assert house.post("simulated/seat", ME, playing=False) == 200
    until(house, lambda: len(house.match.record.lines) > entries, 30.0)


def test_a_visitor_who_has_gone_leaves_the_seat_to_the_dice(house: LiveHouse) -> None:
    visit(house)
    entries, began_s = len(house.match.record.lines), house.now_s
    until(house, lambda: len(house.match.record.lines) > entries, ABSENT_S + 30.0, there=False)
    assert house.now_s - began_s > ABSENT_S - 10.0
    assert not house.held(ME)["playing"]
    assert house.post("simulated/acts", ME, do="show", card="KEND") == 409


def test_a_refused_card_is_taken_back_by_touch(house: LiveHouse) -> None:
    """ "Hunting still needs Band": the visitor reads it, and takes the card back."""
    visit(house)
    card = cards(house, False)[0]
    assert house.post("simulated/acts", ME, do="lay", card=card, to="tree") == 200
    until(house, lambda: ("refused", place(card)) in events(house), 15.0)
    until(house, lambda: house.held(ME)["astray"] == [card], 5.0)
    began_s = house.now_s
    assert house.post("simulated/acts", ME, do="take", card=card) == 200
    until(house, lambda: not house.match.record.open_refusals, 12.0)
    assert house.now_s - began_s < 8.0
    until(house, lambda: card in house.held(ME)["hand"], 5.0)


def test_a_refused_card_that_nobody_takes_back_is_taken_back_for_the_visitor(house: LiveHouse) -> None:
    visit(house)
    card = cards(house, False)[0]
    house.post("simulated/acts", ME, do="lay", card=card, to="tree")
    until(house, lambda: house.match.record.open_refusals, 15.0)
    began_s = house.now_s
    until(house, lambda: not house.match.record.open_refusals, 40.0)
    assert house.now_s - began_s > 10.0, "there is time to read why"
    until(house, lambda: card in house.held(ME)["hand"], 5.0)


def test_a_card_that_is_laid_out_of_turn_comes_back_to_the_hand_that_laid_it(house: LiveHouse) -> None:
    visit(house)
    house.post("moves", ME, move={"do": "discard", "by": ME, "card": house.held(ME)["hand"][0]})
    house.post("moves", ME, move={"do": "end_turn", "by": ME})
    assert house.match.standing.turn != ME
    house.post("simulated/seat", 3, playing=True)  # another visitor, who thinks for a while
    until(house, lambda: not busy(house), 20.0)
    card = house.held(ME)["hand"][0]
    house.post("simulated/acts", ME, do="lay", card=card, to="discard-2")
    until(house, lambda: house.differences, 15.0)
    until(house, lambda: not busy(house) and card in house.held(ME)["hand"], 40.0)


def test_a_command_card_is_seen_by_the_camera_and_ends_the_turn(house: LiveHouse) -> None:
    visit(house)
    house.post("simulated/acts", ME, do="lay", card=house.held(ME)["hand"][0], to="discard-2")
    until(house, lambda: not busy(house), 30.0)
    assert house.post("simulated/acts", ME, do="show", card="KEND") == 200
    until(house, lambda: ("played", {"do": "end_turn", "by": ME}) in events(house), 20.0)
    line = next(line for line in house.match.record.lines if line.entry.origin.value == "camera")
    assert line.entry.number


@pytest.mark.parametrize(("whose", "holder"), [(3, 3), (ME, ME), (0, 0)])
def test_whoever_has_the_called_card_says_so(
    house: LiveHouse, monkeypatch: pytest.MonkeyPatch, whose: int, holder: int
) -> None:
    """The visitor calls out; he cannot see who holds it, and is not asked: nobody answers for what is in the stack."""
    visit(house)
    people, said = people_of(house), list[JSON]()
    monkeypatch.setattr(house.film.players._scoreboard, "say", lambda move, number: said.append(move))  # noqa: SLF001  # what they would say
    card = people.hands[whose][0] if whose else people.stack[0]
    house.post("simulated/acts", ME, do="call", card=card)
    until(house, lambda: said, 5.0)
    assert said == [{"do": "call", "by": ME, "card": card, "holder": holder}]


def test_a_card_is_laid_beside_the_one_that_was_touched(house: LiveHouse) -> None:
    visit(house)
    card = cards(house, True)[0]
    house.post("simulated/acts", ME, do="lay", card=card, to="tree", beside="1-1")
    until(house, lambda: ("played", place(card)) in events(house) and not busy(house), 15.0)
    until(house, lambda: card_token(card) in house.film.stage.lying, 5.0)
    lying = house.film.stage.lying
    one, other = (lying[card_token(key)] for key in (card, "1-1"))
    assert abs(one.x_mm - other.x_mm) + abs(one.y_mm - other.y_mm) < 120


@pytest.mark.parametrize(
    ("status", "act"),
    [
        (409, {"do": "lay", "card": "6-9", "to": "tree"}),  # nobody sees where it is
        (409, {"do": "take", "card": "1-1"}),  # it lies where it belongs
        (422, {"do": "lay", "card": "1-5", "to": "the floor"}),
        (422, {"do": "show", "card": "KGO"}),
        (422, {"do": "dance", "card": "1-5"}),
        (422, {"do": "lay"}),
        (422, {"do": "take", "card": ""}),
        (422, {"do": "take", "card": "9" * 9}),
    ],
)
def test_what_no_hand_can_do_is_said_and_nothing_moves(house: LiveHouse, status: int, act: JSON) -> None:
    visit(house)
    if act.get("card") == "6-9" and "6-9" in house.held(ME)["hand"]:
        act = act | {"card": "6-8"}
    lying = dict(house.film.stage.lying)
    assert house.post("simulated/acts", ME, **act) == status
    for _ in range(16):
        house.tick()
    assert set(house.film.stage.lying) == set(lying)


def test_the_hand_is_shown_to_its_own_seat_alone(house: LiveHouse) -> None:
    visit(house, table_match(3, "en-memory") | {"position": START | {"turn": ME}})
    assert house.held(ME)["hand"] == people_of(house).hands[ME]
    assert set(house.held(3)) == {"match", "playing"}
    assert house.client.get("/api/v1/simulated/seat").status_code == 403
    assert house.client.get("/api/v1/seat").status_code == 403


def play_whole(house: LiveHouse, lasts_s: float) -> None:
    """As a newcomer would: what fits is laid, now and then what does not, and what is owed is paid."""
    people, end_s, errs = people_of(house), house.now_s + lasts_s, 0
    while not house.match.over:
        assert house.now_s < end_s, house.match.standing
        house.tick()
        if house.match.standing.owed and house.match.standing.owed[0].seat == ME and not busy(house):
            owed = house.match.standing.owed[0]
            if owed.do == "discard":
                house.post("simulated/acts", ME, do="lay", card=house.held(ME)["hand"][0], to=f"discard-{ME}")
            else:
                other = next(seat for seat in (1, 3) if people.hands[seat])
                house.post("moves", ME, move={"do": "steal", "by": ME, "from": other})
            until(house, lambda: not busy(house), 30.0)
        elif my_turn(house) and not house.match.over:
            hand = house.held(ME)["hand"]
            wrong, right = cards(house, False), cards(house, True)
            end = people.objections({"do": "end_turn", "by": ME})
            if wrong and errs < 3:
                errs += 1
                house.post("simulated/acts", ME, do="lay", card=wrong[0], to="tree")
                until(house, lambda: house.held(ME)["astray"], 20.0)
                house.post("simulated/acts", ME, do="take", card=wrong[0])
            elif right:
                house.post("simulated/acts", ME, do="lay", card=right[0], to="tree")
            elif end and hand:
                house.post("simulated/acts", ME, do="lay", card=hand[0], to=f"discard-{ME}")
            else:
                house.post("simulated/acts", ME, do="show", card="KEND")
            until(house, lambda: not busy(house), 40.0)
    assert errs == 3


def judged(house: LiveHouse) -> None:
    """By the second judge: every standing, and the winners."""
    referee = Referee({"match": house.runner.stored.header["match"], "deck": DECK})  # type: ignore[union-attr]
    for line in house.match.record.lines:
        told = encode_line(line)
        assert referee.entry(told)["standing"] == told["standing"], told
    assert house.match.standing.winners
    assert [move for event, move in events(house) if event == "refused" and move["by"] == ME]


@pytest.mark.slow
def test_a_visitor_plays_to_the_end_against_two_simulated_people(house: LiveHouse) -> None:
    pool = ["3-7", "3-8", "3-9", "2-8", "2-9"]
    tree = [card for era in (1, 2, 3) for n in range(1, 10) if (card := f"{era}-{n}") not in pool]
    late = {"stack": 0, "hands": [9, 9, 9], "tree": tree, "pool": pool, "discards": [[], [], []]}
    visit(house, table_match(3) | {"position": START | late})
    play_whole(house, 2000.0)
    judged(house)


@pytest.mark.long
def test_a_visitor_plays_a_newcomer_s_whole_match(house: LiveHouse) -> None:
    visit(house, table_match(3))
    play_whole(house, 4000.0)
    judged(house)


def test_a_game_without_a_hand_for_visitors_refuses_them_and_its_people_play_on(house: LiveHouse) -> None:
    """A seat that nobody plays would stand still for two minutes; also who played the match before plays no longer."""
    visit(house)
    names = [person["name"] for person in table_match(3)["seat"]]
    match = dict(CARCASSONNE.demonstration.match) | {"seat": [{"name": name} for name in names]}
    house.begin(match, demo_deck(CARCASSONNE), 1)
    assert house.post("simulated/seat", ME, playing=True) == 409
    assert not house.held(ME)["playing"]
    until(house, lambda: any(move and move["by"] == ME for _, move in events(house)), 60.0)


def test_each_newcomer_takes_a_seat_that_nobody_plays_until_there_is_none(house: LiveHouse) -> None:
    """The one whose turn comes next; without a code, and it is theirs from then on."""
    house.begin(table_match(3), demo_deck(), 1)
    house.post("simulated/seat", ME, playing=True)
    turn = house.match.standing.turn
    assert turn is not None
    wanted = [seat for seat in (turn % 3 + 1, (turn + 1) % 3 + 1, turn) if seat != ME]
    newcomers = [house.client.application.test_client() for _ in range(3)]
    answers = [client.post("/api/v1/simulated/visit", json={}) for client in newcomers]
    assert [answer.status_code for answer in answers] == [200, 200, 409]
    assert [answer.json["seat"] for answer in answers[:2]] == wanted
    for client in newcomers[:2]:
        assert client.get("/api/v1/simulated/seat").json["playing"]
        assert client.post("/api/v1/simulated/visit", json={}).status_code == 200, "one's own seat is free to oneself"


def test_a_visitor_goes_with_the_name_into_the_next_match_and_to_another_place() -> None:
    now = [("one", ((1, "Ana"), (2, "Ben"), (3, "Cléo")))]
    visitors = Visitors(lambda: now[0], lambda: 0.0)
    visitors.play(2, True)
    visitors.show(2, SeatThings(hand=("1-1",)))
    visitors.ask(2, Gesture("show", "KEND"))
    now[0] = ("one", ((2, "Ben"), (1, "Ana"), (3, "Cléo")))  # they change places
    assert visitors.seats() == {1}
    now[0] = ("two", ((1, "Cléo"), (2, "Ana"), (3, "Ben")))
    assert visitors.seats() == {3}
    assert visitors.things(3) == (SeatThings(), ()), "nothing of the match before is left"
    now[0] = ("three", ((1, "Ana"), (2, "Zoé")))
    assert not visitors.seats()
