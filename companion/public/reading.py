"""Reads what comes from outside, within limits: text, JSON, TOML, zips and the headers of pictures.

Whatever breaks a limit is refused in one sentence, before it can cost much time or memory. The limits stand in
docs/contract.md, section 10.
"""

from __future__ import annotations

import json
import re
import struct
import tomllib
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn

from companion.errors import InputError, fault
from companion.public.text import JSON

MOST_TOML_BYTES = 128_000
"""A deck with all its names has 9 kB."""
MOST_JSON_BYTES = 1_000_000
"""Of one value: a line of a record, a file in a bundle. A record's first line, deck included, has 12 kB."""
MOST_RECORD_BYTES = 8_000_000
"""A long evening's record has 0.3 MB."""
MOST_ENTRIES = 4000
"""A long match has 400."""
MOST_DEPTH = 32
"""Lists and tables inside each other, and parts of a dotted key."""
MOST_HOLDERS = 100_000
"""Lists and tables in one text: each takes as long to make as thirty plain values. A long match's record has 8,000."""
MOST_DIGITS = 18
"""Of a whole number: what 64 bits hold."""
MOST_KEY_CHARACTERS = 200
MOST_PICTURE_PX = 100_000_000

MOST_ZIP_BYTES = 200_000_000
"""Of a zip, and of all that is taken out of it."""
MOST_MEMBER_BYTES = 20_000_000
"""The most that a file in a zip may unpack to; a picture has 0.2 MB."""
MOST_MEMBERS = 2000
MOST_DIRECTORY_BYTES = 1_000_000
"""Of a zip's list of contents."""


def read_text(path: Path, most: int) -> str:
    """A text file's content, its lines ended by line feeds, without the mark that Windows puts at its beginning.

    Raises:
        InputError: It is not there, holds more than ``most`` bytes, or is no UTF-8 text.
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
    """A JSON value.

    Args:
        content: As text, or as UTF-8.
        most: The most bytes that are read.

    Raises:
        InputError: It is no JSON, or breaks a limit; the sentence does not say where the text came from.
    """
    if len(content) > most:
        raise InputError(fault("input.fault.size", "it is longer than {most}; shorten it", most=_size(most)))
    try:
        text = content.decode("utf-8-sig") if isinstance(content, bytes) else content
        check_holders(text)
        integer = _integer if _LONG.search(text) else None  # Python's own is far quicker
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
    """Refuse JSON, or lines of it, with more lists and tables than anything has that the companion reads.

    Raises:
        InputError: It has.
    """
    if _brackets(text) <= MOST_HOLDERS or _brackets(_STRINGS.sub("", text)) <= MOST_HOLDERS:
        return
    sentence = "it holds more than {most} lists and tables, as nothing does that the companion reads"
    raise InputError(fault("input.fault.holders", sentence, most=MOST_HOLDERS))


def _brackets(text: str) -> int:
    return text.count("[") + text.count("{")


_STRINGS = re.compile(r'"(?:[^"\\]|\\.)*+"')
_LONG = re.compile(rf"[0-9]{{{MOST_DIGITS + 1}}}")
_HALF = re.compile(r"\\u[dD][89a-fA-F]")


def parse_toml(text: str) -> dict[str, JSON]:
    """A TOML file's content.

    Raises:
        InputError: It is no TOML, or breaks a limit; the sentence does not say where the text came from.
    """
    if len(text) > MOST_TOML_BYTES:
        raise InputError(fault("input.fault.size", "it is longer than {most}; shorten it", most=_size(MOST_TOML_BYTES)))
    bare = _APART.sub('"', text)
    # tomllib takes time and memory with the square of a key's parts: they are counted before it sees them.
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
    except ValueError as wrong:  # Python's own limit of digits, or a date that no calendar has
        if "digits" in str(wrong):
            raise _too_many_digits() from wrong
        raise InputError(fault("input.fault.toml", "this is not TOML: {why}", why=_short(str(wrong)))) from wrong
    check_form(value, numbers=True)
    return value


_APART = re.compile(r'"""[\s\S]*?"""|\'\'\'[\s\S]*?\'\'\'|"(?:[^"\\\n]|\\.)*+"|\'[^\'\n]*+\'|#[^\n]*+')
"""Texts and comments of TOML."""
_RUNS = re.compile(r"[,=\[\]{}\n]")


def _short(why: str) -> str:
    return why if len(why) <= 200 else f"{why[:160]}…{why[-30:]}"


def check_form(value: JSON, *, numbers: bool) -> None:
    """Refuse what is nested too deeply, or has keys that are too long; with ``numbers`` also whole numbers.

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
    sentence = "it is nested more than {most} deep, as nothing is that the companion reads; write it flatter"
    return InputError(fault("input.fault.deep", sentence, most=MOST_DEPTH))


def _too_many_digits() -> InputError:
    sentence = "a whole number has more than {most} digits; write a smaller one"
    return InputError(fault("input.fault.digits", sentence, most=MOST_DIGITS))


