"""The end of a turn, drawing and stealing (docs/rules.md D, E)."""

from __future__ import annotations

from typing import Any

from tools.vectors.language import ONE_OPEN, POOL, Play, match, position, vectors


@vectors
def turns_and_draws() -> None:
    """TV08 to TV12: what ends a turn, and who draws or steals then."""
    place = position([5, 5, 5], 3, ["1-2"], POOL, fill="6543")
    play = Play("TV08", "A turn without a placement: one discarded, one drawn", match("fr-explore", position=place))
    play.no("end_turn", 1, wrong={"must-discard": []})
    play.no("discard", 1, card="1-2", wrong={"already-placed": []})
    play.no("discard", 1, card="3-2", wrong={"not-there": []})
    play.do("discard", 1, card="1-6", changes={"hands": {1: 4}})
    play.no("place", 1, card="1-1", from_="hand", wrong={"turn": []})
    play.do("end_turn", 1, changes={"hands": {1: 5}, "stack": 2, "turn": 2})
    play.no("place", 1, card="1-1", from_="hand", wrong={"turn": []})
    play.no("place", 2, card="1-6", from_="hand", wrong={"not-there": []})
    play.do("place", 2, card="1-6", from_="discard-1", points=1)
    play.do("end_turn", 2, changes={"turn": 3})

    place = position([3, 4, 2], 0, ["1-2"], ONE_OPEN, fill="654132", keep=("1-1",))
    play = Play(
        "TV09", "With an empty stack each turn starts with a steal", match("fr-explore", position=place), owed=(1,)
    )
    play.no("place", 1, card="1-1", from_="hand", wrong={"must-steal": []})
    play.no("steal", 2, from_=3, wrong={"must-steal": []})
    play.no("steal", 1, from_=1, wrong={"not-there": []})
    play.do("steal", 1, from_=2, changes={"hands": {1: 4, 2: 3}, "owed": []})
    play.do("place", 1, card="1-1", from_="hand", points=1, changes={"hands": {1: 3}})
    play.do("end_turn", 1, changes={"turn": 2, "owed": [(2, "steal")]})

    place = position([5, 5, 5], 10, ["1-2"], POOL, fill="654")
    for profile in ("en-intro", "en-memory", "fr-bluff"):
        title = "Without points: no card drawn after a placement, one without"
        play = Play(f"TV10-{profile}", title, match(profile, position=place))
        play.do("place", 1, card="1-1", from_="hand", changes={"hands": {1: 4}})
        play.do("end_turn", 1, changes={"turn": 2})
        play.do("end_turn", 2, changes={"hands": {2: 6}, "stack": 9, "turn": 3})

    place = position([1, 4, 4], 2, ["1-2"], ONE_OPEN, fill="65413", keep=("1-1",))
    for profile in ("en-intro", "fr-bluff"):
        title = "Ana empties her hand, the stack is short: nobody steals"
        play = Play(f"TV11-{profile}", title, match(profile, position=place))
        changes: dict[str, Any] = {"hands": {1: 1, 2: 5}, "stack": 0, "trumps": 1}
        play.do("place", 1, card="1-1", from_="hand", changes=changes)
        play.do("end_turn", 1, changes={"turn": 2, "trumps": 0})
        # an ordinary draw with an empty stack is a steal (E2), and the turn waits for it
        play.do("end_turn", 2, changes={"owed": [(2, "steal")]})
        play.do("steal", 2, from_=3, changes={"hands": {2: 6, 3: 3}, "owed": [], "turn": 3})

    # each draw: after the call of Ben's last card
    draws: dict[str, tuple[str, int, dict[int, int], int, list[tuple[int, str]]]] = {
        "TV12-en": ("en-intro", 10, {1: 3, 2: 1, 3: 5}, 7, []),
        "TV12-en-short": ("en-intro", 2, {1: 2, 2: 1, 3: 5}, 0, []),
        "TV12-fr-short": ("fr-bluff", 2, {1: 3, 2: 1, 3: 4}, 0, []),
        "TV12-fr-one": ("fr-bluff", 1, {1: 3, 2: 0, 3: 4}, 0, [(2, "steal")]),
    }
    for name, (profile, stack, hands, left, owed) in draws.items():
        fill = "65413" if stack < 10 else "6541"
        discards = [[], [], ["2-9"]]
        place = position([3, 1, 4], stack, ["1-2", "1-3", "1-4"], ONE_OPEN, fill=fill, keep=("1-6",), discards=discards)
        play = Play(name, "Ana calls Ben's last card: everybody draws", match(profile, position=place))
        play.do("place", 1, card="2-1", from_="hand", changes={"hands": {1: 2}, "trumps": int(profile == "en-intro")})
        if profile == "fr-bluff":
            play.do("announce", 1, era=2, what="open", changes={"trumps": 1})
        call = {"hands": hands, "stack": left, "trumps": 0, "owed": owed}
        play.do("call", 1, card="1-6", holder=2, changes=call)
        if owed:
            play.no("place", 1, card="1-6", from_="called", wrong={"must-steal": []})
            play.do("steal", 2, from_=3, changes={"hands": {2: 1, 3: 3}, "owed": []})
        play.no("end_turn", 1, wrong={"must-place": ["1-6"]})
        play.do("place", 1, card="1-6", from_="called")
        play.do("end_turn", 1, changes={"turn": 2})


