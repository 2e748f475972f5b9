"""The library of a table: stored matches, their records, pictures and figures, and its own decks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from companion import portraits, shelf
from companion.album import Album
from companion.desk import Reply, Role, Visitor, unusable
from companion.errors import InputError, LogError
from companion.eventlog import Stored, wall_clock
from companion.figures import encode_figures, figures
from companion.game import JSON, Game, Text
from companion.host import Host, entries_of, record_lines
from companion.record import replay
from companion.shelf import Kept


class Library:
    """The part of a ``Desk`` that hands out and takes in what is stored.

    Args:
        album: Pictures kept with the matches.
        decks: The folder of the table's own decks.
    """

    def __init__(self, host: Host, album: Album, decks: Path | None) -> None:
        self._host = host
        self._album = album
        self._decks = decks
        self._summaries: dict[str, JSON] = {}
        self._taken: dict[str, Kept] = {}

    def matches(self, visitor: Visitor) -> tuple[JSON, ...]:
        """Stored matches, newest first; how an unfinished one stands is said to its host alone."""
        return tuple(self._summary(stored, visitor) for stored in self._host.paper.matches())

    def _summary(self, stored: Stored, visitor: Visitor) -> JSON:
        if stored.id not in self._summaries or not stored.over:
            summary = shelf.summary(self._host, stored, points=stored.over or visitor.role is Role.HOST)
            if not stored.over:
                return summary
            self._summaries[stored.id] = summary
        return self._summaries[stored.id]

    def forget(self, visitor: Visitor, match: str) -> Reply:
        """Delete a stored match."""

        def work() -> JSON:
            kept = shelf.take_away(self._host, match)
            if kept is None:
                return None
            self._taken[match] = kept
            self._summaries.pop(match, None)
            return {"match": match}

        return self._told(visitor, work)

    def restore(self, visitor: Visitor, match: str) -> Reply:
        """Get a match back that was deleted since this program began."""

        def work() -> JSON:
            kept = self._taken.get(match)
            back = {"match": shelf.put_back(self._host, kept)} if kept else None
            self._taken.pop(match, None)  # only now: what could not be put back is kept
            return back

        return self._told(visitor, work)

    def take_in(self, visitor: Visitor, record: str) -> Reply:
        """Store the text of a record as a finished match."""
        return self._told(visitor, lambda: {"match": shelf.take_in(self._host, record, wall_clock())})

    def decks(self, visitor: Visitor) -> tuple[JSON, ...]:
        """The table's own decks."""
        return () if self._decks is None or visitor.role is not Role.HOST else shelf.deck_files(self._decks)

    def deck(self, visitor: Visitor, name: str) -> JSON | None:
        """One of them as JSON."""
        return None if self._decks is None or visitor.role is not Role.HOST else shelf.deck_file(self._decks, name)

    def save_deck(self, visitor: Visitor, name: str, deck: JSON) -> Reply:
        """Keep a deck as typed."""
        folder = self._decks

        def work() -> JSON:
            if folder is None:
                return None
            told = shelf.save_deck(folder, name, deck)
            portraits.clear(folder, name, {str(card.get("id")) for card in deck["card"]})
            return told

        return self._told(visitor, work)

    def portraits(self, visitor: Visitor, deck: str) -> tuple[str, ...]:
        """Which cards of a deck have a picture."""
        if self._decks is None or visitor.role is Role.SPECTATOR:
            return ()
        return portraits.listed(self._decks, deck)

    def portrait(self, visitor: Visitor, deck: str, card: str) -> bytes | None:
        """A card's picture."""
        if self._decks is None or visitor.role is Role.SPECTATOR:
            return None
        return portraits.read(self._decks, deck, card)

    def keep_portrait(self, visitor: Visitor, deck: str, card: str, picture: bytes) -> Reply:
        """Keep a card's picture; it is made small here and not in the referee's thread."""
        from vision.portrait import portrait

        return self._pictured(visitor, deck, card, lambda at: portraits.keep(at, deck, card, portrait(picture)))

    def forget_portrait(self, visitor: Visitor, deck: str, card: str) -> Reply:
        """Delete a card's picture."""
        return self._pictured(visitor, deck, card, lambda at: portraits.forget(at, deck, card))

    def _pictured(self, visitor: Visitor, deck: str, card: str, work: Callable[[Path], bool]) -> Reply:
        if visitor.role is not Role.HOST:
            return Reply(403, Text("desk.host_only"))
        try:
            done = self._decks is not None and work(self._decks)
        except InputError as wrong:
            return unusable(wrong)
        except OSError as wrong:
            return Reply(503, str(wrong))
        return Reply(200, {"name": deck, "card": card}) if done else Reply(404, Text("desk.no_such"))

    def record(self, visitor: Visitor, match: str) -> Iterator[str] | None:
        """The lines of a match's record."""
        opened = self._opened(visitor, match)
        if opened is None:
            return None
        stored, game = opened
        return record_lines(stored, game, entries_of(self._host.paper, match, game))

    def pictures(self, visitor: Visitor, match: str, number: int) -> tuple[bytes, ...] | None:
        """The pictures that were kept of an entry."""
        return None if self._opened(visitor, match) is None else self._album.pictures(match, number)

    def figures(self, visitor: Visitor, match: str) -> JSON | None:
        """A match's honest figures."""
        opened = self._opened(visitor, match)
        if opened is None:
            return None
        told = encode_figures(figures(replay(opened[1], entries_of(self._host.paper, match, opened[1])).lines))
        return {**told, "pictures": {str(number): kept for number, kept in self._album.counts(match).items()}}

    def _opened(self, visitor: Visitor, match: str) -> tuple[Stored, Game[Any, Any]] | None:
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

    def _told(self, visitor: Visitor, work: Callable[[], JSON]) -> Reply:
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


def may_read(visitor: Visitor, silent: bool) -> bool:
    """Whether a visitor may see what is hidden from players, while a match is going on."""
    return visitor.role is Role.HOST and (visitor.outside or not silent)
