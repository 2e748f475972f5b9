"""Discovery for the registry."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from companion.games.discovery import deck, graph, match_file, random_play, spreadsheet
from companion.games.discovery.game import Discovery
from companion.games.discovery.setup import PROFILES
from companion.games.game_module import DeckBook, DeckFormats, Demonstration, GameModule, StickerLabel, StickerSet
from companion.public.codes import COMMON_LETTERS
from companion.public.decks import DeckForm
from companion.public.layout import Layout
from companion.public.table import Token
from companion.public.text import JSON

if TYPE_CHECKING:
    from companion.games.printed import PrintedThing
    from companion.simulation.people import People

JOKERS_PRINTED = 4
DEMO_NAMES = ("Ana", "Ben", "Cléo")


def open_match(match: JSON, document: JSON) -> Discovery:
    """A match from a match file and a deck file as JSON.

    Raises:
        InputError: All faults of the deck, or else of the match.
    """
    return match_file.open_match(match, deck.read(document))


def read_deck(document: JSON) -> tuple[str, ...]:
    """A deck as text, one card per line.

    Raises:
        InputError: All faults.
    """
    read = deck.read(document)
    lines = [f"{read.name} ({read.edition})"]
    for card in read.cards.values():
        needs = "?" if card.prerequisites is None else ", ".join(sorted(card.prerequisites)) or "-"
        name = card.names.get("en") or next(iter(card.names.values()), "?")
        lines.append(f"{card.id}  {name:<28} {card.family or '?':<11} needs {needs}")
    return tuple(lines)


def stickers(document: JSON) -> StickerSet:
    """The stickers of a deck: its cards in the colours of their eras, and jokers.

    Raises:
        InputError: All faults.
    """
    read = deck.read(document)
    cards = tuple(
        StickerLabel(token, read.cards[card].names, card, deck.ERA_COLOURS[read.cards[card].era - 1])
        for token, card in read.tokens.items()
    )
    jokers = tuple(
        StickerLabel(Token(f"J{number}"), {"en": f"Joker {number}"}) for number in range(1, JOKERS_PRINTED + 1)
    )
    return StickerSet(read.name, read.edition, cards, jokers)


def printed(
    document: JSON, language: str, sticker_mm: float, history: Mapping[str, Mapping[str, str]]
) -> tuple[PrintedThing, ...]:
    """The cards of a deck and its jokers, printed for play without the box.

    Raises:
        InputError: All faults of the deck.
    """
    from companion.games.discovery.printed import things  # only printing needs it

    labels = stickers(document)
    return things(deck.read(document), (*labels.cards, *labels.others), language, sticker_mm, history)


def next_match(match: Mapping[str, JSON]) -> dict[str, JSON]:
    """The same match file with the next dealer clockwise (F:202)."""
    return {**match, "dealer": int(match.get("dealer", len(match["seat"]))) % len(match["seat"]) + 1}


def people(_game: Discovery, header: Mapping[str, JSON], layout: Layout, seed: int) -> People:
    """The players of a simulated table.

    Raises:
        InputError: The table lacks a zone for a seat.
    """
    from companion.games.discovery.people.live import LivePeople  # imports random, which the rules must not

    return LivePeople(header["match"], header["deck"], layout, seed)


DISCOVERY = GameModule(
    name="discovery",
    letters=COMMON_LETTERS,
    package="companion.games.discovery",
    open_match=open_match,
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
        lines=read_deck,
        stickers=stickers,
        printed=printed,
        formats=DeckFormats(spreadsheet.to_csv, spreadsheet.from_csv, graph.graph),
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
        people=people,
        has_visitors=True,
    ),
)
