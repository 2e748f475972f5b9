"""Where the pages find their drawings: files that a browser keeps for good, for their address changes with them."""

from __future__ import annotations

import hashlib
from pathlib import Path

FILES = {
    "symbols": ("static/symbols.svg", "/static/symbols.svg"),
    "families": ("games/discovery/static/families.svg", "/games/discovery/families.svg"),
    "faces": ("games/discovery/static/faces.svg", "/games/discovery/faces.svg"),
}


def sprites(folder: Path) -> dict[str, str]:
    """The address of each file of drawings, with a mark of what is in it.

    A drawing that a script adds while the network is gone is then still there.
    """
    return {
        name: f"{address}?v={hashlib.sha256((folder / file).read_bytes()).hexdigest()[:8]}"
        for name, (file, address) in FILES.items()
    }
