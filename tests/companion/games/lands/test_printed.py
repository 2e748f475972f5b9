"""What is cut out for Lands Unknown: stands whose sticker and foot are where the eye expects them."""

from __future__ import annotations

from support.lands_match import demo_deck

from companion.games.lands.module import LANDS
from companion.games.lands.setup import FOOT_MM, STAND, STAND_MM


def test_a_printed_stand_is_the_stand_that_the_eye_knows() -> None:
    """ "20 × 40 mm, whose other end bears an 18 mm sticker; the figure's foot, 20 mm below the sticker's middle"."""
    stands = [one for one in LANDS.printed(demo_deck(), "en", 18.0, {}) if one.label.token in ("F1", "F2", "F3", "F4")]
    assert len(stands) == 4
    for one in stands:
        assert one.size_mm == STAND_MM == (20.0, 40.0)
        assert one.sticker_mm == STAND.sticker_mm == 18.0
        middle = tuple(corner + one.sticker_mm / 2 for corner in one.sticker_at_mm)
        assert middle == (STAND_MM[0] / 2 + STAND.sticker_at_mm[0], STAND_MM[1] / 2 + STAND.sticker_at_mm[1])
        ring = one.parts[0].loops[0]
        assert abs((min(y for _, y in ring) + max(y for _, y in ring)) / 2 - middle[1] - FOOT_MM[1]) < 0.01


def test_what_nobody_entered_is_not_printed() -> None:
    deck = demo_deck()
    names = {one.label.token for one in LANDS.printed(deck, "fr", 20.0, {})}
    assert names == {"F1", "F2", "F3", "F4", "L1"} | {row["id"] for rows in deck.values() if isinstance(rows, list)
                                                      for row in rows}  # fmt: skip
