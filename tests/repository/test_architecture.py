"""Each device and framework has one place, and the judge of cards touches nothing but values."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("companion", "vision", "hardware", "web")
SOURCES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
PURE = {
    "__future__", "collections", "dataclasses", "enum", "functools", "itertools", "math", "operator", "statistics",
    "types", "typing",
    "companion",
}  # fmt: skip
CORE = [
    *("companion/public/table.py", "companion/public/text.py", "companion/public/standing.py"),
    *("companion/public/updates.py", "companion/games/protocol.py", "companion/history", "companion/referee"),
    "companion/games/game_module.py",
    *("companion/games/lattice.py", "companion/games/carcassonne", "companion/games/darwinci"),
    "companion/games/discovery",
    "companion/games/lands",
]
ALSO = {
    "companion/history/seating.py": {"unicodedata"},  # two names that look alike are one
    "companion/referee/match.py": {"logging"},
    # "random": the type of dice that are handed in, for the type checker alone; "importlib": a game's people and what
    # it prints are loaded only for a simulated table and for paper, and no rule asks for them.
    "companion/games/game_module.py": {"importlib", "random"},
    "companion/games/discovery/random_play.py": {"random"},  # the contract "pure" sees that no dice are thrown here
    "companion/games/discovery/module.py": {"re"},
    "companion/games/discovery/deck.py": {"re"},
    # digits of any keyboard are numbers, and a separator by which a file is no table is passed over
    "companion/games/discovery/spreadsheet.py": {"contextlib", "csv", "re", "unicodedata"},
    "companion/games/carcassonne/random_play.py": {"random"},
    "companion/games/carcassonne/module.py": {"re"},
    "companion/games/darwinci/random_play.py": {"random"},
    "companion/games/darwinci/module.py": {"re"},
    "companion/games/darwinci/places.py": {"re"},
    "companion/games/lands/random_play.py": {"random"},
    "companion/games/lands/module.py": {"re"},
    "companion/games/lands/rules/ways.py": {"heapq"},
}


@cache
def imported(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.split(".")[0])
    return found


def where(module: str) -> list[str]:
    return [str(path.relative_to(ROOT)) for path in SOURCES if module in imported(path)]


def core() -> list[str]:
    """Without the people of a game's simulated table, who do throw dice, and its pages: no rule knows of either."""
    paths = [ROOT / name for name in CORE]
    files = [file for path in paths for file in ([path] if path.suffix else sorted(path.rglob("*.py")))]
    return [str(file.relative_to(ROOT)) for file in files if not {"people", "pages"} & {file.stem, file.parent.name}]


@pytest.mark.parametrize("name", core())
def test_rules_history_and_referee_import_values_and_each_other_and_nothing_else(name):
    assert imported(ROOT / name) - ALSO.get(name, set()) <= PURE


def test_each_device_and_framework_has_one_place():
    assert where("picamera2") in ([], ["vision/camera/picamera.py"])
    assert all(path.startswith("hardware/") for path in where("gpiozero"))
    pages_of_all = ("web/", "companion/plugins/")
    assert all(path.startswith(pages_of_all) for path in where("waitress"))
    assert all(path.startswith("companion/plugins/") for path in where("paho"))
    pages = tuple(
        f"companion/games/{game}/pages/__init__.py" for game in ("carcassonne", "darwinci", "discovery", "lands")
    )
    assert all(path.startswith(pages_of_all) for path in set(where("flask")) - {*pages})
    assert all(path.startswith("vision/") for path in (*where("zxingcpp"), *where("pyzbar")))
    assert where("sqlite3") == [
        *("companion/storage/backup.py", "companion/storage/hub_file.py", "companion/storage/log_copy.py"),
        *("companion/storage/log_file.py", "companion/storage/whole_backup.py", "companion/system/doctor.py"),
    ]
    assert where("tomlkit") == ["companion/storage/toml_file.py"]


# Each import contract notices a planted violation.

PLANTED = {
    "floors": ("companion/history/seating.py", "companion.service.runner"),
    "wings": ("hardware/patterns.py", "companion.history.events"),
    "apart": ("hardware/patterns.py", "vision.messages"),
    "core": ("companion/history/seating.py", "numpy"),
    "pages": ("companion/games/lands/pages/report.py", "web.pages.chart"),
    "door": ("companion/games/registry.py", "companion.games.discovery.deck"),
    "games": ("companion/games/protocol.py", "companion.games.square_board"),
    "pure": ("companion/history/seating.py", "random"),
    "people": ("companion/referee/questions.py", "companion.simulation.deeds"),
    "hub": ("companion/plugins/hub/pairing.py", "companion.storage.settings"),
    "plugins": ("web/pages/chart.py", "companion.plugins.hub.tournament"),
    "plugins-apart": ("companion/plugins/mqtt/table.py", "companion.plugins.hub.pairing"),
    "box": ("companion/app/table.py", "companion.box.restore"),
    "vision": ("vision/geometry/quads.py", "vision.tracking.track"),
    "web": ("web/middleware/rate_limit.py", "web.pages.chart"),
}
"""Contract: a module, and what it must not import."""

