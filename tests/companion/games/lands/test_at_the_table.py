"""The referee follows days on the demo island from where stickers lie, in millimetres."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

import pytest
from support.lands_match import AT, demo_deck

from companion.games.lands import moves as act
from companion.games.lands.module import LANDS
from companion.games.lands.rules.acts import project_for
from companion.games.protocol import Move
from companion.history.events import Origin, Played, QuestionAsked, Struck, Unexplained
from companion.public.layout import overlapping_zones
from companion.public.table import Observation, Placement, Seat, TableState, Token, Zone
from companion.public.updates import Alert
from companion.referee.commands import AnswerQuestion, MakeMove, Undo
from companion.referee.match import Match

pytestmark = pytest.mark.core
LOOKS_A_SECOND = 4
SETTLED_S = 2.5
"""A figure rests for two seconds before it has travelled."""
TILE_MM = 100.0
INWARD_MM = TILE_MM / 2 - 1.5 - 9
SPACES = {1: (-8.0, -22.0), 2: (30.0, -22.0), 3: (30.0, 25.0), 4: (-22.0, 25.0)}
"""Of every tile of the demo island, from its middle; 1 is open to the north, 2 to the east, and so on."""
BESIDE = {(0, -1): (1, 3), (1, 0): (2, 4), (0, 1): (3, 1), (-1, 0): (4, 2)}


def around(turned_deg: float, x: float, y: float) -> tuple[float, float]:
    turn = math.radians(turned_deg)
    return x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn)


@dataclass
class Island:
    """What lies where, and the referee that looks at it. The map lies askew, and hands are not exact."""

    game: Any
    rng: Random = field(default_factory=lambda: Random(0))
    askew_deg: float = 0.0
    shoved_mm: float = 0.0
    match: Match = field(init=False)
    cells: dict[str, tuple[int, int]] = field(default_factory=dict)
    stands: dict[str, tuple[str, float, float, float]] = field(default_factory=dict)
    others: dict[str, str] = field(default_factory=dict)
    looks: int = 0

    def __post_init__(self) -> None:
        self.match = Match(self.game, write=lambda _: None, publish=lambda _: None)
        self.layout = self.game.table.layout

    def on_table(self, tile: str, x: float, y: float) -> tuple[float, float]:
        """A point of a tile."""
        column, row = self.cells[tile]
        dx, dy = around(self.askew_deg, column * (TILE_MM + 1) + x, row * (TILE_MM + 1) + y)
        return 440 + self.shoved_mm + dx, 230 + dy

    def stands_on(self, stand: str, space: str, east: float = 0.0, south: float = 0.0) -> None:
        self.stands[stand] = space, east, south, self.rng.uniform(0, 360)

    def seen(self) -> TableState:
        there = {Placement(Token(card), Zone(zone)) for card, zone in self.others.items()}
        for tile in self.cells:
            x, y = self.on_table(tile, -INWARD_MM, -INWARD_MM)
            there.add(Placement(Token(tile), Zone("map"), x, y, self.askew_deg))
        for stand, (space, east, south, turned) in self.stands.items():
            tile, _, number = space.partition("-")
            x, y = SPACES[int(number)]
            x, y = self.on_table(tile, x + east, y + south)
            back = around(turned, 0, -20)
            there.add(Placement(Token(stand), Zone("map"), x + back[0], y + back[1], turned))
        return TableState(frozenset(there))

    def is_seen(self, lasts_s: float = 1.0) -> None:
        for _ in range(int(lasts_s * LOOKS_A_SECOND)):
            self.looks += 1
            now_s = self.looks / LOOKS_A_SECOND
            self.match.handle(Observation(self.looks, now_s, self.seen()), now_s)

    def says(self, move: Move) -> None:
        self.match.handle(MakeMove(move, Origin.PHONE), self.looks / LOOKS_A_SECOND)

    def joins(self, tile: str, cell: tuple[int, int]) -> tuple[act.Join, ...]:
        """What a tile laid there is open to, by the compass alone."""
        found = []
        for (dx, dy), (own, theirs) in BESIDE.items():
            other = next((one for one, at in self.cells.items() if at == (cell[0] + dx, cell[1] + dy)), None)
            if other is not None:
                found.append((f"{tile}-{own}", f"{other}-{theirs}"))
        return tuple(sorted(found))

    def free_cells(self) -> list[tuple[int, int]]:
        taken = set(self.cells.values())
        near = {(x + dx, y + dy) for x, y in taken for dx, dy in BESIDE}
        return sorted(cell for cell in near - taken if abs(cell[0]) <= 2 and abs(cell[1]) <= 1)

    def jitter(self) -> tuple[float, float]:
        return self.rng.uniform(-3, 3), self.rng.uniform(-3, 3)

    def puts(self, move: Move) -> None:
        """What hands do for a move, or what somebody says."""
        match move:
            case act.SetOut():
                self.cells = {move.tiles[0]: (0, 0), move.tiles[1]: (1, 0)}
                for seat, space in enumerate(move.stands, 1):
                    self.stands_on(f"F{seat}", space, *self.jitter())
            case act.Travel():
                if move.cost is not None:
                    self.says(move)
                self.stands_on(move.card, move.to, *self.jitter())
            case act.GainItem(card=None) | act.LootDead(card=None):
                self.says(move)
            case act.GainItem() if project_for(self.game.setup, self.match.public, move.by, move.card):
                self.says(move)  # the table cannot tell it from an object that was made
                self.others[move.card] = f"pack-{move.by}"
            case act.CraftObject():
                made_of = project_for(self.game.setup, self.match.public, move.by, move.card)
                self.others[move.card] = f"pack-{move.by}"
                self.is_seen()
                if self.others.get(str(made_of)) == f"pack-{move.by}":
                    self.others[str(made_of)] = "out"
            case act.GainItem() | act.LootDead():
                self.others[str(move.card)] = f"pack-{move.by}"
            case act.TradeCard():
                self.others[move.card] = f"pack-{move.to}"
            case act.DropCard():
                self.others[move.card] = "out"
            case act.BeginFight():
                self.others[move.card] = "fight"
            case act.TurnNight():
                self.others[move.card] = "night"
            case act.BeginDay() if self.others.get("L1") != f"pack-{move.seat}":
                self.others["L1"] = f"pack-{move.seat}"
            case act.EndActs():
                self.others["KEND"] = "commands"
                self.is_seen(2.0)
                del self.others["KEND"]
            case act.LeaveMap():
                self.says(move)
                del self.stands[f"F{move.by}"]
            case _:
                self.says(move)
        self.is_seen(SETTLED_S if isinstance(move, act.Travel) else 1.0)

    def tidies_up(self) -> None:
        """An enemy that nobody fights is taken away, and the token goes to whom the referee named."""
        public = self.match.public
        if public.first and "L1" in self.others:
            self.others["L1"] = f"pack-{public.first}"
        away = [card for card in self.others if card[0] == "E" and public.fight is None]
        for card in away:
            del self.others[card]
        self.is_seen(3.0 if away else 0.25)

    @property
    def played(self) -> list[Move]:
        return [one.move for one in self.match.record.acts.values() if one.counts]

    @property
    def events(self) -> list[type]:
        return [type(line.entry.event) for line in self.match.record.lines]


def ideas(island: Island, state: Any, rng: Random) -> Iterator[Move]:
    """What people do; tiles are laid where there is room beside a figure."""
    unknown = [tile for tile in island.game.setup.deck.tiles if tile not in island.cells]
    if state.turn and unknown and rng.random() < 0.3:
        tile = rng.choice(unknown)
        yield from (act.ScoutTile(state.turn, tile, island.joins(tile, cell)) for cell in island.free_cells())
    for move in LANDS.demonstration.random_player(island.game)(state, rng, AT):
        if isinstance(move, act.SetOut):
            one, other = move.tiles
            west, east = sorted((one, other))
            yield replace(move, tiles=(west, east), joins=((f"{east}-4", f"{west}-2"),))
        elif not isinstance(move, act.ScoutTile | act.LeaveMap | act.AgreeScenarioEnds):
            yield move


@pytest.mark.parametrize(
    ("seed", "days"), [(1, 2), (2, 2), *(pytest.param(seed, 12, marks=pytest.mark.slow) for seed in (3, 4, 5, 6))]
)
def test_what_hands_do_is_the_match_and_nothing_is_buzzed_at(seed: int, days: int):
    rng = Random(seed)
    made = LANDS.open_match(LANDS.demonstration.random_match(rng, "base"), demo_deck())
    island = Island(made, rng, askew_deg=rng.uniform(-8, 8))
    state, story = made.rules.start, []
    while not state.over and state.day <= days:
        move = next((one for one in ideas(island, state, rng) if not made.rules.judge(state, one, AT)), None)
        if move is None:
            break
        if isinstance(move, act.ScoutTile):
            island.cells[move.card] = next(c for c in island.free_cells() if island.joins(move.card, c) == move.joins)
        story.append(move)
        state = made.rules.apply(state, move, AT).state
        island.puts(move)
        assert set(island.events) == {Played}, (len(story), move, island.match.record.lines[-1])
        assert [one for one in island.played if not isinstance(one, act.PutAway)] == story
        island.tidies_up()
        island.shoved_mm = rng.uniform(-6, 6)  # a sleeve shoves the whole map
        assert set(island.events) == {Played}, (len(story), move, island.match.record.lines[-1])
    assert len(story) > 10
    assert island.match.public.resources == state.resources


def begun(seats: int = 2) -> Island:
    """The figures stand on the first space of the first tile, and seat 1 begins."""
    made = LANDS.open_match({"seat": [{"name": name} for name in ("Ana", "Ben", "Cléo", "Dora")[:seats]]}, demo_deck())
    island = Island(made)
    island.puts(act.SetOut(0, ("M01", "M02"), (), ("M01-1",) * seats))
    for number in range(1, 1 + seats * made.setup.projects):
        island.puts(act.GainItem(1 + (number - 1) // made.setup.projects, f"P{number:02}"))
    island.puts(act.BeginDay(0, 1))
    assert island.match.public.turn == 1
    return island


def test_the_layout_has_room_for_everybody_and_nothing_overlaps():
    for seats in range(1, 5):
        made = LANDS.open_match({"seat": [{"name": "A"}] * seats}, demo_deck())
        assert overlapping_zones(made.table.layout) is None


def test_a_stand_travels_when_it_has_rested_for_two_seconds_and_not_before():
    """ "stand rests on another space for 2 s"."""
    island = begun()
    before = len(island.events)
    island.stands_on("F1", "M01-2")
    island.is_seen(2.0)  # its first look is the beginning of them
    assert len(island.events) == before
    island.is_seen(0.25)
    assert island.played[-1] == act.Travel(1, "F1", "M01-2")


def test_a_stand_that_pauses_on_three_spaces_travels_to_the_last_one():
    island = begun()
    before = len(island.events)
    for space in ("M01-2", "M02-4", "M02-1"):
        island.stands_on("F1", space)
        island.is_seen(1.75)
    assert len(island.events) == before
    island.is_seen(0.75)
    assert island.played[-1] == act.Travel(1, "F1", "M02-1")
    assert len(island.events) == before + 1


def test_a_stand_that_pauses_elsewhere_and_goes_back_has_not_moved():
    island = begun()
    before = len(island.events)
    island.stands_on("F1", "M01-3")
    island.is_seen(1.75)
    island.stands_on("F1", "M01-1")
    island.is_seen(8.0)
    assert len(island.events) == before


def test_a_stand_that_pauses_where_it_cannot_go_is_not_objected_to():
    island = begun()
    island.says(act.UseCard(1, None, 10))  # no stamina is left
    before = len(island.events)
    island.stands_on("F1", "M01-3")
    island.is_seen(2.0)
    assert len(island.events) == before
    island.is_seen(1.0)
    assert [one.rule for one in island.match.record.lines[-1].objections] == ["stamina"]


def test_what_its_seat_says_counts_from_where_the_figure_was_just_set_down():
    """Nobody waits for two seconds between a step and the token that is free after it (U12)."""
    island = begun()
    island.stands_on("F1", "M01-2")
    island.is_seen(0.5)
    island.says(act.GatherToken(1, "dirty-water"))
    assert island.played[-2:] == [act.Travel(1, "F1", "M01-2"), act.GatherToken(1, "dirty-water")]
    assert island.match.public.stamina == (9, 10)
    assert island.match.public.springs == {"M01-2": "dirty-water"}


def test_whoever_says_something_is_answered_with_it_and_not_with_the_step_before_it():
    island = begun()
    island.stands_on("F1", "M01-2")
    island.is_seen(0.5)
    island.match.answer(MakeMove(act.GatherToken(1, "wood"), Origin.PHONE), island.looks / LOOKS_A_SECOND)
    assert island.played[-1] == act.GatherToken(1, "wood")


def test_what_others_say_waits_for_nobodys_figure():
    island = begun()
    island.stands_on("F1", "M01-2")
    island.is_seen(0.5)
    island.says(act.ThrowToken(2, "food"))
    assert island.played[-1] == act.ThrowToken(2, "food")
    island.is_seen(SETTLED_S)
    assert island.played[-1] == act.Travel(1, "F1", "M01-2")


def test_the_next_seats_figure_and_its_words_come_after_the_turn_that_nobody_ended():
    island = begun()
    island.stands_on("F2", "M01-2")
    island.is_seen(0.5)
    island.says(act.GatherToken(2, "wood"))
    assert island.played[-3:] == [act.EndActs(1), act.Travel(2, "F2", "M01-2"), act.GatherToken(2, "wood")]


def test_the_seats_own_travel_on_the_phone_is_not_made_twice():
    island = begun()
    island.stands_on("F1", "M01-2")
    island.is_seen(0.5)
    island.says(act.Travel(1, "F1", "M01-2"))
    island.is_seen(6.0)
    assert island.played[-1] == act.Travel(1, "F1", "M01-2")
    assert [move.do for move in island.played].count("travel") == 1
    assert set(island.events) == {Played}


def test_a_tile_turned_up_at_once_after_a_step_is_beside_the_figure():
    island = begun(4)
    island.stands_on("F1", "M02-2")
    island.is_seen(0.5)
    island.cells["M05"] = (2, 0)
    island.is_seen(0.5)
    assert [move.do for move in island.played[-2:]] == ["travel", "scout"]
    assert set(island.events) == {Played}


def test_an_end_of_turn_card_comes_after_the_step_before_it():
    island = begun()
    island.stands_on("F1", "M01-2")
    island.is_seen(0.25)
    island.others["KEND"] = "commands"
    island.is_seen(2.0)
    assert island.played[-2:] == [act.Travel(1, "F1", "M01-2"), act.EndActs(1)]
    assert set(island.events) == {Played}


def test_a_card_moves_a_figure_at_night_for_nothing_even_when_the_day_begins_at_once():
    island = begun()
    island.puts(act.EndActs(1))
    island.puts(act.EndActs(2))
    island.puts(act.TurnNight(0, "N01"))
    island.stands_on("F2", "M01-2")
    island.is_seen(0.5)
    island.others["L1"] = "pack-2"
    island.is_seen(1.0)
    assert island.played[-2:] == [act.Travel(2, "F2", "M01-2", 0), act.BeginDay(0, 2)]
    assert island.match.public.stamina == (10, 10)


def test_a_stand_between_two_spaces_is_asked_about():
    island = begun()
    x, y = ((SPACES[2][at] + SPACES[3][at]) / 2 - SPACES[2][at] for at in (0, 1))
    island.stands_on("F1", "M01-2", x, y)
    island.is_seen(6.0)
    (asked,) = [line.entry.event for line in island.match.record.lines if isinstance(line.entry.event, QuestionAsked)]
    assert {move.to for move in asked.readings} == {"M01-2", "M01-3"}


def test_a_stand_between_two_spaces_is_asked_about_though_now_the_one_and_now_the_other_is_measured_as_nearer():
    island = begun()
    x, y = ((SPACES[2][at] + SPACES[3][at]) / 2 - SPACES[2][at] for at in (0, 1))
    for step in range(12):
        share = 1.01 if step % 2 else 0.99
        island.stands_on("F1", "M01-2", share * x, share * y)
        island.is_seen(0.5)
    assert [type(line.entry.event) for line in island.match.record.lines].count(QuestionAsked) == 1


def test_a_nudge_is_nothing_and_a_map_that_is_shoved_carries_its_figures():
    island = begun()
    before = len(island.events)
    island.stands_on("F1", "M01-1", 6, 4)
    island.shoved_mm = 40.0
    island.is_seen(6.0)
    assert len(island.events) == before


def test_a_stand_on_a_tile_that_lies_face_down_is_told():
    island = begun()
    island.stands_on("F1", "M01-1", 0, -140)
    island.is_seen(8.0)
    assert Unexplained in island.events


def test_a_card_lifted_to_be_read_is_no_move():
    island = begun()
    before = len(island.events)
    del island.others["P01"]
    island.is_seen(20.0)
    island.others["P01"] = "pack-1"
    island.is_seen(2.0)
    assert len(island.events) == before


def test_two_night_cards_at_once_are_two_and_an_orange_one_too_early_is_refused():
    island = begun()
    island.puts(act.EndActs(1))
    island.puts(act.EndActs(2))
    island.others |= {"N01": "night", "N03": "night"}
    island.is_seen(2.0)
    assert island.match.public.nights == ("N01", "N03")
    island.others["N05"] = "night"
    island.is_seen(2.0)
    assert [objection.rule for objection in island.match.record.lines[-1].objections] == ["night"]


@pytest.mark.parametrize("ended", [0, 1])
def test_a_night_card_that_is_turned_up_says_that_nobody_acts_any_more_today(ended: int):
    """Everybody has done what he wanted, nobody says so, and the first player draws the night card."""
    island = begun()
    for seat in range(1, ended + 1):
        island.puts(act.EndActs(seat))
    island.puts(act.TurnNight(0, "N01"))
    assert set(island.events) == {Played}
    assert island.played[ended - 3 :] == [*(act.EndActs(seat) for seat in (1, 2)[ended:]), act.TurnNight(0, "N01")]
    asked = [answer.text for one in island.match.issues.questions.for_phones() for answer in one.answers]
    assert [text.params["seat"] for text in asked] == [1, 2][ended:]
    assert island.match.public.night


def test_an_enemy_that_is_taken_off_and_laid_again_fights_again():
    island = begun()
    for _ in range(2):
        island.puts(act.BeginFight(1, "E01"))
        island.puts(act.RollDice(1, 1, 1))
        island.puts(act.AcceptDice(1))
        island.is_seen(20.0)
        island.tidies_up()
        island.is_seen(12.0)  # laid back at once, it would be as if nobody had taken it
    assert [move.do for move in island.played[-8:]] == ["fight", "roll", "accept", "away"] * 2


# -- an enemy's card that is taken away, and soon lies there again -----------------------------------------------------


def met_again(stamina: int = 10) -> Island:
    """Ana has fled before an enemy, its card was taken away, and five seconds later it lies there again."""
    island = begun()
    for step in range(10 - stamina):
        island.puts(act.Travel(1, "F1", "M01-1" if step % 2 else "M01-2"))
    island.puts(act.BeginFight(1, "E02"))
    island.puts(act.Travel(1, "F1", "M01-2"))
    del island.others["E02"]
    island.is_seen(5.0)
    assert island.played[-1] == act.PutAway(0, "E02")
    island.puts(act.BeginFight(1, "E02"))
    assert island.events[-1] is Struck
    return island


def laid_back_offers(island: Island) -> list[Any]:
    asked = island.match.issues.questions.for_phones()
    return [one for one in asked if one.text.key == "referee.laid_back"]


def test_an_enemy_that_is_laid_again_may_be_met_again_and_the_step_after_it_shows_that():
    """Ana has no stamina left, and flees once more: "M01-3: 0 stamina is left"."""
    island = met_again(stamina=0)
    island.puts(act.Travel(1, "F1", "M01-1"))
    island.is_seen(1.0)
    fled = [act.PutAway(0, "E02"), act.BeginFight(1, "E02"), act.Travel(1, "F1", "M01-1")]
    assert island.played[-3:] == fled
    assert not laid_back_offers(island)


def test_where_nothing_shows_it_one_touch_says_that_an_enemy_is_met_again():
    """Her step costs stamina if the card was only laid back, and none if she flees."""
    island = met_again()
    island.puts(act.Travel(1, "F1", "M01-1"))
    assert island.match.public.stamina == (9, 10)
    (asked,) = laid_back_offers(island)
    assert [answer.text.params["seat"] for answer in asked.answers] == [1]
    assert island.match.issues.alert(island.match.record) is Alert.NONE
    island.match.handle(AnswerQuestion(asked.number, 0), island.looks / LOOKS_A_SECOND)
    assert island.match.public.stamina == (10, 10)
    assert not laid_back_offers(island)
    origins = [line.entry.origin for line in island.match.record.lines[-3:]]
    assert origins == [Origin.CAMERA] * 3


def test_what_was_laid_back_is_the_past_when_nothing_hangs_on_it_any_more():
    """The next act but a step ends a fight without a cost, so it is the same whether there was one."""
    island = met_again()
    assert laid_back_offers(island)
    island.puts(act.CraftObject(1, "O01"))
    assert not laid_back_offers(island)


def test_an_enemy_that_was_taken_away_before_the_turn_was_known_to_be_over_is_away_at_once():
    """Ana takes its card and says nothing; Ben steps, and a second later he meets the same enemy."""
    island = begun()
    island.puts(act.BeginFight(1, "E02"))
    del island.others["E02"]
    island.is_seen(5.0)
    island.puts(act.Travel(2, "F2", "M01-2"))
    island.is_seen(0.75)
    assert island.played[-3:] == [act.EndActs(1), act.Travel(2, "F2", "M01-2"), act.PutAway(0, "E02")]
    island.puts(act.BeginFight(2, "E02"))
    (asked,) = laid_back_offers(island)
    assert asked.answers[0].text.params["seat"] == 2


def test_an_enemy_whose_card_somebody_reads_in_the_middle_of_a_fight_still_fights():
    island = begun()
    island.puts(act.BeginFight(1, "E02"))
    island.puts(act.GainItem(1, "O08"))
    del island.others["E02"]
    island.is_seen(5.0)
    island.others["E02"] = "fight"
    island.is_seen(1.0)
    assert island.match.public.fight is not None
    assert set(island.events) == {Played}
    assert not laid_back_offers(island)


def test_a_table_that_is_right_is_adopted():
    island = begun()
    public = island.match.public
    lying = {"F1": "on M01-3", "F2": "on M02-4", "M01": "map", "M02": "map", "M03": "new M03-4=M02-2", "P01": "pack-2"}
    after = island.game.rules.adopt(public, lying, AT)
    assert (after.stands, after.packs[1][-1]) == (("M01-3", "M02-4"), "P01")
    assert "M03-4" in after.ways["M02-2"]


def test_the_figure_of_the_dead_may_be_laid_down():
    island = begun()
    for _ in range(4):
        island.puts(act.TakeDamage(2, "hunger"))
    before = len(island.events)
    del island.stands["F2"]
    island.is_seen(20.0)
    assert len(island.events) == before


def test_what_is_left_over_from_another_match_means_nothing_until_the_map_is_there():
    """Seen at the simulated table: the next match took the last one's projects for its own."""
    made = LANDS.open_match({"seat": [{"name": "Ana"}, {"name": "Ben"}]}, demo_deck())
    island = Island(made)
    island.others = {"P01": "pack-1", "O04": "pack-2", "N03": "night", "E02": "fight", "O07": "out", "L1": "pack-2"}
    island.is_seen(20.0)
    assert island.events == []
    island.others = {"P05": "pack-1"}  # a project that was drawn when the others were put away
    island.puts(act.SetOut(0, ("M01", "M02"), (), ("M01-1", "M01-1")))
    assert island.played[-1] == act.GainItem(1, "P05")
    assert set(island.events) == {Played}


