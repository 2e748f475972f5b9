"""Draws stories with Hypothesis: a few scenes from a table's life, one after the other or into one another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hypothesis import strategies as st
from support import photographs, stories as act
from support.stories import Act, Eye, Story
from support.story_tables import StoryTable, story_table

from companion.public.table import Point

SURFACES = ("drawn", *sorted(photographs.WIDE_MM))
SIDES = (90.0, 90.0, 90.0, 270.0, 70.0, 110.0)
"""Where arms come from, mostly from the near edge."""

MOST_SCENES = 3

Draw = Callable[[st.SearchStrategy[Any]], Any]
Scene = Callable[["Drawer"], list[Act]]


def tenths(low: float, high: float) -> st.SearchStrategy[float]:
    """Numbers that are short when they are printed."""
    return st.integers(round(low * 10), round(high * 10)).map(lambda number: number / 10)


class Drawer:
    """Draws scenes, and remembers which things and places are taken."""

    def __init__(self, draw: Draw, table: StoryTable) -> None:
        self.draw, self.table = draw, table
        self.things = list(table.laid)
        self.spots = list(table.spots)
        self.lies = [str(one.token) for one in table.first]

    def number(self, low: float, high: float) -> float:
        return float(self.draw(tenths(low, high)))

    def whole(self, low: int, high: int) -> int:
        return int(self.draw(st.integers(low, high)))

    def one(self, *choices: Any) -> Any:
        return self.draw(st.sampled_from(choices))

    def thing(self) -> str | None:
        """A thing that lies nowhere yet; the likelier, the earlier it stands in its table's list."""
        if not self.things:
            return None
        return self.things.pop(min(self.whole(0, 4), len(self.things) - 1))

    def explained_by(self, thing: str) -> list[str]:
        """What may be laid once this thing lies there, and not before."""
        lie = {str(one.token) for one in self.table.first[:1]}
        needs = self.table.needs
        if set(needs.get(thing, ())) - lie:
            return []
        return [one for one in (*self.lies, *self.things) if set(needs.get(one, ())) - lie == {thing}]

    def things_of(self, count: int) -> tuple[str, ...]:
        """Some that are held only, so that they may be laid later."""
        count = min(count, len(self.things))
        first = self.whole(0, len(self.things) - count)
        return tuple(self.things[first : first + count])

    def spot(self) -> Point:
        """A place at which nothing lies."""
        if not self.spots:
            self.spots = list(self.table.spots)
        x, y = self.spots.pop(self.whole(0, len(self.spots) - 1))
        off = self.table.off_mm
        return x + self.whole(-off, off), y + self.whole(-off, off)

    def turned(self) -> float:
        usual, askew = self.table.turns
        return float(self.one(*usual) + self.whole(-askew, askew))

    def lays(self, **named: Any) -> list[Act]:
        """Something that lies nowhere is laid."""
        thing = self.thing()
        if thing is None:
            return []
        x, y = self.spot()
        self.lies.append(thing)
        usual = {
            "turned": self.turned(),
            "under": self.number(0, 1.5),
            "come": self.number(0.3, 0.8),
            "go": self.number(0.3, 0.8),
            "after": self.number(0.2, 3),
            "side": self.one(*SIDES),
            "person": self.whole(0, 5),
        }
        return [act.Lays(thing, x, y, **{**usual, **named})]


# -- scenes ------------------------------------------------------------------------------------------


def fan(its: Drawer) -> list[Act]:
    """Cards held over the table and drawn back."""
    (x, y), count = its.spot(), its.whole(2, 5)
    return [
        act.Holds(
            its.things_of(count),
            x,
            y,
            up=float(its.whole(20, 150)),
            still=its.number(0.5, 6),
            tremble=its.number(0.3, 2),
            gap=float(its.whole(18, 66)),
            fan=float(its.whole(0, 16)),
            tilt=float(its.one(0, 0, its.whole(0, 60))),
            axis=float(its.one(0, 90, its.whole(0, 180))),
            bend=float(its.one(0, 0, its.whole(0, 10))),
            after=its.number(0.3, 2),
            person=its.whole(0, 5),
        )
    ]


