"""Switches the rules off one by one and shows that the test with the rule's id, or a vector, notices.

    python tests/tools/switch_off.py                            every rule of Discovery, as a table
    python tests/tools/switch_off.py C2 G7                      these
    python tests/tools/switch_off.py --game carcassonne C9      those of another game
    python tests/tools/switch_off.py --vectors                  every vector, with what tests/vectors/sentences.md names
    python tests/tools/switch_off.py --vectors A8               these

Each id names the function or setting that guards it. A setting is turned round in all profiles, a function made to
answer nothing; then the tests that carry the id and the vectors of the rule are run in a process of their own, and one
must fail. A vector must be told otherwise by the referee; what holds a single vector only is in ``OF_VECTORS``.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
import json
import os
import re
import signal
import sys
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

RULES = "companion.games.discovery"
TESTS = ROOT / "tests" / "companion" / "games"
VECTORS = ROOT / "tests" / "vectors"
SENTENCES = ROOT / "tests" / "vectors" / "sentences.md"
OF_VECTOR = ROOT / "tests" / "companion" / "history" / "test_vectors.py::test_the_engine_tells_it_the_same_way"
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
        chains = tuple(tuple(replace(base, joker=False) for base in chain) for chain in turn.chains)
        return old(setup, replace(turn, chains=chains), card, as_joker=False)

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
    def setup(*all_: Any) -> Any:
        made = old(*all_)
        return replace(made, options=replace(made.options, stop=False))

    return setup


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


def trumps_outlive_the_turn(old: Any) -> Any:
    turns, kept = importlib.import_module(f"{RULES}.effects.turns"), [0]
    begin = turns.begin

    def begins(setup: Any, builder: Any, seat: int, *, extra: bool = False) -> None:
        begin(setup, builder, seat, extra=extra)
        builder.turn = replace(builder.turn, trumps=0 if extra else kept.pop() if kept else 0)

    def finish_turn(setup: Any, builder: Any, *, draws: bool) -> None:
        kept[:] = [builder.turn.trumps]
        old(setup, builder, draws=draws)

    turns.begin = begins
    return finish_turn


def calls_are_only_answered_by_placing(_old: Any) -> Any:
    return lambda _setup, _turn, move: move.do == "place" and move.source == "called"


def a_win_hangs_on_its_last_act(old: Any) -> Any:
    def hang(setup: Any, builder: Any, at: Any) -> None:
        known = builder.acts
        builder.acts = tuple(act for act in known if act.number == builder.deciding_act)
        old(setup, builder, at)
        builder.acts = known

    return hang


def never_era_six(_old: Any) -> Any:
    return lambda _setup, position, era: era < 6 and position.eras[era] > 0


def the_last_act_whosever_it_is(_old: Any) -> Any:
    return lambda _setup, public, _move, _at: public.acts[-1] if public.acts else None


def seconds_alone(_old: Any) -> Any:
    """The ten seconds close an act, whether anybody has acted since or not."""
    return lambda setup, _position, act, at: at.time_s - act.time_s >= setup.options.contest_s


def a_pool_is_dealt_again(_old: Any) -> Any:
    importlib.import_module(f"{RULES}.game").lying_twice = lambda _position: frozenset()  # type: ignore[attr-defined]

    def deal(_setup: Any, _state: Any, builder: Any, pool: tuple[str, ...]) -> None:
        builder.pool = (*pool, *(None,) * (len(builder.pool) - len(pool)))

    return deal


def every_joker_brings_the_bonus(old: Any) -> Any:
    def trump(setup: Any, builder: Any, how: str, era: int = 0) -> None:
        old(setup, builder, "emptied" if how == "joker" else how, era)

    return trump


def without_a_steal_that_nobody_can_pay_yet(old: Any) -> Any:
    def owe_steal(setup: Any, builder: Any, seat: int) -> None:
        if named("effects.drawing", "victims")(builder.hands, seat):
            old(setup, builder, seat)

    return owe_steal


def duties(**off: bool) -> Change:
    """Every duty to discard made without its draw, or without being the asked card's."""

    def change(old: Any) -> Any:
        return lambda seat, do, draws=False, asked=False: old(
            seat, do, **({"draws": draws, "asked": asked} | (off if do == "discard" else {}))
        )

    return change


