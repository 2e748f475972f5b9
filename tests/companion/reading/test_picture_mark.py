"""Where the disputed card lies is kept in the picture itself, and nothing else in it changes."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, strategies as st

from companion.reading.picture_mark import HEAD_BYTES, PictureMark, marked, read_mark

CORNERS = ((10.2, 20.0), (70.0, 21.0), (69.0, 105.6), (9.0, 104.0))
WHOLE = ((10.0, 20.0), (70.0, 21.0), (69.0, 106.0), (9.0, 104.0))


def photograph() -> bytes:
    _, packed = cv2.imencode(".jpg", np.random.default_rng(1).integers(0, 255, (120, 160), np.uint8))
    return packed.tobytes()


def test_a_marked_picture_shows_the_same_and_says_where_the_card_is():
    plain = photograph()
    noted = marked(plain, CORNERS)
    assert read_mark(noted[:HEAD_BYTES]) == PictureMark(160, 120, WHOLE)
    assert read_mark(plain[:HEAD_BYTES]) is None
    seen, meant = (cv2.imdecode(np.frombuffer(one, np.uint8), cv2.IMREAD_UNCHANGED) for one in (noted, plain))
    assert np.array_equal(seen, meant)


@pytest.mark.parametrize("note", [b"companion {", b"companion [1]", b'companion {"card": [[1, 2]]}', b"holiday 2019"])
def test_a_comment_of_another_kind_is_no_mark(note: bytes):
    noted = marked(photograph(), CORNERS)
    begins = noted.index(b"companion ")
    assert read_mark(noted[:begins] + note.ljust(60) + noted[begins + 60 :]) is None


@given(st.binary(max_size=300))
def test_whatever_the_file_holds_reading_its_mark_never_fails(head: bytes):
    for file in (head, b"\xff\xd8\xff\xe0" + head):
        mark = read_mark(file)
        assert mark is None or (len(mark.corners) == 4 and mark.width > 0 and mark.height > 0)
