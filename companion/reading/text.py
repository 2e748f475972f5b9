"""Reads text, JSON and TOML within limits."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import NoReturn

from companion.errors import InputError, fault
from companion.public.text import JSON

MOST_TOML_BYTES = 128_000
"""A deck with all its names has 9 kB."""
MOST_JSON_BYTES = 1_000_000
"""For one value: a line of a record, a file in a bundle. A record's first line, with the deck, has 12 kB."""
MOST_RECORD_BYTES = 8_000_000
"""A long evening's record has 0.3 MB."""
MOST_ENTRIES = 4000
"""A long match has 400."""
MOST_DEPTH = 32
"""For nested lists and tables, and for the parts of a dotted key."""
MOST_HOLDERS = 100_000
"""Lists and tables in one text: each takes as long to build as thirty plain values. A long match has 8,000."""
MOST_DIGITS = 18
"""For a whole number: what 64 bits hold."""
MOST_KEY_CHARACTERS = 200


def read_text(path: Path, most: int) -> str:
    """A text file's content, with line feeds as line ends and without a byte order mark.

    Raises:
        InputError: It does not exist, has more than ``most`` bytes, or is not UTF-8 text.
    """
    try:
        with path.open("rb") as file:
            content = file.read(most + 1)
        if len(content) > most:
            raise InputError(f"{path}: holds more than {_size(most)}, which is the most that is read of such a file")
        return content.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file") from None
    except InputError:
        raise
    except OSError as wrong:
        raise InputError(f"{path}: cannot be read ({wrong.strerror})") from wrong
    except ValueError as wrong:
        raise InputError(f"{path}: cannot be read as UTF-8 text ({wrong})") from wrong


def _size(count: int) -> str:
    return f"{count // 1_000_000} MB" if count >= 1_000_000 else f"{count // 1000} kB"


def parse_json(content: str | bytes, most: int = MOST_JSON_BYTES) -> JSON:
    """Parse a JSON value.

        >>> parse_json('{"turn": 2}')
        {'turn': 2}

    Args:
        content: As text, or as UTF-8.
        most: The most bytes allowed.

    Raises:
        InputError: It is not JSON, or breaks a limit; the sentence does not name the source.
    """
    if len(content) > most:
        raise InputError(fault("input.fault.size", "it is longer than {most}; shorten it", most=_size(most)))
    try:
        text = content.decode("utf-8-sig") if isinstance(content, bytes) else content
        check_holders(text)
        integer = _integer if _LONG.search(text) else None  # Python's own parser is far quicker
        value = json.loads(text, parse_constant=_no_number, parse_int=integer, parse_float=_float)
    except InputError:
        raise
    except RecursionError:
        raise _too_deep() from None
    except UnicodeDecodeError:
        raise InputError(fault("input.fault.not_text", "it is no UTF-8 text")) from None
    except ValueError as wrong:
        why = f"{wrong.msg} (column {wrong.colno})" if isinstance(wrong, json.JSONDecodeError) else str(wrong)
        raise InputError(fault("input.fault.json", "this is not JSON: {why}", why=why)) from wrong
    check_form(value, numbers=False)
    if _HALF.search(text):
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise InputError(
                fault("input.fault.half", "a character is only half there (\\ud800 to \\udfff come in pairs)")
            ) from None
    return value


def check_holders(text: str) -> None:
    """Refuse JSON, or lines of it, with too many lists and tables.

    Raises:
        InputError: It has more than ``MOST_HOLDERS``.
    """
    if _brackets(text) <= MOST_HOLDERS or _brackets(_STRINGS.sub("", text)) <= MOST_HOLDERS:
        return
    sentence = "it holds more than {most} lists and tables; the companion reads no more"
    raise InputError(fault("input.fault.holders", sentence, most=MOST_HOLDERS))


def _brackets(text: str) -> int:
    return text.count("[") + text.count("{")


