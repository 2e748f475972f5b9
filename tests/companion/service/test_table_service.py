"""The desk that the host really keeps: what it answers is said in the reader's language."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from flask.testing import FlaskClient
from support.idle_services import IDLE
from support.real_desk import WORDS

from companion.app import recording_page
from companion.errors import LogError
from companion.games import registry
from companion.history.codec import decode_move
from companion.history.events import Origin
from companion.public import service as public_service
from companion.public.card_reading import CardReading
from companion.public.i18n import Translations
from companion.public.layout import Layout, encode_layout
from companion.public.service import SPECTATOR, Denied, Done, Invalid, NotFound, Role, Stale, Unavailable, User
from companion.public.table import Observation, Seat, TableState
from companion.public.text import Text
from companion.public.updates import AnswerOption
from companion.reading.text import MOST_TOML_BYTES
from companion.referee.commands import MakeMove
from companion.service import table_service
from companion.service.card_photos import CardPhotos
from companion.service.runner import MatchRunner
from companion.service.table_service import TableService
from companion.service.zone_editor import ZoneEditor
from companion.storage.settings import read_zones
from web.app import close, create_app

MATCH = {"game": "discovery", "profile": "fr-explore", "seat": [{"name": "Ana"}, {"name": "Ben"}]}

OUTSIDE = User(Role.HOST, None, outside=True)
OWN_SEAT = "This phone speaks for its own seat alone: for another one ask the host."
POOL = ["2-1", "2-2", "1-3", "2-4", "2-5"]


def header(match: Any) -> Any:
    deck = registry.demo_deck()
    return {"match": match, "deck": deck}


@pytest.fixture
def client(services: TableService) -> Iterator[FlaskClient]:
    app = create_app(services, WORDS)
    yield app.test_client()
    close(app)


def codes(services: TableService) -> dict[object, str]:
    host = User(Role.HOST)
    return {one.user.seat or "host": one.code for one in services.match.join_codes(host)}


def post(client: FlaskClient, route: str, code: str, language: str, **body: Any) -> Any:
    headers = {"Authorization": f"Bearer {code}", "Accept-Language": language}
    return client.post(f"/api/v1/{route}", json=body, headers=headers)


def test_a_refusal_is_said_in_the_language_of_whoever_asked(client: FlaskClient, services: TableService):
    host = codes(services)["host"]
    nothing = post(client, "corrections", host, "fr", do="undo")
    assert (nothing.status_code, nothing.json["detail"]) == (409, "Aucune partie n’est en cours.")
    assert post(client, "matches", host, "fr", match=MATCH).status_code == 200
    ben = codes(services)[2]
    move = {"do": "end_turn", "by": 1}
    for language, sentence in (
        ("fr", "Ce téléphone ne parle que pour sa place : pour une autre, demandez à l’hôte."),
        ("en", OWN_SEAT),
    ):
        refused = post(client, "moves", ben, language, move=move)
        assert (refused.status_code, refused.json["detail"]) == (403, sentence)
    assert post(client, "corrections", ben, "fr", do="pause").json["detail"] == "Seul l’hôte peut le faire."


def test_every_word_of_the_desk_is_in_both_catalogs(services: TableService):
    said = Translations(registry.locale_folders())
    keys = {key for key in said.keys("en") if key.startswith("desk.")}
    files = (
        Path(public_service.__file__),
        Path(recording_page.__file__),
        *Path(table_service.__file__).parent.glob("*.py"),
    )
    sources = "".join(path.read_text("utf-8") for path in files)
    assert keys == {key for key in said.keys("fr") if key.startswith("desk.")}
    assert {key for key in keys if f'"{key}"' in sources} == keys
    assert services.match.start(SPECTATOR, MATCH) == Denied(Text("desk.host_only"))


def test_the_log_is_right_is_no_entry_and_yet_is_done(client: FlaskClient, services: TableService):
    host = codes(services)["host"]
    post(client, "matches", host, "en", match=MATCH)
    answer = post(client, "corrections", host, "en", do="log-is-right")
    assert (answer.status_code, answer.json) == (200, None)


def test_a_match_that_cannot_be_played_is_refused_with_its_faults_and_the_running_one_stays(services: TableService):
    services.match.start(OUTSIDE, MATCH)
    running = services.match.current()["id"]
    refused = services.match.start(OUTSIDE, {**MATCH, "seat": []})
    assert isinstance(refused, Invalid)
    assert [one.key for one in refused.faults if isinstance(one, Text)] == ["match.fault.seat"]
    assert services.match.current()["id"] == running


def test_a_rematch_has_the_same_seats_and_the_next_dealer(services: TableService):
    """F:202: the dealer changes; "same seats, next dealer"."""
    assert services.match.rematch(OUTSIDE) == NotFound()
    services.match.start(OUTSIDE, {**MATCH, "dealer": 2})
    first = services.match.current()
    assert isinstance(services.match.rematch(OUTSIDE), Done)
    again = services.match.current()
    assert again["id"] != first["id"]
    assert again["seats"] == first["seats"]
    head = json.loads(next(iter(services.archive.record(OUTSIDE, again["id"]) or ())))
    assert head["match"]["dealer"] == 1
    assert isinstance(services.match.rematch(SPECTATOR), Denied)


def test_hosts_who_ask_for_a_rematch_at_the_same_moment_get_one(services: TableService):
    services.match.start(OUTSIDE, MATCH)
    before = len(services.archive.matches(OUTSIDE))
    with ThreadPoolExecutor(8) as hosts:
        answers = list(hosts.map(lambda _: services.match.rematch(OUTSIDE), range(8)))
    assert len({answer.value["match"] for answer in answers if isinstance(answer, Done)}) == 1
    assert all(isinstance(answer, Done) for answer in answers)
    assert len(services.archive.matches(OUTSIDE)) == before + 1
    services.match.correct(OUTSIDE, {"do": "pause"})
    again = services.match.rematch(OUTSIDE)
    assert isinstance(again, Done)
    assert again.value != answers[0].value, "when it was played, the next one is another"  # type: ignore[union-attr]
    assert len(services.archive.matches(OUTSIDE)) == before + 2


def test_a_phone_stays_in_its_seat_as_long_as_its_name_sits_at_the_table(services: TableService):
    """Nobody scans again after a rematch, in a new match or when the dealer changes; strangers get nobody's seat."""
    services.match.start(OUTSIDE, MATCH)
    ana, ben = (services.match.join_codes(OUTSIDE)[seat] for seat in (1, 2))
    services.match.correct(OUTSIDE, {"do": "seat", "seat": 1, "name": "Zoé"})
    services.match.correct(OUTSIDE, {"do": "seat", "seat": 1, "swaps": 2})
    services.match.rematch(OUTSIDE)
    assert services.match.user(ana.code) == services.match.user(ana.short) == User(Role.SEAT, Seat(2))
    assert services.match.user(ben.code) == User(Role.SEAT, Seat(1))
    others = {**MATCH, "seat": [{"name": "Max"}, {"name": "Ben"}, {"name": "Cy"}]}
    services.match.start(OUTSIDE, others)
    assert services.match.user(ana.code) is None
    assert services.match.user(ben.code) == User(Role.SEAT, Seat(2))
    codes = [one.code for one in services.match.join_codes(OUTSIDE)]
    assert len(set(codes)) == 4


