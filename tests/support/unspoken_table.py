"""Lawful matches of every game as a table plays them: much is done without a word, some of it in the dark.

The truth is a match of the game's own random players. What leaves a trace on the table is seen by an eye that sees
everything; what leaves none is said, or nobody says it. The referee may be wrong while nobody could know better, and
must then have a question open whose right answer puts everything right.
"""

from __future__ import annotations

import copy
from collections import Counter, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from functools import cache
from random import Random
from typing import Any

from support.onlooker import Onlooker

from companion.games.carcassonne.people import MapPlaces, neat_player as neat_mapper
from companion.games.darwinci.moves import DealPlots, reserve
from companion.games.darwinci.people import PlotPlaces, neat_player as neat_digger
from companion.games.darwinci.setup import DARWIN_TILE
from companion.games.discovery.moves import Deal, EndTurn
from companion.games.lands.people import IslandPlaces, islander
from companion.games.protocol import Game, Move, MoveContext
from companion.games.registry import GAMES, demo_deck, open_match
from companion.history.events import Origin, Refused
from companion.public.table import (
    COMMAND_ZONE,
    TABLE,
    CardId,
    Change,
    Observation,
    Placement,
    Seat,
    TableState,
    Token,
    UnreadPlace,
    ViewLost,
    Zone,
    changes,
)
from companion.public.updates import Signal, Update
from companion.referee.commands import Allow, AnswerQuestion, Claim, Command, CommandCard, CorrectCounts, MakeMove, Undo
from companion.referee.match import Match
from companion.referee.referee import Referee

LOOKS_A_SECOND = 4
POOL = 5
DARK_S = 8.0
DEEPEST = 6
"""So many words in a row may be needed until everything is right."""
ACCUSING = {Signal.REFUSED, Signal.MISPLACED, Signal.TROUBLE}
"""What people hear or read when they are held to have done something wrong."""
NEVER = {
    "discovery": frozenset({"stop", "joker", "interrupt", "agree_end", "uncontested"}),
    "carcassonne": frozenset({"agree_end"}),
    "darwinci": frozenset({"count", "size", "agree_end"}),
    "lands": frozenset({"agree_end"}),
}
"""Acts that the stories leave out: they are said anyhow, and other tests are about them."""
UNSEEN_COUNTERS = frozenset({"hands", "stack", "trumps", "bidding"})
"""What nobody sees, and people count when they doubt it; a trump for an empty hand hangs on it.
How many optional bidding turns were left out nobody can see before the next act."""


@dataclass(frozen=True, slots=True)
class Step:
    """One act of a story.

    Attributes:
        pick: Chooses the act among the lawful ones.
        aloud: An act that leaves no trace is said all the same.
        dark: It happens while the table is out of sight.
        late: The question that it leaves open is answered so many acts later.
    """

    pick: int
    aloud: bool = False
    dark: bool = False
    late: int = 0


RIM_MM = {"carcassonne": (1040.0, 40.0), "darwinci": (760.0, 440.0), "discovery": (200.0, 40.0)}
"""Where things of the match before are forgotten."""


class Unfair(AssertionError):
    """A lawful table was accused, or is told wrongly and has no way out."""


class Accused(Unfair):
    """A lawful table was held to have done something wrong."""


@dataclass
class Counts:
    """What a match cost its table.

    Attributes:
        questions: Questions that somebody had to answer: the lamp waited.
        offers: Ways to contradict that were offered without a lamp.
        claims: Cards that somebody had to say were theirs, and words that had to be said again.
    """

    acts: int = 0
    questions: int = 0
    offers: int = 0
    claims: int = 0


def leaves_a_trace(game: Game[Any, Any], before: Any, after: Any) -> bool:
    """Whether an act changes what should lie on the table."""
    public_before, public_after = game.public(before), game.public(after)
    return bool(changes(game.table.expected(public_before), game.table.expected(public_after).cards))


