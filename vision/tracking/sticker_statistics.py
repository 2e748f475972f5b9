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
"""How stickers look is told by so many that were read last."""

FAINT_QUANTILE = 5
"""One in so many stickers may show less than what counts as usual."""

MIN_TEXTURE_SHARE = 0.25
"""A place with less than this share of a sticker's usual texture holds none."""


class StickerStatistics:
    """How wide, how textured and how readable stickers are in this picture.

    Args:
        declared_module_px: The width of a module of the smallest thing whose size the game declares; ``None`` where it
            declares none.

    Attributes:
        known: Whether any sticker has been read.
        module_px: The usual width of a module in the full picture, or a guess.
        least_texture: Below this, in grey levels, a place holds no sticker.
        attempts: Those worth making at every place, in their order.
        other_reader: The attempt of the other reader, worth its price only where something like a sticker is.
        reads: By token, how often it was read and how often that was tried, while it lay in plain view.
    """

    def __init__(self, declared_module_px: float | None) -> None:
        self._declared_px = declared_module_px
        self._modules_px: list[float] = []
        self._textures: list[float] = []
        self._reliefs: list[float] = []  # as shares of the brightness
        self._usual_relief = 0.0
        self.known = False
        self.module_px = USUAL_MODULE_PX
        self.least_texture = MIN_TEXTURE_LEVELS
        self.attempts = attempts_for(None)
        self.other_reader = fallback_attempt(None)
        self.reads: dict[Token, tuple[int, int]] = {}

    @property
    def finest_px(self) -> float:
        """How wide a module of the finest stickers is in the full picture: playing cards may have larger ones than the
        things whose size a game declares, and be read more often."""
        return self.module_px if self._declared_px is None else min(self.module_px, self._declared_px)

    @property
    def all_attempts(self) -> tuple[DecodeAttempt, ...]:
        """Those worth making at every place, and the other reader's last."""
        return *self.attempts, self.other_reader

    @property
    def second_round(self) -> tuple[DecodeAttempt, ...]:
        """The attempts at what was read in vain and resembles a code: the other reader's first."""
        return self.other_reader, *self.attempts

    def criteria(self, share: float, *, small: bool = False) -> SearchCriteria:
        """What a code that nobody knows yet may look like.

        Args:
            share: How little of a sticker's usual relief is enough.
            small: What is smaller than a sharp code counts too.
        """
        return SearchCriteria(self.finest_px, share * self._usual_relief, small)

    def learn(self, gray: Gray, detections: Iterable[Detection]) -> None:
        """Take into account how stickers look that were read at rest; at least one."""
        for detection in detections:
            levels = float(gray[bounds(detection.corners_px, 0.0, gray.shape)].mean())
            contrast = relief = texture(gray, detection.corners_px, detection.module_px)
            if self._declared_px is not None:  # what is small and lies on another thing must not be missed
                relief = usual_relief(gray, detection.corners_px, self.finest_px)
            self._modules_px.append(detection.module_px)
            self._textures.append(contrast)
            self._reliefs.append(relief / max(levels, 1.0))
        for remembered in (self._modules_px, self._textures, self._reliefs):
            del remembered[:-READS_REMEMBERED]
        self.known = True
        self.module_px = sorted(self._modules_px)[len(self._modules_px) // 2]
        self.attempts = attempts_for(self.finest_px)
        self.other_reader = fallback_attempt(self.finest_px)
        self.least_texture = max(MIN_TEXTURE_LEVELS, MIN_TEXTURE_SHARE * _faint(self._textures))
        self._usual_relief = _faint(self._reliefs)

    def note_reread(self, token: Token, *, hit: bool) -> None:
        """A sticker in plain view was read again, or was not."""
        hits, tries = self.reads.get(token, (0, 0))
        self.reads[token] = hits + hit, tries + 1


def _faint(values: list[float]) -> float:
    """What all but the faintest stickers show."""
    return sorted(values)[len(values) // FAINT_QUANTILE]
