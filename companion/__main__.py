"""The door: `companion` and `python -m companion`. The eye's child process imports this file again, so nothing else."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line."""
    from companion.cli.main import main as command_line

    sys.exit(command_line())


if __name__ == "__main__":
    main()
