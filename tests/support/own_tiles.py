"""The tiles of one's own box, entered on the games' pages by hand; each function says how many taps it took."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from playwright.sync_api import Page, expect

from companion.games.carcassonne.patterns import PATTERNS

Row = Mapping[str, Any]
"""A tile of a deck file."""

SIDE = {"N": "north", "E": "east", "S": "south", "W": "west"}
BONES = ("NS", "EW", "NE", "ES", "SW", "NW", "NES", "ESW", "NSW", "NEW", "N", "E", "S", "W")
"""The bones in the order of the page."""
JEWELS = ("red", "blue", "green", "yellow", "white")


def kind(row: Row) -> tuple[str, ...]:
    """What two like tiles of Carcassonne have in common: not where followers stand."""
    segments = [(one["terrain"], one["edges"]) for one in row["segment"]]
    return str(segments), str(sorted(row.get("meets", []))), str(row.get("city", []))


def words(segments: Sequence[Row]) -> str:
    return ", ".join(
        " ".join((one["terrain"], *([SIDE[letter] for letter in one["edges"]] or ["in the middle"])))
        for one in segments
    )


def enter(page: Page, row: Row) -> int:
    """A tile of Carcassonne: its pattern, its terrains, its cities."""
    edges = tuple(one["edges"] for one in row["segment"])
    meets = sorted(row.get("meets", []))
    [name] = [name for name, (those, pairs) in PATTERNS.items() if (those, [*map(list, pairs)]) == (edges, meets)]
    page.locator("#patterns").get_by_role("button").nth(list(PATTERNS).index(name)).click()
    wanted = page.locator("#terrains").get_by_role("button", name=words(row["segment"]), exact=True)
    taps = 2
    while not wanted.count():
        page.get_by_role("button", name="Turn the pictures").click()
        taps += 1
        assert taps < 6, row
    wanted.click()
    if not page.locator("#cities").is_visible():
        return taps
    one = [words([segment]) for segment in row["segment"]]
    cities = [f"1 city: {one[land - 1]} – {one[sea - 1]}" for land, sea in row.get("city", ())]
    page.locator("#cities").get_by_role("button", name="; ".join(cities) or "No city", exact=True).click()
    return taps + 1


def enter_carcassonne(page: Page, rows: Sequence[Row]) -> list[int]:
    """All of them, the first as the start tile; the taps of each."""
    taps = []
    for nth, row in enumerate(rows):
        expect(page.locator("#which")).to_have_text(row["id"])
        if nth and kind(rows[nth - 1]) == kind(row):
            page.get_by_role("button", name="One more like it").click()
            taps.append(1)
        else:
            taps.append(enter(page, row))
    page.get_by_role("button", name=f"{rows[0]['id']}: entered").click()
    page.get_by_label("This is the start tile").check()
    taps[0] += 2
    expect(page.locator("#sound")).to_have_text("No faults.")
    return taps


def enter_darwinci(page: Page, rows: Sequence[Row]) -> list[int]:
    """All of them: bone, jewels, number; the taps of each."""
    taps = []
    for row in rows:
        expect(page.locator("#which")).to_have_text(row["id"])
        ends = "".join(end for end in "NESW" if end in row["ends"])
        page.locator("#bones button").nth(BONES.index(ends)).click()
        for jewel in row.get("jewels", ()):
            page.locator("#jewels button").nth(JEWELS.index(jewel)).click()
        number = f"−{-row['value']}" if row["value"] < 0 else str(row["value"])
        page.locator("#values").get_by_role("button", name=number, exact=True).click()
        taps.append(2 + len(row.get("jewels", ())))
    return taps
