"""The table's own decks, as hosts type them in and photograph their cards."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from companion.errors import InputError, fault
from companion.games.game_module import AlphabetUnknown, DeckFormats
from companion.games.registry import GAMES, deck_module, demo_deck, game_module
from companion.public.results import DeckCard, ReadDeck, SavedDeck, SpreadsheetReading
from companion.public.service import Denied, Done, Invalid, NotFound, Result, Role, Unavailable, User
from companion.public.text import JSON, Text
from companion.reading.text import MOST_TOML_BYTES
from companion.service.archive import ask_as_host
from companion.service.runner import MatchRunner
from companion.storage import decks


class DeckEditor:
    """A ``DeckService`` over a folder.

    Args:
        runner: Saves decks in its thread.
        folder: The decks; ``None`` = this table has none of its own.
        card_photo: Scales a phone's picture of a card down; raises InputError. Without it no pictures are saved.
    """

    def __init__(
        self, runner: MatchRunner, folder: Path | None, card_photo: Callable[[bytes], bytes] | None = None
    ) -> None:
        self._runner = runner
        self._folder = folder
        self._card_photo = card_photo

    def form(self, game: str | None = None) -> JSON:
        return decks.deck_form(game_module() if game is None else GAMES[game])

    def check(self, deck: JSON) -> JSON:
        return decks.check_typed(deck)

    def summaries(self) -> tuple[JSON, ...]:
        return () if self._folder is None else decks.deck_files(self._folder)

    def newest(self, game: str) -> str | None:
        return None if self._folder is None else decks.newest_deck(self._folder, game)

    def deck(self, name: str) -> JSON | None:
        return None if self._folder is None else decks.deck_file(self._folder, name)

    def demo(self, game: str | None = None) -> JSON:
        return demo_deck(game_module() if game is None else GAMES[game])

    def spreadsheet(self, name: str, language: str) -> bytes | None:
        formats = self._formats(name)
        return None if formats is None else formats[1].to_csv(formats[0], language)

    def read_spreadsheet(self, user: User, name: str, content: bytes, encoding: str = "") -> Result[ReadDeck]:
        if user.role is not Role.HOST:
            return Denied(Text("desk.host_only"))
        formats = game_module().decks.formats
        if formats is None:
            return NotFound()
        if len(content) > MOST_TOML_BYTES:
            return Invalid.of(
                InputError(fault("input.fault.size", "it is longer than {most}; shorten it", most="128 kB"))
            )
        named = {"encoding": encoding} if encoding else {}
        try:
            return Done({"deck": formats.from_csv(content, name, **named)})
        except AlphabetUnknown as wrong:
            readings: list[SpreadsheetReading] = [
                {"encoding": one, "words": list(words)} for one, words in wrong.readings.items()
            ]
            return Done({"readings": readings})
        except InputError as wrong:
            return Invalid.of(wrong)

    def _formats(self, name: str) -> tuple[JSON, DeckFormats] | None:
        try:
            deck = self.deck(name)
            module = deck_module(deck)
        except InputError:  # the file is unreadable, or its game is unknown here
            return None
        return None if deck is None or module.decks.formats is None else (deck, module.decks.formats)

    def save_deck(self, user: User, name: str, deck: JSON) -> Result[SavedDeck]:
        folder = self._folder

        def change() -> SavedDeck | None:
            if folder is None:
                return None
            summary: SavedDeck = decks.save_deck(folder, name, deck)
            listed = deck_module(deck).decks.things_key
            decks.clear_pictures(folder, name, {str(card.get("id")) for card in deck[listed]})
            return summary

        return ask_as_host(self._runner, user, change)

    def pictured_cards(self, user: User, deck: str) -> tuple[str, ...]:
        if self._folder is None or user.role not in (Role.SEAT, Role.HOST):
            return ()
        return decks.listed_pictures(self._folder, deck)

    def card_picture(self, deck: str, card: str) -> bytes | None:
        return None if self._folder is None else decks.read_picture(self._folder, deck, card)

    def keep_card_picture(self, user: User, deck: str, card: str, picture: bytes) -> Result[DeckCard]:
        """The picture is scaled down here, not in the referee's thread."""
        make_small = self._card_photo
        return self._change_picture(
            user,
            deck,
            card,
            lambda folder: make_small is not None and decks.keep_picture(folder, deck, card, make_small(picture)),
        )

    def delete_card_picture(self, user: User, deck: str, card: str) -> Result[DeckCard]:
        return self._change_picture(user, deck, card, lambda folder: decks.forget_picture(folder, deck, card))

    def _change_picture(self, user: User, deck: str, card: str, change: Callable[[Path], bool]) -> Result[DeckCard]:
        if user.role is not Role.HOST:
            return Denied(Text("desk.host_only"))
        try:
            done = self._folder is not None and change(self._folder)
        except InputError as error:
            return Invalid.of(error)
        except OSError as error:
            return Unavailable(str(error))
        return Done({"name": deck, "card": card}) if done else NotFound()
