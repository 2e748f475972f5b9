"""Camera errors: a sentence for the log, and a word that pages translate."""

from __future__ import annotations

from enum import Enum

from companion.errors import DeviceError


class Trouble(Enum):
    """Why there are no pictures; pages have a text for each (``js.camera.trouble.…``)."""

    UNREACHABLE = "unreachable"
    NO_VIDEO = "no-video"
    STALLED = "stalled"
    FROZEN = "frozen"
    ENDED = "ended"
    NOT_THERE = "not-there"


class CameraTrouble(DeviceError):
    """A camera gives no pictures for a known reason.

    Attributes:
        trouble: The reason.
        still: A digest of the repeated picture, if that is the reason.
    """

    def __init__(self, trouble: Trouble, sentence: str, still: bytes = b"") -> None:
        super().__init__(sentence)
        self.trouble = trouble
        self.still = still