# -- tiles that nobody has described --------------------------------------------------------------------------------


def told(tile: str, by: int = 1, **also: Any) -> act.TellFacts:
    """What somebody says of a tile that is like those of the demo island."""
    spaces = tuple((int(x), int(y)) for x, y in SPACES.values())
    exits = ((1, 0, -50), (2, 50, 0), (3, 0, 50), (4, -50, 0))
    return act.TellFacts(by, tile, spaces=spaces, ways=((1, 2), (1, 4), (2, 3), (3, 4)), exits=exits, **also)


def beside_a_new_tile() -> Island:
    """Seat 1 stands beside M20, of which the deck says nothing, and has turned it up."""
    island = begun()
    island.stands_on("F1", "M02-2")
    island.is_seen(SETTLED_S)
    island.cells["M20"] = (2, 0)
    island.is_seen(1.0)
    assert island.played[-1] == act.ScoutTile(1, "M20", (("M20", "M02-2"),))
    return island


def test_a_tile_that_nobody_described_is_one_space_open_on_all_sides():
    """ "What is not known is not refused": whoever stands on it has travelled, and turns up the tile behind it."""
    island = beside_a_new_tile()
    assert "M20" in island.game.board.view(island.match.public, None)["unknown"]
    island.stands_on("F1", "M20-3")
    island.is_seen(SETTLED_S)
    assert island.played[-1] == act.Travel(1, "F1", "M20")
    island.stands_on("F1", "M20-1", 5, 3)  # where on it, nobody can tell
    island.is_seen(6.0)
    island.cells["M21"] = (2, 1)
    island.is_seen(2.0)
    assert island.played[-1] == act.ScoutTile(1, "M21", (("M21", "M20"),))
    for said in (act.GatherToken(1, "wood"), act.CookMeat(1, 1), act.Investigate(1)):
        island.says(act.GainItem(1, kind="meat"))
        island.says(said)
    assert set(island.events) == {Played}


