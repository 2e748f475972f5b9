"""Switches the rules off one by one and shows that the test with the rule's id notices.

    python tests/tools/switch_off.py                            every rule of Discovery, as a table
    python tests/tools/switch_off.py C2 G7                      these
    python tests/tools/switch_off.py --game carcassonne C9      those of another game

Each id names the function or setting that guards it. A setting is turned round in all profiles, a function made to
answer nothing; then only the tests that carry the id are run, in a process of their own, and one must fail.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

RULES = "companion.games.discovery"
TESTS = ROOT / "tests" / "companion" / "games"
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
    return "setup.PROFILES", turned(name)


def named(module: str, name: str) -> Any:
    """Something of the rules by its module."""
    return getattr(importlib.import_module(f"{RULES}.{module}"), name)


def ends_turn(builder: Any) -> None:
    builder.turn = replace(builder.turn, ended=True)


def without_jokers_in_the_stack(old: Any) -> Any:
    def opening(setup: Any) -> Any:
        told = old(setup)
        return replace(told, stack=told.stack - len(setup.jokers), gone=(None,) * len(setup.jokers))

    return opening


def hands_of_five(old: Any) -> Any:
    return lambda builder, seat, count: old(builder, seat, min(count, 5 - builder.held(seat)))


def the_robbed_wins_a_trump(old: Any) -> Any:
    def bereaved(setup: Any, builder: Any, victim: int) -> None:
        if not builder.held(victim):
            builder.pay(victim, 3)
        old(setup, builder, victim)

    return bereaved


def trumps_are_used_at_once(old: Any) -> Any:
    def index(setup: Any, builder: Any, card: str, **how: Any) -> Any:
        found = old(setup, builder, card, **how)
        builder.turn = replace(builder.turn, trumps=0)
        return found

    return index


def through_the_hand(old: Any) -> Any:
    return lambda *all_, source, **how: old(*all_, source="hand" if source == "called" else source, **how)


def as_if_no_joker(old: Any) -> Any:
    def base_for(setup: Any, turn: Any, card: str, *, as_joker: bool = False) -> Any:
        return old(setup, replace(turn, bases=tuple(replace(base, joker=False) for base in turn.bases)), card)

    return base_for


def passed_over_when_empty(old: Any) -> Any:
    def begin(setup: Any, builder: Any, seat: int, *, extra: bool = False) -> None:
        old(setup, builder, seat, extra=extra)
        if not builder.held(seat) and not builder.owed:
            ends_turn(builder)

    return begin


def emptied_by_the_discard(old: Any) -> Any:
    def flip_plain(setup: Any, builder: Any, move: Any, at: Any) -> None:
        old(setup, builder, move, at)
        if not builder.held(move.by):
            named("effects.drawing", "emptied")(setup, builder)

    return flip_plain


def the_empty_hand_ends_the_turn(old: Any) -> Any:
    def emptied(setup: Any, builder: Any) -> None:
        old(setup, builder)
        ends_turn(builder)

    return emptied


def silence_is_off(old: Any) -> Any:
    return lambda *all_: replace(old(*all_), stoppable=False, tells_at_once=True)


def a_trump_for_a_called_card(old: Any) -> Any:
    return lambda *all_, called=False, **how: old(*all_, **how)


def what_came_later_falls_too(old: Any) -> Any:
    def undo(setup: Any, builder: Any, act: Any) -> None:
        old(setup, builder, act)
        latest = builder.tree[-1].counts_as
        builder.vanish(latest, setup.facts[latest].era)

    return undo


def teams_take_bots(old: Any) -> Any:
    return lambda seat, where, faults: old({key: seat[key] for key in seat if key != "team"}, where, faults)


OFF: Mapping[str, tuple[str, Change]] = {
    "A1": ("match_file.JOKERS_AT_MOST", constant(0)),
    "A6": ("setup.Setup.after", lambda _old: lambda _setup, seat: seat),
    "A7": ("effects.turns.opening", without_jokers_in_the_stack),
    "B4": ("state.PositionBuilder.give", hands_of_five),
    "E5": (
        "effects.drawing.bereaved",
        lambda _old: lambda _setup, builder, victim: named("effects.drawing", "draw")(builder, victim, 1),
    ),
    "F3": ("effects.drawing.bereaved", the_robbed_wins_a_trump),
    "F5": ("effects.placement._index", trumps_are_used_at_once),
    "F10": ("rules.legality._call", nothing),
    "G3": ("rules.calls.failure", answers("not-there")),
    "G7": ("effects.placement.lay", through_the_hand),
    "H4": ("rules.placement.base_for", as_if_no_joker),
    "H9": ("rules.legality._interrupt", nothing),
    "H10": ("rules.legality._joker", nothing),
    "I5": ("effects.turns.begin", passed_over_when_empty),
    "I6": ("match_file._player", teams_take_bots),
    "J1": ("setup.HAND", constant(4)),
    "J4": ("rules.placement.victim", lambda _old: lambda *_: (named("rules.placement", "NOT_THERE"),)),
    "J10": ("effects.bots._flip_plain", emptied_by_the_discard),
    "K1": ("setup.setup", silence_is_off),
    "K10": ("effects.contest._undo", what_came_later_falls_too),
    "K12": ("texts._answer", nothing),
    "L1": ("setup.setup", silence_is_off),
    "L5": ("effects.contest.answer", lambda old: lambda *all_, **_how: old(*all_, valid=True)),
    "N3": ("effects.drawing.emptied", the_empty_hand_ends_the_turn),
    "O1": ("effects.turns.begin", lambda old: lambda setup, builder, seat, **_how: old(setup, builder, seat)),
    "O4": ("effects.placement._index", answers(1)),
    "P7": ("effects.placement._index", a_trump_for_a_called_card),
    "Q2": ("effects.placement._index", answers(1)),
    "Q3": setting("joker_any_time"),
    "Q6": ("effects.placement._recover", answers(None)),
    "A3": ("rules.legality.awaits_deal", answers(False)),
    "A4": ("setup.SEATS_AT_MOST", constant(10)),
    "A5": ("setup.SEATS_AT_MOST", constant(6)),
    "A8": ("rules.legality._pass", nothing),
    "B2": ("effects.placement._take_from_pool", nothing),
    "B3": ("rules.placement.OWN_DISCARD", lambda _old: importlib.import_module(f"{RULES}.rules.placement").NOT_THERE),
    "B5": ("state.tree_zone", answers("tree")),
    "C1": ("rules.placement.source", nothing),
    "C2": ("rules.placement.prerequisites", nothing),
    "C3": ("rules.placement.link", nothing),
    "C4": ("rules.placement.link", nothing),
    "C5": ("rules.placement.base_for", answers(None)),
    "C6": ("effects.placement._index", answers(1)),
    "C7": ("rules.placement.source", nothing),
    "D1": ("effects.drawing.due_draw", nothing),
    "D2": ("effects.turns.finish_turn", lambda old: lambda setup, builder, *, draws: old(setup, builder, draws=True)),
    "D3": ("rules.legality.due_discard", answers(False)),
    "D4": ("effects.drawing.due_draw", nothing),
    "D5": ("effects.turns.replace", lambda old: lambda turn, **facts: old(turn, **(facts | {"trumps": turn.trumps}))),
    "E1": ("effects.drawing.victims", answers((1, 2, 3))),
    "E2": ("effects.drawing.owe_steal", nothing),
    "E3": setting("steals_at_start"),
    "E4": ("effects.drawing.bereaved", nothing),
    "E6": ("effects.drawing.emptied", nothing),
    "E7": setting("victim_draws_first"),
    "E8": ("effects.drawing.bereaved", nothing),
    "F1": ("effects.placement._era", answers(frozenset())),
    "F2": ("effects.drawing.emptied", nothing),
    "F4": setting("empty_trump"),
    "F6": ("effects.placement._index", answers(1)),
    "F7": setting("trump_steal"),
    "F8": ("rules.legality._exchange", nothing),
    "F9": ("rules.legality._discard", nothing),
    "F11": ("effects.scoring.TRUMP_POINTS", constant(0)),
    "G1": ("rules.legality._call", nothing),
    "G2": ("rules.calls.callable_era", answers(True)),
    "G4": ("rules.legality._own_turn", nothing),
    "G5": ("rules.calls.failure", answers(None)),
    "G6": ("rules.calls.failure", answers(None)),
    "G8": ("effects.placement._recover", answers(None)),
    "H1": setting("joker_any_time"),
    "H2": ("rules.placement.joker_placement", nothing),
    "H3": ("rules.placement.prerequisites", nothing),
    "H5": ("effects.placement._era", answers(frozenset())),
    "H6": ("effects.placement._recover", answers(None)),
    "H7": ("effects.placement.play_outside", nothing),
    "H8": ("rules.legality._interrupt", nothing),
    "I1": ("rules.legality._ask", nothing),
    "I2": setting("asked_duty"),
    "I3": ("effects.drawing.team_empty", answers(True)),
    "I4": ("effects.scoring.leaders", answers((1,))),
    "J2": ("effects.bots.flip", nothing),
    "J3": ("effects.bots._use_held", nothing),
    "J5": ("rules.legality._flip", nothing),
    "J6": setting("bot_steals"),
    "J7": setting("bot_series"),
    "J8": setting("steals_at_start"),
    "J9": ("effects.bots._placeable", answers(False)),
    "K2": ("rules.contest.expired", answers(False)),
    "K3": ("rules.contest._stop", nothing),
    "K4": ("rules.placement.true_objections", nothing),
    "K5": ("effects.contest._punish", nothing),
    "K6": ("effects.contest._pay", nothing),
    "K7": ("effects.contest._pay", nothing),
    "K8": ("effects.contest._undo", nothing),
    "K9": ("effects.contest._punish", nothing),
    "K11": ("rules.placement.announcement", nothing),
    "M1": setting("rising"),
    "M2": ("effects.scoring.TRUMP_POINTS", constant(0)),
    "M3": setting("penalty"),
    "M4": ("effects.scoring.leaders", answers((1,))),
    "N1": ("effects.drawing.win", nothing),
    "N2": setting("all_hands"),
    "N4": ("rules.legality.stalemate", answers(False)),
    "O2": setting("steals_at_start"),
    "O3": setting("resume_before"),
    "O5": ("effects.drawing.emptied", nothing),
    "P1": ("rules.calls.callable_era", answers(True)),
    "P2": ("rules.calls.callable_era", answers(True)),
    "P3": ("rules.calls.failure", answers(None)),
    "P4": ("rules.calls.failure", answers(None)),
    "P5": ("rules.calls.failure", answers(None)),
    "P6": ("effects.placement._index", answers(1)),
    "P8": ("effects.drawing.bereaved", nothing),
    "Q1": ("effects.placement.card_points", nothing),
    "Q4": ("effects.placement.play_outside", nothing),
    "Q5": ("rules.legality._interrupt", nothing),
    "R1": setting("steals_at_start"),
    "R2": ("effects.bots._joker", nothing),
    "R3": ("effects.bots._place", nothing),
    "R4": ("effects.bots._discard", nothing),
    "R5": ("effects.bots._use_held", nothing),
    "R6": ("effects.drawing.due_draw", nothing),
    "R7": ("effects.drawing.emptied", nothing),
    "R8": setting("bot_series"),
    "T1": ("effects.contest._pay", nothing),
    "T2": ("effects.contest._undo", nothing),
    "T3": ("effects.contest._give_back", nothing),
    "T4": ("effects.contest._punish", nothing),
    "L2": ("effects.placement._era", answers(frozenset())),
    "L3": ("rules.calls.failure", answers(None)),
    "L4": ("texts._answer", nothing),
}
"""By id: what guards the rule, and what stands there when it is switched off."""

NO_CODE: Mapping[str, str] = {
    "A2": "the shuffle happens at the table, and the deck's order is used nowhere",
    "B1": "a row of the tree is no zone, so there is nothing to read it by",
    "M5": "no bound is kept that could be reached",
}
"""Rules that hold because something is not there: nothing can be switched off."""

# Carcassonne: The Discovery.


def nobody_simply_ends(_old: Any) -> Any:
    """No turn ends without a follower."""
    order = importlib.import_module("companion.games.carcassonne.rules.turns").ORDER
    return lambda *_args: (order,)


def only_complete_territories(old: Any) -> Any:
    return lambda found, **how: old(found, **how) if found.complete else 0


def one_follower_scores_for_a_territory(old: Any) -> Any:
    """As if a territory were one follower's: only the first one on the map counts at the end."""

    def final(setup: Any, public: Any) -> Any:
        first = dict(sorted(public.followers.items())[:1])
        return old(setup, replace(public, followers=first))

    return final


