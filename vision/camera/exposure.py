"""How bright a camera's pictures are: the paper of the table's tags is kept between grey and burnt out.

A camera's own automatic looks at the whole picture. Over a dark table it burns out the white of the stickers, which
alone matters. A camera that can be told its exposure is told by that white.
"""

from __future__ import annotations

import logging
from typing import Protocol, runtime_checkable

log = logging.getLogger(__name__)

PAPER_DN = (150.0, 200.0)
"""Where the tags' paper may lie, of 255: above it stickers nearer to the lamp than the tags burn out, below it noise
grows.
"""

BURNT_DN = 240.0
"""From here on nobody knows how much too bright a picture is."""

LASTS_S = 2.0
"""Light is followed once it has been wrong for this long: a head over a tag is no other light."""

EVERY_S, APPLIED_S = 1.0, 1.5
"""How often the paper is looked at; and the time that a camera takes to obey."""

UNSEEN_S, LOST_S = 4.0, 15.0
"""In the dark for this long, or without a table, the camera's automatic is asked again."""

LARGEST_STEP = 2.0

DARKER_SHARE = 0.3
"""The light of a darker picture: a lamp's mirror image on a sleeve is up to three times as bright as paper."""

LONGEST_EXPOSURE_US = 20_000
"""Short enough for moving hands."""


@runtime_checkable
class AdjustableCamera(Protocol):
    """A camera that can be told its exposure."""

    def brighten(self, factor: float) -> bool:
        """Take in this many times as much light from now on; ``False`` if the camera can go no further this way."""

    def find_light(self) -> None:
        """Let the camera's automatic find an exposure, and keep what it found."""


@runtime_checkable
class TwoExposures(Protocol):
    """A camera that can take a darker picture now and then.

    Attributes:
        darker: Whether it may be asked for one.
    """

    darker: bool

    def look_darker(self, share: float) -> None:
        """Give one picture with this share of the light, soon, with ``Frame.is_darker``; then as before.

        A camera that cannot gives none. Pictures on the way to either light are never given.
        """


class ExposureControl:
    """Tells a camera its exposure by the paper of the tags, look by look; times are the frames' ``taken_s``.

    >>> class Camera:
    ...     light = 1.6
    ...     def brighten(self, factor):
    ...         self.light *= factor
    ...         return True
    ...     def find_light(self): ...
    >>> camera = Camera()
    >>> control = ExposureControl(camera)
    >>> for second in range(9):
    ...     control.see(min(255.0, 200.0 * camera.light), float(second))
    >>> 150 <= 200 * camera.light <= 200
    True
    """

    def __init__(self, camera: AdjustableCamera) -> None:
        self._camera = camera
        self._seen_s = self._told_s = float("-inf")
        self._wrong_since_s: float | None = None
        self._unseen_since_s: float | None = None
        self._at_end = 0
        """1 if the camera cannot take in more light, -1 if not less."""

    def is_due(self, taken_s: float) -> bool:
        """Whether the paper should be looked at in this frame, if nothing moves."""
        return taken_s - self._seen_s >= EVERY_S and taken_s - self._told_s >= APPLIED_S

    def see(self, paper_dn: float | None, taken_s: float) -> None:
        """Take note of the paper's grey level in a frame in which nothing moves; ``None`` = every tag is covered."""
        self._seen_s, self._unseen_since_s = taken_s, None
        low, high = PAPER_DN
        if paper_dn is None or low <= paper_dn <= high:
            self._wrong_since_s = None
            return
        if self._wrong_since_s is None:
            self._wrong_since_s = taken_s
        if taken_s - self._wrong_since_s < LASTS_S:
            return
        # In proportion, though cameras answer by less: so it comes near in some steps and never swings.
        wanted = (low + high) / 2 / paper_dn if paper_dn < BURNT_DN else 0.0
        factor = min(max(wanted, 1 / LARGEST_STEP), LARGEST_STEP)
        way = 1 if factor > 1 else -1
        if way == self._at_end:
            return
        self._told_s, self._at_end = taken_s, 0
        log.info("exposure: the tags' paper is at %.0f of 255, told %.2f times the light", paper_dn, factor)
        if not self._camera.brighten(factor):
            self._at_end = way
            log.warning("exposure: the camera cannot take in %s light", "more" if way > 0 else "less")

    def miss(self, taken_s: float, *, dark: bool) -> None:
        """Take note of a frame in which the table is not found, or in which it is too dark to see anything."""
        if self._unseen_since_s is None:
            self._unseen_since_s = taken_s
        if taken_s - self._unseen_since_s >= (UNSEEN_S if dark else LOST_S):
            self._unseen_since_s, self._wrong_since_s = taken_s, None
            self._told_s, self._at_end = taken_s, 0
            self._camera.find_light()


def divided(light_us: float, half_wave_us: float, usual_us: float, most_gain: float) -> tuple[float, float]:
    """Exposure and gain for an amount of light, in microseconds at gain 1.

    The exposure is whole half waves of the mains, so that lamps cause no bands. Only in daylight, where half a wave is
    too long, it is shorter.

    >>> divided(26_000, 10_000, 10_000, 16.0), divided(4_000, 10_000, 20_000, 16.0)
    ((10000, 2.6), (4000, 1.0))

    Args:
        usual_us: The exposure that is kept as long as the gain can do the rest.
        most_gain: The camera's limit.
    """
    if light_us < half_wave_us:
        return light_us, 1.0
    exposure_us = min(usual_us, light_us // half_wave_us * half_wave_us)
    if light_us / exposure_us > most_gain:
        exposure_us = max(LONGEST_EXPOSURE_US // half_wave_us, 1) * half_wave_us
    return exposure_us, min(light_us / exposure_us, most_gain)
