"""Films of every kind: the pictures that were filmed at their times, or the reason why not."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from support.drawn_film import Packed, cut, make_film, number_in, numbered, turn, without_packets

from companion.errors import InputError
from vision.camera.film import VideoFile
from vision.camera.frame import Frame
from vision.camera.sources import open_source, remarks_on

EVEN = [number / 10 for number in range(30)]
UNEVEN = [0.0, 0.187, 0.394, 0.61, 0.64, 0.9, 1.45, 1.5, 1.9, 2.02, 2.5, 2.9, 3.4, 3.41, 3.9]
"""As a browser's recorder writes them: a picture when there is one."""
PAUSED = [0.0, 0.1, 0.2, 5.2, 5.3, 5.4]
SLOW = [0.0, 0.9, 1.8, 2.7]
AT_25 = [number / 25 for number in range(30)]
MP4, WEBM = Packed(), Packed("libvpx")
SOUND = Packed(sound="aac", sound_s=6.0)
QUIET_265 = {"x265-params": "log-level=none"}
INTERLACED = {"flags": "+ilme+ildct", "x264-params": "interlaced=1"}
INDEX_FIRST = {"movflags": "faststart"}
PIECES = {"movflags": "frag_keyframe+empty_moov"}

FILMS: dict[str, tuple[str, list[float], Packed]] = {
    "mp4 h264": ("mp4", EVEN, MP4),
    "mp4 h264, uneven": ("mp4", UNEVEN, MP4),
    "mp4 h264, index first": ("mp4", EVEN, replace(MP4, options=INDEX_FIRST)),
    "mp4 h264 in pieces, uneven": ("mp4", UNEVEN, replace(MP4, options=PIECES)),
    "mp4 h264, key pictures far apart": ("mp4", EVEN, replace(MP4, key_every=250)),
    "mp4 h264 refreshed in stripes": ("mp4", EVEN, replace(MP4, codec_options={"x264-params": "intra-refresh=1"})),
    "mp4 h264 of 10 bit": ("mp4", EVEN, replace(MP4, pixels="yuv420p10le")),
    "mp4 h264, interlaced": ("mp4", EVEN, replace(MP4, codec_options=INTERLACED)),
    "mp4 h264, odd size": ("mp4", EVEN, replace(MP4, pixels="yuv444p", size_px=(331, 247))),
    "mp4 h264, says 1000 Hz": ("mp4", UNEVEN, replace(MP4, rate_hz=1000)),
    "mp4 h264, a picture every 0.9 s": ("mp4", SLOW, MP4),
    "mp4 h265 of 10 bit": ("mp4", EVEN, Packed("libx265", "yuv420p10le", codec_options=QUIET_265)),
    "mp4 av1": ("mp4", EVEN, Packed("libsvtav1")),
    "mkv av1 of 10 bit": ("mkv", UNEVEN, Packed("libsvtav1", "yuv420p10le")),
    "mp4 mpeg4": ("mp4", EVEN, Packed("mpeg4")),
    "mp4 with longer sound": ("mp4", EVEN, SOUND),
    "mkv with longer sound": ("mkv", EVEN, SOUND),
    "ts with longer sound": ("ts", EVEN, SOUND),
    "mkv h264, uneven": ("mkv", UNEVEN, MP4),
    "mkv ffv1": ("mkv", SLOW, Packed("ffv1")),
    "webm vp8, uneven, says 1000 Hz": ("webm", UNEVEN, replace(WEBM, rate_hz=1000)),
    "webm vp8 without an end, uneven": ("webm", UNEVEN, replace(WEBM, options={"live": "1"})),
    "webm vp9, uneven": ("webm", UNEVEN, Packed("libvpx-vp9")),
    "avi mjpeg": ("avi", EVEN, Packed("mjpeg", "yuvj420p")),
    "avi mpeg4": ("avi", EVEN, Packed("mpeg4")),
    "mov prores": ("mov", EVEN[:6], Packed("prores_ks", "yuv422p10le")),
    "mov mjpeg": ("mov", EVEN, Packed("mjpeg", "yuvj420p")),
    "ts h264": ("ts", EVEN, MP4),
    "ts mpeg2, interlaced": ("ts", AT_25, Packed("mpeg2video", rate_hz=25, codec_options={"flags": "+ilme+ildct"})),
    "mpg mpeg2": ("mpg", AT_25, Packed("mpeg2video", rate_hz=25)),
    "flv h264": ("flv", EVEN, MP4),
    "wmv": ("wmv", EVEN, Packed("wmv2")),
    "3gp h264": ("3gp", EVEN, MP4),
}


