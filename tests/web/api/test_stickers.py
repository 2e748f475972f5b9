"""What is printed over HTTP: the order that a page's form makes."""

from __future__ import annotations

from typing import Any

from support.real_desk import HOST_CODE, RealDesk

from companion.public.i18n import Translations
from companion.public.machine import PrintOrder, SystemActions
from web.app import close, create_app


def test_a_mat_may_bear_the_zones_of_this_table_and_every_piece_a_mark(words: Translations) -> None:
    orders: list[PrintOrder] = []

    def sheets(order: PrintOrder) -> bytes:
        orders.append(order)
        return b"%PDF"

    desk = RealDesk()
    drawn: Any = {"size_mm": [400, 300], "zone": [], "movable": True, "why": None}
    desk.setup.zones = lambda: drawn  # type: ignore[method-assign]
    app = create_app(desk, words, system=SystemActions(sheets=sheets))
    for asked in ("what=mat&zones=table", "what=mat", "what=stickers&zones=table&mark=B"):
        answer = app.test_client().get(
            f"/api/v1/stickers.pdf?{asked}", headers={"Authorization": f"Bearer {HOST_CODE}"}
        )
        assert answer.status_code == 200
    close(app)
    assert [order.table for order in orders] == [drawn, None, None]
    assert [order.mark for order in orders] == ["", "", "B"]
