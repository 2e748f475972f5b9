"""People at a live table: they look at the scoreboard, decide what to do next, and continue from there.

They keep no state of the match. Their next deed is drawn at random from the last entry: the same seed plays the same
match as long as no real person interferes, also after a restart. Their decisions are defined by their game
(``companion.simulation.people``).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from companion.public.table import COMMAND_ZONE, Seat, Token, Zone
from companion.simulation.deeds import Carry, Deed, Errand
from companion.simulation.people import DecisionMoment, People
from companion.simulation.scoreboard import LiveView, Scoreboard
from companion.simulation.stage import TableStage
from companion.simulation.visitors import Visitors

HEARD_AFTER_S = 8.0
"""How long after starting a deed people wait for the verdict; then it was not seen, and they look again."""
SAID_AFTER_S = 4.0
"""... for what they reported by phone."""
DOUBT_S = 2.0
"""How long a refused piece lies there before it is taken back."""
ANSWER_S = 1.0
"""How long a question stays open before it is answered."""
LOOK_S = 0.2
"""Between two looks at the scoreboard, while there is nothing to do."""
AWAY_S, UNSEEN_S = 0.5, 30.0
"""How long to wait after taking a command card away: at least, and at most if the camera still sees it.

The same holds for other pieces taken off the table.
"""
IDLE_S = 4.0
"""After this time without anything to do, a player rests a hand or waves."""
END_S = 20.0
"""How long the end of a match is shown before the next one begins."""
MOST_CARRIES = 4
"""The most pieces corrected before looking at the scoreboard again."""

VISITOR_DOUBT_S = 15.0
"""How long a visitor's refused piece lies there: time to read why, and to take it back."""
VISITOR_ANSWER_S = 15.0
"""How long a question stays open if a visitor may be the one to answer it."""
VISITOR_END_S = 60.0
"""How long the end of a match is shown if a visitor played in it."""


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A deed was done, and people wait for the referee's response.

    Attributes:
        number: The last entry before it.
        until_s: When they give up.
        thing: The piece that was laid or lifted; ``None`` = any new entry is the response.
        lay: Its place in the log before.
    """

    number: int
    until_s: float
    thing: str | None = None
    lay: str | None = None


class LivePlayers:
    """The people around a live table.

    Attributes:
        people: Their decisions.

    Args:
        scoreboard: The running match.
        stage: What lies on the table in front of them; they set it up as in the log.
        now_s: The time of the picture being made, in the referee's seconds.
        visitors: The seats played by real people: their hands do only what they are asked to.
    """

    def __init__(
        self,
        people: People,
        scoreboard: Scoreboard,
        stage: TableStage,
        seed: int,
        now_s: Callable[[], float],
        visitors: Visitors | None = None,
    ) -> None:
        self.people = people
        self._dice = random.Random(f"live {seed}")
        self._scoreboard = scoreboard
        self._stage = stage
        self._seed = seed
        self._now_s = now_s
        self._visitors = visitors
        self._visited: frozenset[int] = frozenset()
        self._view: LiveView
        self._things: dict[Token, str] = {}
        self._waiting: _Waiting | None = None
        self._laid_by: dict[Token, int] = {}
        self._since_s: dict[object, float] = {}
        self._tries = (-1, 0)

    def errands(self) -> Iterator[Errand]:
        """What happens next; decided again each time, without end."""
        while (view := self._scoreboard.look()) is None:
            yield Errand(rest_s=LOOK_S)
        self._look(view)
        for token, place in self._wanted().items():
            self._stage.lying[token] = self._stage.put(token, place)
        while True:
            if (now := self._scoreboard.look()) is not None:
                self._look(now)
                self._show_visitors()
                yield self._next()
            else:
                yield Errand(rest_s=LOOK_S)

    def _look(self, view: LiveView) -> None:
        self._view = view
        self._things = {token: thing for thing, token in view.tokens.items()}
        self.people.follow(view)

    def _next(self) -> Errand:
        view, now_s = self._view, self._now_s()
        if self._waits(now_s):
            return Errand(rest_s=LOOK_S)
        if commands := [token for token in self._stage.lying if self._stage.place(token) == COMMAND_ZONE]:
            self._since_s.pop("away", None)
            return Errand(tuple(Carry(self._seat(), token, None) for token in commands))
        if not self._is_due("away", now_s, UNSEEN_S if view.command_lies else AWAY_S):
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
        self._dice = random.Random(f"{self._seed} {self._tries}")
        deed = self.people.act(DecisionMoment(self._dice, now_s, self._lying(), self._visited))
        return self._idle(now_s) if deed is None else self._do(deed)

    def _idle(self, now_s: float) -> Errand:
        stirs = self._is_due("idle", now_s, IDLE_S)
        if stirs:
            del self._since_s["idle"]
        return Errand(rest_s=LOOK_S, idle=stirs)

    def _waits(self, now_s: float) -> bool:
        """Whether the referee's response to the last deed is still missing."""
        waiting, view = self._waiting, self._view
        if waiting is not None:
            self._since_s.pop("idle", None)
        if waiting is None:
            return False
        answered = view.number > waiting.number
        if waiting.thing is not None:
            word = view.lying.get(waiting.thing) != waiting.lay or waiting.thing in view.refused
            answered = word or (answered and bool(view.questions))
        if answered or now_s >= waiting.until_s:
            self._waiting = None
        return self._waiting is not None

    def _is_due(self, what: object, now_s: float, after_s: float) -> bool:
        """Whether a situation has lasted this long."""
        return now_s - self._since_s.setdefault(what, now_s) >= after_s

    def _forget(self, what: str, stands: set[Token]) -> None:
        """Forget situations that no longer exist."""
        for key in [key for key in self._since_s if isinstance(key, tuple) and key[0] == what]:
            if key[1] not in stands:
                del self._since_s[key]

    def _answer(self, now_s: float) -> Errand | None:
        """Choose the first answer to a question."""
        for question in self._view.questions:
            if self._is_due(("question", question), now_s, VISITOR_ANSWER_S if self._visited else ANSWER_S):
                self._since_s["question", question] = now_s
                self._scoreboard.answer(question, self._view.number)
            return Errand(rest_s=LOOK_S)
        return None

    # -- the table as in the log ----------------------------------------------------------------------

    def _wanted(self) -> dict[Token, Zone]:
        """Where every piece should lie."""
        return {self._view.tokens[thing]: Zone(place) for thing, place in self.people.wanted().items()}

    def _lying(self) -> dict[Token, Zone]:
        """What lies in front of the people, and where."""
        places = ((token, self._stage.place(token)) for token in self._stage.lying)
        return {token: place for token, place in places if place is not None}

    def _put_right(self, now_s: float) -> Errand | None:
        """Move pieces to where the log has them; the player who laid a piece does it."""
        wanted, lying = self._wanted(), self._lying()
        refused = {self._view.tokens[thing] for thing in self._view.refused if thing in self._view.tokens}
        unnamed = {self._view.tokens[thing] for thing in self.people.unnamed(lying)}
        self._forget("refused", refused)
        self._forget("unnamed", unnamed)
        carries: list[Carry] = []
        doubted = False
        for token in (*lying, *(token for token in wanted if token not in lying)):
            if lying.get(token) in (wanted.get(token), COMMAND_ZONE):
                continue
            # A piece that is not named after a while is laid again.
            if token in unnamed and not self._is_due(("unnamed", token), now_s, HEARD_AFTER_S):
                continue
            doubt_s = VISITOR_DOUBT_S if self._laid_by.get(token) in self._visited else DOUBT_S
            if token in refused and not self._is_due(("refused", token), now_s, doubt_s):
                doubted = True
                continue
            carries.append(Carry(self._hand_for(token), token, wanted.get(token)))
        if carries:
            return Errand(tuple(carries[:MOST_CARRIES]), rest_s=0.3)
        if doubted:
            return self._idle(now_s)
        if refused and not self._is_due(("settles", self._view.number), now_s, SAID_AFTER_S):
            return Errand(rest_s=LOOK_S)
        # The referee does not notice a piece that is laid again before the camera saw it gone.
        gone = {self._view.tokens[thing] for thing in self._view.seen} - lying.keys() - wanted.keys()
        self._forget("gone", gone)
        if any(not self._is_due(("gone", token), now_s, UNSEEN_S) for token in gone):
            return Errand(rest_s=LOOK_S)
        return None

    def _seat(self) -> Seat:
        return Seat(self._view.standing["turn"] or 1)

    def _hand_for(self, token: Token) -> Seat:
        return Seat(self._laid_by.get(token, self._seat()))

    # -- visitors -------------------------------------------------------------------------------------

    def _show_visitors(self, on_the_way: str | None = None) -> None:
        """Show every visitor their own cards; ``on_the_way``: a piece that a hand has just taken up."""
        if self._visitors is None:
            return
        self._visited = self._visitors.seats()
        wanted, lying = self._wanted(), self._lying()
        for seat in self._visited:
            things = self.people.things(seat)
            astray = tuple(
                thing
                for thing, token in self._view.tokens.items()
                if self._laid_by.get(token) == seat and lying.get(token) not in (None, wanted.get(token))
            )
            tokens = self._view.tokens
            hand = tuple(thing for thing in things.hand if tokens[thing] not in lying and thing != on_the_way)
            named = {name: None if thing == on_the_way else thing for name, thing in things.named.items()}
            astray = tuple(thing for thing in astray if thing != on_the_way)
            self._visitors.show(seat, replace(things, hand=hand, named=named, astray=astray))

    def _gesture(self) -> Errand | None:
        """The next gesture of a visitor's hand, lawful or not."""
        asked = None if self._visitors is None else self._visitors.next_gesture()
        if asked is None or self._visitors is None:
            return None
        seat, gesture = asked
        by, token = Seat(seat), self._view.tokens.get(gesture.card)
        now = self._visitors.things(seat)
        match gesture.do:
            case "lay" if token is not None and now is not None and now[0].can_lay(gesture):
                self._show_visitors(gesture.card)
                beside = self._view.tokens.get(gesture.beside or "")
                return self._do(Deed(steps=(Carry(by, token, Zone(gesture.to or ""), beside),), awaits=token))
            case "take" if token is not None and token in self._lying() and self._laid_by.get(token) == seat:
                home = self._wanted().get(token)
                if home == self._stage.place(token):
                    return None
                return Errand((Carry(by, token, home),), rest_s=0.3)
            case "show" if gesture.card == "KSTOP":
                self._wait(HEARD_AFTER_S)
                tag = Carry(by, Token(f"S{seat}"), COMMAND_ZONE)
                return Errand((tag, Carry(by, Token("KSTOP"), COMMAND_ZONE)), rest_s=1.0)
            case "show":
                return self._do(Deed(steps=(Carry(by, Token(gesture.card), COMMAND_ZONE),)))
            case _:
                deed = self.people.gesture(seat, gesture)
                return None if deed is None else self._do(deed)

    # -- deeds ----------------------------------------------------------------------------------------

    def _do(self, deed: Deed) -> Errand:
        """Report a deed by phone, or do it in front of the camera; a command card is removed after its response."""
        if deed.spoken:
            self._wait(SAID_AFTER_S)
            self._scoreboard.say(deed.move, self._view.number)
            return Errand(deed.steps, rest_s=self._dice.uniform(0.8, 1.4))
        for step in deed.steps:
            if isinstance(step, Carry) and step.place != COMMAND_ZONE:
                self._laid_by[step.token] = step.by
        self._wait(HEARD_AFTER_S, None if deed.awaits is None else self._things.get(deed.awaits))
        return Errand(deed.steps, rest_s=self._dice.uniform(0.6, 1.2))

    def _wait(self, lasts_s: float, thing: str | None = None) -> None:
        lay = None if thing is None else self._view.lying.get(thing)
        self._waiting = _Waiting(self._view.number, self._now_s() + lasts_s, thing, lay)
