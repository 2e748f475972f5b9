"""A seeded match as a film script: who does what when, where things lie, and the truth about it.

It knows no pixels, and no rules beyond what a judge that is handed in tells it.
"""

from __future__ import annotations

from companion.simulation.behaviour import Behaviour, Deed, RulesJudge
from companion.simulation.card_places import CardPlaces, CardPose, Measures
from companion.simulation.players import Players
from companion.simulation.script import MatchScript, ScriptedAct, ScriptedPicture, match_script
from companion.simulation.trajectories import MovingArm, MovingCard

__all__ = [
    "Behaviour",
    "CardPlaces",
    "CardPose",
    "Deed",
    "MatchScript",
    "Measures",
    "MovingArm",
    "MovingCard",
    "Players",
    "RulesJudge",
    "ScriptedAct",
    "ScriptedPicture",
    "match_script",
]
