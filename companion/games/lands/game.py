"""Discover: Lands Unknown, as the referee counts it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from companion.errors import InputError, fault
from companion.games.lands import interpretation, texts, view
from companion.games.lands.deck import DAMAGE, RESOURCES
from companion.games.lands.effects import adopt_table
from companion.games.lands.effects.apply import carry_out
from companion.games.lands.effects.days import after_death
from companion.games.lands.lying import lying
from companion.games.lands.moves import MOVES, Travel
from companion.games.lands.rules import legality
from companion.games.lands.setup import FATAL, LandsSetup
from companion.games.lands.state import Island, Ledger, opening
from companion.games.protocol import Effect, Move, MoveContext, Objection, OpenGame, misplaced, zones_of
from companion.public.layout import Layout
from companion.public.shapes import Shape
from companion.public.standing import AvailableMove, Count, Standing
from companion.public.table import COMMAND_ZONE, CardId, Change, Expected, Seat, TableState, Token, Zone
from companion.public.text import JSON, Text


@dataclass(frozen=True, slots=True)
class Lands(OpenGame):
    """One match. ``position``: where it starts when that is not an empty table."""

    setup: LandsSetup
    position: Island | None = None

    @property
    def name(self) -> str:
        """What match files call it."""
        return "lands"

    @property
    def scored(self) -> bool:
        """Who reaches the end of the scenario wins; there are no points."""
        return False

    @property
    def seats(self) -> int:
        """One to four."""
        return len(self.setup.players)

    @property
    def cards(self) -> Mapping[Token, CardId]:
        """The stickers of tiles, cards and stands, and the first player's token."""
        return self.setup.cards

    @property
    def shapes(self) -> Mapping[Token, Shape]:
        """Square tiles, stands, and the token."""
        return self.setup.shapes

    @property
    def moves(self) -> Mapping[str, type[Move]]:
        """Every act by its name in the record."""
        return MOVES

    @property
    def infers_turns(self) -> bool:
        """The next seat's figure ends the turn before it."""
        return True

    @property
    def unlaid(self) -> frozenset[str]:
        """What a seat has or puts away lies before it, and may lie there unread."""
        return frozenset({"have", "must-drop"})

    def layout(self) -> Layout:
        """A table of 1100 by 650 mm: the packs near, the map in the middle."""
        return view.layout(self.setup.seats)

    def start(self) -> Island:
        """An empty table, or where the position says."""
        return self.position or opening(self.setup)

    def empty_seats(self, public: Island) -> frozenset[Seat]:
        """None: whoever is there has a figure on the map."""
        return frozenset()

    def lying(self, public: Island, table: TableState) -> Mapping[CardId, Zone]:
        """Stands on spaces, tiles on the map, cards in zones."""
        return lying(self.setup, public, table)

    def place_name(self, place: Zone) -> Text:
        """A space, the map, a pack, or a pile."""
        head, *spaces = place.split(" ")
        name, _, seat = head.partition("-")
        params = {"seat": int(seat)} if seat else {"space": spaces[0]} if spaces else {}
        return Text(f"{self.name}.zone.{name}", params)

    def deserves_snapshot(self, move: Move) -> bool:
        """Ways are argued about: where a figure stood before it went."""
        return isinstance(move, Travel)

    def judge(self, public: Island, move: Move, at: MoveContext) -> tuple[Objection, ...]:
        """All objections; none = lawful."""
        return legality.judge(self.setup, public, move)

    def apply(self, state: Island, move: Move, at: MoveContext) -> Effect[Island]:
        """Carry a move out with all its consequences.

        Raises:
            ImpossibleMove: The table cannot hold it.
        """
        return carry_out(self.setup, state, move)

    @property
    def countable(self) -> Mapping[str, bool]:
        """The dial, the tokens and the damage: they bear no code, so the players' count is right."""
        return dict.fromkeys(("stamina", *RESOURCES, *DAMAGE), True)

    def correct(self, state: Island, counts: Mapping[str, Count], at: MoveContext) -> Island:
        """The players counted. Whoever has four damages then is dead; nobody has more.

        Raises:
            InputError: It is not one number a seat, or it cannot be.
        """
        rows = {name: count for name, count in counts.items() if isinstance(count, tuple)}
        if any(len(rows.get(name, ())) != self.seats for name in counts):
            message = "one number for each of the {wanted} seats is needed"
            raise InputError(fault("lands.fault.counts", message, wanted=self.seats))
        resources = _counted(state.resources, {kind: rows[kind] for kind in RESOURCES if kind in rows})
        damage = _counted(state.damage, {kind: rows[kind] for kind in DAMAGE if kind in rows})
        if any(sum(ledger.values()) > FATAL for ledger in damage):
            message = "nobody has more than {most} damages: with them a figure is dead"
            raise InputError(fault("lands.fault.damage", message, most=FATAL))
        stamina = rows.get("stamina", state.stamina)
        counted = frozenset(self.setup.seats) if rows.keys() - {"stamina"} else state.counted
        after = replace(state, resources=resources, damage=damage, stamina=stamina, counted=counted)
        return after_death(self.setup, state, after)

    def adopt(self, state: Island, lying: Mapping[CardId, Zone], at: MoveContext) -> Island:
        """The table is right: figures stand and cards lie as they do; what is in no pack any more is out.

        Raises:
            InputError: That cannot be.
        """
        return adopt_table.adopt(self.setup, state, lying)

    def seat(self, state: Island, seat: Seat, here: bool, at: MoveContext) -> Island:
        """Nobody leaves or comes before he has won: every figure is on the map.

        Raises:
            InputError: Always.
        """
        message = "in this game every figure is on the map: somebody else may play for the seat, or the match ends"
        raise InputError(fault("lands.fault.seat_leaves", message))

    def counted(self, state: Island) -> int:
        """All that bears a sticker."""
        return len(self.setup.cards)

    def deal(self, public: Island, lying: Mapping[CardId, Zone]) -> Move | None:
        """The map, when every figure stands on it."""
        return interpretation.deal(self.setup, public, lying)

    def in_the_way(self, public: Island, table: TableState) -> Mapping[CardId, Zone]:
        """What lies otherwise than it should; before the map is there, cards of any kind that would then
        be read as acts."""
        if public.dealt:
            return misplaced(self.expected(public), self.lying(public, table))
        drawn = zones_of(self.cards, table)
        return {card: zone for card, zone in drawn.items() if zone != COMMAND_ZONE and card[0] not in "MF"}

    def may_stay(self) -> Text:
        """Nothing but a new map."""
        return Text("lands.start.stays")

    def interpretations(self, public: Island, change: Change) -> tuple[Move, ...]:
        """What a change of the table could mean, likeliest first."""
        return interpretation.interpretations(self.setup, public, change)

    def implied_moves(self, public: Island, move: Move, at: MoveContext) -> tuple[Move, ...]:
        """The end of a turn, or a new day, that nobody said, then what showed it."""
        return interpretation.implied_moves(self.setup, public, move)

    def rest_s(self, change: Change) -> float:
        """A figure is walked from space to space, and only where it rests has it travelled."""
        return interpretation.REST_S if change.card in self.setup.stands else 0.0

    def expected(self, public: Island) -> Expected:
        """What should lie face up now."""
        return view.expected(self.setup, public)

    def standing(self, public: Island) -> Standing:
        """The scoreboard."""
        return view.standing(self.setup, public)

    def offers(self, public: Island, at: MoveContext) -> tuple[AvailableMove, ...]:
        """What may be said now, for every seat."""
        return view.offers(self.setup, public)

    def caption(self, public: Island, move: Move, step: Effect[Island]) -> tuple[Text, ...]:
        """Public words for a move just played."""
        return texts.caption(self.setup, public, move, step)

    def reason(self, public: Island, move: Move, objection: Objection) -> Text:
        """Public words for an objection, with what to do about it."""
        return texts.reason(self.setup, public, move, objection)

    def view(self, state: Island, seat: Seat | None) -> JSON:
        """The table as everybody sees it."""
        return view.view(self.setup, state, seat)

    def timer(self, public: Island) -> tuple[float, Move] | None:
        """Nothing happens by itself."""
        return None


def _counted(ledgers: tuple[Ledger, ...], rows: Mapping[str, tuple[int, ...]]) -> tuple[Ledger, ...]:
    """Ledgers in which these kinds are as they were counted."""
    counted = ({**ledger, **{kind: row[at] for kind, row in rows.items()}} for at, ledger in enumerate(ledgers))
    return tuple({kind: count for kind, count in ledger.items() if count} for ledger in counted)
