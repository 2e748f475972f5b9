"""Whatever is sent wrong is refused in the reader's language, with the place that it is about."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient
from support.real_desk import Evening

from companion.games.registry import locale_folders
from companion.public.i18n import Translations
from companion.public.machine import SystemActions
from companion.system.printing.orders import printed
from web.app import create_app
from web.language import LOCALE_FOLDER

ALL = Translations((*locale_folders(), LOCALE_FOLDER))
ANA = {"name": "Ana"}
PLACE = {"do": "place", "by": 1, "card": "1-1", "from": "hand"}
SEATED = {"do": "seat", "seat": 1}
OPTIONS = {"profile": "fr-bluff", "seat": [ANA]}
POSITION = {
    **{"turn": 1, "tree": [], "pool": ["2-1", "2-2", "2-3", "2-4", "2-5"], "discards": [[], []]},
    **{"hands": [5, 5], "stack": 39, "points": [0, 0]},
}


def zones(**more: Any) -> Any:
    return {"table": {"zone": [{"name": "tree", "polygon": [[0, 0], [9, 0], [9, 9]]}], **more}}


def match(**more: Any) -> Any:
    return {"match": {"profile": "fr-explore", "seat": [ANA, {"name": "Ben"}], **more}}


def position(**more: Any) -> Any:
    return match(position={key: value for key, value in {**POSITION, **more}.items() if value is not ...})


WRONG: list[tuple[str, Any]] = [
    ("zones", {"table": {}}),
    ("zones", zones(size_mm=3)),
    ("zones", zones(zone=[{"polygon": []}])),
    ("zones", zones(zone=[{"name": "pool", "polygon": []}])),
    ("zones", zones(zone=[{"name": "a", "polygon": [[0, 0], [9, 0], [9, 9]]}] * 2)),
    ("zones", {"table": 3}),
    ("zones", {}),
    ("moves", {}),
    ("moves", {"move": {}}),
    ("moves", {"move": {"do": "end_turn", "by": "Ana"}}),
    ("moves", {"move": {**PLACE, "do": "fly"}}),
    ("moves", {"move": {"do": "place", "by": 1}}),
    ("moves", {"move": {**PLACE, "card": "9-9"}}),
    ("moves", {"move": {**PLACE, "card": 4}}),
    ("moves", {"move": {**PLACE, "by": 7}}),
    ("moves", {"move": {**PLACE, "new_series": "yes"}}),
    ("moves", {"move": {**PLACE, "from": "sleeve"}}),
    ("moves", {"move": {"do": "deal", "by": 0, "pool": "1-1"}}),
    ("moves", {"move": {"do": "stop", "by": 1, "number": "x"}}),
    ("moves", {"move": PLACE, "after": "yesterday"}),
    ("corrections", {"do": "sing"}),
    ("corrections", {"do": "undo", "number": 0}),
    ("corrections", {"do": "claim", "by": 9}),
    ("corrections", {"do": "counts", "hands": [-1]}),
    ("corrections", {"do": "seat"}),
    ("corrections", {"do": "seat", "seat": 12, "name": "Eva"}),
    ("corrections", SEATED),
    ("corrections", {**SEATED, "name": "x" * 41}),
    ("corrections", {**SEATED, "swaps": 1}),
    ("corrections", {**SEATED, "here": "yes"}),
    ("answers", {"question": 1}),
    ("matches", {"match": 3}),
    ("matches", match(game="go")),
    ("matches", match(seat=[])),
    ("matches", match(seat=[{}])),
    ("matches", match(seat=["Ana"])),
    ("matches", match(seat=[{"name": "Ana", "team": 3}])),
    ("matches", match(seat=[{"name": "Ana", "bot": "no"}])),
    ("matches", match(seat=[{"name": "Ana", "age": 9}])),
    ("matches", match(profile=None)),
    ("matches", match(profile="poker")),
    ("matches", match(host="nobody")),
    ("matches", match(jokers=99)),
    ("matches", match(dealer=0)),
    ("matches", match(options=3)),
    ("matches", match(options={"series_plus": True})),
    ("matches", match(options={"stop": 3})),
    ("matches", match(options={"contest_s": -1})),
    ("matches", match(options={"turn_end": "never"})),
    ("matches", {"match": {**OPTIONS, "options": {"stop": False}}}),
    ("matches", {"match": {**OPTIONS, "options": {"turn_end": "inferred"}}}),
    ("matches", match(position=3)),
    ("matches", position(spare=1)),
    ("matches", position(hands=[5])),
    ("matches", position(stack=...)),
    ("matches", position(stack="many")),
    ("matches", position(stack=3)),
    ("matches", position(pool=3)),
    ("matches", position(pool=["2-1", "2-1"])),
    ("matches", position(pool=["9-9"])),
    ("matches", {"match": {**position(tree=["J1"])["match"], "jokers": 1}}),
    ("matches", position(tree=["J1=9-9"])),
    ("matches", position(tree=["1-1", "1-1"])),
    ("decks", {"name": "Ours", "deck": {"deck": {}, "card": []}}),
    ("decks", {"name": "ours", "deck": {}}),
    ("decks", {"name": "ours", "deck": {"deck": {}, "card": [3]}}),
    ("decks", {"name": "ours", "deck": {"deck": {}, "card": [{"id": {}, "name": 3}]}}),
    ("decks", {"name": "ours"}),
    ("decks/ours/pictures/1-1", {}),
    ("box", {"do": "dance"}),
    ("records", {"record": "x"}),
    ("records", {"record": "{}"}),
    ("join", {"code": "NOBODY"}),
    ("matches/none/delete", None),
    ("rematch/never", {}),
]
READ = ("stickers.pdf?size=large", "stickers.pdf?size=900", "stickers.pdf?paper=b7", "stickers.pdf?deck=none")
READ += ("camera.jpg", "matches/none/record", "matches/none/figures", "decks/ours/pictures/1-1", "nothing")


@pytest.fixture
def client(evening: Evening) -> Iterator[FlaskClient]:
    app = create_app(evening.desk, ALL, system=SystemActions(sheets=printed))
    yield app.test_client()
    app.extensions["context"].streams.close()


def told(client: FlaskClient, code: str, language: str, where: str, body: Any) -> str:
    headers = {"Authorization": f"Bearer {code}", "Accept-Language": language}
    address = f"/api/v1/{where}"
    answer = client.get(address, headers=headers) if body is ... else client.post(address, json=body, headers=headers)
    assert 400 <= answer.status_code < 500, answer.json
    assert answer.mimetype == "application/problem+json"
    return str(answer.json["detail"])


ENGLISH = re.compile(r"\b(the|should|write|there|is|are|needs|with|your?|one of|must)\b")


@pytest.mark.parametrize(("where", "body"), [*WRONG, *((one, ...) for one in READ)])
def test_what_is_wrong_is_said_in_the_readers_language(
    where: str, body: Any, client: FlaskClient, evening: Evening
) -> None:
    english, french = (told(client, evening.code(None), language, where, body) for language in ("en", "fr"))
    assert english
    assert english != french
    assert ENGLISH.search(english) or len(english) < 60, english
    without_names = re.sub(r"«[^»]*»|'[^']*'|\{[^}]*\}|\[[^]]*\]|the_\w+", "", french)
    assert not ENGLISH.search(without_names), french
    assert "{" not in re.sub(r'\{"[^}]*\}', "", english + french)


def test_the_place_of_what_is_wrong_is_named_in_both(client: FlaskClient, evening: Evening) -> None:
    wrong = match(seat=[ANA, {"name": "Ben"}, {"name": ""}])
    english, french = (told(client, evening.code(None), language, "matches", wrong) for language in ("en", "fr"))
    assert english == "seat.3.name: the seat needs a name in quotes."
    assert french == "seat.3.name\u00a0: la place a besoin d’un nom entre guillemets."
