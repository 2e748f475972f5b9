"""A table in use: camera, referee, lamp, buttons, phones and broker, wired together and run until told to stop."""

from __future__ import annotations

import argparse
import logging
import os
import signal
import sys
import threading
from collections.abc import Callable, Collection, Mapping
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion import __version__
from companion.cli.frame_sources import (
    RATE_HZ,
    PacedFrames,
    ResumedFrames,
    live_frames,
    phone_pictures,
    usual_source,
)
from companion.cli.host.recording import HostRecording
from companion.cli.host.restore import HostRestore
from companion.cli.host.update import HostUpdate
from companion.cli.host.wifi import HostWifi
from companion.cli.live_table import LiveTable, check_simulated, live_table
from companion.cli.named_table import NamedTable
from companion.cli.output import DONE, become_owner, data_folder, say
from companion.cli.restore import clear_unfinished_backups, give_back_trial, open_backup, settle
from companion.cli.table_recorder import RecordingRequest, TableRecorder, prepare_folder
from companion.errors import DeviceError, Fault, InputError, LogError, fault
from companion.games import registry
from companion.games.protocol import Game, GameModule
from companion.games.registry import demo_match
from companion.public import layout
from companion.public.box_check import BoxPiece, BoxReading
from companion.public.codes import sticker_text
from companion.public.i18n import Translations
from companion.public.pictogram import Pictogram
from companion.public.service import PrintOrder, SystemActions
from companion.public.sources import PHONE, is_camera, shown_source
from companion.public.table import Observation, Seat, Token
from companion.public.text import JSON
from companion.public.updates import Signal, Update
from companion.service.archive import rematch_header
from companion.service.box_checker import BoxChecker
from companion.service.card_photos import CardPhotos
from companion.service.first_phone import FirstPhone, ask_for_first_phone
from companion.service.join_codes import host_codes
from companion.service.phone_camera import PhoneCamera
from companion.service.requests import from_button
from companion.service.runner import MatchRunner
from companion.service.table_service import TableService
from companion.service.visiting import sitting
from companion.service.zone_editor import ZoneEditor
from companion.simulation.visitors import Visitors
from companion.storage import match_file
from companion.storage.backup import Keeper, backup_folders, open_or_recover
from companion.storage.event_log import StoredMatch, wall_clock
from companion.storage.exchange import confirm_start
from companion.storage.folder_lock import FolderLock
from companion.storage.settings import Settings, read_settings
from companion.storage.snapshots import SNAPSHOT_FOLDER, Snapshots, deserves_snapshot, disputed_token
from companion.system import card_reader
from companion.system.camera_check import examination, pictures, sight
from companion.system.console import NO_NETWORK, keep_issue_current, lan_address, print_greeting
from companion.system.home_wifi import can_join
from companion.system.memory import give_back, keep_together
from companion.system.own_wifi import own_wifi
from companion.system.systemd import Watchdog, kept_alive, may_shut_down, notify, shut_down, watchdog_s
from companion.system.update import can_update

if TYPE_CHECKING:  # each is loaded where it is used: OpenCV, gpiozero and Flask are not needed by all
    from hardware.panel import Panel
    from vision.process.supervisor import PreparedProcess, VisionProcess
    from vision.process.worker import SourceSpec


log = logging.getLogger(__name__)
NOT_ENDING = {
    # Nobody hears these, or they end nothing.
    *(signal.SIGKILL, signal.SIGSTOP, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU),
    *(signal.SIGCONT, signal.SIGCHLD, signal.SIGURG, signal.SIGWINCH),
    # A fault of the program itself: nothing orderly can follow.
    *(signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGABRT, signal.SIGTRAP, signal.SIGSYS),
}
"""Every other signal ends a program that does not listen to it, and a Pi would keep its lamp as it was."""


def run(arguments: argparse.Namespace) -> int:
    """Referee a table until told to stop."""
    os.umask(0o077)  # what is made here holds codes; nobody else reads it
    return _run(arguments)


