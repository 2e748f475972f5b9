"""The real desk, rules and log behind real pages, without a camera: what is laid is said."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion.games.registry import demo_deck, locale_folders, open_match
from companion.public.i18n import Translations
from companion.public.service import Done, Role, User
from companion.service.runner import MatchRunner
from companion.service.table_service import TableService
from companion.service.zone_editor import ZoneEditor
from companion.storage.event_log import LOG_FILE, EventLog
from web.app import create_app
from web.language import LOCALE_FOLDERS
from web.server import Server

HOST = User(Role.HOST)
SEATS = [{"name": "Ana"}, {"name": "Ben"}, {"name": "Dan", "late": True}, {"name": "Robo", "bot": True}]
POOL = ["2-1", "2-2", "1-3", "2-4", "2-5"]


class Evening:
    """A match, and who sits at it: Ana, Ben, Dan who comes late, and a bot."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.paper = EventLog(folder / LOG_FILE)
        self.host = MatchRunner(
            self.paper,
            lambda header: open_match(header["match"], header["deck"]).game,
            wall_clock=lambda: "2026-01-01T18:00:00+01:00",
        )
        zones = ZoneEditor(folder, lambda: None)
        self.desk = TableService(
            self.host,
            source="picamera",
            version="1",
            picture=lambda: None,
            complete=lambda match: open_match(match, demo_deck()).header,
            decks=folder / "decks",
            zones=zones,
        )
        zones.begin(open_match({"profile": "fr-explore", "seat": SEATS}, demo_deck()).game.layout())

    def begin(self, profile: str = "fr-explore", **more: Any) -> None:
        header = {"match": {"profile": profile, "seat": SEATS, **more}, "deck": demo_deck()}
        self.host.ask(lambda: self.host.begin(header))
        self.say({"do": "deal", "by": 0, "pool": POOL})

    def say(self, move: dict[str, Any]) -> None:
        reply = self.desk.match.move(HOST, move, None)
        assert isinstance(reply, Done), reply

    def code(self, seat: int | None) -> str:
        return next(one.code for one in self.desk.match.join_codes(HOST) if one.user.seat == seat)


def evening_in(folder: Path) -> Iterator[Evening]:
    """A match that has been dealt, kept in a folder; the referee's thread runs."""
    made = Evening(folder)
    running = threading.Thread(target=made.host.run)
    running.start()
    made.begin()
    yield made
    made.host.stop()
    running.join(timeout=10)
    made.paper.close()


def served(evening: Evening, **more: Any) -> Server:
    """Its pages on a free port of this machine; with ``port``."""
    return Server(create_app(evening.desk, Translations((*locale_folders(), *LOCALE_FOLDERS)), **more), 0, "127.0.0.1")
