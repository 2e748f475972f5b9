"""People ask for a free seat, and are let in."""

from __future__ import annotations

from typing import Annotated, TypedDict

from msgspec import Meta

from companion.public.results import SEAT_MODES, AnsweredSeat, Asked, SeatMode
from companion.public.service import Role
from companion.public.text import Text
from web.api.blueprint import one_of, route, value_of
from web.api.joining import Welcome, welcome
from web.middleware.context import current_user, identity, services
from web.middleware.problems import Problem


class WaitingPhone(TypedDict):
    """A phone that waits to be let in; unanswered is no."""

    number: int
    seat: int
    name: Annotated[str, Meta(description="As typed; the seat is called so when the phone is let in.")]
    left_s: Annotated[int, Meta(description="Seconds until it is over.")]


class FreeSeats(TypedDict):
    """Who may take a seat without its code."""

    mode: Annotated[str, one_of(*SEAT_MODES)]
    free: Annotated[list[int], Meta(description="The seats of people for whom no phone speaks yet.")]
    waiting: Annotated[list[WaitingPhone], Meta(description="For whoever may answer: who waits.")]


class Joined(TypedDict):
    """What became of a request: null while it waits."""

    welcome: Welcome | None
    left_s: int


@route("GET", "/v1/seats", Role.SPECTATOR)
def free_seats() -> FreeSeats:
    """Which seats are free, and for whoever may answer, who asks for one."""
    state = services().seat_requests.state(current_user())
    return {
        "mode": state.mode,
        "free": [int(seat) for seat in state.free],
        "waiting": [
            {"number": one.number, "seat": int(one.seat), "name": one.name, "left_s": one.left_s}
            for one in state.waiting
        ],
    }


@route("POST", "/v1/seats/ask", Role.SPECTATOR, problems=(404, 409))
def ask_for_seat(
    seat: int,
    name: str,
    instead: Annotated[str | None, Meta(description="The key of an earlier request, which is taken back.")] = None,
) -> Asked:
    """Ask for a free seat of the match at the table."""
    return value_of(services().seat_requests.ask(identity().address, seat, name, instead))


@route("POST", "/v1/seats/join", Role.SPECTATOR, problems=(409,))
def join_as_asked(key: str) -> Joined:
    """Join as the seat that I asked for, as soon as I was let in; until then I wait. 409: no, or nobody answered."""
    found = value_of(services().seat_requests.joined(key))
    if found["code"] is None:
        return {"welcome": None, "left_s": found["left_s"]}
    user = services().match.user(found["code"])
    if user is None:
        raise Problem(403, Text("join.unknown"))
    return {"welcome": welcome(user, found["code"]), "left_s": found["left_s"]}


@route("POST", "/v1/seats/answer", Role.SEAT, problems=(409,))
def answer_request(number: int, yes: bool) -> AnsweredSeat:
    """Let a phone in, or not; a seat may at a table without a host."""
    return value_of(services().seat_requests.answer(current_user(), number, yes))


@route("POST", "/v1/seats/mode", Role.HOST)
def set_seat_mode(mode: Annotated[str, one_of(*SEAT_MODES)]) -> SeatMode:
    """Who may take a seat without its code."""
    return value_of(services().seat_requests.set_mode(current_user(), mode))
