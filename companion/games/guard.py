"""A bug in somebody's game costs its own match: what a game's function raises names game, function, file and line.

``guarded`` wraps every function of a game where a match is opened, so that callers see ``GameFault`` and nothing else.
A function that does not return is interrupted by ``interrupt_overdue``.
"""

from __future__ import annotations

import ctypes
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, TypeVar

from companion.errors import CompanionError, shortened
from companion.games.protocol import Game, GameFault

T = TypeVar("T")
PARTS = ("rules", "table", "words", "board", "hidden")
RETURNS_S = 10.0
"""How long one function of a game may take; the slowest of ours need some milliseconds."""


class _Overdue(BaseException):
    """Raised in a function of a game that does not return; no ``except Exception`` of the game stops it."""


@dataclass(eq=False, slots=True)
class _Call:
    """A function of a game that is running.

    Attributes:
        interrupted: ``_Overdue`` was raised in it.
    """

    game: str
    function: str
    since_s: float
    interrupted: bool = False


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
        if thread in _running:  # called by another function of the game
            return function(*arguments, **more)
        this = _running[thread] = _Call(game, name, time.monotonic())
        try:
            try:
                return function(*arguments, **more)
            finally:
                _running.pop(thread, None)
                if this.interrupted:
                    with _interrupting:
                        pass  # until it has been raised
        except CompanionError:
            raise
        except _Overdue as wrong:
            raise _fault(game, name, wrong, f"it did not return within {RETURNS_S:.0f} seconds") from wrong
        except (Exception, SystemExit) as wrong:
            raise _fault(game, name, wrong, f"{type(wrong).__name__}: {wrong}") from wrong

    call.__wrapped__ = function  # type: ignore[attr-defined]
    return call


def _fault(game: str, function: str, wrong: BaseException, why: str) -> GameFault:
    return GameFault(game, function, place_of(wrong), shortened(" ".join(why.split()), 200))


def place_of(wrong: BaseException) -> str:
    """``FILE, line N`` of the innermost line of somebody's package; the file from that package on."""
    core, library = Path(__file__).parent, Path(traceback.__file__).parent
    frames = traceback.extract_tb(wrong.__traceback__)
    own = [
        frame
        for frame in frames
        if Path(frame.filename).parent != core
        and (library not in Path(frame.filename).parents or "site-packages" in Path(frame.filename).parts)
    ]
    frame = (own or frames)[-1]
    file = Path(frame.filename)
    top = file
    while (top.parent / "__init__.py").is_file():
        top = top.parent
    return f"{file.relative_to(top.parent)}, line {frame.lineno}"


def interrupt_overdue(limit_s: float = RETURNS_S) -> tuple[GameFault, ...]:
    """Interrupt every function of a game that has been running for longer; each is reported once.

    What waits in C code, such as ``time.sleep``, goes on until that returns.
    """
    found = []
    for thread, call in tuple(_running.items()):
        if call.interrupted or time.monotonic() - call.since_s < limit_s:
            continue
        with _interrupting:
            call.interrupted = True
            if _running.get(thread) is not call:
                continue
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(_Overdue))
        why = f"it has been running for more than {limit_s:.0f} seconds"
        found.append(GameFault(call.game, call.function, "an endless loop", why))
    return tuple(found)
