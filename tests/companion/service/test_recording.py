"""A table that was recorded is refereed again: from its pictures, and from what people said meanwhile."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from support.flat_table import ACCEPTED, LAYOUT, PICTURE_PX, Arm, Laid, draw
from support.long_cases import rest_long

from companion.app.recording_page import zipped
from companion.cli.main import main
from companion.errors import InputError
from companion.games.registry import demo_deck, open_match
from companion.history.codec import decode_move
from companion.history.events import Origin
from companion.public.layout import encode_layout
from companion.public.table import CardId, Seat
from companion.reading.frame_times import read_times, times_line
from companion.referee.command_codec import decode_command, encode_command
from companion.referee.commands import (
    AnswerQuestion,
    ChangeSeat,
    Command,
    CommandCard,
    CorrectCounts,
    MakeMove,
    OverruleCamera,
    Pause,
    Resume,
    Undo,
)
from companion.referee.match import Match
from companion.service.recording import SIDE_FILES, Recording
from companion.storage.event_log import StoredMatch
from vision.camera.frame import Frame, make_frame
from vision.process import film_writer
from vision.process.film_writer import FilmWriter, choose_kind, on_the_table
from vision.tracking.observer import Observer

pytestmark = pytest.mark.slow

POOL = [Laid(f"C1{n}", 850 + 95 * (n % 3), 120 + 200 * (n // 3)) for n in range(1, 6)]
MATCH = {"profile": "fr-explore", "seat": [{"name": "Ana"}, {"name": "Ben"}], "table": encode_layout(LAYOUT)}
FIRST_S = 5000.0
STEP_S = 0.2


def film() -> Iterator[Frame]:
    """Five cards are dealt into the pool; a hand comes and lays two in the tree, one after the other."""
    for number in range(64):
        things: list[Laid | Arm] = [*POOL]
        if number >= 30:
            things.append(Laid("C16", 300, 300))
        if number >= 48:
            things.append(Laid("C21", 600, 300))
        if number in (28, 29, 30, 46, 47, 48):
            things.append(Arm(320 if number < 40 else 620, 330))
        yield make_frame(draw(things, seed=number), FIRST_S + number * STEP_S)


@pytest.fixture(scope="module")
def looked_at() -> list[Frame]:
    return list(film())


def recorded(
    folder: Path,
    frames: list[Frame],
    kind: str,
    *,
    ring_s: float | None = None,
    begins_at: int = 0,
    said: Mapping[int, Command] | None = None,
) -> list[Any]:
    """A table in use, of which a recording is made from frame ``begins_at`` on; the entries that were written.

    Args:
        said: What somebody says just after a frame was looked at; without it the end of a turn.
    """
    folder.mkdir()
    opened = open_match(MATCH, demo_deck())
    told = said or {40: MakeMove(decode_move(opened.game, {"do": "end_turn", "by": 1}), Origin.PHONE)}
    match = Match(opened.game, lambda entries: None, lambda update: None)
    observer = Observer(LAYOUT, ACCEPTED)
    secrets = {
        "mqtt": {"host": "h", "password": "s3cret"},  # pragma: allowlist secret
        "camera": {"source": "rtsp://a:s3cret@b"},  # pragma: allowlist secret
    }
    writer: FilmWriter | None = None
    recording: Recording | None = None
    for number, frame in enumerate(frames):
        if number == begins_at:
            stored = StoredMatch("m", "2026-01-01", opened.header, False)
            about = {"source": "usb:0"}
            recording = Recording(folder, stored, match, layout=LAYOUT, settings=secrets, about=about)
            writer = FilmWriter(folder, kind, ring_s=ring_s)
        look = observer.observe(frame)
        if writer is not None:
            writer.take(frame, observer.geometry, LAYOUT)
        match.handle(look, look.taken_s)
        if number in told:
            match.handle(told[number], frame.taken_s + 0.05)
    assert writer is not None
    assert recording is not None
    writer.close()
    assert recording.finish() == len(read_times(folder))
    return [line.entry for line in match.record.lines]


def lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def is_refereed_again_as_then(folder: Path) -> None:
    again = folder.with_name("again.jsonl")
    assert main(["referee", str(folder), "--record", str(again)]) == 0
    assert untimed(lines(again)) == untimed(lines(folder / "record.jsonl"))


def untimed(record: list[Any]) -> list[Any]:
    return [{key: value for key, value in line.items() if key not in ("time_s", "waited_s")} for line in record]


@pytest.mark.parametrize("kind", rest_long(["jpg", "png"]))
def test_a_recording_is_refereed_again_to_the_same_record(tmp_path: Path, looked_at: list[Frame], kind: str):
    folder = tmp_path / "film"
    entries = recorded(folder, looked_at, kind)
    assert [one.origin for one in entries].count(Origin.PHONE) == 1
    assert len(entries) >= 3, "dealt, said, laid"
    assert main(["referee", str(folder), "--record", str(tmp_path / "again.jsonl")]) == 0
    then, again = lines(folder / "record.jsonl"), lines(tmp_path / "again.jsonl")
    assert untimed(again) == untimed(then)
    times = [(a["time_s"], b["time_s"]) for a, b in zip(then[1:], again[1:], strict=True)]
    assert all(a == pytest.approx(b, abs=0.01) for a, b in times)
    if kind == "png":  # nothing was lost: not even a digit
        text = [(path.read_text("utf-8")) for path in (folder / "record.jsonl", tmp_path / "again.jsonl")]
        assert text[0] == text[1]


def test_a_recording_that_begins_in_the_middle_goes_on_from_where_its_match_stood(
    tmp_path: Path, looked_at: list[Frame]
):
    folder = tmp_path / "film"
    entries = recorded(folder, looked_at, "jpg", begins_at=20)
    before = lines(folder / "before.jsonl")
    assert 1 < len(before) <= len(entries)
    is_refereed_again_as_then(folder)
    (tmp_path / "film.zip").write_bytes(b"".join(zipped(folder, "recording-evening")))  # as the page gives it away
    assert main(["referee", str(tmp_path / "film.zip"), "--record", str(tmp_path / "zip.jsonl")]) == 0
    assert (tmp_path / "zip.jsonl").read_bytes() == (tmp_path / "again.jsonl").read_bytes()
    assert sorted(one.name for one in tmp_path.iterdir()) == ["again.jsonl", "film", "film.zip", "zip.jsonl"]


def drifts(time_s: float, later: bool) -> bool:
    """Whether this time reads as a later one, or as an earlier one, than it is."""
    back_s = float(times_line("", time_s).split(",")[1]) / 1000
    return back_s > time_s if later else back_s < time_s


@pytest.mark.parametrize("reads_later", [True, False])
def test_what_is_said_right_after_the_first_picture_is_said_again(tmp_path: Path, reads_later: bool):
    """A time that is written down in nanoseconds reads as a little later, or a little earlier."""
    first_s = next(
        time_s for time_s in map(float, np.linspace(FIRST_S, FIRST_S + 1, 977)) if drifts(time_s, reads_later)
    )
    frames = [make_frame(draw(POOL, seed=n), first_s + (n - 2) * STEP_S) for n in range(10)]
    folder = tmp_path / "film"
    entries = recorded(folder, frames, "jpg", begins_at=2, said={1: Pause(), 2: Resume()})
    assert {"Paused", "Resumed"} <= {type(one.event).__name__ for one in entries}
    is_refereed_again_as_then(folder)


def test_a_ring_keeps_the_last_seconds_and_the_match_up_to_there(tmp_path: Path, looked_at: list[Frame]):
    folder = tmp_path / "film"
    recorded(folder, looked_at, "jpg", ring_s=6.0)
    times = [taken_s for _, taken_s in read_times(folder)]
    assert times[-1] == pytest.approx(looked_at[-1].taken_s)
    assert 5.5 < times[-1] - times[0] <= 6.0
    assert len(list(folder.glob("*.jpg"))) == len(times)
    is_refereed_again_as_then(folder)


def test_the_folder_is_the_form_that_any_recorded_frames_have(tmp_path: Path, looked_at: list[Frame]):
    """Match file, deck and zones are in it, so it can be refereed from the deal as any other; no secret is."""
    folder = tmp_path / "film"
    recorded(folder, looked_at[:30], "jpg")
    assert {path.name for path in folder.iterdir() if path.suffix != ".jpg"} == {*SIDE_FILES, "frames.csv"}
    for path in folder.iterdir():
        assert b"s3cret" not in path.read_bytes()
    out = tmp_path / "plain.jsonl"
    assert main(["referee", str(folder), "--match", str(folder / "match.toml"), "--record", str(out)]) == 0
    assert untimed(lines(out))[1:] == untimed(lines(folder / "record.jsonl"))[1:]
    about = json.loads((folder / "recording.json").read_text())
    assert about["recording"] == 1
    assert about["frames"] == 30
    assert about["pictures"] == ["jpg"]


# -- what is kept of a room --------------------------------------------------------------------------


def test_what_is_farther_than_60_mm_from_the_table_is_black(looked_at: list[Frame]):
    observer = Observer(LAYOUT, ACCEPTED)
    frame = looked_at[0]
    for number in range(3):
        observer.observe(make_frame(frame.gray, FIRST_S + number))
    assert observer.geometry is not None
    kept = on_the_table(frame.gray, observer.geometry, LAYOUT)
    (left, top), (right, bottom) = np.round(observer.geometry.to_px([(-55, -25), (1155, 625)])).astype(int).tolist()
    inner = slice(max(0, top), bottom), slice(max(0, left), right)
    assert np.array_equal(kept[inner], frame.gray[inner])
    outer = kept.copy()
    (left, top), (right, bottom) = np.round(observer.geometry.to_px([(-64, -64), (1164, 664)])).astype(int).tolist()
    outer[max(0, top) : bottom, max(0, left) : right] = 0
    assert not outer.any()


def test_while_nobody_knows_where_the_table_is_nothing_is_shown(tmp_path: Path, looked_at: list[Frame]):
    """A camera that falls over looks into the room."""
    observer = Observer(LAYOUT, ACCEPTED)
    observer.observe(looked_at[0])
    writer = FilmWriter(tmp_path, "png")
    writer.take(looked_at[0], None, LAYOUT)
    writer.take(looked_at[1], observer.geometry, LAYOUT)
    writer.take(looked_at[2], None, LAYOUT)
    writer.close()
    names = [name for name, _ in read_times(tmp_path)]
    assert len(names) == 2, "before the table was found there is nothing to keep"
    first, second = (cv2.imread(str(tmp_path / name), cv2.IMREAD_GRAYSCALE) for name in names)
    assert first.any()
    assert not second.any()
    assert second.shape == (PICTURE_PX[1], PICTURE_PX[0])


# -- disks -------------------------------------------------------------------------------------------


def test_png_if_the_disk_keeps_up_else_jpeg(tmp_path: Path, looked_at: list[Frame]):
    assert choose_kind(looked_at[0].gray, tmp_path, rate_hz=0.0)[0] == "png"
    kind, size = choose_kind(looked_at[0].gray, tmp_path, rate_hz=1e6)
    assert kind == "jpg"
    assert size == len(film_writer.pack(looked_at[0].gray, "jpg"))
    assert not list(tmp_path.iterdir())


def test_a_full_disk_ends_the_recording_and_not_the_match(
    tmp_path: Path, looked_at: list[Frame], monkeypatch: pytest.MonkeyPatch
):
    observer = Observer(LAYOUT, ACCEPTED)
    observer.observe(looked_at[0])
    writer = FilmWriter(tmp_path, "jpg")

    def full(self: Path, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    monkeypatch.setattr(film_writer, "PATIENCE_S", 0.5)
    for frame in looked_at[:20]:
        writer.take(frame, observer.geometry, LAYOUT)
    writer.close()
    assert writer.over
    assert writer.why == "the disk takes no more (No space left on device)"


def test_an_eye_that_crashed_is_followed_by_one_that_goes_on_with_the_recording(tmp_path: Path, looked_at: list[Frame]):
    observer = Observer(LAYOUT, ACCEPTED)
    observer.observe(looked_at[0])
    for part in (looked_at[:3], looked_at[2:6]):
        writer = FilmWriter(tmp_path, "jpg", seconds=4 * STEP_S)
        for frame in part:
            writer.take(frame, observer.geometry, LAYOUT)
        writer.close()
    with (tmp_path / "frames.csv").open("a") as torn:
        torn.write("000")
    times = [taken_s for _, taken_s in read_times(tmp_path)]
    assert times == pytest.approx([FIRST_S + number * STEP_S for number in range(5)])
    assert writer.over


# -- what people say -----------------------------------------------------------------------------------

GAME = open_match(MATCH, demo_deck()).game
SAID: list[Command] = [
    MakeMove(decode_move(GAME, {"do": "end_turn", "by": 1}), Origin.PHONE),
    Undo(7, Seat(1), Origin.BUTTON, anyway=True),
    OverruleCamera(),
    Pause(by=Seat(2)),
    CorrectCounts((("hands", (5, 4)), ("stack", 30))),
    ChangeSeat(Seat(2), name="Zoé", here=True),
    AnswerQuestion(3, 1, Seat(1)),
    CommandCard(CardId("KEND"), Seat(1)),
]


@pytest.mark.parametrize("command", SAID, ids=lambda command: type(command).__name__)
def test_what_people_say_is_written_down_and_read_again(command: Command):
    document = json.loads(json.dumps(encode_command(command)))
    assert decode_command(GAME, document) == command


@pytest.mark.parametrize(
    "document", [{}, [], {"said": "Shout"}, {"said": "Undo", "loud": 1}, {"said": "Pause", "origin": "moon"}]
)
def test_what_nobody_can_say_is_refused_in_a_sentence(document: Any):
    with pytest.raises(InputError, match=r"said|say"):
        decode_command(GAME, document)


def test_a_damaged_list_of_words_is_named_with_its_line(
    tmp_path: Path, looked_at: list[Frame], capsys: pytest.CaptureFixture[str]
):
    folder = tmp_path / "film"
    recorded(folder, looked_at[:15], "jpg")
    for text in ("{", "[]", '{"after_ms": 1}', '{"after_ms": "x", "at_ms": 1, "said": "Pause"}'):
        (folder / "said.jsonl").write_text(text + "\n")
        assert main(["referee", str(folder), "--record", str(tmp_path / "again.jsonl")]) == 2
        assert "said.jsonl line 1: " in capsys.readouterr().err
