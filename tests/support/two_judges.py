"""One match told to the engine and to the second judge at the same time, and what they say differently."""

from __future__ import annotations

from random import Random
from typing import Any

from reference.judge import PROFILES, Oracle
from support.conserved import count_things

from companion.errors import InputError
from companion.games.discovery.effects.drawing import victims
from companion.games.discovery.state import Position, lying_twice
from companion.games.protocol import MoveContext
from companion.games.registry import demo_deck, open_match
from companion.history.codec import decode_move
from companion.public.standing import encode_standing
from companion.public.table import Seat

JSON = Any
DECK = demo_deck()
CARDS = [card["id"] for card in DECK["card"]]
NEEDS = {card["id"]: card.get("prerequisites") or [] for card in DECK["card"]}


def random_match(rng: Random, profile: str) -> JSON:
    """A match file with one to six seats; one in three starts in the middle."""
    count = rng.randint(1, 6)
    seats: list[JSON] = [{"name": f"Seat {seat}"} for seat in range(1, count + 1)]
    company = rng.random()
    if company < 0.3 and count > 2:
        for place, seat in enumerate(seats):
            seat["team"] = "ab"[place % 2]
    elif company < 0.65 and count > 1:
        for seat in rng.sample(seats, rng.randint(1, min(2, count - 1))):
            seat["bot"] = True
    options: JSON = {}
    if profile == "en-explore":
        options["series_plus"] = rng.random() < 0.4
        options["en_explore_steal_when_empty"] = rng.random() < 0.4
    if not PROFILES[profile]["silent"]:
        options["stop"] = rng.random() < 0.3
    options["call_era6_when_stack_empty"] = rng.random() < 0.3
    options["joker_trump_bonus"] = rng.random() < 0.7
    match: JSON = {"game": "discovery", "profile": profile, "seat": seats, "options": options}
    match |= {"jokers": rng.choice((0, 0, 2, 3)), "dealer": rng.randint(1, count)}
    if rng.random() < 0.4:
        match["position"] = _middle(rng, count, match["jokers"])
    return match


def _middle(rng: Random, count: int, jokers: int) -> JSON:
    """A position with a lawful tree and few cards left, where the rare rules live."""
    order = sorted(CARDS, key=lambda card: int(card[0]) + rng.random() * 1.5)
    tree: list[str] = []
    wanted = rng.randint(15, 40)
    for card in order:
        if len(tree) < wanted and all(need in tree for need in NEEDS[card]):
            tree.append(card)
    rest = rng.sample([card for card in order if card not in tree], 54 - len(tree))
    pool, rest = rest[:5], rest[5:]
    discards = []
    for _ in range(count):
        taken = rng.randint(0, min(2, len(rest)))
        discards.append(rest[:taken])
        rest = rest[taken:]
    left = len(rest) + jokers
    hands = []
    for _ in range(count):
        hands.append(min(left, rng.choice((0, 1, 1, 2, 3, 5))))
        left -= hands[-1]
    for seat in range(count) if rng.random() < 0.5 else ():
        more = min(left, rng.randint(0, 6))
        hands[seat] += more
        left -= more
    position = {"turn": rng.randint(1, count), "tree": tree, "pool": pool, "discards": discards, "hands": hands}
    return position | {"stack": left, "points": [0] * count}


