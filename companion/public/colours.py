"""The seats' colours, as in the pages' light style (``web/static/style.css``)."""

from __future__ import annotations

SEAT_COLOURS = (
    "#A8341A", "#1F5FB0", "#3D7418", "#8A3A9C", "#8A6200", "#0F7474", "#9C2A5C", "#4B4FB8", "#5A5A5A",
)  # fmt: skip
"""Seat 1 first."""
