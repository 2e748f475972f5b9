"""The deck: the facts of tiles and cards that its owner has entered, and their form in a deck file.

Most facts are entered during play.

Points of a tile are millimetres from its centre, x to the right and y down while its sticker is upright.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property

from companion.errors import Fault, InputError, fault
from companion.games import files
from companion.games.files import FaultPlace, shown
from companion.public.table import CardId, Point, Token
from companion.public.text import JSON

RESOURCES = ("food", "meat", "water", "dirty-water", "wood", "stone", "poison", "find", "medicine")
"""The tokens that a seat may have."""
DAMAGE = ("hunger", "thirst", "disease", "skull")
PRINTED = {"M": 34, "N": 10, "E": 32, "P": 11, "O": 44}
"""Number of printed stickers by letter: tiles, night, enemies, projects, objects. These are the published counts of the
box, which are not verified; a deck may list more of each, up to 99."""
LISTS = {"tile": "M", "night": "N", "enemy": "E", "project": "P", "object": "O"}
"""The keys of the lists in a deck file, and the first letter of the ids in each."""
COLOURS = ("blue", "orange")
COMPASS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
SIDES = 12
"""The faces of a die: twelve in the publisher's preview, not given in the text."""
MOST_COST = 9
MOST_SPACES = 20
TILE_MM = 100.0
TILES_SHOWN_MM = (40.0, 250.0)
"""The possible sizes of a tile."""
DECK_KEYS = ("game", "name", "edition", "tile_mm", "compass")
KEYS: Mapping[str, tuple[str, ...]] = {
    "tile": ("id", "space", "source"),
    "night": ("id", "colour", "tribal", "source"),
    "enemy": ("id", "defence", "attack", "life", "lethal", "grey", "source"),
    "project": ("id", "cost", "object", "source"),
    "object": ("id", "name", "quest", "source"),
}
SPACE_KEYS = ("at", "cost", "neighbours", "exits", "landmark", "fire")


@dataclass(frozen=True, slots=True)
class LandSpace:
    """One space of a tile.

    Attributes:
        at: Its centre.
        cost: The stamina for entering it.
        neighbours: The connected spaces of the same tile, numbered from 1.
        exits: Points on the tile's edge where it connects to the next tile.
        landmark: It has a number, which can be investigated.
        fire: It has a camp fire from the start.
    """

    at: Point
    cost: int = 1
    neighbours: tuple[int, ...] = ()
    exits: tuple[Point, ...] = ()
    landmark: bool = False
    fire: bool = False


@dataclass(frozen=True, slots=True)
class CardFacts:
    """The known facts of a card; unknown ones are ``None``, and no rule guesses them.

    Attributes:
        grey: An enemy's background is grey: cards do not move it.
        cost: The resources for a project.
        makes: The object that it makes.
        quest: A quest object is never dropped.
    """

    defence: int | None = None
    attack: int | None = None
    life: int | None = None
    lethal: bool | None = None
    grey: bool | None = None
    colour: str | None = None
    tribal: bool | None = None
    cost: tuple[str, ...] | None = None
    makes: str | None = None
    name: str | None = None
    quest: bool | None = None

    def with_told(self, later_facts: CardFacts) -> CardFacts:
        """These facts, overridden by later ones."""
        later = {
            one.name: value for one in fields(later_facts) if (value := getattr(later_facts, one.name)) is not None
        }
        return replace(self, **later)


UNKNOWN = CardFacts()
UNDESCRIBED = LandSpace((0.0, 0.0))
"""A tile that is not described: one large space, which costs a point and is open on all sides."""


@dataclass(frozen=True)
class LandsDeck:
    """All entered facts of a box.

    Attributes:
        tiles: The spaces of each described tile, by its id.
        cards: The known facts of night, enemy, project and object cards.
        compass: The direction in which an enemy flees, by the red die from 1; empty if not entered.
    """

    name: str
    edition: str
    tiles: Mapping[CardId, tuple[LandSpace, ...]]
    cards: Mapping[CardId, CardFacts]
    tile_mm: float = TILE_MM
    compass: tuple[str, ...] = field(default=())

    @cached_property
    def spaces(self) -> Mapping[str, LandSpace]:
        """Every space by its name, such as ``M07-2``."""
        return {f"{tile}-{at}": one for tile, spaces in self.tiles.items() for at, one in enumerate(spaces, 1)}

    def with_tiles(self, told: Mapping[CardId, tuple[LandSpace, ...]]) -> LandsDeck:
        """This deck with the tiles that were described since."""
        return replace(self, tiles={**self.tiles, **told}) if told else self

    @cached_property
    def tokens(self) -> Mapping[Token, CardId]:
        """The stickers: those that are printed for every box, and all others that were entered."""
        names = {f"{letter}{number:02}" for letter, count in PRINTED.items() for number in range(1, count + 1)}
        return {Token(name): CardId(name) for name in sorted({*names, *self.tiles, *self.cards})}


