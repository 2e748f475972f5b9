"""Zones that can be changed while the camera looks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from companion.public.layout import Layout, fit_zone
from companion.storage.settings import read_zones, write_zones


class ZoneViewer(Protocol):
    """The camera process, as far as it deals with zones."""

    def relayout(self, layout: Layout) -> None:
        """Use other zones from now on."""

    def snapshot(self, straight: bool = False) -> bytes | None:
        """The field as JPEG, ``straight``: rectified; ``None`` while it is not in sight."""


class ZoneEditor:
    """The zones of a table in use.

        >>> editor = ZoneEditor(Path("a folder that does not exist"), lambda: None)
        >>> editor.begin(Layout((1100.0, 650.0), ())).size_mm
        (1100.0, 650.0)

    Attributes:
        current: The layout in use.

    Args:
        folder: Where they are saved.
        eye: The camera process that looks now, if any.

    Raises:
        InputError: The saved layout is not valid.
    """

    def __init__(self, folder: Path, eye: Callable[[], ZoneViewer | None]) -> None:
        self._folder = folder
        self._eye = eye
        self._own = read_zones(folder)
        self._usual = self.current = Layout(None, ())

    def picture(self) -> bytes | None:
        """The rectified field as JPEG; ``None`` while it is not in sight."""
        eye = self._eye()
        return None if eye is None else eye.snapshot(straight=True)

    def begin(self, usual: Layout, *, fixed: bool = False) -> Layout:
        """Choose the layout for what the camera looks at from now on.

        Args:
            usual: The default zones, used for those that were not drawn.
            fixed: Use only these, whatever was drawn.
        """
        self._usual = usual
        self.current = usual if fixed else fit_zone(self._own, usual)
        return self.current

    def set_zones(self, layout: Layout | None, *, at_once: bool) -> None:
        """Save other zones, ``None`` = the default; ``at_once``: use them from now on.

        Raises:
            OSError: The disk does not take it.
        """
        write_zones(self._folder, layout)
        self._own = layout
        if at_once:
            current, eye = self.begin(self._usual), self._eye()
            if eye is not None:
                eye.relayout(current)
