"""Whole matches as records, worked out from the rule book by hand: the engine must tell each of them the same way."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.app.rejudge import rejudge
from companion.errors import InputError
from companion.games.registry import open_match
from companion.history.codec import encode_line
from companion.storage.record_file import read_record

RECORDS = sorted((Path(__file__).parents[2] / "vectors").glob("*.jsonl"))


def turned_seat(seat, count):
    """The seat clockwise of this one; 0 is the table and stays."""
    return seat % count + 1 if seat else seat


def turned_place(place, count):
    """``discard-2`` becomes ``discard-3``."""
    name, _, seat = place.partition("-")
    return f"{name}-{turned_seat(int(seat), count)}" if seat else place


def turned_list(values):
    """A list by seat, when everybody has moved one seat on."""
    return [values[-1], *values[:-1]]


def turned(header, lines):
    """The same match with everybody one seat further round the table."""
    match, count = dict(header["match"]), len(header["match"]["seat"])
    match["seat"] = turned_list(match["seat"])
    match["dealer"] = turned_seat(match.get("dealer", count), count)
    if "position" in match:
        position = dict(match["position"])
        position["turn"] = turned_seat(position["turn"], count)
        match["position"] = {
            key: turned_list(value) if key in ("hands", "points", "discards") and len(value) == count else value
            for key, value in position.items()
        }
    entries = []
    for _, entry in lines:
        moved = dict(entry)
        for key in ("by", "holder", "seat"):
            if key in moved:
                moved[key] = turned_seat(moved[key], count)
        if "hands" in moved:
            moved["hands"] = turned_list(moved["hands"])
        if "move" in moved:
            move = dict(moved["move"])
            move |= {key: turned_seat(move[key], count) for key in ("by", "holder") if key in move}
            if "from" in move:
                place = move["from"]
                move["from"] = turned_seat(place, count) if isinstance(place, int) else turned_place(place, count)
            moved["move"] = move
        if standing := moved.get("standing"):
            moved["standing"] = {
                **standing,
                "turn": standing["turn"] and turned_seat(standing["turn"], count),
                "points": turned_list(standing["points"]),
                "hands": turned_list(standing["hands"]),
                "owed": [{**owed, "seat": turned_seat(owed["seat"], count)} for owed in standing["owed"]],
                "winners": sorted(turned_seat(seat, count) for seat in standing["winners"]),
            }
        entries.append(moved)
    return {**header, "match": match}, entries


def objections(entry):
    return {(said["rule"], tuple(sorted(said.get("cards", ())))) for said in entry.get("objections", ())}


@pytest.mark.parametrize("path", [path for path in RECORDS if "unusable" not in path.stem], ids=lambda path: path.stem)
def test_the_engine_tells_it_the_same_way(path):
    file = read_record(path)
    judged = rejudge(open_match(file.header["match"], file.header["deck"]).game, file)
    for entry, (line, wanted) in zip(judged.go(), file.entries, strict=True):
        told = encode_line(judged.record.lines[-1])
        where = f"{path.name}, line {line}: {wanted.get('move')}"
        assert objections(told) == objections(wanted), where
        for key in ("event", "failed", "held"):
            assert told.get(key) == wanted.get(key), f"{where}: {key}"
        if "move" in wanted:
            assert told.get("points", 0) == wanted.get("points", 0), where
        standing = wanted.get("standing", {})
        assert {key: told["standing"].get(key) for key in standing} == standing, where
        assert entry.number == told["number"]


@pytest.mark.parametrize(
    "path",
    [path for path in RECORDS if "unusable" not in path.stem and not path.stem.startswith("evening")],
    ids=lambda path: path.stem,
)
def test_it_is_the_same_match_when_everybody_sits_one_seat_further(path, tmp_path):
    file = read_record(path)
    header, wanted = turned(file.header, file.entries)
    moved = tmp_path / path.name
    moved.write_text("\n".join(json.dumps(line) for line in (header, *wanted)), encoding="utf-8")
    again = read_record(moved)
    judged = rejudge(open_match(again.header["match"], again.header["deck"]).game, again)
    for _, entry in zip(judged.go(), wanted, strict=True):
        told = encode_line(judged.record.lines[-1])
        where = f"{path.name}, entry {entry.get('number')}: {entry.get('move')}"
        assert objections(told) == objections(entry), where
        assert told["event"] == entry["event"], where
        if "move" in entry:
            assert told.get("points", 0) == entry.get("points", 0), where
        standing = entry.get("standing", {})
        assert {key: told["standing"].get(key) for key in standing} == standing, where


@pytest.mark.parametrize("path", [path for path in RECORDS if "unusable" in path.stem], ids=lambda path: path.stem)
def test_an_unusable_match_is_refused_in_words(path):
    file = read_record(path)
    with pytest.raises(InputError) as wrong:
        open_match(file.header["match"], file.header["deck"])
    assert str(wrong.value)


def test_there_is_a_record_of_every_vector():
    kept = {path.stem[:4] for path in RECORDS}
    assert {f"TV{number:02}" for number in range(1, 28)} <= kept, "TV28, conservation, is a property test"
