"""The places of Lands Unknown on a simulated table, and its players: some days on the island."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from random import Random

from companion.errors import InputError, fault
from companion.games.drawn_tiles import check_zones, tile_of, zone_box
from companion.games.lands import moves as act
from companion.games.lands.chart import GAP_MM, beside, charted, nearest
from companion.games.lands.deck import LandsDeck
from companion.games.lands.effects.fighting import FIGHT
from companion.games.lands.game import Lands
from companion.games.lands.lying import tile_places
from companion.games.lands.places import MAP, foot, joins_of, spaces_of, spaces_under
from companion.games.lands.rules.acts import project_for
from companion.games.lands.rules.ways import cheapest, reachable
from companion.games.lands.setup import FOOT_MM, STAND_MM, LandsSetup, stand
from companion.games.lands.state import Island, facts, on_map, tile_of as tile_with
from companion.games.lattice import Pose
from companion.games.protocol import Move, MoveContext
from companion.games.random_people import RandomPeople
from companion.games.square_tiles import STICKER_MM, shifted, sticker_pose
from companion.public.layout import Layout
from companion.public.table import TABLE, CardId, Change, Expected, Seat, Token, Zone
from companion.public.text import JSON
from companion.simulation.deeds import Carry, Deed
from companion.simulation.people import DecisionMoment, People
from companion.simulation.stage import CARD, Kept, Measures, ThingPose, ZoneRows

CLOSE_MM = (10.0, 14.0)
"""From the centre of a space to the foot of a figure on it, so that several fit around it."""
ANGLES_DEG = tuple(30.0 * step for step in range(12))
ON_TOP_MM = 1.0
"""Height of a stand on a tile."""
HOME_DAY, LAST_DAY = 4, 6
"""From the first of these days on, seats that leave from the camp win the scenario; after the other one it ends."""
START_TILES = 2
MEETS = 0.05
"""How often a seat meets an enemy."""

Box = tuple[float, float, float, float]


class IslandPlaces:
    """Tiles side by side, figures around the centre of their spaces, cards in rows.

    A ``companion.simulation.stage.Places``.
    """

    def __init__(self, game: Lands, layout: Layout) -> None:
        self._deck = game.setup.deck
        self._tile_mm = game.setup.deck.tile_mm
        self._cards = game.table.cards
        self._stands = {Token(card) for card in game.setup.stands}
        measures = {token: Measures.of(shape) for token, shape in game.table.shapes.items()}
        self._rows = ZoneRows(layout, lambda token: measures.get(token, CARD))
        self.box: Box = zone_box(layout, MAP)

    @property
    def first(self) -> Pose:
        """The pose of the first tile: near the centre, with room for whole tiles on each side."""
        left, top, right, bottom = self.box
        return Pose(_middle(left, right, self._tile_mm), _middle(top, bottom, self._tile_mm), 0.0)

    def within(self, tile: Pose) -> bool:
        """Whether a tile is on the map's part of the table."""
        left, top, right, bottom = self.box
        half = self._tile_mm / 2
        return left + half <= tile.x_mm <= right - half and top + half <= tile.y_mm <= bottom - half

    def pose(self, token: Token, place: Zone, kept: Mapping[Token, Kept], beside: Token | None) -> ThingPose:
        """Beside connected tiles, on a space, or some free room in a zone."""
        tiles = {
            self._cards[one]: tile_of(pose, tile_mm=self._tile_mm) for one, (_, pose) in kept.items() if one[0] == "M"
        }
        if (wanted := joins_of(place)) is not None:
            return self._beside(self._cards[token], wanted, tiles)
        if spaces := spaces_of(place):
            return self._on_space(spaces[0], tiles, kept)
        return self._rows.pose(token, place, kept, beside)

    def _beside(self, card: CardId, wanted: tuple[act.Join, ...], tiles: Mapping[CardId, Pose]) -> ThingPose:
        tile = nearest(self._deck, card, wanted, tiles) or self.first
        sticker = sticker_pose(tile, tile_mm=self._tile_mm)
        return ThingPose(sticker.x_mm, sticker.y_mm, sticker.rotation_deg % 360.0)

    def _on_space(self, space: str, tiles: Mapping[CardId, Pose], kept: Mapping[Token, Kept]) -> ThingPose:
        """Around the space's centre, if possible without covering stickers."""
        tile = tiles[tile_with(space)]
        middle = shifted(tile, *self._deck.spaces[space].at)
        stands = [
            Pose(one.x_mm, one.y_mm, one.rotation_deg) for token, (_, one) in kept.items() if token in self._stands
        ]
        stickers = [Pose(one.x_mm, one.y_mm, one.rotation_deg) for token, (_, one) in kept.items() if token[0] in "MF"]
        ways = [self._towards(middle, turn, away) for away in CLOSE_MM for turn in ANGLES_DEG]
        there = min(ways, key=lambda one: self._badness(one, space, tiles, stands, stickers))
        return ThingPose(there.x_mm, there.y_mm, there.rotation_deg % 360.0, ON_TOP_MM)

    @staticmethod
    def _towards(middle: Pose, turn: float, away_mm: float) -> Pose:
        """The sticker of a stand with its foot near the centre of a space, pointing away from it."""
        return shifted(Pose(middle.x_mm, middle.y_mm, turn), 0.0, -away_mm - FOOT_MM[1])

    def _badness(
        self, sticker: Pose, space: str, tiles: Mapping[CardId, Pose], stands: list[Pose], stickers: list[Pose]
    ) -> float:
        """The penalty of a stand there: ambiguous space, covered stickers, beyond the map."""
        left, top, right, bottom = self.box
        half = STICKER_MM / 2
        wrong = 100.0 * (spaces_under(self._deck, foot(sticker), tiles) != (space,))
        wrong += 50.0 * (not (left + half < sticker.x_mm < right - half and top + half < sticker.y_mm < bottom - half))
        wrong += sum(covered(sticker, other) for other in stickers)
        return wrong + sum(covered(other, sticker) for other in stands)