def run_table(
    source: str | None,
    match: Path | None,
    port: int,
    data: Path,
    seed: int,
    speed: float,
    game: GameModule | None = None,
    request: RecordingRequest | None = None,
) -> int:
    """Referee a table until told to stop. Answers the command's exit status.

    Args:
        request: The recording to make of it, from its first picture on.

    Raises:
        InputError: The match, the settings or the source cannot be used.
        DeviceError: The camera, the pins or the port cannot be used.
        LogError: The matches cannot be kept in this data folder.
    """
    keep_together()
    heard: list[int] = []
    with ExitStack() as between:  # a backup is being taken: no table runs, and yet all is well
        while True:
            settle(data)
            try:
                with ExitStack() as stack:
                    table = Application(
                        source or usual_source(read_settings(data)), data, seed, speed, stack, named=source is not None
                    )
                    if request is not None:
                        table.recorder.request = request
                    _end_on_signals(heard, table.host.stop)
                    table.open(match, port, game)
                    if request is not None and table.host.match is None:
                        raise InputError(
                            f"{request.folder}: there is no match to record; name one with --match match.toml"
                        )
                    confirm_start(data)
                    between.close()
                    if not heard:
                        table.host.run()
                    if heard or not table.starts_anew:
                        return 0
                    between.enter_context(kept_alive())
            except (InputError, DeviceError, LogError) as wrong:
                if not give_back_trial(data, str(wrong)):
                    raise
                log.error("the backup could not be started with, and what was there is back: %s", wrong)


def _end_on_signals(heard: list[int], stop: Callable[[], None]) -> None:
    """Have every signal that would end the program write itself down in ``heard``, and call ``stop``.

    The next signal may come in the middle of that, on the same thread: so neither may take a lock, as an event of
    ``threading`` does. Whoever pressed Ctrl-C twice would wait for himself for ever.
    """

    def end(number: int, _: object) -> None:
        heard.append(number)
        stop()

    for number in signal.valid_signals() - NOT_ENDING:
        if signal.getsignal(number) is not signal.SIG_IGN or number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, end)  # nohup wants SIGHUP to stay unheard, and Python SIGPIPE


def record(arguments: argparse.Namespace) -> int:
    """Referee a table, and record it from its first picture on."""
    os.umask(0o077)
    folder: Path = arguments.folder
    prepare_folder(folder)
    request = RecordingRequest(
        folder, arguments.format or "", arguments.seconds, None if arguments.ring is None else 60 * arguments.ring
    )
    return _run(arguments, request)


def _run(arguments: argparse.Namespace, request: RecordingRequest | None = None) -> int:
    game = None if arguments.game is None else registry.game_module(arguments.game)
    data = data_folder(arguments.data)
    return run_table(
        arguments.source, arguments.match, arguments.port, data, arguments.seed, arguments.speed, game, request
    )


def begin_or_go_on(
    host: MatchRunner, file: Path | None, seeded: Mapping[str, JSON], named: GameModule | None = None
) -> None:
    """Go on with an unfinished match, or begin one.

    Args:
        file: Play this match: the unfinished one that was begun from the same match and deck, whatever its seed, else
            anew. Without it: the one that was begun last, else none, but on the simulated table the demonstration.
        seeded: What a simulated match has in its header more. It does not go on under a camera, nor a real one without.
        named: Only a match of this game, where somebody asked for one; else any, and the default one's demonstration.

    Raises:
        InputError: The file holds no playable match, or one of another game than the one named.
    """

    def suits(stored: StoredMatch) -> bool:
        if named is not None and game_of(stored.header) is not named:
            return False
        if seeded and "simulated" in stored.header:
            try:
                check_simulated(stored.header)
            except InputError as wrong:
                log.error("%s is not gone on with: %s", stored.id, wrong)
                return False
        return ("simulated" in stored.header) == bool(seeded)

    if file is not None:
        header = {**match_file.read_match(file).header, **seeded}
        if named is not None and game_of(header) is not named:
            raise InputError(f"{file}: is a match of {game_of(header).name}, not of {named.name}; leave out --game")
        if seeded:
            check_simulated(header)

        def is_same(stored: StoredMatch) -> bool:
            return suits(stored) and all(stored.header.get(key) == header.get(key) for key in ("match", "deck"))

        if not host.resume(is_same):
            host.begin(header)
    elif not host.resume(suits) and seeded:
        module = named or registry.DEFAULT_GAME
        host.begin({"match": demo_match(module), "deck": registry.demo_deck(module), **seeded})


