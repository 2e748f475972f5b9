"""The deck: the cards with their prerequisites, and their form in a deck file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import TypeGuard

from companion.errors import Fault, InputError, shortened
from companion.public.decks import LANGUAGE
from companion.public.slips import nearest, plain_letters
from companion.public.table import CardId, Token
from companion.public.text import JSON, Text

FAMILIES = ("tools", "food", "society", "science", "techniques", "culture", "movement")
"""Rule book, "The families" (E:45-60, F:105-115)."""

FAMILY_NAMES = {
    "tools": {"en": "Tools", "fr": "Outils"},
    "food": {"en": "Food", "fr": "Alimentation"},
    "society": {"en": "Society", "fr": "Société"},
    "science": {"en": "Science", "fr": "Science"},
    "techniques": {"en": "Techniques", "fr": "Techniques"},
    "culture": {"en": "Culture", "fr": "Culture"},
    "movement": {"en": "Movement", "fr": "Mouvement"},
}

ERAS = 6
PER_ERA = 9
EVERY_ERA = range(1, ERAS + 1)
ERA_COLOURS = ("#F0E442", "#E69F00", "#D55E00", "#CC79A7", "#0072B2", "#009E73")

IDS = frozenset(f"{era}-{number}" for era in EVERY_ERA for number in range(1, PER_ERA + 1))
"""The cards of every deck (F:119, E:88-89)."""


KEYS = ("id", "name", "family", "prerequisites", "source")
"""The keys of a card in a deck file."""

MOST_PREREQUISITES = 3
MOST_CARDS = 200
"""The most cards of a file that are checked; no deck has more."""

FaultPlace = tuple[str | int, ...]
CardRow = tuple[int, Mapping[str, JSON]]


def check(document: JSON) -> tuple[tuple[Fault, ...], tuple[Fault, ...]]:
    """All faults of a parsed deck file, then oddities that do not prevent play."""
    if not isinstance(document, Mapping):
        return (Fault('A deck file holds a table "deck" and 54 tables "card".', (), "deck.fault.form"),), ()
    rows = _rows(document)
    listed = document.get("card")
    if isinstance(listed, list) and len(listed) > MOST_CARDS:
        sentence = f"{len(listed)} cards are too many: a deck has {ERAS * PER_ERA}."
        counts = {"count": len(listed), "cards_wanted": ERAS * PER_ERA}
        return (Fault(sentence, ("card",), "deck.fault.many", counts),), ()
    if listed is not None and not isinstance(listed, list):
        return tuple(_head(document)), ()  # do not also report all cards as missing
    names = names_of(rows)
    faults = chain(
        _head(document),
        *(_row_faults(row, names) for row in rows),
        _numbers(rows),
        _strangers(rows),
        _circles(_needs(rows)),
        _openers(rows),
    )
    return tuple(faults), (*_gaps(rows), *_from_later(rows), *_same_names(rows), *_languages(rows))


def _rows(document: Mapping[str, JSON]) -> tuple[CardRow, ...]:
    cards = document.get("card")
    return tuple((i, row) for i, row in enumerate(cards) if isinstance(row, Mapping)) if isinstance(cards, list) else ()


def _head(document: Mapping[str, JSON]) -> Iterator[Fault]:
    """The faults of the file's outer structure."""
    yield from _unknown(document, ("deck", "card"), ())
    head = document.get("deck")
    if not isinstance(head, Mapping):
        yield Fault('The table "deck" with a name and an edition is missing.', ("deck",), "deck.fault.head")
    else:
        yield from _unknown(head, ("game", "name", "edition"), ("deck",))
        for key in ("name", "edition"):
            if not _says(head.get(key)):
                yield Fault(
                    f'A deck says its {key} in words: {key} = "…".', ("deck", key), "deck.fault.says", {"key": key}
                )
    cards = document.get("card")
    if not isinstance(cards, list):
        yield Fault('There are no cards: each begins with "[[card]]".', ("card",), "deck.fault.no_cards")
        return
    for index, row in enumerate(cards):
        if not isinstance(row, Mapping):
            yield Fault(
                "A card is a table with an id, a name, a family and prerequisites.", ("card", index), "deck.fault.card"
            )


def _unknown(table: Mapping[str, JSON], keys: tuple[str, ...], where: FaultPlace) -> Iterator[Fault]:
    for key in table:
        if key not in keys:
            fault = Fault(
                f'"{key}" is not a key of a deck file here; known are: {", ".join(keys)}.',
                (*where, str(key)),
                "deck.fault.unknown",
                {"key": str(key), "known": ", ".join(keys)},
            )
            yield _meant(fault, nearest(str(key), keys))


