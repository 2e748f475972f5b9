"""What a game provides before there is a match: its files, printing, and the players of a simulated table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import InitVar, dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from companion.errors import Fault, InputError
from companion.games.protocol import Game, Move, MoveContext
from companion.public.codes import COMMON_LETTERS
from companion.public.decks import DeckForm
from companion.public.layout import Layout
from companion.public.table import CardId, Token
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


def card_labels(tokens: Mapping[Token, CardId], letters: str) -> tuple[StickerLabel, ...]:
    """The stickers of things whose only name is their id."""
    return tuple(StickerLabel(token, {"en": card, "fr": card}, letters=letters) for token, card in tokens.items())


@dataclass(frozen=True, slots=True)
class StickerSet:
    """The stickers of a deck: those of its cards, and others that every match needs (jokers)."""

    deck: str
    edition: str
    cards: tuple[StickerLabel, ...]
    others: tuple[StickerLabel, ...]


class AlphabetUnknown(InputError):
    """A spreadsheet is not in Unicode, and only its owner can tell in which alphabet it is.

    Attributes:
        readings: Its first words with other letters than English has, by each encoding in which they may be.
    """

    def __init__(self, question: Fault, readings: Mapping[str, tuple[str, ...]]) -> None:
        super().__init__(question)
        self.readings = readings


@dataclass(frozen=True, slots=True)
class DeckFormats:
    """Other formats of a deck file, given as JSON. A faulty deck is converted as far as possible.

    Attributes:
        to_csv: From a deck and a language: a spreadsheet.
        from_csv: From a spreadsheet, the name of the deck, and ``encoding``, if the file's owner named it: the deck.
            Raises ``InputError`` with all faults, and ``AlphabetUnknown``.
        graph: Nothing asks for it; packages of before, whose decks could be drawn as a graph, still bring it.
    """

    to_csv: Callable[[JSON, str], bytes]
    from_csv: Callable[..., JSON]
    graph: InitVar[Callable[[JSON, str], str] | None] = None


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
    """Everything about the decks of a game.

    Attributes:
        form: The parts of a deck.
        parse: A deck file as JSON as the game's own value, which has at least ``name`` and ``edition``; raises
            ``InputError`` with all faults.
        labels: From a deck: the stickers of its cards, and the others that every match needs.
        check: All faults of a deck file as JSON, then oddities that do not prevent play.
        is_entered: Whether a card of a deck file as JSON has everything that play needs.
        lines: From a deck and its file: a line of text for each thing; ``None`` = their ids.
        sticker_mm: The default outer width of its stickers.
        things_key: The key of the things in a deck file: ``card``.
        learned: From a deck file as JSON and the public state at the end of a match: the deck with the facts that
            players entered during the match, for the next one; ``None`` = they enter none.
        drawn: From a match: its things as pages draw them, each with its ``id``; ``None`` = the deck file is enough.
        formats: Other formats of its decks; ``None`` = none.
        drawing: Drawings for the page on which its decks are entered; ``None`` = none.
    """

    form: DeckForm
    parse: Callable[[JSON], Any]
    labels: Callable[[Any], tuple[tuple[StickerLabel, ...], tuple[StickerLabel, ...]]]
    check: Callable[[JSON], tuple[tuple[Fault, ...], tuple[Fault, ...]]] = lambda _deck: ((), ())
    is_entered: Callable[[Mapping[str, JSON]], bool] = lambda _card: True
    lines: Callable[[Any, JSON], Iterable[str]] | None = None
    sticker_mm: float = 20.0
    things_key: str = "card"
    learned: Callable[[Mapping[str, JSON], Any], JSON] | None = None
    drawn: Callable[[Any], list[JSON]] | None = None
    formats: DeckFormats | None = None
    drawing: DeckDrawing | None = None

    def read(self, document: JSON) -> tuple[str, ...]:
        """A deck as lines of text.

        Raises:
            InputError: All faults.
        """
        deck = self.parse(document)
        lines = self.form.cards if self.lines is None else self.lines(deck, document)
        return (f"{deck.name} ({deck.edition})", *lines)

    def stickers(self, document: JSON) -> StickerSet:
        """The stickers of a deck.

        Raises:
            InputError: All faults.
        """
        deck = self.parse(document)
        return StickerSet(deck.name, deck.edition, *self.labels(deck))


@dataclass(frozen=True, kw_only=True)
class Demonstration:
    """A game without people: its first match, and the players of a simulated table.

    Attributes:
        match: The match for newcomers.
        random_player: From a match: a function that proposes random moves for a public state. It is made once for each
            match and asked for one move after the other, so it may remember what no table shows, such as what its hands
            hold. After a restart it is made anew in the middle of a match.
        people: The players of a simulated table, as ``GameModule.people``; ``None`` = ``people`` in the game's package.
        made_match: A random match file for a profile; ``None`` = always ``match``.
        has_visitors: Whether a visitor may play a seat: the simulated hands carry out the visitor's moves. Then its
            people answer ``things``, and its ``table.js`` has a ``hand``.
    """

    match: Mapping[str, JSON]
    random_player: Callable[[Any], Callable[[Any, Random, MoveContext], Iterator[Move]]]
    people: Callable[[Any, Mapping[str, JSON], Layout, int], People] | None = None
    made_match: Callable[[Random, str], dict[str, JSON]] | None = None
    has_visitors: bool = False

    def random_match(self, dice: Random, profile: str) -> dict[str, JSON]:
        """A random match file for a profile."""
        return dict(self.match) if self.made_match is None else self.made_match(dice, profile)


@dataclass(frozen=True, kw_only=True)
class GameModule:
    """Everything that the program needs of a game before there is a match.

    Two modules of its package are imported only when they are needed: ``people``, who throw dice, and ``printed``.

    Attributes:
        name: As in match files and decks.
        letters: The two first letters of its stickers.
        package: Its Python package, with ``demo_deck.toml`` and the catalogs in ``locale``.
        open: A match from a match file as JSON and a parsed deck; raises ``InputError`` with all faults.
        decks: Everything about its decks.
        demonstration: Its first match, and the players of a simulated table.
        profiles: The variants of its rules; a game without variants has one without a name.
        usual_profile: The profile of a match that names none.
        next_match: The same match file with the next first player.
    """

    name: str
    letters: str
    package: str
    open: Callable[[JSON, Any], Game[Any, Any]]
    decks: DeckBook
    demonstration: Demonstration
    profiles: tuple[str, ...] = ("",)
    usual_profile: str = ""
    next_match: Callable[[Mapping[str, JSON]], dict[str, JSON]] = dict

    def open_match(self, match: JSON, deck: JSON) -> Game[Any, Any]:
        """A match from a match file and a deck file as JSON.

        Raises:
            InputError: All faults of the deck, or else of the match.
        """
        return self.open(match, self.decks.parse(deck))

    def people(self, game: Game[Any, Any], header: Mapping[str, JSON], layout: Layout, seed: int) -> People:
        """The players of a simulated table, for a match and its header (``{"match": …, "deck": …}``).

        Raises:
            InputError: They cannot play it, such as on a table without its zones.
        """
        people = self.demonstration.people or import_module(f"{self.package}.people").people
        return people(game, header, layout, seed)

    @property
    def prints(self) -> bool:
        """Whether its cards or tiles can be printed, for play without the box."""
        return find_spec(f"{self.package}.printed") is not None

    def printed(
        self, document: JSON, language: str, sticker_mm: float, history: Mapping[str, Mapping[str, str]]
    ) -> tuple[PrintedThing, ...]:
        """The cards or tiles of a deck (``companion.games.printed``).

        Args:
            document: The deck file as JSON.
            language: That of their texts.
            sticker_mm: The side of their stickers, unless the game fixes it.
            history: A line of history by card and language.

        Raises:
            InputError: All faults of the deck.
        """
        deck, stickers = self.decks.parse(document), self.decks.stickers(document)
        printed: tuple[PrintedThing, ...] = import_module(f"{self.package}.printed").things(
            deck, stickers, language, sticker_mm, history
        )
        return printed

    def faces(self, document: JSON, language: str) -> tuple[PrintedThing, ...]:
        """Its pieces as they lie on a drawn table in colour, without their stickers: ``faces`` of ``printed``.

        Empty for a game without it; its pieces are drawn as plain as ``Shape`` has them.

        Raises:
            InputError: All faults of the deck.
        """
        if not self.prints:
            return ()
        drawn = getattr(import_module(f"{self.package}.printed"), "faces", None)
        return (
            () if drawn is None else tuple(drawn(self.decks.parse(document), self.decks.stickers(document), language))
        )
