"""Small decks and short evenings for the tests of the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from itertools import chain, product
from typing import Any

from support.conserved import count_things

from companion.games.discovery import moves as act
from companion.games.discovery.deck import FAMILIES, Card, Deck
from companion.games.discovery.game import Discovery
from companion.games.discovery.match_file import open_match
from companion.games.discovery.moves import EndTurn, Place
from companion.games.discovery.setup import PROFILES
from companion.games.discovery.state import State
from companion.games.protocol import Effect, Move, MoveContext, Objection
from companion.public.table import TABLE, CardId, Seat

SILENT = [name for name, profile in PROFILES.items() if profile.silent]

NAMES = {"1-1": "Australopithecus", "1-2": "Band", "1-3": "Scavenging", "1-4": "Nomadism", "1-5": "Pebble tool",
         "1-8": "Hunting", "2-1": "Homo erectus", "2-2": "Fire", "2-3": "Cooking"}  # fmt: skip

KNOWN: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "1-1": ("society", ()),
    "1-2": ("society", ()),
    "1-3": ("food", ()),
    "1-4": ("movement", ("1-2",)),
    "1-5": ("tools", ("1-1",)),
    "1-6": ("culture", ()),
    "1-7": ("science", ()),
    "1-8": ("food", ("1-2", "1-3")),
    "1-9": ("techniques", ("1-5", "1-8")),
    "2-1": ("movement", ("1-4", "1-3")),
    "2-2": ("techniques", ("2-1",)),
    "2-3": ("food", ("2-2",)),
}


def _card(era: int, number: int) -> Card:
    card = f"{era}-{number}"
    family, needs = KNOWN.get(card, (FAMILIES[(era * 3 + number) % 7], _needs(era, number)))
    return Card(
        CardId(card), family, frozenset(CardId(need) for need in needs), {"en": NAMES.get(card, card)}, "authored"
    )


def _needs(era: int, number: int) -> tuple[str, ...]:
    if number == 1:
        return (f"{era - 1}-1",)
    return (f"{era}-1", f"{era - 1}-{number}") if number % 2 else (f"{era}-{number - 1}",)


DECK = Deck(
    "Test deck", "demo", {card.id: card for era in range(1, 7) for card in (_card(era, n) for n in range(1, 10))}
)
"""The facts of the rule books that concern the worked example, and regular ones for the rest."""


def match(profile: str = "fr-explore", seats: int | Sequence[Mapping[str, Any]] = 3, **more: Any) -> dict[str, Any]:
    """A match file as JSON."""
    people = [{"name": f"Player {n}"} for n in range(1, seats + 1)] if isinstance(seats, int) else list(seats)
    return {"game": "discovery", "profile": profile, "seat": people, **more}


def game(profile: str = "fr-explore", seats: int | Sequence[Mapping[str, Any]] = 3, **more: Any) -> Discovery:
    """A match opened."""
    return open_match(match(profile, seats, **more), more.pop("own_deck", DECK))


def afresh(move: Move) -> Move:
    """A move as it comes from a record or a phone: equal to what the game knows, and no part of it the same object."""
    words = {field.name: getattr(move, field.name) for field in fields(move)}  # type: ignore[arg-type]
    return type(move)(**{name: "".join(word) if isinstance(word, str) else word for name, word in words.items()})


class Evening:
    """Plays moves one after the other, as the referee does."""

    def __init__(self, game: Discovery) -> None:
        self.game = game
        self.state = game.rules.start
        self.number = 0
        self.steps: list[Effect[State]] = []

    def rules(self, move: Move, time_s: float | None = None) -> set[str]:
        """The names of the objections to a move."""
        return {objection.rule for objection in self.judge(move, time_s)}

    def judge(self, move: Move, time_s: float | None = None) -> tuple[Objection, ...]:
        return self.game.rules.judge(self.state.position, afresh(move), MoveContext(self.number + 1, time_s))

    def play(self, *moves: Move, time_s: float | None = None) -> Effect[State]:
        """Lawful moves, one after the other; the last step."""
        for move in moves:
            assert self.judge(move, time_s) == (), f"{move}: {self.judge(move, time_s)}"
            step = self.allow(move, time_s)
        return step

    def allow(self, move: Move, time_s: float | None = None) -> Effect[State]:
        """A move, lawful or not."""
        self.number += 1
        at = MoveContext(self.number, time_s)
        move = afresh(move)
        before, wanted = self.state, count_things(self.game, self.state)
        step = self.game.hidden.apply(before, move, at, self.game.rules.apply(before, move, at))
        assert count_things(self.game, step.state) == wanted, f"{move} lost or made a card"
        self.state = step.state
        self.steps.append(step)
        return step

    @property
    def standing(self) -> Any:
        return self.game.board.standing(self.state.position)

    def hand(self, by: int, card: str) -> Effect[State]:
        """A lawful card from the hand."""
        return self.play(Place(Seat(by), CardId(card), "hand"))

    def told(self, move: Move) -> list[str]:
        """A lawful move; the keys of what is said after it, without what all of them begin with."""
        before = self.state.position
        texts = self.game.words.caption(before, move, self.play(move))
        return [text.key.removeprefix("discovery.caption.") for text in texts]

    def ends(self, by: int) -> Effect[State]:
        return self.play(EndTurn(Seat(by)))


def middle(**more: Any) -> dict[str, Any]:
    """A position of three seats that adds up, with changes; the stack takes what is left."""
    found: dict[str, Any] = {"turn": 1, "tree": [], "pool": [], "discards": [[], [], []], "hands": [5, 5, 5], **more}
    lying = len(found["tree"]) + len(found["pool"]) + sum(len(lying) for lying in found["discards"])
    found.setdefault("stack", 54 - lying - sum(found["hands"]))
    return found


def table(
    profile: str = "fr-explore",
    *,
    seats: int | Sequence[Mapping[str, Any]] = 3,
    jokers: int = 0,
    gone: int = 0,
    options: Mapping[str, Any] | None = None,
    hold: Sequence[str] = (),
    **position: Any,
) -> Evening:
    """An evening that starts in the middle; cards that nobody speaks of lie in the last seat's
    discard, but never those on ``hold``, which stay in hands or stack."""
    count = seats if isinstance(seats, int) else len(seats)
    found: dict[str, Any] = {
        "turn": 1, "tree": [], "pool": [], "hands": [5] * count, "stack": 10, "points": [0] * count, **position
    }  # fmt: skip
    discards = [list(lying) for lying in found.get("discards", [[]] * count)]
    used = {*hold} | {
        str(card).rpartition("=")[0] or str(card) for card in [*found["tree"], *found["pool"], *chain(*discards)]
    }
    lying = len(found["tree"]) + len(found["pool"]) + sum(map(len, discards)) + sum(found["hands"]) + found["stack"]
    spare = [f"{era}-{number}" for number in range(9, 0, -1) for era in range(6, 0, -1)]
    spare.sort(key=lambda card: card[0] == "1" or card in NAMES)
    missing = 54 + jokers - gone - lying
    assert missing >= 0, "too many cards"
    discards[-1] += [card for card in spare if card not in used][:missing]
    found["discards"] = discards
    return Evening(game(profile, seats, jokers=jokers, options=dict(options or {}), position=found))


def era(number: int, *, but: Sequence[str] = ()) -> list[str]:
    """All cards of an era, in order."""
    return [card for card in (f"{number}-{n}" for n in range(1, 10)) if card not in but]


def lawful_words(evening: Evening) -> set[Move]:
    """Every spoken move of every seat to which nothing is objected, found by trying them all."""
    setup = evening.game.setup
    cards = sorted(setup.facts)
    found: list[Move] = [act.AgreeEnd(TABLE)]
    for by in setup.seats:
        found += [act.EndTurn(by), act.Pass(by), act.Verify(by), act.Concede(by)]
        found += [kind(by, other) for kind in (act.Steal, act.Exchange, act.Ask) for other in setup.seats]
        found += [act.Stop(by, kept.number) for kept in evening.state.position.acts]
        found += [act.Call(by, card, holder) for card in cards for holder in (TABLE, *setup.seats)]
        found += [act.Announce(by, era, what) for era in range(1, 7) for what in ("open", "closed")]
        for joker in setup.jokers:
            found.append(act.Interrupt(by, joker))
            for source in ("hand", "pool"):
                found.append(act.Joker(by, joker, source))
                found += [act.Joker(by, joker, source, card, new) for card in cards for new in (False, True)]
    return {move for move in found if not evening.judge(move)}


def offered_words(evening: Evening) -> list[Move]:
    """Every combination of every offer, as moves."""
    found: list[Move] = []
    for offer in evening.game.board.offers(evening.state.position, MoveContext(evening.number + 1)):
        names = [_FIELDS.get(key, key) for key in offer.choices]
        kind = act.MOVES[offer.do]
        found += [kind(offer.by, **dict(zip(names, one, strict=True))) for one in product(*offer.choices.values())]
    return found


_FIELDS = {"from": "source", "as": "stands_for"}
