"""How a broker is reached: what the tables that publish there and the hub that listens there have in common."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from companion.errors import DeviceError, Fault
from companion.public.text import JSON

if TYPE_CHECKING:
    import paho.mqtt.client as mqtt

KEYS = {
    "host": str, "port": int, "table": str, "user": str, "password": str,
    "prefix": str, "discovery": str, "tls": bool, "ca": str,
}  # fmt: skip
"""Of ``[mqtt]``; all but ``host`` may be missing."""
LONGEST_PREFIX = 200
_TOPIC = re.compile(r"[^#+/\x00-\x1f]+(/[^#+/\x00-\x1f]+)*")


def broker_faults(section: JSON) -> list[Fault]:
    """What is wrong with ``[mqtt]``; their paths begin inside it.

    >>> broker_faults({"host": "homeassistant.local", "port": "1883"})[0].where
    ('port',)
    """
    if not isinstance(section, Mapping) or not isinstance(section.get("host"), str):
        return [Fault("needs the broker's host", ("host",))]
    faults = [
        Fault("is no key of this section" if key not in KEYS else "has the wrong type", (key,))
        for key, value in section.items()
        if key not in KEYS or type(value) is not KEYS[key]
    ]
    if faults:
        return faults
    for key in ("prefix", "discovery"):
        topic = section.get(key, "x")
        if not _TOPIC.fullmatch(topic) or len(topic) > LONGEST_PREFIX:
            what = f"is how topics begin, such as club/room-1: no + or #, no / at an end, {LONGEST_PREFIX} characters"
            faults.append(Fault(what, (key,)))
    if "ca" in section and not section.get("tls", False):
        faults.append(Fault("is of use with tls = true alone", ("ca",)))
    elif not Path(section.get("ca", "/")).is_absolute():
        faults.append(Fault("names the file with the certificate by its whole path", ("ca",)))
    return faults


def give_access(client: mqtt.Client, user: str | None, password: str | None, tls: bool, ca: str) -> None:
    """Give a client what the broker asks for.

    Raises:
        DeviceError: The certificate cannot be used.
    """
    if user is not None:
        client.username_pw_set(user, password)
    if tls:
        import ssl  # is loaded with paho; this module is imported by every command

        try:
            client.tls_set(ca_certs=ca or None)
        except (OSError, ssl.SSLError) as error:
            raise DeviceError(f"The broker's certificate {ca} cannot be used ({error}): see mqtt.ca") from error
