"""Nothing that happens on a table gets the referee stuck: cards laid, lifted and covered anywhere, anything shown and
said; "the table is right" always leads back, and what was written before stays as it was."""

from __future__ import annotations

from typing import Any

from hypothesis import example, given, settings, strategies as st
from support.long_cases import examples
from support.scripted_table import ScriptedTable

from companion.games import registry
from companion.games.discovery.moves import Concede, Discard, EndTurn, Place, Steal, Verify
from companion.games.protocol import MoveContext
from companion.history.events import Origin
from companion.public.table import CardId, Seat, ViewLost
from companion.referee.commands import (
    AcceptTable,
    Allow,
    AnswerQuestion,
    Claim,
    CommandCard,
    CorrectCounts,
    MakeMove,
    Pause,
    RestoreTable,
    Resume,
    Undo,
)

SEATS = 3
PROFILES = ("en-intro", "en-memory", "en-explore", "fr-explore", "fr-bluff")
TOKENS = [f"C{era}{number}" for era in (1, 2, 3) for number in range(1, 10)]
SHOWN = ["KEND", "KPASS", "KUNDO", "KSTOP", "KPAUSE", "KGO", "S1", "S2", "S3"]
ZONES = ["tree", "pool", "discard-1", "discard-2", "discard-3", None]
FURTHER = 20

laid = st.tuples(st.just("lay"), st.sampled_from(TOKENS), st.sampled_from(ZONES), st.booleans())
shown = st.tuples(st.just("show"), st.sampled_from(SHOWN), st.booleans(), st.booleans())
said = st.tuples(st.just("say"), st.integers(0, 9), st.integers(1, SEATS), st.integers(1, 30))
waits = st.tuples(st.just("wait"), st.sampled_from((0.5, 3.0, 12.0)), st.booleans(), st.sampled_from((None, *ViewLost)))
things = st.one_of(laid, laid, laid, shown, said, waits)


def table_with(profile: str) -> ScriptedTable:
    """A real match with its pool dealt."""
    match = {"game": "discovery", "profile": profile, "seat": [{"name": name} for name in ("Ana", "Ben", "Cléo")]}
    table = ScriptedTable(registry.open_match(match, registry.demo_deck()).game)
    table.look(1, **dict.fromkeys(TOKENS[:5], "pool"))
    return table


def tree(table: ScriptedTable) -> str:
    """Where cards are placed."""
    return "pile" if table.game.silent else "tree"


def happen(table: ScriptedTable, thing: tuple[Any, ...]) -> None:
    """One of all the things that may happen at a table."""
    match thing:
        case ("lay", token, zone, hand):
            table.look(0.75, hand=hand, **{token: tree(table) if zone == "tree" else zone})
        case ("show", token, long, away):
            table.look(2.5 if long else 0.25, **{token: "commands"})
            if away:
                table.look(0.5, **{token: None})
        case ("wait", seconds, hand, lost):
            table.look(seconds, hand=hand, lost=lost)
        case ("say", what, seat, number):
            table.say(words(table, what, Seat(seat), number))


def words(table: ScriptedTable, what: int, seat: Seat, number: int) -> Any:
    """Anything that a phone or a button can say."""
    card = CardId(f"{number % 6 + 1}-{number % 9 + 1}")
    hands = tuple(table.match.standing.counters["hands"])
    return (
        Undo(number),
        Undo(anyway=True),
        Claim(seat, number, anyway=True),
        Allow(),
        Pause(seat),
        Resume(seat),
        RestoreTable(seat),
        AnswerQuestion(number % 4, number % 3, seat),
        CommandCard(CardId("KEND"), seat),
        MakeMove(Place(seat, card, "hand"), Origin.PHONE)
        if number % 2
        else CorrectCounts((("hands", hands), ("stack", 54 - number)), seat),
    )[what]


def bring_back(table: ScriptedTable) -> None:
    """Everybody takes his hands away; what lies there counts."""
    table.look(1, **dict.fromkeys(SHOWN))
    table.say(Resume())
    table.say(AcceptTable())
    table.look(3)


def goes_on(table: ScriptedTable) -> bool:
    """One further lawful act is recorded right; answers whether there was one to do."""
    game, public, standing = table.game, table.match.public, table.match.standing
    if standing.over:
        return False
    seat, at = standing.turn, MoveContext(table.match.record.next_number)
    names = {card: token for token, card in game.table.cards.items()}
    unseen = [card for card in names if names[card] not in table.lying]
    if public.contest:
        ways: list[Any] = [kind(seat) for kind in (Verify, Concede) for seat in map(Seat, range(1, SEATS + 1))]
        move: Any = next(way for way in ways if not game.rules.judge(public, way, at))
    elif standing.owed:
        seat = standing.owed[0].seat
        robbed = next(Seat(n) for n, held in enumerate(standing.counters["hands"], 1) if n != seat and held)
        move = Steal(seat, robbed) if standing.owed[0].do == "steal" else Discard(seat, unseen[0])
    else:
        places = [Place(seat, card, "hand") for card in unseen]
        places += [Place(seat, card, table.lying[names[card]]) for card in public.pool if card]
        ways = [*places, *(Discard(seat, card) for card in unseen[:1]), EndTurn(seat)]
        lawful = [way for way in ways if not game.rules.judge(public, way, at)]
        assert lawful, standing
        move = lawful[0]
    before = len(table.story)
    match move:
        case Place(_, card, _):
            table.look(1, **{names[card]: tree(table)})
        case Discard(by, card):
            table.look(1, **{names[card]: f"discard-{by}"})
        case EndTurn():
            table.look(1, KEND="commands")
            table.look(1, KEND=None)
        case _:
            table.say(MakeMove(move, Origin.PHONE))
    new = [line.entry.event for line in table.match.record.lines[before:]]
    assert [getattr(event, "move", event) for event in new] == [move], table.story[before - 3 :]
    assert type(new[0]).__name__ == "Played"
    return True


def lives_through(table: ScriptedTable, happenings: list[tuple[Any, ...]]) -> None:
    for thing in happenings:
        written = list(table.entries)
        happen(table, thing)
        assert table.entries[: len(written)] == written, "the log only grows"
    before = list(table.entries)
    bring_back(table)
    assert table.entries[: len(before)] == before
    assert table.match.issues.instructions(table.match.game, table.match.record) == ()
    for _ in range(FURTHER):
        if not goes_on(table):
            break


@settings(max_examples=examples(20, 1000), deadline=None)
@given(st.sampled_from(PROFILES), st.lists(things, max_size=examples(40, 200)))
@example("en-intro", [("wait", 3.0, False, ViewLost.CAMERA), ("show", "KPAUSE", False, False)]).via("paused afterwards")
def test_whatever_happens_the_table_is_right_leads_back(profile: str, happenings: list[tuple[Any, ...]]) -> None:
    lives_through(table_with(profile), happenings)
