"""Why a sticker is not seen: a hand covers it, a card lies on it, or nothing is there."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.camera.frame import Gray
from vision.codes.candidates import texture
from vision.geometry.tile_grid import TileGrid, dilated
from vision.motion.background import Background
from vision.motion.bare_table import local_light, looks_alike
from vision.motion.change_maps import ChangeMaps
from vision.tracking.card_outline import CardOutline
from vision.tracking.cards import CARD_REACH_MM, OVERHANG_MM
from vision.tracking.track import Track, TrackState
from vision.tracking.tracker import Visibility

HAND_NEAR = 2
"""Tiles about a hand in which nothing is taken for gone."""

BARE_SHARE = 0.4
"""A bare place has less than this share of its sticker's texture."""

UPON_SIDES = 0.9
"""Two stickers closer than this, in sides of the code, cannot both be on top."""


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """What one look knows that can explain why a sticker is not seen.

    Attributes:
        gray: The full picture, ``(height, width)`` uint8.
        visible: The stickers that are seen.
        outline: The card around its sticker; ``None`` while it is unknown.
        module_px: The usual width of a module in the full picture.
        least_texture: Below this, in grey levels at usual light, a place holds no sticker.
    """

    gray: Gray
    change: ChangeMaps
    background: Background
    grid: TileGrid
    visible: Sequence[Track]
    outline: CardOutline | None
    module_px: float
    least_texture: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """What one look says about a sticker that is not seen.

    Attributes:
        covers: The visible cards that extend over its place; asked for only where no hand is near.
    """

    track: Track
    visibility: Visibility
    covers: Sequence[Track] = ()


Explain = Callable[[Sequence[Track], Evidence], list[Explanation]]


def explain(unseen: Sequence[Track], evidence: Evidence) -> list[Explanation]:
    """For each sticker that is not seen, whether it is occluded or its place vacant."""
    if not unseen:
        return []
    change, explanations = evidence.change, []
    near_hand = dilated(change.hand, HAND_NEAR)
    for track in unseen:
        box = evidence.grid.tile_box(track.corners_px)
        if change.moving[box].any() or near_hand[box].any():
            explanations.append(Explanation(track, Visibility.OCCLUDED))
            continue
        covers = [other for other in evidence.visible if _covers(other, track, evidence.outline)]
        vacant = not any(other.laid > track.laid for other in covers) and _is_seen_through(track, covers, evidence)
        explanations.append(Explanation(track, Visibility.VACANT if vacant else Visibility.OCCLUDED, covers))
    return explanations


def _covers(other: Track, track: Track, outline: CardOutline | None) -> bool:
    """Whether a card that is seen extends over a sticker's place."""
    if other.token == track.token or other.state is not TrackState.VISIBLE:
        return False
    apart_mm = math.dist(other.center_mm, track.center_mm)
    if apart_mm > CARD_REACH_MM or outline is None:
        return apart_mm <= CARD_REACH_MM
    card = outline.corners(np.asarray(other.pose.corners_mm, np.float32), 1.0, OVERHANG_MM)
    return cv2.pointPolygonTest(card, track.center_mm, False) >= 0


def _is_seen_through(track: Track, covers: Sequence[Track], evidence: Evidence) -> bool:
    """Whether a sticker's place shows what lay there before the sticker came."""
    change, background = evidence.change, evidence.background
    if any(math.dist(other.center_mm, track.center_mm) < UPON_SIDES * track.side_mm for other in covers):
        return True  # what lay under it is on top again
    shown = texture(evidence.gray, track.corners_px, evidence.module_px) / change.lighting.gain
    if shown > max(BARE_SHARE * track.texture, evidence.least_texture / 2):
        return False
    tiles, place = evidence.grid.tile_box(track.corners_px), evidence.grid.small_box(track.corners_px)
    light = local_light(background.light, tiles)
    if track.before is not None:
        look = track.before.look.astype(np.float32) * (light / track.before.light)
        if looks_alike(change.small[track.before.box], look):
            return True
    if background.bare is not None and background.bare.is_bare(change.small, place, light):
        return True
    # It lay on another card from the beginning: what is seen through to is that card.
    below = bool(covers) and evidence.outline is not None
    return below and bool(change.changed[tiles].any()) and not change.reaching[tiles].any()
