"""The seat to move, and what must come first (U1, U3, U10, U11, U13, U23 to U25, U38, U42)."""

from __future__ import annotations

from companion.games.lands import moves as act
from companion.games.lands.setup import LandsSetup
from companion.games.lands.state import Island, facts, is_dead, on_map, overloaded
from companion.games.protocol import Move, Objection
from companion.public.table import TABLE, CardId, Seat

TURN = Objection("turn")
OF_THE_TABLE = (
    act.SetOut, act.TurnNight, act.BeginDay, act.AgreeScenarioEnds, act.PutAway, act.JoinTile, act.PlaceFigure,
)  # fmt: skip
OUT_OF_TURN = (act.SupportFight, act.DrinkDirty, act.DropCard, act.ThrowToken, act.TakeDamage, act.LeaveMap)
"""Moves that a seat may make while another one acts."""
AT_NIGHT = (act.GainItem, act.SetFire, act.BeginFight)
"""Moves by night cards, besides those: legal for all. A travel of 0 points is legal at any time."""
IN_A_FIGHT = (act.SupportFight, act.RollDice, act.ChangeDie, act.AcceptDice, act.UseCard, act.FleeFight, act.TakeDamage)


def in_turn(public: Island, move: Move) -> tuple[Objection, ...]:
    """U42: « En commençant par le premier joueur, chaque joueur fait autant d'actions qu'il le souhaite »."""
    if isinstance(move, OUT_OF_TURN) or (isinstance(move, act.Travel) and move.cost == 0):
        return ()
    if public.night:
        return () if isinstance(move, AT_NIGHT) else (TURN,)
    if isinstance(move, act.TradeCard | act.GiveToken) and move.to == public.turn:
        return ()
    return () if move.by == public.turn else (TURN,)


def on_the_map(public: Island, seat: Seat) -> tuple[Objection, ...]:
    """U38, U41: « son personnage … meurt », and a winner « retire son pion du plateau »."""
    if is_dead(public, seat):
        return (Objection("dead"),)
    return (Objection("left"),) if seat in public.left else ()


def fight_first(public: Island, move: Move) -> tuple[Objection, ...]:
    """Until a fight with entered dice is settled, nothing else is legal except fleeing and being hurt."""
    if public.fight is None or not public.told or isinstance(move, IN_A_FIGHT):
        return ()
    return (Objection("must-accept" if public.fight.rolled else "must-roll"),)


def hunted(public: Island, move: Move) -> tuple[Objection, ...]:
    """U13, U23: « un combat s'engage automatiquement » for a seat that gathered an enemy or a paw."""
    if public.hunted == TABLE or public.hunted != move.by:
        return ()
    return () if isinstance(move, act.BeginFight | act.TakeDamage) else (Objection("must-fight"),)


def fights_on(public: Island, move: Move) -> bool:
    """Whether a move continues a fight that must come first: the seat's other duties wait until it is over."""
    if public.fight is not None:
        return isinstance(move, IN_A_FIGHT)
    return public.hunted == move.by and isinstance(move, act.BeginFight)


def dirty_drunk(public: Island, move: Move) -> tuple[Objection, ...]:
    """U10: « le joueur doit dépenser 1 médicament ou lancer un dé »."""
    if not public.drinks[move.by - 1] or isinstance(move, act.DrinkDirty | act.TakeDamage) or fights_on(public, move):
        return ()
    return (Objection("must-drink"),)


def light_enough(setup: LandsSetup, public: Island, move: Move) -> tuple[Objection, ...]:
    """U11: « Si le joueur possède plus de 10 objets, il doit choisir … qu'il souhaite jeter »."""
    lays_down = act.DropCard | act.ThrowToken | act.TakeDamage | act.DrinkDirty
    if isinstance(move, lays_down) or fights_on(public, move) or not overloaded(setup, public, move.by):
        return ()
    return (Objection("must-drop"),)


def first_day(public: Island) -> tuple[Objection, ...]:
    """U1: « celui qui fait le plus grand numéro devient 1er Joueur », before any act."""
    return () if public.day else (Objection("must-lead"),)


def projects_drawn(setup: LandsSetup, public: Island, more: Seat = TABLE) -> tuple[Objection, ...]:
    """U3: « chacun pioche » 1, 2 or 3 projects; with ``more``, that seat draws another."""
    counts = [sum(card[0] == "P" for card in cards) for cards in public.packs]
    if more:
        return (Objection("projects"),) if counts[more - 1] >= setup.projects else ()
    return () if all(count == setup.projects for count in counts) else (Objection("projects"),)


def night_resolved(setup: LandsSetup, public: Island) -> tuple[Objection, ...]:
    """U24: « le 1er Joueur pioche une carte Nuit et la résout » before the day begins, unless the deck is empty."""
    if public.resolved or not public.day or not nights_left(setup, public):
        return ()
    return (Objection("must-night"),)


def nights_left(setup: LandsSetup, public: Island) -> bool:
    """Whether another night card may come: one that is printed or entered, and was not turned up."""
    return any(card[0] == "N" and card not in public.nights for card in setup.deck.tokens.values())


def blue_first(setup: LandsSetup, public: Island, card: CardId) -> tuple[Objection, ...]:
    """U2: « en posant le bleu sur le orange »."""
    if facts(setup, public, card).colour != "orange":
        return ()
    drawn = {*public.nights, card}
    undrawn = {one for one in (*setup.deck.cards, *public.entered) if one[0] == "N" and one not in drawn}
    left = tuple(sorted(one for one in undrawn if facts(setup, public, one).colour == "blue"))
    return (Objection("night", left),) if left else ()


def tribal(setup: LandsSetup, public: Island, card: CardId) -> tuple[Objection, ...]:
    """U25: « Les cartes Tribales sont ignorées en solo ou si un joueur se retrouve seul sur la carte »."""
    alone = len(on_map(setup, public)) == 1
    return (Objection("tribal"),) if alone and facts(setup, public, card).tribal else ()
