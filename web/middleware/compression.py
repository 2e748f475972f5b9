"""Compresses text: all phones share the bandwidth of the machine's own Wi-Fi."""

from __future__ import annotations

import gzip

from flask import Request, Response

MIN_BYTES = 1024
"""Below this size compression gains nothing."""

TEXT_TYPES = ("image/svg+xml", "text/css", "text/html", "text/javascript")
"""The types that pages consist of; JSON stays uncompressed for simple clients."""


def compress(asking: Request, response: Response) -> Response:
    """The response with its text gzipped, if the browser accepts it and it is large enough; streams are left alone."""
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
            # Two encodings of a file have the same content, but not the same bytes.
            response.set_etag(tag, weak=True)
    response.vary.add("Accept-Encoding")
    return response
