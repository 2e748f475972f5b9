"""The match at the table: its standing, a seat's view, and moves from phones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, NotRequired, TypedDict

from flask import Response, g, request
from msgspec import Meta

from companion.public.results import EntryJson, MatchId
from companion.public.service import Role, Stale
from companion.public.standing import AvailableMove
from companion.public.text import Text
from web.api.blueprint import one_of, problem_of, route, value_of
from web.language import match_context
from web.middleware.context import context, current_key, current_user, identity, render, services
from web.middleware.problems import Problem
from web.push.serializers import (
    News,
    OfferedCorrectionJson,
    newest_in_match,
    offered_correction_json,
    snapshot_json,
)

CORRECTIONS = (
    *("undo", "claim", "allow", "pause", "resume", "counts", "table-is-right", "log-is-right", "camera-was-wrong"),
    "seat",
)
After = Annotated[int | None, Meta(description="The last entry that the sender knew; 409 if there are newer ones.")]
Meant = Annotated[str | None, Meta(description="The id of the match; without it, the one at the table.")]
InGeneration = Annotated[
    str | None,
    Meta(description="The generation of ``after``, as /standing gives it; 409 if the match has another now."),
]
Switch = Annotated[Any, Meta(extra_json_schema={"type": ["boolean", "null"]})]
"""True or false; checked by the service."""

Resumed = TypedDict(
    "Resumed",
    {
        "Last-Event-ID": Annotated[
            int, Meta(ge=0, description="The last entry that was seen: all later ones follow, then all new ones.")
        ]
    },
    total=False,
)


class ResumedAt(TypedDict, total=False):
    """Where a stream continues."""

    after: Annotated[int, Meta(description="As Last-Event-ID, for clients that cannot set headers.")]
    match: Annotated[
        str,
        Meta(description="The match of that entry; if it is over, the stream begins with the standing."),
    ]
    generation: Annotated[
        str,
        Meta(description="The generation of that entry; if it is another now, the stream begins with the standing."),
    ]


class RunningMatch(TypedDict):
    """The running match: seats, options and the deck with its names; null before the first."""

    match: dict[str, Any] | None


class Offer(TypedDict):
    """A move that may be made now; every combination of the choices is legal."""

    by: int
    do: str
    choices: dict[str, Any]


class SeatInPlay(TypedDict):
    """A seat and its player. For the host also ``why`` the player cannot leave now (or join, if the seat is empty);
    null: it is possible, then ``cards`` cards go from hand to stack (or back), and ``next`` is the seat to move."""

    seat: int
    name: str
    bot: NotRequired[bool]
    here: NotRequired[bool]
    why: NotRequired[str | None]
    cards: NotRequired[int]
    next: NotRequired[int | None]


class SeatView(TypedDict):
    """What a seat sees, and the moves that it may make."""

    match: str | None
    generation: str | None
    number: int
    role: str
    seat: int | None
    offers: list[Offer]
    corrections: Annotated[
        list[OfferedCorrectionJson],
        Meta(description="What this seat can correct now, of what everybody is told; for the host everything."),
    ]
    view: Annotated[Any, Meta(description="The table as this seat may see it, in the game's own shape.")]
    seats: list[SeatInPlay]


class SpokenMove(TypedDict):
    """A move as in the record; further keys depend on its kind."""

    do: Annotated[str, Meta(min_length=1)]
    by: Annotated[int, Meta(ge=0, le=9)]


class CorrectionBody(TypedDict):
    """A correction."""

    do: Annotated[str, one_of(*CORRECTIONS)]
    number: NotRequired[Annotated[int | None, Meta(description="The number of the entry.")]]
    by: NotRequired[Annotated[int | None, Meta(description="Claim: whose move it was, if the host claims it.")]]
    hands: NotRequired[Annotated[list[int] | None, Meta(description="Counts: cards in each hand, seat 1 first.")]]
    stack: NotRequired[Annotated[int | None, Meta(description="Counts: cards in the stack.")]]
    seat: NotRequired[Annotated[int | None, Meta(description="Seat: its number.")]]
    name: NotRequired[Annotated[str | None, Meta(description="Seat: the player's name.")]]
    swaps: NotRequired[Annotated[int | None, Meta(description="Seat: swaps players with this seat.")]]
    here: NotRequired[Annotated[Switch, Meta(description="Seat: a player joined or left.")]]
    anyway: NotRequired[Annotated[Switch, Meta(description="Host: also when later entries no longer hold.")]]
    after: NotRequired[After]
    match: NotRequired[Meant]
    generation: NotRequired[InGeneration]


@route("GET", "/v1/standing", Role.SPECTATOR)
def standing() -> News:
    """The current standing."""
    return snapshot_json(services().match, context().translator, g.language)


@route(
    "GET", "/v1/events", Role.SPECTATOR, sends="text/event-stream", headers=Resumed, query=ResumedAt, problems=(503,)
)
def events() -> Response:
    """The current standing, then all updates."""
    streams = context().streams
    after = request.headers.get("Last-Event-ID", request.args.get("after", ""))
    resumes = after.isascii() and after.isdigit() and len(after) < 10
    subscription = streams.open(identity().address)
    if subscription is None:
        raise Problem(503, Text("problem.screens"), {"Retry-After": "15"})
    known = (request.args.get("match"), request.args.get("generation"))
    events = streams.events(subscription, g.language, int(after) if resumes else None, *known)
    response = Response(events, content_type="text/event-stream; charset=utf-8")
    response.headers.update({"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
    response.call_on_close(lambda: streams.leave(subscription))
    return response


@route("GET", "/v1/match", Role.SPECTATOR)
def match() -> RunningMatch:
    """The running match."""
    now = match_context(services().match).match
    return {"match": None if now is None else dict(now)}


@route("GET", "/v1/seat", Role.SEAT)
def seat() -> SeatView:
    """My role, my view, and the moves that I may make."""
    user = current_user()
    match_service = services().match
    while True:
        update, number, now = newest_in_match(match_service)
        offers, seats = match_service.available_moves(user), match_service.seats(user)
        corrections = match_service.corrections(user)
        view = match_service.view(user) if update else None
        if match_context(match_service).id == now.id:
            break  # else another match has begun; read again
    return {
        "match": now.id,
        "generation": now.generation,
        "number": number,
        "role": user.role.value,
        "seat": user.seat,
        "offers": [_offer(move) for move in offers],
        "corrections": [offered_correction_json(one, render) for one in corrections],
        "view": view,
        "seats": [one | {"why": one["why"] and render(one["why"])} for one in seats],
    }


def _offer(move: AvailableMove) -> Offer:
    return {"by": move.by, "do": move.do, "choices": {key: list(values) for key, values in move.choices.items()}}


@route("POST", "/v1/moves", Role.SEAT, problems=(404,))
def moves(
    move: SpokenMove, after: After = None, match: Meant = None, generation: InGeneration = None
) -> EntryJson | None:
    """Make a move."""
    _check_generation(generation)
    return value_of(services().match.move(current_user(), _checked(move), after, match, request=current_key()))


def _check_generation(generation: object) -> None:
    """Refuse a request from a page that knows entries of another generation; a table changes it only as it starts.

    Raises:
        Problem: It is stale.
    """
    if generation is not None and generation != match_context(services().match).generation:
        raise problem_of(Stale())


def _checked(move: Mapping[str, Any]) -> Mapping[str, Any]:
    do, by = move.get("do"), move.get("by")
    if not isinstance(do, str) or not do:
        raise Problem(422, Text("problem.move", {"example": '{"do": "end_turn", "by": 1}'}))
    if not isinstance(by, int) or isinstance(by, bool) or not 0 <= by <= 9:
        raise Problem(422, Text("problem.by"))
    return move


@route("POST", "/v1/corrections", Role.SEAT, problems=(404,))
def corrections(body: CorrectionBody) -> EntryJson | None:
    """Correct what the referee believes.

    A seat may undo and claim; the host may make every correction.
    """
    _check_generation(body.get("generation"))
    said = {key: value for key, value in body.items() if value is not None and key != "generation"}
    return value_of(services().match.correct(current_user(), said, request=current_key()))


@route("POST", "/v1/answers", Role.HUB, problems=(404,))
def answers(
    question: int, answer: Annotated[int, Meta(ge=0)], match: Meant = None, generation: InGeneration = None
) -> EntryJson | None:
    """Answer an open question, by the answer's place in its list.

    A hub may answer if the host allows it.
    """
    _check_generation(generation)
    return value_of(services().match.answer(current_user(), question, answer, match, request=current_key()))


@route("POST", "/v1/matches", Role.HOST, problems=(404,))
def start(match: Annotated[dict[str, Any], Meta(description="A match file as JSON.")]) -> MatchId:
    """Begin a match and close the running one."""
    return value_of(services().match.start(current_user(), match, request=current_key()))
