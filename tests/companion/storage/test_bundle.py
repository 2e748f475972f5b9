"""The match bundle: "one file with the record, the kept pictures, deck, settings, versions"."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
from support.mac_zip import as_a_mac_packs

from companion.cli.main import main
from companion.errors import InputError
from companion.storage.bundle import read_bundle, without_secrets
from companion.storage.event_log import open_log
from companion.storage.snapshots import SNAPSHOT_FOLDER, Snapshots
from companion.storage.zip_file import MOST_MEMBER_BYTES, MOST_MEMBERS

RECORDS = Path(__file__).parents[2] / "vectors"
JPEGS = [b"\xff\xd8\xff\xc0\x00\x11\x08\x00\x08\x00\x08" + said for said in (b" first", b" second")]
SETTINGS = """
[mqtt]
host = "broker.example"
port = 8883
user = "ana"
password = "open sesame"  # pragma: allowlist secret
[table]
size_mm = [1100, 650]
[[table.zone]]
name = "tree"
polygon = [[160, 20], [820, 20], [820, 630]]
"""


def imported(folder: Path, record: str = "K1-intro") -> str:
    assert main(["import", str(RECORDS / f"{record}.jsonl"), "--data", str(folder)]) == 0
    return record


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder with a match, two pictures of its third entry, and settings."""
    folder = tmp_path / "data"
    match = imported(folder)
    for jpeg in JPEGS:
        Snapshots(folder / SNAPSHOT_FOLDER).put(match, 3, jpeg)
    (folder / "settings.toml").write_text(SETTINGS)
    return folder


@pytest.fixture
def bundle(data: Path, tmp_path: Path) -> Path:
    assert main(["export", "K1-intro", "--data", str(data), "--bundle", str(tmp_path / "out.zip")]) == 0
    return tmp_path / "out.zip"


