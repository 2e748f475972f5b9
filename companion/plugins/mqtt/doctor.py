"""The doctor's line: how this table and its broker get along."""

from __future__ import annotations

from collections.abc import Iterator

from companion.plugins.mqtt.publisher import broker_state
from companion.public.findings import Finding, Level, in_words
from companion.public.text import JSON


def broker(section: JSON, health: JSON) -> Iterator[Finding]:
    """
    Args:
        section: The ``[mqtt]`` of the settings.
        health: A running companion's; without one the broker is asked.

    Raises:
        DeviceError: The certificate cannot be used.
    """
    where = f"{section['host']}:{section.get('port', 1883)}"
    state = health.get("broker") if isinstance(health, dict) else None
    if not isinstance(state, str):
        state = broker_state(**section)
    if state == "ok":
        yield Finding("broker", Level.OK, in_words("broker.ok", where=where))
    elif state in ("away", "refused", "twin"):
        what, to_do = in_words(f"broker.{state}", where=where), in_words(f"broker.{state}.do")
        yield Finding("broker", Level.WARNING, what, to_do)
