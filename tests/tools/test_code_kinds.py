"""The comparison of kinds of codes for docs/decisions.md."""

from __future__ import annotations

import pytest
from tools.code_kinds import kinds, share_read

WIDE_PX, NARROW_PX = 47.0, 22.0
"""25 mm and 12 mm, in a picture of 2304 pixels."""


@pytest.mark.parametrize("name", ["QR", "ArUco 4x4", "AprilTag 36h11"])
def test_every_kind_is_read_and_placed_where_it_is_large(name: str) -> None:
    assert share_read(kinds()[name], WIDE_PX, 0.0) == (1.0, 0)


def test_a_tag_may_be_smaller_than_a_qr_code() -> None:
    assert share_read(kinds()["QR"], NARROW_PX, 0.0) == (0.0, 0)
    read, _ = share_read(kinds()["ArUco 4x4"], NARROW_PX, 0.0)
    assert read > 0.8
