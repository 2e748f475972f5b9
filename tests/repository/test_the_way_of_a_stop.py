"""CONTRIBUTING shows which files a Stop goes through, in the order in which it does."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

from support.scripted_table import ScriptedTable

from companion.games.discovery.moves import Concede, Stop
from companion.games.registry import demo_deck, open_match
from companion.history.events import Origin
from companion.public.table import COMMAND_ZONE, Seat
from companion.referee.commands import MakeMove

ROOT = Path(__file__).parents[2]
SECTION = (
    (ROOT / "CONTRIBUTING.md").read_text("utf-8").split("### Where does a Stop! go through?\n")[1].split("\n### ")[0]
)
Step = tuple[str, str]


def steps(table: str) -> list[Step]:
    """File and function of each row of a table."""
    return re.findall(r"^\| \d+ \| `([^`]+)` \| `([^`]+)` \|", table, re.MULTILINE)


BY_CARD, BY_BOTH = map(steps, SECTION.split("Pressed on a phone"))


def bluff() -> ScriptedTable:
    """Ana has just laid a card that lacks another one, and nobody has said so."""
    position = {
        **{"turn": 1, "tree": ["1-1", "1-2"], "pool": ["3-3"], "stack": 36, "discards": [[], [], []]},
        **{"hands": [5, 5, 5], "points": [0, 0, 0]},
    }
    seats = [{"name": name} for name in ("Ana", "Ben", "Cy")]
    match = {"profile": "fr-bluff", "seat": seats, "position": position}
    lying = {"C11": "pile", "C12": "pile", "C33": "pool"}
    told = ScriptedTable(open_match(match, demo_deck()).game, lying=lying)
    told.look(2)
    told.look(2, C18="pile")
    assert told.story == ["played place 1 1-8 prerequisites"]
    return told


def calls(work: Callable[[], object]) -> list[Step]:
    """Every function of the companion that is called, in order."""
    made: list[Step] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        path = Path(frame.f_code.co_filename)
        if event == "call" and path.is_relative_to(ROOT):
            made.append((path.relative_to(ROOT).as_posix(), frame.f_code.co_name))

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return made


def missing(wanted: list[Step], made: list[Step]) -> list[Step]:
    """The steps that do not come one after the other."""
    left = iter(made)
    return [step for step in wanted if step not in left]


def test_a_stop_on_a_phone_goes_through_the_files_that_are_named() -> None:
    told = bluff()
    made = calls(lambda: told.say(MakeMove(Stop(Seat(2)), Origin.PHONE)))
    assert told.story[1:] == ["played stop 2"]
    assert BY_BOTH
    assert missing(BY_BOTH, made) == []


def test_a_stop_on_a_command_card_goes_through_them_too() -> None:
    told = bluff()
    made = calls(lambda: told.look(3, KSTOP=COMMAND_ZONE, S2=COMMAND_ZONE))
    assert told.story[1:] == ["played stop 2"]
    assert BY_CARD
    assert missing([*BY_CARD, *BY_BOTH[1:]], made) == [], "but for the message, which was the look"


def test_its_answer_ends_where_it_is_said_to() -> None:
    told = bluff()
    told.say(MakeMove(Stop(Seat(2)), Origin.PHONE))
    made = calls(lambda: told.say(MakeMove(Concede(Seat(1)), Origin.PHONE)))
    assert told.story[2:] == ["played concede 1"]
    assert ("companion/games/discovery/effects/contest.py", "conclude") in made


def test_a_step_that_is_not_taken_is_noticed() -> None:
    assert missing([("a", "b"), ("c", "d")], [("c", "d"), ("a", "b")]) == [("c", "d")]
