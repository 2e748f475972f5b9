"""Points over time as a small step chart, with each line's name at its end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 400.0, 260.0
LEFT, RIGHT, TOP, BOTTOM = 30.0, 142.0, 30.0, 40.0
LABEL_GAP = 18.0
"""Units between two names, so that they do not overlap."""


@dataclass(frozen=True, slots=True)
class ChartLine:
    """One seat's line.

    Attributes:
        path: For an SVG path.
        end: Its last point, (x, y).
        name_y: The y of its name.
        points: Its last value.
    """

    seat: int
    path: str
    end: tuple[float, float]
    name_y: float
    points: int


@dataclass(frozen=True, slots=True)
class Chart:
    """The chart, in units of an SVG ``viewBox`` of ``WIDTH`` by ``HEIGHT``.

    Attributes:
        ticks: The y of each tick, and its points.
        xs: The x of each entry.
    """

    lines: tuple[ChartLine, ...]
    ticks: tuple[tuple[float, int], ...]
    zero_y: float
    xs: tuple[float, ...]
    minutes: tuple[tuple[float, int], ...] = ()
    """The x of each tick on the time axis, and its minute; empty if times are unknown and entries are evenly spaced."""

    def at(self, place: int) -> float:
        """The x of the entry at this place in the list."""
        return self.xs[place]


MOST_BARS = 20
BARS_WIDTH, BARS_HEIGHT, BAR_TOP = 400.0, 150.0, 26.0


@dataclass(frozen=True, slots=True)
class Bar:
    """One match as a bar, in units of an SVG ``viewBox`` of ``BARS_WIDTH`` by ``BARS_HEIGHT``."""

    x: float
    y: float
    width: float
    height: float
    points: int
    won: bool


def bars(results: Sequence[tuple[int, bool]]) -> tuple[Bar, ...]:
    """A player's points and wins as bars, oldest match first; only the last ``MOST_BARS``.

    >>> [(bar.points, bar.height) for bar in bars([(62, True), (31, False)])]
    [(62, 124.0), (31, 62.0)]
    """
    last = results[-MOST_BARS:]
    if not last:
        return ()
    top = max(1, *(points for points, _ in last))
    step = min(BARS_WIDTH / len(last), 60.0)
    drawn = []
    for place, (points, won) in enumerate(last):
        height = max(2.0, (BARS_HEIGHT - BAR_TOP) * max(points, 0) / top)
        drawn.append(Bar(place * step + step * 0.1, BARS_HEIGHT - height, step * 0.8, height, points, won))
    return tuple(drawn)


def chart(curve: Sequence[tuple[int, ...]], times_s: Sequence[float | None] = ()) -> Chart | None:
    """The chart of all seats' points after each entry; ``None`` when all are always 0.

    Args:
        times_s: The time of each entry, never decreasing; without it the entries are evenly spaced.
    """
    if len(curve) < 2 or not any(any(points) for points in curve):
        return None
    top = max(0, max(max(points) for points in curve))
    low = min(0, min(min(points) for points in curve))
    step = _step(top - low)
    high = (top + step - 1) // step * step
    shares, minutes = _shares(len(curve), times_s)
    wide = WIDTH - LEFT - RIGHT
    xs = tuple(LEFT + wide * share for share in shares)

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
    return Chart(tuple(lines), ticks, y(0), xs, tuple((LEFT + wide * share, minute) for share, minute in minutes))


def _shares(count: int, times_s: Sequence[float | None]) -> tuple[list[float], list[tuple[float, int]]]:
    """The position of each entry from 0 to 1, and of the minutes."""
    timed_s = [time_s for time_s in times_s if time_s is not None]
    if len(timed_s) < count or timed_s[-1] <= timed_s[0]:
        return [place / (count - 1) for place in range(count)], []
    first_s, span_s = timed_s[0], timed_s[-1] - timed_s[0]
    step = next((step for step in (1, 2, 5, 10, 15, 30, 60) if span_s / 60 / step <= 4), 120)
    ticks = [(minute * 60 / span_s, minute) for minute in range(0, int(span_s // 60) + 1, step)]
    return [(time_s - first_s) / span_s for time_s in timed_s], ticks


def _step(span: int) -> int:
    return next((step for step in (1, 2, 5, 10, 20, 50, 100) if span / step <= 5), 200)


def _spread(wanted: Sequence[float]) -> list[float]:
    """The nearest positions in the same order that are far enough apart and inside the chart."""
    placed: list[float] = []
    for y in wanted:
        placed.append(max(y, placed[-1] + LABEL_GAP) if placed else max(y, TOP))
    limit = HEIGHT - BOTTOM + 6
    for place in range(len(placed) - 1, -1, -1):
        placed[place] = min(placed[place], limit)
        limit = placed[place] - LABEL_GAP
    return placed
