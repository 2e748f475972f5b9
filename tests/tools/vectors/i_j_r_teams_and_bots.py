"""Teams and bots (docs/rules.md I, J, R)."""

from __future__ import annotations

from tools.vectors.language import ONE_OPEN, POOL, Play, match, position, vectors


@vectors
def bots() -> None:
    """TV23 and TV24, J6 to J9: whole turns of bots."""
    tree = ["1-1", "1-2", "1-3", "1-4", "1-5", "1-8", "2-1"]
    for name, profile, worth in (("TV23", "fr-explore", (1, 2, 6, 4)), ("TV24", "en-explore", (1, 1, 4, 1))):
        place = position([4, 4, 7], 10, tree, POOL, fill="654", turn=3)
        options = {"series_plus": profile == "en-explore"}  # no series for a bot in the English edition (J7)
        play = Play(
            name, f"A bot's turn worth {sum(worth)}", match(profile, bots=(3,), position=place, options=options)
        )
        play.no("place", 3, card="1-6", from_="hand", wrong={"not-offered": []})
        play.do("flip", 3, card="1-6", points=worth[0], changes={"hands": {3: 6}})
        play.do("flip", 3, card="1-7", points=worth[1], changes={"hands": {3: 5}})
        play.do("flip", 3, card="1-9", points=worth[2], changes={"hands": {3: 4}, "trumps": 1})
        play.do("flip", 3, card="2-3", held=True, changes={"trumps": 0})
        play.do("flip", 3, card="2-8", points=worth[3], changes={"hands": {3: 2}})
        play.do("flip", 3, card="2-6", changes={"hands": {3: 5}, "stack": 6, "turn": 1})

    place = position([4, 5, 3], 0, ["1-2"], POOL, fill="65413", turn=2, keep=("1-1",))
    facts = match("fr-explore", bots=(3,), position=place)
    play = Play("J6-J8", "With an empty stack a bot starts by stealing from the seat with most cards", facts, owed=(2,))
    play.do("steal", 2, from_=1, changes={"hands": {1: 3, 2: 6}, "owed": []})
    play.do("discard", 2, card="1-1", changes={"hands": {2: 5}})
    play.do("end_turn", 2, changes={"hands": {2: 4, 3: 4}, "turn": 3})
    play.no("flip", 3, card="1-1", wrong={"not-there": []})
    play.do("flip", 3, card="2-3", changes={"hands": {3: 3}, "turn": 1, "owed": [(1, "steal")]})

    place = position([4, 5, 4], 10, ["1-2"], POOL, fill="654", turn=3)
    facts = match("en-memory", bots=(3,), position=place)
    play = Play("J9", "Memory: the bot places whatever it flips; stopped, a human verifies for it", facts)
    play.do("flip", 3, card="2-2", wrong={"prerequisites": ["2-1"]}, at=10, changes={"hands": {3: 3}})
    play.do("stop", 1, at=12)
    play.no("concede", 2, at=13, wrong={"not-offered": []})
    changes = {"hands": {1: 3, 3: 5}, "stack": 9, "turn": 1}
    play.do("verify", 2, at=15, changes=changes)


