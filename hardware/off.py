"""``python -m hardware.off [SETTINGS.toml]``: switch the panel's pins off.

A Pi keeps its pins as they are when a program dies, so the service runs this after every stop, whatever the cause.
"""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path

from companion.errors import CompanionError
from companion.reading.text import MOST_TOML_BYTES, parse_toml, read_text
from hardware.outputs import panel_wiring
from hardware.panel import Panel
from hardware.pins import pin_factory
from hardware.wiring import Wiring


def wired(settings: Path) -> Wiring:
    """The wiring in a settings file; the default where the file or its ``[panel]`` is missing.

    >>> wired(Path("no-such-file.toml")).buzzer
    18

    Raises:
        InputError: The file is not TOML, or the table is wrong.
    """
    section = parse_toml(read_text(settings, MOST_TOML_BYTES)).get("panel") if settings.exists() else None
    return panel_wiring(section)


def main(arguments: list[str]) -> int:
    """Open the panel, which starts dark and silent, and close it."""
    try:
        with closing(pin_factory()) as factory, closing(Panel(wired(Path(*arguments)), factory)):
            return 0
    except (CompanionError, OSError) as error:
        sys.stderr.write(f"The panel's pins could not be driven off: {error}\n")
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:2] or ["settings.toml"]))
