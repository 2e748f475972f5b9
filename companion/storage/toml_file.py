"""Reads and writes TOML files; faults name file, line and key."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeVar

import tomlkit
from tomlkit import TOMLDocument
from tomlkit.container import Container
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import AoT, InlineTable, Item, Table

from companion.errors import Fault, InputError, fault
from companion.public.text import JSON
from companion.reading.text import MOST_TOML_BYTES, parse_toml, read_text

T = TypeVar("T")
KeyPath = tuple[str | int, ...]
MOST_NUMBERED_BYTES = 40_000
"""Finding the lines of a larger file could take seconds; a deck with all its names has 9 kB."""


@dataclass(frozen=True)
class Document:
    """A parsed TOML file that remembers its lines."""

    path: Path
    text: str
    content: dict[str, JSON]

    @cached_property
    def _lines(self) -> Mapping[KeyPath, int]:
        return key_lines(self.text)

    def located(self, read: Callable[[JSON], T]) -> T:
        """Call ``read`` with the content; its faults get this file's name and their lines.

        Raises:
            InputError: With every fault.
        """
        try:
            return read(self.content)
        except InputError as wrong:
            raise InputError(*(self.locate(fault) for fault in wrong.faults)) from wrong

    def locate(self, fault: Fault) -> Fault:
        """The fault with file and line in its sentence."""
        line = nearest_line(self._lines, fault.where)
        where = f"{self.path}" if line is None else f"{self.path}, line {line}"
        key = ".".join(str(part + 1) if isinstance(part, int) else part for part in fault.where)
        return Fault(f"{where}: {key}: {fault.what}" if key else f"{where}: {fault.what}")


def read_toml(path: Path) -> Document:
    """Read a TOML file.

    Raises:
        InputError: It does not exist, is not TOML, or breaks a limit.
    """
    text = read_text(path, MOST_TOML_BYTES)
    try:
        return Document(path, text, parse_toml(text))
    except InputError as wrong:
        raise InputError(f"{path}: {wrong}") from wrong


def nearest_line(lines: Mapping[KeyPath, int], where: Sequence[str | int]) -> int | None:
    """The line of a key, or else of the innermost table around it; ``None`` for the file itself."""
    path = tuple(where)
    return next((lines[path[:depth]] for depth in range(len(path), 0, -1) if path[:depth] in lines), None)


def key_lines(text: str) -> dict[KeyPath, int]:
    r"""Every key and header of a TOML text, with the first line, from 1, in which it stands.

    Empty for a text of more than ``MOST_NUMBERED_BYTES``, or if tomlkit would write the text differently, as with a
    list of tables whose tables are not consecutive.

    >>> key_lines("[deck]\ntitle = 'Mine'\n")
    {('deck',): 1, ('deck', 'title'): 2}
    """
    if len(text) > MOST_NUMBERED_BYTES:
        return {}
    try:
        document = tomlkit.parse(text)
    except TOMLKitError:
        return {}
    lines: dict[KeyPath, int] = {}
    if document.as_string() == text:
        _number_lines(document, (), 1, lines)
    return lines


def _number_lines(holder: Container, path: KeyPath, line: int, lines: dict[KeyPath, int]) -> int:
    """Note the lines of a table's content that starts on ``line``; returns the line after it."""
    for key, item in holder.body:
        where = path if key is None else (*path, key.key)
        if isinstance(item, Table):
            line = _number_table(item, where, line, lines)
        elif isinstance(item, AoT):
            for place, table in enumerate(item.body):
                line = _number_table(table, (*where, place), line, lines)
        elif key is None:
            line += item.as_string().count("\n")
        else:
            lines.setdefault(where, line)
            line += item.as_string().count("\n") + item.trivia.trail.count("\n")
    return line


def _number_table(table: Table, path: KeyPath, line: int, lines: dict[KeyPath, int]) -> int:
    lines.setdefault(path, line)
    has_header = table.display_name is not None and not table.is_super_table()
    return _number_lines(table.value, path, line + has_header, lines)