def game_of(header: Mapping[str, JSON]) -> GameModule:
    """The game that a stored match is one of."""
    return registry.match_module(header["match"], header.get("deck"))


class Application:
    """Everything that a table in use has, wired together around one ``MatchRunner``.

    Args:
        source: Where pictures come from, as ``--source`` names it (docs/contract.md, section 2). It may hold a
            password: only ``shown_source`` of it is ever said.
        stack: Closes in reverse order what is opened here.
        named: Whether somebody asked for this source; then it must be there from the start.
    """

    def __init__(
        self, source: str, data: Path, seed: int, speed: float, stack: ExitStack, *, named: bool = False
    ) -> None:
        from vision.process.supervisor import prespawn

        stack.enter_context(FolderLock(data))
        clear_unfinished_backups(data)
        self._prepared: PreparedProcess | None = prespawn()  # its libraries load while the rest gets ready
        stack.callback(self._prepared.close)
        self.source = source
        self.starts_anew = False
        self._named = named
        self._data = data
        self._seed = seed
        self._speed = speed
        self._stack = stack
        self._settings: Settings = read_settings(data)
        folders = backup_folders(data, self._settings)
        self._log = open_or_recover(data, folders)
        stack.callback(self._log.close)
        for missing in self._log.gone():
            log.error("%s is missing: entries of it were written down, and the match is no longer there", missing)
        for stored, damage in self._log.damages():
            log.error("%s %s", stored, damage)
        stack.callback(Keeper(self._log, folders).close)
        self._snapshots = Snapshots(data / SNAPSHOT_FOLDER, {stored.id for stored in self._log.each_match()})
        stack.callback(self._snapshots.close)
        self.host = MatchRunner(self._log, _open_game, wall_clock=wall_clock, on_match_started=self._open_eye)
        self._zones = ZoneEditor(data, lambda: self._eye)
        self._visitors = Visitors(partial(sitting, self.host)) if self.simulated else None
        self._phone = PhoneCamera() if source == PHONE else None
        if self._phone is not None:
            stack.callback(self._phone.close)
        self._eye: VisionProcess | None = None
        self.recorder = TableRecorder(
            self.host,
            lambda: self._eye,
            lambda: self._zones.current,
            {} if self._settings.document is None else self._settings.document.content,
            {"source": shown_source(source), "version": __version__},
        )
        self.services = TableService(
            self.host,
            source=shown_source(source),
            version=__version__,
            picture=self._snapshot,
            sight=lambda: sight(self._eye),
            pictures=lambda: pictures(self._eye, None if self._phone is None else self._phone.trouble()),
            complete=self._complete_match,
            snapshots=self._snapshots,
            decks=data / "decks",
            card_photo=_card_photo,
            zones=self._zones,
            visitors=self._visitors,
            box=BoxChecker(
                self.host, simulated=self.simulated, picture=self._whole_picture, read=_read_box, pieces_of=box_pieces
            ),
            phone=self._phone,
            recording=HostRecording(self.host, self.recorder, lambda: self._eye, data),
            photos=CardPhotos(
                self.host,
                simulated=self.simulated,
                picture=self._whole_picture,
                read=card_reader.read_cards,
                can_read=card_reader.can_read,
            ),
        )
        self._watchdog: Watchdog | None = None
        self._live: LiveTable | None = None
        self.host.subscribe(self._keep)
        self._first_phone = FirstPhone(self._log, data, by_itself=not sys.stdout.isatty())
        self.services.match.on_host = self._first_phone.host_came
        stack.callback(self._close_eye)

    @property
    def simulated(self) -> bool:
        """No camera, but drawn pictures of a match played by dice."""
        return self.source == "simulated"

    def open(self, match: Path | None, port: int, game: GameModule | None = None) -> None:
        """Open the door, light the lamp, and begin or go on with a match; ``game``: one that somebody asked for."""
        from web.server import check_free

        check_free(port)
        self._check_source()
        panel = open_panel(self._settings, self._stack, self._pressed)
        self.host.subscribe(panel)
        address = self._open_door(port, panel)
        self._first_phone.open()
        begin_or_go_on(self.host, match, self._seeded(), game)
        if self.host.match is None and is_camera(self.source):
            self._preview(game or registry.DEFAULT_GAME)
        print_greeting(address, host_codes(self._log), simulated=self.simulated)
        self._stack.callback(keep_issue_current(port, lambda: host_codes(self._log)[1]))
        self._start_heart()

    def _check_source(self) -> None:
        """Say at once what is wrong with a source that somebody named; the service's own camera may come later."""
        if self._named and not self.simulated and self._phone is None:
            from vision.camera.sources import open_source

            source = open_source(self.source)
            if "NOTIFY_SOCKET" not in os.environ:
                with source:
                    pass

    # -- matches ---------------------------------------------------------------------------------

    def _seeded(self) -> dict[str, JSON]:
        return {"simulated": {"seed": self._seed}} if self.simulated else {}

    def _complete_match(self, match: Mapping[str, JSON]) -> Mapping[str, JSON]:
        """A match begun on a page, with its deck: the built-in one, or a file of the data folder."""
        named = match.get("deck")
        if named is None:
            deck = registry.demo_deck(registry.match_module(match))
        else:
            if not isinstance(named, str) or Path(named).name != named:
                raise InputError(fault("match.fault.deck", "name a deck file of this table", "deck"))
            deck = match_file.read_deck(self._data / "decks" / named)
        header: dict[str, JSON] = {"match": match, "deck": deck, **self._seeded()}
        registry.open_match(match, deck)
        if self.simulated:
            check_simulated(header)
        return header

    def _open_eye(self, stored: StoredMatch, game: Game[Any, Any]) -> None:
        """A match has begun or goes on: show the eye where its zones lie and which stickers count."""
        from vision.process.supervisor import VisionProcess

        self._close_eye()
        table = stored.header["match"].get("table")
        own = layout.read_layout(table) if table is not None else game.layout() if self.simulated else None
        zones = self._zones.begin(
            own or self._settings.layout or game.layout(), fixed=own is not None, same_place=game.same_place
        )
        frames = self._camera()
        if self.simulated:
            seed = stored.header["simulated"]["seed"]
            next_match = partial(self._play_next, stored)
            self._live = live_table(
                self.host, stored.id, stored.header, seed, self._speed, RATE_HZ, next_match, self._visitors
            )
            drawings = card_pictograms(stored.header["deck"])
            frames = partial(live_frames, self._live.address, stored.header, seed, self._speed, drawings)
        elif not is_camera(self.source):
            frames = ResumedFrames(partial(PacedFrames, self.source), self.host.played_s)
        prepared, self._prepared = self._prepared, None
        self._eye = VisionProcess(
            frames,
            zones,
            registry.sticker_codes(game),
            self._seen,
            shapes=game.shapes,
            on_snapshot=lambda picture: self._snapshots.keep(stored.id, picture.entry or 0, picture.jpeg),
            on_plan=self.recorder.planned,
            on_recorded=self.recorder.recorded,
            on_end=self._film_over,
            live=is_camera(self.source) or self.simulated,
            prepared=prepared,
        )
        self.recorder.eye_opened()
        self._eye.start()
        give_back()  # the match before is nobody's now

    def _preview(self, module: GameModule) -> None:
        """Before the first match the eye looks already, so that the camera can be hung and the light be tried."""
        from vision.process.supervisor import VisionProcess

        game = registry.open_match(demo_match(module), registry.demo_deck(module)).game
        layout = self._zones.begin(self._settings.layout or game.layout(), same_place=game.same_place)
        self._eye = VisionProcess(self._camera(), layout, registry.sticker_codes(game), self._seen, shapes=game.shapes)
        self._eye.start()

    def _camera(self) -> SourceSpec:
        """What the eye opens."""
        return self.source if self._phone is None else partial(phone_pictures, self._phone.address)

    def _close_eye(self) -> None:
        if self._eye is not None:
            self._eye.close()
            self._eye = None
            self.recorder.eye_closed()
        if self._live is not None:
            self._live.close()
            self._live = None

    def _snapshot(self) -> bytes | None:
        return None if self._eye is None else self._eye.snapshot()

    def _whole_picture(self) -> bytes | None:
        return None if self._eye is None else self._eye.snapshot(whole=True)

    def _keep(self, news: Update) -> None:
        """Around refusals, questions and disputes the eye keeps a few pictures."""
        match = self.host.match
        wanted = None if match is None else deserves_snapshot(match.game, news.entry or {})
        if self._eye is not None and match is not None and wanted is not None and news.signal is not Signal.STARTED:
            self._eye.keep(*wanted, disputed_token(match.game, news.entry or {}))

    def _seen(self, look: Observation) -> None:
        self._beat("eye")
        self.host.post(look)

    def _film_over(self, why: str | None) -> None:
        """A recording is at its end."""
        self.recorder.film_over()
        log.warning("%s is at its end: %s", shown_source(self.source), why or "there are no more pictures")

    def _play_next(self, watched: StoredMatch) -> None:
        """The end of a simulated match was looked at for long enough: the next one begins."""

        def rematch() -> None:
            if self.host.stored is watched and self.host.match is not None:
                entries = [line.entry for line in self.host.match.record.lines]
                self.host.begin(rematch_header(watched.header, entries))

        self.host.submit(rematch)

    def _start_anew(self) -> None:
        """End this table; whoever opened it opens the next one, with what is in the data folder then."""
        self.starts_anew = True
        self.host.stop()

    # -- doors and lamps -------------------------------------------------------------------------

    def _open_door(self, port: int, panel: Panel) -> str:
        from companion.system.https_front import https_front  # loads the pages' server
        from web.app import create_app
        from web.language import LOCALE_FOLDERS
        from web.server import Server

        address = f"http://{lan_address()}:{port}"
        front = https_front(self._settings, self.source, self._data, port)
        here = "" if NO_NETWORK in address else address
        named = NamedTable(self._data, self._settings.mqtt, self.host, self.services.match, here, port)
        self._stack.callback(named.close)
        app = create_app(
            self.services,
            Translations((*registry.locale_folders(), *LOCALE_FOLDERS)),
            address=here or None,  # a network may yet come; then as browsers reach it
            hosts=self._settings.hosts,
            frames=self._settings.frames,
            https=self._settings.https,
            tls_port=None if front is None else front.port,
            system=named.system(
                replace(
                    system_actions(panel, examination(self._data, self.services.setup.health)),
                    backup=partial(open_backup, self._data),
                    # A recording that was begun at a prompt is of one table from its first picture on.
                    restore=None
                    if self.recorder.request is not None
                    else HostRestore(self.host, self._data, self._start_anew),
                    update=HostUpdate(self._data) if can_update(self._data) else None,
                    wifi=self._home_wifi() if can_join(self._data) else None,
                    own_wifi=own_wifi,
                )
            ),
            claim_host=self._first_phone.claim,
            can_claim_host=self._first_phone.is_open,
        )
        secret = None if front is None else front.secret
        self._stack.enter_context(Server(app, port, proxy=self._settings.proxy, front=secret))
        if front is not None:
            self._stack.enter_context(front)
        return address

    def _home_wifi(self) -> HostWifi:
        wifi = HostWifi(self._data)
        self._stack.callback(wifi.close)
        wifi.look_around()
        return wifi

    def _pressed(self, name: str, seat: Seat | None) -> None:
        if name == "host":
            self._first_phone.ask()
        for request in from_button(self.host, name, seat):
            self.host.post(request)

    # -- signs of life ---------------------------------------------------------------------------

    def _beat(self, sign: str) -> None:
        if self._watchdog is not None:
            self._watchdog.beat(sign)

    def _start_heart(self) -> None:
        """Tell the service manager that all is well, for as long as it is."""
        notify("READY=1")
        if (limit_s := watchdog_s()) is None:
            return
        watchdog = Watchdog(("eye", "referee") if self._eye is not None else ("referee",), limit_s)
        self._watchdog = watchdog
        over = threading.Event()
        self._stack.callback(over.set)

        def heart() -> None:
            while not over.wait(limit_s / 4):
                self.host.submit(lambda: self._beat("referee"))
                watchdog.feed()

        threading.Thread(target=heart, name="heart", daemon=True).start()


