"""Carcassonne: The Discovery for the registry."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from companion.games.carcassonne import deck, match_file, patterns, random_play, view
from companion.games.carcassonne.game import Carcassonne
from companion.games.carcassonne.setup import COUNTERS, MOST_SEATS
from companion.games.carcassonne.tiles import SIDES, TERRAINS
from companion.games.game_module import DeckBook, DeckDrawing, Demonstration, GameModule, StickerLabel, StickerSet
from companion.games.square_tiles import STICKER_MM
from companion.public.decks import DeckForm
from companion.public.layout import Layout
from companion.public.table import Token
from companion.public.text import JSON

if TYPE_CHECKING:
    from companion.games.printed import PrintedThing
    from companion.simulation.people import People

LETTERS = "CD"
DEMO_NAMES = ("Ana", "Ben", "Cléo")


def open_match(match: JSON, document: JSON) -> Carcassonne:
    """A match from a match file and a deck file as JSON.

    Raises:
        InputError: All faults of the deck, or else of the match.
    """
    return match_file.open_match(match, deck.read(document))


def read_deck(document: JSON) -> tuple[str, ...]:
    """A deck as text, one tile per line: each segment with its edges, and the cities.

    Raises:
        InputError: All faults.
    """
    read = deck.read(document)
    lines = [f"{read.name} ({read.edition})"]
    for tile in read.tiles.values():
        segments = (f"{one.terrain}:{''.join(SIDES[side] for side in one.edges) or '-'}" for one in tile.segments)
        cities = (f"city {land}-{sea}" for land, sea in tile.cities)
        lines.append("  ".join((tile.id, *segments, *cities, *(("start",) if tile.start else ()))))
    return tuple(lines)


def stickers(document: JSON) -> StickerSet:
    """The stickers of a deck: its tiles, and four counters for each of five seats.

    Raises:
        InputError: All faults.
    """
    read = deck.read(document)
    tiles = tuple(StickerLabel(token, {"en": card, "fr": card}, letters=LETTERS) for token, card in read.tokens.items())
    counters = tuple(
        StickerLabel(Token(name), {"en": f"Seat {seat}", "fr": f"Place {seat}"}, name, letters=LETTERS, round=True)
        for seat in range(1, MOST_SEATS + 1)
        for name in (f"F{seat}{number}" for number in range(1, COUNTERS + 1))
    )
    return StickerSet(read.name, read.edition, tiles, counters)


def printed(
    document: JSON, language: str, _sticker_mm: float, _history: Mapping[str, Mapping[str, str]]
) -> tuple[PrintedThing, ...]:
    """The tiles of a deck, printed for play without the box.

    Raises:
        InputError: All faults of the deck.
    """
    from companion.games.carcassonne.printed import things  # only printing needs it

    return things(deck.read(document), stickers(document).cards, language)


def drawn(game: Carcassonne) -> list[JSON]:
    """The tiles as pages draw them; constant during a match."""
    return game.setup.deck.drawn


def next_match(match: Mapping[str, JSON]) -> dict[str, JSON]:
    """The same match file with the next seat clockwise as the first. The rule book does not cover a second match."""
    return {**match, "first": int(match.get("first", 1)) % len(match["seat"]) + 1}


def people(game: Carcassonne, _header: Mapping[str, JSON], layout: Layout, _seed: int) -> People:
    """The players of a simulated table.

    Raises:
        InputError: The table lacks a zone.
    """
    from companion.games.carcassonne import people  # imports random, which the rules must not

    return people.people(game, layout)


CARCASSONNE = GameModule(
    name="carcassonne",
    letters=LETTERS,
    package="companion.games.carcassonne",
    open_match=open_match,
    profiles=(match_file.PROFILE,),
    usual_profile=match_file.PROFILE,
    next_match=next_match,
    decks=DeckBook(
        sticker_mm=STICKER_MM,
        things_key="tile",
        form=DeckForm(
            card_id=re.compile(r"T[0-9]{2}"),
            cards=deck.IDS[: deck.TILES],
            families=TERRAINS,
            card_keys=deck.TILE_KEYS,
        ),
        check=deck.check,
        is_entered=deck.is_entered,
        lines=read_deck,
        stickers=stickers,
        printed=printed,
        drawn=drawn,
        drawing=DeckDrawing(patterns.patterns, patterns.drawn_rows),
    ),
    demonstration=Demonstration(
        match={
            "game": "carcassonne",
            "seat": [{"name": name} for name in DEMO_NAMES],
            "table": view.small_table(),
        },
        made_match=random_play.random_match,
        random_player=random_play.random_player,
        people=people,
    ),
)
