"""Command cards and seat tags: each acts once when it is shown; a seat tag names the seat that commands."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from companion.games.protocol import Game, Move
from companion.history.events import Origin
from companion.history.record import Record
from companion.public.table import COMMAND_ZONE, SEAT_TAGS, CardId, Change, Seat
from companion.referee.commands import Claim, CommandCard

TAG_ALONE_S = 1.5
"""A seat tag shown alone for this long means "that card was mine".

Until then a command card may still be added to it, and while a hand is in view, the tag keeps waiting.
"""

_TAGS = {CardId(token): seat for token, seat in SEAT_TAGS.items()}


@dataclass
class CommandCards:
    """What lies in the zone for commands.

        >>> cards = CommandCards()
        >>> cards.look(frozenset(), 0.0)
        >>> cards.look(frozenset({CardId("KEND")}), 1.0)
        >>> list(cards.waiting)
        ['KEND']

    Attributes:
        in_view: Cards and tags seen at the last look; ``None`` before the first. What lies there at the start of a
            match or after a restart does not count as shown.
        waiting: Command cards that were shown and have not acted yet, with the time when they appeared.
        by: The seat whose tag lies there; ``None`` if there is no tag, or more than one.
        tag_since_s: When a tag began to lie there alone; ``None`` once it has acted or a command joined it.
    """

    in_view: frozenset[CardId] | None = None
    waiting: dict[CardId, float] = field(default_factory=dict)
    by: Seat | None = None
    tag_since_s: float | None = None

    def look(self, in_view: frozenset[CardId], taken_s: float, *, hand: bool = False) -> Claim | None:
        """Take in what is in view; returns the claim of a tag that has been alone long enough.

        Args:
            in_view: The command cards and tags in their zone.
            taken_s: When the picture was taken.
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
        del self.waiting[card]
        return CommandCard(card, self.by, Origin.CAMERA)

    def forget(self) -> None:
        """Players have confirmed the table: a command that was shown and taken away before no longer acts."""
        self.waiting = {card: since_s for card, since_s in self.waiting.items() if card in (self.in_view or ())}


def possible_moves(game: Game[Any, Any], record: Record[Any], card: CardId, by: Seat | None) -> tuple[Move, ...]:
    """The moves that a command card could mean; empty for undo, pause and resume, which are not moves."""
    moves = game.table.interpretations(record.public, Change(card, None, COMMAND_ZONE))
    if by is None:
        return moves
    own = tuple(move for move in moves if move.by == by)
    return own or tuple(replace(move, by=by) for move in moves[:1])  # type: ignore[type-var]


def may_act(game: Game[Any, Any], record: Record[Any], card: CardId, by: Seat | None, time_s: float | None) -> bool:
    """Whether a command card could be lawful now; undo, pause and resume always are."""
    moves, at = possible_moves(game, record, card, by), record.next_context(time_s)
    return not moves or any(not game.rules.judge(record.public, move, at) for move in moves)
