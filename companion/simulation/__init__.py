"""A seeded match as a film script: who does what when, where things lie, and the truth about it.

It knows no pixels, and no rules beyond what a judge that is handed in tells it.
"""

from __future__ import annotations

from companion.simulation.film import Act, Film, Picture, filmed
from companion.simulation.habits import Deed, Habits, Judge
from companion.simulation.motion import Arm, Shown
from companion.simulation.players import Players
from companion.simulation.stage import Measures, Pose, Stage

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
