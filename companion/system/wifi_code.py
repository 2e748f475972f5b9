"""A Wi-Fi as a QR code: whoever points a phone's camera at it is in that Wi-Fi.

``systemd/hotspot`` puts it above the console's login. The password comes on standard input: on a command line every
user could read it::

    printf '%s' PASSWORD | python -m companion.system.wifi_code NAME
"""

from __future__ import annotations

import sys

from companion.system.console import drawn_code

_SPECIAL = str.maketrans({sign: f"\\{sign}" for sign in '\\;,:"'})


def wifi_address(name: str, password: str) -> str:
    """What a phone's camera takes for a Wi-Fi with WPA (the notation of the ZXing project, as phones read it)."""
    return f"WIFI:T:WPA;S:{name.translate(_SPECIAL)};P:{password.translate(_SPECIAL)};;"


def main(words: list[str]) -> int:
    """``NAME``: prints the code; nothing where there is no password."""
    if len(words) != 1:
        sys.stderr.write("wifi_code NAME, and the password on standard input\n")
        return 2
    password = sys.stdin.read().rstrip("\n")
    if not password:
        sys.stderr.write("the Wi-Fi is not drawn: there is no password\n")
        return 1
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]  # a service has no language
    sys.stdout.write(drawn_code(wifi_address(words[0], password)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
