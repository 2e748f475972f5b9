"""Pictures of a table's own cards: kept beside the deck, deleted with the card's row or by hand, and nowhere else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from support.idle_services import IDLE

from companion.public.service import SPECTATOR, Done, NotFound, Role, User
from companion.public.table import Seat
from companion.service.runner import MatchRunner
from companion.service.table_service import TableService
from vision.card_photo import card_photo

HOST, SEAT = User(Role.HOST), User(Role.SEAT, Seat(1))
JPEG = cv2.imencode(".jpg", np.full((60, 80, 3), 90, np.uint8))[1].tobytes()


def deck(*cards: str) -> Any:
    return {"deck": {"name": "Ours", "edition": "own"}, "card": [{"id": card} for card in cards]}


@pytest.fixture
def desk(host: MatchRunner, tmp_path: Path) -> TableService:
    made = TableService(
        host,
        **IDLE,
        source="picamera",
        version="1",
        picture=lambda: None,
        complete=lambda m: m,
        decks=tmp_path / "decks",
        card_photo=card_photo,
    )
    assert isinstance(made.decks.save_deck(HOST, "ours", deck("1-1", "1-8")), Done)
    return made


def files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_a_picture_lies_beside_its_deck_and_is_read_by_whoever_plays(desk: TableService, tmp_path: Path) -> None:
    assert desk.decks.keep_card_picture(HOST, "ours", "1-8", JPEG).value == {"name": "ours", "card": "1-8"}
    assert files(tmp_path / "decks") == ["ours.toml", "ours/1-8.jpg"]
    for visitor in (HOST, SEAT):
        assert desk.decks.pictured_cards(visitor, "ours") == ("1-8",)
        assert (desk.decks.card_picture("ours", "1-8") or b"")[:3] == b"\xff\xd8\xff"
    for visitor in (SPECTATOR, User(Role.HUB)):
        assert desk.decks.pictured_cards(visitor, "ours") == ()
    assert desk.decks.summaries()[0]["name"] == "ours"


def test_it_goes_by_hand_and_with_the_row_of_its_card(desk: TableService, tmp_path: Path) -> None:
    for card in ("1-1", "1-8"):
        desk.decks.keep_card_picture(HOST, "ours", card, JPEG)
    assert isinstance(desk.decks.delete_card_picture(HOST, "ours", "1-1"), Done)
    assert isinstance(desk.decks.delete_card_picture(HOST, "ours", "1-1"), NotFound)
    assert files(tmp_path / "decks" / "ours") == ["1-8.jpg"]
    desk.decks.save_deck(HOST, "ours", deck("1-8", "1-9"))
    assert desk.decks.pictured_cards(HOST, "ours") == ("1-8",), "its row is still there"
    desk.decks.save_deck(HOST, "ours", deck("1-9"))
    assert files(tmp_path / "decks") == ["ours.toml"]


@pytest.mark.parametrize(
    ("name", "card"),
    [("ours", "9-9"), ("ours", "../1-8"), ("..", "1-8"), ("none", "1-8"), ("ours", "1-8/../../x"), ("Ours", "1-8")],
)
def test_what_is_no_card_of_a_deck_is_neither_written_nor_read(
    name: str, card: str, desk: TableService, tmp_path: Path
) -> None:
    before = files(tmp_path)
    assert isinstance(desk.decks.keep_card_picture(HOST, name, card, JPEG), NotFound)
    assert desk.decks.card_picture(name, card) is None
    assert isinstance(desk.decks.delete_card_picture(HOST, name, card), NotFound)
    assert files(tmp_path) == before
