"""A second judge of Darwinci, written from the sentences of the rule book for the tests alone.

It keeps a table as people would describe it: heaps of stones, who put down what in this turn, whose tile lies where. It
knows moves as the record writes them and answers with the names of its objections. Nothing of it is shared with the
companion.
"""

from __future__ import annotations

from typing import Any

COLOURS = "RBGYW"


class Arbiter:
    """One match from an empty table."""

    def __init__(self, match: Any, deck: Any) -> None:
        self.seats = list(range(1, len(match["seat"]) + 1))
        self.big = match.get("profile") == "experts"
        self.value = {row["id"]: row["value"] for row in deck["tile"]}
        self.hidden = set(self.value)
        self.money: dict[int, int] = {}
        self.heap: dict[str, list[str]] = {}
        self.field: dict[int, dict[str, tuple[int, int]]] = {seat: {} for seat in self.seats}
        self.sale: dict[int, str] = {}
        self.prize: dict[str, int] = {}
        self.lost: list[str] = []
        self.buyers: list[int] = []
        self.bidding = 0
        self.now = 0
        self.put: list[str] = []
        self.start = 0
        self.darwin = 0
        self.rounds = 0
        self.to_pass = False
        self.creature: dict[int, int] = {}
        self.jewels: list[str] = []
        self.done = False
        self.best: list[int] = []

    # What people can see.

    def left(self, seat: int) -> int:
        return 1 if seat == len(self.seats) else seat + 1

    def owner(self, chip: str) -> int:
        return COLOURS.index(chip[0]) + 1

    def chips(self) -> set[str]:
        small = range(1, 9 if self.big else 10)
        names = {f"{COLOURS[seat - 1]}{number}" for seat in self.seats for number in small}
        return names | ({f"{COLOURS[seat - 1]}0" for seat in self.seats} if self.big else set())

    def where(self, chip: str) -> str:
        return next((name for name, heap in self.heap.items() if chip in heap), "")

    def pool(self, seat: int) -> list[str]:
        return self.heap[f"reserve {seat}"]

    def strangers(self, seat: int) -> list[str]:
        return [chip for chip in self.pool(seat) if self.owner(chip) != seat]

    def stop(self) -> bool:
        """Twelve tiles in somebody's plot, or fewer tiles left than players who must each turn one up."""
        if self.bidding or self.sale or not self.heap:
            return False
        return any(len(plot) >= 12 for plot in self.field.values()) or len(self.hidden) < len(self.seats)

    def unlaid(self) -> list[str]:
        return [card for card, seat in self.prize.items() if len(self.field[seat]) < 12]

    def rich(self) -> list[int]:
        return [seat for seat in self.seats if self.money[seat] == max(self.money.values())]

    # May it be done?

    def judge(self, move: Any) -> list[str]:
        do, by = move["do"], move["by"]
        if self.done:
            return ["game-over"]
        if do == "deal":
            return self.may_deal(move)
        if not self.heap:
            return ["deal"]
        if do == "agree_end":
            if by != 0:
                return ["turn"]
            if self.unlaid():
                return ["must-lay"]
            return [] if self.stop() else ["not-offered"]
        if by not in self.seats:
            return ["turn"]
        return list(getattr(self, f"may_{do}")(move))

    def may_deal(self, move: Any) -> list[str]:
        if move["by"] != 0:
            return ["turn"]
        if self.heap:
            return ["not-offered"]
        wrong = []
        for place, heap in enumerate(move["reserves"]):
            seat = place + 1
            right = len(self.seats) if seat == 1 else seat - 1
            owners = sorted(self.owner(chip) for chip in heap if chip[1] != "0")
            giants = [self.owner(chip) for chip in heap if chip[1] == "0"]
            own = 6 if self.big else 7
            if owners != sorted([seat] * own + [self.left(seat), right]) or giants != ([seat] if self.big else []):
                wrong = ["deal"]
        for plot in move["plots"]:
            (_, ax, ay, _), (_, bx, by, _) = plot
            if (ax - bx) ** 2 + (ay - by) ** 2 != 1:
                return [*wrong, "side"]
        return wrong

    def may_buy(self, move: Any) -> list[str]:
        if self.stop():
            return ["game-over"]
        if not self.bidding and self.unlaid():
            return ["must-lay"]
        said = []
        if self.sale or move["by"] in self.buyers:
            said.append("late")
        if self.money[move["by"]] < 3:
            said.append("money")
        return said

    def may_offer(self, move: Any) -> list[str]:
        if move["card"] not in self.hidden:
            return ["not-there"]
        if self.stop():
            return ["game-over"]
        if not self.bidding and self.unlaid():
            return ["must-lay"]
        return ["offered"] if move["by"] in self.sale else []

    def may_bid(self, move: Any) -> list[str]:
        chip, seat = move["card"], move["by"]
        if chip not in self.chips() or move["to"] not in self.seats:
            return ["not-there"]
        if chip not in self.pool(seat):
            return ["reserve"]
        if not self.bidding:
            return ["order"]
        if seat != self.now:
            return ["turn"]
        own = [one for one in self.put if self.owner(one) == seat]
        foreign = [one for one in self.put if self.owner(one) != seat]
        said = []
        if self.bidding == 1:
            if self.owner(chip) == seat and own:
                said.append("own-one")
            if self.owner(chip) != seat and len(foreign) == 2:
                said.append("too-many")
        elif len(self.put) >= (3 if self.bidding == 2 and self.darwin == seat else 2):
            said.append("too-many")
        giants = [one for one in self.strangers(seat) if one[1] == "0"]
        if giants and chip[1] != "0" and self.owner(chip) != seat:
            said.append("big-first")
        return said

    def may_end_turn(self, move: Any) -> list[str]:
        if not self.bidding:
            return ["order"]
        if move["by"] != self.now:
            return ["turn"]
        return ["duty"] if self.in_debt() else []

    def in_debt(self) -> bool:
        """In the first turn two foreign stones must lie there, or the only one that there was."""
        if self.bidding != 1:
            return False
        foreign = [one for one in self.put if self.owner(one) != self.now]
        return len(foreign) < 2 and bool(self.strangers(self.now))

    def may_lay(self, move: Any) -> list[str]:
        card, seat, x, y = move["card"], move["by"], move["x"], move["y"]
        if any(card in plot for plot in self.field.values()):
            return ["moved"]
        prize, early = dict(self.prize), False
        if card in self.sale.values():
            if not (self.bidding == 3 and self.left(self.now) == self.start):
                return ["order"]
            early = True
            prize |= {tile: self.strongest(seller) for seller, tile in self.sale.items()}
        elif card not in prize and card not in self.lost:
            return ["not-there"]
        if prize.get(card, 0) != seat:
            return ["winner"]
        there = list(self.field[seat].values())
        if (x, y) in there:
            return ["not-there"]
        said = []
        if not any((x - column) ** 2 + (y - row) ** 2 == 1 for column, row in there):
            said.append("side")
        wide = max([x, *(c for c, _ in there)]) - min([x, *(c for c, _ in there)]) + 1
        high = max([y, *(r for _, r in there)]) - min([y, *(r for _, r in there)]) + 1
        if (wide, high) not in [(w, h) for w in range(5) for h in range(5) if w < 4 or h < 4]:
            said.append("frame")
        bad = [tile for tile, winner in prize.items() if winner == seat and tile != card and self.value[tile] < 0]
        if self.value[card] >= 0 and bad and 12 - len(there) - 1 < len(bad):
            said.append("must-lay")
        return said or (["order"] if early else [])

    def may_drop(self, move: Any) -> list[str]:
        if move["card"] not in self.prize:
            return ["not-there"]
        if self.prize[move["card"]] != move["by"]:
            return ["winner"]
        return [] if len(self.field[move["by"]]) >= 12 else ["must-lay"]

    def may_income(self, move: Any) -> list[str]:
        known = move["jewel"] in ("red", "blue", "green", "yellow", "white")
        in_the_box = self.jewels.count(move["jewel"]) < 5
        return [] if known and in_the_box and 1 <= move["amount"] <= 99 else ["not-offered"]

    def may_creature(self, move: Any) -> list[str]:
        tied = self.rich()
        fits = self.stop() and move["by"] in tied and 0 < move["size"] <= len(self.field[move["by"]])
        return [] if fits and len(tied) > 1 else ["not-offered"]

    # Who has more stones there?

    def strongest(self, seller: int) -> int:
        heap = self.heap[f"offer {seller}"]
        sums = [0] * 6
        for chip in heap:
            sums[self.owner(chip)] += 2 if chip[1] == "0" else 1
        if not heap:
            return 0
        seat = self.start
        while sums[seat] < max(sums):
            seat = self.left(seat)
        return seat

    # Then do it.

    def play(self, move: Any) -> Any:
        getattr(self, f"do_{move['do']}")(move)

    def do_deal(self, move: Any) -> None:
        for place, plot in enumerate(move["plots"]):
            self.field[place + 1] = {card: (x, y) for card, x, y, _ in plot}
            self.hidden -= {card for card, *_ in plot}
            self.money[place + 1] = 12 + sum(min(0, self.value[card]) for card, *_ in plot)
            self.heap[f"reserve {place + 1}"] = list(move["reserves"][place])
            self.heap[f"offer {place + 1}"] = []
        self.darwin = move["darwin"]
        self.start = next(seat for seat in self.seats if self.left(seat) == self.darwin)

    def new_round(self) -> None:
        if not self.sale and not self.buyers:
            self.rounds += 1

    def do_buy(self, move: Any) -> None:
        self.new_round()
        self.buyers.append(move["by"])
        self.money[move["by"]] -= 3

    def do_offer(self, move: Any) -> None:
        self.new_round()
        self.sale[move["by"]] = move["card"]
        self.hidden.remove(move["card"])
        if len(self.sale) == len(self.seats):
            self.bidding, self.now, self.put = 1, self.start, []

    def do_bid(self, move: Any) -> None:
        self.heap[self.where(move["card"])].remove(move["card"])
        self.heap[f"offer {move['to']}"].append(move["card"])
        self.put.append(move["card"])

    def do_end_turn(self, move: Any) -> None:
        self.now, self.put = self.left(self.now), []
        if self.now == self.start:
            self.bidding += 1
        if self.bidding > 3:
            self.hand_out()

    def hand_out(self) -> None:
        won = {seller: self.strongest(seller) for seller in self.seats}
        for seller, winner in won.items():
            card, heap = self.sale[seller], self.heap[f"offer {seller}"]
            self.heap[f"offer {seller}"] = []
            if not winner:
                self.lost.append(card)
                continue
            self.prize[card] = winner
            for chip in heap:
                if self.owner(chip) != winner:
                    self.pool(self.owner(chip)).append(chip)
            mine = sorted(
                (chip for chip in heap if self.owner(chip) == winner), key=lambda chip: (chip[1] == "0", chip)
            )
            self.pool(winner).append(mine[0])
            self.pool(seller).extend(mine[1:])
        self.start = self.left(self.start) if won[self.start] in (0, self.start) else won[self.start]
        self.bidding, self.now, self.sale, self.buyers, self.to_pass = 0, 0, {}, [], True
        self.pass_on()

    def pass_on(self) -> None:
        """The Darwin tile goes to the poorest plot, when all that can be laid is laid."""
        if not self.to_pass or self.unlaid():
            return
        self.to_pass = False
        fewest = min(len(plot) for plot in self.field.values())
        poor = [seat for seat in self.seats if len(self.field[seat]) == fewest]
        if len(poor) == 1:
            self.darwin = poor[0]
            return
        seat = self.left(self.darwin)
        while seat not in poor:
            seat = self.left(seat)
        self.darwin = seat

    def do_lay(self, move: Any) -> None:
        self.field[move["by"]][move["card"]] = (move["x"], move["y"])
        del self.prize[move["card"]]
        self.money[move["by"]] += min(0, self.value[move["card"]])
        self.pass_on()

    def do_drop(self, move: Any) -> None:
        del self.prize[move["card"]]
        self.lost.append(move["card"])
        self.pass_on()

    def do_income(self, move: Any) -> None:
        self.money[move["by"]] += move["amount"]
        self.jewels.append(move["jewel"])

    def do_creature(self, move: Any) -> None:
        self.creature[move["by"]] = move["size"]

    def do_agree_end(self, move: Any) -> None:
        tied = self.rich()
        sizes = [self.creature.get(seat, 0) for seat in tied]
        self.best = [seat for seat, size in zip(tied, sizes, strict=True) if size == max(sizes)]
        self.done = True
