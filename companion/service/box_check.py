"""The check of a box: its stickered cards are laid under the camera in any order, a few at a time, and checked off.

A value and a fold: each look at the table gives the next ``BoxCheck``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from companion.public.box_reading import BoxReading
from companion.public.print_sizes import CODE_MODULES, LEAST_MODULE_PX
from companion.public.table import Point
from companion.public.text import JSON

MOST_WORN = 0.025
"""If more of a code differs from its print, something covers it; clean drawn ones show 0.01 at most."""


@dataclass(frozen=True, slots=True)
class BoxPiece:
    """A piece that belongs in the box: its token, and its name by language."""

    token: str
    names: Mapping[str, str]
    number: str = ""


@dataclass(frozen=True)
class BoxCheck:
    """The progress of the check.

        >>> from companion.public.box_reading import StickerSighting
        >>> check = BoxCheck({"DXC18Y": BoxPiece("C18", {"en": "Fire"})})
        >>> check.looked(BoxReading((StickerSighting("DXC18Y", (80, 60), 3.0, 0.0),))).missing
        frozenset()

    Attributes:
        pieces: What belongs in the box, by the text of the sticker.
        read: What has been read so far.
        doubled: Of these, what was seen twice at once, or again after the table had been cleared.
        small, smudged: Of these, what was always seen too small, or never clean.
        lying: What the last looks showed, and where.
        cleared: What was read before the table was last cleared.
        last: The last look.
    """

    pieces: Mapping[str, BoxPiece]
    read: frozenset[str] = frozenset()
    doubled: frozenset[str] = frozenset()
    small: frozenset[str] = frozenset()
    smudged: frozenset[str] = frozenset()
    lying: Mapping[str, Point] = field(default_factory=dict)
    cleared: Mapping[str, Point] = field(default_factory=dict)
    last: BoxReading = BoxReading()  # noqa: RUF009 - a value that never changes
    fresh: tuple[str, ...] = ()

    @property
    def missing(self) -> frozenset[str]:
        return frozenset(self.pieces) - self.read

    def looked(self, reading: BoxReading) -> BoxCheck:
        if not reading.seen and not reading.unread:
            return replace(self, cleared={**self.cleared, **self.lying}, lying={}, last=reading, fresh=())
        doubled, small, smudged = set(self.doubled), set(self.small), set(self.smudged)
        lying = dict(self.lying)
        for one in reading.seen:
            places = [other.at_px for other in reading.seen if other.text == one.text]
            reach_px = one.module_px * CODE_MODULES
            before = self.cleared.get(one.text)
            twice_now = any(math.dist(place, one.at_px) > reach_px / 2 for place in places)
            elsewhere = before is not None and math.dist(before, one.at_px) > reach_px
            if twice_now or (elsewhere and one.text not in self.lying):
                doubled.add(one.text)
            first = one.text not in self.read
            if one.module_px < LEAST_MODULE_PX:
                if first:
                    small.add(one.text)
            else:
                small.discard(one.text)
            if one.worn > MOST_WORN and one.module_px >= LEAST_MODULE_PX:
                if first:
                    smudged.add(one.text)
            elif one.module_px >= LEAST_MODULE_PX:
                smudged.discard(one.text)
            lying[one.text] = one.at_px
        seen = frozenset(one.text for one in reading.seen)
        return replace(
            self,
            read=self.read | seen,
            doubled=frozenset(doubled),
            small=frozenset(small),
            smudged=frozenset(smudged),
            lying=lying,
            last=reading,
            fresh=tuple(sorted(seen - self.read)),
        )

    def as_json(self, language: str) -> JSON:
        """As pages show it: every piece with its state, and what the last look could not read."""
        unread = self.last.unread
        few = sum(one.module_px < LEAST_MODULE_PX for one in unread)
        return {
            "pieces": [
                {
                    "token": piece.token,
                    "number": piece.number,
                    "name": piece.names.get(language)
                    or piece.names.get("en")
                    or next(iter(piece.names.values()), piece.token),
                    "read": text in self.read,
                    "wrong": [
                        word
                        for word, those in (
                            ("doubled", self.doubled),
                            ("small", self.small),
                            ("smudged", self.smudged),
                        )
                        if text in those
                    ],
                }
                for text, piece in self.pieces.items()
            ],
            "missing": len(self.missing),
            "lying": len(self.last.seen),
            "fresh": [self.pieces[text].token for text in self.fresh],
            "unread": {"small": few, "smudged": len(unread) - few},
            "foreign": self.last.foreign,
        }
