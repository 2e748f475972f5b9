"""Moves as JSON, both ways; whatever is wrong with a move is named by its key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields, replace
from functools import cache
from typing import Any, get_args, get_origin, get_type_hints

from companion.errors import Fault, InputError, fault
from companion.game import JSON, Game, Move
from companion.table import CardId, Seat


@dataclass(frozen=True, slots=True)
class _Field:
    """One key of a move: its name in Python and in the record, its type and default."""

    name: str
    key: str
    hint: Any
    default: Any


@cache
def _fields(kind: type[Move]) -> tuple[_Field, ...]:
    hints = get_type_hints(kind)
    return tuple(
        _Field(f.name, f.metadata.get("key", f.name), hints[f.name], f.default)
        for f in fields(kind)  # type: ignore[arg-type]  # moves are dataclasses; a Protocol cannot say so
    )


def encode_move(move: Move) -> dict[str, JSON]:
    """A move as the record writes it; keys that have their default are left out."""
    document: dict[str, JSON] = {"do": move.do}
    for f in _fields(type(move)):
        value = getattr(move, f.name)
        if f.default is MISSING or value != f.default:
            document[f.key] = list(value) if isinstance(value, tuple) else value
    return document


def decode_move(game: Game[Any, Any], document: JSON) -> Move:
    """A move from the record's form; keys that no move has are ignored.

    Raises:
        InputError: With a fault for every key that is missing, of the wrong type, or names no card or seat.
    """
    if not isinstance(document, Mapping):
        raise InputError(fault("move.fault.form", "a move is an object with the key do"))
    name = document.get("do")
    if not isinstance(name, str) or name not in game.moves:
        known = ", ".join(sorted(game.moves))
        said = "there is no move {value}; there are {known}"
        raise InputError(fault("move.fault.unknown", said, "do", value=repr(name), known=known))
    kind = game.moves[name]
    faults: list[Fault] = []
    values: dict[str, Any] = {}
    for f in _fields(kind):
        if f.key not in document:
            if f.default is MISSING:
                faults.append(fault("move.fault.missing", "the move {move} needs this key", f.key, move=name))
            continue
        try:
            values[f.name] = _value(game, f.hint, document[f.key])
        except InputError as wrong:
            faults.append(replace(wrong.faults[0], where=(f.key,)))
    if faults:
        raise InputError(*faults)
    try:
        return kind(**values)
    except InputError:
        raise
    except ValueError as wrong:
        raise InputError(Fault(str(wrong))) from wrong


def _value(game: Game[Any, Any], hint: Any, value: JSON) -> Any:
    """One value checked against its type.

    Raises:
        InputError: It is not one of these.
    """
    if get_origin(hint) is tuple:
        if not isinstance(value, list):
            raise InputError(fault("move.fault.list", "{value} should be a list", value=repr(value)))
        return tuple(_value(game, get_args(hint)[0], item) for item in value)
    if type(None) in get_args(hint):
        if value is None:
            return None
        hint = next(arg for arg in get_args(hint) if arg is not type(None))
    if hint is bool:
        if not isinstance(value, bool):
            raise InputError(fault("move.fault.switch", "{value} should be true or false", value=repr(value)))
        return value
    if hint is Seat or hint is int:
        if not isinstance(value, int) or isinstance(value, bool):
            raise InputError(fault("move.fault.number", "{value} should be a whole number", value=repr(value)))
        if hint is Seat and not 0 <= value <= game.seats:
            said = "there is no seat {value}; seats are 1 to {most}, 0 is the table"
            raise InputError(fault("move.fault.seat", said, value=value, most=game.seats))
        return value
    if not isinstance(value, str):
        raise InputError(fault("move.fault.text", "{value} should be a text", value=repr(value)))
    if hint is CardId and value not in card_ids(game):
        raise InputError(fault("move.fault.card", "there is no card {value} in this match", value=repr(value)))
    return value


def card_ids(game: Game[Any, Any]) -> frozenset[str]:
    """Every card of the match."""
    return frozenset(game.cards.values())


def seat_of(game: Game[Any, Any], value: JSON) -> Seat:
    """A seat's number, checked.

    Raises:
        InputError: There is no such seat.
    """
    return Seat(_value(game, Seat, value))
