"""Placing cards: series, links, and where a card may come from (docs/rules.md C)."""

from __future__ import annotations

from typing import Any

from tools.vectors.language import POOL, Play, deck, match, position, vectors


@vectors
def worked_example() -> None:
    """F:208-234: fourteen points in one turn."""
    series = [("1-1", "hand"), ("1-2", "pool"), ("1-4", "hand"), ("2-1", "hand"), ("1-5", "hand")]

    def start(name: str, title: str, profile: str, tree: tuple[str, ...] = ("1-3",), **options: bool) -> Play:
        place = position([5, 5, 5], 20, list(tree), ["1-2", *POOL[:4]])
        return Play(name, title, match(profile, options=options, position=place))

    for name, profile, plus, worth in (
        ("TV01-fr", "fr-explore", False, [1, 2, 3, 7, 1]),
        ("TV01-en", "en-explore", False, [1, 1, 1, 4, 1]),
        ("TV01-en-series-plus", "en-explore", True, [1, 2, 3, 7, 1]),
    ):
        play = start(name, f"The worked example is worth {sum(worth)}", profile, series_plus=plus)
        hand, stack = 5, 20
        for (card, source), points, trumps in zip(series, worth, [0, 0, 0, 1, 0], strict=True):
            hand, stack = hand - (source == "hand"), stack - (source == "pool")
            changes: dict[str, Any] = {"hands": {1: hand}, "stack": stack, "trumps": trumps}
            play.do("place", 1, card=card, from_=source, points=points, changes=changes)
            if source == "pool":
                play.do("refill", 0, card="3-6")
        play.do("end_turn", 1, changes={"hands": {1: 5}, "stack": 15, "turn": 2})

    play = start("TV01a", "Bande laid, Galet taillé is no longer linked", "fr-explore")
    play.do("place", 1, card="1-1", from_="hand", points=1, changes={"hands": {1: 4}})
    play.do("place", 1, card="1-2", from_="pool", points=2, changes={"stack": 19})
    play.no("place", 1, card="1-5", from_="hand", wrong={"link": ["1-2"]})

    play = start("TV01b", "Galet taillé laid, Bande is no longer linked", "fr-explore")
    play.do("place", 1, card="1-1", from_="hand", points=1, changes={"hands": {1: 4}})
    play.do("place", 1, card="1-5", from_="hand", points=2, changes={"hands": {1: 3}})
    play.no("place", 1, card="1-2", from_="pool", wrong={"link": ["1-5"]})

    play = start("TV01c", "Homo erectus waits for Charognage", "fr-explore", tree=())
    play.do("place", 1, card="1-1", from_="hand", points=1, changes={"hands": {1: 4}})
    play.do("place", 1, card="1-2", from_="pool", points=2, changes={"stack": 19})
    play.do("place", 1, card="1-4", from_="hand", points=3, changes={"hands": {1: 3}})
    play.no("place", 1, card="2-1", from_="hand", wrong={"prerequisites": ["1-3"]})
    play.no("place", 1, card="2-4", from_="hand", wrong={"prerequisites": ["1-5"], "link": ["1-4"]})
    play.no("place", 2, card="2-4", from_="hand", wrong={"turn": []})


@vectors
def series_and_hands() -> None:
    """TV02 to TV05: long series, and the last hand card."""
    free = {"family": "society", "prerequisites": []}
    cards = deck(c13=free, c16=free, c17=free)
    place = position([5, 5, 5], 20, [], ["1-7", *POOL[:4]])
    play = Play("TV02", "A series of five is worth 1+2+3+4+5", match("fr-explore", position=place), cards)
    for index, card in enumerate(("1-1", "1-2", "1-3", "1-6"), 1):
        play.do("place", 1, card=card, from_="hand", points=index, changes={"hands": {1: 5 - index}})
    play.do("place", 1, card="1-7", from_="pool", points=5, changes={"stack": 19})
    play.do("end_turn", 1, changes={"hands": {1: 5}, "stack": 15, "turn": 2})

    cards = deck(c31={"family": "tools", "prerequisites": ["2-4"]})
    tree = ["1-1", "1-5", "1-2", "1-3", "1-4", "2-1"]
    pool = ["2-4", "2-8", "3-7", "3-8", "3-9"]
    plus = {"series_plus": True}
    for name, profile, options in (("TV03-fr", "fr-explore", {}), ("TV03-en", "en-explore", plus)):
        place = position([1, 5, 5], 10, tree, pool, fill="654")
        title = "The last hand card opens an era: two trumps, five new cards"
        play = Play(name, title, match(profile, options=options, position=place), cards)
        play.do("place", 1, card="2-4", from_="pool", points=1, changes={"stack": 9})
        changes: dict[str, Any] = {"hands": {1: 5}, "stack": 4, "trumps": 2}
        play.do("place", 1, card="3-1", from_="hand", points=8, changes=changes)
        play.do("place", 1, card="2-8", from_="pool", points=1, changes={"stack": 3, "trumps": 1})
        play.do("end_turn", 1, changes={"turn": 2, "trumps": 0})

    place = position([0, 5, 6], 0, tree, pool, fill="65412", keep=("2-9",))
    title = "The same with an empty stack: one trump only, and nobody draws"
    play = Play("TV04-fr", title, match("fr-explore", position=place), cards, owed=(1,))
    play.do("steal", 1, from_=2, changes={"hands": {1: 1, 2: 4}, "owed": []})
    play.do("place", 1, card="2-4", from_="pool", points=1)
    play.do("place", 1, card="3-1", from_="hand", points=5, changes={"hands": {1: 0}, "trumps": 1})
    play.do("place", 1, card="2-8", from_="pool", points=1, changes={"trumps": 0})
    play.do("end_turn", 1, changes={"turn": 2, "owed": [(2, "steal")]})

    place = position([1, 4, 6], 0, tree, pool, fill="65412", keep=("2-9",))
    title = "The same with an empty stack: two trumps, the turn is finished, the match ends"
    play = Play("TV04-en", title, match("en-explore", options=plus, position=place), cards)
    play.do("place", 1, card="2-4", from_="pool", points=1)
    play.do("place", 1, card="3-1", from_="hand", points=8, changes={"hands": {1: 0}, "trumps": 2})
    play.do("place", 1, card="2-8", from_="pool", points=1, changes={"trumps": 1})
    end = {"turn": None, "trumps": 0, "over": True, "winners": [1], "points": {2: -4, 3: -6}}
    play.do("end_turn", 1, changes=end)
    play.no("place", 2, card="2-9", from_="hand", wrong={"game-over": []})

    place = position(
        [1, 2, 1], 0, ["1-2", "1-3", "1-4", "2-1"], pool, fill="65413", discards=[[], ["2-2", "2-3", "2-5"], []],
        points=[0, 20, 0],
    )  # fmt: skip
    play = Play(
        "TV05", "20 points, two cards in hand and three in the discard make 15", match("en-explore", position=place)
    )
    play.do("place", 1, card="2-7", from_="hand", points=4, changes={"hands": {1: 0}, "trumps": 1})
    end = {"turn": None, "trumps": 0, "over": True, "winners": [2], "points": {2: 15, 3: -1}}
    play.do("end_turn", 1, changes=end)


