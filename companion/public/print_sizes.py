"""How large printed things are: the sheets and the camera must agree about it."""

CARD_MM = (63.0, 88.0)
"""Width and height of the common card size."""

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
