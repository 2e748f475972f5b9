"""What a hub asks tables over HTTP, with the codes from their hosts: finished records, and answers.

A table never calls a hub. A hub only calls addresses that its organiser typed in, because anyone can publish an
address on the broker and would receive the code.
"""

from __future__ import annotations

import json
import logging
import re
import socket
import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import NoReturn
from urllib.parse import quote, urlsplit

from companion.errors import CompanionError, InputError, fault
from companion.plugins.hub.results import FinishedMatch
from companion.plugins.hub.store import ConnectedTable, TournamentStore
from companion.public.text import JSON

MOST_BYTES = 8 * 1024 * 1024
"""Of an answer: the limit of a record (contract, section 10)."""
PATIENCE_S = 8.0
"""The longest wait for the next byte."""
WHOLE_S = 20.0
"""The longest wait for a whole answer."""
PAGE_S = 4.0
"""The longest wait for a whole answer while a visitor waits for a page."""
AT_ONCE = 16
"""Tables that are asked at the same time."""
EVERY_S = 15.0
"""Time between two questions to the same table."""
MOST_WORDS = 40
MOST_SEATS = 12

_ID = re.compile(r"[0-9a-f]{8}")
_MATCH = re.compile(r"[A-Za-z0-9_.:+-]{1,80}")

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """An open question of a table, in the reader's language; ``match``: the match's id."""

    number: int
    text: str
    answers: tuple[str, ...]
    match: str = ""


class TableClient:
    """Asks one table; every method raises InputError with a sentence when the table cannot be asked.

    It follows no redirects, so that the code is only sent to the address that was typed in.

    Args:
        address: ``http://192.168.1.20:8080``.
        code: The hub's code for this table; empty before it has one.
        within_s: Time limit for a whole answer, however slowly it arrives.

    Raises:
        InputError: That is not the address of a table.
    """

    def __init__(self, address: str, code: str = "", within_s: float = WHOLE_S) -> None:
        self.address, self._code, self._within_s = table_address(address), code, within_s

    def join(self, typed: str) -> ConnectedTable:
        """Become this table's hub with the code on its host's page."""
        answer = self._ask("hub/join", {"code": typed})
        number, code = answer.get("id"), answer.get("code")
        if not isinstance(number, str) or not _ID.fullmatch(number) or not isinstance(code, str) or not code:
            self._foreign()
        return ConnectedTable(number, self.address, code[:100], _words(answer.get("name")) or self.address)

    def may_answer(self) -> bool:
        """Whether the host allows answers from this hub."""
        return self._ask("hub").get("answers") is True

    def questions(self, language: str) -> tuple[AskedQuestion, ...]:
        """The open questions."""
        standing = self._ask("standing", language=language)
        asked, match = standing.get("asked"), standing.get("match")
        questions = []
        for one in asked if isinstance(asked, list) else []:
            if isinstance(one, dict) and isinstance(one.get("number"), int) and isinstance(one.get("answers"), list):
                answers = tuple(
                    _words(answer.get("text"), 200) for answer in one["answers"] if isinstance(answer, dict)
                )
                inside = match if isinstance(match, str) else ""
                questions.append(AskedQuestion(one["number"], _words(one.get("text"), 300), answers, inside))
        return tuple(questions)

    def answer(self, question: int, answer: int, match: str, language: str) -> None:
        """Answer a question by the answer's place in its list; without a match, of the match at the table."""
        self._ask("answers", {"question": question, "answer": answer, "match": match or None}, language=language)

    def finished(self, table: str) -> tuple[FinishedMatch, ...]:
        """The finished matches of this table, oldest first; ``table``: its id."""
        matches = self._ask("matches").get("matches")
        matches_over = (
            [_finished(table, one) for one in matches if isinstance(one, dict)] if isinstance(matches, list) else []
        )
        return tuple(one for one in reversed(matches_over) if one is not None)

    def record(self, match: str) -> str:
        """The record of a finished match."""
        return self._fetch(f"matches/{quote(match, safe='')}/record", None, "en").decode("utf-8", "replace")

    def _ask(self, route: str, body: JSON = None, *, language: str = "en") -> Mapping[str, JSON]:
        got = self._fetch(route, body, language)
        try:
            answer = json.loads(got)
        except (ValueError, RecursionError):
            self._foreign()
        if answer is None and body is not None:
            return {}  # done, without an entry
        if not isinstance(answer, dict):
            self._foreign()
        return answer

    def _fetch(self, route: str, body: JSON, language: str) -> bytes:
        headers = {"Accept-Language": language, "Accept": "application/json"}
        if self._code:
            headers["Authorization"] = f"Bearer {self._code}"
        if body is not None:
            headers["Content-Type"] = "application/json"
        data = None if body is None else json.dumps(body).encode()
        parts = urlsplit(self.address)  # it was typed by the organiser and is http or https
        kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        try:
            connection = kind(parts.netloc, timeout=min(PATIENCE_S, self._within_s))
            with closing(connection):
                connection.connect()
                with _hanging_up(connection.sock, self._within_s):
                    connection.request("GET" if data is None else "POST", f"/api/v1/{route}", data, headers)
                    with connection.getresponse() as answer:
                        got = answer.read(MOST_BYTES + 1)
        except (OSError, HTTPException, ValueError) as error:
            raise InputError(
                fault("hub.fault.silent", "{address} does not answer: is the table on?", address=self.address)
            ) from error
        if answer.status >= HTTPStatus.MULTIPLE_CHOICES:
            self._refused(answer.status, got)
        if len(got) > MOST_BYTES:
            self._foreign()
        return got

    def _refused(self, status: int, body: bytes) -> NoReturn:
        try:
            detail = json.loads(body).get("detail")
        except (ValueError, AttributeError, RecursionError):
            detail = None
        if not isinstance(detail, str) or not 400 <= status < 500:
            self._foreign()
        raise InputError(fault("hub.fault.refused", "the table says: {why}", why=_words(detail, 300)))

    def _foreign(self) -> NoReturn:
        raise InputError(
            fault("hub.fault.foreign", "what answers at {address} is not a companion's table", address=self.address)
        )


