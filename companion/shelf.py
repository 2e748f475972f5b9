"""The shelf: stored matches and decks that hosts put there, take away and get back."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion import catalog
from companion.documents import read_toml
from companion.entries import decode_entry
from companion.errors import Fault, InputError, fault
from companion.eventlog import Stored, import_record
from companion.events import Entry
from companion.game import JSON, spoken
from companion.games.discovery.deck import check
from companion.host import Host, entries_of
from companion.record import replay
from companion.seating import comings, names_of, seating

NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
"""What a deck's file may be called, without its ending."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A match that was taken from the shelf and can be put back."""

    stored: Stored
    entries: tuple[JSON, ...]


def take_away(host: Host, match: str) -> Kept | None:
    """Delete a stored match; what it takes to put it back, or ``None`` when there is none or it is being played.

    Raises:
        LogError: It could not be written.
    """
    stored = host.paper.match(match)
    if stored is None or (host.stored is not None and host.stored.id == match):
        return None
    kept = Kept(stored, tuple(host.paper.entries(match)))
    host.paper.delete(match)
    return kept


def put_back(host: Host, kept: Kept) -> str:
    """Store a match again that was taken away; the id that it has from now on.

    Raises:
        LogError: It could not be written.
    """
    stored = kept.stored
    game = host.opened(stored.header)
    entries = [decode_entry(game, entry, number) for number, entry in enumerate(kept.entries, 1)]
    return import_record(host.paper, stored.id, stored.header, entries, stored.began)


def take_in(host: Host, text: str, began: str) -> str:
    """Store a record (contract, section 7) as a finished match; the id that it gets.

    Raises:
        InputError: It is no record, naming the line.
        LogError: It could not be written.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    values: list[Any] = []
    for number, line in enumerate(lines, 1):
        try:
            values.append(json.loads(line))
        except (ValueError, RecursionError) as wrong:
            said = "line {line}: this is not JSON: {why}"
            raise InputError(fault("record.fault.json", said, line=number, why=str(wrong))) from wrong
    head = values[0] if values else None
    if not isinstance(head, Mapping) or head.get("record") != 1 or not isinstance(head.get("match"), Mapping):
        said = "line 1: a record begins with {head}"
        raise InputError(fault("record.fault.head", said, head='{"record": 1, "match": …}'))
    header = {key: value for key, value in head.items() if key != "record"}
    header.setdefault("deck", catalog.demo_deck())
    game = catalog.open_match(header["match"], header["deck"]).game
    entries = [decode_entry(game, value, number) for number, value in enumerate(values[1:], 1)]
    return import_record(host.paper, began[:10], header, entries, began)


def summary(host: Host, stored: Stored, *, points: bool) -> JSON:
    """A stored match in a line of the library; ``points`` and winners only where they may be said."""
    match, game = stored.header["match"], host.opened(stored.header)
    entries = entries_of(host.paper, stored.id, game)
    told: dict[str, JSON] = {
        "id": stored.id,
        "profile": match.get("profile", "fr-explore"),
        "seats": [person.name for person in seating(names_of(match), entries)],
        "began": stored.began,
        "over": stored.over,
        "entries": len(entries),
    }
    if points:
        standing = game.standing(game.public(replay(game, entries).state))
        told |= {"points": list(standing.points), "winners": list(standing.winners)}
    return told


def rematch(header: Mapping[str, JSON], entries: Sequence[Entry] = ()) -> Mapping[str, JSON]:
    """The same seats, game and cards; the deal passes on clockwise (F:202). A simulated table rolls other dice.
    Who sits where is as the last match's ``entries`` left it."""
    match = dict(header["match"])
    people, came = seating(names_of(match), entries), comings(entries)
    match["seat"] = [{**seat, "name": person.name} for seat, person in zip(match["seat"], people, strict=True)]
    for number, here in came.items():
        match["seat"][number - 1].pop("late", None)
        if not here:
            match["seat"][number - 1]["late"] = True
    match["dealer"] = int(match.get("dealer", len(match["seat"]))) % len(match["seat"]) + 1
    match.pop("position", None)
    again = {**header, "match": match}
    if "simulated" in header:
        again["simulated"] = {"seed": int(header["simulated"]["seed"]) + 1}
    return again


