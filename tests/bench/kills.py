"""Plays with a real ``companion run``, kills it at random moments, and compares what it said with what it kept.

Three phones play over HTTP, or dice play on the simulated table. A life of the companion ends with SIGKILL; the next
one, in the same data folder, is asked how it stands before anybody plays on.
"""

from __future__ import annotations

import http.client
import json
import os
import random
import resource
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Collection, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from companion.app.rejudge import rejudge
from companion.errors import CompanionError, LogError
from companion.games.registry import open_match
from companion.history.codec import encode_line
from companion.public.text import JSON
from companion.storage.event_log import LOG_FILE, EventLog, open_log
from companion.storage.record_file import parse_record, record_lines, stored_entries

PHONES, BEGINNING, FULL_DISK, FAILING_DISK, TABLE = "phones", "first second", "full disk", "failing disk", "table"
FULL_BEGINNING, FAILING_BEGINNING = f"{BEGINNING}, {FULL_DISK}", f"{BEGINNING}, {FAILING_DISK}"
BEGINNINGS = (BEGINNING, FULL_BEGINNING, FAILING_BEGINNING)
KILLS, KILLS_LONG = 36, 500
KINDS = (
    *(PHONES, BEGINNING, FULL_DISK, FULL_BEGINNING, FAILING_DISK, BEGINNING, TABLE, FAILING_BEGINNING),
    *(PHONES, BEGINNING, FULL_DISK, BEGINNING, FAILING_DISK, BEGINNING, TABLE, BEGINNING),
)
"""What is being done when a kill comes, by turns: half of them come around the first second of a match."""
PROFILES = ("fr-explore", "en-explore", "en-intro", "en-memory", "fr-bluff")
SEATS = ("Ana", "Ben", "Cleo")
LONGEST_S = {**dict.fromkeys(KINDS, 1.5), TABLE: 4.0}
"""A kill comes so long after the first acknowledgement at the latest, or the start; or after a match was asked for."""
PATIENCE_S = 120.0
"""A start takes two seconds, and much longer on a machine that has other work."""
ONE_FOLDER = 30
"""So many lives in one data folder; then begins another, and what was told in this one is compared as a whole."""
SPEED = "4"
SAME_KEYS = ("do", "by", "card", "from")
"""By these a move that was sent is found again in the log."""
CHECKOUT = Path(__file__).parents[2]


@dataclass(slots=True)
class Acknowledged:
    """What the players of one match were told.

    Attributes:
        entries: What was acknowledged, by number.
        unanswered: Moves that were sent and not acknowledged. Each may have been written down, once.
        counted: Every move of a phone is in one of the two.
    """

    entries: dict[int, Mapping[str, JSON]] = field(default_factory=dict)
    unanswered: list[Mapping[str, JSON]] = field(default_factory=list)
    counted: bool = True


def differences(log: EventLog, acknowledged: Mapping[str, Acknowledged]) -> Iterator[str]:
    """What the log does not hold as it was told, and what is wrong with it by itself; a sentence each."""
    matches = log.matches()
    if matches and sum(not stored.over for stored in matches) != 1:
        yield "not one match is in play"
    for stored in matches:
        if not stored.over and not log.table.codes(stored.id):  # people who stay take their codes on to the next
            yield f"{stored.id} has no codes"
    for match, damage in log.damages():
        yield f"{match} {damage}"
    yield from (f"{match} is gone" for match in log.losses.gone())
    for match, heard in acknowledged.items():
        if log.match(match) is None:
            yield f"{match} is lost"
            continue
        entries = {entry["number"]: entry for entry in log.entries(match)}
        for number, answer in heard.entries.items():
            kept = entries.get(number)
            if kept is None:
                yield f"entry {number} of {match} is lost"
            elif any(answer[key] != kept[key] for key in kept if key in answer):
                yield f"entry {number} of {match} is not as it was told"
        waiting = list(heard.unanswered)
        claims = frozenset(_of_claims(entries))
        for number, kept in entries.items():
            pressed = kept["origin"] == "phone" and "move" in kept
            if not heard.counted or not pressed or number in claims or number in heard.entries:
                continue
            asked = next((move for move in waiting if _is_same(move, kept["move"])), None)
            if asked is None:
                yield f"entry {number} of {match} was asked for by nobody, or is there twice"
            else:
                waiting.remove(asked)


