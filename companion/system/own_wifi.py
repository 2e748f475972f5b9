"""The Wi-Fi that a box makes of its own where none is known (``systemd/hotspot``): its name and password, for screens.

The hotspot hands them to the companion's group for as long as that Wi-Fi is there. The console shows them as a code to
scan, and so does the television page to whoever is in that Wi-Fi already.
"""

from __future__ import annotations

from ipaddress import IPv4Interface
from pathlib import Path

from companion.public.machine import OwnWifi

WIFI_FILE = Path("/run/companion-hotspot/wifi")
"""Three lines: name, password, and the box's own address in it, such as ``10.42.0.1/24``."""


def own_wifi(file: Path = WIFI_FILE) -> OwnWifi | None:
    """The Wi-Fi that the box makes now; ``None`` = it makes none, or has no password to tell."""
    try:
        name, password, *more = file.read_text("utf-8").splitlines()
        network = (IPv4Interface(more[0]).network,) if more else ()  # a hotspot of an older version says no address
    except (OSError, ValueError):
        return None
    return OwnWifi(name, password, *network) if name and password else None
