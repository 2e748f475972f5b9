"""Stories: what people do at a table and what happens to its light, as values that can be printed and played again.

A story is drawn and watched by ``support.story_film``, and judged by ``support.laws``. Its text is Python: paste it
into a test, or read it with ``story_of``.

    >>> story = Story("discovery", "gravel", 7, (Lays("C12", 300, 200), Takes(("C12",), after=2.0)))
    >>> story
    Story('discovery', 'gravel', 7, (Lays('C12', 300, 200), Takes(('C12',), after=2.0)))
    >>> story_of(repr(story)) == story
    True
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields
from typing import Any, ClassVar

from companion.public.table import Point


class Value:
    """A value whose text leaves out what is as usual."""

    __slots__ = ()

    def __repr__(self) -> str:
        words = []
        for field in fields(self):  # type: ignore[arg-type]  # every subclass is a dataclass
            value = getattr(self, field.name)
            if field.default is MISSING:
                words.append(repr(value))
            elif value != field.default:
                words.append(f"{field.name}={value!r}")
        return f"{type(self).__name__}({', '.join(words)})"


class Act(Value):
    """What somebody does, or what happens.

    Attributes:
        after: Seconds from the end of the act before to its beginning; less than nothing = it begins before that end.
        is_over_at_once: The next act need not wait for its end: the dark, a smudge.
    """

    __slots__ = ()
    after: float
    is_over_at_once: ClassVar[bool] = False


# -- what hands do -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, repr=False)
class Lays(Act):
    """A hand brings a thing from beyond the table, or carries it over from where it lies; lets it lie under itself, and
    goes.

    Attributes:
        thing: Its sticker.
        x, y: Where its sticker's middle comes to lie, in mm.
        turned: Clockwise, in degrees.
        come, under, go: Seconds.
        upon: It is laid upon another thing, so far from its sticker: ``x`` and ``y`` are counted from there, as that
            thing is turned.
        side: Where the arm comes from, as ``HandPose.from_deg``.
        person: Whose hand it is.
    """

    thing: str
    x: float
    y: float
    turned: float = 0.0
    after: float = 1.0
    come: float = 0.5
    under: float = 0.5
    go: float = 0.5
    upon: str = ""
    side: float = 90.0
    person: int = 2


@dataclass(frozen=True, slots=True, repr=False)
class Tries(Act):
    """A hand lays a thing in one place or several, stays upon it, and carries it off again.

    Attributes:
        places: Where it lies, one place after the other, in mm.
        under: How long it lies in each, in seconds.
    """

    thing: str
    places: tuple[Point, ...]
    turned: float = 0.0
    after: float = 1.0
    come: float = 0.5
    under: float = 0.75
    go: float = 0.6
    side: float = 90.0
    person: int = 2


@dataclass(frozen=True, slots=True, repr=False)
class Holds(Act):
    """A hand holds cards over the table and draws them back.

    Attributes:
        things: From the lowest to the uppermost.
        x, y: Where the middle of the first one's sticker is held.
        up: Height in mm.
        still: Seconds.
        tremble: How much it moves from picture to picture, in mm.
        gap: From one card to the next, in mm; fan: how much each is turned further, in degrees.
        tilt: By how much the cards are not level, in degrees, about an axis that is turned by ``axis``.
        bend: The rise of the middle of a bent card over its edges, in mm.
        carries: How far it is carried meanwhile, in mm.
    """

    things: tuple[str, ...]
    x: float
    y: float
    up: float = 60.0
    still: float = 2.0
    after: float = 1.0
    tremble: float = 0.6
    gap: float = 30.0
    fan: float = 11.0
    tilt: float = 0.0
    axis: float = 0.0
    bend: float = 0.0
    turned: float = 0.0
    carries: Point = (0.0, 0.0)
    come: float = 0.6
    go: float = 0.6
    side: float = 90.0
    person: int = 2


@dataclass(frozen=True, slots=True, repr=False)
class Takes(Act):
    """A hand takes things away, one after the other.

    Attributes:
        each: Seconds for coming and again for going; gap: between two things.
        waits: How long it stays upon each before it lifts it, in seconds.
        at_once: It gathers them, and takes all away together.
    """

    things: tuple[str, ...]
    after: float = 1.0
    each: float = 0.4
    gap: float = 0.2
    waits: float = 0.0
    at_once: bool = False
    side: float = 90.0
    person: int = 2


@dataclass(frozen=True, slots=True, repr=False)
class Shoves(Act):
    """A sleeve or a hand pushes things along the table; ``apart``: each so much further than the one before, in mm."""

    things: tuple[str, ...]
    x: float
    y: float
    after: float = 1.0
    apart: Point = (0.0, 0.0)
    lasts: float = 0.6
    side: float = 90.0
    person: int = 3


@dataclass(frozen=True, slots=True, repr=False)
class Rests(Act):
    """A hand rests over the table, with its fingers at a point; ``still``: it leans on it, and does not tremble."""

    x: float
    y: float
    lasts: float = 2.0
    after: float = 1.0
    spread: float = 0.9
    still: bool = False
    side: float = 90.0
    person: int = 4


@dataclass(frozen=True, slots=True, repr=False)
class Shows(Act):
    """A hand shows a command card in its zone, and takes it away."""

    command: str = "KEND"
    lasts: float = 1.0
    after: float = 1.0


# -- what happens ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, repr=False)
class Dark(Act):
    """The lamp is off, or has so much of its light left."""

    lasts: float = 6.0
    left: float = 0.0
    after: float = 1.0
    is_over_at_once = True


@dataclass(frozen=True, slots=True, repr=False)
class Head(Act):
    """Somebody bends over the table."""

    lasts: float = 4.0
    after: float = 1.0
    is_over_at_once = True


@dataclass(frozen=True, slots=True, repr=False)
class Cup(Act):
    """Somebody puts a thing without a sticker there, from ``support.clutter``, and it stays."""

    x: float
    y: float
    thing: str = "CUP"
    after: float = 1.0
    side: float = 90.0


@dataclass(frozen=True, slots=True, repr=False)
class Bump(Act):
    """The camera is knocked: it looks from another direction, in degrees, and further along, in mm."""

    tilt: float = 1.5
    turn: float = 20.0
    aim: Point = (0.0, 0.0)
    after: float = 1.0
    is_over_at_once = True


@dataclass(frozen=True, slots=True, repr=False)
class Smudge(Act):
    """A finger print on the lens blurs a hand's breadth of the table.

    Attributes:
        sigma: In pixels.
        lasts: Seconds; it is wiped away then.
    """

    x: float
    y: float
    sigma: float = 3.0
    lasts: float = 60.0
    wide: float = 110.0
    after: float = 1.0
    is_over_at_once = True


@dataclass(frozen=True, slots=True, repr=False)
class Glint(Act):
    """A lamp's mirror image wipes out what lies there; ``radius`` in mm."""

    x: float
    y: float
    radius: float = 20.0
    strength: float = 1.6
    lasts: float = 60.0
    after: float = 1.0
    is_over_at_once = True


