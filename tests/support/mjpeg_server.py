"""A camera in the network, as a phone's webcam app is one: MJPEG over HTTP, with every fault that Wi-Fi has."""

from __future__ import annotations

import base64
import threading
import time
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

import cv2
from support.flat_table import Laid, draw

RATE_HZ = 10.0
NOISES = 6
USER, PASSWORD = "ana", "s3cret-Zq9"  # pragma: allowlist secret


class MjpegServer:
    """Sends pictures of a drawn table to whoever asks, until it is closed.

    Attributes:
        state: ``well``; ``stalls``: the connection stands and nothing comes; ``same``: one picture again and again;
            ``small``: pictures of half the size; ``drops``: hangs up on everybody who is there and who comes;
            ``torn``: every second picture is cut off in the middle; ``words``: a page instead of pictures.
        asked: The paths that were asked for.
        port: Where it listens; the same one after ``gone`` and ``back``.
    """

    def __init__(self, cards: Sequence[Laid], *, guarded: bool = False) -> None:
        self.state = "well"
        self.asked: list[str] = []
        self.cards = cards
        self._guarded = guarded
        self._open = threading.Event()
        self._server: ThreadingHTTPServer | None = None
        self.port = 0
        self._drawn: dict[tuple[Any, ...], list[bytes]] = {}

    def __enter__(self) -> Self:
        self.back()
        return self

    def __exit__(self, *trouble: object) -> None:
        self.gone()

    @property
    def address(self) -> str:
        """As a person would type it."""
        who = f"{USER}:{PASSWORD}@" if self._guarded else ""
        return f"http://{who}127.0.0.1:{self.port}/video?token={PASSWORD}"

    def back(self) -> None:
        """Listen."""
        self._open.set()
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                server._answer(self)

            def log_message(self, *words: object) -> None:
                """Nobody reads it."""

        self._server = ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, name="mjpeg", daemon=True).start()

    def gone(self) -> None:
        """Hang up, and listen no more."""
        self._open.clear()
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None

    def _pictures(self) -> list[bytes]:
        small = self.state == "small"
        key = (small, tuple(self.cards))
        if key not in self._drawn:
            drawn = [draw(self.cards, seed=seed) for seed in range(NOISES)]
            if small:
                drawn = [cv2.resize(one, None, fx=0.8, fy=0.8, interpolation=cv2.INTER_AREA) for one in drawn]
            self._drawn[key] = [cv2.imencode(".jpg", one, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes() for one in drawn]
        return self._drawn[key]

    def _answer(self, asked: BaseHTTPRequestHandler) -> None:
        self.asked.append(asked.path)
        pair = base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
        if self._guarded and asked.headers.get("Authorization") != f"Basic {pair}":
            asked.send_response(401)
            asked.send_header("WWW-Authenticate", 'Basic realm="camera"')
            asked.end_headers()
            return
        if self.state == "drops":
            return
        asked.send_response(200)
        if self.state == "words":
            asked.send_header("Content-Type", "text/html")
            asked.end_headers()
            asked.wfile.write(b"<h1>IP camera</h1>")
            return
        asked.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        asked.end_headers()
        number = 0
        try:
            while self._open.is_set() and self.state != "drops":
                if self.state != "stalls":
                    pictures = self._pictures()
                    picture = pictures[0 if self.state == "same" else number % len(pictures)]
                    number += 1
                    if self.state == "torn" and number % 2:
                        picture = picture[: len(picture) // 2]
                    head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(picture)}\r\n\r\n"
                    asked.wfile.write(head.encode() + picture + b"\r\n")
                time.sleep(1 / RATE_HZ)
        except OSError:
            return
