"""A camera on the wall, with a real RTSP server: seen, lost, found again, and recorded."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path

import cv2
import pytest
from support import rtsp_server
from support.flat_table import ACCEPTED, LAYOUT, Arm, Laid, draw, zones
from support.ports import free_port
from support.rtsp_server import RtspServer

from companion.cli.main import main
from companion.games.registry import demo_deck, open_match
from companion.public.layout import encode_layout
from companion.public.table import Observation, ViewLost
from companion.referee.match import Match
from companion.service.recording import Recording
from companion.storage.event_log import StoredMatch
from vision.process import supervisor
from vision.process.supervisor import VisionProcess

POOL = [Laid(f"C1{n}", 850 + 95 * (n % 3), 120 + 200 * (n // 3)) for n in range(1, 6)]
LAID = Laid("C16", 300, 300)
MATCH = {"profile": "fr-explore", "seat": [{"name": "Ana"}, {"name": "Ben"}], "table": encode_layout(LAYOUT)}
STEPS = 60
RECORDED_S = 10.0


def film(folder: Path) -> Path:
    """The pool lies there; after six seconds a hand lays a card in the tree; and from the beginning."""
    folder.mkdir()
    for number in range(STEPS):
        things: list[Laid | Arm] = [*POOL] if number < STEPS // 2 else [*POOL, LAID]
        if abs(number - STEPS // 2) < 2:
            things.append(Arm(320, 330))
        cv2.imwrite(str(folder / f"{number:05}.jpg"), draw(things, seed=number), [cv2.IMWRITE_JPEG_QUALITY, 92])
    return folder


class Table:
    """A match under an eye on this camera."""

    def __init__(self, address: str) -> None:
        self.opened = open_match(MATCH, demo_deck())
        self.match = Match(self.opened.game, lambda entries: None, lambda update: None)
        self.looks: list[Observation] = []
        self.ended: list[str | None] = []
        self._news = threading.Condition()
        self.eye = VisionProcess(
            address, LAYOUT, ACCEPTED, self._look, shapes=self.opened.game.table.shapes, on_recorded=self._recorded
        )

    def _look(self, look: Observation) -> None:
        with self._news:
            self.match.handle(look, look.taken_s)
            self.looks.append(look)
            self._news.notify_all()

    def _recorded(self, why: str | None) -> None:
        with self._news:
            self.ended.append(why)
            self._news.notify_all()

    def until(self, wanted: Callable[[], bool], patience_s: float = 120.0) -> None:
        with self._news:
            assert self._news.wait_for(wanted, patience_s), (self.looks[-1:], self.eye.trouble())

    def sees_pool(self) -> bool:
        seen = zones(self.looks[-1]) if self.looks and self.looks[-1].lost is None else {}
        return all(seen.get(card.token) == "pool" for card in POOL)

    def is_lost(self) -> bool:
        return self.looks[-1].lost is ViewLost.CAMERA


@pytest.mark.long
def test_a_real_rtsp_camera_is_seen_lost_found_again_and_its_recording_refereed_to_the_same_entries(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
):
    if not rtsp_server.is_there():
        pytest.skip(
            "no RTSP server here: gir1.2-gst-rtsp-server-1.0, python3-gi and GStreamer's good and ugly plug-ins"
        )
    monkeypatch.setattr(supervisor, "RESTART_DELAYS_S", (0.5,))
    folder = tmp_path / "recorded"
    folder.mkdir()
    with RtspServer(film(tmp_path / "film"), free_port()) as camera:
        table = Table(camera.address)
        stored = StoredMatch("m", "2026-01-01", table.opened.header, False)
        recording = Recording(folder, stored, table.match, layout=LAYOUT, settings={}, about={})
        table.eye.record(folder, seconds=RECORDED_S)
        with table.eye:
            table.until(lambda: bool(table.ended))
            recording.finish()
            table.until(table.sees_pool)
            camera.stall()
            table.until(table.is_lost)
            table.until(lambda: table.eye.trouble() in ("stalled", "no-video", "unreachable"))
            camera.go_on()
            table.until(table.sees_pool)
            camera.gone()
            table.until(table.is_lost)
            table.until(lambda: table.eye.trouble() == "unreachable")
            camera.back()
            table.until(table.sees_pool)
    assert table.ended == [None]
    assert main(["referee", str(folder), "--record", str(tmp_path / "again.jsonl")]) == 0
    then, again = (
        [
            {key: value for key, value in json.loads(line).items() if key not in ("time_s", "waited_s")}
            for line in path.read_text("utf-8").splitlines()
        ]
        for path in (folder / "record.jsonl", tmp_path / "again.jsonl")
    )
    assert {line["event"] for line in then[1:]} >= {"dealt"}
    assert again == then
    assert "s3cret" not in caplog.text + "".join(capfd.readouterr())
