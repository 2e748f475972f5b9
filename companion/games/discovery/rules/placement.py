"""The rule book's conditions for a card: source, prerequisites and links."""

from __future__ import annotations

from companion.games.discovery import moves as act
from companion.games.discovery.deck import EVERY_ERA, PER_ERA
from companion.games.discovery.secrecy import bot_places_anything, seen_place
from companion.games.discovery.setup import Setup
from companion.games.discovery.state import LinkBase, Position, Turn, lies, whereabouts
from companion.games.protocol import Move, Objection
from companion.public.table import CardId, Seat


def base_for(setup: Setup, turn: Turn, card: CardId, *, as_joker: bool) -> LinkBase | None:
    """The card that a new one continues from, the better one if there are two (C4, O4); ``None`` = no link.

    Beside a joker only the prerequisite link counts (H4).
    """
    best = None
    for base in turn.bases:
        link = setup.prerequisite_link if base.joker or as_joker else setup.linked
        if link(base.card, card) and (best is None or base.index > best.index):
            best = base
    return best


NOT_THERE = Objection("not-there")
OWN_DISCARD = Objection("own-discard")
JOKER_CARD = Objection("joker-card")
_ANNOUNCED = {"open": EVERY_ERA[1:], "closed": EVERY_ERA}


def known(setup: Setup, card: CardId) -> bool:
    """A card or joker of this match."""
    return card in setup.facts or card in setup.jokers


def victim(public: Position, thief: Seat, robbed: Seat) -> tuple[Objection, ...]:
    """Another seat that has a card (E1, E:146, F:333)."""
    if robbed == thief or not 1 <= robbed <= len(public.hands) or not public.held(robbed):
        return (NOT_THERE,)
    return ()


def from_hand(
    setup: Setup, public: Position, seat: Seat, card: CardId, *, unseen: bool = False
) -> tuple[Objection, ...]:
    """A hand can hold any card that is not visible elsewhere (B4)."""
    return _from_hand(setup, public, seat, card, seen_place(setup, public, card, spoken=unseen))


def _from_hand(setup: Setup, public: Position, seat: Seat, card: CardId, place: str | None) -> tuple[Objection, ...]:
    if place == "tree":
        return (Objection("already-placed"),)
    if place is not None or not public.held(seat) or not known(setup, card):
        return (NOT_THERE,)
    return ()


def source(
    setup: Setup, public: Position, seat: Seat, card: CardId, zone: str, *, unseen: bool = False
) -> tuple[Objection, ...]:
    """Cards come from the hand, the pool or another's discard, never from one's own (C1, B3, E:5-7, F:190-191)."""
    place = seen_place(setup, public, card, spoken=unseen)
    if zone == "hand":
        return _from_hand(setup, public, seat, card, place)
    if place == "tree":
        return (Objection("already-placed"),)
    if zone == f"discard-{seat}":
        return (OWN_DISCARD,)
    if zone == "called" and public.turn.called:
        return () if place == "called" else (Objection("called-card", (public.turn.called,)),)
    if zone == "pool" and place is None and None in public.pool and known(setup, card):
        return ()
    return () if place == zone and zone.startswith(("pool", "discard-")) else (NOT_THERE,)


def prerequisites(setup: Setup, public: Position, card: CardId) -> tuple[Objection, ...]:
    """All prerequisites are in the tree already (C2, E:7-10, F:198-201)."""
    missing = setup.required(card, public.present)
    return (Objection("prerequisites", missing),) if missing else ()


def link(setup: Setup, turn: Turn, card: CardId, *, new_series: bool, as_joker: bool = False) -> tuple[Objection, ...]:
    """After a turn's first card the next needs a link, or a trump for a replay (C3-C6, F5, E:114, F:203, F:251)."""
    if new_series and turn.placed:
        return () if turn.trumps else (Objection("no-trump"),)
    if not turn.placed or turn.trumps or base_for(setup, turn, card, as_joker=as_joker):
        return ()
    if not turn.bases:
        return ()  # the table was made the position, and the base of the series is gone
    latest = turn.bases[-1]
    return (Objection("joker-link"),) if latest.joker else (Objection("link", (latest.card,)),)


