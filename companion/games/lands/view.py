"""The public view: the expected table, the data for pages, and the possible moves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from companion.games.lands import moves as act
from companion.games.lands.chart import charted
from companion.games.lands.deck import DAMAGE, RESOURCES, SIDES, LandSpace
from companion.games.lands.effects.days import NIGHT
from companion.games.lands.effects.fighting import FIGHT
from companion.games.lands.effects.goods import OUT
from companion.games.lands.lying import tile_places
from companion.games.lands.places import MAP, on
from companion.games.lands.rules.fights import SHIFTS, beaten, changed, hits, hurts
from companion.games.lands.rules.legality import judge
from companion.games.lands.rules.turns import night_resolved
from companion.games.lands.rules.ways import near_enough, reachable
from companion.games.lands.setup import FIRST_PLAYER, MOST_ITEMS, MOST_SEATS, LandsSetup, stand
from companion.games.lands.state import (
    Fight,
    Island,
    facts,
    fire_at,
    has,
    hurt,
    is_dead,
    items,
    known_deck,
    on_map,
    overloaded,
    space_at,
    tile_of,
    tile_spaces,
)
from companion.games.lattice import Pose
from companion.games.square_tiles import shifted
from companion.public.layout import Layout, ZoneShape
from companion.public.standing import AvailableMove, Obligation, Standing
from companion.public.table import COMMAND_ZONE, TABLE, CardId, Expected, Seat, Zone
from companion.public.text import JSON

EDGE_MM = 24.0
"""Margin between the zones and the table's edges: half of each tag is inside, and would cover things there."""
GAP_MM = 8.0


@dataclass(frozen=True, slots=True)
class LandsTable:
    """The size of a table, and the use of its edges.

    Attributes:
        packs: Number of packs along the near edge.
        aside_mm: The width of the piles on the left, and of the commands on the right.
        packs_mm: The depth of the packs.
    """

    size_mm: tuple[float, float]
    packs: int
    aside_mm: float
    packs_mm: float


USUAL_TABLE = LandsTable((1100.0, 650.0), MOST_SEATS, 100.0, 160.0)
SMALL_TABLE = LandsTable((672.0, 480.0), 2, 72.0, 98.0)
"""For one or two players and a small map: a camera can be lower, and reads small stickers better."""
DICE = tuple(range(1, SIDES + 1))
Offer: TypeAlias = Callable[..., Iterator[AvailableMove]]


def expected(setup: LandsSetup, public: Island) -> Expected:
    """What should be face up. Cards of a pack are lifted for reading, and may overlap."""
    cards: dict[CardId, Zone] = tile_places(public)
    for seat in setup.seats if public.dealt else ():
        if seat in on_map(setup, public):
            cards[stand(seat)] = on([public.stands[seat - 1]])
    hidden: dict[CardId, Zone] = {card: act.pack(Seat(at)) for at, held in enumerate(public.packs, 1) for card in held}
    lost = (seat for seat in setup.seats if is_dead(public, seat))
    hidden |= {stand(seat): on([public.stands[seat - 1]]) for seat in lost}  # it is put down at its space
    if public.first:
        hidden[FIRST_PLAYER] = act.pack(public.first)
    for card, zone in public.laid.items():
        lies_open = zone == FIGHT and (public.fight is None or public.fight.card != card)
        (cards if lies_open else hidden)[card] = zone
    return Expected({**cards, **hidden}, frozenset(hidden))


