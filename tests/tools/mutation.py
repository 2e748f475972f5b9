"""Whether the tests notice when the rules change: a seeded sample of cosmic-ray's mutants.

    python tests/tools/mutation.py                    600 mutants of Discovery's rules and of the referee
    python tests/tools/mutation.py --mutants 60 --seed 2
    python tests/tools/mutation.py --part storage     of another part, against that part's tests
    python tests/tools/mutation.py --again            the survivors of the last run, against the tests as they are now
    python tests/tools/mutation.py --list FILE        write the mutants to FILE, or try those that stand there again

It works in copies under build/mutation and never touches the tree. The sample is stratified: each module gets its
share, each kind of mutation within it. Left out is what is no change of a program: annotations, which never run, the
star of a signature, and what Python cannot even read. Others change the program and yet nothing that a test could
see: ``is`` for ``==`` (whether two equal numbers or words are one object is Python's affair), an order between words
(``kind <= "call"``: the rules have names, not an alphabet), and a bit for a sum with one (``turn ^ 1`` is ``turn + 1``
for every even number). In place of such a mutant stands another one of the same place, or of the nearest. Against a
mutant stand the tests that ran the changed statement
when nothing was changed, the quickest first; the others cannot tell it from the original. At the end stand the
survivors, each with its change; status 1 when fewer than 90 % were killed.

A list serves before and after tests were taken away: it keeps what each mutant changed with the lines around it, and
is tried again where these lines still stand.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import importlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import coverage
import pytest
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator
from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import WorkItem

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build" / "mutation"


@dataclass(frozen=True)
class Part:
    """What is mutated, and the tests that must notice."""

    mutated: tuple[str, ...]
    tests: tuple[str, ...]
    without: tuple[str, ...] = ()


PARTS = {
    "rules": Part(
        (
            "companion/games/discovery",
            "companion/referee/referee.py",
            "companion/referee/reconciler.py",
            "companion/history/corrections.py",
        ),
        (
            "tests/companion/games",
            "tests/companion/history",
            "tests/companion/referee",
            "tests/companion/service/test_resume.py",
        ),
        # People, drawings and sheets judge nothing. Whole matches and pictures test them, which takes minutes.
        (
            "companion/games/discovery/people",
            "companion/games/discovery/printed.py",
            "companion/games/discovery/random_play.py",
            "companion/games/discovery/spreadsheet.py",
        ),
    ),
    "service": Part(
        ("companion/service",), ("tests/companion/service", "tests/companion/app", "tests/companion/storage")
    ),
    "storage": Part(("companion/storage",), ("tests/companion/storage", "tests/companion/service")),
    "access": Part(("web/middleware",), ("tests/web/middleware", "tests/web/api", "tests/web/test_server.py")),
    "tracking": Part(("vision/tracking",), ("tests/vision/tracking",)),
}
WITHOUT = (
    "tests/companion/games/discovery/test_machine.py",  # draws anew each time
    "tests/companion/games/discovery/test_second_judge.py",  # it takes as long as all others together
)
ENOUGH = 0.9
PLUGINS = ("pytest_timeout", "_hypothesis_pytestplugin", "schemathesis.pytest.plugin")
"""Loading all that are installed takes longer than most tests."""
QUIET = (
    *("-q", "-x", "-m", "not long", "-p", "no:cacheprovider"),
    *(f"--ignore={name}" for name in WITHOUT),
    *(word for name in PLUGINS for word in ("-p", name)),
    *("--timeout=100", "--hypothesis-seed=0"),
)
SEEN = "seen.json"
PATIENCE_S = 900.0
"""A mutant may run for ever, also while it is loaded, where no test's timeout helps."""
CONFIG = """
[cosmic-ray]
module-path = {modules}
timeout = 1.0
excluded-modules = []
test-command = "true"
[cosmic-ray.distributor]
name = "local"
"""


