"""What breaks when a named number of the eye is halved, and when it is doubled.

    python -m tests.tools.halves vision/tracking                       all named numbers of a package, as a table
    python -m tests.tools.halves vision/tracking/ground.py             of a module
    python -m tests.tools.halves vision/motion --only REST_S ADAPT_S   these
    python -m tests.tools.halves vision/motion --tests tests/vision/motion    against other tests

Each change is tried in a process of its own, against the quick tests below until the first one fails; a number with
which nothing fails either way is named at the end. It is not needed, or no test says what it is for.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import importlib
import inspect
import io
import multiprocessing
import pkgutil
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
QUICK = (
    "tests/vision/tracking/test_ground.py",
    "tests/vision/tracking/test_card_outline.py",
    "tests/vision/tracking/test_camera_shift.py",
    "tests/vision/tracking/test_cards.py",
    "tests/vision/motion",
    "tests/vision/tracking/test_gone.py",
    "tests/vision/tracking/test_observer.py",
)
MOST_S = 900.0
NOTHING, LATE = "nothing", "takes for ever"


def named_numbers(code: str) -> list[str]:
    """The names that a module gives to numbers, or to several, at its top level, in the order of its lines."""
    names: list[str] = []
    for node in ast.parse(code).body:
        if not isinstance(node, ast.Assign):
            continue
        targets = node.targets[0].elts if isinstance(node.targets[0], ast.Tuple) else node.targets
        is_number = all(
            isinstance(part, ast.Constant | ast.UnaryOp | ast.USub | ast.Tuple | ast.Load)
            and not isinstance(getattr(part, "value", 0), str | bool)
            for part in ast.walk(node.value)
        )
        if is_number:
            names += [target.id for target in targets if isinstance(target, ast.Name) and target.id.isupper()]
    return names


def scaled(value: Any, factor: float) -> Any:
    """A number, or some, times a factor; whole ones stay whole, and at least 1."""
    if isinstance(value, tuple):
        return tuple(scaled(one, factor) for one in value)
    if isinstance(value, int):
        return max(1, round(value * factor)) if value > 0 else value
    return value * factor


def replace_everywhere(module: ModuleType, name: str, value: Any) -> None:
    """Give a name another value in its module, in those that imported it, and where it is an argument's default."""
    old = getattr(module, name)
    for other in [one for path, one in sys.modules.items() if path.startswith("vision.")]:
        is_its_own = other is not module and name in named_numbers(inspect.getsource(other))
        if getattr(other, name, None) is old and not is_its_own:
            setattr(other, name, value)
        if isinstance(old, int):
            continue  # equal whole numbers are one object
        for function in [one for one in _functions(other) if one.__module__.startswith("vision.")]:
            if function.__defaults__ and any(one is old for one in function.__defaults__):
                function.__defaults__ = tuple(value if one is old else one for one in function.__defaults__)


def _functions(module: ModuleType) -> Iterator[FunctionType]:
    for one in vars(module).values():
        if isinstance(one, FunctionType):
            yield one
        elif isinstance(one, type):
            yield from (method for method in vars(one).values() if isinstance(method, FunctionType))


def broken_by(path: str, name: str, factor: float, tests: list[str]) -> str:
    """The first test that fails with another number, in a process of its own."""
    context = multiprocessing.get_context("fork")
    result = context.SimpleQueue()
    child = context.Process(target=_tries, args=(path, name, factor, tests, result))
    child.start()
    child.join(MOST_S)
    if child.is_alive():
        child.kill()
        child.join()
        return LATE
    return LATE if result.empty() else str(result.get())


def _tries(path: str, name: str, factor: float, tests: list[str], result: Any) -> None:
    import pytest

    module = importlib.import_module(path)
    replace_everywhere(module, name, scaled(getattr(module, name), factor))
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        pytest.main(["-x", "-q", "-m", "not long", "-p", "no:cacheprovider", "-p", "no:xdist", *tests])
    failed = re.search(r"^(?:FAILED|ERROR) \S+?::(\S+)", said.getvalue(), re.MULTILINE)
    passed = re.search(r"\d+ passed", said.getvalue())
    result.put(failed.group(1) if failed else NOTHING if passed else said.getvalue()[-200:])


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.tools.halves", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("where", nargs="+", metavar="WHERE", help="packages or modules")
    parser.add_argument("--only", nargs="+", default=(), metavar="NAME", help="these numbers")
    parser.add_argument("--tests", nargs="+", default=list(QUICK), metavar="PATH", help="other tests")
    asked = parser.parse_args()
    import vision

    for found in pkgutil.walk_packages(vision.__path__, "vision."):
        if found.name.split(".")[1] in ("tracking", "motion", "codes", "geometry", "camera"):
            importlib.import_module(found.name)
    needless = []
    for place in map(Path, asked.where):
        for file in [place] if place.suffix else sorted(place.glob("*.py")):
            path = ".".join(file.with_suffix("").parts)
            for name in named_numbers(file.read_text()):
                if asked.only and name not in asked.only:
                    continue
                value = getattr(importlib.import_module(path), name)
                half, double = (broken_by(path, name, factor, asked.tests) for factor in (0.5, 2.0))
                print(f"| {file.stem} | {name} | {value} | {half} | {double} |", flush=True)
                if half == double == NOTHING:
                    needless.append(f"{file.stem}.{name}")
    print(f"\nnothing breaks either way: {', '.join(needless) or 'none'}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
