"""Writes build/explanations.md: ``PYTHONPATH=tests python -m tools.explanations``.

Every sentence that the referee says of Discovery, in both languages, with names filled in, so that somebody can read
them all from top to bottom. Which profiles say it is what the vectors and evenings of ``tests/vectors`` brought up.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion.errors import InputError
from companion.games import discovery
from companion.games.protocol import MoveContext
from companion.games.registry import demo_deck, open_match
from companion.history.codec import decode_move
from companion.public.i18n import LANGUAGES, Names, Translations
from companion.public.text import Text

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "build" / "explanations.md"
WORDS = Translations([Path(next(iter(discovery.__path__))) / "locale"])
CHAPTERS = {
    "objection": "Objections",
    "caption": "What happened",
    "verdict": "What verifying brought out",
    "why": "Where points come from",
}
FILLED: dict[str, Any] = {
    "seat": 1, "other": 2, "seats": [1], "card": "1-8", "cards": ["1-2"], "link": "1-2", "joker": "J1",
    "era": 2, "points": 3, "index": 2, "n": 2, "profile": "",
}  # fmt: skip


def heard() -> dict[str, set[str]]:
    """By key the profiles in which a record brings it up."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in sorted((ROOT / "tests" / "vectors").glob("*.jsonl")):
        header, *entries = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        if "unusable" not in path.stem:
            for text in _told(header, entries):
                found[text.key].add(header["match"]["profile"])
    return found


def _told(header: Any, entries: list[Any]) -> Iterator[Text]:
    """Every sentence of one record, as far as nobody corrects anything."""
    game = open_match(header["match"], header["deck"]).game
    state = game.rules.start
    for number, entry in enumerate(entries, 1):
        if "move" not in entry:
            return
        public, at = game.public(state), MoveContext(number, entry.get("time_s"))
        try:
            move = decode_move(game, entry["move"])
        except InputError:
            return
        for objection in game.rules.judge(public, move, at):
            yield game.words.reason(public, move, objection)
        if entry["event"] == "refused":
            continue
        step = game.hidden.apply(state, move, at, game.rules.apply(state, move, at))
        yield from game.words.caption(public, move, step)
        state = step.state


def page() -> str:
    """The whole page."""
    names = Names({card["id"]: card["name"] for card in demo_deck()["card"]}, ("Ana", "Ben", "Cleo"))
    known, lines = heard(), [
        "# What the referee says",
        "",
        "Every sentence of Discovery in both languages, with names filled in: Ana is whose act it is, Ben another. The",
        "first column names it as the catalogs do, and the profiles in which a record of `tests/vectors` brings it up.",
        "`PYTHONPATH=tests python -m tools.explanations` writes this page.",
    ]  # fmt: skip
    for chapter, title in CHAPTERS.items():
        lines += ["", f"## {title}", "", "| | English | French |", "|---|---|---|"]
        for key in sorted(key for key in WORDS.keys("en") if key.startswith(f"discovery.{chapter}.")):
            filled = FILLED | ({"seats": [1, 3]} if key.endswith(".many") else {})
            if key.endswith(".final"):
                each = ((1, 69), (2, 44), (3, 31))
                filled = {"points": [Text(f"{key}.one", {"seats": [seat], "points": points}) for seat, points in each]}
            said = [WORDS.say(Text(key, filled), language, names) for language in LANGUAGES]
            where = ", ".join(sorted(known.get(key, ())))
            lines.append(f"| {key.split('.', 2)[2]}{where and f' ({where})'} | {said[0]} | {said[1]} |")
    return "\n".join(lines) + "\n"


def write() -> None:
    """Write the page for people to read."""
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    write()
