"""What all pages share: layout, texts, and the error page."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import nullcontext
from http import HTTPStatus
from typing import Any

from flask import Blueprint, Response, current_app, g, render_template, request

from companion.errors import LogError
from companion.public.decks import DEFAULT_GAME_NAME
from companion.public.i18n import LANGUAGES
from companion.public.service import Role
from companion.public.text import JSON
from companion.public.updates import Signal, Update
from web.language import MatchContext
from web.middleware.access import other_role
from web.middleware.context import context, current_user, identity, services
from web.middleware.problems import Problem
from web.pages.game_pages import pages_of
from web.push.serializers import moment_json, newest_in_match, update_json, why_json

pages = Blueprint("pages", __name__)

LOG, SHORT_LOG = 30, 10
"""Updates that a page lists when it is opened; a page that shows no list needs what may be unsettled."""


def page(
    template: str, status: int = 200, *, words: Collection[str] | None = None, every_game: bool = True, **more: JSON
) -> Response:
    """A page with the data that its scripts start with. Whoever only watches waits for a turn, so that a room full of
    phones that open it keeps no seat waiting.

    Args:
        words: The texts that its scripts use, as keys or their first parts; ``None`` = all texts. A page that names
            them has no board either: it gets no more of log and cards than it shows.
        every_game: Its scripts may speak of other games than the one at the table.

    Raises:
        Problem: Too many wait already.
    """
    waits = current_user().role is Role.SPECTATOR and status != HTTPStatus.SERVICE_UNAVAILABLE
    with context().turns.taken() if waits else nullcontext():
        return _page(template, status, words, every_game, more)


def _page(
    template: str, status: int, words: Collection[str] | None, every_game: bool, more: Mapping[str, JSON]
) -> Response:
    translator = context().translator
    moment = newest_in_match(services().match)
    _, number, now = moment
    snapshot = moment_json(moment, translator, g.language)
    user = current_user()
    headline = _headline(now, snapshot)
    known = current_app.extensions["games"]
    unsaid = () if every_game or now.match is None else {name for name in known if name != now.match.get("game")}
    start = {
        "now": snapshot,
        "said": None if headline is snapshot else headline,
        "log": _log(now, number, LOG if words is None else SHORT_LOG),
        "match": _match_json(now, board=words is None),
        "me": {"role": user.role.value, "seat": user.seat},
        "words": {
            key: forms
            for key, forms in translator.script_words(g.language).items()
            if key.partition(".")[0] not in unsaid and (words is None or key in words or key.partition(".")[0] in words)
        },
        "language": g.language,
    }
    simulated = bool(now.match["simulated"] if now.match else services().setup.health().get("simulated"))
    first_phone = context().first_phone
    html = render_template(
        template,
        t=translations(g.language),
        profile_name=profile_name,
        game_title=game_title,
        language=g.language,
        languages=LANGUAGES,
        match=start["match"],
        now=snapshot,
        said=headline,
        me=user,
        also=other_role(),
        roles=Role,
        start=start,
        table_name=context().system.name,
        can_claim_host=first_phone is not None and first_phone.is_open(),
        simulated=simulated,
        seat_requests=lambda: services().seat_requests.state(user),
        usual_deck=usual_deck,
        is_first_evening=is_first_evening,
        asks=now.match is not None and not simulated and words is None and user.role in (Role.SEAT, Role.HOST),
        **more,
    )
    return Response(html, status, content_type="text/html; charset=utf-8")


def usual_deck(game: str) -> str:
    """The deck file that a form for a game begins with: that of its match at the table, else the full one that was
    saved last; empty for the built-in deck."""
    match = services().match.current()
    if match is not None and match["game"] == game and not match["simulated"]:
        return f"{match['pictures']}.toml" if match["pictures"] else ""
    return services().decks.newest(game) or ""


def is_first_evening() -> bool:
    """Whether no match has been played to its end here; not if that cannot be read."""
    try:
        return not any(one["over"] for one in services().archive.matches(current_user()))
    except LogError:
        return False


def translations(language: str) -> Any:
    """The page texts in a language, by key."""

    def say(key: str, **params: JSON) -> str:
        return context().translator.word(key, language, **params)

    return say


def profile_name(game: str | None, profile: str) -> str:
    """The name of a profile, which may be a game's own; without one, that of the game."""
    translator = context().translator
    known = [key for key in (f"profile.{game}.{profile}", f"profile.{profile}") if translator.knows(key)]
    return translator.word(known[0], g.language) if known else game_title(game or DEFAULT_GAME_NAME)


