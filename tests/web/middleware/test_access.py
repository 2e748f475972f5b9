"""Nothing passes the door that should not: roles by routes, foreign sites, guessing, repeating, too much."""

from __future__ import annotations

import itertools
import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import pytest
from flask import Flask, request
from flask.testing import FlaskClient
from support.first_phone import LooksForHost
from support.real_desk import HOST_CODE, HUB_CODE, MATCH, RealDesk, code_of, short_of
from werkzeug.test import create_environ, run_wsgi_app

from companion.public.join_code import is_typed
from companion.public.service import Role
from companion.storage.event_log import LOG_FILE
from web.app import BODY_LIMIT, close, create_app
from web.middleware import access
from web.middleware.access import RANKS, cookie_name, route_access
from web.middleware.hosts import Addresses
from web.middleware.idempotency import IdempotencyCache
from web.middleware.problems import Problem
from web.middleware.rate_limit import RateLimiter
from web.pages import scoreboard

pytestmark = [pytest.mark.core, pytest.mark.slow]  # every route, asked in every role

BODIES: dict[str, Any] = {
    "api.join": {"code": "NOBODY"},
    "api.leave": {},
    "api.page_faults": {"page": "/tv", "what": "board: Error: a broken part"},
    "api.adopt": {},
    "api.ask_for_seat": {"seat": 1, "name": "Nina"},
    "api.join_as_asked": {"key": "nobody"},
    "api.answer_request": {"number": 1, "yes": True},
    "api.set_seat_mode": {"mode": "ask"},
    "api.join_hub": {"code": "NOBODY"},
    "api.set_hub": {"do": "allow"},
    "api.renew_invitations": {"renew": "all"},
    "api.moves": {"move": {"do": "end_turn", "by": 1}},
    "api.corrections": {"do": "undo"},
    "api.answers": {"question": 1, "answer": 0},
    "api.start": {"match": {"seat": [{"name": "Ana"}]}},
    "api.ask_box": {"do": "lamp"},
    "api.rematch": {},
    "api.forget": {},
    "api.close": {},
    "api.go_on": {},
    "api.play_seat": {"playing": True},
    "api.visit": {},
    "api.show_table": {"shown": True},
    "api.go_without_picture": {"without": True},
    "api.simulated_acts": {"do": "show", "card": "KEND"},
    "api.restore": {},
    "api.take_in": {"record": "{}"},
    "api.save_deck": {"name": "ours", "deck": {"deck": {}, "card": []}},
    "api.read_spreadsheet": {},
    "api.keep_portrait": {},
    "api.read_photo": {},
    "api.forget_reading": {},
    "api.forget_portrait": {},
    "api.settle_zones": {"table": None},
    "api.check_box": {"do": "look"},
    "api.look": {},
    "api.ask_recording": {"do": "plan"},
    "api.ask_restore": {"do": "drop"},
    "api.add_to_restore": {},
    "api.ask_update": {"do": "drop"},
    "api.add_to_update": {},
    "api.join_wifi": {"name": "Home"},
    "pages.type_code": None,
}
CODES = {Role.SPECTATOR: None, Role.HUB: HUB_CODE, Role.SEAT: code_of(2), Role.HOST: HOST_CODE}


def routes() -> list[tuple[str, str, str]]:
    """Every endpoint of the app with each of its methods and an address of it."""
    from companion.public.i18n import Translations
    from web.language import LOCALE_FOLDER

    app = create_app(RealDesk(), Translations((LOCALE_FOLDER,)))
    app.extensions["context"].streams.close()
    filled = {
        "match_id": MATCH,
        "place": 0,
        "at": 0,
        "number": 2,
        "code": "nobody",
        "filename": "style.css",
        "name": "ours",
        "card": "1-8",
        "piece": "title",
    }
    found = []
    with app.test_request_context():
        for rule in app.url_map.iter_rules():
            address = app.url_map.bind("").build(rule.endpoint, {name: filled[name] for name in rule.arguments})
            found += [(rule.endpoint, method, address) for method in sorted(rule.methods - {"HEAD", "OPTIONS"})]
    return found


