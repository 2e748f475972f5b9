"""Whether the tests notice when the rules change: a seeded sample of mutants, made and run by cosmic-ray.

    python tests/mutation.py                    600 mutants of the rules and the referee
    python tests/mutation.py --mutants 60 --seed 2 --jobs 2

It works in copies under build/mutation and never touches the tree. The sample is stratified: each module gets its
share, each kind of mutation within it. Left out is what never runs: annotations. Against a mutant stand the tests that
ran the changed statement when nothing was changed, the quickest first; the others cannot tell it from the original.
At the end stand the survivors, each with its change; status 1 when fewer than 90 % were killed.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import coverage
import pytest
from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import WorkItem, WorkResult

ROOT = Path(__file__).resolve().parents[1]
MUTATED = ("companion/games/discovery", "companion/referee.py", "companion/watch.py", "companion/corrections.py")
TESTS = (
    "tests/games",
    "tests/companion/test_playthroughs.py",
    "tests/companion/test_referee.py",
    "tests/companion/test_record.py",
    "tests/companion/test_figures.py",
    "tests/companion/test_tomorrow.py",
)
WITHOUT = "tests/games/discovery/test_machine.py"  # what it tries is drawn anew each time, and so would be the verdict
ENOUGH = 0.9
QUIET = (
    *("-q", "-x", "-m", "not long", "-p", "no:cacheprovider"),
    *("-p", "pytest_timeout", "--timeout=100"),  # a mutant may run for ever; a test takes seconds
    f"--ignore={WITHOUT}",
    *("-p", "_hypothesis_pytestplugin", "--hypothesis-seed=0"),
)
SEEN = "seen.json"
CONFIG = """
[cosmic-ray]
module-path = {modules}
timeout = 1200.0
excluded-modules = []
test-command = "{python} {script} --against-the-mutant"
[cosmic-ray.distributor]
name = "local"
"""


def main() -> int:
    said = _arguments()
    sys.path.insert(0, str(Path.cwd()))
    if said.against_the_mutant:
        return _try()
    if said.see:
        return _see()
    folder = ROOT / "build" / "mutation"
    shutil.rmtree(folder, ignore_errors=True)
    _copy(folder / "original")
    copies = [_copy(folder / f"copy-{number}") for number in range(said.jobs)]
    _call(
        copies[0], sys.executable, "tests/mutation.py", "--see"
    )  # a suite that fails by itself would kill every mutant
    _call(copies[0], sys.executable, "tests/mutation.py", "--against-the-mutant", "--control")  # nor may their order
    for copy in copies[1:]:
        shutil.copy(copies[0] / SEEN, copy)
    _run(copies[0], "init", "config.toml", "session.sqlite")
    sample = _sample(copies[0], said.mutants, said.seed)
    for copy in copies[1:]:
        shutil.copy(copies[0] / "session.sqlite", copy)
    for number, copy in enumerate(copies):
        _keep(copy, {item.job_id for item in sample[number :: said.jobs]})
    with ThreadPoolExecutor(said.jobs) as workers:
        list(workers.map(lambda copy: _run(copy, "exec", "config.toml", "session.sqlite"), copies))
    return _report(copies)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Mutate the rules and see whether the tests notice.")
    parser.add_argument("--mutants", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--see", action="store_true", help=argparse.SUPPRESS)  # in a copy: what runs which line
    parser.add_argument("--against-the-mutant", action="store_true", help=argparse.SUPPRESS)  # in a copy
    parser.add_argument("--control", action="store_true", help=argparse.SUPPRESS)  # in a copy: all tests, no mutant
    return parser.parse_args()


def _copy(folder: Path) -> Path:
    """What the tests need, and the settings of cosmic-ray."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    for name in listed:
        if name.startswith(("companion/", "tests/", "docs/", "pyproject.toml", "vision/", "hardware/", "web/")):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    settings = CONFIG.format(modules=list(MUTATED), python=sys.executable, script="tests/mutation.py")
    (folder / "config.toml").write_text(settings, encoding="utf-8")
    return folder


def _run(copy: Path, *words: str) -> None:
    """One command of cosmic-ray in a copy."""
    _call(copy, str(Path(sys.executable).parent / "cosmic-ray"), *words)


def _call(copy: Path, *command: str) -> None:
    """One command in a copy; loading only the pytest plugins that are needed halves the time."""
    settings = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    subprocess.run(command, cwd=copy, env=settings, check=True)


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