def test_what_is_told_of_a_tile_counts_at_once_and_its_ways_and_figures_are_seen():
    island = beside_a_new_tile()
    island.stands_on("F1", "M20-3", 2, 4)
    island.is_seen(SETTLED_S)
    left = island.match.public.stamina
    island.says(told("M20", costs=(1, 1, 1, 3)))
    island.is_seen(SETTLED_S)
    assert island.played[-3:] == [
        told("M20", costs=(1, 1, 1, 3)),
        act.JoinTile(0, "M20", (("M20-4", "M02-2"),)),
        act.PlaceFigure(0, "F1", "M20-3"),
    ]
    assert island.match.public.stamina == left
    island.stands_on("F1", "M20-4")
    island.is_seen(SETTLED_S)
    assert island.match.public.stamina[0] == left[0] - 3
    island.stands_on("F1", "M02-2")
    island.is_seen(SETTLED_S)
    assert set(island.events) == {Played}
    assert island.match.public.stands[0] == "M02-2"


def test_a_figure_at_the_border_of_a_tile_that_was_told_stays_on_that_tile():
    """The middle of a space of the next tile is nearer to its foot, but it stood on this one before."""
    island = beside_a_new_tile()
    island.stands_on("F1", "M20-1", -34, 0)
    island.is_seen(SETTLED_S)
    assert island.match.public.stands[0] == "M20"
    island.says(told("M20"))
    island.is_seen(6.0)
    assert island.played[-1] == act.PlaceFigure(0, "F1", "M20-1")
    assert set(island.events) == {Played}