class TwoJudges:
    """Both judges of one match. ``differs``: the first thing on which they do not agree."""

    def __init__(self, seed: int, profile: str, *, people: bool = False) -> None:
        self.people = people  # they count, and seats come and go
        self.rng = Random(f"{profile} {seed}")
        self.match = random_match(self.rng, profile)
        self.game = open_match(self.match, DECK).game
        self.oracle = Oracle(self.match, DECK)
        self.state = self.game.rules.start
        self.number = 0
        self.time_s: float | None = 0.0 if self.rng.random() < 0.5 else None
        self.judged = self.played = 0
        self.differs: list[Any] = []
        self.jokers = [f"J{number}" for number in range(1, self.match["jokers"] + 1)]

    def play(self, limit: int = 250) -> bool:
        """Random acts until the match is over or the limit is reached; whether the judges agreed on all of them."""
        self._compare_standing({"do": "start"})
        if "position" not in self.match and self.rng.random() < 0.9:
            early = [card for card in CARDS if card[0] <= "2"]
            self._tell({"do": "deal", "by": 0, "pool": self.rng.sample(early, 5)})
        for _ in range(limit):
            if self.differs or (self.oracle.over and not self.oracle.provisional):
                break
            if self.time_s is not None:
                self.time_s += self.rng.choice((0.5, 3.0, 8.0, 15.0))
            if self.people and not self.oracle.over and self.rng.random() < 0.06:
                self._people()
            for _ in range(self.rng.choice((1, 12))):  # some try what comes to mind, most something lawful
                move = self.draw()
                if self._judge(move) or self.differs:
                    break
            else:
                continue
            if not self.differs:
                self._tell(move)
        return not self.differs

    # ---- both judges ------------------------------------------------------------------------------------------

    def _judge(self, move: JSON) -> bool:
        """Whether the move counts; notes when the judges disagree about that."""
        if self.differs:
            return False
        self.judged += 1
        found = self.oracle.judge(move, self.number + 1, self.time_s)
        wanted = set() if self.oracle.stands(move, found) else found
        try:
            decoded = decode_move(self.game, move)
        except InputError as wrong:
            self.differs = ["decode", move, str(wrong)]
            return False
        said = self.game.rules.judge(self.game.public(self.state), decoded, MoveContext(self.number + 1, self.time_s))
        told = {(item.rule, tuple(sorted(item.cards))) for item in said}
        if told != wanted:
            self.differs = ["judge", move, told, wanted, self.oracle.standing()]
        return not wanted

    def _tell(self, move: JSON) -> None:
        self.number += 1
        self.played += 1
        before, jokers_gone = self.oracle.standing(), self.oracle.gone_before
        decoded, at = decode_move(self.game, move), MoveContext(self.number, self.time_s)
        step = self.game.hidden.apply(self.state, decoded, at, self.game.rules.apply(self.state, decoded, at))
        out = self.oracle.play(move, self.number, self.time_s)
        self.state = step.state
        self._compare_standing(move, before)
        told: JSON = {"points": step.points, "failed": step.extras.get("failed"), "held": step.extras.get("held")}
        told["objections"] = {(item.rule, tuple(sorted(item.cards))) for item in step.objections}
        told["cards"] = count_things(self.game, step.state)
        wanted = {"points": out.get("points", 0), "failed": out.get("failed"), "held": out.get("held")}
        wanted["objections"] = {(item["rule"], tuple(item["cards"])) for item in out.get("objections", ())}
        wanted["cards"] = 54 + self.match["jokers"]
        assert self.oracle.total() == wanted["cards"], f"the second judge lost a card {jokers_gone}"
        for key, value in wanted.items():
            if told[key] != value and not self.differs:
                self.differs = ["play", move, key, told[key], value, before]

    def _compare_standing(self, move: JSON, before: JSON = None) -> None:
        told = encode_standing(self.game.board.standing(self.game.public(self.state)))
        wanted = self.oracle.standing()
        wrong = {key: (told.get(key), wanted.get(key)) for key in {*told, *wanted} if told.get(key) != wanted.get(key)}
        if wrong:
            self.differs = ["standing", move, wrong, before]
        if not self.differs:
            self._consistent()

    def _people(self) -> None:
        """Somebody counts, leaves or sits down."""
        self.number += 1
        before, at = self.oracle.standing(), MoveContext(self.number, self.time_s)
        if self.rng.random() < 0.5:
            hands, stack = self._count()
            self.state = self.game.rules.correct(self.state, {"hands": tuple(hands), "stack": stack}, at)
            self.oracle.hands, self.oracle.stack = [0, *hands], stack
            self.oracle.counted(self.number, self.time_s)
            self._compare_standing({"counts": hands, "stack": stack}, before)
            return
        seat, here = self.rng.randint(1, self.game.seats), self.rng.random() < 0.6
        could = self.oracle.take_seat(seat) if here else self.oracle.leave_seat(seat, self.number, self.time_s)
        try:
            self.state = self.game.rules.seat(self.state, Seat(seat), here, at)
            done = True
        except InputError:
            done = False
        if done != could:
            self.differs = ["seat", seat, here, done, could, before]
        self._compare_standing({"seat": seat, "here": here}, before)

    def _count(self) -> tuple[list[int], int]:
        """A card or two were somewhere else than the log had them."""
        hands, stack = list(self.oracle.hands[1:]), self.oracle.stack
        for _ in range(self.rng.randint(1, 3)):
            places = [place for place, held in enumerate([*hands, stack]) if held]
            seats = [place for place in range(len(hands)) if place + 1 not in self.oracle.away]
            giver, taker = self.rng.choice(places or [len(hands)]), self.rng.choice([*seats, len(hands)])
            if not places:
                break
            row = [*hands, stack]
            row[giver] -= 1
            row[taker] += 1
            hands, stack = row[:-1], row[-1]
        return hands, stack

    def _consistent(self) -> None:
        """Every card is in one place, and somebody can do something."""
        public = self.game.public(self.state)
        twice, counted = lying_twice(public), count_things(self.game, self.state)
        if twice or counted != 54 + self.match["jokers"] or min(public.hands) < 0:
            self.differs = ["conservation", sorted(twice), counted]
        if not (public.over or self._somebody_can_act(public)):
            self.differs = ["stuck", self.oracle.standing(), public.turn]

    def _somebody_can_act(self, public: Position) -> bool:
        if public.owed:
            debt = public.owed[0]
            return public.held(debt.seat) > 0 if debt.do == "discard" else bool(victims(public.hands, debt.seat))
        turn = public.turn
        if turn.called:
            return True
        if turn.seat in self.oracle.bots and not public.contest:
            return public.held(turn.seat) > 0
        due = public.held(turn.seat) > 0 and not public.contest  # a card that is laid or discarded is seen, not offered
        return due or bool(self.game.board.offers(public, MoveContext(self.number + 1, self.time_s)))

    # ---- what somebody might do -------------------------------------------------------------------------------

    def draw(self) -> JSON:
        """Any act, likely or not; what is owed is often paid."""
        rng, judge = self.rng, self.oracle
        seats = self.game.seats
        by = self.game.board.standing(self.game.public(self.state)).turn or 1
        if rng.random() < 0.12:
            by = rng.randint(1, seats)
        if judge.stopped and rng.random() < 0.8:
            by = judge.stopped["act"]["by"]
            return {"do": rng.choice(("verify", "concede")), "by": rng.randint(1, seats) if by in judge.bots else by}
        if judge.owed and rng.random() < 0.8:
            owed = judge.owed[0]
            return self._steal(owed["seat"]) if owed["do"] == "steal" else self._discard(owed["seat"])
        if judge.over:
            act = rng.choice(("_stop", "_stop", "_answer", "_uncontested", "_end_turn"))
            return getattr(self, act)(by)
        if judge.limbo and rng.random() < 0.7:
            more = {"new_series": True} if rng.random() < 0.2 else {}
            return {"do": "place", "by": by, "card": judge.limbo["card"], "from": "called"} | more
        if by in judge.bots and rng.random() < 0.9:
            return {"do": "flip", "by": by, "card": self._card(jokers=True)}
        acts = ("place", "joker", "interrupt", "refill", "discard", "steal", "exchange", "ask", "call", "announce",
                "stop", "answer", "uncontested", "pass", "agree_end", "flip", "end_turn")  # fmt: skip
        weights = (24, 4, 1.5, 5, 6, 2, 2, 2.5, 4, 3, 3, 0.5, 0.7, 0.7, 0.3, 0.3, 6)
        kind = rng.choices(acts, weights)[0]
        return getattr(self, f"_{kind}")(by)

    def _card(self, *, jokers: bool = False) -> str:
        """A card that could be laid next, or any."""
        judge, rng = self.oracle, self.rng
        present = judge.present()
        free = [card for card in CARDS if card not in present]
        if jokers and self.jokers and rng.random() < 0.15:
            return rng.choice(self.jokers)
        ready = [card for card in free if all(need in present for need in NEEDS[card])]
        if ready and rng.random() < 0.75:
            return rng.choice(ready)
        return rng.choice(free) if free and rng.random() < 0.9 else rng.choice(CARDS)

    def _zone(self, card: str) -> str:
        judge, rng = self.oracle, self.rng
        if rng.random() < 0.04:
            return str(rng.choice(["hand", "pool", "called", *(f"discard-{seat}" for seat, _ in judge.around())]))
        if card in judge.pool:
            return "pool"
        return next((f"discard-{seat}" for seat, _ in judge.around() if card in judge.discards[seat]), "hand")

    def _place(self, by: int) -> JSON:
        rng, judge = self.rng, self.oracle
        lying = [*judge.pool, *(card for seat, _ in judge.around() if seat != by for card in judge.discards[seat])]
        card = rng.choice(lying) if lying and rng.random() < 0.35 else self._card()
        move = {"do": "place", "by": by, "card": card, "from": self._zone(card)}
        if rng.random() < 0.08:
            move["new_series"] = True
        if rng.random() < (0.4 if judge.turns[-1]["asked"] == "due" else 0.02):
            move["asked"] = True
        return move

    def _joker(self, by: int) -> JSON:
        if not self.jokers:
            return self._place(by)
        move = {"do": "joker", "by": by, "joker": self.rng.choice(self.jokers)}
        move["from"] = self.rng.choice(("hand", "hand", "pool"))
        if self.rng.random() < 0.6:
            move["as"] = self._card()
            if self.rng.random() < 0.15:
                move["new_series"] = True
        return move

    def _interrupt(self, _by: int) -> JSON:
        if not self.jokers:
            return {"do": "end_turn", "by": _by}
        return {"do": "interrupt", "by": self.rng.randint(1, self.game.seats), "joker": self.rng.choice(self.jokers)}

    def _table(self) -> int:
        """Whose acts of the table are: its own, though sometimes a seat tries to speak for it."""
        return 0 if self.rng.random() < 0.9 else self.rng.randint(1, self.game.seats)

    def _refill(self, _by: int) -> JSON:
        return {"do": "refill", "by": self._table(), "card": self._card(jokers=True)}

    def _discard(self, by: int) -> JSON:
        move = {"do": "discard", "by": by, "card": self._card(jokers=True)}
        if self.rng.random() < 0.15:
            move["trump"] = True
        if self.rng.random() < (0.4 if self.oracle.turns[-1]["asked"] == "due" else 0.02):
            move["asked"] = True
        return move

    def _steal(self, by: int) -> JSON:
        move = {"do": "steal", "by": by, "from": self.rng.randint(1, self.game.seats)}
        return move | {"trump": True} if self.rng.random() < 0.2 else move

    def _exchange(self, by: int) -> JSON:
        return {"do": "exchange", "by": by, "from": self.rng.randint(1, self.game.seats)}

    def _ask(self, by: int) -> JSON:
        return {"do": "ask", "by": by, "from": self.rng.randint(1, self.game.seats)}

    def _call(self, by: int) -> JSON:
        card = self._card(jokers=self.rng.random() < 0.1)
        return {"do": "call", "by": by, "card": card, "holder": self.rng.randint(0, self.game.seats)}

    def _announce(self, by: int) -> JSON:
        era, what = self.rng.randint(1, 6), self.rng.choice(("open", "open", "closed"))
        return {"do": "announce", "by": by, "era": era, "what": what}

    def _stop(self, _by: int) -> JSON:
        move = {"do": "stop", "by": self.rng.randint(1, self.game.seats)}
        return move | {"number": self._recent()} if self.rng.random() < 0.5 else move

    def _answer(self, _by: int) -> JSON:
        move = {"do": self.rng.choice(("verify", "concede")), "by": self.rng.randint(1, self.game.seats)}
        return move | {"found": self.rng.random() < 0.5} if move["do"] == "verify" and self.rng.random() < 0.2 else move

    def _uncontested(self, _by: int) -> JSON:
        return {"do": "uncontested", "by": self._table(), "number": self._recent()}

    def _recent(self) -> int:
        return self.rng.randint(max(1, self.number - 4), max(1, self.number))

    def _pass(self, by: int) -> JSON:
        return {"do": "pass", "by": by}

    def _agree_end(self, _by: int) -> JSON:
        return {"do": "agree_end", "by": self._table()}

    def _flip(self, by: int) -> JSON:
        return {"do": "flip", "by": by, "card": self._card(jokers=True)}

    def _end_turn(self, by: int) -> JSON:
        return {"do": "end_turn", "by": by}
