"""Jokers, how they are taken back, and interruptions (docs/rules.md H, O, Q)."""

from __future__ import annotations

from tools.vectors.language import ONE_OPEN, POOL, Play, deck, match, position, vectors


@vectors
def jokers() -> None:
    """TV18 to TV22, and Q: jokers as cards, as trumps and beside the tree."""
    movement = deck(c17={"family": "movement"})
    for profile, plus in (("fr-explore", False), ("en-explore", True)):
        place = position([5, 5, 5], 10, ["1-2", "1-3"], POOL, fill="654", jokers=1)
        title = "After a joker for Nomadism only a prerequisite link; then Nomadism itself brings the joker back"
        facts = match(profile, jokers=1, position=place, options={"series_plus": plus})
        play = Play(f"TV18-{profile}", title, facts, movement)
        play.no("joker", 1, joker="J1", as_="2-8", from_="hand", wrong={"era-not-open": [], "prerequisites": ["1-4"]})
        play.no("joker", 1, joker="J1", as_="1-2", from_="hand", wrong={"joker-card": []})
        play.do("joker", 1, joker="J1", as_="1-4", from_="hand", points=1, changes={"hands": {1: 4}})
        play.no("place", 1, card="1-7", from_="hand", wrong={"joker-link": []})
        play.no("joker", 1, joker="J1", as_="1-1", from_="hand", wrong={"already-placed": []} | (
            {"joker-timing": []} if profile == "fr-explore" else {"joker-link": []}))  # fmt: skip
        play.do("place", 1, card="2-1", from_="hand", points=5, changes={"hands": {1: 3}, "trumps": 1})
        play.do("place", 1, card="1-4", from_="hand", points=3)
        play.do("end_turn", 1, changes={"hands": {1: 5}, "stack": 8, "turn": 2, "trumps": 0})

    for profile, plus in (("fr-explore", False), ("en-explore", True)):
        place = position([5, 5, 5], 10, ["1-2", "1-3"], ["1-4", *POOL[:4]], fill="654", jokers=1)
        facts = match(profile, jokers=1, position=place, options={"series_plus": plus})
        play = Play(f"TV19-{profile}", "A joker for a card that lies in the pool", facts)
        if profile == "fr-explore":
            play.no("joker", 1, joker="J1", as_="1-4", from_="hand", wrong={"joker-card": []})
        else:
            play.do("joker", 1, joker="J1", as_="1-4", from_="hand", points=1, changes={"hands": {1: 4}})
            play.do("place", 1, card="2-1", from_="hand", points=5, changes={"hands": {1: 3}, "trumps": 1})
            play.do("place", 1, card="1-4", from_="pool", points=3, changes={"hands": {1: 4}, "stack": 9})

    place = position([1, 5, 5], 10, ["1-2", "J1=1-4"], POOL, fill="6543", jokers=1)
    play = Play(
        "TV20", "The joker comes back at once: the hand was never empty", match("fr-explore", jokers=1, position=place)
    )
    play.do("place", 1, card="1-4", from_="hand", points=1)
    play.do("end_turn", 1, changes={"hands": {1: 5}, "stack": 6, "turn": 2})

    place = position([5, 5, 5], 10, [f"1-{n}" for n in (1, 2, 3, 4, 5, 6, 7, 9)], POOL, fill="654", jokers=1)
    play = Play(
        "TV21",
        "A joker closes era 1, the real card does not close it again",
        match("fr-explore", jokers=1, position=place),
    )
    play.do("joker", 1, joker="J1", as_="1-8", from_="hand", points=4, changes={"hands": {1: 4}, "trumps": 1})
    play.do("end_turn", 1, changes={"hands": {1: 5}, "stack": 9, "turn": 2, "trumps": 0})
    play.do("place", 2, card="1-8", from_="hand", points=1)
    play.do("end_turn", 2, changes={"turn": 3})

    for name, profile, card, worth, plus in (
        ("TV22-fr", "fr-explore", "2-1", 4, False),
        ("TV22-fr-own", "fr-explore", "2-4", 3, False),
        ("TV22-en", "en-explore", "2-1", 4, True),
        ("TV22-en-flat", "en-explore", "2-1", 1, False),
    ):
        place = position([5, 5, 5], 10, ["1-3", "2-7"], POOL, fill="654", jokers=1)
        facts = match(profile, jokers=1, position=place, options={"series_plus": plus})
        play = Play(name, f"Interrupted in a series, resumed after it: {worth}", facts)
        one, two, three = (1, 1, 1) if profile == "en-explore" and not plus else (1, 2, 3)
        play.do("place", 1, card="1-1", from_="hand", points=one, changes={"hands": {1: 4}})
        play.do("place", 1, card="1-5", from_="hand", points=two, changes={"hands": {1: 3}})
        play.no("interrupt", 1, joker="J1", wrong={"joker-timing": []})
        play.do("interrupt", 2, joker="J1", changes={"hands": {2: 4}, "turn": 2})
        play.no("place", 1, card="1-2", from_="hand", wrong={"turn": []})
        for points, laid in ((one, "1-2"), (two, "1-4"), (three, "2-8")):
            hand = play.standing["hands"][1] - 1
            play.do("place", 2, card=laid, from_="hand", points=points, changes={"hands": {2: hand}})
        play.do("end_turn", 2, changes={"hands": {2: 5}, "stack": 6, "turn": 1})
        if profile == "en-explore":
            play.no("place", 1, card="2-4", from_="hand", wrong={"link": ["2-8"]})
        play.do("place", 1, card=card, from_="hand", points=worth, changes={"hands": {1: 2}})
        play.do("end_turn", 1, changes={"hands": {1: 5}, "stack": 3, "turn": 2})

    place = position([5, 5, 5], 10, ["1-2", "1-3"], ["J2", *POOL[:4]], fill="654", jokers=2)
    title = "A joker outside the tree wins a trump; in the French edition only at the start or on a replay"
    play = Play("Q4-fr", title, match("fr-explore", jokers=2, position=place))
    play.do("joker", 1, joker="J2", from_="pool", points=3, changes={"stack": 9, "trumps": 1})
    play.do("place", 1, card="1-4", from_="hand", points=1, changes={"hands": {1: 4}})
    play.do("joker", 1, joker="J1", from_="hand", points=3, changes={"hands": {1: 3}})
    play.do("place", 1, card="2-8", from_="hand", points=2 + 3, changes={"hands": {1: 2}, "trumps": 2})
    play.do("steal", 1, from_=3, changes={"hands": {1: 3}, "stack": 8, "trumps": 1})
    play.do("exchange", 1, from_=3, changes={"trumps": 0})
    play.no("discard", 1, card="1-1", trump=True, wrong={"no-trump": []})
    play.do("end_turn", 1, changes={"hands": {1: 5}, "stack": 6, "turn": 2})

    place = position([5, 5, 5], 10, ["1-2", "1-3"], POOL, fill="654", jokers=1)
    play = Play("Q4-fr-late", "No trump left, no joker in mid-turn", match("fr-explore", jokers=1, position=place))
    play.do("place", 1, card="1-4", from_="hand", points=1, changes={"hands": {1: 4}})
    play.no("joker", 1, joker="J1", from_="hand", wrong={"joker-timing": []})
    play = Play("Q4-en", "At any time in the English edition", match("en-explore", jokers=1, position=place))
    play.do("place", 1, card="1-4", from_="hand", points=1, changes={"hands": {1: 4}})
    play.do("joker", 1, joker="J1", from_="hand", points=3, changes={"hands": {1: 3}, "trumps": 1})
    play.no("steal", 1, from_=2, trump=True, wrong={"not-offered": []})
    play.do("discard", 1, card="1-7", changes={"hands": {1: 2}, "trumps": 0})
    play.do("end_turn", 1, changes={"hands": {1: 5}, "stack": 7, "turn": 2})