def covered(stand_sticker: Pose, sticker: Pose) -> int:
    """The number of points, of 25, of a sticker that a stand hides."""
    steps = [STICKER_MM * (step - 2) / 4 for step in range(5)]
    turned = math.radians(-stand_sticker.rotation_deg)
    cos, sin = math.cos(turned), math.sin(turned)
    hidden = 0
    for east in steps:
        for south in steps:
            point = shifted(sticker, east, south)
            dx, dy = point.x_mm - stand_sticker.x_mm, point.y_mm - stand_sticker.y_mm
            x, y = dx * cos - dy * sin, dx * sin + dy * cos
            hidden += abs(x) <= STAND_MM[0] / 2 and -STAND_MM[0] / 2 <= y <= STAND_MM[1] - STAND_MM[0] / 2
    return hidden


def _middle(low: float, high: float, tile_mm: float) -> float:
    """The centre of the tile with as many whole tiles before it as behind it, or one less."""
    count = int((high - low) // (tile_mm + GAP_MM))
    return (low + high) / 2 - (tile_mm + GAP_MM) / 2 * (1 - count % 2)


class IslandPeople(RandomPeople):
    """Players who set up the map before the first day, and leave every tile in its place."""

    _tiles: Mapping[Token, Zone] = {}  # never modified
    """The place of each tile: the log may know fewer of its connections."""
    _dealt: Mapping[Token, Zone] = {}

    def act(self, now: DecisionMoment) -> Deed | None:
        """While a map is not read, some of it is placed once more; there is no new map."""
        state = self.view.state
        assert isinstance(state, Island)
        if not state.dealt and self._dealt:
            again = now.dice.choice(sorted(self._dealt))
            return Deed(steps=(Carry(Seat(1), again, self._dealt[again]),))
        deed = super().act(now)
        if deed is not None:
            laid = {step.token: step.place for step in deed.steps if isinstance(step, Carry) and step.place is not None}
            self._tiles = {**self._tiles, **{token: place for token, place in laid.items() if token[0] == "M"}}
            if not state.dealt:
                self._dealt = laid
        return deed

    def wanted(self) -> Mapping[str, str]:
        """As in the log, except that tiles stay; before the match, the things of its map."""
        state = self.view.state
        assert isinstance(state, Island)
        if not state.dealt:
            return {str(token): place for token, place in self._dealt.items()}
        tiles = {str(card): self._tiles.get(Token(card), place) for card, place in tile_places(state).items()}
        return {**self.view.lying, **tiles}

    def unnamed(self, lying: Mapping[Token, Zone]) -> frozenset[str]:
        """Until the map is complete, its things are no moves."""
        state = self.view.state
        assert isinstance(state, Island)
        if state.dealt:
            return frozenset()
        return frozenset(thing for thing, token in self.view.tokens.items() if token in lying)

    def _carries(self, move: Move, differences: tuple[Change, ...], after: Expected) -> Iterator[Carry]:
        """The placed thing comes first; the rest is only carried if the move is legal."""
        laid = tuple(change for change in differences if change.card == move.laid)
        if not laid:
            yield from super()._carries(move, differences, after)
            return
        yield from super()._carries(move, laid, after)
        if not self._game.rules.judge(self.view.state, move, MoveContext(self.view.number + 1)):
            rest = tuple(change for change in differences if change.card != move.laid)
            yield from super()._carries(move, rest, after)


def people(game: Lands, _header: Mapping[str, JSON], layout: Layout, _seed: int) -> People:
    """The players of a simulated table.

    Raises:
        InputError: The table lacks a zone.
    """
    check_zones(layout, [zone.name for zone in game.table.layout.zones])
    if len(game.setup.deck.tiles) < START_TILES:
        message = "people of a simulated table need {least} tiles that the deck describes; at a real table phones ask"
        raise InputError(fault("lands.fault.simulated_tiles", message, "tile", least=START_TILES))
    places = IslandPlaces(game, layout)
    return IslandPeople(game, islander(game, places), places)


def islander(game: Lands, places: IslandPlaces) -> Callable[[Island, Random, MoveContext], Iterator[Move]]:
    """A player who explores, gathers, fights, heals and crafts, and from the fourth day on goes home and leaves."""
    setup = game.setup

    def think(public: Island, rng: Random, _at: MoveContext) -> Iterator[Move]:
        if not public.dealt:
            yield _set_out(setup, places)
        elif not public.day:
            yield from _beginning(setup, public, rng)
        else:
            yield from _owed(public)
            yield from _night(setup, public, rng) if public.night else _day(setup, public, places, rng)

    return think


def _set_out(setup: LandsSetup, places: IslandPlaces) -> act.SetOut:
    """Two tiles side by side, and every figure in the camp."""
    first, *others = sorted(setup.deck.tiles)[:START_TILES]
    laid = {first: places.first}
    joined: list[act.Join] = []
    for card in others:
        pairs = [(f"{card}-{at}", old) for at in _numbers(setup.deck, card) for old in _spaces(setup.deck, laid)]
        pose, own = next(one for one in beside(setup.deck, card, pairs, laid) if places.within(one[0]))
        laid[card] = pose
        joined += own
    return act.SetOut(TABLE, tuple(laid), tuple(joined), (camp(setup),) * len(setup.players))


def _numbers(deck: LandsDeck, card: CardId) -> range:
    """The numbers of a tile's spaces."""
    return range(1, len(deck.tiles[card]) + 1)


def _spaces(deck: LandsDeck, tiles: Iterable[CardId]) -> list[str]:
    return [f"{tile}-{at}" for tile in tiles for at in _numbers(deck, tile)]


def camp(setup: LandsSetup) -> str:
    """The first space with a fire, else the first of all, on the first tile."""
    first = min(setup.deck.tiles)
    own = [space for space in setup.deck.spaces if tile_with(space) == first]
    return next((space for space in own if setup.deck.spaces[space].fire), own[0])


def _beginning(setup: LandsSetup, public: Island, rng: Random) -> Iterator[Move]:
    for seat in setup.seats:
        if sum(card[0] == "P" for card in public.packs[seat - 1]) < setup.projects:
            yield act.GainItem(seat, rng.choice(_unheld(setup, public, "P")))
    yield act.BeginDay(TABLE, rng.choice(setup.seats))


def _unheld(setup: LandsSetup, public: Island, letter: str) -> list[CardId]:
    held = {card for cards in public.packs for card in cards}
    return [card for card in setup.deck.cards if card[0] == letter and card not in held and card not in public.laid]


def _owed(public: Island) -> Iterator[Move]:
    """Put an enemy away after its fight; things in front of the players need no moves."""
    if public.fight is None:
        yield from (act.PutAway(TABLE, card) for card, zone in public.laid.items() if zone == FIGHT)


def _night(setup: LandsSetup, public: Island, rng: Random) -> Iterator[Move]:
    living = on_map(setup, public)
    if not living:
        return
    seat = rng.choice(living)
    if not public.resolved:
        night = _unheld(setup, public, "N")
        rng.shuffle(night)
        yield from (act.TurnNight(TABLE, card) for card in night)
        yield act.AgreeScenarioEnds(TABLE)  # there are no more cards
    if public.day >= LAST_DAY:
        yield act.AgreeScenarioEnds(TABLE)
    if rng.random() < 0.1:
        near = public.ways[public.stands[seat - 1]]
        yield from (act.Travel(seat, stand(seat), space, 0) for space in near[:1])
    yield act.BeginDay(TABLE, rng.choice(living))


def _day(setup: LandsSetup, public: Island, places: IslandPlaces, rng: Random) -> Iterator[Move]:
    seat, left = public.turn, public.stamina[public.turn - 1]
    if public.day >= HOME_DAY:
        yield from _home(setup, public, seat)
    if rng.random() < 0.2:  # only for an erring player: farther than the stamina allows
        costs = reachable(setup, public, public.stands[seat - 1])
        yield from (act.Travel(seat, stand(seat), space) for space, cost in costs.items() if cost > left)
    thoughts = [
        _walking(setup, public, seat, rng),
        _exploring(setup, public, seat, places, rng),
        _working(setup, public, seat, rng),
        _meeting(setup, public, seat, rng),
    ]
    rng.shuffle(thoughts)
    if rng.random() < MEETS:
        yield from (act.BeginFight(seat, card) for card in rng.sample(_unheld(setup, public, "E"), 1))
    if left and rng.random() < 0.95:
        if rng.random() < 0.4:
            yield from _exploring(setup, public, seat, places, rng)
        for thought in thoughts:
            yield from thought
    yield act.EndActs(seat)


def _home(setup: LandsSetup, public: Island, seat: Seat) -> Iterator[Move]:
    """The scenario is won in the camp."""
    home = camp(setup)
    if public.stands[seat - 1] == home:
        yield act.LeaveMap(seat)
        return
    costs = reachable(setup, public, public.stands[seat - 1])
    nearer = sorted(
        (cheapest(setup, public, space, home) or 0, space)
        for space, cost in costs.items()
        if cost <= public.stamina[seat - 1] and cheapest(setup, public, space, home) is not None
    )
    yield from (act.Travel(seat, stand(seat), space) for _, space in nearer[:1] if space != public.stands[seat - 1])
    yield act.EndActs(seat)


def _walking(setup: LandsSetup, public: Island, seat: Seat, rng: Random) -> Iterator[Move]:
    here = public.stands[seat - 1]
    costs = reachable(setup, public, here)
    near = [space for space, cost in costs.items() if space != here and cost <= min(4, public.stamina[seat - 1])]
    rng.shuffle(near)
    yield from (act.Travel(seat, stand(seat), space) for space in near[:1])


def _exploring(setup: LandsSetup, public: Island, seat: Seat, places: IslandPlaces, rng: Random) -> Iterator[Move]:
    """A tile that is not on the map yet, beside the seat's space."""
    here = public.stands[seat - 1]
    left = [card for card in sorted(setup.deck.tiles) if card not in public.tiles]
    if not left or not setup.deck.spaces[here].exits:
        return
    laid, card = charted(setup.deck, public, places.first), rng.choice(left)
    pairs = [(f"{card}-{at}", here) for at in _numbers(setup.deck, card)]
    ways = [joined for pose, joined in beside(setup.deck, card, pairs, laid) if places.within(pose)]
    yield from (act.ScoutTile(seat, card, joined) for joined in rng.sample(ways, min(1, len(ways))))


def _working(setup: LandsSetup, public: Island, seat: Seat, rng: Random) -> Iterator[Move]:
    """What a space, a project or a card allows."""
    own = [facts(setup, public, card).makes for card in public.packs[seat - 1] if card[0] == "P"]
    free = _unheld(setup, public, "O")
    yield from (act.CraftObject(seat, CardId(made)) for made in own if made in free)
    if len(public.packs[seat - 1]) < 4 and rng.random() < 0.15:
        plain = [card for card in free if project_for(setup, public, seat, card) is None]
        yield from (act.GainItem(seat, card) for card in rng.sample(plain, min(1, len(plain))))


def _meeting(setup: LandsSetup, public: Island, seat: Seat, rng: Random) -> Iterator[Move]:
    """Trade with a seat on the same space."""
    others = [one for one in on_map(setup, public) if one != seat and rng.random() < 0.3]
    for other in others:
        cards = [card for card in public.packs[seat - 1] if card[0] == "O"]
        yield from (act.TradeCard(seat, card, other) for card in cards)