def test_a_deleted_match_comes_back_as_it_was_and_the_running_one_stays(services: TableService):
    services.match.start(OUTSIDE, MATCH)
    services.match.correct(OUTSIDE, {"do": "pause"})
    first = services.match.current()["id"]
    assert services.archive.delete(OUTSIDE, first) == NotFound()
    services.match.rematch(OUTSIDE)
    before = list(services.archive.record(OUTSIDE, first) or ())
    assert len(before) > 1
    assert isinstance(services.archive.delete(OUTSIDE, first), Done)
    assert services.archive.record(OUTSIDE, first) is None
    back = services.archive.undelete(OUTSIDE, first)
    assert back == Done({"match": first})
    assert list(services.archive.record(OUTSIDE, first) or ()) == before
    assert isinstance(services.archive.undelete(OUTSIDE, first), NotFound)


def test_an_exported_record_is_imported_as_the_same_match(client: FlaskClient, services: TableService):
    services.match.start(OUTSIDE, MATCH)
    services.match.correct(OUTSIDE, {"do": "pause"})
    first = services.match.current()["id"]
    services.match.rematch(OUTSIDE)
    exported = "\n".join(services.archive.record(OUTSIDE, first) or ())
    host = codes(services)["host"]
    taken = post(client, "records", host, "en", record=exported)
    assert taken.status_code == 200
    assert "\n".join(services.archive.record(OUTSIDE, taken.json["match"]) or ()) == exported
    for spoilt in ("", "{", '{"record": 2}', '{"record": 1, "match": {}}\n{"event": "flew"}', "[" * 5000):
        answer = post(client, "records", host, "en", record=spoilt)
        assert answer.status_code == 422, spoilt[:40]


