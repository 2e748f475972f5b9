"""What a game offers before there is a match: how its files are read, what is printed, and who plays at a
simulated table."""

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
    from random import Random  # handed in: a game throws no dice of its own

    from companion.games.printed import PrintedThing
    from companion.simulation.people import People


@dataclass(frozen=True, slots=True)
class StickerLabel:
    """One sticker to print.

    Attributes:
        token: What its code says.
        names: What it is for, by language.
        prefix: Stands before the name whatever the language is, such as the card's number.
        colour: The card's colour as ``#RRGGBB``; ``None`` for none.
        letters: Of the game that it belongs to.
        round: It is a counter: cut out as a circle around its code, and laid on the table as it is.
        scale: It is so many times as large as the others, code and all.
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
    """What else a deck file as JSON can be written as. Faults of the deck do not matter: what can be shown is.

    Attributes:
        to_csv: For a deck and a language: a spreadsheet.
        from_csv: For a spreadsheet and the name of the deck: the deck; raises ``InputError`` with every fault.
        graph: For a deck and a language: which card needs which, as the text of an SVG file.
    """

    to_csv: Callable[[JSON, str], bytes]
    from_csv: Callable[[bytes, str], JSON]
    graph: Callable[[JSON, str], str]


@dataclass(frozen=True, slots=True)
class DeckDrawing:
    """What the page on which somebody enters a deck draws; nothing has to be finished for it.

    Attributes:
        patterns: What he picks from for a thing, as that page knows it.
        things: For a deck as JSON: each of its things as pages draw it, ``None`` for one that lacks something.
    """

    patterns: Callable[[], tuple[JSON, ...]]
    things: Callable[[JSON], list[JSON]]


@dataclass(frozen=True, kw_only=True)
class DeckBook:
    """All about the decks of a game. A simple game, whose deck is always the same, writes ``form`` and ``stickers``.

    Attributes:
        form: What a deck of it consists of.
        stickers: What is printed for a deck file as JSON; raises ``InputError`` with every fault.
        check: Every fault of a deck file as JSON, then what is odd about it but can be played with.
        is_entered: Whether a card of a deck file as JSON says all that play needs.
        lines: The lines that show a deck to people, where they are more than the ids of its things; raises
            ``InputError`` with every fault.
        sticker_mm: The outer edge of its stickers, where nobody asks for another.
        things_key: What a deck file calls the list of its things: ``card``.
        learned: For a deck file as JSON and the public state at the end of a match: the deck with what people told of
            its things while they played, for the next match; ``None`` = they tell nothing of it.
        drawn: For a match: its things as pages draw them, each with its ``id``; ``None`` = the deck file says enough.
        printed: For a deck, a language, the side of a sticker in millimetres, and a line of history by card and
            language: its cards or tiles as they are printed to play with (``companion.games.printed``); ``None`` = they
            cannot be. Imported when it is called.
        formats: What else its decks can be written as; ``None`` = nothing.
        drawing: What the page draws on which its decks are entered; ``None`` = it draws nothing, or there is none.
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
        """The lines that show a deck to people.

        Raises:
            InputError: With every fault.
        """
        return self.form.cards if self.lines is None else self.lines(document)


@dataclass(frozen=True, kw_only=True)
class Demonstration:
    """How a game is shown and tried without people: its first match, and who plays at a simulated table.

    Attributes:
        match: The match that a newcomer is shown.
        random_player: For a match: what somebody who plays at random thinks of doing, from the public state.
        people: Everybody around a simulated table, for a match, its header (``{"match": …, "deck": …}``), the layout
            and a seed; raises ``InputError`` where they cannot play it. Imported when it is called.
        made_match: A match file as dice make it, for a profile; ``None`` = always ``match``.
        has_visitors: A visitor may play a seat: its people carry out what he asks for.
    """

    match: Mapping[str, JSON]
    random_player: Callable[[Any], Callable[[Any, Random, MoveContext], Iterator[Move]]]
    people: Callable[[Any, Mapping[str, JSON], Layout, int], People]
    made_match: Callable[[Random, str], dict[str, JSON]] | None = None
    has_visitors: bool = False

    def random_match(self, dice: Random, profile: str) -> dict[str, JSON]:
        """A match file as dice make it, for a profile."""
        return dict(self.match) if self.made_match is None else self.made_match(dice, profile)


@dataclass(frozen=True, kw_only=True)
class GameModule:
    """All that the rest of the program asks of a game before there is a match of it.

    Attributes:
        name: What match files and decks call it.
        letters: The two letters with which its stickers begin.
        package: Its folder as Python imports it; ``demo_deck.toml`` and the catalogs in ``locale`` are there.
        open_match: A match from a match file and a deck file as JSON; raises ``InputError`` with every fault.
        profiles: The variants of its rules.
        decks: All about its decks.
        demonstration: Its first match, and the people of a simulated table.
        usual_profile: Under which a match is listed that names none.
        next_match: The same match file again, with whoever begins next.
    """

    name: str
    letters: str
    package: str
    open_match: Callable[[JSON, JSON], Game[Any, Any]]
    profiles: tuple[str, ...]
    decks: DeckBook
    demonstration: Demonstration
    usual_profile: str = ""
    next_match: Callable[[Mapping[str, JSON]], dict[str, JSON]] = dict
