"""What holds in which profile: ``docs/rules.md`` shows the table that is drawn from the code."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from types import ModuleType

from support.discovery_match import game

from companion.games.discovery import explore, secrecy
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
    return "\n".join(
        [
            *rows,
            *("", "What `silent` changes:", "", *questions(secrecy)),
            *("", "What `points` changes:", "", *questions(explore)),
            *("", "In all of them these are asked of every move first, in this order:", "", *asked, ""),
        ]
    )


def questions(module: ModuleType) -> list[str]:
    """The first sentence of each function of a module, a line each."""
    own = [one for _, one in inspect.getmembers(module, inspect.isfunction) if one.__module__ == module.__name__]
    own.sort(key=lambda one: one.__code__.co_firstlineno)
    said = [" ".join((one.__doc__ or "").partition("\n\n")[0].replace("``", "`").split()) for one in own]
    return [f"- {text} `{one.__name__}`" for text, one in zip(said, own, strict=True)]


def asked_of_a_profile(path: Path) -> Iterator[str]:
    """Each ``….silent`` and ``….points`` that a module asks of a profile."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(node, ast.Attribute) or node.attr not in ("silent", "points"):
            continue
        if "profile" in ast.unparse(node.value).lower():
            yield node.attr


SPAN = re.compile(r"\b([A-Z])(\d+)(?:(?: to |-)(?:\1)?(\d+))?\b")
NOT_IN_THE_CODE = {
    "A2": "the cards are shuffled at the table",
    "L6": "corrections are the same in all games (companion/history/corrections.py)",
    "L7": "who may read a record is the same in all games (companion/service)",
    "U1": "what is undone first is the same in all games (companion/history/corrections.py)",
    "U2": "who may undo what is the same in all games (companion/history/corrections.py)",
    "U3": "who may undo what is the same in all games (companion/history/corrections.py)",
    "Y1": "who sits in a seat is the same in all games (companion/history)",
}


def paragraphs(text: str) -> set[str]:
    """The paragraphs that a text names; "K6 to K9" and "C3-C6" name those between as well."""
    found = ((letter, int(first), int(last or first)) for letter, first, last in SPAN.findall(text))
    return {f"{letter}{number}" for letter, first, last in found for number in range(first, last + 1)}


def below_its_title(path: Path) -> str:
    """A module without its own docstring, which names a whole chapter and stands beside no rule."""
    text = path.read_text("utf-8")
    return text.replace(ast.get_docstring(ast.parse(text), clean=False) or "", "", 1)


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


def test_what_silence_and_points_change_is_asked_in_their_own_modules_alone() -> None:
    """Whoever wants to know how Memory differs from Explore reads two pages."""
    folder = Path(secrecy.__file__).parent
    found = {path.name: set(asked_of_a_profile(path)) for path in folder.rglob("*.py")}
    assert {name: asked for name, asked in found.items() if asked} == {
        "secrecy.py": {"silent"},
        "explore.py": {"points"},
        # The kind of game, for the referee and for pages.
        "game.py": {"silent"},
        "view.py": {"silent"},
    }


def test_every_question_that_a_profile_answers_otherwise_names_its_paragraph() -> None:
    assert all(re.search(r"\([^)]*\b[A-Z]\d", line) for line in (*questions(secrecy), *questions(explore)))


def test_every_paragraph_of_the_rules_is_found_by_its_name_in_the_code() -> None:
    """Who knows the rule book searches for the paragraph and stands before its function."""
    body = RULES.read_text("utf-8").partition(ENDS)[2]
    stated = {name for bold in re.findall(r"\*\*([A-Z]\d[^*]*)\*\*", body) for name in paragraphs(bold)}
    folder = Path(secrecy.__file__).parent
    named = {name for path in folder.rglob("*.py") for name in paragraphs(below_its_title(path))}
    assert len(stated) > 130
    assert stated - named == NOT_IN_THE_CODE.keys()
