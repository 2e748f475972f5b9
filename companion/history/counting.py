"""What people count, and what it shows of the acts before: a count may have been true for some acts already."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from companion.errors import ImpossibleMove, InputError
from companion.games.protocol import Game, Move, MoveContext
from companion.history.corrections import MOST_ACTS, settles_acts
from companion.history.events import Corrected, Entry, Event, Origin, Played, Struck
from companion.history.record import Record, RecordedMove
from companion.public.standing import Count
from companion.public.table import TABLE, Change, Seat

Counts: TypeAlias = Mapping[str, Count]
"""By the counter's name."""
MOST_TRIES = 3
"""What had to be counted before some acts, so that it comes out after them, is found in so many steps or not at all."""


def counted_before(game: Game[Any, Any], record: Record[Any], counted: Counts) -> tuple[int, Counts] | None:
    """The entry before which things had gone astray unseen, so that all since comes out as it is counted now; and what
    would have been counted then. ``None`` if the least had gone astray when that is now.

    A hand that was held to be empty still had a card: fewer cards have gone astray if it had one more before the last
    was laid than if it was filled up and all these cards were missing.
    """
    known = _known(game, record.state, counted)
    if known.keys() != counted.keys():
        return None  # nobody is told how many there are
    least, found = _astray(known, counted), None
    since: list[tuple[Entry, Move]] = []
    for entry, act in _since_certain(record):
        since.insert(0, (entry, act.move))
        before = _as_before(game, record, since, counted)
        if before is None:
            continue
        astray = _astray(_known(game, record.states[entry.number - 1], counted), before)
        if astray < least:
            least, found = astray, (entry.number, before)
    return found


def left_in_pile(
    game: Game[Any, Any], record: Record[Any], change: Change, time_s: float | None
) -> tuple[int, Counts, Move] | None:
    """Something came from a pile that was held to be empty, as only the table itself makes it: one more had been left
    there, and somebody holds one less. ``None`` if that does not explain it.

    Nobody sees who drew less. It is taken from who holds most, since least hangs on that hand; people are asked to
    count.

    Returns:
        The entry before which the pile was held to be empty; what would have been counted then; and the move.
    """
    since: list[tuple[Entry, Move]] = []
    for entry, act in _since_certain(record):
        since.insert(0, (entry, act.move))
        before = _one_left(_known(game, record.states[entry.number - 1], game.rules.countable))
        if before is None:
            return None
        if (state := _state_since(game, record, since, before)) is None:
            continue
        public, at = game.public(state), record.next_context(time_s)
        for move in game.table.interpretations(public, change):
            if move.by == TABLE and not game.rules.judge(public, move, at):
                return entry.number, before, move
    return None


def counting_events(
    record: Record[Any], number: int, counted: Counts, by: Seat | None, origin: Origin
) -> tuple[tuple[Event, ...], tuple[Origin, ...]]:
    """The events that put a count before an entry, and where each comes from: what has counted since then counts after
    it.
    """
    later = [act for n, act in sorted(record.acts.items()) if n >= number and act.counts]
    strikes = [Struck(act.entry.number) for act in reversed(later)]
    again = [Played(act.move) for act in later]
    events: tuple[Event, ...] = (*strikes, Corrected(tuple(counted.items()), by), *again)
    return events, (*[origin] * (len(strikes) + 1), *(act.entry.origin or origin for act in later))


def count_behind(record: Record[Any], strike: int) -> int | None:
    """The count for which this entry struck something, if one did: nobody undid that."""
    entry, number = record.lines[strike - 1].entry, strike + 1
    while number < record.next_number and isinstance(record.lines[number - 1].entry.event, Struck):
        number += 1
    if number >= record.next_number:
        return None
    after = record.lines[number - 1].entry
    is_count = isinstance(after.event, Corrected) and after.event.table is None
    return number if is_count and (after.time_s, after.origin) == (entry.time_s, entry.origin) else None


def _since_certain(record: Record[Any]) -> Iterator[tuple[Entry, RecordedMove]]:
    """What counts since people last said or counted what was, the last one first."""
    acts = 0
    for line in reversed(record.lines):
        entry, act = line.entry, record.acts.get(line.entry.number)
        if entry.number in record.struck:
            continue
        if settles_acts(entry.event) or isinstance(entry.event, Corrected) or acts >= MOST_ACTS:
            return
        if act is not None and act.counts:
            acts += 1
            yield entry, act


