"""The true cards of the simulated players: hands and rows, the stack, and the cards on the table."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field

from companion.public.text import JSON

HAND = 5

MovedCard = tuple[str, str | None, str | None]
"""A card and the zones that it left and reached; ``None`` = not visible."""


@dataclass
class CardsInPlay:
    """The cards of one match.

    Attributes:
        hands: By seat; a bot's row in order, including cards that it has turned over and not yet placed.
        lying: Every visible card, with its zone.
        called: The card on its way from a hand to the tree.
        every: All cards and jokers of the match, wherever they are.
    """

    bots: frozenset[int]
    dice: random.Random
    hands: dict[int, list[str]] = field(default_factory=dict)
    stack: list[str] = field(default_factory=list)
    lying: dict[str, str] = field(default_factory=dict)
    called: str | None = None
    every: tuple[str, ...] = ()

    def deal(self, eras: Sequence[str], jokers: Sequence[str], seats: int, dealer: int) -> None:
        """The eras in order, each shuffled; one card to the pool, then one to each player (E:188-192, F:172-176);
        jokers at random into the stack (E:260, F:297)."""
        self.every = (*eras, *jokers)
        order = sorted(eras, key=lambda card: (card[0], self.dice.random()))
        self.hands = {seat: [] for seat in range(1, seats + 1)}
        for k in range(HAND * (seats + 1)):
            place = k % (seats + 1)
            card = order.pop(0)
            if place == 0:
                self.lying[card] = "pool"
            else:
                self.hands[(dealer + place - 1) % seats + 1].append(card)
        for joker in jokers:
            order.insert(self.dice.randint(0, len(order)), joker)
        self.stack = order

    def set_up(
        self, lying: Mapping[str, str], counts: Sequence[int], eras: Sequence[str], jokers: Sequence[str], stack: int
    ) -> None:
        """A match that begins in the middle: cards that are not on the table are dealt, the early eras first."""
        self.every = (*eras, *jokers)
        self.lying = dict(lying)
        unseen = sorted((card for card in eras if card not in lying), key=lambda card: (card[0], self.dice.random()))
        more = [joker for joker in jokers if joker not in lying]
        self.hands = {seat: [] for seat in range(1, len(counts) + 1)}
        for joker in more[: max(0, sum(counts) + stack - len(unseen))]:
            unseen.insert(self.dice.randint(0, len(unseen)), joker)
        dealt, self.stack = unseen[: sum(counts)], unseen[sum(counts) :]
        self.dice.shuffle(dealt)
        for seat, count in enumerate(counts, 1):
            self.hands[seat], dealt = dealt[:count], dealt[count:]

    def at(self, zone: str) -> list[str]:
        """The cards in a zone, in the order in which they came."""
        return [card for card, lies in self.lying.items() if lies == zone]

    def kept(self) -> CardsInPlay:
        """A copy, for undoing an act."""
        hands, stack, lying = deepcopy(self.hands), list(self.stack), dict(self.lying)
        return CardsInPlay(self.bots, self.dice, hands, stack, lying, self.called, self.every)

    def follow(
        self, move: JSON, failed: bool, lying: Mapping[str, str], counts: Sequence[int]
    ) -> tuple[MovedCard, ...]:
        """Update all cards after a move: ``lying`` according to the referee, ``counts`` of all hands."""
        moved = tuple(self._moved(lying))
        for card, _, zone in moved:
            if zone is not None and not zone.startswith("row-"):
                self._out_of_sight(card, remove=True)
        for card, zone, now in moved:
            if now is None and zone in ("tree", "pile"):  # a joker brought back, or a called card
                self.hands[move["by"]].append(card)
        self.lying = {card: zone for card, zone in self.lying.items() if card in lying} | dict(lying)
        self._by_hand(move, failed)
        if self.called in lying:
            self.called = None
        self._even_out(max(move["by"], 1), counts)
        return moved

    def _moved(self, lying: Mapping[str, str]) -> Iterator[MovedCard]:
        for card, zone in self.lying.items():
            if lying.get(card) != zone:
                yield card, zone, lying.get(card)
        for card, zone in lying.items():
            if card not in self.lying:
                yield card, None, zone

    def _out_of_sight(self, card: str, *, remove: bool) -> bool:
        for cards in (*self.hands.values(), self.stack):
            if card in cards:
                if remove:
                    cards.remove(card)
                return True
        return False

    def _by_hand(self, move: JSON, failed: bool) -> None:
        """Cards that pass from hand to hand, or leave the game."""
        match move:
            case {"do": "steal" | "ask" | "exchange", "by": by, "from": other}:
                self.hands[by].append(self._given(other))
                if move["do"] == "exchange":
                    back = self.dice.choice(self.hands[by][:-1])
                    self.hands[by].remove(back)
                    self.hands[other].append(back)
            case {"do": "call", "card": card} if not failed:
                self._out_of_sight(card, remove=True)
                self.called = card
            case {"do": "joker" | "interrupt", "joker": joker} if "as" not in move:
                self._out_of_sight(joker, remove=True)
            case {"do": "flip", "card": card} if card.startswith("J"):
                self._out_of_sight(card, remove=True)
            case _:  # everything else was visible
                pass

    def _given(self, seat: int) -> str:
        row = self.hands[seat]
        return row.pop() if seat in self.bots else row.pop(self.dice.randrange(len(row)))

    def _even_out(self, first: int, counts: Sequence[int]) -> None:
        """Hands with too few cards draw, the acting seat first; or get cards from hands with too many."""
        order = [(first - 1 + k) % len(counts) + 1 for k in range(len(counts))]
        spare = [seat for seat in order if len(self.hands[seat]) > counts[seat - 1]]
        for seat in order:
            while len(self.hands[seat]) < counts[seat - 1]:
                giver = next((s for s in spare if len(self.hands[s]) > counts[s - 1]), None)
                if giver is None and not self.stack:
                    break
                self.hands[seat].append(self.stack.pop(0) if giver is None else self._given(giver))

    def conform(
        self, lying: Mapping[str, str], counts: Sequence[int], stack: int, gone: int, called: str | None
    ) -> None:
        """Make the cards agree with these facts: hidden ones are moved to where they are missing.

        Args:
            lying: Every visible card, with its zone.
            counts: Of all hands.
            stack: Number of cards to draw.
            gone: Number of jokers that have left the game.
            called: The card on its way from a hand to the tree.
        """
        self.lying, self.called = dict(lying), called
        for card in (*lying, *filter(None, (called,))):
            holder = lying.get(card, "").removeprefix("row-")
            if holder.isdigit():  # cards that a bot has turned over still count as held
                if card not in self.hands[int(holder)]:
                    self._out_of_sight(card, remove=True)
                    self.hands[int(holder)].append(card)
            else:
                self._out_of_sight(card, remove=True)
        held = {card for cards in (*self.hands.values(), self.stack) for card in cards}
        nowhere = [card for card in self.every if card not in held and card not in lying and card != called]
        left = [card for card in nowhere if card.startswith("J")][-gone:] if gone else []
        spare = [card for card in nowhere if card not in left]
        for seat, count in enumerate(counts, 1):
            while len(self.hands[seat]) > count:
                more = [card for card in self.hands[seat] if card not in lying]
                spare.append(more[-1])
                self.hands[seat].remove(more[-1])
        for seat, count in enumerate(counts, 1):
            while len(self.hands[seat]) < count and (spare or self.stack):
                self.hands[seat].append(spare.pop(0) if spare else self.stack.pop(0))
        self.stack[:0] = spare
        for joker in [card for card in self.stack if card.startswith("J")][: max(0, len(self.stack) - stack)]:
            self.stack.remove(joker)
