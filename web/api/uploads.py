"""Files that the host sends in pieces over HTTP: a backup that comes back, and a newer version of the program."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired, TypedDict

from flask import g, request
from msgspec import Meta

from companion.public.machine import UploadService
from companion.public.service import Result, Role
from companion.public.text import JSON, Text
from web.api.blueprint import Media, one_of, route, value_of
from web.middleware.context import context, current_user, render
from web.middleware.problems import Problem, unknown_deed

PIECE_BYTES = 4 * 1024 * 1024
"""A piece has so many bytes at most: seconds of a Wi-Fi, and lost is only the piece."""
PIECE = Media("4 MB at most.", ("application/octet-stream",), PIECE_BYTES)
LONGEST_NAME = 80
FromZero = Annotated[int, Meta(ge=0)]


class UploadState(TypedDict):
    """How far the file is; all but ``idle`` has name, bytes, received and why."""

    state: Annotated[str, one_of("idle", "coming", "checking", "ready", "refused", "taken")]
    last: Annotated[str | None, Meta(description="What came of the last one.")]
    name: NotRequired[str]
    bytes: NotRequired[int]
    received: NotRequired[int]
    why: NotRequired[Annotated[str | None, Meta(description="Why it cannot be taken.")]]


class RestoreState(UploadState):
    """How far a backup is that is brought back."""

    made: NotRequired[str | None]
    changes: NotRequired[Annotated[list[str], Meta(description="What would be gained and lost, a sentence each.")]]
    code: NotRequired[
        Annotated[str | None, Meta(description="After take: the host's code from then on; null = as before.")]
    ]


class UpdateState(UploadState):
    """How far an update of the program is."""

    now: Annotated[str, Meta(description="The version that runs.")]
    version: Annotated[str | None, Meta(description="That of the update, once it was looked at.")]


class UploadBody(TypedDict):
    """What becomes of the file."""

    do: Annotated[str, one_of("begin", "take", "drop")]
    bytes: NotRequired[Annotated[int, Meta(ge=1, description="For begin: how large the file is.")]]
    name: NotRequired[Annotated[str | None, Meta(description="For begin: what to call it.")]]


@route("GET", "/v1/restore", Role.HOST, problems=(404,))
def restore_state() -> RestoreState:
    """How far a backup is that is brought back."""
    return _rendered(_restore().state(current_user()))


@route("POST", "/v1/restore", Role.HOST, problems=(404,))
def ask_restore(body: UploadBody) -> RestoreState:
    """Bring a backup back: say how large it is, take it once it was checked, forget it."""
    return _asked(_restore(), body, "backup.zip")


@route("POST", "/v1/restore/<int:at>", Role.HOST, takes=PIECE, problems=(404,))
def add_to_restore(at: FromZero) -> RestoreState:
    """Send the piece of the backup that begins at this byte."""
    return _rendered(_restore().add(current_user(), at, request.get_data()))


@route("GET", "/v1/update", Role.HOST, problems=(404,))
def update_state() -> UpdateState:
    """How far an update of the program is."""
    return _rendered(_update().state(current_user()))


@route("POST", "/v1/update", Role.HOST, problems=(404,))
def ask_update(body: UploadBody) -> UpdateState:
    """Update the program: say how large the file is, install it once it was looked at, forget it."""
    return _asked(_update(), body, "companion.update")


@route("POST", "/v1/update/<int:at>", Role.HOST, takes=PIECE, problems=(404,))
def add_to_update(at: FromZero) -> UpdateState:
    """Send the piece of the update that begins at this byte."""
    return _rendered(_update().add(current_user(), at, request.get_data()))


def _restore() -> UploadService:
    taker = context().system.restore
    return _able(None if taker is None else taker())


def _update() -> UploadService:
    return _able(context().system.update)


def _able(taker: UploadService | None) -> UploadService:
    if taker is None:
        raise Problem(404, context().translator.word("box.cannot", g.language))
    return taker


def _asked(taker: UploadService, body: UploadBody, usual_name: str) -> Any:
    """What the host asks for; ``usual_name``: of a file whose name a browser keeps to itself."""
    user = current_user()
    match body["do"]:
        case "begin":
            size = body.get("bytes")
            if size is None or size < 1:
                raise Problem(422, Text("problem.restore.bytes", {"example": '{"do": "begin", "bytes": 1000}'}))
            return _rendered(taker.begin(user, _plain_name(body.get("name") or "", usual_name), size))
        case "take":
            return _rendered(taker.take(user))
        case "drop":
            return _rendered(taker.drop(user))
        case other:
            raise unknown_deed(other)


def _plain_name(name: str, usual: str) -> str:
    """What a browser calls a file, fit for a sentence."""
    plain = "".join(sign for sign in name.replace("\\", "/").rpartition("/")[2] if sign.isprintable()).strip()
    return plain[:LONGEST_NAME] or usual


def _rendered(result: Result) -> Any:
    """How far it is, in the reader's language."""
    state = value_of(result)
    rendered: dict[str, JSON] = {key: state.get(key) and render(state[key]) for key in ("why", "last") if key in state}
    if "changes" in state:
        rendered["changes"] = [render(line) for line in state["changes"]]
    return {**state, **rendered}
