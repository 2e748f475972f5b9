"""What a table is called, and how it is told from every other: ``box.toml`` of its data folder."""

from __future__ import annotations

import logging
import re
import secrets
import unicodedata
from dataclasses import dataclass
from pathlib import Path

from companion.errors import InputError, fault
from companion.storage.toml_file import read_toml, write_toml

log = logging.getLogger(__name__)

BOX_FILE = "box.toml"
LONGEST_NAME = 40
LONGEST_IN_NETWORK = 17
"""Of the 32 bytes that a Wi-Fi's name has at most; ``companion-``, a hyphen and four digits take the others."""
_ID = re.compile(r"[0-9a-f]{8}")


@dataclass(frozen=True, slots=True)
class Box:
    """A table among others.

    Attributes:
        id: Eight hexadecimal digits, drawn once; no other table has them, and a new name leaves them as they are.
        name: What people call it; empty = nobody has named it.
        names_players: The host agrees that the broker is told who sits where.
    """

    id: str
    name: str = ""
    names_players: bool = False

    def topic(self, host: str) -> str:
        """Its part of a broker's topics: what it is called, else its computer, and its id (``kitchen-3fa90c21``)."""
        return f"{_plain(self.name or host) or 'table'}-{self.id}"

    def in_network(self) -> str:
        """Its part of the name of a Wi-Fi of the box's own (``kitchen``); may be empty."""
        return _plain(self.name)[:LONGEST_IN_NETWORK].strip("-")


def _plain(name: str) -> str:
    """A name in small letters, digits and hyphens; may come out empty."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")


def box_name(typed: str) -> str:
    """A name as somebody typed it, without spaces around; empty takes it away.

    Raises:
        InputError: It is too long, or has signs that no screen shows.
    """
    name = " ".join(typed.split())
    if len(name) > LONGEST_NAME or not name.isprintable():
        raise InputError(
            fault("box.fault.name", "a table's name has at most {most} characters that can be seen", most=LONGEST_NAME)
        )
    return name


def read_box(folder: Path) -> Box:
    """The box with this data folder; at the first start one is drawn and kept.

    A file that cannot be read costs the name, never the evening: it is said in the journal, and a new box is drawn.
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
    drawn = Box(secrets.token_hex(4))
    try:
        write_box(folder, drawn)
    except OSError as wrong:
        log.error("%s cannot be written (%s): until it can, this table is another one at each start", path, wrong)
    return drawn


def write_box(folder: Path, box: Box) -> None:
    """Keep what a box is called.

    Raises:
        OSError: The disk would not take it.
    """
    write_toml(folder / BOX_FILE, {"id": box.id, "name": box.name, "names_players": box.names_players})
