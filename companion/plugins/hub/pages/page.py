"""What all pages of a hub share: layout, texts and the visitor's role."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from babel.numbers import format_decimal
from flask import Response, current_app, g, render_template

from companion.plugins.hub.live_tables import Room
from companion.plugins.hub.pages.table_client import RecordCollector
from companion.plugins.hub.store import TournamentStore
from companion.public.entry_points import entry_points_of
from companion.public.i18n import LANGUAGES, Names
from companion.public.text import Text
from web.language import Translator
from web.pages.game_pages import own_pages


@dataclass(frozen=True, slots=True)
class Hub:
    """What every route of a hub can reach; see ``companion.plugins.hub.pages.app.create_hub``."""

    tables: Room
    store: TournamentStore
    translator: Translator
    listening: Callable[[], bool]
    collector: RecordCollector | None
    hosts: frozenset[str]
    address: str | None = None


def hub() -> Hub:
    running: Hub = current_app.extensions["hub"]
    return running


def page(template: str, status: int = 200, **more: Any) -> Response:
    """A page in the reader's language."""

    def word(key: str, **params: Any) -> str:
        return hub().translator.word(key, g.language, **params)

    html = render_template(
        template,
        t=word,
        game_title=game_title,
        language=g.language,
        languages=LANGUAGES,
        organiser=g.get("organiser", False),
        referee=g.get("referee", False),
        listening=hub().listening(),
        **more,
    )
    return Response(html, status, content_type="text/html; charset=utf-8")


def said(text: Text | str) -> str:
    """A text in the reader's language."""
    return text if isinstance(text, str) else hub().translator.say(text, g.language, Names())


def game_title(game: str) -> str:
    """The name of a game for people; of one that is not installed here, the name that its table publishes."""
    pages = own_pages(game) if game in entry_points_of("companion.pages") else None
    return pages.title if pages is not None and pages.title else game


def share(value: Fraction | None) -> str:
    """A fraction as the reader writes it, with two decimals at most; empty for ``None``."""
    return "" if value is None else str(format_decimal(float(value), "0.##", locale=g.language))
