"""Reads the body of a request: a JSON object with these keys, or a sentence about what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Request

from companion.errors import InputError
from companion.public.text import Text, fault_text
from companion.reading.text import parse_json
from web.middleware.problems import Problem

NAMES = {str: "text", int: "number", dict: "object", list: "list", bool: "bool"}
LARGEST = 2**53
NOTHING: Mapping[str, type] = {}


def json_body(
    asking: Request, *, required: Mapping[str, type] = NOTHING, optional: Mapping[str, type] = NOTHING
) -> Mapping[str, Any]:
    """The body, its known keys checked; others are left to whoever reads further.

    Args:
        asking: The request.
        required: Keys that must be there, with their types: ``{"question": int, "answer": int}``.
        optional: Further keys, which may lack or be ``null``.

    Raises:
        Problem: 415 for another content type, 422 for everything else.
    """
    if asking.mimetype != "application/json":
        raise Problem(415, Text("problem.json"))
    try:
        body = parse_json(asking.get_data())
    except InputError as wrong:
        raise Problem(422, Text("problem.no_json", {"why": fault_text(wrong.faults[0])})) from None
    if not isinstance(body, dict):
        raise Problem(422, Text("problem.object"))
    for key, kind in required.items():
        if not _is(body.get(key), kind):
            raise Problem(422, Text("problem.missing", {"key": key, "kind": Text(f"problem.kind.{NAMES[kind]}")}))
    for key, kind in optional.items():
        if body.get(key) is not None and not _is(body[key], kind):
            raise Problem(422, Text("problem.wrong", {"key": key, "kind": Text(f"problem.kind.{NAMES[kind]}")}))
    return body


def _is(value: object, kind: type) -> bool:
    if kind is int:
        return isinstance(value, int) and not isinstance(value, bool) and abs(value) < LARGEST
    return isinstance(value, kind)
