"""A second, plain judge of Discovery, written from the rule reference alone; it shares no code with the companion.

It works on the JSON forms of the public contract and favours the straight way over the quick one. Letters and
numbers in brackets (D3, K8) are the rows of the rule reference that a line comes from.
"""

from __future__ import annotations

from typing import Any

JSON = Any
Objection = tuple[str, tuple[str, ...]]

PROFILES: dict[str, dict[str, Any]] = {
    "en-intro": {"edition": "en", "points": False, "silent": False},
    "en-memory": {"edition": "en", "points": False, "silent": True},
    "en-explore": {"edition": "en", "points": True, "silent": False},
    "fr-explore": {"edition": "fr", "points": True, "silent": False},
    "fr-bluff": {"edition": "fr", "points": False, "silent": True},
}
OPTIONS: dict[str, Any] = {
    "series_plus": False,
    "stop": False,
    "contest_s": 10,
    "en_explore_steal_when_empty": False,
    "joker_trump_bonus": True,
    "call_era6_when_stack_empty": False,
}
# What only the cards in the tree can tell: such an act stands until somebody says Stop.
HIDDEN = {"prerequisites", "link", "joker-link", "joker-card", "era-not-open", "era-not-closed"}
# The replay that a placement would have needed is step 3 of it too (3.3); contract 7: an unlawful placement that the
# table can hold is played and stands.
OF_PLACEMENTS = {"no-trump", "joker-timing", "own-discard"}
ANSWERS = {"stop", "verify", "concede"}
OF_THE_TABLE = {"deal", "refill", "uncontested", "agree_end"}


def era(card: str) -> int:
    return int(card.split("-")[0])


