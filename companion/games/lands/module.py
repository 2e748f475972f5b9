"""Discover: Lands Unknown for the registry."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from companion.errors import Fault, fault
from companion.games.game_module import DeckBook, Demonstration, GameModule, StickerLabel, StickerSet
from companion.games.lands import deck, match_file, random_play, view
from companion.games.lands.game import Lands
from companion.games.lands.places import MAP
from companion.games.lands.setup import FIRST_PLAYER, MOST_SEATS, stand
from companion.games.lands.state import Island
from companion.games.square_tiles import STICKER_MM
from companion.public.decks import DeckForm
from companion.public.layout import Layout, encode_layout
from companion.public.table import Seat, Token
from companion.public.text import JSON

if TYPE_CHECKING:
    from companion.games.printed import PrintedThing
    from companion.simulation.people import People

LETTERS = "LU"
SCENARIO_TILES = 17
"""Half of the 34 tiles of a box are the map of a scenario; this is not verified."""
DEMO_NAMES = ("Ana", "Ben")


def open_match(match: JSON, document: JSON) -> Lands:
    """A match from a match file and a deck file as JSON.

    Raises:
        InputError: All faults of the deck, or else of the match.
    """
    return match_file.open_match(match, deck.read(document))


def read_deck(document: JSON) -> tuple[str, ...]:
    """A deck as text: one line for each tile with its spaces, and for each card with its facts.

    Raises:
        InputError: All faults.
    """
    read = deck.read(document)
    tiles = (f"{tile}  {'  '.join(map(_space_words, spaces))}" for tile, spaces in read.tiles.items())
    cards = (f"{row['id']}  {_card_words(row)}" for key in deck.LISTS if key != "tile" for row in document.get(key, ()))
    return (f"{read.name} ({read.edition})", *tiles, *cards)


def check_deck(document: JSON) -> tuple[tuple[Fault, ...], tuple[Fault, ...]]:
    """All faults of a deck file, then oddities: a map that is too large for the default table."""
    faults, odd = deck.check(document)
    return faults, odd if faults else (*odd, *_room(deck.read(document)))


def _room(read: deck.LandsDeck) -> Iterator[Fault]:
    """The size of a tile is only known when it is entered, and so is whether a map fits under a camera."""
    table = view.layout(tuple(Seat(at) for at in range(1, MOST_SEATS + 1)))
    corners = next(shape.polygon_mm for shape in table.zones if shape.name == MAP)
    (left, top), (right, bottom) = corners[0], corners[2]
    room = int((right - left) // read.tile_mm) * int((bottom - top) // read.tile_mm)
    wanted = min(len(read.tiles), SCENARIO_TILES)
    if room < wanted and table.size_mm is not None:
        wide, high = map(round, table.size_mm)
        message = "a table of {wide} × {high} mm has room for {room} of these tiles, and a map may take {wanted}"
        yield fault("lands.fault.room", message, "deck", "tile_mm", wide=wide, high=high, room=room, wanted=wanted)


def _space_words(space: deck.LandSpace) -> str:
    return f"{space.cost}{' landmark' * space.landmark}{' fire' * space.fire}"


def _card_words(row: Mapping[str, JSON]) -> str:
    return "  ".join(f"{key} {value}" for key, value in row.items() if key not in ("id", "source"))


def stickers(document: JSON) -> StickerSet:
    """The stickers: one for each tile and card that a box can hold, the stands, and the token.

    Raises:
        InputError: All faults.
    """
    read = deck.read(document)
    cards = tuple(StickerLabel(token, {"en": card, "fr": card}, letters=LETTERS) for token, card in read.tokens.items())
    stands = tuple(
        StickerLabel(
            Token(stand(Seat(at))), {"en": f"Stand of seat {at}", "fr": f"Socle de la place {at}"}, letters=LETTERS
        )
        for at in range(1, MOST_SEATS + 1)
    )
    token = StickerLabel(Token(FIRST_PLAYER), {"en": "First player", "fr": "Premier joueur"}, letters=LETTERS)
    return StickerSet(read.name, read.edition, cards, (*stands, token))


def printed(
    document: JSON, language: str, sticker_mm: float, _history: Mapping[str, Mapping[str, str]]
) -> tuple[PrintedThing, ...]:
    """The stands and the token, which every match needs, and the described tiles and cards, printed for play without
    the box.

    Raises:
        InputError: All faults of the deck.
    """
    from companion.games.lands.printed import things  # only printing needs it

    labels = stickers(document)
    return things(deck.read(document), labels.cards, labels.others, language, sticker_mm)


def learned(document: Mapping[str, JSON], public: Island) -> JSON:
    """The deck with the facts about tiles and cards that players entered during the match."""
    return deck.with_told(document, public.described, public.entered)


def drawn(game: Lands) -> list[JSON]:
    """The names of all things; constant during a match. Tiles and card facts are sent as they are turned up."""
    cards = game.setup.deck.cards
    named = ((card, cards[card].name if card in cards else None) for card in game.setup.cards.values())
    return [{"id": card, "name": f"{card} {name}" if name else card} for card, name in named]


def people(game: Lands, _header: Mapping[str, JSON], layout: Layout, _seed: int) -> People:
    """The players of a simulated table.

    Raises:
        InputError: The table lacks a zone.
    """
    from companion.games.lands import people  # imports random, which the rules must not

    return people.people(game, layout)


LANDS = GameModule(
    name="lands",
    letters=LETTERS,
    package="companion.games.lands",
    open_match=open_match,
    profiles=(match_file.PROFILE,),
    usual_profile=match_file.PROFILE,
    decks=DeckBook(
        sticker_mm=STICKER_MM,
        things_key="tile",
        form=DeckForm(
            card_id=re.compile(r"[MNEPO][0-9]{2}"),
            cards=tuple(
                f"{letter}{number:02}" for letter, count in deck.PRINTED.items() for number in range(1, count + 1)
            ),
            families=tuple(deck.LISTS),
            card_keys=deck.KEYS["tile"],
        ),
        check=check_deck,
        is_entered=deck.is_entered,
        lines=read_deck,
        stickers=stickers,
        drawn=drawn,
        learned=learned,
        printed=printed,
    ),
    demonstration=Demonstration(
        match={
            "game": "lands",
            "seat": [{"name": name} for name in DEMO_NAMES],
            "table": encode_layout(view.layout((Seat(1), Seat(2)), view.SMALL_TABLE)),
        },
        made_match=random_play.random_match,
        random_player=random_play.random_player,
        people=people,
    ),
)
