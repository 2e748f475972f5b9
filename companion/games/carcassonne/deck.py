"""The deck: the facts of each tile, and their form in a deck file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeGuard

from companion.errors import Fault, InputError, fault
from companion.games import files
from companion.games.carcassonne.faces import drawn
from companion.games.carcassonne.tiles import LAND, SEA, SIDES, TERRAINS, Segment, Tile
from companion.games.files import FaultPlace
from companion.public.table import CardId, Token
from companion.public.text import JSON

TILES = 84
"""The tiles in the box, including the start tile ("84 landscape tiles (including one starting tile)")."""
MOST_TILES = 99
"""Sticker numbers have two digits."""
MOST_SEGMENTS = 8
"""No printed tile has more segments than four sides and four inner parts."""
MOST_PAIRS = 64
"""Limit for a tile's borders and cities in a file; no real tile has more."""

IDS = tuple(f"T{number:02}" for number in range(1, MOST_TILES + 1))
"""The possible ids of tiles."""
DECK_KEYS = ("game", "name", "edition")
TILE_KEYS = ("id", "start", "segment", "meets", "city", "source")
SEGMENT_KEYS = ("terrain", "edges", "spot")

TileRow = tuple[int, Mapping[str, JSON]]


@dataclass(frozen=True)
class TileDeck:
    name: str
    edition: str
    tiles: Mapping[CardId, Tile]

    @cached_property
    def start(self) -> CardId:
        return next(tile.id for tile in self.tiles.values() if tile.start)

    @cached_property
    def tokens(self) -> Mapping[Token, CardId]:
        """The stickers of the tiles."""
        return {Token(name): name for name in self.tiles}

    @cached_property
    def drawn(self) -> list[JSON]:
        """The tiles in the form that pages draw."""
        return drawn(self.tiles)


def read(document: JSON) -> TileDeck:
    """A deck from a parsed deck file (``deck`` and ``tile``).

    Raises:
        InputError: All faults of the file.
    """
    faults, _ = check(document)
    if faults:
        raise InputError(*faults)
    tiles = [read_tile(row) for row in document["tile"]]
    return TileDeck(document["deck"]["name"], document["deck"]["edition"], {tile.id: tile for tile in tiles})


def check(document: JSON) -> tuple[tuple[Fault, ...], tuple[Fault, ...]]:
    """All faults of a parsed deck file, then oddities that do not prevent play."""
    if not isinstance(document, Mapping):
        message = 'a deck file of this game holds a table "deck" and a table "tile" for each tile'
        return (fault("carcassonne.fault.form", message),), ()
    faults = [*files.unknown_keys(document, ("deck", "tile")), *files.deck_head(document.get("deck"), DECK_KEYS)]
    listed = document.get("tile")
    if not isinstance(listed, list) or not listed:
        faults.append(fault("carcassonne.fault.no_tiles", 'there are no tiles: each begins with "[[tile]]"', "tile"))
        return tuple(faults), ()
    if len(listed) > MOST_TILES:
        message = "{count} tiles are too many; stickers are numbered up to {most}"
        faults.append(fault("carcassonne.fault.many", message, "tile", count=len(listed), most=MOST_TILES))
        return tuple(faults), ()
    rows: list[TileRow] = [(index, row) for index, row in enumerate(listed) if isinstance(row, Mapping)]
    faulty = {index for index, _ in rows}
    faults += [
        fault("carcassonne.fault.tile", "a tile is a table with an id and its segments", "tile", index)
        for index in range(len(listed))
        if index not in faulty
    ]
    for row in rows:
        faults += _tile_faults(row)
    faults += [*files.each_once(rows, IDS), *_starts(rows)]
    return tuple(faults), tuple(_odd(listed, rows))