def film(tmp_path: Path, kind: str) -> Path:
    suffix, times_s, packed = FILMS[kind]
    return make_film(tmp_path / f"film.{suffix}", times_s, packed)


def read(path: Path) -> tuple[list[Frame], tuple[str, ...]]:
    with open_source(str(path)) as source:
        frames = list(source)
    return frames, remarks_on(source)


def story(frames: list[Frame]) -> list[tuple[int | None, float]]:
    return [(number_in(frame.gray), round(frame.taken_s, 2)) for frame in frames]


def told(times_s: list[float]) -> list[tuple[int | None, float]]:
    return [(number, round(time_s, 2)) for number, time_s in enumerate(times_s)]


@pytest.mark.parametrize("kind", FILMS)
def test_a_film_tells_what_was_filmed_and_when_whatever_it_is_packed_in(tmp_path: Path, kind: str):
    frames, remarks = read(film(tmp_path, kind))
    assert story(frames) == told(FILMS[kind][1])
    assert remarks == ()


def test_a_drawn_picture_is_told_from_what_a_decoder_makes_up():
    seven = numbered(7)
    assert number_in(seven) == 7
    half = seven.copy()
    half[120:] = 128
    for made_up in (np.zeros_like(seven), np.full_like(seven, 128), half, seven[::-1], seven[:, ::-1]):
        assert number_in(np.ascontiguousarray(made_up)) is None


@pytest.mark.parametrize(
    ("matrix", "seen"),
    [
        ((0, 1, -1, 0), lambda drawn: np.rot90(drawn, -1)),
        ((-1, 0, 0, -1), lambda drawn: np.rot90(drawn, 2)),
        ((0, -1, 1, 0), np.rot90),
        ((-1, 0, 0, 1), lambda drawn: drawn[:, ::-1]),
        ((0, 1, 1, 0), np.transpose),
    ],
    ids=["a quarter", "half", "three quarters", "mirrored", "mirrored and a quarter"],
)
def test_a_phones_film_is_the_right_way_up(
    tmp_path: Path, matrix: tuple[int, int, int, int], seen: Callable[[np.ndarray], np.ndarray]
):
    frames, _ = read(turn(make_film(tmp_path / "t.mp4", EVEN), matrix))
    assert len(frames) == len(EVEN)
    for number, frame in enumerate(frames):
        wanted = seen(numbered(number))
        assert frame.gray.shape == wanted.shape
        assert np.abs(frame.gray.astype(int) - wanted).mean() < 4


def test_a_film_with_narrow_pixels_is_as_wide_as_a_player_shows_it(tmp_path: Path):
    frames, _ = read(make_film(tmp_path / "t.mp4", EVEN, replace(MP4, pixel=Fraction(4, 3))))
    assert frames[0].gray.shape == (240, 427)
    frames, _ = read(make_film(tmp_path / "u.mp4", EVEN, replace(MP4, pixel=Fraction(1, 2))))
    assert frames[0].gray.shape == (480, 320)


@pytest.mark.parametrize(
    "name", ["20:15:00.mp4", "http:film.mp4", "concat:a|b.mp4", "%03d.mp4", "-i.mp4", "Ümläut 1.mp4"]
)
def test_a_films_name_is_only_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str):
    make_film(tmp_path / "t.mp4", EVEN).rename(tmp_path / name)
    monkeypatch.chdir(tmp_path)
    frames, _ = read(Path(name))
    assert story(frames) == told(EVEN)


@pytest.mark.parametrize("suffix", ["mp4", "mkv", "webm"])
def test_in_a_pause_the_last_picture_stands_still(tmp_path: Path, suffix: str):
    """A screen's recorder writes a picture only when something has changed."""
    packed = WEBM if suffix == "webm" else MP4
    frames, remarks = read(make_film(tmp_path / f"t.{suffix}", PAUSED, packed))
    assert remarks == ()
    assert [number for number, _ in story(frames)] == [0, 1, *[2] * 50, 3, 4, 5]
    times = [frame.taken_s for frame in frames]
    assert times[2:53] == pytest.approx([0.2 + step / 10 for step in range(51)], abs=0.01)
    assert times[-1] == pytest.approx(5.4, abs=0.01)


def test_what_stands_still_for_hours_is_looked_at_for_a_minute(tmp_path: Path):
    frames, _ = read(make_film(tmp_path / "t.mkv", [0.0, 0.1, 20_000.0]))
    assert [number for number, _ in story(frames)] == [0, *[1] * 600, 2]
    assert frames[-1].taken_s == pytest.approx(20_000)


