"""A tournament as a fold over its entries: players, pairings, results, and corrections with their reasons.

Each table of a round gives its players a share from 0 to 1: the fraction of the other players who have fewer points,
where equals count half. So the first of any table gets 1 and the last 0, whatever the size of the table. A player who
sits out, and everybody at a table whose match was lost, gets a half. A player's total is the sum of the shares.

Ties are broken by, in this order: the mean total of all opponents; the mean fraction of a table's points won.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations

from companion.errors import InputError, fault
from companion.public.names import can_be_shown, name_key, tidy_name
from companion.public.text import JSON

SMALLEST, LARGEST = 2, 9
MOST_PLAYERS = 2000
MOST_POINTS = 100_000
LONGEST = 40
LONGEST_REASON = 200
HALF = Fraction(1, 2)
"""The share of players who could not play."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player; ``here``: is paired in the next round."""

    number: int
    name: str
    here: bool = True


@dataclass(frozen=True, slots=True)
class Correction:
    """A changed result, and the reason."""

    table: int
    before: tuple[int, ...] | None
    after: tuple[int, ...] | None
    reason: str


@dataclass(frozen=True, slots=True)
class TournamentRound:
    """One round.

    Attributes:
        tables: The players' numbers, table 1 first.
        byes: The players who sit out.
        results: By table, from 1: the points of its players, in their order.
        lost: Tables whose match does not count, and why.
    """

    tables: tuple[tuple[int, ...], ...]
    byes: tuple[int, ...] = ()
    results: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    lost: Mapping[int, str] = field(default_factory=dict)
    corrections: tuple[Correction, ...] = ()

    @property
    def open_tables(self) -> tuple[int, ...]:
        """Their results are still missing."""
        return tuple(n for n in range(1, len(self.tables) + 1) if n not in self.results and n not in self.lost)


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament after its first ``entries`` entries.

    Attributes:
        entries: Their number; the next entry gets this number plus one.
        smallest, largest: Players at a table.
        players: In the order of entering, number 1 first.
    """

    entries: int = 0
    name: str = ""
    smallest: int = 3
    largest: int = 4
    players: tuple[Entrant, ...] = ()
    rounds: tuple[TournamentRound, ...] = ()

    def player(self, number: int) -> Entrant:
        """One of them.

        Raises:
            InputError: There is no such number.
        """
        if not 0 < number <= len(self.players):
            raise InputError(fault("hub.fault.player", "there is no player {number}", number=number))
        return self.players[number - 1]

    @property
    def ready(self) -> bool:
        """Whether the next round may be paired."""
        return not self.rounds or not self.rounds[-1].open_tables


@dataclass(frozen=True, slots=True)
class Part:
    """A player's result in a round.

    Attributes:
        table: From 1; 0 = sat out.
        points: At the table; ``None`` = its match was lost, or there is no result yet.
        share: ``None`` = there is no result yet.
        of: The points of the whole table.
    """

    round: int
    table: int
    points: int | None
    share: Fraction | None
    opponents: tuple[int, ...] = ()
    of: int = 0


@dataclass(frozen=True, slots=True)
class RankedPlayer:
    """A player's place; tied players share it.

    Attributes:
        total: The sum of the shares.
        opposition: The mean total of the opponents.
        part: The mean fraction of a table's points.
    """

    place: int
    player: Entrant
    total: Fraction
    opposition: Fraction
    part: Fraction


def shares(points: Iterable[int]) -> tuple[Fraction, ...]:
    """The shares of the players at a table, from their points.

    >>> [str(share) for share in shares([30, 20, 20])]
    ['1', '1/4', '1/4']
    """
    row = tuple(points)
    others = len(row) - 1
    return tuple(
        Fraction(2 * sum(one > other for other in row) + row.count(one) - 1, 2 * others) if others else HALF
        for one in row
    )


def parts(tournament: Tournament, player: int) -> tuple[Part, ...]:
    """A player's results round by round, without rounds before they entered."""
    played_parts = []
    for number, played in enumerate(tournament.rounds, 1):
        if player in played.byes:
            played_parts.append(Part(number, 0, None, HALF))
        for table, seats in enumerate(played.tables, 1):
            if player not in seats:
                continue
            others = tuple(other for other in seats if other != player)
            if table in played.lost:
                played_parts.append(Part(number, table, None, HALF))
            elif (points := played.results.get(table)) is not None:
                place = seats.index(player)
                played_parts.append(Part(number, table, points[place], shares(points)[place], others, sum(points)))
            else:
                played_parts.append(Part(number, table, None, None, others))
    return tuple(played_parts)


