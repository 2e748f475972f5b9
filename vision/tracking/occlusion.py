"""Why a sticker is not visible: a hand covers it, a card lies on it, or it is gone."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.public.print_sizes import CODE_MODULES, STICKER_MODULES
from companion.public.table import Token
from vision.camera.frame import TILE_PX, Gray
from vision.codes.candidates import texture
from vision.geometry.homography import Geometry
from vision.geometry.tile_grid import Mask, SmallMask, TileGrid, any_tile, dilated
from vision.motion.background import Background, PlaceBefore
from vision.motion.bare_table import (
    LEAST_COUNTING,
    SEEN_LEVELS,
    SEEN_SHARE,
    alike_share,
    local_light,
    looks_alike,
    quarters,
)
from vision.motion.change_maps import ChangeMaps
from vision.motion.detector import CARD_RESTING_S
from vision.tracking.card_outline import placed
from vision.tracking.cards import CARD_REACH_MM, Outline
from vision.tracking.ground import RAREST, RAREST_UNSEEN, Beside, Ground, around, bared_tiles
from vision.tracking.outlines import Outlines
from vision.tracking.track import Surroundings, Track
from vision.tracking.tracker import Visibility, came_upon

HAND_NEAR = 2
"""Tiles around a hand that moves, or a sleeve like the table, in which nothing is considered gone."""

BARE_SHARE = 0.4
"""A bare place has less than this share of its sticker's texture."""

SHARP_SHARE = 0.7
"""A sticker in focus has at least this share of its texture at confirmation."""

EARLIER_SHARE = 0.5
"""The share of a place's quarters that must look as they did earlier, if its print is gone.

For a place that was unreadable for a while: tiles that showed only a corner of the earlier object were not stored.
"""

OPEN_SHARE = 0.25
"""If less of a place was left uncovered by later cards, its earlier look tells nothing."""

RIM_SHARES = 0.82, 1.0
"""Inside and around a piece's edge, in shares of its outline, which has a small margin."""

RIM_LEVELS, RIM_LEFT = 8.0, 0.17
"""An edge clearer than this many grey levels must have dropped to this share to count as gone."""

WASHED_OUT = 250
"""From this grey level on, print may be lost in a mirror image."""

STRANGE_PX = (6, 6)
"""A thing that came beside a piece differs from the table in a window of the small picture as large as this."""

SAME_PRINT = 0.5
"""The correlation from which on a quarter of a piece still shows the same print."""

UPON_SIDES = 0.9
"""Two stickers closer than this, in sides of their codes, cannot both be on top."""


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """What one look knows that can explain why a sticker is not visible.

    Attributes:
        gray: The full picture, ``(height, width)`` uint8.
        geometry: Where the table is in it.
        visible: The visible stickers.
        outlines: The outlines of pieces around their stickers.
        module_px: The usual width of a module in the full picture.
        least_texture: Below this, in grey levels at usual light, a place holds no sticker.
        open_table: The pixels of the small picture that show the table or a hand, as far as is known; computed only
            if needed.
        is_sharp: Whether the lens is in focus; computed only if needed.
        outline: Returns the outline of a piece in whole pixels of the small picture, if it is known.
        left: Tiles of pieces that have left since the camera was opened.
        bared: Tiles that rest as if a hand lay there, and show the table that something has left.
        sleeve: Others of them that look like the table.
        thorough: Whether this look asks of every place whether it shows the table; others ask where it just did.
    """

    gray: Gray
    geometry: Geometry
    change: ChangeMaps
    background: Background
    grid: TileGrid
    visible: Sequence[Track]
    outlines: Outlines
    module_px: float
    least_texture: float
    open_table: Callable[[], SmallMask]
    is_sharp: Callable[[], bool]
    outline: Callable[[Track], Outline | None]
    left: Mask
    bared: Mask
    sleeve: Mask
    thorough: bool


@dataclass(frozen=True, slots=True)
class Explanation:
    """The conclusion of one look about a sticker that is not visible.

    Attributes:
        covers: The visible cards over its place; only computed if no hand is near.
    """

    track: Track
    visibility: Visibility
    covers: Sequence[Track] = ()


Contrast = NDArray[np.float32]
"""``(points,)`` along an edge."""

Explain = Callable[[Sequence[Track], Evidence], list[Explanation]]


