"""The shell scripts, with stand-ins for what they call."""

from __future__ import annotations

import hashlib
import os
import pwd
import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from support.long_cases import rest_long

from companion.public.machine import OwnWifi
from companion.system.own_wifi import own_wifi

ROOT = Path(__file__).parents[2]
SYSTEMD = ROOT / "systemd"
PASSWORD = "bcdfg7hjk2"  # pragma: allowlist secret


def go(*command: str | Path, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(word) for word in command],
        capture_output=True,
        text=True,
        timeout=280,
        env={**os.environ, **environ},
    )


@pytest.mark.parametrize(
    ("request_text", "location"),
    [
        ("GET / HTTP/1.1\r\nHost: companion.local\r\n\r\n", "http://companion.local:8080/"),
        ("GET /join?code=AB12 HTTP/1.1\r\nHost: 192.168.1.7:80\r\n\r\n", "http://192.168.1.7:8080/join?code=AB12"),
        ("GET / HTTP/1.1\r\nHOST: [fe80::1]\r\n\r\n", "http://[fe80::1]:8080/"),
        ("GET //elsewhere.example/ HTTP/1.1\r\nHost: companion.local\r\n\r\n", "http://companion.local:8080/"),
        ('GET / HTTP/1.1\r\nHost: a"><script>\r\n\r\n', "http://companion.local:8080/"),
        ("", "http://companion.local:8080/"),
    ],
)
def test_the_door_at_port_80_shows_the_way_and_repeats_nothing_strange(request_text: str, location: str) -> None:
    answer = subprocess.run(
        [str(SYSTEMD / "door"), "8080"], input=request_text.encode(), capture_output=True, timeout=30, check=True
    ).stdout
    head, _, body = answer.partition(b"\r\n\r\n")
    assert body == b""
    assert head.split(b"\r\n") == [
        b"HTTP/1.1 302 Found",
        b"Location: " + location.encode(),
        b"Content-Length: 0",
        b"Connection: close",
    ]


def fake_nmcli(folder: Path, device: str, address: str = "10.42.0.1/24") -> Path:
    """A NetworkManager that has this one device, keeps a password, and writes down what it is told."""
    folder.mkdir()
    script = folder / "nmcli"
    script.write_text(
        f"""#!/bin/sh
case "$*" in
    "-t -f TYPE,STATE device status") echo "{device}" ;;
    "-t -f TYPE device status") echo "{device.partition(":")[0]}" ;;
    "-s -e no -g 802-11-wireless-security.psk connection show companion-hotspot") cat "{folder}/password" ;;
    "-e no -g IP4.ADDRESS connection show companion-hotspot") echo "{address}" ;;
    "-e no -g 802-11-wireless.ssid connection show companion-hotspot") cat "{folder}/ssid" 2>/dev/null ;;
    *) echo "$*" >>"{folder}/told" ;;
esac
""",
        encoding="utf-8",
    )
    script.chmod(0o755)
    (folder / "password").write_text("a\\4z" + PASSWORD + "\n", encoding="utf-8")
    return folder


def hotspot(folder: Path, run: Path, *before: str | Path) -> tuple[str, list[str]]:
    run.mkdir(exist_ok=True)
    seen = go(
        *before,
        SYSTEMD / "hotspot",
        "up",
        PATH=f"{folder}:{os.environ['PATH']}",
        COMPANION_HOTSPOT_WAIT_S="1",
        RUNTIME_DIRECTORY=str(run),
        **({} if before else {"COMPANION_MACHINE_ID": ""}),
    )
    assert seen.returncode == 0, seen.stderr
    told = folder / "told"
    return seen.stdout + seen.stderr, told.read_text(encoding="utf-8").splitlines() if told.exists() else []


@pytest.mark.parametrize(
    ("device", "what"), [("wifi:connected", "no hotspot needed"), ("loopback:unmanaged", "without phones")]
)
def test_where_a_network_is_known_or_none_can_be_made_no_hotspot_comes_up(
    device: str, what: str, tmp_path: Path
) -> None:
    said, told = hotspot(fake_nmcli(tmp_path / "bin", device), tmp_path / "run")
    assert what in said
    assert told == []
    assert not list((tmp_path / "run").iterdir())


