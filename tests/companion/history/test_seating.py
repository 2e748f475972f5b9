"""Seats can be renamed, swapped, joined late and left, and nothing of it loses a card or an entry."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from support.scripted_table import Film

from companion.cli.main import main
from companion.errors import InputError
from companion.games.discovery.moves import EndTurn, Place, Stop
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


def table(profile: str = "fr-explore", late: tuple[int, ...] = (), **more) -> Film:
    seats = [{"name": name} | ({"late": True} if n in late else {}) for n, name in enumerate(NAMES, 1)]
    film = Film(open_match({"profile": profile, "seat": seats, **more}, demo_deck()).game)
    film.look(1, **dict.fromkeys(POOL, "pool"))
    return film


def cards(film: Film) -> int:
    return film.game.counted(film.evening.record.state)


def told(film: Film, language: str = "en") -> str:
    """What was said last."""
    return WORDS.say(film.news[-1].texts[0], language, Names())


def say(film: Film, move) -> None:
    film.say(MakeMove(move, Origin.PHONE))


def test_who_leaves_in_his_turn_is_passed_over_and_his_hand_goes_under_the_stack() -> None:
    film = table()
    stack = film.evening.standing.stack
    film.look(2, C11="tree")
    film.say(ChangeSeat(Seat(1), here=False))
    standing = film.evening.standing
    assert (standing.turn, standing.hands, standing.stack) == (2, (0, 5, 5), stack + 4)
    assert cards(film) == 54
    assert film.signals[-1] is Signal.CORRECTED
    film.look(2, C12="tree")
    say(film, EndTurn(Seat(2)))
    film.look(2, C14="tree")
    say(film, EndTurn(Seat(3)))
    assert film.evening.standing.turn == 2, "seat 1 is empty"
    assert film.story[-4:] == ["played place 2 1-2", "played end_turn 2", "played place 3 1-4", "played end_turn 3"]


def test_who_left_says_nothing_and_loses_nothing_on_the_table() -> None:
    film = table(options={"stop": True})
    film.look(2, C11="tree")
    film.say(ChangeSeat(Seat(3), here=False))
    say(film, Stop(Seat(3)))
    assert film.story[-1] == "refused stop 3 turn"
    say(film, Place(Seat(3), CardId("1-2"), "hand"))
    assert film.story[-1].startswith("refused place 3 1-2 turn")
    assert film.evening.standing.points[0] == 1


def test_a_seat_kept_for_somebody_late_is_dealt_in_when_he_comes() -> None:
    """ "Dan comes at nine": no cards until then, and nobody waits for him."""
    film = table(late=(2,))
    assert film.evening.standing.hands == (5, 0, 5)
    assert film.evening.standing.turn == 1
    film.look(2, C11="tree")
    say(film, EndTurn(Seat(1)))
    assert film.evening.standing.turn == 3
    stack = film.evening.standing.stack
    film.say(ChangeSeat(Seat(2), here=True))
    assert (film.evening.standing.hands[1], film.evening.standing.stack) == (5, stack - 5)
    film.look(2, C12="tree")
    say(film, EndTurn(Seat(3)))
    say(film, Place(Seat(1), CardId("1-5"), "hand"))
    say(film, EndTurn(Seat(1)))
    assert film.evening.standing.turn == 2
    assert cards(film) == 54


def test_the_first_turn_is_nobodys_who_is_not_there_yet() -> None:
    assert table(late=(1,)).evening.standing.turn == 2


def test_leaving_can_be_undone_like_any_entry_and_is_not_the_last_thing_that_undo_takes() -> None:
    film = table()
    film.look(2, C11="tree")
    film.say(ChangeSeat(Seat(2), here=False))
    film.say(Undo())
    assert film.story[-2:] == ["seated", "struck 2"], "undo takes back the last card; nobody meant who sits where"
    film.say(Undo(3))
    assert film.evening.standing.hands == (5, 5, 5)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (ChangeSeat(Seat(2), here=True), "sits there already"),
        (ChangeSeat(Seat(1), here=False), None),
    ],
)
def test_what_cannot_be_is_said_in_words_and_changes_nothing(said: ChangeSeat, why: str | None) -> None:
    film = table()
    if why is None:
        film.say(ChangeSeat(Seat(2), here=False))
        film.say(ChangeSeat(Seat(3), here=False))
        why = "nobody would be left"
    before = len(film.entries)
    film.say(said)
    assert len(film.entries) == before
    assert why in told(film)
    assert told(film, "fr").startswith("Ce n’est pas possible : ")
    assert why not in told(film, "fr")


def test_nobody_leaves_while_a_stop_waits_for_its_answer() -> None:
    film = table("fr-bluff")
    film.look(2, C29="pile")
    say(film, Stop(Seat(2)))
    film.say(ChangeSeat(Seat(1), here=False))
    assert "answer that first" in told(film)


def test_nobody_is_dealt_in_from_an_empty_stack() -> None:
    position = {
        **{"turn": 1, "tree": ["1-1"], "pool": [], "discards": [[], [], []], "points": [0, 0, 0]},
        **{"hands": [26, 27, 0], "stack": 0},
    }
    film = table(late=(3,), position=position)
    film.say(ChangeSeat(Seat(3), here=True))
    assert "the stack is empty" in told(film)


@pytest.mark.parametrize("profile", ["en-intro", "en-memory", "en-explore", "fr-explore", "fr-bluff"])
@pytest.mark.parametrize("seed", range(3))
def test_a_match_in_which_people_come_and_go_ends_and_loses_no_card(profile: str, seed: int) -> None:
    """Somebody is late and comes; somebody leaves; the rest play by dice to the end, and the log alone tells it."""
    dice = random.Random(f"{profile} {seed}")
    seats = [{"name": name} | ({"late": True} if n == 2 else {}) for n, name in enumerate((*NAMES, "Dan"), 1)]
    header = {"profile": profile, "seat": seats}
    film = Film(open_match(header, demo_deck()).game)
    come, go = dice.randint(2, 20), dice.randint(25, 45)
    for number in range(900):
        film.time_s += 12.0
        film.evening.wake(film.time_s)
        if film.evening.over and not film.evening.standing.provisional:
            break
        if number == come:
            film.say(ChangeSeat(Seat(2), here=True))
        if number == go:
            film.say(ChangeSeat(Seat(4), here=False))
        game, public, at = film.game, film.evening.public, film.evening.record.next_context(film.time_s)
        meant = propose(game, public, dice, list(game.setup.facts), at)
        move = next((move for move in meant if not game.judge(public, move, at)), None)
        if move is not None:
            say(film, move)
        assert cards(film) == 54
        assert film.evening.standing.turn not in game.public(film.evening.record.state).away
    assert film.evening.over, film.story[-5:]
    assert film.story.count("seated") >= 1
    assert "refused" not in " ".join(film.story), film.story
    again = replay(
        film.game, [decode_entry(film.game, json.loads(json.dumps(encode_entry(e))), e.number) for e in film.entries]
    )
    assert again.state == film.evening.record.state


# Names, and phones that go along


@pytest.fixture
def house(tmp_path: Path):
    paper = EventLog(tmp_path / LOG_FILE)
    host = MatchRunner(
        paper,
        lambda header: open_match(header["match"], header["deck"]).game,
        wall_clock=lambda: "2026-01-01T18:00:00+01:00",
    )
    host.ask = lambda question: question()  # type: ignore[method-assign, assignment]  # without a thread of its own
    desk = TableService(host, source="picamera", version="1", picture=lambda: None, complete=lambda match: match)
    seats = [{"name": "Ana"}, {"name": "Ben"}, {"name": "Robo", "bot": True}]
    host.begin({"match": {"profile": "fr-explore", "seat": seats}, "deck": demo_deck()})
    yield desk
    paper.close()


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
    evening = house.match._runner.evening
    assert evening is not None
    assert (evening.standing.hands, evening.standing.turn) == ((0, 5, 5), 2)
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
    film = table()
    for said in (ChangeSeat(Seat(1), swaps=Seat(3)), ChangeSeat(Seat(1), name="Dan"), Undo(2)):
        film.say(said)
    people = seating(NAMES, film.entries)
    assert [person.name for person in people] == ["Dan", "Ben", "Cléo"]


def test_a_record_with_a_seat_that_is_none_is_refused_in_one_sentence() -> None:
    game = table().game
    for wrong in ({"seat": 9}, {"seat": 0}, {"seat": 1, "swaps": 9}, {"seat": 1, "here": 1}, {"seat": 1, "name": 3}):
        with pytest.raises(InputError):
            decode_entry(game, {"event": "seated", **wrong}, 1)
