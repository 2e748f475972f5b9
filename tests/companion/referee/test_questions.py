"""What stands on the phones and on the lamp stands there only as long as it is true, and only once."""

from __future__ import annotations

import random

import pytest
from support.scripted_table import Film
from support.toy_game import Stairs

from companion.games.discovery.moves import Place, Steal
from companion.games.registry import demo_deck, open_match
from companion.history.events import Origin
from companion.history.statistics import match_statistics
from companion.public.table import CardId, Seat, Token
from companion.public.updates import Alert, Signal
from companion.referee.commands import (
    AcceptTable,
    Allow,
    AnswerQuestion,
    Claim,
    CommandCard,
    MakeMove,
    Pause,
    Resume,
    Undo,
)

TOKENS = [f"C{era}{number}" for era in (1, 2) for number in range(1, 10)]
POOL = ("C21", "C22", "C13", "C24", "C15")


def real(profile: str, *pool: str) -> Film:
    """A real match of three with this pool."""
    match = {"profile": profile, "seat": [{"name": name} for name in ("Ana", "Ben", "Cléo")]}
    film = Film(open_match(match, demo_deck()).game)
    film.look(1, **dict.fromkeys(pool, "pool"))
    return film


@pytest.fixture
def film() -> Film:
    film = Film(Stairs())
    film.look(C15="pool")
    return film


@pytest.fixture
def forgotten() -> Film:
    """Ana laid 1-6 and forgot to end her turn; 1-4 and 1-7, and 1-3, are linked neither to it nor to each other."""
    match = {"profile": "fr-explore", "seat": [{"name": name} for name in ("Ana", "Ben", "Cléo")]}
    match["position"] = {
        **{"turn": 1, "tree": ["1-1", "1-2", "1-5"], "pool": ["3-3", "3-4", "3-5", "3-6", "3-7"], "stack": 31},
        **{"discards": [[], [], []], "hands": [5, 5, 5], "points": [0, 0, 0]},
    }
    lying = {"C11": "tree", "C12": "tree", "C15": "tree"} | {f"C3{n}": "pool" for n in range(3, 8)}
    film = Film(open_match(match, demo_deck()).game, lying=lying)
    film.look(2, C16="tree")
    assert film.story == ["played place 1 1-6"]
    return film


def shown(film: Film) -> list[tuple[str, dict]]:
    return [(asked.text.key, dict(asked.text.params)) for asked in film.news[-1].questions]


def test_two_cards_of_the_next_seat_ask_one_question(forgotten: Film) -> None:
    """ "Ben's turn?" stood twice on every phone."""
    forgotten.look(3, C14="tree", C17="tree")
    assert shown(forgotten) == [("referee.whose_turn", {"seat": 2})]
    assert Signal.REFUSED not in forgotten.signals
    (asked,) = forgotten.news[-1].questions
    forgotten.say(AnswerQuestion(asked.number, 0, Seat(2)))
    assert forgotten.story[-2:] == ["played end_turn 1", "played place 2 1-4"]
    forgotten.look(3)
    assert shown(forgotten) == [("referee.whose_turn", {"seat": 3})], "the other card is judged anew"


def test_the_same_question_about_another_card_stays_when_the_first_card_is_taken_back(forgotten: Film) -> None:
    forgotten.look(3, C14="tree")
    forgotten.look(3, C17="tree")
    assert shown(forgotten) == [("referee.whose_turn", {"seat": 2})]
    forgotten.look(3, C14=None)
    assert shown(forgotten) == [("referee.whose_turn", {"seat": 2})]
    (left,) = forgotten.news[-1].questions
    forgotten.say(AnswerQuestion(left.number, 0, Seat(2)))
    assert forgotten.story[-2:] == ["played end_turn 1", "played place 2 1-7"]


def test_a_card_that_hangs_on_an_open_question_waits_for_its_answer_and_does_not_buzz(forgotten: Film) -> None:
    """Ben lays two cards before anybody looks at a phone; the second is linked to the first."""
    forgotten.look(4, C13="tree")
    forgotten.look(4, C19="tree")  # needs 1-3 and 1-5
    assert forgotten.story[1:] == ["refused place 1 1-3 link"]
    assert Signal.REFUSED not in forgotten.signals
    (asked,) = forgotten.news[-1].questions
    forgotten.say(AnswerQuestion(asked.number, 0, Seat(2)))
    forgotten.look(2)
    assert forgotten.story[2:] == ["played end_turn 1", "played place 2 1-3", "played place 2 1-9"]
    assert forgotten.news[-1].alert is Alert.NONE