def _see() -> int:
    """Run the tests once, in a copy, and write down which of them run which lines, the quickest first."""
    lines = coverage.Coverage(
        data_file=None,
        config_file=False,
        include=[name if name.endswith(".py") else f"{name}/*" for name in MUTATED],
        branch=False,
    )
    watched = Watched(lines)
    lines.start()
    status = pytest.main([*QUIET, *TESTS], plugins=[watched])
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


def _try() -> int:
    """In a copy that holds one mutant: the tests that can notice."""
    seen = json.loads(Path(SEEN).read_text(encoding="utf-8"))
    chosen: set[int] = set()
    for path in (
        path for name in MUTATED for path in ([Path(name)] if name.endswith(".py") else Path(name).glob("*.py"))
    ):
        ran = seen["ran"].get(str(path), {})
        for line in _changed(Path("..", "original", path), path):
            chosen.update(ran.get(str(line), ()))
    if "--control" in sys.argv or -1 in chosen:  # it ran while the modules were loaded: anything may depend on it
        chosen = set(range(len(seen["tests"])))
    if not chosen:
        return 0
    Path("chosen.txt").write_text("\n".join(seen["tests"][place] for place in sorted(chosen)), encoding="utf-8")
    return int(pytest.main([*QUIET, "@chosen.txt"]))


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


def _sample(copy: Path, wanted: int, seed: int) -> list[WorkItem]:
    """Each module its share, and within it one of each kind of mutation by turns."""
    with use_db(str(copy / "session.sqlite"), WorkDB.Mode.open) as session:
        found = [item for item in session.work_items if not _never_runs(copy, item)]
    dice = random.Random(seed)
    kinds: dict[str, dict[str, list[WorkItem]]] = defaultdict(lambda: defaultdict(list))
    for item in sorted(found, key=lambda item: (str(item.mutations[0].module_path), _place(item))):
        kinds[str(item.mutations[0].module_path)][item.mutations[0].operator_name].append(item)
    chosen: list[WorkItem] = []
    for module in sorted(kinds):
        total = sum(map(len, kinds[module].values()))
        share = max(5, round(wanted * total / len(found)))
        chosen += _by_turns(list(kinds[module].values()), share, dice)
    dice.shuffle(chosen)
    return chosen


def _place(item: WorkItem) -> tuple[str, int]:
    return item.mutations[0].operator_name, item.mutations[0].occurrence


def _by_turns(kinds: list[list[WorkItem]], wanted: int, dice: random.Random) -> list[WorkItem]:
    for kind in kinds:
        dice.shuffle(kind)
    dice.shuffle(kinds)
    chosen: list[WorkItem] = []
    while len(chosen) < wanted and any(kinds):
        chosen += [kind.pop() for kind in kinds if kind][: wanted - len(chosen)]
    return chosen


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


def _keep(copy: Path, chosen: set[str]) -> None:
    """Strike all other work from the session, in one transaction: cosmic-ray itself would take minutes to skip it."""
    session = sqlite3.connect(copy / "session.sqlite")
    listed = ", ".join(f"'{job}'" for job in sorted(chosen))
    with session:
        for table in ("mutation_specs", "work_items"):
            session.execute(f"DELETE FROM {table} WHERE job_id NOT IN ({listed})")
    session.close()


def _report(copies: list[Path]) -> int:
    outcomes: Counter[str] = Counter()
    survivors: list[str] = []
    for copy in copies:
        with use_db(str(copy / "session.sqlite"), WorkDB.Mode.open) as session:
            items = {item.job_id: item for item in session.work_items}
            for job, result in session.results:
                verdict = result.test_outcome.value if result.test_outcome else str(result.worker_outcome.value)
                outcomes[verdict] += 1
                if verdict == "survived":
                    survivors.append(_line(items[job], result))
    tried = sum(outcomes.values())
    killed = outcomes["killed"] + outcomes["incompetent"]
    said = f"{tried} mutants: {killed} killed ({killed / max(1, tried):.1%}); {dict(outcomes)}"
    sys.stdout.write("\n".join([*sorted(survivors), said, ""]))
    return 0 if killed >= ENOUGH * tried else 1


def _line(item: WorkItem, result: WorkResult) -> str:
    mutation = item.mutations[0]
    changed = [line for line in (result.diff or "").splitlines() if line[:1] in "+-" and line[:3] not in ("+++", "---")]
    change = " => ".join(line[1:].strip() for line in changed)
    return f"{mutation.module_path}:{mutation.start_pos[0]} {mutation.operator_name}: {change}"


if __name__ == "__main__":
    sys.exit(main())
