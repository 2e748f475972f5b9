"""The closest match for a misspelt word, for "did you mean …?"."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from difflib import SequenceMatcher, get_close_matches

from companion.public.names import name_key

LEAST_LIKENESS = 0.7
"""1 = equal; "Fil et cord" and "Fil et corde" have 0.96, "Fire" and "Field" 0.67."""


def plain_letters(words: str) -> str:
    """Words without case, accents and punctuation, for comparing.

    >>> plain_letters("Galet  taillé !")
    'galet taille'
    """
    parts = unicodedata.normalize("NFKD", name_key(words))
    letters = "".join(sign if sign.isalnum() else " " for sign in parts if not unicodedata.combining(sign))
    return " ".join(letters.split())


def likeness(one: str, other: str) -> float:
    """The similarity of two plain words, 0 to 1."""
    return SequenceMatcher(None, one, other, autojunk=False).ratio()


def nearest(word: str, among: Iterable[str], at_least: float = LEAST_LIKENESS) -> str | None:
    """The most similar word, or ``None`` if none is similar enough.

    >>> nearest("fodo", ["food", "tools"]), nearest("prerequisits", ["prerequisites", "name"]), nearest("zzz", ["food"])
    ('food', 'prerequisites', None)
    """
    plain = {plain_letters(one): one for one in among}
    close = get_close_matches(plain_letters(word[:80]), plain, n=1, cutoff=at_least)
    return plain[close[0]] if close else None
