"""Programs that tests look for: ``./test`` installs them on a fresh machine, or its last line names tests left out."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
SCRIPT = (ROOT / "test").read_text("utf-8")

OF_EVERY_DEBIAN = {"apt-get", "dpkg", "dpkg-deb"}
OF_ANOTHER = {
    "firefox": "firefox-esr",
    "node": "npm",
    "mosquitto_passwd": "mosquitto",  # pragma: allowlist secret
    "pdftotext": "pdftoppm",
}
"""Programs that come with one that is wanted."""


def looked_for(source: str) -> Iterator[str]:
    """The names that a test gives to ``shutil.which``, one by one or all of a tuple."""
    tree = ast.parse(source)
    tuples = {
        target.id: node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }

    def names(node: ast.AST) -> Iterator[str]:
        node = tuples.get(node.id, node) if isinstance(node, ast.Name) else node
        for inside in ast.walk(node):
            if isinstance(inside, ast.Constant) and isinstance(inside.value, str):
                yield inside.value

    for node in ast.walk(tree):
        if isinstance(node, ast.GeneratorExp) and "which(" in ast.unparse(node.elt):
            yield from names(node.generators[0].iter)
        if (
            isinstance(node, ast.Call)
            and ast.unparse(node.func) in ("shutil.which", "map")
            and "which" in ast.unparse(node)
        ):
            for argument in node.args:
                yield from names(argument)


def test_a_fresh_machine_is_given_every_program_that_a_test_looks_for() -> None:
    wanted = set(re.findall(r"^ *want (\S+) ", SCRIPT, re.MULTILINE)) | {"bash", "zsh", "fish"}
    found = {
        name: path.relative_to(ROOT)
        for path in (ROOT / "tests").rglob("*.py")
        if "which(" in (source := path.read_text("utf-8")) or "shutil.which" in source
        for name in looked_for(source)
        if path != Path(__file__)
    }
    assert {"minisign", "caddy", "gpg", "ip"} <= set(found)
    lacking = {name: path for name, path in found.items() if OF_ANOTHER.get(name, name) not in wanted | OF_EVERY_DEBIAN}
    assert lacking == {}, "./test does not want them: a line in want_programs brings each"


def test_a_fresh_machine_is_given_what_the_script_itself_runs() -> None:
    """npm was not there, so no script of a page was checked, and no page for who it keeps out."""
    wanted = set(re.findall(r"^ *want (\S+) ", SCRIPT, re.MULTILINE))
    run = {*re.findall(r"command -v ([a-z][\w-]*)", SCRIPT), *re.findall(r"\b(npm) install", SCRIPT)}
    assert {"npm", "node", "shellcheck"} <= run
    assert {OF_ANOTHER.get(name, name) for name in run} <= wanted
