"""Discovery told beforehand, for films whose truth is known: what people hold, do, and get wrong."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from companion.errors import InputError
from companion.games.discovery.people.behaviour import Behaviour
from companion.games.discovery.people.cards import CardsInPlay, MovedCard
from companion.games.discovery.people.choices import CardPlayers, Choices
from companion.games.discovery.people.places import PILE, POOL, TREE, CardPlaces, card_token, discard, row
from companion.public.layout import Layout
from companion.public.table import COMMAND_ZONE, Seat, Token, Zone
from companion.public.text import JSON
from companion.simulation.deeds import Carry, Deed, Step, TakeBack, Wait
from companion.simulation.stage import CARD, Measures, TableStage

HIDDEN_RULES = frozenset({"prerequisites", "link", "joker-link", "joker-card", "era-not-open", "era-not-closed"})
"""Where people may say Stop, an act against which only this can be said stands until somebody does."""
MISTAKE_RULES = HIDDEN_RULES | {"own-discard"}
"""... a card that is laid also against this (contract, section 7)."""

DOUBTED = Wait(2.2, (0.9, 1.4))
"""How long a card lies that may not lie there."""
SHOWN = Wait(1.4, (0.9, 1.3))
"""How long a command card is shown."""
TURNED_OVER = Wait(1.4, (0.6, 1.2))
"""How long a bot's card lies turned over."""
SAID = Wait(0.8)
"""How long it takes to say something on a phone."""


class RulesJudge(Protocol):
    """Somebody who knows the rules and follows one match from its first entry."""

    def judge(self, move: JSON, number: int, time_s: float | None) -> set[tuple[str, tuple[str, ...]]]:
        """All objections to a move, as rule and things; none = lawful."""

    def play(self, move: JSON, number: int, time_s: float | None) -> JSON:
        """Carry a move out; answers with the ``standing`` after it, and with what else its entry holds."""

    def lying(self) -> dict[str, str]:
        """Every thing that can be seen, and its place."""


def card_stage(layout: Layout, seats: int, seed: int, measures: Measures = CARD) -> TableStage:
    """A stage for cards alone.

    Raises:
        InputError: The layout lacks its size, or a zone that the match needs.
    """
    return TableStage(layout, seats, CardPlaces(layout, seats, measures), seed)


@dataclass
class _Turn:
    """What somebody has done in his turn so far."""

    laid: int = 0
    begun: bool = False
    done: bool = False


