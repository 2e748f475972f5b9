"""Carcassonne: The Discovery, as the referee plays it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.errors import InputError, fault
from companion.games.carcassonne import interpretation, texts, view
from companion.games.carcassonne.effects import adopt_table, seats
from companion.games.carcassonne.effects.apply import carry_out
from companion.games.carcassonne.effects.scoring import standing
from companion.games.carcassonne.lying import lying
from companion.games.carcassonne.moves import MOVES, FinishTurn, ScoreFollower
from companion.games.carcassonne.rules import legality
from companion.games.carcassonne.rules.laying import REMOVE
from companion.games.carcassonne.rules.turns import ORDER, TURN
from companion.games.carcassonne.setup import END_S, MatchSetup
from companion.games.carcassonne.state import Progress, at_the_end, counted, opening
from companion.games.protocol import Effect, Move, MoveContext, Objection, OpenGame, misplaced
from companion.public.layout import Layout
from companion.public.shapes import Shape
from companion.public.standing import AvailableMove, Count, Standing
from companion.public.table import CardId, Change, Expected, Seat, TableState, Token, Zone
from companion.public.text import JSON, Text


@dataclass(frozen=True, slots=True)
class Carcassonne(OpenGame):
    """One match. ``position``: where it starts when that is not an empty table."""

    setup: MatchSetup
    position: Progress | None = None

    @property
    def name(self) -> str:
        """What match files call it."""
        return "carcassonne"

    @property
    def seats(self) -> int:
        """Two to five."""
        return len(self.setup.players)

    @property
    def cards(self) -> Mapping[Token, CardId]:
        """The stickers of the tiles and the codes of the counters."""
        return self.setup.cards

    @property
    def shapes(self) -> Mapping[Token, Shape]:
        """Tiles, and round counters."""
        return self.setup.shapes

    @property
    def moves(self) -> Mapping[str, type[Move]]:
        """Every act by its name in the record."""
        return MOVES

    @property
    def infers_turns(self) -> bool:
        """A whole match needs no word: the next tile ends the turn before it."""
        return True

    @property
    def unlaid(self) -> frozenset[str]:
        """The tile of the turn: it may lie there unread."""
        return frozenset({"order"})

    def layout(self) -> Layout:
        """A table of 1100 by 650 mm, nearly all of it field."""
        return view.layout()

    def start(self) -> Progress:
        """An empty table, or where the position says."""
        return self.position or opening(self.setup)

    def empty_seats(self, public: Progress) -> frozenset[Seat]:
        """The seats that somebody left, or is awaited in."""
        return public.away

    def lying(self, public: Progress, table: TableState) -> Mapping[CardId, Zone]:
        """Tiles in the cells of the map, counters on segments."""
        return lying(self.setup, public, table)

    def place_name(self, place: Zone) -> Text:
        """The map, a tile, beside it, or loose."""
        head, *rest = place.split(" ")
        return Text(f"{self.name}.zone.{head}", {"card": rest[0]} if head == "on" else {})

    def deserves_snapshot(self, move: Move) -> bool:
        """None does: the map stays where it is, to be looked at."""
        return False

    def judge(self, public: Progress, move: Move, at: MoveContext) -> tuple[Objection, ...]:
        """All objections; none = lawful."""
        return legality.judge(self.setup, public, move)

    def apply(self, state: Progress, move: Move, at: MoveContext) -> Effect[Progress]:
        """Carry a move out with all its consequences.

        Raises:
            ImpossibleMove: The table cannot hold it.
        """
        return carry_out(self.setup, state, move, at)

    @property
    def countable(self) -> Mapping[str, bool]:
        """Nothing: what is not on the map is what is left."""
        return {}

    def correct(self, state: Progress, counts: Mapping[str, Count], at: MoveContext) -> Progress:
        """Nothing is counted by hand.

        Raises:
            InputError: Always.
        """
        message = "in this game nothing is counted by hand; put the table right, and say that it is"
        raise InputError(fault("carcassonne.fault.counts", message))

    def adopt(self, state: Progress, lying: Mapping[CardId, Zone], at: MoveContext) -> Progress:
        """The table is right: what lies there is the map.

        Raises:
            InputError: No map can be like that.
        """
        return adopt_table.adopt(self.setup, state, lying)

    def seat(self, state: Progress, seat: Seat, here: bool, at: MoveContext) -> Progress:
        """Somebody sat down in an empty seat, or left his.

        Raises:
            InputError: That cannot be, or not now.
        """
        return seats.take_seat(self.setup, state, seat) if here else seats.leave_seat(self.setup, state, seat)

    def counted(self, state: Progress) -> int:
        """All tiles and counters, wherever they are."""
        return counted(state)

    def deal(self, public: Progress, lying: Mapping[CardId, Zone]) -> Move | None:
        """The start tile, as soon as it lies in the field (C1): it is nobody's turn yet."""
        return interpretation.begins(self.setup, public, lying)

    @property
    def deals_anew(self) -> bool:
        """Every match begins with the same start tile, which may stay where it is."""
        return False

    def in_the_way(self, public: Progress, table: TableState) -> Mapping[CardId, Zone]:
        """Whatever lies on the table; of an empty map, all but the start tile in the field (C1)."""
        there = misplaced(self.expected(public), self.lying(public, table))
        return there if public.laid else interpretation.old_things(self.setup, there)

    def may_stay(self) -> Text:
        """Nothing but the start tile."""
        return Text("carcassonne.start.stays")

    def interpretations(self, public: Progress, change: Change) -> tuple[Move, ...]:
        """What a change of the table could mean, likeliest first."""
        return interpretation.interpretations(self.setup, public, change)

    def is_laid_anew(self, public: Progress, change: Change) -> bool:
        """A tile or counter that its seat moves on while nothing has come after it."""
        return interpretation.is_laid_anew(self.setup, change)

    def implied_moves(self, public: Progress, move: Move, at: MoveContext) -> tuple[Move, ...]:
        """The end of a turn that nobody said, then the tile of the next seat."""
        return interpretation.implied_moves(self.setup, public, move, at)

    def is_early(self, public: Progress, move: Move) -> bool:
        """A follower that was lifted before its seat has laid its tile (C5); a tile laid before others were removed."""
        early = ((ORDER,), (TURN,)) if isinstance(move, ScoreFollower) else ((REMOVE,),)
        return legality.judge(self.setup, public, move) in early

    def expected(self, public: Progress) -> Expected:
        """What should lie face up now."""
        return view.expected(public)

    def standing(self, public: Progress) -> Standing:
        """The scoreboard."""
        return standing(public)

    def offers(self, public: Progress, at: MoveContext) -> tuple[AvailableMove, ...]:
        """What may be said now, for every seat."""
        return view.offers(self.setup, public)

    def caption(self, public: Progress, move: Move, step: Effect[Progress]) -> tuple[Text, ...]:
        """Public words for a move just played."""
        return texts.caption(self.setup, public, move, step)

    def reason(self, public: Progress, move: Move, objection: Objection) -> Text:
        """Public words for an objection, with what to do about it."""
        return texts.reason(self.setup, public, move, objection)

    def view(self, state: Progress, seat: Seat | None) -> JSON:
        """The table as everybody sees it."""
        return view.view(self.setup, state, seat)

    def timer(self, public: Progress) -> tuple[float, Move] | None:
        """After the last tile, a minute without a word ends the last turn (C22)."""
        if public.over or not at_the_end(public) or public.tile_s is None:
            return None
        return public.tile_s + END_S, FinishTurn(public.turn)