def ask_for_host(arguments: argparse.Namespace) -> int:
    """Let the first phone become host once more."""
    folder = data_folder(arguments.data)
    become_owner(folder)
    try:
        ask_for_first_phone(folder)
    except OSError as error:
        raise InputError(
            Fault(f"{folder} takes nothing ({error.strerror}): use --data, or the user it belongs to")
        ) from error
    say("For one minute the first phone that presses the button on the scoreboard becomes the host.")
    return DONE


def open_panel(settings: Settings, stack: ExitStack, pressed: Callable[[str, Seat | None], None]) -> Panel:
    """The panel as it is wired; its buttons say what was ``pressed``. Closed with ``stack``.

    Raises:
        InputError: The wiring in the settings is wrong.
        DeviceError: The pins cannot be used.
    """
    from hardware.buttons import Buttons
    from hardware.panel import Panel
    from hardware.pins import pin_factory
    from hardware.wiring import DEFAULT_WIRING, parse_wiring

    wired = DEFAULT_WIRING
    if settings.panel is not None and settings.document is not None:
        wired = settings.document.located(lambda content: parse_wiring(content["panel"]))
    factory = pin_factory()
    stack.callback(factory.close)
    panel = Panel(wired, factory)
    stack.callback(panel.close)
    buttons = Buttons(wired, factory, pressed)
    stack.callback(buttons.close)
    return panel


