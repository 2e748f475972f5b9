"""A pulled plug at fifty moments: what three phones and the host were told is on the card, whenever it was pulled.

Called by ``tests/tools/power-cut.sh IMAGE FOLDER MINUTES``. A machine runs from a card whose every write qemu logs
(``blklogwrites``). Phones outside it play over HTTP and note, with each answer, how long the log was by then: what they
were told must be in what was logged before. Then the card is made anew from the log up to fifty moments, each twice:
with all that had been written, and with only what had been flushed, as a card leaves it that loses its own memory. Each
is mounted as a start would do it, its database is read as a start reads it, and compared with what was told.
"""

from __future__ import annotations

import json
import random
import shutil
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path

from image import EFI_AT, heading, health, make_card, mtools, require, say
from image_machine import Machine, Trouble

from companion.cli.bench.kills import SEATS, Acknowledged, Phone, _wish, differences
from companion.storage.backup import open_or_recover

MOMENTS = 50
LOG_MAGIC = 0x6A736677736872
FLUSH, DISCARD = 1, 4
FLUSHED = "what had been flushed"
MATCH = {"profile": "en-explore", "host": "outside", "seat": [{"name": name} for name in SEATS]}


@dataclass(frozen=True, slots=True)
class Write:
    """An entry of the log (the format of Linux' dm-log-writes).

    Attributes:
        at: Where it is written on the card; bytes.
        data_at, size: Where it lies in the log, and its length; bytes.
        end: The length of the log after it.
    """

    at: int
    data_at: int
    size: int
    flags: int
    end: int


def read_log(file: Path) -> list[Write]:
    """What was written, in order.

    Raises:
        Trouble: It is no such log.
    """
    found = []
    with file.open("rb") as log:
        magic, version, _, sector = struct.unpack("<QQQI", log.read(28))
        if (magic, version) != (LOG_MAGIC, 1):
            raise Trouble(f"{file} is no log of writes.")
        end, length = sector, file.stat().st_size
        while end + sector <= length:
            log.seek(end)
            first, count, flags, _ = struct.unpack("<QQQQ", log.read(32))
            size = 0 if flags & DISCARD else count * sector
            data_at = end + sector
            if (not count and not flags & FLUSH) or data_at + size > length:
                break  # the plug was pulled in the middle of it
            end = data_at + size
            found.append(Write(first * sector, data_at, size, flags, end))
    return found


class Players:
    """Three phones and the host, who say one thing after the other until the machine is gone."""

    def __init__(self, box: Machine, log: Path, host: str) -> None:
        self._log = log
        self.told: list[tuple[int, dict[str, object]]] = []
        self._lock = threading.Lock()
        with closing(Phone(box.port, host)) as phone:
            status, answer = phone.ask("POST", "/api/v1/matches", {"match": MATCH}, "begin")
            require(status == 200, f"No match was begun: {answer}")
            self.match = str(answer["match"])
            _, invited = phone.ask("GET", "/api/v1/invitations")
        codes = [one["code"] for one in invited["invitations"] if one["role"] == "seat"]
        self.people = [
            threading.Thread(target=self._play, args=(Phone(box.port, code), seat), daemon=True)
            for seat, code in enumerate((*codes, host), 1)
        ]

    def _play(self, phone: Phone, seat: int) -> None:
        dice, after, asked = random.Random(seat), None, 0
        try:
            while True:
                if after is None:
                    after = int(phone.ask("GET", "/api/v1/standing")[1]["number"])
                path, body = _wish(dice, seat, after)
                asked += 1
                status, answer = phone.ask("POST", path, {**body, "after": after}, f"{seat}-{asked}")
                by_then = self._log.stat().st_size
                after = None
                if status == 200 and answer:
                    after = int(answer["number"])
                    with self._lock:
                        self.told.append((by_then, answer))
        except (OSError, HTTPException):
            return


def moments(log: list[Write], begins: int) -> list[int]:
    """Fifty places in the log, none before the match began: so many of its entries have come."""
    first = next(number for number, one in enumerate(log) if one.end > begins)
    return sorted(random.Random(1).sample(range(first, len(log) + 1), MOMENTS))


def flushed(log: list[Write], stop: int) -> int:
    """So many entries had come when the last flush before this moment was done."""
    return next((number for number in range(stop, 0, -1) if log[number - 1].flags & FLUSH), 0)


