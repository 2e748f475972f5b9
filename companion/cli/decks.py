"""``companion deck`` and ``companion stickers``."""

from __future__ import annotations

import argparse
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

from companion.cli.output import DONE, NO, UNUSABLE, print_error, print_line
from companion.cli.progress import ProgressLine
from companion.errors import MOST_FAULTS, InputError
from companion.public.decks import DEFAULT_GAME_NAME
from companion.public.text import JSON

if TYPE_CHECKING:
    from companion.games.game_module import DeckFormats
    from companion.storage.toml_file import Document


def deck_check(arguments: argparse.Namespace) -> int:
    """Print every fault of one deck or of several; an unreadable file does not hide the next one's faults."""
    answers = []
    for file in arguments.files:
        try:
            answers.append(_check(file))
        except InputError as wrong:
            if len(arguments.files) == 1:
                raise
            for line in str(wrong).splitlines():
                print_error(line)
            answers.append(UNUSABLE)
    return max(answers)


def _check(file: Path) -> int:
    from companion.games.registry import deck_module
    from companion.storage.toml_file import read_toml

    document = read_toml(file)
    faults, warnings = document.located(deck_module).decks.check(document.content)
    for fault in faults[:MOST_FAULTS]:
        print_line(document.locate(fault).what)
    if len(faults) > MOST_FAULTS:
        print_line(f"{file}: and {len(faults) - MOST_FAULTS} faults more; mend these first")
    for warning in warnings[: 3 * MOST_FAULTS]:
        print_line(f"{document.locate(warning).what} (only a warning)")
    if not faults:
        print_line(f"{file}: a good deck")
    return NO if faults else DONE


def deck_show(arguments: argparse.Namespace) -> int:
    """Print a deck, or several side by side."""
    from companion.games.registry import deck_module
    from companion.storage.toml_file import read_toml

    columns = [read_toml(file).located(lambda deck: deck_module(deck).decks.read(deck)) for file in arguments.files]
    widths = [max(map(len, lines)) for lines in columns]
    for row in zip_longest(*columns, fillvalue=""):
        print_line(" | ".join(line.ljust(width) for line, width in zip(row, widths, strict=True)).rstrip())
    return DONE


def deck_diff(arguments: argparse.Namespace) -> int:
    """Print how decks differ from the first, one line for each difference."""
    from companion.games.registry import deck_module
    from companion.public.decks import differences
    from companion.storage.toml_file import read_toml

    if len(arguments.files) < 2:
        raise InputError(f"{arguments.files[0]}: is one deck; name another to compare it with")
    first, *others = (read_toml(file) for file in arguments.files)
    game = first.located(deck_module)
    differ = False
    for other in others:
        if (module := other.located(deck_module)) is not game:
            raise InputError(f"{other.path}: is a deck of {module.name}, and {first.path} of {game.name}")
        for one in differences(first.content, other.content, game.decks.things_key):
            differ = True
            before, after = one.words()
            print_line(f"{one.where}: {before} → {after} ({other.path})")
    if not differ:
        print_line(f"{', '.join(map(str, arguments.files))}: no difference")
    return NO if differ else DONE


def deck_convert(arguments: argparse.Namespace) -> int:
    """Convert a deck file to a spreadsheet, or back."""
    from companion.games.game_module import AlphabetUnknown
    from companion.games.registry import game_module
    from companion.reading.text import MOST_TOML_BYTES
    from companion.storage.decks import deck_toml

    if arguments.out.exists():
        raise InputError(f"{arguments.out}: is there already; name another file")
    match arguments.file.suffix.lower(), arguments.out.suffix.lower():
        case ".toml", ".csv":
            document, formats = _formats(arguments.file)
            _write(arguments.out, document.located(lambda deck: formats.to_csv(deck, arguments.language)))
        case ".csv", ".toml":
            module = game_module(arguments.game or DEFAULT_GAME_NAME)
            if module.decks.formats is None:
                raise InputError(f"{arguments.file}: decks of {module.name} are not made of spreadsheets")
            try:
                with arguments.file.open("rb") as file:
                    content = file.read(MOST_TOML_BYTES + 1)
            except OSError as wrong:
                raise InputError(f"{arguments.file}: cannot be read ({wrong.strerror})") from wrong
            named = {"encoding": arguments.encoding} if arguments.encoding else {}
            try:
                deck = module.decks.formats.from_csv(content, arguments.file.stem, **named)
            except AlphabetUnknown as wrong:
                how = f"name the right one, as in --encoding {next(iter(wrong.readings))}, or save it as CSV UTF-8"
                raise InputError(f"{arguments.file}: {wrong}; {how}") from wrong
            except InputError as wrong:
                raise InputError(*(f"{arguments.file}: {fault.what}" for fault in wrong.faults)) from wrong
            _write(arguments.out, deck_toml(deck).encode())
            return _check(arguments.out)
        case _:
            raise InputError(f"{arguments.file} → {arguments.out}: write a .toml file as .csv, or a .csv file as .toml")
    return DONE


def _formats(file: Path) -> tuple[Document, DeckFormats]:
    """A deck file and the other formats of its game.

    Raises:
        InputError: The file cannot be read, or its game has no other formats.
    """
    from companion.games.registry import deck_module
    from companion.storage.toml_file import read_toml

    document = read_toml(file)
    module = document.located(deck_module)
    if module.decks.formats is None:
        raise InputError(f"{file}: decks of {module.name} are neither drawn nor written as spreadsheets")
    return document, module.decks.formats


def _write(out: Path, content: bytes) -> None:
    try:
        out.write_bytes(content)
    except OSError as wrong:
        raise InputError(f"{out}: cannot be written ({wrong.strerror})") from wrong


def _zones(file: Path) -> JSON:
    """The ``[table]`` of a match file, or of a table's saved zones.

    Raises:
        InputError: There is none, or it has faults.
    """
    from companion.public.layout import read_layout
    from companion.storage.toml_file import read_toml

    document = read_toml(file)
    if "table" not in document.content:
        raise InputError(f"{file}: there are no zones in this file; they stand in its [table]")
    document.located(lambda content: read_layout(content["table"]))
    return document.content["table"]


def stickers(arguments: argparse.Namespace) -> int:
    from companion.games.registry import deck_module
    from companion.public.machine import PrintOrder
    from companion.storage.toml_file import read_toml
    from companion.system.printing.orders import printed
    from companion.system.sticker_sheets import unprintable

    order = PrintOrder(
        what=arguments.what,
        size_mm=arguments.size_mm,
        paper=arguments.paper,
        labels=arguments.labels or "",
        language=arguments.language,
        only=tuple(filter(None, (arguments.only or "").split(","))),
        game=arguments.game,
        mark=arguments.mark or "",
    )
    if arguments.zones is not None:
        order = replace(order, table=_zones(arguments.zones))
    if arguments.deck is None:
        with ProgressLine("Drawing the sheets"):
            sheets = printed(order)
    else:
        document = read_toml(arguments.deck)
        module = document.located(deck_module)
        if arguments.game is not None and arguments.game != module.name:
            raise InputError(f"{arguments.deck}: is a deck of {module.name}, not of {arguments.game}; leave out --game")
        labels = document.located(module.decks.stickers)
        with ProgressLine("Drawing the sheets"):
            sheets = printed(replace(order, deck=document.content))
        if missing := unprintable(labels.cards, arguments.language):
            numbers = ", ".join(missing)
            print_error(f"{arguments.deck}: no letters on paper for the names of {numbers}; their numbers stand there")
    _write(arguments.out, sheets)
    return DONE
