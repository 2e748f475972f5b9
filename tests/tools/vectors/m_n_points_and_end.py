"""Points and the end, and what a profile does not offer (docs/rules.md M, N)."""

from __future__ import annotations

from tools.vectors.language import ONE_OPEN, POOL, Play, match, position, vectors


@vectors
def endings() -> None:
    """N2 and N4: nobody has a card, or nobody can place one."""
    place = position([0, 0, 1], 0, ["1-2"], ONE_OPEN, fill="654132", turn=3, keep=("1-1",), points=[7, 9, 5])
    title = "French Explore ends when nobody has a card, after the turn; no penalties"
    play = Play("N2-fr", title, match("fr-explore", position=place))
    play.do("place", 3, card="1-1", from_="hand", points=1, changes={"hands": {3: 0}})
    play.do("end_turn", 3, changes={"over": True, "turn": None, "winners": [2]})

    """Further rows: stalemates, bots, jokers as last cards, calls under Stop."""
    place = position([3, 3, 3], 0, ["1-2"], ONE_OPEN, fill="654132", keep=("1-1",))
    play = Play(
        "N4",
        "Three full rounds without a placement: the players may agree to end it",
        match("en-intro", position=place),
    )
    for turn in range(9):
        seat, other, hands = turn % 3 + 1, (turn + 1) % 3 + 1, play.standing["hands"]
        play.no("agree_end", 0, wrong={"not-offered": []})
        play.do("end_turn", seat, changes={"owed": [(seat, "steal")]})
        after = {seat: hands[seat - 1] + 1, other: hands[other - 1] - 1}
        play.do("steal", seat, from_=other, changes={"hands": after, "owed": [], "turn": other})
    play.do("agree_end", 0, changes={"turn": None, "over": True})


@vectors
def not_offered() -> None:
    """Acts that a profile does not know."""
    place = position([5, 5, 5], 10, ["1-2", "1-3"], POOL, fill="654", discards=[["1-9"], [], []])
    play = Play("not-offered", "What this profile does not know", match("en-explore", position=place))
    play.no("interrupt", 2, joker="J1", wrong={"not-offered": []})
    play.no("joker", 1, joker="J1", from_="hand", wrong={"not-offered": []})
    play.no("announce", 1, era=2, what="open", wrong={"not-offered": []})
    play.no("stop", 2, wrong={"not-offered": []})
    play.no("verify", 1, wrong={"not-offered": []})
    play.no("concede", 1, wrong={"not-offered": []})
    play.no("uncontested", 0, number=1, wrong={"not-offered": []})
    play.no("ask", 1, from_=2, wrong={"not-offered": []})
    play.no("flip", 1, card="1-1", wrong={"not-offered": []})
    play.no("steal", 1, from_=2, wrong={"not-offered": []})
    play.no("deal", 0, pool=POOL, wrong={"not-offered": []})
    play.no("agree_end", 0, wrong={"not-offered": []})
    play.no("place", 1, card="1-1", from_="hand", asked=True, wrong={"not-offered": []})
    play.no("place", 1, card="1-1", from_="called", wrong={"not-there": []})
    play.no("place", 1, card="1-1", from_="pool", wrong={"not-there": []})
    play.no("place", 1, card="1-1", from_="discard-1", wrong={"own-discard": []})
    play.no("discard", 1, card="1-9", wrong={"not-there": []})


@vectors
def corrections() -> None:
    """A refused card is allowed, struck and counted."""
    place = position([5, 5, 5], 10, ["1-2", "1-3"], POOL, fill="654")
    play = Play(
        "allowed-struck-counted",
        "Players let a card stand, undo it, and count their hands",
        match("fr-explore", position=place),
    )
    play.do("place", 1, card="1-4", from_="hand", points=1, changes={"hands": {1: 4}})
    play.no("place", 1, card="1-9", from_="hand", wrong={"prerequisites": ["1-6"], "link": ["1-4"]})
    play.say("allowed", allows=2, by=1, points=1, changes={"points": {1: 2}, "hands": {1: 3}})
    play.say("struck", strikes=3, by=1, changes={"points": {1: 1}, "hands": {1: 4}})
    play.do("place", 1, card="2-1", from_="hand", points=5, changes={"hands": {1: 3}, "trumps": 1})
    play.do("end_turn", 1, changes={"hands": {1: 5}, "stack": 8, "turn": 2, "trumps": 0})
    play.say("corrected", hands=[5, 4, 5], stack=9, by=2, changes={"hands": {2: 4}, "stack": 9})
    play.say("paused", by=2)
    play.say("resumed", by=2)
    play.do("place", 2, card="1-1", from_="hand", points=1, changes={"hands": {2: 3}})
    play.do("end_turn", 2, changes={"hands": {2: 5}, "stack": 7, "turn": 3})


@vectors
def ends_that_nobody_played() -> None:
    """N2: however the hand became empty, the turn in play is the last."""
    place = position([3, 4, 3], 0, ["1-2"], ONE_OPEN, fill="654132", keep=("1-1",))
    play = Play(
        "N2-counted",
        "Ben's hand is empty by a count, though his card was the last that was stolen: his turn is still played",
        match("en-explore", position=place, options={"en_explore_steal_when_empty": True}),
    )
    play.do("place", 1, card="1-1", from_="hand", points=1, changes={"hands": {1: 2}})
    play.do("end_turn", 1, changes={"owed": [(1, "steal")]})
    play.do("steal", 1, from_=2, changes={"hands": {1: 3, 2: 3}, "owed": [], "turn": 2})
    play.say("corrected", hands=[3, 0, 6], by=3, changes={"hands": {1: 3, 2: 0, 3: 6}})
    end = {"turn": None, "over": True, "winners": [2], "points": {1: -2, 2: 0, 3: -6}}
    play.do("end_turn", 2, changes=end)

    place = position([2, 3, 0], 0, ["1-2"], ONE_OPEN, fill="654132", turn=2, keep=("2-3",), points=[9, 5, 5])
    play = Play(
        "I3-mate-left",
        "A player without cards ends the match with the turn in which his team-mate's cards are gone: he left",
        match("en-explore", teams=("red", "blue", "red"), position=place),
    )
    play.say("seated", seat=1, here=False, changes={"hands": {1: 0}, "stack": 2})
    play.do("discard", 2, card="2-3", changes={"hands": {2: 2}})
    end = {"hands": {2: 4}, "stack": 0, "turn": None, "over": True, "winners": [1, 3], "points": {2: 0}}
    play.do("end_turn", 2, points=-5, changes=end)
