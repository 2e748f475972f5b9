"""Something was taken off, and soon lies there again: it was laid back, or it is a new act. What comes after tells."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.errors import ImpossibleMove
from companion.games.protocol import Game, Move, MoveContext
from companion.history.corrections import Retelling, known_acts, settles_acts, told_after, unsaid_moves
from companion.history.events import Corrected, Entry, Origin, Played, Struck
from companion.history.record import Record
from companion.public.table import TABLE, CardId, Change

MOST_ENTRIES = 20
"""So many entries later nobody thinks of it any more."""


def new_acts(
    game: Game[Any, Any], record: Record[Any], number: int, time_s: float | None
) -> tuple[tuple[Move, ...], ...]:
    """What it was instead if the thing that was taken off with this entry, the last that counts, is laid anew: its
    move, after ends of turns that nobody said. Empty if it cannot be, or nothing would hang on it.
    """
    event = record.lines[number - 1].entry.event
    if not isinstance(event, Played) or event.move.subject is None:
        return ()
    before, at = record.states[number - 1], MoveContext(number, time_s)
    card = event.move.subject
    lay = game.table.expected(game.public(before)).cards.get(card)
    state = game.rules.apply(before, event.move, at).state
    if lay is None or card in game.table.expected(game.public(state)).cards:
        return ()
    found: list[tuple[Move, ...]] = []
    ended: list[Move] = []
    for _ in range(game.seats):
        public = game.public(state)
        for move in game.table.interpretations(public, Change(card, None, lay)):
            known = move.by == TABLE or any(moves[-1] == move for moves in found)
            if known or game.rules.judge(public, move, at):
                continue
            if game.public(game.rules.apply(state, move, at).state) != game.public(before):
                found.append((*ended, move))
        unsaid = unsaid_moves(game, public, at)
        if not unsaid:
            break
        ended.append(unsaid[0])
        state = game.rules.apply(state, unsaid[0], at).state
    return tuple(found)


def laid_back(record: Record[Any]) -> Iterator[int]:
    """The entries with which something was taken off that counts as laid back, the last one first; nobody has said or
    counted since what was, and nothing else was done with it.
    """
    done = set[CardId]()
    for line in reversed(record.lines[-MOST_ENTRIES:]):
        entry, act = line.entry, record.acts.get(line.entry.number)
        if settles_acts(entry.event) or isinstance(entry.event, Corrected):
            return
        if act is not None and act.counts and act.move.subject is not None:
            done.add(act.move.subject)
        lifted = _laid_back(record, entry)
        if lifted is not None and lifted.subject not in done:
            yield entry.number - 1


def _laid_back(record: Record[Any], entry: Entry) -> Move | None:
    """The move that took off what counts as laid back with this entry."""
    event = entry.event
    if not isinstance(event, Struck) or event.number != entry.number - 1 or entry.origin is not Origin.CAMERA:
        return None
    struck = record.lines[event.number - 1].entry.event
    return struck.move if isinstance(struck, Played) and entry.number not in record.struck else None


def laid_anew(
    game: Game[Any, Any], record: Record[Any], number: int, moves: tuple[Move, ...], time_s: float | None
) -> Retelling | None:
    """The story in which what was taken off with this entry was gone, and was laid anew with these moves; ``None`` if
    no lawful story has that.
    """
    lifted = record.lines[number - 1].entry.event
    if number not in set(laid_back(record)) or not isinstance(lifted, Played):
        return None
    acts = [record.acts[one] for one in known_acts(record) if one > number]
    try:
        return told_after(game, record, number + 1, (lifted.move, *moves), acts, time_s)
    except ImpossibleMove:
        return None


def may_be_anew(
    game: Game[Any, Any], record: Record[Any], number: int, moves: tuple[Move, ...], time_s: float | None
) -> bool:
    """Whether it may still have been laid anew with these moves, and something hangs on that."""
    told = laid_anew(game, record, number, moves, time_s)
    return told is not None and game.public(told.state) != record.public