def ask(client: FlaskClient, method: str, address: str, endpoint: str, **more: Any) -> Any:
    more.setdefault("headers", {})
    if method == "POST":
        body = BODIES[endpoint]
        more.setdefault("data", json.dumps(body) if body is not None else "code=nobody")
        more.setdefault("content_type", "application/json" if body is not None else "application/x-www-form-urlencoded")
    return client.open(address, method=method, **more)


def state(desk: RealDesk) -> tuple[int, ...]:
    return tuple(len(told) for told in (desk.told, desk.moves, desk.corrections, desk.answers, desk.started))


@pytest.fixture(scope="module")
def still() -> Iterator[tuple[RealDesk, FlaskClient]]:
    """A table and a phone for requests that change nothing: what they must not change is there for the next."""
    from companion.public.i18n import Translations
    from web.language import LOCALE_FOLDER

    desk = RealDesk()
    desk.lay(2)
    app = create_app(desk, Translations((LOCALE_FOLDER,)))
    yield desk, app.test_client(use_cookies=False)
    close(app)
    desk.close()


@pytest.fixture
def fresh(desk: RealDesk, client: FlaskClient) -> tuple[RealDesk, FlaskClient]:
    """A table and a phone for a request that may change something."""
    return desk, client


@pytest.mark.parametrize(("endpoint", "method", "address"), routes())
@pytest.mark.parametrize("role", RANKS)
def test_each_route_opens_to_its_role_and_to_no_lesser_one(
    endpoint: str, method: str, address: str, role: Role, request: pytest.FixtureRequest
):
    desk, client = request.getfixturevalue("still")
    allowed = RANKS.index(role) >= RANKS.index(route_access(client.application, endpoint).role)
    if allowed and method != "GET":  # only what may act gets a table of its own
        desk, client = request.getfixturevalue("fresh")
    headers = {"Authorization": f"Bearer {CODES[role]}"} if CODES[role] else {}
    before = state(desk)
    answer = ask(client, method, address, endpoint, headers=headers, buffered=False)
    if not allowed:
        assert answer.status_code == 403
        assert state(desk) == before
        assert answer.mimetype == ("application/problem+json" if address.startswith("/api") else "text/html")
    elif answer.status_code == 403:
        # The desk's own word, or a code that is nobody's: never the door's "join first".
        assert "join first" not in answer.get_data(as_text=True)
    answer.close()


def test_a_route_that_nobody_gave_a_role_keeps_the_app_from_starting(monkeypatch: pytest.MonkeyPatch):
    from companion.public.i18n import Translations
    from web.language import LOCALE_FOLDER

    monkeypatch.delitem(access._MARKED, scoreboard.television)  # noqa: SLF001  # a route that somebody forgot to mark
    with pytest.raises(ValueError, match=r"routes without a role: pages\.television"):
        create_app(RealDesk(), Translations((LOCALE_FOLDER,)))


def test_a_role_beside_no_route_keeps_the_app_from_starting(monkeypatch: pytest.MonkeyPatch):
    from companion.public.i18n import Translations
    from web.language import LOCALE_FOLDER

    def nowhere() -> None: ...

    monkeypatch.setitem(access._MARKED, nowhere, access.RouteAccess(Role.HOST))  # noqa: SLF001  # a route that somebody forgot to mark
    with pytest.raises(ValueError, match=r"roles without a route: .*nowhere"):
        create_app(RealDesk(), Translations((LOCALE_FOLDER,)))


CHANGING = [(endpoint, method, address) for endpoint, method, address in routes() if method == "POST"]


