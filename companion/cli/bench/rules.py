"""Whole matches of Discovery played at random, to measure the rules and to see that every match ends."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from time import thread_time
from typing import Any

from companion.errors import CompanionError, InputError
from companion.games.discovery import moves as act
from companion.games.discovery.deck import read
from companion.games.discovery.game import Discovery
from companion.games.discovery.match_file import open_match
from companion.games.discovery.setup import PROFILES
from companion.games.discovery.state import Position, State
from companion.games.protocol import Move, MoveContext
from companion.games.registry import demo_deck
from companion.public.standing import AvailableMove
from companion.public.table import TABLE, CardId, Seat
from companion.public.text import JSON

ENTRIES_AT_MOST = 3000
"""A match that has not ended by then has stalled; ordinary ones take 60 to 400."""

_KEYS = {"from": "source", "as": "stands_for"}


@dataclass(slots=True)
class PlayedMatches:
    """What was played so far.

    ``busy_s``: seconds of the processor spent on judging and applying, the player's thinking left out. The clock on
    the wall would count what other programs did meanwhile.
    """

    matches: int = 0
    judged: int = 0
    applied: int = 0
    busy_s: float = 0.0


def random_match(rng: Random, profile: str) -> dict[str, JSON]:
    """A match file with one to nine seats, and bots, teams, jokers and options as it comes."""
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
    if not PROFILES[profile].silent:
        options["stop"] = rng.random() < 0.4
    if profile == "en-explore":
        options |= {key: rng.random() < 0.5 for key in ("series_plus", "en_explore_steal_when_empty")}
    dealer, jokers = rng.randint(1, count), rng.choice((0, 0, 1, 2, 4))
    return {"profile": profile, "seat": seats, "dealer": dealer, "jokers": jokers, "options": options}


def play_matches(count: int, seed: int = 0) -> Iterator[PlayedMatches]:
    """Play that many matches to their end, the five profiles in turn; the running count after each.

    Raises:
        CompanionError: A match stalled; the sentence says which.
    """
    deck = read(demo_deck())
    done = PlayedMatches()
    for number in range(seed, seed + count):
        rng = Random(number)
        match = random_match(rng, list(PROFILES)[number % len(PROFILES)])
        if not _play(open_match(match, deck), rng, done):
            raise CompanionError(f"random match {number} has not ended after {ENTRIES_AT_MOST} entries: {match}")
        done.matches += 1
        yield done


def _play(game: Discovery, rng: Random, done: PlayedMatches) -> bool:
    """One match; whether it came to its end."""
    state, time_s = game.start(), 0.0
    cards = [*game.setup.facts, *game.setup.jokers]
    wanted = game.counted(state)
    for number in range(1, ENTRIES_AT_MOST):
        time_s += rng.choice((0.5, 2.0, 8.0, 15.0))
        at = MoveContext(number, time_s)
        waits = game.timer(state.position)
        if state.position.over and waits is None:
            return True
        after = _first_lawful(game, state, propose(game, state.position, rng, cards, at), at, done)
        if after is None and waits:  # nobody says Stop: the win stands when its seconds have passed
            after = _first_lawful(game, state, iter([waits[1]]), at, done)
        if after is None:
            return False
        if game.counted(after) != wanted:
            raise CompanionError(f"a card was lost or made after entry {number}")
        state = after
    return False


def _first_lawful(
    game: Discovery, state: State, moves: Iterator[Move], at: MoveContext, done: PlayedMatches
) -> State | None:
    """Judge one proposal after the other and carry the first lawful one out."""
    for move in moves:
        began = thread_time()
        objections = game.judge(state.position, move, at)
        if objections:
            done.busy_s += thread_time() - began
            done.judged += 1
            continue
        step = game.apply_hidden(state, move, at, game.apply(state, move, at))
        done.busy_s += thread_time() - began
        done.judged += 1
        done.applied += 1
        return step.state
    return None


def propose(game: Discovery, public: Position, rng: Random, cards: list[CardId], at: MoveContext) -> Iterator[Move]:
    """Acts in the order in which a random player thinks of them: cards as a camera would see them, or a spoken move."""
    if rng.random() < 0.15:
        yield from _spoken(game, public, rng, at)
    unseen = _unseen(public, rng, cards)
    if None in public.pool and unseen and rng.random() < 0.8:
        yield act.Refill(TABLE, unseen[-1])
    if not (public.over or public.contest):
        yield from _laid(game, public, rng, unseen)
    yield from _spoken(game, public, rng, at)


def _laid(game: Discovery, public: Position, rng: Random, unseen: list[CardId]) -> Iterator[Move]:
    """What somebody may do with cards, each act as likely as it is at a table."""
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
    """Cards that lie in no open place, in any order: each may be in any hand or the stack."""
    lying = {laid.card for laid in public.tree}.union(public.pool, *public.discards, public.gone)
    left = [card for card in cards if card not in lying]
    rng.shuffle(left)
    return left


def _ready(game: Discovery, public: Position, unseen: list[CardId]) -> list[CardId]:
    """Those that players would think of first: what needs nothing that is missing; one other, by mistake."""
    facts = game.setup.facts
    ready = [card for card in unseen if card in facts and not game.setup.required(card, public.present)]
    return [*ready[:3], *unseen[:1]] if unseen and unseen[0] in facts else ready


def _spoken(game: Discovery, public: Position, rng: Random, at: MoveContext) -> Iterator[Move]:
    """One of the spoken moves on offer, then the others."""
    offers = list(game.offers(public, at))
    rng.shuffle(offers)
    for offer in offers:
        yield _chosen(offer, rng)


def _chosen(offer: AvailableMove, rng: Random) -> Move:
    keys: dict[str, Any] = {_KEYS.get(key, key): rng.choice(values) for key, values in offer.choices.items()}
    made: Move = act.MOVES[offer.do](by=Seat(offer.by), **keys)  # type: ignore[call-arg]  # every move has its own keys
    return made


BASELINE_PLIES = 120
"""A game of chess at random goes on for some hundreds; after these the board is set up anew."""
BASELINE_EVERY = 5
"""Chess is played after every so many matches: the two must meet the same moods of a machine that does other work."""


def rules(long: bool) -> Iterator[str]:
    """Random matches to their end, judged and applied, beside python-chess's random playouts."""
    try:
        import chess
    except ImportError:
        raise InputError("this bench needs python-chess as its baseline: pip install chess") from None
    wanted = 10_000 if long else 500
    dice, pushed, chess_s = Random(0), 0, 0.0
    for done in play_matches(wanted):
        if done.matches % BASELINE_EVERY == 1:
            board = chess.Board()
            for _ in range(BASELINE_PLIES):
                began = thread_time()
                legal = list(board.legal_moves)
                chess_s += thread_time() - began
                if not legal:
                    break
                move = dice.choice(legal)
                began = thread_time()
                board.push(move)
                chess_s += thread_time() - began
                pushed += 1
    ours, theirs = done.applied / done.busy_s, pushed / chess_s
    yield f"rules: {done.matches} random matches in all profiles, {done.applied} moves: none stalled, none crashed"
    yield (
        f"rules: {ours:,.0f} moves a processor second judged and applied, {done.judged - done.applied} more refused; "
        f"python-chess {theirs:,.0f} a second listed and pushed; ratio {ours / theirs:.2f}"
    )
