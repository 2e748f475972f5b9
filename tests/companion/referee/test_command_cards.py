"""A seat tag in the place for commands: alone it claims, and with a card it says whose command that is."""

from __future__ import annotations

from companion.public.table import CardId
from companion.referee.command_cards import TAG_ALONE_S, CommandCards

TAG, BUY = CardId("S2"), CardId("KBUY")


def shown(*looks: tuple[float, frozenset[CardId], bool]) -> tuple[list[float], CommandCards]:
    """When a claim was heard; each look is its time, what is in view, and whether a hand is."""
    cards = CommandCards(in_view=frozenset())
    heard = [at_s for at_s, in_view, hand in looks if cards.look(in_view, at_s, hand=hand) is not None]
    return heard, cards


def test_a_tag_that_lies_alone_claims_once() -> None:
    times = [0.0, 1.0, TAG_ALONE_S, 2.0, 9.0]
    heard, _ = shown(*((at_s, frozenset({TAG}), False) for at_s in times))
    assert heard == [TAG_ALONE_S]


def test_while_a_hand_may_bring_a_card_a_tag_claims_nothing() -> None:
    """Somebody laid the tag and then, slowly, the card for buying: the last tile was claimed first."""
    alone, both = frozenset({TAG}), frozenset({TAG, BUY})
    heard, cards = shown(
        (0.0, alone, True), (1.0, alone, True), (2.0, alone, True), (2.2, both, True), (2.4, both, False)
    )
    assert heard == []
    assert (list(cards.waiting), cards.by) == ([BUY], 2)
    heard, _ = shown((0.0, alone, True), (2.0, alone, True), (2.2, alone, False))
    assert heard == [2.2]