@vectors
def teams() -> None:
    """I1 to I5: asking for a card, and winning together."""
    red = ("red", "blue", "red")
    place = position([5, 5, 5], 10, ["1-2"], POOL, fill="654")
    play = Play(
        "I1-I2",
        "A card asked from a team-mate is placed this turn or discarded",
        match("fr-explore", teams=red, position=place),
    )
    play.no("ask", 1, from_=2, wrong={"not-offered": []})
    play.do("ask", 1, from_=3, changes={"hands": {1: 6}, "stack": 9})
    play.no("ask", 1, from_=3, wrong={"not-offered": []})
    play.do("place", 1, card="1-1", from_="hand", points=1, changes={"hands": {1: 5}})
    play.no("end_turn", 1, wrong={"must-discard": []})
    play.do("discard", 1, card="2-3", asked=True, changes={"hands": {1: 4}})
    play.do("end_turn", 1, changes={"hands": {1: 5}, "stack": 8, "turn": 2})
    play.do("place", 2, card="1-6", from_="hand", points=1, changes={"hands": {2: 4}})
    play.no("ask", 2, from_=1, wrong={"not-offered": []})
    play.do("end_turn", 2, changes={"hands": {2: 5}, "stack": 7, "turn": 3})
    play.do("ask", 3, from_=1, changes={"hands": {3: 6}, "stack": 6})
    play.do("place", 3, card="1-5", from_="hand", asked=True, points=1, changes={"hands": {3: 5}})
    play.do("end_turn", 3, changes={"turn": 1})

    place = position([1, 3, 1], 0, ["1-2"], ONE_OPEN, fill="654132", keep=("1-1", "1-5", "1-6"))
    play = Play("I3-I5", "A team wins when all its hands are empty", match("en-intro", teams=red, position=place))
    play.do("place", 1, card="1-1", from_="hand", changes={"hands": {1: 0}, "trumps": 1})
    play.do("end_turn", 1, changes={"turn": 2, "trumps": 0})
    play.do("place", 2, card="1-6", from_="hand", changes={"hands": {2: 2}})
    play.do("end_turn", 2, changes={"turn": 3})
    won = {"hands": {3: 0}, "over": True, "turn": None, "winners": [1, 3]}
    play.do("place", 3, card="1-5", from_="hand", changes=won)

    red = ("red", "blue", "red")
    place = position([1, 3, 0], 0, ["1-2"], ONE_OPEN, fill="654132", keep=("1-1",), points=[5, 9, 4])
    play = Play(
        "I4-en-explore",
        "Teams: the sum wins; all hands of a team end the match",
        match("en-explore", teams=red, position=place),
    )
    play.do("place", 1, card="1-1", from_="hand", points=4, changes={"hands": {1: 0}, "trumps": 1})
    play.do("end_turn", 1, changes={"points": {2: 6}, "turn": None, "trumps": 0, "over": True, "winners": [1, 3]})

    red = ("red", "blue", "red")
    place = position([0, 3, 3], 0, ["1-2"], ONE_OPEN, fill="654132", keep=("1-1", "2-3", "2-5"))
    play = Play(
        "I5-en-explore",
        "A seat without cards whose mate has some plays on",
        match("en-explore", teams=red, position=place),
    )
    play.no("place", 1, card="1-1", from_="hand", wrong={"not-there": []})
    play.no("ask", 1, from_=1, wrong={"not-offered": []})
    play.do("end_turn", 1, changes={"turn": 2})
    play.do("place", 2, card="1-1", from_="hand", points=1, changes={"hands": {2: 2}})
    play.do("end_turn", 2, changes={"turn": 3})
    play.do("discard", 3, card="2-3", changes={"hands": {3: 2}})
    play.do("end_turn", 3, changes={"turn": 1})
    play.do("ask", 1, from_=3, changes={"hands": {1: 1, 3: 1}})
    play.no("end_turn", 1, wrong={"must-discard": []})
    play.do("discard", 1, card="2-5", changes={"hands": {1: 0}})
    play.do("end_turn", 1, changes={"turn": 2})


@vectors
def more_bots() -> None:
    """J3, J6, J9 and J10: bots with jokers, under Stop, and alone."""
    place = position([5, 5], 10, ["1-2"], POOL, fill="6543", turn=2)
    solo = match("en-memory", 2, bots=(2,), position=place)
    play = Play("J9-solo", "Alone with a bot: nobody gives it a card", solo)
    play.do("flip", 2, card="2-2", wrong={"prerequisites": ["2-1"]}, changes={"hands": {2: 4}})
    play.do("stop", 1)
    play.do("verify", 1, changes={"hands": {2: 5}, "stack": 9, "turn": 1})
    play.do("place", 1, card="1-4", from_="hand", changes={"hands": {1: 4}})
    play.no("stop", 2, wrong={"not-offered": []})

    for profile, hands, owed in (("fr-bluff", {3: 4}, []), ("en-memory", {}, [])):
        place = position([4, 3, 4], 0, ["1-2"], ONE_OPEN, fill="65413", turn=3, keep=("1-1",))
        play = Play(f"J6-{profile}", "A bot stopped at fault, stack empty", match(profile, bots=(3,), position=place))
        play.do("flip", 3, card="2-2", wrong={"prerequisites": ["2-1"]}, changes={"hands": {3: 3}})
        play.do("stop", 2)
        # Ben gives it one; in the French edition it also steals from whoever has most (Ana's 4 against its own 4)
        given: dict[int, int] = {2: 2, 3: 4}
        if hands:
            given = {1: 3, 2: 2, 3: 5}
        play.do("verify", 1, changes={"hands": given, "owed": owed, "turn": 1})

    row = position([4, 4, 5], 10, ["1-2"], POOL, fill="6543", turn=3, jokers=2)
    play = Play(
        "J3-joker", "A bot that flips a joker flips two more", match("fr-explore", bots=(3,), jokers=2, position=row)
    )
    play.do("flip", 3, card="J1", changes={"hands": {3: 4}, "trumps": 1})
    play.do("flip", 3, card="2-3", held=True, changes={"trumps": 0})
    play.do("flip", 3, card="2-6", changes={"hands": {3: 5}, "stack": 7, "turn": 1})

    short = position(
        [4, 4, 2], 0, ["1-2", "1-3"], ONE_OPEN, fill="65413", turn=3, keep=("1-1",), discards=[["2-3"], [], []]
    )
    facts = match("en-intro", bots=(3,), position=short)
    play = Play("J10", "A bot that discards its last card has not emptied its hand", facts)
    play.do("flip", 3, card="2-8", changes={"hands": {3: 1}, "trumps": 1})
    play.do("flip", 3, card="2-2", changes={"hands": {3: 0}, "trumps": 0, "turn": 1})
    play.do("place", 1, card="2-1", from_="hand", changes={"hands": {1: 3}})
    play.do("end_turn", 1, changes={"turn": 2})
    play.do("place", 2, card="1-1", from_="hand", changes={"hands": {2: 3}})
    play.do("end_turn", 2, changes={"turn": 1})  # it has no cards and is passed over


