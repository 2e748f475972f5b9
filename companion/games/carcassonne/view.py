"""The public view: the expected table, the data for pages, and the possible moves."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.carcassonne import moves as act
from companion.games.carcassonne.places import cell_zone, counter_zone
from companion.games.carcassonne.rules.laying import first_place
from companion.games.carcassonne.rules.legality import judge
from companion.games.carcassonne.setup import MatchSetup
from companion.games.carcassonne.state import Progress, ground, is_undrawn, stands, to_remove
from companion.games.carcassonne.territory import Piece, Territory, TileMap, territory, worth
from companion.games.lattice import Cell
from companion.public.layout import Layout, ZoneShape
from companion.public.standing import AvailableMove
from companion.public.table import COMMAND_ZONE, TABLE, CardId, Expected, Seat, Zone
from companion.public.text import JSON

WIDTH_MM, HEIGHT_MM = 1100.0, 650.0


def expected(public: Progress) -> Expected:
    """What should be face up; tiles that are out of the match may be in a pile."""
    cards: dict[CardId, Zone] = {card: cell_zone(cell) for card, cell in public.laid.items()}
    cards |= {card: counter_zone(piece) for card, piece in public.followers.items()}
    put_away = (*public.removed, *public.discarded)
    cards |= dict.fromkeys(put_away, act.ASIDE)
    return Expected(cards, frozenset(put_away))


def layout() -> Layout:
    """The field as large as possible on a table of 1100 by 650 mm; the rest in a strip on the left."""
    return Layout(
        (WIDTH_MM, HEIGHT_MM),
        (
            ZoneShape.box("field", 160.0, 10.0, 1090.0, 640.0),
            ZoneShape.box("aside", 10.0, 10.0, 150.0, 530.0),
            ZoneShape.box(COMMAND_ZONE, 10.0, 540.0, 150.0, 640.0),
        ),
    )


def small_table() -> JSON:
    """A table of 900 by 530 mm, in the form of a match file: its small stickers can be read without full resolution."""
    zones = (("field", 110, 10, 890, 520), ("aside", 10, 10, 100, 400), (COMMAND_ZONE, 10, 410, 100, 520))
    polygons = [
        {"name": name, "polygon": [[left, top], [right, top], [right, bottom], [left, bottom]]}
        for name, left, top, right, bottom in zones
    ]
    return {"size_mm": [900, 530], "zone": polygons}


def view(setup: MatchSetup, public: Progress, seat: Seat | None) -> JSON:
    """All things on the table, and the value of each territory; nothing is secret."""
    return {
        "seat": seat,
        "turn": public.turn,
        "tile": public.tile,
        "map": [_cell(card, cell) for card, cell in public.laid.items()],
        "followers": [
            {"card": card, "seat": setup.owners[card], "tile": tile, "segment": number}
            for card, (tile, number) in sorted(public.followers.items())
        ],
        "territories": territories(setup, public),
        "supply": list(public.supply),
        "tiles": public.tiles,
        "removed": list(public.removed),
        "to_remove": to_remove(setup, public),
        "discarded": list(public.discarded),
        "away": sorted(public.away),
    }


def _cell(card: CardId, cell: Cell) -> JSON:
    return {"card": card, "x": cell.column, "y": cell.row, "turn": cell.turn}


def territories(setup: MatchSetup, public: Progress) -> list[JSON]:
    """Each territory of the map: its place, its tiles and cities, its value now and at the end."""
    there = ground(setup, public)
    return [
        {
            "terrain": one.terrain,
            "segments": [[card, number] for card, number in sorted(one.pieces)],
            "tiles": one.tiles,
            "cities": one.cities,
            "complete": one.complete,
            "now": worth(one),
            "final": worth(one, final=True),
            "followers": list(stands(public, one.pieces)),
        }
        for one in _each(there)
    ]


def _each(there: TileMap) -> Iterator[Territory]:
    """Every territory once."""
    done: set[Piece] = set()
    for card, laid in there.by_name.items():
        for number in range(1, len(laid.tile.segments) + 1):
            if (card, number) not in done:
                own = territory(there, (card, number))
                done |= own.pieces
                yield own


def offers(setup: MatchSetup, public: Progress) -> tuple[AvailableMove, ...]:
    """Every legal move that can be chosen on a page; the place of a tile is seen, not entered."""
    return (*_of_the_table(setup, public), *(offer for seat in setup.seats for offer in _of(setup, public, seat)))


def _of_the_table(setup: MatchSetup, public: Progress) -> Iterator[AvailableMove]:
    if not judge(setup, public, act.LayStart(TABLE, setup.deck.start)):
        yield AvailableMove(TABLE, "start", {"card": (setup.deck.start,)})
    removable = tuple(card for card in setup.deck.tiles if not judge(setup, public, act.RemoveTile(TABLE, card)))
    if removable:
        yield AvailableMove(TABLE, "remove", {"card": removable})
    if not judge(setup, public, act.CloseMatch(TABLE)):
        yield AvailableMove(TABLE, "agree_end")


def _of(setup: MatchSetup, public: Progress, seat: Seat) -> Iterator[AvailableMove]:
    if not judge(setup, public, act.FinishTurn(seat)):
        yield AvailableMove(seat, "end_turn")
    own = tuple(card for card, owner in setup.owners.items() if owner == seat)
    scored = tuple(card for card in own if not judge(setup, public, act.ScoreFollower(seat, card)))
    if scored:
        yield AvailableMove(seat, "score", {"card": scored})
    counters = tuple(card for card in own if card not in public.followers)
    if public.tile is not None and counters:
        numbers = range(1, len(setup.deck.tiles[public.tile].segments) + 1)
        deploy = act.DeployFollower(seat, counters[0], public.tile, 1)
        free = tuple(
            number
            for number in numbers
            if not judge(setup, public, act.DeployFollower(seat, deploy.card, deploy.tile, number))
        )
        if free:
            yield AvailableMove(seat, "deploy", {"card": counters, "tile": (public.tile,), "segment": free})
    if public.tile is None and public.laid and seat == public.turn and not public.over:
        unplaceable = nowhere(setup, public)
        if unplaceable:
            yield AvailableMove(seat, "discard", {"card": unplaceable})


def nowhere(setup: MatchSetup, public: Progress) -> tuple[CardId, ...]:
    """The undrawn tiles that fit nowhere; tiles with the same sides are listed once."""
    there = ground(setup, public)
    fits: dict[tuple[str, ...], bool] = {}
    tiles = []
    for card, tile in setup.deck.tiles.items():
        if is_undrawn(setup, public, card):
            if tile.terrains not in fits:
                fits[tile.terrains] = first_place(there, tile) is not None
            if not fits[tile.terrains]:
                tiles.append(card)
    return tuple(tiles)
