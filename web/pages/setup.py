"""Setting up: the way from a box and some cards to the first match, and the decks that people type in."""

from __future__ import annotations

import re

from flask import Blueprint, Response, g

from companion.public.text import JSON
from web.api.system import findings
from web.middleware.context import context, current_user
from web.middleware.problems import Problem
from web.pages.page import page

setup = Blueprint("setup", __name__)
ERAS, PER_ERA = 6, 9
LEVELS = ("trouble", "warning", "info", "ok")
FAMILIES = ("tools", "food", "society", "science", "techniques", "culture", "movement")


@setup.get("/setup")
def wizard() -> Response:
    """Step by step: camera, cards, picture, players, game, lamp, start."""
    return page(
        "setup.html", decks=context().desk.decks(current_user()), box=context().box, health=context().desk.health()
    )


@setup.get("/doctor")
def doctor() -> Response:
    """What is well with this table and what is not; what needs somebody comes first."""
    return page("doctor.html", findings=sorted(findings(), key=lambda one: LEVELS.index(one["level"])))


@setup.get("/decks")
def decks() -> Response:
    """The table's own decks."""
    return page("decks.html", decks=context().desk.decks(current_user()))


@setup.get("/decks/<name>")
def deck(name: str) -> Response:
    """One deck to fill in; a name that there is no deck of yet is a new one."""
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,39}", name):
        raise Problem(404, context().voice.word("deck.name.text", g.language))
    stored = context().desk.deck(current_user(), name) or {"deck": {"name": name, "edition": "own"}, "card": []}
    pictured = context().desk.portraits(current_user(), name)
    return page("deck.html", name=name, deck=filled(stored), families=FAMILIES, box=context().box, pictured=pictured)


def filled(stored: JSON) -> JSON:
    """A deck with a row for each of the 54 cards, in the printed order."""
    rows = {card["id"]: card for card in stored.get("card", ()) if isinstance(card, dict) and "id" in card}
    ids = [f"{era}-{number}" for era in range(1, ERAS + 1) for number in range(1, PER_ERA + 1)]
    return {"deck": stored.get("deck", {}), "card": [rows.get(card, {"id": card}) for card in ids]}
