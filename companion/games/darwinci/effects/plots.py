"""Tiles that are placed in plots or removed, the cost of rotten ones, and the Darwin tile (W1 to W5, W22 to W28)."""

from __future__ import annotations

from dataclasses import replace

from companion.errors import ImpossibleMove
from companion.games.darwinci.effects.rounds import pay
from companion.games.darwinci.moves import DealPlots, DropBone, LayBone, reserve
from companion.games.darwinci.rules.awards import next_holder
from companion.games.darwinci.setup import FIRST_MONEY, DarwinciSetup
from companion.games.darwinci.state import Dig, Plot, plot_of, still_to_lay
from companion.games.lattice import Cell
from companion.public.table import TABLE, CardId, Seat, with_seat


def deal(setup: DarwinciSetup, public: Dig, move: DealPlots) -> Dig:
    """Set up plots and reserves; the seat on the right of the Darwin tile begins (W1 to W5)."""
    stones = {card: reserve(Seat(at)) for at, held in enumerate(move.reserves, 1) for card in held}
    if set(stones) != set(setup.owners) or sum(map(len, move.reserves)) != len(stones):
        raise ImpossibleMove("every stone of the match lies in one reserve")
    tiles = [card for plot in move.plots for card, *_ in plot]
    if len(move.plots) != len(setup.players) or set(tiles) - set(setup.deck.tiles) or len(set(tiles)) != len(tiles):
        raise ImpossibleMove("each seat has a plot, and each tile lies in one of them at most")
    if not all(plot and _apart(plot) for plot in move.plots) or move.darwin not in setup.seats:
        raise ImpossibleMove("tiles of a plot lie side by side, and a seat has the Darwin tile")
    plots: tuple[Plot, ...] = tuple({card: Cell(x, y, turn) for card, x, y, turn in plot} for plot in move.plots)
    return replace(
        public,
        plots=plots,
        stones=stones,
        darwin=tuple(FIRST_MONEY - sum(cost(setup, card) for card in plot) for plot in plots),
        holder=move.darwin,
        first=first_player(setup, move.darwin),
    )


def first_player(setup: DarwinciSetup, holder: Seat) -> Seat:
    """W2: « Le joueur à gauche du premier joueur reçoit la tuile « Darwin »."""
    return setup.right_of(holder)


def _apart(plot: tuple[tuple[CardId, int, int, int], ...]) -> bool:
    """Whether all tiles are in different places, and rotated by quarter turns."""
    return len({(x, y) for _, x, y, _ in plot}) == len(plot) and all(0 <= turn <= 3 for *_, turn in plot)


def cost(setup: DarwinciSetup, card: CardId) -> int:
    """W5, W25: the cost of placing a rotten bone: « doit payer 5 Darwin »."""
    return max(0, -setup.deck.tiles[card].value)


def lay(setup: DarwinciSetup, public: Dig, move: LayBone) -> Dig:
    """Place a tile in a plot; a rotten one is paid for at once (W25), but only the first time."""
    plot = public.plots[move.by - 1]
    if move.card not in setup.deck.tiles or not 0 <= move.turn <= 3:
        raise ImpossibleMove(f"{move.card!r} is no tile of this match, or it is not turned by quarters")
    if move.card in public.offers.values():
        raise ImpossibleMove(f"{move.card} is still for sale")
    if any((cell.column, cell.row) == (move.x, move.y) for card, cell in plot.items() if card != move.card):
        raise ImpossibleMove(f"a tile lies at {move.x},{move.y} already")
    laid = plot_of(public, move.card)
    plots = public.plots
    if laid:
        plots = with_seat(plots, laid, {card: cell for card, cell in plots[laid - 1].items() if card != move.card})
    plots = with_seat(plots, move.by, {**plots[move.by - 1], move.card: Cell(move.x, move.y, move.turn)})
    return replace(
        public,
        plots=plots,
        won={card: tile for card, tile in public.won.items() if card != move.card},
        gone=tuple(card for card in public.gone if card != move.card),
        darwin=public.darwin if laid else pay(public.darwin, move.by, -cost(setup, move.card)),
    )


def drop(public: Dig, move: DropBone) -> Dig:
    """« l'autre est défaussé » (W28)."""
    if move.card not in public.won:
        raise ImpossibleMove(f"{move.card} is no tile that somebody won and has not laid")
    won = {card: tile for card, tile in public.won.items() if card != move.card}
    return replace(public, won=won, gone=(*public.gone, move.card))


def pass_darwin_tile(setup: DarwinciSetup, public: Dig) -> Dig:
    """W26: pass the Darwin tile on at the end of a round, when all tiles that were won and fit are placed."""
    if public.passed or still_to_lay(public) or public.holder == TABLE:
        return public
    return replace(public, holder=next_holder(setup, public), passed=True)
