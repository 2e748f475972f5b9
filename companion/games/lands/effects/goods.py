"""Tokens and cards of seats, never below 0 (U5, U8 to U11, U15 to U18, U20, U39)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from companion.errors import ImpossibleMove
from companion.games.lands import moves as act
from companion.games.lands.deck import DAMAGE, RESOURCES
from companion.games.lands.rules.acts import HEALS, WATERS, heals_with, project_for, project_price
from companion.games.lands.setup import FATAL, LandsSetup
from companion.games.lands.state import Island, Ledger, has, holder_of, hurt
from companion.public.table import TABLE, CardId, Seat, Zone, with_seat

HARMFUL = 3
"""« Sur un résultat de 1, 2, ou 3, son personnage subit 1 dégât de maladie » (U10)."""
OUT = Zone("out")


def added(public: Island, seat: Seat, kind: str, count: int = 1) -> Island:
    """Add tokens of a kind, or remove some with a negative count; the result is at least 0."""
    return replace(public, resources=with_seat(public.resources, seat, _more(public.resources[seat - 1], kind, count)))


def _more(ledger: Ledger, kind: str, count: int) -> Mapping[str, int]:
    total = max(0, ledger.get(kind, 0) + count)
    rest = {one: many for one, many in ledger.items() if one != kind}
    return {**rest, kind: total} if total else rest


def paid(public: Island, seat: Seat, kinds: Iterable[str]) -> Island:
    """A seat pays these tokens."""
    for kind in kinds:
        public = added(public, seat, kind, -1)
    return public


def thrown(public: Island, seat: Seat, kind: str) -> Island:
    """U11: « Les ressources sont placées sur la zone du personnage »."""
    after = added(public, seat, kind, -1)
    return replace(after, thrown=after.thrown | {(after.stands[seat - 1], kind)}) if kind in WATERS.values() else after


def spent(public: Island, seat: Seat, points: int) -> Island:
    """Spend stamina; an allowed overspending takes what there was."""
    left = max(0, public.stamina[seat - 1] - max(0, points))
    return replace(public, stamina=with_seat(public.stamina, seat, left))


def harmed(public: Island, seat: Seat, kind: str, count: int = 1) -> Island:
    """Add damage, or heal some with a negative count."""
    if kind not in DAMAGE:
        raise ImpossibleMove(f"{kind!r} is no kind of damage")
    return replace(public, damage=with_seat(public.damage, seat, _more(public.damage[seat - 1], kind, count)))


def counted(public: Island, move: act.CountThings) -> Island:
    """Set a seat's counter. From now on the things in front of the players count, not what was entered before."""
    seat = move.by
    if move.n < 0 or move.kind not in ("stamina", *RESOURCES, *DAMAGE):
        raise ImpossibleMove(f"nobody can have {move.n} {move.kind}")
    fight = None if public.fight is None else replace(public.fight, grey=0, red=0)
    after = replace(
        public, told=False, counted=public.counted | {seat}, drinks=(0,) * len(public.drinks), hunted=TABLE, fight=fight
    )
    if move.kind == "stamina":
        return replace(after, stamina=with_seat(after.stamina, seat, move.n))
    if move.kind in RESOURCES:
        return added(after, seat, move.kind, move.n - has(after, seat, move.kind))
    after = harmed(after, seat, move.kind, move.n - after.damage[seat - 1].get(move.kind, 0))
    if hurt(after, seat) > FATAL:
        raise ImpossibleMove(f"nobody has more than {FATAL} damages")
    return after


def carried(public: Island, seat: Seat, card: CardId) -> Island:
    """Put a card in the pack of a seat, and remove it from others."""
    after = taken(public, card)
    laid = {one: zone for one, zone in after.laid.items() if one != card}
    return replace(after, packs=with_seat(after.packs, seat, (*after.packs[seat - 1], card)), laid=laid)


def taken(public: Island, card: CardId) -> Island:
    """Remove a card from its pack."""
    seat = holder_of(public, card)
    if seat == TABLE:
        return public
    return replace(public, packs=with_seat(public.packs, seat, _without(public.packs[seat - 1], card)))


def _without(cards: tuple[CardId, ...], card: CardId) -> tuple[CardId, ...]:
    return tuple(one for one in cards if one != card)


def dropped(public: Island, card: CardId) -> Island:
    """Put a card with those that are out."""
    after = taken(public, card)
    return replace(after, laid={**after.laid, card: OUT})


def rest(public: Island, move: act.RestFrom) -> Island:
    """U20: heal a damage with a resource; a seat that got dirty water must drink it (U10)."""
    if move.kind not in HEALS or move.water not in (None, *WATERS):
        raise ImpossibleMove("only hunger, thirst and disease are healed, and water is clean or dirty")
    other = move.healed
    kind = heals_with(move)
    after = harmed(paid(public, move.by, [kind]), other, move.kind, -1)
    if kind != "dirty-water":
        return after
    return replace(after, drinks=with_seat(after.drinks, other, after.drinks[other - 1] + 1))


def drink(public: Island, move: act.DrinkDirty) -> Island:
    """U10: with a medicine, or with a die."""
    owed = public.drinks[move.by - 1]
    after = replace(public, drinks=with_seat(public.drinks, move.by, max(0, owed - 1)))
    after = after if owed else paid(after, move.by, ["dirty-water"])
    if move.how == "medicine":
        return paid(after, move.by, ["medicine"])
    return harmed(after, move.by, "disease") if _is_harmful(move.die) else after


def _is_harmful(die: int | None) -> bool:
    return die is not None and die <= HARMFUL


def cook(public: Island, move: act.CookMeat) -> Island:
    """U15: « changer n'importe quel nombre de viande en nourriture »."""
    count = min(max(0, move.count), has(public, move.by, "meat"))
    return added(added(public, move.by, "meat", -count), move.by, "food", count)


def craft(setup: LandsSetup, public: Island, move: act.CraftObject) -> Island:
    """U17: pay the resources and take the object; a project from the seat's own hand is used up."""
    project = project_for(setup, public, move.by, move.card)
    after = paid(public, move.by, project_price(setup, public, move.by, move.card))
    if project is not None and project in public.packs[move.by - 1]:
        after = dropped(after, project)
    return carried(after, move.by, move.card)