def explain(unseen: Sequence[Track], evidence: Evidence) -> list[Explanation]:
    """For each sticker that is not visible, whether it is occluded or its place vacant."""
    if not unseen:
        return []
    change, explanations = evidence.change, []
    hand = change.hand & ~evidence.bared
    near_hand = hand | dilated(hand & (evidence.sleeve | (change.rest_s < CARD_RESTING_S)), HAND_NEAR)
    looks_open = _Open(unseen, evidence)
    for track in unseen:
        box = evidence.grid.tile_box(track.corners_px)
        if any_tile(change.moving[box]) or any_tile(near_hand[box]):
            explanations.append(Explanation(track, Visibility.OCCLUDED))
            continue
        covers = [other for other in evidence.visible if _is_over(other, track, evidence.outlines)]
        ground = looks_open.shows_ground(track, covers)
        vacant = (
            not any(came_upon(other, track) for other in covers)
            and (ground or _is_seen_through(track, covers, unseen, evidence, guessed=ground is None))
            and not _is_washed_out(track, evidence)
            and evidence.is_sharp()
        )
        explanations.append(Explanation(track, Visibility.VACANT if vacant else Visibility.OCCLUDED, covers))
    return explanations


def note_bared(unseen: Sequence[Track], evidence: Evidence) -> None:
    """Add to the tiles that rest as if a hand lay there, and look like the table.

    What has moved a moment ago is a hand on its way, whatever it looks like.

    Args:
        unseen: As for ``explain``.
    """
    change = evidence.change
    resting = change.hand & (change.rest_s >= CARD_RESTING_S) & ~evidence.bared
    if evidence.thorough and any_tile(resting):
        looks_open, usual = _Open(unseen, evidence), evidence.background.look
        bare, table = looks_open.bare, looks_open.table
        fresh, sleeve = bared_tiles(change.small, usual, resting, bare, table, lambda: looks_open.laid)
        evidence.bared[fresh] = True
        evidence.sleeve[:] = evidence.sleeve & ~resting | sleeve


