"""Each device and framework has one place, and the judge of cards touches nothing but values."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = sorted(path for wing in ("companion", "vision", "hardware", "web") for path in (ROOT / wing).rglob("*.py"))
PURE = {
    "__future__", "collections", "dataclasses", "enum", "functools", "itertools", "math", "operator", "statistics",
    "types", "typing",
    "companion",
}  # fmt: skip
CORE = [
    *("companion/public/table.py", "companion/public/text.py", "companion/public/standing.py"),
    *("companion/public/updates.py", "companion/games/protocol.py", "companion/history", "companion/referee"),
    "companion/games/discovery",
]
ALSO = {
    "companion/referee/match.py": {"logging"},
    "companion/games/protocol.py": {"random"},  # the type of dice that are handed in, for the type checker alone:
    "companion/games/discovery/random_play.py": {"random"},  # the contract "pure" sees that nobody throws them here
    "companion/games/discovery/module.py": {"re"},
}


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
    paths = [ROOT / name for name in CORE]
    files = [file for path in paths for file in ([path] if path.suffix else sorted(path.rglob("*.py")))]
    return [str(file.relative_to(ROOT)) for file in files]


@pytest.mark.parametrize("name", core())
def test_rules_history_and_referee_import_values_and_each_other_and_nothing_else(name):
    assert imported(ROOT / name) - ALSO.get(name, set()) <= PURE


def test_each_device_and_framework_has_one_place():
    assert where("picamera2") in ([], ["vision/camera/picamera.py"])
    assert all(path.startswith("hardware/") for path in where("gpiozero"))
    assert all(path.startswith("web/") for path in (*where("flask"), *where("waitress"), *where("paho")))
    assert all(path.startswith("vision/") for path in (*where("zxingcpp"), *where("pyzbar")))
    assert where("sqlite3") == ["companion/storage/event_log.py", "companion/system/doctor.py"]
