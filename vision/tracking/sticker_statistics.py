"""How stickers look in this picture, learned from those that were read last."""

from __future__ import annotations

from collections.abc import Iterable

from companion.public.table import Token
from vision.camera.frame import Gray
from vision.codes.candidates import MIN_TEXTURE_LEVELS, SearchCriteria, texture, usual_relief
from vision.codes.decoder import DecodeAttempt, Detection, attempts_for, fallback_attempt
from vision.geometry.quads import bounds

USUAL_MODULE_PX = 2.0
"""A guess, until the first sticker has been read."""

READS_REMEMBERED = 64
"""The statistics are computed from this many last readings."""

FAINT_QUANTILE = 5
"""One in this many stickers may have less than the usual texture."""

MIN_TEXTURE_SHARE = 0.25
"""A place with less than this share of a sticker's usual texture holds none."""


class StickerStatistics:
    """Width, texture and readability of stickers in this picture.

    Args:
        declared_module_px: The width of a module of the smallest piece whose size the game declares, if any.

    Attributes:
        known: Whether any sticker has been read.
        module_px: The usual width of a module in the full picture, or a guess.
        usual_level: Their usual grey level.
        least_texture: Below this, in grey levels, a place holds no sticker.
        attempts: Those worth making at every place, in order.
        other_reader: The attempt of the second reader, worth its price only where something resembles a sticker.
        reads: By token, the number of successful and of all attempts while it lay in plain view.
    """

    def __init__(self, declared_module_px: float | None) -> None:
        self._declared_px = declared_module_px
        self._modules_px: list[float] = []
        self._textures: list[float] = []
        self._reliefs: list[float] = []  # as shares of the brightness
        self._levels: list[float] = []
        self._usual_relief = 0.0
        self.known = False
        self.usual_level = 255.0
        self.module_px = USUAL_MODULE_PX
        self.least_texture = MIN_TEXTURE_LEVELS
        self.attempts = attempts_for(None)
        self.other_reader = fallback_attempt(None)
        self.reads: dict[Token, tuple[int, int]] = {}

    @property
    def finest_px(self) -> float:
        """The module width of the finest stickers in the full picture.

        Playing cards may have larger ones than the pieces whose size a game declares, and are read more often.
        """
        return self.module_px if self._declared_px is None else min(self.module_px, self._declared_px)

    @property
    def for_large_places(self) -> tuple[DecodeAttempt, ...]:
        """The same attempts in the order for large places, where much is read in vain: the cheapest that is sharpened
        reads most for its price."""
        return tuple(sorted(self.attempts, key=lambda attempt: (not attempt.sharpened, attempt.price)))

    @property
    def all_attempts(self) -> tuple[DecodeAttempt, ...]:
        """Those worth making at every place, with the second reader last."""
        return *self.attempts, self.other_reader

    @property
    def second_round(self) -> tuple[DecodeAttempt, ...]:
        """The attempts at a place that resembles a code after all failed, with the second reader first."""
        return self.other_reader, *self.attempts

    def criteria(self, share: float, *, small: bool = False) -> SearchCriteria:
        """What an unknown code may look like.

        Args:
            share: The least share of a sticker's usual texture.
            small: Accept areas smaller than a sharp code too.
        """
        return SearchCriteria(self.finest_px, share * self._usual_relief, small)

    def learn(self, gray: Gray, detections: Iterable[Detection]) -> None:
        """Add the look of stickers that were read at rest; at least one."""
        for detection in detections:
            levels = float(gray[bounds(detection.corners_px, 0.0, gray.shape)].mean())
            contrast = relief = texture(gray, detection.corners_px, detection.module_px)
            if self._declared_px is not None:  # a small piece on another one must not be missed
                relief = usual_relief(gray, detection.corners_px, self.finest_px)
            self._modules_px.append(detection.module_px)
            self._textures.append(contrast)
            self._reliefs.append(relief / max(levels, 1.0))
            self._levels.append(levels)
        for remembered in (self._modules_px, self._textures, self._reliefs, self._levels):
            del remembered[:-READS_REMEMBERED]
        self.known = True
        self.module_px = sorted(self._modules_px)[len(self._modules_px) // 2]
        self.attempts = attempts_for(self.finest_px)
        self.other_reader = fallback_attempt(self.finest_px)
        self.least_texture = max(MIN_TEXTURE_LEVELS, MIN_TEXTURE_SHARE * _faint(self._textures))
        self._usual_relief = _faint(self._reliefs)
        self.usual_level = sorted(self._levels)[len(self._levels) // 2]

    def note_reread(self, token: Token, *, hit: bool) -> None:
        """A sticker in plain view was read again, or the attempt failed."""
        hits, tries = self.reads.get(token, (0, 0))
        self.reads[token] = hits + hit, tries + 1


def _faint(values: list[float]) -> float:
    """The value that all but the faintest stickers reach."""
    return sorted(values)[len(values) // FAINT_QUANTILE]
