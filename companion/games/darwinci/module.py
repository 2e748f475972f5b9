"""Darwinci as a registry would offer it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from companion.errors import InputError, fault
from companion.games.darwinci import deck, match_file, random_play
from companion.games.darwinci.game import Darwinci
from companion.games.darwinci.setup import COLOURS, DARWIN_TILE, SMALL
from companion.games.protocol import GameModule, StickerLabel, StickerSet
from companion.games.square_tiles import STICKER_MM
from companion.public.decks import DeckForm
from companion.public.layout import Layout
from companion.public.table import Token
from companion.public.text import JSON

if TYPE_CHECKING:
    from companion.simulation.people import People

LETTERS = "DW"
DEMO_NAMES = ("Ana", "Ben", "Cléo")
COLOUR_NAMES = {
    "red": ("Red", "Rouge"),
    "blue": ("Blue", "Bleu"),
    "green": ("Green", "Vert"),
    "yellow": ("Yellow", "Jaune"),
    "white": ("White", "Blanc"),
}


def open_match(match: JSON, document: JSON) -> Darwinci:
    """A match from a match file and a deck file as JSON.

    Raises:
        InputError: With every fault of the deck, or else of the match.
    """
    return match_file.open_match(match, deck.read(document))


def read_deck(document: JSON) -> tuple[str, ...]:
    """A deck as people read it, a tile a line: its kind, ends, value and jewels.

    Raises:
        InputError: With every fault.
    """
    read = deck.read(document)
    tiles = ("  ".join((one.id, one.kind, one.ends, f"{one.value:+}", *one.jewels)) for one in read.tiles.values())
    return (f"{read.name} ({read.edition})", *tiles)


def stickers(document: JSON) -> StickerSet:
    """What is printed for a deck: its tiles, nine small stones and a big one a colour, and the Darwin tile.

    Raises:
        InputError: With every fault.
    """
    read = deck.read(document)
    tiles = tuple(StickerLabel(token, {"en": card, "fr": card}, letters=LETTERS) for token, card in read.tokens.items())
    stones = tuple(
        StickerLabel(
            Token(name), dict(zip(("en", "fr"), COLOUR_NAMES[colour], strict=True)), name, letters=LETTERS, round=True
        )
        for colour, letter in COLOURS.items()
        for name in (f"{letter}{number}" for number in (*range(1, SMALL + 1), 0))
    )
    darwin = StickerLabel(Token(DARWIN_TILE), {"en": "Darwin tile", "fr": "Tuile Darwin"}, letters=LETTERS)
    return StickerSet(read.name, read.edition, tiles, (*stones, darwin))


def people(_game: Darwinci, _header: Mapping[str, JSON], _layout: Layout, _seed: int) -> People:
    """Nobody sits at a simulated table of this game.

    Raises:
        InputError: Always.
    """
    raise InputError(fault("darwinci.fault.people", "this game has no simulated table; play it at a real one"))


DARWINCI = GameModule(
    name="darwinci",
    letters=LETTERS,
    package="companion.games.darwinci",
    open_match=open_match,
    profiles=match_file.PROFILES,
    deck_form=DeckForm(
        card_id=re.compile(r"T[0-9]{2}"),
        cards=deck.IDS,
        families=tuple(deck.KINDS),
        card_keys=deck.TILE_KEYS,
    ),
    check_deck=deck.check,
    is_entered=deck.is_entered,
    read_deck=read_deck,
    stickers=stickers,
    demo_match={
        "game": "darwinci",
        "seat": [{"name": name} for name in DEMO_NAMES],
    },
    random_match=random_play.random_match,
    random_player=random_play.random_player,
    usual_profile=match_file.BASE,
    sticker_mm=STICKER_MM,
    things_key="tile",
    people=people,
)
