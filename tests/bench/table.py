"""Whole matches through pixels: played by dice, drawn, looked at, refereed, and compared with the truth."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import cv2
from support.film_report import JSON, NAMES, Film, Told, tell

from companion.games.discovery.people.behaviour import Behaviour

HABITS = Behaviour(errs=0.15, forgets=0.1, rues=0.06, speaks=True)
LIVELY = 0.3
AROUND_S = 0.7
TURNS_END = {"options": {"turn_end": "inferred"}}
STOP = {"options": {"stop": True}}
MATCHES = (
    ("fr-explore", 3, {}),
    ("en-memory", 3, {}),
    ("en-explore", 3, {"bots": 1}),
    ("fr-bluff", 4, {"jokers": 2}),
    ("en-intro", 4, {"jokers": 2}),
    ("fr-explore", 4, {"bots": 1, "jokers": 2}),
    ("en-explore", 4, STOP),
    ("fr-explore", 3, TURNS_END),
    ("en-memory", 4, {"bots": 1}),
    ("fr-bluff", 6, {}),
    ("en-intro", 5, STOP),
    ("fr-explore", 6, {"teams": True}),
    ("en-explore", 5, {"options": {"series_plus": True}, "jokers": 2}),
    ("fr-bluff", 4, {"teams": True}),
    ("en-memory", 5, {"jokers": 2}),
    ("fr-explore", 5, STOP),
    ("en-intro", 3, {"bots": 1, "jokers": 2}),
    ("en-explore", 6, {}),
    ("fr-bluff", 3, {"bots": 1}),
    ("en-intro", 6, TURNS_END),
)
"""All five profiles, 3 to 6 seats, with bots, jokers, teams, stops and turns that end by themselves."""


def film_of(number: int) -> Film:
    """One of the matches; its number is its seed."""
    profile, seats, more = MATCHES[number]
    people: list[JSON] = [{"name": name} for name in NAMES[:seats]]
    for n in range(more.get("bots", 0)):
        people[-1 - n]["bot"] = True
    for n, seat in enumerate(people if "teams" in more else []):
        seat["team"] = ("red", "blue")[n % 2]
    match = {"game": "discovery", "profile": profile, "dealer": seats, "seat": people}
    match |= {"jokers": more.get("jokers", 0), "options": more.get("options", {})}
    return Film(match, number, HABITS, LIVELY)


def faults(told: Told) -> list[str]:
    """Where the story that was told leaves the one that happened, and a wrong winner."""
    happened, story = told.happened, told.told
    for number, (one, other) in enumerate(zip(happened, story, strict=False)):
        if one != other:
            return [f"act {number}: happened {one}, told {other}"]
    if len(happened) != len(story):
        more = happened[len(story) :] or story[len(happened) :]
        return [f"{len(happened)} acts happened, {len(story)} were told; the first apart: {more[0]}"]
    truth, said = told.winners
    return [] if truth == said else [f"winners: in truth {truth}, told {said}"]


def table(_long: bool) -> Iterator[str]:
    """Twenty matches; every processor plays one at a time."""
    began_s, sums = time.monotonic(), Counter[str]()
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as workers:
        for counts, lines in workers.map(_played, range(len(MATCHES))):
            sums += counts
            yield from lines
    yield (
        f"{len(MATCHES)} matches: {sums['lawful']} lawful and {sums['unlawful']} unlawful acts, "
        f"{sums['faults']} faults, {sums['alarms']} false alarms, {sums['questions']} questions; "
        f"{sums['film_s'] / 60:.0f} minutes of play in {(time.monotonic() - began_s) / 60:.1f} minutes"
    )


def _played(number: int) -> tuple[Counter[str], list[str]]:
    """One match, counted and told, in a process of its own."""
    cv2.setNumThreads(1)
    told = tell(film_of(number), longer_s=0.5, around_s=AROUND_S)
    counts = Counter("unlawful" if act.deed.rules else "lawful" for act in told.acts)
    found = {"faults": faults(told), "alarms": told.alarms, "questions": told.asked}
    counts |= {name: len(lines) for name, lines in found.items()} | {"film_s": round(told.film_s)}
    profile, seats, more = MATCHES[number]
    line = (
        f"{profile} {seats} seats {more or ''}: {counts['lawful']} lawful and {counts['unlawful']} unlawful acts; "
        f"{counts['faults']} faults, {counts['alarms']} false alarms, {counts['questions']} questions; "
        f"{told.pictures} pictures, {60 * told.took_s / told.film_s:.0f} s a simulated minute"
    )
    return counts, [line, *(f"  {name}: {one}" for name, lines in found.items() for one in lines)]