def system_actions(panel: Panel, examine: Callable[[], tuple[JSON, ...]] | None = None) -> SystemActions:
    """What a box with this panel can do; switching off only where the system lets the companion do it.

    Args:
        examine: The doctor, see ``companion.system.camera_check.examination``.
    """

    from companion.system.printing.orders import printed

    def set_quiet(night: bool, mute: bool) -> None:
        panel.set_quiet(night=night, mute=mute)

    return SystemActions(
        sheets=printed,
        set_quiet=set_quiet,
        lamp=lambda: panel(Update(None, Signal.PRIZE)),
        shut_down=shut_down if may_shut_down() else None,
        examine=examine,
    )


def card_pictograms(deck: JSON) -> dict[Token, Pictogram]:
    """What is drawn on the cards of a simulated table, by their stickers."""
    from web.games.registry import GAME_PAGES

    module = registry.deck_module(deck)
    pictogram_of = GAME_PAGES[module.name].pictogram_of
    drawn = {label.token: pictogram_of(label.names) for label in module.stickers(deck).cards}
    return {token: pictogram for token, pictogram in drawn.items() if pictogram is not None}


def box_pieces(typed: JSON | None, game: str | None) -> dict[str, BoxPiece]:
    """What belongs into a box, by what its sticker says: cards, the game's other pieces, command cards and seat tags.

    Raises:
        InputError: A deck with faults, or no such game.
    """
    from companion.system.printing.orders import ordered_deck
    from companion.system.sticker_sheets import labels

    module, deck = ordered_deck(PrintOrder(deck=typed, game=game))
    return {
        sticker_text(label.token, label.letters): BoxPiece(label.token, label.names, label.prefix)
        for group in labels(module.stickers(deck))
        for label in group
    }


def _read_box(picture: bytes, texts: Collection[str]) -> BoxReading:
    from vision.codes.box_reading import read_box  # loads OpenCV, which only a picture needs

    return read_box(picture, texts)


def _card_photo(picture: bytes) -> bytes:
    from vision.card_photo import card_photo  # loads OpenCV, which only a picture needs

    return card_photo(picture)


def _open_game(header: Mapping[str, JSON]) -> Game[Any, Any]:
    return registry.open_match(header["match"], header["deck"]).game
