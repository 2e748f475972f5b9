"""Kept pictures: "around every refusal, question and dispute the few pictures ... are kept with the match"."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable

import pytest
from support.discovery_match import game as discovery
from support.scripted_table import ScriptedTable
from support.toy_game import stairs

from companion.referee.commands import Allow, OverruleCamera, Undo
from companion.storage.snapshots import MOST_WAITING, PER_ENTRY, RING_S, Snapshots, deserves_snapshot

JPEG = b"\xff\xd8" + b"x" * 998


def wanted(table: ScriptedTable) -> list[int]:
    found = (
        deserves_snapshot(table.game, news.entry)
        for news in table.news
        if news.entry is not None and news.number is not None
    )
    return [keep[0] for keep in found if keep]


def test_what_is_kept_is_there_when_the_album_is_closed(tmp_path):
    album = Snapshots(tmp_path / "pictures")
    for n in range(3):
        album.keep("evening", 8, bytes([n]))
    album.keep("evening", 12, b"other")
    album.close()
    album.close()
    assert sorted(path.name for path in (tmp_path / "pictures" / "evening").iterdir()) == [
        "12-1.jpg", "8-1.jpg", "8-2.jpg", "8-3.jpg",
    ]  # fmt: skip
    assert album.pictures("evening", 8) == (b"\0", b"\1", b"\2")
    assert album.pictures("evening", 9) == album.pictures("nobody's", 8) == ()
    assert album.counts("evening") == {8: 3, 12: 1}


def test_a_damaged_picture_costs_nothing_but_itself(tmp_path):
    """A folder or a link to nowhere in a picture's place, and one that vanishes while it is looked up."""
    album = Snapshots(tmp_path)
    assert album.put("evening", 8, JPEG)
    there = tmp_path / "evening"
    (there / "7-1.jpg").mkdir()
    (there / "8-2.jpg").symlink_to(tmp_path / "nowhere")
    (there / "9-1.jpg").write_bytes(b"")
    assert album.pictures("evening", 7) == album.pictures("evening", 9) == ()
    assert album.pictures("evening", 8) == (JPEG,)
    assert album.counts("evening") == {8: 1, 9: 1}
    assert album.marks("evening") == {}
    assert album.put("evening", 10, JPEG), "and the next ones are kept"
    listed = album._of("evening")  # noqa: SLF001  # between listing and reading
    album.forget("evening")
    album._of = lambda match: listed  # noqa: SLF001  # as above
    assert album.pictures("evening", 8) == ()
    assert album.marks("evening") == {}


def test_pictures_stay_in_order_beyond_nine(tmp_path):
    album = Snapshots(tmp_path)
    for n in range(PER_ENTRY + 3):
        album.put("evening", 1, bytes([n]))
    assert album.pictures("evening", 1) == tuple(bytes([n]) for n in range(PER_ENTRY))


def test_nothing_waits_for_a_slow_card(tmp_path, monkeypatch, caplog):
    album, slow = Snapshots(tmp_path), threading.Event()
    put = album.put
    monkeypatch.setattr(album, "put", lambda *picture: slow.wait(20) and put(*picture))
    with caplog.at_level(logging.WARNING):
        for _ in range(MOST_WAITING + 2):
            album.keep("evening", 1, JPEG)
    assert "not kept: the disk is too slow" in caplog.text
    slow.set()
    album.close()
    assert album.counts("evening") == {1: PER_ENTRY}


def test_a_full_disk_loses_a_picture_and_nothing_else(tmp_path, caplog):
    (tmp_path / "pictures").write_text("in the way")
    album = Snapshots(tmp_path / "pictures")
    album.keep("evening", 1, JPEG)
    album.close()
    assert "could not be kept" in caplog.text


def test_one_match_takes_no_more_than_its_share(tmp_path):
    album = Snapshots(tmp_path, match_bytes=3 * len(JPEG))
    assert [album.put("evening", n, JPEG) for n in range(1, 6)] == [True, True, True, False, False]


def test_the_oldest_matches_make_room(tmp_path):
    album = Snapshots(tmp_path, album_bytes=3 * len(JPEG))
    for age, match in enumerate(("first", "second", "third")):
        album.put(match, 1, JPEG)
        os.utime(tmp_path / match, (age, age))
    assert album.put("fourth", 1, JPEG)
    assert {match: bool(album.counts(match)) for match in ("first", "second", "third", "fourth")} == {
        "first": False, "second": True, "third": True, "fourth": True,
    }  # fmt: skip


def test_pictures_of_a_match_that_was_deleted_go_with_it(tmp_path):
    album = Snapshots(tmp_path)
    album.put("kept", 1, JPEG)
    album.put("deleted", 1, JPEG)
    assert Snapshots(tmp_path).counts("deleted") == {1: 1}
    again = Snapshots(tmp_path, ["kept"])
    assert (again.counts("kept"), again.counts("deleted")) == ({1: 1}, {})


@pytest.mark.parametrize("match", ["..", ".", "../outside", "/etc", "a/b", "a\\b", ""])
def test_no_name_of_a_match_leads_out_of_the_album(tmp_path, match):
    (tmp_path / "1-1.jpg").write_bytes(b"not yours")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "1-1.jpg").write_bytes(b"not yours")
    album = Snapshots(tmp_path / "pictures")
    assert not album.put(match, 1, JPEG)
    assert album.pictures(match, 1) == ()
    album.forget(match)
    assert (tmp_path / "outside" / "1-1.jpg").exists()


STORIES: dict[str, tuple[Callable[[ScriptedTable], object], list[int]]] = {
    "a lawful evening": (
        lambda table: (
            table.look(C11="tree"),
            table.look(KEND="commands"),
            table.look(KEND=None, C12="tree"),
            table.say(Undo()),
        ),
        [],
    ),
    "a refusal, and a change that nothing explains": (
        lambda table: (table.look(3, C13="tree"), table.look(C13=None), table.look(8, C15=None)),
        [2, 4],
    ),
    "what people overrule": (lambda table: (table.look(3, C13="tree"), table.say(Allow())), [2, 2]),
    "a camera that was wrong": (lambda table: (table.look(3, C11="tree"), table.say(OverruleCamera(2))), [2]),
}


@pytest.mark.parametrize("story", STORIES)
def test_pictures_are_kept_around_what_may_be_disputed_with_the_entry_that_is_meant(story):
    table = ScriptedTable(stairs())
    table.look(C15="pool")
    happens, kept = STORIES[story]
    happens(table)
    assert wanted(table) == kept


def test_a_word_that_was_refused_has_no_picture():
    assert deserves_snapshot(stairs(), {"number": 4, "event": "refused", "move": {"do": "end_turn", "by": 1}}) is None


def test_a_stop_is_a_dispute():
    entry = {"number": 4, "event": "played", "move": {"do": "stop", "by": 1}}
    assert deserves_snapshot(discovery(), entry) == (4, RING_S)
