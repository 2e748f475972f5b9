"""What is printed on a sticker: two letters for the game, a token, a check character."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from companion.public.table import Token

ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
CAPACITY = 10
"""Alphanumeric characters that version 1 holds at error correction H."""


def check_character(text: str) -> str:
    """The check character of upper-case letters and digits (ISO 7064, MOD 37,36).

    >>> check_character("DXC18")
    'Y'
    """
    product = 36
    for character in text:
        product = ((product + ALPHABET.index(character)) % 36 or 36) * 2 % 37
    return ALPHABET[(37 - product) % 36]


def text(token: Token, prefix: str = "DX") -> str:
    """What the sticker of a token says.

    >>> text(Token("KEND"))
    'DXKEND5'
    """
    plain = prefix + token
    return plain + check_character(plain)


def token(text: str, prefix: str = "DX") -> Token | None:
    """The token of a sticker's text; ``None`` for everything that is not one of ours.

    >>> token("DXC145"), token("DXC146")
    ('C14', None)
    """
    plain, check = text[:-1], text[-1:]
    if not (text.startswith(prefix) and len(prefix) + 1 < len(text) <= CAPACITY):
        return None
    if not set(text) <= set(ALPHABET) or check_character(plain) != check:
        return None
    return Token(plain.removeprefix(prefix))


@lru_cache(maxsize=256)
def modules(token: Token, prefix: str = "DX") -> NDArray[np.bool_]:
    """The printed code, ``(21, 21)``, true where it is black, without the white around it."""
    import segno  # only printing and drawing need it

    code = segno.make_qr(text(token, prefix), version=1, error="h", mode="alphanumeric", boost_error=False)
    return np.array([[bool(module) for module in row] for row in code.matrix])