class Oracle:
    """One match. Seats are counted from 1, so every list by seat carries an unused first element."""

    def __init__(self, match: JSON, deck: JSON) -> None:
        self.match = match
        profile = PROFILES[match["profile"]]
        self.fr = profile["edition"] == "fr"
        self.with_points: bool = profile["points"]
        self.silent: bool = profile["silent"]
        self.options = OPTIONS | match.get("options", {})
        if self.silent:
            self.options["stop"] = True
        self.cards = {card["id"]: card for card in deck["card"]}
        if len(self.cards) != 54:
            raise ValueError("a deck has 54 cards")
        self.n = len(match["seat"])
        if not 1 <= self.n <= 9:
            raise ValueError("5 cards for the pool and for each seat: at most 9 seats (A4)")
        self.bots = {s for s, seat in self.around() if seat.get("bot")}
        self.team = {s: seat.get("team", f"seat {s}") for s, seat in self.around()}
        self.teams = any("team" in seat for seat in match["seat"])
        if any("team" in seat and seat.get("bot") for seat in match["seat"]):
            raise ValueError("a bot plays in no team (I6)")
        self.jokers = [f"J{k}" for k in range(1, match.get("jokers", 0) + 1)]

        self.tree: list[dict[str, Any]] = []  # {"card": what it stands for, "joker": "J1" or None}
        self.pool: list[str] = []
        self.unknown = 5  # cards of the pool that nobody has named yet
        self.discards: list[list[str]] = [[] for _ in range(self.n + 1)]
        self.hands = [0] + [5] * self.n
        self.stack = 54 + len(self.jokers) - 5 * (self.n + 1)
        self.gone: list[str] = []
        self.gone_before = 0  # jokers that had left the game before the position
        self.limbo: dict[str, Any] | None = None  # the called card between its holder and the tree
        self.points = [0] * (self.n + 1)
        self.credits: set[tuple[int, str]] = set()
        self.turns: list[dict[str, Any]] = []
        self.owed: list[dict[str, Any]] = []
        self.passing = False  # the turn passes as soon as nothing is owed
        self.begun = False
        self.card_was_placed = False
        self.quiet_turns = 0  # turns ended since the last placement
        self.last_turn: dict[str, Any] | None = None  # the match ends with this turn
        self.over = False
        self.winners: list[int] = []
        self.provisional = False
        self.acts: list[dict[str, Any]] = []  # what can be contested
        self.stopped: dict[str, Any] | None = None
        self.last_act = 0
        self.now: tuple[int, float | None] = (0, None)
        self.robbed = 0  # whose card was taken in this entry
        self.away: set[int] = set()  # seats that somebody left (Y3)

        first = match.get("dealer", self.n) % self.n + 1
        if "position" in match:
            first = self.take(match["position"])
        self.begin(first)

    def around(self, start: int = 1) -> list[tuple[int, JSON]]:
        """Every seat with its line of the match file, clockwise from ``start``."""
        seats = [(start - 1 + k) % self.n + 1 for k in range(self.n)]
        return [(s, self.match["seat"][s - 1]) for s in seats]

    def take(self, position: JSON) -> int:
        for text in position.get("tree", []):
            joker, _, card = text.rpartition("=")
            self.tree.append({"card": card, "joker": joker or None})
        self.pool, self.unknown = list(position["pool"]), 0
        self.discards = [[], *[list(pile) for pile in position.get("discards", [[]] * self.n)]]
        self.hands = [0, *position["hands"]]
        self.stack = position["stack"]
        self.points = [0, *position.get("points", [0] * self.n)]
        self.gone_before = 54 + len(self.jokers) - self.total()
        if not 0 <= self.gone_before <= len(self.jokers):
            raise ValueError("the cards do not add up")
        self.begun = True
        self.card_was_placed = bool(self.tree)
        for e in range(1, 7):
            if e > 1 and self.in_era(e):
                self.credits.add((e, "open"))
            if self.in_era(e) == 9:
                self.credits.add((e, "closed"))
        return int(position["turn"])

    def total(self) -> int:
        """Every card that the record knows of: 54 and the jokers still in the game (TV28)."""
        lying = len(self.tree) + len(self.pool) + self.unknown + sum(len(pile) for pile in self.discards)
        return lying + sum(self.hands) + self.stack + len(self.gone) + self.gone_before + (self.limbo is not None)

    # ---- what can be seen -------------------------------------------------------------------------------------

    def standing(self) -> JSON:
        turn = None if self.over else self.turns[-1]
        shown: dict[str, Any] = {
            "turn": turn and turn["seat"],
            "points": self.points[1:],
            "hands": self.hands[1:],
            "stack": self.stack,
            "trumps": turn["trumps"] if turn and not self.passing else 0,  # D5
            "owed": [] if self.over else [{"seat": item["seat"], "do": item["do"]} for item in self.owed],
            "over": self.over,
            "winners": list(self.winners),
        }
        if self.provisional:
            shown["provisional"] = True
        return shown

    def lying(self) -> dict[str, str]:
        """Every card that can be seen, and where it lies."""
        zones = {laid["joker"] or laid["card"]: "pile" if self.silent else "tree" for laid in self.tree}
        zones |= dict.fromkeys(self.pool, "pool")
        for seat, pile in enumerate(self.discards):
            zones |= dict.fromkeys(pile, f"discard-{seat}")
        for turn in self.turns:
            zones |= dict.fromkeys(turn["two"], f"row-{turn['seat']}")
        return zones

    def present(self) -> set[str]:
        return {laid["card"] for laid in self.tree}

    def really_present(self, token: str) -> bool:
        return any((laid["joker"] or laid["card"]) == token for laid in self.tree)

    def in_era(self, e: int) -> int:
        # a joker may lie unlawfully beside the card that it stands for
        return len({laid["card"] for laid in self.tree if era(laid["card"]) == e})

    def is_open(self, e: int) -> bool:
        return e == 1 or self.in_era(e) > 0

    def missing(self, card: str) -> list[str]:
        return sorted(set(self.cards[card].get("prerequisites") or []) - self.present())

    def needs(self, one: str, other: str) -> bool:
        return other in (self.cards[one].get("prerequisites") or [])

    def linked(self, base: dict[str, Any], card: str, joker: bool) -> bool:
        if self.needs(card, base["card"]) or self.needs(base["card"], card):
            return True
        family = self.cards[card].get("family")
        # a joker carries no family symbol (H4)
        return not joker and not base["joker"] and family is not None and family == self.cards[base["card"]]["family"]

    def mates(self, seat: int) -> list[int]:
        return [s for s in range(1, self.n + 1) if self.team[s] == self.team[seat]]

    def victims(self, seat: int) -> list[int]:
        return [s for s in range(1, self.n + 1) if s != seat and self.hands[s] > 0]

    def humans(self) -> int:
        return self.n - len(self.bots)

    # ---- judging ----------------------------------------------------------------------------------------------

    def judge(self, move: JSON, number: int = 0, time_s: float | None = None) -> set[Objection]:
        """All objections to a move; none = lawful."""
        found = {(rule, tuple(sorted(cards))) for rule, cards in self.objections(move, time_s)}
        if self.silent:
            # whoever hears a public objection must not learn from the others what lies in the pile
            public = {item for item in found if not self.lies(move, item)}
            return public or found
        return found

    def public_joker_card(self, move: JSON, item: Objection) -> bool:
        lying = self.pool + [card for pile in self.discards for card in pile]
        return item[0] == "joker-card" and move.get("as") in lying

    def stands(self, move: JSON, found: set[Objection]) -> bool:
        """Whether an unlawful move is played all the same, until it is stopped."""
        return bool(found) and self.options["stop"] and all(self.lies(move, item) for item in found)

    def lies(self, move: JSON, item: Objection) -> bool:
        """Whether this objection lets the act stand: steps 2 and 3 of a placement are recorded, not enforced (3.3)."""
        if self.public_joker_card(move, item):
            return False
        laid = move["do"] == "place" or (move["do"] == "joker" and "as" in move)
        return item[0] in HIDDEN or (laid and item[0] in OF_PLACEMENTS)

    def objections(self, move: JSON, time_s: float | None) -> list[tuple[str, list[str]]]:
        do, by = move["do"], move["by"]
        if (do in OF_THE_TABLE and by != 0) or by in self.away:
            return [("turn", [])]
        if do == "deal":
            return [("not-offered", [])] if self.begun else []
        if do == "refill":
            fault = self.misplaced(move["card"]) or (None if self.unknown else "not-there")
            return [(fault, [])] if fault else []
        if self.over and not (self.provisional and do in {*ANSWERS, "uncontested"}):
            return [("game-over", [])]
        if do == "uncontested":
            return self.against_uncontested(move)
        if do in ("verify", "concede") and (self.stopped or self.over or not self.owed):
            return self.against_answer(do, by)
        if do == "stop" and by in self.bots and (self.over or not self.owed):
            return [("not-offered", [])]  # K3
        if self.stopped:
            return [("contest-closed" if do == "stop" else "turn", [])]
        if self.owed and not self.over:
            item = self.owed[0]
            if (do, by) != (item["do"], item["seat"]) or move.get("trump"):
                return [(f"must-{item['do']}", [])]
            if do == "steal":
                return self.against_victim(by, move["from"])
            return self.against_source(by, move["card"], "hand")
        if do == "stop":
            return self.against_stop(move, time_s)
        if do == "interrupt":
            return self.against_interrupt(move)
        if do == "agree_end":
            # N4: three full rounds without a placement
            stale = not self.with_points and self.stack == 0 and self.quiet_turns >= 3 * (self.n - len(self.away))
            return [] if stale else [("not-offered", [])]
        turn = self.turns[-1]
        if by != turn["seat"]:
            return [("turn", [])]
        asked_due = self.fr and do == "discard" and move.get("asked") and turn["asked"] == "due"
        if turn["closing"] and do != "end_turn" and not asked_due:
            return [("turn", [])]
        if (by in self.bots) != (do == "flip"):
            return [("not-offered", [])]
        if do == "flip":
            return self.against_flip(move)
        given_up = do == "discard" and self.silent and not (move.get("trump") or move.get("asked"))
        if self.limbo and given_up and move["card"] == self.limbo["card"]:
            return []  # G5: he sees that it may not be placed, and discards it
        if self.limbo and not (do == "place" and move["from"] == "called"):
            return [("must-place", [self.limbo["card"]])]
        return {
            "place": self.against_place,
            "joker": self.against_joker,
            "discard": self.against_discard,
            "steal": self.against_steal,
            "exchange": self.against_exchange,
            "ask": self.against_ask,
            "call": self.against_call,
            "announce": self.against_announce,
            "pass": self.against_pass,
            "end_turn": self.against_end_turn,
        }[do](move, turn)

    def misplaced(self, token: str) -> str | None:
        """Why this card cannot be one that nobody sees."""
        if self.really_present(token):
            return "already-placed"
        lying = self.pool + self.gone + [card for pile in self.discards for card in pile]
        lying += [card for turn in self.turns for card in turn["two"]]
        if token in lying or (self.limbo and self.limbo["card"] == token):
            return "not-there"
        return None

    def possible(self, move: JSON) -> bool:
        """Whether the table can hold what the players let stand: a pool is dealt once, of cards that lie nowhere."""
        if move["do"] != "deal":
            return True
        return not self.begun and not any(self.misplaced(card) for card in move["pool"])

    def against_source(self, by: int, token: str, source: str) -> list[tuple[str, list[str]]]:
        """Only the first of already-placed, own-discard, not-there."""
        if self.really_present(token):
            return [("already-placed", [])]
        if source == f"discard-{by}":
            # once it lies in the tree it stands until stopped, but it must have been there
            there = token in self.discards[by] or not self.options["stop"]
            return [("own-discard" if there else "not-there", [])]
        if source == "hand":
            there = self.hands[by] > 0 and self.misplaced(token) is None
        elif source == "pool":
            there = token in self.pool or (self.unknown > 0 and self.misplaced(token) is None)
        elif source == "called":
            there = self.limbo is not None and self.limbo["card"] == token
        else:
            seat = int(source.removeprefix("discard-"))
            there = 1 <= seat <= self.n and token in self.discards[seat] and token in self.cards
        return [] if there else [("not-there", [])]

    def index(
        self, turn: dict[str, Any], card: str, *, new: bool = False, called: bool = False, joker: bool = False
    ) -> tuple[int, int, list[tuple[str, list[str]]]]:
        """The place in its series, the trumps that it costs, and what stands against it (3.3 step 3)."""
        first = turn["placed"] == 0
        if joker and self.fr and not first:  # H1: at the start of the turn or when replaying
            if turn["trumps"]:
                return 1, 1, []
            return 1, 0, [("joker-timing", [])] + ([("no-trump", [])] if new else [])
        if new or (joker and self.fr):
            if first or called:
                return 1, 0, []
            return (1, 1, []) if turn["trumps"] else (1, 0, [("no-trump", [])])
        bases = self.bases(turn)
        linked = [base["index"] for base in bases if self.linked(base, card, joker)]
        if linked:
            return max(linked) + 1, 0, []  # O4: if both bases link, the better
        if first or called:
            return 1, 0, []
        if turn["trumps"]:
            return 1, 1, []
        if not bases:
            return 1, 0, []  # nothing of the series lies there any more
        base = bases[0]
        return 1, 0, [("joker-link", [])] if base["joker"] else [("link", [base["card"]])]

    def laid_in(self, turn: dict[str, Any]) -> list[dict[str, Any]]:
        """What lies in the tree of all that was laid during a turn, in order."""
        laid = turn["series"] + [one for inner in turn["within"] for one in inner]
        return [one for one in laid if any(one is other for other in self.tree)]

    def bases(self, turn: dict[str, Any]) -> list[dict[str, Any]]:
        """What the next card may link to, latest first (O3). A card that a Stop took out is no base (E 2.1)."""
        if not self.fr:
            return self.laid_in(turn)[-1:]
        parts = [self.laid_in({"series": part, "within": []}) for part in (turn["series"], *turn["within"])]
        return [part[-1] for part in reversed(parts) if part]

    def against_place(self, move: JSON, turn: dict[str, Any]) -> list[tuple[str, list[str]]]:
        card, source = move["card"], move["from"]
        called = source == "called"
        if called and self.limbo and self.limbo["card"] != card:
            return [("called-card", [self.limbo["card"]])]
        if card not in self.cards:
            return [("not-there", [])]  # a joker says what it stands for
        found = self.against_source(move["by"], card, source)
        found += self.against_asked(move, turn, self.teams, found)
        if self.missing(card):
            found.append(("prerequisites", self.missing(card)))
        found += self.index(turn, card, new=bool(move.get("new_series")), called=called)[2]
        return found

    def against_asked(
        self, move: JSON, turn: dict[str, Any], known: bool, found: list[tuple[str, list[str]]]
    ) -> list[tuple[str, list[str]]]:
        """A card said to be asked for that nobody gave; of the faults of a source only the first is given."""
        if not move.get("asked"):
            return []
        if not known:
            return [("not-offered", [])]
        return [] if turn["asked"] == "due" or found else [("not-there", [])]

    def against_joker(self, move: JSON, turn: dict[str, Any]) -> list[tuple[str, list[str]]]:
        if not self.jokers:
            return [("not-offered", [])]
        found = self.against_source(move["by"], move["joker"], move["from"])
        card = move.get("as")
        if card is None:
            # 3.6: in the French edition at the start of the turn, or on a replay
            if self.fr and turn["placed"] and not turn["trumps"]:
                found.append(("joker-timing", []))
            return found
        if not self.is_open(era(card)):
            found.append(("era-not-open", []))
        lying = self.pool + [token for pile in self.discards for token in pile]
        if card in self.present() or (self.fr and card in lying):
            found.append(("joker-card", []))
        if self.missing(card):
            found.append(("prerequisites", self.missing(card)))  # H3
        return found + self.index(turn, card, new=bool(move.get("new_series")), joker=True)[2]

    def against_interrupt(self, move: JSON) -> list[tuple[str, list[str]]]:
        if not self.jokers or move["by"] in self.bots:
            return [("not-offered", [])]
        if self.limbo:
            return [("must-place", [self.limbo["card"]])]
        found = self.against_source(move["by"], move["joker"], "hand")
        if move["by"] == self.turns[-1]["seat"] or self.turns[-1]["two"]:  # O1: between two acts, not amid a bot's two
            found.append(("joker-timing", []))
        return found

    def against_discard(self, move: JSON, turn: dict[str, Any]) -> list[tuple[str, list[str]]]:
        found = self.against_source(move["by"], move["card"], "hand")
        # I2: the English edition knows no such duty
        found += self.against_asked(move, turn, self.fr and self.teams, found)
        if self.discard_is_due(move, turn):
            return found
        if not turn["trumps"]:
            found.append(("no-trump", []))
        if self.hands[move["by"]] < 2:
            found.append(("last-card", []))  # F9
        return found

    def discard_is_due(self, move: JSON, turn: dict[str, Any]) -> bool:
        owed = self.with_points and turn["placed"] == 0 and move["by"] not in self.bots  # J2: a bot owes none
        return not move.get("trump") and (bool(move.get("asked")) or owed)

    def against_victim(self, by: int, victim: int) -> list[tuple[str, list[str]]]:
        return [] if victim in self.victims(by) else [("not-there", [])]

    def against_steal(self, move: JSON, turn: dict[str, Any]) -> list[tuple[str, list[str]]]:
        if not self.fr:
            return [("not-offered", [])]  # F7
        found = self.against_victim(move["by"], move["from"])
        return found if turn["trumps"] else [*found, ("no-trump", [])]

    def against_exchange(self, move: JSON, turn: dict[str, Any]) -> list[tuple[str, list[str]]]:
        found = self.against_victim(move["by"], move["from"])
        if not turn["trumps"]:
            found.append(("no-trump", []))
        if self.hands[move["by"]] < 1:
            found.append(("last-card", []))  # F8: another card than the stolen one
        return found

    def against_ask(self, move: JSON, turn: dict[str, Any]) -> list[tuple[str, list[str]]]:
        mate = move["from"] in self.mates(move["by"]) and move["from"] != move["by"]
        if not self.teams or not mate or turn["acted"]:
            return [("not-offered", [])]
        return self.against_victim(move["by"], move["from"])

    def against_call(self, move: JSON, turn: dict[str, Any]) -> list[tuple[str, list[str]]]:
        found: list[tuple[str, list[str]]] = [] if turn["trumps"] else [("no-trump", [])]
        if move["card"] not in self.cards:
            return [*found, ("not-offered", [])]  # H10
        if move["holder"] and self.hands[move["holder"]] == 0:
            found.append(("not-there", []))
        if self.silent and move["holder"] not in (0, move["by"]) and self.misplaced(move["card"]) is None:
            # an impossible call that is answered proceeds (L)
            if not self.next_era_open(move["card"]):
                found.append(("era-not-open", []))
            if self.missing(move["card"]):
                found.append(("prerequisites", self.missing(move["card"])))
        return found

    def next_era_open(self, card: str) -> bool:
        if era(card) == 6:  # G2
            return bool(self.options["call_era6_when_stack_empty"]) and self.stack == 0
        return self.is_open(era(card) + 1)

    def against_announce(self, move: JSON, turn: dict[str, Any]) -> list[tuple[str, list[str]]]:
        if not self.silent or (move["era"] == 1 and move["what"] == "open"):
            return [("not-offered", [])]
        if move["what"] == "open":
            return [] if self.is_open(move["era"]) else [("era-not-open", [])]
        return [] if self.in_era(move["era"]) == 9 else [("era-not-closed", [])]

    def against_pass(self, move: JSON, turn: dict[str, Any]) -> list[tuple[str, list[str]]]:
        due = self.fr and turn["asked"] == "due" and self.hands[move["by"]]
        found: list[tuple[str, list[str]]] = [("must-discard", [])] if due else []
        return [*found, ("pass-closed", [])] if self.card_was_placed else found

    def against_end_turn(self, move: JSON, turn: dict[str, Any]) -> list[tuple[str, list[str]]]:
        due = self.fr and turn["asked"] == "due"  # I2
        due = due or (self.with_points and turn["placed"] == 0 and not turn["closing"])  # D3
        return [("must-discard", [])] if due and self.hands[move["by"]] else []

    def against_flip(self, move: JSON) -> list[tuple[str, list[str]]]:
        turn = self.turns[-1]
        if move["card"] in turn["two"]:
            return [("not-there", [])]
        found = self.against_source(move["by"], move["card"], "hand")
        if self.silent and move["card"] in self.cards and self.missing(move["card"]):
            found.append(("prerequisites", self.missing(move["card"])))  # J9
        return found

    def against_stop(self, move: JSON, time_s: float | None) -> list[tuple[str, list[str]]]:
        if not self.options["stop"] or move["by"] in self.bots:
            return [("not-offered", [])]
        act = self.contested(move, time_s)
        if act is not None and act["closed"]:
            return [("contest-closed", [])]
        if act is None or act["by"] == move["by"]:
            return [("no-stop", [])]
        return [("contest-closed", [])] if self.window_closed(act, time_s) else []

    def contested(self, move: JSON, time_s: float | None) -> dict[str, Any] | None:
        if "number" in move:
            return next((act for act in self.acts if act["number"] == move["number"]), None)
        opened = [a for a in self.acts if a["by"] != move["by"] and not self.window_closed(a, time_s)]
        return opened[-1] if opened else None

    def window_closed(self, act: dict[str, Any], time_s: float | None) -> bool:
        if act["closed"]:
            return True
        if time_s is None or act["time_s"] is None or time_s - act["time_s"] < self.options["contest_s"]:
            return False
        return self.over or self.last_act > act["number"]  # K2

    def against_answer(self, do: str, by: int) -> list[tuple[str, list[str]]]:
        if not self.options["stop"]:
            return [("not-offered", [])]
        if not self.stopped:
            return [("no-stop", [])]
        seat = self.stopped["act"]["by"]
        if by in self.bots or (by != seat and seat not in self.bots | self.away):
            return [("turn", [])]
        # elsewhere only cases 1 and 3 apply (K1); nobody declines for a bot
        return [("not-offered", [])] if do == "concede" and (not self.silent or seat in self.bots) else []

    def against_uncontested(self, move: JSON) -> list[tuple[str, list[str]]]:
        if not self.options["stop"]:
            return [("not-offered", [])]
        meant = [act for act in self.acts if act["number"] == move["number"]]
        if not meant:
            return [("no-stop", [])]
        return [("contest-closed", [])] if meant[0]["closed"] else []

    # ---- carrying out -----------------------------------------------------------------------------------------

    def play(self, move: JSON, number: int, time_s: float | None = None) -> JSON:
        """Carry a move out, lawful or let stand. The answer holds what an entry of the record holds."""
        do, by = move["do"], move["by"]
        found = self.judge(move, number, time_s)
        before = self.points[by]
        was = self.over, self.provisional
        self.now = (number, time_s)
        self.robbed = self.robbed if self.limbo else 0  # a call and its card are one act (E8)
        out: dict[str, Any] = {}
        act = getattr(self, f"play_{do}")(move, out)
        self.begun = True
        if act is not None:
            act |= {"number": number, "time_s": time_s, "by": by, "do": do, "closed": False}
            # what stands against an act that the players let stand was forgiven
            act |= {"objections": found if self.stands(move, found) else set(), "winning": self.over}
            act |= {"objections": act["faults"]} if act.get("failed") else {}
            self.acts.append(act)
        if by and do not in ANSWERS:
            self.last_act = number
            if self.turns[-1]["seat"] == by and do not in ("steal", "interrupt"):
                self.turns[-1]["acted"] = True
        self.settle()
        self.look_at_the_win(*was, touched=do in ("verify", "concede", "uncontested"))
        if by and self.points[by] != before:
            out["points"] = self.points[by] - before
        if self.stands(move, found) and do not in ANSWERS:
            out["objections"] = [{"rule": rule, "cards": list(cards)} for rule, cards in sorted(found)]
        out["standing"] = self.standing()
        return out

    def look_at_the_win(self, was_over: bool, was_provisional: bool, *, touched: bool) -> None:
        """K2: it can fall as long as what brought it, or any act of a winner, can be contested."""
        if not self.over:
            self.provisional = False
        elif not was_over or (touched and was_provisional):
            hangs = [act for act in self.acts if act["winning"] or act["by"] in self.winners]
            open_still = any(not self.window_closed(act, self.now[1]) for act in hangs)
            self.provisional = bool(self.options["stop"]) and open_still

    def fresh(self, seat: int, extra: bool) -> dict[str, Any]:
        return {
            "seat": seat,
            "extra": extra,
            "placed": 0,
            "series": [],  # what was laid in it and, before its last card, in turns within it
            "within": [],  # the same of each turn within it since then
            "trumps": 0,
            "acted": False,
            "closing": False,
            "dead": False,  # an upheld Stop ended it
            "asked": None,  # "due" until it is placed or discarded, then "done"
            "two": [],  # a bot's cards under a trump
            "left": 0,
            "pair_ok": False,
        }

    def next_seat(self, seat: int) -> int:
        """Clockwise, past the empty seats (Y3)."""
        return next(s for s, _ in self.around(seat % self.n + 1) if s not in self.away)

    def leave_seat(self, seat: int, number: int, time_s: float | None) -> bool:
        """Y3: the hand goes under the stack, the turn ends, what he owed lapses. Whether it could be."""
        others = [s for s, _ in self.around() if s != seat and s not in self.bots | self.away]
        if self.over or seat in self.away or not others or self.stopped:
            return False
        if len(self.turns) > 1 or self.limbo or self.turns[-1]["two"]:
            return False
        self.stack += self.hands[seat]
        self.hands[seat] = 0
        self.away.add(seat)
        self.owed = [item for item in self.owed if item["seat"] != seat]
        if self.turns[-1]["seat"] == seat:
            self.turns[-1]["trumps"] = 0
            self.passing = True
        self.counted(number, time_s)
        return True

    def take_seat(self, seat: int) -> bool:
        """Y2: five cards from the stack, or as many as it has. Whether it could be."""
        if self.over or seat not in self.away or not self.stack:
            return False
        drawn = min(5, self.stack)
        self.stack -= drawn
        self.hands[seat] += drawn
        self.away.discard(seat)
        return True

    def begin(self, seat: int, extra: bool = False) -> None:
        turn = self.fresh(seat, extra)
        self.turns.append(turn)
        if self.fr and self.with_points and self.stack == 0:  # E3, J8
            if seat in self.bots:
                self.bot_steals(seat)
            elif self.victims(seat):
                self.owed.append({"seat": seat, "do": "steal"})
        if seat in self.bots and self.hands[seat] == 0 and not self.over and (self.stack or any(self.hands)):
            self.turns.pop()
            self.quiet_turns += 1
            self.begin(self.next_seat(seat))  # a bot without cards is passed over

    def own_turn(self, seat: int) -> dict[str, Any]:
        """The turn that an act belongs to; a card let stand out of turn belongs to none."""
        return self.turns[-1] if self.turns[-1]["seat"] == seat else self.fresh(seat, False)

    def score(self, seat: int, points: int) -> None:
        if self.with_points:
            self.points[seat] += points

    def trump(self, turn: dict[str, Any]) -> None:
        turn["trumps"] += 1
        self.score(turn["seat"], 3)  # F11

    def draw(self, seat: int) -> None:
        """A due draw: one card, or up to five; with an empty stack perhaps a steal (E2, E3)."""
        if self.with_points:
            if self.stack == 0 and not self.fr and self.options["en_explore_steal_when_empty"]:
                due = self.hands[seat] < 5 and seat not in self.bots and self.last_turn is None
                self.owe_steal(seat, due)
            while self.stack and self.hands[seat] < 5:
                self.draw_one(seat)
        elif self.stack:
            self.draw_one(seat)
        elif seat not in self.bots:
            self.owe_steal(seat, True)
        elif self.fr:
            self.bot_steals(seat)  # J6

    def owe_steal(self, seat: int, due: bool) -> None:
        if due:
            self.owed.append({"seat": seat, "do": "steal"})

    def draw_one(self, seat: int) -> None:
        self.stack -= 1
        self.hands[seat] += 1

    def bot_steals(self, seat: int) -> None:
        order = [s for s, _ in self.around(seat) if s in self.victims(seat)]
        if order:
            victim = max(order, key=lambda s: self.hands[s])  # the first of those with most
            self.move_card(victim, seat)

    def move_card(self, giver: int, taker: int) -> None:
        """One card out of a hand into another, with what follows for the giver (E4, E7, E8)."""
        self.hands[taker] += 1
        self.lose_card(giver)

    def lose_card(self, giver: int) -> None:
        self.hands[giver] -= 1
        self.robbed = giver
        if self.with_points:
            if self.stack:
                self.draw_one(giver)
        elif self.hands[giver] == 0:
            if self.stack:
                self.all_draw(self.turns[-1]["seat"] if self.fr else giver)
            elif all(self.hands[s] == 0 for s in self.mates(giver)):
                self.win(giver)

    def all_draw(self, first: int) -> None:
        """E6: stop at the last card; whoever then has none steals one."""
        here = [seat for seat, _ in self.around(first) if seat not in self.away]
        for seat in here:
            if self.stack:
                self.draw_one(seat)
        for seat in here:
            if self.hands[seat] == 0:
                self.draw(seat)

    def emptied(self, turn: dict[str, Any]) -> None:
        """The player emptied his own hand (3.1, F4)."""
        seat = turn["seat"]
        if self.stack:
            self.trump(turn)
            if self.with_points:
                self.draw(seat)
            else:
                self.all_draw(seat)
        elif not self.with_points and all(self.hands[s] == 0 for s in self.mates(seat)):
            self.win(seat)
        elif not (self.fr and self.with_points):
            self.trump(turn)

    def win(self, seat: int) -> None:
        self.over = True
        self.winners = self.mates(seat)

    def take_from(self, by: int, token: str, source: str) -> None:
        if source == "hand":
            self.hands[by] -= 1
        elif source == "pool":
            if token in self.pool:
                self.pool.remove(token)
            else:
                self.unknown -= 1
            if self.stack:  # B2
                self.stack -= 1
                self.unknown += 1
        elif source == "called":
            self.limbo = None
        else:
            self.discards[int(source.removeprefix("discard-"))].remove(token)

    def lay(self, by: int, card: str, joker: str | None, source: str, index: int) -> dict[str, Any]:
        """The indivisible placement, steps 4 to 8 (3.3). Answers what an upheld Stop would undo."""
        turn = self.own_turn(by)
        before, trumps_before = self.points[by], turn["trumps"]
        in_hand = self.hands[by]
        self.take_from(by, joker or card, source)
        count = self.in_era(era(card))
        freed = None
        for other in self.tree:
            if joker is None and other["card"] == card and other["joker"]:
                self.tree.remove(other)
                self.hands[by] += 1  # H6
                freed = other["joker"]
                break
        laid = {"card": card, "joker": joker, "index": index}
        self.tree.append(laid)
        self.card_was_placed = True
        self.quiet_turns = 0
        turn["placed"] += 1
        turn["series"] = [*self.laid_in(turn), laid]
        turn["within"] = []
        flat = not self.fr and (by in self.bots or not self.options["series_plus"])
        self.score(by, 1 if flat else index)
        credited = set()
        if not self.silent:
            if count == 0 and era(card) > 1:
                credited.add((era(card), "open"))
            if count == 8 and self.in_era(era(card)) == 9:
                credited.add((era(card), "closed"))
            credited -= self.credits
            for _ in credited:
                self.trump(turn)
            self.credits |= credited
        if source == "hand" and in_hand == 1 and self.hands[by] == 0:
            self.emptied(turn)
        return {
            "laid": [laid],
            "freed": freed,
            "credits": credited,
            "won": turn["trumps"] - trumps_before,
            "points": self.points[by] - before,
            "turn": turn,
        }

    def play_deal(self, move: JSON, out: JSON) -> None:
        self.pool = list(move["pool"])
        self.unknown = 5 - len(self.pool)

    def play_refill(self, move: JSON, out: JSON) -> None:
        self.unknown -= 1
        self.pool.append(move["card"])

    def play_place(self, move: JSON, out: JSON) -> dict[str, Any]:
        by, card, source = move["by"], move["card"], move["from"]
        turn = self.own_turn(by)
        called = self.limbo if source == "called" else None
        index, cost, _ = self.index(turn, card, new=bool(move.get("new_series")), called=source == "called")
        turn["trumps"] -= cost
        if move.get("asked"):
            turn["asked"] = "done"
        act = self.lay(by, card, None, source, index)
        act["called"] = called
        return act

    def play_joker(self, move: JSON, out: JSON) -> dict[str, Any] | None:
        by = move["by"]
        turn = self.own_turn(by)
        if "as" in move:
            index, cost, _ = self.index(turn, move["as"], new=bool(move.get("new_series")), joker=True)
            turn["trumps"] -= cost
            return self.lay(by, move["as"], move["joker"], move["from"], index)
        if self.fr and turn["placed"]:
            turn["trumps"] -= 1
        self.leave(by, move["joker"], move["from"])
        turn["trumps"] += 1
        if self.options["joker_trump_bonus"]:
            self.score(by, 3)
        if move["from"] == "hand" and self.hands[by] == 0:
            self.emptied(turn)
        return None

    def leave(self, by: int, joker: str, source: str) -> None:
        self.take_from(by, joker, source)
        self.gone.append(joker)

    def play_interrupt(self, move: JSON, out: JSON) -> None:
        self.leave(move["by"], move["joker"], "hand")
        self.begin(move["by"], extra=True)
        if self.hands[move["by"]] == 0:
            self.emptied(self.turns[-1])  # O5

    def play_discard(self, move: JSON, out: JSON) -> None:
        by = move["by"]
        self.discards[by].append(move["card"])
        turn = self.turns[-1]
        if self.limbo and self.limbo["card"] == move["card"]:  # he saw that it may not be placed: the call fails (G5)
            for act in self.acts:
                if act.get("called") is self.limbo:
                    act |= {"failed": True, "paid": True}
            self.limbo = None
            self.close_turn(turn, draws=True)
            self.passing = True
            return
        self.hands[by] -= 1
        if self.owed:
            item = self.owed.pop(0)
            if move.get("asked"):  # the penalty was paid with it
                self.owed = [other for other in self.owed if not (other.get("asked") and other["seat"] == by)]
                turn["asked"] = turn["asked"] and "done" if turn["seat"] == by else turn["asked"]
            if item.get("draws", True):
                self.draw(by)  # K9
            return
        if self.discard_is_due(move, turn):
            turn["closing"] = True
        else:
            turn["trumps"] -= 1
        if move.get("asked"):
            turn["asked"] = "done"

    def play_steal(self, move: JSON, out: JSON) -> None:
        if self.owed:
            self.owed.pop(0)
        else:
            self.turns[-1]["trumps"] -= 1
            self.turns[-1]["acted"] = True
        self.move_card(move["from"], move["by"])

    def play_exchange(self, move: JSON, out: JSON) -> None:
        self.turns[-1]["trumps"] -= 1

    def play_ask(self, move: JSON, out: JSON) -> None:
        self.turns[-1]["asked"] = "due"
        self.move_card(move["from"], move["by"])

    def play_call(self, move: JSON, out: JSON) -> dict[str, Any] | None:
        by, card, holder = move["by"], move["card"], move["holder"]
        turn = self.turns[-1]
        turn["trumps"] -= 1
        faults = self.call_faults(move)
        hidden = self.misplaced(card) is None
        if self.silent:
            failed = None if hidden and holder not in (0, by) else "not-there"
        elif not self.next_era_open(card):
            failed = "era-not-open"
        elif self.really_present(card):
            failed = "already-placed"
        elif not hidden or holder in (0, by):
            failed = "not-there"
        else:
            failed = "prerequisites" if self.missing(card) else None
        if failed is None:
            self.limbo = {"card": card, "holder": holder, "number": self.now[0]}
            self.lose_card(holder)
            return {"called": self.limbo, "laid": [], "credits": set(), "won": 0, "points": 0, "turn": turn}
        out["failed"] = failed
        shown = hidden and holder == by  # G6: it has been revealed, whatever the call failed for
        if shown:
            self.hands[by] -= 1
            self.discards[by].append(card)
        elif failed == "prerequisites":
            self.discards[by].append(card)
            self.lose_card(holder)
        if not self.over:
            self.close_turn(turn, draws=True)
        self.passing = True
        if not self.options["stop"]:
            return None
        paid = shown or failed == "prerequisites"
        told = {"called": {"card": card, "holder": holder}, "failed": True, "faults": faults, "paid": paid}
        return told | {"laid": [], "credits": set(), "won": 0, "points": 0, "turn": turn}

    def call_faults(self, move: JSON) -> set[Objection]:
        """K4: what is wrong with a call, whether it fails by itself or not."""
        card = move["card"]
        found: set[Objection] = set() if self.next_era_open(card) else {("era-not-open", ())}
        if self.really_present(card):
            return found | {("already-placed", ())}
        if self.misplaced(card) or move["holder"] in (0, move["by"]):
            return found | {("not-there", ())}
        return found | ({("prerequisites", tuple(self.missing(card)))} if self.missing(card) else set())

    def close_turn(self, turn: dict[str, Any], *, draws: bool) -> None:
        """I2: the asked card that was not placed is discarded at the end of the turn, however it ends."""
        if self.fr and turn["asked"] == "due" and self.hands[turn["seat"]]:
            turn["asked"] = "done"
            # with points the hand is drawn up to five after all of it (F:278)
            self.owed.append({"seat": turn["seat"], "do": "discard", "draws": draws or self.with_points, "asked": True})
        elif draws:
            self.draw(turn["seat"])

    def play_announce(self, move: JSON, out: JSON) -> dict[str, Any]:
        credit = (move["era"], move["what"])
        fresh = credit not in self.credits
        if fresh:
            self.credits.add(credit)
            self.turns[-1]["trumps"] += 1
        return {
            "laid": [],
            "credits": {credit} if fresh else set(),
            "won": int(fresh),
            "points": 0,
            "turn": self.turns[-1],
        }

    def play_pass(self, move: JSON, out: JSON) -> None:
        self.passing = True

    def play_end_turn(self, move: JSON, out: JSON) -> None:
        if self.with_points or self.turns[-1]["placed"] == 0:
            self.draw(move["by"])
        self.passing = True

    def play_agree_end(self, move: JSON, out: JSON) -> None:
        self.over = True

    # ---- bots (3.7) -------------------------------------------------------------------------------------------

    def play_flip(self, move: JSON, out: JSON) -> dict[str, Any] | None:
        by, card = move["by"], move["card"]
        turn = self.turns[-1]
        act: dict[str, Any] = {"laid": [], "credits": set(), "won": 0, "points": 0, "turn": turn}
        if turn["left"] == 0 and turn["trumps"]:
            turn["trumps"] -= 1
            turn |= {"left": 2, "two": [], "pair_ok": False}
        under_trump = turn["left"] > 0
        turn["left"] -= under_trump
        stop = False
        if card not in self.cards:
            self.leave(by, card, "hand")
            turn["trumps"] += 1
            turn["pair_ok"] = True
            if self.hands[by] == 0:
                self.emptied(turn)
        elif self.silent:
            self.bot_lays(by, card, act)
            turn["pair_ok"] = True
        elif under_trump:
            turn["two"].append(card)
            if turn["left"] and self.hands[by] > len(turn["two"]):
                out["held"] = True
        elif self.missing(card):
            self.bot_discards(by, card)
            stop = True
        else:
            self.bot_lays(by, card, act)
        if under_trump and (turn["left"] == 0 or self.hands[by] == len(turn["two"])):
            stop = not self.resolve_two(by, act)
        if stop and not self.over:
            self.draw(by)
            self.passing = True
        return act if act["laid"] else None

    def resolve_two(self, by: int, act: dict[str, Any]) -> bool:
        """Place as many of the two as possible, leftmost first; the rest is discarded (J3)."""
        turn = self.turns[-1]
        turn["left"] = 0
        while ready := [card for card in turn["two"] if not self.missing(card)]:
            turn["two"].remove(ready[0])
            self.bot_lays(by, ready[0], act)
            turn["pair_ok"] = True
        for card in turn["two"]:
            self.bot_discards(by, card)
        turn["two"] = []
        return bool(turn["pair_ok"])

    def bot_lays(self, by: int, card: str, act: dict[str, Any]) -> None:
        done = self.lay(by, card, None, "hand", self.turns[-1]["placed"] + 1)  # J7
        act["laid"] += done["laid"]
        act["freed"] = done["freed"] or act.get("freed")
        act["credits"] |= done["credits"]
        act["won"] += done["won"]
        act["points"] += done["points"]

    def bot_discards(self, by: int, card: str) -> None:
        self.hands[by] -= 1
        self.discards[by].append(card)

    # ---- Stop (3.8) -------------------------------------------------------------------------------------------

    def play_stop(self, move: JSON, out: JSON) -> None:
        self.stopped = {"act": self.contested(move, self.now[1]), "by": move["by"]}

    def play_uncontested(self, move: JSON, out: JSON) -> None:
        for act in self.acts:
            if act["number"] == move["number"]:
                act["closed"] = True

    def play_concede(self, move: JSON, out: JSON) -> None:
        self.answer(False)

    def play_verify(self, move: JSON, out: JSON) -> None:
        assert self.stopped is not None
        self.answer(bool(move.get("found", not self.stopped["act"]["objections"])))

    def answer(self, valid: bool) -> None:
        assert self.stopped is not None
        act, stopper = self.stopped["act"], self.stopped["by"]
        self.stopped = None
        act["closed"] = True
        if valid and self.over:
            return
        if valid and self.with_points:
            self.fine(stopper)
        elif valid:
            self.draw(stopper)  # case 1
        else:
            self.uphold(act, stopper)

    def fine(self, seat: int) -> None:
        """K9: discard one, then draw."""
        if self.hands[seat]:
            self.owed.append({"seat": seat, "do": "discard"})
        else:
            self.draw(seat)

    def uphold(self, act: dict[str, Any], stopper: int) -> None:
        seat = act["by"]
        if self.over and not self.with_points and (act["winning"] or seat in self.winners):
            self.over, self.winners = False, []
            for other in self.acts:
                other["winning"] = False
        elif self.over:
            before = self.left_over()
            self.undo(act)
            if self.with_points:
                for s, cost in enumerate(self.left_over()):  # a card that was taken out lies in a discard now (M3)
                    self.score(s, (before[s] - cost) if not self.fr else 0)
                self.count_winners()
            self.end_turns_of(seat)  # should the win fall yet, his turn is over all the same
            return
        solo = seat in self.bots and self.humans() == 1  # J9
        self.undo(act)  # T3: what goes back to the stopper's hand can be taken from it
        if not self.with_points and not solo and self.hands[stopper]:
            self.move_card(stopper, seat)
        if not self.over:
            if self.with_points and act["do"] in ("call", "announce"):
                if not act.get("paid"):
                    self.fine(seat)
            elif act["laid"]:
                self.draw(seat)
        self.end_turns_of(seat)
        if not self.over:
            self.passing = self.passing or self.turns[-1]["dead"]
            if self.turns[-1]["dead"]:
                if self.limbo:  # a called card that was not yet placed goes back
                    self.hands[self.limbo["holder"]] += 1
                    self.limbo = None
                self.close_turn(self.turns[-1], draws=False)

    def left_over(self) -> list[int]:
        return [held + len(lying) for held, lying in zip(self.hands, self.discards, strict=True)]

    def end_turns_of(self, seat: int) -> None:
        """If it was your turn, you end it (E:256): also one that was interrupted."""
        for turn in self.turns:
            turn |= {"dead": True, "trumps": 0} if turn["seat"] == seat else {}

    def undo(self, act: dict[str, Any]) -> None:
        """Take back the contested act alone, its points and its unspent trumps (K8-K10)."""
        seat = act["by"]
        self.score(seat, -act["points"])
        self.credits -= act["credits"]
        if act.get("failed"):
            return  # the draw that closed it stays
        act["turn"]["trumps"] = max(0, act["turn"]["trumps"] - act["won"])
        for laid in act["laid"]:
            if any(laid is one for one in self.tree):
                self.tree = [one for one in self.tree if one is not laid]
                self.discards[seat].append(laid["joker"] or laid["card"])
                # the joker that it had freed goes back, unless it lies somewhere by now
                if act.get("freed") and self.hands[seat] and self.misplaced(act["freed"]) is None:
                    self.hands[seat] -= 1
                    self.tree.append({"card": laid["card"], "joker": act["freed"]})
        if act["do"] == "call":
            called = act["called"]
            self.hands[called["holder"]] += 1
            if self.limbo is called:
                self.limbo = None
                return
            for later in self.acts:
                lies = any(laid is one for laid in later["laid"] for one in self.tree)
                if later.get("called") is called and later is not act and lies:
                    self.undo(later)  # stopping the call undoes both
                    self.discards[seat].remove(called["card"])
                    later["closed"] = True
                    return
            self.hands[called["holder"]] -= 1

    # ---- after every entry ------------------------------------------------------------------------------------

    def settle(self) -> None:
        while True:
            self.lapse()
            if self.over:
                return
            if self.with_points and not self.limbo:
                self.look_for_the_end()
            if self.over:
                continue
            if self.owed or self.stopped or not (self.passing or self.bot_is_done()):
                return
            self.passing = False
            self.hand_over()

    def counted(self, number: int, time_s: float | None) -> None:
        """The players counted: what nobody can pay any more lapses."""
        was = self.over, self.provisional
        self.now = (number, time_s)
        self.robbed = 0  # who counts fewer cards was robbed of none
        self.settle()
        self.look_at_the_win(*was, touched=False)

    def lapse(self) -> None:
        """What nobody can pay any more is dropped (E1, D3)."""
        while self.owed:
            item = self.owed[0]
            if self.victims(item["seat"]) if item["do"] == "steal" else self.hands[item["seat"]]:
                return
            self.owed.pop(0)
            if item.get("draws", item["do"] == "discard") and not self.over:
                self.draw(item["seat"])

    def bot_is_done(self) -> bool:
        """A bot whose row ran out stops and draws."""
        turn = self.turns[-1]
        seat = turn["seat"]
        if seat not in self.bots or self.hands[seat] > len(turn["two"]):
            return False
        act: dict[str, Any] = {"laid": [], "credits": set(), "won": 0, "points": 0, "turn": turn}
        goes_on = bool(turn["two"]) and self.resolve_two(seat, act) and self.hands[seat] > 0
        if act["laid"]:  # a placement like any other, though no flip was the last (K3)
            act |= {"number": self.now[0], "time_s": self.now[1], "by": seat, "do": "flip", "closed": False}
            self.acts.append(act | {"objections": set(), "winning": self.over})
        if goes_on:
            return False
        self.draw(seat)
        return True

    def hand_over(self) -> None:
        turn = self.turns.pop()
        if turn is self.last_turn:
            self.finish(turn)
            return
        if not turn["extra"]:
            self.quiet_turns = 0 if turn["placed"] else self.quiet_turns + 1
            self.begin(self.next_seat(turn["seat"]))
            return
        below = self.turns[-1]
        if self.laid_in(turn):  # O3
            below["within"].append(self.laid_in(turn))
        self.passing = below["dead"]

    def look_for_the_end(self) -> None:
        turn = self.turns[-1]
        if self.fr:
            if self.last_turn is None and not self.stack and not any(self.hands):
                self.last_turn = turn  # N2: whoever's turn it is may finish it
            return
        if self.stack:
            return
        empty = {
            s for s, _ in self.around() if s not in self.away and not any(self.hands[mate] for mate in self.mates(s))
        }  # I3
        if self.robbed in empty:
            self.finish()  # E8
        elif empty:
            self.last_turn = self.last_turn or turn  # however the hand became so: also by a count, or as a mate left

    def finish(self, turn: dict[str, Any] | None = None) -> None:
        """Penalties and winners of a match with points (M3, M4)."""
        self.over = True
        if not self.fr:
            for seat in range(1, self.n + 1):
                self.points[seat] -= self.hands[seat] + len(self.discards[seat])
        turn = self.turns[-1] if turn is None else turn
        opened = [act for act in self.acts if not act["closed"]]
        if self.options["stop"] and opened and opened[-1]["turn"] is turn:
            opened[-1]["winning"] = True  # its last card brought it
        self.count_winners()

    def count_winners(self) -> None:
        here = [s for s, _ in self.around() if not self.away.issuperset(self.mates(s))]
        sums = {s: sum(self.points[m] for m in self.mates(s)) for s in here}
        self.winners = [s for s in sums if sums[s] == max(sums.values())]
