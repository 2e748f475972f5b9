"""Components, dealing, passing and places (rules.md 3.4 A and B)."""

from __future__ import annotations

import dataclasses
import importlib
from pathlib import Path

import pytest
from support.conserved import count_things
from support.discovery_match import DECK, Evening, era, game, match, table

from companion.errors import ImpossibleMove, InputError
from companion.games.discovery import game as game_module
from companion.games.discovery.deck import ERAS, FAMILIES, PER_ERA
from companion.games.discovery.match_file import open_match
from companion.games.discovery.moves import (
    AgreeEnd,
    Call,
    Deal,
    Discard,
    EndTurn,
    Pass,
    Place,
    Refill,
    Steal,
    Stop,
    Uncontested,
    Verify,
)
from companion.games.discovery.setup import PROFILES, Options
from companion.games.discovery.state import builder_of, built
from companion.games.protocol import MoveContext

pytestmark = pytest.mark.core

EVERY = tuple(PROFILES)
POOL = ("1-1", "1-2", "1-3", "1-4", "1-5")


def test_a1_54_cards_six_eras_of_nine_and_jokers_as_the_owner_says():
    assert (ERAS, PER_ERA, len(FAMILIES)) == (6, 9, 7)
    evening = Evening(game(jokers=3))
    assert count_things(evening.game, evening.state) == 57
    assert {"J1", "J2", "J3", "C18"} <= set(evening.game.table.cards)


def test_a3_the_deal_says_which_five_cards_lie_in_the_pool():
    evening = Evening(game())
    lying = dict.fromkeys(POOL, "pool")
    assert evening.game.table.deal(evening.state.position, dict(list(lying.items())[:4])) is None, (
        "the fifth may still come"
    )
    evening.play(evening.game.table.deal(evening.state.position, lying))
    assert set(evening.state.position.pool) == set(POOL)
    assert evening.game.table.deal(evening.state.position, lying) is None
    assert evening.rules(Deal(0, POOL)) == {"not-offered"}


def test_a4_at_most_nine_seats_bots_included():
    with pytest.raises(InputError, match="10 seats are too many"):
        game(seats=10)
    assert game(seats=9).seats == 9


def test_a7_jokers_are_inserted_blindly_into_the_stack_after_the_deal():
    evening = Evening(game(jokers=4))
    assert evening.standing.counters["stack"] == 38
    assert evening.standing.counters["hands"] == (5, 5, 5)


@pytest.mark.parametrize("profile", EVERY)
def test_a8_a_card_that_a_stop_takes_out_again_has_been_placed_all_the_same(profile):
    """ "at the beginning of the game, as long as no cards have yet been placed" (E:197): that time is over."""
    evening = Evening(game(profile, options={} if PROFILES[profile].silent else {"stop": True}))
    evening.play(Pass(1), Place(2, "2-1", "hand"), Stop(3), Verify(2))
    assert (evening.state.position.tree, evening.standing.turn) == ((), 3)
    assert evening.rules(Pass(3)) == {"pass-closed"}


def test_a8_what_an_undo_or_the_table_itself_says_was_never_placed_can_be_passed_on():
    evening = Evening(game("en-intro"))
    evening.hand(1, "1-1")
    evening.state = evening.game.rules.adopt(evening.state, {}, MoveContext(0))
    assert evening.rules(Pass(1)) == set()


@pytest.mark.parametrize("by", [1, 2, 3])
def test_nobody_says_for_the_table_what_only_the_table_says(by):
    """Contract section 7: `deal`, `refill`, `uncontested` and `agree_end` are by 0."""
    evening = Evening(game("en-memory"))
    assert evening.rules(Deal(by, POOL)) == {"turn"}
    evening.play(Deal(0, POOL))
    evening.play(Place(1, "1-1", "pool"))
    for move in (Refill(0, "2-1"), Uncontested(0, 2), AgreeEnd(0)):
        assert evening.rules(dataclasses.replace(move, by=by)) == {"turn"}
        assert evening.rules(move) == ({"not-offered"} if move == AgreeEnd(0) else set())


def test_b2_a_pool_that_nobody_has_named_objects_to_nothing():
    evening = Evening(game())
    assert evening.rules(Place(1, "1-1", "pool")) == set()
    evening.play(Place(1, "1-1", "pool"))
    assert evening.standing.counters["stack"] == 33


def test_b4_hands_are_counted_and_may_grow_beyond_five():
    evening = table(stack=0, hands=[5, 5, 5])
    evening.play(Steal(1, 2))
    assert evening.standing.counters["hands"] == (6, 4, 5)
    assert evening.rules(Place(1, "1-2", "hand")) == set()


