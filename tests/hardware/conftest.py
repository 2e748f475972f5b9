"""."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory
from support.pin_traces import HeardPin


@pytest.fixture
def pins() -> Iterator[Any]:
    factory = MockFactory(pin_class=HeardPin)
    yield factory
    factory.close()