def test_a_deck_s_faults_are_said_in_the_reader_s_language(client: FlaskClient, services: TableService):
    deck = {"deck": {"name": "x", "edition": "own"}, "card": [{"id": "1-1", "prerequisites": ["1-1"]}]}
    kept = post(client, "decks", codes(services)["host"], "fr", name="x", deck=deck).json
    told = [fault["what"] for fault in (*kept["faults"], *kept["open"])]
    assert "Elle n’a pas de nom\u202f; on dira son numéro." in told
    assert any("1-1 → 1-1" in what for what in told)


def test_what_is_no_deck_is_not_kept(services: TableService, tmp_path: Path):
    for name, deck in (
        ("../up", {"deck": {}, "card": []}),
        ("Ours", {"deck": {}, "card": []}),
        ("ours", {"deck": [], "card": []}),
        ("ours", {"deck": {}, "card": [{"id": 3}]}),
        ("ours", {"deck": {}, "card": [{"name": {"en\nx": "y"}}]}),
    ):
        assert isinstance(services.decks.save_deck(OUTSIDE, name, deck), Invalid)
    assert services.decks.summaries() == ()
    assert not (tmp_path / "decks").exists()
    assert isinstance(
        services.decks.save_deck(OUTSIDE, "ours", {"deck": {"name": "Ours"}, "card": [{"id": "1-1"}]}), Done
    )
    assert services.decks.summaries() == ({"name": "ours", "file": "ours.toml", "title": "Ours", "entered": 0},)
    assert services.decks.deck("ours") == {"deck": {"name": "Ours"}, "card": [{"id": "1-1"}]}


def zoned(host: MatchRunner, folder: Path, source: str = "picamera") -> tuple[TableService, list[Layout]]:
    seen: list[Layout] = []
    zoning = ZoneEditor(folder, lambda: Mock(relayout=seen.append))
    zoning.begin(registry.open_match(MATCH, registry.demo_deck()).game.table.layout)
    return TableService(
        host, **IDLE, source=source, version="1", picture=lambda: None, complete=header, zones=zoning
    ), seen


def test_zones_are_moved_before_the_first_card_and_not_while_cards_are_laid(host: MatchRunner, tmp_path: Path):
    services, seen = zoned(host, tmp_path / "table")
    visitor = User(Role.HOST)
    told = services.setup.zones()
    assert told["movable"] is True
    table = {"size_mm": told["size_mm"], "zone": told["zone"]}
    table["zone"][0]["polygon"][0][0] += 5
    assert isinstance(services.match.start(visitor, MATCH), Done)
    assert isinstance(services.setup.set_zones(visitor, table), Done)
    assert [encode_layout(one) for one in seen] == [table]
    assert isinstance(services.match.move(visitor, {"do": "deal", "by": 0, "pool": []}, None), Done)
    refused = services.setup.set_zones(visitor, None)
    assert refused == Stale(Text("desk.zones_playing"))
    assert services.setup.zones()["why"] == Text("desk.zones_playing")
    assert len(seen) == 1
    assert read_zones(tmp_path / "table") == seen[0]


