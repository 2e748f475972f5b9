"""The pages of Discovery: the table is drawn from the JSON of view and deck alone."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pyphen
from flask import Blueprint

from companion.games.discovery.pages.faces import face_of, pictogram_of, symbol_of
from companion.games.discovery.pages.report import report
from web.door import GamePages

discovery = Blueprint("discovery", __name__, static_folder="static", static_url_path="/games/discovery")
PAGES = GamePages(
    name="discovery",
    folder=Path(__file__).parent,
    blueprint=discovery,
    read_report=report,
    face_of=face_of,
    pictogram_of=pictogram_of,
    symbol_of=symbol_of,
    drawings={"families": "families.svg", "faces": "faces.svg"},
    scripts=("table.js", "map.js", "wires.js"),
    title="Discovery",
    legend=(("turn", "cards", "trump", "ok", "no", "ask"), ("laid", "pooled", "refused", "missing")),
    how=("turn", "series", "trumps", "end", "silent", "table"),
)

DICTIONARIES = {"en": "en_US", "fr": "fr"}
SIDE_LETTERS, FEWEST_LETTERS = 3, 2
"""The least letters before and after a hyphen; the second number holds before it if the word would not break
otherwise."""

ALONE_LETTERS, BESIDE_LETTERS = 7, 10
"""Words with at least this many letters may be hyphenated: in a name of one word, and in one of several, which breaks
between words first."""

_WORD = re.compile(r"[^\W\d_]+")


@discovery.app_template_filter()
def hyphenated(name: str, language: str) -> str:
    """Add soft hyphens to long words by the rules of their language: paint-ing, pein-ture. Not every browser can do
    it."""
    least = BESIDE_LETTERS if " " in name.strip() else ALONE_LETTERS
    return _WORD.sub(lambda word: _broken(word[0], language) if len(word[0]) >= least else word[0], name)


def _broken(word: str, language: str) -> str:
    pieces = [""]
    usual, fewest = (_dictionary(language, left) for left in (SIDE_LETTERS, FEWEST_LETTERS))
    for piece in (usual if usual.positions(word) else fewest).inserted(word, "\u00ad").split("\u00ad"):
        if len(pieces[-1]) == 1:  # a single letter does not look like a syllable
            pieces[-1] += piece
        else:
            pieces.append(piece)
    return "\u00ad".join(filter(None, pieces))


@cache
def _dictionary(language: str, left: int) -> pyphen.Pyphen:
    return pyphen.Pyphen(lang=DICTIONARIES.get(language, "en_US"), left=left, right=SIDE_LETTERS)
