"""Draws the last turns of a match for ``camera.sh``: colour pictures for libcamera's virtual camera, and their times.

    python film.py FOLDER

The folder gets ``frames`` (pictures and ``frames.csv``); for the virtual camera, ``whole``, and ``first`` and ``then``,
the same in two parts; ``match.toml`` with the position before these turns; and ``deck.toml``.
"""

from __future__ import annotations

import json
import math
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

import cv2
from reference.judge import Oracle
from support.film_report import DECK, Film, table_match

from companion.simulation.script import ScriptedAct
from vision.synthetic.source import draw

RATE_HZ = 3.5
"""The virtual camera shows each picture four times, and ours asks it for 14 a second."""
STILL = round(8 * RATE_HZ)
"""Pictures of the table before and after the match; the camera is started, and the program stopped, meanwhile."""
TURNS = 2
"""The virtual camera keeps its pictures in memory, 23 MB each: those of a match from its deal would not fit."""
FILM = Film(table_match(2, "en-intro"), seed=8, lively=0.0)
"""In its last turns a card is taken back, another is laid, the pool is refilled, and the next card ends the match."""


def counted(acts: list[ScriptedAct]) -> list[Any]:
    """The moves that count after these acts: neither refused nor taken back."""
    moves = []
    for act in acts:
        if act.deed.strikes:
            moves.pop()
        elif act.deed.stands or not act.deed.rules:
            moves.append(act.deed.move)
    return moves


def position(acts: list[ScriptedAct]) -> dict[str, Any]:
    """The table after these acts as ``[position]``, as the second judge knows it."""
    judge = Oracle(FILM.match, DECK)
    for number, move in enumerate(counted(acts), 1):
        judge.play(move, number, None)
    standing = judge.standing()
    return {
        "turn": standing["turn"],
        "tree": [laid["card"] for laid in judge.tree],
        "pool": judge.pool,
        "discards": judge.discards[1:],
        "hands": standing["hands"],
        "stack": standing["stack"],
        "points": standing["points"],
    }


def write_film(folder: Path) -> int:
    """Write the pictures and the files of the match; returns the number of pictures."""
    acts = FILM.acts(math.inf)
    assert acts[-1].deed.over
    ends = [number for number, act in enumerate(acts, 1) if act.deed.move["do"] == "end_turn"]
    before, shown = acts[: ends[-TURNS]], acts[ends[-TURNS] :]
    (cut_s,) = (act.ends_s for act in shown if act.deed.strikes)
    pictures = [one for one in FILM.pictures(acts[-1].ends_s + 1, RATE_HZ) if one.time_s >= before[-1].ends_s]
    cut = next(number for number, one in enumerate(pictures) if one.time_s >= cut_s)
    pictures = [pictures[0]] * STILL + pictures + [pictures[-1]] * STILL
    cut += STILL

    frames, scene = folder / "frames", FILM.scene()
    frames.mkdir(parents=True)
    times = ["name,time_ms"]
    for number, shown_then in enumerate(pictures):
        name = f"{number:04}.jpg"
        cv2.imwrite(str(frames / name), cv2.cvtColor(draw(scene, shown_then), cv2.COLOR_GRAY2BGR))
        times.append(f"{name},{round(1000 * number / RATE_HZ)}")
    (frames / "frames.csv").write_text("\n".join(times) + "\n")
    numbers = [*range(len(pictures))]
    show(folder / "whole", frames, numbers)
    show(folder / "first", frames, numbers[: cut + 1] + [cut] * STILL)
    show(folder / "then", frames, [cut] * STILL + numbers[cut:])

    seats = "".join(f'[[seat]]\nname = "{seat["name"]}"\n' for seat in FILM.match["seat"])
    there = "".join(f"{key} = {json.dumps(value)}\n" for key, value in position(before).items())
    (folder / "match.toml").write_text(
        f'game = "discovery"\nprofile = "{FILM.match["profile"]}"\ndealer = {FILM.match["dealer"]}\n'
        f"{seats}[position]\n{there}"
    )
    deck = (files("companion.games.discovery") / "demo_deck.toml").read_text("utf-8")
    (folder / "deck.toml").write_text(deck, "utf-8")
    return len(pictures)


def show(folder: Path, frames: Path, numbers: list[int]) -> None:
    """A folder with these pictures, one after the other."""
    folder.mkdir()
    for place, number in enumerate(numbers):
        (folder / f"{place:04}.jpg").hardlink_to(frames / f"{number:04}.jpg")


if __name__ == "__main__":
    sys.stdout.write(f"{write_film(Path(sys.argv[1]))} pictures\n")