def test_zones_are_the_host_s_and_those_of_a_drawn_table_or_a_match_file_stay(host: MatchRunner, tmp_path: Path):
    services, seen = zoned(host, tmp_path)
    seat, visitor = User(Role.SEAT, Seat(1)), User(Role.HOST)
    table = {key: value for key, value in services.setup.zones().items() if key in ("size_mm", "zone")}
    assert services.setup.set_zones(seat, table) == Denied(Text("desk.host_only"))
    assert zoned(host, tmp_path, "simulated")[0].setup.set_zones(visitor, table) == Stale(Text("desk.zones_simulated"))
    services.match.start(visitor, {**MATCH, "table": table})
    assert services.setup.set_zones(visitor, None) == Stale(Text("desk.zones_of_match"))
    assert seen == []


@pytest.mark.parametrize("table", [{}, {"zone": []}, {"zone": [{"name": "tree"}]}, {"zone": 3}, {"size_mm": "a"}])
def test_what_is_no_zone_is_refused_in_one_sentence(table: Any, host: MatchRunner, tmp_path: Path):
    services, seen = zoned(host, tmp_path)
    refused = services.setup.set_zones(User(Role.HOST), table)
    assert isinstance(refused, Invalid)
    assert seen == []


def seat_of(number: int) -> User:
    return User(Role.SEAT, Seat(number))


def test_a_seat_takes_back_its_own_acts_and_nobody_else_s(services: TableService):
    """A seat said undo again and again, and the whole match went back to the deal."""
    services.match.start(OUTSIDE, {**MATCH, "profile": "en-explore"})
    services.match.move(OUTSIDE, {"do": "deal", "by": 0, "pool": ["1-1", "1-2", "1-4", "2-1", "2-2"]}, None)
    for card in ("1-3", "1-5"):
        place = {"do": "place", "by": 1, "card": card, "from": "hand"}
        assert isinstance(services.match.move(seat_of(1), place, None), Done)
    undo = {"do": "undo"}
    assert services.match.correct(seat_of(2), undo) == Denied(Text("desk.undo_own"))
    assert services.match.correct(seat_of(2), {**undo, "number": 3}) == Denied(Text("desk.undo_own"))
    assert isinstance(services.match.correct(seat_of(1), undo), Done)
    assert isinstance(services.match.correct(OUTSIDE, undo), Done)
    assert not isinstance(services.match.correct(seat_of(2), undo), Done)


def test_two_hosts_who_undo_the_same_entry_at_once_undo_it_once(services: TableService):
    """It was struck twice, announced twice, and did not come back when the first of both was taken back."""
    services.match.start(OUTSIDE, {**MATCH, "profile": "en-explore"})
    services.match.move(OUTSIDE, {"do": "deal", "by": 0, "pool": ["1-1", "1-2", "1-4", "2-1", "2-2"]}, None)
    services.match.move(seat_of(1), {"do": "place", "by": 1, "card": "1-3", "from": "hand"}, None)
    undo = {"do": "undo", "number": 2}
    struck = services.match.correct(OUTSIDE, undo)
    assert isinstance(struck, Done)
    assert services.match.correct(OUTSIDE, undo) == Stale()
    number = struck.value["number"]
    assert isinstance(services.match.correct(OUTSIDE, {"do": "undo", "number": number}), Done)
    assert isinstance(services.match.correct(OUTSIDE, undo), Done), "it counts again, so it can be undone again"


