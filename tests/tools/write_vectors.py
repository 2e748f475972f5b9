"""Writes the vectors of the rules as match records: ``PYTHONPATH=tests python -m tools.write_vectors``.

The vectors stand in ``tools.vectors``, a module for some letters of docs/rules.md each, in a language of their own. The
evenings here are played at random, and refereed by the second judge.
"""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from reference.matches import evening
from tools import vectors
from tools.vectors.language import CHAPTERS, JSON, Play, deck, match

HERE = Path(__file__).parents[1] / "vectors"
for module in iter_modules(vectors.__path__, "tools.vectors."):
    import_module(module.name)  # each brings its chapters

EVENINGS: dict[str, tuple[int, JSON]] = {
    "evening-en-intro": (5, match("en-intro", 3, jokers=1)),
    "evening-en-intro-stop-bots": (2, match("en-intro", 4, bots=(2,), jokers=2, options={"stop": True})),
    "evening-en-memory": (3, match("en-memory", 3, jokers=2)),
    "evening-en-memory-bots": (4, match("en-memory", 4, bots=(2, 4), jokers=1)),
    "evening-en-explore": (1, match("en-explore", 4, jokers=3, bots=(3,), options={"series_plus": True})),
    "evening-en-explore-stop-teams": (2, match("en-explore", 4, jokers=2, teams=("red", "blue", "red", "blue"),
                                               options={"stop": True})),
    "evening-fr-explore": (1, match("fr-explore", 3, jokers=2)),
    "evening-fr-explore-teams": (6, match("fr-explore", 4, jokers=2, teams=("red", "blue", "red", "blue"))),
    "evening-fr-explore-bots": (7, match("fr-explore", 3, jokers=2, bots=(2, 3))),
    "evening-fr-bluff": (8, match("fr-bluff", 5, jokers=3)),
    "evening-fr-bluff-bot": (9, match("fr-bluff", 3, jokers=1, bots=(1,))),
    "evening-fr-bluff-teams": (10, match("fr-bluff", 4, jokers=1, teams=("red", "blue", "red", "blue"))),
}  # fmt: skip


def write(folder: Path = HERE) -> None:
    """Every vector and every evening into ``folder``."""
    for name, (seed, facts) in EVENINGS.items():
        header, entries = evening(facts, deck(), seed)
        header["title"] = f"An evening played at random: {facts['profile']}, {len(facts['seat'])} seats"
        lines = [json.dumps(line, ensure_ascii=False) for line in (header, *entries)]
        (folder / f"{name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    Play.every.clear()
    for chapter in CHAPTERS:
        chapter()
    for play in Play.every:
        play.write(folder)


if __name__ == "__main__":
    write()
