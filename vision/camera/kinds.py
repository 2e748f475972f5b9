"""The cameras that come with the companion. A camera is a function that opens it; its entry point in
``companion.cameras`` is named as ``--source`` names it before the colon, and the function is given what stands after.
"""

from __future__ import annotations

from vision.camera.frame import FrameSource


def picamera(named: str) -> FrameSource:
    """A Raspberry Pi's own camera: ``picamera``, ``picamera:1``."""
    from vision.camera.picamera import PiCamera  # only a Pi has picamera2

    return PiCamera(named.strip())


def usb(named: str) -> FrameSource:
    """A USB camera by its number or a part of its name: ``usb:0``, ``usb:NAME``."""
    from vision.camera.usb import UsbCamera

    return UsbCamera(named)


def http(named: str) -> FrameSource:
    """A network camera: ``http://HOST/PATH``."""
    return _network(f"http:{named}")


def https(named: str) -> FrameSource:
    """A network camera: ``https://HOST/PATH``."""
    return _network(f"https:{named}")


def rtsp(named: str) -> FrameSource:
    """A network camera: ``rtsp://HOST/PATH``."""
    return _network(f"rtsp:{named}")


def rtsps(named: str) -> FrameSource:
    """A network camera: ``rtsps://HOST/PATH``."""
    return _network(f"rtsps:{named}")


def _network(address: str) -> FrameSource:
    from vision.camera.network import NetworkCamera

    return NetworkCamera(address)
