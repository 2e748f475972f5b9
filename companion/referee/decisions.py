"""Decisions, and those that follow from both commands and observations: refuse, ask, correct.

A function that decides is a generator. It yields one decision at a time and is sent the record that includes it, so
each decision is based on everything known; it returns the last record that it was sent.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from companion.games.move_words import move_parameters
from companion.games.protocol import Game, Move, MoveContext
from companion.history.corrections import (
    Retelling,
    ToldAct,
    as_seat,
    first_claim,
    guesses_since,
    is_first_laid,
    is_of_opening,
    last_laid_card,
    leaves_ends_unsaid,
    made_unlawful,
    possible_owners,
    retelling_events,
    retelling_if_theirs,
    retelling_origins,
    stories_with,
    told_context,
    told_states,
    unsaid_moves,
    why_broken,
)
from companion.history.events import Corrected, Entry, Event, Origin, Played, QuestionAsked, Refused, Struck
from companion.history.laid_back import laid_anew, laid_back, new_acts
from companion.history.record import Record, append_public
from companion.public.table import COMMAND_ZONE, TABLE, CardId, Change, Seat, changes
from companion.public.text import Text
from companion.public.updates import AnswerOption, Signal
from companion.referee.commands import Claim, MakeMove
from companion.referee.early import mended, state_after
from companion.referee.issues import TableIssues
from companion.referee.updates import texts_for


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision: entries to be written to the log together, and what to announce.

    Attributes:
        events: For the log, in order; may be empty.
        signal: Replaces the signal of the last entry; ``None`` = keep it.
        texts: Are added to the texts of the last entry.
        retells: Instead of the texts of all entries: they only tell anew what was announced before.
        origins: Of each event, where they differ from ``origin``.
    """

    events: tuple[Event, ...] = ()
    origin: Origin = Origin.CAMERA
    signal: Signal | None = None
    texts: tuple[Text, ...] = ()
    retells: bool = False
    origins: tuple[Origin, ...] = ()


BREAKS = {"referee.would_break", "referee.not_theirs"}
"""Why a correction is not made, unless somebody insists."""
Decisions: TypeAlias = Generator[Decision, Record[Any], Record[Any]]


def refuse(
    game: Game[Any, Any],
    issues: TableIssues,
    record: Record[Any],
    move: Move,
    change: Change | None,
    origin: Origin,
    time_s: float | None,
) -> Decision:
    """Refuse a move, unless what nobody said explains it."""
    explained = explain(game, issues, record, move, change, origin, time_s)
    return explained or Decision((Refused(move, change),), origin)


def explain(
    game: Game[Any, Any],
    issues: TableIssues,
    record: Record[Any],
    move: Move,
    change: Change | None,
    origin: Origin,
    time_s: float | None,
) -> Decision | None:
    """What explains a move that is unlawful as far as is known; ``None`` if nothing does.

    If only ends of turns were forgotten, they are recorded, or it is asked whether those turns were over. If its seat
    is named and its turn has not come, it is evidence: whose the cards before it were was only guessed. So it was
    where ends of turns are inferred, whatever is unlawful there, and at a table that often leaves them unsaid: a whole
    round may have passed since. Something that was laid back may have been laid anew.
    """
    if (again := tell_laid_anew(game, issues, record, move, change, origin, time_s)) is not None:
        return again
    mend = mended(game, issues, record, move, record.next_context(time_s))
    if mend and game.rules.infers_turns:
        after = state_after(game, record.state, mend, record.next_context(time_s))
        if after is None or not game.board.standing(game.public(after)).turn == mend[0].by == mend[-1].by:
            return pass_on(game, issues, record, mend, change, origin, time_s)
        # a whole round in which nobody did anything is asked about
        question = issues.questions.ask_whole_round(mend, change, record.next_number)
        return Decision((Refused(move, change, asks=True),), origin, Signal.ASKS, (question,))
    names_seat = names_its_seat(game, record, move, change, time_s)
    number, seats = record.next_number, list[Seat]()
    if not game.rules.infers_turns and not (names_seat and issues.questions.is_asked_whose):
        number, seats = possible_owners(game, record, move, change, origin, time_s)
    says_little = change is None and move.subject is None
    is_guessed = game.rules.infers_turns or issues.questions.is_asked_whose or leaves_ends_unsaid(record)
    is_evidence = move.by != record.standing.turn or game.rules.infers_turns or (names_seat and is_guessed)
    told = None
    if is_evidence and (says_little or not seats):
        told = tell_anew(game, issues, record, move, change, origin, time_s, seats)
    if told is not None or not seats:
        return told
    is_known = number < record.next_number  # what was laid keeps its place in the order of acts
    if not is_known and _is_plain(game, issues, record, mend, seats):
        return pass_on(game, issues, record, mend, change, origin, time_s, others=seats[1:])
    question = issues.questions.ask_whose_turn(seats, record.standing.turn, change, number)
    return Decision(() if is_known else (Refused(move, change, asks=True),), origin, Signal.ASKS, (question,))


