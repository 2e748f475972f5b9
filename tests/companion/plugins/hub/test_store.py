"""Tournaments outlive the hub: in a file, and in a real PostgreSQL that several hubs share."""

from __future__ import annotations

import subprocess
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.postgres import PostgresServer

pytest.importorskip("alembic")
pytest.importorskip("psycopg")

from companion.errors import InputError
from companion.plugins.hub.store import OvertakenError, StoreError, TournamentStore, sqlite_address


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    server = PostgresServer()
    yield server.address
    server.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return sqlite_address(tmp_path) if request.param == "sqlite" else str(request.getfixturevalue("postgres"))


def test_a_restart_loses_nothing(address: str) -> None:
    first = TournamentStore(address)
    number = first.open("Cup “Été”", 3, 4)
    for name in ("Ana", "Ben", "Cléo"):
        first.write(number, {"do": "enter", "name": name})
    now = first.write(number, {"do": "pair", "tables": [[1, 2, 3]], "byes": []})
    code = first.code
    first.close()
    again = TournamentStore(address)
    assert again.tournament(number) == now
    assert [one.number for one in again.entries(number)] == [1, 2, 3, 4, 5]
    assert again.code == code
    assert again.tournaments()[0] == (number, now)
    again.close()


def test_of_two_hubs_that_decide_at_once_one_looks_again(address: str) -> None:
    one, other = TournamentStore(address), TournamentStore(address)
    assert one.code == other.code
    number = one.open("Cup", 3, 4)
    seen = other.tournament(number)
    one.write(number, {"do": "enter", "name": "Ana"}, seen.entries)
    with pytest.raises(OvertakenError, match="somebody else wrote meanwhile"):
        other.write(number, {"do": "enter", "name": "Ben"}, seen.entries)
    with pytest.raises(OvertakenError):  # even had it looked a moment before
        other._keep(number, seen, {"do": "enter", "name": "Ben"})  # noqa: SLF001
    assert [player.name for player in other.tournament(number).players] == ["Ana"]
    one.close()
    other.close()


def test_what_is_refused_is_not_kept(address: str) -> None:
    store = TournamentStore(address)
    number = store.open("Cup", 3, 4)
    with pytest.raises(InputError):
        store.write(number, {"do": "enter", "name": ""})
    with pytest.raises(InputError):
        store.open("Cup", 5, 4)
    with pytest.raises(KeyError):
        store.write(number + 1, {"do": "enter", "name": "Ana"})
    assert store.tournament(number).entries == 1
    store.close()


def test_a_hub_that_is_killed_keeps_what_it_said_it_kept(tmp_path: Path) -> None:
    program = (
        "import os, signal; from companion.plugins.hub.store import TournamentStore; "
        f"s = TournamentStore({sqlite_address(tmp_path)!r}); n = s.open('Cup', 3, 4); "
        "s.write(n, {'do': 'enter', 'name': 'Ana'}); os.kill(os.getpid(), signal.SIGKILL)"
    )
    subprocess.run([sys.executable, "-c", program], check=False, cwd=Path(__file__).parents[4])
    store = TournamentStore(sqlite_address(tmp_path))
    assert [player.name for player in store.tournament(1).players] == ["Ana"]
    store.close()


SECRET = "sesame"  # pragma: allowlist secret


@pytest.mark.parametrize(
    "where",
    [
        *("postgresql+psycopg://hub@127.0.0.1:1/x", "oracle://x", "nonsense", "://", "sqlite:///a\0b"),
        *(f"postgresql+psycopg://hub:{SECRET}@127.0.0.1:notaport/x", f"postgresql+psycopg://hub:{SECRET}@[::1"),
        *(f"postgresql+psycopg://hub:{SECRET}@127.0.0.1:1/x?sesame=1", f"nonsense://hub:{SECRET}@x/y"),
        "postgresql+psycopg://hub:ses@sesame/x@127.0.0.1/x",  # pragma: allowlist secret
        f"postgresql+psycopg://hub:{SECRET}@{'a' * 300}/x",
    ],
)
def test_a_database_that_is_not_there_is_one_sentence_without_its_password(where: str) -> None:
    with pytest.raises(StoreError, match=r"^the database of the hub cannot be used: [^\n]+$") as wrong:
        TournamentStore(where)
    assert SECRET not in "".join(traceback.format_exception(wrong.value))