def meetings(tournament: Tournament) -> Counter[tuple[int, int]]:
    """How often two players have sat at one table, lower number first; lost matches do not count."""
    return Counter(
        pair
        for played in tournament.rounds
        for table, seats in enumerate(played.tables, 1)
        if table not in played.lost
        for pair in combinations(sorted(seats), 2)
    )


def totals(tournament: Tournament) -> dict[int, Fraction]:
    return {
        one.number: sum((part.share for part in parts(tournament, one.number) if part.share is not None), Fraction())
        for one in tournament.players
    }


def standings(tournament: Tournament) -> tuple[RankedPlayer, ...]:
    """All players, best first."""
    total = totals(tournament)
    rows = []
    for one in tournament.players:
        played = [part for part in parts(tournament, one.number) if part.points is not None]
        met = [total[other] for part in played for other in part.opponents]
        opposition = sum(met, Fraction()) / len(met) if met else Fraction()
        won = sum((Fraction(part.points or 0, part.of) if part.of > 0 else Fraction() for part in played), Fraction())
        rows.append(RankedPlayer(0, one, total[one.number], opposition, won / len(played) if played else Fraction()))
    rows.sort(key=lambda row: (-row.total, -row.opposition, -row.part, row.player.number))
    ranked: list[RankedPlayer] = []
    for index, row in enumerate(rows, 1):
        last = ranked[-1] if ranked else None
        same = last is not None and (last.total, last.opposition, last.part) == (row.total, row.opposition, row.part)
        ranked.append(replace(row, place=last.place if last is not None and same else index))
    return tuple(ranked)


# -- entries ----------------------------------------------------------------------------------------


def fold(entries: Iterable[Mapping[str, JSON]]) -> Tournament:
    """The tournament of these entries, as they are stored.

    Raises:
        InputError: One of them is not possible.
    """
    tournament = Tournament()
    for entry in entries:
        tournament = apply_entry(tournament, entry, stored=True)
    return tournament


def apply_entry(tournament: Tournament, entry: Mapping[str, JSON], *, stored: bool = False) -> Tournament:
    """The tournament after one more entry.

    Args:
        stored: It was accepted when it was written. Its name is not judged again: which names are the same person's
            may have been another question then.

    Raises:
        InputError: It is not possible, for this reason.
    """
    after = replace(tournament, entries=tournament.entries + 1)
    match entry.get("do"):
        case "open":
            return _open(after, entry)
        case "enter" if stored and isinstance(name := entry.get("name"), str):
            return replace(after, players=(*after.players, Entrant(len(after.players) + 1, tidy_name(name))))
        case "enter":
            name = _name(entry.get("name"))
            if len(after.players) >= MOST_PLAYERS:
                raise InputError(fault("hub.fault.full", "a tournament has at most {most} players", most=MOST_PLAYERS))
            if name_key(name) in (name_key(one.name) for one in after.players):
                raise InputError(fault("hub.fault.twice", "{name} plays already: write the name in full", name=name))
            return replace(after, players=(*after.players, Entrant(len(after.players) + 1, name)))
        case "leave" | "return" as do:
            number = _whole(entry.get("player"))
            other = replace(after.player(number), here=do == "return")
            return replace(after, players=tuple(other if one.number == number else one for one in after.players))
        case "pair":
            return _pair(after, entry)
        case "unpair":
            if not after.rounds or after.rounds[-1].results or after.rounds[-1].lost:
                raise InputError(fault("hub.fault.unpair", "a round with results stays: correct the results instead"))
            _reason(entry)
            return replace(after, rounds=after.rounds[:-1])
        case "result" | "lose":
            return _result(after, entry)
        case _:
            raise InputError(fault("hub.fault.entry", "a tournament has no such entry"))


