"""The deck: the 65 bone tiles of a box, and their form in a deck file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from companion.errors import Fault, InputError, fault
from companion.games import files
from companion.games.files import FaultPlace
from companion.public.table import CardId, Token
from companion.public.text import JSON

KINDS = {"straight": 12, "corner": 12, "three": 12, "end": 29}
"""« 12 os droits », « 12 os avec 2 connexions possibles à angle droit », « 12 os avec 3 », « 29 extrémités »."""
TILES = sum(KINDS.values())
ROTTEN = 10
"""« Il y a au total 10 fragments d'os avec une valeur négative »."""
SIDES = "NESW"
JEWELS = ("red", "blue", "green", "yellow", "white")
"""« 25 marqueurs de bijoux … triés par couleur en 5 petites piles »; the text does not name the colours."""
MOST_VALUE = 20
MOST_JEWELS = 5
IDS = tuple(f"T{number:02}" for number in range(1, TILES + 1))
"""The possible ids of tiles."""
DECK_KEYS = ("game", "name", "edition")
TILE_KEYS = ("id", "kind", "ends", "value", "jewels", "source")


@dataclass(frozen=True, slots=True)
class BoneTile:
    """One tile.

    Attributes:
        kind: One of ``KINDS``.
        ends: The sides that its bone reaches, some of ``NESW``; north is where its sticker is upright.
        value: The printed number; below 0 the bone is rotten.
        jewels: The printed jewels.
        source: Where the facts come from: the owner, or ``authored``.
    """

    id: CardId
    kind: str
    ends: str
    value: int
    jewels: tuple[str, ...] = ()
    source: str = ""

    @property
    def rotten(self) -> bool:
        """« une valeur négative … qu'on appelle les « os pourris » »."""
        return self.value < 0


@dataclass(frozen=True)
class BoneDeck:
    name: str
    edition: str
    tiles: Mapping[CardId, BoneTile]

    @cached_property
    def tokens(self) -> Mapping[Token, CardId]:
        """The stickers of the tiles."""
        return {Token(name): name for name in self.tiles}


def read(document: JSON) -> BoneDeck:
    """A deck from a parsed deck file (``deck`` and ``tile``).

    Raises:
        InputError: All faults of the file.
    """
    faults, _ = check(document)
    if faults:
        raise InputError(*faults)
    tiles = [_tile(row) for row in document["tile"]]
    return BoneDeck(document["deck"]["name"], document["deck"]["edition"], {tile.id: tile for tile in tiles})


def _tile(row: Mapping[str, JSON]) -> BoneTile:
    jewels = tuple(row.get("jewels", ()))
    return BoneTile(CardId(row["id"]), row["kind"], row["ends"], row["value"], jewels, row.get("source", ""))


def check(document: JSON) -> tuple[tuple[Fault, ...], tuple[Fault, ...]]:
    """All faults of a parsed deck file, then oddities that do not prevent play."""
    if not isinstance(document, Mapping):
        message = 'a deck file of this game holds a table "deck" and a table "tile" for each tile'
        return (fault("darwinci.fault.form", message),), ()
    faults = [*files.unknown_keys(document, ("deck", "tile")), *files.deck_head(document.get("deck"), DECK_KEYS)]
    listed = document.get("tile")
    if not isinstance(listed, list) or not listed:
        faults.append(fault("darwinci.fault.no_tiles", 'there are no tiles: each begins with "[[tile]]"', "tile"))
        return tuple(faults), ()
    if len(listed) > TILES:
        message = "{count} tiles are too many; the box has {wanted}"
        faults.append(fault("darwinci.fault.many", message, "tile", count=len(listed), wanted=TILES))
        return tuple(faults), ()
    for index, row in enumerate(listed):
        faults += _tile_faults(row, ("tile", index))
    rows = [(index, row) for index, row in enumerate(listed) if isinstance(row, Mapping)]
    faults += [*files.each_once(rows, IDS), *_sums([row for _, row in rows])]
    return tuple(faults), ()


def is_entered(row: Mapping[str, JSON]) -> bool:
    """Whether a tile of a deck file has everything that play needs."""
    return not tuple(_tile_faults(row, ("tile", 0)))


def _tile_faults(row: JSON, where: FaultPlace) -> Iterator[Fault]:
    """The faults of one tile by itself."""
    if not isinstance(row, Mapping):
        yield fault("darwinci.fault.tile", "a tile is a table with an id, a kind, its ends and its value", *where)
        return
    yield from files.unknown_keys(row, TILE_KEYS, *where)
    if row.get("id") not in IDS:
        message = "a tile's id is T and two digits, {first} to {last}"
        yield fault("darwinci.fault.id", message, *where, "id", first=IDS[0], last=IDS[-1])
    kind = row.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        message = "{value} is no kind of bone; there are {known}"
        yield fault("darwinci.fault.kind", message, *where, "kind", value=repr(kind), known=", ".join(KINDS))
    elif kind != _kind(row.get("ends")):
        message = 'these ends are not those of this kind: straight "NS" or "EW", corner "NE", three "NES", end "N"'
        yield fault("darwinci.fault.ends", message, *where, "ends")
    value = row.get("value")
    if type(value) is not int or abs(value) > MOST_VALUE:
        message = "write the number on the tile, 0 for none, from {least} to {most}"
        yield fault("darwinci.fault.value", message, *where, "value", least=-MOST_VALUE, most=MOST_VALUE)
    jewels = row.get("jewels", [])
    if not isinstance(jewels, list) or len(jewels) > MOST_JEWELS:
        yield fault("darwinci.fault.jewels", 'jewels are a list, such as ["red"]', *where, "jewels")
    else:
        for place, jewel in enumerate(jewels):
            if jewel not in JEWELS:
                message = "{value} is no jewel; there are {known}"
                names = ", ".join(JEWELS)
                yield fault("darwinci.fault.jewel", message, *where, "jewels", place, value=repr(jewel), known=names)
    yield from files.source(row, *where)


def _kind(ends: JSON) -> str | None:
    """The kind of a bone with these ends; ``None`` for invalid ends."""
    if not isinstance(ends, str) or set(ends) - set(SIDES) or len(set(ends)) != len(ends):
        return None
    opposite = set(ends) in ({"N", "S"}, {"E", "W"})
    return {1: "end", 2: "straight" if opposite else "corner", 3: "three"}.get(len(ends))


def _sums(rows: list[Mapping[str, JSON]]) -> Iterator[Fault]:
    """« 65 Fragments d'os », with the right number of each kind, ten of them rotten."""
    kinds = Counter(row.get("kind") for row in rows if isinstance(row.get("kind"), str))
    for kind, wanted in KINDS.items():
        if kinds[kind] != wanted:
            message = "tiles of the kind {kind}: {count}; the box has {wanted}"
            yield fault("darwinci.fault.sum", message, "tile", count=kinds[kind], kind=kind, wanted=wanted)
    rotten = sum(type(value) is int and value < 0 for value in (row.get("value") for row in rows))
    if rotten != ROTTEN:
        message = "tiles with a value below 0: {count}; the box has {wanted}"
        yield fault("darwinci.fault.rotten", message, "tile", count=rotten, wanted=ROTTEN)
