"""Days and nights, death, and the end of the match (U1, U6, U24 to U26, U38, U40 to U42)."""

from __future__ import annotations

from dataclasses import replace

from companion.games.lands.effects.fighting import over, turned
from companion.games.lands.rules.fights import stays_for_more
from companion.games.lands.rules.turns import tribal
from companion.games.lands.setup import LandsSetup
from companion.games.lands.state import Island, is_dead, on_map
from companion.public.table import TABLE, CardId, Seat, Zone

NIGHT = Zone("night")


def begin_day(setup: LandsSetup, public: Island, seat: Seat) -> Island:
    """Begin a day with the first player's token: every seat gets its stamina back (U6)."""
    return replace(
        public,
        first=seat,
        turn=seat,
        day=public.day + 1,
        night=False,
        resolved=False,
        stamina=refreshed(setup),
        done=frozenset[Seat](),
        fled=frozenset[Seat](),
        free=False,
    )


def refreshed(setup: LandsSetup) -> tuple[int, ...]:
    """U6: the stamina of each seat at the beginning of a day."""
    return (setup.stamina,) * len(setup.players)


def turn_night(setup: LandsSetup, public: Island, card: CardId) -> Island:
    """U24: a night card is resolved by the players and discarded; an ignored tribal one does not count as resolved
    (U25)."""
    laid = {one: zone for one, zone in public.laid.items() if zone != NIGHT}
    resolved = public.resolved or not tribal(setup, public, card)
    return replace(public, nights=(*public.nights, card), laid={**laid, card: NIGHT}, resolved=resolved)


def end_turn(setup: LandsSetup, public: Island, seat: Seat) -> Island:
    """U42: the next seat clockwise that has not acted today; after the last one it is night."""
    done = public.done | {seat}
    after = replace(public, done=done, free=False, fled=public.fled - {seat})
    if seat != public.turn:
        return after
    waiting = [one for one in setup.after(seat) if one in on_map(setup, public) and one not in done]
    return replace(after, turn=waiting[0]) if waiting else replace(after, turn=TABLE, night=True)


def after_death(setup: LandsSetup, before: Island, after: Island) -> Island:
    """U38, U40: a seat that has just died is out; the token goes to its left, and its turn and its fight are over."""
    for seat in setup.seats:
        if is_dead(after, seat) and not is_dead(before, seat):
            after = _out(setup, after, seat)
    return ended(setup, after)


def leave(setup: LandsSetup, public: Island, seat: Seat) -> Island:
    """U41: « Lorsqu'un joueur gagne, il retire son pion du plateau »."""
    return ended(setup, _out(setup, replace(public, left=(*public.left, seat)), seat))


def _out(setup: LandsSetup, public: Island, seat: Seat) -> Island:
    after = public
    if after.fight is not None and after.fight.fighter == seat:
        after = turned(setup, after) if stays_for_more(setup, after, after.fight.card) else over(after)
    if after.hunted == seat:
        after = replace(after, hunted=TABLE)
    after = replace(after, first=token_after(setup, after, seat))
    return end_turn(setup, after, seat) if after.turn == seat else after


def token_after(setup: LandsSetup, public: Island, seat: Seat) -> Seat:
    """U40: « Si le 1er Joueur meurt, son marqueur passe au joueur à sa gauche », to one who is still on the map."""
    if public.first != seat:
        return public.first
    living = on_map(setup, public)
    return next((one for one in setup.after(seat) if one in living), seat)


def ended(setup: LandsSetup, public: Island) -> Island:
    """« tant que tout le monde n'est pas mort ou n'a pas gagné »."""
    return replace(public, over=True, turn=TABLE, fight=None) if public.dealt and not on_map(setup, public) else public
