"""Which moves a change of the table could mean, likeliest first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from companion.games.lands import moves as act
from companion.games.lands.effects.apply import carry_out
from companion.games.lands.effects.days import NIGHT
from companion.games.lands.effects.fighting import FIGHT
from companion.games.lands.effects.goods import OUT
from companion.games.lands.places import joins_of, seat_of, spaces_of
from companion.games.lands.rules.acts import project_for
from companion.games.lands.rules.legality import judge
from companion.games.lands.setup import FIRST_PLAYER, LandsSetup
from companion.games.lands.state import Island, holder_of, is_dead, on_map, tile_of
from companion.games.protocol import Move
from companion.public.table import COMMAND_ZONE, TABLE, CardId, Change, Seat, Zone

REST_S = 2.0
"""A figure has travelled when it rests on a space for this long: players count the spaces with it."""


def interpretations(setup: LandsSetup, public: Island, change: Change) -> tuple[Move, ...]:
    """Pseudo-legal moves, likeliest first; ``()`` = the game has no explanation."""
    card, went_to = change.card, change.went_to
    if public.over:
        return ()
    if went_to is None:
        is_over = public.fight is None or not public.told
        return (act.PutAway(TABLE, card),) if card[0] == "E" and is_over else ()
    if went_to == COMMAND_ZONE:
        return (act.EndActs(public.turn),) if card == "KEND" and public.turn else ()
    if card in setup.stands:
        return _stepped(public, setup.stands[card], card, spaces_of(went_to))
    if card == FIRST_PLAYER:
        return () if (seat := seat_of(went_to)) is None else (act.BeginDay(TABLE, seat),)
    if card[0] == "M":
        joined = joins_of(went_to)
        if joined is None:
            return ()
        if card in public.tiles:
            return (act.JoinTile(TABLE, card, joined),)
        return _of_whose_turn_it_is(setup, public, act.ScoutTile(_acting(public), card, joined))
    if card[0] == "E" and went_to == FIGHT:
        fights = tuple(act.BeginFight(seat, card) for seat in _fighters(setup, public))
        return _of_whose_turn_it_is(setup, public, *fights) if len(fights) == 1 else fights
    if card[0] == "E":
        return ()
    if card[0] == "N":
        return (act.TurnNight(TABLE, card),) if went_to == NIGHT else ()
    return _goods(setup, public, card, went_to)


def _stepped(public: Island, seat: Seat, card: CardId, spaces: tuple[str, ...]) -> tuple[Move, ...]:
    """A figure went to one of these spaces; or it has been there since its tile was described, and did not move."""
    here = public.stands[seat - 1]
    cost = 0 if moved_by_a_card(public, seat) else None
    return tuple(
        act.PlaceFigure(TABLE, card, space) if tile_of(space) == here else act.Travel(seat, card, space, cost)
        for space in spaces
    )


def moved_by_a_card(public: Island, seat: Seat) -> bool:
    """Whether a figure that moves was moved by a night card; once that is resolved, the first player's own step begins
    the day."""
    return public.night and not (public.resolved and seat == public.first)


def _acting(public: Island) -> Seat:
    """The seat to move; at night, and before the first day, the first player."""
    return public.turn or public.first or Seat(1)


def _of_whose_turn_it_is(setup: LandsSetup, public: Island, move: Move) -> tuple[Move, ...]:
    """An act that names no seat: of the seat to move, or of the next that can do it, if turns ended unsaid."""
    if not public.turn or not judge(setup, public, move):
        return (move,)
    turns = (after.turn for _, after in _later_turns(setup, public) if after.turn)
    later = (replace(move, by=seat) for seat in turns)  # type: ignore[type-var]  # moves are dataclasses
    return next(((one,) for one in later if implied_moves(setup, public, one)), (move,))


def _later_turns(setup: LandsSetup, public: Island) -> Iterator[tuple[tuple[Move, ...], Island]]:
    """The turns of the day that come if the one now, and those after it, ended unsaid: those ends, and the island."""
    ends: tuple[Move, ...] = ()
    after = public
    while after.turn:
        ends = (*ends, act.EndActs(after.turn))
        if judge(setup, after, ends[-1]):
            return
        after = carry_out(setup, after, ends[-1]).state
        yield ends, after


def _fighters(setup: LandsSetup, public: Island) -> tuple[Seat, ...]:
    """At night a monster may meet any seat."""
    if public.hunted:
        return (public.hunted,)
    return on_map(setup, public) if public.night else (_acting(public),)


def _goods(setup: LandsSetup, public: Island, card: CardId, went_to: Zone) -> tuple[Move, ...]:
    """Objects and projects that come into packs, change hands, or go out."""
    holder, seat = holder_of(public, card), seat_of(went_to)
    if went_to == OUT:
        return (act.DropCard(holder, card),) if holder else ()
    if seat not in setup.seats:
        return ()
    if holder:
        if is_dead(public, holder):
            return (act.LootDead(seat, holder, card=card),)
        return (act.TradeCard(holder, card, seat),)
    crafted = card[0] == "O" and not public.night and project_for(setup, public, seat, card) is not None
    return (act.CraftObject(seat, card) if crafted else act.GainItem(seat, card),)


def deal(setup: LandsSetup, public: Island, lying: Mapping[CardId, Zone]) -> act.SetOut | None:
    """The map, when every figure is on it; a figure between two spaces is on the nearer one."""
    if public.dealt:
        return None
    stands = [spaces_of(lying.get(card, Zone(""))) for card in setup.stands]
    if not all(stands):
        return None
    tiles = {card: there for card, zone in sorted(lying.items()) if (there := joins_of(zone)) is not None}
    joined = tuple(join for there in tiles.values() for join in there)
    return act.SetOut(TABLE, tuple(tiles), joined, tuple(spaces[0] for spaces in stands))


def implied_moves(setup: LandsSetup, public: Island, move: Move) -> tuple[Move, ...]:
    """Moves that were not announced: the ends of turns, when a later seat acts; of all turns, when a night card is
    turned up; the new day, when the first seat acts."""
    if isinstance(move, act.TurnNight) and public.turn:
        *_, (ends, after) = ((), public), *_later_turns(setup, public)
        return () if after.turn or judge(setup, after, move) else (*ends, move)
    if public.turn and move.by not in (TABLE, public.turn):
        return next(
            (
                (*ends, move)
                for ends, after in _later_turns(setup, public)
                if after.turn == move.by and not judge(setup, after, move)
            ),
            (),
        )
    if not public.night or move.by != public.first or isinstance(move, act.BeginFight):
        return ()
    begins = act.BeginDay(TABLE, public.first)
    if judge(setup, public, begins):
        return ()
    after = carry_out(setup, public, begins).state
    return () if after.turn != move.by or judge(setup, after, move) else (begins, move)
