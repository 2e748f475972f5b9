"""Stages that lack one of the observer's precautions: films that an observer with them passes show nothing."""

from __future__ import annotations

from collections.abc import Sequence

from companion.public.table import Token
from vision.tracking.occlusion import Evidence, Explanation
from vision.tracking.track import Track
from vision.tracking.tracker import Visibility


def parse_unchecked(text: str, prefix: str = "DX") -> Token | None:
    """A sticker's token, whatever its check character says."""
    return Token(text[len(prefix) : -1]) if text.startswith(prefix) else None


def explain_as_vacant(unseen: Sequence[Track], evidence: Evidence) -> list[Explanation]:  # noqa: ARG001
    """What a hand or a card covers is taken for gone."""
    return [Explanation(track, Visibility.VACANT) for track in unseen]
