"""Where a tile may be placed, and which tiles must be (W1, W4, W22 to W25, W28, W29)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable

from companion.games.darwinci.moves import DealPlots
from companion.games.darwinci.setup import DarwinciSetup, is_big
from companion.games.darwinci.state import Dig, room, still_to_lay
from companion.games.lattice import Cell
from companion.games.protocol import Objection
from companion.public.table import CardId, Seat

LONG, SHORT = 4, 3
"""« un rectangle de 3x4 ou 4x3 fragments d'os »."""
FIRST_TILES = 2
"""« Il en choisit ensuite deux qu'il pose »."""

Places = Collection[tuple[int, int]]


def places(cells: Iterable[Cell]) -> Places:
    """Columns and rows, regardless of tile and rotation."""
    return [(cell.column, cell.row) for cell in cells]


def shares(setup: DarwinciSetup, move: DealPlots) -> tuple[Objection, ...]:
    """W1: « 7 pierres à sa couleur … et 2 pierres adverses », one from each neighbour; a big one stays at home."""
    wrong = []
    for seat, stones in zip(setup.seats, move.reserves, strict=False):
        wanted = Counter({seat: setup.small - 2, setup.left_of(seat): 1, setup.right_of(seat): 1})
        small = Counter(setup.owners[card] for card in stones if card in setup.owners and not is_big(card))
        big = [setup.owners.get(card) for card in stones if is_big(card)]
        if small != wanted or big != ([seat] if setup.experts else []):
            wrong += list(stones)
    complete = len(move.reserves) == len(setup.players) and move.darwin in setup.seats
    return () if complete and not wrong else (Objection("deal", tuple(sorted(wrong))),)


def first_tiles(move: DealPlots) -> tuple[Objection, ...]:
    """W4: « de telle manière que les deux tuiles se touchent par un côté »."""
    apart: list[CardId] = []
    for plot in move.plots:
        there = [(x, y) for _, x, y, _ in plot]
        if len(plot) != FIRST_TILES or not _touches(there[0], there[1:]):
            apart += [card for card, *_ in plot]
    return (Objection("side", tuple(apart)),) if apart else ()


def edge_to_edge(there: Places, place: tuple[int, int]) -> tuple[Objection, ...]:
    """W22: « uniquement … bord à bord avec les fragments déjà présents »."""
    return () if not there or _touches(place, there) else (Objection("side"),)


def _touches(place: tuple[int, int], others: Places) -> bool:
    return any(abs(place[0] - x) + abs(place[1] - y) == 1 for x, y in others)


def in_frame(there: Places, place: tuple[int, int]) -> tuple[Objection, ...]:
    """W23: « un rectangle de 3x4 ou 4x3 fragments d'os. Si verticalement, il y a 4 fragments alignés, seuls 3 …»."""
    columns, rows = zip(*there, place, strict=True)
    sides = sorted((max(columns) - min(columns) + 1, max(rows) - min(rows) + 1))
    return () if sides[0] <= SHORT and sides[1] <= LONG else (Objection("frame"),)


def rotten_first(setup: DarwinciSetup, public: Dig, seat: Seat, card: CardId) -> tuple[Objection, ...]:
    """W25, W29: « si l'un des deux fragments affiche une valeur négative, il doit obligatoirement poser celui-ci »."""
    if setup.deck.tiles[card].rotten:
        return ()
    waiting = tuple(
        one for one, tile in public.won.items() if tile.winner == seat and one != card and setup.deck.tiles[one].rotten
    )
    return (Objection("must-lay", waiting),) if waiting and len(waiting) >= room(public, seat) else ()


def all_laid(public: Dig) -> tuple[Objection, ...]:
    """W28: « Tous les fragments gagnés pendant ce tour peuvent bien-sûr être encore posés »: before the next round."""
    waiting = still_to_lay(public)
    return (Objection("must-lay", waiting),) if waiting else ()


def full(public: Dig, seat: Seat, card: CardId) -> tuple[Objection, ...]:
    """W28: « il choisit celui qu'il souhaite poser (l'autre est défaussé) »: only a tile without room is put away."""
    return (Objection("must-lay", (card,)),) if room(public, seat) else ()