def _of_claims(entries: Mapping[int, Mapping[str, JSON]]) -> Iterator[int]:
    """Moves that a claim puts in or makes the claimer's; nobody asked for them as moves. They follow what it strikes,
    at the same moment. Of a card that had been refused nothing is struck, and a forgotten end of turn comes first."""
    moment = None
    refused: set[JSON] = set()
    for number in sorted(entries):
        entry = entries[number]
        move = entry.get("move")
        if "strikes" in entry:
            moment = entry.get("time_s")
            continue
        if move is None or entry.get("time_s") != moment:
            moment = entry.get("time_s") if _begins_claim(entry, entries.get(number + 1, {}), refused) else None
        if moment is not None:
            yield number
        if entry["event"] == "refused" and move is not None and "card" in move:
            refused.add(move["card"])


def _begins_claim(entry: Mapping[str, JSON], after: Mapping[str, JSON], refused: Collection[JSON]) -> bool:
    """Whether this end of turn was put in before a refused card, which is the claimer's now."""
    ended, claimed = entry.get("move") or {}, after.get("move") or {}
    return (
        ended.get("do") in ("end_turn", "pass")
        and entry["event"] == after.get("event") == "played"
        and entry.get("time_s") is not None
        and entry.get("time_s") == after.get("time_s")
        and claimed.get("card") in refused
    )


def _is_same(one: Mapping[str, JSON], other: Mapping[str, JSON]) -> bool:
    return all(one.get(key) == other.get(key) for key in SAME_KEYS)


def judged_standing(log: EventLog, match: str, number: int) -> JSON:
    """The standing after an entry as ``companion judge`` works it out from what ``companion export`` writes."""
    stored = log.match(match)
    if stored is None or number == 0:
        return None
    game = open_match(stored.header["match"], stored.header["deck"]).game
    exported = "\n".join(record_lines(stored, game, stored_entries(log, match, game)))
    judged = rejudge(game, parse_record(Path(match), exported))
    for _ in judged.go():
        if len(judged.record.lines) == number:
            return encode_line(judged.record.lines[-1])["standing"]
    return f"there are only {len(judged.record.lines)} entries"


class Companion:
    """One life of ``companion run``, until it is killed.

    Raises:
        LogError: It does not start.
    """

    def __init__(self, data: Path, *arguments: str) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = int(free.getsockname()[1])
        self._said = data.with_suffix(".stderr")
        resumes = _unfinished(data)
        with self._said.open("wb") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "companion", "run", "--data", data, "--port", str(self.port), *arguments],
                cwd=CHECKOUT,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=output,
                start_new_session=True,
            )
        until_s = time.monotonic() + PATIENCE_S
        while True:
            with suppress(OSError, http.client.HTTPException), closing(Phone(self.port)) as phone:
                status, self.first = phone.ask("GET", "/api/v1/standing")
                if status == 200 and (self.first["match"] or not resumes):
                    return
            if self.process.poll() is not None or time.monotonic() > until_s:
                self.kill()
                raise LogError(f"kills: the companion does not start again: {self._said.read_text('utf-8')}")
            time.sleep(0.03)

    def kill(self) -> None:
        """End it as a pulled plug does; its eye is a process of its own and has to notice."""
        self.process.kill()
        self.process.wait()

    def is_all_gone(self) -> bool:
        """Whether nothing that it started is left; waits a little for it."""
        until_s = time.monotonic() + PATIENCE_S
        while time.monotonic() < until_s:
            try:
                os.killpg(self.process.pid, 0)
            except ProcessLookupError:
                return True
            time.sleep(0.02)
        os.killpg(self.process.pid, signal.SIGKILL)
        return False


def _unfinished(data: Path) -> bool:
    with open_log(data, reading=True) as log:
        return any(not stored.over for stored in log.matches())


