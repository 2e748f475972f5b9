"""What a deck's file and a card may be called; everybody who takes such a name from outside checks it by these."""

from __future__ import annotations

import re

DECK_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
"""A deck's file, without its ending."""

CARD_ID = re.compile(r"[1-6]-[1-9]")
"""A card: its era and its number."""