def test_a_map_that_is_shoved_after_a_tile_was_told_joins_nothing_else():
    island = beside_a_new_tile()
    island.says(told("M20"))
    island.is_seen(1.0)
    before = len(island.events)
    island.shoved_mm = 30.0
    island.cells["M20"] = (3, 0)  # drawn away from the others: the log has it beside them
    island.is_seen(6.0)
    assert len(island.events) == before


def test_a_tile_that_was_told_wrong_is_told_again():
    """Also when somebody has travelled over it already, and when it has fewer spaces than was said first."""
    island = beside_a_new_tile()
    island.says(told("M20", costs=(2, 2, 2, 2)))
    island.is_seen(1.0)
    island.stands_on("F1", "M20-3")
    island.is_seen(SETTLED_S)
    left = island.match.public.stamina
    again = act.TellFacts(2, "M20", spaces=((30, 25), (-22, 25)), ways=((1, 2),), exits=((2, -50, 0),))
    island.says(again)
    island.is_seen(SETTLED_S)
    public = island.match.public
    assert (public.stands[0], public.stamina) == ("M20-1", left)
    assert public.ways["M02-2"] == ("M02-1", "M02-3", "M20-2")
    assert sorted(space for space in public.ways if space.startswith("M20")) == ["M20-1", "M20-2"]
    assert set(island.events) == {Played}