@dataclass
class Players(CardPlayers):
    """A match played by dice that follow the rules, mostly.

    Args:
        match: The match file as JSON.
        deck: The deck file as JSON.
        judge: Makes a judge of this match who has seen nothing yet.
        seed: The same seed, the same match.

    Raises:
        InputError: The match begins in the middle or has empty seats, which these players do not know.
    """

    match: JSON
    deck: JSON
    judge: Callable[[], RulesJudge]
    seed: int = 0
    habits: Behaviour = field(default_factory=Behaviour)

    def __post_init__(self) -> None:
        if self.match.get("position"):
            raise InputError("The simulated players know no positions; leave [position] out.")
        if any(seat.get("late") for seat in self.match["seat"]):
            raise InputError("The simulated players are all there from the start; leave late out.")
        self.sit_down(random.Random(f"players {self.seed}"))
        self._played: list[JSON] = []
        self._judge = self.judge()
        self._turns = [_Turn()]
        self._announced: set[tuple[int, str]] = set()
        self._stoppable = self.silent or bool(self.match.get("options", {}).get("stop"))
        self._cards = CardsInPlay(self.bots, self.dice)
        self.choices = Choices(self)
        jokers = [f"J{n}" for n in range(1, self.match.get("jokers", 0) + 1)]
        self.cards.deal([c["id"] for c in self.deck["card"]], jokers, self.seats, self.match.get("dealer", self.seats))

    @property
    def cards(self) -> CardsInPlay:
        """What everybody holds, and what lies where."""
        return self._cards

    @property
    def announced(self) -> set[tuple[int, str]]:
        """What was said of eras."""
        return self._announced

    @property
    def standing(self) -> JSON:
        """The scoreboard."""
        return self._standing

    def objections(self, move: JSON) -> tuple[str, ...]:
        """What the judge says against a move now."""
        objections = self._judge.judge(move, len(self._played) + 1, None)
        return tuple(sorted({rule for rule, _ in objections}))

    def deeds(self) -> Iterator[Deed]:
        """The match, act by act, until it ends or somebody would have to speak."""
        yield self._play({"do": "deal", "by": 0, "pool": sorted(self.pool)})
        while not self._standing["over"]:
            seat = self._standing["turn"]
            if self._standing["owed"]:
                if not self.habits.speaks and self._standing["owed"][0]["do"] == "steal":
                    return
                yield self._pay()
            elif seat in self.bots:
                yield from self._contested(self._flip(seat))
            elif self.habits.speaks and not self.objections({"do": "agree_end", "by": 0}):
                yield self._play({"do": "agree_end", "by": 0}, spoken=True)
            else:
                yield from self._step(seat)
            if self.habits.speaks and self.dice.random() < self.habits.spends * 0.2:
                yield from self._interruption()

    # -- one step of a turn -----------------------------------------------------------------------

    def _step(self, seat: int) -> Iterator[Deed]:
        habits, dice, turn = self.habits, self.dice, self._turns[-1]
        if not turn.begun:
            turn.begun = True
            turn.done = dice.random() < habits.abstains
            if turn.done and dice.random() < habits.passes and not self.objections({"do": "pass", "by": seat}):
                yield self._play({"do": "pass", "by": seat})
                return
            if habits.speaks and (asks := self.choices.asks(seat)) and dice.random() < 0.7:
                yield self._play(dice.choice(asks), spoken=True)
                return
        if self.cards.called:
            yield from self._contested(self._play(self.choices.placement(seat, self.cards.called, "called")))
            turn.laid += 1
            return
        if turn.done or (turn.laid and dice.random() >= habits.goes_on):
            yield from self._end(seat)
            return
        if dice.random() < habits.errs and (slip := self.choices.slip(seat)):
            yield from self._err(*slip)
            return
        if habits.speaks and dice.random() < habits.spends and (spent := self.choices.spendings(seat, turn.laid)):
            yield from self._spend(dice.choice(spent))
            return
        lawful = [move for move in self.choices.placements(seat) if not self.objections(move)]
        if lawful:
            yield from self._place(dice.choice(lawful))
        else:
            turn.done = True

    def _err(self, move: JSON, rules: tuple[str, ...]) -> Iterator[Deed]:
        if self._stoppable and set(rules) <= (MISTAKE_RULES if move["do"] == "place" else HIDDEN_RULES):
            yield from self._place(move, rules)
        else:
            yield self._refused(move, rules)

    def _spend(self, move: JSON) -> Iterator[Deed]:
        laid = move["do"] == "joker" and "as" in move
        yield from self._contested(self._play(move, self.objections(move), spoken=move["do"] != "discard"))
        self._turns[-1].laid += laid
        if laid and self._refills(move):
            yield self._refill()

    def _place(self, move: JSON, rules: tuple[str, ...] = ()) -> Iterator[Deed]:
        """Lay a card; refill the pool; sometimes take it back at once."""
        turn, kept, hand = self._turns[-1], self.cards.kept(), self.cards.hands[move["by"]]
        before = tuple(self._standing["points"])
        rued = move["from"] == "hand" and len(hand) > 1 and not rules and self.dice.random() < self.habits.rues
        deed = self._play(move, rules)
        turn.laid += 1
        if rued:
            yield deed
            self._strike(kept)
            turn.laid -= 1
            yield self._deed({"do": "undo", "by": move["by"], "card": move["card"]}, points=before, strikes=True)
            return
        if self._refills(move):
            yield deed
            yield self._refill()
        else:
            yield from self._contested(deed)

    def _refills(self, move: JSON) -> bool:
        return bool(move.get("from") == "pool" and self.cards.stack)

    def _refill(self) -> Deed:
        return self._play({"do": "refill", "by": 0, "card": self.cards.stack[0]})

    def _end(self, seat: int) -> Iterator[Deed]:
        """Discard where that is due, and say that the turn is over."""
        end = {"do": "end_turn", "by": seat}
        hand = self.cards.hands[seat]
        if self.objections(end) and hand:
            if self.dice.random() < self.habits.forgets and not self.inferred:
                yield self._refused(end, self.objections(end))
            plain = {"do": "discard", "by": seat, "card": self.dice.choice(hand)}
            asked = bool(self.objections(plain))
            yield self._play(plain | ({"asked": True} if asked else {}), spoken=asked)
            if self._standing["over"] or self._standing["owed"] or self._standing["turn"] != seat:
                return
        elif self.dice.random() < self.habits.forgets and (late := self.objections({"do": "pass", "by": seat})):
            yield self._refused({"do": "pass", "by": seat}, late)
        if not self.objections(end):
            telling = self.choices.telling(seat) if self.inferred and self._turns[-1].laid else []
            if telling and self.dice.random() < self.habits.forgets * 4:
                yield replace(self._play(end), steps=(), unsaid=True)
                lawful = [move for move in telling if not self.objections(move)]
                if lawful:
                    self._turns[-1].begun = True
                    yield from self._place(self.dice.choice(lawful))
            else:
                yield self._play(end)

    def _pay(self) -> Deed:
        """What is owed, in its order: a discard that can be seen, or a steal, said on a phone."""
        owed = self._standing["owed"][0]
        if owed["do"] == "discard":
            card = self.dice.choice(self.cards.hands[owed["seat"]])
            return self._play({"do": "discard", "by": owed["seat"], "card": card})
        victim = self.dice.choice([s for s in self.around() if s != owed["seat"] and self.cards.hands[s]])
        return self._play({"do": "steal", "by": owed["seat"], "from": victim}, spoken=True)

    def _flip(self, seat: int) -> Deed:
        """A bot's next card is turned over."""
        card = self.cards.hands[seat][len(self.cards.at(f"row-{seat}"))]
        move = {"do": "flip", "by": seat, "card": card}
        return self._play(move, self.objections(move))

    def _interruption(self) -> Iterator[Deed]:
        """Somebody plays a joker in another's turn."""
        if self._standing["over"] or self._standing["owed"]:
            return
        for seat, hand in self.cards.hands.items():
            for joker in (card for card in hand if card.startswith("J")):
                move = {"do": "interrupt", "by": seat, "joker": joker}
                if not self.objections(move):
                    self._turns.append(_Turn())
                    yield self._play(move, spoken=True)
                    return

    def _contested(self, deed: Deed) -> Iterator[Deed]:
        """An act, and perhaps a Stop and its answer."""
        yield deed
        by, share = deed.move["by"], self.habits.stops * (1.0 if deed.rules else 0.1)
        others = [seat for seat in self.around() if seat != by and seat not in self.bots]
        stopper = self.dice.choice(others) if others else by
        stop = {"do": "stop", "by": stopper}
        able = self._stoppable and self.habits.speaks and deed.move["do"] in ("place", "joker", "announce", "flip")
        if not able or self._standing["over"] or self.dice.random() >= share or self.objections(stop):
            return
        yield self._play(stop, spoken=self.dice.random() < 0.5)
        answers = by if by not in self.bots else self.dice.choice([s for s in self.around() if s not in self.bots])
        concede = {"do": "concede", "by": answers}
        gives_up = bool(deed.rules) and self.dice.random() < 0.4 and not self.objections(concede)
        yield self._play(concede if gives_up else {"do": "verify", "by": answers}, spoken=True)
        if self._standing["turn"] != by:
            self._turn_over()

    # -- what hands do ------------------------------------------------------------------------------

    def _steps(self, deed: Deed, moved: tuple[MovedCard, ...]) -> Iterator[Step]:
        """What is shown for an act, then every card to where the act has it lie."""
        move, by = deed.move, Seat(deed.move["by"])
        match move:
            case {"do": "deal", "pool": cards}:
                yield from (Carry(Seat(self.seats), card_token(card), POOL) for card in cards)
            case {"do": "refill", "card": card}:
                yield Carry(Seat(self.seats), card_token(card), POOL)
            case {"do": "undo", "card": card}:
                yield from _shown(by, Token("KUNDO"))
                yield Carry(by, card_token(card), None)
            case {"do": "place", "card": card} if deed.rules and not deed.stands:
                yield from _mistaken(by, card_token(card), self._tree)
            case {"do": "discard", "card": card} if deed.rules:
                yield from _mistaken(by, card_token(card), discard(by))
            case {"do": "flip", "card": card}:
                yield Carry(by, card_token(card), row(by))
                yield TURNED_OVER
                yield from _flipped(by, card, moved)
            case _:
                yield from _said(by, deed)
                yield from _carried(by, moved)

    @property
    def _tree(self) -> Zone:
        return PILE if self.silent else TREE

    # -- the book -----------------------------------------------------------------------------------

    def _refused(self, move: JSON, rules: tuple[str, ...]) -> Deed:
        return self._deed(move, rules=rules, points=tuple(self._standing["points"]))

    def _deed(self, move: JSON, moved: tuple[MovedCard, ...] = (), **truth: Any) -> Deed:
        """An act, with what hands do for it."""
        deed = Deed(move, lays_table=move["do"] == "deal", **truth)
        return replace(deed, steps=tuple(self._steps(deed, moved)))

    def _play(self, move: JSON, rules: tuple[str, ...] = (), *, spoken: bool = False) -> Deed:
        """Carry an act out, in the judge's book and in everybody's hands."""
        self._played.append(move)
        answer = self._judge.play(move, len(self._played), None)
        self._standing: JSON = answer["standing"]
        failed = "failed" in answer
        moved = self.cards.follow(move, failed, self._judge.lying(), self._standing["hands"])
        if move["do"] in ("end_turn", "pass") or failed:
            self._turn_over()
        if move["do"] == "announce":
            self.announced.add((move["era"], move["what"]))
        points, over = tuple(self._standing["points"]), self._standing["over"]
        return self._deed(move, moved, rules=rules, points=points, spoken=spoken, over=over, stands=bool(rules))

    def _turn_over(self) -> None:
        self._turns.pop()
        if not self._turns:
            self._turns.append(_Turn())

    def _strike(self, kept: CardsInPlay) -> None:
        """Take the last act back: the judge hears the match anew, without it."""
        self._played.pop()
        self._judge = self.judge()
        for number, move in enumerate(self._played, 1):
            self._standing = self._judge.play(move, number, None)["standing"]
        self._cards = kept


