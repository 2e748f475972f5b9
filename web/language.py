"""Which language a reader gets, and how the words of a match are said in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flask import Request, Response

from companion.public.i18n import LANGUAGES, Names, Translations
from companion.public.service import MatchService
from companion.public.text import JSON, Text

HERE = Path(__file__).parent
LOCALE_FOLDERS = (HERE / "locale", *sorted(HERE.glob("games/*/locale")))
"""The folders of this wing's own catalogs; whoever makes the ``Translations`` adds them to those of the core."""

COOKIE = "lang"


def language_of(request: Request) -> str:
    """The reader's language: what the page was asked for, what was chosen before, what the browser prefers."""
    for chosen in (request.args.get("lang"), request.cookies.get(COOKIE)):
        if chosen in LANGUAGES:
            return chosen
    wanted = (tag.partition("-")[0].lower() for tag in request.accept_languages.values())
    return next((language for language in wanted if language in LANGUAGES), LANGUAGES[0])


def remember_language(request: Request, response: Response) -> None:
    """Keep in the browser the language that a page was asked for."""
    if (chosen := request.args.get("lang")) in LANGUAGES:
        response.set_cookie(COOKIE, chosen, max_age=365 * 24 * 3600, samesite="Lax")


@dataclass(frozen=True, slots=True)
class MatchContext:
    """The running match with its names at hand; ``match`` is ``None`` before the first."""

    match: Mapping[str, Any] | None
    names: Names

    @property
    def id(self) -> str | None:
        """The match's id."""
        return str(self.match["id"]) if self.match else None


def match_context(match_service: MatchService) -> MatchContext:
    """The running match as it is now."""
    match = match_service.current()
    return MatchContext(match, names_of(match) if match else Names())


def names_of(match: Mapping[str, JSON]) -> Names:
    """What cards and seats are called in a match."""
    cards = match.get("things") or match.get("deck", {}).get("card", ())
    names = ((str(card["id"]), card.get("name", {})) for card in cards)
    return Names(
        {card: {"en": name} if isinstance(name, str) else name for card, name in names},
        tuple(str(seat["name"]) for seat in match["seats"]),
    )


class Translator:
    """Says everything that pages and answers say."""

    def __init__(self, words: Translations) -> None:
        self._words = words
        self._keys: dict[str, frozenset[str]] = {language: words.keys(language) for language in LANGUAGES}

    def say(self, text: Text, language: str, names: Names) -> str:
        """The sentence."""
        return self._words.say(text, language, names)

    def word(self, key: str, language: str, **params: JSON) -> str:
        """A word of the page itself."""
        return self._words.say(Text(key, params), language, Names())

    def knows(self, key: str) -> bool:
        """Whether there are words for it."""
        return key in self._keys[LANGUAGES[0]]

    def script_words(self, language: str) -> dict[str, str | tuple[str, ...]]:
        """The words that scripts say, with their ``{parameters}`` left in place; singular and plural where there are
        two forms."""
        keys = sorted(key for key in self._keys[LANGUAGES[0]] if key.startswith("js."))
        all_forms = {key[3:]: self._words.forms(key, language) for key in keys}
        return {key: forms[0] if len(forms) == 1 else forms for key, forms in all_forms.items()}