@vectors
def interruptions() -> None:
    """O: somebody interrupts a turn with a joker."""
    place = position([5, 5, 5], 10, ["1-3"], POOL, fill="654", jokers=2)
    play = Play(
        "O-nested",
        "Ana interrupts Ben, who interrupted her; trumps survive",
        match("fr-explore", jokers=2, position=place),
    )
    play.do("place", 1, card="1-2", from_="hand", points=1, changes={"hands": {1: 4}})
    play.do("place", 1, card="1-4", from_="hand", points=2, changes={"hands": {1: 3}})
    play.do("place", 1, card="2-1", from_="hand", points=6, changes={"hands": {1: 2}, "trumps": 1})
    play.do("interrupt", 2, joker="J1", changes={"hands": {2: 4}, "turn": 2, "trumps": 0})
    play.do("interrupt", 1, joker="J2", changes={"hands": {1: 1}, "turn": 1})
    play.no("end_turn", 1, wrong={"must-discard": []})
    play.do("discard", 1, card="1-9", changes={"hands": {1: 0}})
    play.do("end_turn", 1, changes={"hands": {1: 5}, "stack": 5, "turn": 2})
    play.do("place", 2, card="1-6", from_="hand", points=1, changes={"hands": {2: 3}})
    play.do("end_turn", 2, changes={"hands": {2: 5}, "stack": 3, "turn": 1, "trumps": 1})
    play.do("place", 1, card="2-2", from_="hand", points=4, changes={"hands": {1: 4}})  # on her own Homo erectus
    play.do("place", 1, card="1-7", from_="hand", points=1, changes={"hands": {1: 3}, "trumps": 0})
    play.do("end_turn", 1, changes={"hands": {1: 5}, "stack": 1, "turn": 2})

    place = position([3, 2, 2], 0, ["1-2"], ONE_OPEN, fill="654132", keep=("1-1", "1-6"), jokers=1)
    play = Play(
        "O2-fr", "An extra turn starts with the steal as well", match("fr-explore", jokers=1, position=place), owed=(1,)
    )
    play.no("interrupt", 2, joker="J1", wrong={"must-steal": []})
    play.do("steal", 1, from_=2, changes={"hands": {1: 4, 2: 1}, "owed": []})
    play.do("interrupt", 2, joker="J1", changes={"hands": {2: 0}, "turn": 2, "owed": [(2, "steal")]})
    play.do("steal", 2, from_=1, changes={"hands": {1: 3, 2: 1}, "owed": []})
    play.do("place", 2, card="1-6", from_="hand", points=1, changes={"hands": {2: 0}})
    play.do("end_turn", 2, changes={"turn": 1})
    play.do("place", 1, card="1-1", from_="hand", points=1, changes={"hands": {1: 2}})


