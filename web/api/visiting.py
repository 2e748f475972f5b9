"""Visitors play a seat of the simulated table."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from companion.public.results import Visit, Waiting
from companion.public.service import Role, User
from companion.public.table import Seat
from web.api.blueprint import one_of, route, value_of
from web.api.joining import Welcome, welcome
from web.middleware.context import current_user, services


@route("GET", "/v1/simulated/seat", Role.SEAT, problems=(404, 409))
def simulated_seat() -> Visit:
    """Whether I play my simulated seat, and its hand."""
    return value_of(services().visiting.seat(current_user()))


@route("POST", "/v1/simulated/seat", Role.SEAT, problems=(404,))
def play_seat(playing: bool) -> Visit:
    """Take over my seat of the simulated table, or give it back to the bot."""
    return value_of(services().visiting.play(current_user(), playing))


@route("POST", "/v1/simulated/visit", Role.SPECTATOR, problems=(404, 409))
def visit() -> Welcome:
    """Take a seat of the simulated table that nobody plays, without a code; this browser is that seat from now on.

    Who has a seat already plays that one.
    """
    user = current_user()
    if user.role is Role.SEAT:
        value_of(services().visiting.play(user, True))
        return welcome(user)
    seat = value_of(services().visiting.take())["seat"]
    return welcome(User(Role.SEAT, Seat(seat)))


@route("POST", "/v1/simulated/acts", Role.SEAT, problems=(404,))
def simulated_acts(
    do: Annotated[str, one_of("lay", "take", "show", "call")],
    card: Annotated[str, Meta(description="A card's id; for show: KEND, KPASS, KUNDO or KSTOP.")],
    to: Annotated[str | None, Meta(description="For lay: the zone.")] = None,
    beside: Annotated[str | None, Meta(description="For lay: a card that is there.")] = None,
    match: str | None = None,
) -> Waiting:
    """Move a card on the simulated table; the camera sees it, and the referee judges it."""
    act = {"do": do, "card": card, "to": to, "beside": beside, "match": match}
    return value_of(services().visiting.act(current_user(), act))
