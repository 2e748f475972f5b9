"""What a table is called: drawn once, kept for ever, changed by its host alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.errors import InputError
from companion.public.machine import LONGEST_IN_NETWORK, Box
from companion.storage.box import BOX_FILE, box_name, read_box, write_box


def test_every_box_is_another_one_and_stays_it(tmp_path: Path) -> None:
    first, second = read_box(tmp_path / "a"), read_box(tmp_path / "b")
    assert first.id != second.id
    assert read_box(tmp_path / "a") == first
    write_box(tmp_path / "a", Box(first.id, "Küche “hinten”\\", names_players=True))
    assert read_box(tmp_path / "a") == Box(first.id, "Küche “hinten”\\", names_players=True)


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("", ""),
        ("Kitchen", "kitchen"),
        ("Küche 1/é #+", "kuche-1-e"),
        ("台", ""),
        ("The big room at the back", "the-big-room-at-t"),
        ("Sixteen letters -- here", "sixteen-letters-h"),
        ("Sixteen letterss here", "sixteen-letterss"),
    ],
)
def test_what_it_is_called_fits_into_the_name_of_a_wi_fi(name: str, part: str) -> None:
    assert Box("3fa90c21", name).in_network() == part
    assert len(f"companion-{'x' * LONGEST_IN_NETWORK}-3fa9".encode()) == 32


@pytest.mark.parametrize("content", ["", "id = 3\n", 'id = "x"\n', "\0\0\0", 'id = "3fa90c21"\nname = 4\n'])
def test_a_damaged_file_costs_the_name_and_never_the_evening(tmp_path: Path, content: str, caplog) -> None:
    (tmp_path / BOX_FILE).write_text(content)
    box = read_box(tmp_path)
    assert box.name == ""
    assert len(caplog.messages) == 1
    assert read_box(tmp_path) == box


def test_a_disk_that_takes_nothing_costs_no_evening_either(tmp_path: Path, caplog) -> None:
    (tmp_path / "file").write_text("")
    assert read_box(tmp_path / "file").name == ""
    assert "cannot be written" in caplog.messages[0]


@pytest.mark.parametrize("typed", ["x" * 41, "a\0b", "right\u202eleft", "\x1b[2J"])
def test_a_name_that_no_screen_can_show_is_refused(typed: str) -> None:
    with pytest.raises(InputError, match="at most 40 characters"):
        box_name(typed)


def test_spaces_and_line_breaks_around_a_name_are_no_part_of_it() -> None:
    assert box_name("  The\nback room ") == "The back room"
