"""Stop, bluffing, and what can no longer be contested (docs/rules.md K, L, T)."""

from __future__ import annotations

from typing import Any

from tools.vectors.language import ALL_IDS, ONE_OPEN, POOL, Play, deck, match, position, vectors


@vectors
def stops() -> None:
    """TV25 to TV27, K and T: acts that are stopped, and what it costs whom."""
    place = position([5, 5, 5], 10, ["1-2"], POOL, fill="654")

    def lie(name: str, title: str, profile: str = "en-memory") -> Play:
        play = Play(name, title, match(profile, position=place))
        wrong = {"prerequisites": ["2-1"]}
        return play.do("place", 1, card="2-2", from_="hand", wrong=wrong, at=1, changes={"hands": {1: 4}})

    for profile in ("en-memory", "fr-bluff"):
        play = lie(f"TV25-{profile}", "An unlawful card that nobody stopped counts as present", profile)
        play.do("end_turn", 1, at=5, changes={"turn": 2})
        play.do("place", 2, card="2-3", from_="hand", at=20, changes={"hands": {2: 4}})
        play.do("stop", 3, at=25)
        play.no("end_turn", 2, at=26, wrong={"turn": []})
        play.no("verify", 1, at=26, wrong={"turn": []})
        play.do("verify", 2, at=27, changes={"hands": {3: 6}, "stack": 9})
        play.do("end_turn", 2, at=28, changes={"turn": 3})

        for word in ("verify", "concede"):
            play = lie(f"TV25-{profile}-{word}", "Stopped at fault: the card is discarded, two others come", profile)
            play.no("stop", 1, at=2, number=1, wrong={"no-stop": []})
            play.do("stop", 2, at=3, number=1)
            play.do(word, 1, at=5, changes={"hands": {1: 6, 2: 4}, "stack": 9, "turn": 2})
            play.no("verify", 1, at=6, wrong={"no-stop": []})
            play.do("place", 2, card="2-2", from_="discard-1", at=8, wrong={"prerequisites": ["2-1"]})

    play = lie("K2-window", "After ten seconds and another act it is too late")
    play.do("end_turn", 1, at=5, changes={"turn": 2})
    play.do("place", 2, card="1-1", from_="hand", at=8, changes={"hands": {2: 4}})
    play.no("stop", 3, at=11, number=1, wrong={"contest-closed": []})
    play.do("stop", 1, at=12)
    play.do("verify", 2, at=13, changes={"hands": {1: 5}, "stack": 9})

    play = lie("K2-nothing-later", "Ten seconds alone do not close the window")
    play.do("stop", 3, at=60)
    play.do("concede", 1, at=62, changes={"hands": {1: 6, 3: 4}, "stack": 9, "turn": 2})

    play = lie("K2-uncontested", "The table itself closes a window")
    play.do("uncontested", 0, at=11, number=1)
    play.no("stop", 3, at=12, number=1, wrong={"contest-closed": []})
    play.no("stop", 3, at=12, wrong={"no-stop": []})

    for profile in ("en-memory", "fr-bluff"):
        play = Play(
            f"TV26-{profile}",
            "A false announcement that nobody stopped uses up the credit",
            match(profile, position=place),
        )
        play.do("announce", 1, era=2, what="open", wrong={"era-not-open": []}, at=1, changes={"trumps": 1})
        play.do("end_turn", 1, at=2, changes={"hands": {1: 6}, "stack": 9, "turn": 2, "trumps": 0})
        play.do("place", 2, card="1-4", from_="hand", at=20, changes={"hands": {2: 4}})
        play.do("place", 2, card="2-8", from_="hand", at=21, changes={"hands": {2: 3}})
        play.do("announce", 2, era=2, what="open", at=22)
        play.no("place", 2, card="1-1", from_="pool", at=23, wrong={"not-there": []})

        play = Play(
            f"K11-{profile}",
            "A false announcement stopped: no trump, and the credit is free",
            match(profile, position=place),
        )
        play.do("announce", 1, era=2, what="open", wrong={"era-not-open": []}, at=1, changes={"trumps": 1})
        play.do("stop", 3, at=2)
        play.do("concede", 1, at=3, changes={"hands": {1: 6, 3: 4}, "trumps": 0, "turn": 2})
        play.do("place", 2, card="1-4", from_="hand", at=20, changes={"hands": {2: 4}})
        play.do("place", 2, card="2-8", from_="hand", at=21, changes={"hands": {2: 3}})
        play.do("end_turn", 2, at=22, changes={"turn": 3})
        play.do("announce", 3, era=2, what="open", at=23, changes={"trumps": 1})

    end = position([1, 4, 4], 0, ["1-2"], POOL, fill="654132", keep=("2-1", "2-2", "1-1"))
    won = {"hands": {1: 0}, "over": True, "turn": None, "winners": [1], "provisional": True}
    for profile in ("en-memory", "fr-bluff"):
        for word in ("verify", "concede"):
            title = "The last card, stopped in time: no win"
            play = Play(f"TV27-{profile}-{word}", title, match(profile, position=end))
            play.do("place", 1, card="2-2", from_="hand", wrong={"prerequisites": ["2-1"]}, at=1, changes=won)
            play.no("end_turn", 1, at=2, wrong={"game-over": []})
            play.do("stop", 2, at=5)
            back: dict[str, Any] = {"over": False, "turn": 1, "winners": [], "provisional": False}
            play.do(word, 1, at=7, changes=back | {"hands": {1: 1, 2: 3}, "owed": [(1, "steal")]})
            play.do("steal", 1, at=9, from_=3, changes={"hands": {1: 2, 3: 3}, "owed": [], "turn": 2})

        play = Play(f"TV27-{profile}-late", "Ten seconds later the win stands", match(profile, position=end))
        play.do("place", 1, card="2-2", from_="hand", wrong={"prerequisites": ["2-1"]}, at=1, changes=won)
        play.no("stop", 2, at=11, wrong={"no-stop": []})
        play.no("stop", 2, at=11, number=1, wrong={"contest-closed": []})
        play.do("uncontested", 0, at=11, number=1, changes={"provisional": False})
        play.no("stop", 2, at=12, wrong={"game-over": []})

        play = Play(
            f"TV27-{profile}-lawful", "A lawful last card wins in spite of the stop", match(profile, position=end)
        )
        play.do("place", 1, card="1-1", from_="hand", at=1, changes=won)
        play.do("stop", 2, at=3)
        play.do("verify", 1, at=5, changes={"provisional": False})

    # Stop as an option of an open game with points (K9)
    facts = match("en-explore", position=place, options={"stop": True})
    play = Play("K9-offender", "With points: the wrong card is discarded, the hand refilled, the turn over", facts)
    play.do("place", 1, card="1-1", from_="hand", points=1, changes={"hands": {1: 4}})
    play.do("place", 1, card="2-2", from_="hand", wrong={"prerequisites": ["2-1"], "link": ["1-1"]}, points=4,
            changes={"hands": {1: 3}, "trumps": 1})  # fmt: skip
    play.do("stop", 2)
    play.no("concede", 1, wrong={"not-offered": []})
    play.do("verify", 1, points=-4, changes={"hands": {1: 5}, "stack": 8, "trumps": 0, "turn": 2})
    play.do("place", 2, card="1-4", from_="hand", points=1, changes={"hands": {2: 4}})
    play.do("place", 2, card="2-8", from_="hand", points=4, changes={"hands": {2: 3}, "trumps": 1})

    play = Play("K9-stopper", "With points: a wrongful stopper discards one and draws, the other goes on", facts)
    play.do("place", 1, card="1-1", from_="hand", points=1, changes={"hands": {1: 4}})
    play.do("stop", 2)
    play.do("verify", 1, changes={"owed": [(2, "discard")]})
    play.no("place", 1, card="1-5", from_="hand", wrong={"must-discard": []})
    play.do("discard", 2, card="1-7", changes={"stack": 9, "owed": []})
    play.do("place", 1, card="1-5", from_="hand", points=1, changes={"hands": {1: 3}})

    play = Play(
        "K1-intro",
        "Without points, Stop as an option: cases 1 and 3",
        match("en-intro", position=place, options={"stop": True}),
    )
    play.do("place", 1, card="1-9", from_="hand", wrong={"prerequisites": ["1-6"]}, changes={"hands": {1: 4}})
    play.do("stop", 3)
    play.no("concede", 1, wrong={"not-offered": []})
    play.do("verify", 1, changes={"hands": {1: 6, 3: 4}, "stack": 9, "turn": 2})

    calls = position([5, 5, 5], 10, ["1-2", "1-3", "1-4"], POOL, fill="654")
    play = Play(
        "T3-call", "Memory: an impossible call, stopped before its card is placed", match("en-memory", position=calls)
    )
    play.do("place", 1, card="2-1", from_="hand", at=1, changes={"hands": {1: 4}})
    play.do("announce", 1, era=2, what="open", at=2, changes={"trumps": 1})
    play.do(
        "call", 1, card="1-9", holder=2, wrong={"prerequisites": ["1-6"]}, at=3, changes={"hands": {2: 4}, "trumps": 0}
    )
    play.do("stop", 3, at=4)
    play.do("concede", 1, at=5, changes={"hands": {1: 5, 2: 5, 3: 4}, "turn": 2})