def _is_plain(
    game: Game[Any, Any], issues: TableIssues, record: Record[Any], mend: Sequence[Move], seats: Sequence[Seat]
) -> bool:
    """Whether an act is most likely the next seat's, at a table that often does not say that a turn is over: there the
    same question has been answered before, and play goes on by itself. It may be contradicted until the next act.

    In silent games everything unexpected is asked about, and while something is asked, its answer comes first.
    """
    if game.silent or not mend or issues.awaits_answer:
        return False
    return seats[0] == mend[-1].by != record.standing.turn and leaves_ends_unsaid(record)


def names_its_seat(
    game: Game[Any, Any], record: Record[Any], move: Move, change: Change | None, time_s: float | None
) -> bool:
    """Whether an act is of its seat whosever turn it is: it was said, or lies in a place of that seat."""
    if change is None:
        return move.by != record.standing.turn
    at, states = record.next_context(time_s), [record.state]
    states += [game.rules.apply(record.state, ends, at).state for ends in unsaid_moves(game, record.public, at)[-1:]]
    read = [one.by for state in states for one in game.table.interpretations(game.public(state), change)]
    return (len(states) > 1 or move.by != record.standing.turn) and all(by == move.by for by in read)


def tell_anew(
    game: Game[Any, Any],
    issues: TableIssues,
    record: Record[Any],
    move: Move,
    change: Change | None,
    origin: Origin,
    time_s: float | None,
    seats: Sequence[Seat] = (),
) -> Decision | None:
    """What a move shows about those before it, if it names a seat whose turn has not come: they were another seat's.

    Where nobody had laid a card yet, or ends of turns are inferred, the only story that makes it lawful is true; else
    players are asked. ``None`` if no story does.

    Args:
        seats: Whose it may also be if nothing before was another seat's.
    """
    stories = stories_with(game, record, move, time_s)
    if not stories:
        return None
    told = stories[0]
    unique = len(stories) == 1 and (game.rules.infers_turns or is_of_opening(record, told))
    if move.by == record.standing.turn:  # a whole round in which nobody said anything is asked about
        unique = unique and len(told.added) <= guesses_since(record, told.first)
    if unique or issues.questions.is_asked_whose:  # it answers what is asked
        if change is not None:
            issues.reported.discard(change)
        events = (*retelling_events(record, told), Played(move))
        origins = (*retelling_origins(record, told, origin, None), origin)
        issues.ask_again(events)
        offer_ordinary_turns(game, issues, record, told, events, time_s)
        return Decision(events, origin, texts=retold_texts(game, record, told, move), retells=True, origins=origins)
    claims = [given for one in stories if (given := first_claim(record, one)) is not None]
    if not claims:
        return None
    number, seat, card = claims[0]
    claim = Claim(seat, number, Origin.PHONE)
    named = None if number == last_laid_card(record) else card
    asked = issues.questions.ask_whose_card(claim, named, move, change, record.next_number, seats)
    return Decision((Refused(move, change, asks=True),), origin, Signal.ASKS, (asked,))


def tell_laid_anew(
    game: Game[Any, Any],
    issues: TableIssues,
    record: Record[Any],
    move: Move,
    change: Change | None,
    origin: Origin,
    time_s: float | None,
) -> Decision | None:
    """What a move shows of something that was laid back: it is lawful only if that was laid anew; ``None`` if it is
    not lawful then either.
    """
    at = record.next_context(time_s)
    for number in laid_back(record):
        for moves in new_acts(game, record, number, time_s):
            told = laid_anew(game, record, number, moves, time_s)
            public = None if told is None else game.public(told.state)
            read = (move,) if change is None or public is None else game.table.interpretations(public, change)
            lawful = next((one for one in read if public is not None and not game.rules.judge(public, one, at)), None)
            if told is None or lawful is None:
                continue
            if change is not None:
                issues.reported.discard(change)
            events = (*retelling_events(record, told), Played(lawful))
            origins = (*retelling_origins(record, told, origin, None), origin)
            issues.ask_again(events)
            texts = retold_texts(game, record, told, lawful)
            return Decision(events, origin, texts=texts, retells=True, origins=origins)
    return None


