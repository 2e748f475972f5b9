"""Darwinci, assembled for the referee."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

from companion.errors import InputError, fault
from companion.games.darwinci import interpretation, texts, view
from companion.games.darwinci.effects.adopt_table import adopt
from companion.games.darwinci.effects.apply import carry_out
from companion.games.darwinci.lying import lying
from companion.games.darwinci.moves import MOVES, BidStone
from companion.games.darwinci.rules.legality import judge
from companion.games.darwinci.setup import DarwinciSetup
from companion.games.darwinci.state import Dig, opening
from companion.games.protocol import (
    Countable,
    Game,
    GameBoard,
    GameRules,
    GameTable,
    GameWords,
    Move,
    MoveContext,
    misplaced,
)
from companion.public.standing import Count
from companion.public.table import CardId, TableState, Zone
from companion.public.text import Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Darwinci(Game[Dig, Dig]):
    setup: DarwinciSetup


def darwinci(setup: DarwinciSetup, position: Dig | None = None) -> Darwinci:
    """A match.

    Args:
        setup: Deck, players and profile.
        position: The start, unless it is an empty table.

    Raises:
        InputError: A thing is smaller than its sticker.
    """
    return Darwinci(
        name="darwinci",
        seats=len(setup.players),
        setup=setup,
        rules=GameRules(
            moves=MOVES,
            start=position or opening(setup),
            judge=lambda public, move, _at: judge(setup, public, move),
            apply=partial(carry_out, setup),
            adopt=lambda state, there, _at: adopt(setup, state, there),
            # Banknotes have no code, so the players' count is right. A rotten bone may cost more than a seat has.
            countable={"darwin": Countable(by_seat=True, may_be_negative=True)},
            correct=partial(correct, setup),
            infers_turns=True,  # the next seat's stone ends the turn before it
            implied_moves=partial(interpretation.implied_moves, setup),
            is_early=partial(interpretation.is_early, setup),
            unlaid=frozenset({"duty", "must-lay", "order"}),
            timer=partial(interpretation.timer, setup),
        ),
        table=GameTable(
            cards=setup.cards,
            shapes=setup.shapes,
            layout=view.layout(setup.seats),
            lying=partial(lying, setup),
            expected=partial(view.expected, setup),
            deal=partial(interpretation.deal, setup),
            in_the_way=partial(in_the_way, setup),
            interpretations=partial(interpretation.interpretations, setup),
            is_laid_anew=interpretation.is_laid_anew,
            clears_up=partial(interpretation.own_stone_home, setup),
            must_lie=partial(must_lie, setup),
            disputed=(BidStone,),
        ),
        words=GameWords(
            caption=partial(texts.caption, setup), reason=partial(texts.reason, setup), place_name=place_name
        ),
        board=GameBoard(
            standing=view.standing,
            view=partial(view.view, setup),
            offers=lambda public, _at: view.offers(setup, public),
        ),
    )


def place_name(place: Zone) -> Text:
    """A plot, an offer, a reserve, or loose."""
    head, _, seat = place.partition(" ")[0].partition("-")
    return Text(f"darwinci.zone.{head}", {"seat": int(seat)} if seat else {})


def correct(setup: DarwinciSetup, state: Dig, counts: Mapping[str, Count], _at: MoveContext) -> Dig:
    """Set the money that the players counted.

    Raises:
        InputError: It is not one number per seat.
    """
    darwin = counts.get("darwin", state.darwin)
    if not isinstance(darwin, tuple) or len(darwin) != len(setup.players):
        message = "one number for each of the {wanted} seats is needed"
        raise InputError(fault("darwinci.fault.counts", message, wanted=len(setup.players)))
    return replace(state, darwin=darwin)


def in_the_way(
    setup: DarwinciSetup, public: Dig, lying: Mapping[CardId, Zone], _table: TableState
) -> Mapping[CardId, Zone]:
    """The misplaced things; before the deal, things that cannot be part of one (W1 to W5)."""
    there = misplaced(view.expected(setup, public), lying)
    return there if public.dealt else interpretation.no_part_of_a_deal(setup, there)


def must_lie(setup: DarwinciSetup, public: Dig, move: Move) -> frozenset[CardId]:
    """Every stone, when the tiles are awarded: a missing one may decide who wins."""
    awards = interpretation.awards_tiles(setup, public, move)
    return frozenset(setup.owners) if awards else frozenset()
