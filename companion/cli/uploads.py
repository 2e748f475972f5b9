"""A large file that a page sends in pieces: in order, each once, and never more than was said."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from companion.public.service import Done, Invalid, Result, Stale, Unavailable
from companion.public.text import JSON, Text

IDLE_S = 3600.0
"""What nobody goes on with is deleted after so long: it may hold codes, and takes room."""


@dataclass(slots=True)
class Upload:
    """A file on its way.

    Attributes:
        folder: Its own, which goes with it.
        name: What the browser called it.
        size: How many bytes it will have.
        state: ``coming``, ``checking``, ``ready``, ``refused`` or ``taken``.
        heard_s: When something was heard of it last, in monotonic seconds.
        why: Why it was refused.
    """

    folder: Path
    name: str
    size: int
    heard_s: float
    state: str = "coming"
    received: int = 0
    why: Text | str | None = None

    @property
    def file(self) -> Path:
        """What came of it so far."""
        return self.folder / "upload.zip"

    def add(self, at: int, piece: bytes, now_s: float) -> Result | None:
        """Keep the piece that begins at this byte; after the last one the state is ``checking``.

        Returns:
            Why it was not kept; ``Done`` for one that is there already; ``None`` = it was.
        """
        if self.state != "coming" or at != self.received:
            return Done() if at + len(piece) <= self.received else Stale(Text("upload.gap"))
        if not piece or at + len(piece) > self.size:
            return Invalid((Text("upload.more_than_said"),))
        try:
            with self.file.open("r+b") as file:
                file.seek(at)
                file.write(piece)
        except OSError as wrong:
            return Unavailable(wrong.strerror or str(wrong))
        self.received += len(piece)
        self.heard_s = now_s
        if self.received == self.size:
            self.state = "checking"
        return None

    def is_forgotten(self, now_s: float) -> bool:
        """Whether nobody goes on with it."""
        return self.state != "checking" and now_s - self.heard_s > IDLE_S

    def delete(self) -> None:
        """Delete all that came."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def told(self) -> dict[str, JSON]:
        """How far it is."""
        return {
            **{"state": self.state, "name": self.name, "bytes": self.size},
            **{"received": self.received, "why": self.why},
        }