@vectors
def verified_by_hand() -> None:
    """K12 and T: people verified by hand, and a last card given for a rightful stop."""
    place = position([5, 5, 1], 10, ["1-2"], POOL, fill="6543", turn=1)
    play = Play("K12-found", "People verified by hand: their word counts", match("en-memory", position=place))
    play.do("place", 1, card="2-2", from_="hand", wrong={"prerequisites": ["2-1"]}, changes={"hands": {1: 4}})
    play.do("stop", 2)
    play.do("verify", 1, found=True, changes={"hands": {2: 6}, "stack": 9})
    play.no("stop", 3, number=1, wrong={"contest-closed": []})
    play.do("place", 1, card="2-6", from_="hand", changes={"hands": {1: 3}})
    play.do("stop", 2)
    play.say("claimed", claims=6, by=3)
    # Cleo gives her last card: everybody draws, Cleo first; then Ana draws for the discarded card
    play.do("verify", 1, found=False, changes={"hands": {1: 6, 2: 7, 3: 1}, "stack": 5, "turn": 2})

    place = position([4, 4, 1], 0, ["1-2"], ONE_OPEN, fill="654132", keep=("2-2",))
    play = Play(
        "T-last-card",
        "Memory, stack empty: whoever gives his last card for a rightful stop wins",
        match("en-memory", position=place),
    )
    play.do("place", 1, card="2-2", from_="hand", wrong={"prerequisites": ["2-1"]}, changes={"hands": {1: 3}})
    play.do("stop", 3)
    play.do("verify", 1, changes={"hands": {1: 4, 3: 0}, "turn": None, "over": True, "winners": [3]})