@pytest.mark.parametrize(("endpoint", "method", "address"), CHANGING)
@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Host": "evil.example"},
        {"Host": "evil.example", "Origin": "http://evil.example"},
        {"Sec-Fetch-Site": "cross-site"},
    ],
    ids=["origin", "null origin", "host", "rebound host", "cross-site"],
)
def test_what_another_site_sends_is_refused_and_changes_nothing(
    endpoint: str, method: str, address: str, headers: dict[str, str], still: tuple[RealDesk, FlaskClient]
):
    desk, client = still
    before = state(desk)
    answer = ask(client, method, address, endpoint, headers={"Cookie": f"companion-80={HOST_CODE}", **headers})
    assert answer.status_code == 403
    assert answer.mimetype == "application/problem+json"
    assert state(desk) == before


@pytest.mark.parametrize(
    "host", ["192.168.1.20:8080", "companion.local:8080", "companion", "[fe80::1]:8080", "box.lan"]
)
def test_a_table_is_reached_by_its_address_or_a_name_of_the_house(host: str, client: FlaskClient, bearer: Any):
    headers = {"Host": host, "Origin": f"http://{host}", **bearer(1)}
    answer = client.post("/api/v1/moves", json={"move": {"do": "end_turn", "by": 1}}, headers=headers)
    assert answer.status_code == 200


FOREIGN_HOSTS = ["evil.box", "fritz.box", "companion.fritz.box:8080", "evil.example", "8.8.8.8", "[2a00::1]", "["]
PRIVATE_READS = [
    "/",  # who has joined reads more there
    "/host",
    "/seat",
    "/doctor",
    "/print",
    "/check",
    "/api/v1/seat",
    "/api/v1/invitations",
    "/api/v1/box",
    f"/join/{HOST_CODE}",
]


@pytest.mark.parametrize("host", FOREIGN_HOSTS)
@pytest.mark.parametrize("path", PRIVATE_READS)
def test_private_pages_are_not_read_under_a_foreign_name(host: str, path: str, still: tuple[RealDesk, FlaskClient]):
    """Anybody can buy a name that ends in .box and let it lead to this table."""
    _, client = still
    for shown in ({"Authorization": f"Bearer {HOST_CODE}"}, {"Cookie": f"{cookie_name(host)}={HOST_CODE}"}):
        answer = client.get(path, headers={"Host": host, **shown})
        assert answer.status_code == 403
        said = answer.get_data(as_text=True)
        assert "settings.toml" in said
        assert HOST_CODE not in said
        assert "companion-80=" not in answer.headers.get("Set-Cookie", "")


def test_nothing_is_read_under_a_name_that_somebody_else_can_lead_here(client: FlaskClient):
    """A page of the internet that is open in a browser of the house could read who plays, and the Wi-Fi's password."""
    rules = [rule for rule in client.application.url_map.iter_rules() if "GET" in (rule.methods or ())]
    asked = set()
    assert "Ana" in client.get("/nothing").get_data(as_text=True), "a page that says sorry shows the match too"
    for host in FOREIGN_HOSTS[:4]:
        assert "Ana" not in client.get("/nothing", headers={"Host": host}).get_data(as_text=True)
    for rule in rules:
        if rule.endpoint.rpartition(".")[2] == "static":
            continue
        path = re.sub(r"<(int:)?[^>]*>", lambda found: "1" if found[1] else "a", rule.rule)
        for host in ("evil.example", "companion.local.evil.example:8080", "evil.box", "["):
            answer = client.get(path, headers={"Host": host})
            assert answer.status_code == 403, (path, host)
            assert "settings.toml" in answer.get_data(as_text=True)
            assert "Ana" not in answer.get_data(as_text=True)
        asked.add(rule.rule)
    assert {"/", "/tv", "/matches", "/qr/wifi.svg", "/api/v1/standing", "/api/v1/events"} <= asked
    with client.get("/static/board.js", headers={"Host": "evil.example"}) as script:
        assert script.status_code == 200


@pytest.mark.parametrize(
    "host",
    ["192.168.1.20:8080", "companion", "COMPANION.local.", "[fe80::1]:8080", "8.8.8.8", "[2a00::1]:8080", "box.lan"],
)
def test_everybody_reads_the_scoreboard_by_its_address_or_its_name(host: str, client: FlaskClient):
    """Nobody can lead an address to another table."""
    assert client.get("/", headers={"Host": host}).status_code == 200


