"""An update that the host sends: only what is signed with the right key, made for this box and newer is handed on."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from support.roots_readers import held_while_reading
from support.signed_updates import HELPER, HOST, Box, Maker, packed, parts

from companion.box import update_file as updates
from companion.box.root_helper import READY
from companion.box.update import HostUpdate
from companion.box.update_file import INBOX, MOST_BYTES, PACKAGE, SIGNATURE
from companion.games import registry
from companion.public.i18n import Translations
from companion.public.machine import SystemActions
from companion.public.service import Denied, Done, Invalid, Role, Stale, Unavailable, User
from companion.system.systemd import FIRST_TABLE
from web.language import LOCALE_FOLDER

WORDS = Translations((*registry.locale_folders(), LOCALE_FOLDER))

pytestmark = pytest.mark.skipif(
    not all(map(shutil.which, ("minisign", "dpkg-deb", "dpkg"))), reason="minisign or dpkg is not here"
)
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="the helper is root's")


@pytest.fixture(scope="module")
def maker(tmp_path_factory: pytest.TempPathFactory) -> Maker:
    return Maker(tmp_path_factory.mktemp("maker") / "ours")


@pytest.fixture
def stranger(tmp_path: Path) -> Maker:
    return Maker(tmp_path / "theirs")


@pytest.fixture(scope="module")
def newer(maker: Maker) -> bytes:
    return maker.update("1.3.0").read_bytes()


@pytest.fixture
def box(tmp_path: Path, maker: Maker) -> Box:
    return Box(tmp_path, maker.public)


def changed(content: bytes, at: int) -> bytes:
    return content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]


def one_bit(ours: Maker) -> bytes:
    package, signature = parts(ours.update("1.4.0").read_bytes())
    return packed(changed(package, 2000), signature)


WRONG: dict[str, Callable[[Maker, Maker], bytes]] = {
    "signature: one bit of the package": lambda ours, _: one_bit(ours),
    "signature: signed by a stranger": lambda _, theirs: theirs.update("1.5.0").read_bytes(),
    "signature: of another package": lambda ours, _: packed(
        parts(ours.update("1.6.0").read_bytes())[0], parts(ours.update("1.6.1").read_bytes())[1]
    ),
    "signature: none": lambda ours, _: packed(parts(ours.update("1.7.0").read_bytes())[0], b"nothing"),
    "older: the same": lambda ours, _: ours.update("1.2.0").read_bytes(),
    "older: a year ago": lambda ours, _: ours.update("1.1.9").read_bytes(),
    "foreign: another program": lambda ours, _: ours.update("9.0", name="coreutils").read_bytes(),
    "architecture: another kind": lambda ours, _: ours.update("1.8.0", kind="m68k").read_bytes(),
}
"""The helper's word for it, and what it is."""


def test_a_newer_version_that_is_signed_is_told_handed_over_and_found_good(box: Box, newer: bytes) -> None:
    state = box.send(newer)
    assert (state["state"], state["now"], state["version"]) == ("ready", "1.2.0", "1.3.0"), state
    assert isinstance(box.page.take(HOST), Done)
    assert sorted(path.name for path in (box.data / INBOX).iterdir()) == sorted((PACKAGE, SIGNATURE, READY))
    assert not list(box.data.glob(".update-*"))
    assert box.state()["state"] == "taken"
    if os.geteuid() == 0:
        assert box.helper() == "working 1.3.0"
        assert (box.own / "verified.deb").read_bytes() == parts(newer)[0]
        assert box.state()["state"] == "taken"
    (box.run / "status").write_text("done 1.3.0\n", "utf-8")
    assert box.state()["state"] == "idle"
    assert WORDS.say(box.state()["last"], "en", None) == "Version 1.3.0 was installed."  # type: ignore[arg-type]
    assert not (box.data / INBOX).exists()


