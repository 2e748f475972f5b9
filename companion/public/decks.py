"""What everybody may know of decks: how they are named, and what the cards of a game's decks are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from companion.public.text import JSON

DEFAULT_GAME_NAME = "discovery"
"""The game of a match or a deck that names none (contract, sections 5 and 6)."""

DECK_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
"""What a deck's file may be called, without its ending."""

CARD_ID = re.compile(r"[1-6]-[1-9]")
"""The ids of cards as the HTTP contract takes them: era and number."""

LANGUAGE = re.compile(r"[a-z]{2,3}")
"""The code of a language (ISO 639), under which a card has a name."""


@dataclass(frozen=True, slots=True)
class DeckForm:
    """What every deck of a game consists of.

    Attributes:
        card_id: The pattern of its cards' ids.
        cards: The ids, in the order of the deck.
        families: The kinds of cards.
        card_keys: What a deck file may say of a card, in this order.
    """

    card_id: re.Pattern[str]
    cards: tuple[str, ...]
    families: tuple[str, ...]
    card_keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DeckDifference:
    """One thing that two decks do not say alike.

    Attributes:
        card: The card's id; empty = the deck's own head.
        key: What of it, such as ``family`` or ``name.fr``; empty = the card is in one deck alone.
        before, after: What the first and the second deck say, as JSON; ``None`` = nothing.
    """

    card: str
    key: str
    before: JSON
    after: JSON

    @property
    def where(self) -> str:
        """The card and what of it: ``1-8 family``."""
        return " ".join(filter(None, (self.card or "deck", self.key)))

    def words(self) -> tuple[str, str]:
        """What each deck says, for people."""
        return _words(self.before), _words(self.after)


def differences(first: JSON, second: JSON, things_key: str = "card") -> Iterator[DeckDifference]:
    """What two deck files as JSON do not say alike, in the order of the cards; the order of rows and prerequisites
    says nothing. Of two rows of one id the first counts."""
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
    """A row with a key for each language of a name, and lists of words in order."""
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
