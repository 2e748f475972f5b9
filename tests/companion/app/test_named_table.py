"""A table's name in the home network (mDNS): it follows the name, and goes with the table."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from support.waiting import wait

from companion.app.named_table import NamedTable

TOOL = """#!/bin/sh
echo "$$ $*" >>"{folder}/said"
exec sleep 600
"""


def test_a_named_table_is_found_in_the_network_under_its_name_as_long_as_it_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool, said = tmp_path / "avahi-publish-service", tmp_path / "said"
    tool.write_text(TOOL.format(folder=tmp_path), encoding="utf-8")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")

    def told() -> list[list[str]]:
        lines = said.read_text(encoding="utf-8").splitlines() if said.exists() else []
        return [line.split(" ", 1) for line in lines]

    def runs(process: str) -> bool:
        return Path(f"/proc/{process}").exists()

    quiet: Any = SimpleNamespace(submit=lambda work: work())
    table = NamedTable(tmp_path / "data", quiet, 8081, lambda: None)
    assert told() == [], "a table without a name is found under its computer's"
    for count, name in enumerate(("Küche", "Back room"), 1):
        table.rename(name, names_players=False)
        wait(lambda count=count: len(told()) == count)
        assert told()[-1][1] == f"Companion: {name} _http._tcp 8081 path=/"
        assert [runs(process) for process, _ in told()] == [False] * (count - 1) + [True]
    table.close()
    assert not runs(told()[-1][0])
