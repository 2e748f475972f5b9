"""The stored matches of a table: their records, pictures and figures; deleting, restoring and importing them."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from companion.errors import CompanionError, GameFault, InputError, LogError, fault
from companion.games import registry
from companion.games.guard import guarded_function
from companion.games.protocol import Game
from companion.history.events import Entry
from companion.history.record import Record, replay
from companion.history.seating import arrivals, names_in_play, seating
from companion.history.statistics import encode_statistics, match_statistics
from companion.public.results import Figures, MatchId, StoredMatchLine, StoredRecord
from companion.public.service import (
    Denied,
    Done,
    Invalid,
    NotFound,
    RequestKey,
    Result,
    RetoldMatch,
    Role,
    Unavailable,
    User,
)
from companion.public.standing import Standing
from companion.public.text import JSON, Text, fault_text, game_fault_text
from companion.reading.text import check_holders, parse_json
from companion.referee.match import Match
from companion.referee.updates import told_texts
from companion.service.runner import MatchRunner
from companion.service.summaries import Summaries, code_mark, hash_of, match_states
from companion.storage.event_log import AnsweredRequest, EventLog, MatchState, StoredMatch, import_record, wall_clock
from companion.storage.kept_answers import KeptAnswers
from companion.storage.losses import Damage
from companion.storage.record_file import follow, recorded_lines, sound_record, stored_entries
from companion.storage.snapshots import Snapshots

logger = logging.getLogger(__name__)

BOXES = "boxes"
"""The setting with the last match begun here for each deck file that players' answers complete."""


@dataclass(frozen=True, slots=True)
class DeletedMatch:
    """A deleted match that can be brought back."""

    stored: StoredMatch
    entries: tuple[JSON, ...]


def delete_match(runner: MatchRunner, match: str, request: RequestKey | None = None) -> DeletedMatch | None:
    """Delete a stored match; returns what is needed to bring it back.

    ``None`` if there is no such match, or it is in play.

    Raises:
        LogError: It could not be written.
    """
    stored = runner.log.match(match)
    if stored is None or runner.is_at_table(match):
        return None
    kept = DeletedMatch(stored, tuple(runner.log.entries(match)))
    runner.log.delete(match, request)
    return kept


def undelete_match(runner: MatchRunner, kept: DeletedMatch, request: RequestKey | None = None) -> str:
    """Store a deleted match again; returns its new id.

    Raises:
        LogError: It could not be written.
    """
    stored = kept.stored
    entries = follow(runner.open_game(stored.header), kept.entries)
    return import_record(runner.log, stored.id, stored.header, entries, stored.began, request)


def read_import(text: str) -> tuple[Mapping[str, JSON], list[Entry]]:
    """The header and the entries of a record (contract, section 7) that can be replayed completely.

    Raises:
        InputError: It is not such a record; names the line.
    """
    check_holders(text)
    lines = [line for line in text.splitlines() if line.strip()]
    values: list[Any] = []
    for number, line in enumerate(lines, 1):
        try:
            values.append(parse_json(line))
        except InputError as wrong:
            why = fault_text(wrong.faults[0])
            raise InputError(fault("record.fault.line", "line {line}: {why}", line=number, why=why)) from wrong
    head = values[0] if values else None
    if not isinstance(head, Mapping) or head.get("record") != 1 or not isinstance(head.get("match"), Mapping):
        what = "line 1: a record begins with {head}"
        raise InputError(fault("record.fault.head", what, head='{"record": 1, "match": …}'))
    header = {key: value for key, value in head.items() if key != "record"}
    header.setdefault("deck", registry.demo_deck(registry.match_module(header["match"])))
    game = registry.open_match(header["match"], header["deck"]).game
    return header, follow(game, values[1:])


