"""The addresses of the drawings, with a content hash: a browser may keep the files forever."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from web.pages.game_pages import GamePages


def sprites(folder: Path, games: Iterable[GamePages]) -> dict[str, str]:
    """The address of each file of drawings.

    The browser keeps these files, so a script can still show a drawing when the network is gone.

    Args:
        folder: That of the pages.
        games: Games that have drawings too; the names of their files are all different.
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
