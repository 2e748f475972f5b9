"""What every request may use: the services, the words, and who asks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from flask import current_app, g

from companion.public.service import Box, Desk, Visitor
from web.language import Voice
from web.middleware.idempotency import Once
from web.middleware.rate_limit import Tries
from web.push.sse import Feed


@dataclass(frozen=True, slots=True)
class Door:
    """What every route reaches: the desk and what stands beside it."""

    desk: Desk
    voice: Voice
    feed: Feed
    tries: Tries
    once: Once
    box: Box
    address: str | None = None
    hosts: frozenset[str] = frozenset()
    adopt: Callable[[], str | None] | None = None
    adoptable: Callable[[], bool] = field(default=lambda: False)


def door() -> Door:
    """The door of the running app."""
    found: Door = current_app.extensions["door"]
    return found


def visitor() -> Visitor:
    """Who makes this request."""
    known: Visitor = g.visitor
    return known
