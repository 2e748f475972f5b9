"""What comes to people's minds: the moves that they could make, lawful or by mistake."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod

from companion.games.discovery.people.cards import CardsInPlay
from companion.public.text import JSON

MOST_TRIES = 4
"""Cards that somebody considers for a joker before he gives up."""


class CardPlayers(ABC):
    """Everybody around a simulated table: the cards, the standing, and what the rules say at this moment.

    Attributes:
        match: The match file as JSON.
        deck: The deck file as JSON.
        seats: How many there are.
        dice: What they decide by.
        bots: The seats of bots.
        silent: Nobody hears whether a card was lawful.
        inferred: Nobody says that a turn ends.
    """

    match: JSON
    deck: JSON
    seats: int
    dice: random.Random
    bots: frozenset[int]
    silent: bool
    inferred: bool

    def sit_down(self, dice: random.Random) -> None:
        """Read from the match file who sits where, and what they say."""
        self.dice = dice
        seats = self.match["seat"]
        self.seats = len(seats)
        self.bots = frozenset(number for number, seat in enumerate(seats, 1) if seat.get("bot"))
        self.silent = self.match.get("profile") in ("en-memory", "fr-bluff")
        self.inferred = self.match.get("options", {}).get("turn_end") == "inferred"

    @property
    @abstractmethod
    def cards(self) -> CardsInPlay:
        """What everybody holds, and what lies where."""

    @property
    @abstractmethod
    def announced(self) -> set[tuple[int, str]]:
        """What was said of eras: era, and ``open`` or ``closed``."""

    @property
    @abstractmethod
    def standing(self) -> JSON:
        """The scoreboard."""

    @abstractmethod
    def objections(self, move: JSON) -> tuple[str, ...]:
        """What is said against a move now."""

    @property
    def hands(self) -> dict[int, list[str]]:
        """Everybody's cards, by seat."""
        return self.cards.hands

    @property
    def pool(self) -> list[str]:
        """The cards of the pool."""
        return self.cards.at("pool")

    @property
    def discards(self) -> dict[int, list[str]]:
        """Everybody's discard, by seat."""
        return {seat: self.cards.at(f"discard-{seat}") for seat in self.around()}

    @property
    def stack(self) -> list[str]:
        """The next card first."""
        return self.cards.stack

    def around(self) -> range:
        """All seats."""
        return range(1, self.seats + 1)


class Choices:
    """Moves that come to people's minds, from what they hold and what lies there."""

    def __init__(self, people: CardPlayers) -> None:
        self._people = people

    def placement(self, seat: int, card: str, source: str) -> JSON:
        """A card laid in the tree."""
        return {"do": "place", "by": seat, "card": card, "from": source}

    def placements(self, seat: int) -> list[JSON]:
        """Every card that this seat could take up."""
        people = self._people
        places = [(card, "hand") for card in people.hands[seat]] + [(card, "pool") for card in people.pool]
        places += [
            (card, f"discard-{other}") for other, pile in people.discards.items() if other != seat for card in pile
        ]
        return [self.placement(seat, card, source) for card, source in places if not card.startswith("J")]

    def slip(self, seat: int) -> tuple[JSON, tuple[str, ...]] | None:
        """Something that may not be done, and why."""
        people, dice = self._people, self._people.dice
        moves = self.placements(seat)
        if not people.silent:
            own = [card for card in people.discards[seat] if not card.startswith("J")]
            moves += [self.placement(seat, card, f"discard-{seat}") for card in own]
            for other in people.around():
                if other != seat and other not in people.bots and dice.random() < 0.1:  # somebody is early
                    moves += [{"do": "discard", "by": other, "card": card} for card in people.hands[other]]
        wrong = [(move, rules) for move in moves if (rules := people.objections(move))]
        if people.inferred:
            # There a card that only the next seat could lay is no mistake but the end of the turn.
            wrong = [(m, rules) for m, rules in wrong if rules != ("link",) and m["do"] == "place"]
        wrong = [(m, rules) for m, rules in wrong if not m["card"].startswith("J")]
        return dice.choice(wrong) if wrong else None

    def telling(self, seat: int) -> list[JSON]:
        """Cards that the next seat may lay and this one may not, so that they tell that its turn is over."""
        people = self._people
        following = seat % len(people.around()) + 1
        needless = following == seat or following in people.bots or not people.stack
        if needless or people.standing["trumps"] or len(people.bots) + 1 >= len(people.around()):
            return []
        cards = [card for card in people.hands[following] if not card.startswith("J")]
        return [
            self.placement(following, card, "hand")
            for card in cards
            if people.objections(self.placement(seat, card, "hand")) == ("link",)
        ]

    def asks(self, seat: int) -> list[JSON]:
        """A card from a team-mate."""
        moves = [{"do": "ask", "by": seat, "from": other} for other in self._people.around() if other != seat]
        return self._lawful(moves) if any("team" in row for row in self._people.match["seat"]) else []

    def spendings(self, seat: int, laid: int) -> list[JSON]:
        """Trumps, jokers and announcements."""
        moves: list[JSON] = []
        if self._people.standing["trumps"]:
            moves += self._trumps(seat, laid)
        moves += self._jokers(seat)
        if self._people.silent:
            moves += self._announcements(seat)
        return self._lawful(moves)

    def _lawful(self, moves: list[JSON]) -> list[JSON]:
        return [move for move in moves if not self._people.objections(move)]

    def _trumps(self, seat: int, laid: int) -> list[JSON]:
        people = self._people
        moves: list[JSON] = []
        for other in people.around():
            if other == seat or not people.hands[other]:
                continue
            moves += [{"do": "steal", "by": seat, "from": other, "trump": True}]
            moves += [{"do": "exchange", "by": seat, "from": other}] if people.hands[seat] else []
            cards = [card for card in people.hands[other] if not card.startswith("J")]
            moves += [{"do": "call", "by": seat, "card": card, "holder": other} for card in cards[:2]]
        if laid:  # before the first card it would be the discard that is due
            moves += [{"do": "discard", "by": seat, "card": card} for card in people.hands[seat]]
        return moves

    def _jokers(self, seat: int) -> list[JSON]:
        people = self._people
        places = [(card, "hand") for card in people.hands[seat]] + [(card, "pool") for card in people.pool]
        moves: list[JSON] = []
        for joker, source in places:
            if joker.startswith("J"):
                plain = {"do": "joker", "by": seat, "joker": joker, "from": source}
                cards = sorted(card["id"] for card in people.deck["card"])
                moves += [plain] + [plain | {"as": card} for card in people.dice.sample(cards, 4 * MOST_TRIES)]
        return moves

    def _announcements(self, seat: int) -> list[JSON]:
        people = self._people
        pairs = {(era, what) for era in range(2, 7) for what in ("open", "closed")} - people.announced
        return [{"do": "announce", "by": seat, "era": era, "what": what} for era, what in sorted(pairs)]
