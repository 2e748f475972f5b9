"""What libcamera's virtual camera lacks of a Pi's, put into the released picamera2 wherever that is imported.

Everything else is picamera2 and libcamera as released. Replaced are:

- ``pykms``, which only shows pictures on a screen, is no package of Debian's;
- the virtual camera has no raw modes, which picamera2 wants to know when it opens a camera;
- its pictures are NV12 in two planes of one buffer, a Pi's are YUV420 in one;
- it does not say whether a picture is good;
- it gives pictures as fast as they are taken, so each waits here until it is due;
- where the kernel has no dma heap, its buffers are files in memory;
- it cannot be unplugged: while a file of this name is there, it gives nothing more, and is not found.
"""

# ruff: noqa: SLF001 - the parts that are replaced are private
from __future__ import annotations

import ctypes
import os
import sys
import time
from importlib.abc import MetaPathFinder
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

FRAME_S = 1 / 14
UNPLUGGED = Path("/tmp/unplugged")


def add_parts() -> None:
    """Change the picamera2 that was just imported."""
    import libcamera
    from picamera2 import Picamera2
    from picamera2.allocators import dmaallocator

    Picamera2._get_raw_modes = lambda _: [{"format": "NV12", "size": (4608, 2592)}]
    dmaallocator.libcamera = SimpleNamespace(FrameBuffer=two_planes(libcamera.FrameBuffer))
    if not Path("/dev/dma_heap").exists():
        dmaallocator.DmaHeap = MemoryHeap
        dmaallocator.fcntl = SimpleNamespace(ioctl=lambda *_: 0)
    Picamera2.process_requests = one_by_one(Picamera2.process_requests)
    found = Picamera2.global_camera_info
    Picamera2.global_camera_info = staticmethod(lambda: [] if UNPLUGGED.exists() else found())


def two_planes(real: Any) -> Any:
    """libcamera's buffer, whose one plane becomes two: the grey picture, and half as much for the colours."""

    def make(planes: list[Any]) -> Any:
        (gray,) = planes
        colours = real.Plane()
        colours.fd, colours.offset, colours.length = gray.fd, gray.length * 2 // 3, gray.length // 3
        gray.length = colours.offset
        clear_small_memory()
        return real([gray, colours])

    make.Plane = real.Plane  # type: ignore[attr-defined]
    return make


def clear_small_memory() -> None:
    """Fill with zeros what the next small objects are made of: libcamera 0.4.0 never says that a picture of its virtual
    camera is good, and takes for its state what lies there. Zero is "good"."""
    sizes = [size for size in range(24, 520, 16) for _ in range(4)]
    taken = [libc.malloc(size) for size in sizes]
    for address, size in zip(taken, sizes, strict=True):
        ctypes.memset(address, 0, size)
        libc.free(address)


libc = ctypes.CDLL(None)
libc.malloc.restype, libc.free.argtypes = ctypes.c_void_p, [ctypes.c_void_p]


def one_by_one(process: Any) -> Any:
    """``Picamera2.process_requests`` at the camera's rate; the pictures of one that is unplugged never come."""
    kept = []

    def process_requests(camera: Any, display: Any) -> None:
        with camera._requestslock:
            ready, camera._requests = camera._requests, []
        if UNPLUGGED.exists():
            kept.extend(ready)
            ready = []
        if not ready:
            process(camera, display)  # it may be asked to stop
        for request in ready:
            time.sleep(FRAME_S)
            with camera._requestslock:
                camera._requests.insert(0, request)
            process(camera, display)

    return process_requests


class MemoryHeap:
    """A dma heap of ordinary memory."""

    def alloc(self, name: str, size: int) -> Any:
        from picamera2.dma_heap import UniqueFD

        file = os.memfd_create(name)
        os.ftruncate(file, size)
        return UniqueFD(file)

    def close(self) -> None:
        """Nothing is open."""


class Finder(MetaPathFinder):
    """Finds picamera2 as usual, and changes it once it is imported."""

    def find_spec(self, name: str, _path: object, _target: object = None) -> Any:
        if name != "picamera2":
            return None
        sys.meta_path.remove(self)
        sys.modules["pykms"] = MagicMock()
        spec = find_spec(name)
        assert spec is not None
        assert spec.loader is not None
        load = spec.loader.exec_module

        def load_and_change(module: Any) -> None:
            load(module)
            add_parts()

        spec.loader.exec_module = load_and_change  # type: ignore[method-assign]
        return spec


sys.meta_path.insert(0, Finder())
