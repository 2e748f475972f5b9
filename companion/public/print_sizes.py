"""How large printed things are: the sheets, the eye and the drawn tables must agree about it."""

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

COUNTER_STICKER = 15 / 18
"""The sticker of a round counter is so many times as wide as the counter: the corners of its code lie within the
circle, and the white around it is cut off."""
