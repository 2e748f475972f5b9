"""A box without a prompt: its address and codes in the journal and on its console."""

from __future__ import annotations

import io
import os
import pwd
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from support.console_codes import scanned, scanned_all
from support.waiting import wait

from companion.public.machine import OwnWifi
from companion.system.console import (
    COLUMNS,
    ISSUE_FILE,
    ISSUE_LIMIT,
    NO_NETWORK,
    checked_issue,
    console_columns,
    issue_text,
    keep_issue_current,
    main,
    post_issue,
    print_greeting,
)

WIFI = OwnWifi("companion-3fa9", "bcdf;g7\\hjk2")
LONGEST = OwnWifi(f"companion-{'w' * 17}-3fa9", "\\;" * 6)


@pytest.mark.parametrize("wifi", [WIFI, LONGEST], ids=["usual", "longest"])
def test_a_small_screen_has_room_for_the_boxs_own_wifi_and_the_scoreboard(wifi: OwnWifi):
    """800 by 480 pixels: 30 lines, in which stand the system's name, the Wi-Fi in words, the codes, and the login."""
    text = issue_text("http://10.42.0.1:8080", "ABCDEF", wifi)
    assert scanned_all(text) == [wifi.code, "http://10.42.0.1:8080"]
    assert max(map(len, text.splitlines())) <= COLUMNS
    system, in_words, login = 2, 3, 1
    assert system + in_words + len(text.splitlines()) + login <= 30
    assert "Scoreboard: http://10.42.0.1:8080\nHost code: ABC DEF\n" in text
    assert "\\" not in text
    assert len(text.encode()) < ISSUE_LIMIT


def test_the_right_code_can_be_read_where_it_is_the_taller_one():
    address = f"http://{'a' * 60}.local:8080"
    assert scanned_all(issue_text(address, "ABCDEF", WIFI, 100)) == [WIFI.code, address]


def test_a_screen_too_narrow_for_two_codes_shows_the_one_that_comes_first():
    """A code of which each line went on in the next could not be read at all."""
    text = issue_text("http://10.42.0.1:8080", "ABCDEF", WIFI, 60)
    assert scanned(text) == WIFI.code
    assert max(map(len, text.splitlines())) <= 60
    assert "open http://10.42.0.1:8080" in text
    assert "Host code: ABC DEF" in text


@pytest.mark.parametrize(
    ("said", "columns"),
    [("800,480\n", 100), ("480,320\n", 60), ("", COLUMNS), ("wide", COLUMNS), (None, COLUMNS)],
)
def test_the_consoles_width_is_that_of_the_screen(tmp_path: Path, said: str | None, columns: int):
    screen = tmp_path / "virtual_size"
    if said is not None:
        screen.write_text(said, "ascii")
    assert console_columns(screen) == columns


def test_a_terminal_that_shows_no_blocks_gets_the_address_alone(monkeypatch: pytest.MonkeyPatch):
    for encoding in ("ascii", "utf-8"):
        terminal = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
        monkeypatch.setattr("sys.stdout", terminal)
        print_greeting("http://192.168.1.20:8080", ("long", "ABCDEF"), simulated=True)
        terminal.seek(0)
        text = terminal.read()
        assert text.startswith("\nScoreboard: http://192.168.1.20:8080")
        assert "ABC DEF" in text
        assert ("scan to follow" in text) == ("█" in text) == (encoding == "utf-8")


