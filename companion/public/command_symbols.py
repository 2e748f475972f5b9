"""The symbols of the command cards, for paper and for the drawn table, in millimetres."""

from __future__ import annotations

import math
from collections.abc import Callable

from companion.public.table import Point

ROUND_STEPS = 40

Loops = tuple[tuple[Point, ...], ...]


def circle(x: float, y: float, radius: float, first_turn: float = 0.0, turn: float = 1.0) -> tuple[Point, ...]:
    """A circle or a part of one, in whole turns, clockwise from its right."""
    angles = [2 * math.pi * (first_turn + turn * step / ROUND_STEPS) for step in range(ROUND_STEPS + 1)]
    return tuple((x + radius * math.cos(angle), y + radius * math.sin(angle)) for angle in angles)


def _triangle(x: float, y: float, size: float) -> tuple[Point, ...]:
    return (x, y - size), (x + size * 1.6, y), (x, y + size)


def _bar(x: float, y: float, wide: float, half: float) -> tuple[Point, ...]:
    return (x, y - half), (x + wide, y - half), (x + wide, y + half), (x, y + half)


def _end(x: float, y: float) -> Loops:
    return _triangle(x - 13, y, 12), _bar(x + 8, y, 5, 12)


def _pass(x: float, y: float) -> Loops:
    return _chevron(x - 13, y), _chevron(x + 1, y)


def _chevron(x: float, y: float) -> tuple[Point, ...]:
    return (x, y - 12), (x + 5, y - 12), (x + 13, y), (x + 5, y + 12), (x, y + 12), (x + 8, y)


def _stop(x: float, y: float) -> Loops:
    outer, inner = (
        tuple((px, py) for px, py in (_corner(x, y, radius, step) for step in range(8))) for radius in (14.0, 12.4)
    )
    return outer, inner, _bar(x - 8, y, 16, 2.5)


def _corner(x: float, y: float, radius: float, step: int) -> Point:
    angle = math.pi / 8 + step * math.pi / 4
    return x + radius * math.cos(angle), y + radius * math.sin(angle)


def _undo(x: float, y: float) -> Loops:
    """Three quarters of a ring, with an arrowhead that points back."""
    outer = circle(x, y + 1, 12, -0.5, 0.78)
    inner = tuple(reversed(circle(x, y + 1, 8, -0.5, 0.78)))
    return (*outer, *inner), ((x - 17, y + 1), (x - 3, y + 1), (x - 10, y + 9))


def _pause(x: float, y: float) -> Loops:
    return _bar(x - 9, y, 6, 12), _bar(x + 3, y, 6, 12)


def _go(x: float, y: float) -> Loops:
    return (_triangle(x - 8, y, 12),)


def _buy(x: float, y: float) -> Loops:
    """A coin and a plus sign."""
    upright = (x + 10, y - 7), (x + 14, y - 7), (x + 14, y + 7), (x + 10, y + 7)
    left, right = _bar(x + 5, y, 5, 2), _bar(x + 14, y, 5, 2)
    return circle(x - 9, y, 10), circle(x - 9, y, 7), upright, left, right


SYMBOLS: dict[str, Callable[[float, float], Loops]] = {
    "KEND": _end,
    "KPASS": _pass,
    "KSTOP": _stop,
    "KUNDO": _undo,
    "KPAUSE": _pause,
    "KGO": _go,
    "KBUY": _buy,
}
"""The symbol of each command card, drawn around a point."""