@dataclass(frozen=True, slots=True, repr=False)
class Blurs(Act):
    """The whole picture is blurred, as when the lens seeks its focus or the stand trembles; sigma in pixels."""

    sigma: float = 3.0
    lasts: float = 0.5
    after: float = 1.0
    is_over_at_once = True


@dataclass(frozen=True, slots=True, repr=False)
class Restarts(Act):
    """The eye is started again.

    Attributes:
        lasts: Seconds without a picture.
        forgets: It knows nothing of before, and the match goes on from its log, as after a power cut.
    """

    lasts: float = 1.5
    forgets: bool = False
    after: float = 1.0
    is_over_at_once = True


def lasts_s(one: Act) -> float:
    """How long an act's hands are there."""
    match one:
        case Lays(come=come, under=under, go=go):
            return come + under + go
        case Tries(places=places, come=come, under=under, go=go):
            return come + len(places) * under + 0.5 * (len(places) - 1) + go
        case Holds(come=come, still=still, go=go):
            return come + still + go
        case Takes(things=things, each=each, gap=gap, waits=waits, at_once=at_once):
            times = 1 if at_once else len(things)
            return times * (2 * each + waits + gap + 0.2) - gap
        case Shoves(lasts=lasts):
            return lasts + 0.8
        case Rests(lasts=lasts):
            return lasts + 1.0
        case Shows(lasts=lasts):
            return lasts + 0.8
        case Cup():
            return 1.0
        case _:
            return 0.0


# -- the whole ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, repr=False)
class Eye(Value):
    """How the table is looked at.

    Attributes:
        tilt: Of the camera, in degrees; k1, psf, noise: as ``CameraModel`` has them.
        jpeg: The pictures' quality; 0 = they are not packed.
        shutter: How long it is open, in seconds.
        light: As ``RoomLight.level``; flicker, drift: as there.
    """

    rate: float = 6.0
    tilt: float = 5.0
    k1: float = -0.04
    psf: float = 0.7
    noise: float = 4.0
    jpeg: int = 80
    shutter: float = 0.01
    light: float = 1.0
    flicker: float = 0.008
    drift: float = 0.02


@dataclass(frozen=True, slots=True, repr=False)
class Story(Value):
    """What happens at a table.

    Attributes:
        game: A table of ``support.story_tables``.
        surface: A photographed one, with photographed hands; ``drawn`` = neither.
        seed: Of what is drawn by chance: noise, art, trembling.
        before: Seconds of the table at rest before the first act; after: after the last.
    """

    game: str
    surface: str
    seed: int
    acts: tuple[Act, ...]
    eye: Eye = Eye()
    before: float = 1.0
    after: float = 3.0


def story_of(text: str) -> Story:
    """The story with this text."""
    story = eval(text, {"__builtins__": {}}, _WORDS)  # a test's own text; no other words than these
    assert isinstance(story, Story)
    return story


_WORDS: dict[str, Callable[..., Any]] = {
    one.__name__: one
    for one in (
        Lays, Tries, Holds, Takes, Shoves, Rests, Shows, Dark, Head, Cup, Bump, Smudge, Glint, Blurs, Restarts,
        Eye, Story,
    )
}  # fmt: skip
