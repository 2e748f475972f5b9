"""Headers that tell a browser what a page may do, the same for tables and hubs."""

from __future__ import annotations

from flask import Response


def secure(response: Response, policy: str, framers: str = "") -> None:
    """Add them where the route has set none.

    Args:
        policy: The page's Content-Security-Policy, without who may frame it.
        framers: The origins that may show it in a frame; empty = none.
    """
    headers = response.headers
    headers.setdefault("X-Content-Type-Options", "nosniff")
    # "no-referrer" would make a form's Origin "null", which is turned away.
    headers.setdefault("Referrer-Policy", "same-origin")
    if response.mimetype == "text/html":
        frame_ancestors = framers or "'none'"
        headers.setdefault("Content-Security-Policy", f"{policy}; frame-ancestors {frame_ancestors}")
        if not framers:
            headers.setdefault("X-Frame-Options", "DENY")
