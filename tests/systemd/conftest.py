from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest


@pytest.fixture
def open_room() -> Iterator[Path]:
    """A folder that every user gets into, as into none of pytest's."""
    with TemporaryDirectory(dir="/var/tmp") as room:
        folder = Path(room)
        folder.chmod(0o755)
        yield folder
