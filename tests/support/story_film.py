"""Draws a story, shows it to the real eye and referee, and keeps what was drawn beside what was said.

Held cards that are tilted or bent are drawn as they look from the lens; everything else as in ``vision.synthetic``.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from support import photographs, stories as act
from support.card_film import Head
from support.clutter import clutter
from support.stories import Act, Story, lasts_s
from support.story_eye import LawfulEye, Sight, looks_past
from support.story_tables import StoryTable, story_table

from companion.history.record import RecordLine
from companion.public.codes import sticker_text
from companion.public.print_sizes import CARD_MM
from companion.public.shapes import NO_SHAPES
from companion.public.table import Observation, Point, TableState, Token, ViewLost
from companion.public.updates import Update
from companion.referee.match import Match
from vision.camera.frame import Gray, make_frame
from vision.messages import ViewQuality
from vision.synthetic import textures
from vision.synthetic.compositing import Box, DrawnCard, Patch, joined, placed
from vision.synthetic.hands import HandPose
from vision.synthetic.lighting import Glare, RoomLight
from vision.synthetic.photographs import Cutout
from vision.synthetic.scene import CardPrint, Scene
from vision.tracking.observer import Observer

FAR_MM = 700.0
"""A hand comes from so far away."""
CARRIED_MM = 25.0
FINGERS_MM = 26.0
"""The fingers that bring a thing are so far from its sticker, towards the arm."""
FINGER_MM = 20.0
"""A place that a hand comes nearer to is not in view: fingers throw shadows."""
FAN_FINGERS_MM = 62.0
SAME_MM = 3.0
"""What has moved by less lies where it lay."""
PLATES = 3
"""So many pictures are kept, each with noise of its own; they are shown in turns, and only what has changed is exposed
anew."""
GAIN_S = 4.0
"""The camera's gain changes after so long, and then all pictures are exposed anew."""
CALM_S, CALM_RATE = 1.5, 2.0
"""When for so long nobody has moved, and the eye says what lies there and nothing else, it looks so often a second."""
HISS_DN = 1.2
"""The chip's own noise, which stays in the dark."""
JPEG_PX = 8
"""A packed picture is made of squares of this size, each packed by itself."""
TREMBLES, TREMBLED = 5, 40
"""A hand that trembles is in one of so many places, in turns; so many pictures of trembling things are kept."""
COARSE_PX = 36
"""A sixteenth of the width of a picture that is not drawn; a code is then as wide as seven pixels."""
STEADY_OVER_MM, STEADY_MM = 10.0, 5.0
"""What is so high over the table and moves by less keeps its shape in the picture."""


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """A thing in a picture.

    Attributes:
        piece: As it was drawn.
        visible: The share of its code that nothing covers and that is inside the picture.
    """

    piece: DrawnCard
    visible: float


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """One picture: what was drawn, and what eye and referee said of it.

    Attributes:
        lying: By sticker, what lies there.
        held: The stickers of what hands hold over the table.
        touched: What has fingers on it.
        left: By sticker, the places where something lay before it was taken away or pushed on, the last one at the end,
            and the share of each, with some of the table around it, that is in view.
        hands: How many there are.
        clear: The picture is lit, sharp, shows the table, and nobody's head is in it.
        blind: It shows nothing of the table: there is no light, or the camera looks past the table.
        veils: Smudges and mirror images, as places with a radius, in mm; true: it wipes out what is there.
        look: ``None`` = the eye was off.
        lines: What was written because of it.
        state: Of the match after it; a later correction retells the record's own.
        opened: The eye has just been started, or the camera has just been knocked, and nothing was to be seen since.
    """

    taken_s: float
    lying: Mapping[Token, Seen]
    held: frozenset[Token]
    touched: frozenset[Token]
    left: Mapping[Token, tuple[Seen, ...]]
    hands: int
    clear: bool
    blind: bool
    veils: tuple[tuple[float, float, float, bool], ...]
    look: Observation | None
    lines: tuple[RecordLine, ...]
    updates: tuple[Update, ...]
    questions: int
    opened: bool
    state: Any


@dataclass(frozen=True, slots=True, eq=False)
class Told:
    """A story that was played.

    Attributes:
        match: As the last referee left it.
        health: How well the eye says that it sees the last picture.
    """

    story: Story
    table: StoryTable
    shots: tuple[Shot, ...]
    match: Match
    health: ViewQuality | None


@dataclass(slots=True)
class Moment:
    """What an act adds to a picture."""

    hands: tuple[HandPose, ...] = ()
    held: tuple[DrawnCard, ...] = ()
    names: frozenset[Token] = frozenset()
    touched: frozenset[Token] = frozenset()


Play = Iterator[Moment]


def tell(story: Story, *, draws: bool = True) -> Told:
    """Play a story.

    Args:
        draws: False: no picture is drawn, and an eye that keeps its laws says what one would show. For the referee.
    """
    return _Film(story, draws=draws).told()


@dataclass(slots=True)
class _Anchor:
    """Where a thing came to rest, and in how many pictures it was there."""

    piece: DrawnCard
    pictures: int = 1


@dataclass(slots=True)
class _Weather:
    """What is between the table and the eye now, each until when."""

    dark: tuple[float, float] = (-1.0, 0.0)
    blurred: tuple[float, float] = (-1.0, 0.0)
    off_until_s: float = -1.0
    head: tuple[float, float] = (-1.0, -1.0)
    smudges: list[tuple[float, act.Smudge]] = field(default_factory=list)
    glints: list[tuple[float, act.Glint]] = field(default_factory=list)