def offer_laid_anew(game: Game[Any, Any], issues: TableIssues, record: Record[Any], card: CardId, number: int) -> None:
    """Something that was taken off lies there again; where it may have been laid anew, people may say so.

    Args:
        number: The entry with which it was taken off, the last one.
    """
    acts = [
        (AnswerOption(Text(f"{game.name}.reading.{moves[-1].do}", move_parameters(moves[-1], nth))), moves)
        for nth, moves in enumerate(new_acts(game, record, number, record.last_time_s), 1)
    ]
    issues.questions.offer_laid_anew(card, acts, number)


def play(
    game: Game[Any, Any],
    issues: TableIssues,
    record: Record[Any],
    move: Move,
    change: Change,
    time_s: float | None,
    *,
    was_asked: bool = False,
) -> Decision:
    """A thing that was laid counts. If it could be another seat's as well, because turns may have ended unsaid, people
    are told for whom it counts, and may say whose it was.

    Args:
        was_asked: It was asked whose it is, and what came since may have answered only a part of that.
    """
    number, at = record.next_number, record.next_context(time_s)
    suits_several = game.rules.infers_turns or is_first_laid(record) or was_asked
    if move.by == TABLE or move.laid is None or not suits_several:
        return Decision((Played(move),))
    others, again = other_turns(game, record, change, move, at)
    if others:
        issues.questions.offer_other_seats(move.laid, move.by, others, number)
    elif again:
        issues.questions.offer_next_turn((*again, move), number)
    return Decision((Played(move),))


def other_turns(
    game: Game[Any, Any], record: Record[Any], change: Change, move: Move, at: MoveContext
) -> tuple[list[Seat], tuple[Move, ...]]:
    """The other seats whose move this could be, had turns ended unsaid; or if only this seat could make it, the unsaid
    ends of turns until its next turn."""
    state, ends, seats = record.state, list[Move](), list[Seat]()
    for _ in range(game.seats):
        unsaid = unsaid_moves(game, game.public(state), at)
        if not unsaid:
            break
        ends.append(unsaid[0])
        state = game.rules.apply(state, unsaid[0], at).state
        public = game.public(state)
        for read in game.table.interpretations(public, change):
            if as_seat(read, move.by) != move or game.rules.judge(public, read, at):
                continue
            if read.by == move.by:
                return seats, () if seats else tuple(ends)
            seats.append(read.by)
    return seats, ()


def offer_ordinary_turns(
    game: Game[Any, Any],
    issues: TableIssues,
    record: Record[Any],
    told: Retelling,
    events: Sequence[Event],
    time_s: float | None,
) -> None:
    """A seat that did nothing is held to have passed; where it may have had an ordinary turn, one touch says so."""
    states = {one.move: state for one, state in told_states(game, record, told) if one.number is None}
    for number, event in enumerate(events, record.next_number):
        if isinstance(event, Played) and event.move in states:
            other = unsaid_moves(game, game.public(states[event.move]), record.next_context(time_s))[1:]
            if other and other[0] != event.move:
                issues.questions.offer_ordinary_turn(event.move, other[0], number)


def retold_texts(
    game: Game[Any, Any], record: Record[Any], told: Retelling, move: Move | None = None
) -> tuple[Text, ...]:
    """A retelling in words: who did nothing, and whose each card was; then what showed it."""
    texts: list[Text] = []
    shown = [] if move is None else [(ToldAct(move, record.next_number), told.state)]
    for one, state in (*told_states(game, record, told), *shown):
        act = None if one.number is None else record.acts.get(one.number)
        if act is None or not act.counts:
            effect = game.rules.apply(state, one.move, told_context(record, one))
            texts += game.words.caption(game.public(state), one.move, effect)
        elif act.move.by != one.move.by and one.move.laid is not None:
            card = Text("referee.the_card", {"card": one.move.laid})
            texts.append(Text("referee.claimed", {"seat": one.move.by, "what": card}))
    return tuple(texts)


def counted_texts(
    game: Game[Any, Any],
    record: Record[Any],
    events: Sequence[Event],
    origins: Sequence[Origin],
    time_s: float | None,
) -> tuple[Text, ...]:
    """In words, a count that is put before what has counted since: that it was counted, and each act that brings
    something else by it.
    """
    texts: list[Text] = []
    struck = [record.lines[event.number - 1] for event in events if isinstance(event, Struck)]
    after = record
    for event, origin in zip(events, origins, strict=True):
        before, after = after, append_public(game, after, Entry(after.next_number, event, origin, time_s))
        line = after.lines[-1]
        if isinstance(event, Struck):
            continue
        was = None if isinstance(event, Corrected) else struck.pop()
        if was is None or (was.points, was.milestone) != (line.points, line.milestone):
            texts += texts_for(game, after, before.public, after.state, line)
    return tuple(texts)