def game_title(name: str) -> str:
    """The name of a game for people."""
    if name not in current_app.extensions["games"]:
        return name
    return pages_of(name).title or context().translator.word(f"{name}.title", g.language)


def game_asked() -> str:
    """The game that a page is about: from the address, else the one at the table, else the default one."""
    named = request.args.get("game", "")
    if named in current_app.extensions["games"]:
        return named
    match = services().match.current()
    return str(match["game"]) if match else DEFAULT_GAME_NAME


def _match_json(now: MatchContext, *, board: bool) -> Mapping[str, JSON] | None:
    """The match as scripts need it, in one language; ``board``: they draw what leads to what."""
    if now.match is None:
        return None
    game = pages_of(now.match.get("game"))
    wanted = ("id", "game", "profile", "silent", "scored", "simulated", "seats", "options", "host")
    silent = now.match.get("silent")
    # Nothing on a silent game's pages can depend on what a card needs.
    unsaid = ("source",) if board and not silent else ("source", "prerequisites")
    hyphenated = current_app.jinja_env.filters["hyphenated"]
    cards = [
        {
            **{key: value for key, value in card.items() if key not in unsaid},
            "name": now.names.card(str(card["id"]), g.language),
            "face": game.face_of(card),
            # For the tree that a silent game shows at its end; other pages have theirs from the server.
            **({"syllables": hyphenated(now.names.card(str(card["id"]), g.language), g.language)} if silent else {}),
        }
        for card in now.match.get("things") or now.match.get("deck", {}).get("card", ())
    ]
    own = now.match.get("pictures")
    pictured = list(services().decks.pictured_cards(current_user(), own)) if own else []
    values = {key: now.match.get(key) for key in wanted}
    return {
        **values,
        "cards": cards,
        "pictures": own,
        "pictured": pictured,
        "choices": game.choices,
        "spoken": game.spoken,
        "framed": game.framed,
    }


def _since(now: MatchContext, number: int) -> tuple[Update, ...]:
    """The last updates of this match up to entry ``number``, and the later ones, oldest first."""
    return tuple(one for one in services().match.since(max(0, number - LOG)) if one.match == now.id)


def _log(now: MatchContext, number: int, most: int) -> list[JSON]:
    """The latest messages, oldest first."""
    return [
        {
            "number": update.number,
            "signal": update.signal.value,
            "texts": [context().translator.say(text, g.language, now.names) for text in update.texts],
            "entry": {key: value for key, value in (update.entry or {}).items() if key != "standing"},
            "why": why_json(update.texts),
        }
        for update in _since(now, number)[-most:]
    ]


def _headline(now: MatchContext, snapshot: Mapping[str, JSON]) -> Mapping[str, JSON]:
    """The first message of a page: the winner, the refused card that is still there, or the newest entry."""
    standing = snapshot["standing"]
    wanted = (
        Signal.OVER if standing and standing["over"] else Signal.REFUSED if snapshot["alert"] == "refused" else None
    )
    number = snapshot["number"]
    aside = (Signal.NOTICE.value, Signal.FOUND.value, Signal.STARTED.value)  # after a restart too
    looked_for = wanted or snapshot["signal"] in aside
    for update in reversed(_since(now, number)) if looked_for else ():
        if wanted in (None, update.signal):
            update_values = update_json(update, update.number or number, now, context().translator, g.language)
            return {**update_values, "alert": snapshot["alert"], "asked": snapshot["asked"], "standing": standing}
    return snapshot


def apology(problem: Problem, detail: str) -> Response:
    """A page for a request that is not served: the reason, and where to go."""
    template = "join.html" if problem.status in (403, 429) else "sorry.html"
    # A seat's phone whose player has left the table, or whose code was renewed: it did nothing wrong.
    lost = request.path == "/seat" and problem.status == 403 and bool(identity().code)
    wanted = "eye" if request.path == "/eye" else None
    response = page(template, problem.status, detail=None if lost else detail, lost=lost, to=wanted)
    response.headers.update(problem.headers)
    return response


def elsewhere(problem: Problem, detail: str) -> Response:
    """A page for a request under a foreign name: it shows the table's address and nothing else."""
    html = render_template("elsewhere.html", language=g.language, detail=detail, address=context().addresses.table)
    return Response(html, problem.status, content_type="text/html; charset=utf-8")
