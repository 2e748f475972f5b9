"""Reads TOML files, and writes them; whatever is wrong with one is named by file, line and key."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import tomlkit
from tomlkit import TOMLDocument
from tomlkit.items import AoT, InlineTable, Item, Table

from companion.errors import Fault, InputError, fault
from companion.public.reading import MOST_TOML_BYTES, parse_toml, read_text
from companion.public.text import JSON

T = TypeVar("T")
KeyPath = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """A parsed TOML file that still knows its lines."""

    path: Path
    text: str
    content: dict[str, JSON]
    _lines: dict[KeyPath, int] = field(default_factory=dict, init=False, repr=False, compare=False)

    def located(self, read: Callable[[JSON], T]) -> T:
        """What ``read`` makes of the content; its faults get this file's name and their lines.

        Raises:
            InputError: With every fault.
        """
        try:
            return read(self.content)
        except InputError as wrong:
            raise InputError(*(self.locate(fault) for fault in wrong.faults)) from wrong

    def locate(self, fault: Fault) -> Fault:
        """A fault with file and line in its sentence."""
        if not self._lines:
            self._lines.update(key_lines(self.text))
        line = nearest_line(self._lines, fault.where)
        where = f"{self.path}" if line is None else f"{self.path}, line {line}"
        key = ".".join(str(part + 1) if isinstance(part, int) else part for part in fault.where)
        return Fault(f"{where}: {key}: {fault.what}" if key else f"{where}: {fault.what}")


def read_toml(path: Path) -> Document:
    """A TOML file.

    Raises:
        InputError: It is not there, is no TOML, or breaks a limit.
    """
    text = read_text(path, MOST_TOML_BYTES)
    try:
        return Document(path, text, parse_toml(text))
    except InputError as wrong:
        raise InputError(f"{path}: {wrong}") from wrong


_HEADER = re.compile(r"\s*(\[\[?)\s*([\w.\"'-]+)\s*\]")
_KEY = re.compile(r"\s*([\w\"'-]+(?:\s*\.\s*[\w\"'-]+)*)\s*=")


def nearest_line(lines: Mapping[KeyPath, int], where: Sequence[str | int]) -> int | None:
    """The line of a key, or of the nearest thing around it, among all keys and their lines."""
    path = tuple(where)
    return next((lines[path[:depth]] for depth in range(len(path), 0, -1) if path[:depth] in lines), None)


def key_lines(text: str) -> dict[KeyPath, int]:
    """Every key and header of a TOML text, with the first line in which it stands."""
    counts: dict[KeyPath, int] = {}
    table: KeyPath = ()
    lines: dict[KeyPath, int] = {}
    for number, line in _statements(text):
        if header := _HEADER.match(line):
            names = tuple(part.strip("\"' ") for part in header[2].split("."))
            table = path = _table(names, counts, header[1] == "[[")
        elif key := _KEY.match(line):
            path = (*table, *(part.strip("\"' ") for part in key[1].split(".")))
        else:
            continue
        lines.setdefault(path, number)
    return lines


_PARTS = re.compile(r'"""(?:[^\\]|\\.)*?"""|\'\'\'.*?\'\'\'|"(?:[^"\\]|\\.)*"|\'[^\']*\'|#[^\n]*|[][{}\n]', re.DOTALL)
"""What of a TOML text tells where a value ends: texts and comments as a whole, brackets, ends of lines."""


def _statements(text: str) -> Iterator[tuple[int, str]]:
    """The lines of a TOML text that begin no value's second line, with their numbers."""
    lines = text.split("\n")
    number, depth = 1, 0
    yield number, lines[0]
    for part in _PARTS.findall(text):
        if part in ("[", "{"):
            depth += 1
        elif part in ("]", "}"):
            depth -= 1
        number += part.count("\n")
        if part == "\n" and depth == 0:
            yield number, lines[number - 1]


def _table(names: tuple[str, ...], counts: dict[KeyPath, int], repeated: bool) -> KeyPath:
    """The path of a header, with list places: ``[[table.zone]]`` for the third time = ("table", "zone", 2)."""
    path: KeyPath = ()
    for i, name in enumerate(names):
        path = (*path, name)
        if repeated and i == len(names) - 1:
            counts[path] = counts.get(path, -1) + 1
        if path in counts:
            path = (*path, counts[path])
    return path


def toml_text(document: Mapping[str, JSON], sections: int = 0) -> str:
    """A document as TOML; what is ``None`` in a table is left out.

    Args:
        sections: So many levels of it get sections, ``[table]`` and ``[[table.zone]]``; what is below stands on one
            line each, and of a list of tables every table.

    Raises:
        InputError: A list in it holds a ``None``, for which TOML has no word.
    """
    return tomlkit.dumps(_filled(tomlkit.document(), document, sections))


def write_toml(path: Path, document: Mapping[str, JSON], sections: int = 0) -> None:
    """Keep a document as ``toml_text`` has it: whole, or not at all.

    Raises:
        InputError: It could not be read again.
        OSError: The disk would not take it.
    """
    text = toml_text(document, sections)
    parse_toml(text)
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}.new")
    fresh.write_text(text, encoding="utf-8")
    fresh.replace(path)


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
