"""Carries out moves, legal or not; refuses only what is physically impossible."""

from __future__ import annotations

from dataclasses import replace

from companion.errors import ImpossibleMove
from companion.games.lands import moves as act
from companion.games.lands.deck import RESOURCES
from companion.games.lands.effects import days, fighting, goods, travels
from companion.games.lands.rules.acts import price
from companion.games.lands.rules.legality import may_be_tile
from companion.games.lands.rules.turns import OF_THE_TABLE
from companion.games.lands.setup import LandsSetup
from companion.games.lands.state import Island, facts, fire_at, is_dead, is_whole_tile
from companion.games.protocol import Effect, Move
from companion.public.table import TABLE, Seat
from companion.public.text import JSON


def carry_out(setup: LandsSetup, public: Island, move: Move) -> Effect[Island]:
    """The effect of a move. The outcome of a fight is in ``settled``.

    Raises:
        ImpossibleMove: It is physically impossible.
    """
    _possible(setup, public, move)
    before = public
    public = replace(public, told=public.told or act.is_told(move))
    if not public.told:
        public = fighting.ended_by(setup, public, move)
    if move.by:
        public = goods.spent(public, move.by, price(setup, before, move))
    extras: dict[str, JSON] = {}
    if isinstance(move, act.AcceptDice):
        after, how = fighting.settle(setup, public)
        extras["settled"] = {"hit": how.hit, "hurt": how.hurt, "dead": how.dead, "fled": how.fled, "target": how.target}
    else:
        after = _done(setup, public, move)
    return Effect(days.after_death(setup, before, after), 0, extras)


def _done(setup: LandsSetup, public: Island, move: Move) -> Island:
    match move:
        case act.SetOut():
            return travels.set_out(setup, public, move)
        case act.Travel():
            return travels.travel(setup, public, move)
        case act.ScoutTile():
            return travels.scout(setup, public, move)
        case act.JoinTile():
            return travels.join(public, move.card, move.joins)
        case act.PlaceFigure():
            return travels.place(setup, public, move)
        case act.GatherToken():
            return travels.gather(public, move)
        case act.TurnNight():
            if move.card[0] != "N" or move.card in public.nights:
                raise ImpossibleMove(f"{move.card} is no night card that could come now")
            return days.turn_night(setup, public, move.card)
        case act.BeginDay():
            if is_dead(public, move.seat) or move.seat in public.left or move.seat not in setup.seats:
                raise ImpossibleMove(f"seat {move.seat} is not on the map and cannot begin")
            return days.begin_day(setup, public, move.seat)
        case act.EndActs():
            return days.end_turn(setup, public, move.by)
        case act.LeaveMap():
            return days.leave(setup, public, move.by)
        case act.AgreeScenarioEnds():
            return replace(public, over=True, turn=TABLE, fight=None)
        case act.TellFacts() if move.card[0] == "M":
            if not may_be_tile(setup, move):
                raise ImpossibleMove(f"{move.card} cannot have these spaces")
            return travels.describe(public, move.card, move.tile)
        case act.TellFacts():
            card_facts = facts(setup, public, move.card).with_told(move.facts)
            return replace(public, entered={**public.entered, move.card: card_facts})
        case _:
            return _fought(setup, public, move)


def _fought(setup: LandsSetup, public: Island, move: Move) -> Island:
    match move:
        case act.BeginFight():
            return fighting.begin(public, move)
        case act.PutAway():
            if public.told and public.fight is not None and public.fight.card == move.card:
                raise ImpossibleMove(f"{move.card} still fights")
            public = fighting.over(public) if not public.told else public
            return replace(public, laid={card: zone for card, zone in public.laid.items() if card != move.card})
        case act.SupportFight():
            return fighting.support(public, move.by)
        case act.RollDice():
            return fighting.roll(public, move)
        case act.ChangeDie():
            return fighting.change(public, move)
        case act.FleeFight():
            return fighting.flee(setup, public, fighting.of(public).fighter)
        case act.UseCard():
            return fighting.use(public, move)
        case act.TakeDamage():
            return goods.harmed(public, move.by, move.kind)
        case act.Investigate():
            return public
        case _:
            return _handled(setup, public, move)


