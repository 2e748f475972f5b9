"""The language of the vectors: a deck, a match, a position, and ``Play``, a record that grows line by line.

Every expected figure of the vectors was derived by hand from the rules; nothing is computed by a judge. Each step
names only what it changes in the standing: ``hands={1: 4}`` reads "seat 1 now holds four cards".
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

JSON = Any
FAMILIES = ("tools", "food", "society", "science", "techniques", "culture", "movement")
ALL_IDS = [f"{era}-{number}" for era in range(1, 7) for number in range(1, 10)]

# The cards that the rule books speak of, and as many invented ones as make two eras.
NAMED: dict[str, tuple[str, str, list[str]]] = {
    "1-1": ("Australopithecus", "society", []),
    "1-2": ("Band", "society", []),
    "1-3": ("Scavenging", "food", []),
    "1-4": ("Nomadism", "movement", ["1-2"]),
    "1-5": ("Galet taillé", "tools", ["1-1"]),
    "1-6": ("Cueillette", "techniques", []),
    "1-7": ("Card 1-7", "culture", []),
    "1-8": ("Hunting", "food", ["1-2", "1-3"]),
    "1-9": ("Card 1-9", "science", ["1-6"]),
    "2-1": ("Homo erectus", "movement", ["1-3", "1-4"]),
    "2-2": ("Fire", "techniques", ["2-1"]),
    "2-3": ("Cuisson", "food", ["2-2"]),
    "2-4": ("Card 2-4", "tools", ["1-5"]),
    "2-5": ("Card 2-5", "culture", ["1-7"]),
    "2-6": ("Card 2-6", "society", ["2-2"]),
    "2-7": ("Card 2-7", "science", ["1-9"]),
    "2-8": ("Card 2-8", "movement", ["1-4"]),
    "2-9": ("Card 2-9", "tools", ["2-4"]),
}


def deck(**changes: dict[str, Any]) -> JSON:
    """The deck of the vectors; ``changes`` replaces facts of single cards, named ``c17`` for 1-7."""
    cards = []
    for card in ALL_IDS:
        era, number = int(card[0]), int(card[2])
        if card in NAMED:
            name, family, needs = NAMED[card]
            source = "authored" if name.startswith("Card") else "rule book"
        else:
            name, family, source = f"Card {card}", FAMILIES[(era * 2 + number) % 7], "authored"
            needs = [f"{era - 1}-{number}"] + ([f"{era}-{number - 3}"] if number > 3 else [])
        fact = {"id": card, "name": {"en": name}, "family": family, "prerequisites": needs, "source": source}
        cards.append(fact | changes.get(f"c{era}{number}", {}))
    return {"deck": {"name": "Deck of the vectors", "edition": "demo"}, "card": cards}


def match(profile: str, seats: int = 3, *, bots: tuple[int, ...] = (), **more: Any) -> JSON:
    names = ("Ana", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gia", "Hugo", "Ida", "Jon")
    teams = more.pop("teams", None)
    lines: list[dict[str, Any]] = []
    for seat in range(1, seats + 1):
        line: dict[str, Any] = {"name": names[seat - 1]}
        if seat in bots:
            line["bot"] = True
        if teams:
            line["team"] = teams[seat - 1]
        lines.append(line)
    return {"game": "discovery", "profile": profile, "seat": lines} | more


def position(
    hands: list[int],
    stack: int,
    tree: list[str],
    pool: list[str],
    *,
    turn: int = 1,
    fill: str = "6543",
    keep: tuple[str, ...] = (),
    discards: list[list[str]] | None = None,
    points: list[int] | None = None,
    jokers: int = 0,
) -> JSON:
    """A position; cards of the eras in ``fill`` go into the tree until all 54 cards and the jokers are somewhere."""
    discards = discards or [[] for _ in hands]
    laid = list(tree)
    used = {text.rpartition("=")[2] for text in tree} | set(pool) | set(keep) | {c for pile in discards for c in pile}
    spare = [card for era in fill for card in ALL_IDS if card[0] == era and card not in used]
    lying = len(pool) + sum(hands) + stack + sum(map(len, discards))
    laid = spare[: 54 + jokers - lying - len(tree)] + laid
    assert len(laid) + lying == 54 + jokers, f"{54 + jokers - lying - len(laid)} cards are nowhere"
    return {
        "turn": turn,
        "tree": laid,
        "pool": pool,
        "discards": discards,
        "hands": hands,
        "stack": stack,
        "points": points or [0] * len(hands),
    }


class Play:
    """One record in the making; a step's keywords are the changes of the standing."""

    every: list[Play] = []  # noqa: RUF012

    def __init__(
        self, name: str, title: str, match: JSON, cards: JSON | None = None, owed: tuple[int, ...] = ()
    ) -> None:
        self.name, self.title, self.match, self.cards = name, title, match, cards or deck()
        seats = len(match["seat"])
        place = match.get("position")
        self.standing: dict[str, Any] = {
            "turn": place["turn"] if place else match.get("dealer", seats) % seats + 1,
            "points": list(place["points"]) if place else [0] * seats,
            "hands": list(place["hands"]) if place else [5] * seats,
            "stack": place["stack"] if place else 54 + match.get("jokers", 0) - 5 * (seats + 1),
            "trumps": 0,
            "owed": [{"seat": seat, "do": "steal"} for seat in owed],
            "over": False,
            "winners": [],
        }
        self.lines: list[dict[str, Any]] = []
        Play.every.append(self)

    def change(self, changes: dict[str, Any]) -> None:
        for key, value in changes.items():
            if key in ("hands", "points"):
                row = list(self.standing[key])
                for seat, figure in value.items():
                    row[seat - 1] = figure
                self.standing[key] = row
            elif key == "owed":
                self.standing[key] = [{"seat": seat, "do": do} for seat, do in value]
            elif key == "provisional":
                self.standing.pop(key, None)
                if value:
                    self.standing[key] = True
            else:
                self.standing[key] = value

    def add(self, line: dict[str, Any], at: float | None, changes: dict[str, Any]) -> Play:
        self.change(changes)
        stamp = {} if at is None else {"time_s": at}
        self.lines.append({"number": len(self.lines) + 1} | stamp | line | {"standing": dict(self.standing)})
        return self

    def do(
        self,
        do: str,
        by: int,
        *,
        points: int = 0,
        wrong: dict[str, list[str]] | None = None,
        at: float | None = None,
        failed: str | None = None,
        held: bool = False,
        origin: str | None = None,
        changes: dict[str, Any] | None = None,
        **keys: Any,
    ) -> Play:
        """A move that counts. ``points`` go to the seat that made it; ``wrong``: it stands until it is stopped."""
        line: dict[str, Any] = {"origin": origin or self.origin(do), "event": "dealt" if do == "deal" else "played"}
        line["move"] = self.move(do, by, keys)
        if points:
            line["points"] = points
        if wrong:
            line["objections"] = [{"rule": rule, "cards": cards} for rule, cards in sorted(wrong.items())]
        if failed:
            line["failed"] = failed
        if held:
            line["held"] = True
        changes = dict(changes or {})
        if points and "points" not in changes:
            changes["points"] = {by: self.standing["points"][by - 1] + points}
        return self.add(line, at, changes)

    def no(self, do: str, by: int, at: float | None = None, *, wrong: dict[str, list[str]], **keys: Any) -> Play:
        """A move that is refused, with all the objections to it."""
        found = [{"rule": rule, "cards": cards} for rule, cards in sorted(wrong.items())]
        line = {"origin": self.origin(do), "event": "refused", "move": self.move(do, by, keys), "objections": found}
        return self.add(line, at, {})

    def say(self, event: str, changes: dict[str, Any] | None = None, points: int = 0, **keys: Any) -> Play:
        line = {"origin": "phone", "event": event} | keys
        if points:
            line["points"] = points
        return self.add(line, None, changes or {})

    @staticmethod
    def origin(do: str) -> str:
        if do in ("uncontested",):
            return "clock"
        return "camera" if do in ("deal", "place", "discard", "refill", "flip") else "phone"

    @staticmethod
    def move(do: str, by: int, keys: dict[str, Any]) -> JSON:
        return {"do": do, "by": by} | {key.rstrip("_"): value for key, value in keys.items()}

    def write(self, folder: Path) -> None:
        header = {"record": 1, "title": self.title, "match": self.match, "deck": self.cards}
        lines = [json.dumps(line, ensure_ascii=False) for line in (header, *self.lines)]
        (folder / f"{self.name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


POOL = ["3-2", "3-3", "3-4", "3-5", "3-6"]  # nothing that a vector needs
ONE_OPEN = ["1-9", "3-2", "3-3", "3-4", "3-5"]  # keeps era 1 from being closed

CHAPTERS: list[Callable[[], None]] = []
"""Everything that makes vectors, in the order in which it was imported."""


def vectors(chapter: Callable[[], None]) -> Callable[[], None]:
    """Marks a function that makes vectors: each ``Play`` in it becomes a file."""
    CHAPTERS.append(chapter)
    return chapter
