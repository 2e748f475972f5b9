"""A pulled plug at fifty moments: what three phones and the host were told is on the disk, whenever it was pulled.

Called by ``tests/tools/power-cut.sh FOLDER SECONDS``. The companion runs on a disk of its own (ext4) whose every write
qemu logs (``blklogwrites``). Phones play over HTTP from outside and note, with each answer, how long the log was by
then: what they were told must be in what was logged before. Then the disk is made anew from the log up to fifty
moments, each twice: with all that had been written, and with only what had been flushed, as a card leaves it that loses
its own memory. Each is mounted as a start would do it, its database is read as a start reads it, and compared with what
was told.
"""

from __future__ import annotations

import random
import re
import shutil
import struct
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path

from companion.storage.repair import open_or_recover
from tests.bench.kills import SEATS, Acknowledged, Phone, _wish, differences

MOMENTS = 50
DISK_MIB = 256
LOG_MAGIC = 0x6A736677736872
FLUSH, DISCARD = 1, 4
FLUSHED = "what had been flushed"
MATCH = {"profile": "en-explore", "host": "outside", "seat": [{"name": name} for name in SEATS]}
PORT = 18473
PATIENCE_S = 300.0


@dataclass(frozen=True, slots=True)
class Write:
    """An entry of the log (the format of Linux' dm-log-writes).

    Attributes:
        at: Where it is written on the disk; bytes.
        data_at, size: Where it lies in the log, and its length; bytes.
        end: The length of the log after it.
    """

    at: int
    data_at: int
    size: int
    flags: int
    end: int


def read_log(file: Path) -> list[Write]:
    """What was written, in order; an entry that is cut off ends it.

    Raises:
        SystemExit: It is no such log.
    """
    found = []
    with file.open("rb") as log:
        magic, version, _, sector = struct.unpack("<QQQI", log.read(28))
        if (magic, version) != (LOG_MAGIC, 1):
            sys.exit(f"{file} is no log of writes.")
        end, length = sector, file.stat().st_size
        while end + sector <= length:
            log.seek(end)
            first, count, flags, _ = struct.unpack("<QQQQ", log.read(32))
            size = 0 if flags & DISCARD else count * sector
            data_at = end + sector
            if (not count and not flags & FLUSH) or data_at + size > length:
                break
            end = data_at + size
            found.append(Write(first * sector, data_at, size, flags, end))
    return found


