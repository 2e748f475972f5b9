"""Searches for stories at a drawn table that break one of the eye's laws.

    python -m tests.tools.laws discovery                      100 stories, on every surface equally many
    python -m tests.tools.laws discovery --stories 1000 --seed 3 --surface gravel
    python -m tests.tools.laws memory --minutes 10 --shrink   makes the first of each law smaller
    python -m tests.tools.laws lands --only fan restarted     of these scenes alone
    python -m tests.tools.laws bluff --referee                no pictures: an eye that keeps its laws, and the referee
    python -m tests.tools.laws --story "Story('discovery', 'gravel', 1, (Takes(('C15',)),))"

Each story that breaks a law is printed as it is pasted into a test; at the end stands how often each law had something
to judge on each surface, and how often it was broken. Status 1 when one was. ``docs/how-it-thinks.md`` has the laws.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import cv2


def main() -> int:
    sys.path.append(str(Path(__file__).parents[1]))  # what several tests need is imported as pytest does it
    from support.story_draw import NAMES, SURFACES
    from support.story_tables import TABLES

    cv2.setNumThreads(1)  # several searches beside one another are quicker so
    parser = argparse.ArgumentParser(prog="python -m tests.tools.laws", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("game", nargs="?", choices=TABLES, metavar="GAME", help=", ".join(TABLES))
    parser.add_argument("--stories", type=int, default=100, metavar="N", help="how many (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="which (%(default)s)")
    parser.add_argument("--surface", choices=SURFACES, metavar="NAME", help=", ".join(SURFACES))
    parser.add_argument("--only", nargs="+", default=(), choices=NAMES, metavar="SCENE", help=", ".join(NAMES))
    parser.add_argument(
        "--minutes", type=float, default=1e9, metavar="M", help="stop after so many minutes of the processor"
    )
    parser.add_argument("--shrink", action="store_true", help="at the end, a quarter of an hour for each at most")
    parser.add_argument("--referee", action="store_true", help="draw no pictures: try the referee with a lawful eye")
    parser.add_argument("--story", help="play this one instead")
    asked = parser.parse_args()
    if asked.story:
        return _play(asked.story, draws=not asked.referee)
    if not asked.game:
        parser.error("which game?")
    return _search(asked)


def _play(text: str, *, draws: bool) -> int:
    from support.laws import judge
    from support.stories import story_of
    from support.story_film import tell
    from support.tile_table import told

    played = tell(story_of(text), draws=draws)
    judged = judge(played)
    for line in played.match.record.lines:
        print(f"{line.entry.time_s:6.1f} s  {told(line)}")
    print("met:", dict(judged.met))
    for breach in judged.breaches:
        print(f"{breach.at_s:6.2f} s  {breach.law}: {breach.what}")
    return 1 if judged.breaches else 0


def _search(asked: argparse.Namespace) -> int:
    from support.story_search import Report, Tried, search, shrunk

    report, first = Report(), dict[str, Tried]()
    began_s = time.process_time()
    draws, most_s = not asked.referee, 60 * asked.minutes
    for one in search(asked.game, asked.stories, asked.seed, asked.surface, asked.only, most_s, draws=draws):
        report.add(one)
        if one.judged.breaches:
            after = f"{one.after_s / 60:.1f} minutes ({one.worked_s / 60:.1f} of the processor)"
            print(f"\nafter {after}, story {report.stories.total()}: {one.story}", flush=True)
        for breach in one.judged.breaches:
            print(f"  {breach.law} at {breach.at_s} s: {breach.what}", flush=True)
            first.setdefault(breach.law, one)
    stories = report.stories.total()
    print(f"\n{stories} stories, {(time.process_time() - began_s) / max(stories, 1):.1f} s of the processor each")
    for line in report.lines():
        print(line)
    for law, one in first.items() if asked.shrink else ():
        print(f"\n{law}, smaller: {shrunk(one.story, law, draws=draws)}", flush=True)
    return 1 if first else 0


if __name__ == "__main__":
    raise SystemExit(main())
