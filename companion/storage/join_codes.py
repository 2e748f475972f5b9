"""Codes with which a phone joins as a seat or as the host."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from companion.public.join_code import ALPHABET, TYPED
from companion.public.names import name_key
from companion.storage.event_log import EventLog

HUB_SETTING = "hub"
"""The setting in the log that holds the hub's code."""


def draw_codes(seats: int) -> list[tuple[int, str, str]]:
    """New codes for every seat: seat, a code of 128 bits for links, six characters to type."""
    shorts: dict[str, None] = {}
    while len(shorts) < seats:
        shorts["".join(secrets.choice(ALPHABET) for _ in range(TYPED))] = None
    return [(seat, secrets.token_urlsafe(16), short) for seat, short in enumerate(shorts, 1)]


def seat_codes(names: Sequence[str], kept: Mapping[str, tuple[str, str]]) -> list[tuple[int, str, str]]:
    """The codes for a new match's seats; a player from the match before keeps theirs, and so their phone.

        >>> seat_codes(["Ana"], {"Ana": ("a-long-code", "ABC234")})
        [(1, 'a-long-code', 'ABC234')]

    Args:
        names: The players, seat 1 first.
        kept: Name to long and short code. If two players share a name, the first keeps it.
    """
    left = {name_key(name): codes for name, codes in reversed(tuple(kept.items()))}
    stay = {seat: left.pop(name_key(name)) for seat, name in enumerate(names, 1) if name_key(name) in left}
    drawn = [(code, short) for _, code, short in draw_codes(len(names))]
    taken = {short for _, short in stay.values()}
    while taken & {short for _, short in drawn}:
        drawn = [(code, short) for _, code, short in draw_codes(len(names))]
    return [(seat, *(stay.get(seat) or drawn[seat - 1])) for seat in range(1, len(names) + 1)]


def host_codes(log: EventLog) -> tuple[str, str]:
    """The host's code and short code, the same for all matches of a table; drawn at the first call."""
    codes = kept_host_codes(log)
    if codes is None:
        ((_, *drawn),) = draw_codes(1)
        log.table.set("host", drawn)
        codes = drawn[0], drawn[1]
    return codes


def kept_host_codes(log: EventLog) -> tuple[str, str] | None:
    """The host's code and short code; ``None`` if there are none, or if they are damaged."""
    match log.table.setting("host"):
        case [str(code), str(short)] if code and short:
            return code, short
    return None


def renew_codes(log: EventLog, match: str | None, invitations: Collection[int], *, host: bool) -> None:
    """Draw new codes for some seats of a match, and for the host; the old ones stop working.

    Args:
        invitations: Seat numbers.

    Raises:
        LogError: They could not be written; the old ones still work.
    """
    (_, *for_host), *drawn = draw_codes(1 + max(invitations, default=0))
    kept = [(number, code, short) for number, (_, code, short) in enumerate(drawn, 1) if number in invitations]
    log.table.renew_codes(match, kept, {"host": for_host} if host else {})


@dataclass(frozen=True, slots=True)
class HubAccess:
    """A hub's code for this table, its short code, and whether its referees may answer questions."""

    code: str
    short: str
    answers: bool = False


def hub_access(log: EventLog) -> HubAccess | None:
    """The hub's code for this table; ``None`` = a hub may read only what everybody may."""
    match log.table.setting(HUB_SETTING):
        case [str(code), str(short), answers] if code and short:
            return HubAccess(code, short, answers is True)
    return None


def open_hub(log: EventLog, taken: Collection[str]) -> None:
    """Draw a new code for a hub; the old one stops working.

    Args:
        taken: Short codes that are already in use.

    Raises:
        LogError: It could not be written.
    """
    while True:
        ((_, code, short),) = draw_codes(1)
        if short not in taken:
            return set_hub(log, HubAccess(code, short))


def set_hub(log: EventLog, hub: HubAccess | None) -> None:
    """Store a hub's code; ``None`` withdraws it.

    Raises:
        LogError: It could not be written.
    """
    log.table.set(HUB_SETTING, None if hub is None else [hub.code, hub.short, hub.answers])
