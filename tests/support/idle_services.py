"""What stands for the services that need a camera where a test has none: nothing is checked, read or recorded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.public.service import NotFound, Result, User
from companion.public.text import JSON


class NothingToCheck:
    """A ``BoxCheckService``."""

    def begin(self, _user: User, _deck: JSON | None, _game: str | None, _language: str) -> Result:
        return NotFound()

    def look(self, _user: User, _language: str) -> Result:
        return NotFound()

    def see(self, _user: User, _game: str | None) -> Result:
        return NotFound()


class NothingToRecord:
    """A ``RecordingService``."""

    def state(self, _user: User) -> Result:
        return NotFound()

    def plan(self, _user: User, _seconds: float) -> Result:
        return NotFound()

    def begin(self, _user: User, _seconds: float | None, _ring_s: float | None) -> Result:
        return NotFound()

    def stop(self, _user: User) -> Result:
        return NotFound()

    def delete(self, _user: User) -> Result:
        return NotFound()

    def file(self, _user: User) -> tuple[str, Iterator[bytes]] | None:
        return None


class NothingToRead:
    """A ``CardPhotoService``."""

    def take(self, _user: User, _deck: str, _picture: bytes | None, _layout: str) -> Result:
        return NotFound()

    def proposals(self, _user: User, _deck: str, _document: JSON) -> JSON | None:
        return None

    def piece(self, _user: User, _deck: str, _card: str, _piece: str) -> bytes | None:
        return None

    def forget(self, _user: User, _deck: str, _card: str) -> Result:
        return NotFound()


IDLE: dict[str, Any] = {"box": NothingToCheck(), "recording": NothingToRecord(), "photos": NothingToRead()}
"""For a ``TableService``."""
