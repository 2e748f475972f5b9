"""The referee follows a match from where stickers lie, in millimetres: plots, offers, reserves, stones sent home."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

import pytest
from support.darwinci_match import WORTH_3, Table, deck, game

from companion.games.darwinci import moves as act
from companion.games.darwinci.interpretation import CLOSES_S
from companion.games.darwinci.module import DARWINCI
from companion.games.darwinci.random_play import random_deal
from companion.games.lattice import Cell
from companion.games.protocol import Move, MoveContext
from companion.games.square_tiles import MARGIN_MM, STICKER_MM
from companion.history.events import Corrected, Origin, Played, Refused, Struck, Unexplained
from companion.public.layout import Layout, overlapping_zones
from companion.public.table import Change, Observation, Placement, TableState, Token, Zone, changes
from companion.public.text import Text
from companion.referee.commands import AcceptTable, AnswerQuestion, MakeMove, Undo
from companion.referee.match import Match

pytestmark = pytest.mark.core
LOOKS_A_SECOND = 4
TILE_MM = 40.0
INWARD_MM = TILE_MM / 2 - MARGIN_MM - STICKER_MM / 2


def middle(layout: Layout, zone: str) -> tuple[float, float]:
    corners = next(one.polygon_mm for one in layout.zones if one.name == zone)
    return sum(x for x, _ in corners) / len(corners), sum(y for _, y in corners) / len(corners)


def sticker(layout: Layout, name: str, zone: str, x_mm: float, y_mm: float, turned_deg: float) -> Placement:
    """The sticker of a tile that lies with its middle there."""
    across, down = math.cos(math.radians(turned_deg)), math.sin(math.radians(turned_deg))
    x_mm, y_mm = x_mm - INWARD_MM * (across - down), y_mm - INWARD_MM * (across + down)
    return Placement(Token(name), Zone(zone), x_mm, y_mm, turned_deg)


@dataclass
class Evening:
    """What lies where, and the referee that looks at it. People do not look at the numbers of stones."""

    game: Any
    rng: Random = field(default_factory=lambda: Random(0))
    shoved_mm: float = 0.0
    match: Match = field(init=False)
    stones: dict[str, str] = field(default_factory=dict)
    tiles: dict[str, tuple[str, Cell]] = field(default_factory=dict)
    others: dict[str, str] = field(default_factory=dict)
    looks: int = 0

    def __post_init__(self) -> None:
        self.said: list[Text] = []
        self.match = Match(self.game, write=lambda _: None, publish=lambda update: self.said.extend(update.texts))
        self.layout = self.game.table.layout

    def seen(self) -> TableState:
        there = {Placement(Token(card), Zone(zone)) for card, zone in (*self.stones.items(), *self.others.items())}
        for card, (zone, cell) in self.tiles.items():
            x_mm, y_mm = middle(self.layout, zone)
            askew = 0.0
            if zone.startswith("plot"):
                askew = 4.0 if zone.endswith("2") else -3.0
                x_mm += self.shoved_mm + cell.column * (TILE_MM + 1) - cell.row * math.tan(math.radians(askew)) * 41
                y_mm += cell.row * (TILE_MM + 1) + cell.column * math.tan(math.radians(askew)) * 41
            there.add(sticker(self.layout, card, zone, x_mm, y_mm, askew + 90 * cell.turn))
        return TableState(frozenset(there))

    def is_seen(self, lasts_s: float = 1.0) -> None:
        for _ in range(int(lasts_s * LOOKS_A_SECOND)):
            self.looks += 1
            now_s = self.looks / LOOKS_A_SECOND
            self.match.handle(Observation(self.looks, now_s, self.seen()), now_s)
            self.match.wake(now_s)

    def says(self, move: Move) -> None:
        self.match.handle(MakeMove(move, Origin.PHONE), self.looks / LOOKS_A_SECOND)

    def puts(self, move: Move) -> None:
        """What hands do for a move; a stone is any of its colour and size."""
        match move:
            case act.DealPlots():
                for place, plot in enumerate(move.plots, 1):
                    self.tiles |= {card: (f"plot-{place}", Cell(x, y, turn)) for card, x, y, turn in plot}
                for place, held in enumerate(move.reserves, 1):
                    self.stones |= dict.fromkeys(held, f"reserve-{place}")
                self.others["D1"] = f"reserve-{move.darwin}"
            case act.OfferTile():
                self.stones_go_home()
                self.tiles[move.card] = f"offer-{move.by}", Cell(0, 0, self.rng.randrange(4))
            case act.BidStone():
                alike = [
                    card
                    for card, zone in self.stones.items()
                    if zone == f"reserve-{move.by}" and (card[0], card[1] == "0") == (move.card[0], move.card[1] == "0")
                ]
                self.stones[self.rng.choice(alike)] = f"offer-{move.to}"
            case act.LayBone():
                self.tiles[move.card] = f"plot-{move.by}", Cell(move.x, move.y, move.turn)
            case act.DropBone():
                del self.tiles[move.card]
            case act.EndBids():
                self.others["KEND"] = "commands"
                self.is_seen(2.0)
                del self.others["KEND"]
            case _:
                self.says(move)
        self.is_seen()

    def stones_go_home(self) -> None:
        """As many of each colour as the referee says, whichever they are; tiles that nobody won are put away."""
        public = self.match.public
        if public.offers or public.bidding:
            return
        wanted = sorted((card[0], card[1] == "0", zone) for card, zone in public.stones.items())
        self.stones = {}
        names = list(public.stones)
        self.rng.shuffle(names)
        for letter, big, zone in wanted:
            name = next(card for card in names if card[0] == letter and (card[1] == "0") == big)
            names.remove(name)
            self.stones[name] = zone
        for card in public.gone:
            self.tiles.pop(card, None)

    @property
    def played(self) -> list[Move]:
        return [one.move for one in self.match.record.acts.values() if one.counts]

    @property
    def events(self) -> list[type]:
        return [type(line.entry.event) for line in self.match.record.lines]


def unnamed(moves: list[Move]) -> list[Any]:
    """Stones by colour and size."""
    return [
        replace(move, card=f"{move.card[0]}{'0' if move.card.endswith('0') else ''}")
        if isinstance(move, act.BidStone)
        else replace(move, reserves=())
        if isinstance(move, act.DealPlots)
        else move
        for move in moves
    ]


@pytest.mark.parametrize(("seed", "rounds"), [(1, 4), (2, 4), pytest.param(3, 40, marks=pytest.mark.slow)])
def test_what_hands_do_is_the_match_and_nothing_is_buzzed_at(seed: int, rounds: int):
    rng = Random(seed)
    made = DARWINCI.open_match(DARWINCI.demonstration.random_match(rng, "experts" if seed == 2 else "base"), deck())
    evening, state, story, number = Evening(made, rng), made.rules.start, [], 1
    player = DARWINCI.demonstration.random_player(made)
    while not state.over and state.round <= rounds:
        at = MoveContext(number, None)
        move = next(one for one in player(state, rng, at) if not made.rules.judge(state, one, at))
        story.append(move)
        state = made.rules.apply(state, move, at).state
        number += 1
        if not isinstance(move, act.EndBids) or len(evening.played) < len(story):
            evening.puts(move)
        assert set(evening.events) == {Played}, (number, move, evening.match.record.lines[-1])
    assert unnamed(evening.played) == unnamed(story)
    assert evening.match.standing.points == state.darwin


def dealt_evening(seats: int = 3) -> Evening:
    made = game(seats)
    evening = Evening(made)
    dealt = Table(seats).state
    plots = tuple(
        tuple((card, cell.column, cell.row, cell.turn) for card, cell in plot.items()) for plot in dealt.plots
    )
    held = tuple(
        tuple(card for card, zone in dealt.stones.items() if zone == f"reserve-{seat}") for seat in made.setup.seats
    )
    evening.puts(act.DealPlots(0, plots, held, 2))
    return evening


def offered_evening(seats: int = 3) -> Evening:
    evening = dealt_evening(seats)
    for seat in evening.game.setup.seats:
        evening.puts(act.OfferTile(seat, f"T{39 + seat}"))
    return evening


def test_the_last_stone_that_is_lifted_is_taken_back():
    evening = offered_evening()
    stone = next(card for card, zone in evening.stones.items() if zone == "reserve-1" and card[0] == "B")
    evening.stones[stone] = "offer-3"
    evening.is_seen(3.0)
    assert evening.played[-1].do == "bid"
    evening.stones[stone] = "reserve-1"
    evening.is_seen(6.0)
    assert evening.events[-1] is Struck
    assert evening.played[-1].do == "offer"


def test_a_seat_that_was_passed_over_lays_its_stone_after_an_undo():
    """ "Ben lays nothing" is shown; undo takes it back."""
    evening = at_turn(3, 2, 1)
    evening.puts(act.BidStone(2, "B1", 3))
    (stone,) = (card for card, zone in evening.stones.items() if zone == "offer-3")
    evening.stones[stone] = "reserve-2"
    evening.is_seen(3.0)
    assert evening.match.public.turn == 2
    evening.match.handle(Undo(), evening.looks / LOOKS_A_SECOND)
    assert evening.match.public.turn == 1
    evening.puts(act.BidStone(1, "R1", 2))
    assert (evening.played[-1].do, evening.played[-1].by) == ("bid", 1)


def test_a_tile_that_leaves_its_offer_ends_the_last_turn():
    evening = offered_evening()
    state = Table(3)
    state.at_bids(3, 3)
    state.state = replace(state.state, stones={**state.state.stones, "R1": "offer-2"})
    (gone,) = evening.game.table.interpretations(state.state, Change("T41", Zone("offer-2"), None))
    assert gone == act.EndBids(3)
    laid = state.lay(1, "T41", 1, 1)
    assert state.judge(laid) == ["order"]
    assert evening.game.rules.implied_moves(state.state, laid, state.at) == (act.EndBids(3), laid)
    assert state.judge(state.lay(2, "T41", 1, 1)) == ["winner"]


def test_a_plot_that_is_shoved_as_a_whole_and_a_tile_askew_change_nothing():
    evening = dealt_evening()
    before = evening.game.table.lying(evening.match.public, evening.seen())
    evening.shoved_mm = 15.0
    assert evening.game.table.lying(evening.match.public, evening.seen()) == before
    assert changes(evening.game.table.expected(evening.match.public), before) == ()


def test_a_stone_sent_to_the_wrong_reserve_is_missed_when_the_next_tile_is_offered():
    evening = dealt_evening()
    blue = next(card for card, zone in evening.stones.items() if zone == "reserve-1" and card[0] == "B")
    evening.stones[blue] = "reserve-3"
    public = evening.match.public
    assert changes(evening.game.table.expected(public), evening.game.table.lying(public, evening.seen())) == ()
    evening.tiles["T40"] = "offer-1", Cell(0, 0)
    evening.is_seen()
    public = evening.match.public
    (change,) = changes(evening.game.table.expected(public), evening.game.table.lying(public, evening.seen()))
    assert (change.came_from, change.went_to) == ("reserve-1", "reserve-3")
    evening.is_seen(6.0)
    assert evening.events[-1] is Unexplained
    evening.match.handle(AcceptTable(), evening.looks / LOOKS_A_SECOND)  # "so it stays"
    assert evening.events[-1] is Corrected
    public = evening.match.public
    assert public.stones[blue] == "reserve-3"
    assert Counter(card[0] for card in public.stones) == {"R": 9, "B": 9, "G": 9}
    assert changes(evening.game.table.expected(public), evening.game.table.lying(public, evening.seen())) == ()


def test_a_tile_between_two_places_is_loose_and_a_won_one_in_a_full_plots_hand_is_put_away():
    evening = dealt_evening()
    evening.tiles["T40"] = "plot-1", Cell(0, 1)
    there = evening.seen()
    shifted = frozenset(
        replace(one, x_mm=one.x_mm + 20, y_mm=one.y_mm + 3) if one.token == "T40" else one for one in there.placements
    )
    assert evening.game.table.lying(evening.match.public, TableState(shifted))["T40"] == "loose"
    table = Table()
    table.plot(1, [(x, y) for y in range(3) for x in range(4)])
    table.wins(1, WORTH_3)
    assert table.game.table.interpretations(table.state, Change(WORTH_3, Zone("offer-1"), None)) == (
        act.DropBone(1, WORTH_3),
    )


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_all_zones_lie_on_the_table_and_none_on_another(seats: int):
    layout = game(seats).table.layout
    assert len(layout.zones) == 3 * seats + 1
    assert overlapping_zones(layout) is None
    assert all(0 <= x <= 1100 and 0 <= y <= 650 for zone in layout.zones for x, y in zone.polygon_mm)


def closing_evening() -> Evening:
    """Three seats, all tiles for sale, and the last of all turns is seat 3's."""
    evening = offered_evening()
    for seat in (1, 2, 3):
        for letter in "RBG":
            if letter != "RBG"[seat - 1]:
                stones = [card for card, zone in evening.stones.items() if zone == f"reserve-{seat}"]
                evening.puts(act.BidStone(seat, next(card for card in stones if card[0] == letter), 1))
        evening.puts(act.EndBids(seat))
    for seat in (1, 2, 3, 1, 2):
        evening.puts(act.EndBids(seat))
    assert (evening.match.public.bidding, evening.match.public.turn) == (3, 3)
    return evening


