"""Whatever is wrong with a file is named by file, line and key, in one sentence."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from companion.errors import Fault, InputError
from companion.storage.record_file import read_record
from companion.storage.toml_file import key_lines, nearest_line, read_toml, write_toml

MATCH = """\
game = "discovery"

[[seat]]
name = "Ana"
[[seat]]
name = "Ben"
colour = "red"

[table]
size_mm = [1100, 650]
[[table.zone]]
name = "tree"
[[table.zone]]
name = "pool"
polygon = [[0, 0]]
[options]
turn.end = "spoken"
"""


LONG = """\
note = \"\"\"
[[card]]
id = "1"
\"\"\"
list = [
  ["card"],
  "id = 3", # [
]
[[card]]
id = "[ # \\" {"
other = '''
[x]'''
[[card]]
id = "2"
"""
"""Values with more than one line, in which there are things that look like headers and keys."""


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
VALUES = st.recursive(
    st.booleans() | st.integers(-(10**17), 10**17) | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda some: st.lists(some, max_size=3) | st.dictionaries(TEXTS, some, max_size=3),
    max_leaves=12,
)


APART = "[[card]]\nid = 1\n[deck]\nname = 'x'\n[[card]]\nid = 2\n"
"""Lawful TOML that tomlkit would write in another order: no line is better than a wrong one."""
COMMENTED = """\
# From the attic.
[deck]
name = "Mine" # the second edition

# Torn at a corner.
[[card]]
id = "1-1" # see page 4
title = "Fire"

[[card]]
id = "1-2"
title = "Wheel"
# The end.
"""


def test_what_people_wrote_beside_the_values_stays_when_the_file_is_kept_anew(tmp_path):
    path = tmp_path / "deck.toml"
    path.write_text(COMMENTED)
    cards = [{"id": "1-1", "title": "Flame"}, {"id": "1-3", "title": "Boat"}, {"id": "1-2", "title": "Wheel"}]
    for _ in range(2):
        write_toml(path, {"deck": {"name": "Mine"}, "card": cards}, sections=1)
    assert path.read_text() == COMMENTED.replace("Fire", "Flame").replace(
        '[[card]]\nid = "1-2"', '[[card]]\nid = "1-3"\ntitle = "Boat"\n[[card]]\nid = "1-2"'
    )


@settings(deadline=None, derandomize=True, database=None)
@given(
    before=st.dictionaries(TEXTS, VALUES, max_size=4),
    after=st.dictionaries(TEXTS, VALUES, max_size=4),
    sections=st.integers(0, 3),
)
def test_whatever_was_there_before_what_is_kept_is_what_was_asked_for(tmp_path_factory, before, after, sections):
    path = tmp_path_factory.mktemp("kept") / "file.toml"
    write_toml(path, before, sections)
    write_toml(path, after, sections)
    assert read_toml(path).content == after


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (
            MATCH,
            {
                ("game",): 1,
                ("seat", 0): 3,
                ("seat", 1, "name"): 6,
                ("seat", 1, "colour"): 7,
                ("seat", 1, "absent"): 5,
                ("seat", 2): None,
                ("table", "size_mm"): 10,
                ("table", "zone", 1, "polygon"): 15,
                ("table", "zone", 1, "polygon", 0): 15,
                ("options", "turn", "end"): 17,
                (): None,
            },
        ),
        (
            LONG,
            {
                ("note",): 1,
                ("list",): 5,
                ("card", 0): 9,
                ("card", 0, "other"): 11,
                ("card", 1, "id"): 14,
                ("x",): None,
            },
        ),
        (APART, {("card", 1, "id"): None}),
    ],
    ids=["match", "long values", "sections apart"],
)
def test_a_key_is_found_in_its_line(text, lines):
    assert {where: nearest_line(key_lines(text), where) for where in lines} == lines


def test_faults_are_located_all_at_once(tmp_path):
    path = tmp_path / "match.toml"
    path.write_text(MATCH)

    def read(content):
        raise InputError(Fault("is no key", ("seat", 1, "colour")), Fault("is empty", ("game",)))

    with pytest.raises(InputError) as wrong:
        read_toml(path).located(read)
    assert str(wrong.value).splitlines() == [
        f"{path}, line 7: seat.2.colour: is no key",
        f"{path}, line 1: game: is empty",
    ]


def test_a_file_that_is_not_there_or_no_toml_is_one_sentence(tmp_path):
    with pytest.raises(InputError, match="there is no such file"):
        read_toml(tmp_path / "match.toml")
    (tmp_path / "bad.toml").write_text("[[seat]\n")
    with pytest.raises(InputError, match=r"bad.toml: this is not TOML: .*line 1"):
        read_toml(tmp_path / "bad.toml")
    (tmp_path / "latin.toml").write_bytes(b'name = "\xe9"')
    with pytest.raises(InputError, match="UTF-8"):
        read_toml(tmp_path / "latin.toml")


HEADER = '{"record": 1, "match": {}, "deck": {}}\n'


def test_a_torn_last_line_is_left_out_and_said(tmp_path):
    path = tmp_path / "record.jsonl"
    path.write_text(HEADER + '{"event": "paused"}\n{"event": "resu')
    file = read_record(path)
    assert file.torn
    assert file.entries == ((2, {"event": "paused"}),)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        ('{"event": "paused"}\n', "first line is a header"),
        ('{"record": 2, "match": {}}\n', "not a version"),
        (HEADER + 'torn{\n{"event": "paused"}\n', "line 2: this is not JSON"),
        ('{"record": 1, "mat', "line 1: this is not JSON"),
        ("[1]\n", "first line is a header"),
    ],
)
def test_a_record_that_cannot_be_read_is_one_sentence(tmp_path, text, said):
    path = tmp_path / "record.jsonl"
    path.write_text(text)
    with pytest.raises(InputError, match=said) as wrong:
        read_record(path)
    assert "\n" not in str(wrong.value)
