"""Discovery's cards, printed for play without the box."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from companion.games.discovery.deck import ERA_COLOURS, FAMILY_NAMES, Card, Deck
from companion.games.game_module import StickerSet
from companion.games.printed import PrintedThing
from companion.public.print_sizes import CARD_MM
from companion.public.printed_parts import PrintedArea, PrintedDrawing, PrintedText

History = Mapping[str, Mapping[str, str]]

STICKER_FROM_EDGE_MM = 4.0
RIM_MM = 4.0
"""Only the band of the era is nearer to a card's edge."""
BAND_MM = 9.0
SMALL_PT = 7.0

WORDS = {
    "en": {"era": "Era {n}", "needs": "Needs", "nothing": "nothing", "unknown": "not entered", "joker": "Joker"},
    "fr": {"era": "Ère {n}", "needs": "Prérequis", "nothing": "aucun", "unknown": "pas saisi", "joker": "Joker"},
}
ON_ERA = ("#000000", "#000000", "#000000", "#000000", "#FFFFFF", "#000000")
"""The text colour on the band of each era."""


def things(
    read: Deck, stickers: StickerSet, language: str, sticker_mm: float, history: History
) -> tuple[PrintedThing, ...]:
    """The cards of a deck and its jokers.

    Args:
        stickers: Those of ``module.decks.stickers``: cards and jokers.
        sticker_mm: The side of the sticker that is printed on each.
        history: A line for each card, by its English name and by language.
    """
    words = WORDS.get(language, WORDS["en"])
    spoken = language if language in WORDS else "en"
    made = []
    for label in (*stickers.cards, *stickers.others):
        card = read.tokens.get(label.token)
        parts = _joker(words) if card is None else _card(read, read.cards[card], label.colour or "", spoken, history)
        corner = STICKER_FROM_EDGE_MM, STICKER_FROM_EDGE_MM
        made.append(PrintedThing(label, CARD_MM, corner, sticker_mm, tuple(parts)))
    return tuple(made)


def _card(
    read: Deck, card: Card, colour: str, language: str, history: History
) -> Iterator[PrintedArea | PrintedText | PrintedDrawing]:
    """The band of its era with its number and family, its name, its picture, its prerequisites, and a line of
    history."""
    words = WORDS[language]
    wide, high = CARD_MM
    room_mm = wide - 2 * RIM_MM
    on = ON_ERA[card.era - 1]
    yield PrintedArea.box(0, high - BAND_MM, wide, BAND_MM, colour)
    family = FAMILY_NAMES.get(card.family or "", {}).get(language, words["unknown"])
    line = f"{words['era'].format(n=card.era)} · {family}"
    yield PrintedText(line, RIM_MM, high - BAND_MM + 2.6, room_mm - 12, (9.0, 8.0, SMALL_PT), bold=True, colour=on)
    yield PrintedText(card.id, wide - RIM_MM - 12, high - BAND_MM + 2.6, 12, (9.0,), bold=True, middle=True, colour=on)
    yield PrintedText(card.id, wide - RIM_MM - 24, 4.5, 24, (20.0,), bold=True, middle=True)
    if card.family in FAMILY_NAMES:
        yield PrintedDrawing(wide - RIM_MM - 18.5, 14, 13, card.family or "")
    yield PrintedText(_named(card, language), RIM_MM, 34.5, room_mm, (14.0, 12.0, 10.0), 2, bold=True)
    yield PrintedDrawing((wide - 17) / 2, 45.5, 15)
    if card.prerequisites is None:
        needs = words["unknown"]
    else:
        ids = sorted(card.prerequisites)
        needs = ", ".join(f"{_named(read.cards[one], language)}\u00a0({one})" for one in ids) or words["nothing"]
    space = "\u00a0" if language == "fr" else ""
    yield PrintedText(f"{words['needs']}{space}: {needs}", RIM_MM, 62, room_mm, (8.0, SMALL_PT), 2, bold=True)
    line = history.get(card.names.get("en", ""), {}).get(language, "")
    yield PrintedText(line, RIM_MM, 70, room_mm, (8.0, SMALL_PT), 2)


def faces(read: Deck, stickers: StickerSet, language: str) -> tuple[PrintedThing, ...]:
    """The same cards as they lie on a drawn table: with a large picture, and room for a sticker in the lower right
    corner, where people stick it onto the cards of the box."""
    words = WORDS.get(language, WORDS["en"])
    spoken = language if language in WORDS else "en"
    made = []
    for label in (*stickers.cards, *stickers.others):
        card = read.tokens.get(label.token)
        if card is not None:
            parts = tuple(_face(read.cards[card], label.colour or "", spoken))
            made.append(PrintedThing(label, CARD_MM, (0, 0), 0, parts))
        elif label.token.startswith("J"):
            stripes = [
                PrintedArea.box(nth * CARD_MM[0] / len(ERA_COLOURS), 0, CARD_MM[0] / len(ERA_COLOURS), 15, colour)
                for nth, colour in enumerate(ERA_COLOURS)
            ]
            name = PrintedText(words["joker"], RIM_MM, 26, CARD_MM[0] - 2 * RIM_MM, (28.0,), bold=True, middle=True)
            made.append(PrintedThing(label, CARD_MM, (0, 0), 0, (*stripes, name)))
    return tuple(made)


def _face(card: Card, colour: str, language: str) -> Iterator[PrintedArea | PrintedText | PrintedDrawing]:
    wide, high = CARD_MM
    band_mm, picture_mm, low_mm = 15.0, 32.0, 55.0
    room_mm = wide - 2 * RIM_MM
    yield PrintedArea.box(0, 0, wide, low_mm, _pale(colour))
    yield PrintedArea.box(0, 0, wide, band_mm, colour)
    name = PrintedText(_named(card, language), RIM_MM, 3.4, room_mm, (20.0, 17.0, 14.0, 11.0, 9.5), bold=True)
    yield replace(name, colour=ON_ERA[card.era - 1])
    yield PrintedDrawing((wide - picture_mm) / 2, 18.5, picture_mm)
    if card.family in FAMILY_NAMES:
        yield PrintedDrawing(7.5, 59, 15, card.family or "")
    yield PrintedText(card.id, 2, 76.5, 26, (17.0,), bold=True, middle=True)
    edge = ((0.0, 0.0), (wide, 0.0), (wide, high), (0.0, high))
    inner = ((1.2, 1.2), (wide - 1.2, 1.2), (wide - 1.2, high - 1.2), (1.2, high - 1.2))
    yield PrintedArea((edge, inner), colour)


def _pale(colour: str) -> str:
    """A quarter of a colour on white.

    >>> _pale("#0072B2")
    '#BFDCEC'
    """
    parts = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return "#" + "".join(f"{round(255 - 0.25 * (255 - part)):02X}" for part in parts)


def _joker(words: Mapping[str, str]) -> Iterator[PrintedText]:
    wide, high = CARD_MM
    yield PrintedText(words["joker"], RIM_MM, high / 2 - 5, wide - 2 * RIM_MM, (28.0,), bold=True, middle=True)


def _named(card: Card, language: str) -> str:
    return card.names.get(language) or card.names.get("en") or next(iter(card.names.values()), card.id)
