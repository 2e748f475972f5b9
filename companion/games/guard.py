"""A bug in somebody's game costs its own match: what a game's function raises names game, function, file and line.

``guarded`` wraps every function of a game where a match is opened, so that callers see ``GameFault`` and nothing else.
A function that does not return is interrupted by ``interrupt_overdue``.
"""

from __future__ import annotations

import ctypes
import faulthandler
import re
import tempfile
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, TypeVar

from companion.errors import CompanionError, GameFault, shortened
from companion.games.protocol import Game
from companion.public.tracebacks import place_in, place_of

T = TypeVar("T")
PARTS = ("rules", "table", "words", "board", "hidden")
PEOPLE = "people"
"""What the simulated people of a game are called as its function. They call others, which are named themselves."""
_HERE = Path(__file__).parent
RETURNS_S = 10.0
"""How long one function of a game may take; the slowest of ours need some milliseconds."""


class _Overdue(BaseException):
    """Raised in a function of a game that does not return; no ``except Exception`` of the game stops it."""


@dataclass(eq=False, slots=True)
class _Call:
    """A function of a game that is running.

    Attributes:
        around: The people who called it, who are a function of the game themselves.
        fault: It did not return, and ``_Overdue`` was raised in it.
    """

    game: str
    function: str
    since_s: float
    around: _Call | None = None
    fault: GameFault | None = None


_running: dict[int, _Call] = {}
_interrupting = threading.Lock()


def guarded(game: Game[Any, Any]) -> Game[Any, Any]:
    """The same game, whose functions raise ``GameFault`` for whatever is no ``CompanionError``.

    >>> import companion
    >>> game = companion.open_match(companion.demo_match(), companion.demo_deck()).game
    >>> guarded(game) == game
    True
    """
    return replace(game, **{part: _guarded_part(game.name, part, getattr(game, part)) for part in PARTS})


def _guarded_part(game: str, part: str, functions: Any) -> Any:
    found = {one.name: getattr(functions, one.name) for one in fields(functions) if one.name != "start"}
    return replace(
        functions,
        **{
            name: guarded_function(game, f"{part}.{name}", function)
            for name, function in found.items()
            if callable(function) and not isinstance(function, type) and not _is_default(function)
        },
    )


def _is_default(function: Any) -> bool:
    return getattr(function, "__module__", "") == Game.__module__


def guarded_function(game: str, name: str, function: Callable[..., T]) -> Callable[..., T]:
    """One function of a game, called ``name`` in its faults."""

    def call(*arguments: Any, **more: Any) -> T:
        thread = threading.get_ident()
        around = _running.get(thread)
        if around is not None and around.function != PEOPLE:  # called by another function of the game
            return function(*arguments, **more)
        this = _running[thread] = _Call(game, name, time.monotonic(), around)
        try:
            try:
                return function(*arguments, **more)
            finally:
                if around is None:
                    _running.pop(thread, None)
                else:
                    _running[thread] = around
                if this.fault is not None:
                    with _interrupting:
                        pass  # until it has been raised
        except CompanionError:
            raise
        except _Overdue as wrong:
            if this.fault is None:
                raise  # the people who called it are overdue
            raise this.fault from wrong
        except (Exception, SystemExit) as wrong:
            raise bug(game, name, wrong) from wrong

    call.__wrapped__ = function  # type: ignore[attr-defined]
    return call


def bug(game: str, function: str, wrong: BaseException) -> GameFault:
    """What a function of a game raised, as the fault that everybody else deals with."""
    return _fault(game, function, place_of(wrong, _HERE), f"{type(wrong).__name__}: {wrong}")


def _fault(game: str, function: str, place: str, why: str) -> GameFault:
    return GameFault(game, function, place, shortened(" ".join(why.split()), 200))


def interrupt_overdue(limit_s: float = RETURNS_S) -> tuple[GameFault, ...]:
    """Interrupt every function of a game that has been running for longer; each is reported once.

    What waits in C code, such as ``time.sleep``, goes on until that returns.
    """
    found = []
    for thread, inner in tuple(_running.items()):
        call = inner.around or inner
        if call.fault is not None or time.monotonic() - call.since_s < limit_s:
            continue
        with _interrupting:
            now = _running.get(thread)
            if now is None or (now.around or now) is not call:
                continue
            why = f"it did not return within {limit_s:.0f} seconds"
            call.fault = _fault(call.game, call.function, _place_in_thread(thread), why)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(_Overdue))
        found.append(call.fault)
    return tuple(found)


def _place_in_thread(thread: int) -> str:
    """``FILE, line N`` of the innermost line of somebody's package that a thread is carrying out."""
    try:
        with tempfile.TemporaryFile("w+") as dump:
            faulthandler.dump_traceback(dump, all_threads=True)
            dump.seek(0)
            threads = dump.read().split("\n\n")
    except OSError:  # the disk is full
        threads = []
    of_thread = next((one for one in threads if re.search(rf"hread 0x0*{thread:x}\b", one)), "")
    lines = re.findall(r'File "(.+)", line (\d+) in (.+)', of_thread)
    frames = [traceback.FrameSummary(file, int(line), name) for file, line, name in reversed(lines)]
    return place_in(frames, _HERE) if frames else "an endless loop"