def test_the_award_waits_for_a_chip_that_is_missing_and_names_it():
    """ "One that left a reserve and is nowhere is named, and the award waits for it." """
    evening = closing_evening()
    stone = next(card for card, zone in evening.stones.items() if zone == "reserve-3" and card[0] == "G")
    del evening.stones[stone]
    evening.is_seen(6.0)
    assert evening.events[-1] is Unexplained
    evening.others["KEND"] = "commands"
    evening.is_seen(3.0)
    del evening.others["KEND"]
    evening.is_seen(10.0)
    assert evening.match.public.bidding == 3
    evening.stones[stone] = "reserve-3"
    evening.is_seen(2.0)
    assert evening.match.public.bidding == 0
    assert "awards" in evening.match.record.lines[-1].extras


def test_the_table_may_be_laid_thing_by_thing_and_nobody_is_buzzed_at():
    made = game(3)
    evening = Evening(made)
    dealt = random_deal(made.setup, Random(3))
    for place, plot in enumerate(dealt.plots, 1):
        for card, x, y, turn in plot:
            evening.tiles[card] = f"plot-{place}", Cell(x, y, turn)
            evening.is_seen(2.0)
    for place, held in enumerate(dealt.reserves, 1):
        for card in held:
            evening.stones[card] = f"reserve-{place}"
            evening.is_seen(1.0)
    assert evening.events == []
    evening.others["D1"] = "reserve-2"
    evening.is_seen()
    assert [move.do for move in evening.played] == ["deal"]