def carried(its: Drawer) -> list[Act]:
    """A card or two carried about over the table."""
    x, y = its.spot()
    return [
        act.Holds(
            its.things_of(its.whole(1, 2)),
            x,
            y,
            up=float(its.whole(20, 120)),
            still=its.number(0.5, 4),
            tremble=its.number(0.3, 2),
            carries=(float(its.whole(-60, 60)), float(its.whole(-60, 60))),
            turned=its.turned(),
            after=its.number(0.3, 2),
        )
    ]


def tried(its: Drawer) -> list[Act]:
    """Laid and taken back by the same hand, in one place or two."""
    places = (its.spot(), *((its.spot(),) if its.whole(0, 3) == 0 else ()))
    timing = {"under": its.number(0.3, 1.4), "come": its.number(0.3, 0.7), "go": its.number(0.4, 0.8)}
    return [
        act.Tries(thing, places, its.turned(), after=its.number(0.3, 2), side=its.one(*SIDES), **timing)
        for thing in its.things_of(1)
    ]


def laid(its: Drawer) -> list[Act]:
    return its.lays()


def laid_and_taken(its: Drawer) -> list[Act]:
    """Laid, left, and taken back."""
    acts = its.lays()
    if acts:
        acts.append(act.Takes((its.lies.pop(),), after=its.number(0.2, 4), each=its.number(0.3, 0.6)))
    return acts


def two_at_once(its: Drawer) -> list[Act]:
    """Two hands at once, or the second half over the first within half a second."""
    acts = its.lays()
    if not acts or its.whole(0, 1):
        return acts + its.lays(after=-its.number(0.2, 1.2), side=270.0)
    first = its.lies[-1]
    return acts + [
        act.Lays(one.thing, float(its.whole(-40, 40)), float(its.whole(-40, 40)), upon=first, after=its.number(0, 0.5))
        for one in its.lays()
        if isinstance(one, act.Lays)
    ]


def covered_soon(its: Drawer) -> list[Act]:
    """A card is covered by the next soon after it was laid, wholly or in part."""
    first = its.lays(under=its.number(0.2, 0.8))
    if not first:
        return []
    below = its.lies[-1]
    return first + [
        act.Lays(one.thing, float(its.whole(-12, 12)), float(its.whole(-12, 12)), upon=below, after=its.number(0.1, 1))
        for one in its.lays()
        if isinstance(one, act.Lays)
    ]


def taken_up(its: Drawer) -> list[Act]:
    """Some of what lies there is taken away, one after the other: what was there first, or what was laid."""
    count = min(its.whole(1, 4), len(its.lies))
    if not count:
        return []
    first = its.whole(0, len(its.lies) - count)
    things = tuple(its.lies[first : first + count])
    del its.lies[first : first + count]
    return [act.Takes(things, after=its.number(0.5, 3), each=its.number(0.3, 0.6), gap=its.number(0.1, 0.6))]


def restarted(its: Drawer) -> list[Act]:
    """The eye is started again; then something that lies there is taken away."""
    acts: list[Act] = [*its.lays()] if its.whole(0, 1) else []
    forgets = bool(its.whole(0, 1))
    acts.append(act.Restarts(its.number(0.2, 3), forgets, after=its.number(-0.8, 2.5)))
    return [*acts, act.Takes((its.lies.pop(),), after=its.number(1, 4))] if its.lies and its.whole(0, 2) else acts


def shoved(its: Drawer) -> list[Act]:
    """A sleeve takes something along, or a pile is knocked over."""
    count = min(its.whole(1, 3), len(its.lies))
    things = tuple(its.lies[-count:])
    way = float(its.whole(-25, 25)), float(its.whole(-25, 25))
    return [act.Shoves(things, *way, apart=its.one((0.0, 0.0), (35.0, 10.0)), after=its.number(0.3, 2))]


def rested(its: Drawer) -> list[Act]:
    """A hand rests, and another one lays something meanwhile."""
    x, y = its.spot()
    rest = act.Rests(x, y, its.number(1, 4), after=its.number(0.3, 2), side=its.one(*SIDES))
    return [rest, *(its.lays(after=-its.number(1, 3)) if its.whole(0, 1) else [])]


