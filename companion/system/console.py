"""The greeting when a table is ready: the scoreboard's address, and how a phone becomes the host.

A box without a prompt writes it to its journal, and shows it on its console: as a message above the login. The
companion writes the message where only its own group can read it; run as root, this module copies it to where the
console finds it::

    python -m companion.system.console /run/companion/issue /run/companion-board/issue companion
"""

from __future__ import annotations

import fcntl
import io
import logging
import os
import pwd
import socket
import stat
import struct
import sys
import threading
from collections.abc import Callable, Iterator
from itertools import zip_longest
from pathlib import Path

from companion.public.machine import OwnWifi
from companion.system.own_wifi import own_wifi

log = logging.getLogger(__name__)

ISSUE_FILE = "issue"
"""In the service's run-time folder; ``/etc/issue.d/companion.issue`` links to root's copy of it."""

ISSUE_LIMIT = 16_384
"""Bytes; a message with the longest address has some 3,000."""

ISSUE_SIGNS = frozenset(map(chr, range(ord(" "), ord("~") + 1))) - {"\\"} | set("\n▀▄█")
"""Characters that a console displays literally; a backslash or an escape would be a command to it."""

NO_NETWORK = "127.0.0.1"
ANY_ADDRESS = ("10.255.255.255", "10.42.0.2")
"""Addresses beyond this computer: through any network, and in the Wi-Fi that a Pi opens."""

INTERFACE_FLAGS, INTERFACE_ADDRESS = 0x8913, 0x8915
"""Linux requests about an interface (netdevice(7)); other systems do not have them."""
LOOPBACK, RUNNING = 0x8, 0x40

LOOK_S = 10.0

SCREEN = Path("/sys/class/graphics/fb0/virtual_size")
SIGN_PX = 8
"""The width of a console's character on every small screen."""
COLUMNS = 80
GAP = "  "
"""Between two codes."""


def print_greeting(address: str, codes: tuple[str, str], *, simulated: bool) -> None:
    """Print the scoreboard's address with a QR code, and the code that makes a phone the host.

    If the terminal is gone, only the greeting is lost.
    """
    code, short = codes
    drawn = drawn_code(address)
    try:
        drawn.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:  # a terminal without block characters shows only the address
        drawn = ""
    greeting = f"\nScoreboard: {address}  (scan to follow)\n{drawn}" if drawn else f"\nScoreboard: {address}\n"
    greeting += f"Host: {address}/join/{code}\n      or type the host code {short[:3]} {short[3:]} at {address}/join\n"
    if simulated:
        greeting += "SIMULATED table: no camera is used; a match is played for you to watch. Ctrl-C ends it.\n"
    if (error := _write_out(greeting)) is not None:
        log.warning("nobody reads what is said here (%s): the scoreboard is at %s", error.strerror, address)


def _write_out(text: str) -> OSError | None:
    """Write to standard output; if that fails, returns why and discards all later output."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        # Unwritten text would be tried again at the end, and turn success into failure.
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115  wanted until the program ends
        return error
    return None


def drawn_code(address: str, border: int = 4) -> str:
    """An address as a QR code of half blocks for a terminal; ``border``: white around it, in modules."""
    import segno

    drawn = io.StringIO()
    segno.make(address, micro=False).terminal(out=drawn, border=border, compact=True)
    return drawn.getvalue()


def issue_text(address: str, short: str, wifi: OwnWifi | None = None, columns: int = COLUMNS) -> str:
    """The message on the console: the scoreboard's address to scan, and the code that makes a phone the host.

    Args:
        address: The scoreboard's.
        short: The host's code to type.
        wifi: The box's own Wi-Fi; its code is shown too, because the scoreboard is only reachable in it.
        columns: The console's width; if two codes do not fit, the address has to be typed.
    """
    host = f"Host code: {short[:3]} {short[3:]}\n\n"
    if wifi is None:
        return f"{drawn_code(address)}Scoreboard: {address}  (scan to follow)\n{host}"
    # A small screen has few lines too, so the border is narrow.
    first, second = (drawn_code(words, border=2).splitlines() for words in (wifi.code, address))
    if len(first[0]) + len(GAP) + len(second[0]) > columns:
        return "\n".join([*first, f"Scan to join the Wi-Fi, then open {address}", host])
    wide = len(first[0])
    both = (f"{left:{wide}}{GAP}{right}" for left, right in zip_longest(first, second, fillvalue=""))
    return "\n".join([*both, "Left: join the Wi-Fi. Then right: the scoreboard.", f"Scoreboard: {address}", host])


def console_columns(screen: Path = SCREEN) -> int:
    """The number of characters in a line of this computer's screen; without a screen, 80."""
    try:
        return int(screen.read_text("ascii").partition(",")[0]) // SIGN_PX
    except (OSError, ValueError):
        return COLUMNS


