"""The list of matches, and a match's page, say whether it is over."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from support.pin_traces import eventually
from support.real_desk import HOST_CODE, MATCH, Evening, RealDesk

from companion.games.registry import demo_deck
from companion.public.i18n import Translations
from companion.public.text import Text
from companion.public.updates import AnswerOption
from companion.referee.commands import AnswerQuestion
from web.app import close, create_app
from web.middleware.turns import Turns

ALL = [f"{era}-{number}" for era in range(1, 7) for number in range(1, 10)]
LAST, POOL = "6-9", ["6-4", "6-5", "6-6", "6-7", "6-8"]


def begin_near_the_end(evening: Evening) -> None:
    """Ana has one card left."""
    others = [LAST, *POOL, "6-3"]
    position = {
        "turn": 1,
        "tree": [card for card in ALL if card not in others],
        "pool": POOL,
        "discards": [[], []],
        "hands": [1, 1],
        "stack": 0,
    }
    match = {"profile": "en-intro", "seat": [{"name": "Ana"}, {"name": "Ben"}], "position": position}
    evening.host.ask(lambda: evening.host.begin({"match": match, "deck": demo_deck()}))


def text(client: FlaskClient, evening: Evening, path: str) -> str:
    answer = client.get(path, headers={"Authorization": f"Bearer {evening.code(None)}"})
    assert answer.status_code == 200
    return answer.get_data(as_text=True)


@pytest.mark.parametrize("is_won", [False, True])
def test_a_match_that_was_won_a_moment_ago_is_not_called_running(
    evening: Evening, words: Translations, is_won: bool
) -> None:
    """It stays at the table until the next one begins; the list named its winner and said "running"."""
    begin_near_the_end(evening)
    if is_won:
        evening.say({"do": "place", "by": 1, "card": "6-3", "from": "hand"})
    app = create_app(evening.desk, words)
    try:
        client = app.test_client()
        newest = client.get("/api/v1/matches").get_json()["matches"][0]
        assert newest.get("ended", False) == is_won
        for path in ("/matches", f"/matches/{newest['id']}"):
            assert ("· running" in text(client, evening, path)) == (not is_won), path
    finally:
        close(app)


@pytest.mark.parametrize(("path", "status"), [("/", 200), ("/no-such-page", 404), ("/matches/nothing", 404)])
def test_who_only_watches_waits_for_a_page_behind_those_who_read(app: Flask, path: str, status: int) -> None:
    """Twenty who opened the first page again and again made a seat's press take fifty times as long."""
    turns: Turns = app.extensions["context"].turns
    answers: list[int] = []
    asking = threading.Thread(target=lambda: answers.append(app.test_client().get(path).status_code))
    with turns.taken():
        asking.start()
        assert eventually(lambda: turns.waiting == 1)
        assert not answers
    asking.join(20)
    assert answers == [status]


def test_a_seat_waits_for_no_reader(app: Flask, bearer: Callable[[int | str], dict[str, str]]) -> None:
    app.extensions["context"] = replace(app.extensions["context"], turns=Turns(at_a_time=0, waiting=0))
    assert app.test_client().get("/seat", headers=bearer(1)).status_code == 200


def test_who_is_told_that_too_many_read_waits_for_no_turn(app: Flask) -> None:
    app.extensions["context"] = replace(app.extensions["context"], turns=Turns(at_a_time=0, waiting=0))
    for path in ("/", "/no-such-page", "/matches", "/matches/nothing"):
        answer = app.test_client().get(path)
        assert answer.status_code == 503
        assert answer.headers["Retry-After"]


def test_a_result_that_hangs_on_a_question_is_told_nowhere_as_final(words: Translations) -> None:
    """The list gave a winner a star, and the spreadsheet said nothing, while "Ana's turn?" was still open."""
    desk = RealDesk()
    desk.lay(3)
    desk.win()
    desk.question(AnswerOption(Text("referee.yes")))
    app = create_app(desk, words)
    host = {"Authorization": f"Bearer {HOST_CODE}"}

    def line(who: dict[str, str]) -> dict[str, Any]:
        return app.test_client().get("/api/v1/matches", headers=who).get_json()["matches"][0]

    for who in ({}, host):
        told = line(who)
        assert (told["winners"], told["provisional"], told["asked"], "ended" in told) == ([], True, True, False)
    assert "Provisional until somebody answers." in app.test_client().get("/matches").text
    assert "★" not in app.test_client().get("/matches").text
    assert app.test_client().get(f"/matches/{MATCH}/moves.csv").status_code == 403
    table = app.test_client().get(f"/matches/{MATCH}/moves.csv", headers=host)
    assert table.headers["Content-Disposition"] == f"attachment; filename={MATCH}-provisional.csv"
    heads = table.text.removeprefix("\ufeff").splitlines()[0].split(",")
    assert heads[-4:] == ["Ana?", "Ben?", "Cy?", "Dora?"]
    page = app.test_client().get(f"/matches/{MATCH}", headers=host).text
    assert "Provisional until somebody answers." in page
    assert "Won by" not in page
    number = desk.newest_question
    desk.runner.match.handle(AnswerQuestion(number, 0), desk.runner.clock())
    told = line({})
    assert (bool(told["winners"]), told["ended"], "provisional" in told, "asked" in told) == (True, True, False, False)
    table = app.test_client().get(f"/matches/{MATCH}/moves.csv")
    assert table.headers["Content-Disposition"] == f"attachment; filename={MATCH}.csv"
    close(app)
