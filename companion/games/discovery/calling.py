"""Calls: a card is asked for by its name (G, rules.md 3.5)."""

from __future__ import annotations

from companion.game import At, Objection
from companion.games.discovery.conditions import prerequisites
from companion.games.discovery.deck import ERAS
from companion.games.discovery.draft import Draft
from companion.games.discovery.drawing import bereaved
from companion.games.discovery.moves import Call
from companion.games.discovery.placing import remember
from companion.games.discovery.setup import Setup
from companion.games.discovery.state import Act, Debt, Open, changed, whereabouts
from companion.games.discovery.turning import finish_turn
from companion.table import TABLE


def callable_era(setup: Setup, known: Open | Draft, era: int) -> bool:
    """The era after the card's is open (G2, E:133, F:342); era 6 has none, unless an option says otherwise."""
    if era == ERAS:
        return setup.options.call_era6_when_stack_empty and not known.stack
    return known.eras[era] > 0


def failure(setup: Setup, known: Open, move: Call) -> str | None:
    """Why a call fails, as the record says it; ``None`` = it succeeds (rows P1 to P6).

    In silent games only what everybody sees makes it fail: the card lies in pool or discard, the caller had
    it, or nobody answered.
    """
    place = whereabouts(known, move.card)
    if not setup.profile.silent:
        if not callable_era(setup, known, setup.facts[move.card].era):
            return "era-not-open"
        if place == "tree":
            return "already-placed"
    if place is not None or move.holder in (move.by, TABLE) or not known.held(move.holder):
        return "not-there"
    if not setup.profile.silent and setup.required(move.card, known.present):
        return "prerequisites"
    return None


def fault(setup: Setup, known: Open, move: Call) -> tuple[Objection, ...]:
    """What a Stop against a call that proceeds would bring out (K4): why it would fail in an open game."""
    era = () if callable_era(setup, known, setup.facts[move.card].era) else (Objection("era-not-open"),)
    return (*era, *prerequisites(setup, known, move.card))


def call(setup: Setup, before: Open, draft: Draft, move: Call, at: At) -> None:
    """Carry a call out: the card waits in limbo until it is placed, or the call fails and the turn ends (G4-G7)."""
    turn = draft.turn
    draft.turn = changed(turn, trumps=max(0, turn.trumps - 1), acted=True)
    failed = failure(setup, before, move)
    if failed is None:
        draft.give(move.holder, -1)
        draft.turn = changed(draft.turn, called=move.card, holder=move.holder)
        bereaved(setup, draft, move.holder)
        if setup.stoppable:
            made = Act(at.number, move.by, turn.serial, "call", move.card, holder=move.holder, time_s=at.time_s)
            remember(draft, made)
        return
    draft.notes["failed"] = failed
    discarded = False
    if failed == "prerequisites":
        draft.give(move.holder, -1)
        draft.put_away(move.by, move.card)
        bereaved(setup, draft, move.holder)
        discarded = True
    elif move.holder == move.by and draft.held(move.by) and whereabouts(before, move.card) is None:
        draft.give(move.by, -1)
        draft.put_away(move.by, move.card)
        discarded = True
    if draft.over:
        return
    impossible = setup.stoppable and setup.profile.points and not discarded
    if impossible and draft.held(move.by):
        draft.owed = (*draft.owed, Debt(move.by, "discard", draws=True))  # E:352-353
        finish_turn(setup, draft, draws=False)
    else:
        finish_turn(setup, draft, draws=True)