def the_follower_stays(_old: Any) -> Any:
    return lambda _setup, public, _move: public


CARCASSONNE_OFF: Mapping[str, tuple[str, Change]] = {
    "C1": ("rules.laying.start_first", nothing),
    "C2": ("setup.COUNTERS", constant(5)),
    "C3": ("state.first_seat", answers(1)),
    "C4": ("rules.turns.clockwise", nothing),
    "C5": ("rules.turns.tile_first", nothing),
    "C6": ("rules.followers.once", nothing),
    "C7": ("rules.turns.may_end", nobody_simply_ends),
    "C8": ("rules.laying.touches", nothing),
    "C9": ("rules.laying.continues", nothing),
    "C10": ("rules.laying.no_place", nothing),
    "C11": ("rules.followers.once", nothing),
    "C12": ("rules.followers.from_supply", nothing),
    "C13": ("rules.followers.on_new_tile", nothing),
    "C14": ("rules.followers.untaken", nothing),
    "C15": ("rules.followers.own_follower", nothing),
    "C16": ("territory.worth", only_complete_territories),
    "C17": ("territory.grassland_value", answers(0)),
    "C18": ("territory.mountain_value", answers(0)),
    "C19": ("territory.sea_value", answers(0)),
    "C20": ("effects.scoring.final_scoring", one_follower_scores_for_a_territory),
    "C21": ("effects.followers.take_up", the_follower_stays),
    "C22": ("state.at_the_end", answers(False)),
    "C23": ("territory.worth", lambda old: lambda found, **_how: old(found)),
}


