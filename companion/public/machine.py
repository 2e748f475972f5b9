"""What the computer under a table can do besides the match: print, send a backup, take an update, join a Wi-Fi.

Pages use it through ``SystemActions``. Permissions are as in ``companion.public.service``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from ipaddress import IPv4Network, ip_address
from typing import TYPE_CHECKING, BinaryIO, Protocol

from companion.public.service import Result, User
from companion.public.text import JSON, Text

if TYPE_CHECKING:  # msgspec is loaded where something is sent
    from companion.public.results import UploadProgress, WifiConnection

LONGEST_IN_NETWORK = 17
"""A Wi-Fi name has at most 32 bytes; ``companion-``, a hyphen and four digits take the others."""


@dataclass(frozen=True, slots=True)
class Box:
    """One table among several.

    Attributes:
        id: Eight hexadecimal digits, drawn once and unique; renaming the table does not change them.
        name: What people call it; may be empty.
        names_players: The host allows the players' names to be published.
    """

    id: str
    name: str = ""
    names_players: bool = False

    def in_network(self) -> str:
        """Its part of the name of the Wi-Fi that the box opens (``kitchen``); may be empty."""
        return plain_name(self.name)[:LONGEST_IN_NETWORK].strip("-")


def plain_name(name: str) -> str:
    """The name in small letters, digits and hyphens; may be empty.

    >>> plain_name("Küche 1/é")
    'kuche-1-e'
    """
    import unicodedata  # this module is imported by every command

    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")


@dataclass(frozen=True, slots=True)
class HostNote:
    """What the host should know of this machine now.

    Attributes:
        renumbers: Whether a new number for this table would help: its button is beside it.
    """

    text: Text | str
    renumbers: bool = False


PRINTABLE = ("stickers", "cards", "commands", "mat")

LABEL_SHEETS = (
    *("Avery L7651", "Avery L7160", "Avery L7163", "Avery L7164", "Avery L7165", "Avery L7666", "Avery C32011"),
    *("Herma 4608", "Herma 4614", "Herma 4828", "Avery 5162", "Avery 5163", "Avery 5164", "Avery 5371"),
    *("Brother DK-22205", "Brother DK-11209", "Brother DK-11201"),
)
"""Sheets and rolls of labels sold in shops, whose sizes are known."""

OWN_GRID = "4x11 48.3x25.4 at 8.4,8.8 step 48.3,25.4"
"""An example of a custom grid: columns and rows, the label's size, the first one's corner, the steps."""

OWN_ROLL, ENDLESS_ROLL = "roll 29x90", "roll 62"
"""Examples of rolls: the width and the length of a label, and the width of one without labels."""


@dataclass(frozen=True, slots=True)
class PrintOrder:
    """What to print.

    Attributes:
        what: ``stickers``, with the tags of the mat; ``cards``: cards to play with, or a game's tiles and tokens, with
            command cards and seat tags; ``commands``: only these; ``mat``: tags and zones in their places.
        size_mm: Outer edge of a sticker; ``None`` = the game's default.
        paper: ``a4`` or ``letter``; for the mat also ``a3`` and ``whole``.
        labels: A known sheet or roll of labels, or a custom one, for stickers; empty = plain paper.
        only: Print only these, each given by token, card number or sticker text; empty = all.
        deck: A deck file as JSON; ``None`` = the built-in one.
        game: The game whose built-in deck is used; ``None`` = the default game.
        mark: Up to three letters or digits printed on every piece, to tell two boxes apart; may be empty.
        table: The zones for the mat as a match file's ``[table]``; ``None`` = the game's default.
    """

    what: str = "stickers"
    size_mm: float | None = None
    paper: str = "a4"
    labels: str = ""
    language: str = "en"
    only: tuple[str, ...] = ()
    deck: JSON | None = None
    game: str | None = None
    mark: str = ""
    table: JSON | None = None


_SPECIAL = str.maketrans({sign: f"\\{sign}" for sign in '\\;,:"'})
_FIRST_SHARED = IPv4Network("10.42.0.0/24")


@dataclass(frozen=True, slots=True)
class OwnWifi:
    """The Wi-Fi that a box opens if it knows no other.

    Attributes:
        network: Its addresses; the default is what NetworkManager gives to the first network it shares.
    """

    name: str
    password: str
    network: IPv4Network = _FIRST_SHARED

    def holds(self, address: str) -> bool:
        """Whether an address belongs to it.

        >>> OwnWifi("companion-3fa9", "abc").holds("10.42.0.17"), OwnWifi("companion-3fa9", "abc").holds("10.42.1.17")
        (True, False)
        """
        try:
            return ip_address(address) in self.network
        except ValueError:
            return False

    @property
    def code(self) -> str:
        r"""The text of a QR code with which phones join (the notation of the ZXing project).

        >>> OwnWifi("companion-3fa9", "ab;c").code
        'WIFI:T:WPA;S:companion-3fa9;P:ab\\;c;;'
        """
        return f"WIFI:T:WPA;S:{self.name.translate(_SPECIAL)};P:{self.password.translate(_SPECIAL)};;"


class UploadService(Protocol):
    """A file that the host sends from a page in pieces. It is checked as a whole, described, and then used.

    Each answer is the state as JSON. ``why`` and ``last`` are a ``Text`` or a sentence. For a backup, ``changes`` is a
    list of ``Text``; for an update, ``now`` is the running version, and ``version`` the new one.
    """

    def state(self, user: User) -> Result[UploadProgress]:
        """Host: ``state``: ``idle``, ``coming``, ``checking``, ``ready``, ``refused`` or ``taken``."""

    def begin(self, user: User, name: str, size: int) -> Result[UploadProgress]:
        """Host: start sending a file of this size in bytes."""

    def add(self, user: User, at: int, piece: bytes) -> Result[UploadProgress]:
        """Host: add the piece that begins at byte ``at``."""

    def take(self, user: User) -> Result[UploadProgress]:
        """Host: restart with the backup (``code``: the new host code, ``None`` = unchanged), or install the update."""

    def drop(self, user: User) -> Result[UploadProgress]:
        """Host: discard the file."""


class WifiService(Protocol):
    """The box's Wi-Fi connection, which the host can change."""

    def state(self, user: User) -> Result[WifiConnection]:
        """Host: the state of the connection.

        ``state``: ``idle`` or ``working``; ``own``: whether the box has opened its own Wi-Fi; ``now``: the name of its
        network or ``None``; ``networks``: those in reach as ``name``, ``secured`` and ``signal``; ``last``: the result
        of the last attempt as a text or ``None``; ``address``: the address of its pages in any network.
        """

    def join(self, user: User, name: str, password: str) -> Result[WifiConnection]:
        """Host: join this Wi-Fi as soon as the page has its answer; returns the state.

        An empty password means an open network. If joining fails, the old connection is kept.
        """


