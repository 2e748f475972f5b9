#!/usr/bin/python3
"""Stands in for systemctl in ``tests/tools/install.sh``: starts companion.service as its unit says, and nothing else.

The unit's own command, user, folders and environment; ``restart`` comes back when the program says ``READY=1`` or has
ended, as with ``Type=notify``. What was asked is kept in /var/log/fake-systemctl. Only the standard library.
"""

from __future__ import annotations

import os
import pwd
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

UNIT = Path("/etc/systemd/system/companion.service")
PID = Path("/run/fake-companion.pid")
SAID = Path("/var/log/fake-companion")
READY_S = 120.0


def value(key: str) -> str:
    found = [line.partition("=")[2] for line in UNIT.read_text().splitlines() if line.startswith(f"{key}=")]
    return found[-1] if found else ""


def stop() -> None:
    if not PID.exists():
        return
    pid = int(PID.read_text())
    PID.unlink()
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            return
        until_s = time.monotonic() + float(value("TimeoutStopSec") or 15)
        while Path(f"/proc/{pid}").exists() and time.monotonic() < until_s:
            time.sleep(0.1)


def start() -> int:
    user = pwd.getpwnam(value("User"))
    environ = {"PATH": os.environ["PATH"], "HOME": user.pw_dir, "LC_ALL": "C.UTF-8"}
    environ |= dict(word.split("=", 1) for word in shlex.split(value("Environment")))
    more = Path(value("EnvironmentFile").lstrip("-"))
    environ |= dict(line.split("=", 1) for line in more.read_text().splitlines()) if more.is_file() else {}
    for key, above in (("StateDirectory", "/var/lib"), ("RuntimeDirectory", "/run")):
        folder = Path(above, value(key))
        folder.mkdir(mode=0o750, exist_ok=True)
        shutil.chown(folder, user.pw_uid, user.pw_gid)
    environ["RUNTIME_DIRECTORY"] = f"/run/{value('RuntimeDirectory')}"
    command = [
        word
        for part in shlex.split(value("ExecStart"))
        for word in (shlex.split(environ.get(part[1:], "")) if part.startswith("$") else [part])
    ]
    door = Path("/run/fake-notify")
    door.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear:
        ear.bind(str(door))
        door.chmod(0o777)
        ear.settimeout(0.2)
        with SAID.open("a") as paper:
            program = subprocess.Popen(
                command,
                env=environ | {"NOTIFY_SOCKET": str(door)},
                cwd=value("WorkingDirectory"),
                user=user.pw_uid,
                group=user.pw_gid,
                extra_groups=os.getgrouplist(user.pw_name, user.pw_gid),
                stdin=subprocess.DEVNULL,
                stdout=paper,
                stderr=paper,
                umask=0o077,
                start_new_session=True,
            )
        until_s = time.monotonic() + READY_S
        while time.monotonic() < until_s and program.poll() is None:
            try:
                if "READY=1" in ear.recv(4096).decode().splitlines():
                    PID.write_text(str(program.pid))
                    return 0
            except TimeoutError:
                continue
    program.kill()
    sys.stderr.write("Job for companion.service failed.\n")
    return 1


def main(words: list[str]) -> int:
    with Path("/var/log/fake-systemctl").open("a") as paper:
        paper.write(" ".join(words) + "\n")
    if words[:1] == ["--version"]:
        real = Path("/etc/debian_version").read_text()
        sys.stdout.write(f"systemd {252 if real.startswith('12') else 257} (a stand-in)\n")
    of_ours = "companion.service" in words
    if of_ours and (words[0] in ("restart", "stop") or "--now" in words):
        stop()
    return start() if of_ours and words[0] in ("restart", "start") else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
