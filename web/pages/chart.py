"""Points over time as a small chart: steps, and each line's name where it ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 360.0, 230.0
LEFT, RIGHT, TOP, BOTTOM = 30.0, 96.0, 14.0, 22.0
LABEL_GAP = 17.0
"""Units between two names, so that none covers another."""


@dataclass(frozen=True, slots=True)
class ChartLine:
    """One seat's line.

    Attributes:
        seat: Its seat.
        path: For an SVG path.
        end: Where it ends.
        name_y: Where its name stands.
        points: Its last value.
    """

    seat: int
    path: str
    end: tuple[float, float]
    name_y: float
    points: int


@dataclass(frozen=True, slots=True)
class Chart:
    """The drawing, in units of an SVG ``viewBox`` of ``WIDTH`` by ``HEIGHT``."""

    lines: tuple[ChartLine, ...]
    ticks: tuple[tuple[float, int], ...]
    zero_y: float
    xs: tuple[float, ...]

    def at(self, place: int) -> float:
        """The x of the entry at this place in the list."""
        return self.xs[place]


def chart(curve: Sequence[tuple[int, ...]]) -> Chart | None:
    """Draws the points of all seats after each entry; ``None`` when nobody ever had any."""
    if len(curve) < 2 or not any(any(points) for points in curve):
        return None
    top = max(0, max(max(points) for points in curve))
    low = min(0, min(min(points) for points in curve))
    step = _step(top - low)
    high = (top + step - 1) // step * step
    xs = tuple(LEFT + (WIDTH - LEFT - RIGHT) * place / (len(curve) - 1) for place in range(len(curve)))

    def y(points: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (high - points) / (high - low)

    seats = range(len(curve[0]))
    ends = sorted(seats, key=lambda seat: y(curve[-1][seat]))
    names = dict(zip(ends, _spread([y(curve[-1][seat]) for seat in ends]), strict=True))
    lines = []
    for seat in seats:
        path = f"M{xs[0]:.1f} {y(curve[0][seat]):.1f}"
        for place in range(1, len(curve)):
            if curve[place][seat] != curve[place - 1][seat]:
                path += f"H{xs[place]:.1f}V{y(curve[place][seat]):.1f}"
        path += f"H{xs[-1]:.1f}"
        last = curve[-1][seat]
        lines.append(ChartLine(seat + 1, path, (xs[-1], y(last)), names[seat], last))
    lowest = -(-low // step) * step
    ticks = tuple((y(value), value) for value in range(lowest, high + 1, step))
    return Chart(tuple(lines), ticks, y(0), xs)


def _step(span: int) -> int:
    return next((step for step in (1, 2, 5, 10, 20, 50, 100) if span / step <= 5), 200)


def _spread(wanted: Sequence[float]) -> list[float]:
    """The nearest places in the same order that are far enough apart and inside the drawing."""
    placed: list[float] = []
    for y in wanted:
        placed.append(max(y, placed[-1] + LABEL_GAP) if placed else max(y, TOP))
    limit = HEIGHT - 4
    for place in range(len(placed) - 1, -1, -1):
        placed[place] = min(placed[place], limit)
        limit = placed[place] - LABEL_GAP
    return placed
