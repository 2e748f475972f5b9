"""The picture of the table that everybody may see: of a drawn table, or where the host shows a real one."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any

from companion.games.protocol import Game
from companion.public.results import PictureShown
from companion.public.service import Denied, Done, Result, Role, User
from companion.public.table_picture import TablePicture
from companion.public.text import JSON, Text
from companion.reading.picture_mark import commented
from companion.service.runner import MatchRunner

STEP_S = 1.0
"""Between two pictures: however many people look, the camera is asked once in this time, and never when nobody does."""


class PublicPicture:
    """The last picture for everybody. A real table's is secret until its host says otherwise, each time it is started.

    Args:
        simulated: The table is drawn.
        take: The table now, by stickers; ``None`` while it is not found.
        clock: Monotonic seconds.
    """

    def __init__(
        self,
        runner: MatchRunner,
        *,
        simulated: bool,
        take: Callable[[], TablePicture | None],
        clock: Callable[[], float],
    ) -> None:
        self._runner = runner
        self._allowed = simulated
        self._take = take
        self._clock = clock
        self._taking = threading.Lock()
        self._picture: bytes | None = None
        self._taken_s = float("-inf")

    @property
    def allowed(self) -> bool:
        """Whether the host shows it; a drawn table is always shown."""
        return self._allowed

    @property
    def shown(self) -> bool:
        """Whether everybody may see it now: never in a silent game, whose pile is secret."""
        match = self._runner.match
        return self._allowed and not (match is not None and match.game.silent)

    def allow(self, user: User, allowed: bool) -> Result[PictureShown]:
        """Host: show it to everybody, or to nobody."""
        if user.role is not Role.HOST:
            return Denied(Text("desk.host_only"))
        self._allowed = allowed
        return Done({"shown": self.shown})

    def now(self) -> bytes | None:
        """The picture with a comment, ``{"cards": {card: corners}}``; ``None`` while there is none.

        Raises:
            PermissionError: It is not shown.
        """
        if not self.shown:
            raise PermissionError(Text("desk.picture_not_shown"))
        # While one request waits for the camera, the others get the picture before.
        if self._taking.acquire(blocking=False):
            try:
                if self._clock() - self._taken_s >= STEP_S:
                    self._picture = self._fresh()
                    self._taken_s = self._clock()
            finally:
                self._taking.release()
        if not self.shown:  # a silent match has begun meanwhile
            raise PermissionError(Text("desk.picture_not_shown"))
        return self._picture

    def _fresh(self) -> bytes | None:
        taken = self._take()
        if taken is None:
            return None
        width, height = taken.size_px
        match = self._runner.match
        known = {} if match is None else _cards(match.game)
        cards: dict[str, JSON] = {
            known[token]: [[round(x * width), round(y * height)] for x, y in corners]
            for token, corners in taken.places.items()
            if token in known
        }
        return commented(taken.jpeg, {"cards": cards})


def _cards(game: Game[Any, Any]) -> Mapping[str, str]:
    """The cards of a game, by sticker."""
    return {str(token): str(card) for token, card in game.table.cards.items()}