@dataclass(frozen=True)
class Book:
    """The rules of one game: its package under ``companion.games`` and its tests, both by its name."""

    name: str
    off: Mapping[str, tuple[str, Change]]
    no_code: Mapping[str, str]

    @property
    def package(self) -> str:
        return f"companion.games.{self.name}"


BOOKS = {book.name: book for book in (Book("discovery", OFF, NO_CODE), Book("carcassonne", CARCASSONNE_OFF, {}))}


def switch_off(book: Book, rule: str) -> None:
    """Put the neutral stand-in wherever the guard is known by name."""
    target, change = book.off[rule]
    folder = ROOT / "companion" / "games" / book.name
    for path in sorted(folder.rglob("*.py")):
        importlib.import_module(
            ".".join((book.package, *path.relative_to(folder).with_suffix("").parts)).removesuffix(".__init__")
        )
    *way, name = target.split(".")
    inside = [part for part in range(1, len(way) + 1) if ".".join((book.package, *way[:part])) in sys.modules]
    holder: Any = sys.modules[".".join((book.package, *way[: inside[-1]]))]
    owner = way[inside[-1] :]
    for part in owner:
        holder = getattr(holder, part)
    old = getattr(holder, name)
    new = change(old)
    if owner:
        setattr(holder, name, new)
    for known in [one for key, one in sys.modules.items() if key.startswith(book.package)]:
        if getattr(known, name, None) is old:
            setattr(known, name, new)


