"""The modules of a sticker's QR code."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray


@lru_cache(maxsize=512)
def modules(text: str) -> NDArray[np.bool_]:
    """The printed modules of a text, ``(21, 21)``, true = black, without the white margin.

    >>> code = modules("DXC18Y")
    >>> code.shape, bool(code[0, 0])
    ((21, 21), True)
    """
    import segno  # only needed for printing and rendering

    code = segno.make_qr(text, version=1, error="h", mode="alphanumeric", boost_error=False)
    return np.array([[bool(module) for module in row] for row in code.matrix])
