"""The store of tournaments and finished matches: a SQLite file, or PostgreSQL.

No other module of the hub uses a database. Each entry number exists once, so if two hubs write at the same moment, one
fails and has to read again.
"""

from __future__ import annotations

import datetime
import json
import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

import sqlalchemy as sql
from alembic import command
from alembic.config import Config
from sqlalchemy.exc import DatabaseError, IntegrityError

from companion.errors import CompanionError, InputError
from companion.plugins.hub.results import FinishedMatch
from companion.plugins.hub.tournament import Tournament, apply_entry, fold
from companion.public.text import JSON

META = sql.MetaData()
HUB = sql.Table("hub", META, sql.Column("key", sql.String(40), primary_key=True), sql.Column("value", sql.Text))
ENTRIES = sql.Table(
    "entry",
    META,
    sql.Column("tournament", sql.Integer, primary_key=True, autoincrement=False),
    sql.Column("number", sql.Integer, primary_key=True, autoincrement=False),
    sql.Column("at", sql.String(40), nullable=False),
    sql.Column("what", sql.Text, nullable=False),
)


CONNECTED = sql.Table(
    "connected",
    META,
    sql.Column("id", sql.String(8), primary_key=True),
    sql.Column("address", sql.Text, nullable=False),
    sql.Column("code", sql.Text, nullable=False),
    sql.Column("name", sql.Text, nullable=False),
)
FINISHED = sql.Table(
    "finished",
    META,
    sql.Column("table", sql.String(8), primary_key=True),
    sql.Column("match", sql.String(80), primary_key=True),
    sql.Column("place", sql.Integer, nullable=False),
    sql.Column("summary", sql.Text, nullable=False),
    sql.Column("record", sql.Text, nullable=False),
)


class StoreError(CompanionError, OSError):
    """The tournaments cannot be read or stored now."""


class OvertakenError(CompanionError):
    """Another hub or page wrote meanwhile: read again, then decide."""


@dataclass(frozen=True, slots=True)
class ConnectedTable:
    """A table whose host has given the hub a code.

    Attributes:
        id: The table's unique id, eight hexadecimal digits.
        address: Of its pages, as the organiser typed it.
        code: The hub's code for it.
        name: Its name when it was connected.
    """

    id: str
    address: str
    code: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class KeptEntry:
    """An entry as stored; ``at``: the time of day, as a label."""

    number: int
    at: str
    what: Mapping[str, JSON]


