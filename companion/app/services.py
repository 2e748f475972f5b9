"""Puts together the services of a table and the actions of its machine."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.eye import TableEye
from companion.app.matches import complete_match
from companion.app.recording_page import HostRecording
from companion.app.sources import TableSource
from companion.app.table_plugins import TablePlugins
from companion.public.box_reading import BoxReading
from companion.public.codes import sticker_text
from companion.public.machine import PrintOrder, SystemActions
from companion.public.text import JSON
from companion.public.updates import Signal, Update
from companion.service.box_check import BoxPiece
from companion.service.box_checker import BoxChecker
from companion.service.card_photos import CardPhotos
from companion.service.runner import MatchRunner
from companion.service.table_service import TableService
from companion.storage.snapshots import Snapshots
from companion.storage.whole_backup import open_backup
from companion.system import card_reader
from companion.system.camera_check import examination, pictures, sight
from companion.system.own_wifi import own_wifi
from companion.system.systemd import may_shut_down, shut_down
from companion.version import __version__

if TYPE_CHECKING:  # gpiozero is loaded where a panel is opened
    from hardware.outputs import Outputs


def table_services(
    runner: MatchRunner,
    data: Path,
    source: TableSource,
    eye: TableEye,
    snapshots: Snapshots,
) -> TableService:
    """The services of one table; ``data`` is its data folder."""
    decks = data / "decks"
    return TableService(
        runner,
        source=source.name,
        version=__version__,
        picture=eye.snapshot,
        drawn=eye.colour_picture if source.simulated else None,
        sight=lambda: sight(eye.process),
        pictures=lambda: pictures(eye.process, None if source.phone is None else source.phone.trouble()),
        complete=partial(complete_match, decks, source.header),
        snapshots=snapshots,
        decks=decks,
        card_photo=_card_photo,
        zones=eye.zones,
        visitors=source.visitors,
        box=BoxChecker(
            runner, simulated=source.simulated, picture=eye.whole_picture, read=_read_box, pieces_of=box_pieces
        ),
        phone=source.phone,
        recording=HostRecording(runner, eye.recorder, eye, data),
        page_picture=eye.page_picture,
        photos=CardPhotos(
            runner,
            simulated=source.simulated,
            picture=eye.whole_picture,
            read=card_reader.read_cards,
            can_read=card_reader.can_read,
        ),
    )


def system_actions(outputs: Outputs, data: Path, services: TableService, opened: TablePlugins) -> SystemActions:
    """The actions available on every machine; shutting down only if the system permits it.

    Args:
        outputs: Its lamps and buzzers.
        data: The data folder.
        opened: Its plug-ins.
    """
    from companion.system.printing.orders import printed  # loads ReportLab, which is rarely needed

    return SystemActions(
        sheets=printed,
        set_quiet=lambda night, mute: outputs.set_quiet(night=night, mute=mute),
        night=outputs.night,
        muted=outputs.mute,
        lamp=(lambda: outputs(Update(None, Signal.PRIZE))) if outputs.visible else None,
        shut_down=shut_down if may_shut_down() else None,
        examine=examination(
            data,
            lambda: {
                **opened.health(),
                **services.setup.health(),
                "lamps": outputs.left_out,
                "left_out": opened.left_out,
            },
        ),
        health=opened.health,
        backup=partial(open_backup, data),
        own_wifi=own_wifi,
    )


def box_pieces(typed: JSON | None, game: str | None) -> Mapping[str, BoxPiece]:
    """What belongs in a box, by sticker text: cards, the game's other pieces, command cards and seat tags.

    Raises:
        InputError: The deck has faults, or there is no such game.
    """
    from companion.system.printing.orders import ordered_deck  # loads ReportLab, which is rarely needed
    from companion.system.sticker_sheets import labels

    module, deck = ordered_deck(PrintOrder(deck=typed, game=game))
    return {
        sticker_text(label.token, label.letters): BoxPiece(label.token, label.names, label.prefix)
        for group in labels(module.decks.stickers(deck))
        for label in group
    }


def _read_box(picture: bytes, texts: Collection[str]) -> BoxReading:
    from vision.codes.box_reading import read_box  # loads OpenCV only for a picture

    return read_box(picture, texts)


def _card_photo(picture: bytes) -> bytes:
    from vision.card_photo import card_photo  # loads OpenCV only for a picture

    return card_photo(picture)
