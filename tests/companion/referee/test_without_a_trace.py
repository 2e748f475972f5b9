"""The acts that leave no trace on the table, drawn from the rules: ``docs/unspoken.md`` lists each of them."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from support.long_cases import examples

from companion.games.protocol import MoveContext
from companion.games.registry import GAMES, demo_deck, open_match
from companion.public.table import changes

PAGE = Path(__file__).parents[3] / "docs" / "unspoken.md"
PLAYED = ("discovery", "carcassonne", "darwinci", "lands")


def listed(name: str) -> set[str]:
    """The acts of a game, as the page has them."""
    (row,) = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith(f"| {name} |")]
    return {act.strip() for act in row.split("|")[2].split(",")}


def moves_of(name: str) -> set[str]:
    """All that may be done in a game."""
    match = {"game": name, **GAMES[name].demonstration.match}
    return set(open_match(match, demo_deck(GAMES[name])).game.rules.moves)


def without_a_trace(name: str, matches: int, acts: int) -> tuple[set[str], set[str]]:
    """The acts that have left what should lie on the table as it was, and all that were done."""
    module, traceless, done = GAMES[name], set[str](), set[str]()
    for seed in range(matches):
        dice = Random(seed)
        profile = module.profiles[seed % len(module.profiles)]
        match = {"game": name, **module.demonstration.random_match(dice, profile)}
        game = open_match(match, demo_deck(module)).game
        player, state = module.demonstration.random_player(game), game.rules.start
        for number in range(1, acts):
            at, public = MoveContext(number, float(number)), game.public(state)
            lawful = (move for move in player(public, dice, at) if not game.rules.judge(public, move, at))
            if (move := next(lawful, None)) is None:
                break
            state = game.hidden.apply(state, move, at, game.rules.apply(state, move, at)).state
            done.add(move.do)
            if not changes(game.table.expected(public), game.table.expected(game.public(state)).cards):
                traceless.add(move.do)
    return traceless, done


@pytest.mark.parametrize("name", PLAYED)
def test_the_page_lists_every_act_that_leaves_no_trace(name: str) -> None:
    traceless, done = without_a_trace(name, examples(5, 40), 90)
    assert traceless
    assert traceless <= listed(name)
    assert listed(name) <= moves_of(name)
    if examples(0, 1):
        assert listed(name) & done == traceless