def test_a_film_whose_picture_begins_late_is_read(tmp_path: Path):
    late = replace(MP4, sound="aac", sound_s=9.0)
    frames, remarks = read(make_film(tmp_path / "t.ts", [6 + time_s for time_s in EVEN], late))
    assert story(frames) == told(EVEN)
    assert remarks == ()


def test_a_recording_that_began_between_two_key_pictures_begins_at_the_next_one(tmp_path: Path):
    """Nothing can be said of what only tells how it differs from an earlier picture."""
    path = make_film(tmp_path / "t.ts", EVEN, replace(MP4, codec_options={"bframes": "0"}))
    data = path.read_bytes()
    path.write_bytes(data[: 3 * 188] + data[24 * 188 :])  # its tables, and no first key picture
    frames, _ = read(path)
    numbers = [number_in(frame.gray) for frame in frames]
    assert numbers == list(range(12, 30))
    assert frames[0].taken_s == 0


def test_films_that_were_joined_go_on_where_the_first_one_ends(tmp_path: Path):
    first, second = (make_film(tmp_path / name, EVEN) for name in ("1.ts", "2.ts"))
    first.write_bytes(first.read_bytes() + second.read_bytes())
    frames, _ = read(first)
    times = [frame.taken_s for frame in frames]
    numbers = [number_in(frame.gray) for frame in frames]
    assert numbers[-30:] == list(range(30))
    assert numbers[:-30] == list(range(len(numbers) - 30))
    assert len(numbers) > 50  # at the seam some packets seem to be lost
    assert times == sorted(set(times))
    assert times[-1] == pytest.approx((len(numbers) - 1) / 10, abs=0.1)


# -- cut off, damaged, refused ----------------------------------------------------------------------

CUT = {
    "mp4 h264, index first": ("mp4", EVEN, replace(MP4, options=INDEX_FIRST)),
    "mp4 with longer sound, index first": ("mp4", EVEN, replace(SOUND, options=INDEX_FIRST)),
    "mp4 h264 in pieces": ("mp4", EVEN, replace(MP4, options=PIECES)),
    "mkv h264": ("mkv", EVEN, MP4),
    "mkv with longer sound": ("mkv", EVEN, SOUND),
    "webm vp8": ("webm", EVEN, WEBM),
    "avi mjpeg": ("avi", EVEN, Packed("mjpeg", "yuvj420p")),
    "flv h264": ("flv", EVEN, MP4),
}


@pytest.mark.parametrize("kind", CUT)
def test_of_a_film_that_is_cut_off_what_is_there_is_read_and_the_rest_is_said(tmp_path: Path, kind: str):
    suffix, times_s, packed = CUT[kind]
    frames, remarks = read(cut(make_film(tmp_path / f"t.{suffix}", times_s, packed), 0.3 if packed.sound else 0.6))
    seen = story(frames)
    assert 3 < len(seen) < 30
    assert None not in dict(seen)
    assert set(seen) <= set(told(times_s))
    assert any("the film is cut off after" in sentence for sentence in remarks)


@pytest.mark.parametrize("kind", ["mp4 h264, index first", "mp4 h264 in pieces", "mkv h264", "webm vp8", "avi mjpeg"])
@pytest.mark.parametrize("behind", [b"SEFT trailer of the phone" * 200, b"\0" * 5000, b"\0\0\0\x04ab" * 99])
def test_what_a_phone_or_an_editor_hung_onto_a_whole_film_cuts_nothing_off(tmp_path: Path, kind: str, behind: bytes):
    suffix, times_s, packed = CUT[kind]
    path = make_film(tmp_path / f"t.{suffix}", times_s, packed)
    path.write_bytes(path.read_bytes() + behind)
    with VideoFile(path) as film:
        assert [number_in(frame.gray) for frame in film] == list(range(len(times_s)))
        assert film.remarks == ()


@pytest.mark.parametrize("suffix", ["ts", "mpg", "wmv", "mjpeg", "h264"])
def test_no_picture_of_a_stream_that_ends_anywhere_is_made_up(tmp_path: Path, suffix: str):
    codec = {"mpg": "mpeg2video", "wmv": "wmv2", "mjpeg": "mjpeg"}.get(suffix, "libx264")
    pixels = "yuvj420p" if codec == "mjpeg" else "yuv420p"
    whole = make_film(tmp_path / f"t.{suffix}", AT_25, Packed(codec, pixels, rate_hz=25))
    data = whole.read_bytes()
    for share in (0.52, 0.61, 0.77, 0.9):
        whole.write_bytes(data[: round(share * len(data))])
        frames, _ = read(whole)
        numbers = [number_in(frame.gray) for frame in frames]
        assert numbers == list(range(len(numbers)))


