"""Darwinci for the registry."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from companion.games.darwinci import deck, match_file, random_play, view
from companion.games.darwinci.game import Darwinci
from companion.games.darwinci.setup import BIG_MM, COLOURS, DARWIN_TILE, SMALL, SMALL_MM, is_big
from companion.games.game_module import DeckBook, Demonstration, GameModule, StickerLabel, StickerSet
from companion.games.square_tiles import STICKER_MM
from companion.public.decks import DeckForm
from companion.public.layout import Layout, encode_layout
from companion.public.table import CardId, Seat, Token
from companion.public.text import JSON

if TYPE_CHECKING:
    from companion.games.printed import PrintedThing
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
        InputError: All faults of the deck, or else of the match.
    """
    return match_file.open_match(match, deck.read(document))


def read_deck(document: JSON) -> tuple[str, ...]:
    """A deck as text, one tile per line: its kind, ends, value and jewels.

    Raises:
        InputError: All faults.
    """
    read = deck.read(document)
    tiles = ("  ".join((one.id, one.kind, one.ends, f"{one.value:+}", *one.jewels)) for one in read.tiles.values())
    return (f"{read.name} ({read.edition})", *tiles)


def stickers(document: JSON) -> StickerSet:
    """The stickers of a deck: its tiles, nine small stones and a big one per colour, and the Darwin tile.

    Raises:
        InputError: All faults.
    """
    read = deck.read(document)
    tiles = tuple(StickerLabel(token, {"en": card, "fr": card}, letters=LETTERS) for token, card in read.tokens.items())
    stones = tuple(
        StickerLabel(
            Token(name),
            dict(zip(("en", "fr"), COLOUR_NAMES[colour], strict=True)),
            name,
            letters=LETTERS,
            round=True,
            scale=BIG_MM / SMALL_MM if is_big(CardId(name)) else 1.0,
        )
        for colour, letter in COLOURS.items()
        for name in (f"{letter}{number}" for number in (*range(1, SMALL + 1), 0))
    )
    darwin = StickerLabel(Token(DARWIN_TILE), {"en": "Darwin tile", "fr": "Tuile Darwin"}, letters=LETTERS)
    buying = StickerLabel(Token("KBUY"), {"en": "Buy two tiles", "fr": "Acheter deux fragments"})
    return StickerSet(read.name, read.edition, tiles, (*stones, darwin, buying))


def printed(
    document: JSON, language: str, _sticker_mm: float, _history: Mapping[str, Mapping[str, str]]
) -> tuple[PrintedThing, ...]:
    """The tiles of a deck, the Darwin tile and the big stones, printed for play without the box.

    Raises:
        InputError: All faults of the deck.
    """
    from companion.games.darwinci.printed import things  # only printing needs it

    printable = stickers(document)
    big = tuple(label for label in printable.others if str(label.token) == DARWIN_TILE or label.token.endswith("0"))
    return things(deck.read(document), (*printable.cards, *big), language)


def drawn(game: Darwinci) -> list[JSON]:
    """The tiles as pages draw them; constant during a match."""
    return [
        {"id": one.id, "kind": one.kind, "ends": one.ends, "value": one.value, "jewels": list(one.jewels)}
        for one in game.setup.deck.tiles.values()
    ]


def people(game: Darwinci, _header: Mapping[str, JSON], layout: Layout, _seed: int) -> People:
    """The players of a simulated table.

    Raises:
        InputError: The table lacks a zone.
    """
    from companion.games.darwinci import people  # imports random, which the rules must not

    return people.people(game, layout)


DARWINCI = GameModule(
    name="darwinci",
    letters=LETTERS,
    package="companion.games.darwinci",
    open_match=open_match,
    profiles=match_file.PROFILES,
    usual_profile=match_file.BASE,
    decks=DeckBook(
        form=DeckForm(
            card_id=re.compile(r"T[0-9]{2}"),
            cards=deck.IDS,
            families=tuple(deck.KINDS),
            card_keys=deck.TILE_KEYS,
        ),
        check=deck.check,
        is_entered=deck.is_entered,
        lines=read_deck,
        stickers=stickers,
        drawn=drawn,
        printed=printed,
        sticker_mm=STICKER_MM,
        things_key="tile",
    ),
    demonstration=Demonstration(
        match={
            "game": "darwinci",
            "seat": [{"name": name} for name in DEMO_NAMES],
            "table": encode_layout(view.layout((Seat(1), Seat(2), Seat(3)), view.SMALL_TABLE)),
        },
        made_match=random_play.random_match,
        random_player=random_play.random_player,
        people=people,
    ),
)
