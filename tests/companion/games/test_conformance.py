"""What every game must keep to, whatever it is: the checks of ``companion game check``, in matches of all our games."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.conserved import count_things

from companion.games.conformance import (
    CHECKS,
    GameUnderTest,
    NotConforming,
    what_it_says_is_in_its_catalogs_in_every_language,
)
from companion.games.move_words import move_parameters
from companion.games.noughts.module import NOUGHTS
from companion.games.protocol import Game, Move, MoveContext
from companion.games.registry import GAMES, demo_deck, locale_folders
from companion.history.codec import decode_move
from companion.history.events import Entry, Played, Struck
from companion.history.record import append, begin
from companion.public.i18n import LANGUAGES, Translations
from companion.public.table import CardId, Change, Zone
from companion.public.text import Text
from web.language import names_of

ROOT = Path(__file__).parents[3]
NAMES = ("Ana", "Ben", "Cy", "Dora")


def in_words_and_places(game: Game[Any, Any], public: Any, _dice: random.Random) -> list[Move]:
    """Readings of every card at every place where it could come to lie, the command cards, and plain words."""
    zones = [shape.name for shape in game.table.layout.zones if shape.name != "commands"]
    lying = game.table.expected(public).cards
    found = [
        move
        for card in sorted(game.table.cards.values())
        for zone in zones
        if lying.get(card) != zone
        for move in game.table.interpretations(public, Change(card, lying.get(card), zone))
    ]
    for command in ("KEND", "KPASS", "KSTOP"):
        found += game.table.interpretations(public, Change(CardId(command), None, Zone("commands")))
    plain = (offer for offer in game.board.offers(public, MoveContext(0)) if not offer.choices)
    return found + [game.rules.moves[offer.do](by=offer.by) for offer in plain]  # type: ignore[call-arg]


def match(name: str, seats: int, player: Any = None, **more: Any) -> Callable[[], GameUnderTest]:
    module = GAMES[name]
    header = {"match": {"game": name, "seat": [{"name": name} for name in NAMES[:seats]], **more}}
    return lambda: GameUnderTest(module, {**header, "deck": demo_deck(module)}, player)


BOT = {"seat": [{"name": "Ana"}, {"name": "Ben"}, {"name": "Robo", "bot": True}], "jokers": 2}
MATCHES: dict[str, Callable[[], GameUnderTest]] = {
    **{
        # A card means something there by the zone that it lies in.
        f"discovery {profile}": match("discovery", 3, in_words_and_places, profile=profile, **BOT)
        for profile in ("en-intro", "en-memory", "en-explore", "fr-explore", "fr-bluff")
    },
    "carcassonne": match("carcassonne", 3),
    "carcassonne equal turns": match("carcassonne", 3, equal_turns=True),
    **{f"darwinci {profile}": match("darwinci", 4, profile=profile) for profile in ("base", "experts")},
    **{f"lands {seats} seats": match("lands", seats) for seats in (2, 4)},
    "the toy game": lambda: GameUnderTest(NOUGHTS),
}
EVERY_GAME = pytest.mark.parametrize("tested", list(MATCHES), indirect=True)


@pytest.fixture(scope="module")
def tested(request: pytest.FixtureRequest) -> GameUnderTest:
    return MATCHES[request.param]()


@EVERY_GAME
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_every_game_keeps_to(check: Callable[[GameUnderTest], None], tested: GameUnderTest) -> None:
    check(tested)


@EVERY_GAME
def test_cards_are_conserved(tested: GameUnderTest) -> None:
    total = count_things(tested.game, tested.game.rules.start)
    assert all(count_things(tested.game, step.effect.state) == total for step in tested.story)


@EVERY_GAME
def test_acts_that_are_taken_back_leave_everything_as_it_was(tested: GameUnderTest) -> None:
    """Every act of the story is struck, the last one first."""
    record = begin(tested.game)
    states = [record.state]
    for step in tested.story:
        record = append(tested.game, record, Entry(step.number, Played(step.move)))
        states.append(record.state)
    for step in reversed(tested.story):
        record = append(tested.game, record, Entry(record.next_number, Struck(step.number, None)))
        assert record.state == states[step.number - 1], step.move


@EVERY_GAME
def test_the_first_and_the_last_of_what_is_offered_can_be_said(tested: GameUnderTest) -> None:
    for step in tested.story:
        public = tested.game.public(step.before)
        for offer in tested.game.board.offers(public, step.at):
            for place in (0, -1):
                chosen = {key: some[place] for key, some in offer.choices.items()}
                move = decode_move(tested.game, {"do": offer.do, "by": offer.by, **chosen})
                assert tested.game.rules.judge(public, move, step.at) == (), move
                tested.carry_out(step.before, move, step.at)


OFFERED = {
    "carcassonne": "start deploy score end_turn discard agree_end",
    "carcassonne equal turns": "start remove deploy score end_turn agree_end",
    "darwinci base": "buy income end_turn",
    "lands 4 seats": "lead travel end_turn leave agree_end",  # nothing that lies before people
}


@pytest.mark.parametrize(("tested", "offered"), OFFERED.items(), indirect=["tested"], ids=list(OFFERED))
def test_what_can_be_said_in_a_few_words_is_on_offer(tested: GameUnderTest, offered: str) -> None:
    moments = [tested.game.board.offers(tested.game.public(step.before), step.at) for step in tested.story]
    assert {offer.do for offers in moments for offer in offers} == set(offered.split())


CODE = re.compile(r"\b(?:[A-Z]\d{1,2}(?:-\d)?|\d-\d{1,2})\b")
"""A tile, counter, stone, space or card by its number, such as T07, F21, M03-2 or 4-4: printed on nothing that people
hold."""


@pytest.mark.parametrize("tested", [name for name in MATCHES if name != "the toy game"], indirect=True)
def test_no_sentence_names_a_thing_by_a_code(tested: GameUnderTest):
    """ "Ben lays T07.": nothing on the table bears that. What is said of a match, what is objected to any move of it at
    any of eight moments, where its things belong, and what a question offers."""
    game, drawn = tested.game, tested.module.decks.drawn
    match = {"seats": tested.header["match"]["seat"], "deck": tested.header["deck"]}
    names = names_of({**match, "things": drawn(game) if drawn else None})
    words = Translations(locale_folders())
    moments = [game.public(step.before) for step in tested.story[:: max(1, len(tested.story) // 8)]]
    said = 0
    for step in tested.story:
        public = game.public(step.before)
        texts = list(game.words.caption(public, step.move, step.effect))
        for other in moments:
            found = game.rules.judge(other, step.move, step.at)
            texts += [game.words.reason(other, step.move, objection) for objection in found]
        for card, zone in game.table.expected(game.public(step.effect.state)).cards.items():
            place = game.words.place_name(zone)
            texts.append(Text("referee.put_into", {"card": card, "zone": place}))
            texts.append(Text("referee.take_away", {"card": card}))
        texts.append(Text(f"{game.name}.reading.{step.move.do}", move_parameters(step.move, 1)))
        for text in texts:
            for language in LANGUAGES:
                if text.key in words.keys(language):
                    sentence = words.say(text, language, names)
                    assert not CODE.search(sentence), (text.key, sentence)
                    said += 1
    assert said > len(tested.story)


@pytest.mark.parametrize(
    ("name", "profile", "key"),
    [("discovery", "en-memory", "discovery.who.stop"), ("darwinci", "base", "darwinci.who.buy")],
)
def test_a_question_that_a_command_card_may_lead_to_must_have_its_words(
    name: str, profile: str, key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ "KSTOP: which was it?" was shown because nothing had asked for "Who said Stop?"."""
    package = tmp_path / f"lacking_{name}"
    (package / "locale").mkdir(parents=True)
    (package / "__init__.py").touch()
    for language in LANGUAGES:
        words = (ROOT / "companion/games" / name / "locale" / f"{language}.po").read_text("utf-8")
        assert f'msgid "{key}"' in words
        lines = [block for block in words.split("\n\n") if f'msgid "{key}"' not in block]
        (package / "locale" / f"{language}.po").write_text("\n\n".join(lines), "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    tested = match(name, 3, in_words_and_places if name == "discovery" else None, profile=profile)()
    what_it_says_is_in_its_catalogs_in_every_language(tested)
    tested.module = replace(tested.module, package=package.name)
    with pytest.raises(NotConforming, match=re.escape(key)):
        what_it_says_is_in_its_catalogs_in_every_language(tested)
