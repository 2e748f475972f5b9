"""``companion game``: writes the package of a new game, and checks one that is installed."""

from __future__ import annotations

import argparse

from companion.cli.output import DONE, NO, print_line


def new(arguments: argparse.Namespace) -> int:
    from companion.games.new_game import write_game

    folder = write_game(arguments.name, arguments.into)
    print_line(f"{folder}: written. Next: pip install -e {folder}, then companion run --game {arguments.name}")
    return DONE


def check(arguments: argparse.Namespace) -> int:
    """Print each thing that every game must keep to; the answer is "no" if it does not keep to one."""
    from companion.games.conformance import GameUnderTest, run_checks
    from companion.games.registry import game_module
    from web.pages.game_pages import fault_of_pages

    broken = False
    checks = run_checks(GameUnderTest(game_module(arguments.name)))
    pages = ("its pages load and have their files", fault_of_pages(arguments.name))
    for sentence, wrong in (*checks, pages):
        print_line(f"{'yes' if wrong is None else 'NO '}  {sentence}" + ("" if wrong is None else f": {wrong}"))
        broken = broken or wrong is not None
    return NO if broken else DONE
