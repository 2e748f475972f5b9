"""Referee and reconciler each alone: a record goes in, decisions come out, and the issues say what stands open."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from support.toy_game import EndTurn, Place, stairs

from companion.history.events import Entry, Event, Origin, Paused, Played, Refused, Struck
from companion.history.record import Record, append, replay
from companion.public.table import CardId, Change, Observation, Placement, Seat, TableState, Token, Zone
from companion.public.updates import Alert
from companion.referee.commands import Command, CommandCard, MakeMove, Pause, RestoreTable
from companion.referee.issues import TableIssues
from companion.referee.reconciler import Reconciler, already_reported
from companion.referee.referee import Referee

GAME = stairs()


def dealt() -> Record[Any]:
    deal = GAME.table.deal(GAME.public(GAME.rules.start), {CardId("1-5"): Zone("pool")})
    assert deal is not None
    return replay(GAME, [Entry(1, Played(deal), Origin.CAMERA, 0.0)])


def drive(decisions: Any, record: Record[Any]) -> tuple[Record[Any], list[Event | Command]]:
    """Append what is decided; the record then, and all that was decided or shown as a command."""
    answers: list[Event | Command] = []
    try:
        answer = next(decisions)
        while True:
            events = getattr(answer, "events", None)
            answers += [answer] if events is None else events
            for event in events or ():
                record = append(GAME, record, Entry(record.next_number, event, time_s=1.0))
            answer = decisions.send(record)
    except StopIteration:
        return record, answers


def look(number: int, **lying: str) -> Observation:
    placements = frozenset(Placement(Token(token), Zone(zone)) for token, zone in lying.items())
    return Observation(number, 10.0 + number, TableState(placements))


def test_the_referee_answers_a_command_and_holds_no_record() -> None:
    referee, record = Referee(GAME, TableIssues()), dealt()
    paused, events = drive(referee.handle(record, Pause(), 1.0), record)
    assert events == [Paused(None)]
    assert drive(referee.handle(paused, Pause(), 1.0), paused)[1] == []
    assert drive(referee.handle(record, Pause(), 1.0), record)[1] == [Paused(None)]


def test_the_referee_goes_on_from_the_record_that_it_is_sent() -> None:
    """ "Restore" is decided by what differs, and a refused move leaves the table as it is."""
    issues = TableIssues(lying={CardId("1-5"): Zone("pool"), CardId("1-3"): Zone("tree")})
    referee, record = Referee(GAME, issues), dealt()
    record, events = drive(
        referee.handle(record, MakeMove(Place(Seat(2), CardId("1-3"), "hand"), Origin.PHONE), 1.0), record
    )
    assert [type(event) for event in events] == [Refused]
    drive(referee.handle(record, RestoreTable(), 1.0), record)
    assert issues.showing_moves
    assert issues.alert(record) is Alert.DISAGREES
    assert [text.params["card"] for text in issues.instructions(GAME, record)] == ["1-3"]


def test_the_reconciler_answers_looks_with_moves_and_with_the_commands_it_sees() -> None:
    issues = TableIssues()
    reconciler, record = Reconciler(GAME, issues), dealt()
    for number in range(20):
        record, answers = drive(reconciler.handle(record, look(number, C15="pool"), 1.0), record)
        assert answers == []
    record, answers = drive(reconciler.handle(record, look(20, C15="pool", C11="tree", KEND="commands"), 1.0), record)
    assert answers == [
        Played(Place(Seat(1), CardId("1-1"), "hand")),
        CommandCard(CardId("KEND"), None, Origin.CAMERA),
    ]
    assert issues.lying == {CardId("1-5"): Zone("pool"), CardId("1-1"): Zone("tree")}


def test_what_the_reconciler_reported_the_referee_knows_through_the_issues() -> None:
    issues = TableIssues()
    reconciler, referee, record = Reconciler(GAME, issues), Referee(GAME, issues), dealt()
    record, _ = drive(reconciler.handle(record, look(0, C15="pool"), 1.0), record)
    for number in range(10, 20):
        record, _ = drive(reconciler.handle(record, look(number, C15="pool", C13="tree"), 1.0), record)
    assert [change.card for change in issues.reported] == ["1-3"]
    assert issues.alert(record) is Alert.REFUSED
    record, events = drive(referee.handle(record, MakeMove(EndTurn(Seat(1)), Origin.PHONE), 1.0), record)
    assert events == [Played(EndTurn(Seat(1)))]


def test_a_card_that_is_gone_when_the_hand_leaves_was_never_laid_also_in_the_first_look_of_it() -> None:
    """Until the eye is sure that a place is empty it says what lay there, and does not show it."""
    record = dealt()

    def told_of(shown: list[bool | None]) -> list[Event | Command]:
        """What looks are answered with that show the card, or do not, or show a hand alone (``None``)."""
        answers, told = Reconciler(GAME, TableIssues()), []
        for number, is_shown in enumerate([True, *shown]):
            seen = look(number, C15="pool", C11="tree") if number else look(number, C15="pool")
            seen = replace(seen, shown=frozenset({Token("C15"), *([Token("C11")] if is_shown else ())}))
            seen = replace(seen, hand_in_view=is_shown is None)
            told += drive(answers.handle(record, seen, 1.0), record)[1]
        return told

    assert [type(event) for event in told_of([True])] == [Played]
    assert told_of([False]) == []
    assert told_of([False, False]) == []
    assert told_of([False, None, None]) == [], "a hand that comes later covers something else"
    assert [type(event) for event in told_of([False, True])] == [Played], "something was only held over it"
    assert [type(event) for event in told_of([False] * 4)] == [Played], "something without a sticker was put on it"


def test_under_a_hand_only_what_a_look_shows_is_refused() -> None:
    """A tile was tried in two places for nearly three seconds, and refused just after it was lifted: until the eye is
    sure that its place is empty, it says that the tile lies there."""
    record = dealt()

    def told_of(shown: str) -> list[type]:
        """What is said while a hand rests and looks show 1-3, or do not; at the last one there is no hand."""
        answers, told = Reconciler(GAME, TableIssues()), []
        for number, one in enumerate(f"+{shown}"):
            seen = look(number, C15="pool", C13="tree") if number else look(number, C15="pool")
            seen = replace(seen, shown=frozenset({Token("C15"), *([Token("C13")] if one == "+" else ())}))
            seen = replace(seen, hand_in_view=bool(number) and number < len(shown))
            told += [type(event) for event in drive(answers.handle(record, seen, 1.0), record)[1]]
        return told

    assert told_of("++++++") == [Refused], "an arm rests beside it"
    assert told_of("+--------") == [], "the hand covers it, or is lifting it"
    assert told_of("+----+++") == [Refused], "it lay under the hand"


def test_after_a_restart_what_an_undo_left_on_the_table_is_known_and_what_is_missing_is_not() -> None:
    """A card of the pool was taken back and carried off while the camera had just been opened; nobody missed it."""
    placed = Place(Seat(1), CardId("1-5"), "pool")
    record = append(GAME, append(GAME, dealt(), Entry(2, Played(placed))), Entry(3, Struck(2)))
    left, missing = (Change(CardId("1-5"), Zone("pool"), zone) for zone in (Zone("tree"), None))
    assert already_reported(record, (left, missing)) == {left}


def test_what_a_hand_covers_or_lifts_as_its_rest_ends_does_not_count_before_it_is_seen_again() -> None:
    rests = replace(GAME, table=replace(GAME.table, rest_s=lambda _: 2.0))

    def told_of(shown: str) -> list[type]:
        """What is said while a hand is in view and looks show 1-1, or do not."""
        answers, told, record = Reconciler(rests, TableIssues()), list[type](), dealt()
        for number, one in enumerate(f"+{shown}"):
            seen = look(number, C15="pool", C11="tree") if number else look(number, C15="pool")
            seen = replace(seen, shown=frozenset({Token("C15"), *([Token("C11")] if one == "+" else ())}))
            seen = replace(seen, hand_in_view=bool(number))
            record, said = drive(answers.handle(record, seen, 1.0), record)
            told += map(type, said)
        return told

    assert told_of("+++") == [Played], "the hand is beside it"
    assert told_of("++-----") == []
    assert told_of("++--+") == [Played]
