"""Trumps and calls (docs/rules.md F, G, P)."""

from __future__ import annotations

from typing import Any

from tools.vectors.language import ONE_OPEN, POOL, Play, deck, match, position, vectors


@vectors
def calls() -> None:
    """TV13 to TV15, and P: calls that succeed, and calls that fail."""
    cards = deck(c41={"prerequisites": []})
    place = position([5, 5, 5], 10, ["2-1", "2-2", "2-3"], POOL, fill="651", keep=("2-5",))
    play = Play(
        "TV13",
        "Era 4 is open, era 3 is not: no card of era 2 can be called",
        match("fr-explore", position=place),
        cards,
    )
    play.do("place", 1, card="4-1", from_="hand", points=4, changes={"hands": {1: 4}, "trumps": 1})
    changes: dict[str, Any] = {"hands": {1: 5}, "stack": 9, "trumps": 0, "turn": 2}
    play.do("call", 1, card="2-5", holder=2, failed="era-not-open", changes=changes)

    tree = ["1-1", "1-2", "1-3", "1-4"]
    place = position([4, 5, 5], 10, tree, POOL, fill="654")
    play = Play(
        "TV14",
        "A called card that lacks a prerequisite goes to the caller's discard",
        match("fr-explore", position=place),
    )
    play.do("place", 1, card="2-1", from_="hand", points=4, changes={"hands": {1: 3}, "trumps": 1})
    changes = {"hands": {1: 5}, "stack": 7, "trumps": 0, "turn": 2}
    play.do("call", 1, card="1-9", holder=2, failed="prerequisites", changes=changes)
    play.do("place", 2, card="1-6", from_="hand", points=1, changes={"hands": {2: 4}})
    play.do("place", 2, card="1-9", from_="discard-1", points=2)
    play.do("end_turn", 2, changes={"hands": {2: 5}, "stack": 6, "turn": 3})

    tree = ["1-3"]
    movement = deck(c17={"family": "movement"})
    for name, new, facts, worth in (
        ("TV15-linked", False, movement, 4),
        ("TV15-unlinked", False, deck(), 1),
        ("TV15-new-series", True, movement, 1),
    ):
        place = position([5, 5, 5], 10, tree, POOL, fill="654")
        play = Play(
            name,
            f"A called card after the third of a series is worth {worth}",
            match("fr-explore", position=place),
            facts,
        )
        for card, points, trumps in (("1-2", 1, 0), ("1-4", 2, 0), ("2-1", 6, 1)):
            hand = play.standing["hands"][0] - 1
            play.do("place", 1, card=card, from_="hand", points=points, changes={"hands": {1: hand}, "trumps": trumps})
        play.do("call", 1, card="1-7", holder=2, changes={"stack": 9, "trumps": 0})
        play.no("end_turn", 1, wrong={"must-place": ["1-7"]})
        play.no("place", 1, card="1-1", from_="hand", wrong={"must-place": ["1-7"]})
        play.no("place", 1, card="1-1", from_="called", wrong={"called-card": ["1-7"]})
        more: dict[str, Any] = {"new_series": True} if new else {}
        play.do("place", 1, card="1-7", from_="called", points=worth, **more)
        play.do("place", 1, card="2-5", from_="hand", points=worth + 1, changes={"hands": {1: 1}})
        play.do("end_turn", 1, changes={"hands": {1: 5}, "stack": 5, "turn": 2})

    # every other way to fail (G6): nothing moves, except that an own card was shown and is discarded
    ways: dict[str, tuple[str, int, str, dict[int, int], int]] = {
        "P1-era-6": ("6-9", 2, "era-not-open", {1: 5}, 9),
        "P3-in-the-tree": ("1-3", 0, "already-placed", {1: 5}, 9),
        "P3-in-the-pool": ("1-8", 0, "not-there", {1: 5}, 9),
        "P3-in-a-discard": ("1-6", 0, "not-there", {1: 5}, 9),
        "P4-in-the-own-hand": ("1-7", 1, "not-there", {1: 5}, 8),
    }
    for name, (card, holder, failed, hands, stack) in ways.items():
        place = position(
            [5, 5, 5],
            10,
            ["1-2", "1-3", "1-4"],
            ["1-8", *POOL[:4]],
            fill="654",
            keep=("6-9",),
            discards=[[], [], ["1-6"]],
        )
        play = Play(name, "A call that cannot succeed ends the turn by drawing", match("fr-explore", position=place))
        play.do("place", 1, card="2-1", from_="hand", points=4, changes={"hands": {1: 4}, "trumps": 1})
        changes = {"hands": hands, "stack": stack, "trumps": 0, "turn": 2}
        play.do("call", 1, card=card, holder=holder, failed=failed, changes=changes)