class _Open:
    """The table as one look shows it around the pieces.

    Args:
        unseen: The stickers that are not visible; what lies at their places is unknown.
    """

    def __init__(self, unseen: Sequence[Track], evidence: Evidence) -> None:
        self._unseen, self._evidence = unseen, evidence
        self._grounds: dict[Token, Ground] = {}
        self._rims: dict[Token, _Rim] = {}
        self._changed: dict[Token, tuple[bool, bool]] = {}

    def shows_ground(self, track: Track, covers: Sequence[Track]) -> bool | None:
        """Whether a piece's whole place looks like the table around it, and nothing has come beside it; ``None`` if it
        cannot be compared.

        This is asked in some looks only, until it comes true.

        Args:
            covers: The visible pieces over its sticker, on which it lay; beside them the table must be seen.
        """
        evidence = self._evidence
        if not (evidence.thorough or track.empty_looks):
            return False
        outline = self._outlines.get(track.token)
        if outline is None or any(evidence.outline(other) is None for other in covers):
            return None
        if track.around is not None and self._is_still_seen(track, track.around, outline):
            return False
        shows = self._looks_open(track, outline)
        if track.around is None or shows is None:
            return shows
        if self._is_bared(track, outline):
            return True
        return shows and not self._may_be_covered(track) and not self._is_hidden_beside(track)

    def _looks_open(self, track: Track, outline: Outline) -> bool | None:
        """Whether a piece's place alone looks like the table around it; ``None`` if it cannot be compared."""
        return self._ground(track, outline).is_shown()

    def _is_bared(self, track: Track, outline: Outline) -> bool:
        """Whether most of a piece's place looks like the table, and nothing reaches beyond it: what lay upon the piece
        would, or would leave some of it to see.
        """
        share = self._ground(track, outline).share
        if share is None or share <= 1 / 2:
            return False
        return self._rim(track).is_proved or all(self._rim(other).is_kept for other in self._close_to(track))

    def _is_hidden_beside(self, track: Track) -> bool:
        """Whether something lies beside a piece or upon one close to it, and may lie upon the piece: it does not look
        like the table, or the table's print is not to be seen there.
        """
        return any(self._rim(other).is_blank or self._is_covered(other) for other in self._close_to(track))

    def _is_covered(self, track: Track) -> bool:
        """Whether something that is no table lies upon a piece and reaches beyond it."""
        outline = self._outlines.get(track.token)
        if outline is None or track.around is None or self._rim(track).is_kept:
            return False
        return self._looks_open(track, outline) is False

    def _ground(self, track: Track, outline: Outline) -> Ground:
        """A piece's place and the table around it."""
        if track.token not in self._grounds:
            small, side_px = self._evidence.change.small, _side_px(self._evidence.grid, track)
            rarest = RAREST_UNSEEN if track.around is None else RAREST
            self._grounds[track.token] = Ground(small, outline, self.bare, self.table, side_px, rarest)
        return self._grounds[track.token]

    def _may_be_covered(self, track: Track) -> bool:
        """Whether something has come upon a piece: it would reach beyond it, or beyond others that lie close to it."""
        return any(self._is_changed_beside(other, upon_it=other is track) for other in self._close_to(track))

    def _close_to(self, track: Track) -> list[Track]:
        """A piece, and the unseen ones that lie so close to it, or to each other, that one thing may cover all."""
        close, waiting = [track], [track]
        while waiting:
            one = waiting.pop()
            near = [other for other in self._unseen if other not in close and self._is_close(other, one)]
            close += near
            waiting += near
        return close

    def _rim(self, track: Track) -> _Rim:
        """What is around a piece, as it is now and as it was."""
        if track.token not in self._rims:
            outline = self._outlines.get(track.token)
            if outline is None or track.around is None:
                self._rims[track.token] = _Rim()
            else:
                now, then, here = self._compared(track, track.around, outline)
                looked = self._ground(track, outline).looked_bare(_as_gray(then))
                self._rims[track.token] = _compare_rim(now, then, ~here, self._unpieced[track.around.box], looked)
        return self._rims[track.token]

    @cached_property
    def _unpieced(self) -> SmallMask:
        """The pixels of the small picture where no hand is, no unseen piece may lie, and none has left since the camera
        was opened."""
        free = (self._never_laid & ~self._pixels(self._evidence.change.hand)).astype(np.uint8)
        for outline in self._outlines.values():
            cv2.fillConvexPoly(free, outline, 0)
        return np.asarray(free > 0, np.bool_)

    def _is_close(self, other: Track, track: Track) -> bool:
        """Whether no window fits between two unseen pieces."""
        outline = self._outlines.get(other.token)
        if outline is None or track.around is None:
            return False
        rows, columns = track.around.box
        (left, top), (right, bottom) = outline.min(0).tolist(), outline.max(0).tolist()
        return bool(left < columns.stop and columns.start <= right and top < rows.stop and rows.start <= bottom)

    def _is_changed_beside(self, track: Track, *, upon_it: bool) -> bool:
        """Whether something has come beside a piece that may lie upon it.

        Args:
            upon_it: False: that may lie upon another one close to it as well, and looks like the table there.
        """
        outline = self._outlines.get(track.token)
        if outline is None or track.around is None:
            return False
        if track.token not in self._changed:
            beside = self._beside(track, track.around, outline)
            self._changed[track.token] = self._ground(track, outline).changes(beside)
        alike, unlike = self._changed[track.token]
        return alike or (unlike and (upon_it or bool(self._looks_open(track, outline))))

    def _is_still_seen(self, track: Track, before: Surroundings, outline: Outline) -> bool:
        """Whether any quarter of a piece looks as it did, down to its print: the table may be as bright.

        A visible piece beside it, or a tag, looks as it did in any case.
        """
        now, then, here = self._compared(track, before, outline)
        here = here & self.table[before.box]
        fine = [one - cv2.blur(one, STRANGE_PX) for one in (now.astype(np.float32), then)]
        for place in quarters(here.shape):
            one, other = (look[place][here[place]] for look in fine)
            if alike_share(now[place], then[place], counts=here[place]) and _has_same_print(one, other):
                return True
        return False

    def _beside(self, track: Track, before: Surroundings, outline: Outline) -> Beside:
        """How it looks beside a piece: what was laid upon it would reach beyond it."""
        now, then, here = self._compared(track, before, outline)
        strange, looked = np.zeros_like(self.bare), self._evidence.change.small.copy()
        strange[before.box] = _differs(now, then, self.bare[before.box] & ~here)
        looked[before.box] = _as_gray(then)
        return Beside(strange, looked, self._never_laid)

    def _compared(
        self, track: Track, before: Surroundings, outline: Outline
    ) -> tuple[Gray, NDArray[np.float32], SmallMask]:
        """A piece and what is around it, as they look and as they did in this light; and which of that is the piece."""
        rows, columns = before.box
        here = np.zeros(before.look.shape, np.uint8)
        cv2.fillConvexPoly(here, outline - (columns.start, rows.start), 1)
        evidence = self._evidence
        light = local_light(evidence.background.light, evidence.grid.tile_box(track.corners_px)) / before.light
        return evidence.change.small[before.box], before.look.astype(np.float32) * light, here > 0

    @cached_property
    def _outlines(self) -> dict[Token, Outline]:
        """The outlines of the unseen pieces, where they are known."""
        outlines = ((track.token, self._evidence.outline(track)) for track in self._unseen)
        return {token: outline for token, outline in outlines if outline is not None}

    @cached_property
    def table(self) -> SmallMask:
        """The pixels of the small picture where no visible piece lies."""
        return self._evidence.open_table()

    @cached_property
    def laid(self) -> Mask:
        """The tiles where pieces lay that are unseen, or have left since the camera was opened."""
        laid = self._evidence.grid.mask(track.corners_px for track in self._unseen)
        for outline in self._outlines.values():
            drawn = np.zeros(laid.shape, np.uint8)
            cv2.fillConvexPoly(drawn, outline // TILE_PX, 1)
            laid |= drawn > 0
        return laid | self._evidence.left

    @cached_property
    def _never_laid(self) -> SmallMask:
        """The pixels of the small picture that no piece has left since the camera was opened."""
        return ~self._pixels(self._evidence.left)

    @cached_property
    def bare(self) -> SmallMask:
        """Those of them where no hand is and no unseen piece may lie."""
        bare = (self.table & ~self._pixels(self._evidence.change.hand)).astype(np.uint8)
        for outline in self._outlines.values():
            cv2.fillConvexPoly(bare, outline, 0)
        return np.asarray(bare > 0, np.bool_)

    def _pixels(self, tiles: Mask) -> SmallMask:
        """The pixels of the small picture in these tiles."""
        pixels = cv2.resize(tiles.view(np.uint8), self.table.shape[::-1], interpolation=cv2.INTER_NEAREST)
        return np.asarray(pixels > 0, np.bool_)


def _is_washed_out(track: Track, evidence: Evidence) -> bool:
    """Whether a lamp's mirror image may hide a sticker: half of its place is as bright as the camera can tell."""
    quad = np.asarray(track.corners_px)
    (left, top), (right, bottom) = np.maximum(quad.min(0), 0).astype(int), quad.max(0).astype(int) + 1
    place = evidence.gray[top:bottom, left:right]
    return bool(place.size) and float((place >= WASHED_OUT).mean()) > 0.5


@dataclass(frozen=True, slots=True)
class _Rim:
    """What is around a piece that is not visible.

    Attributes:
        is_kept: All of it that can be compared looks as when the piece was last seen, down to the table's print.
        is_proved: And it has a print on every side: what is only as bright as the table cannot be mistaken for it.
        is_blank: Some of it is smooth where the table's print was seen, and most of that is as bright as then.
    """

    is_kept: bool = False
    is_proved: bool = False
    is_blank: bool = False


def _compare_rim(now: Gray, then: NDArray[np.float32], beside: SmallMask, free: SmallMask, looked: SmallMask) -> _Rim:
    """Compare what is around a piece, quarter by quarter, with how it looked.

    Args:
        beside: The pixels around it.
        free: The pixels that can be compared.
        looked: Those that looked like the table then.
    """
    counts = beside & free
    share = np.maximum(cv2.blur(counts.astype(np.float32), STRANGE_PX), np.finfo(np.float32).eps)
    print_now, print_then = (
        np.asarray(one - cv2.blur(one * counts, STRANGE_PX) / share, np.float32)
        for one in (now.astype(np.float32), then)
    )
    by_level, by_print = (
        _differs(now, then, counts),
        _differs(np.asarray(then + print_now - print_then, np.float32), then, counts),
    )
    is_kept = is_proved = bool(2 * np.count_nonzero(counts) > np.count_nonzero(beside))
    is_blank = False
    for place in quarters(counts.shape):
        compared = counts[place]
        if np.count_nonzero(compared) < LEAST_COUNTING * np.count_nonzero(beside[place]):
            is_proved = False
            continue
        one, other = print_now[place][compared], print_then[place][compared]
        is_printed = float(other.std()) > SEEN_LEVELS  # then a shadow does not count
        is_same = not is_printed or _has_same_print(one, other)
        is_alike = not bool(np.any((by_print if is_printed else by_level)[place]))
        is_kept &= is_same and is_alike
        is_proved &= is_kept and is_printed
        is_smooth = is_printed and float(one.std()) <= SEEN_LEVELS
        is_blank |= is_smooth and float((looked & ~by_level)[place][compared].mean()) > 1 / 2
    return _Rim(is_kept, is_proved, is_blank)


def _as_gray(look: NDArray[np.float32]) -> Gray:
    return np.clip(look, 0, 255).astype(np.uint8)


def _has_same_print(one: NDArray[np.float32], other: NDArray[np.float32]) -> bool:
    """Whether two looks at the same pixels, each without what is coarse in it, show the same."""
    return float(one @ other) > SAME_PRINT * math.sqrt(float(one @ one) * float(other @ other))


def _differs(now: Gray | NDArray[np.float32], then: NDArray[np.float32], counts: SmallMask) -> SmallMask:
    """Where two pieces of small pictures differ, in these pixels, by more than light and noise explain."""
    share = cv2.blur(counts.astype(np.float32), STRANGE_PX)
    apart = cv2.blur(np.abs(now - then) * counts, STRANGE_PX)
    limit = SEEN_LEVELS * share + SEEN_SHARE * cv2.blur(then * counts, STRANGE_PX)
    return np.asarray((apart > limit) & (share > 0.5), np.bool_)


def surroundings(track: Track, outline: Outline, background: Background, grid: TileGrid) -> Surroundings:
    """How a piece and what is around it usually look, for when it is missed."""
    box = around(background.look, outline, _side_px(grid, track))
    light = local_light(background.light, grid.tile_box(track.corners_px))
    return Surroundings(background.look[box].copy(), light, box)


def _side_px(grid: TileGrid, track: Track) -> int:
    """The width of a sticker in the small picture."""
    quad = grid.small_corners(track.corners_px)
    return max(1, round(math.dist(quad[0], quad[1]) * STICKER_MODULES / CODE_MODULES))


def _is_over(other: Track, track: Track, outlines: Outlines) -> bool:
    """Whether a piece shares a sticker's place; for a piece of known size, a corner is enough."""
    if other.token == track.token:
        return False
    is_sized = other.token in outlines.sized
    if not is_sized and math.dist(other.center_mm, track.center_mm) > CARD_REACH_MM:
        return False
    around_mm = outlines.around_mm(other.token)
    if around_mm is None:
        return True
    thing = np.asarray(placed(around_mm, other.pose.corners_mm), np.float32)
    if cv2.pointPolygonTest(thing, track.center_mm, False) >= 0:
        return True
    return is_sized and any(
        cv2.pointPolygonTest(thing, (float(x), float(y)), False) >= 0 for x, y in track.pose.corners_mm
    )


def _is_seen_through(
    track: Track, covers: Sequence[Track], unseen: Sequence[Track], evidence: Evidence, *, guessed: bool
) -> bool:
    """Whether a sticker's place shows what was there before the sticker came; that may be ``guessed``."""
    change, background = evidence.change, evidence.background
    if any(math.dist(other.center_mm, track.center_mm) < _least_apart(other, track) for other in covers):
        return True  # the sticker below is visible again
    tiles, place = evidence.grid.tile_box(track.corners_px), evidence.grid.small_box(track.corners_px)
    light = local_light(background.light, tiles)
    before, as_before, as_earlier, is_foreign = track.before, False, 0.0, False
    if before is not None:  # checked first: what lay below may have more texture than a sticker
        now, brighter = change.small[before.box], light / before.light
        counts = _still_open(track, before, evidence)
        is_foreign = float(counts.mean()) < OPEN_SHARE
        look = before.look.astype(np.float32)
        as_before = not is_foreign and looks_alike(now, look * brighter, counts=counts)
        if as_before and (before.telling if counts.all() else not looks_alike(before.card, look, counts=counts)):
            return True
        if before.earlier is not None and not is_foreign:
            as_earlier = alike_share(now, before.earlier.astype(np.float32) * brighter, counts=counts)
            if as_earlier == 1.0:
                return True
    outlines = evidence.outlines
    upon_sized = any(other.token in outlines.sized for other in covers)  # then the table cannot be visible there
    is_unknown = before is not None and (is_foreign or not before.telling)  # its place without it was never seen
    if upon_sized and is_unknown and not change.reaching[tiles].any() and _has_lost_rim(track, evidence):
        return True
    relief = texture(evidence.gray, track.corners_px, evidence.module_px) / change.lighting.gain
    if relief > max(BARE_SHARE * track.texture, evidence.least_texture / 2):
        return False
    if as_before and any(_is_sharp(other, evidence) for other in covers):
        return True  # the small picture never changed; in the full one its sticker is gone, and the one below is not
    if as_earlier >= EARLIER_SHARE and any(_is_sharp(other, evidence) for other in covers):
        return True
    bare = None if upon_sized else background.bare
    if bare is not None and bare.is_bare(change.small, place, light, guessed=guessed):
        return True
    if upon_sized and before is not None:
        return False  # an unknown object stands there
    # It lay on another card from the beginning: an empty place shows that card.
    covered = [other for other in unseen if other.under is not None and _is_over(other, track, outlines)]
    below = any(outlines.around_mm(other.token) is not None for other in (*covers, *covered))
    return below and bool(change.changed[tiles].any()) and not change.reaching[tiles].any()


def _still_open(track: Track, before: PlaceBefore, evidence: Evidence) -> SmallMask:
    """The pixels of a sticker's place that no piece of known size has covered since its earlier look.

    Another piece may have been laid beside it, under an overhanging part; or its tile came just before it, or with it.
    """
    rows, columns = before.box
    is_open, first = np.ones(before.look.shape, np.bool_), int(before.until.min())
    for other in evidence.visible:
        if other.laid >= first and other.token in evidence.outlines.sized:
            thing = np.zeros_like(before.look)
            _fill(thing, (columns.start, rows.start), other, track, evidence)
            is_open &= (thing == 0) | (before.until > other.laid)
    return is_open


def rim_contrast(gray: Gray, geometry: Geometry, track: Track, outlines: Outlines) -> Contrast | None:
    """How much brighter a piece of known size is inside its edge than outside, in grey levels, at edge points.

    ``None`` for other pieces.
    """
    around_mm = outlines.sized.get(track.token)
    if around_mm is None:
        return None
    middle_mm = (around_mm.min(0) + around_mm.max(0)) / 2
    rings_mm = [placed(middle_mm + share * (around_mm - middle_mm), track.pose.corners_mm) for share in RIM_SHARES]
    rings_px = np.stack([geometry.to_px(ring_mm) for ring_mm in rings_mm]).astype(np.float32)
    x, y = rings_px.transpose(2, 0, 1)
    inner, outer = cv2.remap(gray, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
    return np.asarray(inner - outer, np.float32)


def _has_lost_rim(track: Track, evidence: Evidence) -> bool:
    """Whether the edge of a piece of known size is gone all around; an object standing on it would hide less."""
    now, before = rim_contrast(evidence.gray, evidence.geometry, track, evidence.outlines), track.rim
    if now is None or before is None:
        return False
    clear = np.abs(before) >= RIM_LEVELS
    left = clear & (now * np.sign(before) * 2 >= evidence.change.lighting.gain * np.abs(before))
    return bool(clear.mean() >= 0.5 and left.sum() < RIM_LEFT * clear.sum())


def _fill(picture: Gray, corner: tuple[int, int], other: Track, track: Track, evidence: Evidence) -> None:
    """Draw a piece of known size, with a small margin, if it may lie near a sticker; its pixels become 1.

    Args:
        picture: A piece of the small picture that shows the sticker.
        corner: Its first column and row.
    """
    around_mm = evidence.outlines.sized[other.token]
    quad = evidence.grid.small_corners(other.corners_px)
    px_per_mm = math.dist(quad[0], quad[1]) / other.side_mm
    reach_mm = math.hypot(*np.abs(around_mm).max(0)) + math.hypot(*picture.shape) / px_per_mm
    if math.dist(other.center_mm, track.center_mm) < reach_mm:
        outline_px = evidence.geometry.to_px(placed(around_mm, other.pose.corners_mm))
        outline = evidence.grid.small_corners(outline_px) - np.array(corner)
        cv2.fillConvexPoly(picture, np.asarray(np.round(outline), np.int32), 1)


def _is_sharp(other: Track, evidence: Evidence) -> bool:
    """Whether a sticker has about its texture at confirmation: then the lens is in focus there."""
    relief = texture(evidence.gray, other.corners_px, evidence.module_px) / evidence.change.lighting.gain
    return relief > SHARP_SHARE * other.texture


def _least_apart(one: Track, other: Track) -> float:
    """Two stickers closer than this, in mm, cannot both be on top."""
    return UPON_SIDES * (one.side_mm + other.side_mm) / 2
