"""Pictures of the cards of a table's own decks, kept beside the deck's file: ``ours.toml``, ``ours/1-8.jpg``."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path

from companion.shelf import NAME

CARD = re.compile(r"[1-6]-[1-9]")


def keep(folder: Path, deck: str, card: str, jpeg: bytes) -> bool:
    """Keep a card's picture instead of the one that there was; ``False`` = there is no such deck or card."""
    path = _path(folder, deck, card)
    if path is None or not (folder / f"{deck}.toml").is_file():
        return False
    path.parent.mkdir(exist_ok=True)
    fresh = path.with_suffix(".new")
    fresh.write_bytes(jpeg)
    fresh.replace(path)
    return True


def read(folder: Path, deck: str, card: str) -> bytes | None:
    """A card's picture as JPEG; ``None`` when there is none."""
    path = _path(folder, deck, card)
    return path.read_bytes() if path is not None and path.is_file() else None


def forget(folder: Path, deck: str, card: str) -> bool:
    """Delete a card's picture; ``False`` = there was none."""
    path = _path(folder, deck, card)
    if path is None or not path.is_file():
        return False
    path.unlink()
    return True


def listed(folder: Path, deck: str) -> tuple[str, ...]:
    """The cards of a deck that have a picture."""
    if not NAME.fullmatch(deck):
        return ()
    return tuple(path.stem for path in sorted((folder / deck).glob("*.jpg")) if CARD.fullmatch(path.stem))


def clear(folder: Path, deck: str, cards: Collection[str]) -> None:
    """Delete the pictures of all cards but these: they go with the card's row in the deck."""
    for card in listed(folder, deck):
        if card not in cards:
            forget(folder, deck, card)


def _path(folder: Path, deck: str, card: str) -> Path | None:
    return folder / deck / f"{card}.jpg" if NAME.fullmatch(deck) and CARD.fullmatch(card) else None
