"""What tests draw again and again: the same faces of cards and things, and the same table tops."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

import pytest

from vision.synthetic import textures

TABLE_TOPS = 3
"""Each takes some 20 MB."""
FACES = 150


def remembered(draw: Callable[..., Any], most: int) -> Callable[..., Any]:
    """The same function, which keeps its newest pictures; nobody may write on them."""

    @lru_cache(maxsize=most)
    def drawn(*given: Any) -> Any:
        pictures = draw(*given)
        for one in pictures if isinstance(pictures, tuple) else (pictures,):
            one.flags.writeable = False
        return pictures

    return drawn


@pytest.fixture(scope="session", autouse=True)
def drawn_once() -> Iterator[None]:
    """For the ``conftest`` of a folder: each is drawn once in a process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(textures, "cloth", remembered(textures.cloth, TABLE_TOPS))
        for name in ("card", "thing"):
            patch.setattr(textures, name, remembered(getattr(textures, name), FACES))
        yield
