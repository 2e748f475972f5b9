"""How large printed things are: the sheets, the eye and the drawn tables must agree about it."""

CARD_MM = (63.0, 88.0)
"""Width and height of the common card size."""

LABEL_SHEETS = (
    *("Avery L7651", "Avery L7160", "Avery L7163", "Avery L7164", "Avery L7165", "Avery L7666", "Avery C32011"),
    *("Herma 4608", "Herma 4614", "Herma 4828", "Avery 5162", "Avery 5163", "Avery 5164", "Avery 5371"),
)
"""Bought sheets of labels whose grids are known."""

OWN_GRID = "4x11 48.3x25.4 at 8.4,8.8 step 48.3,25.4"
"""How a grid of one's own is written: columns and rows, the label's size, the first one's corner, the steps."""

TAG_MM = 36.0
"""The side of a tag's black square."""

CODE_MODULES = 21
"""A QR code of version 1 is so many modules wide."""

QUIET_ZONE_MODULES = 2
"""Modules of white around a code."""

STICKER_MODULES = CODE_MODULES + 2 * QUIET_ZONE_MODULES
"""From a sticker's outer edge to the other: its code and the white around it."""

LEAST_MODULE_PX = 1.6
"""Pixels a module at the worst place of a zone, in the direction that shows the fewest: from here on every sticker is
read in the end, be the camera tilted or its lens wide. With 1.5 some at the far corners of such a table are not."""

SAFE_MODULE_PX = 2.1
"""From here on a sticker is read at every look."""

COUNTER_STICKER = 15 / 18
"""The code of a round counter is that of a sticker so many times as wide as the others: its corners lie on a circle as
wide as those are."""

COUNTER_RING_MM = 1.0
"""So far outside that circle a counter is cut out: nobody cuts exactly along a line, and a cut into the code costs far
more than a little white."""


def counter_mm(sticker_mm: float) -> float:
    """How wide a round counter is cut that comes with stickers of this size; its code has ``COUNTER_STICKER`` of it."""
    return sticker_mm + 2 * COUNTER_RING_MM
