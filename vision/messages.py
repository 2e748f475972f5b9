"""What the eye's process and the program tell each other; besides, it sends ``Observation`` and is sent ``Layout``.

Imports no library: whoever only listens to an eye must not pay for OpenCV.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from companion.public.layout import Layout
from companion.public.table import Observation, Token


@dataclass(frozen=True, slots=True)
class Measurement:
    """One thing measured.

    Attributes:
        name: ``module_px``, ``sharpness``, ``exposure``, ``contrast``, ``glare``, ``noise``, ``flicker``, ``reads``.
        about: The zone or token, where it is about one.
        value: In the unit that the name says, or a share.
        good: Whether it is good enough.
        advice: Key of the one thing to do; empty when good.
        side: Where in the zone, as ``companion.public.table.side_of`` says it; empty = all of it.
    """

    name: str
    value: float
    good: bool
    about: str = ""
    advice: str = ""
    side: str = ""


@dataclass(frozen=True, slots=True)
class ViewQuality:
    """All findings of one look.

    Attributes:
        taken_s: When it was measured.
        dropped: Frames that came too fast to be looked at, since the start.
        rate_hz: Looks a second.
        size_px: Width and height of the camera's picture.
    """

    findings: tuple[Measurement, ...] = ()
    taken_s: float = 0.0
    dropped: int = 0
    rate_hz: float = 0.0
    size_px: tuple[int, int] = (0, 0)

    @property
    def good(self) -> bool:
        """Whether nothing is wrong."""
        return all(finding.good for finding in self.findings)


@dataclass(frozen=True, slots=True)
class SnapshotTaken:
    """A picture as the camera sees the table.

    Attributes:
        jpeg: The file's bytes.
        taken_s: Monotonic seconds.
        entry: The entry that it was kept for; ``None`` = an answer to ``Snapshot``.
    """

    jpeg: bytes
    taken_s: float
    entry: int | None = None


@dataclass(frozen=True, slots=True)
class FramesEnded:
    """No more frames will come.

    Attributes:
        why: One sentence, where it was not the end of a recording.
        trouble: The word of ``vision.camera.trouble`` for it, where it is known.
        still: The digest of the picture at which the camera stands.
    """

    why: str | None = None
    trouble: str | None = None
    still: bytes = b""


@dataclass(frozen=True, slots=True)
class KeepSnapshot:
    """Keep a few pictures from so many seconds before now, for this entry; ``token``: the sticker that it is about."""

    entry: int
    seconds: float = 4.0
    token: Token | None = None


@dataclass(frozen=True, slots=True)
class TakeSnapshot:
    """Send the newest picture.

    Attributes:
        straight: Of the field seen straight from above, as soon as its tags are found.
        whole: All of it with all its pixels, in which small stickers can still be read.
    """

    straight: bool = False
    whole: bool = False


@dataclass(frozen=True, slots=True)
class StartRecording:
    """Write down every frame that is looked at (``vision.process.film_writer``).

    Attributes:
        folder: Is there; where another eye has begun, this one goes on.
        kind: ``png`` or ``jpg``; empty = as the disk keeps up.
        seconds, ring_s: As ``FilmWriter`` takes them.
    """

    folder: str
    kind: str = ""
    seconds: float | None = None
    ring_s: float | None = None


@dataclass(frozen=True, slots=True)
class StopRecording:
    """Write down no more."""


@dataclass(frozen=True, slots=True)
class PlanRecording:
    """Say how large a recording into this folder would be."""

    folder: str


@dataclass(frozen=True, slots=True)
class RecordingPlan:
    """What a recording is like, or would be: the answer to ``PlanRecording``, and the first word of a recording.

    Attributes:
        kind: ``png`` or ``jpg``; empty = the table is not seen, or the disk takes nothing.
        bytes_each: Of one picture.
        rate_hz: Pictures a second.
    """

    kind: str = ""
    bytes_each: int = 0
    rate_hz: float = 0.0


@dataclass(frozen=True, slots=True)
class RecordingOver:
    """All is written; ``why``: one sentence where it was not the end that was asked for."""

    why: str | None = None


@dataclass(frozen=True, slots=True)
class StopWorker:
    """Close the camera and end."""


FromWorker: TypeAlias = Observation | ViewQuality | SnapshotTaken | FramesEnded | RecordingPlan | RecordingOver
ToWorker: TypeAlias = Layout | KeepSnapshot | TakeSnapshot | StartRecording | StopRecording | PlanRecording | StopWorker
