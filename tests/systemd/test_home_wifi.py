"""The Wi-Fi of the house: what root does with the host's order. A real NetworkManager: tests/tools/image.sh."""

from __future__ import annotations

import errno
import itertools
import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from support.roots_readers import held_while_reading

from companion.box.home_wifi import INBOX, ORDER, ORDER_BYTES, HomeWifi, hand_over
from companion.box.root_helper import READY
from companion.box.wifi import HostWifi
from companion.public.service import Denied, Done, Invalid, Role, Stale, Unavailable, User
from companion.system.systemd import FIRST_TABLE

pytestmark = pytest.mark.slow

SYSTEMD = Path(__file__).parents[2] / "systemd"
HELPER = SYSTEMD / "home-wifi"
HOST, SEAT = User(Role.HOST), User(Role.SEAT)
SECRET = "sesame \\street"  # pragma: allowlist secret

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="the helper is root's")

NMCLI = f"""#!{sys.executable} -I
import configparser, json, os, pathlib, re, sys
here = pathlib.Path(__file__).parent
air = json.loads((here / "air").read_text())  # what is in reach, with its passwords
state = json.loads((here / "state").read_text())
words = sys.argv[1:]
with (here / "told").open("a") as told: told.write(json.dumps(words) + "\\n")
status = 0
def ends(*last): return words[-len(last):] == list(last)
def profile(id): return next((one for one in state["loaded"] if one["id"] == id), None)
if ends("device", "status"): print(state["active"])
elif words[:2] == ["connection", "load"]:
    path = pathlib.Path(words[2])
    assert path.stat().st_mode & 0o777 == 0o600 and path.parent.name == "profiles"
    read = configparser.RawConfigParser(delimiters="=", comment_prefixes=())
    read.read_string(path.read_text())
    psk = read.get("wifi-security", "psk", fallback="")
    made = {{"id": read["connection"]["id"], "file": str(path),
        "name": bytes(map(int, read["wifi"]["ssid"].rstrip(";").split(";"))).decode(),
        "password": re.sub(r"\\\\(.)", lambda one: {{"s": " ", "\\\\": "\\\\"}}[one[1]], psk)}}
    state["loaded"] = [one for one in state["loaded"] if one["id"] != made["id"]] + [made]
elif words[-3:-1] == ["connection", "up"]:
    wanted = profile(words[-1])
    if words[-1] == "companion-hotspot": state["active"] = words[-1]
    elif wanted and state["active"] != "companion-hotspot" and air.get(wanted["name"]) == wanted["password"]:
        state["active"] = words[-1]
    else: status = 4
elif words[:2] == ["connection", "down"]: state["active"] = "" if state["active"] == words[2] else state["active"]
elif words[:2] == ["connection", "delete"]:
    pathlib.Path(profile(words[2])["file"]).unlink()
    state["loaded"] = [one for one in state["loaded"] if one["id"] != words[2]]
(here / "state").write_text(json.dumps(state))
sys.exit(status)
"""


class Box:
    """A box that makes a Wi-Fi of its own, with a NetworkManager that knows what is in the air."""

    def __init__(self, folder: Path, air: dict[str, str]) -> None:
        self.data, self.run_folder, self.bin, self.profiles = (
            folder / name for name in ("data", "run", "bin", "profiles")
        )
        for one in (self.data, self.run_folder, self.bin, self.profiles):
            one.mkdir()
        (self.bin / "nmcli").write_text(NMCLI, "utf-8")
        (self.bin / "nmcli").chmod(0o755)
        (self.bin / "systemctl").symlink_to("/bin/true")
        (self.bin / "air").write_text(json.dumps(air), "utf-8")
        (self.bin / "state").write_text(json.dumps({"active": "companion-hotspot", "loaded": []}), "utf-8")

    def helper(self, reader: str = "root") -> str:
        """What it says at the end."""
        self.seen = subprocess.run(
            [HELPER],
            env={
                "PATH": f"{self.bin}:/usr/sbin:/usr/bin:/sbin:/bin",
                "RUNTIME_DIRECTORY": str(self.run_folder),
                "COMPANION_WIFI_INBOX": str(self.data / INBOX),
                "COMPANION_WIFI_READER": reader,
                "COMPANION_WIFI_PROFILES": str(self.profiles),
                "COMPANION_WIFI_PAUSE_S": "0",
                "COMPANION_PYTHON": sys.executable,
            },
            check=False,
            capture_output=True,
            text=True,
            timeout=60,
            umask=0o077,
        )
        status = self.run_folder / "status"
        return status.read_text("utf-8").rstrip("\n") if status.exists() else ""

    @property
    def active(self) -> str:
        return str(json.loads((self.bin / "state").read_text("utf-8"))["active"])

    def told(self) -> list[list[str]]:
        file = self.bin / "told"
        return [json.loads(line) for line in file.read_text("utf-8").splitlines()] if file.exists() else []