@dataclass(slots=True)
class _Plate:
    """A picture that is kept.

    Attributes:
        number: Of its noise.
        exposed: As the chip gave it; packed: as the eye gets it.
        stale: The parts of each that have changed since.
    """

    number: int
    exposed: Gray
    packed: Gray
    stale: list[Box]
    unpacked: list[Box]


class StoryScene(Scene):
    """A scene that draws only what has changed, and what only trembles by moving what it has drawn.

    Args:
        jpeg: How its pictures are packed; 0 = not at all.
    """

    def __init__(self, *given: Any, light: RoomLight, jpeg: int, **named: Any) -> None:
        self._usual_light, self._jpeg = light, jpeg
        self._steady: dict[DrawnCard | HandPose, tuple[DrawnCard | HandPose, Patch]] = {}
        self._trembled: dict[DrawnCard | HandPose, Patch] = {}
        self._plates: list[_Plate] = []
        self._smudges: tuple[Smear, ...] = ()
        super().__init__(*given, **named)

    def shown(
        self, pieces: Sequence[DrawnCard], hands: Sequence[HandPose], light: RoomLight, smudges: Sequence[Smear]
    ) -> _Plate:
        """The next picture, smudged; of what is kept of it only ``exposed`` is up to date."""
        self._lay_out(pieces, hands, light)
        if tuple(smudges) != self._smudges:
            self._change(*(one.box for one in (*smudges, *self._smudges)))
            self._smudges = tuple(smudges)
        self._number += 1
        if len(self._plates) < PLATES:
            whole = (0, 0, *self.camera.size_px)
            nothing = np.zeros(self.camera.size_px[::-1], np.uint8)
            self._plates.append(_Plate(self._number, nothing, nothing.copy(), [whole], []))
        else:
            self._plates.append(self._plates.pop(0))
        plate = self._plates[-1]
        behind = [one for one in smudges if any(_meet(one.box, box) for box in plate.stale)]
        stale = [*plate.stale, *(one.box for one in behind)]
        for box in joined(stale):
            left, top, right, bottom = box
            plate.exposed[top:bottom, left:right] = self._chip.expose(self._bright, self._light, plate.number, box)
        for one in behind:
            one.blur(plate.exposed)
        plate.stale, plate.unpacked = [], [*plate.unpacked, *stale]
        return plate

    def packed(self, plate: _Plate) -> Gray:
        """A picture as the eye gets it."""
        for box in joined([_whole_squares(box) for box in plate.unpacked]):
            here = np.s_[box[1] : box[3], box[0] : box[2]]
            plate.packed[here] = through_jpeg(plate.exposed[here], self._jpeg)
        plate.unpacked = []
        return plate.packed

    def expose_anew(self) -> None:
        """Forget all pictures, as when the camera changes its gain."""
        self._plates.clear()

    def _change(self, *boxes: Box) -> None:
        for plate in self._plates:
            plate.stale += boxes

    def _develop(self, box: Box) -> None:
        super()._develop(box)
        self._change(box)

    def forget(self, things: Sequence[DrawnCard], hands: Sequence[HandPose]) -> None:
        """Forget all things but these, where no picture is drawn."""
        kept = {*things, *hands}
        self._patches = {thing: patch for thing, patch in self._patches.items() if thing in kept}

    def shares(
        self, places: Sequence[DrawnCard], pieces: Sequence[DrawnCard], hands: Sequence[HandPose]
    ) -> list[float]:
        """The share of a code that would be in view if it lay there, for each of these places."""
        above = [*sorted(pieces, key=lambda piece: piece.z_mm), *hands]
        return [self._seen(one, tuple(thing for thing in above if thing.z_mm > one.z_mm)).visible for one in places]

    def _shine(self, light: RoomLight) -> None:
        self._steady.clear()
        self._trembled.clear()
        self.expose_anew()
        super()._shine(light)

    def _patch(self, thing: DrawnCard | HandPose) -> Patch:
        if thing in self._patches or thing.z_mm < STEADY_OVER_MM:
            return super()._patch(thing)
        if thing in self._trembled:
            self._patches[thing] = self._trembled[thing]
            return self._patches[thing]
        alike = replace(thing, x_mm=0.0, y_mm=0.0)
        before = self._steady.get(alike)
        if before is None or _apart(before[0], thing) > STEADY_MM:
            self._steady[alike] = before = thing, super()._patch(thing)
            return before[1]
        points = np.array([(before[0].x_mm, before[0].y_mm), (thing.x_mm, thing.y_mm)])
        first, last = self._view.to_px(points, thing.z_mm)
        self._patches[thing] = patch = _shifted(before[1], last - first)
        while len(self._trembled) >= TREMBLED:
            del self._trembled[next(iter(self._trembled))]
        self._trembled[thing] = patch
        return patch


@dataclass(frozen=True, slots=True)
class Smear:
    """A finger print on the lens, in the picture: its middle, its radius and how much it blurs, in pixels."""

    x: float
    y: float
    reach: float
    sigma: float
    box: Box

    def blur(self, picture: Gray) -> None:
        """Blur what is behind it, in place."""
        left, top, right, bottom = self.box
        part = picture[top:bottom, left:right]
        if part.size:
            rows, columns = np.ogrid[top:bottom, left:right]
            share = np.clip((self.reach - np.hypot(rows - self.y, columns - self.x)) / 12, 0, 1).astype(np.float32)
            soft = cv2.GaussianBlur(part, (0, 0), self.sigma)
            part[:] = np.asarray(part * (1 - share) + soft * share, np.uint8)