@vectors
def last_cards() -> None:
    """E8: somebody's last card is called while the stack is empty."""
    tree = ["1-2", "1-3", "1-4"]
    low = position([3, 1, 4], 0, tree, ONE_OPEN, fill="65413", keep=("1-6",), discards=[[], [], ["2-8", "2-9"]])

    play = Play(
        "E8-en-explore",
        "The call of Ben's last card, stack empty: placed, then the match ends",
        match("en-explore", position=low),
    )
    play.do("place", 1, card="2-1", from_="hand", points=4, changes={"hands": {1: 2}, "trumps": 1})
    play.do("call", 1, card="1-6", holder=2, changes={"hands": {2: 0}, "trumps": 0})
    # hand 2 is 2, hand 3 is 4 and its discard 2; Ana got 4 and now 1
    end = {"turn": None, "over": True, "winners": [1], "points": {1: 3, 2: 0, 3: -6}}
    play.do("place", 1, card="1-6", from_="called", points=-1, changes=end)

    play = Play("E8-en-intro", "The call of Ben's last card, stack empty: Ben wins", match("en-intro", position=low))
    play.do("place", 1, card="2-1", from_="hand", changes={"hands": {1: 2}, "trumps": 1})
    end = {"hands": {2: 0}, "trumps": 0, "turn": None, "over": True, "winners": [2]}
    play.do("call", 1, card="1-6", holder=2, changes=end)

    play = Play(
        "E8-fr-explore",
        "The call of Ben's last card, stack empty: nothing special",
        match("fr-explore", position=low),
        owed=(1,),
    )
    play.do("steal", 1, from_=3, changes={"hands": {1: 4, 3: 3}, "owed": []})
    play.do("place", 1, card="2-1", from_="hand", points=4, changes={"hands": {1: 3}, "trumps": 1})
    play.do("call", 1, card="1-6", holder=2, changes={"hands": {2: 0}, "trumps": 0})
    play.do("place", 1, card="1-6", from_="called", points=1)
    play.do("end_turn", 1, changes={"turn": 2, "owed": [(2, "steal")]})
    play.do("steal", 2, from_=1, changes={"hands": {1: 2, 2: 1}, "owed": []})


@vectors
def stealing_first() -> None:
    """E3: with an empty stack a turn begins with stealing."""
    late = position([3, 5, 5], 0, ["1-2"], ONE_OPEN, fill="654132", keep=("1-1",), discards=[[], [], []])
    option = {"en_explore_steal_when_empty": True}
    play = Play(
        "E3-en-option",
        "Option: a due draw with an empty stack is a steal",
        match("en-explore", position=late, options=option),
    )
    play.do("place", 1, card="1-1", from_="hand", points=1, changes={"hands": {1: 2}})
    play.do("end_turn", 1, changes={"owed": [(1, "steal")]})
    play.do("steal", 1, from_=3, changes={"hands": {1: 3, 3: 4}, "owed": [], "turn": 2})
    play = Play("E3-en", "English Explore: an empty stack asks for nothing", match("en-explore", position=late))
    play.do("place", 1, card="1-1", from_="hand", points=1, changes={"hands": {1: 2}})
    play.do("end_turn", 1, changes={"turn": 2})


@vectors
def counted_while_owed() -> None:
    """Nobody is ever stuck: an act that nobody can pay lapses after a count."""
    place = position([3, 4, 5], 0, ["1-1", "1-2"], POOL, fill="65432")
    play = Play(
        "E1-counted",
        "A steal is owed, and then the players count: nobody has a card to steal, and the match goes on",
        match("en-intro", position=place),
    )
    play.do("end_turn", 1, changes={"owed": [(1, "steal")]})
    play.say("corrected", hands=[12, 0, 0], by=2, changes={"hands": {1: 12, 2: 0, 3: 0}, "owed": [], "turn": 2})
    play.do("end_turn", 2, changes={"owed": [(2, "steal")]})


@vectors
def owed_in_order() -> None:
    """E1: whether a steal can be paid is asked when its turn comes, for what is owed before it moves cards too."""
    place = position([3, 1], 1, ["1-2"], POOL, fill="654132", keep=("2-1", "2-2"))
    play = Play(
        "E1-in-order",
        "Two steals are owed, and only the second thief has cards: the first robs him, and he robs back",
        match("fr-bluff", 2, position=place),
    )
    play.do("place", 1, card="2-2", from_="hand", wrong={"prerequisites": ["2-1"]}, changes={"hands": {1: 2}})
    play.do("stop", 2)
    # Ana takes Ben's last card, draws the last of the stack as everybody should, and owes a second draw herself
    owed = [(2, "steal"), (1, "steal")]
    play.do("verify", 1, changes={"hands": {1: 4, 2: 0}, "stack": 0, "owed": owed})
    play.no("steal", 1, from_=2, wrong={"must-steal": []})
    play.do("steal", 2, from_=1, changes={"hands": {1: 3, 2: 1}, "owed": [(1, "steal")]})
    wins = {"hands": {1: 4, 2: 0}, "owed": [], "turn": None, "over": True, "winners": [2]}
    play.do("steal", 1, from_=2, changes=wins)
