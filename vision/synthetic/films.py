"""Scripted synthetic films for measuring the observer: cards, hands, and the ground truth."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.public.layout import Layout, ZoneShape
from companion.public.table import Point, Token, Zone
from vision.camera.frame import Gray
from vision.synthetic.camera_model import CameraModel
from vision.synthetic.compositing import DrawnCard
from vision.synthetic.hands import HandPose
from vision.synthetic.lighting import RoomLight
from vision.synthetic.scene import Scene
from vision.synthetic.textures import CardPrint

SIZE_MM = (1100.0, 650.0)
LAYOUT = Layout(SIZE_MM, (ZoneShape(Zone("table"), ((0, 0), (1100, 0), (1100, 650), (0, 650))),))
DECK = tuple(Token(f"C{era}{number}") for era in range(1, 7) for number in range(1, 10))

DECOYS = {Token("C71"): "HELLO7", Token("C72"): "HTTP://A.B", Token("C73"): "DXC730", Token("C74"): "DXC740"}
"""Foreign codes, and codes like ours with a wrong check character, by the token that a careless reader would return."""

EVENING = RoomLight(drift=0.04)
"""The camera's gain varies by four percent in both directions."""

CARDS = 44
"""Cards on the table at the beginning of a film."""

COLUMNS, ROWS = 10, 6
PITCH_MM = (104.0, 102.0)
FIRST_MM = (96.0, 86.0)
"""The grid of stickers: no card covers its neighbour's sticker."""

CARRIED_MM = 25.0
"""Height at which a card is carried."""

Things = tuple[tuple[DrawnCard, ...], tuple[HandPose, ...]]
"""The cards on the table and the hands over it, in one picture."""


@dataclass(frozen=True, slots=True, eq=False)
class GroundTruthFrame:
    """One picture of a film, with the ground truth.

    Attributes:
        lying: Stickers at rest on the table, with the visible fraction of each.
        hands: Number of hands in view.
    """

    gray: Gray
    taken_s: float
    lying: dict[Token, tuple[DrawnCard, float]]
    hands: int


