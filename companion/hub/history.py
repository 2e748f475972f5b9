"""What was played at a hub's tables, and by whom: finished matches, and each player's way through them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from companion.hub.tournament import RankedPlayer, Tournament, standings


@dataclass(frozen=True, slots=True)
class ConnectedTable:
    """A table whose host has given the hub a code.

    Attributes:
        id: Eight hexadecimal digits that no other table has.
        address: Where its pages are, as the organiser typed it.
        code: What the hub shows there.
        name: What it was called when it was connected.
    """

    id: str
    address: str
    code: str
    name: str = ""


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

    def seat_of(self, name: str) -> int:
        """Where somebody sat, whatever capitals he is written with; 0 = nowhere."""
        return next((seat for seat, one in enumerate(self.seats, 1) if one.casefold() == name.casefold()), 0)


@dataclass(frozen=True, slots=True)
class PlayedTournament:
    """A tournament in which somebody played, and his place in it."""

    number: int
    tournament: Tournament
    place: RankedPlayer


@dataclass(frozen=True, slots=True)
class KnownPlayer:
    """Everything that a hub knows of a player, the newest first. One name is one player: a hub knows no faces."""

    name: str
    matches: tuple[FinishedMatch, ...]
    tournaments: tuple[PlayedTournament, ...]

    @property
    def won(self) -> int:
        """How many matches he won."""
        return sum(one.seat_of(self.name) in one.winners for one in self.matches)


def histories(
    matches: Sequence[FinishedMatch], tournaments: Iterable[tuple[int, Tournament]]
) -> dict[str, KnownPlayer]:
    """Everybody's history, by name in small letters; whoever played most comes first."""
    names: dict[str, str] = {}
    played: dict[str, list[FinishedMatch]] = {}
    entered: dict[str, list[PlayedTournament]] = {}
    for number, tournament in tournaments:
        for row in standings(tournament):
            names.setdefault(row.player.name.casefold(), row.player.name)
            entered_one = PlayedTournament(number, tournament, row)
            entered.setdefault(row.player.name.casefold(), []).append(entered_one)
    for match in matches:
        for name in filter(None, match.seats):
            names.setdefault(name.casefold(), name)
            rows = played.setdefault(name.casefold(), [])
            if match not in rows[-1:]:
                rows.append(match)
    found_all = [
        KnownPlayer(name, tuple(played.get(key, ())), tuple(entered.get(key, ()))) for key, name in names.items()
    ]
    found_all.sort(key=lambda one: (-len(one.matches) - len(one.tournaments), one.name.casefold()))
    return {one.name.casefold(): one for one in found_all}


def recorded_result(
    names: Sequence[str], matches: Iterable[FinishedMatch]
) -> tuple[FinishedMatch, tuple[int, ...]] | None:
    """The newest of these matches that just these players played, with the points in the order of the names.

    >>> match = FinishedMatch("", "", "", "", "", ("Ben", "Ana"), (7, 9))
    >>> recorded_result(["Ana", "BEN"], [match])[1]
    (9, 7)
    """
    wanted = sorted(name.casefold() for name in names)
    for match in matches:
        there = [name.casefold() for name in match.seats]
        if sorted(there) == wanted and len(set(there)) == len(there) == len(match.points):
            return match, tuple(match.points[match.seat_of(name) - 1] for name in names)
    return None
