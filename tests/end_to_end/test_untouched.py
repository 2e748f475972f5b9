"""The demonstration that nobody touches: the real program, its own pictures and its own eye, for twenty minutes."""

from __future__ import annotations

import http.client
import json
import math
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from reference.referee import Referee
from support.ports import free_port

ROOT = Path(__file__).parents[2]
RUN = (sys.executable, "-m", "companion", "run", "--source", "simulated", "--speed", "3")
LASTS_S = 1200.0
STILL_S = 10.0
"""No picture stands for longer."""
GAME_LASTS_S = 300.0
TO_RIGHT_S = 60.0
"""Nothing stays to be put right for longer."""
LEAST_ENTRIES = 25


class Demonstration:
    """`companion run` as somebody starts it who wants to see it.

    Attributes:
        pictures: When each new picture was first seen, on the monotonic clock.
    """

    def __init__(self, folder: Path, port: int, *words: str) -> None:
        self.log, self._port = folder / "said", port
        with self.log.open("w") as paper:
            self.program = subprocess.Popen(
                [*RUN, *words, "--port", str(port), "--data", str(folder / "data")],
                cwd=ROOT, stdout=paper, stderr=subprocess.STDOUT,
            )  # fmt: skip
        self.pictures: list[float] = []
        self._last = ""
        self._code = ""

    def begins(self, within_s: float) -> None:
        """Wait for the host's code and the first picture."""
        until_s = time.monotonic() + within_s
        while not self.pictures:
            assert self.program.poll() is None, self.log.read_text("utf-8")
            assert time.monotonic() < until_s
            time.sleep(0.2)
            found = re.search(r"/join/(\S+)", self.log.read_text("utf-8"))
            if found:
                self._code = found[1]
                self.look()

    def get(self, path: str) -> tuple[int, bytes]:
        """An answer to the host."""
        line = http.client.HTTPConnection("127.0.0.1", self._port, timeout=10)
        try:
            line.request("GET", path, headers={"Authorization": f"Bearer {self._code}"})
            answer = line.getresponse()
            return answer.status, answer.read()
        except OSError:
            return 0, b""
        finally:
            line.close()

    def look(self) -> None:
        """Note whether the picture is a new one."""
        status, picture = self.get("/api/v1/camera.jpg")
        seen = sha256(picture).hexdigest()
        if status == 200 and seen != self._last:
            self._last = seen
            self.pictures.append(time.monotonic())

    def matches(self) -> list[dict[str, Any]]:
        """The stored matches, the oldest first."""
        return sorted(json.loads(self.get("/api/v1/matches")[1])["matches"], key=lambda match: str(match["id"]))


@pytest.fixture
def demonstration(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Demonstration]:
    made = Demonstration(tmp_path, free_port(), *getattr(request, "param", ()))
    yield made
    made.program.terminate()
    assert made.program.wait(20) == 0


def second_judge_agrees(record: list[dict[str, Any]]) -> None:
    """Every entry's standing, winners included, is the second judge's."""
    referee = Referee(record[0])
    for line in record[1:]:
        assert referee.entry(line)["standing"] == line["standing"], line


@pytest.mark.long
@pytest.mark.timeout(LASTS_S + 300)
def test_untouched_for_twenty_minutes_it_plays_match_after_match(demonstration: Demonstration) -> None:
    demonstration.begins(within_s=60)
    until_s = time.monotonic() + LASTS_S
    ended_scene_seen = False
    while time.monotonic() < until_s:
        demonstration.look()
        ended_scene_seen |= json.loads(demonstration.get("/api/v1/standing")[1])["standing"]["over"]
        time.sleep(0.25)
    longest_s = max(later - earlier for earlier, later in pairwise(demonstration.pictures))
    matches = demonstration.matches()
    over = [match for match in matches if match["over"]]
    print(f"{len(matches)} matches, {len(over)} of them over; the longest wait for a new picture {longest_s:.1f} s")
    assert longest_s < STILL_S
    assert until_s - demonstration.pictures[-1] < STILL_S
    assert len(over) >= 2
    assert ended_scene_seen
    assert [match["id"] for match in matches if not match["over"]] == [m["id"] for m in matches if m["running"]]
    for match in over:
        lines = demonstration.get(f"/api/v1/matches/{match['id']}/record")[1].decode().splitlines()
        record = [json.loads(line) for line in lines]
        assert record[-1]["standing"]["winners"]
        second_judge_agrees(record)


@pytest.mark.long
@pytest.mark.timeout(GAME_LASTS_S + 300)
@pytest.mark.parametrize(
    "demonstration",
    [("--game", "carcassonne"), ("--game", "darwinci"), ("--game", "lands")],
    indirect=True,
    ids=["carcassonne", "darwinci", "lands"],
)
def test_every_other_game_goes_on_by_itself(demonstration: Demonstration) -> None:
    """`./run --game NAME`: people err now and then, nothing is asked, and nothing is to be put right for long."""
    demonstration.begins(within_s=120)
    until_s, to_right_since = time.monotonic() + GAME_LASTS_S, math.inf
    while time.monotonic() < until_s:
        demonstration.look()
        now = json.loads(demonstration.get("/api/v1/standing")[1])
        to_right_since = min(to_right_since, time.monotonic()) if now["guide"] else math.inf
        assert time.monotonic() - to_right_since < TO_RIGHT_S, now["guide"]
        time.sleep(0.25)
    match = demonstration.matches()[0]
    lines = demonstration.get(f"/api/v1/matches/{match['id']}/record")[1].decode().splitlines()
    entries = [json.loads(line) for line in lines[1:]]
    longest_s = max(later - earlier for earlier, later in pairwise(demonstration.pictures))
    print(f"{len(entries)} entries; over: {match['over']}; the longest wait for a new picture {longest_s:.1f} s")
    assert longest_s < STILL_S
    assert len(entries) >= LEAST_ENTRIES
    assert not [line for line in entries if line["event"] in ("question", "unexplained")]
