"""What a table shows before its first match."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.first_phone import LooksForHost
from support.real_desk import Evening

from companion.public.i18n import Translations
from web.app import close, create_app


@pytest.mark.parametrize("is_open", [False, True])
def test_a_page_that_offers_the_host_s_place_asks_for_no_code(
    tmp_path: Path, words: Translations, is_open: bool
) -> None:
    """Above stood "Be the host of this table", and below "type the host's code"."""
    evening = Evening(tmp_path)
    app = create_app(evening.desk, words, first_phone=LooksForHost(lambda: None, is_open))
    try:
        page = app.test_client().get("/").get_data(as_text=True)
        assert ("Be the host of this table" in page) == is_open
        assert ("type the host" in page) != is_open
    finally:
        close(app)
        evening.paper.close()
