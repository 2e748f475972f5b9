"""Stands and the first player's token to cut out, and a deck's tiles and cards for play without the box.

A drawn tile or card only shows the facts in the deck.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace

from companion.games.game_module import StickerLabel, StickerSet
from companion.games.lands.deck import CardFacts, LandsDeck, LandSpace
from companion.games.lands.setup import FIRST_PLAYER, FOOT_MM, STAND_MM, TOKEN_MM
from companion.games.printed import PrintedThing
from companion.games.square_tiles import MARGIN_MM, STICKER_MM
from companion.public.colours import SEAT_COLOURS
from companion.public.print_sizes import CARD_MM
from companion.public.printed_parts import PrintedArea, PrintedText
from companion.public.table import CardId, Point, Token

LAND, WAY, SPACE, HARD = "#DFE6CF", "#9A8A6D", "#FFFFFF", "#D9B98A"
SPACE_MM, WAY_MM, FOOT_MARK_MM = 9.0, 2.0, 6.0
ROUND_STEPS = 32
CARD_CORNER_MM = 4.0
WORDS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "night": "Night", "enemy": "Enemy", "project": "Project", "object": "Object", "blue": "blue",
        "orange": "orange", "tribal": "tribal", "defence": "Defence", "attack": "Attack", "life": "Life",
        "lethal": "lethal", "grey": "grey ground", "quest": "quest object", "landmark": "landmark", "fire": "fire",
        "food": "food", "meat": "meat", "water": "clean water", "dirty-water": "dirty water", "wood": "wood",
        "stone": "stone", "poison": "poison", "find": "find", "medicine": "medicine",
    },
    "fr": {
        "night": "Nuit", "enemy": "Ennemi", "project": "Projet", "object": "Objet", "blue": "bleue",
        "orange": "orange", "tribal": "tribale", "defence": "Défense", "attack": "Attaque", "life": "Vie",
        "lethal": "létal", "grey": "fond gris", "quest": "objet de quête", "landmark": "repère", "fire": "feu",
        "food": "nourriture", "meat": "viande", "water": "eau pure", "dirty-water": "eau sale", "wood": "bois",
        "stone": "pierre", "poison": "poison", "find": "trouvaille", "medicine": "médicament",
    },
}  # fmt: skip
GOLD = "#F2C230"
"""The first player's token on a drawn table."""
KIND_COLOURS = {
    "N": ("#31365E", "#D9DBEA"), "E": ("#8C2F24", "#F3DCD6"), "P": ("#2F6B4A", "#DCEBE0"), "O": ("#7A5A1E", "#F1E6CC"),
}  # fmt: skip
"""The band and the ground of a card's face on a drawn table."""
KINDS = {"N": "night", "E": "enemy", "P": "project", "O": "object"}

Part = PrintedArea | PrintedText


def things(
    read: LandsDeck, stickers: StickerSet, language: str, sticker_mm: float, _history: Mapping[str, Mapping[str, str]]
) -> tuple[PrintedThing, ...]:
    """Stands and token first, then the described tiles and cards. Stands and tiles have stickers of a fixed size,
    because the camera derives their positions from them."""
    say = WORDS.get(language, WORDS["en"])
    pieces = [_token(label) if label.token == Token(FIRST_PLAYER) else _stand(label) for label in stickers.others]
    for label in stickers.cards:
        card = read.tokens[label.token]
        if card in read.tiles:
            corner, size = (MARGIN_MM, MARGIN_MM), (read.tile_mm, read.tile_mm)
            pieces.append(PrintedThing(label, size, corner, STICKER_MM, tuple(_tile(read, card, say))))
        elif card in read.cards:
            corner = CARD_CORNER_MM, CARD_CORNER_MM
            parts = tuple(_card(card, read.cards[card], say, sticker_mm))
            pieces.append(PrintedThing(label, CARD_MM, corner, sticker_mm, parts))
    return tuple(pieces)


def faces(read: LandsDeck, stickers: StickerSet, language: str) -> tuple[PrintedThing, ...]:
    """Tiles, cards, stands and the token, as they lie on a drawn table."""
    say = WORDS.get(language, WORDS["en"])
    made = []
    for thing in things(read, stickers, language, STICKER_MM, {}):
        if thing.label.token in read.tokens and thing.size_mm == CARD_MM:
            continue
        if thing.size_mm == STAND_MM:
            colour = SEAT_COLOURS[int(thing.label.token[1]) - 1]
            thing = replace(thing, parts=(PrintedArea.box(0, 0, *STAND_MM, colour), *thing.parts))
        elif thing.label.token == Token(FIRST_PLAYER):
            thing = replace(thing, parts=(PrintedArea.box(0, 0, TOKEN_MM, TOKEN_MM, GOLD),))
        made.append(thing)
    for label in stickers.cards:
        card = read.tokens[label.token]
        if card not in read.tiles and card[0] in KINDS:
            made.append(PrintedThing(label, CARD_MM, (0, 0), 0, tuple(_face(card, read.cards.get(card), say))))
    return tuple(made)


