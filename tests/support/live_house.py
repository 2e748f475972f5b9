"""A live simulated match in a whole house: its film goes to a runner, and phones speak to it over HTTP."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient
from support.exact_eye import ExactEye
from support.idle_services import IDLE
from support.live_match import RATE_HZ

from companion.app.live_table import MatchScoreboard, simulated_people
from companion.games import registry
from companion.public.i18n import Translations
from companion.public.machine import SystemActions
from companion.referee.match import Match
from companion.service.runner import MatchRunner
from companion.service.table_service import TableService
from companion.service.visiting import sitting
from companion.simulation.live_film import LiveFilm
from companion.simulation.visitors import Visitors
from companion.storage.event_log import LOG_FILE, EventLog
from companion.storage.join_codes import host_codes
from web.app import close, create_app
from web.language import LOCALE_FOLDER

JSON = Any


class LiveHouse:
    """One match, its people, and everybody's phone; a picture is drawn, seen and refereed each time it ticks."""

    def __init__(self, runner: MatchRunner, client: FlaskClient, visitors: Visitors) -> None:
        self.runner, self.client, self.visitors = runner, client, visitors
        self.now_s = 0.0
        self.ended = False
        runner.clock = lambda: self.now_s

    def begin(self, match: JSON, deck: JSON, seed: int) -> None:
        """Another match, with its people."""
        self.now_s, self.ended = 0.0, False
        self.runner.ask(lambda: self.runner.begin({"match": match, "deck": deck, "simulated": {"seed": seed}}))
        opened = registry.open_match(match, deck)
        scoreboard = MatchScoreboard(lambda: self.runner.match, self._tell, self._end, lambda: self.now_s)
        self._eye = ExactEye(opened.layout)
        people = simulated_people(opened, seed)
        self.film = LiveFilm(people, opened.layout, scoreboard, seed, visitors=self.visitors)
        self._pictures = self.film.pictures(RATE_HZ)
        assert self.runner.stored is not None
        seats = {seat: code for seat, code, _ in self.runner.log.table.codes(self.runner.stored.id)}
        self.codes = {0: host_codes(self.runner.log)[0], **seats}

    @property
    def match(self) -> Match:
        """The match at the table."""
        assert self.runner.match is not None
        return self.runner.match

    def _tell(self, work: Callable[[Match], None]) -> None:
        self.runner.submit(lambda: work(self.match))

    def _end(self) -> None:
        self.ended = True

    def tick(self) -> None:
        """One picture."""
        picture = next(self._pictures)
        self.now_s = picture.time_s
        self.runner.post(self._eye.look(picture))
        self.runner.ask(lambda: None)

    @property
    def differences(self) -> tuple[Any, ...]:
        """What lies otherwise than the log has it."""
        return self.match.issues.differences(self.match.game, self.match.record)

    def post(self, route: str, who: int, /, **body: Any) -> int:
        """A seat's phone sends something (0: the host's); the status."""
        head = {"Authorization": f"Bearer {self.codes[who]}"}
        return self.client.post(f"/api/v1/{route}", json=body, headers=head).status_code

    def held(self, seat: int) -> JSON:
        """What a visitor's page is told of the seat that he plays."""
        head = {"Authorization": f"Bearer {self.codes[seat]}"}
        return self.client.get("/api/v1/simulated/seat", headers=head).json

    def offers(self, seat: int) -> list[JSON]:
        """What a phone may say now, as its page is told."""
        head = {"Authorization": f"Bearer {self.codes[seat]}"}
        told = self.client.get("/api/v1/seat", headers=head).json
        return list(told["offers"])


@contextmanager
def live_house(folder: Path, system: SystemActions | None = None) -> Iterator[LiveHouse]:
    """A house in this folder, for as long as it is needed."""
    with closing(EventLog(folder / LOG_FILE)) as paper:
        runner = MatchRunner(
            paper, lambda head: registry.open_match(head["match"], head["deck"]).game, wall_clock=lambda: "2026-11-20"
        )
        thread = threading.Thread(target=runner.run)
        thread.start()
        visitors = Visitors(partial(sitting, runner), lambda: runner.clock())
        services = TableService(
            runner,
            **IDLE,
            source="simulated",
            version="1",
            picture=lambda: None,
            complete=lambda said: said,
            visitors=visitors,
        )
        app = create_app(services, Translations((*registry.locale_folders(), LOCALE_FOLDER)), system=system)
        try:
            yield LiveHouse(runner, app.test_client(), visitors)
        finally:
            close(app)
            runner.stop()
            thread.join(10)
