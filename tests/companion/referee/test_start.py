"""A match begins on a clear table: what lay there before is no move, in any game, however much of it is left."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any

import pytest
from support.card_film import MATCH as POSITION_MATCH, POOL, token_of
from support.film_report import DECK
from support.live_match import RATE_HZ, LiveMatch
from support.long_cases import rest_long
from support.scripted_table import ScriptedTable
from support.toy_game import stairs

from companion.games.carcassonne.module import CARCASSONNE
from companion.games.carcassonne.moves import LayStart, LayTile
from companion.games.carcassonne.people import MapPlaces
from companion.games.discovery.setup import PROFILES
from companion.games.protocol import MoveContext
from companion.games.registry import GAMES, demo_deck, open_match
from companion.history.codec import decode_move
from companion.history.events import Origin
from companion.public.table import TABLE, Observation, Placement, TableState, Token, Zone
from companion.public.text import Text
from companion.public.updates import Alert, Signal, Update
from companion.referee.commands import AcceptTable, MakeMove
from companion.referee.match import Match
from companion.referee.start import lying_in_the_way

MATCHES = {
    **{f"discovery {name}": dict(GAMES["discovery"].demonstration.match) | {"profile": name} for name in PROFILES},
    **{name: dict(GAMES[name].demonstration.match) for name in GAMES if name != "discovery"},
}
OLD_S, NEW_S = 75.0, 15.0


def live(match: str, seed: int, **more: Any) -> LiveMatch:
    file = MATCHES[match]
    return LiveMatch(file, demo_deck(GAMES[file["game"]]), seed, **more)


@cache
def old_table(match: str) -> tuple[Placement, ...]:
    """What lies there after some time of a match, when it is more than a deal."""
    before = live(match, 1)
    before.play(OLD_S)
    opened = open_match(before.file, before.deck)
    game, zones, public = opened.game, opened.layout, opened.game.public(opened.game.rules.start)

    def placed() -> tuple[Placement, ...]:
        there = sorted(before.film.stage.lying.items())
        poses = ((token, pose.x_mm, pose.y_mm, pose.rotation_deg) for token, pose in there)
        return tuple(Placement(token, zones.zone_at(x, y), x, y, turned) for token, x, y, turned in poses)

    while not lying_in_the_way(game, public, TableState(frozenset(placed()))):
        before.go_on(15.0)
    return placed()


@cache
def usual(match: str) -> list[Any]:
    """The same people's match on a table that was clear."""
    alone = live(match, 2)
    alone.play(NEW_S)
    return [line["move"] for line in alone.lines if "move" in line]


@dataclass
class SecondMatch:
    """A match that begins while things of another one lie there."""

    name: str
    updates: list[Update] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.live = live(self.name, 2)
        game = self.live.match.game
        self.match = self.live.match = Match(game, write=lambda _: None, publish=self.updates.append)
        self.looks, self.now_s = 0, -100.0

    def sees(
        self, there: tuple[Placement, ...], lasts_s: float = 2.0, *, hand: bool = False, pending: bool = False
    ) -> None:
        for _ in range(round(lasts_s * RATE_HZ)):
            self.looks, self.now_s = self.looks + 1, self.now_s + 1 / RATE_HZ
            table = TableState(frozenset(there))
            look = Observation(self.looks, self.now_s, table, hand_in_view=hand, pending=pending)
            self.match.handle(look, self.now_s)
            self.match.wake(self.now_s)

    @property
    def texts(self) -> list[str]:
        return [text.key for update in self.updates for text in update.texts]


