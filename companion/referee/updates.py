"""What an entry means for lamps and people: its signal, and its public texts."""

from __future__ import annotations

from typing import Any

from companion.games.protocol import Effect, Game
from companion.history.corrections import (
    ReplayedClaim,
    claim_behind,
    entry_name,
    possible_corrections,
    replayed_claim,
)
from companion.history.counting import count_behind
from companion.history.events import (
    Allowed,
    Claimed,
    Corrected,
    Ended,
    Event,
    Origin,
    Paused,
    Played,
    QuestionAsked,
    Refused,
    Resumed,
    Seated,
    Settled,
    Struck,
    TurnTold,
    Unexplained,
)
from companion.history.record import Record, RecordLine
from companion.public.table import Seat
from companion.public.text import JSON, Text
from companion.public.updates import OfferedCorrection, Signal

_SIGNALS: dict[type[Event], Signal] = {
    Refused: Signal.REFUSED,
    Settled: Signal.SETTLED,
    Unexplained: Signal.MISPLACED,
    QuestionAsked: Signal.ASKS,
    Paused: Signal.PAUSED,
    Resumed: Signal.RESUMED,
    Allowed: Signal.CORRECTED,
    Struck: Signal.CORRECTED,
    Claimed: Signal.CORRECTED,
    Corrected: Signal.CORRECTED,
    TurnTold: Signal.SETTLED,
    Seated: Signal.CORRECTED,
    Ended: Signal.OVER,
}


def signal_for(game: Game[Any, Any], public_before: Any, line: RecordLine) -> Signal:
    """The signal of an entry; ``public_before`` is the public state before it."""
    if line.standing.over and not game.board.standing(public_before).over:
        return Signal.OVER
    match line.entry.event:
        case Played(move):
            if line.milestone:
                return Signal.PRIZE
            by_hand = move.subject is not None and move.by != 0
            return Signal.PLAYED if by_hand and not game.silent else Signal.RECOGNISED
        case Refused(_, None, _) | Refused(_, _, True):  # a reported move is answered by a text; or it is asked about
            return Signal.RECOGNISED
        case event:
            return _SIGNALS[type(event)]


def texts_for(
    game: Game[Any, Any], record: Record[Any], public_before: Any, after: Any, line: RecordLine
) -> tuple[Text, ...]:
    """The public texts of an entry; ``after`` is the state after it."""
    match line.entry.event:
        case Played(move):
            effect = Effect(after, line.points, line.extras, line.score_reasons, line.milestone)
            return game.words.caption(public_before, move, effect)
        case Refused(move):
            return tuple(game.words.reason(public_before, move, objection) for objection in line.objections)
        case Struck(number, _, misread=True) | Settled(number, _, misread=True):
            return (Text("referee.misread", {"number": number, "what": entry_name(game, record, number)}),)
        case Struck(number, by) if (again := _struck_move(record, number)) is not None:
            return (_attributed("referee.again", line, by, what=entry_name(game, record, again)),)
        case Struck() if (claim := claim_behind(record, line.entry.number)) is not None:
            return (_claimed(claim),)
        case Struck() if (count := count_behind(record, line.entry.number)) is not None:
            return texts_for(game, record, public_before, after, record.lines[count - 1])
        case Struck(number, by):
            return (_attributed("referee.struck", line, by, number=number, what=entry_name(game, record, number)),)
        case Allowed(number, by):
            return (_attributed("referee.allowed", line, by, number=number, what=entry_name(game, record, number)),)
        case Claimed(number, by):
            return (Text("referee.claimed", {"seat": by, "what": entry_name(game, record, number)}),)
        case Corrected(by=by, table=None):
            return (_attributed("referee.counted", line, by),)
        case Corrected():
            return (Text("referee.adopted"),)
        case TurnTold(seat):
            return (Text("referee.turn_told", {"seat": seat}),)
        case Seated(seat, swaps=swaps, here=here):
            if swaps is not None:
                return (Text("referee.swapped", {"seat": seat, "other": swaps}),)
            key = "referee.renamed" if here is None else "referee.joined" if here else "referee.left"
            return (Text(key, {"seat": seat, "number": seat}),)
        case Paused(by):
            return (_attributed("referee.paused", line, by),)
        case Resumed(by):
            return (_attributed("referee.resumed", line, by),)
        case Ended():
            return (Text("referee.ended"),)
        case _:
            return ()


def told_texts(game: Game[Any, Any], record: Record[Any]) -> dict[int, tuple[Text, ...]]:
    """By entry, what was announced about it; with all corrections, as ``Match.updates`` says it again."""
    states = record.states
    return {
        number: texts_for(game, record, game.public(states[number - 1]), states[number], line)
        for number, line in enumerate(record.lines, 1)
    }


def offered_corrections(game: Game[Any, Any], record: Record[Any]) -> tuple[OfferedCorrection, ...]:
    """What can be corrected now, in words."""
    offered = []
    for one in possible_corrections(game, record):
        act = record.acts.get(one.number)
        offered.append(
            OfferedCorrection(
                do=one.do,
                number=one.number,
                text=_deed(game, record, one.number),
                by=None if act is None else act.move.by,
                card=None if act is None else act.move.subject,
                seats=one.seats,
            )
        )
    return tuple(offered)


def _deed(game: Game[Any, Any], record: Record[Any], number: int) -> Text:
    """What an entry did, in one sentence; of the one that ended the match only what was done, not who won."""
    if (claim := replayed_claim(record, number)) is not None:
        return _claimed(claim)
    line = record.lines[number - 1]
    if isinstance(line.entry.event, Corrected) and line.entry.event.table is not None:
        return entry_name(game, record, number)
    public_before = game.public(record.states[number - 1])
    if signal_for(game, public_before, line) is Signal.OVER:
        return entry_name(game, record, number)
    texts = texts_for(game, record, public_before, record.states[number], line)
    return texts[0] if texts else entry_name(game, record, number)


def _claimed(claim: ReplayedClaim) -> Text:
    return Text("referee.claimed", {"seat": claim.by, "what": Text("referee.the_card", {"card": claim.card})})


def _struck_move(record: Record[Any], number: int) -> int | None:
    """The move that counts again when entry ``number`` is struck, if that struck a move."""
    strike = record.lines[number - 1].entry.event
    struck = record.lines[strike.number - 1].entry.event if isinstance(strike, Struck) else None
    return strike.number if isinstance(strike, Struck) and isinstance(struck, Played) else None


def _attributed(key: str, line: RecordLine, by: Seat | None, **params: JSON) -> Text:
    """A text with its author, as far as it is public: a seat, the host without a seat, or a person at the table."""
    if by is not None:
        return Text(f"{key}.by", {"seat": by, **params})
    return Text(f"{key}.host" if line.entry.origin is Origin.PHONE else key, params)
