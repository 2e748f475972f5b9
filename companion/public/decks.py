"""What everybody may know of decks: how they are named, and what the cards of a game's decks are."""

from __future__ import annotations

import re
from dataclasses import dataclass

DEFAULT_GAME_NAME = "discovery"
"""The game of a match or a deck that names none (contract, sections 5 and 6)."""

DECK_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
"""What a deck's file may be called, without its ending."""

CARD_ID = re.compile(r"[1-6]-[1-9]")
"""The ids of cards as the HTTP contract takes them: era and number."""


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
