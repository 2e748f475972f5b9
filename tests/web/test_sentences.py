"""Every sentence of whole matches, as pages, televisions and phones show it: who, what, what now.

People know neither the numbers of the record's entries nor what is printed in a sticker.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from flask import Flask
from support.long_cases import LONG
from support.quiet_matches import KINDS, steps_of
from support.random_corrections import GAMES, LoggedMatch, evening, opened
from support.unspoken_table import UnspokenTable

from companion.games import registry
from companion.history.codec import encode_line
from companion.public.i18n import LANGUAGES, Names, Translations
from companion.public.text import Text
from companion.public.updates import Update
from companion.referee.commands import MakeMove, Pause, Resume
from companion.referee.match import Match
from companion.referee.updates import told_texts
from web.language import LOCALE_FOLDER, Translator, names_of
from web.pages.game_pages import read_report
from web.pages.report_words import ReportWords

WORDS = Translator(Translations((LOCALE_FOLDER, *registry.locale_folders())))
TOKEN = re.compile(r"\b(?:K[A-Z]{2,}|S\d|TAG\d+|[A-Z]\d\d)\b")
"""What is printed in stickers: `KEND`, `S2`, `C14`."""
NUMBERED = re.compile(r"\b(?:entry|entrée|entries|entrées|coup|n°|no\.?|#) ?\d+", re.IGNORECASE)
KEY = re.compile(r"\b[a-z_]+(?:\.[a-z_]+)+\b|[{}]")
"""A key that no catalog has, or a parameter that nobody filled in."""
CONTESTS = ("stop", "uncontested")
"""Moves that name an entry."""
NAMES = ("Ana", "Ben", "Cleo", "Dora", "Emil", "Fay")


def said(updates: Sequence[Update]) -> Iterator[Text]:
    """All that each update says, asks, offers and instructs."""
    for update in updates:
        yield from update.texts
        yield from update.instructions
        for question in update.questions:
            yield question.text
            yield from (answer.text for answer in question.answers)
        yield from (one.text for one in (*update.unread, *update.corrections))


def names_in(game: Any) -> Names:
    module = registry.GAMES[game.name]
    drawn = module.decks.drawn
    things = registry.demo_deck(module)["card"] if drawn is None else list(drawn(game))
    return names_of({"things": things, "seats": [{"name": name} for name in NAMES[: game.seats]]})


def sentences(updates: Sequence[Update], names: Names) -> list[str]:
    """In both languages."""
    return [WORDS.say(text, language, names) for text in said(updates) for language in LANGUAGES]


def reported(match: Match, names: Names) -> Iterator[str]:
    """The sentences of the stored match's page."""
    deck = registry.demo_deck(registry.GAMES[match.game.name])
    seats = [{"name": name} for name in names.seats]
    head = {"record": 1, "match": {"game": match.game.name, "seat": seats}, "deck": deck}
    report, _ = read_report(json.dumps(one) for one in (head, *map(encode_line, match.record.lines)))
    told = told_texts(match.game, match.record)
    for language in LANGUAGES:
        words = ReportWords(report, names, told, WORDS, language)
        yield from (words.moment(moment) for moment in report.moments)
        yield from (words.why(fault) for fault in report.faults)
        yield words.turning_point()


def not_for_people(found: Sequence[str]) -> list[str]:
    return sorted({one for one in found if TOKEN.search(one) or NUMBERED.search(one) or KEY.search(one)})


def quiet(kind: str, seed: int) -> tuple[UnspokenTable, list[Update]]:
    """A match at a table that says little, with all that is asked there."""
    heard: list[Update] = []

    class Heard(UnspokenTable):
        def _referee(self) -> Match:
            return Match(self.game, write=lambda _: None, publish=self._hears)

        def _hears(self, update: Update) -> None:
            heard.append(update)
            self.updates.append(update)

    one = KINDS[kind]
    table = Heard(one.game, seed, one.profile, inferred=one.inferred)
    table.looks_on(0.5)
    for step in steps_of(one, seed)[: None if LONG else 15]:
        if not table.does(step):
            break
        table.check(step.late)
    return table, heard


