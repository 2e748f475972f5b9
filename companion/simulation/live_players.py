"""People at a live table: they look at the scoreboard, decide what to do next, and go on from whatever it says.

They keep no book of the match. What everybody holds is worked out from the log each time it has changed, and what they
do next is a throw of dice that belongs to the last entry: the same seed plays the same match as long as nobody else
says anything, also after a restart.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from companion.public.table import COMMAND_ZONE, Seat, Token, Zone
from companion.public.text import JSON
from companion.simulation.behaviour import Behaviour, Carry, Errand
from companion.simulation.card_places import POOL, CardPlaces, card_token, discard, row
from companion.simulation.cards import CardsInPlay
from companion.simulation.choices import Choices, People
from companion.simulation.scoreboard import LiveView, Scoreboard
from companion.simulation.visitors import SeatCards, Visitors

HEARD_AFTER_S = 8.0
"""So long after they began to do something people wait for the verdict; then it was not seen, and they look again."""
SAID_AFTER_S = 4.0
"""... for what they said on a phone."""
DOUBT_S = 2.0
"""How long a refused card lies there before it is taken back."""
ANSWER_S = 1.0
"""How long a question stands before somebody answers it."""
LOOK_S = 0.2
"""Between two looks at the scoreboard, while there is nothing to do."""
AWAY_S, UNSEEN_S = 0.5, 30.0
"""How long a command card is away at least before anything else is done, and at most when the eye still sees it."""
IDLE_S = 4.0
"""With nothing to do for so long, somebody rests a hand or waves."""
END_S = 20.0
"""How long the end of a match can be looked at before the next one begins."""
MOST_CARRIES = 4
"""So many cards are put right before somebody looks at the scoreboard again."""

VISITOR_DOUBT_S = 15.0
"""How long a visitor's refused card lies there: time to read why, and to take it back himself."""
VISITOR_ANSWER_S = 15.0
"""How long a question stands when a visitor may be the one to answer it."""
VISITOR_DRAW_S = 20.0
"""How long a visitor is given to agree that nothing will happen any more."""
VISITOR_END_S = 60.0
"""How long the end of a match can be looked at when a visitor played it."""

LIVE_HABITS = Behaviour(errs=0.12, speaks=True)


@dataclass(frozen=True, slots=True)
class _Waiting:
    """Something was done, and people wait for the referee's word on it.

    Attributes:
        number: The last entry before it.
        until_s: Then they give it up.
        card: The card that was laid; ``None`` = any further entry is the word.
        lay: Where the log had it before.
    """

    number: int
    until_s: float
    card: str | None = None
    lay: str | None = None


