"""A match that starts in the middle: what a FEN is to chess (contract section 6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from companion.errors import Fault, fault
from companion.game import JSON, At
from companion.games.discovery.counting import by_era, shown_credits
from companion.games.discovery.deck import ERAS, PER_ERA
from companion.games.discovery.draft import Draft, freeze
from companion.games.discovery.setup import Setup
from companion.games.discovery.state import HAND, POOL, Laid, Open
from companion.games.discovery.turning import begin, settle
from companion.table import CardId, Seat

CARDS = ERAS * PER_ERA
KEYS = ("turn", "tree", "pool", "discards", "hands", "stack", "points")


def opening(setup: Setup) -> Open:
    """After the deal (A3): five cards each, five in the pool that nobody has named, the rest and the jokers (A7)."""
    count = len(setup.players)
    first = setup.following(setup.dealer, setup.late)  # to the dealer's left (A6)
    hands = tuple(0 if seat in setup.late else HAND for seat in setup.seats)
    stack = CARDS - sum(hands) - POOL + len(setup.jokers)
    return _start(setup, (), (None,) * POOL, ((),) * count, hands, stack, (0,) * count, first, dealt=False)


def position(setup: Setup, given: JSON, faults: list[Fault]) -> Open | None:
    """The start of a seat's turn somewhere in the middle; faults are added to the list."""
    if not isinstance(given, Mapping):
        faults.append(fault("position.fault.form", "position is a table, such as [position]", "position"))
        return None
    listed = ", ".join(KEYS)
    faults += [
        fault("match.fault.key", "there is no such key here; the keys are {known}", "position", str(key), known=listed)
        for key in given
        if key not in KEYS
    ]
    count = len(setup.players)
    turn = _count(given.get("turn", 1), ("position", "turn"), 1, count, faults)
    tree = _tree(setup, given.get("tree", []), faults)
    pool = tuple(_card(setup, card, ("position", "pool", at), faults) for at, card in _list(given, "pool", faults))
    none: list[list[JSON]] = [[] for _ in setup.players]
    discards = tuple(
        tuple(_card(setup, card, ("position", "discards", seat, at), faults) for at, card in enumerate(lying))
        for seat, lying in _list({"discards": none, **given}, "discards", faults)
        if _is_list(lying, ("position", "discards", seat), faults)
    )
    hands = tuple(
        _count(held, ("position", "hands", at), 0, CARDS + 9, faults) for at, held in _list(given, "hands", faults)
    )
    scores = tuple(
        _count(score, ("position", "points", at), -999, 9999, faults)
        for at, score in _list({"points": [0] * count, **given}, "points", faults)
    )
    stack = _count(given.get("stack"), ("position", "stack"), 0, CARDS + 9, faults)
    for key, found in (("discards", discards), ("hands", hands), ("points", scores)):
        if len(found) != count:
            said = "one for each of the {wanted} seats is needed, there are {found}"
            faults.append(fault("position.fault.each", said, "position", key, wanted=count, found=len(found)))
    _twice((*(laid.card for laid in tree), *pool, *(card for lying in discards for card in lying)), faults)
    if faults:
        return None
    total = len(tree) + len(pool) + sum(map(len, discards)) + sum(hands) + stack
    missing = CARDS + len(setup.jokers) - total
    seen = {laid.card for laid in tree} | set(pool) | {card for lying in discards for card in lying}
    if not 0 <= missing <= len(set(setup.jokers) - seen):
        said = "tree, pool, discards, hands and stack make {found} cards; there are {wanted}"
        sums = {"found": total, "wanted": CARDS, "jokers": len(setup.jokers)}
        if setup.jokers:
            faults.append(fault("position.fault.jokers", f"{said} and {{jokers}} jokers", "position", **sums))
        else:
            faults.append(fault("position.fault.sum", said, "position", **sums))
        return None
    return _start(setup, tree, pool, discards, hands, stack, scores, Seat(turn), gone=(None,) * missing)


