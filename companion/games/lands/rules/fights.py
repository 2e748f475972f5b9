"""The course of a fight (U29 to U36)."""

from __future__ import annotations

from companion.games.lands import moves as act
from companion.games.lands.deck import SIDES
from companion.games.lands.setup import LandsSetup
from companion.games.lands.state import Fight, Island, facts, on_map
from companion.games.protocol import Objection
from companion.public.table import CardId, Seat

ONCE = Objection("once")
REROLLS = {"wood": "grey", "stone": "red"}
"""« 1 bois pour relancer le dé gris, 1 pierre pour relancer le dé rouge » (U29)."""
SHIFTS = {"poison": ("grey", 1), "find": ("red", -1)}
"""« 1 poison pour augmenter de 1 le … dé gris, 1 trouvaille pour diminuer de 1 le … dé rouge » (U29)."""


def changed(fight: Fight, move: act.ChangeDie) -> tuple[int, int]:
    """U29: the values of both dice after a change; they stay within their faces."""
    grey, red = fight.grey, fight.red
    if move.kind in REROLLS:
        return move.grey or grey, move.red or red
    die, by = SHIFTS[move.kind]
    if die == "grey":
        return min(SIDES, grey + by), red
    return grey, max(1, red + by)


def says_its_die(move: act.ChangeDie) -> bool:
    """Whether a change is valid: a reroll with the new value, a shift without."""
    dice = tuple(name for name in ("grey", "red") if getattr(move, name) is not None)
    if move.kind in REROLLS:
        return dice == (REROLLS[move.kind],)
    return move.kind in SHIFTS and not dice


def hits(setup: LandsSetup, public: Island, fight: Fight) -> bool:
    """U31: « Si le résultat du dé gris est égal ou supérieur à la valeur de défense »."""
    defence = facts(setup, public, fight.card).defence
    return defence is not None and fight.grey >= defence


def hurts(setup: LandsSetup, public: Island, fight: Fight) -> bool:
    """U32: « Si le résultat du dé rouge est égal ou supérieur à la valeur d'attaque »."""
    attack = facts(setup, public, fight.card).attack
    return attack is not None and fight.red >= attack


def beaten(setup: LandsSetup, public: Island, card: CardId, wounds: int) -> bool:
    """U33: « Si le nombre de jeton sur l'ennemi est égal ou supérieur à ses points de vie, il meurt »."""
    life = facts(setup, public, card).life
    return life is not None and wounds >= life


def is_known(setup: LandsSetup, public: Island, card: CardId) -> tuple[Objection, ...]:
    """An enemy's defence, attack and life must be entered; they are never guessed."""
    card_facts = facts(setup, public, card)
    return (
        () if None not in (card_facts.defence, card_facts.attack, card_facts.life) else (Objection("facts", (card,)),)
    )


def stays_for_more(setup: LandsSetup, public: Island, card: CardId) -> bool:
    """U34: « Les ennemis qui ont le mot-clé “létal” ne s'enfuient jamais »."""
    return bool(facts(setup, public, card).lethal)


def next_target(setup: LandsSetup, public: Island, fighter: Seat) -> Seat:
    """U34: « le joueur situé à gauche du combattant » on the same space, else the same seat; 0 if that is dead, too."""
    living = on_map(setup, public)
    here = public.stands[fighter - 1]
    others = [seat for seat in setup.after(fighter) if seat in living and public.stands[seat - 1] == here]
    own = [fighter] if fighter in living else []
    return next(iter((*others, *own)), Seat(0))


def used_once(fight: Fight, seat: Seat, card: CardId | None) -> tuple[Objection, ...]:
    """U30: « Un combattant ne peut utiliser chaque objet qu'une seule fois par combat »."""
    return (ONCE,) if card is not None and (seat, card) in fight.used else ()


def supported_once(fight: Fight, seat: Seat) -> tuple[Objection, ...]:
    """U36: « Chaque personnage peut … jouer une carte Support »."""
    return (ONCE,) if seat in fight.supports else ()