def test_a_program_that_names_no_host_reads_the_scoreboard(client: FlaskClient):
    environ = create_environ("/api/v1/health", "http://waitress.invalid")
    del environ["HTTP_HOST"]
    assert run_wsgi_app(client.application, environ)[1].startswith("200 ")


def test_a_log_that_cannot_be_read_any_more_is_one_sentence_to_whoever_asks(
    desk: RealDesk, client: FlaskClient, bearer: Any, caplog: pytest.LogCaptureFixture
):
    with closing(sqlite3.connect(desk.folder / LOG_FILE)) as theirs:
        theirs.execute("DROP TABLE invitation")
    desk.runner.log.table.set("something", 1)  # what was remembered of it is forgotten
    move = {"move": {"do": "end_turn", "by": 1}}
    answer = client.post("/api/v1/moves", json=move, headers=bearer(1))
    assert (answer.status_code, answer.mimetype) == (503, "application/problem+json")
    assert "check-up" in answer.json["detail"]
    assert client.get("/seat", headers=bearer(1)).status_code == 503
    assert not [record for record in caplog.records if record.exc_info]


def test_the_address_for_https_is_one_of_the_tables_names(desk: RealDesk, words: Any):
    app = create_app(desk, words, addresses=Addresses(https="https://table.example.org:8443"))
    for host, status in (("table.example.org:8443", 200), ("other.example.org:8443", 403)):
        assert app.test_client().get("/", headers={"Host": host}).status_code == status
    close(app)


@pytest.mark.parametrize(
    ("host", "link"),
    [
        ("table.example.org:8080", "http://table.example.org:8080"),
        ("192.168.1.20:8080", "http://192.168.1.20:8080"),
        ("localhost:8080", "http://192.168.7.7:8080"),
        ("[::1]:8080", "http://192.168.7.7:8080"),
    ],
)
def test_a_join_link_names_the_table_as_it_is_reached(host: str, link: str, desk: RealDesk, words: Any):
    """A name of the settings is the table's own, in pages and in links."""
    app = create_app(desk, words, addresses=Addresses("http://192.168.7.7:8080", hosts=("Table.example.org",)))
    page = app.test_client().get("/host", headers={"Host": host, "Authorization": f"Bearer {HOST_CODE}"})
    assert page.status_code == 200
    assert f"{link}/join/{HOST_CODE}" in page.get_data(as_text=True)
    close(app)


@pytest.mark.parametrize("path", ["/", "/host", "/seat", "/join", "/matches", "/setup", "/nothing", "/tv", "/overlay"])
def test_no_page_is_shown_in_a_frame_but_the_television_and_the_overlay_where_the_settings_say_so(
    path: str, desk: RealDesk, words: Any
):
    """A page of another site could lay the table's buttons under its own."""
    home = "http://homeassistant.local:8123"
    for frames in ((), (home,)):
        app = create_app(desk, words, addresses=Addresses(frames=frames))
        answer = app.test_client().get(path, headers={"Authorization": f"Bearer {HOST_CODE}"})
        framed = frames and path in ("/tv", "/overlay")
        policy = answer.headers["Content-Security-Policy"]
        assert policy.endswith(f"; frame-ancestors {home if framed else chr(39) + 'none' + chr(39)}")
        assert answer.headers.get("X-Frame-Options") == (None if framed else "DENY")
        close(app)


