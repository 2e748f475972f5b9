"""Setting up: from a box of cards to the first match, and the decks that people enter."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from flask import Blueprint, Response, current_app, g, request

from companion.public.card_reading import LAYOUTS
from companion.public.decks import DECK_NAME, DEFAULT_GAME_NAME, differences
from companion.public.machine import ENDLESS_ROLL, LABEL_SHEETS, OWN_GRID, OWN_ROLL, PRINTABLE
from companion.public.print_sizes import LEAST_MODULE_PX, SAFE_MODULE_PX, STICKER_MODULES
from companion.public.service import Role
from companion.public.sources import PHONE
from companion.public.text import JSON
from web.doctor import findings
from web.middleware.access import role
from web.middleware.context import context, current_user, render, services
from web.middleware.problems import Problem
from web.pages.game_pages import GamePages
from web.pages.page import game_asked, page
from web.pages.scoreboard import qr_code, secure_address

setup = Blueprint("setup", __name__)
SIZES_PX = ((3840, 2160), (2560, 1440), (1920, 1080))
"""Picture sizes to ask a phone for; it takes the nearest that it has."""

LEVELS = ("trouble", "warning", "info", "ok")


@setup.get("/setup")
@role(Role.HOST)
def wizard() -> Response:
    """Step by step: camera, cards, picture, players, game, lamp, start."""
    return page(
        "setup.html",
        wanted=game_asked(),
        decks=services().decks.summaries(),
        system=context().system,
        health=services().setup.health(),
        without_picture=services().setup.without_picture,
    )


@setup.get("/print")
@role(Role.HOST)
def printing() -> Response:
    """Printables: stickers, cards to play with, command cards, the mat."""
    return page(
        "print.html",
        wanted=game_asked(),
        decks=services().decks.summaries(),
        printable=PRINTABLE,
        sheets=LABEL_SHEETS,
        own_grid=OWN_GRID,
        own_roll=OWN_ROLL,
        endless_roll=ENDLESS_ROLL,
        sizes=(STICKER_MODULES, LEAST_MODULE_PX, SAFE_MODULE_PX),
    )


@setup.get("/check")
@role(Role.HOST)
def check() -> Response:
    """The check of a box of cards under the camera."""
    return page("check.html", wanted=game_asked(), decks=services().decks.summaries())


@setup.get("/eye")
@role(Role.HOST)
def eye() -> Response:
    """The phone that opens this page becomes the camera."""
    source = services().setup.health()["source"]
    return page(
        "eye.html",
        source=source,
        is_phone=source == PHONE,
        sizes=SIZES_PX,
        https=secure_address(),
        link=secure_eye(),
    )


@setup.get("/qr/eye.svg")
@role(Role.HOST)
def qr_eye() -> Response:
    """The page ``/eye`` over HTTPS, with the host's code, as a QR code."""
    link = secure_eye()
    if link is None:
        raise Problem(404, context().translator.word("problem.404", g.language))
    return qr_code(link)


def secure_eye() -> str | None:
    """The HTTPS link that makes a phone the host and the camera; ``None`` without HTTPS."""
    https = secure_address()
    host = next(one for one in services().match.join_codes(current_user()) if one.user.role is Role.HOST)
    return None if https is None else f"{https}/join/{host.code}?to=eye"


@setup.get("/doctor")
@role(Role.HOST)
def doctor() -> Response:
    """What is wrong with this table, and what is fine; problems first."""
    return page("doctor.html", findings=sorted(findings(), key=lambda one: LEVELS.index(one["level"])))


@setup.get("/decks")
@role(Role.HOST)
def decks() -> Response:
    """All decks, and three ways to a new one: photographs, typing, a copy of the game's demo deck."""
    games: Mapping[str, GamePages] = current_app.extensions["games"]
    entered = [name for name, game in games.items() if name == DEFAULT_GAME_NAME or game.editor]
    return page(
        "decks.html",
        wanted=game_asked(),
        decks=services().decks.summaries(),
        demos={name: services().decks.demo(name) for name in entered},
    )


@setup.get("/decks/<name>")
@role(Role.HOST)
def deck(name: str) -> Response:
    """One deck to edit; an unknown name is a new deck, of the game in the address."""
    if not DECK_NAME.fullmatch(name):
        raise Problem(404, context().translator.word("deck.name.text", g.language))
    stored = services().decks.deck(name)
    game = request.args.get("game", DEFAULT_GAME_NAME) if stored is None else _game_of(stored)
    if game != DEFAULT_GAME_NAME:
        return _editor(name, game, stored)
    form = services().decks.form()
    stored = stored or {"deck": {"name": name, "edition": "own"}, "card": []}
    pictured = services().decks.pictured_cards(current_user(), name)
    return page(
        "deck.html",
        name=name,
        deck=_every_card(stored, form["cards"]),
        families=form["families"],
        system=context().system,
        pictured=pictured,
    )


