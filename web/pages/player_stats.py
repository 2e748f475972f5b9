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


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A finished match as one of its players sees it.

    Attributes:
        id: Of the match.
        began: As it was stored.
        game, profile: As in the match file.
        points: The player's; ``None`` in a game without points.
        won: Alone or shared.
        others: Everybody else's names.
    """

    id: str
    began: object
    game: str
    profile: str
    points: int | None
    won: bool
    others: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Opponent:
    """Somebody whom the player has met: in how many matches, and how many of them each of the two won."""

    name: str
    met: int
    won: int
    lost: int


@dataclass(frozen=True, slots=True)
class PlayerHistory:
    """One player over all finished matches: the oldest match first, who was met most often first."""

    statistics: PlayerStatistics
    matches: tuple[PlayedMatch, ...]
    opponents: tuple[Opponent, ...]


def player_history(matches: Iterable[Mapping[str, Any]], name: str) -> PlayerHistory | None:
    """What became of somebody, by the name however it is written; ``None``: nobody of that name finished a match."""
    own = [match for match in _finished(matches) if _person(name) in map(_person, match["seats"])]
    statistics = next((one for one in player_statistics(own) if _person(one.name) == _person(name)), None)
    if statistics is None:
        return None
    played = tuple(_played(match, name) for match in reversed(own))
    met: dict[str, list[tuple[str, bool, bool]]] = {}
    for match in own:
        winners = {_person(match["seats"][seat - 1]) for seat in match["winners"]}
        for other in match["seats"]:
            if _person(other) != _person(name):
                met.setdefault(_person(other), []).append((other, _person(name) in winners, _person(other) in winners))
    opponents = [
        Opponent(one[0][0], len(one), sum(won for _, won, _ in one), sum(lost for _, _, lost in one))
        for one in met.values()
    ]
    return PlayerHistory(statistics, played, tuple(sorted(opponents, key=lambda one: (-one.met, one.name.casefold()))))


def _played(match: Mapping[str, Any], name: str) -> PlayedMatch:
    seat = [_person(one) for one in match["seats"]].index(_person(name))
    points = match.get("points") or ()
    return PlayedMatch(
        str(match["id"]),
        match.get("began"),
        str(match.get("game", "")),
        str(match.get("profile", "")),
        points[seat] if any(points) else None,
        seat + 1 in match["winners"],
        tuple(one for place, one in enumerate(match["seats"]) if place != seat),
    )


def _finished(matches: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Matches that were broken off have no winners and are left out."""
    return [match for match in matches if match.get("over") and match.get("winners")]


def _person(name: str) -> str:
    """A name is one person however it is written: capitals and spaces around it make no other."""
    return " ".join(name.split()).casefold()


def player_statistics(matches: Iterable[Mapping[str, Any]]) -> tuple[PlayerStatistics, ...]:
    """Everybody in the matches of an ``ArchiveService``, who won most first, then by name.

    Matches that were broken off are left out.
    """
    results: dict[str, list[tuple[str, bool, int | None]]] = {}
    for match in _finished(matches):
        points = match.get("points") or ()
        for seat, name in enumerate(match["seats"], 1):
            earned = points[seat - 1] if any(points) else None
            results.setdefault(_person(name), []).append((name, seat in match["winners"], earned))
    players = [_statistics(one) for one in results.values()]
    return tuple(sorted(players, key=lambda one: (-one.won, -one.played, one.name.casefold())))


def _statistics(results: list[tuple[str, bool, int | None]]) -> PlayerStatistics:
    points = [earned for _, _, earned in results if earned is not None]
    mean = round(sum(points) / len(points), 1) if points else None
    return PlayerStatistics(
        results[0][0], len(results), sum(won for _, won, _ in results), max(points, default=None), mean
    )
