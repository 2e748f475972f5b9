"""A table of any game without a camera, whose clock a test moves on: everything is said over HTTP."""

from __future__ import annotations

import threading
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from reference.carcassonne.judge import Umpire
from support.idle_services import IDLE

from companion.games.registry import GAMES, demo_deck, demo_match, locale_folders, match_module, open_match
from companion.public.i18n import Translations
from companion.public.service import Role, User
from companion.service.runner import MatchRunner
from companion.service.table_service import TableService
from companion.service.visiting import sitting
from companion.simulation.visitors import Visitors
from companion.storage.event_log import LOG_FILE, EventLog
from web.app import close, create_app
from web.language import LOCALE_FOLDER

MODULE = GAMES["carcassonne"]
HOST = User(Role.HOST)
NAMES = ("Ana", "Ben", "Cléo", "Dora", "Emil")


_KEYS = count(1)
"""Each request's own, also after the table was started anew."""


class SpokenTable:
    """A table without a camera, whose clock a test moves on; everything is said over HTTP.

    Args:
        simulated: The table says of itself that it is drawn; nobody carries out what its visitors do.
    """

    def __init__(self, folder: Path, *, simulated: bool = False) -> None:
        self.now_s = 0.0
        self.log = EventLog(folder / LOG_FILE)
        self.runner = MatchRunner(
            self.log,
            lambda header: open_match(header["match"], header["deck"]).game,
            wall_clock=lambda: "2026-01-01T18:00:00+01:00",
            clock=lambda: self.now_s,
        )
        self.visitors = Visitors(partial(sitting, self.runner))
        self.desk = TableService(
            self.runner,
            **IDLE,
            source="simulated" if simulated else "picamera",
            version="1",
            picture=lambda: None,
            visitors=self.visitors if simulated else None,
            complete=lambda match: {"match": match, "deck": demo_deck(match_module(match))},
        )
        games = {name: len(demo_match(module)["seat"]) for name, module in GAMES.items()}
        self.app = create_app(self.desk, Translations((*locale_folders(), LOCALE_FOLDER)), games=games)
        self.client = self.app.test_client()
        self._running = threading.Thread(target=self.runner.run)
        self._running.start()

    def close(self) -> None:
        self.runner.stop()
        self._running.join(timeout=10)
        close(self.app)
        self.log.close()

    def begin(self, seats: int = 3, tiles: int = 84, **match: Any) -> Umpire:
        """Begins a match of Carcassonne and gives a second judge of it."""
        deck = demo_deck(MODULE)
        # A few of every kind: a stride through the deck, whose like tiles lie together.
        deck["tile"] = [deck["tile"][0], *deck["tile"][1 :: max(1, 83 // (tiles - 1))]][:tiles]
        said = {"game": "carcassonne", "seat": [{"name": name} for name in NAMES[:seats]], **match}
        self.opens(said, deck)
        return Umpire(said, deck)

    def opens(self, match: dict[str, Any], deck: Any = None) -> None:
        """Begins a match of any game."""
        header = {"match": match, "deck": demo_deck(match_module(match)) if deck is None else deck}
        self.runner.ask(lambda: self.runner.begin(header))
        self.codes = {one.user.seat: one.code for one in self.desk.match.join_codes(HOST)}

    def post(self, route: str, who: int | None, /, **body: Any) -> Any:
        head = {"Authorization": f"Bearer {self.codes[who]}", "Idempotency-Key": f"key-{next(_KEYS)}"}
        return self.client.post(f"/api/v1/{route}", json=body, headers=head)

    def say(self, move: dict[str, Any], who: int | None = None) -> dict[str, Any]:
        """The entry; the host says it where nobody else is named."""
        answer = self.post("moves", who, move=move, after=self.standing()["number"])
        assert answer.status_code == 200, answer.json
        return answer.json

    def standing(self) -> dict[str, Any]:
        return self.client.get("/api/v1/standing").json

    def wait(self, seconds: float) -> None:
        """So much later, the referee looks at its clock."""
        self.now_s += seconds
        match = self.runner.match
        assert match is not None
        self.runner.ask(lambda: match.wake(self.now_s))