def _tile_faults(row: TileRow) -> Iterator[Fault]:
    """The faults of one tile by itself."""
    index, tile = row
    where: FaultPlace = ("tile", index)
    yield from files.unknown_keys(tile, TILE_KEYS, *where)
    if not _is_id(tile.get("id")):
        message = "a tile's id is T and two digits, {first} to {last}"
        yield fault("carcassonne.fault.id", message, *where, "id", first=IDS[0], last=IDS[-1])
    yield from files.switch(tile.get("start", False), *where, "start")
    yield from files.source(tile, *where)
    segments = tile.get("segment")
    if not isinstance(segments, list) or not segments:
        message = 'a tile has segments: segment = [{{ terrain = "sea", edges = "NESW", spot = [0.5, 0.5] }}]'
        yield fault("carcassonne.fault.segments", message, *where, "segment")
        segments = []
    elif len(segments) > MOST_SEGMENTS:
        message = "{count} segments are too many for a tile; {most} are the most"
        yield fault("carcassonne.fault.too_many", message, *where, "segment", count=len(segments), most=MOST_SEGMENTS)
        segments = []
    for place, segment in enumerate(segments):
        yield from _segment_faults(segment, (*where, "segment", place))
    if segments:
        yield from _edge_faults(segments, where)
        yield from _pair_faults(tile, segments, where)


def _segment_faults(segment: JSON, where: FaultPlace) -> Iterator[Fault]:
    if not isinstance(segment, Mapping):
        yield fault("carcassonne.fault.segment", "a segment is a table with terrain, edges and spot", *where)
        return
    yield from files.unknown_keys(segment, SEGMENT_KEYS, *where)
    if _terrain(segment) is None:
        message = "{value} is no terrain; there are {known}"
        names, value = ", ".join(TERRAINS), repr(segment.get("terrain"))
        yield fault("carcassonne.fault.terrain", message, *where, "terrain", value=value, known=names)
    edges = segment.get("edges")
    if not isinstance(edges, str) or set(edges) - set(SIDES) or len(edges) > len(SIDES):
        message = 'edges are some of the letters N, E, S and W, such as "NE", or "" for none'
        yield fault("carcassonne.fault.edges", message, *where, "edges")
    if not _is_spot(segment.get("spot")):
        message = (
            "a spot is two numbers from 0 to 1, east and south of the tile's north-west corner, such as [0.5, 0.2]"
        )
        yield fault("carcassonne.fault.spot", message, *where, "spot")


def _edge_faults(segments: list[JSON], where: FaultPlace) -> Iterator[Fault]:
    """Each side of the tile must belong to exactly one segment."""
    reached = Counter(letter for segment in segments for letter in _edges(segment))
    for letter in SIDES:
        if reached[letter] != 1:
            kind = "edge_none" if not reached[letter] else "edge_twice"
            message = (
                "no segment reaches the side {side}"
                if kind == "edge_none"
                else "the side {side} is given {times} times; each side belongs to one segment"
            )
            yield fault(f"carcassonne.fault.{kind}", message, *where, "segment", side=letter, times=reached[letter])


def _pair_faults(tile: Mapping[str, JSON], segments: list[JSON], where: FaultPlace) -> Iterator[Fault]:
    """Borders and cities must name two matching segments of the tile."""
    terrains = [_terrain(segment) for segment in segments]
    borders: list[tuple[int, int]] = []
    for place, pair in _listed(tile, "meets"):
        here = (*where, "meets", place)
        if not _is_pair(pair, len(segments)):
            yield _no_pair(here, "meets = [[1, 2]]", len(segments))
            continue
        border = (min(pair), max(pair))
        if border in borders:
            yield fault("carcassonne.fault.border_twice", "this border is listed already", *here)
        borders.append(border)
        if pair[0] == pair[1]:
            yield fault("carcassonne.fault.itself", "a segment does not meet itself", *here)
        elif terrains[pair[0] - 1] is not None and terrains[pair[0] - 1] == terrains[pair[1] - 1]:
            message = "segments {one} and {two} are both {terrain}: where like terrains meet they are one segment"
            terrain = terrains[pair[0] - 1]
            yield fault("carcassonne.fault.alike", message, *here, one=pair[0], two=pair[1], terrain=terrain)
    for place, pair in _listed(tile, "city"):
        here = (*where, "city", place)
        if not _is_pair(pair, len(segments)):
            yield _no_pair(here, "city = [[1, 2]], land first", len(segments))
            continue
        land, sea = (terrains[number - 1] for number in pair)
        if None not in (land, sea) and (land not in LAND or sea != SEA):
            yield fault("carcassonne.fault.city", "a city stands on land and faces the sea: [land, sea]", *here)
        elif (min(pair), max(pair)) not in borders:
            message = "segments {one} and {two} do not meet, so no city stands between them"
            yield fault("carcassonne.fault.city_apart", message, *here, one=pair[0], two=pair[1])
    for key in ("meets", "city"):
        if not isinstance(tile.get(key, []), list) or len(tile.get(key, [])) > MOST_PAIRS:
            yield fault("carcassonne.fault.pairs", "a list of pairs of segments is needed here", *where, key)