def _start(
    setup: Setup,
    tree: tuple[Laid, ...],
    pool: tuple[CardId | None, ...],
    discards: tuple[tuple[CardId, ...], ...],
    hands: tuple[int, ...],
    stack: int,
    points: tuple[int, ...],
    turn: Seat,
    *,
    gone: tuple[CardId | None, ...] = (),
    dealt: bool = True,
) -> Open:
    present = frozenset(laid.counts_as for laid in tree)
    eras = by_era(setup, present)
    draft = Draft(
        tree=tree,
        present=present,
        eras=eras,
        pool=pool,
        discards=discards,
        hands=hands,
        stack=stack,
        gone=gone,
        points=points,
        credits=shown_credits(eras),
        turns=(),
        owed=(),
        acts=(),
        latest_act=0,
        contest=None,
        deciding_act=0,
        over=False,
        winners=(),
        closing=0,
        halting=False,
        quiet=0,
        serial=0,
        dealt=dealt,
        begun=bool(tree),
        passes=0,
        judged=frozenset(),
        away=setup.late,
    )
    begin(setup, draft, turn)
    settle(setup, draft, At(0))
    return freeze(draft)


def _tree(setup: Setup, given: JSON, faults: list[Fault]) -> tuple[Laid, ...]:
    laid = []
    if not _is_list(given, ("position", "tree"), faults):
        return ()
    for at, written in enumerate(given):
        where = ("position", "tree", at)
        card, _, stands_for = str(written).partition("=")
        if not stands_for:
            found = _card(setup, written, where, faults)
            if found in setup.jokers:
                faults.append(
                    fault(
                        "position.fault.stands",
                        'say what {value} stands for, such as "{value}=1-4"',
                        *where,
                        value=found,
                    )
                )
            laid.append(Laid(found, found))
        elif card not in setup.jokers or stands_for not in setup.facts:
            said = '{value} is no joker that stands for a card, such as "J1=1-4"'
            faults.append(fault("position.fault.joker", said, *where, value=repr(written)))
        else:
            laid.append(Laid(CardId(card), CardId(stands_for)))
    for counts_as, times in Counter(card.counts_as for card in laid).items():
        if times > 1:
            said = "{value} lies there twice, as itself or as a joker"
            faults.append(fault("position.fault.twice", said, "position", "tree", value=counts_as))
    return tuple(laid)


def _card(setup: Setup, written: JSON, where: tuple[str | int, ...], faults: list[Fault]) -> CardId:
    if isinstance(written, str) and (written in setup.facts or written in setup.jokers):
        return CardId(written)
    said = "{value} is no card of this match; cards are written era-number, such as 1-8"
    faults.append(fault("position.fault.card", said, *where, value=repr(written)))
    return CardId("")


def _twice(cards: Sequence[CardId], faults: list[Fault]) -> None:
    for card, times in Counter(cards).items():
        if times > 1 and card:
            faults.append(
                fault("position.fault.places", "{value} lies in {times} places", "position", value=card, times=times)
            )


def _list(given: Mapping[str, JSON], key: str, faults: list[Fault]) -> list[tuple[int, JSON]]:
    value = given.get(key)
    if not _is_list(value, ("position", key), faults) or value is None:
        return []
    return list(enumerate(value))


def _is_list(value: JSON, where: tuple[str | int, ...], faults: list[Fault]) -> bool:
    if isinstance(value, list | tuple):
        return True
    faults.append(fault("position.fault.list", "a list in square brackets is needed here", *where))
    return False


def _count(value: JSON, where: tuple[str | int, ...], least: int, most: int, faults: list[Fault]) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        if value is None:
            said = "is missing; write a whole number from {least} to {most}"
            faults.append(fault("position.fault.missing", said, *where, least=least, most=most))
        else:
            said = "{value} does not do; write a whole number from {least} to {most}"
            faults.append(fault("position.fault.number", said, *where, value=repr(value), least=least, most=most))
        return least
    return value
