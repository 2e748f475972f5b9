"""Points with their reasons, winners and the scoreboard (C16 to C20, C23)."""

from __future__ import annotations

from dataclasses import replace

from companion.games.carcassonne.setup import MatchSetup
from companion.games.carcassonne.state import Progress, ground
from companion.games.carcassonne.territory import Territory, is_pair, territory, worth
from companion.games.carcassonne.tiles import GRASSLAND
from companion.public.standing import Standing
from companion.public.table import CardId, Seat
from companion.public.text import Text


def score(setup: MatchSetup, public: Progress, card: CardId) -> tuple[int, Text]:
    """The present value of a follower's territory, whatever else is there, and the reason (C16, C20)."""
    own = territory(ground(setup, public), public.followers[card])
    points = worth(own)
    kind = "pair" if is_pair(own) else "complete" if own.complete else "open"
    return points, why(f"carcassonne.why.{own.terrain}.{kind}", setup.owners[card], card, points, own)


def final_scoring(setup: MatchSetup, public: Progress) -> tuple[Progress, tuple[Text, ...]]:
    """Scores every follower on the map, "as though it were alone" (C20), in territories that are all "considered
    incomplete" (C23).
    """
    there = ground(setup, public)
    points, reasons = list(public.points), []
    for card, piece in sorted(public.followers.items()):
        own, owner = territory(there, piece), setup.owners[card]
        value = worth(own, final=True)
        points[owner - 1] += value
        reasons.append(why(f"carcassonne.why.{own.terrain}.final", owner, card, value, own))
    after = replace(public, points=tuple(points), over=True, tile=None)
    return replace(after, winners=leaders(setup, after)), tuple(reasons)


def why(key: str, seat: Seat, card: CardId, points: int, own: Territory) -> Text:
    """The reason for some points."""
    counted = own.tiles if own.terrain == GRASSLAND else own.cities
    counts = {"tiles": own.tiles, "cities": own.cities, "n": counted}
    return Text(key, {"seat": seat, "card": card, "points": points, **counts})


def leaders(setup: MatchSetup, public: Progress) -> tuple[Seat, ...]:
    """The present seats with the most points; a tie is shared."""
    here = [seat for seat in setup.seats if seat not in public.away]
    best = max(public.points[seat - 1] for seat in here)
    return tuple(seat for seat in here if public.points[seat - 1] == best)


def standing(public: Progress) -> Standing:
    """The scoreboard, with the supply of each seat and the number of undrawn tiles."""
    return Standing(
        turn=None if public.over else public.turn,
        points=public.points,
        counters={"supply": public.supply, "tiles": public.tiles},
        over=public.over,
        winners=public.winners,
    )