def test_a_card_that_hung_on_a_question_is_judged_when_the_question_falls_away(forgotten: Film) -> None:
    forgotten.look(4, C13="tree")
    forgotten.look(4, C19="tree")
    forgotten.look(4, C13=None)
    assert forgotten.story[-2:] == ["settled 2", "refused place 1 1-9 prerequisites link"]
    assert forgotten.signals[-1] is Signal.REFUSED


def test_a_question_without_a_lawful_answer_left_falls_away_and_its_card_is_judged_anew(forgotten: Film) -> None:
    """Ben's card was asked about; then Ana ended her turn on her phone, and Ben laid another card, to which it has
    no link either. It stood there as "Ben's turn?" in Ben's own turn."""
    forgotten.look(3, C14="tree")
    forgotten.say(MakeMove(forgotten.game.moves["end_turn"](Seat(1)), Origin.PHONE))  # type: ignore[call-arg]
    forgotten.say(MakeMove(Place(Seat(2), CardId("1-7"), "hand"), Origin.PHONE))
    forgotten.look(3, C17="tree")
    assert shown(forgotten) == [("referee.whose_turn", {"seat": 3})]


def empty_stack(turn_end: str) -> Film:
    """Ana laid 1-1 and forgot to end her turn. Ben owes a steal before anything else (F:286), and says it."""
    match = {"profile": "fr-explore", "seat": [{"name": name} for name in ("Ana", "Ben", "Cléo")]}
    match |= {"options": {"turn_end": turn_end}}
    match["position"] = {
        **{"turn": 1, "tree": ["1-2"], "pool": ["3-3", "3-4", "3-5", "3-6", "3-7"], "stack": 0},
        **{"discards": [[], [], []], "hands": [16, 16, 16], "points": [0, 0, 0]},
    }
    lying = {"C12": "tree"} | {f"C3{n}": "pool" for n in range(3, 8)}
    film = Film(open_match(match, demo_deck()).game, lying=lying)
    film.say(MakeMove(Steal(Seat(1), Seat(2)), Origin.PHONE))
    film.look(2, C11="tree")
    film.say(MakeMove(Steal(Seat(2), Seat(3)), Origin.PHONE))
    return film


def test_what_the_next_seat_says_ends_the_turn_where_ends_are_inferred() -> None:
    film = empty_stack("inferred")
    assert film.story == ["played steal 1", "played place 1 1-1", "played end_turn 1", "played steal 2"]
    (asked,) = film.news[-1].questions
    assert asked.text.key == "referee.passed_on"
    film.say(AnswerQuestion(asked.number, 0, Seat(1)))
    assert film.story[4:] == ["struck 4", "struck 3"]
    assert film.evening.standing.turn == 1
    assert film.news[-1].questions == ()


def test_what_the_next_seat_says_asks_whose_turn_it_is_where_ends_are_spoken() -> None:
    film = empty_stack("spoken")
    assert film.story[2:] == ["refused steal 2 turn"]
    assert shown(film) == [("referee.whose_turn", {"seat": 2})]
    film.look(3, C15="tree")
    assert Signal.REFUSED not in film.signals, "Ben's card waits for the answer"
    (asked,) = film.news[-1].questions
    film.say(AnswerQuestion(asked.number, 0, Seat(1)))
    film.look(2)
    assert film.story[3:] == ["played end_turn 1", "played steal 2", "played place 2 1-5"]
    assert (film.news[-1].questions, film.news[-1].alert) == ((), Alert.NONE)


def test_a_question_about_what_somebody_said_falls_away_when_the_turn_is_over() -> None:
    film = empty_stack("spoken")
    film.look(2, KEND="commands")
    assert film.story[3:] == ["played end_turn 1"]
    film.look(1)
    assert (film.news[-1].questions, film.news[-1].alert) == ((), Alert.NONE)


