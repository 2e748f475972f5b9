"""The reconciler: compares each look at the table with the log, and responds to each difference once."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator, Mapping, Sequence, Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from companion.games.protocol import Game, Move, MoveContext
from companion.history.corrections import (
    cards_of_this_turn,
    is_of_last_act,
    is_taken_back,
    last_undoable,
    late_events,
    read_late,
    retelling_events,
    retelling_origins,
    source_zone,
    undo_events,
    why_broken,
)
from companion.history.counting import counting_events, left_in_pile
from companion.history.events import (
    Allowed,
    Entry,
    Event,
    Origin,
    Played,
    Refused,
    Settled,
    Struck,
    TurnTold,
    Unexplained,
)
from companion.history.record import Record, append
from companion.public.table import COMMAND_ZONE, LOOSE, TABLE, CardId, Change, Observation, Seat, UnreadPlace, Zone
from companion.public.text import Text
from companion.public.updates import Signal
from companion.referee.command_cards import CommandCards, may_act, possible_moves
from companion.referee.commands import CloseQuestions, Command
from companion.referee.decisions import (
    Decision,
    Decisions,
    ask_which,
    correct,
    offer_laid_anew,
    pass_on,
    play,
    refuse,
    retold_texts,
)
from companion.referee.early import mended, refused_too_early, refuted_turns, state_after
from companion.referee.hanging import Answers as OpenAnswers, after_all, hanging, moves_of_all
from companion.referee.issues import TableIssues, clear_away, places, put_right, unread_text
from companion.referee.missed import MissedTime
from companion.referee.ordering import in_order
from companion.referee.questions import OpenQuestion
from companion.referee.start import MatchStart, clear_table, in_the_way
from companion.referee.unread import Marks, explaining, may_lie_there

Interpretation = tuple[Change, Move]
Answers: TypeAlias = Generator[Decision | Command, Record[Any], Record[Any]]
"""As ``Decisions``; also yields commands that were shown to the camera, for the referee."""


def legal_interpretations(
    game: Game[Any, Any], record: Record[Any], change: Change, at: MoveContext
) -> tuple[Move, ...]:
    """The moves that a change could mean and that are lawful."""
    public = record.public
    return tuple(move for move in game.table.interpretations(public, change) if not game.rules.judge(public, move, at))


def most_plausible(
    game: Game[Any, Any], record: Record[Any], options: list[Interpretation], at: MoveContext
) -> Interpretation:
    """Of several cards laid between two looks, the one after which most of the others are lawful."""
    if len(options) == 1:
        return options[0]

    def others_after(option: Interpretation) -> int:
        public = game.public(game.rules.apply(record.state, option[1], at).state)
        return sum(
            any(not game.rules.judge(public, move, at) for move in game.table.interpretations(public, change))
            for change, _ in options
            if change != option[0]
        )

    return max(options, key=others_after)


def already_reported(record: Record[Any], differences: tuple[Change, ...]) -> set[Change]:
    """After a restart: the differences that were announced before, or that an undo left on the table.

    Differences that were only asked about are asked about again, and cards that were taken back in between count as
    new.
    """
    events = [line.entry.event for line in record.lines]
    taken_back = {event.number for event in events if isinstance(event, Settled) and not event.misread}
    reported = {
        line.entry.event.change
        for line in record.lines
        if isinstance(line.entry.event, Unexplained)
        or (isinstance(line.entry.event, Refused) and not line.entry.event.asks)
        if line.entry.number not in taken_back
    }
    undone = undone_cards(record)
    return {change for change in differences if change in reported or (change.went_to and change.card in undone)}


def has_laid_since(record: Record[Any], number: int) -> bool:
    """Whether something that a player laid counts, and came after an entry."""
    return any(act.counts and act.move.by and act.move.laid for n, act in record.acts.items() if n > number)


def undone_cards(record: Record[Any]) -> set[CardId | None]:
    events = [line.entry.event for line in record.lines]
    undone = (events[event.number - 1] for event in events if isinstance(event, Struck))
    return {event.move.subject for event in undone if isinstance(event, (Played, Refused))}


IN_FLIGHT_S = 4.0
"""A lifted card counts as being moved until its place has been empty this long with no hand in view."""
CONFIRMED_AFTER_S = 0.3
"""An unlawful card must have lain still this long, without a hand, before it is announced."""
LOOSE_S = 3.0
"""A card outside every zone is left alone this long, so that players can finish moving it."""
HAND_PATIENCE_S = 3.0
"""... or this long under a hand that stays."""
READING_PATIENCE_S = 2.5
"""A command card waits this long for the camera to read the other cards."""
COMMAND_PATIENCE_S = 1.5
"""A command that is not lawful now waits this long for a card that explains it."""
TAKEN_BACK_S = 2.0
"""The last card of this turn counts as taken back when its place was empty this long with no hand in view."""
LAID_BACK_S = 10.0
"""A card laid back within this time counts as never having been taken up."""
CHORE_S = 15.0
"""How long, without a hand in view, players may take for what an act requires, before they are reminded.

