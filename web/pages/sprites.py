"""Where the pages find their drawings: files that a browser keeps for good, for their address changes with them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from web.pages.game_pages import GamePages


def sprites(folder: Path, games: Iterable[GamePages]) -> dict[str, str]:
    """The address of each file of drawings, with a mark of what is in it.

    A drawing that a script adds while the network is gone is then still there.

    Args:
        folder: That of the pages.
        games: Whose drawings there are besides; no two games give theirs one name.
    """
    files = {"symbols": (folder / "static/symbols.svg", "/static/symbols.svg")}
    for game in games:
        for name, file in (game.drawings or {}).items():
            assert name not in files, f"two files of drawings are called {name}"
            files[name] = game.folder / "static" / file, f"/games/{game.name}/{file}"
    return {
        name: f"{address}?v={hashlib.sha256(file.read_bytes()).hexdigest()[:8]}"
        for name, (file, address) in files.items()
    }
