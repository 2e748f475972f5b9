"""The API's blueprint: how routes are declared, and how results of services become HTTP."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from inspect import Parameter, signature
from typing import Any, Literal, TypeVar, get_type_hints

from flask import Blueprint, Response, g, jsonify, request
from msgspec import Meta, defstruct

from companion.public.service import Denied, Done, Invalid, NotFound, Refusal, Result, Role, Stale, Unavailable
from companion.public.text import JSON, Text
from web.middleware.access import role
from web.middleware.context import context, render, services
from web.middleware.problems import Problem
from web.middleware.request_body import body_keys, json_body
from web.push.serializers import snapshot_json

api = Blueprint("api", __name__, url_prefix="/api")


@dataclass(frozen=True, slots=True)
class Media:
    """A request body that is not JSON.

    Attributes:
        text: A description.
        kinds: The allowed media types.
        most: The most bytes; ``None`` = the limit of any body.
        required: Whether it must be present.
    """

    text: str
    kinds: tuple[str, ...]
    most: int | None = None
    required: bool = True


@dataclass(frozen=True, slots=True)
class ApiRoute:
    """A route of the API, for the API's description; ``route`` creates it.

    Attributes:
        hints: The types of its function's parameters and return value.
        body: The form of its JSON body.
    """

    method: str
    path: str
    least: Role
    function: Callable[..., Any]
    hints: dict[str, Any]
    body: type | None
    takes: Media | None
    sends: str | None
    query: type | None
    headers: type | None
    problems: tuple[int, ...]


IN_PATH = re.compile(r"<(?:\w+:)?(\w+)>")
"""A parameter in a path, with or without a converter."""

ROUTES: list[ApiRoute] = []
"""Every route of the API."""

Function = TypeVar("Function", bound=Callable[..., Any])
T = TypeVar("T")


def route(
    method: Literal["GET", "POST"],
    path: str,
    least: Role,
    *,
    takes: Media | None = None,
    sends: str | None = None,
    query: type | None = None,
    headers: type | None = None,
    problems: tuple[int, ...] = (),
) -> Callable[[Function], Function]:
    """Declares a route of the API.

    The function's parameters are those in the path and the keys of the JSON body; keys that may be ``None`` are
    optional. Alternatively its parameter ``body`` is the whole body. It returns the JSON answer. In the API's
    description the first line of its docstring is the summary, its name is the operation id, and its module's name is
    the tag.

    Args:
        path: Below ``/api``, with Flask's converters.
        least: The least role that may call it.
        takes: The body, if it is not JSON.
        sends: The media type of the answer, if it is not JSON.
        query: A form of the query parameters.
        headers: A form of additional headers.
        problems: Its error statuses besides those of all routes.
    """

    def register(function: Function) -> Function:
        hints = get_type_hints(function, include_extras=True)
        form = _body_form(function, hints, path)
        keys = None if form is None else body_keys(form)

        @role(least, body_limit=takes.most if takes else None)
        @wraps(function)
        def view(**named: Any) -> Response:
            if keys is not None:
                body = json_body(request, keys)
                named |= {"body": body} if "body" in hints else {key: body.get(key) for key in get_type_hints(form)}
            answer = function(**named)
            return answer if isinstance(answer, Response) else jsonify(answer)

        api.add_url_rule(path, view_func=view, methods=[method])
        ROUTES.append(ApiRoute(method, path, least, function, hints, form, takes, sends, query, headers, problems))
        return function

    return register


def _body_form(function: Callable[..., Any], hints: dict[str, Any], path: str) -> type | None:
    """The form of the JSON body that a function takes."""
    keys = {name: hint for name, hint in hints.items() if name not in ("return", *IN_PATH.findall(path))}
    if "body" in keys or not keys:
        return keys.get("body")
    optional = signature(function).parameters
    fields = [
        (name, hint) if optional[name].default is Parameter.empty else (name, hint, None) for name, hint in keys.items()
    ]
    return defstruct(f"{function.__name__.title().replace('_', '')}Body", fields)


def one_of(*words: str) -> Meta:
    """The allowed values of a text, for the API's description; the route itself must check them."""
    return Meta(extra_json_schema={"enum": list(words)})


def value_of(result: Result[T]) -> T:
    """The value of a result.

    Raises:
        Problem: The request failed.
    """
    if isinstance(result, Done):
        return result.value
    raise problem_of(result)


def problem_of(result: Refusal) -> Problem:
    """The reason in the reader's language: 403, 404, 409 (with the current standing), 422 or 503."""
    match result:
        case Denied(reason):
            return _problem(403, reason)
        case NotFound(reason):
            return _problem(404, reason)
        case Stale(reason):
            return _problem(409, reason, **snapshot_json(services().match, context().translator, g.language))
        case Invalid(faults, zones):
            sentences = " ".join(render(fault) for fault in faults)
            return _problem(422, sentences, **({"zones": list(zones)} if zones else {}))
        case Unavailable(reason):
            return _problem(503, reason)


def _problem(status: int, reason: Text | str | None, **more: JSON) -> Problem:
    """The problem with its reason; without one, with the general text for its status."""
    detail = render(reason) if reason else context().translator.word(f"problem.{status}", g.language)
    return Problem(status, detail, None, **more)
