"""The moves that simulated players consider, legal or by mistake."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod

from companion.games.discovery.people.cards import CardsInPlay
from companion.public.text import JSON

MOST_TRIES = 4
"""Cards that a player considers for a joker before giving up."""


class CardPlayers(ABC):
    """The players around a simulated table: the cards, the standing, and the rules at this moment.

    Attributes:
        match: The match file as JSON.
        deck: The deck file as JSON.
        seats: Number of seats.
        dice: Their random decisions.
        bots: The seats of bots.
        silent: Whether illegal cards are not announced.
        inferred: Whether ends of turns are not announced.
    """

    match: JSON
    deck: JSON
    seats: int
    dice: random.Random
    bots: frozenset[int]
    silent: bool
    inferred: bool

    def sit_down(self, dice: random.Random) -> None:
        """Read seats and options from the match file."""
        self.dice = dice
        seats = self.match["seat"]
        self.seats = len(seats)
        self.bots = frozenset(number for number, seat in enumerate(seats, 1) if seat.get("bot"))
        self.silent = self.match.get("profile") in ("en-memory", "fr-bluff")
        self.inferred = self.match.get("options", {}).get("turn_end") == "inferred"

    @property
    @abstractmethod
    def cards(self) -> CardsInPlay:
        """The true cards of all players."""

    @property
    @abstractmethod
    def announced(self) -> set[tuple[int, str]]:
        """The announcements: era, and ``open`` or ``closed``."""

    @property
    @abstractmethod
    def standing(self) -> JSON: ...

    @abstractmethod
    def objections(self, move: JSON) -> tuple[str, ...]:
        """The objections to a move now."""

    @property
    def hands(self) -> dict[int, list[str]]:
        """All hands, by seat."""
        return self.cards.hands

    @property
    def pool(self) -> list[str]:
        """The cards of the pool."""
        return self.cards.at("pool")

    @property
    def discards(self) -> dict[int, list[str]]:
        """All discards, by seat."""
        return {seat: self.cards.at(f"discard-{seat}") for seat in self.around()}

    @property
    def stack(self) -> list[str]:
        """The next card first."""
        return self.cards.stack

    def around(self) -> range:
        """All seats."""
        return range(1, self.seats + 1)


class Choices:
    """Proposes moves, from the players' cards and the table."""

    def __init__(self, people: CardPlayers) -> None:
        self._people = people

    def placement(self, seat: int, card: str, source: str) -> JSON:
        """The move that places a card in the tree."""
        return {"do": "place", "by": seat, "card": card, "from": source}

    def placements(self, seat: int) -> list[JSON]:
        """Every card that this seat could place."""
        people = self._people
        places = [(card, "hand") for card in people.hands[seat]] + [(card, "pool") for card in people.pool]
        places += [
            (card, f"discard-{other}") for other, pile in people.discards.items() if other != seat for card in pile
        ]
        return [self.placement(seat, card, source) for card, source in places if not card.startswith("J")]

    def slip(self, seat: int) -> tuple[JSON, tuple[str, ...]] | None:
        """An illegal move, with the objections."""
        people, dice = self._people, self._people.dice
        moves = self.placements(seat)
        if not people.silent:
            own = [card for card in people.discards[seat] if not card.startswith("J")]
            moves += [self.placement(seat, card, f"discard-{seat}") for card in own]
            for other in people.around():
                if other != seat and other not in people.bots and dice.random() < 0.1:  # a player acts too early
                    moves += [{"do": "discard", "by": other, "card": card} for card in people.hands[other]]
        wrong = [(move, rules) for move in moves if (rules := people.objections(move))]
        if people.inferred:
            # With inferred turns, a card that only the next seat could place is not a mistake but ends the turn.
            wrong = [(m, rules) for m, rules in wrong if rules != ("link",) and m["do"] == "place"]
        wrong = [(m, rules) for m, rules in wrong if not m["card"].startswith("J")]
        return dice.choice(wrong) if wrong else None

    def telling(self, seat: int) -> list[JSON]:
        """Cards that only the next seat may place, so that they imply the end of this turn."""
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
        """Asking a team-mate for a card."""
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
        if laid:  # before the first card it would be the required discard
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