def main() -> int:
    said = _arguments()
    part = PARTS[said.part]
    sys.path.insert(0, str(Path.cwd()))
    if said.see:
        return _see(part)
    copy, results = FOLDER / "copy", said.list.resolve() if said.list else FOLDER / "results.jsonl"
    known = [json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()] if results.exists() else []
    if said.again:
        _copy(copy, part, only="tests/")
    else:
        shutil.rmtree(FOLDER, ignore_errors=True)
        _copy(FOLDER / "original", part)
        _copy(copy, part)
    if said.again or (said.list and known):
        told = known
    else:
        _call(copy, str(Path(sys.executable).parent / "cosmic-ray"), "init", "config.toml", "session.sqlite")
        told = [_entry(copy, item) for item in _sample(copy, part, said.mutants, said.seed)]
    # A suite that fails by itself would kill every mutant.
    _call(copy, sys.executable, "tests/tools/mutation.py", "--see", "--part", said.part)
    os.chdir(copy)
    sys.path[0] = str(copy)
    sys.dont_write_bytecode = True  # a mutant's must not outlive it
    for name in ("hypothesis", "hypothesis.strategies"):  # what children would otherwise load each
        importlib.import_module(name)
    if not _survives(range(_count())):
        raise SystemExit("The tests fail in another order, or without a change: they would kill every mutant.")
    began, tried = time.monotonic(), 0
    with suppress(KeyboardInterrupt):  # what was tried by then is told
        for entry in told:
            if not said.again or entry.get("survived", True):
                entry["before"] = entry.pop("survived", None)
                entry["survived"] = _lives(entry)
                tried += 1
            results.write_text("".join(json.dumps(one) + "\n" for one in told), encoding="utf-8")
    sys.stdout.write(f"{tried} mutants tried in {(time.monotonic() - began) / 60:.0f} minutes\n")
    return _report(told)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Mutate the rules and see whether the tests notice.")
    parser.add_argument("--part", choices=PARTS, default="rules")
    parser.add_argument("--mutants", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--again", action="store_true", help="only the survivors of the last run")
    parser.add_argument("--list", type=Path, help="the mutants and their outcomes; those of a list are tried again")
    parser.add_argument("--see", action="store_true", help=argparse.SUPPRESS)  # in a copy: what runs which line
    return parser.parse_args()


def _copy(folder: Path, part: Part, only: str = "") -> None:
    """What the tests need, and the settings of cosmic-ray."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    wanted = ("companion/", "tests/", "docs/", "pyproject.toml", "vision/", "hardware/", "web/")
    for name in listed:
        if name.startswith(wanted) and name.startswith(only):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    (folder / "config.toml").write_text(CONFIG.format(modules=list(part.mutated)), encoding="utf-8")


def _call(copy: Path, *command: str) -> None:
    subprocess.run(
        command,
        cwd=copy,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONDONTWRITEBYTECODE": ""},
        check=True,
    )


def _entry(copy: Path, item: WorkItem) -> dict[str, Any]:
    """A mutant as the results keep it: the changed lines as they were and are, with one line before and after them."""
    mutation = item.mutations[0]
    path = copy / mutation.module_path
    before, after = path.read_text(encoding="utf-8").splitlines(), _mutant(path, item).splitlines()
    steps = [
        step
        for step in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
        if step[0] != "equal"
    ]
    (_, first, _, first_after, _), (_, _, last, _, last_after) = steps[0], steps[-1]
    return {
        "path": str(mutation.module_path),
        "line": first + 1,
        "operator": mutation.operator_name,
        "old": before[max(first - 1, 0) : last + 1],
        "new": after[max(first_after - 1, 0) : last_after + 1],
    }


def _mutant(path: Path, item: WorkItem) -> str:
    """The module with the mutation; empty where there is none, or nothing that Python can read."""
    mutation = item.mutations[0]
    operator = get_operator(mutation.operator_name)(**(mutation.operator_args or {}))
    code = str(mutate_code(path.read_text(encoding="utf-8"), operator, mutation.occurrence) or "")
    try:
        ast.parse(code)
    except SyntaxError:
        return ""
    return code


def _lives(entry: dict[str, Any]) -> bool | None:
    """Whether no test notices while the mutant takes the module's place; None where its lines are gone."""
    path = Path(entry["path"])
    if not path.exists():
        return None
    original, stat = path.read_text(encoding="utf-8"), path.stat()
    lines, old = original.splitlines(), entry["old"]
    places = [place for place in range(len(lines)) if lines[place : place + len(old)] == old]
    if not places:
        return None
    place = min(places, key=lambda place: abs(place - entry["line"]))
    lines[place : place + len(old)] = entry["new"]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    try:
        return _survives(_chosen(path))
    finally:
        path.write_text(original, encoding="utf-8")
        os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))  # or what was compiled of it would count as outdated


def _count() -> int:
    return len(json.loads(Path(SEEN).read_text(encoding="utf-8"))["tests"])


def _survives(chosen: Iterable[int]) -> bool:
    """Whether these tests pass, in a child that has loaded pytest already and nothing of the companion."""
    chosen = sorted(chosen)
    if not chosen:  # pytest without names would run everything
        return True
    tests = json.loads(Path(SEEN).read_text(encoding="utf-8"))["tests"]
    Path("chosen.txt").write_text("\n".join(tests[place] for place in chosen), encoding="utf-8")
    child = os.fork()
    if child == 0:
        os.setsid()
        os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        os._exit(int(pytest.main([*QUIET, "@chosen.txt"])))
    until = time.monotonic() + PATIENCE_S
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status) == 0
        if time.monotonic() > until:
            os.killpg(child, signal.SIGKILL)
        time.sleep(0.02)