def carriers(book: Book, rule: str) -> list[str]:
    """The tests that carry the id."""
    found = []
    for path in sorted((TESTS / book.name).glob("test_*.py")):
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("def test_"):
                name = line.removeprefix("def ").partition("(")[0]
                if rule.lower() in name.split("_"):
                    found.append(f"{path}::{name}")
    return found


def noticed(book: Book, rule: str) -> bool:
    """Whether a test with the id fails while the rule is off; in a child, so that the next rule starts afresh."""
    child = os.fork()
    if child == 0:
        os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = (
            "1"  # none of them is needed, and they take longer than the tests
        )
        switch_off(book, rule)
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            status = pytest.main(["-q", "-x", "-p", "no:cacheprovider", "-p", "pytest_timeout", *carriers(book, rule)])
        os._exit(int(status))
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status) == int(pytest.ExitCode.TESTS_FAILED)


def main() -> int:
    options = argparse.ArgumentParser(description="Switch rules off, and see whether a test notices.")
    options.add_argument("--game", choices=BOOKS, default="discovery")
    options.add_argument("rules", nargs="*", metavar="RULE")
    chosen = options.parse_args()
    book = BOOKS[chosen.game]
    rules, silent = chosen.rules or list(book.off), []
    for rule in rules:
        heard = noticed(book, rule)
        verdict = "fails" if heard else "NOT NOTICED"
        sys.stdout.write(f"{rule:4} {book.off[rule][0]:32} {len(carriers(book, rule)):2} tests  {verdict}\n")
        silent += [] if heard else [rule]
    for rule, why in book.no_code.items():
        sys.stdout.write(f"{rule:4} has no code: {why}\n")
    sys.stdout.write(f"{len(rules)} rules switched off; not noticed: {', '.join(silent) or 'none'}\n")
    return 1 if silent else 0


if __name__ == "__main__":
    sys.exit(main())
