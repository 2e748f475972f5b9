"""The project's own benchmarks, each against a baseline that is measured in the same run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random
from time import thread_time
from types import MappingProxyType

from companion.bench_table import table
from companion.errors import InputError
from companion.phonebench import phones
from companion.playouts import play_matches

PLIES = 120
"""A game of chess at random goes on for some hundreds; after these the board is set up anew."""
OFTEN = 5
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
        if done.matches % OFTEN == 1:
            board = chess.Board()
            for _ in range(PLIES):
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


def eye(long: bool) -> Iterator[str]:
    """Films that the eye draws itself, beside reading every picture whole."""
    from vision.bench import bench

    for name, figure in bench(long):
        yield f"eye: {name}: {figure}"


BENCHES: Mapping[str, Callable[[bool], Iterator[str]]] = MappingProxyType(
    {"eye": eye, "phones": phones, "rules": rules, "table": table}
)
"""Each by its name on the command line; the argument: take longer, for all films and seeds."""