def keep_issue_current(
    port: int,
    short: Callable[[], str],
    *,
    pages: str | None = None,
    folder: Path | None = None,
    address: Callable[[], str] | None = None,
    wifi: Callable[[], OwnWifi | None] = own_wifi,
    look_s: float = LOOK_S,
) -> Callable[[], None]:
    """Print the address and the host's code whenever they change, and update the message; returns how to stop.

    Args:
        port: The scoreboard's.
        short: Returns the host's code to type, which the host may renew.
        pages: The scoreboard's address as the settings name it; ``None`` = this computer's, with the port.
        folder: For the message; ``None`` = the service's run-time folder, or no message outside a service.
        address: Returns this computer's address in its network.
        wifi: Returns the box's own Wi-Fi.
        look_s: How often to check.
    """
    named = os.environ.get("RUNTIME_DIRECTORY")
    folder = folder or (Path(named) if named else None)
    address = address or lan_address
    over = threading.Event()

    def here() -> str:
        return pages or f"http://{address()}:{port}"

    def keep() -> None:
        written, posted = at_first, None
        while True:
            now = here(), short(), wifi()
            news = f"Scoreboard: {now[0]}\n" if now[0] not in (written[0], nowhere) else ""
            news += f"Host code: {now[1][:3]} {now[1][3:]}\n" if now[1] != written[1] else ""
            if news:
                _write_out(news)
            written = (written[0] if now[0] == nowhere else now[0], now[1])
            if folder is not None and now != posted and now[0] != nowhere:
                posted = now
                hang(folder / ISSUE_FILE, issue_text(*now, console_columns()))
            if over.wait(look_s):
                return

    def stop() -> None:
        over.set()
        board.join(timeout=2)

    nowhere = f"http://{NO_NETWORK}:{port}"
    at_first = here(), short()
    board = threading.Thread(target=keep, name="board", daemon=True)
    board.start()
    return stop


def hang(path: Path, text: str) -> None:
    """Write a file for the companion's group only, atomically; a failure is logged."""
    new = path.with_suffix(".new")
    try:
        new.unlink(missing_ok=True)
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as board:
            os.fchmod(board.fileno(), 0o640)
            board.write(text)
        new.replace(path)
    except OSError as wrong:
        sys.stderr.write(f"{path} could not be written ({wrong})\n")


def checked_issue(path: Path, owner: int) -> str | None:
    """Read the companion's message as root; ``None`` = there is none.

    Args:
        path: The companion's own file.
        owner: Its user's number.

    Raises:
        ValueError: It is not valid; says why.
    """
    content = checked_file(path, owner, ISSUE_LIMIT)
    if content is None:
        return None
    return "".join(sign for sign in content.decode("utf-8", errors="ignore") if sign in ISSUE_SIGNS)


def checked_file(path: Path, owner: int, limit: int) -> bytes | None:
    """Read a file in one of the companion's folders as root; ``None`` = there is none.

    A link, a pipe or another user's file could be planted there, so these are not read.

    Args:
        path: The companion's own file.
        owner: Its user's number.
        limit: The most bytes allowed.

    Raises:
        ValueError: It is not valid; says why.
    """
    try:
        # A pipe would block, a link would lead elsewhere.
        number = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    except OSError as wrong:
        raise ValueError(f"{path} cannot be read: {wrong.strerror}") from wrong
    try:
        status = os.fstat(number)
        if not stat.S_ISREG(status.st_mode) or status.st_uid != owner or status.st_nlink != 1:
            raise ValueError(f"{path} is not a plain file of the companion's own")
        content = os.read(number, limit + 1)
    finally:
        os.close(number)
    if len(content) > limit:
        raise ValueError(f"{path} is longer than {limit} bytes")
    return content


def post_issue(source: Path, target: Path, owner: int) -> None:
    """Copy the companion's message into root's own folder; delete the copy if there is none.

    Raises:
        ValueError: The message is not valid; the copy is deleted.
        OSError: The copy cannot be written.
    """
    text = None
    try:
        text = checked_issue(source, owner)
    finally:
        if text is None:
            target.unlink(missing_ok=True)
    if text is not None:
        new = target.with_suffix(".new")
        new.unlink(missing_ok=True)
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as copy:
            copy.write(text)
        new.replace(target)


def main(words: list[str]) -> int:
    """``SOURCE TARGET USER``; ``companion-board.service`` runs it before the consoles read the message."""
    source, target, user = words
    try:
        post_issue(Path(source), Path(target), pwd.getpwnam(user).pw_uid)
    except KeyError:
        sys.stderr.write(f"the console's board is not shown: there is no user {user}\n")
        return 1
    except (ValueError, OSError) as wrong:
        sys.stderr.write(f"the console's board is not shown: {wrong}\n")
        return 1
    return 0


def lan_address() -> str:
    """This computer's address in the network of the phones; nothing is sent to find it.

    A network that leads to others comes first; one without, such as a switch alone, will do.
    """
    for there in ANY_ADDRESS:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect((there, 1))
                return str(probe.getsockname()[0])
            except OSError:
                continue
    return next(interface_addresses(), NO_NETWORK)


def interface_addresses() -> Iterator[str]:
    """The addresses of all connected networks, even if they lead nowhere else."""
    try:
        interfaces = socket.if_nameindex()
    except OSError:
        return
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in interfaces:
            wanted = struct.pack("256s", os.fsencode(name))
            try:
                (flags,) = struct.unpack_from("H", fcntl.ioctl(probe, INTERFACE_FLAGS, wanted), 16)
                address = socket.inet_ntoa(fcntl.ioctl(probe, INTERFACE_ADDRESS, wanted)[20:24])
            except OSError:  # it has none
                continue
            if flags & (LOOPBACK | RUNNING) == RUNNING:
                yield address


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