def test_the_board_follows_the_network_and_the_boxs_own_wifi(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Started before any network was there; then the Pi's own Wi-Fi, then another."""
    addresses, asked = [NO_NETWORK], threading.Event()
    made: list[OwnWifi | None] = [None]

    def address() -> str:
        asked.set()
        return addresses[-1]

    board = tmp_path / ISSUE_FILE

    def shown(wanted: str) -> str:
        wait(lambda: board.exists() and wanted in board.read_text())
        return board.read_text()

    codes = ["ABCDEF"]
    stop = keep_issue_current(
        8080, lambda: codes[-1], folder=tmp_path, address=address, wifi=lambda: made[-1], look_s=0.05
    )
    try:
        assert asked.wait(20)
        assert not board.exists()
        made.append(WIFI)
        addresses.append("10.42.0.1")
        assert scanned_all(shown("10.42.0.1")) == [WIFI.code, "http://10.42.0.1:8080"]
        assert stat.S_IMODE(board.stat().st_mode) == 0o640, "every user of the box would read the host's code"
        made.append(None)
        addresses.append("192.168.1.20")
        assert scanned_all(shown("192.168.1.20")) == ["http://192.168.1.20:8080"]
        codes.append("GHJKLM")
        shown("Host code: GHJ KLM")
    finally:
        stop()
    said = "Scoreboard: http://10.42.0.1:8080\nScoreboard: http://192.168.1.20:8080\nHost code: GHJ KLM\n"
    assert capsys.readouterr().out == said


NETWORKS = {
    "none": (":", NO_NETWORK),
    "a switch alone": (
        "ip link set vb up; ip addr add 192.168.7.5/24 dev va",
        "192.168.7.5",
    ),
    "its cable is pulled": ("ip addr add 192.168.7.5/24 dev va", NO_NETWORK),
    "a switch, and a router": (
        "ip link set vb up; ip addr add 192.168.7.5/24 dev va; ip addr add 10.1.1.9/24 dev vb;"
        "ip route add default via 10.1.1.1",
        "10.1.1.9",
    ),
}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a network")
@pytest.mark.parametrize(("made", "address"), NETWORKS.values(), ids=list(NETWORKS))
def test_a_network_that_leads_nowhere_else_is_one(made: str, address: str):
    """A switch without a router gives no way out, and the phones at it reach the box all the same."""
    script = (
        f"set -e; ip link set lo up; ip link add va type veth peer name vb; ip link set va up; {made}; echo made;"
        f'exec "{sys.executable}" -c "from companion.system.console import lan_address; print(lan_address())"'
    )
    seen = subprocess.run(["unshare", "--net", "sh", "-c", script], capture_output=True, text=True, timeout=60)
    if "made" not in seen.stdout:
        pytest.skip(f"no networks of our own here: {seen.stderr}")
    assert (seen.stdout.split(), seen.stderr) == (["made", address], "")


def test_the_consoles_get_a_copy_of_the_board_that_root_alone_reads(tmp_path: Path):
    text = issue_text("http://192.168.1.20:8080", "ABCDEF")
    (tmp_path / "issue").write_text(text, encoding="utf-8")
    target = tmp_path / "copy"
    user = pwd.getpwuid(os.geteuid()).pw_name
    assert main([str(tmp_path / "issue"), str(target), user]) == 0
    assert target.read_text(encoding="utf-8") == text
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    (tmp_path / "issue").unlink()
    assert main([str(tmp_path / "issue"), str(target), user]) == 0
    assert not target.exists(), "the companion has gone, and its board hangs on"


PLANTED: dict[str, Callable[[Path, Path], object]] = {
    "a link to a file": lambda issue, secret: issue.symlink_to(secret),
    "a link to a folder": lambda issue, _: issue.symlink_to(issue.parent),
    "a second name of a file": lambda issue, secret: issue.hardlink_to(secret),
    "a pipe": lambda issue, _: os.mkfifo(issue),
    "a folder": lambda issue, _: issue.mkdir(),
    "too much": lambda issue, _: issue.write_text("x" * (ISSUE_LIMIT + 1), "ascii"),
    "somebody else's file": lambda issue, secret: secret.rename(issue),
}
"""What a stranger in the companion's folder could put in the board's place."""


@pytest.mark.parametrize("what", PLANTED)
def test_the_consoles_never_show_what_is_no_board(tmp_path: Path, what: str):
    """They read as root: a link to a file of root's would put it on the screen, a pipe would keep the login waiting."""
    secret, target = tmp_path / "secret", tmp_path / "copy"
    secret.write_text("root's own", encoding="utf-8")
    target.write_text("the board before", encoding="utf-8")
    PLANTED[what](tmp_path / "issue", secret)
    owner = os.geteuid() + (what == "somebody else's file")
    with pytest.raises(ValueError, match=r"issue (is not a plain file|cannot be read|is longer than)"):
        post_issue(tmp_path / "issue", target, owner)
    assert not target.exists()


def test_a_board_gives_no_orders_to_the_console(tmp_path: Path):
    (tmp_path / "issue").write_text("Host\x1b[2J\\4{eth0}\x07 code: é▀\r\n", encoding="utf-8")
    assert checked_issue(tmp_path / "issue", os.geteuid()) == "Host[2J4{eth0} code: ▀\n"


def test_without_the_services_user_there_is_no_board_and_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main([str(tmp_path / "issue"), str(tmp_path / "copy"), "nobody-of-that-name"]) == 1
    assert capsys.readouterr().err == "the console's board is not shown: there is no user nobody-of-that-name\n"
