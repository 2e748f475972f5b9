"""The project's own benchmarks, each against a baseline that is measured in the same run.

From a checkout, with what `./test` installs:

    python -m tests.bench               # all of them
    python -m tests.bench rules --long
    python -m tests.bench durable --kills 30 --seed 7
    python -m tests.bench growth --minutes 120

They print a line for each figure. ``companion bench eye`` is the one that the program has too: it is for whoever has a
Raspberry Pi and wants to know how fast the eye is there.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from companion.cli.output import DONE, UNUSABLE, print_error, print_line
from companion.cli.progress import ProgressLine
from companion.errors import CompanionError


def benches(asked: argparse.Namespace) -> dict[str, Callable[[bool], Iterator[str]]]:
    """Each by its name; the argument: take longer, for all films and seeds."""
    sys.path.append(str(Path(__file__).parents[1]))  # what several tests need is imported as pytest does it
    from tests.bench import durable, eye, growth, phones, rules, strangers, surfaces, table

    return {
        "durable": partial(durable.durable, kills=asked.kills, seed=asked.seed),
        "eye": eye.eye,
        "growth": partial(growth.growth, minutes=asked.minutes),
        "phones": phones.phones,
        "rules": rules.rules,
        "strangers": strangers.strangers,
        "surfaces": surfaces.surfaces,
        "table": table.table,
    }


def main() -> int:
    """Run one benchmark, or all."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__.splitlines()[0])
    parser.add_argument("name", nargs="?", metavar="NAME")
    parser.add_argument("--long", action="store_true", help="all films, all seeds")
    parser.add_argument("--kills", type=int, metavar="N", help="durable: kill a companion so often")
    parser.add_argument("--minutes", type=float, metavar="N", help="growth: let people play so long")
    parser.add_argument("--seed", type=int, default=1, help="durable: which dice play and kill (%(default)s)")
    asked = parser.parse_args()
    every = benches(asked)
    if asked.name not in (None, *every):
        parser.error(f"there is no bench {asked.name!r}; there are {', '.join(every)}")
    names = [asked.name] if asked.name else list(every)
    try:
        with ProgressLine(f"Measuring {' '.join(names)}", len(names)) as progress:
            for number, name in enumerate(names, 1):
                progress.at(number)
                for line in every[name](asked.long):
                    print_line(line)
    except CompanionError as wrong:
        print_error(str(wrong))
        return UNUSABLE
    return DONE


if __name__ == "__main__":
    raise SystemExit(main())