def pass_on(
    game: Game[Any, Any],
    issues: TableIssues,
    record: Record[Any],
    moves: Sequence[Move],
    change: Change | None,
    origin: Origin,
    time_s: float | None,
    taken_back: tuple[int, ...] = (),
    *,
    others: Sequence[Seat] = (),
) -> Decision:
    """Record ends of turns that were not announced, and the act that showed them.

    Nobody said or showed those ends, so they are only guesses: the cards before them may be the next seat's already.
    Each can be contested until the next act.

    Args:
        taken_back: The acts that were only taken back, the last one first, if the turn is not over.
        others: Whose the act may be as well.
    """
    if change is not None:
        issues.reported.discard(change)
    after = state_after(game, record.state, moves, record.next_context(time_s))
    goes_on = after is None or game.board.standing(game.public(after)).turn is not None
    texts = issues.questions.announce_passed_turn(moves, change, record.next_number, goes_on, taken_back, others)
    origins = (*[Origin.TABLE] * (len(moves) - 1), origin)
    if game.rules.infers_turns and len(moves) > 1 and not taken_back and moves[-1].by != TABLE:
        _offer_cards_before(game, issues, record, moves, origins, time_s)
    return Decision(tuple(Played(part) for part in moves), origin, texts=texts, origins=origins)


def _offer_cards_before(
    game: Game[Any, Any],
    issues: TableIssues,
    record: Record[Any],
    moves: Sequence[Move],
    origins: Sequence[Origin],
    time_s: float | None,
) -> None:
    """The cards right before ends of turns that nobody said may be of the seat after them already: its first act that
    suits nobody else came only now. People may say so until the next act.
    """
    after = record
    for move, origin in zip(moves, origins, strict=True):
        after = append_public(game, after, Entry(after.next_number, Played(move), origin, time_s))
    for number, act in sorted(record.acts.items(), reverse=True):
        if act.move.by == TABLE or not act.counts:
            continue
        card, seat = act.move.laid, moves[-1].by
        if card is None or act.move.by == seat:
            return
        told = retelling_if_theirs(game, after, number, seat, time_s)
        if told is None or told.acts[-1].move != moves[-1] or len(told.added) != len(moves) - 1:
            return  # the same turns would not have ended, only sooner
        issues.questions.offer_card_before(card, act.move.by, seat, number, after.next_number)


def ask_which(game: Game[Any, Any], issues: TableIssues, change: Change, moves: tuple[Move, ...]) -> Decision:
    """Several moves explain this change: ask which one it was."""
    question = Text("referee.which", {"card": change.card})
    if change.went_to == COMMAND_ZONE:
        question = Text(f"{game.name}.who.{moves[0].do}")
    answers = [
        (
            AnswerOption(Text(f"{game.name}.reading.{move.do}", move_parameters(move, nth))),
            (MakeMove(move, Origin.PHONE),),
        )
        for nth, move in enumerate(moves, 1)
    ]
    issues.questions.ask(question, answers, change)
    return Decision((QuestionAsked(change, moves),), signal=Signal.ASKS, texts=(question,))


def correct(
    game: Game[Any, Any],
    issues: TableIssues,
    record: Record[Any],
    events: tuple[Event, ...],
    origin: Origin,
    time_s: float | None,
    *,
    anyway: bool = False,
    signal: Signal | None = None,
    texts: tuple[Text, ...] = (),
    retells: bool = False,
    origins: tuple[Origin, ...] = (),
) -> Decisions:
    """Append a correction if the match stays valid, or ``anyway``: then what becomes unlawful stands, and is listed.

    Cards that it leaves in the wrong place count as reported. For the last four, see ``Decision``.
    """
    why = why_broken(game, record, events, time_s)
    if why is not None and not (anyway and why.key in BREAKS):
        return (yield Decision(origin=origin, signal=Signal.CORRECTED, texts=(why,)))
    if why is not None and (stand := made_unlawful(game, record, events, time_s)):
        texts = (*texts, Text("referee.stand_unlawful", {"what": list(stand)}))
    before = game.table.expected(record.public)
    record = yield Decision(events, origin, signal, texts, retells=retells, origins=origins)
    left = changes(game.table.expected(record.public), before.cards)
    issues.reported |= {change for change in left if issues.lying.get(change.card) == change.went_to}
    return record