def test_stones_that_are_shared_out_wrong_are_said_once_and_the_match_waits():
    """W1: "Count the stones", and not while people are still about it."""
    made = game(3)
    evening = Evening(made)
    dealt = random_deal(made.setup, Random(3))
    shared = {card: f"reserve-{place}" for place, held in enumerate(dealt.reserves, 1) for card in held}
    blue = next(card for card, zone in shared.items() if card[0] == "B" and zone == "reserve-1")
    evening.tiles = {
        card: (f"plot-{n}", Cell(x, y, t)) for n, plot in enumerate(dealt.plots, 1) for card, x, y, t in plot
    }
    evening.stones = {**shared, blue: "reserve-2"}
    evening.others["D1"] = "reserve-2"
    evening.is_seen(5.0)
    assert evening.events == []
    evening.is_seen(20.0)
    assert evening.events == [Refused]
    assert [one.rule for one in evening.match.record.lines[-1].objections] == ["deal"]
    evening.stones[blue] = "reserve-1"
    evening.is_seen()
    assert [move.do for move in evening.played] == ["deal"]


@pytest.mark.parametrize(("tag", "who"), [("S2", 2), ("S3", 3)])
def test_the_card_for_buying_beside_a_seats_tag_buys_for_that_seat(tag: str, who: int):
    evening = dealt_evening()
    evening.others |= {tag: "commands"}
    evening.is_seen(0.5)
    evening.others |= {"KBUY": "commands"}
    evening.is_seen(2.0)
    assert evening.played[-1] == act.BuyTiles(who)