class Scenario:
    """A seeded sequence of acts at a table, picture by picture.

    Args:
        rate_hz: Pictures per second; the speed of hands does not depend on it.
        busy: The approximate fraction of pictures with a hand.
        pace: Speed of hands relative to people's.
    """

    def __init__(self, seed: int, cards: int, rate_hz: float, busy: float = 0.5, pace: float = 1.0) -> None:
        self._dice = random.Random(seed)
        self._rate_hz = rate_hz
        self._pace = pace
        self._busy = busy
        slots = [(column, row) for column in range(COLUMNS) for row in range(ROWS)]
        self._dice.shuffle(slots)
        deck = list(DECK)
        self._dice.shuffle(deck)
        self._stock = deck[cards:]
        self._free = slots[cards + len(DECOYS) :]
        self._decoys = tuple(
            replace(self._piece(token, slot), says=says)
            for (token, says), slot in zip(DECOYS.items(), slots[cards:], strict=False)
        )
        self.table: dict[Token, DrawnCard] = {
            token: self._piece(token, slot) for token, slot in zip(deck[:cards], slots, strict=False)
        }
        self._slot = dict(zip(deck[:cards], slots, strict=False))

    def play(self, acts: int) -> Iterator[tuple[Things, frozenset[Token]]]:
        """The things in each picture, and the tokens in a hand."""
        yield from self._pause(6)
        kinds = ["place", "move", "turn", "remove", "cover", "slide", "wave", "rest", "pair"]
        for number in range(acts):
            before = kinds[number % len(kinds)] if number < len(kinds) else self._dice.choice(kinds)
            length = 0
            for moment in self._act(before):
                length += 1
                yield moment
            yield from self._pause(max(4, round(length * (1 - self._busy) / self._busy)))

    def _act(self, kind: str) -> Iterator[tuple[Things, frozenset[Token]]]:
        token = self._dice.choice(sorted(self.table))
        piece = self.table[token]
        match kind:
            case "place" if self._stock and self._free:
                new = self._stock.pop()
                yield from self._bring([self._land(new)])
            case "pair" if len(self._stock) > 1 and len(self._free) > 1:
                yield from self._bring([self._land(self._stock.pop()), self._land(self._stock.pop())])
            case "remove":
                yield from self._take(token, None)
                self._stock.append(token)
                self._free.append(self._slot.pop(token))
            case "move" if self._free:
                self._free.append(self._slot[token])
                yield from self._take(token, self._land(token))
            case "turn":
                yield from self._take(token, replace(piece, rotation_deg=piece.rotation_deg + 90))
            case "cover":
                other = self._dice.choice(sorted(set(self.table) - {token}))
                self._free.append(self._slot[token])
                self._slot[token] = self._slot[other]
                below = self.table[other]
                onto = replace(
                    piece,
                    x_mm=below.x_mm + 9,
                    y_mm=below.y_mm + 7,
                    z_mm=below.z_mm + 0.3,
                    rotation_deg=below.rotation_deg + 4,
                )
                old = piece
                yield from self._take(token, onto)
                yield from self._pause(8)
                self._slot[token] = self._free.pop()
                yield from self._take(token, replace(old, z_mm=0.3))
            case "slide":
                yield from self._slide(token)
            case "rest":
                hand = self._hand((piece.x_mm + 5, piece.y_mm + 5))
                yield from self._reach(hand, stay=self._pictures(2.0))
            case _:
                hand = self._hand((self._dice.uniform(200, 900), self._dice.uniform(150, 500)))
                yield from self._reach(hand, stay=1)

    def _land(self, token: Token) -> DrawnCard:
        slot = self._free.pop(self._dice.randrange(len(self._free)))
        self._slot[token] = slot
        return self._piece(token, slot)

    def _piece(self, token: Token, slot: tuple[int, int]) -> DrawnCard:
        x, y = (first + pitch * at for first, pitch, at in zip(FIRST_MM, PITCH_MM, slot, strict=True))
        turn = self._dice.choice((0, 0, 90, 180, 270)) + self._dice.gauss(0, 4)
        return DrawnCard(token, x + self._dice.uniform(-4, 4), y + self._dice.uniform(-4, 4), turn)

    def _hand(self, at: Point) -> HandPose:
        side = self._dice.choice((90.0, 90.0, 270.0, 0.0, 180.0))
        return HandPose(at[0], at[1], side + self._dice.uniform(-25, 25), person=self._dice.randrange(9))

    def _now(self, hands: Sequence[HandPose] = (), held: Sequence[DrawnCard] = ()) -> tuple[Things, frozenset[Token]]:
        tokens = frozenset(piece.token for piece in held)
        lying = tuple(piece for token, piece in self.table.items() if token not in tokens)
        return ((*self._decoys, *lying, *held), tuple(hands)), tokens

    def _pictures(self, seconds: float) -> int:
        """The number of pictures in which people would need this time."""
        return round(seconds * self._rate_hz / self._pace)

    def _pause(self, pictures: int) -> Iterator[tuple[Things, frozenset[Token]]]:
        for _ in range(pictures):
            yield self._now()

    def _path(self, hand: HandPose, seconds: float, inwards: bool) -> list[HandPose]:
        """From outside the picture to the place, or back, slower near the table."""
        steps = max(2, self._pictures(seconds))
        away = 700.0
        angle = math.radians(hand.from_deg)
        out = []
        for step in range(1, steps + 1):
            share = (step - 0.5) / steps if inwards else 1 - (step - 0.5) / steps
            far = away * (1 - share) ** 1.6
            speed = away * 1.6 * (1 - share) ** 0.6 / (steps / self._rate_hz)
            smear = -speed * 0.01 if inwards else speed * 0.01
            out.append(
                replace(
                    hand,
                    x_mm=hand.x_mm + far * math.cos(angle),
                    y_mm=hand.y_mm + far * math.sin(angle),
                    blur_mm=(smear * math.cos(angle), smear * math.sin(angle)),
                )
            )
        return out

    def _reach(self, hand: HandPose, stay: int) -> Iterator[tuple[Things, frozenset[Token]]]:
        for place in self._path(hand, 0.5, inwards=True):
            yield self._now([place])
        for _ in range(stay):
            wobble = replace(hand, x_mm=hand.x_mm + self._dice.gauss(0, 0.4), y_mm=hand.y_mm + self._dice.gauss(0, 0.4))
            yield self._now([wobble])
        for place in self._path(hand, 0.5, inwards=False):
            yield self._now([place])

    def _grip(self, piece: DrawnCard) -> HandPose:
        """A hand that holds a card by its edge, beside the sticker."""
        hand = self._hand((piece.x_mm, piece.y_mm))
        angle = math.radians(hand.from_deg)
        return replace(hand, x_mm=piece.x_mm + 38 * math.cos(angle), y_mm=piece.y_mm + 38 * math.sin(angle))

    def _bring(self, pieces: list[DrawnCard]) -> Iterator[tuple[Things, frozenset[Token]]]:
        hands = [self._grip(piece) for piece in pieces]
        for places in zip(*(self._path(hand, 0.6, inwards=True) for hand in hands), strict=True):
            yield self._now(places, [self._with(p, h, at) for p, h, at in zip(pieces, hands, places, strict=True)])
        for piece in pieces:
            self.table[piece.token] = piece
        for places in zip(*(self._path(hand, 0.5, inwards=False) for hand in hands), strict=True):
            yield self._now(places)

    def _take(self, token: Token, onto: DrawnCard | None) -> Iterator[tuple[Things, frozenset[Token]]]:
        piece = self.table[token]
        hand = self._grip(piece)
        for place in self._path(hand, 0.5, inwards=True):
            yield self._now([place])
        yield self._now([hand])
        del self.table[token]
        if onto is None:
            for place in self._path(hand, 0.6, inwards=False):
                yield self._now([place], [self._with(piece, hand, place)])
            return
        steps = max(2, self._pictures(0.5))
        dx, dy = onto.x_mm - piece.x_mm, onto.y_mm - piece.y_mm
        for step in range(1, steps):
            share = step / steps
            place = replace(hand, x_mm=hand.x_mm + dx * share, y_mm=hand.y_mm + dy * share)
            turned = piece.rotation_deg + (onto.rotation_deg - piece.rotation_deg) * share
            carried = replace(
                piece, x_mm=piece.x_mm + dx * share, y_mm=piece.y_mm + dy * share, rotation_deg=turned, z_mm=CARRIED_MM,
                blur_mm=(dx / steps * self._rate_hz * 0.01, dy / steps * self._rate_hz * 0.01),
            )  # fmt: skip
            yield self._now([place], [carried])
        self.table[token] = onto
        for place in self._path(replace(hand, x_mm=hand.x_mm + dx, y_mm=hand.y_mm + dy), 0.5, inwards=False):
            yield self._now([place])

    def _slide(self, token: Token) -> Iterator[tuple[Things, frozenset[Token]]]:
        """Pushes a card slowly along the table."""
        piece = self.table[token]
        hand = self._grip(piece)
        for place in self._path(hand, 0.5, inwards=True):
            yield self._now([place])
        del self.table[token]
        dx, dy = self._dice.choice(((14.0, 6.0), (-12.0, 8.0), (10.0, -12.0)))
        steps = max(3, self._pictures(1.0))
        for step in range(1, steps):
            share = step / steps
            pushed = replace(piece, x_mm=piece.x_mm + dx * share, y_mm=piece.y_mm + dy * share)
            yield self._now([replace(hand, x_mm=hand.x_mm + dx * share, y_mm=hand.y_mm + dy * share)], [pushed])
        self.table[token] = replace(piece, x_mm=piece.x_mm + dx, y_mm=piece.y_mm + dy)
        for place in self._path(replace(hand, x_mm=hand.x_mm + dx, y_mm=hand.y_mm + dy), 0.5, inwards=False):
            yield self._now([place])

    def _with(self, piece: DrawnCard, grip: HandPose, place: HandPose) -> DrawnCard:
        """A card carried by a hand that has moved."""
        return replace(
            piece,
            x_mm=piece.x_mm + place.x_mm - grip.x_mm,
            y_mm=piece.y_mm + place.y_mm - grip.y_mm,
            z_mm=CARRIED_MM,
            blur_mm=place.blur_mm,
        )


