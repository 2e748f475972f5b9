"""What the tables of a room publish, collected by table. Anybody may publish, so nothing is trusted."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from companion.public.text import JSON

MOST_TABLES = 1000
"""Further tables are not listed: they are probably fakes. Tables that were never online are dropped first."""
MOST_BYTES = 16 * 1024
"""For one message; a standing of nine seats has some 500."""
MOST_SEATS = 12
MOST_WORDS = 40
SHARED = "table"
"""The topic that all tables without a name share; they are listed under their own topics."""
TOPICS = ("available", "match", "needs", "standing")

_TABLE = re.compile(r"[A-Za-z0-9_-]{1,120}")


@dataclass(frozen=True, slots=True)
class TableStatus:
    """A table's last published state; missing or invalid values are empty.

    Attributes:
        topic: Its part of MQTT topics.
        title: What people call it.
        address: Of its pages; only ``http`` and ``https``.
        alert: What its lamp shows, as in section 8 of the contract.
        needs: Whether it needs a person.
        seats: The players' names, or "" where they are not published.
        points: By seat, seat 1 first.
        over: Its match has ended, and neither a contest nor an answer can change that.
    """

    topic: str
    title: str = ""
    address: str = ""
    online: bool = False
    game: str = ""
    profile: str = ""
    match: str = ""
    simulated: bool = False
    seats: tuple[str, ...] = ()
    alert: str = "none"
    needs: bool = False
    questions: int = 0
    turn: int = 0
    points: tuple[int, ...] = ()
    over: bool = False
    winners: tuple[int, ...] = ()

    @property
    def name(self) -> str:
        """Its name for display."""
        return self.title or self.topic

    def seat(self, number: int) -> str:
        """A player's name, or the number of the seat."""
        return (self.seats[number - 1] if 0 < number <= len(self.seats) else "") or str(number)


class Room:
    """The tables of a room. May be used from any thread.

    Attributes:
        refused: The number of invalid messages.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._tables: dict[str, TableStatus] = {}
        self._never_online: dict[str, None] = {}
        self.refused = 0

    def receive(self, topic: str, what: str, payload: bytes) -> None:
        """Take in a table's message.

        Args:
            topic: The table's part of the topic.
            what: The last part: ``available``, ``match``, ``needs`` or ``standing``.
            payload: Empty if the broker's stored message was deleted.
        """
        with self._lock:
            table = self._tables.get(topic, TableStatus(topic))
            if not _TABLE.fullmatch(topic) or what not in TOPICS or len(payload) > MOST_BYTES:
                self.refused += 1
            elif not payload:
                if what == "available":
                    self._forget(topic)
            elif (updated := _updated(table, what, payload)) is None or not self._has_room(topic):
                self.refused += 1
            else:
                if updated.online:
                    self._never_online.pop(topic, None)
                elif topic not in self._tables:
                    self._never_online[topic] = None
                self._tables[topic] = updated

    def _has_room(self, topic: str) -> bool:
        if topic not in self._tables and len(self._tables) >= MOST_TABLES and self._never_online:
            self._forget(next(iter(self._never_online)))
        return topic in self._tables or len(self._tables) < MOST_TABLES

    def _forget(self, topic: str) -> None:
        self._tables.pop(topic, None)
        self._never_online.pop(topic, None)

    def all(self) -> tuple[TableStatus, ...]:
        """Tables that need a person first, then by name; offline tables last."""
        with self._lock:
            tables = [one for one in self._tables.values() if one.topic != SHARED or one.title or one.match]
        return tuple(sorted(tables, key=lambda one: (not one.online, not one.needs, one.name.lower(), one.topic)))


def _updated(table: TableStatus, what: str, payload: bytes) -> TableStatus | None:
    """The table's state after a message; ``None`` if the message is invalid."""
    try:
        text = payload.decode("utf-8")
        if what == "available":
            return replace(table, online=text == "online") if text in ("online", "offline") else None
        values = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(values, dict):
        return None
    match what:
        case "match":
            seats = values.get("seats")
            seats = seats if isinstance(seats, list) else []
            names = tuple(_words(seat.get("name")) for seat in seats if isinstance(seat, dict))
            return replace(
                table,
                title=_words(values.get("table")),
                address=_address(values.get("address")),
                game=_words(values.get("game")),
                profile=_words(values.get("profile")),
                match=_words(values.get("match")),
                simulated=values.get("simulated") is True,
                seats=names[:MOST_SEATS],
            )
        case "needs":
            return replace(
                table,
                needs=values.get("needs") is True,
                alert=_words(values.get("alert")) or "none",
                questions=_number(values.get("questions")),
            )
        case _:
            return replace(
                table,
                turn=_number(values.get("turn")),
                points=_numbers(values, "points"),
                over=values.get("over") is True and values.get("provisional") is not True,
                winners=_numbers(values, "winners"),
            )


def _words(value: JSON) -> str:
    """A short text without invisible characters."""
    if not isinstance(value, str):
        return ""
    return "".join(sign for sign in " ".join(value[:400].split()) if sign.isprintable())[:MOST_WORDS]


def _number(value: JSON) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1_000_000 else 0


def _numbers(values: Mapping[str, JSON], key: str) -> tuple[int, ...]:
    numbers = values.get(key)
    return tuple(map(_number, numbers[:MOST_SEATS])) if isinstance(numbers, list) else ()


def _address(value: JSON) -> str:
    if not isinstance(value, str) or len(value) > 200 or not value.isprintable():
        return ""
    try:
        parts = urlsplit(value)
    except ValueError:
        return ""
    return value if parts.scheme in ("http", "https") and parts.hostname and "@" not in parts.netloc else ""
