"""What every page shares: its frame, its words, and the page that says sorry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, g, render_template

from companion.public.i18n import LANGUAGES
from companion.public.service import SPECTATOR, Role, User
from companion.public.text import JSON
from web.language import MatchContext, match_context
from web.middleware.context import context
from web.middleware.problems import Problem
from web.push.serializers import latest_json, snapshot_json

pages = Blueprint("pages", __name__)

LOG = 12
"""Pieces of news that a page tells of when it is opened."""


def page(template: str, status: int = 200, **more: JSON) -> Response:
    """A page with everything that its scripts begin with."""
    desk, voice = context().desk, context().voice
    now = match_context(desk)
    shown = snapshot_json(desk, now, voice, g.language)
    who: User = g.get("visitor", SPECTATOR)
    start = {
        "now": shown,
        "log": _log(now),
        "match": _told(now),
        "me": {"role": who.role.value, "seat": who.seat},
        "words": voice.script_words(g.language),
        "language": g.language,
    }
    drawn = render_template(
        template,
        t=_words(g.language),
        language=g.language,
        languages=LANGUAGES,
        match=start["match"],
        now=shown,
        me=who,
        roles=Role,
        start=start,
        adoptable=context().adoptable(),
        simulated=bool(now.match["simulated"] if now.match else desk.health().get("simulated")),
        **more,
    )
    return Response(drawn, status, content_type="text/html; charset=utf-8")


def _words(language: str) -> Any:
    def say(key: str, **params: JSON) -> str:
        return context().voice.word(key, language, **params)

    return say


def _told(now: MatchContext) -> Mapping[str, JSON] | None:
    """The match as scripts need it: in one language."""
    if now.match is None:
        return None
    wanted = ("id", "game", "profile", "silent", "simulated", "seats", "options", "host")
    cards = [
        {**card, "name": now.names.card(str(card["id"]), g.language)}
        for card in now.match.get("deck", {}).get("card", ())
    ]
    who: User = g.get("visitor", SPECTATOR)
    own = now.match.get("pictures")
    pictured = list(context().desk.portraits(who, own)) if own else []
    return {**{key: now.match.get(key) for key in wanted}, "cards": cards, "pictures": own, "pictured": pictured}


def _log(now: MatchContext) -> list[JSON]:
    """What was said lately, oldest first."""
    number = latest_json(context().desk)[1]
    return [
        {
            "number": news.number,
            "signal": news.signal.value,
            "texts": [context().voice.say(text, g.language, now.names) for text in news.texts],
            "entry": {key: value for key, value in (news.entry or {}).items() if key != "standing"},
        }
        for news in context().desk.since(max(0, number - LOG))
    ]


def apology(problem: Problem, detail: str) -> Response:
    """A page for a request that is not served: what is wrong and where to go."""
    template = "join.html" if problem.status in (403, 429) else "sorry.html"
    response = page(template, problem.status, detail=detail)
    response.headers.update(problem.headers)
    return response
