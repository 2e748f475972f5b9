"""Renders a table as a camera over it sees it: real codes with realistic lenses, lamps and hands.

It knows stickers, millimetres and light, but no game. Unchanged parts of the picture are not rendered again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.errors import InputError
from companion.public.codes import StickerCodes, sticker_text
from companion.public.layout import Layout
from companion.public.pictogram import Pictogram
from companion.public.print_sizes import CARD_MM, CODE_MODULES, STICKER_MODULES
from companion.public.shapes import NO_SHAPES, Shape
from companion.public.table import Token
from vision.synthetic import lighting, textures
from vision.synthetic.camera_model import CameraModel, CameraView, Points
from vision.synthetic.compositing import Box, Brush, DrawnCard, Patch, grown, joined, lay, placed
from vision.synthetic.hands import HandPose
from vision.synthetic.lighting import Chip, RoomLight
from vision.synthetic.photographs import Cutout, PhotographedHands, Surface
from vision.synthetic.textures import CardPrint, Picture

__all__ = ["CameraModel", "CardPrint", "DrawnCard", "HandPose", "RoomLight", "Scene", "VisibleCard"]

_RIM_PX = 6
"""Reach of the lens's blur."""

_EVENING = CameraModel()
_CARDS = CardPrint()
_NO_PICTOGRAMS: Mapping[Token, Pictogram] = MappingProxyType({})
_NO_CUTOUTS: Mapping[Token, Cutout] = MappingProxyType({})
_COMMON = StickerCodes.of(())


@dataclass(frozen=True, slots=True, eq=False)
class VisibleCard:
    """The ground truth about one rendered sticker.

    Attributes:
        corners_px: ``(4, 2)``, clockwise from the code's own top left: the corners of its 21 modules.
        visible: The fraction that no card, hand or edge of the picture hides, 0 to 1.
    """

    token: Token
    corners_px: Points
    visible: float


