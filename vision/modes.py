"""The two ways in which the camera of the project's table is used."""

from __future__ import annotations

from vision.pinhole import Camera

MODES: dict[str, tuple[Camera, float, float]] = {
    "2304x1296": (Camera(tilt_deg=10.0, psf_px=0.7), 30.0, 30.0),
    "4608x2592": (Camera(size_px=(4608, 2592), tilt_deg=10.0, psf_px=0.9), 20.0, 14.0),
}
"""By name: the camera, the stickers' width in mm, pictures a second."""
