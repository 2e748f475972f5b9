"""Translates a ``Text`` into a reader's language.

The core and the games return keys and parameters. The catalogs are gettext ``.po`` files, read with Babel when a
program starts, so a translator edits one text file and nothing has to be compiled. A sentence with a count has two
forms; the parameter ``n`` chooses between them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from babel import Locale
from babel.messages.pofile import read_po

from companion.public.text import JSON, Text, listed, signed

LANGUAGES = ("en", "fr")
CARD_PARAMETERS = frozenset({"card", "cards", "joker", "link"})
SEAT_PARAMETERS = frozenset({"seat", "other", "seats"})
COUNT_PARAMETERS = ("n", "points")
"""The first of them that a sentence with a singular and a plural has decides between the two."""
_JOKER = {"en": "the joker", "fr": "le joker"}
"""Jokers are in no deck file, and look alike."""
_BEGINS_WITH_A_CARD = re.compile(r"\{(card|cards|joker|link|what)\}.*\W$", re.DOTALL)
_MAY_ELIDE = re.compile(r"\b([Dd]|[Qq]u)e \{(\w+)\}")
_MAY_JOIN = re.compile(r"\b([Dd]e|[Àà]) \{(\w+)\}")
_JOINED = {("de", "le"): "du", ("de", "les"): "des", ("à", "le"): "au", ("à", "les"): "aux"}


@dataclass(frozen=True, slots=True)
class Names:
    """The names of cards and seats in this match.

    Attributes:
        cards: Card id to its names by language; a joker without a name is called one, another card is shown by its id.
        seats: The players' names, seat 1 first; seat 0 is the table.
        owners: The seats of things whose names contain ``{seat}``.
    """

    cards: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    seats: tuple[str, ...] = ()
    owners: Mapping[str, int] = field(default_factory=dict)

    def card(self, card: str, language: str) -> str:
        names = self.cards.get(card, _JOKER if re.fullmatch(r"J\d+", card) else {})
        name = names.get(language) or names.get("en") or next(iter(names.values()), card)
        return filled(name, {"seat": self.seat(self.owners[card])}, language) if card in self.owners else name

    def seat(self, seat: int) -> str:
        return self.seats[seat - 1] if 0 < seat <= len(self.seats) else str(seat)


def parse_form(count: JSON, language: str) -> int:
    """0 for the singular of a language, 1 for its plural: it is "0 carte" in French, "0 cards" in English."""
    if not isinstance(count, int | float) or isinstance(count, bool):
        return 0
    whole = int(count) if count == int(count) else count  # 1.0 is displayed as 1
    return int(Locale.parse(language if language in LANGUAGES else "en").plural_form(whole) != "one")


def filled(pattern: str, words: Mapping[str, str], language: str) -> str:
    """A sentence with these words in their places.

    >>> filled("le pion de {seat}", {"seat": "Ana"}, "fr")
    'le pion d’Ana'
    >>> filled("{seat} se défausse de {card}", {"seat": "Ana", "card": "le joker"}, "fr")
    'Ana se défausse du joker'
    """
    if language == "fr":
        pattern = _MAY_JOIN.sub(lambda found: _joined(found, words), pattern)
        pattern = _MAY_ELIDE.sub(lambda found: _elided(found, words), pattern)
    return pattern.format_map(words)


def _joined(found: re.Match[str], words: Mapping[str, str]) -> str:
    """« du joker », « au joker »: a thing's article melts into "de" and "à"; a player's name has none."""
    article, _, rest = words.get(found[2], "").partition(" ")
    joined = "" if found[2] in SEAT_PARAMETERS else _JOINED.get((found[1].lower(), article), "")
    if not joined:
        return found[0]
    first = joined[0].upper() if found[1][0].isupper() else joined[0]
    return f"{first}{joined[1:]} {rest}".replace("{", "{{").replace("}", "}}")


def _elided(found: re.Match[str], words: Mapping[str, str]) -> str:
    """« de Ben », « d’Ana »: "de" and "que" lose their vowel before another, but not before an h."""
    first = unicodedata.normalize("NFD", words.get(found[2], "")[:1]).casefold()[:1]
    return f"{found[1]}’{{{found[2]}}}" if first and first in "aeiouœæ" else found[0]


def _forms(message: str | Iterable[str]) -> tuple[str, ...]:
    return (message,) if isinstance(message, str) else tuple(map(str, message))


@cache
def _catalog(file: Path, language: str) -> Mapping[str, tuple[str, ...]]:
    """One catalog, by key; read once per program."""
    with file.open("rb") as opened:
        messages = read_po(opened, locale=language)
    return {_forms(one.id)[0]: _forms(one.string) for one in messages if one.id and one.string}


class Translations:
    """The catalogs of all languages, from folders with an ``en.po`` and a ``fr.po``.

    A key without translation is its own sentence.

    >>> Translations([]).say(Text("Well done, {seat}!", {"seat": 1}), "en", Names(seats=("Ana",)))
    'Well done, Ana!'
    """

    def __init__(self, folders: Iterable[Path]) -> None:
        self._catalogs: dict[str, dict[str, tuple[str, ...]]] = {language: {} for language in LANGUAGES}
        for folder in folders:
            for language in LANGUAGES:
                self._catalogs[language].update(_catalog(folder / f"{language}.po", language))

    def keys(self, language: str) -> frozenset[str]:
        """All keys that have a sentence in this language."""
        return frozenset(self._catalogs[language])

    def say(self, text: Text, language: str, names: Names) -> str:
        """The sentence for a reader; without translation in English, or else the key itself."""
        said = self._filled(text, language, names)
        # "the sea tile" begins a sentence: its name begins with a capital then, and so do lists of names.
        return said[:1].upper() + said[1:] if _BEGINS_WITH_A_CARD.match(self.forms(text.key, language)[0]) else said

    def _filled(self, text: Text, language: str, names: Names) -> str:
        forms = self.forms(text.key, language)
        count = next((text.params[key] for key in COUNT_PARAMETERS if key in text.params), None)
        pattern = forms[parse_form(count, language) if len(forms) > 1 else 0]
        words = {key: self._param(key, value, language, names) for key, value in text.params.items()}
        return filled(pattern, words, language)

    def forms(self, key: str, language: str) -> tuple[str, ...]:
        """The sentence in the catalog: one form, or singular and plural."""
        return self._catalogs.get(language, {}).get(key) or self._catalogs["en"].get(key) or (key,)

    def _param(self, key: str, value: JSON, language: str, names: Names) -> str:
        if isinstance(value, Text):
            return self._filled(value, language, names)
        if isinstance(value, (tuple, list)):
            items = [self._param(key, item, language, names) for item in value]
            # Things that look the same have the same name, which is said once.
            return listed(list(dict.fromkeys(items)) if key in CARD_PARAMETERS else items, language)
        if key in CARD_PARAMETERS:
            return names.card(str(value), language)
        if key in SEAT_PARAMETERS:
            return names.seat(int(value))
        if isinstance(value, int | float) and value < 0:
            return signed(value)
        return str(value)
