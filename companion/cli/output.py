"""Printing: answers to standard output, errors and progress to standard error."""

from __future__ import annotations

import json
import os
import pwd
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path
from typing import TextIO

from companion.errors import CompanionError, InputError

DONE, NO, UNUSABLE, INTERRUPTED = 0, 1, 2, 130


_turn = threading.Lock()
_passing: list[tuple[TextIO, int]] = []


def print_progress(stream: TextIO, line: str, *, kept: bool) -> None:
    """Print a progress line; unless ``kept``, the next output replaces it."""
    with _turn, suppress(OSError, ValueError):
        _erase_progress()
        stream.write(f"{line}\n" if kept else line)
        stream.flush()
        if not kept:
            _passing.append((stream, len(line)))


def erase_progress() -> None:
    with _turn, suppress(OSError, ValueError):
        _erase_progress()


def _erase_progress() -> None:
    while _passing:
        stream, width = _passing.pop()
        stream.write("\r" + " " * width + "\r")
        stream.flush()


def print_line(line: str) -> None:
    """Print one line of the answer to standard output.

    Raises:
        CompanionError: It cannot be written; a closed pipe is a ``BrokenPipeError``.
    """
    erase_progress()
    with _being_written():
        sys.stdout.write(f"{line}\n")


def flush_output() -> None:
    """Flush standard output.

    Raises:
        CompanionError: As in ``print_line``.
    """
    with _being_written():
        sys.stdout.flush()


@contextmanager
def _being_written() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        discard_output()
        raise CompanionError(f"the answer cannot be written: {error.strerror}") from error


def discard_output() -> None:
    """Discard unwritten output: closing standard output at the end must not fail a second time."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def print_error(line: str) -> None:
    """Print one sentence about what is wrong to standard error, if that is possible."""
    erase_progress()
    with suppress(OSError):
        sys.stderr.write(f"companion: {line}\n")
        sys.stderr.flush()


def print_data(line: str) -> None:
    """Print one line for another program to standard output: always UTF-8, whatever the terminal uses."""
    if isinstance(sys.stdout, TextIOWrapper) and sys.stdout.encoding.lower() != "utf-8":
        sys.stdout.reconfigure(encoding="utf-8")
    print_line(line)


def print_json(document: object) -> None:
    """Print one line of JSON to standard output."""
    print_data(json.dumps(document, ensure_ascii=False))


def prepare_streams() -> None:
    r"""Make sure that standard input, output and error exist and can print every character.

    A terminal that cannot show a character shows its number, ``\xe9``. If a stream was closed when the program
    started, output to it is discarded, and none of our files gets that stream's number.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # it gets the lowest free number
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # Python's sign that it was closed
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115  wanted until the end
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def data_folder(asked: Path | None) -> Path:
    """The folder for matches: ``asked``, or the user's default (for root and the service, the system's).

    A variable that names no whole path counts as not set, as the XDG Base Directory Specification wants it.

    Raises:
        InputError: This user has no home folder, as a number without a name in a container.
    """
    if asked is not None:
        return asked
    if os.geteuid() == 0:
        return Path("/var/lib/companion")
    shared = Path(os.environ.get("XDG_DATA_HOME", ""))
    if shared.is_absolute():
        return shared / "companion"
    home = Path(os.environ.get("HOME", ""))
    if not home.is_absolute():
        try:
            home = Path(pwd.getpwuid(os.geteuid()).pw_dir)
        except KeyError:
            raise InputError(
                f"user {os.geteuid()} has no home folder here: name a folder for the matches with --data"
            ) from None
    return home / ".local" / "share" / "companion"


def become_owner(folder: Path) -> None:
    """Before root writes in another user's folder, become that user, who could not read the files otherwise and
    might have planted links there.
    """
    if os.geteuid() != 0 or not folder.is_dir():
        return
    owner = folder.stat()
    if owner.st_uid != 0:
        os.setgroups([])
        os.setgid(owner.st_gid)
        os.setuid(owner.st_uid)
