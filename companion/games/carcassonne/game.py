"""Carcassonne: The Discovery, assembled for the referee."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from companion.games.carcassonne import interpretation, texts, view
from companion.games.carcassonne.effects.adopt_table import adopt
from companion.games.carcassonne.effects.apply import carry_out
from companion.games.carcassonne.effects.scoring import standing
from companion.games.carcassonne.effects.seats import leave_seat, take_seat
from companion.games.carcassonne.lying import lying
from companion.games.carcassonne.moves import MOVES, FinishTurn
from companion.games.carcassonne.rules.legality import judge
from companion.games.carcassonne.setup import END_S, MatchSetup
from companion.games.carcassonne.state import Progress, at_the_end, opening
from companion.games.protocol import Game, GameBoard, GameRules, GameTable, GameWords, Move, misplaced
from companion.public.table import CardId, TableState, Zone
from companion.public.text import Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Carcassonne(Game[Progress, Progress]):
    setup: MatchSetup


def carcassonne(setup: MatchSetup, position: Progress | None = None) -> Carcassonne:
    """A match.

    Args:
        setup: Deck and players.
        position: The start, unless it is an empty table.

    Raises:
        InputError: A thing is smaller than its sticker.
    """
    return Carcassonne(
        name="carcassonne",
        seats=len(setup.players),
        setup=setup,
        rules=GameRules(
            moves=MOVES,
            start=position or opening(setup),
            judge=lambda public, move, _at: judge(setup, public, move),
            apply=partial(carry_out, setup),
            adopt=lambda state, there, _at: adopt(setup, state, there),
            seat=lambda state, seat, here, _at: (take_seat if here else leave_seat)(setup, state, seat),
            empty_seats=lambda public: public.away,
            infers_turns=True,  # players need not announce anything: the next tile ends the turn before it
            implied_moves=partial(interpretation.implied_moves, setup),
            is_early=partial(interpretation.is_early, setup),
            unlaid=frozenset({"order"}),
            timer=timer,
        ),
        table=GameTable(
            cards=setup.cards,
            shapes=setup.shapes,
            layout=view.layout(),
            lying=partial(lying, setup),
            expected=view.expected,
            deal=partial(interpretation.begins, setup),
            deals_anew=False,  # every match begins with the same start tile, which may stay on the table
            in_the_way=partial(in_the_way, setup),
            interpretations=partial(interpretation.interpretations, setup),
            is_laid_anew=lambda _public, change: interpretation.is_laid_anew(setup, change),
        ),
        words=GameWords(
            caption=partial(texts.caption, setup), reason=partial(texts.reason, setup), place_name=place_name
        ),
        board=GameBoard(
            standing=standing,
            view=partial(view.view, setup),
            offers=lambda public, _at: view.offers(setup, public),
        ),
    )


def place_name(place: Zone) -> Text:
    """The map, a tile, beside it, or loose."""
    head, *rest = place.split(" ")
    return Text(f"carcassonne.zone.{head}", {"card": rest[0]} if head == "on" else {})


def in_the_way(
    setup: MatchSetup, public: Progress, lying: Mapping[CardId, Zone], _table: TableState
) -> Mapping[CardId, Zone]:
    """The misplaced things, except the start tile in the field (C1)."""
    there = misplaced(view.expected(public), lying)
    return there if public.laid else interpretation.old_things(setup, there)


def timer(public: Progress) -> tuple[float, Move] | None:
    """After the last tile, a minute without a move ends the last turn (C22)."""
    if public.over or not at_the_end(public) or public.tile_s is None:
        return None
    return public.tile_s + END_S, FinishTurn(public.turn)
