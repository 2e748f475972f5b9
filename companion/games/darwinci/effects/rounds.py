"""Money, and the beginning of a round (W3, W6)."""

from __future__ import annotations

from dataclasses import replace

from companion.games.darwinci.moves import BuyTiles
from companion.games.darwinci.rules.awards import next_holder
from companion.games.darwinci.setup import PRICE, DarwinciSetup
from companion.games.darwinci.state import Dig
from companion.public.table import Seat, with_seat


def begin_round(setup: DarwinciSetup, public: Dig) -> Dig:
    """The first purchase or offer after the awards begins a new round; the Darwin tile is passed on."""
    if public.bought or public.offers:
        return public
    holder = public.holder if public.passed else next_holder(setup, public)
    return replace(public, round=public.round + 1, holder=holder, passed=True)


def buy(setup: DarwinciSetup, public: Dig, move: BuyTiles) -> Dig:
    """« en payant à la banque 3 Darwin » (W6)."""
    begun = begin_round(setup, public)
    return replace(begun, darwin=pay(public.darwin, move.by, -PRICE), bought=begun.bought | {move.by})


def pay(darwin: tuple[int, ...], seat: Seat, amount: int) -> tuple[int, ...]:
    """The money after one seat gets some, or pays; debts are allowed."""
    return with_seat(darwin, seat, darwin[seat - 1] + amount)
