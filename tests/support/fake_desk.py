"""What no real table can be brought to on demand: findings of its health, and an undo that later entries rest on.

Everything else that a page or a script asks for is answered by the real services (``support.real_desk``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from support.real_desk import RealDesk

from companion.public.service import Result, Stale, User

FINDINGS = tuple(
    {"name": name, "level": level, "what": what, "to_do": to_do}
    for name, level, what, to_do in (
        ("power", "ok", "enough voltage since the start", ""),
        ("light", "warning", "white paper is 60 of 255 bright", "bring a lamp nearer, from the side"),
        ("disk wear", "info", "no errors counted; this storage does not tell its age", ""),
        ("camera", "trouble", "usb:0 gives no pictures", "check its cable"),
    )
)
"""What a doctor may find."""


def later_cards_rest_on_it(desk: RealDesk) -> None:
    """From now on whatever is corrected would break later entries, unless the host insists.

    Pages offer the last act alone to be undone, and no rule lets anything rest on it.
    """
    correct = desk.match.correct

    def refuse(user: User, correction: Mapping[str, Any]) -> Result:
        return correct(user, correction) if correction.get("anyway") else Stale()

    desk.match.correct = refuse  # type: ignore[method-assign]
