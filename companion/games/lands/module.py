"""Discover: Lands Unknown for the registry."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from companion.errors import Fault, fault
from companion.games.game_module import DeckBook, Demonstration, GameModule, StickerLabel, card_labels
from companion.games.lands import deck, match_file, random_play, view
from companion.games.lands.game import Lands
from companion.games.lands.places import MAP
from companion.games.lands.setup import FIRST_PLAYER, MOST_SEATS, stand
from companion.games.lands.state import Island
from companion.games.square_tiles import STICKER_MM
from companion.public.decks import DeckForm
from companion.public.layout import encode_layout
from companion.public.table import CardId, Seat, Token
from companion.public.text import JSON

LETTERS = "LU"
SCENARIO_TILES = 17
"""Half of the 34 tiles of a box are the map of a scenario; this is not verified."""
KINDS = {
    "M": ("the tile", "la tuile"),
    "N": ("the night card", "la carte Nuit"),
    "E": ("the enemy", "l’ennemi"),
    "P": ("the project", "le projet"),
    "O": ("the object", "l’objet"),
    "F": ("{seat}’s figure", "la figurine de {seat}"),
}
"""What a card is, by the letter of its sticker."""
DEMO_NAMES = ("Ana", "Ben")


def lines(read: deck.LandsDeck, document: JSON) -> Iterator[str]:
    """Each tile with its spaces, and each card with its facts."""
    for tile, spaces in read.tiles.items():
        yield f"{tile}  {'  '.join(map(_space_words, spaces))}"
    for key in deck.LISTS:
        if key != "tile":
            yield from (f"{row['id']}  {_card_words(row)}" for row in document.get(key, ()))


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


def labels(read: deck.LandsDeck) -> tuple[tuple[StickerLabel, ...], tuple[StickerLabel, ...]]:
    """One for each tile and card that a box can hold; the stands, and the token."""
    stands = tuple(
        StickerLabel(
            Token(stand(Seat(at))), {"en": f"Stand of seat {at}", "fr": f"Socle de la place {at}"}, letters=LETTERS
        )
        for at in range(1, MOST_SEATS + 1)
    )
    token = StickerLabel(Token(FIRST_PLAYER), {"en": "First player", "fr": "Premier joueur"}, letters=LETTERS)
    return card_labels(read.tokens, LETTERS), (*stands, token)


def learned(document: Mapping[str, JSON], public: Island) -> JSON:
    """The deck with the facts about tiles and cards that players entered during the match."""
    return deck.with_told(document, public.described, public.entered)


def drawn(game: Lands) -> list[JSON]:
    """The names of all things; constant during a match. Tiles and card facts are sent as they are turned up."""
    stands = game.setup.stands
    return [
        {"id": card, "name": name_of(game, card), **({"seat": stands[card]} if card in stands else {})}
        for card in game.setup.cards.values()
    ]


def name_of(game: Lands, card: CardId) -> dict[str, str]:
    """The name on a card, else what it is: the number of a sticker is printed on no card of a box."""
    if card == FIRST_PLAYER:
        return {"en": "the first player’s token", "fr": "le marqueur du premier joueur"}
    facts = game.setup.deck.cards.get(card)
    english, french = KINDS[card[0]]
    return {"en": facts.name, "fr": facts.name} if facts and facts.name else {"en": english, "fr": french}


LANDS = GameModule(
    name="lands",
    letters=LETTERS,
    package="companion.games.lands",
    open=match_file.open_match,
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
        lines=lines,
        parse=deck.read,
        labels=labels,
        drawn=drawn,
        learned=learned,
    ),
    demonstration=Demonstration(
        match={
            "game": "lands",
            "seat": [{"name": name} for name in DEMO_NAMES],
            "table": encode_layout(view.layout((Seat(1), Seat(2)), view.SMALL_TABLE)),
        },
        made_match=random_play.random_match,
        random_player=random_play.random_player,
    ),
)
