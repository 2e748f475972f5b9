"""A table's name and id: ``box.toml`` in its data folder."""

from __future__ import annotations

import logging
import re
import secrets
from pathlib import Path

from companion.errors import InputError, fault
from companion.public.machine import Box
from companion.storage.toml_file import read_toml, write_toml

log = logging.getLogger(__name__)

BOX_FILE = "box.toml"
LONGEST_NAME = 40
_ID = re.compile(r"[0-9a-f]{8}")


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
