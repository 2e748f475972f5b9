"""A seat of the simulated table in a visitor's own hands."""

from __future__ import annotations

from typing import Annotated, NotRequired, TypedDict

from msgspec import Meta

from companion.public.service import Role
from web.api.blueprint import one_of, route, value_of
from web.middleware.context import current_user, services


class Visit(TypedDict):
    """Whether I play my simulated seat; all but ``match`` and ``playing`` is there only while I do."""

    match: str | None
    playing: bool
    hand: NotRequired[list[str]]
    called: NotRequired[
        Annotated[str | None, Meta(description="The called card, on its way through my hand to the tree.")]
    ]
    astray: NotRequired[
        Annotated[list[str], Meta(description="Cards that I laid and that do not belong where they lie.")]
    ]
    zones: NotRequired[Annotated[list[str], Meta(description="Where cards can be laid.")]]
    waiting: NotRequired[Annotated[int, Meta(description="Gestures that wait for the hand.")]]


class Waiting(TypedDict):
    """How much the hand has still to do."""

    waiting: int


@route("GET", "/v1/simulated/seat", Role.SEAT, problems=(404, 409))
def simulated_seat() -> Visit:
    """Whether I play my simulated seat, and what it holds."""
    return value_of(services().visiting.seat(current_user()))


@route("POST", "/v1/simulated/seat", Role.SEAT, problems=(404,))
def play_seat(playing: bool) -> Visit:
    """Take my seat of the simulated table into my own hands, or give it back to the dice."""
    return value_of(services().visiting.play(current_user(), playing))


@route("POST", "/v1/simulated/acts", Role.SEAT, problems=(404,))
def simulated_acts(
    do: Annotated[str, one_of("lay", "take", "show", "call")],
    card: Annotated[str, Meta(description="A card's id; show: KEND, KPASS, KUNDO or KSTOP.")],
    to: Annotated[str | None, Meta(description="Lay: the zone.")] = None,
    beside: Annotated[str | None, Meta(description="Lay: a card that lies there.")] = None,
    match: str | None = None,
) -> Waiting:
    """Have my hand do something on the simulated table; the camera sees it, and the referee judges it."""
    act = {"do": do, "card": card, "to": to, "beside": beside, "match": match}
    return value_of(services().visiting.act(current_user(), act))