def match_summary(
    log: EventLog, open_game: Callable[[Mapping[str, JSON]], Game[Any, Any]], stored: StoredMatch
) -> dict[str, JSON]:
    """A stored match as a line of the list, worked out from its entries.

    Damage is reported under ``damage``, a game that cannot be played here under ``missing``, and one that has a bug
    under ``bug``; other matches are not affected.
    """
    try:
        game = open_game(stored.header)
        record, damage = sound_record(log, stored.id, game, faults=True)
        summary = _list_line(stored, [line.entry for line in record.lines], record.standing)
    except GameFault as wrong:
        logger.info("%s cannot be followed: %s", stored.id, wrong)
        match = stored.header["match"]
        return {
            **{"id": stored.id, "game": wrong.game, "profile": str(match.get("profile", ""))},
            **{"seats": list(names_in_play(match)), "began": stored.began, "over": stored.over},
            "entries": log.last_number(stored.id),
            "bug": {"game": wrong.game, "function": wrong.function, "place": wrong.place},
        }
    except registry.NoGame:
        match, name = stored.header["match"], registry.named_game(stored.header["match"], stored.header.get("deck"))
        return {
            **{"id": stored.id, "game": str(name), "profile": str(match.get("profile", "")), "missing": True},
            **{"seats": list(names_in_play(match)), "began": stored.began, "over": stored.over},
            "entries": log.last_number(stored.id),
        }
    except Exception as wrong:  # noqa: BLE001  # bad data affects this match only
        logger.info("%s cannot be read: %r", stored.id, wrong)
        lost = log.last_number(stored.id)
        return {
            **{"id": stored.id, "profile": "", "seats": [], "began": stored.began, "over": stored.over, "entries": 0},
            "damage": {"kept": None, "lost": lost},
        }
    if damage is not None:
        summary["damage"] = {"kept": damage.kept, "lost": damage.lost}
    return summary


def running_summary(stored: StoredMatch, match: Match, damage: Damage | None, *, points: bool) -> dict[str, JSON]:
    """The match at the table as a line of the list.

    Args:
        points: Include points although the match has not ended.
    """
    record, standing = match.record, match.standing
    summary = _list_line(stored, [line.entry for line in record.lines], standing if points or match.over else None)
    if standing.final:
        summary["ended"] = True
    elif standing.provisional and "points" in summary:
        summary |= {"winners": [], "provisional": True}
    if match.issues.awaits_answer:
        summary["asked"] = True
    if match.fault is not None:
        summary["stopped"] = True
    return summary if damage is None else summary | {"damage": {"kept": damage.kept, "lost": damage.lost}}


def _list_line(stored: StoredMatch, entries: Sequence[Entry], standing: Standing | None) -> dict[str, JSON]:
    match = stored.header["match"]
    module = registry.match_module(match, stored.header.get("deck"))
    summary: dict[str, JSON] = {
        "id": stored.id,
        "game": module.name,
        "profile": match.get("profile", module.usual_profile),
        "seats": [person.name for person in seating(names_in_play(match), entries)],
        "began": stored.began,
        "over": stored.over,
        "entries": len(entries),
    }
    if standing is not None:
        summary |= {"points": list(standing.points), "winners": list(standing.winners)}
    return summary


def rematch_header(header: Mapping[str, JSON], entries: Sequence[Entry] = ()) -> Mapping[str, JSON]:
    """A new match with the same seats, game and cards; the dealer or first player changes.

    A simulated table uses another seed. Players sit as the last match's ``entries`` left them, and what players said
    about the box in them is added to the deck.
    """
    module = registry.match_module(header["match"], header.get("deck"))
    match = module.next_match(header["match"])
    people, came = seating(names_in_play(match), entries), arrivals(entries)
    match["seat"] = [{**seat, "name": person.name} for seat, person in zip(match["seat"], people, strict=True)]
    for number, here in came.items():
        match["seat"][number - 1].pop("late", None)
        if not here:
            match["seat"][number - 1]["late"] = True
    match.pop("position", None)
    again = {**header, "match": match}
    if module.decks.learned is not None and entries and header.get("deck"):
        game = registry.open_match(header["match"], header["deck"]).game
        again["deck"] = module.decks.learned(header["deck"], game.public(replay(game, entries).state))
    if "simulated" in header:
        again["simulated"] = {"seed": int(header["simulated"]["seed"]) + 1}
    return again


def begin_match(runner: MatchRunner, header: Mapping[str, JSON], request: RequestKey | None = None) -> str:
    """Begin a match, and note it as the last one with its deck file; returns its id.

    Raises:
        InputError: The header holds no playable match.
        LogError: It could not be written.
    """
    match = runner.begin(header, request)
    file = header["match"].get("deck")
    if isinstance(file, str) and registry.match_module(header["match"], header.get("deck")).decks.learned is not None:
        try:
            runner.log.table.set(BOXES, {**_boxes(runner), file: match})
        except (LogError, OSError):  # the match has begun; players will only be asked again
            logger.exception("That %s is played with %s could not be noted", match, file)
    return match


