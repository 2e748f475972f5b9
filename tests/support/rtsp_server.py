"""A camera on the wall: GStreamer's RTSP server, with Debian's own Python, in a process of its own.

Run as a program it sends the pictures of a folder (``00000.jpg``, …) again and again, as H.264.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, Self

PYTHON = "/usr/bin/python3"
RATE_HZ = 5
NEEDED = "import gi; gi.require_version('GstRtspServer', '1.0'); from gi.repository import Gst; Gst.init(None); "
NEEDED += "assert all(map(Gst.ElementFactory.find, ('x264enc', 'rtph264pay', 'jpegdec', 'multifilesrc')))"


def is_there() -> bool:
    """Whether Debian's packages for it are installed."""
    return (
        Path(PYTHON).exists()
        and subprocess.run([PYTHON, "-c", NEEDED], capture_output=True, check=False).returncode == 0
    )


class RtspServer:
    """The server as the tests hold it.

    Attributes:
        port: Where it listens; the same one after ``gone`` and ``back``.
    """

    def __init__(self, pictures: Path, port: int) -> None:
        self.port = port
        self._pictures = pictures
        self._program: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        self.back()
        return self

    def __exit__(self, *trouble: object) -> None:
        self.gone()

    @property
    def address(self) -> str:
        """As a person would type it."""
        return f"rtsp://ana:s3cret-Zq9@127.0.0.1:{self.port}/table"  # pragma: allowlist secret

    def back(self) -> None:
        """Listen."""
        words = [PYTHON, __file__, str(self._pictures), str(self.port)]
        self._program = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self._program.stdout is not None
        assert self._program.stdout.readline() == "listening\n"

    def stall(self) -> None:
        """Send nothing, and keep every connection."""
        assert self._program is not None
        self._program.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Send again."""
        assert self._program is not None
        self._program.send_signal(signal.SIGCONT)

    def gone(self) -> None:
        """Hang up, and listen no more."""
        if self._program is not None:
            self._program.kill()
            self._program.communicate()
            self._program = None


def serve(pictures: str, port: str) -> None:
    """Send them until killed."""
    import gi

    gi.require_version("GstRtspServer", "1.0")
    from gi.repository import GLib, Gst, GstRtspServer

    Gst.init(None)
    server: Any = GstRtspServer.RTSPServer.new()
    server.set_service(port)
    factory: Any = GstRtspServer.RTSPMediaFactory.new()
    last = len(list(Path(pictures).glob("*.jpg"))) - 1
    factory.set_launch(
        f'( multifilesrc location="{pictures}/%05d.jpg" loop=true start-index=0 stop-index={last} '
        f"caps=image/jpeg,framerate={RATE_HZ}/1 ! jpegdec ! videoconvert ! video/x-raw,format=I420 ! "
        "x264enc tune=zerolatency speed-preset=ultrafast bitrate=16000 key-int-max=10 ! identity sync=true ! "
        "rtph264pay name=pay0 config-interval=1 )"
    )
    factory.set_shared(True)
    server.get_mount_points().add_factory("/table", factory)
    if not server.attach(None):
        sys.exit(1)
    print("listening", flush=True)
    GLib.MainLoop().run()


if __name__ == "__main__":
    serve(*sys.argv[1:])
