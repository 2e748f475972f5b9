"""The tables at which stories happen: a match of each kind, its things, and where people lay them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from support.card_film import MATCH, MOUNT, POOL, token_of
from support.film_report import DECK

from companion.games.registry import open_match, sticker_codes
from companion.public.codes import StickerCodes
from companion.public.layout import Layout
from companion.public.shapes import NO_SHAPES, Shape
from companion.public.table import Point, Token
from vision.synthetic.camera_model import CameraModel
from vision.synthetic.compositing import DrawnCard

CARD_MM = 0.3
"""How thick a card is."""


@dataclass(frozen=True, slots=True, eq=False)
class StoryTable:
    """A match and its table.

    Attributes:
        game: An opened match, ready to play.
        first: What lies there before the eye opens.
        laid: The things that people lay, the likeliest first.
        spots: Where they lay them: the places of stickers, in mm, of which none covers another's.
        silent: Nothing may tell whether a card was lawful.
        commands_at: Where command cards are shown, if there are any.
        needs: Which things must lie before another may be laid, as far as stories use it.
    """

    game: Any
    layout: Layout
    codes: StickerCodes
    camera: CameraModel
    first: tuple[DrawnCard, ...]
    laid: tuple[str, ...]
    spots: tuple[Point, ...]
    thick_mm: float = CARD_MM
    shapes: Mapping[Token, Shape] = field(default_factory=lambda: NO_SHAPES)
    silent: bool = False
    commands_at: Point = (80.0, 590.0)
    has_commands: bool = True
    needs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def size_mm(self) -> Point:
        assert self.layout.size_mm is not None
        return self.layout.size_mm


@cache
def story_table(name: str) -> StoryTable:
    """The table with this name; the same value every time."""
    return TABLES[name]()


def _discovery() -> StoryTable:
    """Explore: the first card lies in the tree, five in the pool, and Cy begins.

    Some of the cards that people lay are lawful, of others a prerequisite is missing.
    """
    opened = open_match(MATCH, DECK)
    pool = tuple(DrawnCard(token_of(card), 960.0, 90.0 + 115.0 * n, 2.0 * n) for n, card in enumerate(POOL))
    spots = tuple((225.0 + 115.0 * column, 105.0 + 115.0 * row) for row in range(5) for column in range(5))
    first = (DrawnCard(token_of("1-1"), 225.0, 105.0), *pool)
    laid = ("C12", "C13", "C19", "C21", "C23", "C33", "C22", "C31", "C36", "C24")
    needs = {
        str(token): tuple(str(token_of(need)) for need in sorted(opened.game.setup.facts[card].prerequisites))
        for token, card in opened.game.table.cards.items()
        if card in opened.game.setup.facts
    }
    codes = sticker_codes(opened.game)
    return StoryTable(opened.game, opened.layout, codes, MOUNT.camera, first, laid, spots[1:], needs=needs)


TABLES: Mapping[str, Callable[[], StoryTable]] = {"discovery": _discovery}