def read(document: JSON) -> LandsDeck:
    """A deck from a parsed deck file.

    Raises:
        InputError: All faults.
    """
    faults, _ = check(document)
    if faults:
        raise InputError(*faults)
    head = document["deck"]
    tiles = {CardId(row["id"]): tuple(map(_space, row["space"])) for row in document.get("tile", ()) if "space" in row}
    cards = {CardId(row["id"]): _facts(row) for key in LISTS if key != "tile" for row in document.get(key, ())}
    mm, compass = float(head.get("tile_mm", TILE_MM)), tuple(head.get("compass", ()))
    return LandsDeck(head["name"], head["edition"], tiles, cards, mm, compass)


def _space(row: Mapping[str, JSON]) -> LandSpace:
    exits = tuple((float(x), float(y)) for x, y in row.get("exits", ()))
    x, y = row["at"]
    neighbours = tuple(row.get("neighbours", ()))
    switches = {key: row[key] for key in ("landmark", "fire") if key in row}
    return LandSpace((float(x), float(y)), row.get("cost", 1), neighbours, exits, **switches)


def _facts(row: Mapping[str, JSON]) -> CardFacts:
    values = {key: value for key, value in row.items() if key not in ("id", "source", "object", "cost")}
    cost = tuple(row["cost"]) if "cost" in row else None
    return CardFacts(cost=cost, makes=row.get("object"), **values)


def check(document: JSON) -> tuple[tuple[Fault, ...], tuple[Fault, ...]]:
    """All faults of a parsed deck file, then oddities that do not prevent play."""
    if not isinstance(document, Mapping):
        message = 'a deck file of this game holds a table "deck" and lists of tiles and cards'
        return (fault("lands.fault.form", message),), ()
    faults = [*files.unknown_keys(document, ("deck", *LISTS)), *files.deck_head(document.get("deck"), DECK_KEYS)]
    if isinstance(head := document.get("deck"), Mapping):
        faults += _head(head)
    seen: set[str] = set()
    for key, letter in LISTS.items():
        listed = document.get(key, [])
        if not isinstance(listed, list):
            faults.append(fault("lands.fault.list", 'write each of them as "[[{list}]]"', key, list=key))
            continue
        for index, row in enumerate(listed):
            faults += _row(key, letter, row, (key, index), seen)
    return tuple(faults), ()


def is_entered(row: Mapping[str, JSON]) -> bool:
    """Whether a row of a deck file has everything that play needs."""
    key = next((key for key, letter in LISTS.items() if str(row.get("id", "")).startswith(letter)), "tile")
    complete = set(KEYS[key]) - {"source", "grey", "lethal", "quest", "tribal"} <= row.keys()
    return complete and not tuple(_row(key, LISTS[key], row, (key, 0), set()))


def with_told(
    document: Mapping[str, JSON],
    tiles: Mapping[CardId, tuple[LandSpace, ...]],
    cards: Mapping[CardId, CardFacts],
) -> JSON:
    """A deck file as JSON, with the players' facts about these tiles and cards. Facts that a deck file cannot contain
    are left out."""
    written = {card: {"space": [_space_row(one) for one in spaces]} for card, spaces in tiles.items()}
    written |= {card: _facts_row(card_facts) for card, card_facts in cards.items()}
    after = dict(document)
    for key, letter in LISTS.items():
        rows = {row["id"]: row for row in document.get(key, ())}
        for card, told in written.items():
            row = {"id": card, **rows.get(card, {}), **told}
            if card[0] == letter and not tuple(_row(key, letter, row, (key, 0), set())):
                rows[card] = row
        if rows:
            after[key] = list(rows.values())
    return after


def _space_row(space: LandSpace) -> JSON:
    row: dict[str, JSON] = {"at": list(space.at), "neighbours": list(space.neighbours), "cost": space.cost}
    row["exits"] = [list(point) for point in space.exits]
    return row | {key: True for key in ("landmark", "fire") if getattr(space, key)}


def _facts_row(card_facts: CardFacts) -> dict[str, JSON]:
    names = {"makes": "object"}
    said = ((one.name, getattr(card_facts, one.name)) for one in fields(card_facts))
    return {names.get(key, key): list(v) if isinstance(v, tuple) else v for key, v in said if v is not None}


def check_side(side: JSON, *where: str) -> Iterator[Fault]:
    """A fault if the side of a tile is invalid."""
    least, most = TILES_SHOWN_MM
    if not _is_number(side) or not least <= side <= most:
        message = "the side of a tile is {least} to {most} millimetres"
        yield fault("lands.fault.tile_mm", message, *where, least=least, most=most)