def test_what_was_told_of_a_tile_is_taken_back_with_what_was_seen_of_it_since():
    island = beside_a_new_tile()
    island.stands_on("F1", "M20-3")
    island.is_seen(SETTLED_S)
    before = island.match.public
    island.says(told("M20"))
    island.is_seen(SETTLED_S)
    assert island.match.public.stands[0] == "M20-3"
    island.match.handle(Undo(by=Seat(1), origin=Origin.PHONE), island.looks / LOOKS_A_SECOND)
    assert island.match.public == before
    island.is_seen(8.0)
    assert island.match.public == before
    assert set(island.events) == {Played, Struck}


def test_a_tile_whose_exploring_is_taken_back_is_still_known_when_it_is_turned_up_again():
    island = beside_a_new_tile()
    scouted = len(island.events)
    island.says(told("M20", by=0))
    island.is_seen(1.0)
    island.match.handle(Undo(scouted, by=None, origin=Origin.PHONE), island.looks / LOOKS_A_SECOND)
    del island.cells["M20"]
    island.is_seen(4.0)
    assert (island.match.public.tiles, island.match.public.unjoined) == (("M01", "M02"), frozenset())
    island.cells["M20"] = (2, 0)
    island.is_seen(12.0)
    assert island.played[-1] == act.ScoutTile(1, "M20", (("M20-4", "M02-2"),))