@pytest.mark.parametrize("profile", ["en-memory", "fr-bluff"])
def test_b5_one_pile_of_which_only_the_top_is_visible(profile):
    evening = Evening(game(profile))
    evening.hand(1, "1-1")
    evening.allow(Place(1, "2-5", "hand"))
    expected = evening.game.table.expected(evening.state.position)
    assert set(expected.cards.values()) == {"pile"}
    assert expected.may_be_hidden == {"1-1"}
    view = evening.game.board.view(evening.state, None)
    assert view["top"] == "2-5"
    assert "tree" not in view
    assert "1-1" not in str(view)


def test_the_default_layout_to_the_millimetre():
    """Four seats, two of them bots: discards share the left edge, rows the near one, as docs/table.md draws it."""
    seats = [{"name": "A"}, {"name": "B", "bot": True}, {"name": "C"}, {"name": "D", "bot": True}]
    layout = game("en-intro", seats).table.layout
    assert layout.size_mm == (1100, 650)
    boxes = {shape.name: (*shape.polygon_mm[0], *shape.polygon_mm[2]) for shape in layout.zones}
    assert boxes == {
        "discard-1": (10, 20, 150, 145),
        "discard-2": (10, 150, 150, 275),
        "discard-3": (10, 280, 150, 405),
        "discard-4": (10, 410, 150, 535),
        "row-2": (160, 530, 485, 630),
        "row-4": (490, 530, 815, 630),
        "tree": (160, 20, 820, 525),
        "pool": (840, 20, 1080, 630),
        "commands": (10, 550, 150, 640),
    }
    corners = {shape.name: shape.polygon_mm for shape in layout.zones}["pool"]
    assert corners == ((840, 20), (1080, 20), (1080, 630), (840, 630))
    assert {shape.name: shape.polygon_mm[2][1] for shape in game("en-memory").table.layout.zones}["pile"] == 630
    seven = game("en-intro", [{"name": "A"}, *({"name": "R", "bot": True} for _ in range(7))]).table.layout
    rows = [shape.polygon_mm for shape in seven.zones if shape.name.startswith("row")]
    assert [row[1][0] - row[0][0] for row in rows] == pytest.approx([660 / 7 - 5] * 7)


@pytest.mark.parametrize("profile", EVERY)
def test_every_card_has_its_zone_and_a_pile_hides_all_but_its_top(profile):
    evening = table(profile, tree=["1-1", "1-2", "1-3"], pool=["2-2"], discards=[["2-3"], ["2-4"], []], stack=33)
    expected = evening.game.table.expected(evening.state.position)
    heap = "pile" if evening.game.silent else "tree"
    zones = {"1-1": heap, "1-2": heap, "1-3": heap, "2-2": "pool", "2-3": "discard-1", "2-4": "discard-2"}
    assert zones.items() <= expected.cards.items()
    assert expected.may_be_hidden == ({"1-1", "1-2"} if evening.game.silent else set())