@pytest.mark.parametrize(("endpoint", "method", "address"), [one for one in CHANGING if BODIES[one[0]]])
@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"{", "application/json", 422),
        (b"", "application/json", 422),
        (b"[]", "application/json", 422),
        (b"[" * 100_000, "application/json", 422),
        (b'{"code": "\\ud800", "do": "\\ud800"}', "application/json", 422),
        (b'{"after": NaN}', "application/json", 422),
        (b'{"after": ' + b"9" * 5000 + b"}", "application/json", 422),
        (b"\xff\xfe", "application/json", 422),
        (b"code=AAAAAA", "application/x-www-form-urlencoded", 415),
        (b'"' + b"x" * BODY_LIMIT + b'"', "application/json", 413),
    ],
    ids=["torn", "empty", "list", "deep", "half a character", "NaN", "huge number", "no UTF-8", "form", "too much"],
)
def test_malformed_and_oversized_bodies_are_refused_in_one_sentence(
    endpoint: str,
    method: str,
    address: str,
    body: bytes,
    kind: str,
    status: int,
    still: tuple[RealDesk, FlaskClient],
):
    desk, client = still
    before = state(desk)
    headers = {"Authorization": f"Bearer {HOST_CODE}"}
    answer = client.open(address, method=method, data=body, content_type=kind, headers=headers)
    assert answer.status_code == status
    assert answer.mimetype == "application/problem+json"
    assert answer.json["status"] == status
    assert len(answer.json["detail"]) < 200
    assert state(desk) == before


def test_another_seats_move_is_refused(client: FlaskClient, desk: RealDesk, bearer: Any):
    answer = client.post("/api/v1/moves", json={"move": {"do": "end_turn", "by": 1}}, headers=bearer(2))
    assert answer.status_code == 403
    assert desk.moves == []


def test_a_code_of_nobody_is_refused_even_for_reading(client: FlaskClient, bearer: Any):
    answer = client.get("/api/v1/standing", headers=bearer("x" * 26))
    assert answer.status_code == 403


def test_five_wrong_codes_a_minute_and_address_then_not_even_the_right_one(desk: RealDesk, words: Any):
    now = [0.0]
    app = create_app(desk, words, rate_limiter=RateLimiter(lambda: now[0]))
    client = app.test_client()
    for _ in range(5):
        assert client.post("/api/v1/join", json={"code": "WRONG2"}).status_code == 403
    refused = client.post("/api/v1/join", json={"code": short_of(1)})
    assert refused.status_code == 429
    assert int(refused.headers["Retry-After"]) > 50
    # Neither as a bearer's code nor as a page's, nor as a cookie.
    assert client.get("/api/v1/seat", headers={"Authorization": f"Bearer {short_of(1)}"}).status_code == 429
    assert client.get(f"/join/{short_of(1)}").status_code == 429
    client.set_cookie("companion-80", short_of(1))
    assert client.get("/api/v1/seat").status_code == 403
    client.delete_cookie("companion-80")
    # A neighbour is not punished, and a long code cannot be guessed.
    elsewhere = {"REMOTE_ADDR": "192.168.1.7"}
    assert client.post("/api/v1/join", json={"code": short_of(1)}, environ_base=elsewhere).status_code == 200
    assert client.post("/api/v1/join", json={"code": code_of(1)}).status_code == 200
    now[0] = 61.0
    assert client.post("/api/v1/join", json={"code": short_of(1)}).status_code == 200
    app.extensions["context"].streams.close()


SHOWN = {
    "body": lambda client, code, base: client.post("/api/v1/join", json={"code": code}, environ_base=base),
    "form": lambda client, code, base: client.post("/join", data={"code": code}, environ_base=base),
    "path": lambda client, code, base: client.get(f"/join/{code}", environ_base=base),
    "bearer": lambda client, code, base: client.get(
        "/api/v1/standing", headers={"Authorization": f"Bearer {code}"}, environ_base=base
    ),
    "cookie": lambda client, code, base: client.get(
        "/api/v1/seat", headers={"Cookie": f"companion-80={code}"}, environ_base=base
    ),
}
"""Every way to show a code."""


