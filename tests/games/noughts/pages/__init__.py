"""The toy game on pages: its grid, its form and the page of a stored match."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from flask import Blueprint
from games.noughts.game import BOARD

from companion.public.i18n import Names
from web.pages.game_pages import GamePages
from web.pages.match_report import Report
from web.pages.tile_report import tile_report

HERE = Path(__file__).parent


def read_report(lines: Iterable[str]) -> tuple[Report, Names]:
    report, names = tile_report(lines, ("lay",), ("lay", "turn", "lift"))
    return replace(report, cards=tuple((card, None) for card in BOARD.things)), names


PAGES = GamePages(
    name="noughts",
    title="Noughts",
    folder=HERE,
    blueprint=Blueprint("noughts", __name__, static_folder="static", static_url_path="/games/noughts"),
    read_report=read_report,
    scripts=("table.js", "map.js"),
    counter="left",
    counter_word="noughts.left",
    how_words="noughts.how",
)
