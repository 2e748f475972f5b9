"""Reads the stickers in a single picture file."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

from companion.public.codes import COMMON_LETTERS, sticker_token
from companion.public.table import Token
from vision.camera.sources import read_gray
from vision.codes.decoder import PYZBAR, ZXING, ZXING_SHARPENED, DecodeResult, read_codes
from vision.codes.mirrored import is_mirrored

LARGE_PX = 16_000_000
"""Larger pictures are not enlarged."""

SMALL_PX = 4_000_000
"""Pictures up to this size are also enlarged three times and read by the second reader."""


def scan(path: str | Path, letters: Collection[str] = (COMMON_LETTERS,)) -> dict[str, Any]:
    """The JSON of ``companion scan --json``: image, size_px, sightings, foreign; of a mirrored picture also mirrored.

        >>> import tempfile, cv2, numpy as np
        >>> with tempfile.NamedTemporaryFile(suffix=".png") as file:
        ...     _ = cv2.imwrite(file.name, np.full((480, 640), 255, np.uint8))
        ...     scan(file.name)["size_px"]
        [640, 480]

    Args:
        letters: The letters of all games whose stickers are read; all other codes are foreign.

    Raises:
        InputError: The file does not exist or is not a picture.
    """
    gray = read_gray(Path(path))
    height, width = gray.shape
    attempts = [ZXING[1]]
    if gray.size <= LARGE_PX:
        attempts.append(ZXING[2])
    if gray.size <= SMALL_PX:
        attempts += [ZXING[3], ZXING_SHARPENED[3], PYZBAR]
    ours: dict[Token, tuple[Token, str]] = {}

    def parse(text: str) -> Token | None:
        """The whole text, for two games may have a token in common."""
        for game in letters:
            token = sticker_token(text, game)
            if token is not None:
                ours[Token(text)] = token, game
                return Token(text)
        return None

    reading: DecodeResult = read_codes(gray, attempts, fast=False, parse=parse)
    mirrored = any(is_mirrored(gray, seen.corners_px, str(seen.token)) for seen in reading.detections[:1])
    return {
        "image": str(path),
        "size_px": [width, height],
        "sightings": [
            {
                "token": str(ours[seen.token][0]),
                "corners_px": [[round(x, 2), round(y, 2)] for x, y in seen.corners_px],
                "rotation_deg": round(seen.rotation_deg, 2),
                **({} if ours[seen.token][1] == COMMON_LETTERS else {"letters": ours[seen.token][1]}),
            }
            for seen in sorted(reading.detections, key=lambda seen: (ours[seen.token], seen.corners_px))
        ],
        "foreign": len(reading.unknown),
        **({"mirrored": True} if mirrored else {}),
    }
