"""The projection between table and synthetic picture."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
"""``(..., 2)`` float64: x and y, in the frame of reference that the name ends with: picture ``_px``, table ``_mm``."""


@dataclass(frozen=True, slots=True)
class CameraModel:
    """A camera over the table: a pinhole with one radial distortion term.

    Attributes:
        size_px: Width and height of the picture.
        hfov_deg: Horizontal field of view.
        distance_mm: From the lens to the point that it looks at.
        aim_mm: That point, from the centre of the table.
        tilt_deg: Angle from straight down.
        azimuth_deg: The side of the table at which it stands: 0 = right, 90 = the near edge.
        roll_deg: Clockwise in the picture.
        k1: Radial distortion at one focal length from the centre; negative = barrel.
        psf_px: Sigma of the lens's blur.
        paper_noise_dn: Sigma of the noise on white paper.
        exposure: Brightness of white paper in full light, as a fraction of white.
    """

    size_px: tuple[int, int] = (2304, 1296)
    hfov_deg: float = 66.0
    distance_mm: float = 1035.0
    aim_mm: tuple[float, float] = (0.0, 0.0)
    tilt_deg: float = 5.0
    azimuth_deg: float = 60.0
    roll_deg: float = 0.8
    k1: float = -0.04
    psf_px: float = 0.7
    paper_noise_dn: float = 4.0
    exposure: float = 0.8

    @property
    def focal_px(self) -> float:
        """Focal length in pixels."""
        return self.size_px[0] / 2 / math.tan(math.radians(self.hfov_deg) / 2)


class CameraView:
    """A camera over a table with a known centre: the projection in both directions.

    Arrays of points have shape ``(..., 2)``; heights are millimetres above the table.

        >>> view = CameraView(CameraModel(tilt_deg=0), middle_mm=(450.0, 300.0))
        >>> view.to_px(np.array([(450.0, 300.0)])).tolist()
        [[1151.5, 647.5]]
    """

    def __init__(self, camera: CameraModel, middle_mm: tuple[float, float]) -> None:
        tilt, azimuth, roll = (math.radians(a) for a in (camera.tilt_deg, camera.azimuth_deg, camera.roll_deg))
        aim = np.array([middle_mm[0] + camera.aim_mm[0], middle_mm[1] + camera.aim_mm[1], 0.0])
        # The third axis points down, so that x right, y near, z down is right-handed like the picture.
        away = np.array([math.sin(tilt) * math.cos(azimuth), math.sin(tilt) * math.sin(azimuth), -math.cos(tilt)])
        self._eye = aim + camera.distance_mm * away
        forward = -away
        right = np.cross(np.array([0.0, 1.0, 0.0]), forward)
        right /= np.linalg.norm(right)
        down = np.cross(forward, right)
        turned = math.cos(roll) * right - math.sin(roll) * down, math.sin(roll) * right + math.cos(roll) * down
        self._axes = np.stack([*turned, forward])
        self._k1 = camera.k1
        self._focal_px = camera.focal_px
        self._middle_px = np.array([camera.size_px[0] / 2 - 0.5, camera.size_px[1] / 2 - 0.5])
        self.size_px = camera.size_px
        self.px_per_mm = camera.focal_px / camera.distance_mm

    def to_px(self, points_mm: Points, height_mm: float = 0.0) -> Points:
        """Table points at ``height_mm``, projected into the picture; pixel centres are integers."""
        heights = np.full((*points_mm.shape[:-1], 1), -height_mm)
        seen = (np.concatenate([points_mm, heights], axis=-1) - self._eye) @ self._axes.T
        flat = seen[..., :2] / seen[..., 2:]
        bent = flat * (1 + self._k1 * (flat**2).sum(axis=-1, keepdims=True))
        return np.asarray(bent * self._focal_px + self._middle_px)

    def to_mm(self, points_px: Points, height_mm: float = 0.0) -> Points:
        """The table points at ``height_mm`` at these places of the picture."""
        bent = (points_px - self._middle_px) / self._focal_px
        flat = bent
        for _ in range(8):  # converges by a factor of ten per round for realistic lenses
            flat = bent / (1 + self._k1 * (flat**2).sum(axis=-1, keepdims=True))
        rays = np.concatenate([flat, np.ones((*flat.shape[:-1], 1))], axis=-1) @ self._axes
        reach = (-height_mm - self._eye[2]) / rays[..., 2:]
        return np.asarray(self._eye[:2] + rays[..., :2] * reach)

    def lift(self, points_mm: Points, height_mm: float) -> Points:
        """The points at this height that hide these points of the table from the camera, in table mm."""
        share = 1 - height_mm / -self._eye[2]
        return np.asarray(self._eye[:2] + (points_mm - self._eye[:2]) * share)