MORE = (
    ("door", "companion/games/lands/deck.py", "companion.games.carcassonne.deck"),
    ("door", "companion/games/lands/people.py", "companion.games.registry"),
    ("door", "web/pages/chart.py", "companion.games.lands.pages.report"),
    ("door", "companion/games/lands/deck.py", "companion.games.lands.pages.report"),
    ("core", "companion/games/lands/deck.py", "flask"),
    ("wings", "companion/plugins/mqtt/publisher.py", "companion.history.events"),
    ("apart", "companion/plugins/mqtt/publisher.py", "web.language"),
    ("plugins", "companion/app/table_plugins.py", "companion.plugins.mqtt"),
    ("plugins", "web/push/sse.py", "paho"),
    ("plugins-apart", "companion/plugins/hub/command.py", "companion.plugins.mqtt.publisher"),
)

DOOR = "tests/support/door_contract.py"


@pytest.fixture(scope="module")
def copied_tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python files of the product and its contracts, in a folder of their own."""
    folder = tmp_path_factory.mktemp("tree")
    for path in SOURCES:
        copy = folder / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    shutil.copy(ROOT / "pyproject.toml", folder)
    (folder / DOOR).parent.mkdir(parents=True)
    shutil.copy(ROOT / DOOR, folder / DOOR)
    return folder


def contracts_kept(tree: Path, contract: str) -> tuple[bool, str]:
    """Whether import-linter finds one contract kept, and what it says."""
    command = [Path(sys.executable).with_name("lint-imports"), "--no-cache", "--contract", contract]
    run = subprocess.run(
        command, cwd=tree, env={**os.environ, "PYTHONPATH": str(tree)}, capture_output=True, text=True, check=False
    )
    return run.returncode == 0, run.stdout + run.stderr


def test_a_violation_is_planted_for_every_contract():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert [one["id"] for one in settings["tool"]["importlinter"]["contracts"]] == list(PLANTED)


@pytest.mark.slow
@pytest.mark.parametrize(("contract", "file", "module"), [*((one, *PLANTED[one]) for one in PLANTED), *MORE])
def test_each_contract_catches_a_planted_violation(contract: str, file: str, module: str, copied_tree: Path):
    path = copied_tree / file
    original = path.read_text("utf-8")
    path.write_text(f"{original}\n\ndef planted() -> None:\n    import {module}\n", encoding="utf-8")
    try:
        kept, said = contracts_kept(copied_tree, contract)
    finally:
        path.write_text(original, encoding="utf-8")
    assert not kept
    assert f"{file.removesuffix('.py').replace('/', '.')} -> {module}" in said


# No circles, no class name twice.


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


MODULES = {name_of(path): path for path in SOURCES}


def direct_imports(module: str, *, types: bool = False) -> set[str]:
    """The product's modules that this one imports anywhere, inside functions too.

    Args:
        types: Also those that it imports for type checkers alone.
    """
    tree = ast.parse(MODULES[module].read_text("utf-8"))
    typing_only = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for statement in node.body
        for inner in ast.walk(statement)
    }
    names: set[str] = set()
    for node in ast.walk(tree):
        if node in typing_only and not types:
            continue
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            inner_modules = {f"{node.module}.{alias.name}" for alias in node.names} & MODULES.keys()
            names |= inner_modules
            if len(inner_modules) < len(node.names):
                names.add(node.module)
    return {name for name in names if name in MODULES and name != module}


def circles(imports: dict[str, set[str]]) -> list[tuple[str, ...]]:
    """Groups of modules each of which can be reached from each other."""

    def reachable(start: str) -> set[str]:
        seen: set[str] = set()
        ahead = list(imports[start])
        while ahead:
            if (module := ahead.pop()) not in seen:
                seen.add(module)
                ahead += imports[module]
        return seen

    far = {module: reachable(module) for module in imports}
    in_circles = [module for module in imports if module in far[module]]
    return sorted({tuple(sorted(m for m in in_circles if m in far[one] and one in far[m])) for one in in_circles})


@pytest.mark.slow
def test_no_module_imports_itself_by_way_of_others():
    assert circles({module: direct_imports(module) for module in MODULES}) == []
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == [("b", "c")]


def test_what_puts_a_table_together_knows_no_circle_not_even_of_types():
    app = {module for module in MODULES if module.startswith("companion.app.")}
    assert circles({module: direct_imports(module, types=True) & app for module in app}) == []


def test_no_class_name_stands_twice():
    """One word, one meaning: a class is known by its name alone. Private ones are a module's own business."""
    places: dict[str, list[str]] = {}
    for module, path in MODULES.items():
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(module)
    twice = {name: where for name, where in places.items() if len(where) > 1}
    assert twice == {}