OFF: Mapping[str, tuple[str, Change]] = {
    "A1": ("match_file.JOKERS_AT_MOST", constant(0)),
    "A6": ("setup.Setup.following", lambda _old: lambda _setup, seat, _away: seat),
    "A7": ("effects.turns.opening", without_jokers_in_the_stack),
    "B4": ("state.PositionBuilder.give", hands_of_five),
    "E5": (
        "effects.drawing.bereaved",
        lambda _old: lambda _setup, builder, victim: named("effects.drawing", "draw")(builder, victim, 1),
    ),
    "F3": ("effects.drawing.bereaved", the_robbed_wins_a_trump),
    "F5": ("effects.placement._index", trumps_are_used_at_once),
    "F10": ("rules.legality.call", nothing),
    "G3": ("rules.calls.failure", answers("not-there")),
    "G7": ("effects.placement.lay", through_the_hand),
    "H4": ("rules.placement.base_for", as_if_no_joker),
    "H9": ("rules.legality.interrupt", nothing),
    "H10": ("rules.legality.joker", nothing),
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
    "A8": ("rules.legality.pass_turn", nothing),
    "B2": ("effects.placement._take_from_pool", nothing),
    "B3": ("rules.placement.OWN_DISCARD", lambda _old: importlib.import_module(f"{RULES}.rules.placement").NOT_THERE),
    "B5": ("secrecy.tree_zone", answers("tree")),
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
    "D5": ("effects.turns.finish_turn", trumps_outlive_the_turn),
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
    "F8": ("rules.legality.exchange", nothing),
    "F9": ("rules.legality.discard", nothing),
    "F11": ("effects.scoring.TRUMP_POINTS", constant(0)),
    "G1": ("rules.legality.call", nothing),
    "G2": ("rules.calls.callable_era", answers(True)),
    "G4": ("rules.legality.place", nothing),
    "G5": ("rules.calls.failure", answers(None)),
    "G6": ("rules.calls.failure", answers(None)),
    "G8": ("effects.placement._recover", answers(None)),
    "H1": setting("joker_any_time"),
    "H2": ("rules.placement.joker_placement", nothing),
    "H3": ("rules.placement.prerequisites", nothing),
    "H5": ("effects.placement._era", answers(frozenset())),
    "H6": ("effects.placement._recover", answers(None)),
    "H7": ("effects.placement.play_outside", nothing),
    "H8": ("rules.legality.interrupt", nothing),
    "I1": ("rules.legality.ask", nothing),
    "I2": setting("asked_duty"),
    "I3": ("effects.drawing.team_empty", answers(True)),
    "I4": ("effects.scoring.leaders", answers((1,))),
    "J2": ("effects.bots.flip", nothing),
    "J3": ("effects.bots._use_held", nothing),
    "J5": ("rules.legality.bots_flip", nothing),
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
    "Q5": ("rules.legality.interrupt", nothing),
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

CALL_FAILED = ("effects.calls._contestable", nothing)
WINNER = ("effects.contest._hang_win", a_win_hangs_on_its_last_act)
STOPPED_BASE = ("effects.contest.keep_bases", lambda _old: lambda turn, _keeps: turn)
OF_VECTORS: Mapping[str, tuple[str, Change]] = {
    "A3-allowed": ("effects.apply._deal", a_pool_is_dealt_again),
    "E1-counted": ("effects.turns._lapse", nothing),
    "E1-in-order": ("effects.drawing.owe_steal", without_a_steal_that_nobody_can_pay_yet),
    "F11-option": ("effects.scoring.trump", every_joker_brings_the_bonus),
    "G2-era-6": ("rules.calls.callable_era", never_era_six),
    "G5-given-up": ("rules.legality.answers_call", calls_are_only_answered_by_placing),
    "H6-played-again": ("effects.contest.whereabouts", answers(None)),
    "I2-after-stop": ("state.OwedAct", duties(draws=False)),
    "I2-one-for-both": ("state.OwedAct", duties(asked=False)),
    "I3-mate-left": ("effects.turns.somebody_empty", answers(False)),
    "J3-counted": ("effects.contest._row_ran_out", answers(False)),
    "K2-nothing-later": ("rules.contest.expired", seconds_alone),
    "K2-uncontested": ("effects.contest.close", nothing),
    "K2-winner": WINNER,
    "K2-winner-robbed": WINNER,
    "K2-winner-untimed": WINNER,
    "K3-own": ("rules.contest.contested", the_last_act_whosever_it_is),
    "K4-call-failed-en-intro": CALL_FAILED,
    "K4-call-failed-en-memory": CALL_FAILED,
    "K4-call-failed-era": CALL_FAILED,
    "K4-call-failed-fr-bluff": CALL_FAILED,
    "K4-call-failed-own-hand": CALL_FAILED,
    "K4-call-failed-pool": CALL_FAILED,
    "K9-call": CALL_FAILED,
    "N2-counted": ("effects.turns.somebody_empty", answers(False)),
    "O3-stopped-en-memory": STOPPED_BASE,
    "O3-stopped-fr-bluff": STOPPED_BASE,
    "O3-stopped-fr-explore": STOPPED_BASE,
    "TV19-en-explore": setting("joker_free_card"),
    "allowed-struck-counted": ("rules.placement.prerequisites", nothing),
}
"""By vector: what it alone guards, for the switches of its rules leave it as it was or say less."""

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


# Darwinci.


def the_colour_of_whoever_bid_first(_old: Any) -> Any:
    """As if a tile were the first stone's."""
    return lambda setup, public, seller: {
        setup.owners[card]: 1 for card in list(public.stones) if public.stones[card] == f"offer-{seller}"
    }


def the_lowest_seat_of_a_tie(_old: Any) -> Any:
    return lambda _setup, _public, strength: max(sorted(strength), key=lambda seat: strength[seat])


def stones_stay_with_the_seller(_old: Any) -> Any:
    return lambda _setup, stones: dict.fromkeys(stones, 1)


def unsold_tiles_are_won(_old: Any) -> Any:
    return lambda _won: ()


def the_holder_keeps_it(_old: Any) -> Any:
    return lambda _setup, public: public.holder


def all_the_richest(_old: Any) -> Any:
    """Whatever their creatures."""
    return importlib.import_module("companion.games.darwinci.rules.rounds").richest


DARWINCI_OFF: Mapping[str, tuple[str, Change]] = {
    "W1": ("rules.plots.shares", nothing),
    "W2": ("effects.plots.first_player", lambda _old: lambda _setup, holder: holder),
    "W3": ("setup.FIRST_MONEY", constant(0)),
    "W4": ("rules.plots.first_tiles", nothing),
    "W5": ("effects.plots.cost", answers(0)),
    "W6": ("rules.rounds.once_before_offers", nothing),
    "W7": ("rules.rounds.tiles_first", nothing),
    "W8": ("rules.stones.at_turn", nothing),
    "W9": ("rules.stones.from_reserve", nothing),
    "W10": ("rules.stones.duty", nothing),
    "W11": ("rules.stones.one_of_own", nothing),
    "W12": ("rules.stones.not_too_many", nothing),
    "W13": ("rules.stones.extra_stone", answers(0)),
    "W14": ("rules.stones.not_too_many", nothing),
    "W15": ("rules.awards.majority", the_colour_of_whoever_bid_first),
    "W16": ("rules.awards.tie", the_lowest_seat_of_a_tie),
    "W17": ("rules.awards.next_first", lambda _old: lambda _setup, public, _won: public.first),
    "W18": ("effects.bidding.unsold", unsold_tiles_are_won),
    "W19": ("rules.awards.taken_back", answers("")),
    "W20": ("rules.awards.payment", answers(())),
    "W21": ("rules.awards.colours_home", stones_stay_with_the_seller),
    "W22": ("rules.plots.edge_to_edge", nothing),
    "W23": ("rules.plots.in_frame", nothing),
    "W24": ("rules.rounds.stays", nothing),
    "W25": ("effects.plots.cost", answers(0)),
    "W26": ("rules.awards.next_holder", the_holder_keeps_it),
    "W27": ("rules.rounds.last_round", nothing),
    "W28": ("rules.plots.all_laid", nothing),
    "W29": ("rules.plots.rotten_first", nothing),
    "W30": ("rules.rounds.richest", lambda _old: lambda setup, _public: setup.seats),
    "W31": ("rules.rounds.winners", all_the_richest),
    "W32": ("rules.stones.big_first", nothing),
}


LANDS_OFF: Mapping[str, tuple[str, Change]] = {
    "U1": ("rules.turns.first_day", nothing),
    "U2": ("rules.turns.blue_first", nothing),
    "U3": ("rules.turns.projects_drawn", nothing),
    "U5": ("setup.START", constant(())),
    "U6": ("effects.days.refreshed", lambda _old: lambda setup: (0,) * len(setup.players)),
    "U7": ("rules.acts.enough_stamina", nothing),
    "U8": ("effects.travels.gather", lambda _old: lambda public, _move: public),
    "U9": ("effects.travels.first_water", lambda _old: lambda public, *_all: public.springs),
    "U10": ("rules.turns.dirty_drunk", nothing),
    "U11": ("rules.turns.light_enough", nothing),
    "U12": ("rules.ways.open_way", nothing),
    "U13": ("rules.turns.hunted", nothing),
    "U14": ("rules.ways.beside", nothing),
    "U15": ("rules.acts.at_a_fire", nothing),
    "U16": ("rules.acts.has_all", nothing),
    "U17": ("rules.acts.project_price", nothing),
    "U18": ("rules.ways.together", nothing),
    "U19": ("rules.acts.on_a_landmark", nothing),
    "U20": ("rules.acts.heals_with", answers("wood")),
    "U21": ("rules.acts.price", answers(0)),
    "U22": ("rules.acts.other_name", nothing),
    "U23": ("effects.travels.ENEMIES", constant(())),
    "U24": ("rules.turns.night_resolved", nothing),
    "U25": ("rules.turns.tribal", nothing),
    "U26": ("view.owed", nothing),
    "U27": ("texts.monsters", nothing),
    "U28": ("texts.monsters", nothing),
    "U29": ("rules.fights.changed", lambda _old: lambda fight, _move: (fight.grey, fight.red)),
    "U30": ("rules.fights.used_once", nothing),
    "U31": ("rules.fights.hits", answers(False)),
    "U32": ("rules.fights.hurts", answers(False)),
    "U33": ("rules.fights.beaten", answers(False)),
    "U34": ("rules.fights.stays_for_more", answers(False)),
    "U35": ("effects.fighting.flee", lambda _old: lambda _setup, public, _seat: public),
    "U36": ("rules.ways.near_enough", nothing),
    "U38": ("setup.FATAL", constant(5)),
    "U39": ("rules.legality._loot", nothing),
    "U40": ("effects.days.token_after", lambda _old: lambda _setup, public, _seat: public.first),
    "U41": ("effects.days.ended", lambda _old: lambda _setup, public: public),
    "U42": ("rules.turns.in_turn", nothing),
}
LANDS_NO_CODE = {
    "U4": "people choose their characters",
    "U37": "whether a reward is shared is settled by people",
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


BOOKS = {
    book.name: book
    for book in (
        Book("discovery", OFF, NO_CODE),
        Book("carcassonne", CARCASSONNE_OFF, {}),
        Book("darwinci", DARWINCI_OFF, {}),
        Book("lands", LANDS_OFF, LANDS_NO_CODE),
    )
}


def switch_off(book: Book, rule: str) -> None:
    """Put the neutral stand-in wherever the guard is known by name."""
    target, change = book.off.get(rule) or OF_VECTORS[rule]
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
        for key, table in list(vars(known).items()):  # of rules: by kind of move, or in their order
            if isinstance(table, dict) and not key.startswith("__"):
                table.update({kind: new for kind, one in table.items() if one is old})
                rows = {
                    kind: row
                    for kind, row in table.items()
                    if isinstance(row, tuple) and any(one is old for one in row)
                }
                table.update({kind: tuple(new if one is old else one for one in row) for kind, row in rows.items()})
            elif isinstance(table, tuple) and any(one is old for one in table):
                setattr(known, key, tuple(new if one is old else one for one in table))


def carriers(book: Book, rule: str) -> list[str]:
    """The tests that carry the id; in Discovery also the vectors of its sentences."""
    found = []
    for path in sorted((TESTS / book.name).glob("test_*.py")):
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("def test_"):
                name = line.removeprefix("def ").partition("(")[0]
                if rule.lower() in name.split("_"):
                    found.append(f"{path}::{name}")
    return found + [f"{OF_VECTOR}[{name}]" for name in vectors_of(rule) if book.name == "discovery"]


def noticed(book: Book, rule: str) -> bool:
    """Whether a test with the id fails while the rule is off; in a child, so that the next rule starts afresh."""
    child = os.fork()
    if child == 0:
        os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = (
            "1"  # none of them is needed, and they take longer than the tests
        )
        switch_off(book, rule)
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            quick = ("-q", "-x", "-p", "no:cacheprovider", "-p", "pytest_timeout", "--timeout=60")  # a turn without end
            status = pytest.main([*quick, *carriers(book, rule)])
        os._exit(int(status))
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status) == int(pytest.ExitCode.TESTS_FAILED)


def sentences() -> list[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """The lines of tests/vectors/sentences.md: where the sentence stands, its rules, its vectors."""
    found = []
    for line in SENTENCES.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 4 and re.match(r"[A-T]\d", cells[2]):
            names = () if cells[3].startswith("none: ") else tuple(cells[3].split(", "))
            found.append((f"{cells[0]}: {cells[1]}", tuple(cells[2].split(", ")), names))
    return found


def vectors_of(rule: str) -> list[str]:
    return sorted(name for name, keys in switches().items() if rule in keys)


def switches() -> dict[str, set[str]]:
    """By vector the keys of what holds it: the rules of its sentences, its own rule, and what it alone guards."""
    known = {path.stem: set[str]() for path in VECTORS.glob("*.jsonl")}
    for _, rules, names in sentences():
        for name in names:
            known[name] |= set(rules) & OFF.keys()
    for name, keys in known.items():
        keys |= {key for key in re.findall(r"^([A-T]\d+)(?=-|$)", name) if key in OFF}
        keys |= {name} & OF_VECTORS.keys()
    return known


def told_otherwise(path: Path) -> bool:
    """Whether the referee says something else to a vector than what stands in it."""
    from companion.app.rejudge import rejudge
    from companion.games.registry import open_match
    from companion.history.codec import encode_line
    from companion.storage.record_file import read_record

    def said(entry: Mapping[str, Any]) -> list[Any]:
        faults = {(item["rule"], *sorted(item.get("cards", ()))) for item in entry.get("objections", ())}
        points = entry.get("points", 0) if "move" in entry else 0
        return [faults, points, *(entry.get(key) for key in ("event", "failed", "held", "standing"))]

    try:
        kept = read_record(path)
        judged = rejudge(open_match(kept.header["match"], kept.header["deck"]).game, kept)
        pairs = zip(judged.go(), kept.entries, strict=True)
        return any(said(encode_line(judged.record.lines[-1])) != said(entry) for _, (_, entry) in pairs)
    except Exception:  # noqa: BLE001  # without a rule anything may go wrong
        return True


def noticing(key: str, names: list[str]) -> list[str]:
    """Which of these vectors the referee tells otherwise while something is off."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        signal.alarm(300)  # a rule that is off may leave a turn without end
        switch_off(BOOKS["discovery"], key)
        told = [name for name in names if told_otherwise(VECTORS / f"{name}.jsonl")]
        os.write(writer, json.dumps(told).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        said = pipe.read()
    _, status = os.waitpid(child, 0)
    if os.waitstatus_to_exitcode(status) == -signal.SIGALRM:
        return names  # it never came to an end: that is told otherwise, too
    if not said:
        raise RuntimeError(f"{key} could not be switched off")
    return json.loads(said)


def vectors(wanted: list[str]) -> int:
    """Every vector, or those wanted, with what holds it; status 1 when one, or one of a sentence, is not noticed."""
    held: dict[str, list[str]] = defaultdict(list)
    heard: dict[str, set[str]] = defaultdict(set)
    holding = {name: keys for name, keys in switches().items() if name in (wanted or switches())}
    for name, keys in holding.items():
        for key in keys:
            held[key].append(name)
    for key in sorted(held):
        for name in noticing(key, held[key]):
            heard[name].add(key)
    deaf = sorted(name for name, keys in holding.items() if keys and not heard[name])
    deaf += sorted(name for name in holding.keys() & OF_VECTORS if heard[name] and name not in heard[name])
    unheld = [
        f"{where} ({name})"
        for where, rules, names in sentences()
        for name in names
        if name in holding and not heard[name] & {*rules, name}
    ]
    for line in (*(f"{name}: no switch of its makes it fail" for name in deaf), *unheld):
        sys.stdout.write(f"NOT NOTICED {line}\n")
    found = [names for *_, names in sentences()]
    sys.stdout.write(
        f"{len(found)} sentences, {sum(map(bool, found))} with vectors; "
        f"{sum(map(bool, heard.values()))} vectors fail under {len(held)} switches; "
        f"not noticed: {len(deaf) + len(unheld) or 'none'}\n"
    )
    return 1 if deaf or unheld else 0


def main() -> int:
    options = argparse.ArgumentParser(description="Switch rules off, and see whether a test notices.")
    options.add_argument("--game", choices=BOOKS, default="discovery")
    options.add_argument("--vectors", action="store_true", help="vectors of Discovery instead of tests")
    options.add_argument("rules", nargs="*", metavar="RULE")
    chosen = options.parse_args()
    if chosen.vectors:
        return vectors(chosen.rules)
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
