"""Copies a log row by row into a new file: from a stranger's file, only the content of its rows is taken."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from companion.errors import LogError
from companion.storage.log_file import REQUESTS, SCHEMA_VERSION, open_to_read, schema

MOST_VALUE_BYTES = 16_000_000
"""For one value or one row; a match with its deck has some 50 kB."""

PAGE_BYTES, SPARE_PAGES = 4096, 100


class DamagedLog(LogError):
    """The source is damaged, its rows do not fit into a log, or the disk is full."""


def copy_log(source: Path, fresh: Path) -> None:
    """Copy a log's rows into a new file, with tables made here, which only its owner may read.

    Triggers, views, indexes and tables that do not belong to this version of a log are not copied. The content of the
    rows is not checked here.

    Args:
        source: A log of any version; a stranger may have made it.
        fresh: Does not exist yet. It gets the source's version.

    Raises:
        LogError: The source was written by a newer version.
        DamagedLog: It is not a log, or cannot be copied.
    """
    try:
        fresh.touch(0o600, exist_ok=False)
        _copy(source, fresh)
    except LogError:
        raise
    except (sqlite3.Error, OSError) as wrong:
        raise DamagedLog(f"{source} cannot be brought back ({wrong})") from wrong


def _copy(source: Path, fresh: Path) -> None:
    with (
        closing(open_to_read(source)) as there,
        closing(sqlite3.connect(fresh, isolation_level=None)) as copy,
    ):
        there.text_factory = bytes  # unchanged, even if a flipped bit made it invalid UTF-8
        there.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_VALUE_BYTES)
        for pragma in ("trusted_schema=OFF", "cell_size_check=ON"):
            there.execute(f"PRAGMA {pragma}")
        there.execute("BEGIN")  # all tables as they are at one moment
        (version,) = there.execute("PRAGMA user_version").fetchone()
        if version > SCHEMA_VERSION:
            raise LogError(f"{source} was written by a newer companion: update this one, or try an older backup")
        if version < 1:
            raise DamagedLog(f"{source} is no log of the companion's")
        copy.execute("PRAGMA foreign_keys=ON")
        copy.execute(f"PRAGMA user_version={version}")
        # A file can name one page many times over, and so hold more rows than it has bytes.
        size = sum(path.stat().st_size for path in (source, source.with_name(f"{source.name}-wal")) if path.exists())
        copy.execute(f"PRAGMA max_page_count={SPARE_PAGES + 2 * size // PAGE_BYTES}")
        copy.execute("BEGIN")
        named = there.execute("SELECT 1 FROM sqlite_schema WHERE name = 'request'").fetchall()
        for statement in (*schema(version), *([REQUESTS] if named else [])):
            copy.execute(statement)
        for (table,) in copy.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall():
            columns = copy.execute("SELECT name, type FROM pragma_table_info(?)", (table,)).fetchall()
            rows = _rows(there, source, table, [name for name, _ in columns])
            # What SQLite returned as bytes becomes text again.
            values = ", ".join("CAST(? AS TEXT)" if kind == "TEXT" else "?" for _, kind in columns)
            copy.executemany(f"INSERT INTO {table} VALUES ({values})", rows)  # noqa: S608  # names of our own
        copy.execute("DELETE FROM setting WHERE name = 'lineage'")  # as a copy it tells its matches anew
        copy.execute("COMMIT")


def _rows(there: sqlite3.Connection, source: Path, table: str, columns: list[str]) -> Iterator[tuple[Any, ...]]:
    """A table's rows. A view or a generated column of that name would be a program that a stranger wrote."""
    wrong = DamagedLog(f"{source} is no log of the companion's: its table {table} is another one")
    is_table = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ? AND rootpage > 0"
    if len(there.execute(is_table, (table,)).fetchall()) != 1:
        raise wrong
    listed = there.execute("SELECT name, hidden FROM pragma_table_xinfo(?)", (table,))
    have = {bytes(name).decode("utf-8", "replace"): hidden for name, hidden in listed}
    if any(have.get(name) != 0 for name in columns):
        raise wrong
    return there.execute(f"SELECT {', '.join(columns)} FROM {table} NOT INDEXED")  # noqa: S608  # names of our own