@pytest.mark.parametrize("card", ["1-1", "1-9"])
@pytest.mark.parametrize("profile", ["en-memory", "fr-bluff"])
@pytest.mark.parametrize("answer", ["verify", "concede"])
def test_the_verdict_of_a_stop_is_taken_back_by_the_stopper_or_the_host(
    answer: str, profile: str, card: str, services: TableService
):
    """The same for a lawful and an unlawful card, so that it tells nothing."""
    services.match.start(OUTSIDE, {**MATCH, "profile": profile})
    services.match.move(OUTSIDE, {"do": "deal", "by": 0, "pool": ["1-2", "1-4", "1-6", "2-1", "2-2"]}, None)
    for move in (
        {"do": "place", "by": 1, "card": card, "from": "hand"},
        {"do": "stop", "by": 2},
        {"do": answer, "by": 1, **({"found": True} if answer == "verify" else {})},
    ):
        made = services.match.move(seat_of(move["by"]), move, None)
        assert isinstance(made, Done), made
        assert made.value["event"] == "played", made
    assert services.match.correct(seat_of(1), {"do": "undo"}) == Denied(Text("desk.undo_verdict"))
    assert isinstance(services.match.correct(seat_of(2), {"do": "undo"}), Done)


@contextmanager
def full_disk(host: MatchRunner) -> Iterator[None]:
    """Meanwhile nothing can be written."""
    with pytest.MonkeyPatch.context() as disk:
        disk.setattr(host.log, "append", Mock(side_effect=LogError("the disk is full")))
        yield


@pytest.mark.parametrize("after", [0, None])
def test_what_waited_for_a_full_disk_is_not_the_answer_to_somebody_else(
    services: TableService, host: MatchRunner, after: int | None
):
    services.match.start(User(Role.HOST), MATCH)
    ana, ben = User(Role.SEAT, Seat(1)), User(Role.SEAT, Seat(2))
    with full_disk(host):
        assert isinstance(services.match.move(ana, {"do": "pass", "by": 1}, 0), Unavailable)
    answer = services.match.move(ben, {"do": "pass", "by": 2}, after)
    written = [(entry["number"], entry["move"]["by"]) for entry in host.log.entries(host.stored.id)]
    if after is None:
        assert isinstance(answer, Done)
        assert (answer.value["number"], answer.value["move"]["by"]) == (2, 2)
        assert written == [(1, 1), (2, 2)]
    else:
        assert answer == Stale(), "Ben had not seen what Ana said"
        assert written == [(1, 1)]


def test_a_disk_that_takes_writes_again_in_the_middle_answers_nobody_with_anothers_entry(
    services: TableService, host: MatchRunner, monkeypatch: pytest.MonkeyPatch
):
    services.match.start(User(Role.HOST), MATCH)
    append, left = host.log.append, [LogError("the disk is full") for _ in range(3)]  # Ana's, then twice again

    def failing(*entries: Any) -> None:
        if left:
            raise left.pop()
        append(*entries)

    monkeypatch.setattr(host.log, "append", failing)
    assert isinstance(services.match.move(User(Role.SEAT, Seat(1)), {"do": "pass", "by": 1}, 0), Unavailable)
    assert isinstance(services.match.move(User(Role.SEAT, Seat(2)), {"do": "pass", "by": 2}, None), Unavailable)
    host.ask(lambda: None)
    written = [(entry["number"], entry["move"]["by"]) for entry in host.log.entries(host.stored.id)]
    assert written == [(1, 1), (2, 2)], "both count, once"


def test_who_presses_again_and_again_while_the_disk_is_full_is_heard_once(services: TableService, host: MatchRunner):
    services.match.start(User(Role.HOST), MATCH)
    ana, ben = User(Role.SEAT, Seat(1)), User(Role.SEAT, Seat(2))
    with full_disk(host):
        told = [services.match.move(who, {"do": "pass", "by": who.seat}, 0) for who in 3 * (ana, ben)]
    assert told == 2 * [Unavailable(Text("desk.unwritten"))] + 4 * [Unavailable(Text("desk.waits"))]
    host.ask(lambda: None)  # after which what waits is written
    host.ask(lambda: None)
    assert [entry["move"]["by"] for entry in host.log.entries(host.stored.id)] == [1, 2]
    assert isinstance(services.match.move(ana, {"do": "pass", "by": 1}, 2), Done), "and is heard again"


