"""Who loads what only a box has."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.ports import free_port

ROOT = Path(__file__).parents[3]

TABLE = """
import sys, threading, urllib.request
from contextlib import ExitStack
from pathlib import Path
import companion.system.systemd
from companion.app.table import RunningTable, TableOptions
from companion.cli.run import offer_box
from companion.service.join_codes import host_codes

folder, port, box = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3] == "box"
companion.system.systemd.FIRST_TABLE = folder if box else Path("/nowhere")

def loaded():
    return sorted(name.removeprefix("companion.") for name in sys.modules if name.startswith("companion.box"))

if __name__ == "__main__":
    with ExitStack() as stack:
        table = RunningTable(TableOptions(folder, "simulated", port=port), stack, offer_box)
        table.open()
        referee = threading.Thread(target=table.runner.run)
        referee.start()
        print(*loaded() or ["nothing"])
        ask = urllib.request.Request(f"http://127.0.0.1:{port}/api/v1/restore")
        ask.add_header("Authorization", f"Bearer {host_codes(table.runner.log)[0]}")
        print(urllib.request.urlopen(ask).status, *loaded())
        table.runner.stop()
        referee.join()
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("where", "at_first"),
    [
        ("laptop", "nothing"),
        ("box", "box box.home_wifi box.pages box.root_helper box.update box.update_file box.upload box.wifi"),
    ],
)
def test_a_laptop_loads_nothing_of_it_until_its_host_looks_at_backups(
    where: str, at_first: str, tmp_path: Path
) -> None:
    program = tmp_path / "table.py"
    program.write_text(TABLE, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NOTIFY_SOCKET": "@nobody"}
    ran = subprocess.run(
        [sys.executable, str(program), str(tmp_path / "data"), str(free_port()), where],
        env=environment, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    before, after = [line for line in ran.stdout.splitlines() if line.startswith(("nothing", "box", "200"))]
    assert before == at_first
    assert after.startswith("200 ")
    assert "box.restore" in after.split()
    assert "box.restore" not in before
