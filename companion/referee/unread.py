"""What a thing that lies unread could be: nothing is refused that it would make lawful."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from companion.games.protocol import Game, MoveContext
from companion.history.corrections import read_late
from companion.history.record import Record
from companion.public.print_sizes import CARD_MM
from companion.public.table import CardId, Change, Observation, Placement, TableState, Token, UnreadPlace, Zone
from companion.referee.early import state_after
from companion.referee.issues import TableIssues
from companion.referee.ordering import ways

QUARTERS_DEG = (0.0, 90.0, 180.0, 270.0)
"""How a thing whose code cannot be read may be turned, where that decides its place."""

SAME_MM = CARD_MM[0]
"""Two marks within a card's width, one soon after the other, are of the same thing."""

SAME_S = 60.0
"""A mark that comes back within this time is of the thing that was marked before."""


class Marks:
    """The marks of what lies unread, so that each thing is announced once, however its mark moves, goes and comes.

    Attributes:
        came: Of what was read at last where a mark was: the entry before which the mark came.
    """

    def __init__(self) -> None:
        self.came: dict[Token, int] = {}
        self._seen_s: dict[UnreadPlace, float] = {}
        self._there: tuple[UnreadPlace, ...] = ()
        self._came: dict[UnreadPlace, int] = {}

    def new(self, look: Observation, number: int) -> tuple[UnreadPlace, ...]:
        """The marks of a look that are of nothing announced before; where a thing was read since, another one lies.

        To be asked whenever they change.

        Args:
            number: The next entry of the match.
        """
        self._seen_s |= dict.fromkeys(self._there, look.taken_s)
        for before in self._seen_s.keys() - set(look.unread):
            self.came |= {one.token: self._came[before] for one in look.table.placements if _are_near(before, one)}
        self._seen_s = {
            before: seen_s
            for before, seen_s in self._seen_s.items()
            if look.taken_s - seen_s <= SAME_S
            and not any(_are_near(before, placement) for placement in look.table.placements)
        }
        self._there = look.unread
        known = {place: [self._came[one] for one in self._seen_s if _are_near(place, one)] for place in look.unread}
        self._came = {one: self._came[one] for one in self._seen_s}
        self._came |= {place: min(since, default=number) for place, since in known.items()}
        return tuple(place for place, since in known.items() if not since)

    def forget_taken(self, look: Observation) -> None:
        """What is taken up is laid anew when it comes again. To be asked at every look."""
        if self.came:
            there = {placement.token for placement in look.table.placements}
            self.came = {token: number for token, number in self.came.items() if token in there}

    def came_of(self, place: UnreadPlace) -> int | None:
        """The entry before which this mark came."""
        return self._came.get(place)


def _are_near(place: UnreadPlace, other: UnreadPlace | Placement) -> bool:
    return math.dist((place.x_mm, place.y_mm), (other.x_mm, other.y_mm)) < SAME_MM


def explaining(
    game: Game[Any, Any],
    record: Record[Any],
    issues: TableIssues,
    marks: Marks,
    change: Change,
    table: TableState,
    at: MoveContext,
) -> UnreadPlace | None:
    """The unread place at which one thing not seen yet, laid by a seat that could when it came or may now, would make a
    change lawful.

    ``None``: nothing that lies unread explains it.

    Args:
        table: What is seen to lie there.
    """
    for place in issues.unread:
        for other, lies in _possible(game, record, issues, place, table):
            if other.card == change.card:
                continue
            for state in _states_with(game, record, other, marks.came_of(place), at):
                then = _as_it_lies(game, state, change, lies)
                if then.went_to is not None and _expected(game, state, change.card) == then.went_to:
                    return place  # it waited for that thing
                if any(state_after(game, state, moves, at) is not None for moves in ways(game, state, then, at)):
                    return place
    return None


def may_lie_there(
    game: Game[Any, Any],
    record: Record[Any],
    issues: TableIssues,
    marks: Marks,
    card: CardId,
    table: TableState,
    at: MoveContext,
) -> bool:
    """Whether a card that is missing may be what lies somewhere unread."""
    return any(
        next(_states_with(game, record, other, marks.came_of(place), at), None) is not None
        for place in issues.unread
        for other, _ in _possible(game, record, issues, place, table, only=card)
    )


def _possible(
    game: Game[Any, Any],
    record: Record[Any],
    issues: TableIssues,
    place: UnreadPlace,
    table: TableState,
    only: CardId | None = None,
) -> Iterator[tuple[Change, TableState]]:
    """The things not seen yet that may lie there, each as it would change the table, and what lies there with it; or
    this one alone.

    Things of the same shape would lie in the same place, so that place is worked out once.
    """
    expected, zones = game.table.expected(record.public).cards, dict[tuple[int, float], Zone | None]()
    for token, card in game.table.cards.items():
        if card in issues.lying or only not in (None, card):
            continue
        shape = game.table.shapes.get(token)
        for turned_deg in QUARTERS_DEG if shape else QUARTERS_DEG[:1]:
            kind = id(shape), turned_deg
            there = Placement(token, place.zone, place.x_mm, place.y_mm, turned_deg)
            lies = TableState(table.placements | {there})
            if kind not in zones:
                zones[kind] = game.table.lying(record.public, lies).get(card)
            if (zone := zones[kind]) is not None:
                yield Change(card, expected.get(card), zone), lies


def _expected(game: Game[Any, Any], state: Any, card: CardId) -> Zone | None:
    return game.table.expected(game.public(state)).cards.get(card)


def _as_it_lies(game: Game[Any, Any], state: Any, change: Change, lies: TableState) -> Change:
    """A change as it would be read in another state: a follower stands on the tile that was laid there."""
    if change.went_to is None:
        return change
    where = game.table.lying(game.public(state), lies).get(change.card)
    return change if where is None else Change(change.card, change.came_from, where)


def _states_with(
    game: Game[Any, Any], record: Record[Any], other: Change, came: int | None, at: MoveContext
) -> Iterator[Any]:
    """The states in which this thing was laid: now, or when something began to lie there unread."""
    for moves in ways(game, record.state, other, at):
        if (state := state_after(game, record.state, moves, at)) is not None:
            yield state
    told = None if came is None else read_late(game, record, other, came, at.time_s)
    if told is not None:
        yield told.state
