"""Serves the app with waitress, in its own threads."""

from __future__ import annotations

import gc
import socket
import sys
import threading
from types import TracebackType
from typing import Any

from flask import Flask
from waitress.server import create_server
from waitress.task import ThreadedTaskDispatcher

from companion.errors import DeviceError
from web.app import close
from web.middleware.access import PICTURE_LIMIT
from web.middleware.front import behind_front
from web.middleware.turns import WAITING
from web.push.sse import STREAMS

EVERYWHERE = "0.0.0.0"  # noqa: S104 - phones come over the Wi-Fi
THREADS = STREAMS + WAITING + 32
"""At most: one for each open stream and for each reader who waits for a turn, and enough for everything else."""

SWITCH_S = 0.00005
"""A thread that works lets another one go on after this time. A seat's press needs some forty such turns, each behind
every thread that works: with a millisecond, a press beside a hundred readers of a match took up to half a second; with
this, a tenth."""

GARBAGE_VALUES = 10_000
"""Allocations between garbage collections, during which everything waits. A page of a long match makes some 100,000
values and keeps them until it is drawn: with Python's 700 it is looked through two hundred times for nothing."""

CONNECTIONS = 800
"""Open connections at most; a process may usually open 1,024 files. Further clients wait until others have left."""

SILENT_S = 60
"""A connection without a request for this long is closed."""

UNREAD_BYTES = 256 * 1024
"""Bytes buffered for a slow client; beyond that, the thread that writes to it waits, and its event stream falls
behind."""


class ThreadsAsNeeded(ThreadedTaskDispatcher):
    """Starts a thread when somebody asks and none is idle, and keeps it.

    waitress starts all of them with the server: a tenth of a second of a fast processor, whoever comes. At the end all
    wake at once, and each waits for every other.

    Args:
        most: So many threads at most; further tasks wait for one.
    """

    def __init__(self, most: int) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._most = most
        self._adding = threading.Lock()  # two tasks that come at once do not count on the same idle thread

    def add_task(self, task: Any) -> None:
        """Have a task done, at once unless all threads are at work."""
        with self._adding:
            with self.lock:
                self.queue.append(task)
                running = len(self.threads) - self.stop_count
                waiting = len(self.queue) - (running - self.active_count)
                self.queue_cv.notify()
            if waiting > 0 and running < self._most:
                self.set_thread_count(running + 1)  # type: ignore[no-untyped-call]

    def shutdown(self, cancel_pending: bool = True, timeout: int = 5) -> bool:
        """End the threads; what comes later is not done."""
        with self._adding:
            self._most = 0
        return bool(super().shutdown(cancel_pending, timeout))  # type: ignore[no-untyped-call]


class Server:
    """A running server; close it, or use it in a ``with``.

        >>> from companion.public.i18n import Translations
        >>> from web.app import create_app
        >>> from web.language import LOCALE_FOLDER
        >>> app = create_app(services, Translations((LOCALE_FOLDER,)))
        >>> with Server(app, port=0, host="127.0.0.1") as server:  # any free port
        ...     server.port > 0
        True

    Args:
        app: From ``create_app``; its streams end with the server.
        port: 0 = any free port, see the attribute ``port``.
        host: The address to listen on.
        proxy: Address of a trusted proxy, whose ``X-Forwarded-For`` is believed.
        front: The secret of the table's own HTTPS, see ``web.middleware.front``; ``None`` = there is none.

    Raises:
        DeviceError: The port is taken or may not be used.
    """

    def __init__(
        self,
        app: Flask,
        port: int = 8080,
        host: str = EVERYWHERE,
        *,
        proxy: str | None = None,
        front: str | None = None,
    ) -> None:
        self._app = app
        listening = _listen(host, port)
        sys.setswitchinterval(SWITCH_S)
        gc.set_threshold(GARBAGE_VALUES)
        self.port: int = listening.getsockname()[1]
        self._server = create_server(  # type: ignore[no-untyped-call]
            app if front is None else behind_front(app, front),
            sockets=[listening],
            threads=0,
            connection_limit=CONNECTIONS,
            channel_timeout=SILENT_S,
            cleanup_interval=10,
            outbuf_high_watermark=UNREAD_BYTES,
            asyncore_use_poll=True,
            max_request_body_size=2 * PICTURE_LIMIT,  # the app itself refuses slightly larger bodies, with a sentence
            ident="companion",
            clear_untrusted_proxy_headers=True,
            **({"trusted_proxy": proxy, "trusted_proxy_headers": {"x-forwarded-for"}} if proxy else {}),
        )
        self._server.task_dispatcher = ThreadsAsNeeded(THREADS)
        self._closed = False
        self._woken = threading.Event()
        self._thread = threading.Thread(target=self._server.run, name="web", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the streams, finish answers in progress and stop; may be called twice."""
        if self._closed:
            return
        self._closed = True
        close(self._app)
        self._server.task_dispatcher.shutdown(timeout=5)
        self._server.trigger.pull_trigger(self._hang_up)
        self._woken.set()
        self._thread.join(timeout=10)

    def _hang_up(self) -> None:
        """Close every connection, in the serving thread; it ends when none is left."""
        self._woken.wait(timeout=5)  # another answer may have woken this thread before the trigger was done
        for channel in list(self._server.active_channels.values()):
            channel.handle_close()  # from here on no answer wakes the server
        self._server.close()

    def __enter__(self) -> Server:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def check_free(port: int, host: str = EVERYWHERE) -> None:
    """Check the port before anything else is opened.

    Raises:
        DeviceError: It is taken or may not be used.
    """
    _listen(host, port).close()


def _listen(host: str, port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen()
    except (OSError, OverflowError) as error:
        listening.close()
        raise DeviceError(
            f"Port {port} cannot be used ({error.strerror if isinstance(error, OSError) else error}): "
            "is the companion running already? Stop it or choose another with --port."
        ) from error
    return listening
