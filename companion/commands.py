"""What each command does. Each imports what it needs when it runs: ``companion judge`` must not wait for OpenCV."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.errors import InputError

if TYPE_CHECKING:
    from companion.catalog import Opened
    from companion.documents import RecordFile
    from companion.eventlog import EventLog, Stored
    from companion.game import Game

DONE, NO, UNUSABLE = 0, 1, 2


def say(line: str) -> None:
    """One line of the answer, on standard output."""
    sys.stdout.write(f"{line}\n")


def say_wrong(line: str) -> None:
    """One sentence about what is wrong, on standard error."""
    sys.stderr.write(f"companion: {line}\n")


def say_json(document: object) -> None:
    """One line of JSON, on standard output."""
    say(json.dumps(document, ensure_ascii=False))


def data_folder(said: Path | None) -> Path:
    """Where matches are kept: as said, or in the user's own place (for root and the service, the system's)."""
    if said is not None:
        return said
    if os.geteuid() == 0:
        return Path("/var/lib/companion")
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "companion"


def run(said: argparse.Namespace) -> int:
    """Referee a table until told to stop."""
    from companion.live import live

    return live(said.source, said.match, said.port, data_folder(said.data), said.seed, said.speed)


def referee(said: argparse.Namespace) -> int:
    """Referee recorded frames; or a bundle's record anew, and then the answer is "no" when something differs."""
    from companion.bundle import is_bundle
    from companion.catalog import read_match
    from companion.refereeing import referee_bundle, referee_frames

    if is_bundle(said.frames) and said.match is None:
        differs = False
        for line in referee_bundle(Path(said.frames), say_wrong):
            say(line)
            differs = True
        return NO if differs else DONE
    if said.match is None or said.record is None:
        raise InputError(f"{said.frames}: to referee frames, name --match match.toml and --record out.jsonl")
    referee_frames(said.frames, read_match(said.match), said.record)
    return DONE


def scan(said: argparse.Namespace) -> int:
    """Read the stickers in pictures."""
    from vision.scan import scan

    unreadable = False
    for image in said.images:
        try:
            found = scan(image)
        except InputError as wrong:
            say_wrong(str(wrong))
            unreadable = True
            continue
        if said.json:
            say_json(found)
        else:
            tokens = " ".join(sighting["token"] for sighting in found["sightings"]) or "no stickers"
            say(f"{image}: {tokens}" + (f" (and {found['foreign']} foreign codes)" if found["foreign"] else ""))
    return UNUSABLE if unreadable else DONE


def judge(said: argparse.Namespace) -> int:
    """Referee a record anew; the answer is "no" when a move counts that may not."""
    from companion.catalog import open_record
    from companion.documents import read_record
    from companion.judging import judging
    from companion.lines import encode_line

    file = read_record(said.record)
    judged = judging(open_record(file).game, file)
    for _ in judged.go():
        document = encode_line(judged.record.lines[-1])
        if said.json:
            say_json(document)
        else:
            say(_in_short(document))
    if file.torn:
        say_wrong(f"{file.path}: the last line is torn; read up to entry {len(file.entries)}")
    return DONE if judged.holds else NO


def _opened(file: RecordFile) -> Opened:
    """The match of a record; what is wrong with its header is named by file and line."""
    from companion.catalog import demo_deck, open_match

    try:
        return open_match(file.header["match"], file.header.get("deck") or demo_deck())
    except InputError as wrong:
        raise InputError(*(f"{file.path}, line 1: {line}" for line in str(wrong).splitlines())) from wrong


def _in_short(document: dict[str, object]) -> str:
    move = document.get("move")
    words = [f"{document['number']:>4}", str(document["event"])]
    if isinstance(move, dict):
        words += [f"{key}={value}" for key, value in move.items()]
    for objection in document.get("objections", ()):  # type: ignore[attr-defined]  # a list where there is one
        words.append(f"[{' '.join((objection['rule'], *objection.get('cards', ())))}]")
    standing = document["standing"]
    assert isinstance(standing, dict)
    return " ".join((*words, f"points={standing['points']}"))


def deck_check(said: argparse.Namespace) -> int:
    """Name every fault of a deck."""
    from companion.documents import read_toml
    from companion.games.discovery.deck import check

    document = read_toml(said.file)
    faults, warnings = check(document.content)
    for fault in faults:
        say(document.locate(fault).what)
    for warning in warnings:
        say(f"{document.locate(warning).what} (only a warning)")
    if not faults:
        say(f"{said.file}: a good deck")
    return NO if faults else DONE


def deck_show(said: argparse.Namespace) -> int:
    """Print a deck."""
    from companion.documents import read_toml
    from companion.games.discovery.deck import read

    document = read_toml(said.file)
    deck = document.located(read)
    say(f"{deck.name} ({deck.edition})")
    for card in deck.cards.values():
        needs = "?" if card.prerequisites is None else ", ".join(sorted(card.prerequisites)) or "-"
        say(f"{card.id}  {card.names.get('en', '?'):<28} {card.family or '?':<11} needs {needs}")
    return DONE


