"""The library of a table: stored matches, their records, pictures and figures, and its own decks."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.errors import InputError, LogError, fault
from companion.games import registry
from companion.games.protocol import Game
from companion.history.events import Entry
from companion.history.record import replay
from companion.history.seating import arrivals, names_in_play, seating
from companion.history.statistics import encode_statistics, match_statistics
from companion.public.service import Reply, Role, User, unusable
from companion.public.text import JSON, Text
from companion.service.runner import MatchRunner
from companion.storage import decks
from companion.storage.event_log import StoredMatch, import_record, wall_clock
from companion.storage.record_file import follow, record_lines, sound_entries, stored_entries
from companion.storage.snapshots import Snapshots

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class DeletedMatch:
    """A match that was taken from the shelf and can be put back."""

    stored: StoredMatch
    entries: tuple[JSON, ...]


def delete_match(host: MatchRunner, match: str) -> DeletedMatch | None:
    """Delete a stored match; what it takes to put it back, or ``None`` when there is none or it is being played.

    Raises:
        LogError: It could not be written.
    """
    stored = host.paper.match(match)
    if stored is None or (host.stored is not None and host.stored.id == match):
        return None
    kept = DeletedMatch(stored, tuple(host.paper.entries(match)))
    host.paper.delete(match)
    return kept


def restore_match(host: MatchRunner, kept: DeletedMatch) -> str:
    """Store a match again that was taken away; the id that it has from now on.

    Raises:
        LogError: It could not be written.
    """
    stored = kept.stored
    entries = follow(host.opened(stored.header), kept.entries)
    return import_record(host.paper, stored.id, stored.header, entries, stored.began)


def read_import(text: str) -> tuple[Mapping[str, JSON], list[Entry]]:
    """The header and the entries of a record (contract, section 7) that can be played again from first to last.

    Raises:
        InputError: It is no such record, naming the line.
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
    header.setdefault("deck", registry.demo_deck())
    game = registry.open_match(header["match"], header["deck"]).game
    return header, follow(game, values[1:])


def match_summary(host: MatchRunner, stored: StoredMatch, *, points: bool) -> JSON:
    """A stored match in a line of the library; ``points`` and winners only where they may be said. What is damaged
    says so under ``damage``, and stands in the way of no other match."""
    try:
        match, game = stored.header["match"], host.opened(stored.header)
        entries, damage = sound_entries(host.paper, stored.id, game)
        people = seating(names_in_play(match), entries)
    except Exception as wrong:  # noqa: BLE001  # whatever was stored, it costs this match alone
        log.info("%s cannot be read: %r", stored.id, wrong)
        lost = host.paper.last_number(stored.id)
        return {
            **{"id": stored.id, "profile": "", "seats": [], "began": stored.began, "over": stored.over, "entries": 0},
            "damage": {"kept": None, "lost": lost},
        }
    told: dict[str, JSON] = {
        "id": stored.id,
        "profile": match.get("profile", "fr-explore"),
        "seats": [person.name for person in people],
        "began": stored.began,
        "over": stored.over,
        "entries": len(entries),
    }
    if damage is not None:
        told["damage"] = {"kept": damage.kept, "lost": damage.lost}
    if points:
        standing = game.standing(game.public(replay(game, entries).state))
        told |= {"points": list(standing.points), "winners": list(standing.winners)}
    return told


def rematch(header: Mapping[str, JSON], entries: Sequence[Entry] = ()) -> Mapping[str, JSON]:
    """The same seats, game and cards; the deal passes on clockwise (F:202). A simulated table rolls other dice.
    Who sits where is as the last match's ``entries`` left it."""
    match = dict(header["match"])
    people, came = seating(names_in_play(match), entries), arrivals(entries)
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


