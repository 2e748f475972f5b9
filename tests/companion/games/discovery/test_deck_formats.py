"""Decks for spreadsheet people, drawn, and compared: what Excel does to a file, and what slips a file may hold."""

from __future__ import annotations

import copy
import csv
import itertools
import re
import tomllib
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from companion.errors import InputError
from companion.games.discovery.deck import FAMILIES, check, id_meant
from companion.games.discovery.spreadsheet import from_csv, to_csv
from companion.games.game_module import AlphabetUnknown
from companion.public.decks import differences

DEMO = tomllib.loads((files("companion.games.discovery") / "demo_deck.toml").read_text("utf-8"))


def cards(document: Any) -> list[Any]:
    return sorted(document["card"], key=lambda card: card["id"])


def faults(content: str | bytes, encoding: str = "") -> list[str]:
    with pytest.raises(InputError) as raised:
        from_csv(content.encode() if isinstance(content, str) else content, "ours", encoding)
    return [one.what for one in raised.value.faults]


# -- slips


@pytest.mark.parametrize(
    ("change", "meant"),
    [
        (lambda card: card.update(famly=card.pop("family")), "family"),
        (lambda card: card.update(family="Alimentation"), "food"),
        (lambda card: card.update(family="scoiety"), "society"),
        (lambda card: card.update(id="1.8"), "1-8"),
        (lambda card: card.update(id="l-8"), "1-8"),
        (lambda card: card.update(prerequisites=["Charognage"]), "1-5"),
        (lambda card: card.update(prerequisites=["Scavanging"]), "1-5"),
        (lambda card: card.update(prerequisites=["DXC12N"]), "1-2"),
    ],
)
def test_a_likely_slip_is_named(change: Any, meant: str) -> None:
    deck = copy.deepcopy(DEMO)
    change(next(card for card in deck["card"] if card["id"] == "1-8"))
    assert any(fault.what.endswith(f"Did you mean {meant}?") for fault in check(deck)[0])


def test_where_nothing_is_like_it_nothing_is_named() -> None:
    deck = copy.deepcopy(DEMO)
    deck["card"][0] |= {"family": "xyzzy", "prerequisites": ["Quetzalcoatl", "7-7"]}
    assert not any("Did you mean" in fault.what for fault in check(deck)[0])
    assert [id_meant(text) for text in ("1-10", "10", "0-1", "7-1", "", True, None, "1-8-2", "9" * 5000)] == [None] * 9


def test_a_deck_may_have_names_in_any_language_and_says_where_one_is_missing() -> None:
    deck = copy.deepcopy(DEMO)
    for card in deck["card"]:
        card["name"]["de"] = f"Karte {card['id']}"
    assert check(deck) == ((), ())
    del deck["card"][3]["name"]["de"]
    deck["card"][4]["name"]["german"] = "Aas"
    deck["card"][6]["name"]["en"] = "band"
    faults, warnings = check(deck)
    assert faults == ()
    said = [one.what for one in warnings]
    assert 'Names in "de" are missing: 1-4.' in said
    assert '"band" is the name of 1-2 too; is that so?' in said
    assert any(one.startswith('"german" is no code') and one.endswith("Did you mean de?") for one in said)


# -- spreadsheets

AWKWARD = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp"]) | st.sampled_from("=+-@';,\"é—Ω "),
    min_size=1,
    max_size=12,
).filter(lambda text: text.strip() == text and text)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(AWKWARD, AWKWARD, st.sampled_from(FAMILIES)), min_size=1, max_size=9),
    st.sampled_from(["en", "fr"]),
)
def test_whatever_a_card_is_called_comes_back_from_a_spreadsheet(rows: Any, language: str) -> None:
    made = [
        {"id": f"1-{n}", "name": {"en": en, "de": de}, "family": family, "prerequisites": ["1-1"] if n > 1 else []}
        for n, (en, de, family) in enumerate(rows, 1)
    ]
    back = from_csv(to_csv({"deck": {"name": "a", "edition": "b"}, "card": made}, language), "ours")
    assert [card for card in back["card"] if len(card) > 1] == made


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_demo_deck_comes_back_whole(language: str) -> None:
    assert cards(from_csv(to_csv(DEMO, language), "ours")) == cards(DEMO)


