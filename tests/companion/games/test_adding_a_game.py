"""What ``docs/adding-a-game.md`` promises to the author of a game, and its page of all interfaces."""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from importlib import import_module
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from support.door import come_in

from companion.cli.main import main
from companion.games.conformance import GameUnderTest
from companion.games.game_module import Demonstration
from companion.games.noughts.game import BOARD, GAME
from companion.games.noughts.module import NOUGHTS, player as toy_player
from companion.games.plain import plain_module
from companion.games.protocol import Move, MoveContext
from companion.games.random_people import RandomPeople
from companion.games.reference import MODULES, reference
from companion.simulation.deeds import Deed
from companion.simulation.stage import CARD, Measures
from companion.simulation.visitors import Gesture, SeatThings

ROOT = Path(__file__).parents[3]
DOCS = ROOT / "docs"
PAGE = (DOCS / "adding-a-game.md").read_text("utf-8")


@dataclass(frozen=True)
class Lay:
    by: int
    card: str


def examples() -> dict[str, Any]:
    """What the page's examples define."""
    named: dict[str, Any] = {
        "Lay": Lay,
        "Demonstration": Demonstration,
        "MATCH": {},
        "RandomPeople": RandomPeople,
        "SeatThings": SeatThings,
        "Deed": Deed,
    }
    for code in re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL):
        exec(code, named)
    return named


CARDS = [f"C{number:02}" for number in range(1, 13)]
CARD_GAME = SimpleNamespace(
    table=SimpleNamespace(cards={card: card for card in CARDS}, shapes={}), seats=3, public=lambda state: state
)


def test_the_random_player_of_the_page_remembers_what_each_hand_holds() -> None:
    player = examples()["random_player"](CARD_GAME)
    dice, laid, played = random.Random(4), set[str](), dict[str, int]()
    for number in range(1, len(CARDS) + 1):
        turn = (number - 1) % 3 + 1
        moves = list(player(SimpleNamespace(turn=turn, laid=laid), dice, MoveContext(number)))
        assert {move.by for move in moves} == {turn}
        laid.add(moves[0].card)
        played[moves[0].card] = turn
    assert sorted(played) == CARDS, "each card was in one hand, and came from it once"
    assert [list(played.values()).count(seat) for seat in (1, 2, 3)] == [4, 4, 4]


def test_a_visitor_sees_the_hand_of_the_seat_and_may_ask_as_the_page_says() -> None:
    people = examples()["CardPeople"](CARD_GAME, {1: ["C01", "C02"]}, None, None)
    people.view = SimpleNamespace(state=SimpleNamespace(laid={"C02", "C09"}))
    things = people.things(1)
    assert things == SeatThings(hand=("C01",), open=frozenset({"C02", "C09"}), places=("pile",))
    assert things.can_lay(Gesture("lay", "C01", "pile"))
    assert people.gesture(1, Gesture("call", "C05")) == Deed({"do": "ask", "by": 1, "card": "C05"}, spoken=True)
    assert people.gesture(1, Gesture("wave", "C05")) is None


def remembering(asked: list[int]) -> Callable[[Any], Callable[..., Iterator[Move]]]:
    """Makes players who know for which moves they were asked."""

    def make(_game: Any) -> Callable[..., Iterator[Move]]:
        asked.clear()

        def player(public: Any, dice: random.Random, at: MoveContext) -> Iterator[Move]:
            asked.append(at.number)
            yield from toy_player(public, dice, at)

        return player

    return make


def test_one_player_is_made_for_a_match_and_asked_for_one_move_after_the_other() -> None:
    asked: list[int] = []
    module = plain_module(GAME, BOARD, toy_player, random_player=remembering(asked))
    story = GameUnderTest(replace(NOUGHTS, demonstration=module.demonstration)).story
    assert asked[: len(story)] == [step.number for step in story] == list(range(1, len(story) + 1))


def test_people_take_measures_for_cards_of_another_size() -> None:
    other = Measures((59, 91), (41, 73))
    game: Any = CARD_GAME
    people = RandomPeople(game, toy_player, None, measures={"C01": other})  # type: ignore[arg-type,dict-item]
    assert people.measures == {"C01": other}
    assert other != CARD


def test_the_page_has_what_people_wrote_and_nothing_that_python_adds(capsys: pytest.CaptureFixture[str]) -> None:
    """660 of pydoc's 1,107 lines were ``__delattr__``, ``__getstate__`` and addresses of lambdas."""
    assert main(["game", "reference"]) == 0
    page = capsys.readouterr().out
    assert page == reference()
    assert not re.search(r"__(?!init__|future__)\w+__|0x[0-9a-f]{6}|<function", page)
    for name in ("GameRules", "GameTable", "Demonstration", "SeatThings", "Layout", "AvailableMove", "GamePages"):
        assert f"### {name}\n" in page
    assert all(f"## {title}\n" in page for title in MODULES.values())