def through_jpeg(picture: Gray, quality: int) -> Gray:
    """A picture as it is after it was packed; 0 = it is not packed."""
    if not quality:
        return picture
    packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_GRAYSCALE), np.uint8)


def _whole_squares(box: Box) -> Box:
    left, top, right, bottom = box
    return (
        left // JPEG_PX * JPEG_PX,
        top // JPEG_PX * JPEG_PX,
        -(-right // JPEG_PX) * JPEG_PX,
        -(-bottom // JPEG_PX) * JPEG_PX,
    )


def _meet(one: Box, other: Box) -> bool:
    return max(one[0], other[0]) < min(one[2], other[2]) and max(one[1], other[1]) < min(one[3], other[3])


def _shifted(patch: Patch, by_px: Any) -> Patch:
    """A patch whose picture has moved by less than its margin."""
    move = np.array([[1, 0, by_px[0]], [0, 1, by_px[1]]], np.float32)
    size = patch.keep.shape[::-1]
    keep, add, covered = (
        cv2.warpAffine(part, move, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
        for part in (patch.keep, patch.add, patch.covered.astype(np.float32))
    )
    return Patch(patch.left, patch.top, np.clip(keep, 0, 1), np.maximum(add, 0), covered > 0.5)


class _Film:
    def __init__(self, story: Story, *, draws: bool = True) -> None:
        self._draws = draws
        self.story, self.table, self.eye = story, story_table(story.game), story.eye
        self.dice = np.random.default_rng((story.seed, 91))
        eye = story.eye
        self.camera = replace(self.table.camera, tilt_deg=eye.tilt, k1=eye.k1, psf_px=eye.psf, paper_noise_dn=eye.noise)
        if not draws:  # only what covers what is to be known
            self.camera = replace(self.camera, size_px=(COARSE_PX * 16, COARSE_PX * 9))
        is_drawn = story.surface == "drawn" or not draws
        self.cutouts: dict[Token, Cutout] = dict(clutter())
        self.light = RoomLight(level=eye.light, flicker=eye.flicker, drift=eye.drift)
        self.scene = StoryScene(
            self.table.layout,
            self.camera,
            light=self.light,
            jpeg=eye.jpeg,
            printed=CardPrint(),
            seed=story.seed,
            shapes=self.table.shapes,
            codes=self.table.codes,
            surface=None if is_drawn else photographs.surface(story.surface),
            hands=None if is_drawn else photographs.hands(),
            cutouts=self.cutouts,
        )
        self.pieces: dict[Token, DrawnCard] = {one.token: one for one in self.table.first}
        self.number = 0
        self.updates: list[Update] = []
        self.log: list[Any] = list(self.table.log)
        self.written = len(self.log)
        self.weather = _Weather()
        self._anchors: dict[Token, _Anchor] = {}
        self._left: dict[Token, tuple[DrawnCard, ...]] = {}
        self._true: tuple[tuple[Any, ...], dict[Token, Seen], dict[Token, tuple[Seen, ...]]] | None = None
        self._exposed_s = 0.0
        self._last: Gray | None = None
        self._opened = True
        self._names = itertools.count()
        self._head: Head | None = None
        self._hiss: NDArray[np.float32] | None = None
        self._order = itertools.count(len(self.pieces) + 1)
        self.observer = self._new_eye(None)
        self.match = self._new_match()

    # -- the film --------------------------------------------------------------------------------

    @property
    def now_s(self) -> float:
        return self.number / self.eye.rate

    def told(self) -> Told:
        shots = []
        waiting = list(self.story.acts)
        playing: list[Play] = []
        begin_s = self.story.before + (waiting[0].after if waiting else 0.0)
        quiet_s: float | None = None
        moved_s = 0.0
        while True:
            while waiting and self.now_s >= begin_s:
                one = waiting.pop(0)
                playing.append(self._play(one))
                begin_s = self._ends(one) + (waiting[0].after if waiting else 0.0)
            moments = [moment for play in playing if (moment := next(play, None)) is not None]
            if waiting or any(moment.hands for moment in moments):
                quiet_s = None
            elif quiet_s is None:
                quiet_s = self.now_s + self.story.after
            elif self.now_s > quiet_s:
                health = None
                if self._last is not None and isinstance(self.observer, Observer):
                    health = self.observer.health(make_frame(self._last, self.now_s))
                return Told(self.story, self.table, tuple(shots), self.match, health)
            shot = self._shoot(moments)
            shots.append(shot)
            moved_s = shot.taken_s if moments or not self._is_calm(shot) else moved_s
            if shot.taken_s - moved_s > CALM_S:
                until_s = begin_s if waiting else math.inf
                self.number += self._idle_pictures(until_s)

    def _is_calm(self, shot: Shot) -> bool:
        """Whether nobody moves, and the eye says what lies there and nothing else."""
        look = shot.look
        if look is None or not shot.clear or not look.settled or look.pending or look.unread or look.lost:
            return False
        ours = {token: seen.piece for token, seen in shot.lying.items() if token in self.table.codes.texts}
        said = {one.token: one for one in look.table.placements}
        return said.keys() == ours.keys() and all(
            math.dist((one.x_mm, one.y_mm), (ours[token].x_mm, ours[token].y_mm)) < SAME_MM * 3
            for token, one in said.items()
        )

    def _idle_pictures(self, until_s: float) -> int:
        """How many pictures nobody looks at, while all is calm and until something happens."""
        skipped = round(self.eye.rate / CALM_RATE) - 1
        return (
            skipped if until_s == math.inf else max(0, min(skipped, math.floor((until_s - self.now_s) * self.eye.rate)))
        )

    def _ends(self, one: Act) -> float:
        return self.now_s + (0.0 if one.is_over_at_once else lasts_s(one))

    def _shoot(self, moments: Sequence[Moment]) -> Shot:
        now_s, weather = self.now_s, self.weather
        hands = tuple(hand for moment in moments for hand in moment.hands)
        held = tuple(card for moment in moments for card in moment.held)
        glare = tuple(Glare(one.x, one.y, one.radius, one.strength) for until, one in weather.glints if now_s < until)
        light = replace(self.light, glare=glare)
        things = [*self.pieces.values(), *held]
        looks_away = looks_past(self.camera.aim_mm, self.table.size_mm)
        clear = not (looks_away or now_s < max(weather.head[1], weather.dark[0], weather.blurred[0]))
        self._last = picture = self._picture(things, hands, light) if self._draws else None
        lying, left = self._truth(things, hands)
        veils = [(one.x, one.y, 2.6 * one.radius, True) for until, one in weather.glints if now_s < until]
        veils += [(one.x, one.y, one.wide / 2 + 20.0, False) for until, one in weather.smudges if now_s < until]
        heard = len(self.updates)
        look, opened = None, self._opened
        if now_s >= weather.off_until_s:
            if isinstance(self.observer, LawfulEye):
                look = self.observer.look(self._sight(lying, left, veils, hands))
            else:
                assert picture is not None
                look = self.observer.observe(make_frame(picture, now_s))
            self.match.handle(look, look.taken_s)
            self.match.wake(look.taken_s)
            self._opened = self._opened and not clear
        lines = self.match.record.lines[self.written :]
        self.written += len(lines)
        self.number += 1
        return Shot(
            now_s,
            lying,
            frozenset(name for moment in moments for name in moment.names),
            frozenset(name for moment in moments for name in moment.touched),
            left,
            len(hands),
            clear,
            looks_away or (now_s < weather.dark[0] and not weather.dark[1]),
            tuple(veils),
            look,
            tuple(lines),
            tuple(self.updates[heard:]),
            len(self.match.issues.questions.open),
            opened,
            self.match.record.state,
        )

    def _picture(self, things: Sequence[DrawnCard], hands: Sequence[HandPose], light: RoomLight) -> Gray:
        """The next picture, as the eye gets it."""
        now_s, weather = self.now_s, self.weather
        smears = tuple(self._smear(one) for until, one in weather.smudges if now_s < until)
        if now_s - self._exposed_s >= GAIN_S:
            self._exposed_s = now_s
            self.scene.expose_anew()
        plate = self.scene.shown(things, hands, light, smears)
        if now_s >= max(weather.head[1], weather.dark[0], weather.blurred[0]):
            return self.scene.packed(plate)
        picture = plate.exposed
        if now_s < weather.head[1]:
            picture = self._under_head(picture)
        if now_s < weather.dark[0]:
            picture = self._dimmed(picture, weather.dark[1])
        if now_s < weather.blurred[0]:
            picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), weather.blurred[1]), np.uint8)
        return through_jpeg(picture, self.eye.jpeg)

    def _truth(
        self, things: Sequence[DrawnCard], hands: Sequence[HandPose]
    ) -> tuple[dict[Token, Seen], dict[Token, tuple[Seen, ...]]]:
        """What lies there, and the places that something has left."""
        for token, anchor in list(self._anchors.items()):
            piece = self.pieces.get(token)
            if piece is None or _apart(piece, anchor.piece) > SAME_MM:
                if anchor.pictures > 1:
                    self._left[token] = (*self._still_said(token), anchor.piece)
                del self._anchors[token]
        for token, piece in self.pieces.items():
            if token not in self._anchors:
                self._anchors[token] = _Anchor(piece)
            else:
                self._anchors[token].pictures += 1
            if token in self._left:
                self._left[token] = tuple(one for one in self._left[token] if _apart(one, piece) > SAME_MM)
        drawn = tuple(things), hands, tuple(self._left.items()), self.camera
        if self._true is None or self._true[0] != drawn:
            self._true = drawn, *self._shown(things, hands)
            if not self._draws:
                self.scene.forget(things, hands)
        return self._true[1:]

    def _still_said(self, token: Token) -> tuple[DrawnCard, ...]:
        """The place that a thing left last, if the eye says that it lies there still."""
        said = {one.token: one for one in self._remembered().placements}
        return tuple(
            one
            for one in self._left.get(token, ())
            if token in said and math.dist((one.x_mm, one.y_mm), (said[token].x_mm, said[token].y_mm)) < 3 * SAME_MM
        )

    def _shown(
        self, things: Sequence[DrawnCard], hands: Sequence[HandPose]
    ) -> tuple[dict[Token, Seen], dict[Token, tuple[Seen, ...]]]:
        """What is to be seen of what lies there, and of the places that something has left."""
        places = self._around_left(self.table.around_mm)
        seen = self.scene.truth(things, hands)
        lying = {
            piece.token: Seen(piece, one.visible)
            for piece, one in zip(things, seen, strict=True)
            if piece.token in self.pieces and self.pieces[piece.token] is piece
        }
        shares = self.scene.shares(places, things, hands)
        if hands and self.table.around_mm < FINGER_MM:
            by_hands = self.scene.shares(self._around_left(FINGER_MM), (), hands)
            shares = [min(share, by_hand) for share, by_hand in zip(shares, by_hands, strict=True)]
        seen_at = iter(min(shares[n : n + 5]) for n in range(0, len(shares), 5))
        left = {token: tuple(Seen(one, next(seen_at)) for one in pieces) for token, pieces in self._left.items()}
        return lying, left

    def _around_left(self, by_mm: float) -> list[DrawnCard]:
        """The places that something has left, each with four beside it."""
        return [
            replace(piece, x_mm=piece.x_mm + dx, y_mm=piece.y_mm + dy, z_mm=piece.z_mm, blur_mm=(0.0, 0.0))
            for piece in itertools.chain.from_iterable(self._left.values())
            for dx, dy in ((0, 0), (by_mm, 0), (-by_mm, 0), (0, by_mm), (0, -by_mm))
        ]

    # -- eye and referee -------------------------------------------------------------------------

    def _new_eye(self, remembered: TableState | None) -> Observer | LawfulEye:
        table = self.table
        if not self._draws:
            return LawfulEye(table, np.random.default_rng((self.story.seed, 92)), remembered)
        return Observer(table.layout, table.codes, remembered, shapes=table.shapes or NO_SHAPES)

    def _remembered(self) -> TableState:
        """What the eye says lies there."""
        return self.observer.said if isinstance(self.observer, LawfulEye) else self.observer.tracker.table()

    def _sight(
        self,
        lying: Mapping[Token, Seen],
        left: Mapping[Token, tuple[Seen, ...]],
        veils: Sequence[tuple[float, float, float, bool]],
        hands: Sequence[HandPose],
    ) -> Sight:
        """What a picture of now would show."""
        now_s, weather = self.now_s, self.weather
        is_dark = now_s < weather.dark[0]
        is_away = now_s < weather.head[1] or looks_past(self.camera.aim_mm, self.table.size_mm)
        lost = ViewLost.DARK if is_dark else ViewLost.TABLE if is_away else None
        return Sight(now_s, lying, left, veils, bool(hands), lost, now_s < weather.blurred[0])

    def _new_match(self) -> Match:
        return Match(self.table.game, write=self.log.extend, publish=self.updates.append, entries=tuple(self.log))

    # -- between table and eye -------------------------------------------------------------------

    def _dimmed(self, picture: Gray, share: float) -> Gray:
        """What is left of a picture when the lamp has only so much of its light."""
        if self._hiss is None:
            self._hiss = self.dice.standard_normal(picture.shape, np.float32) * np.float32(HISS_DN)
        shift = tuple(self.dice.integers(0, 500, 2).tolist())
        noisy = np.roll(self._hiss, shift, (0, 1)) + picture * np.float32(share)
        return np.asarray(np.clip(np.rint(noisy), 0, 255), np.uint8)

    def _under_head(self, picture: Gray) -> Gray:
        assert self._head is not None
        began_s, until_s = self.weather.head
        coming, going = (self.now_s - began_s) / 0.6, (until_s - self.now_s) / 0.6
        self._head.away = max(0.0, 1.0 - min(coming, going))
        return np.asarray(self._head(picture), np.uint8)

    def _smear(self, one: act.Smudge) -> Smear:
        x, y = self._px(one.x, one.y)
        reach = one.wide / 2 * self.camera.focal_px / self.camera.distance_mm
        width, height = self.camera.size_px
        sides = (x - reach, width), (y - reach, height), (x + reach + 1, width), (y + reach + 1, height)
        left, top, right, bottom = (min(max(0, round(at)), most) for at, most in sides)
        return Smear(x, y, reach, one.sigma, (left, top, right, bottom))

    def _px(self, x_mm: float, y_mm: float) -> Point:
        corners = self.scene.truth([DrawnCard(Token("C11"), x_mm, y_mm)])[0].corners_px
        x, y = np.asarray(corners).mean(axis=0).tolist()
        return x, y

    # -- acts ------------------------------------------------------------------------------------

    def _play(self, one: Act) -> Play:
        now_s, weather = self.now_s, self.weather
        match one:
            case act.Lays():
                yield from self._lays(one)
            case act.Tries():
                yield from self._tries(one)
            case act.Holds():
                yield from self._holds(one)
            case act.Takes(at_once=True):
                yield from self._gathers(one)
            case act.Takes():
                for number, thing in enumerate(one.things):
                    yield from self._takes(Token(thing), one)
                    yield from self._nothing(one.gap if number + 1 < len(one.things) else 0.0)
            case act.Shoves():
                yield from self._shoves(one)
            case act.Rests():
                yield from self._rests(one)
            case act.Shows():
                yield from self._shows(one)
            case act.Cup():
                yield from self._puts_thing(one)
            case act.Dark():
                weather.dark = now_s + one.lasts, one.left
            case act.Head():
                self._head = Head(self.camera.size_px, self.story.seed)
                weather.head = now_s, now_s + one.lasts
            case act.Blurs():
                weather.blurred = now_s + one.lasts, one.sigma
            case act.Smudge():
                weather.smudges.append((now_s + one.lasts, one))
            case act.Glint():
                weather.glints.append((now_s + one.lasts, one))
            case act.Bump():
                self.camera = replace(
                    self.camera,
                    tilt_deg=self.camera.tilt_deg + one.tilt,
                    azimuth_deg=self.camera.azimuth_deg + one.turn,
                    aim_mm=one.aim,
                )
                self.scene.look_from(self.camera)
                self._opened = True
                if isinstance(self.observer, LawfulEye):
                    self.observer.is_knocked()
            case act.Restarts():
                weather.off_until_s = now_s + one.lasts
                self._opened = True
                self.observer = self._new_eye(None if one.forgets else self._remembered())
                if one.forgets:
                    self.match = self._new_match()
            case _:
                raise AssertionError(one)

    def _steps(self, seconds: float) -> int:
        return max(1, round(seconds * self.eye.rate))

    def _nothing(self, seconds: float) -> Play:
        for _ in range(round(seconds * self.eye.rate)):
            yield Moment()

    def _way(self, hand: HandPose, seconds: float, *, inwards: bool) -> Iterator[tuple[HandPose, Point, Point]]:
        """A hand on its way from beyond the table, or back; how far away it is, and how it smears."""
        steps = self._steps(seconds)
        angle = math.radians(hand.from_deg)
        for step in range(steps):
            share = (step + 0.5) / steps if inwards else 1 - (step + 0.5) / steps
            far = FAR_MM * (1 - share) ** 1.6
            speed = FAR_MM * 1.6 * (1 - share) ** 0.6 / max(seconds, 0.1)
            smear = speed * self.eye.shutter
            dx, dy = far * math.cos(angle), far * math.sin(angle)
            blur = smear * math.cos(angle), smear * math.sin(angle)
            yield replace(hand, x_mm=hand.x_mm + dx, y_mm=hand.y_mm + dy, blur_mm=blur), (dx, dy), blur

    def _hand(self, x: float, y: float, side: float, person: int, z: float = 35.0, off: float = FINGERS_MM) -> HandPose:
        angle = math.radians(side)
        return HandPose(x + off * math.cos(angle), y + off * math.sin(angle), side, z_mm=z, person=person)

    def _shaking(self, hand: HandPose, steps: int, mm: float = 0.3) -> Iterator[HandPose]:
        """A hand in so many pictures, in each a little elsewhere."""
        places = [replace(hand, x_mm=hand.x_mm + x, y_mm=hand.y_mm + y) for x, y in self._tremble(mm)]
        return itertools.islice(itertools.cycle(places), steps)

    def _stays(self, hand: HandPose, seconds: float) -> Iterator[HandPose]:
        """A hand upon what it will lift, in one picture at least."""
        return self._shaking(hand, self._steps(seconds)) if seconds else iter((hand,))

    def _tremble(self, mm: float) -> Sequence[Point]:
        return [(x, y) for x, y in self.dice.normal(0, mm, (TREMBLES, 2)).tolist()]

    def _brings(self, piece: DrawnCard, hand: HandPose, seconds: float) -> Play:
        for there, (dx, dy), blur in self._way(hand, seconds, inwards=True):
            up = replace(piece, x_mm=piece.x_mm + dx, y_mm=piece.y_mm + dy, z_mm=piece.z_mm + CARRIED_MM, blur_mm=blur)
            yield Moment((there,), (up,), frozenset((piece.token,)))

    def _carries_off(self, piece: DrawnCard, hand: HandPose, seconds: float) -> Play:
        self.pieces.pop(piece.token, None)
        for there, (dx, dy), blur in self._way(hand, seconds, inwards=False):
            up = replace(piece, x_mm=piece.x_mm + dx, y_mm=piece.y_mm + dy, z_mm=piece.z_mm + CARRIED_MM, blur_mm=blur)
            yield Moment((there,), (up,), frozenset((piece.token,)))

    def _goes(self, hand: HandPose, seconds: float) -> Play:
        for there, _, _ in self._way(hand, seconds, inwards=False):
            yield Moment((there,))

    def _comes(self, hand: HandPose, seconds: float) -> Play:
        for there, _, _ in self._way(hand, seconds, inwards=True):
            yield Moment((there,))

    def _reaches(
        self, token: Token, hand: HandPose, come: float, go: float, waits: float = 0.0
    ) -> Generator[Moment, None, bool]:
        """A hand comes for a piece, and stays upon it; if another hand was quicker, it goes and the result is false."""
        piece = self.pieces[token]
        yield from self._comes(hand, come)
        for there in self._stays(hand, waits):
            if self.pieces.get(token) is not piece:
                yield from self._goes(there, go)
                return False
            yield Moment((there,), touched=frozenset((token,)))
        return True

    def _piece(self, thing: str, x: float, y: float, turned: float, upon: str = "") -> DrawnCard:
        thick, below = self.table.thick_mm, self.pieces.get(Token(upon))
        if below is None:
            return DrawnCard(Token(thing), x, y, turned, z_mm=thick + 0.001 * next(self._order))
        top = max(
            (one.z_mm for one in self.pieces.values() if _apart(one, below) < self.table.reach_mm),
            default=below.z_mm,
        )
        (x, y) = placed(below, np.array([(x, y)]))[0].tolist()
        return DrawnCard(Token(thing), x, y, turned, z_mm=top + thick)

    def _lays(self, one: act.Lays) -> Play:
        token = Token(one.thing)
        if one.upon and (Token(one.upon) not in self.pieces or one.upon == one.thing):
            return
        piece = self._piece(one.thing, one.x, one.y, one.turned, one.upon)
        hand, lay = self._hand(piece.x_mm, piece.y_mm, one.side, one.person), self.pieces.get(token)
        if lay is None:
            yield from self._brings(piece, hand, one.come)
        else:
            was = self._hand(lay.x_mm, lay.y_mm, one.side, one.person)
            if not (yield from self._reaches(token, was, one.come, one.go)):
                return
            del self.pieces[token]
            yield from self._carries_over(lay, piece, was, hand)
        self.pieces[token] = piece
        for there in self._shaking(hand, round(one.under * self.eye.rate)):
            yield Moment((there,), touched=frozenset((token,)))
        yield from self._goes(hand, one.go)

    def _tries(self, one: act.Tries) -> Play:
        token = Token(one.thing)
        if token in self.pieces:
            yield from self._takes(token, act.Takes((one.thing,), side=one.side, person=one.person))
        x, y = one.places[0]
        piece = self._piece(one.thing, x, y, one.turned)
        hand = self._hand(x, y, one.side, one.person)
        yield from self._brings(piece, hand, one.come)
        for number, (x, y) in enumerate(one.places):
            if number:
                del self.pieces[token]
                before, was = piece, hand
                piece = self._piece(one.thing, x, y, one.turned)
                hand = self._hand(x, y, one.side, one.person)
                yield from self._carries_over(before, piece, was, hand)
            self.pieces[token] = piece
            for there in self._shaking(hand, self._steps(one.under)):
                yield Moment((there,), touched=frozenset((token,)))
        yield from self._carries_off(piece, hand, one.go)

    def _takes(self, token: Token, one: act.Takes) -> Play:
        piece = self.pieces.get(token)
        if piece is None:
            return
        hand = self._hand(piece.x_mm, piece.y_mm, one.side, one.person)
        if not (yield from self._reaches(token, hand, one.each, one.each, one.waits)):
            return
        yield from self._carries_off(piece, hand, one.each)

    def _carries_over(self, before: DrawnCard, piece: DrawnCard, was: HandPose, hand: HandPose) -> Play:
        """A hand carries a thing from one place on the table to another."""
        steps = self._steps(0.5)
        for step in range(steps):
            share = (step + 0.5) / steps
            there = replace(
                hand,
                x_mm=was.x_mm + share * (hand.x_mm - was.x_mm),
                y_mm=was.y_mm + share * (hand.y_mm - was.y_mm),
            )
            up = replace(_between(before, piece, share), z_mm=CARRIED_MM)
            yield Moment((there,), (up,), frozenset((piece.token,)))

    def _gathers(self, one: act.Takes) -> Play:
        """A hand takes things away together, from where the first of them lies."""
        pieces = [piece for thing in one.things if (piece := self.pieces.get(Token(thing))) is not None]
        if not pieces:
            return
        hand = self._hand(pieces[0].x_mm, pieces[0].y_mm, one.side, one.person)
        yield from self._comes(hand, one.each)
        for there in self._stays(hand, one.waits):
            pieces = [piece for piece in pieces if self.pieces.get(piece.token) is piece]
            yield Moment((there,), touched=frozenset(piece.token for piece in pieces))
        pieces = [piece for piece in pieces if self.pieces.get(piece.token) is piece]
        names = frozenset(piece.token for piece in pieces)
        for piece in pieces:
            del self.pieces[piece.token]
        for there, (dx, dy), blur in self._way(hand, one.each, inwards=False):
            up = tuple(
                replace(piece, x_mm=piece.x_mm + dx, y_mm=piece.y_mm + dy, z_mm=piece.z_mm + CARRIED_MM, blur_mm=blur)
                for piece in pieces
            )
            yield Moment((there,), up, names)

    def _shoves(self, one: act.Shoves) -> Play:
        pieces = [self.pieces[Token(thing)] for thing in one.things if Token(thing) in self.pieces]
        if not pieces:
            return
        x, y = np.mean([(piece.x_mm, piece.y_mm) for piece in pieces], axis=0).tolist()
        hand = self._hand(x, y, one.side, one.person, z=20.0)
        yield from self._comes(hand, 0.4)
        steps = self._steps(one.lasts)
        ends = [
            replace(
                piece,
                x_mm=piece.x_mm + one.x + number * one.apart[0],
                y_mm=piece.y_mm + one.y + number * one.apart[1],
            )
            for number, piece in enumerate(pieces)
        ]
        for step in range(1, steps + 1):
            for piece, end in zip(pieces, ends, strict=True):
                if piece.token in self.pieces:
                    self.pieces[piece.token] = _between(piece, end, step / steps)
            moved = replace(hand, x_mm=hand.x_mm + one.x * step / steps, y_mm=hand.y_mm + one.y * step / steps)
            yield Moment((moved,), touched=frozenset(piece.token for piece in pieces))
        yield from self._goes(moved, 0.4)

    def _rests(self, one: act.Rests) -> Play:
        hand = HandPose(one.x, one.y, one.side, 20.0, person=one.person, spread=one.spread)
        yield from self._comes(hand, 0.5)
        for there in self._shaking(hand, self._steps(one.lasts), 0.0 if one.still else 0.3):
            yield Moment((there,))
        yield from self._goes(hand, 0.5)

    def _shows(self, one: act.Shows) -> Play:
        assert self.table.commands_at is not None
        x, y = self.table.commands_at
        token = Token(one.command)
        piece = DrawnCard(token, x, y, 4.0, 0.5)
        hand = self._hand(x, y, 90.0, 2)
        yield from self._brings(piece, hand, 0.4)
        self.pieces[token] = piece
        for there in self._shaking(hand, self._steps(one.lasts)):
            yield Moment((there,), touched=frozenset((token,)))
        yield from self._carries_off(piece, hand, 0.4)

    def _puts_thing(self, one: act.Cup) -> Play:
        token = Token(one.thing)
        if token in self.pieces:
            return
        piece = DrawnCard(token, one.x, one.y, 0.0, z_mm=6.0)
        hand = self._hand(one.x, one.y, one.side, 1)
        yield from self._brings(piece, hand, 0.5)
        self.pieces[token] = piece
        yield from self._goes(hand, 0.5)

    def _holds(self, one: act.Holds) -> Play:
        """A fan; whatever of it lies on the table is not in it."""
        tokens = [Token(thing) for thing in one.things if Token(thing) not in self.pieces]
        if not tokens:
            return
        angle = math.radians(one.side)
        middle = one.x + one.gap * (len(tokens) - 1) / 2, one.y
        hand = HandPose(
            middle[0] + FAN_FINGERS_MM * math.cos(angle),
            middle[1] + FAN_FINGERS_MM * math.sin(angle),
            one.side,
            z_mm=one.up + 15.0,
            person=one.person,
        )
        cards = []
        for number, token in enumerate(tokens):
            x, turned = one.x + one.gap * number, one.turned + one.fan * (number - (len(tokens) - 1) / 2)
            card = DrawnCard(token, x, one.y, turned, one.up + 0.4 * number)
            cards.append(self._as_held(card, one))
        names = frozenset(tokens)

        def shown(there: HandPose, dx: float, dy: float, blur: Point = (0.0, 0.0)) -> Moment:
            held = tuple(replace(card, x_mm=card.x_mm + dx, y_mm=card.y_mm + dy, blur_mm=blur) for card in cards)
            return Moment((there,), held, names)

        for there, (dx, dy), blur in self._way(hand, one.come, inwards=True):
            yield shown(there, dx, dy, blur)
        steps = self._steps(one.still)
        dx = dy = 0.0
        tremble = self._tremble(one.tremble / math.sqrt(2))
        for step in range(steps):
            x, y = tremble[step % TREMBLES]
            dx = x + one.carries[0] * step / steps
            dy = y + one.carries[1] * step / steps
            yield shown(replace(hand, x_mm=hand.x_mm + dx, y_mm=hand.y_mm + dy), dx, dy)
        away = dx, dy
        for there, (dx, dy), blur in self._way(hand, one.go, inwards=False):
            moved = replace(there, x_mm=there.x_mm + away[0], y_mm=there.y_mm + away[1])
            yield shown(moved, dx + away[0], dy + away[1], blur)

    def _as_held(self, card: DrawnCard, one: act.Holds) -> DrawnCard:
        """A card that is not level, as a picture of its own; its name is not its sticker's."""
        if not one.tilt and not one.bend:
            return card
        name = Token(f"held {next(self._names)}")
        self.cutouts[name] = self._tilted(card, one)
        return replace(card, token=name, rotation_deg=0.0)

    def _tilted(self, card: DrawnCard, one: act.Holds) -> Cutout:
        """A tilted and bent card as it looks from the lens, on the plane of its sticker's middle.

        A point of it that is higher by ``h`` appears further from the point under the lens, by ``h`` over the lens's
        height over it.
        """
        shape = self.table.shapes.get(card.token)
        text = self.table.codes.texts.get(card.token) or sticker_text(card.token)
        fine = 4.0
        if shape is None:
            face = textures.card(card.token, text, CardPrint(), fine, self.story.seed)
            (wide, high), (at_x, at_y) = CARD_MM, CardPrint().sticker_at_mm
            cover = np.ones_like(face)
        else:
            face, cover = textures.thing(card.token, text, shape, fine, self.story.seed)
            (wide, high), (at_x, at_y) = textures.thing_box(shape)
        width, height = self.table.size_mm
        lens_mm = self.camera.distance_mm - card.z_mm
        from_lens = np.array([card.x_mm - width / 2, card.y_mm - height / 2])
        turn, axis = math.radians(card.rotation_deg), math.radians(one.axis)
        reach = math.ceil(math.hypot(wide, high)) + 4
        side = round(2 * reach * fine)
        rows, columns = np.mgrid[:side, :side].astype(np.float64)
        x, y = columns / fine - reach, rows / fine - reach
        along = np.array([math.cos(axis), math.sin(axis)])
        across = np.array([-math.sin(axis), math.cos(axis)])
        cos, sin = math.cos(math.radians(one.tilt)), math.sin(math.radians(one.tilt))
        # Where a point of the picture is on the card: first with no height, then with the height that it has there.
        u = v = h = np.zeros_like(x)
        for _ in range(6):
            shrink = (lens_mm - h) / lens_mm
            px, py = (x + from_lens[0]) * shrink - from_lens[0], (y + from_lens[1]) * shrink - from_lens[1]
            u = px * along[0] + py * along[1]
            flat = px * across[0] + py * across[1]
            v = flat / max(cos, 0.2)
            half = high / 2
            h = v * sin + one.bend * (1 - np.clip(v / half, -1.5, 1.5) ** 2) - one.bend
        card_x = u * along[0] + v * across[0]
        card_y = u * along[1] + v * across[1]
        mesh_x = (card_x * math.cos(turn) + card_y * math.sin(turn) + at_x) * fine - 0.5
        mesh_y = (-card_x * math.sin(turn) + card_y * math.cos(turn) + at_y) * fine - 0.5
        maps = np.asarray(mesh_x, np.float32), np.asarray(mesh_y, np.float32)
        border = {"borderMode": cv2.BORDER_CONSTANT, "borderValue": 0}
        drawn = cv2.remap(face, *maps, cv2.INTER_LINEAR, **border)  # type: ignore[call-overload]
        there = cv2.remap(cover, *maps, cv2.INTER_LINEAR, **border)  # type: ignore[call-overload]
        return Cutout(np.asarray(drawn, np.float32), np.asarray(there, np.float32), fine, (reach, reach))


def _apart(one: DrawnCard | HandPose, other: DrawnCard | HandPose) -> float:
    return math.dist((one.x_mm, one.y_mm), (other.x_mm, other.y_mm))


def _between(one: DrawnCard, other: DrawnCard, share: float) -> DrawnCard:
    return replace(
        other,
        x_mm=one.x_mm + share * (other.x_mm - one.x_mm),
        y_mm=one.y_mm + share * (other.y_mm - one.y_mm),
        rotation_deg=one.rotation_deg + share * (other.rotation_deg - one.rotation_deg),
    )
