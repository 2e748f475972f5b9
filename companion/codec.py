"""Moves as JSON, both ways; whatever is wrong with a move is named by its key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from functools import cache
from typing import Any, get_args, get_origin, get_type_hints

from companion.errors import Fault, InputError
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
        raise InputError(Fault("a move is an object with the key do"))
    name = document.get("do")
    if not isinstance(name, str) or name not in game.moves:
        raise InputError(Fault(f"there is no move {name!r}; there are {', '.join(sorted(game.moves))}", ("do",)))
    kind = game.moves[name]
    faults: list[Fault] = []
    values: dict[str, Any] = {}
    for f in _fields(kind):
        if f.key not in document:
            if f.default is MISSING:
                faults.append(Fault(f"the move {name} needs this key", (f.key,)))
            continue
        try:
            values[f.name] = _value(game, f.hint, document[f.key])
        except ValueError as wrong:
            faults.append(Fault(str(wrong), (f.key,)))
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
        ValueError: It is not one of these.
    """
    if get_origin(hint) is tuple:
        if not isinstance(value, list):
            raise ValueError(f"{value!r} should be a list")
        return tuple(_value(game, get_args(hint)[0], item) for item in value)
    if type(None) in get_args(hint):
        if value is None:
            return None
        hint = next(arg for arg in get_args(hint) if arg is not type(None))
    if hint is bool:
        if not isinstance(value, bool):
            raise ValueError(f"{value!r} should be true or false")
        return value
    if hint is Seat or hint is int:
        if not isinstance(value, int) or isinstance(value, bool):
            raise ValueError(f"{value!r} should be a whole number")
        if hint is Seat and not 0 <= value <= game.seats:
            raise ValueError(f"there is no seat {value}; seats are 1 to {game.seats}, 0 is the table")
        return value
    if not isinstance(value, str):
        raise ValueError(f"{value!r} should be a text")
    if hint is CardId and value not in card_ids(game):
        raise ValueError(f"there is no card {value!r} in this match")
    return value


def card_ids(game: Game[Any, Any]) -> frozenset[str]:
    """Every card of the match."""
    return frozenset(game.cards.values())


def seat_of(game: Game[Any, Any], value: JSON) -> Seat:
    """A seat's number, checked.

    Raises:
        ValueError: There is no such seat.
    """
    return Seat(_value(game, Seat, value))
