"""Whole matches of every game played at random, to measure the rules and to see that every match ends."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from time import thread_time
from typing import Any

from support.conserved import count_things

from companion.errors import CompanionError, InputError
from companion.games.game_module import GameModule
from companion.games.protocol import Game, Move, MoveContext
from companion.games.registry import GAMES, demo_deck

ENTRIES_AT_MOST = 3000
"""A match that has not ended by then has stalled; ordinary ones take 60 to 400."""


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


def play_matches(count: int, seed: int = 0) -> Iterator[PlayedMatches]:
    """Play that many matches to their end, all profiles of all games in turn; the running count after each.

    Raises:
        CompanionError: A match stalled; the sentence says which.
    """
    choices = [(module, demo_deck(module), profile) for module in GAMES.values() for profile in module.profiles]
    done = PlayedMatches()
    for number in range(seed, seed + count):
        rng = Random(number)
        module, deck, profile = choices[number % len(choices)]
        match = module.demonstration.random_match(rng, profile)
        if not _play(module, module.open_match(match, deck), rng, done):
            raise CompanionError(f"random match {number} has not ended after {ENTRIES_AT_MOST} entries: {match}")
        done.matches += 1
        yield done


def _play(module: GameModule, game: Game[Any, Any], rng: Random, done: PlayedMatches) -> bool:
    """One match; whether it came to its end."""
    state, time_s = game.rules.start, 0.0
    thinks_of = module.demonstration.random_player(game)
    wanted = count_things(game, state)
    for number in range(1, ENTRIES_AT_MOST):
        time_s += rng.choice((0.5, 2.0, 8.0, 15.0))
        at = MoveContext(number, time_s)
        public = game.public(state)
        waits = game.rules.timer(public)
        if game.board.standing(public).over and waits is None:
            return True
        after = _first_lawful(game, state, thinks_of(public, rng, at), at, done)
        if after is None and waits:  # nobody says Stop: the win stands when its seconds have passed
            after = _first_lawful(game, state, iter([waits[1]]), at, done)
        if after is None:
            return False
        if count_things(game, after) != wanted:
            raise CompanionError(f"a card was lost or made after entry {number}")
        state = after
    return False


def _first_lawful(game: Game[Any, Any], state: Any, moves: Iterator[Move], at: MoveContext, done: PlayedMatches) -> Any:
    """Judge one proposal after the other and carry the first lawful one out; the state after it, if there was one."""
    public = game.public(state)
    for move in moves:
        began = thread_time()
        objections = game.rules.judge(public, move, at)
        if objections:
            done.busy_s += thread_time() - began
            done.judged += 1
            continue
        step = game.hidden.apply(state, move, at, game.rules.apply(state, move, at))
        done.busy_s += thread_time() - began
        done.judged += 1
        done.applied += 1
        return step.state
    return None


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