# -- a first afternoon -----------------------------------------------------------------------------

NUMBERS = count()
AFTERNOON = PAGE.partition("## A first afternoon")[2].partition("\n## ")[0]
DRAWS = """
class Shape {
  constructor(kind) { Object.assign(this, { kind, set: {}, inside: [], classList: { add() {} } }); }
  setAttribute(name, value) { this.set[name] = value; }
  append(...more) { this.inside.push(...more); }
  replaceChildren(...more) { this.inside = more; }
}
globalThis.document = { documentElement: { dataset: {} }, createElementNS: (_, kind) => new Shape(kind) };
Object.assign(globalThis, { HTMLElement: Shape, SVGElement: Shape, SVGSVGElement: Shape });
const { draw } = await import("./games/rings/table.js");
const map = new Shape("svg");
draw({ querySelector: () => map })({ public: JSON.parse(process.argv[2]) });
const squares = map.inside.filter(({ kind }) => kind === "rect");
console.log(JSON.stringify(squares.map(({ set }) => [set.class, Number(set.x), Number(set.y)])));
"""
"""Draws a table with what a browser has of it, and prints its squares."""


def changes(text: str) -> Iterator[tuple[str, str, str]]:
    """File, lines before and lines after of each change that the page shows."""
    for file, code in re.findall(r"^```diff\n@@ (\S+) @@\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        lines = code.splitlines(keepends=True)
        yield (
            file,
            "".join(line[1:] or "\n" for line in lines if line[0] != "+"),
            "".join(line[1:] for line in lines if line[0] != "-"),
        )


@pytest.fixture
def rings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The new game after the afternoon."""
    name = f"afternoon{next(NUMBERS)}"
    assert main(["game", "new", name, "--into", str(tmp_path)]) == 0
    for file, before, after in changes(AFTERNOON.replace("rings", name)):
        path = tmp_path / name / file
        text = path.read_text("utf-8")
        assert text.count(before) == 1, f"{file}:\n{before}"
        path.write_text(text.replace(before, after), "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path / name))
    return tmp_path / name / name


def test_after_the_first_afternoon_the_game_keeps_to_everything(
    rings: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    come_in(monkeypatch, getattr(import_module(f"{rings.name}.module"), rings.name.upper()))
    capsys.readouterr()
    assert main(["game", "check", rings.name]) == 0, capsys.readouterr().out


def test_the_tests_of_the_first_afternoon_hold_then_and_not_before(rings: Path) -> None:
    new, toy = import_module(f"{rings.name}.game"), import_module("companion.games.noughts.game")
    codes = re.findall(r"^```python\n(def test_.*?)^```", AFTERNOON, re.MULTILINE | re.DOTALL)
    assert len(codes) == 2
    for code in codes:
        for module, holds in ((new, True), (toy, False)):
            named: dict[str, Any] = {**vars(module), "MoveContext": MoveContext}
            exec(code, named)
            (test,) = [found for name, found in named.items() if name.startswith("test_")]
            if holds:
                test()
            else:
                with pytest.raises(AssertionError):
                    test()


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node, which comes with npm")
def test_the_drawing_of_the_first_afternoon_shows_the_squares_in_the_wind(rings: Path, tmp_path: Path) -> None:
    game = import_module(f"{rings.name}.game")
    served = tmp_path / "served"
    shutil.copytree(ROOT / "web" / "static", served / "static", ignore=shutil.ignore_patterns("*.svg", "*.woff2"))
    shutil.copytree(rings / "pages" / "static", served / "games" / "rings")
    (served / "package.json").write_text('{"type": "module"}', "utf-8")
    (served / "draws.js").write_text(DRAWS, "utf-8")
    at, state = MoveContext(1), game.GAME.rules.start
    for move in (game.Lay(0, game.ARROW, 0, 0), game.Lay(0, game.STAR, 1, 0), game.Lay(1, "O1", 0, 1)):
        state = game.GAME.rules.apply(state, move, at).state
    view = json.dumps(game.GAME.board.view(state, None))
    drawn = subprocess.run(
        ["node", str(served / "draws.js"), view], capture_output=True, text=True, check=True, timeout=120
    )
    squares = json.loads(drawn.stdout)
    assert [(x // 40, y // 40) for kind, x, y in squares if kind == "square windy"] == [(0, -1)]
    assert len(squares) == 4 * 4, "around what lies there, and one square more on each side"