def test_the_password_of_the_companions_own_wifi_is_shown_to_root_and_the_companion_alone(tmp_path: Path) -> None:
    """NetworkManager makes it up and keeps it, so a profile that is there keeps the password that it has."""
    said, told = hotspot(fake_nmcli(tmp_path / "bin", "wifi:disconnected"), tmp_path / "run")
    issue = tmp_path / "run" / "issue"
    assert issue.read_text(encoding="utf-8") == f"Wi-Fi: companion\nPassword: a\\\\4z{PASSWORD}\n\n"
    assert stat.S_IMODE(issue.stat().st_mode) == 0o600
    wifi = tmp_path / "run" / "wifi"
    assert own_wifi(wifi) == OwnWifi("companion", "a\\4z" + PASSWORD)
    assert wifi.read_text(encoding="utf-8").splitlines()[2] == "10.42.0.1/24"
    assert stat.S_IMODE(wifi.stat().st_mode) == 0o640
    assert {path.name for path in (tmp_path / "run").iterdir()} == {"issue", "wifi"}
    assert told == [
        "--wait 30 device wifi hotspot con-name companion-hotspot ssid companion",
        "connection modify companion-hotspot connection.autoconnect no",
    ]
    assert "http://10.42.0.1:8080" in said
    assert PASSWORD not in said, "the journal would keep it"


def test_the_hotspot_says_in_which_network_its_guests_are(tmp_path: Path) -> None:
    """A cable that the box shares has a network of its own beside it, and may have had the usual one first."""
    said, _ = hotspot(fake_nmcli(tmp_path / "bin", "wifi:disconnected", "10.42.1.1/24"), tmp_path / "run")
    wifi = own_wifi(tmp_path / "run" / "wifi")
    assert wifi is not None
    assert [wifi.holds(guest) for guest in ("10.42.1.17", "10.42.0.17", "10.42.2.17", "::1", "")] == [
        True,
        *[False] * 4,
    ]
    assert "http://10.42.1.1:8080" in said


@pytest.mark.parametrize(
    ("called", "before", "name"),
    rest_long(
        [
            ("kitchen", "companion-{digits}", "companion-kitchen-{digits}"),
            ("kitchen", "", "companion-kitchen-{digits}"),
            ("", "companion-kitchen-{digits}", "companion-{digits}"),
            ("a" * 17, "", "companion-" + "a" * 17 + "-{digits}"),
            ("a" * 18, "companion-kitchen-{digits}", "companion-kitchen-{digits}"),
            ("$(id)", "", "companion-{digits}"),
            (None, "companion-kitchen-{digits}", "companion-kitchen-{digits}"),
            (None, "companion-kitchen-9999", "companion-{digits}"),
            (None, "Home", "companion-{digits}"),
        ],
        quick=2,
    ),
    ids=[
        *("a new name", "the first time", "the name is taken away", "the longest", "too long", "odd signs"),
        *("the companion is not there", "a copied card", "somebody else's"),
    ],
)
def test_the_boxs_own_wifi_is_called_as_its_table(tmp_path: Path, called: str | None, before: str, name: str) -> None:
    """The password stays: the profile is renamed, and nothing else of it is touched."""
    folder = fake_nmcli(tmp_path / "bin", "wifi:disconnected")
    machine = folder / "id"
    machine.write_text("a" * 32, encoding="utf-8")
    digits = hashlib.sha256(machine.read_bytes() + b"companion-hotspot\n").hexdigest()[:4]
    before, name = before.format(digits=digits), name.format(digits=digits)
    (folder / "ssid").write_text(before + "\n" * bool(before), encoding="utf-8")
    if called is not None:
        (folder / "called").write_text(called, encoding="utf-8")
    asked, me = folder / "python", pwd.getpwuid(os.geteuid()).pw_name
    asked.write_text(  # without -I, which would take the companion that is installed
        f'#!/bin/sh\nshift\nPYTHONPATH="{ROOT}" exec "{sys.executable}" "$@" "{folder}/called" {me}\n', encoding="utf-8"
    )
    asked.chmod(0o755)
    environ = (f"COMPANION_MACHINE_ID={machine}", f"COMPANION_PYTHON={asked}")
    _, told = hotspot(folder, tmp_path / "run", "env", *environ)
    assert re.fullmatch("[a-z0-9-]{1,32}", name)
    renamed = [f"connection modify companion-hotspot 802-11-wireless.ssid {name}"] if before not in ("", name) else []
    assert told == [
        *renamed,
        f"--wait 30 device wifi hotspot con-name companion-hotspot ssid {name}",
        "connection modify companion-hotspot connection.autoconnect no",
    ]
    issue = (tmp_path / "run" / "issue").read_text(encoding="utf-8")
    assert issue == f"Wi-Fi: {name}\nPassword: a\\\\4z{PASSWORD}\n\n"


