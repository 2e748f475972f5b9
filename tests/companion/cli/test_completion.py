from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from companion.cli.main import main


@pytest.fixture
def script(request: pytest.FixtureRequest, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    shell: str = request.param
    assert main(["completion", shell]) == 0
    written = tmp_path / f"companion.{shell}"
    written.write_text(capsys.readouterr().out, "utf-8")
    return written


@pytest.mark.parametrize("script", ["bash"], indirect=True)
def test_the_shell_finishes_commands_options_choices_and_files(script: Path) -> None:
    (script.parent / "evening.jsonl").touch()
    asked = """
        source "$1"; cd "${1%/*}"
        try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _shtab_companion; echo "${COMPREPLY[@]}"; }
        try companion expo
        try companion run --sou
        try companion stickers --paper ""
        try companion deck ""
        try companion judge even
        try companion dance ""
    """
    seen = subprocess.run(["bash", "-c", asked, "bash", script], capture_output=True, text=True, timeout=60, check=True)
    assert seen.stdout.splitlines()[:5] == [
        "export",
        "--source",
        "a4 letter a3 whole",
        "check show diff convert",
        "evening.jsonl",
    ]
    assert seen.stderr == ""


@pytest.mark.parametrize("script", ["bash", "zsh", "fish"], indirect=True)
def test_each_shell_can_read_its_script(script: Path) -> None:
    shell = script.suffix[1:]
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not here")
    subprocess.run([shell, "-n", script], check=True, timeout=60)
