"""Which match a table plays: opens the stored ones, and resumes or begins one."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from companion.app.live_table import check_simulated
from companion.errors import InputError, fault
from companion.games import registry
from companion.games.game_module import GameModule
from companion.games.protocol import Game
from companion.games.registry import demo_match
from companion.public.text import JSON
from companion.service.runner import MatchRunner
from companion.storage import match_file
from companion.storage.backup import Keeper, backup_folders
from companion.storage.event_log import EventLog, StoredMatch
from companion.storage.repair import open_or_recover
from companion.storage.settings import Settings
from companion.storage.snapshots import SNAPSHOT_FOLDER, Snapshots

log = logging.getLogger(__name__)


def open_matches(data: Path, settings: Settings, stack: ExitStack) -> tuple[EventLog, Keeper, Snapshots]:
    """The matches of a data folder, who makes backups of them, and their pictures; closed with ``stack``.

    Raises:
        LogError: They cannot be stored there.
    """
    matches = open_or_recover(data, backup_folders(data, settings))
    stack.callback(matches.close)
    for missing in matches.losses.gone():
        log.error("%s is missing: entries of it were written down, and the match is no longer there", missing)
    for stored, damage in matches.damages():
        log.error("%s %s", stored, damage)
    keeper = Keeper(matches, settings.backup)
    stack.callback(keeper.close)
    snapshots = Snapshots(data / SNAPSHOT_FOLDER, {stored.id for stored in matches.each_match()})
    stack.callback(snapshots.close)
    return matches, keeper, snapshots


def begin_or_go_on(
    runner: MatchRunner, file: Path | None, seeded: Mapping[str, JSON], named: GameModule | None = None
) -> None:
    """Resume an unfinished match, or begin one.

    Args:
        file: Play this match: resume the unfinished one with the same match file and deck, whatever its seed, or begin
            it. Without a file: resume the last one; if there is none, a simulated table plays its demonstration.
        seeded: Additional header keys of a simulated match. It is not resumed under a camera, nor a real one without.
        named: Only a match of this game; ``None`` = any, and the default game's demonstration.

    Raises:
        InputError: The file holds no playable match, or one of another game than ``named``.
    """

    def suits(stored: StoredMatch) -> bool:
        if named is not None and registry.named_game(stored.header["match"], stored.header.get("deck")) != named.name:
            return False
        if seeded and "simulated" in stored.header:
            try:
                check_simulated(stored.header)
            except InputError as wrong:
                log.error("%s is not gone on with: %s", stored.id, wrong)
                return False
        return ("simulated" in stored.header) == bool(seeded)

    if file is not None:
        header = {**match_file.read_match(file).header, **seeded}
        if named is not None and game_of(header) is not named:
            raise InputError(f"{file}: is a match of {game_of(header).name}, not of {named.name}; leave out --game")
        if seeded:
            check_simulated(header)

        def is_same(stored: StoredMatch) -> bool:
            return suits(stored) and all(stored.header.get(key) == header.get(key) for key in ("match", "deck"))

        if not runner.resume(is_same):
            runner.begin(header)
    elif not runner.resume(suits) and seeded:
        module = named or registry.game_module()
        runner.begin({"match": demo_match(module), "deck": registry.demo_deck(module), **seeded})


def complete_match(decks: Path, seeded: Mapping[str, JSON], match: Mapping[str, JSON]) -> Mapping[str, JSON]:
    """The header of a match begun on a page, with its deck: the built-in one, or a file in the folder ``decks``.

    Raises:
        InputError: It cannot be played.
    """
    named = match.get("deck")
    if named is None:
        deck = registry.demo_deck(registry.match_module(match))
    else:
        if not isinstance(named, str) or Path(named).name != named:
            raise InputError(fault("match.fault.deck", "name a deck file of this table", "deck"))
        deck = match_file.read_deck(decks / named)
    header: dict[str, JSON] = {"match": match, "deck": deck, **seeded}
    open_game(header)
    if seeded:
        check_simulated(header)
    return header


def game_of(header: Mapping[str, JSON]) -> GameModule:
    return registry.match_module(header["match"], header.get("deck"))


def open_game(header: Mapping[str, JSON]) -> Game[Any, Any]:
    """The game of a match, ready to be refereed.

    Raises:
        InputError: The header holds no playable match.
    """
    return registry.open_match(header["match"], header["deck"]).game
