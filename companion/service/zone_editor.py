"""Zones that are moved while the eye looks."""

from __future__ import annotations

import operator
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from companion.public.layout import Layout, fit_zone
from companion.public.table import Zone
from companion.storage.settings import read_zones, write_zones


class ZoneViewer(Protocol):
    """What an eye does with zones."""

    def relayout(self, layout: Layout) -> None:
        """Go by other zones from now on."""

    def snapshot(self, straight: bool = False) -> bytes | None:
        """The field as JPEG, ``straight`` from above; ``None`` when it is not seen."""


class ZoneEditor:
    """The zones of a table in use.

    Attributes:
        current: The layout that the eye goes by.

    Args:
        folder: Where they are kept.
        eye: The eye that looks now, if one does.

    Raises:
        InputError: What is kept there is no layout.
    """

    def __init__(self, folder: Path, eye: Callable[[], ZoneViewer | None]) -> None:
        self._folder = folder
        self._eye = eye
        self._own = read_zones(folder)
        self._usual = self.current = Layout(None, ())
        self._same_place: Callable[[Zone, Zone], bool] = operator.eq

    def picture(self) -> bytes | None:
        """The field seen straight from above as JPEG; ``None`` while nobody sees it."""
        eye = self._eye()
        return None if eye is None else eye.snapshot(straight=True)

    def begin(
        self, usual: Layout, *, fixed: bool = False, same_place: Callable[[Zone, Zone], bool] = operator.eq
    ) -> Layout:
        """The layout for what is looked at from now on.

        Args:
            usual: Where the zones are that nobody drew.
            fixed: They are all there, however others were drawn.
            same_place: Which zones are one place by two names, as the game says.
        """
        self._usual, self._same_place = usual, same_place
        self.current = usual if fixed else fit_zone(self._own, usual, same_place)
        return self.current

    def set_zones(self, layout: Layout | None, *, at_once: bool) -> None:
        """Keep other zones, with ``None`` the usual ones; ``at_once``: the eye goes by them from now on.

        Raises:
            OSError: The disk would not take it.
        """
        write_zones(self._folder, layout)
        self._own = layout
        if at_once:
            current, eye = self.begin(self._usual, same_place=self._same_place), self._eye()
            if eye is not None:
                eye.relayout(current)