def out_of_sight(its: Drawer) -> list[Act]:
    """Things are laid in the dark, or under a head."""
    seconds = its.number(3, 7)
    hidden: Act = act.Dark(seconds, its.one(0.0, 0.1)) if its.whole(0, 1) else act.Head(seconds)
    acts: list[Act] = [hidden, *its.lays(after=1.2, under=0.2), *(its.lays(after=0.2, under=0.2))]
    for number, one in enumerate(acts):  # a follower comes with its tile
        small = [name for name in its.table.upon if name not in its.lies]
        if isinstance(one, act.Lays) and small and its.whole(0, 1):
            its.lies.append(small[0])
            acts.insert(number + 1, act.Lays(small[0], *its.table.upon[small[0]], upon=one.thing, after=0.1, under=0.1))
            break
    return [*acts, act.Rests(*its.spot(), 0.5, after=1.5)] if its.whole(0, 3) == 0 else acts


def unread(its: Drawer) -> list[Act]:
    """Something lies under a smudge, in a mirror image or half under a thing; then what it may explain is laid."""
    x, y = its.spot()
    what = its.whole(0, 2)
    awaited = [one for one in its.things if its.explained_by(one)]
    if awaited and its.whole(0, 2):
        thing: str | None = awaited[0]
        its.things.remove(awaited[0])
    else:
        thing = its.thing()
    if thing is None:
        return []
    explained = its.explained_by(thing)
    self_laid = act.Lays(thing, x, y, turned=its.turned(), after=its.number(0.3, 1))
    if what == 0:
        acts: list[Act] = [act.Smudge(x, y, its.number(2, 4)), self_laid]
    elif what == 1:
        acts = [act.Glint(x, y, float(its.whole(12, 30)), its.number(1, 2)), self_laid]
    else:
        over = act.Cup(x + its.whole(-36, 36), y + its.whole(-50, 50), its.one("PHONE", "BACK0", "CUP"), after=0.2)
        acts = [self_laid, over]
    its.lies.append(thing)
    if its.whole(0, 1):
        return [*acts, act.Rests(*its.spot(), 0.3, after=11.0)]
    if explained:
        return [*acts, act.Lays(its.one(*explained), *its.spot(), after=its.number(2, 5))]
    return acts + its.lays(after=its.number(2, 5))


def explained(its: Drawer) -> list[Act]:
    """Something cannot be read; then comes what may be laid only once that lies there."""
    awaited = [one for one in its.things if its.explained_by(one)]
    if awaited:
        thing = its.one(*awaited)
        its.things.remove(thing)
        (x, y), then, beside = its.spot(), its.one(*its.explained_by(thing)), its.spot()
    elif its.table.beyond and len(its.things) > 1:
        (x, y), beside = its.one(*its.table.beyond)
        thing, then = its.things.pop(0), its.things.pop(0)
        its.spots = [spot for spot in its.spots if spot not in ((x, y), beside)]
    else:
        return unread(its)
    its.lies += [one for one in (thing, then) if one not in its.lies]
    turned = its.turned()
    first = act.Lays(thing, x, y, turned=turned, after=its.number(0.3, 1), under=its.number(0.2, 1))
    over = its.one(
        act.Smudge(x, y, its.number(3, 5), wide=its.table.reach_mm + 50.0),
        act.Glint(x, y, float(its.whole(8, 20)), its.number(1, 2)),
        act.Cup(x + its.whole(-20, 20), y + its.whole(-30, 30), its.one("PHONE", "BACK0"), after=0.1),
    )
    acts: list[Act] = [over, first] if over.is_over_at_once else [first, over]
    if its.whole(0, 2) == 0:
        acts += [act.Shows("KEND", after=its.number(0.3, 3))] if its.table.commands_at else []
    return [*acts, act.Lays(then, *beside, turned=turned, after=its.number(1, 5), under=its.number(0.2, 1))]