def test_the_card_for_buying_alone_asks_who_buys():
    evening = dealt_evening()
    evening.others |= {"KBUY": "commands"}
    evening.is_seen(3.0)
    (question,) = evening.match.issues.questions.open.values()
    assert [moves[0].by for moves in question.proposals] == [1, 2, 3]


# What people do without a word


def silent(evening: Evening) -> bool:
    """Nobody was refused, asked to put something back, or told that something was undone."""
    return set(evening.events) <= {Played}


def ends_and_bids(evening: Evening, since: int) -> list[tuple[str, int]]:
    return [(move.do, move.by) for move in evening.played[since:]]


def questions(evening: Evening) -> list[tuple[str, list[int]]]:
    """What stands open, and whose turn each answer says it still is."""
    asked = evening.match.issues.questions.for_phones()
    return [(one.text.key, [answer.text.params["seat"] for answer in one.answers]) for one in asked]


def answers(evening: Evening, seat: int) -> None:
    """« No, still Ben's »"""
    (asked, place) = next(
        (one, place)
        for one in evening.match.issues.questions.for_phones()
        for place, answer in enumerate(one.answers)
        if answer.text.params["seat"] == seat
    )
    evening.match.handle(AnswerQuestion(asked.number, place, seat), evening.looks / LOOKS_A_SECOND)