class Phone:
    """Somebody's phone, with a connection that stays open."""

    def __init__(self, port: int, code: str = "") -> None:
        self._line = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self._head = {"Authorization": f"Bearer {code}"} if code else {}

    def ask(self, method: str, path: str, body: JSON | None = None, key: str = "") -> tuple[int, Any]:
        """Status and JSON of an answer.

        Raises:
            OSError, http.client.HTTPException: There was none, or not all of it.
        """
        head = dict(self._head)
        if body is not None:
            head |= {"Content-Type": "application/json", "Idempotency-Key": key}
        self._line.request(method, path, None if body is None else json.dumps(body), head)
        answer = self._line.getresponse()
        try:
            return answer.status, json.loads(answer.read())
        except ValueError as wrong:
            raise http.client.HTTPException("half an answer") from wrong

    def close(self) -> None:
        """Hang up."""
        self._line.close()


@dataclass(frozen=True, slots=True)
class _Request:
    """Something that got no answer, and is sent again when the companion is back, as a phone would."""

    code: str
    path: str
    body: dict[str, JSON]
    key: str
    match: str


class Lives:
    """Of a companion in one data folder, one after the other, and what was said in them.

    Args:
        folder: Where to work; gets the data folder and what the eye looks at.
    """

    def __init__(self, folder: Path, dice: random.Random, *, simulated: bool = False) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.data = folder / "data"
        self.told: dict[str, Acknowledged] = {}
        self.faults: list[str] = []
        self.acknowledged = self.compared = self.held_up = 0
        self._simulated = simulated
        self._dice = dice
        self._lock = threading.Lock()
        self._again: list[_Request] = []
        self._before: Companion | None = None
        self._requests = 0
        self._killer: threading.Timer | None = None
        self._arguments = ["--source", "simulated", "--speed", SPEED, "--seed", str(dice.randrange(1, 1000))]
        if not simulated:
            self._arguments = ["--source", str(nothing_to_see(folder))]

    def life(self, kind: str) -> None:
        """Start the companion, compare, play, and kill it somewhere in between."""
        companion = Companion(self.data, *self._arguments)
        try:
            self._compare(companion)
            with ExitStack() as stack:
                self._killer = threading.Timer(self._dice.uniform(0, LONGEST_S[kind]), companion.process.kill)
                at_last = threading.Timer(PATIENCE_S, companion.process.kill)
                at_last.start()
                stack.callback(at_last.cancel)
                if kind in BEGINNINGS or self._dice.random() < 0.2:
                    self._killer.start()
                if FULL_DISK in kind or FAILING_DISK in kind:
                    disk = threading.Thread(target=_spoil, args=(companion, kind, self.data, self._dice.random()))
                    disk.start()
                    stack.callback(disk.join)
                stack.callback(companion.kill)
                if self._simulated:
                    self._listen(companion)
                else:
                    self._play(companion, begins=kind in BEGINNINGS or not companion.first["match"])
        finally:
            companion.kill()
        if self._before is not None and not self._before.is_all_gone():
            self.faults.append("the eye of a companion that was killed goes on")
        self._before = companion

    def end(self) -> None:
        """Compare once more, with nobody playing on."""
        if self._before is not None:
            companion = Companion(self.data, *self._arguments)
            try:
                self._compare(companion)
            finally:
                companion.kill()
            for one in (companion, self._before):
                one.is_all_gone()

    def _compare(self, companion: Companion) -> None:
        match, number = companion.first["match"], companion.first["number"]
        with open_log(self.data, reading=True) as log:
            self.faults += differences(log, self.told)
            if number and companion.first["standing"] != judged_standing(log, match, number):
                self.faults.append(f"{match} stands otherwise after entry {number} than judge says of its record")
            self.compared += bool(number)

    # -- phones ----------------------------------------------------------------------------------

    def _play(self, companion: Companion, *, begins: bool) -> None:
        """Let three phones play until there is no companion any more."""
        with suppress(OSError, http.client.HTTPException):
            while self._again:
                request = self._again.pop()
                with closing(Phone(companion.port, request.code)) as phone:
                    self._send(phone, request, again=True)
            match = companion.first["match"]
            if begins:
                match = self._begin(companion)
            with open_log(self.data, reading=True) as log:
                host = str(log.table.setting("host")[0])  # type: ignore[index]  # drawn at the start
                codes = [code for _, code, _ in log.table.codes(match)]
            self.told.setdefault(match, Acknowledged())
            with ThreadPoolExecutor() as movers:
                for moving in [
                    movers.submit(self._move, Phone(companion.port, code), code, match, seat, self._dice.random())
                    for seat, code in enumerate((*codes, host), 1)
                ]:
                    moving.result()

    def _begin(self, companion: Companion) -> str:
        with open_log(self.data, reading=True) as log:
            host = str(log.table.setting("host")[0])  # type: ignore[index]  # drawn at the start
        profile = self._dice.choice(PROFILES)
        match = {"profile": profile, "host": "outside", "seat": [{"name": name} for name in SEATS]}
        self._requests += 1
        key = str(self._requests)
        with closing(Phone(companion.port, host)) as phone:
            status, answer = phone.ask("POST", "/api/v1/matches", {"match": match}, key)
            while status == 503:  # the disk takes nothing now; whoever sits there presses again
                self.held_up += 1
                self._count_to_kill()
                time.sleep(0.02)
                status, answer = phone.ask("POST", "/api/v1/matches", {"match": match}, key)
        if status != 200:
            raise http.client.HTTPException(f"no match was begun: {answer}")
        self.acknowledged += 1
        return str(answer["match"])

    def _move(self, phone: Phone, code: str, match: str, seat: int, seed: float) -> None:
        """Somebody who says one thing after the other, lawful or not; behind the seats comes the host."""
        dice = random.Random(seed)
        after = None
        with suppress(OSError, http.client.HTTPException), closing(phone):
            while True:
                if after is None:
                    status, standing = phone.ask("GET", "/api/v1/standing")
                    if status != 200 or standing["match"] != match:
                        return
                    after = int(standing["number"])
                path, body = _wish(dice, seat, after)
                with self._lock:
                    self._requests += 1
                    key = str(self._requests)
                asked = {**body, "after": after, "match": match}
                after = self._send(phone, _Request(code, path, asked, key, match))

    def _send(self, phone: Phone, request: _Request, *, again: bool = False) -> int | None:
        """Send a request and remember what came of it; the number of the new last entry."""
        move, match = request.body.get("move"), request.match
        try:
            status, answer = phone.ask("POST", request.path, request.body, request.key)
        except (OSError, http.client.HTTPException):
            with self._lock:
                self._again.append(request)
                if move is not None and not again:
                    self.told[match].unanswered.append(move)
            raise
        with self._lock:
            heard = self.told[match]
            if status == 503:
                self.held_up += 1
                if move is not None and not again:
                    heard.unanswered.append(move)
            if status != 200 or not answer:
                return None
            if answer["number"] in heard.entries:
                self.faults.append(f"entry {answer['number']} of {match} was the answer to two requests")
            heard.entries[answer["number"]] = answer
            self._was_told()
            return int(answer["number"])

    def _was_told(self) -> None:
        self.acknowledged += 1
        self._count_to_kill()

    def _count_to_kill(self) -> None:
        """The first time in a life the killer starts to count, where he has not yet."""
        if self._killer is not None and self._killer.ident is None:
            self._killer.start()

    # -- the simulated table ---------------------------------------------------------------------

    def _listen(self, companion: Companion) -> None:
        """Hear what everybody is told, until there is no companion any more."""
        line = http.client.HTTPConnection("127.0.0.1", companion.port, timeout=PATIENCE_S)
        event = ""
        with suppress(OSError, http.client.HTTPException), closing(line):
            line.request("GET", f"/api/v1/events?after={companion.first['number']}")
            answer = line.getresponse()
            while row := answer.readline().decode():
                if not row.endswith("\n"):
                    break
                if row.startswith("event: "):
                    event = row[7:].strip()
                if row.startswith("data: "):
                    news = json.loads(row[6:])
                    if event != "here" and news["match"] and news["entry"]:  # that one only says that it is there
                        heard = self.told.setdefault(news["match"], Acknowledged(counted=False))
                        heard.entries[news["entry"]["number"]] = news["entry"]
                        if event != "snapshot":
                            self._was_told()
                event = event if row.strip() else ""


