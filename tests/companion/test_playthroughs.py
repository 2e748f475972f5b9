"""Whole matches as records, worked out from the rule book by hand: the engine must tell each of them the same way."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.catalog import open_match
from companion.documents import read_record
from companion.errors import InputError
from companion.judging import judging
from companion.lines import encode_line

RECORDS = sorted((Path(__file__).parents[1] / "playthroughs").glob("*.jsonl"))


def objections(entry):
    return {(said["rule"], tuple(sorted(said.get("cards", ())))) for said in entry.get("objections", ())}


@pytest.mark.parametrize("path", [path for path in RECORDS if "unusable" not in path.stem], ids=lambda path: path.stem)
def test_the_engine_tells_it_the_same_way(path):
    file = read_record(path)
    judged = judging(open_match(file.header["match"], file.header["deck"]).game, file)
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


@pytest.mark.parametrize("path", [path for path in RECORDS if "unusable" in path.stem], ids=lambda path: path.stem)
def test_an_unusable_match_is_refused_in_words(path):
    file = read_record(path)
    with pytest.raises(InputError) as wrong:
        open_match(file.header["match"], file.header["deck"])
    assert str(wrong.value)


def test_there_is_a_record_of_every_vector():
    kept = {path.stem[:4] for path in RECORDS}
    assert {f"TV{number:02}" for number in range(1, 28)} <= kept, "TV28, conservation, is a property test"
