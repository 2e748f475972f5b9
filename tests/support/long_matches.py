"""Matches of any length, for tests and benches of what costs more the longer a match is."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from companion.games import registry
from companion.history.events import Entry, Event, Origin, Played, Refused
from companion.history.record import append, begin

JSON = Any


def long_header(profile: str = "fr-explore") -> dict[str, JSON]:
    """The header of a match of three."""
    match = {**registry.demo_match(), "profile": profile, "dealer": 3}
    match["seat"] = [{"name": name} for name in ("Ana", "Ben", "Cleo")]
    return {"match": match, "deck": registry.demo_deck()}


def long_entries(header: dict[str, JSON], entries: int, seed: int = 1) -> list[Entry]:
    """The entries of a match played at random, and beyond its end repeated refusals."""
    game = registry.open_match(header["match"], header["deck"]).game
    module = registry.match_module(header["match"])
    player, dice = module.demonstration.random_player(game), Random(seed)
    record = begin(game)
    written: list[Entry] = []
    for number in range(1, entries + 1):
        event = next(_events(game, player, record, dice), None)
        if event is None:
            last = next(one.event.move for one in reversed(written) if isinstance(one.event, (Played, Refused)))
            event = Refused(last)
        entry = Entry(number, event, Origin.CAMERA, 3.0 * number)
        record = append(game, record, entry)
        written.append(entry)
    return written


def _events(game: Any, player: Any, record: Any, dice: Random) -> Iterator[Event]:
    """A lawful move, if there is one; now and then an unlawful one."""
    if record.standing.over:
        return
    context, errs = record.next_context(), dice.random() < 0.1
    for move in player(record.public, dice, context):
        if not game.rules.judge(record.public, move, context):
            yield Played(move)
        elif errs and move.laid is not None:
            yield Refused(move)
