"""Runs a table until it is stopped, and another one after a backup was restored from a page."""

from __future__ import annotations

import logging
import signal
from collections.abc import Callable
from contextlib import ExitStack

from companion.app.table import RunningTable, TableOptions
from companion.errors import DeviceError, InputError, LogError
from companion.public.machine import SystemActions
from companion.storage.exchange import confirm_start
from companion.storage.restore import give_back_trial, settle
from companion.system.memory import keep_together
from companion.system.systemd import keep_alive

log = logging.getLogger(__name__)

NOT_ENDING = {
    # These cannot be caught, or do not end a program.
    *(signal.SIGKILL, signal.SIGSTOP, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU),
    *(signal.SIGCONT, signal.SIGCHLD, signal.SIGURG, signal.SIGWINCH),
    # A fault of the program itself: nothing orderly can follow.
    *(signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGABRT, signal.SIGTRAP, signal.SIGSYS),
}
"""Every other signal ends a program that does not handle it, and a Pi's lamp would stay as it was."""


def run_table(
    options: TableOptions, offer_more: Callable[[SystemActions, RunningTable], None] = lambda *_: None
) -> int | None:
    """Referee a table until it is stopped.

    Args:
        offer_more: See ``RunningTable``.

    Returns:
        The signal that ended it, if one did.

    Raises:
        InputError: The match, the settings or the source cannot be used.
        DeviceError: The camera, the pins or the port cannot be used.
        LogError: The matches cannot be stored in this data folder.
    """
    keep_together()
    received: list[int] = []
    with ExitStack() as between:  # while a backup is restored, no table runs, and that is fine
        while True:
            settle(options.data)
            try:
                with ExitStack() as stack:
                    table = RunningTable(options, stack, offer_more)
                    end_on_signals(received, table.runner.stop)
                    table.open()
                    confirm_start(options.data)
                    between.close()
                    if not received:
                        table.runner.run()
                    if received or not table.starts_anew:
                        return received[0] if received else None
                    between.enter_context(keep_alive())
            except (InputError, DeviceError, LogError) as wrong:
                if not give_back_trial(options.data, str(wrong)):
                    raise
                log.error("the backup could not be started with, and what was there is back: %s", wrong)


def end_on_signals(received: list[int], stop: Callable[[], None]) -> None:
    """On every signal that would end the program, append it to ``received`` and call ``stop``.

    The next signal may arrive in the middle of that, on the same thread. So neither may take a lock, as an event of
    ``threading`` does: pressing Ctrl-C twice would wait forever.
    """

    def end(number: int, _: object) -> None:
        received.append(number)
        stop()

    for number in signal.valid_signals() - NOT_ENDING:
        if signal.getsignal(number) is not signal.SIG_IGN or number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, end)  # nohup ignores SIGHUP, and Python SIGPIPE
