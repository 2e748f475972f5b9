"""Docstrings name what is there: attributes that a class has, and arguments that a function takes."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("companion", "vision", "hardware", "web")
NAMES = re.compile(r"^    (\w[\w, ]*?)(?: \([^)]*\))?: ", re.MULTILINE)
Defined = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def named(section: str, docstring: str) -> Iterator[str]:
    """The names that a section such as ``Args:`` explains."""
    found = re.search(rf"^{section}:\n((?:    .*\n|\n)*)", f"{docstring}\n", re.MULTILINE)
    for names in NAMES.findall(found[1]) if found else ():
        yield from names.split(", ")


def attributes(node: ast.ClassDef) -> set[str]:
    """What a class has by its own lines: fields, properties, methods, and what its methods assign to ``self``."""
    inside = {one.attr for one in ast.walk(node) if isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name)}
    fields = {one.target.id for one in node.body if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)}
    return inside | fields | {one.name for one in node.body if isinstance(one, Defined)} | set(assigned(node))


def assigned(node: ast.ClassDef) -> Iterator[str]:
    for one in node.body:
        if isinstance(one, ast.Assign):
            yield from (target.id for target in one.targets if isinstance(target, ast.Name))


def arguments(node: Defined) -> set[str]:
    functions = [node] if not isinstance(node, ast.ClassDef) else []
    if isinstance(node, ast.ClassDef):
        own = [one for one in node.body if isinstance(one, ast.FunctionDef)]
        functions = [one for one in own if one.name in ("__init__", "__new__")]
        if not functions:  # a dataclass takes its fields
            return attributes(node)
    given = [one.args for one in functions]
    named_ones = [one for args in given for one in (*args.posonlyargs, *args.args, *args.kwonlyargs)]
    return {one.arg for one in named_ones} | {one.arg for args in given for one in (args.vararg, args.kwarg) if one}


def missing() -> Iterator[str]:
    for path in sorted(file for package in PACKAGES for file in (ROOT / package).rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        bases = {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and node.bases}
        for node in ast.walk(tree):
            if not isinstance(node, Defined):
                continue
            docstring = ast.get_docstring(node) or ""
            where = f"{path.relative_to(ROOT)}: {node.name}"
            yield from (f"{where}({name})" for name in named("Args", docstring) if name not in arguments(node))
            if isinstance(node, ast.ClassDef) and node.name not in bases:  # others may have what they inherit
                has = attributes(node)
                yield from (f"{where}.{name}" for name in named("Attributes", docstring) if name not in has)


def test_docstrings_name_what_is_there() -> None:
    assert list(missing()) == []


LAMP = """
class Lamp:
    '''A lamp.

    Attributes:
        on: It shines.
        heard_s: Gone.
    '''

    on: bool
"""


def test_a_name_that_is_not_there_would_be_found() -> None:
    (node,) = ast.parse(LAMP).body
    assert isinstance(node, ast.ClassDef)
    assert set(named("Attributes", ast.get_docstring(node) or "")) - attributes(node) == {"heard_s"}
