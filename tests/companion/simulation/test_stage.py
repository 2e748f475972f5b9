"""Where things lie on a drawn table."""

from __future__ import annotations

from itertools import combinations

import pytest

from companion.public.layout import Layout, ZoneShape
from companion.public.table import Token, Zone
from companion.simulation.stage import CARD, Kept, Measures, ThingPose, ZoneRows

PACK = Zone("pack-1")
COIN = Measures((25.0, 25.0), (12.5, 12.5))


def corners(pose: ThingPose, measures: Measures) -> tuple[float, float, float, float]:
    left, top = pose.x_mm - measures.sticker_mm[0], pose.y_mm - measures.sticker_mm[1]
    return left, top, left + measures.size_mm[0], top + measures.size_mm[1]


@pytest.mark.parametrize("order", ["LCCC", "CLCC", "CCLC", "CCCL"])
def test_a_small_thing_lies_beside_the_cards_of_its_place_and_not_under_them(order: str) -> None:
    zone = ZoneShape(PACK, ((0.0, 0.0), (308.0, 0.0), (308.0, 98.0), (0.0, 98.0)))
    sizes = {Token(f"{kind}{number}"): COIN if kind == "L" else CARD for number, kind in enumerate(order)}
    rows = ZoneRows(Layout(None, (zone,)), sizes.__getitem__)
    kept: dict[Token, Kept] = {}
    for token in sizes:
        kept[token] = (PACK, rows.pose(token, PACK, kept, None))
    laid = [corners(pose, sizes[token]) for token, (_, pose) in kept.items()]
    for one, other in combinations(laid, 2):
        assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
