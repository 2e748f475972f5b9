"""When two names are the same: seats, phones, results, players, teams and named things are compared by ``name_key``."""

from __future__ import annotations

import unicodedata

JOINERS = "\u200c\u200d"
"""Between letters of Persian, and in the emoji of a family; they stay in a name, and do not make another one."""
BLANKS = "\u115f\u1160\u3164\uffa0\u2800"
"""They count as letters, and nothing of them is seen."""
PASTED = "\u00ad\u200b\u200e\u200f\u2060\ufeff"
"""What comes along unseen from messengers and web pages: soft hyphens, spaces without width, marks of direction."""
_UNSEEN = dict.fromkeys(map(ord, JOINERS + BLANKS + PASTED))
_ALIKE = str.maketrans("’‘ʼ′`´‐‑‒–—―−", "''''''-------")
"""Apostrophes and dashes as keyboards and phones make them."""


def tidy_name(typed: str) -> str:
    """A name as typed or pasted, without what nobody meant: spaces around, and what a messenger put in unseen."""
    plain = typed.translate(dict.fromkeys(map(ord, PASTED)))
    return " ".join(unicodedata.normalize("NFC", plain).split())


def can_be_shown(name: str, most: int) -> bool:
    """Whether a name can be seen, is short enough, and does not change how the words beside it are written."""
    seen = name.translate(_UNSEEN)
    return bool(seen.strip()) and len(name) <= most and seen.isprintable()


def name_key(name: str) -> str:
    """Equal for names that people read as the same.

    Case, spaces, accents typed apart, wide letters, the kind of apostrophe or dash and what cannot be seen make no
    other name.

    >>> name_key("Zoé") == name_key("ZOE\u0301 ") == name_key("Ｚｏé\u200b"), name_key("Zoé") == name_key("Zoe")
    (True, False)
    """
    key = name.translate(_UNSEEN).translate(_ALIKE)
    for _ in range(2):  # a small letter may itself be one that is taken apart
        key = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", key).casefold())
    # Variation selectors and whatever else only says how the sign before it is drawn.
    seen = (sign for sign in key.translate(_ALIKE) if not "\ufe00" <= sign <= "\ufe0f" and sign not in BLANKS)
    return " ".join("".join(seen).split())


def is_same_name(one: str, other: str) -> bool:
    """Whether people read two names as the same.

    >>> is_same_name("Les rouges", "les Rouges "), is_same_name("Red", "Reds")
    (True, False)
    """
    return name_key(one) == name_key(other)
