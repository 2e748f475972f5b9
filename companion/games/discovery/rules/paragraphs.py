"""The section of each rule in the printed rule books, English and French."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from companion.games.discovery.setup import ENGLISH, Profile

PARAGRAPHS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "turn": ("1.0", "1.4"),
        "prerequisites": ("1.1", "1.5"),
        "link": ("1.2", "1.5"),
        "own-discard": ("1.0", "1.3"),
        "already-placed": ("1.1", "1.5"),
        "not-there": ("1.1", "1.5"),
        "no-trump": ("1.2", "2.2"),
        "era-not-open": ("1.2", "2.2"),
        "era-not-open.joker": ("2.5", "2.3"),
        "era-not-open.announce": ("2.2", "2.5"),
        "era-not-closed": ("2.2", "2.5"),
        "last-card": ("1.2", "2.2"),
        "pass-closed": ("1.0", "1.4"),
        "joker-timing": ("2.5", "2.3"),
        "joker-card": ("2.5", "2.3"),
        "joker-link": ("2.5", "2.3"),
        "must-place": ("1.2", "2.2"),
        "called-card": ("1.2", "2.2"),
        "must-discard": ("3.3", "2.5"),
        "must-discard.unplaced": ("3.1", "2.1"),
        "must-discard.asked": ("2.5", "2.3"),
        "must-steal": ("1.2", "2.4"),
        "must-steal.start": ("1.2", "2.1"),
        "no-stop": ("2.2", "2.5"),
        "contest-closed": ("2.2", "2.5"),
        "card": ("3.1", "2.1"),
        "series": ("3.3", "2.1"),
        "emptied": ("3.1", "2.1"),
        "opened": ("3.1", "2.1"),
        "closed": ("3.1", "2.1"),
        "joker": ("2.5", "2.3"),
        "announced": ("2.2", "2.5"),
        "penalty": ("3.1", "2.1"),
        "refund": ("3.3", "2.5"),
    }
)
"""By objection, with its case if that has another section, or by reason of points. Rules that are in no book are not
listed."""


def paragraph(profile: Profile, rule: str, case: str = "") -> str:
    """The section of the profile's own rule book, such as ``1.5``; empty if it has none.

    ``case``: the subject, for a rule that is in more than one section, such as ``joker``.
    """
    english, french = PARAGRAPHS.get(f"{rule}.{case}") or PARAGRAPHS.get(rule, ("", ""))
    return english if profile.edition == ENGLISH else french