class Watched:
    """Tells coverage which test runs, and keeps how long each took."""

    def __init__(self, lines: coverage.Coverage) -> None:
        self.lines = lines
        self.took_s: dict[str, float] = defaultdict(float)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Any:
        """Set-up and end of a test are its own."""
        self.lines.switch_context(item.nodeid)
        try:
            return (yield)
        finally:
            self.lines.switch_context("")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Each test has three parts."""
        self.took_s[report.nodeid] += report.duration


def _see(part: Part) -> int:
    """In a copy: run the tests once, and write down which of them run which lines, the quickest first."""
    lines = coverage.Coverage(
        data_file=None,
        config_file=False,
        include=[name if name.endswith(".py") else f"{name}/*" for name in part.mutated],
        branch=False,
    )
    watched = Watched(lines)
    lines.start()
    status = pytest.main([*QUIET, *part.tests], plugins=[watched])
    lines.stop()
    found = lines.get_data()
    tests = sorted(watched.took_s, key=lambda test: watched.took_s[test])
    rank = {test: place for place, test in enumerate(tests)}
    ran = {
        str(Path(name).relative_to(Path.cwd())): {
            line: sorted(rank.get(test, -1) for test in by) for line, by in found.contexts_by_lineno(name).items()
        }
        for name in found.measured_files()
    }
    Path(SEEN).write_text(json.dumps({"tests": tests, "ran": ran}), encoding="utf-8")
    return int(status)


def _chosen(path: Path) -> set[int]:
    """The tests that ran the statements in which a module now differs from its original."""
    seen = json.loads(Path(SEEN).read_text(encoding="utf-8"))
    ran = seen["ran"].get(str(path), {})
    chosen = {test for line in _changed(Path("..", "original", path), path) for test in ran.get(str(line), ())}
    if -1 in chosen:  # it ran while the modules were loaded: anything may depend on it
        return set(range(len(seen["tests"])))
    return chosen


def _changed(original: Path, mutant: Path) -> set[int]:
    """The lines of the original's statements in which the mutant differs."""
    before, after = (path.read_text(encoding="utf-8") for path in (original, mutant))
    if before == after:
        return set()
    steps = difflib.SequenceMatcher(None, before.splitlines(), after.splitlines(), autojunk=False).get_opcodes()
    touched = {
        line
        for kind, first, last, *_ in steps
        if kind != "equal"
        for line in range(first + 1, max(last, first + 1) + 1)
    }
    spans = [_header(node) for node in ast.walk(ast.parse(before)) if isinstance(node, ast.stmt)]
    return touched | {line for span in spans if touched & set(span) for line in span}


def _header(node: ast.stmt) -> range:
    """The lines of a statement without the statements within it."""
    first = min((node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))))
    inner = [one.lineno for part in ("body", "cases") for one in getattr(node, part, ()) if hasattr(one, "lineno")]
    last = min(inner) - 1 if inner else node.end_lineno or first
    return range(first, max(first, last) + 1)


def _sample(copy: Path, part: Part, wanted: int, seed: int) -> list[WorkItem]:
    """Each module its share, and within it one of each kind of mutation by turns."""
    with use_db(str(copy / "session.sqlite"), WorkDB.Mode.open) as session:
        found = [
            item
            for item in session.work_items
            if not (str(item.mutations[0].module_path).startswith(part.without) or _never_runs(copy, item))
        ]
    dice = random.Random(seed)
    kinds: dict[str, dict[str, list[WorkItem]]] = defaultdict(lambda: defaultdict(list))
    for item in sorted(found, key=lambda item: (str(item.mutations[0].module_path), _place(item))):
        kinds[str(item.mutations[0].module_path)][item.mutations[0].operator_name].append(item)
    chosen: list[WorkItem] = []
    for module in sorted(kinds):
        total = sum(map(len, kinds[module].values()))
        share = max(5, round(wanted * total / len(found)))
        chosen += _by_turns(list(kinds[module].values()), share, dice, lambda item: _is_change(copy, item))
    dice.shuffle(chosen)
    for place, item in enumerate(chosen):
        if _cannot_be_seen(copy, item):
            chosen[place] = _instead(copy, item, found, chosen, dice)
    return chosen


ORDERS = ("Lt", "LtE", "Gt", "GtE")


def _cannot_be_seen(copy: Path, item: WorkItem) -> bool:
    """Whether no test could or should tell it from the original: see the head of this file."""
    mutation = item.mutations[0]
    _, _, kind = mutation.operator_name.partition("Operator_")
    was, _, now = kind.partition("_")
    if (was, now) in {("Eq", "Is"), ("NotEq", "IsNot")}:
        return True
    line = (copy / mutation.module_path).read_text(encoding="utf-8").splitlines()[mutation.start_pos[0] - 1]
    before, after = line[: mutation.start_pos[1]].rstrip(), line[mutation.end_pos[1] :].lstrip()
    if now in ORDERS:
        return before.endswith(('"', "'")) or after.startswith(('"', "'"))
    return was == "Add" and now in {"BitOr", "BitXor"} and bool(re.match(r"1\b", after) or re.search(r"\b1$", before))


