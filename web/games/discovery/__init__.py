"""Discovery on the phones: how its table is drawn, from the view's and the deck's JSON alone."""

from __future__ import annotations

import re

from flask import Blueprint

discovery = Blueprint("discovery", __name__, static_folder="static", static_url_path="/games/discovery")

_VOWELS = "aeiouyàâéèêëîïôùûü"
_SYLLABLE = re.compile(
    f"[{_VOWELS}](?=(?:ch|th|ph|qu|[bcdfgptv][lr]|[^{_VOWELS}])[{_VOWELS}])"
    f"|[{_VOWELS}][^{_VOWELS}](?=[^{_VOWELS}][{_VOWELS}])",
    re.IGNORECASE,
)
_LONG = re.compile(r"[^\W\d_]{7,}")


@discovery.app_template_filter()
def hyphenated(name: str) -> str:
    """Long names may break between syllables, never with fewer than three letters on a side: Austra-lopi-thecus."""
    return _LONG.sub(lambda word: _SYLLABLE.sub(_hyphen, word[0]), name)


def _hyphen(syllable: re.Match[str]) -> str:
    left = syllable.end()
    return f"{syllable[0]}\u00ad" if left >= 3 and len(syllable.string) - left >= 3 else syllable[0]
