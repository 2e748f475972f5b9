"""Random play: matches with any seats and options, and a player who tries random moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from companion.games.discovery import moves as act
from companion.games.discovery.game import Discovery
from companion.games.discovery.secrecy import always_has_stop
from companion.games.discovery.setup import PROFILES
from companion.games.discovery.state import Position
from companion.games.protocol import Move, MoveContext
from companion.public.standing import AvailableMove
from companion.public.table import TABLE, CardId, Seat
from companion.public.text import JSON

if TYPE_CHECKING:
    from random import Random  # passed in: rules have no randomness of their own

_KEYS = {"from": "source", "as": "stands_for"}


def random_match(rng: Random, profile: str) -> dict[str, JSON]:
    """A match file with one to nine seats, and random bots, teams, jokers and options."""
    count = rng.randint(1, 9)
    seats: list[dict[str, JSON]] = [{"name": f"Seat {seat}"} for seat in range(1, count + 1)]
    company = rng.random()
    if company < 0.35:
        for seat in rng.sample(seats, rng.randint(0, count - 1)):
            seat["bot"] = True
    elif company < 0.65:
        for place, seat in enumerate(seats):
            seat["team"] = ("red", "blue", "green")[place % rng.randint(2, 3)]
    options: dict[str, JSON] = {key: rng.random() < 0.5 for key in ("joker_trump_bonus", "call_era6_when_stack_empty")}
    if not always_has_stop(PROFILES[profile]):
        options["stop"] = rng.random() < 0.4
    if profile == "en-explore":
        options |= {key: rng.random() < 0.5 for key in ("series_plus", "en_explore_steal_when_empty")}
    dealer, jokers = rng.randint(1, count), rng.choice((0, 0, 1, 2, 4))
    return {"profile": profile, "seat": seats, "dealer": dealer, "jokers": jokers, "options": options}


def random_player(game: Discovery) -> Callable[[Position, Random, MoveContext], Iterator[Move]]:
    """A player who proposes random moves, from the public state."""
    cards = [*game.setup.facts, *game.setup.jokers]
    return lambda public, rng, at: propose(game, public, rng, cards, at)


def propose(game: Discovery, public: Position, rng: Random, cards: list[CardId], at: MoveContext) -> Iterator[Move]:
    """Moves in the order in which a random player tries them: cards as a camera would see them, or announced moves."""
    if rng.random() < 0.15:
        yield from _spoken(game, public, rng, at)
    unseen = _unseen(public, rng, cards)
    if None in public.pool and unseen and rng.random() < 0.8:
        yield act.Refill(TABLE, unseen[-1])
    if not (public.over or public.contest):
        yield from _laid(game, public, rng, unseen)
    yield from _spoken(game, public, rng, at)


def _laid(game: Discovery, public: Position, rng: Random, unseen: list[CardId]) -> Iterator[Move]:
    """Moves with cards, as likely as at a real table."""
    seat = public.owed[0].seat if public.owed else public.turn.seat
    if public.owed or public.turn.discarded:
        yield from (act.Discard(seat, card) for card in unseen[:3])
    elif game.setup.bot(seat):
        yield from (act.Flip(seat, card) for card in unseen[:3])
    elif public.turn.called:
        yield act.Place(seat, public.turn.called, "called")
    else:
        for card in _ready(game, public, unseen)[:2]:
            yield act.Place(seat, card, "hand")
        for named in public.pool:
            if named and rng.random() < 0.6:
                yield act.Place(seat, named, "pool", new_series=rng.random() < 0.1)
        for other, lying in enumerate(public.discards, 1):
            if lying and other != seat:
                yield act.Place(seat, rng.choice(lying), f"discard-{other}")
        yield act.EndTurn(seat)
        yield from (act.Discard(seat, card, asked=public.turn.asked) for card in unseen[:3])
        yield from (act.Discard(seat, card) for card in unseen[:3])


def _unseen(public: Position, rng: Random, cards: list[CardId]) -> list[CardId]:
    """Cards in no visible place, in any order: each may be in any hand or the stack."""
    lying = {laid.card for laid in public.tree}.union(public.pool, *public.discards, public.gone)
    left = [card for card in cards if card not in lying]
    rng.shuffle(left)
    return left


def _ready(game: Discovery, public: Position, unseen: list[CardId]) -> list[CardId]:
    """Cards that players would try first: those without missing prerequisites; and one other, by mistake."""
    facts = game.setup.facts
    ready = [card for card in unseen if card in facts and not game.setup.required(card, public.present)]
    return [*ready[:3], *unseen[:1]] if unseen and unseen[0] in facts else ready


def _spoken(game: Discovery, public: Position, rng: Random, at: MoveContext) -> Iterator[Move]:
    """One of the available announced moves, then the others."""
    offers = list(game.board.offers(public, at))
    rng.shuffle(offers)
    for offer in offers:
        yield _chosen(offer, rng)


def _chosen(offer: AvailableMove, rng: Random) -> Move:
    keys: dict[str, Any] = {_KEYS.get(key, key): rng.choice(values) for key, values in offer.choices.items()}
    made: Move = act.MOVES[offer.do](by=Seat(offer.by), **keys)  # type: ignore[call-arg]  # every move has its own keys
    return made
