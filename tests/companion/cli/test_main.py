"""The command line as people and scripts meet it: what it answers, and one sentence where something is wrong."""

from __future__ import annotations

import json
import os
import pwd
import re
import shlex
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest
import segno
from hypothesis import given, settings, strategies as st
from support.ports import free_port

from companion.cli.main import main, parser
from companion.cli.output import data_folder
from companion.errors import InputError
from vision.camera.sources import open_source

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
RECORDS = sorted(path for path in (ROOT / "tests" / "vectors").glob("*.jsonl") if "unusable" not in path.stem)
DECK = (files("companion.games.discovery") / "demo_deck.toml").read_text("utf-8")
MATCH = 'game = "discovery"\nprofile = "fr-explore"\n[[seat]]\nname = "Ana"\n[[seat]]\nname = "Ben"\n'

Run = Callable[..., tuple[int, list[str], list[str]]]


PROGRESS = re.compile(r"[A-Z][a-z]+ing .*\([0-9]+ s\)")
"""How far a command is; on a busy machine any of them may take long enough to say it."""


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """One command in an empty folder: its exit status, what it answered, what it said was wrong."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))

    def command(*words: object) -> tuple[int, list[str], list[str]]:
        capfd.readouterr()
        try:
            status = main([str(word) for word in words])
        except SystemExit as end:  # argparse has its own way out
            status = int(end.code or 0)
        out, wrong = capfd.readouterr()
        assert "Traceback" not in wrong
        return status, out.splitlines(), [line for line in wrong.splitlines() if not PROGRESS.fullmatch(line)]

    return command


def test_every_option_of_every_command_says_what_it_is_for(capsys: pytest.CaptureFixture[str]) -> None:
    def explained(*command: str) -> str:
        with pytest.raises(SystemExit):
            parser().parse_args([*command, "--help"])
        return capsys.readouterr().out

    names = re.findall(r"^    ([a-z]+)", explained(), re.MULTILINE)
    below = [(name, one) for name in ("deck", "game") for one in re.findall(r"^    ([a-z]+)", explained(name), re.M)]
    shown = "\n".join(explained(*command) for command in [*((name,) for name in names), *below])
    lines = shown.replace("\n" + " " * 20, "   ").splitlines()  # what is told in a line below
    options = [line.strip() for line in lines if re.match(r"  (-\w, )?--", line)]
    assert len(options) > 50
    assert [option for option in options if not re.search(r"\S {2,}\S", option)] == []


def test_the_help_names_every_camera_that_a_refused_source_is_told_of(run: Run) -> None:
    with pytest.raises(InputError) as refused:
        open_source("picamerax")
    _, _, named = str(refused.value).partition("a camera is named ")
    cameras = [one for one in re.split(r", | or ", named.rstrip(".")) if "://" not in one]
    assert "picamera:1" in cameras
    _, lines, _ = run("run", "--help")
    assert not set(cameras) - set(re.split(r"[\s,]+", " ".join(lines)))


def record(*entries: dict[str, Any] | str, **header: Any) -> str:
    first = {"record": 1, "match": {"profile": "fr-explore", "seat": [{"name": "Ana"}, {"name": "Ben"}]}} | header
    lines = [entry if isinstance(entry, str) else json.dumps(entry) for entry in (first, *entries)]
    return "\n".join(lines) + "\n"


def laid(card: str = "1-1", **more: Any) -> dict[str, Any]:
    return {"move": {"do": "place", "by": 1, "card": card, "from": "hand"} | more}


# Decks


def test_every_fault_of_a_deck_is_named_at_once_with_its_line(run: Run, tmp_path: Path) -> None:
    text = DECK.replace('id = "1-2"', 'id = "1-1"', 1).replace('family = "food"', 'family = "fodd"', 1)
    text = text.replace('id = "6-9"', 'id = "7-9"', 1)
    (tmp_path / "deck.toml").write_text(text, "utf-8")
    status, said, _ = run("deck", "check", "deck.toml")
    assert status == 1, "the answer is no"
    lines = text.splitlines()
    twice = [number for number, line in enumerate(lines, 1) if 'id = "1-1"' in line][1]
    for bad in ("fodd", "7-9"):
        number = next(number for number, line in enumerate(lines, 1) if bad in line)
        assert any(f"deck.toml, line {number}: " in line for line in said), bad
    assert any(f"deck.toml, line {twice}: card.2.id" in line for line in said)
    status, said, wrong = run("deck", "show", "deck.toml")
    assert (status, said) == (2, [])
    assert len(wrong) >= 3


# Matches


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (MATCH.replace("profile", "profil"), "match.toml, line 2: profil: there is no such key"),
        (MATCH + '[[seat]]\nname = "P"\n' * 8, "seat: 10 seats are too many"),
        (MATCH.replace('n"\n', 'n"\nbot = true\n').replace('a"\n', 'a"\nbot = true\n'), "seat: at least one seat must"),
        (MATCH.replace("fr-explore", "fr-exploit"), "match.toml, line 2: profile"),
        ('deck = "none.toml"\n' + MATCH, "match.toml, line 1: deck: there is no file none.toml"),
        ("deck = 3\n" + MATCH, "match.toml, line 1: deck: "),
        ('game = "go"\n', "match.toml, line 1: game: there is no game 'go'"),
        (MATCH + "colour = 3\n", "match.toml, line 7: seat.2.colour"),
        (MATCH + "[table]\nsize_mm = 3\n", "match.toml, line 8: table.size_mm"),
        (MATCH + "[options]\nseries_plus = true\n", "match.toml, line 8: options.series_plus"),
        ("game = \n", "match.toml: this is not TOML"),
        (b"\xff\xfe\x00", "match.toml: cannot be read"),
    ],
)
def test_a_match_file_with_a_fault_is_one_sentence(run: Run, tmp_path: Path, text: str | bytes, said: str) -> None:
    (tmp_path / "match.toml").write_bytes(text if isinstance(text, bytes) else text.encode())
    (tmp_path / "film").mkdir()
    cv2.imwrite(str(tmp_path / "film" / "1.png"), np.zeros((90, 160), np.uint8))
    for words in (
        ("referee", "film", "--match", "match.toml", "--record", "out.jsonl"),
        ("run", "--source", "film", "--match", "match.toml", "--data", "data", "--port", free_port()),
    ):
        status, _, wrong = run(*words)
        assert status == 2
        assert any(said in line for line in wrong), wrong
        assert all(line.startswith("companion: ") for line in wrong)


# What cannot be had

ON_A_PI = Path("/proc/device-tree/model").exists()  # it may have a camera
MISSING = {
    "referee nothing.mp4 --match match.toml --record out": "nothing.mp4: there is no such folder or film",
    "referee empty --match match.toml --record out": "empty: there are no pictures in this folder",
    "referee text.mp4 --match match.toml --record out": "text.mp4: this is not a film",
    "referee half --match match.toml --record out": "half/1.png: this is not a picture",
    "referee listed --match match.toml --record out": "listed/frames.csv line 2: there is no picture named 'none.png'",
    "referee usb:99 --match match.toml --record out": "usb:99: no such camera",
    "referee usb:front --match match.toml --record out": "usb:front: no camera has this in the name",
    "referee film --match match.toml --record nowhere/out": "nowhere/out: cannot be written",
    "referee film --match match.toml --record film": "film: cannot be written",
    "run --source usb:99 --port FREE": "companion: usb:99: ",
    "run --source nothing.mp4 --port FREE": "companion: nothing.mp4: ",
    **({} if ON_A_PI else {"run --source picamera --port FREE": "companion: picamera: "}),
    "run --source simulated --port TAKEN": "TAKEN",
    "run --source simulated --port FREE --data text.mp4": "text.mp4",
    "matches --data text.mp4": "text.mp4",
    "export x --data text.mp4": "text.mp4",
    "export yesterday --data data": "'yesterday'",
    "stickers --out no/s.pdf": "no/s.pdf: cannot be written",
    "stickers --out s.pdf --size-mm 2": "2 mm",
    "stickers --out s.pdf --deck none.toml": "none.toml: there is no such file",
}


@pytest.mark.parametrize("words", MISSING)
def test_what_cannot_be_had_is_one_sentence_and_no_answer(words: str, run: Run, tmp_path: Path) -> None:
    (tmp_path / "match.toml").write_text(MATCH)
    (tmp_path / "text.mp4").write_text("this is no film")
    for folder in ("empty", "half", "listed", "film"):
        (tmp_path / folder).mkdir()
    (tmp_path / "half" / "1.png").write_bytes(b"\x89PNG\r\n\x1a\n cut off")
    (tmp_path / "listed" / "frames.csv").write_text("name,time_ms\nnone.png,0\n")
    cv2.imwrite(str(tmp_path / "film" / "1.png"), np.zeros((90, 160), np.uint8))
    with socket.create_server(("0.0.0.0", 0)) as taken:
        ports = {"FREE": str(free_port()), "TAKEN": str(taken.getsockname()[1])}
        status, said, wrong = run(*(ports.get(word, word) for word in words.split()))
    assert (status, said, len(wrong)) == (2, [], 1)
    assert ports.get(MISSING[words], MISSING[words]) in wrong[0]


# Frames


def test_a_film_that_was_cut_off_is_said_and_what_it_showed_is_kept(run: Run, tmp_path: Path) -> None:
    (tmp_path / "match.toml").write_text(MATCH)
    film = cv2.VideoWriter(str(tmp_path / "film.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 6.0, (320, 180))
    dice = np.random.default_rng(1)
    for _ in range(60):
        film.write(dice.integers(0, 255, (180, 320, 3), np.uint8))
    film.release()
    whole = (tmp_path / "film.avi").read_bytes()
    (tmp_path / "film.avi").write_bytes(whole[: len(whole) // 2])
    status, _, wrong = run("referee", "film.avi", "--match", "match.toml", "--record", "out.jsonl")
    assert status == 0
    assert re.search(r"film\.avi: .*cut off", "".join(wrong))
    (tmp_path / "film.avi").write_bytes(whole)
    status, _, wrong = run("referee", "film.avi", "--match", "match.toml", "--record", "out.jsonl")
    assert (status, wrong) == (
        0,
        ["companion: the table could be seen in 0 of 60 pictures (60 without its corner tags)"],
    )
    header = json.loads((tmp_path / "out.jsonl").read_text("utf-8").splitlines()[0])
    assert header["match"]["seat"] == [{"name": "Ana"}, {"name": "Ben"}]
    assert len(header["deck"]["card"]) == 54


@pytest.mark.parametrize("name", ["settings.toml", "zones.toml"])
def test_a_broken_file_of_the_data_folder_is_one_sentence_at_the_start_and_stays_as_it_is(
    run: Run, tmp_path: Path, name: str
) -> None:
    (tmp_path / name).write_text("[[")
    status, _, wrong = run("run", "--source", "simulated", "--data", tmp_path, "--port", free_port())
    assert status == 2
    assert len(wrong) == 1
    assert wrong[0].startswith(f"companion: {tmp_path / name}")
    assert (tmp_path / name).read_text() == "[["


@pytest.mark.parametrize(
    "words",
    [
        ("run", "--port", "0"),
        ("run", "--port", "eighty"),
        ("run", "--speed", "fast"),
        ("run", "--speed", "nan"),
        ("run", "--seed", "x"),
        ("dance",),
        ("referee",),
        (),
    ],
)
def test_a_command_line_that_means_nothing_says_what_would(run: Run, words: tuple[str, ...]) -> None:
    status, said, wrong = run(*words)
    assert (status, said) == (2, [])
    assert wrong[0].startswith("usage: companion")
    assert "_port" not in wrong[-1]


def on_an_old_terminal(*words: object) -> subprocess.CompletedProcess[bytes]:
    """A terminal that shows ASCII and nothing else."""
    command = [sys.executable, "-m", "companion", *(str(word) for word in words)]
    return subprocess.run(
        command, cwd=ROOT, env=os.environ | {"PYTHONIOENCODING": "ascii"}, capture_output=True, timeout=60, check=False
    )


def test_a_terminal_that_cannot_show_a_letter_gets_its_number_and_programs_get_utf_8(tmp_path: Path) -> None:
    deck = tmp_path / "deck.toml"
    deck.write_text(DECK.replace('"Band"', '"Clé"', 1), "utf-8")
    shown = on_an_old_terminal("deck", "show", deck)
    assert (shown.returncode, shown.stderr) == (0, b"")
    assert b"Cl\\xe9" in shown.stdout
    match = tmp_path / "match.jsonl"
    match.write_text(record(match={"profile": "fr-explore", "seat": [{"name": "Cléo"}, {"name": "Ben"}]}), "utf-8")
    name = on_an_old_terminal("import", match, "--data", tmp_path / "data").stdout.decode().strip()
    exported = on_an_old_terminal("export", name, "--data", tmp_path / "data")
    assert json.loads(exported.stdout.decode("utf-8").splitlines()[0])["match"]["seat"][0]["name"] == "Cléo"
    wrong = on_an_old_terminal("deck", "show", tmp_path / "Ö.toml")
    assert (wrong.returncode, len(wrong.stderr.splitlines())) == (2, 1)


def test_where_the_answer_cannot_be_written_that_is_one_sentence() -> None:
    """A disk that is full: `companion judge record.jsonl > answer.txt`."""
    for words in (("judge", RECORDS[0]), ("judge", "--json", RECORDS[0])):
        with Path("/dev/full").open("wb") as full:
            command = [sys.executable, "-m", "companion", *map(str, words)]
            done = subprocess.run(command, cwd=ROOT, stdout=full, stderr=subprocess.PIPE, timeout=60, check=False)
        assert done.returncode == 2
        assert done.stderr == b"companion: the answer cannot be written: No space left on device\n"


@pytest.mark.parametrize(("streams", "status"), [(">&-", 1), (">&- 2>&- <&-", 1), ("2>/dev/full", 1)])
def test_closed_and_full_streams_change_no_answer(streams: str, status: int, tmp_path: Path) -> None:
    """A badly written service or a terminal that is gone starts it so."""
    lines = tmp_path / "record.jsonl"
    lines.write_text(record(laid("2-2")), "utf-8")
    inner = f"exec {shlex.quote(sys.executable)} -m companion judge {shlex.quote(str(lines))} {streams}"
    done = subprocess.run(["sh", "-c", inner], cwd=ROOT, capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (status, b"")


# Records


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ({"move": {"do": "dance", "by": 1}}, "line 2: move.do: "),
        (laid("9-9"), "line 2: move.card: "),
        (laid(by=3), "line 2: move.by: "),
        (laid(by="Ana"), "line 2: move.by: "),
        (laid(by=True), "line 2: move.by: "),
        (laid(card=11), "line 2: move.card: "),
        (laid(**{"from": "sleeve"}), "line 2: move.from: 'sleeve' is none of hand, pool"),
        ({"event": "sung"}, "line 2: event: there is no event 'sung'"),
        ({"event": "played"}, "line 2: move: this entry needs a move"),
        ({"event": "struck", "strikes": 1}, "line 2: strikes: "),
        ({"event": "corrected", "hands": [1]}, "line 2: hands: "),
        (laid() | {"number": 2}, "line 2: number: 2 is out of order"),
        (laid() | {"time_s": "soon"}, "line 2: time_s: "),
        (laid() | {"origin": "the cat"}, "line 2: origin: "),
        ("[]", "line 2: "),
        ("not JSON\n{}", "line 2: this is not JSON"),
    ],
)
def test_a_record_with_a_fault_names_line_and_key_and_nothing_of_it_is_kept(
    run: Run, tmp_path: Path, entry: dict[str, Any] | str, said: str
) -> None:
    (tmp_path / "r.jsonl").write_text(record(entry, laid("1-2")), "utf-8")
    for words in (("judge", "r.jsonl"), ("import", "r.jsonl", "--data", "data")):
        status, _, wrong = run(*words)
        assert (status, len(wrong)) == (2, 1), wrong
        assert f"r.jsonl, {said}" in wrong[0]
    assert run("matches", "--data", "data") == (0, [], [])


def test_a_torn_last_line_is_read_up_to_and_that_is_said(run: Run, tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_text(record(laid(), '{"move": {"do": "pla').rstrip("\n"), "utf-8")
    status, said, wrong = run("judge", "r.jsonl", "--json")
    assert (status, len(said)) == (0, 1)
    assert wrong == ["companion: r.jsonl: the last line is torn; read up to entry 1"]
    status, said, wrong = run("import", "r.jsonl", "--data", "data")
    assert (status, said) == (0, ["r"])
    assert "torn" in wrong[0]


def test_the_answer_is_no_where_a_counted_move_may_not_stand(run: Run, tmp_path: Path) -> None:
    """ "1 = the answer is "no" (... `judge` found a counted move with objections that nobody allowed)"."""
    (tmp_path / "bad.jsonl").write_text(record(laid("1-1"), laid("6-9") | {"event": "played"}), "utf-8")
    (tmp_path / "fair.jsonl").write_text(record(laid("1-1"), laid("6-9") | {"event": "refused"}), "utf-8")
    allowed = record(laid("1-1"), laid("6-9") | {"event": "refused"}, {"event": "allowed", "allows": 2})
    (tmp_path / "allowed.jsonl").write_text(allowed, "utf-8")
    assert [run("judge", f"{name}.jsonl")[0] for name in ("bad", "fair", "allowed")] == [1, 0, 0]


KEYS = {
    *("number", "time_s", "origin", "event", "move", "points", "objections", "standing", "failed", "held", "allows"),
    *("strikes", "claims", "settles", "hands", "stack", "change", "readings", "by"),
}
STANDING = ["turn", "points", "hands", "stack", "trumps", "owed", "over", "winners"]


@pytest.mark.parametrize("path", RECORDS[:: len(RECORDS) // 25], ids=lambda path: path.stem)
def test_judged_lines_have_the_form_of_the_contract(run: Run, path: Path) -> None:
    """Contract section 7: "`--json`: the entries of section 7 anew, one line each, in order, without the header"."""
    status, said, wrong = run("judge", path, "--json")
    assert status in (0, 1)
    assert wrong == []
    given_lines = path.read_text("utf-8").splitlines()[1:]
    assert len(said) == len(given_lines)
    for number, (text, given_text) in enumerate(zip(said, given_lines, strict=True), 1):
        line, before = json.loads(text), json.loads(given_text)
        assert line["number"] == number
        assert set(line) <= KEYS
        assert list(line["standing"])[:8] == STANDING
        assert set(line["standing"]) - set(STANDING) <= {"provisional"}
        if "move" in before:
            assert line["move"] == before["move"]
            assert line["event"] in ("dealt", "played", "refused")
        assert line.get("points") != 0, "absent when 0"
        assert all(set(found) <= {"rule", "cards"} for found in line.get("objections", ()))


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("stored")


@settings(max_examples=12, deadline=None)
@given(path=st.sampled_from(RECORDS))
def test_what_is_imported_is_exported_and_judged_the_same(path: Path, stored: Path) -> None:
    """ "`companion matches`, `companion export MATCH > record.jsonl`, `companion import record.jsonl`"."""
    name = answer("import", path, "--data", stored)[0]
    assert any(line.startswith(f"{name} ") for line in answer("matches", "--data", stored))
    copy = stored / "copy.jsonl"
    copy.write_text("\n".join(answer("export", name, "--data", stored)) + "\n", "utf-8")
    first, again = answer("judge", path, "--json"), answer("judge", copy, "--json")
    assert [json.loads(line) for line in again] == [json.loads(line) for line in first]
    assert [json.loads(line) for line in copy.read_text("utf-8").splitlines()[1:]] == [json.loads(a) for a in again]


def answer(*words: object) -> list[str]:
    """What a command prints, without a fixture, for properties."""
    from contextlib import redirect_stdout
    from io import StringIO

    out = StringIO()
    with redirect_stdout(out):
        assert main([str(word) for word in words]) in (0, 1)
    return out.getvalue().splitlines()


# Pictures and sheets


def test_the_stickers_of_pictures_are_read_and_unreadable_pictures_are_named(run: Run, tmp_path: Path) -> None:
    sticker = segno.make("DXKEND5", version=1, error="h", mode="alphanumeric", boost_error=False)
    sticker.save(str(tmp_path / "end.png"), scale=8, border=4)
    segno.make("https://example.org", micro=False).save(str(tmp_path / "foreign.png"), scale=8, border=4)
    (tmp_path / "torn.png").write_bytes((tmp_path / "end.png").read_bytes()[:120])
    status, said, wrong = run("scan", "end.png", "torn.png", "none.png", "foreign.png", "--json")
    assert status == 2, "two of them are unusable"
    assert [re.match(r"companion: (\w+\.png): ", line)[1] for line in wrong] == ["torn.png", "none.png"]  # type: ignore[index]
    end, foreign = map(json.loads, said)
    assert list(end) == ["image", "size_px", "sightings", "foreign"]
    assert (end["image"], foreign["foreign"], foreign["sightings"]) == ("end.png", 1, [])
    (seen,) = end["sightings"]
    assert seen["token"] == "KEND"
    assert np.allclose(seen["corners_px"], [[32, 32], [200, 32], [200, 200], [32, 200]], atol=2)
    assert abs(seen["rotation_deg"]) < 1
    assert run("scan", "end.png") == (0, ["end.png: KEND"], [])


def test_sheets_are_written(run: Run, tmp_path: Path) -> None:
    assert run("stickers", "--out", "s.pdf")[0] == 0
    assert (tmp_path / "s.pdf").read_bytes().startswith(b"%PDF")


# As a program


def test_a_reader_that_has_enough_is_no_trouble(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "companion", "judge", str(RECORDS[0])]
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as judge:
        assert judge.stdout is not None
        assert judge.stderr is not None
        judge.stdout.close()
        assert judge.stderr.read() == ""
        assert judge.wait(30) == 0


def test_judging_does_not_wait_for_the_camera_s_libraries() -> None:
    """A record is judged on machines that have no camera: nothing of it is loaded."""
    script = (
        "import sys; from companion.cli.main import main; main(sys.argv[1:]);"
        "print(sorted({'cv2', 'numpy', 'flask'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, "judge", str(RECORDS[0])],
        cwd=ROOT, capture_output=True, text=True, timeout=60, check=True, env=os.environ | {"PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.stdout.splitlines()[-1] == "[]"


def test_decks_are_checked_shown_and_compared_several_at_once(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(DECK, "utf-8")
    (tmp_path / "b.toml").write_text(DECK.replace('family = "food"', 'family = "fodo"', 1), "utf-8")
    status, said, wrong = run("deck", "check", "a.toml", "none.toml", "b.toml")
    assert (status, said[0]) == (2, "a.toml: a good deck")
    assert wrong == ["companion: none.toml: there is no such file"]
    assert said[1].startswith("b.toml, line ")
    assert said[1].endswith("Did you mean food?"), "one file that is not there hides nothing"
    assert run("deck", "diff", "a.toml", "a.toml")[:2] == (0, ["a.toml, a.toml: no difference"])
    assert run("deck", "diff", "a.toml")[0] == 2
    assert run("deck", "diff", "a.toml", "b.toml")[:2] == (1, ["1-3 family: food → fodo (b.toml)"])
    status, said, _ = run("deck", "show", "a.toml", "a.toml")
    assert status == 0
    assert said[8].count("Hunting") == 2


def test_a_deck_becomes_a_spreadsheet_and_a_deck_again_and_nothing_is_written_over(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(DECK, "utf-8")
    assert run("deck", "convert", "a.toml", "a.csv", "--language", "fr")[0] == 0
    assert run("deck", "convert", "a.csv", "b.toml")[:2] == (0, ["b.toml: a good deck"])
    assert [line.split(":")[0] for line in run("deck", "diff", "a.toml", "b.toml")[1]] == ["deck name", "deck edition"]
    for arguments in (("a.toml", "a.csv"), ("a.csv", "b.toml"), ("a.toml", "c.txt"), ("none.csv", "c.toml")):
        status, _, wrong = run("deck", "convert", *arguments)
        assert (status, len(wrong)) == (2, 1), arguments
    (tmp_path / "bad.csv").write_text("era,number,name\n1,x,Fire\n9,1,Dog\n", "utf-8")
    status, _, wrong = run("deck", "convert", "bad.csv", "c.toml")
    assert (status, [line.split(":")[2] for line in wrong]) == (2, [" row 2", " row 3"])
    assert not (tmp_path / "c.toml").exists()
    status, _, wrong = run("deck", "graph", "a.toml", "--out", "a.svg")  # it drew what needs what once
    assert (status, not (tmp_path / "a.svg").exists()) == (2, True)
    assert "'graph'" in wrong[-1]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can act for somebody else")
def test_what_root_leaves_in_a_tables_folder_belongs_to_the_tables_user() -> None:
    """As ``sudo companion host`` on a box; before, the table could not read that anybody had asked."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as room:  # another user gets into no folder of pytest's
        folder = Path(room) / "data"
        folder.mkdir(0o700)
        Path(room).chmod(0o755)
        os.chown(folder, 65534, 65534)
        for words in (("host",), ("import", str(RECORDS[0]))):
            told = subprocess.run(
                [sys.executable, "-m", "companion", *words, "--data", str(folder)],
                capture_output=True,
                text=True,
                timeout=60,
                check=False,
                cwd=ROOT,
            )
            assert told.returncode == 0, told.stderr
        left = list(folder.iterdir())
        assert len(left) >= 2
        assert {path.lstat().st_uid for path in left} == {65534}