def deck_files(folder: Path) -> tuple[JSON, ...]:
    """This table's decks by name: ``{"name", "file", "title", "entered"}``; unreadable files are left out."""
    decks = []
    for path in sorted(folder.glob("*.toml")):
        try:
            document = read_toml(path).content
        except InputError:
            continue
        head = document.get("deck")
        title = head.get("name", path.stem) if isinstance(head, Mapping) else path.stem
        decks.append({"name": path.stem, "file": path.name, "title": str(title), "entered": entered(document)})
    return tuple(decks)


def deck_file(folder: Path, name: str) -> JSON | None:
    """A deck of this table as JSON, as it was typed; ``None`` when there is none.

    Raises:
        InputError: The file is no TOML.
    """
    path = folder / f"{name}.toml"
    return read_toml(path).content if NAME.fullmatch(name) and path.is_file() else None


def save_deck(folder: Path, name: str, document: JSON) -> JSON:
    """Keep a deck as typed, finished or not: ``{"name", "file", "entered", "faults", "open"}``, the last two as
    ``{"what", "where"}``: what is wrong with it, and what is still missing; ``what`` may be a ``Text``.

    Raises:
        InputError: The name or the document cannot be kept at all.
    """
    if not NAME.fullmatch(name):
        raise InputError(fault("deck.fault.file", "a deck's name has small letters, digits and hyphens", "name"))
    text = _toml(document)
    faults, gaps = check(document)
    folder.mkdir(parents=True, exist_ok=True)
    fresh = folder / f".{name}.new"
    fresh.write_text(text, encoding="utf-8")
    fresh.replace(folder / f"{name}.toml")
    return {
        "name": name,
        "file": f"{name}.toml",
        "entered": entered(document),
        "faults": [_fault_json(fault) for fault in faults],
        "open": [_fault_json(gap) for gap in gaps],
    }


def entered(document: Mapping[str, JSON]) -> int:
    """How many cards have a name, a family and prerequisites, be they none."""
    cards = document.get("card")
    rows = [card for card in cards if isinstance(card, Mapping)] if isinstance(cards, list) else []
    return sum(bool(row.get("name")) and bool(row.get("family")) and "prerequisites" in row for row in rows)


def _fault_json(fault: Fault) -> JSON:
    return {"what": spoken(fault) if fault.key else fault.what, "where": list(fault.where)}


def _toml(document: JSON) -> str:
    """A deck as TOML text.

    Raises:
        InputError: It has not the outer form of a deck.
    """
    head, cards = (document.get(key) if isinstance(document, Mapping) else None for key in ("deck", "card"))
    if not isinstance(head, Mapping) or not isinstance(cards, list) or len(cards) > 99:
        raise InputError(fault("deck.fault.outer", 'a deck has a table "deck" and a list "card"'))
    lines = ["[deck]", *(f"{key} = {_value(head[key])}" for key in ("name", "edition") if key in head)]
    for card in cards:
        if not isinstance(card, Mapping):
            raise InputError(fault("deck.fault.row", "every card is a table", "card"))
        known = ("id", "name", "family", "prerequisites", "source")
        lines += ["", "[[card]]", *(f"{key} = {_value(card[key])}" for key in known if key in card)]
    return "\n".join(lines) + "\n"


def _value(value: JSON) -> str:
    match value:
        case str():
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case list() if all(isinstance(item, str) for item in value):
            return f"[{', '.join(_value(item) for item in value)}]"
        case Mapping() if all(key in ("en", "fr") and isinstance(item, str) for key, item in value.items()):
            return f"{{ {', '.join(f'{key} = {_value(item)}' for key, item in value.items())} }}"
    raise InputError(fault("deck.fault.value", "{value} does not belong on a card", value=json.dumps(value)[:60]))
