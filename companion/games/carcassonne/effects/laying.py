"""Tiles that are placed on the map, or removed from the match."""

from __future__ import annotations

from dataclasses import replace

from companion.errors import ImpossibleMove
from companion.games.carcassonne import moves as act
from companion.games.carcassonne.effects.turns import pass_to
from companion.games.carcassonne.setup import MatchSetup
from companion.games.carcassonne.state import Progress, is_undrawn
from companion.games.lattice import Cell
from companion.games.protocol import MoveContext
from companion.public.table import TABLE, CardId


def lay_start(setup: MatchSetup, public: Progress, move: act.LayStart) -> Progress:
    """Begin the map (C1)."""
    draw(setup, public, move.card)
    if move.card != setup.deck.start:
        raise ImpossibleMove(f"{move.card} is not the start tile, which is {setup.deck.start}")
    return replace(public, laid={move.card: Cell(0, 0)}, tiles=public.tiles - 1)


def lay_tile(setup: MatchSetup, public: Progress, move: act.LayTile, at: MoveContext) -> Progress:
    """Extend the map (C5). The seat that placed the tile becomes the one to move, regardless of whose turn it was."""
    draw(setup, public, move.card)
    if not public.laid:
        raise ImpossibleMove("the start tile comes first: places are counted from it")
    if not 0 <= move.turn <= 3:
        raise ImpossibleMove(f"a tile is turned by 0 to 3 quarters, not {move.turn}")
    if any((cell.column, cell.row) == (move.x, move.y) for cell in public.laid.values()):
        raise ImpossibleMove(f"a tile lies at {move.x},{move.y} already")
    return replace(
        pass_to(public, move.by),
        laid={**public.laid, move.card: Cell(move.x, move.y, move.turn)},
        tiles=public.tiles - 1,
        tile=move.card,
        tile_s=at.time_s,
        acted=TABLE,
        begun=True,
    )


def discard(setup: MatchSetup, public: Progress, move: act.DiscardTile, at: MoveContext) -> Progress:
    """Remove a tile from the match; the same seat draws again (C10)."""
    draw(setup, public, move.card)
    after = replace(public if move.by == public.turn else pass_to(public, move.by), tile_s=at.time_s)
    return replace(after, discarded=(*public.discarded, move.card), tiles=public.tiles - 1)


def remove(setup: MatchSetup, public: Progress, move: act.RemoveTile) -> Progress:
    """Remove a tile from the match before the first turn."""
    draw(setup, public, move.card)
    return replace(public, removed=(*public.removed, move.card), tiles=public.tiles - 1)


def draw(setup: MatchSetup, public: Progress, card: CardId) -> None:
    """Check that a tile can be drawn.

    Raises:
        ImpossibleMove: It cannot.
    """
    if not is_undrawn(setup, public, card) or not public.tiles:
        raise ImpossibleMove(f"{card} is no tile that somebody could draw now")
