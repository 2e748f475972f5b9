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
from itertools import islice
from pathlib import Path
from typing import BinaryIO, NoReturn

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
MOST_SCANS = 32
"""Of a JPEG file: each goes over the whole picture once more. A progressive one has some ten."""
MOST_SEGMENTS = 2000
"""Of a JPEG file; a phone writes some thirty."""

MOST_ZIP_BYTES = 200_000_000
"""Of a zip, and of all that is taken out of it."""
MOST_MEMBER_BYTES = 20_000_000
"""The most that a file in a zip may unpack to; a picture has 0.2 MB."""
MOST_MEMBERS = 2000
PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""What else a zip may use can ask for gigabytes of memory by a few bytes."""
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


_END, _LONG_END, _LOCATOR = struct.Struct("<4s4H2LH"), struct.Struct("<4sQ2H2L4Q"), struct.Struct("<4sLQL")


def list_bytes(file: BinaryIO) -> int:
    """How long a zip's list of contents is, which is read as a whole by whoever opens the zip; 0 = it is no zip."""
    size = file.seek(0, 2)
    begins = max(0, size - _END.size - 0xFFFF - _LOCATOR.size - _LONG_END.size)
    file.seek(begins)
    tail = file.read()
    at = len(tail) - _END.size
    if at < 0 or tail[at : at + 4] != b"PK\5\6" or tail[-2:] != b"\0\0":
        at = tail.rfind(b"PK\5\6")
    if at < 0 or len(tail) < at + _END.size:
        return 0
    lengths = [_END.unpack_from(tail, at)[5]]
    if tail[max(0, at - _LOCATOR.size) : at].startswith(b"PK\6\7"):  # a large one: the numbers stand somewhere else
        for there in (_LOCATOR.unpack_from(tail, at - _LOCATOR.size)[2], begins + at - _LOCATOR.size - _LONG_END.size):
            if 0 <= there <= size - _LONG_END.size:
                file.seek(there)
                lengths.append(_LONG_END.unpack(file.read(_LONG_END.size))[8])
    return int(max(lengths))


def _check_directory(path: Path) -> None:
    """Refuse a bundle whose list of contents is too long to be read.

    Raises:
        InputError: It is, or the bundle is too large.
    """
    with path.open("rb") as file:
        if file.seek(0, 2) > MOST_ZIP_BYTES:
            raise InputError(f"{path}: holds more than {_size(MOST_ZIP_BYTES)}; no bundle does")
        if list_bytes(file) > MOST_DIRECTORY_BYTES:
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
        if member.compress_type not in PACKINGS:
            raise InputError(f"{path}: {member.filename} is packed in a way that no bundle is; zip it anew")
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
        if data[:3] == _JPEG:
            return next(_frames(data))
        if data[:8] == b"\x89PNG\r\n\x1a\n" and data[12:16] == b"IHDR":
            width, height = struct.unpack(">II", data[16:24])
            return width, height, True
        if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
            return *_webp(data), True
    except (struct.error, IndexError, StopIteration):
        pass
    return None


def check_picture(data: bytes, most_px: int, most_whole_px: int | None = None) -> tuple[int, int]:
    """Refuse a picture that would cost much time or memory, before anything of it is decoded; its width and height.

    Args:
        data: A JPEG, PNG or WebP file.
        most_px: So many pixels it may have.
        most_whole_px: So many, where it must be decoded whole; ``None`` = as many.

    Raises:
        InputError: It is none of them, has too many pixels, or is packed in more scans than any camera writes.
    """
    size = picture_size(data)
    if size is None:
        raise InputError(fault("picture.fault.kind", "This is no JPEG, PNG or WebP picture"))
    width, height, whole = size
    scans = 1
    if data[:3] == _JPEG:
        markers = [marker for marker, _ in islice(_segments(data), MOST_SEGMENTS + 1)]
        scans = markers.count(_SCAN) if len(markers) <= MOST_SEGMENTS else len(markers)
    most = most_px if most_whole_px is None or not (whole or scans > 1) else most_whole_px
    if width * height > most:
        sentence = "The picture has {found} million pixels, {most} at most can be taken: take a smaller one"
        million_px = round(width * height / 1e6)
        raise InputError(fault("picture.fault.large", sentence, found=million_px, most=most // 1_000_000))
    if scans > MOST_SCANS:
        sentence = "The picture is packed in more layers than any camera makes: take another one"
        raise InputError(fault("picture.fault.scans", sentence))
    return width, height


_JPEG = b"\xff\xd8\xff"
PICTURE_BEGINS = (_JPEG, b"\x89PNG", b"RIFF")
"""How the files begin of the kinds that ``check_picture`` knows."""
_SCAN, _END_OF_PICTURE = 0xDA, 0xD9
_MARKER = re.compile(rb"\xff[\xc0-\xcf\xd9-\xfe]")
"""Those that begin a segment, and the end; what else may follow ``ff`` has no length, and is passed over."""


def _segments(data: bytes) -> Iterator[tuple[int, int]]:
    """The segments of a JPEG file as marker and place of its length, found as decoders find them (ITU T.81, B.1.1):
    what is between two of them is picture or rubbish, and hides none."""
    at = 2
    while (found := _MARKER.search(data, at)) is not None and data[found.end() - 1] != _END_OF_PICTURE:
        yield data[found.end() - 1], found.end()
        at = found.end() + int.from_bytes(data[found.end() : found.end() + 2], "big")


def _frames(data: bytes) -> Iterator[tuple[int, int, bool]]:
    """What the frame headers of a JPEG file say (ITU T.81, B.2.2); only the first counts."""
    for marker, at in islice(_segments(data), MOST_SEGMENTS):
        if marker in range(0xC0, 0xD0) and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[at + 3 : at + 7])
            yield width, height, marker not in (0xC0, 0xC1)


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