def _face(card: CardId, facts: CardFacts | None, say: Mapping[str, str]) -> Iterator[Part]:
    """A card with its kind in a band, and room for a sticker in the lower right corner."""
    wide = CARD_MM[0] - 2 * CARD_CORNER_MM
    yield PrintedArea.box(0, 0, *CARD_MM, KIND_COLOURS[card[0]][1])
    yield PrintedArea.box(0, 0, CARD_MM[0], 15, KIND_COLOURS[card[0]][0])
    yield PrintedText(say[KINDS[card[0]]], CARD_CORNER_MM, 3.4, wide, (20.0, 16.0), bold=True, colour="#FFFFFF")
    for at, words in enumerate(tuple(_said(facts, say))[:4] if facts else ()):
        yield PrintedText(words, CARD_CORNER_MM, 18 + 9.0 * at, wide, (17.0, 13.0, 10.0), bold=not at)
    yield PrintedText(card, 2, 76.5, 26, (17.0,), bold=True, middle=True)


def _stand(label: StickerLabel) -> PrintedThing:
    """The sticker at one end, and the place for the figure's foot."""
    aside = (STAND_MM[0] - STICKER_MM) / 2
    middle = STAND_MM[0] / 2, STAND_MM[0] / 2 + FOOT_MM[1]
    ring = PrintedArea((_circle(middle, FOOT_MARK_MM), _circle(middle, FOOT_MARK_MM - 0.6)), "#000000")
    name = PrintedText(label.token, 0.0, middle[1] - 1.4, STAND_MM[0], (8.0,), bold=True, middle=True)
    return PrintedThing(label, STAND_MM, (aside, aside), STICKER_MM, (ring, name))


def _token(label: StickerLabel) -> PrintedThing:
    aside = (TOKEN_MM - STICKER_MM) / 2
    return PrintedThing(label, (TOKEN_MM, TOKEN_MM), (aside, aside), STICKER_MM, ())


def _tile(read: LandsDeck, card: CardId, say: Mapping[str, str]) -> Iterator[Part]:
    side, spaces = read.tile_mm, read.tiles[card]
    yield PrintedArea.box(0, 0, side, side, LAND)
    middles = [(side / 2 + space.at[0], side / 2 + space.at[1]) for space in spaces]
    for at, space in enumerate(spaces):
        ends = [middles[other - 1] for other in space.neighbours if other > at + 1]
        ends += [(side / 2 + x, side / 2 + y) for x, y in space.exits]
        yield from (_way(middles[at], end) for end in ends if end != middles[at])
    for at, space in enumerate(spaces):
        yield from _space(at + 1, space, middles[at], say)
    below = MARGIN_MM + STICKER_MM
    yield PrintedText(card, MARGIN_MM, below + 0.5, STICKER_MM, (7.0,), bold=True, middle=True)


def _space(number: int, space: LandSpace, middle: Point, say: Mapping[str, str]) -> Iterator[Part]:
    """Its number, its cost if more than a point, and its features."""
    x, y = middle
    yield PrintedArea((_circle(middle, SPACE_MM),), HARD if space.cost > 1 else SPACE, line=True)
    there = [say[key] for key in ("landmark", "fire") if getattr(space, key)]
    cost = f"{number} · {space.cost}" if space.cost > 1 else f"{number}"
    yield PrintedText(cost, x - SPACE_MM, y - 3.2, 2 * SPACE_MM, (9.0,), bold=True, middle=True)
    if there:
        yield PrintedText(" ".join(there), x - SPACE_MM, y + 1.2, 2 * SPACE_MM, (7.0, 6.0), middle=True)


def _card(card: CardId, facts: CardFacts, say: Mapping[str, str], sticker_mm: float) -> Iterator[Part]:
    left, wide = CARD_CORNER_MM, CARD_MM[0] - 2 * CARD_CORNER_MM
    yield PrintedText(card, sticker_mm + 2 * left, left + 2, wide - sticker_mm - left, (16.0,), bold=True)
    lines = [say[KINDS[card[0]]], *_said(facts, say)]
    for at, words in enumerate(lines):
        top = sticker_mm + 3 * left + 8.0 * at
        yield PrintedText(words, left, top, wide, (13.0, 11.0, 9.0), bold=not at)


def _said(facts: CardFacts, say: Mapping[str, str]) -> Iterator[str]:
    """The known facts of a card, one line each."""
    if facts.name:
        yield facts.name
    if facts.colour:
        yield say[facts.colour]
    for key in ("defence", "attack", "life"):
        if (number := getattr(facts, key)) is not None:
            yield f"{say[key]} {number}"
    yield from (say[key] for key in ("lethal", "grey", "tribal", "quest") if getattr(facts, key))
    if facts.cost:
        yield " + ".join(say[kind] for kind in facts.cost)
    if facts.makes:
        yield f"= {facts.makes}"


def _way(start: Point, end: Point) -> PrintedArea:
    length = math.dist(start, end)
    x, y = WAY_MM * (start[1] - end[1]) / length, WAY_MM * (end[0] - start[0]) / length
    corners = ((start[0] + x, start[1] + y), (end[0] + x, end[1] + y))
    back = ((end[0] - x, end[1] - y), (start[0] - x, start[1] - y))
    return PrintedArea(((*corners, *back),), WAY)


def _circle(middle: Point, radius_mm: float) -> tuple[Point, ...]:
    turns = (2 * math.pi * step / ROUND_STEPS for step in range(ROUND_STEPS))
    return tuple((middle[0] + radius_mm * math.cos(turn), middle[1] + radius_mm * math.sin(turn)) for turn in turns)
