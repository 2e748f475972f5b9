"""Many tables in one process that replay recorded traffic to a broker, for the hub's bench."""

from __future__ import annotations

import random
import selectors
import time
from collections import defaultdict
from collections.abc import Container, Mapping, Sequence

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

SPREAD_S = 5.0
"""Within so many seconds all tables have said how they stand."""
TURN_S = 0.05
LAST_TURNS = 20
"""For what the broker has not confirmed yet."""


class ReplayedTables:
    """Tables at a broker on this computer, one loop for all of their sockets; use them in a ``with``.

    Args:
        first, count: Their numbers; each has a topic and a client of its own.
        traffic: What each publishes: seconds since the beginning, the last part of the topic, and the text.
        retained: The last parts of topics that the broker keeps.
        patience_s: So long at most they wait for the broker.
    """

    def __init__(
        self,
        port: int,
        first: int,
        count: int,
        traffic: Sequence[tuple[float, str, str]],
        retained: Container[str],
        patience_s: float,
    ) -> None:
        self._first, self._traffic, self._retained = first, traffic, retained
        self._ready = selectors.DefaultSelector()
        self._clients = []
        for number in range(first, first + count):
            client = mqtt.Client(CallbackAPIVersion.VERSION2, client_id=f"bench-{number}")
            client.connect("127.0.0.1", port, keepalive=60)
            self._ready.register(client.socket(), selectors.EVENT_READ, client)
            self._clients.append(client)
        end = time.monotonic() + patience_s
        while not all(client.is_connected() for client in self._clients) and time.monotonic() < end:
            self._turn(TURN_S)

    def __enter__(self) -> ReplayedTables:
        return self

    def __exit__(self, *_: object) -> None:
        for client in self._clients:
            client.disconnect()
        self._ready.close()

    def play(self, lasts_s: float) -> tuple[Mapping[str, Sequence[float]], int]:
        """For so long; answers when each retained message was published, by topic, and how many bytes all had."""
        plan, done, size, looked_s = self._plan(lasts_s), 0, 0, 0.0
        sent = defaultdict[str, list[float]](list)
        began = time.monotonic()
        while (now_s := time.monotonic() - began) < lasts_s:
            while done < len(plan) and plan[done][0] <= now_s:
                _, place, what, payload = plan[done]
                topic, retain = f"t-{self._first + place:08x}/{what}", what in self._retained
                if retain:
                    sent[topic].append(time.monotonic())
                self._clients[place].publish(f"companion/{topic}", payload, qos=1, retain=retain)
                size += len(payload)
                done += 1
            self._turn(min(TURN_S, (plan[done][0] if done < len(plan) else lasts_s) - now_s))
            if now_s - looked_s > 1.0:
                looked_s = now_s
                for client in self._clients:
                    client.loop_misc()
        for _ in range(LAST_TURNS):
            self._turn(TURN_S)
        return sent, size

    def _plan(self, lasts_s: float) -> list[tuple[float, int, str, bytes]]:
        """When which table publishes what: first how it stands, then what follows, over and over."""
        dice, length_s = random.Random(self._first), self._traffic[-1][0] + 1.0
        plan = []
        for place in range(len(self._clients)):
            begins_s, comes_s = dice.uniform(0, length_s), dice.uniform(0, min(SPREAD_S, lasts_s / 2))
            before = {what: text for at_s, what, text in self._traffic if at_s <= begins_s and what in self._retained}
            plan += [(comes_s, place, what, text.encode()) for what, text in before.items()]
            for lap in range(int((lasts_s + begins_s) / length_s) + 1):
                for at_s, what, text in self._traffic:
                    due_s = lap * length_s + at_s - begins_s
                    if 0 <= due_s < lasts_s:
                        plan.append((due_s, place, what, text.encode()))
        return sorted(plan, key=lambda one: one[:2])

    def _turn(self, for_s: float) -> None:
        for key, _ in self._ready.select(max(0.0, for_s)):
            key.data.loop_read()
        for client in self._clients:
            if client.want_write():
                client.loop_write()
