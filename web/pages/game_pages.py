"""What each game provides for the pages."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import EntryPoint
from itertools import chain
from pathlib import Path
from typing import ParamSpec, TypeAlias, TypeVar

from flask import Blueprint, Flask, current_app

from companion.errors import GameFault
from companion.public.decks import DEFAULT_GAME_NAME
from companion.public.entry_points import LoadError, entry_points_of, load, package_of
from companion.public.i18n import Names
from companion.public.pictogram import Pictogram
from companion.public.table import Point
from companion.public.text import JSON
from companion.public.tracebacks import place_of
from web.pages.match_report import Report

log = logging.getLogger(__name__)
P = ParamSpec("P")
T = TypeVar("T")

ReportReader: TypeAlias = Callable[[Iterable[str]], tuple[Report, Names]]
FaceOf: TypeAlias = Callable[[Mapping[str, JSON]], str | None]
SymbolOf: TypeAlias = Callable[[str], tuple[tuple[Point, ...], ...] | None]
PictogramOf: TypeAlias = Callable[[Mapping[str, JSON]], Pictogram | None]


@dataclass(frozen=True, slots=True)
class Counts:
    """The counters that people may correct.

    Attributes:
        seat, table: A counter for each seat, and one for the table; either may be empty.
        title, text: Keys of the heading and of the question.
        may_be_negative: A seat's counter may be below 0.
    """

    seat: str = "hands"
    table: str = "stack"
    title: str = "host.counts"
    text: str = "host.counts.text"
    may_be_negative: bool = False


@dataclass(frozen=True, slots=True)
class GamePages:
    """A game on the pages.

    Attributes:
        name: As in match files.
        folder: Has the game's ``templates`` (``table.html``, ``setup.html``, ``stick.html``; ``rules.html`` for the
            page with its rules is optional) and its ``static`` files (``table.js``, ``table.css``, ``setup.js``,
            ``map.js``). Its ``setup.js`` may export ``dealt``.
        blueprint: Serves the static files below ``/games/NAME``.
        read_report: Reads the lines of a record; raises ValueError if they are none.
        face_of: The drawing, from the file of drawings ``faces``, for a card of a deck file; ``None`` = there is none.
        pictogram_of: The same drawing as lines, by the card's names.
        symbol_of: One of the game's symbols for paper, as the outlines of its black areas; ``None`` = there is none.
        drawings: Its files of drawings in ``static``, by the name that pages use.
        scripts: ``table.js`` and the scripts that it imports, for the browser to preload.
        title: The game's name for people, if it is the same in every language; else its catalog has it as
            ``NAME.title``.
        counter: The counter by seat that a scoreboard shows beside the points; empty = none.
        counter_sign: The symbol before it: a file of drawings and one of its symbols.
        counter_word: Key of its name for screen readers.
        counts: The counters that people may correct.
        legend: The symbols that its pages explain, and the states of its cards.
        how: The sections of the page with its rules, such as ``("turn", "end")``.
        how_words: Prefix of their keys: ``PREFIX.aim``, and ``PREFIX.turn.title`` and ``PREFIX.turn`` for a section.
        seats: The number of seats in the form of ``web.door.plain_pages``.
    """

    name: str
    folder: Path
    blueprint: Blueprint
    read_report: ReportReader
    face_of: FaceOf = lambda _: None
    pictogram_of: PictogramOf = lambda _: None
    symbol_of: SymbolOf = lambda _: None
    drawings: Mapping[str, str] | None = None
    scripts: tuple[str, ...] = ("table.js",)
    title: str = ""
    counter: str = "hands"
    counter_sign: tuple[str, str] = ("symbols", "cards")
    counter_word: str = "board.hand"
    counts: Counts = Counts()
    legend: tuple[tuple[str, ...], tuple[str, ...]] = (("turn", "ok", "no", "ask"), ())
    how: tuple[str, ...] = ()
    how_words: str = "how"
    seats: int = 0

    @property
    def choices(self) -> bool:
        """Whether it has a ``choices.js``, which describes moves in words."""
        return (self.folder / "static" / "choices.js").is_file()

    @property
    def framed(self) -> bool:
        """Whether it has a ``frames.js``, which says which cards have a frame in the picture of the table."""
        return (self.folder / "static" / "frames.js").is_file()

    @property
    def editor(self) -> bool:
        """Whether its decks have an editing page of their own, ``editor.html``."""
        return (self.folder / "templates" / "editor.html").is_file()

    @property
    def spoken(self) -> bool:
        """Whether it has a ``host.js``, which shows what the host may enter for each seat."""
        return (self.folder / "static" / "host.js").is_file()


@cache
def own_pages(game: str) -> GamePages | None:
    """The pages that a game's package brings as ``PAGES``; ``None`` if it brings none, or they do not load."""
    door = entry_points_of("companion.pages").get(game)
    if door is None:
        return None
    try:
        found = _load(door, game)
    except Exception as wrong:  # noqa: BLE001  # whatever a stranger's code raises, the other games have their pages
        sentence = "the game %s gets plain pages, for its own do not load (%s): install %s again, or uninstall it"
        log.error(sentence, game, _why(wrong), package_of(door))
        return None
    return found


