"""How people carry out their deeds: which hand moves where, and when."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from companion.public.table import Seat, Token, Zone
from companion.simulation.deeds import Carry, Deed, Errand, Step, TakeBack, Wait
from companion.simulation.stage import Kept, TableStage, ThingPose
from companion.simulation.trajectories import CARRY_S, Journey

_REST_S = 1.0
"""Between two acts, so that viewers and referees can follow."""


@dataclass(frozen=True, slots=True)
class Movement:
    """A section of film: one act, or hand movements without meaning for the game.

    Attributes:
        begins_s, ends_s: At the speed of real people.
    """

    deed: Deed | None
    begins_s: float
    ends_s: float
    journeys: tuple[Journey, ...]


class Choreographer:
    """Moves the hands of the people around a stage.

    Args:
        lively: The probability that, after an act, a player straightens a card, rests a hand or waves, 0 to 1.
        deals: Whether the film shows the table being set up; otherwise the cards lie there from the first picture.
    """

    def __init__(self, stage: TableStage, seed: int, lively: float, deals: bool) -> None:
        self._stage = stage
        self._dice = random.Random(f"actors {seed}")
        self._lively = lively
        self._deals = deals
        self._clock_s = 0.0
        self._now: dict[Token, ThingPose | None] = {}
        self._before: dict[Token, tuple[ThingPose | None, Kept | None]] = {}

    def shots(self, deeds: Iterable[Deed | Errand]) -> Iterator[Movement]:
        """Each act; before taking the next one, the caller must have applied the last one to the stage."""
        for deed in deeds:
            begins_s = self._clock_s
            if isinstance(deed, Errand):
                yield self._errand(deed)
                continue
            journeys = self._lay_table(deed) if deed.lays_table and not self._deals else self._journeys(deed.steps)
            self._clock_s += _REST_S * self._dice.uniform(0.8, 1.4)
            yield Movement(deed, begins_s, self._clock_s, journeys)
            if self._dice.random() < self._lively and (aside := self._aside()):
                self._clock_s = aside.ends_s + _REST_S
                yield Movement(None, aside.begins_s, self._clock_s, (aside,))

    def _errand(self, errand: Errand) -> Movement:
        begins_s, journeys = self._clock_s, self._journeys(errand.steps)
        if errand.idle and (aside := self._aside()):
            journeys = (*journeys, aside)
            self._clock_s = aside.ends_s
        self._clock_s += errand.rest_s
        return Movement(None, begins_s, self._clock_s, journeys)

    def _lay_table(self, deed: Deed) -> tuple[Journey, ...]:
        """Set the table up without a hand."""
        for step in deed.steps:
            if isinstance(step, Carry) and step.place is not None:
                self._stage.lying[step.token] = self._stage.put(step.token, step.place, step.beside)
        return ()

    def _journeys(self, steps: tuple[Step, ...]) -> tuple[Journey, ...]:
        self._now, self._before = {}, {}
        return tuple(journey for step in steps if (journey := self._journey(step)) is not None)

    def _journey(self, step: Step) -> Journey | None:
        match step:
            case Wait(lasts_s, varies):
                self._clock_s += lasts_s * (1.0 if varies is None else self._dice.uniform(*varies))
                return None
            case TakeBack(by, token):
                start, (home, kept) = self._there(token), self._before[token]
                assert start is not None
                if home is None:
                    return self._fetch(by, token, start)
                self._stage.give_back(token, kept)
                return self._travel(by, token, start, home)
            case Carry(by, token, place, beside):
                start = self._there(token)
                self._before.setdefault(token, (start, self._stage.kept(token)))
                if place is None:
                    return None if start is None else self._fetch(by, token, start)
                if start is None:
                    return self._bring(by, token, place, beside)
                return self._move(by, token, start, place, beside)

    def _there(self, token: Token) -> ThingPose | None:
        """Where a piece is now; ``None`` = not on the table."""
        return self._now[token] if token in self._now else self._stage.lying.get(token)

    def _bring(self, by: Seat, token: Token, place: Zone, beside: Token | None) -> Journey:
        """From a hand, or from beside the table."""
        return self._travel(by, token, self._outside(by), self._stage.put(token, place, beside), reach_s=0.0)

    def _move(self, by: Seat, token: Token, start: ThingPose, place: Zone, beside: Token | None) -> Journey:
        """From one place on the table to another, lifted or slid."""
        self._stage.free(token)
        lift_mm = 2.5 if self._dice.random() < 0.25 else 28.0
        return self._travel(by, token, start, self._stage.put(token, place, beside), lift_mm=lift_mm)

    def _fetch(self, by: Seat, token: Token, start: ThingPose) -> Journey:
        """From the table into a hand."""
        self._stage.free(token)
        return self._travel(by, token, start, self._outside(by), leave_s=0.0, stays=False)

    def _travel(self, by: Seat, token: Token, start: ThingPose, end: ThingPose, **how: float) -> Journey:
        pace = self._dice.uniform(0.85, 1.3)
        journey = Journey(by, token, start, end, self._clock_s, carry_s=CARRY_S * pace)
        journey = replace(journey, measures=self._stage.measures(token), **how)  # type: ignore[arg-type]
        self._now[token] = journey.end if journey.stays else None
        self._clock_s = journey.ends_s
        return journey

    def _outside(self, by: Seat) -> ThingPose:
        x_mm, y_mm, _ = self._stage.edge(by)
        return ThingPose(x_mm, y_mm, self._dice.uniform(-20, 20), 60.0)

    def _aside(self) -> Journey | None:
        """An idle movement: straighten a card, rest a hand on the table, wave over it."""
        seat = Seat(self._dice.randint(1, self._stage.seats))
        w, h = self._stage.size_mm
        spot = ThingPose(w * self._dice.uniform(0.2, 0.8), h * self._dice.uniform(0.25, 0.75), 0.0, 2.0)
        match self._dice.choice(("straighten", "rest", "wave")):
            case "straighten" if self._stage.lying:
                token = self._dice.choice(sorted(self._stage.lying))
                start = self._stage.lying[token]
                end = self._stage.straight(token)
                measures = self._stage.measures(token)
                return Journey(seat, token, start, end, self._clock_s, carry_s=0.5, lift_mm=0.0, measures=measures)
            case "rest":
                carry_s = self._dice.uniform(2.0, 6.0)
                return Journey(seat, None, spot, spot, self._clock_s, carry_s=carry_s, lift_mm=0.0, spread=1.0)
            case "wave":
                other = replace(spot, x_mm=w - spot.x_mm)
                return Journey(seat, None, spot, other, self._clock_s, carry_s=0.8, lift_mm=40.0, spread=0.6)
            case _:  # nothing to straighten
                return None
