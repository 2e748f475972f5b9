"""How a match begins: cards that lie on the table before it are not moves."""

from __future__ import annotations

import math
from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from typing import Any

from companion.games.protocol import Game, Move, misplaced
from companion.history.events import Corrected, Played
from companion.history.record import Record
from companion.public.table import LOOSE, TABLE, CardId, Change, Observation, Point, TableState, Zone
from companion.public.text import Text

ANNOUNCED_AFTER_S = 1.0
"""Cards in the way are announced when they have lain there this long; players may be clearing up."""
READ_WITHIN_S = 2.5
"""A camera that has just been opened has read all cards after this long."""
CAME_BACK_S = 4.0
"""What lay there first, and was out of sight for this long, is new when it lies there again."""
UNDER_MM = 15.0
"""A thing that appears as near as this to where an old one lies, or lay, was under it."""
READ_LATE_S = 30.0
"""Cards that lay there first may be read up to this much later."""
NO_DEAL_S = 5.0
"""Remains of an older deal count as the new one only after this long without activity."""


def has_begun(record: Record[Any]) -> bool:
    """Whether a move counts, or players have confirmed that the table is right.

    >>> import companion
    >>> game = companion.open_match(companion.demo_match(), companion.demo_deck()).game
    >>> has_begun(companion.replay(game, []))
    False
    """
    return is_adopted(record) or any(isinstance(line.entry.event, Played) for line in record.lines)


def is_adopted(record: Record[Any]) -> bool:
    """Whether players have confirmed that the table is right."""
    events = (line.entry.event for line in record.lines)
    return any(isinstance(event, Corrected) and event.table is not None for event in events)


@dataclass
class MatchStart:
    """What lay on the table before the match, and whether the match is still waited for.

    Attributes:
        waits: Wait until nothing is in the way; otherwise the first look is the start.
        awaited: The match has not begun.
        left_over: Cards from before the match that still lie there and have no meaning.
    """

    waits: bool = True
    awaited: bool = True
    left_over: set[CardId] = field(default_factory=set)
    _first_s: float | None = None
    _since_s: float | None = None
    _announced: int = 0
    _touched_s: float = 0.0
    _lay: Mapping[CardId, Zone] | None = None
    _lying: Mapping[CardId, Zone] = field(default_factory=dict)
    _old: frozenset[CardId] | None = None
    _new: set[CardId] = field(default_factory=set)
    _seen: dict[CardId, tuple[Point, float]] = field(default_factory=dict)
    _known: frozenset[CardId] = frozenset()
    _loose: frozenset[CardId] = frozenset()  # those of them that lay beside everything at the first look
    _whole: Mapping[CardId, Zone] = field(default_factory=dict)

    def look(
        self, game: Game[Any, Any], record: Record[Any], look: Observation, lying: Mapping[CardId, Zone]
    ) -> Mapping[CardId, Zone]:
        """Take in a look; returns what is in the way and has lain there long enough to be announced."""
        if self._first_s is None:
            self._first_s = look.taken_s if self.awaited else -math.inf  # a restart is not a beginning
        if look.taken_s - self._first_s < READ_LATE_S:
            self._find_left_over(game, record, look)
        if self.left_over:
            expected = game.table.expected(record.public).cards
            self.left_over = {card for card in self.left_over & lying.keys() if lying[card] != expected.get(card)}
        self.left_over -= {card for card in self._loose if lying.get(card) != LOOSE}  # somebody plays with it
        if look.hand_in_view or lying != self._lying:
            self._touched_s, self._lying = look.taken_s, lying
        if not self.awaited:
            return {}
        if not self.waits or is_adopted(record):
            self.awaited = False
            return {}
        there = lying_in_the_way(game, record.public, look.table)
        is_old = self._is_old(game, look, lying)
        if not there and not look.hand_in_view and not is_old and is_lawful_deal(game, record, lying):
            self._whole = lying
        is_read = not look.pending or look.taken_s - self._first_s >= READ_WITHIN_S
        first = {game.table.cards[token] for token in look.there_first if token in game.table.cards}
        old = self._old_of(game, there, look, first)
        if is_read and not look.hand_in_view and not old and not is_old:
            self.awaited = False  # everything since the first look is new
            self._loose = frozenset(card for card in first if lying.get(card) == LOOSE)
            self.left_over |= self._loose
            return {}
        if not old:
            return {}
        there = {card: zone for card, zone in there.items() if card in old}
        self._lay = lying
        self._since_s = look.taken_s if self._since_s is None else self._since_s
        return there if look.taken_s - self._since_s >= ANNOUNCED_AFTER_S else {}

    def _old_of(
        self, game: Game[Any, Any], there: Mapping[CardId, Zone], look: Observation, first: Set[CardId]
    ) -> frozenset[CardId]:
        """What is in the way and lay there at the first look, wherever players have moved it since; and what appears
        from under it.

        Anything else is new: it waits until the old has gone, and counts then.
        """
        lies = {game.table.cards[one.token]: one for one in look.table.placements if one.token in game.table.cards}
        known = self._old or frozenset()
        is_clearing = bool(known & there.keys() - self._new)
        for card in [card for card in there if card in lies]:
            at = lies[card].x_mm, lies[card].y_mm
            if self._old is not None and card not in first:
                back = card in known and look.taken_s - self._seen[card][1] >= CAME_BACK_S
                is_under = is_clearing and self._is_under(at)
                if (back or card not in known) and not is_under:
                    self._new.add(card)
            self._seen[card] = at, look.taken_s
        old = frozenset(there) - self._new
        self._old = old if self._old is None else known | old
        return old

    def _is_under(self, at: Point) -> bool:
        """Whether an old thing lies there, or lay there."""
        lay = (place for one, (place, _) in self._seen.items() if one not in self._new)
        return any(math.dist(at, place) < UNDER_MM for place in lay)

    def is_lost(self) -> None:
        """The table is out of sight: cards that are first read afterwards may have been laid meanwhile."""
        if not self.awaited:
            self._first_s = -math.inf

    def count_changed(self, count: int) -> bool:
        """Whether the number of cards in the way has changed since it was last announced."""
        before, self._announced = self._announced, count
        return count != before

    def as_dealt(
        self, game: Game[Any, Any], record: Record[Any], look: Observation, lying: Mapping[CardId, Zone]
    ) -> Mapping[CardId, Zone]:
        """Where the deal was laid: players may take a card of it before the first look at the table is finished.

        A lawful deal that lay there whole counts until something is in the log, if all of its cards are still in view
        and one of them, or another card, lies where no deal puts it.
        """
        stays = bool(self._whole) and self._whole.keys() <= lying.keys()
        is_forgotten = record.lines or self._lay is not None or not stays
        if is_forgotten or not lying_in_the_way(game, record.public, look.table):
            return lying
        return self._whole

    def whole_deal(self, game: Game[Any, Any], record: Record[Any]) -> Move | None:
        """The deal that lies there whole, with nothing in the way, although the first look is not finished."""
        return game.table.deal(record.public, self._whole) if self.awaited and self._whole else None

    def _is_old(self, game: Game[Any, Any], look: Observation, lying: Mapping[CardId, Zone]) -> bool:
        """Whether what looks like a deal is only the rest of an older one that players are still clearing."""
        if (
            self._lay is None
            or not lying
            or not game.table.deals_anew
            or any(self._lay.get(card) != at for card, at in lying.items())
        ):
            return False
        return look.taken_s - self._touched_s < NO_DEAL_S

    def _find_left_over(self, game: Game[Any, Any], record: Record[Any], look: Observation) -> None:
        """Find cards that were there first, are read only now, and should not be there."""
        if not self.waits and look.taken_s == self._first_s:
            self.left_over |= means_nothing(game, record, look)
        first = frozenset(game.table.cards[token] for token in look.there_first if token in game.table.cards)
        if self.waits and self.awaited:
            self._known = first
        elif new := first - self._known:
            self._known |= first
            self.left_over |= new & means_nothing(game, record, look)


