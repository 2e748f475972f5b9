"""People at a table that is not there: what they do when, where things lie, and, for films, the truth about it.

It knows no pixels, and no rules beyond what a judge or a scoreboard that is handed in tells it. A film is told
beforehand (``players``) or decided while it is shown (``live_players``).
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
