"""What a game provides before there is a match: its files, printing, and the players of a simulated table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion.errors import Fault
from companion.games.protocol import Game, Move, MoveContext
from companion.public.codes import COMMON_LETTERS
from companion.public.decks import DeckForm
from companion.public.layout import Layout
from companion.public.table import Token
from companion.public.text import JSON

if TYPE_CHECKING:
    from random import Random  # passed in: a game has no randomness of its own

    from companion.games.printed import PrintedThing
    from companion.simulation.people import People


@dataclass(frozen=True, slots=True)
class StickerLabel:
    """One sticker to print.

    Attributes:
        token: The token of its code.
        names: The name of the thing, by language.
        prefix: Text before the name in every language, such as the card's number.
        colour: The card's colour as ``#RRGGBB``; ``None`` for none.
        letters: The letters of its game.
        round: Whether it is a counter: cut out as a circle around its code, and used as it is.
        scale: Its size relative to the others, including the code.
    """

    token: Token
    names: Mapping[str, str]
    prefix: str = ""
    colour: str | None = None
    letters: str = COMMON_LETTERS
    round: bool = False
    scale: float = 1.0


@dataclass(frozen=True, slots=True)
class StickerSet:
    """The stickers of a deck: those of its cards, and others that every match needs (jokers)."""

    deck: str
    edition: str
    cards: tuple[StickerLabel, ...]
    others: tuple[StickerLabel, ...]


@dataclass(frozen=True, slots=True)
class DeckFormats:
    """Other formats of a deck file, given as JSON. A faulty deck is converted as far as possible.

    Attributes:
        to_csv: From a deck and a language: a spreadsheet.
        from_csv: From a spreadsheet and the name of the deck: the deck; raises ``InputError`` with all faults.
        graph: From a deck and a language: the graph of prerequisites as an SVG file.
    """

    to_csv: Callable[[JSON, str], bytes]
    from_csv: Callable[[bytes, str], JSON]
    graph: Callable[[JSON, str], str]


@dataclass(frozen=True, slots=True)
class DeckDrawing:
    """Drawings for the page on which a deck is entered; the deck may be incomplete.

    Attributes:
        patterns: The choices for a thing, in the form that the page expects.
        things: From a deck as JSON: each of its things as pages draw it, ``None`` for an incomplete one.
    """

    patterns: Callable[[], tuple[JSON, ...]]
    things: Callable[[JSON], list[JSON]]


@dataclass(frozen=True, kw_only=True)
class DeckBook:
    """Everything about the decks of a game. A simple game with a fixed deck only needs ``form`` and ``stickers``.

    Attributes:
        form: The parts of a deck.
        stickers: The stickers of a deck file as JSON; raises ``InputError`` with all faults.
        check: All faults of a deck file as JSON, then oddities that do not prevent play.
        is_entered: Whether a card of a deck file as JSON has everything that play needs.
        lines: A deck as text, if that is more than the ids of its things; raises ``InputError`` with all faults.
        sticker_mm: The default outer width of its stickers.
        things_key: The key of the things in a deck file: ``card``.
        learned: From a deck file as JSON and the public state at the end of a match: the deck with the facts that
            players entered during the match, for the next one; ``None`` = they enter none.
        drawn: From a match: its things as pages draw them, each with its ``id``; ``None`` = the deck file is enough.
        printed: From a deck, a language, the side of a sticker in millimetres, and a line of history by card and
            language: its cards or tiles, printed for play without the box (``companion.games.printed``); ``None`` = not
            available. Imported when it is called.
        formats: Other formats of its decks; ``None`` = none.
        drawing: Drawings for the page on which its decks are entered; ``None`` = none.
    """

    form: DeckForm
    stickers: Callable[[JSON], StickerSet]
    check: Callable[[JSON], tuple[tuple[Fault, ...], tuple[Fault, ...]]] = lambda _deck: ((), ())
    is_entered: Callable[[Mapping[str, JSON]], bool] = lambda _card: True
    lines: Callable[[JSON], tuple[str, ...]] | None = None
    sticker_mm: float = 20.0
    things_key: str = "card"
    learned: Callable[[Mapping[str, JSON], Any], JSON] | None = None
    drawn: Callable[[Any], list[JSON]] | None = None
    printed: Callable[[JSON, str, float, Mapping[str, Mapping[str, str]]], tuple[PrintedThing, ...]] | None = None
    formats: DeckFormats | None = None
    drawing: DeckDrawing | None = None

    def read(self, document: JSON) -> tuple[str, ...]:
        """A deck as lines of text.

        Raises:
            InputError: All faults.
        """
        return self.form.cards if self.lines is None else self.lines(document)


@dataclass(frozen=True, kw_only=True)
class Demonstration:
    """A game without people: its first match, and the players of a simulated table.

    Attributes:
        match: The match for newcomers.
        random_player: From a match: a function that proposes random moves for a public state.
        people: The players of a simulated table, for a match, its header (``{"match": …, "deck": …}``), the layout and
            a seed; raises ``InputError`` if they cannot play it. Imported when it is called.
        made_match: A random match file for a profile; ``None`` = always ``match``.
        has_visitors: Whether a visitor may play a seat: the simulated hands carry out the visitor's moves.
    """

    match: Mapping[str, JSON]
    random_player: Callable[[Any], Callable[[Any, Random, MoveContext], Iterator[Move]]]
    people: Callable[[Any, Mapping[str, JSON], Layout, int], People]
    made_match: Callable[[Random, str], dict[str, JSON]] | None = None
    has_visitors: bool = False

    def random_match(self, dice: Random, profile: str) -> dict[str, JSON]:
        """A random match file for a profile."""
        return dict(self.match) if self.made_match is None else self.made_match(dice, profile)


@dataclass(frozen=True, kw_only=True)
class GameModule:
    """Everything that the program needs of a game before there is a match.

    Attributes:
        name: As in match files and decks.
        letters: The two first letters of its stickers.
        package: Its Python package, with ``demo_deck.toml`` and the catalogs in ``locale``.
        open_match: A match from a match file and a deck file as JSON; raises ``InputError`` with all faults.
        decks: Everything about its decks.
        demonstration: Its first match, and the players of a simulated table.
        profiles: The variants of its rules; a game without variants has one without a name.
        usual_profile: The profile of a match that names none.
        next_match: The same match file with the next first player.
    """

    name: str
    letters: str
    package: str
    open_match: Callable[[JSON, JSON], Game[Any, Any]]
    decks: DeckBook
    demonstration: Demonstration
    profiles: tuple[str, ...] = ("",)
    usual_profile: str = ""
    next_match: Callable[[Mapping[str, JSON]], dict[str, JSON]] = dict
