"""The messages between the vision process and the program, besides ``Observation`` and ``Layout``.

Imports no library, so that a program that only listens does not load OpenCV.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from companion.public.layout import Layout
from companion.public.table import Observation, Point, Token
from companion.public.table_picture import TablePicture


@dataclass(frozen=True, slots=True)
class Measurement:
    """One measurement.

    Attributes:
        name: ``module_px``, ``sharpness``, ``exposure``, ``contrast``, ``glare``, ``noise``, ``flicker``, ``reads``.
        about: The zone or token, if any.
        value: In the unit of the name, or a fraction.
        good: Whether it is good enough.
        advice: Key of the recommended action; empty if good.
        side: Part of the zone, or of the table, as in ``companion.public.table.side_of``; empty = all of it.
    """

    name: str
    value: float
    good: bool
    about: str = ""
    advice: str = ""
    side: str = ""


@dataclass(frozen=True, slots=True)
class ViewQuality:
    """All measurements of one look.

    Attributes:
        taken_s: Time of the measurement.
        dropped: Frames since the start that came too fast to be observed.
        rate_hz: Looks per second.
        size_px: Width and height of the camera's picture.
    """

    findings: tuple[Measurement, ...] = ()
    taken_s: float = 0.0
    dropped: int = 0
    rate_hz: float = 0.0
    size_px: tuple[int, int] = (0, 0)

    @property
    def good(self) -> bool:
        """Whether all measurements are good."""
        return all(finding.good for finding in self.findings)


@dataclass(frozen=True, slots=True)
class SnapshotTaken:
    """A picture of the table.

    Attributes:
        jpeg: The file's bytes.
        taken_s: Monotonic seconds.
        entry: The entry that it was kept for; ``None`` = an answer to ``TakeSnapshot``.
        cards: The four corners of each card on the table, in pixels of a picture for pages.
    """

    jpeg: bytes
    taken_s: float
    entry: int | None = None
    cards: Mapping[Token, Sequence[Point]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ColourTaken:
    """The answer to ``TakeColour``.

    Attributes:
        picture: ``None``: the table is not a drawn one, or there is no picture yet.
    """

    picture: TablePicture | None


@dataclass(frozen=True, slots=True)
class FramesEnded:
    """No more frames will come.

    Attributes:
        why: One sentence, unless a recording ended.
        trouble: The value of ``vision.camera.trouble.Trouble``, if known.
        still: The digest of the repeated picture, if the camera is frozen.
    """

    why: str | None = None
    trouble: str | None = None
    still: bytes = b""


@dataclass(frozen=True, slots=True)
class KeepSnapshot:
    """Keep a few pictures of the last ``seconds`` for this entry; ``token``: the sticker that it is about."""

    entry: int
    seconds: float = 4.0
    token: Token | None = None


@dataclass(frozen=True, slots=True)
class TakeSnapshot:
    """Send the newest picture.

    Attributes:
        straight: The field from straight above, as soon as its tags are found.
        whole: The whole picture at full resolution, for reading small stickers.
        small: The field for everybody's page, with the cards' corners.
    """

    straight: bool = False
    whole: bool = False
    small: bool = False


@dataclass(frozen=True, slots=True)
class TakeColour:
    """Send the newest picture of a drawn table in colour."""


@dataclass(frozen=True, slots=True)
class StartRecording:
    """Write every observed frame to disk (``vision.process.film_writer``).

    Attributes:
        folder: Must exist; a recording that another process began there is continued.
        kind: ``png`` or ``jpg``; empty = depending on the speed of the disk.
        seconds, ring_s: As for ``FilmWriter``.
    """

    folder: str
    kind: str = ""
    seconds: float | None = None
    ring_s: float | None = None


@dataclass(frozen=True, slots=True)
class StopRecording:
    """Stop the recording."""


@dataclass(frozen=True, slots=True)
class PlanRecording:
    """Estimate the size of a recording in this folder."""

    folder: str


@dataclass(frozen=True, slots=True)
class RecordingPlan:
    """The properties of a recording: the answer to ``PlanRecording``, and the first message of a recording.

    Attributes:
        kind: ``png`` or ``jpg``; empty = the table is not seen, or the disk cannot be written.
        bytes_each: Bytes per picture.
        rate_hz: Pictures per second.
    """

    kind: str = ""
    bytes_each: int = 0
    rate_hz: float = 0.0


@dataclass(frozen=True, slots=True)
class RecordingOver:
    """Everything is written; ``why``: one sentence if it ended early."""

    why: str | None = None


@dataclass(frozen=True, slots=True)
class StopWorker:
    """Close the camera and exit."""


FromWorker: TypeAlias = (
    Observation | ViewQuality | SnapshotTaken | ColourTaken | FramesEnded | RecordingPlan | RecordingOver
)
ToWorker: TypeAlias = (
    Layout | KeepSnapshot | TakeSnapshot | TakeColour | StartRecording | StopRecording | PlanRecording | StopWorker
)
