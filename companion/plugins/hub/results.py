"""Results known to tables: of finished matches, and of what they publish."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from companion.plugins.hub.live_tables import TableStatus
from companion.public.names import name_key


@dataclass(frozen=True, slots=True)
class FinishedMatch:
    """A finished match, as its table reports it.

    Attributes:
        table: The table's id.
        match: The table's id for the match; another table may use the same.
        began: The table's wall clock, as a label.
        seats: The players' names, seat 1 first.
        simulated: It was played by a simulation.
        provisional: It is still at the table, and may be corrected; its record follows with the next match.
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
    """A result that only needs to be confirmed.

    Attributes:
        table: The name of the table where it was played.
        points: In the tournament's order of players.
        began: When the match began, from its record; empty = it was only published.
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
    """The result of these players: their newest finished match, or else a published one.

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
    """The points in the order of the players, if exactly these sat there, by ``name_key``."""
    wanted, there = ([name_key(name) for name in names] for names in (players, seats))
    if sorted(wanted) != sorted(there) or not len(set(there)) == len(there) == len(points):
        return None
    return tuple(points[there.index(name)] for name in wanted)
