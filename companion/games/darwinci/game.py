"""Darwinci, as the referee plays it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from companion.errors import InputError, fault
from companion.games.darwinci import interpretation, texts, view
from companion.games.darwinci.effects import adopt_table
from companion.games.darwinci.effects.apply import carry_out
from companion.games.darwinci.lying import lying
from companion.games.darwinci.moves import MOVES, BidStone
from companion.games.darwinci.rules import legality
from companion.games.darwinci.setup import DarwinciSetup
from companion.games.darwinci.state import Dig, counted, opening
from companion.games.protocol import Effect, Move, MoveContext, Objection, OpenGame, misplaced
from companion.public.layout import Layout
from companion.public.shapes import Shape
from companion.public.standing import AvailableMove, Count, Standing
from companion.public.table import CardId, Change, Expected, Seat, TableState, Token, Zone
from companion.public.text import JSON, Text


@dataclass(frozen=True, slots=True)
class Darwinci(OpenGame):
    """One match. ``position``: where it starts when that is not an empty table."""

    setup: DarwinciSetup
    position: Dig | None = None

    @property
    def name(self) -> str:
        """What match files call it."""
        return "darwinci"

    @property
    def seats(self) -> int:
        """Three to five."""
        return len(self.setup.players)

    @property
    def cards(self) -> Mapping[Token, CardId]:
        """The stickers of the tiles, the codes of the stones, and the Darwin tile's."""
        return self.setup.cards

    @property
    def shapes(self) -> Mapping[Token, Shape]:
        """Square tiles and round chips."""
        return self.setup.shapes

    @property
    def moves(self) -> Mapping[str, type[Move]]:
        """Every act by its name in the record."""
        return MOVES

    @property
    def infers_turns(self) -> bool:
        """The next seat's stone ends the turn before it."""
        return True

    @property
    def unlaid(self) -> frozenset[str]:
        """A stone to bid, a tile to lay or to offer: it may lie there unread."""
        return frozenset({"duty", "must-lay", "order"})

    def layout(self) -> Layout:
        """A table of 1100 by 650 mm: three seats near, two far."""
        return view.layout(self.setup.seats)

    def start(self) -> Dig:
        """An empty table, or where the position says."""
        return self.position or opening(self.setup)

    def empty_seats(self, public: Dig) -> frozenset[Seat]:
        """None: every seat's stones are in play."""
        return frozenset()

    def lying(self, public: Dig, table: TableState) -> Mapping[CardId, Zone]:
        """Tiles in the cells of plots, stones in reserves and beside offered tiles."""
        return lying(self.setup, public, table)

    def place_name(self, place: Zone) -> Text:
        """A plot, an offer, a reserve, or loose."""
        head, _, seat = place.partition(" ")[0].partition("-")
        return Text(f"{self.name}.zone.{head}", {"seat": int(seat)} if seat else {})

    def deserves_snapshot(self, move: Move) -> bool:
        """Stones are argued about: which lay where before one was bid."""
        return isinstance(move, BidStone)

    def judge(self, public: Dig, move: Move, at: MoveContext) -> tuple[Objection, ...]:
        """All objections; none = lawful."""
        return legality.judge(self.setup, public, move)

    def apply(self, state: Dig, move: Move, at: MoveContext) -> Effect[Dig]:
        """Carry a move out with all its consequences.

        Raises:
            ImpossibleMove: The table cannot hold it.
        """
        return carry_out(self.setup, state, move, at)

    @property
    def countable(self) -> Mapping[str, bool]:
        """The money: notes bear no code, so the players' count is right."""
        return {"darwin": True}

    @property
    def debts(self) -> frozenset[str]:
        """The money too: a rotten bone is paid for by whoever has less than that."""
        return frozenset({"darwin"})

    def correct(self, state: Dig, counts: Mapping[str, Count], at: MoveContext) -> Dig:
        """The players counted their money.

        Raises:
            InputError: It is not one number a seat.
        """
        darwin = counts.get("darwin", state.darwin)
        if not isinstance(darwin, tuple) or len(darwin) != self.seats:
            message = "one number for each of the {wanted} seats is needed"
            raise InputError(fault("darwinci.fault.counts", message, wanted=self.seats))
        return replace(state, darwin=darwin)

    def adopt(self, state: Dig, lying: Mapping[CardId, Zone], at: MoveContext) -> Dig:
        """The table is right: plots, offers and stones are as they lie.

        Raises:
            InputError: That cannot be.
        """
        return adopt_table.adopt(self.setup, state, lying)

    def seat(self, state: Dig, seat: Seat, here: bool, at: MoveContext) -> Dig:
        """Nobody leaves or comes: every seat's stones are in play.

        Raises:
            InputError: Always.
        """
        message = "in this game every seat's stones are in play: somebody else may play for the seat, or the match ends"
        raise InputError(fault("darwinci.fault.seat_leaves", message))

    def counted(self, state: Dig) -> int:
        """All tiles and stones, wherever they are."""
        return counted(self.setup, state)

    def deal(self, public: Dig, lying: Mapping[CardId, Zone]) -> Move | None:
        """Two tiles in each plot, all stones in reserves, and the Darwin tile in one of them (W1 to W5)."""
        return interpretation.deal(self.setup, public, lying)

    def in_the_way(self, public: Dig, table: TableState) -> Mapping[CardId, Zone]:
        """What lies otherwise than it should; before the deal, what can be no part of one (W1 to W5)."""
        lying = self.lying(public, table)
        there = misplaced(self.expected(public), lying)
        return there if public.dealt else interpretation.no_part_of_a_deal(self.setup, there)

    def may_stay(self) -> Text:
        """Nothing but a new deal."""
        return Text("darwinci.start.stays")

    def interpretations(self, public: Dig, change: Change) -> tuple[Move, ...]:
        """What a change of the table could mean, likeliest first."""
        return interpretation.interpretations(self.setup, public, change)

    def implied_moves(self, public: Dig, move: Move, at: MoveContext) -> tuple[Move, ...]:
        """The end of a turn that nobody said, then what showed it."""
        return interpretation.implied_moves(self.setup, public, move, at)

    def is_early(self, public: Dig, move: Move) -> bool:
        """A stone whose seat still has a turn in this round."""
        return interpretation.is_early(self.setup, public, move)

    def clears_up(self, public: Dig, change: Change) -> Move | None:
        """The winner « récupère toujours l'une de ses propres pierres »: the last stone may be that one."""
        return interpretation.own_stone_home(self.setup, public, change)

    def is_laid_anew(self, public: Dig, change: Change) -> bool:
        """The stone that was laid last, beside another tile now: until something else comes, people may think again."""
        return interpretation.is_laid_anew(public, change)

    def expected(self, public: Dig) -> Expected:
        """What should lie face up now."""
        return view.expected(self.setup, public)

    def standing(self, public: Dig) -> Standing:
        """The scoreboard."""
        return view.standing(public)

    def offers(self, public: Dig, at: MoveContext) -> tuple[AvailableMove, ...]:
        """What may be said now, for every seat."""
        return view.offers(self.setup, public)

    def caption(self, public: Dig, move: Move, step: Effect[Dig]) -> tuple[Text, ...]:
        """Public words for a move just played."""
        return texts.caption(self.setup, public, move, step)

    def reason(self, public: Dig, move: Move, objection: Objection) -> Text:
        """Public words for an objection, with what to do about it."""
        return texts.reason(self.setup, public, move, objection)

    def view(self, state: Dig, seat: Seat | None) -> JSON:
        """The table as everybody sees it."""
        return view.view(self.setup, state, seat)

    def must_lie(self, public: Dig, move: Move) -> frozenset[CardId]:
        """Every stone, when the tiles are awarded: one that is missing may decide who wins."""
        awards = interpretation.awards_tiles(self.setup, public, move)
        return frozenset(self.setup.owners) if awards else frozenset()

    def timer(self, public: Dig) -> tuple[float, Move] | None:
        """A moment after the last seat has laid all it may, the tiles are awarded."""
        return interpretation.timer(self.setup, public)
