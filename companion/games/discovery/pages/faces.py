"""A small picture for each card of the demo deck, and for cards with the same name in other decks.

The drawings are in ``static/faces.svg``, one ``<symbol>`` each; ``data-names`` has the names, separated by a bar. Pages
show them as they are; for paper and the simulated table they are converted into lines.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

from svg.path import Arc, CubicBezier, Move, QuadraticBezier, parse_path

from companion.public.names import name_key
from companion.public.pictogram import Pictogram, PictogramLine
from companion.public.table import Point
from companion.public.text import JSON

_DRAWINGS = Path(__file__).parent / "static" / "faces.svg"
_SYMBOLS = Path(__file__).parent / "static" / "families.svg"
_SYMBOL = re.compile(r'<symbol id="([^"]+)" data-names="([^"]+)"')
_SVG = "{http://www.w3.org/2000/svg}"
_BEND_STEPS = 8
"""Straight pieces of each drawn curve."""


def _read(drawings: Path) -> dict[str, str]:
    symbols = _SYMBOL.findall(drawings.read_text(encoding="utf-8"))
    return {name_key(name): face for face, names in symbols for name in names.split("|")}


_FACES = _read(_DRAWINGS)


def face_of(card: Mapping[str, JSON]) -> str | None:
    """The id of a card's drawing, by its name in any language; ``None``: there is none."""
    names = (card.get("name") or {}).values()
    return next((_FACES[name_key(name)] for name in names if isinstance(name, str) and name_key(name) in _FACES), None)


def pictogram_of(names: Mapping[str, JSON]) -> Pictogram | None:
    """A card's drawing as lines, by its names; ``None``: there is none."""
    face = face_of({"name": names})
    return None if face is None else _pictograms()[face]


@cache
def _pictograms() -> dict[str, Pictogram]:
    root = ElementTree.parse(_DRAWINGS).getroot()  # noqa: S314  # our own file
    return {
        symbol.attrib["id"]: tuple(stroke for shape in symbol for stroke in _strokes(shape))
        for symbol in root.iter(f"{_SVG}symbol")
    }


@cache
def symbol_of(family: str) -> tuple[tuple[Point, ...], ...] | None:
    """A family's symbol as the outlines of its black areas, in the square of a pictogram."""
    root = ElementTree.parse(_SYMBOLS).getroot()  # noqa: S314  # our own file
    symbol = next((one for one in root.iter(f"{_SVG}symbol") if one.attrib["id"] == family), None)
    if symbol is None:
        return None
    return tuple(points for shape in symbol for points in _outlines(shape))


def _strokes(shape: ElementTree.Element) -> Iterator[PictogramLine]:
    """The lines of a ``path`` or ``circle``, and its area if it is filled."""
    lines = _outlines(shape)
    for points in lines:
        if shape.get("fill") == "currentColor":
            yield PictogramLine(points, filled=True)
        if shape.get("stroke") != "none":
            yield PictogramLine(points)


def _outlines(shape: ElementTree.Element) -> list[tuple[Point, ...]]:
    """The lines of a ``path`` or ``circle``.

    Raises:
        ValueError: It is another shape, which would be missing on paper.
    """
    match shape.tag.removeprefix(_SVG):
        case "circle":
            x, y, radius = (float(shape.attrib[key]) for key in ("cx", "cy", "r"))
            turns = [2 * math.pi * step / 24 for step in range(25)]
            return [tuple((x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns)]
        case "path":
            return _lines(shape.attrib["d"])
        case other:
            raise ValueError(f"{_DRAWINGS.name}: {other} cannot be drawn on paper; use path and circle")


def _lines(path: str) -> list[tuple[Point, ...]]:
    lines: list[list[Point]] = []
    for piece in parse_path(path):
        if isinstance(piece, Move):
            lines.append([(piece.end.real, piece.end.imag)])
            continue
        bent = isinstance(piece, (Arc, CubicBezier, QuadraticBezier))
        steps = _BEND_STEPS if bent else 1
        points = (piece.point(step / steps) for step in range(1, steps + 1))
        lines[-1].extend((point.real, point.imag) for point in points)
    return [tuple(line) for line in lines if len(line) > 1]
