"""The referee: responds to commands with decisions.

It has no clock, queue, device or record: the same commands with the same record give the same decisions. Decisions on
looks at the table are made in ``companion.referee.reconciler``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import Any

from companion.games.protocol import Game, Move
from companion.history.corrections import (
    Retelling,
    added_retelling,
    changes_owners,
    claim_retelling,
    has_said,
    keeps_turn,
    last_camera_card,
    last_laid_card,
    last_told_turn,
    last_undoable,
    late_events,
    overrule_camera,
    retelling_events,
    retelling_origins,
    secrets_are_open,
    take_back_events,
    turn_retelling,
    unsaid_moves,
    whole_retelling,
    why_broken,
)
from companion.history.counting import counted_before, counting_events
from companion.history.events import (
    Allowed,
    Claimed,
    Corrected,
    Event,
    Origin,
    Paused,
    Played,
    Refused,
    Resumed,
    Seated,
    Struck,
    TurnTold,
)
from companion.history.laid_back import laid_anew
from companion.history.record import Record
from companion.public.table import COMMAND_ZONE, TABLE, CardId, Change, Seat
from companion.public.text import Text
from companion.public.updates import Signal
from companion.referee.command_cards import possible_moves
from companion.referee.commands import (
    AcceptTable,
    Allow,
    AnswerQuestion,
    ChangeSeat,
    Claim,
    CloseQuestions,
    Command,
    CommandCard,
    CorrectCounts,
    DoneBefore,
    LaidAnew,
    MakeMove,
    OverruleCamera,
    Pause,
    RestoreTable,
    Resume,
    TellTurn,
    Undo,
)
from companion.referee.decisions import (
    Decision,
    Decisions,
    ask_which,
    correct,
    counted_texts,
    explain,
    offer_ordinary_turns,
    refuse,
    retold_texts,
)
from companion.referee.early import mended, state_after
from companion.referee.hanging import hanging, state_if
from companion.referee.issues import TableIssues, unread_text
from companion.referee.questions import OpenQuestion


@dataclass(frozen=True)
class Referee:
    """Responds to commands.

    Attributes:
        issues: Open issues between table and log; shared with the reconciler.
    """

    game: Game[Any, Any]
    issues: TableIssues

    def handle(self, record: Record[Any], command: Command, time_s: float | None) -> Decisions:
        match command:
            case Pause(by, origin):
                if not record.paused:
                    record = yield Decision((Paused(by),), origin)
            case Resume(by, origin):
                if record.paused:
                    record = yield Decision((Resumed(by),), origin)
            case MakeMove(move, origin):
                if not record.paused or move.by == 0:
                    record = yield from self._make_move(record, move, origin, time_s)
            case AnswerQuestion(question, answer, by, _):
                record = yield from self._answer(record, question, answer, by, time_s)
            case CloseQuestions():
                record = yield from self._close_questions(record, time_s)
            case Undo(number, by, origin, anyway):
                target = last_undoable(record) if number is None else number
                if target is not None:
                    events = take_back_events(self.game, record, target, by, time_s)
                    record = yield from self._correct(record, events, origin, time_s, anyway=anyway)
            case Claim(by, number, origin, anyway):
                target = last_laid_card(record) if number is None else number
                if target is not None:
                    record = yield from self._claim(record, target, by, origin, time_s, anyway=anyway, alone=anyway)
            case Allow(number, by, origin):
                target = max(record.open_refusals, default=None) if number is None else number
                if target is not None:
                    record = yield from self._correct(record, (Allowed(target, by),), origin, time_s)
            case OverruleCamera(number, by, origin, anyway):
                target = last_camera_card(record) if number is None else number
                if target is not None:
                    record = yield from self._overrule(record, target, by, origin, time_s, anyway=anyway)
            case CorrectCounts(counts, by, origin):
                record = yield from self._count(record, Corrected(counts, by), origin, time_s)
            case ChangeSeat(seat, name, swaps, here, by, origin):
                record = yield from self._correct(record, (Seated(seat, name, swaps, here, by),), origin, time_s)
            case AcceptTable(by, origin):
                record = yield from self._accept_table(record, by, origin, time_s)
            case RestoreTable(_, origin):
                showing_moves = self.issues.showing_moves = bool(self.issues.differences(self.game, record))
                record = yield Decision(origin=origin, signal=Signal.MISPLACED if showing_moves else Signal.SETTLED)
            case TellTurn(seat, by, origin):
                record = yield from self._set_turn(record, seat, by, origin, time_s)
            case DoneBefore(number, move, origin):
                record = yield from self._done_before(record, number, move, origin, time_s)
            case LaidAnew(number, moves, origin):
                told = laid_anew(self.game, record, number, moves, time_s)
                if told is not None:
                    record = yield from self._tell_anew(record, told, origin, time_s, anyway=True)
            case CommandCard(card, by, origin):
                record = yield from self._command_card(record, card, by, origin, time_s)
        return record

    def _make_move(
        self, record: Record[Any], move: Move, origin: Origin, time_s: float | None, *, is_answer: bool = False
    ) -> Decisions:
        """A move is said.

        Args:
            is_answer: It was done when it was asked about, before what was laid since.
        """
        game, issues = self.game, self.issues
        self._offer_next_end(record, move, time_s)
        if game.rules.judge(record.public, move, record.next_context(time_s)):
            unsaid = mended(game, issues, record, move, record.next_context(time_s))
            if not unsaid and (shown := explain(game, issues, record, move, None, origin, time_s)) is not None:
                return (yield shown)
            if issues.is_turn_unknown and origin is Origin.CAMERA:
                question = issues.questions.ask_unseen_word(move, record.next_number)
                return (yield Decision((Refused(move, None, asks=True),), origin, Signal.ASKS, (question,)))
            if issues.may_lie_unread(game, record, move, record.next_context(time_s)):
                return (yield from self._ask_unread(record, move, origin))
            if unsaid:
                return (yield refuse(game, issues, record, move, None, origin, time_s))
            return (yield Decision((Refused(move, None),), origin))  # nothing explains it
        if origin is Origin.PHONE and issues.held and not is_answer:  # more was laid since it was asked whose one is
            told = self._told_before(record, move, time_s)
            if told is not None:  # and whoever laid the last of it speaks now, not before it
                record = yield from self._tell_anew(record, told, Origin.CAMERA, time_s)
        issues.postponed = None
        if awaited := issues.awaited(game, record, move):
            issues.postponed = MakeMove(move, origin)
            text = Text("referee.waits_for", {"cards": list(awaited)})
            return (yield Decision(origin=origin, signal=Signal.MISPLACED, texts=(text,)))
        before = set(issues.differences(game, record))
        record = yield Decision((Played(move),), origin)
        # An unreadable card that was reported by phone need not be seen.
        after = issues.differences(game, record)
        issues.reported |= {change for change in after if change.went_to is None and change not in before}
        return record

    def _told_before(self, record: Record[Any], says: Move, time_s: float | None) -> Retelling | None:
        """The story of all that lies there and waits for an answer, after which a seat says this: whoever laid the last
        of it speaks. So does another seat if what waits could not count after its word, but does before it as somebody
        was asked; ``None`` if there is no such story.
        """
        game, issues, at = self.game, self.issues, record.next_context(time_s)
        if (told := whole_retelling(game, record, time_s, says)) is not None:
            return told
        refusals = [(n, one.change) for n, one in sorted(record.open_refusals.items()) if one.asks]
        waiting = {n: change for n, change in refusals if change is not None and change in issues.asked_about}
        after = state_after(game, record.state, (says,), at)
        leads_on = after is not None and hanging(game, [after], list(waiting.values()), at)
        if leads_on and len(leads_on) == len(waiting):
            return None

        def fits(told: Retelling) -> bool:
            public, acts = game.public(told.state), {one.number for one in told.acts}
            lies = game.table.expected(public).cards
            is_told = all(n in acts or lies.get(one.card) == one.went_to for n, one in waiting.items())
            return is_told and not game.rules.judge(public, says, at)

        asked = [one for opened in issues.questions.open.values() if opened.hangs for one in chain(*opened.meanings)]
        claims = [(one.number, one.by) for one in asked if isinstance(one, Claim) and one.number is not None]
        stories = (claim_retelling(game, record, number, by, time_s, fits) for number, by in claims)
        return next((told for told in stories if told is not None), None)

    def _ask_unread(self, record: Record[Any], move: Move, origin: Origin) -> Decisions:
        """A player ends the turn without the card that had to be laid, but an unreadable card lies there.

        No refusal is announced: once the card is read, the move counts by itself.
        """
        issues, number = self.issues, record.next_number
        place = unread_text(issues.unread[-1])
        question = issues.questions.ask_unread(move, place, number)
        issues.postponed, issues.unread_end = MakeMove(move, origin), number
        return (yield Decision((Refused(move, None, asks=True),), origin, Signal.ASKS, (question,)))

    def _set_turn(
        self, record: Record[Any], seat: Seat, by: Seat | None, origin: Origin, time_s: float | None
    ) -> Decisions:
        """It is this seat's turn. Cards laid since the table was out of sight belong to the seat for which that
        comes true; otherwise the turns before it have ended.
        """
        game, issues = self.game, self.issues
        issues.close_turn_questions()
        record = yield Decision((TurnTold(seat, by),), origin)
        acted = [act.move.by for _, act in sorted(record.acts.items()) if act.counts and act.move.by != TABLE]
        if record.standing.turn == seat or (record.standing.over and acted[-1:] == [seat]):
            return record
        since = issues.turn_asked_at
        told = turn_retelling(game, record, seat, since, time_s)
        if told is None:
            told = turn_retelling(game, record, seat, since, time_s, stands=True)
        if told is not None:
            return (yield from self._tell_anew(record, told, origin, time_s, anyway=True))
        for _ in range(game.seats):
            ends = possible_moves(game, record, CardId("KEND"), None)
            if record.standing.turn == seat or record.standing.over or len(ends) != 1:
                break
            if game.rules.judge(record.public, ends[0], record.next_context(time_s)):
                number = record.next_number
                record = yield Decision((Refused(ends[0], None, asks=True), Allowed(number)), origin)
            else:
                record = yield Decision((Played(ends[0]),), origin)
        return record

    def _done_before(
        self, record: Record[Any], number: int, move: Move, origin: Origin, time_s: float | None
    ) -> Decisions:
        """Something was done before an entry: instead of what is recorded of that seat there, else beside it."""
        if number >= record.next_number:
            return (yield from self._make_move(record, move, origin, time_s))
        act = record.acts.get(number)
        instead = act is not None and act.move.laid is None and act.move.by == move.by
        told = None if instead else added_retelling(self.game, record, number, move, time_s)
        if told is not None:
            return (yield from self._tell_anew(record, told, origin, time_s))
        events = late_events(self.game, record, number, move, time_s) or late_events(
            self.game, record, number, move, time_s, stands=True
        )
        return (yield from self._correct(record, events, origin, time_s, anyway=True)) if events else record

    def _claim(
        self,
        record: Record[Any],
        number: int,
        by: Seat,
        origin: Origin,
        time_s: float | None,
        *,
        anyway: bool,
        alone: bool = False,
        says: Move | None = None,
    ) -> Decisions:
        """A card was this seat's; if it was not that seat's turn, turns had ended unsaid before it.

        Args:
            anyway: Even if something becomes unlawful by it.
            alone: Who insists means this card, and nobody else's.
            says: What it was asked for: a seat says this, and could not if the card were not that seat's.
        """
        told = self._claimed_story(record, number, by, time_s, says)
        if told is not None and alone and changes_owners(record, told, number):
            told = claim_retelling(self.game, record, number, by, time_s, stands=True, alone=True) or told
        if told is None and anyway:
            told = claim_retelling(self.game, record, number, by, time_s, stands=True)
        if told is not None:
            if told.turn == by and number == last_laid_card(record):
                self.issues.close_turn_questions()  # it says whose turn it is as well
            return (yield from self._tell_anew(record, told, origin, time_s, number, anyway=anyway))
        return (yield from self._correct(record, (Claimed(number, by),), origin, time_s, anyway=anyway))

    def _claimed_story(
        self, record: Record[Any], number: int, by: Seat, time_s: float | None, says: Move | None
    ) -> Retelling | None:
        """The likeliest story in which a card was this seat's, and that keeps to what people have said besides, as far
        as there is one: what they say now, and whose turn it was when they last told that.
        """
        game, turn = self.game, last_told_turn(record)
        kept: list[Callable[[Retelling], bool]] = []
        if turn is not None:
            kept.append(lambda told: keeps_turn(game, record, told, *turn))
        if says is not None:
            kept.append(lambda told: has_said(game, record, told, says, time_s))
        for some in dict.fromkeys((tuple(kept), tuple(kept[1:]), tuple(kept[:1]), ())):
            told = claim_retelling(game, record, number, by, time_s, partial(_keeps_to, some))
            if told is not None:
                return told
        return None

    def _tell_anew(
        self,
        record: Record[Any],
        told: Retelling,
        origin: Origin,
        time_s: float | None,
        claimed: int | None = None,
        *,
        anyway: bool = False,
    ) -> Decisions:
        """What happened since an entry was another story; its announcements are told as one.

        What only adds to what counts already is told act by act.

        Args:
            claimed: The entry whose act was said to be somebody's.
            anyway: Even if something becomes unlawful by it.
        """
        events = retelling_events(record, told)
        origins = retelling_origins(record, told, origin, claimed)
        self.issues.ask_again(events)
        if not any(isinstance(event, Struck) for event in events):
            for event, comes_from in zip(events, origins, strict=True):
                waits = isinstance(event, Refused)
                record = yield Decision((event,), comes_from, Signal.RECOGNISED if waits else None, retells=waits)
            return record
        offer_ordinary_turns(self.game, self.issues, record, told, events, time_s)
        texts = retold_texts(self.game, record, told)
        return (yield from self._retell(record, events, origins, texts, origin, time_s, anyway=anyway))

    def _correct(
        self,
        record: Record[Any],
        events: tuple[Event, ...],
        origin: Origin,
        time_s: float | None,
        *,
        anyway: bool = False,
    ) -> Decisions:
        return correct(self.game, self.issues, record, events, origin, time_s, anyway=anyway)

    def _retell(
        self,
        record: Record[Any],
        events: tuple[Event, ...],
        origins: tuple[Origin, ...],
        texts: tuple[Text, ...],
        origin: Origin,
        time_s: float | None,
        *,
        anyway: bool = False,
    ) -> Decisions:
        """What counted is told anew, with these texts; each event comes from its own origin."""
        return correct(
            self.game,
            self.issues,
            record,
            events,
            origin,
            time_s,
            signal=Signal.CORRECTED,
            texts=texts,
            retells=True,
            origins=origins,
            anyway=anyway,
        )

    def _count(self, record: Record[Any], counted: Corrected, origin: Origin, time_s: float | None) -> Decisions:
        """People have counted; if that shows what was only thought to be so, such as an empty hand, it is told anew."""
        game, counts = self.game, dict(counted.counts)
        plain = correct(game, self.issues, record, (counted,), origin, time_s)
        if secrets_are_open(game, record) or why_broken(game, record, (counted,), time_s) is not None:
            return (yield from plain)
        if (found := counted_before(game, record, counts)) is None:
            return (yield from plain)
        events, origins = counting_events(record, *found, counted.by, origin)
        if why_broken(game, record, events, time_s) is not None:
            return (yield from plain)
        texts = counted_texts(game, record, events, origins, time_s)
        return (yield from self._retell(record, events, origins, texts, origin, time_s))

    def _accept_table(self, record: Record[Any], by: Seat | None, origin: Origin, time_s: float | None) -> Decisions:
        """The cards on the table become the position; open issues about the table are closed."""
        issues = self.issues
        record = yield from self._close_questions(record, time_s)  # so that what waited brings its points
        table = tuple(sorted(issues.lying.items()))
        issues.showing_moves = False
        record = yield from self._correct(record, (Corrected(by=by, table=table),), origin, time_s, anyway=True)
        # What still differs cannot be part of a position of this game.
        issues.reported = set(issues.differences(self.game, record))
        issues.questions.open.clear()
        return record

    def _overrule(
        self,
        record: Record[Any],
        number: int,
        by: Seat | None,
        origin: Origin,
        time_s: float | None,
        *,
        anyway: bool,
    ) -> Decisions:
        """The players' word wins: what the camera reported is withdrawn, and its questions are closed."""
        events = overrule_camera(self.game, record, number, by, time_s)
        if not events:
            text = Text("referee.unseen", {"number": number})
            return (yield Decision(origin=origin, signal=Signal.CORRECTED, texts=(text,)))
        refused = record.lines[number - 1].entry.event
        if isinstance(refused, Refused) and refused.change is not None:
            self.issues.questions.drop(refused.change)
        return (yield from self._correct(record, events, origin, time_s, anyway=anyway))

    def _answer(
        self, record: Record[Any], number: int, answer: int, by: Seat | None, time_s: float | None
    ) -> Decisions:
        issues = self.issues
        question = issues.questions.open.get(number)
        if question is None or not 0 <= answer < len(question.meanings) or record.paused:
            return record
        issues.questions.close(number)
        if question.change is not None:
            issues.reported.discard(question.change)
            issues.questions.drop(question.change)
        before = record
        meaning = question.meanings[answer]
        for place, command in enumerate(meaning):
            if isinstance(command, (Undo, Allow, TellTurn)) and command.by is None:
                command = replace(command, by=by)  # else it would be told as the host's
            if not _is_told(before, record, command):
                says = next((one.move for one in meaning[place + 1 :] if isinstance(one, MakeMove)), None)
                record = yield from self._said_so(record, command, time_s, says)
        if question.about is not None:  # what waited for it is judged again
            asked = {opened.change for opened in issues.questions.open.values()}
            waits = {one.change for one in record.open_refusals.values() if one.asks and one.change is not None}
            issues.held |= (waits & issues.reported) - asked
        if record is before:  # all is as it was thought
            record = yield Decision(signal=Signal.SETTLED)
        return record

    def _close_questions(self, record: Record[Any], time_s: float | None) -> Decisions:
        """Nobody answers any more: a thing that waits counts as the likeliest answer says, all else as it does now."""
        questions = self.issues.questions
        for number in sorted(questions.open):
            opened = questions.open.get(number)
            if opened is None or not opened.hangs:
                continue
            meaning = self._likeliest(record, opened, time_s)
            key = "referee.unanswered.stays" if meaning is None else "referee.unanswered.taken"
            questions.close(number)
            text = Text(key, {"what": opened.question.text})
            record = yield Decision(origin=Origin.TABLE, signal=Signal.NOTICE, texts=(text,))
            for command in meaning or ():
                record = yield from self.handle(record, command, time_s)
        return record

    def _likeliest(self, record: Record[Any], opened: OpenQuestion, time_s: float | None) -> tuple[Command, ...] | None:
        """The first answer that leads to a lawful match, which is over if it is now; ``None`` if what counts now is
        as likely.
        """
        if opened.change is None:
            return None
        lawful = []
        for meaning in opened.meanings:
            state = state_if(self.game, record, meaning, time_s, self.issues.turn_asked_at)
            if state is None or isinstance(meaning[0], Allow):
                continue
            if self.game.board.standing(self.game.public(state)).over or not record.standing.over:
                lawful.append(meaning)
        return lawful[0] if len(lawful) == 1 or (lawful and isinstance(lawful[0][0], Claim)) else None

    def _said_so(self, record: Record[Any], command: Command, time_s: float | None, says: Move | None) -> Decisions:
        """Part of an answer: what becomes unlawful by it stands.

        Args:
            says: What follows in the answer.
        """
        match command:
            case Claim(by, int(number), origin):
                return (yield from self._claim(record, number, by, origin, time_s, anyway=True, says=says))
            case Allow(int(number), by, origin):
                return (yield from self._correct(record, (Allowed(number, by),), origin, time_s, anyway=True))
            case MakeMove(move, origin) if not record.paused:
                return (yield from self._make_move(record, move, origin, time_s, is_answer=True))
            case _:
                return (yield from self.handle(record, command, time_s))

    def _command_card(
        self, record: Record[Any], card: CardId, by: Seat | None, origin: Origin, time_s: float | None
    ) -> Decisions:
        match card:
            case "KUNDO":
                return (yield from self.handle(record, Undo(by=by, origin=origin), time_s))
            case "KPAUSE":
                return (yield from self.handle(record, Pause(by, origin), time_s))
            case "KGO":
                return (yield from self.handle(record, Resume(by, origin), time_s))
            case _:
                return (yield from self._spoken_move(record, card, by, origin, time_s))

    def _spoken_move(
        self, record: Record[Any], card: CardId, by: Seat | None, origin: Origin, time_s: float | None
    ) -> Decisions:
        moves = possible_moves(self.game, record, card, by)
        issues = self.issues
        if len(moves) == 1 and by is None and moves[0].subject is None and issues.held:
            # More was laid since it was asked whose turn it is: it is an end of that turn, whosever it is. Nobody may
            # ever answer, so the likeliest story of all that lies there is taken as given; it can be claimed as any
            # guess.
            told, claim = whole_retelling(self.game, record, time_s), self._likely_owner(record, time_s)
            if told is not None:
                record = yield from self._tell_anew(record, told, Origin.CAMERA, time_s)
            elif claim is not None:
                record = yield from self.handle(record, claim, time_s)
            else:
                return (yield Decision((Refused(moves[0], None, asks=True),), origin, Signal.RECOGNISED, retells=True))
            moves = possible_moves(self.game, record, card, by)
        if len(moves) == 1:
            next_seat = self._asked_seat(moves[0]) if by is None else None
            if by is None and moves[0].subject is None:
                self._offer_later_turns(record, moves[0], time_s)
            record = yield from self.handle(record, MakeMove(moves[0], origin), time_s)
            if next_seat is not None and record.standing.turn == next_seat:  # otherwise the card was shown in a pause
                ends = replace(moves[0], by=next_seat)  # type: ignore[type-var]  # moves are dataclasses
                # that player's card is the next entry
                question = issues.questions.ask_over_too(ends, record.next_number + 1)
                record = yield Decision(origin=origin, signal=Signal.NOTICE, texts=(question,))
            return record
        if moves:
            return (yield ask_which(self.game, self.issues, Change(card, None, COMMAND_ZONE), moves))
        return record

    def _offer_later_turns(self, record: Record[Any], ends: Move, time_s: float | None) -> None:
        """A command card ends a turn, and names no seat. Where ends of turns need not be said, that turn may have been
        over before, and a later seat that did nothing shows the card: people may say so until the next act.
        """
        game, state, at = self.game, record.state, record.next_context(time_s)
        if not game.rules.infers_turns or game.rules.judge(record.public, ends, at):
            return
        turns: list[tuple[Seat | None, tuple[Move, ...]]] = []
        ended: list[Move] = []
        for _ in range(game.seats):
            state = game.rules.apply(state, ends, at).state
            turns.append((game.board.standing(game.public(state)).turn, tuple(ended)))
            unsaid = unsaid_moves(game, game.public(state), at)
            if not unsaid:
                break
            ends = unsaid[0]
            ended.append(ends)
        turn = turns[0][0]
        if turn is not None and len(turns) > 1:
            self.issues.questions.offer_later_turns(turn, turns[1:], record.next_number + 1)

    def _offer_next_end(self, record: Record[Any], ends: Move, time_s: float | None) -> None:
        """Who says that a turn is over says whose, but not which: a whole round may have passed in which nobody did
        anything. People may say so until the next act.
        """
        game, at = self.game, record.next_context(time_s)
        if not game.rules.infers_turns or ends.by == TABLE or ends.subject is not None:
            return
        lawful = not game.rules.judge(record.public, ends, at)
        moves = (ends,) if lawful else mended(game, self.issues, record, ends, at)
        state = state_after(game, record.state, moves, at) if moves else None
        turn = None if state is None else game.board.standing(game.public(state)).turn
        unsaid: list[Move] = []
        while state is not None and len(unsaid) < game.seats:
            ended = unsaid_moves(game, game.public(state), at)
            if not ended:
                return
            unsaid.append(ended[0])
            state = game.rules.apply(state, ended[0], at).state
        if turn is not None and unsaid[-1:] == [ends]:
            later = game.board.standing(game.public(state)).turn
            self.issues.questions.offer_later_turns(turn, [(later, tuple(unsaid))], record.next_number + len(moves))

    def _likely_owner(self, record: Record[Any], time_s: float | None) -> Claim | None:
        """The likeliest answer to whose an act was that leads to a lawful match, as if the camera had seen it."""
        issues = self.issues
        for claim in issues.questions.possible_claims:
            if state_if(self.game, record, (claim,), time_s, issues.turn_asked_at) is not None:
                return replace(claim, origin=Origin.CAMERA)
        return None

    def _asked_seat(self, move: Move) -> Seat | None:
        """The seat whose card waits for an answer whether this move came before it: then the command card may
        have been shown by either of the two seats.
        """
        for question in self.issues.questions.open.values():
            for meaning in question.meanings if question.change is not None else ():
                match meaning:
                    case (MakeMove(first), *_, MakeMove(last)) if first == move:
                        return last.by
                    case (Claim(by),) if by != move.by:
                        return by
        return None


def _keeps_to(said: Sequence[Callable[[Retelling], bool]], told: Retelling) -> bool:
    return all(fits(told) for fits in said)


def _is_told(before: Record[Any], record: Record[Any], command: Command) -> bool:
    """Whether the answer so far has played this move already, where it belongs."""
    since = (line.entry.event for line in record.lines[len(before.lines) :])
    return isinstance(command, MakeMove) and any(event == Played(command.move) for event in since)
