"""The command line: all commands with their arguments."""

from __future__ import annotations

import argparse
import logging
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path

from companion.cli.arguments import minutes, port, seconds, speed
from companion.cli.completion import SHELLS, CommandParser
from companion.cli.output import DONE, INTERRUPTED, UNUSABLE, discard_output, flush_output, prepare_streams, print_error
from companion.errors import CompanionError, InputError
from companion.public.decks import DEFAULT_GAME_NAME
from companion.public.machine import ENDLESS_ROLL, OWN_GRID, OWN_ROLL, PRINTABLE
from companion.public.plugins import Plugin, plugins
from companion.public.sources import camera_names
from companion.version import __version__

log = logging.getLogger(__name__)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns 0 = done, 1 = the answer is no, 2 = unusable input, explained in one sentence."""
    prepare_streams()
    parsed = parser().parse_args(arguments)
    logging.basicConfig(
        format="%(levelname)s %(name)s: %(message)s", level=logging.INFO if parsed.verbose else logging.WARNING
    )
    try:
        if isinstance(parsed.command, str):
            module, _, command = parsed.command.partition(".")
            status: int = getattr(import_module(f"companion.cli.{module}"), command)(parsed)
        else:
            _check_switched_on(parsed.plugin, parsed)
            status = parsed.command(parsed)
        flush_output()
        return status
    except InputError as wrong:
        for line in str(wrong).splitlines():
            print_error(line)
        return UNUSABLE
    except CompanionError as wrong:
        print_error(str(wrong))
        return UNUSABLE
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        discard_output()  # the reader has closed the pipe
        return DONE


def parser() -> argparse.ArgumentParser:
    top = CommandParser(prog="companion", description="A camera over a real table that referees a real card game.")
    top.add_argument("--version", action="version", version=f"companion {__version__}")
    top.add_argument("--verbose", action="store_true", help="say more in the log (standard error)")
    offered = top.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, does: str | Callable[[argparse.Namespace], int], about: str) -> argparse.ArgumentParser:
        added = offered.add_parser(name, help=about, description=about)
        added.set_defaults(command=does)
        return added

    def add_commands_of(plugin: Plugin) -> None:
        def add(name: str, does: Callable[[argparse.Namespace], int], about: str) -> argparse.ArgumentParser:
            added = command(name, does, about)
            added.set_defaults(plugin=plugin.name)
            return added

        try:
            plugin.add_commands(add)
        except Exception as wrong:  # noqa: BLE001  # whatever a stranger's code raises, the other commands are there
            log.error("the plug-in %s adds no command (%s: %s)", plugin.name, type(wrong).__name__, wrong)

    run_command = command("run", "run.run", "Referee a table and show the scoreboard.")
    record_command = command("record", "run.record", "Referee a table and record what the eye looks at.")
    record_command.add_argument("folder", type=Path, metavar="FOLDER", help="gets the recording; new or empty")
    record_command.add_argument("--seconds", type=seconds, metavar="N", help="stop after N seconds (else at Ctrl-C)")
    record_command.add_argument("--ring", type=minutes, metavar="MINUTES", help="keep only the last MINUTES minutes")
    record_command.add_argument(
        "--format", choices=("png", "jpg"), help="png, or jpg of quality 95 (default: png if the disk keeps up)"
    )
    sources = f"simulated, {', '.join(camera_names())}, a folder or a video file"
    for table in (run_command, record_command):
        table.add_argument("--source", metavar="SRC", help=sources)
        table.add_argument(
            "--match", type=Path, metavar="match.toml", help="the match to play; else the host's page asks"
        )
        table.add_argument(
            "--game", metavar="NAME", help=f"the game that is shown without a match ({DEFAULT_GAME_NAME})"
        )
        table.add_argument("--port", type=port, default=8080, help="the scoreboard's port (%(default)s)")
        table.add_argument("--data", type=Path, metavar="DIR", help="where matches are kept")
        table.add_argument("--seed", type=int, default=1, help="simulated table: which match to play (%(default)s)")
        table.add_argument(
            "--speed", type=speed, default=1.0, help="simulated table: how fast, 0 = at once (%(default)s)"
        )

    host_command = command("host", "host.host", "Let the first phone become host, for a minute.")
    host_command.add_argument("--data", type=Path, metavar="DIR", help="where matches are kept")

    for plugin in plugins():
        add_commands_of(plugin)

    referee_command = command("referee", "referee.referee", "Referee recorded frames, or a bundle's record anew.")
    referee_command.add_argument(
        "frames",
        metavar="FRAMES",
        help="a folder of pictures, a video file, a recording (folder or .zip), or a bundle (.zip)",
    )
    referee_command.add_argument("--match", type=Path, metavar="match.toml", help="frames: the match that is played")
    referee_command.add_argument("--record", type=Path, metavar="out.jsonl", help="frames: where the record is written")

    scan_command = command("scan", "scan.scan", "Read the stickers in pictures.")
    scan_command.add_argument("images", nargs="+", metavar="IMAGE")
    scan_command.add_argument("--json", action="store_true", help="one line of JSON a picture")

    judge = command("judge", "records.judge", "Referee a match record anew, from its moves and corrections.")
    judge.add_argument("record", type=Path, metavar="RECORD")
    judge.add_argument("--json", action="store_true", help="the entries anew, one line of JSON each")

    about = (
        "Check, print, compare or convert deck files. "
        "A deck file in the folder decks of the data folder is offered on the host's page."
    )
    deck_commands = offered.add_parser("deck", help=about, description=about).add_subparsers(
        required=True, metavar="check|show|diff|convert"
    )

    def deck_command(name: str, does: str, about: str) -> argparse.ArgumentParser:
        added: argparse.ArgumentParser = deck_commands.add_parser(name, help=about, description=about)
        added.set_defaults(command=does)
        return added

    check = deck_command("check", "decks.deck_check", "Name everything that is wrong with deck files.")
    show = deck_command("show", "decks.deck_show", "Print a deck file's cards; several files side by side.")
    diff = deck_command("diff", "decks.deck_diff", "Say how deck files differ from the first one: 1 = they do.")
    for several in (check, show, diff):
        several.add_argument("files", nargs="+", type=Path, metavar="FILE")
    convert = deck_command(
        "convert", "decks.deck_convert", "Write a deck file as a spreadsheet (CSV), or the other way."
    )
    convert.add_argument("file", type=Path, metavar="FILE", help="deck.toml or deck.csv")
    convert.add_argument("out", type=Path, metavar="OUT", help="deck.csv or deck.toml; must not be there yet")
    convert.add_argument("--game", metavar="NAME", help=f"whose deck a spreadsheet is ({DEFAULT_GAME_NAME})")
    encoding_help = "of a spreadsheet that is neither UTF-8 nor UTF-16, such as cp1252 or mac_roman"
    convert.add_argument("--encoding", metavar="NAME", help=encoding_help)
    convert.add_argument("--language", choices=("en", "fr"), default="en", help="fr: semicolons, as a French Excel has")

    about = "Make the sheets to print: stickers and mat tags, cards or tiles to play with, command cards, the mat."
    stickers = command("stickers", "decks.stickers", about)
    stickers.add_argument("--deck", type=Path, metavar="FILE", help="the deck file (default: the demo deck)")
    stickers.add_argument("--game", metavar="NAME", help=f"the game of the demo deck ({DEFAULT_GAME_NAME})")
    stickers.add_argument("--out", type=Path, required=True, metavar="sheet.pdf", help="the PDF to write")
    stickers.add_argument("--size-mm", type=float, help="outer edge of a sticker (as the game needs it: 20 for cards)")
    paper_help = "a4 or letter; for the mat also a3, or whole: one page for a print shop"
    stickers.add_argument("--paper", choices=("a4", "letter", "a3", "whole"), default="a4", help=paper_help)
    stickers.add_argument("--language", choices=("en", "fr"), default="en", help="the names beside the codes")
    what_help = "stickers; cards: cards or tiles to play with; commands: command cards and seat tags as cards; mat"
    stickers.add_argument("--what", choices=PRINTABLE, default=PRINTABLE[0], help=what_help)
    labels_help = (
        f'stickers on bought labels such as L7651 or DK-11201, on a grid of your own, "{OWN_GRID}", or on a roll, '
        f'"{OWN_ROLL}" or "{ENDLESS_ROLL}" (mm)'
    )
    stickers.add_argument("--labels", metavar="NAME", help=labels_help)
    mark_help = "one to three letters or digits on every piece, so that two boxes at a club are told apart"
    stickers.add_argument("--mark", metavar="B", help=mark_help)
    zones_help = "for the mat: the zones of the [table] in a match file, or in the zones.toml of a data folder"
    stickers.add_argument("--zones", type=Path, metavar="FILE", help=zones_help)
    stickers.add_argument("--only", metavar="1-8,KEND,S2", help="these pieces alone, as their stickers name them")

    about = "Write the package of a new game, or see that an installed one keeps to what every game must."
    game_commands = offered.add_parser("game", help=about, description=about).add_subparsers(
        required=True, metavar="new|check|reference"
    )
    for name, about in (
        ("new", "Write a package that plays at once: the toy game under another name."),
        ("check", "Name everything that an installed game does not keep to."),
        ("reference", "Print a page with everything that a game may fill in, as Markdown."),
    ):
        game_command = game_commands.add_parser(name, help=about, description=about)
        game_command.set_defaults(command=f"games.{name}")
        if name != "reference":
            game_command.add_argument("name", metavar="NAME", help="the game")
        if name == "new":
            game_command.add_argument("--into", type=Path, metavar="DIR", default=Path(), help="default: this folder")

    matches = command("matches", "records.matches", "List the stored matches.")
    matches.add_argument("--figures", metavar="MATCH", help="show how well this match was refereed")
    export = command("export", "records.export", "Write a stored match's record to standard output.")
    export.add_argument("match", metavar="MATCH")
    bundle = "one file with record, pictures, deck, settings, versions and figures instead"
    export.add_argument("--bundle", type=Path, metavar="out.zip", help=bundle)
    take_in = command("import", "records.import_record", "Store a match record, or a bundle.")
    take_in.add_argument("record", type=Path, metavar="record.jsonl", help="the record or bundle to store")
    restore_command = command("restore", "restore.restore", "List the backups of the matches, or bring one back.")
    restore_command.add_argument("file", nargs="?", type=Path, metavar="FILE", help="the backup to bring back")
    restore_command.add_argument("--dry-run", action="store_true", help="only say what would be gained and lost")
    about = (
        "Write matches, codes, decks, settings and pictures into one file, for restore on any machine; "
        "out.sqlite: a hub's tournaments."
    )
    backup_command = command("backup", "restore.backup", about)
    backup_command.add_argument("file", type=Path, metavar="out.zip", help="the backup to write; must not be there yet")
    for kept in (matches, export, take_in, restore_command, backup_command):
        kept.add_argument("--data", type=Path, metavar="DIR", help="where matches are kept")

    doctor_command = command("doctor", "doctor.doctor", "Check camera, light, pins, clock, disk, power and network.")
    doctor_command.add_argument("--json", action="store_true", help="one line of JSON for each finding")
    doctor_command.add_argument(
        "--port", type=port, default=8080, help="where a running companion listens (%(default)s)"
    )
    doctor_command.add_argument("--data", type=Path, metavar="DIR", help="where matches are kept")
    doctor_command.add_argument("--source", metavar="SRC", help="the camera to look through")

    bench_command = command(
        "bench", "bench.bench", "Measure how fast the eye is here, each figure beside its baseline."
    )
    bench_command.add_argument("name", metavar="eye", help="films are drawn and read: some minutes")

    shells = command("completion", "completion.completion", "Print what makes a shell finish commands and options.")
    shells.add_argument("shell", choices=SHELLS)
    shells.set_defaults(whole=top)
    return top


def _check_switched_on(plugin: str, arguments: argparse.Namespace) -> None:
    """
    Raises:
        InputError: The settings switch this plug-in off.
    """
    from companion.cli.output import data_folder
    from companion.storage.settings import SETTINGS_FILE, read_settings

    folder = data_folder(getattr(arguments, "data", None))
    if plugin in read_settings(folder).switched_off:
        line = f"take its line out of [plugins] in {folder / SETTINGS_FILE}"
        raise InputError(f"{plugin} is switched off here: {line} to use it.")
