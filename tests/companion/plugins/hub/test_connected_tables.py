"""A hub asks tables with the code that their hosts gave: results come from records, and answers go to the table."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socketserver import BaseRequestHandler, ThreadingTCPServer
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from support.real_desk import HOST, HUB_WORDS, WORDS, RealDesk
from support.waiting import wait

pytest.importorskip("alembic")

from companion.errors import InputError
from companion.plugins.hub.live_tables import Room
from companion.plugins.hub.pages.app import create_hub
from companion.plugins.hub.pages.table_client import RecordCollector, TableClient, table_address
from companion.plugins.hub.results import FinishedMatch
from companion.plugins.hub.store import ConnectedTable, TournamentStore, sqlite_address
from companion.public.machine import SystemActions
from companion.public.service import SPECTATOR, Done
from web.app import create_app
from web.server import Server

pytestmark = pytest.mark.slow

ID = "3fa90c21"


@pytest.fixture
def desk() -> RealDesk:
    return RealDesk(seats=2)


@pytest.fixture
def table(desk: RealDesk) -> Iterator[str]:
    """A table with real pages behind a real socket; its address."""
    app = create_app(desk, WORDS, system=SystemActions(id=ID, name="Den"))
    with Server(app, 0, "127.0.0.1") as server:
        yield f"http://127.0.0.1:{server.port}"


@pytest.fixture
def collector(store: TournamentStore) -> Iterator[RecordCollector]:
    collector = RecordCollector(store, every_s=0.1)
    yield collector
    collector.close()


@pytest.fixture
def app(store: TournamentStore, collector: RecordCollector) -> Flask:
    return create_hub(Room(), store, HUB_WORDS, collector=collector)


@pytest.fixture
def referee(app: Flask, store: TournamentStore) -> FlaskClient:
    client = app.test_client()
    assert client.get(f"/referee/{store.referee_code}").status_code == 303
    return client


def connect(organiser: FlaskClient, address: str, code: str = "hub-aaa") -> Any:
    return organiser.post("/tables", data={"address": address, "code": code})


def test_a_referee_answers_from_the_hub_only_if_the_host_of_the_table_allows_it(
    organiser: FlaskClient, referee: FlaskClient, desk: RealDesk, table: str
) -> None:
    desk.lay(2)
    desk.ask()
    number = desk.newest_question
    assert connect(organiser, table).status_code == 303
    seen = referee.get(f"/tables/{ID}").get_data(as_text=True)
    assert "<h2>" in seen
    assert "does not allow answers from here" in seen
    assert "<button" not in seen
    refused = referee.post(f"/tables/{ID}/answers", data={"question": f"{number}", "answer": "0"})
    assert refused.status_code == 422
    assert "does not allow answers from a hub" in refused.get_data(as_text=True)
    assert desk.answers == []
    assert isinstance(desk.match.set_hub(HOST, "allow"), Done)
    assert "<button" in referee.get(f"/tables/{ID}").get_data(as_text=True)
    assert referee.post(f"/tables/{ID}/answers", data={"question": f"{number}", "answer": "0"}).status_code == 303
    assert desk.answers == [(number, 0)]
    assert "No question is open" in referee.get(f"/tables/{ID}").get_data(as_text=True)
    late = referee.post(f"/tables/{ID}/answers", data={"question": f"{number}", "answer": "0"})
    assert (late.status_code, desk.answers) == (422, [(number, 0)])


def test_an_answer_from_the_hub_is_for_the_match_whose_question_was_read(
    organiser: FlaskClient, referee: FlaskClient, desk: RealDesk, table: str
) -> None:
    desk.lay(2)
    desk.ask()
    assert connect(organiser, table).status_code == 303
    assert isinstance(desk.match.set_hub(HOST, "allow"), Done)

    def read() -> dict[str, str]:
        seen = referee.get(f"/tables/{ID}").get_data(as_text=True)
        return {name: re.findall(f'name="{name}" value="([^"]+)"', seen)[0] for name in ("match", "question", "answer")}

    pressed = read()
    desk.begin()
    desk.lay(2)
    desk.ask()
    again = read()
    assert pressed["question"] == again["question"]
    assert referee.post(f"/tables/{ID}/answers", data=pressed).status_code == 422
    assert desk.answers == []
    assert referee.post(f"/tables/{ID}/answers", data=again).status_code == 303
    assert desk.answers == [(int(again["question"]), 0)]


def test_a_referee_changes_nothing_else_and_a_guest_not_even_that(
    app: Flask, organiser: FlaskClient, referee: FlaskClient, store: TournamentStore, table: str
) -> None:
    connect(organiser, table)
    guest = app.test_client()
    forms: dict[str, dict[str, str]] = {
        "/tables": {"address": table, "code": "HUBAAA"},
        f"/tables/{ID}/disconnect": {},
        "/tournaments": {"name": "x", "smallest": "2", "largest": "2"},
    }
    for who in (guest, referee):
        for address, form in forms.items():
            assert who.post(address, data=form).status_code == 403, address
    assert guest.post(f"/tables/{ID}/answers", data={"question": "1", "answer": "0"}).status_code == 403
    assert guest.get(f"/tables/{ID}").status_code == 403
    for page in ("/", f"/tables/{ID}", "/wall"):
        text = referee.get(page).get_data(as_text=True)
        assert store.connected()[0].code not in text
        assert store.code not in text
        assert store.referee_code not in text
    assert len(store.connected()) == 1
    assert organiser.post(f"/tables/{ID}/disconnect").status_code == 303
    assert store.connected() == ()
    assert referee.get(f"/tables/{ID}").status_code == 404


def test_a_result_comes_from_the_finished_record(
    organiser: FlaskClient, store: TournamentStore, desk: RealDesk, table: str
) -> None:
    desk.lay(3)
    connect(organiser, table)
    organiser.post("/tournaments", data={"name": "Cup", "smallest": "2", "largest": "2"})
    organiser.post("/tournaments/1", data={"do": "enter", "names": "ben\nAna"})
    organiser.post("/tournaments/1", data={"do": "pair", "after": str(store.tournament(1).entries)})
    assert store.finished() == (), "what still goes on is no result"
    desk.win()
    wait(store.finished)
    page = organiser.get("/tournaments/1").get_data(as_text=True)
    assert "Den has a record of this match" in page
    played = store.tournament(1).rounds[0].tables[0]
    names = [store.tournament(1).player(number).name for number in played]
    (match,) = store.finished()
    assert match.points == desk.standing.points
    seats = [name.casefold() for name in match.seats]
    in_order = [match.points[seats.index(name.casefold())] for name in names]
    assert in_order == [int(part.split('"')[0]) for part in page.split('required value="')[1:3]]
    points = {f"points-{n}": str(one) for n, one in enumerate(in_order, 1)}
    form = {"do": "result", "round": "1", "table": "1", "after": str(store.tournament(1).entries), **points}
    assert organiser.post("/tournaments/1", data=form).status_code == 303
    desk.begin(seats=2)  # until then the last match still lies on the table
    wait(lambda: not store.finished()[0].provisional)
    record = organiser.get(f"/records/{ID}/{match.match}.jsonl").get_data(as_text=True)
    assert record == "".join(f"{line}\n" for line in desk.archive.record(SPECTATOR, match.match) or ())
    assert organiser.get(f"/records/{ID}/nothing.jsonl").status_code == 404


def test_what_was_kept_stays_when_the_code_was_taken_back(
    organiser: FlaskClient, store: TournamentStore, collector: RecordCollector, desk: RealDesk, table: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    desk.win()
    connect(organiser, table)
    wait(store.finished)
    assert isinstance(desk.match.set_hub(HOST, "close"), Done)
    wait(lambda: ID in collector.troubles)
    said = organiser.get("/").get_data(as_text=True)
    assert "the table says: " in said
    assert len(store.finished()) == 1


def test_a_match_that_ended_is_a_result_before_the_next_begins_and_none_when_it_goes_on(
    organiser: FlaskClient, store: TournamentStore, desk: RealDesk, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = {"id": "m", "seats": ["Ana", "Ben"], "points": [7, 9], "winners": [2], "over": False, "ended": True}
    lines: list[Any] = [told]
    monkeypatch.setattr(desk.archive, "matches", lambda _user: tuple(lines))
    connect(organiser, table)
    wait(store.finished)
    assert store.finished()[0].provisional
    lines[0] = {**told, "points": [9, 9]}
    wait(lambda: store.finished()[0].points == (9, 9))
    lines[0] = {**told, "ended": False}
    wait(lambda: not store.finished())


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("192.168.1.20:8080", "http://192.168.1.20:8080"),
        (" http://den.local/host?x#y ", "http://den.local"),
        ("https://[fe80::1]:8443/", "https://[fe80::1]:8443"),
    ],
)
def test_an_address_is_taken_as_screens_show_it(typed: str, address: str) -> None:
    assert table_address(typed) == address


@pytest.mark.parametrize(
    "typed", ["", "file:///etc/passwd", "ftp://den", "http://", "http://a@b/", "http://den:99999", "http://d\nen", "é"]
)
def test_what_is_no_address_is_a_sentence(typed: str) -> None:
    with pytest.raises(InputError, match="as its own screens show it"):
        table_address(typed)


class _Liar(BaseHTTPRequestHandler):
    """Whatever may sit at an address that somebody typed."""

    answer: bytes = b""
    status = 200
    asked: list[str]

    def do_POST(self) -> None:
        self.asked.append(f"{self.path} {self.headers.get('Authorization', '')}")
        self.rfile.read(int(self.headers.get("Content-Length", 0)))  # closed unread, the connection would be reset
        self.send_response(self.status)
        self.send_header("Location", "/elsewhere")
        self.send_header("Content-Length", str(len(self.answer)))
        self.end_headers()
        self.wfile.write(self.answer)

    do_GET = do_POST  # noqa: N815 - as the library calls it

    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def liar(answer: bytes, status: int = 200) -> Iterator[tuple[str, list[str]]]:
    asked: list[str] = []
    kind = type("Liar", (_Liar,), {"answer": answer, "status": status, "asked": asked})
    server = ThreadingHTTPServer(("127.0.0.1", 0), kind)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (b"<html>a router</html>", 200), (b"[" * 100_000, 200), (b"[1]", 200), (b"{}", 200), (b'"x"', 200),
        (b'{"id": "../../x", "code": "c"}', 200), (b'{"detail": 7}', 403), (b"", 302), (b"boom", 500),
        (b" " * (8 * 1024 * 1024 + 1), 200),
    ],
    ids=["page", "deep", "list", "empty", "text", "path", "no-detail", "redirect", "broken", "large"],
)  # fmt: skip
def test_what_answers_and_is_no_table_is_one_sentence_and_gets_no_second_request(
    organiser: FlaskClient, store: TournamentStore, answer: bytes, status: int
) -> None:
    with liar(answer, status) as (address, asked):
        said = connect(organiser, address)
    assert said.status_code == 422
    assert "is not a companion’s table" in said.get_data(as_text=True)
    assert asked == ["/api/v1/hub/join "]
    assert store.connected() == ()


@contextmanager
def dripping(begins: bytes) -> Iterator[str]:
    """A table that says this to whoever asks, and then a space now and then, for ever; its address."""
    over = threading.Event()

    class Dripping(BaseRequestHandler):
        def handle(self) -> None:
            with suppress(OSError):
                self.request.recv(10_000)
                self.request.sendall(begins)
                while not over.wait(0.02):
                    self.request.sendall(b" ")

    with ThreadingTCPServer(("127.0.0.1", 0), Dripping) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        over.set()
        server.shutdown()
        thread.join()


DRIPPING = {
    "in the head": b"HTTP/1.1 200 OK\r\nX: ",
    "in the body": b"HTTP/1.1 200 OK\r\nContent-Length: 9000000\r\n\r\n",
    "without a length": b"HTTP/1.1 200 OK\r\n\r\n{}",
}


@pytest.mark.parametrize("where", DRIPPING)
def test_one_table_that_answers_slowly_keeps_no_other_waiting(
    where: str, store: TournamentStore, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before, each byte was waited for, and meanwhile no record of any table came to the hub."""
    monkeypatch.setattr("companion.plugins.hub.pages.table_client.WHOLE_S", 1.0)
    monkeypatch.setattr(TableClient.__init__, "__defaults__", ("", 1.0))
    asked: list[str] = []
    finished = TableClient.finished
    monkeypatch.setattr(TableClient, "finished", lambda it, number: asked.append(number) or finished(it, number))
    with dripping(DRIPPING[where]) as slow:
        store.connect(ConnectedTable("00000000", slow, "code"))
        store.connect(TableClient(table).join("hub-aaa"))
        begun = time.monotonic()
        collector = RecordCollector(store, every_s=0.05)
        try:
            wait(lambda: asked.count(ID) >= 5)
            assert "00000000" not in collector.troubles or time.monotonic() - begun > 1.0
            wait(lambda: "00000000" in collector.troubles)
        finally:
            collector.close()
        assert "does not answer" in str(collector.troubles["00000000"])
        assert ID not in collector.troubles


