"""The effects of a fight (U29 to U36)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.errors import ImpossibleMove
from companion.games.lands import moves as act
from companion.games.lands.effects.goods import harmed, paid
from companion.games.lands.rules.acts import flees
from companion.games.lands.rules.fights import (
    REROLLS,
    SHIFTS,
    beaten,
    changed,
    hits,
    hurts,
    next_target,
    stays_for_more,
)
from companion.games.lands.setup import LandsSetup
from companion.games.lands.state import Fight, Island, is_dead
from companion.games.protocol import Move
from companion.public.table import TABLE, CardId, Seat, Zone

FIGHT = Zone("fight")


@dataclass(frozen=True, slots=True)
class FightOutcome:
    """The outcome of the dice.

    Attributes:
        hit: The enemy was hit.
        hurt: The fighter was hurt.
        dead: The enemy died.
        fled: The red die with which it flees; 0 = it does not.
        target: The seat that a lethal enemy fights next; 0 = none.
    """

    hit: bool
    hurt: bool
    dead: bool
    fled: int
    target: Seat


def begin(public: Island, move: act.BeginFight) -> Island:
    """An enemy's card is placed in ``fight``."""
    if move.card[0] != "E" or public.fight is not None:
        raise ImpossibleMove("one fight at a time, with an enemy's card")
    laid = {**public.laid, move.card: FIGHT}
    return replace(public, fight=Fight(move.card, move.by), laid=laid, hunted=TABLE)


ENDS_A_FIGHT = (
    act.Travel, act.ScoutTile, act.CraftObject, act.EndActs, act.TurnNight, act.BeginDay, act.LeaveMap,
    act.BeginFight,
)  # fmt: skip
"""The moves that continue the day: the fight before them is over."""


def ended_by(setup: LandsSetup, public: Island, move: Move) -> Island:
    """If the dice are not entered, a fight ends with the next act, or with its fighter's flight (U35)."""
    if public.fight is None or not isinstance(move, ENDS_A_FIGHT):
        return public
    if isinstance(move, act.Travel) and flees(setup, public, move):
        return replace(over(public), fled=public.fled | {move.by})
    return over(public)


def of(public: Island) -> Fight:
    """The current fight.

    Raises:
        ImpossibleMove: There is none.
    """
    if public.fight is None:
        raise ImpossibleMove("nobody fights: lay the enemy’s card first")
    return public.fight


def roll(public: Island, move: act.RollDice) -> Island:
    """The fighter has rolled both dice."""
    return replace(public, fight=replace(of(public), grey=move.grey, red=move.red))


def change(public: Island, move: act.ChangeDie) -> Island:
    """U29: the resource is paid, and a die has a new value."""
    fight = of(public)
    if move.kind not in (*REROLLS, *SHIFTS) or not fight.rolled:
        raise ImpossibleMove("wood, stone, poison and a find change dice that were thrown")
    grey, red = changed(fight, move)
    return replace(paid(public, move.by, [move.kind]), fight=replace(fight, grey=grey, red=red))


def support(public: Island, seat: Seat) -> Island:
    """U36: a support card is played."""
    fight = of(public)
    return replace(public, fight=replace(fight, supports=fight.supports | {seat}))


def use(public: Island, move: act.UseCard) -> Island:
    """U30: remember the seat and the card that it used in the fight."""
    if public.fight is None or move.card is None:
        return public
    used = public.fight.used | {(move.by, move.card)}
    return replace(public, fight=replace(public.fight, used=used))


def settle(setup: LandsSetup, public: Island) -> tuple[Island, FightOutcome]:
    """U31 to U34: damage on both sides, then death, flight, or the next target."""
    fight = of(public)
    if not fight.rolled:
        raise ImpossibleMove("throw the dice first")
    hit, hurt = hits(setup, public, fight), hurts(setup, public, fight)
    wounds = public.wounds.get(fight.card, 0) + hit
    after = replace(public, wounds={**public.wounds, fight.card: wounds} if wounds else public.wounds)
    if hurt and not is_dead(after, fight.fighter):
        after = harmed(after, fight.fighter, "skull")
    if beaten(setup, public, fight.card, wounds):
        return replace(over(after), wounds=_healed(after, fight.card)), FightOutcome(hit, hurt, True, 0, TABLE)
    if not stays_for_more(setup, public, fight.card):
        return over(after), FightOutcome(hit, hurt, False, fight.red, TABLE)
    after = turned(setup, after)
    return after, FightOutcome(hit, hurt, False, 0, after.fight.fighter if after.fight else TABLE)


def _healed(public: Island, card: CardId) -> dict[CardId, int]:
    return {one: count for one, count in public.wounds.items() if one != card}


def over(public: Island) -> Island:
    """End the fight; the enemy's card may be removed."""
    return replace(public, fight=None)


def turned(setup: LandsSetup, public: Island) -> Island:
    """U34: a lethal enemy fights the next seat on the space; without one, the fight ends."""
    fight = of(public)
    target = next_target(setup, public, fight.fighter)
    return over(public) if target == TABLE else replace(public, fight=replace(fight, fighter=target, grey=0, red=0))


def flee(setup: LandsSetup, public: Island, seat: Seat) -> Island:
    """U35: « Il se déplace … et le combat s'arrête »; a lethal enemy only changes its target."""
    if stays_for_more(setup, public, of(public).card):
        return turned(setup, public)
    return replace(over(public), fled=public.fled | {seat})