NAIVE = """#!/bin/sh
umask 027
echo password=new >/var/lib/companion/hotspot.new
chgrp companion /var/lib/companion/hotspot.new 2>/dev/null
chmod 640 /var/lib/companion/hotspot.new
mv /var/lib/companion/hotspot.new /var/lib/companion/hotspot
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be led astray")
@pytest.mark.parametrize("naive", [False, True], ids=["hotspot", "a naive script"])
def test_finding_6_root_follows_no_link_that_the_companion_plants(tmp_path: Path, naive: bool) -> None:
    """In its own folders the service's user plants links to a file and to a folder of root's, under every name that a
    script of root's has used. A script that writes there is found out."""
    mine, roots = tmp_path / "mine", tmp_path / "roots"
    mine.mkdir()
    roots.mkdir()
    victim = roots / "shadow"
    victim.write_text("root's own", encoding="utf-8")
    victim.chmod(0o600)
    for name in ("hotspot.new", "issue", "issue.new"):
        (mine / name).symlink_to(victim)
    (mine / "hotspot").symlink_to(roots)
    planted = {path.name: path.readlink() for path in mine.iterdir()}
    script = tmp_path / "naive"
    script.write_text(NAIVE, encoding="utf-8")
    script.chmod(0o755)
    seen = subprocess.run(
        [
            *("unshare", "--mount", "--propagation", "private", "/bin/sh", "-c"),
            # Only this one process sees the folders in which the links are.
            'mkdir -p "$1/lib/companion" "$1/run" && mount --bind "$2" "$1/lib/companion" && '
            'mount --rbind "$1/lib" /var/lib && shift 2 && "$@"',
            *("sh", str(tmp_path), str(mine), str(script if naive else SYSTEMD / "hotspot"), "up"),
        ],
        env={
            **os.environ,
            "PATH": f"{fake_nmcli(tmp_path / 'bin', 'wifi:disconnected')}:{os.environ['PATH']}",
            "COMPANION_HOTSPOT_WAIT_S": "1",
            "RUNTIME_DIRECTORY": str(tmp_path / "run"),
        },
        capture_output=True,
        text=True,
        timeout=60,
    )
    if "unshare" in seen.stderr:
        pytest.skip(f"no mount namespace here: {seen.stderr}")
    kept = (
        victim.read_text("utf-8") == "root's own"
        and stat.S_IMODE(victim.stat().st_mode) == 0o600
        and [path.name for path in roots.iterdir()] == ["shadow"]
        and {path.name: path.readlink() for path in mine.iterdir() if path.is_symlink()} == planted
    )
    assert kept is not naive, seen.stderr
    assert naive or (tmp_path / "run" / "issue").is_file()


def test_only_as_its_own_user_does_a_script_of_roots_enter_the_companions_folder() -> None:
    for name in ("hotspot", "install", "door", "apt.sh"):
        for line in (SYSTEMD / name).read_text(encoding="utf-8").splitlines():
            code = line.split(" #")[0]
            if line.lstrip().startswith("#") or not re.search(r"/(var/lib|run)/companion(/|\s|$)", code):
                continue
            assert re.search(r"runuser -u companion -- |--home-dir /var/lib/companion |^\s*say ", code), line


