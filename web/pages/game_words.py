"""Whether the catalogs have every word that a game's pages will ask for: part of ``companion game check``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from companion.public.decks import DEFAULT_GAME_NAME
from companion.public.i18n import LANGUAGES, Translations
from web.language import LOCALE_FOLDER
from web.pages.game_pages import own_pages

_IN_TEMPLATES = re.compile(r"""\bt\(["']([\w.-]+)["'][),]""")
_IN_SCRIPTS = re.compile(r"""\bsay\(["']([\w.-]+)["'][),]""")


def missing_words(game: str, folders: Iterable[Path], zones: Iterable[str], offered: Iterable[str]) -> str | None:
    """The words that a game's pages ask for and that a language lacks, in one sentence; ``None`` = none.

    Args:
        folders: Where the catalogs of all games are.
        zones: The names of the zones of its table.
        offered: The moves that are buttons on phones.
    """
    translations = Translations((*folders, LOCALE_FOLDER))
    wrong = []
    for one_of in _asked(game, zones, offered):
        lacking = [language for language in LANGUAGES if not one_of & translations.keys(language)]
        if lacking:
            key, *others = sorted(one_of, key=lambda key: (f".{game}" not in key, key))
            more = f" or {others[0]}" if others else ""
            hint = " (a script says it without js.)" if key.startswith("js.js.") else ""
            wrong.append(f"{key}{more} is not in {' and '.join(f'{language}.po' for language in lacking)}{hint}")
    return "; ".join(wrong) or None


def _asked(game: str, zones: Iterable[str], offered: Iterable[str]) -> Iterator[frozenset[str]]:
    """Each word as the keys of which one is enough."""
    pages = own_pages(game)
    if pages is None or not pages.title:
        yield frozenset({f"{game}.title"})
    if game != DEFAULT_GAME_NAME:
        yield frozenset({f"report.figures.{game}.cards"})
    how = f"{game}.how" if pages is None else pages.how_words
    yield frozenset({f"{how}.aim"})
    for section in pages.how if pages is not None else ():
        yield frozenset({f"{how}.{section}.title"})
        yield frozenset({f"{how}.{section}"})
    for zone in zones:
        yield frozenset({"js.zone." + re.sub(r"-\d$", "", zone)})
    for do in offered:
        yield frozenset({f"js.{game}.do.{do}", f"js.do.{do}"})
    if pages is None:
        return
    for path in sorted(pages.folder.rglob("*")):
        if path.suffix == ".html":
            yield from (frozenset({key}) for key in _IN_TEMPLATES.findall(path.read_text("utf-8")))
        elif path.suffix == ".js":
            yield from (frozenset({f"js.{key}"}) for key in _IN_SCRIPTS.findall(path.read_text("utf-8")))
