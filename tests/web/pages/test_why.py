"""Behind a refusal and a verdict stands a link to the rule, told in the rule book's sense."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect
from support.long_cases import rest_long
from support.real_desk import WORDS, Evening, served

from companion.games import registry
from web.app import close, create_app

Visit = Callable[..., Page]


def rules(game: str) -> set[str]:
    """Everything that a refusal or a verdict may be about."""
    words = "".join((folder / "en.po").read_text("utf-8") for folder in registry.locale_folders())
    return set(re.findall(rf'"{game}\.(?:objection|verdict)\.([a-z-]+)', words))


@pytest.mark.parametrize("game", registry.GAMES)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_rule_has_its_place_among_the_rules(game: str, language: str, client: FlaskClient):
    page = client.get(f"/how?game={game}&lang={language}").get_data(as_text=True)
    told = dict(re.findall(r'<section id="rule-([a-z-]+)"><h3>[^<.]+</h3><p>([^<]+)</p>', page))
    assert rules(game)
    assert rules(game) <= set(told), rules(game) - set(told)
    assert all(len(words) > 30 for words in told.values())


@pytest.mark.browser
@pytest.mark.parametrize(
    ("locale", "words"), rest_long([("fr-FR", "Pourquoi ? (livret, 1.5)"), ("en-GB", "Why? (rule book, 1.5)")])
)
def test_a_refusal_leads_to_its_rule_on_every_screen_that_can_be_touched(
    locale: str, words: str, evening: Evening, visit: Visit
):
    with served(evening) as server:
        address = f"http://127.0.0.1:{server.port}"
        screens = {
            "/": visit(address, locale=locale),
            "/seat": visit(f"{address}/seat", code=evening.code(1), locale=locale),
            "/host": visit(f"{address}/host#more", code=evening.code(None), locale=locale),
            "/tv": visit(f"{address}/tv", locale=locale, size="television"),
        }
        evening.say({"do": "place", "by": 1, "card": "6-9", "from": "hand"})
        for path, page in screens.items():
            expect(page.locator("#verdict")).to_have_attribute("data-kind", "no")
            if path == "/tv":
                expect(page.locator("#verdict a")).to_be_hidden()
                continue
            link = page.locator("#verdict").get_by_role("link", name=words)
            box = link.bounding_box()
            assert box is not None
            assert min(box["width"], box["height"]) >= 44
            link.click()
            expect(page).to_have_url(re.compile("/how#rule-prerequisites$"))
            expect(page.locator("#rule-prerequisites")).to_be_in_viewport()
        for page in screens.values():
            page.context.close()  # before its table is gone


def test_the_usual_game_stands_first_wherever_games_are_listed(client: FlaskClient):
    listed = client.get("/how").get_data(as_text=True)
    assert listed.index(">Discovery<") < listed.index(">Carcassonne: The Discovery<")
    titles = re.sub("<[^>]+>", "", re.findall('<p class="what">(.+?)</p>', listed)[0]).split(" · ")
    assert titles[:2] == ["Discovery", "Carcassonne: The Discovery"]
    assert len(titles) == len(registry.GAMES), "one does not run into the next"


def test_in_bluff_nothing_is_told_before_the_verdict_and_then_the_rule_is(evening: Evening):
    evening.begin("fr-bluff")
    app = create_app(evening.desk, WORDS)
    try:
        client = app.test_client()
        evening.say({"do": "place", "by": 1, "card": "6-9", "from": "hand"})
        assert client.get("/api/v1/standing").json["why"] == []
        evening.say({"do": "stop", "by": 2})
        assert client.get("/api/v1/standing").json["why"] == []
        evening.say({"do": "verify", "by": 1})
        assert client.get("/api/v1/standing").json["why"] == [{"rule": "prerequisites", "section": "1.5"}]
    finally:
        close(app)
