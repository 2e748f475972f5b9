"""Whole evenings at a real table, dealt and played at random and refereed by the second judge.

Here the cards are real: each hand holds its own, bots keep theirs in a row, the stack has an order. So the counts
of the judge are checked against cards that really moved.
"""

from __future__ import annotations

from random import Random
from typing import Any

from reference.judge import PROFILES, Oracle
from reference.referee import Referee

JSON = Any


def random_match(rng: Random) -> JSON:
    """A match file with one to nine seats and whatever may be combined."""
    profile = rng.choice(sorted(PROFILES))
    seats = rng.choice((1, 2, 2, 3, 3, 3, 4, 4, 5, 6, 9))
    lines: list[dict[str, Any]] = [{"name": f"Seat {seat}"} for seat in range(1, seats + 1)]
    kind = rng.random()
    if kind < 0.35:
        for line in rng.sample(lines, rng.randint(1, max(1, seats - 1))) if seats > 1 else []:
            line["bot"] = True
    elif kind < 0.65 and seats > 2:
        for number, line in enumerate(lines):
            line["team"] = ("red", "blue", "green")[number % rng.choice((2, 2, 3))]
    options: dict[str, Any] = {}
    if profile == "en-explore":
        options["series_plus"] = rng.random() < 0.5
        options["en_explore_steal_when_empty"] = rng.random() < 0.3
    if not PROFILES[profile]["silent"]:
        options["stop"] = rng.random() < 0.4
    options["joker_trump_bonus"] = rng.random() < 0.7
    options["call_era6_when_stack_empty"] = rng.random() < 0.3
    return {
        "game": "discovery",
        "profile": profile,
        "seat": lines,
        "dealer": rng.randint(1, seats),
        "jokers": rng.choice((0, 0, 1, 2, 4)),
        "options": options,
    }


