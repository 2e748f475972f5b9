"""How people play Discovery."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Behaviour:
    """How these people play; shares are of turns or of acts, 0 to 1.

    Attributes:
        goes_on: How gladly they lay one more card when they can.
        abstains: How often they lay nothing although they could.
        passes: How often they pass instead, as long as no card lies in the tree.
        errs: How often they lay a card that may not be laid, and take it back; or let it lie, where that is a bluff.
        forgets: How often they end a turn that owes a discard, or pass when it is too late; where turns end by
            themselves, how often nobody says so.
        rues: How often they take back a lawful card with the command card for undo.
        speaks: Whether they may do what no camera can see; the match ends where they would have to otherwise.
        spends: How often they use a trump or a joker otherwise than for a new series.
        stops: How often somebody says Stop to a bluff; to an honest card a tenth as often.
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
