"""Everything that anybody can be told has words in every language."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from string import Formatter

import pytest

from companion.box.update_file import FAULTS
from companion.games.registry import GAMES, demo_deck, locale_folders, open_match
from companion.public.i18n import LANGUAGES, Names, Translations
from companion.public.text import Text, listed, signed
from web.language import LOCALE_FOLDER

ROOT = Path(__file__).parents[3]
SAID = Translations((ROOT / "companion" / "locale", *sorted((ROOT / "companion").glob("[gp]*/*/locale"))))
CORE = sorted(
    path
    for path in (ROOT / "companion").rglob("*.py")
    if "games" not in path.relative_to(ROOT).parts or path.parent.name == "games"
)
GAME = open_match({"profile": "fr-explore", "seat": [{"name": "Ana"}, {"name": "Robo", "bot": True}]}, demo_deck()).game


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_key_of_the_referee_has_words(language):
    keys = {key for path in CORE for key in re.findall(r'"(referee\.[a-z_.]+)"', path.read_text(encoding="utf-8"))}
    keys.discard("referee.referee")  # the module of a command
    assert len(keys) > 10
    assert keys <= SAID.keys(language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_zone_move_and_reading_has_words(language):
    zones = {zone.name.partition("-")[0] for zone in GAME.table.layout.zones} - {"commands"}
    told = {f"discovery.zone.{zone}" for zone in zones | {"pile"}}
    told |= {f"discovery.act.{do}" for do, kind in GAME.rules.moves.items() if "card" not in kind.__dataclass_fields__}
    told |= {f"discovery.reading.{do}" for do in ("place", "joker", "discard", "flip", "stop", "end_turn", "pass")}
    assert told <= SAID.keys(language)


def test_both_languages_say_the_same_things_with_the_same_parameters():
    for key in SAID.keys("en") | SAID.keys("fr"):
        said = [
            [{name for _, name, _, _ in Formatter().parse(form) if name} for form in SAID.forms(key, language)]
            for language in LANGUAGES
        ]
        assert said[0] == said[1], key


def test_every_key_of_what_can_be_wrong_has_words_and_none_lies_idle():
    rooms = [path for wing in ("companion", "vision") for path in (ROOT / wing).rglob("*.py")]
    code = "".join(path.read_text(encoding="utf-8") for path in rooms)
    written = set(re.findall(r'"([a-z_]+\.fault\.[a-z_]+)"', code))
    # Put together from what they are about.
    written |= {"match.fault.jokers", "match.fault.dealer"}
    written |= {f"update.fault.{word.replace('-', '_')}" for word in FAULTS}
    written |= {"carcassonne.fault.edge_none", "carcassonne.fault.edge_twice"}
    for language in LANGUAGES:
        assert written == {key for key in SAID.keys(language) if ".fault." in key}


def test_what_the_code_says_of_a_fault_is_what_the_english_catalog_says():
    calls = [
        (str(node.args[0].value), str(node.args[1].value))
        for path in (ROOT / "companion").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "fault"
        if len(node.args) > 1 and all(isinstance(arg, ast.Constant) for arg in node.args[:2])
    ]
    assert len(calls) > 30
    for key, said in calls:
        forms = [form.removeprefix("{where}: ").replace("’", "'").rstrip(".") for form in SAID.forms(key, "en")]
        assert said.rstrip(".") == forms[-1], key  # of what is counted the plural


def test_what_is_counted_is_said_in_the_singular_or_the_plural_of_each_language(tmp_path: Path):
    for language, one, many in (("en", "{n} card", "{n} cards"), ("fr", "{n} carte", "{n} cartes")):
        said = f'msgid "k"\nmsgid_plural "k"\nmsgstr[0] "{one}"\nmsgstr[1] "{many}"\n'
        (tmp_path / f"{language}.po").write_text(said, encoding="utf-8")
    words = Translations([tmp_path])
    said = [[words.say(Text("k", {"n": n}), language, Names()) for n in (0, 1, 1.5, 2)] for language in LANGUAGES]
    assert said == [["0 cards", "1 card", "1.5 cards", "2 cards"], ["0 carte", "1 carte", "1.5 carte", "2 cartes"]]


def test_french_says_names_with_a_vowel_as_people_do(tmp_path: Path):
    """« d’Ana », « qu’Élodie » and « de Ben »; how an h is said nobody knows. English has no such thing."""
    for language in LANGUAGES:
        (tmp_path / f"{language}.po").write_text(
            'msgid "k"\nmsgstr "La tuile de {seat}, que {other} prend"\n', encoding="utf-8"
        )
    words = Translations([tmp_path])
    names = Names({}, ("Ana", "Ben", "Élodie", "Œdipe", "Hugo", "Yves", "7 sages", "Ütz"))
    said = [words.say(Text("k", {"seat": seat, "other": seat}), "fr", names) for seat in range(1, 9)]
    assert said == [
        "La tuile d’Ana, qu’Ana prend",
        "La tuile de Ben, que Ben prend",
        "La tuile d’Élodie, qu’Élodie prend",
        "La tuile d’Œdipe, qu’Œdipe prend",
        *(f"La tuile de {name}, que {name} prend" for name in ("Hugo", "Yves", "7 sages")),
        "La tuile d’Ütz, qu’Ütz prend",
    ]
    assert words.say(Text("k", {"seat": 1, "other": 1}), "en", names) == "La tuile de Ana, que Ana prend"


def test_french_joins_the_article_of_a_thing_and_not_a_name():
    """ "Ana se défausse de le joker", said the phone; a player may be called le Chat."""
    names = Names({"X": {"fr": "les os {1}"}, "Y": {"fr": "la tuile"}}, ("le Chat",))
    said = [
        SAID.say(Text("discovery.caption.discard", {"seat": 1, "card": card}), "fr", names) for card in ("J2", "X", "Y")
    ]
    assert said == [f"le Chat se défausse {what}." for what in ("du joker", "des os {1}", "de la tuile")]
    assert SAID.say(Text("darwinci.zone.plot", {"seat": 1}), "fr", names) == "dans la parcelle de le Chat"


def test_below_zero_stands_a_minus_sign(tmp_path: Path):
    """A hyphen is shorter than a plus, and lines break behind it."""
    for language in LANGUAGES:
        (tmp_path / f"{language}.po").write_text('msgid "k"\nmsgstr "{n}, {value}"\n', encoding="utf-8")
    words = Translations([tmp_path])
    for language in LANGUAGES:
        said = [
            words.say(Text("k", {"n": n, "value": value}), language, Names()) for n, value in ((-2, "a-b"), (0, -1.5))
        ]
        assert said == ["\u22122, a-b", "0, \u22121.5"]
    assert [signed(number) for number in (-999, 0, 7)] == ["\u2212999", "0", "7"]


def test_every_game_brings_its_words():
    assert {path.parent.name for path in locale_folders() if path.parent.parent.name == "games"} == set(GAMES)


def test_cards_and_players_are_called_by_their_names():
    names = Names({"1-8": {"en": "Hunting", "fr": "Chasse"}}, ("Ana", "Ben"))
    text = Text("referee.claimed", {"seat": 2, "what": Text("referee.the_card", {"card": "1-8"})})
    assert SAID.say(text, "en", names) == "Hunting: that was Ben."
    assert SAID.say(text, "fr", names) == "Chasse : c’était Ben."


def test_what_has_no_name_of_its_own_is_said_by_what_it_is():
    """Two tiles that look alike are said once, and begin a sentence with a capital."""
    sea = {"en": "the sea tile", "fr": "la tuile mer"}
    pawn = {"en": "{seat}’s follower", "fr": "le pion de {seat}"}
    names = Names({"T01": sea, "T02": sea, "F11": pawn, "F21": pawn}, ("Ana", "Ben"), {"F11": 1, "F21": 2})
    assert [names.card("F11", "fr"), names.card("F21", "fr")] == ["le pion d’Ana", "le pion de Ben"]
    assert SAID.say(Text("referee.take_away", {"card": "F11"}), "en", names).startswith("Ana’s follower: ")
    assert SAID.say(Text("referee.take_away", {"card": "T01"}), "en", names).startswith("The sea tile: ")
    assert SAID.say(Text("referee.waits_for", {"cards": ["T01", "T02"]}), "fr", names).startswith(
        "Remettez la tuile mer sur la table"
    )
    what = Text("referee.the_card", {"card": "T01"})
    assert SAID.say(Text("referee.claimed", {"seat": 2, "what": what}), "en", names) == "The sea tile: that was Ben."


def test_lists_are_said_as_people_say_them():
    names = Names({}, ())
    said = [listed(["a", "b", "c"][:n], language) for language in LANGUAGES for n in (1, 2, 3)]
    assert said == ["a", "a and b", "a, b and c", "a", "a et b", "a, b et c"]
    assert names.card("1-1", "fr") == "1-1"


def test_a_key_without_words_is_said_as_itself():
    assert SAID.say(Text("nobody.wrote.this"), "fr", Names()) == "nobody.wrote.this"


def test_no_sentence_stands_in_two_catalogs():
    """The later one would be said in the place of the earlier one, to whoever did something else."""
    folders = [*locale_folders(), LOCALE_FOLDER]
    for language in LANGUAGES:
        keys = [key for folder in folders for key in Translations([folder]).keys(language)]
        assert {key for key in keys if keys.count(key) > 1} == set()
