"""Memory and Bluff tell nothing, whatever somebody asks for: every request, by every role, with every output.

What can be asked for is not listed here by hand. It is read off the program: its routes, its commands, its corrections
with all their keys, the game's moves, the panel's buttons, the command cards and the seat tags. Each is said in two
houses at once that differ only in what is hidden, by everybody who could say it, and everything that comes out is
compared byte by byte. A request counts as tried only when it was accepted at least once, for a row of refusals proves
nothing; where it never can be, ``NEVER`` says why.
"""

from __future__ import annotations

import itertools
import json
import logging
import random
import re
import typing
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest
from flask import Flask, Response
from support.first_phone import LooksForHost
from support.idle_services import IDLE
from support.long_cases import rest_long
from support.real_desk import HUB_WORDS
from support.silent_pair import (
    DECK,
    PROFILES,
    WORDS,
    House,
    Journal,
    both,
    guesses,
    host_code,
    hub_code,
    lay,
    pairs,
    same_pages,
    seen,
    upside_down,
)

import companion.history.corrections
import companion.service.archive
import companion.service.table_service
from companion.app.recording_page import HostRecording
from companion.app.table_recorder import TableRecorder
from companion.box.restore import HostRestore
from companion.box.update import HostUpdate
from companion.box.wifi import HostWifi
from companion.games import registry
from companion.games.protocol import MoveContext
from companion.history.corrections import last_camera_card, last_undoable
from companion.history.events import Entry
from companion.history.record import replay
from companion.plugins.hub.live_tables import TOPICS, Room
from companion.plugins.hub.pages.app import create_hub
from companion.plugins.hub.pages.table_client import TableClient
from companion.plugins.hub.store import ConnectedTable, TournamentStore, sqlite_address
from companion.public.card_reading import CardReading
from companion.public.machine import OwnWifi, SystemActions
from companion.public.service import RequestKey, Role, Stale, User
from companion.public.table import COMMAND_CARDS, SEAT_TAGS, Change, Seat
from companion.public.text import Text
from companion.public.updates import Alert, Signal, Update
from companion.referee.commands import Command
from companion.referee.match import Match
from companion.referee.referee import Referee
from companion.service.archive import Archive
from companion.service.card_photos import CardPhotos
from companion.service.phone_camera import PhoneCamera
from companion.service.requests import from_button
from companion.service.runner import MatchRunner
from companion.service.table_service import CurrentMatch, TableService
from companion.service.table_setup import WatchedTable
from companion.service.visiting import sitting
from companion.service.zone_editor import ZoneEditor
from companion.simulation.visitors import SeatThings, Visitors
from companion.storage.settings import Settings
from companion.storage.whole_backup import open_backup
from companion.system.doctor import database, examine, finding_json
from hardware.wiring import BUTTONS
from web.api.match import CORRECTIONS, CorrectionBody
from web.api.system import BOX_DOES
from web.app import create_app
from web.middleware.context import JoinedCodes
from web.middleware.hosts import Addresses
from web.middleware.rate_limit import RateLimiter

KEY = "the-key-of-who-asks-for-a-seat"
IN_ITS_WIFI = {"REMOTE_ADDR": "10.42.0.17"}
"""Where its people are: in the Wi-Fi that the box makes."""
JSON = Any
NOBODY, HOST, HUB = None, 0, -1
ROLES = (NOBODY, HOST, 1, 2, 3)
TABLE = "table"
"""Who presses a button or shows a card: somebody at the table."""

HUB_ASKS = (
    *("GET /api/v1/hub", "POST /api/v1/hub", "POST /api/v1/hub/join", "POST /api/v1/answers", "GET /api/v1/standing"),
    *("GET /api/v1/seat", "GET /api/v1/matches", "POST /api/v1/moves", "correction undo"),
    *(f"GET /api/v1/matches/<match_id>/record ({which})" for which in ("the match in play", "a match that is over")),
)
"""What a hub asks for, and what it could try."""

OUTPUTS = ("status", "headers", "body", "news", "events", "broker", "lamp and buzzer", "journal", "log")
NO_EYE: Any = SimpleNamespace(process=None)
SPREADSHEET = b"era,number,name\n1,1,Fire\n"
PICTURE = b"\xff\xd8\xff\xe0 a picture \xff\xd9"
SEEN = cv2.imencode(".jpg", np.full((90, 160), 200, np.uint8))[1].tobytes()
WON = Path(__file__).parents[1] / "vectors" / "T-last-card.jsonl"
"""A match of Memory that Ana played and somebody won, for what is told of players."""
RUNNING, STORED, BROKEN_OFF = "the match in play", "a match that is over", "an interrupted match"

NEVER = {
    "GET /matches/<match_id>/moves.csv (an interrupted match)": "it may be gone on with, so it is for later",
    "POST /api/v1/matches/<match_id>/delete (the match in play)": "the match in play cannot be deleted",
    "POST /api/v1/matches/<match_id>/restore (the match in play)": "nothing that was deleted is in play",
    "POST /api/v1/matches/<match_id>/close (the match in play)": "the match in play is no interrupted one",
    "POST /api/v1/matches/<match_id>/go-on (the match in play)": "the match in play goes on already",
    "POST /api/v1/matches/<match_id>/close (a match that is over)": "it is closed already",
    "POST /api/v1/matches/<match_id>/go-on (a match that is over)": "it is over",
    "GET /api/v1/matches/<match_id>/record (an interrupted match)": "it may be gone on with, so it is for later",
    "GET /api/v1/matches/<match_id>/figures (an interrupted match)": "likewise",
    "GET /api/v1/matches/<match_id>/pictures/<int:number>/<int:place> (an interrupted match)": "likewise",
    "POST /api/v1/matches/<match_id>/restore (an interrupted match)": "it was not deleted",
    "GET /api/v1/camera.jpg": "the camera sees the pile grow, which is for later",
    "GET /api/v1/table.jpg": "in a silent game nobody is shown the table",
    "GET /api/v1/backup.zip": "it holds the silent match in play, so it is for later",
    "POST /api/v1/restore": "a backup would break the silent match off, so it is for later",
    "POST /api/v1/restore/<int:at>": "likewise",
    "POST /api/v1/box-check": "it looks through the camera, which is for later",
    "GET /api/v1/recording": "a recording shows the pile, which is for later",
    "POST /api/v1/recording": "likewise",
    "GET /api/v1/recording.zip": "likewise",
    "button host": "it opens the door to the next phone, and the referee hears nothing of it",
}
"""What nobody is ever granted while a silent match is played, and why. It is asked for all the same, and compared."""

NO_COMMANDS = {"LaidAnew": "what is taken off is no act, so what lies there again is no new one"}
"""Commands that no silent match has, and why."""

AT_THE_END = tuple(
    f"{route} ({RUNNING})"
    for route in (
        *("/api/v1/matches/<match_id>/record", "/api/v1/matches/<match_id>/figures", "/matches/<match_id>"),
        *("/api/v1/matches/<match_id>/pictures/<int:number>/<int:place>", "/matches/<match_id>/moves.csv"),
    )
)
"""What opens to all alike as soon as the end of a match stands; from then on it tells what was hidden."""


def granting(key: str) -> tuple[Any, ...]:
    """Who is asked again when nobody was granted it: the host, who may do most, but not what is for seats alone."""
    return (1, 2, 3) if "/simulated/" in key else (HOST, TABLE, NOBODY)


def why_never(key: str) -> str | None:
    """Why a request is never granted; asking for the head of a page alone is as asking for the page.

    The head of a backup is the same at any time: the file is not made for it.
    """
    if key == "HEAD /api/v1/backup.zip":
        return None
    return NEVER.get(key.replace("HEAD ", "GET ", 1))


# -- what there is to ask for, read off the program -------------------------------------------------------------------


def routes(app: Flask) -> Iterator[str]:
    """Each route with each of its methods; one that names a match, for the one in play, for one that is over and for
    one that was broken off."""
    for rule in app.url_map.iter_rules():
        for method in sorted(rule.methods or ()):
            for which in (RUNNING, STORED, BROKEN_OFF) if "<match_id>" in rule.rule else ("",):
                yield f"{method} {rule.rule}" + (f" ({which})" if which else "")


