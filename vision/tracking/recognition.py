"""Whether known stickers are still in place, judged by the look of their places, without decoding."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from companion.public.table import Token
from vision.camera.frame import Gray
from vision.codes.patches import SAME_STICKER_CORRELATION, UNMOVED_CORRELATION, likenesses
from vision.geometry.quads import Corners
from vision.geometry.tile_grid import TileGrid, any_tile
from vision.motion.change_maps import ChangeMaps
from vision.tracking.track import TentativeTrack, Track, TrackState

TURN_S = 2.0
"""How often every known sticker is compared, even if nothing happens near it."""

RELIT_SHARE = 0.7
"""If this share of stickers is in place although everything looks different, the light has changed."""


@dataclass(frozen=True, slots=True)
class Recognition:
    """The result of the comparison.

    Attributes:
        matched: Known stickers that are in place.
        missed: Known stickers whose place looks different.
        unmoved: Tentative tracks that are where they were seen.
        lost_duplicates: Tokens that are gone from their second place.
        relit: Everything looks different and most stickers match: the light has changed.
    """

    matched: Sequence[Track]
    missed: Sequence[Track]
    unmoved: Sequence[TentativeTrack]
    lost_duplicates: Sequence[Token]
    relit: bool


class Recogniser:
    """Compares the places of known stickers: those near a change, those missed, and some in turn."""

    def __init__(self, grid: TileGrid, taken_s: float) -> None:
        self._grid = grid
        self._places: list[Corners] = []
        self._edges = grid.edges(())
        self._turn = 0.0
        self._turned_s = taken_s

    def compare(
        self,
        gray: Gray,
        change: ChangeMaps,
        taken_s: float,
        tracks: Sequence[Track],
        tentative: Iterable[TentativeTrack],
        duplicates: Mapping[Token, TentativeTrack],
    ) -> Recognition:
        """Compare one picture, ``(height, width)`` uint8, with what is known."""
        matched: list[Track] = []
        missed: list[Track] = []
        due = self._due(change, taken_s, tracks)
        alike = likenesses(gray, [(track.corners_px, track.patch) for track in due])
        for track, likeness in zip(due, alike, strict=True):
            (matched if likeness >= SAME_STICKER_CORRELATION else missed).append(track)
        resting = [one for one in tentative if not change.is_moving(self._grid.tile_box(one.corners_px))]
        alike = likenesses(gray, [(one.corners_px, one.patch) for one in resting]) if resting else []
        unmoved = [one for one, likeness in zip(resting, alike, strict=True) if likeness >= UNMOVED_CORRELATION]
        seconds = [(second.corners_px, second.patch) for second in duplicates.values()]
        alike = likenesses(gray, seconds) if seconds else []
        lost = [
            token
            for (token, second), likeness in zip(duplicates.items(), alike, strict=True)
            if likeness < SAME_STICKER_CORRELATION and not change.moving[self._grid.tile_box(second.corners_px)].any()
        ]
        relit = False
        if change.flooded:
            visible = sum(track.state is TrackState.VISIBLE for track in tracks)
            same = sum(track.state is TrackState.VISIBLE for track in matched)
            relit = same >= RELIT_SHARE * visible
        return Recognition(matched, missed, unmoved, lost, relit)

    def _due(self, change: ChangeMaps, taken_s: float, tracks: Sequence[Track]) -> list[Track]:
        count = len(tracks)
        before, self._turn = self._turn, self._turn + count * min(1.0, (taken_s - self._turned_s) / TURN_S)
        self._turned_s = taken_s
        turn = {index % count for index in range(int(before), int(self._turn))}
        near = [change.flooded] * count
        stirred = change.moving | change.changed
        if any_tile(stirred) and not change.flooded:
            places = [track.corners_px for track in tracks]
            if places != self._places:  # usually the same objects, which compare quickly
                self._places, self._edges = places, self._grid.edges(places)
            near = self._grid.any_of(stirred, self._edges)
        state = TrackState.VISIBLE
        return [track for index, track in enumerate(tracks) if track.state is not state or near[index] or index in turn]
