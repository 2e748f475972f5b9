"""A backup brought back from the host's page, in a browser and at a table that really starts anew."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from support.browser import picture_panel
from support.ports import free_port
from support.table_program import TableProgram, until

from companion.storage.event_log import LOG_FILE, EventLog
from companion.storage.whole_backup import write_backup

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.fixture
def table(tmp_path: Path) -> Iterator[TableProgram]:
    (tmp_path / "new").mkdir()
    program = TableProgram(tmp_path / "new" / "data", free_port(), "--source", "simulated", "--speed", "4")
    yield program
    if program.program.poll() is None:
        program.program.kill()
    program.program.wait(20)


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    """Of another table, which has played a while."""
    (tmp_path / "old").mkdir()
    old = TableProgram(tmp_path / "old" / "data", free_port(), "--source", "simulated", "--speed", "8", "--seed", "3")
    until(lambda: old.standing()["number"] >= 8, "some entries")
    assert old.end() == 0
    write_backup(old.data, tmp_path / "companion-2026-11-20.zip")
    return tmp_path / "companion-2026-11-20.zip"


def host_of(data: Path) -> str:
    with closing(EventLog(data / LOG_FILE, reading=True, witness=False)) as log:
        return str(log.table.setting("host")[0])


@pytest.mark.long
def test_the_host_chooses_a_file_is_told_and_takes_it_and_is_the_host_of_what_comes_back(
    table: TableProgram, backup: Path, visit: Callable[..., Page], tmp_path: Path
) -> None:
    until(lambda: table.standing()["number"] >= 3, "some entries")
    cut = tmp_path / "cut.zip"
    cut.write_bytes(backup.read_bytes()[:-300])
    # While the table starts anew nobody answers, and the code of before opens nothing: the browser notes both.
    noted = ("ERR_CONNECTION", "403", "ERR_INCOMPLETE", "ERR_EMPTY", "503")
    page = visit(f"{table.address}/host#more", code=host_of(table.data), expected=noted)
    page.locator("#backup summary").click()
    page.get_by_label("A backup file").set_input_files(cut)
    page.get_by_text("cut.zip: this is no backup").wait_for()
    picture_panel(page, "backup", "refused")
    page.get_by_label("A backup file").set_input_files(backup)
    page.get_by_text("Checked. It was made").wait_for()
    told = page.locator("[data-changes]").inner_text()
    assert "it ends here" in told
    assert "Gained: " in told
    picture_panel(page, "backup", "ready")
    page.get_by_role("button", name="Leave everything as it is").click()
    page.get_by_text("Checked. It was made").wait_for(state="hidden")
    assert not list(table.data.glob(".restored-*"))
    page.get_by_label("A backup file").set_input_files(backup)
    take = page.get_by_role("button", name="Take this backup")
    take.wait_for()
    take.focus()
    page.keyboard.press("Enter")  # who cannot hold presses twice
    page.get_by_role("button", name="again").press("Enter")
    page.get_by_text("The table starts anew with it").wait_for()
    page.get_by_text("companion-2026-11-20.zip of").wait_for(timeout=90_000)
    assert page.url.endswith("/host#backup"), "still the host, with the code of the other table"
    picture_panel(page, "backup", "taken")
    assert host_of(table.data) == host_of(backup.parent / "old" / "data")
    with zipfile.ZipFile(backup) as paper:
        assert "matches.sqlite" in paper.namelist()
    page.get_by_role("button", name="Understood").click()
    page.get_by_text("companion-2026-11-20.zip of").wait_for(state="hidden")
    assert table.end() == 0


@pytest.mark.slow
def test_a_new_table_that_has_played_nothing_offers_to_bring_one_back(
    visit: Callable[..., Page], tmp_path: Path
) -> None:
    """On a new card that is what somebody looks for; there is nothing to download."""
    program = TableProgram(tmp_path / "data", free_port(), "--source", "phone")
    try:
        page = visit(f"{program.address}/host#more", code=host_of(program.data), locale="fr-FR")
        page.locator("#backup summary").click()
        page.get_by_label("Un fichier de sauvegarde").wait_for()
        assert page.get_by_role("link", name="Télécharger").count() == 0
        picture_panel(page, "backup", "new-french")
        page.close()
    finally:
        program.end()
