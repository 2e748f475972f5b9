"""What the eye makes of pictures of real light: path-traced tables and films, beside what other readers read.

    python -m tests.tools.photoreal                       all tables, then the films
    python -m tests.tools.photoreal A-panel F-evening     of these tables alone
    python -m tests.tools.photoreal --seconds 45 --no-films

The pictures do not belong to the project: they are looked for beside it (``--folder`` names another place), with a
``truth.json`` that says where each code is. For each table: how many codes there are; what the eye has read, what it
has marked as unreadable, about what it is silent, and what it has named wrongly, after some seconds of looks at the
still picture with fresh noise of a small sensor; then what ``companion scan``, zxing-cpp (of the picture, and of twice
its size) and pyzbar read in the one picture. For each code that is neither read nor marked: how much of it is clipped,
how wide an edge is there, and how wide a module. Marks where no code lies are counted as well. For each film: how many
acts were told, how many were asked about, and who was accused without a reason.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import zxingcpp

from companion.app.film import referee_frames
from companion.games.registry import OpenedMatch, sticker_codes
from companion.public.codes import sticker_token
from companion.public.print_sizes import CODE_MODULES
from companion.public.table import Observation, Point, Token
from companion.storage.match_file import read_match
from vision.camera.frame import Gray, make_frame
from vision.camera.sources import open_source, read_gray
from vision.codes.decoder import second_reader
from vision.codes.scan import scan
from vision.tracking.observer import Observer

BESIDE = Path(__file__).parents[3] / "shared" / "photoreal"
SECONDS, RATE_HZ, NOISE_DN = 10.0, 8.0, 2.0
"""Looks at a still picture, and the sigma of the noise that each adds to that of the picture."""

MARKED_SIDES, CLIPPED_DN = 1.0, 250
"""A mark within so many sides of a code is about it; from this level on, print is lost."""

DARKER = "_m0.7"
"""How the picture of a table in 0.7 EV less light is named: the eye may ask for it while it looks at the other."""

READERS = ("scan", "zxing x2", "zxing", "pyzbar")


@dataclass
class Table:
    """One still picture and what was made of it.

    Attributes:
        places: The corners of each printed code, by token.
        marks: Where the eye marked something, in pixels.
        others: What each other reader read.
        darker: The same table with less light, rendered for itself: what is burnt out is not in the usual picture.
        advice: What the check of the view said.
    """

    name: str
    gray: Gray
    places: dict[Token, list[Point]]
    read: set[Token] = field(default_factory=set)
    marks: list[Point] = field(default_factory=list)
    others: dict[str, set[str]] = field(default_factory=dict)
    darker: Gray | None = None
    advice: list[str] = field(default_factory=list)

    @property
    def marked(self) -> set[Token]:
        return {token for token in self.places if token not in self.read and self._mark_at(token)}

    @property
    def silent(self) -> set[Token]:
        return set(self.places) - self.read - self.marked

    @property
    def wrong(self) -> set[Token]:
        return self.read - set(self.places)

    @property
    def stray(self) -> list[Point]:
        """Marks where no code lies, or where one was read."""
        unread = [self._middle(token) for token in self.places if token not in self.read]
        return [mark for mark in self.marks if not any(math.dist(mark, at) < self._reach for at in unread)]

    def _middle(self, token: Token) -> Point:
        x, y = np.mean(self.places[token], axis=0).tolist()
        return x, y

    @property
    def _reach(self) -> float:
        sides = [math.dist(place[0], place[1]) for place in self.places.values()]
        return MARKED_SIDES * max(sides)

    def _mark_at(self, token: Token) -> bool:
        return any(math.dist(mark, self._middle(token)) < self._reach for mark in self.marks)

    def why(self, token: Token) -> str:
        """What a code looks like that is not read."""
        quad = np.array(self.places[token], np.float32)
        inside = np.zeros(self.gray.shape, np.uint8)
        cv2.fillConvexPoly(inside, np.round(quad).astype(np.int32), 1)
        levels = self.gray[inside > 0]
        low, high = np.percentile(levels, (5, 95))
        clipped = float((levels >= CLIPPED_DN).mean())
        module_px = math.dist(quad[0], quad[1]) / CODE_MODULES
        return (
            f"{clipped:.0%} clipped, levels {low:.0f} to {high:.0f}, "
            f"edge {_edge_px(self.gray, quad):.2f} px, {module_px:.2f} px a module"
        )


def _edge_px(gray: Gray, quad: np.ndarray[Any, Any]) -> float:
    """The sigma of an edge: the outer edges of the finder patterns, by their height and their steepest slope."""
    fine = 8
    side = CODE_MODULES * fine
    flat = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32) + 2 * fine
    turn = cv2.getPerspectiveTransform(quad, flat)
    flat_picture = cv2.warpPerspective(gray, turn, (side + 4 * fine, side + 4 * fine), flags=cv2.INTER_CUBIC)
    module_px = math.dist(quad[0], quad[1]) / CODE_MODULES
    profile = flat_picture[: 3 * fine, 4 * fine : 7 * fine].astype(np.float32).mean(1)
    slope = float(np.abs(np.diff(profile)).max())
    return float(np.ptp(profile)) / max(slope, 1e-3) / 2.5066 * module_px / fine


def looks(
    opened: OpenedMatch, gray: Gray, seconds: float, rate_hz: float, darker: Gray | None = None
) -> Iterator[tuple[Observer, Observation]]:
    """Looks at a still picture with fresh noise; and at the same table in less light, where the eye asks for it."""
    observer = Observer(opened.layout, sticker_codes(opened.game), shapes=opened.game.table.shapes)
    dice = np.random.default_rng(1)
    noise = [dice.normal(0.0, NOISE_DN, gray.shape).astype(np.float32) for _ in range(3)]
    for number in range(round(seconds * rate_hz)):
        shift = tuple(dice.integers(0, side) for side in gray.shape)
        grain = np.roll(noise[number % len(noise)], shift, (0, 1))
        picture = np.clip(np.round(gray + grain), 0, 255).astype(np.uint8)
        picture[gray == 255] = 255  # what is clipped has no noise
        frame = make_frame(picture, number / rate_hz)
        look = observer.observe(frame)
        if darker is not None and look.settled and look.lost is None and observer.wants_darker(frame):
            dim = np.clip(np.round(darker + np.roll(grain, 7, (0, 1))), 0, 255).astype(np.uint8)
            observer.take_darker(replace(make_frame(dim, frame.taken_s), is_darker=True))
        yield observer, look


def look_at(table: Table, opened: OpenedMatch, seconds: float, rate_hz: float) -> None:
    *_, (observer, look) = looks(opened, table.gray, seconds, rate_hz, table.darker)
    table.read = {placement.token for placement in look.table.placements}
    if observer.geometry is not None and look.unread:
        table.marks = [
            (x, y) for x, y in observer.geometry.to_px([(one.x_mm, one.y_mm) for one in look.unread]).tolist()
        ]
    health = observer.health(make_frame(table.gray, seconds))
    table.advice = [
        f"{one.name} {one.value:.3g} {one.about} {one.side}: {one.advice}".replace("  ", " ")
        for one in (health.findings if health is not None else ())
        if not one.good
    ]


def read_by_others(table: Table, path: Path) -> None:
    twice = cv2.resize(table.gray, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
    decode = second_reader()
    texts = {
        "zxing x2": {code.text for code in zxingcpp.read_barcodes(twice, formats=zxingcpp.BarcodeFormat.QRCode)},
        "zxing": {code.text for code in zxingcpp.read_barcodes(table.gray, formats=zxingcpp.BarcodeFormat.QRCode)},
        "pyzbar": {code.data.decode("ascii", "replace") for code in decode(table.gray)} if decode else set(),
    }
    table.others = {name: {str(sticker_token(text)) for text in found} for name, found in texts.items()}
    table.others["scan"] = {seen["token"] for seen in scan(path)["sightings"]}


def tables(folder: Path, names: Sequence[str], opened: OpenedMatch, seconds: float, rate_hz: float) -> Iterator[Table]:
    for described in json.loads((folder / "truth.json").read_text("utf-8")):
        path = folder / described["picture"]
        if names and path.stem not in names:
            continue
        places = {Token(token): [(x, y) for x, y in quad] for token, quad in described["stickers_px"].items()}
        table = Table(path.stem, read_gray(path), places)
        look_at(table, opened, seconds, rate_hz)
        read_by_others(table, path)
        yield table
        twin = path.with_name(f"{path.stem}{DARKER}{path.suffix}")
        if twin.is_file():
            both = Table(f"{path.stem} + {DARKER[1:]}", table.gray, places, others=table.others, darker=read_gray(twin))
            look_at(both, opened, seconds, rate_hz)
            yield both


def print_tables(told: Iterator[Table]) -> list[Table]:
    heads = ("codes", "read", "marked", "silent", "wrong", "stray", *READERS)
    print(f"{'':18}" + "".join(f"{head:>9}" for head in heads))
    shown = []
    for table in told:
        own = (len(table.places), len(table.read & set(table.places)), len(table.marked), len(table.silent))
        more = (len(table.wrong), len(table.stray), *(len(table.others[name] & set(table.places)) for name in READERS))
        print(f"{table.name:18}" + "".join(f"{figure:>9}" for figure in (*own, *more)), flush=True)
        shown.append((table, (*own, *more)))
    if len(shown) > 1:
        sums = np.sum([figures for _, figures in shown], axis=0).tolist()
        print(f"{'all':18}" + "".join(f"{figure:>9}" for figure in sums))
    return [table for table, _ in shown]


def print_reasons(told: Sequence[Table]) -> None:
    for table in told:
        for what, tokens in (("silent", table.silent), ("marked", table.marked)):
            for token in sorted(tokens):
                readers = [name for name in READERS if token in table.others[name]]
                print(f"{table.name} {token} {what}: {table.why(token)}; read by {', '.join(readers) or 'nobody'}")
        for token in sorted(table.wrong):
            print(f"{table.name} {token} WRONG")
        for x, y in table.stray:
            print(f"{table.name} a mark without an unread code at {x:.0f}, {y:.0f} px")
        for line in table.advice:
            print(f"{table.name} check: {line}")


def print_film(folder: Path) -> None:
    """Compare the record of a film with its acts, in order; what was struck is not told."""
    opened = read_match(folder / "match.toml")
    acts = [json.loads(line) for line in (folder / "truth.jsonl").read_text("utf-8").splitlines()]
    with tempfile.TemporaryDirectory() as room, open_source(str(folder / "table.mp4")) as source:
        record = Path(room) / "record.jsonl"
        sight = referee_frames(source, opened, record)
        lines = [json.loads(line) for line in record.read_text("utf-8").splitlines()][1:]
    struck = {line["strikes"] for line in lines if line["event"] == "struck"}
    moves = [line for line in lines if line["event"] in ("played", "refused") and line["number"] not in struck]
    told = _told_in_order(acts, moves)
    lawful = {act["card"] for act in acts if act.get("legal") and "card" in act}
    asked = [line for line in lines if line["event"] == "question" or line.get("asks")]
    accused = [
        line
        for line in moves
        if line["event"] == "refused"
        and line not in asked
        and (line["move"]["do"] == "end_turn" or line["move"].get("card") in lawful)
    ]
    print(
        f"{folder.name}: {told} of {len(acts)} acts told, {len(asked)} asked, {len(accused)} accused without a reason"
    )
    for line in lines:
        move, wrong = line.get("move", {}), [found["rule"] for found in line.get("objections", ())]
        about = line.get("question", line.get("about", ""))
        said = " ".join([*wrong, *["ASKED"] * (line in asked)])
        print(f"    {line.get('time_s', 0):6.1f} s {line['event']:9} {json.dumps(move or about)} {said}")
    print(f"    {'; '.join(sight.lines())}")


def _told_in_order(acts: Sequence[dict[str, Any]], moves: Sequence[dict[str, Any]]) -> int:
    """The most acts that the record tells, in their order (the longest common part)."""

    def same(act: dict[str, Any], line: dict[str, Any]) -> bool:
        move = line["move"]
        lawful = line["event"] == "played"
        return (
            move.get("do") == act["do"]
            and move.get("by") == act["by"]
            and move.get("card") == act.get("card")
            and lawful == act["legal"]
        )

    best = [[0] * (len(moves) + 1) for _ in range(len(acts) + 1)]
    for one, act in enumerate(acts, 1):
        for other, line in enumerate(moves, 1):
            best[one][other] = max(
                best[one - 1][other], best[one][other - 1], best[one - 1][other - 1] + same(act, line)
            )
    return best[-1][-1]


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.tools.photoreal", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("tables", nargs="*", metavar="TABLE", help="the names of pictures (all)")
    parser.add_argument("--folder", type=Path, default=BESIDE, help="where the pictures are (%(default)s)")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="of looks at each table (%(default)s)")
    parser.add_argument("--rate", type=float, default=RATE_HZ, help="looks a second (%(default)s)")
    parser.add_argument("--no-films", action="store_true", help="tables alone")
    parser.add_argument("--films", action="store_true", help="films alone")
    asked = parser.parse_args()
    if not (asked.folder / "truth.json").is_file():
        print(f"{asked.folder}: no path-traced pictures there; --folder names another place.", file=sys.stderr)
        return 2
    films = sorted(path.parent for path in asked.folder.glob("*/table.mp4"))
    cv2.setNumThreads(1)
    if not asked.films:
        opened = read_match(films[0] / "match.toml")
        print_reasons(print_tables(tables(asked.folder, asked.tables, opened, asked.seconds, asked.rate)))
    if asked.films or not (asked.no_films or asked.tables):
        for folder in films:
            print_film(folder)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
