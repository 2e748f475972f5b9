"""Scripts, styles and drawings are fetched once: another page, or the same again, asks for none of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from flask import request
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect
from support.real_desk import HOST_CODE, RealDesk

from companion.public.i18n import Translations
from web.app import close, create_app
from web.server import Server

Visit = Callable[..., Page]
FILE = re.compile(r"/v-[0-9a-f]{8}/(?:static|games/discovery)/[\w.-]+")


@pytest.mark.browser
def test_a_second_page_asks_for_no_file_of_the_first_and_nothing_is_fetched_twice(
    desk: RealDesk, words: Translations, visit: Visit
):
    app = create_app(desk, words)
    asked: list[str] = []
    app.before_request(lambda: asked.append(request.path))
    with Server(app, 0, "127.0.0.1") as server:
        address = f"http://127.0.0.1:{server.port}"
        page = visit(address, code=HOST_CODE)
        expect(page.locator("html")).to_have_attribute("data-link", "live")
        for path in ("/host", "/", "/matches", "/"):
            page.goto(address + path)
            if path != "/matches":  # a file that is still on its way when a page is left comes again
                expect(page.locator("html")).to_have_attribute("data-link", "live")
        files = [path for path in asked if path.startswith(("/static/", "/games/"))]
        assert len(files) > 15
        assert len(files) == len(set(files))
        page.context.close()


def test_a_page_names_every_file_with_its_mark_and_other_marks_are_not_kept(client: FlaskClient):
    page = client.get("/").get_data(as_text=True)
    named = FILE.findall(page)
    assert len(named) > 8
    assert not re.findall(r'"/(?:static|games)/[\w./-]+"', page)
    for address in named:
        with client.get(address) as kept:
            assert kept.status_code == 200
            assert "immutable" in kept.headers["Cache-Control"]
    for other in (named[0].replace(named[0][:11], "/v-00000000"), named[0][11:]):
        with client.get(other) as answer:
            assert answer.status_code == 200
            assert "immutable" not in answer.headers["Cache-Control"]
    assert client.get("/v-00000000/api/v1/standing").status_code == 404


def test_pages_bear_the_mark_of_their_own_files_whichever_games_another_table_has(desk: RealDesk, words: Translations):
    for games in ({"discovery": 9}, None):
        app = create_app(desk, words, games=games)
        marks = set(re.findall(r"/v-([0-9a-f]{8})/", app.test_client().get("/join").get_data(as_text=True)))
        assert marks == {app.config["FILE_MARK"]}
        close(app)


def test_scripts_and_styles_name_each_other_from_where_they_stand_so_that_the_mark_stays():
    root = Path(__file__).parents[3]
    folders = (root / "web", root / "companion")
    files = [file for folder in folders for kind in ("js", "css") for file in folder.rglob(f"*.{kind}")]
    assert len(files) > 40
    absolute = re.compile(r"""(?:from|import|import\(|@import|url\()\s*["']?/(?:static|games)/""")
    assert [str(file) for file in files if absolute.search(file.read_text("utf-8"))] == []