def nothing_to_see(folder: Path) -> Path:
    """Pictures of a wall: the eye says that it sees no table, and the phones have it to themselves."""
    import cv2
    import numpy as np

    pictures = folder / "pictures"
    pictures.mkdir()
    cv2.imwrite(str(pictures / "1.png"), np.full((240, 320), 128, np.uint8))
    return pictures


def _wish(dice: random.Random, seat: int, after: int) -> tuple[str, dict[str, JSON]]:
    if seat > len(SEATS):
        time.sleep(dice.uniform(0, 0.2))  # a host has less to say
        do = dice.choice(("undo", "allow", "table-is-right"))
        return "/api/v1/corrections", {"do": do, "number": dice.randint(1, max(1, after))}
    if dice.random() < 0.1:
        return "/api/v1/corrections", {"do": dice.choice(("undo", "claim"))}
    card = f"{dice.randint(1, 2)}-{dice.randint(1, 9)}"
    move = dice.choice(
        (
            {"do": "place", "card": card, "from": dice.choice(("hand", "pool"))},
            {"do": "end_turn"},
            {"do": "pass"},
            {"do": "discard", "card": card},
        )
    )
    return "/api/v1/moves", {"move": {**move, "by": seat}}


def _spoil(companion: Companion, kind: str, data: Path, seed: float) -> None:
    """Fill the disk for a while, or let writes fail now and then, until the companion is gone.

    A limit on the size of its files does it: what is written beyond it fails, or is cut off in the middle.
    """
    dice = random.Random(seed)
    wal = data / f"{LOG_FILE}-wal"

    def limit(size: int) -> None:
        resource.prlimit(companion.process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    with suppress(ProcessLookupError, PermissionError):
        while companion.process.poll() is None:
            there = wal.stat().st_size if wal.exists() else 0
            if FULL_DISK in kind:
                limit(there + dice.randrange(60_000))
                time.sleep(dice.uniform(0, 2))
            else:
                limit(dice.randrange(max(1, there)))
                time.sleep(dice.uniform(0, 0.03))
            limit(resource.RLIM_INFINITY)
            time.sleep(dice.uniform(0, 0.2))


@contextmanager
def _kept_if_wrong() -> Iterator[Path]:
    """A folder to work in; where something was wrong it stays, so that people can look at it."""
    folder = Path(mkdtemp(prefix="kills-"))
    try:
        yield folder
    except CompanionError as wrong:
        raise LogError(f"{wrong}; what was kept lies in {folder}") from wrong
    except (GeneratorExit, KeyboardInterrupt):
        shutil.rmtree(folder, ignore_errors=True)
        raise
    shutil.rmtree(folder, ignore_errors=True)


def kills(long: bool, lives: int | None = None, seed: int = 1) -> Iterator[str]:
    """Kill a companion so often, and say what came of it: a line for each kind of play, and one for all.

    Args:
        lives: How many, instead of the usual number.
        seed: The same one plays the same and kills as soon; how far the companion is by then it does not decide.

    Raises:
        LogError: Something was lost, doubled or changed.
    """
    wanted = lives if lives is not None else KILLS_LONG if long else KILLS
    counts, acknowledged = dict.fromkeys(KINDS, 0), dict.fromkeys(KINDS, 0)
    compared, held_up, faults = 0, 0, list[str]()
    with _kept_if_wrong() as folder:
        for batch in range(0, wanted, ONE_FOLDER):
            dice = random.Random(seed * 1_000_003 + batch)
            phones = Lives(folder / f"phones-{batch}", dice)
            table = Lives(folder / f"table-{batch}", dice, simulated=True)
            for kill in range(batch, min(batch + ONE_FOLDER, wanted)):
                kind = KINDS[kill % len(KINDS)]
                played = table if kind == TABLE else phones
                before = played.acknowledged
                played.life(kind)
                counts[kind] += 1
                acknowledged[kind] += played.acknowledged - before
            for played in (phones, table):
                played.end()
                compared += played.compared
                held_up += played.held_up
                faults += played.faults
        for kind, count in counts.items():
            yield f"kills: {kind}: {count} kills of a companion, {acknowledged[kind]} acknowledged or told"
        yield (
            f"kills: {len(faults)} lost, doubled, changed or without codes; {compared} standings compared with what "
            f"judge says; {held_up} requests answered with 503 while the disk failed"
        )
        if faults:
            raise LogError("; ".join(dict.fromkeys(faults)))
