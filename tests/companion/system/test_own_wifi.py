"""The Wi-Fi that the box makes: what the hotspot hands over, and what a phone reads of it."""

from __future__ import annotations

from ipaddress import IPv4Network
from pathlib import Path

import pytest

from companion.public.machine import OwnWifi
from companion.system.own_wifi import own_wifi


def test_signs_with_a_meaning_of_their_own_are_marked():
    assert OwnWifi("a:b", 'c,"d').code == r"WIFI:T:WPA;S:a\:b;P:c\,\"d;;"


def test_it_is_read_as_the_hotspot_writes_it(tmp_path: Path):
    file = tmp_path / "wifi"
    file.write_text("companion-3fa9\na\\4 z\n", "utf-8")
    assert own_wifi(file) == OwnWifi("companion-3fa9", "a\\4 z")
    file.write_text("companion-3fa9\na\\4 z\n10.42.3.1/24\n", "utf-8")
    assert own_wifi(file) == OwnWifi("companion-3fa9", "a\\4 z", IPv4Network("10.42.3.0/24"))


@pytest.mark.parametrize(
    "content", [None, b"", b"companion\n", b"companion\n\n", b"\nsecret\n", b"a\nb\nc\n", b"\xff\n\xff"]
)
def test_without_name_or_password_there_is_nothing_to_show(tmp_path: Path, content: bytes | None):
    file = tmp_path / "wifi"
    if content is not None:
        file.write_bytes(content)
    assert own_wifi(file) is None
