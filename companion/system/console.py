"""What the prompt says when a table is ready: where the scoreboard is, and how a phone becomes the host.

A box without a prompt says it in its journal, and to whoever stands before its console: there it hangs out a board,
a file that the console shows above its login.
"""

from __future__ import annotations

import io
import os
import socket
import sys
import threading
from collections.abc import Callable
from pathlib import Path

ISSUE_FILE = "issue"
"""The board's name in the service's run-time folder; ``/etc/issue.d/companion.issue`` leads there."""

NO_NETWORK = "127.0.0.1"
ANY_ADDRESS = ("10.255.255.255", "10.42.0.2")
"""Addresses beyond this computer: by way of any network at all, and in the Wi-Fi that a Pi makes of its own."""

LOOK_S = 10.0


def print_greeting(address: str, codes: tuple[str, str], *, simulated: bool) -> None:
    """Say where the scoreboard is, with a QR code to scan and the code that makes a phone the host."""
    import segno

    code, short = codes
    out = sys.stdout
    out.write(f"\nScoreboard: {address}  (scan to follow)\n")
    segno.make(address, micro=False).terminal(out=out, compact=True)
    out.write(f"Host: {address}/join/{code}\n      or type the host code {short[:3]} {short[3:]} at {address}/join\n")
    if simulated:
        out.write("SIMULATED table: no camera is used; a match is played for you to watch. Ctrl-C ends it.\n")
    out.flush()


def issue_text(address: str, short: str) -> str:
    """What hangs on the console: the scoreboard's address to scan, and the code that makes a phone the host."""
    import segno

    drawn = io.StringIO()
    segno.make(address, micro=False).terminal(out=drawn, compact=True)
    return f"{drawn.getvalue()}Scoreboard: {address}  (scan to follow)\nHost code: {short[:3]} {short[3:]}\n\n"


def keep_issue_current(
    port: int,
    short: str,
    *,
    folder: Path | None = None,
    address: Callable[[], str] | None = None,
    look_s: float = LOOK_S,
) -> Callable[[], None]:
    """Say the address anew whenever the network changes it, and keep the board right; returns how to stop.

    Args:
        port: The scoreboard's.
        short: The host's code to type.
        folder: Where the board hangs; ``None`` = the service's run-time folder, and none outside a service.
        address: Says this computer's address in its network.
        look_s: How often it is asked.
    """
    named = os.environ.get("RUNTIME_DIRECTORY")
    folder = folder or (Path(named) if named else None)
    address = address or lan_address
    over = threading.Event()

    def keep() -> None:
        posted = None
        while True:
            now = address()
            if now != posted and now != NO_NETWORK:
                if posted is not None or now != at_first:
                    sys.stdout.write(f"Scoreboard: http://{now}:{port}\n")
                    sys.stdout.flush()
                posted = now
                if folder is not None:
                    _hang(folder / ISSUE_FILE, issue_text(f"http://{now}:{port}", short))
            if over.wait(look_s):
                return

    at_first = address()
    threading.Thread(target=keep, name="board", daemon=True).start()
    return over.set


def _hang(path: Path, text: str) -> None:
    """The console reads it as another user, and never half a board."""
    new = path.with_suffix(".new")
    try:
        new.write_text(text, encoding="utf-8")
        new.chmod(0o644)
        new.replace(path)
    except OSError as wrong:
        sys.stderr.write(f"the console's board could not be written ({wrong})\n")


def lan_address() -> str:
    """This computer's address in the network that phones are in; nothing is sent to find it."""
    for there in ANY_ADDRESS:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect((there, 1))
                return str(probe.getsockname()[0])
            except OSError:
                continue
    return NO_NETWORK