def at_turn(seats: int, bidding: int, turn: int) -> Evening:
    """All tiles are for sale, nobody owes a stone, and this turn begins."""
    evening = offered_evening(seats)
    for seat in evening.game.setup.seats:
        letters = [name for name in "RBGYW"[:seats] if name != "RBGYW"[seat - 1]]
        held = [card[0] for card, zone in evening.stones.items() if zone == f"reserve-{seat}"]
        for letter in letters:
            for _ in range(held.count(letter)):
                evening.puts(act.BidStone(seat, f"{letter}1", 1))
        evening.says(act.EndBids(seat))
    while (evening.match.public.bidding, evening.match.public.turn) != (bidding, turn):
        evening.says(act.EndBids(evening.match.public.turn))
    assert silent(evening)
    return evening


@pytest.mark.parametrize(
    ("seats", "bidding", "turn", "by", "passed"),
    [
        (3, 2, 1, 3, [1, 2]),  # Ana and Ben pass aloud, Cy lays
        (3, 2, 2, 1, [2, 3]),  # Ben and Cy pass aloud, Ana begins the third turn
        (3, 3, 1, 3, [1, 2]),
        (5, 2, 1, 5, [1, 2, 3, 4]),
        (5, 2, 4, 2, [4, 5, 1]),
    ],
)
def test_a_later_seats_stone_says_that_all_before_it_lay_nothing(
    seats: int, bidding: int, turn: int, by: int, passed: list[int]
):
    """« Chacun peut poser jusqu'à deux pierres »: who lays none says "pass", and the companion hears nothing."""
    evening = at_turn(seats, bidding, turn)
    since = len(evening.played)
    evening.puts(act.BidStone(by, f"{'RBGYW'[by - 1]}1", 2))
    assert silent(evening)
    assert ends_and_bids(evening, since) == [*(("end_turn", seat) for seat in passed), ("bid", by)]
    assert [seat for _, still in questions(evening) for seat in still] == passed
    assert all(len(still) <= 3 for _, still in questions(evening))