@pytest.fixture
def box(tmp_path: Path) -> Box:
    return Box(tmp_path, {"Grandma's": SECRET, "Café: free": ""})


@as_root
def test_the_box_joins_the_wifi_that_the_host_has_named_and_its_password_is_nowhere_to_be_seen(box: Box) -> None:
    wifi = HomeWifi("Grandma's", SECRET)
    hand_over(wifi, box.data)
    assert box.helper() == "done Grandma's", box.seen.stderr
    assert box.active == wifi.id
    (profile,) = box.profiles.iterdir()
    assert profile.name == f"{wifi.id}.nmconnection"
    assert not any(SECRET in word for words in box.told() for word in words)
    assert SECRET not in box.seen.stdout + box.seen.stderr
    assert not [path for path in box.run_folder.iterdir() if path.name != "status"]


@as_root
def test_a_wifi_without_a_password_is_joined_too(box: Box) -> None:
    hand_over(HomeWifi("Café: free", ""), box.data)
    assert box.helper() == "done Café: free"


@as_root
@pytest.mark.parametrize("wrong", [HomeWifi("Grandma's", "sesame street"), HomeWifi("Grandpa's", SECRET)])
def test_where_it_cannot_be_joined_all_is_as_before(box: Box, wrong: HomeWifi) -> None:
    """Else nobody could reach the box any more, to say it better."""
    hand_over(wrong, box.data)
    assert box.helper() == f"failed {wrong.name}"
    assert box.active == "companion-hotspot"
    assert not list(box.profiles.iterdir())


@as_root
def test_a_wifi_that_was_known_is_not_forgotten_for_a_password_that_was_mistyped(box: Box) -> None:
    right = HomeWifi("Grandma's", SECRET)
    hand_over(right, box.data)
    box.helper()
    hand_over(HomeWifi("Grandma's", "mistyped-word"), box.data)
    assert box.helper() == "failed Grandma's"
    (profile,) = box.profiles.iterdir()
    assert profile.read_text("utf-8") == right.keyfile()
    hand_over(right, box.data)
    assert box.helper() == "done Grandma's"


@as_root
def test_a_networkmanager_that_takes_nothing_leaves_all_as_before_too(box: Box) -> None:
    """A full disk, or a profile that it refuses: the page must not wait for ever, nor the box be out of reach."""
    script = box.bin / "nmcli"
    script.write_text(
        NMCLI.replace('["connection", "load"]:', '["connection", "load"]: sys.exit(1)\nelif False:'), "utf-8"
    )
    hand_over(HomeWifi("Grandma's", SECRET), box.data)
    assert box.helper() == "failed Grandma's"
    assert box.active == "companion-hotspot"
    assert not list(box.profiles.iterdir())