def _boxes(runner: MatchRunner) -> Mapping[str, JSON]:
    """The last match with each deck file; empty if the setting is damaged."""
    kept = runner.log.table.setting(BOXES)
    return kept if isinstance(kept, Mapping) else {}


def with_earlier_facts(runner: MatchRunner, header: Mapping[str, JSON]) -> Mapping[str, JSON]:
    """A match whose deck includes what players said about that box in the last match begun here with it.

    So a tile that was described once is not asked about again the next evening. What the file says now takes
    precedence. Imported matches are not used: no two boxes are alike, and many have the same name.

    Args:
        header: As it is stored: the match file and its deck.
    """
    match, deck = header["match"], header["deck"]
    module = registry.match_module(match, deck)
    file = match.get("deck")
    last = _boxes(runner).get(file) if isinstance(file, str) else None
    stored = runner.log.match(last) if isinstance(last, str) else None
    if module.decks.learned is None or stored is None or not stored.readable:
        return header
    before = stored.header
    try:
        game = registry.open_match(before["match"], before["deck"]).game
        public = game.public(replay(game, stored_entries(runner.log, stored.id, game)).state)
    except (CompanionError, OSError):  # the earlier match is of no use, but play can begin
        logger.exception("What was told of %s in match %s cannot be read", file, stored.id)
        return header
    return {**header, "deck": _completed(deck, module.decks.learned(before["deck"], public))}


def _completed(deck: Mapping[str, JSON], earlier: Mapping[str, JSON]) -> JSON:
    """A deck, completed with an earlier state of it where it says nothing."""
    completed = dict(deck)
    for key, rows in earlier.items():
        if isinstance(rows, list):
            known = {row["id"]: row for row in rows}
            known |= {row["id"]: {**known.get(row["id"], {}), **row} for row in deck.get(key, ())}
            completed[key] = list(known.values())
    return completed


T = TypeVar("T")


def ask_as_host(
    runner: MatchRunner, user: User, change: Callable[[], T | None], request: RequestKey | None = None
) -> Result[T]:
    """Let the referee's thread make a change that only the host may make.

    Args:
        change: Makes it and returns the result; ``None`` = there is no such thing.
        request: If it was answered before, nothing is changed, and the match that it answered with is the result:
            only for what answers with a ``MatchId``, or a form that begins as it does.
    """
    if user.role is not Role.HOST:
        return Denied(Text("desk.host_only"))

    def once() -> T | GameFault | None:
        before = None if request is None else first_answer(runner.log, request)
        try:
            return change() if before is None else cast(T, {"match": before.match})  # as all that write a match answer
        except GameFault as wrong:  # in a match that is stored or begins: the one at the table goes on
            return wrong

    try:
        value = runner.ask(once)
    except InputError as error:
        return Invalid.of(error)
    except TimeoutError:
        return Unavailable(Text("desk.slow_host"))
    except (LogError, OSError) as error:
        return Unavailable(str(error))
    if isinstance(value, GameFault):
        logger.error("%s", value, exc_info=value.__cause__)
        return Unavailable(game_fault_text(value, at_table=False))
    return NotFound() if value is None else Done(value)


def first_answer(log: EventLog, request: RequestKey) -> AnsweredRequest | None:
    """What a request wrote when it came before; ``None`` = it did not.

    Raises:
        InputError: The same key came with another body before.
    """
    before = log.answered(request)
    if before is not None and before.body != request.body:
        raise InputError(
            fault("request.fault.key_used", "This Idempotency-Key came with another body before: use a new one.")
        )
    return before


def may_read(user: User, silent: bool) -> bool:
    """Whether a user may see secrets while a match is in play.

    >>> may_read(User(Role.HOST), silent=True), may_read(User(Role.HOST, outside=True), silent=True)
    (False, True)
    """
    return user.role is Role.HOST and (user.outside or not silent)


