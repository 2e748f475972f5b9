"""Runs a table until told to stop, and another one after a backup was brought back from a page."""

from __future__ import annotations

import logging
import signal
from collections.abc import Callable
from contextlib import ExitStack

from companion.app.table import RunningTable, TableOptions
from companion.errors import DeviceError, InputError, LogError
from companion.public.service import SystemActions
from companion.service.backups import give_back_trial, settle
from companion.storage.exchange import confirm_start
from companion.system.memory import keep_together
from companion.system.systemd import kept_alive

log = logging.getLogger(__name__)

NOT_ENDING = {
    # Nobody hears these, or they end nothing.
    *(signal.SIGKILL, signal.SIGSTOP, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU),
    *(signal.SIGCONT, signal.SIGCHLD, signal.SIGURG, signal.SIGWINCH),
    # A fault of the program itself: nothing orderly can follow.
    *(signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGABRT, signal.SIGTRAP, signal.SIGSYS),
}
"""Every other signal ends a program that does not listen to it, and a Pi would keep its lamp as it was."""


def run_table(
    options: TableOptions, offer_more: Callable[[SystemActions, RunningTable], None] = lambda *_: None
) -> None:
    """Referee a table until told to stop.

    Args:
        offer_more: As ``RunningTable`` has it.

    Raises:
        InputError: The match, the settings or the source cannot be used.
        DeviceError: The camera, the pins or the port cannot be used.
        LogError: The matches cannot be kept in this data folder.
    """
    keep_together()
    heard: list[int] = []
    with ExitStack() as between:  # a backup is being taken: no table runs, and yet all is well
        while True:
            settle(options.data)
            try:
                with ExitStack() as stack:
                    table = RunningTable(options, stack, offer_more)
                    end_on_signals(heard, table.runner.stop)
                    table.open()
                    confirm_start(options.data)
                    between.close()
                    if not heard:
                        table.runner.run()
                    if heard or not table.starts_anew:
                        return
                    between.enter_context(kept_alive())
            except (InputError, DeviceError, LogError) as wrong:
                if not give_back_trial(options.data, str(wrong)):
                    raise
                log.error("the backup could not be started with, and what was there is back: %s", wrong)


def end_on_signals(heard: list[int], stop: Callable[[], None]) -> None:
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
