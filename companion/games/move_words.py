"""What the sentences about a move may name."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from companion.games.protocol import Move

_PARAMETER_NAMES = {"by": "seat", "stands_for": "card", "holder": "other"}


def move_parameters(move: Move, nth: int) -> dict[str, Any]:
    """A move's fields as parameters of an answer: the acting seat is ``seat``, the affected one ``other``; pages show
    ``nth``, from 1, at the place on the map that the answer means."""
    values = {f.name: getattr(move, f.name) for f in fields(move)}  # type: ignore[arg-type]  # moves are dataclasses
    if isinstance(values.get("to"), int):
        values["other"] = values.pop("to")
    parameters = {_PARAMETER_NAMES.get(name, name): value for name, value in values.items()} | {"nth": nth}
    if isinstance(parameters.get("source"), int):
        parameters["other"] = parameters.pop("source")
    return parameters
