"""Kinds of quiet tables, and the matches that they play; each is the same for the same seed."""

from __future__ import annotations

import time
from dataclasses import dataclass
from random import Random

from support.unspoken_table import Accused, Step, Unfair, UnspokenTable, plays


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of table.

    Attributes:
        inferred: Nobody has to say that a turn is over.
        dark: One act in eight is done out of sight.
        left: So many things of the match before lie there when the first ones of this are laid.
        acts: A story has at least and at most so many.
    """

    game: str
    profile: str
    inferred: bool = False
    dark: bool = False
    left: int = 0
    acts: tuple[int, int] = (25, 60)


KINDS = {
    "en-intro": Kind("discovery", "en-intro"),
    "en-explore": Kind("discovery", "en-explore"),
    "fr-explore": Kind("discovery", "fr-explore"),
    "en-memory": Kind("discovery", "en-memory"),
    "fr-bluff": Kind("discovery", "fr-bluff"),
    "inferred": Kind("discovery", "fr-explore", inferred=True),
    "dark": Kind("discovery", "fr-explore", dark=True, acts=(10, 20)),
    "carcassonne": Kind("carcassonne", "base"),
    "darwinci": Kind("darwinci", "base"),
    "darwinci-experts": Kind("darwinci", "experts"),
    "lands": Kind("lands", "base"),
    "second-carcassonne": Kind("carcassonne", "base", left=2, acts=(4, 30)),
    "second-darwinci": Kind("darwinci", "base", left=2, acts=(4, 30)),
}


@dataclass(frozen=True, slots=True)
class Played:
    """What became of one match.

    Attributes:
        went: ``well``, ``refused`` (a lawful table was accused) or ``wrong`` (the standing, with no way out).
        why: The first line of what went wrong.
        open, needed: As ``Onlooker`` has them; ``None`` where it was not asked.
        said: Cards that somebody had to say were theirs.
    """

    seed: int
    went: str
    why: str
    acts: int
    questions: int
    open: int | None
    needed: int | None
    said: int
    seconds: float


def steps_of(kind: Kind, seed: int) -> list[Step]:
    """A story: two of three acts without a trace are not said; answers come at once, or five acts late."""
    dice = Random(seed)
    return [
        Step(
            dice.randrange(10**6),
            aloud=dice.random() < 1 / 3,
            dark=dice.random() < 1 / 8 and kind.dark,
            late=dice.choice((0, 0, 5)),
        )
        for _ in range(dice.randint(*kind.acts))
    ]


def play(name: str, seed: int, *, bound: bool = True) -> tuple[UnspokenTable, Unfair | None]:
    """One match of a kind, and what was unfair in it.

    Args:
        bound: Count what nobody can know without a word.
    """
    kind = KINDS[name]
    table = UnspokenTable(kind.game, seed, kind.profile, inferred=kind.inferred, bound=bound)
    try:
        plays(table, steps_of(kind, seed), kind.left)
    except Unfair as unfair:
        return table, unfair
    table.onlooker.leaves()
    return table, None


def played(case: tuple[str, int, bool]) -> Played:
    """One match of a kind, in numbers: its name, its seed, and whether to count what nobody can know."""
    began_s = time.process_time()
    name, seed, bound = case
    table, unfair = play(name, seed, bound=bound)
    went = "well" if unfair is None else "refused" if isinstance(unfair, Accused) else "wrong"
    why = "" if unfair is None else str(unfair).splitlines()[0]
    counts, onlooker = table.counts, table.onlooker
    return Played(
        seed=seed,
        went=went,
        why=why,
        acts=counts.acts,
        questions=counts.questions,
        open=onlooker.open if bound else None,
        needed=onlooker.needed if bound else None,
        said=counts.claims,
        seconds=time.process_time() - began_s,
    )
