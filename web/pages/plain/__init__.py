"""Pages for a game that brings none: its things in their cells, a form with names, and its stored matches.

The table is drawn from ``things`` in the game's public view, as ``companion.games.square_board`` gives them.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from flask import Blueprint

from companion.public.i18n import Names
from web.language import names_of
from web.pages.game_pages import Counts, GamePages, own_pages
from web.pages.match_report import Report
from web.pages.record_reading import read_record
from web.pages.tile_report import tile_report

log = logging.getLogger(__name__)

FOLDER = Path(__file__).parent


def pages_of_games(seats: Mapping[str, int]) -> dict[str, GamePages]:
    """The pages of these games: their own, or plain ones for a game that brings none.

    Args:
        seats: The number of seats of each game, by its name.
    """
    found, drawings = {}, {"symbols"}
    for name, count in seats.items():
        pages = own_pages(name)
        if pages is not None and (taken := drawings & (pages.drawings or {}).keys()):
            log.error(
                "%s gets plain pages, for another game has drawings called %s too", name, ", ".join(sorted(taken))
            )
            pages = None
        found[name] = pages or plain_pages(name, count)
        drawings |= (found[name].drawings or {}).keys()
    return found


def plain_pages(name: str, seats: int) -> GamePages:
    """The pages of a game for this number of seats."""
    return GamePages(
        name=name,
        folder=FOLDER,
        blueprint=Blueprint(name, __name__, static_folder="static", static_url_path=f"/games/{name}"),
        read_report=read_report,
        scripts=("table.js", "map.js"),
        seats=seats,
        counter="",
        counts=Counts("", ""),
        how_words=f"{name}.how",
    )


def read_report(lines: Iterable[str]) -> tuple[Report, Names]:
    """Read a record: a move with a column and a row lays a thing, and each move of a seat ends its turn.

    Things have the names that their deck gives them.

    Raises:
        ValueError: The record has no readable first line.
    """
    kept = tuple(lines)
    moves = [move for move in map(_move, kept) if "do" in move]
    laying = {move["do"] for move in moves if {"card", "x", "y"} <= move.keys()}
    report, names = tile_report(kept, laying, {move["do"] for move in moves if move.get("by")})
    places = {card: {key: place[key] for key in ("x", "y", "by")} for card, place in report.places.items()}
    cards = tuple((card, None) for card in places)
    named = names_of({"deck": read_record(kept).deck, "seats": [{"name": name} for name in names.seats]})
    return replace(report, profile="", cards=cards, places=places), named


def _move(line: str) -> dict[str, Any]:
    try:
        return dict(json.loads(line).get("move", {}))
    except (ValueError, AttributeError):
        return {}