def lacks_asked(turn: Turn, objections: tuple[Objection, ...], *, offered: bool) -> tuple[Objection, ...]:
    """An asked card that was not given can be neither placed nor discarded (I2); one objection to the source is
    enough."""
    if not offered:
        return (Objection("not-offered"),)
    return () if turn.asked or objections else (NOT_THERE,)


def placement(setup: Setup, public: Position, turn: Turn, move: act.Place) -> tuple[Objection, ...]:
    """Both conditions (C2, C5); a called card needs no link, nor a trump (G4)."""
    objections = prerequisites(setup, public, move.card)
    if move.source == "called":
        return objections
    return (*objections, *link(setup, turn, move.card, new_series=move.new_series))


def joker_placement(
    setup: Setup, public: Position, turn: Turn, move: act.Joker, stands_for: CardId
) -> tuple[Objection, ...]:
    """A joker stands for a card of an open era that is not placed; both conditions hold (H1-H4, E:271, F:299)."""
    objections: list[Objection] = list(prerequisites(setup, public, stands_for))
    era = setup.facts[stands_for].era
    if era > 1 and not public.eras[era - 1]:
        objections.append(Objection("era-not-open"))
    if stands_for in public.present or whereabouts(public, stands_for) in ("called", "row"):
        objections.append(JOKER_CARD)
    else:
        objections += seen_elsewhere(setup, public, stands_for)
    if not setup.profile.joker_any_time and turn.placed and not turn.trumps:
        objections.append(Objection("joker-timing"))
    if setup.profile.joker_any_time or move.new_series:
        objections += link(setup, turn, stands_for, new_series=move.new_series, as_joker=True)
    return tuple(objections)


def seen_elsewhere(setup: Setup, public: Position, stands_for: CardId) -> tuple[Objection, ...]:
    """In the French games a joker stands for no card that is visible in the pool or a discard (H2, F:301)."""
    if setup.profile.joker_free_card:
        return ()
    seen = stands_for in public.pool or any(stands_for in lying for lying in public.discards)
    return (JOKER_CARD,) if seen else ()


def true_objections(setup: Setup, public: Position, move: Move) -> tuple[Objection, ...]:
    """What a Stop would reveal against a move that stood (K4), from the position before it."""
    turn = public.turn
    match move:
        case act.Place():
            own = (OWN_DISCARD,) if move.source == f"discard-{move.by}" else ()
            return (*_twice(public, move.card), *own, *placement(setup, public, turn, move))
        case act.Joker(stands_for=card) if card is not None:
            return (*_twice(public, move.joker), *joker_placement(setup, public, turn, move, card))
        case act.Flip() if bot_places_anything(setup) and move.card in setup.facts:
            return (*_twice(public, move.card), *prerequisites(setup, public, move.card))
        case act.Announce():
            return announcement(public, move)
        case _:
            return ()


def _twice(public: Position, card: CardId) -> tuple[Objection, ...]:
    """An announced card may be in the pile already (L)."""
    return (Objection("already-placed"),) if lies(public, card) else ()


def possible_announcement(move: act.Announce) -> bool:
    """An era from 2 to 6 is announced as open, or one from 1 to 6 as closed; era 1 is never opened (F1)."""
    return move.era in _ANNOUNCED.get(move.what, ())


def announcement(public: Position, move: act.Announce) -> tuple[Objection, ...]:
    """Whether the announcement is true, regardless of earlier credit (K11)."""
    count = public.eras[move.era - 1]
    if move.what == "open":
        return () if count else (Objection("era-not-open"),)
    return () if count == PER_ERA else (Objection("era-not-closed"),)
