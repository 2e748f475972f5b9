"""People at a simulated table of Carcassonne, without pixels: they lay, deploy and score until somebody has won."""

from __future__ import annotations

from random import Random

import pytest
from support.live_match import LiveMatch

from companion.app.live_table import check_simulated
from companion.errors import InputError
from companion.games.carcassonne.module import CARCASSONNE
from companion.games.carcassonne.people import neat_player
from companion.games.protocol import MoveContext
from companion.games.registry import demo_deck, open_match

LONGEST_S = 1500.0


def played(seed: int, until_s: float) -> LiveMatch:
    live = LiveMatch(dict(CARCASSONNE.demonstration.match), demo_deck(CARCASSONNE), seed)
    live.play(until_s)
    events = [line["event"] for line in live.lines]
    assert not set(events) - {"dealt", "played", "refused", "settled", "struck", "question"}
    acts = {line["move"]["do"] for line in live.lines if line["event"] == "played"}
    assert acts >= {"place", "deploy", "score"}
    if len(events) > 100:  # people err now and then, and take it back
        assert events.count("refused") in range(2, len(events) // 10)
    return live


def test_people_lay_tiles_where_they_fit_and_followers_on_segments_and_err_now_and_then() -> None:
    """Within a minute a visitor sees what a refusal looks like: a tile whose edge does not fit is taken back."""
    live = played(1, 60.0)
    assert len(live.match.public.laid) > 8
    refused = [line for line in live.lines if line["event"] == "refused"]
    assert {one["rule"] for line in refused for one in line["objections"]} == {"edge"}
    assert len(refused) == sum(line["event"] == "settled" for line in live.lines)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1, 6))
def test_a_match_is_played_to_its_winners_and_nothing_lies_where_the_log_does_not_have_it(seed: int) -> None:
    """84 tiles, each where it fits; what was laid by mistake is refused and taken back."""
    live = played(seed, LONGEST_S)
    assert live.match.over
    assert live.match.standing.winners
    assert not live.differences


def test_what_comes_to_mind_first_is_a_tile_a_quarter_wrong() -> None:
    """Visitors see what a refusal looks like; the same tile fits where it was meant to lie."""
    game = open_match(dict(CARCASSONNE.demonstration.match), demo_deck(CARCASSONNE)).game
    start = game.rules.apply(
        game.rules.start, game.rules.moves["start"](by=0, card=game.setup.deck.start), MoveContext(1)
    ).state  # type: ignore[call-arg]
    slips = [next(neat_player(game, (4, 3))(start, Random(seed), MoveContext(2))) for seed in range(10)]
    for slip in slips:
        (objection,) = game.rules.judge(start, slip, MoveContext(2))
        assert objection.rule == "edge"
        turned = [type(slip)(slip.by, slip.card, slip.x, slip.y, turn) for turn in range(4)]
        assert any(not game.rules.judge(start, one, MoveContext(2)) for one in turned)


def test_a_table_without_a_field_is_said_at_once() -> None:
    table = {"size_mm": [1100, 650], "zone": [{"name": "aside", "polygon": [[0, 0], [300, 0], [300, 300], [0, 300]]}]}
    match = dict(CARCASSONNE.demonstration.match) | {"table": table}
    with pytest.raises(InputError, match="no zone field, commands"):
        check_simulated({"match": match, "deck": demo_deck(CARCASSONNE)})


def test_people_keep_the_map_on_their_table() -> None:
    """A field of nine by seven tiles: every tile lies within it, and when none fits any more all agree to end."""
    table = {
        "size_mm": [600, 400],
        "zone": [
            {"name": name, "polygon": [[left, top], [right, top], [right, bottom], [left, bottom]]}
            for name, left, top, right, bottom in (
                ("field", 100, 20, 520, 360),
                ("aside", 0, 0, 90, 200),
                ("commands", 0, 210, 90, 360),
            )
        ],
    }
    opened = open_match({**CARCASSONNE.demonstration.match, "table": table}, demo_deck(CARCASSONNE))
    people = CARCASSONNE.people(opened.game, opened.header, opened.layout, 1)
    assert people.places.reach == (4, 3)
    player, game, state, dice = neat_player(opened.game, (4, 3)), opened.game, opened.game.rules.start, Random(1)
    for number in range(1, 400):
        if state.over:
            break
        at = MoveContext(number, float(number))
        moves = [move for move in player(state, dice, at) if not game.rules.judge(state, move, at)]
        assert moves, "somebody can always do something"
        state = game.rules.apply(state, moves[0], at).state
    assert state.over
    assert len(state.laid) > 35
    assert all(abs(cell.column) <= 4 and abs(cell.row) <= 3 for cell in state.laid.values())
