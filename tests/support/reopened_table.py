"""A table without a camera, over a data folder, that is closed and opened again; its pages keep their port."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient
from support.idle_services import IDLE
from support.real_desk import WORDS

from companion.games.registry import demo_deck, open_match
from companion.public.machine import SystemActions
from companion.public.service import Done, Role, User
from companion.service.runner import MatchRunner
from companion.service.table_service import TableService
from companion.storage.event_log import LOG_FILE, EventLog
from web.app import create_app
from web.server import Server

HOST = User(Role.HOST, None, outside=True)
MATCH = {"game": "discovery", "profile": "fr-explore", "seat": [{"name": "Ana"}, {"name": "Ben"}]}


class Table:
    """A table without a camera, over a data folder."""

    def __init__(self, folder: Path, stack: ExitStack, port: int | None = None) -> None:
        self.log = stack.enter_context(closing(EventLog(folder / LOG_FILE)))
        self.runner = MatchRunner(
            self.log,
            lambda header: open_match(header["match"], header["deck"]).game,
            wall_clock=lambda: "2026-11-28T20:30:00+01:00",
        )
        self.desk = TableService(
            self.runner,
            **IDLE,
            source="picamera",
            version="1",
            picture=lambda: None,
            complete=lambda match: {"match": match, "deck": demo_deck()},
        )
        self.app = create_app(self.desk, WORDS, system=SystemActions(examine=list))
        self.client: FlaskClient = self.app.test_client()
        running = threading.Thread(target=self.runner.run)
        running.start()
        stack.callback(running.join, timeout=10)
        stack.callback(self.runner.stop)
        if not self.runner.ask(self.runner.resume):
            self.desk.match.start(HOST, MATCH)
        self.server = None if port is None else stack.enter_context(Server(self.app, port, "127.0.0.1"))

    def play(self, entries: int) -> None:
        for _ in range(entries):
            turn = self.standing()["standing"]["turn"]
            assert isinstance(self.desk.match.move(HOST, {"do": "end_turn", "by": turn}, None), Done)

    def lay(self) -> None:
        """Lay a card, which everybody sees, and end the turn."""
        standing = self.standing()
        turn, laid = standing["standing"]["turn"], len(standing["public"]["tree"])
        card = f"1-{laid + 1}"
        for move in ({"do": "place", "by": turn, "card": card, "from": "hand"}, {"do": "end_turn", "by": turn}):
            done = self.desk.match.move(HOST, move, None)
            assert isinstance(done, Done), done
            assert done.value["event"] == "played", done.value

    def code(self, seat: int | None = None) -> str:
        """The code of a seat, or of the host."""
        return next(one.code for one in self.desk.match.join_codes(User(Role.HOST)) if one.user.seat == seat)

    def standing(self) -> Any:
        return self.client.get("/api/v1/standing").get_json()

    def first_told(self, after: int | None, generation: str | None = None) -> tuple[str, str | None, int]:
        """The first event of a stream: its name, its id, and the number that it tells."""
        query = "" if generation is None else f"?generation={generation}"
        head = {} if after is None else {"Last-Event-ID": str(after)}
        with self.client.get(f"/api/v1/events{query}", headers=head) as answer:
            text = next(iter(answer.response)).decode()
        block, _, _ = text.partition("\n\n")
        fields = dict(line.partition(": ")[::2] for line in block.splitlines())
        assert fields[""] == f"generation {self.standing()['generation']}"
        return fields.get("event", "message"), fields.get("id"), json.loads(fields["data"])["number"]


@contextmanager
def table(folder: Path, port: int | None = None) -> Iterator[Table]:
    with ExitStack() as stack:
        yield Table(folder, stack, port)