def layout(seats: Iterable[Seat], table: LandsTable = USUAL_TABLE) -> Layout:
    """The packs along the near edge, seat 1 on the right; piles on the left, commands on the right, the map between."""
    (wide, high), aside = table.size_mm, table.aside_mm
    low = high - EDGE_MM - table.packs_mm - GAP_MM
    left, right = EDGE_MM + aside, wide - EDGE_MM - aside
    piles = (NIGHT, FIGHT, OUT)
    each = (low - EDGE_MM + GAP_MM) / len(piles)
    shapes = [ZoneShape.box(MAP, left + GAP_MM, EDGE_MM, right - GAP_MM, low)]
    for at, pile in enumerate(piles):
        shapes.append(ZoneShape.box(pile, EDGE_MM, EDGE_MM + at * each, left, EDGE_MM + (at + 1) * each - GAP_MM))
    pack = (wide - 2 * EDGE_MM + GAP_MM) / table.packs
    for seat in seats:
        begins = EDGE_MM + (table.packs - seat) * pack
        shapes.append(ZoneShape.box(act.pack(seat), begins, low + GAP_MM, begins + pack - GAP_MM, high - EDGE_MM))
    shapes.append(ZoneShape.box(COMMAND_ZONE, right, EDGE_MM, wide - EDGE_MM, low))
    return Layout(table.size_mm, tuple(shapes))


def standing(setup: LandsSetup, public: Island) -> Standing:
    """The scoreboard: stamina, damage and items by seat, and the day. There are no points; a seat that leaves the map
    wins."""
    return Standing(
        turn=public.turn or None,
        points=tuple(0 for _ in setup.seats),
        counters={
            "stamina": public.stamina,
            "damage": tuple(hurt(public, seat) for seat in setup.seats),
            "items": tuple(items(public, seat) for seat in setup.seats),
            "day": public.day,
        },
        owed=tuple(owed(setup, public)),
        over=public.over,
        winners=tuple(sorted(public.left)) if public.over else (),
    )


def owed(setup: LandsSetup, public: Island) -> Iterator[Obligation]:
    """What must come next, and the seat that must do it."""
    if public.over or not public.dealt:
        return
    if not public.day:
        yield Obligation(TABLE, "lead")
        return
    if public.fight is not None and public.told:
        yield Obligation(public.fight.fighter, "accept" if public.fight.rolled else "roll")
    for seat in on_map(setup, public):
        if public.drinks[seat - 1]:
            yield Obligation(seat, "drink")
        if overloaded(setup, public, seat):
            yield Obligation(seat, "drop")
    if public.hunted:
        yield Obligation(public.hunted, "fight")
    if public.night:
        yield Obligation(TABLE, "night" if night_resolved(setup, public) else "lead")


def view(setup: LandsSetup, public: Island, seat: Seat | None) -> JSON:
    """All known facts: the map, each seat's sheet, and the effect of each change in a fight."""
    tiles = charted(known_deck(setup, public), public)
    return {
        "seat": seat,
        "turn": public.turn,
        "free": public.free,
        "done": sorted(public.done),
        "hunted": public.hunted,
        "first": public.first,
        "day": public.day,
        "night": public.night,
        "resolved": public.resolved or (public.night and not night_resolved(setup, public)),
        "most_items": MOST_ITEMS,
        "most_stamina": setup.stamina,
        "supports": setup.supports,
        "projects": setup.projects,
        "sheets": [_sheet(setup, public, one) for one in setup.seats],
        "tile_mm": setup.deck.tile_mm,
        "map": [_space(setup, public, space, tiles[tile_of(space)]) for space in public.ways],
        "tiles": [{"card": card, "x": at.x_mm, "y": at.y_mm, "turn": at.rotation_deg} for card, at in tiles.items()],
        "asks": [{"card": card, "keys": list(TILE_FACTS)} for card in _unknown(setup, public)],
        "untold": [{"card": card, "keys": list(keys)} for card, keys in untold(setup, public).items()],
        "unknown": _unknown(setup, public),
        "described": [_described(card, spaces) for card, spaces in public.described.items()],
        "fight": None if public.fight is None else _fight(setup, public, public.fight),
        "wounds": [{"card": card, "n": count} for card, count in public.wounds.items()],
        "nights": list(public.nights),
    }


