"""Figures about the quality of refereeing, from a match's record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from companion.history.events import (
    Allowed,
    Claimed,
    Corrected,
    Entry,
    Event,
    Origin,
    Played,
    QuestionAsked,
    Refused,
    Settled,
    Struck,
    Unexplained,
    undone_numbers,
)
from companion.history.record import RecordLine
from companion.public.text import JSON


@dataclass(frozen=True, slots=True)
class MatchStatistics:
    """How well a match was refereed.

    Attributes:
        placements: Cards laid by players that counted at once or were allowed afterwards.
        corrections: Entries that people struck, claimed or allowed, and counts that they corrected. Cards that the
            camera saw being taken back are not included, nor what the table itself had done because of a struck entry.
        taken_back: Cards that players took back off the table.
        refusals: Cards that the camera saw and the referee refused.
        overruled: Refusals that people allowed, struck or claimed.
        false_alarms: Refusals that people allowed, and everything about which they overruled the camera.
        questions: Questions about what a card meant, or whose turn it was.
        unexplained: Requests to put something back.
        play_s: Seconds of play; ``None`` if times are unknown.
        waited_s: Median of the seconds from the hand's leaving to the verdict; ``None`` if never measured.
        waits: The number of verdicts in that median.
    """

    placements: int
    corrections: int
    taken_back: int
    refusals: int
    overruled: int
    false_alarms: int
    questions: int
    unexplained: int
    play_s: float | None
    waited_s: float | None
    waits: int

    @property
    def corrections_per_100(self) -> float | None:
        """Corrections in 100 placements; ``None`` before the first placement."""
        return 100 * self.corrections / self.placements if self.placements else None


def match_statistics(lines: Sequence[RecordLine]) -> MatchStatistics:
    entries = [line.entry for line in lines]
    by_number = {entry.number: entry for entry in entries}
    undone = undone_numbers(entries)
    refused = {entry.number for entry in entries if _is_alarm(entry)}
    active = [entry for entry in entries if entry.number not in undone]
    allowed = {event.number for entry in active if isinstance(event := entry.event, Allowed)}
    claimed = {event.number for entry in active if isinstance(event := entry.event, Claimed)}
    misread = {e.number for entry in active if isinstance(e := entry.event, (Struck, Settled)) and e.misread}
    struck = {event.number for entry in active if isinstance(event := entry.event, Struck)}
    laid = [entry for entry in entries if isinstance(entry.event, Played) and _is_card(entry.event)]
    waits = [entry.waited_s for entry in entries if entry.waited_s is not None]
    return MatchStatistics(
        placements=len(laid) + len(allowed),
        corrections=sum(_is_correction(entry, by_number) for entry in entries),
        taken_back=sum(entry.origin is Origin.CAMERA and _is_chosen(entry, by_number) for entry in entries),
        refusals=len(refused),
        overruled=len(refused & (allowed | struck | claimed)),
        false_alarms=len((refused & allowed) | misread),
        questions=sum(isinstance(e.event, QuestionAsked) or getattr(e.event, "asks", False) for e in entries),
        unexplained=sum(isinstance(entry.event, Unexplained) for entry in entries),
        play_s=max((entry.time_s for entry in entries if entry.time_s is not None), default=None),
        waited_s=median(waits) if waits else None,
        waits=len(waits),
    )


def encode_statistics(statistics: MatchStatistics) -> dict[str, JSON]:
    """The figures as JSON for pages, scripts and bundles; unknown ones are ``null``."""
    per_100 = statistics.corrections_per_100
    return {
        "placements": statistics.placements,
        "corrections": statistics.corrections,
        "corrections_per_100": None if per_100 is None else round(per_100, 1),
        "taken_back": statistics.taken_back,
        "refusals": statistics.refusals,
        "overruled": statistics.overruled,
        "false_alarms": statistics.false_alarms,
        "questions": statistics.questions,
        "unexplained": statistics.unexplained,
        "play_s": statistics.play_s,
        "waited_s": None if statistics.waited_s is None else round(statistics.waited_s, 3),
        "waits": statistics.waits,
    }


def _is_card(event: Event) -> bool:
    if not isinstance(event, Played):
        return False
    return event.move.by != 0 and (event.move.subject is not None or event.move.laid is not None)


def _is_alarm(entry: Entry) -> bool:
    """Whether it is a refusal of something the camera saw; a question is not."""
    event = entry.event
    if not isinstance(event, Refused) or event.asks:
        return False
    return event.change is not None or entry.origin is Origin.CAMERA


def _is_correction(entry: Entry, by_number: dict[int, Entry]) -> bool:
    match entry.event:
        case Allowed() | Claimed() | Corrected() | Settled(misread=True):
            return True
        case Struck():
            return entry.origin is not Origin.CAMERA and _is_chosen(entry, by_number)
        case _:
            return False


def _is_chosen(entry: Entry, by_number: dict[int, Entry]) -> bool:
    """Whether people struck it on purpose, and not only because it followed from another struck entry."""
    if not isinstance(entry.event, Struck):
        return False
    before = by_number.get(entry.event.number)
    return before is None or not isinstance(before.event, (Played, Refused)) or before.event.move.by != 0
