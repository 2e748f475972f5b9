"""The Wi-Fi that a box opens if it knows no other (``systemd/hotspot``): its name and password, for screens.

The companion's group can read them while that Wi-Fi is open. The console shows them as a code to scan, and the
television page shows the code to devices in that Wi-Fi.
"""

from __future__ import annotations

from ipaddress import IPv4Interface
from pathlib import Path

from companion.public.machine import OwnWifi

WIFI_FILE = Path("/run/companion-hotspot/wifi")
"""Three lines: name, password, and the box's address in it, such as ``10.42.0.1/24``."""


def own_wifi(file: Path = WIFI_FILE) -> OwnWifi | None:
    """The Wi-Fi that the box has opened now; ``None`` = it has not, or there is no password to show."""
    try:
        name, password, *more = file.read_text("utf-8").splitlines()
        network = (IPv4Interface(more[0]).network,) if more else ()  # older versions of the hotspot write no address
    except (OSError, ValueError):
        return None
    return OwnWifi(name, password, *network) if name and password else None
