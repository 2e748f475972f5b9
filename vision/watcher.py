"""From frames to looks."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import cv2
import numpy as np

from companion.table import Layout, Look, Lost, Table, Token
from vision.codebook import codebook
from vision.frame import Frame
from vision.geometry import Geometry, locate
from vision.health import Health
from vision.mount import Mount
from vision.presence import Presence
from vision.reader import second_reader
from vision.survey import Survey

EYESIGHT_LEVELS = 3.0
"""Where the brightness of a picture spreads (sigma) by less, nothing in it can be read."""

SEEK_S = 0.3
"""The table is sought so often while it is lost: finding tags takes longer than a look."""


def watch(frames: Iterable[Frame], layout: Layout, accepted: frozenset[Token]) -> Iterator[Look]:
    """A look for every frame.

    Args:
        accepted: The tokens that count; all other codes are foreign.
    """
    watcher = Watcher(layout, accepted)
    for frame in frames:
        yield watcher.look(frame)


class Watcher:
    """Looks at one frame after the other and remembers the table.

    Args:
        remembered: What lay there when another watcher stopped looking.
    """

    def __init__(self, layout: Layout, accepted: frozenset[Token], remembered: Table | None = None) -> None:
        self._layout = layout
        self._accepted = frozenset(accepted)
        codebook(self._accepted)  # made now, not in the middle of a look,
        second_reader()  # and loaded
        self._number = 0
        self._presence = Presence(layout)
        if remembered is not None:
            self._presence.remember(remembered)
        self._mount: Mount | None = None
        self._survey: Survey | None = None
        self._sought_s = -math.inf

    @property
    def geometry(self) -> Geometry | None:
        """Where the table lies in the picture, once its tags were found."""
        return self._mount.geometry if self._mount else None

    @property
    def presence(self) -> Presence:
        """What is held to lie on the table."""
        return self._presence

    def look(self, frame: Frame) -> Look:
        """One look."""
        self._number += 1
        _, spread = cv2.meanStdDev(frame.lores[::16])  # enough rows to tell a picture from the dark
        if float(np.ravel(spread)[0]) < EYESIGHT_LEVELS:
            return self._blind(frame, Lost.DARK)
        if self._survey is None and not self._found(frame):
            return self._blind(frame, Lost.TABLE)
        assert self._survey is not None
        assert self._mount is not None
        stir = self._survey.stir(frame)
        if not self._mount.holds(frame, stir):
            self._survey = None
            return self._blind(frame, Lost.TABLE)
        self._survey.read(frame, stir, self._number)
        return Look(
            self._number,
            frame.taken_s,
            self._presence.table(),
            settled=not stir.moving.any(),
            hand_in_view=bool(stir.hand.any()),
            reading=self._survey.reading(stir),
            foreign=len(self._survey.foreign),
            twice=frozenset(self._presence.twins),
        )

    def health(self, frame: Frame) -> Health | None:
        """How well the table can be seen in a frame; ``None`` while it is not found."""
        if self._mount is None or self._survey is None:
            return None
        return self._survey.health(frame)

    def _found(self, frame: Frame) -> bool:
        """Seek the table, not in every frame."""
        if frame.taken_s - self._sought_s < SEEK_S:
            return False
        self._sought_s = frame.taken_s
        geometry = locate(frame.gray, self._layout.size_mm)
        if geometry is None:
            return False
        if self._mount is not None and not self._mount.calm(geometry):
            return False
        self._presence.follow(geometry)
        self._mount = Mount(frame, geometry)
        self._survey = Survey(frame, geometry, self._layout, self._accepted, self._presence)
        return True

    def _blind(self, frame: Frame, lost: Lost) -> Look:
        return Look(self._number, frame.taken_s, self._presence.table(), settled=False, lost=lost)