def _meant(fault: Fault, meant: str | None) -> Fault:
    """A fault with a suggestion, if there is one."""
    if meant is None:
        return fault
    params = {"fault": Text(fault.key, dict(fault.params)), "meant": meant}
    return replace(fault, what=f"{fault.what} Did you mean {meant}?", key="deck.fault.meant", params=params)


_NEARLY_ID = re.compile(r"[C#]?\s*([1-6IL])\s*[^0-9A-Z]?\s*([1-9IL])")
_STICKER_ID = re.compile(r"DXC([1-6])([1-9])[0-9A-Z]")


def id_meant(written: JSON) -> str | None:
    """The card that a number in another notation means.

    >>> id_meant("1.8"), id_meant("C18"), id_meant("l–8"), id_meant(18), id_meant("DXC18Y"), id_meant("1-10")
    ('1-8', '1-8', '1-8', '1-8', '1-8', None)
    """
    if isinstance(written, bool) or not isinstance(written, str | int | float):
        return None
    text = str(written).strip().upper() if not isinstance(written, str) or len(written) <= 12 else ""
    match = _NEARLY_ID.fullmatch(text) or _STICKER_ID.fullmatch(text)
    return None if match is None else "-".join(sign.replace("I", "1").replace("L", "1") for sign in match.groups())


def names_of(rows: tuple[CardRow, ...]) -> dict[str, str]:
    """Every name of a deck in plain letters, with the first card that has it."""
    cards: dict[str, str] = {}
    for _, card in rows:
        names = card.get("name")
        if is_id(card.get("id")) and isinstance(names, Mapping):
            for name in names.values():
                if _says(name):
                    cards.setdefault(plain_letters(name), card["id"])
    return cards


def card_meant(written: JSON, names: Mapping[str, str]) -> str | None:
    """The card that a number in another notation, or a name, possibly misspelt, means."""
    if (card := id_meant(written)) is not None or not isinstance(written, str):
        return card
    name = nearest(written, names)
    return None if name is None else names[name]


def family_meant(written: JSON) -> str | None:
    """The family that a name in any language, possibly misspelt, means."""
    if not isinstance(written, str):
        return None
    families = {
        plain_letters(name): family for family, names in FAMILY_NAMES.items() for name in (family, *names.values())
    }
    likely = nearest(written, families)
    return None if likely is None else families[likely]


def _row_faults(row: CardRow, names: Mapping[str, str]) -> Iterator[Fault]:
    """The faults of one card by itself."""
    index, card = row
    where: FaultPlace = ("card", index)
    yield from _unknown(card, KEYS, where)
    if not is_id(card.get("id")):
        fault = Fault(
            f"A card's id is its era and number, 1-1 to {ERAS}-{PER_ERA}.",
            (*where, "id"),
            "deck.fault.id",
            {"last": f"{ERAS}-{PER_ERA}"},
        )
        yield _meant(fault, id_meant(card.get("id")))
    called = card.get("name", {})
    if not isinstance(called, Mapping) or not all(_says(name) for name in called.values()):
        yield Fault(
            'Names are given by language: name = { en = "Hunting", fr = "Chasse" }.',
            (*where, "name"),
            "deck.fault.names",
        )
    if "family" in card and card["family"] not in FAMILIES:
        fault = Fault(
            f'"{card["family"]}" is no family; there are: {", ".join(FAMILIES)}.',
            (*where, "family"),
            "deck.fault.family",
            {"family": str(card["family"]), "families": ", ".join(FAMILIES)},
        )
        yield _meant(fault, family_meant(card["family"]))
    if not isinstance(card.get("source", ""), str):
        yield Fault('A source is said in words, such as "rule book".', (*where, "source"), "deck.fault.source")
    if "prerequisites" in card:
        yield from _list_faults(card["prerequisites"], (*where, "prerequisites"), names)


def _list_faults(needs: JSON, where: FaultPlace, names: Mapping[str, str]) -> Iterator[Fault]:
    if not isinstance(needs, list):
        yield Fault('Prerequisites are a list of card ids: prerequisites = ["1-2", "1-5"].', where, "deck.fault.needs")
        return
    if len(needs) > MOST_PREREQUISITES:
        yield Fault(
            f"A card has at most {MOST_PREREQUISITES} prerequisites, this one {len(needs)}.",
            where,
            "deck.fault.too_many",
            {"most": MOST_PREREQUISITES, "count": len(needs)},
        )
        if len(needs) > ERAS * PER_ERA:
            return
    for place, need in enumerate(needs):
        if not is_id(need):
            fault = Fault(
                f"A prerequisite is a card's id, 1-1 to {ERAS}-{PER_ERA}, not {need!r}.",
                (*where, place),
                "deck.fault.need",
                {"last": f"{ERAS}-{PER_ERA}", "need": repr(need)},
            )
            yield _meant(fault, card_meant(need, names) if place < MOST_PREREQUISITES else None)
        elif need in needs[:place]:
            yield Fault(
                f"{need} stands twice among the prerequisites.", (*where, place), "deck.fault.twice", {"need": need}
            )


