"""A seeded match as a film script: who does what when, where things lie, and the truth about it.

It knows no pixels, and no rules beyond what a judge that is handed in tells it.
"""

from __future__ import annotations

from companion.simulation.behaviour import Deed, Habits, Judge
from companion.simulation.card_places import Measures, Pose, Stage
from companion.simulation.players import Players
from companion.simulation.script import Act, Film, Picture, filmed
from companion.simulation.trajectories import Arm, Shown

__all__ = [
    "Act",
    "Arm",
    "Deed",
    "Film",
    "Habits",
    "Judge",
    "Measures",
    "Picture",
    "Players",
    "Pose",
    "Shown",
    "Stage",
    "filmed",
]
