"""The check of a box of cards under the camera, for the host's page: one at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Mapping

from companion.errors import InputError
from companion.public.box_reading import BoxReading
from companion.public.results import CheckedBox, SeenPiece, SeenPieces
from companion.public.service import Denied, Done, Invalid, Refusal, Result, Role, Stale, Unavailable, User
from companion.public.text import JSON, Text
from companion.service.archive import may_read
from companion.service.box_check import BoxCheck, BoxPiece
from companion.service.runner import MatchRunner


class BoxChecker:
    """Checks off what lies under the camera. It only reads pictures and never affects the referee.

    Args:
        simulated: The table is simulated: no real card can be mistaken for a move.
        picture: The camera's whole picture as a file, if there is one.
        read: Reads the stickers with these texts in such a file.
        pieces_of: What belongs in the box, by sticker text, for a deck file as JSON or a game's built-in deck;
            raises InputError.
    """

    def __init__(
        self,
        runner: MatchRunner,
        *,
        simulated: bool,
        picture: Callable[[], bytes | None],
        read: Callable[[bytes, Collection[str]], BoxReading],
        pieces_of: Callable[[JSON | None, str | None], Mapping[str, BoxPiece]],
    ) -> None:
        self._runner = runner
        self._simulated = simulated
        self._picture = picture
        self._read = read
        self._pieces_of = pieces_of
        self._check: BoxCheck | None = None
        self._one = threading.Lock()

    def begin(self, user: User, deck: JSON | None, game: str | None, language: str) -> Result[CheckedBox]:
        if (no := why_not_look(self._runner, user, simulated=self._simulated)) is not None:
            return no
        try:
            check = BoxCheck(self._pieces_of(deck, game))
        except InputError as wrong:
            return Invalid.of(wrong)
        self._check = check
        return Done(check.as_json(language))

    def look(self, user: User, language: str) -> Result[CheckedBox]:
        if (no := why_not_look(self._runner, user, simulated=self._simulated)) is not None:
            return no
        if self._check is None:
            return Stale(Text("desk.check_begin"))
        with self._one:  # a second page waits, instead of doubling the load
            check = self._check
            picture = self._picture()
            if picture is None:
                return Unavailable(Text("desk.check_unseen"))
            try:
                after = check.looked(self._read(picture, check.pieces))
            except InputError as wrong:
                return Unavailable(str(wrong))
            if self._check is check:
                self._check = after
        return Done(after.as_json(language))

    def see(self, user: User, game: str | None) -> Result[SeenPieces]:
        if (no := why_not_look(self._runner, user, simulated=self._simulated)) is not None:
            return no
        try:
            pieces = self._pieces_of(None, game)
            with self._one:
                picture = self._picture()
                if picture is None:
                    return Unavailable(Text("desk.check_unseen"))
                reading = self._read(picture, pieces)
        except InputError as wrong:
            return Invalid.of(wrong)
        seen: list[SeenPiece] = [
            {
                "token": pieces[one.text].token,
                "x": round(one.at_px[0]),
                "y": round(one.at_px[1]),
                "turned_deg": round(one.turned_deg, 1),
            }
            for one in reading.seen
        ]
        return Done({"seen": seen, "unread": len(reading.unread)})


def why_not_look(runner: MatchRunner, user: User, *, simulated: bool) -> Refusal | None:
    """The reason for refusing: wrong user, or on a real table a match is in play, where a new card is a move."""
    if user.role is not Role.HOST:
        return Denied(Text("desk.host_only"))
    match = runner.match
    playing = match is not None and not match.over
    if match is not None and not may_read(user, playing and match.game.silent):
        return Denied(Text("desk.picture_secret"))
    if match is not None and playing and not simulated and not match.record.paused:
        return Stale(Text("desk.check_playing"))
    return None
