"""Publishes what everyone may know to an MQTT broker: contract, section 9."""

from __future__ import annotations

import json
import logging
import re
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.reasoncodes import ReasonCode

from companion.plugins.broker import give_access
from companion.public.standing import Standing, encode_standing
from companion.public.text import JSON
from companion.public.updates import Alert, Signal, Update

log = logging.getLogger(__name__)

QUEUED = 1000
"""Events kept while the broker is away; the oldest are dropped. Of a retained topic only the newest message is kept."""

IN_FLIGHT = 100
"""Messages sent but not confirmed by the broker; further ones wait."""

FAREWELL_S = 2.0

TWIN_S = 30.0
"""After another table with the same number took over the connection, this table waits so long before it takes it back.
Both learn of each other that way, and the broker has peace in between."""
ASKING_S = 4.0

OK, AWAY, REFUSED, TWIN = "ok", "away", "refused", "twin"
"""How a table and its broker get along; ``twin``: another table has the same number, because its card was copied."""
THROWN_OUT = 3
"""So often in a minute a broker ends the connection and lets the table in again, where a twin does the same."""
AT_ONCE_S, MINUTE_S = 3.0, 60.0
NO_REASON = "Unspecified error"
"""What is left of a connection that the other side ended, not the network."""

QUIET_ALERTS = (Alert.NONE, Alert.PAUSED)
"""Every other alert needs a person at the table; the player who paused it is there."""

VERDICTS = (
    Signal.RECOGNISED, Signal.PLAYED, Signal.PRIZE, Signal.REFUSED, Signal.SETTLED, Signal.MISPLACED,
    Signal.CORRECTED, Signal.PAUSED, Signal.RESUMED, Signal.STARTED, Signal.OVER,
)  # fmt: skip
"""What the lamp shows of an entry: no more than everyone at the table sees."""


MOMENTS = ("stop", "question", "over")
"""What an automation may act on: a player says Stop, players are asked, a match ends."""

MOST_SEATS = 9