@as_root
@pytest.mark.parametrize(
    "order",
    [
        b"",
        b"no order",
        b'{"name": "Home"}',
        b'{"name": "Home", "password": "short"}',  # pragma: allowlist secret
        b'{"name": "a\\nstatus of its own", "password": ""}',
        b'{"name": "Home", "password": "x", "padding": "' + b"x" * ORDER_BYTES + b'"}',
        b'{"name": "Home", "password": "12345678\\n[connection]\\nautoconnect=true"}',  # pragma: allowlist secret
        b"\xff\xfe\x00",
        b"[" * 900,
    ],
)
def test_root_trusts_nothing_that_is_handed_over(box: Box, order: bytes) -> None:
    (box.data / INBOX).mkdir()
    (box.data / INBOX / ORDER).write_bytes(order)
    (box.data / INBOX / READY).touch()
    assert box.helper() == "refused"
    assert box.told() == []
    assert not list(box.profiles.iterdir())


@as_root
def test_root_follows_no_link_to_what_only_root_may_read(open_room: Path) -> None:
    box = Box(open_room, {"Home": "12345678"})
    hand_over(HomeWifi("Home", "12345678"), box.data)
    secret = open_room / "secret"
    (box.data / INBOX / ORDER).rename(secret)
    (box.data / INBOX / ORDER).symlink_to(secret)
    for path in (box.data, box.data / INBOX):
        path.chmod(0o755)
    assert box.helper("daemon") == "refused"
    secret.chmod(0o644)
    assert box.helper("daemon") == "done Home", "it can be read by the one who hands it over"


@as_root
def test_whoever_is_the_companions_user_gets_no_file_of_roots_to_write_to(open_room: Path) -> None:
    box = Box(open_room, {"Home": "12345678"})
    hand_over(HomeWifi("Home", "12345678"), box.data)
    for path in (box.data, box.data / INBOX):
        path.chmod(0o755)
    order = box.data / INBOX / ORDER
    content = order.read_bytes()
    assert held_while_reading(order, "daemon", lambda: box.helper("daemon"), content) == {"nothing", "pipe"}
    assert (box.run_folder / "status").read_text("utf-8") == "done Home\n"


@as_root
def test_what_a_wifi_is_called_becomes_one_line_of_the_journal(box: Box) -> None:
    name = "Home\\nrefused by root"
    hand_over(HomeWifi(name, "mistyped-word"), box.data)
    assert box.helper() == f"failed {name}"
    assert box.seen.stdout.splitlines()[-1] == f"'{name}' cannot be joined; all is as before."
    assert not any(line.startswith("refused") for line in box.seen.stdout.splitlines())


@as_root
def test_without_an_order_the_helper_says_nothing(box: Box) -> None:
    assert box.helper() == ""
    assert box.told() == []


# -- what the host's page hears --------------------------------------------------------------


class Air:
    """What NetworkManager says on a box."""

    def __init__(self) -> None:
        self.own, self.lines = False, [" :70:WPA2:Home", "*:50::Café"]

    def __call__(self, *command: str) -> str:
        if command[-2:] == ("device", "status"):
            return "companion-hotspot\nlo\n" if self.own else "Café\n--\n"
        return "\n".join(self.lines)


def value(result: object) -> dict[str, object]:
    assert isinstance(result, Done), result
    return dict(result.value)  # type: ignore[arg-type]


def test_the_page_lists_what_was_in_reach_before_the_box_made_a_wifi_of_its_own(tmp_path: Path) -> None:
    air = Air()
    page = HostWifi(tmp_path, air, status_file=tmp_path / "status")
    before = value(page.state(HOST))
    assert (before["own"], before["now"], before["last"]) == (False, "Café", None)
    air.own, air.lines = True, ["*:100:WPA2:companion-3fa9"]
    after = value(page.state(HOST))
    assert (after["own"], after["now"]) == (True, None)
    assert after["networks"] == before["networks"]
    page.close()


def test_a_name_that_nobody_heard_is_looked_for_as_a_hidden_one(tmp_path: Path) -> None:
    for name, hidden in (("Home", False), ("Attic", True)):
        page = HostWifi(tmp_path, Air(), status_file=tmp_path / "status")
        assert value(page.join(HOST, name, "12345678"))["state"] == "working"
        assert json.loads((tmp_path / INBOX / ORDER).read_text("utf-8"))["hidden"] is hidden
        page.close()


