"""Jokers beside the tree: for a trump, or as an interruption (H7, H8, O)."""

from __future__ import annotations

from companion.games.discovery.draft import Draft
from companion.games.discovery.drawing import emptied
from companion.games.discovery.moves import Interrupt, Joker
from companion.games.discovery.placing import take
from companion.games.discovery.scoring import trump
from companion.games.discovery.setup import Setup
from companion.games.discovery.state import changed
from companion.games.discovery.turning import begin


def play_outside(setup: Setup, draft: Draft, move: Joker) -> None:
    """The joker leaves the game for a trump (H7); in the French games, once a card lies, on a replay (H1)."""
    take(draft, move.by, move.joker, move.source)
    draft.gone = (*draft.gone, move.joker)
    turn = draft.turn
    if turn.placed and not setup.profile.joker_any_time:
        draft.turn = changed(turn, trumps=max(0, turn.trumps - 1))
    draft.turn = changed(draft.turn, acted=True)
    trump(setup, draft, "joker")
    if move.source == "hand" and not draft.held(move.by):
        emptied(setup, draft)


def interrupt(setup: Setup, draft: Draft, move: Interrupt) -> None:
    """An extra turn at once; the interrupted one goes on afterwards (O1, O2, O5)."""
    draft.give(move.by, -1)
    draft.gone = (*draft.gone, move.joker)
    begin(setup, draft, move.by, extra=True)
    if not draft.held(move.by):
        emptied(setup, draft)
