"""Plays lawful matches under a lamp: some of what is laid is marked, and read only some acts later.

    python -m tests.tools.mirrored                                  20 matches of every kind
    python -m tests.tools.mirrored en-explore --matches 200         of these kinds alone
    python -m tests.tools.mirrored en-explore --seed 7              this match alone, told act by act if it goes wrong

Everything is said, and one thing at a time lies under the lamp. *Refused* are matches in which somebody was held to
have done something wrong, *wrong* those whose standing was wrong when all was read, with no way out. Status 1 when
there was one.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))  # what several tests need is imported as pytest does it


def main() -> int:
    from support.mirrored_table import KINDS, play
    from support.unspoken_table import Accused

    parser = argparse.ArgumentParser(prog="python -m tests.tools.mirrored", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=", ".join(KINDS))
    parser.add_argument("--matches", type=int, default=20, metavar="N", help="how many of each kind (%(default)s)")
    parser.add_argument("--first", type=int, default=0, metavar="SEED", help="the first (%(default)s)")
    parser.add_argument("--seed", type=int, help="play this one alone")
    asked = parser.parse_args()
    if unknown := set(asked.kinds) - set(KINDS):
        parser.error(f"there is no kind {min(unknown)!r}; there are {', '.join(KINDS)}")
    alone = asked.seed is not None
    seeds = [asked.seed] if alone else range(asked.first, asked.first + asked.matches)
    failed = False
    for kind in asked.kinds or KINDS:
        went = Counter[str]()
        for seed in seeds:
            _, unfair = play(kind, seed)
            how = "well" if unfair is None else "refused" if isinstance(unfair, Accused) else "wrong"
            went[how] += 1
            if unfair is not None:
                print(unfair if alone else f"    {kind} --seed {seed}: {str(unfair).splitlines()[0]}", flush=True)
        print(f"{kind:14} {len(seeds):5} matches, {went['refused']} refused, {went['wrong']} wrong", flush=True)
        failed |= went["well"] < len(seeds)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
