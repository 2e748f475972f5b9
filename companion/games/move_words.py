"""What the sentences about a move may name."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from companion.games.protocol import Move
from companion.public.table import Seat

_PARAMETER_NAMES = {"by": "seat", "stands_for": "card", "holder": "other"}


def move_parameters(move: Move, nth: int) -> dict[str, Any]:
    """A move's fields as parameters of an answer: the acting seat is ``seat``, the affected one ``other``; pages show
    ``nth``, from 1, at the place on the map that the answer means."""
    parameters: dict[str, Any] = {"nth": nth}
    for one in fields(move):  # type: ignore[arg-type]  # moves are dataclasses
        value = getattr(move, one.name)
        # What a game calls "to" may as well be a square, or a direction.
        is_seat = one.type in (Seat, "Seat") if one.name == "to" else one.name == "source" and isinstance(value, int)
        parameters["other" if is_seat else _PARAMETER_NAMES.get(one.name, one.name)] = value
    return parameters
