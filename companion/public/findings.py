"""What the doctor finds: one check's result, and the one thing to do about it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from companion.public.text import JSON, Text


class Level(Enum):
    """The severity; only ``TROUBLE`` prevents a match."""

    OK = "ok"
    INFO = "info"
    WARNING = "warning"
    TROUBLE = "trouble"


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check, and if something is to be done, the one thing to do."""

    name: str
    level: Level
    what: Text
    to_do: Text | None = None


def in_words(key: str, **params: JSON) -> Text:
    """A text of the doctor; its key in the catalogs begins with ``doctor.``."""
    return Text(f"doctor.{key}", params)
