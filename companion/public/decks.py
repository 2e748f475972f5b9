"""The public facts about decks: their names, and the form of a game's decks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from companion.public.text import JSON

DEFAULT_GAME_NAME = "discovery"
"""The game of a match or a deck that names none (contract, sections 5 and 6)."""

DECK_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
"""A deck's file name, without its extension."""

CARD_ID = re.compile(r"[1-6]-[1-9]")
"""The ids of cards in the HTTP contract: era and number."""

LANGUAGE = re.compile(r"[a-z]{2,3}")
"""A language code (ISO 639), the key of a card's name."""


@dataclass(frozen=True, slots=True)
class DeckForm:
    """What every deck of a game consists of.

    Attributes:
        card_id: The pattern of its cards' ids.
        cards: The ids, in the order of the deck.
        families: The kinds of cards.
        card_keys: The keys that a card may have in a deck file, in this order.
    """

    card_id: re.Pattern[str]
    cards: tuple[str, ...]
    families: tuple[str, ...]
    card_keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DeckDifference:
    """One difference between two decks.

    Attributes:
        card: The card's id; empty = the head of the deck.
        key: The key that differs, such as ``family`` or ``name.fr``; empty = only one deck has the card.
        before, after: The values in the first and the second deck, as JSON; ``None`` = missing.
    """

    card: str
    key: str
    before: JSON
    after: JSON

    @property
    def where(self) -> str:
        """The card and the key: ``1-8 family``."""
        return " ".join(filter(None, (self.card or "deck", self.key)))

    def words(self) -> tuple[str, str]:
        """Both values as text for people."""
        return _words(self.before), _words(self.after)


def differences(first: JSON, second: JSON, things_key: str = "card") -> Iterator[DeckDifference]:
    """The differences between two deck files as JSON, in the order of the cards.

    The order of rows and of prerequisites does not matter. If two rows have the same id, the first counts.

    >>> before, after = ({"card": [{"id": "1-1", "family": family}]} for family in ("food", "tools"))
    >>> [(found.where, *found.words()) for found in differences(before, after)]
    [('1-1 family', 'food', 'tools')]
    """
    one, other = ({"": _flat(_head(deck))} | _rows(deck, things_key) for deck in (first, second))
    for card in sorted(one.keys() | other.keys()):
        if card not in one or card not in other:
            yield DeckDifference(card, "", one.get(card), other.get(card))
            continue
        here, there = one[card], other[card]
        for key in dict.fromkeys((*here, *there)):
            if here.get(key) != there.get(key):
                yield DeckDifference(card, key, here.get(key), there.get(key))


def _head(deck: JSON) -> Mapping[str, JSON]:
    head = deck.get("deck") if isinstance(deck, Mapping) else None
    return head if isinstance(head, Mapping) else {}


def _rows(deck: JSON, things_key: str) -> dict[str, dict[str, JSON]]:
    things = deck.get(things_key) if isinstance(deck, Mapping) else None
    rows: dict[str, dict[str, JSON]] = {}
    for row in things if isinstance(things, list) else ():
        if isinstance(row, Mapping) and isinstance(row.get("id"), str):
            rows.setdefault(row["id"], {key: value for key, value in _flat(row).items() if key != "id"})
    return rows


def _flat(row: Mapping[str, JSON]) -> dict[str, JSON]:
    """A row with one key for each language of a name, and sorted lists of strings."""
    flat: dict[str, JSON] = {}
    for key, value in row.items():
        if isinstance(value, Mapping):
            flat |= {f"{key}.{part}": inner for part, inner in value.items()}
        elif isinstance(value, list) and all(isinstance(item, str) for item in value):
            flat[key] = sorted(value)
        else:
            flat[key] = value
    return flat


def _words(value: JSON) -> str:
    if value is None:
        return "–"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "[]"
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_words(inner)}" for key, inner in value.items())
    return str(value)
