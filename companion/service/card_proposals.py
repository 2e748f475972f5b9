"""Proposals from the words read from a card: its name, and its prerequisites. People confirm each card."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from companion.public.slips import likeness, plain_letters


@dataclass(frozen=True, slots=True)
class NeedsProposal:
    """Proposed prerequisites: the cards, and the words that match no card."""

    cards: tuple[str, ...]
    unknown: tuple[str, ...] = ()


LEAST_NEED_LIKENESS = 0.72
"""A word less similar to a name than this is not a card's name."""
_HEADINGS = ("needs", "prerequis", "prerequisites", "prerequisite")
_NOTHING = ("nothing", "aucun", "none", "aucune")
_EDGE = " \t|_~*•·-–—=.,:;<>[]{}()'\"‘’“”«»\\/°"


def proposed_title(lines: Iterable[str]) -> str:
    """The name that was read: its lines joined, without surrounding punctuation; may be empty.

    >>> proposed_title(["| Fil et", "corde ."])
    'Fil et corde'
    """
    words = " ".join(cleaned for line in lines if (cleaned := line.strip(_EDGE)) and _is_words(cleaned))
    return re.sub(r"\s+", " ", words).replace("’", "'").strip()


def _is_words(line: str) -> bool:
    """Whether it has at least two letters, and mostly letters: not a scratch or the edge of a picture."""
    letters = sum(sign.isalpha() for sign in line)
    return letters >= 2 and letters >= 0.6 * len(line.replace(" ", ""))


def proposed_needs(lines: Iterable[str], names: Mapping[str, Iterable[str]], card: str) -> NeedsProposal:
    """The cards named in a list of prerequisites.

        >>> proposed_needs(["Needs: Fire, Wheel"], {"1-1": ["Fire"], "2-3": ["Wheel"]}, "3-1").cards
        ('1-1', '2-3')

    Args:
        lines: As read: one card a line after its era, or several in a line, separated by commas.
        names: The possible names of each card: those entered already, then those that were read.
        card: The card with these prerequisites; it is never one of them.
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
    """Whether a list of prerequisites reads "none".

    >>> says_nothing(["Needs: nothing"])
    True
    """
    words = plain_letters(" ".join(lines)).split()
    return bool(words) and words[-1] in _NOTHING


def _parts(lines: Iterable[str]) -> list[str]:
    """The parts that may be a card: a line, or after a heading such as ``Needs:``, what commas separate."""
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
    """The card that a part names: by its name, with its era before it, or its number after it."""
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
