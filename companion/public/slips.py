"""What somebody most likely meant who wrote something else: for "did you mean …?"."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from difflib import SequenceMatcher, get_close_matches

LEAST_LIKENESS = 0.7
"""Of 1 for the same letters; "Fil et cord" and "Fil et corde" have 0.96, "Fire" and "Field" 0.67."""


def plain_letters(words: str) -> str:
    """Words without case, accents and signs, for comparing.

    >>> plain_letters("Galet  taillé !")
    'galet taille'
    """
    parts = unicodedata.normalize("NFKD", words.casefold())
    letters = "".join(sign if sign.isalnum() else " " for sign in parts if not unicodedata.combining(sign))
    return " ".join(letters.split())


def likeness(one: str, other: str) -> float:
    """How alike two plain words are, 0 to 1."""
    return SequenceMatcher(None, one, other, autojunk=False).ratio()


def nearest(word: str, among: Iterable[str], at_least: float = LEAST_LIKENESS) -> str | None:
    """The one of these that is most like a word, or ``None`` where none is like enough.

    >>> nearest("fodo", ["food", "tools"]), nearest("prerequisits", ["prerequisites", "name"]), nearest("zzz", ["food"])
    ('food', 'prerequisites', None)
    """
    plain = {plain_letters(one): one for one in among}
    close = get_close_matches(plain_letters(word[:80]), plain, n=1, cutoff=at_least)
    return plain[close[0]] if close else None