def _sheet(setup: LandsSetup, public: Island, seat: Seat) -> JSON:
    return {
        "stamina": public.stamina[seat - 1],
        "damage": {kind: public.damage[seat - 1].get(kind, 0) for kind in DAMAGE},
        "resources": {kind: has(public, seat, kind) for kind in RESOURCES},
        "cards": [_card(setup, public, card) for card in public.packs[seat - 1]],
        "items": items(public, seat),
        "drinks": public.drinks[seat - 1],
        "stand": public.stands[seat - 1],
        "dead": is_dead(public, seat),
        "left": seat in public.left,
        "counted": public.told or seat in public.counted,
    }


def _card(setup: LandsSetup, public: Island, card: CardId) -> JSON:
    card_facts = facts(setup, public, card)
    return {
        "card": card,
        "name": card_facts.name,
        "quest": bool(card_facts.quest),
        "makes": card_facts.makes,
        "cost": list(card_facts.cost or ()),
    }


def _space(setup: LandsSetup, public: Island, space: str, tile: Pose) -> JSON:
    entered = space_at(setup, public, space)
    assert entered is not None
    at = shifted(tile, *entered.at)
    exits = [shifted(tile, *out) for out in entered.exits]
    return {
        "space": space,
        "x": round(at.x_mm, 1),
        "y": round(at.y_mm, 1),
        "exits": [[round(out.x_mm, 1), round(out.y_mm, 1)] for out in exits],
        "cost": entered.cost,
        "to": list(public.ways[space]),
        "landmark": entered.landmark,
        "fire": fire_at(setup, public, space),
        "spring": public.springs.get(space),
        "seats": [seat for seat in setup.seats if public.stands[seat - 1] == space and seat not in public.left],
    }


def _described(card: CardId, spaces: tuple[LandSpace, ...]) -> JSON:
    """The players' description of a tile, as the start of a correction."""
    numbered = tuple(enumerate(spaces, 1))
    return {
        "card": card,
        "spaces": [[round(x), round(y)] for x, y in (space.at for space in spaces)],
        "costs": [space.cost for space in spaces],
        "ways": [[at, other] for at, space in numbered for other in space.neighbours if at < other],
        "exits": [[at, round(x), round(y)] for at, space in numbered for x, y in space.exits],
        "landmarks": [at for at, space in numbered if space.landmark],
        "fires": [at for at, space in numbered if space.fire],
    }


def _fight(setup: LandsSetup, public: Island, fight: Fight) -> JSON:
    enemy = facts(setup, public, fight.card)
    return {
        "card": fight.card,
        "fighter": fight.fighter,
        "defence": enemy.defence,
        "attack": enemy.attack,
        "life": enemy.life,
        "lethal": enemy.lethal,
        "wounds": public.wounds.get(fight.card, 0),
        "supports": sorted(fight.supports),
        "near": _near(setup, public, fight),
        "compass": list(setup.deck.compass),
        "grey": fight.grey,
        "red": fight.red,
        "now": _outcome(setup, public, fight),
        "changes": [_shifted(setup, public, fight, kind) for kind in SHIFTS] if fight.rolled else [],
    }


def _near(setup: LandsSetup, public: Island, fight: Fight) -> list[Seat]:
    """U36: the seats near enough to play a support card."""
    others = (seat for seat in on_map(setup, public) if seat != fight.fighter and setup.supports)
    return [seat for seat in others if not near_enough(public, seat, fight.fighter)]


def _outcome(setup: LandsSetup, public: Island, fight: Fight) -> JSON:
    """The outcome if the dice were accepted."""
    hit = fight.rolled and hits(setup, public, fight)
    wounds = public.wounds.get(fight.card, 0) + hit
    hurting = fight.rolled and hurts(setup, public, fight)
    return {"hit": hit, "hurt": hurting, "dead": hit and beaten(setup, public, fight.card, wounds)}


