"""Discover: Lands Unknown, assembled for the referee."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

from companion.errors import InputError, fault
from companion.games.lands import interpretation, texts, view
from companion.games.lands.deck import DAMAGE, RESOURCES
from companion.games.lands.effects.adopt_table import adopt
from companion.games.lands.effects.apply import carry_out
from companion.games.lands.effects.days import after_death
from companion.games.lands.lying import lying
from companion.games.lands.moves import MOVES, Travel
from companion.games.lands.rules.legality import judge
from companion.games.lands.setup import FATAL, LandsSetup
from companion.games.lands.state import Island, Ledger, opening
from companion.games.protocol import (
    Countable,
    Game,
    GameBoard,
    GameRules,
    GameTable,
    GameWords,
    MoveContext,
    misplaced,
    zones_of,
)
from companion.public.standing import Count
from companion.public.table import COMMAND_ZONE, CardId, TableState, Zone
from companion.public.text import Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Lands(Game[Island, Island]):
    setup: LandsSetup


def lands(setup: LandsSetup, position: Island | None = None) -> Lands:
    """A match.

    Args:
        setup: Deck, players and scenario.
        position: The start, unless it is an empty table.

    Raises:
        InputError: A thing is smaller than its sticker.
    """
    return Lands(
        name="lands",
        seats=len(setup.players),
        setup=setup,
        rules=GameRules(
            moves=MOVES,
            start=position or opening(setup),
            judge=lambda public, move, _at: judge(setup, public, move),
            apply=lambda state, move, _at: carry_out(setup, state, move),
            adopt=lambda state, there, _at: adopt(setup, state, there),
            # The dial, the tokens and the damage have no code, so the players' count is right.
            countable=dict.fromkeys(("stamina", *RESOURCES, *DAMAGE), Countable(by_seat=True)),
            correct=partial(correct, setup),
            infers_turns=True,  # the next seat's figure ends the turn before it
            implied_moves=lambda public, move, _at: interpretation.implied_moves(setup, public, move),
            unlaid=frozenset({"have", "must-drop"}),
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
            # Players count with the figure from space to space; it has travelled only where it rests.
            rest_s=lambda change: interpretation.REST_S if change.card in setup.stands else 0.0,
            disputed=(Travel,),
        ),
        words=GameWords(
            caption=partial(texts.caption, setup), reason=partial(texts.reason, setup), place_name=place_name
        ),
        board=GameBoard(
            standing=partial(view.standing, setup),
            view=partial(view.view, setup),
            offers=lambda public, _at: view.offers(setup, public),
            scored=False,  # the end of the scenario wins
        ),
    )


def place_name(place: Zone) -> Text:
    """A space, the map, a pack, or a pile."""
    head, *spaces = place.split(" ")
    name, _, seat = head.partition("-")
    params = {"seat": int(seat)} if seat else {"space": spaces[0]} if spaces else {}
    return Text(f"lands.zone.{name}", params)


def correct(setup: LandsSetup, state: Island, counts: Mapping[str, Count], _at: MoveContext) -> Island:
    """Set the counters of the players. A seat with four damages is dead; more are impossible.

    Raises:
        InputError: It is not one number per seat, or impossible.
    """
    rows = {name: count for name, count in counts.items() if isinstance(count, tuple)}
    if any(len(rows.get(name, ())) != len(setup.players) for name in counts):
        message = "one number for each of the {wanted} seats is needed"
        raise InputError(fault("lands.fault.counts", message, wanted=len(setup.players)))
    resources = _counted(state.resources, {kind: rows[kind] for kind in RESOURCES if kind in rows})
    damage = _counted(state.damage, {kind: rows[kind] for kind in DAMAGE if kind in rows})
    if any(sum(ledger.values()) > FATAL for ledger in damage):
        message = "nobody has more than {most} damages: with them a figure is dead"
        raise InputError(fault("lands.fault.damage", message, most=FATAL))
    stamina = rows.get("stamina", state.stamina)
    counted = frozenset(setup.seats) if rows.keys() - {"stamina"} else state.counted
    after = replace(state, resources=resources, damage=damage, stamina=stamina, counted=counted)
    return after_death(setup, state, after)


def _counted(ledgers: tuple[Ledger, ...], rows: Mapping[str, tuple[int, ...]]) -> tuple[Ledger, ...]:
    """Ledgers with the counted values of these kinds."""
    counted = ({**ledger, **{kind: row[at] for kind, row in rows.items()}} for at, ledger in enumerate(ledgers))
    return tuple({kind: count for kind, count in ledger.items() if count} for ledger in counted)


def in_the_way(
    setup: LandsSetup, public: Island, lying: Mapping[CardId, Zone], table: TableState
) -> Mapping[CardId, Zone]:
    """The misplaced things; before the map is there, cards that would be read as moves later."""
    if public.dealt:
        return misplaced(view.expected(setup, public), lying)
    drawn = zones_of(setup.cards, table)
    return {card: zone for card, zone in drawn.items() if zone != COMMAND_ZONE and card[0] not in "MF"}
