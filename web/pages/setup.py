"""Setting up: the way from a box and some cards to the first match, and the decks that people type in."""

from __future__ import annotations

from flask import Blueprint, Response, g

from companion.public.decks import DECK_NAME, DEFAULT_GAME_NAME
from companion.public.print_sizes import LABEL_SHEETS, LEAST_MODULE_PX, OWN_GRID, SAFE_MODULE_PX, STICKER_MODULES
from companion.public.service import PRINTABLE, Role
from companion.public.sources import PHONE
from companion.public.text import JSON
from web.doctor import findings
from web.middleware.access import role
from web.middleware.context import context, current_user, services
from web.middleware.problems import Problem
from web.pages.page import game_asked, page
from web.pages.scoreboard import qr_code

setup = Blueprint("setup", __name__)
SIZES_PX = ((3840, 2160), (2560, 1440), (1920, 1080))
"""What a phone may be asked for; it takes the nearest that it has."""

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
    )


@setup.get("/print")
@role(Role.HOST)
def printing() -> Response:
    """What can be printed: stickers, cards to play with, command cards, the mat."""
    return page(
        "print.html",
        wanted=game_asked(),
        decks=services().decks.summaries(),
        printable=PRINTABLE,
        sheets=LABEL_SHEETS,
        own_grid=OWN_GRID,
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
    """The phone that opens this page is the camera."""
    source = services().setup.health()["source"]
    return page(
        "eye.html", source=source, is_phone=source == PHONE, sizes=SIZES_PX, https=context().https, link=secure_eye()
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
    """The link by which a phone becomes the host over HTTPS, and the camera; ``None`` where there is no HTTPS."""
    https = context().https
    host = next(one for one in services().match.join_codes(current_user()) if one.user.role is Role.HOST)
    return None if https is None else f"{https}/join/{host.code}?to=eye"


@setup.get("/doctor")
@role(Role.HOST)
def doctor() -> Response:
    """What is well with this table and what is not; what needs somebody comes first."""
    return page("doctor.html", findings=sorted(findings(), key=lambda one: LEVELS.index(one["level"])))


@setup.get("/decks")
@role(Role.HOST)
def decks() -> Response:
    """The table's own decks."""
    return page("decks.html", decks=services().decks.summaries())


@setup.get("/decks/<name>")
@role(Role.HOST)
def deck(name: str) -> Response:
    """One deck to fill in; a name that there is no deck of yet is a new one."""
    if not DECK_NAME.fullmatch(name):
        raise Problem(404, context().translator.word("deck.name.text", g.language))
    form = services().decks.form()
    stored = services().decks.deck(name) or {"deck": {"name": name, "edition": "own"}, "card": []}
    if stored.get("deck", {}).get("game", DEFAULT_GAME_NAME) != DEFAULT_GAME_NAME:
        raise Problem(404, context().translator.word("deck.by_hand", g.language, name=f"{name}.toml"))
    pictured = services().decks.pictured_cards(current_user(), name)
    return page(
        "deck.html",
        name=name,
        deck=_every_card(stored, form["cards"]),
        families=form["families"],
        system=context().system,
        pictured=pictured,
    )


def _every_card(stored: JSON, cards: list[str]) -> JSON:
    """A deck with a row for each card, in the printed order."""
    rows = {card["id"]: card for card in stored.get("card", ()) if isinstance(card, dict) and "id" in card}
    return {"deck": stored.get("deck", {}), "card": [rows.get(card, {"id": card}) for card in cards]}
