"""Phones join as a seat or as the host, and leave."""

from __future__ import annotations

from typing import Annotated, TypedDict

from flask import Response, after_this_request
from msgspec import Meta

from companion.public.service import Role, User
from companion.public.table import Seat
from companion.public.text import Text
from web.api.blueprint import one_of, route, value_of
from web.middleware.access import announce, forget_code, long_code, other_role, recognise, remember_code
from web.middleware.context import context, current_user, identity, services
from web.middleware.problems import Problem

HUB_DOES = ("open", "close", "allow", "forbid")


class Person(TypedDict):
    """A user's role, and the number of a seat."""

    role: Annotated[str, one_of("spectator", "seat", "host")]
    seat: int | None


class Welcome(Person):
    """The role of this browser or script from now on."""

    code: Annotated[str, Meta(description="For `Authorization: Bearer`; browsers keep it in a cookie.")]


class Invitation(Person):
    """A code to hand out: the long one for links, the short one to type."""

    code: str
    short: str


class Invitations(TypedDict):
    """The codes that this user may hand out."""

    invitations: list[Invitation]


class HubWelcome(TypedDict):
    """The code that a hub must send from now on, and the table's id and name."""

    code: str
    id: str
    name: str


class HubState(TypedDict):
    """What a hub may do at this table."""

    id: str
    answers: bool
    code: Annotated[str | None, Meta(description="The code to type at the hub, for the host; null: there is none.")]


@route("POST", "/v1/join", Role.SPECTATOR)
def join(code: str) -> Welcome:
    """Join as the seat or the host of this code."""
    user = recognise(code)
    if user is None or user.role is Role.HUB:
        raise Problem(403, Text("join.unknown"))
    return welcome(user, code)


@route("POST", "/v1/leave", Role.SPECTATOR)
def leave() -> Person:
    """Leave: this browser becomes a spectator, or the host again if it had taken a seat as the host."""
    # A phone that comes back is not a new one.
    context().joined.keep(identity().code, False)
    services().seat_requests.left(current_user())

    @after_this_request
    def forget(response: Response) -> Response:
        forget_code(response)
        return response

    return {"role": (other_role() or Role.SPECTATOR).value, "seat": None}


@route("POST", "/v1/host", Role.SPECTATOR)
def adopt() -> Welcome:
    """Become the host of a machine that has no host yet."""
    first_phone = context().first_phone
    code = first_phone.claim() if first_phone else None
    user = services().match.user(code) if code else None
    if user is None:
        raise Problem(403, Text("problem.host_taken"))
    return welcome(user, code or "")


def welcome(user: User, given: str = "") -> Welcome:
    """The answer that gives this browser its role."""
    code = long_code(user, given)
    announce(user, code)
    _keep(user, code)
    return {"role": user.role.value, "seat": user.seat, "code": code}


def _keep(user: User, code: str) -> None:
    """Keep this user's code in the browser that sent the request."""

    @after_this_request
    def remember(response: Response) -> Response:
        remember_code(response, user, code)
        return response


@route("GET", "/v1/invitations", Role.SEAT)
def invitations() -> Invitations:
    """The codes that I may hand out."""
    codes = services().match.join_codes(current_user())
    return {
        "invitations": [
            {"role": one.user.role.value, "seat": one.user.seat, "code": one.code, "short": one.short} for one in codes
        ]
    }


@route("POST", "/v1/invitations", Role.HOST, problems=(404,))
def renew_invitations(renew: Annotated[str, one_of("seat", "host", "all")], seat: int | None = None) -> Invitations:
    """Make new codes and invalidate the old ones.

    Phones that joined with an old code must join again, except the one that sent this request.
    """
    match renew, seat:
        case "seat", int(number):
            whose: User | None = User(Role.SEAT, Seat(number))
        case "host", None:
            whose = User(Role.HOST)
        case "all", None:
            whose = None
        case _:
            raise Problem(422, Text("problem.renew", {"example": '{"renew": "seat", "seat": 2}'}))
    value_of(services().match.renew_join_codes(current_user(), whose))
    if whose is None or whose.role is Role.HOST:
        _keep(current_user(), long_code(current_user(), ""))
    return invitations()


@route("POST", "/v1/hub/join", Role.SPECTATOR)
def join_hub(code: str) -> HubWelcome:
    """Become the hub of this table."""
    user = recognise(code)
    long = None if user is None or user.role is not Role.HUB else services().match.hub_long_code()
    if long is None:
        raise Problem(403, Text("join.unknown"))
    return {"code": long, "id": context().system.id, "name": context().system.name}


@route("GET", "/v1/hub", Role.HUB)
def hub() -> HubState:
    """Whether referees may answer from a hub; for the host also the code to type there."""
    match = services().match
    return {"id": context().system.id, "answers": match.hub_answers(), "code": match.hub_code(current_user())}


@route("POST", "/v1/hub", Role.HOST, problems=(404,))
def set_hub(do: Annotated[str, one_of(*HUB_DOES)]) -> HubState:
    """Create or revoke the hub's code; allow or forbid it to answer, which a new code may not."""
    if do not in HUB_DOES:
        raise Problem(422, Text("problem.hub", {"what": do[:20]}))
    value_of(services().match.set_hub(current_user(), do))
    return hub()