@vectors
def asked_cards_and_stops() -> None:
    """I2: the asked card, a Stop and a failed call in one turn."""
    stop = {"stop": True}
    red = ("red", "blue", "red")
    place = position([5, 5, 5], 10, ["1-3", "1-4"], POOL, fill="654")
    teams = match("fr-explore", teams=red, position=place, options=stop)
    play = Play("I2-after-stop", "A Stop ends the turn, the asked card goes, and the hand is drawn up to five", teams)
    play.do("ask", 1, from_=3, changes={"hands": {1: 6}, "stack": 9})
    wrong = {"prerequisites": ["1-2"]}
    play.do("place", 1, card="1-8", from_="hand", points=1, wrong=wrong, changes={"hands": {1: 5}})
    play.do("stop", 2)
    play.do("verify", 1, points=-1, changes={"owed": [(1, "discard")]})
    play.do("discard", 1, card="1-9", asked=True, changes={"owed": [], "stack": 8, "turn": 2})

    play = Play("I2-failed-call", "An impossible call that nobody stops costs the asked card alone", teams)
    play.do("ask", 1, from_=3, changes={"hands": {1: 6}, "stack": 9})
    play.do("place", 1, card="2-1", from_="hand", points=4, changes={"hands": {1: 5}, "trumps": 1})
    ends = {"trumps": 0, "owed": [(1, "discard")]}
    play.do("call", 1, card="1-4", holder=0, failed="already-placed", changes=ends)
    play.do("discard", 1, card="1-9", asked=True, changes={"owed": [], "stack": 8, "turn": 2})

    play = Play("I2-one-for-both", "The asked card serves the penalty as well, and then the hand is full", teams)
    play.do("ask", 1, from_=3, changes={"hands": {1: 6}, "stack": 9})
    play.do("place", 1, card="2-1", from_="hand", points=4, changes={"hands": {1: 5}, "trumps": 1})
    play.do("call", 1, card="1-6", holder=2, changes={"stack": 8, "trumps": 0})
    play.do("stop", 2)
    owed = [(1, "discard"), (1, "discard")]
    play.do("verify", 1, found=False, changes={"hands": {2: 6}, "owed": owed})
    play.do("discard", 1, card="1-9", asked=True, changes={"owed": [], "stack": 7, "turn": 2})


@vectors
def row_run_out() -> None:
    """J3, K3: a bot's row that a count empties."""
    place = position([4, 4, 3], 11, ["1-2"], POOL, fill="654", turn=3, jokers=1)
    facts = match("fr-explore", bots=(3,), jokers=1, position=place, options={"stop": True})
    title = "The second card under a trump was never there: the first is placed, and may be stopped"
    play = Play("J3-counted", title, facts)
    play.do("flip", 3, card="J1", changes={"hands": {3: 2}, "trumps": 1})
    play.do("flip", 3, card="1-1", held=True, changes={"trumps": 0})
    # one point, three for the emptied hand, and a new hand of five
    placed = {"hands": {1: 5, 3: 5}, "stack": 6, "trumps": 1, "points": {3: 4}}
    play.say("corrected", hands=[5, 4, 1], by=1, changes=placed)
    play.do("stop", 2)
    play.do("verify", 1, changes={"owed": [(2, "discard")]})
    play.do("discard", 2, card="2-3", changes={"hands": {2: 5}, "stack": 4, "owed": []})
