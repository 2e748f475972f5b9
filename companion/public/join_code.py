"""The canonical form of a code for joining as a seat or the host, however it was typed, linked or sent.

>>> from companion.public.join_code import canonical_code, is_typed
>>> canonical_code(" abc–d23. "), canonical_code("ＡＢＣ\u200bＤ２３")
('ABCD23', 'ABCD23')
>>> is_typed("ABCD23"), can_be_typed_code("ABCD23"), can_be_typed_code("ABCD2")
(True, True, False)
"""

from __future__ import annotations

import unicodedata

ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # pragma: allowlist secret
"""31 characters that are not mistaken for one another: no 0 and O, no 1, I and L."""
TYPED = 6
"""The characters of a code for typing."""
TYPED_LIMIT = 12
"""The most characters of a code that counts as typed. A longer one is from a link: its 128 bits cannot be guessed."""


def canonical_code(given: str) -> str:
    """The form in which codes are compared: a typed one in upper case, letters and digits alone; a link's as it is.

    Keyboards, messengers and their corrections make wide letters, dashes, spaces and signs without width of a code, and
    a point after it. The number of letters and digits decides, so padding cannot turn a typed code into a link's.
    """
    tidy = _letters(given)
    if len(tidy) <= TYPED_LIMIT:
        return tidy.upper()
    return "".join(sign for sign in given if not sign.isspace() and unicodedata.category(sign) != "Cf")


def is_typed(code: str) -> bool:
    """Whether a canonical code is one for typing, which can be guessed; true for an empty one."""
    return len(_letters(code)) <= TYPED_LIMIT


def can_be_typed_code(code: str) -> bool:
    """Whether a canonical code has the form of those for typing. Another one is a slip of the finger and no guess."""
    return len(code) == TYPED and code.isascii()


def _letters(given: str) -> str:
    return "".join(sign for sign in unicodedata.normalize("NFKC", given) if sign.isalnum())
