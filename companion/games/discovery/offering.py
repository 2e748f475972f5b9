"""Which spoken moves are lawful now, for every seat."""

from __future__ import annotations

from collections.abc import Iterator

from companion.game import JSON, At, Move, Offer
from companion.games.discovery import moves as act
from companion.games.discovery.conditions import source
from companion.games.discovery.deck import EVERY_ERA
from companion.games.discovery.rules import judge
from companion.games.discovery.setup import Setup
from companion.games.discovery.state import Open
from companion.table import TABLE, CardId, Seat


def offers(setup: Setup, shown: Open, at: At) -> tuple[Offer, ...]:
    """Every spoken move without objection; cards that are laid or discarded are seen, not spoken."""
    found = [offer for seat in setup.seats for offer in _of(setup, shown, seat, at)]
    if not judge(setup, shown, act.AgreeEnd(TABLE), at):
        found.append(Offer(TABLE, "agree_end"))
    return tuple(found)


def _of(setup: Setup, shown: Open, seat: Seat, at: At) -> Iterator[Offer]:
    def lawful(move: Move) -> bool:
        return not judge(setup, shown, move, at)

    for plain in (act.EndTurn(seat), act.Pass(seat), act.Verify(seat), act.Concede(seat)):
        if lawful(plain):
            yield Offer(seat, plain.do)
    for kind in (act.Steal, act.Exchange, act.Ask):
        sources = tuple(other for other in setup.seats if lawful(kind(seat, other)))
        if sources:
            yield Offer(seat, kind.do, {"from": sources})
    numbers = tuple(kept.number for kept in shown.acts if lawful(act.Stop(seat, kept.number)))
    if numbers:
        yield Offer(seat, "stop", {"number": numbers})
    yield from _calls(setup, shown, seat, at)
    yield from _jokers(setup, shown, seat, at)
    for what in ("open", "closed"):
        eras = tuple(era for era in EVERY_ERA if lawful(act.Announce(seat, era, what)))
        if eras:
            yield Offer(seat, "announce", {"era": eras, "what": (what,)})


def _calls(setup: Setup, shown: Open, seat: Seat, at: At) -> Iterator[Offer]:
    """A call may fail and is lawful all the same (G6): every card, every answer but that of an empty hand."""
    cards = tuple(sorted(setup.facts))
    if cards and not judge(setup, shown, act.Call(seat, cards[0], TABLE), at):
        holders = tuple(other for other in setup.seats if shown.held(other))
        yield Offer(seat, "call", {"card": cards, "holder": (TABLE, *holders)})


def _jokers(setup: Setup, shown: Open, seat: Seat, at: At) -> Iterator[Offer]:
    def lawful(move: Move) -> bool:
        return not judge(setup, shown, move, at)

    for place in ("hand", "pool") if setup.jokers and seat == shown.turn.seat else ():
        held = tuple(joker for joker in setup.jokers if lawful(act.Joker(seat, joker, place)))
        if held:
            yield Offer(seat, "joker", {"joker": held, "from": (place,)})
        for joker in setup.jokers:
            if not _available(setup, shown, seat, joker, place):
                continue
            yield from _stand_ins(setup, shown, seat, joker, place, at)
    held = tuple(joker for joker in setup.jokers if lawful(act.Interrupt(seat, joker)))
    if held:
        yield Offer(seat, "interrupt", {"joker": held})


def _available(setup: Setup, shown: Open, seat: Seat, joker: CardId, place: str) -> bool:
    """Whether a joker could come from there; only then it is worth asking what it may stand for."""
    return not source(setup, shown, seat, joker, place)


def _stand_ins(setup: Setup, shown: Open, seat: Seat, joker: CardId, place: str, at: At) -> Iterator[Offer]:
    cards = sorted(setup.facts)
    for new_series in (False, True):
        lawful = tuple(
            card for card in cards if not judge(setup, shown, act.Joker(seat, joker, place, card, new_series), at)
        )
        if lawful:
            choices: dict[str, tuple[JSON, ...]] = {"joker": (joker,), "as": lawful, "from": (place,)}
            yield Offer(seat, "joker", {**choices, "new_series": (True,)} if new_series else choices)