def _known(game: Game[Any, Any], state: Any, names: Iterable[str]) -> Counts:
    """What is known of these counters in a state, as far as it is told."""
    counters = game.board.standing(game.public(state)).counters
    return {name: counters[name] for name in names if name in counters}


def _numbers(counted: Counts) -> list[int]:
    return [one for count in counted.values() for one in (count if isinstance(count, tuple) else (count,))]


def _astray(known: Counts, counted: Counts) -> int:
    """By so much it was counted otherwise than it was known."""
    return sum(abs(one - other) for one, other in zip(_numbers(known), _numbers(counted), strict=True))


def _as_before(
    game: Game[Any, Any], record: Record[Any], since: Sequence[tuple[Entry, Move]], counted: Counts
) -> Counts | None:
    """What had to be counted before these acts, so that the count of now comes out; ``None`` if nothing leads to it.

    It is looked for where the one who acted held so many more that no hand became empty since.
    """
    first, seat = since[0][0], since[0][1].by
    before = _more(
        _known(game, record.states[first.number - 1], counted), seat, sum(move.by == seat for _, move in since)
    )
    for _ in range(MOST_TRIES):
        state = None if before is None else _state_since(game, record, since, before)
        if before is None or state is None:
            return None
        came_out = _known(game, state, counted)
        if not _astray(came_out, counted):
            return before
        before = _shifted(before, counted, came_out)
    return None


def _state_since(
    game: Game[Any, Any], record: Record[Any], since: Sequence[tuple[Entry, Move]], before: Counts
) -> Any | None:
    """The state now if this had been counted before these acts; ``None`` if one of them would be against the rules."""
    number = since[0][0].number
    try:
        state = game.rules.correct(record.states[number - 1], before, MoveContext(number))
        for entry, move in since:
            at = MoveContext(entry.number, entry.time_s)
            if game.rules.judge(game.public(state), move, at) and not record.acts[entry.number].objections:
                return None
            state = game.rules.apply(state, move, at).state
    except (ImpossibleMove, InputError):
        return None  # no table can hold it, or it does not add up
    return state


def _shifted(counted: Counts, wanted: Counts, came_out: Counts) -> Counts:
    """Counts that are higher by what was wanted and did not come out."""
    lacks = iter([one - other for one, other in zip(_numbers(wanted), _numbers(came_out), strict=True)])

    def higher(count: Count) -> Count:
        return tuple(one + next(lacks) for one in count) if isinstance(count, tuple) else count + next(lacks)

    return {name: higher(count) for name, count in counted.items()}


def _more(known: Counts, seat: Seat, most: int) -> Counts | None:
    """The seat holds so many more that lay in the pile, or all of it; ``None`` if nothing lies in a pile."""
    left = min((count for count in known.values() if isinstance(count, int)), default=0)
    return _moved(known, seat, -min(most, left)) if left and 0 < seat <= len(_hands(known)) else None


def _one_left(known: Counts) -> Counts | None:
    """One more in the pile that is held to be empty, and one less in the largest hand; ``None`` without these."""
    hands = _hands(known)
    piles = [count for count in known.values() if isinstance(count, int)]
    if not hands or 0 not in piles:
        return None
    return _moved(known, Seat(hands.index(max(hands)) + 1), 1)


def _hands(known: Counts) -> tuple[int, ...]:
    """What each seat holds; empty if nothing is counted by seats."""
    return next((count for count in known.values() if isinstance(count, tuple)), ())


def _moved(known: Counts, seat: Seat, into_pile: int) -> Counts | None:
    """So many went from what a seat holds into the pile; ``None`` if there is no pile, or too little in it."""
    hands = next((name for name, count in known.items() if isinstance(count, tuple)), None)
    pile = next((name for name, count in known.items() if isinstance(count, int)), None)
    if hands is None or pile is None:
        return None
    held, lying = known[hands], known[pile]
    assert isinstance(held, tuple)
    assert isinstance(lying, int)
    after = tuple(one - into_pile * (place == seat) for place, one in enumerate(held, 1))
    return None if min(*after, lying + into_pile) < 0 else {**known, hands: after, pile: lying + into_pile}
