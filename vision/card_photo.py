"""A picture of a card as a phone took it, made small and plain: what is kept of it is pixels alone."""

from __future__ import annotations

import cv2
import numpy as np

from companion.errors import InputError, fault
from companion.public.reading import picture_size

SIDE_PX = 800
"""The longest side of what is kept."""

QUALITY = 82
MOST_PX = 64_000_000
"""Baseline JPEG is decoded at a fraction of its size, so that a large one takes little memory."""

MOST_WHOLE_PX = 16_000_000
"""All else is decoded whole, at three bytes a pixel and more."""


def card_photo(data: bytes) -> bytes:
    """A small JPEG without anything that the phone wrote into the file (where it was, whose it is).

    Its size is read from its header before anything is decoded: a small file can hold a huge picture.

    Args:
        data: A JPEG, PNG or WebP file.

    Raises:
        InputError: It is none of them, too large or damaged.
    """
    size = picture_size(data)
    if size is None:
        raise InputError(fault("picture.fault.kind", "this is no JPEG, PNG or WebP picture"))
    width, height, whole = size
    most = MOST_WHOLE_PX if whole else MOST_PX
    if width * height > most:
        sentence = "the picture has {found} million pixels, {most} at most can be taken: take a smaller one"
        megapixels = round(width * height / 1e6)
        raise InputError(fault("picture.fault.large", sentence, found=megapixels, most=most // 1_000_000))
    less = next((n for n in (8, 4, 2) if max(width, height) >= n * SIDE_PX and not whole), 1)
    flags = {1: cv2.IMREAD_COLOR, 2: cv2.IMREAD_REDUCED_COLOR_2, 4: cv2.IMREAD_REDUCED_COLOR_4}
    try:
        picture: object = cv2.imdecode(np.frombuffer(data, np.uint8), flags.get(less, cv2.IMREAD_REDUCED_COLOR_8))
    except cv2.error:
        picture = None
    if not isinstance(picture, np.ndarray) or not picture.size:
        raise InputError(fault("picture.fault.damaged", "the picture is damaged: take it again"))
    scale = SIDE_PX / max(picture.shape[:2])
    if scale < 1:
        picture = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    _, packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return packed.tobytes()
