"""A strip with WLED: what its JSON interface answers; https://kno.wled.ge/interfaces/json-api."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


class WledStrip:
    """Listens on a free port of this machine; use it in ``with``.

    Attributes:
        told: Each state that it was given.
        news: Set when it was given one.
    """

    def __init__(self) -> None:
        self.told: list[Any] = []
        self.news = threading.Event()
        strip = self

        class Answers(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                state = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                found = self.path == "/json/state"
                if found:
                    strip.told.append(state)
                    strip.news.set()
                self.send_response(200 if found else 404)
                self.end_headers()
                self.wfile.write(b'{"success":true}' if found else b"")

            def log_message(self, *said: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
        self.port = self._server.server_port
        self._thread = threading.Thread(target=self._server.serve_forever)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
