"""The Wi-Fi of the house: the host names it on a page, and a helper with root rights connects the box to it.

A box that knows no Wi-Fi opens its own (``systemd/hotspot``). This is the way out of it for people without a terminal.
The helper (``systemd/home-wifi``) trusts no data from here; it runs this module, as root, to check the order once more
and to translate it for NetworkManager::

    companion-home-wifi.service: printf '%s' ORDER | python -m companion.box.home_wifi [id|name|keyfile]
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import string
import sys
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.box.root_helper import empty_inbox, serves, wake
from companion.errors import InputError, fault

HELPER = Path("/usr/lib/companion/systemd/home-wifi")
STATUS = Path("/run/companion-home-wifi/status")
NETS = Path("/sys/class/net")
INBOX = "home-wifi"
"""In the data folder: where the helper looks."""
ORDER = "order"
OWN = "companion-hotspot"
"""NetworkManager's profile of the box's own Wi-Fi."""

NAME_BYTES = 32
"""The longest name of a Wi-Fi (IEEE 802.11)."""
PASSWORD_BYTES = (8, 63)
"""The length of a WPA password; 64 hexadecimal digits are the key itself."""
ORDER_BYTES = 1000
"""As in the helper."""


@dataclass(frozen=True, slots=True)
class Network:
    """A Wi-Fi in reach: its name, whether it has a password, and the strength of its signal, 0 to 100."""

    name: str
    secured: bool
    signal: int


@dataclass(frozen=True, slots=True)
class HomeWifi:
    """The Wi-Fi to join. An empty password means an open network; ``hidden``: it does not broadcast its name.

    Raises:
        InputError: The name or the password is not valid for a Wi-Fi.
    """

    name: str
    password: str
    hidden: bool = False

    def __post_init__(self) -> None:
        if not 1 <= len(self.name.encode("utf-8", "replace")) <= NAME_BYTES or not _is_text(self.name):
            raise InputError(fault("wifi.fault.name", "A Wi-Fi's name has 1 to {most} letters", most=NAME_BYTES))
        length = len(self.password.encode("utf-8", "replace"))
        is_key = length == 64 and set(self.password) <= set(string.hexdigits)
        least, most = PASSWORD_BYTES
        if self.password and not is_key and not (least <= length <= most and _is_text(self.password)):
            wrong = "A Wi-Fi's password has {least} to {most} signs, as it stands on the router"
            raise InputError(fault("wifi.fault.password", wrong, least=least, most=most))

    @property
    def id(self) -> str:
        """The name of NetworkManager's profile: one for each Wi-Fi, so that a box remembers several houses."""
        return f"companion-home-{hashlib.sha256(self.name.encode()).hexdigest()[:8]}"

    def keyfile(self) -> str:
        """NetworkManager's profile in its keyfile format; the name as bytes needs no escaping.

        >>> print(HomeWifi("Ana", "sesame-street").keyfile().splitlines()[6])
        ssid=65;110;97;
        """
        ssid = "".join(f"{byte};" for byte in self.name.encode())
        lines = ["[connection]", f"id={self.id}", "type=wifi", "", "[wifi]", "mode=infrastructure", f"ssid={ssid}"]
        if self.hidden:
            lines.append("hidden=true")
        if self.password:
            escaped = self.password.replace("\\", "\\\\").replace(" ", "\\s")
            lines += ["", "[wifi-security]", "key-mgmt=wpa-psk", f"psk={escaped}"]
        return "\n".join([*lines, "", "[ipv4]", "method=auto", "", "[ipv6]", "method=auto", ""])


def _is_text(words: str) -> bool:
    """Whether it has no control characters. Names of Wi-Fis may contain other unusual ones: no-break spaces, emoji."""
    return not any(unicodedata.category(sign) in ("Cc", "Cs", "Zl", "Zp") for sign in words)


def can_join(data: Path, nets: Path = NETS) -> bool:
    """Whether the table with this data folder can join a Wi-Fi: it has the helper, and a radio."""
    return serves(HELPER, data) and any(nets.glob("*/wireless"))


def networks(seen: Iterable[str]) -> tuple[tuple[Network, ...], str | None]:
    """The networks in reach, strongest first, each name once; and the one that the box is connected to.

    Args:
        seen: Lines of ``nmcli -t -e no -f IN-USE,SIGNAL,SECURITY,SSID device wifi list``.

    >>> networks(["*:80:WPA2:Home", " :40::Café: free", " :20:WPA2:Home", " :10:WPA2:"])[0][1]
    Network(name='Café: free', secured=False, signal=40)
    """
    best: dict[str, Network] = {}
    now = None
    for line in seen:
        used, *rest = line.rstrip("\n").split(":", 3)
        if len(rest) != 3 or not rest[0].isdecimal() or not rest[2] or not _is_text(rest[2]):
            continue
        signal, security, name = int(rest[0]), rest[1], rest[2]
        if used == "*":
            now = name
        if name not in best or best[name].signal < signal:
            best[name] = Network(name, security not in ("", "--"), signal)
    return tuple(sorted(best.values(), key=lambda one: (-one.signal, one.name))), now


def makes_its_own(ask: Callable[..., str | None]) -> bool:
    """Whether the box's own Wi-Fi is open now.

    Args:
        ask: Runs a program, and returns its output; ``None`` if it failed.
    """
    profiles = ask("nmcli", "-t", "-e", "no", "-f", "CONNECTION", "device", "status") or ""
    return OWN in profiles.splitlines()


def hand_over(wifi: HomeWifi, data: Path) -> None:
    """Put the order where the helper looks, readable only by its owner, and wake the helper.

    Raises:
        OSError: It could not be written.
    """
    inbox = data / INBOX
    empty_inbox(inbox)
    order = json.dumps({"name": wifi.name, "password": wifi.password, "hidden": wifi.hidden})
    with os.fdopen(os.open(inbox / ORDER, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(order)
    wake(inbox)


def forget(data: Path) -> None:
    shutil.rmtree(data / INBOX, ignore_errors=True)


def read_order(text: str) -> HomeWifi:
    """Read an order as ``hand_over`` writes it.

    Raises:
        InputError: It is not valid.
    """
    try:
        order: Any = json.loads(text)
    except (ValueError, RecursionError):
        order = None
    if not isinstance(order, Mapping) or not all(isinstance(order.get(key), str) for key in ("name", "password")):
        order = {"name": "", "password": ""}  # not valid for a Wi-Fi
    return HomeWifi(order["name"], order["password"], order.get("hidden") is True)


def main(words: list[str]) -> int:
    """See the module's docstring."""
    try:
        wifi = read_order(sys.stdin.read(ORDER_BYTES))
    except (InputError, UnicodeDecodeError) as wrong:
        sys.stderr.write(f"this is no Wi-Fi to join: {wrong}\n")
        return 1
    parts = {"id": lambda: wifi.id, "name": lambda: wifi.name, "keyfile": wifi.keyfile}
    if len(words) != 1 or words[0] not in parts:
        sys.stderr.write("home_wifi id, name or keyfile; the order on standard input\n")
        return 2
    sys.stdout.write(parts[words[0]]())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