class Archive:
    """The part of a ``Desk`` that hands out and takes in what is stored.

    Args:
        album: Pictures kept with the matches.
        decks: The folder of the table's own decks.
    """

    def __init__(self, host: MatchRunner, album: Snapshots, decks: Path | None) -> None:
        self._host = host
        self._album = album
        self._decks = decks
        self._summaries: dict[str, JSON] = {}
        self._taken: dict[str, DeletedMatch] = {}

    def matches(self, visitor: User) -> tuple[JSON, ...]:
        """Stored matches, newest first; how an unfinished one stands is said to its host alone."""
        return tuple(self._summary(stored, visitor) for stored in self._host.paper.matches())

    def _summary(self, stored: StoredMatch, visitor: User) -> JSON:
        if stored.id not in self._summaries or not stored.over:
            told = match_summary(self._host, stored, points=stored.over or visitor.role is Role.HOST)
            if not stored.over:
                return told
            self._summaries[stored.id] = told
        return self._summaries[stored.id]

    def forget(self, visitor: User, match: str) -> Reply:
        """Delete a stored match."""

        def work() -> JSON:
            kept = delete_match(self._host, match)
            if kept is None:
                return None
            self._taken[match] = kept
            self._summaries.pop(match, None)
            return {"match": match}

        return self._told(visitor, work)

    def restore(self, visitor: User, match: str) -> Reply:
        """Get a match back that was deleted since this program began."""

        def work() -> JSON:
            kept = self._taken.get(match)
            back = {"match": restore_match(self._host, kept)} if kept else None
            self._taken.pop(match, None)  # only now: what could not be put back is kept
            return back

        return self._told(visitor, work)

    def take_in(self, visitor: User, record: str) -> Reply:
        """Store the text of a record as a finished match."""
        if visitor.role is not Role.HOST:
            return Reply(403, Text("desk.host_only"))
        try:  # here and not in the referee's thread: the match at the table does not wait for it
            header, entries = read_import(record)
        except InputError as wrong:
            return unusable(wrong)
        began = wall_clock()
        return self._told(
            visitor, lambda: {"match": import_record(self._host.paper, began[:10], header, entries, began)}
        )

    def decks(self, visitor: User) -> tuple[JSON, ...]:
        """The table's own decks."""
        return () if self._decks is None or visitor.role is not Role.HOST else decks.deck_files(self._decks)

    def deck(self, visitor: User, name: str) -> JSON | None:
        """One of them as JSON."""
        return None if self._decks is None or visitor.role is not Role.HOST else decks.deck_file(self._decks, name)

    def save_deck(self, visitor: User, name: str, deck: JSON) -> Reply:
        """Keep a deck as typed."""
        folder = self._decks

        def work() -> JSON:
            if folder is None:
                return None
            told = decks.save_deck(folder, name, deck)
            decks.clear_pictures(folder, name, {str(card.get("id")) for card in deck["card"]})
            return told

        return self._told(visitor, work)

    def portraits(self, visitor: User, deck: str) -> tuple[str, ...]:
        """Which cards of a deck have a picture."""
        if self._decks is None or visitor.role is Role.SPECTATOR:
            return ()
        return decks.listed_pictures(self._decks, deck)

    def portrait(self, visitor: User, deck: str, card: str) -> bytes | None:
        """A card's picture."""
        if self._decks is None or visitor.role is Role.SPECTATOR:
            return None
        return decks.read_picture(self._decks, deck, card)

    def keep_portrait(self, visitor: User, deck: str, card: str, picture: bytes) -> Reply:
        """Keep a card's picture; it is made small here and not in the referee's thread."""
        from vision.card_photo import card_photo

        return self._pictured(visitor, deck, card, lambda at: decks.keep_picture(at, deck, card, card_photo(picture)))

    def forget_portrait(self, visitor: User, deck: str, card: str) -> Reply:
        """Delete a card's picture."""
        return self._pictured(visitor, deck, card, lambda at: decks.forget_picture(at, deck, card))

    def _pictured(self, visitor: User, deck: str, card: str, work: Callable[[Path], bool]) -> Reply:
        if visitor.role is not Role.HOST:
            return Reply(403, Text("desk.host_only"))
        try:
            done = self._decks is not None and work(self._decks)
        except InputError as wrong:
            return unusable(wrong)
        except OSError as wrong:
            return Reply(503, str(wrong))
        return Reply(200, {"name": deck, "card": card}) if done else Reply(404, Text("desk.no_such"))

    def record(self, visitor: User, match: str) -> Iterator[str] | None:
        """The lines of a match's record."""
        opened = self._opened(visitor, match)
        if opened is None:
            return None
        stored, game = opened
        return record_lines(stored, game, stored_entries(self._host.paper, match, game))

    def pictures(self, visitor: User, match: str, number: int) -> tuple[bytes, ...] | None:
        """The pictures that were kept of an entry."""
        return None if self._opened(visitor, match) is None else self._album.pictures(match, number)

    def figures(self, visitor: User, match: str) -> JSON | None:
        """A match's honest figures."""
        opened = self._opened(visitor, match)
        if opened is None:
            return None
        told = encode_statistics(
            match_statistics(replay(opened[1], stored_entries(self._host.paper, match, opened[1])).lines)
        )
        return {**told, "pictures": {str(number): kept for number, kept in self._album.counts(match).items()}}

    def _opened(self, visitor: User, match: str) -> tuple[StoredMatch, Game[Any, Any]] | None:
        """A stored match that this visitor may read, with its game.

        Raises:
            PermissionError: Not for this visitor, or not now.
        """
        stored = self._host.paper.match(match)
        if stored is None:
            return None
        game: Game[Any, Any] = self._host.opened(stored.header)
        if not stored.over and not may_read(visitor, game.silent):
            raise PermissionError(Text("desk.record_later") if game.silent else Text("desk.host_alone"))
        return stored, game

    def _told(self, visitor: User, work: Callable[[], JSON]) -> Reply:
        """What came of something that the host alone may do; ``None`` = there is no such thing."""
        if visitor.role is not Role.HOST:
            return Reply(403, Text("desk.host_only"))
        try:
            body = self._host.ask(work)
        except InputError as wrong:
            return unusable(wrong)
        except TimeoutError:
            return Reply(503, Text("desk.slow"))
        except (LogError, OSError) as wrong:
            return Reply(503, str(wrong))
        return Reply(404, Text("desk.no_such")) if body is None else Reply(200, body)


def may_read(visitor: User, silent: bool) -> bool:
    """Whether a visitor may see what is hidden from players, while a match is going on."""
    return visitor.role is Role.HOST and (visitor.outside or not silent)