def _numbers(rows: tuple[CardRow, ...]) -> Iterator[Fault]:
    """Each number once in each era (F:34, F:101, E:35)."""
    seen: dict[str, int] = {}
    for index, card in rows:
        name = card.get("id")
        if is_id(name) and seen.setdefault(name, index) != index:
            yield Fault(
                f"{name} is card {seen[name] + 1} already; each number is there once.",
                ("card", index, "id"),
                "deck.fault.again",
                {"name": name, "place": seen[name] + 1},
            )
    for era in EVERY_ERA:
        missing = [f"{era}-{n}" for n in range(1, PER_ERA + 1) if f"{era}-{n}" not in seen]
        if missing:
            yield Fault(
                f"Era {era} has {PER_ERA} cards; missing: {', '.join(missing)}.",
                ("card",),
                "deck.fault.missing",
                {"era": era, "count": PER_ERA, "missing": ", ".join(missing)},
            )


def _strangers(rows: tuple[CardRow, ...]) -> Iterator[Fault]:
    """Prerequisites that are not cards of this deck."""
    ids = {card["id"] for _, card in rows if is_id(card.get("id"))}
    for index, card in rows:
        needs = card.get("prerequisites")
        for place, need in enumerate(needs[: ERAS * PER_ERA] if isinstance(needs, list) else ()):
            if is_id(need) and need not in ids:
                yield Fault(
                    f"{need} is no card of this deck.",
                    ("card", index, "prerequisites", place),
                    "deck.fault.stranger",
                    {"need": need},
                )


def _needs(rows: tuple[CardRow, ...]) -> dict[str, tuple[int, tuple[str, ...]]]:
    """For each readable card its index in the file and its prerequisites."""
    by_card: dict[str, tuple[int, tuple[str, ...]]] = {}
    for index, card in rows:
        needs = card.get("prerequisites")
        if is_id(card.get("id")):
            wanted = tuple(need for need in needs[: ERAS * PER_ERA] if is_id(need)) if isinstance(needs, list) else ()
            by_card.setdefault(card["id"], (index, wanted))
    return by_card


