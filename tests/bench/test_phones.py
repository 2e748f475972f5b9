"""The phones' bench counts what it says that it counts."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from support.real_table import patient_eye

from companion.errors import CompanionError
from tests.bench import phones


@pytest.fixture(autouse=True)
def busy_machine(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(phones, "STARTING_S", 200.0)
    with patient_eye():
        yield


@pytest.mark.long
def test_every_phone_hears_every_entry_once(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(phones, "CROWDS", ((1, 0), (5, 2)))
    one, seven = phones.phones(False)
    assert re.match(
        r"phones: 1 phones and 0 guests' pages, 100 entries, 100 arrivals, none lost or doubled; .* ratio 1\.0", one
    )
    assert "700 arrivals" in seven


@pytest.mark.long
def test_an_entry_that_comes_twice_is_noticed(monkeypatch: pytest.MonkeyPatch):
    hear = phones._Phone.hear  # noqa: SLF001  # the fault is planted inside the bench

    def twice(phone: phones._Phone) -> None:
        hear(phone)
        phone.seen += phone.seen[-1:] if len(phone.seen) == 3 else []

    monkeypatch.setattr(phones._Phone, "hear", twice)  # noqa: SLF001  # the fault is planted inside the bench
    monkeypatch.setattr(phones, "CROWDS", ((1, 0),))
    with pytest.raises(CompanionError, match="lost or came twice"):
        list(phones.phones(False))
