"""What the box itself can do for its host, beyond the desk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from companion.game import JSON


@dataclass(slots=True)
class Box:
    """What there is to ask for; ``None`` where this box cannot.

    Attributes:
        sheets: The stickers and tags as a PDF file: size in mm, paper, language, and the deck file as JSON whose names
            they bear (``None``: the built-in one). Raises InputError.
        rest: Makes the panel quiet: night, mute.
        lamp: Shows the lamp's and the buzzer's best once.
        shut_down: Switches the box off in good order.
        examine: Looks at everything as ``companion doctor`` does, which takes some seconds: ``{"name", "level", "what",
            "to_do"}``, the last two as ``Text``.
        night, muted: As was said last.
    """

    sheets: Callable[[float, str, str, JSON | None], bytes] | None = None
    rest: Callable[[bool, bool], None] | None = None
    lamp: Callable[[], None] | None = None
    shut_down: Callable[[], None] | None = None
    examine: Callable[[], tuple[JSON, ...]] | None = None
    night: bool = False
    muted: bool = False
