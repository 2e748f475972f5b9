"""The deck: which card needs which, and how a deck file says so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from companion.errors import InputError
from companion.game import JSON
from companion.games.discovery.deckfaults import ERAS as ERAS
from companion.games.discovery.deckfaults import EVERY_ERA as EVERY_ERA
from companion.games.discovery.deckfaults import FAMILIES as FAMILIES
from companion.games.discovery.deckfaults import IDS as IDS
from companion.games.discovery.deckfaults import KEYS as KEYS
from companion.games.discovery.deckfaults import PER_ERA as PER_ERA
from companion.games.discovery.deckfaults import check as check
from companion.table import CardId, Token


@dataclass(frozen=True, slots=True)
class Card:
    """One discovery card.

    Attributes:
        id: ``era-number``, unique in the deck (F:119, E:88-89).
        family: One of ``FAMILIES``; ``None`` while its owner has not entered it.
        prerequisites: Cards that must lie in the tree before it; ``None`` while not entered.
        names: By language.
        source: Who says so: ``rule book``, ``authored`` or the owner.
    """

    id: CardId
    family: str | None
    prerequisites: frozenset[CardId] | None
    names: Mapping[str, str]
    source: str = ""

    @property
    def era(self) -> int:
        """1 to 6."""
        return int(self.id[0])

    @property
    def number(self) -> int:
        """1 to 9."""
        return int(self.id[2])


@dataclass(frozen=True)
class Deck:
    """54 cards, six eras of nine (E:35, F:34)."""

    name: str
    edition: str
    cards: Mapping[CardId, Card]

    @cached_property
    def tokens(self) -> Mapping[Token, CardId]:
        """What the stickers on the cards say."""
        return {Token(f"C{card.era}{card.number}"): card.id for card in self.cards.values()}


def read(document: JSON) -> Deck:
    """A deck from a parsed deck file (``deck`` and ``card``).

    Raises:
        InputError: With every fault that the file has.
    """
    faults, _ = check(document)
    if faults:
        raise InputError(*faults)
    cards = [_card(row) for row in document["card"]]
    return Deck(document["deck"]["name"], document["deck"]["edition"], {card.id: card for card in cards})


def write(deck: Deck) -> JSON:
    """The deck file as JSON; ``read`` makes the same deck of it."""
    return {"deck": {"name": deck.name, "edition": deck.edition}, "card": [_row(c) for c in deck.cards.values()]}


def _card(row: Mapping[str, JSON]) -> Card:
    needs = row.get("prerequisites")
    return Card(
        id=CardId(row["id"]),
        family=row.get("family"),
        prerequisites=None if needs is None else frozenset(CardId(need) for need in needs),
        names=dict(row.get("name", {})),
        source=row.get("source", ""),
    )


def _row(card: Card) -> dict[str, JSON]:
    row: dict[str, JSON] = {"id": card.id}
    if card.names:
        row["name"] = dict(card.names)
    if card.family is not None:
        row["family"] = card.family
    if card.prerequisites is not None:
        row["prerequisites"] = sorted(card.prerequisites)
    if card.source:
        row["source"] = card.source
    return row
