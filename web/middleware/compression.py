"""Compresses text: all phones share the bandwidth of the machine's own Wi-Fi.

Scripts and style sheets travel without comments that have lines of their own, which are a fifth of them; lines keep
their numbers.
"""

from __future__ import annotations

import gzip
import re
from functools import lru_cache

from flask import Request, Response

MIN_BYTES = 256
"""Below this size compression gains nothing."""

LONG_BYTES = 65536

TEXT_TYPES = ("image/svg+xml", "text/css", "text/html", "text/javascript")
"""The types that pages consist of; JSON stays uncompressed for simple clients."""


COMMENTED_TYPES = ("text/css", "text/javascript")

_COMMENT = re.compile(rb"^[ \t]*(?://[^\n]*|/\*(?:(?!\*/).)*\*/[ \t]*)$", re.MULTILINE | re.DOTALL)


@lru_cache(maxsize=256)
def without_comments(text: bytes) -> bytes:
    """A script or style sheet without the comments that fill whole lines.

    >>> without_comments(b"// Why.\\nlet a = 1; // what\\n/** Two\\n * lines. */\\n/** @type {A} */ (a);\\n")
    b'\\nlet a = 1; // what\\n\\n\\n/** @type {A} */ (a);\\n'
    """
    return _COMMENT.sub(lambda comment: b"\n" * comment.group().count(b"\n"), text)


def packed(text: bytes) -> bytes:
    """A text, gzipped: as small as can be, and a long one, such as a long match's page, in half that time."""
    return gzip.compress(text, 9 if len(text) < LONG_BYTES else 6, mtime=0)


_packed_script = lru_cache(maxsize=256)(packed)
"""Of scripts and style sheets, which stay the same."""


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
    if response.mimetype in COMMENTED_TYPES:
        text = without_comments(text)
    if len(text) >= MIN_BYTES:
        text = _packed_script(text) if response.mimetype in COMMENTED_TYPES else packed(text)
        response.headers["Content-Encoding"] = "gzip"
    response.set_data(text)
    tag, _ = response.get_etag()
    if tag:
        # What a client gets that takes no gzip has the same content, but not the same bytes.
        response.set_etag(tag, weak=True)
    response.vary.add("Accept-Encoding")
    return response
