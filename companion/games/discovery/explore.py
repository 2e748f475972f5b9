"""The differences of Explore, the games with points (docs/rules.md, D, K and M).

Every question that depends on it is asked here and nowhere else.
"""

from __future__ import annotations

from companion.games.discovery.setup import Setup
from companion.games.discovery.state import PositionFields, Turn


def brings_points(setup: Setup) -> bool:
    """Cards and trumps bring points, and the most points win (M1, F11)."""
    return setup.profile.points


def draws_up_to_five(setup: Setup) -> bool:
    """A player draws up to five cards in hand, else one card (D4, E6)."""
    return setup.profile.points


def draws_after_turn(setup: Setup, turn: Turn) -> bool:
    """Explore draws after every turn, the other games after one without a placement (D1, D2, D4)."""
    return setup.profile.points or not turn.placed


def discards_before_drawing(setup: Setup, turn: Turn) -> bool:
    """After a turn without a placement one card is discarded before drawing (D3, E:386, F:260); not by a bot."""
    return setup.profile.points and not (turn.placed or turn.discarded or setup.bot(turn.seat))


def replaces_taken_card(setup: Setup) -> bool:
    """A card taken from a hand is replaced at once (E4); else only an empty hand draws (E5, E7)."""
    return setup.profile.points


def pays_stop_by_discarding(setup: Setup) -> bool:
    """A Stop costs the stopper no card: the player at fault discards one and draws up to five (K9)."""
    return setup.profile.points


def steals_from_empty_stack(setup: Setup) -> bool:
    """A draw from an empty stack becomes a steal; in Explore only by an option (E2, E3)."""
    return not setup.profile.points or setup.options.en_explore_steal_when_empty


def ends_with_the_turn(setup: Setup) -> bool:
    """The match ends with the turn in which the hands become empty (N2), else with the first empty hand (N1)."""
    return setup.profile.points


def may_end_in_a_draw(setup: Setup, position: PositionFields) -> bool:
    """Players may agree that no move is possible, when nothing is left to draw and no points decide (N4)."""
    return not setup.profile.points and not position.stack
