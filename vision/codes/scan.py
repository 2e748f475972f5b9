"""Reads the stickers in single pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from vision.camera.sources import read_gray
from vision.codes.decoder import PYZBAR, ZXING, ZXING_SHARPENED, DecodeResult, read_codes

LARGE_PX = 16_000_000
"""Larger pictures are not enlarged."""

SMALL_PX = 4_000_000
"""Pictures up to this size are enlarged three times and shown to the second reader too."""


def scan(path: str | Path) -> dict[str, Any]:
    """What ``companion scan --json`` prints of a picture: image, size_px, sightings, foreign.

    Raises:
        InputError: The file is not there or is no picture.
    """
    gray = read_gray(Path(path))
    height, width = gray.shape
    attempts = [ZXING[1]]
    if gray.size <= LARGE_PX:
        attempts.append(ZXING[2])
    if gray.size <= SMALL_PX:
        attempts += [ZXING[3], ZXING_SHARPENED[3], PYZBAR]
    reading: DecodeResult = read_codes(gray, attempts, fast=False)
    return {
        "image": str(path),
        "size_px": [width, height],
        "sightings": [
            {
                "token": str(seen.token),
                "corners_px": [[round(x, 2), round(y, 2)] for x, y in seen.corners_px],
                "rotation_deg": round(seen.rotation_deg, 2),
            }
            for seen in reading.detections
        ],
        "foreign": len(reading.unknown),
    }
