"""The pages of Darwinci: the table is drawn from the JSON of view and tiles alone."""

from __future__ import annotations

from pathlib import Path

from flask import Blueprint

from companion.games.darwinci.pages.report import report
from web.door import Counts, GamePages

darwinci = Blueprint("darwinci", __name__, static_folder="static", static_url_path="/games/darwinci")
PAGES = GamePages(
    name="darwinci",
    title="Darwinci",
    folder=Path(__file__).parent,
    blueprint=darwinci,
    read_report=report,
    drawings={"bones": "bones.svg"},
    scripts=("table.js", "map.js"),
    counter="tiles",
    counter_sign=("bones", "bone"),
    counter_word="darwinci.tiles",
    counts=Counts("darwin", "", title="darwinci.counts.title", text="darwinci.counts", may_be_negative=True),
    how=("round", "bids", "awards", "plots", "end", "table"),
    how_words="how.darwinci",
)