def test_pictures_that_lost_packets_are_left_out_until_the_next_key_picture(tmp_path: Path):
    """The decoder shows something for each of them: doubled, half grey, or smeared."""
    noisy = replace(MP4, noise=12, codec_options={"crf": "30"})
    whole = make_film(tmp_path / "t.ts", EVEN, noisy)
    count = whole.stat().st_size // 188
    data = whole.read_bytes()
    total = 0
    for seed in range(12):
        dice = np.random.default_rng(seed)
        whole.write_bytes(data)
        frames, remarks = read(without_packets(whole, dice.integers(20, count, 3)))
        seen = story(frames)
        assert set(seen) <= set(told(EVEN)), (seed, seen)
        total += len(seen)
        if len(seen) < 30:
            assert any("damaged, and left out" in sentence for sentence in remarks)
        assert not any("cut off" in sentence for sentence in remarks)
    assert total > 150


def unknown_form(path: Path) -> None:
    path.write_bytes(make_film(path, EVEN).read_bytes().replace(b"avc1", b"xyz1"))


REFUSED: dict[str, tuple[str, Callable[[Path], object], str]] = {
    "index missing": ("mp4", lambda path: cut(make_film(path, EVEN), 0.9), "this film is cut off: its table of"),
    "index missing, mov": (
        "mov",
        lambda path: cut(make_film(path, EVEN), 0.5),
        "this film is cut off: its table of cont",
    ),
    "unknown form": (
        "mp4",
        unknown_form,
        "its pictures are packed in a form that cannot be read here; record as H.264",
    ),
    "pictures that no decoder here takes": (
        "webp",
        lambda path: make_film(path, EVEN[:3], Packed("libwebp_anim")),
        "its pictures are packed in a form that cannot be read here; record as H.264",
    ),
    "sound alone": ("mp4", lambda path: make_film(path, [], SOUND), "this film has no pictures; it is sound alone"),
    "words": ("mp4", lambda path: path.write_bytes(b"this is no film" * 99), "this is not a film that can be read"),
    "nothing": ("mp4", lambda path: path.write_bytes(b""), "this is not a film that can be read"),
    "no key picture": ("mpg", lambda path: only_differences(path), "there is not one picture in it"),
    "a photograph of a phone's": (
        "heic",
        lambda path: path.write_bytes(b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(99)),
        "this is a picture, no film; save it as JPEG",
    ),
    "a picture": (
        "avif",
        lambda path: path.write_bytes(b"\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf" + bytes(99)),
        "this is a picture, no film; save it as JPEG",
    ),
    "a list of addresses": (
        "m3u8",
        lambda path: path.write_text("#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\nhttp://127.0.0.1:9/x.ts\n"),
        "this is not a film that can be read",
    ),
}


def only_differences(path: Path) -> None:
    """A film whose one key picture was lost."""
    source = make_film(path.with_suffix(".ts"), EVEN, replace(MP4, key_every=250, codec_options={"bframes": "0"}))
    data = source.read_bytes()
    path.write_bytes(data[: 3 * 188] + data[60 * 188 :])


@pytest.mark.parametrize("kind", REFUSED)
def test_a_film_that_cannot_be_read_is_refused_with_the_real_reason(tmp_path: Path, kind: str):
    suffix, spoil, why = REFUSED[kind]
    path = tmp_path / f"t.{suffix}"
    spoil(path)
    with pytest.raises(InputError) as caught:
        read(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert why in str(caught.value)


def test_a_film_can_be_read_twice_and_closed_twice(tmp_path: Path):
    source = VideoFile(make_film(tmp_path / "t.mp4", EVEN))
    with source:
        first = story(list(source))
    with source:
        assert story(list(source)) == first == told(EVEN)
    source.close()


@pytest.mark.parametrize("codec", ["libx264", "libsvtav1"])
def test_a_test_that_packs_a_film_leaves_the_others_their_share_of_the_machine(tmp_path: Path, codec: str) -> None:
    """As root, an encoder of AV1 made the test's process one of real time, and a machine of two cores stood still."""
    before = os.sched_getscheduler(0)
    make_film(tmp_path / "film.mp4", EVEN, Packed(codec))
    assert os.sched_getscheduler(0) == before
