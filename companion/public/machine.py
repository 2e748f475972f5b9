"""What the computer under a table can do, besides the match: print, send a backup, take an update, join a Wi-Fi.

Pages ask for it by way of ``SystemActions``. Who may ask is decided as in ``companion.public.service``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import IPv4Network, ip_address
from typing import BinaryIO, Protocol

from companion.public.service import Result, User
from companion.public.text import JSON

PRINTABLE = ("stickers", "cards", "commands", "mat")
"""What a ``PrintOrder`` may ask for."""

LABEL_SHEETS = (
    *("Avery L7651", "Avery L7160", "Avery L7163", "Avery L7164", "Avery L7165", "Avery L7666", "Avery C32011"),
    *("Herma 4608", "Herma 4614", "Herma 4828", "Avery 5162", "Avery 5163", "Avery 5164", "Avery 5371"),
)
"""Bought sheets of labels whose grids are known."""

OWN_GRID = "4x11 48.3x25.4 at 8.4,8.8 step 48.3,25.4"
"""How a grid of one's own is written: columns and rows, the label's size, the first one's corner, the steps."""


@dataclass(frozen=True, slots=True)
class PrintOrder:
    """What somebody wants printed.

    Attributes:
        what: ``stickers`` and the tags of the mat; ``cards`` to play with, or a game's tiles and tokens, with command
            cards and seat tags; ``commands``: these alone; ``mat``: tags and zones in their places.
        size_mm: Outer edge of a sticker; ``None`` = as the game needs it.
        paper: ``a4`` or ``letter``; for the mat also ``a3`` and ``whole``.
        labels: A bought sheet of labels, or a grid of one's own, for stickers; empty = plain paper.
        only: These pieces alone, each by its token, its card's number or its sticker's text; none = all.
        deck: A deck file as JSON; ``None`` = the built-in one.
        game: The game whose built-in deck is meant; ``None`` = the usual one.
        mark: Up to three letters or digits for people, on every piece, so that two boxes are told apart; empty = none.
        table: The zones for the mat as a match file's ``[table]``; ``None`` = the game's usual ones.
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
    """The Wi-Fi that a box makes where it knows none.

    Attributes:
        network: Its addresses; the usual ones are those that NetworkManager gives to the first network it shares.
    """

    name: str
    password: str
    network: IPv4Network = _FIRST_SHARED

    def holds(self, address: str) -> bool:
        """Whether somebody with this address is in it.

        >>> OwnWifi("companion-3fa9", "abc").holds("10.42.0.17"), OwnWifi("companion-3fa9", "abc").holds("10.42.1.17")
        (True, False)
        """
        try:
            return ip_address(address) in self.network
        except ValueError:
            return False

    @property
    def code(self) -> str:
        r"""What a phone's camera takes for it (the notation of the ZXing project, as phones read it).

        >>> OwnWifi("companion-3fa9", "ab;c").code
        'WIFI:T:WPA;S:companion-3fa9;P:ab\\;c;;'
        """
        return f"WIFI:T:WPA;S:{self.name.translate(_SPECIAL)};P:{self.password.translate(_SPECIAL)};;"


class UploadService(Protocol):
    """A file that the host sends from a page in pieces; it is looked at whole, told, and taken.

    Each answer is the state as JSON. ``why`` and ``last`` are texts or sentences. Of a backup ``changes`` are texts,
    too; of an update ``now`` is the version that runs, and ``version`` its own.
    """

    def state(self, user: User) -> Result:
        """Host: ``state``: ``idle``, ``coming``, ``checking``, ``ready``, ``refused`` or ``taken``."""

    def begin(self, user: User, name: str, size: int) -> Result:
        """Host: a file of so many bytes is about to come."""

    def add(self, user: User, at: int, piece: bytes) -> Result:
        """Host: the piece that begins at this byte."""

    def take(self, user: User) -> Result:
        """Host: start anew with the backup (``code`` is the host's from then on, ``None`` = as before), or install."""

    def drop(self, user: User) -> Result:
        """Host: forget what came."""


class WifiService(Protocol):
    """The Wi-Fi that the box is in: the host may take it into another one."""

    def state(self, user: User) -> Result:
        """Host: ``state`` (``idle`` or ``working``), ``own``: it makes a Wi-Fi of its own, ``now``: the name of the one
        it is in or ``None``, ``networks``: those in reach as ``name``, ``secured`` and ``signal``, ``last``: what came
        of the last time as a text or ``None``, ``address``: where its pages are in any network."""

    def join(self, user: User, name: str, password: str) -> Result:
        """Host: join this Wi-Fi, as soon as the page has its answer; an empty password = it wants none. Where that
        fails all is as before. The answer is the state."""


@dataclass(slots=True)
class SystemActions:
    """What there is to ask for; ``None`` where this box cannot.

    Attributes:
        sheets: Whatever can be printed, as a PDF file. Raises InputError.
        set_quiet: Makes the panel quiet: night, mute.
        lamp: Shows the lamp's and the buzzer's best once.
        shut_down: Switches the box off in good order.
        examine: Looks at everything as ``companion doctor`` does, which takes some seconds: ``{"name", "level", "what",
            "to_do"}``, the last two as ``Text``.
        id: What no other table has (``companion.storage.box``); empty = this is no table of its own.
        backup: Everything of this table in one file, opened. Raises InputError, LogError, or OSError for a full disk.
        restore: Who takes such a file from a page; it is loaded when somebody asks for it.
        update: Takes a newer version of the program from a page.
        wifi: Takes the box into the Wi-Fi of the house.
        own_wifi: The Wi-Fi that the box makes now; ``None`` = it makes none.
        rename: Keeps another name of this table, and whether its broker may be told who sits where. Raises InputError
            when nobody could read the name, OSError when it cannot be kept.
        night, muted: As was set last.
        name: What people call this table; empty = nobody has named it.
        names_players: Whether the broker is told who sits where; ``None`` = there is no broker.
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
    id: str = ""
    night: bool = False
    muted: bool = False
    name: str = ""
    names_players: bool | None = None
