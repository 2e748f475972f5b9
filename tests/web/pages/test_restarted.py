"""After a restart pages say what they said before."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import reopened_table
from support.reopened_table import HOST, table

from companion.public.service import Done


def test_a_restart_amid_a_stop_leaves_its_sentence_on_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody said Stop, and the power went: the page said nothing, and nobody knew who was to answer."""
    monkeypatch.setattr(reopened_table, "MATCH", {**reopened_table.MATCH, "profile": "en-memory"})
    with table(tmp_path) as before:
        turn = before.standing()["standing"]["turn"]
        laid = {"do": "place", "by": turn, "card": "1-1", "from": "hand"}
        for move in (laid, {"do": "stop", "by": 3 - turn}):
            assert isinstance(before.desk.match.move(HOST, move, None), Done)
        (said, *_) = before.standing()["texts"]
        assert "Stop" in said
    with table(tmp_path) as after:
        assert f'<p class="said">{said}</p>' in after.client.get("/watch").get_data(as_text=True)