@vectors
def closings_stopped() -> None:
    """K11: announced closings, true and false."""
    place = position([5, 5, 5], 10, ["1-2", "1-3"], POOL, fill="654", discards=[["1-9"], [], []])
    for profile in ("en-memory", "fr-bluff"):
        play = Play(
            f"K11-{profile}-closed",
            "Era 1 is never opened; a false closing can be stopped",
            match(profile, position=place),
        )
        play.no("announce", 1, era=1, what="open", wrong={"not-offered": []})
        play.do("announce", 1, era=1, what="closed", wrong={"era-not-closed": []}, changes={"trumps": 1})
        play.do("stop", 2)
        play.do("verify", 1, changes={"hands": {1: 6, 2: 4}, "trumps": 0, "turn": 2})

    full = position([5, 5, 5], 10, [f"1-{n}" for n in range(1, 9)], POOL, fill="654")
    play = Play(
        "K11-closed", "A true closing, announced a turn later by somebody else", match("fr-bluff", position=full)
    )
    play.do("place", 1, card="1-9", from_="hand", changes={"hands": {1: 4}})
    play.do("end_turn", 1, changes={"turn": 2})
    play.do("announce", 2, era=1, what="closed", changes={"trumps": 1})
    play.do("stop", 1)
    play.do("verify", 2, changes={"hands": {1: 5}, "stack": 9})
    play.do("discard", 2, card="2-3", changes={"hands": {2: 4}, "trumps": 0})
    play.do("end_turn", 2, changes={"hands": {2: 5}, "stack": 8, "turn": 3})


