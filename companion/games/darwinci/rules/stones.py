"""Which stone may be bid, and when a turn may end (W8 to W14, W32)."""

from __future__ import annotations

from dataclasses import replace

from companion.games.darwinci.moves import reserve
from companion.games.darwinci.setup import DarwinciSetup, is_big
from companion.games.darwinci.state import Dig, foreign_bid, foreign_held, stones_in
from companion.games.protocol import Objection
from companion.public.table import CardId, Seat

TURN = Objection("turn")
OWN_ONE = Objection("own-one")
TOO_MANY = Objection("too-many")
FOREIGN = 2
"""« il doit poser deux pierres adverses »."""
MOST = 2
"""« jusqu'à deux pierres »."""


def at_turn(public: Dig, seat: Seat) -> tuple[Objection, ...]:
    """W8: « Le premier joueur enchérit, suivi des autres joueurs en sens horaire. »"""
    return () if seat == public.turn else (TURN,)


def from_reserve(public: Dig, seat: Seat, stone: CardId) -> tuple[Objection, ...]:
    """W9: « Chaque joueur enchérit avec son stock personnel »."""
    return () if public.stones.get(stone) == reserve(seat) else (Objection("reserve"),)


def owed(setup: DarwinciSetup, public: Dig) -> int:
    """W10: the number of stones of other colours that the seat to move must still bid: two, or the only one that it
    has."""
    if public.bidding != 1:
        return 0
    laid = foreign_bid(setup, public)
    return min(FOREIGN, laid + len(foreign_held(setup, public, public.turn))) - min(FOREIGN, laid)


def nobody_owes(setup: DarwinciSetup, public: Dig) -> bool:
    """W12, W14: whether nobody has to bid any more: after the first turn « chacun peut poser jusqu'à deux pierres »."""
    if public.bidding != 1:
        return public.bidding > 1
    order = setup.clockwise_from(public.first)
    later = order[order.index(public.turn) + 1 :]
    return not owed(setup, public) and not any(foreign_held(setup, public, seat) for seat in later)


def duty(setup: DarwinciSetup, public: Dig) -> tuple[Objection, ...]:
    """W10: « il doit poser deux pierres adverses », or « il doit poser celle-ci »."""
    return (Objection("duty"),) if owed(setup, public) else ()


def one_of_own(setup: DarwinciSetup, public: Dig, stone: CardId) -> tuple[Objection, ...]:
    """W11: « une et une seule pierre de sa propre couleur », in the first turn."""
    if public.bidding != 1 or setup.owners[stone] != public.turn:
        return ()
    own = [card for card in public.bid if setup.owners[card] == public.turn]
    return (replace(OWN_ONE, cards=tuple(own)),) if own else ()


def most(public: Dig) -> int:
    """W10, W12 to W14: the most stones in a turn; in the first one, the most of other colours."""
    return FOREIGN if public.bidding == 1 else MOST + extra_stone(public)


def extra_stone(public: Dig) -> int:
    """W13: « Lors du tour 2, le joueur en possession de la tuile Darwin peut poser une pierre supplémentaire »."""
    return int(public.bidding == 2 and public.turn == public.holder)


def not_too_many(setup: DarwinciSetup, public: Dig, stone: CardId) -> tuple[Objection, ...]:
    """W12, W14: « Chacun peut poser jusqu'à deux pierres »; in the first turn no third one of another colour (W10)."""
    if public.bidding == 1:
        too_many = setup.owners[stone] != public.turn and foreign_bid(setup, public) >= most(public)
    else:
        too_many = len(public.bid) >= most(public)
    return (TOO_MANY,) if too_many else ()


def big_first(setup: DarwinciSetup, public: Dig, stone: CardId) -> tuple[Objection, ...]:
    """W32: « Si un joueur possède dans sa réserve une grosse pierre adverse, il est obligé de la jouer en premier »."""
    if setup.owners[stone] == public.turn or is_big(stone):
        return ()
    big = tuple(card for card in foreign_held(setup, public, public.turn) if is_big(card))
    return (Objection("big-first", big),) if big else ()


def left_to_lay(setup: DarwinciSetup, public: Dig) -> int:
    """The number of stones that the seat to move may still bid, of those that it holds; big ones go first, but are
    included."""
    held = stones_in(public, reserve(public.turn))
    foreign = len(foreign_held(setup, public, public.turn))
    if public.bidding != 1:
        return max(0, min(len(held), most(public) - len(public.bid)))
    own = any(setup.owners[card] == public.turn for card in held)
    own_laid = any(setup.owners[card] == public.turn for card in public.bid)
    return max(0, min(foreign, most(public) - foreign_bid(setup, public))) + int(own and not own_laid)
