"""The box as an appliance: what it can do for its host beside refereeing."""

from __future__ import annotations

import datetime
import logging
import os
import subprocess
from collections.abc import Callable
from typing import Any

from companion import catalog
from companion.game import JSON
from companion.games.discovery import deck
from companion.news import News, Signal
from web.able import Box

log = logging.getLogger(__name__)
POWER = ("org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager", "CanPowerOff")


def appliance(panel: Any, examine: Callable[[], tuple[JSON, ...]] | None = None) -> Box:
    """What a box with this panel can do; switching off only where the system lets the companion do it.

    Args:
        examine: The doctor, see ``companion.checkup.examination``.
    """

    def rest(night: bool, mute: bool) -> None:
        panel.rest(night=night, mute=mute)

    return Box(
        sheets=sheets,
        rest=rest,
        lamp=lambda: panel(News(None, Signal.PRIZE)),
        shut_down=shut_down if may_shut_down() else None,
        examine=examine,
    )


def sight(eye: Any, *, cards: bool = False) -> list[dict[str, JSON]]:
    """How well the eye sees the table, as everybody may know it; empty before it was measured.

    Args:
        cards: Also how often each sticker is read; not while a match is played, for that names cards.
    """
    health = None if eye is None else eye.health()
    if health is None:
        return []
    return [
        {"name": found.name, "value": round(found.value, 3), "good": found.good, "about": found.about}
        | {"advice": found.advice}
        for found in health.findings
        if cards or found.name != "reads"
    ]


def sheets(size_mm: float, paper: str, language: str, typed: JSON | None = None) -> bytes:
    """Stickers and tags as a PDF file, with the names of a deck that was typed in, finished or not.

    Raises:
        InputError: A size or a paper that cannot be printed, or a deck with faults.
    """
    from companion.sheets import pdf

    cards = deck.read(catalog.demo_deck() if typed is None else typed)
    return pdf(cards, datetime.date.today(), size_mm=size_mm, paper=paper, language=language)


def may_shut_down() -> bool:
    """Whether this is a service of a box that says it may be switched off by it."""
    if "NOTIFY_SOCKET" not in os.environ:
        return False
    try:
        said = subprocess.run(("busctl", "call", *POWER), capture_output=True, text=True, timeout=2, check=True).stdout
    except (OSError, subprocess.SubprocessError) as wrong:
        log.info("switching off is not offered: %s", wrong)
        return False
    return '"yes"' in said


def shut_down() -> None:
    """Switch the box off; the service manager ends the companion in good order first."""
    subprocess.Popen(("systemctl", "poweroff"))
