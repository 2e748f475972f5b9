"""What a record tells afterwards, as numbers, as a drawing and as a page."""

from __future__ import annotations

import csv
import io
import itertools
import json
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import given, strategies as st
from support.demo_cards import demo_deck
from support.real_desk import HOST_CODE, MATCH, NAMES, RealDesk

from companion.games.discovery.pages import hyphenated
from companion.games.discovery.pages.report import report
from companion.public.i18n import Translations
from companion.public.service import Role, User
from web.app import close, create_app
from web.pages.chart import HEIGHT, LABEL_GAP, TOP, WIDTH, chart
from web.pages.match_report import NotedEntry
from web.pages.player_stats import Opponent, PlayerStatistics, player_history, player_statistics

HEAD = {
    "record": 1,
    "match": {"profile": "fr-explore", "seat": [{"name": "Ana"}, {"name": "Ben"}]},
    "deck": demo_deck(),
}


def entry(event: str, totals: tuple[int, int], **more: Any) -> dict[str, Any]:
    return {"event": event, "standing": {"points": list(totals)}, **more}


def place(card: str, by: int = 1, do: str = "place", **more: Any) -> dict[str, Any]:
    return {"do": do, "by": by, "card": card, "from": "hand", **more}


def record(*entries: dict[str, Any]) -> list[str]:
    return [json.dumps(HEAD), *(json.dumps({"number": number, **one}) for number, one in enumerate(entries, 1))]


EVENING = record(
    entry("dealt", (0, 0), move={"do": "deal", "by": 0, "pool": ["1-9"]}),
    entry("played", (1, 0), move=place("1-1"), points=1, time_s=30.0),
    entry("refused", (1, 0), move=place("2-1"), objections=[{"rule": "prerequisites", "cards": ["1-4"]}]),
    entry("settled", (1, 0), settles=3),
    entry("played", (3, 0), move=place("1-2"), points=2),
    entry("struck", (1, 0), strikes=5, by=1),
    entry("played", (1, 0), move={"do": "end_turn", "by": 1}),
    entry("played", (1, 4), move=place("1-3", by=1), points=4),
    entry("claimed", (1, 4), claims=8, by=2),
    entry("refused", (1, 4), move=place("1-5", by=2), objections=[{"rule": "link", "cards": ["1-3"]}]),
    entry("allowed", (1, 6), allows=10, by=1, time_s=600.0),
    entry("played", (1, 7), move={"do": "joker", "by": 2, "joker": "J1", "as": "1-6", "from": "hand"}, points=1),
)


def test_undone_cards_are_left_out_and_claimed_ones_are_whose_they_are():
    told, names = report(EVENING)
    assert [(one.seat, one.card) for one in told.placed] == [(1, "1-1"), (2, "1-3"), (2, "1-5"), (2, "1-6")]
    assert told.of(2)[-1].joker == "J1"
    assert (told.turns, told.undone, told.minutes) == (1, 1, 10)
    assert names.card("1-1", "fr") == "Australopithèque"
    assert [told.moments[place].number for place in told.leads()] == [2, 8]
    assert [(told.moments[place].number, seat) for place, seat in told.jumps()] == [(8, 2)]


def test_what_was_refused_is_told_with_what_became_of_it():
    faults = report(EVENING)[0].faults
    assert [(one.card, one.allowed, one.stood) for one in faults] == [("2-1", False, False), ("1-5", True, False)]
    assert faults[0].objections == (("prerequisites", ("1-4",)),)


def test_the_tree_of_any_moment_is_what_came_and_was_not_taken_away():
    told, _ = report(EVENING)
    laid: list[str] = []
    history = []
    for moment in told.moments:
        if moment.came:
            laid.append(moment.came.card)
        if moment.went:
            laid.remove(moment.went)
        history.append(list(laid))
    assert history[4] == ["1-1", "1-2"]
    assert history[5] == ["1-1"]
    assert sorted(history[-1]) == sorted(one.card for one in told.placed)


def test_a_torn_last_line_is_left_out_and_something_else_is_no_record():
    assert report([*EVENING, '{"number": 13, "ev'])[0] == report(EVENING)[0]
    for nonsense in ([], ["{}"], ["[1]"], ["{"]):
        with pytest.raises(ValueError, match=r"record|Expecting"):
            report(nonsense)


