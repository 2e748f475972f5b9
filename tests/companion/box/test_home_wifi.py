"""Which Wi-Fi the box shall join: what is taken, what is not, and what NetworkManager is given."""

from __future__ import annotations

import configparser
import json
import re
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from companion.box import home_wifi
from companion.box.home_wifi import HomeWifi, Network, networks, read_order
from companion.box.root_helper import READY
from companion.errors import InputError

NAMES = st.text(st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=8)
PASSWORDS = st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=8, max_size=63)


def plain(escaped: str) -> str:
    """A text of GLib's key files (https://docs.gtk.org/glib/struct.KeyFile.html): a space is \\s."""
    return re.sub(r"\\(.)", lambda one: {"s": " ", "\\": "\\"}[one[1]], escaped)


@given(NAMES, PASSWORDS, st.booleans())
def test_networkmanager_is_given_every_name_and_password_as_it_was_typed(
    name: str, password: str, hidden: bool
) -> None:
    profile = configparser.RawConfigParser(delimiters="=", comment_prefixes=(), strict=True)
    profile.read_string(HomeWifi(name, password, hidden).keyfile())
    assert bytes(map(int, profile["wifi"]["ssid"].rstrip(";").split(";"))).decode() == name
    assert plain(profile["wifi-security"]["psk"]) == password
    assert ("hidden" in profile["wifi"]) == hidden


@pytest.mark.parametrize("name", ["iPhone\xa0de\xa0Zoé", "👨\u200d👩\u200d👧 home", "Home\u3000部屋"])
def test_a_wifi_may_be_called_what_phones_call_it(name: str) -> None:
    """A French iPhone's has no-break spaces, and families like emoji."""
    assert networks([f" :60:WPA2:{name}"])[0] == (Network(name, True, 60),)
    assert read_order(json.dumps({"name": name, "password": "12345678"})).name == name


def test_a_wifi_without_a_password_is_asked_for_none() -> None:
    assert "security" not in HomeWifi("Café", "").keyfile()


@pytest.mark.parametrize(
    ("what", "typed"),
    [
        *(
            ("name", one)
            for one in ("", "a" * 33, "é" * 17, "two\nlines", "a\0b", "bell\a", "two\u2028lines", "\ud800")
        ),
        *(("password", one) for one in ("1234567", "x" * 64, "a\nsecond=line", "x" * 500, "tab\there-too")),
    ],
)
def test_what_can_be_no_name_or_password_is_one_sentence(what: str, typed: str) -> None:
    with pytest.raises(InputError, match=what):
        HomeWifi(**{"name": "Home", "password": "sesame-street", what: typed})  # pragma: allowlist secret


def test_a_key_of_64_digits_is_taken_and_a_wifi_keeps_one_profile_of_its_own() -> None:
    assert "psk=" + "0a" * 32 in HomeWifi("Home", "0a" * 32).keyfile()
    assert HomeWifi("Home", "sesame-street").id == HomeWifi("Home", "").id
    assert HomeWifi("Home", "").id != HomeWifi("Home ", "").id


@given(st.text(max_size=200) | st.recursive(st.none() | st.text(), st.lists, max_leaves=5).map(json.dumps))
def test_an_order_that_is_none_is_one_sentence(text: str) -> None:
    with pytest.raises(InputError):
        read_order(text)


def test_what_is_handed_over_is_read_back_and_only_its_owner_may_read_it(tmp_path: Path) -> None:
    wifi = HomeWifi('Ana\'s "Wi-Fi"; 5:G\\', "a\\b c\"d'e$f", hidden=True)
    home_wifi.hand_over(wifi, tmp_path)
    home_wifi.hand_over(wifi, tmp_path)
    inbox = tmp_path / home_wifi.INBOX
    assert read_order((inbox / home_wifi.ORDER).read_text("utf-8")) == wifi
    assert (inbox / READY).exists()
    assert [path.stat().st_mode & 0o777 for path in (inbox, inbox / home_wifi.ORDER)] == [0o700, 0o600]
    home_wifi.forget(tmp_path)
    assert not list(tmp_path.iterdir())


def test_what_is_in_reach_is_listed_once_the_best_heard_first() -> None:
    lines = ["*:62:WPA2:Home", " :71:WPA2:Next door", " :30:WPA1 WPA2:Home", " :90:--:Free: wifi", " :88:WPA2:", "odd"]
    listed, now = networks(lines)
    assert listed == (
        Network("Free: wifi", False, 90),
        Network("Next door", True, 71),
        Network("Home", True, 62),
    )
    assert now == "Home"


def test_only_a_service_with_the_helper_and_a_radio_offers_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(home_wifi, "HELPER", tmp_path / "helper")
    monkeypatch.setenv("NOTIFY_SOCKET", "/nowhere")
    (tmp_path / "wlan0" / "wireless").mkdir(parents=True)
    first = Path("/var/lib/companion")
    assert not home_wifi.can_join(first, tmp_path)
    (tmp_path / "helper").touch()
    assert home_wifi.can_join(first, tmp_path)
    assert not home_wifi.can_join(first, tmp_path / "wlan0")
    assert not home_wifi.can_join(Path("/var/lib/companion-8081"), tmp_path), "nobody would ever take its order"
    monkeypatch.delenv("NOTIFY_SOCKET")
    assert not home_wifi.can_join(first, tmp_path)