def test_what_the_next_seat_says_is_refused_in_words_where_ends_are_spoken(film: Film) -> None:
    film.say(MakeMove(film.game.moves["end_turn"](Seat(2)), Origin.PHONE))  # type: ignore[call-arg]
    assert film.story[1:] == ["refused end_turn 2 turn"]
    assert film.news[-1].questions == ()


def test_a_refused_card_taken_back_during_a_pause_puts_out_the_lamp(film: Film) -> None:
    film.look(2, C13="tree")
    film.say(Pause())
    film.look(2, C13=None)
    assert film.story[-1] == "settled 2"
    assert film.news[-1].alert is Alert.PAUSED
    film.say(Resume())
    assert film.news[-1].alert is Alert.NONE


def test_a_refused_card_taken_back_after_the_end_puts_out_the_lamp() -> None:
    """Ben's card may not lie there; Ana lays her last one beside it and has won."""
    match = {"profile": "en-intro", "seat": [{"name": "Ana"}, {"name": "Ben"}]}
    match["position"] = {
        **{"turn": 1, "tree": ["1-1"], "pool": ["3-3", "3-4", "3-5", "3-6", "3-7"], "stack": 0},
        **{"discards": [[], []], "hands": [1, 47], "points": [0, 0]},
    }
    lying = {"C11": "tree"} | {f"C3{n}": "pool" for n in range(3, 8)}
    film = Film(open_match(match, demo_deck()).game, lying=lying)
    film.look(3, C29="tree")
    film.look(2, C14="tree")
    film.look(2, KEND="commands")
    assert film.evening.over
    assert film.news[-1].alert is Alert.REFUSED
    film.look(2, C29=None)
    assert film.story[-1] == "settled 1"
    assert film.news[-1].alert is Alert.NONE


def test_a_tap_during_a_pause_does_not_lose_the_question(film: Film) -> None:
    film.look(C11="tree")
    film.look(2, C12="tree")
    film.say(Pause())
    (asked,) = film.news[-1].questions
    film.say(AnswerQuestion(asked.number, 0, Seat(2)))
    assert film.evening.issues.questions.for_phones() == (asked,)
    film.say(Resume())
    film.say(AnswerQuestion(asked.number, 0, Seat(2)))
    assert film.story[-2:] == ["played end_turn 1", "played place 2 1-2"]


def test_a_question_left_open_is_asked_again_after_a_restart(film: Film) -> None:
    film.look(C11="tree")
    film.look(2, C12="tree")
    later = Film(Stairs(), entries=list(film.entries), time_s=5000.0, lying=dict(film.lying))
    later.look(3)
    (asked,) = later.news[-1].questions
    assert later.news[-1].alert is Alert.ASKS
    later.say(AnswerQuestion(asked.number, 0, Seat(2)))
    later.look(3)
    assert later.story[-2:] == ["played end_turn 1", "played place 2 1-2"]
    assert later.news[-1].alert is Alert.NONE


def test_after_a_restart_a_refused_card_is_not_settled_because_the_eye_has_not_read_it_yet(film: Film) -> None:
    """The first looks of an eye that was just opened show an empty table."""
    film.look(C11="tree")
    film.look(2, C13="tree")
    later = Film(Stairs(), entries=list(film.entries), time_s=5000.0)
    later.look(0.75)
    later.look(20, **film.lying)
    assert later.story == film.story
    assert (Signal.REFUSED in later.signals, later.evening.issues.alert(later.evening.record)) == (False, Alert.REFUSED)
    gone = Film(Stairs(), entries=list(film.entries), time_s=5000.0, lying={"C11": "tree", "C15": "pool"})
    gone.look(6)
    assert gone.story[3:] == ["settled 3"], "it was taken back while the box was off"


def test_after_a_restart_the_last_card_is_not_undone_because_it_is_read_late(film: Film) -> None:
    film.look(C11="tree")
    later = Film(Stairs(), entries=list(film.entries), time_s=5000.0, lying={"C15": "pool"})
    later.look(3)
    later.look(10, C11="tree")
    assert later.story == film.story