def is_quiet(game: Game[Any, Any], before: Any, move: Move, after: Any) -> bool:
    """Whether people may leave an act unsaid: it names nothing but its seat, and passes the turn on."""
    if move.by == TABLE or [one.name for one in fields(move)] != ["by"] or move.do == "leave":
        return False  # who leaves the map says so: the figure alone may only be in somebody's hand
    public = game.public(before)
    standing = game.board.standing(public)
    contest = getattr(public, "contest", None)
    return not standing.owed and contest is None and move.by == standing.turn


class UnspokenTable:
    """A table that plays a match, and the referee that watches it.

    Args:
        game: The name of the game.
        seed: Of the match file.
        profile: Of the game.
        inferred: Discovery: nobody has to say that a turn is over.
        bound: Count what nobody can know without a word.
    """

    def __init__(self, game: str, seed: int, profile: str = "", *, inferred: bool = False, bound: bool = True) -> None:
        module = GAMES[game]
        header = module.demonstration.random_match(Random(seed), profile)
        if game == "discovery":
            header["game"] = "discovery"
            header["seat"] = [{"name": one["name"]} for one in header["seat"]][: 2 + seed % 3]
            while len(header["seat"]) < 2 + seed % 3:
                header["seat"].append({"name": f"Seat {len(header['seat']) + 1}"})
            header["dealer"] = 1 + header["dealer"] % len(header["seat"])
            header["jokers"] = 0
            header["options"] = {"turn_end": "inferred"} if inferred else {}
        opened = open_match(header, demo_deck(module))
        self.name, self.game, self.layout = game, opened.game, opened.layout
        self.tokens = {card: token for token, card in self.game.table.cards.items()}
        self._places, self._player = _people(game, self.game, self.layout)
        self.state: Any = self.game.rules.start
        self.mover: Seat = TABLE
        self.before: Any = self.state
        self.number, self.looks, self.time_s = 1, 0, 100.0
        self.placed: dict[Token, Placement] = {}
        self.kept: dict[Token, tuple[Zone, Any]] = {}
        self.shown: dict[Token, Placement] = {}
        self.first: frozenset[Token] = frozenset()
        self.unread: dict[Token, UnreadPlace] = {}
        self.since_seen = [self.state]
        self.chores: list[Change] = []
        self.waiting: list[int] = []
        self.acts: list[Move] = []
        self.story: list[str] = []
        self.phoned: Move | None = None
        self.shown_command: Token | None = None
        self.whose: dict[tuple[str, CardId], Seat] = {}
        self.updates: list[Update] = []
        self._there: tuple[Placement, ...] = ()
        self._last = TableState()
        self.counts = Counts()
        self.onlooker = Onlooker(self.game, self._known, looks=bound)
        self.match = self._referee()

    def _referee(self) -> Match:
        return Match(self.game, write=lambda _: None, publish=self.updates.append)

    # -- the table ---------------------------------------------------------------------------------

    def looks_on(self, seconds: float, *, hand: bool = False, lost: ViewLost | None = None) -> None:
        """The referee watches for so long."""
        for _ in range(max(1, round(seconds * LOOKS_A_SECOND))):
            self.looks += 1
            self.time_s += 1 / LOOKS_A_SECOND
            there = (*self.placed.values(), *self.shown.values())
            if lost is None and [*map(id, there)] != [*map(id, self._there)]:
                self._there, self._last = (
                    there,
                    TableState(frozenset(there)),
                )  # as the eye: the same while nothing moves
            look = Observation(
                self.looks,
                self.time_s,
                self._last,
                settled=not hand,
                hand_in_view=hand,
                lost=lost,
                unread=tuple(self.unread.values()),
                there_first=self.first & self.placed.keys(),
            )
            self.match.handle(look, self.time_s)
            self.match.wake(self.time_s)

    def puts(self, card: CardId, place: Zone | None) -> None:
        """A hand lays a thing there, or takes it away."""
        token = self.tokens[card]
        self.first -= {token}
        self.kept.pop(token, None)
        self.placed.pop(token, None)
        if place is None:
            return
        if place in {zone.name for zone in self.layout.zones} or self._places is None:
            self.placed[token] = Placement(token, place)
            return
        pose = self._places.pose(token, place, self.kept, None)
        self.kept[token] = place, pose
        zone = self.layout.zone_at(pose.x_mm, pose.y_mm)
        self.placed[token] = Placement(token, zone, pose.x_mm, pose.y_mm, pose.rotation_deg)

    def says(self, said: Command) -> None:
        self.match.handle(said, self.time_s)

    def begins_among(self, count: int) -> None:
        """Things of the match before lie at the rim, and are seen first: those that this match uses last."""
        tokens = sorted(self.tokens.values(), reverse=True)
        dice = Random(count)
        for place, token in enumerate(dice.sample(tokens[: len(tokens) // 4], count)):
            x_mm, y_mm = RIM_MM[self.name][0], RIM_MM[self.name][1] + 60.0 * place
            self.placed[token] = Placement(token, self.layout.zone_at(x_mm, y_mm), x_mm, y_mm)
        self.first = frozenset(self.placed)
        if count:
            self.looks_on(4.0)

    def clears_old(self) -> None:
        """The things of the match before are taken up, one after the other."""
        for token in sorted(self.first):
            self.looks_on(0.5, hand=True)
            self.placed.pop(token, None)
            self.looks_on(1.0)

    # -- the truth ---------------------------------------------------------------------------------

    @property
    def at(self) -> MoveContext:
        return MoveContext(self.number, self.match.play_s(self.time_s))

    @property
    def over(self) -> bool:
        return self.game.board.standing(self.game.public(self.state)).over

    def chooses(self, pick: int) -> Move | None:
        """A lawful act of the match."""
        dice = Random(pick)
        public = self.game.public(self.state)
        if self.name == "discovery" and not public.dealt and not public.latest_act:
            return Deal(TABLE, tuple(sorted(dice.sample(sorted(self.game.setup.facts), POOL))))
        tries = 0
        while tries < 20:
            tries += 1
            for move in self._player(public, dice, self.at):
                if move.do in NEVER[self.name] or getattr(move, "new_series", False):
                    continue
                if getattr(move, "cost", None) == 0:
                    continue  # a figure that a card moves looks like a step
                if not self.game.rules.judge(public, move, self.at):
                    # Before the table is clear, a phone says no more than that.
                    return move if not self.first or self._is_seen(move) else None
        return None

    def _is_seen(self, move: Move) -> bool:
        after = self.game.rules.apply(self.state, move, self.at).state
        is_old = move.laid is not None and self.tokens[move.laid] in self.first  # nobody plays with what lies there yet
        return move.is_deal or (leaves_a_trace(self.game, self.state, after) and not is_old)

    def _does(self, move: Move) -> tuple[Any, Any]:
        before, at = self.state, self.at
        step = self.game.hidden.apply(before, move, at, self.game.rules.apply(before, move, at))
        self.before, self.state = before, step.state
        self.acts.append(move)
        self.number += 1
        return before, self.state

    def does(self, step: Step) -> bool:
        """One act of the match; answers whether there was one."""
        move = self.chooses(step.pick)
        if move is None or self.over:
            return False
        dice = Random(step.pick)
        at = self.at
        self.mover = move.by
        before, after = self._does(move)
        self.phoned = self.shown_command = None
        if self.over:
            self._counts_last_cards(before)
        traces = list(self._traces(before, after))
        quiet = is_quiet(self.game, before, move, after)
        spoken = not traces or (quiet and step.aloud) or not self._explains(before, move, traces)
        self.counts.acts += 1
        if move.laid is not None and move.by != TABLE:
            self.whose[move.do, move.laid] = move.by
        if step.dark:
            self.looks_on(0.25, lost=ViewLost.DARK)
        if traces and not quiet:
            self.finish_chores(dice, all_of_them=move.do in ("offer", "lay_start", "deal"))
        how = "in silence" if quiet and not step.aloud else "said" if spoken else "seen"
        self.story.append(f"{move}{', ' + how}{' in the dark' if step.dark else ''}")
        if quiet:
            self.chores += [change for change in traces if change not in self.chores]
            dice.shuffle(self.chores)
            if not step.aloud:
                self.since_seen.append(self.state)
            elif not step.dark:
                self._said(move, dice, at)
        else:
            self._seen(move, traces, spoken and not step.dark, step.dark)
            self._onlooker_sees(move, at, traces, spoken, step.dark)
        if step.dark:
            self.looks_on(DARK_S, lost=ViewLost.DARK)
        self.looks_on(4.0 if step.dark else 0.5)
        return True

    def _counts_last_cards(self, before: Any) -> None:
        """Hands that nobody sees are counted before somebody lays the last card."""
        counters = self.game.board.standing(self.game.public(before)).counters
        counted = tuple((name, counters[name]) for name in ("hands", "stack") if name in counters)
        known = self.match.standing.counters
        if any(known.get(name) != count for name, count in counted):
            self.says(CorrectCounts(counted))

    def _seen(self, move: Move, traces: list[Change], spoken: bool, dark: bool) -> None:
        if not dark:
            self.looks_on(0.5, hand=True)
        if spoken and not traces:
            self.phoned = self.game.hidden.as_spoken(move)
            self.says(MakeMove(self.phoned, Origin.PHONE))
        first = [change for change in traces if change.card in (move.laid, move.subject)]
        for change in [*first, *(one for one in traces if one not in first)]:
            self.puts(change.card, change.went_to)
        if isinstance(move, DealPlots):
            self.puts(DARWIN_TILE, reserve(move.darwin))
        if spoken and traces:
            self.says(MakeMove(self.game.hidden.as_spoken(move), Origin.PHONE))
        if not dark:
            lifted = all(change.went_to is None for change in traces)
            self.looks_on(3.0 if self.name == "lands" or lifted else 1.5)
        self.since_seen = [*self._also_without(move), self.state]

    def _onlooker_sees(self, move: Move, at: MoveContext, traces: list[Change], spoken: bool, dark: bool) -> None:
        seen = [change for change in traces if change.card == move.subject]
        if spoken and dark:
            self.onlooker.is_told(self.state)
        elif spoken or move.is_deal or not seen:
            self.onlooker.hears(move, at, self.state)
        else:
            self.onlooker.sees(seen[0], at, self.state)

    def _also_without(self, move: Move) -> list[Any]:
        """What the table itself does shows nothing of the turns that have ended in silence: it may have come before."""
        if move.by != TABLE:
            return []
        lawful = (
            state for state in self.since_seen if not self.game.rules.judge(self.game.public(state), move, self.at)
        )
        return [self.game.rules.apply(state, move, self.at).state for state in lawful][:-1]

    def _said(self, move: Move, dice: Random, at: MoveContext) -> None:
        """With the command card, which names no seat, or on a phone."""
        command = {"end_turn": "KEND", "pass": "KPASS"}.get(move.do)
        if command is None or dice.random() < 0.5:
            self.says(MakeMove(move, Origin.PHONE))
            self.phoned = move
            self.onlooker.hears(move, at, self.state)
        else:
            self.onlooker.is_shown(type(move), at, self.state)
            self.shown_command = Token(command)
            self.shown = {self.shown_command: Placement(self.shown_command, COMMAND_ZONE)}
            self.looks_on(2.5)
            self.shown = {}
        self.looks_on(1.0)
        self.since_seen = [self.state]

    def _traces(self, before: Any, after: Any) -> Iterator[Change]:
        """What hands have to move so that the table is as it should be."""
        expected = self.game.table.expected(self.game.public(before))
        wanted = self.game.table.expected(self.game.public(after)).cards
        for change in changes(expected, wanted):
            if self.name == "lands" and change.card[0] == "M" and change.came_from is not None:
                continue  # a tile stays where it is; only what is known about it changes
            yield change

    def _explains(self, before: Any, move: Move, traces: list[Change]) -> bool:
        """Whether what lies there afterwards says what was done."""
        public = self.game.public(before)
        return move.is_deal or any(move in self.game.table.interpretations(public, change) for change in traces)

    def finish_chores(self, dice: Random, *, all_of_them: bool) -> None:
        """People clear up, in any order, between their acts."""
        count = len(self.chores) if all_of_them else dice.randint(0, len(self.chores))
        for change in self.chores[:count]:
            self.looks_on(0.25, hand=True)
            self.puts(change.card, change.went_to)
            self.looks_on(dice.choice((0.5, 2.5)))
            self.since_seen = [self.state]
            self.onlooker.is_told(self.state)
        del self.chores[:count]

    # -- what must hold ----------------------------------------------------------------------------

    def facts(self, state: Any, *, hands: bool = False) -> Any:
        """What everybody may know of a standing; things that are alike have no names."""
        game, public = self.game, self.game.public(state)
        standing = game.board.standing(public)
        counters = {name: value for name, value in standing.counters.items() if hands or name not in UNSEEN_COUNTERS}
        owners = getattr(getattr(game, "setup", None), "owners", {})
        lies = Counter(
            (f"{owners[card]} {self.name == 'darwinci' and card.endswith('0')}" if card in owners else card, zone)
            for card, zone in game.table.expected(public).cards.items()
            if zone != "fight"  # who fights may take it up
        )
        return standing.turn, standing.points, standing.over, tuple(sorted(counters.items())), lies

    def _known(self, state: Any) -> Any:
        *told, lies = self.facts(state)
        return (*told, frozenset(lies.items()))

    def not_theirs(self, match: Match) -> dict[int, Seat]:
        """The acts, by entry, that a referee counts for another seat than the one whose they are."""
        acts = ((number, act.move) for number, act in sorted(match.record.acts.items()) if act.counts and act.move.by)
        last = {(move.do, move.laid): (number, move) for number, move in acts}  # an enemy is met more than once
        whose = ((number, move, self.whose.get(did, move.by)) for did, (number, move) in last.items())
        return {number: seat for number, move, seat in whose if move.by != seat}

    def right(self, match: Match, *, hands: bool = False) -> bool:
        """Whether the referee has it as it is, as far as something was seen or said."""
        known = self.facts(match.record.state, hands=hands)
        if self.name == "discovery" and self.not_theirs(match):
            return False
        return any(self.facts(state, hands=hands) == known for state in [*self.since_seen, *self._next()])

    def _next(self) -> list[Any]:
        """Turns may end by the clock."""
        public = self.game.public(self.state)
        timer = self.game.rules.timer(public)
        if timer is None or self.game.rules.judge(public, timer[1], self.at):
            return []
        return [self.game.rules.apply(self.state, timer[1], self.at).state]

    def blames_nobody(self) -> None:
        for update in self.updates:
            if update.signal in ACCUSING:
                raise Accused(f"accused ({update.signal.value}): {[str(text) for text in update.texts]}\n{self.told}")

    def check(self, late: int = 0) -> None:
        """No accusation; right, or a way out that works."""
        self.blames_nobody()
        self._count()
        self.waiting = [left - 1 for left in self.waiting]
        refused, right = self._refused_word(), self.right(self.match)
        if refused is None and right:
            self.waiting = []
            return
        ways = None if refused is None else self._ways_out(self.match, 2 if right else DEEPEST, refused)
        if ways is None and not right:
            ways = self._ways_out(self.match)
            if ways is None:
                raise Unfair(f"wrong, and no way out: {self._differing()}\n{self.told}")
        if ways is None:
            self.waiting = []
            return  # what was said had been understood already
        # Whoever says something on a phone reads there why it does not count, or what is asked, and acts at once; so
        # do all who read that the match is over.
        at_once = refused is not None or (self.match.standing.over and not self.over)
        if not self.waiting or at_once:
            self.waiting = [0 if at_once else late]
        if min(self.waiting) <= 0:
            self.waiting = []
            for way in ways:
                self._says_so(way)
            if refused is not None and not right and not self._has_counted(self.match, refused):
                self._says_so(MakeMove(refused.move, Origin.PHONE))
            if not self.right(self.match):
                raise Unfair(f"wrong after the answers {ways}: {self._differing()}\n{self.told}")

    def _says_so(self, way: Command) -> None:
        self.counts.claims += isinstance(way, (Claim, CommandCard))
        self.says(way)
        self.looks_on(3.0)

    def _refused_word(self) -> Refused | None:
        """What was said on a phone just now and does not count."""
        if not self.match.record.lines:
            return None
        last = self.match.record.lines[-1].entry
        event = last.event
        said = isinstance(event, Refused) and event.change is None and last.origin is Origin.PHONE
        return event if said and isinstance(event, Refused) else None

    def _has_counted(self, match: Match, refused: Refused) -> bool:
        """Whether it counts by what was said since."""
        since = max(line.entry.number for line in match.record.lines if line.entry.event is refused)
        return any(n >= since and act.counts and act.move == refused.move for n, act in match.record.acts.items())

    def _differing(self) -> str:
        known, true = self.facts(self.match.record.state), self.facts(self.since_seen[-1])
        names = ("turn", "points", "over", "counters", "lies")
        pairs = zip(names, known, true, strict=True)
        wrong = [f"{name} {one}, not {other}" for name, one, other in pairs if one != other]
        wrong += [f"entry {number} was {seat}'s" for number, seat in self.not_theirs(self.match).items()]
        return "; ".join(wrong)

    def _count(self) -> None:
        seen: dict[int, Any] = {}
        for update in self.updates:
            seen |= {question.number: question for question in update.questions}
        self.counts.questions += sum(update.signal is Signal.ASKS for update in self.updates)
        self.counts.offers += len(seen.keys() - getattr(self, "_asked", set()))
        self._asked = getattr(self, "_asked", set()) | seen.keys()
        self.updates.clear()

    def _ways_out(self, match: Match, depth: int = DEEPEST, said: Refused | None = None) -> list[Command] | None:
        """The answers, and the claims of cards that count for somebody else, after which everything is right.

        Only ways are followed after which hardly more is wrong than before.

        Args:
            said: What was said, and has to count after them.
        """
        tried = [(way, self._tried(match, way)) for way in self._ways(match)]
        for way, other in sorted(tried, key=lambda one: not self._is_so(one[1])):  # nobody says what was not so
            if self.right(other) and (said is None or self._has_counted(other, said)):
                return [way]
        if depth == 1:
            return None
        wrong = self._wrong(match)
        nearer = [one for one in tried if self._is_news(match, one[1]) and self._wrong(one[1]) <= wrong + 3]
        best = sorted(nearer, key=lambda one: self._wrong(one[1]))[:3]
        for way, other in best + [one for one in nearer if isinstance(one[0], Claim) and one not in best]:
            if (rest := self._ways_out(other, depth - 1, said)) is not None:
                return [way, *rest]
        return None

    def _is_so(self, match: Match) -> bool:
        """Whether the acts are told as they were, not only what has come of them."""
        told = [(act.move.do, act.move.by, act.move.laid) for _, act in sorted(match.record.acts.items()) if act.counts]
        known = [(move.do, move.by, move.laid) for move in self.acts]
        return told == known[: len(told)]

    def _is_news(self, match: Match, other: Match) -> bool:
        """Whether something has changed, or something else is asked."""
        return other.record is not match.record or bool(
            other.issues.questions.open.keys() - match.issues.questions.open.keys()
        )

    def _ways(self, match: Match) -> list[Command]:
        """What people can say now: an answer; "that was me", of the oldest card that counts for another seat; what was
        refused on a phone, once more, if need be with what they have counted."""
        ways: list[Command] = []
        for number, opened in match.issues.questions.open.items():
            ways += [AnswerQuestion(number, place) for place in range(len(opened.meanings))]
        if self.name in ("discovery", "lands"):  # elsewhere what lies there says whose it is
            ways += self._claims(match)[:1]
        if self.name == "discovery":
            ways += self._insists(match)[:1]
        if self.phoned is not None and match.standing.turn == self.phoned.by:
            ways.append(MakeMove(self.phoned, Origin.PHONE))  # the phone says that it is still that seat's turn
        ways += self._ended_too(match)
        if self.shown_command is not None:  # all screens say whose turn it is: it is shown again, with the seat's tag
            ways.append(CommandCard(CardId(self.shown_command), self.mover, Origin.CAMERA))
        ways += self._counted_anew(match)
        if match.standing.over and not self.over:  # all read that it is over, and somebody still holds cards
            ways += self._true_counts(self.state)
        if self._is_filled_up(match):
            ways += self._true_counts(self.state)
        if not self.match.record.lines:
            return ways
        refused = self.match.record.lines[-1].entry
        if isinstance(refused.event, Refused) and refused.event.change is None and refused.origin is Origin.PHONE:
            said = MakeMove(refused.event.move, Origin.PHONE)
            ways += [said] if match is not self.match else []
            ways += self._true_counts(self.before)
            if refused.number in match.record.open_refusals:
                ways.append(Allow(refused.number, None, Origin.PHONE))  # the host's word
        return ways

    def _ended_too(self, match: Match) -> list[Command]:
        """All screens say whose turn it is: who has ended that turn says so."""
        turn, is_turn = match.standing.turn, self.game.board.standing(self.game.public(self.state)).turn
        if turn is None or turn == is_turn or self.name != "discovery":
            return []
        if not any(act.startswith(f"{EndTurn(turn)},") for act in self.story[-2 * self.game.seats :]):
            return []
        return [MakeMove(EndTurn(turn), Origin.PHONE)]

    def _is_filled_up(self, match: Match) -> bool:
        """All read that somebody has laid the last card, won a trump and drawn anew, and that player still holds cards:
        what was drawn lies in the stack."""
        known, true = (self.game.board.standing(self.game.public(one)) for one in (match.record.state, self.state))
        return "stack" in known.counters and known.counters["stack"] < true.counters["stack"]

    def _true_counts(self, state: Any) -> list[Command]:
        """People count what nobody sees."""
        counters = self.game.board.standing(self.game.public(state)).counters
        counted = tuple((name, counters[name]) for name in ("hands", "stack") if name in counters)
        return [CorrectCounts(counted)] if counted else []

    def _counted_anew(self, match: Match) -> list[Command]:
        """What was said on a phone hung on cards that nobody sees: it is taken back, they are counted, and it is said
        once more."""
        said, number = self.phoned, len(self.match.record.lines)
        if said is None or not number or self.match.record.acts.get(number) is None:
            return []
        if self.match.record.acts[number].move != said:
            return []
        since = [line.entry.event for line in match.record.lines[number:]]
        counters = self.game.board.standing(self.game.public(self.before)).counters
        counted = tuple((name, counters[name]) for name in ("hands", "stack") if name in counters)
        steps: list[Command] = [Undo(number), CorrectCounts(counted), MakeMove(said, Origin.PHONE)]
        known = self.match.record.lines[number - 2].standing.counters if number > 1 else counters
        if all(known.get(name) == count for name, count in counted):
            return []
        return steps[len(since) : len(since) + 1]

    def _wrong(self, match: Match) -> int:
        """How much a referee has wrong: acts of another seat, things that lie otherwise."""
        lies, known = self.facts(self.state)[-1], self.facts(match.record.state)[-1]
        return len(self.not_theirs(match)) + sum(((lies - known) + (known - lies)).values())

    def _claims(self, match: Match) -> list[Command]:
        """ "That was me": of cards that count for another seat, the oldest first."""
        return [Claim(seat, number) for number, seat in self.not_theirs(match).items()]

    def _insists(self, match: Match) -> list[Command]:
        """A trump for a hand that nobody saw become empty cannot be counted afterwards: of the card that was laid with
        it, the host says that it is that seat's all the same."""
        had = self.game.board.standing(self.game.public(self.before))
        ways: list[Command] = []
        for number, seat in self.not_theirs(match).items():
            known = [line.standing for line in match.record.lines[: number - 1] if line.standing.turn == seat]
            if had.turn == seat and known and had.counters["trumps"] > known[-1].counters["trumps"]:
                ways.append(Claim(seat, number, anyway=True))
        return ways

    def _tried(self, match: Match, way: Command) -> Match:
        other = self._copy(match)
        other.handle(way, self.time_s)
        for number in range(1, 13):  # what was refused meanwhile may count by the next looks
            at_s = self.time_s + number / LOOKS_A_SECOND
            other.handle(Observation(self.looks + number, at_s, self._last), at_s)
        return other

    def _copy(self, match: Match) -> Match:
        """The same referee once more, to try something on."""
        other = _copied(match, {})
        other._publish = lambda _: None  # noqa: SLF001
        other.corrections = tuple  # and nobody reads what could be corrected then
        return other

    @property
    def told(self) -> str:
        lines = [f"  {line.entry.number} {line.entry.event}" for line in self.match.record.lines]
        asked = [str(one.question.text) for one in self.match.issues.questions.open.values()]
        return "\n".join(["the table:", *(f"  {one}" for one in self.story), "the log:", *lines, f"asked: {asked}"])


def _copied(value: Any, known: dict[int, Any]) -> Any:
    """A copy of all of a referee that can change; what is frozen is shared with it."""
    if id(value) in known:
        return known[id(value)]
    kind = type(value)
    if kind in (dict, set):
        copied = copy.copy(value)
    elif kind in (list, deque):
        copied = kind(_copied(one, known) for one in value)
    elif _changes(kind):
        copied = copy.copy(value)
    else:
        return value
    known[id(value)] = copied
    if kind is dict:
        copied.update((key, _copied(one, known)) for key, one in value.items())
    elif _changes(kind):
        for name in [one.name for one in fields(value)] if is_dataclass(value) else vars(value):
            object.__setattr__(copied, name, _copied(getattr(value, name), known))
    return copied


@cache
def _changes(kind: type) -> bool:
    """Whether values of a class of the referee's can change, or hold what can."""
    frozen = is_dataclass(kind) and kind.__dataclass_params__.frozen  # type: ignore[attr-defined]
    own = kind.__module__.startswith("companion.referee") and not issubclass(kind, Enum)
    return own and (not frozen or kind is Referee)


def _people(name: str, game: Any, layout: Any) -> tuple[Any, Callable[[Any, Random, MoveContext], Iterator[Move]]]:
    """Where things of a game lie exactly, and a player who keeps to the table."""
    if name == "carcassonne":
        places = MapPlaces(game, layout)
        return places, neat_mapper(game, places.reach, slips=False)
    if name == "darwinci":
        return PlotPlaces(game, layout), neat_digger(game)
    if name == "lands":
        island = IslandPlaces(game, layout)
        return island, islander(game, island)
    return None, GAMES[name].demonstration.random_player(game)


def plays(table: UnspokenTable, steps: list[Step], left: int = 0) -> Counts:
    """A whole story; raises ``Unfair`` where the referee is not fair to its table.

    Args:
        left: So many things of the match before lie there still when the first things of this one are laid.
    """
    table.begins_among(left)
    table.looks_on(0.5)
    for step in steps[: 3 if left else 0]:
        table.does(step)
        table.blames_nobody()
    table.clears_old()
    if left:
        table.looks_on(8.0)
        table.check()
        steps = steps[3:]
    for step in steps:
        if not table.does(step):
            break
        table.check(step.late)
    table.finish_chores(Random(0), all_of_them=True)
    table.looks_on(6.0)
    table.check()
    return table.counts
