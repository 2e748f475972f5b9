"""In Memory and Bluff no answer and no correction costs more work, or less, for what is hidden.

The same is said, shown and asked for at two tables whose cards need other cards, so that other cards are lawful. Each
call of a function of the companion's own is counted until the news leaves, at both tables as many; the steps within an
expression are not. Seconds would say something about the machine.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from types import FrameType
from typing import Any

import pytest
import support.unspoken_table
from support.long_cases import LONG
from support.quiet_matches import KINDS, steps_of
from support.random_corrections import NAMES, evening, opened
from support.silent_pair import upside_down
from support.unspoken_table import UnspokenTable, plays

from companion.games import registry
from companion.games.protocol import Game
from companion.public.table import Seat
from companion.public.updates import Update
from companion.referee.commands import AcceptTable, Allow, AnswerQuestion, Claim, Input, MakeMove, OverruleCamera, Undo
from companion.referee.match import Match

TELLS = ("verify", "concede", "call")
"""Moves by which something hidden is shown."""


class Counted:
    """A silent match, and how many functions were called until each piece of its news left.

    Attributes:
        left: Of each piece: what it is, and the calls since the input or the piece before it.
    """

    def __init__(self, game: Game[Any, Any]) -> None:
        self.left: list[tuple[str, int]] = []
        self._calls, self._off = 0, 0
        self._is_out = False
        hidden = replace(game.hidden, apply=self._after(game.hidden.apply))
        self.match = Match(replace(game, hidden=hidden), lambda _: None, self._leaves, awaits_start=False)

    def _after(self, apply: Callable[..., Any]) -> Callable[..., Any]:
        """The hidden half of what has just left is nobody's business any more; any other look at it is work."""

        def applied(*arguments: Any) -> Any:
            is_out, self._is_out = self._is_out, False
            self._off += is_out
            try:
                return apply(*arguments)
            finally:
                self._off -= is_out

        return applied

    def _leaves(self, update: Update) -> None:
        self.left.append((repr(update), self._calls))
        self._calls, self._is_out = 0, True

    def _count(self, frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and not self._off and "/companion/" in code.co_filename:
            self._calls += not code.co_name.startswith("<")

    def does(self, given: Input, time_s: float) -> None:
        self._calls, self._is_out, before = 0, False, len(self.left)
        sys.setprofile(self._count)
        try:
            self.match.handle(given, time_s)
            self.match.wake(time_s)
        finally:
            sys.setprofile(None)
        if len(self.left) == before:
            self.left.append(("nothing", self._calls))


def replayed(game: Game[Any, Any], given: Sequence[tuple[Input, float]]) -> list[tuple[str, int]]:
    """What left one table, and how much work each piece was."""
    table = Counted(game)
    for one, time_s in given:
        table.does(one, time_s)
    return table.left


def same_work(deck: int, made: Callable[[Any], Game[Any, Any]], given: Sequence[tuple[Input, float]]) -> int:
    """How many pieces of news left both tables, each after as many calls."""
    decks = registry.demo_deck(), upside_down(deck)
    one, other = (replayed(made(decks[number]), given) for number in (0, 1))
    for place, (mine, yours) in enumerate(zip(one, other, strict=True)):
        assert mine == yours, f"piece {place} of {len(one)}"
    return len(one)


def in_play(profile: str) -> Callable[[Any], Game[Any, Any]]:
    count = len(registry.demo_match(registry.GAMES["discovery"])["seat"])
    seats = [{"name": name} for name in NAMES[:count]]
    match = {"game": "discovery", "profile": profile, "seat": seats}
    return lambda deck: registry.GAMES["discovery"].open_match(match, deck)


@pytest.mark.parametrize("profile", ["en-memory", "fr-bluff"] if LONG else ["en-memory"])
@pytest.mark.parametrize("seed", range(20) if LONG else (3,))
def test_no_correction_and_no_refusal_of_one_costs_more_for_what_is_hidden(profile: str, seed: int) -> None:
    table = list(evening(opened("discovery", profile), Random(seed), 60 if LONG else 25))[-1]
    said = [command for command, _ in table.said]
    quiet = [one for one in said if not (isinstance(one, MakeMove) and one.move.do in TELLS)]
    given = [(one, 100.0 + second) for second, one in enumerate(quiet) if not isinstance(one, AcceptTable)]
    assert same_work(seed, in_play(profile), given) > len(given)


@pytest.mark.parametrize("kind", ["en-memory", "fr-bluff"] if LONG else ["fr-bluff"])
@pytest.mark.parametrize("seed", range(20) if LONG else (4,))
def test_no_look_no_answer_and_no_claim_at_a_quiet_table_costs_more_for_what_is_hidden(
    kind: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two thirds of all passes and ends of turn are not said; then everybody claims, undoes and allows what he can."""
    headers, given = list[Any](), list[tuple[Input, float]]()
    handle = Match.handle

    def opens(header: Any, deck: Any) -> Any:
        headers.append(header)
        return registry.open_match(header, deck)

    def handles(self: Match, one: Input, time_s: float) -> Any:
        if self is table.match:
            given.append((one, time_s))
        return handle(self, one, time_s)

    monkeypatch.setattr(support.unspoken_table, "open_match", opens)
    table = UnspokenTable("discovery", seed, KINDS[kind].profile)
    with monkeypatch.context() as patched:
        patched.setattr(Match, "handle", handles)
        plays(table, steps_of(KINDS[kind], seed)[: None if LONG else 6])
    last = max(table.match.record.acts)
    corrections = [Claim(Seat(seat), number) for number in (last, last - 2) for seat in (1, 2)]
    corrections += [Undo(), Undo(last - 1), Allow(), OverruleCamera(anyway=True), Claim(Seat(1), anyway=True)]
    corrections += [AnswerQuestion(number, 0) for number in table.match.issues.questions.open]
    given += [(one, table.time_s + place) for place, one in enumerate(corrections, 1)]
    assert same_work(seed, lambda deck: registry.open_match(headers[0], deck).game, given) > 20