def _handled(setup: LandsSetup, public: Island, move: Move) -> Island:
    match move:
        case act.CraftObject():
            return goods.craft(setup, public, move)
        case act.GainItem() if move.card is not None:
            return goods.carried(public, move.by, move.card)
        case act.GainItem():
            return goods.added(public, move.by, _kind(move.kind))
        case act.TradeCard():
            return goods.carried(public, _seat(setup, move.to), move.card)
        case act.DropCard():
            return goods.dropped(public, move.card)
        case act.ThrowToken():
            return goods.thrown(public, move.by, _kind(move.kind))
        case act.GiveToken():
            given = _there(public, move.by, move.kind)
            return goods.added(goods.added(public, move.by, move.kind, -given), _seat(setup, move.to), move.kind, given)
        case act.LootDead() if move.card is not None:
            return goods.carried(public, move.by, move.card)
        case act.LootDead():
            given, kind = _there(public, _seat(setup, move.source), move.kind), _kind(move.kind)
            return goods.added(goods.added(public, move.source, kind, -given), move.by, kind, given)
        case act.CookMeat():
            return goods.cook(public, move)
        case act.RelightFire():
            space = public.stands[move.by - 1]
            if fire_at(setup, public, space) is None and not is_whole_tile(space):
                raise ImpossibleMove("there is no fire on this space")
            return replace(goods.paid(public, move.by, ["wood"]), fires={**public.fires, space: True})
        case act.SetFire():
            if move.space not in public.ways:
                raise ImpossibleMove(f"{move.space} is not on the map")
            return replace(public, fires={**public.fires, move.space: move.lit})
        case act.RestFrom():
            _seat(setup, move.healed)
            return goods.rest(public, move)
        case act.DrinkDirty():
            return goods.drink(public, move)
        case act.CountThings():
            return goods.counted(public, move)
        case _:
            raise ImpossibleMove(f"{move.do} is no act of this game")


def _kind(kind: str | None) -> str:
    if kind not in RESOURCES:
        raise ImpossibleMove(f"{kind!r} is no resource")
    return kind


def _there(public: Island, seat: Seat, kind: str | None) -> int:
    """The number of tokens that change hands: one, if there is one."""
    return min(1, public.resources[seat - 1].get(_kind(kind), 0))


def _seat(setup: LandsSetup, seat: Seat) -> Seat:
    if seat not in setup.seats:
        raise ImpossibleMove(f"there is no seat {seat}; seats are 1 to {len(setup.players)}")
    return seat


def _possible(setup: LandsSetup, public: Island, move: Move) -> None:
    """Check whether a seat in play can have made the move, allowed or not.

    Raises:
        ImpossibleMove: It cannot.
    """
    if public.over:
        raise ImpossibleMove("the match is over; start a new one")
    if isinstance(move, act.SetOut) and public.dealt:
        raise ImpossibleMove("the map is there already")
    if not public.dealt and not isinstance(move, act.SetOut | act.TellFacts | act.GainItem):
        raise ImpossibleMove("the match begins when every figure stands on the map")
    may_be_table = isinstance(move, (*OF_THE_TABLE, act.TellFacts))
    if not (TABLE if may_be_table else 1) <= move.by <= len(setup.players):
        raise ImpossibleMove(f"there is no seat {move.by}; seats are 1 to {len(setup.players)}")
    if move.by and not isinstance(move, act.TellFacts) and (is_dead(public, move.by) or move.by in public.left):
        raise ImpossibleMove(f"seat {move.by} is out of the match")
    card = move.subject
    if card is not None and card[0] not in _LETTERS.get(type(move), card[0]):
        raise ImpossibleMove(f"{card} is no card of this kind")


_LETTERS: dict[type[Move], str] = {
    act.CraftObject: "O", act.GainItem: "OP", act.TradeCard: "OP", act.DropCard: "OP", act.LootDead: "OP",
    act.UseCard: "O", act.BeginFight: "E", act.PutAway: "E", act.TurnNight: "N", act.ScoutTile: "M",
    act.Travel: "F", act.PlaceFigure: "F", act.JoinTile: "M", act.TellFacts: "MNEPO",
}  # fmt: skip
"""The kinds of cards that a move can be about."""