def test_no_cell_is_a_formula_a_date_or_a_number_that_a_spreadsheet_would_change() -> None:
    """A name such as =HYPERLINK(…) does nothing when the file is opened, and 1-8 does not become the 1st of August."""
    deck = copy.deepcopy(DEMO)
    for card, name in zip(deck["card"], ("=1+1", "+1", "-1", "@x", "'=1", '=HYPERLINK("x")', "1-2"), strict=False):
        card["name"]["en"] = name
    content = to_csv(deck, "en")
    assert content.startswith(b"\xef\xbb\xbf"), "Excel takes a file without it for another encoding"
    cells = list(itertools.chain(*csv.reader(content.decode("utf-8-sig").splitlines())))
    assert not any(re.match(r"[=+\-@\t\r]", cell) for cell in cells)
    made_by_us = itertools.chain(*(row[6:7] for row in csv.reader(content.decode("utf-8-sig").splitlines())))
    assert not any(re.fullmatch(r"\d-\d", cell) for cell in made_by_us)
    assert cards(from_csv(content, "ours")) == cards(deck)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_it_is_read_as_excel_and_libreoffice_write_it(encoding: str, separator: str) -> None:
    """With any separator, with heads in French or English in any order, and prerequisites by name."""
    heads = ["Nom", "ÈRE", "numero", "Famille", "Prérequis"]
    rows = [
        ["Bande", "1", "2", "Société", "aucun"],
        ["Charognage", "1.0", "5", "food", "-"],
        ["Chasse", "1", "8,0", "alimentation", "Bande / charognage"],
        ["", "", "", "", ""],
        ["Fil, corde", "3", "1", "", "C18"],
    ]
    text = "\r\n".join(separator.join(f'"{cell}"' for cell in row) for row in [heads, *rows])
    read = from_csv(("sep=;\r\n" + text if separator == ";" else text).encode(encoding), "ours")
    assert read["card"] == [
        {"id": "1-2", "name": {"fr": "Bande"}, "family": "society", "prerequisites": []},
        {"id": "1-5", "name": {"fr": "Charognage"}, "family": "food", "prerequisites": []},
        {"id": "1-8", "name": {"fr": "Chasse"}, "family": "food", "prerequisites": ["1-2", "1-5"]},
        {"id": "3-1", "name": {"fr": "Fil, corde"}, "prerequisites": ["1-8"]},
    ]


@pytest.mark.parametrize(
    "written",
    [
        lambda text: "\r\n" + text,
        lambda text: "Unser Spiel;;;\r\nStand: Mai\r\n;;;\r\n" + text,
        lambda text: '"sep=;"\r\n' + text,
        lambda text: "SEP=;\r\n" + text,
        lambda text: text + "\x1a",
        lambda text: text + "\0",
        lambda text: text + "\0" * 300,
        lambda text: text.translate({0x30 + digit: 0xFF10 + digit for digit in range(10)}),
        lambda text: text.translate({0x30 + digit: 0x0660 + digit for digit in range(10)}),
        lambda text: text.replace(";Höhle;", '; "Höhle";'),
    ],
    ids=["blank line", "title", "sep quoted", "SEP", "ctrl-z", "a zero", "zeros", "wide", "arabic", "space and quote"],
)
def test_what_stands_around_a_table_and_how_its_numbers_are_typed_is_no_fault(written: Callable[[str], str]) -> None:
    """A file of half as many bytes and one zero was called Chinese; under a title every column was missing."""
    assert from_csv(written(GERMAN).encode(), "ours") == from_csv(GERMAN.encode(), "ours")


def test_a_fault_under_a_title_names_the_row_that_people_see() -> None:
    with pytest.raises(InputError, match="row 4: a card has an era"):
        from_csv(("Unser Spiel\r\n\r\n" + HEADS + "7;1;Fern;food\r\n").encode(), "ours")


HEADS = "era;number;name de;family\r\n"
GERMAN = HEADS + "1;1;Höhle;food\r\n1;2;Jäger;tools\r\n1;3;Stein;tools\r\n1;4;Großwild;food\r\n"


