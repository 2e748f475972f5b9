"""Every word of the pages exists in both languages, with the same parameters, and none is missing or idle."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from companion.games.registry import GAMES, locale_folders
from companion.public.i18n import LANGUAGES, Names, Translations
from companion.public.text import Text
from web.language import LOCALE_FOLDER, Translator

WEB = Path(__file__).parents[2] / "web"
GAMES_PAGES = (WEB.parent / "companion").glob("[gp]*/*/pages")
SOURCES = {
    path: path.read_text("utf-8")
    for folder in (WEB, *GAMES_PAGES)
    for path in folder.rglob("*")
    if path.suffix in (".html", ".js", ".py")
}


def catalog(folder: Path, language: str) -> dict[str, str]:
    with (folder / f"{language}.po").open("rb") as file:
        messages = [message for message in read_po(file, locale=language) if message.id]
    return {
        message.id if isinstance(message.id, str) else message.id[0]: message.string
        if isinstance(message.string, str)
        else "\n".join(message.string)
        for message in messages
    }


FOLDERS = (LOCALE_FOLDER, *sorted((WEB.parent / "companion").glob("[gp]*/*/locale")))
CATALOGS = {
    language: {k: v for folder in FOLDERS for k, v in catalog(folder, language).items()} for language in LANGUAGES
}


def test_both_languages_say_the_same_things_with_the_same_parameters():
    english, french = CATALOGS["en"], CATALOGS["fr"]
    assert set(english) == set(french)
    for key, sentence in english.items():
        assert sentence, key
        forms, others = sentence.split("\n"), french[key].split("\n")
        assert [set(re.findall(r"{(\w+)}", one)) for one in forms] == [
            set(re.findall(r"{(\w+)}", one)) for one in others
        ], key
        assert all(forms + others), key


def test_no_line_of_a_catalog_is_left_over():
    """Babel takes the first translation of a word, and says nothing of another."""
    for folder in (*FOLDERS, WEB.parent / "companion" / "locale"):
        for path in folder.glob("*.po"):
            lines = re.findall(r"^(msgid|msgid_plural|msgstr(?:\[\d\])?) ", path.read_text("utf-8"), re.MULTILINE)
            said = " ".join(lines) + " "
            assert re.fullmatch(r"(msgid (msgstr |msgid_plural msgstr\[0\] (msgstr\[\d\] )*))*", said), path


CORE = WEB.parent / "companion" / "locale"


def test_french_signs_stand_after_spaces_that_do_not_break():
    for key, sentence in (CATALOGS["fr"] | catalog(CORE, "fr")).items():
        assert not re.search(r" [?!:;»]|« ", sentence), key
        assert not re.search(r"[\w}]'\w", sentence), key


def test_french_has_one_word_for_one_thing():
    """The books say « action », and Darwinci's « fragment »; a sticker is an « étiquette »."""
    games = WEB.parent / "companion" / "games"
    french = CATALOGS["fr"] | catalog(CORE, "fr")
    other = re.compile(r"\b(actes?|coups? n°|autocollants?|pastilles?)\b", re.IGNORECASE)
    assert [key for key, sentence in french.items() if other.search(sentence)] == []
    bones = catalog(games / "darwinci" / "locale", "fr")
    assert [key for key, sentence in bones.items() if re.search(r"\b[Tt]uiles?\b(?! Darwin)", sentence)] == []


def test_english_is_written_with_typographic_apostrophes():
    english = CATALOGS["en"] | catalog(CORE, "en")
    assert [key for key, sentence in english.items() if re.search(r"[\w}]'\w", sentence)] == []


PARAMETERS_OF_SCRIPTS = {
    *("n", "m", "who", "what", "card_name", "where", "list", "source", "piece"),
    *("mb", "mm", "px", "least", "width", "height", "rate"),
}


def test_scripts_get_only_words_whose_parameters_they_may_fill_in():
    for key, sentence in CATALOGS["en"].items():
        if key.startswith("js."):
            assert set(re.findall(r"{(\w+)}", sentence)) <= PARAMETERS_OF_SCRIPTS, key
    voice = Translator(Translations(FOLDERS))
    assert voice.script_words("fr")["series"] == CATALOGS["fr"]["js.series"]