class MqttPublisher:
    """Publishes updates to an MQTT broker; ``close`` says good-bye.

    A broker that cannot be reached is tried again forever.

    Args:
        host: The broker's host name.
        port: Its port.
        table: This table's name in the topics; invalid characters become ``-``.
        version: The companion's version, for Home Assistant.
        user, password: If the broker wants them.
        keepalive_s: After this time without contact the broker reports ``offline``.
        prefix: First part of the topics.
        discovery: First part of Home Assistant's discovery topics; empty = no discovery.
        tls: Whether the connection is encrypted.
        ca: File with the certificate that must have signed the broker's; empty = the system's certificates.
        id: Unique id of the table, used as the client id: of two clients with one id the broker disconnects the first,
            and tells it why.
        title: The table's name for people.
        address: The address of its pages, such as ``http://192.168.1.20:8080``.
        match: Returns the running match as ``MatchService.current`` does, or ``None``.
        names_players: Whether the host allows players' names to be published.
        left: What an earlier start left at the broker, as ``remember`` got it.
        remember: Called with what stays at the broker when this program ends, whenever that changes: ``topics``, and
            Home Assistant's ``entities`` by name.

    Raises:
        DeviceError: The certificate cannot be used.
    """

    def __init__(
        self,
        host: str,
        port: int = 1883,
        *,
        table: str = "table",
        version: str = "",
        user: str | None = None,
        password: str | None = None,
        keepalive_s: int = 30,
        prefix: str = "companion",
        discovery: str = "homeassistant",
        tls: bool = False,
        ca: str = "",
        id: str = "",  # noqa: A002 - the machine's id
        title: str = "",
        address: str = "",
        match: Callable[[], Mapping[str, JSON] | None] = lambda: None,
        names_players: bool = False,
        left: Mapping[str, JSON] | None = None,
        remember: Callable[[dict[str, JSON]], None] = lambda _: None,
    ) -> None:
        self.table = re.sub(r"[^A-Za-z0-9_-]+", "-", table).strip("-") or "table"
        self._prefix, self._discovery = prefix, discovery
        self._version, self._title, self._address = version, title, address
        self._id = id
        self._match, self._names_players = match, names_players
        self._lock = threading.Condition()
        self._standing: Standing | None = None
        self._published_match: JSON = None
        self._asked = 0
        self._remember, self._remembered = remember, dict[str, JSON]()
        self._left_topics = tuple((left or {}).get("topics", ()))
        self._config_topic = f"{discovery}/device/{self.table}/config" if discovery else ""
        had_config = self._config_topic in self._left_topics
        self._entities: dict[str, str] = dict((left or {}).get("entities", {})) if had_config else {}
        self._online = threading.Event()
        self._retained: dict[str, str] = {}
        self._due: dict[str, str] = {}
        self._events: deque[tuple[str, str]] = deque(maxlen=QUEUED)
        self._in_flight = 0
        self._resending = False
        self._sending = False
        self._refused, self._away = False, False
        self._twin_s = self._gone_s = float("-inf")
        self._let_in_again_s: deque[float] = deque(maxlen=THROWN_OUT)
        self._broker = f"{host}:{port}"
        client_id = f"companion-{id or f'{self.table}-{uuid.uuid4().hex[:8]}'}"
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2, client_id=client_id)
        self._client.will_set(self._topic("available"), "offline", qos=1, retain=True)
        give_access(self._client, user, password, tls, ca)
        self._client.on_connect = self._connected
        self._client.on_connect_fail = self._not_reached
        self._client.on_disconnect = self._gone
        self._client.on_publish = self._arrived
        self._client.reconnect_delay_set(1, 30)
        self._published_match = self._match_json()
        self._keep(self._topic("match"), _wire(self._published_match))
        self._discover()
        with self._lock:
            own = f"{prefix}/{self.table}/"
            gone = (topic for topic in self._left_topics if not topic.startswith(own) and topic != self._config_topic)
            self._due.update(dict.fromkeys(gone, ""))
        self._client.connect_async(host, port, keepalive=keepalive_s)
        self._client.loop_start()

    @property
    def state(self) -> str:
        """``ok``, ``away``, ``refused`` or ``twin``; ``ok`` too before the first attempt has ended."""
        if time.monotonic() - self._twin_s < 3 * TWIN_S:
            return TWIN
        if self._online.is_set():
            return OK
        return REFUSED if self._refused else AWAY if self._away else OK

    def __call__(self, update: Update) -> None:
        """Publish an update; never waits for the broker."""
        before = self._standing
        is_new = update.standing is not None and update.standing != self._standing
        match = self._match_json()
        changed = _shape(update.standing or self._standing) != _shape(self._standing) or match != self._published_match
        self._standing = update.standing or self._standing
        self._published_match = match
        if changed:
            self._discover()
            self._keep(self._topic("match"), _wire(match))
        if is_new and self._standing is not None:
            self._keep(self._topic("standing"), _wire(encode_standing(self._standing)))
        self._keep(self._topic("needs"), _wire(needs_json(update)))
        if update.entry is not None:
            self._publish_event(self._topic("events"), _wire(dict(update.entry)))
            if update.signal in VERDICTS:
                verdict = {"event_type": update.signal.value, "number": update.number, "match": update.match}
                self._publish_event(self._topic("verdict"), _wire(verdict))
        for moment in self._moments(update, before):
            self._publish_event(self._topic("moment"), _wire({**moment, "match": update.match}))

    def _moments(self, update: Update, before: Standing | None) -> Iterator[dict[str, JSON]]:
        """What an automation may act on; no question's words, which may be for one player alone."""
        move = update.entry.get("move") if update.entry is not None else None
        if isinstance(move, Mapping) and move.get("do") == "stop":
            yield {"event_type": "stop", **self._player(move.get("by"))}
        newest = max((question.number for question in update.questions), default=self._asked)
        if newest > self._asked:
            yield {"event_type": "question", "questions": len(update.questions)}
        self._asked = newest
        now = update.standing
        if now is not None and now.final and before is not None and not before.final:
            winners = [self._player(seat) for seat in now.winners]
            yield {"event_type": "over", "points": list(now.points), "winners": winners}

    def _player(self, seat: JSON) -> dict[str, JSON]:
        """A seat's number, and the player's name if the host allows it."""
        seats = (self._published_match or {}).get("seats", ())
        return next(
            (
                {"seat": one["number"], **({"name": one["name"]} if "name" in one else {})}
                for one in seats
                if one["number"] == seat
            ),
            {"seat": seat},
        )

    def connected(self, within_s: float) -> bool:
        """Whether the broker answered within this time."""
        return self._online.wait(within_s)

    def close(self, *, forget: bool = False) -> None:
        """Say good-bye; the broker need not be reachable.

        Args:
            forget: Clear this table's retained topics, because it gets another name.
        """
        if self._online.is_set():
            if forget:
                for topic in self._retained:
                    self._keep(topic, "")
            end_s = time.monotonic() + FAREWELL_S
            with self._lock:
                self._lock.wait_for(lambda: not (self._due or self._events or self._in_flight), FAREWELL_S)
            farewell = self._client.publish(self._topic("available"), "" if forget else "offline", qos=1, retain=True)
            with suppress(RuntimeError, ValueError):  # the broker has just left: its last will reports it
                farewell.wait_for_publish(max(0.1, end_s - time.monotonic()))
        self._client.disconnect()
        self._client.loop_stop()

    def _topic(self, name: str) -> str:
        return f"{self._prefix}/{self.table}/{name}"

    # -- the queue -------------------------------------------------------------------------------

    def _keep(self, topic: str, payload: str) -> None:
        """Publish a retained message; of each topic only the newest is worth sending."""
        with self._lock:
            if self._retained.get(topic) == payload:
                return
            self._retained[topic] = self._due[topic] = payload
            stays: dict[str, JSON] = {"topics": sorted(self._retained), "entities": dict(self._entities)}
            is_news, self._remembered = stays != self._remembered, stays
        if is_news:
            self._remember(stays)
        self._send()

    def _publish_event(self, topic: str, payload: str) -> None:
        with self._lock:
            self._events.append((topic, payload))
        self._send()

    def _send(self) -> None:
        """Send what is queued while the broker takes it.

        One thread does this at a time, so that the order is kept. The lock is not held meanwhile, because paho has
        locks of its own and calls back.
        """
        with self._lock:
            if self._sending:
                return
            self._sending = True
        while True:
            with self._lock:
                waits = self._due or self._events
                if not waits or not self._online.is_set() or self._resending or self._in_flight >= IN_FLIGHT:
                    self._sending = False
                    return
                self._in_flight += 1
                retain = bool(self._due)
                topic = next(iter(self._due), "")
                topic, payload = (topic, self._due.pop(topic)) if retain else self._events.popleft()
            self._client.publish(topic, payload, qos=1, retain=retain)

    def _arrived(self, *_: Any) -> None:
        with self._lock:
            self._in_flight = max(0, self._in_flight - 1)
            self._resending = self._resending and self._in_flight > 0
            self._lock.notify_all()
        self._send()

    def _connected(self, _client: mqtt.Client, _data: Any, _flags: Any, reason: ReasonCode, _more: Any) -> None:
        self._refused, self._away = reason.is_failure, False
        if reason.is_failure:
            log.warning("the MQTT broker refuses this table: %s", reason)
            return
        self._look_for_twin()
        with self._lock:
            # A broker that was restarted may have lost its retained messages.
            self._retained[self._topic("available")] = "online"
            self._due.update(self._retained)
            # After this call paho sends unconfirmed messages again. The rest waits for that: else an older standing
            # would arrive last and be retained.
            self._resending = self._in_flight > 0
            self._online.set()
        self._send()

    def _not_reached(self, _client: mqtt.Client, _data: Any) -> None:
        if not self._away:
            log.warning("the MQTT broker %s is out of reach", self._broker)
        self._away = True

    def _gone(self, client: mqtt.Client, _data: Any, _flags: Any, reason: ReasonCode, _more: Any) -> None:
        was_online = self._online.is_set()
        self._online.clear()
        if not (reason.is_failure and was_online):
            return
        self._gone_s = time.monotonic() if str(reason) == NO_REASON else float("-inf")
        if self.state == TWIN:
            self._twin_s = self._gone_s
            client.reconnect_delay_set(int(TWIN_S), int(TWIN_S))
        else:
            client.reconnect_delay_set(1, 30)
            log.warning("the MQTT broker has left: %s", reason)

    def _look_for_twin(self) -> None:
        """Two clients with one id throw each other out, again and again; a broker of MQTT 3.1.1 gives no reason."""
        now_s = time.monotonic()
        if now_s - self._gone_s > AT_ONCE_S or self.state == TWIN:
            return
        self._let_in_again_s.append(now_s)
        if len(self._let_in_again_s) == THROWN_OUT and now_s - self._let_in_again_s[0] < MINUTE_S:
            self._twin_s = now_s
            self._let_in_again_s.clear()
            log.warning("another table with the number %s is at the MQTT broker: was this card copied?", self._id)

    # -- the messages ----------------------------------------------------------------------------

    def _match_json(self) -> JSON:
        """The match as a hub needs it; names only if the host allows it."""
        running = self._match()
        values: dict[str, JSON] = {"table": self._title, "address": self._address, "version": self._version}
        if running is None:
            return {**values, "match": None}
        seats = [
            {"number": seat["number"], **({"name": seat["name"]} if self._names_players else {})}
            for seat in running["seats"]
        ]
        keys = ("game", "profile", "simulated")
        return {
            **values,
            "match": running["id"],
            "generation": running.get("generation"),
            **{key: running[key] for key in keys},
            "seats": seats,
        }

    def _discover(self) -> None:
        if not self._discovery:
            return
        names = [str(seat.get("name", "")) for seat in (self._published_match or {}).get("seats", ())]
        # A table whose topic name comes from the settings keeps the entities that it had before ids were introduced.
        id_in_topic = self._id if self._id and self.table.endswith(self._id) else ""
        document = discovery_json(
            self.table,
            self._standing,
            self._version,
            id=id_in_topic,
            title=self._title,
            address=self._address,
            names=names,
            prefix=self._prefix,
        )
        entities: Any = document["cmps"]
        # Home Assistant removes what is named by its platform alone, and keeps what is not named.
        gone = {name: {"p": kind} for name, kind in self._entities.items() if name not in entities}
        self._entities |= {name: one["p"] for name, one in entities.items()}
        self._keep(self._config_topic, _wire({**document, "cmps": {**entities, **gone}}))


