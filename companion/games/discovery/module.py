"""Discovery for the registry."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from companion.games.discovery import deck, match_file, random_play, spreadsheet
from companion.games.discovery.setup import PROFILES
from companion.games.game_module import DeckBook, DeckFormats, Demonstration, GameModule, StickerLabel
from companion.public.codes import COMMON_LETTERS
from companion.public.decks import DeckForm
from companion.public.table import Token
from companion.public.text import JSON

JOKERS_PRINTED = 4
DEMO_NAMES = ("Ana", "Ben", "Cléo")


def lines(read: deck.Deck, _document: JSON) -> Iterator[str]:
    """Each card with its name, its family and what it needs."""
    for card in read.cards.values():
        needs = "?" if card.prerequisites is None else ", ".join(sorted(card.prerequisites)) or "-"
        name = card.names.get("en") or next(iter(card.names.values()), "?")
        yield f"{card.id}  {name:<28} {card.family or '?':<11} needs {needs}"


def labels(read: deck.Deck) -> tuple[tuple[StickerLabel, ...], tuple[StickerLabel, ...]]:
    """Its cards in the colours of their eras, and jokers."""
    cards = tuple(
        StickerLabel(token, read.cards[card].names, card, deck.ERA_COLOURS[read.cards[card].era - 1])
        for token, card in read.tokens.items()
    )
    jokers = tuple(
        StickerLabel(Token(f"J{number}"), {"en": f"Joker {number}"}) for number in range(1, JOKERS_PRINTED + 1)
    )
    return cards, jokers


def next_match(match: Mapping[str, JSON]) -> dict[str, JSON]:
    """The same match file with the next dealer clockwise (F:202)."""
    return {**match, "dealer": int(match.get("dealer", len(match["seat"]))) % len(match["seat"]) + 1}


DISCOVERY = GameModule(
    name="discovery",
    letters=COMMON_LETTERS,
    package="companion.games.discovery",
    open=match_file.open_match,
    profiles=tuple(PROFILES),
    usual_profile="fr-explore",
    next_match=next_match,
    decks=DeckBook(
        form=DeckForm(
            card_id=re.compile(f"[1-{deck.ERAS}]-[1-{deck.PER_ERA}]"),
            cards=tuple(sorted(deck.IDS)),
            families=deck.FAMILIES,
            card_keys=deck.KEYS,
        ),
        check=deck.check,
        is_entered=deck.is_entered,
        lines=lines,
        parse=deck.read,
        labels=labels,
        formats=DeckFormats(spreadsheet.to_csv, spreadsheet.from_csv),
    ),
    demonstration=Demonstration(
        match={
            "game": "discovery",
            "profile": "fr-explore",
            "dealer": len(DEMO_NAMES),
            "seat": [{"name": name} for name in DEMO_NAMES],
        },
        made_match=random_play.random_match,
        random_player=random_play.random_player,
        has_visitors=True,
    ),
)
