"""Films, read by PyAV (FFmpeg): each picture with its own time, and none that the decoder made up."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any, cast

import av
import cv2
import numpy as np
from av.container import InputContainer

from companion.errors import InputError
from vision.camera.frame import Frame, Gray, OpenedAndClosed, make_frame
from vision.camera.packed import is_whole

PAUSE_S = 1.0
"""If the next picture comes later than this, nothing was written because nothing changed: the picture stands still."""
PAUSE_STEP_S = 0.1
"""A picture that stands still is looked at this often, as one of a folder."""
STANDS_S = 60.0
"""It is looked at for this long at most: after that nothing new would be concluded from it."""
CUT_OFF_S = 1.0
"""A film that ends this long before the end that it names is cut off; recorders round a second."""
USUAL_RATE_HZ = 25.0
"""For a film that has neither times nor a rate."""
OPENED_WITH = {"probesize": "50000000", "analyzeduration": "30000000", "protocol_whitelist": "file"}
"""FFmpeg looks for the first picture in this many bytes and microseconds; and a film names no other files."""
UNKNOWN_FORM = "its pictures are packed in a form that cannot be read here; record as H.264."
HEAD_BYTES = 512
LONGEST_PIXEL = 4.0
"""The largest ratio of a pixel's sides, in old camcorders' films; one that is larger is an error."""


class VideoFile(OpenedAndClosed):
    """A film as a player shows it: each picture from its own time on, until the time of the next one.

    Times count from the first picture. The container's rate, length and count of pictures are not believed.

    Attributes:
        pictures: Their number, if the film has a list of them.
        remarks: Known after the last frame: a sentence for each thing that is wrong with the film.
    """

    live = False

    def __init__(self, path: Path) -> None:
        self.name = str(path)
        self.pictures: int | None = None
        self.remarks: tuple[str, ...] = ()
        self._path = path
        self._film: InputContainer | None = None

    def open(self) -> None:
        """Open the file.

        Raises:
            InputError: It is not a film, has no pictures, or has them in a form that FFmpeg does not know.
        """
        self.close()
        try:
            with self._path.open("rb") as file:
                head = file.read(HEAD_BYTES)
        except OSError as error:
            raise InputError(f"{self.name}: the film cannot be opened ({error.strerror or 'unreadable'}).") from None
        address = f"file:{self._path.absolute()}"  # a name such as 20:15:00.mp4 would be taken for an address
        try:
            if _is_text(head):
                raise ValueError
            self._film = av.open(address, options=OPENED_WITH, metadata_errors="replace")
        except (av.FFmpegError, ValueError):
            raise InputError(f"{self.name}: {_why_not_opened(head)}") from None
        stream = shown_stream(self._film)
        if stream is None:
            why = _why_no_pictures(self._film)
            self.close()
            raise InputError(f"{self.name}: {why}")
        self.pictures = stream.frames or None

    def close(self) -> None:
        """Close the file; may be called twice."""
        if self._film is not None:
            self._film.close()
            self._film = None

    def __iter__(self) -> Iterator[Frame]:
        """Its frames.

        Raises:
            InputError: Not one picture could be read.
        """
        if self._film is None:
            self.open()
        assert self._film is not None
        reading = _Reading(self._film)
        last: Frame | None = None
        left_out = 0
        for picture, taken_s in reading.pictures():
            if last is not None and reading.decoder.left_out == left_out:
                yield from _standing(last, taken_s)
            left_out = reading.decoder.left_out
            last = make_frame(picture, taken_s)
            yield last
        cut_off = _cut_off(self._path)
        if cut_off is None:
            cut_off = reading.ends_early()
        if last is None and reading.decoder.not_taken and not cut_off:
            raise InputError(f"{self.name}: {UNKNOWN_FORM}")
        if last is None:
            why = "it is cut off before its first picture" if cut_off else "there is not one picture in it"
            raise InputError(f"{self.name}: this film cannot be read, because {why}; record it again.")
        if not cut_off and reading.decoder.left_out == left_out:
            yield from _standing(last, last.taken_s + reading.last_stands_s)
        self.remarks = tuple(self._wrong(last.taken_s, cut_off or reading.broken, reading.decoder.left_out))

    def _wrong(self, end_s: float, cut_off: bool, left_out: int) -> Iterator[str]:
        if cut_off:
            yield f"{self.name}: the film is cut off after {end_s:.1f} s; what is there was read."
        if left_out:
            what = (
                "one picture of the film is damaged"
                if left_out == 1
                else f"{left_out} pictures of the film are damaged"
            )
            yield f"{self.name}: {what}, and left out."


class Decoder:
    """Decodes the pictures of a stream.

    From what is damaged or missing a decoder makes up pictures: grey ones, repeated ones, and smeared ones from these,
    until a key picture comes, which needs no other. None of them is given out.

    Attributes:
        left_out: The number of pictures that were not given out.
        not_taken: The number of those that the decoder did not take, though all that they need was there.
    """

    def __init__(self, stream: av.VideoStream) -> None:
        stream.thread_type = "SLICE"  # each picture is there at once, and what is damaged is so every time
        self.left_out = self.not_taken = 0
        self._jpeg = stream.codec_context.name == "mjpeg"
        self._every_one_is_key = stream.codec_context.codec.intra_only
        self._complete = False  # all that the next picture needs has been there
        self._intact = True  # the same of the decoded pictures, which come later than their packets
        self._after_torn = False
        self._doubtful: set[int | None] = set()

    def pictures(self, packet: av.Packet[Any]) -> Iterator[av.VideoFrame]:
        """The pictures that have become ready with this packet of the stream."""
        torn = packet.is_corrupt or (self._jpeg and packet.size and not is_whole(bytes(packet)))
        if torn or self._after_torn:  # a lost packet is noticed in its picture or in the one before it
            self._complete = False
        elif packet.is_keyframe or self._every_one_is_key:
            self._complete = True
        self._after_torn = packet.is_corrupt
        if packet.size and not self._complete:
            self._doubtful.add(packet.pts)
            self.left_out += 1
        try:
            decoded = packet.decode()
        except av.FFmpegError:
            self.left_out += self._complete
            self.not_taken += self._complete
            self._complete = False
            return
        for picture in decoded:
            if picture.is_corrupt:
                self.left_out += self._intact and picture.pts not in self._doubtful
                self._complete = self._intact = False
            elif picture.key_frame or self._every_one_is_key:
                self._intact = True
            if self._intact and picture.pts not in self._doubtful:
                yield picture
            self._doubtful.discard(picture.pts)


class _Reading:
    """One pass through a film.

    Attributes:
        last_stands_s: How long the last picture stands still.
        broken: The file could not be read to its end.
    """

    def __init__(self, film: InputContainer) -> None:
        stream = shown_stream(film)
        assert stream is not None
        self.decoder = Decoder(stream)
        self.last_stands_s = 0.0
        self.broken = False
        self._film, self._stream = film, stream
        self._ends_s = 0.0

    def pictures(self) -> Iterator[tuple[Gray, float]]:
        """Every picture, with the seconds since the first one."""
        rate_hz = float(self._stream.guessed_rate or self._stream.average_rate or USUAL_RATE_HZ)
        before_s, last_s, step_s = None, 0.0, 1 / rate_hz
        for number, picture in zip(count(), self._whole(), strict=False):
            time_s = number / rate_hz if picture.pts is None else picture.time
            if before_s is None:
                before_s = time_s
            elif time_s - before_s <= last_s:  # films were joined, or the recorder's clock was set
                before_s = time_s - last_s - step_s
            else:
                step_s = min(time_s - before_s - last_s, PAUSE_S)
            last_s = time_s - before_s
            self.last_stands_s = float(picture.duration * picture.time_base) if picture.time_base else 0.0
            yield upright(picture, self._stream), last_s

    def _whole(self) -> Iterator[av.VideoFrame]:
        """The decoded pictures; of a raw stream, which has no times, the last one may be cut off and is left out."""
        held: av.VideoFrame | None = None
        for picture in self._decoded():
            if held is not None:
                yield held
            held = picture
            if picture.pts is not None:
                yield picture
                held = None

    def _decoded(self) -> Iterator[av.VideoFrame]:
        try:
            for packet in self._film.demux():
                self._note_end(packet)
                if packet.stream is self._stream:
                    yield from self.decoder.pictures(packet)
        except av.FFmpegError:
            self.broken = True

    def _note_end(self, packet: av.Packet[Any]) -> None:
        at = packet.pts if packet.pts is not None else packet.dts
        if at is not None and packet.stream.type in ("audio", "video"):
            self._ends_s = max(self._ends_s, float((at + (packet.duration or 0)) * packet.time_base))

    def ends_early(self) -> bool:
        """Whether sound and picture end long before the end that the film names."""
        film = self._film
        if not film.duration:
            return False
        end_s: float = ((film.start_time or 0) + film.duration) / av.time_base
        return self._ends_s < end_s - CUT_OFF_S


def shown_stream(film: InputContainer) -> av.VideoStream | None:
    """The stream that a player would show; ``None`` = it has none that can be decoded."""
    stream = film.streams.best("video")
    return stream if isinstance(stream, av.VideoStream) and stream.codec_context is not None else None


def upright(picture: av.VideoFrame, stream: av.VideoStream) -> Gray:
    """A decoded picture as grey, the right way up, with square pixels."""
    wide, high = picture.width, picture.height
    pixel = float(stream.sample_aspect_ratio or 1)
    if pixel > 1:
        wide = round(wide * min(pixel, LONGEST_PIXEL))
    elif pixel < 1:
        high = round(high / max(pixel, 1 / LONGEST_PIXEL))
    gray = np.asarray(picture.reformat(width=wide, height=high, format="gray").to_ndarray(), np.uint8)
    matrix = cast("Mapping[str, Any]", picture.side_data).get("DISPLAYMATRIX")
    if matrix is None:
        return gray
    across, turned_down, _, turned_across, down = (int(share) for share in np.frombuffer(matrix, np.int32)[:5])
    if abs(turned_down) > abs(across):  # a column of the picture becomes a row
        gray = np.asarray(cv2.transpose(gray), np.uint8)
        across, down = turned_across, turned_down
    if across < 0:
        gray = np.asarray(cv2.flip(gray, 1), np.uint8)
    return np.asarray(cv2.flip(gray, 0), np.uint8) if down < 0 else gray


def _standing(frame: Frame, until_s: float) -> Iterator[Frame]:
    """Further looks at a picture that stands still until then."""
    if until_s - frame.taken_s <= PAUSE_S:
        return
    for number in range(1, round(STANDS_S / PAUSE_STEP_S)):
        taken_s = frame.taken_s + number * PAUSE_STEP_S
        if taken_s > until_s - PAUSE_STEP_S / 2:
            return
        yield replace(frame, taken_s=taken_s)


def _is_text(head: bytes) -> bool:
    """Whether a file begins as text: a list of films or addresses, which FFmpeg would go and fetch."""
    return not re.search(rb"[^\t\n\r -~\x80-\xff]", head)


def _why_not_opened(head: bytes) -> str:
    if head[4:8] == b"ftyp" and head[8:12] in _PICTURES:
        return "this is a picture, no film; save it as JPEG, and put the pictures of a match into a folder."
    if head[4:8] in _BOXES:
        return "this film is cut off: its table of contents, at the end of such a file, is missing; record it again."
    return "this is not a film that can be read, or it is cut off; record it again."


def _why_no_pictures(film: InputContainer) -> str:
    """Why none of its streams can be shown."""
    if any(stream.type == "video" for stream in film.streams):
        return UNKNOWN_FORM
    return "this film has no pictures; it is sound alone." if film.streams else "there is not one picture in this film."


_BOXES = (b"ftyp", b"moov", b"mdat", b"wide", b"free", b"skip")
"""The kinds of box with which an MP4 file begins (ISO/IEC 14496-12)."""
_PICTURES = (b"heic", b"heix", b"heim", b"heis", b"mif1", b"avif")
"""The brands of files with one picture (ISO/IEC 23008-12)."""
_OF_THE_FILM = (b"mdat", b"moov", b"moof")
"""The boxes with pictures or their times. What phones and editors hang on behind these need not even be a box."""


def _cut_off(path: Path) -> bool | None:
    """Whether the outermost parts of a film's file are longer than the file; ``None`` = it does not say."""
    size = path.stat().st_size
    with path.open("rb") as file:
        head = file.read(HEAD_BYTES)
        if head[:4] == b"RIFF":
            named = int.from_bytes(head[4:8], "little")
            return named + 8 > size if named else None
        if head[:4] == b"\x1aE\xdf\xa3":
            return _segment_cut_off(head, size)
        if head[4:8] not in _BOXES:
            return None
        at, kind = 0, b""
        while at + 8 <= size:
            file.seek(at)
            box = file.read(16)
            length, kind = int.from_bytes(box[:4], "big"), box[4:8]
            if length == 1:  # a large one has its length after its name
                length = int.from_bytes(box[8:], "big")
            if length < 8:  # it lasts until the end of the file
                return False
            at += length
        return at > size and kind in _OF_THE_FILM


def _segment_cut_off(head: bytes, size: int) -> bool | None:
    """The same of a Matroska or WebM file: its one segment comes after its head (RFC 8794, 11; RFC 9559, 5)."""
    after_head = sum(_length(head, 4)[:2])
    begins, length, known = _length(head, after_head + 4)
    return begins + length > size if known else None


def _length(data: bytes, at: int) -> tuple[int, int, bool]:
    """Where the content of an element begins, its length, and whether that was known when it was written."""
    octets = 9 - data[at].bit_length() if at < len(data) and data[at] else 8
    bits = int.from_bytes(data[at : at + octets], "big") & (1 << 7 * octets) - 1
    return at + octets, bits, bits != (1 << 7 * octets) - 1
