"""Draws a short match for ``camera.sh``: colour pictures for libcamera's virtual camera, and their times.

    python film.py FOLDER SECONDS

The folder gets ``frames`` (pictures and ``frames.csv``), ``match.toml`` and ``deck.toml``.
"""

from __future__ import annotations

import sys
from importlib.resources import files
from itertools import chain, repeat
from pathlib import Path

import cv2
from support.film_report import Film, table_match

from vision.synthetic.source import draw

RATE_HZ = 3.5
"""The virtual camera shows each picture four times, and ours asks it for 14 a second."""
STILL = round(8 * RATE_HZ)
"""Pictures of the table before and after the match; the camera is started, and the program stopped, meanwhile."""


def write_film(folder: Path, lasts_s: float) -> int:
    """Write the pictures of a match of about so many seconds; returns their number."""
    match = table_match(2, "fr-explore")
    film = Film(match, seed=2, lively=0.0)
    scene = film.scene()
    pictures = list(film.pictures(film.acts(lasts_s)[-1].ends_s + 1, RATE_HZ))
    frames = folder / "frames"
    frames.mkdir(parents=True)
    times = ["name,time_ms"]
    for number, shown in enumerate(chain(repeat(pictures[0], STILL), pictures, repeat(pictures[-1], STILL))):
        name = f"{number:04}.jpg"
        cv2.imwrite(str(frames / name), cv2.cvtColor(draw(scene, shown), cv2.COLOR_GRAY2BGR))
        times.append(f"{name},{round(1000 * number / RATE_HZ)}")
    (frames / "frames.csv").write_text("\n".join(times) + "\n")
    seats = "".join(f'[[seat]]\nname = "{seat["name"]}"\n' for seat in match["seat"])
    (folder / "match.toml").write_text(
        f'game = "discovery"\nprofile = "{match["profile"]}"\ndealer = {match["dealer"]}\n{seats}'
    )
    deck = (files("companion.games.discovery") / "demo_deck.toml").read_text("utf-8")
    (folder / "deck.toml").write_text(deck, "utf-8")
    return len(times) - 1


if __name__ == "__main__":
    sys.stdout.write(f"{write_film(Path(sys.argv[1]), float(sys.argv[2]))} pictures\n")
