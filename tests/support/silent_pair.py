"""Pairs of houses that differ only in what is hidden, and everything that comes out of them."""

from __future__ import annotations

import itertools
import logging
import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from gpiozero.pins.mock import MockFactory, MockPWMPin
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.reasoncodes import ReasonCode
from support.idle_services import IDLE
from support.real_desk import WORDS

import companion.history.corrections
import companion.service.archive
import companion.service.runner
import companion.service.summaries
import companion.storage.event_log
import companion.storage.join_codes
import hardware.panel
from companion.games import registry
from companion.games.protocol import MoveContext
from companion.plugins.mqtt import publisher
from companion.plugins.mqtt.publisher import MqttPublisher
from companion.public.table import Observation, Placement, TableState, Token, ViewLost, Zone
from companion.public.updates import Update
from companion.service.runner import MatchRunner
from companion.service.table_service import CurrentMatch, TableService
from companion.storage.event_log import LOG_FILE, EventLog
from web.app import close, create_app
from web.language import Translator
from web.middleware.hosts import Addresses
from web.push.sse import EventStreams

JSON = Any
DECK = registry.demo_deck()
PROFILES = ("en-memory", "fr-bluff")
ROUTES = (
    *("/api/v1/standing", "/api/v1/seat", "/api/v1/match", "/api/v1/health", "/api/v1/matches", "/api/v1/invitations"),
    *("/api/v1/camera.jpg", "/api/v1/matches/2026-01-01-1/record", "/matches", "/matches/2026-01-01-1"),
    *("/", "/tv", "/overlay", "/seat", "/host", "/join"),
)
REVEALED = ("/api/v1/matches/2026-01-01-1/record", "/matches/2026-01-01-1")
"""Of these, what tells all that was hidden, once the match has ended for good."""


class StraightHost(MatchRunner):
    """A host without a thread of its own: what it is told has happened when the call returns."""

    def ask(self, question: Any) -> Any:
        answer = question()
        if self.match is not None:
            self.match.go_on()
        return answer

    def post(self, message: Any) -> None:
        self._handle(message)


class Shown:
    """Instead of the thread that plays lights and notes: what it is asked to play."""

    played: list[Any] = []  # noqa: RUF012  # whoever watches puts his own list here

    def __init__(self, name: str, show: Any) -> None:
        self.name = name

    def play(self, once: Any, again: Any = ()) -> None:
        Shown.played.append((self.name, tuple(once), tuple(again)))

    def close(self) -> None:
        pass


class Line:
    """Instead of a connection to a broker that takes everything at once: what is published."""

    sent: list[Any] = []  # noqa: RUF012  # as above

    def __init__(self, *_: Any, **__: Any) -> None:
        pass

    def publish(self, topic: str, payload: Any, **how: Any) -> None:
        Line.sent.append((topic, payload, tuple(sorted(how.items()))))
        self.on_publish()

    def connect_async(self, *_: Any, **__: Any) -> None:
        self.on_connect(self, None, None, ReasonCode(PacketTypes.CONNACK, "Success"), None)

    def __getattr__(self, name: str) -> Any:
        return lambda *_, **__: None