def _editor(name: str, game: str, stored: JSON | None) -> Response:
    """The page for entering the decks of a game with its own deck format."""
    games: Mapping[str, GamePages] = current_app.extensions["games"]
    if game not in games or not games[game].editor:
        raise Problem(404, context().translator.word("deck.by_hand", g.language, name=f"{name}.toml"))
    form = services().decks.form(game)
    typed = stored or {"deck": {"game": game, "name": name, "edition": "own"}, form["things"]: []}
    checked = services().decks.check(typed)
    rendered = {key: [{**one, "what": render(one["what"])} for one in checked[key]] for key in ("faults", "open")}
    return page(
        f"{game}/templates/editor.html",
        name=name,
        typed=typed,
        is_new=stored is None,
        form=form,
        checked={**checked, **rendered},
        system=context().system,
    )


def _game_of(deck: JSON) -> str:
    head = deck.get("deck") if isinstance(deck, dict) else None
    return str(head.get("game", DEFAULT_GAME_NAME)) if isinstance(head, dict) else DEFAULT_GAME_NAME


@setup.get("/decks/<name>/read")
@role(Role.HOST)
def read(name: str) -> Response:
    """Cards read from photographs, for confirmation."""
    if not DECK_NAME.fullmatch(name):
        raise Problem(404, context().translator.word("deck.name.text", g.language))
    form = services().decks.form()
    stored = services().decks.deck(name) or {"deck": {"name": name, "edition": "own"}, "card": []}
    proposed = services().photos.proposals(current_user(), name, stored)
    if proposed is None or stored.get("deck", {}).get("game", DEFAULT_GAME_NAME) != DEFAULT_GAME_NAME:
        raise Problem(404, context().translator.word("problem.404", g.language))
    return page(
        "read.html",
        name=name,
        deck=_every_card(stored, form["cards"]),
        families=form["families"],
        reads=proposed["reads"],
        layouts=tuple(LAYOUTS),
    )


@setup.get("/decks/<name>/compare")
@role(Role.HOST)
def compare(name: str) -> Response:
    """The differences between decks: ``?with=NAME``, several times; without it, compared with the demo deck."""
    decks_there = _titles()
    if name not in decks_there:
        raise Problem(404, context().translator.word("problem.404", g.language))
    others = [other for other in dict.fromkeys(request.args.getlist("with")) if other in decks_there and other != name]
    demo = context().translator.word("print.deck.demo", g.language)
    decks = [services().decks.deck(name) or {}, *(services().decks.deck(other) or {} for other in others)]
    titles = [decks_there[name], *(decks_there[other] for other in others)]
    if not others:
        decks, titles = [*decks, services().decks.demo()], [*titles, demo]
    return page("compare.html", name=name, known=decks_there, others=others, titles=titles, rows=_side_by_side(decks))


def _titles() -> dict[str, str]:
    """The default game's decks by name; equal titles get their file names."""
    decks = [one for one in services().decks.summaries() if "game" not in one]
    titles = [one["title"] for one in decks]
    return {
        one["name"]: one["title"] if titles.count(one["title"]) == 1 else f"{one['title']} ({one['file']})"
        for one in decks
    }


def _side_by_side(decks: list[JSON]) -> list[JSON]:
    """The differences, as ``{"card", "what", "says": one value per deck}``, in the reader's language."""
    first, *others = decks
    families = services().decks.form()["families"]
    word = partial(context().translator.word, language=g.language)
    keys = {"name": "deck.card.name", "family": "deck.family", "prerequisites": "deck.needs"}
    values: dict[tuple[str, str], list[str]] = {}
    for place, other in enumerate(others, 1):
        for one in differences(first, other):
            before, after = (
                word(f"js.family.{words}") if one.key == "family" and words in families else words
                for words in one.words()
            )
            values.setdefault((one.card, one.key), [before] * len(decks))[place] = after
    rows = []
    for (card, key), says in sorted(values.items()):
        part, _, language = key.partition(".")
        what = word(keys[part]) if card and part in keys else part
        rows.append({"card": card, "what": f"{what} {language}".strip(), "says": says})
    return rows


def _title(deck: JSON, name: str) -> str:
    head = deck.get("deck") if isinstance(deck, dict) else None
    return str(head.get("name") or name) if isinstance(head, dict) else name


def _every_card(stored: JSON, cards: list[str]) -> JSON:
    """A deck with a row for each card, in the printed order."""
    rows = {card["id"]: card for card in stored.get("card", ()) if isinstance(card, dict) and "id" in card}
    return {"deck": stored.get("deck", {}), "card": [rows.get(card, {"id": card}) for card in cards]}