@vectors
def calls_stopped() -> None:
    """T3, L and K9: calls that are stopped."""
    tree = ["1-2", "1-3", "1-4"]
    calls = position([5, 5, 5], 10, tree, POOL, fill="654")
    play = Play("T3-call-placed", "Stopping the call undoes its placement too", match("en-memory", position=calls))
    play.do("place", 1, card="2-1", from_="hand", changes={"hands": {1: 4}})
    play.do("announce", 1, era=2, what="open", changes={"trumps": 1})
    play.do("call", 1, card="1-9", holder=2, wrong={"prerequisites": ["1-6"]}, changes={"hands": {2: 4}, "trumps": 0})
    play.do("place", 1, card="1-9", from_="called", wrong={"prerequisites": ["1-6"]})
    play.do("stop", 3, number=3)
    play.do("verify", 1, changes={"hands": {1: 5, 2: 5, 3: 4}, "turn": 2})
    play.no("stop", 3, number=4, wrong={"contest-closed": []})

    play = Play("L-call", "Bluff: nobody answers, and an own card is shown", match("fr-bluff", position=calls))
    play.do("place", 1, card="2-1", from_="hand", changes={"hands": {1: 4}})
    play.do("announce", 1, era=2, what="open", changes={"trumps": 1})
    play.do("call", 1, card="1-7", holder=1, failed="not-there", changes={"stack": 9, "trumps": 0, "turn": 2})
    play.do("place", 2, card="2-2", from_="hand", changes={"hands": {2: 4}})
    play.do("announce", 2, era=3, what="open", wrong={"era-not-open": []}, changes={"trumps": 1})
    play.do(
        "call",
        2,
        card="1-4",
        holder=0,
        failed="not-there",
        changes={"hands": {2: 5}, "stack": 8, "trumps": 0, "turn": 3},
    )

    stop = {"stop": True}
    play = Play(
        "K9-call",
        "With points and Stop, an impossible call costs a card of choice once somebody stops it",
        match("en-explore", position=calls, options=stop),
    )
    play.do("place", 1, card="2-1", from_="hand", points=4, changes={"hands": {1: 4}, "trumps": 1})
    ends = {"hands": {1: 5}, "stack": 9, "trumps": 0, "turn": 2}
    play.do("call", 1, card="1-4", holder=0, failed="already-placed", changes=ends)
    play.do("stop", 2)
    play.do("verify", 1, changes={"owed": [(1, "discard")]})
    play.do("discard", 1, card="2-3", changes={"stack": 8, "owed": []})
    play.no("stop", 3, number=2, wrong={"contest-closed": []})


@vectors
def hidden_cards() -> None:
    """L, K3 and TV27: jokers, numbers of acts and wins under Stop."""
    place = position([5, 5, 5], 10, ["1-2", "1-3"], ["1-4", *POOL[:4]], fill="654", jokers=1)
    play = Play(
        "L-joker",
        "Bluff: a joker for a card in the pool is refused, one for a card in the pile stands",
        match("fr-bluff", jokers=1, position=place),
    )
    play.no("joker", 1, joker="J1", as_="1-4", from_="hand", wrong={"joker-card": []})
    play.do("joker", 1, joker="J1", as_="1-2", from_="hand", wrong={"joker-card": []}, changes={"hands": {1: 4}})
    play.do("stop", 2)
    play.do("verify", 1, changes={"hands": {1: 6, 2: 4}, "stack": 9, "turn": 2})
    play.no("joker", 2, joker="J1", as_="1-2", from_="hand", wrong={"not-there": []})

    place = position([5, 5, 5], 10, ["1-2"], POOL, fill="654")
    play = Play(
        "K3-own", "A stop without a number means the last act of somebody else", match("en-memory", position=place)
    )
    play.do("place", 1, card="2-2", from_="hand", wrong={"prerequisites": ["2-1"]}, changes={"hands": {1: 4}})
    play.do("end_turn", 1, changes={"turn": 2})
    play.do("place", 2, card="1-1", from_="hand", changes={"hands": {2: 4}})
    play.do("stop", 2)
    play.do("verify", 1, changes={"hands": {1: 6, 2: 3}, "stack": 9})  # it is not Ana's turn: Ben goes on
    play.do("place", 2, card="1-5", from_="hand", changes={"hands": {2: 2}})

    end = position([2, 4, 4], 0, ["1-2"], ONE_OPEN, fill="654132", keep=("2-1", "2-2", "2-6", "1-1"))
    play = Play(
        "TV27-earlier", "The last card but one, stopped in time: no win either", match("fr-bluff", position=end)
    )
    play.do("place", 1, card="2-2", from_="hand", wrong={"prerequisites": ["2-1"]}, at=1, changes={"hands": {1: 1}})
    won = {"hands": {1: 0}, "over": True, "turn": None, "winners": [1], "provisional": True}
    play.do("place", 1, card="2-6", from_="hand", at=3, changes=won)
    play.do("stop", 2, at=5, number=1)
    back: dict[str, Any] = {"over": False, "turn": 1, "winners": [], "provisional": False}
    play.do("verify", 1, at=6, changes=back | {"hands": {1: 1, 2: 3}, "owed": [(1, "steal")]})
    play.do("steal", 1, at=9, from_=3, changes={"hands": {1: 2, 3: 3}, "owed": [], "turn": 2})