def toml_text(document: Mapping[str, JSON], sections: int = 0) -> str:
    """A document as TOML; a ``None`` in a table is left out.

        >>> print(toml_text({"deck": {"title": "Mine"}}, sections=1), end="")
        [deck]
        title = "Mine"

    Args:
        sections: This many levels are written as sections, ``[table]`` and ``[[table.zone]]``; deeper values take one
            line each, and in a list of tables one line for each table.

    Raises:
        InputError: A list in it holds a ``None``, which TOML cannot express.
    """
    return tomlkit.dumps(_filled(tomlkit.document(), document, sections))


def write_toml(path: Path, document: Mapping[str, JSON], sections: int = 0) -> None:
    """Write a document as ``toml_text`` formats it, atomically. Comments in the existing file stay.

    Raises:
        InputError: It could not be read back.
        OSError: The disk does not take it.
    """
    text = toml_text(document, sections)
    content = parse_toml(text)
    with suppress(InputError, TOMLKitError):  # an unreadable file is replaced
        earlier = tomlkit.parse(read_toml(path).text)
        _update(earlier, content, sections)
        if parse_toml(earlier.as_string()) == content:
            text = earlier.as_string()
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}.new")
    fresh.write_text(text, encoding="utf-8")
    fresh.replace(path)


def _update(holder: TOMLDocument | Table, content: Mapping[str, JSON], sections: int) -> None:
    """Give a table this content; what is equal stays as it is written."""
    before = holder.unwrap()
    for key in before.keys() - content.keys():
        del holder[key]
    for key, value in content.items():
        there = holder.get(key)
        if isinstance(there, Table) and isinstance(value, Mapping):
            _update(there, value, sections - 1)
        elif isinstance(there, AoT) and _is_list_of_tables(value):
            _update_rows(there, value, sections - 1)
        elif key not in before or repr(before[key]) != repr(value):
            holder[key] = _section(value, sections) if sections > 0 and _has_section(value) else _inline(value)


def _update_rows(rows: AoT, content: Sequence[Mapping[str, JSON]], sections: int) -> None:
    """Give a list of tables this content. A table counts as the same if its first key and value are, such as its id."""
    begins = [next(iter(row.items()), None) for row in content]
    for place in reversed(range(len(rows))):
        if _begin(rows, place) not in begins:
            del rows[place]
    for place, row in enumerate(content):
        if place < len(rows) and _begin(rows, place) == begins[place]:
            _update(rows.body[place], row, sections)
        else:
            rows.insert(place, _filled(tomlkit.table(), row, sections))
    del rows[len(content) :]


def _begin(rows: AoT, place: int) -> tuple[str, JSON] | None:
    """The first key of a table in a list, and its value."""
    return next(iter(rows.body[place].unwrap().items()), None)


Holder = TypeVar("Holder", TOMLDocument, Table, InlineTable)


def _filled(holder: Holder, content: Mapping[str, JSON], sections: int) -> Holder:
    there = {key: value for key, value in content.items() if value is not None}
    for key, value in sorted(there.items(), key=lambda pair: sections > 0 and _has_section(pair[1])):
        holder.append(key, _section(value, sections) if sections > 0 and _has_section(value) else _inline(value))
    return holder


def _has_section(value: JSON) -> bool:
    return isinstance(value, Mapping) or _is_list_of_tables(value)


def _is_list_of_tables(value: JSON) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(one, Mapping) for one in value)


def _section(value: JSON, sections: int) -> Table | AoT:
    if isinstance(value, Mapping):
        return _filled(tomlkit.table(), value, sections - 1)
    return AoT([_filled(tomlkit.table(), one, sections - 1) for one in value])


def _inline(value: JSON) -> Item:
    match value:
        case Mapping():
            return _filled(tomlkit.inline_table(), value, 0)
        case list() | tuple():
            rows = tomlkit.array().multiline(_is_list_of_tables(value))
            for one in value:
                rows.append(_inline(one))
            return rows
        case None:
            raise InputError(fault("input.fault.toml", "this is not TOML: {why}", why="null in a list"))
        case _:
            return tomlkit.item(value)
