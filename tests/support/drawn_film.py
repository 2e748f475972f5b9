"""Films of numbered pictures, drawn and packed here: what is in them is known without reading them."""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
from numpy.typing import NDArray

from vision.camera.frame import Gray

SIZE_PX = (320, 240)
GROUND, DARK, BRIGHT = 120, 20, 230
BITS = 8
SQUARE_PX = 40
PLACES = [(20 + 60 * (bit % 4), 40 + 60 * (bit // 4)) for bit in range(BITS)]
"""The top left corners of the squares that tell the number: dark for 0, bright for 1, the lowest bit first."""
MARK = (280, 200)
"""The top left corner of a bright square in the bottom right, which tells how the picture lies."""
LARGEST_BYTES = 200_000


def numbered(number: int, size_px: tuple[int, int] = SIZE_PX, noise: int = 0) -> Gray:
    """A picture with a number in it.

    Args:
        noise: The largest difference of a pixel from its grey; with much of it each picture takes many packets.
    """
    picture = np.full((SIZE_PX[1], SIZE_PX[0]), GROUND, np.uint8)
    for bit, (x, y) in enumerate(PLACES):
        picture[y : y + SQUARE_PX, x : x + SQUARE_PX] = BRIGHT if number >> bit & 1 else DARK
    picture[MARK[1] :, MARK[0] :] = BRIGHT
    if noise:
        dice = np.random.default_rng(number)
        picture = (picture + dice.integers(-noise, noise + 1, picture.shape)).astype(np.uint8)
    whole = np.full((size_px[1], size_px[0]), GROUND, np.uint8)
    whole[: picture.shape[0], : picture.shape[1]] = picture[: size_px[1], : size_px[0]]
    return whole


def number_in(picture: Gray) -> int | None:
    """The number in a picture; ``None`` if it is none of those that were drawn: black, grey, smeared, or turned."""
    shares = [*(picture[y + 10 : y + 30, x + 10 : x + 30] for x, y in PLACES), picture[210:230, 290:310]]
    if any(share.std() > 12 for share in shares) or abs(float(picture[5:25, 5:-5].mean()) - GROUND) > 12:
        return None
    levels = [float(share.mean()) for share in shares]
    if levels[-1] < 190 or any(60 < level < 190 for level in levels):
        return None
    return sum((level > 190) << bit for bit, level in enumerate(levels[:-1]))


@dataclass(frozen=True)
class Packed:
    """How a film is packed.

    Attributes:
        codec, pixels: FFmpeg's names.
        rate_hz: What the container says, whether or not it is so.
        codec_options, options: Of the encoder and of the container.
        sound: The sound's codec; it lasts for ``sound_s`` from the film's beginning.
        key_every: The distance of key pictures.
        pixel: The ratio of a pixel's sides.
    """

    codec: str = "libx264"
    pixels: str = "yuv420p"
    rate_hz: int = 10
    codec_options: dict[str, str] = field(default_factory=dict)
    options: dict[str, str] = field(default_factory=dict)
    sound: str = ""
    sound_s: float = 0.0
    size_px: tuple[int, int] = SIZE_PX
    key_every: int = 12
    pixel: Fraction = Fraction(1)
    noise: int = 0


@contextmanager
def as_urgent_as_before() -> Iterator[None]:
    """The process is scheduled afterwards as it was.

    Where root runs it, SVT-AV1 puts whoever calls it into real time, before everybody else on the machine: all tests
    after this one would be there, with the programs that they start, and the rest of the machine would stand still.
    """
    policy, urgency = os.sched_getscheduler(0), os.sched_getparam(0)
    try:
        yield
    finally:
        os.sched_setscheduler(0, policy, urgency)


def make_film(path: Path, times_s: Sequence[float], packed: Packed = Packed()) -> Path:
    """A film with a picture at each of these seconds, numbered from 0."""
    with as_urgent_as_before(), av.open(str(path), "w", options=packed.options) as film:
        stream: Any = film.add_stream(packed.codec, rate=packed.rate_hz)
        stream.width, stream.height = packed.size_px
        stream.pix_fmt = packed.pixels
        stream.options = packed.codec_options
        stream.codec_context.gop_size = packed.key_every
        stream.codec_context.thread_count = 1  # the same film on every machine
        base = Fraction(1, packed.rate_hz if packed.codec in _BY_RATE else 1000)
        stream.codec_context.time_base = base
        if packed.pixel != 1:
            stream.codec_context.sample_aspect_ratio = packed.pixel
        sound: Any = film.add_stream(packed.sound, rate=48000) if packed.sound else None
        if sound is not None:
            sound.layout = "mono"
        said_s = 0.0
        for number, time_s in enumerate(times_s):
            if sound is not None:
                said_s = _say(film, sound, said_s, time_s)
            frame = av.VideoFrame.from_ndarray(numbered(number, packed.size_px, packed.noise), "gray")
            frame = frame.reformat(format=packed.pixels)
            frame.pts, frame.time_base = round(time_s / base), base
            film.mux(stream.encode(frame))
        film.mux(stream.encode(None))
        if sound is not None:
            _say(film, sound, said_s, packed.sound_s)
            film.mux(sound.encode(None))
    size = path.stat().st_size
    assert size < LARGEST_BYTES, f"{path.name} has {size} bytes"
    return path


_BY_RATE = ("mpeg2video", "mpeg4", "mjpeg", "wmv2", "msmpeg4", "prores_ks", "mpeg1video")
"""Codecs whose pictures have no times of their own."""


def _say(film: Any, sound: Any, from_s: float, until_s: float) -> float:
    """Write a tone into the film; returns where it ends."""
    step = 960
    at = round(from_s * 48000)
    while at + step <= until_s * 48000:
        wave = (3000 * np.sin(np.arange(at, at + step) / 9)).astype(np.int16)
        frame = av.AudioFrame.from_ndarray(wave[None], format="s16", layout="mono")
        frame.sample_rate, frame.pts, frame.time_base = 48000, at, Fraction(1, 48000)
        film.mux(sound.encode(frame))
        at += step
    return at / 48000


def turn(film: Path, matrix: tuple[int, int, int, int]) -> Path:
    """Have an MP4 file's picture shown by this matrix: (a, b, c, d) as in ISO/IEC 14496-12, 8.3.2."""
    data = bytearray(film.read_bytes())
    at = data.index(b"tkhd") + 44
    a, b, c, d = (share << 16 for share in matrix)
    data[at : at + 36] = struct.pack(">9i", a, b, 0, c, d, 0, 0, 0, 1 << 30)
    film.write_bytes(data)
    return film


def cut(film: Path, share: float) -> Path:
    """Leave only the beginning of a film's file."""
    data = film.read_bytes()
    film.write_bytes(data[: round(share * len(data))])
    return film


TS_PACKET = 188


def without_packets(film: Path, lost: Iterable[int]) -> Path:
    """A transport stream that lost some packets on its way."""
    data, gone = film.read_bytes(), set(lost)
    packets: list[NDArray[np.uint8] | bytes] = [data[at : at + TS_PACKET] for at in range(0, len(data), TS_PACKET)]
    film.write_bytes(b"".join(packet for number, packet in enumerate(packets) if number not in gone))
    return film
