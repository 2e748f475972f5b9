"""A deck as a spreadsheet (CSV) and back, for people who prefer Excel or LibreOffice.

The form avoids what spreadsheets do to cells. ``1-8`` would become the first of August: era and number have separate
columns, and prerequisites are written ``1-2 Band; 1-5 Scavenging``. A cell that begins like a formula gets an
apostrophe. A file is written in UTF-8 with a byte order mark, which Excel needs. UTF-8 and UTF-16 are read, with all
separators that spreadsheets write. For any other alphabet no byte says which one it is, so people are asked.
"""

from __future__ import annotations

import csv
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress

from companion.errors import Fault, InputError, fault, shortened
from companion.games.discovery.deck import (
    EVERY_ERA,
    FAMILIES,
    FAMILY_NAMES,
    IDS,
    PER_ERA,
    card_meant,
    family_meant,
    id_meant,
    is_id,
)
from companion.games.game_module import AlphabetUnknown
from companion.public.decks import LANGUAGE
from companion.public.slips import nearest, plain_letters
from companion.public.text import JSON, Text

SEPARATORS = {"en": ",", "fr": ";"}
"""A French Excel reads semicolons, because its decimal separator is a comma."""
MOST_ABOVE = 10
"""Rows in which the headings are looked for."""
MOST_ROWS = 200

HEADS = {
    "era": ("era", "ère"),
    "number": ("number", "numéro"),
    "family": ("family", "famille"),
    "prerequisites": ("prerequisites", "prérequis"),
    "source": ("source", "source"),
}
"""What each column is called in English and in French; a name's column is ``name fr`` or ``nom fr``."""
NAME_WORDS = ("name", "nom")
NONE_WORDS = {"en": "none", "fr": "aucun"}
NOTHING = {*NONE_WORDS.values(), "aucune", "nothing", "keine", "no", "0", "-", "–", "—", "[]", "x"}
"""What people write if a card has no prerequisites; an empty cell means not entered."""

ALPHABETS = ("cp1252", "mac_roman", "cp1250", "cp1251", "cp1253", "cp850", "cp932", "gb18030")
"""The encodings that are offered, as Python calls them: what Excel writes in Western and Central Europe on Windows and
on a Mac, in Cyrillic, in Greek, from DOS, in Japanese and in Chinese."""
SHOWN_WORDS = 3
_MARKS = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe\0\0", "utf-32"),
    (b"\0\0\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_NO_CSV = (
    (b"PK\x03\x04", "Excel, LibreOffice or Numbers"),
    (b"\xd0\xcf\x11\xe0", "Excel, LibreOffice or Numbers"),
    (b"<?xml", "XML"),
    (b"<", "HTML"),
    (b"{\\rtf", "RTF"),
    (b"%PDF", "PDF"),
)
"""How files begin that people take for CSV, and what they are."""
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
"""A line of a file. Python would end lines at other signs too, which may stand in a cell."""
_IN_CELL = "\n\r\v\f\x1c-\x1e\x85\u2028\u2029"
"""What may end a line within a cell."""
_CONTROL = re.compile(r"[\0-\x08\x0e-\x1b\x7f]")

_FORMULA = re.compile(r"'*[=+\-@＝＋－＠\t\r\n]")
_LINE_ENDS = "\r\n"


def to_csv(document: JSON, language: str) -> bytes:
    """A deck as a spreadsheet, a row for each of the 54 cards, entered or not.

    Args:
        document: A deck file as JSON, faulty or not.
        language: ``en`` or ``fr``: of the headings and the separator.
    """
    french = language == "fr"
    rows = {row["id"]: row for row in _rows(document) if is_id(row.get("id"))}
    languages = dict.fromkeys(
        ("en", "fr", *(key for row in rows.values() for key in _names(row) if LANGUAGE.fullmatch(key)))
    )
    heads = {key: pair[french] for key, pair in HEADS.items()}
    name = NAME_WORDS[french]
    names_heads = (f"{name} {key}" for key in languages)
    table = [[heads["era"], heads["number"], *names_heads, heads["family"], heads["prerequisites"], heads["source"]]]
    for card in sorted(IDS):
        row = rows.get(card, {})
        called = (str(_names(row).get(key, "")) for key in languages)
        family = str(row.get("family", ""))
        spoken = FAMILY_NAMES.get(family, {}).get(language, family)
        needs = _needs(row, rows, language)
        table.append([card[0], card[2], *called, spoken, needs, str(row.get("source", ""))])
    separator = SEPARATORS[language]
    text = "".join(separator.join(_quoted(cell) for cell in cells) + _LINE_ENDS for cells in table)
    return text.encode("utf-8-sig", "replace")


