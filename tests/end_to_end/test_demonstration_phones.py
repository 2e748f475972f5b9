"""Random phones at the demonstration: whatever they say over HTTP, the people go on, and table and log agree again."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest
from support.film_report import DECK, table_match
from support.live_house import LiveHouse, live_house
from support.live_match import RATE_HZ

AGREE_S = 20.0
"""Table and log agree again within so long."""
MOST_TO_RIGHT = 3
PAUSES_S = 2.5
"""Between two requests, once they agree."""
KINDS = (
    "offered", "mistaken", "undo", "claim", "allow", "pause", "resume", "claim", "counts", "table-is-right",
    "log-is-right", "claim", "camera-was-wrong", "rename", "claim", "swap", "touch", "play", "touch",
)  # fmt: skip


class Monkey:
    """Whoever presses anything: half of it lawful, from any seat."""

    def __init__(self, house: LiveHouse, seed: int) -> None:
        self.house, self.dice = house, random.Random(seed)
        self.accepted: Counter[str] = Counter()
        self.sent = 0
        self._matches = 0

    def sit_down(self) -> None:
        """The next match."""
        self._matches += 1
        self.house.begin(table_match(3, "fr-explore", stop=self._matches % 2 == 0), DECK, self._matches)

    def watch(self, lasts_s: float) -> None:
        """So long nobody presses anything; never is there more to put right than a family would."""
        for _ in range(int(lasts_s * RATE_HZ)):
            self.house.tick()
            guide = self.house.match.issues.instructions(self.house.match.game, self.house.match.record)
            assert len(guide) <= MOST_TO_RIGHT, guide

    def press(self, kind: str) -> None:
        """One request, and what follows it on the table."""
        self.sent += 1
        if self._ask(kind) == 200:
            self.accepted[kind] += 1
        began_s = self.house.now_s
        self.watch(1.0)
        while self.house.differences:
            assert self.house.now_s - began_s < AGREE_S, (kind, self.house.differences)
            self.watch(1 / RATE_HZ)
        if self.house.match.record.paused and kind != "resume" and self.dice.random() < 0.7:
            self.press("resume")
        self.watch(PAUSES_S * self.dice.uniform(0.2, 1.8))
        if self.house.ended:
            self.sit_down()
            self.watch(8.0)

    def _ask(self, kind: str) -> int:
        house, dice = self.house, self.dice
        seat, number = dice.randint(1, 3), len(house.match.record.lines)
        if kind == "offered":
            offered = [offer for one in (1, 2, 3) for offer in house.offers(one)]
            if not offered:
                return 0
            offer = dice.choice(offered)
            move = {"do": offer["do"], "by": offer["by"]}
            move |= {key: dice.choice(values) for key, values in offer["choices"].items()}
            return house.post("moves", offer["by"], move=move, after=number)
        if kind == "mistaken":
            card = f"{dice.randint(1, 6)}-{dice.randint(1, 9)}"
            source = dice.choice(("hand", "hand", "pool"))
            move = {"do": dice.choice(("place", "discard", "end_turn")), "by": seat, "card": card, "from": source}
            return house.post("moves", seat, move=move)
        if kind == "counts":
            standing = house.match.standing
            hands = list(standing.counters["hands"])
            giver, taker = dice.sample(range(3), 2)
            if hands[giver]:
                hands[giver], hands[taker] = hands[giver] - 1, hands[taker] + 1
            return house.post("corrections", 0, do=kind, hands=hands, stack=standing.counters["stack"])
        if kind == "rename":
            return house.post("corrections", 0, do="seat", seat=seat, name=f"Guest {dice.randint(1, 99)}")
        if kind == "swap":
            return house.post("corrections", 0, do="seat", seat=seat, swaps=seat % 3 + 1)
        if kind == "play":  # more often on than off, and sometimes two at once
            return house.post("simulated/seat", seat, playing=dice.random() < 0.6)
        if kind == "touch":
            return self._touch()
        if kind == "undo" and dice.random() < 0.3:
            return house.post("corrections", 0, do=kind, number=max(1, number - dice.randint(0, 6)))
        if kind == "allow" and (turn := house.match.standing.turn):  # a card that is refused first, and then stands
            card = f"{dice.randint(5, 6)}-{dice.randint(1, 9)}"
            house.post("moves", turn, move={"do": "place", "by": turn, "card": card, "from": "hand"})
        by = {"claim": {"by": seat}}.get(kind, {})
        return house.post("corrections", 0, do=kind, **by)

    def _touch(self) -> int:
        """A visitor's hand does something, with a seat that it plays if there is one."""
        house, dice = self.house, self.dice
        played = [one for one in (1, 2, 3) if house.held(one)["playing"]]
        seat = dice.choice(played or [1, 2, 3])
        held = house.held(seat)
        cards = [*held.get("hand", ()), *held.get("astray", ()), *map(str, house.match.issues.lying)]
        do = dice.choice(("lay", "lay", "lay", "take", "show", "call"))
        command = dice.choice(("KEND", "KPASS", "KUNDO", "KSTOP"))
        card = command if do == "show" else dice.choice(cards)
        to = dice.choice(("tree", "tree", f"discard-{seat}", f"discard-{seat % 3 + 1}", "pool"))
        return house.post("simulated/acts", seat, do=do, card=card, to=to, beside=dice.choice(cards))


def let_loose(folder: Path, seed: int, requests: int) -> Monkey:
    with live_house(folder) as house:
        monkey = Monkey(house, seed)
        monkey.sit_down()
        monkey.watch(15.0)
        while monkey.sent < requests:
            monkey.press(KINDS[monkey.sent % len(KINDS)] if monkey.sent % 3 else "offered")
        entries = len(house.match.record.lines)
        if house.match.record.paused:
            house.post("corrections", 0, do="resume")
        for seat in (1, 2, 3):  # nobody waits for a visitor any more
            house.post("simulated/seat", seat, playing=False)
        monkey.watch(30.0)
        assert len(house.match.record.lines) > entries + 2, "the people go on"
        return monkey


@pytest.mark.slow
def test_whatever_a_phone_says_table_and_log_agree_again(tmp_path: Path) -> None:
    assert sum(let_loose(tmp_path, 1, 26).accepted.values()) >= 8


@pytest.mark.long
def test_three_hundred_requests_leave_a_table_that_is_as_the_log_says(tmp_path: Path) -> None:
    monkey = let_loose(tmp_path, 2, 300)
    assert monkey.sent >= 300
    assert sum(monkey.accepted.values()) >= 100, monkey.accepted
    assert all(monkey.accepted[kind] >= 5 for kind in KINDS if kind != "mistaken"), monkey.accepted