def corrections() -> Iterator[str]:
    """Each correction, bare, with each of its keys, and with those together that together once told something."""
    keys = [key for key in CorrectionBody.__annotations__ if key != "do"]
    for do in CORRECTIONS:
        yield f"correction {do}"
        yield from (f"correction {do} with {key}" for key in keys)
        yield f"correction {do} with number+by+anyway"


def presses() -> Iterator[str]:
    """The panel's buttons, and what can be shown to the camera."""
    yield from (f"button {name}" for name in (*BUTTONS, "seat", "host"))
    yield from (f"card {card}{tag}" for card in sorted(COMMAND_CARDS) for tag in ("", " with a tag"))
    yield from (f"tag {tag}" for tag in sorted(SEAT_TAGS) if SEAT_TAGS[tag] in ROLES)


def everything(app: Flask) -> list[str]:
    """All that can be asked for at a table with these pages."""
    moves = (f"move {do}" for do in registry.open_match(match_file("fr-bluff"), DECK).game.rules.moves)
    return list(dict.fromkeys((*routes(app), *corrections(), *moves, *presses())))


def commands() -> set[str]:
    """What can reach the referee."""
    return {command.__name__ for command in typing.get_args(Command)}


# -- the houses -------------------------------------------------------------------------------------------------------


HERE = b"event: here\ndata: {}\n\n"
"""What a stream says while it waits."""


class FullHouse(House):
    """A house in which nothing is missing: decks, zones, pictures, a doctor, and a door for the first phone."""

    below: Sequence[str] = ()
    key: str = ""
    phones: int = 0

    def services(self, folder: Path, deck: JSON) -> TableService:
        self.folder, self.deck = folder, deck
        zones = ZoneEditor(folder, lambda: None)
        zones.begin(registry.open_match(match_file("fr-bluff"), DECK).game.table.layout)
        self.visitors = Visitors(partial(sitting, self.host), lambda: self.now_s)
        return TableService(
            self.host,
            box=IDLE["box"],
            source="picamera",
            version="1",
            picture=lambda: PICTURE,
            complete=self.complete,
            decks=folder / "decks",
            card_photo=lambda picture: picture,
            zones=zones,
            visitors=self.visitors,
            phone=PhoneCamera(lambda: self.now_s),
            recording=HostRecording(
                self.host,
                TableRecorder(self.host, NO_EYE, Settings(), "picamera"),
                NO_EYE,
                folder,
            ),
            photos=CardPhotos(
                self.host,
                simulated=False,
                picture=lambda: PICTURE,
                read=lambda *_: (CardReading("DXC153", ("Fire",), ("1 Band",), PICTURE, PICTURE, PICTURE),),
                can_read=lambda: True,
            ),
        )

    def complete(self, match: JSON) -> JSON:
        """The house's own deck, and below the top card what lies there in this house."""
        registry.open_match(match, self.deck)
        if self.below and "position" in match:
            tree = [*self.below, match["position"]["tree"][-1]]
            match = {**match, "position": {**match["position"], "tree": tree}}
        return {"match": match, "deck": self.deck}

    def pages(self) -> Flask:
        checks = [("matches", lambda: database([self.paper.file.path]))]
        system = SystemActions(
            sheets=lambda order: repr(order).encode(),
            set_quiet=lambda night, mute: self.panel.set_quiet(night=night, mute=mute),
            lamp=lambda: self.panel(Update(None, Signal.PRIZE)),
            shut_down=lambda: None,
            rename=lambda name, names_players: None,
            names_players=False,
            backup=lambda: open_backup(self.paper.file.path.parent),
            restore=cache(lambda: HostRestore(self.host, self.paper.file.path.parent, lambda: None)),
            update=HostUpdate(self.folder, lambda: self.now_s, key=Path(__file__), status_file=self.folder / "none"),
            wifi=HostWifi(self.folder, lambda *_: "*:50:WPA2:Home", status_file=self.folder / "none"),
            own_wifi=lambda: OwnWifi("companion-3fa9", "12345678"),
            examine=lambda: tuple(finding_json(one, lambda text: text) for one in examine(checks)),
        )
        app = create_app(
            self.desk,
            WORDS,
            addresses=Addresses("http://table", https="https://table:8443"),
            streams=self.feed,
            system=system,
            first_phone=LooksForHost(host_code),
            rate_limiter=RateLimiter(lambda: self.now_s),
        )
        joined = JoinedCodes(lambda: self.now_s)
        app.extensions["context"] = replace(app.extensions["context"], joined=joined)
        return app

    def know_codes(self) -> None:
        """Codes go with the people: who sits where now."""
        found = self.desk.match.join_codes(self.desk.match.user(host_code()))
        self.codes = {one.user.seat or 0: one.code for one in found} | {HUB: hub_code()}
        for seat in self.visitors.seats():  # what people hold is the same in both houses
            hand, astray = (f"{seat + 2}-8", f"{seat + 2}-9"), (f"{seat + 2}-7",)
            places = ("pile", "pool", f"discard-{seat}")
            self.visitors.show(seat, SeatThings(hand, {"called": None}, self.open(), astray, places))

    def open(self) -> frozenset[str]:
        """What lies there for everybody to take up."""
        match = self.host.match
        lying = {} if match is None else match.game.table.expected(match.public).cards
        return frozenset(card for card, zone in lying.items() if zone == "pool" or zone.startswith("discard-"))

    def request(self, method: str, route: str, seat: int | None, **more: Any) -> JSON:
        """As any house; of a stream, what it says until it waits."""
        shown = {**more.pop("headers", {})}
        if route == "/api/v1/seats/join" and more.get("json") == {"key": KEY}:
            more = {**more, "json": {"key": self.key}}
        if seat is not None:
            shown["Authorization"] = f"Bearer {self.codes[seat]}"
        where = IN_ITS_WIFI
        if route == "/api/v1/seats/ask":  # each time another phone, for one that asks in vain has to wait
            self.phones += 1
            where = {"REMOTE_ADDR": f"10.42.1.{self.phones % 250}"}
        answer = getattr(self.app.test_client(), method)(route, headers=shown, environ_overrides=where, **more)
        if answer.mimetype == "text/event-stream":
            parts = itertools.takewhile(lambda part: part not in (HERE, HERE.decode()), answer.response)
            body = b"".join(part if isinstance(part, bytes) else part.encode() for part in parts)
        else:
            body = answer.data
        answer.close()
        if route == "/api/v1/seats/ask" and (asked := re.search(rb'"key":"([^"]+)"', body)):
            self.key = asked[1].decode()  # drawn in each house
            body = body.replace(asked[1], KEY.encode())
        # What comes from the clock on the wall: the date, and the day on which a browser forgets a cookie.
        headers = [
            (name, "now" if name == "Date" else re.sub("Expires=[^;]+", "Expires=then", value))
            for name, value in answer.headers.items()
        ]
        return answer.status_code, sorted(headers), body


def match_file(profile: str, kind: int = 0) -> JSON:
    """Some turns into a match, so that there is something to talk about; one kind has not been dealt."""
    match: JSON = {"game": "discovery", "profile": profile, "seat": [{"name": n} for n in ("Ana", "Ben", "Cléo")]}
    pool = ["1-3", "1-4", "2-5", "2-3", "2-4"]
    start: JSON = {"turn": 1, "tree": ["1-1", "1-2", "2-1", "1-5"], "pool": pool, "discards": [[], ["1-7"], []]}
    match kind % 5:
        case 0:
            return {**match, "jokers": 2, "position": {**start, "hands": [5, 5, 5], "stack": 56 - 10 - 15}}
        case 1:
            return {**match, "jokers": 2, "position": {**start, "hands": [16, 15, 15], "stack": 0}}
        case 2:
            return match
        case 3:
            teams = [
                {"name": name, "team": team} for name, team in zip(("Ana", "Ben", "Cléo", "Dan"), "abab", strict=True)
            ]
            four = {**start, "discards": [[], ["1-7"], [], []], "hands": [5, 5, 5, 5], "stack": 54 - 10 - 20}
            return {**match, "seat": teams, "position": four}
        case _:
            bot = [{"name": "Ana"}, {"name": "Ben"}, {"name": "Robo", "bot": True}]
            return {**match, "seat": bot, "position": {**start, "turn": 3, "hands": [5, 5, 5], "stack": 54 - 10 - 15}}