@vectors
def stops_that_last() -> None:
    """What can be stopped, and until when (EN 2.1 to 2.3, FR 2.5)."""
    tree = ["1-5", "1-6", "1-7"]
    place = position([5, 5, 5], 20, tree, POOL, fill="65")
    for profile in ("en-memory", "fr-bluff"):
        play = Play(
            f"K4-call-failed-{profile}",
            "A call of a card that lies in the pile fails, and can be stopped all the same",
            match(profile, position=place),
        )
        wrong = {"prerequisites": ["1-3", "1-4"]}
        play.do("place", 1, card="2-1", from_="hand", wrong=wrong, changes={"hands": {1: 4}})
        play.do("announce", 1, era=2, what="open", changes={"trumps": 1})
        ends = {"hands": {1: 5}, "stack": 19, "trumps": 0, "turn": 2}
        play.do("call", 1, card="1-5", holder=0, failed="not-there", changes=ends)
        play.do("stop", 2)
        # Ben was right: he draws nothing, and Ana takes a card of his; the draw that closed her call stays
        play.do("verify", 1, changes={"hands": {1: 6, 2: 4}})
        play.no("stop", 3, number=3, wrong={"contest-closed": []})
        play.do("stop", 3)  # now the last that can be stopped is what Ana announced

    for where, card, holder in (("pool", "3-2", 0), ("own-hand", "1-9", 1), ("era", "2-9", 0)):
        play = Play(
            f"K4-call-failed-{where}",
            "What a call must not ask for: the pool, one's own hand, a card whose next era is not open",
            match("fr-bluff", position=place),
        )
        play.do("place", 1, card="2-1", from_="hand", wrong=wrong, changes={"hands": {1: 4}})
        play.do("announce", 1, era=2, what="open", changes={"trumps": 1})
        ends = {"hands": {1: 4 if where == "own-hand" else 5}, "stack": 19, "trumps": 0, "turn": 2}
        play.do("call", 1, card=card, holder=holder, failed="not-there", changes=ends)
        play.do("stop", 2)
        play.do("verify", 1, changes={"hands": {1: 5 if where == "own-hand" else 6, 2: 4}})

    stop = {"stop": True}
    place = position([5, 5, 5], 10, ["1-2", "1-3", "1-4", "1-5"], POOL, fill="654")
    play = Play(
        "K4-call-failed-en-intro",
        "English Intro with Stop: who stops an impossible call is not punished for it",
        match("en-intro", position=place, options=stop),
    )
    play.do("place", 1, card="2-1", from_="hand", changes={"hands": {1: 4}, "trumps": 1})
    ends = {"hands": {1: 5}, "stack": 9, "trumps": 0, "turn": 2}
    play.do("call", 1, card="1-5", holder=0, failed="already-placed", changes=ends)
    play.do("stop", 2)
    play.do("verify", 1, changes={"hands": {1: 6, 2: 4}})

    place = position([5, 5, 5], 10, ["1-2", "1-3", "1-4"], POOL, fill="654")
    play = Play(
        "G5-given-up",
        "Memory: the called card lacks a prerequisite; its caller sees it and discards it",
        match("en-memory", position=place),
    )
    play.do("place", 1, card="2-1", from_="hand", changes={"hands": {1: 4}})
    play.do("announce", 1, era=2, what="open", changes={"trumps": 1})
    called = {"hands": {2: 4}, "trumps": 0}
    play.do("call", 1, card="1-9", holder=2, wrong={"prerequisites": ["1-6"]}, changes=called)
    play.no("end_turn", 1, wrong={"must-place": ["1-9"]})
    play.no("discard", 1, card="1-1", wrong={"must-place": ["1-9"]})
    play.do("discard", 1, card="1-9", changes={"hands": {1: 5}, "stack": 9, "turn": 2})
    play.no("place", 1, card="1-9", from_="discard-1", wrong={"turn": []})

    low = ["5-2", "5-3", "5-4", "5-5", "5-6"]
    laid = [*(card for card in ALL_IDS if card[0] in "1234"), "5-1"]
    cards = deck(c69={"prerequisites": ["5-9"]})
    place = position([2, 5, 5], 0, laid, low, fill="")
    for name, title in (
        ("K2-winner", "The ten seconds of the winner's earlier card outlive his last one"),
        ("K2-winner-late", "After ten seconds the win stands"),
        ("K2-winner-untimed", "Without times a win stands when every act of the winner is closed"),
    ):
        play = Play(name, title, match("fr-bluff", position=place), cards)
        timed = name != "K2-winner-untimed"
        wrong = {"prerequisites": ["5-6"]}
        play.do("place", 1, card="5-9", from_="hand", at=1.0 if timed else None, wrong=wrong, changes={"hands": {1: 1}})
        wins = {"hands": {1: 0}, "turn": None, "over": True, "winners": [1], "provisional": True}
        play.do("place", 1, card="6-9", from_="hand", at=3.0 if timed else None, changes=wins)
        if name == "K2-winner":
            play.do("stop", 2, at=4.0)
            play.do("verify", 1, at=5.0)  # a friend stopped the lawful card: that seals nothing
            play.do("stop", 3, at=6.0, number=1)
            falls = {"hands": {1: 1, 3: 4}, "turn": 1, "over": False, "winners": [], "provisional": False}
            play.do("verify", 1, at=7.0, changes=falls | {"owed": [(1, "steal")]})
            play.do("steal", 1, from_=2, at=8.0, changes={"hands": {1: 2, 2: 4}, "owed": [], "turn": 2})
        elif timed:
            play.no("stop", 3, at=11.0, number=1, wrong={"contest-closed": []})
            play.do("uncontested", 0, at=13.0, number=2, changes={"provisional": False})
            play.no("stop", 3, at=13.5, number=1, wrong={"game-over": []})
        else:
            play.do("uncontested", 0, number=2)
            play.do("uncontested", 0, number=1, changes={"provisional": False})
            play.no("stop", 3, wrong={"game-over": []})

    play = Play(
        "K2-winner-robbed",
        "Ana wins because her last card was stolen; what she had laid unlawfully can still be stopped",
        match("fr-bluff", position=place),
        cards,
    )
    play.do("place", 1, card="5-9", from_="hand", at=1.0, wrong={"prerequisites": ["5-6"]}, changes={"hands": {1: 1}})
    play.do("end_turn", 1, at=2.0, changes={"turn": 2})
    play.do("end_turn", 2, at=3.0, changes={"owed": [(2, "steal")]})
    wins = {"hands": {1: 0, 2: 6}, "owed": [], "turn": None, "over": True, "winners": [1], "provisional": True}
    play.do("steal", 2, from_=1, at=4.0, changes=wins)
    play.do("stop", 3, at=5.0, number=1)
    falls = {"hands": {1: 1, 3: 4}, "turn": 2, "over": False, "winners": [], "provisional": False}
    play.do("verify", 1, at=6.0, changes=falls | {"owed": [(1, "steal")]})
    play.do("steal", 1, from_=2, at=7.0, changes={"hands": {1: 2, 2: 5}, "owed": [], "turn": 3})