def test_a_tile_that_is_taken_away_after_it_was_told_is_not_on_the_map():
    island = beside_a_new_tile()
    island.says(told("M20"))
    island.is_seen(1.0)
    del island.cells["M20"]
    island.is_seen(12.0)
    assert island.match.public.tiles == ("M01", "M02")
    assert Unexplained not in island.events


def test_a_match_that_is_opened_again_knows_what_was_told_and_sees_nothing_new():
    island = beside_a_new_tile()
    island.stands_on("F1", "M20-3")
    island.is_seen(SETTLED_S)
    island.says(told("M20"))
    entries = [line.entry for line in island.match.record.lines]  # killed before the next look
    island.match = Match(island.game, write=lambda _: None, publish=lambda _: None, entries=entries)
    island.is_seen(10.0)
    assert island.match.public.stands[0] == "M20-3"
    assert set(island.events) == {Played}
    entries = [line.entry for line in island.match.record.lines]
    public = island.match.public
    island.match = Match(island.game, write=lambda _: None, publish=lambda _: None, entries=entries)
    island.is_seen(10.0)
    assert island.match.public == public
    assert len(island.events) == len(entries)


def test_a_box_of_which_nothing_is_entered_is_played_and_described_as_it_turns_up():
    """ "A sticker is pasted when its card or tile is first turned up, and the phone then asks its facts"."""
    document = {"deck": {"game": "lands", "name": "My box", "edition": "own"}}
    island = Island(LANDS.open_match({"seat": [{"name": "Ana"}, {"name": "Ben"}]}, document))
    island.puts(act.SetOut(0, ("M07", "M12"), (), ("M07-1", "M12-2")))
    assert island.played == [act.SetOut(0, ("M07", "M12"), (("M12", "M07"),), ("M07", "M12"))]
    for number in range(1, 5):
        island.puts(act.GainItem(1 + (number - 1) // 2, f"P{number:02}"))
    island.puts(act.BeginDay(0, 1))
    assert island.game.board.view(island.match.public, None)["asks"][:2] == [
        {"card": "M07", "keys": ["spaces"]},
        {"card": "M12", "keys": ["spaces"]},
    ]
    for tile in ("M07", "M12"):
        island.says(told(tile))
        island.is_seen(SETTLED_S)
    assert island.match.public.stands == ("M07-1", "M12-2")
    assert "M12-4" in island.match.public.ways["M07-2"]
    island.puts(act.Travel(1, "F1", "M12-4"))
    assert island.match.public.stamina == (8, 10)
    assert set(island.events) == {Played}


def test_two_tiles_that_lie_askew_and_were_told_one_after_the_other_are_open_to_each_other():
    island = beside_a_new_tile()
    island.askew_deg = 7.0
    island.is_seen(1.0)
    island.stands_on("F1", "M20-1")
    island.is_seen(SETTLED_S)
    island.cells["M21"] = (2, -1)
    island.is_seen(2.0)
    island.says(told("M21"))
    island.is_seen(SETTLED_S)
    island.says(told("M20"))
    island.is_seen(SETTLED_S)
    ways = island.match.public.ways
    assert (ways["M21-3"], ways["M20-1"]) == (("M20-1", "M21-2", "M21-4"), ("M20-2", "M20-4", "M21-3"))
    assert set(island.events) == {Played}