@pytest.mark.parametrize("seat", [1, 2])
def test_each_seat_that_was_passed_over_may_say_so_and_the_stone_that_lies_there_counts_in_its_turn(seat: int):
    """« No, still Ben's »; nobody has to lay the stone a second time."""
    evening = at_turn(3, 2, 1)
    evening.puts(act.BidStone(3, "G1", 2))
    answers(evening, seat)
    assert (evening.match.public.bidding, evening.match.public.turn) == (2, seat)
    evening.is_seen(30.0)
    assert set(evening.events) == {Played, Struck}
    heard = len(evening.said)
    evening.is_seen(30.0)
    assert evening.said[heard:] == []
    while evening.match.public.turn != 3:
        assert [move.do for move in evening.played if move.by == 3][-1] == "end_turn"
        evening.says(act.EndBids(evening.match.public.turn))
        evening.is_seen()
    assert [move.do for move in evening.played if move.by == 3][-1] == "bid"
    assert list(evening.match.public.bid) == [card for card, zone in evening.stones.items() if zone == "offer-2"]


def test_a_stone_beside_a_tile_before_others_have_laid_what_they_owe_counts_where_it_lies_when_they_have():
    """« doit »: it is refused, and said who owes what; people lay that, and leave the other where it is."""
    evening = offered_evening()
    evening.puts(act.BidStone(2, "R1", 3))
    evening.is_seen(4.0)
    refused = evening.match.record.lines[-1]
    assert [one.rule for one in refused.objections] == ["turn"]
    (words,) = [text for text in evening.said if text.key.startswith("darwinci.objection")]
    assert (words.key, words.params["seat"], words.params["n"]) == ("darwinci.objection.turn.owes", 1, 2)
    for letter in "BG":
        evening.puts(act.BidStone(1, f"{letter}1", 3))
    evening.is_seen(8.0)
    assert ends_and_bids(evening, -2) == [("end_turn", 1), ("bid", 2)]
    assert evening.events.count(Refused) == 1
    assert not evening.match.record.open_refusals


def last_bid(seat: int = 3) -> Evening:
    """In the third turn a seat lays one stone, alone beside Ben's tile, and may lay another one. Beside Ana's tile lie
    two stones of each colour, all bid in the first turn."""
    evening = at_turn(3, 3, seat)
    evening.puts(act.BidStone(seat, f"{'RBG'[seat - 1]}1", 2))
    evening.is_seen(4.0)
    assert evening.match.public.bidding == 3
    return evening


def carries_home(evening: Evening, colour: str, offer: int, to: int | None) -> None:
    stone = next(card for card, zone in evening.stones.items() if zone == f"offer-{offer}" and card[0] == colour)
    if to is None:
        del evening.stones[stone]
    else:
        evening.stones[stone] = f"reserve-{to}"


def clears(evening: Evening, what: str) -> None:
    """One thing that hands do when the bidding is over; Ana wins her own tile, Cy wins Ben's, nobody wants Cy's."""
    match what:
        case "the winner's stone":
            carries_home(evening, "G", 2, 3)
        case "the winner's tile":
            evening.tiles["T41"] = "plot-3", Cell(0, 1)
        case "the winner's tile, beside his reserve":
            evening.tiles["T41"] = "reserve-3", Cell(0, 0)
        case "a loser's stone":
            carries_home(evening, "B", 1, 2)
        case "all losers' stones in a fist":
            for colour in "BBGG":
                carries_home(evening, colour, 1, None)
        case "the tile that nobody wants":
            del evening.tiles["T42"]
        case _:
            raise AssertionError(what)
    evening.is_seen(3.0)


