"""A film of a match of Discovery: hands lay cards and show commands on a drawn table; the real eye and referee follow.

The lens may be smudged, the lamp dimmed, and things may lie about that have nothing to do with the game.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray
from support import photographs
from support.clutter import clutter
from support.film_report import DECK
from support.tile_table import Lens, Mount, RefereedTable

from companion.games.registry import open_match, sticker_codes
from companion.public.shapes import NO_SHAPES
from companion.public.table import Token
from companion.public.updates import Signal, Update
from vision.synthetic.camera_model import CameraModel
from vision.synthetic.compositing import DrawnCard
from vision.synthetic.scene import Scene

MOUNT = Mount(CameraModel(), (1100.0, 650.0), 5.0)
SURFACES = sorted(photographs.WIDE_MM)
POOL = ("1-4", "1-5", "1-6", "1-7", "1-8")
POSITION = {"turn": 3, "tree": ["1-1"], "pool": list(POOL), "hands": [5, 5, 5], "stack": 33}
MATCH = {
    "game": "discovery",
    "profile": "fr-explore",
    "dealer": 3,
    "seat": [{"name": name} for name in ("Ana", "Ben", "Cy")],
    "position": POSITION,
}
COMMAND_AT = (80.0, 590.0)
"""Where command cards are shown."""
FINGERS_MM = (-12.0, 26.0)
"""Where the fingers are that bring a card, beside its sticker."""


class CardFilm(RefereedTable):
    """A table with the tree, the pool and the zone for commands; with an odd seed a photographed surface and hands."""

    def __init__(self, seed: int = 1) -> None:
        opened = open_match(MATCH, DECK)
        super().__init__(MOUNT, opened.layout, opened.game, sticker_codes(opened.game), seed, foreign=NO_SHAPES)
        photographed = (photographs.surface(SURFACES[seed % len(SURFACES)]), photographs.hands())
        surface, hands = photographed if seed % 2 else (None, None)
        self.scene = Scene(opened.layout, MOUNT.camera, seed=seed, surface=surface, hands=hands, cutouts=clutter())
        for number, card in enumerate(POOL):
            self.pieces[token_of(card)] = DrawnCard(token_of(card), 960.0, 90.0 + 115.0 * number, 2.0 * number)
        self.pieces[token_of("1-1")] = DrawnCard(token_of("1-1"), 300.0, 450.0)

    def lays(self, card: str, x_mm: float, y_mm: float, turned_deg: float = 0.0, rests_s: float = 1.0) -> None:
        """A hand brings a card, from wherever it lies or from beyond the table, and goes."""
        piece = DrawnCard(token_of(card), x_mm, y_mm, turned_deg, z_mm=0.3 + 0.3 * len(self.pieces))
        self.puts(piece, beside_mm=FINGERS_MM, rests_s=rests_s)

    def says(self, command: str = "KEND", shown_s: float = 1.0) -> None:
        """A hand shows a command card, and takes it away."""
        x, y = COMMAND_AT
        card = DrawnCard(Token(command), x, y, 4.0, 0.5)
        self.puts(card, beside_mm=FINGERS_MM, rests_s=shown_s)
        self.lift(card.token, seconds=0.4)
        self.rest(1.0)

    # -- what was told ---------------------------------------------------------------------------

    @property
    def accusations(self) -> list[Update]:
        """Whatever was refused, or sounded like it."""
        return [update for update in self.updates if update.signal in (Signal.REFUSED, Signal.MISPLACED)]

    @property
    def points(self) -> tuple[int, ...]:
        """The scoreboard."""
        return self.match.standing.points

    def smudge(self, x_mm: float, y_mm: float, sigma_px: float, wide_mm: float = 110.0) -> Lens:
        """A finger print on the lens: a hand's breadth of the field is blurred."""
        geometry = self.observer.geometry
        assert geometry is not None
        x, y = geometry.to_px([(x_mm, y_mm)])[0].tolist()
        reach = wide_mm / 2 * self.mount.camera.focal_px / self.mount.camera.distance_mm + 12
        width, height = self.mount.camera.size_px
        left, right = (min(max(round(x + side), 0), width) for side in (-reach - 1, reach + 1))
        top, bottom = (min(max(round(y + side), 0), height) for side in (-reach - 1, reach + 1))
        rows, columns = np.ogrid[top:bottom, left:right]
        share = np.clip((reach - np.hypot(rows - y, columns - x)) / 12, 0, 1).astype(np.float32)
        rim = round(4 * sigma_px) + 2  # a blurred pixel shows no more than what is so near
        inner = np.s_[top - max(top - rim, 0) :, left - max(left - rim, 0) :]

        def blurred(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
            around = picture[max(top - rim, 0) : bottom + rim, max(left - rim, 0) : right + rim]
            soft = cv2.GaussianBlur(around, (0, 0), sigma_px)[inner][: bottom - top, : right - left]
            smudged = picture.copy()
            here = smudged[top:bottom, left:right]
            here[:] = here * (1 - share) + soft * share
            return smudged

        return blurred


def token_of(card: str) -> Token:
    """The sticker of a card."""
    return Token("C" + card.replace("-", ""))


def dimmed(share: float, seed: int = 0) -> Lens:
    """What is left of the picture when the lamp has only so much of its light; the chip's own noise stays."""
    dice = np.random.default_rng(seed)

    def dark(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
        noisy = picture * np.float32(share) + np.float32(1.2) * dice.standard_normal(picture.shape, np.float32)
        return np.asarray(np.clip(np.rint(noisy), 0, 255), np.uint8)

    return dark


class Head:
    """Somebody's head and shoulders between the lens and the table, never quite still.

    Attributes:
        away: How far it is on its way, as a share of the picture's height; 0 = over the middle.
    """

    def __init__(self, size_px: tuple[int, int], seed: int) -> None:
        self._dice = np.random.default_rng(seed)
        self.away = 1.0
        width, height = size_px
        rough = cv2.GaussianBlur(self._dice.random((height, width)).astype(np.float32), (0, 0), 3)
        self._hair = np.asarray(60 + 60 * (rough - rough.mean()) / rough.std(), np.float32)
        cover = np.zeros((height, width), np.uint8)
        cv2.ellipse(cover, (width // 2, height // 2), (int(0.36 * width), int(0.46 * height)), 0, 0, 360, 255, -1)
        self._cover = np.asarray(cv2.GaussianBlur(cover, (0, 0), 8) / np.float32(255), np.float32)

    def __call__(self, picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
        height, width = picture.shape
        x, y = self._dice.normal(0, 12, 2)
        there = np.array([[1, 0, x], [0, 1, y + self.away * height]], np.float32)
        hair = cv2.warpAffine(self._hair, there, (width, height), borderMode=cv2.BORDER_REFLECT)
        cover = cv2.warpAffine(self._cover, there, (width, height))
        return np.asarray(np.clip(picture * (1 - cover) + hair * cover, 0, 255), np.uint8)
