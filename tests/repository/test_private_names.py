"""Libraries are used by the names that they offer: a private one may be gone with their next release."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("companion", "vision", "hardware", "web")
UNDOCUMENTED = {
    "task_dispatcher": "waitress offers no way to end its threads after a time: it waits for each stream for ever",
    "trigger": "and none to do something in the thread that serves the connections",
    "active_channels": "nor a list of the connections that are left at the end",
}
"""Public names of the web server that its manual does not mention, and why one is used all the same."""


def private_names(where: Path) -> str:
    """What ruff finds of other objects' private names, also where a line asks it to look away."""
    command = [sys.executable, "-m", "ruff", "check", "--select", "SLF", "--ignore-noqa", "--output-format", "concise"]
    found = subprocess.run([*command, where], cwd=ROOT, capture_output=True, text=True, check=False)
    return "" if found.returncode == 0 else found.stdout + found.stderr


@pytest.mark.parametrize("package", PACKAGES)
def test_no_private_name_of_a_library_is_used(package: str) -> None:
    assert private_names(ROOT / package) == ""


def test_a_private_name_would_be_found_where_a_line_asks_to_look_away(tmp_path: Path) -> None:
    planted = tmp_path / "planted.py"
    planted.write_text("def reach(server: object) -> object:\n    return server._map  # noqa: SLF001\n", "utf-8")
    assert "SLF001" in private_names(planted)


def test_what_the_web_servers_manual_does_not_mention_is_used_in_one_place() -> None:
    tree = ast.parse((ROOT / "web" / "server.py").read_text("utf-8"))
    of_the_server = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "self._server"
    }
    assert of_the_server == {"run", "close", *UNDOCUMENTED}
