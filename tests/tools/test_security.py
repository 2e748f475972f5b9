"""The search for known holes and secrets finds them, and says what it could not reach."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tools import security


@pytest.fixture(autouse=True)
def no_locks(monkeypatch: pytest.MonkeyPatch) -> tuple[Path, ...]:
    """Nothing but what is installed is looked up; returns the real locks."""
    locks = security.LOCKS
    monkeypatch.setattr(security, "LOCKS", ())
    return locks


def answers(monkeypatch: pytest.MonkeyPatch, *libraries: Any, wrong: str = "") -> None:
    """What pip-audit will say; without libraries it ends as it does without the internet."""
    report = json.dumps({"dependencies": list(libraries), "fixes": []}) if libraries else ""
    done = subprocess.CompletedProcess([], 1, report, wrong)
    monkeypatch.setattr(security.subprocess, "run", lambda *_, **__: done)


HOLE = {"id": "PYSEC-2026-1", "aliases": ["CVE-2026-1"], "fix_versions": ["3.1.6"], "description": ""}
SOUND = {"name": "flask", "version": "3.1.0", "vulns": []}
UNKNOWN = {"name": "own", "skip_reason": "Dependency not found on PyPI and could not be audited: own (1.0)"}


def test_a_hole_is_named_with_the_version_that_mends_it(monkeypatch, capsys):
    answers(monkeypatch, SOUND, UNKNOWN, {"name": "jinja2", "version": "3.1.2", "vulns": [HOLE]})
    assert list(security.libraries()) == ["installed here: jinja2 3.1.2: PYSEC-2026-1; it is mended in 3.1.6"]
    assert capsys.readouterr().err == (
        "2 libraries looked up at pypi, installed here, 1 known holes; it does not know the other 1.\n"
    )  # fmt: skip


def test_a_hole_that_cannot_touch_us_is_passed_over_by_any_of_its_numbers(monkeypatch):
    answers(monkeypatch, {"name": "jinja2", "version": "3.1.2", "vulns": [HOLE]})
    monkeypatch.setattr(security, "ACCEPTED", {("jinja2 3.1.2", "CVE-2026-1"): "none of strangers' templates"})
    assert list(security.libraries()) == []
    monkeypatch.setattr(security, "ACCEPTED", {("jinja2 3.1.1", "CVE-2026-1"): "of another version nothing is known"})
    assert len(list(security.libraries())) == 1


def test_a_hole_without_a_remedy_is_a_hole(monkeypatch):
    answers(monkeypatch, {"name": "jinja2", "version": "3.1.2", "vulns": [{**HOLE, "fix_versions": []}]})
    (said,) = security.libraries()
    assert said.startswith("installed here: jinja2 3.1.2: PYSEC-2026-1; no version without it is there yet")


@pytest.mark.parametrize(
    ("libraries", "wrong", "why"),
    [
        ((UNKNOWN,), "", "pypi told nothing about any of 1 libraries; osv told nothing about any of 1 libraries."),
        ((), "Traceback\nConnectionError: no such host", "pypi could not be reached (ConnectionError: no such host…)"),
        ((), "", "pypi could not be reached (it said nothing…)"),
    ],
)
def test_what_cannot_be_reached_is_one_sentence_and_no_hole(monkeypatch, capsys, libraries, wrong, why):
    answers(monkeypatch, *libraries, wrong=wrong)
    assert list(security.libraries()) == []
    (said,) = capsys.readouterr().err.splitlines()
    assert said.startswith("Going on without the search for known holes in libraries, nothing is said about them: ")
    assert why in said


LOCKED = re.compile(r"^([A-Za-z0-9._-]+)==([^ ;]+)", re.MULTILINE)


def audited(monkeypatch: pytest.MonkeyPatch, library: str, version: str, hole: str) -> list[str]:
    """A list of advisories that knows one hole is asked about what is installed and about the real locks."""
    asked: list[str] = []

    def run(command: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        lock = Path(command[command.index("-r") + 1]) if "-r" in command else None
        asked.append("" if lock is None else lock.name)
        there = [("flask", "3.1.0")] if lock is None else LOCKED.findall(lock.read_text("utf-8"))
        found = [
            {"name": name, "version": number,
             "vulns": [{**HOLE, "id": hole, "aliases": []}] if (name, number) == (library, version) else []}
            for name, number in there
        ]  # fmt: skip
        return subprocess.CompletedProcess(command, 0, json.dumps({"dependencies": found}), "")

    monkeypatch.setattr(security.subprocess, "run", run)
    holes = list(security.libraries())
    assert sorted(asked) == sorted(["", *(lock.name for lock in security.LOCKS)]), "each is looked up once"
    return holes


def test_every_lock_is_looked_up_also_for_machines_where_this_never_runs(monkeypatch, no_locks):
    monkeypatch.setattr(security, "LOCKS", no_locks)
    monkeypatch.setattr(security, "ACCEPTED", {})
    assert {"3.11-pi.txt", "3.14.txt", "hub-3.13.txt", "build.txt", "manual.txt"} <= {lock.name for lock in no_locks}
    (said,) = audited(monkeypatch, "opencv-python-headless", "4.10.0.84", "CVE-2025-53644")
    assert said.startswith(
        "packaging/locks/3.11-pi.txt: opencv-python-headless 4.10.0.84: CVE-2025-53644; it is mended"
    )


def test_what_is_accepted_is_in_a_lock_and_named_in_the_documents(monkeypatch, no_locks):
    monkeypatch.setattr(security, "LOCKS", no_locks)
    threats = (security.ROOT / "docs" / "threats.md").read_text("utf-8")
    locked = {" ".join(one) for lock in no_locks for one in LOCKED.findall(lock.read_text("utf-8"))}
    for (library, hole), reason in security.ACCEPTED.items():
        assert library in locked, "what is in no lock any more needs no exception"
        assert hole in threats
        assert reason
        assert audited(monkeypatch, *library.split(), hole) == []


def test_a_planted_key_is_found_and_what_is_marked_is_not(tmp_path: Path):
    kind = "PRIVATE KEY"
    (tmp_path / "key.pem").write_text(f"-----BEGIN RSA {kind}-----\n")
    (tmp_path / "broker.py").write_text('password = "' + "tr0ub4dor&3" + '"\n')
    (tmp_path / "marked.py").write_text('password = "' + "tr0ub4dor&3" + '"  # pragma: allowlist secret\n')
    (tmp_path / "plain.py").write_text('word = "Hunting"\n')
    found = list(security.secrets(sorted(tmp_path.iterdir())))
    assert [line.rpartition("/")[2] for line in found] == [
        "broker.py, line 1: this looks like a secret (Secret Keyword)",
        "key.pem, line 1: this looks like a secret (Private Key)",
    ]


def test_a_search_that_did_not_take_place_is_a_fault(monkeypatch, tmp_path: Path):
    done = subprocess.CompletedProcess([], 2, "", "No module named detect_secrets\n")
    monkeypatch.setattr(security.subprocess, "run", lambda *_, **__: done)
    assert list(security.secrets([tmp_path / "a"])) == ["detect-secrets failed: No module named detect_secrets"]


def test_the_whole_project_but_its_pictures_and_records_is_searched():
    files = {str(path) for path in security.project_files()}
    assert {"README.md", "companion/storage/join_codes.py", "systemd/hotspot", "test"} <= files
    assert not any(name.endswith((".png", ".jsonl", ".sqlite")) for name in files)
