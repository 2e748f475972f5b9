"""Carcassonne: The Discovery for the registry."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from companion.games.carcassonne import deck, match_file, patterns, random_play, view
from companion.games.carcassonne.game import Carcassonne
from companion.games.carcassonne.setup import COUNTERS, MOST_SEATS
from companion.games.carcassonne.tiles import SIDES, TERRAINS, Tile
from companion.games.game_module import DeckBook, DeckDrawing, Demonstration, GameModule, StickerLabel, card_labels
from companion.games.square_tiles import STICKER_MM
from companion.public.decks import DeckForm
from companion.public.table import Token
from companion.public.text import JSON, listed

LETTERS = "CD"
DEMO_NAMES = ("Ana", "Ben", "Cléo")


def lines(read: deck.TileDeck, _document: JSON) -> Iterator[str]:
    """Each segment of a tile with its edges, and the cities."""
    for tile in read.tiles.values():
        segments = (f"{one.terrain}:{''.join(SIDES[side] for side in one.edges) or '-'}" for one in tile.segments)
        cities = (f"city {land}-{sea}" for land, sea in tile.cities)
        yield "  ".join((tile.id, *segments, *cities, *(("start",) if tile.start else ())))


def labels(read: deck.TileDeck) -> tuple[tuple[StickerLabel, ...], tuple[StickerLabel, ...]]:
    """Its tiles, and four counters for each of five seats."""
    counters = tuple(
        StickerLabel(Token(name), {"en": f"Seat {seat}", "fr": f"Place {seat}"}, name, letters=LETTERS, round=True)
        for seat in range(1, MOST_SEATS + 1)
        for name in (f"F{seat}{number}" for number in range(1, COUNTERS + 1))
    )
    return card_labels(read.tokens, LETTERS), counters


FOLLOWER_NAME = {"en": "{seat}’s follower", "fr": "le pion de {seat}"}
WORDS = {
    "mountain": ("mountain", "montagne"),
    "grassland": ("grassland", "prairie"),
    "sea": ("sea", "mer"),
}


def name_of(tile: Tile) -> dict[str, str]:
    """What can be seen on a tile, since its number is printed on none of a box: its terrains."""
    if tile.start:
        return {"en": "the start tile", "fr": "la tuile de départ"}
    seen = [WORDS[one] for one in TERRAINS if one in {part.terrain for part in tile.segments}]
    english, french = zip(*seen, strict=True)
    return {"en": f"the {listed(english, 'en')} tile", "fr": f"la tuile {listed(french, 'fr')}"}


def drawn(game: Carcassonne) -> list[JSON]:
    """The tiles as pages draw them, and the names of tiles and counters; constant during a match."""
    tiles = game.setup.deck.tiles
    counters = ({"id": card, "seat": seat, "name": FOLLOWER_NAME} for card, seat in game.setup.owners.items())
    return [*({**one, "name": name_of(tiles[one["id"]])} for one in game.setup.deck.drawn), *counters]


def next_match(match: Mapping[str, JSON]) -> dict[str, JSON]:
    """The same match file with the next seat clockwise as the first. The rule book does not cover a second match."""
    return {**match, "first": int(match.get("first", 1)) % len(match["seat"]) + 1}


CARCASSONNE = GameModule(
    name="carcassonne",
    letters=LETTERS,
    package="companion.games.carcassonne",
    open=match_file.open_match,
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
        lines=lines,
        parse=deck.read,
        labels=labels,
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
    ),
)