@pytest.mark.parametrize("seconds", [0.5, 4.0])
@pytest.mark.parametrize(
    "order",
    [
        ["the winner's stone", "the winner's tile", "a loser's stone"],
        ["the winner's tile", "the winner's stone", "a loser's stone"],
        ["a loser's stone", "the winner's stone", "the winner's tile"],
        ["the tile that nobody wants", "the winner's stone", "the winner's tile"],
        ["all losers' stones in a fist", "the winner's stone", "the winner's tile"],
        ["the winner's tile, beside his reserve", "the winner's stone", "the winner's tile"],
    ],
)
def test_who_clears_up_after_the_last_bid_has_closed_the_round(order: list[str], seconds: float):
    """« Celui qui remporte une tuile récupère toujours l'une de ses propres pierres. … Toutes les autres pierres
    reviennent à leurs propriétaires »: in any order, and nobody says that the bidding is over."""
    evening = at_turn(3, 3, 3)
    evening.puts(act.BidStone(3, "G1", 2))
    evening.is_seen(seconds)
    for what in order:
        clears(evening, what)
    evening.is_seen(20.0)
    assert silent(evening), [line.entry.event for line in evening.match.record.lines[-3:]]
    assert ends_and_bids(evening, -3) == [("bid", 3), ("end_turn", 3), ("lay", 3)]
    assert evening.match.public.first == 2  # Ana won her own tile
    assert evening.match.public.gone == ("T42",)


@pytest.mark.parametrize("turn", [2, 3])
@pytest.mark.parametrize(
    "order",
    [
        ["the winner's tile", "the winner's stone", "a loser's stone"],
        ["a loser's stone", "the winner's stone", "the winner's tile"],
        ["all losers' stones in a fist", "the winner's stone", "the winner's tile"],
        ["the winner's tile, beside his reserve", "a loser's stone", "the winner's tile"],
    ],
)
def test_whole_turns_that_nobody_uses_are_over_when_people_clear_up(order: list[str], turn: int):
    """« Chacun peut poser jusqu'à deux pierres »: Cy lays in the second turn, or nobody lays in it, nobody uses the
    third, and all of that is said to nobody."""
    evening = at_turn(3, 2, 3 if turn == 2 else 1)
    if turn == 2:
        evening.puts(act.BidStone(3, "G1", 2))
    evening.is_seen(4.0)
    for what in order if turn == 2 else ["a loser's stone"]:
        clears(evening, what)
    evening.is_seen(20.0)
    assert silent(evening), [line.entry.event for line in evening.match.record.lines[-3:]]
    assert evening.match.public.bidding == 0
    seats = [3, 1, 2, 3] if turn == 2 else [1, 2, 3, 1, 2, 3]
    ends = [move.by for move in evening.played if move.do == "end_turn"]
    assert ends[-len(seats) :] == seats
    assert (evening.played[-1].do == "lay") == (turn == 2)


def test_a_stone_more_than_a_turn_allows_may_be_its_seats_next_turn_and_is_asked_about():
    """ "Up to two stones": a third one is lawful if the others have left their turns out."""
    evening = at_turn(3, 2, 1)
    for letter in ("R1", "R2", "R3"):
        evening.puts(act.BidStone(1, letter, 2))
        evening.is_seen(3.0)
    asked = [one for one in evening.match.issues.questions.open.values() if not one.is_offer]
    assert [one.question.text for one in asked] == [Text("referee.turn_again", {"seat": 1})]
    evening.match.handle(AnswerQuestion(asked[0].question.number, 0, 1), evening.looks / LOOKS_A_SECOND)
    assert (evening.match.public.bidding, evening.match.public.turn) == (3, 1)


@pytest.mark.parametrize(
    "order", [["a loser's stone"], ["the winner's stone"], ["the winner's tile, beside his reserve"]]
)
def test_the_round_is_closed_as_soon_as_one_thing_is_cleared_up_and_the_last_seat_may_say_no(order: list[str]):
    evening = last_bid()
    for what in order:
        clears(evening, what)
    assert evening.match.public.bidding == 0
    assert questions(evening) == [("referee.all_over", [3])]
    answers(evening, 3)
    assert (evening.match.public.bidding, evening.match.public.turn) == (3, 3)
    beside_ben = [card for card, zone in evening.match.public.stones.items() if zone == "offer-2"]
    assert len(beside_ben) == (0 if order == ["the winner's stone"] else 1)