def read_zip(path: Path, wanted: Callable[[str], bool]) -> dict[str, bytes]:
    """What of a zip is wanted, by name. Nothing is unpacked to disk, and no name in it is used as one.

    Raises:
        InputError: It is no zip, is damaged, or holds what no bundle holds.
    """
    try:
        _check_directory(path)
        with zipfile.ZipFile(path) as archive:
            return dict(_members(path, archive, wanted))
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file") from None
    except InputError:
        raise
    except (
        zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, OSError, struct.error,
        MemoryError,
    ) as wrong:  # fmt: skip
        raise InputError(f"{path}: this is no bundle, or it is damaged ({wrong}); export it again") from wrong
    except Exception as wrong:  # LZMA and bzip2 bring errors of their own
        if type(wrong).__module__ in ("_lzma", "lzma", "_bz2"):
            raise InputError(f"{path}: this is no bundle, or it is damaged ({wrong}); export it again") from wrong
        raise


_END = struct.Struct("<4s4H2LH")


def _check_directory(path: Path) -> None:
    """Refuse a zip whose list of contents is too long to be read.

    Raises:
        InputError: It is, or the zip is too large.
    """
    with path.open("rb") as file:
        size = file.seek(0, 2)
        if size > MOST_ZIP_BYTES:
            raise InputError(f"{path}: holds more than {_size(MOST_ZIP_BYTES)}; no bundle does")
        file.seek(max(0, size - _END.size - 0xFFFF - 20))
        tail = file.read()
    at = len(tail) - _END.size
    if at < 0 or tail[at : at + 4] != b"PK\5\6" or tail[-2:] != b"\0\0":
        at = tail.rfind(b"PK\5\6")
    if at < 0 or len(tail) < at + _END.size:
        return  # no zip at all, which is said by whoever opens it
    _, _, _, _, _, directory, _, _ = _END.unpack_from(tail, at)
    if directory > MOST_DIRECTORY_BYTES or tail[max(0, at - 20) : at].startswith(b"PK\6\7"):
        raise InputError(f"{path}: lists too many files; a bundle has at most {MOST_MEMBERS}")


def _members(path: Path, archive: zipfile.ZipFile, wanted: Callable[[str], bool]) -> Iterator[tuple[str, bytes]]:
    listed = archive.infolist()
    names = [member.filename for member in listed]
    if len(names) > MOST_MEMBERS:
        raise InputError(f"{path}: holds {len(names)} files; a bundle has at most {MOST_MEMBERS}")
    for name in names:
        if name.startswith(("/", "\\")) or ":" in name or ".." in re.split(r"[/\\]", name):
            raise InputError(f"{path}: {_short(repr(name))} leads out of the bundle; no companion made this")
    if len(set(names)) < len(names):
        raise InputError(f"{path}: holds two files of the same name; no companion made this")
    left = MOST_ZIP_BYTES
    for member in listed:
        if not wanted(member.filename):
            continue
        most = min(MOST_MEMBER_BYTES, left)
        with archive.open(member) as opened:  # a header may lie about the size: never read more than allowed
            content = opened.read(most + 1)
        if len(content) > most:
            raise InputError(f"{path}: {member.filename} is too large for a bundle")
        left -= len(content)
        yield member.filename, content


def picture_size(data: bytes) -> tuple[int, int, bool] | None:
    """Width and height of a JPEG, PNG or WebP file as its header has them, and whether it must be decoded whole;
    ``None`` when it is none of them."""
    try:
        if data[:3] == b"\xff\xd8\xff":
            return next(_frames(data))
        if data[:8] == b"\x89PNG\r\n\x1a\n" and data[12:16] == b"IHDR":
            width, height = struct.unpack(">II", data[16:24])
            return width, height, True
        if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
            return *_webp(data), True
    except (struct.error, IndexError, StopIteration):
        pass
    return None


def _frames(data: bytes) -> Iterator[tuple[int, int, bool]]:
    """What the frame headers of a JPEG file say (ITU T.81, B.2.2); only the first counts."""
    at = 2
    while data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF:  # a fill byte
            at += 1
            continue
        length = struct.unpack(">H", data[at + 2 : at + 4])[0]
        if marker in range(0xC0, 0xD0) and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            yield width, height, marker not in (0xC0, 0xC1)
        at += 2 + length


def _webp(data: bytes) -> tuple[int, int]:
    """Canvas or frame of a WebP file (RFC 9649, 2.5 to 2.7)."""
    match data[12:16]:
        case b"VP8X":
            width, height = (1 + int.from_bytes(data[at : at + 3], "little") for at in (24, 27))
            return width, height
        case b"VP8L":
            bits = struct.unpack("<I", data[21:25])[0]
            return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
        case b"VP8 ":
            width, height = struct.unpack("<HH", data[26:30])
            return width & 0x3FFF, height & 0x3FFF
        case _:
            raise IndexError