class TournamentStore:
    """The tournaments of a hub, its tables and their finished matches. Close it. May be used from any thread.

    Attributes:
        code: The organiser's code; drawn once, the same for all hubs of one database.
        referee_code: The code of referees, who answer tables' questions and change nothing else.

    Args:
        where: ``sqlite:///…`` or ``postgresql+psycopg://…``.

    Raises:
        StoreError: The database cannot be reached, or refuses access.
    """

    def __init__(self, where: str) -> None:
        try:
            address = sql.make_url(where)
            if address.password and where.count("@") > 1:
                raise ValueError("in a password an @ is written as %40")
        except (sql.exc.ArgumentError, ValueError):  # its message holds the whole address, with its password
            raise StoreError(
                "the database of the hub cannot be used: "
                "write its address as postgresql+psycopg://user@host:5432/name, and an @ in a password as %40"
            ) from None
        try:
            self._engine = sql.create_engine(address, pool_pre_ping=True)
            migrate(self._engine)
            self.code = self._code("code")
            self.referee_code = self._code("referee")
        except (sql.exc.SQLAlchemyError, ImportError, ValueError, TypeError) as error:
            why = _first_line(error)
            if address.password:
                why = why.replace(str(address.password), "***")
            raise StoreError(f"the database of the hub cannot be used: {why}") from None

    def close(self) -> None:
        self._engine.dispose()

    def tournaments(self) -> tuple[tuple[int, Tournament], ...]:
        """All of them, newest first.

        Raises:
            StoreError: They cannot be read.
        """
        rows = self._rows(sql.select(ENTRIES.c.tournament).distinct().order_by(ENTRIES.c.tournament.desc()))
        return tuple((int(row[0]), self.tournament(int(row[0]))) for row in rows)

    def tournament(self, number: int) -> Tournament:
        """One of them.

        Raises:
            KeyError: There is no such number.
            StoreError: It cannot be read.
        """
        if not (entries := self.entries(number)):
            raise KeyError(number)
        return fold(entry.what for entry in entries)

    def entries(self, number: int) -> tuple[KeptEntry, ...]:
        """All entries of a tournament, in order.

        Raises:
            StoreError: They cannot be read.
        """
        asked = sql.select(ENTRIES).where(ENTRIES.c.tournament == number).order_by(ENTRIES.c.number)
        return tuple(KeptEntry(row.number, row.at, json.loads(row.what)) for row in self._rows(asked))

    def open(self, name: str, smallest: int, largest: int) -> int:
        """Begin a tournament; returns its number.

        Raises:
            InputError: The name or the sizes of tables are not valid.
            OvertakenError, StoreError: It could not be stored.
        """
        rows = self._rows(sql.select(sql.func.max(ENTRIES.c.tournament)))
        number = int(rows[0][0] or 0) + 1
        self._keep(number, Tournament(), {"do": "open", "name": name, "smallest": smallest, "largest": largest})
        return number

    def write(self, number: int, entry: Mapping[str, JSON], after: int | None = None) -> Tournament:
        """Add an entry; it is stored when this returns.

        Args:
            after: The last entry that the decision was based on; ``None`` = any.

        Raises:
            InputError: It is not possible, for this reason.
            KeyError: There is no such tournament.
            OvertakenError: Another hub or page wrote meanwhile.
            StoreError: It could not be stored.
        """
        before = self.tournament(number)
        if after is not None and after != before.entries:
            raise OvertakenError("somebody else wrote meanwhile: look again, then decide")
        return self._keep(number, before, entry)

    def _keep(self, number: int, before: Tournament, entry: Mapping[str, JSON]) -> Tournament:
        after = apply_entry(before, entry)
        at = datetime.datetime.now().astimezone().isoformat(timespec="seconds")
        what = json.dumps(entry, ensure_ascii=False)
        self._change(sql.insert(ENTRIES).values(tournament=number, number=after.entries, at=at, what=what))
        return after

    def _rows(self, asked: sql.Select[tuple[JSON, ...]]) -> list[JSON]:
        try:
            with self._engine.connect() as line:
                return list(line.execute(asked))
        except sql.exc.SQLAlchemyError as error:
            raise StoreError(f"the tournaments cannot be read: {_first_line(error)}") from error

    # -- tables and their finished matches ----------------------------------------------------------

    def connected(self) -> tuple[ConnectedTable, ...]:
        """The tables whose hosts gave a code, by name.

        Raises:
            StoreError: They cannot be read.
        """
        rows = self._rows(sql.select(CONNECTED))
        tables = [ConnectedTable(row.id, row.address, row.code, row.name) for row in rows]
        return tuple(sorted(tables, key=lambda one: (one.name.casefold(), one.id)))

    def connect(self, table: ConnectedTable) -> None:
        """Store a table's code, replacing the old one.

        Raises:
            OvertakenError, StoreError: It could not be stored.
        """
        values = {"id": table.id, "address": table.address, "code": table.code, "name": table.name}
        self._change(sql.delete(CONNECTED).where(CONNECTED.c.id == table.id), sql.insert(CONNECTED).values(values))

    def disconnect(self, table: str) -> None:
        """Delete a table's code; its finished matches stay.

        Raises:
            StoreError: It could not be stored.
        """
        self._change(sql.delete(CONNECTED).where(CONNECTED.c.id == table))

    def finished(self) -> tuple[FinishedMatch, ...]:
        """The finished matches, newest first: by the order in which this hub received them, whatever clocks said.

        Raises:
            StoreError: They cannot be read.
        """
        asked = sql.select(FINISHED.c.table, FINISHED.c.match, FINISHED.c.summary)
        rows = self._rows(asked.order_by(FINISHED.c.place.desc(), FINISHED.c.table, FINISHED.c.match))
        return tuple(_finished(row.table, row.match, json.loads(row.summary)) for row in rows)

    def known_matches(self, table: str) -> dict[str, FinishedMatch]:
        """The stored matches of a table, by the table's ids.

        Raises:
            StoreError: They cannot be read.
        """
        rows = self._rows(sql.select(FINISHED.c.match, FINISHED.c.summary).where(FINISHED.c.table == table))
        return {row.match: _finished(table, row.match, json.loads(row.summary)) for row in rows}

    def record(self, table: str, match: str) -> str:
        """The record of a finished match, one JSON value per line.

        Raises:
            KeyError: There is none.
            StoreError: It cannot be read.
        """
        asked = sql.select(FINISHED.c.record).where(FINISHED.c.table == table, FINISHED.c.match == match)
        if not (rows := self._rows(asked)):
            raise KeyError(match)
        return str(rows[0].record)

    def keep_match(self, match: FinishedMatch, record: str) -> None:
        """Store a finished match, replacing its provisional version.

        Raises:
            StoreError: It could not be stored.
        """
        same = sql.and_(FINISHED.c.table == match.table, FINISHED.c.match == match.match)
        kept = self._rows(sql.select(FINISHED.c.place).where(same))
        place = kept[0].place if kept else int(self._rows(sql.select(sql.func.max(FINISHED.c.place)))[0][0] or 0) + 1
        key = {"table": match.table, "match": match.match, "place": place, "record": record}
        values = {name: value for name, value in asdict(match).items() if name not in ("table", "match")}
        fresh = sql.insert(FINISHED).values(**key, summary=json.dumps(values, ensure_ascii=False))
        with suppress(OvertakenError):  # another hub stored it at the same moment
            self._change(sql.delete(FINISHED).where(same), fresh)

    def forget_match(self, table: str, match: str) -> None:
        """Delete a provisional match that goes on, or was deleted at its table.

        Raises:
            StoreError: It could not be stored.
        """
        self._change(sql.delete(FINISHED).where(FINISHED.c.table == table, FINISHED.c.match == match))

    def _change(self, *changes: sql.Insert | sql.Delete) -> None:
        """Make these changes in one transaction."""
        try:
            with self._engine.begin() as line:
                for change in changes:
                    line.execute(change)
        except IntegrityError as error:
            raise OvertakenError("somebody else wrote meanwhile: look again, then decide") from error
        except sql.exc.SQLAlchemyError as error:
            raise StoreError(f"that could not be kept: {_first_line(error)}") from error

    def _code(self, key: str) -> str:
        """A code of this hub; drawn at the first call."""
        asked = sql.select(HUB.c.value).where(HUB.c.key == key)
        if not self._rows(asked):
            try:
                with self._engine.begin() as line:
                    line.execute(sql.insert(HUB).values(key=key, value=secrets.token_urlsafe(16)))
            except IntegrityError:
                pass  # another hub drew it at the same moment
        return str(self._rows(asked)[0][0])


def _finished(table: str, match: str, values: Mapping[str, JSON]) -> FinishedMatch:
    lists = {key: tuple(values[key]) for key in ("seats", "points", "winners")}
    return FinishedMatch(table, match, **{**values, **lists})


def sqlite_address(folder: Path) -> str:
    """The database of a hub with this data folder.

    Raises:
        InputError: The folder cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder} cannot be made ({error.strerror}): use --data") from error
    return f"sqlite:///{folder / 'hub.sqlite'}"


def migrate(engine: sql.Engine) -> None:
    """Upgrade a database, which may be empty, to the present schema."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    with engine.begin() as line:
        config.attributes["connection"] = line
        command.upgrade(config, "head")


def _first_line(error: Exception) -> str:
    cause = error.orig if isinstance(error, DatabaseError) and error.orig is not None else error
    return str(cause).strip().splitlines()[0] if str(cause).strip() else type(cause).__name__
