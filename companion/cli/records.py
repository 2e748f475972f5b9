"""``companion judge``, ``matches``, ``export`` and ``import``."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.cli.output import DONE, NO, become_owner, data_folder, print_data, print_error, print_json, print_line
from companion.cli.progress import ProgressLine
from companion.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.games.protocol import Game
    from companion.storage.event_log import EventLog, StoredMatch


def judge(arguments: argparse.Namespace) -> int:
    """Referee a record again; the answer is "no" if an unlawful move counts."""
    from companion.app.rejudge import rejudge
    from companion.history.codec import encode_line
    from companion.storage.record_file import open_record, read_record

    file = read_record(arguments.record)
    judged = rejudge(open_record(file).game, file)
    with ProgressLine("Judging entry", len(file.entries)) as progress:
        for number, _ in enumerate(judged.go(), 1):
            progress.at(number)
            document = encode_line(judged.record.lines[-1])
            if arguments.json:
                print_json(document)
            else:
                print_line(_in_short(document))
    if file.torn:
        print_error(f"{file.path}: the last line is torn; read up to entry {len(file.entries)}")
    return DONE if judged.holds else NO


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


def matches(arguments: argparse.Namespace) -> int:
    """List the stored matches, or show how well one was refereed."""
    from companion.games.registry import open_match
    from companion.service.archive import match_summary
    from companion.service.summaries import Summaries, match_states
    from companion.storage.event_log import open_log
    from companion.storage.kept_answers import ANSWERS_FOLDER, KeptAnswers
    from companion.storage.losses import Damage

    folder = data_folder(arguments.data)
    with open_log(folder, reading=True) as log:
        if arguments.figures is not None:
            _show_figures(log, arguments.figures)
            return DONE

        def open_game(header: Mapping[str, Any]) -> Game[Any, Any]:
            return open_match(header["match"], header["deck"]).game

        def worked_out(match: str) -> dict[str, Any] | None:
            stored = log.match(match)
            return None if stored is None else match_summary(log, open_game, stored)

        lines = Summaries(log, KeptAnswers(folder / ANSWERS_FOLDER), worked_out)  # those that the table keeps
        for state in match_states(log):
            sound = log.sound(state.id)[1] is None  # a kept line says nothing of what was damaged since
            line = (lines.line(state) if sound else worked_out(state.id)) or {"seats": [], "profile": ""}
            if "missing" in line:
                print_error(
                    f"{state.id}: the game {line['game']!r} is not installed here, or does not load: "
                    "install its package"
                )
            names = ", ".join(line["seats"]) or "?"
            profile = line["profile"] or ("" if "missing" in line else "?")
            print_line(f"{state.id}  {profile:<11} {'over' if state.over else 'unfinished':<10} {names}")
            if "bug" in line:
                game, function, place = line["bug"].values()
                print_error(
                    f"{state.id}: the game {game} has a bug: {function} failed in {place}; tell whoever made the game"
                )
            if "damage" in line:
                print_error(f"{state.id} {Damage(line['damage']['kept'], line['damage']['lost'])}")
        for match in log.losses.gone():
            print_error(f"{match} is missing: entries of it were written down, and the match is no longer there")
    return DONE


def _show_figures(log: EventLog, match: str) -> None:
    from companion.history.record import replay
    from companion.history.statistics import encode_statistics, match_statistics
    from companion.storage.record_file import stored_entries

    stored, game = _stored(log, match)
    figures = encode_statistics(match_statistics(replay(game, stored_entries(log, stored.id, game)).lines))
    for name, value in figures.items():
        print_line(f"{name:<20} {'unknown' if value is None else value}")


def _stored(log: EventLog, match: str) -> tuple[StoredMatch, Game[Any, Any]]:
    from companion.games.registry import open_match
    from companion.storage.losses import Damage

    stored = log.match(match)
    if stored is None:
        raise InputError(f"there is no match {match!r}; `companion matches` lists them")
    if not stored.readable:
        raise InputError(f"{match} {Damage(None, 0)}; a backup may hold it: companion restore")
    return stored, open_match(stored.header["match"], stored.header["deck"]).game


def export(arguments: argparse.Namespace) -> int:
    """Print a stored match, or pack everything known about it."""
    from companion.storage.bundle import write_bundle
    from companion.storage.event_log import open_log
    from companion.storage.record_file import is_secret, record_lines, sound_entries, stored_entries
    from companion.storage.settings import read_settings
    from companion.storage.snapshots import SNAPSHOT_FOLDER, Snapshots

    folder = data_folder(arguments.data)
    with open_log(folder, reading=True) as log:
        stored, game = _stored(log, arguments.match)
        if (damage := sound_entries(log, arguments.match, game)[1]) is not None:
            print_error(f"{stored.id} {damage}")
        if arguments.bundle is not None:
            document = read_settings(folder).document
            settings = {} if document is None else document.content
            with ProgressLine(f"Packing {stored.id}"):
                write_bundle(arguments.bundle, log, Snapshots(folder / SNAPSHOT_FOLDER), stored, game, settings)
            return DONE
        if is_secret(log, stored, game):
            raise InputError(f"{arguments.match} is a silent match in play: its record can be exported when it is over")
        for line in record_lines(stored, game, stored_entries(log, arguments.match, game)):
            print_data(line)
    return DONE


def import_record(arguments: argparse.Namespace) -> int:
    """Store a record, or a bundle's record and pictures."""
    from companion.app.rejudge import rejudge
    from companion.storage.bundle import Bundle, is_bundle, read_bundle
    from companion.storage.event_log import import_record, open_log, wall_clock
    from companion.storage.record_file import open_record, read_record
    from companion.storage.snapshots import SNAPSHOT_FOLDER, Snapshots

    path: Path = arguments.record
    bundle = read_bundle(path) if is_bundle(path) else Bundle(read_record(path), (), "")
    file = bundle.record
    opened = open_record(file)
    entries = tuple(rejudge(opened.game, file).go())
    if file.torn:
        print_error(f"{file.path}: the last line is torn; read up to entry {len(file.entries)}")
    folder = data_folder(arguments.data)
    become_owner(folder)
    with open_log(folder) as log:
        match = here = log.same_record(opened.header, entries)
        if match is None:
            match = import_record(log, path.stem, opened.header, entries, bundle.began or wall_clock())
        else:
            print_error(f"{path}: is here already, as {match}: nothing was stored again")
        album = Snapshots(folder / SNAPSHOT_FOLDER)
        for number, jpeg in () if here and album.counts(match) else bundle.pictures:
            if not album.put(match, number, jpeg):
                print_error(f"{path}: there is no room for another picture of entry {number}")
        print_line(match)
    return DONE
