"""The project's own benchmarks, each against a baseline that is measured in the same run.

From a checkout, with what `./test` installs:

    python -m tests.bench               # all of them
    python -m tests.bench rules --long
    python -m tests.bench kills --kills 30 --seed 7

They print a line for each figure. ``companion bench eye`` is the one that the program has too: it is for people who
want to know how fast the eye is on their Raspberry Pi.
"""

from __future__ import annotations

import argparse
import sys
from functools import partial
from pathlib import Path

from companion.cli.output import DONE, UNUSABLE, print_error, print_line
from companion.cli.progress import ProgressLine
from companion.errors import CompanionError


def main() -> int:
    """Run one benchmark, or all."""
    sys.path.append(str(Path(__file__).parents[1]))  # what several tests need is imported as pytest does it
    from tests.bench import eye, kills, phones, rules, strangers, table

    benches = {
        "eye": eye.eye,
        "kills": kills.kills,
        "phones": phones.phones,
        "rules": rules.rules,
        "strangers": strangers.strangers,
        "table": table.table,
    }
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__.splitlines()[0])
    parser.add_argument("name", nargs="?", choices=benches, metavar="NAME", help=", ".join(benches))
    parser.add_argument("--long", action="store_true", help="all films, all seeds")
    parser.add_argument("--kills", type=int, metavar="N", help="kills: end a companion so often")
    parser.add_argument("--seed", type=int, default=1, help="kills: which dice play and kill (%(default)s)")
    asked = parser.parse_args()
    benches["kills"] = partial(kills.kills, lives=asked.kills, seed=asked.seed)
    names = [asked.name] if asked.name else list(benches)
    try:
        with ProgressLine(f"Measuring {' '.join(names)}", len(names)) as progress:
            for number, name in enumerate(names, 1):
                progress.at(number)
                for line in benches[name](asked.long):
                    print_line(line)
    except CompanionError as wrong:
        print_error(str(wrong))
        return UNUSABLE
    return DONE


if __name__ == "__main__":
    raise SystemExit(main())