def _open(tournament: Tournament, entry: Mapping[str, JSON]) -> Tournament:
    smallest, largest = _whole(entry.get("smallest")), _whole(entry.get("largest"))
    if not SMALLEST <= smallest <= largest <= LARGEST:
        raise InputError(
            fault(
                "hub.fault.sizes",
                "a table has {smallest} to {largest} players, the smaller number first",
                smallest=SMALLEST,
                largest=LARGEST,
            )
        )
    return replace(tournament, name=_name(entry.get("name")), smallest=smallest, largest=largest)


def _pair(tournament: Tournament, entry: Mapping[str, JSON]) -> Tournament:
    if not tournament.ready:
        raise InputError(fault("hub.fault.not_ready", "every table of the round before needs its result first"))
    tables = tuple(tuple(map(_whole, seats)) for seats in entry.get("tables", ()))
    byes = tuple(map(_whole, entry.get("byes", ())))
    seated = [*(player for seats in tables for player in seats), *byes]
    expected = {one.number for one in tournament.players if one.here}
    fits = all(tournament.smallest <= len(seats) <= tournament.largest for seats in tables)
    if not tables or len(seated) != len(set(seated)) or set(seated) != expected or not fits:
        raise InputError(fault("hub.fault.pairing", "everybody who is here needs exactly one place: pair again"))
    return replace(tournament, rounds=(*tournament.rounds, TournamentRound(tables, byes)))


def _result(tournament: Tournament, entry: Mapping[str, JSON]) -> Tournament:
    number, table = _whole(entry.get("round")), _whole(entry.get("table"))
    if not 0 < number <= len(tournament.rounds) or not 0 < table <= len(tournament.rounds[number - 1].tables):
        raise InputError(fault("hub.fault.table", "there is no table {table} in round {n}", table=table, n=number))
    played = tournament.rounds[number - 1]
    seats = played.tables[table - 1]
    points: tuple[int, ...] | None = None
    results, lost = dict(played.results), dict(played.lost)
    is_entered = table in results or table in lost
    reason = _reason(entry) if is_entered or entry["do"] == "lose" else ""
    if entry["do"] == "result":
        points = tuple(map(_whole, entry.get("points", ())))
        if len(points) != len(seats):
            raise InputError(
                fault("hub.fault.points", "table {table} needs the points of all {n}", table=table, n=len(seats))
            )
    correction = Correction(table, results.pop(table, None), points, reason)
    lost.pop(table, None)
    if points is None:
        lost[table] = reason
    else:
        results[table] = points
    corrections = (*played.corrections, correction) if is_entered else played.corrections
    after = replace(played, results=results, lost=lost, corrections=corrections)
    rounds = (*tournament.rounds[: number - 1], after, *tournament.rounds[number:])
    return replace(tournament, rounds=rounds)


def _whole(value: JSON) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) > MOST_POINTS:
        raise InputError(fault("hub.fault.number", "write a whole number, at most {most}", most=MOST_POINTS))
    return value


def _name(value: JSON) -> str:
    name = tidy_name(value) if isinstance(value, str) else ""
    if not can_be_shown(name, LONGEST):
        raise InputError(fault("hub.fault.name", "write a name of at most {most} characters", most=LONGEST))
    return name


def _reason(entry: Mapping[str, JSON]) -> str:
    value = entry.get("reason")
    reason = " ".join(value.split()) if isinstance(value, str) else ""
    if not reason or len(reason) > LONGEST_REASON or not reason.isprintable():
        raise InputError(fault("hub.fault.reason", "say why, in at most {most} characters", most=LONGEST_REASON))
    return reason
