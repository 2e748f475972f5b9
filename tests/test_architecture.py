"""The house keeps its shape: small rooms, devices behind one door each, rules that touch nothing."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = sorted(path for wing in ("companion", "vision", "hardware", "web") for path in (ROOT / wing).rglob("*.py"))
PURE = {
    "__future__", "collections", "dataclasses", "enum", "functools", "itertools", "math", "operator", "types", "typing",
    "companion",
}  # fmt: skip
CORE = ["table.py", "game.py", "events.py", "messages.py", "news.py", "record.py", "corrections.py", "referee.py"]
CORE += ["watch.py", "readings.py", "showings.py", "questions.py", "takeback.py"]
SYLLABLES = re.compile(r"(Manager|Handler|Helper|Utils|Data|Info|Base|Abstract|process|do_)")


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


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_room_fits_on_five_screens(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 300, "split it, or ask which room the rest belongs to"


@pytest.mark.parametrize(
    "path",
    [*(ROOT / "companion" / name for name in CORE), *sorted((ROOT / "companion" / "games").rglob("*.py"))],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_rules_and_referee_import_values_and_each_other_and_nothing_else(path):
    assert imported(path) <= PURE


def test_each_device_has_one_door():
    assert where("picamera2") in ([], ["vision/picamera.py"])
    assert all(path.startswith("hardware/") for path in where("gpiozero"))
    assert all(path.startswith("web/") for path in (*where("flask"), *where("waitress"), *where("paho")))
    assert all(path.startswith("vision/") for path in (*where("zxingcpp"), *where("pyzbar")))
    assert where("sqlite3") in (["companion/doctor.py", "companion/eventlog.py"], ["companion/eventlog.py"])


def test_classes_are_named_for_what_they_are():
    named = [
        f"{path.relative_to(ROOT)}: {node.name}"
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef) and SYLLABLES.search(node.name)
    ]
    assert named == []