PLANTED: dict[str, Callable[[Path], object]] = {
    "nothing": lambda folder: None,
    "a link": lambda folder: folder.symlink_to(folder.parent),
    "a folder that others may write to": lambda folder: (folder.mkdir(), folder.chmod(0o777)),
    "somebody else's": lambda folder: (folder.mkdir(), os.chown(folder, 12_345, -1)),
}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make somebody else's")
@pytest.mark.parametrize("planted", PLANTED)
def test_a_tool_of_roots_works_in_no_folder_in_which_others_may_plant_links(tmp_path: Path, planted: str) -> None:
    """The tools keep their Debians below /var/tmp, where everybody may make a folder of that name first."""
    folder = tmp_path / "there"
    PLANTED[planted](folder)
    seen = go("/bin/sh", "-c", f'. "{SYSTEMD}/apt.sh"; own_folder "$1"; echo on', "sh", folder)
    if planted == "nothing":
        assert (seen.returncode, seen.stdout) == (0, "on\n")
        assert stat.S_IMODE(folder.stat().st_mode) & 0o022 == 0
    else:
        assert (seen.returncode, seen.stdout) == (1, "")
        assert f"{folder} is a link, or others may write there" in seen.stderr


def test_every_tool_that_root_runs_asks_for_a_folder_of_its_own() -> None:
    tools = [path for path in (ROOT / "tests" / "tools").glob("*.sh") if "/var/tmp/" in path.read_text("utf-8")]
    assert len(tools) >= 3
    for path in tools:
        text = path.read_text(encoding="utf-8")
        fills = (text.find(word) for word in ("rm -rf", "make_debian ", "copy_project "))
        assert 0 < text.index("own_folder ") < min(at for at in fills if at >= 0), path.name


def house(folder: Path) -> Path:
    """A copy of what ./run needs, set up by nobody yet."""
    (folder / "systemd").mkdir(parents=True)
    for name in ("run", "pyproject.toml", "systemd/apt.sh", "systemd/install"):
        shutil.copy(ROOT / name, folder / name)
    shutil.copytree(ROOT / "packaging" / "locks", folder / "packaging" / "locks")
    return folder


@pytest.mark.parametrize("forbidden", [True, False])
def test_packages_are_installed_with_a_word_and_not_at_all_where_that_is_forbidden(
    tmp_path: Path, forbidden: bool
) -> None:
    called = tmp_path / "called"
    for name, does in (("apt-get", f'echo "$@" >>{called}'), ("id", "echo 0")):
        script = tmp_path / name
        script.write_text(f"#!/bin/sh\n{does}\n")
        script.chmod(0o755)
    more = {"COMPANION_NO_APT": "1"} if forbidden else {}
    command = f'. {SYSTEMD}/apt.sh; fetch libzbar0 && echo got || echo "$why"'
    seen = go("sh", "-c", command, PATH=f"{tmp_path}:{os.environ['PATH']}", **more)
    if forbidden:
        assert seen.stdout == "COMPANION_NO_APT forbids installing packages: sudo apt-get install libzbar0\n"
        assert not called.exists()
    else:
        assert (seen.stdout, seen.stderr) == ("got\n", "Installing with apt-get, as root: libzbar0\n")
        assert called.read_text().split()[-1] == "libzbar0"


def test_without_a_python_run_says_which_are_wanted(tmp_path: Path) -> None:
    seen = go(house(tmp_path / "house") / "run", COMPANION_PYTHON="/bin/false")
    assert seen.returncode == 1
    assert seen.stderr.startswith("Python 3.11, 3.12, 3.13 or 3.14 is needed, and none was found (/bin/false).")
    assert not (tmp_path / "house" / ".venv").exists()


