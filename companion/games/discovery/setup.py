"""The constants of a match: deck, profile, options and players."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from companion.games.discovery.deck import ERAS, PER_ERA, Deck
from companion.public.names import is_same_name
from companion.public.table import CardId, Seat

ENGLISH = "en"
FRENCH = "fr"


@dataclass(frozen=True, slots=True)
class Profile:
    """The differences of one game from the others.

    Attributes:
        edition: Whose rule book it follows, ``en`` or ``fr``.
        silent: One pile; illegal cards are not reported until a player says Stop (B5, L1).
        points: Explore: points, draws up to five cards, a discard for a turn without placement (D1 to D4, M1).
        rising: The n-th card of a series brings n points (M1).
        penalty: One point less for every card left in hand and discard (M3, E:394).
        trump_steal: A trump may steal (F7, F:333).
        steals_at_start: With an empty stack every turn begins with a steal (E3, F:284).
        empty_trump: An empty hand is a trump even if the stack is empty (F4, F:288).
        all_hands: The match ends when all hands are empty, else when one is (N2).
        victim_draws_first: A hand emptied by another draws first when all draw, else the active player (E7).
        joker_any_time: Jokers may be used at any time of one's turn, else at its start or on a replay (H1).
        joker_free_card: A joker may stand for a card in the pool or a discard (H2).
        resume_before: An interrupted player may also continue from the player's own last card (O3).
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
    """Switches of a match besides its profile (contract section 6)."""

    series_plus: bool = False
    stop: bool = False
    contest_s: float = 10.0
    inferred: bool = False
    en_explore_steal_when_empty: bool = False
    joker_trump_bonus: bool = True
    call_era6_when_stack_empty: bool = False


POOL = HAND = 5
"""Cards in the pool and in a full hand (A3, F:65)."""

SEATS_AT_MOST = (ERAS * PER_ERA - POOL) // HAND
"""Nine: 54 cards are enough for five each and five in the pool (A4); any number up to that may play (A5)."""


@dataclass(frozen=True, slots=True)
class Player:
    """Who plays at a seat. ``team`` ``None``: plays alone. ``late``: gets cards on joining later."""

    team: str | None = None
    bot: bool = False
    late: bool = False


@dataclass(frozen=True, slots=True)
class Facts:
    """One discovery card for the rules; ``None`` if not entered yet."""

    family: str | None
    prerequisites: frozenset[CardId] | None
    era: int


@dataclass(frozen=True, slots=True)
class Setup:
    """A match before its first entry.

    Attributes:
        facts: The deck by card.
        teams: For each seat, the seats of its team, including itself.
        stoppable: Players may say Stop: illegal placements stay until they do, else they are refused.
    """

    deck: Deck
    profile: Profile
    options: Options
    players: tuple[Player, ...]
    dealer: Seat
    jokers: tuple[CardId, ...]
    facts: Mapping[CardId, Facts]
    teams: tuple[tuple[Seat, ...], ...]

    @property
    def stoppable(self) -> bool:
        """Players may say Stop."""
        return self.options.stop

    @property
    def seats(self) -> tuple[Seat, ...]:
        return tuple(Seat(place) for place in range(1, len(self.players) + 1))

    @property
    def in_teams(self) -> bool:
        """Whether any seat has a team-mate."""
        return any(len(team) > 1 for team in self.teams)

    def bot(self, seat: Seat) -> bool:
        """Whether the seat has a bot."""
        return self.players[seat - 1].bot

    def clockwise(self, seat: Seat) -> tuple[Seat, ...]:
        """All seats, beginning with this one."""
        count = len(self.players)
        return tuple(Seat((seat - 1 + step) % count + 1) for step in range(count))

    def following(self, seat: Seat, away: frozenset[Seat]) -> Seat:
        """The next occupied seat clockwise; this one if there is no other."""
        return next((other for other in self.clockwise(seat)[1:] if other not in away), seat)

    @property
    def late(self) -> frozenset[Seat]:
        """Seats that are empty when the cards are dealt."""
        return frozenset(seat for seat in self.seats if self.players[seat - 1].late)

    def required(self, card: CardId, present: frozenset[CardId]) -> tuple[CardId, ...]:
        """The card's prerequisites that are not present (C2); none if they are not entered."""
        needs = self.facts[card].prerequisites
        return tuple(sorted(needs - present)) if needs else ()

    def prerequisite_link(self, one: CardId, other: CardId) -> bool:
        """One is the prerequisite of the other (C5, E:120, F:206)."""
        of_one, of_other = self.facts[one].prerequisites, self.facts[other].prerequisites
        if of_one is None or of_other is None:
            return True  # a card that is not entered yet is always accepted
        return one in of_other or other in of_one

    def linked(self, one: CardId, other: CardId) -> bool:
        """Same family, or one is the prerequisite of the other (C5, E:118-120, F:203-206)."""
        family = self.facts[one].family
        if family is None or self.facts[other].family in (None, family):
            return True
        return self.prerequisite_link(one, other)


def setup(
    deck: Deck, profile: Profile, options: Options, players: tuple[Player, ...], dealer: Seat, jokers: int
) -> Setup:
    """A match of these players."""
    mates: list[tuple[Seat, ...]] = []
    for place, player in enumerate(players, 1):
        own, team = (Seat(place),), player.team
        same = (Seat(n) for n, mate in enumerate(players, 1) if team and mate.team and is_same_name(mate.team, team))
        mates.append(own if team is None else tuple(same))
    return Setup(
        deck=deck,
        profile=profile,
        options=options,
        players=players,
        dealer=dealer,
        jokers=tuple(CardId(f"J{number}") for number in range(1, jokers + 1)),
        facts={card.id: Facts(card.family, card.prerequisites, card.era) for card in deck.cards.values()},
        teams=tuple(mates),
    )