@pytest.mark.parametrize("way", SHOWN)
@pytest.mark.parametrize("disguise", ["{}", "{}-------", "{}---------------------", "-{} ", "{}%20%20%20%20%20%20%20"])
def test_every_wrong_code_counts_however_it_is_disguised_and_wherever_it_is_shown(way: str, disguise: str, app: Flask):
    """Dashes after a typed code, and cookies, made guesses free."""
    client = app.test_client(use_cookies=False)
    disguise = disguise if way == "path" else disguise.replace("%20", " ")
    here = {"REMOTE_ADDR": "192.168.1.66"}
    answers = [SHOWN[way](client, disguise.format(f"WRNG{n:02}"), here).status_code for n in range(40)]
    assert set(answers) == ({403} if way == "cookie" else {403, 429})
    assert client.post("/api/v1/join", json={"code": short_of(1)}, environ_base=here).status_code == 429
    # A link, a phone that has joined and a neighbour who types go on.
    assert client.get(f"/join/{HOST_CODE}", environ_base=here).status_code == 303
    assert SHOWN["bearer"](client, HOST_CODE, here).status_code == 200
    elsewhere = {"REMOTE_ADDR": "192.168.1.7"}
    assert client.post("/api/v1/join", json={"code": short_of(1)}, environ_base=elsewhere).status_code == 200


DISGUISES = ("{}", "{}-------", "-{} ", "{}---------------------", "{}-{}")
"""The last is a code that is written twice: too long for one that is typed."""


def guesses(client: FlaskClient) -> Iterator[Callable[[str, str], Any]]:
    """Every way to show a code to this app, read off its routes: in the header and the cookie of each request, in each
    path that takes one, and in each body that does."""
    for endpoint, method, address in routes():
        body = BODIES.get(endpoint)
        if endpoint == "api.events":
            continue  # a stream looks at a code as every other request does, and would not end

        def open_it(where: str, here: str, *, method: str = method, endpoint: str = endpoint, **more: Any) -> Any:
            return ask(client, method, where, endpoint, environ_base={"REMOTE_ADDR": here}, **more)

        yield lambda code, here, to=address, go=open_it: go(to, here, headers={"Authorization": f"Bearer {code}"})
        yield lambda code, here, to=address, go=open_it: go(to, here, headers={"Cookie": f"companion-80={code}"})
        if "/nobody" in address:
            yield lambda code, here, to=address, go=open_it: go(to.replace("nobody", code.strip()), here)
        if method == "POST" and (body is None or "code" in body):
            kind = "json" if body is not None else "data"
            yield lambda code, here, to=address, kind=kind: client.post(
                to, environ_base={"REMOTE_ADDR": here}, **{kind: {"code": code}}
            )


@pytest.mark.slow
def test_nobody_guesses_faster_by_another_way_and_no_host_is_locked_out(
    desk: RealDesk, words: Any, monkeypatch: pytest.MonkeyPatch
):
    """At most 10 wrong codes a minute for an address, at most 60 for all, by any way."""
    now = [0.0]
    app = create_app(
        desk,
        words,
        rate_limiter=RateLimiter(lambda: now[0]),
        first_phone=LooksForHost(lambda: HOST_CODE),
    )
    looked_at: list[str] = []
    user = desk.match.user
    monkeypatch.setattr(desk.match, "user", lambda code: looked_at.append(code) if is_typed(code) else user(code))
    client = app.test_client(use_cookies=False)
    ways = list(guesses(client))
    assert len(ways) > 100
    numbers = itertools.count()

    def crowd(here: str) -> None:
        for number, way in enumerate(ways):
            way(DISGUISES[number % len(DISGUISES)].replace("{}", f"WR{next(numbers):04}"[:6].lower()), here).close()

    crowd("192.168.1.66")
    assert 1 <= len(looked_at) <= 10
    for address in range(70, 90):
        for at, way in enumerate(ways[address % 7 :: 7]):
            way(
                DISGUISES[at % len(DISGUISES)].replace("{}", f"WR{next(numbers):04}"[:6]), f"192.168.1.{address}"
            ).close()
    assert 10 < len(looked_at) <= 60
    monkeypatch.undo()
    host = {"REMOTE_ADDR": "192.168.1.2"}
    assert client.post("/api/v1/join", json={"code": "HOSTAA"}, environ_base=host).status_code == 429
    for code in (HOST_CODE, code_of(2)):
        assert client.get(f"/join/{code}", environ_base=host).status_code == 303
        assert client.post("/api/v1/join", json={"code": code}, environ_base=host).status_code == 200
        assert client.get("/api/v1/seat", headers={"Authorization": f"Bearer {code}"}).status_code == 200
        assert client.get("/seat", headers={"Cookie": f"companion-80={code}"}).status_code in (200, 302)
    assert client.post("/api/v1/host", json={}, environ_base=host).status_code == 200, "somebody asked at the box"
    now[0] = 61.0
    assert client.post("/api/v1/join", json={"code": "HOSTAA"}, environ_base=host).status_code == 200
    close(app)


