"""Where somebody's code failed, in words that its author finds."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from pathlib import Path


def place_of(wrong: BaseException, apart: Path | None = None) -> str:
    """``FILE, line N`` of the innermost line of somebody's package; the file from that package on.

    Args:
        apart: Lines of modules in this folder are not meant.
    """
    return place_in(traceback.extract_tb(wrong.__traceback__), apart)


def place_in(frames: Sequence[traceback.FrameSummary], apart: Path | None = None) -> str:
    """The same of the lines that are being carried out."""
    library = Path(traceback.__file__).parent
    own = [
        frame
        for frame in frames
        if Path(frame.filename).parent != apart
        and (library not in Path(frame.filename).parents or "site-packages" in Path(frame.filename).parts)
    ]
    frame = (own or frames)[-1]
    top = file = Path(frame.filename)
    while (top.parent / "__init__.py").is_file():
        top = top.parent
    return f"{file.relative_to(top.parent)}, line {frame.lineno}"
