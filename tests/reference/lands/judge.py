"""A second judge of Lands Unknown, written from docs/lands.md alone, on plain dictionaries: slow, simple, apart.

It reads moves as the record writes them and deck files as JSON. Ways are found by relaxing every border until nothing
gets cheaper; a ledger is counted anew from all entries each time it is asked for.
"""

from __future__ import annotations

from typing import Any

TOKENS = ["food", "meat", "water", "dirty-water", "wood", "stone", "poison", "find", "medicine"]
HARM = ["hunger", "thirst", "disease", "skull"]
CURES = {"hunger": "food", "thirst": "water", "disease": "medicine"}
OF_TABLE = {"deal", "night", "lead", "agree_end", "away", "join", "place"}
TOLD = {
    "gather", "cook", "relight", "fire", "rest", "drink", "investigate", "use", "give", "throw", "roll", "change",
    "accept", "support", "flee", "hurt",
}  # fmt: skip
"""Whoever says one of these tells what people do with what lies before them, and is held to it."""
GOES_ON = {"travel", "scout", "craft", "end_turn", "night", "lead", "leave"}
FREE = {"support", "drink", "drop", "throw", "hurt", "leave"}
FIGHTING = {"support", "roll", "change", "accept", "use", "flee", "hurt"}


class Keeper:
    """One match, judged and played."""

    def __init__(self, match: Any, deck: Any) -> None:
        self.count = len(match["seat"])
        self.seats = list(range(1, self.count + 1))
        self.points_a_day = {1: 12, 2: 10}.get(self.count, 8)
        self.wanted = {1: 3, 2: 2}.get(self.count, 1)
        self.cost: dict[str, int] = {}
        self.mark: set[str] = set()
        self.fire: dict[str, bool] = {}
        self.inner: list[tuple[str, str]] = []
        self.fire_said: dict[str, bool] = {}
        self.face: dict[str, str] = {}
        self.left_there: set[tuple[str, str]] = set()
        self.entered = {tile["id"] for tile in deck["tile"]}
        self.adrift: set[str] = set()
        for tile in deck["tile"]:
            self.draw(tile["id"], tile["space"])
        self.known: dict[str, dict[str, Any]] = {}
        for key in ("night", "enemy", "project", "object"):
            for row in deck.get(key, []):
                self.known[row["id"]] = {name: value for name, value in row.items() if name not in ("id", "source")}
        self.open: set[str] = set()
        self.joins: list[tuple[str, str]] = []
        self.at = dict.fromkeys(self.seats, "")
        self.stamina = dict.fromkeys(self.seats, self.points_a_day)
        self.entries: list[tuple[int, str, int]] = []
        for seat in self.seats:
            self.entries += [(seat, "food", 1), (seat, "water", 1)]
        self.cards: dict[int, list[str]] = {seat: [] for seat in self.seats}
        self.owes = dict.fromkeys(self.seats, 0)
        self.day = 0
        self.dark = self.resolved = self.free = self.done = False
        self.now = self.first = self.prey = 0
        self.finished: set[int] = set()
        self.running: set[int] = set()
        self.gone: list[int] = []
        self.nights: list[str] = []
        self.wounds: dict[str, int] = {}
        self.fight: dict[str, Any] | None = None
        self.on_fight: set[str] = set()
        self.told = False

    def draw(self, tile: str, spaces: list[Any]) -> None:
        for number, space in enumerate(spaces, 1):
            name = f"{tile}-{number}"
            self.cost[name] = space.get("cost", 1)
            if space.get("landmark"):
                self.mark.add(name)
            if space.get("fire"):
                self.fire[name] = True
            self.inner += [(name, f"{tile}-{other}") for other in space.get("neighbours", [])]

    # ---- what is so ---------------------------------------------------------------------------------------------

    def n(self, seat: int, kind: str) -> int:
        """So many a seat has, of a token or a damage: what all entries together say."""
        return sum(change for who, what, change in self.entries if (who, what) == (seat, kind))

    def harm(self, seat: int) -> int:
        return sum(self.n(seat, kind) for kind in HARM)

    def dead(self, seat: int) -> bool:
        return self.harm(seat) >= 4

    def here(self) -> list[int]:
        return [seat for seat in self.seats if seat not in self.gone and not self.dead(seat)]

    def load(self, seat: int) -> int:
        return sum(self.n(seat, kind) for kind in TOKENS) + sum(card[0] == "O" for card in self.cards[seat])

    def too_much(self, seat: int) -> bool:
        may = any(self.n(seat, kind) for kind in TOKENS)
        may = may or any(card[0] == "O" and not self.known.get(card, {}).get("quest") for card in self.cards[seat])
        if not self.told:
            mine = [card for card in self.cards[seat] if card[0] == "O"]
            return len(mine) > 10 and any(not self.known.get(card, {}).get("quest") for card in mine)
        return self.load(seat) > 10 and may

    def borders(self) -> list[tuple[str, str]]:
        pairs = [(a, b) for a, b in [*self.inner, *self.joins] if a[:3] in self.open and b[:3] in self.open]
        return pairs + [(b, a) for a, b in pairs]

    def way(self, start: str, to: str, *, steps: bool = False) -> int | None:
        """The cheapest way, by relaxing every border until nothing changes."""
        if start not in self.cost or start[:3] not in self.open:
            return 0 if start == to else None
        best = {start: 0}
        moved = True
        while moved:
            moved = False
            for a, b in self.borders():
                if a in best:
                    total = best[a] + (1 if steps else self.cost[b])
                    if total < best.get(b, 10**9):
                        best[b], moved = total, True
        return best.get(to)

    def to_left(self, seat: int) -> list[int]:
        return [(seat - 1 + step) % self.count + 1 for step in range(1, self.count)]

    def same_place(self, a: int, b: int) -> bool:
        one, other = self.at[a], self.at[b]
        somewhere = one[:3] == other[:3] and (self.blank(one) or self.blank(other))
        return bool(one) and (one == other or somewhere)

    def blank(self, space: str) -> bool:
        """All of a tile: nobody has said which spaces there are, or seen since on which of them somebody stands."""
        return len(space) == 3

    def unsure(self, *spaces: str) -> bool:
        """No way from or to there can be known to be closed."""
        return any(self.blank(space) or space[:3] in self.adrift for space in spaces)

    def fits(self, card: str, joins: Any) -> bool:
        """A tile is joined by spaces of its own to spaces of others that lie open."""
        own = [name for name in self.cost if name[:3] == card and not self.blank(name)] or [card]
        return all(new in own and old in self.cost and old[:3] in self.open - {card} for new, old in joins)

    def lit(self, space: str) -> bool | None:
        return self.fire_said.get(space, self.fire.get(space))

    def held(self, card: str) -> int:
        return next((seat for seat in self.seats if card in self.cards[seat]), 0)

    def project(self, seat: int, card: str) -> str | None:
        found = sorted(one for one, row in self.known.items() if row.get("object") == card)
        return next(iter([one for one in found if one in self.cards[seat]] + found), None)

    def named_alike(self, seat: int, card: str) -> bool:
        name = self.known.get(card, {}).get("name")
        others = [one for one in self.cards[seat] if one[0] == "O" and one != card]
        return name is not None and any(self.known.get(one, {}).get("name") == name for one in others)

    def price(self, move: Any) -> int:
        do, by = move["do"], move["by"]
        if do == "travel":
            if "cost" in move:
                return int(move["cost"])
            if by in self.running or self.steps_away(move):
                return 0
            least = self.way(self.at[by], move["to"])
            if least is None and self.unsure(self.at[by], move["to"]):
                return self.cost.get(move["to"], 0)
            return least or 0
        if do == "gather":
            return 0 if self.free else 1
        if do == "use":
            return int(move.get("cost", 0))
        return int(do in ("scout", "cook", "relight", "craft", "investigate", "rest", "loot"))

    def steps_away(self, move: Any) -> bool:
        """Nobody tells the dice, and the fighter goes one space on while the enemy's card lies there."""
        if not self.fight or self.told or self.fight["who"] != move["by"] or "cost" in move:
            return False
        lethal = self.known.get(self.fight["card"], {}).get("lethal")
        return not lethal and (self.at[move["by"]], move["to"]) in self.borders()

    # ---- may it be done? ----------------------------------------------------------------------------------------

    def judge(self, move: Any) -> list[str]:
        do, by = move["do"], move["by"]
        if self.done:
            return ["game-over"]
        if do == "tell":
            return []
        if (by == 0) != (do in OF_TABLE) or by > self.count:
            return ["turn"]
        if do == "deal":
            return ["not-offered"] if self.open else []
        if do == "gain" and not self.day:
            card = move.get("card", "")
            if card[:1] != "P":
                return ["must-lead" if self.open else "deal"]
            if self.held(card):
                return ["not-there"]
            return ["projects"] if sum(one[0] == "P" for one in self.cards[by]) >= self.wanted else []
        if do == "away":
            fought = self.fight and self.fight["card"] == move["card"]
            return ["not-there"] if (fought and self.told) or move["card"] not in self.on_fight else []
        if do == "join":
            return [] if move["card"] in self.adrift and self.fits(move["card"], move["joins"]) else ["not-there"]
        if do == "place":
            here = self.at[int(move["card"][1:])]
            may = self.blank(here) and here in self.entered and move["to"] in self.cost and move["to"][:3] == here
            return [] if may and here in self.open else ["not-there"]
        if not self.open:
            return ["deal"]
        if do == "count":
            if by in self.gone or self.dead(by):
                return ["dead" if self.dead(by) else "left"]
            others = self.harm(by) - self.n(by, move["kind"])
            return ["not-offered"] if move["kind"] in HARM and others + move["n"] > 4 else []
        if do == "agree_end":
            return []
        if do in ("night", "lead"):
            return self.of_table(move)
        if not self.day:
            return ["must-lead"]
        if by in self.gone or self.dead(by):
            return ["dead" if self.dead(by) else "left"]
        if self.prey == by and do not in ("fight", "hurt"):
            return ["must-fight"]
        if self.fight and self.told and do not in FIGHTING:
            return ["must-accept" if self.fight["grey"] else "must-roll"]
        pressed = do in FIGHTING if self.fight else do == "fight" and self.prey == by
        if self.owes[by] and do not in ("drink", "hurt") and not pressed:
            return ["must-drink"]
        if self.too_much(by) and do not in ("drop", "throw", "hurt", "drink") and not pressed:
            return ["must-drop"]
        return self.turn(move) or self.needs(move)

    def turn(self, move: Any) -> list[str]:
        do, by = move["do"], move["by"]
        if self.fight and (self.told or do in FIGHTING) and do not in ("support", "hurt"):
            return [] if by == self.fight["who"] else ["turn"]
        if do in FREE or (do == "travel" and move.get("cost") == 0):
            return []
        if self.dark:
            return [] if do in ("gain", "fire", "fight") else ["turn"]
        if do in ("trade", "give") and move["to"] == self.now:
            return []
        return [] if by == self.now else ["turn"]

    def of_table(self, move: Any) -> list[str]:
        if move["do"] == "lead":
            if not self.day:
                held = [sum(one[0] == "P" for one in self.cards[seat]) for seat in self.seats]
                return [] if all(count == self.wanted for count in held) else ["projects"]
            if self.fight and self.told:
                return ["must-accept" if self.fight["grey"] else "must-roll"]
            if self.dead(move["seat"]) or move["seat"] in self.gone:
                return ["dead" if self.dead(move["seat"]) else "left"]
            if not self.dark:
                return ["turn"]
            deck = {f"N{number:02}" for number in range(1, 11)} | {one for one in self.known if one[0] == "N"}
            return [] if self.resolved or deck <= set(self.nights) else ["must-night"]
        card = move["card"]
        if card in self.nights:
            return ["not-there"]
        if not self.day:
            return ["must-lead"]
        if self.fight and self.told:
            return ["must-accept" if self.fight["grey"] else "must-roll"]
        if not self.dark:
            return ["turn"]
        colour = {one: row.get("colour") for one, row in self.known.items() if one[0] == "N"}
        blue = [one for one, is_ in colour.items() if is_ == "blue" and one not in self.nights and one != card]
        said = ["night"] if colour.get(card) == "orange" and blue else []
        return said + (["tribal"] if self.ignored(card) else [])

    def ignored(self, card: str) -> bool:
        return bool(self.known.get(card, {}).get("tribal")) and len(self.here()) == 1

    def needs(self, move: Any) -> list[str]:
        do, by = move["do"], move["by"]
        points = ["stamina"] if self.price(move) > self.stamina[by] else []
        place = self.at[by]
        if do == "travel":
            to = move["to"]
            if move["card"] != f"F{by}":
                return ["not-there"]
            known = to in self.cost and to[:3] in self.open
            if to == place and move.get("cost") != 0 and by not in self.running:
                return ["path"]
            closed = self.way(place, to) is None and not self.unsure(place, to)
            if not known or ("cost" not in move and by not in self.running and closed):
                return ["path"]
            return points
        if do == "scout":
            if move["card"] in self.open or not self.fits(move["card"], move.get("joins", [])):
                return ["not-there"]
            vague = move["card"] not in self.entered or self.unsure(place)
            beside = vague or any(old == place for _, old in move.get("joins", []))
            return ([] if beside else ["adjacent"]) + points
        if do == "gather":
            wet = move["kind"] in ("water", "dirty-water") and not self.blank(place)
            other = wet and self.face.get(place, move["kind"]) != move["kind"]
            return (["not-offered"] if other and (place, move["kind"]) not in self.left_there else []) + points
        if do in ("cook", "relight"):
            lit = self.lit(place)
            said = ["fire"] if lit is not (do == "cook") and not (lit is None and self.blank(place)) else []
            enough = self.n(by, "meat") >= move["count"] if do == "cook" else self.n(by, "wood") > 0
            return said + ([] if enough else ["have"]) + points
        if do == "investigate":
            return ([] if place in self.mark or self.blank(place) else ["landmark"]) + points
        if do == "rest":
            return self.rest(move, points)
        if do == "use":
            card = move.get("card")
            if card is not None and card not in self.cards[by]:
                return ["not-there"]
            twice = self.fight and card is not None and (by, card) in self.fight["used"]
            return (["once"] if twice else []) + points
        if do == "drink":
            wanted = ([] if self.owes[by] else ["dirty-water"]) + (["medicine"] if move["with"] == "medicine" else [])
            return [] if all(self.n(by, kind) for kind in wanted) else ["have"]
        if do in ("support", "roll", "change", "accept", "flee"):
            return self.fights(move)
        return self.goods(move, points)

    def rest(self, move: Any, points: list[str]) -> list[str]:
        by, kind = move["by"], move["kind"]
        other = move.get("on", 0) or by
        if kind not in CURES:
            return ["not-offered"]
        said = []
        if other != by:
            if self.dead(other) or other in self.gone:
                said = ["dead" if self.dead(other) else "left"]
            elif not self.same_place(by, other):
                said = ["space"]
        cure = "dirty-water" if kind == "thirst" and move.get("water") == "dirty" else CURES[kind]
        if not self.n(other, kind) or not self.n(by, cure):
            said = [*said, "have"]
        return said + points

    def fights(self, move: Any) -> list[str]:
        do, by = move["do"], move["by"]
        if not self.fight:
            return ["not-offered"]
        rolled = self.fight["grey"] > 0
        if do == "support":
            if by == self.fight["who"] or rolled or self.count == 1:
                return ["not-offered"]
            away = self.way(self.at[by], self.at[self.fight["who"]], steps=True)
            near = self.unsure(self.at[by], self.at[self.fight["who"]]) if away is None else away <= 2
            twice = ["once"] if by in self.fight["helped"] else []
            return twice + ([] if near else ["far"])
        if do == "roll":
            return ["not-offered"] if rolled else []
        if do in ("change", "accept") and not rolled:
            return ["must-roll"]
        if do == "change":
            return [] if self.n(by, move["with"]) else ["have"]
        if do == "accept":
            row = self.known.get(self.fight["card"], {})
            return [] if all(row.get(key) for key in ("defence", "attack", "life")) else ["facts"]
        return []

    def goods(self, move: Any, points: list[str]) -> list[str]:
        do, by, card = move["do"], move["by"], move.get("card")
        if do in ("give", "trade"):
            if do == "trade" and card not in self.cards[by]:
                return ["not-there"]
            to = move["to"]
            if to == by:
                return ["not-there" if do == "trade" else "not-offered"]
            if self.dead(to) or to in self.gone:
                said = ["dead" if self.dead(to) else "left"]
            else:
                said = [] if self.same_place(by, to) else ["space"]
            if do == "trade":
                return said + (["same-name"] if self.named_alike(to, card) else [])
            return said + ([] if self.n(by, move["kind"]) else ["have"])
        if do == "gain" and card:
            if self.held(card):
                return ["not-there"]
            return ["same-name"] if self.named_alike(by, card) else []
        if do == "craft":
            if self.held(card):
                return ["not-there"]
            made_of = self.project(by, card)
            if made_of is None:
                return ["not-offered"]
            cost = self.known[made_of].get("cost", [])
            short = self.told and any(self.n(by, kind) < cost.count(kind) for kind in cost)
            return (["have"] if short else []) + (["same-name"] if self.named_alike(by, card) else []) + points
        if do == "drop":
            if card not in self.cards[by]:
                return ["not-there"]
            return ["quest"] if self.known.get(card, {}).get("quest") else []
        if do == "throw":
            return [] if self.n(by, move["kind"]) else ["have"]
        if do == "loot":
            source = move["from"]
            if source == by or not self.dead(source):
                return ["not-offered"]
            said = [] if self.same_place(by, source) else ["space"]
            if card:
                if card not in self.cards[source]:
                    return ["not-there"]
                return said + (["same-name"] if self.named_alike(by, card) else []) + points
            return said + ([] if self.n(source, move["kind"]) else ["have"]) + points
        if do == "fire":
            return [] if move["space"][:3] in self.open else ["not-there"]
        return []

    # ---- what follows -------------------------------------------------------------------------------------------

    def more(self, seat: int, kind: str, change: int = 1) -> None:
        self.entries.append((seat, kind, change))

    def play(self, move: Any) -> None:
        do, by = move["do"], move["by"]
        alive = [seat for seat in self.seats if not self.dead(seat)]
        if by and do not in ("tell", "count"):
            self.stamina[by] -= self.price(move)
        self.told = self.told or do in TOLD or (do in ("gain", "loot") and not move.get("card"))
        if not self.told and self.fight and do in GOES_ON:
            if do == "travel" and self.steps_away(move):
                self.running.add(by)
            self.stop()
        getattr(self, f"_{do}")(move)
        for seat in alive:
            if self.dead(seat):
                self.out(seat)
        if self.open and not self.here():
            self.end()

    def end(self) -> None:
        self.done, self.now, self.fight = True, 0, None

    def out(self, seat: int) -> None:
        if self.fight and self.fight["who"] == seat:
            self.next_target() if self.known.get(self.fight["card"], {}).get("lethal") else self.stop()
        if self.prey == seat:
            self.prey = 0
        if self.first == seat:
            self.first = next((one for one in self.to_left(seat) if one in self.here()), seat)
        if self.now == seat:
            self.pass_on(seat)

    def stop(self) -> None:
        self.fight = None

    def next_target(self) -> None:
        assert self.fight
        who = self.fight["who"]
        near = [one for one in self.to_left(who) if one in self.here() and self.at[one] == self.at[who]]
        near += [who] if who in self.here() else []
        if not near:
            self.stop()
            return
        self.fight |= {"who": near[0], "grey": 0, "red": 0}

    def pass_on(self, seat: int) -> None:
        self.finished.add(seat)
        self.free = False
        self.running.discard(seat)
        if seat != self.now:
            return
        left = [one for one in self.to_left(seat) if one in self.here() and one not in self.finished]
        self.now = left[0] if left else 0
        self.dark = self.dark or not left

    def _deal(self, move: Any) -> None:
        self.open |= set(move["tiles"])
        self.joins += [(a, b) for a, b in move["joins"]]
        self.at = dict(enumerate(move["stands"], 1))

    def _lead(self, move: Any) -> None:
        self.first = self.now = move["seat"]
        self.day += 1
        self.dark = self.resolved = self.free = False
        self.finished, self.running = set(), set()
        self.stamina = dict.fromkeys(self.seats, self.points_a_day)

    def _night(self, move: Any) -> None:
        self.resolved = self.resolved or not self.ignored(move["card"])
        self.nights.append(move["card"])

    def _end_turn(self, move: Any) -> None:
        self.pass_on(move["by"])

    def _travel(self, move: Any) -> None:
        by = move["by"]
        self.free = self.free or (by == self.now and move.get("cost") != 0 and by not in self.running)
        self.at[by] = move["to"]
        self.running.discard(by)

    def _scout(self, move: Any) -> None:
        self.open.add(move["card"])
        if move["card"] not in self.entered:
            self.cost[move["card"]] = 1
        self.joins += [(a, b) for a, b in move.get("joins", [])]

    def _gather(self, move: Any) -> None:
        self.free = False
        place = self.at[move["by"]]
        is_water = move["kind"] in ("water", "dirty-water") and not self.blank(place)
        if is_water and (place, move["kind"]) not in self.left_there:
            self.face.setdefault(place, move["kind"])
        if move["kind"] in TOKENS:
            self.more(move["by"], move["kind"])
        elif move["kind"] in ("enemy", "paw"):
            self.prey = move["by"]

    def _cook(self, move: Any) -> None:
        self.more(move["by"], "meat", -move["count"])
        self.more(move["by"], "food", move["count"])

    def _relight(self, move: Any) -> None:
        self.more(move["by"], "wood", -1)
        self.fire_said[self.at[move["by"]]] = True

    def _fire(self, move: Any) -> None:
        self.fire_said[move["space"]] = move["lit"]

    def _rest(self, move: Any) -> None:
        by, kind = move["by"], move["kind"]
        other = move.get("on", 0) or by
        dirty = kind == "thirst" and move.get("water") == "dirty"
        self.more(by, "dirty-water" if dirty else CURES[kind], -1)
        self.more(other, kind, -1)
        self.owes[other] += dirty

    def _drink(self, move: Any) -> None:
        by = move["by"]
        if self.owes[by]:
            self.owes[by] -= 1
        else:
            self.more(by, "dirty-water", -1)
        if move["with"] == "medicine":
            self.more(by, "medicine", -1)
        elif move["die"] <= 3:
            self.more(by, "disease")

    def _investigate(self, move: Any) -> None:
        pass

    def _use(self, move: Any) -> None:
        if self.fight and move.get("card"):
            self.fight["used"].add((move["by"], move["card"]))

    def _give(self, move: Any) -> None:
        self.more(move["by"], move["kind"], -1)
        self.more(move["to"], move["kind"])

    def _throw(self, move: Any) -> None:
        self.more(move["by"], move["kind"], -1)
        self.left_there.add((self.at[move["by"]], move["kind"]))

    def take(self, card: str, to: int = 0) -> None:
        for held in self.cards.values():
            if card in held:
                held.remove(card)
        if to:
            self.cards[to].append(card)

    def _gain(self, move: Any) -> None:
        if move.get("card"):
            self.take(move["card"], move["by"])
        else:
            self.more(move["by"], move["kind"])

    def _trade(self, move: Any) -> None:
        self.take(move["card"], move["to"])

    def _drop(self, move: Any) -> None:
        self.take(move["card"])

    def _craft(self, move: Any) -> None:
        by = move["by"]
        made_of = self.project(by, move["card"])
        assert made_of
        for kind in self.known[made_of].get("cost", []):
            if self.told or self.n(by, kind):  # nobody has less than nothing, whatever was not told
                self.more(by, kind, -1)
        if made_of in self.cards[by]:
            self.take(made_of)
        self.take(move["card"], by)

    def _loot(self, move: Any) -> None:
        if move.get("card"):
            self.take(move["card"], move["by"])
        else:
            self.more(move["from"], move["kind"], -1)
            self.more(move["by"], move["kind"])

    def _hurt(self, move: Any) -> None:
        self.more(move["by"], move["kind"])

    def _count(self, move: Any) -> None:
        by, kind = move["by"], move["kind"]
        self.told, self.prey = False, 0
        self.owes = dict.fromkeys(self.seats, 0)
        if self.fight:
            self.fight |= {"grey": 0, "red": 0}
        if kind == "stamina":
            self.stamina[by] = move["n"]
        else:
            self.more(by, kind, move["n"] - self.n(by, kind))

    def _fight(self, move: Any) -> None:
        self.prey = 0
        self.fight = {"card": move["card"], "who": move["by"], "grey": 0, "red": 0, "used": set(), "helped": set()}
        self.on_fight.add(move["card"])

    def _away(self, move: Any) -> None:
        if not self.told:
            self.stop()
        self.on_fight.discard(move["card"])

    def _support(self, move: Any) -> None:
        assert self.fight
        self.fight["helped"].add(move["by"])

    def _roll(self, move: Any) -> None:
        assert self.fight
        self.fight |= {"grey": move["grey"], "red": move["red"]}

    def _change(self, move: Any) -> None:
        assert self.fight
        kind = move["with"]
        self.more(move["by"], kind, -1)
        if kind == "poison":
            self.fight["grey"] = min(12, self.fight["grey"] + 1)
        elif kind == "find":
            self.fight["red"] = max(1, self.fight["red"] - 1)
        else:
            self.fight |= {key: move[key] for key in ("grey", "red") if key in move}

    def _accept(self, _move: Any) -> None:
        assert self.fight
        row, card = self.known[self.fight["card"]], self.fight["card"]
        if self.fight["grey"] >= row["defence"]:
            self.wounds[card] = self.wounds.get(card, 0) + 1
        if self.fight["red"] >= row["attack"]:
            self.more(self.fight["who"], "skull")
        if self.wounds.get(card, 0) >= row["life"]:
            del self.wounds[card]
            self.stop()
        elif row.get("lethal"):
            self.next_target()
        else:
            self.stop()

    def _flee(self, move: Any) -> None:
        assert self.fight
        if self.known.get(self.fight["card"], {}).get("lethal"):
            self.next_target()
        else:
            self.running.add(move["by"])
            self.stop()

    def _leave(self, move: Any) -> None:
        self.gone.append(move["by"])
        self.out(move["by"])

    def _agree_end(self, _move: Any) -> None:
        self.end()

    def _join(self, move: Any) -> None:
        self.joins += [(a, b) for a, b in move["joins"]]
        self.adrift.discard(move["card"])

    def _place(self, move: Any) -> None:
        self.at[int(move["card"][1:])] = move["to"]

    def _tell(self, move: Any) -> None:
        if move["card"][0] == "M":
            self.describe(move)
            return
        row = {key: value for key, value in move.items() if key not in ("do", "by", "card")}
        if "cost" in row:
            row["cost"] = row["cost"].split()
        if "makes" in row:
            row["object"] = row.pop("makes")
        self.known[move["card"]] = {**self.known.get(move["card"], {}), **row}

    def describe(self, move: Any) -> None:
        """All that was known of a tile's spaces is forgotten, but for fires of spaces that it has still."""
        tile = move["card"]
        for known in (self.cost, self.fire):
            for name in [one for one in known if one[:3] == tile]:
                del known[name]
        self.mark = {name for name in self.mark if name[:3] != tile}
        self.inner = [pair for pair in self.inner if pair[0][:3] != tile]
        self.joins = [pair for pair in self.joins if tile not in (pair[0][:3], pair[1][:3])]
        spaces = []
        for number in range(1, len(move["spaces"]) + 1):
            ways = [sum(way) - number for way in move.get("ways", []) if number in way]
            cost = move["costs"][number - 1] if move.get("costs") else 1
            marks = {key: number in move.get(many, []) for key, many in (("landmark", "landmarks"), ("fire", "fires"))}
            spaces.append({"cost": cost, "neighbours": ways, **marks})
        self.draw(tile, spaces)
        self.entered.add(tile)
        self.fire_said = {one: lit for one, lit in self.fire_said.items() if one[:3] != tile or one in self.cost}
        self.face = {one: kind for one, kind in self.face.items() if one[:3] != tile or one in self.cost}
        if tile in self.open:
            self.adrift.add(tile)
            self.at = {seat: tile if at[:3] == tile else at for seat, at in self.at.items()}
