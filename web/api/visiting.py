"""A seat of the simulated table in a visitor's own hands: contract, section 8."""

from __future__ import annotations

from flask import Response, request

from companion.public.service import Role
from web.api.blueprint import api, to_response
from web.middleware.access import role
from web.middleware.context import current_user, services
from web.middleware.request_body import json_body


@api.get("/v1/simulated/seat")
@role(Role.SEAT)
def simulated_seat() -> Response:
    """Whether I play my seat myself, and what it holds then."""
    return to_response(services().visiting.seat(current_user()))


@api.post("/v1/simulated/seat")
@role(Role.SEAT)
def play_seat() -> Response:
    """Take my seat into my own hands, or give it back to the dice."""
    playing = json_body(request, required={"playing": bool})["playing"]
    return to_response(services().visiting.play(current_user(), playing))


@api.post("/v1/simulated/acts")
@role(Role.SEAT)
def simulated_acts() -> Response:
    """Have my hand lay a card, take one back, show a command card, or call out for a card."""
    body = json_body(request, required={"do": str, "card": str}, optional={"to": str, "beside": str, "match": str})
    return to_response(services().visiting.act(current_user(), body))