class Evening:
    """One match in play. ``lines`` is its record, entry by entry, as the second judge writes it."""

    def __init__(self, match: JSON, deck: JSON, seed: int) -> None:
        self.rng = Random(seed)
        self.match = match
        self.header = {"record": 1, "match": match, "deck": deck}
        self.referee = Referee(self.header)
        self.lines: list[JSON] = []
        self.time_s = 0.0
        cards = sorted(card["id"] for card in deck["card"])
        self.stack = [card for era in "123456" for card in self.shuffled([c for c in cards if c[0] == era])]
        seats = len(match["seat"])
        first = match.get("dealer", seats) % seats
        self.hands: list[list[str]] = [[] for _ in range(seats + 1)]
        self.pool: list[str] = []
        for _ in range(5):
            self.pool.append(self.stack.pop(0))
            for k in range(seats):
                self.hands[(first + k) % seats + 1].append(self.stack.pop(0))
        for number in range(match.get("jokers", 0)):
            self.stack.insert(self.rng.randint(0, len(self.stack)), f"J{number + 1}")
        self.say({"do": "deal", "by": 0, "pool": list(self.pool)}, "table")

    def shuffled(self, cards: list[str]) -> list[str]:
        return self.rng.sample(cards, len(cards))

    @property
    def oracle(self) -> Oracle:
        return self.referee.oracle

    def say(self, move: JSON, origin: str | None = None) -> JSON:
        """One entry; the real cards follow."""
        seen = move["do"] in ("place", "discard", "flip", "refill")
        origin = origin or ("camera" if seen else "phone")
        before = [dict(laid) for laid in self.oracle.tree]
        limbo = self.oracle.limbo
        stopped = self.oracle.stopped
        self.time_s = round(self.time_s + self.rng.choice((0.5, 1.0, 2.0, 4.0, 7.5)), 1)
        line = {"number": len(self.lines) + 1, "time_s": self.time_s, "origin": origin, "move": move}
        said = self.referee.entry(line)
        self.lines.append(line | said)
        if said["event"] == "played":
            self.follow(move, before, limbo, stopped)
        return said

    def follow(self, move: JSON, before: list[JSON], limbo: JSON, stopped: JSON) -> None:
        judge, by = self.oracle, move["by"]
        lying = {laid["joker"] or laid["card"] for laid in judge.tree} | set(judge.gone)
        lying |= {card for pile in judge.discards for card in pile}
        if judge.limbo:
            lying.add(judge.limbo["card"])
        self.pool = [card for card in self.pool if card not in lying]
        for seat, hand in enumerate(self.hands):
            self.hands[seat] = [card for card in hand if card not in lying]
        if move["do"] in ("steal", "ask", "exchange"):
            self.hands[by].append(self.drawn_from(move["from"]))
        if move["do"] == "exchange":
            other = self.rng.choice(self.hands[by][:-1])
            self.hands[by].remove(other)
            self.hands[move["from"]].append(other)
        for laid in before:  # what left the tree and lies nowhere: a joker brought back
            if laid["joker"] and laid["joker"] not in lying:
                self.hands[by].append(laid["joker"])
        back = [limbo] if limbo and not judge.limbo else []  # also lost to a Stop against something else in the turn
        if stopped and stopped["act"]["do"] == "call" and not (judge.stopped or stopped["act"].get("failed")):
            back.append(stopped["act"]["called"])
        for card, holder in {called["card"]: called["holder"] for called in back}.items():
            if card not in lying:
                self.hands[holder].append(card)
        while len(self.pool) < len(judge.pool) + judge.unknown:
            self.pool.append(self.stack.pop(0))
        self.even_out(by)

    def drawn_from(self, seat: int) -> str:
        row = self.hands[seat]
        return row.pop() if seat in self.oracle.bots else row.pop(self.rng.randrange(len(row)))

    def even_out(self, by: int) -> None:
        """Draws come off the stack; what is still missing comes out of the hands that have too much."""
        judge = self.oracle
        order = [seat for seat, _ in judge.around(max(by, 1))]
        for seat in order:
            while len(self.hands[seat]) < judge.hands[seat] and len(self.stack) > judge.stack:
                self.hands[seat].append(self.stack.pop(0))
        rich = [seat for seat in order if len(self.hands[seat]) > judge.hands[seat]]
        for seat in order:
            while len(self.hands[seat]) < judge.hands[seat]:
                giver = next(s for s in rich if len(self.hands[s]) > judge.hands[s])
                self.hands[seat].append(self.drawn_from(giver))
        real = ([len(hand) for hand in self.hands], len(self.stack), len(self.pool))
        counted = (judge.hands, judge.stack, len(judge.pool) + judge.unknown)
        if real != counted:
            raise AssertionError(f"really {real}, counted {counted}, after {self.lines[-1]}")

    # ---- what somebody might do ---------------------------------------------------------------------------------

    def play(self, limit: int = 1500) -> list[JSON]:
        """Until the match is over and nothing can be contested any more, or ``limit`` entries are written."""
        while len(self.lines) < limit:
            if self.oracle.over:
                if self.oracle.provisional and self.rng.random() < 0.5:
                    self.say({"do": "uncontested", "by": 0, "number": self.oracle.acts[-1]["number"]}, "clock")
                if not self.oracle.provisional or not self.try_one([self.stop_move()]):
                    break
                continue
            self.turn()
        return self.lines

    def turn(self) -> None:
        """One entry, or a few."""
        judge, rng = self.oracle, self.rng
        if judge.unknown and rng.random() < 0.9:
            unnamed = [card for card in self.pool if card not in judge.pool]
            self.say({"do": "refill", "by": 0, "card": unnamed[0]})
        if rng.random() < 0.04:
            self.say(self.any_move())  # somebody tries something
            return
        if judge.stopped:
            self.answer()
        elif judge.owed:
            self.pay(judge.owed[0])
        elif judge.options["stop"] and rng.random() < 0.12 and self.try_one([self.stop_move()]):
            return
        elif judge.turns[-1]["seat"] in judge.bots:
            if not (rng.random() < 0.1 and self.interrupt()):
                row = self.hands[judge.turns[-1]["seat"]]
                self.say({"do": "flip", "by": judge.turns[-1]["seat"], "card": row[len(judge.turns[-1]["two"])]})
        elif judge.limbo:
            more = {"new_series": True} if rng.random() < 0.2 else {}
            called = {"do": "place", "by": judge.turns[-1]["seat"], "card": judge.limbo["card"], "from": "called"}
            self.say(called | more)
        elif not (rng.random() < 0.15 and self.interrupt()):
            self.human(judge.turns[-1]["seat"])

    def try_one(self, moves: list[JSON]) -> bool:
        """Say the first of these that is lawful."""
        for move in moves:
            if not self.oracle.judge(move, len(self.lines) + 1, self.time_s + 1):
                return bool(self.say(move)["event"] == "played")
        return False

    def stop_move(self) -> JSON:
        move = {"do": "stop", "by": self.rng.randint(1, self.oracle.n)}
        if self.oracle.acts and self.rng.random() < 0.4:
            move["number"] = self.rng.choice(self.oracle.acts[-3:])["number"]
        return move

    def answer(self) -> None:
        assert self.oracle.stopped is not None
        seat = self.oracle.stopped["act"]["by"]
        humans = [s for s in range(1, self.oracle.n + 1) if s not in self.oracle.bots]
        seat = seat if seat in humans else self.rng.choice(humans)
        words = ["verify", "concede"] if self.rng.random() < 0.6 else ["concede", "verify"]
        self.try_one([{"do": word, "by": seat} for word in words])

    def pay(self, item: JSON) -> None:
        seat = item["seat"]
        if item["do"] == "steal":
            self.say({"do": "steal", "by": seat, "from": self.rng.choice(self.oracle.victims(seat))})
        else:
            self.say({"do": "discard", "by": seat, "card": self.rng.choice(self.hands[seat])})

    def interrupt(self) -> bool:
        holders = [(s, c) for s, hand in enumerate(self.hands) for c in hand if c[0] == "J"]
        return self.try_one(
            [{"do": "interrupt", "by": s, "joker": c} for s, c in self.rng.sample(holders, len(holders))]
        )

    def human(self, seat: int) -> None:
        judge, rng = self.oracle, self.rng
        kinds = [self.placements, self.placements, self.placements, self.trumps, self.jokers, self.announcements]
        rng.shuffle(kinds)
        kinds.insert(0, self.asks)
        if rng.random() < 0.85:
            for kind in kinds:
                moves = kind(seat)
                if self.try_one(rng.sample(moves, len(moves))):
                    return
        if judge.silent and rng.random() < 0.3:
            said = self.announcements(seat) if rng.random() < 0.5 else self.placements(seat) + self.trumps(seat)
            lies = [move for move in said if self.stands(move)]
            if lies:
                self.say(rng.choice(lies))
                return
        discards = [{"do": "discard", "by": seat, "card": card} for card in self.hands[seat]]
        ends = [{"do": "agree_end", "by": 0}, {"do": "end_turn", "by": seat}]
        if rng.random() < 0.2:
            ends.insert(0, {"do": "pass", "by": seat})
        asked = [move | {"asked": True} for move in discards]
        due = judge.with_points and judge.turns[-1]["placed"] == 0
        lists = ends + rng.sample(asked, len(asked)) + (rng.sample(discards, len(discards)) if due else [])
        assert self.try_one(lists), (judge.standing(), lists)

    def stands(self, move: JSON) -> bool:
        return self.oracle.stands(move, self.oracle.judge(move, len(self.lines) + 1, self.time_s + 1))

    def placements(self, seat: int) -> list[JSON]:
        judge = self.oracle
        places = [(card, "hand") for card in self.hands[seat]] + [(card, "pool") for card in self.pool]
        places += [(card, f"discard-{s}") for s, pile in enumerate(judge.discards) for card in pile if s != seat]
        moves = [{"do": "place", "by": seat, "card": card, "from": source} for card, source in places if card[0] != "J"]
        if judge.turns[-1]["asked"] == "due":
            moves += [move | {"asked": True} for move in moves if move["from"] == "hand"]
        if judge.turns[-1]["trumps"] and self.rng.random() < 0.3:
            moves = [move | {"new_series": True} for move in moves]
        return moves

    def trumps(self, seat: int) -> list[JSON]:
        judge = self.oracle
        if not judge.turns[-1]["trumps"]:
            return []
        moves: list[JSON] = []
        for other in range(1, judge.n + 1):
            moves += [{"do": "exchange", "by": seat, "from": other}, {"do": "steal", "by": seat, "from": other}]
            for card in self.hands[other]:
                if card[0] != "J" and (judge.next_era_open(card) or self.rng.random() < 0.1):
                    moves.append({"do": "call", "by": seat, "card": card, "holder": other})
        moves += [{"do": "discard", "by": seat, "card": card, "trump": True} for card in self.hands[seat]]
        visible = sorted(judge.present() | set(judge.pool))
        if visible and self.rng.random() < 0.1:
            moves.append(
                {"do": "call", "by": seat, "card": self.rng.choice([c for c in visible if c[0] != "J"]), "holder": 0}
            )
        return [move for move in moves if move.get("holder") != 0 or move["card"] in lying(judge)]

    def jokers(self, seat: int) -> list[JSON]:
        moves: list[JSON] = []
        for source, cards in (("hand", self.hands[seat]), ("pool", self.pool)):
            for joker in (card for card in cards if card[0] == "J"):
                known = sorted(self.oracle.cards)
                moves += [
                    {"do": "joker", "by": seat, "joker": joker, "as": self.rng.choice(known), "from": source}
                    for _ in range(6)
                ]
                moves.append({"do": "joker", "by": seat, "joker": joker, "from": source})
        return moves

    def announcements(self, seat: int) -> list[JSON]:
        judge = self.oracle
        if not judge.silent:
            return []
        pairs = [(era, what) for era in range(1, 7) for what in ("open", "closed") if (era, what) not in judge.credits]
        return [{"do": "announce", "by": seat, "era": era, "what": what} for era, what in pairs]

    def asks(self, seat: int) -> list[JSON]:
        if self.oracle.turns[-1]["acted"] or self.rng.random() < 0.5:
            return []
        return [{"do": "ask", "by": seat, "from": other} for other in self.oracle.mates(seat)]

    def any_move(self) -> JSON:
        """Whatever comes to somebody's mind, lawful or not."""
        judge, rng = self.oracle, self.rng
        by, other = rng.randint(1, judge.n), rng.randint(1, judge.n)
        hand = self.hands[by]
        hidden = [card for card in hand if card[0] != "J"]
        card = rng.choice(hidden) if hidden else "6-9"
        shown = rng.choice(self.pool) if self.pool else "6-9"
        options: list[JSON] = [
            {"do": "place", "by": by, "card": card, "from": "hand"},
            {"do": "place", "by": by, "card": card, "from": rng.choice(("pool", "called", f"discard-{other}"))},
            {"do": "place", "by": by, "card": card, "from": "hand", "new_series": True},
            {"do": "place", "by": by, "card": shown if shown[0] != "J" else card, "from": "hand", "asked": True},
            {"do": "discard", "by": by, "card": card},
            {"do": "discard", "by": by, "card": card, "trump": True},
            {"do": "discard", "by": by, "card": card, "asked": True},
            {"do": "steal", "by": by, "from": other},
            {"do": "exchange", "by": by, "from": other},
            {"do": "ask", "by": by, "from": other},
            {"do": "announce", "by": by, "era": rng.randint(2, 6), "what": rng.choice(("open", "closed"))},
            {"do": "stop", "by": by},
            {"do": "verify", "by": by},
            {"do": "concede", "by": by},
            {"do": "pass", "by": by},
            {"do": "end_turn", "by": by},
            {"do": "agree_end", "by": 0},
            {"do": "flip", "by": by, "card": shown},
            {"do": "uncontested", "by": 0, "number": rng.randint(1, len(self.lines))},
        ]
        if self.match.get("jokers"):
            joker = f"J{rng.randint(1, self.match['jokers'])}"
            holds = joker in hand
            options += [
                {"do": "joker", "by": by, "joker": joker, "as": card, "from": "hand"},
                {"do": "joker", "by": by, "joker": joker, "as": shown if shown[0] != "J" else card, "from": "pool"},
                {"do": "joker", "by": by, "joker": joker, "from": "hand"},
                {"do": "interrupt", "by": by, "joker": joker},
            ]
            if not holds and joker not in self.pool:
                options = options[:-4]
        move = rng.choice(options)
        # nobody can lay a card that he does not have: only what the record cannot see through is left out
        found = self.oracle.judge(move, len(self.lines) + 1, self.time_s)
        if not found and not self.really(move):
            return {"do": "verify", "by": by}
        if found and self.oracle.stands(move, found) and not self.really(move):
            return {"do": "verify", "by": by}
        return move

    def really(self, move: JSON) -> bool:
        """Whether the cards of a lawful move are really where it says."""
        token = move.get("joker") or move.get("card")
        if token is None or move["do"] == "refill":
            return True
        source = "hand" if move["do"] in ("discard", "interrupt", "flip") else move.get("from")
        if move["do"] == "flip":
            return self.hands[move["by"]][len(self.oracle.turns[-1]["two"]) :][:1] == [token]
        if source == "hand":
            return token in self.hands[move["by"]]
        return token in self.pool if source == "pool" else True


def lying(judge: Oracle) -> set[str]:
    """What everybody sees, or could have seen when it was laid."""
    return judge.present() | set(judge.pool) | {card for pile in judge.discards for card in pile}