NO_HOME = "user 54321 has no home folder here: name a folder for the matches with --data"


@pytest.mark.parametrize("unset", [{}, {"HOME": ""}, {"HOME": "here"}, {"XDG_DATA_HOME": "matches"}])
def test_a_user_without_a_home_is_told_so_and_nothing_lands_in_the_current_folder(
    unset: dict[str, str], run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in `podman run --user 54321`: a number without a name."""
    for name in ("HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in unset.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(os, "geteuid", lambda: 54321)
    for words in (("matches",), ("run", "--source", "simulated"), ("doctor",), ("backup", "all.zip")):
        status, said, wrong = run(*words)
        assert (status, said, wrong) == (2, [], [f"companion: {NO_HOME}"]), words
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("variables", "folder"),
    [
        ({"HOME": "/home/ana"}, "/home/ana/.local/share/companion"),
        ({"HOME": "/home/ana", "XDG_DATA_HOME": "/data"}, "/data/companion"),
        ({"HOME": "/home/ana", "XDG_DATA_HOME": "data"}, "/home/ana/.local/share/companion"),
        ({"HOME": "", "XDG_DATA_HOME": ""}, "/home/of-nobody/.local/share/companion"),
        ({"HOME": "ana"}, "/home/of-nobody/.local/share/companion"),
    ],
)
def test_only_whole_paths_name_the_data_folder(
    variables: dict[str, str], folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """XDG Base Directory Specification: "All paths set in these environment variables must be absolute"."""
    for name in ("HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(os, "geteuid", lambda: 65534)
    monkeypatch.setattr(pwd, "getpwuid", lambda _: SimpleNamespace(pw_dir="/home/of-nobody"))
    assert data_folder(None) == Path(folder)
