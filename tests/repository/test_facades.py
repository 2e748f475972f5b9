"""The packages' facades have the names they promise and import nothing heavy; every example in a docstring runs."""

from __future__ import annotations

import ast
import doctest
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from support.real_desk import RealDesk

ROOT = Path(__file__).parents[2]
HEAVY = ("cv2", "flask", "sqlite3", "numpy", "babel", "waitress", "paho", "gpiozero")
TOPS = ("companion", "vision", "hardware", "web")
GLOBALS = {name: {"services": RealDesk} for name in ("web", "web.app", "web.server")}
"""By module, what its examples take for granted, and how it is made."""


def promised(package: str) -> list[str]:
    """The names of a package's face, as its type checker reads them; none for a package without one."""
    tree = ast.parse((ROOT / package.replace(".", "/") / "__init__.py").read_text("utf-8"))
    blocks = [node for node in tree.body if isinstance(node, ast.If)]
    return [
        one.name for block in blocks for line in block.body if isinstance(line, ast.ImportFrom) for one in line.names
    ]


def with_examples() -> list[str]:
    """The modules of the product that show a call in a docstring."""
    files = sorted(file for top in TOPS for file in (ROOT / top).rglob("*.py"))
    modules = [file.relative_to(ROOT).with_suffix("") for file in files if ">>> " in file.read_text("utf-8")]
    return [".".join(module.parts).removesuffix(".__init__") for module in modules]


PACKAGES = [
    *("companion", "companion.games", "companion.history", "companion.referee", "companion.service"),
    *("companion.storage", "hardware", "vision", "vision.synthetic", "web"),
]


def test_these_are_all_packages_that_have_a_face() -> None:
    files = [file for top in TOPS for file in (ROOT / top).rglob("__init__.py")]
    packages = {".".join(file.parent.relative_to(ROOT).parts) for file in files if "lazy(" in file.read_text("utf-8")}
    assert packages == set(PACKAGES)


def test_every_facade_shows_a_call() -> None:
    assert set(PACKAGES) <= set(with_examples())


@pytest.mark.parametrize("name", with_examples())
def test_the_calls_in_a_docstring_do_what_they_say(name: str) -> None:
    needed = {key: make() for key, make in GLOBALS.get(name, {}).items()}
    result = doctest.testmod(import_module(name), extraglobs=needed)
    assert result.attempted > 0
    assert result.failed == 0


@pytest.mark.parametrize("name", PACKAGES)
def test_a_face_has_every_name_that_it_promises_and_no_other(name: str) -> None:
    package = import_module(name)
    for one in promised(name):
        assert getattr(package, one) is not None
        assert one in dir(package)
    with pytest.raises(AttributeError, match="no attribute 'Nonsense'"):
        _ = package.Nonsense


@pytest.mark.parametrize("name", PACKAGES)
def test_importing_a_face_loads_nothing_heavy(name: str) -> None:
    code = f"import {name}, sys; print([heavy for heavy in {HEAVY} if heavy in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