@pytest.mark.parametrize("why", WRONG)
def test_what_is_tampered_with_old_or_foreign_is_one_sentence_on_the_page(
    why: str, box: Box, maker: Maker, stranger: Maker, tmp_path: Path
) -> None:
    ours = Maker(tmp_path / "ours")
    box.page = HostUpdate(box.data, key=ours.public, current=box.current, status_file=box.run / "status")
    state = box.send(WRONG[why](ours, stranger))
    assert state["state"] == "refused"
    word = why.partition(":")[0]
    assert state["why"].key == f"update.fault.{word}"
    for language in ("en", "fr"):
        said = WORDS.say(state["why"], language, None)  # type: ignore[arg-type]
        assert said.startswith("new.update")
        assert "\n" not in said
    assert isinstance(box.page.take(HOST), Stale)
    assert not list(box.data.iterdir()), "nothing of it is left"


@as_root
@pytest.mark.parametrize("why", WRONG)
def test_root_trusts_nothing_that_the_companion_hands_over(why: str, box: Box, stranger: Maker, tmp_path: Path) -> None:
    """The page's own look is for the host; a companion that somebody has taken over would skip it."""
    ours = Maker(tmp_path / "ours")
    box.key = ours.public
    box.plant(*parts(WRONG[why](ours, stranger)))
    assert box.helper() == f"refused {why.partition(':')[0]}"
    assert not list(box.own.iterdir()), "nothing is left for whoever installs"


@as_root
def test_root_reads_as_the_companion_and_follows_no_link_to_what_only_root_may_read(
    maker: Maker, newer: bytes, open_room: Path
) -> None:
    package, signature = parts(newer)
    secret = open_room / "secret.deb"
    secret.write_bytes(package)
    secret.chmod(0o600)
    box = Box(open_room, maker.public)
    box.plant(package, signature)
    for path in (box.data, box.data / INBOX, *(box.data / INBOX).iterdir()):
        path.chmod(0o755)
    assert box.helper("daemon") == "working 1.3.0", "it can be read by the one who hands it over"
    (box.data / INBOX / PACKAGE).unlink()
    (box.data / INBOX / PACKAGE).symlink_to(secret)
    assert box.helper("daemon") == "refused unread"
    assert not (box.own / "verified.deb").exists()


@as_root
@pytest.mark.parametrize("name", [PACKAGE, SIGNATURE])
def test_whoever_is_the_companions_user_gets_no_file_of_roots_to_write_to(
    name: str, maker: Maker, newer: bytes, open_room: Path
) -> None:
    """He can take over a process of his own user, with all that it holds open, and write there after the look."""
    whole = dict(zip((PACKAGE, SIGNATURE), parts(newer), strict=True))
    box = Box(open_room, maker.public)
    box.plant(*whole.values())
    for path in (box.data, box.data / INBOX, *(box.data / INBOX).iterdir()):
        path.chmod(0o755)
    held = held_while_reading(box.data / INBOX / name, "daemon", lambda: box.helper("daemon"), whole[name])
    assert held == {"nothing", "pipe"}
    assert box.said() == "working 1.3.0"


@as_root
def test_dpkg_gets_what_was_signed_in_a_file_that_nobody_has_open_from_before(box: Box, newer: bytes) -> None:
    package, signature = parts(newer)
    box.plant(package, signature)
    assert box.helper() == "working 1.3.0"
    with (box.own / "verified.deb").open("r+b") as held:
        assert box.install() == "done 1.3.0"
        assert (box.bin / "installed").read_bytes() == package
        assert int((box.bin / "inode").read_text()) != os.fstat(held.fileno()).st_ino
    assert not list(box.own.iterdir())


@as_root
def test_what_was_changed_after_the_look_is_not_installed(box: Box, newer: bytes) -> None:
    box.plant(*parts(newer))
    assert box.helper() == "working 1.3.0"
    good = box.own / "verified.deb"
    good.write_bytes(changed(good.read_bytes(), 2000))
    assert box.install() == "refused signature"
    assert not (box.bin / "installed").exists()
    assert not list(box.own.iterdir())


@as_root
def test_what_is_too_large_fills_no_disk_of_roots(box: Box, newer: bytes) -> None:
    box.plant(b"", parts(newer)[1] + b"x" * MOST_BYTES[SIGNATURE])
    assert box.helper() == "refused large"
    assert not list(box.own.iterdir())


