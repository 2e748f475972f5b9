"""Reads match files, deck files and records from disk; whatever is wrong is named by file, line and key."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from companion.errors import Fault, InputError
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


def line_of(text: str, where: Sequence[str | int]) -> int | None:
    """The line, from 1, of a key in a TOML text, or of the nearest thing around it; ``None`` for the file itself."""
    return nearest_line(key_lines(text), where)


def nearest_line(lines: Mapping[KeyPath, int], where: Sequence[str | int]) -> int | None:
    """The line of a key, or of the nearest thing around it, among all keys and their lines."""
    path = tuple(where)
    return next((lines[path[:depth]] for depth in range(len(path), 0, -1) if path[:depth] in lines), None)


def key_lines(text: str) -> dict[KeyPath, int]:
    """Every key and header of a TOML text, with the first line in which it stands."""
    counts: dict[KeyPath, int] = {}
    table: KeyPath = ()
    lines: dict[KeyPath, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if header := _HEADER.match(line):
            names = tuple(part.strip("\"' ") for part in header[2].split("."))
            table = path = _table(names, counts, header[1] == "[[")
        elif key := _KEY.match(line):
            path = (*table, *(part.strip("\"' ") for part in key[1].split(".")))
        else:
            continue
        lines.setdefault(path, number)
    return lines


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


def plain_toml(document: Mapping[str, JSON]) -> str:
    """A document as TOML, a line for each of its keys; what is ``None`` is left out."""
    return "".join(f"{_key(key)} = {inline_toml(value)}\n" for key, value in document.items() if value is not None)


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else inline_toml(key)


def inline_toml(value: JSON) -> str:
    """A value as TOML on one line; what is ``None`` in a table is left out."""
    match value:
        case Mapping():
            rows = (f"{_key(key)} = {inline_toml(one)}" for key, one in value.items() if one is not None)
            return f"{{ {', '.join(rows)} }}"
        case list() | tuple():
            return f"[{', '.join(inline_toml(one) for one in value)}]"
        case str():
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case _:
            return json.dumps(value)