BAD = [
    ({"profile": "fr-memory"}, "fr-memory"),
    ({"colour": 1}, "colour"),
    ({"options": {"stops": True}}, "options.stops"),
    ({"options": {"series_plus": True}}, "en-explore"),
    ({"profile": "fr-bluff", "options": {"stop": False}}, "cannot be switched off"),
    ({"profile": "en-memory", "options": {"turn_end": "inferred"}}, "too much"),
    ({"options": {"contest_s": "ten"}}, "seconds"),
    ({"dealer": 4}, "from 1 to 3"),
    *(({key: value}, f"{value!r} does not do") for key in ("dealer", "jokers") for value in (True, "2", 1.0, -1)),
    ({"options": {"turn_end": "guessed"}}, "inferred"),
    ({"options": {"contest_s": -1}}, "contest_s"),
    ({"seat": ["Ana"]}, "a seat is a table"),
    ({"seat": [{"name": "A", "team": 3}]}, "a team is a name"),
    ({"seat": [{"name": "A", "bot": 1}]}, "true or false"),
    ({"seat": [{"name": "A", "age": 7}]}, "seat.1.age"),
    ({"jokers": -1}, "jokers"),
    ({"host": "inside"}, "host"),
    ({"game": "chess"}, "chess"),
    ({"seat": []}, "at least one"),
    ({"seat": [{"name": "Robo", "bot": True}]}, "person"),
    ({"seat": [{"name": ""}]}, "seat.1.name"),
    ({"position": {"turn": 1, "tree": ["9-9"], "pool": [], "hands": [5, 5, 5], "stack": 38}}, "9-9"),
    ({"position": {"turn": 1, "tree": [], "pool": [], "hands": [5, 5, 5], "stack": 38}}, "make 53 cards"),
    ({"position": {"turn": 4, "tree": [], "pool": [], "hands": [5, 5], "stack": 44}}, "position.turn"),
    ({"position": {"turn": 1, "tree": ["1-1"], "pool": ["1-1"], "hands": [5, 5, 5], "stack": 37}}, "2 places"),
    (
        {"position": {"turn": 1, "tree": 3, "pool": None, "hands": "abc", "discards": 7, "points": 1, "stack": []}},
        "tree",
    ),
    ({"position": 7}, "table"),
    ({"options": 7}, "table"),
    ({"seat": [{"name": f"P{number}"} for number in range(10)]}, "10 seats are too many"),
    ({"jokers": 10}, "from 0 to 9"),
    ({"dealer": 0}, "from 1 to 3"),
    ({"options": {"contest_s": 3601}}, "from 0 to 3600"),
    ({"position": {"turn": 1, "tree": [], "pool": [], "hands": [5, 5, 5, 5], "stack": 34}}, "there are 4"),
    ({"position": {"turn": 1, "tree": [], "pool": [], "hands": [5, 5, 5], "stack": 39, "points": [0, 0, -1000]}},
     "from -999 to 9999"),
    ({"position": {"turn": 1, "tree": [], "pool": [], "hands": [5, 5, 5], "stack": 39, "points": [0, 0, 10000]}},
     "from -999 to 9999"),
    ({"position": {"turn": 1, "tree": [], "pool": [], "hands": [-1, 5, 5], "stack": 45}}, "from 0 to 63"),
    ({"position": {"turn": 1, "tree": [], "pool": [], "hands": [64, 5, 5], "stack": 0}}, "from 0 to 63"),
    ({"position": {"turn": 1, "tree": [], "pool": [], "hands": [5, 5, 5], "stack": 64}}, "from 0 to 63"),
    ({"position": {"turn": 1, "tree": [], "pool": [], "hands": [5, 5], "stack": 44}}, "there are 2"),
    ({"jokers": 1, "position": {"turn": 1, "tree": [], "pool": ["J1"], "hands": [5, 5, 5], "stack": 38}},
     "make 54 cards"),
    ({"jokers": 1, "position": {"turn": 1, "tree": [], "pool": [], "discards": [["J1"], [], []], "hands": [5, 5, 5],
                                "stack": 38}}, "make 54 cards"),
    ({"jokers": 1, "position": {"turn": 1, "tree": ["1-1"], "pool": ["J1"], "hands": [5, 5, 5], "stack": 37}},
     "make 54 cards"),
    ({"position": {"turn": 0, "tree": [], "pool": [], "hands": [5, 5, 5], "stack": 39}}, "from 1 to 3"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "said"), BAD, ids=[str(change)[:50] for change, _ in BAD])
def test_a_match_file_with_a_fault_is_refused_in_one_sentence(change, said):
    with pytest.raises(InputError, match=said):
        open_match({**match(), **change}, DECK)


@pytest.mark.parametrize("change", [
    {"seat": [{"name": f"P{number}"} for number in range(9)]}, {"seat": [{"name": "Ana"}]}, {"jokers": 9},
    {"dealer": 1}, {"dealer": 3}, {"options": {"contest_s": 0}}, {"options": {"contest_s": 3600}}, {"host": "outside"},
    {"position": {"turn": 3, "tree": [], "pool": [], "hands": [0, 5, 49], "stack": 0, "points": [-999, 9999, -1]}},
], ids=str)  # fmt: skip
def test_what_a_match_file_may_say_to_its_limits(change):
    assert open_match({**match(), **change}, DECK).seats == len(change.get("seat", [1, 2, 3]))


def test_what_the_defaults_of_the_options_are():
    options = game("en-explore").setup.options
    assert (options.series_plus, options.stop, options.contest_s, options.inferred) == (False, False, 10.0, False)
    assert (options.en_explore_steal_when_empty, options.joker_trump_bonus) == (False, True)
    assert not options.call_era6_when_stack_empty
    assert game("en-memory").setup.options.stop
    assert options == Options()


def test_a_deal_of_a_few_cards_leaves_the_others_of_the_pool_unknown():
    for count in range(6):
        evening = Evening(game())
        evening.play(Deal(0, POOL[:count]))
        assert evening.state.position.pool == (*POOL[:count], *(None,) * (5 - count))
    evening = Evening(game())
    for pool in ((*POOL, "1-9"), ("1-1", "1-1"), ("J1",)):
        assert evening.rules(Deal(0, pool)) == {"not-there"}
        with pytest.raises(ImpossibleMove, match="5 different cards"):
            evening.allow(Deal(0, pool))


