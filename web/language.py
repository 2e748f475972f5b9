"""The reader's language, and translations with the names of a match."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from flask import Request, Response

from companion.public.i18n import LANGUAGES, Names, Translations
from companion.public.service import MatchService
from companion.public.text import JSON, Text

HERE = Path(__file__).parent
LOCALE_FOLDER = HERE / "locale"
"""The words of the pages. A game's own words are in the game's catalog, which ``registry.locale_folders`` names."""

COOKIE = "lang"


def language_of(request: Request) -> str:
    """The reader's language: from the address, else as chosen before, else as the browser prefers."""
    for chosen in (request.args.get("lang"), request.cookies.get(COOKIE)):
        if chosen in LANGUAGES:
            return chosen
    wanted = (tag.partition("-")[0].lower() for tag in request.accept_languages.values())
    return next((language for language in wanted if language in LANGUAGES), LANGUAGES[0])


def remember_language(request: Request, response: Response) -> None:
    """Keep the language from the address in a cookie."""
    if (chosen := request.args.get("lang")) in LANGUAGES:
        response.set_cookie(COOKIE, chosen, max_age=365 * 24 * 3600, samesite="Lax")


@dataclass(frozen=True, slots=True)
class MatchContext:
    """The running match and the names in it; ``match`` is ``None`` before the first."""

    match: Mapping[str, Any] | None
    names: Names

    @property
    def id(self) -> str | None:
        return str(self.match["id"]) if self.match else None

    @property
    def generation(self) -> str | None:
        """See ``MatchService.current``; ``None`` before the first match."""
        return str(self.match["generation"]) if self.match and "generation" in self.match else None


def match_context(match_service: MatchService) -> MatchContext:
    match = match_service.current()
    return MatchContext(match, names_of(match) if match else Names())


def names_of(match: Mapping[str, JSON]) -> Names:
    """The names of cards and seats in a match.

    >>> names_of({"things": [{"id": "1-8", "name": {"en": "Fire"}}], "seats": [{"name": "Ana"}]}).seats
    ('Ana',)
    """
    cards = match.get("things") or match.get("deck", {}).get("card", ())
    names = ((str(card["id"]), card.get("name", {})) for card in cards)
    return Names(
        {card: {"en": name} if isinstance(name, str) else name for card, name in names},
        tuple(str(seat["name"]) for seat in match["seats"]),
        {str(card["id"]): int(card["seat"]) for card in cards if "seat" in card},
    )


class Translator:
    """Translates all texts of pages and answers."""

    def __init__(self, words: Translations) -> None:
        self._words = words
        self._keys: dict[str, frozenset[str]] = {language: words.keys(language) for language in LANGUAGES}
        self.script_words = cache(self._script_words)

    def say(self, text: Text, language: str, names: Names) -> str:
        return self._words.say(text, language, names)

    def word(self, key: str, language: str, **params: JSON) -> str:
        """A text of the page itself, without names of a match."""
        return self._words.say(Text(key, params), language, Names())

    def knows(self, key: str) -> bool:
        """Whether the catalogs have this key."""
        return key in self._keys[LANGUAGES[0]]

    def _script_words(self, language: str) -> Mapping[str, str | tuple[str, ...]]:
        """The texts for scripts, with their ``{parameters}`` in place; singular and plural where there are two
        forms."""
        keys = sorted(key for key in self._keys[LANGUAGES[0]] if key.startswith("js."))
        all_forms = {key[3:]: self._words.forms(key, language) for key in keys}
        return {key: forms[0] if len(forms) == 1 else forms for key, forms in all_forms.items()}
