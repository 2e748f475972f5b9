"""The table itself: its zones, its camera, and its health."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

from companion.errors import InputError
from companion.public.layout import encode_layout, overlapping_zones, read_layout
from companion.public.results import TableHealth, WithoutPicture, ZonesInUse
from companion.public.service import Denied, Done, Invalid, NotFound, Result, Role, Stale, Unavailable, User
from companion.public.table import ViewLost
from companion.public.text import JSON, Text
from companion.service.archive import may_read
from companion.service.runner import MatchRunner
from companion.service.shown_picture import PublicPicture
from companion.service.zone_editor import ZoneEditor

WITHOUT_PICTURE = "without_picture"
"""The setting of the log that keeps whether the host goes on without a picture."""


OLD_LOOK_S = 5.0
"""A look that is older than this says nothing of the camera now: what takes the pictures hangs, or has just ended."""


class WatchedTable:
    """A ``TableSetup`` over a runner and its camera.

    Args:
        source: The camera's source (``picamera``, ``simulated``).
        version: The companion's.
        picture: The camera's last picture as JPEG, or ``None``.
        sight: How well the table can be seen.
        pictures: About the camera's pictures: ``size_px``, ``rate_hz`` and ``trouble``.
        zones: The zones of the table; ``None`` = they cannot be changed.
        shown: The picture that everybody may see.

    Attributes:
        shown: As given.
    """

    def __init__(
        self,
        runner: MatchRunner,
        *,
        source: str,
        version: str,
        picture: Callable[[], bytes | None],
        sight: Callable[[], JSON],
        pictures: Callable[[], Mapping[str, JSON]] = dict,
        zones: ZoneEditor | None,
        shown: PublicPicture,
    ) -> None:
        self.shown = shown
        self._runner = runner
        self._source = source
        self._version = version
        self._picture = picture
        self._sight = sight
        self._pictures = pictures
        self._zones = zones

    def zones(self) -> ZonesInUse | None:
        if self._zones is None:
            return None
        return self._in_use(self._zones)

    def _in_use(self, zones: ZoneEditor) -> ZonesInUse:
        why = self._why_fixed()
        return cast(ZonesInUse, {**encode_layout(zones.current), "movable": why is None, "why": why})

    def _why_fixed(self) -> Text | None:
        stored, match = self._runner.stored, self._runner.match
        if self._source == "simulated":
            return Text("desk.zones_simulated")
        if stored is not None and "table" in stored.header["match"]:
            return Text("desk.zones_of_match")
        if match is not None and match.record.lines and not match.over:
            return Text("desk.zones_playing")
        return None

    def set_zones(self, user: User, table: JSON) -> Result[ZonesInUse]:
        zones = self._zones
        if user.role is not Role.HOST:
            return Denied(Text("desk.host_only"))
        if zones is None:
            return NotFound()
        try:
            layout = None if table is None else read_layout(table)
        except InputError as error:
            return Invalid.of(error)
        if layout is not None and (both := overlapping_zones(layout)) is not None:
            return Invalid((Text("desk.zones_overlap"),), zones=both)

        def change() -> Result[ZonesInUse]:
            if why := self._why_fixed():
                return Stale(why)
            match = self._runner.match
            try:
                zones.set_zones(layout, at_once=match is None or not match.over)
            except InputError as error:
                return Invalid.of(error)
            except OSError as error:
                return Unavailable(str(error))
            return Done(self._in_use(zones))

        return self._runner.ask(change)

    def camera_picture(self, user: User, straight: bool = False) -> bytes | None:
        match = self._runner.match
        if not may_read(user, match is not None and match.game.silent and not match.standing.final):
            raise PermissionError(Text("desk.picture_secret"))
        if straight:
            return None if self._zones is None else self._zones.picture()
        return self._picture()

    @property
    def without_picture(self) -> bool:
        return self._runner.log.table.setting(WITHOUT_PICTURE) is True

    def go_without_picture(self, user: User, without: bool) -> Result[WithoutPicture]:
        if user.role is not Role.HOST:
            return Denied(Text("desk.host_only"))
        self._runner.log.table.set(WITHOUT_PICTURE, without)
        return Done({"without": without})

    def health(self) -> TableHealth:
        runner = self._runner
        last_s, lost, match = runner.last_look_s, runner.lost, runner.match
        age_s = None if last_s is None else max(runner.clock() - last_s, 0.0)
        if lost is None and age_s is not None and age_s > OLD_LOOK_S:
            lost = ViewLost.CAMERA
        return {
            "ok": lost is None and not (match is not None and (match.stuck or match.fault is not None)),
            "version": self._version,
            "source": self._source,
            "simulated": self._source == "simulated",
            "camera": "none" if age_s is None else "ok" if lost is None else lost.value,
            "last_look_s": None if age_s is None else round(age_s, 2),
            "entries": 0 if match is None else len(match.record.lines),
            "sight": self._sight(),
            "pictures": self._pictures(),
            "bug": None
            if match is None or match.fault is None
            else {
                "game": match.fault.game,
                "function": match.fault.function,
                "place": match.fault.place,
            },
        }
