"""Everything that the rules can say is said in both languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.discovery_match import DECK, NAMES, era, table

from companion.games import discovery as rooms
from companion.games.discovery.moves import Joker, Place, Steal
from companion.games.discovery.rules.paragraphs import paragraph
from companion.games.discovery.setup import PROFILES
from companion.games.protocol import Objection
from companion.public.i18n import LANGUAGES, Names, Translations
from companion.public.text import Text

pytestmark = pytest.mark.core

FOLDER = Path(next(iter(rooms.__path__)))
WORDS = Translations([FOLDER / "locale"])
NAMED = Names({card: {"en": name, "fr": name} for card, name in NAMES.items()}, ("Ana", "Ben", "Cy"))
OBJECTIONS = [
    "turn", "prerequisites", "link", "own-discard", "already-placed", "not-there", "no-trump", "era-not-open",
    "era-not-closed", "last-card", "pass-closed", "joker-timing", "joker-card", "joker-link", "must-place",
    "called-card", "must-discard", "must-steal", "no-stop", "contest-closed", "game-over", "not-offered",
]  # fmt: skip


def test_both_languages_have_the_same_keys():
    assert WORDS.keys("en") == WORDS.keys("fr")


def test_every_key_written_in_the_rules_is_in_the_catalogs_and_every_key_of_the_catalogs_is_used():
    code = "\n".join(path.read_text(encoding="utf-8") for path in FOLDER.rglob("*.py"))
    written = set(re.findall(r'"(discovery\.[a-z.-]+[a-z-])"', code))
    assert written <= WORDS.keys("en")
    spoken = ("act", "caption", "objection", "reading", "start", "verdict", "why", "zone")
    for key in (key for key in WORDS.keys("en") if key.split(".")[:2] in [["discovery", part] for part in spoken]):
        last = key.split(".", 2)[2]
        assert all(part in code for part in re.split("[.-]", last)), key


@pytest.mark.parametrize("rule", OBJECTIONS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_objection_of_the_contract_has_words(rule, language):
    evening = table()
    for move in (Place(1, "1-8", "hand"), Joker(2, "J1", "hand", "1-8")):
        text = evening.game.words.reason(evening.state.position, move, Objection(rule, ("1-2", "1-3")))
        said = WORDS.say(text, language, NAMED)
        assert "discovery." not in said
        assert "{" not in said


@pytest.mark.parametrize("rule", OBJECTIONS)
def test_an_act_without_a_card_is_answered_in_words_that_name_none(rule):
    evening = table()
    own = {
        "not-there": "not-there.nobody",
        "turn": "turn.ended",
        "must-discard": "must-discard.unplaced",
        "must-steal": "must-steal.start",
        "not-offered": "not-offered.steal",
    }
    text = evening.game.words.reason(evening.state.position, Steal(1, 2), Objection(rule))
    assert text.key == f"discovery.objection.{own.get(rule, rule)}"
    assert "card" not in text.params
    assert (
        evening.game.words.reason(evening.state.position, Steal(2, 1), Objection("turn")).key
        == "discovery.objection.turn"
    )


def test_verdicts_name_the_card_first():
    evening = table(tree=["1-3"])
    move = Place(1, "1-8", "hand")
    text = evening.game.words.reason(evening.state.position, move, *evening.judge(move))
    assert WORDS.say(text, "en", NAMED) == "Hunting still needs Band."
    assert WORDS.say(text, "fr", NAMED) == "Hunting : il manque encore Band."
    assert text.params["paragraph"] == "1.5"


def test_a_joker_that_lacks_something_is_spoken_of_as_the_card_that_it_stands_for():
    evening = table(jokers=1)
    move = Joker(1, "J1", "hand", "1-4")
    text = evening.game.words.reason(evening.state.position, move, *evening.judge(move))
    assert WORDS.say(text, "en", NAMED) == "Nomadism still needs Band."


def test_why_is_this_worth_7_points():
    evening = table(tree=["1-1", "1-2", "1-3", "1-4"], hands=[1, 5, 5])
    step = evening.hand(1, "2-1")
    assert [WORDS.say(text, "en", NAMED) for text in step.score_reasons] == [
        "1 point for Homo erectus.",
        "3 points for opening era 2: a trump.",
        "3 points for the empty hand: a trump.",
    ]


def test_the_end_is_told_first():
    evening = table(hands=[1, 0, 0], stack=0, points=[1, 2, 0], tree=era(1, but=["1-1"]))
    evening.hand(1, "1-1")
    public = evening.state.position
    from companion.games.discovery.moves import EndTurn

    told = evening.game.words.caption(public, EndTurn(1), evening.ends(1))
    assert WORDS.say(told[0], "en", NAMED) == "Ana wins the match!"
    assert (
        WORDS.say(Text(told[0].key.replace("one", "many"), {"seats": [1, 2]}), "fr", NAMED)
        == "Ana et Ben gagnent la partie !"
    )
    assert len(DECK.cards) == 54


def test_every_edition_is_quoted_by_its_own_sections():
    """Series in the English book stand in 3.3, in the French one in 2.1; a rule of nobody's has none."""
    for name, section in (("en-explore", "3.3"), ("en-intro", "3.3"), ("fr-explore", "2.1"), ("fr-bluff", "2.1")):
        assert paragraph(PROFILES[name], "series") == section
    assert paragraph(PROFILES["en-intro"], "game-over") == ""


def test_a_rule_that_stands_in_several_places_is_quoted_from_the_one_that_is_meant():
    """F 2.3 of jokers, 2.5 of announcements, 2.2 of calls; the steal of Bluff is in 2.4, that of Explore in 2.1."""
    french, english = PROFILES["fr-bluff"], PROFILES["en-explore"]
    cases = ("joker", "announce", "call")
    assert [paragraph(french, "era-not-open", case) for case in cases] == ["2.3", "2.5", "2.2"]
    assert [paragraph(english, "era-not-open", case) for case in cases] == ["2.5", "2.2", "1.2"]
    assert (paragraph(french, "must-steal"), paragraph(PROFILES["fr-explore"], "must-steal", "start")) == ("2.4", "2.1")
    evening = table("fr-explore", jokers=1, tree=["1-1"])
    move = Joker(1, "J1", "hand", "3-1")
    told = evening.game.words.reason(evening.state.position, move, Objection("era-not-open"))
    assert told.params["paragraph"] == "2.3"
