"""The course of a round: buying, offers, bidding, and the end of the match (W6, W7, W27, W30, W31)."""

from __future__ import annotations

from companion.games.darwinci.setup import PRICE, DarwinciSetup
from companion.games.darwinci.state import Dig, at_the_end
from companion.games.protocol import Objection
from companion.public.table import CardId, Seat

GAME_OVER = Objection("game-over")


def is_over(public: Dig) -> tuple[Objection, ...]:
    """After all players have counted, no moves follow."""
    return (GAME_OVER,) if public.over else ()


def last_round(setup: DarwinciSetup, public: Dig) -> tuple[Objection, ...]:
    """W27: « Si la parcelle d'un joueur comprend 12 fragments, c'est la fin de la partie. »"""
    return (GAME_OVER,) if at_the_end(setup, public) else ()


def once_before_offers(public: Dig, seat: Seat) -> tuple[Objection, ...]:
    """W6: « Au début de chaque tour, les joueurs peuvent acheter 2 fragments d'os »."""
    underway = public.bidding or public.offers
    return (Objection("late"),) if underway or seat in public.bought else ()


def has_price(public: Dig, seat: Seat) -> tuple[Objection, ...]:
    """W6: « en payant à la banque 3 Darwin »."""
    return (Objection("money"),) if public.darwin[seat - 1] < PRICE else ()


def one_each(public: Dig, seat: Seat) -> tuple[Objection, ...]:
    """W7: « Chacun choisit l'un de ses deux fragments d'os … et le pose »."""
    return (Objection("offered", (public.offers[seat],)),) if seat in public.offers else ()


def tiles_first(public: Dig) -> tuple[Objection, ...]:
    """W7: « Tous les fragments posés sont ensuite révélés simultanément », and only then stones are bid."""
    return () if public.bidding else (Objection("order"),)


def won_by(winner: Seat, seat: Seat, card: CardId) -> tuple[Objection, ...]:
    """W15, W18: « Chaque fragment d'os est attribué »; a tile without bids has no winner."""
    return () if winner == seat else (Objection("winner", (card,)),)


def stays(public: Dig, card: CardId) -> tuple[Objection, ...]:
    """W24: « Une fois placé, un fragment d'os ne peut plus être enlevé. »"""
    return (Objection("moved", (card,)),) if any(card in plot for plot in public.plots) else ()


def richest(setup: DarwinciSetup, public: Dig) -> tuple[Seat, ...]:
    """W30: « Celui qui possède le plus de Darwin remporte la partie. »"""
    best = max(public.darwin)
    return tuple(seat for seat in setup.seats if public.darwin[seat - 1] == best)


def winners(setup: DarwinciSetup, public: Dig) -> tuple[Seat, ...]:
    """W31: « En cas d'égalité, celui avec la créature la plus grande »; a creature that was not measured has size 0."""
    best = richest(setup, public)
    largest = max(public.sizes.get(seat, 0) for seat in best)
    return tuple(seat for seat in best if public.sizes.get(seat, 0) == largest)