def test_where_nothing_is_marked_as_a_program_sh_does_all_that_run_can(tmp_path: Path) -> None:
    """As an archive that Windows unpacked."""
    project, environ = debian(tmp_path)
    for path in project.rglob("*"):
        if path.is_file():
            path.chmod(0o644)
    seen = go("sh", project / "run", "--help", **environ)
    assert (seen.returncode, seen.stderr) == (0, "")
    for option in ("--install", "--uninstall", "--setup-only", "COMPANION_PYTHON"):
        assert option in seen.stdout
    assert not (project / ".venv").exists(), "asking costs nothing"
    seen = go("sh", project / "run", "--install", **environ)
    assert seen.returncode == 0, seen.stderr
    assert (tmp_path / "called").read_text().startswith("--force-confold --install /")


def debian(folder: Path, installed: str = "") -> tuple[Path, dict[str, str]]:
    """A project folder whose package is made by a stand-in, and root's programs that only note their calls."""
    project = house(folder / "Ana's house")
    (project / "packaging" / "deb").write_text(
        '#!/bin/sh\n[ -z "${BROKEN-}" ] || exit 1\necho "$COMPANION_LOCKS" >"$2/made.deb"; echo "$2/made.deb"\n'
    )
    (project / "packaging" / "deb").chmod(0o755)
    programs = folder / "programs"
    programs.mkdir()
    for name, does in (
        ("id", "echo 0"),
        ("apt-get", f"echo apt-get >>{folder}/called"),
        ("dpkg-query", f"printf '{installed}'"),
        (
            "dpkg",
            f'if [ "$1" = --print-architecture ]; then echo amd64; else echo "$@" >>{folder}/called; '
            f'for last; do :; done; if [ -f "$last" ]; then cat "$last" >>{folder}/called; fi; fi',
        ),
    ):
        (programs / name).write_text(f"#!/bin/sh\n{does}\n")
        (programs / name).chmod(0o755)
    path = f"{programs}:{os.environ['PATH']}"
    return project, {"PATH": path, "COMPANION_PI": "0", "COMPANION_NO_APT": "1"}


def test_installing_makes_the_package_elsewhere_for_this_python_alone_and_keeps_all_settings(tmp_path: Path) -> None:
    project, environ = debian(tmp_path)
    before = sorted(project.rglob("*"))
    seen = go(project / "run", "--install", **environ)
    assert seen.returncode == 0, seen.stderr
    options, lock = (tmp_path / "called").read_text().splitlines()
    assert options.startswith("--force-confold --install /")
    own = subprocess.run(
        ["/usr/bin/python3", "-c", "import sys; print('%d.%d' % sys.version_info[:2])"], capture_output=True, text=True
    ).stdout.strip()
    assert lock == own
    assert sorted(project.rglob("*")) == before  # nothing of root's lies in somebody's folder
    assert "The companion is installed: http://" in seen.stderr
    assert "Going on without network-manager (COMPANION_NO_APT forbids installing packages" in seen.stderr


@pytest.mark.parametrize(
    ("lacks", "said"),
    [
        ("a package", r"The package could not be made: see above\. Nothing has changed\."),
        ("locks", r"No list of libraries for Python 3\.\d+ is in packaging/locks\. Nothing has changed\."),
    ],
)
def test_what_cannot_be_installed_changes_nothing(lacks: str, said: str, tmp_path: Path) -> None:
    project, environ = debian(tmp_path)
    if lacks == "locks":
        shutil.rmtree(project / "packaging" / "locks")
    seen = go(project / "run", "--install", BROKEN="1", **environ)
    assert seen.returncode == 1
    assert re.fullmatch(said, seen.stderr.splitlines()[-1])
    assert not (tmp_path / "called").exists()


@pytest.mark.parametrize("installed", ["", "installed"])
def test_uninstalling_says_whether_there_was_anything_to_take_away(tmp_path: Path, installed: str) -> None:
    project, environ = debian(tmp_path, installed)
    seen = go(project / "run", "--uninstall", **environ)
    if installed:
        assert (seen.returncode, (tmp_path / "called").read_text()) == (0, "--remove companion\n")
        assert "The matches stay in /var/lib/companion" in seen.stderr
    else:
        assert seen.returncode == 1
        assert seen.stderr == "The companion is not installed here.\n"
        assert not (tmp_path / "called").exists()