def readings(content: bytes) -> dict[str, tuple[str, ...]]:
    """What is asked of a file's owner: its first words, by encoding."""
    with pytest.raises(AlphabetUnknown) as asked:
        from_csv(content, "ours")
    return dict(asked.value.readings)


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"PK\x03\x04\x14\0\x06\0\x08\0[Content_Types].xml" + bytes(range(256)), "Excel, LibreOffice or Numbers"),
        (bytes.fromhex("d0cf11e0a1b11ae1") + bytes(600), "Excel, LibreOffice or Numbers"),
        (b"\r\n <!DOCTYPE html><table><tr><td>era</td><td>number</td></tr></table>", "HTML"),
        (b"<html xmlns:x=urn:schemas-microsoft-com:office:excel>", "HTML"),
        (b"\xef\xbb\xbf<?xml version='1.0'?><Workbook/>", "XML"),
        (b"{\\rtf1\\ansi era;number}", "RTF"),
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3", "PDF"),
    ],
)
def test_a_spreadsheet_that_was_not_saved_as_csv_is_told_by_what_it_is(content: bytes, kind: str) -> None:
    assert faults(content) == [
        f"this is no CSV ({kind}); open it in a spreadsheet program, and save it there as CSV in UTF-8"
    ]


@pytest.mark.parametrize("encoding", ["mac_roman", "cp1252", "cp1250", "cp850", "iso8859_15"])
def test_an_alphabet_that_no_byte_names_is_asked_with_the_first_names_in_each(encoding: str) -> None:
    """A sheet saved by Excel for Mac, read as Windows writes it, gave "Hšhle", "JŠger" and "Gro§wild"."""
    asked = readings(GERMAN.encode(encoding))
    assert ("Höhle", "Jäger", "Großwild") in asked.values()
    assert len(set(asked.values())) == len(asked) >= 2
    right = next(name for name, words in asked.items() if words[0] == "Höhle")
    read = from_csv(GERMAN.encode(encoding), "ours", right)
    assert [card["name"]["de"] for card in read["card"]] == ["Höhle", "Jäger", "Stein", "Großwild"]


@pytest.mark.parametrize(
    ("encoding", "words"),
    [("cp1251", ("Пещера", "Охотник")), ("cp1253", ("Σπήλαιο", "Κυνηγός")), ("cp932", ("洞窟", "狩人"))],
)
def test_other_peoples_alphabets_are_among_those_that_are_asked(encoding: str, words: tuple[str, ...]) -> None:
    rows = "".join(f"1;{number};{word};food\r\n" for number, word in enumerate(words, 1))
    assert words in readings((HEADS + rows).encode(encoding)).values()


def test_an_alphabet_that_was_named_is_used_and_unicode_needs_none() -> None:
    western = GERMAN.encode("cp1252")
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        assert from_csv(GERMAN.encode(encoding), "ours") == from_csv(western, "ours", "cp1252")
    assert faults(western, "utf-8") == ["this is no text in utf-8; save the spreadsheet as CSV in UTF-8"]
    assert faults(western, "klingon")[0].startswith('"klingon" is not an encoding that I know; name one of cp1252')
    assert from_csv(GERMAN.encode("utf-16"), "ours", "cp1252") == from_csv(GERMAN.encode(), "ours")


@pytest.mark.parametrize(("encoding", "half"), [("utf-7", b"+2AA-"), ("unicode_escape", rb"\ud800")])
def test_half_of_a_sign_is_no_text_in_whatever_it_was_written(encoding: str, half: bytes) -> None:
    content = b"era;number;name en;family\r\n1;1;" + half + b";food\r\n"
    assert faults(content, encoding) == [f"this is no text in {encoding}; save the spreadsheet as CSV in UTF-8"]


def test_french_heads_alone_are_asked_about_too() -> None:
    asked = readings("ère;numéro;nom\n1;1;Feu\n".encode("cp1252"))
    assert ("ère", "numéro") in asked.values()


IN_CELLS = ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\n", "\r", "\r\n"]