Examples: putting a stopped card away, taking up an undone one.
"""
WRONG_DEAL_S = 8.0
"""How long players may correct a deal that is complete and wrong, before it is announced."""
SECOND_THOUGHT_S = 3.0
"""A player who takes up a card within this time changed their mind; later, if all other cards are done,
it counts as clearing the table.
"""
EARLY_S = 5.0
"""A card that was laid too early ends the turns before it, if they have nothing left to do and there was no
activity for this long.
"""
RESOLVED_S = 5.0
"""After an unreadable place has disappeared, a card that appears within this time is the one that lay there."""
DISAGREEMENT_CARDS = 3
"""If this many cards disappear at once, it is not a move: table and log disagree."""


@dataclass(frozen=True, slots=True)
class TakenBackCard:
    """A card that was taken off the table: the resulting entry, and where the card lay.

    Attributes:
        earlier: The one that was taken off just before, with nothing in between.
    """

    entry: int
    placed: Change
    until_s: float
    earlier: TakenBackCard | None = None

    @property
    def row(self) -> tuple[TakenBackCard, ...]:
        """All that were taken off in a row, the last one first."""
        return (self, *(self.earlier.row if self.earlier is not None else ()))


@dataclass(frozen=True, slots=True)
class SentHome:
    """Something that was asked about lies where it came from: the moves of the one answer and of what hangs on it, the
    last entry then, and how long clearing up may still give that answer.
    """

    moves: tuple[Move, ...]
    entry: int
    until_s: float


@dataclass
class Reconciler:
    """Responds to observations.

    Attributes:
        issues: Open issues between table and log; shared with the referee.
        command_cards: Command cards and seat tags in view.
        quiet_since_s: Since when a difference has existed with no hand in view.
        seen_since_s: Since when a difference has existed, with or without hands.
        unshown_since_s: Since when no look has shown a card that lies there, though nothing is known to cover it.
        left_s: For cards that are gone: when their place was first seen empty.
        bare_since_s: ... and when first with no hand in view, also of those that may be hidden; later hands do not
            change it.
        suspected_s: Since when an unlawful card has been seen, not yet confirmed.
        resting: Differences of the last look that have not existed as long as the game requires.
        taken_back: The last card that was taken back, while it may still be laid back.
        held: The card of the last act, taken up: either taken back, or the table is being cleared. The next act shows
            which.
        last_accounted: The last place of each card that was right, or explained by a move.
        start: What lay there before the match.
        missed: Time in which the table was out of sight.
    """

    game: Game[Any, Any]
    issues: TableIssues
    command_cards: CommandCards = field(default_factory=CommandCards)
    quiet_since_s: dict[Change, float] = field(default_factory=dict)
    seen_since_s: dict[Change, float] = field(default_factory=dict)
    unshown_since_s: dict[CardId, float] = field(default_factory=dict)
    left_s: dict[Change, float] = field(default_factory=dict)
    bare_since_s: dict[Change, float] = field(default_factory=dict)
    suspected_s: dict[Change, float] = field(default_factory=dict)
    resting: tuple[Change, ...] = ()
    taken_back: TakenBackCard | None = None
    held: Change | None = None
    last_accounted: dict[CardId, Zone] = field(default_factory=dict)
    start: MatchStart = field(default_factory=MatchStart)
    missed: MissedTime = field(default_factory=MissedTime)
    _reminded: set[Change] = field(default_factory=set)
    _resumes_s: float | None = None
    _wrong_deal: tuple[Move, float] | None = None
    _resolved_s: float = -math.inf
    _cleared_s: float | None = None
    _lifted_s: dict[Change, float] = field(default_factory=dict)
    _sent_home: SentHome | None = None
    _marks: Marks = field(default_factory=Marks)
    _explained: dict[Change, tuple[int, tuple[UnreadPlace, ...], bool]] = field(default_factory=dict)
    _answers: OpenAnswers = field(default_factory=OpenAnswers)

    def handle(self, record: Record[Any], look: Observation, time_s: float | None) -> Answers:
        """The decisions on one look, and the commands that it shows."""
        issues = self.issues
        if look.lost is not issues.lost:
            issues.lost = lost = look.lost
            if lost is None:
                record = yield Decision(signal=Signal.FOUND, texts=(self.missed.found(self.game, record, look),))
            else:
                self.missed.lost(self.game, record, issues)
                record = yield Decision(signal=Signal.LOST, texts=(Text(f"referee.lost.{lost.value}"),))
        if look.lost is not None:
            self.start.is_lost()
            return record
        self._marks.forget_taken(look)
        if look.unread != issues.unread:
            record = yield self._note_unread(record, look)
        names = self.game.table.cards
        issues.lying = self._lying(record, look)
        in_command_zone = frozenset(
            names.get(token, CardId(token)) for token, zone in look.table.zones().items() if zone == COMMAND_ZONE
        )
        issues.commands = in_command_zone
        claim = self.command_cards.look(in_command_zone, look.taken_s, hand=look.hand_in_view)
        if claim is not None:
            record = yield claim
        record, follows = yield from self.missed.seen(self.game, record, issues, look)
        if not follows:
            return record
        if record.standing.over and issues.awaits_answer:
            if not self._is_cleared_away(record, look):
                return (yield from self._commands(record, look, time_s))
            record = yield CloseQuestions()
        if record.paused:
            record = yield from self._vanished(record)
        else:
            record = yield from self._cards(record, look, time_s)
        postponed = issues.postponed
        if postponed is not None and not self._waits(record, postponed.move, time_s):
            issues.postponed = None
            if not self.game.rules.judge(record.public, postponed.move, record.next_context(time_s)):
                record = yield postponed
        return (yield from self._commands(record, look, time_s))

    def _is_cleared_away(self, record: Record[Any], look: Observation) -> bool:
        """Whether the match is over and people have cleared up, although something is still asked."""
        gone = sum(change.went_to is None for change in self._differences(record))
        if gone < DISAGREEMENT_CARDS and self.issues.lying:
            self._cleared_s = None
            return False
        if self._cleared_s is None or look.hand_in_view:
            self._cleared_s = look.taken_s
        return look.taken_s - self._cleared_s >= IN_FLIGHT_S

    def _lying(self, record: Record[Any], look: Observation) -> dict[CardId, Zone]:
        """Card to zone as a look shows them, without command cards.

        Of things that are alike, the one that is asked about keeps its name, as it would after an answer: another one
        that is lifted meanwhile is no thing that wandered.
        """
        lying = self.issues.places(self.game, record, look.table)
        refusals = record.open_refusals.values()
        asked = {one.change for one in refusals if one.asks and one.change is not None and one.change.went_to}
        if all(lying.get(change.card) == change.went_to for change in asked):
            return lying
        for state in self._answered_states(record, look):
            told = places(self.game, self.game.public(state), look.table)
            if all(told.get(change.card) == change.went_to for change in asked):
                return told
        return lying

    def _answered_states(self, record: Record[Any], look: Observation) -> Iterator[Any]:
        """The states after an answer to one of the open questions, and after what is asked about besides; and the one
        after what was asked about and has gone home.
        """
        game, issues, time_s = self.game, self.issues, record.last_time_s
        refusals = (refused.change for _, refused in sorted(record.open_refusals.items()))
        asked = [change for change in refusals if change is not None and change in issues.asked_about]
        by_question = self._answers.states(game, record, issues.questions, time_s, issues.turn_asked_at)
        for state in (state for answers in by_question.values() for state in answers):
            yield after_all(game, state, asked, record.next_context(time_s))
        if home := self._went_home(record, look):
            state = state_after(game, record.state, home, record.next_context(time_s))
            if state is not None:
                yield state

    def _waits(self, record: Record[Any], move: Move, time_s: float | None) -> bool:
        """Whether the card that a postponed move needs is still missing or unreadable."""
        at = record.next_context(time_s)
        return bool(self.issues.awaited(self.game, record, move)) or self.issues.may_lie_unread(
            self.game, record, move, at
        )

    def _note_unread(self, record: Record[Any], look: Observation) -> Decision:
        """Publish changed unreadable places: phones show all, and each thing is announced once, silently."""
        issues = self.issues
        if set(issues.unread) - set(look.unread):
            self._resolved_s = look.taken_s
        new = self._marks.new(look, record.next_number)
        issues.unread = look.unread
        texts = tuple(unread_text(place) for place in {place.side: place for place in new}.values())
        return Decision(signal=Signal.NOTICE if texts else Signal.SETTLED, texts=texts)

    def _came_unread(self, record: Record[Any], change: Change) -> int | None:
        """The entry before which a thing that does not count yet began to lie there unread; ``None`` if it was read at
        once."""
        names = self.game.table.cards
        came = next((n for token, n in self._marks.came.items() if names.get(token) == change.card), None)
        if came is None:
            return None
        counts = any(act.counts and act.move.subject == change.card for act in record.acts.values())
        return None if counts else came

    def _read_late(self, record: Record[Any], change: Change, time_s: float | None) -> Decision | None:
        """A thing that lay unread counts where it was laid, before what was done since."""
        came = self._came_unread(record, change)
        told = None if came is None else read_late(self.game, record, change, came, time_s)
        if told is None:
            return None
        events = retelling_events(record, told)
        origins = retelling_origins(record, told, Origin.CAMERA, None)
        origins = tuple(
            Origin.CAMERA if event == Played(told.acts[0].move) else one
            for event, one in zip(events, origins, strict=True)
        )
        self.issues.ask_again(events)
        return Decision(events, texts=retold_texts(self.game, record, told), retells=True, origins=origins)

    def _lay_unread(self, record: Record[Any], change: Change) -> list[Seat]:
        """The seats whose turn has ended since a thing began to lie there that was only now read: it may be theirs.

        None, where the game tells by itself whose turn it was.
        """
        came = self._came_unread(record, change)
        if came is None or self.game.rules.infers_turns:
            return []
        had = (line.standing.turn for line in record.lines[max(came - 2, 0) :])
        return list(dict.fromkeys(seat for seat in had if seat not in (None, record.standing.turn)))

    def _moved_on(self, record: Record[Any], look: Observation) -> Decisions:
        """A player ended the turn while a card could not be read, and now the next card is laid: play goes on,
        and so does the turn. A card that was just moved into sight still belongs to the earlier player.
        """
        issues, number = self.issues, self.issues.unread_end
        if number is None:
            return record
        act = record.acts.get(number)
        if act is None or act.counts or issues.postponed is None or issues.postponed.move != act.move:
            issues.unread_end = None
            return record
        if look.taken_s - self._resolved_s < RESOLVED_S:
            return record
        fresh = (c for c in self._differences(record) if c.went_to is not None and c not in issues.reported)
        meanings = (move for change in fresh for move in self.game.table.interpretations(record.public, change))
        if not any(move.by != TABLE for move in meanings):
            return record
        issues.postponed = issues.unread_end = None
        return (yield Decision((Allowed(number),)))

    def _differences(self, record: Record[Any]) -> tuple[Change, ...]:
        return self.issues.differences(self.game, record)

    def _cards(self, record: Record[Any], look: Observation, time_s: float | None) -> Decisions:
        """The decisions on the cards of one look."""
        game, issues = self.game, self.issues
        public = record.public
        if record.standing.over:
            return (yield from self._vanished(record))
        record = yield from self._before_the_match(record, look)
        if self.start.awaited:
            return record
        resuming = self._is_resuming(record, look)
        if (deal := game.table.deal(public, self.start.as_dealt(game, record, look, issues.lying))) is not None:
            if look.hand_in_view:
                return record  # more cards may lie under the hand
            record = yield from self._dealt(record, deal, look, time_s)
        if resuming:
            issues.reported |= already_reported(record, self._differences(record))
        if (told := self._asked_went_home(record, look, time_s)) is not None:
            record = yield told
        asked = {one.change: one.proposals[0] for one in self._asked_about_clearing()}
        record = yield from self._vanished(record, resuming, self._asked_in_hand(look))
        self._note_sent_home(record, asked, look, time_s)
        self._time(record, look)
        self.held = self._held(record, record.next_context(time_s))
        if issues.showing_moves:
            return record
        if (moved := self._laid_anew(record)) is not None:
            if look.taken_s - self.suspected_s.setdefault(moved, look.taken_s) < CONFIRMED_AFTER_S:
                return record  # and the cards on it are judged where they end up
            self._drop(moved)
            record = yield from self._undo(record, moved, look.taken_s, time_s)
        if self.held is not None and self._plays_on(record, self.held, time_s):
            record = yield from self._undo(record, self.held, look.taken_s, time_s)
        if issues.unread_end is not None and any(place.stirred for place in look.unread):
            return record  # a new card may be one that was pushed there
        record = yield from self._moved_on(record, look)
        while True:
            record = yield from self._lifted_before(record, look, time_s)
            if (decision := self._next(record, look, time_s)) is None:
                break
            before = self._differences(record)
            record = yield decision
            self._account(record, decision)
            issues.lying = self._lying(record, look)  # where a thing lies may depend on what lay there before
            self._keep_resting(record, before)
        if (decision := self._turn_has_come(record, look, time_s)) is not None:
            record = yield decision
            self._account(record, decision)
        if not resuming:
            record = yield from self._taken_off(record, look, time_s)
            record = yield from self._left_lying(record, look)
        self._account(record)
        return record

    def _before_the_match(self, record: Record[Any], look: Observation) -> Decisions:
        """Cards that lay on the table when the match began are not moves: wait until they are gone, or
        ignore them.
        """
        game, issues, start = self.game, self.issues, self.start
        there = start.look(game, record, look, issues.lying)
        issues.in_the_way = in_the_way(there, issues.expected(game, record) if there else {})
        if (there or not start.awaited) and start.count_changed(len(there)):
            record = yield Decision(signal=Signal.NOTICE, texts=clear_table(game, record, len(there)))
        if start.awaited or not start.left_over:
            return record
        differences = (change for change in self._differences(record) if change.card in start.left_over)
        old = [change for change in differences if change not in issues.reported]
        if old:
            issues.reported.update(old)
            record = yield Decision(signal=Signal.NOTICE, texts=tuple(clear_away(game, change) for change in old))
        return record

    def _dealt(self, record: Record[Any], deal: Move, look: Observation, time_s: float | None) -> Decisions:
        """The deal is complete. If it is wrong, announce that after a while without activity."""
        if not self.game.rules.judge(record.public, deal, record.next_context(time_s)):
            return (yield Decision((Played(deal),)))
        if self._wrong_deal is None or self._wrong_deal[0] != deal:
            self._wrong_deal = deal, look.taken_s
        elif look.taken_s - self._wrong_deal[1] >= WRONG_DEAL_S:
            self._wrong_deal = deal, math.inf  # announced once
            return (yield refuse(self.game, self.issues, record, deal, None, Origin.CAMERA, time_s))
        return record

    def _is_resuming(self, record: Record[Any], look: Observation) -> bool:
        """Whether the camera has just been opened: an unread card is not gone yet."""
        if self._resumes_s is None:
            self._resumes_s = look.taken_s + (IN_FLIGHT_S if record.lines else 0.0)
        if look.hand_in_view and look.taken_s < self._resumes_s:
            self._resumes_s = look.taken_s + IN_FLIGHT_S
        return look.taken_s < self._resumes_s

    def _commands(self, record: Record[Any], look: Observation, time_s: float | None) -> Answers:
        """A command card acts when all cards have been dealt with.

        One that is not lawful waits a little longer, for a card that explains it.
        """
        for card, since_s in tuple(self.command_cards.waiting.items()):
            waited_s = look.taken_s - since_s
            if look.pending and waited_s < READING_PATIENCE_S:
                continue
            record = yield from self.set_down(record, self.command_cards.by, None, time_s)
            spoken = possible_moves(self.game, record, card, self.command_cards.by)
            record = yield from self.let_go(record, spoken, look.taken_s, time_s)
            allowed = may_act(self.game, record, card, self.command_cards.by, time_s)
            if not allowed and waited_s < COMMAND_PATIENCE_S:
                continue
            record = yield self.command_cards.act(card)
        return record

    def _laid_anew(self, record: Record[Any]) -> Change | None:
        """The card of the last act, if its player changed their mind and has laid it elsewhere."""
        for change in self._differences(record):
            if is_of_last_act(record, change) and self.game.table.is_laid_anew(record.public, change):
                return change
        return None

    def _asked_about_clearing(self) -> list[OpenQuestion]:
        """The questions about a thing on the table that have one answer only: clearing up may give it."""
        opened = self.issues.questions.open.values()
        return [one for one in opened if one.change is not None and len(one.meanings) == len(one.proposals) == 1]

    def _asked_things(self) -> list[Change]:
        return [one.change for one in self._asked_about_clearing() if one.change is not None]

    def _asked_went_home(self, record: Record[Any], look: Observation, time_s: float | None) -> Decision | None:
        """What is asked about was itself cleared up, as it would be only after the one answer: so it was."""
        for change in self._asked_things():
            lies = self.issues.lying.get(change.card)
            if lies not in (None, change.came_from, change.went_to):
                home, at = Change(change.card, change.went_to, lies), record.next_context(time_s)
                if (told := self._told_by_clearing(record, [home], look, at, time_s)) is not None:
                    return told
        return None

    def _asked_in_hand(self, look: Observation) -> set[Change]:
        """What is asked about and was lifted a moment ago: it may be on its way home, or back."""
        gone = [change for change in self._asked_things() if change.card not in self.issues.lying]
        self._lifted_s = {change: self._lifted_s.get(change, look.taken_s) for change in gone}
        return {change for change in gone if look.taken_s - self._lifted_s[change] < IN_FLIGHT_S}

    def _note_sent_home(
        self,
        record: Record[Any],
        asked: Mapping[Change | None, Sequence[Move]],
        look: Observation,
        time_s: float | None,
    ) -> None:
        """What was asked about lies where it came from: it was taken back, or cleared up. The next act shows which."""
        for change, moves in asked.items():
            is_home = change is not None and self.issues.lying.get(change.card) == change.came_from is not None
            if not is_home or change in self._asked_things():
                continue
            at, before = record.next_context(time_s), self._went_home(record, look)
            told = self._and_then(record, before, moves, at) if before else tuple(moves)
            if (state := state_after(self.game, record.state, told, at)) is not None:
                told += moves_of_all(self.game, state, self._still_waiting(record), at)
            self._sent_home = SentHome(told, len(record.lines), look.taken_s + LAID_BACK_S)

    def _went_home(self, record: Record[Any], look: Observation) -> tuple[Move, ...]:
        """The moves of what was asked about and went home a moment ago; nothing has counted since."""
        home = self._sent_home
        if home is None or look.taken_s > home.until_s:
            return ()
        since = record.lines[home.entry :]
        return home.moves if all(isinstance(line.entry.event, (Refused, Settled, TurnTold)) for line in since) else ()

    def _and_then(
        self, record: Record[Any], before: tuple[Move, ...], moves: Sequence[Move], at: MoveContext
    ) -> tuple[Move, ...]:
        """What else went home was laid after what went home first, if need be after more ends of turns."""
        game, told = self.game, before
        for move in moves:
            state = state_after(game, record.state, told, at)
            if state is None or move.subject is None or move in told:
                continue
            public = game.public(state)
            told += game.rules.implied_moves(public, move, at) if game.rules.judge(public, move, at) else (move,)
        return told

    def _still_waiting(self, record: Record[Any]) -> list[Change]:
        """What lies there, was asked about or hangs on an answer, and has not counted: in the order of acts."""
        refusals = (one for _, one in sorted(record.open_refusals.items()) if one.asks and one.change is not None)
        changes = (one.change for one in refusals if one.change is not None and one.change.went_to is not None)
        return [change for change in changes if self.issues.lying.get(change.card) == change.went_to]

    def _told_by_clearing_on(
        self, record: Record[Any], change: Change, look: Observation, time_s: float | None
    ) -> Decision | None:
        """What was asked about a moment ago lies at home, and people go on clearing up, as they would after the one
        answer. The likeliest: all of them went home for the same reason.
        """
        home, game, at = self._went_home(record, look), self.game, record.next_context(time_s)
        state = state_after(game, record.state, home, at) if home else None
        public = None if state is None else game.public(state)
        for move in () if public is None else game.table.interpretations(public, change):
            ends = game.rules.implied_moves(public, move, at) if game.rules.judge(public, move, at) else (move,)
            moves = (*home, *ends)
            if move.subject is None and ends and state_after(game, record.state, moves, at) is not None:
                return pass_on(game, self.issues, record, moves, change, Origin.CAMERA, time_s)
        return None

    def _vanished(
        self, record: Record[Any], resuming: bool = False, in_hand: AbstractSet[Change] = frozenset()
    ) -> Decisions:
        """Differences that have disappeared: settle refused cards that were taken back, and drop questions."""
        issues = self.issues
        now = set(self._differences(record)) | in_hand
        for number, refused in record.open_refusals.items() if not resuming else ():
            if refused.change is not None and refused.change not in now:
                self._drop(refused.change)
                record = yield Decision((Settled(number),))
        issues.unseen &= now
        gone = (issues.reported - now) | (self.suspected_s.keys() - now)
        if issues.showing_moves:
            gone |= self.quiet_since_s.keys() - now
            issues.showing_moves = bool(now)
        for change in gone:
            self._drop(change)
        if gone:
            record = yield Decision(signal=Signal.SETTLED)
        return record

    def _drop(self, change: Change) -> None:
        self.issues.reported.discard(change)
        self.issues.questions.drop(change)
        self.suspected_s.pop(change, None)

    def _time(self, record: Record[Any], look: Observation) -> None:
        now = self._differences(record)
        self.quiet_since_s = {
            change: look.taken_s if look.hand_in_view else self.quiet_since_s.get(change, look.taken_s)
            for change in now
        }
        self.seen_since_s = {change: self.seen_since_s.get(change, look.taken_s) for change in now}
        self.unshown_since_s = self._not_shown(look)
        self.resting = tuple(change for change in now if self._rests(change, look))
        left_s = {self.game.table.cards[token]: s for token, s in look.left_s.items() if token in self.game.table.cards}
        gone = [change for change in now if change.went_to is None]
        self.left_s = {one: self.left_s.get(one, left_s.get(one.card, look.taken_s)) for one in gone}
        expected, lying = self.issues.expected(self.game, record), self.issues.lying
        absent = [Change(card, zone, None) for card, zone in expected.items() if card not in lying]
        bare = [one for one in absent if one in self.bare_since_s or not look.hand_in_view]
        self.bare_since_s = {one: self.bare_since_s.get(one, look.taken_s) for one in bare}

    def _keep_resting(self, record: Record[Any], before: tuple[Change, ...]) -> None:
        """What has been given another name by what just counted has lain there no shorter for it."""
        since_s = {change.card: self.seen_since_s[change] for change in before if change in self.seen_since_s}
        for change in self._differences(record):
            if change.card in since_s:
                self.seen_since_s.setdefault(change, since_s[change.card])

    def _shown(self, look: Observation) -> set[CardId]:
        """The cards that a look shows, and those that are seen to lie under others; all, where that is unknown."""
        if look.shown is None:
            return set(self.issues.lying)
        under = {placement.token for placement in look.table.placements if placement.under is not None}
        names = self.game.table.cards
        return {names[token] for token in under | look.shown if token in names}

    def _not_shown(self, look: Observation) -> dict[CardId, float]:
        """As ``unshown_since_s``; a hand may cover what was shown before it came, but uncovers nothing."""
        unshown = set(self.issues.lying) - self._shown(look)
        since_s = self.unshown_since_s
        return {card: since_s.get(card, look.taken_s) for card in unshown if card in since_s or not look.hand_in_view}

    def _is_leaving(self, change: Change, look: Observation) -> bool:
        """Whether a card that lay there is not shown, though nothing is known to cover it.

        It will be gone in a moment, or something without a sticker was put on it.
        """
        since_s = self.unshown_since_s.get(change.card)
        return change.went_to is not None and since_s is not None and look.taken_s - since_s < HAND_PATIENCE_S

    def _rests(self, change: Change, look: Observation) -> bool:
        """Whether the card has not lain there as long as its game requires, or a hand may just be lifting it."""
        rest_s = self.game.table.rest_s(change)
        if change.went_to is None or not rest_s:
            return False
        is_covered = look.hand_in_view and change.card not in self._shown(look)
        return is_covered or look.taken_s - self.seen_since_s.get(change, look.taken_s) < rest_s

    def _has_rested(self, change: Change, look: Observation, patience_s: float) -> bool:
        """Whether a suspected card has lain there for so long; under a hand longer, and then this look must show it:
        otherwise that hand covers it, and may be lifting it.
        """
        rested_s = look.taken_s - self.suspected_s[change]
        if not look.hand_in_view:
            return rested_s >= patience_s
        return rested_s >= max(patience_s, HAND_PATIENCE_S) and change.card in self._shown(look)

    def _quiet_s(self, change: Change, look: Observation) -> float:
        return look.taken_s - self.quiet_since_s.get(change, look.taken_s)

    def _next(self, record: Record[Any], look: Observation, time_s: float | None) -> Decision | None:
        """The next decision about cards with unannounced differences; lawful interpretations come first."""
        game, issues, at = self.game, self.issues, record.next_context(time_s)
        fresh = [
            change
            for change in self._differences(record)
            if change not in issues.reported
            and not self._is_pending_chore(change, look)
            and not self._is_leaving(change, look)
        ]
        fresh = [change for change in fresh if not self._is_awaited(record, change)]
        placed = [change for change in fresh if change.went_to is not None and not self._being_dealt(record, change)]
        if (put_back := self._laid_back(record, placed, look)) is not None:
            return put_back
        placed = self._without_carried(record, placed, look)
        placed = self._next_in_order(record, placed, look, at)
        later = self._may_be_later(record, placed, at, time_s)
        for change in placed:
            if (decision := self._read_late(record, change, time_s)) is not None:
                self._drop(change)
                return decision
        options = [
            (change, moves[0])
            for change in placed
            if change not in later
            and len(moves := legal_interpretations(game, record, change, at)) == 1
            and not (moves[0].by == record.standing.turn and self._lay_unread(record, change))
        ]
        options += [one for one in self._refused_before(record, at) if one[0] not in later]
        options += [
            (change, move)
            for change, move in refuted_turns(game, record, issues.reported)
            if not game.rules.judge(record.public, move, at)
        ]
        if options:
            change, move = most_plausible(game, record, self._in_turn(record, options), at)
            was_asked = self._is_asked_whose(record, change)
            self._drop(change)
            if move.subject is None and move.by and game.rules.infers_turns:
                told = self._told_by_clearing_on(record, change, look, time_s)
                return told or pass_on(game, issues, record, (move,), change, Origin.CAMERA, time_s)
            return play(game, issues, record, move, change, time_s, was_asked=was_asked)
        if self._drop_unanswerable(record, at):
            return Decision(signal=Signal.SETTLED)
        in_flight = {c.came_from for c in fresh if c.went_to is None and self._quiet_s(c, look) < IN_FLIGHT_S}
        if (waiting := self._waiting(record, placed, at, time_s)) is None:
            return self._next(record, look, time_s)  # what was held is judged again
        for change in placed:
            if change.went_to in in_flight or is_taken_back(record, change) or self._may_be_over(record, change, look):
                continue
            if change in waiting:
                still = self._lies_still(change, look)
                told = self._told_by_clearing(record, [change], look, at, time_s) if still else None
                decision = told or self._hold(waiting[change], change, look)
            else:
                decision = self._doubt(record, change, look, time_s)
            if decision is not None:
                return decision
        return None

    def _told_by_clearing(
        self,
        record: Record[Any],
        changes: Sequence[Change],
        look: Observation,
        at: MoveContext,
        time_s: float | None,
    ) -> Decision | None:
        """People clear up, as they would only after the one answer to what is asked: so it was."""
        game, questions = self.game, self.issues.questions
        for change in changes:
            if (told := self._told_by_clearing_on(record, change, look, time_s)) is not None:
                return told
        by_question = self._answers.states(game, record, questions, time_s, self.issues.turn_asked_at)
        for number, states in by_question.items():
            opened = questions.open[number]
            if len(opened.meanings) != 1 or not opened.proposals or opened.change is None:
                continue
            for public in map(game.public, states):
                read = (move for change in changes for move in game.table.interpretations(public, change))
                if any(move.subject is None and game.rules.implied_moves(public, move, at) for move in read):
                    self._drop(opened.change)
                    return pass_on(game, self.issues, record, opened.proposals[0], opened.change, Origin.CAMERA, time_s)
        return None

    def _lies_still(self, change: Change, look: Observation) -> bool:
        self.suspected_s.setdefault(change, look.taken_s)
        return self._has_rested(change, look, CONFIRMED_AFTER_S)

    def _may_be_over(self, record: Record[Any], change: Change, look: Observation) -> bool:
        """Whether a thing of this turn lies where clearing up would put it: the next act tells what it was."""
        if change.came_from is None or self.game.table.interpretations(record.public, change):
            return False
        over = self.game.table.clears_up(record.public, change)
        at = record.next_context()
        is_lawful = over is not None and bool(mended(self.game, self.issues, record, over, at))
        return is_lawful and self._quiet_s(change, look) < CHORE_S

    def _refused_before(self, record: Record[Any], at: MoveContext) -> list[Interpretation]:
        """Things that were refused or asked about, and are lawful by now.

        What is asked about stays its owner's, and what hangs on a question keeps its order: a later act that counts
        meanwhile makes it nobody else's, and what is not lawful yet is asked about before what was laid after it.
        """
        game, issues = self.game, self.issues
        options: list[Interpretation] = []
        waits = False
        for number, refused in record.open_refusals.items():
            change = refused.change
            if change is None or not (refused.asks or refused_too_early(game, record, number, refused)):
                continue
            if self._lay_unread(record, change):
                continue
            owners = issues.questions.possible_owners(number)
            if change in issues.held or (refused.asks and not owners):
                owners |= {refused.move.by}
            if waits and change in issues.held:
                continue
            if len(moves := legal_interpretations(game, record, change, at)) != 1:
                waits |= change in issues.held or change not in issues.reported  # it is being judged anew
                continue
            if not owners or moves[0].by in owners or not has_laid_since(record, number):
                options.append((change, moves[0]))
        return options

    def _is_asked_whose(self, record: Record[Any], change: Change) -> bool:
        numbers = (number for number, refused in record.open_refusals.items() if refused.change == change)
        return any(self.issues.questions.possible_owners(number) for number in numbers)

    def _may_be_later(
        self, record: Record[Any], placed: list[Change], at: MoveContext, time_s: float | None
    ) -> set[Change]:
        """What was laid after a thing that waits to hear whose it is, or whose turn it is, and would be lawful after an
        answer: it keeps its place behind that thing, although it is lawful for the seat to move too.
        """
        issues = self.issues
        refusals = sorted(record.open_refusals.items())
        held = [one.change for _, one in refusals if one.change is not None and one.change in issues.held]
        asking = {number for number in issues.questions.open if issues.questions.asks_whose(number)}
        if held:
            asking |= {number for number, opened in issues.questions.open.items() if opened.hangs}
        if not asking:
            return set()
        by_question = self._answers.states(self.game, record, issues.questions, time_s, issues.turn_asked_at)
        states = [state for number in by_question if number in asking for state in by_question[number]]
        return set(hanging(self.game, states, [*held, *placed], at))

    def _in_turn(self, record: Record[Any], options: list[Interpretation]) -> list[Interpretation]:
        """Of things that waited for an answer only the one that was laid first."""
        waited = [one.change for _, one in sorted(record.open_refusals.items()) if one.asks and one.change is not None]
        places = {change: place for place, change in enumerate(waited)}
        first = min((places[change] for change, _ in options if change in places), default=None)
        return [one for one in options if places.get(one[0], first) == first]

    def _waiting(
        self, record: Record[Any], placed: list[Change], at: MoveContext, time_s: float | None
    ) -> dict[Change, Move] | None:
        """What hangs on an open question, and as which move; ``None`` if the first thing that was held does not any
        more, and is judged again."""
        game, issues = self.game, self.issues
        issues.held &= issues.reported
        found: dict[Change, Move] = {}
        if issues.questions.open:
            by_question = self._answers.states(game, record, issues.questions, time_s, issues.turn_asked_at)
            states = [state for answers in by_question.values() for state in answers]
            refusals = sorted(record.open_refusals.items())
            held = [one.change for _, one in refusals if one.change is not None and one.change in issues.held]
            for change, move in hanging(game, states, [*held, *placed], at).items():
                read = (move,) if move is not None else game.table.interpretations(record.public, change)
                if read:
                    found[change] = read[0]
            for change in placed if states else ():  # each answer is told in one way only, and there may be others
                if change not in found and (fits := self._answers.fits(game, record, change, time_s)) is not None:
                    found[change] = fits
            if states:
                return found
        asked = [one.change for _, one in sorted(record.open_refusals.items()) if one.asks and one.change is not None]
        first = next((change for change in asked if change in issues.held), None)
        if first is None or not set(asked).isdisjoint(placed):
            return found
        issues.held.discard(first)
        self._drop(first)
        return None

    def _hold(self, move: Move, change: Change, look: Observation) -> Decision | None:
        """A thing that hangs on an open question keeps its place in the order of acts, until that is answered."""
        if not self._lies_still(change, look):
            return None
        del self.suspected_s[change]
        self.issues.reported.add(change)
        self.issues.held.add(change)
        return Decision((Refused(move, change, asks=True),), signal=Signal.RECOGNISED, retells=True)

    def _next_in_order(
        self, record: Record[Any], placed: list[Change], look: Observation, at: MoveContext
    ) -> list[Change]:
        """Of things that were laid out of sight, only the one that must have been laid first."""
        unseen = {change.card for change in self.issues.unseen}
        if len(placed) < 2 or not any(change.card in unseen for change in placed):
            return placed
        for change in placed:  # they have been waiting for the same time
            self.suspected_s.setdefault(change, look.taken_s)
        order = in_order(self.game, record.state, look.table, frozenset(change.card for change in placed), at)
        return [change for change in placed if change.card == order[0].card] if len(order) > 1 else placed

    def _without_carried(self, record: Record[Any], placed: list[Change], look: Observation) -> list[Change]:
        """Leave out cards that may still be on the move; a player who lays another card has finished
        moving the one before.
        """

        def seats(changes: list[Change]) -> set[Seat]:
            return {move.by for one in changes for move in self.game.table.interpretations(record.public, one)}

        lies = [change for change in placed if not self._rests(change, look)]
        laid_by = seats(lies) if len(lies) < len(placed) else set()
        return [one for one in placed if one in lies or laid_by & {TABLE, *seats([one])}]

    def set_down(self, record: Record[Any], by: Seat | None, named: CardId | None, time_s: float | None) -> Decisions:
        """A seat speaks: a deal that lies there, and cards that it laid a moment ago, count before what it reports.

        Args:
            by: The seat; the table and ``None`` stand for all seats.
            named: The card that the report is about.
        """
        game, issues = self.game, self.issues
        if record.paused or record.standing.over or issues.showing_moves or issues.lost is not None:
            return record
        if (deal := self.start.whole_deal(game, record)) is not None:
            record = yield Decision((Played(deal),))
        for change in self.resting:
            if change.card == named or change not in self._differences(record) or change in issues.reported:
                continue
            at = record.next_context(time_s)
            moves = game.table.interpretations(record.public, change)
            if len(moves) != 1 or by not in (None, TABLE, moves[0].by):
                continue
            if not game.rules.judge(record.public, moves[0], at):
                decision = Decision((Played(moves[0]),))
            elif game.rules.infers_turns and game.rules.implied_moves(record.public, moves[0], at):
                decision = refuse(game, issues, record, moves[0], change, Origin.CAMERA, time_s)
            else:
                continue
            self._drop(change)
            record = yield decision
            self._account(record, decision)
        return record

    def _drop_unanswerable(self, record: Record[Any], at: MoveContext) -> bool:
        """Close a question without a lawful answer, or about a turn that has come; its card is judged again."""
        questions = self.issues.questions
        for number, question in questions.open.items():
            if not question.hangs:
                continue
            has_come = question.question.text == Text("referee.whose_turn", {"seat": record.standing.turn})
            if not has_come and self._can_be_answered(record, number, at.time_s):
                continue
            if question.about is None:
                questions.close(number)
                if question.change is not None:
                    self._drop(question.change)
                return True
        return False

    def _can_be_answered(self, record: Record[Any], number: int, time_s: float | None) -> bool:
        """Whether an answer to this question leads to a lawful match."""
        issues = self.issues
        return bool(self._answers.states(self.game, record, issues.questions, time_s, issues.turn_asked_at)[number])

    def _being_dealt(self, record: Record[Any], change: Change) -> bool:
        """Before the first move, a card that the table itself would have laid is part of the deal."""
        begun = any(act.counts for act in record.acts.values())
        moves = () if begun else self.game.table.interpretations(record.public, change)
        return bool(moves) and all(move.by == TABLE for move in moves)

    def _account(self, record: Record[Any], decision: Decision | None = None) -> None:
        """Remember the cards in their right places, or where a move just played put them."""
        played = [event.move for event in (decision.events if decision else ()) if isinstance(event, Played)]
        wrong = {change.card for change in self._differences(record)} - {move.subject for move in played}
        last, lying = self.last_accounted, self.issues.lying
        self.last_accounted = {card: z for card, z in lying.items() if card not in wrong or last.get(card) == z}

    def _is_pending_chore(self, change: Change, look: Observation) -> bool:
        """Whether the card has not moved, but a move requires it elsewhere, and players still have time."""
        lay = self.last_accounted.get(change.card, change.came_from)
        return lay == change.went_to and self._quiet_s(change, look) < CHORE_S

    def _doubt(self, record: Record[Any], change: Change, look: Observation, time_s: float | None) -> Decision | None:
        """A card that seems unlawful, or that only players can explain: wait for confirmation, then announce it."""
        game, issues = self.game, self.issues
        at = record.next_context(time_s)
        lay_unread = self._lay_unread(record, change)
        if change not in self.suspected_s:
            self.suspected_s[change] = look.taken_s
            quiet = (
                game.silent
                or change.went_to == LOOSE
                or change in issues.unseen
                or bool(lay_unread)
                or issues.is_turn_unknown
                or bool(legal_interpretations(game, record, change, at))
            )
            return None if quiet else Decision(signal=Signal.SUSPECTED)
        if not self._has_rested(change, look, LOOSE_S if change.went_to == LOOSE else CONFIRMED_AFTER_S):
            return None
        moves = game.table.interpretations(record.public, change)
        if not moves and self._waits_for_unread(record, change, look, at):
            return None
        if not moves and (decision := self._was_left_in_pile(record, change, time_s)) is not None:
            self._drop(change)
            return decision
        del self.suspected_s[change]
        issues.reported.add(change)
        if not moves:
            quietly = Signal.NOTICE if change in issues.unseen else None
            return Decision((Unexplained(change),), signal=quietly, texts=(put_right(game, change),))
        if lay_unread and moves[0].by == record.standing.turn:
            seats = (*lay_unread, moves[0].by)
            question = issues.questions.ask_whose_unread(change.card, seats, change, record.next_number)
            return Decision((Refused(moves[0], change, asks=True),), signal=Signal.ASKS, texts=(question,))
        if lawful := legal_interpretations(game, record, change, at):
            return ask_which(game, issues, change, lawful)
        if (decision := self._was_cleared_up(record, change, look, time_s)) is not None:
            return decision
        if (change in issues.unseen or issues.is_turn_unknown) and not game.rules.implied_moves(
            record.public, moves[0], at
        ):
            question = issues.questions.ask_unseen(moves[0], change, record.next_number)
            return Decision((Refused(moves[0], change, asks=True),), signal=Signal.ASKS, texts=(question,))
        if (decision := self._explained_by_unread(record, moves[0], change, look, at)) is not None:
            return decision
        return refuse(game, issues, record, moves[0], change, Origin.CAMERA, time_s)

    def _was_left_in_pile(self, record: Record[Any], change: Change, time_s: float | None) -> Decision | None:
        """Something came from a pile that was held to be empty: it counts, and people are asked to count."""
        found = left_in_pile(self.game, record, change, time_s)
        if found is None:
            return None
        number, before, move = found
        events, origins = counting_events(record, number, before, None, Origin.TABLE)
        events, origins = (*events, Played(move)), (*origins, Origin.CAMERA)
        if why_broken(self.game, record, events, time_s) is not None:
            return None
        return Decision(events, signal=Signal.NOTICE, texts=(Text("referee.was_left"),), retells=True, origins=origins)

    def _explained_by_unread(
        self, record: Record[Any], move: Move, change: Change, look: Observation, at: MoveContext
    ) -> Decision | None:
        """The question about a move that seems unlawful, and would not be if it were known what lies there unread."""
        game, issues = self.game, self.issues
        unread = explaining(game, record, issues, self._marks, change, look.table, at)
        if unread is None and issues.may_lie_unread(game, record, move, at):
            unread = issues.unread[-1]
        if unread is None:
            return None
        question = issues.questions.ask_unread(move, unread_text(unread), record.next_number)
        return Decision((Refused(move, change, asks=True),), signal=Signal.ASKS, texts=(question,))

    def _waits_for_unread(self, record: Record[Any], change: Change, look: Observation, at: MoveContext) -> bool:
        """Whether a thing belongs there once what lies unread is known: nobody can say more before."""
        if not self.issues.unread:
            return False
        known = record.next_number, self.issues.unread
        if self._explained.get(change, (0, (), False))[:2] != known:
            found = explaining(self.game, record, self.issues, self._marks, change, look.table, at)
            self._explained[change] = *known, found is not None
        return self._explained[change][2]

    # -- signs that turns are over ---------------------------------------------------------------

    def _is_awaited(self, record: Record[Any], change: Change) -> bool:
        """It shows that the table is being cleared, but a card is missing that may decide the result."""
        moves = self.game.table.interpretations(record.public, change)
        return any(self.issues.awaited(self.game, record, move) for move in moves)

    def _turn_has_come(self, record: Record[Any], look: Observation, time_s: float | None) -> Decision | None:
        """End the turns before a card that was laid too early, if they have nothing left to do and there was
        no activity for a while.
        """
        if (
            look.hand_in_view
            or time_s is None
            or time_s - record.last_time_s < EARLY_S
            or not self.game.rules.infers_turns
        ):
            return None
        at = record.next_context(time_s)
        for number, refused in sorted(record.open_refusals.items()):
            if refused.change in self.issues.asked_about:
                continue  # nobody has answered yet
            early = refused.change is not None and refused_too_early(self.game, record, number, refused)
            if early and mended(self.game, self.issues, record, refused.move, at):
                return refuse(self.game, self.issues, record, refused.move, refused.change, Origin.CAMERA, time_s)
        return None

    def _held(self, record: Record[Any], at: MoveContext) -> Change | None:
        for change in self._differences(record):
            if change in self.issues.reported or not is_taken_back(record, change):
                continue
            over = self.game.table.clears_up(record.public, change)
            if over is not None and not self.game.rules.judge(record.public, over, at):
                return change
        return None

    def _plays_on(self, record: Record[Any], held: Change, time_s: float | None) -> bool:
        """Another card was laid that does not belong to clearing up, so the held card was taken back."""
        game, at = self.game, record.next_context(time_s)
        over = game.table.clears_up(record.public, held)
        others = set(self._differences(record)) - self.issues.reported - {held}
        laid = (change for change in others if change.went_to is not None)
        moves = (move for change in laid for move in game.table.interpretations(record.public, change))
        return any(
            move != over
            and not game.table.must_lie(record.public, move)
            and over not in game.rules.implied_moves(record.public, move, at)
            for move in moves
        )

    def let_go(self, record: Record[Any], spoken: Sequence[Move], taken_s: float, time_s: float | None) -> Decisions:
        """A player ends the turn: a card that was taken up before was taken back."""
        if self.held is not None and self.game.table.clears_up(record.public, self.held) in spoken:
            record = yield from self._undo(record, self.held, taken_s, time_s)
        return record

    def _cleared_up(self, record: Record[Any], look: Observation, time_s: float | None) -> Decision | None:
        """The card of the last act went back, and had lain too long for a change of mind."""
        held, number = self.held, last_undoable(record)
        if held is None or held.went_to is None or number is None or time_s is None:
            return None
        laid_s = record.lines[number - 1].entry.time_s
        lay_s = 0.0 if laid_s is None else time_s - (look.taken_s - self.seen_since_s[held]) - laid_s
        over = self.game.table.clears_up(record.public, held)
        if over is None or lay_s < SECOND_THOUGHT_S or self.issues.awaited(self.game, record, over):
            return None
        return pass_on(self.game, self.issues, record, (over,), held, Origin.CAMERA, time_s, taken_back=(number,))

    def _was_cleared_up(
        self, record: Record[Any], change: Change, look: Observation, time_s: float | None
    ) -> Decision | None:
        """A card that seemed to be taken back was cleared up: players go on clearing, or the cards on the table
        are lawful only then.
        """
        if (told := self._told_by_clearing_on(record, change, look, time_s)) is not None:
            return told
        back = self.taken_back
        if back is None or look.taken_s > back.until_s or len(record.lines) != back.entry:
            return None
        at = record.next_context(time_s)
        for count in range(len(back.row), 0, -1):  # the likeliest: all of them went home for the same reason
            events, before = list[Event](), record
            for one in back.row[:count]:
                events.append(Struck(one.entry))
                before = append(self.game, before, Entry(before.next_number, events[-1], time_s=time_s))
            homes = (
                Change(one.placed.card, one.placed.went_to, self.issues.lying.get(one.placed.card))
                for one in back.row[:count]
            )
            over = [self.game.table.clears_up(before.public, home) for home in homes]
            if None in over:
                continue
            for move in self.game.table.interpretations(before.public, change):
                mend = mended(self.game, self.issues, before, move, before.next_context(time_s))
                clears = move.subject is None or self._ends_all(before, mend[:-1], over, time_s)
                if mend and (clears or not mended(self.game, self.issues, record, move, at)):
                    again = range(before.next_number - 1, record.next_number - 1, -1)  # that they count again
                    decision = pass_on(
                        self.game, self.issues, before, mend, change, Origin.CAMERA, time_s, tuple(again)
                    )
                    origins = (*[Origin.CAMERA] * len(events), *decision.origins)
                    return Decision((*events, *decision.events), texts=decision.texts, origins=origins)
        return None

    def _ends_all(
        self, record: Record[Any], ends: Sequence[Move], over: Sequence[Move | None], time_s: float | None
    ) -> bool:
        """Whether these are all the ends of turns that clearing up would show."""
        at = record.next_context(time_s)
        shown = ((one, self.game.rules.implied_moves(record.public, one, at)) for one in over if one is not None)
        return any(ends and tuple(ends) == (implied or (one,)) for one, implied in shown)

    # -- cards taken off the table ---------------------------------------------------------------

    def _taken_off(self, record: Record[Any], look: Observation, time_s: float | None) -> Decisions:
        """Cards that are gone: the newest of the turn are undone, others should be put back."""
        issues = self.issues
        fresh = [change for change in self._differences(record) if change not in issues.reported]
        gone = [change for change in fresh if change.went_to is None]
        if (decision := self._swept_up(record, gone, look, time_s)) is not None:
            return (yield decision)
        for change in fresh if not self._is_cleared(record, gone) else ():
            if is_taken_back(record, change):
                if self._quiet_s(change, look) < TAKEN_BACK_S:
                    continue
                if (decision := self._cleared_up(record, look, time_s)) is not None:
                    return (yield decision)
                if change == self.held and self._quiet_s(change, look) < LAID_BACK_S:
                    continue
                return (yield from self._undo(record, change, look.taken_s, time_s))
            moves = self._means(record, change) if self._bare_s(change, look) >= TAKEN_BACK_S else ()
            if moves and moves[0].subject is not None:
                return (yield from self._lifted(record, change, moves, look, time_s))
        at = record.next_context(time_s)
        gone = [
            change
            for change in gone
            if self._quiet_s(change, look) >= IN_FLIGHT_S
            and not may_lie_there(self.game, record, issues, self._marks, change.card, look.table, at)
        ]
        if len(gone) >= DISAGREEMENT_CARDS:
            issues.showing_moves = True
            return (yield Decision(signal=Signal.MISPLACED, texts=(Text("referee.disagree"),)))
        for change in gone:
            issues.reported.add(change)
            record = yield Decision((Unexplained(change),), texts=(put_right(self.game, change),))
        return record

    def _is_cleared(self, record: Record[Any], gone: list[Change]) -> bool:
        """Whether so many cards are gone that players are clearing the table."""
        return len({change.card for change in gone} - cards_of_this_turn(record)) >= DISAGREEMENT_CARDS

    def _bare_s(self, change: Change, look: Observation) -> float:
        """How long ago the place of a card that is gone was first seen empty with no hand in view."""
        return look.taken_s - self.bare_since_s.get(change, look.taken_s)

    def _means(self, record: Record[Any], change: Change) -> tuple[Move, ...]:
        """The moves that taking a card away could be, unless players were asked to put it back."""
        moves = self.game.table.interpretations(record.public, change) if change.went_to is None else ()
        return () if any(self.issues.awaited(self.game, record, move) for move in moves) else moves

    def _lifted_before(self, record: Record[Any], look: Observation, time_s: float | None) -> Decisions:
        """Another card has been laid, so one that was taken away before it counts first."""
        game, issues = self.game, self.issues
        fresh = [change for change in self._differences(record) if change not in issues.reported]
        gone = [change for change in fresh if change.went_to is None]
        if self._is_cleared(record, gone):
            return record
        came_s = max((self.seen_since_s[change] for change in fresh if self._has_come(change, look)), default=-math.inf)
        for change in gone:
            if self.left_s.get(change, math.inf) > came_s:
                continue
            if is_taken_back(record, change):
                if change != self.held and self.bare_since_s.get(change, math.inf) < came_s:
                    return (yield from self._undo(record, change, look.taken_s, time_s))
                continue
            moves, at = self._means(record, change), record.next_context(time_s)
            lawful = tuple(move for move in moves if move.subject and not game.rules.judge(record.public, move, at))
            if len(lawful) == 1:
                record = yield from self._lifted(record, change, lawful, look, time_s)
        return record

    def _has_come(self, change: Change, look: Observation) -> bool:
        """Whether a hand has put this down and left."""
        if change.went_to in (None, LOOSE) or change not in self.seen_since_s:
            return False
        return not self._is_pending_chore(change, look) and not self._rests(change, look)

    def _swept_up(
        self, record: Record[Any], gone: list[Change], look: Observation, time_s: float | None
    ) -> Decision | None:
        """Taking up cards can show that turns are over.

        A single card is enough only if one turn is left; otherwise it may have been misplaced. If it is laid back soon,
        nothing has happened.
        """
        game, at = self.game, record.next_context(time_s)
        quiet = [change for change in gone if self._quiet_s(change, look) >= TAKEN_BACK_S]
        if len(quiet) > 1 and (told := self._told_by_clearing(record, quiet, look, at, time_s)) is not None:
            return told
        for change in gone:
            moves = game.table.interpretations(record.public, change)
            if not moves or moves[0].subject is not None or self._is_awaited(record, change):
                continue
            alike = [one for one in gone if game.table.interpretations(record.public, one) == moves]
            if self._quiet_s(change, look) < TAKEN_BACK_S:
                continue
            if not game.rules.judge(record.public, moves[0], at):
                placed = Change(change.card, None, change.came_from)
                self.taken_back = TakenBackCard(record.next_number, placed, look.taken_s + LAID_BACK_S)
                return pass_on(game, self.issues, record, moves[:1], change, Origin.CAMERA, time_s)
            if len(alike) > 1 and (mend := mended(game, self.issues, record, moves[0], at)):
                return self._was_cleared_up(record, change, look, time_s) or pass_on(
                    game, self.issues, record, mend, change, Origin.CAMERA, time_s
                )
        return None

    def _left_lying(self, record: Record[Any], look: Observation) -> Decisions:
        """Remind once that an undone card which still lies there does not count, before players go on as if it
        did. It may have been taken up and laid again too quickly to be seen.
        """
        self._reminded &= self.issues.reported
        late = [
            change
            for change in self.issues.reported - self._reminded
            if change.went_to is not None and self._quiet_s(change, look) >= CHORE_S
        ]
        undone = undone_cards(record) if late else set()
        undone -= {change.card for change, _ in refuted_turns(self.game, record, self.issues.reported)}
        self._reminded.update(late)
        texts = tuple(put_right(self.game, change) for change in late if change.card in undone)
        if texts:
            record = yield Decision(signal=Signal.NOTICE, texts=texts)
        return record

    def _lifted(
        self, record: Record[Any], change: Change, moves: tuple[Move, ...], look: Observation, time_s: float | None
    ) -> Decisions:
        """Taking a card away is a move in this game, unless it is laid back soon."""
        game, issues, at = self.game, self.issues, record.next_context(time_s)
        if events := self._known_late(record, change, moves, look, time_s):
            record = yield Decision(events)
            for refused in record.open_refusals.values():  # the obstacle may be gone
                if refused.change and legal_interpretations(game, record, refused.change, record.next_context(time_s)):
                    self._drop(refused.change)
            return record
        lawful = tuple(move for move in moves if not game.rules.judge(record.public, move, at))
        if len(lawful) == 1:
            placed = Change(change.card, None, change.came_from)
            self.taken_back = TakenBackCard(record.next_number, placed, look.taken_s + LAID_BACK_S)
            return (yield Decision((Played(lawful[0]),)))
        issues.reported.add(change)
        if lawful:
            return (yield ask_which(game, issues, change, lawful))
        if (decision := self._explained_by_unread(record, moves[0], change, look, at)) is not None:
            return (yield decision)
        return (yield refuse(game, issues, record, moves[0], change, Origin.CAMERA, time_s))

    def _known_late(
        self, record: Record[Any], change: Change, moves: tuple[Move, ...], look: Observation, time_s: float | None
    ) -> tuple[Event, ...]:
        """The events that insert a move where it belongs, before what has happened since."""
        if time_s is None:
            return ()
        left_s = time_s - (look.taken_s - self.left_s.get(change, look.taken_s))
        since = (line.entry for line in record.lines if (line.entry.time_s or 0.0) > left_s)
        first = next((entry.number for entry in since if isinstance(entry.event, Played)), None)
        if first is None:
            return ()
        public = self.game.public(record.states[first - 1])
        lawful = [move for move in moves if not self.game.rules.judge(public, move, MoveContext(first, left_s))]
        if len(lawful) != 1:
            return ()
        events = late_events(self.game, record, first, lawful[0], time_s)
        return events if events and why_broken(self.game, record, events, time_s) is None else ()

    def _undo(self, record: Record[Any], change: Change, taken_s: float, time_s: float | None) -> Decisions:
        number = last_undoable(record)
        assert number is not None
        events = undo_events(self.game, record, number, None, time_s)
        strike = record.next_number + len(events) - 1
        before = self.taken_back
        follows = before is not None and taken_s <= before.until_s and len(record.lines) == before.entry
        record = yield from correct(self.game, self.issues, record, events, Origin.CAMERA, time_s)
        placed = Change(change.card, source_zone(self.game, record, number), change.came_from)
        self.taken_back = TakenBackCard(strike, placed, taken_s + LAID_BACK_S, before if follows else None)
        return record

    def _laid_back(self, record: Record[Any], placed: list[Change], look: Observation) -> Decision | None:
        """The card that was taken off a moment ago lies there again."""
        card = self.taken_back
        if card is None:
            return None
        if look.taken_s > card.until_s or len(record.lines) != card.entry:
            self.taken_back = None
            return None
        if not any(c.card == card.placed.card and c.went_to == card.placed.went_to for c in placed):
            return None
        self.taken_back = None
        offer_laid_anew(self.game, self.issues, record, card.placed.card, card.entry)
        return Decision((Struck(card.entry),))