curves = st.integers(1, 9).flatmap(
    lambda seats: st.lists(st.tuples(*[st.integers(-9, 120)] * seats), min_size=2, max_size=60)
)


@given(curves)
def test_names_beside_the_lines_never_cover_each_other(curve: list[tuple[int, ...]]):
    drawn = chart(curve)
    if not any(any(points) for points in curve):
        assert drawn is None
        return
    assert drawn is not None
    places = sorted(line.name_y for line in drawn.lines)
    assert all(later - earlier >= LABEL_GAP - 1e-6 for earlier, later in itertools.pairwise(places))
    assert places[0] >= TOP - 1e-6 or len(places) * LABEL_GAP > HEIGHT - TOP
    assert places[-1] <= HEIGHT
    # Whoever has more stands higher, and ends higher.
    for one in drawn.lines:
        for other in drawn.lines:
            if one.points > other.points:
                assert one.end[1] < other.end[1]
                assert one.name_y < other.name_y
    assert all(0 <= x <= WIDTH for x in drawn.xs)
    assert 2 <= len(drawn.ticks) <= 7


def test_the_page_opens_when_the_match_is_over_and_earlier_for_the_host(client: FlaskClient, desk: RealDesk):
    desk.refuse("2-2")
    desk.take_back("2-2")
    assert "The report opens when this match is over." in client.get(f"/matches/{MATCH}").text
    host = {"Authorization": f"Bearer {HOST_CODE}"}
    early = client.get(f"/matches/{MATCH}", headers=host).text
    assert "Fire" in early
    assert "still needed Scavenging" in early
    desk.win()
    page = client.get(f"/matches/{MATCH}", headers={"Accept-Language": "fr"}).text
    assert "il manquait Charognage" in page
    assert client.get("/matches/nobody").status_code == 404


def test_players_are_known_by_their_names_however_these_are_written():
    def match(seats: list[str], points: list[int], winners: list[int], over: bool = True) -> dict[str, Any]:
        return {"seats": seats, "points": points, "winners": winners, "over": over}

    told = player_statistics(
        [
            match(["ana ", "Ben"], [12, 20], [2]),
            match(["Ana", "BEN", "Cy"], [30, 20, 30], [1, 3]),
            match(["Ana", "Ben"], [0, 0], [1]),  # a game without points
            match(["Ana", "Ben"], [9, 1], [1], over=False),
            match(["Ana", "Ben"], [50, 1], []),  # broken off
        ]
    )
    assert told == (
        PlayerStatistics("ana ", played=3, won=2, best=30, mean=21.0),
        PlayerStatistics("Ben", played=3, won=1, best=20, mean=20.0),
        PlayerStatistics("Cy", played=1, won=1, best=30, mean=30.0),
    )


def test_a_player_s_page_tells_points_wins_and_whom_they_met(words: Translations):
    desk = RealDesk()
    desk.lay(3)
    desk.win()
    desk.begin()  # a match counts when the next one has begun
    won = desk.archive.matches(User(Role.SPECTATOR))[1]["winners"]
    app = create_app(desk, words)
    client = app.test_client()
    page = client.get(f"/players/{NAMES[won[0] - 1].upper()}").text
    assert "<b>1</b> match" in page
    assert "<b>1</b> won" in page
    assert 'href="/players/' in client.get("/matches").text
    assert client.get("/players/Nobody").status_code == 404
    close(app)


def test_a_history_is_told_from_the_oldest_match_with_wins_on_both_sides():
    def match(name: str, seats: list[str], points: list[int], winners: list[int]) -> dict[str, Any]:
        return {"id": name, "profile": "x", "seats": seats, "points": points, "winners": winners, "over": True}

    newest_first = [
        match("3", ["Ben", "ana"], [5, 20], [2]),
        match("2", ["Ana", "Cy"], [0, 0], [2]),
        match("1", ["Ana", "Ben"], [9, 9], [1, 2]),
        match("0", ["Ana", "Ben"], [9, 9], []),  # broken off
    ]
    told = player_history(newest_first, " ANA")
    assert told is not None
    assert [(one.id, one.points, one.won) for one in told.matches] == [
        ("1", 9, True),
        ("2", None, False),
        ("3", 20, True),
    ]
    assert told.opponents == (Opponent("Ben", met=2, won=2, lost=1), Opponent("Cy", met=1, won=0, lost=1))
    assert player_history(newest_first, "Dora") is None


