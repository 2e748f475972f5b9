"""Writes the vectors of the rule reference as match records: ``python tests/tools/write_vectors.py``.

Every expected figure of the vectors was derived by hand from the rules; nothing is computed by a judge. Each step
names only what it changes in the standing: ``hands={1: 4}`` reads "seat 1 now holds four cards". The evenings at
the end are played at random, and refereed by the second judge.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from reference.matches import evening

HERE = Path(__file__).parents[1] / "vectors"
sys.path.insert(0, str(HERE.parent))

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


def worked_example() -> None:
    """F:208-234: fourteen points in one turn."""
    series = [("1-1", "hand"), ("1-2", "pool"), ("1-4", "hand"), ("2-1", "hand"), ("1-5", "hand")]

    def start(name: str, title: str, profile: str, tree: tuple[str, ...] = ("1-3",), **options: bool) -> Play:
        place = position([5, 5, 5], 20, list(tree), ["1-2", *POOL[:4]])
        return Play(name, title, match(profile, options=options, position=place))

    for name, profile, plus, worth in (
        ("TV01-fr", "fr-explore", False, [1, 2, 3, 7, 1]),
        ("TV01-en", "en-explore", False, [1, 1, 1, 4, 1]),
        ("TV01-en-series-plus", "en-explore", True, [1, 2, 3, 7, 1]),
    ):
        play = start(name, f"The worked example is worth {sum(worth)}", profile, series_plus=plus)
        hand, stack = 5, 20
        for (card, source), points, trumps in zip(series, worth, [0, 0, 0, 1, 0], strict=True):
            hand, stack = hand - (source == "hand"), stack - (source == "pool")
            changes: dict[str, Any] = {"hands": {1: hand}, "stack": stack, "trumps": trumps}
            play.do("place", 1, card=card, from_=source, points=points, changes=changes)
            if source == "pool":
                play.do("refill", 0, card="3-6")
        play.do("end_turn", 1, changes={"hands": {1: 5}, "stack": 15, "turn": 2})

    play = start("TV01a", "Bande laid, Galet taillé is no longer linked", "fr-explore")
    play.do("place", 1, card="1-1", from_="hand", points=1, changes={"hands": {1: 4}})
    play.do("place", 1, card="1-2", from_="pool", points=2, changes={"stack": 19})
    play.no("place", 1, card="1-5", from_="hand", wrong={"link": ["1-2"]})

    play = start("TV01b", "Galet taillé laid, Bande is no longer linked", "fr-explore")
    play.do("place", 1, card="1-1", from_="hand", points=1, changes={"hands": {1: 4}})
    play.do("place", 1, card="1-5", from_="hand", points=2, changes={"hands": {1: 3}})
    play.no("place", 1, card="1-2", from_="pool", wrong={"link": ["1-5"]})

    play = start("TV01c", "Homo erectus waits for Charognage", "fr-explore", tree=())
    play.do("place", 1, card="1-1", from_="hand", points=1, changes={"hands": {1: 4}})
    play.do("place", 1, card="1-2", from_="pool", points=2, changes={"stack": 19})
    play.do("place", 1, card="1-4", from_="hand", points=3, changes={"hands": {1: 3}})
    play.no("place", 1, card="2-1", from_="hand", wrong={"prerequisites": ["1-3"]})
    play.no("place", 1, card="2-4", from_="hand", wrong={"prerequisites": ["1-5"], "link": ["1-4"]})
    play.no("place", 2, card="2-4", from_="hand", wrong={"turn": []})


def series_and_hands() -> None:
    free = {"family": "society", "prerequisites": []}
    cards = deck(c13=free, c16=free, c17=free)
    place = position([5, 5, 5], 20, [], ["1-7", *POOL[:4]])
    play = Play("TV02", "A series of five is worth 1+2+3+4+5", match("fr-explore", position=place), cards)
    for index, card in enumerate(("1-1", "1-2", "1-3", "1-6"), 1):
        play.do("place", 1, card=card, from_="hand", points=index, changes={"hands": {1: 5 - index}})
    play.do("place", 1, card="1-7", from_="pool", points=5, changes={"stack": 19})
    play.do("end_turn", 1, changes={"hands": {1: 5}, "stack": 15, "turn": 2})

    cards = deck(c31={"family": "tools", "prerequisites": ["2-4"]})
    tree = ["1-1", "1-5", "1-2", "1-3", "1-4", "2-1"]
    pool = ["2-4", "2-8", "3-7", "3-8", "3-9"]
    plus = {"series_plus": True}
    for name, profile, options in (("TV03-fr", "fr-explore", {}), ("TV03-en", "en-explore", plus)):
        place = position([1, 5, 5], 10, tree, pool, fill="654")
        title = "The last hand card opens an era: two trumps, five new cards"
        play = Play(name, title, match(profile, options=options, position=place), cards)
        play.do("place", 1, card="2-4", from_="pool", points=1, changes={"stack": 9})
        changes: dict[str, Any] = {"hands": {1: 5}, "stack": 4, "trumps": 2}
        play.do("place", 1, card="3-1", from_="hand", points=8, changes=changes)
        play.do("place", 1, card="2-8", from_="pool", points=1, changes={"stack": 3, "trumps": 1})
        play.do("end_turn", 1, changes={"turn": 2, "trumps": 0})

    place = position([0, 5, 6], 0, tree, pool, fill="65412", keep=("2-9",))
    title = "The same with an empty stack: one trump only, and nobody draws"
    play = Play("TV04-fr", title, match("fr-explore", position=place), cards, owed=(1,))
    play.do("steal", 1, from_=2, changes={"hands": {1: 1, 2: 4}, "owed": []})
    play.do("place", 1, card="2-4", from_="pool", points=1)
    play.do("place", 1, card="3-1", from_="hand", points=5, changes={"hands": {1: 0}, "trumps": 1})
    play.do("place", 1, card="2-8", from_="pool", points=1, changes={"trumps": 0})
    play.do("end_turn", 1, changes={"turn": 2, "owed": [(2, "steal")]})

    place = position([1, 4, 6], 0, tree, pool, fill="65412", keep=("2-9",))
    title = "The same with an empty stack: two trumps, the turn is finished, the match ends"
    play = Play("TV04-en", title, match("en-explore", options=plus, position=place), cards)
    play.do("place", 1, card="2-4", from_="pool", points=1)
    play.do("place", 1, card="3-1", from_="hand", points=8, changes={"hands": {1: 0}, "trumps": 2})
    play.do("place", 1, card="2-8", from_="pool", points=1, changes={"trumps": 1})
    end = {"turn": None, "trumps": 0, "over": True, "winners": [1], "points": {2: -4, 3: -6}}
    play.do("end_turn", 1, changes=end)
    play.no("place", 2, card="2-9", from_="hand", wrong={"game-over": []})

    place = position(
        [1, 2, 1], 0, ["1-2", "1-3", "1-4", "2-1"], pool, fill="65413", discards=[[], ["2-2", "2-3", "2-5"], []],
        points=[0, 20, 0],
    )  # fmt: skip
    play = Play(
        "TV05", "20 points, two cards in hand and three in the discard make 15", match("en-explore", position=place)
    )
    play.do("place", 1, card="2-7", from_="hand", points=4, changes={"hands": {1: 0}, "trumps": 1})
    end = {"turn": None, "trumps": 0, "over": True, "winners": [2], "points": {2: 15, 3: -1}}
    play.do("end_turn", 1, changes=end)


def dealing() -> None:
    for seats, stack in enumerate((44, 39, 34, 29, 24, 19, 14, 9, 4), 1):
        play = Play(f"TV06-{seats}", f"Dealt to {seats}: {stack} cards are left", match("en-intro", seats))
        pool = ALL_IDS[0 :: seats + 1][:5]
        play.do("deal", 0, pool=pool, changes={"stack": stack})
        play.do("place", 1, card="1-2", from_="hand", changes={"hands": {1: 4}})
        play.no("place", 1, card="1-1", from_="hand", wrong={"not-there": []})

    Play("TV06-10-unusable", "Ten seats: 5 cards each and 5 for the pool are more than 54", match("en-intro", 10))

    play = Play(
        "TV07", "First card to the pool, then one to each, from the dealer's left", match("fr-explore", dealer=1)
    )
    play.do("deal", 0, pool=["1-1", "1-5", "1-9", "2-4", "2-8"])
    play.no("place", 1, card="1-2", from_="hand", wrong={"turn": []})
    play.do("place", 2, card="1-2", from_="hand", points=1, changes={"hands": {2: 4}})
    play.do("end_turn", 2, changes={"hands": {2: 5}, "stack": 33, "turn": 3})


def turns_and_draws() -> None:
    place = position([5, 5, 5], 3, ["1-2"], POOL, fill="6543")
    play = Play("TV08", "A turn without a placement: one discarded, one drawn", match("fr-explore", position=place))
    play.no("end_turn", 1, wrong={"must-discard": []})
    play.no("discard", 1, card="1-2", wrong={"already-placed": []})
    play.no("discard", 1, card="3-2", wrong={"not-there": []})
    play.do("discard", 1, card="1-6", changes={"hands": {1: 4}})
    play.no("place", 1, card="1-1", from_="hand", wrong={"turn": []})
    play.do("end_turn", 1, changes={"hands": {1: 5}, "stack": 2, "turn": 2})
    play.no("place", 1, card="1-1", from_="hand", wrong={"turn": []})
    play.no("place", 2, card="1-6", from_="hand", wrong={"not-there": []})
    play.do("place", 2, card="1-6", from_="discard-1", points=1)
    play.do("end_turn", 2, changes={"turn": 3})

    place = position([3, 4, 2], 0, ["1-2"], ONE_OPEN, fill="654132", keep=("1-1",))
    play = Play(
        "TV09", "With an empty stack each turn starts with a steal", match("fr-explore", position=place), owed=(1,)
    )
    play.no("place", 1, card="1-1", from_="hand", wrong={"must-steal": []})
    play.no("steal", 2, from_=3, wrong={"must-steal": []})
    play.no("steal", 1, from_=1, wrong={"not-there": []})
    play.do("steal", 1, from_=2, changes={"hands": {1: 4, 2: 3}, "owed": []})
    play.do("place", 1, card="1-1", from_="hand", points=1, changes={"hands": {1: 3}})
    play.do("end_turn", 1, changes={"turn": 2, "owed": [(2, "steal")]})

    place = position([5, 5, 5], 10, ["1-2"], POOL, fill="654")
    for profile in ("en-intro", "en-memory", "fr-bluff"):
        title = "Without points: no card drawn after a placement, one without"
        play = Play(f"TV10-{profile}", title, match(profile, position=place))
        play.do("place", 1, card="1-1", from_="hand", changes={"hands": {1: 4}})
        play.do("end_turn", 1, changes={"turn": 2})
        play.do("end_turn", 2, changes={"hands": {2: 6}, "stack": 9, "turn": 3})

    place = position([1, 4, 4], 2, ["1-2"], ONE_OPEN, fill="65413", keep=("1-1",))
    for profile in ("en-intro", "fr-bluff"):
        title = "Ana empties her hand, the stack is short: nobody steals"
        play = Play(f"TV11-{profile}", title, match(profile, position=place))
        changes: dict[str, Any] = {"hands": {1: 1, 2: 5}, "stack": 0, "trumps": 1}
        play.do("place", 1, card="1-1", from_="hand", changes=changes)
        play.do("end_turn", 1, changes={"turn": 2, "trumps": 0})
        # an ordinary draw with an empty stack is a steal (E2), and the turn waits for it
        play.do("end_turn", 2, changes={"owed": [(2, "steal")]})
        play.do("steal", 2, from_=3, changes={"hands": {2: 6, 3: 3}, "owed": [], "turn": 3})

    # each draw: after the call of Ben's last card
    draws: dict[str, tuple[str, int, dict[int, int], int, list[tuple[int, str]]]] = {
        "TV12-en": ("en-intro", 10, {1: 3, 2: 1, 3: 5}, 7, []),
        "TV12-en-short": ("en-intro", 2, {1: 2, 2: 1, 3: 5}, 0, []),
        "TV12-fr-short": ("fr-bluff", 2, {1: 3, 2: 1, 3: 4}, 0, []),
        "TV12-fr-one": ("fr-bluff", 1, {1: 3, 2: 0, 3: 4}, 0, [(2, "steal")]),
    }
    for name, (profile, stack, hands, left, owed) in draws.items():
        fill = "65413" if stack < 10 else "6541"
        discards = [[], [], ["2-9"]]
        place = position([3, 1, 4], stack, ["1-2", "1-3", "1-4"], ONE_OPEN, fill=fill, keep=("1-6",), discards=discards)
        play = Play(name, "Ana calls Ben's last card: everybody draws", match(profile, position=place))
        play.do("place", 1, card="2-1", from_="hand", changes={"hands": {1: 2}, "trumps": int(profile == "en-intro")})
        if profile == "fr-bluff":
            play.do("announce", 1, era=2, what="open", changes={"trumps": 1})
        call = {"hands": hands, "stack": left, "trumps": 0, "owed": owed}
        play.do("call", 1, card="1-6", holder=2, changes=call)
        if owed:
            play.no("place", 1, card="1-6", from_="called", wrong={"must-steal": []})
            play.do("steal", 2, from_=3, changes={"hands": {2: 1, 3: 3}, "owed": []})
        play.no("end_turn", 1, wrong={"must-place": ["1-6"]})
        play.do("place", 1, card="1-6", from_="called")
        play.do("end_turn", 1, changes={"turn": 2})


def calls() -> None:
    cards = deck(c41={"prerequisites": []})
    place = position([5, 5, 5], 10, ["2-1", "2-2", "2-3"], POOL, fill="651", keep=("2-5",))
    play = Play(
        "TV13",
        "Era 4 is open, era 3 is not: no card of era 2 can be called",
        match("fr-explore", position=place),
        cards,
    )
    play.do("place", 1, card="4-1", from_="hand", points=4, changes={"hands": {1: 4}, "trumps": 1})
    changes: dict[str, Any] = {"hands": {1: 5}, "stack": 9, "trumps": 0, "turn": 2}
    play.do("call", 1, card="2-5", holder=2, failed="era-not-open", changes=changes)

    tree = ["1-1", "1-2", "1-3", "1-4"]
    place = position([4, 5, 5], 10, tree, POOL, fill="654")
    play = Play(
        "TV14",
        "A called card that lacks a prerequisite goes to the caller's discard",
        match("fr-explore", position=place),
    )
    play.do("place", 1, card="2-1", from_="hand", points=4, changes={"hands": {1: 3}, "trumps": 1})
    changes = {"hands": {1: 5}, "stack": 7, "trumps": 0, "turn": 2}
    play.do("call", 1, card="1-9", holder=2, failed="prerequisites", changes=changes)
    play.do("place", 2, card="1-6", from_="hand", points=1, changes={"hands": {2: 4}})
    play.do("place", 2, card="1-9", from_="discard-1", points=2)
    play.do("end_turn", 2, changes={"hands": {2: 5}, "stack": 6, "turn": 3})

    tree = ["1-3"]
    movement = deck(c17={"family": "movement"})
    for name, new, facts, worth in (
        ("TV15-linked", False, movement, 4),
        ("TV15-unlinked", False, deck(), 1),
        ("TV15-new-series", True, movement, 1),
    ):
        place = position([5, 5, 5], 10, tree, POOL, fill="654")
        play = Play(
            name,
            f"A called card after the third of a series is worth {worth}",
            match("fr-explore", position=place),
            facts,
        )
        for card, points, trumps in (("1-2", 1, 0), ("1-4", 2, 0), ("2-1", 6, 1)):
            hand = play.standing["hands"][0] - 1
            play.do("place", 1, card=card, from_="hand", points=points, changes={"hands": {1: hand}, "trumps": trumps})
        play.do("call", 1, card="1-7", holder=2, changes={"stack": 9, "trumps": 0})
        play.no("end_turn", 1, wrong={"must-place": ["1-7"]})
        play.no("place", 1, card="1-1", from_="hand", wrong={"must-place": ["1-7"]})
        play.no("place", 1, card="1-1", from_="called", wrong={"called-card": ["1-7"]})
        more: dict[str, Any] = {"new_series": True} if new else {}
        play.do("place", 1, card="1-7", from_="called", points=worth, **more)
        play.do("place", 1, card="2-5", from_="hand", points=worth + 1, changes={"hands": {1: 1}})
        play.do("end_turn", 1, changes={"hands": {1: 5}, "stack": 5, "turn": 2})

    # every other way to fail (G6): nothing moves, except that an own card was shown and is discarded
    ways: dict[str, tuple[str, int, str, dict[int, int], int]] = {
        "P1-era-6": ("6-9", 2, "era-not-open", {1: 5}, 9),
        "P3-in-the-tree": ("1-3", 0, "already-placed", {1: 5}, 9),
        "P3-in-the-pool": ("1-8", 0, "not-there", {1: 5}, 9),
        "P3-in-a-discard": ("1-6", 0, "not-there", {1: 5}, 9),
        "P4-in-the-own-hand": ("1-7", 1, "not-there", {1: 5}, 8),
    }
    for name, (card, holder, failed, hands, stack) in ways.items():
        place = position(
            [5, 5, 5],
            10,
            ["1-2", "1-3", "1-4"],
            ["1-8", *POOL[:4]],
            fill="654",
            keep=("6-9",),
            discards=[[], [], ["1-6"]],
        )
        play = Play(name, "A call that cannot succeed ends the turn by drawing", match("fr-explore", position=place))
        play.do("place", 1, card="2-1", from_="hand", points=4, changes={"hands": {1: 4}, "trumps": 1})
        changes = {"hands": hands, "stack": stack, "trumps": 0, "turn": 2}
        play.do("call", 1, card=card, holder=holder, failed=failed, changes=changes)


def sources_and_links() -> None:
    place = position([5, 5, 5], 10, ["1-2"], POOL, fill="654", discards=[["1-9"], ["1-7"], []])
    play = Play("TV16", "Never from one's own discard, always from another's", match("fr-explore", position=place))
    play.no("place", 1, card="1-9", from_="discard-1", wrong={"own-discard": [], "prerequisites": ["1-6"]})
    play.no("place", 1, card="1-7", from_="discard-3", wrong={"not-there": []})
    play.no("place", 1, card="1-2", from_="discard-1", wrong={"already-placed": []})
    play.do("place", 1, card="1-7", from_="discard-2", points=1)
    play.do("end_turn", 1, changes={"turn": 2})

    place = position([5, 5, 5], 10, ["1-3"], POOL, fill="654")
    play = Play("TV17", "A replay leaves the old series for good", match("fr-explore", position=place))
    for card, points, trumps in (("1-2", 1, 0), ("1-4", 2, 0), ("2-1", 6, 1), ("1-6", 1, 0)):
        hand = play.standing["hands"][0] - 1
        play.do("place", 1, card=card, from_="hand", points=points, changes={"hands": {1: hand}, "trumps": trumps})
    play.no("place", 1, card="2-8", from_="hand", wrong={"link": ["1-6"]})
    play.no("place", 1, card="1-9", from_="hand", new_series=True, wrong={"no-trump": []})
    play.do("place", 1, card="1-9", from_="hand", points=2 + 3, changes={"hands": {1: 5}, "stack": 5, "trumps": 1})


def jokers() -> None:
    movement = deck(c17={"family": "movement"})
    for profile, plus in (("fr-explore", False), ("en-explore", True)):
        place = position([5, 5, 5], 10, ["1-2", "1-3"], POOL, fill="654", jokers=1)
        title = "After a joker for Nomadism only a prerequisite link; then Nomadism itself brings the joker back"
        facts = match(profile, jokers=1, position=place, options={"series_plus": plus})
        play = Play(f"TV18-{profile}", title, facts, movement)
        play.no("joker", 1, joker="J1", as_="2-8", from_="hand", wrong={"era-not-open": [], "prerequisites": ["1-4"]})
        play.no("joker", 1, joker="J1", as_="1-2", from_="hand", wrong={"joker-card": []})
        play.do("joker", 1, joker="J1", as_="1-4", from_="hand", points=1, changes={"hands": {1: 4}})
        play.no("place", 1, card="1-7", from_="hand", wrong={"joker-link": []})
        play.no("joker", 1, joker="J1", as_="1-1", from_="hand", wrong={"already-placed": []} | (
            {"joker-timing": []} if profile == "fr-explore" else {"joker-link": []}))  # fmt: skip
        play.do("place", 1, card="2-1", from_="hand", points=5, changes={"hands": {1: 3}, "trumps": 1})
        play.do("place", 1, card="1-4", from_="hand", points=3)
        play.do("end_turn", 1, changes={"hands": {1: 5}, "stack": 8, "turn": 2, "trumps": 0})

    for profile, plus in (("fr-explore", False), ("en-explore", True)):
        place = position([5, 5, 5], 10, ["1-2", "1-3"], ["1-4", *POOL[:4]], fill="654", jokers=1)
        facts = match(profile, jokers=1, position=place, options={"series_plus": plus})
        play = Play(f"TV19-{profile}", "A joker for a card that lies in the pool", facts)
        if profile == "fr-explore":
            play.no("joker", 1, joker="J1", as_="1-4", from_="hand", wrong={"joker-card": []})
        else:
            play.do("joker", 1, joker="J1", as_="1-4", from_="hand", points=1, changes={"hands": {1: 4}})
            play.do("place", 1, card="2-1", from_="hand", points=5, changes={"hands": {1: 3}, "trumps": 1})
            play.do("place", 1, card="1-4", from_="pool", points=3, changes={"hands": {1: 4}, "stack": 9})

    place = position([1, 5, 5], 10, ["1-2", "J1=1-4"], POOL, fill="6543", jokers=1)
    play = Play(
        "TV20", "The joker comes back at once: the hand was never empty", match("fr-explore", jokers=1, position=place)
    )
    play.do("place", 1, card="1-4", from_="hand", points=1)
    play.do("end_turn", 1, changes={"hands": {1: 5}, "stack": 6, "turn": 2})

    place = position([5, 5, 5], 10, [f"1-{n}" for n in (1, 2, 3, 4, 5, 6, 7, 9)], POOL, fill="654", jokers=1)
    play = Play(
        "TV21",
        "A joker closes era 1, the real card does not close it again",
        match("fr-explore", jokers=1, position=place),
    )
    play.do("joker", 1, joker="J1", as_="1-8", from_="hand", points=4, changes={"hands": {1: 4}, "trumps": 1})
    play.do("end_turn", 1, changes={"hands": {1: 5}, "stack": 9, "turn": 2, "trumps": 0})
    play.do("place", 2, card="1-8", from_="hand", points=1)
    play.do("end_turn", 2, changes={"turn": 3})

    for name, profile, card, worth, plus in (
        ("TV22-fr", "fr-explore", "2-1", 4, False),
        ("TV22-fr-own", "fr-explore", "2-4", 3, False),
        ("TV22-en", "en-explore", "2-1", 4, True),
        ("TV22-en-flat", "en-explore", "2-1", 1, False),
    ):
        place = position([5, 5, 5], 10, ["1-3", "2-7"], POOL, fill="654", jokers=1)
        facts = match(profile, jokers=1, position=place, options={"series_plus": plus})
        play = Play(name, f"Interrupted in a series, resumed after it: {worth}", facts)
        one, two, three = (1, 1, 1) if profile == "en-explore" and not plus else (1, 2, 3)
        play.do("place", 1, card="1-1", from_="hand", points=one, changes={"hands": {1: 4}})
        play.do("place", 1, card="1-5", from_="hand", points=two, changes={"hands": {1: 3}})
        play.no("interrupt", 1, joker="J1", wrong={"joker-timing": []})
        play.do("interrupt", 2, joker="J1", changes={"hands": {2: 4}, "turn": 2})
        play.no("place", 1, card="1-2", from_="hand", wrong={"turn": []})
        for points, laid in ((one, "1-2"), (two, "1-4"), (three, "2-8")):
            hand = play.standing["hands"][1] - 1
            play.do("place", 2, card=laid, from_="hand", points=points, changes={"hands": {2: hand}})
        play.do("end_turn", 2, changes={"hands": {2: 5}, "stack": 6, "turn": 1})
        if profile == "en-explore":
            play.no("place", 1, card="2-4", from_="hand", wrong={"link": ["2-8"]})
        play.do("place", 1, card=card, from_="hand", points=worth, changes={"hands": {1: 2}})
        play.do("end_turn", 1, changes={"hands": {1: 5}, "stack": 3, "turn": 2})

    place = position([5, 5, 5], 10, ["1-2", "1-3"], ["J2", *POOL[:4]], fill="654", jokers=2)
    title = "A joker outside the tree wins a trump; in the French edition only at the start or on a replay"
    play = Play("Q4-fr", title, match("fr-explore", jokers=2, position=place))
    play.do("joker", 1, joker="J2", from_="pool", points=3, changes={"stack": 9, "trumps": 1})
    play.do("place", 1, card="1-4", from_="hand", points=1, changes={"hands": {1: 4}})
    play.do("joker", 1, joker="J1", from_="hand", points=3, changes={"hands": {1: 3}})
    play.do("place", 1, card="2-8", from_="hand", points=2 + 3, changes={"hands": {1: 2}, "trumps": 2})
    play.do("steal", 1, from_=3, changes={"hands": {1: 3}, "stack": 8, "trumps": 1})
    play.do("exchange", 1, from_=3, changes={"trumps": 0})
    play.no("discard", 1, card="1-1", trump=True, wrong={"no-trump": []})
    play.do("end_turn", 1, changes={"hands": {1: 5}, "stack": 6, "turn": 2})

    place = position([5, 5, 5], 10, ["1-2", "1-3"], POOL, fill="654", jokers=1)
    play = Play("Q4-fr-late", "No trump left, no joker in mid-turn", match("fr-explore", jokers=1, position=place))
    play.do("place", 1, card="1-4", from_="hand", points=1, changes={"hands": {1: 4}})
    play.no("joker", 1, joker="J1", from_="hand", wrong={"joker-timing": []})
    play = Play("Q4-en", "At any time in the English edition", match("en-explore", jokers=1, position=place))
    play.do("place", 1, card="1-4", from_="hand", points=1, changes={"hands": {1: 4}})
    play.do("joker", 1, joker="J1", from_="hand", points=3, changes={"hands": {1: 3}, "trumps": 1})
    play.no("steal", 1, from_=2, trump=True, wrong={"not-offered": []})
    play.do("discard", 1, card="1-7", changes={"hands": {1: 2}, "trumps": 0})
    play.do("end_turn", 1, changes={"hands": {1: 5}, "stack": 7, "turn": 2})


def bots() -> None:
    tree = ["1-1", "1-2", "1-3", "1-4", "1-5", "1-8", "2-1"]
    for name, profile, worth in (("TV23", "fr-explore", (1, 2, 6, 4)), ("TV24", "en-explore", (1, 1, 4, 1))):
        place = position([4, 4, 7], 10, tree, POOL, fill="654", turn=3)
        options = {"series_plus": profile == "en-explore"}  # no series for a bot in the English edition (J7)
        play = Play(
            name, f"A bot's turn worth {sum(worth)}", match(profile, bots=(3,), position=place, options=options)
        )
        play.no("place", 3, card="1-6", from_="hand", wrong={"not-offered": []})
        play.do("flip", 3, card="1-6", points=worth[0], changes={"hands": {3: 6}})
        play.do("flip", 3, card="1-7", points=worth[1], changes={"hands": {3: 5}})
        play.do("flip", 3, card="1-9", points=worth[2], changes={"hands": {3: 4}, "trumps": 1})
        play.do("flip", 3, card="2-3", held=True, changes={"trumps": 0})
        play.do("flip", 3, card="2-8", points=worth[3], changes={"hands": {3: 2}})
        play.do("flip", 3, card="2-6", changes={"hands": {3: 5}, "stack": 6, "turn": 1})

    place = position([4, 5, 3], 0, ["1-2"], POOL, fill="65413", turn=2, keep=("1-1",))
    facts = match("fr-explore", bots=(3,), position=place)
    play = Play("J6-J8", "With an empty stack a bot starts by stealing from the seat with most cards", facts, owed=(2,))
    play.do("steal", 2, from_=1, changes={"hands": {1: 3, 2: 6}, "owed": []})
    play.do("discard", 2, card="1-1", changes={"hands": {2: 5}})
    play.do("end_turn", 2, changes={"hands": {2: 4, 3: 4}, "turn": 3})
    play.no("flip", 3, card="1-1", wrong={"not-there": []})
    play.do("flip", 3, card="2-3", changes={"hands": {3: 3}, "turn": 1, "owed": [(1, "steal")]})

    place = position([4, 5, 4], 10, ["1-2"], POOL, fill="654", turn=3)
    facts = match("en-memory", bots=(3,), position=place)
    play = Play("J9", "Memory: the bot places whatever it flips; stopped, a human verifies for it", facts)
    play.do("flip", 3, card="2-2", wrong={"prerequisites": ["2-1"]}, at=10, changes={"hands": {3: 3}})
    play.do("stop", 1, at=12)
    play.no("concede", 2, at=13, wrong={"not-offered": []})
    changes = {"hands": {1: 3, 3: 5}, "stack": 9, "turn": 1}
    play.do("verify", 2, at=15, changes=changes)


def stops() -> None:
    place = position([5, 5, 5], 10, ["1-2"], POOL, fill="654")

    def lie(name: str, title: str, profile: str = "en-memory") -> Play:
        play = Play(name, title, match(profile, position=place))
        wrong = {"prerequisites": ["2-1"]}
        return play.do("place", 1, card="2-2", from_="hand", wrong=wrong, at=1, changes={"hands": {1: 4}})

    for profile in ("en-memory", "fr-bluff"):
        play = lie(f"TV25-{profile}", "An unlawful card that nobody stopped counts as present", profile)
        play.do("end_turn", 1, at=5, changes={"turn": 2})
        play.do("place", 2, card="2-3", from_="hand", at=20, changes={"hands": {2: 4}})
        play.do("stop", 3, at=25)
        play.no("end_turn", 2, at=26, wrong={"turn": []})
        play.no("verify", 1, at=26, wrong={"turn": []})
        play.do("verify", 2, at=27, changes={"hands": {3: 6}, "stack": 9})
        play.do("end_turn", 2, at=28, changes={"turn": 3})

        for word in ("verify", "concede"):
            play = lie(f"TV25-{profile}-{word}", "Stopped at fault: the card is discarded, two others come", profile)
            play.no("stop", 1, at=2, number=1, wrong={"no-stop": []})
            play.do("stop", 2, at=3, number=1)
            play.do(word, 1, at=5, changes={"hands": {1: 6, 2: 4}, "stack": 9, "turn": 2})
            play.no("verify", 1, at=6, wrong={"no-stop": []})
            play.do("place", 2, card="2-2", from_="discard-1", at=8, wrong={"prerequisites": ["2-1"]})

    play = lie("K2-window", "After ten seconds and another act it is too late")
    play.do("end_turn", 1, at=5, changes={"turn": 2})
    play.do("place", 2, card="1-1", from_="hand", at=8, changes={"hands": {2: 4}})
    play.no("stop", 3, at=11, number=1, wrong={"contest-closed": []})
    play.do("stop", 1, at=12)
    play.do("verify", 2, at=13, changes={"hands": {1: 5}, "stack": 9})

    play = lie("K2-nothing-later", "Ten seconds alone do not close the window")
    play.do("stop", 3, at=60)
    play.do("concede", 1, at=62, changes={"hands": {1: 6, 3: 4}, "stack": 9, "turn": 2})

    play = lie("K2-uncontested", "The table itself closes a window")
    play.do("uncontested", 0, at=11, number=1)
    play.no("stop", 3, at=12, number=1, wrong={"contest-closed": []})
    play.no("stop", 3, at=12, wrong={"no-stop": []})

    for profile in ("en-memory", "fr-bluff"):
        play = Play(
            f"TV26-{profile}",
            "A false announcement that nobody stopped uses up the credit",
            match(profile, position=place),
        )
        play.do("announce", 1, era=2, what="open", wrong={"era-not-open": []}, at=1, changes={"trumps": 1})
        play.do("end_turn", 1, at=2, changes={"hands": {1: 6}, "stack": 9, "turn": 2, "trumps": 0})
        play.do("place", 2, card="1-4", from_="hand", at=20, changes={"hands": {2: 4}})
        play.do("place", 2, card="2-8", from_="hand", at=21, changes={"hands": {2: 3}})
        play.do("announce", 2, era=2, what="open", at=22)
        play.no("place", 2, card="1-1", from_="pool", at=23, wrong={"not-there": []})

        play = Play(
            f"K11-{profile}",
            "A false announcement stopped: no trump, and the credit is free",
            match(profile, position=place),
        )
        play.do("announce", 1, era=2, what="open", wrong={"era-not-open": []}, at=1, changes={"trumps": 1})
        play.do("stop", 3, at=2)
        play.do("concede", 1, at=3, changes={"hands": {1: 6, 3: 4}, "trumps": 0, "turn": 2})
        play.do("place", 2, card="1-4", from_="hand", at=20, changes={"hands": {2: 4}})
        play.do("place", 2, card="2-8", from_="hand", at=21, changes={"hands": {2: 3}})
        play.do("end_turn", 2, at=22, changes={"turn": 3})
        play.do("announce", 3, era=2, what="open", at=23, changes={"trumps": 1})

    end = position([1, 4, 4], 0, ["1-2"], POOL, fill="654132", keep=("2-1", "2-2", "1-1"))
    won = {"hands": {1: 0}, "over": True, "turn": None, "winners": [1], "provisional": True}
    for profile in ("en-memory", "fr-bluff"):
        for word in ("verify", "concede"):
            title = "The last card, stopped in time: no win"
            play = Play(f"TV27-{profile}-{word}", title, match(profile, position=end))
            play.do("place", 1, card="2-2", from_="hand", wrong={"prerequisites": ["2-1"]}, at=1, changes=won)
            play.no("end_turn", 1, at=2, wrong={"game-over": []})
            play.do("stop", 2, at=5)
            back: dict[str, Any] = {"over": False, "turn": 1, "winners": [], "provisional": False}
            play.do(word, 1, at=7, changes=back | {"hands": {1: 1, 2: 3}, "owed": [(1, "steal")]})
            play.do("steal", 1, at=9, from_=3, changes={"hands": {1: 2, 3: 3}, "owed": [], "turn": 2})

        play = Play(f"TV27-{profile}-late", "Ten seconds later the win stands", match(profile, position=end))
        play.do("place", 1, card="2-2", from_="hand", wrong={"prerequisites": ["2-1"]}, at=1, changes=won)
        play.no("stop", 2, at=11, wrong={"no-stop": []})
        play.no("stop", 2, at=11, number=1, wrong={"contest-closed": []})
        play.do("uncontested", 0, at=11, number=1, changes={"provisional": False})
        play.no("stop", 2, at=12, wrong={"game-over": []})

        play = Play(
            f"TV27-{profile}-lawful", "A lawful last card wins in spite of the stop", match(profile, position=end)
        )
        play.do("place", 1, card="1-1", from_="hand", at=1, changes=won)
        play.do("stop", 2, at=3)
        play.do("verify", 1, at=5, changes={"provisional": False})

    # Stop as an option of an open game with points (K9)
    facts = match("en-explore", position=place, options={"stop": True})
    play = Play("K9-offender", "With points: the wrong card is discarded, the hand refilled, the turn over", facts)
    play.do("place", 1, card="1-1", from_="hand", points=1, changes={"hands": {1: 4}})
    play.do("place", 1, card="2-2", from_="hand", wrong={"prerequisites": ["2-1"], "link": ["1-1"]}, points=4,
            changes={"hands": {1: 3}, "trumps": 1})  # fmt: skip
    play.do("stop", 2)
    play.no("concede", 1, wrong={"not-offered": []})
    play.do("verify", 1, points=-4, changes={"hands": {1: 5}, "stack": 8, "trumps": 0, "turn": 2})
    play.do("place", 2, card="1-4", from_="hand", points=1, changes={"hands": {2: 4}})
    play.do("place", 2, card="2-8", from_="hand", points=4, changes={"hands": {2: 3}, "trumps": 1})

    play = Play("K9-stopper", "With points: a wrongful stopper discards one and draws, the other goes on", facts)
    play.do("place", 1, card="1-1", from_="hand", points=1, changes={"hands": {1: 4}})
    play.do("stop", 2)
    play.do("verify", 1, changes={"owed": [(2, "discard")]})
    play.no("place", 1, card="1-5", from_="hand", wrong={"must-discard": []})
    play.do("discard", 2, card="1-7", changes={"stack": 9, "owed": []})
    play.do("place", 1, card="1-5", from_="hand", points=1, changes={"hands": {1: 3}})

    play = Play(
        "K1-intro",
        "Without points, Stop as an option: cases 1 and 3",
        match("en-intro", position=place, options={"stop": True}),
    )
    play.do("place", 1, card="1-9", from_="hand", wrong={"prerequisites": ["1-6"]}, changes={"hands": {1: 4}})
    play.do("stop", 3)
    play.no("concede", 1, wrong={"not-offered": []})
    play.do("verify", 1, changes={"hands": {1: 6, 3: 4}, "stack": 9, "turn": 2})

    calls = position([5, 5, 5], 10, ["1-2", "1-3", "1-4"], POOL, fill="654")
    play = Play(
        "T3-call", "Memory: an impossible call, stopped before its card is placed", match("en-memory", position=calls)
    )
    play.do("place", 1, card="2-1", from_="hand", at=1, changes={"hands": {1: 4}})
    play.do("announce", 1, era=2, what="open", at=2, changes={"trumps": 1})
    play.do(
        "call", 1, card="1-9", holder=2, wrong={"prerequisites": ["1-6"]}, at=3, changes={"hands": {2: 4}, "trumps": 0}
    )
    play.do("stop", 3, at=4)
    play.do("concede", 1, at=5, changes={"hands": {1: 5, 2: 5, 3: 4}, "turn": 2})


def teams_ends_and_corrections() -> None:
    red = ("red", "blue", "red")
    place = position([5, 5, 5], 10, ["1-2"], POOL, fill="654")
    play = Play(
        "I1-I2",
        "A card asked from a team-mate is placed this turn or discarded",
        match("fr-explore", teams=red, position=place),
    )
    play.no("ask", 1, from_=2, wrong={"not-offered": []})
    play.do("ask", 1, from_=3, changes={"hands": {1: 6}, "stack": 9})
    play.no("ask", 1, from_=3, wrong={"not-offered": []})
    play.do("place", 1, card="1-1", from_="hand", points=1, changes={"hands": {1: 5}})
    play.no("end_turn", 1, wrong={"must-discard": []})
    play.do("discard", 1, card="2-3", asked=True, changes={"hands": {1: 4}})
    play.do("end_turn", 1, changes={"hands": {1: 5}, "stack": 8, "turn": 2})
    play.do("place", 2, card="1-6", from_="hand", points=1, changes={"hands": {2: 4}})
    play.no("ask", 2, from_=1, wrong={"not-offered": []})
    play.do("end_turn", 2, changes={"hands": {2: 5}, "stack": 7, "turn": 3})
    play.do("ask", 3, from_=1, changes={"hands": {3: 6}, "stack": 6})
    play.do("place", 3, card="1-5", from_="hand", asked=True, points=1, changes={"hands": {3: 5}})
    play.do("end_turn", 3, changes={"turn": 1})

    place = position([1, 3, 1], 0, ["1-2"], ONE_OPEN, fill="654132", keep=("1-1", "1-5", "1-6"))
    play = Play("I3-I5", "A team wins when all its hands are empty", match("en-intro", teams=red, position=place))
    play.do("place", 1, card="1-1", from_="hand", changes={"hands": {1: 0}, "trumps": 1})
    play.do("end_turn", 1, changes={"turn": 2, "trumps": 0})
    play.do("place", 2, card="1-6", from_="hand", changes={"hands": {2: 2}})
    play.do("end_turn", 2, changes={"turn": 3})
    won = {"hands": {3: 0}, "over": True, "turn": None, "winners": [1, 3]}
    play.do("place", 3, card="1-5", from_="hand", changes=won)

    place = position([0, 0, 1], 0, ["1-2"], ONE_OPEN, fill="654132", turn=3, keep=("1-1",), points=[7, 9, 5])
    title = "French Explore ends when nobody has a card, after the turn; no penalties"
    play = Play("N2-fr", title, match("fr-explore", position=place))
    play.do("place", 3, card="1-1", from_="hand", points=1, changes={"hands": {3: 0}})
    play.do("end_turn", 3, changes={"over": True, "turn": None, "winners": [2]})

    play = Play("A8", "Passing is open until the first card is placed", match("fr-explore"))
    play.do("deal", 0, pool=["1-1", "1-5", "1-9", "2-4", "2-8"])
    play.do("pass", 1, changes={"turn": 2})
    play.do("place", 2, card="1-6", from_="hand", points=1, changes={"hands": {2: 4}})
    play.no("pass", 2, wrong={"pass-closed": []})
    play.do("end_turn", 2, changes={"hands": {2: 5}, "stack": 33, "turn": 3})
    play.no("pass", 3, wrong={"pass-closed": []})

    place = position([5, 5, 5], 10, ["1-2", "1-3"], POOL, fill="654")
    play = Play(
        "allowed-struck-counted",
        "Players let a card stand, undo it, and count their hands",
        match("fr-explore", position=place),
    )
    play.do("place", 1, card="1-4", from_="hand", points=1, changes={"hands": {1: 4}})
    play.no("place", 1, card="1-9", from_="hand", wrong={"prerequisites": ["1-6"], "link": ["1-4"]})
    play.say("allowed", allows=2, by=1, points=1, changes={"points": {1: 2}, "hands": {1: 3}})
    play.say("struck", strikes=3, by=1, changes={"points": {1: 1}, "hands": {1: 4}})
    play.do("place", 1, card="2-1", from_="hand", points=5, changes={"hands": {1: 3}, "trumps": 1})
    play.do("end_turn", 1, changes={"hands": {1: 5}, "stack": 8, "turn": 2, "trumps": 0})
    play.say("corrected", hands=[5, 4, 5], stack=9, by=2, changes={"hands": {2: 4}, "stack": 9})
    play.say("paused", by=2)
    play.say("resumed", by=2)
    play.do("place", 2, card="1-1", from_="hand", points=1, changes={"hands": {2: 3}})
    play.do("end_turn", 2, changes={"hands": {2: 5}, "stack": 7, "turn": 3})


def edges() -> None:
    """Rows of the rule reference that no vector of section 3.9 touches."""
    tree = ["1-2", "1-3", "1-4"]
    low = position([3, 1, 4], 0, tree, ONE_OPEN, fill="65413", keep=("1-6",), discards=[[], [], ["2-8", "2-9"]])

    play = Play(
        "E8-en-explore",
        "The call of Ben's last card, stack empty: placed, then the match ends",
        match("en-explore", position=low),
    )
    play.do("place", 1, card="2-1", from_="hand", points=4, changes={"hands": {1: 2}, "trumps": 1})
    play.do("call", 1, card="1-6", holder=2, changes={"hands": {2: 0}, "trumps": 0})
    # hand 2 is 2, hand 3 is 4 and its discard 2; Ana got 4 and now 1
    end = {"turn": None, "over": True, "winners": [1], "points": {1: 3, 2: 0, 3: -6}}
    play.do("place", 1, card="1-6", from_="called", points=-1, changes=end)

    play = Play("E8-en-intro", "The call of Ben's last card, stack empty: Ben wins", match("en-intro", position=low))
    play.do("place", 1, card="2-1", from_="hand", changes={"hands": {1: 2}, "trumps": 1})
    end = {"hands": {2: 0}, "trumps": 0, "turn": None, "over": True, "winners": [2]}
    play.do("call", 1, card="1-6", holder=2, changes=end)

    play = Play(
        "E8-fr-explore",
        "The call of Ben's last card, stack empty: nothing special",
        match("fr-explore", position=low),
        owed=(1,),
    )
    play.do("steal", 1, from_=3, changes={"hands": {1: 4, 3: 3}, "owed": []})
    play.do("place", 1, card="2-1", from_="hand", points=4, changes={"hands": {1: 3}, "trumps": 1})
    play.do("call", 1, card="1-6", holder=2, changes={"hands": {2: 0}, "trumps": 0})
    play.do("place", 1, card="1-6", from_="called", points=1)
    play.do("end_turn", 1, changes={"turn": 2, "owed": [(2, "steal")]})
    play.do("steal", 2, from_=1, changes={"hands": {1: 2, 2: 1}, "owed": []})

    late = position([3, 5, 5], 0, ["1-2"], ONE_OPEN, fill="654132", keep=("1-1",), discards=[[], [], []])
    option = {"en_explore_steal_when_empty": True}
    play = Play(
        "E3-en-option",
        "Option: a due draw with an empty stack is a steal",
        match("en-explore", position=late, options=option),
    )
    play.do("place", 1, card="1-1", from_="hand", points=1, changes={"hands": {1: 2}})
    play.do("end_turn", 1, changes={"owed": [(1, "steal")]})
    play.do("steal", 1, from_=3, changes={"hands": {1: 3, 3: 4}, "owed": [], "turn": 2})
    play = Play("E3-en", "English Explore: an empty stack asks for nothing", match("en-explore", position=late))
    play.do("place", 1, card="1-1", from_="hand", points=1, changes={"hands": {1: 2}})
    play.do("end_turn", 1, changes={"turn": 2})

    place = position([5, 5, 5], 10, tree, POOL, fill="654", discards=[["2-3"], [], []])
    play = Play("F-trumps", "Steal, exchange and discard; the last card stays", match("fr-explore", position=place))
    play.no("steal", 1, from_=2, wrong={"no-trump": []})
    play.no("exchange", 1, from_=2, wrong={"no-trump": []})
    play.do("place", 1, card="2-1", from_="hand", points=4, changes={"hands": {1: 4}, "trumps": 1})
    play.no("steal", 1, from_=1, wrong={"not-there": []})
    play.do("steal", 1, from_=2, changes={"hands": {1: 5}, "stack": 9, "trumps": 0})
    play.do("place", 1, card="2-8", from_="hand", points=2, changes={"hands": {1: 4}})  # the series goes on (C4)
    play.do("end_turn", 1, changes={"hands": {1: 5}, "stack": 8, "turn": 2})

    bare = position([1, 5, 5], 10, tree, ["2-1", "1-6", "1-9", "3-2", "3-3"], fill="6543")
    play = Play("F9", "Never the last card", match("en-explore", position=bare))
    play.do("place", 1, card="2-1", from_="pool", points=4, changes={"stack": 9, "trumps": 1})
    play.no("discard", 1, card="1-1", wrong={"last-card": []})
    play.do("exchange", 1, from_=3, changes={"trumps": 0})
    play.no("exchange", 1, from_=3, wrong={"no-trump": []})
    play.do("end_turn", 1, changes={"hands": {1: 5}, "stack": 5, "turn": 2})

    six = [f"6-{n}" for n in range(1, 9)]
    place = position([3, 5, 5], 0, [*tree, *six], ONE_OPEN, fill="5413", keep=("1-5",), discards=[[], [], ["2-3"]])
    option = {"call_era6_when_stack_empty": True}
    play = Play(
        "G2-era-6",
        "Option: era 6 can be called once the stack is empty",
        match("en-explore", position=place, options=option),
    )
    play.do("place", 1, card="2-1", from_="hand", points=4, changes={"hands": {1: 2}, "trumps": 1})
    play.no("call", 1, card="J1", holder=2, wrong={"not-offered": []})
    play.no("call", 2, card="6-9", holder=3, wrong={"turn": []})
    play.do("call", 1, card="6-9", holder=3, changes={"hands": {3: 4}, "trumps": 0})
    play.do("place", 1, card="6-9", from_="called", points=4, changes={"trumps": 1})

    place = position([5, 5, 5], 10, ["1-3"], POOL, fill="654", jokers=2)
    play = Play(
        "O-nested",
        "Ana interrupts Ben, who interrupted her; trumps survive",
        match("fr-explore", jokers=2, position=place),
    )
    play.do("place", 1, card="1-2", from_="hand", points=1, changes={"hands": {1: 4}})
    play.do("place", 1, card="1-4", from_="hand", points=2, changes={"hands": {1: 3}})
    play.do("place", 1, card="2-1", from_="hand", points=6, changes={"hands": {1: 2}, "trumps": 1})
    play.do("interrupt", 2, joker="J1", changes={"hands": {2: 4}, "turn": 2, "trumps": 0})
    play.do("interrupt", 1, joker="J2", changes={"hands": {1: 1}, "turn": 1})
    play.no("end_turn", 1, wrong={"must-discard": []})
    play.do("discard", 1, card="1-9", changes={"hands": {1: 0}})
    play.do("end_turn", 1, changes={"hands": {1: 5}, "stack": 5, "turn": 2})
    play.do("place", 2, card="1-6", from_="hand", points=1, changes={"hands": {2: 3}})
    play.do("end_turn", 2, changes={"hands": {2: 5}, "stack": 3, "turn": 1, "trumps": 1})
    play.do("place", 1, card="2-2", from_="hand", points=4, changes={"hands": {1: 4}})  # on her own Homo erectus
    play.do("place", 1, card="1-7", from_="hand", points=1, changes={"hands": {1: 3}, "trumps": 0})
    play.do("end_turn", 1, changes={"hands": {1: 5}, "stack": 1, "turn": 2})

    place = position([3, 2, 2], 0, ["1-2"], ONE_OPEN, fill="654132", keep=("1-1", "1-6"), jokers=1)
    play = Play(
        "O2-fr", "An extra turn starts with the steal as well", match("fr-explore", jokers=1, position=place), owed=(1,)
    )
    play.no("interrupt", 2, joker="J1", wrong={"must-steal": []})
    play.do("steal", 1, from_=2, changes={"hands": {1: 4, 2: 1}, "owed": []})
    play.do("interrupt", 2, joker="J1", changes={"hands": {2: 0}, "turn": 2, "owed": [(2, "steal")]})
    play.do("steal", 2, from_=1, changes={"hands": {1: 3, 2: 1}, "owed": []})
    play.do("place", 2, card="1-6", from_="hand", points=1, changes={"hands": {2: 0}})
    play.do("end_turn", 2, changes={"turn": 1})
    play.do("place", 1, card="1-1", from_="hand", points=1, changes={"hands": {1: 2}})

    place = position([5, 5, 5], 10, ["1-2", "1-3"], POOL, fill="654", jokers=1)
    plain = {"joker_trump_bonus": False}
    play = Play(
        "F11-option",
        "Option: a joker's trump without the bonus",
        match("en-explore", jokers=1, position=place, options=plain),
    )
    play.do("joker", 1, joker="J1", from_="hand", changes={"hands": {1: 4}, "trumps": 1})

    place = position([5, 5, 1], 10, ["1-2"], POOL, fill="6543", turn=1)
    play = Play("K12-found", "People verified by hand: their word counts", match("en-memory", position=place))
    play.do("place", 1, card="2-2", from_="hand", wrong={"prerequisites": ["2-1"]}, changes={"hands": {1: 4}})
    play.do("stop", 2)
    play.do("verify", 1, found=True, changes={"hands": {2: 6}, "stack": 9})
    play.no("stop", 3, number=1, wrong={"contest-closed": []})
    play.do("place", 1, card="2-6", from_="hand", changes={"hands": {1: 3}})
    play.do("stop", 2)
    play.say("claimed", claims=6, by=3)
    # Cleo gives her last card: everybody draws, Cleo first; then Ana draws for the discarded card
    play.do("verify", 1, found=False, changes={"hands": {1: 6, 2: 7, 3: 1}, "stack": 5, "turn": 2})

    place = position([4, 4, 1], 0, ["1-2"], ONE_OPEN, fill="654132", keep=("2-2",))
    play = Play(
        "T-last-card",
        "Memory, stack empty: whoever gives his last card for a rightful stop wins",
        match("en-memory", position=place),
    )
    play.do("place", 1, card="2-2", from_="hand", wrong={"prerequisites": ["2-1"]}, changes={"hands": {1: 3}})
    play.do("stop", 3)
    play.do("verify", 1, changes={"hands": {1: 4, 3: 0}, "turn": None, "over": True, "winners": [3]})

    red = ("red", "blue", "red")
    place = position([1, 3, 0], 0, ["1-2"], ONE_OPEN, fill="654132", keep=("1-1",), points=[5, 9, 4])
    play = Play(
        "I4-en-explore",
        "Teams: the sum wins; all hands of a team end the match",
        match("en-explore", teams=red, position=place),
    )
    play.do("place", 1, card="1-1", from_="hand", points=4, changes={"hands": {1: 0}, "trumps": 1})
    play.do("end_turn", 1, changes={"points": {2: 6}, "turn": None, "trumps": 0, "over": True, "winners": [1, 3]})

    place = position([2, 4, 4], 4, tree, POOL, fill="6543", turn=1, discards=[[], [], ["1-6"]])
    play = Play("C4-en", "English Explore, flat: a series still needs links", match("en-explore", position=place))
    play.do("place", 1, card="2-8", from_="hand", points=4, changes={"hands": {1: 1}, "trumps": 1})
    play.do("place", 1, card="2-1", from_="hand", points=4, changes={"hands": {1: 4}, "stack": 0, "trumps": 2})
    play.do("place", 1, card="1-6", from_="discard-3", points=1, changes={"trumps": 1})
    play.no("place", 1, card="1-6", from_="discard-3", wrong={"already-placed": []})
    play.do("end_turn", 1, changes={"trumps": 0, "turn": 2})


def more_edges() -> None:
    """Further rows: stalemates, bots, jokers as last cards, calls under Stop."""
    place = position([3, 3, 3], 0, ["1-2"], ONE_OPEN, fill="654132", keep=("1-1",))
    play = Play(
        "N4",
        "Three full rounds without a placement: the players may agree to end it",
        match("en-intro", position=place),
    )
    for turn in range(9):
        seat, other, hands = turn % 3 + 1, (turn + 1) % 3 + 1, play.standing["hands"]
        play.no("agree_end", 0, wrong={"not-offered": []})
        play.do("end_turn", seat, changes={"owed": [(seat, "steal")]})
        after = {seat: hands[seat - 1] + 1, other: hands[other - 1] - 1}
        play.do("steal", seat, from_=other, changes={"hands": after, "owed": [], "turn": other})
    play.do("agree_end", 0, changes={"turn": None, "over": True})

    culture = deck(c14={"family": "culture"})
    place = position([5, 5, 5], 10, ["1-2", "1-3", "J1=1-4"], POOL, fill="654", jokers=2)
    play = Play("C5", "The link holds in both directions", match("fr-explore", jokers=2, position=place), culture)
    play.no("joker", 1, joker="J2", as_="1-4", from_="hand", wrong={"joker-card": []})
    play.no("joker", 1, joker="J1", as_="1-1", from_="hand", wrong={"already-placed": []})
    play.do("place", 1, card="2-1", from_="hand", points=4, changes={"hands": {1: 4}, "trumps": 1})
    play.do("place", 1, card="1-4", from_="hand", points=2)

    place = position([5, 5, 5], 10, ["1-2", "1-3"], POOL, fill="654", discards=[["1-9"], [], []])
    play = Play("not-offered", "What this profile does not know", match("en-explore", position=place))
    play.no("interrupt", 2, joker="J1", wrong={"not-offered": []})
    play.no("joker", 1, joker="J1", from_="hand", wrong={"not-offered": []})
    play.no("announce", 1, era=2, what="open", wrong={"not-offered": []})
    play.no("stop", 2, wrong={"not-offered": []})
    play.no("verify", 1, wrong={"not-offered": []})
    play.no("concede", 1, wrong={"not-offered": []})
    play.no("uncontested", 0, number=1, wrong={"not-offered": []})
    play.no("ask", 1, from_=2, wrong={"not-offered": []})
    play.no("flip", 1, card="1-1", wrong={"not-offered": []})
    play.no("steal", 1, from_=2, wrong={"not-offered": []})
    play.no("deal", 0, pool=POOL, wrong={"not-offered": []})
    play.no("agree_end", 0, wrong={"not-offered": []})
    play.no("place", 1, card="1-1", from_="hand", asked=True, wrong={"not-offered": []})
    play.no("place", 1, card="1-1", from_="called", wrong={"not-there": []})
    play.no("place", 1, card="1-1", from_="pool", wrong={"not-there": []})
    play.no("place", 1, card="1-1", from_="discard-1", wrong={"own-discard": []})
    play.no("discard", 1, card="1-9", wrong={"not-there": []})

    for profile in ("en-memory", "fr-bluff"):
        play = Play(
            f"K11-{profile}-closed",
            "Era 1 is never opened; a false closing can be stopped",
            match(profile, position=place),
        )
        play.no("announce", 1, era=1, what="open", wrong={"not-offered": []})
        play.do("announce", 1, era=1, what="closed", wrong={"era-not-closed": []}, changes={"trumps": 1})
        play.do("stop", 2)
        play.do("verify", 1, changes={"hands": {1: 6, 2: 4}, "trumps": 0, "turn": 2})

    full = position([5, 5, 5], 10, [f"1-{n}" for n in range(1, 9)], POOL, fill="654")
    play = Play(
        "K11-closed", "A true closing, announced a turn later by somebody else", match("fr-bluff", position=full)
    )
    play.do("place", 1, card="1-9", from_="hand", changes={"hands": {1: 4}})
    play.do("end_turn", 1, changes={"turn": 2})
    play.do("announce", 2, era=1, what="closed", changes={"trumps": 1})
    play.do("stop", 1)
    play.do("verify", 2, changes={"hands": {1: 5}, "stack": 9})
    play.do("discard", 2, card="2-3", changes={"hands": {2: 4}, "trumps": 0})
    play.do("end_turn", 2, changes={"hands": {2: 5}, "stack": 8, "turn": 3})

    tree = ["1-2", "1-3", "1-4"]
    calls = position([5, 5, 5], 10, tree, POOL, fill="654")
    play = Play("T3-call-placed", "Stopping the call undoes its placement too", match("en-memory", position=calls))
    play.do("place", 1, card="2-1", from_="hand", changes={"hands": {1: 4}})
    play.do("announce", 1, era=2, what="open", changes={"trumps": 1})
    play.do("call", 1, card="1-9", holder=2, wrong={"prerequisites": ["1-6"]}, changes={"hands": {2: 4}, "trumps": 0})
    play.do("place", 1, card="1-9", from_="called", wrong={"prerequisites": ["1-6"]})
    play.do("stop", 3, number=3)
    play.do("verify", 1, changes={"hands": {1: 5, 2: 5, 3: 4}, "turn": 2})
    play.no("stop", 3, number=4, wrong={"contest-closed": []})

    play = Play("L-call", "Bluff: nobody answers, and an own card is shown", match("fr-bluff", position=calls))
    play.do("place", 1, card="2-1", from_="hand", changes={"hands": {1: 4}})
    play.do("announce", 1, era=2, what="open", changes={"trumps": 1})
    play.do("call", 1, card="1-7", holder=1, failed="not-there", changes={"stack": 9, "trumps": 0, "turn": 2})
    play.do("place", 2, card="2-2", from_="hand", changes={"hands": {2: 4}})
    play.do("announce", 2, era=3, what="open", wrong={"era-not-open": []}, changes={"trumps": 1})
    play.do(
        "call",
        2,
        card="1-4",
        holder=0,
        failed="not-there",
        changes={"hands": {2: 5}, "stack": 8, "trumps": 0, "turn": 3},
    )

    stop = {"stop": True}
    play = Play(
        "K9-call",
        "With points and Stop, an impossible call costs a card of choice once somebody stops it",
        match("en-explore", position=calls, options=stop),
    )
    play.do("place", 1, card="2-1", from_="hand", points=4, changes={"hands": {1: 4}, "trumps": 1})
    ends = {"hands": {1: 5}, "stack": 9, "trumps": 0, "turn": 2}
    play.do("call", 1, card="1-4", holder=0, failed="already-placed", changes=ends)
    play.do("stop", 2)
    play.do("verify", 1, changes={"owed": [(1, "discard")]})
    play.do("discard", 1, card="2-3", changes={"stack": 8, "owed": []})
    play.no("stop", 3, number=2, wrong={"contest-closed": []})

    place = position([1, 4, 4], 10, ["1-2"], POOL, fill="6543", jokers=1)
    play = Play(
        "H7-last",
        "A joker outside as the last card: two trumps and a full hand",
        match("en-explore", jokers=1, position=place),
    )
    play.do("joker", 1, joker="J1", from_="hand", points=6, changes={"hands": {1: 5}, "stack": 5, "trumps": 2})
    place = position([4, 1, 4], 10, ["1-2"], POOL, fill="6543", jokers=1)
    play = Play(
        "O5",
        "An interruption with the last card: a trump of the extra turn",
        match("fr-explore", jokers=1, position=place),
    )
    play.do("interrupt", 2, joker="J1", points=3, changes={"hands": {2: 5}, "stack": 5, "turn": 2, "trumps": 1})
    play.no("end_turn", 2, wrong={"must-discard": []})
    play.do("discard", 2, card="2-3", trump=True, changes={"hands": {2: 4}, "trumps": 0})
    play.no("end_turn", 2, wrong={"must-discard": []})
    play.do("discard", 2, card="2-5", changes={"hands": {2: 3}})
    play.do("end_turn", 2, changes={"hands": {2: 5}, "stack": 3, "turn": 1})
    empty = position([3, 1, 3], 0, ["1-2"], ONE_OPEN, fill="654132", keep=("1-1",), jokers=1)
    play = Play(
        "O5-intro", "An interruption with the last card, stack empty: won", match("en-intro", jokers=1, position=empty)
    )
    won = {"hands": {2: 0}, "turn": None, "over": True, "winners": [2]}
    play.do("interrupt", 2, joker="J1", changes=won)

    place = position([5, 5], 10, ["1-2"], POOL, fill="6543", turn=2)
    solo = match("en-memory", 2, bots=(2,), position=place)
    play = Play("J9-solo", "Alone with a bot: nobody gives it a card", solo)
    play.do("flip", 2, card="2-2", wrong={"prerequisites": ["2-1"]}, changes={"hands": {2: 4}})
    play.do("stop", 1)
    play.do("verify", 1, changes={"hands": {2: 5}, "stack": 9, "turn": 1})
    play.do("place", 1, card="1-4", from_="hand", changes={"hands": {1: 4}})
    play.no("stop", 2, wrong={"not-offered": []})

    for profile, hands, owed in (("fr-bluff", {3: 4}, []), ("en-memory", {}, [])):
        place = position([4, 3, 4], 0, ["1-2"], ONE_OPEN, fill="65413", turn=3, keep=("1-1",))
        play = Play(f"J6-{profile}", "A bot stopped at fault, stack empty", match(profile, bots=(3,), position=place))
        play.do("flip", 3, card="2-2", wrong={"prerequisites": ["2-1"]}, changes={"hands": {3: 3}})
        play.do("stop", 2)
        # Ben gives it one; in the French edition it also steals from whoever has most (Ana's 4 against its own 4)
        given: dict[int, int] = {2: 2, 3: 4}
        if hands:
            given = {1: 3, 2: 2, 3: 5}
        play.do("verify", 1, changes={"hands": given, "owed": owed, "turn": 1})

    row = position([4, 4, 5], 10, ["1-2"], POOL, fill="6543", turn=3, jokers=2)
    play = Play(
        "J3-joker", "A bot that flips a joker flips two more", match("fr-explore", bots=(3,), jokers=2, position=row)
    )
    play.do("flip", 3, card="J1", changes={"hands": {3: 4}, "trumps": 1})
    play.do("flip", 3, card="2-3", held=True, changes={"trumps": 0})
    play.do("flip", 3, card="2-6", changes={"hands": {3: 5}, "stack": 7, "turn": 1})

    short = position(
        [4, 4, 2], 0, ["1-2", "1-3"], ONE_OPEN, fill="65413", turn=3, keep=("1-1",), discards=[["2-3"], [], []]
    )
    facts = match("en-intro", bots=(3,), position=short)
    play = Play("J10", "A bot that discards its last card has not emptied its hand", facts)
    play.do("flip", 3, card="2-8", changes={"hands": {3: 1}, "trumps": 1})
    play.do("flip", 3, card="2-2", changes={"hands": {3: 0}, "trumps": 0, "turn": 1})
    play.do("place", 1, card="2-1", from_="hand", changes={"hands": {1: 3}})
    play.do("end_turn", 1, changes={"turn": 2})
    play.do("place", 2, card="1-1", from_="hand", changes={"hands": {2: 3}})
    play.do("end_turn", 2, changes={"turn": 1})  # it has no cards and is passed over


def hidden_and_unknown() -> None:
    """What the record does not know, and what it may not tell."""
    play = Play("no-deal", "Without a deal entry the pool is unknown and nothing is objected to", match("fr-explore"))
    play.do("place", 1, card="1-2", from_="pool", points=1, changes={"stack": 33})
    play.no("place", 1, card="1-2", from_="pool", wrong={"already-placed": []})
    play.do("refill", 0, card="2-9")
    play.no("refill", 0, card="1-2", wrong={"already-placed": []})
    play.do("place", 1, card="1-4", from_="pool", points=2, changes={"stack": 32})
    play.do("end_turn", 1, changes={"turn": 2})
    play.no("place", 2, card="2-9", from_="hand", wrong={"not-there": [], "prerequisites": ["2-4"]})

    red = ("red", "blue", "red")
    place = position([0, 3, 3], 0, ["1-2"], ONE_OPEN, fill="654132", keep=("1-1", "2-3", "2-5"))
    play = Play(
        "I5-en-explore",
        "A seat without cards whose mate has some plays on",
        match("en-explore", teams=red, position=place),
    )
    play.no("place", 1, card="1-1", from_="hand", wrong={"not-there": []})
    play.no("ask", 1, from_=1, wrong={"not-offered": []})
    play.do("end_turn", 1, changes={"turn": 2})
    play.do("place", 2, card="1-1", from_="hand", points=1, changes={"hands": {2: 2}})
    play.do("end_turn", 2, changes={"turn": 3})
    play.do("discard", 3, card="2-3", changes={"hands": {3: 2}})
    play.do("end_turn", 3, changes={"turn": 1})
    play.do("ask", 1, from_=3, changes={"hands": {1: 1, 3: 1}})
    play.no("end_turn", 1, wrong={"must-discard": []})
    play.do("discard", 1, card="2-5", changes={"hands": {1: 0}})
    play.do("end_turn", 1, changes={"turn": 2})

    place = position([5, 5, 5], 10, ["1-2", "1-3"], ["1-4", *POOL[:4]], fill="654", jokers=1)
    play = Play(
        "L-joker",
        "Bluff: a joker for a card in the pool is refused, one for a card in the pile stands",
        match("fr-bluff", jokers=1, position=place),
    )
    play.no("joker", 1, joker="J1", as_="1-4", from_="hand", wrong={"joker-card": []})
    play.do("joker", 1, joker="J1", as_="1-2", from_="hand", wrong={"joker-card": []}, changes={"hands": {1: 4}})
    play.do("stop", 2)
    play.do("verify", 1, changes={"hands": {1: 6, 2: 4}, "stack": 9, "turn": 2})
    play.no("joker", 2, joker="J1", as_="1-2", from_="hand", wrong={"not-there": []})

    place = position([5, 5, 5], 10, ["1-2"], POOL, fill="654")
    play = Play(
        "K3-own", "A stop without a number means the last act of somebody else", match("en-memory", position=place)
    )
    play.do("place", 1, card="2-2", from_="hand", wrong={"prerequisites": ["2-1"]}, changes={"hands": {1: 4}})
    play.do("end_turn", 1, changes={"turn": 2})
    play.do("place", 2, card="1-1", from_="hand", changes={"hands": {2: 4}})
    play.do("stop", 2)
    play.do("verify", 1, changes={"hands": {1: 6, 2: 3}, "stack": 9})  # it is not Ana's turn: Ben goes on
    play.do("place", 2, card="1-5", from_="hand", changes={"hands": {2: 2}})

    end = position([2, 4, 4], 0, ["1-2"], ONE_OPEN, fill="654132", keep=("2-1", "2-2", "2-6", "1-1"))
    play = Play(
        "TV27-earlier", "The last card but one, stopped in time: no win either", match("fr-bluff", position=end)
    )
    play.do("place", 1, card="2-2", from_="hand", wrong={"prerequisites": ["2-1"]}, at=1, changes={"hands": {1: 1}})
    won = {"hands": {1: 0}, "over": True, "turn": None, "winners": [1], "provisional": True}
    play.do("place", 1, card="2-6", from_="hand", at=3, changes=won)
    play.do("stop", 2, at=5, number=1)
    back: dict[str, Any] = {"over": False, "turn": 1, "winners": [], "provisional": False}
    play.do("verify", 1, at=6, changes=back | {"hands": {1: 1, 2: 3}, "owed": [(1, "steal")]})
    play.do("steal", 1, at=9, from_=3, changes={"hands": {1: 2, 3: 3}, "owed": [], "turn": 2})


def stops_that_last() -> None:
    """What can be stopped, and until when (EN 2.1 to 2.3, FR 2.5)."""
    tree = ["1-5", "1-6", "1-7"]
    place = position([5, 5, 5], 20, tree, POOL, fill="65")
    for profile in ("en-memory", "fr-bluff"):
        play = Play(
            f"K4-call-failed-{profile}",
            "A call of a card that lies in the pile fails, and can be stopped all the same",
            match(profile, position=place),
        )
        wrong = {"prerequisites": ["1-3", "1-4"]}
        play.do("place", 1, card="2-1", from_="hand", wrong=wrong, changes={"hands": {1: 4}})
        play.do("announce", 1, era=2, what="open", changes={"trumps": 1})
        ends = {"hands": {1: 5}, "stack": 19, "trumps": 0, "turn": 2}
        play.do("call", 1, card="1-5", holder=0, failed="not-there", changes=ends)
        play.do("stop", 2)
        # Ben was right: he draws nothing, and Ana takes a card of his; the draw that closed her call stays
        play.do("verify", 1, changes={"hands": {1: 6, 2: 4}})
        play.no("stop", 3, number=3, wrong={"contest-closed": []})
        play.do("stop", 3)  # now the last that can be stopped is what Ana announced

    for where, card, holder in (("pool", "3-2", 0), ("own-hand", "1-9", 1), ("era", "2-9", 0)):
        play = Play(
            f"K4-call-failed-{where}",
            "What a call must not ask for: the pool, one's own hand, a card whose next era is not open",
            match("fr-bluff", position=place),
        )
        play.do("place", 1, card="2-1", from_="hand", wrong=wrong, changes={"hands": {1: 4}})
        play.do("announce", 1, era=2, what="open", changes={"trumps": 1})
        ends = {"hands": {1: 4 if where == "own-hand" else 5}, "stack": 19, "trumps": 0, "turn": 2}
        play.do("call", 1, card=card, holder=holder, failed="not-there", changes=ends)
        play.do("stop", 2)
        play.do("verify", 1, changes={"hands": {1: 5 if where == "own-hand" else 6, 2: 4}})

    stop = {"stop": True}
    place = position([5, 5, 5], 10, ["1-2", "1-3", "1-4", "1-5"], POOL, fill="654")
    play = Play(
        "K4-call-failed-en-intro",
        "English Intro with Stop: who stops an impossible call is not punished for it",
        match("en-intro", position=place, options=stop),
    )
    play.do("place", 1, card="2-1", from_="hand", changes={"hands": {1: 4}, "trumps": 1})
    ends = {"hands": {1: 5}, "stack": 9, "trumps": 0, "turn": 2}
    play.do("call", 1, card="1-5", holder=0, failed="already-placed", changes=ends)
    play.do("stop", 2)
    play.do("verify", 1, changes={"hands": {1: 6, 2: 4}})

    place = position([5, 5, 5], 10, ["1-2", "1-3", "1-4"], POOL, fill="654")
    play = Play(
        "G5-given-up",
        "Memory: the called card lacks a prerequisite; its caller sees it and discards it",
        match("en-memory", position=place),
    )
    play.do("place", 1, card="2-1", from_="hand", changes={"hands": {1: 4}})
    play.do("announce", 1, era=2, what="open", changes={"trumps": 1})
    called = {"hands": {2: 4}, "trumps": 0}
    play.do("call", 1, card="1-9", holder=2, wrong={"prerequisites": ["1-6"]}, changes=called)
    play.no("end_turn", 1, wrong={"must-place": ["1-9"]})
    play.no("discard", 1, card="1-1", wrong={"must-place": ["1-9"]})
    play.do("discard", 1, card="1-9", changes={"hands": {1: 5}, "stack": 9, "turn": 2})
    play.no("place", 1, card="1-9", from_="discard-1", wrong={"turn": []})

    low = ["5-2", "5-3", "5-4", "5-5", "5-6"]
    laid = [*(card for card in ALL_IDS if card[0] in "1234"), "5-1"]
    cards = deck(c69={"prerequisites": ["5-9"]})
    place = position([2, 5, 5], 0, laid, low, fill="")
    for name, title in (
        ("K2-winner", "The ten seconds of the winner's earlier card outlive his last one"),
        ("K2-winner-late", "After ten seconds the win stands"),
        ("K2-winner-untimed", "Without times a win stands when every act of the winner is closed"),
    ):
        play = Play(name, title, match("fr-bluff", position=place), cards)
        timed = name != "K2-winner-untimed"
        wrong = {"prerequisites": ["5-6"]}
        play.do("place", 1, card="5-9", from_="hand", at=1.0 if timed else None, wrong=wrong, changes={"hands": {1: 1}})
        wins = {"hands": {1: 0}, "turn": None, "over": True, "winners": [1], "provisional": True}
        play.do("place", 1, card="6-9", from_="hand", at=3.0 if timed else None, changes=wins)
        if name == "K2-winner":
            play.do("stop", 2, at=4.0)
            play.do("verify", 1, at=5.0)  # a friend stopped the lawful card: that seals nothing
            play.do("stop", 3, at=6.0, number=1)
            falls = {"hands": {1: 1, 3: 4}, "turn": 1, "over": False, "winners": [], "provisional": False}
            play.do("verify", 1, at=7.0, changes=falls | {"owed": [(1, "steal")]})
            play.do("steal", 1, from_=2, at=8.0, changes={"hands": {1: 2, 2: 4}, "owed": [], "turn": 2})
        elif timed:
            play.no("stop", 3, at=11.0, number=1, wrong={"contest-closed": []})
            play.do("uncontested", 0, at=13.0, number=2, changes={"provisional": False})
            play.no("stop", 3, at=13.5, number=1, wrong={"game-over": []})
        else:
            play.do("uncontested", 0, number=2)
            play.do("uncontested", 0, number=1, changes={"provisional": False})
            play.no("stop", 3, wrong={"game-over": []})

    play = Play(
        "K2-winner-robbed",
        "Ana wins because her last card was stolen; what she had laid unlawfully can still be stopped",
        match("fr-bluff", position=place),
        cards,
    )
    play.do("place", 1, card="5-9", from_="hand", at=1.0, wrong={"prerequisites": ["5-6"]}, changes={"hands": {1: 1}})
    play.do("end_turn", 1, at=2.0, changes={"turn": 2})
    play.do("end_turn", 2, at=3.0, changes={"owed": [(2, "steal")]})
    wins = {"hands": {1: 0, 2: 6}, "owed": [], "turn": None, "over": True, "winners": [1], "provisional": True}
    play.do("steal", 2, from_=1, at=4.0, changes=wins)
    play.do("stop", 3, at=5.0, number=1)
    falls = {"hands": {1: 1, 3: 4}, "turn": 2, "over": False, "winners": [], "provisional": False}
    play.do("verify", 1, at=6.0, changes=falls | {"owed": [(1, "steal")]})
    play.do("steal", 1, from_=2, at=7.0, changes={"hands": {1: 2, 2: 5}, "owed": [], "turn": 3})


def cards_that_stay_one() -> None:
    """Every card is in one place, whatever is stopped, let stand or counted; and nobody is ever stuck."""
    stop = {"stop": True}
    cards = deck(c11={"prerequisites": ["1-4"]})
    place = position([5, 5, 5], 10, ["J1=1-1", "1-9"], POOL, fill="6543", jokers=1)
    play = Play(
        "H6-played-again",
        "The joker that a stopped card had freed was played again: it stays where it lies now",
        match("en-memory", jokers=1, position=place),
        cards,
    )
    play.do("place", 1, card="1-1", from_="hand", wrong={"prerequisites": ["1-4"]})
    wrong = {"link": ["1-1"]}
    play.do("joker", 1, joker="J1", as_="1-3", from_="hand", wrong=wrong, changes={"hands": {1: 4}})
    play.do("stop", 2, number=1)
    play.do("verify", 1, changes={"hands": {1: 6, 2: 4}, "stack": 9, "turn": 2})

    cards = deck(
        c12={"prerequisites": ["1-4"]}, c14={"prerequisites": []}, c18={"family": "society", "prerequisites": []}
    )
    place = position([5, 5, 5], 10, ["1-5", "1-6"], POOL, fill="6543", jokers=1)
    for profile in ("en-memory", "fr-bluff"):
        play = Play(
            f"O3-stopped-{profile}",
            "What a Stop took out of the pile is no base of the interrupted series",
            match(profile, jokers=1, position=place),
            cards,
        )
        play.do("place", 1, card="1-1", from_="hand", changes={"hands": {1: 4}})
        play.do("interrupt", 3, joker="J1", changes={"hands": {3: 4}, "turn": 3})
        play.do("place", 3, card="1-2", from_="hand", wrong={"prerequisites": ["1-4"]}, changes={"hands": {3: 3}})
        play.do("stop", 2)
        play.do("verify", 3, changes={"hands": {2: 4, 3: 5}, "stack": 9, "turn": 1})
        if profile == "en-memory":
            play.do("place", 1, card="1-8", from_="hand", changes={"hands": {1: 3}})
        else:
            play.do("place", 1, card="1-9", from_="hand", wrong={"link": ["1-1"]}, changes={"hands": {1: 3}})

    cards = deck(
        c12={"prerequisites": ["1-4"]},
        c14={"prerequisites": []},
        c18={"family": "society", "prerequisites": []},
        c19={"prerequisites": []},
        c22={"prerequisites": ["1-9"]},
    )
    play = Play(
        "O3-stopped-fr-explore",
        "The interrupter's last card that still lies there counts",
        match("fr-explore", jokers=1, position=place, options=stop),
        cards,
    )
    play.do("place", 1, card="1-1", from_="hand", points=1, changes={"hands": {1: 4}})
    play.do("place", 1, card="1-8", from_="hand", points=2, changes={"hands": {1: 3}})
    play.do("interrupt", 3, joker="J1", changes={"hands": {3: 4}, "turn": 3})
    play.do("place", 3, card="1-9", from_="hand", points=1, changes={"hands": {3: 3}})
    wrong = {"prerequisites": ["1-4"], "link": ["1-9"]}
    play.do("place", 3, card="1-2", from_="hand", points=1, wrong=wrong, changes={"hands": {3: 2}})
    play.do("stop", 2)
    play.do("verify", 3, points=-1, changes={"hands": {3: 5}, "stack": 7, "turn": 1})
    # second after 1-9, and three for opening era 2
    play.do("place", 1, card="2-2", from_="hand", points=5, changes={"hands": {1: 2}, "trumps": 1})

    place = position([3, 4, 5], 0, ["1-1", "1-2"], POOL, fill="65432")
    play = Play(
        "E1-counted",
        "A steal is owed, and then the players count: nobody has a card to steal, and the match goes on",
        match("en-intro", position=place),
    )
    play.do("end_turn", 1, changes={"owed": [(1, "steal")]})
    play.say("corrected", hands=[12, 0, 0], by=2, changes={"hands": {1: 12, 2: 0, 3: 0}, "owed": [], "turn": 2})
    play.do("end_turn", 2, changes={"owed": [(2, "steal")]})

    red = ("red", "blue", "red")
    place = position([5, 5, 5], 10, ["1-3", "1-4"], POOL, fill="654")
    teams = match("fr-explore", teams=red, position=place, options=stop)
    play = Play("I2-after-stop", "A Stop ends the turn, the asked card goes, and the hand is drawn up to five", teams)
    play.do("ask", 1, from_=3, changes={"hands": {1: 6}, "stack": 9})
    wrong = {"prerequisites": ["1-2"]}
    play.do("place", 1, card="1-8", from_="hand", points=1, wrong=wrong, changes={"hands": {1: 5}})
    play.do("stop", 2)
    play.do("verify", 1, points=-1, changes={"owed": [(1, "discard")]})
    play.do("discard", 1, card="1-9", asked=True, changes={"owed": [], "stack": 8, "turn": 2})

    play = Play("I2-failed-call", "An impossible call that nobody stops costs the asked card alone", teams)
    play.do("ask", 1, from_=3, changes={"hands": {1: 6}, "stack": 9})
    play.do("place", 1, card="2-1", from_="hand", points=4, changes={"hands": {1: 5}, "trumps": 1})
    ends = {"trumps": 0, "owed": [(1, "discard")]}
    play.do("call", 1, card="1-4", holder=0, failed="already-placed", changes=ends)
    play.do("discard", 1, card="1-9", asked=True, changes={"owed": [], "stack": 8, "turn": 2})

    play = Play("I2-one-for-both", "The asked card serves the penalty as well, and then the hand is full", teams)
    play.do("ask", 1, from_=3, changes={"hands": {1: 6}, "stack": 9})
    play.do("place", 1, card="2-1", from_="hand", points=4, changes={"hands": {1: 5}, "trumps": 1})
    play.do("call", 1, card="1-6", holder=2, changes={"stack": 8, "trumps": 0})
    play.do("stop", 2)
    owed = [(1, "discard"), (1, "discard")]
    play.do("verify", 1, found=False, changes={"hands": {2: 6}, "owed": owed})
    play.do("discard", 1, card="1-9", asked=True, changes={"owed": [], "stack": 7, "turn": 2})

    place = position([5, 5, 5], 10, ["1-9", "1-1"], POOL, fill="6543")
    play = Play(
        "A3-allowed",
        "A deal that comes too late puts no card in two places, even if the players let it stand",
        match("fr-explore", position=place),
    )
    play.no("deal", 0, pool=["1-1", "1-9", "1-2", "2-1", "2-2"], wrong={"not-offered": []})
    play.say("allowed", allows=1, by=1)
    play.no("place", 1, card="1-2", from_="pool", wrong={"not-there": []})


EVENINGS: dict[str, tuple[int, JSON]] = {
    "evening-en-intro": (5, match("en-intro", 3, jokers=1)),
    "evening-en-intro-stop-bots": (2, match("en-intro", 4, bots=(2,), jokers=2, options={"stop": True})),
    "evening-en-memory": (3, match("en-memory", 3, jokers=2)),
    "evening-en-memory-bots": (4, match("en-memory", 4, bots=(2, 4), jokers=1)),
    "evening-en-explore": (1, match("en-explore", 4, jokers=3, bots=(3,), options={"series_plus": True})),
    "evening-en-explore-stop-teams": (2, match("en-explore", 4, jokers=2, teams=("red", "blue", "red", "blue"),
                                               options={"stop": True})),
    "evening-fr-explore": (1, match("fr-explore", 3, jokers=2)),
    "evening-fr-explore-teams": (6, match("fr-explore", 4, jokers=2, teams=("red", "blue", "red", "blue"))),
    "evening-fr-explore-bots": (7, match("fr-explore", 3, jokers=2, bots=(2, 3))),
    "evening-fr-bluff": (8, match("fr-bluff", 5, jokers=3)),
    "evening-fr-bluff-bot": (9, match("fr-bluff", 3, jokers=1, bots=(1,))),
    "evening-fr-bluff-teams": (10, match("fr-bluff", 4, jokers=1, teams=("red", "blue", "red", "blue"))),
}  # fmt: skip


def write(folder: Path = HERE) -> None:
    """Every vector and every evening into ``folder``."""
    for name, (seed, facts) in EVENINGS.items():
        header, entries = evening(facts, deck(), seed)
        header["title"] = f"An evening played at random: {facts['profile']}, {len(facts['seat'])} seats"
        lines = [json.dumps(line, ensure_ascii=False) for line in (header, *entries)]
        (folder / f"{name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    Play.every.clear()
    for chapter in (
        worked_example, series_and_hands, dealing, turns_and_draws, calls, sources_and_links, jokers, bots, stops,
        teams_ends_and_corrections, edges, more_edges, hidden_and_unknown, stops_that_last, cards_that_stay_one,
    ):  # fmt: skip
        chapter()
    for play in Play.every:
        play.write(folder)


if __name__ == "__main__":
    write()