class Journal(logging.Handler):
    """What the journal would hold."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.name == companion.service.summaries.__name__:
            return  # when a list is worked out, and how many at once, is a matter of the machine's load
        self.said.append(f"{record.levelname} {record.name} {record.getMessage()} {record.exc_info}")


class House:
    """One table with everything that could tell: host, pages, feed, lamp, buzzer, broker, journal, log."""

    def __init__(self, folder: Path, match: JSON, deck: JSON) -> None:
        self.now_s = 1000.0
        self.looks = 0
        self.news: list[Update] = []
        self.lights: list[Any] = []
        self.sent: list[Any] = []
        self.paper = EventLog(folder / LOG_FILE)
        self.host = StraightHost(
            self.paper,
            lambda header: registry.open_match(header["match"], header["deck"]).game,
            wall_clock=lambda: "2026-01-01T18:00:00+01:00",
            clock=lambda: self.now_s,
        )
        self.desk = self.services(folder, deck)
        self.desk.match = WithoutPrintedFacts(self.host, simulated=False, complete=self.complete)
        self.pins = MockFactory(pin_class=MockPWMPin)
        self.panel = hardware.panel.Panel(hardware.panel.Wiring(lamp=(17, 27, 22), buzzer=18), self.pins)
        self.feed = EventStreams(self.desk.match, Translator(WORDS), heartbeat_s=0.0)
        self.app = self.pages()
        with self.listening():
            self.broker = MqttPublisher("nowhere", match=self.desk.match.current, names_players=True)
            for outlet in (self.news.append, self.panel, self.broker):
                self.host.subscribe(outlet)
            self.host.begin({"match": match, "deck": deck})
        self.codes = {
            one.user.seat or 0: one.code for one in self.desk.match.join_codes(self.desk.match.user(host_code()))
        }
        self.joined, self.spectator = (self.feed.events(self.feed.open(), language, None) for language in ("en", "fr"))

    def services(self, folder: Path, deck: JSON) -> TableService:
        """What the pages ask."""
        return TableService(
            self.host, **IDLE, source="picamera", version="1", picture=lambda: b"picture", complete=self.complete
        )

    def complete(self, match: JSON) -> JSON:
        """What a match begun on a page leaves out."""
        return match

    def pages(self) -> Flask:
        """The pages of this table."""
        return create_app(self.desk, WORDS, streams=self.feed, addresses=Addresses("http://table"))

    @contextmanager
    def listening(self) -> Iterator[None]:
        Shown.played, Line.sent = self.lights, self.sent
        yield

    def close(self) -> None:
        close(self.app)
        self.panel.close()
        self.pins.close()
        self.paper.close()

    def say(self, move: JSON, time_s: float) -> JSON:
        """Somebody says a move on his own phone; the table's own moves come from the host's."""
        self.now_s = 1000.0 + time_s
        with self.listening():
            self.host.match.wake(self.now_s)
            return self.request("post", "/api/v1/moves", move["by"], json={"move": move})

    def correct(self, who: int, body: JSON, time_s: float) -> JSON:
        """Somebody asks for a correction on his own phone; 0 = the host, who plays too."""
        self.now_s = 1000.0 + time_s
        with self.listening():
            return self.request("post", "/api/v1/corrections", who, json=body)

    def look(self, lying: dict[str, str], time_s: float) -> None:
        """The camera sees these cards lying there, long enough to be sure."""
        placed = frozenset(Placement(Token(token), Zone(zone)) for token, zone in lying.items())
        with self.listening():
            for later_s in (0.0, 0.5, 1.0, 2.0):
                self.looks += 1
                self.now_s = 1000.0 + time_s + later_s
                self.host.post(Observation(self.looks, self.now_s, TableState(placed)))

    def dark(self, time_s: float, seconds: float) -> None:
        """The camera sees nothing for so long."""
        with self.listening():
            for later_s in (0.0, seconds):
                self.looks += 1
                self.now_s = 1000.0 + time_s + later_s
                self.host.post(Observation(self.looks, self.now_s, TableState(frozenset()), lost=ViewLost.DARK))

    def seen(self, look: Observation) -> None:
        """What an eye has seen."""
        self.now_s = 1000.0 + look.taken_s
        with self.listening():
            self.host.post(replace(look, taken_s=self.now_s))

    def request(self, method: str, route: str, seat: int | None, **more: Any) -> JSON:
        """An answer as it goes over the wire: status, headers and body. Seat 0 is the host, ``None`` anybody."""
        headers = {} if seat is None else {"Authorization": f"Bearer {self.codes[seat]}"}
        answer = getattr(self.app.test_client(), method)(route, headers=headers, **more)
        return answer.status_code, sorted(answer.headers.items()), answer.data

    def heard(self) -> dict[str, Any]:
        """All that came out since the last time, on the channels that speak by themselves."""
        told = {
            "news": [repr(news) for news in self.news],
            "lamp and buzzer": list(self.lights),
            "broker": list(self.sent),
            "events": self.events(),
            "log": self.paper.entries(self.host.stored.id),
        }
        for kept in (self.news, self.lights, self.sent):
            kept.clear()
        return told

    def events(self) -> list[list[str]]:
        """What a seat's page and a spectator's were sent."""
        return [
            list(itertools.takewhile(lambda event: not event.startswith("event: here"), stream))
            for stream in (self.joined, self.spectator)
        ]

    def shown(self, routes: Sequence[str]) -> dict[str, Any]:
        """All that can be fetched by anybody at the table; the host plays too."""
        # A hub, below 0, is told what a spectator is told; what it asks for is compared where it asks.
        visitors = (None, *sorted(seat for seat in self.codes if seat >= 0))
        return {f"{route} of {who}": self.request("get", route, who) for route in routes for who in visitors}

    @property
    def faults(self) -> dict[int, Any]:
        return {number: found for number, found in self.host.match.record.state.hidden_objections.items() if found}


class WithoutPrintedFacts(CurrentMatch):
    """What is printed on the cards is no secret of the match, and differs where the deck differs: left out here."""

    def current(self) -> JSON | None:
        told = super().current()
        if told is None:
            return None
        cards = [{"id": card["id"], "name": card["name"]} for card in told["deck"]["card"]]
        return {**told, "deck": {"deck": told["deck"]["deck"], "card": cards}}


def codes(seats: int) -> list[tuple[int, str, str]]:
    return [(seat, f"long_code_of_the_seat_{seat}", f"AAAAA{seat + 1}") for seat in range(1, seats + 1)]


def hub_code() -> str:
    return "long_code_of_the_hub___"


def host_code() -> str:
    return "long_code_of_the_host__"


@contextmanager
def pairs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, made: type[House] = House) -> Iterator[Any]:
    """Two houses in which only what is hidden differs; what is drawn and the clock are given."""
    monkeypatch.setattr(companion.service.runner, "seat_codes", lambda names, kept: codes(len(names)))
    host_and_seats = lambda seats: [(1, host_code(), "HHHHHH"), *codes(seats - 1)]  # noqa: E731
    monkeypatch.setattr(companion.storage.join_codes, "draw_codes", host_and_seats)
    hub = companion.storage.join_codes.HubAccess(hub_code(), "BBBBBB")
    open_hub = lambda log, taken: companion.storage.join_codes.set_hub(log, hub)  # noqa: E731
    monkeypatch.setattr(companion.service.table_service, "open_hub", open_hub)
    monkeypatch.setattr(companion.storage.event_log, "draw_mark", lambda: "the mark of the log")
    # How many lines of the list are ready in time says something about the machine, nothing about the cards.
    monkeypatch.setattr(companion.service.summaries, "AT_ONCE_S", float("inf"))
    monkeypatch.setattr(companion.service.archive, "wall_clock", lambda: "2026-01-02T20:00:00+00:00")
    monkeypatch.setattr(hardware.panel, "Sequencer", Shown)
    monkeypatch.setattr(publisher.mqtt, "Client", Line)
    houses: list[House] = []

    def build(one: tuple[JSON, JSON], other: tuple[JSON, JSON]) -> tuple[House, House]:
        for given in (one, other):
            houses.append(made(tmp_path / str(len(houses)), *given))
        return houses[-2], houses[-1]

    yield build
    for house in houses:
        house.close()


@contextmanager
def heard_journal() -> Iterator[Journal]:
    """All that is said to the journal meanwhile."""
    heard, root = Journal(), logging.getLogger()
    level = root.level
    root.addHandler(heard)
    root.setLevel(logging.DEBUG)
    yield heard
    root.removeHandler(heard)
    root.setLevel(level)


def both(houses: tuple[House, House], journal: Journal, act: Any, where: Any) -> JSON:
    """Do the same in both houses; everything that comes out must be the same, byte by byte."""
    outcome = []
    for house in houses:
        journal.said.clear()
        answer = act(house)
        outcome.append({"answer": answer, **house.heard(), "journal": list(journal.said)})
    for channel, told in outcome[0].items():
        if told != outcome[1][channel]:
            raise AssertionError(f"{channel} differs after {where}: {apart(repr(told), repr(outcome[1][channel]))}")
    return outcome[0]["answer"]


def same_pages(houses: tuple[House, House], routes: Sequence[str], where: Any) -> None:
    one, other = (house.shown(routes) for house in houses)
    for page, answer in one.items():
        if answer != other[page]:
            raise AssertionError(f"{page} differs after {where}: {apart(repr(answer), repr(other[page]))}")


def apart(one: str, other: str) -> str:
    """Where two texts part."""
    at = next((k for k, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return f"...{one[max(0, at - 200) : at + 60]}... but ...{other[max(0, at - 60) : at + 60]}..."


def upside_down(seed: int) -> JSON:
    """The deck with many prerequisites the other way round: the same links, but other cards are lawful."""
    dice = random.Random(seed)
    deck = deepcopy(DECK)
    needs = {card["id"]: set(card.get("prerequisites", ())) for card in deck["card"]}
    edges = [(card, need) for card, known in needs.items() for need in sorted(known)]
    for card, need in dice.sample(edges, len(edges)):
        if len(needs[need]) == 3:
            continue
        needs[card].remove(need)
        if reaches(needs, card, need) or not any(card[0] == "1" and not needs[card] for card in needs if card != need):
            needs[card].add(need)
        else:
            needs[need].add(card)
    for card in deck["card"]:
        card["prerequisites"] = sorted(needs[card["id"]])
    return deck


def reaches(needs: dict[str, set[str]], start: str, goal: str) -> bool:
    return start == goal or any(reaches(needs, need, goal) for need in needs[start])


def position(below: Sequence[str], top: str) -> JSON:
    """Some turns into a match: these cards lie in the pile, of which only the top can be seen."""
    return {
        "turn": 1,
        "tree": [*below, top],
        "pool": ["1-3", "1-4", "2-5", "2-3", "2-4"],
        "discards": [[], ["1-7"], []],
        "hands": [5, 5, 5],
        "stack": 54 - len(below) - 1 - 5 - 1 - 15,
    }


def guesses(house: House, unseen: Sequence[str], dice: random.Random, hidden: set[str]) -> list[JSON]:
    """What somebody could say or lay now, as far as everybody can know."""
    game, public = house.host.match.game, house.host.match.public
    seat = public.turn.seat
    moves: list[JSON] = [
        {"do": "place", "by": seat, "card": card, "from": "hand"}
        for card in dice.sample(list(unseen), min(6, len(unseen)))
    ]
    moves += [{"do": "place", "by": seat, "card": card, "from": "pool"} for card in public.pool if card]
    moves += [{"do": "refill", "by": 0, "card": dice.choice(list(unseen))}] if None in public.pool and unseen else []
    for offer in game.board.offers(public, MoveContext(1000)):
        chosen = {key: dice.choice(values) for key, values in offer.choices.items()}
        if offer.do != "verify" and chosen.get("card") not in hidden and chosen.get("as") not in hidden:
            moves.append({"do": offer.do, "by": offer.by, **chosen})
    return moves


def seen(move: JSON) -> bool:
    """Whether the camera can tell all of a move."""
    plain = not move.keys() - {"do", "by", "card", "from"} and move.get("from") != "called"
    return plain and move["do"] in ("place", "discard", "refill")


def lay(lying: dict[str, str], move: JSON) -> dict[str, str]:
    zone = {"place": "pile", "refill": "pool", "discard": f"discard-{move['by']}"}[move["do"]]
    return {**lying, "C" + move["card"].replace("-", ""): zone}
