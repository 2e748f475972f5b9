"""The camera's process of a table: opened for each match that begins or resumes, and before the first one."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.app.table_recorder import RecordingRequest, TableRecorder
from companion.games import registry
from companion.games.game_module import GameModule
from companion.games.protocol import Game
from companion.public.layout import Layout, read_layout
from companion.public.table import Observation
from companion.public.table_picture import TablePicture
from companion.public.updates import Signal, Update
from companion.reading.pictures import picture_size
from companion.service.runner import MatchRunner
from companion.service.zone_editor import ZoneEditor
from companion.storage.event_log import StoredMatch
from companion.storage.settings import Settings
from companion.storage.snapshots import Snapshots, deserves_snapshot, disputed_token
from companion.system.memory import release_memory

if TYPE_CHECKING:  # OpenCV is loaded only in the camera's process
    from companion.app.sources import TableSource
    from vision.process.supervisor import PreparedProcess, VisionProcess
    from vision.process.worker import SourceSpec

log = logging.getLogger(__name__)


class TableEye:
    """Watches each match, lets it be recorded, and keeps pictures of what people may ask about.

    Attributes:
        process: The camera's process; ``None`` while it is closed.
        zones: The zones in use.
        recorder: Records what the camera sees.

    Args:
        data: The data folder, which has the zones.
        recording: The recording to make, starting with the first picture.
        prepared: The process for the first match.
        seen: Receives every look.
    """

    def __init__(
        self,
        runner: MatchRunner,
        source: TableSource,
        snapshots: Snapshots,
        settings: Settings,
        data: Path,
        recording: RecordingRequest | None,
        prepared: PreparedProcess,
        seen: Callable[[Observation], None],
    ) -> None:
        self.process: VisionProcess | None = None
        self.zones = ZoneEditor(data, lambda: self.process)
        self.recorder = TableRecorder(runner, self, settings, source.name, recording)
        self._runner = runner
        self._source = source
        self._snapshots = snapshots
        self._usual_layout = settings.layout
        self._prepared: PreparedProcess | None = prepared
        self._seen = seen

    def match_started(self, stored: StoredMatch, game: Game[Any, Any]) -> None:
        """Watch a match that has begun or resumes, with its zones and stickers."""
        self.shut()
        table = stored.header["match"].get("table")
        own = read_layout(table) if table is not None else game.table.layout if self._source.simulated else None
        prepared, self._prepared = self._prepared, None
        process = self._open(
            self._source.frames(stored),
            game,
            own,
            on_snapshot=lambda picture: self._snapshots.keep(stored.id, picture.entry or 0, picture.jpeg),
            on_plan=self.recorder.planned,
            on_recorded=self.recorder.recorded,
            on_end=self._film_over,
            live=self._source.live,
            prepared=prepared,
        )
        self.recorder.eye_opened()
        process.start()
        release_memory()  # the match before is over

    def look_around(self, module: GameModule) -> None:
        """Watch the table before the first match, so that the camera can be adjusted and the light tested."""
        if (frames := self._source.before_match) is not None:
            game = registry.open_match(registry.demo_match(module), registry.demo_deck(module)).game
            self._open(frames, game).start()

    def _open(self, frames: SourceSpec, game: Game[Any, Any], own: Layout | None = None, **more: Any) -> VisionProcess:
        from vision.process.supervisor import VisionProcess

        usual = own or self._usual_layout or game.table.layout
        layout = self.zones.begin(usual, fixed=own is not None)
        codes = registry.sticker_codes(game)
        self.process = VisionProcess(frames, layout, codes, self._seen, shapes=game.table.shapes, **more)
        return self.process

    def shut(self) -> None:
        """Stop watching, until the next match."""
        if self.process is not None:
            self.process.close()
            self.process = None
            self.recorder.eye_closed()
        self._source.match_over()

    def keep(self, news: Update) -> None:
        """Keep a few pictures around refusals, questions and disputes."""
        match, process = self._runner.match, self.process
        if match is None or process is None or news.signal is Signal.STARTED:
            return
        if (wanted := deserves_snapshot(match.game, news.entry or {})) is not None:
            process.keep(*wanted, disputed_token(match.game, news.entry or {}))

    def snapshot(self) -> bytes | None:
        """The table now, as JPEG; ``None`` if it is not in sight."""
        return None if self.process is None else self.process.snapshot()

    def page_picture(self) -> TablePicture | None:
        """A real table's field for everybody's page, if it is found."""
        taken = None if self.process is None else self.process.page_picture()
        size_px = None if taken is None else picture_size(taken.jpeg)
        if taken is None or size_px is None:
            return None
        width, height, _ = size_px
        places = {str(token): tuple((x / width, y / height) for x, y in at) for token, at in taken.cards.items()}
        return TablePicture(taken.jpeg, (width, height), places)

    def whole_picture(self) -> bytes | None:
        """The camera's whole picture as JPEG, if there is one."""
        return None if self.process is None else self.process.snapshot(whole=True)

    def colour_picture(self) -> TablePicture | None:
        """A drawn table in colour, for people."""
        return None if self.process is None else self.process.colour_picture()

    def _film_over(self, why: str | None) -> None:
        """A recorded film has ended."""
        self.recorder.film_over()
        log.warning("%s is at its end: %s", self._source.name, why or "there are no more pictures")
