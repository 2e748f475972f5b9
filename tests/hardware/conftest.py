from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory
from support.fake_clock import FakeClock, fake_clock
from support.pin_traces import HeardPin


@pytest.fixture
def pins() -> Iterator[Any]:
    factory = MockFactory(pin_class=HeardPin)
    yield factory
    factory.close()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> FakeClock:
    """The time of lamps, buzzers and mock pins; it stands still until the test moves it on."""
    return fake_clock(monkeypatch)