def _circles(needs: Mapping[str, tuple[int, tuple[str, ...]]]) -> Iterator[Fault]:
    """Cards that require themselves; each card is named in at most one cycle."""
    done: set[str] = set()

    def follow(path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        for need in dict.fromkeys(needs[path[-1]][1]):
            if need in path:
                yield (*path[path.index(need) :], need)
            elif need in needs and need not in done:
                yield from follow((*path, need))
        done.add(path[-1])

    for card in needs:
        if card not in done:
            for circle in follow((card,)):
                sentence = f"These wait for each other and can never be placed: {' needs '.join(circle)}."
                where = ("card", needs[circle[0]][0], "prerequisites")
                yield Fault(sentence, where, "deck.fault.circle", {"circle": " → ".join(circle)})


def _openers(rows: tuple[CardRow, ...]) -> Iterator[Fault]:
    """A card of era 1 must be placeable first; a card that is not entered yet could be it."""
    first = [card for _, card in rows if is_id(card.get("id")) and card["id"][0] == "1"]
    if first and all(card.get("prerequisites") for card in first):
        yield Fault(
            "No card of era 1 can be placed first: at least one has no prerequisites.", ("card",), "deck.fault.opener"
        )


def _gaps(rows: tuple[CardRow, ...]) -> Iterator[Fault]:
    """Facts that are not entered yet."""
    for index, card in rows:
        if "name" not in card:
            yield Fault("It has no name; its number is said instead.", ("card", index, "name"), "deck.fault.no_name")
        if "family" not in card:
            yield Fault(
                "Its family is not entered yet: it counts as unknown.",
                ("card", index, "family"),
                "deck.fault.no_family",
            )
        if "prerequisites" not in card:
            yield Fault(
                "Its prerequisites are not entered yet; if it has none: [].",
                ("card", index, "prerequisites"),
                "deck.fault.no_needs",
            )


def _from_later(rows: tuple[CardRow, ...]) -> Iterator[Fault]:
    """A prerequisite of a later era is odd, but the rule books do not forbid it."""
    for card, (index, needs) in _needs(rows).items():
        for need in needs:
            if need[0] > card[0]:
                yield Fault(
                    f"{need} is of a later era than {card}; is that so?",
                    ("card", index, "prerequisites"),
                    "deck.fault.later",
                    {"need": need, "other_card": card},
                )


def _same_names(rows: tuple[CardRow, ...]) -> Iterator[Fault]:
    """Two cards with the same name: probably one was copied and not changed."""
    seen: dict[tuple[str, str], str] = {}
    for index, card in rows:
        names = card.get("name")
        for language, name in names.items() if isinstance(names, Mapping) and is_id(card.get("id")) else ():
            first = seen.setdefault((language, plain_letters(name)), card["id"]) if _says(name) else card["id"]
            if first != card["id"]:
                yield Fault(
                    f'"{shortened(name, 60)}" is the name of {first} too; is that so?',
                    ("card", index, "name", language),
                    "deck.fault.same_name",
                    {"name": shortened(name, 60), "other_card": first},
                )


def _languages(rows: tuple[CardRow, ...]) -> Iterator[Fault]:
    """A language in which only some cards have a name, and invalid language codes."""
    named = [(card["id"], card["name"]) for _, card in rows if is_id(card.get("id")) and _is_table(card.get("name"))]
    counts: dict[str, int] = {}
    for _, names in named:
        for language in names:
            counts[language] = counts.get(language, 0) + 1
    for language, count in counts.items():
        if not LANGUAGE.fullmatch(language):
            fault = Fault(
                f'"{shortened(language, 20)}" is no code of a language; those are en, fr, de and the like.',
                ("card",),
                "deck.fault.language",
                {"language": shortened(language, 20)},
            )
            yield _meant(fault, LANGUAGE_CODES.get(plain_letters(language)))
        elif count < len(named):
            without = [card for card, names in named if language not in names]
            yield Fault(
                f'Names in "{language}" are missing: {", ".join(without)}.',
                ("card",),
                "deck.fault.untranslated",
                {"language": language, "missing": ", ".join(without)},
            )


LANGUAGE_CODES = {
    **{"english": "en", "anglais": "en", "eng": "en", "french": "fr", "francais": "fr", "fra": "fr"},
    **{"german": "de", "allemand": "de", "deutsch": "de", "spanish": "es", "espagnol": "es", "espanol": "es"},
    **{"italian": "it", "italien": "it", "italiano": "it", "dutch": "nl", "neerlandais": "nl", "nederlands": "nl"},
    **{"portuguese": "pt", "portugais": "pt", "portugues": "pt", "greek": "el", "grec": "el", "russian": "ru"},
}
"""What people write instead of a code."""


def _is_table(value: JSON) -> TypeGuard[Mapping[str, JSON]]:
    return isinstance(value, Mapping)


def _says(words: JSON) -> bool:
    return isinstance(words, str) and bool(words.strip())


def is_id(text: JSON) -> TypeGuard[str]:
    return isinstance(text, str) and text in IDS


@dataclass(frozen=True, slots=True)
class Card:
    """One discovery card.

    Attributes:
        id: ``era-number``, unique in the deck (F:119, E:88-89).
        family: One of ``FAMILIES``; ``None`` if not entered.
        prerequisites: Cards that must be in the tree before it; ``None`` if not entered.
        names: By language.
        source: Where the facts come from: ``rule book``, ``authored`` or the owner.
    """

    id: CardId
    family: str | None
    prerequisites: frozenset[CardId] | None
    names: Mapping[str, str]
    source: str = ""

    @property
    def era(self) -> int:
        """1 to 6."""
        return int(self.id[0])

    @property
    def number(self) -> int:
        """1 to 9."""
        return int(self.id[2])


@dataclass(frozen=True)
class Deck:
    """54 cards, six eras of nine (E:35, F:34)."""

    name: str
    edition: str
    cards: Mapping[CardId, Card]

    @cached_property
    def tokens(self) -> Mapping[Token, CardId]:
        """The stickers of the cards."""
        return {Token(f"C{card.era}{card.number}"): card.id for card in self.cards.values()}


def read(document: JSON) -> Deck:
    """A deck from a parsed deck file (``deck`` and ``card``).

    Raises:
        InputError: All faults of the file.
    """
    faults, _ = check(document)
    if faults:
        raise InputError(*faults)
    cards = [_card(row) for row in document["card"]]
    return Deck(document["deck"]["name"], document["deck"]["edition"], {card.id: card for card in cards})


def is_entered(row: Mapping[str, JSON]) -> bool:
    """Whether a card of a deck file has a name, a family and prerequisites, possibly none."""
    return bool(row.get("name")) and bool(row.get("family")) and "prerequisites" in row


def _card(row: Mapping[str, JSON]) -> Card:
    needs = row.get("prerequisites")
    return Card(
        id=CardId(row["id"]),
        family=row.get("family"),
        prerequisites=None if needs is None else frozenset(CardId(need) for need in needs),
        names=dict(row.get("name", {})),
        source=row.get("source", ""),
    )
