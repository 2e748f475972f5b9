"""Matches of Darwinci for tests: a table that plays, with stones and tiles put where a sentence needs them."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from support.conserved import count_things

from companion.games.darwinci.game import Darwinci
from companion.games.darwinci.module import DARWINCI
from companion.games.darwinci.moves import BidStone, EndBids, LayBone, OfferTile, offer, reserve
from companion.games.darwinci.random_play import random_deal
from companion.games.darwinci.state import Dig, WonTile, unseen
from companion.games.lattice import Cell
from companion.games.protocol import Effect, Move, MoveContext
from companion.games.registry import demo_deck

NAMES = ("Ana", "Ben", "Cy", "Dora", "Eve")
LETTERS = {"red": "R", "blue": "B", "green": "G", "yellow": "Y", "white": "W"}
ROTTEN = {-1: "T09", -2: "T10", -3: "T19", -4: "T30", -5: "T45"}
"""Of the demo deck, a tile of each value."""
WORTH_3 = "T02"


def deck() -> Any:
    return demo_deck(DARWINCI)


def game(seats: int = 4, **match: Any) -> Darwinci:
    return DARWINCI.open_match({"seat": [{"name": name} for name in NAMES[:seats]], **match}, deck())


class Table:
    """A dealt match; ``first`` begins."""

    def __init__(self, seats: int = 4, first: int = 1, **match: Any) -> None:
        self.game = game(seats, **match)
        self.state: Dig = self.game.rules.start
        self.number = 0
        dealt = random_deal(self.game.setup, Random(7))
        holder = self.game.setup.left_of(first)
        plots = tuple(((f"T{13 + 2 * n}", 0, 0, 0), (f"T{14 + 2 * n}", 1, 0, 0)) for n in range(2))
        plots += tuple(((f"T{54 + 2 * n}", 0, 0, 0), (f"T{55 + 2 * n}", 1, 0, 0)) for n in range(seats - 2))
        self.does(replace(dealt, plots=plots, darwin=holder))

    @property
    def at(self) -> MoveContext:
        return MoveContext(self.number + 1, float(self.number))

    def judge(self, move: Move) -> list[str]:
        return [objection.rule for objection in self.game.rules.judge(self.state, move, self.at)]

    def does(self, move: Move, *, anyway: bool = False) -> Effect[Dig]:
        """Plays a move, which must be lawful unless it is let stand."""
        if not anyway:
            assert self.game.rules.judge(self.state, move, self.at) == (), move
        step = self.game.rules.apply(self.state, move, self.at)
        assert (
            count_things(self.game, step.state)
            == count_things(self.game, self.state)
            == 65 + len(self.game.setup.owners)
        )
        self.number += 1
        self.state = step.state
        return step

    def offers(self) -> None:
        """Every seat turns up a tile: T40 before seat 1, T41 before seat 2 and so on."""
        for seat in self.game.setup.seats:
            self.does(OfferTile(seat, f"T{39 + seat}"))

    def moves_stones(self, where: dict[str, str]) -> None:
        """Puts stones there that come from wherever they are: ``{"reserve-1": "7 red, 1 blue"}``.

        The stones that are not named stay in the reserve of their own colour.
        """
        owners = self.game.setup.owners
        stones = {card: reserve(owner) for card, owner in owners.items()}
        free = sorted(stones, reverse=True)
        for zone in where:
            if zone.startswith("reserve"):
                for card, there in list(stones.items()):
                    if there == zone:
                        stones[card] = "elsewhere"
        for zone, words in where.items():
            for word in filter(None, words.split(", ")):
                count, colour = word.split(" ", 1)
                big = colour.startswith("big ")
                letter = LETTERS[colour.removeprefix("big ")]
                for _ in range(int(count)):
                    card = next(one for one in free if one[0] == letter and one.endswith("0") == big)
                    free.remove(card)
                    stones[card] = zone
        for card in free:
            if stones[card] == "elsewhere":
                other = self.game.setup.left_of(self.game.setup.left_of(owners[card]))
                stones[card] = reserve(other)
        self.state = replace(self.state, stones=stones)

    def at_bids(self, turn: int, seat: int, **reserves: str) -> None:
        """The tiles lie there, and this seat begins its turn; ``reserve_1="7 red, 1 blue"``."""
        if not self.state.offers:
            self.offers()
        self.state = replace(self.state, bidding=turn, turn=seat, bid=())
        self.moves_stones({key.replace("_", "-"): words for key, words in reserves.items()})

    def awards(self, first: int = 1, **bids: str) -> Effect[Dig]:
        """The stones lie so, the last turn ends; ``on_2="2 red, 2 green"``."""
        if not self.state.offers:
            self.offers()
        self.moves_stones({key.replace("on_", "offer-"): words for key, words in bids.items()})
        last = self.game.setup.right_of(first)
        self.state = replace(self.state, bidding=3, turn=last, first=first, bid=())
        return self.does(EndBids(last))

    def in_reserve(self, seat: int) -> dict[str, int]:
        """How many stones of each colour a seat has, by letter; a big one as ``R0``."""
        counts: dict[str, int] = {}
        for card, zone in self.state.stones.items():
            if zone == reserve(seat):
                name = card if card.endswith("0") else card[0]
                counts[name] = counts.get(name, 0) + 1
        return counts

    def stone(self, seat: int, letter: str, skip: int = 0) -> str:
        """A stone of a colour in a seat's reserve; ``R0`` is the big one."""
        there = sorted(card for card, zone in self.state.stones.items() if zone == reserve(seat))
        return [card for card in there if card == letter or (card[0] == letter and not card.endswith("0"))][skip]

    def bid(self, letter: str, to: int = 2, seat: int = 0) -> BidStone:
        by = seat or self.state.turn
        return BidStone(by, self.stone(by, letter), to)

    def bids(self, *letters: str, to: int = 2) -> None:
        for letter in letters:
            self.does(self.bid(letter, to))

    def plot(self, seat: int, cells: list[tuple[int, int]]) -> None:
        """Tiles that nobody has seen lie in these places of a plot."""
        tiles = [card for card in unseen(self.game.setup, self.state) if not self.game.setup.deck.tiles[card].rotten]
        tiles = [card for card in tiles if card not in ("T40", "T41", "T42", "T43", "T44", WORTH_3)]
        there = dict(zip(tiles, (Cell(x, y) for x, y in cells), strict=False))
        plots = list(self.state.plots)
        plots[seat - 1] = there
        self.state = replace(self.state, plots=tuple(plots))

    def wins(self, seat: int, *cards: str, seller: int = 1) -> None:
        """These tiles were awarded to a seat and are not laid yet; the Darwin tile waits for that."""
        self.state = replace(
            self.state, won={**self.state.won, **dict.fromkeys(cards, WonTile(seat, seller))}, passed=False
        )

    def lay(self, seat: int, card: str, x: int, y: int) -> LayBone:
        return LayBone(seat, card, x, y, 0)

    def has(self, seat: int, darwin: int) -> None:
        money = list(self.state.darwin)
        money[seat - 1] = darwin
        self.state = replace(self.state, darwin=tuple(money))

    def beside(self, seat: int) -> list[str]:
        return sorted(card for card, zone in self.state.stones.items() if zone == offer(seat))
