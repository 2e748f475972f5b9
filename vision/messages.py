"""What the eye and the rest of the house tell each other; upwards also ``Look``, downwards also ``Layout``.

Imports no library: whoever only listens to an eye must not pay for OpenCV.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from companion.public.layout import Layout
from companion.public.table import Look


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing measured.

    Attributes:
        name: ``module_px``, ``sharpness``, ``exposure``, ``contrast``, ``glare``, ``noise``, ``flicker``, ``reads``.
        about: The zone or token, where it is about one.
        value: In the unit that the name says, or a share.
        good: Whether it is good enough.
        advice: Key of the one thing to do; empty when good.
    """

    name: str
    value: float
    good: bool
    about: str = ""
    advice: str = ""


@dataclass(frozen=True, slots=True)
class Health:
    """All findings of one look.

    Attributes:
        taken_s: When it was measured.
        dropped: Frames that came too fast to be looked at, since the start.
        rate_hz: Looks a second.
    """

    findings: tuple[Finding, ...] = ()
    taken_s: float = 0.0
    dropped: int = 0
    rate_hz: float = 0.0

    @property
    def good(self) -> bool:
        """Whether nothing is wrong."""
        return all(finding.good for finding in self.findings)


@dataclass(frozen=True, slots=True)
class Picture:
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
class Ended:
    """No more frames will come.

    Attributes:
        why: One sentence, where it was not the end of a recording.
    """

    why: str | None = None


@dataclass(frozen=True, slots=True)
class Keep:
    """Keep a few pictures from so many seconds before now, for this entry."""

    entry: int
    seconds: float = 4.0


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Send the newest picture; ``straight``: of the field seen straight from above, as soon as its tags are found."""

    straight: bool = False


@dataclass(frozen=True, slots=True)
class Stop:
    """Close the camera and end."""


Up: TypeAlias = Look | Health | Picture | Ended
Down: TypeAlias = Layout | Keep | Snapshot | Stop
