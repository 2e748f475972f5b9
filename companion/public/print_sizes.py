"""Sizes of printed things, shared by the printed sheets and the camera."""

CARD_MM = (63.0, 88.0)
"""Width and height of the common card size."""

TAG_MM = 36.0
"""The side of a tag's black square."""

CODE_MODULES = 21
"""The width in modules of a QR code of version 1."""

QUIET_ZONE_MODULES = 2
"""Modules of white around a code."""

STICKER_MODULES = CODE_MODULES + 2 * QUIET_ZONE_MODULES
"""The width of a whole sticker: its code and the white around it."""

LEAST_MODULE_PX = 1.6
"""Pixels per module at the worst place of a zone, in the direction with the fewest.

With this many, every sticker is read sooner or later, even with a tilted camera or a wide lens. With 1.5, some at the
far corners of such a table are not.
"""

SAFE_MODULE_PX = 2.1
"""With this many, a sticker is read at every look."""
