"""The players of Discovery at a live simulated table: their cards are derived from the log after each change, and their
next act is random."""

from __future__ import annotations

import random
from collections.abc import Mapping

from companion.games.discovery.people.behaviour import Behaviour
from companion.games.discovery.people.cards import CardsInPlay
from companion.games.discovery.people.choices import CardPlayers, Choices
from companion.games.discovery.people.places import POOL, CardPlaces, card_token, discard, row
from companion.public.layout import Layout
from companion.public.table import COMMAND_ZONE, Seat, Token, Zone
from companion.public.text import JSON
from companion.simulation.deeds import Carry, Deed
from companion.simulation.people import DecisionMoment, People
from companion.simulation.scoreboard import LiveView, Step
from companion.simulation.visitors import Gesture, SeatThings

VISITOR_DRAW_S = 20.0
"""Time for a visitor to agree to a draw."""

LIVE_HABITS = Behaviour(errs=0.12, speaks=True)


class LivePeople(CardPlayers, People):
    """The players around a live table of Discovery.

    Args:
        match, deck: The two files as JSON.
        layout: The table, with the zones of all seats.

    Raises:
        InputError: The table lacks a zone.
    """

    def __init__(self, match: JSON, deck: JSON, layout: Layout, seed: int, habits: Behaviour = LIVE_HABITS) -> None:
        self.match = match
        self.deck = deck
        self.habits = habits
        self.sit_down(random.Random(f"live {seed}"))
        self.places: CardPlaces = CardPlaces(layout, self.seats)
        self._choices = Choices(self)
        self._seed = seed
        self._known: list[tuple[object, CardsInPlay]] = []
        self._visited: frozenset[int] = frozenset()
        self._stopped: set[int] = set()
        self._draw_since_s: float | None = None

    # -- their knowledge -----------------------------------------------------------------------------

    @property
    def cards(self) -> CardsInPlay:
        """The true cards of all players, according to the log."""
        return self._known[-1][1]

    @property
    def standing(self) -> JSON:
        return self.view.standing

    @property
    def announced(self) -> set[tuple[int, str]]:
        """The announcements of eras."""
        eras = self.view.table["eras"]
        return {(era, "open") for era in eras["opened"]} | {(era, "closed") for era in eras["closed"]}

    def objections(self, move: JSON) -> tuple[str, ...]:
        """The objections to a move now."""
        return self.view.faults(move)

    def follow(self, view: LiveView) -> None:
        """Update the cards of all players from the new entries of the log."""
        self.view = view
        if not self._known:
            self._known.append((view.steps[0].key, self._dealt(view)))
        same = 1
        for step, (key, _) in zip(view.steps[1:], self._known[1:], strict=False):
            if step.key is not key:
                break
            same += 1
        del self._known[same:]
        for number, step in enumerate(view.steps[same:], same):
            cards = self.cards.kept()
            cards.dice = random.Random(f"cards {self._seed} {number}")
            if step.move is not None:
                cards.follow(step.move, "failed" in step.extras, step.lying, step.standing["hands"])
            _conform(cards, step)
            self._known.append((step.key, cards))

    def _dealt(self, view: LiveView) -> CardsInPlay:
        cards = CardsInPlay(self.bots, random.Random(f"deal {self._seed}"))
        eras = [card["id"] for card in self.deck["card"]]
        jokers = [f"J{n}" for n in range(1, self.match.get("jokers", 0) + 1)]
        if position := self.match.get("position"):
            cards.set_up(view.steps[0].lying, position["hands"], eras, jokers, position["stack"])
        else:
            cards.deal(eras, jokers, self.seats, self.match.get("dealer", self.seats))
        return cards

    # -- the table as the log has it ------------------------------------------------------------------

    def wanted(self) -> Mapping[str, str]:
        """The place of every card; before the deal was read, the pool on the table."""
        if self.view.number == 0 and not self.match.get("position"):
            return self.cards.lying
        return self.view.lying

    def unnamed(self, lying: Mapping[Token, Zone]) -> frozenset[str]:
        """Cards that were placed into gaps of the pool: the next ones of the stack."""
        there = [card for card in self.stack if lying.get(card_token(card)) == POOL and self.wanted().get(card) != POOL]
        return frozenset(there[: self._gaps()])

    def _gaps(self) -> int:
        """Number of unknown cards in the pool."""
        return sum(card is None for card in self.view.table["pool"])

    # -- visitors -------------------------------------------------------------------------------------

    def things(self, seat: int) -> SeatThings:
        """The visitor's hand and called card, and the cards in the pool and in the discards."""
        called = self.view.table["called"] if self.standing["turn"] == seat else None
        hand = tuple(card for card in self.hands[seat] if card != called)
        taken = frozenset(c for c, zone in self.view.lying.items() if zone == POOL or zone.startswith("discard-"))
        return SeatThings(hand, {"called": called}, taken, places=self.places.zones)

    def gesture(self, seat: int, gesture: Gesture) -> Deed | None:
        """The visitor calls for a card, and its holder answers."""
        if gesture.do != "call":
            return None
        holders = (other for other, hand in self.hands.items() if gesture.card in hand)
        return _say({"do": "call", "by": seat, "card": gesture.card, "holder": next(holders, 0)})

    # -- acts -----------------------------------------------------------------------------------------

    def act(self, now: DecisionMoment) -> Deed | None:
        """The next required act, or an act of the current turn."""
        view, standing = self.view, self.standing
        self.dice, self._visited = now.dice, now.visited
        contest = view.table["contest"]
        if contest is not None and contest["answering"]:
            return self._verdict(contest["answering"])
        if standing["owed"]:
            return self._pay(standing["owed"][0])
        if (stopped := self._stop()) is not None:
            return stopped
        if standing["over"] or (view.number == 0 and not self.match.get("position")):  # the pool was not read yet
            return None
        if (filled := self._refill(now.lying)) is not None:
            return filled
        if any(offer.do == "agree_end" for offer in view.offers) and self._has_thought(now.now_s):
            return _say({"do": "agree_end", "by": 0})
        seat = standing["turn"]
        if seat in self.bots:
            return self._flip(seat)
        if seat in self._visited:
            return None
        return self._interruption() or self._turn(seat)

    def _has_thought(self, now_s: float) -> bool:
        """Whether a visitor, if any, had time to agree to a draw."""
        if self._visited:
            since_s = now_s if self._draw_since_s is None else self._draw_since_s
            self._draw_since_s = since_s
            if now_s - since_s < VISITOR_DRAW_S:
                return False
        self._draw_since_s = None
        return True

    def _verdict(self, asked: list[int]) -> Deed | None:
        answering = [seat for seat in asked if seat not in self._visited]
        if not answering:
            return None
        seat = self.dice.choice(answering)
        concede = {"do": "concede", "by": seat}
        gives_up = self.dice.random() < 0.3 and not self.objections(concede)
        return _say(concede if gives_up else {"do": "verify", "by": seat})

    def _pay(self, owed: JSON) -> Deed | None:
        """The owed act: a visible discard, or a steal, announced on a phone."""
        seat = owed["seat"]
        if seat in self._visited:
            return None
        if owed["do"] == "discard":
            return _lay(seat, self.dice.choice(self.hands[seat]), discard(seat)) if self.hands[seat] else None
        victims = [other for other in self.around() if other != seat and self.hands[other]]
        return _say({"do": "steal", "by": seat, "from": self.dice.choice(victims)}) if victims else None

    def _stop(self) -> Deed | None:
        """A player who notices something, rightly or not; each act is considered once."""
        stops = [offer for offer in self.view.offers if offer.do == "stop"]
        number = max((number for offer in stops for number in offer.choices["number"]), default=None)
        if number is None:
            return None
        dice = random.Random(f"stop {self._seed} {number}")
        able = [int(offer.by) for offer in stops if number in offer.choices["number"]]
        stoppers = [seat for seat in able if seat not in self.bots and seat not in self._visited]
        if dice.random() >= self.habits.stops * (1.0 if number in self.view.unlawful else 0.1) or not stoppers:
            return None
        if number in self._stopped:  # it was said before, without effect
            return None
        self._stopped.add(number)
        return _say({"do": "stop", "by": dice.choice(stoppers), "number": number})

    def _refill(self, lying: Mapping[Token, Zone]) -> Deed | None:
        there = [token for token, zone in lying.items() if zone == POOL]
        if not self.stack or len(there) >= len(self.view.table["pool"]) or not self._gaps():
            return None
        return _lay(self.seats, self.stack[0], POOL)

    def _flip(self, seat: int) -> Deed | None:
        """Turn over a bot's next card."""
        cards = [card for card in self.hands[seat] if card not in self.view.lying]
        return _lay(seat, cards[0], row(seat)) if cards else None

    def _interruption(self) -> Deed | None:
        """Play a joker in another seat's turn."""
        if self.dice.random() >= self.habits.spends * 0.1:
            return None
        for seat, hand in self.hands.items():
            for joker in (card for card in hand if card.startswith("J")):
                move = {"do": "interrupt", "by": seat, "joker": joker}
                if seat not in self.bots and seat not in self._visited and not self.objections(move):
                    return _say(move)
        return None

    def _turn(self, seat: int) -> Deed | None:
        """One act of the current turn."""
        habits, dice, called = self.habits, self.dice, self.view.table["called"]
        laid = self.view.table["series"]["index"]
        if called:
            return _lay(seat, called, self.places.tree)
        if not laid:
            if dice.random() < 0.5 and (asks := self._choices.asks(seat)):
                return _say(dice.choice(asks))
            if dice.random() < habits.abstains:
                passes = {"do": "pass", "by": seat}
                wants = dice.random() < habits.passes and not self.objections(passes)
                return _show(seat, "KPASS") if wants else self._end(seat)
        elif dice.random() < habits.rues * 0.3 and self._last_was_mine(seat):
            return _show(seat, "KUNDO")
        elif dice.random() >= habits.goes_on:
            return self._end(seat)
        lawful = [move for move in self._choices.placements(seat) if not self.objections(move)]
        if lawful and dice.random() < habits.errs and (slip := self._choices.slip(seat)):
            return self._carry_out(slip[0])
        if dice.random() < habits.spends and (spent := self._choices.spendings(seat, laid)):
            return self._carry_out(dice.choice(spent))
        return self._carry_out(dice.choice(lawful)) if lawful else self._end(seat)

    def _last_was_mine(self, seat: int) -> bool:
        last = self.view.steps[-1].move if self.view.steps else None
        return last is not None and last["do"] == "place" and last["by"] == seat and last["from"] == "hand"

    def _carry_out(self, move: JSON) -> Deed:
        if move["do"] == "place":
            return _lay(move["by"], move["card"], self.places.tree)
        if move["do"] == "discard":
            return _lay(move["by"], move["card"], discard(move["by"]))
        return _say(move)

    def _end(self, seat: int) -> Deed | None:
        """Discard if required, and announce the end of the turn."""
        end, hand = {"do": "end_turn", "by": seat}, self.hands[seat]
        if self.objections(end) and hand and self.dice.random() >= self.habits.forgets:
            return _lay(seat, self.dice.choice(hand), discard(seat))
        return _show(seat, "KEND")


def _conform(cards: CardsInPlay, step: Step) -> None:
    """Make all hands agree with the log."""
    table, standing = step.table(), step.standing
    stack = standing["stack"] + sum(card is None for card in table["pool"])
    cards.conform(step.lying, standing["hands"], stack, table["gone"], table["called"])


def _lay(by: int, card: str, zone: Zone) -> Deed:
    """Place a card in front of the camera. What happens to a flipped one is decided by the rules."""
    token = card_token(card)
    return Deed(steps=(Carry(Seat(by), token, zone),), awaits=None if zone == row(by) else token)


def _show(by: int, token: str) -> Deed:
    """Show a command card."""
    return Deed(steps=(Carry(Seat(by), Token(token), COMMAND_ZONE),))


def _say(move: JSON) -> Deed:
    """Announce a move on a phone."""
    return Deed(move, spoken=True)
