"""Files that nobody wrote by hand: each is answered at once in a sentence, never by a traceback."""

from __future__ import annotations

import json
import time
import zipfile
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from importlib import resources
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings, strategies as st
from support.long_cases import LONG, examples
from support.ports import free_port
from support.real_desk import WORDS as REAL_WORDS, RealDesk
from support.table_program import TableProgram

from companion.cli.main import main
from companion.errors import InputError
from companion.games import registry
from companion.games.registry import demo_deck
from companion.public.codes import sticker_token
from companion.storage.event_log import open_log
from companion.storage.join_codes import host_codes
from companion.storage.settings import read_settings, read_zones
from web.app import close, create_app

HEAD = '{"record": 1, "match": {"profile": "fr-explore", "seat": [{"name": "Ana"}, {"name": "Ben"}]}}\n'
TOML = {
    "nested": "a = " + "[" * 100_000,
    "nested inline": "a = " + "{b = " * 20_000,
    "a huge number": "a = " + "9" * 5000,
    "a huge hexadecimal number": "a = 0x" + "f" * 5000,
    "a dotted key": ".".join("a" * 20_000) + " = 1",
    "a quoted dotted key": '"a" . ' * 20_000 + "b = 1",
    "a dotted header": "[" + ".".join("a" * 20_000) + "]",
    "20 MB": "#" * 20_000_000,
    "no game": 'game = []\n[[seat]]\nname = "Ana"\n',
    "lists for words": "game = []\nprofile = {}\ndealer = []\nhost = []\noptions = []\nseat = 3\ntable = 3",
    "a date that is none": "a = 9999-99-99",
    "an infinite number": "a = 1e999",
    "a name too long for a file": 'deck = "' + "x" * 5000 + '"',
    "a file's name with a nought": 'deck = "a\\u0000b"',
    "14,000 cards": "[[card]]\n" * 14_000,
    "12,000 seats": "[[seat]]\n" * 12_000,
    "a long list": "[[card]]\nprerequisites = [" + "'1-1'," * 20_000 + "]",
    "12,000 keys": "".join(f"a{n} = 1\n" for n in range(12_000)),
}
RECORDS = {
    "nested": "[" * 100_000,
    "nested as far as Python goes": HEAD + "[" * 900 + "]" * 900 + "\n{}",
    "a huge number": HEAD + '{"number": ' + "9" * 5000 + "}\n{}",
    "half a character": HEAD + '{"move": {"do": "\\ud800"}}\n{}',
    "half a character in a name": '{"record": 1, "match": {"profile": "fr-explore", "seat": [{"name": "\\udc00"}]}}\n',
    "no game": '{"record": 1, "match": {"game": [], "profile": "fr-explore", "seat": [{"name": "Ana"}]}}\n',
    "no number": HEAD + '{"time_s": NaN}\n{}',
    "400,000 entries": HEAD + '{"event": "paused"}\n' * 390_000,
    "two million lists": HEAD + ('{"move": [' + "[]," * 320_000 + "[]]}\n") * 8,
    "two million lists in short lines": HEAD + ('{"move": [' + "[]," * 600 + "[]]}\n") * 3900,
    "a long line": HEAD + "[" + "1," * 500_000 + "1]\n",
}


def refused(capsys: pytest.CaptureFixture[str], *arguments: object, statuses: tuple[int, ...] = (2,)) -> str:
    capsys.readouterr()
    begun = time.process_time()
    assert main([str(argument) for argument in arguments]) in statuses
    assert time.process_time() - begun < 2  # at once, whatever else the machine does
    out, said = capsys.readouterr()
    assert (said or out).strip()
    lines = (said or out).splitlines()
    assert len(lines) <= 103
    assert all(len(line) < 600 for line in lines)
    assert "Traceback" not in said
    return said


@pytest.mark.parametrize("name", TOML)
def test_a_toml_file_from_a_stranger_is_refused_in_sentences(name, tmp_path, capsys):
    path = tmp_path / "it.toml"
    path.write_text(TOML[name])
    refused(capsys, "deck", "check", path, statuses=(1, 2))
    refused(capsys, "deck", "show", path)
    refused(capsys, "referee", tmp_path, "--match", path, "--record", tmp_path / "out.jsonl")
    (tmp_path / "settings.toml").write_text(TOML[name])
    (tmp_path / "zones.toml").write_text(TOML[name])
    for read in (read_settings, read_zones):
        with pytest.raises(InputError):
            read(tmp_path)