def _instead(
    copy: Path, item: WorkItem, found: list[WorkItem], chosen: list[WorkItem], dice: random.Random
) -> WorkItem:
    """Another mutant of the same place and kind, or the nearest of the module that is not chosen yet."""
    mutation = item.mutations[0]
    family = mutation.operator_name.partition("_")[0]
    taken = {id(one) for one in chosen}

    def distance(other: WorkItem) -> tuple[bool, int, bool, float]:
        it = other.mutations[0]
        elsewhere = it.start_pos != mutation.start_pos
        return (
            elsewhere,
            abs(it.start_pos[0] - mutation.start_pos[0]),
            not it.operator_name.startswith(family),
            dice.random(),
        )

    others = [one for one in found if one.mutations[0].module_path == mutation.module_path and id(one) not in taken]
    return next(one for one in sorted(others, key=distance) if not _cannot_be_seen(copy, one) and _is_change(copy, one))


def _place(item: WorkItem) -> tuple[str, int]:
    return item.mutations[0].operator_name, item.mutations[0].occurrence


def _by_turns(
    kinds: list[list[WorkItem]], wanted: int, dice: random.Random, suits: Callable[[WorkItem], bool]
) -> list[WorkItem]:
    for kind in kinds:
        dice.shuffle(kind)
    dice.shuffle(kinds)
    chosen: list[WorkItem] = []
    while len(chosen) < wanted and any(kinds):
        turn = (item for kind in kinds if kind and suits(item := kind.pop()))
        chosen += islice(turn, wanted - len(chosen))
    return chosen


def _is_change(copy: Path, item: WorkItem) -> bool:
    """Whether it changes what the program does: cosmic-ray also takes the star of a signature for a multiplication."""
    path = copy / item.mutations[0].module_path
    original, mutant = path.read_text(encoding="utf-8"), _mutant(path, item)
    if not mutant or mutant.splitlines() == original.splitlines():
        return False
    if "BinaryOperator" not in item.mutations[0].operator_name:
        return True
    return _operators(original) != _operators(mutant)


def _operators(code: str) -> list[str]:
    return [type(node.op).__name__ for node in ast.walk(ast.parse(code)) if isinstance(node, ast.BinOp | ast.AugAssign)]


def _never_runs(copy: Path, item: WorkItem) -> bool:
    """An annotation: it is never evaluated, so no test can notice."""
    mutation = item.mutations[0]
    at = (mutation.start_pos[0], mutation.start_pos[1])
    return any(begin <= at < end for begin, end in _annotations(copy / mutation.module_path))


_known: dict[Path, list[tuple[tuple[int, int], tuple[int, int]]]] = {}


def _annotations(path: Path) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    if path not in _known:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        _known[path] = [_span(node) for node in _annotating(tree)]
    return _known[path]


def _annotating(tree: ast.AST) -> Iterator[ast.expr]:
    for node in ast.walk(tree):
        for found in (getattr(node, "annotation", None), getattr(node, "returns", None)):
            if isinstance(found, ast.expr):
                yield found


def _span(node: ast.expr) -> tuple[tuple[int, int], tuple[int, int]]:
    return (node.lineno, node.col_offset), (node.end_lineno or node.lineno, node.end_col_offset or 0)


def _report(told: list[dict[str, Any]]) -> int:
    tried = [entry for entry in told if entry.get("survived") is not None]
    survivors = [entry for entry in tried if entry["survived"]]
    for entry in sorted(survivors, key=lambda entry: (entry["path"], entry["line"])):
        note = "  (killed before, lives now)" if entry["before"] is False else ""
        changes = zip(entry["old"], entry["new"], strict=False)
        change = "  ".join(f"{old.strip()} => {new.strip()}" for old, new in changes if old != new)
        sys.stdout.write(f"{entry['path']}:{entry['line']}  {change}{note}\n")
    killed = len(tried) - len(survivors)
    also = "".join(
        f", {count} {what}"
        for what, count in (
            ("of them in a second try", sum(bool(entry["before"]) and not entry["survived"] for entry in tried)),
            ("killed before, live now", sum(entry["before"] is False for entry in survivors)),
            ("whose lines are gone", sum(entry.get("survived", True) is None for entry in told)),
        )
        if count
    )
    sys.stdout.write(f"{len(tried)} mutants: {killed} killed ({killed / max(len(tried), 1):.1%}){also}\n")
    return 0 if killed >= ENOUGH * len(tried) else 1


if __name__ == "__main__":
    sys.exit(main())
