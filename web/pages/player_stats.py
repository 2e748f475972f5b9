"""Statistics of the players in the stored matches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.public.names import name_key


@dataclass(frozen=True, slots=True)
class PlayerStatistics:
    """A player's results in all finished matches.

    Attributes:
        name: In the latest spelling.
        played: Finished matches.
        won: Matches won, alone or shared.
        best: The most points in one match; ``None`` without a match with points.
        mean: Average points in a match with points.
    """

    name: str
    played: int
    won: int
    best: int | None
    mean: float | None


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A finished match from one player's view.

    Attributes:
        began: As it was stored.
        game, profile: As in the match file.
        points: The player's; ``None`` in a game without points.
        won: Alone or shared.
        others: The other players' names.
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
    """A player's opponent: matches together, those that the player won, and those that the opponent won."""

    name: str
    met: int
    won: int
    lost: int


@dataclass(frozen=True, slots=True)
class PlayerHistory:
    """All finished matches of one player: the oldest match first, the most frequent opponent first."""

    statistics: PlayerStatistics
    matches: tuple[PlayedMatch, ...]
    opponents: tuple[Opponent, ...]


def player_history(matches: Iterable[Mapping[str, Any]], name: str) -> PlayerHistory | None:
    """A player's history, by name in any spelling; ``None`` without a finished match."""
    key = name_key(name)
    own = [match for match in _finished(matches) if key in map(name_key, match["seats"])]
    statistics = next((one for one in player_statistics(own) if name_key(one.name) == key), None)
    if statistics is None:
        return None
    played = tuple(_played(match, name) for match in reversed(own))
    met: dict[str, list[tuple[str, bool, bool]]] = {}
    for match in own:
        winners = {name_key(match["seats"][seat - 1]) for seat in match["winners"]}
        for other in match["seats"]:
            if name_key(other) != name_key(name):
                met.setdefault(name_key(other), []).append(
                    (other, name_key(name) in winners, name_key(other) in winners)
                )
    opponents = [
        Opponent(one[0][0], len(one), sum(won for _, won, _ in one), sum(lost for _, _, lost in one))
        for one in met.values()
    ]
    return PlayerHistory(statistics, played, tuple(sorted(opponents, key=lambda one: (-one.met, one.name.casefold()))))


def _played(match: Mapping[str, Any], name: str) -> PlayedMatch:
    seat = [name_key(one) for one in match["seats"]].index(name_key(name))
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
    """Matches that were aborted have no winners and are left out."""
    return [match for match in matches if match.get("over") and match.get("winners")]


def player_statistics(matches: Iterable[Mapping[str, Any]]) -> tuple[PlayerStatistics, ...]:
    """All players in the matches of an ``ArchiveService``, those with most wins first, then by name.

    Aborted matches are left out.

    >>> match = {"seats": ["Ana", "Ben"], "over": True, "winners": [2], "points": [30, 41]}
    >>> [(player.name, player.won, player.best) for player in player_statistics([match])]
    [('Ben', 1, 41), ('Ana', 0, 30)]
    """
    results: dict[str, list[tuple[str, bool, int | None]]] = {}
    for match in _finished(matches):
        points = match.get("points") or ()
        for seat, name in enumerate(match["seats"], 1):
            earned = points[seat - 1] if any(points) else None
            results.setdefault(name_key(name), []).append((name, seat in match["winners"], earned))
    players = [_statistics(one) for one in results.values()]
    return tuple(sorted(players, key=lambda one: (-one.won, -one.played, one.name.casefold())))


def _statistics(results: list[tuple[str, bool, int | None]]) -> PlayerStatistics:
    points = [earned for _, _, earned in results if earned is not None]
    mean = round(sum(points) / len(points), 1) if points else None
    return PlayerStatistics(
        results[0][0], len(results), sum(won for _, won, _ in results), max(points, default=None), mean
    )
