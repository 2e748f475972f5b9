"""Seats can be renamed, swapped, joined late and left, and nothing of it loses a card or an entry."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.conserved import count_things
from support.idle_services import IDLE
from support.scripted_table import ScriptedTable

from companion.cli.main import main
from companion.errors import InputError
from companion.games.discovery.moves import Concede, EndTurn, Place, Stop
from companion.games.discovery.random_play import propose
from companion.games.registry import demo_deck, locale_folders, open_match
from companion.history.codec import decode_entry, encode_entry
from companion.history.events import Origin
from companion.history.record import replay
from companion.history.seating import seating
from companion.public.i18n import Names, Translations
from companion.public.service import Denied, Done, Invalid, Role, Stale, User
from companion.public.table import CardId, Seat
from companion.public.text import Text
from companion.public.updates import Signal
from companion.referee.commands import ChangeSeat, MakeMove, Undo
from companion.service.runner import MatchRunner
from companion.service.table_service import TableService
from companion.storage.event_log import LOG_FILE, EventLog

NAMES = ("Ana", "Ben", "Cléo")
POOL = ("C21", "C22", "C13", "C24", "C25")
HOST = User(Role.HOST)
WORDS = Translations(locale_folders())


def table_with(profile: str = "fr-explore", late: tuple[int, ...] = (), **more) -> ScriptedTable:
    seats = [{"name": name} | ({"late": True} if n in late else {}) for n, name in enumerate(NAMES, 1)]
    table = ScriptedTable(open_match({"profile": profile, "seat": seats, **more}, demo_deck()).game)
    table.look(1, **dict.fromkeys(POOL, "pool"))
    return table


def cards(table: ScriptedTable) -> int:
    return count_things(table.game, table.match.record.state)


def told(table: ScriptedTable, language: str = "en") -> str:
    """What was said last."""
    return WORDS.say(table.news[-1].texts[0], language, Names())


def say(table: ScriptedTable, move) -> None:
    table.say(MakeMove(move, Origin.PHONE))


def test_who_leaves_in_his_turn_is_passed_over_and_his_hand_goes_under_the_stack() -> None:
    table = table_with()
    stack = table.match.standing.counters["stack"]
    table.look(2, C11="tree")
    table.say(ChangeSeat(Seat(1), here=False))
    standing = table.match.standing
    assert (standing.turn, standing.counters["hands"], standing.counters["stack"]) == (2, (0, 5, 5), stack + 4)
    assert cards(table) == 54
    assert table.signals[-1] is Signal.CORRECTED
    table.look(2, C12="tree")
    say(table, EndTurn(Seat(2)))
    table.look(2, C14="tree")
    say(table, EndTurn(Seat(3)))
    assert table.match.standing.turn == 2, "seat 1 is empty"
    assert table.story[-4:] == ["played place 2 1-2", "played end_turn 2", "played place 3 1-4", "played end_turn 3"]


def test_who_left_says_nothing_and_loses_nothing_on_the_table() -> None:
    table = table_with(options={"stop": True})
    table.look(2, C11="tree")
    table.say(ChangeSeat(Seat(3), here=False))
    say(table, Stop(Seat(3)))
    assert table.story[-1] == "refused stop 3 turn"
    say(table, Place(Seat(3), CardId("1-2"), "hand"))
    assert table.story[-1].startswith("refused place 3 1-2 turn")
    assert table.match.standing.points[0] == 1


def test_a_seat_kept_for_somebody_late_is_dealt_in_when_he_comes() -> None:
    """ "Dan comes at nine": no cards until then, and nobody waits for him."""
    table = table_with(late=(2,))
    assert table.match.standing.counters["hands"] == (5, 0, 5)
    assert table.match.standing.turn == 1
    table.look(2, C11="tree")
    say(table, EndTurn(Seat(1)))
    assert table.match.standing.turn == 3
    stack = table.match.standing.counters["stack"]
    table.say(ChangeSeat(Seat(2), here=True))
    assert (table.match.standing.counters["hands"][1], table.match.standing.counters["stack"]) == (5, stack - 5)
    table.look(2, C12="tree")
    say(table, EndTurn(Seat(3)))
    say(table, Place(Seat(1), CardId("1-5"), "hand"))
    say(table, EndTurn(Seat(1)))
    assert table.match.standing.turn == 2
    assert cards(table) == 54


def test_the_first_turn_is_nobodys_who_is_not_there_yet() -> None:
    assert table_with(late=(1,)).match.standing.turn == 2


def test_leaving_can_be_undone_like_any_entry_and_is_not_the_last_thing_that_undo_takes() -> None:
    table = table_with()
    table.look(2, C11="tree")
    table.say(ChangeSeat(Seat(2), here=False))
    table.say(Undo())
    assert table.story[-2:] == ["seated", "struck 2"], "undo takes back the last card; nobody meant who sits where"
    table.say(Undo(3))
    assert table.match.standing.counters["hands"] == (5, 5, 5)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (ChangeSeat(Seat(2), here=True), "somebody sits there already; choose an empty seat"),
        (ChangeSeat(Seat(1), here=False), None),
    ],
)
def test_what_cannot_be_is_said_in_words_and_changes_nothing(said: ChangeSeat, why: str | None) -> None:
    table = table_with()
    if why is None:
        table.say(ChangeSeat(Seat(2), here=False))
        table.say(ChangeSeat(Seat(3), here=False))
        why = "nobody would be left"
    before = len(table.entries)
    table.say(said)
    assert len(table.entries) == before
    assert why in told(table)
    assert told(table, "fr").startswith("Ce n’est pas possible : ")
    assert why not in told(table, "fr")


def test_nobody_leaves_while_a_stop_waits_for_its_answer() -> None:
    table = table_with("fr-bluff")
    table.look(2, C29="pile")
    say(table, Stop(Seat(2)))
    table.say(ChangeSeat(Seat(1), here=False))
    assert "answer it first" in told(table)


def test_what_was_done_before_somebody_left_is_undone_after_that() -> None:
    """ "A Stop is waiting for an answer" was said, and none was: there would be one if the verdict were undone."""
    table = table_with("fr-bluff")
    table.look(2, C29="pile")
    say(table, Stop(Seat(2)))
    say(table, Concede(Seat(1)))
    table.say(ChangeSeat(Seat(3), here=False))
    table.say(Undo(4))
    assert told(table) == "Not possible: the change of seats builds on it. Undo that first."
    assert told(table, "fr") == "Impossible : le changement de place en dépend. Annulez cela d’abord."
    table.say(Undo(5))
    table.say(Undo(4))
    assert table.story[-2:] == ["struck 5", "struck 4"]


def test_nobody_is_dealt_in_from_an_empty_stack() -> None:
    position = {
        **{"turn": 1, "tree": ["1-1"], "pool": [], "discards": [[], [], []], "points": [0, 0, 0]},
        **{"hands": [26, 27, 0], "stack": 0},
    }
    table = table_with(late=(3,), position=position)
    table.say(ChangeSeat(Seat(3), here=True))
    assert "the stack is empty" in told(table)


@pytest.mark.parametrize("profile", ["en-intro", "en-memory", "en-explore", "fr-explore", "fr-bluff"])
@pytest.mark.parametrize("seed", range(3))
def test_a_match_in_which_people_come_and_go_ends_and_loses_no_card(profile: str, seed: int) -> None:
    """Somebody is late and comes; somebody leaves; the rest play by dice to the end, and the log alone tells it."""
    dice = random.Random(f"{profile} {seed}")
    seats = [{"name": name} | ({"late": True} if n == 2 else {}) for n, name in enumerate((*NAMES, "Dan"), 1)]
    header = {"profile": profile, "seat": seats}
    table = ScriptedTable(open_match(header, demo_deck()).game)
    come, go = dice.randint(2, 20), dice.randint(25, 45)
    for number in range(900):
        table.time_s += 12.0
        table.match.wake(table.time_s)
        if table.match.over and not table.match.standing.provisional:
            break
        if number == come:
            table.say(ChangeSeat(Seat(2), here=True))
        if number == go:
            table.say(ChangeSeat(Seat(4), here=False))
        game, public, at = table.game, table.match.public, table.match.record.next_context(table.time_s)
        meant = propose(game, public, dice, list(game.setup.facts), at)
        move = next((move for move in meant if not game.rules.judge(public, move, at)), None)
        if move is not None:
            say(table, move)
        assert cards(table) == 54
        assert table.match.standing.turn not in game.public(table.match.record.state).away
    assert table.match.over, table.story[-5:]
    assert table.story.count("seated") >= 1
    assert "refused" not in " ".join(table.story), table.story
    again = replay(
        table.game,
        [decode_entry(table.game, json.loads(json.dumps(encode_entry(e))), e.number) for e in table.entries],
    )
    assert again.state == table.match.record.state


# Names, and phones that go along


@pytest.fixture
def runner(tmp_path: Path) -> Iterator[MatchRunner]:
    paper = EventLog(tmp_path / LOG_FILE)
    runner = MatchRunner(
        paper,
        lambda header: open_match(header["match"], header["deck"]).game,
        wall_clock=lambda: "2026-01-01T18:00:00+01:00",
    )
    runner.ask = lambda question: question()  # type: ignore[method-assign, assignment]  # without a thread of its own
    yield runner
    paper.close()


@pytest.fixture
def house(runner: MatchRunner) -> TableService:
    desk = TableService(
        runner,
        **IDLE,
        source="picamera",
        version="1",
        picture=lambda: None,
        complete=lambda match: {"match": match, "deck": demo_deck()},
    )
    seats = [{"name": "Ana"}, {"name": "Ben"}, {"name": "Robo", "bot": True}]
    runner.begin({"match": {"profile": "fr-explore", "seat": seats}, "deck": demo_deck()})
    return desk


def names(desk: TableService) -> list[str]:
    match = desk.match.current()
    assert match is not None
    return [seat["name"] for seat in match["seats"]]


def test_a_seat_is_renamed_everywhere_and_for_the_rematch(house: TableService) -> None:
    assert isinstance(house.match.correct(HOST, {"do": "seat", "seat": 2, "name": "  Zoé  "}), Done)
    assert names(house) == ["Ana", "Zoé", "Robo"]
    assert house.archive.matches(HOST)[0]["seats"] == ["Ana", "Zoé", "Robo"]
    house.match.rematch(HOST)
    assert names(house) == ["Ana", "Zoé", "Robo"]


def test_nobody_is_called_what_another_seat_is_called_or_a_phone_would_lose_its_seat(house: TableService) -> None:
    """ "Ben" and "ben" are one on a scoreboard; whoever keeps his own name keeps it."""
    for taken in ("Ben", " ben "):
        refused = house.match.correct(HOST, {"do": "seat", "seat": 1, "name": taken})
        assert isinstance(refused, Invalid)
    assert isinstance(house.match.correct(HOST, {"do": "seat", "seat": 2, "name": "BEN"}), Done)
    assert names(house) == ["Ana", "BEN", "Robo"]
    house.match.correct(HOST, {"do": "seat", "seat": 1, "swaps": 2})
    taken = house.match.correct(HOST, {"do": "seat", "seat": 1, "name": "Ana"})
    assert isinstance(taken, Invalid), "she sits in seat 2 now"


def test_the_command_line_lists_who_sits_there_now(house: TableService, tmp_path: Path, capsys) -> None:
    house.match.correct(HOST, {"do": "seat", "seat": 2, "name": "Zoé"})
    assert main(["matches", "--data", str(tmp_path)]) == 0
    assert "Ana, Zoé, Robo" in capsys.readouterr().out


def test_who_left_is_not_waited_for_in_the_rematch_and_may_come_back(house: TableService) -> None:
    assert isinstance(house.match.correct(HOST, {"do": "seat", "seat": 2, "here": False}), Done)
    house.match.rematch(HOST)
    assert house.match.view(HOST)["away"] == [2]
    assert isinstance(house.match.correct(HOST, {"do": "seat", "seat": 2, "here": True, "name": "Zoé"}), Done)
    house.match.rematch(HOST)
    assert (house.match.view(HOST)["away"], names(house)) == ([], ["Ana", "Zoé", "Robo"])


def test_who_changes_places_takes_name_and_phone_along(house: TableService) -> None:
    codes = {one.user.seat: one.code for one in house.match.join_codes(HOST)}
    assert isinstance(house.match.correct(HOST, {"do": "seat", "seat": 1, "swaps": 2}), Done)
    assert names(house) == ["Ben", "Ana", "Robo"]
    assert house.match.user(codes[1]) == User(Role.SEAT, Seat(2)), "Ana's phone speaks for the seat where she is now"
    assert isinstance(house.match.correct(HOST, {"do": "undo", "number": 1}), Done)
    assert names(house) == ["Ana", "Ben", "Robo"]
    assert house.match.user(codes[1]) == User(Role.SEAT, Seat(1))


@pytest.mark.parametrize(
    "said",
    [
        {},
        {"seat": 4, "name": "Eva"},
        {"seat": 1},
        {"seat": 1, "name": ""},
        {"seat": 1, "name": "a" * 41},
        {"seat": 1, "name": "a\x00b"},
        {"seat": 1, "swaps": 1},
        {"seat": 1, "swaps": 2, "here": True},
        {"seat": 1, "here": "yes"},
    ],
)
def test_what_means_nothing_is_answered_with_422(house: TableService, said: dict) -> None:
    assert isinstance(house.match.correct(HOST, {"do": "seat", **said}), Invalid)


def test_the_host_is_told_beforehand_what_comes_of_leaving_and_of_sitting_down(house: TableService) -> None:
    """The preview is what then happens, and what cannot be done is said with its reason."""
    before = house.match.seats(HOST)
    assert [(one["here"], one["why"], one["cards"], one["next"]) for one in before[:2]] == [
        (True, None, 5, 2),
        (True, None, 5, None),
    ]
    assert isinstance(house.match.correct(HOST, {"do": "seat", "seat": 1, "here": False}), Done)
    evening = house.match._runner.match  # noqa: SLF001  # its standing is asked for
    assert evening is not None
    assert (evening.standing.counters["hands"], evening.standing.turn) == ((0, 5, 5), 2)
    left, last, robo = house.match.seats(HOST)
    assert (left["here"], left["why"], left["cards"]) == (False, None, 5)
    assert (last["why"], robo["why"]) == (Text("seat.fault.last"), None)
    refused = house.match.correct(HOST, {"do": "seat", "seat": 2, "here": False})
    assert isinstance(refused, Stale)
    assert refused.reason.params["why"] == (last["why"],)
    assert house.match.seats(User(Role.SEAT, Seat(2))) == ()


def test_who_sits_where_is_the_hosts_to_say(house: TableService) -> None:
    seat = User(Role.SEAT, Seat(1))
    assert isinstance(house.match.correct(seat, {"do": "seat", "seat": 1, "name": "Queen"}), Denied)


def test_a_struck_swap_is_none() -> None:
    table = table_with()
    for said in (ChangeSeat(Seat(1), swaps=Seat(3)), ChangeSeat(Seat(1), name="Dan"), Undo(2)):
        table.say(said)
    people = seating(NAMES, table.entries)
    assert [person.name for person in people] == ["Dan", "Ben", "Cléo"]


def test_a_record_with_a_seat_that_is_none_is_refused_in_one_sentence() -> None:
    game = table_with().game
    for wrong in ({"seat": 9}, {"seat": 0}, {"seat": 1, "swaps": 9}, {"seat": 1, "here": 1}, {"seat": 1, "name": 3}):
        with pytest.raises(InputError):
            decode_entry(game, {"event": "seated", **wrong}, 1)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Ana", "Ana"),
        ("Ana", "ana "),
        ("Zoé", "Zoe\u0301"),
        ("Ana", "A\u200dna"),
        ("Ana Maria", "Ana  Maria"),
        ("Ana", "Ａｎａ"),
    ],
)
def test_no_two_seats_of_a_new_match_share_a_name_or_a_phone_would_not_know_its_seat(
    house: TableService, first: str, second: str
) -> None:
    before = house.match.current()
    seats = [{"name": first}, {"name": "Ben"}, {"name": second}]
    refused = house.match.start(HOST, {"profile": "fr-explore", "seat": seats})
    assert isinstance(refused, Invalid)
    assert "seat.3.name" in str(refused.faults[0]), "which of them is to be changed"
    assert house.match.current() == before, "the match at the table goes on"


@pytest.mark.parametrize("name", ["\u202eAna", "An\x07a", "\u3164", "\u2800 \u2800", "\u200d", "A" * 41])
def test_a_name_that_nobody_can_see_or_that_turns_the_line_round_begins_no_match(
    house: TableService, name: str
) -> None:
    refused = house.match.start(HOST, {"profile": "fr-explore", "seat": [{"name": "Ben"}, {"name": name}]})
    assert isinstance(refused, Invalid)
    assert isinstance(house.match.correct(HOST, {"do": "seat", "seat": 1, "name": name}), Invalid)


def test_names_are_kept_without_what_surrounds_them_and_a_family_of_emoji_is_a_name(house: TableService) -> None:
    seats = [{"name": "  Ana   Maria "}, {"name": "👨\u200d👩\u200d👧"}]
    assert isinstance(house.match.start(HOST, {"profile": "fr-explore", "seat": seats}), Done)
    assert names(house) == ["Ana Maria", "👨\u200d👩\u200d👧"]


def test_what_else_is_wrong_with_seats_is_still_told(house: TableService) -> None:
    for seats in ("Ana", [7, {"name": "Ana"}], [{"name": " "}, {"name": "Ana"}], [{"name": ["Ana"]}], None):
        assert isinstance(house.match.start(HOST, {"profile": "fr-explore", "seat": seats}), Invalid), seats


def test_a_match_file_with_one_name_twice_is_played_and_the_host_can_rename_one(
    house: TableService, runner: MatchRunner
) -> None:
    """Match files and matches of earlier versions may have it."""
    match = {"profile": "fr-explore", "seat": [{"name": "Ana"}, {"name": "Ana"}]}
    runner.begin({"match": match, "deck": demo_deck()})
    assert names(house) == ["Ana", "Ana"]
    assert isinstance(house.match.correct(HOST, {"do": "seat", "seat": 2, "name": "Bea"}), Done)
    assert isinstance(house.match.rematch(HOST), Done)
    assert names(house) == ["Ana", "Bea"]
