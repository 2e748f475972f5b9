"""Sends text small: phones on a box's own Wi-Fi share little air."""

from __future__ import annotations

import gzip

from flask import Request, Response

MIN_BYTES = 1024
"""Bytes below which squeezing gains nothing."""

TEXT_TYPES = ("image/svg+xml", "text/css", "text/html", "text/javascript")
"""What pages are made of; answers to scripts stay plain for plain clients."""


def compress(asking: Request, response: Response) -> Response:
    """The response with its text gzipped, where the browser takes it and it is worth it; streams stay as they are."""
    if (
        response.mimetype not in TEXT_TYPES
        or response.status_code != 200
        or asking.method == "HEAD"
        or "Content-Encoding" in response.headers
        or asking.accept_encodings.quality("gzip") <= 0
    ):
        return response
    response.direct_passthrough = False
    text = response.get_data()
    if len(text) >= MIN_BYTES:
        response.set_data(gzip.compress(text, 5, mtime=0))
        response.headers["Content-Encoding"] = "gzip"
        tag, _ = response.get_etag()
        if tag:
            # Two encodings of a file are the same file, but not the same bytes.
            response.set_etag(tag, weak=True)
    response.vary.add("Accept-Encoding")
    return response
