"""Switches the rules off one by one and shows that the test with the rule's id notices.

    python tests/switch_off.py            every rule, as a table
    python tests/switch_off.py C2 G7      these

Each id names the function or setting that guards it. A setting is turned round in all profiles, a function made to
answer nothing; then only the tests that carry the id are run, in a process of their own, and one must fail.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

RULES = "companion.games.discovery"
FOLDER = Path(__file__).parent / "games" / "discovery"
Change = Callable[[Any], Any]


def nothing(_old: Any) -> Any:
    """A rule that objects to nothing and does nothing."""
    return lambda *_args, **_keys: ()


def constant(value: Any) -> Change:
    return lambda _old: value


def answers(value: Any) -> Change:
    """A function that always answers the same."""
    return lambda _old: lambda *_args, **_keys: value


def turned(name: str) -> Change:
    """A setting of the profiles, the other way round."""
    return lambda old: {key: replace(one, **{name: not getattr(one, name)}) for key, one in old.items()}


def setting(name: str) -> tuple[str, Change]:
    return "profiles.PROFILES", turned(name)


OFF: Mapping[str, tuple[str, Change]] = {
    "A3": ("rules.awaits_deal", answers(False)),
    "A4": ("setup.SEATS_AT_MOST", constant(10)),
    "A5": ("setup.SEATS_AT_MOST", constant(6)),
    "A8": ("rules._pass", nothing),
    "B2": ("placing._take_from_pool", nothing),
    "B3": ("conditions.OWN_DISCARD", lambda _old: importlib.import_module(f"{RULES}.conditions").NOT_THERE),
    "B5": ("viewing.tree_zone", answers("tree")),
    "C1": ("conditions.source", nothing),
    "C2": ("conditions.prerequisites", nothing),
    "C3": ("conditions.link", nothing),
    "C4": ("conditions.link", nothing),
    "C5": ("placing.base_for", answers(None)),
    "C6": ("placing._index", answers(1)),
    "C7": ("conditions.source", nothing),
    "D1": ("drawing.due_draw", nothing),
    "D2": ("turning.finish_turn", lambda old: lambda setup, draft, *, draws: old(setup, draft, draws=True)),
    "D3": ("rules.due_discard", answers(False)),
    "D4": ("drawing.due_draw", nothing),
    "D5": ("turning.changed", lambda old: lambda turn, **facts: old(turn, **(facts | {"trumps": turn.trumps}))),
    "E1": ("drawing.victims", answers((1, 2, 3))),
    "E2": ("drawing.owe_steal", nothing),
    "E3": setting("steals_at_start"),
    "E4": ("drawing.bereaved", nothing),
    "E6": ("drawing.emptied", nothing),
    "E7": setting("victim_draws_first"),
    "E8": ("drawing.bereaved", nothing),
    "F1": ("placing._era", answers(frozenset())),
    "F2": ("drawing.emptied", nothing),
    "F4": setting("empty_trump"),
    "F6": ("placing._index", answers(1)),
    "F7": setting("trump_steal"),
    "F8": ("rules._exchange", nothing),
    "F9": ("rules._discard", nothing),
    "F11": ("scoring.TRUMP_POINTS", constant(0)),
    "G1": ("rules._call", nothing),
    "G2": ("calling.callable_era", answers(True)),
    "G4": ("rules._own_turn", nothing),
    "G5": ("calling.failure", answers(None)),
    "G6": ("calling.failure", answers(None)),
    "G8": ("placing._recover", answers(None)),
    "H1": setting("joker_any_time"),
    "H2": ("conditions.joker_placement", nothing),
    "H3": ("conditions.prerequisites", nothing),
    "H5": ("placing._era", answers(frozenset())),
    "H6": ("placing._recover", answers(None)),
    "H7": ("jokers.play_outside", nothing),
    "H8": ("rules._interrupt", nothing),
    "I1": ("rules._ask", nothing),
    "I2": setting("asked_duty"),
    "I3": ("drawing.team_empty", answers(True)),
    "I4": ("scoring.leaders", answers((1,))),
    "J2": ("bots.flip", nothing),
    "J3": ("bots._use_held", nothing),
    "J5": ("rules._flip", nothing),
    "J6": setting("bot_steals"),
    "J7": setting("bot_series"),
    "J8": setting("steals_at_start"),
    "J9": ("bots._placeable", answers(False)),
    "K2": ("placing.expired", answers(False)),
    "K3": ("contesting._stop", nothing),
    "K4": ("conditions.true_objections", nothing),
    "K5": ("stopping._punish", nothing),
    "K6": ("stopping._pay", nothing),
    "K7": ("stopping._pay", nothing),
    "K8": ("stopping._undo", nothing),
    "K9": ("stopping._punish", nothing),
    "K11": ("conditions.announcement", nothing),
    "M1": setting("rising"),
    "M2": ("scoring.TRUMP_POINTS", constant(0)),
    "M3": setting("penalty"),
    "M4": ("scoring.leaders", answers((1,))),
    "N1": ("drawing.win", nothing),
    "N2": setting("all_hands"),
    "N4": ("rules.stalemate", answers(False)),
    "O2": setting("steals_at_start"),
    "O3": setting("resume_before"),
    "O5": ("drawing.emptied", nothing),
    "P1": ("calling.callable_era", answers(True)),
    "P2": ("calling.callable_era", answers(True)),
    "P3": ("calling.failure", answers(None)),
    "P4": ("calling.failure", answers(None)),
    "P5": ("calling.failure", answers(None)),
    "P6": ("placing._index", answers(1)),
    "P8": ("drawing.bereaved", nothing),
    "Q1": ("placing.card_points", nothing),
    "Q4": ("jokers.play_outside", nothing),
    "Q5": ("rules._interrupt", nothing),
    "R1": setting("steals_at_start"),
    "R2": ("bots._joker", nothing),
    "R3": ("bots._place", nothing),
    "R4": ("bots._discard", nothing),
    "R5": ("bots._use_held", nothing),
    "R6": ("drawing.due_draw", nothing),
    "R7": ("drawing.emptied", nothing),
    "R8": setting("bot_series"),
    "T1": ("stopping._pay", nothing),
    "T2": ("stopping._undo", nothing),
    "T3": ("stopping._give_back", nothing),
    "T4": ("stopping._punish", nothing),
    "L2": ("placing._era", answers(frozenset())),
    "L3": ("calling.failure", answers(None)),
    "L4": ("captions._answer", nothing),
}
"""By id: what guards the rule, and what stands there when it is switched off."""


def switch_off(rule: str) -> None:
    """Put the neutral stand-in wherever the guard is known by name."""
    target, change = OFF[rule]
    module, name = target.split(".")
    for path in sorted((Path(__file__).parents[1] / "companion" / "games" / "discovery").glob("*.py")):
        importlib.import_module(f"{RULES}.{path.stem}")
    old = getattr(sys.modules[f"{RULES}.{module}"], name)
    new = change(old)
    for known in [one for key, one in sys.modules.items() if key.startswith(RULES)]:
        if getattr(known, name, None) is old:
            setattr(known, name, new)


def carriers(rule: str) -> list[str]:
    """The tests that carry the id."""
    found = []
    for path in sorted(FOLDER.glob("test_*.py")):
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("def test_"):
                name = line.removeprefix("def ").partition("(")[0]
                if rule.lower() in name.split("_"):
                    found.append(f"{path}::{name}")
    return found


def noticed(rule: str) -> bool:
    """Whether a test with the id fails while the rule is off; in a child, so that the next rule starts afresh."""
    child = os.fork()
    if child == 0:
        os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = (
            "1"  # none of them is needed, and they take longer than the tests
        )
        switch_off(rule)
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            status = pytest.main(["-q", "-x", "-p", "no:cacheprovider", "-p", "pytest_timeout", *carriers(rule)])
        os._exit(int(status))
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status) == int(pytest.ExitCode.TESTS_FAILED)


def main() -> int:
    silent = []
    for rule in sys.argv[1:] or OFF:
        heard = noticed(rule)
        verdict = "fails" if heard else "NOT NOTICED"
        sys.stdout.write(f"{rule:4} {OFF[rule][0]:32} {len(carriers(rule)):2} tests  {verdict}\n")
        silent += [] if heard else [rule]
    sys.stdout.write(f"{len(sys.argv[1:] or OFF)} rules switched off; not noticed: {', '.join(silent) or 'none'}\n")
    return 1 if silent else 0


if __name__ == "__main__":
    sys.exit(main())
