"""`companion referee` on films as people have them: with uneven times, pauses, damage, and without an end."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import pytest
import tomlkit
from support.drawn_film import LARGEST_BYTES, cut, without_packets
from support.flat_table import LAYOUT, Arm, Laid, draw

from companion.cli.main import main
from companion.public.layout import encode_layout

POOL = [Laid(f"C1{n}", 850 + 95 * (n % 3), 120 + 200 * (n // 3)) for n in range(1, 6)]
LAID = Laid("C16", 300, 300)
LAID_S, END_S = 4.0, 10.0
UNEVEN_S = (0.0, 0.187, 0.394, 0.61, 0.64, 0.9, 1.45, 1.5, 1.9, 2.2, 2.6, 3.1, 3.5, 3.9, 4.0, 4.2, 4.5, 4.6, 4.8)
"""And then nothing was written until the end, because nothing changed."""
KINDS = {"mkv": (1000, {}), "mp4": (10, {"movflags": "faststart"}), "ts": (25, {})}


def filmed(path: Path) -> Path:
    """The pool lies there; a hand lays a card in the tree; and then nothing changes."""
    rate_hz, options = KINDS[path.suffix[1:]]
    with av.open(str(path), "w", options=options) as film:
        stream: Any = film.add_stream("libx264", rate=rate_hz)
        stream.height, stream.width = draw().shape
        stream.codec_context.time_base = Fraction(1, 1000)
        stream.codec_context.gop_size = 6
        stream.options = {"crf": "34", "preset": "veryfast", "bframes": "0"}
        for time_s in (*UNEVEN_S, END_S):
            things: list[Laid | Arm] = [*POOL] if time_s < LAID_S else [*POOL, LAID]
            if abs(time_s - LAID_S) < 0.3:
                things.append(Arm(320, 330))
            frame = av.VideoFrame.from_ndarray(draw(things, noise=0), "gray").reformat(format="yuv420p")
            frame.pts, frame.time_base = round(1000 * time_s), Fraction(1, 1000)
            film.mux(stream.encode(frame))
        film.mux(stream.encode(None))
    assert path.stat().st_size < LARGEST_BYTES
    return path


def refereed(film: Path) -> list[dict[str, Any]]:
    match, record = film.parent / "match.toml", film.parent / "out.jsonl"
    header = {"profile": "fr-explore", "seat": [{"name": "Ana"}, {"name": "Ben"}], "table": encode_layout(LAYOUT)}
    match.write_text(tomlkit.dumps(header), "utf-8")
    assert main(["referee", str(film), "--match", str(match), "--record", str(record)]) == 0
    return [json.loads(line) for line in record.read_text("utf-8").splitlines()[1:]]


@pytest.mark.parametrize("kind", KINDS)
def test_a_card_counts_when_it_was_laid_though_nothing_was_written_after_it(
    tmp_path: Path, kind: str, capsys: pytest.CaptureFixture[str]
):
    entries = refereed(filmed(tmp_path / f"t.{kind}"))
    laid = [(entry["move"]["card"], entry["time_s"]) for entry in entries if entry.get("move", {}).get("do") == "place"]
    assert [card for card, _ in laid] == ["1-6"]
    assert LAID_S <= laid[0][1] <= LAID_S + 2
    assert "cut off" not in capsys.readouterr().err


def test_what_is_there_of_a_film_that_is_cut_off_is_refereed_and_the_rest_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    film = filmed(tmp_path / "t.mp4")
    refereed(cut(film, 0.7))
    assert f"{film}: the film is cut off after " in capsys.readouterr().err


def test_lost_packets_are_a_note_and_no_story_of_their_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    whole = filmed(tmp_path / "t.ts")
    count = whole.stat().st_size // 188
    entries = refereed(without_packets(whole, (count // 3, count // 3 + 1)))
    acts = [entry["move"]["card"] for entry in entries if entry.get("move", {}).get("do") == "place"]
    assert acts == ["1-6"]
    said = capsys.readouterr().err
    assert "damaged, and left out" in said
    assert "cut off" not in said
