"""Calls: asking for a card by its name (docs/rules.md, G and P)."""

from __future__ import annotations

from companion.games.discovery.deck import ERAS
from companion.games.discovery.moves import Call
from companion.games.discovery.rules.placement import prerequisites
from companion.games.discovery.secrecy import call_fails_by_itself
from companion.games.discovery.setup import Setup
from companion.games.discovery.state import Position, PositionFields, whereabouts
from companion.games.protocol import Objection
from companion.public.table import TABLE


def callable_era(setup: Setup, position: PositionFields, era: int) -> bool:
    """The era after the card's is open (G2, E:133, F:342); era 6 has none, unless an option says otherwise."""
    if era == ERAS:
        return setup.options.call_era6_when_stack_empty and not position.stack
    return position.eras[era] > 0


def failure(setup: Setup, position: Position, move: Call) -> str | None:
    """The reason why a call fails, as in the record; ``None`` = the holder gives the card (G3, rows P1 to P6).

    A card that a joker stands for is nowhere and can be called (G8). In silent games only public facts make a call fail
    (L3): the card is in pool or discard, the caller had it, or there was no answer.
    """
    place = whereabouts(position, move.card)
    if call_fails_by_itself(setup):
        if not callable_era(setup, position, setup.facts[move.card].era):
            return "era-not-open"
        if place == "tree":
            return "already-placed"
    if place is not None or move.holder in (move.by, TABLE) or not position.held(move.holder):
        return "not-there"
    if call_fails_by_itself(setup) and setup.required(move.card, position.present):
        return "prerequisites"
    return None


def fault(setup: Setup, position: Position, move: Call) -> tuple[Objection, ...]:
    """What a Stop against a call would reveal, whether it failed by itself or not (K4, E:328, F:545)."""
    era = () if callable_era(setup, position, setup.facts[move.card].era) else (Objection("era-not-open"),)
    place = whereabouts(position, move.card)
    if place == "tree":
        return (*era, Objection("already-placed"))
    if place is not None or move.holder in (move.by, TABLE):
        return (*era, Objection("not-there"))
    return (*era, *prerequisites(setup, position, move.card))