@pytest.mark.parametrize("name", RECORDS)
def test_a_record_from_a_stranger_is_refused_in_one_sentence(name, tmp_path, capsys):
    path, bundle = tmp_path / "it.jsonl", tmp_path / "it.zip"
    path.write_text(RECORDS[name])
    with zipfile.ZipFile(bundle, "w", zipfile.ZIP_DEFLATED) as paper:
        paper.writestr("record.jsonl", RECORDS[name])
    for command in (("judge", path), ("import", path, "--data", tmp_path), ("import", bundle, "--data", tmp_path)):
        assert len(refused(capsys, *command).splitlines()) == 1


def test_a_file_of_200_mb_is_refused_by_its_size(tmp_path, capsys):
    path = tmp_path / "it.jsonl"
    with path.open("wb") as file:
        file.truncate(200_000_000)
    assert "holds more than 8 MB" in refused(capsys, "import", path, "--data", tmp_path)
    assert "holds more than 8 MB" in refused(capsys, "judge", path)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda some: st.lists(some, max_size=5) | st.dictionaries(st.text(max_size=9), some, max_size=5),
    max_leaves=20,
)
KEYS = "game profile deck dealer jokers host seat options position table card name edition family prerequisites id panel mqtt zone polygon size_mm tree pool discards hands stack points turn team bot late event move do by number strikes change readings seat swaps here".split()  # noqa: E501, SIM905
SHAPES = st.dictionaries(st.sampled_from(KEYS), VALUES | st.dictionaries(st.sampled_from(KEYS), VALUES), max_size=8)
SEARCH = settings(
    max_examples=examples(30, 120), deadline=None, derandomize=True, database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)  # fmt: skip


@SEARCH
@given(head=SHAPES, entries=st.lists(SHAPES, max_size=4))
def test_no_record_ends_in_a_traceback(head, entries, tmp_path):
    match = {"profile": "fr-explore", "seat": [{"name": "Ana"}, {"name": "Ben"}], **head}
    plain = json.loads(HEAD)
    for first in (plain, {"record": 1, "match": match}, {"record": 1, "match": plain["match"], "deck": head}):
        (tmp_path / "it.jsonl").write_text("\n".join(json.dumps(line) for line in (first, *entries)))
        assert main(["judge", str(tmp_path / "it.jsonl")]) in (0, 1, 2)


@SEARCH
@given(text=st.text("abgame[]{}=.,\"'\n 0123456789xo_-:TZ#\\u", max_size=200), put=st.integers(0, 400))
@example(text="game = []", put=0)
def test_no_toml_ends_in_a_traceback(text, put, tmp_path):
    whole = '[deck]\nname = "a"\nedition = "b"\n' + "".join(
        f'[[card]]\nid = "{card["id"]}"\n' for card in demo_deck()["card"]
    )
    for content in (text, whole[:put] + text + whole[put:]):
        (tmp_path / "it.toml").write_text(content)
        assert main(["deck", "check", str(tmp_path / "it.toml")]) in (0, 1, 2)
        match = ["--match", str(tmp_path / "it.toml"), "--record", str(tmp_path / "out")]
        assert main(["referee", str(tmp_path / "none"), *match]) in (0, 2)
        for name, read in (("settings.toml", read_settings), ("zones.toml", read_zones)):
            (tmp_path / name).write_text(content)
            with suppress(InputError):
                read(tmp_path)


@SEARCH
@given(st.text() | st.text("DX0123456789CJSK", max_size=12).map("DX".__add__))
def test_a_sticker_says_a_token_or_nothing(text):
    found = sticker_token(text)
    assert found is None or f"DX{found}" == text[:-1]


NOTEPAD = b"\xef\xbb\xbf"
"""What Windows' editor puts before a text in UTF-8, and a spreadsheet before CSV."""


