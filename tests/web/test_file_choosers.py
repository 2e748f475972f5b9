"""Whatever a page asks for can be chosen: the lists of types of its file fields."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TEMPLATES = Path(__file__).parents[2] / "web" / "templates"
KNOWN_AS = {
    ".csv": {"text/csv", "text/comma-separated-values", "application/vnd.ms-excel"},
    ".json": {"application/json"},
    ".jsonl": {"application/octet-stream"},
    ".update": {"application/octet-stream"},
    ".zip": {"application/zip", "application/octet-stream"},
}
"""What Android's picker, which compares only types, calls a file with such an end, and what other systems do. An end
that it does not know is ``application/octet-stream``, and so is a download of some browsers."""
FIELDS = [
    pytest.param(found[1].split(","), id=f"{page.name}: {found[1]}")
    for page in sorted(TEMPLATES.rglob("*.html"))
    for found in re.finditer(r'type="file"[^>]*accept="([^"]*)"', page.read_text("utf-8"))
]


@pytest.mark.parametrize("accepted", FIELDS)
def test_a_phone_s_picker_does_not_grey_out_the_file_that_a_page_asks_for(accepted: list[str]) -> None:
    ends = {one for one in accepted if one.startswith(".")}
    assert ends or accepted == ["image/*"]
    wanted = set[str]().union(*(KNOWN_AS[end] for end in ends))
    assert wanted <= set(accepted)


def test_every_field_for_a_file_says_what_it_takes() -> None:
    pages = "".join(page.read_text("utf-8") for page in TEMPLATES.rglob("*.html"))
    assert pages.count('type="file"') == len(FIELDS) >= 6
