"""The tables at which stories happen: a match of each kind, its things, and where people lay them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from support.carcassonne_match import deck
from support.card_film import MATCH, MOUNT, POOL, token_of
from support.darwinci_film import DigFilm
from support.film_report import DECK
from support.island_film import IslandFilm
from support.tile_film import ASKEW_DEG, PITCH_MM, table_of
from support.tile_table import CALM, TILE_MM, RefereedTable

from companion.games.carcassonne.module import CARCASSONNE
from companion.games.lattice import Pose
from companion.games.registry import open_match, sticker_codes
from companion.games.square_tiles import shifted, sticker_pose
from companion.history.events import Entry
from companion.public.codes import StickerCodes
from companion.public.layout import Layout
from companion.public.print_sizes import CARD_MM
from companion.public.shapes import NO_SHAPES, Shape
from companion.public.table import Point, Token, Zone
from vision.synthetic.camera_model import CameraModel
from vision.synthetic.compositing import DrawnCard


@dataclass(frozen=True, slots=True, eq=False)
class StoryTable:
    """A match and its table.

    Attributes:
        game: An opened match, ready to play.
        first: What lies there before the eye opens.
        laid: The things that people lay, the likeliest first.
        spots: Where they lay them: places of stickers, in mm, of which none covers another's.
        log: What has happened before.
        upon: Things that people lay upon others, and how far from the others' stickers, in mm.
        turns: How things are turned there, in degrees, and how far from that at most.
        reach_mm: Things whose stickers are nearer than this may lie upon one another.
        around_mm: A place is in view when so much around its code is.
        commands_at: Where command cards are shown; ``None`` = nobody shows any.
        needs: Which things must lie before another may be laid, as far as stories use it.
        beyond: Two of the spots each, of which the second may be used only once something lies at the first.
        size: Width and height of the things, in mm, where they are laid side by side; ``None`` = there are only spots.
        sticker_at: Where the sticker of a thing is that lies at a spot, turned by some degrees; ``None`` = at the spot.
    """

    game: Any
    layout: Layout
    codes: StickerCodes
    camera: CameraModel
    first: tuple[DrawnCard, ...]
    laid: tuple[str, ...]
    spots: tuple[Point, ...]
    log: Sequence[Entry] = ()
    upon: Mapping[str, Point] = field(default_factory=dict)
    turns: tuple[tuple[int, ...], int] = ((0, 90, 180, 270), 12)
    shapes: Mapping[Token, Shape] = field(default_factory=lambda: NO_SHAPES)
    thick_mm: float = 0.3
    reach_mm: float = 75.0
    around_mm: float = 20.0
    off_mm: int = 6
    commands_at: Point | None = None
    needs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    beyond: Sequence[tuple[Point, Point]] = ()
    size: Point | None = None
    sticker_at: Callable[[Point, float], Point] | None = None

    @property
    def size_mm(self) -> Point:
        assert self.layout.size_mm is not None
        return self.layout.size_mm


@cache
def story_table(name: str) -> StoryTable:
    """The table with this name; the same value every time."""
    return TABLES[name]()


CARDS = ("C12", "C13", "C19", "C21", "C23", "C33", "C22", "C31", "C36", "C24", "C17")
"""Some of them are lawful in the tree, of others something that they need is missing."""


def _discovery(profile: str, pool_mm: float = 115.0) -> StoryTable:
    """Cy's turn: the first card lies where cards are placed, and five in the pool, each so far from the one before."""
    opened = open_match({**MATCH, "profile": profile}, DECK)
    game = opened.game
    (zone,) = (one for one in opened.layout.zones if one.name in ("tree", "pile"))
    (left, top), _, (right, bottom), _ = zone.polygon_mm
    columns, rows = int((right - left - 50) // 115), int((bottom - top - 25) // 115)
    spots = tuple(
        (left + 65 + 115.0 * column, top + 85 + 115.0 * row) for row in range(rows) for column in range(columns)
    )
    pool = tuple(
        DrawnCard(token_of(card), 960.0, 90.0 + pool_mm * n, (pool_mm - CARD_MM[1]) / 13 * n)
        for n, card in enumerate(POOL)
    )
    needs = {
        str(token): tuple(str(token_of(need)) for need in sorted(game.setup.facts[card].prerequisites))
        for token, card in game.table.cards.items()
        if card in game.setup.facts
    }
    return StoryTable(
        game,
        opened.layout,
        sticker_codes(game),
        MOUNT.camera,
        (DrawnCard(token_of("1-1"), *spots[0]), *pool),
        CARDS,
        spots[1:],
        commands_at=(80.0, 590.0),
        needs=needs,
        size=CARD_MM,
    )


def _carcassonne() -> StoryTable:
    """The start tile lies there, with two tiles beside it; a tile of sea fits nowhere."""
    patterns = ["Y", "Y", "Y", "Y", "Y", "X", "Y", "X", "Y"]
    match: dict[str, Any] = {"seat": [{"name": name} for name in ("Ana", "Ben")]}
    match["position"] = {"laid": ["T01@0,0/0", "T02@1,0/0", "T03@0,1/0"]}
    game: Any = CARCASSONNE.open_match(match, deck(patterns))
    layout = table_of(CALM)
    width, height = CALM.size_mm

    def sticker(column: int, row: int) -> Pose:
        middle = Pose((110 + width) / 2, height / 2, ASKEW_DEG)
        return sticker_pose(shifted(middle, column * PITCH_MM, row * PITCH_MM), tile_mm=TILE_MM)

    cells = [(-1, 0), (2, 0), (0, -1), (1, 1), (1, -1), (-1, 1), (0, 2), (2, 1), (-2, 0), (3, 0), (5, -2), (-4, 2)]
    spots = {cell: (round(sticker(*cell).x_mm), round(sticker(*cell).y_mm)) for cell in cells}

    def turned_at(spot: Point, turned_deg: float) -> Point:
        off = sticker_pose(Pose(0.0, 0.0, 0.0), tile_mm=TILE_MM)
        middle = shifted(Pose(*spot, ASKEW_DEG), -off.x_mm, -off.y_mm)
        pose = sticker_pose(Pose(middle.x_mm, middle.y_mm, turned_deg), tile_mm=TILE_MM)
        return round(pose.x_mm), round(pose.y_mm)

    first = tuple(
        DrawnCard(Token(name), pose.x_mm, pose.y_mm, pose.rotation_deg, 1.0)
        for name, pose in (("T01", sticker(0, 0)), ("T02", sticker(1, 0)), ("T03", sticker(0, 1)))
    )
    return StoryTable(
        game,
        layout,
        sticker_codes(game),
        CALM.camera,
        first,
        tuple(f"T{number:02}" for number in range(4, len(patterns) + 1)),
        tuple(spots.values()),
        beyond=[(spots[near], spots[far]) for near, far in (((-1, 0), (-2, 0)), ((2, 0), (3, 0)))],
        upon={f"F{seat}{number}": (12.0, 12.0) for seat in (1, 2) for number in (1, 2)},
        turns=((2, 2, 2, 92, 182, 272), 5),
        sticker_at=turned_at,
        shapes=game.table.shapes,
        thick_mm=1.0,
        reach_mm=20.0,
        around_mm=1.5,
        off_mm=2,
        commands_at=(60.0, height - 60.0),
    )


def _of_film(film: RefereedTable, laid: tuple[str, ...], spots: Sequence[Point], **named: Any) -> StoryTable:
    """A film's table as it lies there, with what was said before."""
    game = film.game
    return StoryTable(
        game,
        film.table,
        sticker_codes(game),
        film.mount.camera,
        tuple(film.pieces.values()),
        laid,
        tuple(spots),
        log=tuple(line.entry for line in film.match.record.lines),
        shapes=game.table.shapes,
        around_mm=1.5,
        off_mm=2,
        **named,
    )


def _darwinci() -> StoryTable:
    """The first bidding turn of a round: stones go from the reserves to the tiles for sale. The first seat has bid one,
    and owes one more before it is the next one's turn."""
    film = DigFilm(bidding=1, turn=1)
    film.bids("B", 1, to=2)
    film.rest(1.0)
    assert film.story == ["bid 1 B1 on 2"]
    stones = ("G1", "R1", "G2", "B2", "R2")
    offers = [film.stage.put(Token(stone), Zone(f"offer-{n % 3 + 1}")) for n, stone in enumerate(stones)]
    tiles = tuple(thing for thing in ("T40", "T41", "T42"))
    spots = [(round(pose.x_mm), round(pose.y_mm)) for pose in offers]
    return _of_film(film, (*stones, *tiles), spots, turns=((0,), 20), thick_mm=1.2, reach_mm=18.0)


def _lands() -> StoryTable:
    """The first day: two figures stand in the camp of two tiles."""
    film = IslandFilm()
    spots = [film.at("F1", f"on {space}") for space in ("M01-2", "M01-3", "M02-4", "M02-3", "M01-4")]
    loose = [film.at(card, "night") for card in ("N01",)]
    places = [(round(piece.x_mm), round(piece.y_mm)) for piece in (*spots, *loose)]
    return _of_film(film, ("F1", "F2", "N01", "N02"), places, turns=((0,), 8), thick_mm=1.0, reach_mm=30.0)


TABLES: Mapping[str, Callable[[], StoryTable]] = {
    "discovery": lambda: _discovery("fr-explore"),
    "row": lambda: _discovery("fr-explore", 90.0),
    "intro": lambda: _discovery("en-intro"),
    "memory": lambda: _discovery("en-memory"),
    "bluff": lambda: _discovery("fr-bluff"),
    "carcassonne": _carcassonne,
    "darwinci": _darwinci,
    "lands": _lands,
}

VARIANTS = {"discovery": ("discovery", "discovery", "row")}
"""The tables of a game that is searched: in a row, the pool's cards lie edge to edge."""