def _rows(document: JSON) -> Iterator[Mapping[str, JSON]]:
    cards = document.get("card") if isinstance(document, Mapping) else None
    yield from (row for row in cards if isinstance(row, Mapping)) if isinstance(cards, list) else ()


def _names(row: Mapping[str, JSON]) -> Mapping[str, JSON]:
    names = row.get("name")
    return names if isinstance(names, Mapping) else {}


def _needs(row: Mapping[str, JSON], rows: Mapping[str, Mapping[str, JSON]], language: str) -> str:
    needs = row.get("prerequisites")
    if not isinstance(needs, list):
        return ""
    return (
        "; ".join(_need(str(need), _names(rows.get(str(need), {})), language) for need in needs) or NONE_WORDS[language]
    )


def _need(card: str, names: Mapping[str, JSON], language: str) -> str:
    """A card by number and name. A number alone gets a ``#``, or it would become a date; so does one whose name would
    look like a list."""
    name = names.get(language) or names.get("en") or next(iter(names.values()), "")
    return f"#{card}" if not name or re.search(r"[;,/\n]", str(name)) else f"{card} {name}"


def _quoted(cell: str) -> str:
    safe = f"'{cell}" if _FORMULA.match(cell) else cell
    return '"' + safe.replace('"', '""') + '"' if re.search(r'[",;\t\r\n]|^\s|\s$', safe) else safe


def from_csv(content: bytes, name: str, encoding: str = "") -> JSON:
    """A deck file as JSON from a spreadsheet.

    Args:
        content: The file as a spreadsheet program wrote it.
        name: The name of the deck.
        encoding: That of a file which is neither UTF-8 nor UTF-16, as Python calls it: ``cp1252``.

    Raises:
        AlphabetUnknown: It is needed and was not named.
        InputError: All faults, each with its row.
    """
    lines = _table(_decoded(content, encoding))
    if not lines:
        raise InputError(fault("csv.fault.empty", "the spreadsheet is empty; write one with a row for each card"))
    faults: list[Fault] = []
    columns = _columns(lines[0][1], faults)
    cards = []
    for number, cells in lines[1:]:
        row = {key: _unescaped(cells[place].strip()) for place, key in columns.items() if place < len(cells)}
        if any(row.values()):
            cards.append((number, row))
    if len(cards) > MOST_ROWS:
        raise InputError(fault("csv.fault.rows", "{count} rows are too many: a deck has 54 cards", count=len(cards)))
    ids = _ids(cards, faults)
    names = {
        plain_letters(value): card
        for (_, row), card in zip(cards, ids, strict=True)
        if card
        for key, value in row.items()
        if key.startswith("name ") and value
    }
    read = [_card(number, row, card, names, faults) for (number, row), card in zip(cards, ids, strict=True)]
    if faults:
        raise InputError(*faults)
    order = sorted(read, key=lambda card: str(card["id"]))
    return {"deck": {"name": name, "edition": "own"}, "card": order}


def _decoded(content: bytes, encoding: str) -> str:
    head = content[:64].removeprefix(b"\xef\xbb\xbf").lstrip()
    if kind := next((kind for begins, kind in _NO_CSV if head.startswith(begins)), None):
        sentence = "this is no CSV ({kind}); open it in a spreadsheet program, and save it there as CSV in UTF-8"
        raise InputError(fault("csv.fault.kind", sentence, kind=kind))
    named = next((kind for mark, kind in _MARKS if content.startswith(mark)), encoding)
    if not named and _unicode(content) == "utf-8":
        content = content.rstrip(b"\0\x1a")  # an old program's end of file, or a stick's that was pulled
    try:
        text = content.decode(named or _unicode(content))
        text.encode()  # half of a sign, which some encodings can write, is in no text
    except LookupError:
        sentence = '"{word}" is not an encoding that I know; name one of {known}'
        raise InputError(fault("csv.fault.no_encoding", sentence, word=named, known=", ".join(ALPHABETS))) from None
    except UnicodeError:
        if named:
            sentence = "this is no text in {encoding}; save the spreadsheet as CSV in UTF-8"
            raise InputError(fault("csv.fault.not_encoding", sentence, encoding=named)) from None
        raise _asked(content) from None
    return text.removeprefix("\ufeff")


def _unicode(content: bytes) -> str:
    """The kind of Unicode of a file without a mark: no text has the sign 0, so that is half of a letter."""
    if b"\0" not in content.rstrip(b"\0"):
        return "utf-8"
    return "utf-16-le" if content[1::2].count(0) > content[::2].count(0) else "utf-16-be"