def _said(by: Seat, deed: Deed) -> Iterator[Step]:
    """The command cards of an act, or the time that it takes on a phone."""
    match deed.move:
        case {"do": "pass"}:
            yield from _shown(by, Token("KPASS"))
        case {"do": "end_turn"}:
            yield from _shown(by, Token("KEND"))
        case {"do": "stop"} if not deed.spoken:
            yield from _shown(by, Token(f"S{by}"), Token("KSTOP"))
    if deed.spoken:
        yield SAID


def _shown(by: Seat, *tokens: Token) -> Iterator[Step]:
    """Command cards, a seat tag first."""
    yield from (Carry(by, token, COMMAND_ZONE) for token in tokens)
    yield SHOWN
    yield from (Carry(by, token, None) for token in tokens)


def _mistaken(by: Seat, token: Token, zone: Zone) -> Iterator[Step]:
    """A card goes where it may not lie, lies there for a while, and goes back."""
    yield from (Carry(by, token, zone), DOUBTED, TakeBack(by, token))


def _flipped(by: Seat, card: str, moved: tuple[MovedCard, ...]) -> Iterator[Step]:
    """What becomes of a bot's card that lies in its row by now; a joker may leave the game."""
    if all(other != card for other, _, _ in moved):
        yield Carry(by, card_token(card), None)
    yield from _carried(by, tuple(one for one in moved if one[0] != card or one[2] != row(by)))


def _carried(by: Seat, moved: tuple[MovedCard, ...]) -> Iterator[Step]:
    """Every card to where the act has it lie."""
    yield from (Carry(by, card_token(card), None if zone is None else Zone(zone)) for card, _, zone in moved)