@dataclass(slots=True)
class SystemActions:
    """The actions of this computer; ``None`` = not available.

    Attributes:
        sheets: Print sheets as a PDF file. Raises InputError.
        set_quiet: Set the panel's night and mute.
        lamp: Demonstrate lamp and buzzer once.
        shut_down: Shut the box down.
        examine: Run the checks of ``companion doctor``, which takes some seconds: ``{"name", "level", "what",
            "to_do"}``, the last two as ``Text``.
        id: The table's unique id (``companion.storage.box``); empty = it has none.
        backup: A full backup of this table, opened. Raises InputError, LogError, or OSError for a full disk.
        restore: Takes such a file from a page; loaded at the first use.
        update: Takes a newer version of the program from a page.
        wifi: Connects the box to the Wi-Fi of the house.
        own_wifi: The Wi-Fi that the box has opened now, if any.
        rename: Change this table's name, and whether the players' names are published. Raises InputError if the name
            cannot be displayed, OSError if it cannot be saved.
        notes: What the host should know of this machine now, such as a missing medium for backups.
        renumber: Draw a new number for this table. Raises OSError if it cannot be saved.
        health: What plug-ins add to the table's health.
        night, muted: The last settings.
        name: What people call this table; may be empty.
        names_players: Whether the players' names are published; ``None`` = nothing is published.
    """

    sheets: Callable[[PrintOrder], bytes] | None = None
    set_quiet: Callable[[bool, bool], None] | None = None
    lamp: Callable[[], None] | None = None
    shut_down: Callable[[], None] | None = None
    examine: Callable[[], tuple[JSON, ...]] | None = None
    backup: Callable[[], BinaryIO] | None = None
    restore: Callable[[], UploadService] | None = None
    update: UploadService | None = None
    wifi: WifiService | None = None
    own_wifi: Callable[[], OwnWifi | None] = lambda: None
    rename: Callable[[str, bool], None] | None = None
    renumber: Callable[[], None] | None = None
    health: Callable[[], Mapping[str, JSON]] = dict
    notes: Callable[[], tuple[HostNote, ...]] = lambda: ()
    id: str = ""
    night: bool = False
    muted: bool = False
    name: str = ""
    names_players: bool | None = None
