"""The canonical form of a code for joining as a seat or the host, however it was typed, linked or sent.

>>> from companion.public.join_code import canonical_code, is_typed
>>> canonical_code(" abc-d23 ")
'ABCD23'
>>> is_typed("ABCD23")
True
"""

from __future__ import annotations

TYPED_LIMIT = 12
"""The most characters of a code for typing. A longer one is from a link: its 128 bits cannot be guessed."""


def canonical_code(given: str) -> str:
    """The form in which codes are compared: a typed one in upper case without spaces and dashes, a link's unchanged.

    The length without spaces and dashes decides, so padding cannot turn a typed code into a link's.
    """
    plain = "".join(given.split())
    tidy = plain.replace("-", "").upper()
    return tidy if len(tidy) <= TYPED_LIMIT else plain


def is_typed(code: str) -> bool:
    """Whether a canonical code is one for typing, which can be guessed; true for an empty one."""
    return len(code.replace("-", "")) <= TYPED_LIMIT
