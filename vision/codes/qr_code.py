"""The printed squares of a sticker's code."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray


@lru_cache(maxsize=512)
def modules(text: str) -> NDArray[np.bool_]:
    """The code of a sticker's text as it is printed, ``(21, 21)``, true where it is black, without the white around."""
    import segno  # only printing and drawing need it

    code = segno.make_qr(text, version=1, error="h", mode="alphanumeric", boost_error=False)
    return np.array([[bool(module) for module in row] for row in code.matrix])