class Players:
    """Three phones and the host, who say one thing after the other until nobody answers.

    Attributes:
        told: What was acknowledged: how long the log was when the answer was there, and the entry.
    """

    def __init__(self, port: int, log: Path, host: str) -> None:
        self._log = log
        self.told: list[tuple[int, dict[str, object]]] = []
        self._lock = threading.Lock()
        with closing(Phone(port, host)) as phone:
            until_s, status = time.monotonic() + PATIENCE_S, 503
            while status == 503 and time.monotonic() < until_s:  # very busy: asked again with the same key
                status, answer = phone.ask("POST", "/api/v1/matches", {"match": MATCH}, "begin")
            if status != 200:
                sys.exit(f"No match was begun: {answer}")
            self.match = str(answer["match"])
            _, invited = phone.ask("GET", "/api/v1/invitations")
        codes = [one["code"] for one in invited["invitations"] if one["role"] == "seat"]
        self.people = [
            threading.Thread(target=self._play, args=(Phone(port, code), seat), daemon=True)
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


@contextmanager
def logged_disk(disk: Path, log: Path, folder: Path) -> Iterator[Path]:
    """The disk, mounted by way of qemu, which logs what is written to it."""
    export, mounted = folder / "export", folder / "mounted"
    export.touch()
    mounted.mkdir(exist_ok=True)
    log.write_bytes(b"")
    logged = f"driver=blklogwrites,node-name=disk,file.driver=file,file.filename={disk}"
    daemon = subprocess.Popen(
        [
            *("qemu-storage-daemon", "--blockdev"),
            f"{logged},log.driver=file,log.filename={log},log-super-update-interval=64",
            *("--export", f"type=fuse,id=disk,node-name=disk,mountpoint={export},writable=on"),
        ]
    )
    with ExitStack() as stack:
        stack.callback(daemon.wait)
        stack.callback(daemon.terminate)
        until_s = time.monotonic() + PATIENCE_S
        while export.stat().st_size != disk.stat().st_size:
            if daemon.poll() is not None or time.monotonic() > until_s:
                sys.exit("qemu does not lend the disk.")
            time.sleep(0.1)
        subprocess.run(["mount", "-t", "ext4", "-o", "loop,noatime", export, mounted], check=True)
        stack.callback(subprocess.run, ["umount", mounted], check=True)
        yield mounted


@contextmanager
def companion(data: Path, folder: Path) -> Iterator[str]:
    """A companion on this data folder, without a camera's picture; answers the host's code. It is killed at the end."""
    said = folder / "companion.log"
    words = [sys.executable, "-m", "companion", "run", "--source", "phone", "--data", str(data), "--port", str(PORT)]
    with said.open("wb") as output:
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
    try:
        until_s = time.monotonic() + PATIENCE_S
        while True:
            code = re.search(r"/join/(\S+)", said.read_text("utf-8"))
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{PORT}/api/v1/health", timeout=10).close()
            except OSError:
                code = None
            if code is not None:
                break
            if process.poll() is not None or time.monotonic() > until_s:
                sys.exit(f"The companion does not start: {said.read_text('utf-8')}")
            time.sleep(0.2)
        yield code[1]
    finally:
        process.kill()
        process.wait()


def flushed(log: list[Write], stop: int) -> int:
    """So many entries had come when the last flush before this moment was done."""
    return next((number for number in range(stop, 0, -1) if log[number - 1].flags & FLUSH), 0)


def replay(log_file: Path, log: list[Write], fresh: Path, disk: Path, stops: list[int]) -> Iterator[None]:
    """The disk as it was after so many entries: anew at each stop, which come in order."""
    subprocess.run(["cp", "--sparse=always", fresh, disk], check=True)
    done = 0
    with log_file.open("rb") as source, disk.open("r+b", buffering=0) as target:
        for stop in stops:
            for one in log[done:stop]:
                source.seek(one.data_at)
                target.seek(one.at)
                target.write(source.read(one.size))
            done = max(done, stop)
            yield


def kept(disk: Path, folder: Path) -> Path:
    """What is on a disk as a start after a power cut finds it: its journal brings the file system in order."""
    cut, mounted, data = folder / "cut.img", folder / "cut", folder / "data"
    subprocess.run(["cp", "--sparse=always", disk, cut], check=True)
    mounted.mkdir(exist_ok=True)
    shutil.rmtree(data, ignore_errors=True)
    subprocess.run(["mount", "-t", "ext4", "-o", "loop,noatime", cut, mounted], check=True)
    try:
        shutil.copytree(mounted, data, ignore=shutil.ignore_patterns("lost+found"))
    finally:
        subprocess.run(["umount", mounted], check=True)
    return data


def faults(data: Path, players: Players, by_then: int) -> list[str]:
    """What of that which was told before is not there as it was told."""
    heard = Acknowledged(counted=False)
    for length, answer in players.told:
        if length <= by_then:
            heard.entries[int(str(answer["number"]))] = answer
    with closing(open_or_recover(data, ())) as log:
        return list(differences(log, {players.match: heard}))


@dataclass(frozen=True, slots=True)
class Evening:
    """What was played, and what came of it.

    Attributes:
        begun, ends: The length of the log when the match had begun, and at the end; bytes.
        fresh: The disk as it was before all that was logged.
    """

    players: Players
    begun: int
    ends: int
    took_s: float
    fresh: Path


def play(port: int, log: Path, host: str, seconds: float, fresh: Path) -> Evening:
    """Let phones play for so long; they go on until nobody answers."""
    players = Players(port, log, host)
    began_s, begun = time.monotonic(), log.stat().st_size
    for person in players.people:
        person.start()
    time.sleep(seconds)
    return Evening(players, begun, log.stat().st_size, time.monotonic() - began_s, fresh)


def play_here(folder: Path, log: Path, seconds: float) -> Evening:
    """On this computer; the disk alone is qemu's."""
    fresh, disk = folder / "fresh.img", folder / "disk.img"
    with fresh.open("wb") as file:
        file.truncate(DISK_MIB * 1024 * 1024)
    subprocess.run(["mke2fs", "-q", "-t", "ext4", "-m", "0", fresh], check=True)
    subprocess.run(["cp", "--sparse=always", fresh, disk], check=True)
    with logged_disk(disk, log, folder) as mounted, companion(mounted, folder) as host:
        return play(PORT, log, host, seconds, fresh)


def main(folder: Path, seconds: float) -> None:
    disk, log_file = folder / "disk.img", folder / "writes.log"
    evening = play_here(folder, log_file, seconds)
    players, fresh = evening.players, evening.fresh
    for person in players.people:
        person.join(timeout=60)
    log = [one for one in read_log(log_file) if one.end <= evening.ends]
    told = players.told
    if len(told) <= MOMENTS:
        sys.exit(f"Only {len(told)} things were told.")
    count = sum(not one.size for one in log)
    print(f"{len(told)} things were told in {evening.took_s:.0f} s; {len(log) - count} writes, {count} flushes logged")
    data_bytes = sum(one.size for one in log if one.end > evening.begun)
    print(f"{data_bytes / 1e6:.1f} MB were written meanwhile, {data_bytes / len(told):.0f} bytes for each thing told")

    # Before it had begun nobody was told of the match.
    first = next(number for number, one in enumerate(log, 1) if one.end > evening.begun)
    stops = sorted(random.Random(1).sample(range(first, len(log) + 1), MOMENTS))
    wrong, compared = [], 0
    for what in ("all that had been written", FLUSHED):
        points = [flushed(log, stop) for stop in stops] if what == FLUSHED else stops
        disks = replay(log_file, log, fresh, disk, points)
        for _, point, stop in zip(disks, points, stops, strict=True):
            by_then = log[stop - 1].end
            found = faults(kept(disk, folder), players, by_then)
            compared += sum(length <= by_then for length, _ in told)
            wrong += [f"after {stop} writes, with {what} ({point}): {fault}" for fault in found]
    print(f"{2 * MOMENTS} disks compared with {compared} things told before their moments: {len(wrong)} faults")
    if wrong:
        sys.exit("\n".join(wrong[:20]))
    # A comparison that finds nothing anywhere would have passed too.
    if not faults(kept(fresh, folder), players, evening.ends):
        sys.exit("A disk without the match was taken for one with it.")
    print("A disk from before the match is found out")


if __name__ == "__main__":
    main(Path(sys.argv[1]), float(sys.argv[2]))
