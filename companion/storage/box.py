"""A table's name and id: ``box.toml`` in its data folder."""

from __future__ import annotations

import json
import logging
import re
import secrets
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from companion.errors import InputError, fault
from companion.public.text import JSON
from companion.storage.toml_file import read_toml, write_toml

log = logging.getLogger(__name__)

BOX_FILE = "box.toml"
BROKER_FILE = "broker.json"
"""What stays at the broker when the program ends, so that the next start can take away what is of no use any more."""
LONGEST_NAME = 40
LONGEST_IN_NETWORK = 17
"""A Wi-Fi name has at most 32 bytes; ``companion-``, a hyphen and four digits take the others."""
_ID = re.compile(r"[0-9a-f]{8}")


@dataclass(frozen=True, slots=True)
class Box:
    """One table among several.

    Attributes:
        id: Eight hexadecimal digits, drawn once and unique; renaming the table does not change them.
        name: What people call it; may be empty.
        names_players: The host allows the players' names to be sent to the broker.
    """

    id: str
    name: str = ""
    names_players: bool = False

    def topic(self, host: str) -> str:
        """Its part of MQTT topics: the name, or else the computer's, and the id (``kitchen-3fa90c21``).

        >>> Box("3fa90c21", "Kitchen").topic("pi")
        'kitchen-3fa90c21'
        """
        return f"{_plain(self.name or host) or 'table'}-{self.id}"

    def in_network(self) -> str:
        """Its part of the name of the Wi-Fi that the box opens (``kitchen``); may be empty."""
        return _plain(self.name)[:LONGEST_IN_NETWORK].strip("-")


def _plain(name: str) -> str:
    """The name in small letters, digits and hyphens; may be empty."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")


def box_name(typed: str) -> str:
    """Clean up a name that was typed; an empty one removes the name.

    Raises:
        InputError: It is too long, or has characters that cannot be displayed.
    """
    name = " ".join(typed.split())
    if len(name) > LONGEST_NAME or not name.isprintable():
        raise InputError(
            fault("box.fault.name", "a table's name has at most {most} characters that can be seen", most=LONGEST_NAME)
        )
    return name


def new_id() -> str:
    return secrets.token_hex(4)


def read_box(folder: Path) -> Box:
    """Read a data folder's ``box.toml``; at the first start, make one.

    If the file cannot be read, that is logged and a new id is drawn; only the name is lost.
    """
    path = folder / BOX_FILE
    if path.exists():
        try:
            content = read_toml(path).content
            number, name = content.get("id"), content.get("name", "")
            if isinstance(number, str) and _ID.fullmatch(number) and isinstance(name, str):
                return Box(number, box_name(name), content.get("names_players") is True)
            log.error("%s does not say which table this is: it gets a new number and no name", path)
        except InputError as wrong:
            log.error("%s: this table gets a new number and no name", wrong)
    drawn = Box(new_id())
    try:
        write_box(folder, drawn)
    except OSError as wrong:
        log.error("%s cannot be written (%s): until it can, this table is another one at each start", path, wrong)
    return drawn


def write_box(folder: Path, box: Box) -> None:
    """Raises OSError if the disk does not take it."""
    write_toml(folder / BOX_FILE, {"id": box.id, "name": box.name, "names_players": box.names_players})


def read_broker(folder: Path) -> Mapping[str, JSON]:
    """What an earlier start left at the broker (``web.push.mqtt``); empty if that is not known."""
    try:
        content = json.loads((folder / BROKER_FILE).read_text("utf-8"))
        topics, entities = content["topics"], content["entities"]
        if all(isinstance(one, str) for one in (*topics, *entities, *entities.values())):
            return {"topics": list(topics), "entities": dict(entities)}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        pass  # it costs some stale values at the broker
    return {}


def write_broker(folder: Path, left: Mapping[str, JSON]) -> None:
    """Write down what stays at the broker; what cannot be written is logged."""
    fresh = folder / f"{BROKER_FILE}.new"
    try:
        fresh.write_text(json.dumps(left), "utf-8")
        fresh.replace(folder / BROKER_FILE)
    except OSError as wrong:
        log.warning("%s cannot be written: %s", folder / BROKER_FILE, wrong)


def forget_broker(folder: Path) -> None:
    (folder / BROKER_FILE).unlink(missing_ok=True)
