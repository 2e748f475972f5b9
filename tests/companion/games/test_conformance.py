"""What every game must keep to, whatever it is; a new game adds its matches to ``MATCHES``."""

from __future__ import annotations

import copy
import json
import random
from dataclasses import MISSING, fields, is_dataclass
from typing import Any

import pytest
from support.conserved import count_things
from support.discovery_match import game

from companion.errors import ImpossibleMove
from companion.games.protocol import Move, MoveContext
from companion.games.registry import GAMES, demo_deck, open_match
from companion.public.table import Change, changes

MATCHES = (
    {
        f"discovery {profile}": lambda profile=profile: game(
            profile, [{"name": "Ana"}, {"name": "Ben"}, {"name": "Robo", "bot": True}], jokers=2
        )
        for profile in ("en-intro", "en-memory", "en-explore", "fr-explore", "fr-bluff")
    }
    | {
        f"carcassonne{' equal turns' if equal else ''}": lambda equal=equal: (
            open_match(
                {
                    "game": "carcassonne",
                    "seat": [{"name": name} for name in ("Ana", "Ben", "Cy")],
                    "equal_turns": equal,
                },
                demo_deck(GAMES["carcassonne"]),
            ).game
        )
        for equal in (False, True)
    }
    | {
        f"darwinci {profile}": lambda profile=profile: (
            open_match(
                {
                    "game": "darwinci",
                    "profile": profile,
                    "seat": [{"name": name} for name in ("Ana", "Ben", "Cy", "Dora")],
                },
                demo_deck(GAMES["darwinci"]),
            ).game
        )
        for profile in ("base", "experts")
    }
    | {
        f"lands {seats} seats": lambda seats=seats: (
            open_match(
                {"game": "lands", "seat": [{"name": name} for name in ("Ana", "Ben", "Cy", "Dora")[:seats]]},
                demo_deck(GAMES["lands"]),
            ).game
        )
        for seats in (2, 4)
    }
)

BY_ZONE = {"discovery"}
"""Games in which a card means something by the zone that it lies in."""

EVERY_GAME = pytest.mark.parametrize("match", list(MATCHES.values()), ids=list(MATCHES))


def written(move: Move) -> dict[str, Any]:
    """A move as the record writes it (contract section 7)."""
    found: dict[str, Any] = {"do": move.do}
    for field in fields(move):  # type: ignore[arg-type]
        value = getattr(move, field.name)
        if field.default is MISSING or value != field.default:
            found[field.metadata.get("key", field.name)] = value
    return found


def read(kind: type[Move], document: dict[str, Any]) -> Move:
    names = {field.metadata.get("key", field.name): field.name for field in fields(kind)}  # type: ignore[arg-type]
    return kind(**{names[key]: frozen(value) for key, value in document.items() if key != "do"})


def frozen(value: Any) -> Any:
    """Lists of JSON as moves hold them."""
    return tuple(map(frozen, value)) if isinstance(value, list) else value


def story(match: Any, seed: int = 1) -> list[tuple[Any, Move, Any]]:
    """A random evening: the state before, the move, the step."""
    dice = random.Random(seed)
    state, told = match.rules.start, []
    for number in range(1, 60):
        public = match.public(state)
        possible = _candidates(match, public) if match.name in BY_ZONE else _proposed(match, public, dice)
        moves = [move for move in possible if not match.rules.judge(public, move, MoveContext(number))]
        if not moves:
            break
        move = dice.choice(moves)
        step = match.hidden.apply(state, move, MoveContext(number), match.rules.apply(state, move, MoveContext(number)))
        told.append((state, move, step))
        state = step.state
    return told


def _proposed(match: Any, public: Any, dice: random.Random) -> list[Move]:
    """What the game's own random player thinks of: where places are made of millimetres, zones alone say too little."""
    return list(GAMES[match.name].demonstration.random_player(match)(public, dice, MoveContext(0)))


def _candidates(match: Any, public: Any) -> list[Move]:
    """Readings of every card at every place where it could come to lie, the command cards, and plain words."""
    zones = [shape.name for shape in match.table.layout.zones if shape.name != "commands"]
    lying = match.table.expected(public).cards
    found = [
        move
        for card in sorted(match.table.cards.values())
        for zone in zones
        if lying.get(card) != zone
        for move in match.table.interpretations(public, Change(card, lying.get(card), zone))
    ]
    for command in ("KEND", "KPASS", "KSTOP"):
        found += match.table.interpretations(public, Change(command, None, "commands"))
    plain = (offer for offer in match.board.offers(public, MoveContext(0)) if not offer.choices)
    return found + [match.rules.moves[offer.do](by=offer.by) for offer in plain]


@EVERY_GAME
def test_a_game_is_a_frozen_value_and_starts_the_same_each_time(match):
    made = match()
    assert is_dataclass(made)
    assert made == match()
    assert made.rules.start == match().rules.start


@EVERY_GAME
def test_judging_and_playing_are_pure(match):
    made = match()
    for number, (state, move, _) in enumerate(story(made), 1):
        kept = copy.deepcopy(state)
        first = made.rules.apply(state, move, MoveContext(number))
        assert made.rules.judge(made.public(state), move, MoveContext(number)) == made.rules.judge(
            made.public(state), move, MoveContext(number)
        )
        assert made.rules.apply(state, move, MoveContext(number)) == first
        assert state == kept


