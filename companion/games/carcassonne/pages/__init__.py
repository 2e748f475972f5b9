"""The pages of Carcassonne: the table is drawn from the JSON of view and tiles alone."""

from __future__ import annotations

from pathlib import Path

from flask import Blueprint

from companion.games.carcassonne.pages.report import report
from web.door import Counts, GamePages

carcassonne = Blueprint("carcassonne", __name__, static_folder="static", static_url_path="/games/carcassonne")
PAGES = GamePages(
    name="carcassonne",
    title="Carcassonne: The Discovery",
    folder=Path(__file__).parent,
    blueprint=carcassonne,
    read_report=report,
    drawings={"followers": "followers.svg"},
    scripts=("table.js", "map.js"),
    counter="supply",
    counter_sign=("followers", "follower"),
    counter_word="carcassonne.supply",
    counts=Counts("", ""),
    how=("turn", "followers", "points", "end", "table"),
    how_words="how.carcassonne",
)
