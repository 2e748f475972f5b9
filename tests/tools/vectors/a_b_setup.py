"""Setting up: dealing, the pool, passing before the first card (docs/rules.md A, B)."""

from __future__ import annotations

from tools.vectors.language import ALL_IDS, POOL, Play, match, position, vectors


@vectors
def dealing() -> None:
    """TV06 and TV07: what is dealt to how many, and in which order."""
    for seats, stack in enumerate((44, 39, 34, 29, 24, 19, 14, 9, 4), 1):
        play = Play(f"TV06-{seats}", f"Dealt to {seats}: {stack} cards are left", match("en-intro", seats))
        pool = ALL_IDS[0 :: seats + 1][:5]
        play.do("deal", 0, pool=pool, changes={"stack": stack})
        play.do("place", 1, card="1-2", from_="hand", changes={"hands": {1: 4}})
        play.no("place", 1, card="1-1", from_="hand", wrong={"not-there": []})

    Play("TV06-10-unusable", "Ten seats: 5 cards each and 5 for the pool are more than 54", match("en-intro", 10))

    play = Play(
        "TV07", "First card to the pool, then one to each, from the dealer's left", match("fr-explore", dealer=1)
    )
    play.do("deal", 0, pool=["1-1", "1-5", "1-9", "2-4", "2-8"])
    play.no("place", 1, card="1-2", from_="hand", wrong={"turn": []})
    play.do("place", 2, card="1-2", from_="hand", points=1, changes={"hands": {2: 4}})
    play.do("end_turn", 2, changes={"hands": {2: 5}, "stack": 33, "turn": 3})


@vectors
def passing() -> None:
    """A8: everybody may pass until the first card is placed."""
    play = Play("A8", "Passing is open until the first card is placed", match("fr-explore"))
    play.do("deal", 0, pool=["1-1", "1-5", "1-9", "2-4", "2-8"])
    play.do("pass", 1, changes={"turn": 2})
    play.do("place", 2, card="1-6", from_="hand", points=1, changes={"hands": {2: 4}})
    play.no("pass", 2, wrong={"pass-closed": []})
    play.do("end_turn", 2, changes={"hands": {2: 5}, "stack": 33, "turn": 3})
    play.no("pass", 3, wrong={"pass-closed": []})


@vectors
def without_a_deal() -> None:
    """A pool that nobody dealt to the companion."""
    """What the record does not know, and what it may not tell."""
    play = Play("no-deal", "Without a deal entry the pool is unknown and nothing is objected to", match("fr-explore"))
    play.do("place", 1, card="1-2", from_="pool", points=1, changes={"stack": 33})
    play.no("place", 1, card="1-2", from_="pool", wrong={"already-placed": []})
    play.do("refill", 0, card="2-9")
    play.no("refill", 0, card="1-2", wrong={"already-placed": []})
    play.do("place", 1, card="1-4", from_="pool", points=2, changes={"stack": 32})
    play.do("end_turn", 1, changes={"turn": 2})
    play.no("place", 2, card="2-9", from_="hand", wrong={"not-there": [], "prerequisites": ["2-4"]})


@vectors
def a_deal_too_late() -> None:
    """A card is in one place, also when the players let a second deal stand."""
    place = position([5, 5, 5], 10, ["1-9", "1-1"], POOL, fill="6543")
    play = Play(
        "A3-allowed",
        "A deal that comes too late puts no card in two places, even if the players let it stand",
        match("fr-explore", position=place),
    )
    play.no("deal", 0, pool=["1-1", "1-9", "1-2", "2-1", "2-2"], wrong={"not-offered": []})
    play.say("allowed", allows=1, by=1)
    play.no("place", 1, card="1-2", from_="pool", wrong={"not-there": []})