@vectors
def trumps() -> None:
    """F, F9 and G2: what a trump may do, and what it may not."""
    tree = ["1-2", "1-3", "1-4"]
    place = position([5, 5, 5], 10, tree, POOL, fill="654", discards=[["2-3"], [], []])
    play = Play("F-trumps", "Steal, exchange and discard; the last card stays", match("fr-explore", position=place))
    play.no("steal", 1, from_=2, wrong={"no-trump": []})
    play.no("exchange", 1, from_=2, wrong={"no-trump": []})
    play.do("place", 1, card="2-1", from_="hand", points=4, changes={"hands": {1: 4}, "trumps": 1})
    play.no("steal", 1, from_=1, wrong={"not-there": []})
    play.do("steal", 1, from_=2, changes={"hands": {1: 5}, "stack": 9, "trumps": 0})
    play.do("place", 1, card="2-8", from_="hand", points=2, changes={"hands": {1: 4}})  # the series goes on (C4)
    play.do("end_turn", 1, changes={"hands": {1: 5}, "stack": 8, "turn": 2})

    bare = position([1, 5, 5], 10, tree, ["2-1", "1-6", "1-9", "3-2", "3-3"], fill="6543")
    play = Play("F9", "Never the last card", match("en-explore", position=bare))
    play.do("place", 1, card="2-1", from_="pool", points=4, changes={"stack": 9, "trumps": 1})
    play.no("discard", 1, card="1-1", wrong={"last-card": []})
    play.do("exchange", 1, from_=3, changes={"trumps": 0})
    play.no("exchange", 1, from_=3, wrong={"no-trump": []})
    play.do("end_turn", 1, changes={"hands": {1: 5}, "stack": 5, "turn": 2})

    six = [f"6-{n}" for n in range(1, 9)]
    place = position([3, 5, 5], 0, [*tree, *six], ONE_OPEN, fill="5413", keep=("1-5",), discards=[[], [], ["2-3"]])
    option = {"call_era6_when_stack_empty": True}
    play = Play(
        "G2-era-6",
        "Option: era 6 can be called once the stack is empty",
        match("en-explore", position=place, options=option),
    )
    play.do("place", 1, card="2-1", from_="hand", points=4, changes={"hands": {1: 2}, "trumps": 1})
    play.no("call", 1, card="J1", holder=2, wrong={"not-offered": []})
    play.no("call", 2, card="6-9", holder=3, wrong={"turn": []})
    play.do("call", 1, card="6-9", holder=3, changes={"hands": {3: 4}, "trumps": 0})
    play.do("place", 1, card="6-9", from_="called", points=4, changes={"trumps": 1})


@vectors
def trump_options() -> None:
    """F11: a trump without the bonus."""
    place = position([5, 5, 5], 10, ["1-2", "1-3"], POOL, fill="654", jokers=1)
    plain = {"joker_trump_bonus": False}
    play = Play(
        "F11-option",
        "Option: a joker's trump without the bonus",
        match("en-explore", jokers=1, position=place, options=plain),
    )
    play.do("joker", 1, joker="J1", from_="hand", changes={"hands": {1: 4}, "trumps": 1})
