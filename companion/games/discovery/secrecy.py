"""The differences of the silent games, Memory and Bluff (docs/rules.md, L1 to L5).

Cards are placed on one pile, and the companion does not show whether a card was lawful until a player says Stop. Every
question that depends on it is asked here and nowhere else.
"""

from __future__ import annotations

from companion.games.discovery.moves import HIDEABLE
from companion.games.discovery.setup import Profile, Setup
from companion.games.discovery.state import Position, PositionFields, replace, whereabouts
from companion.games.protocol import Move, Objection
from companion.public.table import CardId, Seat, Zone


def always_has_stop(profile: Profile) -> bool:
    """Stop is part of the game and cannot be switched off (K1)."""
    return profile.silent


def may_infer_turn_end(profile: Profile) -> bool:
    """A card that only the next seat may place may end a turn; in a silent game that would reveal too much (L1)."""
    return not profile.silent


def tree_zone(setup: Setup) -> Zone:
    """Where cards are placed: ``pile`` in silent games, else ``tree`` (B5)."""
    return Zone("pile" if setup.profile.silent else "tree")


def hides_placed_cards(setup: Setup) -> bool:
    """Only the top of the pile of placed cards is visible (B5)."""
    return setup.profile.silent


def seen_place(setup: Setup, position: PositionFields, card: CardId, *, spoken: bool = True) -> str | None:
    """Where a card is publicly known to be; in a silent game not in the pile, if it was only spoken of (C7).

    Args:
        spoken: The card was spoken of, and not seen.
    """
    return whereabouts(position, card, unseen=spoken and setup.profile.silent)


def as_spoken(setup: Setup, move: Move) -> Move:
    """A move as spoken by people who cannot know the cards in the pile (C7)."""
    return replace(move, unseen=True) if setup.profile.silent and isinstance(move, HIDEABLE) else move


def tells_every_fault(setup: Setup, visible: tuple[Objection, ...]) -> bool:
    """All faults of a card are reported at once; in a silent game only the publicly visible ones (L1).

    Args:
        visible: The publicly visible faults. Where Stop is switched on in an open game, the others are reported with
            them.
    """
    return not setup.stoppable or (bool(visible) and not setup.profile.silent)


def says_that_it_was_placed(setup: Setup) -> bool:
    """A caption says that a card was placed; in a silent game that it was laid, lawful or not (L1)."""
    return not setup.profile.silent


def tells_links(setup: Setup) -> bool:
    """The last card of a series is public; in a silent game it would reveal that a link was missing (L1)."""
    return not setup.profile.silent


def eras_are_announced(setup: Setup) -> bool:
    """An era brings its trump when a player announces that it is open or closed, not when its card is placed (F1,
    K11)."""
    return setup.profile.silent


def call_fails_by_itself(setup: Setup) -> bool:
    """A call fails for its era or a missing prerequisite; in a silent game only a Stop reveals that (P1 to P5)."""
    return not setup.profile.silent


def caller_may_give_up(setup: Setup) -> bool:
    """A caller may discard the received card, because only the caller sees that it may not be placed (G5)."""
    return setup.profile.silent


def may_concede(setup: Setup, stopped: Seat) -> bool:
    """A stopped player need not verify (K6); with Stop as an option a player must (K1, E:322), and so must a bot
    (J9)."""
    return setup.profile.silent and not setup.bot(stopped)


def bot_places_anything(setup: Setup) -> bool:
    """A bot places every card that it flips, and the others have to watch it (J9, E:305)."""
    return setup.profile.silent


def may_be_meant(setup: Setup, public: Position, stands_for: CardId) -> bool:
    """A joker may stand for a card: one that is not placed already, if that is visible (H2, L1)."""
    return setup.profile.silent or stands_for not in public.present


def card_ends_turn(setup: Setup, *, early: bool) -> bool:
    """A card that its seat may not place can show that its turn is over; in a silent game that would reveal too much
    (L1).

    Args:
        early: It is another seat's turn and there is no other objection to the card, as is publicly known.
    """
    return early or not setup.profile.silent
