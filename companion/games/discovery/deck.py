"""The deck: which card needs which, and how a deck file says so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TypeGuard

from companion.errors import Fault, InputError
from companion.public.table import CardId, Token
from companion.public.text import JSON

FAMILIES = ("tools", "food", "society", "science", "techniques", "culture", "movement")
"""Rule book, "The families" (E:45-60, F:105-115)."""

ERAS = 6
PER_ERA = 9
EVERY_ERA = range(1, ERAS + 1)

IDS = frozenset(f"{era}-{number}" for era in EVERY_ERA for number in range(1, PER_ERA + 1))
"""The cards of every deck (F:119, E:88-89)."""


KEYS = ("id", "name", "family", "prerequisites", "source")
"""What a card of a deck file may say."""

MOST_PREREQUISITES = 3
MOST_CARDS = 200
"""So many cards of a file are looked at; with more it is no deck."""

FaultPlace = tuple[str | int, ...]
CardRow = tuple[int, Mapping[str, JSON]]


def check(document: JSON) -> tuple[tuple[Fault, ...], tuple[Fault, ...]]:
    """Every fault of a parsed deck file, then what is odd about it but can be played with."""
    if not isinstance(document, Mapping):
        return (Fault('A deck file holds a table "deck" and 54 tables "card".', (), "deck.fault.form"),), ()
    rows = _rows(document)
    listed = document.get("card")
    if isinstance(listed, list) and len(listed) > MOST_CARDS:
        sentence = f"{len(listed)} cards are too many: a deck has {ERAS * PER_ERA}."
        counts = {"count": len(listed), "cards_wanted": ERAS * PER_ERA}
        return (Fault(sentence, ("card",), "deck.fault.many", counts),), ()
    if listed is not None and not isinstance(listed, list):
        return tuple(_head(document)), ()  # that all cards are missing follows from it
    faults = chain(
        _head(document),
        *(_row_faults(row) for row in rows),
        _numbers(rows),
        _strangers(rows),
        _circles(_needs(rows)),
        _openers(rows),
    )
    return tuple(faults), (*_gaps(rows), *_from_later(rows))


def _rows(document: Mapping[str, JSON]) -> tuple[CardRow, ...]:
    cards = document.get("card")
    return tuple((i, row) for i, row in enumerate(cards) if isinstance(row, Mapping)) if isinstance(cards, list) else ()


def _head(document: Mapping[str, JSON]) -> Iterator[Fault]:
    """The outer form of the file."""
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
            yield Fault(
                f'"{key}" is not a key of a deck file here; known are: {", ".join(keys)}.',
                (*where, str(key)),
                "deck.fault.unknown",
                {"key": str(key), "known": ", ".join(keys)},
            )


def _row_faults(row: CardRow) -> Iterator[Fault]:
    """What is wrong with one card by itself."""
    index, card = row
    where: FaultPlace = ("card", index)
    yield from _unknown(card, KEYS, where)
    if not _is_id(card.get("id")):
        yield Fault(
            f"A card's id is its era and number, 1-1 to {ERAS}-{PER_ERA}.",
            (*where, "id"),
            "deck.fault.id",
            {"last": f"{ERAS}-{PER_ERA}"},
        )
    names = card.get("name", {})
    if not isinstance(names, Mapping) or not all(_says(name) for name in names.values()):
        yield Fault(
            'Names are given by language: name = { en = "Hunting", fr = "Chasse" }.',
            (*where, "name"),
            "deck.fault.names",
        )
    if "family" in card and card["family"] not in FAMILIES:
        yield Fault(
            f'"{card["family"]}" is no family; there are: {", ".join(FAMILIES)}.',
            (*where, "family"),
            "deck.fault.family",
            {"family": str(card["family"]), "families": ", ".join(FAMILIES)},
        )
    if not isinstance(card.get("source", ""), str):
        yield Fault('A source is said in words, such as "rule book".', (*where, "source"), "deck.fault.source")
    if "prerequisites" in card:
        yield from _list_faults(card["prerequisites"], (*where, "prerequisites"))


def _list_faults(needs: JSON, where: FaultPlace) -> Iterator[Fault]:
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
        if not _is_id(need):
            yield Fault(
                f"A prerequisite is a card's id, 1-1 to {ERAS}-{PER_ERA}, not {need!r}.",
                (*where, place),
                "deck.fault.need",
                {"last": f"{ERAS}-{PER_ERA}", "need": repr(need)},
            )
        elif need in needs[:place]:
            yield Fault(
                f"{need} stands twice among the prerequisites.", (*where, place), "deck.fault.twice", {"need": need}
            )


def _numbers(rows: tuple[CardRow, ...]) -> Iterator[Fault]:
    """Each number once in each era (F:34, F:101, E:35)."""
    seen: dict[str, int] = {}
    for index, card in rows:
        name = card.get("id")
        if _is_id(name) and seen.setdefault(name, index) != index:
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
    """Prerequisites that are no card of this deck."""
    ids = {card["id"] for _, card in rows if _is_id(card.get("id"))}
    for index, card in rows:
        needs = card.get("prerequisites")
        for place, need in enumerate(needs[: ERAS * PER_ERA] if isinstance(needs, list) else ()):
            if _is_id(need) and need not in ids:
                yield Fault(
                    f"{need} is no card of this deck.",
                    ("card", index, "prerequisites", place),
                    "deck.fault.stranger",
                    {"need": need},
                )


def _needs(rows: tuple[CardRow, ...]) -> dict[str, tuple[int, tuple[str, ...]]]:
    """Card to its place in the file and its prerequisites, for what can be read."""
    by_card: dict[str, tuple[int, tuple[str, ...]]] = {}
    for index, card in rows:
        needs = card.get("prerequisites")
        if _is_id(card.get("id")):
            wanted = tuple(need for need in needs[: ERAS * PER_ERA] if _is_id(need)) if isinstance(needs, list) else ()
            by_card.setdefault(card["id"], (index, wanted))
    return by_card


def _circles(needs: Mapping[str, tuple[int, tuple[str, ...]]]) -> Iterator[Fault]:
    """Cards that wait for themselves; each card is named in at most one circle."""
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
    """Somebody must be able to begin; a card not yet entered could be the one."""
    first = [card for _, card in rows if _is_id(card.get("id")) and card["id"][0] == "1"]
    if first and all(card.get("prerequisites") for card in first):
        yield Fault(
            "No card of era 1 can be placed first: at least one has no prerequisites.", ("card",), "deck.fault.opener"
        )


def _gaps(rows: tuple[CardRow, ...]) -> Iterator[Fault]:
    """Facts that nobody has entered yet."""
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


def _says(words: JSON) -> bool:
    return isinstance(words, str) and bool(words.strip())


def _is_id(text: JSON) -> TypeGuard[str]:
    return isinstance(text, str) and text in IDS


@dataclass(frozen=True, slots=True)
class Card:
    """One discovery card.

    Attributes:
        id: ``era-number``, unique in the deck (F:119, E:88-89).
        family: One of ``FAMILIES``; ``None`` while its owner has not entered it.
        prerequisites: Cards that must lie in the tree before it; ``None`` while not entered.
        names: By language.
        source: Who says so: ``rule book``, ``authored`` or the owner.
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
        """What the stickers on the cards say."""
        return {Token(f"C{card.era}{card.number}"): card.id for card in self.cards.values()}


