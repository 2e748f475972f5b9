"""Prints an order from the command line or from a page."""

from __future__ import annotations

import datetime
import re

from companion.errors import InputError, fault
from companion.games import registry
from companion.games.game_module import GameModule
from companion.games.printed import PrintedThing
from companion.public.decks import DEFAULT_GAME_NAME
from companion.public.i18n import Names, Translations
from companion.public.layout import Layout, read_layout
from companion.public.machine import PRINTABLE, PrintOrder
from companion.public.table import COMMAND_CARDS
from companion.public.text import JSON, Text
from companion.system import sticker_sheets
from companion.system.printing import cards, mat
from companion.system.printing.label_sheets import label_sheet

MARK = re.compile("[A-Za-z0-9]{1,3}")


def printed(order: PrintOrder, day: datetime.date | None = None) -> bytes:
    """The PDF file of an order.

    Args:
        day: Printed on the sheets; ``None`` = today.

    Raises:
        InputError: It cannot be printed, or the deck has faults.
    """
    from web.pages.game_pages import own_pages

    day = day or datetime.date.today()
    if order.mark and not MARK.fullmatch(order.mark):
        sentence = 'A mark has one to three letters or digits, not "{mark}".'
        raise InputError(fault("sheets.fault.mark", sentence, mark=order.mark[:20]))
    module, deck = ordered_deck(order)
    pages = own_pages(module.name)
    pictogram_of = (lambda _: None) if pages is None else pages.pictogram_of
    size_mm = module.decks.sticker_mm if order.size_mm is None else order.size_mm
    match order.what:
        case "stickers":
            return sticker_sheets.pdf(
                module.decks.stickers(deck),
                day,
                size_mm=size_mm,
                paper=order.paper,
                language=order.language,
                pictogram_of=pictogram_of,
                labels_of=label_sheet(order.labels) if order.labels else None,
                only=order.only,
                mark=order.mark,
            )
        case "cards" | "commands":
            stickers = module.decks.stickers(deck)
            cards.check_sticker(size_mm)
            alone = order.what == "commands"
            if not module.prints and not alone:
                message = "The cards of {game} cannot be printed; its stickers can."
                raise InputError(fault("sheets.fault.no_cards", message, game=module.name))
            things: tuple[PrintedThing, ...] = ()
            if not alone:
                things = module.printed(deck, order.language, size_mm, registry.history(module))
            own = [thing.label for thing in things]
            return cards.pdf(
                stickers.deck,
                stickers.edition,
                things,
                () if alone else [label for label in stickers.others if label.round and label not in own],
                day,
                commands=[label for label in stickers.others if label.token in COMMAND_CARDS],
                sticker_mm=size_mm,
                paper=order.paper,
                language=order.language,
                pictogram_of=pictogram_of,
                symbol_of=(lambda _: None) if pages is None else pages.symbol_of,
                only=order.only,
                mark=order.mark,
            )
        case "mat":
            layout = _layout(module, order.table)
            return mat.pdf(
                layout, day, paper=order.paper, language=order.language, zone_word=_ZoneWords(order.language)
            )
        case other:
            message = '"{wanted}" cannot be printed; there are: {known}.'
            raise InputError(fault("sheets.fault.what", message, wanted=other, known=", ".join(PRINTABLE)))


def ordered_deck(order: PrintOrder) -> tuple[GameModule, JSON]:
    """The game and the deck of an order.

    Raises:
        InputError: There is no such game.
    """
    named = registry.game_module(order.game or DEFAULT_GAME_NAME)
    deck = registry.demo_deck(named) if order.deck is None else order.deck
    return registry.deck_module(deck), deck


def _layout(module: GameModule, table: JSON | None) -> Layout:
    if table is not None:
        return read_layout(table)
    return registry.open_match(registry.demo_match(module), registry.demo_deck(module)).game.table.layout


class _ZoneWords:
    """The displayed name of a zone in one language; the zone's own name if the catalogs have none."""

    def __init__(self, language: str) -> None:
        from web.language import LOCALE_FOLDER

        self._language = language
        self._translations = Translations((*registry.locale_folders(), LOCALE_FOLDER))

    def __call__(self, zone: str) -> str:
        head, _, seat = zone.partition("-")
        key = f"js.zone.{head}"
        if key not in self._translations.keys(self._language):
            return zone
        seat_word = sticker_sheets.SEAT_LABEL.get(self._language, "")
        return self._translations.say(Text(key, {"who": f"{seat_word} {seat}"}), self._language, Names())
