"""How well a film could be seen: what ``companion referee`` says of it on standard error when it is over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from companion.public.print_sizes import LEAST_MODULE_PX
from companion.public.table import Observation
from vision.messages import ViewQuality

MEASURED_S = 5.0
"""The view is measured so often."""

NOT_SEEN = {"camera": "without a fresh picture", "table": "without its corner tags", "dark": "too dark or too bright"}
"""By ``ViewLost``."""


@dataclass
class FilmSight:
    """Gathers it, look by look.

    Attributes:
        looks: How many pictures were looked at.
        lost: In how many of them the table was not seen, by the reason.
        unread: The sides of the field where something lay that could not be read.
        wrong: What was found wrong with the view, each thing once.
        module_px: The narrowest squares of the codes.
    """

    looks: int = 0
    lost: Counter[str] = field(default_factory=Counter)
    unread: dict[str, None] = field(default_factory=dict)
    wrong: dict[str, None] = field(default_factory=dict)
    module_px: float | None = None
    _measured_s: float = float("-inf")

    def look(self, look: Observation) -> bool:
        """Take in one look; whether the view should be measured now."""
        self.looks += 1
        if look.lost is not None:
            self.lost[look.lost.value] += 1
        self.unread |= dict.fromkeys(place.side for place in look.unread)
        if not look.settled or look.taken_s - self._measured_s < MEASURED_S:
            return False
        self._measured_s = look.taken_s
        return True

    def measured(self, view: ViewQuality | None) -> None:
        """Take in a measurement."""
        for finding in view.findings if view is not None else ():
            if finding.name == "module_px":
                self.module_px = min(finding.value, self.module_px or finding.value)
            elif not finding.good:
                where = " ".join(filter(None, (finding.about, finding.side)))
                self.wrong[f"{finding.name} ({where})" if where else finding.name] = None

    def lines(self) -> Iterator[str]:
        """A sentence each."""
        unseen = ", ".join(f"{count} {NOT_SEEN[why]}" for why, count in sorted(self.lost.items()))
        seen = self.looks - sum(self.lost.values())
        yield f"the table could be seen in {seen} of {self.looks} pictures" + (f" ({unseen})" if unseen else "")
        if self.module_px is not None:
            small = self.module_px < LEAST_MODULE_PX
            needed = f"; below {LEAST_MODULE_PX} some are not read: larger stickers, or a lower camera" if small else ""
            yield f"the squares of the smallest codes are {self.module_px:.2f} pixels wide{needed}"
        if self.unread:
            yield f"something lay there that could not be read: {', '.join(self.unread)}"
        if self.wrong:
            yield f"the picture was not good: {', '.join(self.wrong)}"
