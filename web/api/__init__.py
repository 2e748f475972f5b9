"""The JSON API under ``/api/v1``: one module for each subject, all on one blueprint.

Imports ``web.middleware``, ``web.push`` and ``companion.public``. A route calls a service and returns its result.
"""

from web.api import archive, decks, eye, joining, match, recording, seats, system, uploads, visiting
from web.api.blueprint import api

__all__ = [
    "api",
    "archive",
    "decks",
    "eye",
    "joining",
    "match",
    "recording",
    "seats",
    "system",
    "uploads",
    "visiting",
]