@vectors
def sources_and_links() -> None:
    """TV16 and TV17: where a card may come from, and what links to what."""
    place = position([5, 5, 5], 10, ["1-2"], POOL, fill="654", discards=[["1-9"], ["1-7"], []])
    play = Play("TV16", "Never from one's own discard, always from another's", match("fr-explore", position=place))
    play.no("place", 1, card="1-9", from_="discard-1", wrong={"own-discard": [], "prerequisites": ["1-6"]})
    play.no("place", 1, card="1-7", from_="discard-3", wrong={"not-there": []})
    play.no("place", 1, card="1-2", from_="discard-1", wrong={"already-placed": []})
    play.do("place", 1, card="1-7", from_="discard-2", points=1)
    play.do("end_turn", 1, changes={"turn": 2})

    place = position([5, 5, 5], 10, ["1-3"], POOL, fill="654")
    play = Play("TV17", "A replay leaves the old series for good", match("fr-explore", position=place))
    for card, points, trumps in (("1-2", 1, 0), ("1-4", 2, 0), ("2-1", 6, 1), ("1-6", 1, 0)):
        hand = play.standing["hands"][0] - 1
        play.do("place", 1, card=card, from_="hand", points=points, changes={"hands": {1: hand}, "trumps": trumps})
    play.no("place", 1, card="2-8", from_="hand", wrong={"link": ["1-6"]})
    play.no("place", 1, card="1-9", from_="hand", new_series=True, wrong={"no-trump": []})
    play.do("place", 1, card="1-9", from_="hand", points=2 + 3, changes={"hands": {1: 5}, "stack": 5, "trumps": 1})


@vectors
def flat_series() -> None:
    """C4: a series that brings no more for its length still needs links."""
    tree = ["1-2", "1-3", "1-4"]
    place = position([2, 4, 4], 4, tree, POOL, fill="6543", turn=1, discards=[[], [], ["1-6"]])
    play = Play("C4-en", "English Explore, flat: a series still needs links", match("en-explore", position=place))
    play.do("place", 1, card="2-8", from_="hand", points=4, changes={"hands": {1: 1}, "trumps": 1})
    play.do("place", 1, card="2-1", from_="hand", points=4, changes={"hands": {1: 4}, "stack": 0, "trumps": 2})
    play.do("place", 1, card="1-6", from_="discard-3", points=1, changes={"trumps": 1})
    play.no("place", 1, card="1-6", from_="discard-3", wrong={"already-placed": []})
    play.do("end_turn", 1, changes={"trumps": 0, "turn": 2})


@vectors
def links_of_jokers() -> None:
    """C5: a joker in the tree can be linked to like the card that it stands for."""
    culture = deck(c14={"family": "culture"})
    place = position([5, 5, 5], 10, ["1-2", "1-3", "J1=1-4"], POOL, fill="654", jokers=2)
    play = Play("C5", "The link holds in both directions", match("fr-explore", jokers=2, position=place), culture)
    play.no("joker", 1, joker="J2", as_="1-4", from_="hand", wrong={"joker-card": []})
    play.no("joker", 1, joker="J1", as_="1-1", from_="hand", wrong={"already-placed": []})
    play.do("place", 1, card="2-1", from_="hand", points=4, changes={"hands": {1: 4}, "trumps": 1})
    play.do("place", 1, card="1-4", from_="hand", points=2)
