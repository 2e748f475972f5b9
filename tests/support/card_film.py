"""A film of a match of Discovery: hands lay cards and show commands on a drawn table; the real eye and referee follow.

The lens may be smudged, the lamp dimmed, and things may lie about that have nothing to do with the game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from support.film_report import DECK
from support.tile_table import CARRIED_MM, Mount, RefereedTable

from companion.games.registry import open_match, sticker_codes
from companion.public.shapes import NO_SHAPES
from companion.public.table import Observation, Token
from companion.public.updates import Signal, Update
from vision.camera.frame import make_frame
from vision.synthetic.camera_model import CameraModel
from vision.synthetic.compositing import DrawnCard
from vision.synthetic.hands import HandPose
from vision.synthetic.photographs import Cutout, PhotographedHands, Surface
from vision.synthetic.scene import Scene

EVENING = Mount(CameraModel(), (1100.0, 650.0), 5.0)
NAMES = ("Ana", "Ben", "Cy")
POOL = ("1-4", "1-5", "1-6", "1-7", "1-8")
COMMAND_AT = (80.0, 590.0)
"""Where command cards are shown."""

Lens = Callable[[NDArray[np.uint8]], NDArray[np.uint8]]


def match_of(turn: int = 1, tree: Sequence[str] = ("1-1",), pool: Sequence[str] = POOL) -> dict[str, Any]:
    """Three people in the middle of a match of fr-explore."""
    hands = [5, 5, 5]
    return {
        "game": "discovery",
        "profile": "fr-explore",
        "dealer": 3,
        "seat": [{"name": name} for name in NAMES],
        "position": {
            "turn": turn,
            "tree": list(tree),
            "pool": list(pool),
            "hands": hands,
            "stack": 54 - sum(hands) - len(tree) - len(pool),
        },
    }


class CardFilm(RefereedTable):
    """A table with the tree, the pool and the zone for commands.

    Args:
        tree: What lies in the tree at the beginning, and where.
        surface, hands, cutouts: Photographed ones; without, all is drawn.

    Attributes:
        lens: What the lens and the lamp make of each picture, once it is drawn.
    """

    def __init__(
        self,
        match: Mapping[str, Any] | None = None,
        *,
        tree: Mapping[str, tuple[float, float]] | None = None,
        mount: Mount = EVENING,
        seed: int = 1,
        surface: Surface | None = None,
        hands: PhotographedHands | None = None,
        cutouts: Mapping[Token, Cutout] | None = None,
    ) -> None:
        header = dict(match or match_of())
        opened = open_match(header, DECK)
        super().__init__(mount, opened.layout, opened.game, sticker_codes(opened.game), seed, foreign=NO_SHAPES)
        self.scene = Scene(
            opened.layout,
            mount.camera,
            seed=seed,
            surface=surface,
            hands=hands,
            cutouts=cutouts or {},
        )
        self.lens: Lens | None = None
        for number, card in enumerate(header["position"]["pool"]):
            self.pieces[token_of(card)] = DrawnCard(token_of(card), 960.0, 90.0 + 115.0 * number, 2.0 * number)
        for card, (x, y) in (tree or {"1-1": (300.0, 450.0)}).items():
            self.pieces[token_of(card)] = DrawnCard(token_of(card), x, y)

    def show(self, *hands: HandPose, held: Sequence[DrawnCard] = ()) -> Observation:
        before = self.held if self.looks else set()
        picture = np.asarray(self.scene.render([*self.pieces.values(), *held], hands), np.uint8)
        if self.lens is not None:
            picture = self.lens(picture)
        taken_s = next(self._number) / self.mount.rate_hz + self._later_s
        look = self.observer.observe(make_frame(picture, taken_s))
        self.looks.append(look)
        self.false_gone |= (before - self.held) & set(self.pieces)
        self.match.handle(look, look.taken_s)
        self.match.wake(look.taken_s)
        return look

    def lays(self, card: str, x_mm: float, y_mm: float, turned_deg: float = 0.0, rests_s: float = 1.0) -> None:
        """A hand brings a card, from wherever it lies or from beyond the table, and goes."""
        piece = DrawnCard(token_of(card), x_mm, y_mm, turned_deg, z_mm=0.3 + 0.3 * len(self.pieces))
        if piece.token in self.pieces:
            self.lift(piece.token, seconds=0.4)
        self._brings(piece)
        self.rest(rests_s)

    def puts(self, thing: DrawnCard, rests_s: float = 1.2) -> None:
        """A hand brings a thing without a sticker, and goes."""
        self._brings(thing)
        self.rest(rests_s)

    def says(self, command: str = "KEND", shown_s: float = 1.0) -> None:
        """A hand shows a command card, and takes it away."""
        x, y = COMMAND_AT
        self._brings(DrawnCard(Token(command), x, y, 4.0, 0.5))
        self.rest(shown_s)
        self.lift(Token(command), seconds=0.4)
        self.rest(1.0)

    def waits(self, seconds: float) -> None:
        """So much later, nothing having moved: not drawn in between."""
        self._later_s += seconds
        self.show()

    def pushes(self, card: str, x_mm: float, y_mm: float) -> None:
        """A hand pushes a card along the table."""
        piece = self.pieces[token_of(card)]
        moved = replace(piece, x_mm=x_mm, y_mm=y_mm)
        self.move(HandPose(x_mm - 10, y_mm + 45, 90.0), {piece.token: moved}, seconds=0.5)
        self.rest(2.0)

    def _brings(self, piece: DrawnCard) -> None:
        hand = HandPose(piece.x_mm - 12, piece.y_mm + 26, 90.0, person=2)
        for there in self.reach(hand, 0.4, inwards=True):
            carried = replace(piece, x_mm=there.x_mm + 12, y_mm=there.y_mm - 26, z_mm=CARRIED_MM)
            self.show(there, held=[carried])
        self.pieces[piece.token] = piece
        for there in self.reach(hand, 0.4, inwards=False):
            self.show(there)

    # -- what was told ---------------------------------------------------------------------------

    @property
    def accusations(self) -> list[Update]:
        """Whatever was refused, or sounded like it."""
        return [update for update in self.updates if update.signal in (Signal.REFUSED, Signal.MISPLACED)]

    @property
    def points(self) -> tuple[int, ...]:
        """The scoreboard."""
        return self.match.standing.points

    @property
    def said(self) -> list[str]:
        """The keys of all texts, in order."""
        return [text.key for update in self.updates for text in update.texts]

    def px(self, x_mm: float, y_mm: float) -> tuple[float, float]:
        """Where a point of the table is drawn."""
        geometry = self.observer.geometry
        assert geometry is not None
        x, y = geometry.to_px([(x_mm, y_mm)])[0]
        return float(x), float(y)

    def smudge(self, x_mm: float, y_mm: float, sigma_px: float, wide_mm: float = 110.0) -> Lens:
        """A finger print on the lens: a hand's breadth of the field is blurred."""
        x, y = self.px(x_mm, y_mm)
        reach = wide_mm / 2 * self.mount.camera.focal_px / self.mount.camera.distance_mm

        def blurred(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
            rows, columns = np.ogrid[: picture.shape[0], : picture.shape[1]]
            away = np.hypot(rows - y, columns - x)
            share = np.clip((reach + 12 - away) / 12, 0, 1).astype(np.float32)
            soft = cv2.GaussianBlur(picture, (0, 0), sigma_px)
            return np.asarray(picture * (1 - share) + soft * share, np.uint8)

        return blurred


def token_of(card: str) -> Token:
    """The sticker of a card."""
    return Token("C" + card.replace("-", ""))


def dimmed(share: float, seed: int = 0) -> Lens:
    """What is left of the picture when the lamp has only so much of its light; the chip's own noise stays."""
    dice = np.random.default_rng(seed)

    def dark(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
        noisy = picture * np.float32(share) + dice.normal(0, 1.2, picture.shape).astype(np.float32)
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
