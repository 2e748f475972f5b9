"""Entry point of `companion` and `python -m companion`. The camera's child process imports it too, so it is short."""

from __future__ import annotations

import sys


def main() -> None:
    from companion.cli.main import main as command_line

    sys.exit(command_line())


if __name__ == "__main__":
    main()
