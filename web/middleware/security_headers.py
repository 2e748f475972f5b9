"""The headers that limit what a page may do, the same for tables and hubs."""

from __future__ import annotations

from flask import Response


def secure(response: Response, policy: str, framers: str = "") -> None:
    """Add the headers that the route has not set itself.

    Args:
        policy: The page's Content-Security-Policy, without ``frame-ancestors``.
        framers: The origins that may frame the page; empty = none.
    """
    headers = response.headers
    headers.setdefault("X-Content-Type-Options", "nosniff")
    # "no-referrer" would make a form's Origin "null", which is refused.
    headers.setdefault("Referrer-Policy", "same-origin")
    if response.mimetype == "text/html":
        frame_ancestors = framers or "'none'"
        headers.setdefault("Content-Security-Policy", f"{policy}; frame-ancestors {frame_ancestors}")
        if not framers:
            headers.setdefault("X-Frame-Options", "DENY")
