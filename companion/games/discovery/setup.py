"""What stays the same through a match: deck, profile, options and who sits where."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.games.discovery.deck import ERAS, PER_ERA, Deck
from companion.games.discovery.profiles import Options, Profile
from companion.games.discovery.state import HAND, POOL
from companion.table import CardId, Seat

SEATS_AT_MOST = (ERAS * PER_ERA - POOL) // HAND
"""Nine: five cards each and five in the pool must come out of 54 (A4)."""


@dataclass(frozen=True, slots=True)
class Player:
    """Who sits in a seat. ``team`` ``None``: he plays for himself. ``late``: he is dealt in when he comes."""

    name: str
    team: str | None = None
    bot: bool = False
    late: bool = False


@dataclass(frozen=True, slots=True)
class Facts:
    """One discovery card as the rules see it; ``None`` where its owner has not entered it yet."""

    family: str | None
    prerequisites: frozenset[CardId] | None
    era: int


@dataclass(frozen=True, slots=True)
class Setup:
    """A match before its first entry.

    Attributes:
        facts: The deck by card.
        teams: For each seat, the seats of its team, itself included.
        stoppable: Somebody may say Stop.
        tells_at_once: Unlawful placements are refused; else they lie until somebody says Stop.
    """

    deck: Deck
    profile: Profile
    options: Options
    players: tuple[Player, ...]
    dealer: Seat
    jokers: tuple[CardId, ...]
    facts: Mapping[CardId, Facts]
    teams: tuple[tuple[Seat, ...], ...]
    stoppable: bool
    tells_at_once: bool

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All seats, in order."""
        return tuple(Seat(place) for place in range(1, len(self.players) + 1))

    @property
    def in_teams(self) -> bool:
        """Somebody has a team-mate."""
        return any(len(team) > 1 for team in self.teams)

    def bot(self, seat: Seat) -> bool:
        """Whether a bot sits there."""
        return self.players[seat - 1].bot

    def clockwise(self, seat: Seat) -> tuple[Seat, ...]:
        """All seats, beginning with this one."""
        count = len(self.players)
        return tuple(Seat((seat - 1 + step) % count + 1) for step in range(count))

    def following(self, seat: Seat, away: frozenset[Seat]) -> Seat:
        """The next seat clockwise in which somebody sits; this one when there is no other."""
        return next((other for other in self.clockwise(seat)[1:] if other not in away), seat)

    @property
    def late(self) -> frozenset[Seat]:
        """Seats that are empty when the cards are dealt."""
        return frozenset(seat for seat in self.seats if self.players[seat - 1].late)

    def required(self, card: CardId, present: frozenset[CardId]) -> tuple[CardId, ...]:
        """The card's prerequisites that are not present (C2); none while nobody has entered them."""
        needs = self.facts[card].prerequisites
        return tuple(sorted(needs - present)) if needs else ()

    def prerequisite_link(self, one: CardId, other: CardId) -> bool:
        """One is the prerequisite of the other (C5, E:120, F:206)."""
        of_one, of_other = self.facts[one].prerequisites, self.facts[other].prerequisites
        if of_one is None or of_other is None:
            return True  # a card that nobody has entered yet is never objected to
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
        own = (Seat(place),)
        others = tuple(Seat(seat) for seat, mate in enumerate(players, 1) if mate.team == player.team)
        mates.append(own if player.team is None else others)
    stoppable = options.stop or profile.silent
    return Setup(
        deck=deck,
        profile=profile,
        options=options,
        players=players,
        dealer=dealer,
        jokers=tuple(CardId(f"J{number}") for number in range(1, jokers + 1)),
        facts={card.id: Facts(card.family, card.prerequisites, card.era) for card in deck.cards.values()},
        teams=tuple(mates),
        stoppable=stoppable,
        tells_at_once=not stoppable,
    )
