"""The table's own decks as files, with the pictures of their cards beside them."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from pathlib import Path

from companion.errors import Fault, InputError, fault
from companion.games.game_module import GameModule
from companion.games.registry import GAMES, deck_module, game_module
from companion.public.decks import DECK_NAME, LANGUAGE, DeckForm
from companion.public.text import JSON, fault_text
from companion.storage.toml_file import read_toml, toml_text, write_toml

DEEPEST = 5
"""How deep lists and tables may be nested in an entry of a deck."""


def deck_form(module: GameModule) -> JSON:
    """What the form for a new deck shows: ``{"families", "cards", "things", "patterns"}``.

    ``cards`` are the ids in printed order, ``things`` is the deck file's word for their list, and ``patterns`` are
    what people choose from when they enter a card.
    """
    form = module.decks.form
    patterns = () if module.decks.drawing is None else module.decks.drawing.patterns()
    return {
        "families": list(form.families),
        "cards": list(form.cards),
        "things": module.decks.things_key,
        "patterns": list(patterns),
    }


def check_typed(document: JSON) -> JSON:
    """Check a deck as typed: ``{"faults", "open"}``, each as ``{"what", "where"}``.

    Also ``"drawn"`` if the game draws what is entered.

    Raises:
        InputError: There is no such game.
    """
    module = deck_module(document)
    faults, gaps = module.decks.check(document)
    checked = {"faults": [_fault_json(fault) for fault in faults], "open": [_fault_json(gap) for gap in gaps]}
    return checked if module.decks.drawing is None else {**checked, "drawn": module.decks.drawing.things(document)}


def deck_files(folder: Path) -> tuple[JSON, ...]:
    """This table's decks by name: ``{"name", "file", "title", "entered"}``, and for a game other than the
    default also ``{"game", "of"}``. Files that cannot be read are left out.
    """
    decks = []
    for path in sorted(folder.glob("*.toml")):
        try:
            document = read_toml(path).content
        except InputError:
            continue
        head = document.get("deck")
        title = head.get("name", path.stem) if isinstance(head, Mapping) else path.stem
        entered = deck_from_form(document)
        decks.append({"name": path.stem, "file": path.name, "title": str(title), "entered": entered} | _game(document))
    return tuple(decks)


def _game(document: Mapping[str, JSON]) -> dict[str, JSON]:
    """``{"game", "of"}`` for a game other than the default; ``of`` counts the cards of a full deck."""
    try:
        module = deck_module(document)
    except InputError:  # a game that this table does not know
        head = document.get("deck")
        return {"game": str(head.get("game")) if isinstance(head, Mapping) else "?", "of": 0}
    return {} if module is game_module() else {"game": module.name, "of": len(module.decks.form.cards)}


def newest_deck(folder: Path, game: str) -> str | None:
    """The file of the full deck of this game that was saved last; ``None`` if there is none."""
    default = game_module()
    cards = len(GAMES[game].decks.form.cards) if game in GAMES else 0
    mine = [one for one in deck_files(folder) if one.get("game", default.name) == game and one["entered"] >= cards > 0]
    return max(mine, key=lambda one: _saved(folder / one["file"]), default={"file": None})["file"]


def _saved(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:  # it was deleted just now
        return 0


def deck_file(folder: Path, name: str) -> JSON | None:
    """A deck of this table as JSON, as typed; ``None`` if there is none.

    Raises:
        InputError: The file is not valid TOML.
    """
    path = folder / f"{name}.toml"
    return read_toml(path).content if DECK_NAME.fullmatch(name) and path.is_file() else None


def save_deck(folder: Path, name: str, document: JSON) -> JSON:
    """Save a deck as typed, finished or not, and check it.

    Returns:
        ``{"name", "file", "entered", "faults", "open"}``. ``faults`` is what is wrong, ``open`` what is still missing,
        both as ``{"what", "where"}``; ``what`` may be a ``Text``. Also ``"drawn"`` if the game draws what is entered.

    Raises:
        InputError: The name or the document cannot be saved at all.
    """
    if not DECK_NAME.fullmatch(name):
        raise InputError(fault("deck.fault.file", "a deck's name has small letters, digits and hyphens", "name"))
    if (folder / f"{name}.toml").is_file() and _game(deck_file(folder, name) or {}) != _game(document):
        raise InputError(fault("deck.fault.other_game", "there is a deck of another game by that name", "name"))
    kept = _kept(document)
    checked = check_typed(document)
    write_toml(folder / f"{name}.toml", kept, sections=1)
    return {"name": name, "file": f"{name}.toml", "entered": deck_from_form(document), **checked}


def deck_from_form(document: Mapping[str, JSON]) -> int:
    """How many cards have everything that play needs, such as a name."""
    try:
        module = deck_module(document)
    except InputError:  # a deck of a game that this table does not know
        return 0
    things = document.get(module.decks.things_key)
    rows = [thing for thing in things if isinstance(thing, Mapping)] if isinstance(things, list) else []
    return sum(map(module.decks.is_entered, rows))


def _fault_json(fault: Fault) -> JSON:
    return {"what": fault_text(fault) if fault.key else fault.what, "where": list(fault.where)}


def deck_toml(document: JSON) -> str:
    """A deck as TOML text.

    Raises:
        InputError: It does not have the outer form of a deck, or names an unknown game.
    """
    return toml_text(_kept(document), sections=1)


def _kept(document: JSON) -> dict[str, JSON]:
    """The parts of a typed deck that a deck of its game may have."""
    module = deck_module(document)
    listed = module.decks.things_key
    head, cards = (document.get(key) if isinstance(document, Mapping) else None for key in ("deck", listed))
    if not isinstance(head, Mapping) or not isinstance(cards, list) or len(cards) > 99:
        message = 'a deck has a table "deck" and a list "{list}"'
        raise InputError(fault("deck.fault.outer", message, list=listed))
    if not all(isinstance(card, Mapping) for card in cards):
        raise InputError(fault("deck.fault.row", "every card is a table", listed))
    top = {key: head[key] for key in ("game", "name", "edition") if key in head}
    rows = [{key: card[key] for key in module.decks.form.card_keys if key in card} for card in cards]
    belongs = _is_text if module is game_module() else _is_flat
    values = [(value, _is_text) for value in top.values()]
    values += [(value, belongs) for row in rows for value in row.values()]
    for value, fits in values:
        if not fits(value):
            shown = json.dumps(value)[:60] if fits is _is_text else type(value).__name__
            raise InputError(fault("deck.fault.value", "{value} does not belong on a card", value=shown))
    return {"deck": top, listed: rows}


def _is_flat(value: JSON) -> bool:
    """Whether a deck file of a game other than the default may give a card this value."""
    return value is not None and _depth(value) <= DEEPEST


def _is_text(value: JSON) -> bool:
    """Whether it is a text, a list of texts, or a text for each language."""
    match value:
        case str():
            return True
        case list():
            return all(isinstance(item, str) for item in value)
        case Mapping():
            return all(LANGUAGE.fullmatch(str(key)) and isinstance(item, str) for key, item in value.items())
        case _:
            return False


def _depth(value: JSON) -> int:
    """How deep lists and tables are nested, counted up to one more than ``DEEPEST``."""
    layer, depth = [value], 0
    while depth <= DEEPEST:
        inner = [one.values() if isinstance(one, Mapping) else one for one in layer if isinstance(one, Mapping | list)]
        if not inner:
            break
        layer, depth = [part for parts in inner for part in parts], depth + 1
    return depth


def keep_picture(folder: Path, deck: str, card: str, jpeg: bytes) -> bool:
    """Save a card's picture, replacing the old one; ``False`` = there is no such deck or card."""
    path = _path(folder, deck, card)
    if path is None or not (folder / f"{deck}.toml").is_file():
        return False
    path.parent.mkdir(exist_ok=True)
    fresh = path.with_suffix(".new")
    fresh.write_bytes(jpeg)
    fresh.replace(path)
    return True