def test_files_that_were_edited_on_windows_are_read_like_others(tmp_path: Path, capsys):
    """The mark at the beginning was "Invalid statement (at line 1, column 1)", where nobody sees anything."""
    (tmp_path / "settings.toml").write_bytes(NOTEPAD + b'[web]\r\nhosts = ["companion.fritz.box"]\r\n')
    assert read_settings(tmp_path).hosts == ("companion.fritz.box",)
    demo = resources.files("companion.games.discovery").joinpath("demo_deck.toml").read_bytes()
    (tmp_path / "deck.toml").write_bytes(NOTEPAD + demo.replace(b"\n", b"\r\n"))
    assert main(["deck", "check", str(tmp_path / "deck.toml")]) == 0
    table = tmp_path / "deck.csv"
    assert main(["deck", "convert", str(tmp_path / "deck.toml"), str(table)]) == 0
    table.write_bytes(NOTEPAD + table.read_bytes().removeprefix(NOTEPAD))
    assert main(["deck", "convert", str(table), str(tmp_path / "again.toml")]) == 0
    record = tmp_path / "record.jsonl"
    record.write_bytes(NOTEPAD + HEAD.encode())
    assert main(["judge", str(record)]) == 0
    assert "column 1" not in capsys.readouterr().err


def test_a_spreadsheet_in_an_unnamed_alphabet_is_refused_with_the_option_that_names_it(tmp_path: Path, capsys):
    table, made = tmp_path / "mac.csv", tmp_path / "deck.toml"
    assert main(["deck", "convert", str(_demo(tmp_path)), str(table), "--language", "fr"]) == 0
    table.write_bytes(table.read_bytes().decode("utf-8-sig").encode("mac_roman", "replace"))
    assert main(["deck", "convert", str(table), str(made)]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert f"{table}: this is not UTF-8" in said
    assert "--encoding " in said
    assert not made.exists()
    assert main(["deck", "convert", str(table), str(made), "--encoding", "mac_roman"]) == 0
    assert "é" in made.read_text("utf-8")
    assert main(["deck", "convert", str(table), str(tmp_path / "b.toml"), "--encoding", "klingon"]) == 2
    assert '"klingon" is not an encoding that I know' in capsys.readouterr().err


def _demo(folder: Path) -> Path:
    demo = folder / "demo.toml"
    demo.write_bytes(resources.files("companion.games.discovery").joinpath("demo_deck.toml").read_bytes())
    return demo


WORDS = (
    "a\"b'c\"\"\"d'''e",
    "a\nb\r\nc\u2028d\x85e",
    "a\x00b\x1b[31mc\x7fd\x08",
    'x"\n[[table.zone]]\nname = "y',
    "a\\b\\u0000\\",
    "\U0001f3b2\U0001f469\u200d\U0001f467\u202eab\ufeff",
    "{{7*7}} %s {0} ${x} <script>alert(1)</script> ../../x",
    "x" * 3000,
    "= [] # no comment",
    'Ana "the \\ card" O\'Hara',
)
"""What somebody may call a thing who has read about quotation marks."""
TRIED = WORDS if LONG else WORDS[:3]
SQUARE = [[0, 0], [100, 0], [100, 100], [0, 100]]
KEEPS_NO_WORDS = {
    "/api/v1/simulated/visit",
    "/api/v1/table-picture",
    "/api/v1/without-picture",
    *("/api/v1/rematch", "/api/v1/matches/<match_id>/close", "/api/v1/matches/<match_id>/go-on", "/api/v1/answers"),
    *("/api/v1/matches/<match_id>/delete", "/api/v1/matches/<match_id>/restore", "/api/v1/box-check", "/api/v1/eye"),
    *("/api/v1/join", "/api/v1/leave", "/api/v1/host", "/api/v1/hub", "/api/v1/hub/join", "/api/v1/invitations"),
    "/api/v1/seats/answer",
    *("/api/v1/decks/<name>/deck.csv", "/api/v1/decks/<name>/pictures/<card>/delete", "/api/v1/recording"),
    *("/api/v1/decks/<name>/readings", "/api/v1/decks/<name>/readings/<card>/delete"),
    *("/api/v1/simulated/seat", "/api/v1/simulated/acts", "/join"),
    *("/api/v1/decks/<name>/pictures/<card>",),  # pixels alone: tests/vision/test_card_photo.py
    *("/api/v1/restore", "/api/v1/restore/<int:at>"),  # tests/companion/box/test_restore.py
    *("/api/v1/update", "/api/v1/update/<int:at>", "/api/v1/wifi"),  # root's: tests/systemd
}


def decks_of(word: str) -> Iterator[dict[str, object]]:
    """A deck of every game with this word wherever somebody may type one, by itself and in lists and tables."""
    for module in registry.GAMES.values():
        for value in (word, [word, word], {"en": word, "fr": word}, {word: [{word: word}]}, [[[[word]]]]):
            things = [{"id": word, **dict.fromkeys(module.decks.form.card_keys, value)}]
            yield {"deck": {"game": module.name, "name": word, "edition": value}, module.decks.things_key: things}
            yield {"deck": {"game": module.name, "name": word}, module.decks.things_key: things}


def hostile_bodies() -> Iterator[tuple[str, dict[str, object]]]:
    """Everything that a host can have kept, by its route; what is refused does no harm either."""
    for words in (WORDS, *((word,) for word in WORDS)):
        yield "/api/v1/zones", {"table": {"zone": [{"name": word, "polygon": SQUARE} for word in words[:1]]}}
        square = [[[x + 1000 * place, y] for x, y in SQUARE] for place in range(len(words))]
        zones = [{"name": word, "polygon": there} for word, there in zip(words, square, strict=True)]
        yield "/api/v1/zones", {"table": {"size_mm": [1e4, 1e-9], "zone": zones}}
    for word in TRIED:
        yield "/api/v1/box", {"do": "name", "name": word}
        yield "/api/v1/page-faults", {"page": word, "what": word}
        yield "/api/v1/seats/ask", {"seat": 1, "name": word}
        yield "/api/v1/seats/join", {"key": word}
        yield "/api/v1/seats/mode", {"mode": word}
        for deck in decks_of(word):
            yield "/api/v1/decks", {"name": f"ours-{len(str(deck)) % 7}", "deck": deck}
        match = {"game": "discovery", "profile": "fr-explore", "seat": [{"name": word}, {"name": f"2 {word}"}]}
        for more in ({}, {"options": {word: word}}, {"deck": word}, {word: word}, {"seat": [{"name": [word]}] * 2}):
            yield "/api/v1/matches", {"match": {**match, **more}}
        head = {"record": 1, "match": {"profile": "fr-explore", "seat": [{"name": word}, {"name": "Ben"}]}}
        yield "/api/v1/records", {"record": json.dumps(head) + "\n"}
        for do in ("rename", "stop", "pause", word):
            yield "/api/v1/corrections", {"correction": {"do": do, "name": word, "seat": 1, "by": 1}}
            yield "/api/v1/moves", {"move": {"do": do, "by": 1, "card": word, "name": {word: word}}}


def test_after_whatever_a_host_can_have_kept_the_next_start_works(tmp_path):
    """Before, a quotation mark in a zone's name ended every later start, on a box without a login."""
    data = tmp_path / "data"
    table = TableProgram(data, free_port(), "--source", "phone")
    try:
        with open_log(data, reading=True) as log:
            host = host_codes(log)[0]
        accepted = Counter()
        for route, body in hostile_bodies():
            status, answer = table.ask("POST", route, host, body)
            assert status < 500, (route, body, answer)
            accepted[route] += status == 200
        assert all(accepted[route] for route in ("/api/v1/zones", "/api/v1/box", "/api/v1/decks")), accepted
        assert accepted["/api/v1/matches"] >= len(TRIED) / 2, accepted
        assert accepted["/api/v1/page-faults"] == len(TRIED), accepted
        assert table.ask("GET", "/doctor", host)[0] == 200
        before = table.get("/")
    finally:
        table.end()
    table = TableProgram(data, free_port(), "--source", "phone")
    try:
        assert table.get("/")[0] == before[0] == 200
        for page in ("/matches", "/setup", "/host", "/decks", "/check"):
            assert table.ask("GET", page, host)[0] in (200, 404), page
        assert table.ask("GET", "/api/v1/zones", host)[0] == 200
    finally:
        table.end()
    assert "Traceback" not in table.said


def test_every_route_that_changes_something_is_tried_with_hostile_words_or_keeps_none():
    app = create_app(RealDesk(running=False), REAL_WORDS)
    routes = {rule.rule for rule in app.url_map.iter_rules() if "POST" in (rule.methods or ())}
    close(app)
    tried = {route for route, _ in hostile_bodies()}
    assert routes == tried | KEEPS_NO_WORDS
    assert not tried & KEEPS_NO_WORDS
