"""Command cards and seat tags: each acts once per showing, and a tag says whose command it is."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from companion.games.protocol import Game, Move
from companion.history.events import Origin
from companion.history.record import Record
from companion.public.table import COMMAND_ZONE, SEAT_TAGS, CardId, Change, Seat
from companion.referee.commands import Claim, CommandCard

TAG_ALONE_S = 1.5
"""A seat tag shown alone this long says "that card was mine"; a command card may still join it before, and while a hand
is in view that may bring one."""

_TAGS = {CardId(token): seat for token, seat in SEAT_TAGS.items()}


@dataclass
class CommandCards:
    """What lies in the zone of commands.

    Attributes:
        in_view: Cards and tags seen at the last look; ``None`` before the first: what lies there when a match
            begins, or after a restart, was not shown.
        waiting: Command cards that were shown and have not acted yet, and since when.
        by: Whose tag lies there alone; ``None`` = nobody's, or several.
        tag_since_s: Since when a tag has been alone there; ``None`` once it has spoken or a command joined it.
    """

    in_view: frozenset[CardId] | None = None
    waiting: dict[CardId, float] = field(default_factory=dict)
    by: Seat | None = None
    tag_since_s: float | None = None

    def look(self, in_view: frozenset[CardId], taken_s: float, *, hand: bool = False) -> Claim | None:
        """Take in what is in view; the claim of a tag that has been alone long enough.

        Args:
            in_view: The command cards and tags in their zone.
            taken_s: When it was seen.
            hand: A hand is in view too.
        """
        new = frozenset() if self.in_view is None else in_view - self.in_view
        self.in_view = in_view
        tags = in_view & _TAGS.keys()
        self.by = _TAGS[next(iter(tags))] if len(tags) == 1 else None
        self.waiting |= dict.fromkeys(sorted(new - _TAGS.keys()), taken_s)
        if in_view - tags or self.waiting or self.by is None:
            self.tag_since_s = None
        elif new & tags:
            self.tag_since_s = taken_s
        elif self.tag_since_s is not None and taken_s - self.tag_since_s >= TAG_ALONE_S and not hand:
            self.tag_since_s = None
            return Claim(self.by, origin=Origin.CAMERA)
        return None

    def act(self, card: CardId) -> CommandCard:
        """A command card that waited acts now."""
        del self.waiting[card]
        return CommandCard(card, self.by, Origin.CAMERA)


def possible_moves(game: Game[Any, Any], record: Record[Any], card: CardId, by: Seat | None) -> tuple[Move, ...]:
    """The moves that a command card could mean; none for undo, pause and go on, which are no moves."""
    moves = game.table.interpretations(record.public, Change(card, None, COMMAND_ZONE))
    if by is None:
        return moves
    own = tuple(move for move in moves if move.by == by)
    return own or tuple(replace(move, by=by) for move in moves[:1])  # type: ignore[type-var]


def may_act(game: Game[Any, Any], record: Record[Any], card: CardId, by: Seat | None, time_s: float | None) -> bool:
    """Whether a command card could be lawful now; undo, pause and go on always are."""
    moves, at = possible_moves(game, record, card, by), record.next_context(time_s)
    return not moves or any(not game.rules.judge(record.public, move, at) for move in moves)
