"""The feed: whoever comes back gets what he missed, in order, once; and never more than the desk told."""

from __future__ import annotations

import itertools
import json
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import given, settings, strategies as st
from support.real_desk import HOST, HOST_CODE, RealDesk

from companion.public.i18n import Translations
from companion.public.service import Done
from web.app import create_app
from web.language import LOCALE_FOLDER, Translator
from web.push.sse import BACKLOG, EventStreams

pytestmark = pytest.mark.core

WORDS = Translations((LOCALE_FOLDER,))


def events(lines: Iterator[str]) -> Iterator[dict[str, Any]]:
    """Server-Sent Events as a browser reads them."""
    for block in (one for piece in lines for one in piece.split("\n\n") if one):
        event: dict[str, Any] = {"event": "message"}
        for line in block.split("\n"):
            name, _, value = line.partition(": ")
            if name:
                event[name] = value
        if "data" in event:
            event["data"] = json.loads(event["data"])
            yield event


def follow(feed: EventStreams, language: str = "en", after: int | None = None) -> Iterator[dict[str, Any]]:
    waiting = feed.open()
    assert waiting is not None
    return events(feed.events(waiting, language, after))


@pytest.fixture
def feed(desk: RealDesk) -> Iterator[EventStreams]:
    feed = EventStreams(desk.match, Translator(WORDS))
    yield feed
    feed.close()


class StreamReader:
    """A page: keeps the last id, may lose its stream at any moment and comes back."""

    def __init__(self, feed: EventStreams) -> None:
        self.feed = feed
        self.last: int | None = None
        self.seen: list[int] = []
        self.stream: Iterator[dict[str, Any]] | None = None

    def connect(self) -> None:
        self.stream = follow(self.feed, after=self.last)

    def read(self, until: int) -> None:
        """Reads until the entry is shown."""
        assert self.stream is not None
        while (self.last or 0) < until:
            event = next(self.stream)
            if "id" in event:
                self.last = int(event["id"])
                assert event["data"]["number"] == self.last
                if event["event"] == "message":
                    self.seen.append(self.last)

    def drop(self) -> None:
        self.stream = None


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(["lay", "refuse", "lose", "drop", "connect", "read"]), max_size=40))
def test_whoever_comes_back_misses_nothing_and_hears_nothing_twice(acts: list[str]):
    desk = RealDesk()
    feed = EventStreams(desk.match, Translator(WORDS))
    phone = StreamReader(feed)
    phone.connect()
    phone.read(1)
    for act in acts:
        if act in ("drop", "connect"):
            phone.drop()
        if act in ("connect", "read") and phone.stream is None:
            phone.connect()
        if act == "read":
            phone.read(len(desk.told))
        elif act == "lay":
            desk.lay(1)
        elif act == "refuse":
            desk.refuse("6-4")
            desk.take_back("6-4")
        elif act == "lose":
            desk.lose()
            desk.lose(None)
    if phone.stream is None:
        phone.connect()
    phone.read(len(desk.told))
    assert phone.seen == list(range(2, len(desk.told) + 1))
    feed.close()


def test_a_first_visit_gets_the_standing_and_then_everything(desk: RealDesk, feed: EventStreams):
    stream = follow(feed, "fr")
    first = next(stream)
    assert (first["event"], first["id"]) == ("snapshot", "3")
    assert first["data"]["standing"]["points"] == [3, 0, 0, 0]
    desk.lay(1)
    assert next(stream)["id"] == "4"


def test_what_is_no_entry_has_no_id_so_that_resuming_asks_for_the_last_entry(desk: RealDesk, feed: EventStreams):
    stream = follow(feed)
    next(stream)
    desk.lose()
    lost = next(stream)
    assert "id" not in lost
    assert lost["data"]["alert"] == "lost"
    assert lost["data"]["number"] == 3


def test_an_entry_told_between_asking_and_listening_is_told_once(desk: RealDesk, feed: EventStreams):
    waiting = feed.open()
    assert waiting is not None
    desk.end_turn()  # heard by the open stream before it asks for what it missed
    stream = events(feed.events(waiting, "en", 2))
    assert [next(stream).get("id") for _ in range(3)] == ["3", "4", None]
    desk.lay()
    assert next(stream)["id"] == "5"


def test_a_new_match_under_an_open_page_starts_counting_again(desk: RealDesk, feed: EventStreams):
    desk.lay(6)
    stream = follow(feed)
    next(stream)
    desk.begin(seats=[{"name": "Zoé"}])
    fresh = [next(stream) for _ in range(2)]
    assert [(one["data"]["match"], one.get("id")) for one in fresh] == [("2026-11-20-2", None), ("2026-11-20-2", "1")]


def test_an_id_of_another_match_gets_the_standing(feed: EventStreams):
    assert next(follow(feed, after=99))["event"] == "snapshot"


def test_when_all_places_are_taken_the_page_is_told_to_ask_instead(desk: RealDesk, words: Translations):
    feed = EventStreams(desk.match, Translator(words), streams=2)
    app = create_app(desk, words, streams=feed)
    client: FlaskClient = app.test_client()
    held = [client.get("/api/v1/events", buffered=False) for _ in range(2)]
    refused = client.get("/api/v1/events")
    assert refused.status_code == 503
    assert refused.headers["Retry-After"]
    assert refused.mimetype == "application/problem+json"
    held[0].close()
    assert client.get("/api/v1/events", buffered=False).status_code == 200
    feed.close()


def test_a_quiet_stream_is_alive(desk: RealDesk):
    feed = EventStreams(desk.match, Translator(WORDS), heartbeat_s=0.01)
    waiting = feed.open()
    assert waiting is not None
    lines = feed.events(waiting, "en", None)
    next(lines)
    assert next(lines) == "event: here\ndata: {}\n\n"
    feed.close()


