"""People at a simulated table: the movements of their hands, the places of cards, and the truth about films.

It knows neither pixels nor games. A game defines the decisions of its people and its places (``people``, ``stage``);
hands, films, patience and visitors are the same for all. A film is prepared beforehand (``script``) or decided while it
is shown (``live_film``).
"""

from __future__ import annotations

from companion.simulation.deeds import Carry, Deed, TakeBack, Wait
from companion.simulation.live_film import LiveFilm
from companion.simulation.people import DecisionMoment, People
from companion.simulation.script import MatchScript, ScriptedAct, ScriptedPicture
from companion.simulation.stage import Measures, Places, TableStage, ThingPose
from companion.simulation.trajectories import MovingArm, MovingThing

__all__ = [
    "Carry",
    "DecisionMoment",
    "Deed",
    "LiveFilm",
    "MatchScript",
    "Measures",
    "MovingArm",
    "MovingThing",
    "People",
    "Places",
    "ScriptedAct",
    "ScriptedPicture",
    "TableStage",
    "TakeBack",
    "ThingPose",
    "Wait",
]
