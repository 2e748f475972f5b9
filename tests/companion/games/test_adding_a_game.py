"""What ``docs/adding-a-game.md`` promises to the author of a game, and its page of all interfaces."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

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

DOCS = Path(__file__).parents[3] / "docs"
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
