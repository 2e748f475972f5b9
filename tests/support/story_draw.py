"""Draws stories: a few scenes from a table's life, one after the other or into one another.

Whatever is drawn is a whole number from one to another. In a test Hypothesis draws them; a long search draws them by
dice, so that no two stories are nearly the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st
from support import photographs, stories as act
from support.stories import Act, Eye, Story
from support.story_rules import may_be_laid
from support.story_tables import VARIANTS, StoryTable, story_table

from companion.public.table import Point, Token
from vision.synthetic.compositing import DrawnCard

SURFACES = ("drawn", *sorted(photographs.WIDE_MM))
SIDES = (90.0, 90.0, 90.0, 270.0, 70.0, 110.0)
"""Where arms come from, mostly from the near edge."""

MOST_SCENES = 2
PAIRS_TRIED = 12
"""So often two things are drawn until they may be laid one after the other."""

Whole = Callable[[int, int], int]
"""Draws a whole number that is not less than the first and not more than the second."""
Scene = Callable[["Drawer"], list[Act]]


class Chance:
    """Draws numbers, and one of several things."""

    def __init__(self, whole: Whole) -> None:
        self.whole = whole

    def number(self, low: float, high: float) -> float:
        """A number that is short when it is printed."""
        return self.whole(round(low * 10), round(high * 10)) / 10

    def one(self, *choices: Any) -> Any:
        return choices[self.whole(0, len(choices) - 1)]


class Drawer(Chance):
    """Draws scenes, and remembers which things and places are taken."""

    def __init__(self, whole: Whole, table: StoryTable) -> None:
        super().__init__(whole)
        self.table = table
        self.things = list(table.laid)
        self.spots = list(table.spots)
        self.lies = [str(one.token) for one in table.first]
        self.at: dict[str, tuple[float, float, float]] = {
            str(one.token): (round(one.x_mm, 1), round(one.y_mm, 1), round(one.rotation_deg, 1)) for one in table.first
        }

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

    def drawn(self, thing: str, at: dict[str, float]) -> DrawnCard:
        return DrawnCard(Token(thing), at["x"], at["y"], at["turned"])

    def one_after_the_other(self, *, waits: bool) -> list[tuple[str, dict[str, float]]]:
        """Two things, and places at which they may be laid one after the other; not found by so many tries: none.

        Args:
            waits: The second may not be laid before the first.
        """
        spots = list(self.spots)
        for _ in range(PAIRS_TRIED if len(self.things) > 1 else 0):
            self.spots = list(spots)
            first = self.things[self.whole(0, len(self.things) - 1)]
            then = self.one(*(one for one in self.things if one != first))
            at, beside = self.place(), self.place()
            pieces = self.drawn(first, at), self.drawn(then, beside)
            if may_be_laid(self.table, *pieces) and not (waits and may_be_laid(self.table, pieces[1])):
                return [(first, at), (then, beside)]
        self.spots = spots
        return []

    def awaited(self) -> tuple[str, str] | None:
        """A thing that may be laid now, and one that may be laid only after it."""
        first = [one for one in self.things if self.explained_by(one)]
        if not first:
            return None
        thing = self.one(*first)
        return thing, self.one(*self.explained_by(thing))

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

    def place(self) -> dict[str, float]:
        """A place at which nothing lies, and how a thing lies there: often side by side with another."""
        if self.table.size is not None and self.lies and self.whole(0, 1):
            wide, high = self.table.size
            x, y, turned = self.at[self.one(*self.lies[-3:])]
            if round(turned / 90) % 2:
                wide, high = high, wide
            gap = self.whole(1, 8)
            dx, dy = self.one((wide + gap, 0), (-wide - gap, 0), (0, high + gap), (0, -high - gap))
            xs, ys = zip(*self.table.spots, strict=True)
            is_free = all(math.dist((x + dx, y + dy), self.at[other][:2]) > min(wide, high) for other in self.lies)
            if is_free and min(xs) <= x + dx <= max(xs) and min(ys) <= y + dy <= max(ys):
                return {"x": round(x + dx, 1), "y": round(y + dy, 1), "turned": turned}
        (x, y), turned = self.spot(), self.turned()
        if self.table.sticker_at is not None:
            x, y = self.table.sticker_at((x, y), turned)
        return {"x": x, "y": y, "turned": turned}

    def lays(self, thing: str | None = None, **named: Any) -> list[Act]:
        """A thing is laid; without a name one that lies nowhere."""
        thing = self.thing() if thing is None else thing
        if thing is None:
            return []
        if thing in self.things:
            self.things.remove(thing)
        at = {**self.place(), **{name: named.pop(name) for name in ("x", "y", "turned") if name in named}}
        if thing in self.lies:
            self.lies.remove(thing)
        self.lies.append(thing)
        self.at[thing] = at["x"], at["y"], at["turned"]
        usual = {
            "turned": at["turned"],
            "under": self.number(0, 1.5),
            "come": self.number(0.3, 0.8),
            "go": self.number(0.3, 0.8),
            "after": self.number(0.2, 3),
            "side": self.one(*SIDES),
            "person": self.whole(0, 5),
        }
        return [act.Lays(thing, at["x"], at["y"], **{**usual, **named})]

    def lays_upon(self, below: str, reach: int, **named: Any) -> list[Act]:
        """Something that lies nowhere is laid upon another thing, or nearly."""
        return [
            replace(one, x=float(self.whole(-reach, reach)), y=float(self.whole(-reach, reach)), upon=below, **named)
            for one in self.lays()
            if isinstance(one, act.Lays)
        ]

    def takes(self, *things: str, **named: Any) -> Act:
        """Things that lie there are taken away."""
        self.lies = [one for one in self.lies if one not in things]
        usual = {"after": self.number(0.3, 3), "each": self.number(0.3, 0.6), "gap": self.number(0, 0.5)}
        if self.whole(0, 2) == 0:
            usual["waits"] = self.number(0.3, 2)
        return act.Takes(things, **{**usual, **named})

    def some(self, most: int) -> tuple[str, ...]:
        """Things that lie there beside one another, or came one after the other."""
        count = min(self.whole(1, most), len(self.lies))
        first = self.whole(0, len(self.lies) - count)
        return tuple(self.lies[first : first + count])

    def beside(self, thing: str) -> str:
        """What lies nearest to a thing."""
        x, y, _ = self.at[thing]
        others = [one for one in self.lies if one != thing]
        return min(others, key=lambda one: math.dist(self.at[one][:2], (x, y)), default=thing)

    def weather(self) -> Act:
        """What happens to light, lens or camera at any moment."""
        return self.one(  # type: ignore[no-any-return]
            self.knock,
            self.knock,
            lambda: act.Restarts(self.number(0.2, 2), bool(self.whole(0, 1))),
            lambda: act.Blurs(self.number(1.5, 5), self.number(0.3, 2)),
            lambda: act.Dark(self.number(0.4, 3), self.one(0.0, 0.1)),
        )()

    def knock(self) -> Act:
        aim = self.number(-12, 12), self.number(-12, 12)
        return act.Bump(self.number(-2, 2), float(self.whole(-15, 15)), aim)

    def meanwhile(self, acts: list[Act], what: Act) -> list[Act]:
        """Something happens at any moment while hands are there."""
        moments = [number for number, one in enumerate(acts) if act.lasts_s(one)]
        if not moments:
            return acts
        number = self.one(*moments)
        long_s = act.lasts_s(acts[number])
        at_s = round(self.number(0, 1) * long_s, 1)
        first, rest = [*acts[: number + 1], replace(what, after=round(at_s - long_s, 1))], acts[number + 1 :]  # type: ignore[call-arg]
        if rest:
            rest[0] = replace(rest[0], after=round(rest[0].after + long_s - at_s, 1))  # type: ignore[call-arg]
        return [*first, *rest]


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


def on_edge(its: Drawer) -> list[Act]:
    """A card stands on its edge, leant back in a hand, while its player thinks; then it may be laid."""
    things, at = its.things_of(1), its.place()
    hold = act.Holds(
        things,
        at["x"],
        at["y"],
        up=float(its.whole(4, 9)),
        still=its.number(0.5, 3),
        tremble=its.number(0.1, 1),
        tilt=float(its.whole(12, 40)),
        axis=float(its.one(0, 90, its.whole(0, 180))),
        turned=at["turned"],
        after=its.number(0.3, 2),
        person=its.whole(0, 5),
    )
    return [hold, *(its.lays(things[0], **at, after=0.3) if things and its.whole(0, 1) else [])]


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


def moved(its: Drawer) -> list[Act]:
    """What lies there is carried to another place."""
    return its.lays(its.one(*its.lies)) if its.lies else []


def laid_and_taken(its: Drawer) -> list[Act]:
    """Laid, left, and taken back; then perhaps another thing is laid there."""
    acts = its.lays()
    if not acts:
        return []
    x, y, turned = its.at[its.lies[-1]]
    acts.append(its.takes(its.lies[-1], after=its.number(0.2, 4)))
    return acts + (its.lays(x=x, y=y, turned=turned, after=its.number(0.1, 3)) if its.whole(0, 1) else [])


def side_by_side(its: Drawer) -> list[Act]:
    """Some are laid, and soon several are taken up, one after the other or together."""
    acts = [*its.lays(), *its.lays(after=its.number(0.1, 1))]
    return [*acts, its.takes(*its.some(3), at_once=its.whole(0, 2) == 0)]


def two_at_once(its: Drawer) -> list[Act]:
    """Two hands at once, or the second half over the first within half a second."""
    acts = its.lays()
    if not acts or its.whole(0, 1):
        return acts + its.lays(after=-its.number(0.2, 1.2), side=270.0)
    return acts + its.lays_upon(its.lies[-1], 40, after=its.number(0, 0.5))


def covered_soon(its: Drawer) -> list[Act]:
    """A card is covered by the next soon after it was laid, wholly or in part."""
    first = its.lays(under=its.number(0.2, 0.8))
    return first + its.lays_upon(its.lies[-1], 12, after=its.number(0.1, 1)) if first else []


def covered_and_taken(its: Drawer) -> list[Act]:
    """What lies there is covered, something may happen or what lies beside it be taken meanwhile, and then it is taken
    away, with its cover or after it."""
    if not its.lies:
        return []
    below = its.one(*its.lies)
    x, y, _ = its.at[below]
    if its.whole(0, 1):
        acts = its.lays_upon(below, 10, after=its.number(0.3, 2))
        if not acts:
            return []
        cover = its.lies[-1]
    else:
        cover = its.one("PHONE", "BACK0", "BACK1", "BOOK", "DIE")
        off = 2 if cover == "DIE" else 10
        acts = [act.Cup(x + its.whole(-off, off), y + its.whole(-off, off), cover, after=its.number(0.3, 2))]
    match its.whole(0, 4):
        case 0 | 1:
            acts.append(replace(its.weather(), after=its.number(0.2, 2)))  # type: ignore[call-arg]
        case 2 | 3:
            acts.append(its.takes(its.beside(below), after=its.number(0.3, 2)))
    return [*acts, its.takes(cover, below, at_once=its.whole(0, 2) > 0, after=its.number(1, 4))]


def taken_up(its: Drawer) -> list[Act]:
    """Some of what lies there is taken away, one after the other or together, whenever it came."""
    return [its.takes(*its.some(4), at_once=its.whole(0, 3) == 0)] if its.lies else []


def restarted(its: Drawer) -> list[Act]:
    """The eye is started again; then something that lies there is taken away."""
    acts: list[Act] = [*its.lays()] if its.whole(0, 1) else []
    forgets = bool(its.whole(0, 1))
    acts.append(act.Restarts(its.number(0.2, 3), forgets, after=its.number(-0.8, 2.5)))
    return [*acts, its.takes(its.lies[-1], after=its.number(1, 4))] if its.lies and its.whole(0, 2) else acts


def shoved(its: Drawer) -> list[Act]:
    """A sleeve takes something along, or a pile is knocked over."""
    count = min(its.whole(1, 3), len(its.lies))
    things = tuple(its.lies[-count:])
    way = float(its.whole(-25, 25)), float(its.whole(-25, 25))
    return [act.Shoves(things, *way, apart=its.one((0.0, 0.0), (35.0, 10.0)), after=its.number(0.3, 2))]


def rested(its: Drawer) -> list[Act]:
    """A hand rests, or an arm leans on the table, near a thing or upon it; another one lays or takes something
    meanwhile."""
    x, y = its.spot()
    if its.lies and its.whole(0, 1):
        x, y, _ = its.at[its.one(*its.lies)]
        x, y = x + its.whole(-50, 50), y + its.whole(-10, 80)
    long_s, still = its.one((its.number(1, 4), False), (its.number(3, 15), True))
    rest = act.Rests(x, y, long_s, after=its.number(0.3, 2), side=its.one(*SIDES), still=still)
    meanwhile_s = -round(its.number(0.3, 0.9) * long_s, 1)
    match its.whole(0, 2):
        case 0:
            return [rest]
        case 1:
            return [rest, *its.lays(after=meanwhile_s)]
        case _:
            return [rest, *([its.takes(*its.some(2), after=meanwhile_s)] if its.lies else [])]


def out_of_sight(its: Drawer) -> list[Act]:
    """Things are laid in the dark, under a head, or while the camera looks elsewhere: of two cards one may need the
    other, a follower comes with its tile. The camera may be knocked meanwhile."""
    quick: dict[str, Any] = {"come": 0.4, "under": 0.2, "go": 0.4}
    if pair := (its.awaited() if its.table.needs else None):
        acts = [*its.lays(pair[0], after=1.2, **quick), *its.lays(pair[1], after=0.2, **quick)]
    elif not its.table.needs and (found := its.one_after_the_other(waits=False)):
        acts = [
            one
            for n, (thing, at) in enumerate(found)
            for one in its.lays(thing, **at, after=0.2 if n else 1.2, **quick)
        ]
        if its.whole(0, 1):
            acts = [replace(acts[1], after=1.2), replace(acts[0], after=0.2)]
    else:
        acts = [*its.lays(after=1.2, **quick), *its.lays(after=0.2, **quick)]
    small = [name for name in its.table.upon if name not in its.lies]
    if acts and small and its.whole(0, 2):
        tile = acts[-1]
        assert isinstance(tile, act.Lays)
        its.lies.append(small[0])
        its.at[small[0]] = its.at[tile.thing]
        acts.append(act.Lays(small[0], *its.table.upon[small[0]], upon=tile.thing, after=0.2, **quick))
    seconds = round(sum(one.after + act.lasts_s(one) for one in acts) + its.number(0.3, 1), 1)
    if its.whole(0, 2) == 0:
        away = act.Bump(0.0, 0.0, (0.0, its.one(-0.7, 0.7) * its.table.size_mm[1]), after=its.number(1, 5))
        return [away, *acts, replace(its.knock(), after=its.one(its.number(0.1, 1), its.number(2, 5)))]  # type: ignore[call-arg]
    seconds = its.one(seconds, seconds, seconds + 4)
    hidden: Act = act.Dark(seconds, its.one(0.0, 0.1)) if its.whole(0, 1) else act.Head(seconds)
    if its.whole(0, 2) == 0:
        acts = its.meanwhile(acts, its.knock())
    acts = [hidden, *acts]
    return [*acts, act.Rests(*its.spot(), 0.5, after=1.5)] if its.whole(0, 3) == 0 else acts


def veiled(its: Drawer, x: float, y: float) -> Act:
    """What makes the sticker there unreadable; it is there before it, or the sticker would be read first."""
    wide, edge = min(110.0, its.table.reach_mm + 50.0), its.whole(0, 4)
    return its.one(
        act.Smudge(x, y, its.number(3.5, 6), wide=wide),
        act.Smudge(x, y, its.number(2.5, 4.5), wide=wide),
        act.Glint(x, y, float(its.whole(8, 24)), its.number(1, 2)),
        act.Cup(x + its.one(-1, 1) * (31.5 + edge), y + its.whole(-30, 30), its.one("BACK0", "BACK1"), after=0.2),
        act.Cup(x + its.whole(-20, 20), y + its.one(-1, 1) * (75 + edge), "PHONE", after=0.2),
        act.Cup(x + its.one(-1, 1) * its.whole(6, 11), y + its.whole(-6, 6), "DIE", after=0.2),
    )  # type: ignore[no-any-return]


def unread(its: Drawer) -> list[Act]:
    """Something cannot be read, and lies there for a while; it is taken away, and it or another thing comes again.
    Something else may have lain there before, and been read."""
    at, before = its.place(), list[Act]()
    if its.whole(0, 2) == 0 and len(its.things) > 1:
        before = [*its.lays(**at), its.takes(its.lies[-1], after=its.number(1, 3))]
    acts = its.lays(**at, after=its.number(0.3, 1))
    if not acts:
        return []
    thing = its.lies[-1]
    x, y, turned = at["x"], at["y"], at["turned"]
    acts = [*before, veiled(its, x, y), *acts]
    if its.whole(0, 2):
        acts.append(its.takes(thing, after=its.one(its.number(2, 6), its.number(10.5, 13), its.number(10.5, 13))))
        if its.whole(0, 1):
            acts += its.lays(its.one(thing, None), x=x, y=y, turned=turned, after=its.number(0.5, 8))
    return [*acts, act.Rests(*its.table.spots[-1], 0.3, after=its.number(11, 13))]


def explained(its: Drawer) -> list[Act]:
    """Something cannot be read; then comes what may be laid only once that lies there."""
    pair, turned = its.awaited(), its.turned()
    if pair:
        thing, then = pair
        at, beside = its.place(), its.place()
    elif its.table.beyond and len(its.things) > 1:
        thing, then = its.things[:2]
        near, far = its.one(*its.table.beyond)
        its.spots = [spot for spot in its.spots if spot not in (near, far)]
        at, beside = ({"x": x, "y": y, "turned": way} for (x, y), way in ((near, turned), (far, its.turned())))
        if its.table.sticker_at is not None:
            for one, spot in ((at, near), (beside, far)):
                one["x"], one["y"] = its.table.sticker_at(spot, one["turned"])
    elif not its.table.needs and (found := its.one_after_the_other(waits=True)):
        (thing, at), (then, beside) = found
    else:
        return unread(its)
    first = its.lays(thing, **at, after=its.number(0.3, 1), under=its.number(0.2, 1))
    acts = [veiled(its, at["x"], at["y"]), *first]
    if its.whole(0, 2) == 0:
        acts += [act.Shows("KEND", after=its.number(0.3, 3))] if its.table.commands_at else []
    return acts + its.lays(then, **beside, after=its.number(1, 5), under=its.number(0.2, 1))


def followed(its: Drawer) -> list[Act]:
    """Something is laid, and soon something small upon it."""
    acts = its.lays()
    small = [one for one in its.table.upon if one not in its.lies]
    if not acts or not small:
        return acts
    thing, below = small[its.whole(0, len(small) - 1)], its.lies[-1]
    its.lies.append(thing)
    its.at[thing] = its.at[below]
    return [*acts, act.Lays(thing, *its.table.upon[thing], upon=below, under=0.3, after=its.number(-0.4, 2))]


def said(its: Drawer) -> list[Act]:
    return [act.Shows("KEND", its.number(0.6, 1.5), after=its.number(0.3, 2))] if its.table.commands_at else []


def blurred(its: Drawer) -> list[Act]:
    """The lens seeks its focus while something is laid, or the camera is knocked."""
    if its.whole(0, 1):
        return [act.Blurs(its.number(1.5, 5), its.number(0.3, 1.5), after=its.number(0.3, 1)), *its.lays(after=0.1)]
    return [its.knock(), *its.lays(after=its.number(0.1, 2))]


def cluttered(its: Drawer) -> list[Act]:
    """A thing that has nothing to do with the game is put down; then something near it is laid or taken, and it may go
    again."""
    what = its.one("BOOK", "BOOK", "PHONE", "CUP", "BACK1", "DIE")
    acts: list[Act] = [act.Cup(*its.spot(), what, after=its.number(0.3, 2))]
    if its.lies and its.whole(0, 1):
        acts.append(its.takes(*its.some(2), after=its.number(0.3, 4)))
    acts += its.lays(after=its.number(0.3, 4))
    return [*acts, act.Takes((what,), after=its.number(0.5, 3))] if its.whole(0, 2) == 0 else acts


def begun_again(its: Drawer) -> list[Act]:
    """Everything is taken up, and the first things are laid again."""
    things = tuple(its.lies[:5])
    gone = its.takes(*things, each=0.3, gap=0.1)
    return [gone, *(one for thing in things[:2] for one in its.lays(thing, after=0.3, under=0.2))]


def opened_late(its: Drawer) -> list[Act]:
    """The eye opens while things are being laid, or lie there from before: whatever should not lie there is cleared
    away."""
    count = its.whole(1, 2)
    quick: dict[str, Any] = {"come": 0.3, "under": 0.2, "go": 0.3}
    laid = [one for number in range(count) for one in its.lays(after=0.3 if number else 0.1, **quick)]
    things = its.lies[-count:]
    seconds = round(sum(one.after + act.lasts_s(one) for one in laid) + its.number(-0.8, 0.5), 1)
    acts: list[Act] = [act.Restarts(seconds, forgets=True, after=0.1), *laid]
    acts += its.one(laid_out, laid_out, lambda its: its.meanwhile(its.lays(), its.weather()), lambda _: [])(its)
    return [*acts, its.takes(*things, after=its.number(2, 5)), act.Rests(*its.table.spots[-1], 0.3, after=14.0)]


def laid_out(its: Drawer) -> list[Act]:
    """Something is laid while the camera is knocked or the lens seeks its focus."""
    knock = its.knock()
    lays = its.lays(after=0.1, come=0.4, under=0.1, go=0.4)
    return [act.Blurs(its.number(2, 5), 1.3, after=its.number(2, 8)), *lays, replace(knock, after=-0.3)]  # type: ignore[call-arg]


def in_both_hands(its: Drawer) -> list[Act]:
    """Two hands take what lies beside one another, each at its own pace; the camera may be knocked meanwhile."""
    if len(its.lies) < 2:
        return []
    first = its.one(*its.lies)
    second = its.beside(first)
    one = its.takes(first, waits=its.number(0.5, 3), side=90.0)
    acts = [one, its.takes(second, after=-round(its.number(0.3, 1) * act.lasts_s(one), 1), side=its.one(270.0, 70.0))]
    return its.meanwhile(acts, its.knock()) if its.whole(0, 2) == 0 else acts


def paused(its: Drawer) -> list[Act]:
    """Nothing happens for a while; what is still to be said must be said by then."""
    return [act.Rests(*its.table.spots[-1], 0.3, after=its.number(5, 17))]


SCENES: tuple[tuple[Scene, int], ...] = (
    (fan, 1), (carried, 1), (on_edge, 4), (tried, 2), (laid, 1), (moved, 4), (laid_and_taken, 3), (side_by_side, 3),
    (two_at_once, 1), (covered_soon, 1), (covered_and_taken, 6), (taken_up, 3), (restarted, 2), (shoved, 1),
    (rested, 3), (out_of_sight, 4), (unread, 8), (said, 1), (blurred, 3), (cluttered, 5), (begun_again, 1),
    (followed, 1), (explained, 5), (paused, 1), (in_both_hands, 3), (opened_late, 3),
)  # fmt: skip
"""The scenes, and how often each is drawn: so that each law has occasions."""
NAMES = tuple(scene.__name__ for scene, _ in SCENES)
INTERRUPTED = 4
"""Something happens to light, lens or camera amid one of so many scenes."""


def eye(chance: Chance) -> Eye:
    """Lenses, noise, light and packing, all within what ``docs/table.md`` asks of a table."""
    return Eye(
        rate=float(chance.one(5, 5, 4, 6, 8)),
        tilt=float(chance.whole(0, 14)),
        k1=chance.one(-0.04, 0.0, -0.1),
        psf=chance.number(0.6, 0.9),
        noise=chance.number(3, 5),
        jpeg=chance.one(0, 0, 0, 80, 60, 90),
        shutter=chance.one(0.01, 0.005, 0.02),
        light=chance.number(0.7, 1.1),
        flicker=chance.one(0.008, 0.0, 0.02),
        drift=chance.one(0.02, 0.0, 0.04),
    )


def story(
    whole: Whole,
    game: str,
    surface: str | None = None,
    only: Sequence[str] = (),
    scenes: int = MOST_SCENES,
    first: str | None = None,
) -> Story:
    """A story at a table, or at one of its variants.

    Args:
        surface: On this one; ``None`` = on any.
        only: The names of its scenes; else any.
        scenes: So many at most.
        first: The first of them; ``None`` = any.
    """
    often = [scene for scene, often in SCENES if not only or scene.__name__ in only for _ in range(often)]
    chance = Chance(whole)
    table = chance.one(*VARIANTS.get(game, (game,)))
    its = Drawer(whole, story_table(table))
    acts: list[Act] = []
    begins = [scene for scene in often if first in (None, scene.__name__)]
    for number in range(its.whole(1, scenes)):
        scene = its.one(*(often if number else begins))(its)
        acts += its.meanwhile(scene, its.weather()) if its.whole(1, INTERRUPTED) == 1 else scene
    return Story(
        table,
        surface or chance.one(*SURFACES),
        chance.whole(1, 9999),
        tuple(acts),
        eye(chance),
        before=chance.one(1.0, 0.2, 3.0),
        after=chance.one(9.0, 9.0, 5.0),
    )


@st.composite
def stories(draw: Callable[[st.SearchStrategy[int]], int], game: str, scenes: int = MOST_SCENES) -> Story:
    """Stories of so many scenes at most, as Hypothesis draws them."""
    return story(lambda low, high: draw(st.integers(low, high)), game, scenes=scenes)
