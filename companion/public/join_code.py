"""The one form of a code that makes a phone a seat or the host, however it was typed, linked or sent.

>>> from companion.public.join_code import canonical_code, is_typed
>>> canonical_code(" abc-d23 ")
'ABCD23'
>>> is_typed("ABCD23")
True
"""

from __future__ import annotations

TYPED_LIMIT = 12
"""Signs that a code to be typed has at most; a longer one is 128 bits of a link, which nobody guesses."""


def canonical_code(given: str) -> str:
    """A code as it is compared: one to type in upper case without spaces and dashes, one of a link as it is.

    Decided by what is left without spaces and dashes, so that no padding makes a typed code a link's.
    """
    plain = "".join(given.split())
    tidy = plain.replace("-", "").upper()
    return tidy if len(tidy) <= TYPED_LIMIT else plain


def is_typed(code: str) -> bool:
    """Whether a canonical code is one that people type, which can be guessed; an empty one is."""
    return len(code.replace("-", "")) <= TYPED_LIMIT