_STRINGS = re.compile(r'"(?:[^"\\]|\\.)*+"')
_LONG = re.compile(rf"[0-9]{{{MOST_DIGITS + 1}}}")
_HALF = re.compile(r"\\u[dD][89a-fA-F]")


def parse_toml(text: str) -> dict[str, JSON]:
    """Parse a TOML file's content.

        >>> parse_toml("title = 'Mine'")
        {'title': 'Mine'}

    Raises:
        InputError: It is not TOML, or breaks a limit; the sentence does not name the source.
    """
    if len(text) > MOST_TOML_BYTES:
        raise InputError(fault("input.fault.size", "it is longer than {most}; shorten it", most=_size(MOST_TOML_BYTES)))
    bare = _APART.sub('"', text)
    # tomllib's time and memory grow with the square of a key's parts, so they are counted first.
    if any(run.count(".") >= MOST_DEPTH for run in _RUNS.split(bare) if len(run) > MOST_DEPTH):
        raise _too_deep()
    try:
        value = tomllib.loads(text, parse_float=_float)
    except InputError:
        raise
    except RecursionError:
        raise _too_deep() from None
    except tomllib.TOMLDecodeError as wrong:
        raise InputError(fault("input.fault.toml", "this is not TOML: {why}", why=_short(str(wrong)))) from wrong
    except ValueError as wrong:  # Python's own limit of digits, or an impossible date
        if "digits" in str(wrong):
            raise _too_many_digits() from wrong
        raise InputError(fault("input.fault.toml", "this is not TOML: {why}", why=_short(str(wrong)))) from wrong
    check_form(value, numbers=True)
    return value


_APART = re.compile(r'"""[\s\S]*?"""|\'\'\'[\s\S]*?\'\'\'|"(?:[^"\\\n]|\\.)*+"|\'[^\'\n]*+\'|#[^\n]*+')
"""Strings and comments of TOML."""
_RUNS = re.compile(r"[,=\[\]{}\n]")


def _short(why: str) -> str:
    return why if len(why) <= 200 else f"{why[:160]}…{why[-30:]}"


def check_form(value: JSON, *, numbers: bool) -> None:
    """Refuse values that are nested too deeply or have too long keys; with ``numbers`` also too large whole numbers.

    Raises:
        InputError: It breaks a limit.
    """
    holders = [value] if isinstance(value, dict | list) else []
    for _ in range(MOST_DEPTH):
        held: list[JSON] = []
        for holder in holders:
            if isinstance(holder, dict):
                if any(len(key) > MOST_KEY_CHARACTERS for key in holder):
                    sentence = "a key has more than {most} characters; shorten it"
                    raise InputError(fault("input.fault.key", sentence, most=MOST_KEY_CHARACTERS))
                values = list(holder.values())
            else:
                values = holder
            if numbers and any(type(item) is int and abs(item) >= 10**MOST_DIGITS for item in values):
                raise _too_many_digits()
            held += [item for item in values if type(item) is dict or type(item) is list]
        holders = held
        if not holders:
            return
    raise _too_deep()


def _integer(digits: str) -> int:
    if len(digits) > MOST_DIGITS and len(digits.lstrip("-")) > MOST_DIGITS:
        raise _too_many_digits()
    return int(digits)


def _float(digits: str) -> float:
    value = float(digits)
    if value - value != 0:
        _no_number(digits)
    return value


def _no_number(digits: str) -> NoReturn:
    raise InputError(fault("input.fault.number", "{value} is no number that can be counted with", value=_short(digits)))


def _too_deep() -> InputError:
    sentence = "it is nested more than {most} levels deep; write it flatter"
    return InputError(fault("input.fault.deep", sentence, most=MOST_DEPTH))


def _too_many_digits() -> InputError:
    sentence = "a whole number has more than {most} digits; write a smaller one"
    return InputError(fault("input.fault.digits", sentence, most=MOST_DIGITS))