def test_what_is_known_never_changes_under_anybodys_hands():
    """Only the builder of a position may change; everything else is a value (docs/decisions.md).

    The simulated people are no part of what is known: they sit at the table and remember.
    """
    folder = Path(game_module.__file__).parent
    paths = [path.relative_to(folder).with_suffix("") for path in folder.rglob("*.py")]
    names = [".".join(path.parts) for path in paths if path.parts[0] != "people"]
    modules = [importlib.import_module(f"companion.games.discovery.{name}") for name in names]
    kinds = {
        kind
        for module in modules
        for kind in vars(module).values()
        if isinstance(kind, type) and dataclasses.is_dataclass(kind)
    }
    ours = {kind for kind in kinds if kind.__module__.startswith("companion.games.discovery")}
    assert len(ours) > 25
    ours = {kind for kind in ours if not kind.__module__.startswith("companion.games.discovery.people")}
    changing = {kind.__name__ for kind in ours if not kind.__dataclass_params__.frozen}
    assert changing == {"PositionFields", "Position", "PositionBuilder"}, "a position freezes itself, see below"
    assert {kind.__name__ for kind in ours if "__slots__" not in vars(kind)} == {"Deck"}, "it remembers its tokens"


def test_all_faults_of_a_match_file_are_named_at_once():
    wrong = {**match(), "colour": 1, "profile": "x", "dealer": 9, "options": {"stop": 3, "y": 1}}
    with pytest.raises(InputError) as raised:
        open_match(wrong, DECK)
    where = {fault.where for fault in raised.value.faults}
    assert where == {("colour",), ("profile",), ("dealer",), ("options", "stop"), ("options", "y")}


def test_a_position_with_jokers_says_what_they_stand_for_and_which_have_left():
    evening = table(jokers=2, gone=1, tree=["J1=1-4"], stack=20)
    assert count_things(evening.game, evening.state) == 56
    assert evening.rules(Place(1, "2-1", "hand")) == {"prerequisites"}
    assert "1-4" in evening.state.position.present


def test_what_the_tree_of_a_position_shows_counts_as_credited():
    evening = table(tree=[*era(1), "2-1"])
    assert {(1, "closed"), (2, "open")} <= evening.state.position.credits
    evening.hand(1, "2-2")
    assert evening.standing.counters["trumps"] == 0


def test_the_players_counts_stand_only_if_the_cards_add_up():
    evening = table(hands=[5, 5, 5], stack=10)
    known = evening.game.rules.correct(evening.state, {"hands": (4, 6, 5)}, MoveContext(1))
    assert evening.game.board.standing(known.position).counters["hands"] == (4, 6, 5)
    known = evening.game.rules.correct(evening.state, {"hands": (4, 5, 5), "stack": 11}, MoveContext(1))
    assert evening.game.board.standing(known.position).counters["stack"] == 11
    for counts in ({"hands": (5, 5, 6)}, {"stack": 9}, {"hands": (5, 5)}, {"hands": (-1, 6, 10)}):
        with pytest.raises(InputError):
            evening.game.rules.correct(evening.state, counts, MoveContext(1))


def test_what_no_table_can_hold_is_impossible_even_if_the_players_allow_it():
    evening = table(tree=["1-1"], hands=[0, 5, 5])
    impossible = (
        *(Place(1, "1-1", "hand"), Place(1, "1-2", "hand"), Place(9, "1-2", "hand"), Place(2, "9-9", "hand")),
        *(Place(1, "1-2", "pool"), Steal(2, 1), Discard(1, "1-3"), EndTurn(2)),
    )
    for move in impossible:
        with pytest.raises(ImpossibleMove):
            evening.allow(move)


def test_a_position_waits_for_no_deal():
    evening = table()
    assert evening.game.table.deal(evening.state.position, dict.fromkeys(POOL, "pool")) is None
    assert evening.standing.turn == 1


@pytest.mark.parametrize("written", ["J1", "J1=9-9", "J9=1-1", "1-1=1-2"])
def test_a_joker_in_a_position_must_stand_for_a_card(written):
    with pytest.raises(InputError, match="J1=1-4"):
        game(jokers=1, position={"turn": 1, "tree": [written], "pool": [], "hands": [5, 5, 5], "stack": 39})