def replay(log_file: Path, log: list[Write], fresh: Path, card: Path, stops: list[int]) -> Iterator[int]:
    """The card as it was after so many entries; in place, and anew at each stop."""
    subprocess.run(["cp", "--sparse=always", fresh, card], check=True)
    done = 0
    with log_file.open("rb") as source, card.open("r+b", buffering=0) as target:
        for stop in stops:
            for one in log[done:stop]:
                source.seek(one.data_at)
                target.seek(one.at)
                target.write(source.read(one.size))
            done = max(done, stop)
            yield stop


def kept(card: Path, folder: Path) -> Path:
    """The matches of a card as a start after a power cut finds them: its journal brings the file system in order."""
    whole, part, data = folder / "cut.img", folder / "mounted", folder / "data"
    subprocess.run(["cp", "--sparse=always", card, whole], check=True)
    listed = subprocess.run(["sfdisk", "--json", whole], check=True, capture_output=True).stdout
    last = json.loads(listed)["partitiontable"]["partitions"][-1]
    part.mkdir(exist_ok=True)
    shutil.rmtree(data, ignore_errors=True)
    where = f"loop,noatime,offset={last['start'] * 512},sizelimit={last['size'] * 512}"
    subprocess.run(["mount", "-t", "ext4", "-o", where, whole, part], check=True)
    try:
        shutil.copytree(part, data, ignore=shutil.ignore_patterns("lost+found"))
    finally:
        subprocess.run(["umount", part], check=True)
    return data


def faults(data: Path, players: Players, by_then: int) -> list[str]:
    """What of that which was told before is not there as it was told."""
    heard = Acknowledged(counted=False)
    for length, answer in players.told:
        if length <= by_then:
            heard.entries[int(str(answer["number"]))] = answer
    with closing(open_or_recover(data, ())) as log:
        return list(differences(log, {players.match: heard}))


def main(kind: str, image: Path, folder: Path, minutes: float) -> None:
    fresh, card, log_file = folder / "fresh.img", folder / "card.img", folder / "writes.log"
    make_card(image, fresh)
    # The eye of a phone that never sends a picture sees nothing: the phones have the table to themselves.
    mtools("mcopy", "-o", "-i", f"{fresh}{EFI_AT}", "-", "::companion.txt", text="COMPANION_ARGUMENTS=--source phone\n")
    subprocess.run(["cp", "--sparse=always", fresh, card], check=True)
    log_file.write_bytes(b"")
    logged = f"driver=blklogwrites,node-name=card,file.driver=file,file.filename={card},file.cache.direct=off"
    drive = ["-blockdev", f"{logged},log.driver=file,log.filename={log_file},log-super-update-interval=64"]
    heading("A match is played while every write is logged")
    with Machine(kind, drive, folder) as box:
        box.until(2400, "the page answers", lambda: health(box))
        say(f"The page answered after {box.on_s:.0f} s")
        begins = log_file.stat().st_size
        # The first phone on a new table may be its host.
        host = json.loads(box.ask("/api/v1/host", {}) or b"{}")["code"]
        players = Players(box, log_file, host)
        for person in players.people:
            person.start()
        time.sleep(minutes * 60)
    for person in players.people:
        person.join(timeout=60)
    log = read_log(log_file)
    told = players.told
    require(len(told) > MOMENTS, f"Only {len(told)} things were told.")
    say(f"{len(told)} things were told while {len(log)} writes and flushes were logged, {log[-1].end / 1e6:.0f} MB")

    heading(f"The plug is pulled at {MOMENTS} moments")
    stops = moments(log, begins)
    wrong, compared = [], 0
    for what in ("all that was written", FLUSHED):
        points = [flushed(log, stop) for stop in stops] if what == FLUSHED else stops
        for stop, by in zip(replay(log_file, log, fresh, card, points), stops, strict=True):
            by_then = log[by - 1].end if by else 0
            found = faults(kept(card, folder), players, by_then)
            compared += sum(length <= by_then for length, _ in told)
            wrong += [f"after {by} writes, with {what} ({stop}): {fault}" for fault in found]
    say(f"{2 * MOMENTS} cards compared with {compared} things told before their moments: {len(wrong)} faults")
    if wrong:
        raise Trouble("\n".join(wrong))
    # A comparison that finds nothing anywhere would have passed too.
    require(faults(kept(fresh, folder), players, log[-1].end), "A card without the match was taken for one with it.")


if __name__ == "__main__":
    try:
        main("amd64", Path(sys.argv[1]), Path(sys.argv[2]), float(sys.argv[3]))
    except Trouble as trouble:
        sys.exit(f"{trouble}")