@pytest.mark.parametrize("kind", [*KINDS] if LONG else ["fr-explore", "en-memory", "darwinci"])
@pytest.mark.parametrize("seed", range(20) if LONG else (7,))
def test_what_is_asked_at_a_quiet_table_names_no_entry_and_no_sticker(app: Flask, kind: str, seed: int) -> None:
    table, heard = quiet(kind, seed)
    names = names_in(table.game)
    with app.app_context():
        assert not_for_people([*sentences(heard, names), *reported(table.match, names)]) == []


@pytest.mark.parametrize(("name", "profile"), GAMES if LONG else GAMES[2:3] + GAMES[-3:])
@pytest.mark.parametrize("seed", range(20) if LONG else (1,))
def test_what_is_said_of_moves_mistakes_and_corrections_names_no_entry_and_no_sticker(
    app: Flask, name: str, profile: str, seed: int
) -> None:
    table = list(evening(opened(name, profile), Random(seed), 40))[-1]
    names = names_in(table.game)
    with app.app_context():
        assert not_for_people([*sentences(table.news, names), *reported(table.match, names)]) == []


CATALOGS = (LOCALE_FOLDER, *registry.locale_folders())
PRINTED_THERE = re.compile(r"fault|problem|print|stick\b|sheets|wizard\.stick")
"""Keys of sentences about files, programs and printing: they name what stands in a sticker, as it stands there."""
PRINTED = re.compile(r"\b(?:K[A-Z]{2,}|(?:TAG|[A-Z])\d{1,2})\b|\{(?:token|entry|number|kept)\}")
COUNTED = {"referee.renamed", "host.damaged", "matches.lost", "doctor.matches.lost", "doctor.stickers.reads"}
"""`{number}` is a seat's there, `{kept}` how many moves were kept, `{token}` what is printed in a sticker to clean."""
PAPER = re.compile(r"\bA[34]\b|\{number\}(?= or)")


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_of_any_catalog_names_an_entry_or_what_is_printed_in_a_sticker(language: str) -> None:
    """Also those that no match of these tests has said: each begins with who did what."""
    words = Translations(CATALOGS)
    found = {
        key: form
        for key in words.keys(language)
        for form in words.forms(key, language)
        if not PRINTED_THERE.search(key) and key not in COUNTED
        if PRINTED.search(PAPER.sub("", form)) or NUMBERED.search(form)
    }
    assert found == {}


def shifted(command: Any, by: int) -> Any:
    """The same command, or contested move, in a match whose record has so many entries more at its beginning."""
    if isinstance(command, MakeMove):
        return replace(command, move=shifted(command.move, by)) if command.move.do in CONTESTS else command
    number = getattr(command, "number", None)
    return command if number is None else replace(command, number=number + by)


@pytest.mark.parametrize(("name", "profile"), GAMES if LONG else GAMES[:2] + GAMES[-3:-2])
def test_a_match_that_was_paused_once_at_its_beginning_is_told_in_the_same_words(
    app: Flask, name: str, profile: str
) -> None:
    """Both pauses are entries, so the numbers of all later ones differ; no sentence may."""
    table = list(evening(opened(name, profile), Random(2), 40))[-1]
    later = LoggedMatch(opened(name, profile), time_s=98.0)
    later.say(Pause())
    later.say(Resume())
    before = len(later.news)
    for command, lying in table.said:
        later.match.issues.lying = lying
        later.say(shifted(command, 2))
    assert len(later.entries) == len(table.entries) + 2
    names = names_in(table.game)
    for one, other in zip(table.news, later.news[before:], strict=True):
        assert sentences([one], names) == sentences([other], names)
    with app.app_context():
        moments = [list(reported(one.match, names)) for one in (table, later)]
    assert set(moments[0]) - set(moments[1]) == set()
