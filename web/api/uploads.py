"""Files that the host uploads in pieces: a backup to restore, and a new version of the program."""

from __future__ import annotations

from typing import Annotated, NotRequired, TypedDict, cast

from flask import g, request
from msgspec import Meta

from companion.public.machine import UploadService
from companion.public.results import UploadProgress
from companion.public.service import Result, Role
from companion.public.text import JSON, Text
from web.api.blueprint import Media, one_of, route, value_of
from web.middleware.context import context, current_user, render
from web.middleware.problems import Problem, unknown_deed

PIECE_BYTES = 4 * 1024 * 1024
"""Bytes of a piece at most: seconds of Wi-Fi, and a failure costs only one piece."""
PIECE = Media("4 MB at most.", ("application/octet-stream",), PIECE_BYTES)
LONGEST_NAME = 80
FromZero = Annotated[int, Meta(ge=0)]


class UploadState(TypedDict):
    """The progress of the upload; all states but ``idle`` have name, bytes, received and why."""

    state: Annotated[str, one_of("idle", "coming", "checking", "ready", "refused", "taken")]
    last: Annotated[str | None, Meta(description="The result of the last one.")]
    name: NotRequired[str]
    bytes: NotRequired[int]
    received: NotRequired[int]
    why: NotRequired[Annotated[str | None, Meta(description="Why it was refused.")]]


class RestoreState(UploadState):
    """The progress of restoring a backup."""

    made: NotRequired[str | None]
    changes: NotRequired[Annotated[list[str], Meta(description="What would be gained and lost, in sentences.")]]
    code: NotRequired[Annotated[str | None, Meta(description="After take: the host's new code; null = unchanged.")]]


class UpdateState(UploadState):
    """The progress of an update of the program."""

    now: Annotated[str, Meta(description="The running version.")]
    version: Annotated[str | None, Meta(description="The version of the update, once it was checked.")]


class UploadBody(TypedDict):
    """An action on the upload."""

    do: Annotated[str, one_of("begin", "take", "drop")]
    bytes: NotRequired[Annotated[int, Meta(ge=1, description="For begin: the size of the file.")]]
    name: NotRequired[Annotated[str | None, Meta(description="For begin: its name.")]]


@route("GET", "/v1/restore", Role.HOST, problems=(404,))
def restore_state() -> RestoreState:
    """The progress of restoring a backup."""
    return _restoring(_restore().state(current_user()))


@route("POST", "/v1/restore", Role.HOST, problems=(404,))
def ask_restore(body: UploadBody) -> RestoreState:
    """Restore a backup: begin with its size, take it after the check, or drop it.

    ``drop`` forgets it and ``last``. 409 during a silent match, and where nothing was checked; 503 when the disk
    has no room.
    """
    return _restoring(_asked(_restore(), body, "backup.zip"))


@route("POST", "/v1/restore/<int:at>", Role.HOST, takes=PIECE, problems=(404,))
def add_to_restore(at: FromZero) -> RestoreState:
    """Send the piece of the backup that begins at this byte.

    409 where it does not follow the piece before. After the last one the file is checked.
    """
    return _restoring(_restore().add(current_user(), at, request.get_data()))


@route("GET", "/v1/update", Role.HOST, problems=(404,))
def update_state() -> UpdateState:
    """The progress of an update of the program."""
    return _updating(_update().state(current_user()))


@route("POST", "/v1/update", Role.HOST, problems=(404,))
def ask_update(body: UploadBody) -> UpdateState:
    """Update the program: begin with the file's size, install it after the check, or drop it.

    As for a backup; the file is one that ``packaging/sign`` made. 404 where the machine cannot, 503 where it has no
    key for updates.
    """
    return _updating(_asked(_update(), body, "companion.update"))


@route("POST", "/v1/update/<int:at>", Role.HOST, takes=PIECE, problems=(404,))
def add_to_update(at: FromZero) -> UpdateState:
    """Send the piece of the update that begins at this byte."""
    return _updating(_update().add(current_user(), at, request.get_data()))


def _restore() -> UploadService:
    taker = context().system.restore
    return _able(None if taker is None else taker())


def _update() -> UploadService:
    return _able(context().system.update)


def _able(taker: UploadService | None) -> UploadService:
    if taker is None:
        raise Problem(404, context().translator.word("box.cannot", g.language))
    return taker


def _asked(taker: UploadService, body: UploadBody, usual_name: str) -> Result[UploadProgress]:
    """Carry out the host's action; ``usual_name``: for files whose name the browser does not send."""
    user = current_user()
    match body["do"]:
        case "begin":
            size = body.get("bytes")
            if size is None or size < 1:
                raise Problem(422, Text("problem.restore.bytes", {"example": '{"do": "begin", "bytes": 1000}'}))
            return taker.begin(user, _plain_name(body.get("name") or "", usual_name), size)
        case "take":
            return taker.take(user)
        case "drop":
            return taker.drop(user)
        case other:
            raise unknown_deed(other)


def _plain_name(name: str, usual: str) -> str:
    """A browser's file name in printable form."""
    plain = "".join(sign for sign in name.replace("\\", "/").rpartition("/")[2] if sign.isprintable()).strip()
    return plain[:LONGEST_NAME] or usual


def _restoring(result: Result[UploadProgress]) -> RestoreState:
    return cast(RestoreState, _rendered(result))


def _updating(result: Result[UploadProgress]) -> UpdateState:
    return cast(UpdateState, _rendered(result))


def _rendered(result: Result[UploadProgress]) -> dict[str, JSON]:
    """The state, in the reader's language."""
    state = value_of(result)
    sentences: dict[str, JSON] = {}
    if why := state.get("why"):
        sentences["why"] = render(why)
    if last := state.get("last"):
        sentences["last"] = render(last)
    if "changes" in state:
        sentences["changes"] = [render(line) for line in state["changes"]]
    return {**state, **sentences}
