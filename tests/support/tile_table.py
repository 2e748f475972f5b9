"""A table with butted square tiles and round counters, drawn and watched: things whose size the eye is told."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from companion.games.protocol import Move
from companion.history.codec import encode_move
from companion.history.events import Played, Refused, Settled, Struck
from companion.history.record import RecordLine
from companion.public.codes import StickerCodes
from companion.public.layout import Layout, ZoneShape
from companion.public.shapes import NO_SHAPES, GreyArea, Shape
from companion.public.table import Observation, Point, Token, Zone
from companion.public.updates import Signal, Update
from companion.referee.match import Match
from vision.camera.frame import Gray, make_frame
from vision.synthetic.camera_model import CameraModel
from vision.synthetic.compositing import DrawnCard
from vision.synthetic.hands import HandPose
from vision.synthetic.scene import Scene
from vision.tracking.observer import Observer

ALARMS = {Signal.REFUSED, Signal.ASKS, Signal.MISPLACED, Signal.LOST, Signal.TROUBLE}
"""What people hear or read when something is wrong; each needs a reason."""

TILE_MM = 45.0
TILE = Shape.rectangle(TILE_MM, TILE_MM, sticker_mm=18, sticker_at_mm=(-12, -12))
"""Its sticker lies 1.5 mm from two of its edges."""
PAPER = ((-9.0, -9.0), (9.0, -9.0), (9.0, 9.0), (-9.0, 9.0))
COUNTER = Shape.disc(18, sticker_mm=15, face=(GreyArea(0.9, PAPER),))
COLUMNS, ROWS = 12, 7
TILES = tuple(Token(f"T{number:02}") for number in range(1, COLUMNS * ROWS + 1))
COUNTERS = tuple(Token(f"F{seat}{number}") for seat in range(1, 6) for number in range(1, 5))
SHAPES: Mapping[Token, Shape] = {**dict.fromkeys(TILES, TILE), **dict.fromkeys(COUNTERS, COUNTER)}
CODES = StickerCodes.of(SHAPES, "CD") | StickerCodes.of([Token("KEND")])

Lens = Callable[[Gray], Gray]
TILE_Z_MM, COUNTER_Z_MM = 1.0, 2.5
CARRIED_MM = 25.0


def clear(picture: Gray) -> Gray:
    """The lens and the lamp change nothing."""
    return picture


def layout(width_mm: float, height_mm: float) -> Layout:
    """A field as large as the table."""
    rim = ((0.0, 0.0), (width_mm, 0.0), (width_mm, height_mm), (0.0, height_mm))
    return Layout((width_mm, height_mm), (ZoneShape(Zone("field"), rim),))


@dataclass(frozen=True, slots=True)
class Mount:
    """A camera over a field.

    Attributes:
        rate_hz: Pictures a second.
    """

    camera: CameraModel
    size_mm: Point
    rate_hz: float


FULL = Mount(CameraModel(size_px=(4608, 2592), tilt_deg=10.0, psf_px=0.9), (1100.0, 650.0), 14.0)
FAST = Mount(CameraModel(distance_mm=660.0, tilt_deg=5.0), (720.0, 410.0), 30.0)
CALM = Mount(FAST.camera, FAST.size_mm, 10.0)
"""With fewer pictures, for fewer need be drawn."""


def turned(x_mm: float, y_mm: float, by_deg: float) -> Point:
    """A vector turned clockwise."""
    turn = math.radians(by_deg)
    return x_mm * math.cos(turn) - y_mm * math.sin(turn), x_mm * math.sin(turn) + y_mm * math.cos(turn)


def tile_at(token: Token, x_mm: float, y_mm: float, rotation_deg: float) -> DrawnCard:
    """A tile whose middle lies there, as its sticker says it."""
    dx, dy = turned(*TILE.sticker_at_mm, rotation_deg)
    return DrawnCard(token, x_mm + dx, y_mm + dy, rotation_deg, TILE_Z_MM)


def between(one: DrawnCard, other: DrawnCard, share: float) -> DrawnCard:
    """A thing on its way."""
    return replace(
        other,
        x_mm=one.x_mm + share * (other.x_mm - one.x_mm),
        y_mm=one.y_mm + share * (other.y_mm - one.y_mm),
        rotation_deg=one.rotation_deg + share * (other.rotation_deg - one.rotation_deg),
    )


class WatchedTable:
    """Things on a drawn table, and the eye that watches it.

    Args:
        foreign: Things that are drawn, and of which the eye is told nothing.

    Attributes:
        table: Its zones.
        pieces: What lies there.
        looks: What the eye has said.
        false_gone: Things that it took for gone while they lay there.
        lens: What the lens and the lamp make of each picture, once it is drawn.
    """

    def __init__(
        self,
        mount: Mount,
        table: Layout,
        shapes: Mapping[Token, Shape],
        codes: StickerCodes,
        seed: int = 1,
        *,
        foreign: Mapping[Token, Shape] = NO_SHAPES,
    ) -> None:
        self.mount, self.table = mount, table
        self.dice = np.random.default_rng(seed)
        self.scene = Scene(table, mount.camera, seed=seed, shapes={**shapes, **foreign}, codes=codes)
        self.observer = Observer(table, codes, shapes=shapes)
        self.pieces: dict[Token, DrawnCard] = {}
        self.looks: list[Observation] = []
        self.false_gone: set[Token] = set()
        self.lens: Lens = clear
        self._number = itertools.count()
        self._later_s = 0.0

    @property
    def held(self) -> set[Token]:
        """What the eye holds to lie there."""
        return {placement.token for placement in self.looks[-1].table.placements}

    def show(self, *hands: HandPose, held: Sequence[DrawnCard] = ()) -> Observation:
        """The look at the next picture.

        Args:
            held: What is in a hand.
        """
        before = self.held if self.looks else set()
        picture = self.lens(np.asarray(self.scene.render([*self.pieces.values(), *held], hands), np.uint8))
        taken_s = next(self._number) / self.mount.rate_hz + self._later_s
        self.looks.append(self.observer.observe(make_frame(picture, taken_s)))
        self.false_gone |= (before - self.held) & set(self.pieces)
        return self.looks[-1]

    def rest(self, seconds: float) -> None:
        """Nothing happens for so long."""
        for _ in range(max(1, round(seconds * self.mount.rate_hz))):
            self.show()

    def waits(self, seconds: float) -> None:
        """So much later, with nobody at the table: not drawn."""
        self._later_s += seconds
        self.show()

    def settled(self, most_s: float, wanted: set[Token]) -> set[Token]:
        """What the eye holds when it holds all that is wanted, or after so long."""
        for _ in range(round(most_s * self.mount.rate_hz)):
            self.show()
            if wanted <= self.held:
                break
        return self.held

    def reach(self, hand: HandPose, seconds: float, *, inwards: bool) -> Iterator[HandPose]:
        """A hand on its way to a place from beyond the table, or back."""
        steps = max(2, round(seconds * self.mount.rate_hz))
        angle, away_mm = math.radians(hand.from_deg), 700.0
        for step in range(steps):
            share = (step + 0.5) / steps if inwards else 1 - (step + 0.5) / steps
            far_mm = away_mm * (1 - share) ** 1.6
            yield replace(hand, x_mm=hand.x_mm + far_mm * math.cos(angle), y_mm=hand.y_mm + far_mm * math.sin(angle))

    def lift(self, token: Token, from_deg: float = 90.0, seconds: float = 0.3) -> None:
        """A hand comes, takes a thing between its fingers and goes; each way takes so long."""
        piece = self.pieces[token]
        hand = HandPose(piece.x_mm, piece.y_mm, from_deg, person=2)
        for place in self.reach(hand, seconds, inwards=True):
            self.show(place)
        del self.pieces[token]
        for place in self.reach(hand, seconds, inwards=False):
            self.show(place, held=[replace(piece, x_mm=place.x_mm, y_mm=place.y_mm, z_mm=CARRIED_MM)])

    def move(self, hand: HandPose, moved: Mapping[Token, DrawnCard], seconds: float = 0.3) -> None:
        """A hand comes, brings these things to where they are now, in as many steps, and goes."""
        steps = max(2, round(seconds * self.mount.rate_hz))
        for place in self.reach(hand, seconds, inwards=True):
            self.show(place)
        before = {token: self.pieces[token] for token in moved}
        for step in range(1, steps + 1):
            for token, after in moved.items():
                self.pieces[token] = between(before[token], after, step / steps)
            self.show(hand)
        for place in self.reach(hand, seconds, inwards=False):
            self.show(place)


def told(line: RecordLine) -> str:
    """An entry in a few words: ``place 1 T02 1,0/3``, ``no deploy 2 F21 T03.1: taken F11``, ``struck 2``."""
    match line.entry.event:
        case Played(move=move):
            return _move(move)
        case Refused(move=move):
            return f"no {_move(move)}: " + "; ".join(" ".join((one.rule, *one.cards)) for one in line.objections)
        case Struck(number=number) | Settled(number=number):
            return f"{type(line.entry.event).__name__.lower()} {number}"
        case event:
            return type(event).__name__.lower()


def _move(move: Move) -> str:
    said = encode_move(move)
    words = [said["do"], str(said["by"]), *([said["card"]] if "card" in said else [])]
    if "x" in said:
        words.append(f"{said['x']},{said['y']}/{said['turn']}")
    if "to" in said:
        words.append(f"on {said['to']}")
    if "tile" in said:
        words.append(f"{said['tile']}.{said['segment']}")
    return " ".join(words)


class RefereedTable(WatchedTable):
    """A watched table with a referee, who is told of every look.

    Attributes:
        updates: What everybody was told.
    """

    def __init__(
        self,
        mount: Mount,
        table: Layout,
        game: Any,
        codes: StickerCodes,
        seed: int = 1,
        *,
        foreign: Mapping[Token, Shape] = NO_SHAPES,
    ) -> None:
        super().__init__(mount, table, game.table.shapes, codes, seed, foreign=foreign)
        self.game = game
        self.updates: list[Update] = []
        self.match = Match(game, write=lambda _: None, publish=self.updates.append)

    def show(self, *hands: HandPose, held: Sequence[DrawnCard] = ()) -> Observation:
        look = super().show(*hands, held=held)
        self.match.handle(look, look.taken_s)
        self.match.wake(look.taken_s)
        return look

    @property
    def alarms(self) -> list[Signal]:
        """Every time that something was said to be wrong."""
        return [update.signal for update in self.updates if update.signal in ALARMS]

    @property
    def story(self) -> list[str]:
        """The record, an entry a line."""
        return [told(line) for line in self.match.record.lines]

    @property
    def said(self) -> list[str]:
        """The keys of all that was said."""
        return [text.key for update in self.updates for text in update.texts]

    def puts(
        self, *pieces: DrawnCard, from_deg: float = 90.0, beside_mm: Point = (0.0, 12.0), rests_s: float = 1.5
    ) -> None:
        """A hand brings things, from wherever they lie or from beyond the table, and goes.

        Args:
            beside_mm: Where its fingers are, beside the first thing.
        """
        for piece in pieces:
            if piece.token in self.pieces:
                self.lift(piece.token, from_deg, seconds=0.4)
        hand = HandPose(pieces[0].x_mm + beside_mm[0], pieces[0].y_mm + beside_mm[1], from_deg, person=2)
        for there in self.reach(hand, 0.4, inwards=True):
            dx, dy = there.x_mm - hand.x_mm, there.y_mm - hand.y_mm
            self.show(there, held=[replace(p, x_mm=p.x_mm + dx, y_mm=p.y_mm + dy, z_mm=CARRIED_MM) for p in pieces])
        self.pieces.update({piece.token: piece for piece in pieces})
        for there in self.reach(hand, 0.4, inwards=False):
            self.show(there)
        self.rest(rests_s)

    def shoves(self, things: Iterable[str], by_mm: Point, hand: HandPose, seconds: float = 0.6) -> None:
        """A sleeve takes things along, all at once.

        Args:
            hand: As seen from the middle of the things where they end.
        """
        pieces = [self.pieces[Token(one)] for one in things]
        moved = {one.token: replace(one, x_mm=one.x_mm + by_mm[0], y_mm=one.y_mm + by_mm[1]) for one in pieces}
        x, y = np.mean([(piece.x_mm, piece.y_mm) for piece in moved.values()], axis=0).tolist()
        self.move(replace(hand, x_mm=x + hand.x_mm, y_mm=y + hand.y_mm), moved, seconds=seconds)
        self.rest(2.0)


class TileTable(WatchedTable):
    """A map of butted tiles as people lay them, with counters on some."""

    def __init__(
        self, mount: Mount = FULL, seed: int = 1, *, tiles: int = len(TILES), shapes: Mapping[Token, Shape] = SHAPES
    ) -> None:
        super().__init__(mount, layout(*mount.size_mm), shapes, CODES, seed)
        width, height = mount.size_mm
        columns = min(COLUMNS, math.ceil(math.sqrt(2 * tiles)))
        for number, token in enumerate(TILES[:tiles]):
            row, column = divmod(number, columns)
            x = width / 2 + (column - (columns - 1) / 2) * (TILE_MM + 0.4)
            y = height / 2 + (row - (math.ceil(tiles / columns) - 1) / 2) * (TILE_MM + 0.4)
            off_x, off_y, askew = self.dice.normal(0, (0.2, 0.2, 0.4))
            quarter = 90.0 * int(self.dice.integers(4))
            self.pieces[token] = tile_at(token, x + off_x, y + off_y, quarter + askew)

    def lay_counters(self, tokens: Sequence[Token]) -> None:
        """Put counters anywhere on tiles, but on no sticker, each on a tile of its own; the eye reads all within two
        seconds."""
        tiles = [piece for token, piece in self.pieces.items() if token in TILES]
        for token, place in zip(tokens, self.dice.permutation(len(tiles)), strict=False):
            tile = tiles[int(place)]
            aside = ((25.0, 3.0), (3.0, 25.0), (24.0, 24.0))[int(self.dice.integers(3))]
            dx, dy = turned(*aside, tile.rotation_deg)
            x, y = tile.x_mm + dx, tile.y_mm + dy
            self.pieces[token] = DrawnCard(token, x, y, float(self.dice.uniform(0, 360)), COUNTER_Z_MM)
        assert set(tokens) <= self.settled(2.0, set(tokens))
