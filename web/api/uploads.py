"""Files that the host sends in pieces over HTTP: a backup that comes back, and a newer version of the program."""

from __future__ import annotations

from collections.abc import Callable

from flask import Response, g, request

from companion.public.service import Done, Result, Role, UploadService
from companion.public.text import JSON, Text
from web.api.blueprint import api, to_response
from web.middleware.access import role
from web.middleware.context import context, current_user, render
from web.middleware.problems import Problem, unknown_deed
from web.middleware.request_body import json_body

PIECE_BYTES = 4 * 1024 * 1024
"""A piece has so many bytes at most: seconds of a Wi-Fi, and lost is only the piece."""
LONGEST_NAME = 80


def _offer(what: str, usual_name: str, service_of: Callable[[], UploadService | None]) -> None:
    """``GET`` and ``POST /v1/WHAT``, and ``POST /v1/WHAT/AT`` for the pieces.

    Args:
        usual_name: Of a file whose name a browser keeps to itself.
        service_of: Who takes it; ``None`` = nobody does here.
    """

    def service() -> UploadService:
        taker = service_of()
        if taker is None:
            raise Problem(404, context().translator.word("box.cannot", g.language))
        return taker

    @api.get(f"/v1/{what}", endpoint=f"{what}_state")
    @role(Role.HOST)
    def state() -> Response:
        return _answer(service().state(current_user()))

    @api.post(f"/v1/{what}", endpoint=f"ask_{what}")
    @role(Role.HOST)
    def ask() -> Response:
        body = json_body(request, required={"do": str}, optional={"bytes": int, "name": str})
        user, taker = current_user(), service()
        match body["do"]:
            case "begin":
                size = body.get("bytes")
                if size is None or size < 1:
                    raise Problem(422, Text("problem.restore.bytes", {"example": '{"do": "begin", "bytes": 1000}'}))
                return _answer(taker.begin(user, _plain_name(body.get("name") or "", usual_name), size))
            case "take":
                return _answer(taker.take(user))
            case "drop":
                return _answer(taker.drop(user))
            case other:
                raise unknown_deed(other)

    @api.post(f"/v1/{what}/<int:at>", endpoint=f"add_to_{what}")
    @role(Role.HOST, body_limit=PIECE_BYTES)
    def add(at: int) -> Response:
        return _answer(service().add(current_user(), at, request.get_data()))


def _plain_name(name: str, usual: str) -> str:
    """What a browser calls a file, fit for a sentence."""
    plain = "".join(sign for sign in name.replace("\\", "/").rpartition("/")[2] if sign.isprintable()).strip()
    return plain[:LONGEST_NAME] or usual


def _answer(result: Result) -> Response:
    return to_response(Done(_rendered(result.value)) if isinstance(result, Done) else result)


def _rendered(state: JSON) -> JSON:
    """In the reader's language."""
    rendered: dict[str, JSON] = {key: state.get(key) and render(state[key]) for key in ("why", "last") if key in state}
    if "changes" in state:
        rendered["changes"] = [render(line) for line in state["changes"]]
    return {**state, **rendered}


_offer("restore", "backup.zip", lambda: None if (taker := context().system.restore) is None else taker())
_offer("update", "companion.update", lambda: context().system.update)
