"""The pages of Discover: Lands Unknown: its sheets and its map are drawn from the view's JSON alone."""

from __future__ import annotations

from pathlib import Path

from flask import Blueprint

from companion.games.lands.pages.report import report
from web.door import Counts, GamePages

lands = Blueprint("lands", __name__, static_folder="static", static_url_path="/games/lands")
PAGES = GamePages(
    name="lands",
    title="Discover: Lands Unknown",
    folder=Path(__file__).parent,
    blueprint=lands,
    read_report=report,
    drawings={"island": "island.svg"},
    scripts=("table.js", "acts.js", "asks.js", "count.js", "fight.js", "map.js", "tile.js", "choices.js", "says.js"),
    counter="stamina",
    counter_sign=("island", "stamina"),
    counter_word="lands.stamina",
    counts=Counts("stamina", "", text="lands.counts"),
    how=("day", "fights", "nights", "phone", "end", "table"),
    how_words="how.lands",
)