@pytest.mark.parametrize("sign", IN_CELLS, ids=ascii)
def test_whatever_ends_a_line_elsewhere_stays_in_its_cell_and_rows_are_counted_as_people_see_them(sign: str) -> None:
    text = f'era,number,name,family\r\n1,1,"Fire{sign}place",food\r\n\r\n1,2,Band,fodo\r\n'
    assert faults(text) == [
        f'row 4: "fodo" is no family; there are: {", ".join(FAMILIES)}. Did you mean food?',
    ]
    good = from_csv(text.replace("fodo", "food").encode(), "ours")
    assert good["card"][0]["name"] == {"en": f"Fire{sign}place"}


@pytest.mark.parametrize("sign", IN_CELLS, ids=ascii)
def test_a_list_in_a_cell_may_have_its_parts_on_lines_of_any_kind(sign: str) -> None:
    text = f'era,number,name,prerequisites\r\n1,1,Fire,none\r\n1,2,Band,none\r\n2,1,Iron,"Fire{sign}Band"\r\n'
    assert from_csv(text.encode(), "ours")["card"][2]["prerequisites"] == ["1-1", "1-2"]


def test_all_faults_of_a_spreadsheet_are_named_at_once_each_with_its_row_and_the_likely_slip() -> None:
    said = faults(
        "era,number,name,famly,family,prerequisites\n"
        "1,1,Band,,fodo,none\n"
        "1,1,Fire,,food,Bnad\n"
        "7,1,Iron,,food,2-Jan\n"
        "1,3,Dog,,food,01/02/2026\n"
    )
    assert said == [
        '"famly" is no column of a deck. Did you mean family?',
        "row 3: card 1-1 is in row 2 already",
        "row 4: a card has an era from 1 to 6 and a number from 1 to 9",
        f'row 2: "fodo" is no family; there are: {", ".join(FAMILIES)}. Did you mean food?',
        'row 3: "Bnad" is no card of this deck. Did you mean 1-1?',
        'row 4: "2-Jan" is a date that the spreadsheet made of a number; write #1-2, or the name. '
        "Did you mean 2-1 / 1-2?",
        'row 5: "01/02/2026" is a date that the spreadsheet made of a number; write #1-2, or the name. '
        "Did you mean 1-2 / 2-1?",
    ]


@pytest.mark.parametrize(
    "content", [b"", b"\xef\xbb\xbf", b"\x81\x8d", b'era,number\n"', b"a;b\n1;2", b"\0" * 9, b"\xff\xfe\xff"]
)
def test_what_is_no_spreadsheet_of_a_deck_is_a_sentence(content: bytes) -> None:
    assert faults(content)


@given(st.binary(max_size=200))
def test_whatever_a_file_holds_it_is_a_deck_or_an_input_error(content: bytes) -> None:
    for start in (b"", b"era,number,name,prerequisites\n1,2,", "ère;numéro;nom\n".encode()):
        try:
            wrong = check(from_csv(start + content, "ours"))[0]
        except InputError as refused:
            wrong = refused.faults
        assert wrong, "so few rows are no deck"
        assert all(fault.what for fault in wrong)


# -- the difference of two decks


def test_a_difference_is_said_card_by_card_and_the_order_of_rows_says_nothing() -> None:
    other = copy.deepcopy(DEMO)
    other["card"].reverse()
    for card in other["card"]:
        card["prerequisites"].reverse()
    assert list(differences(DEMO, other)) == []
    by_id = {card["id"]: card for card in other["card"]}
    by_id["1-8"]["prerequisites"] = ["1-2"]
    by_id["1-8"]["name"]["fr"] = "La chasse"
    del by_id["2-3"]["family"]
    other["card"].remove(by_id["6-9"])
    found = [(one.where, *one.words()) for one in differences(DEMO, other)]
    assert [row for row in found if row[0] != "6-9"] == [
        ("1-8 name.fr", "Chasse", "La chasse"),
        ("1-8 prerequisites", "1-2, 1-5", "1-2"),
        ("2-3 family", "techniques", "–"),
    ]
    assert [where for where, _, after in found if after == "–"] == ["2-3 family", "6-9"]