def test_a_typed_code_in_a_cookie_opens_nothing_even_when_it_is_right(app: Flask):
    client = app.test_client(use_cookies=False)
    for code in (short_of(1), f"{short_of(1)}-", f"{short_of(1)}--------------------"):
        assert client.get("/api/v1/seat", headers={"Cookie": f"companion-80={code}"}).status_code == 403


def test_sixty_wrong_codes_from_everywhere_hold_up_typing_and_nothing_else(desk: RealDesk, words: Any):
    """Many addresses do not guess faster together, and keep no host out."""
    now = [0.0]
    app = create_app(desk, words, rate_limiter=RateLimiter(lambda: now[0]))
    client = app.test_client()
    answers = [
        client.post("/api/v1/join", json={"code": "WRONG2"}, environ_base={"REMOTE_ADDR": f"10.0.{n}.1"}).status_code
        for n in range(100)
    ]
    assert answers == [403] * 60 + [429] * 40
    assert client.post("/api/v1/join", json={"code": short_of(1)}).status_code == 429
    assert client.post("/api/v1/join", json={"code": code_of(1)}).status_code == 200
    assert client.get("/host", headers={"Authorization": f"Bearer {HOST_CODE}"}).status_code == 200
    now[0] = 61.0
    assert client.post("/api/v1/join", json={"code": short_of(1)}).status_code == 200
    close(app)


def test_guesses_at_the_same_moment_are_all_counted(app: Flask):
    """The count comes before the look."""
    import threading

    start, answers = threading.Barrier(32), list[int]()

    def guess() -> None:
        start.wait(10)
        answers.append(app.test_client().post("/api/v1/join", json={"code": "WRONG2"}).status_code)

    guesses = [threading.Thread(target=guess) for _ in range(32)]
    for one in guesses:
        one.start()
    for one in guesses:
        one.join()
    assert sorted(answers) == [403] * 5 + [429] * 27


def test_right_codes_cost_no_tries(client: FlaskClient):
    for _ in range(12):
        assert client.post("/api/v1/join", json={"code": short_of(1)}).status_code == 200


def test_a_phone_owns_its_whole_ipv6_network_and_gets_no_more_tries_for_it(client: FlaskClient):
    def guessed_from(address: str) -> int:
        return client.post("/api/v1/join", json={"code": "ABCDEF"}, environ_base={"REMOTE_ADDR": address}).status_code

    assert [guessed_from(f"2001:db8:1:2::{host + 1}") for host in range(5)] == [403] * 5
    assert guessed_from("2001:db8:1:2:ffff::9") == 429
    assert guessed_from("2001:db8:1:3::1") == 403


def test_a_repeated_request_acts_once_and_gets_the_first_answer(client: FlaskClient, desk: RealDesk, bearer: Any):
    headers = {**bearer(1), "Idempotency-Key": "k1"}
    body = {"move": {"do": "end_turn", "by": 1}, "after": 3}
    first = client.post("/api/v1/moves", json=body, headers=headers)
    again = client.post("/api/v1/moves", json=body, headers=headers)
    assert first.status_code == again.status_code == 200
    assert first.json == again.json
    assert len(desk.moves) == 1
    other = client.post("/api/v1/moves", json={"move": {"do": "pass", "by": 1}}, headers=headers)
    assert other.status_code == 422
    assert len(desk.moves) == 1


