"""The toy game is one folder: judged, simulated, drawn, watched and played without a line changed elsewhere."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from support.door import come_in
from support.live_match import LiveMatch
from support.pixel_eye import PixelEye

from companion.app.sources import card_pictograms
from companion.errors import InputError
from companion.games.darwinci.moves import BidStone
from companion.games.move_words import move_parameters
from companion.games.noughts.game import ARROW, GAME, STAR, Grid, Lay, Lift, TurnArrow
from companion.games.noughts.module import NOUGHTS
from companion.games.protocol import MoveContext
from companion.games.registry import demo_deck, locale_folders, open_match
from companion.history.codec import decode_move
from companion.public.table import CardId, Placement, Seat, TableState, Token, Zone, changes
from vision.synthetic.camera_model import CameraModel

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "companion/games/noughts"
NEAR = CameraModel(distance_mm=660.0)
"""Over a small table the camera hangs low."""
AT = MoveContext(1)


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    come_in(monkeypatch, NOUGHTS)


def after(*moves: object) -> Grid:
    state = GAME.rules.start
    for move in moves:
        assert GAME.rules.judge(state, move, AT) == ()
        state = GAME.rules.apply(state, move, AT).state
    return state


OPENING = (Lay(0, ARROW, 0, 0), Lay(0, STAR, 1, 0))
LINE = (*OPENING, Lay(1, "O1", 1, -1), Lay(2, "X1", 0, 1), Lay(1, "O2", 2, 0))


def rules(state: Grid, move: object) -> list[str]:
    return [objection.rule for objection in GAME.rules.judge(state, move, AT)]


def test_it_is_judged() -> None:
    state = after(*LINE)
    assert rules(state, Lay(1, "O3", 2, 1)) == ["turn"]
    assert rules(state, Lay(2, "O3", 2, 1)) == ["own"]
    assert rules(state, Lay(2, "X2", 5, 5)) == ["apart"]
    assert rules(state, TurnArrow(2, ARROW, 2)) == ["quarter"]
    assert rules(state, Lift(2, STAR)) == ["touch"]
    assert rules(GAME.rules.start, Lay(1, "O1", 0, 0)) == ["begun", "star"]


def test_a_turned_arrow_and_a_lifted_star_score() -> None:
    """ "a point for each of his own in the line that it points along"; "the star when two of his own touch it"."""
    turned = after(*LINE, Lay(2, "X2", -1, 0), TurnArrow(1, ARROW, 1))
    assert turned.points == (1, 0)
    assert after(*LINE, Lay(2, "X2", -1, 0), Lift(1, STAR)).points == (3, 0)


def seen(state: Grid) -> TableState:
    """The table as it lies."""
    places = NOUGHTS.people(GAME, {}, GAME.table.layout, 0).places
    kept = {}
    for card, place in GAME.table.expected(state).cards.items():
        token = Token(card)
        kept[token] = (place, places.pose(token, place, kept, None))
    poses = ((token, pose) for token, (_, pose) in kept.items())
    return TableState(frozenset(Placement(t, Zone("board"), p.x_mm, p.y_mm, p.rotation_deg) for t, p in poses))


@pytest.mark.parametrize(
    "deck", [{}, [], {"deck": []}, {"deck": {"name": ["x"], "edition": "1"}}, {"deck": {}, "card": 1}]
)
def test_a_deck_that_is_none_is_refused(deck: object) -> None:
    assert NOUGHTS.decks.check(deck)[0]
    with pytest.raises(InputError):
        NOUGHTS.decks.read(deck)


@pytest.mark.parametrize(
    "seats", [None, [], [{}, {}], [{"name": "Ana"}] * 3, [{"name": "Ana"}, {"name": "Ben", "bot": True}]]
)
def test_a_match_without_its_two_players_is_refused(seats: object) -> None:
    with pytest.raises(InputError):
        NOUGHTS.open_match({"game": "noughts", "seat": seats}, demo_deck(NOUGHTS))


def test_what_a_record_calls_a_place_and_is_none_is_no_cell() -> None:
    for place in ("cell a b", "cell", "cell 1", "cell 1 2 3 4", "cell 1 2 7", "cell 99999 0"):
        assert GAME.rules.adopt(Grid({}), {ARROW: Zone(place)}, AT).laid == {}


def test_its_things_are_drawn_without_pictures_of_their_own() -> None:
    assert card_pictograms(demo_deck(NOUGHTS)) == {}


def test_a_table_drawn_from_what_is_expected_lies_as_it_should() -> None:
    assert changes(GAME.table.expected(after(*LINE)), GAME.table.lying(after(*LINE), seen(after(*LINE)))) == ()


def test_a_map_of_which_only_the_arrow_was_turned_stays_where_it_is() -> None:
    state = after(*LINE)
    turned = replace(state, laid={**state.laid, ARROW: replace(state.laid[ARROW], turn=1)})
    (change,) = changes(GAME.table.expected(state), GAME.table.lying(state, seen(turned)))
    assert GAME.table.interpretations(state, change) == (TurnArrow(state.turn, ARROW, 1),)


def told_again(live: LiveMatch) -> None:
    """The moves alone give the same points."""
    state = GAME.rules.start
    for line in live.lines:
        if line["event"] in ("played", "dealt"):
            state = GAME.rules.apply(state, decode_move(GAME, line["move"]), AT).state
            assert list(state.points) == line["standing"]["points"]
    assert not {line["event"] for line in live.lines} - {"dealt", "played", "refused", "settled"}


@pytest.mark.parametrize("seed", range(3))
def test_it_is_simulated(seed: int) -> None:
    live = LiveMatch(dict(NOUGHTS.demonstration.match), demo_deck(NOUGHTS), seed)
    live.play(400.0)
    assert live.match.over
    assert not live.differences
    told_again(live)


def through_pixels(seed: int, until_s: float) -> LiveMatch:
    """Drawn, read by the eye, refereed; the people go on from what the referee says."""
    match = dict(NOUGHTS.demonstration.match)
    live = LiveMatch(match, demo_deck(NOUGHTS), seed, eye=PixelEye(open_match(match, demo_deck(NOUGHTS)), NEAR))
    live.play(until_s)
    told_again(live)
    return live


def acts(live: LiveMatch) -> set[str]:
    return {line["move"]["do"] for line in live.lines if line["event"] == "played"}


@pytest.mark.slow
def test_it_is_drawn_watched_and_played_through_pixels() -> None:
    live = through_pixels(3, 14.0)
    assert acts(live) == {"lay", "turn"}
    assert live.lines[-1]["event"] == "refused"


@pytest.mark.long
@pytest.mark.parametrize("seed", [3])
def test_a_whole_match_is_played_through_pixels(seed: int) -> None:
    live = through_pixels(seed, 200.0)
    assert live.match.over
    assert not live.differences
    assert acts(live) == {"lay", "turn", "lift"}


def test_it_is_one_folder_of_less_than_320_lines_with_everything() -> None:
    own = [path for path in FOLDER.rglob("*") if path.suffix in (".py", ".po", ".toml")]
    assert sum(len(path.read_text("utf-8").splitlines()) for path in own) < 320
    assert FOLDER / "locale" in locale_folders()
    product = [path for name in ("companion", "vision", "hardware", "web") for path in (ROOT / name).rglob("*.py")]
    naming = {path for path in product if "noughts" in path.read_text("utf-8").lower()} - {*own}
    assert naming == {ROOT / "companion/games/new_game.py"}


def test_a_sentence_about_a_move_may_name_each_of_its_fields_and_other_is_a_seat() -> None:
    """A direction that is called ``to`` once became a seat, and a game's sentence had no ``{to}`` any more."""
    turned = move_parameters(TurnArrow(Seat(1), ARROW, 3), 2)
    assert turned == {"seat": 1, "card": ARROW, "to": 3, "nth": 2}
    bid = move_parameters(BidStone(Seat(1), CardId("R1"), Seat(3)), 1)
    assert bid == {"seat": 1, "card": "R1", "other": 3, "nth": 1}
