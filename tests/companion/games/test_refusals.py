"""A refusal is one short sentence that somebody understands who never read the rules; more stands behind *Why?*."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from companion.games.protocol import MoveContext
from companion.games.registry import GAMES, demo_deck
from companion.public.i18n import LANGUAGES, Translations

EXPLAINED = ("carcassonne", "darwinci", "discovery", "lands")
WORDS = {game: Translations([Path(__file__).parents[3] / "companion/games" / game / "locale"]) for game in EXPLAINED}
NAMES = ("seat", "other", "card", "cards", "era")
OF_ALL = {
    "en": ("The ", "Nobody", "It is nobody", "Each ", "Everybody", "A ", "That was", "These rules", "In these rules",
           "Only ", "There is", "Too late"),
    "fr": ("La ", "Le ", "Ce n’est", "C’était", "Chaque", "Chacun", "Un ", "Une ", "Pas encore", "Les ", "Des ",
           "Dans ces règles", "On ", "Il n’y a", "Trop tard", "Ce n’est pas possible avec ces règles"),
}  # fmt: skip
"""How a sentence begins that is about nobody and nothing that has a name."""
LEAST, MOST = 4, 18
"""Words of a sentence: those that are no sentence have fewer."""

REFUSALS = [
    (game, key) for game in EXPLAINED for key in sorted(WORDS[game].keys("en")) if key.startswith(f"{game}.objection.")
]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("game", "key"), REFUSALS, ids=[key for _, key in REFUSALS])
def test_a_refusal_is_one_short_sentence_that_names_who_or_what(game: str, key: str, language: str):
    """ "9 left.", "Not beside.", "Too wide.": what is told so is told to nobody."""
    for sentence in WORDS[game].forms(key, language):
        count = len([word for word in sentence.split() if re.search(r"\w", word)])
        assert LEAST <= count <= MOST, sentence
        assert re.search(r"[.?]$", sentence), sentence
        assert not re.search(r"[.?!]\s+\S", re.sub(r"\?\s+(?=Tell|Dites|Indiquez)", "", sentence)), sentence
        names = {name for name in NAMES if f"{{{name}}}" in sentence}
        assert names or sentence.startswith(OF_ALL[language]), sentence


@pytest.mark.parametrize("game", EXPLAINED)
def test_every_refusal_leads_there(game: str):
    """ "Why?" is drawn from the parameter ``rule``; without it there was none in a whole game."""
    module, rng = GAMES[game], Random(4)
    made = module.open_match(module.demonstration.random_match(rng, module.profiles[0]), demo_deck(module))
    player, state, heard = module.demonstration.random_player(made), made.rules.start, set()
    for number in range(1, 400):
        at, public = MoveContext(number), made.public(state)
        for move in player(public, rng, at):
            if objections := made.rules.judge(public, move, at):
                for objection in objections:
                    assert made.words.reason(public, move, objection).params["rule"] == objection.rule
                    heard.add(objection.rule)
            else:
                state = made.rules.apply(state, move, at).state
                break
    assert len(heard) > 1