def stickers(said: argparse.Namespace) -> int:
    """Write the sheets."""
    import datetime

    from companion.catalog import demo_deck
    from companion.documents import read_toml
    from companion.games.discovery.deck import read
    from companion.sheets import pdf

    deck = read(demo_deck()) if said.deck is None else read_toml(said.deck).located(read)
    sheets = pdf(deck, datetime.date.today(), size_mm=said.size_mm, paper=said.paper, language=said.language)
    try:
        said.out.write_bytes(sheets)
    except OSError as wrong:
        raise InputError(f"{said.out}: cannot be written ({wrong.strerror})") from wrong
    return DONE


def matches(said: argparse.Namespace) -> int:
    """List what is stored, or show how well one match was refereed."""
    from companion.eventlog import opened_log
    from companion.host import entries_of
    from companion.seating import names_of, seating

    with opened_log(data_folder(said.data)) as log:
        if said.figures is not None:
            _show_figures(log, said.figures)
            return DONE
        for stored in log.matches():
            entries = entries_of(log, stored.id, _stored(log, stored.id)[1])
            names = ", ".join(person.name for person in seating(names_of(stored.header["match"]), entries))
            state = "over" if stored.over else "unfinished"
            say(f"{stored.id}  {stored.header['match'].get('profile', 'fr-explore'):<11} {state:<10} {names}")
    return DONE


def _show_figures(log: EventLog, match: str) -> None:
    from companion.figures import encode_figures, figures
    from companion.host import entries_of
    from companion.record import replay

    stored, game = _stored(log, match)
    told = encode_figures(figures(replay(game, entries_of(log, stored.id, game)).lines))
    for name, value in told.items():
        say(f"{name:<20} {'unknown' if value is None else value}")


def _stored(log: EventLog, match: str) -> tuple[Stored, Game[Any, Any]]:
    from companion.catalog import open_match

    stored = log.match(match)
    if stored is None:
        raise InputError(f"there is no match {match!r}; `companion matches` lists them")
    return stored, open_match(stored.header["match"], stored.header["deck"]).game


def export(said: argparse.Namespace) -> int:
    """Print a stored match, or pack all that is known of it."""
    from companion.album import FOLDER, Album
    from companion.bundle import write_bundle
    from companion.eventlog import opened_log
    from companion.host import entries_of, is_secret, record_lines
    from companion.settings import read_settings

    folder = data_folder(said.data)
    with opened_log(folder) as log:
        stored, game = _stored(log, said.match)
        if said.bundle is not None:
            document = read_settings(folder).document
            settings = {} if document is None else document.content
            write_bundle(said.bundle, log, Album(folder / FOLDER), stored, game, settings)
            return DONE
        if is_secret(stored, game):
            raise InputError(f"{said.match} is a silent match in play: its record can be exported when it is over")
        for line in record_lines(stored, game, entries_of(log, said.match, game)):
            say(line)
    return DONE


def import_record(said: argparse.Namespace) -> int:
    """Store a record, or a bundle's record and pictures."""
    from companion.album import FOLDER, Album
    from companion.bundle import Bundle, is_bundle, read_bundle
    from companion.catalog import open_record
    from companion.documents import read_record
    from companion.eventlog import import_record, opened_log, wall_clock
    from companion.judging import judging

    path: Path = said.record
    bundle = read_bundle(path) if is_bundle(path) else Bundle(read_record(path), (), "")
    file = bundle.record
    opened = open_record(file)
    entries = tuple(judging(opened.game, file).go())
    if file.torn:
        say_wrong(f"{file.path}: the last line is torn; read up to entry {len(file.entries)}")
    folder = data_folder(said.data)
    with opened_log(folder) as log:
        match = import_record(log, path.stem, opened.header, entries, bundle.began or wall_clock())
        album = Album(folder / FOLDER)
        for number, jpeg in bundle.pictures:
            if not album.put(match, number, jpeg):
                say_wrong(f"{path}: there is no room for another picture of entry {number}")
        say(match)
    return DONE


def doctor(said: argparse.Namespace) -> int:
    """Look at everything once."""
    from companion.checkup import camera_checks, in_english, pins, try_out_pins
    from companion.doctor import examine, health, report, usual_checks
    from hardware.pins import on_a_pi

    folder = data_folder(said.data)
    running = health(said.port)
    more = (
        ("pins", lambda: pins(lambda: try_out_pins(folder), busy=running is not None, here=on_a_pi())),
        *camera_checks(said.source, folder, running),
    )
    return report(examine(usual_checks(lambda: running, folder, more)), say, in_english(), as_json=said.json)


def bench(said: argparse.Namespace) -> int:
    """Run one benchmark, or all."""
    from companion.bench import BENCHES

    names: Iterable[str] = BENCHES if said.name is None else [said.name]
    for name in names:
        if name not in BENCHES:
            raise InputError(f"there is no bench {name!r}; there are {', '.join(BENCHES)}")
        for line in BENCHES[name](said.long):
            say(line)
    return DONE