@vectors
def last_jokers() -> None:
    """H7 and O5: a joker as the last card in hand."""
    place = position([1, 4, 4], 10, ["1-2"], POOL, fill="6543", jokers=1)
    play = Play(
        "H7-last",
        "A joker outside as the last card: two trumps and a full hand",
        match("en-explore", jokers=1, position=place),
    )
    play.do("joker", 1, joker="J1", from_="hand", points=6, changes={"hands": {1: 5}, "stack": 5, "trumps": 2})
    place = position([4, 1, 4], 10, ["1-2"], POOL, fill="6543", jokers=1)
    play = Play(
        "O5",
        "An interruption with the last card: a trump of the extra turn",
        match("fr-explore", jokers=1, position=place),
    )
    play.do("interrupt", 2, joker="J1", points=3, changes={"hands": {2: 5}, "stack": 5, "turn": 2, "trumps": 1})
    play.no("end_turn", 2, wrong={"must-discard": []})
    play.do("discard", 2, card="2-3", trump=True, changes={"hands": {2: 4}, "trumps": 0})
    play.no("end_turn", 2, wrong={"must-discard": []})
    play.do("discard", 2, card="2-5", changes={"hands": {2: 3}})
    play.do("end_turn", 2, changes={"hands": {2: 5}, "stack": 3, "turn": 1})
    empty = position([3, 1, 3], 0, ["1-2"], ONE_OPEN, fill="654132", keep=("1-1",), jokers=1)
    play = Play(
        "O5-intro", "An interruption with the last card, stack empty: won", match("en-intro", jokers=1, position=empty)
    )
    won = {"hands": {2: 0}, "turn": None, "over": True, "winners": [2]}
    play.do("interrupt", 2, joker="J1", changes=won)


