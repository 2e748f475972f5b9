"""What holds in which profile: ``docs/rules.md`` shows the table that is drawn from the code."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

from support.discovery_match import game

from companion.games.discovery.moves import Place
from companion.games.discovery.rules.legality import FIRST
from companion.games.discovery.setup import PROFILES, Profile
from companion.games.discovery.state import Contest, ContestableAct, Position, replace
from companion.games.protocol import Move, MoveContext
from companion.public.table import CardId, Seat

RULES = Path(__file__).parents[4] / "docs" / "rules.md"
BEGINS, ENDS = "<!-- drawn from the code: begins -->\n", "<!-- drawn from the code: ends -->"
SWITCH = re.compile(r"^ {8}(\w+): (.*(?:\n {12}.*)*)", re.MULTILINE)


def switches() -> dict[str, str]:
    """What each switch of a profile means, with its paragraph, as its own docstring says it."""
    said = {name: " ".join(text.split()) for name, text in SWITCH.findall(Profile.__doc__ or "")}
    return {name: text for name, text in said.items() if name != "edition"}


def table() -> str:
    """Every switch by profile, and what is asked of every move, in its order."""
    rows = [
        "| It holds that | " + " | ".join(f"`{name}`" for name in PROFILES) + " |",
        "|---|" + "---|" * len(PROFILES),
    ]
    for name, text in switches().items():
        yes = ("yes" if getattr(profile, name) else "–" for profile in PROFILES.values())
        rows.append(f"| {text} `{name}` | " + " | ".join(yes) + " |")
    asked = [
        f"{place}. {' '.join((rule.__doc__ or '').split())} `{rule.__name__}`" for place, rule in enumerate(FIRST, 1)
    ]
    return "\n".join([*rows, "", "In all of them these are asked of every move first, in this order:", "", *asked, ""])


def test_every_switch_of_a_profile_says_what_it_means_and_names_its_paragraph() -> None:
    names = {one.name for one in fields(Profile)} - {"name", "edition"}
    assert switches().keys() == names
    assert all(re.search(r"\b[A-Z]\d", text) for text in switches().values())
    assert all(len({getattr(profile, name) for profile in PROFILES.values()}) == 2 for name in names), "or it is none"


def test_the_rules_in_docs_show_what_holds_in_which_profile() -> None:
    shown = RULES.read_text("utf-8").partition(BEGINS)[2].partition(ENDS)[0]
    assert shown == "\n" + table() + "\n", f"docs/rules.md should say:\n\n{table()}"


def test_of_what_stands_alone_the_first_in_docs_is_said() -> None:
    """An act after the end is "game-over", also while a Stop waits; of a seat that nobody sits in it is "turn"."""
    match = game("en-memory", [{"name": "Ana"}, {"name": "Ben"}])
    start = match.rules.start.position
    stopped = Contest(ContestableAct(1, Seat(1), 1, "place"), Seat(2))
    ended = replace(start, over=True, contest=stopped)

    def said(position: Position, move: Move) -> list[str]:
        return [one.rule for one in match.rules.judge(position, move, MoveContext(9))]

    place = Place(Seat(1), CardId("1-1"), "hand")
    assert said(replace(start, contest=stopped), place) == ["turn"]
    assert said(ended, place) == ["game-over"]
    assert said(replace(ended, away=frozenset({1})), place) == ["turn"]