class Scene:
    """A table that is rendered repeatedly; the same layout, camera, seed and calls give the same pictures.

    ``vision.synthetic.colour.ColourScene`` renders the same table in colour.

    Args:
        layout: Only its size is used, for the positions of the tags.
        pictograms: Large pictures on cards, by their stickers.
        shapes: The things that are not playing cards, by their stickers.
        codes: The texts of stickers without the common letters.
        surface: The photographed table top; ``None`` = a generated one.
        hands: Photographed hands; ``None`` = generated ones.
        cutouts: Photographed objects without stickers, by their tokens in the film.

    Raises:
        InputError: The layout has no table size.
    """

    _usual_light = RoomLight()

    def __init__(
        self,
        layout: Layout,
        camera: CameraModel = _EVENING,
        *,
        printed: CardPrint = _CARDS,
        seed: int = 0,
        pictograms: Mapping[Token, Pictogram] = _NO_PICTOGRAMS,
        shapes: Mapping[Token, Shape] = NO_SHAPES,
        codes: StickerCodes = _COMMON,
        surface: Surface | None = None,
        hands: PhotographedHands | None = None,
        cutouts: Mapping[Token, Cutout] = _NO_CUTOUTS,
    ) -> None:
        if layout.size_mm is None:
            raise InputError("A table can be drawn only when its size is known: give it size_mm.")
        self._size_mm = layout.size_mm
        self._printed = printed
        self._pictograms = pictograms
        self._shapes = shapes
        self._codes = codes
        self._surface = surface
        self._top: tuple[Picture, NDArray[np.float64], float] | None = None
        self._hands = hands
        self._cutouts = cutouts
        self._seed = seed
        self._number = 0
        self._light = self._usual_light
        self._faces: dict[tuple[Token, str], tuple[Picture, Picture | None]] = {}
        self._patches: dict[DrawnCard | HandPose, Patch] = {}
        self._drawn: tuple[DrawnCard | HandPose, ...] = ()
        self.look_from(camera)

    def look_from(self, camera: CameraModel) -> None:
        """Move the camera, as when its stand is bumped."""
        self.camera = camera
        self._view = CameraView(camera, (self._size_mm[0] / 2, self._size_mm[1] / 2))
        self._mm = _table_under(self._view)
        self._chip = Chip(camera, self._seed)
        self._faces.clear()
        self._ground = self._bare_table()
        self._sharp = self._ground.copy()
        self._shine(self._light)

    def render(
        self,
        pieces: Sequence[DrawnCard],
        hands: Sequence[HandPose] = (),
        light: RoomLight | None = None,
        magnified: float = 1.0,
        exposed: float = 1.0,
    ) -> NDArray[np.uint8]:
        """The next picture, ``(height, width)`` grey; without ``light``, in the same light as before.

        Args:
            exposed: How much of the light the sensor takes in, of what it usually does.
            magnified: Magnification around the picture's centre: focusing changes a lens's field of view. ``truth``
                ignores it.
        """
        self._lay_out(pieces, hands, light)
        self._number += 1
        bright = self._bright if magnified == 1 else _magnified(self._bright, magnified)
        if exposed != 1:
            bright = bright * np.float32(exposed)
        return self._chip.expose(bright, self._light, self._number)

    def _lay_out(self, pieces: Sequence[DrawnCard], hands: Sequence[HandPose], light: RoomLight | None) -> None:
        """Render what has changed."""
        if light is not None and light != self._light:
            self._shine(light)
        things = _stacked(pieces, hands)
        gone, new = set(self._drawn) - set(things), set(things) - set(self._drawn)
        boxes = [self._patch(thing).box for thing in (*gone, *new)]
        self._drawn = things
        for box in joined(boxes):
            self._compose(box)
        self._patches = {thing: self._patches[thing] for thing in things}

    def truth(self, pieces: Sequence[DrawnCard], hands: Sequence[HandPose] = ()) -> tuple[VisibleCard, ...]:
        """Position and visibility of each sticker, in the order of ``pieces``."""
        things = _stacked(pieces, hands)
        return tuple(self._seen(piece, things[things.index(piece) + 1 :]) for piece in pieces)

    def _seen(self, piece: DrawnCard, above: tuple[DrawnCard | HandPose, ...]) -> VisibleCard:
        shape = self._shapes.get(piece.token)
        half_mm = (shape.sticker_mm if shape else self._printed.sticker_mm) * CODE_MODULES / STICKER_MODULES / 2
        square = np.array([[-half_mm, -half_mm], [half_mm, -half_mm], [half_mm, half_mm], [-half_mm, half_mm]])
        steps = np.linspace(-half_mm, half_mm, 12)
        samples = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
        at = np.rint(self._view.to_px(placed(piece, samples), piece.z_mm)).astype(int)
        free = ((at >= 0) & (at < self.camera.size_px)).all(axis=1)
        first, last = at.min(axis=0).tolist(), at.max(axis=0).tolist()
        for thing in above:
            patch = self._patch(thing)
            if patch.reaches(first, last):
                free &= ~patch.hides(at)
        return VisibleCard(piece.token, self._view.to_px(placed(piece, square), piece.z_mm), float(free.mean()))

    def _bare_table(self) -> Picture:
        """The cloth and the eight tags, without light."""
        if self._top is None:
            self._top = self._first_top()
        cloth, low, per_mm = self._top
        mesh = (self._mm - low) * np.float32(per_mm)
        ground = cv2.remap(cloth, mesh[..., 0], mesh[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
        table = np.asarray(ground, np.float32)
        w, h = self._size_mm
        brush = Brush(self._view, self._mm, self._light.from_mm)
        spots = ((0, 0), (w, 0), (w, h), (0, h), (w / 2, 0), (w, h / 2), (w / 2, h), (0, h / 2))
        side = textures.TAG_PAPER_MM
        for number, (x_mm, y_mm) in enumerate(spots):
            turn_deg = float(np.random.default_rng((self._seed, 3, number)).normal(0, 1.0))
            face = self._tag(number)
            stuck = DrawnCard(Token(""), x_mm, y_mm, turn_deg, z_mm=0.1)
            lay(table, brush.flat(stuck, face, (side, side), (side / 2, side / 2)))
        return table

    def _first_top(self) -> tuple[Picture, NDArray[np.float64], float]:
        """The table top as far as the first camera sees it, where that begins, and its pixels per mm: a camera that is
        knocked still looks at the same table.
        """
        per_mm = self._view.px_per_mm * 1.2
        x, y = self._mm[..., 0], self._mm[..., 1]  # both at once would take thirty times as long
        low, high = np.array([x.min(), y.min()]) - 5, np.array([x.max(), y.max()]) + 5
        width, height = (int(side) for side in np.ceil((high - low) * per_mm))
        return self._cloth(width, height, per_mm), low, per_mm

    def _cloth(self, width_px: int, height_px: int, per_mm: float) -> Picture:
        """The table top from straight above."""
        top = textures.cloth if self._surface is None else self._surface.laid
        return top(width_px, height_px, per_mm, self._seed)

    def _tag(self, number: int) -> Picture:
        return textures.tag(number, self._view.px_per_mm * 2)

    def _patch(self, thing: DrawnCard | HandPose) -> Patch:
        if thing not in self._patches:
            self._patches[thing] = self._card(thing) if isinstance(thing, DrawnCard) else self._hand(thing)
        return self._patches[thing]

    def _card(self, piece: DrawnCard) -> Patch:
        cutout = self._cutouts.get(piece.token)
        if cutout is not None:
            return self._brush.flat(piece, cutout.face, cutout.size_mm, cutout.at_mm, cutout.cover)
        name, shape = (piece.token, piece.says), self._shapes.get(piece.token)
        if name not in self._faces:
            text = piece.says or self._codes.texts.get(piece.token) or sticker_text(piece.token)
            self._faces[name] = self._face(piece.token, text, shape)
        size_mm, at_mm = (CARD_MM, self._printed.sticker_at_mm) if shape is None else textures.thing_box(shape)
        face, cover = self._faces[name]
        return self._brush.flat(piece, face, size_mm, at_mm, cover)

    def _face(self, token: Token, text: str, shape: Shape | None) -> tuple[Picture, Picture | None]:
        """A thing from straight above, and its opacity."""
        per_mm = self._view.px_per_mm * 2
        if shape is None:
            return textures.card(token, text, self._printed, per_mm, self._seed, self._pictograms.get(token)), None
        return textures.thing(token, text, shape, per_mm, self._seed)

    def _hand(self, hand: HandPose) -> Patch:
        skin, sleeve = np.random.default_rng((self._seed, 4, hand.person)).uniform((0.3, 0.08), (0.7, 0.85))
        if self._hands is None:
            return self._brush.limb(hand, float(skin), float(sleeve))
        weave = self._hands.sleeve.scaled(2 * self._view.px_per_mm)
        return self._brush.photographed_limb(hand, self._hands.of(hand), weave, float(skin), float(sleeve))

    def _shine(self, light: RoomLight) -> None:
        """Change the light: shadows, brightness and glare of the whole picture."""
        self._light = light
        self._patches.clear()
        self._brush = Brush(self._view, self._mm, light.from_mm)
        middle = np.array(self._size_mm, np.float32) / np.float32(2)
        self._lit = lighting.lit(light, self.camera, np.asarray(self._mm - middle, np.float32), self._seed)
        self._mirrored = lighting.mirrored(light, self._mm)
        self._bright = np.empty_like(self._sharp)
        self._compose((0, 0, *self.camera.size_px))

    def _compose(self, box: Box) -> None:
        """Render one part of the table again, from the cloth upwards."""
        left, top, right, bottom = box
        self._sharp[top:bottom, left:right] = self._ground[top:bottom, left:right]
        for thing in self._drawn:
            lay(self._sharp, self._patch(thing), box)
        self._develop(grown(box, _RIM_PX, self.camera.size_px))

    def _develop(self, box: Box) -> None:
        """Apply lens and light to one part of it."""
        left, top, right, bottom = box
        wide = grown(box, _RIM_PX, self.camera.size_px)
        soft = cv2.GaussianBlur(self._sharp[wide[1] : wide[3], wide[0] : wide[2]], (0, 0), self.camera.psf_px)
        part = np.asarray(soft[top - wide[1] : bottom - wide[1], left - wide[0] : right - wide[0]], np.float32)
        here = np.s_[top:bottom, left:right]
        self._bright[here] = self._under_light(part, self._lit[here], self._mirrored[here])

    def _under_light(self, part: Picture, lit: Picture, mirrored: Picture) -> Picture:
        return part * lit + mirrored


def _stacked(pieces: Iterable[DrawnCard], hands: Iterable[HandPose]) -> tuple[DrawnCard | HandPose, ...]:
    """From the table upwards; hands are above all cards."""
    return (*sorted(pieces, key=lambda piece: piece.z_mm), *sorted(hands, key=lambda hand: hand.z_mm))


def _magnified(bright: Picture, by: float) -> Picture:
    """A picture, ``(height, width)``, scaled around its centre."""
    height, width = bright.shape
    still = np.array([[by, 0, (1 - by) * (width - 1) / 2], [0, by, (1 - by) * (height - 1) / 2]])
    drawn = cv2.warpAffine(bright, still, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REFLECT)
    return np.asarray(drawn, np.float32)


def _table_under(view: CameraView) -> Picture:
    """The table point of every pixel, ``(height, width, 2)``: exact every 16 pixels, interpolated in between."""
    step = 16
    width, height = view.size_px
    across = np.arange(-1, width // step + 2) * step + (step - 1) / 2
    down = np.arange(-1, height // step + 2) * step + (step - 1) / 2
    nodes = view.to_mm(np.stack(np.meshgrid(across, down), axis=-1)).astype(np.float32)
    even = cv2.resize(nodes, (len(across) * step, len(down) * step), interpolation=cv2.INTER_LINEAR)
    return np.ascontiguousarray(even[step : step + height, step : step + width], np.float32)