def followed(its: Drawer) -> list[Act]:
    """Something is laid, and soon something small upon it."""
    acts = its.lays()
    small = [one for one in its.table.upon if one not in its.lies]
    if not acts or not small:
        return acts
    thing, below = small[its.whole(0, len(small) - 1)], its.lies[-1]
    its.lies.append(thing)
    return [*acts, act.Lays(thing, *its.table.upon[thing], upon=below, under=0.3, after=its.number(-0.4, 2))]


def said(its: Drawer) -> list[Act]:
    return [act.Shows("KEND", its.number(0.6, 1.5), after=its.number(0.3, 2))] if its.table.commands_at else []


def blurred(its: Drawer) -> list[Act]:
    """The lens seeks its focus while something is laid, or the camera is knocked."""
    if its.whole(0, 1):
        return [act.Blurs(its.number(1.5, 5), its.number(0.3, 1.5), after=its.number(0.3, 1)), *its.lays(after=0.1)]
    knock = act.Bump(its.number(-2, 2), float(its.whole(-15, 15)), (its.number(-12, 12), its.number(-12, 12)))
    return [knock, *its.lays(after=2.0)]


def cluttered(its: Drawer) -> list[Act]:
    x, y = its.spot()
    return [act.Cup(x, y, its.one("CUP", "PHONE", "BACK1", "DIE"), after=its.number(0.3, 2)), *its.lays()]


def begun_again(its: Drawer) -> list[Act]:
    """Everything is taken up, and the first things are laid again."""
    things = tuple(its.lies[:5])
    del its.lies[:5]
    again = [act.Lays(thing, *its.spot(), after=0.3, under=0.2) for thing in things[:2]]
    its.lies += things[:2]
    return [act.Takes(things, each=0.3, gap=0.1), *again]


SCENES: tuple[tuple[Scene, int], ...] = (
    (fan, 5), (carried, 2), (tried, 4), (laid, 3), (laid_and_taken, 4), (two_at_once, 2), (covered_soon, 2),
    (taken_up, 4), (restarted, 4), (shoved, 2), (rested, 2), (out_of_sight, 2), (unread, 4), (said, 2), (blurred, 2),
    (cluttered, 2), (begun_again, 1), (followed, 2), (explained, 4),
)  # fmt: skip
"""The scenes, and how often each is drawn."""
NAMES = tuple(scene.__name__ for scene, _ in SCENES)


@st.composite
def eyes(draw: Draw) -> Eye:
    """Lenses, noise, light and packing, all within what ``docs/table.md`` asks of a table."""
    return Eye(
        rate=float(draw(st.sampled_from((6, 6, 5, 8)))),
        tilt=float(draw(st.integers(0, 14))),
        k1=draw(st.sampled_from((-0.04, 0.0, -0.1))),
        psf=draw(tenths(0.6, 0.9)),
        noise=draw(tenths(3, 5)),
        jpeg=draw(st.sampled_from((80, 60, 70, 90, 0))),
        shutter=draw(st.sampled_from((0.01, 0.005, 0.02))),
        light=draw(tenths(0.7, 1.1)),
        flicker=draw(st.sampled_from((0.008, 0.0, 0.02))),
        drift=draw(st.sampled_from((0.02, 0.0, 0.04))),
    )


@st.composite
def stories(
    draw: Draw, game: str, surface: str | None = None, only: Sequence[str] = (), scenes: int = MOST_SCENES
) -> Story:
    """A story at a table.

    Args:
        surface: On this one; ``None`` = on any.
        only: The names of its scenes; else any.
        scenes: So many at most.
    """
    often = [scene for scene, often in SCENES if not only or scene.__name__ in only for _ in range(often)]
    its = Drawer(draw, story_table(game))
    acts: list[Act] = []
    for _ in range(draw(st.integers(1, scenes))):
        acts += draw(st.sampled_from(often))(its)
    return Story(
        game,
        surface or draw(st.sampled_from(SURFACES)),
        draw(st.integers(1, 9999)),
        tuple(acts),
        draw(eyes()),
        before=draw(st.sampled_from((1.0, 0.2, 3.0))),
        after=draw(st.sampled_from((3.0, 5.0))),
    )
