"""The list of matches, and a match's page, say whether it is over."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient
from support.real_desk import Evening

from companion.games.registry import demo_deck
from companion.public.i18n import Translations
from web.app import close, create_app

ALL = [f"{era}-{number}" for era in range(1, 7) for number in range(1, 10)]
LAST, POOL = "6-9", ["6-4", "6-5", "6-6", "6-7", "6-8"]


def begin_near_the_end(evening: Evening) -> None:
    """Ana has one card left."""
    others = [LAST, *POOL, "6-3"]
    position = {
        "turn": 1,
        "tree": [card for card in ALL if card not in others],
        "pool": POOL,
        "discards": [[], []],
        "hands": [1, 1],
        "stack": 0,
    }
    match = {"profile": "en-intro", "seat": [{"name": "Ana"}, {"name": "Ben"}], "position": position}
    evening.host.ask(lambda: evening.host.begin({"match": match, "deck": demo_deck()}))


def text(client: FlaskClient, evening: Evening, path: str) -> str:
    answer = client.get(path, headers={"Authorization": f"Bearer {evening.code(None)}"})
    assert answer.status_code == 200
    return answer.get_data(as_text=True)


@pytest.mark.parametrize("is_won", [False, True])
def test_a_match_that_was_won_a_moment_ago_is_not_called_running(
    evening: Evening, words: Translations, is_won: bool
) -> None:
    """It stays at the table until the next one begins; the list named its winner and said "running"."""
    begin_near_the_end(evening)
    if is_won:
        evening.say({"do": "place", "by": 1, "card": "6-3", "from": "hand"})
    app = create_app(evening.desk, words)
    try:
        client = app.test_client()
        newest = client.get("/api/v1/matches").get_json()["matches"][0]
        assert newest.get("ended", False) == is_won
        for path in ("/matches", f"/matches/{newest['id']}"):
            assert ("· running" in text(client, evening, path)) == (not is_won), path
    finally:
        close(app)
