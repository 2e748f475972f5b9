"""The search for another story of the same acts is short enough for a small computer between two looks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import count
from typing import Any

from companion.games.discovery.moves import Deal, EndTurn, Place
from companion.games.registry import demo_deck, open_match
from companion.history.corrections import MOST_JUDGED, claimers, turn_retelling
from companion.history.events import Entry, Event, Origin, Played, Refused
from companion.history.record import Record, append, begin
from companion.public.table import TABLE, CardId, Change, Seat, Zone

CARDS = [CardId(f"1-{number}") for number in range(1, 10)]
POOL = tuple(CardId(f"4-{number}") for number in range(1, 6))


class JudgedTable:
    """Four players of Intro; counts the moves that are judged."""

    def __init__(self) -> None:
        names = ("Ana", "Ben", "Cy", "Dora")
        match = {"profile": "en-intro", "seat": [{"name": name} for name in names], "dealer": 4}
        game = open_match(match, demo_deck()).game
        self.judged = count()
        judge = game.rules.judge

        def counted(*asked: Any) -> Any:
            next(self.judged)
            return judge(*asked)

        self.game = replace(game, rules=replace(game.rules, judge=counted))

    def record(self, events: Iterable[tuple[Event, Origin]]) -> Record[Any]:
        record = begin(self.game)
        for event, origin in ((Played(Deal(TABLE, POOL)), Origin.CAMERA), *events):
            number = record.next_number
            record = append(self.game, record, Entry(number, event, origin, float(number)))
        self.judged = count()
        return record


def place(seat: int, card: CardId) -> Place:
    return Place(Seat(seat), card, "hand")


def waits(seat: int, card: CardId) -> tuple[Event, Origin]:
    """A card about which people were asked."""
    return Refused(place(seat, card), Change(card, None, Zone("tree")), asks=True), Origin.CAMERA


def ended_unsaid(seat: int) -> tuple[Event, Origin]:
    return Played(EndTurn(Seat(seat))), Origin.TABLE


def test_whose_card_it_may_be_is_not_searched_for_where_a_phone_has_said_it() -> None:
    """Three cards wait for an answer, three turns ended unsaid; then Dora's phone names her card. Nearly 6,000 moves
    were judged, a fifth of a second, to find that it is nobody else's: at every piece of news.
    """
    table = JudgedTable()
    first = (Played(place(1, CARDS[0])), Origin.CAMERA)
    asked = [waits(1, card) for card in CARDS[1:4]]
    said = (Played(place(4, CARDS[4])), Origin.PHONE)
    record = table.record([first, *asked, *map(ended_unsaid, (1, 2, 3)), said])
    assert claimers(table.game, record, record.next_number - 1) == ()
    assert next(table.judged) <= 4


def test_a_search_ends_however_much_waits_for_an_answer() -> None:
    """Eight cards that suit everybody, and nobody answers."""
    table = JudgedTable()
    laid = [(Played(place(1, card)), Origin.CAMERA) for card in CARDS[:4]]
    record = table.record([*laid, *(waits(1, card) for card in CARDS[4:8]), *map(ended_unsaid, (1, 2))])
    for seat in map(Seat, (1, 2, 3, 4)):
        table.judged = count()
        turn_retelling(table.game, record, seat, 2, 50.0)
        assert next(table.judged) <= 2 * MOST_JUDGED


def test_what_leads_nowhere_is_tried_once() -> None:
    """Four cards count for Ana, and no lawful story makes it Ben's turn. Whether somebody who did nothing passed or
    ended a turn is all one: without that 747 moves are judged.
    """
    table = JudgedTable()
    record = table.record((Played(place(1, card)), Origin.CAMERA) for card in CARDS[:4])
    assert turn_retelling(table.game, record, Seat(2), 2, 50.0) is None
    assert next(table.judged) < 500
