"""The Wi-Fi that a box makes of its own where none is known (``systemd/hotspot``): its name and password, for screens.

The hotspot hands them to the companion's group for as long as that Wi-Fi is there. The console shows them as a code to
scan, and so does the television page to whoever is in that Wi-Fi already.
"""

from __future__ import annotations

from pathlib import Path

from companion.public.service import OwnWifi

WIFI_FILE = Path("/run/companion-hotspot/wifi")
"""Two lines: name and password."""


def own_wifi(file: Path = WIFI_FILE) -> OwnWifi | None:
    """The Wi-Fi that the box makes now; ``None`` = it makes none, or has no password to tell."""
    try:
        name, password = file.read_text("utf-8").splitlines()
    except (OSError, ValueError):
        return None
    return OwnWifi(name, password) if name and password else None