def test_two_phones_may_use_the_same_key(client: FlaskClient, desk: RealDesk, bearer: Any):
    laid = {"do": "place", "by": 2, "card": "1-5", "from": "hand"}
    for move in ({"do": "end_turn", "by": 1}, laid):
        headers = {**bearer(int(move["by"])), "Idempotency-Key": "same"}
        assert client.post("/api/v1/moves", json={"move": move}, headers=headers).status_code == 200
    assert len(desk.moves) == 2


def test_strangers_keys_push_no_seat_out_of_memory(app: Flask, desk: RealDesk, bearer: Any):
    """One memory for all forgot the host's request after a thousand of a stranger's."""
    client, strangers = app.test_client(), app.test_client(use_cookies=False)
    body, headers = {"move": {"do": "end_turn", "by": 1}}, {**bearer(1), "Idempotency-Key": "mine"}
    assert client.post("/api/v1/moves", json=body, headers=headers).status_code == 200
    for n in range(1100):
        stranger = {"Idempotency-Key": f"key {n}", "Cookie": f"companion-80={'s' * 20}{n}"}
        strangers.post("/api/v1/leave", json={}, headers=stranger, environ_base={"REMOTE_ADDR": f"10.0.{n % 250}.1"})
    for n in range(70):
        client.post("/api/v1/leave", json={}, headers={**bearer(2), "Idempotency-Key": f"key {n}"})
    assert client.post("/api/v1/moves", json=body, headers=headers).status_code == 200
    assert len(desk.moves) == 1


def test_the_same_key_at_the_same_time_acts_once(app: Flask, desk: RealDesk, bearer: Any):
    import threading

    answers: list[int] = []

    def tap() -> None:
        body = {"move": {"do": "end_turn", "by": 1}, "after": 3}
        headers = {**bearer(1), "Idempotency-Key": "twice"}
        answers.append(app.test_client().post("/api/v1/moves", json=body, headers=headers).status_code)

    taps = [threading.Thread(target=tap) for _ in range(8)]
    for one in taps:
        one.start()
    for one in taps:
        one.join()
    assert answers == [200] * 8
    assert len(desk.moves) == 1


def test_a_repetition_waits_only_so_long_for_the_first_answer(app: Flask):
    cache = IdempotencyCache(wait_s=0.01)
    with app.test_request_context(headers={"Idempotency-Key": "twice"}, data=b"{}"):
        assert cache.before(request, (True, "code")) is None
        with pytest.raises(Problem) as busy:
            cache.before(request, (True, "code"))
    assert busy.value.status == 409


def test_a_stale_phone_gets_the_fresh_standing_and_does_not_act(client: FlaskClient, desk: RealDesk, bearer: Any):
    body = {"move": {"do": "end_turn", "by": 1}, "after": 1}
    answer = client.post("/api/v1/moves", json=body, headers=bearer(1))
    assert answer.status_code == 409
    assert answer.mimetype == "application/problem+json"
    assert answer.json["number"] == 3
    assert answer.json["standing"]["points"] == [3, 0, 0, 0]
    assert desk.moves == []


def test_a_phone_becomes_host_only_while_the_box_looks_for_one(desk: RealDesk, words: Any):
    codes = [HOST_CODE, None]
    app = create_app(desk, words, first_phone=LooksForHost(lambda: codes.pop(0)))
    first, second = app.test_client(), app.test_client()
    assert first.post("/api/v1/host", json={}).json["role"] == "host"
    assert first.get("/host").status_code == 200
    assert second.post("/api/v1/host", json={}).status_code == 403
    app.extensions["context"].streams.close()


def test_a_mistake_of_ours_is_told_without_a_traceback(client: FlaskClient, desk: RealDesk, monkeypatch: Any):
    def break_down() -> None:
        raise RuntimeError("secret inside")

    monkeypatch.setattr(desk.setup, "health", break_down)
    answer = client.get("/api/v1/health")
    assert answer.status_code == 500
    assert answer.mimetype == "application/problem+json"
    assert "secret" not in answer.get_data(as_text=True)
