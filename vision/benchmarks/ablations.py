"""Eyes that lack one of the eye's precautions: films that they pass show nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from companion.public.table import Token
from vision.camera.frame import Frame
from vision.codes import payload
from vision.motion.detector import ChangeMaps
from vision.tracking.occlusion import OcclusionReasoner
from vision.tracking.tracker import Visibility


@contextmanager
def check_ignored() -> Iterator[None]:
    """Stickers are believed whatever their check character says."""
    strict = payload.token

    def lax(text: str, prefix: str = "DX") -> Token | None:
        return Token(text[len(prefix) : -1]) if text.startswith(prefix) else None

    payload.token = lax
    try:
        yield
    finally:
        payload.token = strict


@contextmanager
def gate_off() -> Iterator[None]:
    """What a hand or a card covers is taken for empty."""
    patient = OcclusionReasoner.judge

    def hasty(self: OcclusionReasoner, frame: Frame, stir: ChangeMaps, number: int) -> None:  # noqa: ARG001
        for track in [track for track in self._presence.tracks.values() if not track.seen]:
            self._presence.judge(track, Visibility.EMPTY, number, frame.taken_s)

    OcclusionReasoner.judge = hasty  # type: ignore[method-assign]
    try:
        yield
    finally:
        OcclusionReasoner.judge = patient  # type: ignore[method-assign]
