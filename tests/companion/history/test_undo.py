"""Whatever *Undo* says is what it does: on pages, by the button and by the command card, in every game, after
corrections of every kind, back to the beginning."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from support.long_cases import examples
from support.random_corrections import GAMES, LoggedMatch, evening, opened

import companion
from companion.history.events import Allowed, Claimed, Corrected, Entry, Origin, Played, Refused, Settled, Struck
from companion.public.service import Role, User
from companion.public.table import CardId, Seat
from companion.public.updates import OfferedCorrection
from companion.referee.commands import (
    AcceptTable,
    Allow,
    ChangeSeat,
    Claim,
    Command,
    CommandCard,
    CorrectCounts,
    MakeMove,
    OverruleCamera,
    Undo,
)
from companion.service.requests import parse_correction

SEEDS = range(examples(1, 40))
LENGTH = 40
EVERY_GAME = pytest.mark.parametrize(("name", "profile"), GAMES)


def offered(table: LoggedMatch, do: str) -> OfferedCorrection | None:
    return next((one for one in table.match.latest().corrections if one.do == do), None)


def after(table: LoggedMatch, command: Command) -> LoggedMatch:
    """The same match after a command, and the table as it lies."""
    copy = table.copy()
    copy.match.issues.lying = dict(table.match.issues.lying)
    copy.say(command)
    return copy


def counting(table: LoggedMatch) -> set[int]:
    """What is part of the match now and was said or done by somebody."""
    record = table.match.record
    active = {
        line.entry.number
        for line in record.lines
        if isinstance(line.entry.event, (Allowed, Claimed, Corrected)) and line.entry.number not in record.struck
    }
    # A correction of an entry that was struck has no effect any more.
    active -= {n for n in active if getattr(record.lines[n - 1].entry.event, "number", None) in record.struck}
    return active | {n for n, act in record.acts.items() if act.counts and act.move.by != 0}


def undone(table: LoggedMatch) -> LoggedMatch:
    """The match after what its *Undo* says; asserts that page, button and command card do exactly that."""
    said = offered(table, "undo")
    assert said is not None
    by_page, by_card = after(table, Undo(said.number)), after(table, CommandCard(CardId("KUNDO")))
    assert by_page.match.record.lines[-1].entry.event == by_card.match.record.lines[-1].entry.event
    assert counting(by_page) == counting(by_card)
    gone = counting(table) - counting(by_page)
    assert said.number in gone, (said, by_page.entries[len(table.entries) :])
    gone -= {getattr(table.entries[said.number - 1].event, "number", None)}  # it counted because it was allowed
    moves = {n: table.match.record.acts[n].move for n in gone if n in table.match.record.acts}
    claim = len(gone) > 1  # one that had to end the turn before: the turn goes on, and the card is whose it was
    assert not claim or all(n > said.number - len(gone) for n in moves), (said, gone)
    return by_page


@EVERY_GAME
@pytest.mark.parametrize("seed", SEEDS)
def test_whatever_undo_says_is_what_it_does_back_to_the_beginning(name: str, profile: str, seed: int) -> None:
    table = None
    for position, table in enumerate(evening(opened(name, profile), Random(seed), LENGTH)):
        if position % 7:
            continue
        now = table
        for _ in range(10):
            if offered(now, "undo") is None:
                break
            now = undone(now)
    assert table is not None
    while offered(table, "undo") is not None:
        table = undone(table)
    assert counting(table) == set(), "something counts that cannot be undone"


@EVERY_GAME
@pytest.mark.parametrize("seed", SEEDS)
def test_a_seat_may_do_what_it_is_offered_and_nothing_else_of_it(name: str, profile: str, seed: int) -> None:
    for table in evening(opened(name, profile), Random(seed), LENGTH):
        match = table.match
        for said in match.latest().corrections:
            for seat in map(Seat, range(1, match.game.seats + 1)):
                if said.do == "claim" or (said.do == "undo" and seat != said.seats[:1]):
                    document: dict[str, Any] = {"do": said.do, "number": said.number}
                    command = parse_correction(match, User(Role.SEAT, seat), document, [])
                    if said.do == "undo":
                        assert isinstance(command, Undo) == (seat in said.seats), (said, seat, command)
                elif said.do in ("allow", "camera-was-wrong"):
                    assert said.seats == ()


@EVERY_GAME
@pytest.mark.parametrize("seed", SEEDS)
def test_a_claim_a_permission_and_a_misread_card_that_are_offered_are_accepted(
    name: str, profile: str, seed: int
) -> None:
    for position, table in enumerate(evening(opened(name, profile), Random(seed), LENGTH)):
        if position % 3:
            continue
        for said in table.match.latest().corrections:
            match said.do:
                case "claim":
                    for seat in said.seats:
                        claimed = after(table, Claim(seat, said.number)).match.record
                        laid = max(n for n, act in claimed.acts.items() if act.move.by != 0)
                        assert (claimed.acts[laid].move.subject, claimed.acts[laid].move.by) == (said.card, seat)
                        assert claimed.acts[laid].counts
                case "camera-was-wrong":
                    new = after(table, OverruleCamera(said.number, anyway=True)).entries[len(table.entries) :]
                    assert not new or new[-1].event in (
                        Struck(said.number, misread=True),
                        Settled(said.number, misread=True),
                    )
                case "allow":
                    new = after(table, Allow(said.number)).entries[len(table.entries) :]
                    assert [entry.event for entry in new] in ([Allowed(said.number)], [])
                    assert said.number == max(table.match.record.open_refusals)


@EVERY_GAME
@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_undone_at_once_leaves_everything_as_it_was(name: str, profile: str, seed: int) -> None:
    """A card, a count, an adopted table, a claim and a permission. A turn whose end was inferred ends by an entry of
    its own: it takes two."""
    before = None
    for table in evening(opened(name, profile), Random(seed), LENGTH):
        record, said = table.match.record, offered(table, "undo")
        new = [] if before is None else [line.entry.event for line in record.lines[len(before.lines) :]]
        one = len(new) == 1 or isinstance(new[0] if new else None, Struck)
        if before is not None and said is not None and said.number > len(before.lines) and one:
            back = after(table, Undo()).match.record
            assert back.state == before.state, (new, said)
            if not isinstance(new[-1], Played):  # a card that was refused before stays dealt with
                assert back.open_refusals == before.open_refusals
        before = record


PLACED = {"do": "place", "by": 1, "card": "1-3", "from": "hand"}


def intro() -> LoggedMatch:
    match = {"profile": "en-explore", "seat": [{"name": "Ana"}, {"name": "Ben"}, {"name": "Cy"}]}
    game = companion.open_match(match, companion.demo_deck()).game
    pool = ["1-1", "1-2", "1-4", "2-6", "2-7"]
    said = [{"do": "deal", "by": 0, "pool": pool}, PLACED]
    entries = [Entry(n, Played(companion.decode_move(game, move)), Origin.CAMERA) for n, move in enumerate(said, 1)]
    return LoggedMatch(game, entries)


def test_an_adopted_table_is_undone_before_the_card_under_it() -> None:
    """The host touches "Keep the table as it is now" by mistake, then *Undo*: that is what it takes back."""
    table = intro()
    table.match.issues.lying = dict(table.game.table.expected(table.match.public).cards)
    table.say(AcceptTable())
    said = offered(table, "undo")
    assert said is not None
    assert (said.number, said.text.key, said.seats) == (3, "referee.table_kept", ())
    table.say(Undo(said.number))
    assert counting(table) == {2}
    assert offered(table, "undo") == OfferedCorrection("undo", 2, said_of(table, 2), Seat(1), CardId("1-3"), (Seat(1),))


def test_a_count_is_undone_before_the_card_under_it() -> None:
    table = intro()
    table.say(CorrectCounts((("stack", table.match.standing.counters["stack"]),)))
    said = offered(table, "undo")
    assert said is not None
    assert (said.number, said.text.key) == (3, "referee.counted.host")
    table.say(Undo(said.number))
    assert counting(table) == {2}


def said_of(table: LoggedMatch, number: int) -> Any:
    return next(update.texts[0] for update in table.match.updates(number, number))


def test_a_claim_that_ended_a_turn_is_undone_as_a_whole_by_whoever_claimed() -> None:
    """ "That was me", says Ben of Ana's second card; then he sees that it was hers after all."""
    table = intro()
    table.say(MakeMove(companion.decode_move(table.game, {**PLACED, "card": "1-5"}), Origin.CAMERA))
    claim = offered(table, "claim")
    assert claim is not None
    assert (claim.number, claim.by, claim.seats) == (3, Seat(1), (Seat(2),))
    table.say(Claim(Seat(2), 3))
    assert [type(entry.event) for entry in table.entries[3:]] == [Struck, Played, Played]
    said = offered(table, "undo")
    assert said is not None
    assert (said.text.key, said.seats) == ("referee.claimed", (Seat(2),))
    table.say(Undo(said.number))
    assert counting(table) == {2, 3}
    assert table.match.record.acts[3].move.by == 1
    assert [update.texts[0].key for update in table.news[-3:]] == [
        "referee.struck.host",
        "referee.struck.host",
        "referee.again.host",
    ]


