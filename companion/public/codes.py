"""The text of a sticker: two letters for the game, a token, a check character."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from companion.public.table import Token

ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
CAPACITY = 10
"""Alphanumeric characters in a QR code of version 1 at error correction H."""
COMMON_LETTERS = "DX"
"""For the command cards and seat tags of every game, so one printed set serves all. A game may use them too."""


def check_character(text: str) -> str:
    """The check character of upper-case letters and digits (ISO 7064, MOD 37,36).

    >>> check_character("DXC18")
    'Y'
    """
    product = 36
    for character in text:
        product = ((product + ALPHABET.index(character)) % 36 or 36) * 2 % 37
    return ALPHABET[(37 - product) % 36]


def sticker_text(token: Token, letters: str = COMMON_LETTERS) -> str:
    """The text of a token's sticker.

    >>> sticker_text(Token("KEND"))
    'DXKEND5'
    """
    plain = letters + token
    return plain + check_character(plain)


def sticker_token(text: str, letters: str = COMMON_LETTERS) -> Token | None:
    """The token in a sticker's text; ``None`` if the text is not valid for these letters.

    >>> sticker_token("DXC145"), sticker_token("DXC146")
    ('C14', None)
    """
    plain, check = text[:-1], text[-1:]
    if not (text.startswith(letters) and len(letters) + 1 < len(text) <= CAPACITY):
        return None
    if not set(text) <= set(ALPHABET) or check_character(plain) != check:
        return None
    return Token(plain.removeprefix(letters))


@dataclass(frozen=True)
class StickerCodes:
    """The stickers that are valid at a table, as pairs of token and text.

    Another game's sticker is not valid, even if it has the same token.

    >>> codes = StickerCodes.of([Token("T07")], "CD") | StickerCodes.of([Token("KEND")])
    >>> codes.token("CDT07Y"), codes.token("DXT077"), codes.text(Token("KEND"))
    ('T07', None, 'DXKEND5')
    """

    pairs: frozenset[tuple[Token, str]]

    @classmethod
    def of(cls, tokens: Iterable[Token], letters: str = COMMON_LETTERS) -> StickerCodes:
        return cls(frozenset((token, sticker_text(token, letters)) for token in tokens))

    def __or__(self, other: StickerCodes) -> StickerCodes:
        return StickerCodes(self.pairs | other.pairs)

    @cached_property
    def texts(self) -> Mapping[Token, str]:
        """By token."""
        return dict(self.pairs)

    @cached_property
    def _tokens(self) -> Mapping[str, Token]:
        return {text: token for token, text in self.pairs}

    def text(self, token: Token) -> str:
        """The text of a token's sticker.

        Raises:
            KeyError: It is not valid here.
        """
        return self.texts[token]

    def token(self, text: str) -> Token | None:
        """The token in a sticker's text; ``None`` if the sticker is not valid."""
        return self._tokens.get(text)

    def __contains__(self, token: Token) -> bool:
        return token in self.texts
