"""The JSON API under ``/api/v1``: one module for each subject, all on one blueprint.

Stands on ``web.middleware``, ``web.push`` and ``companion.public``; turns requests into calls of a service and lets go.
"""

from web.api import archive, decks, eye, joining, match, recording, system, uploads, visiting
from web.api.blueprint import api

__all__ = [
    "api",
    "archive",
    "decks",
    "eye",
    "joining",
    "match",
    "recording",
    "system",
    "uploads",
    "visiting",
]
