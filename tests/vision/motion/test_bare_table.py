"""Two pieces of small pictures are compared quarter by quarter, and only where that says something."""

from __future__ import annotations

import numpy as np

from vision.motion.bare_table import alike_share, looks_alike

PLAIN = np.full((8, 8), 100, np.uint8)
ALL = np.ones((8, 8), np.bool_)


def with_strip(columns: int) -> np.ndarray:
    """A place on whose left another thing lies by now."""
    piece = PLAIN.copy()
    piece[:, :columns] = 40
    return piece


def test_a_strip_that_something_else_shows_is_not_compared() -> None:
    look, counts = PLAIN.astype(np.float32), ALL.copy()
    counts[:, :3] = False
    assert not looks_alike(with_strip(3), look)
    assert looks_alike(with_strip(3), look, counts=counts)
    assert not looks_alike(with_strip(5), look, counts=counts)  # one column of what counts looks otherwise


def test_a_quarter_of_which_nearly_nothing_counts_is_not_asked() -> None:
    counts = ALL.copy()
    counts[:, :4] = False
    counts[0, 3] = True
    assert alike_share(with_strip(4), PLAIN.astype(np.float32), counts=counts) == 1.0


def test_a_quarter_of_which_a_third_counts_is_asked() -> None:
    """A quarter is four by four pixels here: five of sixteen are enough, three are not."""
    otherwise = PLAIN.copy()
    otherwise[:4, :4] = 40
    for counting, alike in ((5, False), (3, True)):
        counts = ALL.copy()
        counts[:4, :4] = np.arange(16).reshape(4, 4) < counting
        assert looks_alike(otherwise, PLAIN.astype(np.float32), counts=counts) == alike


def test_where_nothing_counts_nothing_is_alike() -> None:
    assert alike_share(PLAIN, PLAIN.astype(np.float32), counts=~ALL) == 0.0
    assert alike_share(PLAIN, PLAIN.astype(np.float32), counts=ALL) == 1.0
