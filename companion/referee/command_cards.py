"""Command cards and seat tags: each acts once per showing, and a tag says whose command it is."""

from __future__ import annotations

from dataclasses import dataclass, field

from companion.history.events import Origin
from companion.public.table import SEAT_TAGS, CardId, Seat
from companion.referee.commands import Claim, CommandCard

TAG_ALONE_S = 1.5
"""A seat tag shown alone this long says "that card was mine"; a command card may still join it before."""

_TAGS = {CardId(token): seat for token, seat in SEAT_TAGS.items()}


@dataclass
class CommandCards:
    """What lies in the zone of commands.

    Attributes:
        shown: Cards and tags seen at the last look; ``None`` before the first: what lies there when a match
            begins, or after a restart, was not shown.
        waiting: Command cards that were shown and have not acted yet, and since when.
        by: Whose tag lies there alone; ``None`` = nobody's, or several.
        tag_since_s: Since when a tag has been alone there; ``None`` once it has spoken or a command joined it.
    """

    shown: frozenset[CardId] | None = None
    waiting: dict[CardId, float] = field(default_factory=dict)
    by: Seat | None = None
    tag_since_s: float | None = None

    def look(self, shown: frozenset[CardId], taken_s: float) -> Claim | None:
        """Take in what is shown; the claim of a tag that has been alone long enough."""
        new = frozenset() if self.shown is None else shown - self.shown
        self.shown = shown
        tags = shown & _TAGS.keys()
        self.by = _TAGS[next(iter(tags))] if len(tags) == 1 else None
        self.waiting |= dict.fromkeys(sorted(new - _TAGS.keys()), taken_s)
        if shown - tags or self.waiting or self.by is None:
            self.tag_since_s = None
        elif new & tags:
            self.tag_since_s = taken_s
        elif self.tag_since_s is not None and taken_s - self.tag_since_s >= TAG_ALONE_S:
            self.tag_since_s = None
            return Claim(self.by, origin=Origin.CAMERA)
        return None

    def act(self, card: CardId) -> CommandCard:
        """A command card that waited speaks now."""
        del self.waiting[card]
        return CommandCard(card, self.by, Origin.CAMERA)
