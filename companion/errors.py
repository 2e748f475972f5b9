"""What can go wrong with files, devices and programs; players never see these."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


class CompanionError(Exception):
    """The family: one clear sentence saying what, where and what to do."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with a file.

    Attributes:
        what: One sentence: what is wrong and what would be right.
        where: The path of keys to it (``("seat", 9, "name")``, lists counted from 0); whoever read the file
            adds its name and the line.
        key, params: The same sentence in the catalogs, for pages; without a key it is said in English to everybody.
    """

    what: str
    where: tuple[str | int, ...] = ()
    key: str = field(default="", compare=False)
    params: Mapping[str, object] = field(default_factory=dict, compare=False)


def fault(key: str, what: str, *where: str | int, **params: object) -> Fault:
    """One thing wrong that the catalogs can say too; ``what`` is their English sentence with its ``{parameters}``."""
    shortened_params = {name: shortened(value) if isinstance(value, str) else value for name, value in params.items()}
    return Fault(what.format(**shortened_params), where, key, shortened_params)


def shortened(words: str, most: int = 300) -> str:
    """Words of somebody else, short enough to stand in a sentence."""
    return words if len(words) <= most else f"{words[: most - 1]}…"


MOST_FAULTS = 100
"""As many are told of one file; who has more has the wrong file."""


class InputError(CompanionError, ValueError):
    """A file or an argument cannot be used; all that is wrong with it, at once."""

    def __init__(self, *faults: Fault | str) -> None:
        first_faults = [Fault(wrong) if isinstance(wrong, str) else wrong for wrong in faults[:MOST_FAULTS]]
        if len(faults) > MOST_FAULTS:
            first_faults.append(Fault(f"and {len(faults) - MOST_FAULTS} faults more; mend these first"))
        self.faults = tuple(first_faults)
        super().__init__("\n".join(_sentence(wrong) for wrong in self.faults))


def _sentence(wrong: Fault) -> str:
    return f"{path_of(wrong)}: {wrong.what}" if wrong.where else wrong.what


def path_of(wrong: Fault) -> str:
    """Where it is, as people count: ``seat.9.name``."""
    return ".".join(str(key + 1) if isinstance(key, int) else key for key in wrong.where)


class ImpossibleMove(CompanionError, ValueError):
    """The table cannot hold what this move says, allowed or not."""


class DeviceError(CompanionError, OSError):
    """A camera, pin or port is not there, or does not do what it should."""


class LogError(CompanionError, OSError):
    """The log could not be written or read; nothing was told to anybody."""