def _head(head: Mapping[str, JSON]) -> Iterator[Fault]:
    yield from check_side(head.get("tile_mm", TILE_MM), "deck", "tile_mm")
    compass = head.get("compass", [])
    if not isinstance(compass, list) or len(compass) not in (0, SIDES) or any(one not in COMPASS for one in compass):
        message = "the compass has {count} directions, one for each number of the red die: {known}"
        yield fault("lands.fault.compass", message, "deck", "compass", count=SIDES, known=", ".join(COMPASS))


def _row(key: str, letter: str, row: JSON, where: FaultPlace, seen: set[str]) -> Iterator[Fault]:
    """The faults of one tile or card."""
    if not isinstance(row, Mapping):
        yield fault("lands.fault.row", "this should be a table with an id and what is on it", *where)
        return
    yield from files.unknown_keys(row, KEYS[key], *where)
    name = row.get("id")
    if not _is_id(name, letter):
        yield fault("lands.fault.id", "the id is {letter} and two digits from 01", *where, "id", letter=letter)
    elif name in seen:
        yield fault("lands.fault.again", "{name} is listed already; each is there once", *where, "id", name=name)
    else:
        seen.add(str(name))
    yield from files.source(row, *where)
    if key != "tile":
        yield from _card(row, where)
    elif "space" in row:
        yield from _spaces(row["space"], where)


def _card(row: Mapping[str, JSON], where: FaultPlace) -> Iterator[Fault]:
    for key in ("defence", "attack", "life"):
        if key in row:
            yield from files.whole(row[key], 1, SIDES, *where, key)
    for key in ("lethal", "grey", "tribal", "quest"):
        if key in row:
            yield from files.switch(row[key], *where, key)
    if "colour" in row and row["colour"] not in COLOURS:
        message = "{value} is no colour of night cards; there are {known}"
        names = ", ".join(COLOURS)
        yield fault("lands.fault.colour", message, *where, "colour", value=shown(row["colour"]), known=names)
    if "name" in row and not files.is_words(row["name"]):
        yield fault("lands.fault.name", "a name is said in words", *where, "name")
    if "object" in row and not _is_id(row["object"], "O"):
        yield fault("lands.fault.id", "the id is {letter} and two digits from 01", *where, "object", letter="O")
    cost = row.get("cost", [])
    if not isinstance(cost, list) or any(one not in RESOURCES for one in cost):
        message = "the cost is a list of resources; there are {known}"
        yield fault("lands.fault.cost", message, *where, "cost", known=", ".join(RESOURCES))


def _spaces(spaces: JSON, where: FaultPlace) -> Iterator[Fault]:
    if not isinstance(spaces, list) or not 1 <= len(spaces) <= MOST_SPACES:
        message = "a tile has {least} to {most} spaces: space = [{{ at = [0, 0] }}]"
        yield fault("lands.fault.spaces", message, *where, "space", least=1, most=MOST_SPACES)
        return
    for at, one in enumerate(spaces):
        here: FaultPlace = (*where, "space", at)
        if not isinstance(one, Mapping):
            yield fault("lands.fault.row", "this should be a table with an id and what is on it", *here)
            continue
        yield from files.unknown_keys(one, SPACE_KEYS, *here)
        if not _is_point(one.get("at")):
            yield fault("lands.fault.point", "write [x, y] in millimetres from the tile's middle", *here, "at")
        yield from files.whole(one.get("cost", 1), 1, MOST_COST, *here, "cost")
        neighbours = one.get("neighbours", [])
        if not isinstance(neighbours, list) or any(
            not files.is_whole(other, 1, len(spaces)) or other == at + 1 for other in neighbours
        ):
            message = "neighbours are other spaces of this tile, counted from 1 to {most}"
            yield fault("lands.fault.neighbours", message, *here, "neighbours", most=len(spaces))
        exits = one.get("exits", [])
        if not isinstance(exits, list) or not all(map(_is_point, exits)):
            yield fault("lands.fault.exits", "exits are a list of points: [[50, 0]]", *here, "exits")
        for key in ("landmark", "fire"):
            if key in one:
                yield from files.switch(one[key], *here, key)


def _is_id(value: JSON, letter: str) -> bool:
    if not isinstance(value, str) or len(value) != 3:
        return False
    return value[0] == letter and value[1:].isascii() and value[1:].isdecimal() and value[1:] != "00"


def _is_number(value: JSON) -> bool:
    return type(value) in (int, float)


def _is_point(value: JSON) -> bool:
    reach = TILES_SHOWN_MM[1]
    return isinstance(value, list) and len(value) == 2 and all(_is_number(x) and abs(x) <= reach for x in value)