def _no_pair(where: FaultPlace, example: str, most: int) -> Fault:
    message = "two numbers of segments from 1 to {most} are needed here, such as {example}"
    return fault("carcassonne.fault.pair", message, *where, most=most, example=example)


def _starts(rows: list[TileRow]) -> Iterator[Fault]:
    """Exactly one tile must be the start tile."""
    starts = [index for index, tile in rows if tile.get("start") is True]
    if not starts:
        message = "no tile is the start tile: mark one of them (in a file, start = true)"
        yield fault("carcassonne.fault.no_start", message, "tile")
    for index in starts[1:]:
        message = "tile {place} is the start tile already; there is one"
        yield fault("carcassonne.fault.two_starts", message, "tile", index, "start", place=starts[0] + 1)


def _odd(listed: list[JSON], rows: list[TileRow]) -> Iterator[Fault]:
    """Unusual facts, which may be correct."""
    if len(listed) != TILES:
        message = "number of tiles: {count}; the box has {wanted}"
        yield fault("carcassonne.fault.count", message, "tile", count=len(listed), wanted=TILES)
    for index, tile in rows:
        cities = [tuple(pair) for _, pair in _listed(tile, "city") if _is_pair(pair, MOST_SEGMENTS)]
        for pair, times in Counter(cities).items():
            if times > 1:
                message = "{times} cities stand between the same two segments; is that so?"
                yield fault("carcassonne.fault.cities", message, "tile", index, "city", times=times, one=pair[0])


def _listed(tile: Mapping[str, JSON], key: str) -> list[tuple[int, JSON]]:
    value = tile.get(key, [])
    return list(enumerate(value[:MOST_PAIRS])) if isinstance(value, list) else []


def _edges(segment: JSON) -> str:
    """The valid sides of a segment."""
    edges = segment.get("edges") if isinstance(segment, Mapping) else None
    return "".join(letter for letter in edges[:MOST_PAIRS] if letter in SIDES) if isinstance(edges, str) else ""


def _terrain(segment: JSON) -> str | None:
    value = segment.get("terrain") if isinstance(segment, Mapping) else None
    return value if isinstance(value, str) and value in TERRAINS else None


def _is_id(value: JSON) -> TypeGuard[str]:
    return isinstance(value, str) and value in IDS


def _is_pair(value: JSON, most: int) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(type(n) is int and 1 <= n <= most for n in value)


def _is_spot(value: JSON) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(type(n) in (int, float) and 0 <= n <= 1 for n in value)


def is_entered(row: Mapping[str, JSON]) -> bool:
    """Whether a tile of a deck file has everything that play needs."""
    return not tuple(_tile_faults((0, row)))


def read_tile(row: Mapping[str, JSON]) -> Tile:
    """The tile of a complete row."""
    return Tile(
        id=CardId(row["id"]),
        segments=tuple(
            Segment(
                segment["terrain"],
                tuple(side for side, letter in enumerate(SIDES) if letter in segment["edges"]),
                (float(segment["spot"][0]), float(segment["spot"][1])),
            )
            for segment in row["segment"]
        ),
        meets=frozenset((min(pair), max(pair)) for pair in row.get("meets", [])),
        cities=tuple((pair[0], pair[1]) for pair in row.get("city", [])),
        start=row.get("start", False),
        source=row.get("source", ""),
    )