def test_a_page_that_lags_too_far_is_let_go_and_gets_the_rest_when_it_returns(desk: RealDesk, feed: EventStreams):
    stream = follow(feed)
    next(stream)
    for number in range(BACKLOG + 5):
        desk.correct("resume" if number % 2 else "pause")
    assert feed.listeners == 0
    told = [int(event["id"]) for event in stream]
    assert told == list(range(4, 4 + BACKLOG))
    rest = follow(feed, after=told[-1])
    assert [int(next(rest)["id"]) for _ in range(5)] == list(range(4 + BACKLOG, 9 + BACKLOG))


def test_closing_ends_every_stream(desk: RealDesk):
    feed = EventStreams(desk.match, Translator(WORDS))
    ended = threading.Event()
    waiting = feed.open()
    assert waiting is not None

    def follow() -> None:
        list(feed.events(waiting, "en", None))
        ended.set()

    threading.Thread(target=follow, daemon=True).start()
    feed.close()
    assert ended.wait(5)
    assert feed.open() is None
    assert desk.noted.listening == 0


@pytest.mark.parametrize("rematches", [12, pytest.param(100, marks=pytest.mark.long)])
def test_rematches_while_three_phones_press_mix_up_no_two_matches(desk: RealDesk, words: Translations, rematches: int):
    """Two phones as host: 20 of 284 entries were told under the id of the next match, 12 moves were made in it."""
    app = create_app(desk, words)
    feed: EventStreams = app.extensions["context"].streams
    subscription = feed.open()
    assert subscription is not None
    stream = feed.events(subscription, "en", None)
    ended = threading.Event()
    tries = itertools.count()

    def press(phone: int) -> list[tuple[str, Any]]:
        """Names a seat anew or ends a turn in the match that this phone has before it: which match, and the entry."""
        client, made = app.test_client(), list[tuple[str, Any]]()
        while not ended.is_set():
            now = client.get("/api/v1/standing").json
            assert now["match"], "a move that is sent for no match is made in whichever is at the table"
            body = {"after": now["number"], "match": now["match"]}
            mark = next(tries)
            if mark % 2:
                asked, body["move"] = "moves", {"do": "end_turn", "by": phone}
            else:
                asked, body = "corrections", {**body, "do": "seat", "seat": phone, "name": f"{phone}-{mark}"}
            told = client.post(f"/api/v1/{asked}", json=body, headers={"Authorization": f"Bearer {HOST_CODE}"})
            assert told.status_code in (200, 409)
            if told.status_code == 200:
                made.append((now["match"], told.json))
        return made

    def rematch() -> None:
        for _ in range(rematches):
            begun = desk.spoken.rematch(HOST)
            assert isinstance(begun, Done)
            while not desk.spoken.since(0):
                time.sleep(0.001)  # a rematch in which nothing has happened yet would be the same one

    first = desk.id
    with ThreadPoolExecutor() as people:
        told = people.submit(lambda: list(events(stream)))
        phones = [people.submit(press, phone) for phone in (1, 2, 3)]
        try:
            people.submit(rematch).result()
        finally:
            ended.set()
        pressed = [one for phone in phones for one in phone.result()]
        desk.runner.ask(lambda: None)
        feed.close()
        heard = [event["data"] for event in told.result() if "id" in event and event["event"] == "message"]

    def entry(match: str, values: Any) -> tuple[Any, ...]:
        return match, *(json.dumps(values.get(key)) for key in ("number", "event", "move", "name"))

    log = desk.runner.log
    kept = [entry(match, one) for match in log.ids() for one in log.entries(match) if one["origin"] == "phone"]
    assert len(log.ids()) == rematches + 1
    assert len(pressed) >= rematches, "in each match that a rematch began somebody pressed before the next"
    before = [one for one in kept if one[0] != first or json.loads(one[1]) > 3]
    assert sorted(entry(match, one) for match, one in pressed) == sorted(before)
    of_phones = [one for one in heard if one["entry"]["origin"] == "phone"]
    assert sorted(entry(one["match"], one["entry"]) for one in of_phones) == sorted(before)


def test_a_stream_tells_each_match_from_its_first_entry_and_never_goes_back_to_one_that_is_over(desk: RealDesk):
    feed = EventStreams(desk.match, Translator(WORDS), heartbeat_s=2.0)

    def come(after: int | None, meant: str | None = None) -> Iterator[dict[str, Any]]:
        waiting = feed.open()
        assert waiting is not None
        stream = feed.events(waiting, "en", after, meant)
        return events(
            itertools.takewhile(lambda piece: not piece.startswith("event: here"), stream)
        )  # until nothing more is told

    def told(stream: Iterator[dict[str, Any]], count: int) -> list[tuple[str, str, str | None]]:
        return [(one["event"], one["data"]["match"][-1], one.get("id")) for one in itertools.islice(stream, count)]

    late, resuming, other = come(None), come(1), come(1, desk.id)
    desk.end_turn()
    assert told(resuming, 3) == [("message", "1", "2"), ("message", "1", "3"), ("message", "1", "4")]
    desk.begin(seats=2)
    fresh = [("message", "2", None), ("message", "2", "1")]
    assert told(resuming, 3) == [("snapshot", "2", None), *fresh], "it began while this page was told what it missed"
    assert told(other, 1) == [("snapshot", "2", "1")], "a page of the match before has missed nothing of this one"
    assert told(late, 2) == [("snapshot", "2", "1")], "what was said before it is old"
    feed.close()
