"""What it costs to look at a table on which nothing happens, beside another one in the same run."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from vision.camera.frame import Frame, make_frame
from vision.synthetic.compositing import DrawnCard
from vision.synthetic.scene import Scene
from vision.tracking.observer import Observer

WARM_LOOKS = 30
CHUNKS, CHUNK_LOOKS = 32, 15
"""What is read anew every two seconds comes often enough to count alike in both."""

PICTURES = 40
"""Each has noise of its own. Of five, one whose noise looks like movement would come again at every fifth look."""


@dataclass(frozen=True)
class IdleTable:
    """An eye, and pictures of one still table (`still_pictures`), which it is shown again and again.

    Attributes:
        rate_hz: Pictures a second.
    """

    observer: Observer
    frames: Sequence[Frame]
    rate_hz: float

    def cost_s(self, first: int, looks: int) -> float:
        """Processor time of so many looks; ``first``: how many came before."""
        began_s = time.process_time()
        for number in range(first, first + looks):
            self.observer.observe(replace(self.frames[number % len(self.frames)], taken_s=number / self.rate_hz))
        return time.process_time() - began_s


def still_pictures(scene: Scene, lying: Sequence[DrawnCard]) -> list[Frame]:
    """Pictures of things that lie still; what differs is the noise."""
    return [make_frame(scene.render(lying), 0.0) for _ in range(PICTURES)]


def times_as_dear(one: IdleTable, other: IdleTable) -> float:
    """How many times what a look at the other table costs a look at the one costs."""
    both = (one, other)
    for table in both:
        table.cost_s(0, WARM_LOOKS)
    spent_s = [0.0, 0.0]
    for chunk in range(CHUNKS):  # in turns, so that the machine's other work slows both
        for which, table in enumerate(both):
            spent_s[which] += table.cost_s(WARM_LOOKS + CHUNK_LOOKS * chunk, CHUNK_LOOKS)
    return spent_s[0] / spent_s[1]
