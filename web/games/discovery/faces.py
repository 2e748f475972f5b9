"""A small picture for each card of the demo deck, and for any other card that is called the same.

The drawings are in ``static/faces.svg``, one ``<symbol>`` for each; ``data-names`` holds the names, parted by a bar.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from companion.public.text import JSON

_SYMBOL = re.compile(r'<symbol id="([^"]+)" data-names="([^"]+)"')


def _read(drawings: Path) -> dict[str, str]:
    found = _SYMBOL.findall(drawings.read_text(encoding="utf-8"))
    return {_plain(name): face for face, names in found for name in names.split("|")}


def _plain(name: str) -> str:
    return " ".join(name.split()).casefold()


_FACES = _read(Path(__file__).parent / "static" / "faces.svg")


def face_of(card: Mapping[str, JSON]) -> str | None:
    """Which drawing shows a card, by its name in any language; ``None``: there is none."""
    names = (card.get("name") or {}).values()
    return next((_FACES[_plain(name)] for name in names if isinstance(name, str) and _plain(name) in _FACES), None)
