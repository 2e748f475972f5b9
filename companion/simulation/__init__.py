"""People at a table that is not there: what their hands do when, where things lie, and, for films, the truth about it.

It knows no pixels and no game. A game says what its people think of and where its places are (``people``, ``stage``);
hands, films, patience and visitors are the same for all. A film is told beforehand (``script``) or decided while it is
shown (``live_film``).
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