def test_a_joker_cannot_stand_for_a_card_that_lies_there():
    with pytest.raises(InputError, match="twice"):
        game(jokers=1, position={"turn": 1, "tree": ["1-1", "J1=1-1"], "pool": [], "hands": [5, 5, 5], "stack": 38})


@pytest.mark.parametrize(("jokers", "said"), [(0, "54"), (3, "54 and 3 jokers")])
def test_a_position_that_does_not_add_up_says_how_many_cards_there_are(jokers, said):
    with pytest.raises(InputError) as wrong:
        game(jokers=jokers, position={"turn": 1, "tree": ["1-1"], "pool": [], "hands": [5, 5, 5], "stack": 40 + jokers})
    assert str(wrong.value) == (
        f"position: tree, pool, discards, hands and stack make {56 + jokers} cards; there are {said}"
    )


def test_a_seat_that_does_not_exist_is_impossible_in_words():
    evening = table("fr-explore", tree=["1-1", "1-2", "1-3", "1-4"])
    evening.hand(1, "2-1")
    for move in (Steal(1, 4), Steal(1, 0), Steal(4, 1), Call(1, "1-6", 4), Call(1, "1-6", -1)):
        with pytest.raises(ImpossibleMove, match="seats are 1 to 3"):
            evening.allow(move)
    with pytest.raises(ImpossibleMove, match="no card of this match"):
        evening.allow(Place(1, "7-1", "hand"))


def test_each_seat_is_offered_what_it_may_say_and_nothing_else():
    evening = table("fr-explore", tree=["1-1", "1-2", "1-3", "1-4"], hands=[5, 0, 5], stack=9, turn=3)
    evening.hand(3, "2-1")
    offered = {(offer.by, offer.do): dict(offer.choices) for offer in offers(evening)}
    assert set(offered) == {(3, "end_turn"), (3, "steal"), (3, "exchange"), (3, "call")}
    assert offered[3, "steal"] == offered[3, "exchange"] == {"from": (1,)}
    assert offered[3, "call"]["holder"] == (0, 1, 3)
    assert len(offered[3, "call"]["card"]) == 54


def test_in_silent_games_announcing_is_offered_with_every_era():
    offered = [offer for offer in offers(table("en-memory")) if offer.do == "announce"]
    assert [dict(offer.choices) for offer in offered] == [
        {"era": (2, 3, 4, 5, 6), "what": ("open",)},
        {"era": (1, 2, 3, 4, 5, 6), "what": ("closed",)},
    ]


def offers(evening):
    return evening.game.board.offers(evening.state.position, MoveContext(evening.number + 1))


def test_a_position_is_never_changed_and_a_builder_makes_another():
    start = Evening(game()).state.position
    for one in dataclasses.fields(start):
        with pytest.raises(dataclasses.FrozenInstanceError, match=one.name):
            setattr(start, one.name, getattr(start, one.name))
    builder = builder_of(start)
    assert built(builder) == start
    builder.stack -= 1
    assert built(builder) == dataclasses.replace(start, stack=start.stack - 1) != start


@pytest.mark.parametrize(("seats", "stack"), list(enumerate((44, 39, 34, 29, 24, 19, 14, 9, 4), 1)))
def test_a2_a3_a5_a7_tv06_what_is_left_of_the_deck_after_the_deal_makes_up_the_stack(seats, stack):
    standing = Evening(game(seats=seats)).standing
    assert standing.counters["stack"] == stack
    assert standing.counters["hands"] == (5,) * seats


def test_b1_a_card_is_known_by_its_sticker_and_never_by_its_place_in_a_row():
    evening = table(tree=["1-1"])
    assert dict(evening.game.table.expected(evening.state.position).cards)["1-1"] == "tree"


def test_a_list_that_is_longer_than_the_deck_is_no_list_of_cards():
    with pytest.raises(InputError) as refused:
        game(position={"turn": 1, "tree": ["1-1"] * 64})
    (wrong,) = (one for one in refused.value.faults if one.where == ("position", "tree"))
    assert wrong.key == "position.fault.list"


def test_b_discards_of_any_number_of_seats_share_the_left_edge_evenly():
    zones = {zone.name: zone.polygon_mm for zone in table(seats=7).game.table.layout.zones}
    tops = [zones[f"discard-{seat}"][0][1] for seat in range(1, 8)]
    assert tops == pytest.approx([20 + 520 / 7 * seat for seat in range(7)])


def test_the_cards_suffice_for_nine_seats_and_a_tenth_is_told_so():
    assert len(game(seats=9).setup.players) == 9
    with pytest.raises(InputError, match=r"the cards suffice for 9$"):
        game(seats=10)
