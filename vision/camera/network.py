"""Network cameras: the streams of phone webcam apps and security cameras, read by PyAV (FFmpeg)."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import av
from av.container import InputContainer

from companion.errors import InputError
from companion.public.sources import host_and_port, is_network, shown_source
from vision.camera.film import Decoder, shown_stream, upright
from vision.camera.frame import Frame, Gray, OpenedAndClosed, make_frame
from vision.camera.packed import unpack
from vision.camera.trouble import CameraTrouble, Trouble

KNOCK_S = 3.0
"""A camera in the home network accepts a connection within this time, or not at all."""

OPEN_S, READ_S = 8.0, 5.0
"""Time limits of FFmpeg for opening a stream, and for waiting for data. Both are shorter than the supervisor's, so that
the error names the cause and not just a hang."""

COMPRESSED_FROZEN_S = 30.0
"""H.264 cameras may signal "no change" for ten seconds over a still table, which gives identical pictures."""

POLL_S = 0.2
"""An address that gives one picture at a time is asked this often."""

OPENED_WITH = {"tls_verify": "0"}
"""A camera at home signs its own certificate."""

DAMAGED_IN_A_ROW = 30
"""Pictures that were damaged on the way are skipped; after this many the stream is unusable."""

KEY_PICTURE_S = 20.0
"""In H.264 most pictures only tell how they differ from the one before. Cameras send one that needs no other every
second, some every ten: until it comes, at the beginning and after a loss, there is nothing to see."""


class NetworkCamera(OpenedAndClosed):
    """A camera at an address: ``http://…`` (MJPEG, or single pictures) or ``rtsp://…``.

        >>> NetworkCamera("rtsp://guest:secret@192.168.1.30/live").name  # pragma: allowlist secret
        'rtsp://192.168.1.30'

    Attributes:
        name: The address without user, password and path.
        frozen_after_s: Identical pictures for this long mean that the camera has stopped.
        stalled_after_s: So does no picture at all for this long; ``None`` = as usual.

    Raises:
        InputError: The address is malformed.
    """

    live = True

    def __init__(self, address: str, *, open_s: float = OPEN_S, read_s: float = READ_S) -> None:
        self.name = shown_source(address)
        place = host_and_port(address) if is_network(address) else None
        if place is None:
            raise InputError(
                f"{self.name}: this address cannot be read; write it as http://HOST:PORT/PATH or "
                "rtsp://USER:PASSWORD@HOST/PATH, "  # pragma: allowlist secret
                "with @ as %40, / as %2F and : as %3A in user and password."
            )
        scheme, _, rest = address.partition("://")
        self._address, self._place = f"{scheme.lower()}://{rest}", place
        self._open_s, self._read_s = open_s, read_s
        self._forms: tuple[str | None, ...] = (None, "mjpeg") if scheme.lower() in ("http", "https") else (None,)
        self._stream: InputContainer | None = None
        self._in_use = threading.Lock()
        self.frozen_after_s = COMPRESSED_FROZEN_S if address.lower().startswith("rtsp") else None
        self.stalled_after_s: float | None = None

    def open(self) -> None:
        """Connect, and wait until the format of the stream is known.

        Raises:
            CameraTrouble: Nothing answers there, or it is not a video.
        """
        try:
            socket.create_connection(self._place, KNOCK_S).close()
        except OSError:
            raise CameraTrouble(
                Trouble.UNREACHABLE, f"{self.name} does not answer: is it on, and in this network?"
            ) from None
        self._stream = self._connected()

    def _connected(self) -> InputContainer:
        """The opened stream.

        Browsers also show JPEG pictures between which boundary, kind or length are missing or wrong. FFmpeg does so if
        it is told to look for nothing but pictures, each of which it then knows to be whole when the next one begins.
        """
        options = {**OPENED_WITH, "rtsp_transport": "tcp"} if self._address.startswith("rtsp") else OPENED_WITH
        for number, form in enumerate(self._forms):
            try:
                stream = av.open(self._address, format=form, options=options, timeout=(self._open_s, self._read_s))
            except av.InvalidDataError:
                continue
            except (av.FFmpegError, OSError, ValueError):  # their words contain the address
                break
            # A name that ends in .jpg is taken for a file on a disk, which can be read only once.
            if shown_stream(stream) is not None and stream.format.name != "image2":
                self._forms = self._forms[number:]
                return stream
            stream.close()
        raise CameraTrouble(
            Trouble.NO_VIDEO,
            f"{self.name} answers, but sends no video: check path, user and password of its address.",
        )

    def close(self) -> None:
        """Close the camera; if it is being read, wait until the read ends."""
        if self._in_use.acquire(timeout=self._read_s + 1.0):
            try:
                self._hang_up()
            finally:
                self._in_use.release()

    def _hang_up(self) -> None:
        if self._stream is not None:
            self._stream.close()
        self._stream = None

    def _is_closed(self) -> bool:
        """Another thread may have closed it."""
        return self._stream is None

    def __iter__(self) -> Iterator[Frame]:
        if self._stream is None:
            self.open()
        while True:
            began_s = time.monotonic()
            given, forms = 0, self._forms
            for frame in self._frames():
                given += 1
                yield frame
            if self._is_closed():
                return
            # A stream goes on; an address that ended after one picture gives the next one when it is asked again.
            if forms == self._forms:
                if given != 1 or not self._address.startswith("http"):
                    raise CameraTrouble(Trouble.ENDED, f"{self.name} gives no more pictures: was it switched off?")
                time.sleep(max(0.0, began_s + POLL_S - time.monotonic()))
            with self._in_use:
                if self._is_closed():
                    return
                self._hang_up()
                self._stream = self._connected()

    def _frames(self) -> Iterator[Frame]:
        """The frames of one connection.

        Raises:
            CameraTrouble: Nothing comes, or nothing that can be used.
        """
        opened = self._stream
        stream = None if opened is None else shown_stream(opened)
        if opened is None or stream is None:
            return
        decoder, packets, damaged = Decoder(stream), opened.demux(stream), 0
        patience_s = 0.0 if stream.codec_context.name == "mjpeg" else KEY_PICTURE_S
        self.stalled_after_s = patience_s or None
        usable_s = time.monotonic()
        while True:
            began_s = time.monotonic()
            with self._in_use:
                if self._is_closed():
                    return
                try:
                    packet = next(packets)
                    pictures = list(self._pictures(stream, decoder, packet))
                except (av.FFmpegError, StopIteration) as error:
                    if isinstance(error, av.InvalidDataError) and len(self._forms) > 1:
                        self._forms = self._forms[1:]  # what lies between the pictures cannot be understood
                        return
                    if (waited_s := time.monotonic() - began_s) < 0.9 * self._read_s:
                        return
                    why = f"{self.name} sent nothing for {waited_s:.0f} s: is it asleep, or its network weak?"
                    raise CameraTrouble(Trouble.STALLED, why) from None
            taken_s = time.monotonic()
            if not packet.size:
                return
            for gray in pictures:
                damaged, usable_s = 0, taken_s
                yield make_frame(gray, taken_s)
            damaged += not pictures
            if damaged >= DAMAGED_IN_A_ROW and taken_s - usable_s >= patience_s:
                raise CameraTrouble(Trouble.NO_VIDEO, f"{self.name} sends pictures that are damaged or far too large.")

    @staticmethod
    def _pictures(stream: av.VideoStream, decoder: Decoder, packet: av.Packet[Any]) -> Iterator[Gray]:
        """The pictures of a packet; JPEG is unpacked here, within limits, because anybody may have sent it."""
        if stream.codec_context.name == "mjpeg":
            gray = unpack(bytes(packet))
            if gray is not None:
                yield gray
        else:
            for picture in decoder.pictures(packet):
                yield upright(picture, stream)