class LivePlayers(People):
    """Everybody around a live table.

    Args:
        match, deck: The two files as JSON.
        scoreboard: The running match.
        stage: What lies on the table before their eyes; they set it up as the log has it.
        now_s: The time of the picture that is being made, in the seconds that the referee counts.
        visitors: Who plays a seat himself: the people there do what they are asked for, and nothing else.
    """

    def __init__(
        self,
        match: JSON,
        deck: JSON,
        scoreboard: Scoreboard,
        stage: CardPlaces,
        seed: int,
        now_s: Callable[[], float],
        habits: Behaviour = LIVE_HABITS,
        visitors: Visitors | None = None,
    ) -> None:
        self.match = match
        self.deck = deck
        self.habits = habits
        self.sit_down(random.Random(f"live {seed}"))
        self.choices = Choices(self)
        self._scoreboard = scoreboard
        self._stage = stage
        self._seed = seed
        self._now_s = now_s
        self._visitors = visitors
        self._visited: frozenset[int] = frozenset()
        self._view: LiveView
        self._known: list[tuple[object, CardsInPlay]] = []
        self._waiting: _Waiting | None = None
        self._laid_by: dict[str, int] = {}
        self._since_s: dict[object, float] = {}
        self._tries = (-1, 0)

    # -- what they know -----------------------------------------------------------------------------

    @property
    def cards(self) -> CardsInPlay:
        """What everybody holds, as the log has it now."""
        return self._known[-1][1]

    @property
    def standing(self) -> JSON:
        """The scoreboard."""
        return self._view.standing

    @property
    def announced(self) -> set[tuple[int, str]]:
        """What everybody was told of eras."""
        told = self._view.table["eras"]
        return {(era, "open") for era in told["opened"]} | {(era, "closed") for era in told["closed"]}

    def objections(self, move: JSON) -> tuple[str, ...]:
        """What is wrong with a move now."""
        return self._view.faults(move)

    def _follow(self, view: LiveView) -> None:
        """Work out what everybody holds from what the log has since it was looked at last."""
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
                cards.follow(step.move, step.failed, step.lying, step.hands)
            cards.conform(step.lying, step.hands, step.stack, step.gone, step.called)
            self._known.append((step.key, cards))

    def _dealt(self, view: LiveView) -> CardsInPlay:
        cards = CardsInPlay(self.bots, random.Random(f"deal {self._seed}"))
        eras = [card["id"] for card in self.deck["card"]]
        jokers = [f"J{n}" for n in range(1, self.match.get("jokers", 0) + 1)]
        if position := self.match.get("position"):
            cards.set_up(view.steps[0].lying, position["hands"], eras, jokers, position["stack"])
        else:
            cards.deal(eras, jokers, self._seats, self.match.get("dealer", self._seats))
        return cards

    # -- what they do -------------------------------------------------------------------------------

    def errands(self) -> Iterator[Errand]:
        """What happens next, decided anew each time; without end."""
        while (view := self._scoreboard.look()) is None:
            yield Errand(rest_s=LOOK_S)
        self._view = view
        self._follow(view)
        for card, zone in self._wanted().items():
            token = card_token(card)
            self._stage.lying[token] = self._stage.put(token, Zone(zone))
        while True:
            if (now := self._scoreboard.look()) is not None:
                self._view = now
                self._follow(now)
                self._show_visitors()
                yield self._next()
            else:
                yield Errand(rest_s=LOOK_S)

    def _next(self) -> Errand:
        view, now_s = self._view, self._now_s()
        if self._waits(now_s):
            return Errand(rest_s=LOOK_S)
        if shown := [token for token in self._stage.lying if self._zone_of(token) == COMMAND_ZONE]:
            self._since_s.pop("away", None)
            return Errand(tuple(Carry(self._seat(), token, None) for token in shown))
        if not self._is_due("away", now_s, UNSEEN_S if view.shown else AWAY_S):
            return Errand(rest_s=LOOK_S)
        if view.lost:
            return Errand(rest_s=LOOK_S)
        if (gesture := self._gesture()) is not None:
            return gesture
        if (asked := self._answer(now_s)) is not None:
            return asked
        if (righted := self._put_right(now_s)) is not None:
            return righted
        if view.standing["over"] and not view.standing.get("provisional"):
            if self._is_due("over", now_s, VISITOR_END_S if self._visited else END_S):
                self._since_s.pop("over")
                self._scoreboard.finish()
            return self._idle(now_s)
        self._since_s.pop("over", None)
        if view.paused:
            return self._idle(now_s)
        number, tries = self._tries
        self._tries = (view.number, tries + 1 if number == view.number else 0)
        self.dice = random.Random(f"{self._seed} {self._tries}")
        return self._act() or self._idle(now_s)

    def _idle(self, now_s: float) -> Errand:
        stirs = self._is_due("idle", now_s, IDLE_S)
        if stirs:
            del self._since_s["idle"]
        return Errand(rest_s=LOOK_S, idle=stirs)

    def _waits(self, now_s: float) -> bool:
        """Whether the referee's word on the last act is still to come."""
        waiting, view = self._waiting, self._view
        if waiting is not None:
            self._since_s.pop("idle", None)
        if waiting is None:
            return False
        heard = view.number > waiting.number
        if waiting.card is not None:
            word = view.lying.get(waiting.card) != waiting.lay or waiting.card in view.refused
            heard = word or (heard and bool(view.questions))
        if heard or now_s >= waiting.until_s:
            self._waiting = None
        return self._waiting is not None

    def _is_due(self, what: object, now_s: float, after_s: float) -> bool:
        """Whether something has stood for so long."""
        return now_s - self._since_s.setdefault(what, now_s) >= after_s

    def _forget(self, what: str, stands: set[Token]) -> None:
        """Only these still stand."""
        for key in [key for key in self._since_s if isinstance(key, tuple) and key[0] == what]:
            if key[1] not in stands:
                del self._since_s[key]

    def _answer(self, now_s: float) -> Errand | None:
        """Give the first answer to what was asked."""
        for question in self._view.questions:
            if self._is_due(("question", question), now_s, VISITOR_ANSWER_S if self._visited else ANSWER_S):
                self._since_s["question", question] = now_s
                self._scoreboard.answer(question, self._view.number)
            return Errand(rest_s=LOOK_S)
        return None

    # -- the table as the log has it ------------------------------------------------------------------

    def _wanted(self) -> dict[str, str]:
        """Where every card should lie; before the deal was seen the pool is on the table."""
        if self._view.number == 0 and not self.match.get("position"):
            return dict(self.cards.lying)
        return dict(self._view.lying)

    def _zone_of(self, token: Token) -> Zone | None:
        place = self._stage.place(token)
        return None if place is None else place[0]

    def _gaps(self) -> int:
        """How many cards of the pool nobody has named yet."""
        return sum(card is None for card in self._view.table["pool"])

    def _put_right(self, now_s: float) -> Errand | None:
        """Bring what lies otherwise than the log has it where it belongs; whoever laid it does it."""
        wanted = {card_token(card): Zone(zone) for card, zone in self._wanted().items()}
        unnamed, to_come = self._gaps(), {card_token(card) for card in self.stack}
        refused = {card_token(card) for card in self._view.refused}
        self._forget("refused", refused)
        self._forget("unnamed", to_come if unnamed else set())
        carries: list[Carry] = []
        doubted = False
        for token in self._stage.lying:
            zone = self._zone_of(token)
            if zone == wanted.get(token) or zone == COMMAND_ZONE:
                continue
            if zone == POOL and token in to_come and unnamed > 0:
                unnamed -= 1  # it is about to be named, or else it is laid once more
                if not self._is_due(("unnamed", token), now_s, HEARD_AFTER_S):
                    continue
            doubt_s = VISITOR_DOUBT_S if self._laid_by.get(token) in self._visited else DOUBT_S
            if token in refused and not self._is_due(("refused", token), now_s, doubt_s):
                doubted = True
                continue
            carries.append(Carry(self._hand_for(token), token, wanted.get(token)))
        carries += [
            Carry(self._hand_for(token), token, zone)
            for token, zone in wanted.items()
            if token not in self._stage.lying
        ]
        if carries:
            return Errand(tuple(carries[:MOST_CARRIES]), rest_s=0.3)
        if doubted:
            return self._idle(now_s)
        if refused and not self._is_due(("settles", self._view.number), now_s, SAID_AFTER_S):
            return Errand(rest_s=LOOK_S)
        return None

    def _seat(self) -> Seat:
        return Seat(self._view.standing["turn"] or 1)

    def _hand_for(self, token: Token) -> Seat:
        return Seat(self._laid_by.get(token, self._seat()))

    # -- visitors -------------------------------------------------------------------------------------

    def _show_visitors(self, on_the_way: str | None = None) -> None:
        """Tell every visitor what he holds, and nobody else; ``on_the_way``: a card that a hand has just taken up."""
        if self._visitors is None:
            return
        self._visited = self._visitors.seats()
        wanted = {card_token(card): zone for card, zone in self._wanted().items()}
        for seat in self._visited:
            called = self._view.table["called"] if self._view.standing["turn"] == seat else None
            away = {called, on_the_way}
            hand = [card for card in self.hands[seat] if card_token(card) not in self._stage.lying and card not in away]
            astray = [
                card
                for card in self.cards.every
                if self._laid_by.get(token := card_token(card)) == seat
                and token in self._stage.lying
                and self._zone_of(token) != wanted.get(token)
                and card != on_the_way
            ]
            zones = tuple(zone for zone in self._stage.zones if zone != COMMAND_ZONE)
            self._visitors.show(
                seat, SeatCards(tuple(hand), None if called == on_the_way else called, tuple(astray), zones)
            )

    def _gesture(self) -> Errand | None:
        """What a visitor's hand does next; it does what it is asked for, lawful or not."""
        found = None if self._visitors is None else self._visitors.next_gesture()
        if found is None:
            return None
        seat, gesture = found
        token = card_token(gesture.card)
        lies = self._zone_of(token) if token in self._stage.lying else None
        match gesture.do:
            case "lay" if gesture.to in self._stage.zones and self._in_reach(seat, gesture.card, lies):
                self._show_visitors(gesture.card)
                return self._lay(seat, gesture.card, Zone(gesture.to or ""), gesture.beside)
            case "take" if lies is not None and self._laid_by.get(token) == seat:
                home = self._wanted().get(gesture.card)
                if home == lies:
                    return None
                return Errand((Carry(Seat(seat), token, None if home is None else Zone(home)),), rest_s=0.3)
            case "show" if gesture.card == "KSTOP":
                self._wait(HEARD_AFTER_S)
                tag = Carry(Seat(seat), Token(f"S{seat}"), COMMAND_ZONE)
                return Errand((tag, Carry(Seat(seat), Token("KSTOP"), COMMAND_ZONE)), rest_s=1.0)
            case "show":
                return self._show(seat, gesture.card)
            case "call":
                holders = (other for other, hand in self.hands.items() if gesture.card in hand)
                move = {"do": "call", "by": seat, "card": gesture.card, "holder": next(holders, 0)}
                return self._say(move)
            case _:
                return None

    def _in_reach(self, seat: int, card: str, lies: Zone | None) -> bool:
        """Whether somebody can take up a card: out of his own hand, or from where all can see it."""
        if lies is None:
            return card in self.hands[seat] or card == self._view.table["called"]
        strays = self._laid_by.get(card_token(card)) == seat and lies != self._wanted().get(card)
        return lies == POOL or lies.startswith("discard-") or strays

    # -- acts -----------------------------------------------------------------------------------------

    def _lay(self, by: int, card: str, zone: Zone, beside: str | None = None) -> Errand:
        """A card is laid before the camera."""
        token = card_token(card)
        near = None if beside is None else card_token(beside)
        self._laid_by[token] = by
        self._wait(
            HEARD_AFTER_S, None if zone == row(Seat(by)) else card
        )  # what becomes of a flipped card, the rules say
        return Errand((Carry(Seat(by), token, zone, near),), rest_s=self.dice.uniform(0.6, 1.2))

    def _show(self, by: int, token: str) -> Errand:
        """A command card is shown; it is taken away when it was heard."""
        self._wait(HEARD_AFTER_S)
        return Errand((Carry(Seat(by), Token(token), COMMAND_ZONE),), rest_s=self.dice.uniform(0.6, 1.2))

    def _say(self, move: JSON) -> Errand:
        """Something is said on a phone."""
        self._wait(SAID_AFTER_S)
        self._scoreboard.say(move, self._view.number)
        return Errand(rest_s=self.dice.uniform(0.8, 1.4))

    def _wait(self, lasts_s: float, card: str | None = None) -> None:
        lay = None if card is None else self._view.lying.get(card)
        self._waiting = _Waiting(self._view.number, self._now_s() + lasts_s, card, lay)

    def _act(self) -> Errand | None:
        """What the match asks for next, or what its turn's player does."""
        view, standing = self._view, self._view.standing
        if view.answering:
            return self._verdict()
        if standing["owed"]:
            return self._pay(standing["owed"][0])
        if (stopped := self._stop()) is not None:
            return stopped
        if standing["over"] or (view.number == 0 and not self.match.get("position")):  # the pool is still to be seen
            return None
        if (filled := self._refill()) is not None:
            return filled
        if view.draw_offered and (not self._visited or self._is_due("draw", self._now_s(), VISITOR_DRAW_S)):
            self._since_s.pop("draw", None)
            return self._say({"do": "agree_end", "by": 0})
        seat = standing["turn"]
        if seat in self.bots:
            return self._flip(seat)
        if seat in self._visited:
            return None
        return self._interruption() or self._turn(seat)

    def _verdict(self) -> Errand | None:
        answering = [seat for seat in self._view.answering if seat not in self._visited]
        if not answering:
            return None
        seat = self.dice.choice(answering)
        concede = {"do": "concede", "by": seat}
        gives_up = self.dice.random() < 0.3 and not self.objections(concede)
        return self._say(concede if gives_up else {"do": "verify", "by": seat})

    def _pay(self, owed: JSON) -> Errand | None:
        """What is owed: a discard that can be seen, or a steal, said on a phone."""
        seat = owed["seat"]
        if seat in self._visited:
            return None
        if owed["do"] == "discard":
            return self._lay(seat, self.dice.choice(self.hands[seat]), discard(seat)) if self.hands[seat] else None
        victims = [other for other in self.around() if other != seat and self.hands[other]]
        return self._say({"do": "steal", "by": seat, "from": self.dice.choice(victims)}) if victims else None

    def _stop(self) -> Errand | None:
        """Somebody noticed something, or thinks so; each act is thought about once."""
        act = self._view.open_act
        if act is None:
            return None
        dice = random.Random(f"stop {self._seed} {act.number}")
        stoppers = [seat for seat in act.stoppers if seat not in self.bots and seat not in self._visited]
        if dice.random() >= self.habits.stops * (1.0 if act.wrong else 0.1) or not stoppers:
            return None
        if ("stop", act.number) in self._since_s:  # it was said already, and came to nothing
            return None
        self._since_s["stop", act.number] = self._now_s()
        return self._say({"do": "stop", "by": dice.choice(stoppers), "number": act.number})

    def _refill(self) -> Errand | None:
        lies = [token for token in self._stage.lying if self._zone_of(token) == POOL]
        if not self.stack or len(lies) >= len(self._view.table["pool"]) or not self._gaps():
            return None
        return self._lay(self._seats, self.stack[0], POOL)

    def _flip(self, seat: int) -> Errand | None:
        """A bot's next card is turned over."""
        cards = [card for card in self.hands[seat] if card not in self._view.lying]
        if not cards:
            return None
        return self._lay(seat, cards[0], row(Seat(seat)))

    def _interruption(self) -> Errand | None:
        """Somebody plays a joker in another's turn."""
        if self.dice.random() >= self.habits.spends * 0.1:
            return None
        for seat, hand in self.hands.items():
            for joker in (card for card in hand if card.startswith("J")):
                move = {"do": "interrupt", "by": seat, "joker": joker}
                if seat not in self.bots and seat not in self._visited and not self.objections(move):
                    return self._say(move)
        return None

    def _turn(self, seat: int) -> Errand | None:
        """One act of somebody's turn."""
        habits, dice, called = self.habits, self.dice, self._view.table["called"]
        laid = self._view.table["series"]["index"]
        if called:
            return self._lay(seat, called, self._stage.tree)
        if not laid:
            if dice.random() < 0.5 and (asks := self.choices.asks(seat)):
                return self._say(dice.choice(asks))
            if dice.random() < habits.abstains:
                passes = {"do": "pass", "by": seat}
                wants = dice.random() < habits.passes and not self.objections(passes)
                return self._show(seat, "KPASS") if wants else self._end(seat)
        elif dice.random() < habits.rues * 0.3 and self._last_was_mine(seat):
            return self._show(seat, "KUNDO")
        elif dice.random() >= habits.goes_on:
            return self._end(seat)
        lawful = [move for move in self.choices.placements(seat) if not self.objections(move)]
        if lawful and dice.random() < habits.errs and (slip := self.choices.slip(seat)):
            return self._carry_out(slip[0])
        if dice.random() < habits.spends and (spent := self.choices.spendings(seat, laid)):
            return self._carry_out(dice.choice(spent))
        return self._carry_out(dice.choice(lawful)) if lawful else self._end(seat)

    def _last_was_mine(self, seat: int) -> bool:
        last = self._view.steps[-1].move if self._view.steps else None
        return last is not None and last["do"] == "place" and last["by"] == seat and last["from"] == "hand"

    def _carry_out(self, move: JSON) -> Errand:
        if move["do"] == "place":
            return self._lay(move["by"], move["card"], self._stage.tree)
        if move["do"] == "discard":
            return self._lay(move["by"], move["card"], discard(Seat(move["by"])))
        return self._say(move)

    def _end(self, seat: int) -> Errand | None:
        """Discard where that is due, and say that the turn is over."""
        end, hand = {"do": "end_turn", "by": seat}, self.hands[seat]
        if self.objections(end) and hand and self.dice.random() >= self.habits.forgets:
            return self._lay(seat, self.dice.choice(hand), discard(Seat(seat)))
        return self._show(seat, "KEND")
