"""Words for people as a key and its parameters, and the wire form of values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from companion.errors import Fault, InputError, path_of

JSON: TypeAlias = Any
"""What ``json.dumps`` takes: the wire form of values, never passed around inside the core."""


@dataclass(frozen=True, slots=True)
class Text:
    """Words for people, as a key and its parameters; each outlet says them in its reader's language.

    Parameters named ``card``, ``cards``, ``joker`` or ``link`` hold card ids and are said by name; those
    named ``seat``, ``other`` or ``seats`` hold seats and are said by the players' names; a nested
    ``Text`` is said in place; all else is said as it is.
    """

    key: str
    params: Mapping[str, JSON] = field(default_factory=dict)


def fault_text(wrong: Fault) -> Text | str:
    """What is wrong, for people: in the reader's language where the catalogs have it."""
    if not wrong.key:
        return str(InputError(wrong))
    return Text(wrong.key, {"where": path_of(wrong), **wrong.params} if wrong.where else dict(wrong.params))
