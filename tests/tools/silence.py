"""Plays lawful matches at tables that say little, and counts what that costs them.

    python -m tests.tools.silence                             20 matches of every kind
    python -m tests.tools.silence --matches 2000 --jobs 2     as many as `./test --long` asks for
    python -m tests.tools.silence fr-explore lands            of these kinds alone
    python -m tests.tools.silence fr-explore --seed 7         this match alone, told act by act if it goes wrong

Each row has the mean of a match, and the worst in brackets. *Questions* made the lamp wait for an answer, *said* are
cards of which somebody had to say that they were theirs, and command cards that had to be shown again. Beside them
stands what nobody can know without a word (``tests/support/onlooker.py``): *open* are acts that can still be told in
two lawful ways after the next one, *needed* those of which the simplest way is not true. That costs as much as the
match, so it is asked of the first ``--bound`` of each kind. *Refused* are lawful matches
in which somebody was held to have done something wrong, *wrong* those whose standing was wrong with no way out. Status
1 when there was one.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from multiprocessing import Pool
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parents[1]))  # what several tests need is imported as pytest does it

COLUMNS = ("questions", "said", "open", "needed")


def main() -> int:
    from support.quiet_matches import KINDS, play, played

    parser = argparse.ArgumentParser(prog="python -m tests.tools.silence", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=", ".join(KINDS))
    parser.add_argument("--matches", type=int, default=20, metavar="N", help="how many of each kind (%(default)s)")
    parser.add_argument("--first", type=int, default=0, metavar="SEED", help="the first (%(default)s)")
    parser.add_argument("--seed", type=int, help="play this one alone")
    parser.add_argument("--bound", type=int, default=25, metavar="N", help="ask the onlooker of so many (%(default)s)")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="so many at once (%(default)s)")
    asked = parser.parse_args()
    if unknown := set(asked.kinds) - set(KINDS):
        parser.error(f"there is no kind {min(unknown)!r}; there are {', '.join(KINDS)}")
    kinds = asked.kinds or list(KINDS)
    if asked.seed is not None:
        return max(_tell(play, kind, asked.seed) for kind in kinds)
    heads = " ".join(f"{name:>12}" for name in COLUMNS)
    bound = min(asked.bound, asked.matches)
    print(f"open and needed: of the first {bound} matches of each kind; all else: of all {asked.matches}")
    print(f"{'':18} {'matches':>7} {'acts':>6} {heads} {'refused':>8} {'wrong':>6} {'seconds':>8} {'a match':>8}")
    failed = False
    with Pool(asked.jobs) as pool:
        for kind in kinds:
            cases = [(kind, asked.first + at, at < bound) for at in range(asked.matches)]
            failed |= _row(kind, list(pool.imap_unordered(played, cases, 4)))
    return int(failed)


def _tell(play: Any, kind: str, seed: int) -> int:
    began_s = time.process_time()
    table, unfair = play(kind, seed)
    print(table.told if unfair is None else unfair)
    known = f"open {table.onlooker.open}, needed {table.onlooker.needed}"
    print(f"{kind} {seed}: {table.counts}, {known}, {time.process_time() - began_s:.1f} s")
    return int(unfair is not None)


def _row(kind: str, results: list[Any]) -> bool:
    """One line of the table: means, and the worst in brackets; answers whether a match went wrong."""
    count = len(results)
    cells = []
    for name in COLUMNS:
        counted = [had for one in results if (had := getattr(one, name)) is not None]
        cells.append(f"{f'{sum(counted) / len(counted):.2f} ({max(counted)})' if counted else '-':>12}")
    went = Counter(one.went for one in results)
    acts, seconds = (sum(getattr(one, name) for one in results) for name in ("acts", "seconds"))
    ends = f"{went['refused']:8} {went['wrong']:6} {seconds:8.0f} {seconds / count:8.2f}"
    print(f"{kind:18} {count:7} {acts / count:6.1f} {' '.join(cells)} {ends}", flush=True)
    for one in sorted(results, key=lambda one: one.seed):
        if one.went != "well":
            print(f"    --seed {one.seed}: {one.why}")
    return went["well"] < count


if __name__ == "__main__":
    sys.exit(main())
