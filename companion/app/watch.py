"""What a table's eye looks at: each match that begins or goes on, and the table before there is one."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from companion.app.eye import TableEye
from companion.app.sources import TableSource
from companion.app.table_recorder import TableRecorder
from companion.games import registry
from companion.games.protocol import Game, GameModule
from companion.public.layout import Layout, read_layout
from companion.public.table import Observation
from companion.public.updates import Signal, Update
from companion.service.runner import MatchRunner
from companion.service.zone_editor import ZoneEditor
from companion.storage.event_log import StoredMatch
from companion.storage.snapshots import Snapshots, deserves_snapshot, disputed_token
from companion.system.memory import give_back

log = logging.getLogger(__name__)


class Watch:
    """Has the eye look at each match, record it where that is wanted, and keep pictures of what people may ask about.

    Args:
        usual_layout: Where the zones are in a match that does not say it; ``None`` = as its game has them.
        seen: Gets every look.
    """

    def __init__(
        self,
        runner: MatchRunner,
        eye: TableEye,
        source: TableSource,
        zones: ZoneEditor,
        snapshots: Snapshots,
        recorder: TableRecorder,
        usual_layout: Layout | None,
        seen: Callable[[Observation], None],
    ) -> None:
        self._runner = runner
        self._eye = eye
        self._source = source
        self._zones = zones
        self._snapshots = snapshots
        self._recorder = recorder
        self._usual_layout = usual_layout
        self._seen = seen

    def match_started(self, stored: StoredMatch, game: Game[Any, Any]) -> None:
        """A match has begun or goes on: show the eye where its zones lie and which stickers count."""
        self.close()
        table = stored.header["match"].get("table")
        own = read_layout(table) if table is not None else self._source.layout(game)
        process = self._eye.open(
            self._source.frames(stored),
            self._layout(game, own),
            game,
            self._seen,
            on_snapshot=lambda picture: self._snapshots.keep(stored.id, picture.entry or 0, picture.jpeg),
            on_plan=self._recorder.planned,
            on_recorded=self._recorder.recorded,
            on_end=self._film_over,
            live=self._source.live,
            prepared=self._eye.prepared(),
        )
        self._recorder.eye_opened()
        process.start()
        give_back()  # the match before is nobody's now

    def look_around(self, module: GameModule) -> None:
        """Look before the first match, so that the camera can be hung and the light be tried."""
        if (frames := self._source.before_match()) is not None:
            game = registry.open_match(registry.demo_match(module), registry.demo_deck(module)).game
            self._eye.open(frames, self._layout(game), game, self._seen).start()

    def _layout(self, game: Game[Any, Any], own: Layout | None = None) -> Layout:
        usual = own or self._usual_layout or game.layout()
        return self._zones.begin(usual, fixed=own is not None, same_place=game.same_place)

    def keep(self, news: Update) -> None:
        """Around refusals, questions and disputes the eye keeps a few pictures."""
        match, process = self._runner.match, self._eye.process
        if match is None or process is None or news.signal is Signal.STARTED:
            return
        if (wanted := deserves_snapshot(match.game, news.entry or {})) is not None:
            process.keep(*wanted, disputed_token(match.game, news.entry or {}))

    def close(self) -> None:
        """Look at this match no more."""
        self._eye.shut()
        self._recorder.eye_closed()
        self._source.match_over()

    def _film_over(self, why: str | None) -> None:
        """A recording is at its end."""
        self._recorder.film_over()
        log.warning("%s is at its end: %s", self._source.name, why or "there are no more pictures")
