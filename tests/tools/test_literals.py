"""The count of numbers in the code."""

from __future__ import annotations

from tools.literals import numbers


def test_numbers_are_counted_but_for_0_1_and_2_and_what_is_no_number() -> None:
    assert numbers("REST_S, NEAR = 0.6, 3  # 4\nfirst = [0, 1.0, True, '5'][-1]\nlast = f(2, by=-7)") == [0.6, 3, 7]
