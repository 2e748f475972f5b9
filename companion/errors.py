"""What can go wrong with files, devices and programs. Players never see these."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


class CompanionError(Exception):
    """Base class. The message is one sentence: what is wrong, where, and what to do."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with a file.

    Attributes:
        what: One sentence: what is wrong and what would be right.
        where: The path of keys to it (``("seat", 9, "name")``, lists counted from 0). The reader of the file adds its
            name and the line.
        key, params: The same sentence in the catalogs, for pages; without a key it is shown in English in every
            language.
    """

    what: str
    where: tuple[str | int, ...] = ()
    key: str = field(default="", compare=False)
    params: Mapping[str, object] = field(default_factory=dict, compare=False)


def fault(key: str, what: str, *where: str | int, **params: object) -> Fault:
    """A fault that the catalogs can translate; ``what`` is the English sentence with its ``{parameters}``.

    >>> fault("input.fault.size", "it is longer than {most}; shorten it", most="9 kB").what
    'it is longer than 9 kB; shorten it'
    """
    shortened_params = {name: shortened(value) if isinstance(value, str) else value for name, value in params.items()}
    return Fault(what.format(**shortened_params), where, key, shortened_params)


def shortened(words: str, most: int = 300) -> str:
    """Text from a stranger, cut to a length that fits into a sentence."""
    return words if len(words) <= most else f"{words[: most - 1]}…"


MOST_FAULTS = 100
"""The most reported for one file; a file with more is probably the wrong file."""


class InputError(CompanionError, ValueError):
    """A file or an argument cannot be used; lists all its faults.

    >>> InputError(Fault("is no number", ("seat", 9, "name"))).faults
    (Fault(what='is no number', where=('seat', 9, 'name'), key='', params={}),)
    """

    def __init__(self, *faults: Fault | str) -> None:
        first_faults = [Fault(wrong) if isinstance(wrong, str) else wrong for wrong in faults[:MOST_FAULTS]]
        if len(faults) > MOST_FAULTS:
            first_faults.append(Fault(f"and {len(faults) - MOST_FAULTS} faults more; mend these first"))
        self.faults = tuple(first_faults)
        super().__init__("\n".join(_sentence(wrong) for wrong in self.faults))


def _sentence(wrong: Fault) -> str:
    return f"{path_of(wrong)}: {wrong.what}" if wrong.where else wrong.what


def path_of(wrong: Fault) -> str:
    """The path of a fault with lists counted from 1: ``seat.10.name``."""
    return ".".join(str(key + 1) if isinstance(key, int) else key for key in wrong.where)


class ImpossibleMove(CompanionError, ValueError):
    """The table cannot hold what this move says, whether it is legal or not."""


class DeviceError(CompanionError, OSError):
    """A camera, pin or port is not there, or does not do what it should."""


class LogError(CompanionError, OSError):
    """The log could not be read or written; nothing was announced."""


class GameFault(CompanionError):
    """A function of a game failed: a bug in the game, not in the match.

    Attributes:
        game: The game's name.
        function: The function, by its part: ``rules.judge``.
        place: Where it failed, ``FILE, line N``; the file from the game's package on.
        why: What was raised. It may tell what is hidden in a silent game, so it is for the log alone.
    """

    def __init__(self, game: str, function: str, place: str, why: str) -> None:
        super().__init__(f"the game {game} has a bug: {function} failed in {place} ({why}); tell whoever made the game")
        self.game, self.function, self.place, self.why = game, function, place, why
