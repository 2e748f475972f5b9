"""Searches for stories that break a law, and makes what it finds smaller by taking acts away."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, replace
from typing import Any

from support.laws import (
    ANSWERED,
    EXPLAINED,
    GONE,
    HELD,
    LAWS,
    LOST,
    MARKED,
    NO_MARK,
    ORDER,
    READ,
    SHOWN,
    Judged,
    judge,
)
from support.stories import Eye, Story
from support.story_draw import SCENES, SURFACES, story
from support.story_film import tell

CRASH = "crash"
"""What is broken when eye or referee raise an error."""


@dataclass(frozen=True, slots=True, eq=False)
class Tried:
    """A story that was tried, after so many seconds of the search, and of the processor."""

    story: Story
    judged: Judged
    after_s: float
    worked_s: float


def tried(story: Story, *, draws: bool = True) -> Judged:
    """What the laws say of a story; not ``draws``: of the referee alone, with an eye that keeps them."""
    try:
        return judge(tell(story, draws=draws))
    except Exception as wrong:  # noqa: BLE001  # whatever it is, this story found it
        judged = Judged()
        judged.breach(CRASH, 0.0, f"{type(wrong).__name__}: {wrong}")
        return judged


GIVES_OCCASION: Mapping[str, str] = {
    SHOWN: "laid", GONE: "taken_up", HELD: "tried", MARKED: "unread", EXPLAINED: "explained", NO_MARK: "unread",
    ORDER: "out_of_sight", LOST: "out_of_sight", READ: "laid", ANSWERED: "laid",
}  # fmt: skip
"""The scene after which each law has something to judge most often."""


class Scenes:
    """Which scene each story begins with: by turns any, as often as it should come, and one that gives an occasion to
    the law that has had the fewest on that surface."""

    def __init__(self, dice: random.Random, only: Sequence[str]) -> None:
        self._only = only
        self._often = [
            scene.__name__ for scene, times in SCENES for _ in range(times) if not only or scene.__name__ in only
        ]
        dice.shuffle(self._often)
        self._number = 0
        self._begun: Counter[tuple[str, str]] = Counter()

    def next(self, surface: str, met: Mapping[tuple[str, str], int]) -> str:
        """The name of a scene; ``met``: how often each law had something to judge on each surface."""
        self._number += 1
        if self._only or self._number % 2:
            return self._often[self._number // 2 % len(self._often)]
        law = min(GIVES_OCCASION, key=lambda law: met.get((law, surface), 0) + self._begun[law, surface])
        self._begun[law, surface] += 1
        return GIVES_OCCASION[law]


def search(
    game: str,
    count: int,
    seed: int,
    surface: str | None = None,
    only: Sequence[str] = (),
    most_s: float = 1e9,
    *,
    draws: bool = True,
) -> Iterator[Tried]:
    """Try stories until so many are done, or the processor has worked for so long; on each surface equally many."""
    began_s, idle_s = time.monotonic(), time.process_time()
    dice, on = random.Random(seed), [surface] if surface else list(SURFACES)
    scenes, met = Scenes(dice, only), Counter[tuple[str, str]]()
    for number in range(count):
        here = on[number % len(on)]
        one = story(dice.randint, game, here, only, first=scenes.next(here, met))
        judged = tried(one, draws=draws)
        met.update({(law, here): times for law, times in judged.met.items()})
        yield Tried(one, judged, time.monotonic() - began_s, time.process_time() - idle_s)
        if time.process_time() - idle_s > most_s:
            return


# -- smaller -----------------------------------------------------------------------------------------


def shrunk(story: Story, law: str, most_s: float = 900.0, *, draws: bool = True) -> Story:
    """The smallest story that was found within so many seconds and breaks the same law."""
    until_s = time.monotonic() + most_s
    while True:
        for smaller in _smaller(story):
            if time.monotonic() > until_s:
                return story
            if any(breach.law == law for breach in tried(smaller, draws=draws).breaches):
                story = smaller
                break
        else:
            return story


def _smaller(story: Story) -> Iterator[Story]:
    """Stories with fewer acts, then with fewer things in them, then more usual ones."""
    acts = story.acts
    size = len(acts) // 2
    while size >= 1:
        for first in range(0, len(acts), size):
            if size < len(acts):
                yield replace(story, acts=acts[:first] + acts[first + size :])
        size //= 2
    for number, one in enumerate(acts):
        things = getattr(one, "things", ())
        for gone in range(len(things) if len(things) > 1 else 0):
            fewer: Any = replace(one, things=things[:gone] + things[gone + 1 :])  # type: ignore[call-arg]
            yield replace(story, acts=(*acts[:number], fewer, *acts[number + 1 :]))
    if story.eye != Eye():
        yield replace(story, eye=Eye())
    for value in (story, *acts):
        for field in fields(value):  # type: ignore[arg-type]  # all are dataclasses
            if field.default is MISSING or field.name == "eye" or getattr(value, field.name) == field.default:
                continue
            usual: Any = replace(value, **{field.name: field.default})  # type: ignore[type-var]
            if value is story:
                yield usual
            else:
                yield replace(story, acts=tuple(usual if one is value else one for one in acts))


# -- told --------------------------------------------------------------------------------------------


class Report:
    """Law by surface: how often it had something to judge, and how often it was broken."""

    def __init__(self) -> None:
        self.stories, self.looks, self.hands = Counter[str](), Counter[str](), Counter[str]()
        self.met: Counter[tuple[str, str]] = Counter()
        self.broken: Counter[tuple[str, str]] = Counter()

    def add(self, one: Tried) -> None:
        surface = one.story.surface
        self.stories[surface] += 1
        self.looks[surface] += one.judged.looks
        self.hands[surface] += one.judged.hands
        for law, count in one.judged.met.items():
            self.met[law, surface] += count
        for breach in one.judged.breaches:
            self.broken[breach.law, surface] += 1

    def lines(self) -> Iterator[str]:
        surfaces = sorted(self.stories)
        yield f"{'broken/met':12}" + "".join(f"{surface:>11}" for surface in surfaces) + f"{'all':>12}"
        for name, counted in (("stories", self.stories), ("looks", self.looks), ("hands", self.hands)):
            yield f"{name:12}" + "".join(f"{counted[one]:>11}" for one in surfaces) + f"{counted.total():>12}"
        for law in (*LAWS, CRASH):
            cells = [(self.broken[law, one], self.met[law, one]) for one in surfaces]
            whole = sum(broken for broken, _ in cells), sum(met for _, met in cells)
            if law != CRASH or whole[0]:
                shown = (f"{f'{broken}/{met}':>11}" for broken, met in cells)
                yield f"{law:12}" + "".join(shown) + f"{f'{whole[0]}/{whole[1]}':>12}"
        for law in LAWS:
            if not any(self.met[law, one] for one in surfaces):
                yield f"*{law}* had nothing to judge"