@pytest.mark.parametrize(
    "order",
    [
        ["the tile"],
        ["her stone", "the tile"],
        ["a loser's stone", "the tile"],
        ["her stone", "a loser's stone", "the tile"],
    ],
)
def test_others_who_pass_aloud_are_passed_over_when_the_winner_takes_her_tile(order: list[str]):
    """Ana lays last, Ben and Cy pass aloud, and Ana takes her tile."""
    evening = last_bid(1)
    for what in order:
        match what:
            case "the tile":
                evening.tiles["T41"] = "plot-1", Cell(0, 1)
            case "her stone":
                carries_home(evening, "R", 2, 1)
            case _:
                carries_home(evening, "B", 1, 2)
        evening.is_seen(4.0)
    ends = [(move.do, move.by) for move in evening.played if not isinstance(move, act.DealPlots)][-4:]
    assert ends == [*(("end_turn", seat) for seat in (1, 2, 3)), ("lay", 1)]
    assert not {Refused, Unexplained} & set(evening.events)
    if order == ["the tile"]:
        assert questions(evening) == [("referee.all_over", [1, 2, 3])]


def test_a_tile_in_the_hand_of_somebody_who_looks_at_it_ends_nothing_before_the_last_turn():
    evening = at_turn(3, 3, 1)
    lay = evening.tiles.pop("T41")
    evening.is_seen(20.0)
    evening.tiles["T41"] = lay
    evening.is_seen(5.0)
    assert silent(evening)
    assert (evening.match.public.bidding, evening.match.public.turn) == (3, 1)


@pytest.mark.parametrize("then", ["another stone", "the end card", "nothing"])
def test_the_last_stone_that_is_taken_up_at_once_was_taken_back_if_people_bid_on(then: str):
    evening = at_turn(3, 3, 3)
    evening.puts(act.BidStone(3, "G1", 2))
    carries_home(evening, "G", 2, 3)
    evening.is_seen(3.0)
    assert silent(evening)  # it may be that people clear up
    match then:
        case "another stone":
            evening.puts(act.BidStone(3, "G1", 3))
            evening.is_seen(2.0)
            assert ends_and_bids(evening, -1) == [("bid", 3)]
        case "the end card":
            evening.puts(act.EndBids(3))
            assert ends_and_bids(evening, -1) == [("end_turn", 3)]
        case _:
            evening.is_seen(12.0)
    assert Struck in evening.events
    assert not [card for card, zone in evening.match.public.stones.items() if zone == "offer-2"]
    assert not {Refused, Unexplained} & set(evening.events)


def test_a_stone_that_is_pushed_on_to_another_tile_by_whoever_laid_it_is_bid_there():
    """ "No, rather this one." """
    evening = at_turn(3, 2, 1)
    evening.puts(act.BidStone(1, "R1", 2))
    (stone,) = (card for card, zone in evening.stones.items() if zone == "offer-2")
    evening.stones[stone] = "offer-3"
    evening.is_seen(3.0)
    assert set(evening.events) == {Played, Struck}
    assert [evening.match.public.stones[card] for card in evening.match.public.bid] == ["offer-3"]


def test_the_end_card_after_the_clock_has_closed_the_round_is_no_fault():
    evening = at_turn(3, 3, 3)
    for tile in (2, 3):
        evening.puts(act.BidStone(3, "G1", tile))
    evening.is_seen(CLOSES_S + 1)
    assert evening.match.public.bidding == 0
    lines, heard = len(evening.match.record.lines), len(evening.said)
    evening.puts(act.EndBids(3))
    assert (len(evening.match.record.lines), evening.said[heard:]) == (lines, [])
