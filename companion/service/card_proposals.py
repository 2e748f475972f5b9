"""What is proposed of the words that were read from a card: its name, and the cards that it needs.

Nothing of it is kept by itself: people confirm each card.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from companion.public.slips import likeness, plain_letters


@dataclass(frozen=True, slots=True)
class NeedsProposal:
    """Prerequisites as proposed: the cards, and the words of which no card could be made."""

    cards: tuple[str, ...]
    unknown: tuple[str, ...] = ()


LEAST_NEED_LIKENESS = 0.72
"""A word that is less like a name than this is no name of a card."""
_HEADINGS = ("needs", "prerequis", "prerequisites", "prerequisite")
_NOTHING = ("nothing", "aucun", "none", "aucune")
_EDGE = " \t|_~*•·-–—=.,:;<>[]{}()'\"‘’“”«»\\/°"


def proposed_title(lines: Iterable[str]) -> str:
    """The name that was read: its lines as one, without what is no letter around it; empty = none.

    >>> proposed_title(["| Fil et", "corde ."])
    'Fil et corde'
    """
    words = " ".join(cleaned for line in lines if (cleaned := line.strip(_EDGE)) and _is_words(cleaned))
    return re.sub(r"\s+", " ", words).replace("’", "'").strip()


def _is_words(line: str) -> bool:
    """Most signs of it are letters, and there are two at least: no scratch and no rim of a picture."""
    letters = sum(sign.isalpha() for sign in line)
    return letters >= 2 and letters >= 0.6 * len(line.replace(" ", ""))


def proposed_needs(lines: Iterable[str], names: Mapping[str, Iterable[str]], card: str) -> NeedsProposal:
    """The cards that a list of prerequisites names.

    Args:
        lines: As read: a card a line with its era before it, or several in a line with commas between.
        names: By card, what each may be called: names entered already, then names that were read.
        card: Whose prerequisites these are; it is none of them.
    """
    cards_read: list[str] = []
    unknown: list[str] = []
    others = {other: called for other, called in names.items() if other != card}
    plain = {other: [plain_letters(name) for name in called if name] for other, called in others.items()}
    for part in _parts(lines):
        best = _named(part, plain)
        if best is not None:
            cards_read.append(best)
        elif _is_words(part):
            unknown.append(part)
    return NeedsProposal(tuple(sorted(dict.fromkeys(cards_read))), tuple(unknown))


def says_nothing(lines: Iterable[str]) -> bool:
    """Whether a list of prerequisites says that there are none."""
    words = plain_letters(" ".join(lines)).split()
    return bool(words) and words[-1] in _NOTHING


def _parts(lines: Iterable[str]) -> list[str]:
    """What could be a card each: a line, or behind a heading such as ``Needs:`` what commas separate."""
    joined: list[str] = []
    in_one = False
    for line in lines:
        text = line.strip()
        head, _, rest = text.partition(":")
        if rest and max(likeness(plain_letters(head), heading) for heading in _HEADINGS) > LEAST_NEED_LIKENESS:
            text, in_one = rest.strip(), True
            joined.append(text)
        elif joined and in_one:
            joined[-1] += " " + text
        else:
            joined.append(text)
    parts = [part.strip() for text in joined for part in re.split(r"[,;•]", text)]
    return [part for part in parts if part and plain_letters(part) not in (*_NOTHING, *_HEADINGS)]


_NUMBERED = re.compile(r"(.*?)\(?\s*([1-6])\s*[-–—]\s*([1-9])\s*\)?\s*$")


def _named(part: str, names: Mapping[str, list[str]]) -> str | None:
    """The card that a part of the list names: by its name, with its era before it, or its number behind it."""
    number = None
    if match := _NUMBERED.fullmatch(part):
        part, number = match[1], f"{match[2]}-{match[3]}"
    era = re.match(r"\W*([1-6])\b", part)
    words = plain_letters(re.sub(r"^\W*\d*\W*", "", part))
    rated = sorted(
        (
            likeness(words, name) + (0.1 if era and other[0] == era[1] else 0) + (0.3 if other == number else 0),
            other,
        )
        for other, called in names.items()
        for name in called
    )
    if rated and words and rated[-1][0] >= LEAST_NEED_LIKENESS:
        return rated[-1][1]
    return number if number in names else None
