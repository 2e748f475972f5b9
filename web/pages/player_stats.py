"""What the stored matches say of everybody who played in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class PlayerStatistics:
    """Somebody over all finished matches.

    Attributes:
        name: As it was written last.
        played: Matches that came to their end.
        won: Those of them that were won, alone or shared.
        best: The most points in one match; ``None`` where no match with points was played.
        mean: Points in a match with points, on average.
    """

    name: str
    played: int
    won: int
    best: int | None
    mean: float | None


def player_statistics(matches: Iterable[Mapping[str, Any]]) -> tuple[PlayerStatistics, ...]:
    """Everybody in the matches of an ``ArchiveService``, who won most first, then by name.

    A name is one person however it is written: capitals and spaces around it make no other.
    Matches that were broken off have no winners and are left out.
    """
    results: dict[str, list[tuple[str, bool, int | None]]] = {}
    for match in matches:
        points, winners = match.get("points") or (), match.get("winners") or ()
        if not match.get("over") or not winners:
            continue
        for seat, name in enumerate(match["seats"], 1):
            earned = points[seat - 1] if any(points) else None
            results.setdefault(" ".join(name.split()).casefold(), []).append((name, seat in winners, earned))
    players = [_statistics(one) for one in results.values()]
    return tuple(sorted(players, key=lambda one: (-one.won, -one.played, one.name.casefold())))


def _statistics(results: list[tuple[str, bool, int | None]]) -> PlayerStatistics:
    points = [earned for _, _, earned in results if earned is not None]
    mean = round(sum(points) / len(points), 1) if points else None
    return PlayerStatistics(
        results[0][0], len(results), sum(won for _, won, _ in results), max(points, default=None), mean
    )