def read_picture(folder: Path, deck: str, card: str) -> bytes | None:
    """A card's picture as JPEG; ``None`` if there is none."""
    path = _path(folder, deck, card)
    return path.read_bytes() if path is not None and path.is_file() else None


def forget_picture(folder: Path, deck: str, card: str) -> bool:
    """Delete a card's picture; ``False`` = there was none."""
    path = _path(folder, deck, card)
    if path is None or not path.is_file():
        return False
    path.unlink()
    return True


def listed_pictures(folder: Path, deck: str) -> tuple[str, ...]:
    """The cards of a deck that have a picture."""
    if not DECK_NAME.fullmatch(deck):
        return ()
    card_id = _form(folder, deck).card_id
    return tuple(path.stem for path in sorted((folder / deck).glob("*.jpg")) if card_id.fullmatch(path.stem))


def clear_pictures(folder: Path, deck: str, cards: Collection[str]) -> None:
    """Delete the pictures of cards that are no longer in the deck.

    Args:
        cards: The ids that keep their pictures.
    """
    for card in listed_pictures(folder, deck):
        if card not in cards:
            forget_picture(folder, deck, card)


def _path(folder: Path, deck: str, card: str) -> Path | None:
    if not DECK_NAME.fullmatch(deck) or not _form(folder, deck).card_id.fullmatch(card):
        return None
    return folder / deck / f"{card}.jpg"


def _form(folder: Path, deck: str) -> DeckForm:
    """The form of this deck's game; of the default game if the deck cannot be read."""
    try:
        return deck_module(deck_file(folder, deck)).decks.form
    except InputError:
        return game_module().decks.form
