"""Moves, events and entries as JSON, in both directions. Faults name the key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields, replace
from functools import cache
from typing import Any, get_args, get_origin, get_type_hints

from companion.errors import Fault, InputError, fault
from companion.games.protocol import Game, Move
from companion.history.events import (
    Allowed,
    Claimed,
    Corrected,
    Ended,
    Entry,
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
from companion.history.record import RecordLine
from companion.history.seating import clean_name
from companion.public.standing import Count, encode_standing
from companion.public.table import CardId, Change, Seat, Zone
from companion.public.text import JSON


@dataclass(frozen=True, slots=True)
class _Field:
    """One key of a move: its name in Python and in the record, its type and default."""

    name: str
    key: str
    hint: Any
    default: Any


@cache
def _fields(kind: type[Move]) -> tuple[_Field, ...]:
    hints = get_type_hints(kind)
    return tuple(
        _Field(f.name, f.metadata.get("key", f.name), hints[f.name], f.default)
        for f in fields(kind)  # type: ignore[arg-type]  # moves are dataclasses; a Protocol cannot say so
    )


def encode_move(move: Move) -> dict[str, JSON]:
    """A move in the record's form, without keys that have their default.

    >>> import companion
    >>> game = companion.open_match(companion.demo_match(), companion.demo_deck()).game
    >>> encode_move(decode_move(game, {"do": "pass", "by": 2}))
    {'do': 'pass', 'by': 2}
    """
    document: dict[str, JSON] = {"do": move.do}
    for f in _fields(type(move)):
        value = getattr(move, f.name)
        if f.default is MISSING or value != f.default:
            document[f.key] = _as_json(value)
    return document


def _as_json(value: Any) -> JSON:
    """Tuples become lists, at any depth."""
    return [_as_json(item) for item in value] if isinstance(value, tuple) else value


def decode_move(game: Game[Any, Any], document: JSON) -> Move:
    """Read a move in the record's form; unknown keys are ignored.

    Raises:
        InputError: With a fault for every key that is missing, has the wrong type, or names no card or seat.
    """
    if not isinstance(document, Mapping):
        raise InputError(fault("move.fault.form", "a move is an object with the key do"))
    name = document.get("do")
    if not isinstance(name, str) or name not in game.rules.moves:
        names = ", ".join(sorted(game.rules.moves))
        sentence = "there is no move {value}; there are {known}"
        raise InputError(fault("move.fault.unknown", sentence, "do", value=repr(name), known=names))
    kind = game.rules.moves[name]
    faults: list[Fault] = []
    values: dict[str, Any] = {}
    for f in _fields(kind):
        if f.key not in document:
            if f.default is MISSING:
                faults.append(fault("move.fault.missing", "the move {move} needs this key", f.key, move=name))
            continue
        try:
            values[f.name] = _value(game, f.hint, document[f.key])
        except InputError as wrong:
            faults.append(replace(wrong.faults[0], where=(f.key,)))
    if faults:
        raise InputError(*faults)
    try:
        return kind(**values)
    except InputError:
        raise
    except ValueError as wrong:
        raise InputError(Fault(str(wrong))) from wrong


def _value(game: Game[Any, Any], hint: Any, value: JSON) -> Any:
    """Check one value against its type.

    Raises:
        InputError: It does not fit.
    """
    if get_origin(hint) is tuple:
        if not isinstance(value, list):
            raise InputError(fault("move.fault.list", "{value} should be a list", value=repr(value)))
        hints = get_args(hint)
        if hints[-1] is Ellipsis:
            hints = hints[:1] * len(value)
        if len(hints) != len(value):
            fault_sentence = "{value} should be a list of {count}"
            raise InputError(fault("move.fault.list_length", fault_sentence, value=repr(value), count=len(hints)))
        return tuple(_value(game, kind, item) for kind, item in zip(hints, value, strict=True))
    if type(None) in get_args(hint):
        if value is None:
            return None
        hint = next(arg for arg in get_args(hint) if arg is not type(None))
    if hint is bool:
        if not isinstance(value, bool):
            raise InputError(fault("move.fault.switch", "{value} should be true or false", value=repr(value)))
        return value
    if hint is Seat or hint is int:
        if not isinstance(value, int) or isinstance(value, bool):
            raise InputError(fault("move.fault.number", "{value} should be a whole number", value=repr(value)))
        if hint is Seat and not 0 <= value <= game.seats:
            sentence = "there is no seat {value}; seats are 1 to {most}, 0 is the table"
            raise InputError(fault("move.fault.seat", sentence, value=value, most=game.seats))
        return value
    if not isinstance(value, str):
        raise InputError(fault("move.fault.text", "{value} should be a text", value=repr(value)))
    if hint is CardId and value not in card_ids(game):
        raise InputError(fault("move.fault.card", "there is no card {value} in this match", value=repr(value)))
    return value


def card_ids(game: Game[Any, Any]) -> frozenset[str]:
    return frozenset(game.table.cards.values())


def seat_of(game: Game[Any, Any], value: JSON) -> Seat:
    """Check a seat's number.

    Raises:
        InputError: There is no such seat.
    """
    return Seat(_value(game, Seat, value))


def encode_change(change: Change) -> dict[str, JSON]:
    return {"card": change.card, "from": change.came_from, "to": change.went_to}


def encode_event(event: Event) -> dict[str, JSON]:
    """The keys that an event adds to its entry; the deal is written as ``dealt``, other moves as ``played``."""
    match event:
        case Played(move):
            return {"event": "dealt" if move.is_deal else "played", "move": encode_move(move)}
        case Refused(move, change, asks):
            refused: dict[str, JSON] = {"event": "refused", "move": encode_move(move)}
            if asks:
                refused["asks"] = True
            return refused if change is None else {**refused, "change": encode_change(change)}
        case Allowed(number, by):
            return _with_author({"event": "allowed", "allows": number}, by)
        case Struck(number, by, misread):
            return _with_author(_misread({"event": "struck", "strikes": number}, misread), by)
        case Claimed(number, by):
            return {"event": "claimed", "claims": number, "by": by}
        case Settled(number, by, misread):
            return _with_author(_misread({"event": "settled", "settles": number}, misread), by)
        case Corrected(counts, by, table):
            counted: dict[str, JSON] = {"event": "corrected"}
            if table is not None:
                counted["table"] = dict(table)
            counted |= {name: list(count) if isinstance(count, tuple) else count for name, count in counts}
            return _with_author(counted, by)
        case TurnTold(seat, by):
            return _with_author({"event": "corrected", "turn": seat}, by)
        case Seated(seat, name, swaps, here, by):
            changes = {"name": name, "swaps": swaps, "here": here}
            seated = {"event": "seated", "seat": seat} | {
                key: value for key, value in changes.items() if value is not None
            }
            return _with_author(seated, by)
        case Unexplained(change):
            return {"event": "unexplained", "change": encode_change(change)}
        case QuestionAsked(change, readings):
            return {
                "event": "question",
                "change": encode_change(change),
                "readings": [encode_move(move) for move in readings],
            }
        case Paused(by):
            return _with_author({"event": "paused"}, by)
        case Resumed(by):
            return _with_author({"event": "resumed"}, by)
        case Ended(by):
            return _with_author({"event": "ended"}, by)


def encode_entry(entry: Entry) -> dict[str, JSON]:
    """The stored form of an entry; it is enough to judge the match again.

    >>> encode_entry(Entry(7, Paused(Seat(2)), Origin.PHONE))
    {'number': 7, 'origin': 'phone', 'event': 'paused', 'by': 2}
    """
    document: dict[str, JSON] = {"number": entry.number}
    if entry.time_s is not None:
        document["time_s"] = round(entry.time_s, 3)
    if entry.origin is not None:
        document["origin"] = entry.origin.value
    if entry.waited_s is not None:
        document["waited_s"] = round(entry.waited_s, 3)
    return document | encode_event(entry.event)


def _misread(document: dict[str, JSON], misread: bool) -> dict[str, JSON]:
    return {**document, "misread": True} if misread else document


def _with_author(document: dict[str, JSON], by: Seat | None) -> dict[str, JSON]:
    return document if by is None else {**document, "by": by}


def decode_entry(game: Game[Any, Any], document: JSON, number: int) -> Entry:
    """Read an entry of a record. It may consist of its move alone.

    A move without ``event`` counts as played; the caller judges it.

        >>> import companion
        >>> game = companion.open_match(companion.demo_match(), companion.demo_deck()).game
        >>> decode_entry(game, {"event": "paused", "by": 2}, 1).event
        Paused(by=2)

    Args:
        number: The entry's place, from 1.

    Raises:
        InputError: Names the key.
    """
    if not isinstance(document, Mapping):
        raise InputError("an entry is an object with a move or an event")
    value = document.get("number", number)
    if isinstance(value, bool) or value != number:
        raise InputError(Fault(f"{value!r} is out of order: this is entry {number}", ("number",)))
    event, origin = _event(game, document, number), _origin(document)
    return Entry(number, event, origin, _seconds(document, "time_s"), _seconds(document, "waited_s"))


def _origin(document: Mapping[str, JSON]) -> Origin | None:
    value = document.get("origin")
    if value is None:
        return None
    try:
        return Origin(value)
    except ValueError:
        kinds = ", ".join(origin.value for origin in Origin)
        raise InputError(Fault(f"{value!r} is none of {kinds}", ("origin",))) from None


def _seconds(document: Mapping[str, JSON], key: str) -> float | None:
    value = document.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < float("inf"):
        raise InputError(Fault(f"{value!r} should be seconds from 0", (key,)))
    return float(value)


def _event(game: Game[Any, Any], document: Mapping[str, JSON], number: int) -> Event:
    name = document.get("event", "played")
    match name:
        case "played" | "dealt":
            return Played(_move(game, document))
        case "refused":
            change = document.get("change")
            seen = None if change is None else _change(document)
            return Refused(_move(game, document), seen, document.get("asks") is True)
        case "allowed":
            return Allowed(_earlier(document, "allows", number), _by(game, document))
        case "struck":
            return Struck(_earlier(document, "strikes", number), _by(game, document), document.get("misread") is True)
        case "claimed":
            by = _by(game, document)
            if not by:
                raise InputError(Fault("whose card was it? a seat from 1", ("by",)))
            return Claimed(_earlier(document, "claims", number), by)
        case "settled":
            return Settled(_earlier(document, "settles", number), _by(game, document), document.get("misread") is True)
        case "corrected" if "turn" in document:
            return _turn_told(game, document)
        case "corrected":
            return _corrected(game, document)
        case "seated":
            return _seated(game, document)
        case "unexplained":
            return Unexplained(_change(document))
        case "question":
            readings = document.get("readings", [])
            if not isinstance(readings, list):
                raise InputError(Fault("should be a list of moves", ("readings",)))
            return QuestionAsked(_change(document), tuple(decode_move(game, reading) for reading in readings))
        case "paused":
            return Paused(_by(game, document))
        case "resumed":
            return Resumed(_by(game, document))
        case "ended":
            return Ended(_by(game, document))
        case _:
            raise InputError(Fault(f"there is no event {name!r}", ("event",)))


def _move(game: Game[Any, Any], document: Mapping[str, JSON]) -> Move:
    if "move" not in document:
        raise InputError(Fault("this entry needs a move", ("move",)))
    try:
        return decode_move(game, document["move"])
    except InputError as wrong:
        raise InputError(*(Fault(fault.what, ("move", *fault.where)) for fault in wrong.faults)) from wrong


def _by(game: Game[Any, Any], document: Mapping[str, JSON]) -> Seat | None:
    if document.get("by") is None:
        return None
    try:
        return seat_of(game, document["by"])
    except ValueError as wrong:
        raise InputError(Fault(str(wrong), ("by",))) from wrong


def _earlier(document: Mapping[str, JSON], key: str, number: int) -> int:
    value = document.get(key)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 < value < number:
        raise InputError(Fault(f"{value!r} should be the number of an earlier entry", (key,)))
    return value


def _seated(game: Game[Any, Any], document: Mapping[str, JSON]) -> Seated:
    name, here = document.get("name"), document.get("here")
    if here is not None and not isinstance(here, bool):
        raise InputError(Fault("should be true or false", ("here",)))
    seats: list[Seat | None] = []
    for key in ("seat", "swaps"):
        try:
            seats.append(seat_of(game, document[key]) if key == "seat" or document.get(key) is not None else None)
        except (KeyError, ValueError) as wrong:
            raise InputError(Fault(f"should be a seat from 1 to {game.seats}", (key,))) from wrong
    if not all(seat is None or seat >= 1 for seat in seats) or seats[0] is None:
        raise InputError(Fault(f"should be a seat from 1 to {game.seats}", ("seat",)))
    return Seated(seats[0], None if name is None else clean_name(name), seats[1], here, _by(game, document))


def _turn_told(game: Game[Any, Any], document: Mapping[str, JSON]) -> TurnTold:
    try:
        seat = seat_of(game, document["turn"])
    except ValueError as wrong:
        raise InputError(Fault(str(wrong), ("turn",))) from wrong
    if not seat:
        raise InputError(Fault("whose turn was it? a seat from 1", ("turn",)))
    return TurnTold(seat, _by(game, document))


def _corrected(game: Game[Any, Any], document: Mapping[str, JSON]) -> Corrected:
    counts: list[tuple[str, Count]] = []
    for name, counter in game.rules.countable.items():
        count = document.get(name)
        if count is None:
            continue
        numbers = count if counter.by_seat else [count]
        if not isinstance(numbers, list) or any(type(number) is not int for number in numbers):
            raise InputError(Fault("should be counts in whole numbers", (name,)))
        if not counter.may_be_negative and min(numbers, default=0) < 0:
            raise InputError(Fault("should be counts from 0", (name,)))
        if counter.by_seat and len(numbers) != game.seats:
            raise InputError(Fault(f"should be {game.seats} counts, one a seat", (name,)))
        counts.append((name, tuple(numbers) if counter.by_seat else count))
    return Corrected(tuple(counts), _by(game, document), _table(game, document))


def _table(game: Game[Any, Any], document: Mapping[str, JSON]) -> tuple[tuple[CardId, Zone], ...] | None:
    lying = document.get("table")
    if lying is None:
        return None
    if not isinstance(lying, Mapping) or any(not isinstance(zone, str) for zone in lying.values()):
        raise InputError(Fault("should be an object of cards and their zones", ("table",)))
    unknown = sorted(set(lying) - card_ids(game))
    if unknown:
        raise InputError(Fault(f"there is no card {unknown[0]!r} in this match", ("table", unknown[0])))
    return tuple((CardId(card), Zone(zone)) for card, zone in lying.items())


def _change(document: Mapping[str, JSON]) -> Change:
    change = document.get("change")
    if not isinstance(change, Mapping) or not isinstance(change.get("card"), str):
        raise InputError(Fault("should be an object with card, from and to", ("change",)))
    places = [change.get(key) for key in ("from", "to")]
    if any(place is not None and not isinstance(place, str) for place in places):
        raise InputError(Fault("from and to are zones or null", ("change",)))
    came_from, went_to = (None if place is None else Zone(place) for place in places)
    return Change(CardId(change["card"]), came_from, went_to)


def encode_line(line: RecordLine, *, private: bool = True) -> dict[str, JSON]:
    """An entry with its results, as in a record; the public form leaves out secret objections."""
    entry = line.entry
    document = encode_entry(entry)
    if line.objections and (private or isinstance(entry.event, Refused)):
        document["objections"] = [
            {"rule": objection.rule, "cards": list(objection.cards)} if objection.cards else {"rule": objection.rule}
            for objection in line.objections
        ]
    if line.points:
        document["points"] = line.points
    return {**document, **line.extras, "standing": encode_standing(line.standing)}
