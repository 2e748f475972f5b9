"""The habits of simulated players."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Behaviour:
    """The habits of simulated players; probabilities are per turn or per act, 0 to 1.

    Attributes:
        goes_on: They place another card if they can.
        abstains: They place nothing although they could.
        passes: They pass instead, while the tree is empty.
        errs: They place an illegal card and take it back; or leave it, if that is a bluff.
        forgets: They end a turn that owes a discard, or pass too late; if turns end by themselves, they do not
            announce it.
        rues: They take back a legal card with the command card for undo.
        speaks: Whether they may do what no camera can see; otherwise the match ends when they would have to.
        spends: They use a trump or a joker for something other than a new series.
        stops: They say Stop to a bluff; to an honest card a tenth as often.
    """

    goes_on: float = 0.8
    abstains: float = 0.08
    passes: float = 0.3
    errs: float = 0.3
    forgets: float = 0.06
    rues: float = 0.04
    speaks: bool = False
    spends: float = 0.3
    stops: float = 0.4