def _shifted(setup: LandsSetup, public: Island, fight: Fight, kind: str) -> JSON:
    """The effect of a poison or a find."""
    grey, red = changed(fight, act.ChangeDie(fight.fighter, kind))
    then = Fight(fight.card, fight.fighter, grey, red)
    outcome = _outcome(setup, public, then)
    return {"with": kind, "have": has(public, fight.fighter, kind), "grey": grey, "red": red, **outcome}


def offers(setup: LandsSetup, public: Island) -> tuple[AvailableMove, ...]:
    """Every legal move that can be made with a tap; the hands' actions are seen, not entered."""
    if public.over or not public.dealt:
        return ()
    moves: list[AvailableMove] = []
    if lawful := [seat for seat in setup.seats if not judge(setup, public, act.BeginDay(TABLE, seat))]:
        moves.append(AvailableMove(TABLE, "lead", {"seat": tuple(lawful)}))
    if not judge(setup, public, act.AgreeScenarioEnds(TABLE)):
        moves.append(AvailableMove(TABLE, "agree_end"))
    for seat in setup.seats:
        if public.day:
            moves += _of_seat(setup, public, seat)
    return tuple(moves)


ENEMY_FACTS, NIGHT_FACTS, PROJECT_FACTS = ("defence", "attack", "life"), ("colour",), ("cost", "makes")
OBJECT_FACTS, TILE_FACTS = ("name",), ("spaces",)


def _unknown(setup: LandsSetup, public: Island) -> list[CardId]:
    """The face-up tiles that are not described: the camera sees no spaces, so the players must describe them."""
    return [tile for tile in public.tiles if not tile_spaces(setup, public, tile)]


def untold(setup: LandsSetup, public: Island) -> dict[CardId, tuple[str, ...]]:
    """The missing facts of each card that was turned up; they are printed on the card."""
    turned: list[tuple[CardId, tuple[str, ...]]] = [(public.fight.card, ENEMY_FACTS)] if public.fight else []
    turned += [(card, NIGHT_FACTS) for card, zone in public.laid.items() if zone == NIGHT]
    held = [card for cards in public.packs for card in cards]
    turned += [(card, PROJECT_FACTS if card[0] == "P" else OBJECT_FACTS) for card in held]
    asked = ((card, facts(setup, public, card), keys) for card, keys in turned)
    return {card: keys for card, card_facts, keys in asked if any(getattr(card_facts, key) is None for key in keys)}


def _of_seat(setup: LandsSetup, public: Island, seat: Seat) -> Iterator[AvailableMove]:
    """Moves that no camera sees, without those about things in front of the players (``moves.NOT_ASKED``)."""
    if not judge(setup, public, act.EndActs(seat)):
        yield AvailableMove(seat, "end_turn")
    yield from _steps(setup, public, seat)
    if not judge(setup, public, act.LeaveMap(seat)):
        yield AvailableMove(seat, "leave")


def _steps(setup: LandsSetup, public: Island, seat: Seat) -> Iterator[AvailableMove]:
    """The spaces that a figure can reach with its stamina; then all, at a cost that players or a card give."""
    here, left = public.stands[seat - 1], public.stamina[seat - 1]
    free = seat in public.fled
    ways = reachable(setup, public, here) if not free else dict.fromkeys(public.ways, 0)
    reach = tuple(sorted(space for space, cost in ways.items() if space != here and cost <= left))
    card = (stand(seat),)
    if reach and not judge(setup, public, act.Travel(seat, stand(seat), reach[0])):
        yield AvailableMove(seat, "travel", {"card": card, "to": reach})
    there = tuple(space for space in public.ways if space != here)
    travels = (act.Travel(seat, stand(seat), there[0], cost) for cost in range(left + 1)) if there else ()
    if costs := tuple(one.cost for one in travels if not judge(setup, public, one)):
        yield AvailableMove(seat, "travel", {"card": card, "to": there, "cost": costs})
