"""What a press of a button at the box means."""

from __future__ import annotations

from collections.abc import Iterator

from companion.events import Origin
from companion.host import Host
from companion.messages import Claim, Command, Pause, Resume, Said, Undo
from companion.table import CardId, Seat


def meant(host: Host, name: str, seat: Seat | None) -> Iterator[Said]:
    """What is said with a button; a seat's own button ends that seat's turn, or claims the last card."""
    evening = host.evening
    if evening is None:
        return
    match name:
        case "end":
            yield Command(CardId("KEND"))
        case "undo":
            yield Undo(origin=Origin.BUTTON)
        case "pause":
            yield Resume(None, Origin.BUTTON) if evening.record.paused else Pause(None, Origin.BUTTON)
        case "seat" if seat is not None:
            own = evening.standing.turn == seat
            yield Command(CardId("KEND"), seat) if own else Claim(seat, origin=Origin.BUTTON)
