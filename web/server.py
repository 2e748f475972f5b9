"""Serves the app with waitress in threads of its own."""

from __future__ import annotations

import gc
import socket
import sys
import threading
import time
from types import TracebackType

from flask import Flask
from waitress import wasyncore
from waitress.server import create_server

from companion.errors import DeviceError
from web.accept_filter import AcceptFilter
from web.app import close
from web.connections import Channel, Dispatcher, Parser, admit, hang_up_on_dawdlers
from web.event_loop import EventLoop
from web.middleware.access import PICTURE_LIMIT

EVERYWHERE = "0.0.0.0"  # noqa: S104 - phones come over the Wi-Fi
THREADS = 256
"""One for each open stream, and enough for everything else."""

SWITCH_S = 0.001
"""How long one thread computes while others could; with Python's own 5 ms a press waits so long for each of a crowd."""

CONNECTIONS = 500
"""Open at most; with those before the accept filter fewer than the 1,024 files that a process may usually open."""

BACKLOG = 1024
"""Connections that may wait to be taken; who finds no room there tries again after a second at the earliest."""

DEFER_S = 10
"""For about so long the system keeps a connection on which nothing was said yet, which costs nobody anything."""

OUTPUT_LIMIT = 256 * 1024
"""Bytes of an answer that wait for their reader before whoever makes it waits too."""


class Server:
    """A running server; close it, or use it in a ``with``.

    Args:
        app: From ``create_app``; its streams end with the server.
        port: 0 = any that is free; ``port`` says which.
        host: The address to listen on.
        proxy: The address of a proxy before this server, which says for whom it asks; nobody else is believed that.

    Raises:
        DeviceError: The port is taken or may not be used.
    """

    def __init__(self, app: Flask, port: int = 8080, host: str = EVERYWHERE, *, proxy: str | None = None) -> None:
        self._app = app
        listening = _listen(host, port)
        self.port: int = listening.getsockname()[1]
        self._loop = EventLoop()
        self._dispatcher = Dispatcher()
        self._dispatcher.set_thread_count(THREADS)  # type: ignore[no-untyped-call]
        sys.setswitchinterval(SWITCH_S)
        gc.freeze()  # what is there by now stays: looking through all of it for garbage would hold up a press
        self._server = create_server(  # type: ignore[no-untyped-call]
            app,
            map=self._loop.open,
            _dispatcher=self._dispatcher,
            sockets=[listening],
            threads=THREADS,
            backlog=BACKLOG,
            channel_timeout=60,
            cleanup_interval=10,
            outbuf_high_watermark=OUTPUT_LIMIT,
            max_request_body_size=2 * PICTURE_LIMIT,  # what is not much larger is refused with a sentence
            ident="companion",
            clear_untrusted_proxy_headers=True,
            **({"trusted_proxy": proxy, "trusted_proxy_headers": {"x-forwarded-for"}} if proxy else {}),
        )
        parser = type("AppParser", (Parser,), {"app": app})
        own = {"parser_class": parser, "proxy": proxy, "loop": self._loop}
        self._server.channel_class = type("AppChannel", (Channel,), own)
        self._server.accepting = False  # what comes is taken by the filter
        self._newcomers = AcceptFilter(listening, self._server.pull_trigger)
        self._closed = False
        self._woken = threading.Event()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._serve, name="web", daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        look_at_s = 0.0
        # waitress's own loop knows no way out but an exception; sockets are closed by the thread that polls them.
        while not self._stopping.is_set():
            self._loop.run(min(1.0, self._dispatcher.wake_due()))
            while len(self._loop.open) < CONNECTIONS and (ready := self._newcomers.take_ready()):
                admit(self._server, *ready)
            if time.monotonic() >= look_at_s:
                look_at_s = time.monotonic() + 1
                hang_up_on_dawdlers(self._server.active_channels.values())
                self._loop.ask_all()
        # The trigger must not be closed before whoever stops this has pulled it.
        self._woken.wait(timeout=5)
        self._server.task_dispatcher.shutdown(timeout=5)
        wasyncore.close_all(self._loop.open, ignore_all=True)  # type: ignore[no-untyped-call]
        self._loop.close()

    def close(self) -> None:
        """End the streams and stop serving; safe to call twice."""
        if self._closed:
            return
        self._closed = True
        close(self._app)
        self._newcomers.close()
        self._stopping.set()
        self._server.pull_trigger()
        self._woken.set()
        self._thread.join(timeout=10)
        gc.unfreeze()

    def __enter__(self) -> Server:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def check_free(port: int, host: str = EVERYWHERE) -> None:
    """A port that is taken is said before anything else is opened.

    Raises:
        DeviceError: It is taken or may not be used.
    """
    _listen(host, port).close()


def _listen(host: str, port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_DEFER_ACCEPT, DEFER_S)
        listening.bind((host, port))
        listening.listen(BACKLOG)
    except (OSError, OverflowError) as error:
        listening.close()
        raise DeviceError(
            f"Port {port} cannot be used ({error.strerror if isinstance(error, OSError) else error}): "
            "is the companion running already? Stop it or choose another with --port."
        ) from error
    return listening
