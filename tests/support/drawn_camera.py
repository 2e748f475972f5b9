"""A camera in the network over a drawn table on which a test lays cards, takes them away and shows command cards."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
from support.mjpeg_server import MjpegServer

from companion.public.layout import Layout
from companion.public.table import Token
from vision.synthetic.compositing import DrawnCard
from vision.synthetic.scene import Scene
from vision.synthetic.textures import CardPrint

NOISES = 3
STICKER_MM = 25.0


class DrawnCamera(MjpegServer):
    """Sends what a camera straight over the table sees."""

    def __init__(self, layout: Layout) -> None:
        super().__init__(())
        self._scene = Scene(layout, printed=CardPrint(sticker_mm=STICKER_MM))
        self._lying: dict[Token, DrawnCard] = {}
        self._sent: tuple[tuple[DrawnCard, ...], Sequence[bytes]] | None = None

    def lay(self, token: str, x_mm: float, y_mm: float) -> None:
        """A card comes to lie there, with the middle of its sticker; wherever it lay before."""
        self._lying = {**self._lying, Token(token): DrawnCard(Token(token), x_mm, y_mm)}

    def take(self, token: str) -> None:
        """A card goes."""
        self._lying = {name: card for name, card in self._lying.items() if name != token}

    def _pictures(self) -> Sequence[bytes]:
        cards = tuple(self._lying.values())
        if self._sent is None or self._sent[0] != cards:
            drawn = [self._scene.render(cards) for _ in range(NOISES)]
            self._sent = (
                cards,
                [cv2.imencode(".jpg", one, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes() for one in drawn],
            )
        return self._sent[1]
