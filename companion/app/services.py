"""What people at a table may see, ask and do, over its eye, its matches and its data folder."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import partial
from pathlib import Path

from companion.app.eye import TableEye
from companion.app.matches import complete_match
from companion.app.recording_page import HostRecording
from companion.app.sources import TableSource
from companion.app.table_recorder import TableRecorder
from companion.public.box_check import BoxPiece, BoxReading
from companion.public.codes import sticker_text
from companion.public.service import PrintOrder
from companion.public.text import JSON
from companion.service.box_checker import BoxChecker
from companion.service.card_photos import CardPhotos
from companion.service.runner import MatchRunner
from companion.service.table_service import TableService
from companion.service.zone_editor import ZoneEditor
from companion.storage.snapshots import Snapshots
from companion.system import card_reader
from companion.system.camera_check import pictures, sight
from companion.version import __version__


def table_services(
    runner: MatchRunner,
    data: Path,
    source: TableSource,
    eye: TableEye,
    zones: ZoneEditor,
    snapshots: Snapshots,
    recorder: TableRecorder,
) -> TableService:
    """All of them for one table; ``data`` is its data folder."""
    decks = data / "decks"
    return TableService(
        runner,
        source=source.name,
        version=__version__,
        picture=eye.snapshot,
        sight=lambda: sight(eye.process),
        pictures=lambda: pictures(eye.process, source.trouble()),
        complete=partial(complete_match, decks, source.header),
        snapshots=snapshots,
        decks=decks,
        card_photo=_card_photo,
        zones=zones,
        visitors=source.visitors,
        box=BoxChecker(
            runner, simulated=source.simulated, picture=eye.whole_picture, read=_read_box, pieces_of=box_pieces
        ),
        phone=source.phone,
        recording=HostRecording(runner, recorder, eye, data),
        photos=CardPhotos(
            runner,
            simulated=source.simulated,
            picture=eye.whole_picture,
            read=card_reader.read_cards,
            can_read=card_reader.can_read,
        ),
    )


def box_pieces(typed: JSON | None, game: str | None) -> Mapping[str, BoxPiece]:
    """What belongs into a box, by what its sticker says: cards, the game's other pieces, command cards and seat tags.

    Raises:
        InputError: A deck with faults, or no such game.
    """
    from companion.system.printing.orders import ordered_deck  # loads ReportLab, which few need
    from companion.system.sticker_sheets import labels

    module, deck = ordered_deck(PrintOrder(deck=typed, game=game))
    return {
        sticker_text(label.token, label.letters): BoxPiece(label.token, label.names, label.prefix)
        for group in labels(module.stickers(deck))
        for label in group
    }


def _read_box(picture: bytes, texts: Collection[str]) -> BoxReading:
    from vision.codes.box_reading import read_box  # loads OpenCV, which only a picture needs

    return read_box(picture, texts)


def _card_photo(picture: bytes) -> bytes:
    from vision.card_photo import card_photo  # loads OpenCV, which only a picture needs

    return card_photo(picture)