NEEDED = (
    "templates/table.html",
    "templates/setup.html",
    "templates/stick.html",
    "static/table.js",
    "static/table.css",
    "static/setup.js",
    "static/map.js",
)
"""The files that the pages of every game have in its folder."""


def fault_of_pages(game: str) -> str | None:
    """What is wrong with the pages that a game's package brings, such as a file that they lack."""
    door = entry_points_of("companion.pages").get(game)
    if door is None:
        return None
    try:
        pages = _load(door, game)
    except Exception as wrong:  # noqa: BLE001  # pages that are being written may raise anything
        return f"{door.value} does not load ({_why(wrong)})"
    files = (*NEEDED, *(f"static/{script}" for script in pages.scripts))
    lacking = sorted({file for file in files if not (pages.folder / file).is_file()})
    return f"{pages.folder} lacks {', '.join(lacking)}" if lacking else None


def _why(wrong: Exception) -> str:
    return str(wrong) if isinstance(wrong, LoadError) else f"{type(wrong).__name__}: {wrong}"


def _load(door: EntryPoint, game: str) -> GamePages:
    found = load(door)
    if not isinstance(found, GamePages) or found.name != game:
        raise TypeError(f"{door.value} is not its GamePages")
    return guarded_pages(found)


def guarded_pages(pages: GamePages) -> GamePages:
    """The same pages, in which a bug costs itself: a drawing is left out, and a report is refused with its name."""
    return replace(
        pages,
        read_report=_naming_bugs(pages.name, "read_report", pages.read_report),
        face_of=_or_nothing(pages.name, "face_of", pages.face_of),
        pictogram_of=_or_nothing(pages.name, "pictogram_of", pages.pictogram_of),
        symbol_of=_or_nothing(pages.name, "symbol_of", pages.symbol_of),
    )


def _naming_bugs(game: str, name: str, function: Callable[P, T]) -> Callable[P, T]:
    def call(*given: P.args, **more: P.kwargs) -> T:
        try:
            return function(*given, **more)
        except Exception as wrong:
            why = f"{type(wrong).__name__}: {wrong}"
            raise GameFault(game, f"pages.{name}", place_of(wrong), why) from wrong

    return call


def _or_nothing(game: str, name: str, function: Callable[P, T]) -> Callable[P, T | None]:
    named, told = _naming_bugs(game, name, function), set[str]()

    def call(*given: P.args, **more: P.kwargs) -> T | None:
        try:
            return named(*given, **more)
        except GameFault as wrong:
            if str(wrong) not in told:
                log.error("%s", wrong, exc_info=wrong)
            told.add(str(wrong))
            return None

    return call


def install_games(app: Flask, games: Mapping[str, GamePages]) -> None:
    """Add these games to the app, the default one first."""
    games = dict(sorted(games.items(), key=lambda named: named[0] != DEFAULT_GAME_NAME))
    app.extensions["games"] = games
    for game in games.values():
        app.register_blueprint(game.blueprint)
    app.jinja_env.globals["default_game"] = DEFAULT_GAME_NAME
    app.jinja_env.globals["games"] = games
    app.jinja_env.globals["game_scripts"] = {name: game.scripts for name, game in games.items()}


def pages_of(name: str | None) -> GamePages:
    """The pages of a game; of the default game if ``name`` is ``None``.

    Raises:
        KeyError: There are none.
    """
    games: Mapping[str, GamePages] = current_app.extensions["games"]
    return games[name or DEFAULT_GAME_NAME]


def read_report(lines: Iterable[str]) -> tuple[Report, Names]:
    """The report of a record, with the names of cards and players.

    Raises:
        ValueError: The record has no readable first line.
    """
    remaining = iter(lines)
    first = next(remaining, "null")
    head = json.loads(first)
    match = head.get("match") if isinstance(head, dict) else None
    name = match.get("game") if isinstance(match, dict) else None
    game = pages_of(str(name) if name else None)
    report, names = game.read_report(chain([first], remaining))
    return replace(report, game=game.name), names
