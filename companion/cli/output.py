"""What each command does. Each imports what it needs when it runs: ``companion judge`` must not wait for OpenCV."""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path
from typing import TextIO

from companion.errors import CompanionError

DONE, NO, UNUSABLE = 0, 1, 2


_turn = threading.Lock()
_passing: list[tuple[TextIO, int]] = []


def between_answers(stream: TextIO, line: str, *, kept: bool) -> None:
    """A line about how far it is; unless it is kept, whatever is said next is written over it."""
    with _turn, suppress(OSError, ValueError):
        _erase()
        stream.write(f"{line}\n" if kept else line)
        stream.flush()
        if not kept:
            _passing.append((stream, len(line)))


def erase() -> None:
    """No line about how far it is stands on the terminal any longer."""
    with _turn, suppress(OSError, ValueError):
        _erase()


def _erase() -> None:
    while _passing:
        stream, width = _passing.pop()
        stream.write("\r" + " " * width + "\r")
        stream.flush()


def say(line: str) -> None:
    """One line of the answer, on standard output.

    Raises:
        CompanionError: It cannot be written; a reader who has enough is a ``BrokenPipeError``.
    """
    erase()
    with _being_written():
        sys.stdout.write(f"{line}\n")


def say_all() -> None:
    """Everything that was said has been written.

    Raises:
        CompanionError: As above.
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
        say_no_more()
        raise CompanionError(f"the answer cannot be written: {error.strerror}") from error


def say_no_more() -> None:
    """What was not written yet goes nowhere: closing standard output at the end must not fail a second time."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def say_wrong(line: str) -> None:
    """One sentence about what is wrong, on standard error; where nobody can be told, nobody is."""
    erase()
    with suppress(OSError):
        sys.stderr.write(f"companion: {line}\n")
        sys.stderr.flush()


def say_data(line: str) -> None:
    """One line for another program, on standard output: UTF-8, whatever the terminal is set to."""
    if isinstance(sys.stdout, TextIOWrapper) and sys.stdout.encoding.lower() != "utf-8":
        sys.stdout.reconfigure(encoding="utf-8")
    say(line)


def say_json(document: object) -> None:
    """One line of JSON, on standard output."""
    say_data(json.dumps(document, ensure_ascii=False))


def prepare_streams() -> None:
    """Make standard input, output and error fit for every letter, and there at all.

    A terminal that cannot show a letter shows its number, ``\\xe9``. Whoever starts a program may have closed a stream;
    what is said then goes nowhere, and no file of ours gets that stream's number.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # it takes the lowest number that is free
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # so Python says that it was closed
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115  wanted until the end
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def data_folder(asked: Path | None) -> Path:
    """Where matches are kept: as said, or in the user's own place (for root and the service, the system's)."""
    if asked is not None:
        return asked
    if os.geteuid() == 0:
        return Path("/var/lib/companion")
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "companion"


def become_owner(folder: Path) -> None:
    """Root writes nothing in the folder of another user: it goes on as that user, who could not read it else, and might
    have planted links there."""
    if os.geteuid() != 0 or not folder.is_dir():
        return
    owner = folder.stat()
    if owner.st_uid != 0:
        os.setgroups([])
        os.setgid(owner.st_gid)
        os.setuid(owner.st_uid)
