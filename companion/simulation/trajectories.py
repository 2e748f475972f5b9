"""The movements of hands and pieces: their positions and speeds at any moment."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from companion.public.table import Seat, Token
from companion.simulation.stage import CARD, Measures, ThingPose

REACH_S, CARRY_S = 0.55, 0.75
_HELD_MM = (30.0, 36.0)
"""Where fingertips hold a card, from its centre to the side and down; for other pieces scaled to their size."""


@dataclass(frozen=True, slots=True)
class MovingThing:
    """A piece in a picture: its sticker's pose and its speed."""

    token: Token
    pose: ThingPose
    speed_mm_s: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class MovingArm:
    """A hand in a picture.

    Attributes:
        x_mm, y_mm, z_mm: Between its fingertips.
        from_deg: Where the arm comes from; 90 = the near edge.
        spread: 0 = closed around something, 1 = flat.
    """

    x_mm: float
    y_mm: float
    z_mm: float
    from_deg: float
    seat: Seat
    spread: float
    speed_mm_s: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Journey:
    """A hand reaches for a piece, carries it and withdraws; without a piece it only passes or rests.

    Attributes:
        start, end: Of the piece's sticker; outside the table if it comes from a hand or goes there.
        reach_s, carry_s, leave_s: The duration of each part.
        lift_mm: How high it is carried; near 0 = it slides.
        stays: The piece lies there afterwards.
        measures: The piece's size; the hand holds it at its edge.
    """

    seat: Seat
    token: Token | None
    start: ThingPose
    end: ThingPose
    begins_s: float
    reach_s: float = REACH_S
    carry_s: float = CARRY_S
    leave_s: float = REACH_S
    lift_mm: float = 28.0
    stays: bool = True
    spread: float = 0.2
    measures: Measures = CARD

    @property
    def grasps_s(self) -> float:
        """When the piece begins to move."""
        return self.begins_s + self.reach_s

    @property
    def lets_go_s(self) -> float:
        """When it is at rest again."""
        return self.grasps_s + self.carry_s

    @property
    def ends_s(self) -> float:
        """When the hand is gone."""
        return self.lets_go_s + self.leave_s

    def pose(self, time_s: float) -> ThingPose:
        share = _ease((time_s - self.grasps_s) / self.carry_s)
        a, b = self.start, self.end
        turn = (b.rotation_deg - a.rotation_deg + 180) % 360 - 180
        z = a.z_mm + (b.z_mm - a.z_mm) * share + self.lift_mm * math.sin(math.pi * share)
        return ThingPose(_mix(a.x_mm, b.x_mm, share), _mix(a.y_mm, b.y_mm, share), a.rotation_deg + turn * share, z)

    def moving_thing(self, now_s: float, speed: float) -> MovingThing:
        """The piece while it moves."""
        assert self.token is not None
        pace = _pace(lambda at_s: (self.pose(at_s).x_mm, self.pose(at_s).y_mm), now_s, speed)
        return MovingThing(self.token, self.pose(now_s), pace)

    def arm(self, now_s: float, speed: float, edge: tuple[float, float, float]) -> MovingArm:
        """The hand; ``edge``: where it comes from, and its direction."""

        def place(at_s: float) -> tuple[float, float]:
            return self._fingertips(at_s, edge)

        x_mm, y_mm = place(now_s)
        z_mm = 22.0 + self._held(now_s).z_mm
        return MovingArm(x_mm, y_mm, z_mm, edge[2], self.seat, self.spread, _pace(place, now_s, speed))

    def _held(self, at_s: float) -> ThingPose:
        return self.pose(min(max(at_s, self.grasps_s), self.lets_go_s))

    def _fingertips(self, at_s: float, edge: tuple[float, float, float]) -> tuple[float, float]:
        """At the piece's edge on the hand's side, or on the way there and back."""
        x_mm, y_mm, from_deg = edge
        middle = self.measures.middle(self._held(at_s))
        angle = math.radians(from_deg)
        sides = zip(_HELD_MM, self.measures.size_mm, CARD.size_mm, strict=True)
        across_mm, down_mm = (held * side / card for held, side, card in sides)
        held = middle[0] + across_mm * math.cos(angle), middle[1] + down_mm * math.sin(angle)
        if at_s < self.grasps_s:
            away = 1 - _ease((at_s - self.begins_s) / max(self.reach_s, 1e-6))
        else:
            away = _ease((at_s - self.lets_go_s) / max(self.leave_s, 1e-6))
        return _mix(held[0], x_mm, away), _mix(held[1], y_mm, away)


def _pace(place: Callable[[float], tuple[float, float]], now_s: float, speed: float) -> tuple[float, float]:
    """The speed in millimetres per second of film."""
    before, after = place(now_s - 0.005), place(now_s + 0.005)
    return (after[0] - before[0]) * 100 * speed, (after[1] - before[1]) * 100 * speed


def _ease(share: float) -> float:
    """From 0 to 1, with a smooth start and end."""
    share = min(max(share, 0.0), 1.0)
    return share * share * (3 - 2 * share)


def _mix(a: float, b: float, share: float) -> float:
    return a + (b - a) * share