@EVERY_GAME
def test_an_evening_can_be_told_again_from_its_moves_alone(match):
    made = match()
    told = story(made)
    assert len(told) > 20
    state = made.rules.start
    for number, (before, move, step) in enumerate(told, 1):
        assert state == before
        state = made.hidden.apply(
            state, move, MoveContext(number), made.rules.apply(state, move, MoveContext(number))
        ).state
        assert state == step.state


@EVERY_GAME
def test_every_move_is_written_and_read_back_unchanged(match):
    made = match()
    for _, move, _ in story(made):
        assert made.rules.moves[move.do] is type(move)
        document = json.loads(json.dumps(written(move)))
        assert read(made.rules.moves[move.do], document) == move


@EVERY_GAME
def test_every_kind_of_move_names_itself_and_its_seat_first(match):
    for name, kind in match().rules.moves.items():
        assert kind.do == name
        assert fields(kind)[0].name == "by"  # type: ignore[arg-type]
        assert fields(kind)[0].default is MISSING  # type: ignore[arg-type]


@EVERY_GAME
def test_what_a_move_does_not_say_is_no_or_nothing(match):
    """A record leaves out what is false; a key that it lacks must not turn into a yes."""
    for kind in match().rules.moves.values():
        defaults = [one.default for one in fields(kind) if one.default is not MISSING]  # type: ignore[arg-type]
        assert all(default is False or default is None or default == () for default in defaults), kind


@EVERY_GAME
def test_what_a_lawful_move_changes_on_the_table_can_be_read_back(match):
    made = match()
    for state, move, step in story(made):
        before, after = made.table.expected(made.public(state)), made.table.expected(made.public(step.state))
        found = changes(before, after.cards)
        appeared = [change for change in found if change.went_to is not None]
        spoken = {offer.do for offer in made.board.offers(made.public(state), MoveContext(0))}
        meant = [reading for change in appeared for reading in made.table.interpretations(made.public(state), change)]
        read = not appeared or move in meant or step.extras or move.do in spoken
        assert read or move.is_deal, (
            f"{move}: {found}"
        )  # a deal is no change: ``deal`` reads it from all that lies there


@EVERY_GAME
def test_no_card_is_expected_in_two_places_and_hidden_ones_are_expected(match):
    made = match()
    for _, _, step in story(made):
        expected = made.table.expected(made.public(step.state))
        assert set(expected.cards) <= set(made.table.cards.values())
        assert expected.may_be_hidden <= set(expected.cards)


@EVERY_GAME
def test_cards_are_conserved(match):
    made = match()
    if made.name == "lands":
        pytest.skip("its state does not say where everything is")
    total = count_things(made, made.rules.start)
    assert all(count_things(made, step.state) == total for _, _, step in story(made))


@EVERY_GAME
def test_points_of_the_entries_add_up_to_the_scoreboard(match):
    made = match()
    sums = [0] * made.seats
    for _, move, step in story(made):
        if move.is_deal:
            sums = list(made.board.standing(made.public(step.state)).points)  # what everybody begins with
        elif move.by:
            sums[move.by - 1] += step.points
    standing = made.board.standing(made.public(step.state))
    assert standing.over or tuple(sums) == standing.points


@EVERY_GAME
def test_everything_offered_is_lawful_and_playable(match):
    made = match()
    for number, (state, _, _) in enumerate(story(made)[:15], 1):
        for offer in made.board.offers(made.public(state), MoveContext(number)):
            document = {"do": offer.do, "by": offer.by, **{key: values[0] for key, values in offer.choices.items()}}
            move = read(made.rules.moves[offer.do], document)
            assert made.rules.judge(made.public(state), move, MoveContext(number)) == ()
            made.rules.apply(state, move, MoveContext(number))


@EVERY_GAME
def test_seats_and_words_and_views_are_json(match):
    made = match()
    for state, move, step in story(made)[:15]:
        for seat in (None, 1):
            view = made.board.view(step.state, seat)
            assert json.loads(json.dumps(view)).keys() == view.keys()
        for text in made.words.caption(made.public(state), move, step):
            plain = json.dumps(dict(text.params), default=lambda within: dict(within.params))  # words within words
            assert json.loads(plain).keys() == text.params.keys()


@EVERY_GAME
def test_a_seat_that_does_not_exist_cannot_move(match):
    made = match()
    move = next(move for _, move, _ in story(made) if move.by)
    stranger = type(move)(**{**{f.name: getattr(move, f.name) for f in fields(move)}, "by": 99})
    assert made.rules.judge(made.public(made.rules.start), stranger, MoveContext(1))
    with pytest.raises(ImpossibleMove):
        made.rules.apply(made.rules.start, stranger, MoveContext(1))


@EVERY_GAME
def test_silent_games_say_nothing_before_they_are_sealed(match):
    made = match()
    for number, (state, move, _) in enumerate(story(made), 1):
        assert made.rules.apply(state, move, MoveContext(number)).objections == ()