def is_lawful_deal(game: Game[Any, Any], record: Record[Any], lying: Mapping[CardId, Zone]) -> bool:
    """Whether a whole deal lies there, and the rules allow it."""
    deal = game.table.deal(record.public, lying)
    return deal is not None and not game.rules.judge(record.public, deal, record.next_context())


def lying_in_the_way(game: Game[Any, Any], public: Any, table: TableState) -> Mapping[CardId, Zone]:
    """What must leave the table before a match can begin, and its zone; parts of the deal may stay."""
    lying = game.table.lying(public, table)
    if game.table.in_the_way is not None:
        return game.table.in_the_way(public, lying, table)
    deal = game.table.deal(public, lying)

    def is_dealt(card: CardId) -> bool:
        without = {one: zone for one, zone in lying.items() if one != card}
        return deal is not None and game.table.deal(public, without) != deal

    there = misplaced(game.table.expected(public), lying)
    return {card: zone for card, zone in there.items() if not is_dealt(card)}


def means_nothing(game: Game[Any, Any], record: Record[Any], look: Observation) -> frozenset[CardId]:
    """Cards that should not lie there, apart from those that the table itself lays."""

    def is_laid(card: CardId, zone: Zone) -> bool:
        moves = game.table.interpretations(record.public, Change(card, None, zone))
        return bool(moves) and all(move.by == TABLE for move in moves)

    there = lying_in_the_way(game, record.public, look.table)
    return frozenset(card for card, zone in there.items() if not is_laid(card, zone))


def clear_table(game: Game[Any, Any], record: Record[Any], count: int) -> tuple[Text, ...]:
    """What players are asked to do before a match can begin; for 0, that the table is clear."""
    if not count:
        return () if is_adopted(record) else (Text("referee.cleared"),)
    stays = (
        Text("referee.clear_position") if game.table.expected(record.public).cards else Text(f"{game.name}.start.stays")
    )
    return (Text("referee.clear_table", {"n": count, "stays": stays}),)


def in_the_way(there: Mapping[CardId, Zone], expected: Mapping[CardId, Zone]) -> frozenset[Change]:
    """The same as differences from the expected cards."""
    return frozenset(Change(card, expected.get(card), zone) for card, zone in there.items())