def scenario_film(
    seed: int,
    camera: CameraModel,
    sticker_mm: float,
    rate_hz: float,
    *,
    acts: int = 14,
    pace: float = 1.0,
) -> Iterator[GroundTruthFrame]:
    """A film with its ground truth, picture by picture."""
    scene = Scene(LAYOUT, camera, printed=CardPrint(sticker_mm=sticker_mm), seed=seed)
    script = Scenario(seed, CARDS, rate_hz, pace=pace)
    for number, ((pieces, hands), held) in enumerate(script.play(acts)):
        gray = scene.render(pieces, hands, EVENING)
        lying = {
            seen.token: (piece, seen.visible)
            for piece, seen in zip(pieces, scene.truth(pieces, hands), strict=True)
            if seen.token not in held and not piece.says
        }
        yield GroundTruthFrame(np.asarray(gray, np.uint8), number / rate_hz, lying, len(hands))


CAMERA_MODES: dict[str, tuple[CameraModel, float, float]] = {
    "2304x1296": (CameraModel(tilt_deg=10.0, psf_px=0.7), 30.0, 30.0),
    "4608x2592": (CameraModel(size_px=(4608, 2592), tilt_deg=10.0, psf_px=0.9), 20.0, 14.0),
}
"""By name: the camera, the stickers' width in mm, pictures per second."""
