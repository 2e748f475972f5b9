"""The five games of the rule books, as settings (rules.md 3.1); a profile is data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

ENGLISH = "en"
FRENCH = "fr"


@dataclass(frozen=True, slots=True)
class Profile:
    """What one game does differently from the others.

    Attributes:
        edition: Whose rule book it follows, ``en`` or ``fr``.
        silent: One pile; nobody is told whether a card was lawful until somebody says Stop (B5, L1).
        points: Explore: points, draws up to five cards, a discard for a turn without placement.
        rising: The n-th card of a series brings n points (M1).
        penalty: One point less for every card left in hand and discard (M3, E:394).
        trump_steal: A trump may steal (F7, F:333).
        steals_at_start: With an empty stack every turn begins with a steal (E3, F:284).
        empty_trump: An empty hand is a trump also when the stack is empty (F4, F:288).
        all_hands: The match ends when all hands are empty, else when one is (N2).
        victim_draws_first: A hand emptied by another draws first when all draw, else the active player (E7).
        joker_any_time: Jokers may be used at any time of one's turn, else at its start or on a replay (H1).
        joker_free_card: A joker may stand for a card that lies in the pool or a discard (H2).
        resume_before: An interrupted player may also go on from his own last card (O3).
        asked_duty: The asked card is placed or discarded in the same turn (I2).
        bot_series: All cards of a bot's turn are one series (J7).
        bot_steals: A bot that must steal does so from the biggest hand (J6).
    """

    name: str
    edition: str
    silent: bool
    points: bool
    rising: bool
    penalty: bool
    trump_steal: bool
    steals_at_start: bool
    empty_trump: bool
    all_hands: bool
    victim_draws_first: bool
    joker_any_time: bool
    joker_free_card: bool
    resume_before: bool
    asked_duty: bool
    bot_series: bool
    bot_steals: bool


def _english(name: str, *, silent: bool = False, points: bool = False) -> Profile:
    return Profile(
        name=name,
        edition=ENGLISH,
        silent=silent,
        points=points,
        rising=False,
        penalty=points,
        trump_steal=False,
        steals_at_start=False,
        empty_trump=True,
        all_hands=False,
        victim_draws_first=True,
        joker_any_time=True,
        joker_free_card=True,
        resume_before=False,
        asked_duty=False,
        bot_series=False,
        bot_steals=False,
    )


def _french(name: str, *, silent: bool = False, points: bool = False) -> Profile:
    return Profile(
        name=name,
        edition=FRENCH,
        silent=silent,
        points=points,
        rising=points,
        penalty=False,
        trump_steal=True,
        steals_at_start=points,
        empty_trump=not points,
        all_hands=points,
        victim_draws_first=False,
        joker_any_time=False,
        joker_free_card=False,
        resume_before=True,
        asked_duty=True,
        bot_series=points,
        bot_steals=True,
    )


PROFILES: Mapping[str, Profile] = MappingProxyType(
    {
        profile.name: profile
        for profile in (
            _english("en-intro"),
            _english("en-memory", silent=True),
            _english("en-explore", points=True),
            _french("fr-explore", points=True),
            _french("fr-bluff", silent=True),
        )
    }
)
"""The profiles by their key in match files."""


@dataclass(frozen=True, slots=True)
class Options:
    """What a match may switch on top of its profile (contract section 6)."""

    series_plus: bool = False
    stop: bool = False
    contest_s: float = 10.0
    inferred: bool = False
    en_explore_steal_when_empty: bool = False
    joker_trump_bonus: bool = True
    call_era6_when_stack_empty: bool = False