def zipped(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as paper:
        for name, content in members.items():
            paper.writestr(name, content)
    return path


def held(bundle: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(bundle) as paper:
        assert paper.testzip() is None
        return {name: paper.read(name) for name in paper.namelist()}


def test_a_bundle_holds_record_pictures_deck_settings_versions_and_figures(bundle: Path, data: Path, capsys):
    members = held(bundle)
    capsys.readouterr()
    main(["export", "K1-intro", "--data", str(data)])
    assert members["record.jsonl"].decode() == capsys.readouterr().out
    assert [members["pictures/3-1.jpg"], members["pictures/3-2.jpg"]] == JPEGS
    assert len(json.loads(members["deck.json"])["card"]) == 54
    assert json.loads(members["match.json"])["profile"] == "en-intro"
    assert json.loads(members["figures.json"])["placements"] > 0
    assert json.loads(members["bundle.json"])["versions"]["companion"]
    assert set(json.loads(members["settings.json"])) == {"mqtt", "table"}


def test_no_bundle_tells_where_or_how_somebody_s_broker_is_reached(bundle: Path):
    everything = b"".join(held(bundle).values())
    assert not any(secret in everything for secret in (b"sesame", b"broker.example", b'"ana"'))
    assert without_secrets({"a": {"password": 1, "port": 2}}) == {"a": {"port": 2}}


def test_the_same_match_gives_the_same_bytes(bundle: Path, data: Path, tmp_path: Path):
    main(["export", "K1-intro", "--data", str(data), "--bundle", str(tmp_path / "again.zip")])
    assert (tmp_path / "again.zip").read_bytes() == bundle.read_bytes()


def test_a_bundle_taken_in_elsewhere_is_the_same_match_with_its_pictures(bundle: Path, tmp_path: Path, capsys):
    capsys.readouterr()
    assert main(["import", str(bundle), "--data", str(tmp_path / "other")]) == 0
    assert capsys.readouterr().out == "out\n"
    assert Snapshots(tmp_path / "other" / SNAPSHOT_FOLDER).pictures("out", 3) == tuple(JPEGS)
    main(["export", "out", "--data", str(tmp_path / "other")])
    assert capsys.readouterr().out.encode() == held(bundle)["record.jsonl"]
    with open_log(tmp_path / "other") as log:
        assert log.matches()[0].began == json.loads(held(bundle)["bundle.json"])["began"]


PLAYABLE = sorted(path.stem for path in RECORDS.glob("*.jsonl") if "unusable" not in path.stem)


@pytest.mark.parametrize("record", PLAYABLE[::9])
def test_a_bundle_replayed_by_those_who_wrote_it_shows_no_difference(record: str, tmp_path: Path, capsys):
    imported(tmp_path, record)
    assert main(["export", record, "--data", str(tmp_path), "--bundle", str(tmp_path / "it.zip")]) == 0
    capsys.readouterr()
    assert (main(["referee", str(tmp_path / "it.zip")]), capsys.readouterr().out) == (0, "")


def test_what_is_refereed_otherwise_today_is_named_entry_by_entry(bundle: Path, tmp_path: Path, capsys):
    header, *entries = [json.loads(line) for line in held(bundle)["record.jsonl"].splitlines()]
    entry = next(e for e in entries if e["event"] == "played" and e["move"]["do"] == "place")
    entry["standing"]["points"][0] += 7
    last = entries[-1]
    last["event"], last["objections"] = "refused", [{"rule": "link", "cards": ["1-2"]}]
    text = "".join(f"{json.dumps(line)}\n" for line in (header, *entries))
    changed = zipped(tmp_path / "changed.zip", {"record.jsonl": text.encode()})
    assert main(["referee", str(changed)]) == 1
    told = capsys.readouterr().out.splitlines()
    assert len(told) == 3
    assert told[0].startswith(f"entry {entry['number']}: standing was ")
    assert told[1] == f'entry {last["number"]}: event was "refused", now "played"'
    assert told[2].startswith(f"entry {last['number']}: objections was ")


def test_a_silent_match_in_play_is_not_packed(tmp_path: Path, capsys):
    from companion.games.registry import demo_deck

    match = {"profile": "en-memory", "seat": [{"name": "Ana"}, {"name": "Ben"}]}
    with open_log(tmp_path) as log:
        log.begin("tonight", "2026-11-21", {"match": match, "deck": demo_deck()})
        log.begin("outside", "2026-11-21", {"match": match | {"host": "outside"}, "deck": demo_deck()})
    out = str(tmp_path / "out.zip")
    assert main(["export", "tonight", "--data", str(tmp_path), "--bundle", out]) == 2
    assert "when it is over" in capsys.readouterr().err
    assert not Path(out).exists()
    assert main(["export", "outside", "--data", str(tmp_path), "--bundle", out]) == 0


def test_figures_are_shown_on_the_command_line(data: Path, capsys):
    capsys.readouterr()
    assert main(["matches", "--figures", "K1-intro", "--data", str(data)]) == 0
    shown = dict(line.split(None, 1) for line in capsys.readouterr().out.splitlines())
    assert int(shown["placements"]) > 0
    assert shown["waited_s"] == "unknown"
    assert main(["matches", "--figures", "nothing", "--data", str(data)]) == 2


# Whatever somebody sends

GOOD = b'{"record": 1, "match": {"profile": "fr-explore", "seat": [{"name": "Ana"}, {"name": "Ben"}]}}\n'


@pytest.mark.parametrize("name", ["../evil.sh", "/etc/passwd", "pictures/../../evil.jpg", "..\\evil", "C:evil"])
def test_a_name_that_leads_out_of_the_bundle_is_refused(name: str, bundle: Path, tmp_path: Path, capsys):
    evil = zipped(tmp_path / "evil.zip", held(bundle) | {name: b"evil"})
    before = sorted(tmp_path.rglob("*"))
    for command in (["referee", str(evil)], ["import", str(evil), "--data", str(tmp_path / "data")]):
        assert main(command) == 2
        assert "leads out of the bundle" in capsys.readouterr().err
    assert sorted(tmp_path.rglob("*")) == before


def test_a_file_that_unpacks_to_too_much_is_refused(bundle: Path, tmp_path: Path):
    bomb = zipped(tmp_path / "bomb.zip", held(bundle) | {"pictures/1-1.jpg": bytes(MOST_MEMBER_BYTES + 1)})
    assert bomb.stat().st_size < 100_000
    with pytest.raises(InputError, match="too large"):
        read_bundle(bomb)


@pytest.mark.parametrize(("number", "said"), [(MOST_MEMBERS + 1, "holds .* at most"), (20_000, "lists too many files")])
def test_too_many_files_are_refused_before_they_are_read(number: int, said: str, tmp_path: Path):
    many = zipped(tmp_path / "many.zip", {f"{n}": b"" for n in range(number)})
    with pytest.raises(InputError, match=said):
        read_bundle(many)


def test_a_bundle_that_a_mac_unpacked_and_packed_again_is_the_same(bundle: Path):
    before = read_bundle(bundle)
    as_a_mac_packs(bundle)
    assert read_bundle(bundle) == before


def test_further_files_are_left_alone(bundle: Path, tmp_path: Path):
    more = zipped(tmp_path / "more.zip", held(bundle) | {"notes.txt": b"hi", "pictures/x.jpg": b"no"})
    assert [number for number, _ in read_bundle(more).pictures] == [3, 3]


@pytest.mark.parametrize(
    "content",
    [
        {},
        {"record.jsonl": b""},
        {"record.jsonl": b"\xff\xfe"},
        {"record.jsonl": b'{"record": 2, "match": {}}'},
        {"record.jsonl": b'{"record": 1, "match": {"profile": "nonsense"}}'},
        {"record.jsonl": GOOD, "bundle.json": b"{"},
        {"record.jsonl": GOOD, "bundle.json": b'{"bundle": 2}'},
        *({"record.jsonl": GOOD, "bundle.json": about} for about in (b"[" * 100_000, b"[]", b'{"began": "\\ud800"}')),
        {"record.jsonl": GOOD, "bundle.json": b'{"bundle": ' + b"9" * 5000 + b"}"},
        {"record.jsonl": GOOD, "pictures/1-1.jpg": b"MZ"},
    ],
)
def test_what_is_no_bundle_is_said_in_words_and_nothing_of_it_is_kept(
    content: dict[str, bytes], tmp_path: Path, capsys
):
    wrong = zipped(tmp_path / "wrong.zip", content)
    for words in (["referee", str(wrong)], ["import", str(wrong), "--data", str(tmp_path)]):
        assert main(words) == 2
        assert "wrong.zip" in capsys.readouterr().err
    assert main(["matches", "--data", str(tmp_path)]) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.slow
def test_a_damaged_bundle_is_one_sentence_wherever_it_is_damaged(bundle: Path, tmp_path: Path, capsys):
    whole = bundle.read_bytes()
    refused = 0
    for place in range(0, len(whole), max(1, len(whole) // 150)):
        cut = tmp_path / "cut.zip"
        cut.write_bytes(whole[:place])
        assert main(["referee", str(cut)]) == 2
        assert capsys.readouterr().err.count("\n") == 1
        flipped = bytearray(whole)
        flipped[place] ^= 0xFF
        cut.write_bytes(flipped)
        refused += is_refused(cut)
    assert refused > 20


def is_refused(path: Path) -> bool:
    """Whether a bundle is refused, and then in one sentence."""
    try:
        read_bundle(path)
    except InputError as wrong:
        return len(wrong.faults) == 1
    return False


def test_frames_need_a_match_and_a_record(tmp_path: Path, capsys):
    assert main(["referee", str(tmp_path)]) == 2
    assert "--match match.toml and --record out.jsonl" in capsys.readouterr().err
    assert main(["referee", str(tmp_path / "none.zip")]) == 2
    assert "there is no such file" in capsys.readouterr().err
