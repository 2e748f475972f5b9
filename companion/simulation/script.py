"""The film of a match: for every picture, what lies and moves where; and the truth about it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from companion.public.table import Token
from companion.public.text import JSON
from companion.simulation.choreography import Choreographer, Movement
from companion.simulation.deeds import Deed, Errand
from companion.simulation.stage import TableStage, ThingPose
from companion.simulation.trajectories import MovingArm, MovingThing


@dataclass(frozen=True, slots=True)
class ScriptedAct:
    """A deed and its begin and end in seconds of film."""

    deed: Deed
    begins_s: float
    ends_s: float


@dataclass(frozen=True, slots=True)
class ScriptedPicture:
    """The table at one moment.

    Attributes:
        done: Every act that has ended since the picture before.
        says: The moves that are reported by phone now, as in the record.
    """

    time_s: float
    things: tuple[MovingThing, ...]
    arms: tuple[MovingArm, ...]
    done: tuple[ScriptedAct, ...] = ()
    says: tuple[JSON, ...] = ()


class MatchScript:
    """A match as it is filmed. The same deeds, stage and seed give the same film.

    Args:
        lively: The probability that, after an act, a player straightens a card, rests a hand or waves, 0 to 1.
        speed: 2 = everything takes half as long.
        deals: Whether the film shows the table being set up; otherwise the cards lie there from the first picture.
    """

    def __init__(
        self,
        deeds: Iterable[Deed | Errand],
        stage: TableStage,
        seed: int = 0,
        *,
        lively: float = 0.25,
        speed: float = 1.0,
        deals: bool = False,
    ) -> None:
        self._stage = stage
        self._speed = speed
        self._shots = Choreographer(stage, seed, lively, deals).shots(deeds)

    def pictures(self, rate_hz: float) -> Iterator[ScriptedPicture]:
        """The film at this rate, until the match ends. Can be used once."""
        number = 0
        ended: tuple[ScriptedAct, ...] = ()
        for shot in self._shots:
            lying = dict(self._stage.lying)
            says: tuple[JSON, ...] = (shot.deed.move,) if shot.deed is not None and shot.deed.spoken else ()
            while (time_s := number / rate_hz) * self._speed < shot.ends_s:
                yield ScriptedPicture(time_s, *self._seen(time_s * self._speed, lying, shot), ended, says)
                number, ended, says = number + 1, (), ()
            self._settle(shot)
            if shot.deed is not None:
                ended = (*ended, ScriptedAct(shot.deed, shot.begins_s / self._speed, shot.ends_s / self._speed))
        still = tuple(MovingThing(token, pose) for token, pose in self._stage.lying.items())
        for _ in range(max(1, round(rate_hz * 2 / self._speed))):  # the table after the last act
            yield ScriptedPicture(number / rate_hz, still, (), ended)
            number, ended = number + 1, ()

    def _settle(self, shot: Movement) -> None:
        """Update what lies where, after the hands are gone."""
        for journey in shot.journeys:
            if journey.token is not None and journey.stays:
                self._stage.lying[journey.token] = journey.end
            elif journey.token is not None:
                self._stage.lying.pop(journey.token, None)

    def _seen(
        self, now_s: float, lying: Mapping[Token, ThingPose], shot: Movement
    ) -> tuple[tuple[MovingThing, ...], tuple[MovingArm, ...]]:
        """Pieces and hands at one moment of a movement."""
        things = {token: MovingThing(token, pose) for token, pose in lying.items()}
        arms = []
        for journey in shot.journeys:
            if journey.begins_s <= now_s < journey.ends_s:
                edge = self._stage.edge(journey.seat)
                arms.append(journey.arm(now_s, self._speed, edge))
            if journey.token is None or now_s < journey.grasps_s:
                continue
            if now_s < journey.lets_go_s:
                things[journey.token] = journey.moving_thing(now_s, self._speed)
            elif journey.stays:
                things[journey.token] = MovingThing(journey.token, journey.end)
            else:
                things.pop(journey.token, None)
        return tuple(things.values()), tuple(arms)