def broker_state(
    host: str,
    port: int = 1883,
    *,
    user: str | None = None,
    password: str | None = None,
    tls: bool = False,
    ca: str = "",
    **_others: JSON,
) -> str:
    """Whether a broker lets this computer in: ``ok``, ``refused`` or ``away``. Nothing is published.

    Args:
        _others: The other keys of ``[mqtt]``, which are about publishing.

    Raises:
        DeviceError: The certificate cannot be used.
    """
    answers: list[str] = []
    answered = threading.Event()

    def answer(state: str) -> None:
        answers.append(state)
        answered.set()

    client = mqtt.Client(CallbackAPIVersion.VERSION2)
    give_access(client, user, password, tls, ca)
    client.on_connect = lambda _c, _d, _f, reason, _m: answer(REFUSED if reason.is_failure else OK)
    client.on_connect_fail = lambda _c, _d: answer(AWAY)
    client.connect_async(host, port)
    client.loop_start()
    answered.wait(ASKING_S)
    client.disconnect()
    client.loop_stop()
    return answers[0] if answers else AWAY


def needs_json(update: Update) -> dict[str, JSON]:
    """Whether the table needs a person, why, and how many questions are open."""
    asked = len(update.questions)
    return {"needs": bool(asked) or update.alert not in QUIET_ALERTS, "alert": update.alert.value, "questions": asked}


