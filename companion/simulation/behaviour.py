"""How people play, what one act of theirs is, and who knows the rules for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from companion.public.table import Seat, Token, Zone
from companion.public.text import JSON
from companion.simulation.cards import CardMove


class RulesJudge(Protocol):
    """Somebody who knows the rules and follows one match from its first entry."""

    def judge(self, move: JSON, number: int, time_s: float | None) -> set[tuple[str, tuple[str, ...]]]:
        """All objections to a move, as rule and cards; none = lawful."""

    def play(self, move: JSON, number: int, time_s: float | None) -> JSON:
        """Carry a move out; answers with the ``standing`` after it, and with what else its entry holds."""

    def lying(self) -> dict[str, str]:
        """Every card that can be seen, and its zone."""


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


@dataclass(frozen=True, slots=True)
class Deed:
    """One act and what the judge says to it.

    Attributes:
        move: As in the record.
        rules: The objections; none = lawful.
        points: The points of all seats after it.
        spoken: It cannot be seen; somebody has to say it on a phone.
        strikes: It takes back the deed before it.
        over: The match ends with it.
        stands: It counts although there are objections, until somebody says Stop.
        moved: The cards that lie elsewhere after it.
        unsaid: An end of turn that nobody says; the next card tells it.
    """

    move: JSON
    rules: tuple[str, ...]
    points: tuple[int, ...]
    spoken: bool = False
    strikes: bool = False
    over: bool = False
    stands: bool = False
    moved: tuple[CardMove, ...] = ()
    unsaid: bool = False


@dataclass(frozen=True, slots=True)
class Carry:
    """A hand brings a card, command card or tag somewhere.

    Attributes:
        zone: ``None`` = off the table.
        beside: A card that lies there: as near to that one as there is room.
    """

    by: Seat
    token: Token
    zone: Zone | None
    beside: Token | None = None


@dataclass(frozen=True, slots=True)
class Errand:
    """What hands do next, decided at this moment; what comes of it is seen afterwards.

    Attributes:
        carries: One after the other.
        rest_s: How long nothing happens after them, at the speed of real people.
        idle: Nobody has had anything to do for a while: somebody straightens a card, rests a hand or waves.
    """

    carries: tuple[Carry, ...] = ()
    rest_s: float = 0.0
    idle: bool = False