def test_letting_a_card_stand_is_undone_by_undo(film: Film) -> None:
    """It was refused: "entry 2 would no longer hold"."""
    film.look(2, C12="tree")
    film.say(Allow())
    film.say(Undo())
    assert film.story[1:] == ["refused place 1 1-2 prerequisites", "allowed 2", "struck 3"]


def test_a_series_whose_last_card_the_table_took_away_begins_anew(forgotten: Film) -> None:
    """ "The table is right" without the card that was laid last, and then the next one: the referee fell over."""
    forgotten.look(1, C16=None)
    forgotten.say(AcceptTable())
    forgotten.look(2, C13="tree")
    assert forgotten.story == ["played place 1 1-6", "corrected", "played place 1 1-3"]


def test_bens_turn_is_a_question_and_no_refusal_in_the_honest_figures(film: Film) -> None:
    film.look(C11="tree")
    film.look(2, C12="tree")
    told = match_statistics(film.evening.record.lines)
    assert (told.questions, told.refusals, told.false_alarms) == (1, 0, 0)
    film.say(Allow())
    assert match_statistics(film.evening.record.lines).false_alarms == 0, "nobody was alarmed"


def happen(film: Film, dice: random.Random) -> Film:
    """Anything that may happen at a table."""
    lot = dice.random()
    zones = ["tree", "tree", "tree", "discard-1", "discard-2", "pool", None]
    if lot < 0.45:
        more = {dice.choice(TOKENS): "tree"} if dice.random() < 0.3 else {}
        film.look(0.75, hand=dice.random() < 0.5, **{dice.choice(TOKENS): dice.choice(zones), **more})
    elif lot < 0.6:
        film.look(1.5, KEND="commands")
        film.look(0.5, KEND=None)
    elif lot < 0.7:
        put_right(film)
    elif lot < 0.86:
        open_questions = list(film.evening.issues.questions.open) or [1]
        seat = Seat(dice.randint(1, 3))
        words = [
            Undo(),
            Allow(),
            Claim(seat),
            AnswerQuestion(dice.choice(open_questions), 0),
            CommandCard(CardId("KEND")),
        ]
        film.say(dice.choice(words))
    elif lot < 0.9:
        film.say(dice.choice((Pause(), Resume())))
    elif lot < 0.92:
        return Film(film.game, entries=list(film.entries), time_s=film.time_s + 1000, lying=dict(film.lying))
    return film


def put_right(film: Film) -> None:
    """Everything is laid as the referee would have it."""
    names = {card: str(token) for token, card in film.game.cards.items()}
    wanted = {names[card]: str(z) for card, z in film.game.expected(film.evening.public).cards.items()}
    film.look(3, **{**dict.fromkeys(set(film.lying) - set(wanted)), **wanted})


@pytest.mark.parametrize(
    ("profile", "seed"),
    [(p, n) for p in ("fr-explore", "en-intro") for n in range(5)]
    + [pytest.param(p, n, marks=pytest.mark.long) for p in ("fr-explore", "en-explore") for n in range(5, 60)],
)
def test_whatever_happens_no_alarm_and_no_question_outlives_its_card(profile: str, seed: int) -> None:
    dice = random.Random(f"{profile} {seed}")
    film = real(profile, *dice.sample(TOKENS, 5))
    for _ in range(40):
        film = happen(film, dice)
        film.look(5)
        issues, record = film.evening.issues, film.evening.record
        newest = film.news[-1] if film.news else film.evening.latest()
        differences = set(issues.differences(film.game, record))
        refused = [one.change for one in record.open_refusals.values() if one.change is not None]
        assert set(refused) <= differences
        assert len(set(refused)) == len(refused)
        assert {question.change for question in issues.questions.open.values()} <= differences
        told = [(asked.text, asked.answers) for asked in newest.questions]
        assert all(told.count(one) == 1 for one in told)
        for one in newest.questions:
            if one.text.key == "referee.whose_turn":
                assert one.text.params["seat"] != film.evening.standing.turn
        assert (newest.alert, newest.questions) == (issues.alert(record), issues.questions.for_phones())
        if not differences:
            assert newest.alert in (Alert.NONE, Alert.PAUSED)


def test_all_tokens_of_these_tables_are_cards() -> None:
    assert {Token(token) for token in TOKENS} <= set(real("fr-explore", *POOL).game.cards)
