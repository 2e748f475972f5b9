"""The public view: the expected table, and the data for pages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.games.discovery import moves as act
from companion.games.discovery.deck import EVERY_ERA
from companion.games.discovery.explore import brings_points
from companion.games.discovery.rules.contest import answering
from companion.games.discovery.rules.legality import judge
from companion.games.discovery.rules.placement import source
from companion.games.discovery.secrecy import hides_placed_cards, tells_links, tree_zone
from companion.games.discovery.setup import Setup
from companion.games.discovery.state import Position, TreeCard
from companion.games.protocol import Move, MoveContext
from companion.public.layout import Layout, ZoneShape
from companion.public.standing import AvailableMove
from companion.public.table import COMMAND_ZONE, TABLE, CardId, Expected, Seat, Zone
from companion.public.text import JSON

WIDTH_MM, HEIGHT_MM = 1100.0, 650.0


def expected(setup: Setup, public: Position) -> Expected:
    """What should be face up; the pile below its top may be hidden (B5)."""
    zone = tree_zone(setup)
    cards: dict[CardId, Zone] = {laid.card: zone for laid in public.tree}
    cards |= {card: Zone("pool") for card in public.pool if card is not None}
    for seat, lying in enumerate(public.discards, 1):
        cards |= {card: Zone(f"discard-{seat}") for card in lying}
    for turn in public.turns:
        cards |= {card: Zone(f"row-{turn.seat}") for card in turn.held}
    below = {laid.card for laid in public.tree[:-1]} if hides_placed_cards(setup) else set()
    visible = {laid.card for laid in public.tree[-1:]}
    return Expected(cards, frozenset(card for card in below - visible if cards[card] == zone))


def layout(setup: Setup) -> Layout:
    """Tree in the centre, pool on the right, discards and commands on the left, bots' rows at the near edge.

    The commands are in the near left corner; discards share the rest of the left edge.
    """
    count = len(setup.players)
    bots = [seat for seat in setup.seats if setup.bot(seat)]
    zones = []
    step = 520.0 / count
    for seat in setup.seats:
        top = 20.0 + step * (seat - 1)
        zones.append(ZoneShape.box(f"discard-{seat}", 10.0, top, 150.0, top + step - 5.0))
    near = 630.0
    for place, seat in enumerate(bots):
        width = 660.0 / len(bots)
        left = 160.0 + width * place
        zones.append(ZoneShape.box(f"row-{seat}", left, 530.0, left + width - 5.0, 630.0))
        near = 525.0
    tree = ZoneShape.box(tree_zone(setup), 160.0, 20.0, 820.0, near)
    zones.append(replace(tree, also=Zone("tree" if tree.name == "pile" else "pile")))
    zones.append(ZoneShape.box("pool", 840.0, 20.0, 1080.0, 630.0))
    zones.append(ZoneShape.box(COMMAND_ZONE, 10.0, 550.0, 150.0, 640.0))
    return Layout((WIDTH_MM, HEIGHT_MM), tuple(zones))


def view(setup: Setup, public: Position, seat: Seat | None) -> JSON:
    """Public facts; in silent games the top of the pile instead of the tree, and nothing that reveals legality."""
    turn = public.turn
    seen = {
        "profile": setup.profile.name,
        "silent": setup.profile.silent,
        "seat": seat,
        "pool": list(public.pool),
        "discards": [list(lying) for lying in public.discards],
        "hands": list(public.hands),
        "stack": public.stack,
        "turn": turn.seat,
        "extra": turn.extra,
        "ended": turn.ended or turn.discarded,
        "trumps": turn.trumps,
        "series": _series(setup, public),
        "called": turn.called,
        "held": list(turn.held),
        "gone": len(public.gone),
        "away": sorted(public.away),
        "contest": _contest(setup, public),
        "eras": _eras(public),
    }
    if hides_placed_cards(setup):
        return {**seen, "top": public.tree[-1].card if public.tree else None, "laid": len(public.tree)}
    return {**seen, "tree": [_laid(setup, laid) for laid in public.tree], "teach": _teach(setup, public)}


def _laid(setup: Setup, laid: TreeCard) -> JSON:
    card, counts_as = laid.card, laid.counts_as
    entry = {"card": card, "by": laid.by, "era": setup.facts[counts_as].era}
    return entry if card == counts_as else {**entry, "joker": counts_as}


def _series(setup: Setup, public: Position) -> JSON:
    """The place in the series, and the points of the next linked card; in silent games only the number of cards placed
    in this turn, because a restarted series would reveal a missing link."""
    turn = public.turn
    index = max((base.index for base in turn.bases), default=0) if tells_links(setup) else turn.placed
    rising = setup.profile.rising or setup.options.series_plus
    top = public.tree[-1].counts_as if public.tree else None
    last = [base.card for base in turn.bases if tells_links(setup) or base.card == top]
    earns = (index + 1 if rising else 1) if brings_points(setup) else 0
    return {"index": index, "last": last, "next": earns}


def _eras(public: Position) -> JSON:
    """Opened and closed eras, in silent games as announced (K11)."""
    opened = sorted(era for era, what in public.credits if what == "open")
    return {"opened": opened, "closed": sorted(era for era, what in public.credits if what == "closed")}


def _contest(setup: Setup, public: Position) -> JSON:
    if public.contest is None:
        return None
    contest = public.contest
    return {
        "number": contest.act.number,
        "by": contest.stopper,
        "stopped": contest.act.by,
        "answering": list(answering(setup, public)),
    }


def _teach(setup: Setup, public: Position) -> JSON:
    """The missing prerequisites of every visible card that is not placed."""
    visible = [card for card in public.pool if card] + [card for lying in public.discards for card in lying]
    return {card: list(setup.required(card, public.present)) for card in visible if card in setup.facts}


def offers(setup: Setup, public: Position, at: MoveContext) -> tuple[AvailableMove, ...]:
    """Every legal move that can be announced; cards that are placed or discarded are seen, not announced."""
    available = [offer for seat in setup.seats for offer in _of(setup, public, seat, at)]
    if not judge(setup, public, act.AgreeEnd(TABLE), at):
        available.append(AvailableMove(TABLE, "agree_end"))
    return tuple(available)


def _of(setup: Setup, public: Position, seat: Seat, at: MoveContext) -> Iterator[AvailableMove]:
    def lawful(move: Move) -> bool:
        return not judge(setup, public, move, at)

    for plain in (act.EndTurn(seat), act.Pass(seat), act.Verify(seat), act.Concede(seat)):
        if lawful(plain):
            yield AvailableMove(seat, plain.do)
    for kind in (act.Steal, act.Exchange, act.Ask):
        sources = tuple(other for other in setup.seats if lawful(kind(seat, other)))
        if sources:
            yield AvailableMove(seat, kind.do, {"from": sources})
    numbers = tuple(kept.number for kept in public.acts if lawful(act.Stop(seat, kept.number)))
    if numbers:
        yield AvailableMove(seat, "stop", {"number": numbers})
    yield from _calls(setup, public, seat, at)
    yield from _jokers(setup, public, seat, at)
    for what in ("open", "closed"):
        eras = tuple(era for era in EVERY_ERA if lawful(act.Announce(seat, era, what)))
        if eras:
            yield AvailableMove(seat, "announce", {"era": eras, "what": (what,)})


def _calls(setup: Setup, public: Position, seat: Seat, at: MoveContext) -> Iterator[AvailableMove]:
    """A call may fail and is legal anyway (G6): every card, every answer except an empty hand."""
    cards = tuple(sorted(setup.facts))
    if cards and not judge(setup, public, act.Call(seat, cards[0], TABLE), at):
        holders = tuple(other for other in setup.seats if public.held(other))
        yield AvailableMove(seat, "call", {"card": cards, "holder": (TABLE, *holders)})


def _jokers(setup: Setup, public: Position, seat: Seat, at: MoveContext) -> Iterator[AvailableMove]:
    def lawful(move: Move) -> bool:
        return not judge(setup, public, move, at)

    stand_ins: tuple[tuple[bool, tuple[CardId, ...]], ...] | None = None
    for place in ("hand", "pool") if setup.jokers and seat == public.turn.seat else ():
        held = tuple(joker for joker in setup.jokers if lawful(act.Joker(seat, joker, place)))
        if held:
            yield AvailableMove(seat, "joker", {"joker": held, "from": (place,)})
        for joker in setup.jokers:
            if source(setup, public, seat, joker, place):
                continue  # it cannot come from there
            if stand_ins is None:  # all available jokers may stand for the same cards
                stand_ins = tuple(_stand_ins(setup, public, seat, joker, place, at))
            for new_series, cards in stand_ins:
                choices: dict[str, tuple[JSON, ...]] = {"joker": (joker,), "as": cards, "from": (place,)}
                yield AvailableMove(seat, "joker", {**choices, "new_series": (True,)} if new_series else choices)
    held = tuple(joker for joker in setup.jokers if lawful(act.Interrupt(seat, joker)))
    if held:
        yield AvailableMove(seat, "interrupt", {"joker": held})


def _stand_ins(
    setup: Setup, public: Position, seat: Seat, joker: CardId, place: str, at: MoveContext
) -> Iterator[tuple[bool, tuple[CardId, ...]]]:
    """Without and with a new series: the cards that a joker may stand for, if any."""
    for new_series in (False, True):
        moves = (act.Joker(seat, joker, place, card, new_series) for card in sorted(setup.facts))
        cards = tuple(move.stands_for for move in moves if move.stands_for and not judge(setup, public, move, at))
        if cards:
            yield new_series, cards
