"""What is wrong with a camera: a sentence for the journal, and a word by which pages say it in their language."""

from __future__ import annotations

from enum import Enum

from companion.errors import DeviceError


class Trouble(Enum):
    """Why there are no pictures; pages have a sentence for each (``js.camera.trouble.…``)."""

    UNREACHABLE = "unreachable"
    NO_VIDEO = "no-video"
    STALLED = "stalled"
    FROZEN = "frozen"
    ENDED = "ended"
    NOT_THERE = "not-there"


class CameraTrouble(DeviceError):
    """A camera gives no pictures, and it is known why.

    Attributes:
        trouble: The word for it.
        still: A digest of the picture that came again and again, where that was it.
    """

    def __init__(self, trouble: Trouble, sentence: str, still: bytes = b"") -> None:
        super().__init__(sentence)
        self.trouble = trouble
        self.still = still