def _shape(standing: Standing | None) -> tuple[int, tuple[str, ...]]:
    """The number of seats, and the names of the counters."""
    return (len(standing.points), tuple(standing.counters)) if standing else (0, ())


def _wire(value: JSON) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


ICONS = {"stack": "cards", "hands": "cards-playing-outline", "trumps": "star"}
"""For counters that several games may have; others get a plain icon."""
PASSING = ("trumps",)
"""Short-lived counters, for which statistics make no sense."""


def discovery_json(
    table: str,
    standing: Standing | None,
    version: str,
    *,
    id: str = "",  # noqa: A002 - as the box calls it
    title: str = "",
    address: str = "",
    names: Sequence[str] = (),
    prefix: str = "companion",
) -> dict[str, JSON]:
    """The configuration for Home Assistant's MQTT device discovery: this table as one device.

    Args:
        table: Its name in topics.
        id: Identifies the entities, so that they survive a new name; without it ``table`` is used.
        names: The players' names by seat, if they may be published.
    """
    own = f"companion_{id or table}"

    def entity(kind: str, name: str, of: str, icon: str, **more: JSON) -> dict[str, JSON]:
        return {"p": kind, "unique_id": f"{own}_{of}", "name": name, "icon": f"mdi:{icon}", **more}

    def sensor(name: str, of: str, template: str, icon: str, **more: JSON) -> dict[str, JSON]:
        return entity("sensor", name, of, icon, value_template=template, **more)

    seats, counters = _shape(standing)
    by_seat = [name for name in counters if standing and isinstance(standing.counters[name], tuple)]
    components = {"turn": sensor("Turn", "turn", "{{ value_json.turn | default('', true) }}", "account-arrow-right")}
    for name in counters:
        if name not in by_seat:
            kind = {} if name in PASSING else {"state_class": "measurement"}
            template = f"{{{{ value_json.{name} }}}}"
            components[name] = sensor(name.capitalize(), name, template, ICONS.get(name, "counter"), **kind)
    is_over = "{{ 'ON' if value_json.over and not value_json.provisional | default(false) else 'OFF' }}"
    components["over"] = entity("binary_sensor", "Over", "over", "flag-checkered", value_template=is_over)
    needs = {"state_topic": f"{prefix}/{table}/needs", "value_template": "{{ 'ON' if value_json.needs else 'OFF' }}"}
    components["needs"] = entity("binary_sensor", "Needs somebody", "needs", "hand-wave", **needs)
    verdict = {"state_topic": f"{prefix}/{table}/verdict", "event_types": [signal.value for signal in VERDICTS]}
    components["verdict"] = entity("event", "Verdict", "verdict", "gavel", **verdict)
    moment = {"state_topic": f"{prefix}/{table}/moment", "event_types": list(MOMENTS)}
    components["moment"] = entity("event", "Moment", "moment", "bell", **moment)
    for seat in range(seats + 1 if seats else MOST_SEATS + 1, MOST_SEATS + 1):
        # Players of an earlier match, perhaps before a restart: see MqttPublisher._discover.
        components |= {f"{name}_{seat}": {"p": "sensor"} for name in ("points", *by_seat)}
    for seat in range(1, seats + 1):
        named = names[seat - 1] if seat <= len(names) else ""
        for name in ("points", *by_seat):
            label = f"{named or f'Seat {seat}'} {'hand' if name == 'hands' else name}"
            template = f"{{{{ value_json.{name}[{seat - 1}] }}}}"
            icon = ICONS.get(name, "counter")
            components[f"{name}_{seat}"] = sensor(label, f"{name}_{seat}", template, icon, state_class="measurement")
    device = {"ids": [own], "name": f"Companion {title or table}", "mf": "Companion", "sw": version}
    return {
        "dev": {**device, **({"cu": address} if address else {})},
        "o": {"name": "companion", "sw": version},
        "cmps": components,
        "state_topic": f"{prefix}/{table}/standing",
        "availability_topic": f"{prefix}/{table}/available",
        "qos": 1,
    }
