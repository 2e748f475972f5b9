"""The core knows no game: outside a game's own folders nobody says its name, nor what it calls a part of its table."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from companion.games import registry
from companion.games.registry import demo_deck, demo_match
from companion.public.table import COMMAND_ZONE

ROOT = Path(__file__).parents[2]
GAMES = tuple(registry.GAMES.values())
KINDS = {".py", ".js", ".html", ".css"}

CORE_MAY = {
    "companion/games/__init__.py": "its example lists the games that there are",
    "companion/public/decks.py": "the default game, named once",
    "companion/plugins/broker.py": "Home Assistant calls its way to find devices discovery",
    "companion/plugins/mqtt/publisher.py": "Home Assistant calls its way to find devices discovery",
}

COMMON_WORDS = {"map", "night", "out"}
"""Zones whose names mean something everywhere: `map` is a word of every language, a box is quiet at night."""
HTML_WORDS = {"field", "aside"}
"""These mean something in every page."""


def games_own(path: Path) -> bool:
    """Whether a file lies in a folder of a game, or is a game's file among those of all."""
    names = {module.name for module in GAMES}
    return any(part in names or part.split(".")[0].split("_")[0] in names for part in path.relative_to(ROOT).parts)


def sources(*packages: str) -> list[Path]:
    found = (path for package in packages for path in sorted((ROOT / package).rglob("*")) if path.suffix in KINDS)
    return [path for path in found if not games_own(path)]


@cache
def zones() -> set[str]:
    """What the games call parts of their tables; of numbered ones how all of them begin."""
    layouts = [module.open_match(demo_match(module), demo_deck(module)).table.layout for module in GAMES]
    names = {zone.name for layout in layouts for zone in layout.zones} - {COMMAND_ZONE}
    more = {"pile", "row-1"}  # of silent games, and of bots
    return {re.sub(r"-[0-9]+$", "-", name) for name in names | more}


@cache
def words(*, pages: bool = False) -> re.Pattern[str]:
    profiles = [profile for module in GAMES for profile in module.profiles if "-" in profile]  # not "base"
    names = "|".join((*(module.name for module in GAMES), *profiles))
    looked_for = sorted(zones() - COMMON_WORDS - (HTML_WORDS if pages else set()))
    quoted = "|".join(f"{zone}[0-9{{$]" if zone.endswith("-") else f"{zone}(?=[\"'`])" for zone in looked_for)
    return re.compile(rf"(?i:{names})|[\"'`](?:{quoted})")


def said(path: Path, *, pages: bool = False) -> list[str]:
    return [line.strip() for line in path.read_text("utf-8").splitlines() if words(pages=pages).search(line)]


def test_the_words_that_are_looked_for() -> None:
    assert zones() == {
        *("tree", "pool", "pile", "discard-", "row-"),
        *("field", "aside", "plot-", "offer-", "reserve-"),
        *("map", "night", "fight", "pack-", "out"),
    }
    seen = ('Zone("tree")', "zone == 'pool'", 'f"discard-{seat}"', "`discard-${seat}`", "# as in Discovery")
    for line in (*seen, "fr-bluff", "lands.items", "`plot-${seat}`"):
        assert words().search(line), line
    for line in ("class Field:", "a pool of workers", "tree", 'row["name"]'):
        assert not words().search(line), line


def test_companion_vision_and_hardware_name_no_game_and_nothing_on_its_table() -> None:
    found = {str(path.relative_to(ROOT)): said(path) for path in sources("companion", "vision", "hardware")}
    assert {path: lines for path, lines in found.items() if lines and path not in CORE_MAY} == {}
    assert [path for path in CORE_MAY if not found[path]] == [], "an exception that nobody needs"


def test_pages_name_no_game() -> None:
    found = {str(path.relative_to(ROOT)): said(path, pages=True) for path in sources("web")}
    assert {path: lines for path, lines in found.items() if lines} == {}