def test_the_password_lies_there_no_longer_than_the_helper_needs_it(tmp_path: Path) -> None:
    now = [0.0]
    status = tmp_path / "status"
    page = HostWifi(tmp_path, Air(), lambda: now[0], status_file=status)
    page.join(HOST, "Home", "12345678")
    assert isinstance(page.join(HOST, "Attic", "12345678"), Stale)
    status.write_text("working Home\n", "utf-8")
    assert value(page.state(HOST))["state"] == "working"
    assert not (tmp_path / INBOX).exists()
    status.write_text("failed Home\n", "utf-8")
    assert getattr(value(page.state(HOST))["last"], "key", "") == "wifi.failed"
    page.join(HOST, "Home", "87654321")
    assert value(page.state(HOST))["last"] is None, "what was said of the last time does not count"
    now[0] = 1000.0  # nobody heard it
    assert value(page.state(HOST))["state"] == "idle"
    assert not (tmp_path / INBOX).exists()
    page.close()


def test_an_order_that_a_power_cut_left_is_forgotten(tmp_path: Path) -> None:
    hand_over(HomeWifi("Home", "12345678"), tmp_path)
    HostWifi(tmp_path, Air(), status_file=tmp_path / "status").close()
    assert not (tmp_path / INBOX).exists()


def test_on_a_full_disk_the_host_is_told_and_no_password_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = HostWifi(tmp_path, Air(), status_file=tmp_path / "status")

    def full(path: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "touch", full)
    answer = page.join(HOST, "Home", "12345678")
    assert isinstance(answer, Unavailable)
    assert not list(tmp_path.iterdir())
    assert value(page.state(HOST))["state"] == "idle"


@as_root
def test_a_radio_that_has_just_left_its_own_wifi_is_given_a_second_try(box: Box) -> None:
    """It hears the others only after a while."""
    script = box.bin / "nmcli"
    deaf = 'not (here / "tried").exists() and not (here / "tried").touch()'
    hears = 'elif wanted and state["active"]'
    script.write_text(NMCLI.replace(hears, f"elif {deaf}: status = 4\n    {hears}"), "utf-8")
    hand_over(HomeWifi("Grandma's", SECRET), box.data)
    assert box.helper() == "done Grandma's"


def test_networks_are_looked_for_until_the_box_makes_one_and_never_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.box.wifi.LOOK_S", 0.0)
    now = itertools.count()
    for own in (True, False):
        air, asked = Air(), 0
        air.own = own

        def ask(*command: str, air: Air = air) -> str:
            nonlocal asked
            asked += 1
            return air(*command)

        page = HostWifi(tmp_path, ask, lambda: float(next(now)), status_file=tmp_path / "status")
        page.look_around()
        for thread in threading.enumerate():
            if thread.name == "look-around":
                thread.join(10)
                assert not thread.is_alive()
        assert asked == 1 if own else asked > 100
        page.close()


def test_no_seat_does_any_of_it_and_what_can_be_no_wifi_is_one_sentence(tmp_path: Path) -> None:
    page = HostWifi(tmp_path, Air(), status_file=tmp_path / "status")
    assert isinstance(page.state(SEAT), Denied)
    assert isinstance(page.join(SEAT, "Home", "12345678"), Denied)
    for name, password in (("", "12345678"), ("Home", "short")):
        assert isinstance(page.join(HOST, name, password), Invalid)
    assert not list(tmp_path.iterdir())


def test_the_helper_and_the_page_bound_an_order_alike() -> None:
    assert f"most_bytes={ORDER_BYTES}" in HELPER.read_text("utf-8")
    unit = HELPER.with_name("companion-home-wifi.path").read_text("utf-8")
    assert f"PathChanged={FIRST_TABLE}/{INBOX}/{READY}\n" in unit