@pytest.mark.parametrize("where", DRIPPING)
def test_a_page_about_a_table_that_answers_slowly_is_a_sentence(
    where: str, store: TournamentStore, organiser: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.plugins.hub.pages.room.PAGE_S", 0.2)
    with dripping(DRIPPING[where]) as slow:
        store.connect(ConnectedTable("00000000", slow, "code"))
        seen = organiser.get("/tables/00000000")
    assert seen.status_code == 422
    assert "does not answer: is the table on?" in seen.get_data(as_text=True)


def test_a_wrong_code_and_a_table_that_is_off_are_sentences(organiser: FlaskClient, table: str) -> None:
    wrong = connect(organiser, table, "AAAAAA")
    assert (wrong.status_code, "the table says: " in wrong.get_data(as_text=True)) == (422, True)
    off = connect(organiser, "http://127.0.0.1:9")
    assert (off.status_code, "does not answer: is the table on?" in off.get_data(as_text=True)) == (422, True)
    assert "<form" in organiser.get("/").get_data(as_text=True)


def test_the_list_of_matches_is_taken_within_limits(tmp_path: Path) -> None:
    sound = b'{"id": "m", "over": true, "seats": ["<b>%s"], "points": [1], "winners": [1], "game": 7}' % (b"x" * 200)
    forged = [
        b'{"id": "../m", "over": true, "seats": ["a"], "points": [1]}',
        b'{"id": "m2", "over": true, "seats": ["a"], "points": [1, 2]}',
        b'{"id": "m3", "over": true, "seats": ["a"], "points": [true]}',
        b'{"id": "m4", "over": true, "seats": ["a"], "points": [1], "winners": ["x"]}',
        b'{"id": "m5", "over": true, "seats": ["a"], "points": [1], "damage": {}}',
        b'{"id": "m6", "over": false, "seats": ["a"], "points": [1]}',
        b"7",
    ]
    with liar(b'{"matches": [%s]}' % b", ".join([sound, *forged])) as (address, _):
        (match,) = TableClient(address, "c").finished(ID)
    assert (match.match, match.game, match.points, match.winners) == ("m", "", (1,), (1,))
    assert len(match.seats[0]) == 40


def test_a_match_is_kept_once_whoever_of_two_hubs_came_first(store: TournamentStore, tmp_path: Path) -> None:
    other = TournamentStore(sqlite_address(tmp_path))
    match = FinishedMatch(ID, "m", "2026", "discovery", "", ("Ana", "Ben"), (1, 2), (2,))
    later = FinishedMatch(ID, "n", "2026", "discovery", "", ("Ana", "Ben"), (3, 2), (1,))
    store.keep_match(replace(match, provisional=True, points=(1, 1)), "")
    for hub in (store, other):
        hub.keep_match(later, "later")
        hub.keep_match(match, "whole")
    assert store.finished() == other.finished() == (later, match), "it keeps its place"
    assert other.record(ID, "m") == "whole"
    with pytest.raises(KeyError):
        other.record(ID, "x")
    first, second = (ConnectedTable(ID, "http://a", code) for code in ("one", "two"))
    store.connect(first)
    other.connect(second)
    assert store.connected() == (second,)
    other.close()
