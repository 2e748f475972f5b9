"""Reads match files, deck files and records from disk; whatever is wrong is named by file, line and key."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from companion.errors import Fault, InputError
from companion.public.text import JSON

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Document:
    """A parsed TOML file that still knows its lines."""

    path: Path
    text: str
    content: dict[str, JSON]

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
        line = line_of(self.text, fault.where)
        where = f"{self.path}" if line is None else f"{self.path}, line {line}"
        key = ".".join(str(part + 1) if isinstance(part, int) else part for part in fault.where)
        return Fault(f"{where}: {key}: {fault.what}" if key else f"{where}: {fault.what}")


def read_text(path: Path) -> str:
    """A text file's content.

    Raises:
        InputError: It is not there, or no UTF-8 text.
    """
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file") from None
    except (OSError, UnicodeDecodeError) as wrong:
        raise InputError(f"{path}: cannot be read as UTF-8 text ({wrong})") from wrong


def read_toml(path: Path) -> Document:
    """A TOML file.

    Raises:
        InputError: It is not there, or no TOML.
    """
    text = read_text(path)
    try:
        return Document(path, text, tomllib.loads(text))
    except tomllib.TOMLDecodeError as wrong:
        raise InputError(f"{path}: this is not TOML: {wrong}") from wrong


_HEADER = re.compile(r"\s*(\[\[?)\s*([\w.\"'-]+)\s*\]")
_KEY = re.compile(r"\s*([\w\"'-]+(?:\s*\.\s*[\w\"'-]+)*)\s*=")


def line_of(text: str, where: Sequence[str | int]) -> int | None:
    """The line, from 1, of a key in a TOML text, or of the nearest thing around it; ``None`` for the file itself."""
    counts: dict[tuple[str | int, ...], int] = {}
    table: tuple[str | int, ...] = ()
    best: tuple[int, int] | None = None
    for number, line in enumerate(text.splitlines(), 1):
        if header := _HEADER.match(line):
            names = tuple(part.strip("\"' ") for part in header[2].split("."))
            table = _table(names, counts, header[1] == "[[")
            path = table
        elif key := _KEY.match(line):
            path = (*table, *(part.strip("\"' ") for part in key[1].split(".")))
        else:
            continue
        depth = len(path)
        if path == tuple(where[:depth]) and (best is None or depth > best[0]):
            best = (depth, number)
    return None if best is None else best[1]


def _table(names: tuple[str, ...], counts: dict[tuple[str | int, ...], int], repeated: bool) -> tuple[str | int, ...]:
    """The path of a header, with list places: ``[[table.zone]]`` for the third time = ("table", "zone", 2)."""
    path: tuple[str | int, ...] = ()
    for i, name in enumerate(names):
        path = (*path, name)
        if repeated and i == len(names) - 1:
            counts[path] = counts.get(path, -1) + 1
        if path in counts:
            path = (*path, counts[path])
    return path
