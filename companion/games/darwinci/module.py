"""Darwinci for the registry."""

from __future__ import annotations

import re
from collections.abc import Iterator

from companion.games.darwinci import deck, match_file, random_play, view
from companion.games.darwinci.game import Darwinci
from companion.games.darwinci.setup import BIG_MM, COLOURS, DARWIN_TILE, SMALL, SMALL_MM, is_big
from companion.games.game_module import DeckBook, Demonstration, GameModule, StickerLabel, card_labels
from companion.games.square_tiles import STICKER_MM
from companion.public.decks import DeckForm
from companion.public.layout import encode_layout
from companion.public.table import CardId, Seat, Token
from companion.public.text import JSON, listed, signed

LETTERS = "DW"
DARWIN_NAME = {"en": "the Darwin tile", "fr": "la tuile Darwin"}
DEMO_NAMES = ("Ana", "Ben", "Cléo")
COLOUR_NAMES = {
    "red": ("Red", "Rouge"),
    "blue": ("Blue", "Bleu"),
    "green": ("Green", "Vert"),
    "yellow": ("Yellow", "Jaune"),
    "white": ("White", "Blanc"),
}


def lines(read: deck.BoneDeck, _document: JSON) -> Iterator[str]:
    """The kind, ends, value and jewels of each tile."""
    for one in read.tiles.values():
        yield "  ".join((one.id, one.kind, one.ends, f"{one.value:+}", *one.jewels))


def labels(read: deck.BoneDeck) -> tuple[tuple[StickerLabel, ...], tuple[StickerLabel, ...]]:
    """Its tiles; nine small stones and a big one for each colour, the Darwin tile, and a command card."""
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
    return card_labels(read.tokens, LETTERS), (*stones, darwin, buying)


WITH_JEWELS = {
    "red": ("red", "rouge"),
    "blue": ("blue", "bleu"),
    "green": ("green", "vert"),
    "yellow": ("yellow", "jaune"),
    "white": ("white", "blanc"),
}


def name_of(tile: deck.BoneTile) -> dict[str, str]:
    """What can be seen on a tile, since its number is printed on none of a box: its value and its jewels."""
    value = f" {signed(tile.value) if tile.value < 0 else f'+{tile.value}'}" if tile.value else ""
    english, french = (listed([WITH_JEWELS[one][at] for one in tile.jewels], ("en", "fr")[at]) for at in (0, 1))
    with_jewels, aux_joyaux = "", ""
    if len(tile.jewels) == 1:
        with_jewels, aux_joyaux = f" with a {english} jewel", f" au joyau {french}"
    elif tile.jewels:
        with_jewels, aux_joyaux = f" with {english} jewels", f" aux joyaux {french}"
    return {"en": f"the{value} tile{with_jewels}", "fr": f"le fragment{value}{aux_joyaux}"}


def stone_name(colour: str, big: bool) -> dict[str, str]:
    """A stone by its size and colour; its number has no meaning."""
    french = {"blue": "bleue", "green": "verte", "white": "blanche"}.get(colour, WITH_JEWELS[colour][1])
    return {
        "en": f"the {'big' if big else 'small'} {colour} stone",
        "fr": f"la {'grosse' if big else 'petite'} pierre {french}",
    }


def drawn(game: Darwinci) -> list[JSON]:
    """The tiles as pages draw them, and the names of tiles and stones; constant during a match."""
    tiles = (
        {
            "id": one.id,
            "name": name_of(one),
            "kind": one.kind,
            "ends": one.ends,
            "value": one.value,
            "jewels": list(one.jewels),
        }
        for one in game.setup.deck.tiles.values()
    )
    stones = (
        {"id": card, "name": stone_name(game.setup.colours[owner - 1], is_big(card))}
        for card, owner in game.setup.owners.items()
    )
    return [*tiles, *stones, {"id": DARWIN_TILE, "name": DARWIN_NAME}]


DARWINCI = GameModule(
    name="darwinci",
    letters=LETTERS,
    package="companion.games.darwinci",
    open=match_file.open_match,
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
        lines=lines,
        parse=deck.read,
        labels=labels,
        drawn=drawn,
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
    ),
)
