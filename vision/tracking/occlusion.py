"""Why a sticker is not seen: a hand covers it, a card lies on it, or nothing is there."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.camera.frame import Gray
from vision.codes.candidates import texture
from vision.geometry.tile_grid import TileGrid, any_tile, dilated
from vision.motion.background import Background
from vision.motion.bare_table import alike_share, local_light, looks_alike
from vision.motion.change_maps import ChangeMaps
from vision.tracking.card_outline import placed
from vision.tracking.cards import CARD_REACH_MM
from vision.tracking.outlines import Outlines
from vision.tracking.track import Track, TrackState
from vision.tracking.tracker import COVERED_BEFORE, Visibility

HAND_NEAR = 2
"""Tiles about a hand in which nothing is taken for gone."""

BARE_SHARE = 0.4
"""A bare place has less than this share of its sticker's texture."""

SHARP_SHARE = 0.7
"""A sticker in focus has at least this share of the texture that it had when it was confirmed."""

EARLIER_SHARE = 0.5
"""So many quarters of a place that lay unread for a while must look as earlier, where its print is gone: of tiles that
showed but a corner of what lay there the earlier look was not kept."""

UPON_SIDES = 0.9
"""Two stickers closer than this, in sides of their codes, cannot both be on top."""


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """What one look knows that can explain why a sticker is not seen.

    Attributes:
        gray: The full picture, ``(height, width)`` uint8.
        visible: The stickers that are seen.
        outlines: Where things are around their stickers.
        module_px: The usual width of a module in the full picture.
        least_texture: Below this, in grey levels at usual light, a place holds no sticker.
    """

    gray: Gray
    change: ChangeMaps
    background: Background
    grid: TileGrid
    visible: Sequence[Track]
    outlines: Outlines
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
        if any_tile(change.moving[box]) or any_tile(near_hand[box]):
            explanations.append(Explanation(track, Visibility.OCCLUDED))
            continue
        covers = [other for other in evidence.visible if _covers(other, track, evidence.outlines)]
        vacant = not any(_came_upon(other, track) for other in covers) and _is_seen_through(track, covers, evidence)
        explanations.append(Explanation(track, Visibility.VACANT if vacant else Visibility.OCCLUDED, covers))
    return explanations


def _covers(other: Track, track: Track, outlines: Outlines) -> bool:
    """Whether a thing that is seen extends over a sticker's place; of a thing of known size a corner is enough."""
    if other.token == track.token or other.state is not TrackState.VISIBLE:
        return False
    is_sized = other.token in outlines.sized
    if not is_sized and math.dist(other.center_mm, track.center_mm) > CARD_REACH_MM:
        return False
    around_mm = outlines.around_mm(other.token)
    if around_mm is None:
        return True
    sticker_mm = np.asarray(other.pose.corners_mm, np.float32)
    thing = placed(around_mm, sticker_mm, 1.0)
    if cv2.pointPolygonTest(thing, track.center_mm, False) >= 0:
        return True
    return is_sized and any(
        cv2.pointPolygonTest(thing, (float(x), float(y)), False) >= 0 for x, y in track.pose.corners_mm
    )


def _came_upon(other: Track, track: Track) -> bool:
    """Whether a thing that extends over a sticker's place came there after the sticker, and hid it."""
    return other.laid > track.laid and other.laid >= track.hidden_since - COVERED_BEFORE


def _is_seen_through(track: Track, covers: Sequence[Track], evidence: Evidence) -> bool:
    """Whether a sticker's place shows what lay there before the sticker came."""
    change, background = evidence.change, evidence.background
    if any(math.dist(other.center_mm, track.center_mm) < _least_apart(other, track) for other in covers):
        return True  # what lay under it is on top again
    tiles, place = evidence.grid.tile_box(track.corners_px), evidence.grid.small_box(track.corners_px)
    light = local_light(background.light, tiles)
    as_before, as_earlier = False, 0.0
    if track.before is not None:  # asked first: what lay beneath may have more relief than a sticker
        look = track.before.look.astype(np.float32) * (light / track.before.light)
        as_before = looks_alike(change.small[track.before.box], look)
        if as_before and track.before.telling:
            return True
        if track.before.earlier is not None:
            earlier = track.before.earlier.astype(np.float32) * (light / track.before.light)
            as_earlier = alike_share(change.small[track.before.box], earlier)
            if as_earlier == 1.0:
                return True
    relief = texture(evidence.gray, track.corners_px, evidence.module_px) / change.lighting.gain
    if relief > max(BARE_SHARE * track.texture, evidence.least_texture / 2):
        return False
    if as_before and any(_is_sharp(other, evidence) for other in covers):
        return True  # from afar it never looked otherwise; from near its sticker is gone, not that of what lay below
    if as_earlier >= EARLIER_SHARE and any(_is_sharp(other, evidence) for other in covers):
        return True
    outlines = evidence.outlines
    upon_told = any(other.token in outlines.sized for other in covers)  # then no table can be seen there
    if not upon_told and background.bare is not None and background.bare.is_bare(change.small, place, light):
        return True
    if upon_told and track.before is not None:
        return False  # something stands there that the eye does not know
    # It lay on another card from the beginning: what is seen through to is that card.
    below = any(outlines.around_mm(other.token) is not None for other in covers)
    return below and bool(change.changed[tiles].any()) and not change.reaching[tiles].any()


def _is_sharp(other: Track, evidence: Evidence) -> bool:
    """Whether a sticker shows as much as when it was confirmed: then the lens is in focus there."""
    relief = texture(evidence.gray, other.corners_px, evidence.module_px) / evidence.change.lighting.gain
    return relief > SHARP_SHARE * other.texture


def _least_apart(one: Track, other: Track) -> float:
    """Two stickers closer than this, in mm, cannot both be on top."""
    return UPON_SIDES * (one.side_mm + other.side_mm) / 2
