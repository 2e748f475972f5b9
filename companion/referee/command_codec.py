"""Commands as JSON, in both directions, for recordings of a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields
from types import MappingProxyType
from typing import Any, get_args

from companion.errors import InputError
from companion.games.protocol import Game
from companion.history.codec import decode_move, encode_move
from companion.history.events import Origin
from companion.public.text import JSON
from companion.referee.commands import Command

_KINDS: Mapping[str, Any] = MappingProxyType({kind.__name__: kind for kind in get_args(Command)})


def encode_command(command: Command) -> dict[str, JSON]:
    """``said`` names the command; fields that have their default are left out.

    >>> from companion.referee.commands import Undo
    >>> encode_command(Undo(7))
    {'said': 'Undo', 'number': 7}
    """
    document: dict[str, JSON] = {"said": type(command).__name__}
    for one in fields(command):
        value = getattr(command, one.name)
        if one.default is not MISSING and value == one.default:
            continue
        if one.name == "move":
            value = encode_move(value)
        document[one.name] = value.value if isinstance(value, Origin) else value
    return document


def decode_command(game: Game[Any, Any], document: JSON) -> Command:
    """Read a command.

        >>> import companion
        >>> game = companion.open_match(companion.demo_match(), companion.demo_deck()).game
        >>> decode_command(game, {"said": "Undo", "number": 7}).number
        7

    Raises:
        InputError: There is no such command.
    """
    kind = _KINDS.get(document.get("said", "")) if isinstance(document, Mapping) else None
    if kind is None:
        raise InputError("this is nothing that anybody can say at a table.")
    values = {key: value for key, value in document.items() if key != "said"}
    if "move" in values:
        values["move"] = decode_move(game, values["move"])
    if "counts" in values:
        counted = values["counts"]
        values["counts"] = tuple((name, tuple(n) if isinstance(n, list) else n) for name, n in counted)
    try:
        if "origin" in values:
            values["origin"] = Origin(values["origin"])
        command: Command = kind(**values)
    except (TypeError, ValueError):
        raise InputError(f"{kind.__name__}: this cannot be said so.") from None
    return command
