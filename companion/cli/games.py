"""``companion game``: writes the package of a new game, checks an installed one, and prints what one may fill in."""

from __future__ import annotations

import argparse

from companion.cli.output import DONE, NO, print_line


def new(arguments: argparse.Namespace) -> int:
    from companion.games.new_game import write_game

    folder = write_game(arguments.name, arguments.into)
    print_line(f"{folder}: written. Next: pip install -e {folder}, then companion run --game {arguments.name}")
    return DONE


def reference(_arguments: argparse.Namespace) -> int:
    from companion.games.reference import reference as page

    print_line(page().rstrip("\n"))
    return DONE


def check(arguments: argparse.Namespace) -> int:
    """Print each thing that every game must keep to; the answer is "no" if it does not keep to one."""
    from companion.errors import CompanionError
    from companion.games.conformance import GameUnderTest, raised_in, run_checks
    from companion.games.registry import game_module, locale_folders
    from web.pages.game_pages import fault_of_pages
    from web.pages.game_words import missing_words

    broken = False
    name, module = arguments.name, game_module(arguments.name)
    try:
        tested = GameUnderTest(module)
    except CompanionError:
        raise
    except Exception as bug:  # noqa: BLE001  # a game that is being written may raise anything
        print_line(f"NO   the match of its demonstration opens: {raised_in(bug, module.package)}")
        return NO
    pages = ("its pages load and have their files", fault_of_pages(name))
    zones = [str(zone.name) for zone in tested.game.table.layout.zones]
    words = (
        "what its pages say is in its catalogs in every language",
        missing_words(name, locale_folders(), zones, tested.offered()),
    )
    for sentence, wrong in (*run_checks(tested), pages, words):
        print_line(f"{'yes' if wrong is None else 'NO '}  {sentence}" + ("" if wrong is None else f": {wrong}"))
        broken = broken or wrong is not None
    return NO if broken else DONE
