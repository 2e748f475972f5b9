"""Results that tables know: of matches that are over, and of what they publish."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from companion.hub.live_tables import TableStatus


@dataclass(frozen=True, slots=True)
class FinishedMatch:
    """A match that is over, as its table says it.

    Attributes:
        table: The table's id.
        match: What the table calls the match; another table may have one of the same name.
        began: The table's wall clock: a label.
        seats: The players' names, seat 1 first.
        simulated: It was played by dice.
        provisional: It still lies on the table, where it may be corrected; its record comes with the next match.
    """

    table: str
    match: str
    began: str
    game: str
    profile: str
    seats: tuple[str, ...]
    points: tuple[int, ...]
    winners: tuple[int, ...] = ()
    simulated: bool = False
    provisional: bool = False


@dataclass(frozen=True, slots=True)
class OfferedResult:
    """A result that only has to be looked at and entered.

    Attributes:
        table: What the table where it was played is called.
        points: In the tournament's order.
        began: When the match began, from its record; empty = the table has only published it.
    """

    table: str
    points: tuple[int, ...]
    began: str = ""


def offered_result(
    players: Sequence[str],
    finished: Iterable[FinishedMatch],
    table_names: Mapping[str, str],
    live: Iterable[TableStatus],
) -> OfferedResult | None:
    """What just these players have played to the end: the newest finished match, else what is published.

    >>> match = FinishedMatch("", "", "2026", "", "", ("Ben", "Ana"), (7, 9))
    >>> offered_result(["Ana", "BEN"], [match], {"": "Den"}, [])
    OfferedResult(table='Den', points=(9, 7), began='2026')
    """
    for match in finished:
        if (points := _points_of(players, match.seats, match.points)) is not None:
            return OfferedResult(table_names.get(match.table, match.table), points, match.began)
    for table in live:
        if table.over and (points := _points_of(players, table.seats, table.points)) is not None:
            return OfferedResult(table.name, points)
    return None


def _points_of(players: Sequence[str], seats: Sequence[str], points: Sequence[int]) -> tuple[int, ...] | None:
    """The points in the order of the players, if just these sat there, whatever capitals they are written with."""
    wanted, there = ([name.casefold() for name in names] for names in (players, seats))
    if sorted(wanted) != sorted(there) or not len(set(there)) == len(there) == len(points):
        return None
    return tuple(points[there.index(name)] for name in wanted)