def test_a_refused_card_that_was_let_stand_is_refused_again_once_that_is_undone() -> None:
    table = intro()
    move = companion.decode_move(table.game, {"do": "place", "by": 1, "card": "2-1", "from": "hand"})
    table.say(MakeMove(move, Origin.PHONE))
    assert isinstance(table.entries[-1].event, Refused)
    said = offered(table, "allow")
    assert said is not None
    table.say(Allow(said.number))
    assert offered(table, "allow") is None
    table.say(Undo())
    assert offered(table, "allow") == said


@EVERY_GAME
@pytest.mark.parametrize("seed", range(examples(2, 40)))
def test_a_correction_is_refused_with_what_is_wrong_with_it_and_not_with_an_earlier_count(
    name: str, profile: str, seed: int
) -> None:
    """ "These counts make 55 cards; please count again", was said to somebody who only undid a card: the count of an
    hour ago no longer added up. A claim of a card with a Stop after it ended the referee."""
    for table in evening(opened(name, profile), Random(seed), 60):
        if isinstance(table.said[-1][0], (CorrectCounts, ChangeSeat, AcceptTable)) or not table.news:
            continue
        refused = [text for text in table.news[-1].texts if text.key == "referee.cannot"]
        reasons = [why.key for text in refused for why in text.params["why"]]
        assert all(why.startswith("entry.fault.") for why in reasons), (table.said[-1], reasons)