def _asked(content: bytes) -> InputError:
    """The question in which alphabet a file is, with its first words in each that is possible."""
    readings: dict[tuple[str, ...], str] = {}
    for encoding in ALPHABETS:
        try:
            text = content.decode(encoding)
            lines = _table(text)
        except (UnicodeError, InputError):
            continue
        columns = _columns(lines[0][1], []).values() if lines else ()
        if {"era", "number"} <= {*columns} and not _CONTROL.search(text):
            cells = [cell.strip() for _, row in (*lines[1:], lines[0]) for cell in row if not cell.isascii()]
            readings.setdefault(tuple(shortened(cell, 40) for cell in dict.fromkeys(cells))[:SHOWN_WORDS], encoding)
    if not readings:
        return InputError(fault("csv.fault.encoding", "this is no text; save the spreadsheet as CSV in UTF-8"))
    shown = "; ".join(f"{encoding}: {', '.join(words)}" for words, encoding in readings.items())
    sentence = "this is not UTF-8, and nothing in it says which alphabet it is in ({shown})"
    question = fault("csv.fault.alphabet", sentence, shown=shown)
    return AlphabetUnknown(question, {encoding: words for words, encoding in readings.items()})


def _table(text: str) -> list[tuple[int, list[str]]]:
    """The rows with their numbers in the spreadsheet, from the headings on, whatever title stands above them.

    The separator is the one by which there are headings, else the most frequent one in the first row.
    """
    lines = _LINE.findall(text)
    if lines and re.fullmatch(r'"?sep=."?\s*', lines[0], re.IGNORECASE):
        lines = lines[1:]
    head = next((line for line in lines if line.strip()), "")
    for separator in sorted(",;\t", key=head.count, reverse=True):
        with suppress(csv.Error):
            rows = _cells(lines, separator)
            for place, (_, row) in enumerate(rows[:MOST_ABOVE]):
                if {"era", "number"} <= {*_columns(row, []).values()}:
                    return rows[place:]
    try:
        return _cells(lines, max(",;\t", key=head.count))
    except csv.Error as wrong:
        raise InputError(
            fault("csv.fault.form", "this is no CSV ({why}); save the spreadsheet as CSV", why=str(wrong))
        ) from None


def _cells(lines: Sequence[str], separator: str) -> list[tuple[int, list[str]]]:
    """The rows that are not empty; raises ``csv.Error``."""
    rows = csv.reader(lines, delimiter=separator, strict=True, skipinitialspace=True)
    return [(number, row) for number, row in enumerate(rows, 1) if any(cell.strip() for cell in row)]


