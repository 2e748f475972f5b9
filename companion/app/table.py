"""A table in use: matches, camera, services, panel and pages, opened in this order."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.eye import TableEye
from companion.app.heartbeat import Heartbeat
from companion.app.matches import begin_or_go_on, open_game, open_matches
from companion.app.named_table import NamedTable
from companion.app.services import system_actions, table_services
from companion.app.sources import check_source, table_source, usual_source
from companion.app.table_plugins import TablePlugins
from companion.app.table_recorder import RecordingRequest
from companion.errors import InputError
from companion.games import registry
from companion.games.game_module import GameModule
from companion.public.i18n import Translations
from companion.public.machine import HostNote, SystemActions
from companion.public.plugins import TableForPlugin, words
from companion.public.table import Observation, Seat
from companion.public.text import Text, fault_text
from companion.service.first_phone import FirstPhone
from companion.service.requests import from_button
from companion.service.runner import MatchRunner
from companion.storage.event_log import wall_clock
from companion.storage.folder_lock import FolderLock
from companion.storage.join_codes import host_codes
from companion.storage.restore import clear_unfinished
from companion.storage.settings import read_settings
from companion.system.console import NO_NETWORK, keep_issue_current, lan_address, print_greeting

log = logging.getLogger(__name__)

if TYPE_CHECKING:  # gpiozero is loaded where a panel is opened
    from hardware.outputs import Outputs


@dataclass(frozen=True, slots=True)
class TableOptions:
    """The options for starting a table.

    Attributes:
        data: The data folder.
        source: As in ``--source``; it must be available from the start. ``None`` = the default one, which may be
            connected later.
        match: The file of the match to play; ``None`` = see ``begin_or_go_on``.
        game: Only a match of this game; ``None`` = any.
        port: For the pages.
        seed, speed: For a simulated table; speed 0 = as fast as possible.
        recording: The recording to make, starting with the first picture.
    """

    data: Path
    source: str | None = None
    match: Path | None = None
    game: GameModule | None = None
    port: int = 8080
    seed: int = 1
    speed: float = 1.0
    recording: RecordingRequest | None = None


class RunningTable:
    """A table in use: ``open`` it, then call ``runner.run``. Real, simulated and recorded tables differ only in
    their source.

    Attributes:
        starts_anew: Whether it was ended so that another table is opened on the data folder.

    Args:
        stack: Closes in reverse order what is opened here.
        offer_more: Adds this machine's own actions to those of its pages.

    Raises:
        InputError: The settings or the source cannot be used.
        LogError: Another table has the data folder, or the matches cannot be stored there.
    """

    def __init__(
        self,
        options: TableOptions,
        stack: ExitStack,
        offer_more: Callable[[SystemActions, RunningTable], None] = lambda *_: None,
    ) -> None:
        from vision.process.supervisor import prespawn

        self.options = options
        self.stack = stack
        self.starts_anew = False
        self._offer_more = offer_more
        stack.enter_context(FolderLock(options.data))
        clear_unfinished(options.data)
        prepared = prespawn()  # its libraries load meanwhile
        stack.callback(prepared.close)
        self._settings = read_settings(options.data)
        matches, self._keeper, snapshots = open_matches(options.data, self._settings, stack)
        self.runner = MatchRunner(matches, open_game, wall_clock=wall_clock)
        self._heartbeat = Heartbeat(self.runner)
        source = options.source or usual_source(self._settings)
        self._source = table_source(
            source, self.runner, options.seed, options.speed, stack, darker=self._settings.darker
        )
        self._eye = TableEye(
            self.runner,
            self._source,
            snapshots,
            self._settings,
            options.data,
            options.recording,
            prepared,
            self._seen,
        )
        stack.callback(self._eye.shut)
        self.runner.on_match_started = self._eye.match_started
        self.runner.subscribe(self._eye.keep)
        self.services = table_services(self.runner, options.data, self._source, self._eye, snapshots)
        self._first_phone = FirstPhone(matches, options.data, by_itself=not sys.stdout.isatty())
        self.services.match.on_host = self._first_phone.host_came

    def open(self) -> None:
        """Switch on the panel, serve the pages, and begin or resume a match.

        Raises:
            InputError: The match, the settings or the source cannot be used.
            DeviceError: The camera, the pins or the port cannot be used.
        """
        from web.server import check_free

        options, runner = self.options, self.runner
        check_free(options.port)
        if options.source is not None:
            check_source(options.source)
        outputs = self._open_panel()
        runner.subscribe(outputs)
        address = self._open_pages(outputs)
        begin_or_go_on(runner, options.match, self._source.header, options.game)
        if runner.match is None:
            if options.recording is not None:
                raise InputError(
                    f"{options.recording.folder}: there is no match to record; name one with --match match.toml"
                )
            self._eye.look_around(options.game or registry.game_module())
        print_greeting(address, host_codes(runner.log), simulated=self._source.simulated)
        self.stack.callback(
            keep_issue_current(options.port, lambda: host_codes(runner.log)[1], pages=self._settings.address)
        )
        self.stack.callback(self._heartbeat.close)
        self._heartbeat.start(eye=self._eye.process is not None)
        self.stack.callback(self.services.archive.prepare())

    def start_anew(self) -> None:
        """End this table; the caller of ``run_table`` opens the next one on the data folder."""
        self.starts_anew = True
        self.runner.stop()

    def _open_panel(self) -> Outputs:
        """Lamps, buzzer and buttons as in the settings."""
        from hardware.outputs import open_outputs

        document = self._settings.document
        if document is None or self._settings.panel is None:
            return open_outputs(None, self._pressed, self.stack)
        return document.located(lambda content: open_outputs(content["panel"], self._pressed, self.stack))

    def _open_pages(self, outputs: Outputs) -> str:
        """Serve the pages; returns their address."""
        from companion.app.https_front import https_front  # loads the pages' server
        from web.app import create_app, prepare
        from web.language import LOCALE_FOLDER
        from web.middleware.hosts import Addresses
        from web.server import Server

        data, port, settings = self.options.data, self.options.port, self._settings
        address = settings.address or f"http://{lan_address()}:{port}"
        here = "" if NO_NETWORK in address else address
        for wrong in registry.GAMES.faults():
            log.error("%s", wrong)
        named = NamedTable(data, self.runner, port, lambda: opened.renamed())
        self.stack.callback(named.close)
        opened = self._open_plugins(named, here)
        system = system_actions(outputs, data, self.services, opened)
        system.notes = lambda: self._notes(opened)
        self._offer_more(system, self)
        front = https_front(settings, self._source.name, data, port)
        app = create_app(
            self.services,
            Translations((*registry.locale_folders(), LOCALE_FOLDER, *words(settings.switched_off))),
            addresses=Addresses(
                here or None,  # without a network yet: the address that browsers use
                settings.address,
                settings.https,
                None if front is None else front.port,
                tuple(settings.hosts),
                tuple(settings.frames),
            ),
            games={name: len(registry.demo_match(module)["seat"]) for name, module in registry.GAMES.items()},
            system=named.system(system, published=opened.publishes),
            first_phone=self._first_phone,
        )
        self._first_phone.open()  # the host's code is drawn before the first request
        secret = None if front is None else front.secret
        self.stack.enter_context(Server(app, port, proxy=settings.proxy, front=secret))
        self.stack.callback(prepare(app))
        if front is not None:
            self.stack.enter_context(front)
        return address

    def _open_plugins(self, named: NamedTable, address: str) -> TablePlugins:
        match = self.services.match
        opened = TablePlugins(
            self._settings,
            lambda section: TableForPlugin(
                self.options.data, section, address, lambda: named.box, match.newest, match.current
            ),
        )
        self.stack.callback(opened.close)
        self.stack.callback(match.subscribe(opened))
        return opened

    def _notes(self, opened: TablePlugins) -> tuple[HostNote, ...]:
        """What the host should know of this machine now."""
        backup, recording = self._keeper.fault, self._eye.recorder.broken_off
        return (
            *(() if backup is None else (HostNote(fault_text(backup)),)),
            *(() if recording is None else (HostNote(Text("note.recording")),)),
            *opened.notes(),
        )

    def _seen(self, look: Observation) -> None:
        self._heartbeat.eye_looked()
        self.runner.post(look)

    def _pressed(self, name: str, seat: Seat | None) -> None:
        if name == "host":
            self._first_phone.ask()
        for request in from_button(self.runner, name, seat):
            self.runner.post(request)