def test_no_page_asks_for_a_word_that_is_not_there():
    asked = set()
    for path, text in SOURCES.items():
        if path.suffix == ".html":
            asked |= set(re.findall(r"""\bt\(["']([\w.-]+)["'][),]""", text))
        elif path.suffix == ".js":
            asked |= {f"js.{key}" for key in re.findall(r"""\bsay\("([\w.-]+)"[),]""", text)}
        else:
            asked |= set(re.findall(r"""(?:\.word|Text)\("([\w.-]+)\"""", text))
    assert asked - set(CATALOGS["en"]) == set()
    assert len(asked) > 80


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_lies_idle(language: str):
    apart = (WEB.parent / "companion").glob("[gp]*/**/*.py")  # games and plug-ins
    text = "".join((*SOURCES.values(), *(path.read_text("utf-8") for path in apart)))
    of_games = tuple(
        f"{game}.{part}."
        for game in ("carcassonne", "darwinci", "discovery", "lands")
        for part in ("act", "caption", "objection", "reading", "start", "verdict", "why", "zone")
    )
    made = (
        *of_games,
        "carcassonne.fault.edge_",
        "match.fault.",
        "carcassonne.side.",
        "carcassonne.terrain.",
        "darwinci.jewel.",
        "darwinci.stone.",
        "lands.kind.",
        "js.alert.",
        "print.what.",
        "host.sit.",
        "print.paper.",
        "read.layout.",
        "js.print.verdict.",
        "js.record.plan.",
        "js.check.",
        "rule.",
        "legend.",
        "how.",
        "report.laid",
        "report.then",
        "report.event.",
        "report.figures",
        "profile.",
        "problem.",
        "language.",
        "js.do.",
        "js.carcassonne.terrain.",
        "js.carcassonne.side.",
        "js.carcassonne.stands.",
        "js.carcassonne.do.",
        "js.carcassonne.choose.",
        "js.carcassonne.editor.pattern.",
        "js.darwinci.bone.",
        "js.darwinci.side.",
        "js.darwinci.stones.",
        "js.darwinci.jewel.",
        "js.darwinci.do.",
        "js.darwinci.choose.",
        "js.lands.kind.",
        "js.lands.do.",
        "js.lands.choose.",
        "js.lands.change.",
        "js.lands.ask.",
        "js.lands.colour.",
        "js.lands.compass.",
        "js.lands.die.",
        "js.lands.group.",
        "js.lands.host.",
        "js.choose.",
        "js.choice.",
        "js.card.",
        "js.family.",
        "js.owed.",
        "js.camera.",
        "js.zone.",
        "doctor.name.",
        "doctor.level.",
        "doctor.broker.",
        "hub.needs.",
        "darwinci.who.",
        "discovery.who.",
        "noughts.",  # a game as `companion game new` writes it, with words made of its own name
    )
    steps = {
        f"wizard.{step}{part}" for step in ("hang", "stick", "see", "lamp", "play") for part in ("", ".name", ".skip")
    }
    idle = [
        key
        for key in CATALOGS[language]
        if key not in steps
        and not key.startswith(made)
        and f'"{key.removeprefix("js.")}"' not in text
        and f"'{key}'" not in text
    ]
    assert idle == []


def test_a_language_without_a_word_says_it_in_english():
    assert Translations((LOCALE_FOLDER,)).say(Text("page.title"), "xx", Names()) == "Companion"


ALWAYS_MANY = {
    *("hub.fault.few", "hub.fault.points"),
    *("carcassonne.fault.many", "carcassonne.fault.too_many", "darwinci.fault.many", "deck.fault.many"),
    *(
        "csv.fault.rows",
        "deck.fault.missing",
        "match.fault.seats",
        "lands.fault.compass",
        "darwinci.objection.deal.shares",
    ),
    *("darwinci.objection.too-many", "darwinci.objection.too-many.foreign", "darwinci.objection.not-offered.creature"),
}
"""Their number is never 1."""
WITHOUT_PLURAL = re.compile(r"(Darwin|stamina|meat)\b")


def test_nothing_is_counted_without_a_singular_and_a_plural():
    """A number before a word, "{n} cards", bends that word; numbers after one, as in "Era 3", do not."""
    flat = {
        key: sentence
        for language in LANGUAGES
        for key, sentence in CATALOGS[language].items()
        if (found := re.search(r"(?<!Day )(?<!jour )\{(?:n|count)\} ([^\W\d_]{3}\w*)", sentence))
        and "\n" not in sentence
        if key not in ALWAYS_MANY and not WITHOUT_PLURAL.match(found[1])
    }
    assert flat == {}


@pytest.mark.parametrize(
    ("language", "one", "many"),
    [
        ("en", "1 minute 1 turn 1 card laid 1 false alarm", "2 minutes 2 turns 2 cards laid 2 false alarms"),
        ("fr", "1 minute 1 tour 1 carte posée 1 fausse alerte", "2 minutes 2 tours 2 cartes posées 2 fausses alertes"),
    ],
)
def test_one_is_said_in_the_singular(language: str, one: str, many: str):
    voice = Translator(Translations((LOCALE_FOLDER,)))
    keys = ("report.minutes", "report.turns", "report.figures.placements", "report.figures.false_alarms")
    said = [" ".join(f"{n} {voice.word(key, language, n=n)}" for key in keys) for n in (1, 2)]
    assert said == [one, many]


def test_a_report_counts_in_the_words_of_its_own_game() -> None:
    """« 83 cards in the tree » stood in the report of a game without a tree."""
    words = Translations((*locale_folders(), LOCALE_FOLDER))
    for game in sorted(GAMES.keys() - {"discovery"}):
        for language in ("en", "fr"):
            said = words.say(Text(f"report.figures.{game}.cards", {"n": 2}), language, Names())
            assert "report." not in said, (game, language)
            assert "tree" not in said, (game, language)