def _unescaped(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell


def _columns(head: Sequence[str], faults: list[Fault]) -> dict[int, str]:
    """The content of each column: a key of a card, or ``name`` with its language."""
    words = {plain_letters(word): key for key, pair in HEADS.items() for word in pair}
    columns: dict[int, str] = {}
    for place, cell in enumerate(head):
        plain = plain_letters(cell)
        parts = plain.split()
        if plain in words:
            key = words[plain]
        elif parts and parts[0] in NAME_WORDS and len(parts) <= 2:
            language = parts[1] if len(parts) == 2 else {"name": "en", "nom": "fr"}[parts[0]]
            key = f"name {language}"
            if not LANGUAGE.fullmatch(language):
                faults.append(
                    fault("csv.fault.language", '"{word}" is no code of a language: en, fr, de …', word=language)
                )
        elif plain:
            faults.append(_meant_column(cell, words))
            continue
        else:
            continue
        if key in columns.values():
            faults.append(
                fault("csv.fault.column_twice", 'the column "{word}" is there twice', word=shortened(cell, 40))
            )
        columns[place] = key
    missing = [key for key in ("era", "number") if key not in columns.values()]
    faults.extend(fault("csv.fault.no_column", 'there is no column "{word}"', word=key) for key in missing)
    return columns


def _meant_column(cell: str, words: Mapping[str, str]) -> Fault:
    unknown = fault("csv.fault.column", '"{word}" is no column of a deck.', word=shortened(cell.strip(), 40))
    return _meant(unknown, nearest(cell, (*words, *NAME_WORDS)))


def _ids(cards: Sequence[tuple[int, Mapping[str, str]]], faults: list[Fault]) -> list[str]:
    """The card of each row; empty if it is missing."""
    ids: list[str] = []
    seen: dict[str, int] = {}
    for number, row in cards:
        card = f"{_whole(row.get('era', ''))}-{_whole(row.get('number', ''))}"
        if card not in IDS:
            last, most = EVERY_ERA[-1], PER_ERA
            message = "row {row}: a card has an era from 1 to {last} and a number from 1 to {most}"
            faults.append(fault("csv.fault.card", message, row=number, last=last, most=most))
            card = ""
        elif seen.setdefault(card, number) != number:
            message = "row {row}: card {card_id} is in row {other} already"
            faults.append(fault("csv.fault.twice", message, row=number, card_id=card, other=seen[card]))
        ids.append(card)
    return ids


def _whole(cell: str) -> str:
    """A number as spreadsheets and keyboards write it: ``3``, ``3.0``, ``3,0`` or ``３``."""
    return re.sub(r"[.,]0+$", "", "".join(str(unicodedata.decimal(sign, sign)) for sign in cell))


def _card(
    number: int, row: Mapping[str, str], card: str, names: Mapping[str, str], faults: list[Fault]
) -> dict[str, JSON]:
    made: dict[str, JSON] = {"id": card}
    called = {key.removeprefix("name "): cell for key, cell in row.items() if key.startswith("name ") and cell}
    if called:
        made["name"] = called
    if family := row.get("family"):
        families = {plain_letters(word): key for key, words in FAMILY_NAMES.items() for word in (key, *words.values())}
        if plain_letters(family) in families:
            made["family"] = families[plain_letters(family)]
        else:
            sentence = 'row {row}: "{word}" is no family; there are: {known}.'
            unknown = fault(
                "csv.fault.family", sentence, row=number, word=shortened(family, 40), known=", ".join(FAMILIES)
            )
            faults.append(_meant(unknown, family_meant(family)))
    if needs := row.get("prerequisites"):
        made["prerequisites"] = [] if needs.casefold() in NOTHING else _read_needs(number, needs, names, faults)
    if source := row.get("source"):
        made["source"] = source
    return made


_NUMBER_FIRST = re.compile(r"#?([1-6]-[1-9])(?:\s.*)?", re.DOTALL)


def _read_needs(number: int, cell: str, names: Mapping[str, str], faults: list[Fault]) -> list[str]:
    """Prerequisites by number, by name, or by both; commas, semicolons, slashes and new lines separate them."""
    needs: list[str] = []
    for part in _parts(cell, names):
        if match := _NUMBER_FIRST.fullmatch(part):
            needs.append(match[1])
        elif (card := names.get(plain_letters(part)) or id_meant(part)) is not None:
            needs.append(card)
        elif (month_day := _date(part)) is not None:
            message = 'row {row}: "{word}" is a date that the spreadsheet made of a number; write #1-2, or the name.'
            faults.append(_meant(fault("csv.fault.date", message, row=number, word=part), month_day))
        else:
            message = 'row {row}: "{word}" is no card of this deck.'
            unknown = fault("csv.fault.need", message, row=number, word=shortened(part, 60))
            faults.append(_meant(unknown, card_meant(part, names)))
    return sorted(dict.fromkeys(needs))


def _parts(cell: str, names: Mapping[str, str]) -> list[str]:
    """The cards of a list; a name may contain a comma itself."""
    if plain_letters(cell) in names or _date(cell) is not None:
        return [cell]
    split = re.split(f"[;{_IN_CELL}]" if re.search(f"[;{_IN_CELL}]", cell) else r"[,/]", cell)
    return [part.strip() for part in split if part.strip()]


_MONTHS = ("jan", "fe[bv]", "mar", "a[pv]r", "ma[iy]", "ju(?:n|in)", "jui?l", "ao?u[gt]?", "sep")
_DATES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], tuple[int, int]]], ...] = (
    (re.compile(r"(\d{1,2})[/.\-](\d{1,2})[/.\-]\d{2,4}"), lambda match: (int(match[1]), int(match[2]))),
    (re.compile(r"\d{4}-(\d\d)-(\d\d)(?: 00:00:00)?"), lambda match: (int(match[2]), int(match[1]))),
)


def _date(part: str) -> str | None:
    """The possible cards of a date, ``2-1 or 1-2``; ``None`` if it is not a date."""
    plain = plain_letters(part)
    for number, month in enumerate(_MONTHS, 1):
        if match := re.fullmatch(rf"(?:(\d{{1,2}}) {month}[a-z]*|{month}[a-z]* (\d{{1,2}}))(?: \d{{2,4}})?", plain):
            return _either(int(match[1] or match[2]), number)
    for pattern, read in _DATES:
        if match := pattern.fullmatch(part):
            return _either(*read(match))
    return None


def _either(one: int, other: int) -> str:
    cards = dict.fromkeys(card for card in (f"{one}-{other}", f"{other}-{one}") if card in IDS)
    return " / ".join(cards) or "?"


def _meant(wrong: Fault, meant: str | None) -> Fault:
    if meant is None:
        return wrong
    params = {"fault": Text(wrong.key, dict(wrong.params)), "meant": meant}
    return Fault(f"{wrong.what} Did you mean {meant}?", (), "deck.fault.meant", params)
