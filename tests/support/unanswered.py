"""A match that seems to end with a card that may have been another seat's."""

from __future__ import annotations

from typing import Any

MATCH: dict[str, Any] = {
    "game": "discovery",
    "profile": "en-intro",
    "seat": [{"name": name} for name in ("Ana", "Ben", "Cy")],
    "position": {
        "turn": 1,
        "tree": [*(f"{era}-{number}" for era in range(1, 5) for number in range(1, 10)), "5-1", "5-2"],
        "pool": ["6-3", "6-4", "6-5", "6-6"],
        "hands": [2, 5, 5],
        "stack": 0,
    },
}
TREE = {f"C{card.replace('-', '')}": "tree" for card in MATCH["position"]["tree"]}
POOL = {f"C{card.replace('-', '')}": "pool" for card in MATCH["position"]["pool"]}
