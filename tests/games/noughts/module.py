"""The toy game as a registry has it: how its matches are read, and its people."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from random import Random

from games.noughts import game as rules
from games.noughts.game import ARROW, COUNTERS, STAR, TOKENS, State

from companion.games.game_module import DeckBook, Demonstration, GameModule, StickerLabel, StickerSet
from companion.games.protocol import Game, Move, MoveContext
from companion.games.random_people import RandomPeople
from companion.public.decks import DeckForm
from companion.public.layout import Layout
from companion.public.table import TABLE, Token, Zone
from companion.simulation.stage import Kept, Measures, ThingPose, ZoneRows


def random_player(_game: Game[State, State]) -> Callable[[State, Random, MoveContext], Iterator[Move]]:
    def propose(public: State, dice: Random, _at: MoveContext) -> Iterator[Move]:
        taken = {(cell.column, cell.row) for cell in public.laid.values()}
        free = sorted({(x + dx, y + dy) for x, y in taken for dx, dy in rules.AROUND} - taken)
        if not public.laid:
            yield rules.Lay(TABLE, ARROW, 0, 0)
            return
        if STAR not in public.laid and not public.lifted:
            yield rules.Lay(TABLE, STAR, *dice.choice(free))
        acts: list[Move] = [rules.Turn(public.turn, ARROW, (public.laid[ARROW].turn + 1) % 4)]
        acts += [rules.Lift(public.turn, STAR)] if STAR in public.laid else []
        own = [card for card, seat in COUNTERS.items() if seat == public.turn and card not in public.laid]
        acts += [rules.Lay(public.turn, dice.choice(own), *dice.choice(free)) for _ in range(3) if own]
        if own:  # what touches nothing is refused
            acts.append(rules.Lay(public.turn, dice.choice(own), free[-1][0] + 1, free[-1][1]))
        yield from dice.sample(acts, len(acts))

    return propose


class Cells:
    """Where things lie; a ``companion.simulation.stage.Places``."""

    def __init__(self, layout: Layout) -> None:
        self._zones = ZoneRows(layout)

    def pose(self, token: Token, place: Zone, kept: Mapping[Token, Kept], beside: Token | None) -> ThingPose:
        cell = rules.read_place(place)
        if cell is None:
            return self._zones.pose(token, place, kept, beside)
        x, y = Measures.of(rules.SHAPES[token]).middle(ThingPose(0.0, 0.0, 90.0 * cell.turn))
        across, down = (m + rules.PITCH_MM * n for m, n in zip(rules.MIDDLE_MM, (cell.column, cell.row), strict=True))
        return ThingPose(across - x, down - y, 90.0 * cell.turn)


NOUGHTS = GameModule(
    name="noughts",
    letters="NO",
    package="games.noughts",
    open_match=lambda _match, _deck: rules.GAME,
    profiles=("plain",),
    decks=DeckBook(
        form=DeckForm(card_id=re.compile("[a-zOX0-9]+"), cards=tuple(TOKENS.values()), families=(), card_keys=()),
        stickers=lambda _: StickerSet("Noughts", "toy", tuple(StickerLabel(t, {}, letters="NO") for t in TOKENS), ()),
    ),
    demonstration=Demonstration(
        match={"game": "noughts", "seat": [{"name": "Ana"}, {"name": "Ben"}]},
        random_player=random_player,
        people=lambda game, _header, layout, _seed: RandomPeople(game, random_player(game), Cells(layout), errs=0.3),
    ),
)
