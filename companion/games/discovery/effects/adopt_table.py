"""Makes the table the position: the counts are adjusted so that no card is lost."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.discovery.secrecy import eras_are_announced, hides_placed_cards, tree_zone
from companion.games.discovery.setup import POOL, Setup
from companion.games.discovery.state import (
    Position,
    TreeCard,
    Turn,
    by_era,
    counted,
    keep_bases,
    replace,
    shown_credits,
)
from companion.public.table import CardId, Seat, Zone


def adopt(setup: Setup, public: Position, lying: Mapping[CardId, Zone]) -> Position:
    """The position according to the table.

    Points and turn stay the same; new cards in the tree earn nothing. Cards that are missing from the table are in the
    hand of the seat to move; new ones came from that hand, then from other hands, then from the stack.
    """
    tree = _tree(setup, public, lying)
    pool = _pool(public, lying)
    discards = tuple(_discard(public, lying, Seat(seat)) for seat in setup.seats)
    present = frozenset(laid.counts_as for laid in tree)
    eras = by_era(setup, present)
    adopted = replace(
        public,
        tree=tree,
        present=present,
        eras=eras,
        pool=pool,
        discards=discards,
        # In silent games they wait to be announced (K11).
        credits=public.credits if eras_are_announced(setup) else public.credits | shown_credits(eras),
        turns=tuple(_turn(turn, present, lying) for turn in public.turns),
        gone=tuple(joker for joker in public.gone if joker not in lying),
        dealt=True,
        begun=bool(tree),
    )
    return _balanced(public, adopted)


def _tree(setup: Setup, public: Position, lying: Mapping[CardId, Zone]) -> tuple[TreeCard, ...]:
    zone = tree_zone(setup)
    unseen = zone if hides_placed_cards(setup) else None
    kept = tuple(laid for laid in public.tree if lying.get(laid.card, unseen) == zone)
    there = {laid.card for laid in kept} | {laid.counts_as for laid in kept}
    new = sorted(card for card, place in lying.items() if place == zone and card in setup.facts and card not in there)
    return (*kept, *(TreeCard(card, card) for card in new))


def _pool(public: Position, lying: Mapping[CardId, Zone]) -> tuple[CardId | None, ...]:
    """The visible cards, and as many unknown ones as there was room for."""
    kept = [card for card in public.pool if card is not None and lying.get(card) == "pool"]
    seen = (*kept, *sorted(card for card, place in lying.items() if place == "pool" and card not in kept))
    unknown = min(public.pool.count(None), max(POOL - len(seen), 0))
    return (*seen, *(None,) * unknown)


def _discard(public: Position, lying: Mapping[CardId, Zone], seat: Seat) -> tuple[CardId, ...]:
    place = f"discard-{seat}"
    kept = tuple(card for card in public.discard(seat) if lying.get(card) == place)
    return (*kept, *sorted(card for card, zone in lying.items() if zone == place and card not in kept))


def _turn(turn: Turn, present: frozenset[CardId], lying: Mapping[CardId, Zone]) -> Turn:
    """A series continues only from cards that are still there; a called or flipped card that is elsewhere no longer
    waits."""
    if turn.called in lying:
        turn = replace(turn, called=None)
    row = f"row-{turn.seat}"
    turn = replace(turn, held=tuple(card for card in turn.held if lying.get(card, row) == row))
    return keep_bases(turn, lambda base: base.card in present)


def _balanced(before: Position, after: Position) -> Position:
    """Adjust hands and stack to the number of cards on the table."""
    more = counted(after) - counted(before)
    hands = list(after.hands)
    first = after.turn.seat - 1
    if more < 0:
        hands[first] -= more
        return replace(after, hands=tuple(hands))
    for seat in (first, *(seat for seat in range(len(hands)) if seat != first)):
        given = min(more, hands[seat])
        hands[seat] -= given
        more -= given
    return replace(after, hands=tuple(hands), stack=after.stack - more)