def test_whoever_waited_for_a_disk_may_speak_when_it_fills_up_again(services: TableService, host: MatchRunner):
    services.match.start(User(Role.HOST), MATCH)
    ana = User(Role.SEAT, Seat(1))
    with full_disk(host):
        assert services.match.move(ana, {"do": "pass", "by": 1}, None) == Unavailable(Text("desk.unwritten"))
    host.ask(lambda: None)
    host.ask(lambda: None)
    seen = MakeMove(decode_move(host.match.game, {"do": "pass", "by": 2}), Origin.CAMERA)
    with full_disk(host):
        host.ask(lambda: host.match.handle(seen, host.clock()))
        assert services.match.move(ana, {"do": "pass", "by": 1}, None) == Unavailable(Text("desk.unwritten"))


def test_what_is_said_while_another_program_holds_the_log_counts_once_when_it_lets_go(
    services: TableService, host: MatchRunner
):
    """Finding 20: nobody waits longer than for an answer, and nothing is written twice."""
    services.match.start(User(Role.HOST), MATCH)
    host.log.file._connection.execute("PRAGMA busy_timeout=50")  # five seconds otherwise  # noqa: SLF001  # a log that is kept from writing
    with closing(sqlite3.connect(host.log.file.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        for seat in (1, 2):
            told = services.match.move(User(Role.SEAT, Seat(seat)), {"do": "pass", "by": seat}, 0)
            assert isinstance(told, Unavailable)
        other.execute("ROLLBACK")
    host.ask(lambda: None)
    assert [entry["move"]["by"] for entry in host.log.entries(host.stored.id)] == [1, 2]


def test_an_answer_is_taken_from_the_seats_that_may_give_it(client: FlaskClient, services: TableService):
    """A phone that a question does not ask has no button for it; whoever sends it all the same is refused."""
    host = codes(services)["host"]
    assert post(client, "matches", host, "en", match=MATCH).status_code == 200
    assert post(client, "moves", host, "en", move={"do": "deal", "by": 0, "pool": POOL}).status_code == 200
    runner = services.match._runner  # noqa: SLF001  # no rule asks one seat alone so far
    assert runner.match is not None
    questions, still_mine = runner.match.issues.questions, Text("referee.still_mine", {"seat": 1})
    question = Text("referee.whose_turn", {"seat": 1})
    ends = MakeMove(decode_move(runner.match.game, {"do": "pass", "by": 1}), Origin.PHONE)
    runner.ask(lambda: questions.ask(question, [(AnswerOption(still_mine, (Seat(1),)), (ends,))], None))
    yes = {"question": 1, "answer": 0}
    refused = post(client, "answers", codes(services)[2], "en", **yes)
    assert (refused.status_code, refused.json["detail"]) == (403, OWN_SEAT)
    assert post(client, "answers", codes(services)[1], "en", **{**yes, "answer": 1}).status_code == 409
    answered = post(client, "answers", codes(services)[1], "en", **yes)
    assert answered.json["move"] == {"do": "pass", "by": 1}
    assert post(client, "answers", codes(services)[1], "en", **yes).status_code == 409


# -- each guard has its row -----------------------------------------------------------------------------------

PHOTO = b"\xff\xd8 a photograph \xff\xd9"


@pytest.fixture
def whole(host: MatchRunner, tmp_path: Path) -> TableService:
    """A table that lacks nothing, with a deck of its own in which a card is pictured, and one that was read."""
    zones = ZoneEditor(tmp_path / "zones", lambda: None)
    zones.begin(registry.open_match(MATCH, registry.demo_deck()).game.table.layout)
    read = lambda *_: (CardReading("DXC153", ("Fire",), ("1 Band",), PHOTO, PHOTO, PHOTO),)  # noqa: E731
    services = TableService(
        host,
        box=IDLE["box"],
        recording=IDLE["recording"],
        source="picamera",
        version="1",
        picture=lambda: None,
        complete=header,
        decks=tmp_path / "decks",
        card_photo=lambda picture: picture,
        zones=zones,
        photos=CardPhotos(host, simulated=False, picture=lambda: None, read=read, can_read=lambda: True),
    )
    assert isinstance(services.decks.save_deck(OUTSIDE, "ours", registry.demo_deck()), Done)
    assert isinstance(services.decks.keep_card_picture(OUTSIDE, "ours", "1-5", PHOTO), Done)
    assert isinstance(services.photos.take(OUTSIDE, "ours", PHOTO, "box"), Done)
    return services


@pytest.mark.parametrize(
    "user", [SPECTATOR, User(Role.SEAT, Seat(1)), User(Role.HUB)], ids=lambda user: user.role.value
)
@pytest.mark.parametrize(
    ("ask", "answer"),
    [
        *(
            (ask, Denied(Text("desk.host_only")))
            for ask in (
                lambda all_of_it, user: all_of_it.match.start(user, MATCH),
                lambda all_of_it, user: all_of_it.match.rematch(user),
                lambda all_of_it, user: all_of_it.match.renew_join_codes(user, None),
                lambda all_of_it, user: all_of_it.match.set_hub(user, "open"),
                lambda all_of_it, user: all_of_it.archive.import_record(user, "{}"),
                lambda all_of_it, user: all_of_it.archive.delete(user, "2026-11-20-1"),
                lambda all_of_it, user: all_of_it.decks.save_deck(user, "ours", registry.demo_deck()),
                lambda all_of_it, user: all_of_it.decks.read_spreadsheet(user, "ours", b"era,number,name\n1,1,Fire\n"),
                lambda all_of_it, user: all_of_it.decks.keep_card_picture(user, "ours", "1-1", PHOTO),
                lambda all_of_it, user: all_of_it.decks.delete_card_picture(user, "ours", "1-5"),
                lambda all_of_it, user: all_of_it.photos.take(user, "ours", PHOTO, "box"),
                lambda all_of_it, user: all_of_it.photos.forget(user, "ours", "1-5"),
                lambda all_of_it, user: all_of_it.setup.set_zones(user, None),
            )
        ),
        (lambda all_of_it, user: all_of_it.photos.proposals(user, "ours", registry.demo_deck()), None),
        (lambda all_of_it, user: all_of_it.photos.piece(user, "ours", "1-5", "title"), None),
    ],
)
def test_what_is_the_host_s_is_refused_by_the_service_too_whoever_let_the_request_in(
    ask: Any, answer: Any, user: User, whole: TableService
):
    assert ask(whole, user) == answer
    assert ask(whole, OUTSIDE) != answer


@pytest.mark.parametrize(
    ("correction", "key", "where"),
    [
        ({"do": "undo", "after": "x"}, "correction.fault.after", "after"),
        ({"do": "undo", "number": 0}, "correction.fault.number", "number"),
        ({"do": "undo", "number": "1"}, "correction.fault.number", "number"),
        ({"do": "claim", "by": 0}, "correction.fault.by", "by"),
        ({"do": "claim", "by": 3}, "correction.fault.by", "by"),
        ({"do": "seat", "name": "Zoé"}, "correction.fault.which", "seat"),
        ({"do": "seat", "seat": 3, "name": "Zoé"}, "correction.fault.seat", "seat"),
        ({"do": "seat", "seat": 1, "swaps": 3}, "correction.fault.seat", "swaps"),
        ({"do": "seat", "seat": 1, "swaps": 1}, "correction.fault.another", "swaps"),
        ({"do": "seat", "seat": 1, "here": "yes"}, "correction.fault.here", "here"),
        ({"do": "seat", "seat": 1, "name": "ben "}, "seat.fault.taken", "name"),
        ({"do": "seat", "seat": 1}, "correction.fault.one", None),
        ({"do": "seat", "seat": 1, "name": "Zoé", "swaps": 2}, "correction.fault.one", None),
        ({"do": "counts", "stack": -1}, "correction.fault.counts", "stack"),
        ({"do": "fly"}, "correction.fault.unknown", "do"),
    ],
)
def test_a_correction_that_means_nothing_is_refused_where_it_is_wrong(
    correction: Any, key: str, where: str | None, services: TableService
):
    services.match.start(OUTSIDE, MATCH)
    refused = services.match.correct(OUTSIDE, correction)
    assert isinstance(refused, Invalid)
    assert [(one.key, one.params.get("where")) for one in refused.faults if isinstance(one, Text)] == [(key, where)]
    current = services.match.current()
    assert current is not None
    assert [seat["name"] for seat in current["seats"]] == ["Ana", "Ben"]


@pytest.mark.parametrize(
    "user", [SPECTATOR, User(Role.HUB), User(Role.SEAT, Seat(1))], ids=lambda user: user.role.value
)
def test_who_only_looks_on_corrects_and_answers_nothing(user: User, services: TableService):
    """A hub may answer once the host allows it, and a seat takes back only the last act."""
    services.match.start(OUTSIDE, MATCH)
    joins = Denied(Text("desk.join_first"))
    undoes, answers = {
        Role.SPECTATOR: (joins, joins),
        Role.HUB: (joins, Denied(Text("desk.hub_answers"))),
        Role.SEAT: (Denied(Text("desk.undo_last")), Stale(Text("desk.question_closed"))),
    }[user.role]
    assert services.match.correct(user, {"do": "undo", "number": 1}) == undoes
    assert services.match.answer(user, 1, 0) == answers


def test_what_a_photograph_or_a_drawn_zone_needs(whole: TableService):
    too_long = whole.decks.read_spreadsheet(OUTSIDE, "ours", b"x" * (MOST_TOML_BYTES + 1))
    assert isinstance(too_long, Invalid)
    assert [one.key for one in too_long.faults if isinstance(one, Text)] == ["input.fault.size"]
    told = whole.setup.zones()
    assert told is not None
    zones = [{**told["zone"][0], "name": name} for name in ("tree", "pool")]
    laid_over = whole.setup.set_zones(OUTSIDE, {"size_mm": told["size_mm"], "zone": zones})
    assert isinstance(laid_over, Invalid)
    assert set(laid_over.zones) == {"tree", "pool"}
    assert whole.photos.take(OUTSIDE, "ours", None, "box") == Unavailable(Text("desk.check_unseen"))
    whole.match.start(OUTSIDE, MATCH)
    assert whole.photos.take(OUTSIDE, "ours", None, "box") == Stale(Text("desk.check_playing"))
    assert whole.photos.piece(OUTSIDE, "ours", "1-1", "title") is None
    whole.match.start(OUTSIDE, {**MATCH, "profile": "fr-bluff"})
    assert whole.photos.take(User(Role.HOST), "ours", None, "box") == Denied(Text("desk.picture_secret"))


def test_a_table_without_zones_has_none_to_move_and_no_picture_of_them(host: MatchRunner):
    services = TableService(host, **IDLE, source="picamera", version="1", picture=lambda: PHOTO, complete=header)
    assert services.setup.zones() is None
    assert services.setup.set_zones(OUTSIDE, None) == NotFound()
    assert services.setup.camera_picture(OUTSIDE) == PHOTO
    assert services.setup.camera_picture(OUTSIDE, straight=True) is None


def test_an_old_look_is_never_called_well(services: TableService, host: MatchRunner):
    seen_s = host.clock()
    host.post(Observation(1, seen_s, TableState()))
    host.ask(lambda: None)
    told = services.setup.health()
    assert (told["ok"], told["camera"]) == (True, "ok")
    host.clock = lambda: seen_s + 6.0
    told = services.setup.health()
    assert (told["ok"], told["camera"], told["last_look_s"]) == (False, "camera", 6.0)
