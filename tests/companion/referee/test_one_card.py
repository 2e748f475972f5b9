"""One card, look by look: ``docs/how-it-thinks.md`` shows what is drawn here from the code."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from support.scripted_table import ScriptedTable, short

from companion.games.registry import demo_deck, open_match
from companion.history.events import Refused
from companion.history.record import RecordLine
from companion.public.table import CardId, UnreadPlace, Zone
from companion.referee.match import Match
from vision.tracking.track import TrackState
from vision.tracking.tracker import GONE_S, Tracker, Visibility

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "how-it-thinks.md").read_text("utf-8")
POOL = ("C33", "C34", "C35", "C36", "C37")
NAMES = {"C13": "1-3", "C15": "1-5", "C18": "1-8"}
LAMP = (UnreadPlace(Zone("tree"), 480.0, 300.0, (0.436, 0.462), lamp=True),)
LOOK_S = 0.25


def drawn(name: str) -> str:
    """What the page shows between its marks."""
    begins, ends = f"<!-- {name}, drawn from the code: begins -->\n", f"<!-- {name}, drawn from the code: ends -->"
    assert begins in PAGE, begins
    return PAGE.partition(begins)[2].partition(ends)[0].strip("\n")


def written(line: RecordLine) -> str:
    """An entry of the log in short, with ``asks`` where people are asked about it."""
    event = line.entry.event
    return short(line) + (" asks" if isinstance(event, Refused) and event.asks else "")


@dataclass
class Story:
    """A card at a table in the middle of a match, and a row of the page whenever something changes."""

    card: str
    told: ScriptedTable = field(init=False)
    rows: list[str] = field(default_factory=list)
    steps: list[tuple[str, str]] = field(default_factory=list)
    _s: float = 0.0
    _entries: int = 0
    _news: int = 0
    _before: tuple[str, str] = ("", "not on the table")

    def __post_init__(self) -> None:
        match: dict[str, Any] = {"profile": "fr-explore", "seat": [{"name": name} for name in ("Ana", "Ben", "Cy")]}
        match["position"] = {
            **{"turn": 1, "tree": ["1-1", "1-2"], "pool": [f"{p[1]}-{p[2]}" for p in POOL], "stack": 32},
            **{"discards": [[], [], []], "hands": [5, 5, 5], "points": [0, 0, 0]},
        }
        lying = dict.fromkeys(("C11", "C12"), "tree") | dict.fromkeys(POOL, "pool")
        self.told = ScriptedTable(open_match(match, demo_deck()).game, lying=lying)
        self.told.look(2)
        self._news, self._entries = len(self.told.news), len(self.told.story)

    def look(self, shows: str, seconds: float, **more: Any) -> None:
        for _ in range(round(seconds / LOOK_S)):
            self.told.look(LOOK_S, **more)
            self._s += LOOK_S
            self._note(shows)

    def _note(self, shows: str) -> None:
        wrote = [f"`{written(line)}`" for line in self.told.match.record.lines[self._entries :]]
        said = [f"`{news.signal.value}`" for news in self.told.news[self._news :] if news.number is None]
        state = self.state
        if wrote or said or (shows, state) != self._before:
            if state != self._before[1]:
                self.steps.append((self._before[1], state))
            shown = shows if shows != self._before[0] else ""
            self.rows.append(f"| {self._s:.2f} | {shown} | {state} | {', '.join(said)} | {', '.join(wrote)} |")
        self._entries, self._news = len(self.told.match.record.lines), len(self.told.news)
        self._before = shows, state

    @property
    def state(self) -> str:
        """What the referee holds the card for, as far as everybody may ask."""
        match, card = self.told.match, CardId(NAMES[self.card])
        issues = match.issues
        change = next((one for one in issues.differences(match.game, match.record) if one.card == card), None)
        if change is None:
            return "counts" if card in issues.lying else "not on the table"
        asks = [one.asks for one in match.record.open_refusals.values() if one.change == change]
        if change in issues.reported:
            return "to be put back" if not asks else "asked about" if asks[0] else "refused"
        return "missing" if change.went_to is None else "in doubt"


def scenes() -> dict[str, Story]:
    """The scenes of the page, by their headings."""
    laid = Story("C13")
    laid.look("a hand lays 1-3 in the tree, where it is lawful", 0.5, hand=True, C13="tree")
    laid.look("the hand has gone", 1.0)
    laid.look("a hand takes it up", 1.0, hand=True, C13=None)
    laid.look("its place is empty, no hand", 3.0)
    laid.look("a hand lays it there again", 0.5, hand=True, C13="tree")
    laid.look("the hand has gone", 1.0)
    laid.look("a hand and its sleeve cover it: the eye keeps it where it was", 5.0, hand=True)
    laid.look("the hand has gone", 1.0)

    shoved = Story("C15")
    shoved.look("1-5 is laid in the tree", 1.0, C15="tree")
    shoved.look("1-8 is laid after it", 1.0, C18="tree")
    shoved.look("a sleeve shoves 1-5 into the pool", 1.0, hand=True, C15="pool")
    shoved.look("the arm has gone", 3.0)
    shoved.look("somebody shoves it back", 1.0, C15="tree")

    refused = Story("C18")
    refused.look("a hand lays 1-8, which still needs 1-5", 1.0, hand=True, C18="tree")
    refused.look("the hand has gone", 1.0)
    refused.look("it is taken back", 1.0, C18=None)

    unread = Story("C18")
    unread.look("something lies under a lamp, unread", 1.0, unread=LAMP)
    unread.look("1-8 is laid: lawful if that thing were 1-5", 2.0, unread=LAMP, C18="tree")
    unread.look("the lamp is moved, and 1-5 is read there", 1.0, C15="tree")
    return {
        "Laid, lifted, laid again, hidden by a hand": laid,
        "Shoved by a sleeve": shoved,
        "Laid unlawfully": refused,
        "Unread under a lamp": unread,
    }


def looks() -> str:
    """The scenes as tables."""
    head = "| Second | The eye says | The thing | Said | Written |\n|---|---|---|---|---|"
    return "\n\n".join(f"**{name}**\n\n{head}\n" + "\n".join(story.rows) for name, story in scenes().items())


def states() -> str:
    """The states that the thing went through in the scenes, and from which into which."""
    steps = list(dict.fromkeys(step for story in scenes().values() for step in story.steps))
    names = list(dict.fromkeys(name for step in steps for name in step))
    alias = {name: name.replace(" ", "_") for name in names}
    lines = [f'    state "{name}" as {alias[name]}' for name in names if alias[name] != name]
    lines += [f"    {alias[one]} --> {alias[other]}" for one, other in steps]
    return "\n".join(["```mermaid", "stateDiagram-v2", *lines, "```"])


def after(state: TrackState, shows: Visibility) -> str:
    """What a sticker is for the eye after one look at its place, or after as many as it takes."""
    track: Any = SimpleNamespace(
        **{"token": "C18", "state": state, "corners_px": None, "under": None, "attempts": 0, "hidden_since": 0},
        **{"seen_since": 0, "empty_looks": 0, "empty_since_s": 0.0, "first_empty_s": None, "last_empty_s": 0.0},
    )
    memory = Tracker(SimpleNamespace(), tracks={track.token: track})  # type: ignore[arg-type]
    memory.mark(track, shows, 1, 0.0)
    first = str(track.state.name.lower())
    for number in range(2, 100):
        if memory.mark(track, shows, number, (number - 1) * LOOK_S):
            return f"{first}; {track.state.name.lower()} after {number} such looks in a row, in {GONE_S:g} s at least"
    return first


def eye() -> str:
    """The states of a sticker by what a look at its place shows."""
    before = (TrackState.VISIBLE, TrackState.OCCLUDED)
    rows = [
        "| A look at its place | " + " | ".join(f"was {one.name.lower()}" for one in before) + " |",
        "|---|---|---|",
    ]
    rows += [
        f"| {shows.name.lower()} | " + " | ".join(after(state, shows) for state in before) + " |"
        for shows in Visibility
    ]
    return "\n".join(rows)


def times() -> str:
    """All waiting times of the referee, as the code explains them."""
    rows = ["| Name | Seconds | What waits |", "|---|---|---|"]
    for path in sorted((ROOT / "companion" / "referee").glob("*.py")):
        body = ast.parse(path.read_text("utf-8")).body
        for one, said in pairwise(body):
            match one, said:
                case (
                    ast.Assign([ast.Name(name)], ast.Constant(float(seconds))),
                    ast.Expr(ast.Constant(str(text))),
                ) if name.endswith("_S"):
                    rows.append(f"| `{name}` | {seconds:g} | {' '.join(text.split())} |")
    return "\n".join(rows)


def steps_of_a_decision() -> str:
    """The diagram of a decision, as ``Match`` has it."""
    diagram = inspect.cleandoc(Match.__doc__ or "").partition("::\n\n")[2].partition("\n\n")[0]
    return f"```\n{textwrap.dedent(diagram)}\n```"


@pytest.mark.parametrize(
    ("name", "draw"),
    [
        ("the looks", looks),
        ("the states", states),
        ("the eye", eye),
        ("the times", times),
        ("a decision", steps_of_a_decision),
    ],
    ids=lambda one: one if isinstance(one, str) else "",
)
def test_the_page_shows_how_one_card_is_thought_of(name: str, draw: Callable[[], str]) -> None:
    assert drawn(name) == draw(), f"docs/how-it-thinks.md should say:\n\n{draw()}"


def test_a_card_under_a_hand_is_no_news() -> None:
    """The last rows of the first scene: a hand covers the card for five seconds, and nothing is said or written."""
    story = scenes()["Laid, lifted, laid again, hidden by a hand"]
    assert all(row.endswith("| counts |  |  |") for row in story.rows[-2:])
