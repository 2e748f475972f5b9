"""Texts for people, as a key and its parameters, and the type of JSON values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from companion.errors import Fault, GameFault, InputError, path_of

JSON: TypeAlias = Any
"""Anything that ``json.dumps`` accepts; used at the borders, not inside the core."""


@dataclass(frozen=True, slots=True)
class Text:
    """A text for people, as a key and its parameters; it is translated where it is displayed.

    Parameters named ``card``, ``cards``, ``joker`` or ``link`` hold card ids and are replaced by the cards' names;
    those named ``seat``, ``other`` or ``seats`` hold seats and are replaced by the players' names; a nested ``Text`` is
    translated in place; other values are inserted as they are.
    """

    key: str
    params: Mapping[str, JSON] = field(default_factory=dict)


def fault_text(wrong: Fault) -> Text | str:
    """A fault for people: a ``Text`` if the catalogs have it, otherwise an English sentence.

    >>> fault_text(Fault("is no number", ("seat", 0, "name")))
    'seat.1.name: is no number'
    """
    if not wrong.key:
        return str(InputError(wrong))
    return Text(wrong.key, {"where": path_of(wrong), **wrong.params} if wrong.where else dict(wrong.params))


def game_fault_text(wrong: GameFault, *, at_table: bool = True) -> Text:
    """The sentence about a bug in the game of the match in play, for everybody at the table.

    Args:
        at_table: ``False``: of another match, which cannot begin or be gone on with.
    """
    key = "game.fault.bug" if at_table else "game.fault.bug_elsewhere"
    return Text(key, {"game": wrong.game, "function": wrong.function, "place": wrong.place})


def listed(items: Sequence[str], language: str) -> str:
    """Words as a list in a sentence.

    >>> listed(("wood", "stone", "poison"), "en")
    'wood, stone and poison'
    """
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {'et' if language == 'fr' else 'and'} {items[-1]}"


def signed(number: float) -> str:
    """A number for display: the minus sign is as wide as a plus, not a hyphen."""
    return str(number).replace("-", "\u2212", 1) if number < 0 else str(number)
