"""Match bundles: one zip with everything known about a match, for reporting a fault."""

from __future__ import annotations

import json
import platform
import re
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from companion import __version__
from companion.errors import InputError
from companion.games.protocol import Game
from companion.history.record import replay
from companion.history.statistics import encode_statistics, match_statistics
from companion.public.text import JSON
from companion.reading.pictures import MOST_PICTURE_PX, check_picture
from companion.reading.text import MOST_RECORD_BYTES, parse_json
from companion.storage.event_log import EventLog, StoredMatch
from companion.storage.record_file import RecordFile, is_secret, parse_record, record_lines, stored_entries
from companion.storage.snapshots import Snapshots
from companion.storage.zip_file import new_member, read_zip

RECORD_MEMBER, ABOUT_MEMBER = "record.jsonl", "bundle.json"
SECRETS = frozenset(("host", "user", "password", "source", "ca", "database"))
"""Keys of the settings that are left out of bundles."""
LIBRARIES = ("opencv-python-headless", "zxing-cpp", "pyzbar", "numpy", "flask", "gpiozero")

_PICTURE = re.compile(r"pictures/([1-9][0-9]{0,5})-([1-9][0-9]?)\.jpg")


@dataclass(frozen=True, slots=True)
class Bundle:
    """The content of a bundle.

    Attributes:
        pictures: Pairs of entry number and JPEG, in order.
        began: Wall clock, as a label; may be empty.
    """

    record: RecordFile
    pictures: tuple[tuple[int, bytes], ...]
    began: str


def write_bundle(
    path: Path,
    log: EventLog,
    album: Snapshots,
    stored: StoredMatch,
    game: Game[object, object],
    settings: Mapping[str, JSON],
) -> None:
    """Write a match's bundle. The same match and the same versions give the same bytes.

    Raises:
        InputError: The file cannot be written, or the match is still secret.
        LogError: The match cannot be read.
    """
    if is_secret(log, stored, game):
        raise InputError(f"{stored.id} is a silent match in play: its bundle can be made when it is over")
    entries = stored_entries(log, stored.id, game)
    texts: dict[str, JSON] = {
        ABOUT_MEMBER: {
            "bundle": 1, "match": stored.id, "began": stored.began, "over": stored.over, "versions": versions(),
        },
        "match.json": stored.header["match"],
        "deck.json": stored.header["deck"],
        "settings.json": without_secrets(settings),
        "figures.json": encode_statistics(match_statistics(replay(game, entries).lines)),
    }  # fmt: skip
    members = {name: (json.dumps(text, ensure_ascii=False, indent=1) + "\n").encode() for name, text in texts.items()}
    members[RECORD_MEMBER] = "".join(f"{line}\n" for line in record_lines(stored, game, entries)).encode()
    for number in album.counts(stored.id):
        for place, jpeg in enumerate(album.pictures(stored.id, number), 1):
            members[f"pictures/{number}-{place}.jpg"] = jpeg
    try:
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in members.items():
                archive.writestr(new_member(name, compressed=not name.endswith(".jpg")), content)
    except OSError as wrong:
        raise InputError(f"{path}: cannot be written ({wrong.strerror})") from wrong


def without_secrets(settings: JSON) -> JSON:
    """The settings without anything that gives access to a broker or a database.

    >>> without_secrets({"mqtt": {"host": "10.0.0.2", "port": 1884}})
    {'mqtt': {'port': 1884}}
    """
    if not isinstance(settings, Mapping):
        return settings
    return {key: without_secrets(value) for key, value in settings.items() if key not in SECRETS}


def versions() -> dict[str, JSON]:
    """Versions of the companion, of Python and of the libraries that read pictures."""
    numbers: dict[str, JSON] = {"companion": __version__, "python": platform.python_version()}
    numbers["machine"] = platform.machine()
    for library in LIBRARIES:
        try:
            numbers[library] = version(library)
        except PackageNotFoundError:
            numbers[library] = None
    return numbers


def is_bundle(path: str | Path) -> bool:
    return str(path).lower().endswith(".zip")


def read_bundle(path: Path) -> Bundle:
    """Read a bundle. Nothing is unpacked to disk, and no name inside it is used as a path.

    Raises:
        InputError: It is not a bundle, is damaged, or holds something that bundles do not contain.
    """
    members = read_zip(
        path, lambda name: name in (RECORD_MEMBER, ABOUT_MEMBER) or bool(_PICTURE.fullmatch(name)), RECORD_MEMBER
    )
    if RECORD_MEMBER not in members:
        raise InputError(f"{path}: holds no {RECORD_MEMBER}; `companion export MATCH --bundle` makes bundles")
    if len(members[RECORD_MEMBER]) > MOST_RECORD_BYTES:
        raise InputError(f"{path}: {RECORD_MEMBER} holds more than {MOST_RECORD_BYTES // 1_000_000} MB")
    record = parse_record(path, _text(path, RECORD_MEMBER, members[RECORD_MEMBER]))
    about = _about(path, members.get(ABOUT_MEMBER, b"{}"))
    named = sorted(
        (int(name[1]), int(name[2]), jpeg) for text, jpeg in members.items() if (name := _PICTURE.fullmatch(text))
    )
    for member, content in members.items():
        if _PICTURE.fullmatch(member):
            _check_picture(path, member, content)
    began = about.get("began")
    return Bundle(record, tuple((number, jpeg) for number, _, jpeg in named), began if isinstance(began, str) else "")


def _check_picture(path: Path, name: str, content: bytes) -> None:
    if content[:2] != b"\xff\xd8":
        raise InputError(f"{path}: {name} is no JPEG picture; no companion made this")
    try:
        check_picture(content, MOST_PICTURE_PX)
    except InputError as wrong:
        raise InputError(f"{path}: {name}: {wrong}") from wrong


def _text(path: Path, name: str, content: bytes) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as wrong:
        raise InputError(f"{path}: {name} is no UTF-8 text ({wrong})") from wrong


def _about(path: Path, content: bytes) -> Mapping[str, JSON]:
    try:
        about: JSON = parse_json(content)
    except InputError as wrong:
        raise InputError(f"{path}: {ABOUT_MEMBER}: {wrong}") from wrong
    if not isinstance(about, Mapping) or about.get("bundle", 1) != 1:
        raise InputError(f"{path}: {ABOUT_MEMBER}: bundle: is not a version that this companion reads (1): update it")
    return about
