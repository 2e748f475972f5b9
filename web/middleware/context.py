"""What every request may use: the services, the words, and who asks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from flask import current_app, g

from companion.public.service import Desk, SystemActions, User
from web.language import Translator
from web.middleware.idempotency import IdempotencyCache
from web.middleware.rate_limit import RateLimiter
from web.push.sse import EventStreams


@dataclass(frozen=True, slots=True)
class Context:
    """What every route reaches: the desk and what stands beside it."""

    desk: Desk
    voice: Translator
    feed: EventStreams
    tries: RateLimiter
    once: IdempotencyCache
    box: SystemActions
    address: str | None = None
    hosts: frozenset[str] = frozenset()
    adopt: Callable[[], str | None] | None = None
    adoptable: Callable[[], bool] = field(default=lambda: False)


def context() -> Context:
    """The door of the running app."""
    found: Context = current_app.extensions["door"]
    return found


def current_user() -> User:
    """Who makes this request."""
    known: User = g.visitor
    return known