@contextmanager
def _hanging_up(line: socket.socket, after_s: float) -> Iterator[None]:
    """Close the connection after this time, even if bytes keep arriving.

    Raises:
        TimeoutError: It took longer; what was read is incomplete.
    """
    late = threading.Event()

    def hang_up() -> None:
        late.set()
        with suppress(OSError):  # it is closed already
            line.shutdown(socket.SHUT_RDWR)

    timer = threading.Timer(after_s, hang_up)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
    if late.is_set():
        raise TimeoutError


class RecordCollector:
    """Regularly asks all connected tables for finished matches, and keeps their records; close it.

    The tables are asked in parallel: a slow one does not delay the others.

    Attributes:
        troubles: By table id, why the last attempt failed.
    """

    def __init__(self, store: TournamentStore, every_s: float = EVERY_S) -> None:
        self._store, self._every_s = store, every_s
        self.troubles: dict[str, InputError] = {}
        self._wake = threading.Event()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="records", daemon=True)
        self._thread.start()

    def wake(self) -> None:
        """Ask now."""
        self._wake.set()

    def close(self) -> None:
        """Stop asking."""
        self._closing.set()
        self._wake.set()
        self._thread.join(timeout=2 * WHOLE_S)

    def _run(self) -> None:
        asking: dict[str, Future[None]] = {}
        with ThreadPoolExecutor(AT_ONCE, thread_name_prefix="records") as pool:
            while not self._closing.is_set():
                self._wake.clear()
                try:
                    for table in self._store.connected():
                        if table.id not in asking or asking[table.id].done():
                            asking[table.id] = pool.submit(self._collect, table)
                except CompanionError as error:  # the database failed: try again later
                    log.warning("%s", error)
                self._wake.wait(self._every_s)
            pool.shutdown(cancel_futures=True)

    def _collect(self, table: ConnectedTable) -> None:
        try:
            client = TableClient(table.address, table.code)
            client.may_answer()  # fails if the host has withdrawn the code
            stored = self._store.known_matches(table.id)
            over = {match.match: match for match in client.finished(table.id)}
            for name, kept in stored.items():
                if kept.provisional and name not in over:
                    self._store.forget_match(table.id, name)
            for name, match in over.items():
                if match.provisional:
                    if stored.get(name) != match:
                        self._store.keep_match(match, "")
                elif name not in stored or stored[name].provisional:
                    text = client.record(name)
                    self._store.keep_match(_as_recorded(match, text), text)
            self.troubles.pop(table.id, None)
        except InputError as error:
            if table.id not in self.troubles:
                log.warning("%s", error)
            self.troubles[table.id] = error
        except CompanionError as error:
            log.warning("%s", error)
        except Exception:  # whatever a table answers, the loop goes on
            log.exception("%s could not be asked", table.address)


def table_address(typed: str) -> str:
    """A table's address as typed, without its path.

    Raises:
        InputError: It is not an address.
    """
    text = typed.strip()
    text = text if "://" in text else f"http://{text}"
    try:
        parts = urlsplit(text)
        fits = parts.scheme in ("http", "https") and parts.hostname and "@" not in parts.netloc and parts.port != 0
    except ValueError:
        fits = False
    if not fits or len(text) > 200 or not text.isascii() or not text.isprintable() or " " in text:
        raise InputError(
            fault("hub.fault.address", "write the table's address as its own screens show it: {example}",
                  example="http://192.168.1.20:8080")
        )  # fmt: skip
    return f"{parts.scheme}://{parts.netloc}"


def _finished(table: str, values: Mapping[str, JSON]) -> FinishedMatch | None:
    match, seats, points = values.get("id"), values.get("seats"), values.get("points")
    closed, ended = values.get("over") is True, values.get("ended") is True
    if not (closed or ended) or "damage" in values or not isinstance(match, str) or not _MATCH.fullmatch(match):
        return None
    if not isinstance(seats, list) or not isinstance(points, list) or not 0 < len(seats) == len(points) <= MOST_SEATS:
        return None
    winners = values["winners"] if isinstance(values.get("winners"), list) else []
    if not all(map(_is_whole, (*points, *winners))):
        return None
    return FinishedMatch(
        table, match, _words(values.get("began")), _words(values.get("game")), _words(values.get("profile")),
        tuple(map(_words, seats)), tuple(points), tuple(winners), provisional=not closed,
    )  # fmt: skip


def _as_recorded(match: FinishedMatch, record: str) -> FinishedMatch:
    """Add what only the record contains: whether the match was simulated."""
    try:
        head = json.loads(record.split("\n", 1)[0])
    except (ValueError, RecursionError):
        return match
    return replace(match, simulated=isinstance(head, dict) and "simulated" in head)


def _is_whole(value: JSON) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1_000_000


def _words(value: JSON, most: int = MOST_WORDS) -> str:
    if not isinstance(value, str):
        return ""
    return "".join(sign for sign in " ".join(value[: 10 * most].split()) if sign.isprintable())[:most]
