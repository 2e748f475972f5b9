"""Random play: matches with any seats, and a player who tries random moves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

from companion.games.lands import moves as act
from companion.games.lands.deck import DAMAGE, RESOURCES, SIDES, LandsDeck
from companion.games.lands.game import Lands
from companion.games.lands.rules.acts import WATERS, project_for
from companion.games.lands.rules.fights import REROLLS, SHIFTS
from companion.games.lands.rules.legality import FINDS, judge
from companion.games.lands.setup import LEAST_SEATS, MOST_SEATS, LandsSetup, stand
from companion.games.lands.state import Island, is_dead, on_map, overloaded
from companion.games.protocol import Move, MoveContext
from companion.public.table import TABLE, CardId, Seat
from companion.public.text import JSON

if TYPE_CHECKING:
    from random import Random  # passed in: rules have no randomness of their own


T = TypeVar("T")


def random_match(rng: Random, profile: str) -> dict[str, JSON]:
    """A match file with one to four seats."""
    count = rng.randint(LEAST_SEATS, MOST_SEATS)
    seats = [{"name": f"Seat {seat}"} for seat in range(1, count + 1)]
    return {"game": "lands", "profile": profile, "seat": seats}


def random_start(setup: LandsSetup, rng: Random) -> act.SetOut:
    """Two tiles are face up, and every figure is on the same space."""
    one, other = rng.sample(sorted(setup.deck.tiles), 2)
    joins = tuple(sorted(set(_joins(setup.deck, other, [one], rng))))
    camp = rng.choice(_spaces(setup.deck, one))
    return act.SetOut(TABLE, (one, other), joins, (camp,) * len(setup.players))


def random_player(game: Lands) -> Callable[[Island, Random, MoveContext], Iterator[Move]]:
    """A player who proposes random moves."""
    return lambda public, rng, _at: propose(game.setup, public, rng)


def propose(setup: LandsSetup, public: Island, rng: Random) -> Iterator[Move]:
    """Moves in the order in which a random player tries them; one of them is legal until the match is over."""
    if public.over:
        return
    if not public.day:
        yield from _beginning(setup, public, rng)
        return
    for seat in on_map(setup, public):
        yield from _owed(setup, public, seat, rng)
    if public.fight is not None:
        yield from _fighting(setup, public, rng)
        return
    if public.night:
        yield from _night(setup, public, rng)
        return
    yield from _acting(setup, public, public.turn, rng)
    yield act.EndActs(public.turn)


def _beginning(setup: LandsSetup, public: Island, rng: Random) -> Iterator[Move]:
    if not public.dealt:
        yield random_start(setup, rng)
        return
    for seat in setup.seats:
        if sum(card[0] == "P" for card in public.packs[seat - 1]) < setup.projects:
            yield act.GainItem(seat, rng.choice(_unheld(setup, public, "P")))
    yield act.BeginDay(TABLE, rng.choice(setup.seats))


def _owed(setup: LandsSetup, public: Island, seat: Seat, rng: Random) -> Iterator[Move]:
    if public.drinks[seat - 1]:
        yield act.DrinkDirty(seat, "medicine") if rng.random() < 0.3 else _die(seat, rng)
        yield _die(seat, rng)
    if public.hunted == seat:
        yield act.BeginFight(seat, rng.choice(_all(setup, "E")))
    if overloaded(setup, public, seat):
        yield from (act.DropCard(seat, card) for card in _shuffled(public.packs[seat - 1], rng))
        yield from (act.ThrowToken(seat, kind) for kind in _shuffled(public.resources[seat - 1], rng))


def _die(seat: Seat, rng: Random) -> act.DrinkDirty:
    return act.DrinkDirty(seat, "die", rng.randint(1, SIDES))


def _fighting(setup: LandsSetup, public: Island, rng: Random) -> Iterator[Move]:
    fight = public.fight
    assert fight is not None
    dice = rng.randint(1, SIDES), rng.randint(1, SIDES)
    if rng.random() < 0.3:
        yield act.SupportFight(rng.choice(setup.seats))
    if rng.random() < 0.1:
        yield act.FleeFight(fight.fighter)
    if rng.random() < 0.2:
        yield act.UseCard(fight.fighter, rng.choice(_all(setup, "O")), rng.randint(0, 2))
    if not fight.rolled:
        yield act.RollDice(fight.fighter, *dice)
        return
    kind = rng.choice(list(REROLLS)) if rng.random() < 0.3 else rng.choice(list(SHIFTS))
    if rng.random() < 0.6:
        yield act.ChangeDie(fight.fighter, kind, **({REROLLS[kind]: dice[0]} if kind in REROLLS else {}))
    if rng.random() < 0.05:
        yield _told(fight.card, rng)
    yield act.AcceptDice(fight.fighter)
    yield _told(fight.card, rng)


def _told(enemy: CardId, rng: Random) -> act.TellFacts:
    defence, attack, life = rng.choices(range(1, SIDES + 1), k=3)
    return act.TellFacts(TABLE, enemy, defence, attack, life, rng.random() < 0.3)


def _night(setup: LandsSetup, public: Island, rng: Random) -> Iterator[Move]:
    seat = rng.choice(on_map(setup, public))
    if rng.random() < 0.4:
        yield act.GainItem(seat, kind=rng.choice(RESOURCES))
    if rng.random() < 0.1:
        yield act.TakeDamage(seat, rng.choice(DAMAGE))
    if rng.random() < 0.2:
        yield act.Travel(seat, stand(seat), rng.choice(list(public.ways)), 0)
    left = [card for card in _all(setup, "N") if card not in public.nights]
    if not public.resolved:
        yield from (act.TurnNight(TABLE, card) for card in _shuffled(left, rng))
    yield act.BeginDay(TABLE, rng.choice(setup.seats))
    yield act.BeginDay(TABLE, seat)
    stuck = not public.resolved and all(judge(setup, public, act.TurnNight(TABLE, card)) for card in left)
    if stuck or rng.random() < 0.05:
        yield act.AgreeScenarioEnds(TABLE)


def _acting(setup: LandsSetup, public: Island, seat: Seat, rng: Random) -> Iterator[Move]:
    """Any move that the seat to move may try, most of them rarely."""
    other = rng.choice(setup.seats)
    kind, hurt = rng.choice(RESOURCES), rng.choice(DAMAGE)
    objects = _all(setup, "O")
    unknown = [tile for tile in setup.deck.tiles if tile not in public.tiles]
    tries: list[Move] = [
        act.Travel(seat, stand(seat), rng.choice(list(public.ways))),
        act.Travel(other, stand(other), rng.choice(list(public.ways)), rng.choice((0, 2))),
        act.GatherToken(seat, rng.choice(FINDS)),
        act.GatherToken(seat, rng.choice(RESOURCES)),
        act.CookMeat(seat, rng.randint(1, 3)),
        act.RelightFire(seat),
        act.SetFire(seat, rng.choice(list(public.ways)), rng.random() < 0.5),
        act.RestFrom(seat, hurt, rng.choice((other, None)), rng.choice((None, *WATERS))),
        _die(other, rng),
        act.Investigate(seat),
        act.UseCard(seat, rng.choice((None, *objects)), rng.randint(0, 3)),
        act.GiveToken(rng.choice((seat, other)), kind, rng.choice((seat, other))),
        act.ThrowToken(other, kind),
        act.GainItem(seat, kind=kind),
        act.GainItem(seat, rng.choice(_found(setup, public, seat) or objects)),
        act.CraftObject(seat, rng.choice([one for one in objects if project_for(setup, public, seat, one)])),
        act.BeginFight(seat, rng.choice(_all(setup, "E"))),
    ]
    tries += [
        act.TradeCard(one, card, to) for one in setup.seats for card in public.packs[one - 1] for to in setup.seats
    ]
    dead = [one for one in setup.seats if is_dead(public, one)]
    tries += [act.LootDead(seat, one, kind=kind) for one in dead]
    tries += [act.LootDead(seat, one, card=card) for one in dead for card in public.packs[one - 1]]
    if unknown:
        tile = rng.choice(unknown)
        tiles = [one for one in public.tiles if one in setup.deck.tiles]
        joins = _joins(setup.deck, tile, tiles, rng, public.stands[seat - 1])
        tries.append(act.ScoutTile(seat, tile, joins))
    if rng.random() < 0.2:
        tries.append(act.TakeDamage(seat, hurt))
    if rng.random() < 0.1:
        tries.append(act.CountThings(other, rng.choice(("stamina", kind, hurt)), rng.randint(0, 4)))
    if rng.random() < 0.02:
        tries.append(act.LeaveMap(other))
    rng.shuffle(tries)
    yield from tries[: rng.randint(0, 9)]


def _joins(deck: LandsDeck, tile: CardId, others: list[CardId], rng: Random, here: str = "") -> tuple[act.Join, ...]:
    """A connection between a space of the tile and one of another tile, preferably the seat's space."""
    old = here if here and rng.random() < 0.6 else rng.choice(_spaces(deck, rng.choice(others)))
    return ((rng.choice(_spaces(deck, tile)), old),)


def _spaces(deck: LandsDeck, tile: CardId) -> list[str]:
    return [f"{tile}-{at}" for at in range(1, len(deck.tiles[tile]) + 1)]


def _all(setup: LandsSetup, letters: str) -> list[CardId]:
    return [card for card in setup.deck.cards if card[0] in letters]


def _unheld(setup: LandsSetup, public: Island, letters: str) -> list[CardId]:
    held = {card for cards in public.packs for card in cards}
    return [card for card in _all(setup, letters) if card not in held]


def _found(setup: LandsSetup, public: Island, seat: Seat) -> list[CardId]:
    """Cards that a seat may get without making them: an object with a known project must be made."""
    return [card for card in _unheld(setup, public, "OP") if project_for(setup, public, seat, card) is None]


def _shuffled(things: Iterable[T], rng: Random) -> list[T]:
    shuffled = list(things)
    rng.shuffle(shuffled)
    return shuffled
