"""What things that were drawn on a story's table mean by the rules of its game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from support.story_tables import StoryTable

from companion.games.protocol import Move, MoveContext
from companion.history.record import replay
from companion.public.table import COMMAND_ZONE, Change, Placement, TableState
from vision.synthetic.compositing import DrawnCard


def placed(table: StoryTable, piece: DrawnCard) -> Placement:
    """A thing as a look at the table would have it."""
    zone = table.layout.zone_at(piece.x_mm, piece.y_mm)
    return Placement(piece.token, zone, piece.x_mm, piece.y_mm, piece.rotation_deg)


def change_of(table: StoryTable, state: Any, others: Iterable[Placement], piece: DrawnCard) -> Change | None:
    """What it means that a thing lies among others where it was drawn; ``None`` = nothing, or it should lie there."""
    game = table.game
    public = game.public(state)
    card = game.table.cards.get(piece.token)
    place = game.table.lying(public, TableState(frozenset((*others, placed(table, piece))))).get(card)
    came_from = game.table.expected(public).cards.get(card)
    if card is None or place in (None, COMMAND_ZONE, came_from):
        return None
    return Change(card, came_from, place)


def lawful(game: Any, state: Any, change: Change, at: MoveContext, *, unseen: bool = False) -> Sequence[Move]:
    """The moves that a change may be without anybody's fault: an act, or the end of a turn and an act.

    Args:
        unseen: Ends of turns that players must say may have been said.
    """
    public = game.public(state)
    for move in game.table.interpretations(public, change):
        if not game.rules.judge(public, move, at):
            return (move,)
        if (unseen or game.rules.infers_turns) and (implied := game.rules.implied_moves(public, move, at)):
            return tuple(implied)
    return ()


def follows(table: StoryTable, state: Any, lay: Sequence[Placement], order: Sequence[DrawnCard], number: int) -> bool:
    """Whether things that were laid in this order are lawful one after the other; turns may end between them.

    Args:
        lay: What lies there before.
        number: Of the next entry.
    """
    game, lying = table.game, list(lay)
    for piece in order:
        others = [one for one in lying if one.token != piece.token]
        change = change_of(table, state, others, piece)
        lying = [*others, placed(table, piece)]
        moves = () if change is None else lawful(game, state, change, MoveContext(number), unseen=True)
        if not moves:
            return False
        for move in moves:
            state = game.rules.apply(state, move, MoveContext(number)).state
            number += 1
    return True


def may_be_laid(table: StoryTable, *order: DrawnCard) -> bool:
    """Whether these things may be laid one after the other when a story begins."""
    record = replay(table.game, table.log)
    lay = [placed(table, piece) for piece in table.first]
    return follows(table, record.state, lay, order, record.next_number)
