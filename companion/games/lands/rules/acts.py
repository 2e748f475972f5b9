"""The costs and conditions of a day's act: stamina, resources, a fire, a landmark (U7, U11, U12, U15 to U22)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from companion.games.lands import moves as act
from companion.games.lands.rules.ways import cheapest, is_unsure
from companion.games.lands.setup import LandsSetup
from companion.games.lands.state import Island, facts, fire_at, has, is_whole_tile, objects, space_at
from companion.games.protocol import Move, Objection
from companion.public.names import is_same_name
from companion.public.table import CardId, Seat

HAVE = Objection("have")
HEALS = {"hunger": "food", "thirst": "water", "disease": "medicine"}
"""« 1 nourriture pour … faim, 1 eau pour … déshydratation, 1 médicament pour … maladie » (U20)."""
WATERS = {"clean": "water", "dirty": "dirty-water"}


def price(setup: LandsSetup, public: Island, move: Move) -> int:
    """U7, U12, U21: « chaque action utilise 1 point d'endurance », a way the cost of its spaces, a card its own
    cost."""
    match move:
        case act.Travel():
            return way_price(setup, public, move)
        case act.GatherToken():
            return 0 if public.free else 1
        case act.UseCard():
            return move.points
        case (
            act.ScoutTile() | act.CookMeat() | act.RelightFire() | act.CraftObject() | act.Investigate()
            | act.RestFrom() | act.LootDead()
        ):  # fmt: skip
            return 1
        case _:
            return 0


def way_price(setup: LandsSetup, public: Island, move: act.Travel) -> int:
    """U12: as the players say, else the cheapest way; a flight costs nothing."""
    if move.cost is not None:
        return move.cost
    if move.by in public.fled or flees(setup, public, move):
        return 0
    here = public.stands[move.by - 1]
    least = cheapest(setup, public, here, move.to)
    if least is None and is_unsure(public, here, move.to) and (place := space_at(setup, public, move.to)) is not None:
        return place.cost
    return least or 0


def flees(setup: LandsSetup, public: Island, move: act.Travel) -> bool:
    """U35: if the dice are not entered, a fighter who steps to a connected space while the enemy's card is there flees;
    « Un personnage ne peut jamais s'enfuir face à un ennemi létal »."""
    fight = public.fight
    if fight is None or public.told or fight.fighter != move.by or facts(setup, public, fight.card).lethal:
        return False
    return move.cost is None and move.to in public.ways.get(public.stands[move.by - 1], ())


def enough_stamina(setup: LandsSetup, public: Island, move: Move) -> tuple[Objection, ...]:
    """U6, U7: « dans la limite de son endurance »."""
    return (Objection("stamina"),) if price(setup, public, move) > public.stamina[move.by - 1] else ()


def has_all(public: Island, seat: Seat, kinds: Iterable[str]) -> tuple[Objection, ...]:
    """U16, U17, U20, U29: « Il doit dépenser les ressources indiquées »."""
    return () if not missing(public, seat, kinds) else (HAVE,)


def missing(public: Island, seat: Seat, kinds: Iterable[str]) -> tuple[str, ...]:
    """The kinds of which a seat has too few."""
    return tuple(kind for kind, count in Counter(kinds).items() if has(public, seat, kind) < count)


def at_a_fire(setup: LandsSetup, public: Island, seat: Seat, *, lit: bool) -> tuple[Objection, ...]:
    """U15, U16: « ne peut se faire que sur un feu de camps »; one that is out can be lit again."""
    here = public.stands[seat - 1]
    fire = fire_at(setup, public, here)
    is_unknown = fire is None and is_whole_tile(here)
    return () if fire is lit or is_unknown else (Objection("fire"),)


def on_a_landmark(setup: LandsSetup, public: Island, seat: Seat) -> tuple[Objection, ...]:
    """U19: « que sur des cases numérotées directement sur la tuile »."""
    here = public.stands[seat - 1]
    space = space_at(setup, public, here)
    is_one = is_whole_tile(here) or (space is not None and space.landmark)
    return () if is_one else (Objection("landmark"),)


def same_water(public: Island, move: act.GatherToken) -> tuple[Objection, ...]:
    """U9: « A chaque fois … un jeton d'eau pure ou sale suivant l'état de la source », as it was first seen."""
    here = public.stands[move.by - 1]
    is_other = move.kind in WATERS.values() and not gives(public, here, move.kind)
    return (Objection("not-offered"),) if is_other and not is_whole_tile(here) else ()


def gives(public: Island, space: str, water: str) -> bool:
    """Whether this water may be on a space: from its spring, if that has this face, or put there by a seat."""
    return public.springs.get(space, water) == water or (space, water) in public.thrown


def heals_with(move: act.RestFrom) -> str:
    """U20: the resource that heals a damage."""
    return WATERS["dirty"] if move.kind == "thirst" and move.dirty else HEALS[move.kind]


def other_name(setup: LandsSetup, public: Island, seat: Seat, card: CardId) -> tuple[Objection, ...]:
    """U22: « Un joueur ne peut pas avoir deux objets avec le même nom »."""
    name = facts(setup, public, card).name
    same = tuple(
        one
        for one in objects(public, seat)
        if one != card and name is not None and is_same_name(facts(setup, public, one).name or "", name)
    )
    return (Objection("same-name", same),) if same else ()


def no_quest(setup: LandsSetup, public: Island, card: CardId) -> tuple[Objection, ...]:
    """U11: « Les objets qui ont le trait “objet de quête” ne peuvent pas être défaussés »."""
    return (Objection("quest", (card,)),) if facts(setup, public, card).quest else ()


def project_for(setup: LandsSetup, public: Island, seat: Seat, card: CardId) -> CardId | None:
    """U17: the known project that makes an object, one in hand first; ``None`` = none is known."""
    projects = sorted({one for one in (*setup.deck.cards, *public.entered) if facts(setup, public, one).makes == card})
    own = [one for one in projects if one in public.packs[seat - 1]]
    return next(iter((*own, *projects)), None)


def project_price(setup: LandsSetup, public: Island, seat: Seat, card: CardId) -> tuple[str, ...]:
    """U17: « Il doit dépenser les ressources indiquées »; nothing if they are unknown."""
    project = project_for(setup, public, seat, card)
    return () if project is None else facts(setup, public, project).cost or ()
