"""What the differences on the table could mean, weighed by the rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from companion.events import Refused, Struck, Unexplained
from companion.game import At, Game, Move
from companion.record import Record
from companion.table import Change

Reading = tuple[Change, Move]


def lawful(game: Game[Any, Any], record: Record[Any], change: Change, at: At) -> tuple[Move, ...]:
    """The lawful ones of a change's readings."""
    shown = game.public(record.state)
    return tuple(move for move in game.readings(shown, change) if not game.judge(shown, move, at))


def was_early(game: Game[Any, Any], record: Record[Any], number: int, refused: Refused) -> bool:
    """Refused only because somebody had not yet said that his turn was over."""
    before = game.public(record.states[number - 1])
    return bool(game.mend(before, refused.move, At(number)))


def after(game: Game[Any, Any], state: Any, moves: Sequence[Move], at: At) -> Any | None:
    """The state after these moves, one after the other; ``None`` when one of them would be unlawful."""
    for number, move in enumerate(moves, at.number):
        then = At(number, at.time_s)
        if game.judge(game.public(state), move, then):
            return None
        state = game.play(state, move, then).state
    return state


def hangs_on(
    game: Game[Any, Any], record: Record[Any], proposals: Sequence[Sequence[Move]], laid: Sequence[Change], at: At
) -> frozenset[Change]:
    """Those of some changes that would be lawful, one after the other, if one of these proposals came true."""
    found: set[Change] = set()
    for moves in proposals:
        state, left = after(game, record.state, moves, at), list(laid)
        while state is not None:
            shown = game.public(state)
            meant = next(((c, m) for c in left for m in game.readings(shown, c) if not game.judge(shown, m, at)), None)
            if meant is None:
                break
            found.add(meant[0])
            left.remove(meant[0])
            state = game.play(state, meant[1], at).state
    return frozenset(found)


def first(game: Game[Any, Any], record: Record[Any], readings: list[Reading], at: At) -> Reading:
    """Of several cards laid between two looks, the one after which most of the others are lawful."""
    if len(readings) == 1:
        return readings[0]

    def others_after(option: Reading) -> int:
        shown = game.public(game.play(record.state, option[1], at).state)
        later = At(at.number + 1, at.time_s)
        return sum(
            any(not game.judge(shown, move, later) for move in game.readings(shown, change))
            for change, _ in readings
            if change != option[0]
        )

    return max(readings, key=others_after)


def told_before(record: Record[Any], differences: tuple[Change, ...]) -> set[Change]:
    """After a restart: the differences that were spoken about before, or that an undo left lying, are not news; what
    was only asked is asked again."""
    events = [line.entry.event for line in record.lines]
    told = {e.change for e in events if isinstance(e, Unexplained) or (isinstance(e, Refused) and not e.asks)}
    undone = {getattr(events[event.number - 1], "move", None) for event in events if isinstance(event, Struck)}
    cards = {getattr(move, "card", None) for move in undone}
    return {change for change in differences if change in told or change.card in cards}


_SAID_AS = {"by": "seat", "stands_for": "card", "holder": "other"}


def vars_of(move: Move) -> dict[str, Any]:
    """A move's fields as parameters of a text: who did it is ``seat``, whom it was done to ``other``."""
    values = {f.name: getattr(move, f.name) for f in fields(move)}  # type: ignore[arg-type]  # moves are dataclasses
    told = {_SAID_AS.get(name, name): value for name, value in values.items()}
    if isinstance(told.get("source"), int):
        told["other"] = told.pop("source")
    return told