def two_houses(pair: Any, profile: str, kind: str, seed: int) -> tuple[FullHouse, FullHouse]:
    """Two houses with the same on the table: other cards lie below, or the cards have other prerequisites."""
    first = match_file(profile)
    if kind == "other cards below":
        other = {**first, "position": {**first["position"], "tree": ["1-6", "1-9", "2-6", "1-5"]}}
        houses = pair((first, DECK), (other, DECK))
        for house, below in zip(houses, (("1-1", "1-2", "2-1"), ("1-6", "1-9", "2-6")), strict=True):
            house.below = below
        return houses
    return pair((first, DECK), (first, upside_down(seed)))


KINDS = ("other cards below", "other prerequisites")
HIDDEN = frozenset(("1-1", "1-2", "2-1", "1-6", "1-9", "2-6"))
"""What lies below in one of the two houses; nobody lays it, for then it would lie there twice in one of them."""


@pytest.fixture
def full_pair(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.setattr(companion.service.archive, "wall_clock", lambda: "2026-01-01T18:00:00+01:00")
    with pairs(tmp_path, monkeypatch, FullHouse) as build:
        yield build


# -- saying it --------------------------------------------------------------------------------------------------------


@dataclass
class Told:
    """What came of everything that was asked.

    Attributes:
        tried: How often, by request and role.
        accepted: How often it was granted, or something came of it.
        spoke: On which outputs something was said about it, and compared.
        commands: What reached the referee, and led to an entry or to news.
    """

    tried: Counter[tuple[str, Any]] = field(default_factory=Counter)
    accepted: Counter[str] = field(default_factory=Counter)
    spoke: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    commands: Counter[str] = field(default_factory=Counter)
    differed: int = 0

    def add(self, other: Told) -> None:
        self.tried += other.tried
        self.accepted += other.accepted
        self.commands += other.commands
        self.differed += other.differed
        for key, outputs in other.spoke.items():
            self.spoke[key] |= outputs

    def table(self, keys: Sequence[str]) -> str:
        """The requests with their roles and outputs, a line each, and how many comparisons that makes."""
        names = {NOBODY: "spectator", HOST: "host", HUB: "hub", TABLE: "table", **{n: f"seat {n}" for n in ROLES if n}}
        lines, cells = [], 0
        for key in keys:
            roles = [role for role in (*ROLES, HUB, TABLE) if self.tried[key, role]]
            cells += len(roles) * len(OUTPUTS)
            why = f"{self.accepted[key]} times accepted" if self.accepted[key] else f"never: {why_never(key)}"
            asked = sum(self.tried[key, role] for role in roles)
            heard = ", ".join(output for output in OUTPUTS if output in self.spoke[key])
            lines.append(f"{key} | {', '.join(names[role] for role in roles)} | {asked} times, {why} | {heard}")
        lines.append(f"{len(keys)} requests, {cells} requests x roles x outputs compared, {self.differed} times while")
        return "\n".join(lines) + " something hidden differed"


class Walk:
    """Two houses in which the same is asked for, over and over, until all of it was."""

    def __init__(self, houses: tuple[FullHouse, FullHouse], profile: str, journal: Journal, seed: int) -> None:
        self.houses, self.profile, self.journal = houses, profile, journal
        self.dice = random.Random(f"every request {profile} {seed}")
        self.told = Told()
        self.time_s = 0.0
        self.lying: dict[str, str] = {}
        self.begun = self.broken_off = 0
        self.stored = ""

    @property
    def house(self) -> FullHouse:
        """Either; what is said depends on nothing that is hidden."""
        return self.houses[0]

    @property
    def match(self) -> Match:
        evening = self.house.host.match
        assert evening is not None
        return evening

    @property
    def generation(self) -> str:
        """What everybody is told of the running match, in both houses."""
        return self.house.paper.generation(self.house.host.stored.id).mark

    def say(self, key: str, who: Any, *, pages: bool = True) -> None:
        """Ask for one thing in both houses, and compare what comes out, and if asked to some pages that show it."""
        act = self.act(key, who)
        if act is None:
            return
        self.time_s += self.dice.choice((0.5, 3.0, 12.0))
        heard: dict[str, Any] = {}
        lines, news = len(self.match.record.lines), self.house.host.newest()
        final = self.match.standing.final
        if final and key.partition(" ")[2] in AT_THE_END:
            act = without_what_was_hidden(act)
        outcome = both(self.houses, self.journal, self.listening(act, heard), (key, who))
        self.told.tried[key, who] += 1
        spoken = {name for name, said in heard.items() if said}
        status, _, body = outcome if isinstance(outcome, tuple) else (None, None, b"")
        self.told.spoke[key] |= spoken | ({"status", "headers", "body"} if status else set())
        if "/go-on" in key and status == 200:
            self.lying = {}  # another match lies there
        grew = len(self.match.record.lines) != lines or self.house.host.newest() is not news
        if self.granted(key, status, body, grew) and not (final and why_never(key)):
            self.told.accepted[key] += 1
        self.told.differed += self.houses[0].faults != self.houses[1].faults
        for house in self.houses:
            house.know_codes()
        if grew and pages:
            same_pages(self.houses, ["/api/v1/seat", self.dice.choice(SMALL_PAGES)], (key, who))

    def granted(self, key: str, status: int | None, body: bytes, grew: bool) -> bool:
        if status is None:
            return grew
        if key.startswith("move "):
            return status == 200 and json.loads(body)["event"] in ("played", "dealt")
        return status < 400

    def listening(self, act: Callable[[FullHouse], Any], heard: dict[str, Any]) -> Callable[[FullHouse], Any]:
        def listen(house: FullHouse) -> Any:
            lines, sent = len(self.journal.said), (len(house.news), len(house.lights), len(house.sent))
            entries = len(house.paper.entries(house.host.stored.id))
            house.now_s = 1000.0 + self.time_s
            with house.listening():
                house.host.match.wake(house.now_s)
                answer = act(house)
            heard["journal"] = self.journal.said[lines:]
            heard["news"], heard["lamp and buzzer"] = house.news[sent[0] :], house.lights[sent[1] :]
            heard["broker"] = house.sent[sent[2] :]
            heard["events"] = heard["news"]
            heard["log"] = house.paper.entries(house.host.stored.id)[entries:]
            return answer

        return listen

    def act(self, key: str, who: Any) -> Callable[[FullHouse], Any] | None:
        """What is done for this request now; ``None``: there is nothing to say it about."""
        kind, _, rest = key.partition(" ")
        match kind:
            case "correction":
                return self.post("/api/v1/corrections", who, self.correction(rest, who))
            case "move":
                move = self.move(rest)
                return None if move is None else self.post("/api/v1/moves", who, {"move": move})
            case "button":
                return self.press(rest, Seat(self.dice.randint(1, 3)) if rest == "seat" else None)
            case "card" | "tag":
                return self.show(rest)
            case _:
                return self.fetch(kind, rest, who)

    def post(self, route: str, who: Any, body: JSON) -> Callable[[FullHouse], Any]:
        headers = {"Idempotency-Key": f"k{self.dice.randrange(10**9)}"} if self.dice.random() < 0.2 else {}
        return lambda house: house.request("post", route, who, headers=headers, json=body)

    # -- corrections, moves, presses

    def correction(self, rest: str, who: Any) -> JSON:
        do, _, keys = rest.partition(" with ")
        wanted = keys.split("+") if keys else []
        record, standing = self.match.record, self.match.standing
        last = len(record.lines)
        refusals = list(record.open_refusals) or [last]
        numbers = {
            "undo": [last_undoable(record), last_undoable(record), self.dice.randint(1, max(1, last))],
            "camera-was-wrong": [last_camera_card(record), last_camera_card(record)],
            "allow": refusals,
            "claim": [*(n for n, act in record.acts.items() if act.move.by and act.move.subject), last],
        }
        chosen = self.dice.choice(numbers.get(do, [last]))
        seat = self.dice.randint(1, 3)
        values: JSON = {
            "number": chosen or last or 1,
            "by": self.dice.randint(1, 3),
            "hands": list(standing.counters["hands"]),
            "stack": standing.counters["stack"],
            "seat": seat,
            "name": self.dice.choice(("Ana", "Ben", "Cléo", "Dora")),
            "swaps": seat % 3 + 1,
            "here": seat in self.match.game.rules.empty_seats(self.match.public),
            "anyway": True,
            "after": last,
            "match": self.house.host.stored.id,
            "generation": self.dice.choice((self.generation, self.generation, "another")),
        }
        body = {"do": do, **{key: values[key] for key in wanted}}
        if do == "seat":
            body["seat"] = seat
            if "swaps" not in body and body.get("here") is not False:
                body.setdefault("name", values["name"])
        if do == "claim" and who == HOST:
            laid = record.acts.get(body.get("number", numbers["claim"][-2] if len(numbers["claim"]) > 1 else last))
            if laid is not None and laid.move.by and self.dice.random() < 0.7:
                body["by"] = int(laid.move.by)  # whose card it is already: that is granted
            body.setdefault("by", values["by"])
        return body

    def move(self, do: str) -> JSON | None:
        public, game = self.match.public, self.match.game
        unseen = [card["id"] for card in DECK["card"] if card["id"] not in HIDDEN and card["id"] not in self.lain()]
        moves = [move for move in guesses(self.house, unseen, self.dice, set(HIDDEN)) if move["do"] == do]
        turn, by = public.turn.seat, self.dice.randint(1, 3)
        more: dict[str, list[JSON]] = {
            "deal": [{"by": 0, "pool": ["1-3", "1-4", "2-5", "2-3", "2-4"]}],
            "verify": [{"by": turn, "found": True}],
            "refill": [{"by": 0, "card": card} for card in unseen[-3:]],
            "uncontested": [
                {"by": 0, "number": number or 1}
                for last in (len(self.match.record.lines),)
                for number in (*(kept.number for kept in public.acts), self.dice.randint(1, max(1, last)))
            ],
            "discard": [{"by": turn, "card": card} for card in unseen[:1]],
            "steal": [{"by": turn, "from": turn % 3 + 1}],
            "exchange": [{"by": turn, "from": turn % 3 + 1}],
            "ask": [{"by": turn, "from": turn % 3 + 1}],
            "call": [{"by": turn, "card": card, "holder": turn % 3 + 1} for card in unseen[:1]],
            "announce": [{"by": turn, "era": 2, "what": "open"}],
            "interrupt": [{"by": by, "joker": "J1"}],
            "joker": [{"by": turn, "joker": "J1", "from": "hand"}],
            "flip": [{"by": turn, "card": card} for card in unseen[:1]],
        }
        if do == "deal":  # an offer does not say which cards lie in the pool
            moves = []
        moves = moves or [{"do": do, **one} for one in more.get(do, [{"by": turn}, {"by": by}])]
        assert do in game.rules.moves
        return self.dice.choice(moves) if moves else None

    def lain(self) -> set[str]:
        """What lies on the table as far as everybody knows, and what was played already."""
        played = {str(act.move.subject) for act in self.match.record.acts.values() if act.move.subject}
        public = json.dumps(self.match.game.board.view(self.match.record.state, None), default=str)
        return played | {card["id"] for card in DECK["card"] if f'"{card["id"]}"' in public}

    def press(self, name: str, seat: Seat | None) -> Callable[[FullHouse], Any]:
        def press(house: FullHouse) -> None:
            for said in from_button(house.host, name, seat):
                house.host.post(said)

        return press

    def show(self, what: str) -> Callable[[FullHouse], Any]:
        card, tagged, _ = what.partition(" with a tag")
        shown = {card: "commands", **({f"S{self.dice.randint(1, 3)}": "commands"} if tagged else {})}
        began_s, lying = self.time_s, dict(self.lying)

        def show(house: FullHouse) -> None:
            for number, more in enumerate(({}, shown, shown, {})):
                house.look({**lying, **more}, began_s + 2.0 * number)

        self.time_s += 9.0
        return show

    def camera(self) -> None:
        """Somebody lays a card and the camera sees it: nobody said anything."""
        moves = [move for do in ("place", "refill") if (move := self.move(do)) and seen(move)]
        if not moves:
            return
        self.lying = lay(self.lying, self.dice.choice(moves))
        self.look()

    def look(self) -> None:
        """The camera sees what lies there now."""
        now, began_s = dict(self.lying), self.time_s
        both(self.houses, self.journal, lambda house: house.look(now, began_s), "a look")
        self.time_s += 3.0

    def look_away(self) -> None:
        """It is dark for six seconds, and somebody says that it is the next seat's turn now."""
        dark_s = self.time_s
        both(self.houses, self.journal, lambda house: house.dark(dark_s, 6.0), "the dark")
        self.time_s += 7.0
        self.look()
        said = {"question": self.house.host.newest().questions[-1].number, "answer": 1}
        self.tell("/api/v1/answers", said, "whose turn it is")

    def leave_unanswered(self) -> None:
        """Somebody lays a card in the dark, and the match is closed before anybody says whose it was."""
        self.again(2)
        self.say("move deal", HOST)
        self.lying = {"C" + card.replace("-", ""): "pool" for card in self.match.public.pool if card}
        self.look()
        self.lying = {**self.lying, "C18": "pile"}
        self.look()
        dark_s = self.time_s
        both(self.houses, self.journal, lambda house: house.dark(dark_s, 6.0), "the dark")
        self.time_s += 7.0
        self.lying = {**self.lying, "C16": "pile"}
        self.look()
        assert self.match.issues.awaits_answer, "nothing hangs on an answer, so nothing is closed unanswered"

    def seem_to_pass(self) -> None:
        """Ben says that the first card was his; then somebody says that Ana had an ordinary turn, not passed."""
        self.again(2)
        self.say("move deal", HOST)
        pool = [card for card in self.match.public.pool if card]
        self.lying = {"C" + card.replace("-", ""): "pool" for card in pool}
        self.look()
        self.lying = {**self.lying, "C18": "pile"}
        self.look()
        self.tell("/api/v1/corrections", {"do": "claim", "by": 2}, "whose card it was")
        (asked,) = [one for one in self.house.host.newest().questions if one.text.key == "referee.passed"]
        self.tell("/api/v1/answers", {"question": asked.number, "answer": 0}, "an ordinary turn")

    def tell(self, route: str, said: JSON, where: str) -> None:
        """The host says this in both houses."""

        def tell(house: FullHouse) -> Any:
            with house.listening():
                return house.request("post", route, HOST, json=dict(said))

        both(self.houses, self.journal, tell, where)

    # -- routes

    def fetch(self, method: str, rest: str, who: Any) -> Callable[[FullHouse], Any] | None:
        rule, _, which = rest.partition(" (")
        match_id = self.match_id(which.rstrip(")"))
        if "<match_id>" in rule and not match_id:
            return None
        more: dict[str, Any] = {}
        if method == "POST":
            body = self.body(rule)
            if body is None:
                return None
            more = body
            if self.dice.random() < 0.2:
                more.setdefault("headers", {})["Idempotency-Key"] = f"k{self.dice.randrange(10**9)}"
        elif rule == "/api/v1/events":
            more = self.dice.choice([{}, {"headers": {"Last-Event-ID": "1"}}])
        headers = more.pop("headers", {})
        route = self.filled(rule, match_id) + self.query(rule, method)
        return lambda house: house.request(method.lower(), route, who, headers=headers, **fresh(more))

    def match_id(self, which: str) -> str:
        """The match that a route names; another is broken off in both houses where none is."""
        if which != BROKEN_OFF:
            return self.house.host.stored.id if which == RUNNING else self.stored
        left = [
            one.id for one in self.house.paper.matches() if not one.over and not self.house.host.is_at_table(one.id)
        ]
        if not left:
            left = [f"2026-01-01-b{self.broken_off}"]
            self.broken_off += 1
            for house in self.houses:
                header = house.complete(match_file(self.profile))
                codes = [(seat, f"{left[0]} {seat}", f"{left[0][-2:]}ZZZ{seat}") for seat in (1, 2, 3)]
                house.paper.begin(left[0], "2026-01-01", header, invitations=codes)
        return left[0]

    def query(self, rule: str, method: str) -> str:
        last = len(self.match.record.lines)
        known = f"?after={max(0, last - 2)}&match={self.house.host.stored.id}"
        queries = {
            "/api/v1/events": ["", f"?after={max(0, last - 2)}", "?after=0", f"{known}&generation={self.generation}"],
            "/api/v1/camera.jpg": ["", "?straight"],
            "/api/v1/stickers.pdf": ["", "?size=25&paper=letter"],
        }
        return self.dice.choice(queries.get(rule, ["", "?lang=fr"])) if method == "GET" else ""

    def filled(self, rule: str, match_id: str) -> str:
        values = {
            "<match_id>": match_id,
            "<int:number>": "2",
            "<int:at>": "0",
            "<int:place>": self.dice.choice(("0", "1")),
            "<code>": self.dice.choice((*self.house.codes.values(), "wrong-code-that-is-long")),
            "<name>": "ours",
            "<path:name>": "Ana",
            "<card>": "1-5",
            "<piece>": "title",
            "<path:filename>": "table.js" if "/games/" in rule else "seat.js",
        }
        for name, value in values.items():
            rule = rule.replace(name, value)
        return rule

    def body(self, rule: str) -> dict[str, Any] | None:
        asked = [question.number for question in getattr(self.house.host.newest(), "questions", ())] or [1]
        codes = [*self.house.codes.values(), "wrong-code-that-is-long"]
        bodies: dict[str, Callable[[], dict[str, Any]]] = {
            "/api/v1/moves": lambda: {"json": {"move": self.move("end_turn")}},
            "/api/v1/corrections": lambda: {"json": self.correction("undo", HOST)},
            "/api/v1/page-faults": lambda: {
                "json": {"page": self.dice.choice(("/tv", "/seat")), "what": f"a part broke {self.dice.randint(1, 3)}"}
            },
            "/api/v1/answers": lambda: {
                "json": {"question": self.dice.choice(asked), "answer": self.dice.randint(0, 1)}
            },
            "/api/v1/simulated/seat": lambda: {"json": {"playing": self.dice.random() < 0.8}},
            "/api/v1/simulated/acts": lambda: {"json": self.gesture()},
            "/api/v1/table-picture": lambda: {"json": {"shown": self.dice.random() < 0.8}},
            "/api/v1/without-picture": lambda: {"json": {"without": self.dice.random() < 0.5}},
            "/api/v1/matches": lambda: {"json": {"match": match_file(self.profile, self.dice.randint(0, 4))}},
            "/api/v1/hub": lambda: {"json": {"do": self.dice.choice(("open", "allow", "allow", "forbid"))}},
            "/api/v1/hub/join": lambda: {"json": {"code": self.dice.choice((hub_code(), "BBBBBB", *codes))}},
            "/api/v1/join": lambda: {"json": {"code": self.dice.choice(codes)}},
            "/join": lambda: {"data": {"code": self.dice.choice(codes)}},
            "/api/v1/seats/ask": lambda: {
                "json": {"seat": self.dice.randint(1, 3), "name": self.dice.choice(("Nina", "Ben", "Olaf"))}
            },
            "/api/v1/seats/join": lambda: {"json": {"key": self.dice.choice((KEY, KEY, "nobody"))}},
            "/api/v1/seats/answer": lambda: {
                "json": {"number": self.dice.choice(self.waiting()), "yes": self.dice.random() < 0.7}
            },
            "/api/v1/seats/mode": lambda: {"json": {"mode": self.dice.choice(("open", "ask"))}},
            "/api/v1/records": lambda: {"json": {"record": a_record(self.profile)}},
            "/api/v1/decks": lambda: {"json": {"name": "ours", "deck": DECK}},
            "/api/v1/decks/<name>/deck.csv": lambda: {
                "data": b"era,number,name\n1,1,Fire\n",
                "content_type": "text/csv",
            },
            "/api/v1/decks/<name>/readings": lambda: {"data": PICTURE, "content_type": "image/jpeg"},
            "/api/v1/decks/<name>/pictures/<card>": lambda: {"data": PICTURE, "content_type": "image/jpeg"},
            "/api/v1/zones": lambda: {"json": {"table": None}},
            "/api/v1/eye": lambda: {
                "data": SEEN,
                "content_type": "image/jpeg",
                "query_string": {"phone": self.dice.choice(("phone-a1", "phone-b2")), "instead": "1"},
            },
            "/api/v1/restore": lambda: {
                "json": {"do": self.dice.choice(("begin", "begin", "take")), "bytes": 1000, "name": "all.zip"}
            },
            "/api/v1/wifi": lambda: {"json": {"name": self.dice.choice(("Home", "")), "password": "12345678"}},
            "/api/v1/update": lambda: {
                "json": {"do": self.dice.choice(("begin", "take", "drop")), "bytes": 1000, "name": "new.update"}
            },
            "/api/v1/update/<int:at>": lambda: {"data": b"a piece", "content_type": "application/octet-stream"},
            "/api/v1/restore/<int:at>": lambda: {"data": b"a piece", "content_type": "application/octet-stream"},
            "/api/v1/recording": lambda: {
                "json": {"do": self.dice.choice(("plan", "begin", "stop", "delete")), "seconds": 5}
            },
            "/api/v1/box-check": lambda: {"json": {"do": self.dice.choice(("begin", "look", "see"))}},
            "/api/v1/invitations": lambda: {
                "json": self.dice.choice(
                    ({"renew": "host"}, {"renew": "all"}, {"renew": "seat", "seat": self.dice.randint(1, 3)})
                )
            },
            "/api/v1/box": lambda: {
                "json": {
                    "do": self.dice.choice(BOX_DOES),
                    "name": "Kitchen",
                }
            },
        }
        without = {
            *(
                "/api/v1/leave",
                "/api/v1/host",
                "/api/v1/simulated/visit",
                "/api/v1/rematch",
                "/api/v1/matches/<match_id>/delete",
            ),
            *("/api/v1/matches/<match_id>/close", "/api/v1/matches/<match_id>/go-on"),
            *("/api/v1/matches/<match_id>/restore", "/api/v1/decks/<name>/pictures/<card>/delete"),
            "/api/v1/decks/<name>/readings/<card>/delete",
        }
        if rule in without:
            return {}
        assert rule in bodies, f"POST {rule}: what is sent there? Say it in Walk.body"
        return bodies[rule]()

    def frees_a_seat(self, *, asks: bool) -> None:
        """The host asks whom to let in, Ben's phone leaves its seat, and another one may ask for it."""
        said: list[tuple[str, int | None, JSON]] = [
            ("/api/v1/seats/mode", HOST, {"mode": "ask"}),
            ("/api/v1/leave", 2, {}),
        ]
        if asks:
            said.append(("/api/v1/seats/ask", NOBODY, {"seat": 2, "name": "Ben"}))
        for route, who, body in said:
            both(
                self.houses,
                self.journal,
                lambda house, route=route, who=who, body=body: house.request("post", route, who, json=body),
                "a seat is free",
            )

    def waiting(self) -> list[int]:
        """The numbers of those who ask for a seat."""
        state = self.house.desk.seat_requests.state(User(Role.HOST))
        return [one.number for one in state.waiting] or [1]

    def gesture(self) -> JSON:
        """What a visitor's hand could be asked for: cards of each seat, the pool, and what lies below in a house."""
        hands = [f"{era}-{n}" for era in (3, 4, 5) for n in (7, 8, 9)]
        card = self.dice.choice([*hands, *HIDDEN, "1-3", "1-7"])
        do = self.dice.choice(("lay", "lay", "take", "show", "call"))
        known = {"do": do, "card": self.dice.choice(("KEND", "KSTOP")) if do == "show" else card}
        return known | {
            "to": self.dice.choice(("pile", "discard-2", "floor")),
            "beside": self.dice.choice((None, card)),
        }

    # -- what must have happened before

    def prepare(self) -> None:
        """Both houses keep two matches that are over, one with a picture of an entry, and a deck of their own."""
        for house in self.houses:
            house.heard()
            _, _, body = house.request("post", "/api/v1/records", HOST, json={"record": a_record(self.profile)})
            self.stored = json.loads(body)["match"]
            house.request("post", "/api/v1/records", HOST, json={"record": WON.read_text(encoding="utf-8")})
            pictures = house.folder / "pictures" / self.stored
            pictures.mkdir(parents=True)
            (pictures / "2-1.jpg").write_bytes(PICTURE)
            for do in ("open", "allow"):
                house.request("post", "/api/v1/hub", HOST, json={"do": do})
            house.request("post", "/api/v1/decks", HOST, json={"name": "ours", "deck": DECK})
            house.request("post", "/api/v1/decks/ours/pictures/1-5", HOST, data=PICTURE, content_type="image/jpeg")
            house.heard()

    def again(self, kind: int) -> None:
        """The match that is played is closed and another begins."""
        body = {"json": {"match": match_file(self.profile, kind)}}
        self.lying = {}
        self.begun += 1

        def begin(house: FullHouse) -> Any:
            with house.listening():
                return house.request("post", "/api/v1/matches", HOST, **body)

        both(self.houses, self.journal, begin, "again")
        for house in self.houses:
            house.know_codes()
        self.look()  # a match begins on a clear table

    def go_on(self) -> None:
        """Somebody plays on, so that there is always something hidden to talk about."""
        if self.match.over or len(self.match.record.lines) > 40:
            self.again(self.begun % 5)
        if not self.match.record.lines and "position" not in self.house.host.stored.header["match"]:
            self.say("move deal", HOST)
            return
        owed = [one for one in self.match.standing.owed if self.dice.random() < 0.8]
        if self.match.record.paused:
            self.say("correction resume", HOST)
        elif owed:
            self.say(f"move {owed[0].do}", HOST)
        else:
            self.say(f"move {self.dice.choice(('place', 'place', 'end_turn', 'concede', 'refill'))}", HOST)

    def before(self, key: str) -> None:
        """What must have been said before this can be granted."""
        match key:
            case "move deal" | "POST /api/v1/zones":
                self.again(2)
            case "move pass":
                self.again(2)
                self.say("move deal", HOST)
            case "POST /api/v1/simulated/acts" | "POST /api/v1/simulated/seat":
                self.visit()
            case "POST /api/v1/hub/join" | "GET /api/v1/hub":
                body = {"json": {"do": "open"}}
                both(self.houses, self.journal, lambda house: house.request("post", "/api/v1/hub", HOST, **body), "hub")
            case "POST /api/v1/seats/ask" | "POST /api/v1/seats/join" | "POST /api/v1/seats/answer":
                self.frees_a_seat(asks=key != "POST /api/v1/seats/ask")
            case "POST /api/v1/update/<int:at>":
                begin = {"json": {"do": "begin", "bytes": 1000, "name": "new.update"}}
                route = "/api/v1/update"
                both(self.houses, self.journal, lambda house: house.request("post", route, HOST, **begin), "an update")
            case _ if "/decks/<name>/pictures/" in key or "/decks/<name>/readings/" in key:
                picture: dict[str, Any] = {"data": PICTURE, "content_type": "image/jpeg"}
                for path in ("/api/v1/decks/ours/pictures/1-5", "/api/v1/decks/ours/readings"):
                    both(
                        self.houses,
                        self.journal,
                        lambda house, path=path: house.request("post", path, HOST, **picture),
                        "a card is photographed",
                    )
            case "move verify" | "move concede" | "POST /api/v1/answers":
                if key == "POST /api/v1/answers":
                    self.leave_unanswered()
                    self.seem_to_pass()
                self.again(0)
                self.say("move place", HOST)
                if key == "POST /api/v1/answers":
                    self.look_away()
                    self.again(0)
                    self.say("move place", HOST)
                self.say("card KSTOP" if key == "POST /api/v1/answers" else "move stop", HOST)
            case "move call" | "move exchange" | "move discard":
                self.again(0)
                self.say("move announce", HOST)
            case "move ask":
                self.again(3)
            case "move flip":
                self.again(4)
            case _ if key.startswith("correction allow"):
                self.again(0)
                self.say("move agree_end", HOST)
            case _ if key.startswith("correction camera-was-wrong"):
                self.again(0)
                self.camera()
                self.camera()
            case _ if key in ("move joker", "move interrupt") or key.startswith("correction claim"):
                self.again(0)
                self.say("move place", HOST)
            case "move agree_end":
                self.play_to_a_draw()
            case _ if key.partition(" ")[2] in AT_THE_END:
                self.play_to_a_draw()
                self.say("move agree_end", HOST)
                for house in self.houses:
                    pictures = house.folder / "pictures" / house.host.stored.id
                    pictures.mkdir(parents=True, exist_ok=True)
                    (pictures / "2-1.jpg").write_bytes(PICTURE)
            case "move uncontested":
                self.again(0)
                for _ in range(10):
                    if not self.match.public.acts:
                        self.say("move place", HOST)
            case _ if key.startswith(("correction resume", "card KGO")) and not self.match.record.paused:
                self.say("correction pause", HOST)

    def play_to_a_draw(self) -> None:
        """The stack is empty, and three rounds long nobody lays a card."""
        self.again(1)
        while (not self.match.over and self.match.standing.owed) or len(self.match.record.lines) < 24:
            self.say("move steal" if self.match.standing.owed else "move end_turn", HOST, pages=False)
            if len(self.match.record.lines) > 60:
                break

    def visit(self) -> None:
        """Every seat is in a visitor's hands."""
        for seat in (1, 2, 3):
            both(
                self.houses,
                self.journal,
                lambda house, seat=seat: house.request("post", "/api/v1/simulated/seat", seat, json={"playing": True}),
                "a visit",
            )
        for house in self.houses:
            house.know_codes()

    def run(self, wanted: Sequence[tuple[str, Any]], *, patience: int = 12) -> Told:
        """Ask for all of it once, then again for what was not granted to anybody yet."""
        with watching(self.told.commands):
            for turn in range(patience):
                left = [
                    (key, who)
                    for key, who in wanted
                    if turn == 0 or (not self.told.accepted[key] and not why_never(key) and who in granting(key))
                ]
                self.dice.shuffle(left)
                for number, (key, who) in enumerate(left):
                    if number % 4 == 0:
                        self.go_on()
                    if number % 10 == 9:
                        self.camera()
                    if turn or key.startswith(("correction resume", "card KGO", "POST /api/v1/answers")):
                        self.before(key)
                    self.say(key, who)
        return self.told


SMALL_PAGES = ("/api/v1/standing", "/api/v1/health", "/api/v1/matches", "/api/v1/zones", "/api/v1/doctor", "/overlay")


def without_what_was_hidden(act: Callable[[FullHouse], Any]) -> Callable[[FullHouse], Any]:
    """Of an answer that tells everything only that it was given."""

    def given(house: FullHouse) -> Any:
        status, headers, body = act(house)
        return (status, [], b"") if status == 200 else (status, headers, body)

    return given


def fresh(more: dict[str, Any]) -> dict[str, Any]:
    return {key: dict(value) if key == "data" and isinstance(value, dict) else value for key, value in more.items()}


def a_record(profile: str) -> str:
    """A short match of this profile that is over: the same text in both houses."""
    match = {key: value for key, value in match_file(profile).items() if key != "position"}
    moves = [
        {"do": "deal", "by": 0, "pool": ["1-3", "1-4", "2-5", "2-3", "2-4"]},
        {"do": "place", "by": 1, "card": "1-1", "from": "hand"},
        {"do": "end_turn", "by": 1},
    ]
    lines = [{"record": 1, "match": match, "deck": DECK}]
    lines += [{"number": n, "event": "played", "move": move} for n, move in enumerate(moves, 1)]
    return "\n".join(json.dumps(line) for line in lines)


@contextmanager
def watching(counts: Counter[str]) -> Iterator[None]:
    """Counts the commands that lead the referee to a decision."""
    handle = Referee.handle

    def counted(referee: Referee, record: Any, command: Any, time_s: float | None) -> Any:
        decisions, answer = handle(referee, record, command, time_s), None
        while True:
            try:
                decision = decisions.send(answer)
            except StopIteration as end:
                return end.value
            counts[type(command).__name__] += 1
            answer = yield decision

    Referee.handle = counted  # type: ignore[method-assign]
    try:
        yield
    finally:
        Referee.handle = handle  # type: ignore[method-assign]


def pairs_of(keys: Sequence[str], roles: Sequence[Any] = ROLES) -> list[tuple[str, Any]]:
    """Each request with everybody who could make it. Which methods a route has, the host asks for all."""
    alone = {"button": (TABLE,), "card": (TABLE,), "tag": (TABLE,), "OPTIONS": (HOST,)}
    more = dict.fromkeys(HUB_ASKS, (*roles, HUB))
    if 2 not in roles:
        more |= {key: (*roles, 2) for key in keys if "/simulated/" in key}  # for seats alone, see granting
    return [(key, who) for key in keys for who in alone.get(key.split()[0], more.get(key, roles))]


# -- the proof --------------------------------------------------------------------------------------------------------


def walked(
    pair: Any, journal: Journal, profile: str, kind: str, seed: int, roles: Sequence[Any] = ROLES
) -> tuple[Told, list[str]]:
    """All that can be asked for, asked in two houses."""
    houses = two_houses(pair, profile, kind, seed)
    walk = Walk(houses, profile, journal, seed)
    walk.prepare()
    keys = everything(houses[0].app)
    return walk.run(pairs_of(keys, roles)), keys


def judge(told: Told, keys: Sequence[str], roles: Sequence[Any]) -> None:
    """Nothing was left out, and nothing that proves nothing was counted."""
    print(told.table(keys))
    assert told.differed > 100, "the pair must differ in what is hidden, or the proof proves nothing"
    untried = [key for key, who in pairs_of(keys, roles) if not told.tried[key, who]]
    assert not untried, f"never said: {untried}"
    refused = [key for key in keys if not told.accepted[key] and not why_never(key)]
    assert not refused, f"never granted, so nothing is proved by it: {refused}"
    granted = [key for key in keys if told.accepted[key] and why_never(key)]
    assert not granted, f"granted after all: {granted}"
    unsaid = commands() - NO_COMMANDS.keys() - set(told.commands)
    assert not unsaid, f"never reached the referee: {unsaid}"
    assert not NO_COMMANDS.keys() & set(told.commands), "reached the referee after all"
    silent = [
        output for output in OUTPUTS if output != "journal" and not any(output in one for one in told.spoke.values())
    ]
    assert not silent, f"nothing was ever said there, so nothing was compared: {silent}"


@pytest.mark.slow
def test_every_request_with_every_output(full_pair: Any, journal: Journal) -> None:
    """Every request once, by the host; by a seat too what a seat alone is granted."""
    told, keys = walked(full_pair, journal, "fr-bluff", KINDS[0], 1, (HOST,))
    judge(told, keys, (HOST,))


@pytest.mark.long
@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_table_of_every_request_by_every_role_with_every_output(
    profile: str, kind: str, seed: int, full_pair: Any, journal: Journal
) -> None:
    told, keys = walked(full_pair, journal, profile, kind, seed)
    judge(told, keys, ROLES)


def test_a_request_that_is_new_is_missed(full_pair: Any, journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    """A route, a correction, a command and a button that nobody has thought of yet fail the proof."""
    houses = two_houses(full_pair, "fr-bluff", KINDS[0], 1)
    before = set(everything(houses[0].app))
    app = houses[0].pages()
    app.add_url_rule("/api/v1/who-was-it", "new", lambda: "nobody", methods=["POST"])
    monkeypatch.setitem(globals(), "CORRECTIONS", (*CORRECTIONS, "forget"))
    monkeypatch.setitem(globals(), "BUTTONS", (*BUTTONS, "bell"))
    new = [key for key in everything(app) if key not in before]
    assert {"POST /api/v1/who-was-it", "correction forget", "correction forget with by", "button bell"} <= set(new)
    walk = Walk(houses, "fr-bluff", journal, 1)
    with pytest.raises(AssertionError, match="what is sent there"):
        walk.say("POST /api/v1/who-was-it", HOST)
    told = walk.run(pairs_of(["correction forget", "button bell"]), patience=2)
    assert not told.accepted["correction forget"]
    assert not told.accepted["button bell"]


def test_what_can_never_be_granted_still_exists(full_pair: Any) -> None:
    houses = two_houses(full_pair, "fr-bluff", KINDS[0], 1)
    assert NEVER.keys() <= set(everything(houses[0].app))


@pytest.mark.parametrize("profile", PROFILES)
def test_what_is_taken_off_is_no_act_in_a_silent_match(profile: str) -> None:
    """So nobody is asked whether it was laid back or laid anew: no question that could tell what is lawful."""
    game = registry.open_match(match_file(profile), DECK).game
    dice, state, lifts = random.Random(1), game.rules.start, 0
    player = registry.game_module().demonstration.random_player(game)
    for number in range(1, 80):
        at, public = MoveContext(number, float(number)), game.public(state)
        for card, zone in game.table.expected(public).cards.items():
            lifts += 1
            assert game.table.interpretations(public, Change(card, zone, None)) == ()
        lawful = next((move for move in player(public, dice, at) if not game.rules.judge(public, move, at)), None)
        if lawful is None:
            break
        state = game.rules.apply(state, lawful, at).state
    assert lifts > 200


# -- the proof is not blind -------------------------------------------------------------------------------------------


def hidden(holder: Any) -> int:
    """How many cards lie unlawfully: what a leak in a service, or in the runner itself, would know."""
    runner = holder if isinstance(holder, MatchRunner) else holder._runner  # noqa: SLF001  # a leak is inside
    evening = runner.match
    return 0 if evening is None else sum(map(bool, evening.record.state.hidden_objections.values()))


def old_leak(patch: pytest.MonkeyPatch) -> None:
    """Corrections once asked whether a card would still be lawful, hidden facts included."""

    def broken(record: Any) -> tuple[Any, ...]:
        return tuple(act for act in record.acts.values() if act.counts and act.all_objections and not act.allowed)

    patch.setattr(companion.history.corrections, "unlawful_moves", broken)


def etag_of_the_full_record(patch: pytest.MonkeyPatch) -> None:
    pages = FullHouse.pages

    def leaky(house: FullHouse) -> Flask:
        app = pages(house)

        def tag(response: Response) -> Response:
            response.set_etag(f"record-{hidden(house.host)}")
            return response

        app.after_request(tag)
        return app

    patch.setattr(FullHouse, "pages", leaky)


def error_that_names_the_fault(patch: pytest.MonkeyPatch) -> None:
    ask = CurrentMatch._ask_referee  # noqa: SLF001  # a leak is inside

    def leaky(service: CurrentMatch, *given: Any) -> Any:
        result = ask(service, *given)
        return Stale(Text("desk.no_such")) if isinstance(result, Stale) and hidden(service) > 1 else result

    patch.setattr(CurrentMatch, "_ask_referee", leaky)


def other_order_of_events(patch: pytest.MonkeyPatch) -> None:
    publish = MatchRunner._publish  # noqa: SLF001  # a leak is inside
    held: dict[int, Update] = {}

    def leaky(runner: MatchRunner, update: Update) -> None:
        waiting = held.pop(id(runner), None)
        if waiting is None and hidden(runner) % 2:
            held[id(runner)] = update
            return
        publish(runner, update)
        if waiting is not None:
            publish(runner, waiting)

    patch.setattr(MatchRunner, "_publish", leaky)


def larger_body(patch: pytest.MonkeyPatch) -> None:
    view = CurrentMatch.view

    def leaky(service: CurrentMatch, user: Any) -> JSON:
        return {**view(service, user), "": " " * hidden(service)}

    patch.setattr(CurrentMatch, "view", leaky)


def count_in_health(patch: pytest.MonkeyPatch) -> None:
    health = WatchedTable.health

    def leaky(table: WatchedTable) -> JSON:
        told = health(table)
        return {**told, "entries": told["entries"] + hidden(table)}

    patch.setattr(WatchedTable, "health", leaky)


def count_in_the_list_of_matches(patch: pytest.MonkeyPatch) -> None:
    summary = Archive._summary  # noqa: SLF001  # a leak is inside

    def leaky(archive: Archive, stored: Any, user: Any) -> JSON:
        return {**summary(archive, stored, user), "doubtful": hidden(archive)}

    patch.setattr(Archive, "_summary", leaky)


def fewer_offers(patch: pytest.MonkeyPatch) -> None:
    offers = CurrentMatch.available_moves

    def leaky(service: CurrentMatch, user: Any) -> Any:
        found = offers(service, user)
        return found if hidden(service) else tuple(move for move in found if move.do != "stop")

    patch.setattr(CurrentMatch, "available_moves", leaky)


def outlet(patch: pytest.MonkeyPatch, tell: Callable[[FullHouse, int], object]) -> None:
    """One more listener of a house, which is told with each update how many cards lie unlawfully."""
    pages = FullHouse.pages

    def leaky(house: FullHouse) -> Flask:
        house.host.subscribe(lambda _: tell(house, hidden(house.host)))
        return pages(house)

    patch.setattr(FullHouse, "pages", leaky)


def lamp_that_blinks(patch: pytest.MonkeyPatch) -> None:
    outlet(patch, lambda house, found: house.panel(Update(None, Signal.PRIZE)) if found % 2 else None)


def word_to_the_broker(patch: pytest.MonkeyPatch) -> None:
    alert = (Alert.NONE, Alert.PAUSED)
    outlet(patch, lambda house, found: house.broker(Update(None, Signal.NOTICE, alert=alert[found % 2])))


def word_to_the_journal(patch: pytest.MonkeyPatch) -> None:
    outlet(patch, lambda _, found: logging.getLogger("companion").info("%s cards to stop", found))


def time_in_the_log(patch: pytest.MonkeyPatch) -> None:
    start = MatchRunner._start  # noqa: SLF001  # a leak is inside

    def leaky(runner: MatchRunner, *given: Any) -> None:
        append = runner.log.append

        def late(match: str, entries: Sequence[Entry], request: RequestKey | None = None) -> None:
            append(match, [replace(one, waited_s=float(hidden(runner))) for one in entries], request)

        patch.setattr(runner.log, "append", late)
        start(runner, *given)

    patch.setattr(MatchRunner, "_start", leaky)


def dealer_of_the_rematch(patch: pytest.MonkeyPatch) -> None:
    again = companion.service.archive.rematch_header

    def leaky(header: JSON, entries: Sequence[Entry] = ()) -> JSON:
        game = registry.open_match(header["match"], header["deck"]).game
        found = sum(map(bool, replay(game, entries).state.hidden_objections.values()))
        told = again(header, entries)
        return {**told, "match": {**told["match"], "dealer": found % 3 + 1}}

    patch.setattr(companion.service.table_service, "rematch_header", leaky)


LEAKS = {
    old_leak: ("answer", ["correction claim", "correction claim with number"]),
    etag_of_the_full_record: ("answer|differs", ["GET /api/v1/standing"]),
    error_that_names_the_fault: (
        "answer",
        [
            "correction claim",
            "correction claim with number",
            "correction claim with after",
            "correction undo with number",
        ],
    ),
    other_order_of_events: ("news|events|broker|answer", ["POST /api/v1/moves"]),
    larger_body: ("seat|answer", ["GET /api/v1/seat"]),
    count_in_health: ("health|answer", ["GET /api/v1/health"]),
    count_in_the_list_of_matches: ("matches|answer", ["GET /api/v1/matches"]),
    fewer_offers: ("seat|answer", ["GET /api/v1/seat"]),
}
LONG_LEAKS = {
    lamp_that_blinks: ("lamp and buzzer", ["POST /api/v1/moves"]),
    word_to_the_broker: ("broker", ["POST /api/v1/moves"]),
    word_to_the_journal: ("journal", ["POST /api/v1/moves"]),
    time_in_the_log: ("log", ["POST /api/v1/moves"]),
    dealer_of_the_rematch: ("news|events|answer", ["POST /api/v1/rematch"]),
}
"""What speaks by itself, and what goes from one match into the next."""


def asked(pair: Any, journal: Journal, keys: Sequence[str]) -> Told:
    """Some turns are played, and after each somebody asks for one of these."""
    walk = Walk(two_houses(pair, "fr-bluff", KINDS[1], 3), "fr-bluff", journal, 7)
    walk.prepare()
    for number in range(40):
        walk.go_on()
        walk.say(keys[number % len(keys)], ROLES[1:][number % 4])
    return walk.told


@pytest.mark.long
def test_where_no_leak_is_planted_none_is_found(full_pair: Any, journal: Journal) -> None:
    told = asked(full_pair, journal, [key for _, keys in LEAKS.values() for key in keys])
    assert told.differed > 10


@pytest.mark.parametrize("leak", rest_long([*LEAKS, *LONG_LEAKS]), ids=lambda leak: leak.__name__)
def test_a_planted_leak_is_found(
    leak: Callable[[pytest.MonkeyPatch], None], full_pair: Any, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    where, keys = (LEAKS | LONG_LEAKS)[leak]
    leak(monkeypatch)
    with pytest.raises(AssertionError, match=f"({where}).*differs"):
        asked(full_pair, journal, keys)


# -- the pages of a hub ---------------------------------------------------------------------------------------------

HUB_TABLE = "3fa90c21"
HUB_PAGES = ("/", "/wall", f"/tables/{HUB_TABLE}", "/tournaments/1")


class HubHouse(FullHouse):
    """A house whose table is known to a hub: what the hub shows then is one more thing that comes out.

    Attributes:
        asked: The house whose hub asks now.
    """

    asked: HubHouse

    def services(self, folder: Path, deck: JSON) -> TableService:
        self.room, self.store = Room(), TournamentStore(sqlite_address(folder))
        self.store.connect(ConnectedTable(HUB_TABLE, "http://table", hub_code(), "Den"))
        self.store.open("An evening", 3, 5)
        self.hub = create_hub(self.room, self.store, HUB_WORDS).test_client()
        self.hub.get(f"/referee/{self.store.referee_code}")
        return super().services(folder, deck)

    def heard(self) -> dict[str, Any]:
        told = super().heard()
        for topic, payload, _ in told["broker"]:
            head, table, *what = topic.split("/")
            if head == "companion" and what[0] in TOPICS:
                self.room.receive(table, what[0], payload.encode())
        HubHouse.asked = self
        shown = [self.hub.get(page) for page in HUB_PAGES]
        return {**told, "hub": [(one.status_code, sorted(one.headers.items()), one.data) for one in shown]}

    def close(self) -> None:
        self.store.close()
        super().close()


def fetch_of_the_house(client: TableClient, route: str, body: JSON, language: str) -> bytes:
    """What a hub asks its table for, without a socket between them."""
    method, headers = "get" if body is None else "post", {"Accept-Language": language}
    status, _, answer = HubHouse.asked.request(method, f"/api/v1/{route}", HUB, json=body, headers=headers)
    if status >= 400:
        client._refused(status, answer)  # noqa: SLF001  # as its own _fetch does
    return bytes(answer)


@pytest.mark.long
@pytest.mark.parametrize("leaky", [False, True])
@pytest.mark.parametrize("profile", PROFILES)
def test_the_pages_of_a_hub_tell_nothing(
    profile: str, leaky: bool, tmp_path: Path, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A referee who walks from table to table reads there what everybody at the table may know."""
    monkeypatch.setattr(TableClient, "_fetch", fetch_of_the_house)
    if leaky:
        monkeypatch.setattr(CurrentMatch, "hub_answers", lambda service: hidden(service) % 2 == 1)
    with pairs(tmp_path, monkeypatch, HubHouse) as build:
        walk = Walk(two_houses(build, profile, KINDS[1], 3), profile, journal, 7)
        for house in walk.houses:
            house.know_codes()  # the hub's own is one of them
        walk.prepare()
        with pytest.raises(AssertionError, match="hub differs") if leaky else nullcontext():
            for number in range(40):
                walk.go_on()
                walk.say("POST /api/v1/answers" if number % 4 else "card KSTOP", (HUB, TABLE)[number % 4 == 0])
        assert leaky or walk.told.differed > 10
        shown = HubHouse.asked.hub.get("/").get_data(as_text=True)
        assert HubHouse.asked.room.refused == 0
        assert "Ana" in shown