@as_root
def test_without_anything_handed_over_the_helper_says_nothing(box: Box) -> None:
    (box.run / "status").write_text("done 1.2.0\n", "utf-8")
    assert box.helper() == "done 1.2.0"


@as_root
def test_what_is_handed_over_while_the_helper_looks_is_seen(box: Box, newer: bytes) -> None:
    """Taking the last one away woke it, and systemd wakes nobody who is awake."""
    late = threading.Timer(0.5, box.plant, parts(newer))
    late.start()
    assert box.helper() == "working 1.3.0"
    late.join()


def test_without_a_key_there_is_one_sentence(tmp_path: Path, newer: bytes) -> None:
    box = Box(tmp_path, tmp_path / "no.pub")
    result = box.page.begin(HOST, "new.update", len(newer))
    assert isinstance(result, Unavailable)
    assert getattr(result.reason, "key", "") == "update.fault.no_key"
    if os.geteuid() == 0:
        box.plant(*parts(newer))
        assert box.helper() == "refused no-key"


@pytest.mark.parametrize("file", [b"a letter to a friend", b"PK\3\4 half a zip", b""])
def test_what_is_no_update_is_called_that(file: bytes, box: Box, newer: bytes) -> None:
    state = box.send(file or newer[:-50])
    assert (state["state"], state["why"].key) == ("refused", "update.fault.none")


def test_no_seat_does_any_of_it_and_nothing_larger_than_an_update_comes(box: Box, newer: bytes) -> None:
    seat = User(Role.SEAT)
    page = box.page
    for no in (
        *(page.state(seat), page.begin(seat, "a", 5), page.add(seat, 0, newer)),
        *(page.take(seat), page.drop(seat)),
    ):
        assert isinstance(no, Denied)
    assert isinstance(page.begin(HOST, "new.update", 600_000_000), Invalid)
    assert isinstance(page.take(HOST), Stale)


def test_while_one_is_installed_no_other_comes_and_what_was_said_of_the_one_before_does_not_count(
    box: Box, newer: bytes
) -> None:
    (box.run / "status").write_text("done 1.2.0\n", "utf-8")
    box.page = HostUpdate(box.data, key=box.key, current=box.current, status_file=box.run / "status")
    box.send(newer)
    box.page.take(HOST)
    assert box.state()["state"] == "taken"
    (box.run / "status").write_text("working 1.3.0\n", "utf-8")
    for no in (box.page.begin(HOST, "b.update", 5), box.page.drop(HOST)):
        assert isinstance(no, Stale)
    (box.run / "status").write_text("failed 1.3.0\n", "utf-8")
    assert box.state()["state"] == "idle"
    assert "is back" in WORDS.say(box.state()["last"], "en", None)  # type: ignore[arg-type]


def test_only_a_box_with_the_helper_offers_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(updates, "HELPER", tmp_path / "helper")
    monkeypatch.setenv("NOTIFY_SOCKET", "/nowhere")
    first = Path("/var/lib/companion")
    assert not updates.can_update(first)
    (tmp_path / "helper").touch()
    assert updates.can_update(first)
    assert not updates.can_update(Path("/var/lib/companion-8081")), "nobody would ever take what a second table sends"
    monkeypatch.delenv("NOTIFY_SOCKET")
    assert not updates.can_update(first)
    assert SystemActions().update is None


def test_the_helper_and_the_page_bound_an_update_alike_and_have_the_same_words() -> None:
    helper = HELPER.read_text("utf-8")
    unit = HELPER.with_name("companion-update.path").read_text("utf-8")
    assert f"PathChanged={FIRST_TABLE}/{INBOX}/{READY}\n" in unit
    assert f"most_bytes={MOST_BYTES[PACKAGE]}" in helper
    assert f"copy {SIGNATURE} {MOST_BYTES[SIGNATURE]}" in helper
    assert f'"$own/{SIGNATURE}"' in HELPER.with_name("root-helper.sh").read_text("utf-8")
    words = {line.rpartition("refuse ")[2].split()[0] for line in helper.splitlines() if "|| refuse " in line}
    assert words <= updates.FAULTS.keys()
    assert len(words) >= 8