def some(match: str, share: str, in_the_way: Mapping[Any, Any], game: Any) -> tuple[Placement, ...]:
    """Everything of the old table, half of it, or one thing that must go."""
    there = old_table(match)
    wrong = [one for one in there if game.table.cards.get(one.token) in in_the_way]
    return {"everything": there, "half": (*there[::2], wrong[-1]), "one": (wrong[len(wrong) // 2],)}[share]


@pytest.mark.parametrize(
    ("name", "share"),
    [
        *((name, "everything") for name in MATCHES),
        *rest_long([(name, share) for name in reversed(MATCHES) for share in ("half", "one")], 2),
    ],
)
def test_nothing_that_lay_there_before_is_a_move_and_the_match_begins_by_itself(name: str, share: str) -> None:
    """ "Clear the table; only the start tile stays", and then as if nothing had lain there."""
    second = SecondMatch(name)
    game, record = second.match.game, second.match.record
    wrong = lying_in_the_way(game, record.public, TableState(frozenset(old_table(name))))
    there = some(name, share, wrong, game)
    left = len(lying_in_the_way(game, record.public, TableState(frozenset(there))))
    second.sees(there, 4.0)
    assert (len(second.match.record.lines), second.match.latest().alert) == (0, Alert.DISAGREES)
    assert len(second.match.latest().instructions) == left
    assert second.texts == ["referee.clear_table"]
    (told,) = second.updates[-1].texts
    assert (told.params["n"], told.params["stays"]) == (left, Text(f"{game.name}.start.stays"))
    counts = []
    for at in range(1, len(there) + 1):  # one thing after the other is taken off, by hands that come and go
        second.sees(there[at:], 0.25, hand=bool(at % 3))
        counts.append(len(second.match.latest().instructions))
    second.sees(())
    assert (counts == sorted(counts, reverse=True), counts[-1]) == (True, 0)
    assert (second.match.record.lines, second.match.latest().alert) == ((), Alert.NONE)
    assert {update.signal for update in second.updates} == {Signal.NOTICE}
    assert second.texts[-1] == "referee.cleared"
    second.live.play(NEW_S)
    assert [line["move"] for line in second.live.lines if "move" in line] == usual(name)


def test_carcassonnes_start_tile_may_stay() -> None:
    second = SecondMatch("carcassonne")
    there = old_table("carcassonne")
    start = tuple(one for one in there if one.token == second.match.game.setup.deck.start)
    second.sees(there)
    second.sees(start, 0.5)
    assert [line["move"]["do"] for line in second.live.lines] == ["start"]


def test_what_is_laid_while_two_old_followers_are_forgotten_is_new_and_counts_when_they_have_gone() -> None:
    """ "3 things from before still lie there": one of them was the new tile, and stayed so for ever."""
    second = SecondMatch("carcassonne")
    game = second.match.game
    places = MapPlaces(game, game.table.layout)
    forgotten = tuple(one for one in old_table("carcassonne") if one.token in game.setup.owners)[:2]
    laid: dict[Any, Any] = {}
    at = MoveContext(2)
    state = game.rules.apply(game.rules.start, LayStart(TABLE, game.setup.deck.start), MoveContext(1)).state
    player = CARCASSONNE.demonstration.random_player(game)
    proposed = (move for seed in range(99) for move in player(state, Random(seed), at))
    lays = (move for move in proposed if isinstance(move, LayTile))
    tile = next(move for move in lays if not game.rules.judge(state, move, at))
    second.sees(old_table("carcassonne"))
    second.sees(forgotten, 6.0)
    for card, x, y, turn in ((game.setup.deck.start, 0, 0, 0), (tile.card, tile.x, tile.y, tile.turn)):
        token = next(token for token, name in game.table.cards.items() if name == card)
        laid[token] = Zone(f"field {x} {y} {turn}"), places.pose(token, Zone(f"field {x} {y} {turn}"), laid, None)
        there = tuple(
            Placement(one, Zone("field"), pose.x_mm, pose.y_mm, pose.rotation_deg) for one, (_, pose) in laid.items()
        )
        second.sees((*forgotten, *there), 3.0)
        asked = second.match.latest().instructions
        assert {(text.key, text.params["card"]) for text in asked} == {
            ("referee.take_away", game.table.cards[one.token]) for one in forgotten
        }
    second.sees(there, 3.0)
    assert [act.move.do for act in second.match.record.acts.values()] == ["start", "place"]
    assert second.match.latest().instructions == ()


def test_what_is_left_of_an_old_pool_is_dealt_only_when_nobody_is_clearing_any_more() -> None:
    second = SecondMatch("discovery fr-explore")
    there = old_table("discovery fr-explore")
    pool = tuple(one for one in there if one.zone == "pool")
    second.sees(there)
    second.sees(pool, 3.0)
    second.sees(pool, 1.0, hand=True)
    second.sees(pool, 3.0)
    assert second.live.lines == []
    second.sees(pool, 3.0)
    assert [line["event"] for line in second.live.lines] == ["dealt"]


@pytest.mark.parametrize("name", MATCHES)
def test_a_host_may_say_that_the_table_is_right(name: str) -> None:
    second = SecondMatch(name)
    second.sees(old_table(name))
    second.match.handle(AcceptTable(None, Origin.PHONE), second.now_s)
    second.sees(old_table(name), 6.0)
    events = [line["event"] for line in second.live.lines]
    if events:  # some tables no match can begin from: then the words say why, and it is waited on
        assert events[0] == "corrected"
        assert not set(events) & {"played", "refused"}
    assert second.match.latest().alert in (Alert.NONE, Alert.DISAGREES)
    assert "referee.cleared" not in second.texts


def test_a_table_that_the_eye_has_not_read_to_its_end_is_not_clear() -> None:
    """A new eye reads the first pictures whole; what it reads late lay there all the same."""
    table = ScriptedTable(stairs(), number=-1)
    match = Match(stairs(), table.write, table.news.append)
    empty, old = frozenset[Placement](), frozenset({Placement(Token("C12"), "tree")})  # type: ignore[arg-type]
    match.handle(Observation(1, 1.0, TableState(empty), pending=True), 1.0)
    match.handle(Observation(2, 1.25, TableState(old), there_first=frozenset({Token("C12")})), 1.25)
    match.handle(Observation(3, 1.5, TableState(empty)), 1.5)
    assert match.record.lines == ()
    match.handle(Observation(4, 1.75, TableState(old), there_first=frozenset({Token("C12")})), 1.75)
    for number in range(5, 40):
        now_s = number / 4 + 0.75
        match.handle(Observation(number, now_s, TableState(old), there_first=frozenset({Token("C12")})), now_s)
    assert match.record.lines == ()
    assert [text.key for news in table.news for text in news.texts] == ["referee.take_away"]
    match.handle(Observation(50, 20.0, TableState(empty)), 20.0)
    match.handle(Observation(51, 20.25, TableState(frozenset({Placement(Token("C11"), "tree")}))), 20.25)  # type: ignore[arg-type]
    assert [line.entry.event.move.card for line in match.record.lines] == ["1-1"]  # type: ignore[union-attr]


def test_what_lay_elsewhere_before_the_first_look_is_no_act_and_counts_once_it_was_put_back() -> None:
    """A position was set up wrongly, and the card that lies in the tree instead of the pool is read late."""
    entries, news = list[Any](), list[Update]()
    match = Match(open_match(POSITION_MATCH, DECK).game, write=entries.extend, publish=news.append)
    right = {"C11": "tree", **{str(token_of(card)): "pool" for card in POOL}}
    moved = str(token_of(POOL[0]))

    def sees(first: int, there: Mapping[str, str]) -> None:
        for number in range(first, first + 10):
            placed = frozenset(Placement(Token(name), Zone(zone)) for name, zone in there.items())
            look = Observation(
                number, number / 4, TableState(placed), there_first=frozenset({Token(moved)} & there.keys())
            )
            match.handle(look, number / 4)

    sees(0, {name: zone for name, zone in right.items() if name != moved})
    sees(10, {**right, moved: "tree"})
    assert entries == []
    assert [text.key for update in news for text in update.texts] == ["referee.put_into"]
    sees(20, right)
    sees(30, {**right, moved: "tree"})
    assert [entry.event.move.card for entry in entries] == [POOL[0]]


@pytest.mark.parametrize("busy", ["pending", "hand_in_view"])
def test_a_card_laid_before_the_first_look_is_done_is_no_card_from_before(busy: str) -> None:
    """Somebody presses Begin and lays his first card in the same second, his arm still over the table."""
    table = ScriptedTable(stairs(), number=-1)
    match = Match(stairs(), table.write, table.news.append)
    laid = frozenset({Placement(Token("C11"), "tree")})  # type: ignore[arg-type]
    match.handle(Observation(1, 1.0, TableState(frozenset()), **{busy: True}), 1.0)  # type: ignore[arg-type]
    for number in range(2, 6):
        match.handle(Observation(number, 1 + number / 4, TableState(laid), **{busy: True}), 1 + number / 4)  # type: ignore[arg-type]
    match.handle(Observation(6, 2.5, TableState(laid)), 2.5)
    assert [line.entry.event.move.card for line in match.record.lines] == ["1-1"]  # type: ignore[union-attr]
    assert not [text for news in table.news for text in news.texts if text.key == "referee.clear_table"]


def pool(*numbers: int) -> tuple[Placement, ...]:
    return tuple(Placement(Token(f"C1{n}"), Zone("pool")) for n in numbers)


@pytest.mark.parametrize("name", [name for name in MATCHES if name.startswith("discovery")])
def test_a_card_taken_from_the_pool_before_the_first_look_is_finished_was_dealt(name: str) -> None:
    """Five cards lie face up, one of them is played from there at once, and the gap is filled."""
    second = SecondMatch(name)
    tree = Zone("pile" if second.match.game.silent else "tree")
    second.sees(pool(2, 3, 4, 5, 6), 1.0, pending=True)
    second.sees(pool(3, 4, 5, 6), 1.0, hand=True)
    second.sees((Placement(Token("C12"), tree), *pool(1, 3, 4, 5, 6)), 1.0)
    dealt, played, refilled = (line["move"] for line in second.live.lines)
    assert (dealt["do"], sorted(dealt["pool"])) == ("deal", ["1-2", "1-3", "1-4", "1-5", "1-6"])
    assert [played[key] for key in ("do", "card", "from")] == ["place", "1-2", "pool"]
    assert (refilled["do"], refilled["card"]) == ("refill", "1-1")


def test_a_pool_that_was_exchanged_before_the_first_look_is_finished_is_dealt_as_it_lies() -> None:
    second = SecondMatch("discovery fr-explore")
    second.sees(pool(1, 2, 3, 4, 5), 1.0, pending=True)
    second.sees(pool(2, 3, 4, 5), 1.0, hand=True)
    second.sees(pool(2, 3, 4, 5, 6))
    assert [sorted(line["move"]["pool"]) for line in second.live.lines] == [["1-2", "1-3", "1-4", "1-5", "1-6"]]


def test_a_pool_that_lay_whole_is_forgotten_when_a_host_says_that_the_table_is_right() -> None:
    second = SecondMatch("discovery fr-explore")
    first, next_one = (Placement(Token(f"C1{n}"), Zone("tree")) for n in (1, 2))
    second.sees(pool(1, 2, 3, 4, 5), 1.0, pending=True)
    second.sees((first, *pool(2, 3, 4, 5)), 1.0, hand=True)
    second.match.handle(AcceptTable(None, Origin.PHONE), second.now_s)
    second.sees((first, *pool(2, 3, 4, 5)))
    assert [line["event"] for line in second.live.lines] == ["corrected"]
    second.sees((first, next_one, *pool(3, 4, 5)))
    assert [line["move"]["card"] for line in second.live.lines if "move" in line] == ["1-2"]


@pytest.mark.parametrize("seen", ["not yet", "not to its end"])
@pytest.mark.parametrize("name", [name for name in MATCHES if name.startswith("discovery")])
def test_who_passes_on_a_phone_before_the_pool_is_read_stops_nothing(name: str, seen: str) -> None:
    """A camera needs some seconds for its first picture, and a player does not wait for it."""
    second = SecondMatch(name)
    if seen == "not to its end":
        second.sees(pool(2, 3, 4, 5, 6), 1.0, pending=True)
    second.match.handle(MakeMove(decode_move(second.match.game, {"do": "pass", "by": 1}), Origin.PHONE), second.now_s)
    second.sees(pool(2, 3, 4, 5, 6), 5.0)
    tree = Zone("pile" if second.match.game.silent else "tree")
    second.sees((Placement(Token("C11"), tree), *pool(2, 3, 4, 5, 6)), 3.0)
    moves = [line["move"] for line in second.live.lines]
    pool_named = {"not to its end": ["deal", "pass"], "not yet": ["pass", *["refill"] * 5]}[seen]
    assert [move["do"] for move in moves] == [*pool_named, "place"]
    assert (moves[-1]["card"], moves[-1]["by"]) == ("1-1", 2)
    assert "referee.clear_table" not in second.texts


@pytest.mark.parametrize("said", ["while all lies there", "when the tree is empty", "at the last card"])
@pytest.mark.parametrize("name", [name for name in MATCHES if name.startswith("discovery")])
def test_who_passes_on_a_phone_while_an_old_pool_is_cleared_names_no_card_of_it(name: str, said: str) -> None:
    """The first seat has looked at its new hand and passes; the others still clear the table and deal the new pool."""
    second = SecondMatch(name)
    old, new = pool(2, 3, 4, 5, 6), pool(1, 7, 8, 9, 2)
    tree = Placement(Token("C11"), Zone("pile" if second.match.game.silent else "tree"))

    def passes(when: str) -> None:
        if said == when:
            move = decode_move(second.match.game, {"do": "pass", "by": 1})
            second.match.handle(MakeMove(move, Origin.PHONE), second.now_s)

    second.sees((tree, *old))
    passes("while all lies there")
    second.sees(old, 1.0, hand=True)
    second.sees(old, 1.0)
    passes("when the tree is empty")
    for at in range(1, 5):
        second.sees(old[at:], 1.0)
    passes("at the last card")
    second.sees(old[4:], 1.0)
    second.sees((), 1.0)
    for count in range(1, 6):
        second.sees(new[:count], 1.0)
    moves = [line["move"] for line in second.live.lines]
    assert [move["do"] for move in moves] == ["pass", *["refill"] * 5]
    assert {move["card"] for move in moves[1:]} == {"1-1", "1-2", "1-7", "1-8", "1-9"}


@pytest.mark.parametrize("said", [False, True], ids=["before a word", "after a pass"])
def test_a_sixth_card_in_the_pool_is_in_the_way(said: bool) -> None:
    """One card to the pool, until all have five (A3)."""
    match = SecondMatch("discovery fr-explore").match
    if said:
        match.handle(MakeMove(decode_move(match.game, {"do": "pass", "by": 1}), Origin.PHONE), 0.0)
    there = lying_in_the_way(match.game, match.public, TableState(frozenset(pool(1, 2, 3, 4, 5, 6))))
    assert there == {"1-6": "pool"}


def test_a_restart_in_the_middle_of_a_match_is_no_beginning() -> None:
    table = ScriptedTable(stairs())
    table.look(C11="tree")
    again = ScriptedTable(stairs(), entries=list(table.entries))
    again.look(seconds=8, C11="tree", C13="tree")
    assert again.story == ["played place 1 1-1", "refused place 1 1-3 prerequisites link"]


def test_recorded_frames_never_wait_their_first_look_is_the_start() -> None:
    match = Match(stairs(), write=lambda _: None, publish=lambda _: None, awaits_start=False)
    old, new = Placement(Token("C13"), "tree"), Placement(Token("C11"), "tree")  # type: ignore[arg-type]
    for number in range(1, 20):
        there = {old} if number < 5 else {old, new}
        match.handle(Observation(number, number / 4, TableState(frozenset(there))), number / 4)
    assert [line.entry.event.move.card for line in match.record.lines] == ["1-1"]  # type: ignore[union-attr]
