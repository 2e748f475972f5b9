"""How people carry out what they do: which hand goes where, and when."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from companion.public.table import COMMAND_ZONE, Seat, Token, Zone
from companion.simulation.behaviour import Carry, Deed, Errand
from companion.simulation.card_places import POOL, CardPlaces, CardPose, card_token, discard, row
from companion.simulation.trajectories import CARRY_S, Journey

_REST_S = 1.0
"""Between two acts, so that eyes and referees can follow."""
_DOUBT_S = 2.2
"""How long a card lies that may not lie there."""
_SHOW_S = 1.4
"""How long a command card is shown, and about how long a bot's card lies turned over."""
_SAY_S = 0.8
"""How long it takes to say something on a phone."""


@dataclass(frozen=True, slots=True)
class Movement:
    """A stretch of film: one act, or hands that do nothing of the game.

    Attributes:
        begins_s, ends_s: At the speed of real people.
    """

    deed: Deed | None
    begins_s: float
    ends_s: float
    journeys: tuple[Journey, ...]


class Choreographer:
    """People around a stage.

    Args:
        lively: How often, after an act, somebody straightens a card, rests a hand or waves, 0 to 1.
        deals: Whether the pool is seen being dealt; otherwise it lies there from the first picture.
    """

    def __init__(self, stage: CardPlaces, seed: int, lively: float, deals: bool) -> None:
        self._stage = stage
        self._dice = random.Random(f"actors {seed}")
        self._lively = lively
        self._deals = deals
        self._clock_s = 0.0
        self._ends: dict[Token, CardPose] = {}

    def shots(self, deeds: Iterable[Deed | Errand]) -> Iterator[Movement]:
        """Each act; whoever takes a shot must have settled the one before on the stage."""
        for deed in deeds:
            begins_s = self._clock_s
            if isinstance(deed, Errand):
                yield self._errand(deed)
                continue
            journeys = tuple(self._journeys(deed))
            self._clock_s += _REST_S * self._dice.uniform(0.8, 1.4)
            yield Movement(deed, begins_s, self._clock_s, journeys)
            if self._dice.random() < self._lively and (aside := self._aside()):
                self._clock_s = aside.ends_s + _REST_S
                yield Movement(None, aside.begins_s, self._clock_s, (aside,))

    def _errand(self, errand: Errand) -> Movement:
        begins_s = self._clock_s
        journeys = [self._carry(carry) for carry in errand.carries]
        if errand.idle and (aside := self._aside()):
            journeys.append(aside)
            self._clock_s = aside.ends_s
        self._clock_s += errand.rest_s
        return Movement(None, begins_s, self._clock_s, tuple(journeys))

    def _carry(self, carry: Carry) -> Journey:
        lies = self._stage.lying.get(carry.token)
        if carry.zone is None:
            return self._fetch(carry.by, carry.token)
        if lies is None:
            return self._bring(carry.by, carry.token, carry.zone, carry.beside)
        return self._move(carry.by, carry.token, lies, carry.zone, carry.beside)

    def _journeys(self, deed: Deed) -> Iterator[Journey]:
        move, by = deed.move, Seat(deed.move["by"])
        match move:
            case {"do": "deal", "pool": cards}:
                for card in cards:
                    if self._deals:
                        yield self._bring(Seat(self._stage.seats), card_token(card), POOL)
                    else:
                        self._stage.lying[card_token(card)] = self._stage.put(card_token(card), POOL)
                return
            case {"do": "refill", "card": card}:
                yield self._bring(Seat(self._stage.seats), card_token(card), POOL)
                return
            case {"do": "undo", "card": card}:
                yield from self._show(by, Token("KUNDO"))
                yield self._fetch(by, card_token(card))
                return
            case {"do": "place", "card": card, "from": source} if deed.rules and not deed.stands:
                yield from self._err(by, card_token(card), source, self._stage.tree)
                return
            case {"do": "discard", "card": card} if deed.rules:
                yield from self._err(by, card_token(card), "hand", discard(by))
                return
            case {"do": "flip", "card": card}:
                yield self._bring(by, card_token(card), row(by))
                self._clock_s += _SHOW_S * self._dice.uniform(0.6, 1.2)
            case {"do": "pass"}:
                yield from self._show(by, Token("KPASS"))
            case {"do": "end_turn"} if not deed.unsaid:
                yield from self._show(by, Token("KEND"))
            case {"do": "stop"} if not deed.spoken:
                yield from self._show(by, Token("KSTOP"), Token(f"S{by}"))
        if deed.spoken:
            self._clock_s += _SAY_S
        yield from self._follow(by, deed)

    def _follow(self, by: Seat, deed: Deed) -> Iterator[Journey]:
        """Bring every card where the act has it lie."""
        flipped = card_token(deed.move["card"]) if deed.move["do"] == "flip" else None
        gone = flipped is not None and all(card_token(card) != flipped for card, _, _ in deed.moved)
        if flipped is not None and gone:  # a joker that leaves the game
            yield self._fetch(by, flipped, self._there(flipped))
        for card, _, zone in deed.moved:
            token = card_token(card)
            lies = self._there(token) if token == flipped else self._stage.lying.get(token)
            if zone is None:
                yield self._fetch(by, token)
            elif token == flipped and zone == row(by):
                continue  # it is held there
            elif lies is None:
                yield self._bring(by, token, Zone(zone))
            else:
                yield self._move(by, token, lies, Zone(zone))

    def _there(self, token: Token) -> CardPose:
        """Where a card was laid in this act."""
        return self._ends[token]

    def _err(self, by: Seat, token: Token, source: str, zone: Zone) -> Iterator[Journey]:
        """A card goes where it may not lie, lies there for a while, and goes back."""
        home = None if source == "hand" else self._stage.lying[token]
        place = self._stage.place(token)
        there = self._bring(by, token, zone) if home is None else self._move(by, token, home, zone)
        yield there
        self._clock_s += _DOUBT_S * self._dice.uniform(0.9, 1.4)
        if home is None:
            yield self._fetch(by, token, there.end)
        else:
            self._stage.give_back(token, place)
            yield self._travel(by, token, there.end, home)

    def _bring(self, by: Seat, token: Token, zone: Zone, beside: Token | None = None) -> Journey:
        """From a hand, or from the stack beside the table."""
        return self._travel(by, token, self._outside(by), self._stage.put(token, zone, beside), reach_s=0.0)

    def _move(self, by: Seat, token: Token, start: CardPose, zone: Zone, beside: Token | None = None) -> Journey:
        """From one place of the table to another, lifted or slid."""
        self._stage.free(token)
        lift_mm = 2.5 if self._dice.random() < 0.25 else 28.0
        return self._travel(by, token, start, self._stage.put(token, zone, beside), lift_mm=lift_mm)

    def _fetch(self, by: Seat, token: Token, start: CardPose | None = None) -> Journey:
        """Back into the hand."""
        self._stage.free(token)
        start = start or self._stage.lying[token]
        return self._travel(by, token, start, self._outside(by), leave_s=0.0, stays=False)

    def _show(self, by: Seat, *tokens: Token) -> Iterator[Journey]:
        """Command cards, a seat tag first."""
        brought = [self._bring(by, token, COMMAND_ZONE) for token in reversed(tokens)]
        yield from brought
        self._clock_s += _SHOW_S * self._dice.uniform(0.9, 1.3)
        for journey in brought:
            assert journey.token is not None
            yield self._fetch(by, journey.token, journey.end)

    def _travel(self, by: Seat, token: Token, start: CardPose, end: CardPose, **how: float) -> Journey:
        pace = self._dice.uniform(0.85, 1.3)
        journey = Journey(by, token, start, end, self._clock_s, carry_s=CARRY_S * pace)
        journey = replace(journey, **how)  # type: ignore[arg-type]
        self._ends[token] = journey.end
        self._clock_s = journey.ends_s
        return journey

    def _outside(self, by: Seat) -> CardPose:
        x_mm, y_mm, _ = self._stage.edge(by)
        return CardPose(x_mm, y_mm, self._dice.uniform(-20, 20), 60.0)

    def _aside(self) -> Journey | None:
        """What people do with their hands: straighten a card, rest on the table, wave over it."""
        seat = Seat(self._dice.randint(1, self._stage.seats))
        w, h = self._stage.size_mm
        spot = CardPose(w * self._dice.uniform(0.2, 0.8), h * self._dice.uniform(0.25, 0.75), 0.0, 2.0)
        match self._dice.choice(("straighten", "rest", "wave")):
            case "straighten" if self._stage.lying:
                token = self._dice.choice(sorted(self._stage.lying))
                start = self._stage.lying[token]
                end = self._stage.straight(token)
                return Journey(seat, token, start, end, self._clock_s, carry_s=0.5, lift_mm=0.0)
            case "rest":
                carry_s = self._dice.uniform(2.0, 6.0)
                return Journey(seat, None, spot, spot, self._clock_s, carry_s=carry_s, lift_mm=0.0, spread=1.0)
            case "wave":
                other = replace(spot, x_mm=w - spot.x_mm)
                return Journey(seat, None, spot, other, self._clock_s, carry_s=0.8, lift_mm=40.0, spread=0.6)
            case _:  # nothing to straighten
                return None