def read(document: JSON) -> Deck:
    """A deck from a parsed deck file (``deck`` and ``card``).

    Raises:
        InputError: With every fault that the file has.
    """
    faults, _ = check(document)
    if faults:
        raise InputError(*faults)
    cards = [_card(row) for row in document["card"]]
    return Deck(document["deck"]["name"], document["deck"]["edition"], {card.id: card for card in cards})


def is_entered(row: Mapping[str, JSON]) -> bool:
    """Whether a card of a deck file has a name, a family and prerequisites, be they none."""
    return bool(row.get("name")) and bool(row.get("family")) and "prerequisites" in row


def write(deck: Deck) -> JSON:
    """The deck file as JSON; ``read`` makes the same deck of it."""
    return {"deck": {"name": deck.name, "edition": deck.edition}, "card": [_row(c) for c in deck.cards.values()]}


def _card(row: Mapping[str, JSON]) -> Card:
    needs = row.get("prerequisites")
    return Card(
        id=CardId(row["id"]),
        family=row.get("family"),
        prerequisites=None if needs is None else frozenset(CardId(need) for need in needs),
        names=dict(row.get("name", {})),
        source=row.get("source", ""),
    )


def _row(card: Card) -> dict[str, JSON]:
    row: dict[str, JSON] = {"id": card.id}
    if card.names:
        row["name"] = dict(card.names)
    if card.family is not None:
        row["family"] = card.family
    if card.prerequisites is not None:
        row["prerequisites"] = sorted(card.prerequisites)
    if card.source:
        row["source"] = card.source
    return row
