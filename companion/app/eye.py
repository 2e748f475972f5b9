"""The eye of a table, or that there is none now."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from companion.games import registry
from companion.games.protocol import Game
from companion.public.layout import Layout
from companion.public.table import Observation

if TYPE_CHECKING:  # OpenCV is loaded in the eye's process alone
    from vision.process.supervisor import PreparedProcess, VisionProcess
    from vision.process.worker import SourceSpec


class TableEye:
    """Where the eye is that looks now; shut at first. Close it.

    Attributes:
        process: The eye; ``None`` = nothing is looked at.
    """

    def __init__(self) -> None:
        self.process: VisionProcess | None = None
        self._prepared: PreparedProcess | None = None

    def prepare(self) -> None:
        """Begin the process of the first match's eye: its libraries load while the rest gets ready."""
        from vision.process.supervisor import prespawn

        self._prepared = prespawn()

    def open(
        self,
        frames: SourceSpec,
        layout: Layout,
        game: Game[Any, Any],
        seen: Callable[[Observation], None],
        **more: Any,
    ) -> VisionProcess:
        """Another eye, which looks once it is started; ``more`` as ``VisionProcess`` has it."""
        from vision.process.supervisor import VisionProcess

        self.shut()
        codes = registry.sticker_codes(game)
        self.process = VisionProcess(frames, layout, codes, seen, shapes=game.shapes, **more)
        return self.process

    def prepared(self) -> PreparedProcess | None:
        """The process that was begun by ``prepare``, once; whoever gets it opens an eye in it."""
        prepared, self._prepared = self._prepared, None
        return prepared

    def shut(self) -> None:
        """Look no more, until another one is opened."""
        if self.process is not None:
            self.process.close()
            self.process = None

    def close(self) -> None:
        """Look no more."""
        self.shut()
        if (prepared := self.prepared()) is not None:
            prepared.close()

    def snapshot(self) -> bytes | None:
        """The table now, as a JPEG file; ``None`` when it is not seen."""
        return None if self.process is None else self.process.snapshot()

    def whole_picture(self) -> bytes | None:
        """All of the camera's picture, as a JPEG file; ``None`` when there is none."""
        return None if self.process is None else self.process.snapshot(whole=True)