def test_a_chart_s_axis_is_time_where_times_are_known():
    points = [(0, 0), (3, 0), (3, 4)]
    timed, untimed = chart(points, [0.0, 30.0, 120.0]), chart(points, [0.0, None, 120.0])
    assert timed is not None
    assert untimed is not None
    left, right = timed.xs[0], timed.xs[-1]
    assert (timed.xs[1] - left) / (right - left) == pytest.approx(0.25)
    assert [minute for _, minute in timed.minutes] == [0, 1, 2]
    assert timed.minutes[-1][0] == pytest.approx(right)
    assert (untimed.xs[1] - left) / (right - left) == pytest.approx(0.5)
    assert untimed.minutes == ()


def test_a_match_is_read_by_a_spreadsheet_and_no_name_becomes_a_formula(words: Translations):
    names = ("=1+1", "Ben", "Cy", "Dora")
    desk = RealDesk([{"name": name} for name in names])
    desk.lay(3)
    app = create_app(desk, words)
    client = app.test_client()
    assert client.get(f"/matches/{MATCH}/moves.csv").status_code == 403
    desk.win()
    answer = client.get(f"/matches/{MATCH}/moves.csv")
    rows = list(csv.DictReader(io.StringIO(answer.text.removeprefix("\ufeff"))))
    close(app)
    assert answer.mimetype == "text/csv"
    assert rows[2]["do"] == "place"
    assert rows[2]["name"] == "Band"
    assert all(row["player"] in ("'=1+1", *names[1:], "") for row in rows)
    assert rows[-1]["'=1+1"] == str(desk.standing.points[0])


def test_a_silent_game_s_report_says_what_the_silence_hid(words: Translations):
    desk = RealDesk(profile="en-memory")
    desk.lay(2)
    desk.put("2-1", "pile")
    desk.win()
    app = create_app(desk, words)
    page = app.test_client().get(f"/matches/{MATCH}").get_data(as_text=True)
    close(app)
    assert "What nobody noticed" in page
    assert "against the rules" in page
    assert "still needed" in page


def test_a_kept_picture_is_told_by_what_it_shows():
    entries = [
        {"event": "played", "move": {"do": "place", "by": 1, "card": "1-1", "from": "hand"}},
        {"event": "unexplained", "change": {"card": "1-2", "from": None, "to": "tree"}},
        {"event": "played", "move": {"do": "stop", "by": 2, "number": 1}},
    ]
    head = {"match": {"seat": [{"name": "Ana"}, {"name": "Ben"}]}}
    told, _ = report(json.dumps(line) for line in [head, *entries])
    assert told.noted == (
        NotedEntry(1, "played", "1-1"),
        NotedEntry(2, "unexplained", "1-2"),
        NotedEntry(3, "stop", "1-1"),
    )


@pytest.mark.parametrize(
    ("language", "name", "broken"),
    [
        ("en", "Australopithecus", "Aus-tralo-pithe-cus"),
        ("en", "Scavenging", "Scav-eng-ing"),
        ("en", "Cave painting", "Cave painting"),  # the line ends after "Cave"
        ("en", "Painting", "Paint-ing"),
        ("en", "Nomadism", "No-madism"),
        ("en", "Artificial intelligence", "Arti-fi-cial intel-li-gence"),
        ("en", "Philosophy", "Phi-los-ophy"),
        ("en", "Fire", "Fire"),
        ("fr", "Plantes médicinales", "Plantes médi-ci-nales"),
        ("fr", "Art pariétal", "Art pariétal"),
        ("fr", "Charognage", "Cha-ro-gnage"),
    ],
)
def test_long_words_break_where_their_language_breaks_them(language: str, name: str, broken: str):
    pieces = hyphenated(name, language).split("\u00ad")
    assert "".join(pieces) == name
    assert "-".join(pieces) == broken
