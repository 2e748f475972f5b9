"""Reads the forms of a hub's pages."""

from __future__ import annotations

from collections.abc import Mapping

from companion.plugins.hub.pairing import next_round
from companion.plugins.hub.tournament import Tournament
from companion.public.text import JSON


def whole(form: Mapping[str, str], key: str) -> int:
    """A number in a form; invalid text becomes a number too large for any check."""
    text = form.get(key, "").strip().replace("−", "-")  # the minus sign that scoreboards show
    return int(text) if text.removeprefix("-").isdecimal() and len(text) < 8 else 10**9


def entries_of(form: Mapping[str, str], now: Tournament) -> list[dict[str, JSON]]:
    """The tournament entries that a form describes."""
    do = form.get("do", "")
    match do:
        case "enter":
            names = [line.strip() for line in form.get("names", "").splitlines() if line.strip()]
            return [{"do": do, "name": name} for name in names]
        case "leave" | "return":
            return [{"do": do, "player": whole(form, "player")}]
        case "pair":
            return [next_round(now)]
        case "result":
            count = sum(key.startswith("points-") for key in form)
            points = [whole(form, f"points-{seat}") for seat in range(1, count + 1)]
            entry = {"do": do, "round": whole(form, "round"), "table": whole(form, "table"), "points": points}
            return [{**entry, "reason": form["reason"]} if form.get("reason") else entry]
        case _:
            keys: dict[str, JSON] = {key: whole(form, key) for key in ("round", "table") if key in form}
            return [{"do": do, **keys, "reason": form.get("reason", "")}]