class Archive:
    """An ``ArchiveService`` over the log.

    Args:
        runner: Runs the match at the table, and makes all changes in its thread.
        answers: Keep what was worked out about matches that are over.
    """

    def __init__(self, runner: MatchRunner, snapshots: Snapshots, answers: KeptAnswers) -> None:
        self._runner = runner
        self._snapshots = snapshots
        self._answers = answers
        self._summaries = Summaries(runner.log, answers, self._summary, in_play=self._in_play)
        self._deleted: dict[str, DeletedMatch] = {}
        self._asked: dict[str, threading.Lock] = {}
        self._asking = threading.Lock()

    def prepare(self) -> Callable[[], None]:
        """Work out in the background what the list of matches needs; returns the function that ends this."""
        self._summaries.work_ahead()
        return self._summaries.stop

    def matches(self, user: User) -> tuple[StoredMatchLine, ...]:
        """Stored matches, newest first; only the host sees the points of an unfinished one."""
        states = match_states(self._runner.log)
        lines = self._summaries.lines(states)
        return tuple(self._line(state, line, user) for state, line in zip(states, lines, strict=True))

    def match(self, user: User, match: str) -> StoredMatchLine | None:
        """One line of ``matches``; ``None`` if there is no such match."""
        try:
            state = self._runner.log.state(match)
        except LogError:
            return next((line for line in self.matches(user) if line["id"] == match), None)
        return None if state is None else self._line(state, self._summaries.line(state), user)

    def _line(self, state: MatchState, line: Mapping[str, JSON], user: User) -> StoredMatchLine:
        """A line of the list as this user may see it; the match at the table is never replayed for it."""
        at_table = self._runner.at_table()
        if not state.over and at_table is not None and at_table[0].id == state.id:
            stored, match, _ = at_table
            damage = self._runner.log.losses.of(state.id)
            line = running_summary(stored, match, damage, points=user.role is Role.HOST)
            return cast(StoredMatchLine, {**line, "running": True})
        if not state.over and user.role is not Role.HOST:
            line = {key: value for key, value in line.items() if key not in ("points", "winners")}
        return cast(StoredMatchLine, {**line, "running": False})

    def _in_play(self, match: str) -> bool:
        at_table = self._runner.at_table()
        return at_table is not None and at_table[0].id == match

    def _summary(self, match: str) -> dict[str, JSON] | None:
        stored = self._runner.log.match(match)
        return None if stored is None else match_summary(self._runner.log, self._runner.open_game, stored)

    def kept(self, user: User, match: str, name: str, make: Callable[[], bytes]) -> bytes | None:
        """What ``make`` works out about a match; of a match that is over it is worked out once and kept.

        Of one that is over and still at the table, once for the host, who can still correct it there, and once for
        everybody else.
        """
        readable = self._may_read(user, match)
        if readable is None:
            return None
        state = self._runner.log.state(match)
        if state is None or match in self._runner.log.damaged:
            return make()
        if not state.over:
            if not self._is_over_at_table(match):
                return make()
            name = f"{name} at the table, {'host' if user.role is Role.HOST else 'all'}"
        mark = f"{state.last} {code_mark()} {hash_of(self._snapshots.counts(match))}"
        answer = self._answers.get(match, name, mark)
        if answer is not None:
            return answer
        with self._asking:
            asked = self._asked.setdefault(f"{match} {name}", threading.Lock())
        try:
            with asked:  # of many who ask at once, one works
                answer = self._answers.get(match, name, mark)
                if answer is None:
                    answer = make()
                    self._answers.keep(match, name, mark, answer)
                    if self._runner.log.state(match) is None:  # deleted meanwhile
                        self._answers.forget(match)
        finally:
            with self._asking:
                self._asked.pop(f"{match} {name}", None)
        return answer

    def close(self, user: User, match: str, *, request: RequestKey | None = None) -> Result[MatchId]:
        """Close an interrupted match: it ends without a winner, and is not continued."""

        def change() -> MatchId | None:
            stored = self._runner.log.match(match)
            at_table = self._runner.is_at_table(match)
            stands_still = self._runner.match is not None and self._runner.match.fault is not None
            if stored is None or stored.over or (at_table and not stands_still):
                return None
            if at_table:
                self._runner.close(request)
            else:
                self._runner.log.close_match(match, request)
            return {"match": match}

        return ask_as_host(self._runner, user, change, request)

    def is_silent(self, match: str) -> bool:
        stored = self._runner.log.match(match)
        return stored is not None and self._runner.open_game(stored.header).silent

    def delete(self, user: User, match: str, *, request: RequestKey | None = None) -> Result[MatchId]:
        def change() -> MatchId | None:
            deleted = delete_match(self._runner, match, request)
            if deleted is None:
                return None
            self._deleted[match] = deleted
            self._summaries.forget(match)
            self._answers.forget(match)
            return {"match": match}

        return ask_as_host(self._runner, user, change, request)

    def undelete(self, user: User, match: str, *, request: RequestKey | None = None) -> Result[MatchId]:
        def change() -> MatchId | None:
            deleted = self._deleted.get(match)
            value: MatchId | None = {"match": undelete_match(self._runner, deleted, request)} if deleted else None
            self._deleted.pop(match, None)  # only now, so that a failed attempt can be repeated
            return value

        return ask_as_host(self._runner, user, change, request)

    def import_record(self, user: User, record: str, *, request: RequestKey | None = None) -> Result[StoredRecord]:
        if user.role is not Role.HOST:
            return Denied(Text("desk.host_only"))
        try:  # not in the referee's thread, so that the match at the table does not wait for it
            header, entries = read_import(record)
        except InputError as error:
            return Invalid.of(error)
        began = wall_clock()

        def change() -> StoredRecord:
            here = self._runner.log.same_record(header, entries)
            if here is not None:
                return {"match": here, "already": True}
            return {"match": import_record(self._runner.log, began[:10], header, entries, began, request)}

        return ask_as_host(self._runner, user, change, request)

    def record(self, user: User, match: str) -> Iterator[str] | None:
        replayed = self._replayed(user, match)
        return None if replayed is None else recorded_lines(*replayed[::2])

    def retold(self, user: User, match: str) -> RetoldMatch | None:
        replayed = self._replayed(user, match)
        if replayed is None:
            return None
        stored, game, record = replayed
        drawn = registry.match_module(stored.header["match"], stored.header.get("deck")).decks.drawn
        return RetoldMatch(
            tuple(recorded_lines(stored, record)),
            told_texts(game, record),
            None if drawn is None else tuple(guarded_function(game.name, "decks.drawn", drawn)(game)),
            self._figures(match, record),
        )

    def pictures(self, user: User, match: str, number: int) -> tuple[bytes, ...] | None:
        return None if self._readable(user, match) is None else self._snapshots.pictures(match, number)

    def statistics(self, user: User, match: str) -> Figures | None:
        replayed = self._replayed(user, match)
        return None if replayed is None else self._figures(match, replayed[2])

    def _figures(self, match: str, record: Record[Any]) -> Figures:
        figures = encode_statistics(match_statistics(record.lines))
        marks = {
            str(number): {"picture": place, "size": [mark.width, mark.height], "card": [[*at] for at in mark.corners]}
            for number, (place, mark) in self._snapshots.marks(match).items()
        }
        counts = {str(number): kept for number, kept in self._snapshots.counts(match).items()}
        return cast(Figures, {**figures, "pictures": counts, "marks": marks})

    def _replayed(self, user: User, match: str) -> tuple[StoredMatch, Game[Any, Any], Record[Any]] | None:
        """A stored match that this user may read, played again."""
        readable = self._readable(user, match)
        if readable is None:
            return None
        stored, game = readable
        return stored, game, sound_record(self._runner.log, match, game, faults=True)[0]

    def _may_read(self, user: User, match: str) -> bool | None:
        """As ``_readable``, without opening the game of a match that everybody may read; ``None`` = there is none."""
        stored = self._runner.log.match(match)
        if stored is None:
            return None
        return True if stored.over and stored.readable else self._readable(user, match) is not None

    def _readable(self, user: User, match: str) -> tuple[StoredMatch, Game[Any, Any]] | None:
        """A stored match that this user may read, with its game.

        Raises:
            PermissionError: Not for this user, or not now.
        """
        stored = self._runner.log.match(match)
        if stored is None:
            return None
        try:
            game: Game[Any, Any] = self._runner.open_game(stored.header)
        except registry.NoGame as wrong:
            name = registry.named_game(stored.header["match"], stored.header.get("deck"))
            raise PermissionError(Text("matches.missing", {"game": str(name)})) from wrong
        is_over = stored.over or self._is_over_at_table(match)
        if not is_over and not may_read(user, game.silent):
            raise PermissionError(Text("desk.record_later") if game.silent else Text("desk.host_alone"))
        return stored, game

    def _is_over_at_table(self, match: str) -> bool:
        """Whether it has ended for good and is still at the table; it is closed when the next one begins."""
        at_table = self._runner.match if self._runner.is_at_table(match) else None
        return at_table is not None and at_table.standing.final