@vectors
def jokers_and_stops() -> None:
    """Each joker and each card is in one place, whatever is stopped."""
    stop = {"stop": True}
    cards = deck(c11={"prerequisites": ["1-4"]})
    place = position([5, 5, 5], 10, ["J1=1-1", "1-9"], POOL, fill="6543", jokers=1)
    play = Play(
        "H6-played-again",
        "The joker that a stopped card had freed was played again: it stays where it lies now",
        match("en-memory", jokers=1, position=place),
        cards,
    )
    play.do("place", 1, card="1-1", from_="hand", wrong={"prerequisites": ["1-4"]})
    wrong = {"link": ["1-1"]}
    play.do("joker", 1, joker="J1", as_="1-3", from_="hand", wrong=wrong, changes={"hands": {1: 4}})
    play.do("stop", 2, number=1)
    play.do("verify", 1, changes={"hands": {1: 6, 2: 4}, "stack": 9, "turn": 2})

    cards = deck(
        c12={"family": "science", "prerequisites": ["1-4"]},  # a link to 1-9, none to 1-8
        c14={"prerequisites": []},
        c18={"family": "society", "prerequisites": []},
    )
    place = position([5, 5, 5], 10, ["1-5", "1-6"], POOL, fill="6543", jokers=1)
    for profile in ("en-memory", "fr-bluff"):
        play = Play(
            f"O3-stopped-{profile}",
            "What a Stop took out of the pile is no base of the interrupted series",
            match(profile, jokers=1, position=place),
            cards,
        )
        play.do("place", 1, card="1-1", from_="hand", changes={"hands": {1: 4}})
        play.do("interrupt", 3, joker="J1", changes={"hands": {3: 4}, "turn": 3})
        play.do("place", 3, card="1-2", from_="hand", wrong={"prerequisites": ["1-4"]}, changes={"hands": {3: 3}})
        play.do("stop", 2)
        play.do("verify", 3, changes={"hands": {2: 4, 3: 5}, "stack": 9, "turn": 1})
        if profile == "en-memory":
            play.do("place", 1, card="1-8", from_="hand", changes={"hands": {1: 3}})
        else:
            play.do("place", 1, card="1-9", from_="hand", wrong={"link": ["1-1"]}, changes={"hands": {1: 3}})

    cards = deck(
        c12={"prerequisites": ["1-4"]},
        c14={"prerequisites": []},
        c18={"family": "society", "prerequisites": []},
        c19={"prerequisites": []},
        c22={"prerequisites": ["1-9"]},
    )
    play = Play(
        "O3-stopped-fr-explore",
        "The interrupter's last card that still lies there counts",
        match("fr-explore", jokers=1, position=place, options=stop),
        cards,
    )
    play.do("place", 1, card="1-1", from_="hand", points=1, changes={"hands": {1: 4}})
    play.do("place", 1, card="1-8", from_="hand", points=2, changes={"hands": {1: 3}})
    play.do("interrupt", 3, joker="J1", changes={"hands": {3: 4}, "turn": 3})
    play.do("place", 3, card="1-9", from_="hand", points=1, changes={"hands": {3: 3}})
    wrong = {"prerequisites": ["1-4"], "link": ["1-9"]}
    play.do("place", 3, card="1-2", from_="hand", points=1, wrong=wrong, changes={"hands": {3: 2}})
    play.do("stop", 2)
    play.do("verify", 3, points=-1, changes={"hands": {3: 5}, "stack": 7, "turn": 1})
    # second after 1-9, and three for opening era 2
    play.do("place", 1, card="2-2", from_="hand", points=5, changes={"hands": {1: 2}, "trumps": 1})
